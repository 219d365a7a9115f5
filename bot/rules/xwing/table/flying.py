"""The maneuver a ship executes: its dial, cards that change it, stress, force, and ion.

Order: the revealed maneuver; cards that replace it; the sum of all difficulty steps; the check for stress and force;
the maneuver; Check Difficulty. Rows: ``data/dial_cards.json``. Lasting and mandatory ones apply automatically; optional
ones are offered once the dial is open, each with its current color.

Source: rules page, X-Wing: when cards speak outside an attack, section 5; A round between the dice.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from bot.rules.text import Name, Names, Text, bracketed, labeled
from bot.rules.xwing.cards.card_sets import SHIPPED
from bot.rules.xwing.cards.cards import condition_names
from bot.rules.xwing.dice import costs
from bot.rules.xwing.dice.costs import CardId
from bot.rules.xwing.table import dials
from bot.rules.xwing.table.card_facts import Condition, FactContext, Flown, can_pay, read_condition
from bot.rules.xwing.table.dials import BEARINGS, COLORS, HARDER, STRESS, Maneuver, check_difficulty, dial_of, ion, read
from bot.rules.xwing.table.ship import Fleet, Flight, Ship, is_affected

MIRRORED: Final = dict(zip("TBNYLPERAD", "YNBTPLREDA", strict=True))
"""Bearings with a direction, and their mirror images."""
TO_TALLON: Final = {"T": "E", "Y": "R"}
STATIONARY: Final = Maneuver(0, "O", "W")


def of_dial(test: Callable[[Maneuver, Maneuver], bool]) -> Callable[[Ship, Maneuver], list[Maneuver]]:
    """Return the other maneuvers of a ship's dial that fit the one shown: ``test(shown, other)``."""
    return lambda ship, shown: [maneuver for maneuver in dial_of(ship) if maneuver != shown and test(shown, maneuver)]


def near_speeds(steps: Iterable[int]) -> Callable[[Ship, Maneuver], list[Maneuver]]:
    """Return the same maneuver with its speed changed by one of these steps."""
    return lambda _, shown: [replace(shown, speed=shown.speed + step) for step in steps if 1 <= shown.speed + step <= 5]


