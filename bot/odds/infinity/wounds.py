"""The exact distribution of Saving Rolls, and of the Wounds where the loser of a roll has to save."""

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import comb

from bot.odds.distribution import Distribution
from bot.odds.infinity.rolls import Outcome, power
from bot.odds.infinity.shared import summed
from bot.rules.infinity import saves
from bot.rules.infinity.declared import SIDES, Save
from bot.rules.infinity.resolve import Winner


def wounds(save: Save) -> Distribution[int]:
    """The Wounds that the Saving Rolls cost; none where the ammunition brings a state."""
    return lost(save, [one.wounds for one in saves.due(save)])


def failures(save: Save) -> Distribution[int]:
    """How many of the Saving Rolls fail."""
    return lost(save, [1] * len(saves.due(save)))


def lost(save: Save, each: list[int]) -> Distribution[int]:
    """The distribution of a sum to which each failed Saving Roll adds its own amount."""
    groups = Counter(zip((one.attribute for one in saves.due(save)), each, strict=True))
    weights = {0: 1}
    for (attribute, amount), count in groups.items():
        failing = sum(not saves.passes(save, attribute, face) for face in saves.FACES)
        ways: Counter[int] = Counter()
        for failed in range(count + 1):
            fallen = power(failing, failed) * power(SIDES - failing, count - failed)
            ways[failed * amount] += comb(count, failed) * fallen
        weights = summed(weights, ways)
    return Distribution(weights, power(SIDES, len(each)))


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
