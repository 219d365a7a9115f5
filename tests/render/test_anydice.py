"""Any dice and contests on a card: what happened to the dice, line by line."""

import pytest

from bot.games import GAMES
from bot.odds.anydice import count
from bot.render.anydice import odds_card
from bot.render.art.dice import COLORS, SHAPES
from bot.render.card import Bars
from bot.render.paint import picture
from bot.rules.anydice import declare
from bot.rules.anydice.systems import SYSTEMS, System
from bot.rules.game import Side
from bot.rules.text import english
from tests.rows import for_each_row
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


def test_no_outcome_says_the_same_twice() -> None:
    game = GAMES["anydice"]
    for row in (row for system in SYSTEMS.values() for row in system.golden):
        state = game.rules.start(game.rules.declare({"dice": row["typed"], "faces": row["faces"]}), dice())
        head, _, detail = english(game.card(state, {Side.ATTACKER: "Ana"}).outcome).partition(": ")
        counts = state.rows[0].reading.counts if state.rows[0].reading else ()
        parts = [f"{amount} {count.one if amount == 1 else count.many}" for count, amount in counts]
        assert not [part for part in parts if head.endswith(f" {part}") and part in detail], row


def test_a_contest_tells_the_story_of_both_sides() -> None:
    game = GAMES["contest"]
    state = game.rules.start(game.rules.declare({"dice": "2d20kh1", "their_dice": "1d20"}), dice(4, 17, 9))
    card = game.card(state, {Side.ATTACKER: "Ana"})
    assert card.trail == ("Ana, 2d20kh1: 4 (dropped), 17 = 17", "Side 2, 1d20: 9 = 9")
    assert [strip.label for strip in card.strips] == ["Ana wins: 2d20kh1", "Side 2: 1d20"]
    assert [(strip.won, strip.beside) for strip in card.strips] == [(True, False), (False, True)]


def test_a_roll_of_very_many_dice_says_what_its_picture_leaves_out() -> None:
    game = GAMES["anydice"]
    state = game.rules.start(game.rules.declare({"dice": "40d6!>1"}), lambda _: 5)
    card = game.card(state, {})
    assert card.small == "The picture shows 120 of the 440 dice"
    assert sum(len(strip.tiles) for strip in card.strips) == 120


@for_each_row(
    ("text", "faces", "outcome", "ahead"),
    [
        ("2d6", (3, 5), "Ana rolls 3 + 5 = 8.", "unchecked"),
        ("4d6kh3 + 1d8", (6, 5, 3, 1, 4), "Ana rolls 14 + 4 = 18.", "unchecked"),
        ("(2d6+3)*2", (3, 5), "Ana rolls (3 + 5 + 3) × 2 = 22.", "unchecked"),
        ("3d6/2", (1, 2, 4), "Ana rolls (1 + 2 + 4) ÷ 2 = 3. The division is rounded down.", "unchecked"),
        ("3d6/2", (1, 1, 4), "Ana rolls (1 + 1 + 4) ÷ 2 = 3.", "unchecked"),
        ("10-1d4", (3,), "Ana rolls 10 − 3 = 7.", "unchecked"),
        ("-2d4", (3, 1), "Ana rolls −(3 + 1) = −4.", "unchecked"),
        ("-1d6", (3,), "Ana rolls −3.", "unchecked"),
        ("2d6i1", (1, 5, 4), "Ana rolls 1 + 5 + (−4) = 2.", "unchecked"),
        ("{2d6, 1d8, 1d4}kh2", (1, 2, 8, 4), "Ana rolls the best 2 of 3, 8, and 4 = 12.", "unchecked"),
        ("sil3", (6, 6, 2), "Ana ends with 7.", "unchecked"),
        ("mm", (3, 4, 1), "Ana ends with 13: fantastic.", "unchecked"),
        ("+ms45", (30, 44), "Ana ends with 44: a critical success.", "passed"),
        ("conan 3 vs 12", (1, 2, 13), "Ana has 2 successes.", "unchecked"),
        ("1dF", (1,), "Ana rolls −1.", "unchecked"),
        ("2dF", (1, 3), "Ana rolls (−1) + 1 = 0.", "unchecked"),
        ("1d20+5", (20,), "Ana rolls 20 + 5 = 25. A natural 20!", "unchecked"),
        ("1d20+5", (1,), "Ana rolls 1 + 5 = 6. A natural 1.", "unchecked"),
        ("2d20kl1", (1, 20), "Ana rolls 1. A natural 1.", "unchecked"),
        ("2d20", (20, 1), "Ana rolls 20 + 1 = 21.", "unchecked"),
        ("sw8+2", (8, 3, 6, 2), "Ana rolls (the best of 11 and 8) + 2 = 13.", "unchecked"),
        ("3d6<=12", (3, 4, 4), "Ana succeeds with 3 + 4 + 4 = 11 (needed 3d6 at most 12).", "passed"),
        ("d100<=45", (71,), "Ana fails with 71 (needed 1d100 at most 45).", "failed"),
        ("1d20+5>=1d20", (9, 14), "Ana succeeds with 9 + 5 = 14 against 14 (needed 1d20+5 at least 1d20).", "passed"),
        ("coc 45", (45,), "Ana rolls 45 against 45: regular success.", "passed"),
        ("coc 45", (22,), "Ana rolls 22 against 45: hard success.", "passed"),
        ("coc 45", (9,), "Ana rolls 9 against 45: extreme success.", "passed"),
        ("coc 45", (1,), "Ana rolls 1 against 45: critical success.", "passed"),
        ("coc 45", (95,), "Ana rolls 95 against 45: failure.", "failed"),
        ("coc 45", (96,), "Ana rolls 96 against 45: fumble.", "failed"),
        ("coc 50", (96,), "Ana rolls 96 against 50: failure.", "failed"),
        ("coc 50", (100,), "Ana rolls 100 against 50: fumble.", "failed"),
        ("pbta+2", (1, 3), "Ana rolls 1 + 3 + 2 = 6: 6-, a miss.", "failed"),
        ("pbta+2", (1, 4), "Ana rolls 1 + 4 + 2 = 7: 7-9, a partial success.", "passed"),
        ("pbta+2", (4, 4), "Ana rolls 4 + 4 + 2 = 10: 10+, a full success.", "passed"),
        ("sr4", (1, 1, 5, 6), "Ana has 2 successes: glitch, 2 ones.", "unchecked"),
        ("sr4", (1, 1, 2, 3), "Ana has 0 successes: critical glitch, 2 ones.", "failed"),
        ("sr4", (1, 2, 5, 6), "Ana has 2 successes: 1 one.", "unchecked"),
        ("3wod8", (1, 1, 8), "Ana has 0 successes: a failure.", "failed"),
        ("3wod8", (1, 9, 8), "Ana has 1 success: a success.", "passed"),
        ("coin", (1,), "Ana rolls heads.", "unchecked"),
        ("3 coins", (1, 2, 2), "Ana rolls 1 head, 2 tails.", "unchecked"),
        ("1d20+5 to hit; 1d8", (9, 4), "Ana rolls to hit 14 and 4.", "unchecked"),
        ("2#6d10>=7", (7,) * 6 + (1,) * 6, "Ana has 6 successes and 0 successes.", "unchecked"),
        ("d66", (3, 5), "Ana rolls 35.", "unchecked"),
    ],
)
def test_the_outcome_says_the_way_and_the_stripe_what_was_checked(
    text: str, faces: tuple[int, ...], outcome: str, ahead: str
) -> None:
    game = GAMES["anydice"]
    card = game.card(game.rules.start(game.rules.declare({"dice": text}), dice(*faces)), {Side.ATTACKER: "Ana"})
    assert (card.outcome, card.ahead) == (outcome, ahead)


