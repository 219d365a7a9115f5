"""The exact distribution of Saving Rolls, and of every trooper's Wounds in an order.

A trooper's dice may be compared with several enemies, so those results are dependent. Given the dice's best score they
are independent: an enemy's uncanceled dice depend on that score and its own dice only. So Wounds are counted for each
best score, convolved over the enemies, and added up, weighted by the score's ways. A trooper's different rolls, and
Normal Rolls against it, are independent.

All weights are integers: an attack of n dice with at most m Saving Rolls has ``20 ** (n + m)`` ways, and results with
fewer saves are scaled up.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import Final

from bot.odds import size_limit
from bot.odds.distribution import Distribution, binomial
from bot.odds.infinity import rolls
from bot.rules.errors import BadInputError
from bot.rules.game import Side
from bot.rules.infinity.dice import saves
from bot.rules.infinity.dice.resolve import Winner
from bot.rules.infinity.orders import play
from bot.rules.infinity.troopers import states
from bot.rules.infinity.troopers.declared import SIDES, Ammo, Order, Save, TargetProfile, TrooperRoll
from bot.rules.text import Count, Name, Text

MAX_STEPS: Final = 400_000
"""Maximum of ``steps``: about 50 ms on one core; larger questions are refused."""
STEPS_AT_ONCE: Final = 16_000
"""Within ``size_limit.refuse_large_questions``: about 2 ms."""
CACHED: Final = 1024


@dataclass(frozen=True, slots=True)
class TargetAttack:
    """An attack on a trooper: the roll, each hit's saves, and both sides' scores."""

    roll: TrooperRoll
    save: Save
    dice: rolls.DiceScores
    own: rolls.DiceScores | None


@dataclass(frozen=True, slots=True)
class TrooperOdds:
    """The law of an order's effect on a trooper. ``wounds`` lost, or failed saves if nothing costs Wounds
    (``only_states``). ``down``: the chance to end Unconscious or Dead, None if its Wounds are unknown.
    """

    name: Name
    side: Side
    wounds: Distribution[int]
    down: Fraction | None
    only_states: bool = False

    @property
    def harm_chance(self) -> Fraction:
        return self.wounds.probability(bool)


def harm(order: Order) -> tuple[TrooperOdds, ...]:
    """Return the order's effect on each trooper with known weapons and armor, targets first. Raises ``BadInputError``
    if it takes too long, ``QuestionTooLargeError`` if too long to compute at once.
    """
    rolls = {roll.name: roll.side for roll in order.rolls}
    aims = {meeting.target: order.rolls[meeting.a].side.other for meeting in order.meetings if meeting.target}
    sides = {**rolls, **aims, **rolls}
    names = sorted(sides, key=lambda name: sides[name] is Side.ATTACKER)
    attacks = {name: attacks_on(order, name) for name in names}
    size = sum(steps(attack) for groups in attacks.values() for _, group in groups for attack in group)
    size_limit.check(size, STEPS_AT_ONCE)
    if size > MAX_STEPS:
        allowed = Text("Use fewer dice: this order is too large to calculate exactly.")
        raise BadInputError("order", Count(len(order.rolls), "roll", "rolls"), allowed)
    result = [harm_of(name, groups) for name, groups in attacks.items()]
    return tuple(trooper for trooper in result if trooper is not None)


def harm_of(name: str, groups: Sequence[tuple[TrooperRoll | None, Sequence[TargetAttack]]]) -> TrooperOdds | None:
    """Return the effect of attacks on one trooper; None if nobody attacks it, or something isn't known."""
    every = [attack for _, attacks in groups for attack in attacks]
    known = [saves.is_known(replace(attack.save, hits=1)) or not attack.save.weapon.is_saved for attack in every]
    if not every or not all(known):
        return None
    only_states = not any(saves.costs_wounds(attack.save.weapon) for attack in every)
    weights, total = {0: 1}, 1
    for own, attacks in groups:
        lost, ways = combine_attacks(own, attacks, only_states)
        weights, total = rolls.add_ways(weights, lost), total * ways
    distribution = Distribution(weights, total)
    profile = every[0].save.profile
    shock = any(Ammo.SHOCK in saves.as_target_feels(attack.save.weapon, profile).ammo for attack in every)
    falls = None if only_states else down_chance(distribution, profile, shock)
    return TrooperOdds(Name(name), every[0].save.side, distribution, falls, only_states)


def down_chance(lost: Distribution[int], profile: TargetProfile, shock: bool = False) -> Fraction | None:
    """Return the chance to end Unconscious or Dead; Dogged and No Wound Incapacitation last one Wound more."""
    if profile.wounds is None:
        return None
    lasts = int(saves.as_trooper("", profile).has(*states.STANDING) and not shock)
    left = max(1, profile.wounds - profile.lost + lasts)
    return lost.probability(lambda wounds: wounds >= left)


def attacks_on(order: Order, name: str) -> list[tuple[TrooperRoll | None, list[TargetAttack]]]:
    """Return the attacks on a trooper, grouped by its roll they are compared with; None for Normal Rolls."""
    compared: dict[int, list[TargetAttack]] = {}
    alone: list[tuple[TrooperRoll | None, list[TargetAttack]]] = []
    for at, meeting in enumerate(order.meetings):
        ends: dict[Winner, tuple[int | None, int | None]] = {"b": (meeting.b, meeting.a), "a": (meeting.a, meeting.b)}
        for winner, (enemy, own) in ends.items():
            if enemy is None or name not in (meeting.target, own is not None and order.rolls[own].name):
                continue
            save = play.hit_by(order, at, winner)
            if save is None or save.name != name:
                continue
            dice = rolls.scores_in(order, meeting, enemy)
            if own is not None:
                attack = TargetAttack(order.rolls[enemy], save, dice, rolls.scores_in(order, meeting, own))
                compared.setdefault(own, []).append(attack)
            else:
                alone.append((None, [TargetAttack(order.rolls[enemy], save, dice, None)]))
    return [*((order.rolls[own], attacks) for own, attacks in compared.items()), *alone]


