"""`/xwing cards`: the known card sets, and a server's own."""

from functools import partial
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Interaction
from bot.render.xwing import card_sets as render
from bot.rules.errors import BadInputError, PlayerError
from bot.rules.text import Text
from bot.rules.xwing.cards.card_sets import BY_RULESET, DEFAULT, OWN, SHELF, CardSet, parsed
from bot.ruleset.settings import find as find_setting
from bot.ui.commands.options import CommandOption, Given, takes
from bot.ui.core import uploads
from bot.ui.core.card_messages import card_message
from bot.ui.core.request_context import asker, place, require_gm, ruling
from bot.ui.core.responses import answer

CARDS: Final = find_setting("xwing_cards")
RULESET: Final = find_setting("xwing_ruleset")
KIND: Final = "xwing cards"
SETS: Final = (
    CommandOption("file", discord.Attachment, Text("GMs: xwing-data2 as ZIP or JSON, for this server")),
    CommandOption("remove_own", bool, Text("GMs: remove this server's own set"), False),
)
MAX_FILE: Final = 8_000_000
"""Maximum bytes; the whole repository as a ZIP file has half a million."""


async def card_sets(interaction: Interaction) -> list[CardSet]:
    """Return the card sets for this person here: the chosen one, else all, likeliest first."""
    here, own = await ruling(interaction), await own_set(interaction)
    chosen = own if here[CARDS] == OWN else SHELF.find(here[CARDS])
    if chosen is not None:
        return [chosen]
    return [*([own] if own is not None else []), *SHELF.newest(BY_RULESET.get(here[RULESET], DEFAULT))]


async def own_set(interaction: Interaction) -> CardSet | None:
    return await interaction.client.kept_files.find(place(interaction).guild_id, KIND, parsed)


async def own_text(interaction: Interaction) -> str:
    """Return the server's own set as stored, for another process; "" for none."""
    return await interaction.client.kept_files.text(place(interaction).guild_id, KIND)


async def attach(interaction: Interaction, file: discord.Attachment) -> None:
    """Store a file's set for this server, and show the differences. Raises ``PlayerError``."""
    guild = await server_of_gm(interaction)
    sent = await uploads.fetch(interaction, file, Text("data in xwing-data2 format"), MAX_FILE, is_text=False)
    as_of = interaction.created_at.date().isoformat()
    reader = partial(render.import_uploaded_set, sent.name, as_of, await own_text(interaction))
    text, card = await uploads.read(interaction, reader, sent)
    await interaction.client.kept_files.store_file(guild, KIND, text)
    await answer(interaction).post(**card_message(card))


async def server_of_gm(interaction: Interaction) -> int:
    """Return the GM's server. Raises ``PlayerError`` for others, or in a direct message."""
    guild = place(interaction).guild_id
    if guild is None:
        raise PlayerError(Text("Card sets belong to servers. Attach the file in one of your server's channels."))
    await require_gm(interaction)
    return guild


class CardSetCommands(commands.Cog):
    """Card sets as data; card effects are in rows."""

    @app_commands.command(description="The card sets I know; a GM can attach one for this server")
    @takes(*SETS)
    async def cards(self, interaction: Interaction, given: Given) -> None:
        file, remove_own = given["file"], given["remove_own"]
        if file is not None and remove_own:
            raise BadInputError("remove_own", True, Text("Attach a file, or remove the set; not both."))
        if file is not None:
            await attach(interaction, file)
        elif remove_own:
            guild = await server_of_gm(interaction)
            own = await own_set(interaction)
            if own is None:
                raise PlayerError(Text("This server has no card set of its own. Attach one with `/xwing cards file:`."))
            await interaction.client.kept_files.remove(guild, KIND)
            await answer(interaction).post(**card_message(render.removed_card(own)))
        else:
            chosen = CARDS.words((await ruling(interaction))[CARDS])
            question = partial(render.of_server, await own_text(interaction), chosen)
            card = await interaction.client.workers.run(question, asked_by=asker(interaction))
            await answer(interaction).post(**card_message(card))