REPLACED: Final[Mapping[str, Callable[[Ship, Maneuver], list[Maneuver]]]] = {
    "koiogran": lambda _, shown: [replace(shown, bearing="K")],
    "red koiogran": lambda _, shown: [replace(shown, bearing="K", difficulty="R")],
    "segnor's loop": lambda _, shown: [replace(shown, bearing=item) for item in "LP"],
    "tallon roll": lambda _, shown: [replace(shown, bearing=TO_TALLON[shown.bearing])],
    "white stationary": lambda *_: [STATIONARY],
    "sideslip": lambda _, shown: [replace(shown, bearing=shown.bearing.lower())],
    "1 bank sideslip": lambda _, shown: [replace(shown, speed=1, bearing=item) for item in "bn"],
    "nothing": lambda _, shown: [shown],
    "speed 1": lambda _, shown: [replace(shown, speed=1)],
    "speed 1 more or less": near_speeds((-1, 1)),
    "speed 1 less": near_speeds((-1,)),
    "dial, same color": of_dial(lambda shown, maneuver: maneuver.difficulty == shown.difficulty),
    "dial, same speed and color": of_dial(lambda shown, maneuver: replace(maneuver, bearing=shown.bearing) == shown),
    "dial, same speed, not red": of_dial(
        lambda shown, maneuver: maneuver.speed == shown.speed and maneuver.difficulty != "R"
    ),
    "dial, speed 1 more, basic": of_dial(
        lambda shown, maneuver: maneuver.speed == shown.speed + 1 and maneuver.bearing in "TBFNY"
    ),
    "dial, speed 1 more or less": of_dial(
        lambda shown, maneuver: abs(maneuver.speed - shown.speed) == 1 and maneuver.bearing == shown.bearing
    ),
    "dial, other direction": of_dial(
        lambda shown, maneuver: maneuver.speed == shown.speed and maneuver.bearing == MIRRORED.get(shown.bearing)
    ),
}
"""Cards' replacements of a revealed maneuver: the possible maneuvers, before difficulty steps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DialRow:
    """A card's change to maneuvers: a row of ``data/dial_cards.json``.

    ``whose``: the card's ship's (``self``), its player's ships' (``friendly``), an ``enemy``'s. ``may``: optional; else
    mandatory. ``when``: ``standing``, or the moment of the choice. It applies to these ``speeds``, ``bearings``, and
    ``colors`` (letters; default: all), while all ``conditions`` are true; ``ask``: what only players know. ``by``:
    difficulty steps, negative for easier; ``color``: a fixed letter. ``flies``: a key of ``REPLACED``. ``stressed``:
    allowed while stressed. ``then``: effects after Check Difficulty, in the words of ROWS.md; ``remind``: done by hand.
    """

    card: CardId
    place: int
    pool: str = ""
    when: str = "standing"
    whose: str = "self"
    may: bool = False
    speeds: tuple[int, ...] = ()
    bearings: str = ""
    colors: str = ""
    conditions: tuple[Condition, ...] = ()
    ask: str = ""
    cost: tuple[costs.Cost, ...] = ()
    by: int = 0
    color: str = ""
    flies: str = ""
    stressed: bool = False
    then: tuple[str, ...] = ()
    remind: str = ""

    @property
    def key(self) -> str:
        """Return ``pilot:countessryad[3]``: its card, and its place among all rows."""
        return f"{self.card}[{self.place}]"

    @property
    def sets_dial(self) -> bool:
        """Whether it sets the dial: the new maneuver is the revealed one, with its own color."""
        return self.flies.startswith("dial, ")

    @property
    def is_chosen(self) -> bool:
        """Whether a player chooses it: it is optional, or needs a claim."""
        return self.may or bool(self.ask)

    @property
    def acts_alone(self) -> bool:
        """Whether it changes its ship's difficulty automatically."""
        is_own = (self.when == "standing" and self.whose == "self" and not self.is_chosen) or is_forced(self)
        return is_own and bool(self.color or (self.by and self.when == "standing"))

    def fits(self, shown: Maneuver) -> bool:
        of_color = not self.colors or shown.difficulty in self.colors
        return of_color and shown.plain in (self.bearings or BEARINGS) and shown.speed in (self.speeds or range(6))

    def counts(self, holder: Ship, shown: Maneuver, fleet: Fleet, flyer: Ship | None = None) -> bool:
        """Whether it changes this maneuver, given the card's ship and the flying ship."""
        if self.pool not in ("", holder.card.pool) or self.card not in held_cards(holder) or not self.fits(shown):
            return False
        here = FactContext(ship=holder, card=self.card, other=flyer, flown=Flown(maneuver=shown), fleet=fleet)
        return all(condition.holds(here) for condition in self.conditions)

    def becomes(self, ship: Ship, shown: Maneuver) -> list[Maneuver]:
        """Return the maneuvers that it allows the ship, before difficulty steps."""
        return REPLACED[self.flies](ship, shown) if self.flies else [shown]


def held_cards(ship: Ship) -> Mapping[CardId, str]:
    """Return the cards that apply to a ship, with names: its own, its conditions, its faceup damage cards."""
    conditions = {CardId("condition", condition): condition_names()[condition] for condition in ship.conditions}
    return {**ship.card.card_names, **conditions, **{CardId("damage", name): name for name in ship.faceup if name}}


def read_row(row: Mapping[str, Any], place: int) -> DialRow:
    """Parse a line of the file. Raises ``ValueError`` for unknown words."""
    raw = {**row, "card": CardId.read(row["card"]), "place": place, "speeds": tuple(row.get("speeds", ()))}
    raw["conditions"] = tuple(map(read_condition, raw.pop("if", ())))
    raw["cost"] = costs.read_costs(raw.get("cost", ""))
    dial_row = DialRow(**{**raw, "then": tuple(row.get("then", ()))})
    if dial_row.flies and dial_row.flies not in REPLACED:
        raise ValueError(f"{row['card']}: {dial_row.flies}")
    return dial_row


@cache
def rows() -> tuple[DialRow, ...]:
    held = json.loads((SHIPPED / "dial_cards.json").read_text(encoding="utf-8"))["rows"]
    return tuple(read_row(row, place) for place, row in enumerate(held, 1))


@cache
def rows_by_card() -> Mapping[CardId, tuple[DialRow, ...]]:
    result = dict[CardId, tuple[DialRow, ...]]()
    for row in rows():
        result[row.card] = (*result.get(row.card, ()), row)
    return result


def rows_of(card: CardId) -> tuple[DialRow, ...]:
    return rows_by_card().get(card, ())


