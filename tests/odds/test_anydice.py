"""The laws of dice notation: icepool's golden file, every way the real rules can fall, and what is refused."""

import json
from fractions import Fraction
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.odds.anydice import Uncountable, count, duel, law, luck, odds, power
from bot.odds.distribution import Distribution
from bot.rules.anydice import declare, start
from bot.rules.errors import PlayerError
from tests.every_way import every_way
from tests.odds import anydice_by_icepool as icepool_words
from tests.starts import chance

CASES: Final[list[dict[str, Any]]] = json.loads(icepool_words.GOLDEN.read_text(encoding="utf-8"))["cases"]


def named(kind: str) -> pytest.MarkDecorator:
    found = [case for case in CASES if kind in case]
    return pytest.mark.parametrize("case", found, ids=[ascii(case["dice"])[:40] for case in found])


@named("mean")
def test_the_laws_of_the_golden_file(case: dict[str, Any]) -> None:
    found = law(declare({"dice": case["dice"]}).dice)
    shares = {value: Fraction(weight, found.total) for value, weight in found.weights.items()}
    assert {"dice": case["dice"], **icepool_words.described(shares)} == case


def test_the_golden_file_is_what_icepool_counts() -> None:
    assert [{"dice": text, **icepool_words.law(die)} for text, die in icepool_words.LAWS] == [
        case for case in CASES if "mean" in case
    ]
    assert len(CASES) >= 150


@named("refused")
def test_what_is_refused_says_why(case: dict[str, Any]) -> None:
    with pytest.raises(PlayerError) as refusal:
        declare({"dice": case["dice"]})
    assert str(refusal.value) == case["refused"]


@named("uncounted")
def test_what_cannot_be_counted_can_be_rolled(case: dict[str, Any]) -> None:
    declared = declare({"dice": case["dice"]})
    with pytest.raises(Uncountable) as refusal:
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
)


@pytest.mark.parametrize("text", WALKED)
def test_the_law_is_every_way_in_which_the_real_dice_can_fall(text: str) -> None:
    declared = declare({"dice": text})
    found = law(declared.dice)
    ways = every_way(lambda rng: start(declared, rng).totals[0])
    assert ways == {value: Fraction(weight, found.total) for value, weight in found.weights.items()}


@pytest.mark.parametrize("text", ["1d3!", "1d2rr1", "1d3!>=3", "1d3rr1!", "1d2!>1"])
def test_chains_end_after_ten_and_the_law_knows(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With at most three in a chain, so that every way can be walked."""
    for module in ("bot.rules.anydice.play", "bot.rules.anydice.notation", "bot.odds.anydice"):
        monkeypatch.setattr(f"{module}.CHAIN_MOST", 3)
    law.cache_clear()
    declared = declare({"dice": text})
    found = law(declared.dice)
    law.cache_clear()
    ways = every_way(lambda rng: start(declared, rng).totals[0])
    assert ways == {value: Fraction(weight, found.total) for value, weight in found.weights.items()}


def test_numbers_for_people() -> None:
    numbers = odds(declare({"dice": "2d4"}))
    assert (numbers["mean"], numbers["variance"], numbers["least"], numbers["most"]) == ("5/1", "5/2", 2, 8)
    shares = numbers["distribution"]
    assert isinstance(shares, dict)
    assert shares["5"] == "1/4"
    assert count(declare({"dice": "2d4", "times": 3})).distribution == law("2d4")


def test_luck_is_that_of_all_times_together() -> None:
    state = start(declare({"dice": "1d6", "times": 2}), lambda _: 4)
    assert state.totals == (5, 5)
    found = luck(state)
    assert found is not None
    assert (found.better, found.same) == (Fraction(3, 36), Fraction(3, 36))
    assert luck(start(declare({"dice": "6d6dl6"}), chance(1))) is None


SMALL = st.dictionaries(st.integers(-8, 8), st.integers(1, 9), min_size=1).map(
    lambda weights: Distribution(weights, sum(weights.values()))
)


@settings(max_examples=60, deadline=None)
@given(one=SMALL, times=st.integers(1, 4))
def test_a_power_is_so_many_sums(one: Distribution[int], times: int) -> None:
    sums = {0: Fraction(1)}
    for _ in range(times):
        after: dict[int, Fraction] = {}
        for value, share in sums.items():
            for more, weight in one.weights.items():
                after[value + more] = after.get(value + more, Fraction(0)) + share * Fraction(weight, one.total)
        sums = after
    found = power(one, times)
    assert {value: Fraction(weight, found.total) for value, weight in found.weights.items()} == sums


@settings(max_examples=60, deadline=None)
@given(left=SMALL, right=SMALL)
def test_a_duel_counts_every_pair(left: Distribution[int], right: Distribution[int]) -> None:
    pairs = [
        (one - other, here * there) for one, here in left.weights.items() for other, there in right.weights.items()
    ]
    higher, equal, lower = duel(left, right)
    assert higher == sum(weight for gap, weight in pairs if gap > 0)
    assert equal == sum(weight for gap, weight in pairs if gap == 0)
    assert lower == sum(weight for gap, weight in pairs if gap < 0)
