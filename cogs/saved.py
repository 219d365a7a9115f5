"""`/saved`: rolls of any game under a name, and a panel with a button for each."""

from discord import app_commands
from discord.app_commands import Range
from discord.ext import commands

from bot.client import Client, Interaction
from bot.rules.text import Text
from bot.ui import saved
from bot.ui.names import Name
from bot.ui.saved import LINE_MOST, Whose

Line = Range[str, 1, LINE_MOST]
WHOSE = Text("Default: your own. Only a GM changes those of the channel")


class Saved(
    commands.GroupCog, group_name="saved", group_description=Text("Rolls of any game that you saved under a name")
):
    """One's own rolls go with a person everywhere; those of a channel are for everybody there."""

    @app_commands.command(description="Save a roll under a name; it replaces the one of the same name")
    @app_commands.describe(
        name="What to call it: Fireball",
        roll="Dice or a command: 8d6, /infinity roll sv:12. Default: your last roll here",
        whose=WHOSE,
    )
    @app_commands.autocomplete(roll=saved.suggest_lines, name=saved.suggest)
    async def add(self, interaction: Interaction, name: Name, roll: Line | None = None, whose: Whose = "mine") -> None:
        await saved.add(interaction, name, roll, whose)

    @app_commands.command(description="Roll a saved roll; typing its name in /roll does the same")
    @app_commands.describe(name="Which roll")
    @app_commands.autocomplete(name=saved.suggest)
    async def roll(self, interaction: Interaction, name: Name) -> None:
        await saved.roll_named(interaction, name)

    @app_commands.command(name="list", description="Your saved rolls, and those of this channel; only you see them")
    async def list_(self, interaction: Interaction) -> None:
        await saved.show_list(interaction)

    @app_commands.command(description="Remove a saved roll")
    @app_commands.describe(name="Which roll", whose=WHOSE)
    @app_commands.autocomplete(name=saved.suggest)
    async def remove(self, interaction: Interaction, name: Name, whose: Whose = "mine") -> None:
        await saved.remove(interaction, name, whose)

    @app_commands.command(description="Post a panel with a button for each saved roll")
    @app_commands.describe(whose="Yours, for you to press, or those of the channel. Default: yours")
    async def panel(self, interaction: Interaction, whose: Whose = "mine") -> None:
        await saved.post_panel(interaction, whose)


async def setup(client: Client) -> None:
    await client.add_cog(Saved())
