"""The three methods as tables; in each, the first line that holds applies (rules page, Casual, Balanced, Chart)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from bot.rules.text import Text, Words
from bot.rules.warsurge import need
from bot.rules.warsurge.chart import CHART, DEFENCE_MOST, POWER_MOST
from bot.rules.warsurge.need import Need

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
    return Applied(method, p, d, line.rule, line.words, need.read(text), is_beyond_the_text(method, p, d))


def is_beyond_the_text(method: Method, power: int, defence: int) -> bool:
    """Casual has no line for a 0, Balanced has none for 0 against 0, and the chart has no Power 0."""
    if method is Method.CHART:
        return power == 0
    return power == defence == 0 or (method is Method.CASUAL and 0 in (power, defence))
