"""Sixty matchups of real troopers against a second reading of the rules page (``infinity_book``)."""

import random
from fractions import Fraction
from typing import Final

import pytest

from bot.odds.infinity.harm import harm
from bot.odds.infinity.rolls import distribution
from bot.rules import infinity
from bot.rules.infinity.declared import Order
from bot.rules.infinity.play import sums
from bot.rules.text import Name
from tests.rules import infinity_book as book
from tests.rules.infinity_book import DISCOVER, DODGE, PROGRAMS, RESET, Arm, Deed, Figure, Match

SEED: Final = 39
MATCHES: Final = 60
FIGURES: Final = book.figures()


def attacks(one: Figure, two: Figure) -> list[tuple[Deed, bool]]:
    """What somebody may do to somebody else, with whether it is guided."""
    hacked = {two.kind, *(["Hacker"] if two.has("Hacker") else [])}
    found: list[tuple[Deed, bool]] = [(arm, False) for arm in one.arms if "template" not in arm.traits]
    found += [(arm, True) for arm in one.arms if "template" in arm.traits and one.has("BS Attack (Guided)")]
    for name in one.programs:
        program = PROGRAMS[name]
        if name != "Zero Pain" and (not program.targets or hacked & set(program.targets)):
            found.append((program, False))
    return [*found, (DISCOVER, False)]


def reactions(one: Figure, two: Figure, does: Deed, *, guided: bool) -> list[Deed]:
    if guided:
        return [DODGE, RESET]
    found: list[Deed] = [DODGE, RESET]
    near = does.kind == "cc"
    found += [arm for arm in two.arms if "template" not in arm.traits and (arm.kind == "cc") is near]
    hacked = {one.kind, *(["Hacker"] if one.has("Hacker") else [])}
    if does.kind == "hack":
        for name in two.programs:
            program = PROGRAMS[name]
            if not program.targets or hacked & set(program.targets):
                found.append(program)
    return found


def a_match(chance: random.Random) -> Match:
    one, two = chance.sample(FIGURES, 2)
    does, guided = chance.choice(attacks(one, two))
    answers = chance.choice(reactions(one, two, does, guided=guided))
    states: list[str] = []
    if isinstance(answers, Arm) and answers.suppresses and chance.random() < 0.5:
        states.append("Suppressive Fire")
    elif answers is DODGE:
        states += chance.choice(([], [], [], ["Stunned"], ["Immobilized-A"]))
    elif answers is RESET:
        states += chance.choice(([], [], [], ["Stunned"], ["Immobilized-B"], ["Isolated"]))
    if guided or (chance.random() < 0.25 and not states and does.kind not in ("cc", "direct")):
        states.append("Targeted")
    reach = [deed.bands[-1][1] for deed in (does, answers) if deed.bands]
    if "Suppressive Fire" in states:
        reach.append(24)
    shoots = does.kind == "shot" and not guided
    teams = [chance.choice((0, 0, 2, 3, 4, 5)) for _ in range(2)]
    return Match(
        one,
        does,
        chance.randint(1, min(reach)) if reach else 0,
        two,
        answers,
        guided=guided,
        cover=shoots and not two.has("No Cover") and chance.random() < 0.4,
        surprise=one.has("Surprise Attack") and does.kind in ("shot", "cc") and chance.random() < 0.5,
        zone=chance.choice(("", "", "low", "poor")) if shoots else "",
        team=teams[0] if does.kind == "shot" and not guided and not one.has("BS Attack (+1SD)") else 0,
        their_team=teams[1] if answers is DODGE and teams[1] >= 3 else 0,
        states=tuple(states),
    )


def matches() -> list[Match]:
    chance = random.Random(SEED)
    return [a_match(chance) for _ in range(MATCHES)]


@pytest.mark.parametrize("match", matches(), ids=lambda match: match.line())
def test_the_bot_counts_a_matchup_as_the_book_does(match: Match) -> None:
    troopers = {one.name: one.text() for one in (match.one, match.two)}
    declared = infinity.declare({"troopers": troopers, "order": match.line()})
    assert isinstance(declared, Order)
    found = [(one["sv"], one["burst"], one.get("special_dice", 0)) for one in sums(declared)]
    assert found == book.numbers(match), [one["mods"] for one in sums(declared)]
    if "direct" not in (match.does.kind, match.answers.kind):
        assert (declared.meetings[0].b is not None) is match.faced
        assert won(declared) == tuple(sum(law.values()) - law.get((0, 0), 0) for law in book.hits(match))
    check_wounds(match, declared)


def won(declared: Order) -> tuple[Fraction, ...]:
    """The chance of each side to win, or of each Normal Roll to have a success."""
    laws = [distribution(declared, meeting) for meeting in declared.meetings]
    first = tuple(law.probability(lambda outcome: outcome[0] == "a") for law in laws)
    return first if len(laws) == 2 else (*first, laws[0].probability(lambda outcome: outcome[0] == "b"))


def check_wounds(match: Match, declared: Order) -> None:
    expected = book.wounds(match)
    if expected is None:
        return
    lost = {one.name: one.wounds for one in harm(declared)}[Name(match.two.name)]
    found = {number: Fraction(ways, lost.total) for number, ways in lost.weights.items() if ways}
    assert found == {number: chance for number, chance in expected.items() if chance}


def test_the_matchups_are_of_every_kind() -> None:
    kinds = {(one.does.kind, one.answers.kind) for one in matches()}
    assert len(kinds) >= 10
    assert len({one.name for match in matches() for one in (match.one, match.two)}) > 25
    assert sum(match.fires for match in matches()) > 3
    assert sum(book.wounds(match) is not None for match in matches()) > 20
