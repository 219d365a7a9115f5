"""The manoeuvres on dials, what changes their difficulty, and what a ship really executes.

Source: rules page, A round between the dice: Planning Phase, Activation Phase, Ion; ``data/dials.json``,
``data/dial_cards.json``; ``tables/bearings.json`` and ``tables/colours.json``.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from bot.rules.rows import table
from bot.rules.text import Names, Sentences, Text, beside
from bot.rules.xwing.cards.card_sets import SHIPPED
from bot.rules.xwing.dice.costs import CardId
from bot.rules.xwing.dice.tokens import TOKENS
from bot.rules.xwing.table.ship import Flight, Ship, give, is_affected, set_to


@dataclass(frozen=True, slots=True)
class Part:
    """A bearing or a colour of manoeuvres: its letter in codes, its name and its sign.

    ``ion``: the bearing of the ion manoeuvre, for which the direction of a dial is all that counts.
    """

    code: str
    says: Text
    sign: str
    ion: str = "F"


BEARINGS: Final = {one.code: one for one in table("xwing/tables/bearings.json", Part)}
"""By their letters, as they lie on a dial, from left to right."""
COLOURS: Final = {one.code: one for one in table("xwing/tables/colours.json", Part)}
HARDER: Final = "BWR"
STRESS: Final = "2FW"
"""The stress manoeuvre, a white 2 straight, which nothing changes that does not name it."""
CODE: Final = re.compile(f"([0-5])([{''.join(BEARINGS)}])([{''.join(COLOURS)}])")


@dataclass(frozen=True, slots=True)
class Manoeuvre:
    """A manoeuvre by its code: speed 0 to 5, a key of ``BEARINGS``, a key of ``COLOURS``."""

    speed: int
    bearing: str
    difficulty: str

    @property
    def code(self) -> str:
        return f"{self.speed}{self.bearing}{self.difficulty}"

    @property
    def said(self) -> Text:
        """``3 bank left, blue``."""
        bearing, colour = BEARINGS[self.bearing], COLOURS[self.difficulty]
        return Sentences([beside(self.speed, bearing.says), colour.says], ", ")


def read(code: str) -> Manoeuvre:
    """The manoeuvre of a code, as ``3BB``. Raises ``ValueError`` for what is none."""
    found = CODE.fullmatch(code)
    if found is None:
        raise ValueError(f"{code!r} is no manoeuvre")
    return Manoeuvre(int(found[1]), found[2], found[3])


@cache
def dials() -> Mapping[str, tuple[Manoeuvre, ...]]:
    """The dial of each ship by its id: slow ones first, from left to right."""
    written, order = json.loads((SHIPPED / "dials.json").read_text(encoding="utf-8"))["dials"], list(BEARINGS)
    found = {ship: map(read, codes.split()) for ship, codes in written.items()}
    by_place = {ship: sorted(one, key=lambda one: (one.speed, order.index(one.bearing))) for ship, one in found.items()}
    return {ship: tuple(every) for ship, every in by_place.items()}


def dial_of(ship: Ship) -> tuple[Manoeuvre, ...]:
    """The manoeuvres of a ship; () for a remote, and for one of which nobody knows a dial."""
    return () if ship.is_remote or not ship.pilot else dials().get(ship.card.ship_id, ())


@dataclass(frozen=True, slots=True)
class DialRow:
    """What a card does to the difficulty of manoeuvres: see ``data/dial_cards.json``."""

    card: CardId
    by: int
    speeds: tuple[int, ...] = ()
    bearings: str = ""
    side: str = ""
    unshielded: bool = False

    def counts(self, ship: Ship, flown: Manoeuvre) -> bool:
        """Whether it changes this manoeuvre of this ship, as the ship stands."""
        id_ = self.card.id
        held = {"damage": ship.faceup, "pilot": (ship.pilot,)}.get(self.card.kind, ship.upgrades)
        if id_ not in held or (self.unshielded and ship.shields_left):
            return False
        if self.side and id_ in ship.upgrades:
            lying = ship.sides.get(ship.upgrades.index(id_))
            if lying is None or lying.word != self.side:
                return False
        return flown.bearing in (self.bearings or BEARINGS) and (not self.speeds or flown.speed in self.speeds)


@cache
def cards() -> tuple[tuple[DialRow, ...], frozenset[str], frozenset[str]]:
    """The rows, the cards that let a ship fly something else, and those that nobody counts."""
    held = json.loads((SHIPPED / "dial_cards.json").read_text(encoding="utf-8"))
    rows = tuple(
        DialRow(**{**row, "card": CardId.read(row["card"]), "speeds": tuple(row.get("speeds", ()))})
        for row in held["rows"]
    )
    return rows, frozenset(held["other"]), frozenset(held["not_counted"])


def flies_other(ship: Ship) -> bool:
    """Whether a card may let the ship fly another manoeuvre than its dial shows."""
    return bool(cards()[1].intersection(ship.card.card_names))


def not_counted(ship: Ship) -> list[str]:
    """The names of its cards that touch its dial and are left to people."""
    left = cards()[1] | cards()[2]
    return [name for card, name in ship.card.card_names.items() if card in left]


def as_flown(ship: Ship, shown: Manoeuvre) -> tuple[Manoeuvre, tuple[str, ...]]:
    """A manoeuvre with the difficulty that it has for this ship, and the names of the cards that changed it."""
    if shown.difficulty not in HARDER:
        return shown, ()
    rows = [row for row in cards()[0] if row.counts(ship, shown)]
    if not rows:
        return shown, ()
    copies = (max(1, ship.faceup.count(row.card.id)) for row in rows)  # of a damage card each counts
    at = HARDER.index(shown.difficulty) + sum(row.by * count for row, count in zip(rows, copies, strict=True))
    names = (ship.card.card_names.get(row.card, row.card.id) for row in rows)
    return replace(shown, difficulty=HARDER[max(0, min(2, at))]), tuple(dict.fromkeys(names))


def ion(shown: Manoeuvre | None, ruleset: str) -> Manoeuvre:
    """The ion manoeuvre: blue, speed 1; in Legacy always straight, else in the direction of the dial."""
    return Manoeuvre(1, BEARINGS[shown.bearing].ion if ruleset == "2.5" and shown is not None else "F", "B")


@dataclass(frozen=True, slots=True)
class Executed:
    """What a ship executes, the ship after it, and what changed; its ``flight`` says why it flies something else."""

    manoeuvre: Manoeuvre
    flight: Flight
    ship: Ship
    lines: tuple[Text, ...]


def execute(ship: Ship, shown: Manoeuvre | None, ruleset: str) -> Executed:
    """A ship executes what its dial shows, or what follows from its tokens; ``shown`` is None for a forgotten dial."""
    lines, why = list[Text](), ""
    if shown is None and not (ruleset == "2.0" and is_affected(ship, "ion")):
        lines.append(Text("Nothing was planned for {ship}: it gains 1 stress token", ship=ship.name))
        ship, why = gaining_stress(ship), "forgotten"
    if is_affected(ship, "ion"):
        flown, why = ion(shown, ruleset), "ion"
        lines.append(Text("It is ionized, so it executes the ion manoeuvre and may only focus"))
    elif shown is None:
        flown = read(STRESS)
        lines.append(Text("It executes the stress manoeuvre"))
    else:
        flown, by = as_flown(ship, shown)
        if by:
            colour = COLOURS[flown.difficulty].says
            lines.append(Text("It is {colour} because of {cards}", colour=colour, cards=Names(by)))
        if flown.difficulty == "R" and ship.has("stress"):
            flown, why = read(STRESS), "stressed"
            lines.append(Text("It is stressed, so it executes the stress manoeuvre in place of a red one"))
        elif flown.difficulty == "P" and not ship.force_left:
            flown, why = read(STRESS), "no force"
            lines.append(Text("It has no force, so it executes the stress manoeuvre in place of a purple one"))
    after, said = check_difficulty(ship, flown)
    flight = Flight(dial=shown.code if shown is not None else "", manoeuvre=flown.code, why=why)
    return Executed(flown, flight, replace(after, flight=flight), (*lines, *said))


def check_difficulty(ship: Ship, flown: Manoeuvre) -> tuple[Ship, list[Text]]:
    """Blue takes 1 stress, 1 strain and 1 deplete token; red gives 1 stress; purple costs 1 force."""
    if flown.difficulty == "B":
        gone = [kind for kind in ("stress", "strain", "deplete") if ship.has(kind)]
        for kind in gone:
            ship = give(ship, kind, -1)
        tokens = Names([TOKENS[kind].counted(1) for kind in gone])
        return ship, [Text("It loses {tokens}", tokens=tokens)] if gone else []
    if flown.difficulty == "R":
        return gaining_stress(ship), [Text("It gains {tokens}", tokens=Names([TOKENS["stress"].counted(1)]))]
    if flown.difficulty == "P":
        return give(ship, "force", -1), [Text("It spends 1 force")]
    return ship, []


def gaining_stress(ship: Ship) -> Ship:
    return set_to(ship, "stress", ship.has("stress") + 1)