def test_the_title_says_what_was_understood_and_a_natural_twenty_has_a_ring() -> None:
    game = GAMES["anydice"]
    state = game.rules.start(game.rules.declare({"dice": "1d20+5 adv vs 15"}), dice(4, 20))
    card = game.card(state, {})
    assert card.title == "Any dice · 2d20kh1+5>=15"
    assert [(one.face, one.critical, one.fate) for one in card.strips[0].tiles] == [
        ("4", False, "dropped"),
        ("20", True, "stands"),
    ]
    item = game.card(game.rules.start(game.rules.declare({"dice": "1d20"}), dice(1)), {})
    assert [tile.fate for tile in item.strips[0].tiles] == ["failed"]


def test_several_rolls_have_a_row_each_with_the_total_at_its_end() -> None:
    game = GAMES["anydice"]
    state = game.rules.start(game.rules.declare({"dice": "2#4d6kh3"}), dice(6, 5, 3, 1, 2, 2, 2, 1))
    assert [[tile.face for tile in strip.tiles] for strip in game.card(state, {}).strips] == [
        ["6", "5", "3", "1", "= 14"],
        ["2", "2", "2", "1", "= 6"],
    ]


def test_the_odds_of_symbols_leave_out_what_none_of_the_dice_shows() -> None:
    card = odds_card(count(declare({"dice": "genesys 1g"})))
    assert isinstance(card.figure, Bars)
    assert [english(name) for name in card.figure.series] == ["net successes", "net advantages"]


def test_symbols_are_drawn_and_said() -> None:
    game = GAMES["anydice"]
    state = game.rules.start(game.rules.declare({"dice": "genesys 1g 1y 2p"}), dice(7, 12, 8, 1))
    drawn = game.card(state, {Side.ATTACKER: "Ana"})
    assert drawn.outcome == "Ana ends with 1: a success, 1 triumph."
    assert [tile.shapes for strip in drawn.strips for tile in strip.tiles] == [
        ("burst", "chevron"),
        ("ringed burst",),
        ("triangle", "hook"),
        (),
    ]
    assert "ability: success + advantage" in english(drawn.alt)
    assert "difficulty: failure + threat, blank" in english(drawn.alt)
    assert picture(drawn)


@for_each_row("one", SYSTEMS.values(), ids=lambda item: item.key)
def test_every_mark_and_color_of_a_system_can_be_drawn(one: System) -> None:
    assert {mark.shape for mark in one.marks.values()} <= set(SHAPES)
    assert set(one.colors.values()) <= set(COLORS)
    assert set(one.colors) <= set(one.faces)
