"""Chains of war games: as many dice again as hit, as wound, as fail their save. Laws from the page of their rules."""

from fractions import Fraction
from itertools import product

import pytest

from bot.odds.anydice import law_of
from bot.rules import anydice
from bot.rules.anydice.notation import parse
from bot.rules.errors import AmbiguousTextError, NotUnderstoodError
from tests.starts import chance

WORKED = (
    ("20d6>=3 then>=4 then>=5", Fraction(20, 9), (9.4831, 23.7077, 28.1529, 21.1147, 11.2172, 4.4869, 1.4021)),
    ("20d6>=3 then>=4 then<5", Fraction(40, 9), ()),
    ("10 attacks hit 3+ wound 4+ save 5+", Fraction(20, 9), (8.1013, 23.1466, 29.7599, 22.6742, 11.3371, 3.8870)),
    ("9 attacks hit 3+ wound 4+ save 3+ ap -2", Fraction(2), (10.4160, 26.7839, 30.6102, 20.4068, 8.7458, 2.4988)),
    ("8 attacks hit 3+ wound 4+ save 5+ fnp 6+", Fraction(40, 27), (19.4299, 35.3272, 28.1011, 12.7732, 3.6288)),
    ("12 attacks hit 3+ rr1 wound 3+ save 4+", Fraction(28, 9), (2.7289, 11.4616, 22.0635, 25.7408, 20.2709)),
    ("10 shots 4+ 5+", Fraction(5, 3), (16.1506, 32.3011, 29.0710, 15.5045, 5.4266, 1.3024)),
    ("25 attacks 4+ 4+", Fraction(25, 4), (0.0753, 0.6271, 2.5085, 6.4106, 11.7527, 16.4538, 18.2820)),
    ("40k 20 3+ 4+ 5+", Fraction(40, 9), ()),
    ("10d6 3+ reroll 1s", Fraction(70, 9), ()),
)
"""A chain, its mean, and the percentages of 0, 1, 2 ... that come through."""


@pytest.mark.parametrize(("text", "mean", "percentages"), WORKED)
def test_a_worked_law(text: str, mean: Fraction, percentages: tuple[float, ...]) -> None:
    law = law_of(parse(text).full_text)
    assert law.mean(int) == mean
    for number, wanted in enumerate(percentages):
        share = Fraction(law.weights[number], law.total)
        assert float(100 * share) == pytest.approx(wanted, abs=5e-5)


@pytest.mark.parametrize("text", ["20d6 3+ 4+ 5+", "20d6>=3>=4>=5", "20 3+/4+/5+", "20 attacks 3+ 4+ 5+"])
def test_whose_last_roll_it_is_is_asked(text: str) -> None:
    with pytest.raises(AmbiguousTextError) as question:
        parse(text)
    assert question.value.choices == ("20d6>=3 then>=4 then>=5", "20d6>=3 then>=4 then<5")


def test_every_step_has_as_many_dice_as_the_one_before_let_through() -> None:
    """Two dice with two further steps, in every way in which they can fall."""
    found = [0, 0, 0]
    for faces in product(range(1, 7), repeat=2):
        for more in every_fall(sum(face >= 3 for face in faces)):
            for last in every_fall(sum(face >= 4 for face in more)):
                words = {"dice": "2d6>=3 then>=4 then<5", "faces": [*faces, *more, *last]}
                (total,) = anydice.start(anydice.declare(words), chance(0)).totals
                found[total] += 6 ** (4 - len(more) - len(last))
    law = law_of("2d6>=3 then>=4 then<5")
    assert [Fraction(law.weights[at], law.total) for at in range(3)] == [Fraction(ways, 6**6) for ways in found]


def every_fall(dice: int) -> list[tuple[int, ...]]:
    return list(product(range(1, 7), repeat=dice))


def test_a_chain_is_written_as_it_is_read() -> None:
    for text in ("20d6>=3 then>=4 then<5", "10d6ro1>=3 then>=4", "1d6 t3 then>=4"):
        assert parse(text).full_text == text
    for text in ("6d6kh3>=3 then>=4", "6d6!>=3 then>=4", "6d6>=3 then 4"):
        with pytest.raises(NotUnderstoodError):
            parse(text)
