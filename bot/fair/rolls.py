"""The place of the next ply and the dice that come again, derived from the plies so far.

The bot that rolls and the check afterwards share this code, so the operator has nothing to choose: where a ply
stands and which draw comes again follow from the plies alone.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from bot.fair import protocol
from bot.fair.transcript import TABLE, ChainPly, Drawn, HiddenPly, VerificationError


class RepeatedDieError(Exception):
    """A secret ply asks for a die that was taken back and comes again: everybody has seen it."""


class PlyDice:
    """The ``Rng`` of one ply: draws that wait for the one whose dice these are come first, then those of the stream.

    A die takes the first waiting draw of its number of sides. ``draws`` are all that fell, ``waiting`` what is left.
    In a secret ply none may come again: raises ``RepeatedDieError``.
    """

    def __init__(self, fresh: Callable[[int], int], waiting: Sequence[Drawn], *, is_secret: bool = False) -> None:
        self._fresh = fresh
        self._is_secret = is_secret
        self.waiting = list(waiting)
        self.draws: list[Drawn] = []

    def __call__(self, sides: int) -> int:
        again = next((draw for draw in self.waiting if draw[0] == sides), None)
        if again is not None:
            if self._is_secret:
                raise RepeatedDieError
            self.waiting.remove(again)
        draw = again or (sides, self._fresh(sides))
        self.draws.append(draw)
        return draw[1]


class TableRolls:
    """All rolls of one sealed table, ply by ply. ``elsewhere`` are dice that came again in another roll.

    Dice wait for the player whose piece or seat rolled them (``ChainPly.of``), whoever pressed, so nobody can get rid
    of them by having someone else roll.
    """

    def __init__(self) -> None:
        self._plies: list[ChainPly | HiddenPly] = []
        self._standing: defaultdict[int, list[int]] = defaultdict(list)
        """The places of the plies that stand, by roll."""
        self._waiting: defaultdict[str, list[tuple[Drawn, int]]] = defaultdict(list)
        """Draws that were taken back, by whose they are, each with the place of the ply that last showed it."""
        self.elsewhere: list[tuple[int, int]] = []
        """The place of a ply, and that of the one with which dice were taken back that came again there."""

    @property
    def next_place(self) -> int:
        """The place of the next ply, and the number of the roll that it opens, if it opens one."""
        return len(self._plies) + 1

    def pending_draws(self, of: str) -> list[Drawn]:
        return [draw for draw, _ in self._waiting[of]]

    def of(self, place: int) -> str:
        """Return the owner of the dice at a place; for a hidden ply, the person who made it."""
        ply = self._plies[place - 1]
        return ply.of if isinstance(ply, ChainPly) else ply.by

    @property
    def count_unused_redraws(self) -> dict[int, int]:
        """Return the number of dice taken back that never came again, by the ply that last showed them."""
        left = Counter(place for waiting in self._waiting.values() for _, place in waiting)
        return dict(sorted(left.items()))

    def dice(self, key: bytes, sealed: bytes, of: str, *, is_secret: bool = False) -> PlyDice:
        """The dice of the next ply, by whose they are; ``key`` is the ply's own of a secret one."""
        fresh = protocol.stream(key, sealed, self.next_place)
        return PlyDice(fresh, self.pending_draws(of), is_secret=is_secret)

    def last_place(self, roll: int) -> int | None:
        """The place of the last ply of a roll that stands: the one that may be taken back."""
        return self._standing[roll][-1] if self._standing[roll] else None

    def check(self, ply: ChainPly | HiddenPly, key: bytes, sealed: bytes) -> None:
        """Raises ``VerificationError`` for the first thing in the next ply that does not follow."""
        place, last = self.next_place, self.last_place(ply.roll)
        if ply.roll not in (TABLE, place) and last is None:
            raise VerificationError(
                f"nothing stands of roll {ply.roll}. A roll that begins here has number {place}.", place
            )
        if isinstance(ply, HiddenPly) or ply.secret is not None:
            if ply.roll != place:
                raise VerificationError("a secret ply begins a roll.", place)
            if isinstance(ply, HiddenPly):
                return
        if ply.undoes is not None:
            self._check_undo(ply, last)
        own = key if ply.secret is None else bytes.fromhex(ply.secret)
        dice = self.dice(own, sealed, ply.of, is_secret=ply.secret is not None)
        for at, (sides, side, _) in enumerate(ply.draws, 1):
            shown = f"die {at} of {len(ply.draws)} shows side {side} of {sides}"
            try:
                right = dice(sides)
            except RepeatedDieError:
                raise VerificationError(
                    f"{shown} in secret, but a die of {sides} sides waits to come again.", place
                ) from None
            if side != right:
                raise VerificationError(f"{shown}, but the key gives side {right}.", place)

    def _check_undo(self, ply: ChainPly, last: int | None) -> None:
        place = self.next_place
        if last is None or ply.undoes != last:
            stands = "nothing of it stands" if last is None else f"the last that stands is ply {last}"
            raise VerificationError(f"it takes back ply {ply.undoes} of roll {ply.roll}, but {stands}.", place)
        if isinstance(self._plies[last - 1], HiddenPly):
            raise VerificationError(f"it takes back ply {last}, which is still hidden.", place)
        if ply.draws:
            raise VerificationError("a ply that takes one back draws no dice.", place)

    def add(self, ply: ChainPly | HiddenPly) -> None:
        """Count a ply that ``check`` lets pass."""
        place = self.next_place
        self._plies.append(ply)
        if isinstance(ply, ChainPly) and ply.undoes is not None:
            gone = self._plies[self._standing[ply.roll].pop() - 1]
            if isinstance(
                gone, ChainPly
            ):  # in front: what was taken back last fell before everything that waits already
                self._waiting[gone.of][:0] = [((sides, side), ply.undoes) for sides, side, _ in gone.draws]
            return
        self._standing[ply.roll].append(place)
        if isinstance(ply, ChainPly):
            self._use(ply, place)

    def _use(self, ply: ChainPly, place: int) -> None:
        """Remove dice that came again from those that wait, and record those that came in another roll."""
        waiting, used = self._waiting[ply.of], dict[int, None]()
        if not waiting:
            return
        for sides, _, _ in ply.draws:
            at = next((at for at, (draw, _) in enumerate(waiting) if draw[0] == sides), None)
            if at is not None:
                used[waiting.pop(at)[1]] = None
        for first in used:
            before = self._plies[first - 1]
            if not isinstance(before, ChainPly) or before.roll == ply.roll:
                continue
            if protocol.canonical_json(before.choice) != protocol.canonical_json(ply.choice):
                self.elsewhere.append((place, first))
