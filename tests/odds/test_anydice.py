"""The laws of dice notation: icepool's golden file, every way the real rules can fall, and what is refused."""

import json
import re
import sys
from contextlib import suppress
from fractions import Fraction
from typing import Any, Final

import pytest
from hypothesis import given, settings, strategies as st

from bot.odds.anydice import count, luck, odds
from bot.odds.dice_laws import UncountableRollError, duel, law, power
from bot.odds.distribution import Distribution
from bot.rules.anydice import choose, declare, start
from bot.rules.anydice.notation import parse
from bot.rules.errors import AmbiguousTextError, NotUnderstoodError, PlayerError
from bot.rules.game import Choice
from tests.every_way import every_way
from tests.examples import share_of
from tests.odds import anydice_by_icepool as icepool_words, dice_as_typed as as_typed
from tests.rows import for_each_row
from tests.starts import chance

CASES: Final[list[dict[str, Any]]] = json.loads(icepool_words.GOLDEN.read_text(encoding="utf-8"))["cases"]


def named(kind: str) -> list[dict[str, Any]]:
    """The cases of a kind, of which there are some."""
    result = [case for case in CASES if kind in case]
    assert result
    return result


def test_the_laws_of_the_golden_file() -> None:
    for case in named("mean"):
        distribution = law(declare({"dice": case["dice"]}).expression.line.notation)
        shares = {value: Fraction(weight, distribution.total) for value, weight in distribution.weights.items()}
        assert {"dice": case["dice"], **icepool_words.described(shares)} == case


def test_the_golden_file_is_what_icepool_counts() -> None:
    assert [{"dice": text, **icepool_words.law(die)} for text, die in icepool_words.laws()] == named("mean")


def test_what_people_type_is_understood() -> None:
    for case in named("understood"):
        typed, understood = case["dice"], case["understood"]
        assert declare({"dice": typed}).expression.canonical_text == understood, typed
        assert declare({"dice": understood}).expression.canonical_text == understood


def test_each_meaning_has_a_law_that_icepool_counts() -> None:
    known = {case["dice"] for case in named("mean")}
    meanings = {line.rpartition("#")[2] for text in as_typed.UNDERSTOOD for line in text.split("; ")}
    assert meanings <= known


def test_hundreds_of_texts_are_tried() -> None:
    rows = as_typed.UNDERSTOOD.values()
    assert sum(map(len, rows)) + len(as_typed.ASKED) + len(as_typed.REFUSED) >= 300


def test_two_readings_are_asked() -> None:
    for case in named("choices"):
        with pytest.raises(AmbiguousTextError) as question:
            declare({"dice": case["dice"]})
        assert list(question.value.choices) == case["choices"]
        for choice in case["choices"]:
            assert parse(choice).full_text == choice
            assert f"`{choice}`" in str(question.value)


def test_what_is_refused_says_why() -> None:
    for case in named("refused"):
        with pytest.raises(PlayerError) as refusal:
            declare({"dice": case["dice"]})
        said, why = str(refusal.value), case["refused"]
        for ending in (
            ". Write dice such as `2d6+3` or `4d6kh3`.",
            " after dice; put words in quotes to make them a label.",
        ):
            why = why.removesuffix(ending)
        near = ("; something similar is `", "; the closest I understand is `")
        assert said == case["refused"] or said.startswith(tuple(why + offer for offer in near)), case["dice"]


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("cyberpunk red handgun 14 vs DV 15", 'cpr +14 vs 15 "handgun"'),
        ("8d6 fireball 5", ""),
        *(("coc 251", ""), ("1d20+3 fumble 1", ""), ("1t6", ""), ("60d6+60d6", ""), ("4d6kh3kl1", "")),
        *(("45%", ""), ("1d20 fumble", ""), ("6d6 lowest of", "")),
    ],
)
def test_only_what_holds_everything_is_offered(text: str, nearest: str) -> None:
    refusal = refused(text)
    assert isinstance(refusal, NotUnderstoodError)
    assert refusal.nearest == nearest
    assert not nearest or str(refusal).endswith(f"; the closest I understand is `{nearest}`.")


def test_what_is_near_is_named_without_a_button() -> None:
    for text, near in (("throw two dice", "2d6"), ("45%", "1d100<=45")):
        assert str(refused(text)).endswith(f"; something similar is `{near}`.")
    assert str(refused("1d20 fumble")).endswith('; something similar is `1d20 "fumble"`.')


