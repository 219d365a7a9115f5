"""`/ruleset`: the settings that a server and its channels play by, for GMs and admins."""

import discord
from discord import app_commands
from discord.app_commands import Choice, Range
from discord.ext import commands

from bot.client import Client, Interaction
from bot.rules.errors import PlayerError
from bot.rules.text import Text
from bot.ruleset.settings import SETTINGS, find
from bot.ui import rulesets
from bot.ui.rulesets import Where

EVERY = [Choice(name=setting.title, value=setting.key) for setting in SETTINGS]
PLACE = Text("Default: this channel or thread. Only admins set the server")


async def values(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """The values of the setting that was picked."""
    try:
        return rulesets.suggest_values(interaction, find(str(interaction.namespace.setting)), typed)
    except PlayerError:  # no setting is picked yet
        return []


@app_commands.guild_only()
@app_commands.default_permissions(manage_channels=True)
class Rulesets(
    commands.GroupCog, group_name="ruleset", group_description=Text("Settings of this server and its channels")
):
    """Discord shows these to people who may manage channels; each command checks again what it needs."""

    @app_commands.command(description="Which settings count here, and where each value comes from")
    async def show(self, interaction: Interaction) -> None:
        await rulesets.show(interaction)

    @app_commands.command(name="set", description="Set one setting for this channel, or for the whole server")
    @app_commands.describe(
        setting="Which setting",
        value="Its value, for example on, off, Balanced, N4, text or 20",
        where=PLACE,
        lock="Lock it, so that players' preferences no longer count",
    )
    @app_commands.choices(setting=EVERY)
    @app_commands.autocomplete(value=values)
    async def set_(
        self,
        interaction: Interaction,
        setting: str,
        value: Range[str, 1, 100],
        where: Where = "channel",
        lock: bool = False,
    ) -> None:
        await rulesets.choose(interaction, find(setting), value, where, lock=lock)

    @app_commands.command(description="Clear one setting, or all of them")
    @app_commands.describe(setting="Which setting to clear. Default: all of them", where=PLACE)
    @app_commands.choices(setting=EVERY)
    async def reset(self, interaction: Interaction, setting: str | None = None, where: Where = "channel") -> None:
        await rulesets.reset(interaction, find(setting) if setting else None, where)

    @app_commands.command(description="Get this ruleset as a JSON file, to keep it or import it elsewhere")
    @app_commands.describe(where=PLACE)
    async def export(self, interaction: Interaction, where: Where = "channel") -> None:
        await rulesets.export(interaction, where)

    @app_commands.command(name="import", description="Replace this ruleset with the one in a file")
    @app_commands.describe(file="A file from /ruleset export", where=PLACE)
    async def import_(self, interaction: Interaction, file: discord.Attachment, where: Where = "channel") -> None:
        await rulesets.import_file(interaction, file, where)


async def setup(client: Client) -> None:
    await client.add_cog(Rulesets())
