"""`/ruleset`: what a server and its channels play by, for GMs and admins."""

import discord
from discord import app_commands
from discord.app_commands import Choice, Range
from discord.ext import commands

from bot.client import Client, Interaction
from bot.rules.errors import PlayerError
from bot.ruleset.settings import SETTINGS, find
from bot.ui import rulesets
from bot.ui.rulesets import Where

EVERY = [Choice(name=setting.title, value=setting.key) for setting in SETTINGS]
PLACE = "This channel or thread, if you leave it out; the whole server is for admins"


async def values(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """What the setting that stands beside it takes."""
    try:
        return rulesets.suggest_values(interaction, find(str(interaction.namespace.setting)), typed)
    except PlayerError:  # no setting is picked yet
        return []


@app_commands.guild_only()
@app_commands.default_permissions(manage_channels=True)
class Rulesets(commands.GroupCog, group_name="ruleset", group_description="What this server and its channels play by"):
    """Discord shows it to who may manage channels; each command asks again what it needs."""

    @app_commands.command(description="What counts here, and where each value comes from")
    async def show(self, interaction: Interaction) -> None:
        await rulesets.show(interaction)

    @app_commands.command(name="set", description="Choose a setting for this channel, or for the whole server")
    @app_commands.describe(
        setting="What to choose",
        value="What it shall be; pick from what is offered, as in: on, off, Balanced, N4, text, 20",
        where=PLACE,
        lock="Preferences of players no longer beat it",
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

    @app_commands.command(description="Choose nothing for a setting any more; left out, for any")
    @app_commands.describe(setting="Which one; left out, all of them", where=PLACE)
    @app_commands.choices(setting=EVERY)
    async def reset(self, interaction: Interaction, setting: str | None = None, where: Where = "channel") -> None:
        await rulesets.reset(interaction, find(setting) if setting else None, where)

    @app_commands.command(description="The ruleset as a JSON file, to be kept or imported elsewhere")
    @app_commands.describe(where=PLACE)
    async def export(self, interaction: Interaction, where: Where = "channel") -> None:
        await rulesets.export(interaction, where)

    @app_commands.command(name="import", description="Take the ruleset of a file in place of what was chosen")
    @app_commands.describe(file="A file of /ruleset export", where=PLACE)
    async def import_(self, interaction: Interaction, file: discord.Attachment, where: Where = "channel") -> None:
        await rulesets.import_file(interaction, file, where)


async def setup(client: Client) -> None:
    await client.add_cog(Rulesets())
