"""The maneuvers on dials, and what their difficulty does to a ship.

Source: rules page, A round between the dice: Planning Phase, Activation Phase, Ion; ``data/dials.json``;
``tables/bearings.json`` and ``tables/colours.json``. What cards change is in ``flying``.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from bot.rules.rows import table
from bot.rules.text import Names, Sentences, Text, beside
from bot.rules.xwing.cards.card_sets import SHIPPED
from bot.rules.xwing.dice.tokens import TOKENS
from bot.rules.xwing.table.ship import Ship, give, set_to


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
    if ship.is_remote or not ship.pilot:
        return ()
    return dials().get(other_dials().get(ship.pilot, ship.card.ship_id), ())


@cache
def other_dials() -> Mapping[str, str]:
    """The pilots that fly by the dial of another ship, by id, with the id of that ship."""
    found: Mapping[str, str] = json.loads((SHIPPED / "dial_cards.json").read_text(encoding="utf-8"))["dials"]
    return found


def ion(shown: Manoeuvre | None, ruleset: str) -> Manoeuvre:
    """The ion manoeuvre: blue, speed 1; in Legacy always straight, else in the direction of the dial."""
    return Manoeuvre(1, BEARINGS[shown.bearing].ion if ruleset == "2.5" and shown is not None else "F", "B")


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
