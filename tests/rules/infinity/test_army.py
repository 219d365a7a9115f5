"""Troopers from army data: the invented army, and files that are no army."""

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import pytest
from hypothesis import example, given, strategies as st

from bot.rules import infinity
from bot.rules.errors import BadInputError, PlayerError
from bot.rules.infinity.table import army, army_codes
from bot.rules.infinity.troopers.declared import Action, Ammo, Order
from bot.rules.infinity.troopers.trooper import Trooper, find, parse, write

TEXT: Final = (Path(__file__).parents[3] / "docs" / "example-army.json").read_text(encoding="utf-8")


def trooper(words: str, name: str = "") -> Trooper:
    return army.read_trooper(words, name, TEXT)


def test_a_unit_with_its_option() -> None:
    ranger = trooper("rangers carbine", "Ann")
    assert write(ranger) == (
        "BS 12, CC 13, PH 11, WIP 13, ARM 1, BTS 3, W 1, LI, Mimetism (-3), Knife: B1 PS 6 N ARM cc, "
        "Carbine: B3 PS 7 N ARM suppressive +3@16 -3@32 -6@48"
    )
    assert ranger.name == "Ann"
    heavy = trooper("Rangers heavy")
    assert heavy.skills == (*("Multispectral Visor L1", "Mimetism (-3)", "Combat Instinct", "Martial Arts L2"),)
    assert heavy.visor == 1, "equipment counts as well"
    names = ["Knife", "Heavy Rifle Burst Mode (+1B)", "Heavy Rifle AP Mode (+1B)", "Knife (-3)"]
    assert [weapon.name for weapon in heavy.weapons] == names
    assert heavy.weapons[2].ammo == (Ammo.AP,)


def test_what_an_option_adds_to_a_weapon_counts() -> None:
    """PS=5 is the PS, Shock more ammunition; MODs and dice stand in the name, and the sums count them."""
    burst, ap, knife = trooper("Rangers heavy").weapons[1:]
    assert (burst.burst, ap.burst) == (4, 2)
    held = {"Heavy": trooper("Rangers heavy", "Heavy")}
    declared = infinity.declare({"order": "Heavy Heavy Rifle Burst Mode at 8 vs Bo"}, held)
    assert isinstance(declared, Order)
    assert declared.rolls[0].burst == 5
    assert (knife.name, knife.power, knife.ammo) == ("Knife (-3)", 5, (Ammo.SHOCK,))


def test_states_and_close_combat_as_the_data_names_them() -> None:
    pilot = next(iter(army.enlist({}, listed(code((2, 2, 1)))).values()))
    assert pilot is not None
    glue = pilot.weapons[0]
    assert (glue.state, glue.save, glue.action) == ("Immobilized-A", "PH", Action.SHOOT)
    assert [(band.mod, band.inches) for band in glue.bands] == [(0, 8), (3, 16)]


# Army codes


