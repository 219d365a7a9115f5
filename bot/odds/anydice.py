"""The odds of a roll in dice notation, and of its system's results."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import Any, Final

from bot.odds import dice_laws, size_limit
from bot.odds.dice_laws import TOO_MANY_RESULTS, check, cut_off_chance, faces_of, law, power, size_of, uncountable
from bot.odds.distribution import Distribution, convolve, exact
from bot.odds.luck import CACHED, RollLuck, luck_of
from bot.rules.anydice import RequestedRoll, RollRequest, State, formula, notation, systems
from bot.rules.anydice.play import Declared, DieCause, pushed_line, was_changed
from bot.rules.anydice.tree import Calculation, Comparison, DicePool, ExpressionLine, Node, NumberLiteral, evaluate_tree
from bot.rules.text import Text


@dataclass(frozen=True, slots=True)
class LineOdds:
    """The exact law of one roll. ``readings``: chances of its system's results and counts.

    ``charts``: the law of each number that the system charts, if there are several. ``pushed``: chances after a push,
    if any roll of these dice may be pushed. ``cut_off``: the chance that a die would explode, or be rerolled, beyond
    the limit; the law respects the limit.
    """

    line: ExpressionLine
    distribution: Distribution[int]
    readings: Mapping[str, Fraction]
    cut_off: Fraction
    charts: Mapping[str, Distribution[int]] = field(default_factory=dict)
    pushed: Mapping[str, Fraction] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RollOdds:
    """The odds card's answer: each different roll once."""

    declared: Declared | RollRequest
    lines: tuple[LineOdds, ...]


def count(declared: Declared | RollRequest) -> RollOdds:
    """Answer ``/roll`` with ``odds``. Raises ``UncountableRollError``."""
    return RollOdds(declared, tuple(map(line_odds, declared.expression.lines)))


def line_odds(line: ExpressionLine) -> LineOdds:
    game = line.game
    if game is None:
        distribution, chances = law(line.notation), dict[str, Fraction]()
        if any(pool.failure for pool in line.pools):  # dice can remove successes
            chances["botch"] = distribution.probability(lambda net: net < 0)
        return LineOdds(line, distribution, chances, cut_off_chance(line))
    ways = states(game, line)
    total, readings = sum(ways.values()), [game.read(formula_values(line, game, state)) for state in ways]

    def law_by(values: Iterable[int]) -> Distribution[int]:
        weights = defaultdict[int, int](int)
        for value, weight in zip(values, ways.values(), strict=True):
            weights[value] += weight
        return dice_laws.law_of_order(Distribution(dict(weights), total))

    is_read = game.score or (line.is_check and any(item.good is not None for item in readings))
    scores = law_by(item.total(is_check=True, plain=1) for item in readings) if is_read else law(line.notation)
    shares, pushed = reading_chances(game, line, ways), pushed_chances(game, line, ways)
    charts = {chart.name: law_by(reading.charts[at] for reading in readings) for at, chart in enumerate(game.charts)}
    return LineOdds(line, scores, shares, cut_off_chance(line), charts, pushed)


def reading_chances(game: systems.System, line: ExpressionLine, ways: "Ways") -> dict[str, Fraction]:
    named = Counter[str]()
    for state, weight in ways.items():
        named.update(dict.fromkeys(game.read(formula_values(line, game, state)).names, weight))
    return {name: Fraction(named[name], sum(ways.values())) for name in game.readings if named[name]}


def pushed_chances(game: systems.System, line: ExpressionLine, ways: "Ways") -> dict[str, Fraction]:
    """Return the chances after a push, with its extra die; {} if some rolls can't be pushed."""
    push = game.push
    if push is None:
        return {}
    if push.never and any(push.never.value(game.evaluate(formula_values(line, game, state))[0]) for state in ways):
        return {}
    after, before = pushed_line(line), {pool.note: pool.count for pool in line.pools}
    return reading_chances(game, after, states_after_dice(game, after.pools, push, before))


@lru_cache(maxsize=CACHED)
def law_of(text: str) -> Distribution[int]:
    """Return a roll's distribution, as its system counts. Raises ``UncountableRollError``."""
    return line_odds(notation.parse(text).line).distribution


