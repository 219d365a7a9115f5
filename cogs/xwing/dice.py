"""`/xwing odds` and `/xwing roll`: chances before an attack, and loose dice."""

from typing import Any

from discord import app_commands
from discord.ext import commands

from bot.client import Interaction
from bot.rules.xwing import table, typed
from bot.rules.xwing.declared import ATTACKS_MOST, HULL_MOST
from bot.ui.panel import open_roll, show_odds
from bot.ui.place import ruling
from cogs.xwing.options import ATTACK, KEY, Distance, Pool, Words


class Dice(commands.Cog):
    """Exact odds are charts; loose dice may be rerolled once each."""

    @app_commands.command(description="Exact odds of an attack: damage, crits, the kill; two line-ups side by side")
    @app_commands.rename(range_="range", with_="with", or_="or")
    @app_commands.describe(
        **ATTACK | {"agility": "The defender's agility; 0 if you leave it out"},
        or_="Another line-up of yours to compare, e.g.: focus, lock",
        shots="So many attacks in a row; the defender's tokens do not come back",
        hull="The defender's hull, for the chance of the kill",
        shields="The defender's shields",
    )
    async def odds(
        self,
        interaction: Interaction,
        dice: Pool,
        agility: Pool = 0,
        range_: Distance | None = None,
        ordnance: bool = False,
        obstructed: bool = False,
        with_: Words | None = None,
        against: Words | None = None,
        or_: Words | None = None,
        shots: app_commands.Range[int, 1, ATTACKS_MOST] = 1,
        hull: app_commands.Range[int, 1, HULL_MOST] | None = None,
        shields: app_commands.Range[int, 0, HULL_MOST] = 0,
    ) -> None:
        shot = {"dice": dice, "agility": agility, "distance": range_, "ordnance": ordnance, "obstructed": obstructed}
        brings: dict[str, Any] = shot | (await ruling(interaction)).words(KEY)
        asked = typed.line_ups([with_, or_], shots=shots, hull=hull, shields=shields, theirs=against, **brings)
        await show_odds(interaction, KEY, asked)

    @app_commands.command(description="Roll red and green dice outside an attack")
    @app_commands.describe(red="Red attack dice", green="Green defense dice")
    async def roll(
        self,
        interaction: Interaction,
        red: app_commands.Range[int, 0, table.TABLE_MOST] = 0,
        green: app_commands.Range[int, 0, table.TABLE_MOST] = 0,
    ) -> None:
        await open_roll(interaction, KEY, table.declare(red, green))
