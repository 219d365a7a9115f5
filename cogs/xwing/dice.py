"""`/xwing odds` and `/xwing roll`: chances before an attack, and loose dice."""

from discord import app_commands
from discord.ext import commands

from bot.client import Interaction
from bot.rules.game import Side
from bot.rules.xwing.declared import ATTACKS_MOST, HULL_MOST
from bot.rules.xwing.loose import LOOSE_MOST
from bot.rules.xwing.words import Brought, write
from bot.ui.names import Name
from bot.ui.panel import declare, open_roll, show_odds
from bot.ui.secret import OPTIONS as SECRET
from bot.ui.secret import secrecy_of
from cogs.xwing.forms import ODDS_FORM, ROLL_FORM
from cogs.xwing.options import KEY, ODDS, Distance, Pool, Words, suggested


class Dice(commands.Cog):
    """Exact odds are charts; loose dice may be rerolled once each."""

    @app_commands.command(
        description="Exact odds of an attack: damage, crits, the chance to destroy the ship", extras=ODDS_FORM
    )
    @app_commands.rename(range_="range", with_="with", or_="or")
    @app_commands.describe(**ODDS)
    @app_commands.autocomplete(attacker=suggested, defender=suggested)
    async def odds(
        self,
        interaction: Interaction,
        dice: Pool | None = None,
        agility: Pool | None = None,
        range_: Distance | None = None,
        ordnance: bool = False,
        obstructed: bool = False,
        in_arc: bool | None = None,
        with_: Words | None = None,
        against: Words | None = None,
        or_: Words | None = None,
        shots: app_commands.Range[int, 1, ATTACKS_MOST] = 1,
        hull: app_commands.Range[int, 1, HULL_MOST] | None = None,
        shields: app_commands.Range[int, 0, HULL_MOST] | None = None,
        attacker: Name | None = None,
        defender: Name | None = None,
    ) -> None:
        agility = 0 if agility is None and defender is None else agility
        shot = {"dice": dice, "agility": agility, "range": range_, "ordnance": ordnance, "obstructed": obstructed}
        raw = shot | {"in_arc": in_arc, "against": against, "attacks": shots, "hull": hull, "shields": shields}
        raw |= {"attacker": attacker, "defender": defender, "supposed": bool(attacker or defender) or None}
        compared = [with_ or "", or_] if or_ and attacker else [with_ or or_ or "", *([or_] if with_ and or_ else [])]
        attacks = []
        for words in compared:
            declared = await declare(interaction, KEY, raw | {"with": words or None})
            brings = write(Brought(line_up=declared.attack), Side.ATTACKER)
            attacks.append((words or brings or "no tokens", declared))
        await show_odds(interaction, KEY, attacks)

    @app_commands.command(description="Roll red and green dice outside an attack", extras=ROLL_FORM)
    @app_commands.describe(red="Red attack dice", green="Green defense dice", **SECRET)
    async def roll(
        self,
        interaction: Interaction,
        red: app_commands.Range[int, 0, LOOSE_MOST] = 0,
        green: app_commands.Range[int, 0, LOOSE_MOST] = 0,
        secret: bool = False,
        blind: bool = False,
    ) -> None:
        secrecy = secrecy_of(interaction, secret, blind)
        declared = await declare(interaction, KEY, {"red": red, "green": green})
        await open_roll(interaction, KEY, declared, secrecy=secrecy)
