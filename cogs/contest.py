"""`/contest`: two sides roll against each other, for any game."""

from typing import Final

import discord
from discord import app_commands
from discord.app_commands import Range
from discord.ext import commands

from bot.client import Client, Interaction
from bot.rules import contest, errors
from bot.rules.anydice import play, tree
from bot.rules.contest import Ties, WinsBy
from bot.rules.text import Text
from bot.ui.commands import saved_rolls
from bot.ui.commands.options import SECRET, CommandOption, Given, choice, declaration, takes
from bot.ui.core import request_context
from bot.ui.roll import roll_message

KEY: Final = contest.KEY
Dice = Range[str, 1, tree.MAX_TEXT]
Faces = Range[str, 1, play.FACES_LONGEST]
BY: Final = (
    choice(Text("the higher result wins"), WinsBy.HIGHER.value),
    choice(Text("the lower result wins"), WinsBy.LOWER.value),
    choice(Text("more successes win"), WinsBy.SUCCESSES.value),
)
TIES: Final = (
    choice(Text("nobody wins a tie"), Ties.NOBODY.value),
    choice(Text("the first side wins a tie"), Ties.FIRST.value),
    choice(Text("the second side wins a tie"), Ties.SECOND.value),
    choice(Text("both roll again"), Ties.AGAIN.value),
)
TYPED_FOR_ANOTHER: Final = Text(
    "The card names the people who rolled by hand, so type only what your own dice show. Leave "
    "out the other person's dice and faces: they enter both in a form."
)


OPTIONS: Final = (
    CommandOption("dice", Dice, Text("Your dice: 1d20+5, 4d6kh3, 6d10>=7"), suggest=saved_rolls.suggest_only_dice),
    CommandOption(
        "opponent", discord.User, Text("Who rolls against you. Default: the first person to answer"), word=""
    ),
    CommandOption(
        "their_dice",
        Dice,
        Text("Their dice. Default: they enter them in a form"),
        suggest=saved_rolls.suggest_only_dice,
    ),
    CommandOption("by", str, Text("What wins. Default: the higher result"), choices=BY),
    CommandOption("ties", str, Text("Who wins a tie. Default: nobody"), choices=TIES),
    CommandOption("name", request_context.NameOption, Text("The NPC you roll for")),
    CommandOption("their_name", request_context.NameOption, Text("The NPC you roll against")),
    CommandOption("between", discord.User, Text("For GMs: the person who rolls the first side in your place"), word=""),
    CommandOption("faces", Faces, Text("Your dice, rolled by hand, in the order they fell: 17")),
    CommandOption("their_faces", Faces, Text("Their dice, rolled by hand")),
    CommandOption("odds", bool, Text("Show the exact odds instead of rolling"), False, word=""),
    *SECRET,
)


class Contest(commands.Cog):
    """A face-to-face roll of any dice."""

    @app_commands.command(description="Roll against someone: 1d20+5 against 1d20+3; or wait for their dice")
    @takes(*OPTIONS)
    async def contest(self, interaction: Interaction, given: Given) -> None:
        opponent, between, me = given["opponent"], given["between"], interaction.user
        if (given["faces"] and between not in (None, me)) or (given["their_faces"] and opponent not in (None, me)):
            raise errors.PlayerError(TYPED_FOR_ANOTHER)
        declared = await roll_message.declare(interaction, KEY, declaration(given, *OPTIONS))
        if given["odds"]:
            await roll_message.show_odds(interaction, KEY, declared)
            return
        if between is not None:
            await request_context.require_gm(interaction)
        await roll_message.open_roll(
            interaction, KEY, declared, opponent, attacker=request_context.player(between), secrecy=given["secrecy"]
        )


async def setup(client: Client) -> None:
    await client.add_cog(Contest())
