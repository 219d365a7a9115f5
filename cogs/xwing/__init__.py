"""`/xwing`: attacks between two people, their odds, loose dice, and the ships of a channel."""

from discord.ext import commands

from bot.client import Client
from cogs.xwing.attack import Attacks
from cogs.xwing.damage import Mishaps
from cogs.xwing.dice import Dice
from cogs.xwing.phases import Phases
from cogs.xwing.ships import Ships
from cogs.xwing.tokens import Tokens


class XWing(
    Mishaps,
    Phases,
    Tokens,
    Ships,
    Dice,
    Attacks,
    commands.GroupCog,
    group_name="xwing",
    group_description="X-Wing 2nd edition: attacks, dice, odds, ships and rounds",
):
    """One group of commands; each file brings those of one subject. They are registered from the last to the first."""


async def setup(client: Client) -> None:
    await client.add_cog(XWing())
