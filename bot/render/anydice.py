"""Dice notation on a card: the total in a sentence, the dice of each pool, and what happened to them."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import sqrt
from operator import le
from typing import Final

from bot.odds.anydice import RollOdds
from bot.odds.distribution import Distribution
from bot.render.card import Ahead, Bar, Bars, Card, Strip, Tile, join_names, quantity
from bot.render.chart import BARS_MOST
from bot.render.text import decimal, dice, percent
from bot.rules.anydice.notation import Comparison, Expression, Pool, Sign
from bot.rules.anydice.play import EXPLODES, Roll, evaluated, pool_total
from bot.rules.dice import Rolled
from bot.rules.game import Side

Names = Mapping[Side, str]

BODIES: Final = {"d20": "d20-attacker"}
"""Bodies that have another name than the kind of die."""
TILES_MOST: Final = 120
"""Dice in the picture of a roll; a roll with more than these says so."""
FUDGE: Final = {"-1": "−", "0": "blank", "1": "+"}
HOLDS: Final[Mapping[Sign, tuple[str, str]]] = {
    ">=": ("is at least", "is not at least"),
    "<=": ("is at most", "is not at most"),
    ">": ("is above", "is not above"),
    "<": ("is below", "is not below"),
    "=": ("is", "is not"),
    "!=": ("is not", "is"),
}
"""How a comparison reads, if it holds and if not."""
LINES_MOST: Final = 12
"""Lines of a list of chances."""


def card(state: Roll, names: Names) -> Card:
    """The card of a roll."""
    who, declared = names.get(Side.ATTACKER, "Somebody"), state.declared
    came = outcome(state, who)
    shown = strips(state.expression, state.each)
    return Card(
        title=f"Any dice · {text_of(declared.dice, declared.times)}",
        outcome=f"{declared.label}: {came}" if declared.label else came,
        strips=shown,
        trail=tuple(trail(state.expression, state.each)),
        small=hidden(state.dice),
        below=hidden(state.dice),
        alt=f"{in_words(shown)}. Result: {join_names([str(total) for total in state.totals])}",
        ahead=ahead(state),
    )


def text_of(dice: str, times: int) -> str:
    """Dice as they are typed, with how often they are rolled."""
    return f"{times}#{dice}" if times > 1 else dice


def ahead(state: Roll) -> Ahead:
    if len(state.totals) > 1 or not isinstance(state.expression.tree, Comparison):
        return "nobody"
    return "attacker" if state.totals[0] else "defender"


def outcome(state: Roll, who: str) -> str:
    """What a roll came to, in one sentence that can be read aloud."""
    totals, tree = state.totals, state.expression.tree
    if isinstance(tree, Comparison):
        if len(totals) > 1:
            return f"{who} succeeds {sum(totals)} of {len(totals)} times."
        left, right = sides(tree, state)
        return f"{who} {'succeeds' if totals[0] else 'fails'}: {left} {HOLDS[tree.sign][not totals[0]]} {right}."
    if not state.expression.counts_successes:
        return f"{who} rolls {join_names([str(total) for total in totals])}."
    if len(totals) > 1:
        return f"{who} has {join_names([str(total) for total in totals])} successes."
    return f"{who} has {quantity(totals[0], 'success', 'successes')}."


def sides(tree: Comparison, state: Roll) -> tuple[int, int]:
    """The two values that a comparison compares, in its only time."""
    pools = zip(state.expression.pools, state.each[0], strict=True)
    values = iter([pool_total(pool, dice) for pool, dice in pools])
    left = evaluated(tree.left, lambda _: next(values))
    return left, evaluated(tree.right, lambda _: next(values))


def strips(
    expression: Expression, each: Sequence[Sequence[Sequence[Rolled]]], body: Mapping[str, str] | None = None
) -> tuple[Strip, ...]:
    """The dice of every pool and time. A strip for each; equal dice that are rolled several times share one."""
    pools, left = expression.pools, TILES_MOST
    found = list[Strip]()
    for at, pool in enumerate(pools):
        tiles = tuple(tile for time in each for tile in tiles_of(pool, time[at], body))[: max(0, left)]
        left -= len(tiles)
        label = pool.note or (f"{len(each)} times {pool.text}" if len(each) > 1 else pool.text)
        found.append(Strip(label, tiles, beside=len(found) > 0))
    return tuple(strip for strip in found if strip.tiles)


def tiles_of(pool: Pool, rolled: Sequence[Rolled], body: Mapping[str, str] | None = None) -> list[Tile]:
    return [tile(pool, die, body or {}) for die in rolled]


def tile(pool: Pool, die: Rolled, body: Mapping[str, str]) -> Tile:
    """A die: struck out if it was dropped, grey if it is no success, chained to the die that it exploded out of."""
    falls = [step.face for step in die.trail if step.how in ("rolled", "rerolled", "entered")]
    failed = pool.success is not None and not pool.value(int(die.face))
    kind = die.kind.lower()
    return Tile(
        body.get(kind, BODIES.get(kind, kind)),
        face_of(pool, die.face),
        "cancelled" if not die.counts else "failed" if failed else "stands",
        badge="card" if any(step.how == "changed" for step in die.trail) else "",
        ghost=face_of(pool, falls[-2]) if len(falls) > 1 else "",
        linked=die.trail[0].by == EXPLODES,
    )


def face_of(pool: Pool, face: object) -> str:
    return FUDGE[str(face)] if pool.fudge else str(face)


def trail(expression: Expression, each: Sequence[Sequence[Sequence[Rolled]]]) -> list[str]:
    """A line for each pool: its dice with what happened to them, and what it came to."""
    lines = []
    for at, time in enumerate(each, 1):
        first = f"{at}. " if len(each) > 1 else ""
        for pool, rolled in zip(expression.pools, time, strict=True):
            came = pool_total(pool, rolled)
            result = quantity(came, "success", "successes") if pool.success else str(came)
            story = ", ".join(steps(pool, die) for die in rolled)
            lines.append(f"{first}{pool.text}{f' ({pool.note})' if pool.note else ''}: {story} = {result}")
    return lines


def steps(pool: Pool, die: Rolled) -> str:
    """``5``, ``1 → 5``, ``3 (dropped)``."""
    faces = [face_of(pool, step.face) for step in die.trail if step.how != "cancelled"]
    return " → ".join(faces) + ("" if die.counts else " (dropped)")


def in_words(shown: Sequence[Strip]) -> str:
    return ". ".join(f"{strip.label}: {dice(strip.tiles)}" for strip in shown)


def hidden(pools: Sequence[Sequence[Rolled]]) -> str:
    """That the picture leaves dice out, if it does."""
    fell = sum(map(len, pools))
    return f"The picture shows {TILES_MOST} of {fell} dice" if fell > TILES_MOST else ""


# Odds


def odds_card(answer: RollOdds) -> Card:
    """The distribution of one time as a chart, with mean and spread."""
    distribution, declared = answer.distribution, answer.declared
    mean = distribution.mean(int)
    spread = sqrt(distribution.mean(lambda value: value * value) - mean * mean)
    least, most = min(distribution.weights), max(distribution.weights)
    is_check = set(distribution.weights) <= {0, 1}
    shown = chart(declared.dice, distribution)
    return Card(
        title=f"Any dice: odds · {declared.dice}",
        outcome=f"Chance of a success: {percent(mean)}."
        if is_check
        else f"Average of {declared.dice}: {decimal(mean)}.",
        facts=(
            ("Range", f"{least} to {most}, standard deviation {spread:.2f}"),
            ("Chances", "\n".join(at_least_lines(distribution))),
        ),
        small="Exact, for one time" if declared.times > 1 else "Exact",
        alt=", ".join(f"{bar.label}: {percent(bar.chances[0], 1)}" for bar in shown.bars),
        figure=shown,
        ahead="nobody",
    )


def chart(name: str, distribution: Distribution[int]) -> Bars:
    """The distribution as bars; where there are too many results, several to a bar."""
    bars, means = binned([distribution])
    return Bars((name,), bars, tuple(means))


def binned(distributions: Sequence[Distribution[int]]) -> tuple[tuple[Bar, ...], list[Fraction]]:
    """Bars over all results of some distributions, and where on them their averages lie."""
    least = min(min(one.weights) for one in distributions)
    most = max(max(one.weights) for one in distributions)
    wide = -(-(most - least + 1) // BARS_MOST)
    bars = []
    for first in range(least, most + 1, wide):
        last = min(first + wide - 1, most)
        chances = [
            Fraction(sum(one.weights.get(value, 0) for value in range(first, last + 1)), one.total)
            for one in distributions
        ]
        bars.append(Bar(str(first) if first == last else f"{first}–{last}", tuple(chances)))
    return tuple(bars), [(one.mean(int) - least) / wide - Fraction(wide - 1, 2 * wide) for one in distributions]


def at_least_lines(distribution: Distribution[int]) -> list[str]:
    """``at least 9: 83.80 %`` for some results from the second lowest to the highest."""
    values = sorted(distribution.weights)[1:]
    step = -(-len(values) // LINES_MOST) or 1
    picked = values[::step] + ([values[-1]] if values and (len(values) - 1) % step else [])
    chances = [distribution.probability(partial(le, least)) for least in picked]
    lines = [f"at least {least}: {percent(chance)}" for least, chance in zip(picked, chances, strict=True)]
    return lines or [f"always {next(iter(distribution.weights))}"]