def number(value: int) -> bytes:
    return bytes([value]) if value < 128 else bytes([128 + value // 256, value % 256])


def text(value: str) -> bytes:
    return number(len(value.encode())) + value.encode()


def listed(typed: str) -> tuple[Trooper, ...]:
    return army.read_list(typed, TEXT).troopers


def code(*members: tuple[int, int, int], army_name: str = "rangers", form: int = 0) -> str:
    """A code as the official builder packs it, in either of its forms; the last member is a group of its own."""
    data = number(1102) + text(army_name) + text(" Friday ") + number(300)
    groups = [members[:-1], members[-1:]] if len(members) > 1 else [members]
    data += number(len(groups))
    for at, group in enumerate(groups, 1):
        data += number(at) + (b"\1\0" if form else b"\0") + number(len(group))
        for place, member in enumerate(group, 1):
            data += number(0 if form else place) + b"".join(map(number, member)) + b"\0"
    return b64encode(data).decode()


@pytest.mark.parametrize("form", [0, 1])
def test_a_code_is_read_in_both_forms(form: int) -> None:
    typed = code((1, 1, 1), (1762, 1, 4264), (2, 2, 1), form=form)
    members = (army_codes.ListMember(1, 1, 1), army_codes.ListMember(1762, 1, 4264), army_codes.ListMember(2, 2, 1))
    army_list = army_codes.ArmyList("rangers", "Friday", 300, members)
    for same_code in (typed, typed.rstrip("="), quote(typed, safe=""), f"{typed[:9]}\n{typed[9:]}"):
        assert army_codes.decode(same_code) == army_list


def test_a_whole_list_comes_into_the_channel() -> None:
    """The code of the documentation: two Rangers with one rifle, one with the other, a walker."""
    typed = code((1, 1, 1), (1, 1, 1), (1, 1, 2), (2, 1, 1))
    assert typed in (Path(__file__).parents[3] / "docs" / "infinity.md").read_text(encoding="utf-8")
    coming = army.enlist({}, listed(typed))
    assert list(coming) == ["RANGER (Carbine) #1", "RANGER (Carbine) #2", "RANGER (Heavy Rifle)", "WALKER (Flamer)"]
    held = {name: item for name, item in coming.items() if item is not None}
    assert all(item.name == name for name, item in held.items())
    assert held["RANGER (Carbine) #2"].weapons == trooper("rangers carbine").weapons
    again = army.enlist(held, listed(code((1, 1, 1), (2, 1, 1))))
    assert list(again) == ["RANGER (Carbine)", "WALKER (Flamer) #1"], "nobody's trooper is replaced"


def test_a_list_that_does_not_fit_is_refused() -> None:
    with pytest.raises(PlayerError, match="The list has 40 troopers, but this channel has room for only 39 more"):
        army.enlist(dict.fromkeys("a", trooper("Walker")), listed(code(*[(1, 1, 1)] * 40)))
    with pytest.raises(BadInputError, match=r"`code` was unit 9, option 1"):
        listed(code((9, 1, 1)))


@pytest.mark.parametrize("typed", ["", "hello", "###", "abcd", code(), "é", "%", "AAAAAAA="])
def test_what_is_no_code_is_refused(typed: str) -> None:
    with pytest.raises(BadInputError):
        army_codes.decode(typed)


@given(st.binary(max_size=60))
def test_no_bytes_break_the_reader(found: bytes) -> None:
    with suppress(PlayerError):
        army_codes.decode(b64encode(found).decode())


def test_a_code_of_an_unknown_form_is_refused() -> None:
    with pytest.raises(BadInputError, match="a code format I don't know"):
        army_codes.decode(b64encode(b"\1\0\0\1\1\1\0\1\1\1\1\1\7").decode())


def test_structure_and_templates() -> None:
    walker = trooper("Walker")
    assert (walker.stats["STR"], walker.type, walker.wounds) == (2, "REM", 2)
    flamer = trooper("walker flamer").weapons[0]
    assert (flamer.action, flamer.continuous) == (Action.DIRECT, True)
    names = [weapon.name for weapon in trooper("walker flamer").weapons]
    assert "Odd" in names, "a mode that cannot be said is kept with what can"


def test_units_and_weapons_may_be_in_two_files() -> None:
    whole = json.loads(TEXT)
    units = json.dumps({key: whole[key] for key in ("units", "filters")})
    rest = json.dumps({key: whole[key] for key in ("weapons", "ammunitions")})
    assert army.read_trooper("rangers carbine", "", units, rest) == trooper("rangers carbine")
    both = code((1, 1, 1), (2, 1, 1))
    assert army.read_list(both, units, rest).troopers == listed(both)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("Rangrs", "Use a unit from the file and words from its option: `Rangers`"),
        ("Rangers sniper", "Use words from one of its options: `RANGER (Carbine)`, `RANGER (Heavy Rifle)`"),
    ],
)
def test_what_is_not_there_is_named_with_what_is(words: str, sentence: str) -> None:
    with pytest.raises(BadInputError, match="unit") as refused:
        trooper(words)
    assert sentence in str(refused.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "3", '{"units": 3}', "[" * 100_000, '{"units": [1, 2]}'])
def test_what_is_no_army_is_refused(text: str) -> None:
    with pytest.raises(BadInputError, match="`file`"):
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
        assert army.read_trooper("Rangers", "", json.dumps(whole)).name == "Rangers"


