"""`/xwing ship`: the ships of a channel."""

from collections.abc import Mapping

from discord import app_commands
from discord.ext import commands

from bot.client import Interaction
from bot.render import fleet as cards
from bot.rules.xwing import fleet as table
from bot.rules.xwing.declared import HULL_MOST, TOKENS_MOST
from bot.rules.xwing.fleet import Changes, Fleet, find
from bot.rules.xwing.ship import launch, refit
from bot.ui.names import Name
from bot.ui.panel import show_card
from cogs.xwing.options import Pool, Words, fleet, step, suggested

Hull = app_commands.Range[int, 1, HULL_MOST]
Shields = app_commands.Range[int, 0, HULL_MOST]
Charges = app_commands.Range[int, 0, TOKENS_MOST]
Initiative = app_commands.Range[int, 0, 8]

CARD = {
    "name": "The ship's name at this table",
    "attack": "Its weapon value",
    "agility": "Its agility",
    "hull": "Its hull",
    "shields": "Its shields",
    "force": "Its force charges",
    "charge": "Its recurring charges; give others with /xwing token give",
    "initiative": "Its pilot's initiative",
    "abilities": "Card effects, e.g. reroll 1 blank, change 1 focus to hit; none: no effects",
}


def chosen(given: Mapping[str, int | str | None]) -> dict[str, int | str]:
    """What was typed of a ship card."""
    card = {field: value for field, value in given.items() if value is not None}
    if str(card.get("abilities", "")).strip().casefold() == "none":
        card["abilities"] = ""
    return card


class Ships(commands.Cog):
    """Everything here is one step, which `/table undo` takes back."""

    ship = app_commands.Group(name="ship", description="The ships of this channel")

    @ship.command(description="Add a ship to the table of this channel")
    @app_commands.describe(**CARD)
    async def add(
        self,
        interaction: Interaction,
        name: Name,
        attack: Pool = 0,
        agility: Pool = 0,
        hull: Hull = 1,
        shields: Shields = 0,
        force: Charges = 0,
        charge: Charges = 0,
        initiative: Initiative = 0,
        abilities: Words | None = None,
    ) -> None:
        card = {"attack": attack, "agility": agility, "hull": hull, "shields": shields, "force": force}
        more = {"charge": charge, "initiative": initiative, "abilities": abilities}
        ship = launch(name, **chosen({**card, **more}))
        made = await step(interaction, f"adds {ship.name}", lambda ships: table.join(ships, ship))
        await show_card(interaction, cards.step(f"{ship.name} joins the table.", made.before, made.after))

    @ship.command(name="set", description="Change numbers or abilities of a ship's card")
    @app_commands.describe(**CARD)
    @app_commands.autocomplete(name=suggested)
    async def set_(
        self,
        interaction: Interaction,
        name: Name,
        attack: Pool | None = None,
        agility: Pool | None = None,
        hull: Hull | None = None,
        shields: Shields | None = None,
        force: Charges | None = None,
        charge: Charges | None = None,
        initiative: Initiative | None = None,
        abilities: Words | None = None,
    ) -> None:
        card = {"attack": attack, "agility": agility, "hull": hull, "shields": shields, "force": force}
        given = chosen({**card, "charge": charge, "initiative": initiative, "abilities": abilities})

        def change(ships: Fleet) -> Changes:
            ship = find(ships, name, "name")
            return {ship.name: refit(ship, **given)}

        made = await step(interaction, f"changes {name}", change)
        ship = find(made.after, name, "name")
        await show_card(interaction, cards.step(f"{ship.name} has a new ship card.", made.before, made.after))

    @ship.command(description="Remove a ship from the table; its locks and the locks on it break")
    @app_commands.describe(name="The ship")
    @app_commands.autocomplete(name=suggested)
    async def remove(self, interaction: Interaction, name: Name) -> None:
        made = await step(
            interaction, f"removes {name}", lambda ships: table.removed(ships, [find(ships, name, "name").name])
        )
        gone = find(made.before, name, "name").name
        await show_card(interaction, cards.step(f"{gone} leaves the table.", made.before, made.after))

    @ship.command(name="list", description="All ships of this channel: hull, shields, tokens, locks")
    async def list_(self, interaction: Interaction) -> None:
        await show_card(interaction, cards.board(await fleet(interaction)))
