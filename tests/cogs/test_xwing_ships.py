"""`/xwing` with ships of a channel, as people type and press it: what an attack spends stands on the table."""

import sqlite3
from typing import Any

import discord
import pytest
import pytest_asyncio
import simcord

from tests.conftest import Club, said

pytestmark = pytest.mark.one_bot


async def xwing(club: Club, line: str, by: simcord.MemberActor | None = None, **options: Any) -> Any:
    return await (by or club.ana).slash(
        club.channel, f"xwing {line}", **{name.rstrip("_"): value for name, value in options.items()}
    )


async def give(club: Club, ship: str, kind: str, count: int | None = None) -> Any:
    return await xwing(club, "token give", **tokens(ship, kind, count))


async def take(club: Club, ship: str, kind: str, count: int | None = None) -> Any:
    return await xwing(club, "token take", **tokens(ship, kind, count))


def tokens(ship: str, kind: str, count: int | None) -> dict[str, Any]:
    return {"ship": ship, "token": kind} | ({} if count is None else {"count": count})


def facts(club: Club) -> dict[str, str]:
    """The named blocks of the newest card; of a ship's, its name only."""
    return {(field.name or "").split(" · ")[0]: field.value or "" for field in club.embed.fields}


async def listed(club: Club) -> dict[str, str]:
    await xwing(club, "ship list")
    return facts(club)


@pytest_asyncio.fixture(loop_scope="module")
async def table(club: Club) -> Club:
    """Luke (initiative 5, two force) and Mauler (initiative 5), and Vader (6) who looks on."""
    await xwing(club, "ship add", name="Luke", attack=3, agility=2, hull=4, shields=2, force=2, initiative=5)
    await xwing(club, "ship add", name="Mauler", attack=2, agility=1, hull=3, initiative=5)
    await xwing(club, "ship add", name="Vader", attack=3, agility=3, hull=3, shields=2, force=3, initiative=6)
    return club


async def test_ships_come_change_and_go(table: Club) -> None:
    assert table.outcome == "Vader joins the table."
    assert facts(table) == {"Vader": "attack 3 · agility 3\nshields ◆◆ · hull ■■■\nforce 3 of 3"}
    await xwing(table, "ship set", name="vader", shields=1, abilities="reroll 1 blank")
    assert facts(table) == {"Vader": "shields ◆ · hull ■■■\nreroll 1 blank"}, "what has changed"
    await xwing(table, "ship set", name="vader", abilities="none")
    await xwing(table, "ship remove", name="Luke")
    assert table.outcome == "Luke leaves the table."
    shown = await listed(table)
    assert table.outcome == "2 ships on the table."
    assert list(shown) == ["Vader", "Mauler"], "the first to engage on top"
    assert "reroll" not in shown["Vader"]


async def test_a_refused_ship_is_told_privately_and_not_there(table: Club) -> None:
    assert "Use a name that no ship in this channel has, or change that ship with `/xwing ship set" in said(
        await xwing(table, "ship add", name="LUKE", hull=3)
    )
    assert "`abilities`" in said(await xwing(table, "ship add", name="Tam", abilities="focus"))
    assert "`Mauler`" in said(await xwing(table, "ship remove", name="Mauller"))
    assert len(await listed(table)) == 3


async def test_ships_are_suggested_while_one_types(table: Club) -> None:
    for command, option in (("xwing attack", "attacker"), ("xwing lock", "target"), ("xwing ship set", "name")):
        offered = await table.ana.autocomplete(table.channel, command, option, "u")
        assert [choice["value"] for choice in offered][:2] == ["Luke", "Mauler"]


async def test_where_ships_cannot_be_read_nothing_is_suggested(table: Club, caplog: pytest.LogCaptureFixture) -> None:
    with sqlite3.connect(table.file) as stranger:
        stranger.execute("UPDATE piece SET schema = 99")
    stranger.close()
    assert await table.ana.autocomplete(table.channel, "xwing attack", "attacker", "u") == []
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def test_another_channel_has_ships_of_its_own(table: Club) -> None:
    other = table.guild.create_text_channel("other")
    await table.ana.slash(other, "xwing ship list")
    newest = other.last_message
    assert newest is not None
    assert newest.embeds[0].title == "No ship is on the table here."
    refused = await table.ana.slash(other, "xwing attack", attacker="Luke", agility=1)
    assert "ship add" in said(refused)


