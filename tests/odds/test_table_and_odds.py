"""The table and the odds are one law: in every example of every system, dice come to what the odds give weight."""

from collections import defaultdict, deque
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
from tests.sampling import Part

MAX_WAYS: Final = 150
"""An example whose dice fall in no more ways is followed through all of them."""
SOME_WAYS: Final = 25
"""Of any other example that many ways are followed, different from the first die on."""
THROWS: Final = 10
LONG: Final = 10
"""How many times as many are followed with ``-m long``."""


def examples(key: str) -> list[str]:
    """What is typed in the examples and worked rolls of a system, if it is one roll."""
    system = SYSTEMS[key]
    typed = {*(text for text, _ in system.examples), *(row["typed"] for row in system.golden)}
    return sorted(text for text in typed if len((read := parse(text)).lines) == 1 and read.line.times == 1)


def ways(text: str, times: int) -> tuple[Mapping[tuple[int, tuple[str, ...]], Fraction], Fraction]:
    """What a roll comes to, over the ways that were followed, with their chances, and the chance of those left out.

    Each run is a whole way: behind the faces that it is told, each die shows its first one; the others wait.
    """
    declared = declare({"dice": text})
    counts: dict[tuple[int, tuple[str, ...]], Fraction] = defaultdict(Fraction)
    waiting, followed = deque[tuple[tuple[int, ...], Fraction]]([((), Fraction(1))]), 0
    while waiting and (followed < times * SOME_WAYS or followed + len(waiting) <= times * MAX_WAYS):
        told, chance = waiting.popleft()
        asked = list[int]()

        def rng(sides: int, told: tuple[int, ...] = told, asked: list[int] = asked) -> int:
            asked.append(sides)
            return told[len(asked) - 1] if len(asked) <= len(told) else 0

        row = start(declared, rng).rows[0]
        faces = (*told, *(0 for _ in asked[len(told) :]))
        for at in range(len(told), len(asked)):
            chance /= asked[at]
            waiting.extend(((*faces[:at], face), chance) for face in range(1, asked[at]))
        counts[row.total, names(row)] += chance
        followed += 1
    return counts, sum((chance for _, chance in waiting), Fraction(0))


def names(row: Any) -> tuple[str, ...]:
    return row.reading.names if row.reading else ()


def chances(odds: LineOdds) -> Mapping[int, Fraction]:
    return {total: Fraction(weight, odds.distribution.total) for total, weight in odds.distribution.weights.items()}


@pytest.mark.slow
@pytest.mark.parametrize("key", SYSTEMS)
def test_what_the_table_says_has_the_weight_of_the_odds(part: Part[str], key: str) -> None:
    for text in part(examples(key), 3):
        compare(text, 1)


@pytest.mark.long  # more ways of the same examples: each example is of one law, in whichever way its dice fall
@pytest.mark.parametrize("key", SYSTEMS)
def test_in_many_more_ways_too(key: str) -> None:
    for text in examples(key):
        compare(text, LONG)


def compare(text: str, times: int) -> None:
    """Hold what dice come to, in some of the ways in which they fall, to the odds."""
    try:
        (odds,) = count(declare({"dice": text})).lines
    except UncountableRollError:
        assert text in TOO_LARGE
        return
    law = chances(odds)
    result, left_out = ways(text, times)
    totals, readings = defaultdict[int, Fraction](Fraction), defaultdict[str, Fraction](Fraction)
    for (total, said), chance in result.items():
        totals[total] += chance
        for name in said:
            readings[name] += chance
    for total, at_least in totals.items():
        assert at_least <= law[total] <= at_least + left_out, (text, total)
    for name, at_least in readings.items():
        assert at_least <= odds.readings[name] <= at_least + left_out, (text, name)
    declared = declare({"dice": text})
    for seed in range(times * THROWS if left_out else 0):
        row = start(declared, Random(seed).randrange).rows[0]
        assert law[row.total] > 0, text
        assert all(odds.readings[name] > 0 for name in names(row)), text


TOO_LARGE: Final = frozenset({"ed4e21", "ol5", "7s 4 rank 5", "7s 8 rank 5"})
"""Examples whose odds are refused with a sentence."""
