"""Changes and cancels: the end of a window on either side's dice, after the rerolls."""

from collections.abc import Iterator
from operator import add

from bot.odds.xwing.tables import Counts
from bot.odds.xwing.window import GONE, Move

Dice = tuple[Counts, Counts]
"""Fresh dice (each may still be rerolled) and done ones, counted by result."""


def total(one: Counts, other: Counts) -> Counts:
    return tuple(map(add, one, other))


def changed(dice: Dice, moves: tuple[Move, ...]) -> Iterator[Dice]:
    """All that the moves can make of the dice, in their order, more uses before fewer."""
    if not moves:
        yield dice
        return
    first, others = moves[0], moves[1:]
    most = min(first.most, sum(counts[rank] for counts in dice for rank in first.ranks))
    for uses in range(most, -1, -1):
        yield from changed(moved(dice, first, uses), others)


def moved(dice: Dice, move: Move, uses: int) -> Dice:
    """The dice after so many uses of a move; of equal results a rerolled die is taken first."""
    fresh, done = list(dice[0]), list(dice[1])
    for rank in move.ranks:
        for counts in (done, fresh):
            taken = min(uses, counts[rank])
            counts[rank] -= taken
            uses -= taken
            if move.new != GONE:
                counts[move.new] += taken
    return tuple(fresh), tuple(done)
