"""`/xwing odds` and `/xwing roll`: chances before an attack, and loose dice."""

from discord import app_commands
from discord.ext import commands

from bot.client import Interaction
from bot.rules.xwing.declared import ATTACKS_MOST, HULL_MOST
from bot.rules.xwing.loose import LOOSE_MOST
from bot.ui.panel import declare, open_roll, show_odds
from cogs.xwing.options import KEY, ODDS, Distance, Pool, Words


class Dice(commands.Cog):
    """Exact odds are charts; loose dice may be rerolled once each."""

    @app_commands.command(description="Exact odds of an attack: damage, crits, the chance to destroy the ship")
    @app_commands.rename(range_="range", with_="with", or_="or")
    @app_commands.describe(**ODDS)
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
        shields: app_commands.Range[int, 0, HULL_MOST] | None = None,
    ) -> None:
        shot = {"dice": dice, "agility": agility, "range": range_, "ordnance": ordnance, "obstructed": obstructed}
        raw = shot | {"against": against, "attacks": shots, "hull": hull, "shields": shields}
        compared = [typed for typed in (with_, or_) if typed] or [""]
        attacks = [(words or "no tokens", await declare(interaction, KEY, raw | {"with": words})) for words in compared]
        await show_odds(interaction, KEY, attacks)

    @app_commands.command(description="Roll red and green dice outside an attack")
    @app_commands.describe(red="Red attack dice", green="Green defense dice")
    async def roll(
        self,
        interaction: Interaction,
        red: app_commands.Range[int, 0, LOOSE_MOST] = 0,
        green: app_commands.Range[int, 0, LOOSE_MOST] = 0,
    ) -> None:
        await open_roll(interaction, KEY, await declare(interaction, KEY, {"red": red, "green": green}))
