"""`/xwing token`: what lies on a ship."""

from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.client import Interaction
from bot.render import fleet as cards
from bot.rules.xwing.fleet import Changes, Fleet, find
from bot.rules.xwing.ship import HELD_MOST, give
from bot.rules.xwing.tokens import KINDS, TOKENS
from bot.ui.names import Name
from bot.ui.panel import show_card
from cogs.xwing.options import step, suggested

Count = app_commands.Range[int, 1, HELD_MOST]
CHOICES: Final = [app_commands.Choice(name=kind, value=kind) for kind in KINDS]
OPTIONS: Final = {
    "ship": "The ship",
    "token": "Which kind of token, charge, shield or damage card",
    "count": "How many; 1 if you leave it out",
}


class Tokens(commands.Cog):
    """Everything here is one step, which `/table undo` takes back."""

    token = app_commands.Group(name="token", description="Tokens, force, charges, shields and damage on a ship")

    @token.command(name="give", description="A ship gets tokens, force, charges, shields or damage")
    @app_commands.describe(**OPTIONS)
    @app_commands.choices(token=CHOICES)
    @app_commands.autocomplete(ship=suggested)
    async def give_(self, interaction: Interaction, ship: Name, token: str, count: Count = 1) -> None:
        await moved(interaction, ship, token, count)

    @token.command(description="A ship loses tokens, force, charges, shields or damage")
    @app_commands.describe(**OPTIONS)
    @app_commands.choices(token=CHOICES)
    @app_commands.autocomplete(ship=suggested)
    async def take(self, interaction: Interaction, ship: Name, token: str, count: Count = 1) -> None:
        await moved(interaction, ship, token, -count)


async def moved(interaction: Interaction, name: str, kind: str, count: int) -> None:
    """So many of a kind come or go."""

    def change(ships: Fleet) -> Changes:
        ship = find(ships, name)
        return {ship.name: give(ship, kind, count)}

    many = TOKENS[kind].counted(abs(count)) if kind in TOKENS else kind
    done = f"gives {name} {many}" if count > 0 else f"takes {many} from {name}"
    made = await step(interaction, done, change, name)
    ship = find(made.after, name).name
    outcome = f"{ship} gets {many}." if count > 0 else f"{ship} loses {many}."
    await show_card(interaction, cards.step(outcome, made.before, made.after, "tokens"))
