"""The exact odds of WARSURGE: the HP loss of an attack, and the three methods side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import gcd, prod

from bot.odds.distribution import Distribution, exact
from bot.odds.luck import CACHED, Luck, luck_of
from bot.rules.warsurge.declared import Declared
from bot.rules.warsurge.methods import Method
from bot.rules.warsurge.need import Need
from bot.rules.warsurge.play import Roll, tally


@dataclass(frozen=True, slots=True)
class AttackOdds:
    """One attack by one method: the answer that the cards of odds and of the comparison draw."""

    declared: Declared
    hp_loss: Distribution[int]


def success(need: Need) -> Fraction:
    """The probability that one attack die is successful; an empty chain is automatic, or no damage."""
    return prod((Fraction(7 - step, 6) for step in need.steps), start=Fraction(min(need.multiplier, 1)))


@lru_cache(maxsize=CACHED)
def hp_loss(declared: Declared) -> Distribution[int]:
    """The distribution of the HP lost; faces that lie already are ignored.

    The chart multiplies the successes, so that each of them meets its own armour save; Balanced multiplies the HP
    loss, so that one save stands for all HP of the attack die.
    """
    return binomial(*trials(declared))


def trials(declared: Declared) -> tuple[int, Fraction, int]:
    """How many independent losses there may be, the probability of each, and the HP that each costs."""
    need, dice = declared.line.need, declared.attack_dice
    unsaved = Fraction(declared.save - 1, 6) if declared.save else Fraction(1)
    lost = success(need) * unsaved
    return (dice * need.multiplier, lost, 1) if declared.method is Method.CHART else (dice, lost, need.multiplier)


def binomial(number: int, p: Fraction, each: int) -> Distribution[int]:
    """``each`` times the successes among ``number`` trials of probability ``p``; impossible counts are left out."""
    hit, miss = p.numerator, p.denominator - p.numerator
    weights: dict[int, int] = {}
    ways = 1
    for count in range(number + 1):
        weight = ways * hit**count * miss ** (number - count)
        if weight:
            weights[count * each] = weight
        ways = ways * (number - count) // (count + 1)
    return Distribution(weights, p.denominator**number)


def in_lowest_terms(losses: Distribution[int], number: int, p: Fraction) -> dict[str, str]:
    """A distribution of ``binomial`` as exact strings.

    A weight is a binomial coefficient times factors that the denominator of ``p`` does not share, and a prime divides
    a coefficient of ``number`` less often than ``number`` has bits: a small number holds all that can be reduced. That
    is worth knowing with 800 saves, where a weight has 1,300 bits.
    """
    reducible = p.denominator ** number.bit_length()
    shared = {hp: gcd(weight, reducible) for hp, weight in losses.weights.items()}
    below = {factor: str(losses.total // factor) for factor in set(shared.values())}
    return {str(hp): f"{weight // shared[hp]}/{below[shared[hp]]}" for hp, weight in losses.weights.items()}


def odds(declared: Declared) -> Mapping[str, object]:
    """The need, the probability ``p`` of one attack die before saves, and the HP loss, in JSON words."""
    line, (number, p, each) = declared.line, trials(declared)
    losses = binomial(number, p, each)
    return {
        "method": line.method.value,
        "rule": line.rule,
        "need": line.need.text,
        "multiplier": line.need.multiplier,
        "automatic": line.need.is_automatic,
        "beyond_the_text": line.beyond_the_text,
        "p": exact(success(line.need)),
        "mean_hp_loss": exact(losses.mean(int)),
        "hp_loss": in_lowest_terms(losses, number, p),
    }


def count(attacks: Sequence[Declared]) -> tuple[AttackOdds, ...]:
    """The answer to ``/warsurge odds`` and, with ``by_each_method``, to ``/warsurge compare``."""
    return tuple(AttackOdds(declared, hp_loss(declared)) for declared in attacks)


def by_each_method(power: int, defence: int, attack_dice: int = 1, save: int | None = None) -> tuple[Declared, ...]:
    """The same attack declared by each of the three methods."""
    return tuple(
        Declared(method=method, power=power, defence=defence, attack_dice=attack_dice, save=save) for method in Method
    )


def luck(state: Roll) -> Luck | None:
    """By the HP lost."""
    return luck_of(tally(state).hp_loss, hp_loss(state.declared), "attacks", "the attacker")
