"""A role is no name: where nobody knows who defends, a sentence of its own says so.

The pseudo-language here marks every role that was put into a place in the middle of a sentence. In most languages its
form differs there, as German says "der Verteidiger" and "den Verteidiger".
"""

from fractions import Fraction

import pytest

from bot.languages import Language
from bot.languages.compiling import contexts
from bot.languages.translate import translate, using_language
from bot.odds.luck import RollLuck
from bot.render import contest as contests
from bot.render.luck import line
from bot.render.xwing import outcome, turn
from bot.rules import contest
from bot.rules.errors import UnknownWordError
from bot.rules.game import Side
from bot.rules.text import Name, Shown, Text, english
from bot.rules.xwing.dice import typed_sides
from cogs.table import SEATS
from tests.rules.xwing.play import begin

IN_THE_MIDDLE = "who does something: a role, in the middle of a sentence"
ROLES = [message for message, context in contexts().items() if context == IN_THE_MIDDLE]
NOBODY: dict[Side, Shown] = {}
ALONE: dict[Side, Shown] = {Side.ATTACKER: Name("Ana")}
"""Somebody tries it out, and nobody defends yet."""


class Marking(Language):
    """English that marks roles."""

    def message(self, english: str) -> str:
        return f"⟦{english}⟧" if english in ROLES else english


def is_whole(text: Shown) -> bool:
    with using_language(Marking("en-roles", "Marking")):
        return "⟦" not in translate(english(text))


@pytest.mark.parametrize("names", [ALONE, NOBODY], ids=["alone", "nobody"])
@pytest.mark.parametrize("against", ["", "hull 1", "hull 4"])
@pytest.mark.parametrize("falls", ["hit hit blank", "focus blank blank"])
def test_an_attack_without_a_defender_is_said_in_whole_sentences(
    names: dict[Side, Shown], against: str, falls: str
) -> None:
    for state in (begin(3, 0, falls, "focus", against), begin(3, 0, falls, "", against), begin(3, None, "", "focus")):
        assert is_whole(outcome(state, names))
        assert is_whole(turn(state, names))


@pytest.mark.parametrize("ties", ["first", "second", "nobody"])
@pytest.mark.parametrize("first", ["", "2d6"])
def test_a_challenge_that_nobody_has_taken_is_said_in_whole_sentences(first: str, ties: str) -> None:
    state = contest.start(contest.declare({"dice": first, "ties": ties} if first else {"ties": ties}), lambda _: 0)
    who: dict[Side, Shown] = {Side.ATTACKER: Name("Ana"), Side.DEFENDER: Name("")}
    assert is_whole(contests.outcome(state, who))
    assert is_whole(contests.ties(state.declared, who))


def test_luck_of_a_role_is_said_in_whole_sentences() -> None:
    for side in ("The attacker's luck", "Luck for a high result"):
        assert is_whole(line(RollLuck(Fraction(1, 9), Fraction(2, 9), Text("attacks"), Text(side), Side.ATTACKER)))


def test_refusals_and_seats_name_a_side_in_whole_sentences() -> None:
    for typed, side in (("hull 3", Side.ATTACKER), ("lock", Side.DEFENDER)):
        with pytest.raises(UnknownWordError) as refused:
            typed_sides.parse(typed, side, "with")
        assert is_whole(refused.value.text)
    assert all(is_whole(Text(seat, by="Ana", whom="Bo")) for seat in SEATS.values())


def test_the_mark_is_seen() -> None:
    """Otherwise nothing above could fail."""
    assert not is_whole(Text("{attacker} hits {defender}.", attacker="Ana", defender=Text("nobody")))
