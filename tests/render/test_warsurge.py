"""WARSURGE cards: the outcome first, the need, the method and the line that applied, and every die told."""

from dataclasses import replace
from itertools import cycle, product
from typing import Any

import pytest

from bot.odds.warsurge import count, declare_each_method
from bot.render import plain_text
from bot.render.card import Card, Grid, Tile
from bot.render.warsurge import MAX_TILES, PRINTED, card, chart_card, compare_card
from bot.rules.errors import BadInputError
from bot.rules.game import Side
from bot.rules.text import english
from bot.rules.warsurge import declare, start
from bot.rules.warsurge.declared import Volley

NAMES = {Side.ATTACKER: "Ana"}


def shown(raw: dict[str, Any], *pips: int) -> Card:
    """The card of this attack where the dice fall like this, over and over."""
    left = cycle(pips)
    return card(start(declare(raw), lambda _ways: next(left) - 1), NAMES)


def compared(raw: dict[str, Any]) -> Card:
    """The card that compares the methods for this attack."""
    return compare_card(count(declare_each_method(declare(raw))))


def tiles(shown: Card) -> list[Tile]:
    return [tile for strip in shown.strips for tile in strip.tiles]


@pytest.mark.parametrize(
    ("raw", "pips", "sentence"),
    [
        ({"power": 4, "defence": 4, "attack_dice": 5}, (4, 5, 6, 1, 2), "3 of 5 attack dice succeed: 3 HP lost."),
        ({"power": 4, "defence": 4}, (4,), "1 of 1 attack die succeeds: 1 HP lost."),
        ({"power": 4, "defence": 4}, (3,), "0 of 1 attack die succeeds: 0 HP lost."),
        ({"power": 4, "defence": 4, "attack_dice": 2}, (3,), "0 of 2 attack dice succeed: 0 HP lost."),
        (
            {"power": 4, "defence": 4, "attack_dice": 3, "save": "5+"},
            (4, 4, 1, 5, 4),
            "2 of 3 attack dice succeed, 1 of 2 armour saves made: 1 HP lost.",
        ),
        (
            {"power": 9, "defence": 2, "attack_dice": 3},
            (),
            "3 of 3 attack dice succeed automatically: 3 HP lost.",
        ),
        (
            {"method": "balanced", "power": 9, "defence": 0, "attack_dice": 2, "save": "5+"},
            (5, 1),
            "2 of 2 attack dice succeed automatically, 1 of 2 armour saves made, times 9: 9 HP lost.",
        ),
        (
            {"method": "chart", "power": 9, "defence": 0, "attack_dice": 2, "save": "5+"},
            (5, 1, 1, 1),
            "2 of 2 attack dice succeed automatically, times 2, 1 of 4 armour saves made: 3 HP lost.",
        ),
        ({"power": 1, "defence": 3}, (), "No damage is possible, so nothing is rolled: 0 HP lost."),
    ],
)
def test_the_outcome_can_be_read_aloud(raw: dict[str, Any], pips: tuple[int, ...], sentence: str) -> None:
    assert shown(raw, *pips).outcome == sentence


@pytest.mark.parametrize(
    ("raw", "method", "need", "line"),
    [
        ({"power": 4, "defence": 4}, "Casual", "Need 4+: 4 or more", "Line: Power equals Defence"),
        (
            {"method": "balanced", "power": 3, "defence": 6},
            "Balanced",
            "Need 6/4+: a 6, then 4 or more with the same die",
            "Line: Defence is 5 or more and at least twice Power (Power 3, Defence 6)",
        ),
        (
            {"method": "balanced", "power": 12, "defence": 4},
            "Balanced",
            "Need Ax3: automatic: nothing is rolled, and every attack die succeeds; the HP loss times 3",
            "Line: Power is 5 or more and at least twice Defence",
        ),
        (
            {"method": "chart", "power": 9, "defence": 0},
            "Attack Dice Chart",
            "Need Ax2: automatic: nothing is rolled, and every attack die succeeds; the successes times 2",
            "Line: The printed cell for this Power and Defence (Power 9, Defence 0)",
        ),
        (
            {"power": 9, "defence": 2},
            "Casual",
            "Need A: automatic: nothing is rolled, and every attack die succeeds",
            "Line: Power is at least three times Defence",
        ),
        ({"power": 1, "defence": 3}, "Casual", "Need -: no damage, nothing is rolled", "at least three times Power"),
    ],
)
def test_the_method_the_need_and_the_line_are_named(raw: dict[str, Any], method: str, need: str, line: str) -> None:
    ((heading, words),) = shown(raw, 4).facts
    assert heading == "Method"
    assert english(words).splitlines()[:2] == [method, need]
    assert line in english(words).splitlines()[2]


