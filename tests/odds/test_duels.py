"""Odds of duels: the pages' own laws, every way in which the real rules can fall, and one attack for each of many."""

import json
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from bot.odds.duels import Search, distribution, moves
from bot.rules import duels
from bot.rules.duels import Declared, law
from bot.rules.duels.rows import DUELS
from bot.rules.game import Side
from tests.duel_lines import LINES, declared, played_every_way, small_lines

GOLDEN: Final[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "golden" / "duels.json").read_text())
GOLDEN.pop("about")  # what the file is
LARGE: Final = {("crisis", "strength 5 reroll 1 defense 3")}
"""As much to count as all others together, by the same law of dice as the smaller lines of that game."""
CASES: Final = [
    pytest.param(key, line, marks=[pytest.mark.long] if (key, line) in LARGE else [])  # see LARGE
    for key, lines in GOLDEN.items()
    for line in lines
]
SMALL: Final = [line for key in DUELS for line in small_lines(key)]


def as_law(line: Declared) -> dict[int, Fraction]:
    found = distribution(line)
    return {value: Fraction(ways, found.total) for value, ways in found.weights.items()}


def test_each_game_has_four_laws_of_its_own() -> None:
    assert {key: len(lines) >= 4 for key, lines in GOLDEN.items()} == dict.fromkeys(DUELS, True)


@pytest.mark.parametrize(("key", "line"), CASES)
def test_the_laws_of_the_pages(key: str, line: str) -> None:
    told, found = GOLDEN[key][line], distribution(duels.declare({"game": key, "line": line}))
    assert found.mean(int) == Fraction(told["mean"])
    if "p" in told:
        chances = {value: Fraction(ways, found.total) for value, ways in found.weights.items()}
        assert chances == {int(value): Fraction(chance) for value, chance in told["p"].items() if Fraction(chance)}


@pytest.mark.parametrize("line", SMALL, ids=lambda line: f"{line.game} {line.line}")
def test_the_odds_are_those_of_every_way_in_which_the_rules_can_fall(line: Declared) -> None:
    played, is_tied = played_every_way(line)
    found = as_law(line)
    assert mean(found) == mean(played)
    assert is_tied or found == played


def mean(chances: dict[int, Fraction]) -> Fraction:
    assert sum(chances.values()) == 1
    return sum((value * chance for value, chance in chances.items()), Fraction())


def test_each_game_is_counted_a_second_time_for_many_lines() -> None:
    for key in DUELS:
        lines = list(small_lines(key))
        assert len(lines) >= LINES - 4, key
        every = {row.name for row in DUELS[key].numbers}
        changed = {
            row.name
            for line in lines
            for row, value in zip(line.duel.numbers, line.numbers, strict=True)
            if value != row.usual
        }
        assert changed == every, key


@pytest.mark.parametrize(
    ("key", "line", "most"),
    [
        ("crisis", "strength 6 pierce 1 defense 4 reroll 2 cover", 13_000),
        ("crisis", "strength 5 pierce 1 reroll 1 defense 3 cover reroll 1", 16_100),
        ("killteam", "5 attacks hit 4+ normal 3 crit 4 ceaseless save 4+", 1_500),
    ],
)
def test_dice_that_nothing_can_take_multiply_no_states(key: str, line: str, most: int) -> None:
    """Blanks beyond the one that cover takes, numbers in a window that is over: half the states, and a sixth."""
    asked = duels.declare({"game": key, "line": line})
    search = Search(asked)
    search.law(law.start(asked.duel, asked.values))
    assert search.size <= most


@pytest.mark.parametrize("key", [key for key, duel in DUELS.items() if duel.each])
@pytest.mark.parametrize("times", [2, 3])
def test_attacks_that_have_nothing_to_do_with_one_another_add_up(key: str, times: int) -> None:
    """The power of the law of one attack, and the search through all attacks at once."""
    for line in (line for line in small_lines(key) if line.duel.each_if.value(line.values)):
        numbers = {row.name: value for row, value in zip(line.duel.numbers, line.numbers, strict=True)}
        many = declared(key, {**numbers, line.duel.each: times})
        weights, total = Search(many).law(law.start(many.duel, many.values))
        assert as_law(many) == {value: Fraction(ways, total) for value, ways in weights.items()}, many.line


@pytest.mark.parametrize("key", DUELS)
def test_the_second_person_has_something_to_say(key: str) -> None:
    """In some line the defender's best choice gives other odds than the worst."""
    assert any(chooses(line, Side.DEFENDER, seed) for seed in range(12) for line in small_lines(key))


def chooses(line: Declared, side: Side, seed: int) -> bool:
    """Whether a side has a window in one roll in which one choice is better than another."""
    rng = Random(seed).randrange
    state = duels.start(line, rng)
    while not state.is_over:
        best, *_, worst = 2 * moves(state)
        if duels.offers(state)[0].side is side and best.numbers != worst.numbers:
            return True
        state = duels.choose(state, best.choice, rng)
    return False
