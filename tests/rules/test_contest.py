"""A contest: what wins, ties as declared, forms for whoever has not said what they roll, and dice rolled by hand."""

from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from bot.odds import contest as odds
from bot.rules import contest
from bot.rules.anydice import notation
from bot.rules.anydice.systems import SYSTEMS
from bot.rules.contest import AGAIN, BREAK_TIE, MAX_ROUNDS, WITHDRAW, Contest, WinsBy
from bot.rules.dice import list_typists
from bot.rules.errors import BadInputError, NotOfferedError, PlayerError
from bot.rules.game import Choice, Side
from tests.rows import for_each_row
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
    with pytest.raises(BadInputError, match="Use dice with a target for successes"):
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
        ({"dice": "3#1d20"}, "Use a single roll, not several"),
        ({"dice": "1d20", "by": "successes"}, "Use dice with a target for successes"),
        ({"dice": "10", "their_dice": "12"}, "at least one die on one of the sides"),
        ({"dice": "60d6", "their_dice": "60d6"}, "120 dice"),
        ({"name": "Ork"}, "`dice` was missing.*for Ork"),
        ({"their_faces": "3"}, "`their_dice` was missing"),
        ({"dice": "1d6", "their_dice": "1d6", "their_faces": "7"}, "`their_faces, d6` was `7`"),
        ({"dice": "1d20", "by": "luck"}, "Use `higher`, `lower`, or `successes`"),
        ({"dice": "1d20", "ties": "me"}, "Use `nobody`, `first`, `second`, or `again`"),
        (
            {"dice": "1d20", "their_dice": "1d6e<7e<7"},
            "In `their_dice`, `e` says a second time which dice explode",
        ),
    ],
)
def test_what_cannot_be_compared_is_refused(words: dict[str, object], sentence: str) -> None:
    with pytest.raises(PlayerError, match=sentence):
        contest.declare(words)


def test_both_sides_together_have_a_limit_when_the_second_answers() -> None:
    state = contest.start(contest.declare({"dice": "60d6"}), dice())
    with pytest.raises(PlayerError, match="Both sides together can roll at most 100"):
        contest.choose(state, Choice("answer-defender", filled={"dice": "60d6"}), dice())
    assert WinsBy("higher") is contest.declare({}).by


OPPOSED = (
    ("coc 55", "1", "coc 40", "6", "first"),
    ("coc 55", "50", "coc 40", "38", "first"),
    ("coc 40", "38", "coc 55", "50", "second"),
    ("coc 55", "100", "coc 40", "90", "second"),
    ("rq 45", "2", "rq 60", "11", "first"),
    ("rq 45", "20", "rq 60", "30", "second"),
    ("dg 45", "30", "dg 60", "12", "first"),
    ("dg 45", "44", "dg 60", "50", "first"),
    ("dg 45", "90", "dg 60", "91", "nobody"),
    ("wfrp 45", "77", "wfrp 40", "60", "second"),
    ("im 45", "23", "im 60", "23", "second"),
    ("pendragon 14", "9", "pendragon 12", "3", "first"),
    ("pendragon 14", "9", "pendragon 12", "12", "second"),
    ("dragonbane 14", "3", "dragonbane 14", "9", "first"),
    ("dragonbane 14", "20", "dragonbane 14", "19", "second"),
    ("gurps 14", "3 3 3", "gurps 11", "2 3 3", "first"),
    ("gurps 14", "6 5 5", "gurps 11", "6 6 4", "first"),
    ("ms45", "22", "ms60", "58", "first"),
    ("cepheus +2", "6 6", "cepheus", "5 4", "first"),
    ("cpr +5", "5", "cpr +4", "6", "second"),
    ("age", "3 4 3", "age", "4 4 2", "first"),
    ("sw d6", "1 1", "sw d4", "2 2", "second"),
    ("v5 3", "6 6 2", "v5 3", "6 2 2", "first"),
    ("sr5 3", "5 6 1", "sr5 3", "5 6 2", "second"),
    ("yz 2", "6 2", "vaesen 2", "6 3", "nobody"),
    ("vaesen 2", "6 2", "vaesen 2", "6 3", "second"),
    ("wng 2d6", "4 4", "wng 2d6", "4 5", "first"),
    ("genesys 1g 1b", "4 1", "genesys 1g 1b", "4 5", "second"),
    ("genesys 1y", "12", "genesys 1y", "2", "first"),
    ("sta 12 focus 3", "2 15", "sta 12", "11 3", "nobody"),
    ("mm +1", "3 3 2", "mm", "3 3 1", "second"),
    ("mnm +2", "10", "mnm", "13", "second"),
    ("dsa 13/12/14 fw 7", "10 14 14", "dsa 13/12/14 fw 3", "13 12 17", "first"),
    ("splittermond +12", "7 8", "splittermond +12", "8 7", "second"),
    ("drawsteel double edge", "5 5", "drawsteel", "6 7", "first"),
    ("exalted 2", "10 2", "exalted 2", "8 9", "second"),
    ("pf1 +7", "8", "pf1 +5", "10", "first"),
    ("1d20+5", "5", "1d20", "10", "nobody"),
    ("wfrp 45", "48", "wfrp 41", "41", "second"),  # a level of -0 is below +0
    ("im 45", "48", "im 41", "41", "second"),
    ("rq 45", "60", "rq 60", "90", "nobody"),
    ("rq 45", "30", "rq 60", "25", "first"),
    ("ms45", "61", "ms60", "78", "nobody"),
    ("sta 12 difficulty 3", "2 3", "sta 12 difficulty 1", "2 15", "second"),
    ("cortex d8 d6", "4 7", "cortex d10 d6", "5 6", "second"),
    ("soulbound 3 dn 4 focus 1", "3 4 1", "soulbound 3", "4 4 1", "second"),
    ("soulbound 3 dn 4 focus 1", "3 4 1", "soulbound 3", "4 2 1", "first"),
    ("fate +1", "1 1 0 0", "fate +2", "0 0 0 0", "first"),
    ("dg 45", "30", "dg 60", "55", "second"),
    ("dg 45", "46", "dg 60", "61", "nobody"),
    ("pendragon 14", "15", "pendragon 12", "20", "first"),
    ("dragonbane 14", "1", "dragonbane 14", "2", "first"),
    ("gurps 12", "4 4 4", "gurps 12", "4 4 5", "first"),
    ("cepheus +2", "1 1", "cepheus", "2 1", "first"),
    ("coc 40", "39", "coc 55", "90", "first"),
    ("wng 2d6", "4 4", "wng 2d6", "5 5", "first"),
    ("conan 2 vs 10", "12 15", "conan 2 vs 12", "12 15", "second"),
    ("tor 1 vs 10", "8 6", "tor 1 vs 10", "9 5", "first"),
    ("essence20 d6", "5 5", "essence20 d8", "4 6", "second"),
)


