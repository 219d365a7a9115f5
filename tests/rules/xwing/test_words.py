"""The compact words that players type: what they mean, and what is said about those that mean nothing."""

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from bot.games import GAMES
from bot.rules.errors import BadInputError, PlayerError, UnknownWordError
from bot.rules.game import Side
from bot.rules.xwing.dice.declared import DiceEffect, LineUp
from bot.rules.xwing.dice.faces import Face, Pool
from bot.rules.xwing.dice.typed_sides import SideInput, parse, write
from tests.rows import for_each_row
from tests.rules.xwing.lineups import brought

A, D = Side.ATTACKER, Side.DEFENDER
RED, GREEN = Pool.RED, Pool.GREEN
HIT, CRIT, EVADE, FOCUS, BLANK = Face


def line(text: str, side: Side = A) -> LineUp:
    return parse(text, side, "with").line_up


def one(text: str, side: Side = A) -> DiceEffect:
    (effect,) = line(text, side).effects
    return effect


def test_the_example_that_players_are_shown() -> None:
    assert line("focus, lock, force 2, reroll 1 blank, change 1 focus to hit") == LineUp(
        focus=1,
        lock=1,
        force=2,
        effects=(
            DiceEffect(verb="reroll", pool=RED, faces=(BLANK,)),
            DiceEffect(verb="change", pool=RED, faces=(FOCUS,), to=HIT),
        ),
    )


def test_the_example_of_the_defender() -> None:
    assert parse("focus, evade, reinforce, hull 4, shields 2", D, "against") == SideInput(
        line_up=LineUp(focus=1, evade=1, reinforce=1), hull=4, shields=2
    )


@pytest.mark.parametrize(
    "text",
    [
        "focus, force 2",
        "  FOCUS ,Force   2  ",
        "focus; force 2",
        "focus\nforce 2",
        "focus,, force 2,",
        "force, focus, force",
        "2 force, 1 focus",
        "focus: 1 to hit, force: 2 hits",
    ],
)
def test_ways_to_write_the_same_tokens(text: str) -> None:
    assert line(text) == LineUp(focus=1, force=2)


@pytest.mark.parametrize(
    "text",
    [
        "focus, lock, calculate 2",
        "focus, tl, calc 2",
        "focus, target lock, 2 calcs",
        "eye, Target Lock, calculate 2",
        "focus and lock and calculate 2",
        "focus + tl + 2 calc",
        "focus+lock+calculate 2",
        "focus lock calculate 2",
        "1 focus 1 tl 2 calculate tokens",
    ],
)
def test_what_players_call_things_and_how_they_join_them(text: str) -> None:
    assert line(text) == LineUp(focus=1, lock=1, calculate=2)


@pytest.mark.parametrize(
    ("side", "text", "same"),
    [
        (D, "hull 3 shields 2", "hull 3, shields 2"),
        (D, "evade hull 3 shield 2", "evade, hull 3, shields 2"),
        (D, "3 hull 2 shields", "hull 3, shields 2"),
        (A, "reroll 2 blanks or eyes", "reroll 2 blank or focus"),
        (A, "reroll 1 blank and lock", "reroll 1 blank, lock"),
        (A, "reroll 1 blank lock", "reroll 1 blank, lock"),
        (A, "reroll 2 blanks and eyes and tl", "reroll 2 blank or focus, lock"),
        (A, "reroll 1 + focus", "reroll 1, focus"),
        (A, "reroll 1 blank and change 1 eye to hit and lock", "reroll 1 blank, change 1 focus to hit, lock"),
        (A, "focus +1 die", "focus, +1 dice"),
        (A, "focus + 1 die", "focus, +1 dice"),
        (A, "+ 1 dice green", "+1 dice green"),
        (A, "focus + 2 force", "focus, force 2"),
        (A, "focus+2 red dice", "focus, +2 dice"),
        (A, "requires tl and cost 1 charge", "needs lock, cost charge"),
        (A, "needs lock needs focus", "needs lock and focus"),
    ],
)
def test_where_it_is_clear_no_comma_is_needed(side: Side, text: str, same: str) -> None:
    assert parse(text, side, "with") == parse(same, side, "with")


