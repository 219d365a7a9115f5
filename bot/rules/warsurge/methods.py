"""Needs of attack dice by three methods: one face, a chain of faces, nothing to roll, or no possible damage. The
methods are rows; the first applicable line counts (rules page, Casual, Balanced, Chart).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Final

from bot.rules.anydice.formula import Formula, Measured, fill_braces
from bot.rules.data_tables import table
from bot.rules.text import Labeled, Shown, Text

MAX_POWER: Final = 20
MAX_DEFENCE: Final = 15
"""Higher values count as these; the chart's last row is 20+, its last column 15+."""
CHART: Final = tuple(
    tuple(line.split()) for line in Path(__file__).with_name("chart.txt").read_text(encoding="utf-8").splitlines()
)
"""The Attack Dice Chart as printed: ``CHART[power - 1][defence]`` is the need, Power 1 to 20+, Defence 0 to 15+."""
MAX_KEPT: Final = 512
"""Cache size for lines by Power and Defence, which each step needs again."""


class Method(Labeled):
    """A method for the need of an attack die; each player may choose one before the game."""

    CASUAL = "casual", Text("Casual")
    BALANCED = "balanced", Text("Balanced")
    CHART = "chart", Text("Attack Dice Chart")


@dataclass(frozen=True, slots=True)
class Need:
    """A need, parsed from its printed text. ``steps``: the lowest face per roll of the same die: ``4+`` is (4,),
    ``6/4+`` is (6, 4); () without a roll. ``multiplier``: 3 for ``Ax3``, 0 if no damage is possible (``-``), otherwise
    1.
    """

    text: str
    steps: tuple[int, ...]
    multiplier: int

    @property
    def is_automatic(self) -> bool:
        """Whether nothing is rolled and every attack die succeeds."""
        return not self.steps and self.multiplier > 0

    def is_done(self, faces: Sequence[int]) -> bool:
        """Whether a die with these faces, in order, is not rolled again."""
        return len(faces) >= len(self.steps) or not self.is_on_course(faces)

    def is_met(self, faces: Sequence[int]) -> bool:
        """Whether a rolled die with these faces succeeds."""
        return len(faces) == len(self.steps) > 0 and self.is_on_course(faces)

    def is_on_course(self, faces: Sequence[int]) -> bool:
        return all(face >= step for face, step in zip(faces, self.steps, strict=False))


def read_need(text: str) -> Need:
    """Parse ``4+``, ``6/4+``, ``6/2`` (2 or more, as printed in the chart), ``A``, ``Ax3``, ``-``."""
    if text == "-":
        return Need(text, (), 0)
    if text in ("A", "Ax1"):
        return Need("A", (), 1)
    if text.startswith("A"):
        return Need(text, (), int(text.removeprefix("Ax")))
    return Need(text, tuple(int(face) for face in text.removesuffix("+").split("/")), 1)


@dataclass(frozen=True, slots=True)
class MethodLine:
    """A line of a method: its key, its condition in words and as a formula, and its need."""

    method: Method
    rule: str
    words: Annotated[Text, "says"]
    holds: Formula
    need: str


@dataclass(frozen=True, slots=True)
class AppliedLine:
    """The line for a capped Power and Defence; ``beyond_the_text``: the source has none for these values."""

    method: Method
    power: int
    defence: int
    rule: str
    words: Shown
    need: Need
    beyond_the_text: bool


LINES: Final = table("warsurge/tables/methods.json", MethodLine)


@lru_cache(maxsize=MAX_KEPT)
def applied_line(method: Method, power: int, defence: int) -> AppliedLine:
    """Return the method's first applicable line for integers from 0; values above the caps count as the caps."""
    p, d = min(power, MAX_POWER), min(defence, MAX_DEFENCE)
    known: dict[str | Measured, int] = {"power": p, "defence": d}
    line = next(line for line in LINES if line.method is method and line.holds.value(known))
    text = CHART[p - 1][d] if line.need == "as printed" else fill_braces(line.need, known)
    # Casual has no line for 0, Balanced none for 0 against 0, and the chart no Power 0.
    is_beyond = {Method.CASUAL: 0 in (p, d), Method.BALANCED: p == d == 0, Method.CHART: p == 0}[method]
    return AppliedLine(method, p, d, line.rule, line.words, read_need(text), is_beyond)