async def test_tokens_come_and_go(table: Club) -> None:
    await give(table, "Luke", "focus", 2)
    assert table.outcome == "Luke gets 2 focus tokens."
    await take(table, "luke", "focus")
    assert table.outcome == "Luke loses 1 focus token."
    assert facts(table)["Luke"].endswith("focus · force 2 of 2")
    assert "Luke has only 1 focus token. Remove at most 1." in said(await take(table, "Luke", "focus", 2))
    assert "at most 2" in said(await give(table, "Luke", "force"))


async def test_an_attack_between_two_ships_spends_and_hurts(table: Club) -> None:
    await give(table, "Luke", "focus")
    await give(table, "Mauler", "evade")
    await xwing(table, "lock", ship="Luke", target="Mauler")
    assert table.outcome == "Luke has a lock on Mauler."
    await xwing(table, "ship give", ship="Mauler", player=table.bo)
    table.dice.red("crit focus blank")
    await xwing(table, "attack", attacker="Luke", defender="Mauler")
    assert list(await table.facts())[:2] == ["Attacker: Ana · Luke", "Defender: Bo · Mauler"]
    table.dice.red("hit")
    await table.ana.select(table.card, ["2"], custom_id=table.custom_id("lock"))
    table.dice.green("blank")
    await table.ana.click(table.card, label="Focus: 1 to hit")
    await table.bo.click(table.card, label="Evade: 1 blank to evade")
    assert table.outcome == "Luke hits Mauler: 1 hit and 1 crit (Wounded Pilot). Hull 3 to 1."
    shown = await listed(table)
    assert shown["Luke"] == "attack 3 · agility 2\nshields ◆◆ · hull ■■■■\nforce 2 of 2\n1 attack this round"
    assert shown["Mauler"] == "attack 2 · agility 1\nhull ■□□ (1 faceup: Wounded Pilot)"


async def test_the_odds_name_the_range(table: Club) -> None:
    await xwing(table, "odds", attacker="Luke", defender="Mauler", range=1, obstructed=True)
    assert (
        table.embed.author.name
        == "X-Wing odds · Luke attacks Mauler · range 1 · obstructed · 4 attack dice · 2 defense dice"
    )
    await xwing(table, "odds", dice=3, range=3)
    assert table.embed.author.name == "X-Wing odds · range 3 · 3 attack dice · 1 defense die"
    await xwing(table, "odds", dice=3)
    assert table.embed.author.name == "X-Wing odds · 3 attack dice · 0 defense dice"


async def test_charges_of_an_upgrade_are_spent_and_recovered_by_its_name(table: Club) -> None:
    squad = '{"pilots": [{"id": "wedgeantilles", "upgrades": {"torpedo": ["protontorpedoes"]}}]}'
    await xwing(table, "squad", text=squad)
    await table.ana.click(table.card, label="Add to mine")
    wedge, torpedoes = "Wedge Antilles", "Proton Torpedoes"
    offered = await table.ana.autocomplete(table.channel, "xwing token take", "upgrade", "prot", ship=wedge)
    assert [(item["name"], item["value"]) for item in offered] == [("Proton Torpedoes: 2 of 2", torpedoes)]
    await xwing(table, "token take", ship=wedge, token="charge", upgrade="proton torpedoes", count=2)
    assert table.outcome == "Wedge Antilles spends 2 charges from Proton Torpedoes: 0 of 2 left."
    await xwing(table, "token give", ship=wedge, token="charge", upgrade=torpedoes)
    assert table.outcome == "Wedge Antilles recovers 1 charge on Proton Torpedoes: 1 of 2 left."
    for options, words in (
        ({"upgrade": torpedoes, "count": 2, "token": "charge"}, "has 1 of 2 charges"),
        ({"upgrade": "R2-D2", "token": "charge"}, "with charges: Proton Torpedoes"),
        ({"upgrade": torpedoes, "token": "focus"}, "Upgrades can only hold charges"),
    ):
        assert words in said(await table.ana.slash(table.channel, "xwing token take", ship=wedge, **options))
    refused = await table.ana.slash(table.channel, "xwing token take", ship="Luke", token="charge", upgrade="R2-D2")
    assert "Leave it out: none of Luke's upgrades has charges" in said(refused)
    await table.ana.slash(table.channel, "table undo")
    refused = await table.ana.slash(table.channel, "xwing token take", ship=wedge, token="charge", upgrade=torpedoes)
    assert "has 0 of 2 charges" in said(refused), "the one that came back was taken back"


