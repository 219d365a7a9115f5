"""Luck over a match, against every way in which the rolls could have come."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import comb, prod

from hypothesis import given, strategies as st

from bot.odds.distribution import Distribution
from bot.odds.luck import match_luck

Rated = tuple[Distribution[int], int]

DISTRIBUTIONS = st.dictionaries(st.integers(-9, 30), st.integers(1, 12), min_size=1, max_size=5)


@st.composite
def rolls(draw: st.DrawFn) -> Rated:
    weights = draw(DISTRIBUTIONS)
    result = draw(st.sampled_from(sorted(weights)))
    return Distribution(weights, sum(weights.values())), result


@given(st.lists(rolls(), max_size=5))
def test_it_counts_every_way(match: Sequence[Rated]) -> None:
    ways = [
        (
            sum(value for value, _ in way),
            Fraction(prod(weight for _, weight in way), prod(distribution.total for distribution, _ in match)),
        )
        for way in product(*(distribution.weights.items() for distribution, _ in match))
    ]
    result = sum(came for _, came in match)
    mean = sum(value * chance for value, chance in ways)
    luck = match_luck(match)
    assert luck.rolls == len(match)
    assert luck.result == result
    assert luck.mean == mean
    assert luck.better == sum(chance for value, chance in ways if value > result)
    assert luck.worse == sum(chance for value, chance in ways if value < result)


def test_two_hundred_coins_are_binomial() -> None:
    match = [(Distribution({0: 1, 1: 1}, 2), 1)] * 108 + [(Distribution({0: 3, 1: 3}, 6), 0)] * 92
    luck = match_luck(match)
    assert luck.better == Fraction(sum(comb(200, heads) for heads in range(109, 201)), 2**200)
    assert luck.worse == Fraction(sum(comb(200, heads) for heads in range(108)), 2**200)


def test_where_nothing_was_left_to_chance_there_is_no_luck() -> None:
    for match in ([], [(Distribution({3: 5}, 5), 3)]):
        luck = match_luck(match)
        assert luck.better == luck.worse == luck.result - luck.mean == 0


def test_a_result_that_good_play_never_brings_counts_as_bad_luck() -> None:
    luck = match_luck([(Distribution({2: 1, 3: 1}, 2), 0), (Distribution({0: 1, 1: 1}, 2), 1)])
    assert luck.result == 1
    assert luck.better == 1
    assert luck.worse == 0
