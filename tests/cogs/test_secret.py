"""Secret and blind rolls in a whole Discord: who sees what, reveal, the list, what cannot be secret."""

import asyncio
import sqlite3
from contextlib import closing
from typing import Any, cast

import discord
import pytest
import simcord

from bot.runtime.app import App
from bot.sessions.saved import SavedRolls
from bot.ui.notify import log_channel
from tests.cogs.rulesets import choose
from tests.conftest import Club, said, whispered

pytestmark = pytest.mark.one_bot

LINE = "Ana made a secret roll: only Ana can look at it."
BLIND_LINE = "Ana made a blind roll: only the GMs can look at it."


async def roll(club: Club, number: int, **options: Any) -> simcord.InteractionResult:
    club.dice.will_show(number - 1)
    return await club.ana.slash(club.channel, "roll", dice="1d20", **({"secret": True} | options))


def outcome(result: simcord.InteractionResult) -> str:
    """What a private card says first."""
    return whispered(result).embeds[0].title or ""


def pressable(result: simcord.InteractionResult) -> list[str]:
    rows = whispered(result).message.components
    return [str(getattr(item, "label", None)) for row in rows for item in getattr(row, "children", ())]


async def press(club: Club, by: simcord.MemberActor, shown: simcord.InteractionResult, label: str) -> Any:
    return await by.click(whispered(shown).message, label=label)


async def test_only_who_rolled_sees_the_card_and_the_channel_hears_of_it(club: Club) -> None:
    shown = await roll(club, 17)
    assert outcome(shown) == "Ana rolls 17."
    assert pressable(shown) == ["Reveal", "How?"]
    (line,) = club.channel.history(viewer=club.cleo)
    assert (line.content, line.embeds, line.attachments) == (LINE, [], [])


async def test_reveal_shows_the_roll_as_it_was_with_its_time(club: Club) -> None:
    shown = await roll(club, 17)
    with closing(sqlite3.connect(club.file)) as connection:
        ((at,),) = connection.execute("SELECT opened_at FROM session").fetchall()
    other = await club.ana.click(club.card, label="Look")
    await press(club, club.ana, shown, "Reveal")
    assert club.outcome == "Ana rolls 17."
    assert club.card.content == f"Ana reveals a secret roll from <t:{at}:f>."
    assert club.labels == ["Roll again"], "from now on it is a roll like others"
    line, card = club.channel.history(viewer=club.cleo)
    assert line.content == f"{card.content} [Go to the roll]({card.jump_url})"
    assert line.components == []
    assert (whispered(shown).content, whispered(shown).embeds) == ("Everyone can see this roll now.", [])
    again = await press(club, club.ana, other, "Reveal")
    assert "no longer secret" in said(again)
    assert len(club.channel.history(viewer=club.cleo)) == 2


async def test_the_log_channel_gets_a_roll_once_it_is_revealed(club: Club, gm: simcord.MemberActor) -> None:
    results, app = club.guild.create_text_channel("results"), cast(App, club.env.bot)
    await choose(club, gm, "log_channel", f"<#{results.id}>")
    shown = await roll(club, 17)
    await log_channel.finish(app)
    assert results.history() == []
    await press(club, club.ana, shown, "Reveal")
    await log_channel.finish(app)
    assert [item.embeds[0].title for item in results.history()] == ["Ana rolls 17."]


async def test_a_saved_roll_can_be_secret(club: Club) -> None:
    await club.ana.slash(club.channel, "saved add", name="Sneak", roll="/roll dice:1d20 secret:True")
    club.dice.will_show(16)
    assert outcome(await club.ana.slash(club.channel, "saved roll", name="Sneak")) == "Ana rolls 17."
    club.dice.will_show(4)
    assert outcome(await club.ana.slash(club.channel, "roll", dice="Sneak")) == "Ana rolls 5."
    assert {item.content for item in club.channel.history(viewer=club.cleo)} == {LINE}


