"""The exact chances of what a system calls its results.

Dice are thrown one after the other, and of all that have fallen only what the system asks is kept: how many show 6, the
highest, a net of symbols, what each pool adds up to. So the law of n dice is made of few states, each with its weight.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from bot.odds import dice_laws as laws
from bot.odds import effort
from bot.odds.distribution import Distribution
from bot.rules.anydice.expression import Line
from bot.rules.anydice.formula import Measured
from bot.rules.anydice.systems import System
from bot.rules.anydice.tree import Comparison, Pool, evaluated

STEPS_MOST: Final = 250_000
"""So often, at most, a state is joined with a face of a die: some seconds."""
State = tuple[Any, ...]
"""What is known of dice: the totals of pools, the values of the last pool that may still count, and its measures."""
Ways = Mapping[State, int]


@dataclass(frozen=True, slots=True)
class Read:
    """The law of what is counted, None where it is that of the notation; and the chance of each name.

    ``charts``: the law of each number that its system draws.
    """

    scores: Distribution[int] | None
    readings: Mapping[str, Fraction]
    charts: Mapping[str, Distribution[int]]


def read(line: Line) -> Read:
    """Raises ``Uncountable`` for too many states."""
    game = line.game
    assert game is not None  # noqa: S101 - whoever calls has looked
    ways = thrown(game, line.pools)
    scores, named, total = defaultdict[int, int](int), dict.fromkeys(names(game), 0), sum(ways.values())
    drawn = [defaultdict[int, int](int) for _ in game.charts]
    for state, weight in ways.items():
        reading = game.read(known(line, game, state))
        scores[reading.score] += weight
        found = [*([reading.result.name] if reading.result else []), *reading.also]
        for name in (*found, *(one.one for one, _ in reading.counts)):
            named[name] += weight
        for law, value in zip(drawn, reading.charts, strict=True):
            law[value] += weight
    charts = {
        one.name: laws.ordered(Distribution(dict(law), total)) for one, law in zip(game.charts, drawn, strict=True)
    }
    shares = {name: Fraction(weight, total) for name, weight in named.items()}
    return Read(laws.ordered(Distribution(dict(scores), total)) if game.score else None, shares, charts)


def names(game: System) -> tuple[str, ...]:
    """The names of its results, and those of what it counts beside."""
    return (*(one.name for one in (*game.results, *game.also)), *(one.one for one in game.counts))


def known(line: Line, game: System, state: State) -> dict[str | Measured, int]:
    """What the formulas of a system ask, of one state."""
    totals, _, *parts = state
    tree = line.tree.left if isinstance(line.tree, Comparison) else line.tree
    found: dict[str | Measured, int] = dict.fromkeys(game.pools, 0)
    found |= {pool.note: total for pool, total in zip(line.pools, totals, strict=True)}
    found |= game.known(line.options)
    left = iter(totals)
    found["rolled"] = evaluated(tree, lambda _: next(left)) if game.needs_totals else 0
    return found | {one: one.value(part) for one, part in zip(game.measures, parts, strict=True)}


def thrown(game: System, pools: tuple[Pool, ...]) -> Ways:
    """The states after all dice."""
    ways: Ways = {((), (), *(None for _ in game.measures)): 1}
    steps = 0
    for pool in pools:
        die = of_die(game, pool)
        for _ in range(pool.count):
            steps += len(ways) * len(die)
            check(steps)
            ways = with_die(game, pool, ways, die)
        ways = with_total(ways)
    return ways


def check(steps: int) -> None:
    effort.check(steps, STEPS_MOST // 100)
    if steps > STEPS_MOST:
        raise laws.uncountable(laws.TOO_MANY_RESULTS)


def with_die(game: System, pool: Pool, ways: Ways, die: Ways) -> Ways:
    """The states after one more die of a pool."""
    found: defaultdict[State, int] = defaultdict(int)
    for (totals, values, *parts), weight in ways.items():
        for (value, *others), times in die.items():
            together = (
                one.joined(*pair) for one, pair in zip(game.measures, zip(parts, others, strict=True), strict=True)
            )
            found[(totals, counting(pool, (*values, value)), *together)] += weight * times
    return found


def with_total(ways: Ways) -> Ways:
    """The states at the end of a pool, of which only the total matters from now on."""
    found: defaultdict[State, int] = defaultdict(int)
    for (totals, values, *parts), weight in ways.items():
        found[((*totals, sum(values)), (), *parts)] += weight
    return found


def counting(pool: Pool, values: tuple[int, ...]) -> tuple[int, ...]:
    """The values that may still count: their sum, or of dice of which some are kept the highest or the lowest."""
    if pool.keep is None:
        return (sum(values),)
    low, high = pool.keep.kept(pool.count)
    ordered = sorted(values)
    if low:
        return tuple(ordered[-(pool.count - low) :])
    return tuple(ordered[: pool.count - high]) if high else tuple(ordered)


def of_die(game: System, pool: Pool) -> Ways:
    """What one die adds, with what explodes out of it, and what each measure sees of the die itself."""
    found: defaultdict[State, int] = defaultdict(int)
    for face, value, weight in faces(pool):
        symbols = game.symbols(pool.note, face)
        parts = (one.part(pool.note, face, symbols) for one in game.measures)
        found[(value if game.needs_totals else 0, *parts)] += weight
    return found


def faces(pool: Pool) -> list[tuple[int, int, int]]:
    """The faces of one die, each with what it adds and a weight; a face that explodes adds more in several ways."""
    if pool.bonus:
        return [(face, face, weight) for face, weight in laws.of_tens(pool).weights.items()]
    die = laws.grown(pool) if pool.grows else laws.of_die(pool)
    if pool.explode is None or pool.grows:
        return [(pool.limited(face), pool.value(face), weight) for face, weight in die.weights.items()]
    behind = laws.of_followers(pool)
    found = []
    for face, weight in die.weights.items():
        if pool.explode.fits(face):
            found += [(face, pool.value(face) + more, weight * ways) for more, ways in behind.weights.items()]
        else:
            found.append((face, pool.value(face), weight * behind.total))
    return found
