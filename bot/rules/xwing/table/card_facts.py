"""Facts that cards need outside attacks and the bot knows: tokens, charges, damage, the maneuver, the phase.

Each kind parses itself from a row's words and is evaluated in a ``FactContext``. Unknowable ones (range, arc, overlap)
are claims. A fact without its part of the table is None, and None never acts.
"""

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import ClassVar, Final, Literal

from bot.rules.text_values import NUMBER, FormPlace, TextValue, value_reader
from bot.rules.xwing.cards.card_sets import SHELF, SHIPPED
from bot.rules.xwing.dice.costs import CHARGE, NO_CARD, CardId, Cost, Payer
from bot.rules.xwing.dice.tokens import CIRCULAR, GREEN, ORANGE, RED, RED_OR_ORANGE, TOKENS
from bot.rules.xwing.table import dials
from bot.rules.xwing.table.dials import Maneuver
from bot.rules.xwing.table.ship import Fleet, Ship, is_affected, recovering

BEARINGS: Final[Mapping[str, str]] = {
    "straight": "F",
    "bank": "BN",
    "turn": "TY",
    "koiogran": "K",
    "segnor's loop": "LP",
    "tallon roll": "ER",
    "stationary": "O",
    "basic": "TBFNY",
    "advanced": "KLPERASDO",
    "left turn": "T",
    "left bank": "B",
    "left segnor's loop": "L",
}
"""Bearings named by cards, by dial letters."""
COLORS: Final[Mapping[str, str]] = {"blue": "B", "white": "W", "red": "R", "purple": "P"}
MOST: Final = 99
"""Above any ship's number."""
GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "green": GREEN,
    "orange": ORANGE,
    "red": RED,
    "red or orange": RED_OR_ORANGE,
    "red or orange but stress": tuple(item for item in RED_OR_ORANGE if item != "stress"),
    "red but stress": tuple(item for item in RED if item != "stress"),
    "circular": CIRCULAR,
    "reinforce": tuple(token for token in TOKENS if token.startswith("reinforce")),
    "any token": tuple(token for token in TOKENS if token in (*CIRCULAR, *RED, "lock")),
}
CREW: Final = ("Panicked Pilot", "Blinded Pilot", "Wounded Pilot", "Stunned Pilot")
"""Damage cards with the Crew trait; all others have the Ship trait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flown:
    """A maneuver for cards, and whether it was ``fully`` executed; None if unknown."""

    maneuver: Maneuver
    fully: bool | None = None
    is_ion: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FactContext:
    """The ship with the card, the card, the event's or choice's other ship, the maneuver."""

    ship: Ship
    card: CardId = NO_CARD
    other: Ship | None = None
    flown: Flown | None = None
    phase: str = ""
    fleet: Fleet = field(default_factory=dict)


def has_namesake(ship: Ship, card: CardId) -> bool:
    """Whether a ship has an upgrade of a card's name, in any printing."""
    name = SHELF.of(ship.card.pool).upgrades.get(card.id, {}).get("name")
    return any(card.id == upgrade.id or upgrade.name == name for upgrade in ship.card.upgrades)


def is_pilot(ship: Ship, pilot: str) -> bool:
    """Whether a ship's pilot has this one's name, in any printing."""
    pilots = SHELF.of(ship.card.pool).pilots
    return bool(ship.pilot) and pilots.get(pilot, {}).get("name") == pilots.get(ship.pilot, {}).get("name", "")


def charges_of(ship: Ship, card: CardId) -> tuple[int, int]:
    if card.kind != "upgrade":
        return ship.charge_left, ship.charge
    held = zip(ship.card.upgrades, ship.upgrade_charges, strict=True)
    return next(((left, upgrade.charges.capacity) for upgrade, left in held if upgrade.id == card.id), (0, 0))


def count(ship: Ship, card: CardId, what: str) -> int:
    """Return how many tokens of a kind or group a ship has, its own locks, or how many charges the card has left."""
    if what == CHARGE:
        return charges_of(ship, card)[0]
    if what == "lock":
        return len(ship.locks)
    return sum(ship.has(kind) for kind in GROUPS.get(what, (what,)))


def can_pay(ship: Ship, card: CardId, cost: tuple[Cost, ...], other: Ship | None = None) -> bool:
    return all(item.is_gained or has_for(ship, card, item, other) >= item.count for item in cost)


