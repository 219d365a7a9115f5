"""Army codes and share links as people paste them: public ones, and what copying does to them."""

import json
from base64 import b64decode, b64encode
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, strategies as st

from bot.rules.errors import BadInputError, PlayerError
from bot.rules.infinity.table import army, army_codes, markers
from bot.rules.infinity.troopers.trooper import parse
from tests.rules.infinity.test_army import code as of_members

HELD: Final = json.loads((Path(__file__).parents[2] / "golden" / "army_codes.json").read_text())
CODES: Final = [item["code"] for item in HELD["codes"]]
SHORT, RESERVES, OLD, LINK, LONG, NO_PADDING, SPEC_OPS = CODES
SIZES: Final = (
    (SHORT, "nomads", [2]),
    (RESERVES, "morat", [1, 1]),
    (OLD, "tartary", [7, 8]),
    (LINK, "hassassin-bahram", [10, 5]),
    (LONG, "caledonian-highlander-army", [10, 5]),
    (NO_PADDING, "usariadna", [10, 5]),
    (SPEC_OPS, "next-wave", [4]),
)


@pytest.mark.parametrize(("code", "name", "sizes"), SIZES)
def test_public_codes_are_read_to_their_last_byte(code: str, name: str, sizes: list[int]) -> None:
    army_list = army_codes.decode(code)
    assert (army_list.army, army_list.points, army_list.surplus) == (name, 300, 0)
    assert list(Counter(member.combat for member in army_list.members).values()) == sizes


def test_reinforcements_and_improvements_are_read() -> None:
    assert [member.reserve for member in army_codes.decode(RESERVES).members] == [True, True]
    assert [len(member.texts) for member in army_codes.decode(SPEC_OPS).members] == [1, 1, 1, 2]


@pytest.mark.parametrize("code", CODES)
def test_a_code_is_read_however_it_was_copied(code: str) -> None:
    plain = army_codes.code_of(code)
    army_list = army_codes.decode(code)
    for pasted in (
        plain,
        plain.rstrip("="),
        plain.rstrip("=") + "==",
        plain.replace("+", "-").replace("/", "_"),
        plain.replace("+", "%2B").replace("/", "%2F").replace("=", "%3D"),
        plain.replace("+", "%252B").replace("/", "%252F").replace("=", "%253D"),
        f"`{plain}`.",
        f"<{plain}>",
        f'"{plain}"',
        f"{plain[:20]}\n{plain[20:40]} {plain[40:]}",
        plain.replace("+", " "),
        f"{plain.rstrip('=')}=7",
        f"https://infinitytheuniverse.com/army/list/{plain.replace('/', '%2F')}?x=1#y",
        f"infinitytheuniverse.com/army/infinity/list/{plain}",
        f"https://example.org/cards?armyData={plain.replace('+', '%2B').replace('/', '%2F')}&lang=en",
    ):
        assert army_codes.decode(pasted) == army_list, pasted


@pytest.mark.parametrize("more", ["7", "x", "AA"])
def test_characters_too_many_are_left_out_and_said(more: str) -> None:
    army_list = army_codes.decode(army_codes.code_of(SHORT) + more)
    assert army_list == army_codes.decode(SHORT)
    assert army_list.surplus == len(more)


@pytest.mark.parametrize(
    ("pasted", "says"),
    [
        ("%%%", "Copy the whole army code from the official army builder"),
        ("", "Copy the whole army code from the official army builder"),
        ("gfUGbm9...", "The code was cut off when it was copied"),
        ("gfUGbm9tYWRz…", "The code was cut off when it was copied"),
        (OLD[:-4], "ends in the middle of trooper"),
        ("A" * 3999, "Copy the whole army code from the official army builder"),
        ("A" * 5000, "4,000"),
        (
            "https://infinitytheuniverse.com/army/list/3296098999",
            "That link points to the builder's server and doesn't contain the list",
        ),
        ("GROUP 1\nFUSILIER (2.5 | 124)", "That's the list as text"),
        (f"{SHORT} {RESERVES}", "one army code at a time"),
    ],
)
def test_what_is_no_code_is_refused_with_what_to_copy(pasted: str, says: str) -> None:
    with pytest.raises(BadInputError) as refused:
        army_codes.decode(pasted)
    assert says in str(refused.value)


