"""Numbers as people read them, rounded half up and never a false zero; dice and figures without a picture."""

from dataclasses import replace
from fractions import Fraction
from typing import get_args

import pytest

from bot.render.card import Bar, Bars, Grid, Scale, Section, Tile, fate_of
from bot.render.explanation import DOES
from bot.render.plain_text import FATES, bars, decimal, dice, figure, pairs, percent, tile_text
from bot.rules.dice import OUT, DieStep, How, Rolled
from bot.rules.text import Text, english


@pytest.mark.parametrize(
    ("chance", "decimals", "said"),
    [
        (Fraction(1, 3), 2, "33.33%"),
        (Fraction(2, 3), 1, "66.7%"),
        (Fraction(2, 3), 0, "67%"),
        (Fraction(1, 8), 0, "13%"),
        (Fraction(1), 0, "100%"),
        (Fraction(0), 2, "0.00%"),
        (Fraction(1, 20_000), 2, "0.01%"),
        (Fraction(1, 20_001), 2, "< 0.01%"),
        (Fraction(1, 2001), 1, "< 0.1%"),
        (Fraction(1, 201), 0, "< 1%"),
        (Fraction(1, 6**100), 2, "< 0.01%"),
    ],
)
def test_percent(chance: Fraction, decimals: int, said: str) -> None:
    assert percent(chance, decimals) == said


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
        ["0", "25.00%", "████"],
        ["1", "50.00%", "████████"],
        ["3", "25.00%", "████"],
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