def has_for(ship: Ship, card: CardId, cost: Cost, other: Ship | None) -> int:
    """Return a payer's amount of a cost; an unchosen ship may have it."""
    payer = other if cost.payer is Payer.SHIP else ship
    if payer is None:
        return MOST
    return len(payer.facedown) if cost.what == "expose" else count(payer, card, cost.what.removesuffix(" token"))


@cache
def _printed_bars() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    raw = json.loads((SHIPPED / "action_bars.json").read_text(encoding="utf-8"))
    kinds = {kind: raw[kind].items() for kind in ("ships", "pilots", "upgrades")}
    return {kind: {key: tuple(words.split(", ")) for key, words in bars if words} for kind, bars in kinds.items()}


def bar_of(ship: Ship) -> tuple[str, ...]:
    """Return the actions on a ship's bar, including linked ones, in card order; () without a card: printed ones, and
    upgrades' (``data/action_bars.json``).
    """
    held = _printed_bars()
    printed = held["pilots"].get(ship.pilot) or held["ships"].get(ship.card.ship_id, ()) if ship.pilot else ()
    added = (action for id_ in ship.upgrades for action in held["upgrades"].get(id_, ()))
    return tuple(dict.fromkeys((*printed, *added))) if printed else ()


class Fact(TextValue, ABC):
    places: ClassVar = {
        "what": FormPlace("|".join(sorted(map(re.escape, (*GROUPS, *TOKENS)), key=len, reverse=True))),
        "least": NUMBER,
        "most": NUMBER,
        "count": NUMBER,
        "side": FormPlace(".+"),
        "trait": FormPlace(" Ship| Crew|", str.strip, lambda trait: trait and f" {trait}"),
        "colors": FormPlace("(?:blue|white|red|purple)(?: or (?:blue|white|red|purple))*"),
        "bearings": FormPlace(f"(?:{'|'.join(BEARINGS)})(?: or (?:{'|'.join(BEARINGS)}))*"),
        "phases": FormPlace("(?:Planning|System|Activation|Engagement|End)(?: or (?:Activation|Engagement|End))*"),
        "ids": FormPlace("[a-z0-9-]+(?: or [a-z0-9-]+)*"),
    }

    @abstractmethod
    def holds(self, here: FactContext) -> bool | None:
        """Whether it is true; None if unknown."""


class AtLeast(Fact):
    what: str
    least: int = 1
    forms = ("{what}", "{least} or more {what}")

    def holds(self, here: FactContext) -> bool:
        return count(here.ship, here.card, self.what) >= self.least


class AtMost(Fact):
    what: str
    most: int = 0
    forms = ("no {what}", "{most} or fewer {what}")

    def holds(self, here: FactContext) -> bool:
        return count(here.ship, here.card, self.what) <= self.most


class Exactly(Fact):
    count: int
    what: str
    forms = ("exactly {count} {what}",)

    def holds(self, here: FactContext) -> bool:
        return count(here.ship, here.card, self.what) == self.count


class IsMissing(Fact):
    """Fewer than the card's maximum; of force, shields, and energy, the ship's."""

    lacks: Literal["charge", "force", "shield", "energy"]
    forms = ("{lacks} missing",)

    def holds(self, here: FactContext) -> bool:
        if self.lacks == CHARGE:
            left, most = charges_of(here.ship, here.card)
            return left < most
        token = TOKENS[self.lacks]
        return here.ship.has(self.lacks) < int(getattr(here.ship, token.capacity))


class HasCards(Fact):
    cards: Literal["faceup", "facedown"]
    trait: str = ""
    forms = ("a {cards}{trait} card",)

    def holds(self, here: FactContext) -> bool:
        held = here.ship.faceup if self.cards == "faceup" else here.ship.facedown
        return any(not self.trait or (title in CREW) == (self.trait == "Crew") for title in held)


class SideIsUp(Fact):
    """The card's faceup side, by its distinguishing word or its title."""

    side: str
    forms = ("{side} side",)

    def holds(self, here: FactContext) -> bool | None:
        held = here.ship.upgrades
        lying = here.ship.sides.get(held.index(here.card.id)) if here.card.id in held else None
        if lying is None:
            return None
        said = self.side.casefold()
        return said in (lying.word, lying.title.casefold())


class ColorIs(Fact):
    colors: str
    forms = ("color {colors}",)

    def holds(self, here: FactContext) -> bool | None:
        letters = [COLORS[part] for part in self.colors.split(" or ")]
        return None if here.flown is None else here.flown.maneuver.difficulty in letters


