"""The table and the odds are one law: in every example of every system, dice come to what the odds give weight."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from random import Random
from typing import Any, Final

import pytest

from bot.odds.anydice import LineOdds, count
from bot.odds.dice_laws import UncountableRollError
from bot.rules.anydice import declare, start
from bot.rules.anydice.notation import parse
from bot.rules.anydice.systems import SYSTEMS

EXAMPLES: Final = sorted(
    {
        text
        for system in SYSTEMS.values()
        for text in (*(typed for typed, _ in system.examples), *(row["typed"] for row in system.golden))
        if len(parse(text).lines) == 1 and parse(text).line.times == 1
    }
)
MAX_WAYS: Final = 1_500
"""Ways of the dice that are followed, the likeliest first."""
THROWS: Final = 60


class BeyondError(Exception):
    """The dice of a way ended."""


def likeliest_ways(text: str) -> tuple[Mapping[tuple[int, tuple[str, ...]], Fraction], Fraction]:
    """What a roll comes to, over the ways that end after the fewest dice, and the chance of the ways left out."""
    declared = declare({"dice": text})
    counts: Counter[tuple[int, tuple[str, ...]]] = Counter()
    open_ways: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    for _ in range(MAX_WAYS):
        if not open_ways:
            break
        faces, chance = open_ways.pop(0)
        left, asked = list(faces), list[int]()

        def rng(sides: int, left: list[int] = left, asked: list[int] = asked) -> int:
            if not left:
                asked.append(sides)
                raise BeyondError
            return left.pop(0)

        try:
            row = start(declared, rng).rows[0]
        except BeyondError:
            open_ways += [((*faces, face), chance / asked[0]) for face in range(asked[0])]
        else:
            counts[row.total, names(row)] += chance  # type: ignore[assignment]  # a Fraction
    return counts, sum((chance for _, chance in open_ways), Fraction(0))  # type: ignore[return-value]  # see above


def names(row: Any) -> tuple[str, ...]:
    return row.reading.names if row.reading else ()


def chances(odds: LineOdds) -> Mapping[int, Fraction]:
    return {total: Fraction(weight, odds.distribution.total) for total, weight in odds.distribution.weights.items()}


@pytest.mark.slow
@pytest.mark.parametrize("text", EXAMPLES)
def test_what_the_table_says_has_the_weight_of_the_odds(text: str) -> None:
    try:
        (odds,) = count(declare({"dice": text})).lines
    except UncountableRollError:
        assert text in TOO_LARGE
        return
    law = chances(odds)
    result, left_out = likeliest_ways(text)
    totals, readings = Counter[int](), Counter[str]()
    for (total, said), chance in result.items():
        totals[total] += chance  # type: ignore[assignment]  # a Fraction
        readings.update(dict.fromkeys(said, chance))
    for total, at_least in totals.items():
        assert at_least <= law[total] <= at_least + left_out, total
    for name, at_least in readings.items():
        assert at_least <= odds.readings[name] <= at_least + left_out, name
    for seed in range(THROWS):
        row = start(declare({"dice": text}), Random(seed).randrange).rows[0]
        assert law[row.total] > 0
        assert all(odds.readings[name] > 0 for name in names(row))


TOO_LARGE: Final = frozenset({"ed4e21", "ol5"})
"""Examples whose odds are refused with a sentence."""
