"""The exact chances of what a system calls its results.

Dice of a pool are thrown alike, so what they show together is joined die by die: the law of n dice maps what is
measured of them (how many show 6, the highest, ...) to its weight, and that of all pools is made pair by pair.
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
from bot.rules.anydice.formula import Measure
from bot.rules.anydice.systems import System
from bot.rules.anydice.tree import Comparison, Pool, evaluated
from bot.rules.text import Text

STATES_MOST: Final = 60_000
"""So many different combinations of what is measured are looked at."""
Parts = tuple[Any, ...]
"""What is known of some dice: the total of each pool, as far as it is needed, and a part for each measure."""


@dataclass(frozen=True, slots=True)
class Read:
    """The law of what is counted, None where it is that of the notation; and the chance of each name."""

    scores: Distribution[int] | None
    readings: Mapping[str, Fraction]


def read(line: Line) -> Read:
    """Raises ``Uncountable`` for too many combinations."""
    game = line.game
    assert game is not None  # noqa: S101 - whoever calls has looked
    ways: dict[Parts, int] = {((), *(None for _ in game.measures)): 1}
    for pool in line.pools:
        ways = joined(game, ways, of_pool(game, pool))
    scores, named, total = defaultdict[int, int](int), dict.fromkeys(names(game), 0), sum(ways.values())
    for parts, weight in ways.items():
        reading = game.read(known(line, game, parts))
        scores[reading.score] += weight
        found = [*([reading.result.name] if reading.result else []), *reading.also]
        for name in (*found, *(one.one for one, _ in reading.counts)):
            named[name] += weight
    shares = {name: Fraction(weight, total) for name, weight in named.items()}
    return Read(laws.ordered(Distribution(dict(scores), total)) if game.score else None, shares)


def names(game: System) -> tuple[str, ...]:
    """The names of its results, and those of what it counts beside."""
    return (*(one.name for one in (*game.results, *game.also)), *(one.one for one in game.counts))


def known(line: Line, game: System, parts: Parts) -> dict[str | Measure, int]:
    """What the formulas of a system ask, of one combination."""
    totals = iter(parts[0])
    tree = line.tree.left if isinstance(line.tree, Comparison) else line.tree
    found: dict[str | Measure, int] = dict.fromkeys(game.pools, 0)
    found |= {pool.note: total for pool, total in zip(line.pools, parts[0], strict=True)}
    found |= game.known(line.options)
    found["rolled"] = evaluated(tree, lambda _: next(totals))
    return found | {one: one.value(part) for one, part in zip(game.measures, parts[1:], strict=True)}


def joined(game: System, ways: Mapping[Parts, int], more: Mapping[Parts, int]) -> dict[Parts, int]:
    """All combinations of what is known with those of one more pool."""
    check(len(ways) * len(more))
    found: defaultdict[Parts, int] = defaultdict(int)
    for (totals, *parts), weight in ways.items():
        for (total, *others), times in more.items():
            together = (
                one.joined(*pair) for one, pair in zip(game.measures, zip(parts, others, strict=True), strict=True)
            )
            found[((*totals, total), *together)] += weight * times
    return dict(found)


def check(states: int) -> None:
    effort.check(states, STATES_MOST // 10)
    if states > STATES_MOST:
        raise laws.uncountable(Text("there are too many results to combine"))


def of_pool(game: System, pool: Pool) -> dict[Parts, int]:
    """What the dice of a pool come to, and what each measure sees of them."""
    kept = pool.keep.kept(pool.count) if pool.keep else (0, 0)
    ways: dict[Parts, int] = {((), *(None for _ in game.measures)): 1}
    one = of_die(game, pool)
    for _ in range(pool.count):
        found: defaultdict[Parts, int] = defaultdict(int)
        for (values, *parts), weight in ways.items():
            for (value, *others), times in one.items():
                together = (
                    each.joined(*pair)
                    for each, pair in zip(game.measures, zip(parts, others, strict=True), strict=True)
                )
                found[(counting(pool, (*values, value), kept), *together)] += weight * times
        ways = dict(found)
        check(len(ways))
    totals: defaultdict[Parts, int] = defaultdict(int)
    for (values, *parts), weight in ways.items():
        totals[(sum(values), *parts)] += weight
    return dict(totals)


def counting(pool: Pool, values: tuple[int, ...], kept: tuple[int, int]) -> tuple[int, ...]:
    """The values that may still count: the sum, or of dice of which some are kept the highest or the lowest."""
    if pool.keep is None:
        return (sum(values),)
    low, high = kept
    ordered = sorted(values)
    if low:
        return tuple(ordered[-(pool.count - low) :])
    return tuple(ordered[: pool.count - high]) if high else tuple(ordered)


def of_die(game: System, pool: Pool) -> dict[Parts, int]:
    """What one die adds, with what explodes out of it, and what each measure sees of the die itself."""
    found: defaultdict[Parts, int] = defaultdict(int)
    for face, value, weight in faces(pool):
        symbols = game.symbols(pool.note, face)
        parts = (one.part(face, symbols) if one.sees(pool.note) else None for one in game.measures)
        found[(value, *parts)] += weight
    return dict(found)


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
