"""What lies on the mat, line by line of the rules page."""

import pytest

from bot.rules.errors import BadInput, BadWord
from bot.rules.xwing.dice.faces import Face
from bot.rules.xwing.table.hazard import HAZARDS, OBJECTS, Consequence, consequence, find_hazard

NOTHING = Consequence()


def stress(hits: int = 0, crits: int = 0) -> Consequence:
    return Consequence(hits=hits, crits=crits, tokens=(("stress", 1),))


def tokens(*gained: tuple[str, int], breaks_locks: bool = False) -> Consequence:
    return Consequence(tokens=gained, breaks_locks=breaks_locks)


STRAIN = {
    "hit": tokens(("strain", 1), ("stress", 1)),
    "crit": tokens(("strain", 1), ("stress", 1)),
    "focus": tokens(("strain", 1)),
    "blank": tokens(("strain", 1)),
}
PAGE: dict[str, dict[str, Consequence]] = {
    "asteroid": {
        "hit": Consequence(hits=2),
        "crit": Consequence(hits=2),
        "focus": Consequence(hits=1),
        "blank": Consequence(hits=1),
    },
    "debris cloud": {"hit": stress(hits=1), "crit": stress(crits=1), "focus": stress(), "blank": stress()},
    "gas cloud": {
        "hit": tokens(("strain", 1), ("ion", 1), breaks_locks=True),
        "crit": tokens(("strain", 1), ("ion", 3), breaks_locks=True),
        "focus": tokens(("strain", 1), breaks_locks=True),
        "blank": tokens(("strain", 1), breaks_locks=True),
    },
    "electro-chaff cloud": {
        "hit": tokens(("jam", 1), ("stress", 1), breaks_locks=True),
        "crit": tokens(("jam", 1), ("stress", 1), breaks_locks=True),
        "focus": tokens(("jam", 1), breaks_locks=True),
        "blank": tokens(("jam", 1), breaks_locks=True),
    },
    "loose cargo": STRAIN,
    "spare parts": STRAIN,
    "blaze": {"hit": Consequence(hits=1), "crit": Consequence(hits=1), "focus": stress(), "blank": NOTHING},
    "friendly ship": {"hit": Consequence(hits=1), "crit": Consequence(hits=1), "focus": NOTHING, "blank": NOTHING},
    "Wounded Pilot": {"hit": stress(), "crit": stress(), "focus": NOTHING, "blank": NOTHING},
}
"""The last two are of the rules reference and of the damage card."""


def test_the_table_has_the_lines_of_the_page() -> None:
    assert HAZARDS.keys() == PAGE.keys()
    assert tuple(HAZARDS)[:7] == OBJECTS, "only what lies on the mat can be locked"


def test_the_history_says_what_a_ship_has_done_there() -> None:
    said = {name: find_hazard(name).done_by("Luke") for name in ("asteroid", "friendly ship", "wounded pilot")}
    assert said == {
        "asteroid": "moves Luke through the asteroid",
        "friendly ship": "overlaps a friendly ship with Luke",
        "wounded pilot": "rolls for the Wounded Pilot of Luke",
    }


@pytest.mark.parametrize(("name", "face"), [(name, face) for name, faces in PAGE.items() for face in faces])
def test_each_face_of_the_red_die_does_what_the_page_says(name: str, face: str) -> None:
    assert consequence(find_hazard(name), face) == PAGE[name][face]


@pytest.mark.parametrize("typed", ["Asteroid", " ASTEROID ", "asteroid"])
def test_capitals_and_spaces_do_not_matter(typed: str) -> None:
    assert find_hazard(typed).name == "asteroid"


def test_a_misspelt_object_is_pointed_at() -> None:
    with pytest.raises(BadWord, match=r"Did you mean `debris cloud`\?") as refused:
        find_hazard("debri cloud")
    assert all(name in str(refused.value) for name in HAZARDS)


@pytest.mark.parametrize("face", [Face.EVADE, "miss", 3])
def test_a_face_that_no_red_die_has_is_refused(face: str | int) -> None:
    with pytest.raises(BadInput, match="Use `hit`, `crit`, `focus` or `blank`"):
        consequence(HAZARDS["blaze"], face)
