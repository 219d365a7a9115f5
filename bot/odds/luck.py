"""How lucky a roll was that is over: where its outcome lies in its own exact law. One line per game.

What was rolled is put in order by one whole number, more being luckier for the side that opened the roll.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, TypeVar

from bot.odds import albion as albion_odds
from bot.odds import infinity as infinity_odds
from bot.odds import warsurge as warsurge_odds
from bot.odds import xwing as xwing_odds
from bot.odds.law import Law
from bot.rules.albion import VALUES
from bot.rules.albion import Roll as AlbionRoll
from bot.rules.entered import steps
from bot.rules.errors import BadInput
from bot.rules.infinity import saves
from bot.rules.infinity.declared import Roll, Save
from bot.rules.infinity.play import State as InfinityRoll
from bot.rules.infinity.play import results
from bot.rules.infinity.resolve import Result, Winner
from bot.rules.warsurge.declared import Declared as WarsurgeAttack
from bot.rules.warsurge.play import Roll as WarsurgeRoll
from bot.rules.warsurge.play import tally
from bot.rules.xwing.attack import Attack
from bot.rules.xwing.declared import Declared as XWingAttack
from bot.rules.xwing.table import Table

KEPT: Final = 256
"""Laws that are kept of each kind of roll, so that the same declaration is not asked twice."""

SIGN: Final[Mapping[Winner, int]] = {"a": 1, "nobody": 0, "b": -1}

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Luck:
    """The chances that a roll of the same declaration does better, and worse; ``of`` is what such rolls are called."""

    better: Fraction
    worse: Fraction
    of: str = "rolls"

    @property
    def as_good(self) -> Fraction:
        """The chance of just this."""
        return 1 - self.better - self.worse


def measured(law: Law[int], value: int, of: str) -> Luck | None:
    """Where a value lies in its law; None where only one outcome is possible."""
    if len(law.weights) < 2:
        return None
    return Luck(law.chance(lambda other: other > value), law.chance(lambda other: other < value), of)


def ranked(law: Law[K], value: Callable[[K], int]) -> Law[int]:
    """The law of a value of the outcomes."""
    weights: defaultdict[int, int] = defaultdict(int)
    for outcome, weight in law.weights.items():
        weights[value(outcome)] += weight
    return Law(weights, law.total)


def xwing(state: Attack | Table) -> Luck | None:
    """The damage of one attack, both sides playing by the stated policy; None while it lasts, and for loose dice.

    None also where the exact law is more than can be counted.
    """
    if isinstance(state, Table) or state.damage is None:
        return None
    try:
        law = xwing_damage(replace(state.declared, attacks=1, hull=None, shields=0))
    except BadInput:
        return None
    return measured(law, state.damage.total, "attacks")


@lru_cache(maxsize=KEPT)
def xwing_damage(declared: XWingAttack) -> Law[int]:
    return ranked(xwing_odds.law(declared), sum)


def infinity(state: InfinityRoll) -> Luck | None:
    """Who wins and with how many successes, seen from the side that opened; or the Wounds of Saving Rolls alone.

    None before dice fall, and for an order of several comparisons, which have no one order from bad to good.
    """
    if isinstance(state.declared, Save):
        return saving(state.declared, state.saves)
    if len(state.declared.meetings) > 1 or state.declared.awaits:
        return None
    (meeting,), (came,) = state.declared.meetings, results(state)
    places = (meeting.a,) if meeting.b is None else (meeting.a, meeting.b)
    law = infinity_standing(*(replace(state.declared.rolls[place], name="") for place in places))
    return measured(law, standing(came), "rolls")


@lru_cache(maxsize=KEPT)
def infinity_standing(*rolls: Roll) -> Law[int]:
    law = infinity_odds.normal(rolls[0]) if len(rolls) == 1 else infinity_odds.face_to_face(*rolls)
    return ranked(law, lambda outcome: SIGN[outcome[0]] * (outcome[1] + outcome[2]))


def standing(came: Result) -> int:
    """The successes that stand; those of the enemy count below zero."""
    mine = came.a.hits + came.a.crits
    return mine - (came.b.hits + came.b.crits if came.b else 0)


def saving(save: Save, made: tuple[saves.Saved, ...]) -> Luck | None:
    """The fewer Wounds the luckier; fewer failed saves, where failing brings a state and no Wounds."""
    has_wounds = saves.has_wounds(save)
    law = infinity_odds.wounds(save) if has_wounds else infinity_odds.failures(save)
    lost = saves.wounds(made[0]) if has_wounds else sum(saves.failed(made[0]))
    return measured(ranked(law, lambda amount: -amount), -lost, "saves")


def warsurge(state: WarsurgeRoll) -> Luck | None:
    """The HP lost."""
    return measured(warsurge_hp_loss(state.declared), tally(state).hp_loss, "attacks")


@lru_cache(maxsize=KEPT)
def warsurge_hp_loss(declared: WarsurgeAttack) -> Law[int]:
    return warsurge_odds.hp_loss(declared)


def albion(state: AlbionRoll) -> Luck | None:
    """The value of the three dice; None where every value comes to the same."""
    if len(albion_odds.law(state.declared).weights) < 2:
        return None
    return measured(Law(dict.fromkeys(range(VALUES), 1), VALUES), sum(int(die.face) for die in state.dice), "rolls")


LUCK: Final[Mapping[str, Callable[[Any], Luck | None]]] = {
    "xwing": xwing,
    "infinity": infinity,
    "warsurge": warsurge,
    "albion": albion,
}
"""How lucky a state is; None while the roll is open, or where nothing is at stake."""


SLOW: Final = frozenset({"xwing"})
"""Games in which the law of a roll that is over may take more than two milliseconds to count."""


def luck(game: str, state: object) -> Luck | None:
    """How lucky a roll was, by its game's line in ``LUCK``; never where people rolled any of the dice by hand."""
    by_hand = any(step.how == "entered" for step in steps(state))
    return None if by_hand else LUCK[game](state)
