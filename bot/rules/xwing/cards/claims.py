"""What people say holds in an attack before it, in words: ``Predator, defender elusive, obstructed``.

Source: rules page, X-Wing cards, section 4 (``claims``). The odds ask for it, because nobody will press there.
"""

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Final

from bot.rules.errors import BadInput, Known
from bot.rules.game import Option, Side
from bot.rules.text import Code, Name, Sentences, Text, labelled
from bot.rules.xwing.cards.effects import Claim, open_claims
from bot.rules.xwing.cards.facts import Facts

OBSTRUCTED: Final = "obstructed"
NUMBER: Final = re.compile("[0-9]|1[0-9]|20")
"""Behind the name of a claim that asks how many."""


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims of each side, as ``effects.brought`` takes them, and whether the attack is said to be obstructed."""

    of: Mapping[Side, tuple[str, ...]]
    obstructed: bool = False

    @classmethod
    def read(cls, text: str, facts: Facts) -> "Claims":
        """Claims with commas between: a card by its name or id, after ``defender`` one of that side. A number that it
        asks for stands behind it: ``Horton Salm 2``.

        Where the attacker may claim no such card, the defender's is meant. Raises ``BadInput`` naming what there is.
        """
        found: dict[Side, list[str]] = {side: [] for side in Side}
        said = [" ".join(part.casefold().split()) for part in text.split(",")]
        known = {side: names_of(side, facts) for side in Side} if any(said) else {}
        for part in filter(None, said):
            if part != OBSTRUCTED:
                side, name, count = one_of(part, known)
                found[side] += [name] * count
        return cls({side: tuple(names) for side, names in found.items()}, OBSTRUCTED in said)


def names_of(side: Side, facts: Facts) -> dict[str, str]:
    """What a side may claim, by all that it may be called."""
    claims = open_claims(side, facts)
    return {one.card.casefold(): one.name for one in reversed(claims)} | {one.name: one.name for one in claims}


def one_of(part: str, known: Mapping[Side, Mapping[str, str]]) -> tuple[Side, str, int]:
    """The side and the name of a claim, and how often it is made. Raises ``BadInput``."""
    first, _, rest = part.partition(" ")
    sides = [side for side in Side if side.value == first.rstrip(":")]
    asked = rest if sides else part
    for side in sides or Side:
        name, count = numbered(asked, known[side])
        if name in known[side]:
            return side, known[side][name], count
    allowed = tuple(dict.fromkeys(name for side in Side for name in known[side].values()))
    raise BadInput("claims", part, Known(allowed) if allowed else Text("Leave it out: no card asks for anything here."))


def numbered(claim: str, known: Container[str]) -> tuple[str, int]:
    """A claim and the number behind it, 1 where it has none: ``hortonsalm 3``; a name may end in a number."""
    name, _, number = claim.rpartition(" ")
    is_numbered = claim not in known and NUMBER.fullmatch(number) is not None
    return (name, int(number)) if is_numbered else (claim, 1)


def ticks(ship: str, side: Side, claim: Claim) -> list[Option]:
    """A claim to tick, with its ship; a number has a line for each that there may be."""
    label = labelled(Name(ship), claim.card)
    said, name = labelled(claim.ask, claim.does), f"{side.value} {claim.name}"
    if not claim.most:
        return [Option(name, label, said)]
    counts = range(1, claim.most + 1)
    return [Option(f"{name} {count}", Sentences([label, Code(count)], ", "), said) for count in counts]