def with_end(code: str, end: bytes) -> str:
    return b64encode(b64decode(code) + end).decode()


@pytest.mark.parametrize("end", [b"\7", b"\7\x09\1\5", b"\1\2\3\4\5\6\7\x08\x09"])
def test_an_end_of_an_unknown_form_is_said_and_the_list_is_read(end: bytes) -> None:
    """Bytes behind the last group: a newer form has something there."""
    typed = of_members((1, 1, 1), (2, 1, 5), form=1)
    army_list = army_codes.decode(with_end(typed, end))
    assert army_list.members == army_codes.decode(typed).members
    assert army_list.has_more
    data = {"units": [unit(1, [{"id": 1, "name": "Scout"}]), unit(2, [{"id": 5, "name": "Guard"}])]}
    found = army.read_list(with_end(typed, end), json.dumps(data))
    assert list(map(str, found.remarks)) == ["the end of the code has a form that I don't know"]


@pytest.mark.parametrize("code", CODES)
def test_a_code_that_ends_too_early_is_said_to_end_in_the_middle_of_a_trooper(code: str) -> None:
    whole = b64decode(army_codes.code_of(code) + "==")
    members = army_codes.decode(code).members
    assert not members[-1].texts or code == SPEC_OPS
    for lost in range(2, 6) if code != SPEC_OPS else (3, 30):
        with pytest.raises(BadInputError, match=f"in the middle of trooper {len(members)}"):
            army_codes.decode(b64encode(whole[:-lost]).decode())


@given(st.text(max_size=80))
def test_no_text_breaks_the_reader(pasted: str) -> None:
    with suppress(PlayerError):
        army_codes.decode(pasted)


