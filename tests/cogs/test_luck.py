"""`/table luck` and `/luck` in a whole Discord."""

from typing import Any

import pytest
import simcord

from bot.client import Client
from bot.rules.xwing.table.match import MATCH, Phase
from bot.sessions.request import Place
from tests.conftest import Club, said

pytestmark = pytest.mark.one_bot

NONE = "No finished rolls count yet. Rolls with typed-in dice never count."


async def attack(club: Club, pips: int, by: simcord.MemberActor) -> None:
    club.dice.will_show(pips - 1)
    await by.slash(club.channel, "warsurge attack", power=3, defence=6)


async def test_whoever_played_may_ask_for_the_luck_of_the_match(club: Club) -> None:
    await attack(club, 6, club.ana)
    await attack(club, 1, club.ana)
    await club.ana.slash(club.channel, "table luck")
    assert club.embed.author.name == "The luck of this match"
    assert club.outcome.startswith("Ana: 1 HP, 0.")
    assert "expected;" in club.outcome
    assert club.outcome.endswith("% of matches like this do better.")
    assert "2 rolls" in str(club.card.attachments[0].description)
    told = said(await club.ana.click(club.card, label="How?"))
    assert told.startswith("Exact: the distributions of all finished rolls, added up.")
    refused = await club.bo.slash(club.channel, "table luck")
    assert "Only players of this match" in said(refused)


async def test_before_the_first_roll_there_is_nothing_to_say(club: Club) -> None:
    await club.ana.slash(club.channel, "table luck")
    assert club.outcome == NONE


@pytest.mark.parametrize("rolls", [0, 2])
async def test_ones_own_luck_is_private(club: Club, rolls: int) -> None:
    for _ in range(rolls):
        await attack(club, 6, club.ana)
    result = await club.ana.slash(club.channel, "luck")
    answers = [item for item in (result.response, *result.followups) if item is not None]
    assert [answer.ephemeral for answer in answers] == [True]
    title = answers[0].embeds[0].title or ""
    assert title.startswith("WARSURGE: 2\N{NO-BREAK SPACE}HP") if rolls else title == NONE


async def hit(club: Club, by: simcord.MemberActor, attacker: str, defender: str, red: str) -> None:
    """An attack without tokens against a ship without agility."""
    club.dice.red(red)
    await by.slash(club.channel, "xwing attack", attacker=attacker, defender=defender)


async def launch(club: Club) -> None:
    """Ana's Luke against Bo's Vader and Mauler, in the Engagement Phase."""
    for by, name, hull in ((club.ana, "Luke", 4), (club.bo, "Vader", 1), (club.bo, "Mauler", 2)):
        card = {"attack": 2, "agility": 0, "hull": hull, "initiative": 3}
        await by.slash(club.channel, "xwing ship add", name=name, **card)
    for _ in range(3):
        await club.ana.slash(club.channel, "xwing phase")


async def test_a_match_ends_with_a_recap_of_who_won_and_how_lucky_all_were(club: Club) -> None:
    await launch(club)
    await hit(club, club.ana, "Luke", "Vader", "hit crit")
    await hit(club, club.bo, "Vader", "Luke", "blank hit")
    before = len(list(club.channel.history(viewer=club.ana)))
    await club.ana.slash(club.channel, "xwing endphase")
    assert len(list(club.channel.history(viewer=club.ana))) == before + 1, "Mauler still flies"
    for _ in range(3):
        await club.ana.slash(club.channel, "xwing phase")
    await hit(club, club.ana, "Luke", "Mauler", "hit hit")
    await club.ana.slash(club.channel, "xwing endphase")
    await club.env.settle()
    assert club.embed.author.name == "X-Wing"
    assert club.outcome == "Ana wins in round 2, 2 : 0 in ships destroyed."
    facts = {field.name: field.value or "" for field in club.embed.fields}
    assert club.embed.image.url, "both squads as a picture"
    assert club.labels == ["Rematch", "Replay"]
    assert facts["Ana"] == ("4 damage, 2 expected; no match like this does better.")
    assert facts["Bo"].startswith("1 damage, 1 expected; ")
    assert facts["Luckiest roll"].startswith("Ana: Luke ")
    assert "25% of rolls do this well or better." in facts["Luckiest roll"]
    assert "[↗](https://discord.com/channels/" in facts["Luckiest roll"]


async def test_the_luckiest_roll_of_a_recap_can_be_checked(club: Club) -> None:
    await launch(club)
    await hit(club, club.ana, "Luke", "Vader", "hit crit")
    await club.bo.slash(club.channel, "xwing damage", ship="Mauler", hits=2)
    await club.ana.slash(club.channel, "xwing endphase")
    await club.env.settle()
    told = await club.cleo.click(club.card, label="Verify this roll")
    assert told.response is not None
    assert told.response.ephemeral
    shown = told.response.embeds[0]
    assert shown.title == "Luke destroys Vader: 1 hit and 1 crit (Wounded Pilot). Hull 1 to 0."
    assert "Red die" in str(shown.to_dict()) or "Attack dice" in str(shown.to_dict())