@pytest.mark.parametrize(
    ("text", "needed", "any_"),
    [
        ("needs lock", ("lock",), False),
        ("needs focus, needs lock", ("focus", "lock"), False),
        ("needs lock and calculate", ("lock", "calculate"), False),
        ("needs lock or focus", ("lock", "focus"), True),
    ],
)
def test_what_a_weapon_needs(text: str, needed: tuple[str, ...], any_: bool) -> None:
    assert parse(text, A, "with") == SideInput(needs=needed, needs_any=any_)


@pytest.mark.parametrize("text", ["0 focus", "focus 0", "0 eyes", "focus 0, focus 0"])
def test_none_of_a_token_is_something_to_say(text: str) -> None:
    assert line(text) == LineUp(none=("focus",))


def test_some_of_a_token_is_not_none_of_it() -> None:
    assert line("0 focus, focus") == line("focus, 0 focus") == LineUp(focus=1)


@pytest.mark.parametrize("text", [text for text, _ in GAMES["xwing"].help.examples])
def test_the_examples_are_read(text: str) -> None:
    assert parse(text, D if "hull" in text else A, "with") != SideInput()


@pytest.mark.parametrize("text", ["", " ", ",", ";\n"])
def test_nothing_is_nothing(text: str) -> None:
    assert parse(text, A, "with") == SideInput()


@pytest.mark.parametrize(
    ("side", "text", "held"),
    [
        (A, "focus, calculate 2, force 3, lock, charge 4, deplete", LineUp(focus=1, calculate=2, force=3, lock=1, charge=4, deplete=1)),  # noqa: E501 - one line a side reads best
        (D, "focus, calculate 2, force 3, evade 4, reinforce 2, strain", LineUp(focus=1, calculate=2, force=3, evade=4, reinforce=2, strain=1)),  # noqa: E501 - as above
    ],
)  # fmt: skip  # a table: one row a line
def test_the_tokens_of_each_side(side: Side, text: str, held: LineUp) -> None:
    assert line(text, side) == held


