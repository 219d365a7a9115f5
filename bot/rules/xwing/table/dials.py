"""Maneuvers on dials, and their difficulty's effects on a ship. Source: rules page, A round between the dice: Planning
Phase, Activation Phase, Ion; ``data/dials.json``; ``tables/bearings.json``, the colors below. Changes by cards are in
``flying``.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from bot.rules.data_tables import table
from bot.rules.text import N_, Names, Sentences, Text, joined
from bot.rules.xwing.cards.card_sets import SHIPPED
from bot.rules.xwing.dice.tokens import TOKENS
from bot.rules.xwing.table.ship import Ship, give, set_to


@dataclass(frozen=True, slots=True)
class DialPart:
    """A bearing (``ion``: of the ion maneuver) or a color of maneuvers: its letter in codes, name, and sign."""

    code: str
    says: Text
    sign: str
    ion: str = "F"


BEARINGS: Final = {dial_part.code: dial_part for dial_part in table("xwing/tables/bearings.json", DialPart)}
"""Bearings by letter, left to right on a dial; a lower-case letter is the same bearing as a sideslip, on no dial."""
COLORS: Final[Mapping[str, DialPart]] = {
    "B": DialPart("B", Text("blue"), "🟦"),
    "W": DialPart("W", Text("white"), "⬜"),
    "R": DialPart("R", Text(N_("red", "the color of a maneuver on a dial")), "🟥"),
    "P": DialPart("P", Text("purple"), "🟪"),
}
HARDER: Final = "BWR"
STRESS: Final = "2FW"
"""The stress maneuver, a white 2 straight, which only cards that name it change."""
CODE: Final = re.compile(f"([0-5])([{''.join(BEARINGS)}])([{''.join(COLORS)}])")


@dataclass(frozen=True, slots=True)
class Maneuver:
    """A maneuver by its code: speed 0 to 5, a key of ``BEARINGS``, a key of ``COLORS``."""

    speed: int
    bearing: str
    difficulty: str

    @property
    def code(self) -> str:
        return f"{self.speed}{self.bearing}{self.difficulty}"

    @property
    def plain(self) -> str:
        """Return the bearing on the dial: of a sideslip its bank or turn."""
        return self.bearing.upper()

    @property
    def is_sideslip(self) -> bool:
        return self.bearing.islower()

    @property
    def text(self) -> Text:
        """Return ``3 bank left, blue``."""
        bearing, color = BEARINGS[self.bearing], COLORS[self.difficulty]
        return Sentences([joined(self.speed, bearing.says), color.says], ", ")


def read(code: str) -> Maneuver:
    """Parse a code like ``3BB``. Raises ``ValueError``."""
    match = CODE.fullmatch(code)
    if match is None:
        raise ValueError(f"{code!r} is no maneuver")
    return Maneuver(int(match[1]), match[2], match[3])


@cache
def dials() -> Mapping[str, tuple[Maneuver, ...]]:
    """Return each ship's dial by id: slow maneuvers first, left to right."""
    written, order = json.loads((SHIPPED / "dials.json").read_text(encoding="utf-8"))["dials"], list(BEARINGS)
    result = {ship: map(read, codes.split()) for ship, codes in written.items()}
    by_place = {
        ship: sorted(item, key=lambda maneuver: (maneuver.speed, order.index(maneuver.bearing)))
        for ship, item in result.items()
    }
    return {ship: tuple(every) for ship, every in by_place.items()}


def dial_of(ship: Ship) -> tuple[Maneuver, ...]:
    """Return a ship's maneuvers; () for a remote, or an unknown dial."""
    if ship.is_remote or not ship.pilot:
        return ()
    return dials().get(other_dials().get(ship.pilot, ship.card.ship_id), ())


@cache
def other_dials() -> Mapping[str, str]:
    """Return pilots that use another ship's dial, by id, with that ship's id."""
    result: Mapping[str, str] = json.loads((SHIPPED / "dial_cards.json").read_text(encoding="utf-8"))["dials"]
    return result


def ion(shown: Maneuver | None, ruleset: str) -> Maneuver:
    """Return the ion maneuver: blue, speed 1; in Legacy always straight, else in the dial's direction."""
    return Maneuver(1, BEARINGS[shown.bearing].ion if ruleset == "2.5" and shown is not None else "F", "B")


def check_difficulty(ship: Ship, flown: Maneuver) -> tuple[Ship, list[Text]]:
    """Blue takes 1 stress, 1 strain and 1 deplete token; red gives 1 stress; purple costs 1 force."""
    if flown.difficulty == "B":
        gone = [kind for kind in ("stress", "strain", "deplete") if ship.has(kind)]
        for kind in gone:
            ship = give(ship, kind, -1)
        tokens = Names([TOKENS[kind].count_text(1) for kind in gone])
        return ship, [Text("It loses {tokens}", tokens=tokens)] if gone else []
    if flown.difficulty == "R":
        return gain_stress(ship), [Text("It gains {tokens}", tokens=Names([TOKENS["stress"].count_text(1)]))]
    if flown.difficulty == "P":
        return give(ship, "force", -1), [Text("It spends 1 force")]
    return ship, []


def gain_stress(ship: Ship) -> Ship:
    return set_to(ship, "stress", ship.has("stress") + 1)
