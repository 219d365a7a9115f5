"""A contest: what wins, ties as declared, forms for whoever has not said what they roll, and dice rolled by hand."""

import pytest

from bot.rules import contest
from bot.rules.contest import AGAIN, BREAK_TIE, MAX_ROUNDS, WITHDRAW, Contest, WinsBy
from bot.rules.dice import list_typists
from bot.rules.errors import BadInputError, NotOfferedError, PlayerError
from bot.rules.game import Choice, Side
from tests.rules.test_anydice import dice
from tests.starts import chance


def rolled(*faces: int, **words: object) -> Contest:
    return contest.start(contest.declare(words), dice(*faces))


@pytest.mark.parametrize(
    ("words", "faces", "results", "winner"),
    [
        ({"dice": "1d20+5", "their_dice": "1d20+3"}, (10, 11), (15, 14), Side.ATTACKER),
        ({"dice": "1d20+5", "their_dice": "1d20+3", "by": "lower"}, (10, 11), (15, 14), Side.DEFENDER),
        ({"dice": "1d20", "their_dice": "1d20", "by": "lower"}, (3, 11), (3, 11), Side.ATTACKER),
        ({"dice": "3d10>=7", "their_dice": "2d10>=7", "by": "successes"}, (7, 1, 1, 8, 9), (1, 2), Side.DEFENDER),
        ({"dice": "1d20", "their_dice": "1d20"}, (9, 9), (9, 9), None),
        ({"dice": "1d20", "their_dice": "1d20", "ties": "first"}, (9, 9), (9, 9), Side.ATTACKER),
        ({"dice": "1d20", "their_dice": "1d20", "ties": "second"}, (9, 9), (9, 9), Side.DEFENDER),
        ({"dice": "1d20", "their_dice": "12", "their_name": "Door"}, (13,), (13, 12), Side.ATTACKER),
    ],
)
def test_who_wins(words: dict[str, object], faces: tuple[int, ...], results: tuple[int, int], winner: Side) -> None:
    state = rolled(*faces, **words)
    assert (state.results, state.winner) == (results, winner)
    assert contest.offers(state) == (AGAIN,)
    names = {Side.ATTACKER: "first", Side.DEFENDER: "second", None: "nobody"}
    assert contest.outcome(state)["winner"] == names[winner]


def test_nothing_falls_until_both_have_said_what_they_roll() -> None:
    state = contest.start(contest.declare({"dice": "1d20"}), dice())
    assert [offer.key for offer in contest.offers(state)] == ["answer-defender", "withdraw"]
    assert contest.outcome(state) == {"winner": None, "waiting": True}
    with pytest.raises(NotOfferedError):
        contest.choose(state, Choice("answer-attacker", filled={"dice": "1d6"}), dice())
    with pytest.raises(BadInputError, match="Your dice"):
        contest.choose(state, Choice("answer-defender", filled={"dice": " "}), dice())
    ended = contest.choose(state, Choice("answer-defender", filled={"dice": "1d12+1", "faces": ""}), dice(5, 6))
    assert (ended.results, ended.winner) == ((5, 7), Side.DEFENDER)


def test_somebody_else_may_open_it_between_two() -> None:
    state = contest.start(contest.declare({"by": "successes"}), dice())
    assert [offer.side for offer in contest.offers(state)[:2]] == [Side.ATTACKER, Side.DEFENDER]
    with pytest.raises(BadInputError, match="what a success is"):
        contest.choose(state, Choice("answer-attacker", filled={"dice": "1d6"}), dice())
    state = contest.choose(state, Choice("answer-defender", filled={"dice": "2d6>=5"}), dice())
    assert state.results is None
    state = contest.choose(state, Choice("answer-attacker", filled={"dice": "1d6>=5"}), dice(5, 6, 1))
    assert (state.results, state.winner) == ((1, 1), None)


def test_a_challenge_may_be_withdrawn() -> None:
    state = contest.choose(contest.start(contest.declare({"dice": "1d20"}), dice()), Choice(WITHDRAW.key), dice())
    assert state.withdrawn
    assert contest.offers(state) == ()
    assert contest.outcome(state) == {"winner": None, "waiting": False}


def test_a_tie_may_be_rolled_again_and_the_dice_before_stay() -> None:
    state = rolled(9, 9, dice="1d20", their_dice="1d20", ties="again")
    assert contest.offers(state) == (BREAK_TIE,)
    state = contest.choose(state, Choice(BREAK_TIE.key), dice(9, 12))
    assert [die.face for die in contest.rolled(state)] == [9, 9, 9, 12]
    assert (state.winner, contest.outcome(state)["rounds"]) == (Side.DEFENDER, 2)
    assert contest.offers(state) == (AGAIN,)
    endless = contest.start(contest.declare({"dice": "1d20", "their_dice": "1d20", "ties": "again"}), lambda _: 0)
    for _ in range(MAX_ROUNDS - 1):
        endless = contest.choose(endless, Choice(BREAK_TIE.key), lambda _: 0)
    assert contest.offers(endless) == (AGAIN,)


def test_again_is_a_new_contest_with_the_same_dice() -> None:
    state = rolled(9, 8, dice="1d20", their_dice="1d20")
    assert contest.choose(state, Choice(AGAIN.key), dice(1, 2)).results == (1, 2)


def test_dice_rolled_by_hand_belong_to_their_side() -> None:
    words = {"dice": "2d6", "their_dice": "1d12", "faces": "1 6", "their_faces": "7"}
    state = contest.start(contest.declare(words), chance(0))
    assert [list_typists([die]) for die in contest.rolled(state)] == [["attacker"], ["attacker"], ["defender"]]
    assert contest.offers(state) == ()
    waiting = contest.start(contest.declare({"dice": "2d6"}), dice())
    filled = {"dice": "1d12", "faces": "7"}
    answered = contest.choose(waiting, Choice("answer-defender", filled=filled), dice(1, 6))
    assert [list_typists([die]) for die in contest.rolled(answered)] == [[], [], ["defender"]]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"dice": "3#1d20"}, "rolled once"),
        ({"dice": "1d20", "by": "successes"}, "what a success is"),
        ({"dice": "10", "their_dice": "12"}, "at least one die on one of the sides"),
        ({"dice": "60d6", "their_dice": "60d6"}, "120 dice"),
        ({"name": "Ork"}, "`dice` was missing.*for Ork"),
        ({"their_faces": "3"}, "`their_dice` was missing"),
        ({"dice": "1d6", "their_dice": "1d6", "their_faces": "7"}, "`their_faces, d6` was `7`"),
        ({"dice": "1d20", "by": "luck"}, "Use `higher`, `lower` or `successes`"),
        ({"dice": "1d20", "ties": "me"}, "Use `nobody`, `first`, `second` or `again`"),
        (
            {"dice": "1d20", "their_dice": "1d6e<7e<7"},
            "In `their_dice`, `e` says once more which dice explode",
        ),
    ],
)
def test_what_cannot_be_compared_is_refused(words: dict[str, object], sentence: str) -> None:
    with pytest.raises(PlayerError, match=sentence):
        contest.declare(words)


def test_both_sides_together_have_a_limit_when_the_second_answers() -> None:
    state = contest.start(contest.declare({"dice": "60d6"}), dice())
    with pytest.raises(PlayerError, match="Both sides together roll at most 100"):
        contest.choose(state, Choice("answer-defender", filled={"dice": "60d6"}), dice())
    assert WinsBy("higher") is contest.declare({}).by
