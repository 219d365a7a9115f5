"""`/xwing`: attacks between two people, and loose dice."""

from dataclasses import replace

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Client, Interaction
from bot.rules.errors import BadInput
from bot.rules.game import Side
from bot.rules.xwing import table, words
from bot.rules.xwing.declared import Declared
from bot.ui.panel import open_roll

Dice = app_commands.Range[int, 0, 6]
Words = app_commands.Range[str, 1, 200]


class XWing(commands.GroupCog, group_name="xwing", group_description="X-Wing 2nd edition: attacks and dice"):
    """Attacks walk their windows with buttons; loose dice may be rerolled once each."""

    @app_commands.command(description="Attack: dice, tokens and damage, window by window, between two people")
    @app_commands.rename(range_="range", with_="with")
    @app_commands.describe(
        dice="Your weapon value; range and tokens are added for you",
        agility="The defender's agility; leave it out and the defender says what they bring",
        range_="1 gives you a die more, 3 gives the defender one",
        ordnance="A missile or torpedo: no bonus for range",
        obstructed="Something stands between you: one defense die more",
        with_="What you bring, e.g.: focus, lock, force 2, reroll 1 blank, change 1 focus to hit",
        against="What the defender brings, e.g.: focus, evade, reinforce, hull 4, shields 2",
        opponent="Who defends; left out, the first other person who presses",
    )
    async def attack(
        self,
        interaction: Interaction,
        dice: Dice,
        agility: Dice | None = None,
        range_: app_commands.Range[int, 0, 3] | None = None,
        ordnance: bool = False,
        obstructed: bool = False,
        with_: Words | None = None,
        against: Words | None = None,
        opponent: discord.User | None = None,
    ) -> None:
        mine = words.parse(with_ or "", Side.ATTACKER, "with")
        theirs = words.parse(against or "", Side.DEFENDER, "against")
        if agility is None and against is not None:
            raise BadInput("agility", "", "a number from 0 to 6 when `against` says what the defender brings")
        declared = Declared(
            attack=replace(mine.line, dice=dice),
            defense=None if agility is None else replace(theirs.line, dice=agility),
            range=range_,
            ordnance=ordnance,
            obstructed=obstructed,
            cost_lock=mine.cost_lock,
            cost_charge=mine.cost_charge,
            hull=theirs.hull,
            shields=theirs.shields,
        )
        await open_roll(interaction, "xwing", declared, opponent)

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
