"""The exact distribution of Saving Rolls, and of the Wounds where the loser of a roll has to save."""

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import comb

from bot.odds.distribution import Distribution
from bot.odds.infinity.rolls import Outcome, power, summed
from bot.rules.infinity import saves
from bot.rules.infinity.declared import SIDES, Save
from bot.rules.infinity.resolve import Winner


def wounds(save: Save) -> Distribution[int]:
    """The Wounds that the Saving Rolls cost; none where the ammunition brings a state."""
    return lost(save, [one.wounds for one in saves.due(save)], saves.automatic(save))


def failures(save: Save) -> Distribution[int]:
    """How many of the Saving Rolls fail."""
    return lost(save, [1] * len(saves.due(save)))


def lost(save: Save, each: list[int], without: int = 0) -> Distribution[int]:
    """The distribution of a sum to which each failed Saving Roll adds its own amount.

    ``without`` are lost without a save. Each save is made up to ``tries`` times, until it is passed (Continuous
    Damage): of ``20 ** tries`` ways, ``failing ** f * passing * 20 ** (tries - f - 1)`` fail f times and then pass.
    """
    tries = saves.tries(save)
    weights = {without: 1}
    for (one, amount), count in Counter(zip(saves.due(save), each, strict=True)).items():
        failing = sum(not one.passes(face) for face in saves.FACES)
        if tries == 1:  # the sum of equal saves is binomial: one convolution instead of one for each save
            weights = summed(weights, binomial(failing, count, amount))
            continue
        chain: Counter[int] = Counter({tries * amount: power(failing, tries)})
        for fails in range(tries):
            chain[fails * amount] += power(failing, fails) * (SIDES - failing) * power(SIDES, tries - fails - 1)
        for _ in range(count):
            weights = summed(weights, chain)
    return Distribution(weights, power(SIDES, tries * len(each)))


def binomial(failing: int, count: int, amount: int) -> dict[int, int]:
    """Ways in which so many of ``count`` saves fail, each of which costs ``amount``."""
    ways: Counter[int] = Counter()
    for failed in range(count + 1):
        ways[failed * amount] += comb(count, failed) * power(failing, failed) * power(SIDES - failing, count - failed)
    return ways


def on_loser(
    compared: Distribution[Outcome], winner: Winner, hit: Save, count: Callable[[Save], Distribution[int]]
) -> dict[int, Fraction]:
    """The probabilities that ``winner`` wins and the loser then loses so much; they add up to that of the win."""
    found: dict[int, Fraction] = defaultdict(Fraction)
    for (who, hits, crits), ways in compared.weights.items():
        if who == winner:
            saving = count(replace(hit, hits=hits, crits=crits))
            for amount, more in saving.weights.items():
                found[amount] += Fraction(ways * more, compared.total * saving.total)
    return dict(sorted(found.items()))
