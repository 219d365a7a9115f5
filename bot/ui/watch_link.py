"""`/table link`: the address at which the table of a channel can be watched, and the buttons that lead there."""

import logging
import time
from typing import Final

import discord

from bot.client import Client, Interaction
from bot.rules.errors import PlayerError
from bot.rules.text import N_, Code, Text
from bot.sessions.watch_links import HOURS, digest_of
from bot.store.shown import Kind
from bot.ui.answer import answer, message_at
from bot.ui.components import ROW, Answer, Component, Components, Strange, button, link_to
from bot.ui.place import place, request

LABEL: Final = Text("Second screen")
LAUNCH: Final = Answer("activity", "launch")
IN_CALL: Final = Text("In the call")
OFF: Final = Text(
    "This bot has no live pages. Whoever runs it can switch them on: docs/operations.md says how, under Second screen."
)
HERE: Final = N_(
    "The table of this channel, live on a second screen, until <t:{until}:t>:\n{address}\nWhoever has this address "
    "sees what everybody in this channel sees, and nothing else: no secret rolls, no private answers. For a stream, "
    "add `?overlay` to it. Any link from before has ended; `/table link revoke:True` ends this one."
)
REVOKED: Final = Text("The link to this table has ended, and the pages that were open with it.")
NONE: Final = Text("This table has no link. `/table link` makes one.")
log = logging.getLogger(__name__)


async def make(interaction: Interaction) -> None:
    """Answer whoever plays here, or a GM, with a new link; the one before ends."""
    client, asked, now = interaction.client, await request(interaction), int(time.time())
    if not client.watching.url:
        raise PlayerError(OFF)
    token = await client.watch_links.make(asked, now)
    client.watching.end(asked.place.channel_id)
    client.watching.tokens[asked.place.channel_id] = (token, now + HOURS * 3600)
    address = address_of(client, asked.place.guild_id, token)
    text = Text(HERE, until=now + HOURS * 3600, address=Code(address))
    await answer(interaction).post_private(content=text, view=Components([link_to(LABEL, address)]))


async def revoke(interaction: Interaction) -> None:
    """End the link of this channel."""
    client = interaction.client
    had = await client.watch_links.revoke(await request(interaction), int(time.time()))
    client.watching.end(place(interaction).channel_id)
    await answer(interaction).post_private(content=REVOKED if had else NONE)


def address_of(client: Client, guild_id: int | None, token: str) -> str:
    """The address of a table: with several processes a proxy finds the right one by the shard in it."""
    shard = ((guild_id or 0) >> 22) % (client.shard_count or 1)
    return f"{client.watching.url}/{shard}/{token}"


def buttons(client: Client, channel_id: int, guild_id: int | None) -> list[Component]:
    """The buttons to the pages of a channel: the Activity where there is one, and a link that is open.

    The store has only the hash of its token: where this process does not know that, there is no button.
    """
    token, until = client.watching.tokens.get(channel_id, ("", 0))
    made = [button(IN_CALL, LAUNCH)] if client.has_activity else []
    return [*made, link_to(LABEL, address_of(client, guild_id, token))] if time.time() < until else made


async def launch(interaction: Interaction, _: Answer) -> None:
    """Open the Activity for who pressed. Raises ``Strange`` where the host has switched it off since."""
    if not interaction.client.has_activity:
        raise Strange
    await answer(interaction).launch()


async def recall(client: Client) -> None:
    """After a start: read the tokens again off the boards that lead to the pages, as the store has their hashes only.

    Raises ``StoreError``. A board that cannot be read has no such button until there is a new link.
    """
    boards = {channel: one for (kind, channel, _), one in client.live.items() if kind is Kind.BOARD}
    missing = boards.keys() - client.watching.tokens.keys()
    if not client.watching.url or not missing:
        return
    for channel_id, link in (await client.watch_links.open_of(missing, int(time.time()))).items():
        live = boards[channel_id]
        try:
            board = await message_at(client, live.place, live.kept.message_id).fetch()
        except discord.HTTPException as error:
            log.info("the link on the board of channel %s could not be read again: %s", channel_id, error)
            continue
        items = (item for row in board.components for item in getattr(row, "children", ()))
        tokens = (str(getattr(item, "url", None)).rpartition("/")[2] for item in items)
        known = next((token for token in tokens if digest_of(token) == link.digest), None)
        if known is not None:
            client.watching.tokens[channel_id] = (known, link.until)


def added(client: Client, channel_id: int, guild_id: int | None, view: Components | None) -> Components | None:
    """A message's components with that button in the last row that has room for it."""
    more = buttons(client, channel_id, guild_id)
    if not more:
        return view
    rows = [row["components"] for row in view.to_components()] if view is not None else []
    if rows and len(rows[-1]) + len(more) <= ROW and all("label" in one for one in rows[-1]):
        return Components(*rows[:-1], [*rows[-1], *more])
    return Components(*rows, more) if len(rows) < ROW else view
