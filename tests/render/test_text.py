"""Numbers as people read them, rounded half up and never a false zero; dice and figures without a picture."""

import ast
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Final, get_args

import pytest

from bot.render.card import Bar, Bars, Grid, Scale, Section, Tile, fate_of
from bot.render.explanation import DOES
from bot.render.plain_text import FATES, bars, decimal, dice, exact_percent, figure, pairs, percent, tile_text
from bot.rules.dice import OUT, DieStep, How, Rolled
from bot.rules.text import Text, english
from tests.numbers import untrue_numbers


@pytest.mark.parametrize(
    ("chance", "said"),
    [
        (Fraction(1, 3), "33%"),
        (Fraction(2, 3), "67%"),
        (Fraction(1, 8), "13%"),
        (Fraction(1, 100), "1%"),
        (Fraction(99, 100), "99%"),
        (Fraction(0), "0%"),
        (Fraction(1), "100%"),
        (Fraction(96, 10_000), "1%"),
        (Fraction(1, 216), "0.5%"),
        (Fraction(215, 216), "99.5%"),
        (Fraction(1, 2000), "0.1%"),
        (Fraction(1, 2001), "< 0.1%"),
        (Fraction(1, 6**100), "< 0.1%"),
        (1 - Fraction(1, 6**100), "> 99.9%"),
    ],
)
def test_a_percent_is_whole_but_at_the_ends(chance: Fraction, said: str) -> None:
    assert percent(chance) == said


@pytest.mark.parametrize(
    ("chance", "said"),
    [
        (Fraction(1, 3), "33.33%"),
        (Fraction(0), "0.00%"),
        (Fraction(1, 20_000), "0.01%"),
        (Fraction(1, 6**100), "< 0.01%"),
    ],
)
def test_the_terminal_says_percents_exactly(chance: Fraction, said: str) -> None:
    assert exact_percent(chance) == said


def test_no_percent_between_the_ends_has_a_decimal_or_is_far_off() -> None:
    for chance in (Fraction(numerator, 2000) for numerator in range(0, 2001, 7)):
        said = english(percent(chance))
        assert not untrue_numbers(said)
        assert abs(Fraction(said.strip("<>% ")) - chance * 100) <= Fraction(1, 2), chance


PERCENT_WRITTEN: Final = {"bot/render/plain_text.py"}
"""The one file whose code may put a percent sign behind a number."""


def written_percents(source: str) -> list[str]:
    """Places where a value is followed by a percent sign, or is formatted as a percent."""
    found = []
    for node in ast.walk(ast.parse(source)) if "%" in source else ():
        if isinstance(node, ast.JoinedStr):
            code = ast.unparse(node)
            found += [code] if re.search(r"\}\s?%|:[^{}]*%\}", code) else []
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.search(r"\{\w*\}\s?%", node.value):
            found.append(node.value)
    return found


def test_one_function_writes_percents() -> None:
    root = Path(__file__).parents[2]
    files = [*root.glob("bot/**/*.py"), *root.glob("cogs/**/*.py")]
    found = {str(file.relative_to(root)): each for file in files if (each := written_percents(file.read_text("utf-8")))}
    assert set(found) == PERCENT_WRITTEN, found


@pytest.mark.parametrize("source", ['f"{share:.1%}"', 'f"{share} %"', 'Text("{share}% of all")'])
def test_a_percent_that_is_written_elsewhere_is_found(source: str) -> None:
    assert written_percents(source)


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (Fraction(2), "2"),
        (Fraction(5, 6), "0.83"),
        (Fraction(1, 8), "0.13"),
        (Fraction(10), "10"),
        (Fraction(0), "0"),
        (Fraction(1, 1000), "0"),
        (Fraction(-5, 2), "−2.5"),
    ],
)
def test_decimal(number: Fraction, said: str) -> None:
    assert decimal(number) == said


