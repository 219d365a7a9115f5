"""Odds that two public calculators of Infinity publish, typed as they stand there: Damage, in any edition.

The numbers are percentages of Wounds from the test tables of khepri-f2f, which took them from inf-dice.
"""

from fractions import Fraction
from typing import Any, Final

import pytest

from bot.odds.infinity.json_odds import odds
from bot.rules import infinity
from tests.rows import for_each_row

Percent = tuple[float, ...]
"""The chance of exactly 1, 2, 3 ... Wounds."""

TABLES: Final[dict[str, tuple[Percent, Percent, float]]] = {
    "A 16 b3 N DAM 13 ARM 2 vs B 13 b1 N DAM 14 ARM 5": (
        (36.215, 14.420, 2.591, 0.163, 0.004, 0.000),
        (7.444, 1.543),
        37.620,
    ),
    "A 26 b1 DA DAM 16 ARM 1 vs B 13 b1 N DAM 12 ARM 4": ((36.696, 34.704, 7.182), (3.671, 0.983), 16.764),
    "A 14 b5 EXP DAM 13 ARM 0 vs B 13 b2 N DAM 12 ARM 3": (
        (
            *(9.763, 13.996, 12.588, 10.410, 8.526, 6.234, 4.166, 2.498, 1.319, 0.607, 0.238, 0.078, 0.020, 0.004),
            *(0.001, 0.000, 0.000, 0.000, 0.000, 0.000),
        ),
        (10.552, 3.441, 0.228, 0.025),
        15.307,
    ),
    "A 9 b5 N DAM 15 ARM 6 vs B 8 b4 N DAM 15 ARM 3": (
        (25.249, 13.810, 4.785, 1.231, 0.220, 0.029, 0.003, 0.000, 0.000, 0.000),
        (14.425, 4.824, 0.725, 0.106, 0.008, 0.001, 0.000, 0.000),
        34.585,
    ),
    "A 13 b4 N DAM 14 ARM 6 vs B 15 b1 EXP DAM 16 ARM 11": (
        (18.409, 2.738, 0.224, 0.011, 0.000, 0.000, 0.000, 0.000),
        (9.112, 9.621, 3.716, 0.255),
        55.913,
    ),
}


def rows() -> list[tuple[str, str, int, float]]:
    """Each published number: the order, on whom, how many Wounds, and its chance; 0 Wounds are on nobody."""
    found = list[tuple[str, str, int, float]]()
    for order, (active, reactive, nothing) in TABLES.items():
        found += [(order, "b", at, chance) for at, chance in enumerate(active, 1)]
        found += [(order, "a", at, chance) for at, chance in enumerate(reactive, 1)]
        found.append((order, "", 0, nothing))
    return found


@for_each_row("edition", ["n5", "n4"])
@for_each_row(("order", "on", "wounds", "percent"), rows())
def test_a_published_table_is_counted_as_it_stands(
    order: str, on: str, wounds: int, percent: float, edition: str
) -> None:
    found: Any = odds(infinity.declare({"order": order, "edition": edition}))
    lost = {side: {int(n): Fraction(chance) for n, chance in found[f"wounds_on_{side}"].items()} for side in "ab"}
    nothing = 1 - sum(chance for law in lost.values() for number, chance in law.items() if number)
    counted = lost[on].get(wounds, Fraction(0)) if on else nothing
    assert float(100 * counted) == pytest.approx(percent, abs=0.0006)


def test_every_row_is_there() -> None:
    assert len(rows()) >= 61
