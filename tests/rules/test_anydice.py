"""Any dice: what an expression says, how it is rolled, and dice rolled by hand."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Final

import pytest
from hypothesis import given, settings, strategies as st

from bot.rules import anydice
from bot.rules.anydice.notation import find, parse
from bot.rules.anydice.play import AGAIN, DiceRoll
from bot.rules.anydice.reader import MAX_BRACKETS
from bot.rules.anydice.tree import COMPARISONS, Comparison, DiceCondition, DicePool, Keep, bounds
from bot.rules.dice import MAX_DICE, Rng, list_typists
from bot.rules.errors import (
    AmbiguousTextError,
    BadInputError,
    NotOfferedError,
    NotUnderstoodError,
    PlayerError,
    UnknownWordError,
)
from bot.rules.game import Choice, RequiredSetting
from bot.rules.text import english
from bot.sessions.chance import recorder
from tests.declarations.anydice import TEXT
from tests.examples import share_of
from tests.rows import for_each_row
from tests.starts import chance
from tests.wire import hostile

PARTS: Final = st.sampled_from(
    (
        *(
            "1d6",
            "4d6kh3",
            "3d6!",
            "2d6!!",
            "3d6!p",
            "6d10>=7",
            "6d10 t7 f1",
            "1d100b1",
            "d66",
            "dd34",
            "2",
            "10",
            "4dF",
        ),
        *("d20a", "2d6ro1", "2d6r1", "1d6!>4", "8d6mi2", "coin", "fate", "4cod", "4wod8", "sw8", "1d10t8", "5d6<=2"),
    )
)
MUCH: Final = st.recursive(
    PARTS,
    lambda inner: st.one_of(
        st.builds("{}{}{}".format, inner, st.sampled_from(("+", "-", "*", "/", ">=", "<", " = ", "!=")), inner),
        st.builds("({})".format, inner),
        st.builds("max({}, {})".format, inner, inner),
        st.builds("ceil({}/2)".format, inner),
        st.builds("-{}".format, inner),
        st.builds("{} adv".format, inner),
        st.builds("{} vs 12".format, inner),
        st.builds("3#{}".format, inner),
        st.builds("{}; {}".format, inner, inner),
        st.builds('{} "label"'.format, inner),
    ),
    max_leaves=5,
)
"""Texts that combine what the notation has."""


def dice(*faces: int) -> Rng:
    """Dice that count from 1 and show these faces."""
    left = iter(faces)
    return lambda _: next(left) - 1


def rolled(text: str, *faces: int) -> DiceRoll:
    state = anydice.start(anydice.declare({"dice": text}), dice(*faces))
    assert isinstance(state, DiceRoll)
    return state


def trails(state: DiceRoll) -> list[list[tuple[str, object, str]]]:
    return [[(step.how, step.face, english(step.by)) for step in die.trail] for die in anydice.rolled(state)]


# Reading


def test_a_pool_says_everything_about_its_dice() -> None:
    pool = parse("4d6kh3!>=5ro<2mi2ma5").line.tree
    assert isinstance(pool, DicePool)
    assert (pool.count, pool.sides, pool.kind) == (4, 6, "d6")
    assert (pool.keep, pool.explode, pool.reroll) == (
        Keep(highest=True, count=3),
        DiceCondition(">=", 5),
        DiceCondition("<", 2),
    )
    assert (pool.reroll_once, pool.least, pool.most, pool.success) == (True, 2, 5, None)


def test_a_sign_behind_dice_counts_them_and_behind_a_sum_compares_it() -> None:
    assert parse("6d10>=7").line.tree == DicePool(count=6, sides=10, success=DiceCondition(">=", 7))
    assert isinstance(parse("(6d10)>=7").line.tree, Comparison)
    assert isinstance(parse("1d20+5>=15").line.tree, Comparison)
    assert parse("6d10>=7").line.counts_successes
    assert parse("(6d10>=7)+2").line.counts_successes
    assert not parse("6d10>=7>=3").line.counts_successes
    assert not parse("6d10").line.counts_successes


@pytest.mark.parametrize(
    ("text", "read", "label"),
    [
        ("4D6KH3 Strength", "4d6kh3", "Strength"),
        ("3#1d20+4", "3#1d20+4", ""),
        (" 3 # 1d20 + 4  to hit ", "3#1d20+4", "to hit"),
        ("1d20 # 2nd try", "1d20", "2nd try"),
        ('1d20 "keep the dragon grappled"', "1d20", "keep the dragon grappled"),
        ("1d20 # x marks the spot", "1d20", "x marks the spot"),
        ("4d6 kh3 Str", "4d6kh3", "Str"),
    ],
)
def test_words_behind_the_dice_are_a_label(text: str, read: str, label: str) -> None:
    declared = anydice.declare({"dice": text})
    assert (declared.dice, declared.label) == (read, label)


def test_notes_in_square_brackets_name_a_pool() -> None:
    assert [pool.note for pool in parse("2d6 [fire] + 1d4[cold damage]+3[Strength]").line.pools] == [
        "fire",
        "cold damage",
    ]


def test_options_and_words_in_the_dice_say_the_same() -> None:
    options = anydice.declare({"dice": "1d20", "times": 3, "label": "Jump"})
    assert options == anydice.declare({"dice": "3#1d20 Jump"})
    assert anydice.declare({"dice": "1d20 Jump", "label": "Leap"}).label == "Leap"
    with pytest.raises(BadInputError, match="Leave it out: the dice already say 3 times"):
        anydice.declare({"dice": "3#1d20", "times": 2})
    with pytest.raises(PlayerError, match="120 dice"):
        anydice.declare({"dice": "10d6", "times": 12})
    with pytest.raises(UnknownWordError, match="Did you mean `faces`"):
        anydice.declare({"dice": "1d6", "face": "3"})


@for_each_row("text", [text for text in hostile.TEXTS if text.strip()], ids=lambda text: ascii(text)[:30])
def test_hostile_texts_are_refused_with_a_sentence(text: str) -> None:
    for typed in (text, f"1d6{text}", f"1d6+{text}", f"{text}d6", f"1d6[{text}]", f"1d6kh{text}", f"1d6>={text}"):
        with suppress(PlayerError):
            assert anydice.dice_count(anydice.declare({"dice": typed})) <= MAX_DICE


@settings(max_examples=share_of(300), deadline=None)
@given(st.text(alphabet="0123456789d()+-*/%F#!<>=[]kehlropxmai., \n", max_size=130), st.integers(0, 99))
def test_whatever_is_typed_is_rolled_or_refused(text: str, seed: int) -> None:
    try:
        declared = anydice.declare({"dice": text})
    except PlayerError:
        return
    state = anydice.start(declared, chance(seed))
    least, most = bounds(state.expression.line.tree)
    assert all(least <= total <= most for total in state.totals[: state.expression.line.times])
    assert len(state.totals) == len(state.expression.rows)


@settings(max_examples=share_of(100), deadline=None)
@given(TEXT, st.integers(0, 99))
def test_a_roll_lies_within_its_bounds(text: str, seed: int) -> None:
    test_whatever_is_typed_is_rolled_or_refused.hypothesis.inner_test(text, seed)  # type: ignore[attr-defined]  # of Hypothesis


@settings(max_examples=share_of(300), deadline=None)
@given(TEXT | MUCH)
def test_canonical_notation_read_again_is_the_same(text: str) -> None:
    """Whatever is understood; of what has two readings each of them."""
    try:
        expressions = [parse(text)]
    except AmbiguousTextError as question:
        expressions = [parse(choice) for choice in question.choices]
    except PlayerError:
        return
    for expression in expressions:
        assert parse(expression.full_text) == expression
        assert parse(expression.canonical_text).canonical_text == expression.canonical_text


COULD_CHANGE: Final = (
    *("adv", "advantage", "dis", "disadv", "disadvantage", "ea", "drop", "keep", "highest", "lowest", "explode"),
    *("exploding", "reroll", "vs", "dc", "against", "times", "half", "double", "crit", "round", "up", "with", "bonus"),
    *("penalty", "t7", "f1", "k3", "x6", "r1", "e6", "kh3", ">=5", "+5", "*2", "-1", "!", "2d6"),
)


@settings(max_examples=share_of(400), deadline=None)
@given(
    st.sampled_from(("1d20", "2d20", "4d6", "1d20+5", "6d10>=7", "3d6/2", "d100", "4dF")),
    st.sampled_from(COULD_CHANGE),
    st.sampled_from(("{dice} {word}", "{dice} {word} now", "{dice} fire {word}", "{dice} [{word}]", "{dice} ({word})")),
)
def test_no_word_that_could_change_a_roll_is_rolled_as_if_it_were_not_there(dice: str, word: str, form: str) -> None:
    plain, text = parse(dice), form.format(dice=dice, word=word)
    try:
        expression = parse(text)
    except PlayerError:
        return
    assert expression.canonical_text != plain.canonical_text or (dice, word) in SAME_ANYWAY
    assert word not in expression.line.label.split()


SAME_ANYWAY: Final = {("1d20", "highest"), ("1d20", "lowest"), ("d100", "highest"), ("d100", "lowest")}
"""Of a single die, which is all the same."""


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("2qf", "I don't understand `qf`"),
        ("1d20 + STR", "write the number that `STR` stands for"),
        ("3d6!!>9", "no face of this die would explode"),
        ("4d6kh3 +", r"something is missing after `\+`"),
        ("3d20 adv + 5", "I don't understand `adv`"),
        ("2d6ro1rr2", "`rr2` says a second time which dice are rerolled"),
        ("d100 bonus bonus", "I don't understand `bonus`"),
        (
            "3#1d20 2 times",
            ("In `dice`, `2` says a second time how often the dice are rolled. Write dice such as"),
        ),
        ("x" * 500, "more than 120 characters"),
        ("1d20+5; 6", "at least one die"),
        ("1d6/abs(1d6-1d6)", "could be 0"),
    ],
)
def test_what_is_said_twice_or_stands_wrong_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(PlayerError, match=sentence):
        parse(text)


def test_what_is_seldom_typed_is_understood_too() -> None:
    assert parse("+5-2 adv").canonical_text == "2d20kh1+5-2"
    assert parse("4dFe=-1").canonical_text == "4dFe=-1"
    assert parse("2*(1d6+1)>=7").canonical_text == "2*(1d6+1)>=7"
    assert parse("coin; fate").lines[0].system == "coin"
    assert anydice.outcome(rolled("3 coins", 1, 2, 2))["reading"] == "1 head, 2 tails"


@pytest.mark.parametrize("words", [{"dice": "1d20; 1d6", "times": 2}, {"dice": "60d6", "times": 2}])
def test_how_often_has_its_limits(words: dict[str, object]) -> None:
    with pytest.raises(PlayerError, match=r"With several rolls, write the number of times before each one|120 dice"):
        anydice.declare(words)


@pytest.mark.parametrize("text", ["roll 2d6 with advantage", "1d8+3 crit please", "1d20 t"])
def test_dice_in_a_message_with_words_that_could_change_them_are_not_rolled(text: str) -> None:
    with pytest.raises(PlayerError, match="could change the roll"):
        find(text)


def test_two_readings_in_a_message_are_a_question() -> None:
    with pytest.raises(AmbiguousTextError) as question:
        find("roll 4d6kh3 x6 for me")
    assert question.value.choices == ("6#4d6kh3", "4d6kh3*6")


def test_quotes_and_a_hash_force_a_label() -> None:
    for word in COULD_CHANGE:
        for text in (f'4d6 "{word}"', f"4d6 # {word}", f"4d6 “{word}”"):
            assert (parse(text).canonical_text, parse(text).line.label) == ("4d6", word)


def test_brackets_may_be_twenty_deep() -> None:
    assert rolled("(" * MAX_BRACKETS + "1d6" + ")" * MAX_BRACKETS, 4).totals == (4,)


def test_the_signs() -> None:
    ways: Iterable[tuple[str, tuple[bool, bool, bool]]] = (
        (">=", (False, True, True)),
        (">", (False, False, True)),
        ("<=", (True, True, False)),
        ("<", (True, False, False)),
        ("=", (False, True, False)),
        ("!=", (True, False, True)),
    )
    for sign, holds in ways:
        assert tuple(COMPARISONS[sign](value, 5) for value in (4, 5, 6)) == holds  # type: ignore[index]  # a str is fine


# Rolling


def test_the_lowest_die_is_dropped_and_stays_on_the_table() -> None:
    state = rolled("4d6kh3", 3, 1, 6, 1)
    assert state.totals == (10,)
    assert trails(state)[3] == [("rolled", 1, ""), ("dropped", 1, "")]
    assert [die.counts for die in anydice.rolled(state)] == [True, True, True, False]
    assert anydice.outcome(state) == {
        "dice": "4d6kh3",
        "understood": "4d6kh3",
        "totals": [10],
        "pools": [{"dice": "4d6kh3", "faces": [3, 1, 6, 1], "dropped": [1], "total": 10}],
    }


def test_a_die_is_rerolled_once_or_until_it_fits() -> None:
    once = rolled("2d6ro<3", 1, 5, 2)
    assert trails(once) == [[("rolled", 1, ""), ("rerolled", 2, "`ro<3`")], [("rolled", 5, "")]]
    until = rolled("1d6rr<3", 1, 2, 1, 4)
    assert [face for _, face, _ in trails(until)[0]] == [1, 2, 1, 4]
    assert anydice.start(anydice.declare({"dice": "1d6rr1"}), lambda _: 0).totals == (1,)


def test_an_exploding_die_brings_another_at_most_ten_times() -> None:
    state = rolled("2d6!", 6, 2, 6, 3)
    assert [die.face for die in anydice.rolled(state)] == [6, 6, 3, 2]
    assert [die.trail[0].by for die in anydice.rolled(state)] == ["", "extra die", "extra die", ""]
    assert state.totals == (17,)
    endless = anydice.start(anydice.declare({"dice": "1d6!"}), lambda _: 5)
    assert endless.totals == (66,)


def test_least_and_most_change_what_a_die_counts() -> None:
    state = rolled("3d6mi2ma5", 1, 6, 3)
    assert state.totals == (10,)
    assert [trail[-1] for trail in trails(state)] == [("counted", 2, "`mi`"), ("counted", 5, "`ma`"), ("rolled", 3, "")]


def test_several_times_are_rolled_one_after_the_other() -> None:
    state = rolled("2#1d20+1d4", 20, 1, 7, 4)
    assert state.totals == (21, 11)
    assert [len(row.dice) for row in state.rows] == [2, 2]


def test_only_dice_that_people_own_are_counted_for_fairness() -> None:
    record = recorder(chance(3))
    anydice.start(anydice.declare({"dice": "1d20+1d7+1d6ro<6!"}), record)
    pools = [draw.pool for draw in record.draws]
    assert pools[:3] == ["d20 rolled", "", "d6 rolled"]
    assert set(pools[3:]) <= {"d6 rerolled", "d6 explodes"}


# By hand


def test_dice_rolled_by_hand_are_typed_in_the_order_in_which_they_fall() -> None:
    state = anydice.start(anydice.declare({"dice": "2d6ro1!", "faces": "1, 6 4 2"}), chance(0))
    assert [[step.face for step in die.trail] for die in anydice.rolled(state)] == [[1, 4], [6], [2]]
    assert state.totals == (12,)
    assert all(list_typists([die]) for die in anydice.rolled(state))
    assert anydice.offers(state) == ()
    fudge = anydice.start(anydice.declare({"dice": "2dF", "faces": [-1, 1]}), chance(0))
    assert fudge.totals == (0,)
    assert anydice.start(anydice.declare({"dice": "2dF", "faces": "−1 0"}), chance(0)).totals == (-1,)


@pytest.mark.parametrize(
    ("text", "faces", "sentence"),
    [
        ("3d6", "6 5", "`faces` has 2 faces, but more dice are rolled"),
        ("1d6!", "6", "The next one is an extra d6"),
        ("1d6ro1", "1", "The next one is a rerolled d6"),
        ("2d6", "6 5 1", "`faces` has 3 faces, but only 2 dice are rolled"),
        ("1d20", "20, 1", "`faces` has 2 faces, but only 1 die is rolled"),
        ("2d6", "6 7", "`faces, d6` was `7`. Use a whole number from 1 to 6"),
        ("2dF", "0 2", "from -1 to 1"),
        ("2d6", "6 x", "Use the faces in the order the dice fell"),
        ("2d6", [6, True], "Use the faces in the order the dice fell"),
        ("2d6", {"a": 1}, "faces like"),
        ("2d6", "1 " * 400, "faces like"),
    ],
)
def test_faces_that_do_not_fit_are_refused(text: str, faces: object, sentence: str) -> None:
    with pytest.raises(PlayerError, match=sentence):
        anydice.declare({"dice": text, "faces": faces})


# The game


def test_roll_again_is_offered_to_everybody() -> None:
    state = rolled("1d6", 3)
    assert [offer for offer in anydice.offers(state) if offer.leave is not RequiredSetting.REROLLS] == [AGAIN]
    assert anydice.choose(state, Choice("again"), dice(5)).totals == (5,)
    with pytest.raises(NotOfferedError):
        anydice.choose(state, Choice("reroll"), dice(5))
    with pytest.raises(NotOfferedError):
        anydice.choose(state, Choice("push"), dice(5))


def test_a_push_rerolls_what_shows_neither_six_nor_one_and_only_once() -> None:
    state = rolled("yz6", 6, 1, 3, 4, 2, 6)
    assert state.totals == (2,)
    pushed = anydice.choose(state, Choice("push"), dice(6, 1, 5))
    assert [die.face for die in anydice.rolled(pushed)] == [6, 1, 6, 1, 5, 6]
    assert trails(pushed)[2] == [("rolled", 3, ""), ("rerolled", 6, "push")]
    assert pushed.totals == (3,)
    assert "push" not in [offer.key for offer in anydice.offers(pushed)]
    assert "push" not in [offer.key for offer in anydice.offers(rolled("yz2", 6, 1))], "nothing is left to push"
    assert "push" not in [offer.key for offer in anydice.offers(rolled("6d6>=6", 1, 2, 3, 4, 5, 6))]


def test_a_push_under_stress_adds_a_stress_die_and_is_forbidden_by_a_one_on_such_a_die() -> None:
    pushed = anydice.choose(rolled("alien 3 stress 1", 6, 1, 3, 4), Choice("push"), dice(6, 2, 5, 1))
    assert isinstance(pushed, DiceRoll)
    assert [[die.face for die in pool] for pool in pushed.dice] == [[6, 6, 2], [5, 1]]
    assert trails(pushed)[4] == [("rolled", 1, "push")]
    assert pushed.declared.expression == parse("alien 3 stress 2")
    assert anydice.outcome(pushed)["reading"] == "a success, 1 one on stress dice: panic roll"
    assert "push" not in [offer.key for offer in anydice.offers(pushed)]
    first = anydice.choose(rolled("alien 2", 3, 6), Choice("push"), dice(2, 4))
    assert isinstance(first, DiceRoll)
    assert [[die.face for die in pool] for pool in first.dice] == [[2, 6], [4]], "the first stress die"
    assert "push" not in [offer.key for offer in anydice.offers(rolled("alien 2 stress 2", 2, 3, 1, 6))]
    zero = anydice.choose(rolled("yz 2", 3, 4), Choice("push"), dice(2, 4))
    assert len(anydice.rolled(zero)) == 2, "a game without stress adds none"
    stressed = anydice.choose(rolled("yz 1 stress 1", 3, 4), Choice("push"), dice(2, 5, 6))
    assert [die.face for die in anydice.rolled(stressed)] == [2, 5, 6]


def test_dice_of_a_finished_roll_are_rerolled_and_what_is_kept_is_decided_anew() -> None:
    state = rolled("4d6kh3", 3, 1, 6, 2)
    assert [die.counts for die in anydice.rolled(state)] == [True, False, True, True]
    again = anydice.choose(state, Choice("reroll", ("1", "3")), dice(5, 1))
    assert [die.counts for die in anydice.rolled(again)] == [True, True, True, False]
    assert again.totals == (14,)
    assert trails(again)[1] == [("rolled", 1, ""), ("dropped", 1, ""), ("rerolled", 5, "reroll")]
    third = anydice.choose(again, Choice("reroll", ("0",)), dice(1))
    assert [die.face for die in anydice.rolled(third) if die.counts] == [1, 5, 6], "of equal ones the later is dropped"
    by_hand = anydice.start(anydice.declare({"dice": "2d6", "faces": "1 2"}), chance(0))
    assert anydice.offers(by_hand) == ()


def test_dice_from_which_others_followed_are_not_rerolled() -> None:
    (offer, _) = anydice.offers(rolled("1d6!+1d8", 6, 2, 7))
    assert [(option.value, option.label) for option in offer.options] == [("2", "d8: 7")]
    assert anydice.offers(rolled("1d100b1", 44, 1)) == (AGAIN,)


def test_a_die_is_rerolled_ten_times_at_most() -> None:
    state = rolled("1d6", 3)
    for _ in range(10):
        state = anydice.choose(state, Choice("reroll", ("0",)), dice(4))
    assert anydice.offers(state) == (AGAIN,)


# Dice in what people write


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Roll **2d6+3**, please", "2d6+3"),
        ("`4d6kh3` for Strength", "4d6kh3"),
        ("I cast fireball: 8d6 damage, DC 15", "8d6"),
        ("3#1d20+4 to hit and 1d8+2", "3#1d20+4"),
        ("it does 2*(1d6+1) damage", "2*(1d6+1)"),
        ("page 12 1d20", "1d20"),
        ("(see 1d20+5)", "1d20+5"),
        ("1d6e<7, or rather 2d4", "2d4"),
        ("1d20 + 5 = 17", "1d20+5"),
        ("D20!", "1d20!"),
        ("grid20, abcd6 and nothing", None),
        ("no dice here", None),
        ("", None),
    ],
)
def test_dice_are_found_in_a_message(text: str, found: str | None) -> None:
    assert find(text) == found


@settings(max_examples=share_of(200), deadline=None)
@given(st.text(alphabet="0123456789d()+-*/#!<>= abc`*\n", max_size=300))
def test_what_is_found_can_be_rolled(text: str) -> None:
    try:
        result = find(text)
    except PlayerError:
        return
    if result is not None:
        assert anydice.declare({"dice": result}).dice


def test_a_request_may_ask_each_for_another_roll() -> None:
    """A bonus, advantage, or other dice; the number to reach is everyone's unless a roll has its own."""
    words = {"dice": "1d20 vs 15", "request": "@1 +5, @2 +3 adv and @3 2d6+3; @4", "at_once": True}
    declared = anydice.declare(words)
    assert isinstance(declared, anydice.RollRequest)
    state = anydice.start(declared, lambda _: 0)
    rolls = [row.line.full_text for _, row in state.rows]
    assert rolls == ["1d20+5>=15", "2d20kh1+3>=15", "2d6+3", "1d20>=15"]
    assert [row.total for _, row in state.rows] == [0, 0, 5, 0]
    assert anydice.dice_count(declared) == 6
    for own in ("foo", "2#1d20", "5", "1d20; 1d6"):
        with pytest.raises(PlayerError, match="request"):
            anydice.declare({**words, "request": f"@1 {own}"})


