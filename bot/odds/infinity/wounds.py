"""The exact law of Saving Rolls, and of the Wounds where the loser of a roll has to save."""

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from bot.odds.infinity.rolls import Outcome, power
from bot.odds.infinity.shared import summed
from bot.odds.law import Law
from bot.rules.infinity import saves
from bot.rules.infinity.declared import SIDES, Save
from bot.rules.infinity.resolve import Winner


def wounds(save: Save) -> Law[int]:
    """The Wounds that the Saving Rolls cost; none where the ammunition brings a state."""
    return lost(save, [one.wounds for one in saves.due(save)], saves.automatic(save))


def failures(save: Save) -> Law[int]:
    """How many of the Saving Rolls fail."""
    return lost(save, [1] * len(saves.due(save)))


def lost(save: Save, each: list[int], without: int = 0) -> Law[int]:
    """The law of a sum to which each failed Saving Roll adds its own amount; ``without`` are lost without a save.

    Each save is made up to ``tries`` times, until it is passed (Continuous Damage): it fails f times and then passes
    in ``failing ** f * passing`` ways of ``20 ** (f + 1)``, here all scaled to ``20 ** tries``.
    """
    tries = saves.tries(save)
    groups = Counter(zip(saves.due(save), each, strict=True))
    weights = {without: 1}
    for (one, amount), count in groups.items():
        failing = sum(not one.passes(face) for face in saves.FACES)
        single = {fails * amount: 0 for fails in range(tries + 1)}
        for fails in range(tries + 1):
            ways = power(failing, fails) * (
                power(SIDES - failing, 1) * power(SIDES, tries - fails - 1) if fails < tries else 1
            )
            single[fails * amount] += ways
        for _ in range(count):
            weights = summed(weights, single)
    return Law(weights, power(SIDES, tries * len(each)))


def on_loser(law: Law[Outcome], winner: Winner, hit: Save, count: Callable[[Save], Law[int]]) -> dict[int, Fraction]:
    """The chances that ``winner`` wins and the loser then loses so much; together they are the chance of the win."""
    found: dict[int, Fraction] = defaultdict(Fraction)
    for (who, hits, crits), ways in law.weights.items():
        if who == winner:
            saving = count(replace(hit, hits=hits, crits=crits))
            for amount, more in saving.weights.items():
                found[amount] += Fraction(ways * more, law.total * saving.total)
    return dict(sorted(found.items()))
