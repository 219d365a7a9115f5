"""`/table` in a whole Discord: the board, undo, history and clear, calls, and tables that do not see each other."""

import asyncio
import sqlite3
from typing import Any

import discord
import pytest
import simcord

from bot.client import InteractionTokens
from tests.conftest import Club, said

pytestmark = pytest.mark.one_bot

REFUSED = "Only a GM can do that: someone with the Manage Channels permission here"


async def table(club: Club, command: str, by: simcord.MemberActor | None = None, **options: Any) -> Any:
    return await (by or club.ana).slash(club.channel, f"table {command}", **options)


async def ship(club: Club, name: str, **card: Any) -> None:
    await club.ana.slash(club.channel, "xwing ship add", name=name, **({"attack": 3, "hull": 3} | card))


async def give(club: Club, name: str, kind: str, count: int = 1) -> None:
    given: dict[str, Any] = {"ship": name, "token": kind, "count": count}
    await club.ana.slash(club.channel, "xwing token give", **given)


def shown(message: discord.Message) -> str:
    """Every word of a message."""
    embed = message.embeds[0]
    fields = [f"{field.name}: {field.value}" for field in embed.fields]
    pictures = [attachment.description or "" for attachment in message.attachments]
    return "\n".join([message.content, embed.title or "", embed.description or "", *fields, *pictures])


async def edited(club: Club) -> None:
    """Wait until no board has anything to catch up with."""
    waits = [item.editing for item in club.env.bot.live.values() if item.editing is not None]  # type: ignore[attr-defined]  # it is our App
    await asyncio.gather(*waits)
    await club.env.settle()


# The board


async def test_an_empty_table_says_so(club: Club) -> None:
    await table(club, "show")
    assert club.outcome == "The table is empty."


async def test_the_board_shows_ships_and_open_rolls(club: Club) -> None:
    await ship(club, "Luke", initiative=5, shields=2, force=2)
    await ship(club, "Vader_1", initiative=6)
    await give(club, "Luke", "focus", 2)
    await club.ana.slash(club.channel, "xwing lock", ship="Luke", target="Vader_1")
    await club.attack(dice=2)
    link = club.card.jump_url
    await table(club, "show")
    assert club.outcome == "On the table: 2 ships (X-Wing) and 1 open roll."
    (rolls,) = club.embed.fields
    (picture,) = club.card.attachments
    assert picture.description == (
        "Ana:\nVader_1 (6), hull 3 of 3, attack 3, agility 0.\n"
        "Luke (5), hull 3 of 3, shields 2 of 2, attack 3, agility 0, 2 focus, 2 force, lock: Vader_1."
    )
    assert (rolls.value or "").startswith("Ana's roll (X-Wing) is waiting for anyone.")
    assert link in (rolls.value or "")


async def test_the_board_is_edited_in_place(club: Club) -> None:
    await ship(club, "Luke")
    await table(club, "show")
    shown_at = club.card
    await give(club, "Luke", "evade")
    await edited(club)
    now = next(message for message in club.channel.history(viewer=club.ana) if message.id == shown_at.id)
    assert "evade" in shown(now)
    await table(club, "undo")
    await edited(club)
    now = next(message for message in club.channel.history(viewer=club.ana) if message.id == shown_at.id)
    assert "takes back: gives Luke 1 evade token." in shown(now)
    assert "evade" not in (now.attachments[0].description or "")


def no_answer(club: Club) -> None:
    """The board was shown a quarter of an hour ago: only the bot can edit it, no longer the answer to its command."""
    club.env.bot.tokens = InteractionTokens()  # type: ignore[attr-defined]  # it is our App


async def test_a_board_that_could_not_be_edited_follows_the_next_change(
    club: Club, caplog: pytest.LogCaptureFixture
) -> None:
    await table(club, "show")
    board = club.card
    no_answer(club)
    club.env.inject_error("PATCH", "/channels/*/messages/*")
    await ship(club, "Luke")
    await edited(club)
    assert "could not be edited" in caplog.text
    await ship(club, "Vader")
    await edited(club)
    now = next(message for message in club.channel.history(viewer=club.ana) if message.id == board.id)
    assert "Luke" in shown(now)
    assert "Vader" in shown(now)


