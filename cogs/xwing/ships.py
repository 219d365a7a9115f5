"""`/xwing squad` and `/xwing ship`: the ships of a channel."""

from collections.abc import Mapping
from dataclasses import replace

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Interaction
from bot.render.xwing import fleet as cards
from bot.rules.errors import BadInput, PlayerError
from bot.rules.text import Names, Text
from bot.rules.xwing import fleet as table
from bot.rules.xwing.card_sets import CardSet
from bot.rules.xwing.cards import by_numbers, pilot_ship
from bot.rules.xwing.declared import HULL_MOST, TOKENS_MOST
from bot.rules.xwing.fleet import Changes, Fleet, find
from bot.rules.xwing.match import PlayerSide, ships_of
from bot.rules.xwing.pilots import find_pilots
from bot.rules.xwing.ship import Ship, from_card, launch, refit
from bot.rules.xwing.squad import find_pilot
from bot.ui.names import Name, clean, person
from bot.ui.panel import show_card, show_change
from bot.ui.place import place
from cogs.xwing import squads
from cogs.xwing.cards import card_sets
from cogs.xwing.forms import ADD_FORM
from cogs.xwing.options import Named, Pool, Words, pieces, step, suggested

Hull = app_commands.Range[int, 1, HULL_MOST]
Shields = app_commands.Range[int, 0, HULL_MOST]
Charges = app_commands.Range[int, 0, TOKENS_MOST]
Initiative = app_commands.Range[int, 0, 8]
COUNT_MOST = 8

CARD = {
    "name": Text("The ship's name at this table"),
    "attack": Text("Its weapon value"),
    "agility": Text("Its agility"),
    "hull": Text("Its hull"),
    "shields": Text("Its shields"),
    "force": Text("Its force charges"),
    "charge": Text("Its recurring charges"),
    "initiative": Text("Its pilot's initiative"),
    "abilities": Text("Card effects: reroll 1 blank, or none"),
}
ADD = CARD | {
    "name": Text("Its name. Default: the pilot's"),
    "pilot": Text("A pilot brings the numbers of its card"),
    "numbers": Text("In place of a pilot: 3/2/4/2 i5"),
    "count": Text("How many like this"),
    "player": Text("Whose it is. Default: yours"),
}


def chosen(given: Mapping[str, int | str | None]) -> dict[str, int | str]:
    """What was typed of a ship card."""
    card = {field: value for field, value in given.items() if value is not None}
    if str(card.get("abilities", "")).strip().casefold() == "none":
        card["abilities"] = ""
    return card


def new_ship(name: str | None, pilot: str | None, numbers: str | None, cards: CardSet) -> Ship:
    """A ship of a pilot, of its numbers, or of a name alone. Raises ``PlayerError``."""
    if pilot and numbers:
        raise BadInput("numbers", numbers, Text("Leave it out beside `pilot`, whose card has its own."))
    if pilot:
        card = pilot_ship(known_pilot(pilot, cards), cards=cards)
        return from_card(replace(card, name=launch(name).name) if name else card)
    if not name:
        raise BadInput("name", name, Text("Use a name for the ship, unless you name a `pilot`."))
    return from_card(by_numbers(name, numbers)) if numbers else launch(name)


def known_pilot(typed: str, cards: CardSet) -> str:
    """The id of a pilot that was picked from the list, or typed. Raises ``BadInput``."""
    found = find_pilot(typed, cards)
    if found is None:
        near = find_pilots(typed, cards, 2)
        if len(near) != 1:
            raise BadInput(
                "pilot", typed, Text("Use the name of a pilot; pick one from the list that appears as you type.")
            )
        found = near[0].pilot
    return found