def unit(number: int, given: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    profile = {"name": "X", "bs": 12, "w": 1, "type": 1}
    groups = [{"id": 1, "profiles": [profile], "options": given}]
    return {"id": number, "name": f"Unit {number}", "profileGroups": groups} | more


def test_a_line_that_the_data_lacks_is_named_and_the_rest_comes() -> None:
    pair = [{"id": 1, "name": "Pair", "includes": [{"q": 2, "group": 1, "option": 1}]}]
    data = {"units": [unit(1, [{"id": 1, "name": "Scout"}], options=pair), unit(2, [{"id": 5, "name": "Guard"}])]}
    imported_list = army.read_list(of_members((1, 1, 1), (9, 1, 1), (2, 1, 7), (2, 3, 5), (1, 0, 1)), json.dumps(data))
    assert [trooper.name for trooper in imported_list.troopers] == ["Scout", "Guard", "Scout", "Scout"]
    assert [str(text) for text in imported_list.left_out] == [
        "unit 9, option 1: not in this data (a newer list, or a missing file)",
        "Unit 2, option 7: not in this data, which has Guard",
    ]
    with pytest.raises(BadInputError, match="use that army's file"):
        army.read_list(of_members((9, 1, 1)), json.dumps(data))


def test_a_unit_of_another_army_s_data_is_taken_from_there_and_said() -> None:
    own = {"units": [unit(1, [{"id": 1, "name": "Scout"}])]}
    theirs = {"units": [unit(9, [{"id": 2, "name": "Kunai"}]), unit(1, [{"id": 7, "name": "Wrong"}])]}
    others = {"jsa": json.dumps(theirs), "empty": json.dumps({"units": [unit(4, [])]})}
    members = (1, 1, 1), (9, 1, 2), (9, 1, 3), (1, 1, 7), (8, 1, 1)
    found = army.read_list(of_members(*members), json.dumps(own), others=others)
    assert [trooper.name for trooper in found.troopers] == ["Scout", "Kunai"]
    assert list(map(str, found.remarks)) == ["Kunai from the data of jsa"]
    assert list(map(str, found.left_out)) == [
        "unit 9, option 3: not in this data (a newer list, or a missing file)",
        "Unit 1, option 7: not in this data, which has Scout",
        "unit 8, option 1: not in this data (a newer list, or a missing file)",
    ]


def along(number: int, given: list[dict[str, Any]], *others: dict[str, Any]) -> dict[str, Any]:
    """A unit whose first profile group brings the second and the third one along."""
    made = unit(number, given)
    profile = {"name": "Y", "bs": 11, "w": 1, "type": 1}
    for at, other in enumerate(others, 2):
        made["profileGroups"].append({"id": at, "profiles": [profile], "options": [other]})
    return made


REGULAR: Final = [{"type": "REGULAR", "list": 1, "total": 1}]


def test_peripherals_and_pilots_come_along_with_their_trooper() -> None:
    """They are no lines of the code; a pilot is off the table, a Peripheral gives no order."""
    handler = {
        "id": 1,
        "name": "Handler",
        "orders": REGULAR,
        "includes": [{"q": 3, "group": 2, "option": 1}, {"q": 1, "group": 3, "option": 1}],
    }
    dog, pilot = {"id": 1, "name": "Dog", "orders": []}, {"id": 1, "name": "Pilot", "orders": REGULAR}
    data = {"units": [along(1, [handler], dog, pilot), unit(2, [{"id": 1, "name": "Scout", "orders": REGULAR}])]}
    found = army.read_list(of_members((2, 1, 1), (1, 1, 1)), json.dumps(data))
    assert [trooper.name for trooper in found.troopers] == ["Scout", "Handler", "Dog", "Dog", "Dog", "Pilot"]
    assert [trooper.group for trooper in found.troopers] == [1, 2, 2, 2, 2, 2]
    assert found.brought == {2, 3, 4, 5}
    assert ["Peripheral" in trooper.skills for trooper in found.troopers] == [False, False, True, True, True, False]
    assert [trooper.states for trooper in found.troopers] == [(), (), (), (), (), ("Undeployed",)]


def test_an_option_that_brings_itself_along_brings_it_once() -> None:
    twin = {"id": 1, "name": "Twin", "includes": [{"q": 10_000, "group": 1, "option": 1}, {"q": "x", "group": 9}]}
    found = army.read_list(of_members((1, 1, 1)), json.dumps({"units": [unit(1, [twin])]}))
    assert len(found.troopers) == 41


def test_those_whom_an_unseen_trooper_brings_along_are_unseen_too() -> None:
    scout, dog = parse("Scout", "W 1, Camouflage"), parse("Dog", "W 1, Peripheral")
    grunt, other = parse("Grunt", "W 1"), parse("Bot", "W 1, Peripheral")
    listed = [grunt, other, scout, dog, dog, grunt]
    assert markers.unseen_of(listed, {1, 3, 4}) == [scout, dog, dog]


def test_improvements_of_a_spec_ops_trooper_are_said() -> None:
    first, second = unit(1935, [{"id": 6, "name": "Ops"}]), unit(1921, [{"id": 3, "name": "Other"}])
    filters = {
        "skills": [{"id": 40, "name": "Stealth"}, {"id": 28, "name": "Mimetism"}],
        "extras": [{"id": 6, "name": "-3"}],
    }
    found = army.read_list(SPEC_OPS, json.dumps({"units": [first, second], "filters": filters}))
    ends = "Correct its profile if they're wrong"
    assert [str(remark) for remark in found.remarks] == [
        f"Ops has improvements: MOVE0 15, MOVE1 10, Stealth (-3). {ends}",
        f"Other has improvements: BS 13, Mimetism (-3). {ends}",
    ]
    assert [dict(trooper.stats)["BS"] for trooper in found.troopers] == [12, 13]
