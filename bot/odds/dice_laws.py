"""The exact distribution of a roll in dice notation, if it can be computed in reasonable time.

Pools are independent, so a tree is computed from its leaves: a pool of n equal dice is the n-th power of one die's
distribution, a sum is a convolution, a comparison splits two distributions. Convolutions use Kronecker substitution
(``distribution.convolve``): 100 20-sided dice take 4 ms; term by term, 600.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial, reduce
from itertools import product
from math import comb, gcd, lcm, prod
from operator import neg
from typing import Any, Final, TypeVar

from bot.odds import luck, size_limit
from bot.odds.distribution import Distribution, convolve, digit_size, pack, unpack
from bot.rules.anydice import notation, play, tree as trees
from bot.rules.anydice.tree import Best, Calculation, Comparison, DicePool, Digits, Node, NumberLiteral, Rounded
from bot.rules.errors import PlayerError
from bot.rules.text import Text

K = TypeVar("K", bound=Hashable)

MAX_BYTES: Final = 120_000
"""Maximum bytes of a packed distribution: Python multiplies two in about 50 ms without yielding."""
MAX_PAIRS: Final = 100_000
"""Maximum pairs of outcomes enumerated."""
MAX_KEEP: Final = 3_000_000
"""Maximum bytes moved to count kept dice."""
AT_ONCE: Final = 10
"""Factor for these within ``size_limit.refuse_large_questions``: about 2 ms."""


class UncountableRollError(PlayerError):
    """A roll's exact distribution takes too long, or is unknown."""


TOO_MANY_DICE: Final = Text("there are too many dice or too many sides")
TOO_MANY_RESULTS: Final = Text("there are too many results to combine")


def uncountable(why: Text) -> UncountableRollError:
    return UncountableRollError(
        Text("I can roll this, but not calculate its exact odds: {why}. Try fewer dice or a simpler roll.", why=why)
    )