@pytest.mark.parametrize(("status", "rows"), [(403, 1), (404, 0)])
async def test_a_board_that_cannot_be_reached_is_given_up_and_play_goes_on(club: Club, status: int, rows: int) -> None:
    """One that is gone is forgotten; where the bot may not reach the channel now, it may later."""
    await table(club, "show")
    no_answer(club)
    club.env.inject_error("PATCH", "/channels/*/messages/*", status=status)
    await ship(club, "Luke")
    await edited(club)
    assert club.env.bot.live == {}  # type: ignore[attr-defined]  # it is our App
    with sqlite3.connect(club.file) as file:
        assert len(file.execute("SELECT * FROM shown").fetchall()) == rows
    await table(club, "show")
    assert "Luke" in shown(club.card)


# Undo


async def test_undo_shows_the_roll_as_it_was_and_seen_dice_come_again(club: Club) -> None:
    club.dice.red("focus blank")
    await club.attack(dice=2, agility=0, with_="focus, lock")
    old = club.card
    club.dice.red("crit")
    await club.ana.select(club.card, ["1"], custom_id=club.custom_id("lock"))
    await table(club, "undo")
    asked = "Ana asks to take back: Lock: reroll, rerolled 1 die."
    assert club.card.content == f"{asked}\nAnyone else here, or a GM, can allow it."
    assert club.labels == ["Allow", "Refuse"]
    await club.bo.click(club.card, label="Allow")
    assert club.card.content == "Bo allows it. Taken back: Lock: reroll, rerolled 1 die."
    assert club.outcome == "Ana against the defender: 1 focus."
    await club.ana.select(club.card, ["1"], custom_id=club.custom_id("lock"))
    assert club.outcome == "Ana against the defender: 1 crit.", "no other die fell"
    assert club.card.content == "", "what was taken back stands there for one press"
    stale = next(message for message in club.channel.history(viewer=club.ana) if message.id == old.id)
    assert stale.components == [], "the older card has lost its buttons"
    assert stale.content == f"This card was replaced. [Go to the new one]({club.card.jump_url})"


async def test_who_asks_twice_to_take_back_is_led_to_the_one_question(club: Club) -> None:
    club.dice.red("focus blank")
    await club.attack(dice=2, agility=0, with_="focus, lock")
    club.dice.red("crit")
    await club.ana.select(club.card, ["1"], custom_id=club.custom_id("lock"))
    await table(club, "undo")
    question = club.card
    again = await club.ana.slash(club.channel, "table undo")
    assert again.response is not None
    assert again.response.flags.ephemeral
    assert question.jump_url in again.response.content
    asked = [item for item in club.channel.history(viewer=club.bo) if "asks to take back" in item.content]
    assert [item.id for item in asked] == [question.id]
    await club.bo.click(question, label="Allow")
    assert club.outcome == "Ana against the defender: 1 focus."


async def test_a_question_that_is_gone_is_asked_again(club: Club) -> None:
    club.dice.red("focus blank")
    await club.attack(dice=2, agility=0, with_="focus, lock")
    club.dice.red("crit")
    await club.ana.select(club.card, ["1"], custom_id=club.custom_id("lock"))
    await table(club, "undo")
    await club.card.delete()
    await table(club, "undo")
    assert club.labels == ["Allow", "Refuse"]


async def test_a_request_is_for_somebody_else_to_answer(club: Club) -> None:
    club.dice.red("focus blank")
    await club.attack(dice=2, agility=0, with_="focus, lock", opponent=club.bo)
    roll = club.card
    club.dice.red("crit")
    await club.ana.select(roll, ["1"], custom_id=club.custom_id("lock"))
    await table(club, "undo")
    assert club.card.content.endswith(f"<@{club.bo.id}>, do you allow it? A GM can answer too.")
    assert club.sent["allowed_mentions"] == {"parse": [], "users": [club.bo.id]}
    request = club.card
    for other in (club.ana, club.cleo):
        assert "The other side or a GM must" in said(await other.click(request, label="Allow"))
    await club.bo.click(request, label="Refuse")
    assert club.card.content == "Bo refuses to take it back."
    assert club.labels == []
    assert "no longer open" in said(await club.press(club.bo, "rc1:2:0:undo-allow", on=request))
    assert club.card.content == "Bo refuses to take it back.", "what was answered stays"
    await club.ana.click(roll, label="Focus: 1 to hit")
    assert club.card.id == request.id, "the roll goes on where it was"


