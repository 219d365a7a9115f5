"""What lies on the mat: what happens to a ship that moves through an obstacle or overlaps it.

Source: rules page, Rolls for what lies on the mat.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.rules.dice import Face as AnyFace
from bot.rules.errors import BadInput, BadWord, Known
from bot.rules.pieces import key
from bot.rules.text import N_, T_, Code, Message, Name, Text, term
from bot.rules.xwing.dice.faces import Face, Pool


@dataclass(frozen=True, slots=True, kw_only=True)
class Consequence:
    """What a ship suffers and gains. ``breaks_locks``: all locks that the ship has, and all locks on it."""

    hits: int = 0
    crits: int = 0
    tokens: tuple[tuple[str, int], ...] = ()
    breaks_locks: bool = False

    def __add__(self, other: "Consequence") -> "Consequence":
        breaks = self.breaks_locks or other.breaks_locks
        hits, crits, tokens = self.hits + other.hits, self.crits + other.crits, self.tokens + other.tokens
        return Consequence(hits=hits, crits=crits, tokens=tokens, breaks_locks=breaks)


@dataclass(frozen=True, slots=True)
class Hazard:
    """A kind of object: what happens always, and what each face of the red die adds.

    ``how``: what a ship does there, in the words of the history; "" for an object that it moves through. Only objects
    can be locked.
    """

    name: Message
    always: Consequence
    by_face: Mapping[Face, Consequence]
    how: Message | None = None

    def done_by(self, ship: str) -> Text:
        """What a ship has done there: ``moves Luke through the asteroid``."""
        how = self.how or N_("moves {ship} through the {hazard}")
        return Text(how, ship=Name(ship), hazard=term(self.name))


NOTHING: Final = Consequence()
HIT: Final = Consequence(hits=1)
CRIT: Final = Consequence(crits=1)


def gain(token: str, count: int = 1, *, breaks_locks: bool = False) -> Consequence:
    return Consequence(tokens=((token, count),), breaks_locks=breaks_locks)


HURTS: Final = {Face.HIT: HIT, Face.CRIT: HIT}
STRESSES: Final = {Face.HIT: gain("stress"), Face.CRIT: gain("stress")}
HAZARDS: Final[Mapping[str, Hazard]] = {
    hazard.name: hazard
    for hazard in (
        Hazard(T_("asteroid"), HIT, HURTS),
        Hazard(T_("debris cloud"), gain("stress"), {Face.HIT: HIT, Face.CRIT: CRIT}),
        Hazard(T_("gas cloud"), gain("strain", breaks_locks=True), {Face.HIT: gain("ion"), Face.CRIT: gain("ion", 3)}),
        Hazard(T_("electro-chaff cloud"), gain("jam", breaks_locks=True), STRESSES),
        Hazard(T_("loose cargo"), gain("strain"), STRESSES),
        Hazard(T_("spare parts"), gain("strain"), STRESSES),
        Hazard(T_("blaze"), NOTHING, {**HURTS, Face.FOCUS: gain("stress")}),
        Hazard(T_("friendly ship"), NOTHING, HURTS, N_("overlaps a friendly ship with {ship}")),
        Hazard(T_("Wounded Pilot"), NOTHING, STRESSES, N_("rolls for the Wounded Pilot of {ship}")),
    )
}
"""Every kind of object by name, and what else rolls a red die outside an attack."""
OBJECTS: Final = tuple(name for name, one in HAZARDS.items() if not one.how)
"""What lies on the mat, and can be locked."""


def find_hazard(name: str) -> Hazard:
    """The kind of object of that name, whatever its case. Raises ``BadWord`` with the nearest one."""
    found = next((one for known, one in HAZARDS.items() if key(known) == key(name)), None)
    if found is None:
        every = Text("It is one of {hazards}.", hazards=Code(", ".join(HAZARDS)))
        raise BadWord("what", name, Known(tuple(HAZARDS), every))
    return found


def consequence(hazard: Hazard, face: AnyFace) -> Consequence:
    """What happens when the red die shows ``face``. Raises ``BadInput`` for a face that a red die does not have."""
    if face not in Pool.RED.results:
        raise BadInput("die", face, Known(tuple(Pool.RED.results)))
    return hazard.always + hazard.by_face.get(Face(face), NOTHING)
