"""The next ply's position and its replayed dice, derived from the plies so far.

The bot and the verification share this code: plies alone decide positions and replays, so the operator has no choice.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from bot.fair import protocol
from bot.fair.transcript import TABLE, ChainPly, Drawn, HiddenPly, VerificationError


class RepeatedDieError(Exception):
    """A secret ply would replay an undone die, which everybody has seen."""


class PlyDice:
    """The ``Rng`` of one ply: waiting draws of the dice owner come first, then the stream's.

    A die takes the first waiting draw with its number of sides. ``draws``: all drawn; ``waiting``: the rest. A secret
    ply may replay none: raises ``RepeatedDieError``.
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
    """All rolls of one sealed table, ply by ply. Dice wait for the player whose piece or seat rolled them
    (``ChainPly.of``), whoever pressed, so nobody can avoid them by having someone else roll.
    """

    def __init__(self) -> None:
        self._plies: list[ChainPly | HiddenPly] = []
        self._standing: defaultdict[int, list[int]] = defaultdict(list)
        """Positions of the valid plies, by roll."""
        self._waiting: defaultdict[str, list[tuple[Drawn, int]]] = defaultdict(list)
        """Undone draws by owner, each with the position of the ply that last showed it."""
        self.elsewhere: list[tuple[int, int]] = []
        """Position of a ply, and of the undone one whose dice came again there."""

    @property
    def next_place(self) -> int:
        """The next ply's position, which is also the number of a roll that it opens."""
        return len(self._plies) + 1

    def pending_draws(self, of: str) -> list[Drawn]:
        return [draw for draw, _ in self._waiting[of]]

    def of(self, place: int) -> str:
        """Return the owner of the dice at a position; for a hidden ply, its maker."""
        ply = self._plies[place - 1]
        return ply.of if isinstance(ply, ChainPly) else ply.by

    @property
    def count_unused_redraws(self) -> dict[int, int]:
        """Return the number of undone dice that never came again, by the ply that last showed them."""
        left = Counter(place for waiting in self._waiting.values() for _, place in waiting)
        return dict(sorted(left.items()))

    def dice(self, key: bytes, sealed: bytes, of: str, *, is_secret: bool = False) -> PlyDice:
        """Return the next ply's dice; ``of``: their owner; ``key``: a secret ply's own."""
        fresh = protocol.stream(key, sealed, self.next_place)
        return PlyDice(fresh, self.pending_draws(of), is_secret=is_secret)

    def last_place(self, roll: int) -> int | None:
        """Return the position of a roll's last valid ply, the only one that can be undone."""
        return self._standing[roll][-1] if self._standing[roll] else None

    def check(self, ply: ChainPly | HiddenPly, key: bytes, sealed: bytes) -> None:
        """Raise ``VerificationError`` for the first inconsistency in the next ply."""
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
        """Add a ply that ``check`` accepts."""
        place = self.next_place
        self._plies.append(ply)
        if isinstance(ply, ChainPly) and ply.undoes is not None:
            gone = self._plies[self._standing[ply.roll].pop() - 1]
            if isinstance(gone, ChainPly):  # in front: undone last, replayed first
                self._waiting[gone.of][:0] = [((sides, side), ply.undoes) for sides, side, _ in gone.draws]
            return
        self._standing[ply.roll].append(place)
        if isinstance(ply, ChainPly):
            self._use(ply, place)

    def _use(self, ply: ChainPly, place: int) -> None:
        """Remove replayed dice from the waiting ones; record those replayed in another roll."""
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
