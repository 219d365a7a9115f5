"""Obstacles on the mat and their effects on ships that move through or overlap them. Source: rules page, Rolls for what
lies on the mat.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final

from bot.rules.data_tables import table
from bot.rules.errors import AllowedWords, UnknownWordError
from bot.rules.pieces import key
from bot.rules.text import N_, Code, Message, Name, Text, term
from bot.rules.xwing.dice.faces import Face

THROUGH: Final = N_("moves {ship} through the {hazard}")


@dataclass(frozen=True, slots=True)
class Hazard:
    """A kind of object: damage and tokens ``always``, and additions by the red die's ``faces``. ``breaks_locks``: all
    locks of and on the ship. ``how``: the history's words for the event. Only objects that ships move through can be
    locked.
    """

    name: Message
    always: Mapping[str, int] = field(default_factory=dict)
    faces: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    how: Annotated[Message, "says"] = THROUGH
    breaks_locks: bool = False

    def action_text(self, ship: str) -> Text:
        """Describe what a ship did there: ``moves Luke through the asteroid``."""
        return Text(self.how, ship=Name(ship), hazard=term(self.name))

    def results_of(self, face: Face) -> Counter[str]:
        """Return the results of this face: hits, crits, and tokens by kind."""
        return Counter(self.always) + Counter(self.faces.get(face, {}))


HAZARDS: Final[Mapping[str, Hazard]] = {hazard.name: hazard for hazard in table("xwing/tables/hazards.json", Hazard)}
"""All kinds of objects by name, and other causes of a red die outside attacks."""
OBJECTS: Final = tuple(name for name, hazard in HAZARDS.items() if hazard.how == THROUGH)
"""Objects on the mat that can be locked."""


def find_hazard(name: str) -> Hazard:
    """Return the object of this name, ignoring case. Raises ``UnknownWordError`` with the nearest one."""
    hazard = next((item for known, item in HAZARDS.items() if key(known) == key(name)), None)
    if hazard is None:
        every = Text("Use one of {hazards}.", hazards=Code(", ".join(HAZARDS)))
        raise UnknownWordError("what", name, AllowedWords(tuple(HAZARDS), every))
    return hazard