async def test_an_opening_taken_back_says_so_on_its_card(club: Club) -> None:
    club.dice.red("hit")
    await club.attack(dice=1, agility=0)
    await club.take_back(club.ana)
    assert club.outcome == "This roll was taken back. If the same person makes it again, the same dice come up."
    assert club.labels == []
    await club.attack(dice=1, agility=0)
    assert club.outcome == "Ana hits the defender: 1 hit.", "the same die"


async def test_a_roll_that_was_taken_back_while_its_window_was_open_has_no_button_left(club: Club) -> None:
    club.dice.red("focus")
    await club.attack(dice=1, agility=0, with_="focus")
    assert "advice" in str([item for row in club.card.components for item in getattr(row, "children", ())])
    await club.take_back(club.ana)
    assert club.outcome.startswith("This roll was taken back.")
    assert not club.card.components, "no dead Advice, and nothing else"


async def test_a_step_taken_back_is_named(club: Club) -> None:
    await ship(club, "Luke")
    await table(club, "undo")
    assert club.outcome.startswith("Ana takes back: ")
    assert "Luke" in club.outcome
    await table(club, "show")
    assert club.outcome == "The table is empty."


# History


async def test_the_history_links_to_rolls_and_strikes_through_what_was_taken_back(club: Club) -> None:
    club.dice.red("hit")
    await club.attack(dice=1, agility=0)
    link = club.card.jump_url
    await ship(club, "Luke")
    await table(club, "undo")
    await table(club, "history")
    undone, step, roll = (club.embed.description or "").splitlines()
    assert "takes back" in undone
    assert "~~" in step
    assert "Luke" in step
    assert link in roll
    assert f"<@{club.ana.id}> X-Wing: Ana hits the defender: 1 hit." in roll
    assert "~~" not in roll


async def test_the_history_names_who_a_roll_is_about(club: Club) -> None:
    club.dice.will_show(8, 3, 4)
    await club.ana.slash(club.channel, "infinity order", text="Angus 12 b2 vs Ortega 11")
    club.dice.will_show(*[8] * 10)
    pairs = (("Ada", "Ben"), ("Cem", "Dov"), ("Eva", "Fred"), ("Gil", "Hal"), ("Ida", "Jon"))
    await club.ana.slash(club.channel, "infinity order", text="; ".join(f"{a} 12 vs {b} 11" for a, b in pairs))
    await table(club, "history")
    several, item = (club.embed.description or "").splitlines()
    assert f"<@{club.ana.id}> Infinity, Angus and Ortega: Angus wins, 1 hit." in item
    assert "Infinity, Ada, Ben, Cem, Dov, and 6 more: Ada against Ben" in several


# Clear


async def test_clear_asks_first_and_undo_brings_it_back(club: Club, gm: simcord.MemberActor) -> None:
    await ship(club, "Luke")
    await ship(club, "Vader")
    assert REFUSED in said(await table(club, "clear"))
    await table(club, "clear", gm)
    assert club.outcome == "Remove 2 pieces from the table?"
    assert REFUSED in said(await club.ana.click(club.card, label="Clear the table"))
    await gm.click(club.card, label="Keep it")
    assert club.outcome == "The table stays unchanged."
    await table(club, "clear", gm)
    await gm.click(club.card, label="Clear the table")
    assert club.outcome.startswith("Gil clears the table.")
    assert club.labels == []
    await table(club, "show")
    assert club.outcome == "The table is empty."
    await table(club, "undo", gm)
    await table(club, "show")
    assert club.outcome == "On the table: 2 ships (X-Wing)."


# Many tables


