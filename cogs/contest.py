"""`/contest`: two sides roll against each other, for any game."""

from typing import Final

import discord
from discord import app_commands
from discord.app_commands import Choice, Range
from discord.ext import commands

from bot.client import Client, Interaction
from bot.rules import contest
from bot.rules.anydice.notation import TEXT_MOST
from bot.rules.anydice.play import FACES_LONGEST
from bot.rules.contest import By, Ties
from bot.rules.errors import PlayerError
from bot.ui.gm import need_gm
from bot.ui.names import Name
from bot.ui.panel import declare, open_roll, show_odds
from bot.ui.saved import suggest_only_dice
from bot.ui.secret import OPTIONS as SECRET
from bot.ui.secret import secrecy_of

KEY: Final = contest.KEY
Dice = Range[str, 1, TEXT_MOST]
Faces = Range[str, 1, FACES_LONGEST]
BY: Final = [
    Choice(name="the higher result wins", value=By.HIGHER.value),
    Choice(name="the lower result wins", value=By.LOWER.value),
    Choice(name="more successes win", value=By.SUCCESSES.value),
]
TIES: Final = [
    Choice(name="nobody wins a tie", value=Ties.NOBODY.value),
    Choice(name="the first side wins a tie", value=Ties.FIRST.value),
    Choice(name="the second side wins a tie", value=Ties.SECOND.value),
    Choice(name="both roll again", value=Ties.AGAIN.value),
]
TYPED_FOR_ANOTHER: Final = (
    "The card names whoever rolled by hand, so people type only what their own dice show. Leave out the dice and the "
    "faces of the other person: they say both in a form."
)


class Contest(commands.Cog):
    """A face-to-face roll of any dice."""

    @app_commands.command(description="Roll against somebody: 1d20+5 against 1d20+3; or wait for their dice")
    @app_commands.describe(
        dice="Your dice: 1d20+5, 4d6kh3, 6d10>=7",
        opponent="Who rolls against you; the first who answers if you leave it out",
        their_dice="Their dice; if you leave it out, they say them in a form",
        by="What wins; the higher result if you leave it out",
        ties="Who wins a tie; nobody if you leave it out",
        name="The NPC that you roll for",
        their_name="The NPC that you roll against",
        between="For GMs: the person who rolls the first side instead of you",
        faces="Your dice, rolled by hand, in the order they fell: 17",
        their_faces="Their dice, rolled by hand",
        odds="Show the exact odds instead of rolling",
        **SECRET,
    )
    @app_commands.choices(by=BY, ties=TIES)
    @app_commands.autocomplete(dice=suggest_only_dice, their_dice=suggest_only_dice)
    async def contest(
        self,
        interaction: Interaction,
        dice: Dice | None = None,
        opponent: discord.User | None = None,
        their_dice: Dice | None = None,
        by: str | None = None,
        ties: str | None = None,
        name: Name | None = None,
        their_name: Name | None = None,
        between: discord.User | None = None,
        faces: Faces | None = None,
        their_faces: Faces | None = None,
        odds: bool = False,
        secret: bool = False,
        blind: bool = False,
    ) -> None:
        secrecy = secrecy_of(interaction, secret, blind)
        if (faces and between not in (None, interaction.user)) or (
            their_faces and opponent not in (None, interaction.user)
        ):
            raise PlayerError(TYPED_FOR_ANOTHER)
        first = {"dice": dice, "name": name, "faces": faces}
        second = {"their_dice": their_dice, "their_name": their_name, "their_faces": their_faces}
        declared = await declare(interaction, KEY, {"by": by, "ties": ties, **first, **second})
        if odds:
            await show_odds(interaction, KEY, declared)
            return
        if between is not None:
            await need_gm(interaction)
        await open_roll(interaction, KEY, declared, opponent, attacker=between, secrecy=secrecy)


async def setup(client: Client) -> None:
    await client.add_cog(Contest())
