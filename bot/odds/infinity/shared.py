"""The joint distribution where one roll is compared with several enemies: its dice are the same in each comparison.

Given the best score of the shared roll its enemies are independent of each other, so the joint weights are a
sum over that score.
"""

from collections.abc import Sequence
from itertools import product
from math import comb, prod

from bot.odds.distribution import Distribution
from bot.odds.infinity.rolls import Scores, evades, scores
from bot.rules.infinity.declared import SIDES, TrooperRoll
from bot.rules.infinity.resolve import Winner

Pattern = tuple[Winner, ...]
"""Who wins each comparison: ``a`` is the shared roll, ``b`` the enemy."""


def winners(shared: TrooperRoll, enemies: Sequence[TrooperRoll]) -> Distribution[Pattern]:
    """Who wins against each enemy, jointly."""
    mine, theirs = scores(shared), [scores(enemy) for enemy in enemies]
    weights: dict[Pattern, int] = {}
    for height, ways in mine.bests():
        chances = [who_wins(height, enemy, mine) for enemy in theirs]
        for pattern in product(*chances):
            weight = ways * prod(chance[who] for chance, who in zip(chances, pattern, strict=True))
            if weight:
                weights[pattern] = weights.get(pattern, 0) + weight
    return Distribution(weights, mine.total * prod(enemy.total for enemy in theirs))


def who_wins(height: int, enemy: Scores, shared: Scores) -> dict[Winner, int]:
    """Ways of an enemy against a best score of ``height`` of the ``shared`` roll: beaten, winning, or neither."""
    if enemy.unrolled:
        evaded = evades(height, shared, enemy)
        return {"a": int(evaded), "b": int(not evaded), "nobody": 0}
    beaten = enemy.best_at_most(height - 1)
    wins = enemy.total - enemy.best_at_most(height)
    return {"a": beaten, "b": wins, "nobody": enemy.total - beaten - wins}


def hits_on_shared(shared: TrooperRoll, enemies: Sequence[TrooperRoll]) -> Distribution[int]:
    """All hits, Criticals among them, that the enemies together land on the trooper of the shared roll."""
    mine, theirs = scores(shared), [scores(enemy) for enemy in enemies]
    attacks = [enemy.action.is_attack for enemy in enemies]
    weights: dict[int, int] = {}
    for height, ways in mine.bests():
        landed = {0: ways}
        for enemy, hits in zip(theirs, attacks, strict=True):
            landed = summed(landed, dice_above(height, enemy, mine) if hits else {0: enemy.total})
        for hits_on, weight in landed.items():
            weights[hits_on] = weights.get(hits_on, 0) + weight
    return Distribution(weights, mine.total * prod(enemy.total for enemy in theirs))


def dice_above(height: int, enemy: Scores, shared: Scores) -> dict[int, int]:
    """Ways for each number of an enemy's dice that stand above ``height``; nothing stands above a Critical."""
    if enemy.unrolled:
        return {0 if evades(height, shared, enemy) else enemy.unrolled: 1}
    above = SIDES - enemy.up_to[height]
    found: dict[int, int] = {}
    for dice in range(enemy.thrown + 1 if above else 1):
        ways = comb(enemy.thrown, dice) * above**dice * (SIDES - above) ** (enemy.thrown - dice)
        found[min(dice, enemy.kept)] = found.get(min(dice, enemy.kept), 0) + ways
    return found


def summed(one: dict[int, int], other: dict[int, int]) -> dict[int, int]:
    """Ways for each sum of two independent numbers."""
    found: dict[int, int] = {}
    for first, ways in one.items():
        for second, more in other.items():
            if ways and more:
                found[first + second] = found.get(first + second, 0) + ways * more
    return found