class SpeedIs(Fact):
    least: int
    most: int = 0
    forms = ("speed {least}", "speed {least}-{most}")

    def holds(self, here: FactContext) -> bool | None:
        return None if here.flown is None else self.least <= here.flown.maneuver.speed <= (self.most or self.least)


class BearingIs(Fact):
    bearings: str
    forms = ("bearing {bearings}",)

    def holds(self, here: FactContext) -> bool | None:
        letters = "".join(BEARINGS[part] for part in self.bearings.split(" or "))
        return None if here.flown is None else here.flown.maneuver.plain in letters


def signs_of(fact: Fact) -> str:
    """Return the signs of the colors, speeds, or bearings that a fact asks of a maneuver, as dials have them."""
    if isinstance(fact, ColorIs):
        return "".join(dials.COLORS[COLORS[part]].sign for part in fact.colors.split(" or "))
    if isinstance(fact, BearingIs):
        return "".join(dials.BEARINGS[letter].sign for part in fact.bearings.split(" or ") for letter in BEARINGS[part])
    return str(fact).removeprefix("speed ") if isinstance(fact, SpeedIs) else ""


class TheManeuver(Fact):
    """Exactly this speed and bearing: ``the 2 straight``."""

    count: int
    bearings: str
    forms = ("the {count} {bearings}",)

    def holds(self, here: FactContext) -> bool | None:
        flown = None if here.flown is None else here.flown.maneuver
        return None if flown is None else flown.speed == self.count and flown.plain in BEARINGS[self.bearings]


class InPhase(Fact):
    phases: str
    forms = ("in the {phases} Phase",)

    def holds(self, here: FactContext) -> bool | None:
        return here.phase in self.phases.casefold().split(" or ") if here.phase else None


OF_SHIP: Final[Mapping[str, Callable[[Ship, str], bool]]] = {
    "affected by": is_affected,
    "size": lambda ship, words: ship.size in words.split(" or "),
    "ship": lambda ship, words: ship.card.ship_id in words.split(" or "),
    "upgrade": lambda ship, slot: any(upgrade.slot == slot for upgrade in ship.card.upgrades),
    "pilot": lambda ship, words: any(is_pilot(ship, pilot) for pilot in words.split(" or ")),
}
"""Facts about a ship with a word: tokens that affect its size, its size, ship, and pilot, the slot of an upgrade."""


class ShipFact(Fact):
    kind: str
    ids: str
    forms = ("{kind} {ids}",)
    places: ClassVar = {**Fact.places, "kind": FormPlace("|".join(OF_SHIP))}

    def holds(self, here: FactContext) -> bool:
        return OF_SHIP[self.kind](here.ship, self.ids)


class FriendLocks(Fact):
    """A ship of the card's side has a lock on the other ship; ``ids``: one with this upgrade."""

    ids: str = ""
    forms = ("a friendly lock is on it", "a friend with {ids} locked it")

    def holds(self, here: FactContext) -> bool | None:
        friends = (ship for ship in here.fleet.values() if ship.owner == here.ship.owner)
        able = [ship for ship in friends if not self.ids or self.ids in ship.upgrades]
        return None if here.other is None else any(here.other.name in ship.locks for ship in able)


class HasOnBar(Fact):
    """An action is on its action bar; unknown for a ship without a card."""

    action: Literal["calculate"]
    forms = ("{action} on its bar",)

    def holds(self, here: FactContext) -> bool | None:
        bar = bar_of(here.ship)
        return self.action in bar if bar else None


def was_primary(ship: Ship) -> set[bool]:
    """Whether the weapon of its last attack was a primary one; empty without one."""
    return {weapon.primary for weapon in ship.card.weapons if weapon.name == ship.last_weapon}


