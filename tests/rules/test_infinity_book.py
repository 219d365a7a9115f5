"""Sixty matchups of troopers as players have them, against a second reading of the rules page (``infinity_book``)."""

import random
from fractions import Fraction
from typing import Final

import pytest

from bot.odds.infinity import distribution
from bot.rules import infinity
from bot.rules.infinity.declared import Order
from bot.rules.infinity.report import sums
from tests.rules import infinity_book as book
from tests.rules.infinity_book import FIGURES, Arm, Figure, Match

SEED: Final = 39
MATCHES: Final = 60


def a_match(chance: random.Random) -> Match:
    """Two figures at a distance that both can shoot over."""
    one, two = chance.sample(FIGURES, 2)
    hacks = "Hacker" in one.skills and chance.random() < 0.5
    programs = ["Spotlight", *(["Carbonite", "Oblivion"] if may_be_hacked(two) else [])]
    arms: list[Arm | str] = [*programs] if hacks else [*one.arms]
    does = chance.choice(arms)
    reactions: list[Arm | str] = [*two.arms, "dodge", "reset"]
    answers = chance.choice(reactions)
    fires = isinstance(answers, Arm) and chance.random() < 0.3
    reach = [arm.bands[-1][1] for arm in (does, answers) if isinstance(arm, Arm)]
    inches = chance.randint(1, min([*reach, 24 if fires else 48]))
    shoots = isinstance(does, Arm)
    return Match(
        one,
        does,
        inches,
        two,
        answers,
        cover=shoots and chance.random() < 0.4,
        surprise="Surprise" in one.skills and shoots and chance.random() < 0.5,
        fires=fires,
        targeted=chance.random() < 0.3,
    )


def may_be_hacked(figure: Figure) -> bool:
    return figure.kind in ("HI", "REM", "TAG", "VH") or "Hacker" in figure.skills


def matches() -> list[Match]:
    chance = random.Random(SEED)
    return [a_match(chance) for _ in range(MATCHES)]


@pytest.mark.parametrize("match", matches(), ids=lambda match: match.line())
def test_the_bot_counts_a_matchup_as_the_book_does(match: Match) -> None:
    troopers = {one.name: one.text() for one in (match.one, match.two)}
    declared = infinity.declare({"troopers": troopers, "order": match.line()})
    assert isinstance(declared, Order)
    found = tuple((one["sv"], one["burst"], one.get("special_dice", 0)) for one in sums(declared))
    assert found == book.numbers(match), [one["mods"] for one in sums(declared)]
    assert (declared.meetings[0].b is not None) is book.faced(match)
    assert won(declared) == book.chances(match)


def won(declared: Order) -> tuple[Fraction, Fraction]:
    """The chance of each side to win, or of each Normal Roll to have a success."""
    laws = [distribution(declared, meeting) for meeting in declared.meetings]
    if len(laws) == 2:
        first, second = (law.probability(lambda outcome: outcome[0] == "a") for law in laws)
        return first, second
    (law,) = laws
    return (
        law.probability(lambda outcome: outcome[0] == "a"),
        law.probability(lambda outcome: outcome[0] == "b"),
    )


def test_the_matchups_are_of_every_kind() -> None:
    kinds = {(isinstance(one.does, Arm), one.answers if isinstance(one.answers, str) else "shot") for one in matches()}
    assert len(kinds) == 6
    assert sum(one.fires for one in matches()) > 5