@pytest.mark.parametrize(
    ("tile", "said"),
    [
        (Tile("red", "hit"), "hit"),
        (Tile("red", ""), "blank"),
        (Tile("d20-attacker", "12", "cancelled", critical=True), "Critical 12 (canceled)"),
        (Tile("d6", "2", "failed"), "2 (failed)"),
        (Tile("red", "hit", badge="focus", ghost="blank"), "hit (was blank, rerolled, changed by focus)"),
        (Tile("red", "focus", badge="card", added=True), "focus (changed by a card, added)"),
    ],
)
def test_a_die_in_words(tile: Tile, said: str) -> None:
    assert tile_text(tile) == said


def test_a_die_that_no_longer_counts_says_the_step_that_took_it_out() -> None:
    for how in get_args(How):
        if how in OUT:
            assert FATES[fate_of(Rolled("d6", (DieStep(how, 1),)))] == DOES[how][0]


def test_a_chain_says_its_fate_once_and_a_sum_stands_at_the_end() -> None:
    chain = (Tile("d6", "6", "failed"), Tile("d6", "2", "failed", linked=True))
    assert dice((*chain, Tile("d6", "5"))) == "6 → 2 (failed), 5"
    assert dice((Tile("dx36", "72"), Tile("dx6", "0"), Tile("sum", "= 72"))) == "72, 0 = 72"


def test_bars_say_the_number_first_and_the_likeliest_is_longest() -> None:
    law = [("0", Fraction(1, 4)), ("1", Fraction(1, 2)), ("2", Fraction(0)), ("3", Fraction(1, 4))]
    title, *lines = english(bars("hits:", law, wide=8)).splitlines()
    assert title == "hits:"
    assert [line.split() for line in lines] == [
        ["0", "25%", "████"],
        ["1", "50%", "████████"],
        ["3", "25%", "████"],
    ]


def test_long_laws_keep_their_likeliest_rows() -> None:
    law = [(str(count), Fraction(count, 55)) for count in range(1, 11)]
    kept = [line.split()[0] for line in english(bars("hits:", law, rows=3)).splitlines()[1:]]
    assert kept == ["8", "9", "10"]


TABLE = Grid(
    Text("Power"),
    Text("Defence"),
    (Text("1"), Text("2")),
    (Text("0"), Text("1"), Text("2")),
    ((Text("A"), Text("4+"), Text("4+")), (Text("A"), Text("A"), Text("3+"))),
)


@pytest.mark.parametrize(
    ("marked", "lines"),
    [
        (None, ["1: A at 0, 4+ at 1-2", "2: A at 0-1, 3+ at 2"]),
        ((1, 2), ["2: A at 0-1, 3+ at 2"]),
        ((1, None), ["2: A at 0-1, 3+ at 2"]),
        ((None, 1), ["1: 4+ at 1, A at 2"]),
    ],
)
def test_a_table_in_words(marked: tuple[int | None, int | None] | None, lines: list[str]) -> None:
    assert english(figure(replace(TABLE, marked=marked))).splitlines()[1:] == lines


def test_a_scale_in_words_says_where_the_mark_lies() -> None:
    shown = Scale(0, (Section(Text("miss"), 72, "bad"), Section(Text("hit"), 215, "good")), mark=73)
    assert figure(shown) == "miss: 0 to 72\nhit: 73 to 215 ◀ 73"


def test_a_chart_of_several_laws_is_a_block_for_each() -> None:
    shown = Bars(
        (Text("Casual"), Text("Chart")),
        (Bar(Text("0"), (Fraction(1), Fraction(1, 2))), Bar(Text("1"), (Fraction(0), Fraction(1, 2)))),
    )
    assert [line.split()[0] for line in english(figure(shown)).splitlines()] == ["Casual:", "0", "Chart:", "0", "1"]


def test_a_list_of_groups_has_a_line_for_each() -> None:
    weapons = [{"weapon": "Rifle", "p": "1/2", "hp_loss": {"0": "1/2"}}, {"weapon": "Cannon", "p": "1/1"}]
    assert english(pairs({"attacks": weapons, "mean": "3/2", "rows": [1, 2]})).splitlines() == [
        "  attacks:",
        "    weapon: Rifle, p: 1/2 = 0.500000",
        "    weapon: Cannon, p: 1",
        "  mean: 3/2 = 1.500000",
        "  rows: [1, 2]",
    ]