async def test_the_recap_of_a_table_without_luck_says_who_won(club: Club, gm: simcord.MemberActor) -> None:
    await gm.slash(club.channel, "ruleset set", setting="luck", value="off")
    await launch(club)
    await hit(club, club.ana, "Luke", "Vader", "hit crit")
    await club.bo.slash(club.channel, "xwing damage", ship="Mauler", hits=2)
    await club.ana.slash(club.channel, "xwing endphase")
    await club.env.settle()
    assert club.outcome == "Ana wins in round 1, 2 : 0 in ships destroyed."
    assert not club.embed.fields, "the picture shows who lost what"
    assert "Mauler" in (club.card.attachments[0].description or "")


# The recap at any time, and the rematch


def labels(message: Any) -> list[str]:
    return [item.label for row in message.components for item in row.children]


async def over(club: Club) -> None:
    """Ana's Luke has destroyed Bo's Vader and Mauler."""
    await launch(club)
    await hit(club, club.ana, "Luke", "Vader", "hit crit")
    await hit(club, club.bo, "Vader", "Luke", "crit hit")
    await club.ana.slash(club.channel, "xwing token give", ship="Luke", token="stress")
    await club.bo.slash(club.channel, "xwing damage", ship="Mauler", hits=2)
    await club.ana.slash(club.channel, "xwing endphase")
    await club.env.settle()


async def ships(club: Club) -> dict[str, Any]:
    app = club.env.bot
    assert isinstance(app, Client)
    return await app.tables.pieces(Place(club.channel.id, club.guild.id), "xwing")


async def test_the_recap_comes_on_demand_while_a_game_goes_on(club: Club) -> None:
    await launch(club)
    await hit(club, club.ana, "Luke", "Vader", "hit crit")
    await club.bo.slash(club.channel, "xwing damage", ship="Mauler", hits=1)
    await club.ana.slash(club.channel, "xwing endphase")
    await club.bo.slash(club.channel, "table recap")
    assert club.embed.author.name == "X-Wing · the game so far"
    assert club.outcome == "Round 2: Ana against Bo, 1 : 0 in ships destroyed."
    assert club.labels == [], "it is not over"
    assert "Only players of this match can see its recap." in said(await club.cleo.slash(club.channel, "table recap"))


async def test_a_rematch_is_asked_of_the_other_player_and_brings_both_squads_back(club: Club) -> None:
    await over(club)
    recap, before = club.card, await ships(club)
    await club.bo.click(recap, label="Rematch")
    again = club.card
    await club.ana.click(recap, label="Rematch")
    asked = club.card
    assert asked.content.startswith(f"<@{club.bo.id}> Ana asks for a rematch")
    assert "Another player has to accept your rematch" in said(await club.ana.click(asked, label="Accept"))
    assert "Only this game's players or a GM can decide about a rematch" in said(
        await club.cleo.click(asked, label="Accept")
    )
    assert await ships(club) == before, "nothing has changed yet"
    await club.bo.click(asked, label="Accept")
    await club.env.settle()
    now = await ships(club)
    assert {
        name: (now[name].owner, now[name].hull_left, dict(now[name].tokens)) for name in ("Luke", "Vader", "Mauler")
    } == {
        "Luke": (1, 4, {}),
        "Vader": (2, 1, {}),
        "Mauler": (2, 2, {}),
    }
    assert (now[MATCH].round, now[MATCH].phase) == (1, Phase.PLANNING)
    assert "The table" in (club.embed.author.name or ""), "the board of the new game"
    now_there = {item.id: item for item in club.channel.history(viewer=club.ana)}
    assert labels(now_there[recap.id]) == ["Replay"], "its other button has done its work"
    assert "That game is no longer the latest one here" in said(await club.ana.click(again, label="Accept"))
    await club.ana.slash(club.channel, "table recap")
    assert club.outcome == "Round 1: Ana against Bo, 0 : 0 in ships destroyed."
    await club.ana.slash(club.channel, "table history")
    assert "starts a rematch with the same squads" in (club.embed.description or "")


async def test_only_the_newest_recap_has_the_button_for_a_rematch(club: Club) -> None:
    await over(club)
    first = club.card
    await club.restart()
    await club.ana.slash(club.channel, "table recap")
    second = club.card
    assert club.labels == ["Rematch", "Replay"]
    old = next(item for item in club.channel.history(viewer=club.ana) if item.id == first.id)
    assert old.components == []
    assert [embed.title for embed in old.embeds] == [embed.title for embed in second.embeds], (
        "what happened stays to be read"
    )
    assert len(old.attachments) == 1
    await club.restart()
    await club.ana.click(second, label="Rematch")
    await club.bo.click(club.card, label="Accept")
    now = next(item for item in club.channel.history(viewer=club.ana) if item.id == second.id)
    assert labels(now) == ["Replay"]


