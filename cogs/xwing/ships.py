"""`/xwing squad` and `/xwing ship`: the ships of a channel."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Interaction
from bot.languages.translate import translate
from bot.render.xwing import fleet as cards
from bot.rules.errors import BadInputError, Example, PlayerError, UnknownWordError
from bot.rules.pieces import BoardChange
from bot.rules.text import N_, Code, Name, Names, Text
from bot.rules.xwing.cards.card_sets import CardSet
from bot.rules.xwing.cards.cards import by_numbers, pilot_ship
from bot.rules.xwing.cards.pilots import find_pilots, search_key
from bot.rules.xwing.table import ship as table
from bot.rules.xwing.table.match import ships_of
from bot.rules.xwing.table.ship import Changes, Fleet, Ship, find, from_card, launch, refit
from bot.rules.xwing.table.squad import find_pilot
from bot.rules.xwing.table.squad_text import nearest_pilot
from bot.sessions.request import Person
from bot.ui.commands import options
from bot.ui.commands.options import MISSING, OPTION_LONGEST, CommandOption, Given, choice, takes
from bot.ui.core import uploads
from bot.ui.core.components import CommandAddress
from bot.ui.core.request_context import NameOption, clean, language_of_reader, person, place, request
from bot.ui.roll import roll_message
from cogs.xwing import squads
from cogs.xwing.cards import card_sets
from cogs.xwing.options import ADD, ADD_FORM, CARD, KEY, PILOT_LONGEST, SHIP, Typed, pieces, step, suggest

Pilot = app_commands.Range[str, 1, PILOT_LONGEST]
PLAYER: Final = CommandOption("player", discord.User, Text("Its new owner"), MISSING)
NAME: Final = CommandOption("name", NameOption, Text("The ship's name at this table"), MISSING, suggest=suggest)
NUMBERS: Final = CommandOption("numbers", Typed, Text("Instead of a pilot: 3/2/4/2 i5"))
HOW_MANY: Final = CommandOption("count", app_commands.Range[int, 1, 8], Text("How many of them"), 1)
OWNER: Final = CommandOption("player", discord.User, Text("Owner. Default: you"))
NEW_NAME: Final = CommandOption("name", NameOption, Text("Its name. Default: the pilot's"))
NAMED: Final = 3
"""Maximum pilots named in an error."""
PLAYERS: Final = (choice(Text("the first player"), "first"), choice(Text("the second player"), "second"))
SQUAD: Final = (
    CommandOption(
        "text",
        app_commands.Range[str, 1, OPTION_LONGEST],
        Text("Your squad: XWS, or its text list. Default: a form opens"),
    ),
    CommandOption("file", discord.Attachment, Text("A text file with XWS in it")),
    CommandOption("side", str, Text("Which player you are. Default: you are asked"), choices=PLAYERS),
)


def typed_stats(given: Given) -> dict[str, int | str]:
    card: dict[str, int | str] = {option.name: given[option.name] for option in CARD if given[option.name] is not None}
    if str(card.get("abilities", "")).strip().casefold() == "none":
        card["abilities"] = ""
    return card


def new_ship(name: str | None, pilot: str | None, numbers: str | None, cards: CardSet, language: str = "") -> Ship:
    """Return a ship from a pilot, its numbers, or a name alone, typed in a language. Raises ``PlayerError``."""
    if pilot and numbers:
        raise BadInputError("numbers", numbers, Text("Leave it out with `pilot`: the card has its own."))
    if pilot:
        card = pilot_ship(known_pilot(pilot, cards, language), cards=cards)
        return from_card(replace(card, name=launch(name).name) if name else card)
    if not name:
        raise BadInputError("name", name, Text("Use a name for the ship, unless you name a `pilot`."))
    return from_card(by_numbers(name, numbers)) if numbers else launch(name)


def known_pilot(typed: str, cards: CardSet, language: str = "") -> str:
    """Return the id of a pilot selected or typed in a language. Raises ``BadInputError``."""
    if (result := find_pilot(typed, cards)) is not None:
        return result
    near = find_pilots(typed, cards, NAMED, language) if search_key(typed) else []
    if len(near) == 1:
        return near[0].pilot
    names = [pilot.label for pilot in near] or [*filter(None, [nearest_pilot(typed, [cards])])]
    meant = [Text("Did you mean {card}?", card=Names([Code(f"`{name}`") for name in names], "or"))] if names else []
    raise UnknownWordError("pilot", typed, *meant, Text("Use the name of a pilot as printed on its card."))


def named_pilot(typed: str, cards: CardSet, language: str = "") -> str:
    """Return the id of the pilot with this printed name or id, the first listed one of several; "" for none."""
    result = [pilot.pilot for pilot in find_pilots(typed, cards, language=language) if pilot.name == search_key(typed)]
    return result[0] if result else find_pilot(typed, cards) or ""


async def pilots(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    cards, *_ = await card_sets(interaction)
    result = find_pilots(str(typed), cards, language=language_of_reader(interaction).key)
    return [app_commands.Choice(name=translate(Name(pilot.label)), value=pilot.pilot) for pilot in result]


PILOT: Final = CommandOption("pilot", Pilot, Text("A pilot uses the numbers on its card"), suggest=pilots)


def new_owner(interaction: Interaction, player: discord.User | discord.Member | None) -> Person:
    """Return a ship's owner: the named person, else the caller. Raises ``PlayerError`` for another bot."""
    owner = interaction.user if player is None else player
    if owner.bot and owner != interaction.client.user:
        raise PlayerError(Text("I'm the only bot that can play. Name a person or me as `player`."))
    return person(owner)


