"""The luck of a match on a real file: which rolls it has, whose they are, and what is left out."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from bot.games import GAMES
from bot.odds.warsurge import HP
from bot.rules.xwing.table.match import MATCH, Match, sweep_destroyed
from bot.rules.xwing.table.ship import give, launch
from bot.sessions.matches import PAUSE, Matches, PersonLuck, luck_of_rolls, luckiest
from bot.sessions.personal_data import PersonalData
from bot.sessions.request import Person, Place, Request
from bot.sessions.sessions import RollOpening, Sessions
from bot.sessions.tables import Tables
from bot.store.database import Database
from tests.conftest import Dice
from tests.fair.evenings import TYPED

ANA, BO = Person(1, "Ana"), Person(2, "Bo")
HERE, ELSEWHERE = Place(12, 11), Place(13, 11)
ALONE = Place(12, 11, is_alone=True)
HIT = {"method": "casual", "power": 3, "defence": 6}
"""A die that needs a 5 or more, for 1 HP."""


@pytest.fixture
def matches(database: Database) -> Matches:
    return Matches(database)


async def attack(sessions: Sessions, dice: Dice, *pips: int, by: Person = ANA, place: Place = HERE) -> None:
    dice.will_show(*(pip - 1 for pip in pips))
    await sessions.open(Request(by, place), RollOpening(GAMES["warsurge"], GAMES["warsurge"].rules.declare(HIT)))


async def luck(matches: Matches, place: Place = HERE) -> dict[str, PersonLuck]:
    return {roll.person.name: roll for roll in luck_of_rolls(await matches.of_channel(place))}


def age(file: Path, seconds: int) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE ply SET at = at - ?", (seconds,))
        connection.commit()


async def test_results_and_expectations_are_added_up_for_each_person(
    sessions: Sessions, matches: Matches, dice: Dice
) -> None:
    item = GAMES["warsurge"].rules.declare(HIT)
    await attack(sessions, dice, 6)
    await attack(sessions, dice, 1)
    await attack(sessions, dice, 1, by=BO)
    result = await luck(matches)
    assert result.keys() == {"Ana", "Bo"}
    assert (result["Ana"].unit, result["Ana"].luck.rolls, result["Ana"].luck.result) == (HP, 2, 1)
    distribution = item.line.need
    chance = Fraction(7 - distribution.steps[0], 6)
    assert result["Ana"].luck.mean == 2 * chance
    assert result["Ana"].luck.better == chance**2
    assert result["Bo"].luck.worse == 0


async def test_a_match_begins_after_twelve_hours_without_a_press(
    sessions: Sessions, matches: Matches, dice: Dice, file: Path
) -> None:
    await attack(sessions, dice, 1)
    age(file, PAUSE + 60)
    assert (await luck(matches))["Ana"].luck.rolls == 1, "the last match, until a new one begins"
    await attack(sessions, dice, 1)
    assert (await luck(matches))["Ana"].luck.rolls == 1
    await attack(sessions, dice, 1)
    assert (await luck(matches))["Ana"].luck.rolls == 2


async def test_a_match_begins_when_the_table_is_cleared(
    database: Database, sessions: Sessions, matches: Matches, dice: Dice
) -> None:
    tables = Tables(database)
    luke = launch("Luke", attack=3, agility=2, hull=4, shields=2, force=2, initiative=5)
    await tables.step(Request(ANA, HERE), "xwing", "Luke comes", lambda _: {"Luke": luke})
    await attack(sessions, dice, 1)
    await tables.clear(Request(ANA, HERE))
    assert await luck(matches) == {}
    await attack(sessions, dice, 1)
    assert (await luck(matches))["Ana"].luck.rolls == 1


async def test_destroyed_ships_are_counted_until_that_is_taken_back(database: Database, matches: Matches) -> None:
    tables, xwing = Tables(database), GAMES["xwing"]
    numbers = [(await tables.player(HERE, person)).id for person in (ANA, BO)]
    ships = {
        name: replace(launch(name, hull=2), owner=number)
        for name, number in zip(("Luke", "Vader"), numbers, strict=True)
    }
    wreck = give(ships["Vader"], "facedown damage", 2)
    await tables.step(Request(ANA, HERE, is_gm=True), "xwing", "ships come", lambda _: {**ships, MATCH: Match()})
    await tables.step(Request(BO, HERE), "xwing", "Vader is hit", lambda _: {"Vader": wreck})
    await tables.step(Request(BO, HERE), "xwing", "Vader leaves", lambda table: sweep_destroyed(table, {}), of=())
    await tables.step(Request(ANA, HERE), "xwing", "Luke lands", lambda _: {"Luke": None})
    standing = await matches.status(HERE, xwing)
    assert {player.name: standing.lost_by(number) for number, player in standing.players.items()} == {
        "Ana": [],
        "Bo": ["Vader"],
    }
    assert standing.winner == 0, "nobody has a ship left"
    for person in (ANA, BO):
        await tables.undo(Request(person, HERE))
    standing = await matches.status(HERE, xwing)
    assert (standing.lost, standing.winner) == ({}, None)
    assert set(standing.table) == {"Luke", "Vader", MATCH}


async def test_the_luckiest_roll_is_the_one_that_was_hardest_to_reach(
    sessions: Sessions, matches: Matches, dice: Dice
) -> None:
    await attack(sessions, dice, 1)
    assert luckiest(await matches.of_channel(HERE)) is None, "nothing was lucky"
    await attack(sessions, dice, 6, by=BO)
    await attack(sessions, dice, 6)
    best = luckiest(await matches.of_channel(HERE))
    assert best is not None
    assert (best.person, best.result.value) == (BO, 1), "the first of two that were as hard"
    assert best.chance_as_good == best.result.distribution.probability(bool) < Fraction(1, 2)


async def test_typed_dice_and_what_was_taken_back_never_count(
    database: Database, sessions: Sessions, matches: Matches, dice: Dice
) -> None:
    await sessions.open(
        Request(ANA, HERE), RollOpening(GAMES["warsurge"], GAMES["warsurge"].rules.declare(TYPED["warsurge"]))
    )
    await attack(sessions, dice, 1)
    await Tables(database).undo(Request(ANA, ALONE))
    assert await luck(matches) == {}


async def test_another_channel_is_another_match_and_ones_own_rolls_are_everywhere(
    sessions: Sessions, matches: Matches, dice: Dice
) -> None:
    await attack(sessions, dice, 1)
    await attack(sessions, dice, 6, place=ELSEWHERE)
    await attack(sessions, dice, 6, by=BO)
    assert (await luck(matches))["Ana"].luck.rolls == 1
    (own,) = luck_of_rolls(await matches.of_person(ANA.id), ANA.id)
    assert (own.luck.rolls, own.luck.result) == (2, 1)


async def test_luck_is_erased_with_the_people(
    database: Database, sessions: Sessions, matches: Matches, dice: Dice
) -> None:
    await attack(sessions, dice, 1)
    await attack(sessions, dice, 1, by=BO)
    await PersonalData(database).forget(ANA.id)
    assert (await luck(matches)).keys() == {"Bo"}
    assert await matches.of_person(ANA.id) == ()
