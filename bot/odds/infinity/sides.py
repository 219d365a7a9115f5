"""Each side's chances in a roll, for the odds card, and its luck."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from bot.odds.distribution import Distribution
from bot.odds.infinity.rolls import Outcome, distribution
from bot.odds.infinity.successes import net_successes
from bot.odds.infinity.wounds import TrooperOdds, failures, harm, wounds
from bot.odds.luck import RollLuck, RollResult, UncountableLuckError, luck_of
from bot.rules.errors import BadInputError, Example
from bot.rules.game import Side
from bot.rules.infinity.dice import resolve, saves
from bot.rules.infinity.orders import play
from bot.rules.infinity.orders.order import Declared
from bot.rules.infinity.troopers import declared
from bot.rules.text import Name, Noun, Text

NET_SUCCESSES: Final = Noun("net success", "net successes")
WOUNDS_TAKEN: Final = Noun("Wound on its own troopers", "Wounds on its own troopers")


@dataclass(frozen=True, slots=True)
class SideOdds:
    """One side of a roll. ``successes``: the law of its winning successes, including Criticals; 0 if it does not win.
    ``harm``: its effect on the other side, if weapon and armor are known.
    """

    name: Name
    successes: Distribution[int]
    with_critical: Fraction
    harm: TrooperOdds | None = None

    @property
    def wins(self) -> Fraction:
        return self.successes.probability(bool)


@dataclass(frozen=True, slots=True)
class OrderOdds:
    """An order's effect on each trooper, with its typed words."""

    text: str
    troopers: tuple[TrooperOdds, ...]


def count(order: Declared, names: tuple[str, str]) -> tuple[SideOdds, ...]:
    """Answer ``/infinity odds`` for one or both sides. Raises ``BadInputError`` for Saving Rolls, without a winner."""
    if not isinstance(order, declared.Order):
        allowed = Text("Enter a Success Value: these are the odds of a Normal or a Face to Face Roll.")
        raise BadInputError("sv", "", allowed)
    meeting = order.meetings[0]
    outcomes = distribution(order, meeting)
    sides: tuple[resolve.Winner, ...] = ("a",) if meeting.b is None else ("a", "b")
    named = with_names(order)
    losers = {"a": "b", "b": "a"}
    harmed: dict[str, TrooperOdds] = {odds.name: odds for odds in harm(named)}
    pairs = zip(names, sides, strict=False)
    return tuple(replace(side_odds(name, outcomes, side), harm=harmed.get(losers[side])) for name, side in pairs)


def with_names(order: declared.Order) -> declared.Order:
    meeting = order.meetings[0]
    rolls = tuple(replace(roll, name=Name(name)) for roll, name in zip(order.rolls, ("a", "b"), strict=False))
    return replace(order, rolls=rolls, meetings=(replace(meeting, target=Name("" if meeting.b is not None else "b")),))


def count_orders(orders: Sequence[tuple[str, declared.Order]]) -> tuple[OrderOdds, ...]:
    """Return the odds of one order, or of two side by side. Raises ``BadInputError`` if nothing can be counted."""
    result = tuple(OrderOdds(text, harm(order)) for text, order in orders)
    if not any(order_odds.troopers for order_odds in result):
        allowed = Text("Use weapons and armor that I know.")
        raise BadInputError("order", result[0].text, allowed, Example("Angus 12 N PS 7 vs Ortega 11 ARM 1 W 1"))
    return result


def side_odds(name: str, outcomes: Distribution[Outcome], side: resolve.Winner) -> SideOdds:
    def successes(outcome: Outcome) -> int:
        winner, hits, crits = outcome
        return hits + crits if winner == side else 0

    with_critical = outcomes.probability(lambda outcome: outcome[0] == side and outcome[2] > 0)
    return SideOdds(Name(name), outcomes.map(successes), with_critical)


def luck(state: play.State) -> RollLuck | None:
    """Return the active trooper's luck, or that of Saving Rolls alone; None before the roll, or if it is too large."""
    if isinstance(state.declared, declared.Save):
        save = state.declared
        has_wounds = saves.costs_wounds(save.weapon)
        losses = wounds(save) if has_wounds else failures(save)
        lost = saves.wounds(state.saves[0]) if has_wounds else sum(saves.failed_saves(state.saves[0]))
        return luck_of(-lost, losses.map(lambda amount: -amount), Text("saves"), Text("The target's luck"), None)
    order = state.order
    if order is None:
        return None
    try:
        possible = net_successes(order)
    except UncountableLuckError:
        return None
    if len(order.meetings) > 1:
        return luck_of(net_result(order, play.results(state)), possible, Text("orders"), Text("The active side's luck"))
    side = Text("The trooper's luck") if order.meetings[0].b is None else Text("The active trooper's luck")
    return luck_of(net_result(order, play.results(state)), possible, Text("rolls"), side)


def roll_results(state: play.State) -> tuple[RollResult, ...]:
    """Return the active side's net successes of an order, and each Saving Roll's Wounds.

    Given the hits, Saving Rolls are independent of the earlier dice, so nothing counts twice. Saves that cause only a
    state don't count, nor those of a trooper without a named player on a side with several. Raises
    ``UncountableLuckError`` as ``net_successes``.
    """
    alone = isinstance(state.declared, declared.Save)
    lost = list[RollResult]()
    for made in (save for save in state.saves if saves.costs_wounds(save.save.weapon)):
        side, player = Side.ATTACKER if alone else made.save.side, made.save.profile.player
        if player or not play.is_of_several(state, made.save.side):
            law, came = wounds(made.save), saves.wounds(made)
            result = RollResult(distribution=law, value=came, side=side, unit=WOUNDS_TAKEN, is_loss=True, player=player)
            lost.append(result)
    order = state.order
    if order is None:
        return tuple(lost)
    possible, value = net_successes(order), net_result(order, play.results(state))
    return (RollResult(distribution=possible, value=value, side=Side.ATTACKER, unit=NET_SUCCESSES), *lost)


def net_result(order: declared.Order, came: Sequence[resolve.Comparison]) -> int:
    """Return the active side's uncanceled successes, or minus the reactive side's."""
    total = 0
    for meeting, result in zip(order.meetings, came, strict=True):
        mine = result.a.hits + result.a.crits - (result.b.hits + result.b.crits if result.b else 0)
        total += mine if order.rolls[meeting.a].side is Side.ATTACKER else -mine
    return total