WORKED = [
    tuple(line.split("\t"))
    for line in (Path(__file__).parents[1] / "golden" / "opposed.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


def test_each_opposed_rule_has_three_worked_pairs() -> None:
    pairs = Counter(notation.parse(pair[0]).line.system for pair in (*OPPOSED, *WORKED))
    assert [key for key, system in SYSTEMS.items() if system.opposed and pairs[key] < 3] == []


@for_each_row(("first", "faces", "second", "their_faces", "winner"), [*OPPOSED, *WORKED])
def test_each_system_knows_who_wins(first: str, faces: str, second: str, their_faces: str, winner: str) -> None:
    words = {"dice": first, "faces": faces, "their_dice": second, "their_faces": their_faces}
    assert contest.outcome(contest.start(contest.declare(words), chance(0)))["winner"] == winner


@pytest.mark.parametrize("text", [one.examples[0][0] for one in SYSTEMS.values() if one.alone])
def test_a_system_without_an_opposed_roll_says_so(text: str) -> None:
    with pytest.raises(BadInputError, match=r"has no opposed roll.*plain dice"):
        contest.declare({"dice": text, "their_dice": text})


@pytest.mark.parametrize(
    ("first", "second"),
    [("dragonbane 14", "dragonbane 9"), ("pendragon 14", "pendragon 22"), ("cpr +1", "cpr +3"), ("pf1 +2", "pf1 +4")],
)
def test_the_odds_of_a_contest_follow_the_order_of_its_system(first: str, second: str) -> None:
    """Against every way in which both dice can fall; a die that explodes has its further faces."""
    ways = [(text, faces) for text in (first, second) for faces in every_fall(text)]
    sides = [[one for one in ways if one[0] == text] for text in (first, second)]
    found = Counter[str]()
    for (_, (faces, weight)), (_, (their_faces, their_weight)) in product(*sides):
        words = {"dice": first, "faces": faces, "their_dice": second, "their_faces": their_faces}
        result = contest.outcome(contest.start(contest.declare(words), chance(0)))
        found["tie" if result["tie"] else str(result["winner"])] += weight * their_weight
    counted = odds.count(contest.declare({"dice": first, "their_dice": second}))
    ties = counted.declared.breaks_ties
    total = sum(found.values())
    assert counted.tie == Fraction(found["tie"], total)
    if ties is contest.Ties.AGAIN:
        assert counted.first == Fraction(found["first"], found["first"] + found["second"])
    else:
        wins_ties = found["tie"] if ties is contest.Ties.SECOND else 0
        assert counted.second == Fraction(found["second"] + wins_ties, total)


def every_fall(text: str) -> list[tuple[str, int]]:
    if not text.startswith("cpr"):
        return [(str(face), 1) for face in range(1, 21)]
    more = [(f"{first} {second}", 1) for first in (1, 10) for second in range(1, 11)]
    return [*((str(face), 10) for face in range(2, 10)), *more]