async def test_a_slow_answer_shows_a_secret_roll_to_nobody_else(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    find = SavedRolls.find_by_name

    async def slow(*given: Any) -> Any:
        await club.env.external_wait(asyncio.sleep(2.5), reason="it is slow")
        return await find(*given)

    await club.ana.slash(club.channel, "saved add", name="Sneak", roll="/roll dice:1d20 secret:True")
    monkeypatch.setattr(SavedRolls, "find_by_name", slow)
    club.dice.will_show(16, 3)
    for command, options in (("saved roll", {"name": "Sneak"}), ("roll", {"dice": "Sneak", "secret": True})):
        result = await club.ana.slash(club.channel, command, **options)
        await club.env.advance_time(1.9)
        assert result.deferred
        await club.env.advance_time(1)
        mine = [item for item in (result.response, *result.followups) if item is not None and item.embeds]
        assert [item.ephemeral for item in mine] == [True]
    everybody = [item for item in club.channel.history(viewer=club.cleo) if item.embeds or item.attachments]
    assert everybody == []


async def test_a_secret_roll_is_explained_to_its_owner(club: Club) -> None:
    shown = await roll(club, 17)
    told = await press(club, club.ana, shown, "How?")
    assert whispered(told).embeds


async def test_look_and_the_list_find_it_again_for_its_owner_alone(club: Club, gm: simcord.MemberActor) -> None:
    await roll(club, 17)
    assert outcome(await club.ana.click(club.card, label="Look")) == "Ana rolls 17."
    for other in (club.bo, gm):
        assert "Only the person who rolled can look at a secret roll" in said(
            await other.click(club.card, label="Look")
        )
        assert "You have no secret rolls" in said(await other.slash(club.channel, "table secrets"))
    await club.restart()
    listed = await club.ana.slash(club.channel, "table secrets")
    assert "Any dice: Ana rolls 17." in (whispered(listed).embeds[0].description or "")
    (menu,) = [item for row in whispered(listed).message.components for item in getattr(row, "children", ())]
    chosen = await club.ana.select(whispered(listed).message, values=[menu.options[0].value])
    card = chosen.response or chosen.followups[0]
    assert card.embeds[0].title == "Ana rolls 17."


async def test_a_blind_roll_is_for_the_gms(club: Club, gm: simcord.MemberActor) -> None:
    result = await roll(club, 17, secret=False, blind=True)
    assert outcome(result) == "Rolled. Only the GMs see the result; one of them can reveal it."
    assert not whispered(result).embeds[0].description
    assert not whispered(result).attachments
    assert club.card.content == BLIND_LINE
    for other in (club.ana, club.bo):
        assert "Only a GM can look at a blind roll" in said(await other.click(club.card, label="Look"))
        assert "You have no secret rolls" in said(await other.slash(club.channel, "table secrets"))
    listed = await gm.slash(club.channel, "table secrets")
    assert f"<@{club.ana.id}> (blind) Any dice: Ana rolls 17." in (whispered(listed).embeds[0].description or "")
    shown = await gm.click(club.card, label="Look")
    assert outcome(shown) == "Ana rolls 17."
    await press(club, gm, shown, "Reveal")
    assert club.outcome == "Ana rolls 17."
    assert club.card.content.startswith("Gil reveals a blind roll from <t:")


async def test_one_can_be_secret_or_blind_and_blind_needs_somebody_else(club: Club) -> None:
    asked = await club.ana.slash(club.channel, "roll", dice="1d20", secret=True, blind=True)
    assert "Choose either `secret` or `blind`" in said(asked)
    asked = await club.ana.user.slash("roll", dice="1d20", blind=True)
    assert "In a direct message everyone counts as GM, so a roll can't be blind here" in said(asked)
    by_hand = await club.ana.slash(club.channel, "roll", dice="1d20", secret=True, faces="20")
    assert "Nobody else saw the dice" in said(by_hand)


CAN: dict[str, tuple[dict[str, Any], list[int]]] = {
    "xwing roll": ({"red": 1}, [0]),
    "xwing attack": ({"dice": 1, "agility": 1}, [0, 7]),
    "infinity roll": ({"sv": 12}, [4]),
    "infinity versus": ({"sv": 12, "vs_sv": 11}, [4, 8]),
    "infinity order": ({"text": "Angus 12 vs Ortega 11"}, [4, 8]),
    "infinity save": ({"hits": 1, "ammo": "N", "ps": 7, "arm": 1}, [4]),
    "warsurge attack": ({"power": 6, "defence": 4}, [2]),
    "albion attack": ({"agility": 1, "stealth": 1, "awareness": 1, "strength": 1}, [3, 3, 0]),
    "roll": ({"dice": "1d20"}, [7]),
    "contest": ({"dice": "1d20", "their_dice": "1d20"}, [7, 3]),
}
"""A roll of every command that can be secret, and what falls."""


@pytest.mark.parametrize("command", CAN)
async def test_every_command_that_rolls_can_be_secret_and_revealed(club: Club, command: str) -> None:
    options, faces = CAN[command]
    club.dice.will_show(*faces)
    shown = await club.ana.slash(club.channel, command, secret=True, **options)
    assert [item.content for item in club.channel.history(viewer=club.cleo)] == [LINE]
    seen = whispered(shown).embeds[0].to_dict()
    await press(club, club.ana, shown, "Reveal")
    for part in ("title", "author", "description", "footer"):
        assert club.card.embeds[0].to_dict().get(part) == seen.get(part), "as it was"


CANNOT: dict[str, list[tuple[dict[str, Any], str]]] = {
    "xwing attack": [
        ({"dice": 3}, "waits for the defender"),
        ({"dice": 3, "agility": 2, "with": "focus"}, "both sides take turns"),
    ],
    "infinity versus": [({"sv": 12}, "This roll waits for the other side")],
    "infinity order": [({"text": "Angus 12 vs Ortega 11", "aros": True}, "This roll waits for the other side")],
    "contest": [({"dice": "1d20"}, "A contest without both sides' dice waits for an answer")],
}


@pytest.mark.parametrize("command", CANNOT)
async def test_what_cannot_be_secret_is_refused_before_a_die_falls(club: Club, command: str) -> None:
    for options, reason in CANNOT[command]:
        for how in ("secret", "blind"):
            refused = said(await club.ana.slash(club.channel, command, **options, **{how: True}))
            assert reason in refused
            assert refused.endswith("So this roll can't be secret. Leave out `secret` and `blind`.")
    assert club.channel.history(viewer=club.cleo) == []


async def test_what_changes_pieces_of_the_channel_cannot_be_secret(club: Club) -> None:
    await club.ana.slash(club.channel, "warsurge profile set", name="Orks", stats="Defence 4, HP 6")
    refused = await club.ana.slash(club.channel, "warsurge attack", power=6, target="Orks", secret=True)
    assert "This attack costs Orks HP, which everyone sees" in said(refused)
    await club.ana.slash(club.channel, "infinity profile set", name="Angus", stats="BS 12, ARM 1, W 1")
    refused = await club.ana.slash(club.channel, "infinity save", hits=1, ammo="N", ps=7, name="Angus", secret=True)
    assert "These Saving Rolls can cost Angus Wounds, which everyone sees" in said(refused)
    club.dice.will_show(4)
    await club.ana.slash(club.channel, "infinity roll", name="Angus", sv=12, kind="wip", secret=True)
    assert club.card.content == LINE, "a skill of a trooper changes nobody"


async def test_dice_that_were_taken_back_do_not_come_again_in_secret(club: Club) -> None:
    club.dice.will_show(2)
    await club.ana.slash(club.channel, "roll", dice="1d20")
    await club.take_back(club.ana)
    refused = await club.ana.slash(club.channel, "roll", dice="1d20", secret=True)
    assert "You took back dice like these" in said(refused)
    await club.ana.slash(club.channel, "roll", dice="1d20")
    assert club.outcome == "Ana rolls 3."
    await roll(club, 9)


async def test_a_form_keeps_the_roll_secret(club: Club) -> None:
    shown = await club.ana.slash(club.channel, "infinity order", secret=True)
    club.dice.will_show(4, 8)
    sent = await club.ana.submit_modal(shown, {"order": "Angus 12 vs Ortega 11"})
    assert outcome(sent)
    assert club.card.content == LINE


async def test_a_made_up_press_reaches_no_secret_roll(club: Club, gm: simcord.MemberActor) -> None:
    await roll(club, 17)
    line = club.card
    for who in (club.bo, gm, club.ana):
        for offer in ("how", "again", "undo", "advice-damage", "secret-reveal", "secret-how"):
            refused = await club.press(who, f"rc1:1:0:{offer}", on=line)
            assert said(refused)
            assert "17" not in said(refused)
    refused = await gm.slash(club.channel, "table seat", side="attacker", roll=1)
    assert "I have no record of this roll" in said(refused)
    assert [item.content for item in club.channel.history(viewer=club.cleo)] == [LINE]


async def test_a_secret_roll_cannot_be_taken_back(club: Club) -> None:
    await roll(club, 17)
    assert "There's nothing to take back in this channel" in said(await club.ana.slash(club.channel, "table undo"))


async def test_a_secret_card_that_was_lost_is_not_shown_to_everybody(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    club.dice.will_show(16)
    with monkeypatch.context() as patch:

        async def refused(*_: object, **__: object) -> None:
            raise discord.ClientException("gone")

        patch.setattr(discord.InteractionResponse, "send_message", refused)
        await club.ana.slash(club.channel, "roll", dice="1d20", secret=True)
    await club.restart()
    club.dice.will_show(3)
    await club.ana.slash(club.channel, "roll", dice="1d20")
    assert [item.embeds[0].title for item in club.channel.history(viewer=club.cleo) if item.embeds] == ["Ana rolls 4."]
    listed = await club.ana.slash(club.channel, "table secrets")
    assert "Ana rolls 17." in (whispered(listed).embeds[0].description or "")