def own_rows(ship: Ship) -> list[DialRow]:
    """Return the rows of a ship's cards, once per copy of a damage card."""
    known, names = rows_by_card(), ship.card.card_names
    held = [*filter(known.__contains__, names)]
    if ship.conditions or ship.faceup:
        others = (
            *(CardId("condition", item) for item in ship.conditions),
            *(CardId("damage", item) for item in ship.faceup),
        )
        held += filter(known.__contains__, others)
    return [row for card in held for row in known[card]]


AFTER_REVEAL: Final = ("after reveal", "before executing", "while executing")
"""Moments at which a chosen or mandatory card changes an open dial's maneuver."""
LASTING: Final = ("start of Activation", "before activating", "before reveal")
"""Moments of cards that change later maneuvers, whose use the match stores."""


def as_flown(
    ship: Ship, shown: Maneuver, fleet: Fleet, also: Sequence[DialRow] = ()
) -> tuple[Maneuver, tuple[str, ...]]:
    """Return a maneuver with its difficulty for this ship, and the cards that changed it; ``also``: chosen rows."""
    acting = [row for row in own_rows(ship) if row.acts_alone and row.counts(ship, shown, fleet)]
    acting += [row for row in also if row.by or row.color]
    base = next((row.color for row in acting if row.color), shown.difficulty)
    if not acting or base not in HARDER:
        return shown, ()
    names = (held_cards(ship).get(row.card) or name_of(fleet, row.card) for row in acting)
    at = HARDER.index(base) + sum(row.by for row in acting)
    flown = replace(shown, difficulty=HARDER[max(0, min(2, at))])
    return flown, tuple(dict.fromkeys(names)) if flown != shown else ()


def is_forced(row: DialRow) -> bool:
    """Whether it replaces an open dial's maneuver automatically."""
    return not row.is_chosen and row.when in AFTER_REVEAL and row.whose == "self"


def name_of(fleet: Fleet, card: CardId) -> Name:
    return Name(next((held_cards(ship)[card] for ship in fleet.values() if card in held_cards(ship)), card.id))


def may_while_stressed(ship: Ship, flown: Maneuver, fleet: Fleet, also: Sequence[DialRow]) -> bool:
    """Whether a card allows a red maneuver while stressed."""
    own = (row for row in own_rows(ship) if row.stressed and row.when == "standing")
    return any(row.fits(flown) for row in also if row.stressed) or any(row.counts(ship, flown, fleet) for row in own)


def lasting(ship: Ship, shown: Maneuver, fleet: Fleet, used: Collection[str]) -> list[DialRow]:
    """Return rows chosen earlier this round that change this maneuver; ``used``: used cards by key."""
    dial_rows = list[DialRow]()
    for holder in fleet.values() if used else ():
        whose = ("friendly", "self") if holder.name == ship.name else (side_of(holder, ship),)
        own = (row for row in own_rows(holder) if row.when in LASTING and row.whose in whose and row.fits(shown))
        dial_rows += [row for row in own if lasts(holder, row.card, ship if row.whose == "enemy" else None) in used]
    return dial_rows


def lasts(holder: Ship, card: CardId, on: Ship | None = None) -> str:
    """Return the match's record of a used card with a lasting effect; ``on``: on one ship alone."""
    return f"{card} of {holder.name} on {on.name}" if on is not None else f"{card} of {holder.name}"


@dataclass(frozen=True, slots=True)
class Executed:
    """An executed maneuver, the ship after it, and what changed; its ``flight`` says why it differs from the dial."""

    maneuver: Maneuver
    flight: Flight
    ship: Ship
    lines: tuple[Text, ...]


