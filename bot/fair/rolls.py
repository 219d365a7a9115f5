"""What the plies so far make of the next one: its numbers, and the dice that come again.

The bot that rolls and the check afterwards ask the same questions here, so the operator has nothing to choose: which
number an opening gets and which draw comes again follow from the plies alone.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field

from bot.fair.protocol import Stream
from bot.fair.transcript import TABLE, Draw, Ply, Unfit

Waiting = list[Draw]
"""Draws that were taken back and come again, in the order in which they first fell."""


class Dice:
    """The ``Rng`` of one ply: draws that wait for this person in this roll come first, then those of the stream.

    A die takes the first waiting draw of its number of sides. ``draws`` are all that fell, ``waiting`` what is left.
    """

    def __init__(self, fresh: Callable[[int], int], waiting: Waiting) -> None:
        self._fresh = fresh
        self.waiting = list(waiting)
        self.draws: list[Draw] = []

    def __call__(self, sides: int) -> int:
        again = next((draw for draw in self.waiting if draw[0] == sides), None)
        if again is not None:
            self.waiting.remove(again)
        draw = again or (sides, self._fresh(sides))
        self.draws.append(draw)
        return draw[1]


@dataclass(slots=True)
class Roll:
    """One roll: who opened it, how many plies it has, those that stand, and the draws that wait for each person.

    It is closed while nothing of it stands, because its opening was taken back.
    """

    opened_by: str = ""
    plies: int = 0
    standing: list[Ply] = field(default_factory=list)
    waiting: defaultdict[str, Waiting] = field(default_factory=lambda: defaultdict(list))


class Rolls:
    """All rolls of one sealed table, ply by ply."""

    def __init__(self) -> None:
        self._rolls: dict[int, Roll] = {TABLE: Roll()}
        self._taken_back: defaultdict[str, set[int]] = defaultdict(set)
        """The rolls of which nothing stands, by who opened them."""

    def next_roll(self, by: str) -> int:
        """The number of the next roll that this person opens: of their first that was taken back, else a new one."""
        return min(self._taken_back[by], default=len(self._rolls))

    def next_ply(self, roll: int) -> int:
        """The number of the next ply in a roll. Numbers go on after an undo, so no part of a stream is read twice."""
        return self._rolls[roll].plies if roll in self._rolls else 0

    def dice(self, key: bytes, sealed: bytes, roll: int, by: str) -> Dice:
        """The dice of the next ply of a roll, for whoever makes it."""
        waiting = self._rolls[roll].waiting[by] if roll in self._rolls else []
        return Dice(Stream(key, sealed, roll, self.next_ply(roll)), waiting)

    def last(self, roll: int) -> Ply | None:
        """The last ply of a roll that stands: the one that may be taken back."""
        standing = self._rolls[roll].standing if roll in self._rolls else []
        return standing[-1] if standing else None

    def check(self, ply: Ply, key: bytes, sealed: bytes, place: int) -> None:
        """Raises ``Unfit`` for the first thing in a ply that does not follow; ``place`` is its place in the chain."""
        is_opening = ply.roll != TABLE and self.last(ply.roll) is None
        if is_opening and ply.roll != (number := self.next_roll(ply.by)):
            raise Unfit(f"the next roll that {ply.by} opens is number {number}, not {ply.roll}.", place)
        if ply.ply != (number := self.next_ply(ply.roll)):
            raise Unfit(f"roll {ply.roll} goes on with number {number}, not {ply.ply}.", place)
        if ply.undoes is not None:
            last = self.last(ply.roll)
            if last is None or last.ply != ply.undoes:
                stands = "nothing stands" if last is None else f"number {last.ply} is the last that stands"
                raise Unfit(f"it takes back number {ply.undoes} of roll {ply.roll}, but {stands}.", place)
            if ply.draws:
                raise Unfit("a ply that takes one back draws no dice.", place)
        dice = self.dice(key, sealed, ply.roll, ply.by)
        for at, (sides, side) in enumerate(ply.draws, 1):
            if side != (right := dice(sides)):
                shown = f"die {at} of {len(ply.draws)} shows side {side} of {sides}"
                raise Unfit(f"{shown}, but the key gives side {right}.", place)

    def add(self, ply: Ply) -> None:
        """Count a ply that ``check`` lets pass."""
        roll = self._rolls.setdefault(ply.roll, Roll(opened_by=ply.by))
        roll.plies += 1
        if ply.undoes is not None:
            gone = roll.standing.pop()
            # In front: what was taken back last fell before everything that waits already.
            roll.waiting[gone.by][:0] = gone.draws
            if not roll.standing and ply.roll != TABLE:
                self._taken_back[roll.opened_by].add(ply.roll)
            return
        roll.standing.append(ply)
        self._taken_back[roll.opened_by].discard(ply.roll)
        for draw in ply.draws:
            if draw in roll.waiting[ply.by]:
                roll.waiting[ply.by].remove(draw)
