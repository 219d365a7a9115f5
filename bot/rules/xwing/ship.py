"""A ship of a channel as it stands: its card, its tokens, its damage, and what it did this round.

Source: rules page, Tokens on ships, per channel.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.rules.errors import BadInput, PlayerError
from bot.rules.game import Side
from bot.rules.name import NAME_MOST, clean
from bot.rules.reading import whole
from bot.rules.xwing import abilities
from bot.rules.xwing.declared import HULL_MOST, POOL_MOST, TOKENS_MOST

CIRCULAR: Final = ("focus", "evade", "calculate", "reinforce", "jam", "disarm", "tractor")
"""Round tokens: they leave at the End Phase."""
STAYING: Final = ("stress", "strain", "deplete", "ion")
HELD_MOST: Final = 9
"""Tokens of one kind, charges too."""

LEFT: Final[Mapping[str, str]] = {
    "force": "force_left",
    "charge": "charge_left",
    "shield": "shields_left",
    "facedown damage": "facedown",
    "faceup damage": "faceup",
}
"""What is not a token but is counted on a ship too, and where."""
KINDS: Final = (*CIRCULAR, *STAYING, *LEFT)

CARD: Final[Mapping[str, tuple[int, int]]] = {
    "attack": (0, POOL_MOST),
    "agility": (0, POOL_MOST),
    "hull": (1, HULL_MOST),
    "shields": (0, HULL_MOST),
    "force": (0, TOKENS_MOST),
    "charge": (0, TOKENS_MOST),
    "initiative": (0, 8),
}
"""The numbers of a ship card, the least and the most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ship:
    """``force``, ``charge`` (recurring ones) and ``shields`` are capacities, ``*_left`` what is there.

    ``locks`` names the ships it has locked. ``abilities`` are card effects in short words, used whenever it attacks or
    defends. ``leaves`` is the initiative after whose step a destroyed ship is removed; None: at the End Phase.
    """

    name: str
    attack: int = 0
    agility: int = 0
    hull: int = 1
    shields: int = 0
    force: int = 0
    charge: int = 0
    initiative: int = 0
    abilities: str = ""
    tokens: Mapping[str, int]
    force_left: int = 0
    charge_left: int = 0
    shields_left: int = 0
    facedown: int = 0
    faceup: int = 0
    locks: tuple[str, ...] = ()
    engaged: bool = False
    attacks: int = 0
    leaves: int | None = None

    @property
    def destroyed(self) -> bool:
        """Step 7: as many damage cards as hull."""
        return self.facedown + self.faceup >= self.hull

    @property
    def hull_left(self) -> int:
        return max(0, self.hull - self.facedown - self.faceup)

    def has(self, kind: str) -> int:
        """How many of a kind it has now."""
        return int(getattr(self, LEFT[kind])) if kind in LEFT else self.tokens.get(kind, 0)


def launch(name: str, **card: Any) -> Ship:
    """A new ship with all its shields, force and charges. Raises ``PlayerError`` for what does not fit its card."""
    if not clean(name) or len(name) > NAME_MOST:
        raise BadInput("name", name, f"1 to {NAME_MOST} characters that can be seen")
    return refit(Ship(name=clean(name), tokens={}), **card)


def refit(ship: Ship, **card: Any) -> Ship:
    """The ship with numbers of its card, or its abilities, changed; what is left moves with its capacity."""
    for field, given in card.items():
        if field != "abilities":
            whole(field, given, *CARD[field])
    for side in Side:
        abilities.parse(card.get("abilities", ""), side)
    new = replace(ship, **card)
    return replace(
        new,
        shields_left=max(0, ship.shields_left + new.shields - ship.shields),
        force_left=max(0, ship.force_left + new.force - ship.force),
        charge_left=max(0, ship.charge_left + new.charge - ship.charge),
    )


def give(ship: Ship, kind: str, count: int) -> Ship:
    """The ship with ``count`` more of a kind, or fewer if negative; force and shields up to their capacity.

    Raises ``PlayerError`` when it has not so many, or no room for so many.
    """
    if kind not in KINDS:
        raise BadInput("token", kind, "one of " + ", ".join(KINDS))
    has, most = ship.has(kind), room(ship, kind)
    if has + count < 0:
        raise PlayerError(f"{ship.name} has {has or 'no'} {kind}, so {-count} cannot go.")
    if count > 0 and has + count > most:
        raise PlayerError(f"{ship.name} has {has} {kind} and holds at most {most}, so {count} more cannot come.")
    return set_to(ship, kind, has + count)


def room(ship: Ship, kind: str) -> int:
    """How many of a kind a ship can have."""
    return {"force": ship.force, "shield": ship.shields}.get(kind, HULL_MOST if "damage" in kind else HELD_MOST)


def set_to(ship: Ship, kind: str, count: int) -> Ship:
    if kind in LEFT:
        left: dict[str, Any] = {LEFT[kind]: count}
        return replace(ship, **left)
    return replace(ship, tokens={token: held for token, held in {**ship.tokens, kind: count}.items() if held})
