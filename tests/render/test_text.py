"""Numbers as people read them: rounded half up from exact fractions, and never a false zero."""

from fractions import Fraction

import pytest

from bot.render.text import decimal, percent


@pytest.mark.parametrize(
    ("chance", "decimals", "said"),
    [
        (Fraction(1, 3), 2, "33.33 %"),
        (Fraction(2, 3), 1, "66.7 %"),
        (Fraction(2, 3), 0, "67 %"),
        (Fraction(1, 8), 0, "13 %"),
        (Fraction(1), 0, "100 %"),
        (Fraction(0), 2, "0.00 %"),
        (Fraction(1, 20_000), 2, "0.01 %"),
        (Fraction(1, 20_001), 2, "< 0.01 %"),
        (Fraction(1, 2001), 1, "< 0.1 %"),
        (Fraction(1, 201), 0, "< 1 %"),
        (Fraction(1, 6**100), 2, "< 0.01 %"),
    ],
)
def test_percent(chance: Fraction, decimals: int, said: str) -> None:
    assert percent(chance, decimals) == said


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (Fraction(2), "2"),
        (Fraction(5, 6), "0.83"),
        (Fraction(1, 8), "0.13"),
        (Fraction(10), "10"),
        (Fraction(0), "0"),
        (Fraction(1, 1000), "0"),
        (Fraction(-5, 2), "-2.5"),
    ],
)
def test_decimal(number: Fraction, said: str) -> None:
    assert decimal(number) == said
