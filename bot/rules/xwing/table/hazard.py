"""What lies on the mat: what happens to a ship that moves through an obstacle or overlaps it.

Source: rules page, Rolls for what lies on the mat.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.rules.errors import BadWord, Known
from bot.rules.pieces import key
from bot.rules.text import N_, T_, Code, Message, Name, Text, term
from bot.rules.xwing.dice.faces import Face

THROUGH: Final = N_("moves {ship} through the {hazard}")


@dataclass(frozen=True, slots=True)
class Hazard:
    """A kind of object: what a ship suffers and gains there always, and what each face of the red die adds.

    ``breaks_locks``: all locks that the ship has, and all locks on it. ``how``: what a ship does there, in the words of
    the history. Only objects that it moves through can be locked.
    """

    name: Message
    always: Mapping[str, int]
    by_face: Mapping[Face, Mapping[str, int]]
    how: Message = THROUGH
    breaks_locks: bool = False

    def done_by(self, ship: str) -> Text:
        """What a ship has done there: ``moves Luke through the asteroid``."""
        return Text(self.how, ship=Name(ship), hazard=term(self.name))

    def comes(self, face: Face) -> Counter[str]:
        """What happens when the red die shows this face: hits, crits, and tokens by their kinds."""
        return Counter(self.always) + Counter(self.by_face.get(face, {}))


HIT: Final = {"hits": 1}
STRESS: Final = {"stress": 1}
HURTS: Final = {Face.HIT: HIT, Face.CRIT: HIT}
STRESSES: Final = {Face.HIT: STRESS, Face.CRIT: STRESS}
HAZARDS: Final[Mapping[str, Hazard]] = {
    hazard.name: hazard
    for hazard in (
        Hazard(T_("asteroid"), HIT, HURTS),
        Hazard(T_("debris cloud"), STRESS, {Face.HIT: HIT, Face.CRIT: {"crits": 1}}),
        Hazard(T_("gas cloud"), {"strain": 1}, {Face.HIT: {"ion": 1}, Face.CRIT: {"ion": 3}}, breaks_locks=True),
        Hazard(T_("electro-chaff cloud"), {"jam": 1}, STRESSES, breaks_locks=True),
        Hazard(T_("loose cargo"), {"strain": 1}, STRESSES),
        Hazard(T_("spare parts"), {"strain": 1}, STRESSES),
        Hazard(T_("blaze"), {}, {**HURTS, Face.FOCUS: STRESS}),
        Hazard(T_("friendly ship"), {}, HURTS, N_("overlaps a friendly ship with {ship}")),
        Hazard(T_("Wounded Pilot"), {}, STRESSES, N_("rolls for the Wounded Pilot of {ship}")),
    )
}
"""Every kind of object by name, and what else rolls a red die outside an attack."""
OBJECTS: Final = tuple(name for name, one in HAZARDS.items() if one.how is THROUGH)
"""What lies on the mat, and can be locked."""


def find_hazard(name: str) -> Hazard:
    """The kind of object of that name, whatever its case. Raises ``BadWord`` with the nearest one."""
    found = next((one for known, one in HAZARDS.items() if key(known) == key(name)), None)
    if found is None:
        every = Text("It is one of {hazards}.", hazards=Code(", ".join(HAZARDS)))
        raise BadWord("what", name, Known(tuple(HAZARDS), every))
    return found
