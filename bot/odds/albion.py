"""The exact odds of Albion: one roll of 216 equal values (rules page, points 1 to 5)."""

from collections.abc import Mapping
from fractions import Fraction

from bot.odds.distribution import Distribution, exact
from bot.odds.luck import RollLuck, RollResult, luck_of
from bot.rules.albion import FOCUS, VALUES, AttackRoll, Declared, calculate, named_values, result
from bot.rules.game import Side
from bot.rules.text import Noun, Text


def distribution(declared: Declared) -> Distribution[int]:
    """Return the distribution of the power multiplier, in halves, over 216 equal values; fixed faces are ignored."""
    worked = calculate(declared)
    counts = {0: VALUES - worked.hits, 2: worked.hits - worked.focus_points, int(2 * FOCUS): worked.focus_points}
    return Distribution({halves: count for halves, count in counts.items() if count}, VALUES)


def odds(declared: Declared) -> Mapping[str, object]:
    """Return the named numbers, the lowest values, and the exact counts and probabilities in JSON words."""
    worked = calculate(declared)
    hits, focus_points = worked.hits, worked.focus_points
    return {
        **named_values(worked),
        "hit": "guaranteed" if worked.total_miss_chance <= 0 else possible_text(worked.lowest_hit),
        "lowest_hit": worked.lowest_hit,
        "focus": Text("every value") if worked.lowest_focus == 0 else possible_text(worked.lowest_focus),
        "lowest_focus": worked.lowest_focus,
        "n_miss": VALUES - hits,
        "n_hit_only": hits - focus_points,
        "n_focus": focus_points,
        "of": VALUES,
        "p_hit": exact(Fraction(hits, VALUES)),
        "p_focus": exact(Fraction(focus_points, VALUES)),
        "mean_power_multiplier": exact(distribution(declared).mean(int) / 2),
    }


def possible_text(lowest: int | None) -> str:
    """Return the values that cause it, if any."""
    return "impossible" if lowest is None else "roll"


def luck(state: AttackRoll) -> RollLuck | None:
    """Return the luck by the value of the three dice; None if all results are equal."""
    if len(distribution(state.declared).weights) < 2:
        return None
    values = Distribution(dict.fromkeys(range(VALUES), 1), VALUES)
    return luck_of(sum(int(die.face) for die in state.dice), values, Text("rolls"), Text("The attacker's luck"))


def roll_results(state: AttackRoll) -> tuple[RollResult, ...]:
    law, halves = distribution(state.declared), int(2 * result(state).multiplier)
    unit = Noun("times the power", "times the power")
    return (RollResult(distribution=law, value=halves, side=Side.ATTACKER, unit=unit, parts=2),)