async def ask_numbers(interaction: Interaction, name: str) -> None:
    """Ask for the numbers of a ship known by name only. Raises ``BadInputError`` after a form."""
    if interaction.type is discord.InteractionType.modal_submit:
        raise BadInputError("numbers", None, Example("3/2/4/2 i5"))
    fields = [replace(field, value=name if field.key == "name" else field.value) for field in ADD]
    await options.ask(interaction, ADD_FORM[options.FORM], CommandAddress("xwing-ship-add"), fields)


class ShipCommands(commands.Cog):
    """Each command is one step, which `/table undo` reverts."""

    ship = app_commands.Group(name="ship", description="This channel's ships")

    @app_commands.command(description="Add your squad: paste its XWS, or attach it as a file")
    @takes(*SQUAD)
    async def squad(self, interaction: Interaction, given: Given) -> None:
        text, file, side = (given[item] for item in ("text", "file", "side"))
        if file is not None:
            await squads.bring_squads(interaction, await uploads.fetch(interaction, file, Code("XWS")), side)
        elif text is not None:
            await squads.bring_squads(interaction, text, side)
        else:
            await squads.ask_or_take(interaction, side)

    @ship.command(description="Add a ship to the table: a pilot, or a name and numbers", extras=ADD_FORM)
    @takes(replace(NEW_NAME, suggest=pilots), PILOT, NUMBERS, HOW_MANY, OWNER, *CARD)
    async def add(self, interaction: Interaction, given: Given) -> None:
        name, count = given["name"], given["count"]
        cards_here, *_ = await card_sets(interaction)
        pilot, reader = given["pilot"], language_of_reader(interaction).key
        if name and not (pilot or given["numbers"] or typed_stats(given)):  # a pilot's name alone means that pilot
            name, pilot = (None, result) if (result := named_pilot(name, cards_here, reader)) else (name, None)
            if pilot is None:
                await ask_numbers(interaction, name or "")
                return
        bare = new_ship(name, pilot, given["numbers"], cards_here, reader)
        owner = await interaction.client.tables.player(place(interaction), new_owner(interaction, given["player"]))
        ship = replace(refit(bare, **typed_stats(given)), owner=owner.id)

        def change(ships: Fleet) -> Changes:
            return table.join(ships, ship) if name and count == 1 else table.join_all(ships, [ship] * count)

        message = N_("adds {ship} {count} times") if count > 1 else N_("adds {ship}")
        made = await step(interaction, Text(message, ship=ship.name, count=count), change)
        new = [item for item in made.after if item not in made.before]
        message = N_("{ships} joins the table.") if len(new) == 1 else N_("{ships} join the table.")
        await roll_message.show_change(
            interaction, cards.step(Text(message, ships=Names(new)), made.before, made.after)
        )

    @ship.command(name="set", description="Change numbers or abilities on a ship's card")
    @takes(NAME, *CARD)
    async def set_(self, interaction: Interaction, given: Given) -> None:
        name, card = given["name"], typed_stats(given)

        def change(ships: Fleet) -> Changes:
            ship = find(ships, name, "name")
            return {ship.name: refit(ship, **card)}

        result = await step(interaction, Text("changes {named}", named=Name(name)), change)
        outcome = Text("{ship} has a new ship card.", ship=find(result.after, name, "name").name)
        await roll_message.show_change(interaction, cards.step(outcome, result.before, result.after))

    @ship.command(description="Give a ship to another player")
    @takes(SHIP, PLAYER)
    async def give(self, interaction: Interaction, given: Given) -> None:
        ship, player = given["ship"], given["player"]
        to, asked = new_owner(interaction, player), await request(interaction)
        message = N_("takes {named}") if to.id == asked.by.id else N_("gives {named} to another player")

        def change(now: Mapping[str, Any], owner: int) -> BoardChange:
            moved = find(ships_of(now), ship)
            return BoardChange({moved.name: replace(moved, owner=owner)}, Text(message, named=moved.name))

        result = await interaction.client.tables.give(asked, KEY, to, change)
        moved = find(ships_of(result.after), ship).name
        outcome = Text("{ship} now belongs to {player}.", ship=moved, player=clean(player.display_name))
        await roll_message.show_change(
            interaction, cards.step(outcome, ships_of(result.before), ships_of(result.after))
        )

    @ship.command(description="Remove a ship from the table; locks break")
    @takes(NAME.with_description(Text("The ship")))
    async def remove(self, interaction: Interaction, given: Given) -> None:
        name = given["name"]
        what = Text("removes {named}", named=Name(name))
        result = await step(
            interaction, what, lambda ships: table.remove_ships(ships, [find(ships, name, "name").name]), name
        )
        outcome = Text("{gone} leaves the table.", gone=find(result.before, name, "name").name)
        await roll_message.show_change(interaction, cards.step(outcome, result.before, result.after))

    @ship.command(name="list", description="All ships in this channel")
    async def list_(self, interaction: Interaction) -> None:
        await roll_message.show_card(interaction, cards.board(ships_of(await pieces(interaction))))
