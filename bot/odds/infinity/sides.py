"""What each side may hope for in a roll (the answer that the odds card draws), and how lucky it was."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Final

from bot.odds.distribution import Distribution
from bot.odds.infinity.harm import TrooperOdds, harm
from bot.odds.infinity.rolls import Outcome, distribution, face_to_face, normal
from bot.odds.infinity.wounds import failures, wounds
from bot.odds.luck import CACHED, Luck, RollResult, luck_of
from bot.rules.errors import BadInput
from bot.rules.game import Side
from bot.rules.infinity import saves
from bot.rules.infinity.declared import Order, Roll, Save
from bot.rules.infinity.order import Declared, OpenOrder
from bot.rules.infinity.play import State, results
from bot.rules.infinity.resolve import Result, Winner

SIGN: Final[Mapping[Winner, int]] = {"a": 1, "nobody": 0, "b": -1}


@dataclass(frozen=True, slots=True)
class SideOdds:
    """One side of a roll.

    ``successes`` is the distribution of the successes it wins with, Criticals among them, and 0 where it does not win.
    ``harm`` is what it does to the other side, if weapon and armour are known.
    """

    name: str
    successes: Distribution[int]
    with_critical: Fraction
    harm: TrooperOdds | None = None

    @property
    def wins(self) -> Fraction:
        return self.successes.probability(bool)


@dataclass(frozen=True, slots=True)
class OrderOdds:
    """What a whole order does to each trooper, under the words that it was typed in."""

    text: str
    troopers: tuple[TrooperOdds, ...]


def count(order: Declared, names: tuple[str, str]) -> tuple[SideOdds, ...]:
    """The answer to ``/infinity odds``: one side of a Normal Roll, both of a Face to Face Roll, with their names.

    Raises ``BadInput`` for Saving Rolls, which no side wins.
    """
    if not isinstance(order, Order):
        raise BadInput("sv", "", "a Success Value: these odds are of a Normal or a Face to Face Roll")
    meeting = order.meetings[0]
    outcomes = distribution(order, meeting)
    sides: tuple[Winner, ...] = ("a",) if meeting.b is None else ("a", "b")
    named = with_names(order)
    losers = {"a": "b", "b": "a"}
    harmed = {one.name: one for one in harm(named)}
    return tuple(
        replace(side_odds(name, outcomes, side), harm=harmed.get(losers[side]))
        for name, side in zip(names, sides, strict=False)
    )


def with_names(order: Order) -> Order:
    """One comparison whose sides are called ``a`` and ``b``."""
    meeting = order.meetings[0]
    rolls = tuple(replace(roll, name=name) for roll, name in zip(order.rolls, ("a", "b"), strict=False))
    return replace(order, rolls=rolls, meetings=(replace(meeting, target="" if meeting.b is not None else "b"),))


def count_orders(orders: Sequence[tuple[str, Order]]) -> tuple[OrderOdds, ...]:
    """The answer for one whole order, or for two side by side. Raises ``BadInput`` where nothing can be counted."""
    found = tuple(OrderOdds(text, harm(order)) for text, order in orders)
    if not any(one.troopers for one in found):
        allowed = "weapons and armour that are known, as in `Angus 12 N PS 7 vs Ortega 11 ARM 1 W 1`"
        raise BadInput("order", found[0].text, allowed)
    return found


def side_odds(name: str, outcomes: Distribution[Outcome], side: Winner) -> SideOdds:
    def successes(outcome: Outcome) -> int:
        winner, hits, crits = outcome
        return hits + crits if winner == side else 0

    with_critical = outcomes.probability(lambda outcome: outcome[0] == side and outcome[2] > 0)
    return SideOdds(name, outcomes.map(successes), with_critical)


def luck(state: State) -> Luck | None:
    """By who wins and with how many successes, seen from the active trooper; or by the Wounds of Saving Rolls alone.

    None before dice fall, and for an order of several comparisons, which have no one order from bad to good.
    """
    if isinstance(state.declared, Save):
        return luck_of_saves(state.declared, state.saves)
    if isinstance(state.declared, OpenOrder):
        return None
    if len(state.declared.meetings) > 1 or state.declared.awaits:
        return None
    (meeting,), (result,) = state.declared.meetings, results(state)
    places = (meeting.a,) if meeting.b is None else (meeting.a, meeting.b)
    margins = margin_distribution(*(replace(state.declared.rolls[place], name="") for place in places))
    side = "the trooper" if meeting.b is None else "the active trooper"
    return luck_of(margin(result), margins, "rolls", side)


def roll_result(state: State) -> RollResult | None:
    """The Wounds of Saving Rolls, for whoever rolls them; or the successes of a roll, the enemy's taken off.

    None where ``luck`` is, and where failing brings a state and no Wounds.
    """
    if isinstance(state.declared, Save):
        if not saves.has_wounds(state.declared):
            return None
        lost = saves.wounds(state.saves[0])
        return RollResult(
            distribution=wounds(state.declared), value=lost, side=Side.ATTACKER, unit="Wounds taken", is_loss=True
        )
    if isinstance(state.declared, OpenOrder) or len(state.declared.meetings) > 1 or state.declared.awaits:
        return None
    (meeting,), (result,) = state.declared.meetings, results(state)
    places = (meeting.a,) if meeting.b is None else (meeting.a, meeting.b)
    margins = margin_distribution(*(replace(state.declared.rolls[place], name="") for place in places))
    return RollResult(distribution=margins, value=margin(result), side=Side.ATTACKER, unit="net successes")


@lru_cache(maxsize=CACHED)
def margin_distribution(*rolls: Roll) -> Distribution[int]:
    """The successes that stand, those of the enemy below zero, in a Normal Roll or a Face to Face Roll."""
    outcomes = normal(rolls[0]) if len(rolls) == 1 else face_to_face(*rolls)
    return outcomes.map(lambda outcome: SIGN[outcome[0]] * (outcome[1] + outcome[2]))


def margin(result: Result) -> int:
    """The successes that stand; those of the enemy count below zero."""
    mine = result.a.hits + result.a.crits
    return mine - (result.b.hits + result.b.crits if result.b else 0)


def luck_of_saves(save: Save, rolled: tuple[saves.Saved, ...]) -> Luck | None:
    """The fewer Wounds the luckier; fewer failed saves, where failing brings a state and no Wounds."""
    has_wounds = saves.has_wounds(save)
    losses = wounds(save) if has_wounds else failures(save)
    lost = saves.wounds(rolled[0]) if has_wounds else sum(saves.failed(rolled[0]))
    return luck_of(-lost, losses.map(lambda amount: -amount), "saves", "the target")
