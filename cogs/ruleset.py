"""`/ruleset`: the settings that a server and its channels play by, for GMs and admins."""

from dataclasses import replace
from typing import Final

import discord
from discord import app_commands
from discord.app_commands import Choice, Range
from discord.ext import commands

from bot.client import Client, Interaction
from bot.rules.errors import PlayerError
from bot.rules.text import Text, english
from bot.ruleset.settings import find
from bot.ui import rulesets
from bot.ui.options import MISSING, Given, Option, takes
from bot.ui.rulesets import Where


async def settings(_: Interaction, typed: str) -> list[Choice[str]]:
    return rulesets.suggest_settings(typed)


async def values(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """The values of the setting that was picked."""
    try:
        return rulesets.suggest_values(interaction, find(str(interaction.namespace.setting)), typed)
    except PlayerError:  # no setting is picked yet
        return []


SETTING: Final = Option("setting", str, Text("Which setting"), MISSING, suggest=settings)
WHERE: Final = Option("where", Where, Text("Default: this channel or thread. Only admins set the server"), "channel")
SET: Final = (
    SETTING,
    Option(
        "value",
        Range[str, 1, 100],
        Text("Its value, for example on, off, Balanced, N4, text or 20"),
        MISSING,
        suggest=values,
    ),
    WHERE,
    Option("lock", bool, Text("Lock it, so that players' preferences no longer count"), False),
)
RESET: Final = (replace(SETTING, about=Text("Which setting to clear. Default: all of them"), default=None), WHERE)
IMPORT: Final = (Option("file", discord.Attachment, Text("A file from /ruleset export"), MISSING), WHERE)


@app_commands.guild_only()
@app_commands.default_permissions(manage_channels=True)
class Rulesets(
    commands.GroupCog, group_name="ruleset", group_description=english(Text("Settings of this server and its channels"))
):
    """Discord shows these to people who may manage channels; each command checks again what it needs."""

    @app_commands.command(description="Which settings count here, and where each value comes from")
    async def show(self, interaction: Interaction) -> None:
        await rulesets.show(interaction)

    @app_commands.command(name="set", description="Set one setting for this channel, or for the whole server")
    @takes(*SET)
    async def set_(self, interaction: Interaction, given: Given) -> None:
        setting = find(given["setting"])
        await rulesets.choose(interaction, setting, given["value"], given["where"], lock=given["lock"])

    @app_commands.command(description="Clear one setting, or all of them")
    @takes(*RESET)
    async def reset(self, interaction: Interaction, given: Given) -> None:
        setting = find(given["setting"]) if given["setting"] else None
        await rulesets.reset(interaction, setting, given["where"])

    @app_commands.command(description="Get this ruleset as a JSON file, to keep it or import it elsewhere")
    @takes(WHERE)
    async def export(self, interaction: Interaction, given: Given) -> None:
        await rulesets.export(interaction, given["where"])

    @app_commands.command(name="import", description="Replace this ruleset with the one in a file")
    @takes(*IMPORT)
    async def import_(self, interaction: Interaction, given: Given) -> None:
        await rulesets.import_file(interaction, given["file"], given["where"])


async def setup(client: Client) -> None:
    await client.add_cog(Rulesets())
