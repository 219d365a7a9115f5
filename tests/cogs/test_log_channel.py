"""The log channel: every result is copied there, what is taken back is marked, and a failure breaks no roll."""

import logging

import discord
import pytest
import simcord

from bot.runtime.app import App
from bot.ui.notify import log_channel
from tests.cogs.rulesets import choose, reset, shown
from tests.conftest import Club, said


def show(club: Club, *faces: int) -> None:
    club.dice.will_show(*(face - 1 for face in faces))


@pytest.fixture
async def results(club: Club, gm: simcord.MemberActor) -> simcord.ChannelHandle:
    """The log channel of the club."""
    channel = club.guild.create_text_channel("results")
    await choose(club, gm, "log_channel", f"<#{channel.id}>")
    return channel


async def settled(club: Club) -> None:
    """Copies are sent."""
    bot = club.env.bot
    assert isinstance(bot, App)
    await log_channel.finish(bot)


async def copies(club: Club, results: simcord.ChannelHandle) -> list[discord.Message]:
    await settled(club)
    return results.history()


def titles(result: list[discord.Message]) -> list[str | None]:
    return [item.embeds[0].title for item in result]


async def test_a_result_is_copied_with_a_link_and_without_buttons(club: Club, results: simcord.ChannelHandle) -> None:
    show(club, 6, 5, 3, 1)
    await club.ana.slash(club.channel, "roll", dice="4d6kh3", label="Strength")
    card = club.card
    (copy,) = await copies(club, results)
    (embed,) = copy.embeds
    assert embed.title == "Strength: Ana rolls 6 + 5 + 3 = 14."
    assert embed.author.name == "Any dice · 4d6kh3"
    assert f"https://discord.com/channels/{club.guild.id}/{club.channel.id}/{card.id}" in (embed.description or "")
    assert "6, 5, 3" in (embed.description or ""), "the dice in words"
    assert not copy.components
    assert not copy.attachments
    assert card.attachments, "the card itself is as ever"


async def test_only_what_is_over_is_copied_and_once(club: Club, results: simcord.ChannelHandle) -> None:
    club.dice.red("focus hit")
    await club.attack(dice=2, agility=0, with_="focus")
    assert await copies(club, results) == []
    await club.ana.click(club.card, label="Focus: 1 to hit")
    result = await copies(club, results)
    assert titles(result) == ["Ana hits the defender: 2 hits."]
    await club.bo.slash(club.channel, "contest", dice="1d20")
    assert len(await copies(club, results)) == 1
    show(club, 3, 9)
    form = await club.ana.click(club.card, label="Answer")
    await club.ana.submit_modal(form, {"dice": "1d20", "faces": ""})
    assert titles(await copies(club, results))[1:] == ["Ana beats Bo: 9 to 3."]


async def test_what_is_taken_back_is_marked_and_what_comes_then_is_new(
    club: Club, results: simcord.ChannelHandle
) -> None:
    show(club, 17)
    await club.ana.slash(club.channel, "roll", dice="1d20")
    await club.take_back(club.ana)
    (copy,) = await copies(club, results)
    assert copy.content == "**Taken back:** this result doesn't count."
    assert copy.embeds[0].title == "Ana rolls 17.", "the log still says what it was"
    await club.ana.slash(club.channel, "roll", dice="1d20")
    result = await copies(club, results)
    assert titles(result) == ["Ana rolls 17.", "Ana rolls 17."]
    assert [bool(item.content) for item in result] == [True, False]


async def test_undo_on_a_card_marks_the_copy_too(club: Club, results: simcord.ChannelHandle) -> None:
    club.dice.red("focus hit")
    await club.attack(dice=2, agility=0, with_="focus")
    await club.ana.click(club.card, label="Focus: 1 to hit")
    await club.ana.click(club.card, label="Undo")
    result = await copies(club, results)
    assert result[0].content.startswith("**Taken back:**")
    await club.ana.click(club.card, label="Focus: 1 to hit")
    result = await copies(club, results)
    assert titles(result) == ["Ana hits the defender: 2 hits.", "Ana hits the defender: 2 hits."]
    assert not result[1].content


async def test_marking_works_after_a_restart_and_after_the_setting_was_cleared(
    club: Club, results: simcord.ChannelHandle, gm: simcord.MemberActor
) -> None:
    show(club, 17)
    await club.ana.slash(club.channel, "roll", dice="1d20")
    await settled(club)
    await club.restart()
    await reset(club, gm, setting="log_channel")
    await club.take_back(club.ana)
    (copy,) = await copies(club, results)
    assert copy.content.startswith("**Taken back:**")
    await club.ana.slash(club.channel, "roll", dice="1d20")
    assert len(await copies(club, results)) == 1, "nothing new is copied any more"