async def pilots(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """The pilots that fit what is typed so far."""
    cards, *_ = await card_sets(interaction)
    return [app_commands.Choice(name=one.label, value=one.pilot) for one in find_pilots(str(typed), cards)]


async def owner_of(interaction: Interaction, player: discord.User | discord.Member | None) -> int:
    """The number of who shall own a new ship: who was named, else who adds it."""
    owner = interaction.user if player is None else player
    if owner.bot:
        raise PlayerError(Text("A bot cannot play. Name a person as `player`."))
    return (await interaction.client.tables.player(place(interaction), person(owner))).id


class Ships(commands.Cog):
    """Everything here is one step, which `/table undo` takes back."""

    ship = app_commands.Group(name="ship", description="The ships of this channel")

    @app_commands.command(description="Bring your squad: paste its XWS, or attach it as a file")
    @app_commands.describe(
        text="XWS from a squad builder. Default: a form opens",
        file="A text file with XWS in it",
        side="Which player you are. Default: you are asked",
    )
    async def squad(
        self,
        interaction: Interaction,
        text: str | None = None,
        file: discord.Attachment | None = None,
        side: PlayerSide | None = None,
    ) -> None:
        if file is not None:
            await squads.attached(interaction, file, side)
        elif text is not None:
            await squads.bring(interaction, text, side)
        else:
            await squads.ask_or_take(interaction, side)

    @ship.command(description="Add a ship to the table: a pilot, or a name and numbers", extras=ADD_FORM)
    @app_commands.describe(**ADD)
    @app_commands.autocomplete(pilot=pilots)
    async def add(
        self,
        interaction: Interaction,
        name: Name | None = None,
        pilot: str | None = None,
        numbers: Words | None = None,
        count: app_commands.Range[int, 1, COUNT_MOST] = 1,
        player: discord.User | None = None,
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
        cards_here, *_ = await card_sets(interaction)
        bare = new_ship(name, pilot, numbers, cards_here)
        ship = replace(refit(bare, **given), owner=await owner_of(interaction, player))

        def change(ships: Fleet) -> Changes:
            return table.join(ships, ship) if name and count == 1 else table.join_all(ships, [ship] * count)

        message = "adds {ship} {count} times" if count > 1 else "adds {ship}"
        made = await step(interaction, lambda _: Text(message, ship=ship.name, count=count), change)
        new = [one for one in made.after if one not in made.before]
        message = "{ships} joins the table." if len(new) == 1 else "{ships} join the table."
        await show_change(
            interaction,
            cards.step(Text(message, ships=Names(new)), made.before, made.after),
        )

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

        made = await step(interaction, lambda named: Text("changes {named}", named=named(name)), change)
        ship = find(made.after, name, "name")
        await show_change(
            interaction, cards.step(Text("{ship} has a new ship card.", ship=ship.name), made.before, made.after)
        )

    @ship.command(description="Give a ship to another player")
    @app_commands.describe(ship="The ship", player="Whose it is from now on")
    @app_commands.autocomplete(ship=suggested)
    async def give(self, interaction: Interaction, ship: Name, player: discord.User) -> None:
        new = await owner_of(interaction, player)

        def change(ships: Fleet) -> Changes:
            given = find(ships, ship)
            return {given.name: replace(given, owner=new)}

        def what(named: Named) -> str:
            is_self = player.id == interaction.user.id
            return (
                Text("takes {named}", named=named(ship))
                if is_self
                else Text("gives {named} to another player", named=named(ship))
            )

        made = await step(interaction, what, change)
        given = find(made.after, ship).name
        outcome = Text("{given} belongs to {display_name} now.", given=given, display_name=clean(player.display_name))
        await show_change(interaction, cards.step(outcome, made.before, made.after))

    @ship.command(description="Remove a ship from the table; locks break")
    @app_commands.describe(name="The ship")
    @app_commands.autocomplete(name=suggested)
    async def remove(self, interaction: Interaction, name: Name) -> None:
        made = await step(
            interaction,
            lambda named: Text("removes {named}", named=named(name)),
            lambda ships: table.removed(ships, [find(ships, name, "name").name]),
            name,
        )
        gone = find(made.before, name, "name").name
        await show_change(interaction, cards.step(Text("{gone} leaves the table.", gone=gone), made.before, made.after))

    @ship.command(name="list", description="All ships of this channel")
    async def list_(self, interaction: Interaction) -> None:
        await show_card(interaction, cards.board(ships_of(await pieces(interaction))))