@for_each_row(
    ("text", "effect"),
    [
        ("reroll 1 blank", DiceEffect(verb="reroll", pool=RED, faces=(BLANK,))),
        ("reroll blank", DiceEffect(verb="reroll", pool=RED, faces=(BLANK,))),
        ("2 reroll blanks", DiceEffect(verb="reroll", pool=RED, most=2, faces=(BLANK,))),
        ("reroll 2 blanks", DiceEffect(verb="reroll", pool=RED, most=2, faces=(BLANK,))),
        ("reroll up to 2 blanks", DiceEffect(verb="reroll", pool=RED, most=2, faces=(BLANK,))),
        ("reroll up to 2 of blank or focus", DiceEffect(verb="reroll", pool=RED, most=2, faces=(BLANK, FOCUS))),
        ("reroll 2 blanks and hits", DiceEffect(verb="reroll", pool=RED, most=2, faces=(BLANK, HIT))),
        ("reroll 2 blank focus", DiceEffect(verb="reroll", pool=RED, most=2, faces=(BLANK, FOCUS))),
        ("reroll 2 blank or blank", DiceEffect(verb="reroll", pool=RED, most=2, faces=(BLANK,))),
        ("reroll 2", DiceEffect(verb="reroll", pool=RED, most=2)),
        ("reroll 2 dice", DiceEffect(verb="reroll", pool=RED, most=2)),
        ("reroll 1 green die", DiceEffect(verb="reroll", pool=GREEN)),
        ("reroll 1 green evade", DiceEffect(verb="reroll", pool=GREEN, faces=(EVADE,))),
        ("reroll 1 evade", DiceEffect(verb="reroll", pool=GREEN, faces=(EVADE,))),
        ("reroll 1 green blank", DiceEffect(verb="reroll", pool=GREEN, faces=(BLANK,))),
        ("change 1 focus to hit", DiceEffect(verb="change", pool=RED, faces=(FOCUS,), to=HIT)),
        ("change 2 hits to crits", DiceEffect(verb="change", pool=RED, most=2, faces=(HIT,), to=CRIT)),
        ("change up to 2 blank to focus", DiceEffect(verb="change", pool=RED, most=2, faces=(BLANK,), to=FOCUS)),
        ("change evade to focus", DiceEffect(verb="change", pool=GREEN, faces=(EVADE,), to=FOCUS)),
        ("change 1 green focus to blank", DiceEffect(verb="change", pool=GREEN, faces=(FOCUS,), to=BLANK)),
        ("add hit", DiceEffect(verb="add", pool=RED, to=HIT)),
        ("add 2 focus", DiceEffect(verb="add", pool=RED, most=2, to=FOCUS)),
        ("cancel 1 evade", DiceEffect(verb="cancel", pool=GREEN, faces=(EVADE,))),
        ("spend 1 crit", DiceEffect(verb="spend", pool=RED, faces=(CRIT,))),
        ("set hit", DiceEffect(verb="set", pool=RED, to=HIT)),
        ("set green blank", DiceEffect(verb="set", pool=GREEN, to=BLANK)),
        ("every crit to hit", DiceEffect(verb="become", pool=RED, faces=(CRIT,), to=HIT)),
        ("+1 die", DiceEffect(verb="dice", pool=RED)),
        ("+2 dice", DiceEffect(verb="dice", pool=RED, most=2)),
        ("-1 dice green", DiceEffect(verb="dice", pool=GREEN, most=-1)),
        ("-1 green die", DiceEffect(verb="dice", pool=GREEN, most=-1)),
    ],
)
def test_the_effects_of_an_attacker(text: str, effect: DiceEffect) -> None:
    assert one(text) == effect
    assert one(text.upper().replace(" ", "  ")) == effect


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        ("reroll 1 blank", DiceEffect(verb="reroll", pool=GREEN, faces=(BLANK,))),
        ("reroll 1 hit", DiceEffect(verb="reroll", pool=RED, faces=(HIT,))),
        ("change crit to hit", DiceEffect(verb="change", pool=RED, faces=(CRIT,), to=HIT)),
        ("change 1 blank to evade", DiceEffect(verb="change", pool=GREEN, faces=(BLANK,), to=EVADE)),
        ("add evade", DiceEffect(verb="add", pool=GREEN, to=EVADE)),
        ("cancel 2 hits", DiceEffect(verb="cancel", pool=RED, most=2, faces=(HIT,))),
        ("every crit to hit", DiceEffect(verb="become", pool=RED, faces=(CRIT,), to=HIT)),
        ("+1 dice", DiceEffect(verb="dice", pool=GREEN)),
        ("-1 dice red", DiceEffect(verb="dice", pool=RED, most=-1)),
    ],
)
def test_the_effects_of_a_defender(text: str, effect: DiceEffect) -> None:
    assert one(text, D) == effect


@pytest.mark.parametrize(
    ("text", "lock", "charge"),
    [
        ("cost lock", 1, 0),
        ("cost 1 lock", 1, 0),
        ("cost charge", 0, 1),
        ("cost 2 charges", 0, 2),
        ("cost lock, cost 1 charge", 1, 1),
        ("cost charge, cost charge", 0, 2),
    ],
)
def test_the_costs_of_a_weapon(text: str, lock: int, charge: int) -> None:
    assert parse(text, A, "with") == SideInput(cost_lock=lock, cost_charge=charge)


def test_a_ship_without_shields_may_say_so() -> None:
    assert parse("hull 4, shields 0", D, "against") == SideInput(hull=4)


@for_each_row(
    ("side", "text", "word", "near"),
    [
        (A, "focus, lcok", "lcok", "lock"),
        (A, "fokus", "fokus", "focus"),
        (A, "rerol 1 blank", "rerol", "reroll"),
        (A, "reroll 1 blnk", "blnk", "blank"),
        (A, "reroll 1 blank or", "or", None),
        (A, "reroll 1 blank, chang 1 focus to hit", "chang", "change"),
        (A, "change 1 focus two hit", "two", "to"),
        (A, "change 1 focus to hti", "hti", "hit"),
        (A, "focus two", "two", None),
        (A, "force 2 2", "2", None),
        (A, "cost lok", "lok", "lock"),
        (A, "stress", "stress", None),
        (A, "+1 green blank", "blank", None),
        (A, "focus, tl lcok", "lcok", "lock"),
        (A, "focus and fokus", "fokus", "focus"),
        (A, "+ - 1 dice", "-", None),
        (A, "needs lok", "lok", "lock"),
        (A, "tokens", "tokens", "focus"),
        (D, "2 tokn", "tokn", "focus"),
        (A, "2", "2", None),
        (A, "ü", "ü", None),
        (D, "evad 2", "evad", "evade"),
        (D, "hul 4", "hul", "hull"),
        (D, "shildes 2", "shildes", "shields"),
    ],
)
def test_an_error_points_at_the_word_and_suggests_the_nearest(
    side: Side, text: str, word: str, near: str | None
) -> None:
    with pytest.raises(UnknownWordError) as refused:
        parse(text, side, "with")
    assert (refused.value.field, refused.value.word, refused.value.near) == ("with", word, near)
    assert f"`{word}`" in str(refused.value)
    assert (f"Did you mean `{near}`?" in str(refused.value)) is (near is not None)
    assert str(refused.value).count(",") < 8, "no wall of words"