def combine_attacks(
    own: TrooperRoll | None, attacks: Sequence[TargetAttack], only_states: bool
) -> tuple[rolls.Ways, int]:
    """Return the ways of each number of Wounds by attacks on the same dice, and all ways."""
    mine = rolls.scores(own) if own is not None else None
    counted = [CountedAttack.of(attack, only_states) for attack in attacks]
    weights = rolls.sum_over_best_scores(mine, lambda height: (attack.ways_above(height) for attack in counted))
    return weights, prod((attack.total for attack in counted), start=mine.total if mine else 1)


@dataclass(frozen=True, slots=True)
class CountedAttack:
    """An attack with its successes' costs: ``lost[hits, crits]`` in ways of ``20 ** saves_most``."""

    dice: rolls.DiceScores
    own: rolls.DiceScores | None
    lost: dict[tuple[int, int], rolls.Ways]
    saves_total: int

    @classmethod
    def of(cls, attack: TargetAttack, only_states: bool) -> "CountedAttack":
        most = attack.roll.burst
        kept = [(hits, crits) for hits in range(most + 1) for crits in range(most + 1 - hits) if hits + crits]
        results = {key: losses_to_hits(attack.save, *key, only_states) for key in kept}
        total = max(result.total for result in results.values())
        scaled = dict[tuple[int, int], rolls.Ways]()
        for key, law in results.items():
            scaled[key] = {amount: ways * (total // law.total) for amount, ways in law.weights.items()}
        return cls(attack.dice, attack.own, scaled, total)

    @property
    def total(self) -> int:
        return self.saves_total * self.dice.total

    def ways_above(self, height: int) -> rolls.Ways:
        """Return the ways of each number of Wounds against a defender's best score ``height``."""
        stands = rolls.count_uncanceled_against(self.dice, self.own.seen(height) if self.own else height, self.own)
        result: rolls.Ways = {0: (self.dice.total - sum(stands.values())) * self.saves_total}
        for key, ways in stands.items():
            for amount, more in self.lost[key].items():
                result[amount] = result.get(amount, 0) + ways * more
        return result


@lru_cache(maxsize=CACHED)
def losses_to_hits(save: Save, hits: int, crits: int, only_states: bool) -> Distribution[int]:
    if not save.weapon.is_saved:
        return Distribution({0: 1}, 1)
    result = replace(save, hits=hits, crits=crits)
    return failures(result) if only_states else wounds(result)


def steps(attack: TargetAttack) -> int:
    dice = attack.roll.burst + attack.roll.special
    each = saves.saves_per_hit(attack.save) if attack.save.weapon.is_saved else ()
    per_hit, tries = len(each) or 1, each[0].tries if each else 1
    result = (attack.roll.burst * (per_hit + 1)) * tries
    return (dice + 1) * (dice + 2) * result * (SIDES + tries * per_hit)


# Saving Rolls


def wounds(save: Save) -> Distribution[int]:
    """Return the law of the Wounds of Saving Rolls; 0 if the ammunition causes a state."""
    return loss_distribution(save, [item.wounds for item in saves.list_saves(save)], saves.automatic(save))


def failures(save: Save) -> Distribution[int]:
    return loss_distribution(save, [1] * len(saves.list_saves(save)))


def loss_distribution(save: Save, each: list[int], without: int = 0) -> Distribution[int]:
    """Return the law of a sum to which each failed Saving Roll adds its own amount.

    ``without``: lost without a save. Each save has up to ``tries``, until it passes (Continuous Damage): of ``20 **
    tries`` ways, ``failing ** f * passing * 20 ** (tries - f - 1)`` fail f times and then pass.
    """
    weights, total = {without: 1}, 1
    for (item, amount), count in Counter(zip(saves.list_saves(save), each, strict=True)).items():
        failing, tries = sum(not item.passes(face) for face in saves.FACES), item.tries
        total *= rolls.power(SIDES, tries * count)
        if tries == 1:  # the sum of equal saves is binomial: one convolution in all
            weights = rolls.add_ways(weights, binomial(count, failing, SIDES - failing, amount))
            continue
        chain: Counter[int] = Counter({tries * amount: rolls.power(failing, tries)})
        for fails in range(tries):
            chain[fails * amount] += (
                rolls.power(failing, fails) * (SIDES - failing) * rolls.power(SIDES, tries - fails - 1)
            )
        for _ in range(count):
            weights = rolls.add_ways(weights, chain)
    return Distribution(weights, total)


def loser_losses(
    compared: Distribution[rolls.Outcome], winner: Winner, hit: Save, count: Callable[[Save], Distribution[int]]
) -> dict[int, Fraction]:
    """Return the probabilities that ``winner`` wins and the loser loses each amount; they add up to the win's."""
    result: dict[int, Fraction] = defaultdict(Fraction)
    for (who, hits, crits), ways in compared.weights.items():
        if who == winner:
            saving = count(replace(hit, hits=hits, crits=crits))
            for amount, more in saving.weights.items():
                result[amount] += Fraction(ways * more, compared.total * saving.total)
    return dict(sorted(result.items()))
