"""Any dice and contests on a card: what happened to the dice, line by line."""

import pytest

from bot.games import GAMES
from bot.rules.game import Side
from tests.rules.test_anydice import dice


@pytest.mark.parametrize(
    ("text", "faces", "trail"),
    [
        ("4d6kh3", (6, 5, 3, 1), ("4d6kh3: 6, 5, 3, 1 (dropped) = 14",)),
        ("3#1d20+4", (20, 1, 7), ("1. 1d20: 20 = 20", "2. 1d20: 1 = 1", "3. 1d20: 7 = 7")),
        ("1d6ro1+1d6!", (1, 4, 6, 2), ("1d6ro1: 1 → 4 = 4", "1d6!: 6, 2 = 8")),
        ("(3d10>=7 [aim])+1", (10, 7, 6), ("3d10>=7 (aim): 10, 7, 6 = 2 successes",)),
        ("1d6mi3", (1,), ("1d6mi3: 1 → 3 = 3",)),
    ],
)
def test_each_pool_tells_its_story(text: str, faces: tuple[int, ...], trail: tuple[str, ...]) -> None:
    game = GAMES["anydice"]
    state = game.rules.start(game.rules.declare({"dice": text}), dice(*faces))
    assert game.card(state, {Side.ATTACKER: "Ana"}).trail == trail


def test_a_contest_tells_the_story_of_both_sides() -> None:
    game = GAMES["contest"]
    state = game.rules.start(game.rules.declare({"dice": "2d20kh1", "their_dice": "1d20"}), dice(4, 17, 9))
    card = game.card(state, {Side.ATTACKER: "Ana"})
    assert card.trail == ("Ana, 2d20kh1: 4 (dropped), 17 = 17", "Side 2, 1d20: 9 = 9")
    assert [strip.label for strip in card.strips] == ["Ana: 2d20kh1", "Side 2: 1d20"]


def test_a_roll_of_very_many_dice_says_what_its_picture_leaves_out() -> None:
    game = GAMES["anydice"]
    state = game.rules.start(game.rules.declare({"dice": "40d6!>1"}), lambda _: 5)
    card = game.card(state, {})
    assert card.small == "The picture shows 120 of 440 dice"
    assert sum(len(strip.tiles) for strip in card.strips) == 120