async def test_odds_between_two_ships_from_where_they_stand(table: Club) -> None:
    await give(table, "Luke", "focus")
    await give(table, "Mauler", "evade")
    await xwing(table, "odds", attacker="luke", defender="Mauler")
    assert (
        table.embed.author.name == "X-Wing odds · Luke attacks Mauler · no range given · 3 attack dice · 1 defense die"
    )
    by_ships = table.outcome
    assert "destroyed: 0%" in facts(table)["focus, force 2"]
    told = await table.cleo.click(table.card, label="How?")
    assert told.response is not None
    assert "each crit counts as one damage card" in told.response.content
    await xwing(table, "odds", dice=3, agility=1, with_="focus, force 2", against="evade")
    assert table.outcome == by_ships
    assert (await listed(table))["Luke"].endswith("focus · force 2 of 2"), "nothing is spent"


async def test_odds_may_suppose_tokens_that_a_ship_has_not(table: Club) -> None:
    await xwing(table, "odds", attacker="Luke", defender="Mauler", with_="0 force", or_="lock, focus")
    assert list(facts(table)) == ["0 force", "focus, lock", "Defender"]
    assert "Average damage: " in table.outcome
    await xwing(table, "odds", attacker="Luke", agility=0, or_="focus")
    assert list(facts(table)) == ["force 2", "focus"], "as it stands, and what else could be"
    assert "`dice`" in said(await xwing(table, "odds", defender="Luke"))


async def test_a_third_attack_needs_a_gm(table: Club) -> None:
    await xwing(table, "ship give", ship="Mauler", player=table.bo)
    for bonus in (False, True):
        table.dice.red("blank blank")
        table.dice.green("blank blank blank")
        await xwing(table, "attack", by=table.bo, attacker="Mauler", defender="Vader", dice=2, bonus=bonus)
        if "Done" in table.labels:
            await table.bo.click(table.card, label="Done")
    assert "bonus attack" in said(await xwing(table, "attack", by=table.bo, attacker="Mauler", defender="Vader"))
    refused = await xwing(table, "attack", by=table.bo, attacker="Mauler", defender="Vader", allow=True)
    assert "Only a GM" in said(refused)

    role = table.guild.create_role("GM", permissions=discord.Permissions(manage_channels=True))
    gm = table.guild.add_member(table.env.create_user("gm", global_name="Gil"), roles=[role])
    table.dice.red("blank")
    table.dice.green("evade evade evade")
    await xwing(table, "attack", by=gm, attacker="Mauler", defender="Vader", dice=1, allow=True)
    assert table.outcome == "Mauler misses Vader."
    assert "3 attacks this round" in (await listed(table))["Mauler"]


async def test_the_phases_of_a_round_follow_each_other(table: Club) -> None:
    began = []
    for _ in range(4):
        await xwing(table, "phase")
        began.append(table.outcome)
    assert began[:2] == ["The System Phase of round 1 begins.", "The Activation Phase of round 1 begins."]
    assert began[2] == "Next, at initiative 6: Vader."
    assert began[3] == "Round 2 begins with planning."
    warned = said(await xwing(table, "attack", attacker="Luke", defender="Vader"))
    assert warned.startswith("It's the Planning Phase of round 2. Ships engage in the Engagement Phase.")
    table.dice.red("blank blank blank")
    table.dice.green("blank blank blank")
    await xwing(table, "attack", attacker="Luke", defender="Vader", anyway=True)
    assert "Out of order." in table.outcome


async def test_the_end_phase_lists_what_changed(table: Club) -> None:
    for ship, token, count in (("Luke", "focus", 2), ("Luke", "stress", 1), ("Vader", "evade", 1)):
        await give(table, ship, token, count)
    await take(table, "Luke", "force", 2)
    await xwing(table, "endphase")
    assert table.outcome == "Round 2 begins with planning."
    lines = "Vader: loses evade\nLuke: loses 2 focus, regains 1 force charge, now 1"
    assert facts(table) == {"2 ships change": lines}
    assert "stress" in (await listed(table))["Luke"]
    await xwing(table, "endphase")
    await xwing(table, "endphase")
    assert table.outcome == "Round 4 begins with planning."


