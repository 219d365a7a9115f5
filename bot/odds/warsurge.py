"""The exact law of the HP loss in WARSURGE, and the three methods side by side."""

from collections.abc import Mapping
from fractions import Fraction
from math import gcd, prod

from bot.odds.law import Law, exact
from bot.rules.warsurge.declared import Declared
from bot.rules.warsurge.methods import Method
from bot.rules.warsurge.need import Need


def chance(need: Need) -> Fraction:
    """The chance that one attack die is successful; an empty chain is automatic, or no damage."""
    return prod((Fraction(7 - step, 6) for step in need.steps), start=Fraction(min(need.multiplier, 1)))


def hp_loss(declared: Declared) -> Law[int]:
    """The law of the HP lost; faces that lie already are ignored.

    The chart multiplies the successes, so that each of them meets its own armour save; Balanced multiplies the HP
    loss, so that one save stands for all HP of the attack die.
    """
    return binomial(*losses(declared))


def losses(declared: Declared) -> tuple[int, Fraction, int]:
    """How many independent losses there may be, the chance of each, and the HP that each costs."""
    need, dice = declared.line.need, declared.attack_dice
    unsaved = Fraction(declared.save - 1, 6) if declared.save else Fraction(1)
    lost = chance(need) * unsaved
    return (dice * need.multiplier, lost, 1) if declared.method is Method.CHART else (dice, lost, need.multiplier)


def binomial(trials: int, p: Fraction, each: int) -> Law[int]:
    """The law of ``each`` times the successes among ``trials`` of chance ``p``; impossible counts are left out."""
    hit, miss = p.numerator, p.denominator - p.numerator
    weights: dict[int, int] = {}
    ways = 1
    for count in range(trials + 1):
        weight = ways * hit**count * miss ** (trials - count)
        if weight:
            weights[count * each] = weight
        ways = ways * (trials - count) // (count + 1)
    return Law(weights, p.denominator**trials)


def in_lowest_terms(law: Law[int], trials: int, p: Fraction) -> dict[str, str]:
    """A law of ``binomial`` as exact strings.

    A weight is a binomial coefficient times factors that the denominator of ``p`` does not share, and a prime divides
    a coefficient of ``trials`` less often than ``trials`` has bits: a small number holds all that can be reduced. That
    is worth knowing with 800 saves, where a weight has 1,300 bits.
    """
    reducible = p.denominator ** trials.bit_length()
    shared = {hp: gcd(weight, reducible) for hp, weight in law.weights.items()}
    below = {factor: str(law.total // factor) for factor in set(shared.values())}
    return {str(hp): f"{weight // shared[hp]}/{below[shared[hp]]}" for hp, weight in law.weights.items()}


def odds(declared: Declared) -> Mapping[str, object]:
    """The need, the chance ``p`` of one attack die before saves, and the law of the HP lost, in JSON words."""
    line, (trials, p, each) = declared.line, losses(declared)
    law = binomial(trials, p, each)
    return {
        "method": line.method.value,
        "rule": line.rule,
        "need": line.need.text,
        "multiplier": line.need.multiplier,
        "automatic": line.need.is_automatic,
        "beyond_the_text": line.beyond_the_text,
        "p": exact(chance(line.need)),
        "mean_hp_loss": exact(law.mean(int)),
        "hp_loss": in_lowest_terms(law, trials, p),
    }


def compare(power: int, defence: int, attack_dice: int = 1, save: int | None = None) -> tuple[Declared, ...]:
    """The same attack declared by each of the three methods, to be asked for its law side by side."""
    return tuple(
        Declared(method=method, power=power, defence=defence, attack_dice=attack_dice, save=save) for method in Method
    )