async def test_nothing_leaks_between_channels_threads_servers_and_direct_messages(club: Club) -> None:
    await ship(club, "Luke")
    other = club.guild.create_text_channel("other")
    elsewhere = club.env.create_guild("Elsewhere")
    far = elsewhere.create_text_channel("dice")
    ana_there = elsewhere.add_member(club.ana.user)
    for actor, channel in ((club.ana, other), (ana_there, far)):
        await actor.slash(channel, "table show")
        message = channel.last_message
        assert message is not None
        assert message.embeds[0].title == "The table is empty."
        assert "nothing to take back" in said(await actor.slash(channel, "table undo"))
    await club.ana.user.send_dm("hello")
    await club.ana.user.slash("table show")
    private = club.ana.user.dm_channel.last_message
    assert private is not None
    assert private.embeds[0].title == "The table is empty."


async def test_everybody_is_gm_in_their_direct_messages(club: Club) -> None:
    await club.ana.user.send_dm("hello")
    await club.ana.user.slash("xwing ship add", name="Luke", attack=3, hull=3)
    await club.ana.user.slash("table clear")
    asked = club.ana.user.dm_channel.last_message
    assert asked is not None
    assert asked.embeds[0].title == "Remove 1 piece from the table?"


# The call


async def test_in_a_call_of_two_the_other_one_defends(club: Club) -> None:
    voice = club.guild.create_voice_channel("Game Night")
    await club.ana.join_voice(voice)
    await club.bo.join_voice(voice)
    await club.ana.slash(voice, "xwing attack", dice=1)
    card = voice.last_message
    assert card is not None
    assert "Defender: Bo" in await club.facts(card)
    assert "Bo (defender)" in said(await club.cleo.click(card, label="Defend: enter your tokens"))


async def test_music_bots_do_not_count_and_a_restart_forgets_no_call(club: Club) -> None:
    voice = club.guild.create_voice_channel("Game Night")
    robot = club.guild.add_member(club.env.create_user("robot", bot=True))
    for item in (club.ana, club.bo, robot):
        await item.join_voice(voice)
    await club.ana.slash(voice, "xwing attack", dice=1)
    card = voice.last_message
    assert card is not None
    assert "Defender: Bo" in await club.facts(card)
    await robot.leave_voice()
    await club.restart()
    await club.bo.slash(voice, "xwing attack", dice=1)
    card = voice.last_message
    assert card is not None
    assert "Defender: Cleo" not in await club.facts(card)
    assert "Defender: open" not in await club.facts(card)


async def test_in_a_larger_call_anybody_of_it_defends_and_nobody_else(club: Club) -> None:
    voice = club.guild.create_voice_channel("Game Night")
    dee = club.guild.add_member(club.env.create_user("dee", global_name="Dee"))
    for item in (club.ana, club.bo, club.cleo):
        await item.join_voice(voice)
    await club.ana.slash(voice, "infinity versus", sv=12)
    card = voice.last_message
    assert card is not None
    refused = await dee.click(card, label="React")
    assert "the others in the call" in said(refused)
    assert (await club.cleo.click(card, label="React")).modal is not None


async def test_outside_a_voice_channels_own_chat_a_call_means_nothing(club: Club) -> None:
    voice = club.guild.create_voice_channel("Game Night")
    await club.ana.join_voice(voice)
    await club.bo.join_voice(voice)
    await club.attack(dice=1)
    assert club.embed.fields[1].name == "Defender: open"


async def test_the_bot_asks_for_servers_and_calls_only(club: Club) -> None:
    intents = {name for name, is_on in club.env.bot.intents if is_on}
    assert intents == {"guilds", "voice_states"}


async def test_links_are_kept_when_the_bot_stops(club: Club) -> None:
    club.dice.red("hit")
    await club.attack(dice=1, agility=0)
    expected = club.card.id
    await club.restart()
    with sqlite3.connect(club.file) as stranger:
        assert stranger.execute("SELECT message_id FROM session").fetchall() == [(expected,)]
    stranger.close()


async def test_an_empty_table_has_buttons_to_begin_with(club: Club) -> None:
    await club.ana.slash(club.channel, "table show")
    assert club.labels == ["Add a ship", "An attack"]
    for label in club.labels:
        assert (await club.ana.click(club.card, label=label)).modal is not None
