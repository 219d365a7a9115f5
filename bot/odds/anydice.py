"""The odds of a roll in dice notation, and of what its system calls the results."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from bot.odds import systems
from bot.odds.dice_laws import Uncountable, cut_off, law, power
from bot.odds.distribution import Distribution, exact
from bot.odds.luck import CACHED, Luck, luck_of
from bot.rules.anydice import State
from bot.rules.anydice.asked import Ask, Asking
from bot.rules.anydice.expression import Line
from bot.rules.anydice.notation import parse
from bot.rules.anydice.play import PUSHED, REROLLED, Declared, was_changed
from bot.rules.text import Text


@dataclass(frozen=True, slots=True)
class LineOdds:
    """What one roll comes to. ``readings``: the chances of what its system calls the results, and of what it counts.

    ``charts``: the law of each number that its system draws, where one is not enough.
    ``cut_off``: the chance that a die would explode, or be rerolled, more often than it may; the law holds as rolled.
    """

    line: Line
    distribution: Distribution[int]
    readings: Mapping[str, Fraction]
    cut_off: Fraction
    charts: Mapping[str, Distribution[int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RollOdds:
    """The answer that the odds card draws, of each different roll for one time."""

    declared: Declared | Ask
    lines: tuple[LineOdds, ...]


def count(declared: Declared | Ask) -> RollOdds:
    """The answer to ``/roll`` with ``odds``. Raises ``Uncountable``."""
    return RollOdds(declared, tuple(map(line_odds, declared.expression.lines)))


def line_odds(line: Line) -> LineOdds:
    if line.game is None:
        return LineOdds(line, law(line.notation), botch(line), cut_off(line))
    found = systems.read(line)
    return LineOdds(line, found.scores or law(line.notation), found.readings, cut_off(line), found.charts)


@lru_cache(maxsize=CACHED)
def law_of(text: str) -> Distribution[int]:
    """The distribution of what dice come to, as their system counts. Raises ``Uncountable``."""
    return line_odds(parse(text).line).distribution


def odds(declared: Declared | Ask) -> Mapping[str, object]:
    """How it was ``understood``, and of each different roll, for one time, what ``numbers`` says.

    The words of the only roll stand beside ``understood``; several are a list, ``rolls``. Raises ``Uncountable``.
    """
    understood = {"understood": declared.expression.understood}
    rolls = [line_numbers(one) for one in count(declared).lines]
    return {**understood, **rolls[0]} if len(rolls) == 1 else {**understood, "rolls": rolls}


def line_numbers(one: LineOdds) -> dict[str, object]:
    words = numbers(one.distribution)
    if one.readings:
        words["readings"] = {name: exact(chance) for name, chance in one.readings.items()}
    if one.charts:
        words["charts"] = {name: numbers(law) for name, law in one.charts.items()}
    if one.cut_off:
        words["cut_off"] = exact(one.cut_off)
    return words


def numbers(distribution: Distribution[int]) -> dict[str, object]:
    """Mean, variance, least and most, and the probability of each total, in JSON words."""
    mean = distribution.mean(int)
    shares = {str(value): exact(Fraction(weight, distribution.total)) for value, weight in distribution.weights.items()}
    return {
        "mean": exact(mean),
        "variance": exact(distribution.mean(lambda value: value * value) - mean * mean),
        "least": min(distribution.weights),
        "most": max(distribution.weights),
        "distribution": shares,
    }


def botch(line: Line) -> dict[str, Fraction]:
    """The chance of a roll that ends below 0, where dice can take successes away."""
    if any(pool.failure for pool in line.pools):
        return {"botch": law(line.notation).probability(lambda net: net < 0)}
    return {}


def luck(state: State) -> Luck | None:
    """By the sum of all times; None for several rolls, for dice rolled again, and where the odds cannot be counted."""
    if isinstance(state, Asking):
        return None
    lines = state.expression.lines
    if len(lines) > 1 or was_changed(state, PUSHED) or was_changed(state, REROLLED):
        return None
    try:
        distribution = power(line_odds(lines[0]).distribution, lines[0].times)
    except Uncountable:
        return None
    return luck_of(sum(state.totals), distribution, Text("rolls"), Text("Luck of whoever wants a high result"), None)