def test_numbered_names_carry_what_tells_them_apart_and_are_found_by_it() -> None:
    lines = ("BS 12, Hacker, Rifle: B3 PS 7", "BS 12, Rifle: B3 PS 7, HMG: B4 PS 5", "BS 12, Rifle: B3 PS 7")
    coming = army.enlist({}, [parse("FENNEC", line) for line in lines])
    assert list(coming) == ["FENNEC #1 (Hacker)", "FENNEC #2 (HMG)", "FENNEC #3"]
    held = {name: item for name, item in coming.items() if item}
    for words, name in (
        *(
            ("fennec 1", "FENNEC #1 (Hacker)"),
            ("Fennec Hacker", "FENNEC #1 (Hacker)"),
            ("fennec #2", "FENNEC #2 (HMG)"),
        ),
        *(("fennec hmg", "FENNEC #2 (HMG)"), ("FENNEC 3", "FENNEC #3")),
    ):
        assert find(held, words).name == name
        declared = infinity.declare({"order": f"{words} Rifle vs Bo"}, held)
        assert isinstance(declared, Order)
        assert declared.rolls[0].name == name
    with pytest.raises(
        PlayerError, match=r"Several troopers have that name: FENNEC #1 \(Hacker\), FENNEC #2 \(HMG\), and FENNEC #3"
    ):
        infinity.declare({"order": "Fennec Rifle vs Bo"}, held)
    alone = {"FENNEC #2 (HMG)": held["FENNEC #2 (HMG)"]}
    declared = infinity.declare({"order": "Fennec HMG vs Bo"}, alone)
    assert isinstance(declared, Order)
    assert (declared.rolls[0].name, declared.rolls[0].burst) == ("FENNEC #2 (HMG)", 4)


def test_a_list_says_combat_groups_and_what_troopers_cost() -> None:
    whole = json.loads(TEXT)
    for unit, points in zip(whole["units"], (14, 38), strict=False):
        for option in unit["profileGroups"][0]["options"]:
            option["points"] = points
    troopers = army.read_list(code((1, 1, 1), (1, 1, 2), (2, 1, 1)), json.dumps(whole)).troopers
    assert [(item.group, item.points) for item in troopers] == [(1, 14), (1, 14), (2, 38)]
    assert [item.points for item in listed(code((1, 1, 1)))] == [0], "a file may leave it out"


@pytest.mark.parametrize("points", ["14", -1, 0, 401, None, [3]])
def test_a_cost_that_is_none_says_nothing(points: Any) -> None:
    whole = json.loads(TEXT)
    whole["units"][0]["profileGroups"][0]["options"][0]["points"] = points
    assert army.read_trooper("rangers carbine", "", json.dumps(whole)).points == 0


BAD: Final = "\u202e<@&1>"


def strings(inside: Any) -> Iterator[str]:
    """Every text in plain data or dataclasses."""
    if isinstance(inside, str):
        yield inside
    elif isinstance(inside, Mapping):
        yield from (text for pair in inside.items() for item in pair for text in strings(item))
    elif isinstance(inside, tuple | list | frozenset):
        yield from (text for item in inside for text in strings(item))
    elif is_dataclass(inside):
        yield from (text for field in fields(inside) for text in strings(getattr(inside, field.name)))


def worsened(data: Any) -> Any:
    """Army data whose every name of somebody or something reverses the line and mentions a role."""
    if isinstance(data, list):
        return [worsened(item) for item in data]
    if isinstance(data, dict):
        return {key: f"{item} {BAD}" if key == "name" else worsened(item) for key, item in data.items()}
    return data


def test_no_name_that_is_imported_reverses_a_line_or_mentions_anybody() -> None:
    listed = army_codes.decode(code((1, 1, 1), army_name=f"rangers{BAD}"))
    whole = worsened(json.loads(TEXT))
    whole["filters"]["type"] = json.loads(TEXT)["filters"]["type"]  # a type is one of a few words
    result = [*strings(listed), *strings(army.read_trooper(f"rangers {BAD}", "", json.dumps(whole)))]
    assert any("&1>" in item for item in result), "the names are there"
    assert [item for item in result if "\u202e" in item or "<@" in item] == []


@pytest.mark.parametrize(
    ("orders", "skills"),
    [
        ([{"type": "REGULAR", "list": 1, "total": 1}], ()),
        ([{"type": "IRREGULAR", "list": 1, "total": 1}], ("Irregular",)),
        ([{"type": "REGULAR", "list": 1}, {"type": "TACTICAL", "list": 1}], ("Tactical Awareness",)),
        ([{"type": "REGULAR", "list": 2}, {"type": "IRREGULAR", "list": 0}], ()),
        ([{"type": "IMPETUOUS"}, {"type": "IRREGULAR"}], ("Irregular", "Impetuous")),
        ([], ("Peripheral",)),
        (None, ()),
    ],
)
def test_the_orders_of_an_option_say_what_it_gives(orders: object, skills: tuple[str, ...]) -> None:
    whole = json.loads(TEXT)
    option = whole["units"][0]["profileGroups"][0]["options"][0]
    before = army.read_trooper("Rangers", "Ann", TEXT).skills
    option["orders"] = orders
    assert army.read_trooper("Rangers", "Ann", json.dumps(whole)).skills == (*before, *skills)