async def test_the_end_phase_is_one_step_to_take_back(table: Club) -> None:
    await give(table, "Luke", "focus", 2)
    await give(table, "Vader", "evade")
    before = await listed(table)
    await xwing(table, "endphase")
    await table.ana.slash(table.channel, "table undo")
    assert await listed(table) == before


async def test_taking_back_a_spent_token_puts_it_on_the_ship_again(table: Club) -> None:
    await give(table, "Luke", "focus")
    await xwing(table, "ship give", ship="Mauler", player=table.bo)
    table.dice.red("focus focus focus")
    await xwing(table, "attack", attacker="Luke", defender="Mauler")
    before = await listed(table)
    await table.ana.slash(table.channel, "table history")
    opened = next(message for message in table.channel.history() if message.components)
    table.dice.green("blank")
    await table.ana.click(opened, label="Focus: 3 to hits")
    assert "■" not in (await listed(table))["Mauler"]
    await table.take_back(table.ana, consent=table.bo)
    assert await listed(table) == before


async def test_whoever_gives_a_ship_to_themselves_takes_it(table: Club) -> None:
    role = table.guild.create_role("GM", permissions=discord.Permissions(manage_channels=True))
    gm = table.guild.add_member(table.env.create_user("gm", global_name="Gil"), roles=[role])
    await xwing(table, "ship give", by=gm, ship="Luke", player=gm)
    await xwing(table, "ship give", ship="Mauler", player=table.bo)
    await table.ana.slash(table.channel, "table history")
    newest, before = (table.embed.description or "").splitlines()[:2]
    assert newest.endswith("gives Mauler to another player")
    assert before.endswith("takes Luke")


async def test_a_gm_who_plays_takes_nobodys_ship(table: Club) -> None:
    """Whoever owns a ship sees its facedown cards, and reveals its dial."""
    role = table.guild.create_role("GM", permissions=discord.Permissions(manage_channels=True))
    gm = table.guild.add_member(table.env.create_user("gm", global_name="Gil"), roles=[role])
    await xwing(table, "ship add", by=gm, name="Wedge", attack=3, agility=2, hull=4)
    for player in (gm, table.bo):
        refused = said(await xwing(table, "ship give", by=gm, ship="Luke", player=player))
        assert refused.startswith("Luke belongs to Ana, so only Ana can give it away, or a GM who has never had pieces")
    await xwing(table, "ship give", ship="Luke", player=gm)
    assert table.outcome == "Luke now belongs to Gil."


async def test_the_history_names_ships_as_they_stand_on_the_table(table: Club) -> None:
    await table.ana.slash(table.channel, "xwing token give", ship=" luke ", token="focus")
    await table.ana.slash(table.channel, "xwing lock", ship="LUKE", target="vader")
    await table.ana.slash(table.channel, "xwing ship set", name="lUKE", hull=5)
    table.dice.red("hit")
    await table.ana.slash(table.channel, "xwing hazard", ship="luke", what="asteroid")
    await table.ana.slash(table.channel, "table history")
    told = table.embed.description or ""
    for sentence in (
        "gives Luke 1 focus token",
        "locks Vader with Luke",
        "changes Luke",
        "moves Luke through the asteroid",
    ):
        assert sentence in told


async def test_the_name_of_a_pilot_alone_brings_the_card(club: Club) -> None:
    await club.ana.slash(club.channel, "xwing ship add", name="Boba Fett")
    (shown,) = [field.value for field in club.embed.fields]
    assert "attack 3 · agility 2" in str(shown)
    await club.ana.slash(club.channel, "xwing ship add", name="wedgeantilles")
    assert club.outcome == "Wedge Antilles joins the table."


async def test_a_name_with_numbers_is_no_pilot(club: Club) -> None:
    await club.ana.slash(club.channel, "xwing ship add", name="Boba Fett", attack=1, agility=1, hull=2)
    assert "attack 1 · agility 1" in str(club.embed.fields[0].value)


async def test_typing_the_name_suggests_pilots(club: Club) -> None:
    result = await club.ana.autocomplete(club.channel, "xwing ship add", "name", "boba")
    assert any(item["name"].startswith("Boba Fett, Firespray") for item in result)
