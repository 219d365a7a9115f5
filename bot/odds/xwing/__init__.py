"""Exact odds of X-Wing attacks: integers throughout, under the policy of the rules page (Exact odds)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import lru_cache
from math import gcd
from typing import Final

from bot.odds.distribution import Distribution, exact
from bot.odds.luck import CACHED, RollLuck, RollResult, luck_of
from bot.odds.xwing.attacks_in_a_row import ShipDamage, attacks_in_a_row
from bot.odds.xwing.dice import SearchBudget
from bot.rules.errors import BadInputError
from bot.rules.game import Side
from bot.rules.text import Name, Shown, Text
from bot.rules.xwing.attack.attack import Attack, cards_in_words, has_cards
from bot.rules.xwing.dice import consequences, loose_dice
from bot.rules.xwing.dice.declared import MAX_POOL, Declared, LineUp, at_range, said_of_many
from bot.rules.xwing.dice.faces import DAMAGE

POLICY: Final = Text(
    "The attacker plays for the highest average of hits and crits, never rerolls one, and spends "
    "nothing without a gain. The defender knows the attack dice, plays for the fewest uncanceled "
    "results in this attack, then for the fewest tokens spent, and changes focus results first. "
    "Among equal choices, free rerolls come first, then stopping, then the lock; more dice "
    "before fewer. A card is used when it helps, like a token; its charges count as free, once."
)
"""The assumed policy of both sides, as text."""
KNOWN_TOKENS: Final = Text("Odds, advice, and luck count the tokens that were typed or pressed, and no others.")
"""The odds' assumption about tokens on the mat."""


@dataclass(frozen=True, slots=True)
class AttackOdds:
    """A named line-up's damage: (hits, crits) suffered, tokens given, and damage to a known hull."""

    name: Name
    declared: Declared
    distribution: Distribution[consequences.Results]
    tokens: Mapping[str, Distribution[int]]
    damage: ShipDamage | None


@dataclass(frozen=True, slots=True)
class Averages:
    """Mean results of one die, by its tokens in words: hits and crits together, and evades."""

    hits: tuple[tuple[Shown, Fraction], ...]
    evades: tuple[tuple[Shown, Fraction], ...]


def distribution(declared: Declared) -> Distribution[consequences.Results]:
    """Return the law of uncanceled (hits, crits) of all attacks in a row. Physical dice are ignored. Raises
    ``BadInputError`` for a range that the ruleset refuses, or a too large question; ``UnpayableCostError`` for a
    weapon's cost.
    """
    declared = at_range(declared)
    return attacks_in_a_row(declared).distribution


def count(line_ups: Sequence[tuple[str, Declared]]) -> tuple[AttackOdds, ...]:
    """Answer ``/xwing odds`` for line-ups within one shared budget; raises as ``distribution``."""
    result, budget = [], None
    for name, line_up in line_ups:
        declared = at_range(line_up)
        budget = budget or SearchBudget(declared)
        attacks = attacks_in_a_row(declared, budget)
        result.append(AttackOdds(Name(name), attacks.declared, attacks.suffered, attacks.tokens, attacks.damage))
    return tuple(result)


def odds(declared: Declared | loose_dice.LooseDice) -> dict[str, object]:
    """Return the distribution and derived values in JSON words, fractions as ``"15/8"``; raises as ``distribution``.
    ``note`` warns of more loose dice than a pool has; an attack's dice are limited as at the table.
    """
    if isinstance(declared, loose_dice.LooseDice):
        raise BadInputError("dice", None, Text("Use a weapon value; the odds are for an attack, not for loose dice."))
    declared = at_range(declared)
    attacks = attacks_in_a_row(declared)
    joint, suffered = attacks.distribution, attacks.suffered
    words: dict[str, object] = {
        "joint": {f"{hits},{crits}": ratio(weight, joint.total) for (hits, crits), weight in joint.weights.items()},
        "mean_damage": exact(suffered.mean(sum)),
        "p_any": exact(suffered.probability(any)),
        "p_crit": exact(suffered.probability(lambda results: results[1] > 0)),
    }
    if attacks.damage:
        words |= {field.name: exact(getattr(attacks.damage, field.name)) for field in fields(ShipDamage)}
    if declared.most > MAX_POOL:
        words["note"] = said_of_many(declared)
    if not has_cards(declared):
        return words
    laws = {
        token: {str(n): exact(Fraction(law.weights[n], law.total)) for n in sorted(law.weights)}
        for token, law in attacks.tokens.items()
    }
    return words | cards_in_words(attacks.declared) | ({"gives": laws} if laws else {})


def ratio(weight: int, total: int) -> str:
    """Format a fraction like ``exact``, without creating one."""
    part = gcd(weight, total)
    return f"{weight // part}/{total // part}"


def luck(state: Attack | loose_dice.LooseRoll) -> RollLuck | None:
    """Return the luck by one attack's damage under the policy; None before its end, for loose dice, or if too large."""
    if not (result := roll_results(state)):
        return None
    return luck_of(result[0].value, result[0].distribution, Text("attacks"), Text("The attacker's luck"))


def roll_results(state: Attack | loose_dice.LooseRoll) -> tuple[RollResult, ...]:
    """Return the attacker's damage; () without ``luck``."""
    if isinstance(state, loose_dice.LooseRoll) or state.damage is None:
        return ()
    # Drop what does not change the damage, so that equal attacks share a cache entry.
    alone = replace(state.declared, attacks=1, hull=None, shields=0, by_hand=(), typed=(), tokens="")
    try:
        possible = attack_damage(alone)
    except BadInputError:
        return ()
    return (RollResult(distribution=possible, value=state.damage.total, side=Side.ATTACKER, unit=DAMAGE),)


@lru_cache(maxsize=CACHED)
def attack_damage(declared: Declared) -> Distribution[int]:
    """Return the sum of suffered hits and crits."""
    return attacks_in_a_row(at_range(declared)).suffered.map(sum)


def averages() -> Averages:
    """The rules page's tables of averages for one die, computed; those of more dice are multiples."""
    line_up, focused = LineUp(dice=1), LineUp(dice=1, focus=1)
    hits = {
        Text("hits"): line_up,
        Text("hits, focus"): focused,
        Text("hits, lock"): replace(line_up, lock=1),
        Text("hits, both"): replace(focused, lock=1),
    }
    return Averages(
        hits=tuple((name, mean_damage(line, LineUp())) for name, line in hits.items()),
        evades=((Text("evades"), mean_evades(line_up)), (Text("evades, focus"), mean_evades(focused))),
    )


def mean_damage(attack: LineUp, defense: LineUp) -> Fraction:
    return distribution(Declared(attack=attack, defense=defense)).mean(sum)


def mean_evades(defense: LineUp) -> Fraction:
    """Return the chance that one defense die with these tokens cancels a hit, from its effect on one attack die."""
    attack = LineUp(dice=1, focus=1, calculate=1, effects=())
    hits = mean_damage(attack, LineUp())
    return (hits - mean_damage(attack, defense)) / hits