PLAIN: Final[Mapping[str, Callable[[FactContext], bool | None]]] = {
    "damaged": lambda here: bool(here.ship.cards),
    "something to recover": lambda here: bool(recovering(here.ship)),
    "destroyed": lambda here: here.ship.destroyed,
    "non-recurring force": lambda here: here.ship.card.force.recover == 0,
    "limited": lambda here: bool(here.ship.card.limited),
    "allied": lambda here: here.ship.card.faction != "scumandvillainy",
    "with this card": lambda here: has_namesake(here.ship, here.card),
    "red or locked": lambda here: (
        count(here.ship, here.card, "red") > 0 or any(here.ship.name in ship.locks for ship in here.fleet.values())
    ),
    "your attack was primary": lambda here: {True} == was_primary(here.ship),
    "your attack was special": lambda here: {False} == was_primary(here.ship),
    "limited or with this card": lambda here: bool(here.ship.card.limited) or has_namesake(here.ship, here.card),
    "a ship docked": lambda here: any(ship.docked == here.ship.name for ship in here.fleet.values()),
    "you lock a ship": lambda here: any(target in here.fleet for target in here.ship.locks),
    "you lock the defender": lambda here: here.ship.last_target in here.ship.locks,
    "you used your bonus attack last round": lambda here: bool(here.ship.bonus_attacks),
    "fully": lambda here: None if here.flown is None else here.flown.fully,
    "a sideslip": lambda here: None if here.flown is None else here.flown.maneuver.is_sideslip,
    "the ion maneuver": lambda here: None if here.flown is None else here.flown.is_ion,
    "your lock is on it": lambda here: None if here.other is None else here.other.name in here.ship.locks,
    "a token on the card": lambda here: any(on.endswith(f" on {here.card.id}") for on in here.ship.on_cards),
    "it is docked on you": lambda here: None if here.other is None else here.other.docked == here.ship.name,
    "docked on it": lambda here: None if here.other is None else here.ship.docked == here.other.name,
    "it is the defender": lambda here: None if here.other is None else here.other.name == here.ship.last_target,
    "it attacked you": lambda here: None if here.other is None else here.other.last_target == here.ship.name,
    "it locks you": lambda here: None if here.other is None else here.ship.name in here.other.locks,
    "it locks the defender": lambda here: None if here.other is None else here.ship.last_target in here.other.locks,
    "it has not engaged": lambda here: None if here.other is None else not here.other.engaged,
    "it skipped its maneuver": lambda here: (
        None if here.other is None or here.other.flight is None else here.other.flight.why == "nothing"
    ),
    "its initiative is lower": lambda here: (
        None if here.other is None else here.other.initiative_value < here.ship.initiative_value
    ),
}
"""Facts without parameters; ``it`` is the other ship."""


class PlainFact(Fact):
    words: str
    forms = ("{words}",)
    places: ClassVar = {"words": FormPlace("|".join(map(re.escape, PLAIN)))}

    def holds(self, here: FactContext) -> bool | None:
        return PLAIN[self.words](here)


DOCKED_ON, DOCKED_HERE = PlainFact("docked on it"), PlainFact("it is docked on you")
read_kind = value_reader(
    *(PlainFact, AtMost, Exactly, IsMissing, HasCards, ColorIs, SpeedIs, BearingIs, TheManeuver),
    *(InPhase, ShipFact, FriendLocks, HasOnBar, AtLeast, SideIsUp),
)


def flown_of(ship: Ship | None) -> Flown | None:
    """Return an activated ship's maneuver for cards."""
    flight = ship.flight if ship is not None else None
    if flight is None or not flight.maneuver:
        return None
    return Flown(maneuver=dials.read(flight.maneuver), fully=not flight.skips, is_ion=flight.why == "ion")


@dataclass(frozen=True, slots=True)
class Condition:
    """A row's condition on the ship with the card, or the other ship (``of_it``); ``no``: negated. ``needs_other``:
    whether it says something of the other ship.
    """

    fact: Fact
    no: bool = False
    of_it: bool = False
    needs_other: bool = False

    def holds(self, here: FactContext) -> bool | None:
        """Whether it is true; None if unknown, as for a ship not yet chosen."""
        if self.of_it:
            if here.other is None:
                return None
            here = replace(here, ship=here.other, flown=here.flown or flown_of(here.other))
        so = self.fact.holds(here)
        return so if so is None else so is not self.no


CONDITION: Final = re.compile(r"(it )?(not )?(.+)")


def read_condition(words: str) -> Condition:
    """Parse a condition like ``red or orange``, ``it stress``, ``not a ship docked``. Raises ``ValueError``."""
    said = CONDITION.fullmatch(words)
    if (fact := read_kind(words)) is not None:
        return Condition(fact, needs_other=re.search(r"\bits?\b", words) is not None)
    if said is None or (fact := read_kind(said[3])) is None:
        raise ValueError(words)
    needs_other = re.search(r"\bits?\b", words) is not None
    return Condition(fact, no=bool(said[2]), of_it=bool(said[1]), needs_other=needs_other)
