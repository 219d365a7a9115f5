"""The exact distribution of a roll in dice notation, where it can be counted in reasonable time.

Pools are independent, so a tree is counted from its leaves: a pool of n equal dice is the n-th power of the
distribution of one die, a sum is a convolution, and a comparison splits two distributions.

Convolutions are done by Kronecker substitution. Write a distribution as the polynomial sum(weight_v x^v) and put
x = 2^(8 b), with b bytes enough for every weight of the result. The polynomial becomes one integer, and Python's own
multiplication of integers does all additions and carries at once: no weight reaches 2^(8 b), so no two of them mix, and
the weights are the digits of the product in base 2^(8 b). 100 dice of 20 sides take 4 ms, and term by term 600.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb, gcd
from typing import Final

from bot.odds import effort
from bot.odds.distribution import Distribution, exact
from bot.odds.luck import CACHED, Luck, luck_of
from bot.rules.anydice.notation import CHAIN_MOST, Calculation, Comparison, Node, Number, Pool, calculate, parse
from bot.rules.anydice.play import Declared, Roll
from bot.rules.errors import PlayerError

BYTES_MOST: Final = 120_000
"""The longest integer that a distribution is packed into: Python multiplies two such in some 50 ms, without a pause."""
PAIRS_MOST: Final = 100_000
"""The most pairs of outcomes that are looked at one by one."""
KEEP_MOST: Final = 3_000_000
"""The most bytes that are moved to count which dice are kept."""
AT_ONCE: Final = 10
"""Within ``effort.small_only`` a tenth of each of these: some 2 ms."""


class Uncountable(PlayerError):
    """The exact distribution of a roll takes too long, or is not known."""


def uncountable(why: str) -> Uncountable:
    return Uncountable(f"I can roll this, but not count its exact odds: {why}.")


@dataclass(frozen=True, slots=True)
class RollOdds:
    """The answer that the odds card draws; the distribution is that of one time."""

    declared: Declared
    distribution: Distribution[int]


def count(declared: Declared) -> RollOdds:
    """The answer to ``/roll`` with ``odds``. Raises ``Uncountable``."""
    return RollOdds(declared, law(declared.dice))


def odds(declared: Declared) -> Mapping[str, object]:
    """Mean, variance, least and most, and the probability of each total, in JSON words. Raises ``Uncountable``."""
    return numbers(law(declared.dice))


def numbers(distribution: Distribution[int]) -> dict[str, object]:
    mean = distribution.mean(int)
    shares = {str(value): exact(Fraction(weight, distribution.total)) for value, weight in distribution.weights.items()}
    return {
        "mean": exact(mean),
        "variance": exact(distribution.mean(lambda value: value * value) - mean * mean),
        "least": min(distribution.weights),
        "most": max(distribution.weights),
        "distribution": shares,
    }


def luck(state: Roll) -> Luck | None:
    """By the sum of all times; None where nothing is at stake or the odds cannot be counted."""
    try:
        distribution = power(law(state.declared.dice), state.declared.times)
    except Uncountable:
        return None
    return luck_of(sum(state.totals), distribution, "rolls", "whoever wants a high result")


@lru_cache(maxsize=CACHED)
def law(text: str) -> Distribution[int]:
    """The distribution of what dice notation comes to, in the order of the totals. Raises ``Uncountable``."""
    return ordered(of_tree(parse(text).tree))


def ordered(distribution: Distribution[int]) -> Distribution[int]:
    return reduced({value: distribution.weights[value] for value in sorted(distribution.weights)}, distribution.total)


def reduced(weights: Mapping[int, int], total: int) -> Distribution[int]:
    """With weights that have no divisor in common, and without impossible outcomes."""
    divisor = gcd(total, *weights.values())
    return Distribution({value: weight // divisor for value, weight in weights.items() if weight}, total // divisor)


def of_tree(node: Node) -> Distribution[int]:
    if isinstance(node, Number):
        return Distribution({node.value: 1}, 1)
    if isinstance(node, Pool):
        return of_pool(node)
    left, right = of_tree(node.left), of_tree(node.right)
    if isinstance(node, Comparison):
        return compared(left, node, right)
    return calculated(left, node, right)


def calculated(left: Distribution[int], node: Calculation, right: Distribution[int]) -> Distribution[int]:
    pairs = len(left.weights) * len(right.weights)
    if node.operator in "+-" and pairs > PAIRS_MOST // 20:
        return convolved(left, right.map(int.__neg__) if node.operator == "-" else right)
    effort.check(pairs, PAIRS_MOST // AT_ONCE)
    if pairs > PAIRS_MOST:
        raise uncountable("there are too many results to combine")
    weights: defaultdict[int, int] = defaultdict(int)
    for (one, here), (other, there) in product(left.weights.items(), right.weights.items()):
        weights[calculate(node.operator, one, other)] += here * there
    return reduced(weights, left.total * right.total)


def compared(left: Distribution[int], node: Comparison, right: Distribution[int]) -> Distribution[int]:
    """The weight of 1 where it holds, and of 0 where not."""
    higher, equal, lower = duel(left, right)
    holds = {
        ">": higher,
        ">=": higher + equal,
        "=": equal,
        "!=": higher + lower,
        "<=": lower + equal,
        "<": lower,
    }[node.sign]
    total = left.total * right.total
    return reduced({0: total - holds, 1: holds}, total)


def duel(left: Distribution[int], right: Distribution[int]) -> tuple[int, int, int]:
    """How many of ``left.total * right.total`` ways make the left higher, both equal, and the left lower.

    One pass over both in order: before each outcome of the left, everything lower of the right has been added up.
    """
    higher, equal, below = 0, 0, 0
    rest = sorted(right.weights.items(), reverse=True)
    for value in sorted(left.weights):
        while rest and rest[-1][0] < value:
            below += rest.pop()[1]
        higher += left.weights[value] * below
        equal += left.weights[value] * right.weights.get(value, 0)
    return higher, equal, left.total * right.total - higher - equal


# Convolution


def pack(distribution: Distribution[int], size: int) -> int:
    """The weights as digits of ``size`` bytes, the least outcome first."""
    first, last = min(distribution.weights), max(distribution.weights)
    digits = (distribution.weights.get(value, 0).to_bytes(size, "little") for value in range(first, last + 1))
    return int.from_bytes(b"".join(digits), "little")


def unpack(packed: int, size: int, first: int, length: int, total: int) -> Distribution[int]:
    digits = packed.to_bytes(size * length, "little")
    weights = {first + at: int.from_bytes(digits[at * size : (at + 1) * size], "little") for at in range(length)}
    return reduced(weights, total)


def size_of(total: int, length: int) -> int:
    """Bytes of a digit that holds ``total``. Raises ``Uncountable`` if so many digits are too long."""
    size = (total.bit_length() + 7) // 8
    effort.check(size * length, BYTES_MOST // AT_ONCE)
    if size * length > BYTES_MOST:
        raise uncountable("there are too many dice or too many sides")
    return size


def convolved(left: Distribution[int], right: Distribution[int]) -> Distribution[int]:
    """The distribution of the sum of two independent outcomes."""
    first = min(left.weights) + min(right.weights)
    length = max(left.weights) + max(right.weights) - first + 1
    size = size_of(left.total * right.total, length)
    return unpack(pack(left, size) * pack(right, size), size, first, length, left.total * right.total)


def power(one: Distribution[int], times: int) -> Distribution[int]:
    """The distribution of the sum of ``times`` independent outcomes."""
    if times == 1:
        return one
    first, last = times * min(one.weights), times * max(one.weights)
    length = last - first + 1
    # Before one.total ** times is worked out: it is what makes the digits long.
    if one.total.bit_length() * times // 8 * length > BYTES_MOST + length:
        raise uncountable("there are too many dice or too many sides")
    total = one.total**times
    size = size_of(total, length)
    return unpack(pack(one, size) ** times, size, first, length, total)


# Pools


def of_pool(pool: Pool) -> Distribution[int]:
    if pool.keep is not None:
        if pool.explode is not None:
            raise uncountable("dice explode, and only some of them are kept")
        return kept(pool)
    return power(of_chain(pool), pool.count)


def of_die(pool: Pool) -> Distribution[int]:
    """The faces of one die after its rerolls.

    Of s faces m are rerolled, at most r times in all. A face that stays comes at the first throw, or after 1, ..., r
    rerolls: sum(m^i s^(r - i), i = 0 ... r) of s^(r + 1) ways. A face that is rerolled remains only if all r rerolls
    showed such a face too: the r faces before it are free, m^r ways.
    """
    sides, test = len(pool.faces), pool.reroll
    if test is None:
        return Distribution(dict.fromkeys(pool.faces, 1), sides)
    most = 1 if pool.reroll_once else CHAIN_MOST
    matched = sum(map(test.fits, pool.faces))
    stays = sum(matched**at * sides ** (most - at) for at in range(most + 1))
    weights = {face: matched**most if test.fits(face) else stays for face in pool.faces}
    return reduced(weights, sides ** (most + 1))


def of_chain(pool: Pool) -> Distribution[int]:
    """What one die adds to its pool, with the dice that explode out of it.

    Let X_0 be one die and X_j a die with at most j more behind it: a face that does not explode adds its value, one
    that does adds its value and X_(j-1). So X_j is a mixture of shifts, up to X_10.
    """
    die = of_die(pool)
    if pool.explode is None:
        return reduced(die.map(pool.value).weights, die.total)
    behind, exploding = die.map(pool.value), sum(map(pool.explode.fits, die.weights))
    for _ in range(CHAIN_MOST):
        if len(behind.weights) * exploding > PAIRS_MOST:
            raise uncountable("the dice have too many sides to explode")
        weights: defaultdict[int, int] = defaultdict(int)
        for face, weight in die.weights.items():
            value = pool.value(face)
            if pool.explode.fits(face):
                for more, ways in behind.weights.items():
                    weights[value + more] += weight * ways
            else:
                weights[value] += weight * behind.total
        behind = reduced(weights, die.total * behind.total)
    return behind


def kept(pool: Pool) -> Distribution[int]:
    """What the kept dice of a pool add up to.

    The dice are placed value by value, the lowest first: c of the n - j dice that are not placed yet lie on a value of
    weight w in comb(n - j, c) w^c ways. The dice take the places j, ..., j + c - 1 in the order of their values, so how
    many of them lie between the dropped ends is known, and each of those adds the value to the sum. ``ways[j]`` is the
    polynomial of the sum so far, packed; adding is a shift. Values are counted from the lowest: none is negative.
    """
    assert pool.keep is not None  # noqa: S101 - whoever calls has looked
    die = of_die(pool)
    faces = die.map(pool.limited)  # the order, and what is dropped, goes by what a die counts after mi and ma
    low, high = pool.keep.kept(pool.count)
    dice, middle = pool.count, pool.count - high
    adds = {face: (face if pool.success is None else int(pool.success.fits(face))) for face in faces.weights}
    first = min(adds.values())
    length = (middle - low) * (max(adds.values()) - first) + 1
    moved = die.total.bit_length() * dice // 8 * length * len(adds) * dice * dice // 8 // 40
    effort.check(moved, KEEP_MOST // AT_ONCE)
    if moved > KEEP_MOST:
        raise uncountable("there are too many dice of which some are kept")
    total = die.total**dice
    size = size_of(total, length)
    ways = {0: 1}
    for face in sorted(adds):
        weight, after = faces.weights[face], defaultdict[int, int](int)
        powers = [weight**more for more in range(dice + 1)]
        for placed, packed in ways.items():
            for more in range(dice - placed + 1):
                between = max(0, min(placed + more, middle) - max(placed, low))
                shift = 8 * size * between * (adds[face] - first)
                after[placed + more] += (packed * (comb(dice - placed, more) * powers[more])) << shift
        ways = dict(after)
    return unpack(ways[dice], size, first * (middle - low), length, total)
