"""Who wins a contest, by every way in which the real dice can fall."""

from fractions import Fraction

import pytest

from bot.odds.contest import count, luck, odds
from bot.rules.contest import BREAK_TIE, Contest, choose, declare, start
from bot.rules.dice import Rng
from bot.rules.errors import PlayerError
from bot.rules.game import Choice, Side
from tests.every_way import every_way

CASES = (
    {"dice": "1d20+5", "their_dice": "1d20+3"},
    {"dice": "2d6", "their_dice": "1d12", "by": "lower"},
    {"dice": "3d4kh2", "their_dice": "1d8", "ties": "first"},
    {"dice": "3d4kh2", "their_dice": "1d8", "ties": "second", "by": "lower"},
    {"dice": "3d6>=5", "their_dice": "2d6>=4", "by": "successes"},
    {"dice": "1d20", "their_dice": "12"},
)


@pytest.mark.parametrize("words", CASES, ids=range(len(CASES)))
def test_the_chances_are_every_way_in_which_the_real_dice_can_fall(words: dict[str, object]) -> None:
    declared = declare(words)
    ways = every_way(lambda rng: start(declared, rng).winner)
    result = count(declared)
    assert (result.first, result.second, result.nobody) == tuple(
        ways.get(side, Fraction(0)) for side in (Side.ATTACKER, Side.DEFENDER, None)
    )


def test_a_tie_that_is_rolled_again_is_won_in_the_end() -> None:
    """With dice that tie seldom enough, three rounds leave only the ties of three rounds open."""
    declared = declare({"dice": "1d4+1", "their_dice": "1d4", "ties": "again"})

    def play(rng: Rng) -> Side | None:
        state: Contest = start(declared, rng)
        while state.is_tied and len(state.rounds) < 3:
            state = choose(state, Choice(BREAK_TIE.key), rng)
        return state.winner

    ways, result = every_way(play), count(declared)
    assert result.nobody == 0
    assert result.first + result.second == 1
    assert ways[Side.ATTACKER] / ways[Side.DEFENDER] == result.first / result.second
    assert ways[None] == result.tie**3


def test_an_endless_tie_is_nobodys() -> None:
    result = count(declare({"dice": "1d6*0", "their_dice": "0", "ties": "again"}))
    assert (result.first, result.second, result.nobody, result.tie) == tuple(map(Fraction, (0, 0, 1, 1)))


def test_odds_in_json_words_and_without_both_sides() -> None:
    assert odds(declare(CASES[0])) == {
        "p_first": "229/400",
        "p_second": "153/400",
        "p_nobody": "9/200",
        "p_tie": "9/200",
        "mean_first": "31/2",
        "mean_second": "27/2",
    }
    with pytest.raises(PlayerError, match="Give `dice` and `their_dice`"):
        odds(declare({"dice": "1d20"}))


def test_luck_is_by_how_far_the_first_side_is_ahead() -> None:
    def result(words: dict[str, object], *sides: int) -> tuple[Fraction, Fraction] | None:
        left = iter(sides)
        found = luck(start(declare(words), lambda _: next(left) - 1))
        return None if found is None else (found.better, found.worse)

    assert result({"dice": "1d6", "their_dice": "1d6"}, 6, 1) == (Fraction(0), Fraction(35, 36))
    assert result({"dice": "1d6", "their_dice": "1d6"}, 4, 3) == (Fraction(10, 36), Fraction(21, 36))
    assert result({"dice": "1d6", "their_dice": "1d6", "by": "lower"}, 6, 1) == (Fraction(35, 36), Fraction(0))
    assert luck(start(declare({"dice": "1d6"}), lambda _: 0)) is None
    assert luck(start(declare({"dice": "50d100", "their_dice": "50d100"}), lambda _: 0)) is None
    tied = start(declare({"dice": "1d6", "their_dice": "1d6", "ties": "again"}), lambda _: 0)
    assert luck(choose(tied, Choice(BREAK_TIE.key), lambda _: 0)) is None
