"""A die on the table and its history. A die is never overwritten: each event adds a step to its ``trail``. Canceled and
spent dice stay, marked. Chance is an argument.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from bot.rules.text import UNNAMED, Name, Shown, Stored, english

Rng = Callable[[int], int]
"""``rng(n)`` returns 0..n-1 with equal chances. The only real source wraps ``secrets.randbelow``."""


class PooledRng(ABC):
    """Chance that records the kind of dice, for counts and transcripts. Not a protocol: a protocol's instance check
    takes longer than a throw.
    """

    @abstractmethod
    def __call__(self, sides: int, /) -> int: ...

    @abstractmethod
    def in_pool(self, pool: str, faces: "Sequence[Face]" = ()) -> Rng:
        """Return the same chance for one pool: dice of one kind, rolled for one purpose, with these faces."""


Face = str | int
How = Literal[
    "rolled", "entered", "added", "rerolled", "changed", "cancelled", "spent", "counted", "kept", "dropped", "compared"
]
"""A step of a die. ``counted``: as another face; ``compared``: with another die, adding nothing."""
OUT: Final = frozenset({"cancelled", "spent", "dropped", "compared"})
"""Last steps of a die that no longer counts."""

MAX_DICE: Final = 100
"""Maximum dice of a roll, in any game."""


@dataclass(frozen=True, slots=True)
class DieStep:
    """One event: its type, the resulting face, and its cause. ``by``: a sentence that rules never read, empty for the
    roll itself, for an entered face the side that typed it. ``cause``: a word for the rules.
    """

    how: How
    face: Face
    by: Stored = UNNAMED
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Rolled:
    """A die on the table: its kind (``red``, ``green``, ``d20``, ``d6``) and its trail, oldest step first."""

    kind: str
    trail: tuple[DieStep, ...]

    @property
    def face(self) -> Face:
        """The current face; a canceled die keeps its last one."""
        return self.trail[-1].face

    @property
    def counts(self) -> bool:
        return self.trail[-1].how not in OUT

    @property
    def was_rerolled(self) -> bool:
        return any(step.how == "rerolled" for step in self.trail)

    def after_step(self, how: How, by: Shown = UNNAMED, face: Face | None = None) -> "Rolled":
        """Return the die with one more step; without ``face`` it keeps its face."""
        return replace(self, trail=(*self.trail, DieStep(how, self.face if face is None else face, by)))


def active_faces(dice: Iterable[Rolled]) -> list[Face]:
    """Return the faces of dice that are neither canceled nor spent."""
    return [die.trail[-1].face for die in dice if die.counts]


def list_typists(dice: Iterable[Rolled]) -> list[str]:
    """Return the side of each physical die; [] if the bot rolled everything."""
    return [english(step.by) for die in dice for step in die.trail if step.how == "entered"]


def in_pool(rng: Rng, kind: str, purpose: str, faces: Sequence[Face] = ()) -> Rng:
    """Return ``rng`` for dice of one kind and purpose; most sources ignore these."""
    return rng.in_pool(f"{kind} {purpose}", faces) if isinstance(rng, PooledRng) else rng


def roll(kind: str, faces: Sequence[Face], count: int, rng: Rng, purpose: str = "rolled") -> tuple[Rolled, ...]:
    """Roll ``count`` dice with equally likely ``faces``; ``purpose`` separates dice of a kind, as attack and saves."""
    rng = in_pool(rng, kind, purpose, faces)
    return tuple(Rolled(kind, (DieStep("rolled", faces[rng(len(faces))]),)) for _ in range(count))


def enter_physical_dice(kind: str, shown: Sequence[Face], by: str) -> tuple[Rolled, ...]:
    """Return physical dice of the side ``by``."""
    return tuple(Rolled(kind, (DieStep("entered", face, Name(by)),)) for face in shown)


def reroll(die: Rolled, faces: Sequence[Face], by: Shown, rng: Rng) -> Rolled:
    """Reroll a die; the game checks permission."""
    return die.after_step(
        "rerolled", by, faces[in_pool(rng, die.kind, f"rerolled {english(by)}".strip(), faces)(len(faces))]
    )
