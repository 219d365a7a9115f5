"""The exact odds of a contest: both laws compared outcome by outcome."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from bot.odds.anydice import law_of, standings
from bot.odds.dice_laws import UncountableRollError, apply_operator, duel
from bot.odds.distribution import Distribution, exact
from bot.odds.luck import RollLuck, luck_of
from bot.rules.anydice.tree import Calculation, NumberLiteral
from bot.rules.contest import Contest, Contestant, Declared, Ties, WinsBy
from bot.rules.errors import PlayerError
from bot.rules.text import Text


@dataclass(frozen=True, slots=True)
class ContestOdds:
    """Both sides' chances, that of a final tie, and both laws."""

    declared: Declared
    first: Fraction
    second: Fraction
    nobody: Fraction
    tie: Fraction
    laws: tuple[Distribution[int], Distribution[int]]


def sides(declared: Declared) -> tuple[Contestant, Contestant]:
    """Return both sides. Raises ``PlayerError`` while one has no dice."""
    if declared.sides is None:
        raise PlayerError(Text("Odds need the dice of both sides. Give `dice` and `their_dice`."))
    return declared.sides


def count(declared: Declared) -> ContestOdds:
    """Return each side's chance to win. Raises ``UncountableRollError``.

    If ties are rerolled, the rounds are independent and alike: with w for a win, l for a loss and t = 1 - w - l for a
    tie in one round, the final chance to win is w + t w + t^2 w + ... = w / (w + l).
    """
    first, second = sides(declared)
    laws = law_of(first.dice), law_of(second.dice)
    compared = laws if declared.system is None else (standings(first.dice), standings(second.dice))
    higher, equal, lower = (Fraction(ways, compared[0].total * compared[1].total) for ways in duel(*compared))
    wins, loses = (lower, higher) if declared.by is WinsBy.LOWER else (higher, lower)
    if declared.breaks_ties is Ties.FIRST:
        wins += equal
    elif declared.breaks_ties is Ties.SECOND:
        loses += equal
    elif declared.breaks_ties is Ties.AGAIN and equal < 1:
        wins, loses = wins / (wins + loses), loses / (wins + loses)
    return ContestOdds(declared, wins, loses, 1 - wins - loses, equal, laws)


def odds(declared: Declared) -> Mapping[str, object]:
    """Return the chances in JSON words."""
    result = count(declared)
    return {
        "p_first": exact(result.first),
        "p_second": exact(result.second),
        "p_nobody": exact(result.nobody),
        "p_tie": exact(result.tie),
        "mean_first": exact(result.laws[0].mean(int)),
        "mean_second": exact(result.laws[1].mean(int)),
    }


def luck(state: Contest) -> RollLuck | None:
    """Return the luck by the first side's lead; None before the roll, after a tie, by a game's order, or if unknown."""
    if state.results is None or len(state.rounds) > 1 or state.declared.system is not None:
        return None
    first, second = sides(state.declared)
    sign = -1 if state.declared.by is WinsBy.LOWER else 1
    try:
        minus = Calculation("-", NumberLiteral(0), NumberLiteral(0))
        margins = apply_operator(law_of(first.dice), minus, law_of(second.dice))
    except UncountableRollError:
        return None
    ahead = sign * (state.results[0] - state.results[1])
    return luck_of(ahead, margins.map(sign.__mul__), Text("contests"), Text("The first side's luck"))