async def test_a_rematch_that_is_refused_changes_nothing_and_may_be_asked_again(club: Club) -> None:
    await over(club)
    recap, before = club.card, await ships(club)
    await club.bo.click(recap, label="Rematch")
    await club.ana.click(club.card, label="Not now")
    assert club.card.content == "Ana doesn't want a rematch now."
    assert await ships(club) == before
    await club.bo.click(recap, label="Rematch")
    await club.bo.click(club.card, label="Not now")
    assert club.card.content == "Bo withdraws the request."


async def test_a_rematch_is_one_step_that_undo_takes_back(club: Club) -> None:
    await over(club)
    before = await ships(club)
    await club.ana.click(club.card, label="Rematch")
    await club.bo.click(club.card, label="Accept")
    await club.ana.slash(club.channel, "table undo")
    await club.bo.click(club.card, label="Allow")
    assert await ships(club) == before


async def test_no_rematch_while_ships_of_both_fly(club: Club) -> None:
    await over(club)
    recap = club.card
    await club.ana.click(recap, label="Rematch")
    asked = club.card
    await club.bo.slash(club.channel, "xwing ship add", name="Fel", attack=2, agility=3, hull=3, initiative=6)
    await club.bo.slash(club.channel, "xwing ship give", ship="Fel", player=club.bo)
    assert "This game isn't over" in said(await club.bo.click(asked, label="Accept"))
    assert "Fel" in await ships(club)


async def test_the_recap_of_other_games_says_who_is_out_of_action(club: Club) -> None:
    await club.ana.slash(club.channel, "table recap")
    assert club.outcome == NONE
    await attack(club, 6, club.ana)
    await club.ana.slash(club.channel, "infinity profile set", name="Ortega", stats="BS 11, W 1")
    await club.ana.slash(club.channel, "infinity profile state", name="Ortega", state="Dead")
    await club.ana.slash(club.channel, "table recap")
    assert club.outcome == "1 roll in this match."
    facts = {field.name: field.value or "" for field in club.embed.fields}
    assert facts["Infinity: out of action"] == "Ortega"
    assert facts["Ana"].startswith("1 HP")


async def test_a_roll_that_is_not_over_says_nothing_in_the_luck_of_the_match(club: Club) -> None:
    await attack(club, 1, club.ana)
    club.dice.red("hit hit focus")
    await club.attack(dice=3, agility=2, with_="focus", opponent=club.bo)  # no defense die has fallen
    await club.ana.slash(club.channel, "table luck")
    assert str(club.card.attachments[0].description).splitlines()[1:] == [
        ("Ana: 0 HP. 0.17 expected · 17% of matches like this do better · 1 roll")
    ]


async def test_an_infinity_order_counts_with_its_saving_rolls_and_one_too_large_is_named(club: Club) -> None:
    club.dice.will_show(9, 18, 18)
    await club.ana.slash(
        club.channel, "infinity order", text="Angus 12 N PS 7 vs Ortega 11 ARM 3; Murat 13 normal vs Ana"
    )
    club.dice.will_show(19)
    await club.bo.click(club.card, label="Ortega saves (1)")
    dodges = ", ".join(f"{name} 12 dodge" for name in ("Ada", "Ben", "Cem", "Dov"))
    club.dice.will_show(*[3] * 9)
    await club.ana.slash(club.channel, "infinity order", text=f"Angus 15 b5 template vs {dodges}")
    await club.ana.slash(club.channel, "table luck")
    lines = str(club.card.attachments[0].description).splitlines()[1:]
    assert [line.split(". ")[0] for line in lines] == ["Ana: 1 net success", "Bo: 1 Wound on its own troopers"]
    assert "Left out because they are too large to calculate exactly: 1 roll." in (club.embed.footer.text or "")


async def test_at_a_sealed_table_the_luckiest_roll_says_its_place_in_the_chain(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All but once in 10,000 times one of so many is better than most: ids, which are mixed in, differ in each run."""
    monkeypatch.setattr("bot.sessions.seals.secrets.token_hex", lambda count: "23" * count)
    await club.ana.slash(club.channel, "table seal", opponent=club.bo)
    for by in (club.ana, club.bo):
        shown = await by.click(club.card, label="Give a seed word")
        await by.submit_modal(shown, {"word": "luck"})
    await club.bo.click(club.card, label="Seal")
    for _ in range(24):
        await club.ana.slash(club.channel, "warsurge attack", power=3, defence=6)
    await club.ana.slash(club.channel, "table recap")
    told = await club.ana.click(club.card, label="Verify this roll")
    assert told.response is not None
    checked = {field.name: field.value or "" for field in told.response.embeds[0].fields}["Verify this roll"]
    assert "of this sealed table" in checked
