"""What people say holds in an attack before it, in words: ``Predator, defender elusive, obstructed``.

Source: rules page, X-Wing cards, section 4 (``claims``). The odds ask for it, because nobody will press there.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.rules.errors import BadInput, Known
from bot.rules.game import Side
from bot.rules.text import Text
from bot.rules.xwing.cards.effects import open_claims
from bot.rules.xwing.cards.facts import Facts

OBSTRUCTED: Final = "obstructed"


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims of each side, as ``effects.brought`` takes them, and whether the attack is said to be obstructed."""

    of: Mapping[Side, tuple[str, ...]]
    obstructed: bool = False

    @classmethod
    def read(cls, text: str, facts: Facts) -> "Claims":
        """Claims with commas between: a card by its name or id, after ``defender`` one of that side.

        Where the attacker may claim no such card, the defender's is meant. Raises ``BadInput`` naming what there is.
        """
        found: dict[Side, list[str]] = {side: [] for side in Side}
        said = [" ".join(part.casefold().split()) for part in text.split(",")]
        known = {side: names_of(side, facts) for side in Side} if any(said) else {}
        for part in filter(None, said):
            if part != OBSTRUCTED:
                side, name = one_of(part, known)
                found[side].append(name)
        return cls({side: tuple(names) for side, names in found.items()}, OBSTRUCTED in said)


def names_of(side: Side, facts: Facts) -> dict[str, str]:
    """What a side may claim, by all that it may be called."""
    claims = open_claims(side, facts)
    return {one.card.casefold(): one.name for one in reversed(claims)} | {one.name: one.name for one in claims}


def one_of(part: str, known: Mapping[Side, Mapping[str, str]]) -> tuple[Side, str]:
    """The side and the name of a claim. Raises ``BadInput``."""
    first, _, rest = part.partition(" ")
    sides = [side for side in Side if side.value == first.rstrip(":")]
    name = rest if sides else part
    for side in sides or Side:
        if name in known[side]:
            return side, known[side][name]
    allowed = tuple(dict.fromkeys(name for side in Side for name in known[side].values()))
    raise BadInput("claims", part, Known(allowed) if allowed else Text("Leave it out: no card asks for anything here."))


def written(side: Side, name: str) -> str:
    """A claim as ``Claims.read`` takes it."""
    return f"{side.value} {name}"