@lru_cache(maxsize=CACHED)
def standings(text: str) -> Distribution[tuple[int, ...]]:
    """Return the law of the values by which a system decides contests. Raises ``UncountableRollError``."""
    line = notation.parse(text).line
    assert line.game is not None  # noqa: S101 - the caller has checked
    weights, ways = Counter[tuple[int, ...]](), states(line.game, line)
    for state, weight in ways.items():
        weights[line.game.standing(formula_values(line, line.game, state))] += weight
    return Distribution(dict(weights), sum(ways.values()))


def odds(declared: Declared | RollRequest) -> Mapping[str, object]:
    """Return how it was ``understood``, and ``numbers`` for each different roll, once. Several rolls are a list,
    ``rolls``. Raises ``UncountableRollError``.
    """
    understood = {"understood": declared.expression.canonical_text}
    rolls = [line_numbers(line) for line in count(declared).lines]
    return {**understood, **rolls[0]} if len(rolls) == 1 else {**understood, "rolls": rolls}


def line_numbers(item: LineOdds) -> dict[str, object]:
    words = numbers(item.distribution)
    if item.readings:
        words["readings"] = {name: exact(chance) for name, chance in item.readings.items()}
    if item.pushed:
        words["pushed"] = {name: exact(chance) for name, chance in item.pushed.items()}
    if item.charts:
        words["charts"] = {name: numbers(law) for name, law in item.charts.items()}
    if item.cut_off:
        words["cut_off"] = exact(item.cut_off)
    return words


def numbers(distribution: Distribution[int]) -> dict[str, object]:
    """Return mean, variance, minimum, maximum, and each total's probability in JSON words."""
    mean = distribution.mean(int)
    shares = {str(value): exact(Fraction(weight, distribution.total)) for value, weight in distribution.weights.items()}
    variance = distribution.mean(lambda value: value * value) - mean * mean
    least, most = min(distribution.weights), max(distribution.weights)
    return {"mean": exact(mean), "variance": exact(variance), "least": least, "most": most, "distribution": shares}


def luck(state: State) -> RollLuck | None:
    """Return the luck by the sum of all repeats; None for several rolls, pending or rerolled dice, or no odds."""
    if isinstance(state, RequestedRoll):
        return None
    lines = state.expression.lines
    is_changed = any(was_changed(state, cause) for cause in (DieCause.PUSHED, DieCause.REROLLED))
    if len(lines) > 1 or state.waits_for or is_changed:
        return None
    try:
        distribution = power(line_odds(lines[0]).distribution, lines[0].times)
    except dice_laws.UncountableRollError:
        return None
    return luck_of(sum(state.totals), distribution, Text("rolls"), Text("Luck for a high result"), None)


# States of a system's dice
# Dice are added one at a time, keeping only what the system needs: the number of sixes, the highest, net symbols, the
# total of each pool. So the law of n dice needs few states, each with its weight.

MAX_STEPS: Final = 250_000
"""Maximum combinations of a state with a face of a die: some seconds."""
Fallen = tuple[Any, ...]
"""Partial state of a roll: totals of pools, the last pool's values that may count, and its measures."""
Ways = Mapping[Fallen, int]


def formula_values(line: ExpressionLine, game: systems.System, state: Fallen) -> dict[str | formula.Measured, int]:
    totals, _, *parts = state
    tree = line.tree.left if isinstance(line.tree, Comparison) else line.tree
    pools = {pool.note: total for pool, total in zip(line.pools, totals, strict=True)}
    left = iter(totals)
    rolled = evaluate_tree(tree, lambda _: next(left)) if game.needs_totals else 0
    measured = (item.value(part) for item, part in zip(game.measures, parts, strict=True))
    return game.formula_values(line.options, pools, rolled, measured)


