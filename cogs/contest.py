"""`/contest`: two sides roll against each other, for any game."""

from typing import Final

import discord
from discord import app_commands
from discord.app_commands import Range
from discord.ext import commands

from bot.client import Client, Interaction
from bot.rules import contest, errors
from bot.rules.anydice import play, tree
from bot.rules.contest import By, Ties
from bot.rules.text import Text
from bot.ui import panel, place, saved
from bot.ui.options import SECRET, Given, Option, choice, declaration, secrecy_of, takes

KEY: Final = contest.KEY
Dice = Range[str, 1, tree.TEXT_MOST]
Faces = Range[str, 1, play.FACES_LONGEST]
BY: Final = (
    choice(Text("the higher result wins"), By.HIGHER.value),
    choice(Text("the lower result wins"), By.LOWER.value),
    choice(Text("more successes win"), By.SUCCESSES.value),
)
TIES: Final = (
    choice(Text("nobody wins a tie"), Ties.NOBODY.value),
    choice(Text("the first side wins a tie"), Ties.FIRST.value),
    choice(Text("the second side wins a tie"), Ties.SECOND.value),
    choice(Text("both roll again"), Ties.AGAIN.value),
)
TYPED_FOR_ANOTHER: Final = Text(
    "The card names whoever rolled by hand, so people type only what their own dice show. Leave out the dice and the "
    "faces of the other person: they say both in a form."
)


OPTIONS: Final = (
    Option("dice", Dice, Text("Your dice: 1d20+5, 4d6kh3, 6d10>=7"), suggest=saved.suggest_only_dice),
    Option("opponent", discord.User, Text("Who rolls against you. Default: the first who answers"), word=""),
    Option("their_dice", Dice, Text("Their dice. Default: they say them in a form"), suggest=saved.suggest_only_dice),
    Option("by", str, Text("What wins. Default: the higher result"), choices=BY),
    Option("ties", str, Text("Who wins a tie. Default: nobody"), choices=TIES),
    Option("name", place.NameOption, Text("The NPC that you roll for")),
    Option("their_name", place.NameOption, Text("The NPC that you roll against")),
    Option("between", discord.User, Text("For GMs: the person who rolls the first side instead of you"), word=""),
    Option("faces", Faces, Text("Your dice, rolled by hand, in the order they fell: 17")),
    Option("their_faces", Faces, Text("Their dice, rolled by hand")),
    Option("odds", bool, Text("Show the exact odds instead of rolling"), False, word=""),
    *SECRET,
)


class Contest(commands.Cog):
    """A face-to-face roll of any dice."""

    @app_commands.command(description="Roll against somebody: 1d20+5 against 1d20+3; or wait for their dice")
    @takes(*OPTIONS)
    async def contest(self, interaction: Interaction, given: Given) -> None:
        secrecy = secrecy_of(interaction, given)
        opponent, between, me = given["opponent"], given["between"], interaction.user
        if (given["faces"] and between not in (None, me)) or (given["their_faces"] and opponent not in (None, me)):
            raise errors.PlayerError(TYPED_FOR_ANOTHER)
        declared = await panel.declare(interaction, KEY, declaration(given, *OPTIONS))
        if given["odds"]:
            await panel.show_odds(interaction, KEY, declared)
            return
        if between is not None:
            await place.need_gm(interaction)
        await panel.open_roll(interaction, KEY, declared, opponent, attacker=place.player(between), secrecy=secrecy)


async def setup(client: Client) -> None:
    await client.add_cog(Contest())
