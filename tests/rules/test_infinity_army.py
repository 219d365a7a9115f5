"""Troopers from army data: the invented army, and files that are no army."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.rules.errors import BadInput, PlayerError
from bot.rules.infinity import army
from bot.rules.infinity.declared import Action, Ammo
from bot.rules.infinity.trooper import write

TEXT: Final = (Path(__file__).parents[2] / "docs" / "example-army.json").read_text(encoding="utf-8")
DATA: Final = army.read(TEXT)


def test_a_unit_with_its_option() -> None:
    ranger = army.trooper(DATA, "rangers carbine", "Ann")
    assert write(ranger) == (
        "BS 12, CC 13, PH 11, WIP 13, ARM 1, BTS 3, W 1, LI, Mimetism (-3), Knife: B1 PS 6 N ARM cc, "
        "Carbine: B3 PS 7 N ARM suppressive +3@16 -3@32 -6@48"
    )
    assert ranger.name == "Ann"
    heavy = army.trooper(DATA, "Rangers heavy")
    assert heavy.skills == ("Mimetism (-3)", "Combat Instinct")
    assert [one.name for one in heavy.weapons] == ["Knife", "Heavy Rifle Burst Mode", "Heavy Rifle AP Mode"]
    assert heavy.weapons[2].ammo == (Ammo.AP,)


def test_structure_and_templates() -> None:
    walker = army.trooper(DATA, "Walker")
    assert (walker.stats["STR"], walker.type, walker.wounds) == (2, "REM", 2)
    flamer = army.trooper(DATA, "walker flamer").weapons[0]
    assert (flamer.action, flamer.continuous) == (Action.DIRECT, True)
    assert "Odd" not in [one.name for one in army.trooper(DATA, "walker flamer").weapons], "nobody can say its save"


def test_units_and_weapons_may_be_in_two_files() -> None:
    whole = json.loads(TEXT)
    units = json.dumps({key: whole[key] for key in ("units", "filters")})
    rest = json.dumps({key: whole[key] for key in ("weapons", "ammunitions")})
    assert army.trooper(army.read(units, rest), "rangers carbine") == army.trooper(DATA, "rangers carbine")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("Rangrs", "a unit of the file, and words of its option: `Rangers`"),
        ("Rangers sniper", "words of one of its options: `RANGER (Carbine)`, `RANGER (Heavy Rifle)`"),
    ],
)
def test_what_is_not_there_is_named_with_what_is(words: str, sentence: str) -> None:
    with pytest.raises(BadInput, match="unit") as refused:
        army.trooper(DATA, words)
    assert sentence in str(refused.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "3", '{"units": 3}', "[" * 100_000, '{"units": [1, 2]}'])
def test_what_is_no_army_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="`file`"):
        army.read(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(("id", "name", "max", "mod")), inner),
    max_leaves=8,
)
KEYS: Final = ("profileGroups", "filters", "weapons", "ammunitions")


@example("ammunitions", [{"id": []}])
@given(st.sampled_from(KEYS), JSON)
def test_a_damaged_file_makes_a_trooper_or_a_refusal(key: str, found: Any) -> None:
    whole = json.loads(TEXT)
    if key == "profileGroups":
        whole["units"][0][key] = found
    else:
        whole[key] = found
    with suppress(PlayerError):
        assert army.trooper(army.read(json.dumps(whole)), "Rangers").name == "Rangers"
