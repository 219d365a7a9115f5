"""A roll that several people are asked for: who is asked, who rolls, and what is refused."""

from typing import Any

import pytest

from bot.rules import anydice
from bot.rules.anydice import CLOSE, MAX_ROLLS, InvitedPlayer, RequestedRoll
from bot.rules.errors import NotOfferedError, PlayerError
from bot.rules.game import Choice
from tests.rules.test_anydice import dice
from tests.starts import chance


def asking(**words: object) -> Any:
    return anydice.start(anydice.declare(words), chance(1))


def test_each_who_is_asked_has_a_button_and_a_bonus() -> None:
    state = asking(dice="1d20", request=" @1 +5,  @2  and @3 - 2", label="Perception")
    assert state.declared.people == (InvitedPlayer(1, 5), InvitedPlayer(2, 0), InvitedPlayer(3, -2))
    assert [(offer.key, str(offer.label), offer.player) for offer in anydice.offers(state)[:-1]] == [
        ("roll-1", "@1: roll", 1),
        ("roll-2", "@2: roll", 2),
        ("roll-3", "@3: roll", 3),
    ]
    state = anydice.choose(state, Choice("roll-1"), dice(12))
    state = anydice.choose(state, Choice("roll-3"), dice(9))
    assert [(player, row.total) for player, row in state.rows] == [(1, 17), (3, 7)]
    assert [offer.key for offer in anydice.offers(state)] == ["roll-2", "close"]
    state = anydice.choose(state, Choice("roll-2"), dice(1))
    assert anydice.offers(state) == ()
    assert anydice.outcome(state) == {
        "understood": "1d20",
        "totals": [{"player": 1, "total": 17}, {"player": 3, "total": 7}, {"player": 2, "total": 1}],
        "missing": [],
    }


def test_everybody_may_be_asked_and_each_rolls_once() -> None:
    state = asking(dice="1d20", request="everybody")
    state = anydice.choose(state, Choice("roll", player=1), dice(12))
    with pytest.raises(PlayerError, match="You've already rolled"):
        anydice.choose(state, Choice("roll", player=1), dice(12))
    state = anydice.choose(state, Choice("roll", player=0), dice(3))
    for number in range(2, MAX_ROLLS):
        state = anydice.choose(state, Choice("roll", player=number), dice(4))
    assert anydice.offers(state) == ()


def test_an_open_end_asks_what_each_adds() -> None:
    state = asking(dice="1d20+... ", request="@1 +1")
    assert [field.key for field in anydice.offers(state)[0].fields] == ["bonus"]
    with pytest.raises(PlayerError, match="Use a number"):
        anydice.choose(state, Choice("roll-1", filled={"bonus": "five"}), dice(12))
    state = anydice.choose(state, Choice("roll-1", filled={"bonus": "+5"}), dice(12))
    assert state.rows[0][1].total == 18


def test_a_bonus_counts_before_a_check() -> None:
    state = asking(dice="1d20>=15", request="@1 +5, @2 -3", at_once=True)
    assert [row.line.notation for _, row in state.rows] == ["1d20+5>=15", "1d20-3>=15"]
    assert anydice.offers(state) == ()
    assert len(anydice.rolled(state)) == 2


def test_a_request_that_is_closed_takes_no_more_rolls() -> None:
    state = anydice.choose(asking(dice="1d20", request="@1"), Choice(CLOSE.key), dice())
    assert anydice.offers(state) == ()
    with pytest.raises(NotOfferedError):
        anydice.choose(state, Choice("roll-1"), dice(3))


def test_only_a_request_that_waits_for_nobody_can_be_secret() -> None:
    assert (
        anydice.not_secret(anydice.declare({"dice": "1d20", "request": "@1"}))
        == "This request is still waiting for people."
    )
    assert anydice.not_secret(anydice.declare({"dice": "1d20", "request": "@1", "at_once": True})) == ""


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"request": "Ana"}, "Mention people"),
        ({"request": " , "}, "Mention people"),
        ({"request": "  "}, "or write `everybody`"),
        ({"request": "@1, @1"}, "each person once"),
        ({"request": "everybody", "at_once": True}, "Name the people who should roll"),
        ({"request": "@1", "times": 2}, "Leave it out of a request: everyone rolls once"),
        ({"request": "@1", "faces": "3"}, "Leave it out of a request: everyone rolls once"),
        ({"request": "@1", "dice": "3#1d20"}, "Use dice that everyone rolls once"),
        ({"request": "@1", "dice": "15"}, "Use dice that everyone rolls once"),
        ({"request": "@1, @2, @3", "dice": "40d6", "at_once": True}, "120 dice"),
    ],
)
def test_what_cannot_be_asked_is_refused(words: dict[str, object], sentence: str) -> None:
    with pytest.raises(PlayerError, match=sentence):
        anydice.declare({"dice": "1d20", **words})


def test_a_request_without_answers_is_a_state_of_its_own() -> None:
    assert isinstance(asking(dice="1d20", request="all"), RequestedRoll)
