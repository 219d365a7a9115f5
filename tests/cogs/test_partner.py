"""The bot as an opponent: it plays its side by the advice, says so, and knows no die to come."""

import sqlite3
from contextlib import closing
from copy import copy
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
import simcord
from simcord.builders import UserHandle

from bot.cli.play import set_ships
from bot.rules.xwing.table.match import MATCH, Match
from bot.runtime.app import App
from bot.sessions.request import Place
from tests.cogs.test_first_round import MAX_PRESSES, buttons, go_on, newest, pieces
from tests.cogs.test_plans import ACADEMY, ANAS, ESCORT, HOWL, LUKE, evening, kept, plan, words  # noqa: F401 - a fixture
from tests.cogs.test_secret_leaks import world
from tests.cogs.test_xwing_board import board
from tests.conftest import Club, said

pytestmark = pytest.mark.one_bot


def me(club: Club) -> UserHandle:
    """The bot, as an option of a command names it."""
    return UserHandle(club.env, club.env.backend.bot_user)


async def test_it_defends_an_attack_of_numbers_as_soon_as_the_dice_fall(club: Club) -> None:
    club.dice.red("hit hit hit")
    club.dice.green("focus blank")
    await club.attack(dice=3, opponent=me(club))
    assert "hits" in club.outcome
    assert "2 hits" in club.outcome, "it spent its focus"
    told = str(club.embed.footer.text)
    assert "pressed Defend: no defender was named" in told
    assert "pressed Focus: 1 to evade" in told
    assert "average damage" in told


async def test_a_person_decides_first(club: Club) -> None:
    club.dice.red("hit focus blank")
    await club.attack(dice=3, agility=2, with_="focus", against="evade", opponent=me(club))
    assert "Ana's turn" in str(club.embed.description)
    club.dice.green("blank blank")
    await club.ana.click(club.card, label="Focus: 1 to hit")
    assert club.outcome.startswith("Ana hits"), club.outcome
    assert "1 hit" in club.outcome, "it spent its evade"


async def test_its_ships_are_played_by_whoever_presses_and_it_chooses_their_dice(club: Club) -> None:
    await club.ana.slash(club.channel, "xwing ship add", name="Luke", attack=3, agility=2, hull=3)
    await club.ana.slash(club.channel, "xwing ship add", name="Vader", attack=2, agility=3, hull=3)
    await club.ana.slash(club.channel, "xwing token give", ship="Vader", token="focus", count=1)
    await club.ana.slash(club.channel, "xwing ship give", ship="Vader", player=me(club))
    club.dice.red("hit focus")
    club.dice.green("blank blank")
    await club.bo.slash(club.channel, "xwing attack", attacker="Vader", defender="Luke", range=2, anyway=True)
    told = str(club.embed.to_dict())
    assert "pressed Focus: 1 to hit" in told
    assert "Vader hits Luke: 2 hits" in club.outcome


# A seat, a target, a dial


async def test_a_gm_gives_it_a_seat_and_it_plays_at_once(club: Club, gm: simcord.MemberActor) -> None:
    club.dice.red("hit focus")
    club.dice.green("blank")
    await club.attack(dice=2, with_="focus", agility=1, against="evade", opponent=club.bo)
    await club.ana.click(club.card, label="Focus: 1 to hit")
    await gm.slash(club.channel, "table seat", side="defender", player=me(club))
    assert "gives the defender's seat to" in club.card.content
    assert "pressed" in str(club.embed.footer.text)
    assert "1 hit" in club.outcome, "it spent its evade"


async def test_a_seat_of_a_game_that_it_does_not_play_it_does_not_take(club: Club, gm: simcord.MemberActor) -> None:
    await club.ana.slash(club.channel, "infinity versus", sv=12)
    refused = said(await gm.slash(club.channel, "table seat", side="defender", player=me(club)))
    assert refused == "Bots can't play a side here. Name a person, or leave it out."


async def alone(club: Club) -> None:
    """A table on which the bot has Bo's ships, as ``make play ARGS=--alone`` begins."""
    client = club.env.bot
    assert isinstance(client, App)
    await set_ships(client, Place(club.channel.id, club.guild.id), {"Ana": club.ana.id, "Bo": me(club).id})


async def test_the_form_of_its_attack_has_the_best_target_by_the_odds(club: Club) -> None:
    """Luke has a focus token, Wedge has none and is strained: the damage to Wedge is larger."""
    await alone(club)
    await club.ana.slash(club.channel, "xwing token give", ship="Wedge Antilles", token="strain", count=1)
    await club.ana.slash(club.channel, "table show")
    for _ in range(3):
        await club.ana.slash(club.channel, "xwing phase")
    await club.ana.click(newest(club), label="Engage without attacking")  # Wedge
    opened = await club.ana.click(newest(club), label="Attack")
    assert opened.modal is not None
    assert opened.modal["title"] == "Darth Vader attacks"
    lists = {item["component"]["custom_id"]: item["component"] for item in opened.modal["components"]}
    shown = lists["defender"]["options"]
    assert [item["value"] for item in shown if item.get("default")] == ["Wedge Antilles"]
    assert shown[0]["value"] == "Wedge Antilles"
    damage = [float(item["description"].partition("average damage ")[2]) for item in shown[:2]]
    assert damage[0] > damage[1]