def execute(
    ship: Ship, shown: Maneuver | None, ruleset: str, fleet: Fleet | None = None, also: Sequence[DialRow] = ()
) -> Executed:
    """Execute a ship's dial (None if forgotten), or what its tokens dictate; ``also``: chosen rows, no replacements."""
    lines, why, fleet = list[Text](), "", fleet or {}
    if shown is None and not (ruleset == "2.0" and is_affected(ship, "ion")):
        lines.append(Text("Nothing was planned for {ship}: it gains 1 stress token", ship=ship.name))
        ship, why = dials.gain_stress(ship), "forgotten"
    if is_affected(ship, "ion"):
        flown, why = ion(shown, ruleset), "ion"
        lines.append(Text("It is ionized, so it executes the ion maneuver and may only focus"))
    elif shown is None:
        flown = read(STRESS)
        lines.append(Text("It executes the stress maneuver"))
    else:
        shown, forced = with_forced(ship, shown, fleet, also)
        lines += forced
        flown, by = as_flown(ship, shown, fleet, also)
        if by:
            color = COLORS[flown.difficulty].says
            lines.append(Text("It is {color} because of {cards}", color=color, cards=Names(by)))
        if flown.difficulty == "R" and ship.has("stress") and not may_while_stressed(ship, flown, fleet, also):
            flown, why = read(STRESS), "stressed"
            lines.append(Text("It is stressed, so it executes the stress maneuver instead of a red one"))
        elif flown.difficulty == "P" and not ship.force_left:
            flown, why = read(STRESS), "no force"
            lines.append(Text("It has no force, so it executes the stress maneuver instead of a purple one"))
    after, said = check_difficulty(ship, flown)
    flight = Flight(dial=shown.code if shown is not None else "", maneuver=flown.code, why=why)
    return Executed(flown, flight, replace(after, flight=flight), (*lines, *said))


def with_forced(ship: Ship, shown: Maneuver, fleet: Fleet, also: Sequence[DialRow]) -> tuple[Maneuver, list[Text]]:
    """Return the maneuver with mandatory replacements, and their sentences."""
    said = list[Text]()
    for row in also:
        if row.flies and row.when in LASTING and (others := row.becomes(ship, shown)):
            shown = others[0]
            said.append(Text("{card}: executed as {what}", card=name_of(fleet, row.card), what=shown.text))
    for row in own_rows(ship):
        is_standing = row.when == "standing" and row.flies and not row.is_chosen
        if (is_standing or (is_forced(row) and row.flies)) and row.counts(ship, shown, fleet):
            (shown, *_) = row.becomes(ship, shown)
            card = Name(held_cards(ship)[row.card])
            said.append(Text("{card}: executed as {what}", card=card, what=shown.text))
    return shown, said


# Choices once the dial is open


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A card's maneuver: the row, the card's ship, the maneuver before and with its color."""

    row: DialRow
    holder: Ship
    base: Maneuver
    flown: Maneuver

    @property
    def code(self) -> str:
        return f"{self.row.key} of {self.holder.name}: {self.base.code}"

    @property
    def says(self) -> Text:
        """Return ``Countess Ryad: fly 2 Koiogran turn, white``; claim and cost in brackets."""
        card = Name(held_cards(self.holder)[self.row.card])
        does = Text("execute {maneuver}", maneuver=self.flown.text)
        if self.row.flies == "nothing":
            does = Text("execute no maneuver")
        claim = costs.claim(self.row.ask, self.row.cost)
        return labeled(card, bracketed(does, claim) if claim else does)


def choices(ship: Ship, shown: Maneuver, fleet: Fleet, also: Sequence[DialRow] = ()) -> list[Choice]:
    """List the maneuvers that cards of the ship, its friends and its enemies offer instead of the shown one."""
    result = list[Choice]()
    for holder in fleet.values():
        if holder.destroyed or holder.docked or not (holder.owner or holder.name == ship.name):
            continue
        whose = ("friendly", "self") if holder.name == ship.name else (side_of(holder, ship),)
        for row in own_rows(holder):
            is_open = row.is_chosen and row.when in (*AFTER_REVEAL, "standing") and row.whose in whose
            if not is_open or not (row.flies or row.by or row.color):
                continue
            if not row.counts(holder, shown, fleet, ship) or not can_pay(holder, row.card, row.cost, ship):
                continue
            for base in row.becomes(ship, shown):
                flown, _ = as_flown(ship, base, fleet, [*also, row])
                is_other = flown != as_flown(ship, shown, fleet, also)[0] or row.flies == "nothing"
                result += [Choice(row=row, holder=holder, base=base, flown=flown)] if is_other else []
    return result


def side_of(holder: Ship, ship: Ship) -> str:
    """Whether ships of the holder's player are friends or enemies of a ship."""
    return "friendly" if holder.owner == ship.owner else "enemy"


def not_counted(ship: Ship) -> list[str]:
    """Return its cards whose changes to maneuvers are done by hand."""
    own = {row.card: None for row in own_rows(ship) if row.remind}
    return [held_cards(ship)[card] for card in own]