def test_a_chain_is_linked_its_last_face_framed_and_a_failed_die_grayed() -> None:
    result = shown({"method": "balanced", "power": 3, "defence": 6, "faces": "6 5, 3, 6 2"})
    assert tiles(result) == [
        Tile("d6", "6"),
        Tile("d6", "5", framed=True, linked=True),
        Tile("d6", "3", "failed"),
        Tile("d6", "6", "failed"),
        Tile("d6", "2", "failed", framed=True, linked=True),
    ]
    assert result.alt == "Attack dice: 6 then 5 succeeds, 3 fails, 6 then 2 fails"
    assert result.trail == ("Attack dice: 6→5, 3, 6→2",)


def test_saves_are_a_strip_of_their_own() -> None:
    result = shown({"power": 4, "defence": 4, "save": "5+"}, 4, 5)
    assert [strip.label for strip in result.strips] == ["Attack dice", "Armour saves 5+"]
    assert result.alt == "Attack dice: 4 succeeds. Armour saves 5+: 5 succeeds"
    assert result.ahead == "defender"


def test_where_nothing_is_rolled_the_alt_text_is_the_outcome() -> None:
    result = shown({"power": 9, "defence": 2})
    assert (result.strips, result.alt, result.ahead) == ((), result.outcome, "attacker")


def test_of_a_large_pool_the_first_dice_are_drawn_and_the_rest_told() -> None:
    result = shown({"power": 4, "defence": 4, "attack_dice": 100}, 1, 1, 6, 1)
    assert [tile.fate for tile in tiles(result)] == ["stands"] * MAX_TILES
    assert result.strips[0].label == "Attack dice, successes first"
    assert english(result.trail[0]).endswith(" and 76 more (1 successful)")
    assert result.outcome == "25 of 100 attack dice succeed: 25 HP lost."
    assert len(english(result.alt)) <= 1024


def test_a_chain_is_never_cut_and_saves_get_half_of_the_room() -> None:
    result = shown({"method": "chart", "power": 1, "defence": 10, "attack_dice": 100, "save": "5+"}, 6, 6, 5, 1)
    attack, saves = result.strips
    assert len(attack.tiles) == len(saves.tiles) == MAX_TILES // 2
    assert sum(tile.framed for tile in attack.tiles) * 3 == MAX_TILES // 2


@pytest.mark.parametrize(
    ("raw", "note"),
    [
        ({"power": 25, "defence": 18}, "Power 25 counts as 20 · Defence 18 counts as 15"),
        ({"method": "chart", "power": 0, "defence": 0}, "the chart has no Power 0"),
        ({"power": 0, "defence": 0}, "the rules don't cover 0 here"),
        ({"power": 4, "defence": 4, "faces": "4", "save": 5}, "I rolled the armour saves"),
    ],
)
def test_the_small_print(raw: dict[str, Any], note: str) -> None:
    assert note in english(shown(raw, 4).small)


def test_a_plain_attack_has_no_small_print() -> None:
    assert shown({"power": 9, "defence": 2}).small == ""


def test_the_three_methods_side_by_side() -> None:
    result = compared({"power": 9, "defence": 0, "attack_dice": 2})
    assert result.outcome == "HP lost for certain: Casual 2, Balanced 18, Attack Dice Chart 4."
    assert result.facts == (), "the sentence says all"
    assert result.small == "the rules don't cover 0 here"


def test_methods_that_agree_are_said_to() -> None:
    assert compared({"power": 4, "defence": 4}).outcome == (
        "HP lost on average: Casual 0.5, Balanced 0.5, Attack Dice Chart 0.5."
    )
    most = compared({"power": 25, "defence": 16}).outcome
    assert english(most).endswith("Casual 0.67, Balanced 0.83, Attack Dice Chart 0.83.")


def table(result: Card) -> Grid:
    assert isinstance(result.figure, Grid)
    return result.figure


@pytest.mark.parametrize(
    ("power", "defence", "sentence", "mark"),
    [
        (7, 2, "Power 7 against Defence 2, need 2+: 2 or more.", ("7", "2", "2+")),
        (3, 6, "Power 3 against Defence 6, need 6/2: a 6, then 2 or more with the same die.", ("3", "6", "6/2")),
        (1, 1, "Power 1 against Defence 1, need 4+: 4 or more.", ("1", "1", "4+")),
        (25, 18, "Power 25 against Defence 18, need 2+: 2 or more.", ("20+", "15+", "2+")),
    ],
)
def test_the_chart_marks_the_cell_and_says_it(
    power: int, defence: int, sentence: str, mark: tuple[str, str, str]
) -> None:
    result = chart_card(power, defence)
    assert result.outcome == sentence
    assert english(result.alt).endswith(f"Highlighted: {sentence}")
    figure = table(result)
    row, column = figure.marked or (None, None)
    assert row is not None
    assert column is not None
    assert (figure.rows[row], figure.columns[column], figure.cells[row][column]) == mark


