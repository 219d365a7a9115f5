"""Sixty matchups of real troopers against a second reading of the rules page (``infinity_book``)."""

import random
from dataclasses import replace
from fractions import Fraction
from typing import Final

import pytest

from bot.odds.infinity.rolls import distribution
from bot.odds.infinity.wounds import harm
from bot.rules import infinity
from bot.rules.infinity.orders.play import sums
from bot.rules.infinity.troopers.declared import Order
from bot.rules.infinity.troopers.states import ForbiddenByStateError
from bot.rules.text import Name
from tests.rows import for_each_row
from tests.rules.infinity import book as book
from tests.rules.infinity.book import DISCOVER, DODGE, PROGRAMS, RESET, SMOKE, Arm, Deed, Figure, Match

SEED: Final = 39
MATCHES: Final = 60
FIGURES: Final = book.figures()


def attacks(item: Figure, two: Figure) -> list[tuple[Deed, bool]]:
    """What somebody may do to somebody else, with whether it is guided."""
    hacked = {two.kind, *(["Hacker"] if two.has("Hacker") else [])}
    result: list[tuple[Deed, bool]] = [(arm, False) for arm in item.arms if "template" not in arm.traits]
    result += [(arm, True) for arm in item.arms if "template" in arm.traits and item.has("BS Attack (Guided)")]
    for name in item.programs:
        program = PROGRAMS[name]
        if name != "Zero Pain" and (not program.targets or hacked & set(program.targets)):
            result.append((program, False))
    return [*result, (DISCOVER, False)]


def reactions(item: Figure, two: Figure, does: Deed, *, guided: bool) -> list[Deed]:
    if guided:
        return [DODGE, RESET]
    result: list[Deed] = [DODGE, RESET]
    near = does.kind == "cc"
    result += [arm for arm in two.arms if "template" not in arm.traits and (arm.kind == "cc") is near]
    hacked = {item.kind, *(["Hacker"] if item.has("Hacker") else [])}
    if does.kind == "hack":
        for name in two.programs:
            program = PROGRAMS[name]
            if not program.targets or hacked & set(program.targets):
                result.append(program)
    return result


def a_match(chance: random.Random) -> Match:
    item, two = chance.sample(FIGURES, 2)
    does, guided = chance.choice(attacks(item, two))
    answers = chance.choice(reactions(item, two, does, guided=guided))
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
        item,
        does,
        chance.randint(1, min(reach)) if reach else 0,
        two,
        answers,
        guided=guided,
        cover=shoots and not two.has("No Cover") and chance.random() < 0.4,
        surprise=item.has("Surprise Attack") and does.kind in ("shot", "cc") and chance.random() < 0.5,
        zone=chance.choice(("", "", "low", "poor")) if shoots else "",
        team=teams[0] if does.kind == "shot" and not guided and not item.has("BS Attack (+1SD)") else 0,
        their_team=teams[1] if answers is DODGE and teams[1] >= 3 else 0,
        states=tuple(states),
    )


def matches() -> list[Match]:
    chance = random.Random(SEED)
    return [a_match(chance) for _ in range(MATCHES)]


EYES: Final = ("", "Multispectral Visor L1", "Multispectral Visor L2", "Multispectral Visor L3", "Sixth Sense")
GRENADES: Final = "Smoke Grenades: B1 PH Smoke template 0@8 -3@16"


def with_eyes(item: Figure, skill: str) -> Figure:
    bare = tuple(each for each in item.skills if not each.startswith(("Multispectral Visor", "Sixth Sense")))
    return replace(item, skills=(*bare, skill) if skill else bare)


def through_a_zone(chance: random.Random) -> Match:
    """A matchup whose line holds a zone or smoke, of two who see differently."""
    while True:
        match = a_match(chance)
        if match.does.kind != "shot" or match.guided or "direct" in (match.does.kind, match.answers.kind):
            continue
        item, two = (with_eyes(each, chance.choice(EYES)) for each in (match.one, match.two))
        result = replace(
            match, one=item, two=two, zone=chance.choice(("low", "poor", "zero", "eclipse", "white noise"))
        )
        if chance.random() < 0.2 and not result.states:
            result = replace(result, answers=SMOKE, zone="", their_team=0, throw=chance.randint(1, 16))
        if not result.is_unsure and (result.answers.kind != "reset" or result.zone in ("low", "poor")):
            return result


def zones() -> list[Match]:
    chance = random.Random(SEED)
    return [through_a_zone(chance) for _ in range(200)]


@for_each_row("match", zones(), ids=lambda match: match.line())
def test_the_bot_looks_through_zones_and_smoke_as_the_book_does(match: Match) -> None:
    troopers = {item.name: item.text() for item in (match.one, match.two)}
    if match.answers is SMOKE:
        troopers[match.two.name] += f", {GRENADES}"
    words = {"troopers": troopers, "order": match.line()}
    if match.is_refused:
        with pytest.raises(ForbiddenByStateError, match="no line of fire"):
            infinity.declare(words)
        return
    declared = infinity.declare(words)
    assert isinstance(declared, Order)
    result = [(item["sv"], item["burst"], item.get("special_dice", 0)) for item in sums(declared)]
    assert result == book.numbers(match), [item["mods"] for item in sums(declared)]
    assert (declared.meetings[0].b is not None) is match.faced


def test_the_zones_are_of_every_kind() -> None:
    every = zones()
    assert {item.zone for item in every} == {"", "low", "poor", "zero", "eclipse", "white noise"}
    assert {item.answers.kind for item in every} >= {"shot", "dodge", "smoke"}
    assert 20 < sum(item.is_refused for item in every) < 100
    assert sum(not item.is_refused and item.zone in ("zero", "eclipse", "white noise") for item in every) > 25


@for_each_row("match", matches(), ids=lambda match: match.line())
def test_the_bot_counts_a_matchup_as_the_book_does(match: Match) -> None:
    troopers = {item.name: item.text() for item in (match.one, match.two)}
    declared = infinity.declare({"troopers": troopers, "order": match.line()})
    assert isinstance(declared, Order)
    result = [(item["sv"], item["burst"], item.get("special_dice", 0)) for item in sums(declared)]
    assert result == book.numbers(match), [item["mods"] for item in sums(declared)]
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
    lost = {trooper_odds.name: trooper_odds.wounds for trooper_odds in harm(declared)}[Name(match.two.name)]
    result = {number: Fraction(ways, lost.total) for number, ways in lost.weights.items() if ways}
    assert result == {number: chance for number, chance in expected.items() if chance}


def test_the_matchups_are_of_every_kind() -> None:
    kinds = {(item.does.kind, item.answers.kind) for item in matches()}
    assert len(kinds) >= 10
    assert len({item.name for match in matches() for item in (match.one, match.two)}) > 25
    assert sum(match.fires for match in matches()) > 3
    assert sum(book.wounds(match) is not None for match in matches()) > 20
