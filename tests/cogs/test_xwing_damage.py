"""Damage outside attacks, damage cards and remotes, as people type it."""

import json
from typing import Any

import pytest
import pytest_asyncio

from tests.cogs import test_xwing_board as board_tests
from tests.cogs.test_xwing_ships import facts, listed, xwing
from tests.conftest import Club, said

pytestmark = pytest.mark.one_bot

WOUNDED, DIRECT_HIT = 4, 28
"""Places of titles in a full deck."""


@pytest_asyncio.fixture(loop_scope="module")
async def table(club: Club) -> Club:
    """Luke (hull 4, two shields) and Mauler (hull 3)."""
    await xwing(club, "ship add", name="Luke", attack=3, agility=2, hull=4, shields=2, initiative=5)
    await xwing(club, "ship add", name="Mauler", attack=2, agility=1, hull=3, initiative=5)
    return club


async def test_an_obstacle_is_one_red_die_and_what_it_does(table: Club) -> None:
    table.dice.red("hit")
    await xwing(table, "hazard", ship="mauler", what="asteroid")
    assert table.outcome == "Mauler suffers 2 hits."
    assert "hull ■□□" in facts(table)["Mauler"]
    table.dice.red("crit")
    await xwing(table, "lock", ship="Luke", target="Mauler")
    await xwing(table, "hazard", ship="Mauler", what="gas cloud")
    assert table.outcome == "Mauler gains 1 strain token and 3 ion tokens. The locks on it break."
    assert "lock" not in (await listed(table))["Luke"]


async def test_a_mine_is_typed_damage_and_a_faceup_card_is_named(table: Club) -> None:
    table.dice.damage.extend([DIRECT_HIT, WOUNDED])
    await xwing(table, "damage", ship="Luke", hits=2, crits=1)
    assert table.outcome == "Luke suffers 2 hits and 1 crit (Direct Hit!)."
    assert facts(table)["Luke"].splitlines()[0] == "shields ◇◇ · hull ■■□□"
    assert "at least 1 hit" in said(await xwing(table, "damage", ship="Luke"))
    await xwing(table, "damage", ship="Mauler", hits=3)
    assert table.outcome == "Mauler suffers 3 hits. It is destroyed!"


async def test_facedown_cards_are_for_their_owner_only(table: Club) -> None:
    await xwing(table, "damage", ship="Mauler", hits=1)
    assert "Wounded Pilot" not in str(await listed(table))
    await xwing(table, "card look", ship="Mauler")
    shown: dict[str, Any] = table.sent
    assert shown["flags"] == 64
    assert "Wounded Pilot" in str(shown["embeds"])


async def test_cards_are_exposed_and_repaired(table: Club) -> None:
    await xwing(table, "damage", ship="Mauler", hits=1)
    table.dice.will_show(0)
    await xwing(table, "card expose", ship="Mauler")
    assert table.outcome == "Mauler exposes Wounded Pilot."
    assert "1 faceup: Wounded Pilot" in facts(table)["Mauler"]
    await xwing(table, "card repair", ship="Mauler", card="wounded pilot")
    assert "faceup" not in facts(table)["Mauler"]
    table.dice.will_show(0)
    await xwing(table, "card repair", ship="Mauler")
    assert "hull ■■■" in facts(table)["Mauler"]


async def test_a_step_in_which_a_die_fell_is_taken_back_by_consent_only(table: Club) -> None:
    table.dice.red("blank")
    await xwing(table, "hazard", ship="Mauler", what="asteroid")
    await table.ana.slash(table.channel, "table undo")
    assert "hull ■■□" in (await listed(table))["Mauler"], "nobody takes a die back alone"


async def test_the_history_counts_what_was_dealt_and_names_the_ship_as_it_is_called(table: Club) -> None:
    await xwing(table, "damage", ship="luke", hits=1)
    await xwing(table, "damage", ship="luke", crits=2)
    await xwing(table, "damage", ship="Mauler", hits=2, crits=1)
    await table.ana.slash(table.channel, "table history")
    lines = [line.rpartition("> ")[2] for line in (table.embed.description or "").splitlines()[:3]]
    assert lines == [
        "deals 2 hits and 1 crit to Mauler",
        "deals 2 crits to Luke",
        "deals 1 hit to Luke",
    ]


async def test_a_bomb_on_three_ships_is_one_form_and_one_card(club: Club) -> None:
    """Which device, who is at its range; each ship rolls for itself, and everybody sees it."""
    bomber = {"pilots": [{"id": "captainjonus", "upgrades": {"device": ["bombletgenerator"]}}]}
    targets = {"pilots": [{"id": "lukeskywalker"}, {"id": "wedgeantilles"}]}
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(bomber), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(targets))
    form = await board_tests.more(club, club.ana, "device")
    assert form.modal is not None
    assert form.modal["title"] == "Captain Jonus: device"
    club.dice.red("hit crit blank focus blank blank")
    picked = {"device": "now-0", "ships": ["Luke Skywalker", "Wedge Antilles", "Captain Jonus"]}
    await club.ana.submit_modal(form, picked)
    assert club.outcome == (
        "Ana detonates Captain Jonus's Bomblet Generator. Luke Skywalker: 2 hits. Wedge Antilles: nothing. "
        "Captain Jonus: nothing."
    )
    assert len(club.embed.fields) == 2, "Luke and the ship that paid its charge"
    await club.ana.slash(club.channel, "table undo")
    assert "asks to take back" in (club.card.content or ""), "dice have fallen, so the other side is asked"
    await club.bo.click(club.card, label="Allow")
    await club.ana.slash(club.channel, "xwing ship list")
    assert "Bomblet Generator 2 of 2" in str(club.embed.to_dict())