def lines_marked(figure: Grid) -> tuple[str | None, str | None]:
    """The names of the row and of the column in the frame."""
    row, column = figure.marked or (None, None)
    return None if row is None else english(figure.rows[row]), None if column is None else english(
        figure.columns[column]
    )


def test_a_phone_shows_the_part_of_the_chart_around_the_cell() -> None:
    """It is as large at the edges of the chart, and every cell of it is the one that the chart has there."""
    for power, defence in product(range(1, 22), range(17)):
        figure = table(chart_card(power, defence))
        assert (len(figure.rows), len(figure.columns)) == (7, 7)
        assert lines_marked(figure) == (PRINTED.rows[min(power, 20) - 1], PRINTED.columns[min(defence, 15)])
        down, across = PRINTED.rows.index(figure.rows[0]), PRINTED.columns.index(figure.columns[0])
        assert figure.cells == tuple(row[across : across + 7] for row in PRINTED.cells[down : down + 7])
        assert figure.cell_kinds == tuple(row[across : across + 7] for row in PRINTED.cell_kinds[down : down + 7])


def test_alt_text_says_which_part_is_shown() -> None:
    assert english(chart_card(3, 6).alt).startswith(
        "Part of the Attack Dice Chart, with Power 1 to 7 in rows and Defence 3 to 9 in columns."
    )
    assert chart_card().alt == "The Attack Dice Chart, with Power 1 to 20+ in rows and Defence 0 to 15+ in columns."


def test_the_chart_is_whole_and_tinted_by_kind() -> None:
    figure = table(chart_card())
    assert (len(figure.rows), len(figure.columns), figure.marked) == (20, 16, None)
    assert {len(row) for row in figure.cells} == {16}
    kinds = {
        (cell, figure.kinds[kind])
        for row, of in zip(figure.cells, figure.cell_kinds, strict=True)
        for cell, kind in zip(row, of, strict=True)
    }
    told = {"A": "automatic", "Ax8": "automatic", "4+": "one die", "6/2": "chain of two", "6/6/6": "chain of three"}
    assert {(cell, kind) for cell, kind in kinds if cell in told} == set(told.items())


def test_a_cell_of_the_chart_says_how_likely_a_success_is() -> None:
    assert chart_card(7, 2).facts == (("One attack die", "succeeds: 83%"),)
    assert chart_card(9, 0).facts == (("One attack die", "succeeds: 100%"),)


def test_power_alone_marks_its_row_and_tells_it() -> None:
    result = chart_card(power=9)
    assert lines_marked(table(result)) == (None, "9")
    assert table(result).row_title == "Defence", "a row of 16 cells is too wide for a phone: it is shown as a column"
    assert [row[2] for row in table(result).cells[:5]] == ["Ax2", "Ax2", "A", "A", "2+"]
    ((name, words),) = result.facts
    assert name == "Power 9"
    assert english(words).splitlines()[:4] == ["Ax2: Defence 0-1", "A: Defence 2-3", "2+: Defence 4-7", "3+: Defence 8"]
    assert english(words).splitlines()[-1] == "6/5: Defence 15+"
    assert english(words).replace("\n", ", ") in english(result.alt)


def test_defence_alone_marks_its_column_and_tells_it() -> None:
    result = chart_card(defence=16)
    assert lines_marked(table(result)) == (None, "15+")
    assert (len(table(result).rows), len(table(result).columns)) == (20, 5)
    ((name, words),) = result.facts
    assert name == "Defence 16"
    assert english(words).splitlines()[0] == "6/6/6: Power 1-3"
    assert english(words).splitlines()[-1] == "2+: Power 17-20+"
    assert result.small == "Defence 16 counts as 15"


@pytest.mark.parametrize(
    ("defence", "need"), [(0, "need 4+: 4 or more."), (3, "need -: no damage, nothing is rolled.")]
)
def test_power_0_is_not_printed_and_so_not_marked(defence: int, need: str) -> None:
    result = chart_card(0, defence)
    assert english(result.outcome).endswith(need)
    assert (table(result).marked, result.small) == (None, "the chart has no Power 0")
    assert "Highlighted" not in english(result.alt)


