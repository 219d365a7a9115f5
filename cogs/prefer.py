"""`/prefer`: what a player chooses for themselves."""

from discord import app_commands
from discord.app_commands import Choice, Range
from discord.ext import commands

from bot.client import Client, Interaction
from bot.rules.errors import PlayerError
from bot.ruleset.settings import SETTINGS, find
from bot.ui import rulesets

PERSONAL = [Choice(name=setting.title, value=setting.key) for setting in SETTINGS if setting.personal]


async def values(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """What the setting that stands beside it takes, and to have no preference."""
    try:
        found = rulesets.suggest_values(interaction, find(str(interaction.namespace.setting)), typed)
    except PlayerError:  # no setting is picked yet
        return []
    return [*found, Choice(name=rulesets.NO_PREFERENCE, value=rulesets.NO_PREFERENCE)]


class Prefer(commands.Cog):
    """A preference counts wherever its owner types, unless a ruleset has locked the setting."""

    @app_commands.command(
        description="Choose for yourself: method, edition, look; without options, what counts for you"
    )
    @app_commands.describe(setting="What to choose", value="What you prefer, as in: Balanced, N4, text")
    @app_commands.choices(setting=PERSONAL)
    @app_commands.autocomplete(value=values)
    async def prefer(
        self, interaction: Interaction, setting: str | None = None, value: Range[str, 1, 100] | None = None
    ) -> None:
        await rulesets.prefer(interaction, find(setting) if setting else None, value)


async def setup(client: Client) -> None:
    await client.add_cog(Prefer())