@pytest.mark.parametrize(
    ("side", "text", "word", "sentence"),
    [
        (A, "evade", "evade", "`evade` belongs to the defender: leave it out here."),
        (A, "focus, hull 4", "hull", "`hull` belongs to the defender: leave it out here."),
        (A, "strain", "strain", "`strain` belongs to the defender: leave it out here."),
        (D, "lock", "lock", "`lock` belongs to the attacker: leave it out here."),
        (D, "cost lock", "cost", "`cost` belongs to the attacker: leave it out here."),
    ],
)
def test_a_word_of_the_other_side_is_named_as_such(side: Side, text: str, word: str, sentence: str) -> None:
    with pytest.raises(UnknownWordError) as refused:
        parse(text, side, "with")
    assert (refused.value.word, refused.value.near) == (word, None)
    assert sentence in str(refused.value)


@for_each_row(
    ("side", "text", "sentence"),
    [
        (A, "focus 7", "`focus` was `7`. Use a whole number from 0 to 6."),
        (A, "focus -1", "`focus` was `-1`. Use a whole number from 0 to 6."),
        (A, "reroll 0 blanks", "`reroll` was `0`. Use a whole number from 1 to 20."),
        (A, "focus 4, focus 3", "`focus` was `7`. Use at most 6."),
        (A, "lock 2", "`lock` was `2`. Use a whole number from 0 to 1."),
        (A, "lock, lock", "`lock` was `2`. Use at most 1."),
        (A, "focus 99999999999", "`focus` was `99999999999`"),
        (A, "focus ١", "`focus` was `١`"),
        (A, "reroll 21 blanks", "`reroll` was `21`. Use a whole number from 1 to 20."),
        (A, "add 5 hits", "`add` was `5`. Use a whole number from 1 to 4."),
        (A, "+21 dice", "`dice` was `21`. Use a whole number from 1 to 20."),
        (A, "+0 dice", "`dice` was `0`"),
        (A, "cost 7 charges", "`cost` was `7`. Use a whole number from 1 to 6."),
        (A, "cost 2 lock", "`cost lock` was `2`. Use at most 1."),
        (A, "cost 4 charges, cost 3 charges", "`cost charge` was `7`. Use at most 6."),
        (D, "hull", "`hull` was empty. Use a whole number from 1 to 30."),
        (D, "hull four", "`hull` was `four`. Use a whole number from 1 to 30."),
        (D, "hull 0", "`hull` was `0`. Use a whole number from 1 to 30."),
        (D, "shields 31, hull 2", "`shields` was `31`. Use a whole number from 0 to 30."),
        (D, "shields 2", "`shields` was `2`. Use it together with a hull value. Example: `hull 4, shields 2`."),
        (D, "hull 4, hull 5", "`hull` was `5`. Use one number. You already wrote `hull 4`."),
    ],
)
def test_numbers_out_of_their_limits(side: Side, text: str, sentence: str) -> None:
    with pytest.raises(BadInputError) as refused:
        parse(text, side, "with")
    assert str(refused.value).startswith(sentence)


