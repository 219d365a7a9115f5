"""WARSURGE: which line applies and what it needs, against the rules page line by line."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from bot.rules.warsurge.methods import CHART, LINES, Method, applied_line, read_need

GOLDEN: Final[dict[str, Any]] = json.loads((Path(__file__).parents[2] / "golden" / "warsurge.json").read_text())
POWERS: Final = range(21)
DEFENCES: Final = range(16)

# Worked out by hand from the rules page. For each Defence: the Power from which on a need holds, until the next.
CASUAL: Final = """
0 | 0:4+ 1:A
1 | 0:- 1:4+ 2:2+ 3:A
2 | 0:- 1:6+ 2:4+ 3:3+ 4:2+ 6:A
3 | 0:- 2:5+ 3:4+ 4:3+ 6:2+ 9:A
4 | 0:- 2:6+ 3:5+ 4:4+ 5:3+ 8:2+ 12:A
5 | 0:- 2:6+ 3:5+ 5:4+ 6:3+ 10:2+ 15:A
6 | 0:- 3:6+ 4:5+ 6:4+ 7:3+ 12:2+ 18:A
7 | 0:- 3:6+ 4:5+ 7:4+ 8:3+ 14:2+
8 | 0:- 3:6+ 5:5+ 8:4+ 9:3+ 16:2+
9 | 0:- 4:6+ 5:5+ 9:4+ 10:3+ 18:2+
10 | 0:- 4:6+ 6:5+ 10:4+ 11:3+ 20:2+
11 | 0:- 4:6+ 6:5+ 11:4+ 12:3+
12 | 0:- 5:6+ 7:5+ 12:4+ 13:3+
13 | 0:- 5:6+ 7:5+ 13:4+ 14:3+
14 | 0:- 5:6+ 8:5+ 14:4+ 15:3+
15 | 0:- 6:6+ 8:5+ 15:4+ 16:3+
"""
# AxP multiplies by the Power itself.
BALANCED: Final = """
0 | 0:4+ 1:A 2:AxP
1 | 0:- 1:4+ 2:3+ 3:2+ 5:AxP
2 | 0:- 1:5+ 2:4+ 3:3+ 4:2+ 5:Ax2 6:Ax3 8:Ax4 10:Ax5 12:Ax6 14:Ax7 16:Ax8 18:Ax9 20:Ax10
3 | 0:- 1:6+ 2:5+ 3:4+ 4:3+ 5:2+ 6:Ax2 9:Ax3 12:Ax4 15:Ax5 18:Ax6
4 | 0:- 1:6+ 3:5+ 4:4+ 5:3+ 6:2+ 8:Ax2 12:Ax3 16:Ax4 20:Ax5
5 | 0:- 1:6/6/6+ 2:6/4+ 3:6+ 4:5+ 5:4+ 6:3+ 7:2+ 10:Ax2 15:Ax3 20:Ax4
6 | 0:- 1:6/6/6+ 2:6/6+ 3:6/4+ 4:6+ 5:5+ 6:4+ 7:3+ 8:2+ 12:Ax2 18:Ax3
7 | 0:- 1:6/6/6+ 2:6/6+ 3:6/4+ 4:6+ 6:5+ 7:4+ 8:3+ 9:2+ 14:Ax2
8 | 0:- 1:6/6/6+ 3:6/4+ 5:6+ 7:5+ 8:4+ 9:3+ 10:2+ 16:Ax2
9 | 0:- 1:6/6/6+ 3:6/6+ 4:6/4+ 5:6+ 8:5+ 9:4+ 10:3+ 11:2+ 18:Ax2
10 | 0:- 1:6/6/6+ 3:6/6+ 4:6/4+ 6:6+ 9:5+ 10:4+ 11:3+ 12:2+ 20:Ax2
11 | 0:- 1:6/6/6+ 3:6/6+ 4:6/4+ 6:6+ 10:5+ 11:4+ 12:3+ 13:2+
12 | 0:- 1:6/6/6+ 4:6/6+ 5:6/4+ 7:6+ 11:5+ 12:4+ 13:3+ 14:2+
13 | 0:- 1:6/6/6+ 4:6/6+ 5:6/4+ 7:6+ 12:5+ 13:4+ 14:3+ 15:2+
14 | 0:- 1:6/6/6+ 4:6/6+ 5:6/4+ 8:6+ 13:5+ 14:4+ 15:3+ 16:2+
15 | 0:- 1:6/6/6+ 4:6/6+ 6:6/4+ 8:6+ 14:5+ 15:4+ 16:3+ 17:2+
"""


def by_hand(table: str) -> dict[tuple[int, int], str]:
    cells = {}
    for row in table.strip().splitlines():
        defence, _, spans = row.partition(" | ")
        starts = {int(start): text for start, _, text in (span.partition(":") for span in spans.split())}
        for power in POWERS:
            text = starts[max(start for start in starts if start <= power)]
            cells[power, int(defence)] = text.replace("P", str(power))
    return cells


def chart_formula(power: int, defence: int) -> str:
    """The check that the rules page gives for the printed chart, and its two cells off the chart."""
    if power == 0:
        return "4+" if defence == 0 else "-"
    x = power - defence
    if defence == 0 and power < 8:
        return "A"
    if x >= 6:
        return "A" if x // 2 - 2 == 1 else f"Ax{x // 2 - 2}"
    if x >= 2:
        return "2+"
    if x >= -2:
        return f"{4 - x}+"
    if x >= -7:
        return f"6/{-x - 1}"
    return f"6/6/{min(-x - 6, 6)}"


@pytest.mark.parametrize(("method", "table"), [(Method.CASUAL, CASUAL), (Method.BALANCED, BALANCED)])
def test_every_cell_of_the_two_tables_is_as_worked_out_by_hand(method: Method, table: str) -> None:
    cells = by_hand(table)
    assert len(cells) == 336
    assert {cell: applied_line(method, *cell).need.text for cell in cells} == cells


def test_every_cell_of_the_chart_agrees_with_the_formula() -> None:
    assert [len(row) for row in CHART] == [16] * 20
    for power in POWERS:
        for defence in DEFENCES:
            assert applied_line(Method.CHART, power, defence).need.text == chart_formula(power, defence)


@pytest.mark.parametrize("method", Method)
def test_the_golden_grid(method: Method) -> None:
    for case in GOLDEN["grid"]:
        line, expected = applied_line(method, case["power"], case["defence"]), case[method]
        assert line.need.text == expected["need"], case
        assert line.rule == expected["rule"], case
        assert line.need.multiplier == expected["multiplier"], case
        assert line.need.is_automatic == expected["automatic"], case
        assert line.beyond_the_text == expected.get("beyond_the_text", False), case


def test_the_methods_go_by_the_names_of_the_source() -> None:
    assert [method.label for method in Method] == ["Casual", "Balanced", "Attack Dice Chart"]


def test_every_line_of_every_method_applies_somewhere() -> None:
    for method in Method:
        reached = {applied_line(method, power, defence).rule for power in POWERS for defence in DEFENCES}
        assert reached == {line.rule for line in LINES if line.method is method}


@pytest.mark.parametrize(
    ("power", "defence", "casual", "balanced", "chart"),
    [
        (7, 2, "A", "Ax3", "2+"),
        (4, 1, "A", "2+", "2+"),
        (2, 1, "2+", "3+", "3+"),
        (9, 0, "A", "Ax9", "Ax2"),
        (3, 6, "6+", "6/4+", "6/2"),
        (1, 5, "-", "6/6/6+", "6/3"),
    ],
)
def test_the_examples_of_the_rules_page(power: int, defence: int, casual: str, balanced: str, chart: str) -> None:
    assert [applied_line(method, power, defence).need.text for method in Method] == [casual, balanced, chart]


@pytest.mark.parametrize("method", Method)
def test_what_is_above_the_caps_counts_as_the_cap(method: Method) -> None:
    assert applied_line(method, 25, 18) == applied_line(method, 20, 15)
    assert applied_line(method, 21, 3) == applied_line(method, 20, 3)
    assert applied_line(method, 3, 16) == applied_line(method, 3, 15)
    assert applied_line(method, 20, 15) != applied_line(method, 19, 15)


@pytest.mark.parametrize(
    ("text", "steps", "multiplier", "automatic"),
    [
        ("4+", (4,), 1, False),
        ("6/4+", (6, 4), 1, False),
        ("6/2", (6, 2), 1, False),
        ("6/6/6+", (6, 6, 6), 1, False),
        ("A", (), 1, True),
        ("Ax10", (), 10, True),
        ("-", (), 0, False),
    ],
)
def test_a_need_is_read_as_printed(text: str, steps: tuple[int, ...], multiplier: int, automatic: bool) -> None:
    need = read_need(text)
    assert (need.text, need.steps, need.multiplier, need.is_automatic) == (text, steps, multiplier, automatic)


@pytest.mark.parametrize(
    ("text", "faces", "done", "met"),
    [
        ("4+", (), False, False),
        ("4+", (3,), True, False),
        ("4+", (4,), True, True),
        ("6/2", (5,), True, False),
        ("6/2", (6,), False, False),
        ("6/2", (6, 1), True, False),
        ("6/2", (6, 2), True, True),
        ("6/2", (6, 6), True, True),
        ("6/6/6+", (6, 6), False, False),
        ("6/6/6+", (6, 5), True, False),
        ("6/6/6+", (6, 6, 6), True, True),
        ("A", (), True, False),
        ("-", (), True, False),
    ],
)
def test_a_chain_goes_on_only_while_it_holds(text: str, faces: tuple[int, ...], done: bool, met: bool) -> None:
    assert (read_need(text).is_done(faces), read_need(text).is_met(faces)) == (done, met)