async def test_a_thread_and_other_channels_follow_the_setting_of_theirs(
    club: Club, results: simcord.ChannelHandle, admin: simcord.MemberActor
) -> None:
    other = club.guild.create_text_channel("other")
    show(club, 4)
    await club.ana.slash(other, "roll", dice="1d20")
    assert await copies(club, results) == []
    await admin.slash(results, "ruleset set", setting="log_channel", value="results", where="server")
    show(club, 5)
    await club.ana.slash(other, "roll", dice="1d20")
    *_, copy = await copies(club, results)
    assert f"<#{other.id}>" in (copy.embeds[0].description or "")
    show(club, 6)
    await club.ana.slash(results, "roll", dice="1d20")
    result = await copies(club, results)
    rolled = [item for item in result if "rolls" in (item.embeds[0].title or "")]
    assert titles(rolled) == ["Ana rolls 5.", "Ana rolls 6."], "what is rolled there is not copied"


async def test_who_sets_it_must_be_able_to_write_there_and_so_must_the_bot(
    club: Club, gm: simcord.MemberActor, admin: simcord.MemberActor
) -> None:
    bot = club.env.bot.get_guild(club.guild.id)
    assert bot is not None
    everybody, mute = bot.default_role, discord.PermissionOverwrite(send_messages=False, view_channel=True)
    locked = club.guild.create_text_channel("locked")
    await channel_of(club, locked).set_permissions(everybody, overwrite=mute)
    assert "You can't write in #locked yourself" in said(await choose(club, gm, "log_channel", f"<#{locked.id}>"))
    silent = club.guild.create_text_channel("silent")
    await channel_of(club, silent).set_permissions(bot.me, overwrite=discord.PermissionOverwrite(embed_links=False))
    told = said(await choose(club, gm, "log_channel", "silent"))
    assert told.startswith("I can't write in #silent: I need Embed Links there.")


def channel_of(club: Club, channel: simcord.ChannelHandle) -> discord.TextChannel:
    result = club.env.bot.get_channel(channel.id)
    assert isinstance(result, discord.TextChannel)
    return result


async def test_it_must_be_another_channel_of_this_server(club: Club, gm: simcord.MemberActor) -> None:
    assert "already posted here" in said(await choose(club, gm, "log_channel", f"<#{club.channel.id}>"))
    assert "`Log channel` was " in said(await choose(club, gm, "log_channel", "12345"))
    assert "`Log channel` was " in said(await choose(club, gm, "log_channel", "#nothing"))


async def test_the_setting_shows_the_channel_by_its_name(club: Club, gm: simcord.MemberActor) -> None:
    club.guild.create_text_channel("results")
    choices = await gm.autocomplete(club.channel, "ruleset set", "value", "res", setting="log_channel")
    (item,) = choices
    assert item["name"] == "#results"
    await choose(club, gm, "log_channel", str(item["value"]))
    assert club.outcome == "Log channel for this channel: #results."
    assert "Log channel: #results (this channel)" in await shown(club, gm)
    await choose(club, gm, "log_channel", "nowhere")
    assert club.outcome == "Log channel for this channel: nowhere."


async def test_a_channel_that_is_gone_breaks_no_roll_and_a_gm_is_told_once(
    club: Club, results: simcord.ChannelHandle, gm: simcord.MemberActor, caplog: pytest.LogCaptureFixture
) -> None:
    await channel_of(club, results).delete()
    show(club, 4, 5, 6, 7)
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            await club.ana.slash(club.channel, "roll", dice="1d20")
            await settled(club)
    assert club.outcome == "Ana rolls 5."
    assert caplog.text.count("results cannot be copied") == 1
    told = await gm.slash(club.channel, "roll", dice="1d20")
    assert club.card.embeds[0].title == "Gil rolls 6."
    (whisper,) = [item for item in told.followups if item.ephemeral]
    assert "I can't copy results to the log channel <#" in whisper.content
    again = await gm.slash(club.channel, "roll", dice="1d20")
    assert not again.followups


async def test_a_log_channel_that_discord_refuses_breaks_no_roll(
    club: Club, results: simcord.ChannelHandle, caplog: pytest.LogCaptureFixture
) -> None:
    club.env.inject_error("POST", f"/channels/{results.id}/messages", status=403)
    show(club, 4, 5)
    await club.ana.slash(club.channel, "roll", dice="1d20")
    assert await copies(club, results) == []
    assert club.outcome == "Ana rolls 4."
    await club.ana.slash(club.channel, "roll", dice="1d20")
    assert titles(await copies(club, results)) == ["Ana rolls 5."], "it is tried again"


async def test_a_saved_roll_and_a_roll_again_are_copied_like_any_other(
    club: Club, results: simcord.ChannelHandle
) -> None:
    await club.ana.slash(club.channel, "saved add", name="Fireball", roll="2d6")
    show(club, 1, 2, 3, 4)
    await club.ana.slash(club.channel, "saved roll", name="Fireball")
    await club.ana.click(club.card, label="Roll again")
    assert titles(await copies(club, results)) == ["Ana rolls 1 + 2 = 3.", "Ana rolls 3 + 4 = 7."]


async def test_a_secret_roll_is_copied_when_it_is_revealed_and_not_before(
    club: Club, results: simcord.ChannelHandle
) -> None:
    show(club, 13)
    private = await club.ana.slash(club.channel, "roll", dice="1d20", secret=True)
    assert await copies(club, results) == []
    assert private.response is not None
    await club.ana.click(private.response.message, label="Reveal")
    assert titles(await copies(club, results)) == ["Ana rolls 13."]
