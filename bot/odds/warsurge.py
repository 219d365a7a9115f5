"""The exact odds of WARSURGE: the HP loss of an attack or volley, and the three methods compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, reduce
from math import gcd, prod
from typing import Final

from bot.odds.distribution import Distribution, binomial, convolve, exact
from bot.odds.luck import CACHED, RollLuck, RollResult, luck_of
from bot.rules.game import Side
from bot.rules.text import Noun, Text
from bot.rules.warsurge.declared import Declared, Volley
from bot.rules.warsurge.methods import Method, Need
from bot.rules.warsurge.play import AttackRoll, VolleyRoll, hp_loss as hp_lost, saves_open

HP: Final = Noun("HP", "HP")


@dataclass(frozen=True, slots=True)
class MethodOdds:
    """An attack or volley by one method, for the odds and comparison cards."""

    declared: Declared | Volley
    hp_loss: Distribution[int]

    @property
    def method(self) -> Method:
        return self.declared.method

    @property
    def destroyed(self) -> Fraction | None:
        """Return the probability that the target has no HP left; None if HP are not counted."""
        hp = self.declared.hp if isinstance(self.declared, Volley) else None
        return None if hp is None else self.hp_loss.probability(lambda lost: lost >= hp)


def success(need: Need) -> Fraction:
    """Return an attack die's success probability; an empty chain always succeeds, or can't do damage."""
    return prod((Fraction(7 - step, 6) for step in need.steps), start=Fraction(min(need.multiplier, 1)))


@lru_cache(maxsize=CACHED)
def hp_loss(declared: Declared | Volley) -> Distribution[int]:
    """Return the law of the HP lost; typed faces are ignored. The chart multiplies successes, each with its own armour
    save; Balanced multiplies HP loss, so one save covers a whole attack die. A volley's weapons are independent, and
    their losses add up.
    """
    if isinstance(declared, Volley):
        return reduce(convolve, map(hp_loss, declared.attacks))
    number, p, each = trials(declared)
    return Distribution(binomial(number, p.numerator, p.denominator - p.numerator, each), p.denominator**number)


def trials(declared: Declared) -> tuple[int, Fraction, int]:
    """Return the number of independent losses, each one's probability, and its HP."""
    need, dice = declared.line.need, declared.attack_dice
    unsaved = Fraction(declared.saves_on - 1, 6) if declared.saves_on else Fraction(1)
    lost = success(need) * unsaved
    return (dice * need.multiplier, lost, 1) if declared.method is Method.CHART else (dice, lost, need.multiplier)


def in_lowest_terms(losses: Distribution[int], number: int, p: Fraction) -> dict[str, str]:
    """Return a ``binomial`` law as exact strings.

    A weight is a binomial coefficient times factors coprime to ``p``'s denominator, and a prime's exponent in a
    coefficient of ``number`` is below ``number``'s bit length: a small integer contains all common factors. That
    matters with 800 saves, where a weight has 1,300 bits.
    """
    reducible = p.denominator ** number.bit_length()
    shared = {hp: gcd(weight, reducible) for hp, weight in losses.weights.items()}
    below = {factor: str(losses.total // factor) for factor in set(shared.values())}
    return {str(hp): f"{weight // shared[hp]}/{below[shared[hp]]}" for hp, weight in losses.weights.items()}


def odds(declared: Declared | Volley) -> Mapping[str, object]:
    """Return the need, an attack die's success probability ``p`` before saves, and the HP loss in JSON words. For a
    volley: each weapon under ``attacks``, then the sum, and ``p_destroyed`` if HP are counted.
    """
    if isinstance(declared, Declared):
        return attack_odds(declared)
    (method_odds,) = count([declared])
    losses = method_odds.hp_loss
    words: dict[str, object] = {
        "attacks": [{"weapon": attack.weapon, **attack_odds(attack)} for attack in declared.attacks],
        "mean_hp_loss": exact(losses.mean(int)),
        "hp_loss": {str(hp): exact(Fraction(weight, losses.total)) for hp, weight in losses.weights.items()},
    }
    return words if method_odds.destroyed is None else words | {"p_destroyed": exact(method_odds.destroyed)}


def attack_odds(declared: Declared) -> Mapping[str, object]:
    """The odds of one weapon, in JSON words."""
    line, (number, p, _), losses = declared.line, trials(declared), hp_loss(declared)
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


def count(attacks: Sequence[Declared | Volley]) -> tuple[MethodOdds, ...]:
    """Answer ``/warsurge odds`` and, with ``declare_each_method``, ``/warsurge compare``."""
    return tuple(MethodOdds(declared, hp_loss(declared)) for declared in attacks)


def declare_each_method(declared: Declared | Volley) -> tuple[Declared | Volley, ...]:
    """Return the attack or volley declared by each of the three methods, without typed dice: they fit one need only."""
    every = []
    for method in Method:
        changed = [
            replace(attack, method=method, faces=None, save_faces=None, asks_saves=False) for attack in declared.attacks
        ]
        every.append(replace(declared, attacks=tuple(changed)) if isinstance(declared, Volley) else changed[0])
    return tuple(every)


def luck(state: AttackRoll | VolleyRoll) -> RollLuck | None:
    """Return the luck by the HP lost; None while armour saves are open."""
    if saves_open(state):
        return None
    return luck_of(hp_lost(state), hp_loss(state.declared), Text("attacks"), Text("The attacker's luck"))


def roll_results(state: AttackRoll | VolleyRoll) -> tuple[RollResult, ...]:
    """Return the attacker's HP inflicted; () while saves are open."""
    if saves_open(state):
        return ()
    return (RollResult(distribution=hp_loss(state.declared), value=hp_lost(state), side=Side.ATTACKER, unit=HP),)
