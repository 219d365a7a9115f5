"""What each attack die needs, by three methods: one face, a chain of faces, or nothing; or no damage is possible.

The methods are tables; in each, the first line that holds applies (rules page, Casual, Balanced, Chart).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Final

from bot.rules.text import Text, Words

POWER_MOST: Final = 20
DEFENCE_MOST: Final = 15
"""Higher values count as these in every method; the chart's last row is 20+, its last column 15+."""
CHART: Final = tuple(
    tuple(line.split()) for line in Path(__file__).with_name("chart.txt").read_text(encoding="utf-8").splitlines()
)
"""The Attack Dice Chart as printed: ``CHART[power - 1][defence]`` is the need, Power 1 to 20+, Defence 0 to 15+."""
KEPT_MOST: Final = 512
"""So many pairs of Power and Defence keep their line: each step of an attack asks for it again."""


class Method(StrEnum):
    """How to find the need of an attack die; each player may choose one before the game."""

    CASUAL = "casual"
    BALANCED = "balanced"
    CHART = "chart"

    @property
    def label(self) -> Text:
        return LABELS[self]


LABELS: Final = {
    Method.CASUAL: Text("Casual"),
    Method.BALANCED: Text("Balanced"),
    Method.CHART: Text("Attack Dice Chart"),
}


@dataclass(frozen=True, slots=True)
class Need:
    """A need, read from its printed text.

    ``steps``: the lowest face for each roll of the same die: ``4+`` is (4,), ``6/4+`` is (6, 4); () if nothing is
    rolled. ``multiplier``: 3 for ``Ax3``, 0 if no damage is possible (``-``), otherwise 1.
    """

    text: str
    steps: tuple[int, ...]
    multiplier: int

    @property
    def is_automatic(self) -> bool:
        """Nothing is rolled and every attack die is successful."""
        return not self.steps and self.multiplier > 0

    def is_done(self, faces: Sequence[int]) -> bool:
        """Whether a die that shows these faces, in the order rolled, is not rolled again."""
        return len(faces) >= len(self.steps) or not self.is_on_course(faces)

    def is_met(self, faces: Sequence[int]) -> bool:
        """Whether a die that was rolled and shows these faces is successful."""
        return len(faces) == len(self.steps) > 0 and self.is_on_course(faces)

    def is_on_course(self, faces: Sequence[int]) -> bool:
        return all(face >= step for face, step in zip(faces, self.steps, strict=False))


def read_need(text: str) -> Need:
    """``4+``, ``6/4+``, ``6/2`` (2 or more, as the chart prints it), ``A``, ``Ax3``, ``-``."""
    if text == "-":
        return Need(text, (), 0)
    if text.startswith("A"):
        return Need(text, (), int(text.removeprefix("Ax")) if text != "A" else 1)
    return Need(text, tuple(int(face) for face in text.removesuffix("+").split("/")), 1)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a method: its key, its condition in words and as a test of (power, defence), and its need."""

    rule: str
    words: Words
    holds: Callable[[int, int], bool]
    need: str | Callable[[int, int], str]


@dataclass(frozen=True, slots=True)
class Applied:
    """The line that applied to this Power and Defence, both already capped.

    ``beyond_the_text``: the source has no explicit line for these values.
    """

    method: Method
    power: int
    defence: int
    rule: str
    words: Words
    need: Need
    beyond_the_text: bool


def automatic(times: int) -> str:
    return "A" if times == 1 else f"Ax{times}"


CASUAL: Final = (
    Line("C-equal", Text("Power equals Defence"), lambda p, d: p == d, "4+"),
    Line("C-triple", Text("Power is at least three times Defence"), lambda p, d: p >= 3 * d, "A"),
    Line("C-double", Text("Power is at least twice Defence"), lambda p, d: p >= 2 * d, "2+"),
    Line("C-greater", Text("Power is greater than Defence"), lambda p, d: p > d, "3+"),
    Line("C-no-damage", Text("Defence is at least three times Power"), lambda p, d: d >= 3 * p, "-"),
    Line("C-def-double", Text("Defence is at least twice Power"), lambda p, d: d >= 2 * p, "6+"),
    Line("C-def-greater", Text("Defence is greater than Power"), lambda p, d: d > p, "5+"),
)

BALANCED: Final = (
    Line("B-equal", Text("Power equals Defence"), lambda p, d: p == d, "4+"),
    Line("B-defence-0", Text("Defence is 0"), lambda _, d: d == 0, lambda p, _: automatic(p)),
    Line("B-power-0", Text("Power is 0"), lambda p, _: p == 0, "-"),
    Line(
        "B-multiple",
        Text("Power is 5 or more and at least twice Defence"),
        lambda p, d: p >= 5 and p >= 2 * d,
        lambda p, d: automatic(p // d),
    ),
    Line("B-by-2", Text("Power is greater by 2 or more"), lambda p, d: p - d >= 2, "2+"),
    Line("B-by-1", Text("Power is greater by 1"), lambda p, d: p - d == 1, "3+"),
    Line(
        "B-def-quadruple",
        Text("Defence is 5 or more and at least four times Power"),
        lambda p, d: d >= 5 and d >= 4 * p,
        "6/6/6+",
    ),
    Line(
        "B-def-triple",
        Text("Defence is 5 or more and at least three times Power"),
        lambda p, d: d >= 5 and d >= 3 * p,
        "6/6+",
    ),
    Line(
        "B-def-double",
        Text("Defence is 5 or more and at least twice Power"),
        lambda p, d: d >= 5 and d >= 2 * p,
        "6/4+",
    ),
    Line("B-def-by-2", Text("Defence is greater by 2 or more"), lambda p, d: d - p >= 2, "6+"),
    Line("B-def-by-1", Text("Defence is greater by 1"), lambda p, d: d - p == 1, "5+"),
)

PRINTED: Final = (
    Line("K-equal", Text("Power and Defence are both 0"), lambda p, d: p == d == 0, "4+"),
    Line("K-power-0", Text("Power is 0"), lambda p, _: p == 0, "-"),
    Line("K-cell", Text("The cell printed for this Power and Defence"), lambda *_: True, lambda p, d: CHART[p - 1][d]),
)

TABLES: Final[Mapping[Method, tuple[Line, ...]]] = {
    Method.CASUAL: CASUAL,
    Method.BALANCED: BALANCED,
    Method.CHART: PRINTED,
}


@lru_cache(maxsize=KEPT_MOST)
def applied(method: Method, power: int, defence: int) -> Applied:
    """The first line of the method that holds, for whole numbers from 0; values above the caps count as the caps."""
    p, d = min(power, POWER_MOST), min(defence, DEFENCE_MOST)
    line = next(line for line in TABLES[method] if line.holds(p, d))
    text = line.need if isinstance(line.need, str) else line.need(p, d)
    return Applied(method, p, d, line.rule, line.words, read_need(text), is_beyond_the_text(method, p, d))


def is_beyond_the_text(method: Method, power: int, defence: int) -> bool:
    """Casual has no line for a 0, Balanced has none for 0 against 0, and the chart has no Power 0."""
    if method is Method.CHART:
        return power == 0
    return power == defence == 0 or (method is Method.CASUAL and 0 in (power, defence))
