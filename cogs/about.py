"""`/about`: the bot and its dice. `/fairness`: the counts of all its rolls."""

import time
from typing import Final

from discord import app_commands
from discord.ext import commands

from bot import package_info
from bot.client import Client, Interaction
from bot.discord_api import invite_links
from bot.games import IN_A_SENTENCE
from bot.render import about, fairness
from bot.rules.text import Text
from bot.ui.commands.options import CommandOption, Given, matching_choices, takes
from bot.ui.core import card_messages, components
from bot.ui.core.responses import answer
from bot.ui.roll import roll_message

POINTERS = ("help", "fairness", "privacy")
"""Commands to point to, if registered."""


async def kinds(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    counted = await interaction.client.fairness.read()
    return matching_choices(typed, ((fairness.name(kind), kind) for kind in counted.counts))


Kind = app_commands.Range[str, 1, 40]
DICE: Final = CommandOption("dice", Kind, Text("Which dice the picture shows. Default: the most rolled"), suggest=kinds)


class About(commands.Cog):
    """One card each, short enough for a phone, without personal data."""

    @app_commands.command(name="about", description="What I am, how I roll dice, and how long I've been running")
    async def page(self, interaction: Interaction) -> None:
        answer(interaction).keep_private()
        client = interaction.client
        result = [command for command in client.tree.get_commands() if command.name in POINTERS]
        pointers = {item.name: item.description for item in result if not isinstance(item, app_commands.ContextMenu)}
        running = time.perf_counter() - client.started
        card = about.card(package_info.read(), IN_A_SENTENCE, pointers, running, len(client.guilds))
        links = [
            components.link_to(Text("Add me to a server"), invite_links.server_link(client.application_id or 0)),
            components.link_to(Text("Install me for yourself"), invite_links.user_link(client.application_id or 0)),
        ]
        shown = card_messages.card_message(card, await card_messages.user_display(interaction))
        view = components.Components(links, card_messages.support_buttons(client))
        await answer(interaction).post_private(**shown, view=view)

    @app_commands.command(
        name="fairness", description="How often each face of my dice came up, and whether they are fair"
    )
    @takes(DICE)
    async def fairness(self, interaction: Interaction, given: Given) -> None:
        client = interaction.client
        await client.fairness.step(int(time.time()))
        counted, seals = await client.fairness.read(), await client.seals.counts()
        sealed = fairness.sealed_tables(**seals)
        card = fairness.card(counted.counts, counted.log_highest, sealed, given["dice"])
        await roll_message.show_card(interaction, card)


async def setup(client: Client) -> None:
    await client.add_cog(About())
