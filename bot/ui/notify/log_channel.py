"""The log channel: a copy of each result, in the ruleset's channel. The card comes first; a failed copy never breaks a
roll. An undone result stays in the log, marked.
"""

import asyncio
import logging
import time
from collections import deque
from datetime import UTC, datetime
from typing import Final

import discord

from bot import background
from bot.client import Client, Interaction, ResultCopy
from bot.discord_api.rate_limiter import URGENCY, Priority
from bot.languages.translate import translate
from bot.rules.errors import BadInputError, PlayerError
from bot.rules.text import N_, Code, Name, Names, Shown, Text
from bot.ruleset.settings import LOG_CHANNEL
from bot.sessions.request import Place
from bot.sessions.roll import Played
from bot.store.errors import StoreError
from bot.store.tracked_messages import MessageKind, TrackedMessage
from bot.ui.core import request_context
from bot.ui.core.card_messages import EMOJI, Display, card_message
from bot.ui.core.responses import CardShown, message_at
from bot.ui.roll import roll_message

MAX_WAITING: Final = 500
"""Maximum number of queued copies per channel; beyond it, the oldest are dropped."""
LAST_COPIES: Final = 2.0
"""Seconds for sending copies at shutdown."""
MARK: Final = Text("**Taken back:** this result doesn't count.")
Target = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread

log = logging.getLogger(__name__)


# The setting


def find(guild: discord.Guild | None, number: int) -> Target | None:
    """Return a server's channel or thread for messages, or None."""
    result = guild.get_channel_or_thread(number) if guild is not None else None
    return result if isinstance(result, Target) else None


def check(interaction: Interaction, number: int, *, of_channel: bool) -> None:
    """Raise ``PlayerError`` unless the person and the bot may write in a log channel; ``of_channel``: this one's."""
    channel = find(interaction.guild, number)
    if channel is None or not isinstance(interaction.user, discord.Member):
        raise BadInputError(LOG_CHANNEL.title, f"<#{number}>", *LOG_CHANNEL.kind.expected)
    if of_channel and channel.id == request_context.place(interaction).channel_id:
        raise PlayerError(Text("Results are already posted here. Choose another channel."))
    may = channel.permissions_for(interaction.user)
    if not (may.view_channel and may_write(channel, may)):
        message = N_(
            "You can't write in #{channel} yourself, so you can't send results there. Ask someone who "
            "can, or name another channel."
        )
        raise PlayerError(Text(message, channel=Name(channel.name)))
    if lacking := missing_permissions(channel):
        message = N_("I can't write in #{channel}: I need {lacking} there. Ask a server admin.")
        raise PlayerError(Text(message, channel=Name(channel.name), lacking=lacking))


def missing_permissions(channel: Target) -> Shown:
    """Return the bot's missing permissions in a channel as text; empty if none."""
    may = channel.permissions_for(channel.guild.me)
    needed = (
        (Text("View Channel"), may.view_channel),
        (Text("Embed Links"), may.embed_links),
        (Text("Send Messages"), may_write(channel, may)),
    )
    return Names([name for name, is_given in needed if not is_given])


def may_write(channel: Target, may: discord.Permissions) -> bool:
    return may.send_messages_in_threads if isinstance(channel, discord.Thread) else may.send_messages


# Results


async def copy(fact: CardShown) -> None:
    """Have a shown roll's result copied, if any: the only way into the log, without luck, buttons, or secrets."""
    interaction, played = fact.interaction, fact.played
    if played.is_hidden or interaction.guild_id is None:
        return
    client, here = interaction.client, request_context.place(interaction)
    target = fact.counts[LOG_CHANNEL]
    target = None if target == here.channel_id else target
    shown = embed_of(client, here, played) if target is not None and has_result(played) else None
    if shown is not None or fact.is_taken_back:
        add(client, ResultCopy(played.session, here, target, shown, fact.is_taken_back))
    if target is not None:
        await warn_gm(interaction, target)


def embed_of(client: Client, here: Place, played: Played) -> discord.Embed:
    """Return the copy of a result: where the roll was made, a link to its card, and when."""
    display = Display(EMOJI, files=False, faces=client.faces)
    shown: discord.Embed = card_message(roll_message.roll_card(played), display)["embed"]
    where: Shown = Code(f"<#{here.channel_id}>")
    if (card := client.links.of(played)) is not None:
        link = Code(request_context.link(here, card))
        where = Text("[Card]({link}) in <#{channel_id}>", link=link, channel_id=here.channel_id)
    shown.description = "\n".join(filter(None, (shown.description, translate(where))))
    shown.timestamp = datetime.fromtimestamp(int(time.time()), UTC)
    return shown


