"""What a text for dice says: one roll, or several that are rolled one after the other."""

from dataclasses import dataclass, replace
from typing import Final

from bot.rules.anydice.systems import SYSTEMS, System, Values
from bot.rules.anydice.tree import Comparison, Node, Pool, mapped, pools_of

TEXT_MOST: Final = 120
"""Characters that people may type."""
WRITTEN_MOST: Final = 400
"""Characters of what is stored: words are shorter than the notation that they stand for."""
SIDES_MOST: Final = 1000
TIMES_MOST: Final = 20
LINES_MOST: Final = 6
"""So many different rolls on one card."""
LABEL_MOST: Final = 60
EXPLODING_MOST: Final = 40
"""So many dice may explode at once; each may bring ``CHAIN_MOST`` more."""


@dataclass(frozen=True, slots=True)
class Line:
    """One roll: a tree, how often it is rolled, the words behind it, and the game that reads it with its options."""

    tree: Node
    times: int = 1
    label: str = ""
    system: str = ""
    options: Values = ()

    @property
    def game(self) -> System | None:
        return SYSTEMS.get(self.system)

    @property
    def pools(self) -> tuple[Pool, ...]:
        """The pools of one time, in the order in which they are typed and rolled."""
        return tuple(pools_of(self.tree))

    @property
    def dice(self) -> int:
        """How many dice fall at once, for all times."""
        return self.times * sum(pool.count + abs(pool.bonus) for pool in self.pools)

    @property
    def counts_successes(self) -> bool:
        """Whether the result is a number of dice that fit."""
        return not isinstance(self.tree, Comparison) and any(pool.success is not None for pool in self.pools)

    @property
    def notation(self) -> str:
        """One time of it in canonical notation, without any words: ``4d6kh3``."""
        return str(mapped(self.tree, lambda pool: replace(pool, note="")))

    @property
    def understood(self) -> str:
        """In canonical notation, without any words: ``6#4d6kh3``."""
        return f"{self.times}#{self.notation}" if self.times > 1 else self.notation

    @property
    def written(self) -> str:
        """In full, words too: the reader reads it as this line again."""
        roll = self.game.canonical(self.options) if self.game else str(self.tree)
        noted = f"{self.times}#{roll}" if self.times > 1 else roll
        label = self.label.replace('"', "'")
        return f'{noted} "{label}"' if label else noted


@dataclass(frozen=True, slots=True)
class Expression:
    """One roll or more. A text without ``;`` has one ``line``."""

    lines: tuple[Line, ...]

    @property
    def line(self) -> Line:
        """The roll of a text that has one; the first of several."""
        return self.lines[0]

    @property
    def is_single(self) -> bool:
        """Whether it comes to one result."""
        return len(self.rows) == 1

    @property
    def rows(self) -> tuple[Line, ...]:
        """Each line once for each time that it is rolled."""
        return tuple(line for line in self.lines for _ in range(line.times))

    @property
    def dice(self) -> int:
        """How many dice fall at once."""
        return sum(line.dice for line in self.lines)

    @property
    def has_dice(self) -> bool:
        return any(line.pools for line in self.lines)

    @property
    def understood(self) -> str:
        return "; ".join(line.understood for line in self.lines)

    @property
    def written(self) -> str:
        return "; ".join(line.written for line in self.lines)
