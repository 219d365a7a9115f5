"""**How?**: what happened to each die, in the words of its game."""

import pytest

from bot.render import explanation
from bot.render.card import Card
from bot.rules import anydice
from bot.rules.dice import DieStep, Rolled
from bot.rules.text import Name, Text, english
from tests.rules.test_anydice import rolled


def told(*dice: Rolled) -> list[str]:
    """The line of each die."""
    ((_, lines),) = tuple(explanation.card(Card(Name("A roll"), Name("Ana rolls")), dice, {}).facts)
    return english(lines).splitlines()


@pytest.mark.parametrize(
    ("typed", "faces", "lines"),
    [
        ("4d6kh3", (3, 1, 6, 5), ["1. d6: 3.", "2. d6: 1, dropped.", "3. d6: 6.", "4. d6: 5."]),
        ("1d10!", (10, 5), ["1. d10: 10.", "2. d10: 5 (extra die)."]),
        ("1d10!!", (10, 5), ["1. d10: 10, 5 (extra die), counts as 15."]),
        ("1d6!p", (6, 4), ["1. d6: 6.", "2. d6: 4 (extra die), counts as 3 (penetrating)."]),
        ("1d6i1", (1, 4), ["1. d6: 1.", "2. d6: 4 (subtracted die), counts as −4."]),
        ("1d6ro1", (1, 4), ["1. d6: 1, rerolled to 4 (`ro1`)."]),
        ("1d6mi2", (1,), ["1. d6: 1, counts as 2 (`mi`)."]),
        (
            "d100b",
            (47, 2),
            [
                "1. d100: 47, counts as 17 (bonus or penalty die).",
                "2. d10: 10 (bonus or penalty die), compared with the d100.",
            ],
        ),
    ],
)
def test_dice_of_a_notation_say_what_became_of_them(typed: str, faces: tuple[int, ...], lines: list[str]) -> None:
    assert told(*anydice.rolled(rolled(typed, *faces))) == lines


def test_dice_of_x_wing_say_who_changed_them() -> None:
    hit = Rolled("red", (DieStep("rolled", "hit"),)).after_step("cancelled", Text("evade"))
    evade = Rolled("green", (DieStep("rolled", "focus"),)).after_step("changed", Text("focus"), "evade")
    assert told(hit, evade) == ["1. Red: hit, canceled by evade.", "2. Green: focus, changed to evade (focus)."]