def test_a_refusal_is_one_sentence() -> None:
    for text in as_typed.REFUSED:
        refusal = refused(text)
        if refusal is not None and not isinstance(refusal, AmbiguousTextError):
            said = re.sub(r"`[^`]*`", "", str(refusal))
            assert said.count(".") == 1 or said.endswith((". Write dice like ,  or .", ". Write dice such as  or .")), (
                text
            )
            assert said.endswith("."), text
        if isinstance(refusal, NotUnderstoodError):
            assert str(refusal).startswith("In `dice`, "), text


def refused(text: str) -> PlayerError | None:
    """Why a text is not read; None for a number, which a contest takes and a roll does not."""
    try:
        parse(text)
    except PlayerError as error:
        return error
    return None


MAX_STEPS: Final = 100_000
"""Calls of functions that a refusal may take, the search for the nearest text too: some 20 ms."""


def test_hostile_texts_take_a_bounded_number_of_steps() -> None:
    steps = 0

    def count_call(*_: object) -> None:
        nonlocal steps
        steps += 1

    for text in as_typed.REFUSED:
        refused(text)  # tables are read when a first text needs them
    for text in (*as_typed.REFUSED, *as_typed.ASKED):
        steps = 0
        parse.cache_clear()
        sys.setprofile(count_call)
        try:
            with suppress(PlayerError):
                parse(text)
        finally:
            sys.setprofile(None)
        assert steps < MAX_STEPS, text


def test_what_cannot_be_counted_can_be_rolled() -> None:
    for case in named("uncounted"):
        declared = declare({"dice": case["dice"]})
        with pytest.raises(UncountableRollError) as refusal:
            odds(declared)
        assert str(refusal.value) == case["uncounted"]
        state = start(declared, chance(1))
        assert luck(state) is None
        assert len(state.totals) == 1


WALKED: Final = (
    "4d4kh3",
    "3d4dl1",
    "3d4kl2+1d6",
    "3d4>=3",
    "4d3kh2>=3",
    "2dF*2-1d4",
    "2d4mi2ma3",
    "(1d6-1d4)>=2",
    "2d4/1d3",
    "3d3ro1kh2",
    "(1d6>=4)+(1d4>=4)",
    "dd34",
    "max(1d4, 1d6-1)",
    "min(1d4, 2d3)+1",
    "ceil((2d4+1)/3)",
    "round(1d6/1d4)",
    "floor(1d6/4)*2",
    *("ceil(max(1d6/4, 1d4/3))", "floor(2*min(1d6/4, 1d4/3)+1)", "round(3*(1d6/4>=1d4/3)/2)"),
    "3d4 t4 f1",
    "1d100b1",
    "1d100p1",
    "5-2d3kh1",
    *("1d8ra6", "2d4ra1", "2d4ra>2+1", "3d4ra4>=3", "1d4ra<4", "1d10ra10i1", "3d4uo", "2d6uo t5", "2d4i2", "1d6i1+3"),
    *("2d4ro1i1", "{2d4+1d6}kh2", "{2d4+1d6}dl2", "{2d4, 1d6, 1d4}kh2", "{2d4, 1d6, 1d4}dh1", "{1d4, 1d4, 1d4}kl2"),
    *("{2d4+1, 1d6*2}kh2", "{2d3kh1, 1d4, 3}kl2"),
)


@for_each_row("text", WALKED)
def test_the_law_is_every_way_in_which_the_real_dice_can_fall(text: str) -> None:
    declared = declare({"dice": text})
    distribution = law(declared.dice)
    ways = every_way(lambda rng: start(declared, rng).totals[0])
    assert ways == {value: Fraction(weight, distribution.total) for value, weight in distribution.weights.items()}


