"""`/prefer`: the settings that players choose for themselves."""

from typing import Final

from discord import app_commands
from discord.app_commands import Choice, Range
from discord.ext import commands

from bot.client import Client, Interaction
from bot.rules.errors import PlayerError
from bot.rules.text import Text, english
from bot.ruleset.settings import SETTINGS, find
from bot.ui import rulesets
from bot.ui.options import Given, Option, choice, takes


async def values(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """The values of the setting that was picked, and the value that clears the preference."""
    try:
        found = rulesets.suggest_values(interaction, find(str(interaction.namespace.setting)), typed)
    except PlayerError:  # no setting is picked yet
        return []
    return [*found, choice(rulesets.NO_PREFERENCE, english(rulesets.NO_PREFERENCE))]


PREFERENCE: Final = (
    Option(
        "setting",
        str,
        Text("Which setting"),
        choices=tuple(choice(setting.title, setting.key) for setting in SETTINGS if setting.personal),
    ),
    Option("value", Range[str, 1, 100], Text("What you prefer, for example Balanced, N4 or text"), suggest=values),
)


class Prefer(commands.Cog):
    """A preference counts wherever its owner plays, unless a ruleset has locked the setting."""

    @app_commands.command(description="Your own method, edition and look of the dice: see them, or choose")
    @takes(*PREFERENCE)
    async def prefer(self, interaction: Interaction, given: Given) -> None:
        await rulesets.prefer(interaction, find(given["setting"]) if given["setting"] else None, given["value"])


async def setup(client: Client) -> None:
    await client.add_cog(Prefer())
