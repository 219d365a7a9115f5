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
from bot.rules.xwing import words
from bot.rules.xwing.declared import HULL_MOST, POOL_MOST, TOKENS_MOST, Effect
from bot.rules.xwing.faces import OWN_POOL
from bot.rules.xwing.tokens import CIRCULAR, COUNTED, KINDS, TOKENS, Kind

HELD_MOST: Final = 9
"""Tokens of one kind, charges too."""

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
        return int(getattr(self, COUNTED[kind].left)) if kind in COUNTED else self.tokens.get(kind, 0)


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
        abilities(card.get("abilities", ""), side)
    new = replace(ship, **card)
    return replace(
        new,
        shields_left=max(0, ship.shields_left + new.shields - ship.shields),
        force_left=max(0, ship.force_left + new.force - ship.force),
        charge_left=max(0, ship.charge_left + new.charge - ship.charge),
    )


def abilities(text: str, side: Side) -> tuple[Effect, ...]:
    """A ship's abilities: those effects that change the ship's own dice on this side, red when it attacks.

    One without a colour that fits both dice, as ``reroll 1 blank``, helps on both sides. Raises ``PlayerError`` for
    words that fit neither side, and for tokens, hull, shields and costs, which are no effects on dice.
    """
    if len(text) > words.LONGEST:
        raise BadInput("abilities", text, f"at most {words.LONGEST} characters")
    by_side = [ability(part) for part in words.phrases(text)]
    kept = tuple(effects[side] for effects in by_side if side in effects)
    words.check(kept, "abilities")
    return kept


def ability(part: str) -> dict[Side, Effect]:
    """What one phrase means on each side on which it changes the ship's own dice; raises if on none."""
    found: dict[Side, Effect] = {}
    refusals: list[PlayerError] = []
    for side in Side:
        try:
            effect = only_effect(part, side)
        except PlayerError as refusal:
            refusals.append(refusal)
        else:
            if effect.pool is OWN_POOL[side]:
                found[side] = effect
    if not found:
        raise refusals[0]
    return found


def only_effect(part: str, side: Side) -> Effect:
    phrase = words.SidePhrase(part, side, "abilities")
    brought = words.add(words.Brought(), phrase)
    phrase.end()
    if not brought.line_up.effects:
        what = "effects on dice, as in `reroll 1 blank, change 1 focus to hit`; for tokens use `/xwing token give`"
        raise BadInput("abilities", part.strip(), what)
    return brought.line_up.effects[0]


def give(ship: Ship, kind: str, count: int) -> Ship:
    """The ship with ``count`` more of a kind, or fewer if negative; force and shields up to their capacity.

    Raises ``PlayerError`` when it has not so many, or no room for so many.
    """
    if kind not in KINDS:
        raise BadInput("token", kind, "one of " + ", ".join(KINDS))
    has, most, counted = ship.has(kind), room(ship, kind), TOKENS[kind].counted
    if has + count < 0:
        if not has:
            raise PlayerError(f"{ship.name} has {counted(0)} to take. `/xwing ship list` shows what it has.")
        raise PlayerError(f"{ship.name} has only {counted(has)}. Take at most {has}.")
    if count > 0 and has + count > most:
        more = f"Give at most {most - has} more." if has < most else "It can take no more."
        raise PlayerError(f"{ship.name} has {counted(has)} and holds at most {most}. {more}")
    return set_to(ship, kind, has + count)


def room(ship: Ship, kind: str) -> int:
    """How many of a kind a ship can have."""
    token = TOKENS[kind]
    if token.is_capped:
        return int(getattr(ship, token.capacity))
    return HULL_MOST if token.kind is Kind.DAMAGE else HELD_MOST


def set_to(ship: Ship, kind: str, count: int) -> Ship:
    if kind in COUNTED:
        left: dict[str, Any] = {COUNTED[kind].left: count}
        return replace(ship, **left)
    return replace(ship, tokens={token: held for token, held in {**ship.tokens, kind: count}.items() if held})


def end_of_round(ship: Ship) -> Ship:
    """Circular tokens leave, force and recurring charges regain one up to their capacity, a new round begins.

    A charge above the recurring ones is left as it is.
    """
    back: dict[str, Any] = {
        token.left: max(ship.has(name), min(getattr(ship, token.capacity), ship.has(name) + token.recovers))
        for name, token in COUNTED.items()
        if token.recovers
    }
    tokens = {token: held for token, held in ship.tokens.items() if token not in CIRCULAR}
    return replace(ship, tokens=tokens, engaged=False, attacks=0, **back)