def check(size: int, most: int, why: Text) -> None:
    """Raise ``UncountableRollError`` above ``most``, ``QuestionTooLargeError`` if too large to compute at once."""
    size_limit.check(size, most // AT_ONCE)
    if size > most:
        raise uncountable(why)


@lru_cache(maxsize=luck.CACHED)
def law(text: str) -> Distribution[int]:
    """Return the distribution of dice notation, ordered by total. Raises ``UncountableRollError``."""
    return law_of_order(of_tree(notation.parse(text).line.tree))


def law_of_order(distribution: Distribution[int]) -> Distribution[int]:
    return reduce_weights(dict(sorted(distribution.weights.items())), distribution.total)


def reduce_weights(weights: Mapping[K, int], total: int) -> Distribution[K]:
    """Return the distribution with weights divided by their common divisor, without impossible outcomes."""
    divisor = gcd(total, *weights.values())
    return Distribution({value: weight // divisor for value, weight in weights.items() if weight}, total // divisor)


def of_tree(node: Node, calculates: trees.Calculates = trees.calculate) -> Distribution[Any]:
    """Return the law of a tree with independent parts; ``calculates`` as in ``tree.evaluate``."""
    if isinstance(node, NumberLiteral):
        return Distribution({node.value: 1}, 1)
    if isinstance(node, DicePool):
        return of_pool(node)
    if isinstance(node, Digits):
        # every number that the digits can form is equally likely
        numbers = [trees.in_digits(faces) for faces in product(*(pool.faces for pool in node.pools))]
        return Distribution(dict.fromkeys(numbers, 1), len(numbers))
    if isinstance(node, Rounded):
        return reduced_values(of_tree(node.node, trees.calculate_exactly), trees.ROUNDINGS[node.how])
    parts = [of_tree(child, calculates) for child in trees.children(node)]
    if isinstance(node, Best):
        return best_outcome(parts, highest=node.highest) if node.count == 1 else best_of(parts, node)
    left, right = parts
    return compare(left, node, right) if isinstance(node, Comparison) else apply_operator(left, node, right, calculates)


def best_outcome(laws: Sequence[Distribution[int]], *, highest: bool) -> Distribution[int]:
    """Return the law of the highest: P(all <= v) is a product. The lowest is the highest of the negatives."""
    if not highest:
        return best_outcome([distribution.map(neg) for distribution in laws], highest=True).map(neg)
    size_limit.check(sum(len(distribution.weights) for distribution in laws), MAX_PAIRS // AT_ONCE)
    values = sorted({value for distribution in laws for value in distribution.weights})
    below, total, weights = [0] * len(laws), prod(distribution.total for distribution in laws), dict[int, int]()
    before = 0
    for value in values:
        below = [ways + each.weights.get(value, 0) for ways, each in zip(below, laws, strict=True)]
        weights[value], before = prod(below) - before, prod(below)
    return reduce_weights(weights, total)


def best_of(laws: Sequence[Distribution[int]], node: Best) -> Distribution[int]:
    """Return the law of the sum of the highest of independent outcomes, some with equal laws.

    Outcomes are placed value by value, in keeping order. ``ways[left, sum]``: how many of each law are not placed yet,
    and the sum of the kept ones.
    """
    kinds = list({tuple(distribution.weights.items()): distribution for distribution in laws}.values())
    counts = tuple(sum(other.weights == kind.weights for other in laws) for kind in kinds)
    ways: Mapping[tuple[tuple[int, ...], int], int] = {(counts, 0): 1}
    steps = 0
    for value in sorted({value for kind in kinds for value in kind.weights}, reverse=node.highest):
        after = defaultdict[tuple[tuple[int, ...], int], int](int)
        weights = [kind.weights.get(value, 0) for kind in kinds]
        for (left, so_far), weight in ways.items():
            free = max(0, node.count - (len(laws) - sum(left)))
            for more in product(*(range(many + 1 if here else 1) for many, here in zip(left, weights, strict=True))):
                times = prod(comb(many, n) * here**n for many, n, here in zip(left, more, weights, strict=True))
                rest = tuple(many - n for many, n in zip(left, more, strict=True))
                after[rest, so_far + value * min(free, sum(more))] += weight * times
                steps += 1
            check(steps, MAX_PAIRS, TOO_MANY_RESULTS)
        ways = after
    none_left = tuple(0 for _ in kinds)
    weights_of = {so_far: weight for (left, so_far), weight in ways.items() if left == none_left}
    return reduce_weights(weights_of, prod(distribution.total for distribution in laws))


def apply_operator(
    left: Distribution[Any], node: Calculation, right: Distribution[Any], calculates: trees.Calculates = trees.calculate
) -> Distribution[Any]:
    pairs = len(left.weights) * len(right.weights)
    digits = sum(max(item.weights) - min(item.weights) for item in (left, right))
    if node.operator in "+-" and pairs > 2 * digits and calculates is trees.calculate:
        return add_laws(left, right.map(int.__neg__) if node.operator == "-" else right)
    return combine(left, right, partial(calculates, node.operator))


def combine(left: Distribution[K], right: Distribution[K], combine: Callable[[K, K], K]) -> Distribution[K]:
    """Return the law of a function of two independent outcomes, pair by pair."""
    check(len(left.weights) * len(right.weights), MAX_PAIRS, TOO_MANY_RESULTS)
    weights: defaultdict[K, int] = defaultdict(int)
    for (item, here), (other, there) in product(left.weights.items(), right.weights.items()):
        weights[combine(item, other)] += here * there
    return reduce_weights(weights, left.total * right.total)


def compare(left: Distribution[int], node: Comparison, right: Distribution[int]) -> Distribution[int]:
    """Return the weight of 1 if it is true, and of 0 if not."""
    ways = zip((1, 0, -1), duel(left, right), strict=True)  # left is higher, equal, lower
    holds = sum(count for order, count in ways if trees.COMPARISONS[node.sign](order, 0))
    total = left.total * right.total
    return reduce_weights({0: total - holds, 1: holds}, total)


def duel(left: Distribution[Any], right: Distribution[Any]) -> tuple[int, int, int]:
    """Return the ways, of ``left.total * right.total``, in which left is higher, equal, and lower. One ordered pass
    over both: before each left outcome, all lower right ones have been added up.
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


def size_of(total: int, length: int) -> int:
    """Return the bytes of a digit for ``total``. Raises ``UncountableRollError`` for too many digits."""
    size = digit_size(total)
    check(size * length, MAX_BYTES, TOO_MANY_DICE)
    return size


def add_laws(left: Distribution[int], right: Distribution[int]) -> Distribution[int]:
    """Return the law of the sum of two independent outcomes. Raises ``UncountableRollError``."""
    size_of(left.total * right.total, sum(max(item.weights) - min(item.weights) for item in (left, right)) + 1)
    distribution = convolve(left, right)
    return reduce_weights(distribution.weights, distribution.total)


def power(distribution: Distribution[int], times: int) -> Distribution[int]:
    """Return the law of the sum of ``times`` independent outcomes."""
    if times < 2:
        return distribution if times else Distribution({0: 1}, 1)
    first = times * min(distribution.weights)
    length = times * max(distribution.weights) - first + 1
    # Checked before ``one.total ** times`` is computed, which makes the digits long.
    if distribution.total.bit_length() * times // 8 * length > MAX_BYTES + length:
        raise uncountable(TOO_MANY_DICE)
    total = distribution.total**times
    size = size_of(total, length)
    return reduce_weights(unpack(pack(distribution, size) ** times, size, first, length, total).weights, total)


# Pools


def of_steps(steps: Sequence[trees.ChainStep]) -> list[Distribution[int]]:
    """Return the outcomes of one die that enters each step; last, of one that passed all."""
    laws = [Distribution({1: 1}, 1)]
    for step in reversed(steps):
        die = of_die(step.die)
        parts = []
        for face, weight in die.weights.items():
            after = (power(laws[min(skips, len(laws) - 1)], count) for skips, count in step.outcomes(face))
            parts.append((Fraction(weight, die.total), reduce(add_laws, after)))
        laws.insert(0, mixture(*parts))
    return laws


def of_models(pool: DicePool, attacks: Distribution[int], damage: Distribution[int]) -> Distribution[int]:
    """Return the law of models killed by a number of attacks, one after the other."""
    ways, result, most, steps = {(0, 0): 1}, defaultdict[int, int](int), max(attacks.weights), 0
    for number in range(most + 1):
        for (fallen, _), weight in ways.items():
            result[fallen] += attacks.weights.get(number, 0) * weight * damage.total ** (most - number)
        steps += len(ways) * len(damage.weights)
        check(steps, MAX_PAIRS, TOO_MANY_RESULTS)
        after = defaultdict[tuple[int, int], int](int)
        for (state, weight), (points, chance) in product(ways.items(), damage.weights.items()):
            after[pool.wound_model(*state, points)] += weight * chance
        ways = after
    return reduce_weights(result, attacks.total * damage.total**most)


def of_pool(pool: DicePool) -> Distribution[int]:
    if pool.steps:
        first, behind, *_ = of_steps(pool.steps[: pool.damage_step] if pool.wounds else pool.steps)
        through = add_laws(power(first, pool.count), power(behind, pool.plus))
        return of_models(pool, through, of_steps(pool.steps[pool.damage_step :])[0]) if pool.wounds else through
    if pool.bonus:
        return of_tens(pool)
    if pool.unique:
        return of_different(pool) if pool.unique == "u" else of_different_once(pool)
    if pool.keep is None and pool.explosion == "one for all" and pool.count > 1:
        return of_one_for_all(pool)
    if pool.keep is None:
        return power(of_chain(pool), pool.count)
    if pool.explode is None:
        return keep_dice(pool, of_die(pool))
    if pool.is_exploding_sum:
        return keep_dice(pool, exploding_sum(pool))
    raise uncountable(Text("the dice explode, and only some are kept"))


def of_tens(pool: DicePool) -> Distribution[int]:
    """Return the law of a d100 with bonus or penalty dice: the best or worst of the results with k tens.

    With ones u the ten results t + u, sorted, are v_1 < ... < v_10 (00 with a 0 is 100). The best of k is v_i in (11 -
    i)^k - (10 - i)^k of 10^k ways, the worst in i^k - (i - 1)^k.
    """
    tens, weights = abs(pool.bonus) + 1, dict[int, int]()
    for ones in range(10):
        results = sorted(play.percent(ten, ones) for ten in trees.TENS)
        for at, result in enumerate(results if pool.bonus < 0 else reversed(results), 1):
            weights[result] = at**tens - (at - 1) ** tens
    return reduce_weights(weights, 10 * 10**tens)


def of_different(pool: DicePool) -> Distribution[int]:
    """Return the law of dice with distinct faces: every set of n faces is equally likely.

    Faces are taken or skipped, lowest first. The j-th taken has rank j, so whether it is kept is known. ``ways[j,
    sum]``: the choices so far of j faces with such a sum.
    """
    dice = pool.count
    low, high = pool.keep.count_dropped(dice) if pool.keep else (0, 0)
    values = [pool.value(face) for face in pool.faces]
    steps = len(values) * dice * (dice * (max(values) - min(values)) + 1)
    check(steps, MAX_PAIRS * AT_ONCE, TOO_MANY_DICE)
    ways: Mapping[tuple[int, int], int] = {(0, 0): 1}
    for value in values:
        after = defaultdict[tuple[int, int], int](int, ways)
        for (taken, so_far), weight in ways.items():
            if taken < dice:
                after[taken + 1, so_far + value * (low <= taken < dice - high)] += weight
        ways = after
    sums = {so_far: weight for (taken, so_far), weight in ways.items() if taken == dice}
    return reduce_weights(sums, comb(len(values), dice))


def of_different_once(pool: DicePool) -> Distribution[int]:
    """Return the law of dice rerolled once if they repeat an earlier face.

    ``ways[faces, sum]``: the faces so far, and their sum. Each die has two throws; the second counts only if the first
    repeats a face.
    """
    if pool.keep or pool.only:
        raise uncountable(Text("the dice differ, and only some are kept"))
    ways: Mapping[tuple[frozenset[int], int], int] = {(frozenset(), 0): 1}
    steps, sides = 0, len(pool.faces)
    for _ in range(pool.count):
        after = defaultdict[tuple[frozenset[int], int], int](int)
        for (lie, so_far), weight in ways.items():
            for face in pool.faces:
                times = len(lie) + (0 if face in lie else sides)
                after[lie | {face}, so_far + pool.value(face)] += weight * times
        steps += len(ways) * sides
        check(steps, MAX_PAIRS, TOO_MANY_DICE)
        ways = after
    weights = defaultdict[int, int](int)
    for (_, so_far), weight in ways.items():
        weights[so_far] += weight
    return reduce_weights(weights, sides ** (2 * pool.count))


def of_one_for_all(pool: DicePool) -> Distribution[int]:
    """Return the law of dice that add one more if any matches: all ways, of which those without a match add none."""
    test = pool.explode
    assert test is not None  # noqa: S101 - the caller has checked
    die, more = of_die(pool), reduced_values(of_die(replace(pool, reroll=None)), pool.value)
    every = power(reduced_values(die, pool.value), pool.count)
    share, plain = part_of(die, lambda face: not test.fits(face))
    if not share:
        return add_laws(every, more)
    none = power(reduced_values(plain, pool.value), pool.count)
    share **= pool.count
    return mixture((Fraction(1), add_laws(every, more)), (-share, add_laws(none, more)), (share, none))


def part_of(die: Distribution[int], event: Callable[[int], bool]) -> tuple[Fraction, Distribution[int]]:
    """Return the chance of some faces, and their conditional law."""
    weights = {face: weight for face, weight in die.weights.items() if event(face)}
    return die.probability(event), Distribution(weights, sum(weights.values()))


def mixture(*parts: tuple[Fraction, Distribution[int]]) -> Distribution[int]:
    """Return the mixture of laws with weights that add up to 1 and may be negative."""
    result = defaultdict[int, Fraction](Fraction)
    for share, distribution in parts:
        for value, weight in distribution.weights.items():
            result[value] += share * Fraction(weight, distribution.total)
    total = lcm(*(chance.denominator for chance in result.values()))
    return reduce_weights({value: int(chance * total) for value, chance in result.items()}, total)


def of_die(pool: DicePool) -> Distribution[int]:
    """Return the law of one die after its rerolls.

    Of s faces m are rerolled, at most r times in all. A face that stays comes at the first throw, or after 1, ..., r
    rerolls: sum(m^i s^(r - i), i = 0 ... r) of s^(r + 1) ways. A rerolled face remains only if all r rerolls showed
    such a face: the r faces before it are free, m^r ways.
    """
    sides, test = len(pool.faces), pool.reroll
    if test is None:
        return Distribution(dict.fromkeys(pool.faces, 1), sides)
    most = 1 if pool.reroll_once else trees.MAX_CHAIN
    matched = sum(map(test.fits, pool.faces))
    stays = sum(matched**at * sides ** (most - at) for at in range(most + 1))
    weights = {face: matched**most if test.fits(face) else stays for face in pool.faces}
    return reduce_weights(weights, sides ** (most + 1))


def of_chain(pool: DicePool) -> Distribution[int]:
    """Return the law of one die with the dice that explode out of it.

    Let X_0 be one die and X_j a die followed by at most j more: a face that does not explode adds its value, one that
    does adds its value and X_(j-1). So X_j is a mixture of shifts, up to X_10. A later die may count less: then the
    first die has values of its own.
    """
    if pool.is_exploding_sum:
        return reduced_values(exploding_sum(pool), pool.value)
    die = of_die(pool)
    if not pool.implode:
        return with_followers(pool, die)
    taken = of_die(replace(pool, reroll=None)).map(int.__neg__)
    less, low = part_of(die, lambda face: face <= pool.implode)
    more, high = part_of(die, lambda face: face > pool.implode)
    return mixture((less, add_laws(with_followers(pool, low), taken)), (more, with_followers(pool, high)))


def with_followers(pool: DicePool, die: Distribution[int]) -> Distribution[int]:
    """Return what a die adds with the dice that explode out of it, if there are any."""
    if pool.explode is None:
        return reduced_values(die, pool.value)
    return chain_explosion(pool, die, of_followers(pool), pool.value)


def of_followers(pool: DicePool) -> Distribution[int]:
    """Return what the dice after an exploding die add: X_9, or X_0 if they don't explode further."""
    die, less = of_die(pool), int(pool.explosion == "penetrating")
    if pool.explosion == "one for all":
        return reduced_values(of_die(replace(pool, reroll=None)), pool.value)

    def value(face: int) -> int:
        return pool.value(face - less)

    behind = reduced_values(die, value)
    for _ in range(pool.links - 1):
        behind = chain_explosion(pool, die, behind, value)
    return behind


def reduced_values(distribution: Distribution[K], value: Callable[[K], int]) -> Distribution[int]:
    result = distribution.map(value)
    return reduce_weights(result.weights, result.total)


def exploding_sum(pool: DicePool) -> Distribution[int]:
    """Return the value of one die that adds up everything that explodes out of it, before limits."""
    die = of_die(pool)
    behind = die
    for _ in range(trees.MAX_CHAIN):
        behind = chain_explosion(pool, die, behind, int)
    return behind


def chain_explosion(
    pool: DicePool, die: Distribution[int], behind: Distribution[int], value: Callable[[int], int]
) -> Distribution[int]:
    """Return the law of a die that adds ``behind`` if it explodes."""
    assert pool.explode is not None  # noqa: S101 - the caller has checked
    exploding = sum(map(pool.explode.fits, die.weights))
    check(len(behind.weights) * exploding, MAX_PAIRS, Text("the dice have too many sides to explode"))
    weights: defaultdict[int, int] = defaultdict(int)
    for face, weight in die.weights.items():
        if pool.explode.fits(face):
            for more, ways in behind.weights.items():
                weights[value(face) + more] += weight * ways
        else:
            weights[value(face)] += weight * behind.total
    return reduce_weights(weights, die.total * behind.total)


def keep_dice(pool: DicePool, die: Distribution[int]) -> Distribution[int]:
    """Return the law of the sum of a pool's kept dice, each with the law ``die``.

    Dice are placed value by value, lowest first: c of the n - j remaining dice show a value of weight w in comb(n - j,
    c) w^c ways. They take ranks j, ..., j + c - 1, so how many of them are kept is known, and each of those adds the
    value. ``ways[j]``: the packed polynomial of the sum so far; adding is a shift. Values count from the lowest, so
    none is negative.
    """
    assert pool.keep is not None  # noqa: S101 - the caller has checked
    faces = die.map(pool.limit_face)  # order and dropping use the value after mi and ma
    low, high = pool.keep.count_dropped(pool.count)
    dice, middle = pool.count, pool.count - high
    adds = {face: pool.value(face) for face in faces.weights}
    first = min(adds.values())
    length = (middle - low) * (max(adds.values()) - first) + 1
    moved = die.total.bit_length() * dice // 8 * length * len(adds) * dice * dice // 8 // 40
    check(moved, MAX_KEEP, Text("there are too many dice to keep only some"))
    total = die.total**dice
    size = size_of(total, length)
    ways = {0: 1}
    for face in sorted(adds):
        weight, after = faces.weights[face], defaultdict[int, int](int)
        powers = [weight**more for more in range(dice + 1)]
        for placed, so_far in ways.items():
            for more in range(dice - placed + 1):
                between = max(0, min(placed + more, middle) - max(placed, low))
                shift = 8 * size * between * (adds[face] - first)
                after[placed + more] += (so_far * (comb(dice - placed, more) * powers[more])) << shift
        ways = dict(after)
    return reduce_weights(unpack(ways[dice], size, first * (middle - low), length, total).weights, total)


def faces_of(pool: DicePool) -> list[tuple[int, int, int]]:
    """Return one die's faces with value and weight; an exploding face has several values."""
    if pool.bonus:
        return [(face, face, weight) for face, weight in of_tens(pool).weights.items()]
    die = exploding_sum(pool) if pool.is_exploding_sum else of_die(pool)
    if pool.explode is None or pool.is_exploding_sum:
        return [(pool.limit_face(face), pool.value(face), weight) for face, weight in die.weights.items()]
    behind, nothing = of_followers(pool), Distribution({0: 1}, 1)
    taken = of_die(replace(pool, reroll=None)).map(int.__neg__) if pool.implode else nothing
    result = []
    for face, weight in die.weights.items():
        more = behind if pool.explode.fits(face) else taken if pool.implode and face <= pool.implode else nothing
        share = weight * (behind.total * taken.total // more.total)
        result += [(face, pool.value(face) + value, share * ways) for value, ways in more.weights.items()]
    return result


# Ends of chains


def cut_off_chance(line: trees.ExpressionLine) -> Fraction:
    """Return the chance that any die would continue past the explosion or reroll limit; dice are independent."""
    stays = Fraction(1)
    for pool in line.pools:
        chance = Fraction(0)
        if pool.explode is not None and pool.links == trees.MAX_CHAIN:
            die = of_die(pool)
            chance = die.probability(pool.explode.fits) ** (trees.MAX_CHAIN + 1)
        elif pool.reroll is not None and not pool.reroll_once:
            chance = Fraction(sum(map(pool.reroll.fits, pool.faces)), len(pool.faces)) ** (trees.MAX_CHAIN + 1)
        stays *= (1 - chance) ** pool.count
    return 1 - stays
