"""Albion cards: the outcome first, three dice and their sum, the thresholds, and the working."""

from typing import Any

import pytest

from bot.render.albion import card
from bot.render.card import Card, Scale, Section, Tile
from bot.rules.albion import declare, start
from bot.rules.game import Side
from bot.rules.text import Text, english

SOLDIER = {"target": {"agility": 4, "stealth": 3}, "attacker": {"awareness": 3, "strength": 3}}
DODGING = SOLDIER | {"target": {"agility": 4, "stealth": 3, "dodging": True}}
EASY = {"target": {"agility": 0, "stealth": 0}, "attacker": {"awareness": 1, "strength": 0}}
HOPELESS = {"target": {"agility": 12, "stealth": 0}, "attacker": {"awareness": 0, "strength": 0}}


def shown(raw: dict[str, Any]) -> Card:
    """The card of this action; where no faces lie, each die falls on its fourth face."""
    return card(start(declare(raw), lambda _ways: 3), {Side.ATTACKER: "Ana"})


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (SOLDIER | {"faces": "180 18 1"}, "Focus point! 199 beats 198: power x1.5."),
        (SOLDIER | {"faces": "180 18 1", "power": 27}, "Focus point! 199 beats 198: power x1.5 is 40.5."),
        (SOLDIER | {"faces": "180 12 1"}, "Hit, 193 beats 72; 193 doesn't beat 198 for a focus point: power x1."),
        (SOLDIER | {"faces": "72 0 0", "power": 27}, "Miss: 72 doesn't beat 72: power x0 is 0."),
        (DODGING | {"faces": "180 18 1"}, "Hit, 199 beats 144; a focus point is impossible: power x1."),
        (
            EASY | {"faces": "144 12 1"},
            ("Hit, guaranteed by a Total Miss Chance of -9; 157 doesn't beat 157.5 for a focus point: power x1."),
        ),
        (HOPELESS, "Miss, guaranteed by a Total Miss Chance of 216: power x0."),
    ],
)
def test_the_outcome_can_be_read_aloud(raw: dict[str, Any], sentence: str) -> None:
    assert shown(raw).outcome == sentence


def test_three_dice_and_their_sum() -> None:
    result = shown(SOLDIER)
    assert result.strips[0].label == "Dx36 + Dx6 + Dx1"
    assert result.strips[0].tiles == (
        Tile("dx36", "108"),
        Tile("dx6", "18"),
        Tile("dx1", "3"),
        Tile("sum", "= 129"),
    )
    assert (result.number, result.unit) == ("Hit", "power x1")
    assert result.alt == "Dx36 108 + Dx6 18 + Dx1 3 = 129, a hit. Scale: miss 0-72, hit 73-198, focus point 199-215"
    assert result.ahead == "attacker"


def test_the_dice_of_a_miss_are_grayed() -> None:
    result = shown(SOLDIER | {"faces": "0 0 1"})
    assert [tile.fate for tile in result.strips[0].tiles[:3]] == ["failed"] * 3
    assert english(result.alt).startswith("Dx36 0 + Dx6 0 + Dx1 1 = 1, a miss.")
    assert result.ahead == "defender"


def test_a_focus_point_is_told_in_the_alt_text() -> None:
    assert english(shown(SOLDIER | {"faces": "180 18 1"}).alt).startswith(
        "Dx36 180 + Dx6 18 + Dx1 1 = 199, a focus point."
    )


def test_a_guaranteed_miss_has_no_dice() -> None:
    result = shown(HOPELESS)
    assert (result.strips, result.trail) == ((), ())
    assert result.alt == f"{result.outcome} Scale: miss 0-215"


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (SOLDIER, "miss 0-72, hit 73-198, focus point 199-215"),
        (DODGING, "miss 0-144, hit 145-215"),
        (EASY, "hit 0-157, focus point 158-215"),
        (HOPELESS, "miss 0-215"),
    ],
)
def test_the_thresholds_as_values(raw: dict[str, Any], words: str) -> None:
    assert dict(shown(raw).facts)[Text("Thresholds")] == words


def test_the_scale_shows_the_thresholds_and_the_rolled_value() -> None:
    sections = (
        Section(Text("miss"), 72, "bad"),
        Section(Text("hit"), 198, "good"),
        Section(Text("focus point"), 215, "best"),
    )
    assert shown(SOLDIER).figure == Scale(0, sections, 129)


@pytest.mark.parametrize(
    ("raw", "labels", "mark"),
    [(DODGING, ["miss", "hit"], 129), (EASY, ["hit", "focus point"], 129), (HOPELESS, ["miss"], None)],
)
def test_what_cannot_come_about_is_not_on_the_scale(raw: dict[str, Any], labels: list[str], mark: int | None) -> None:
    figure = shown(raw).figure
    assert isinstance(figure, Scale)
    assert [section.label for section in figure.sections] == labels
    assert figure.sections[-1].last == 215
    assert figure.mark == mark


def test_the_working_names_every_number() -> None:
    assert english(dict(shown(DODGING).facts)[Text("Working")]).splitlines() == [
        "Agility Evasiveness = 18 x 4 x 2, dodging = 144",
        "Stealth Evasiveness = 18 x 3 = 54",
        "Total Evasiveness = 144 + 54 = 198",
        "Accuracy = 18 x Awareness 3 = 54",
        "Range = 18 x Strength 3 = 54",
        "Total Seeker Skill = 54 + 54 = 108",
        "Halved Seeker Skill = 108 / 2 = 54",
        "Total Miss Chance = 198 - 54 = 144",
        "Focus Point Miss Chance = 144 / 2 + 162 = 234",
    ]
    assert "dodging" in english(shown(DODGING).title)


def test_the_small_print() -> None:
    assert shown(SOLDIER).small == "chance of a hit 66% · chance of a focus point 8%"
