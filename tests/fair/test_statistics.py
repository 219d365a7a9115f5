"""What the counts of the dice say: against exact fractions, tables, and dice that are loaded."""

import random
from fractions import Fraction
from itertools import product
from math import exp, factorial, inf, log, prod

import pytest
from hypothesis import given, strategies as st

from bot.fair.statistics import (
    ALARM,
    Evidence,
    chi_square,
    chi_square_tail,
    deviations,
    found_after,
    log_e_value,
)


def e_value(counts: tuple[int, ...]) -> Fraction:
    """The formula in exact fractions: Gamma(n) = (n - 1)!."""
    sides, total = len(counts), sum(counts)
    return Fraction(factorial(sides - 1) * prod(map(factorial, counts)) * sides**total, factorial(total + sides - 1))


COUNTS = st.lists(st.integers(0, 60), min_size=1, max_size=20).map(tuple)


@given(COUNTS)
def test_the_e_value_is_the_formula(counts: tuple[int, ...]) -> None:
    exact = e_value(counts)
    assert log_e_value(counts) == pytest.approx(log(exact.numerator) - log(exact.denominator), abs=1e-9)


@pytest.mark.parametrize(("sides", "draws"), [(2, 6), (3, 5), (6, 3)])
def test_under_fair_dice_its_mean_is_one(sides: int, draws: int) -> None:
    """Over all sequences, so nothing is sampled; this is what makes Ville's inequality hold."""
    sequences = product(range(sides), repeat=draws)
    total = sum(e_value(tuple(sequence.count(side) for side in range(sides))) for sequence in sequences)
    assert total == sides**draws


@given(st.lists(st.integers(0, 5), max_size=60), st.lists(st.integers(0, 7), max_size=60))
def test_draw_by_draw_it_is_the_mean_over_kinds_and_keeps_its_maximum(first: list[int], second: list[int]) -> None:
    evidence, highest = Evidence({"d6": [0] * 6, "d8": [0] * 8}), Fraction(1)
    for kind, side in [("d6", side) for side in first] + [("d8", side) for side in second]:
        evidence.add(kind, side)
        now = (e_value(evidence.counts["d6"]) + e_value(evidence.counts["d8"])) / 2
        highest = max(highest, now)
        assert exp(evidence.log_now) == pytest.approx(float(now))
    assert exp(evidence.log_highest) == pytest.approx(float(highest))
    again = Evidence(evidence.counts, evidence.log_highest)
    assert again.log_now == pytest.approx(evidence.log_now)
    assert again.log_highest == pytest.approx(evidence.log_highest)


def test_a_kind_that_comes_later_counts_as_if_it_had_always_been_there() -> None:
    rng = random.Random(1)
    always, later = Evidence({"d6": [0] * 6, "new": [0] * 9}), Evidence({"d6": [0] * 6})
    for _ in range(300):
        side = min(rng.randrange(7), 5)
        always.add("d6", side)
        later.add("d6", side)
    later.add_kind("new", 9)
    always.add("new", 4)
    later.add("new", 4)
    assert later.counts == always.counts
    assert later.log_now == pytest.approx(always.log_now)
    assert later.log_highest == pytest.approx(always.log_highest)


def test_a_loaded_die_gives_no_overflow() -> None:
    evidence = Evidence({"d6": [100_000, 0, 0, 0, 0, 0], "d8": [10] * 8})
    evidence.add("d6", 0)
    assert evidence.log_highest >= log(ALARM)
    assert evidence.log_now == pytest.approx(100_001 * log(6) - log(2), rel=1e-3)


def test_what_is_not_counted_is_refused() -> None:
    evidence = Evidence({"d6": [0] * 6})
    with pytest.raises(KeyError):
        evidence.add("d20", 3)
    for side in (6, -1):
        with pytest.raises(IndexError):
            evidence.add("d6", side)
    with pytest.raises(ValueError, match="counted already"):
        evidence.add_kind("d6", 6)
    assert Evidence({}).log_highest == 0.0, "before the first kind"
    with pytest.raises(ValueError, match="with its sides"):
        Evidence({"d6": []})
    assert evidence.counts == {"d6": (0,) * 6}


TABLE = [
    *((1, 3.841458821, 0.05), (1, 10.82756617, 0.001), (2, 5.991464547, 0.05), (3, 7.814727903, 0.05)),
    *((5, 11.07049769, 0.05), (5, 15.08627247, 0.01), (7, 14.06714045, 0.05), (7, 24.32188635, 0.001)),
    *((19, 30.14352721, 0.05), (35, 49.80184957, 0.05), (100, 124.3421134, 0.05)),
]
"""Critical values as printed in statistical tables: degrees of freedom, value, p."""


@pytest.mark.parametrize(("degrees", "statistic", "p"), TABLE)
def test_chi_square_is_the_one_of_the_tables(degrees: int, statistic: float, p: float) -> None:
    assert chi_square_tail(degrees, statistic) == pytest.approx(p, rel=1e-7)


def test_chi_square_from_zero_to_far_out() -> None:
    assert chi_square_tail(5, 0.0) == 1.0
    assert 0 <= chi_square_tail(5, 1e6) < 1e-300


@given(st.lists(st.integers(0, 1000), min_size=2, max_size=36))
def test_the_statistic_is_pearsons(counts: list[int]) -> None:
    result, sides, total = chi_square(counts), len(counts), sum(counts)
    if total < 5 * sides:
        assert result is None
        return
    expected = Fraction(total, sides)
    assert result is not None
    assert result.statistic == sum((count - expected) ** 2 / expected for count in counts)
    assert result.degrees == sides - 1
    assert 0 <= result.p <= 1


def test_deviations_are_in_percentage_points() -> None:
    assert list(deviations([30, 20, 25, 25])) == [5, -5, 0, 0]
    assert list(deviations([0, 0])) == [0, 0]


def test_fair_dice_seldom_reach_the_alarm() -> None:
    """With the noise of 400 runs said: 5% and four standard deviations of 1.1% (the seed is fixed)."""
    rng, alarms = random.Random(6), 0
    for _ in range(400):
        evidence = Evidence({"d6": [0] * 6})
        for _ in range(500):
            evidence.add("d6", rng.randrange(6))
        alarms += evidence.log_highest >= log(ALARM)
    assert 0 < alarms <= 400 * (0.05 + 4 * 0.011)


@pytest.mark.parametrize(("sides", "excess"), [(6, 0.06), (8, -0.06), (20, 0.06)])
def test_a_loaded_die_is_found_about_when_the_formula_says(sides: int, excess: float) -> None:
    rng, result = random.Random(3), []
    weights = [1 / sides + excess] + [(1 - 1 / sides - excess) / (sides - 1)] * (sides - 1)
    for _ in range(25):
        evidence = Evidence({"die": [0] * sides})
        while evidence.log_highest < log(ALARM):
            evidence.add("die", rng.choices(range(sides), weights)[0])
        result.append(sum(evidence.counts["die"]))
    assert sorted(result)[12] == pytest.approx(found_after(sides, excess), rel=0.25)


def test_more_kinds_and_smaller_loads_take_longer() -> None:
    assert found_after(6, 0) == inf
    assert found_after(6, 0.01) > 3 * found_after(6, 0.02)
    assert found_after(6, 0.02) < found_after(6, 0.02, kinds=4) < 1.3 * found_after(6, 0.02)
    for sides, excess in ((1, 0.0), (6, 0.9), (6, -0.2)):
        with pytest.raises(ValueError, match="two sides or more"):
            found_after(sides, excess)