def states_after_dice(
    game: systems.System,
    pools: tuple[DicePool, ...],
    push: systems.Push | None = None,
    before: Mapping[str, int] = MappingProxyType({}),
) -> Ways:
    """The states after all dice; or after the ``push`` of so many of each pool ``before`` it, with those it adds."""
    ways: Ways = {((), (), *(None for _ in game.measures)): 1}
    steps = 0
    for pool in pools:
        dice = of_system_die(game, pool, push), of_system_die(game, pool)
        for at in range(pool.count):
            die = dice[at >= before.get(pool.note, 0)]
            steps += len(ways) * len(die)
            size_limit.check(steps, MAX_STEPS // 100)
            if steps > MAX_STEPS:
                raise uncountable(TOO_MANY_RESULTS)
            ways = with_die(game, pool, ways, die)
        ways = with_total(ways)
    return ways


def states(game: systems.System, line: ExpressionLine) -> Ways:
    return (summed_up if adds_up(game, line) else states_after_dice)(game, line.pools)


def adds_up(game: systems.System, line: ExpressionLine) -> bool:
    """Whether only the sum of all dice counts, apart from measures."""

    def is_sum(node: Node) -> bool:
        if isinstance(node, Calculation):
            is_known = is_sum if node.operator == "+" else is_number
            return node.operator in "+-" and is_sum(node.left) and is_known(node.right)
        return is_number(node) or (isinstance(node, DicePool) and node.keep is None)

    def is_number(node: Node) -> bool:
        return isinstance(node, NumberLiteral)

    tree = line.tree.left if isinstance(line.tree, Comparison) else line.tree
    return is_sum(tree) and not any(item.names & set(game.pools) for item in game.formulas)


def summed_up(game: systems.System, pools: tuple[DicePool, ...]) -> Ways:
    """Return the states after all dice if only the sum counts: a law of sums per combination of measures."""
    laws: dict[Fallen, Distribution[int]] = {tuple(None for _ in game.measures): Distribution({0: 1}, 1)}
    steps = 0
    for pool in pools:
        die = defaultdict[Fallen, dict[int, int]](dict)
        for (value, *seen), weight in of_system_die(game, pool).items():
            die[tuple(seen)][value] = weight
        total = sum(sum(weights.values()) for weights in die.values())
        for _ in range(pool.count):
            result = defaultdict[Fallen, Counter[int]](Counter)
            for (parts, so_far), (others, weights) in product(laws.items(), die.items()):
                steps += len(so_far.weights) + len(weights)
                check(steps, MAX_STEPS, TOO_MANY_RESULTS)
                size_of(so_far.total * total, len(so_far.weights) + len(weights))
                each = zip(game.measures, parts, others, strict=True)
                together = tuple(item.join_parts(mine, other) for item, mine, other in each)
                result[together].update(convolve(so_far, Distribution(weights, total)).weights)
            laws = {parts: Distribution(dict(weights), sum(weights.values())) for parts, weights in result.items()}
    nothing = (0,) * (len(pools) - 1)
    return {
        ((rolled, *nothing), (), *parts): weight
        for parts, each in laws.items()
        for rolled, weight in each.weights.items()
    }


def with_die(game: systems.System, pool: DicePool, ways: Ways, die: Ways) -> Ways:
    """Return the states after one more die of a pool."""
    result: defaultdict[Fallen, int] = defaultdict(int)
    for (totals, values, *parts), weight in ways.items():
        for (value, *others), times in die.items():
            each = zip(game.measures, parts, others, strict=True)
            together = (item.join_parts(mine, other) for item, mine, other in each)
            result[(totals, countable_values(pool, (*values, value)), *together)] += weight * times
    return result


def with_total(ways: Ways) -> Ways:
    """Return the states at the end of a pool, reduced to its total."""
    result: defaultdict[Fallen, int] = defaultdict(int)
    for (totals, values, *parts), weight in ways.items():
        result[((*totals, sum(values)), (), *parts)] += weight
    return result


def countable_values(pool: DicePool, values: tuple[int, ...]) -> tuple[int, ...]:
    """Return the values that may still count: their sum, or the highest or lowest of kept dice."""
    if pool.keep is None:
        return (sum(values),)
    low, high = pool.keep.count_dropped(pool.count)
    ordered = sorted(values)
    if low:
        return tuple(ordered[-(pool.count - low) :])
    return tuple(ordered[: pool.count - high]) if high else tuple(ordered)


def of_system_die(game: systems.System, pool: DicePool, push: systems.Push | None = None) -> Ways:
    """Return one die's values, with explosions, and its measures."""
    result: defaultdict[Fallen, int] = defaultdict(int)
    faces = faces_of(pool)
    if push is not None:
        first = [(*item, push.keeps(pool.note, item[0])) for item in faces]
        total = sum(weight for _, _, weight, _ in first)
        again = sum(weight for _, _, weight, keeps in first if not keeps)
        faces = [(face, value, weight * (again + total * keeps)) for face, value, weight, keeps in first]
    for face, value, weight in faces:
        symbols = game.symbols(pool.note, face)
        seen = value if game.sees_explosions else face
        parts = (measure.part_of_die(pool.note, seen, symbols) for measure in game.measures)
        result[(value if game.needs_totals else 0, *parts)] += weight
    return result