def has_result(played: Played) -> bool:
    """Whether dice were rolled and the card has a result; saves and the like may follow."""
    if played.is_closed or not played.game.rules.rolled(played.state):
        return False
    return played.game.card(played.state, {}).ahead != "open"


def add(client: Client, result: ResultCopy) -> None:
    """Queue a copy after the channel's others."""
    channel_id, state = result.here.channel_id, client.log
    waiting = state.waiting.setdefault(channel_id, deque())
    waiting.append(result)
    if len(waiting) > MAX_WAITING:
        waiting.popleft()
        log.warning("more results wait for a log channel than can be sent: the oldest is left out")
    sending = state.sending.get(channel_id)
    if sending is None or sending.done():
        state.sending[channel_id] = background.start(send_all(client, channel_id))


async def send_all(client: Client, channel_id: int) -> None:
    """Send a channel's queue in order. Never raises."""
    URGENCY.set(Priority.LOG_COPY)
    waiting = client.log.waiting[channel_id]
    while waiting:
        result = waiting.popleft()
        try:
            await send(client, result)
        except (discord.DiscordException, StoreError, OSError) as error:
            log.warning("a result was not copied to the log channel: %s", error)
    del client.log.waiting[channel_id], client.log.sending[channel_id]


async def send(client: Client, result: ResultCopy) -> None:
    """Copy one result, or mark an undone one's copy."""
    before = next(iter(await client.shown.by_subject(MessageKind.LOG, result.session)), None)
    if before is not None and result.is_taken_back:
        replaced = message_at(client, Place(before.channel_id, before.guild_id), before.message_id)
        await replaced.edit(content=translate(MARK))
        await client.shown.drop(before)
        before = None
    if result.embed is None or result.target is None:
        return
    if before is not None and before.channel_id == result.target:
        here = Place(before.channel_id, before.guild_id)
        await message_at(client, here, before.message_id).edit(embed=result.embed)
        return
    channel = find(client.get_guild(result.here.guild_id or 0), result.target)
    lacking = Text("it no longer exists") if channel is None else missing_permissions(channel)
    if channel is None or lacking:
        fail(client, result.target, lacking if channel is None else Text("I need {lacking} there", lacking=lacking))
        return
    try:
        sent = await channel.send(embed=result.embed)
    except discord.Forbidden:
        fail(client, result.target, Text("Discord doesn't let me write there"))
        return
    client.log.failed.pop(result.target, None)
    client.log.told.discard(result.target)
    copy = TrackedMessage(MessageKind.LOG, result.target, result.session, result.here.guild_id, sent.id)
    await client.shown.keep(copy)
    if before is not None:  # the log channel has changed
        await client.shown.drop(before)


def fail(client: Client, target: int, why: Shown) -> None:
    """Record a failing log channel: log it once; the next GM who rolls is told too."""
    if target not in client.log.failed:
        log.warning("results cannot be copied to the log channel %s: %s", target, why)
    client.log.failed[target] = why


async def warn_gm(interaction: Interaction, target: int) -> None:
    """Tell a GM once, in private, that the log channel can't be written to."""
    state = interaction.client.log
    why = state.failed.get(target)
    if why is None or target in state.told or not await request_context.is_gm(interaction):
        return
    state.told.add(target)
    message = N_(
        "I can't copy results to the log channel <#{target}>: {why}. Once that's fixed, or for "
        "another channel, use `/ruleset set setting: {log_channel}`."
    )
    told = Text(message, target=target, why=why, log_channel=LOG_CHANNEL.title)
    with request_context.in_user_language(interaction):
        await interaction.followup.send(translate(told), ephemeral=True)


async def finish(client: Client) -> None:
    """Send the queue, for a limited time."""
    if tasks := [task for task in client.log.sending.values() if not task.done()]:
        _, late = await asyncio.wait(tasks, timeout=LAST_COPIES)
        for task in late:
            task.cancel()
        if late:
            await asyncio.wait(late)