@pytest.mark.parametrize(
    ("dice", "word", "answers"),
    [
        ("20d6 3+ 4+ 5+", "last_step", {"own": "20d6>=3 then>=4 then>=5", "save": "20d6>=3 then>=4 then<5"}),
        ("3d6 vs 12", "versus", {"least": "3d6>=12", "most": "3d6<=12"}),
        ("1d100 vs 45", "versus", {"least": "1d100>=45", "most": "1d100<=45"}),
        ("8d10 e10", "explosion", {"every": "8d10!", "once": "8d10eo"}),
    ],
)
def test_a_channel_may_have_answered_a_question(dice: str, word: str, answers: dict[str, str]) -> None:
    """The setting of the channel answers; without one, or where it says so, people are asked."""
    for answer, understood in answers.items():
        assert anydice.declare({"dice": dice, word: answer}).expression.canonical_text == understood
    for asked in ({}, {word: "ask"}):
        with pytest.raises(AmbiguousTextError):
            anydice.declare({"dice": dice, **asked})


@pytest.mark.parametrize("text", ["{2d6!+d8}kh1", "{2d6kh1+d8}kh1"])
def test_only_plain_dice_are_kept_together(text: str) -> None:
    assert parse("{2d6+d8}kh1").canonical_text == "max(1d6, 1d6, 1d8)"
    with pytest.raises(NotUnderstoodError):
        parse(text)