@pytest.mark.parametrize(
    "text",
    [
        *("1d3!", "1d2rr1", "1d3!>=3", "1d3rr1!", "1d2!>1", "2d2!!", "1d3!p", "2d3!!kh1", "1d4!!mi2", "2d2!p t2"),
        *("max(1d3!, 1d2!)", "1d4!!4>=4", "1dF!!"),
    ],
)
def test_chains_end_after_ten_and_the_law_knows(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With at most three in a chain, so that every way can be walked."""
    monkeypatch.setattr("bot.rules.anydice.tree.MAX_CHAIN", 3)
    law.cache_clear()
    declared = declare({"dice": text})
    distribution = law(declared.dice)
    law.cache_clear()
    ways = every_way(lambda rng: start(declared, rng).totals[0])
    assert ways == {value: Fraction(weight, distribution.total) for value, weight in distribution.weights.items()}


def test_numbers_for_people() -> None:
    numbers = odds(declare({"dice": "2d4"}))
    assert (numbers["mean"], numbers["variance"], numbers["least"], numbers["most"]) == ("5/1", "5/2", 2, 8)
    shares = numbers["distribution"]
    assert isinstance(shares, dict)
    assert shares["5"] == "1/4"
    assert count(declare({"dice": "2d4", "times": 3})).lines[0].distribution == law("2d4")


def test_two_large_sums_are_one() -> None:
    assert law("50d20+50d20") == law("100d20")
    assert law("50d20-50d20").mean(int) == 0


def test_luck_is_that_of_all_times_together() -> None:
    state = start(declare({"dice": "1d6", "times": 2}), lambda _: 4)
    assert state.totals == (5, 5)
    result = luck(state)
    assert result is not None
    assert (result.better, 1 - result.better - result.worse) == (Fraction(3, 36), Fraction(3, 36))
    assert luck(start(declare({"dice": "6d6dl6"}), chance(1))) is None


SMALL = st.dictionaries(st.integers(-8, 8), st.integers(1, 9), min_size=1).map(
    lambda weights: Distribution(weights, sum(weights.values()))
)


@settings(max_examples=share_of(60), deadline=None)
@given(one=SMALL, times=st.integers(1, 4))
def test_a_power_is_so_many_sums(one: Distribution[int], times: int) -> None:
    sums = {0: Fraction(1)}
    for _ in range(times):
        after: dict[int, Fraction] = {}
        for value, share in sums.items():
            for more, weight in one.weights.items():
                after[value + more] = after.get(value + more, Fraction(0)) + share * Fraction(weight, one.total)
        sums = after
    distribution = power(one, times)
    assert {value: Fraction(weight, distribution.total) for value, weight in distribution.weights.items()} == sums


@settings(max_examples=share_of(60), deadline=None)
@given(left=SMALL, right=SMALL)
def test_a_duel_counts_every_pair(left: Distribution[int], right: Distribution[int]) -> None:
    pairs = [
        (item - other, here * there) for item, here in left.weights.items() for other, there in right.weights.items()
    ]
    higher, equal, lower = duel(left, right)
    assert higher == sum(weight for gap, weight in pairs if gap > 0)
    assert equal == sum(weight for gap, weight in pairs if gap == 0)
    assert lower == sum(weight for gap, weight in pairs if gap < 0)


def test_what_the_limit_of_ten_cuts_off_is_said() -> None:
    sixth = Fraction(1, 6)
    (line,) = count(declare({"dice": "2d6!"})).lines
    assert line.cut_off == 1 - (1 - sixth**11) ** 2
    (line,) = count(declare({"dice": "1d6rr1+1d8"})).lines
    assert line.cut_off == sixth**11
    (line,) = count(declare({"dice": "3d6ro1"})).lines
    assert line.cut_off == 0
    assert odds(declare({"dice": "1d6!"}))["cut_off"] == f"1/{6**11}"
    assert "cut_off" not in odds(declare({"dice": "2d6"}))


def test_several_rolls_have_a_law_each() -> None:
    result = odds(declare({"dice": "adv+5; 3#1d8"}))
    assert result["understood"] == "2d20kh1+5; 3#1d8"
    rolls = result["rolls"]
    assert isinstance(rolls, list)
    assert [roll["mean"] for roll in rolls] == ["753/40", "9/2"]


def test_nothing_is_said_of_luck_where_dice_were_rolled_again_or_asked_for() -> None:
    state = start(declare({"dice": "yz3"}), lambda _: 2)
    assert luck(state) is not None
    assert luck(choose(state, Choice("push"), lambda _: 4)) is None
    assert luck(start(declare({"dice": "1d20", "request": "@1", "at_once": True}), lambda _: 4)) is None
    assert luck(start(declare({"dice": "1d20; 1d6"}), lambda _: 4)) is None
