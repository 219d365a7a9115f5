"""What lies on the mat, line by line of the rules page."""

import pytest

from bot.rules.errors import UnknownWordError
from bot.rules.xwing.dice.faces import Face
from bot.rules.xwing.table.obstacles import HAZARDS, OBJECTS, find_hazard
from tests.rows import for_each_row

Comes = tuple[dict[str, int], bool]
"""What a ship suffers and gains, and whether locks break."""
NOTHING: Comes = {}, False


def hurts(hits: int) -> Comes:
    return {"hits": hits}, False


def stress(**hurt: int) -> Comes:
    return {"stress": 1, **hurt}, False


def tokens(*gained: tuple[str, int], breaks_locks: bool = False) -> Comes:
    return dict(gained), breaks_locks


STRAIN = {
    "hit": tokens(("strain", 1), ("stress", 1)),
    "crit": tokens(("strain", 1), ("stress", 1)),
    "focus": tokens(("strain", 1)),
    "blank": tokens(("strain", 1)),
}
PAGE: dict[str, dict[str, Comes]] = {
    "asteroid": {
        "hit": hurts(2),
        "crit": hurts(2),
        "focus": hurts(1),
        "blank": hurts(1),
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
    "blaze": {"hit": hurts(1), "crit": hurts(1), "focus": stress(), "blank": NOTHING},
    "friendly ship": {"hit": hurts(1), "crit": hurts(1), "focus": NOTHING, "blank": NOTHING},
    "Wounded Pilot": {"hit": stress(), "crit": stress(), "focus": NOTHING, "blank": NOTHING},
}
"""The last two are of the rules reference and of the damage card."""


def test_the_table_has_the_lines_of_the_page() -> None:
    assert HAZARDS.keys() == PAGE.keys()
    assert tuple(HAZARDS)[:7] == OBJECTS, "only what lies for objectives can be locked"


def test_the_history_says_what_a_ship_has_done_there() -> None:
    said = {name: find_hazard(name).action_text("Luke") for name in ("asteroid", "friendly ship", "wounded pilot")}
    assert said == {
        "asteroid": "moves Luke through the asteroid",
        "friendly ship": "overlaps a friendly ship with Luke",
        "wounded pilot": "rolls for Luke's Wounded Pilot",
    }


@for_each_row(("name", "face"), [(name, face) for name, faces in PAGE.items() for face in faces])
def test_each_face_of_the_red_die_does_what_the_page_says(name: str, face: str) -> None:
    hazard = find_hazard(name)
    assert (hazard.results_of(Face(face)), hazard.breaks_locks) == PAGE[name][face]


@pytest.mark.parametrize("typed", ["Asteroid", " ASTEROID ", "asteroid"])
def test_capitals_and_spaces_do_not_matter(typed: str) -> None:
    assert find_hazard(typed).name == "asteroid"


def test_a_misspelt_object_is_pointed_at() -> None:
    with pytest.raises(UnknownWordError, match=r"Did you mean `debris cloud`\?"):
        find_hazard("debri cloud")
    with pytest.raises(UnknownWordError) as refused:
        find_hazard("moon")
    assert all(name in str(refused.value) for name in HAZARDS)
