"""`/xwing`: attacks between two people, their odds, and loose dice."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Client, Interaction
from bot.render import odds
from bot.rules.xwing import table, typed
from bot.rules.xwing.declared import ATTACKS_MOST, HULL_MOST
from bot.ui.panel import open_roll, show_odds

Dice = app_commands.Range[int, 0, 6]
Distance = app_commands.Range[int, 0, 3]
Words = app_commands.Range[str, 1, 200]

ATTACK = {
    "dice": "Your weapon value; range and tokens are added for you",
    "agility": "The defender's agility; leave it out and the defender says what they bring",
    "range_": "1 gives you a die more, 3 gives the defender one",
    "ordnance": "A missile or torpedo: no bonus for range",
    "obstructed": "Something stands between you: one defense die more",
    "with_": "What you bring, e.g.: focus, lock, force 2, reroll 1 blank, change 1 focus to hit",
    "against": "What the defender brings, e.g.: focus, evade, reinforce, hull 4, shields 2",
}


class XWing(commands.GroupCog, group_name="xwing", group_description="X-Wing 2nd edition: attacks, dice and odds"):
    """Attacks walk their windows with buttons; loose dice may be rerolled once each."""

    @app_commands.command(description="Attack: dice, tokens and damage, window by window, between two people")
    @app_commands.rename(range_="range", with_="with")
    @app_commands.describe(**ATTACK, opponent="Who defends; left out, the first other person who presses")
    async def attack(
        self,
        interaction: Interaction,
        dice: Dice,
        agility: Dice | None = None,
        range_: Distance | None = None,
        ordnance: bool = False,
        obstructed: bool = False,
        with_: Words | None = None,
        against: Words | None = None,
        opponent: discord.User | None = None,
    ) -> None:
        declared = typed.attack(
            dice=dice,
            agility=agility,
            distance=range_,
            ordnance=ordnance,
            obstructed=obstructed,
            mine=with_,
            theirs=against,
        )
        await open_roll(interaction, "xwing", declared, opponent)

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
        dice: Dice,
        agility: Dice = 0,
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
        brings = {"dice": dice, "agility": agility, "distance": range_, "ordnance": ordnance, "obstructed": obstructed}
        asked = typed.line_ups([with_, or_], shots=shots, hull=hull, shields=shields, theirs=against, **brings)
        await show_odds(interaction, lambda: odds.xwing(asked))

    @app_commands.command(description="Roll red and green dice outside an attack")
    @app_commands.describe(red="Red attack dice", green="Green defense dice")
    async def roll(
        self,
        interaction: Interaction,
        red: app_commands.Range[int, 0, table.TABLE_MOST] = 0,
        green: app_commands.Range[int, 0, table.TABLE_MOST] = 0,
    ) -> None:
        await open_roll(interaction, "xwing", table.declare(red, green))


async def setup(client: Client) -> None:
    await client.add_cog(XWing())