@pytest.mark.parametrize(
    ("side", "text", "sentence"),
    [
        (A, "change 1 focus", "`with` was `change 1 focus`. Add one more word at the end: `change 1 focus to`."),
        (A, "change 1 focus to", "Add one more word at the end: hit, crit, evade, focus, or blank."),
        (A, "add", "`with` was `add`. Add one more word at the end: hit, crit, evade, focus, or blank."),
        (A, "-1", "`with` was `-1`. Add one more word at the end: `-1 dice` or `-1 die`."),
        (A, "cost", "`with` was `cost`. Add one more word at the end: `cost lock` or `cost charge`."),
    ],
)
def test_a_phrase_that_stops_too_early(side: Side, text: str, sentence: str) -> None:
    with pytest.raises(BadInputError) as refused:
        parse(text, side, "with")
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("side", "text", "sentence"),
    [
        (A, "reroll 1 red evade", "I don't understand `evade` in `with`. A red die shows hit, crit, focus, or blank."),
        (D, "add green hit", "I don't understand `hit` in `with`. A green die shows evade, focus, or blank."),
        (A, "change evade to hit", "I don't understand `evade` in `with`. A red die shows"),
        (A, "change hit to evade", "I don't understand `evade` in `with`. A red die shows"),
        (A, "spend 1 evade", "`with` was `spend 1 evade`. Use `spend` only for red dice: you spend your own and "),
        (D, "spend hit", "`with` was `spend hit`. Use `spend` only for green dice"),
        (A, "every evade to focus", "`with` was `every evade to focus`. Use `every` only for red dice"),
        (D, "every blank to focus", "`with` was `every blank to focus`. Use `every` only for red dice"),
        (A, "every 2 crits to hits", "`with` was `every 2 crits to hits`. Use `every` only for red dice and with"),
    ],
)
def test_effects_that_no_die_can_have(side: Side, text: str, sentence: str) -> None:
    with pytest.raises(PlayerError) as refused:
        parse(text, side, "with")
    assert str(refused.value).startswith(sentence)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (", ".join(["add hit"] * 9), "`with` was 9 effects. Use at most 8 effects."),
        (
            "reroll 1 blank, reroll 1 focus, reroll 1 hit",
            "`with` was 3 different rerolls. Use at most 2 different rerolls.",
        ),
        (
            "add hit, add crit, add focus, add blank, cancel evade, spend hit",
            "`with` was 6 different effects. Use at most 5 besides rerolls.",
        ),
    ],
)
def test_the_limits_that_keep_every_choice_on_one_message(text: str, sentence: str) -> None:
    with pytest.raises(BadInputError) as refused:
        parse(text, A, "with")
    assert str(refused.value) == sentence


def test_effects_alike_but_for_their_number_are_one_button() -> None:
    assert len(line("add hit, add 2 hits, add 3 hits, add 4 hits, add crit, cancel evade, spend hit").effects) == 7


@given(side=st.sampled_from(Side), data=st.data())
def test_what_is_written_is_read_back_as_the_same(side: Side, data: st.DataObject) -> None:
    whole = data.draw(brought(side))
    assert parse(write(whole, side), side, "with") == whole


@given(side=st.sampled_from(Side), data=st.data())
def test_writing_is_the_same_after_reading(side: Side, data: st.DataObject) -> None:
    text = write(data.draw(brought(side)), side)
    assert write(parse(text.upper().replace(", ", ";  "), side, "with"), side) == text


def test_what_is_written_is_what_a_player_would_type() -> None:
    whole = parse("force 2,focus; reroll up to 2 blanks or focus, CHANGE focus TO hit, +1 dice, cost lock", A, "with")
    effects = "reroll 2 red blank or focus, change 1 red focus to hit, +1 dice red"
    assert write(whole, A) == f"focus, force 2, {effects}, cost lock"
    assert write(replace(SideInput(), hull=4, shields=1), D) == "hull 4, shields 1"
    assert write(SideInput(), D) == ""


KNOWN = """focus force lock evade reroll change add cancel spend set every cost hull shields +1 -2 0 3 99 up to of or
    red green dice die hit crits blank charge , ; x and + tl target calc eye needs tokens - +"""


@given(
    side=st.sampled_from(Side),
    text=st.lists(st.sampled_from(KNOWN.split()), max_size=12).map(" ".join) | st.text(max_size=40),
)
def test_whatever_is_typed_is_read_or_refused_with_a_sentence(side: Side, text: str) -> None:
    try:
        whole = parse(text, side, "with")
    except PlayerError as refused:
        sentence = str(refused)
    else:
        sentence = "."
        assert parse(write(whole, side), side, "with") == whole
    assert sentence.endswith(".")
