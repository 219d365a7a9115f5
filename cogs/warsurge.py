"""`/warsurge`: attacks by any of the three methods, the methods side by side, and the chart."""

from functools import partial
from typing import Final

from discord import app_commands
from discord.app_commands import Choice, Range
from discord.ext import commands

from bot.client import Client, Interaction
from bot.odds.warsurge import by_each_method, count
from bot.render.warsurge import chart_card, compare_card
from bot.rules import warsurge
from bot.rules.dice import DICE_MOST
from bot.rules.warsurge.declared import SAVES, TYPED_MOST
from bot.rules.warsurge.methods import Method
from bot.ui.panel import declare, open_roll, show_card, show_counted, show_odds
from bot.ui.profiles import ProfileGroup, offered

Value = Range[int, 0, TYPED_MOST]
Dice = Range[int, 1, DICE_MOST]
Faces = Range[str, 1, 1000]
METHODS: list[Choice[str]] = [Choice(name=method.label, value=method.value) for method in Method]
ARMOUR_SAVES: list[Choice[str]] = [Choice(name=f"{face}+", value=f"{face}+") for face in SAVES]

TARGET: Final = {
    "power": "Power of the attack; above 20 counts as 20",
    "defence": "Defence of the target; above 15 counts as 15",
}
DICE: Final = {"dice": "How many attack dice; 1 if you leave it out"}
OPTIONS: Final = {
    **TARGET,
    **DICE,
    "method": "How to find the need; if you leave it out, as set here, else Casual",
    "save": "The target's armour save, rolled once for each success",
}
"""What `attack` and `odds` both take."""
STATS: Final = offered(warsurge.KEY, "power", "defence", "dice")
"""The options for which Discord suggests the stats of this channel's profiles."""


class Warsurge(commands.GroupCog, group_name="warsurge", group_description="WARSURGE: attack dice, three methods"):
    """An attack is over once it is rolled. The methods can be compared without a roll."""

    profile = ProfileGroup(warsurge.KEY)

    @app_commands.command(description="Roll the attack dice and count the HP that are lost")
    @app_commands.describe(**OPTIONS, faces="Dice you rolled by hand: 6 5, 3, 6 2 (commas part dice, spaces a chain)")
    @app_commands.choices(method=METHODS, save=ARMOUR_SAVES)
    @app_commands.autocomplete(**STATS)
    async def attack(
        self,
        interaction: Interaction,
        power: Value,
        defence: Value,
        dice: Dice | None = None,
        method: str | None = None,
        save: str | None = None,
        faces: Faces | None = None,
    ) -> None:
        attack = {"power": power, "defence": defence, "attack_dice": dice, "method": method, "save": save}
        declared = await declare(interaction, warsurge.KEY, {**attack, "faces": faces})
        await open_roll(interaction, warsurge.KEY, declared)

    @app_commands.command(description="Exact odds of the HP loss of an attack, as a chart")
    @app_commands.describe(**OPTIONS)
    @app_commands.choices(method=METHODS, save=ARMOUR_SAVES)
    @app_commands.autocomplete(**STATS)
    async def odds(
        self,
        interaction: Interaction,
        power: Value,
        defence: Value,
        dice: Dice | None = None,
        method: str | None = None,
        save: str | None = None,
    ) -> None:
        said = {"power": power, "defence": defence, "attack_dice": dice, "method": method, "save": save}
        declared = await declare(interaction, warsurge.KEY, said)
        await show_odds(interaction, warsurge.KEY, (declared,))

    @app_commands.command(description="Casual, Balanced and Chart side by side: need, line and exact HP loss")
    @app_commands.describe(**TARGET, **DICE)
    @app_commands.autocomplete(**STATS)
    async def compare(self, interaction: Interaction, power: Value, defence: Value, dice: Dice = 1) -> None:
        await show_counted(interaction, partial(count, by_each_method(power, defence, dice)), compare_card)

    @app_commands.command(description="The Attack Dice Chart as printed, with your cell marked")
    @app_commands.describe(**TARGET)
    @app_commands.autocomplete(**offered(warsurge.KEY, "power", "defence"))
    async def chart(self, interaction: Interaction, power: Value | None = None, defence: Value | None = None) -> None:
        await show_card(interaction, chart_card(power, defence))


async def setup(client: Client) -> None:
    await client.add_cog(Warsurge())