@pytest.mark.parametrize(("power", "defence", "field"), [(-1, 2, "power"), (7, -1, "defence"), (10**7, None, "power")])
def test_the_chart_refuses_what_an_attack_refuses(power: int, defence: int | None, field: str) -> None:
    with pytest.raises(BadInputError) as refused:
        chart_card(power, defence)
    assert refused.value.field == field


def test_a_need_is_no_fraction_in_the_terminal() -> None:
    assert plain_text.pairs({"need": "6/2", "p": "6/2"}) == "  need: 6/2\n  p: 3"


# Volleys

WEAPONS = "Rifle: Power 4, Dice 2, AP 1; Cannon: Power 12"


@pytest.mark.parametrize(
    ("names", "hp", "sentence"),
    [
        ({}, None, "Rifle and Cannon against the target: 3 HP lost."),
        ({}, 5, "Rifle and Cannon against the target: 3 HP lost, 2 of 5 left."),
        ({}, 2, "Rifle and Cannon against the target: 3 HP lost. The target had 2 HP and is destroyed."),
        ({"attacker": "Murat"}, None, "Murat attacks with Rifle and Cannon: 3 HP lost."),
        ({"target": "Ortega"}, 4, "Rifle and Cannon against Ortega: 3 HP lost, 1 of 4 left."),
        (
            {"attacker": "Murat", "target": "Ortega"},
            3,
            "Murat attacks Ortega with Rifle and Cannon: 3 HP lost. Ortega had 3 HP and is destroyed.",
        ),
    ],
)
def test_the_outcome_of_a_volley_can_be_read_aloud(names: dict[str, Any], hp: int | None, sentence: str) -> None:
    declared = declare({"defence": 4, "weapons": WEAPONS, "hp": hp})
    assert isinstance(declared, Volley)
    assert card(start(replace(declared, **names), lambda _ways: 3), NAMES).outcome == sentence


def test_each_weapon_of_a_volley_has_its_dice_and_its_fact() -> None:
    result = shown({"defence": 4, "save": 4, "weapons": WEAPONS}, 4, 4, 5, 1, 2)
    assert result.title == "WARSURGE · Rifle and Cannon against Defence 4"
    assert [(strip.label, len(strip.tiles)) for strip in result.strips] == [
        ("Rifle", 2),
        ("Saves 5+ against Rifle", 2),
        ("Saves 4+ against Cannon", 1),
    ]
    assert [name for name, _ in result.facts] == ["Rifle", "Cannon", "Method"]
    assert english(result.facts[0][1]).splitlines() == [
        "Power 4 against Defence 4",
        "Need 4+: 4 or more",
        "Line: Power equals Defence (Power 4, Defence 4)",
        "2 of 2 attack dice succeed, 1 of 2 armour saves made: 1 HP lost.",
    ]
    assert result.small == "AP 1 makes the armour save 5+"
    assert english(result.alt).startswith("Rifle: 4 succeeds, 4 succeeds. Saves 5+ against Rifle: 5 succeeds, 1 fails")


def test_dice_that_all_fit_are_all_drawn() -> None:
    result = shown({"power": 4, "defence": 4, "attack_dice": 20, "save": 5}, 4, 1, 1, 1, 1, 1, 1)
    assert [(strip.label, len(strip.tiles)) for strip in result.strips] == [("Attack dice", 20), ("Armour saves 5+", 3)]
    volley = shown({"defence": 4, "weapons": "Rifle: Power 4, Dice 18; Cannon: Power 4, Dice 6"}, 1)
    assert [len(strip.tiles) for strip in volley.strips] == [18, 6]
    more = shown({"defence": 4, "weapons": "Rifle: Power 4, Dice 19; Cannon: Power 4, Dice 6"}, 1)
    assert [len(strip.tiles) for strip in more.strips] == [12, 6]


def test_ap_that_leaves_no_save_is_said() -> None:
    assert shown({"power": 4, "defence": 4, "save": 5, "ap": 2}, 4).small == "AP 2 leaves no armour save"


def test_saves_that_wait_are_the_turn_of_the_defender() -> None:
    raw = {"power": 4, "defence": 4, "attack_dice": 2, "save": 5, "asks_saves": True}
    result = shown(raw, 4)
    assert (result.outcome, result.turn, result.ahead) == (
        "2 of 2 attack dice succeed: 2 armour saves to roll.",
        "The defender rolls 2 armour saves.",
        "open",
    )
    state = start(declare(raw), lambda _ways: 3)
    assert card(state, {Side.DEFENDER: "Bo"}).turn == "Bo rolls 2 armour saves."
