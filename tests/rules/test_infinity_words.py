"""The words of a typed order: what they mean, that writing is the inverse of reading, and what errors point at."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.errors import BadInput, BadWord
from bot.rules.infinity.declared import Action, Roll
from bot.rules.infinity.order import Line, Typed
from bot.rules.infinity.roll_words import is_reserved, modifiers, numbers
from bot.rules.infinity.words import parse, write

LETTERS = st.sampled_from(string.ascii_letters + "éÄßЖ漢")
WORDS = st.tuples(LETTERS, st.text(string.ascii_letters + string.digits + "'-.", max_size=6)).map("".join)


def name_of(words: list[str]) -> str:
    return " ".join(word for at, word in enumerate(words) if not is_reserved(word.lower(), at > 0)) or "Angus"


NAMES = st.lists(WORDS, min_size=1, max_size=3).map(name_of)
ROLLS = st.builds(
    Roll,
    name=NAMES,
    attribute=st.integers(0, 40),
    mods=st.lists(st.integers(-12, 12), max_size=8).map(tuple),
    burst=st.integers(1, 6),
    special=st.integers(0, 2),
    action=st.sampled_from(Action),
    dice=st.none() | st.lists(st.integers(1, 20), min_size=1, max_size=8).map(tuple),
)
LINES = st.builds(
    Line,
    roll=ROLLS,
    targets=st.lists(NAMES | ROLLS, max_size=3).map(tuple),
    normal=st.booleans(),
)
ORDERS = st.builds(
    Typed, lines=st.lists(LINES, min_size=1, max_size=4).map(tuple), edition=st.sampled_from([None, "n4", "n5"])
)


def one(text: str) -> Line:
    (line,) = parse(text).lines
    return line


@given(ORDERS)
def test_parse_is_the_inverse_of_write(typed: Typed) -> None:
    assert parse(write(typed)) == typed


@given(ORDERS, st.sampled_from([str.lower, str.upper]), st.sampled_from([";", " ;\n ", "\n\n"]))
def test_case_and_the_kind_of_line_end_make_no_difference(typed: Typed, case: type, end: str) -> None:
    text = write(typed)
    changed = parse(str(case(text)).replace("\n", end))
    assert [line.roll.sv for line in changed.lines] == [line.roll.sv for line in typed.lines]
    assert changed.edition == typed.edition


def test_the_lines_of_the_command_page() -> None:
    text = "Angus 12 b2 vs Ortega 11\nAngus 12 b1 vs Diaz 11\nMurat 13 normal vs Angus\nAna 10 dodge vs Angus, Murat"
    angus, rest, murat, ana = parse(text).lines
    assert angus == Line(roll=Roll(name="Angus", attribute=12, burst=2), targets=(Roll(name="Ortega", attribute=11),))
    assert rest == Line(roll=Roll(name="Angus", attribute=12), targets=(Roll(name="Diaz", attribute=11),))
    assert murat == Line(roll=Roll(name="Murat", attribute=13), targets=("Angus",), normal=True)
    assert ana == Line(roll=Roll(name="Ana", attribute=10, action=Action.DODGE), targets=("Angus", "Murat"))


@pytest.mark.parametrize(
    ("text", "roll"),
    [
        ("Angus 12", Roll(name="Angus", attribute=12)),
        ("Angus SV 12", Roll(name="Angus", attribute=12)),
        ("Angus 12-3", Roll(name="Angus", attribute=12, mods=(-3,))),
        ("Angus 12 −3 +6", Roll(name="Angus", attribute=12, mods=(-3, 6))),
        ("Angus 12+3 -6 -3+3", Roll(name="Angus", attribute=12, mods=(3, -6, -3, 3))),
        ("Angus 12 burst 3", Roll(name="Angus", attribute=12, burst=3)),
        ("Angus 12 sd", Roll(name="Angus", attribute=12, special=1)),
        ("Angus 12 +1 SD", Roll(name="Angus", attribute=12, special=1)),
        ("Angus 12 +2sd b3", Roll(name="Angus", attribute=12, special=2, burst=3)),
        ("Angus 12 reset", Roll(name="Angus", attribute=12, action=Action.RESET)),
        ("Angus 12 template", Roll(name="Angus", attribute=12, action=Action.TEMPLATE)),
        ("Angus 12 rolls 9, 4", Roll(name="Angus", attribute=12, burst=2, dice=(9, 4))),
        ("Angus 12 rolled 9 4 sd", Roll(name="Angus", attribute=12, burst=1, special=1, dice=(9, 4))),
        ("Angus 12 dice 9 b1", Roll(name="Angus", attribute=12, dice=(9,))),
        ("Fusilier Angus 12", Roll(name="Fusilier Angus", attribute=12)),
        ("B2 12", Roll(name="B2", attribute=12)),
        ("3rd_squad 12", Roll(name="3rd_squad", attribute=12)),
    ],
)
def test_a_roll_in_words(text: str, roll: Roll) -> None:
    assert one(text) == Line(roll=roll)


def test_faces_end_where_the_next_target_begins() -> None:
    line = one("Angus 12 template rolls 9 vs Ortega 11 rolls 5, Diaz 10 dodge rolls 3")
    assert [target.name for target in line.targets if isinstance(target, Roll)] == ["Ortega", "Diaz"]
    assert one("Angus 12 template vs Ortega 11 b2 rolls 5, 6, Diaz").targets[1] == "Diaz"


@pytest.mark.parametrize("versus", ["vs", "vs.", "VS", "versus", "against"])
def test_ways_to_write_versus(versus: str) -> None:
    assert one(f"Angus 12 {versus} Ortega").targets == ("Ortega",)


@pytest.mark.parametrize(
    ("text", "edition"),
    [
        ("Angus 12", None),
        ("n4; Angus 12", "n4"),
        ("N4 Angus 12", "n4"),
        ("Angus 12 n5 vs Ortega 11", "n5"),
        ("Angus 12 vs Ortega 11 n3", "n4"),
        ("codeone\nAngus 12\nOrtega 11 n4", "n4"),
    ],
)
def test_the_edition_may_stand_anywhere(text: str, edition: str | None) -> None:
    assert parse(text).edition == edition


@pytest.mark.parametrize(
    ("text", "word", "near"),
    [
        ("Angus 12 b2 vs Ortega 11 dogde", "dogde", "dodge"),
        ("Angus 12 v Ortega 11", "v", "vs"),
        ("Angus 12 nromal vs Ortega", "nromal", "normal"),
        ("Angus 12 vs Ortega 11 Angus 12", "Angus", None),
        ("Angus b2 vs Ortega 11", "b2", None),
        ("Angus vs Ortega 11", "Angus", None),
        ("12 b2 vs Ortega 11", "12", None),
        ("Angus 12 vs", "the end", None),
        ("Angus 12 vs Ortega 11,", "the end", None),
        ("Angus 12 vs Ortega 11 vs Diaz 11", "vs", None),
        ("Angus 12, Diaz 11", ",", None),
        ("Angus 12 vs Ortega 11 normal", "normal", None),
        ("Angus 12 normal normal", "normal", None),
        ("Angus 12 dodge reset", "reset", None),
        ("Angus 12 b2 b3", "b3", None),
        ("Angus 12 sd +1sd", "+1sd", "sd"),
        ("Angus 12 rolls 3 rolls 4", "rolls", None),
        ("Angus 12 rolls many", "many", None),
        ("Angus 12 burst two", "two", None),
        ("Angus 12 burst", "the end", None),
        ("n4 n5 Angus 12", "n5", None),
        ("Angus sv b2", "b2", None),
    ],
)
def test_an_error_points_at_the_word(text: str, word: str, near: str | None) -> None:
    with pytest.raises(BadWord) as refused:
        parse(text)
    assert (refused.value.word, refused.value.near) == (word, near)
    assert refused.value.field == "order"


def test_an_error_says_which_line() -> None:
    with pytest.raises(BadWord, match=r"In `line 2` I do not understand `dogde`\. Did you mean `dodge`\?"):
        parse("Angus 12; Ana 10 dogde vs Angus")


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("", "order"),
        (" ; \n", "order"),
        ("n4", "order"),
        (";".join(["Angus 12"] * 13), "order"),
        ("n4; Angus 12; n5", "edition"),
        ("Angus 41", "Success Value"),
        ("Angus 12 -13", "MOD"),
        ("Angus 12-1-1-1-1-1-1-1-1-1", "number of MODs"),
        ("Angus 12 b7", "Burst"),
        ("Angus 12 b0", "Burst"),
        ("Angus 12 burst 7", "Burst"),
        ("Angus 12 +3 sd", "special dice"),
        ("Angus 12 rolls 21", "face"),
        ("Angus 12 rolls 0", "face"),
        ("A" * 33 + " 12", "name"),
        ("Angus 12 template vs " + ", ".join("ABCDEFG"), "number of targets"),
    ],
)
def test_out_of_range(text: str, field: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse(text)
    assert refused.value.field == field


def test_mods_in_a_field() -> None:
    assert modifiers("mods", "-3, +6") == (-3, 6)
    assert modifiers("mods", "") == modifiers("mods", "none") == modifiers("mods", "0") == ()
    with pytest.raises(BadWord, match="Write MODs with their sign"):
        modifiers("mods", "3")
    with pytest.raises(BadWord, match="I do not understand `b2`"):
        modifiers("mods", "-3 b2")


def test_numbers_in_a_field() -> None:
    assert numbers("dice", " 9, 4/3 ", 1, 20) == (9, 4, 3)
    for text in ("", "nine", "9 21", "-4", "9,,x"):
        with pytest.raises(BadInput, match="whole numbers from 1 to 20"):
            numbers("dice", text, 1, 20)