async def test_who_is_alone_plays_a_round_against_it(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ana alone presses: also for its ships, whose dice it changes by itself."""
    chance = Random(38)
    monkeypatch.setattr(type(club.dice), "__call__", lambda _, sides: chance.randrange(sides))
    await alone(club)
    await club.ana.slash(club.channel, "table show")
    for_it = copy(club.ana)
    people = {"Luke Skywalker": club.ana, "Wedge Antilles": club.ana, "Darth Vader": for_it, "Howlrunner": for_it}
    await club.ana.slash(club.channel, "xwing attack", attacker="Luke Skywalker", defender="Darth Vader", range=2)
    for _ in range(MAX_PRESSES):
        match = (await pieces(club)).get(MATCH)
        if isinstance(match, Match) and match.round == 2:
            break
        await go_on(club, newest(club), people)
    else:
        pytest.fail(f"round one does not end: {buttons(newest(club))}")
    plies = history(club)
    pressed = [ply for ply in plies if ply.person == me(club).id and ply.offer not in ("seat", "start")]
    assert len(pressed) >= 4, "it has modified dice of both its ships and of its defence"
    assert {ply.person for ply in plies} == {club.ana.id, me(club).id}


async def test_it_sets_its_dials_once_somebody_else_is_ready(evening: Club) -> None:  # noqa: F811 - the fixture
    """Its commitment comes as that of people, no maneuver is red, and whoever is there reveals for it."""
    for name in (HOWL, ACADEMY):
        await evening.bo.slash(evening.channel, "xwing ship give", ship=name, player=me(evening))
    await plan(evening, evening.ana, ANAS)
    fixed = [set(commitment.of) for commitment in (await kept(evening)).values()]
    assert fixed == [{LUKE, ESCORT}, {HOWL, ACADEMY}]
    await evening.ana.click(board(evening), label="Reveal Academy Pilot")
    assert "reveals Academy Pilot: 2 straight, blue" in words(evening)


# No die to come


class Ply(NamedTuple):
    person: int
    offer: str
    choice: str
    state: str


def history(club: Club) -> list[Ply]:
    """All plies of rolls, in the order in which they were stored."""
    with closing(sqlite3.connect(club.file)) as connection:
        result = connection.execute("SELECT person_id, offer, choice, state FROM ply ORDER BY id").fetchall()
    return [Ply(*item) for item in result]


async def evening_of(club: Club, seed: int, later: int, known: int) -> list[Ply]:
    """Its ship attacks, then it is attacked. The first dice follow from the seed, the others from ``later``."""
    first, rest = Random(seed), Random(later)
    for name in ("Luke", "Vader"):
        await club.ana.slash(club.channel, "xwing ship add", name=name, attack=4, agility=3, hull=6)
        for token in ("focus", "evade"):
            await club.ana.slash(club.channel, "xwing token give", ship=name, token=token, count=1)
    await club.ana.slash(club.channel, "xwing lock", ship="Vader", target="Luke")
    await club.ana.slash(club.channel, "xwing ship give", ship="Vader", player=me(club))
    club.dice.will_show(*(first.randrange(8) for _ in range(known)), *(rest.randrange(8) for _ in range(60)))
    for attacker, defender in (("Vader", "Luke"), ("Luke", "Vader")):
        words = {"attacker": attacker, "defender": defender, "range": 2, "anyway": True}
        await club.ana.slash(club.channel, "xwing attack", **words)
        while "Done" in buttons(newest(club)):
            await club.ana.click(newest(club), label="Done")
    club.dice.waiting.clear()
    return history(club)


@pytest.mark.parametrize("known", [4, 7, 11])
async def test_dice_to_come_change_nothing_that_it_presses(
    tmp_path: Path, migrated: Path, monkeypatch: pytest.MonkeyPatch, known: int
) -> None:
    """Two evenings whose later dice differ: as long as all that was stored is the same, so is its next press."""
    compared, apart = 0, 0
    for seed in range(4):
        worlds = []
        for later in (100, 200):
            folder = tmp_path / f"{seed}-{later}"
            folder.mkdir()
            async with world(folder, migrated, monkeypatch) as club:
                worlds.append(await evening_of(club, seed, later, known))
                its = me(club).id
        item, other = worlds
        for at in range(1, min(len(item), len(other))):
            if item[:at] != other[:at]:
                apart += 1
                break
            if its in (item[at].person, other[at].person):
                compared += 1
                assert item[at][:3] == other[at][:3], (seed, at)
    assert compared
    assert apart, "some dice to come were other ones"
