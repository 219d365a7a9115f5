"""`/infinity`: Normal and Face to Face Rolls, whole orders, Saving Rolls."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.client import Client, Interaction
from bot.odds.infinity.sides import count_orders
from bot.render.infinity import troopers as cards
from bot.render.infinity.odds import orders_card
from bot.rules.infinity import KEY
from bot.rules.infinity.orders import forms, open_order
from bot.rules.infinity.table import markers
from bot.rules.infinity.troopers.trooper import find_exact
from bot.rules.text import Text, english
from bot.ui.commands.options import PRIVATE, SECRET, Given, declaration, takes
from bot.ui.core import card_messages, components, odds_link
from bot.ui.core.request_context import clean, in_user_language, number_people, place, with_mentions
from bot.ui.core.responses import answer
from bot.ui.dispatch import router
from bot.ui.roll import roll_message
from bot.ui.table import board_actions, plans
from cogs.infinity import options, reserve
from cogs.infinity.troopers import INSTEAD, TrooperGroup, use_option


async def ask_shot(interaction: Interaction, typed: Mapping[str, object], new: components.NewRoll) -> bool:
    """Open a shot's form if only names were typed, and the trooper has weapons; return whether it did."""
    if {key for key, value in typed.items() if value is not None} - {"name", "name_b"}:
        return False
    held_here = await options.channel_troopers(interaction)
    trooper = find_exact(held_here, str(typed["name"] or ""))
    if trooper is None or not trooper.weapons:
        return False
    fields = forms.shot_of(trooper, held_here, str(typed["name_b"] or ""))
    await roll_message.ask_roll(interaction, new, open_order.SHOT_TITLE, fields)
    return True


class Infinity(
    commands.GroupCog, group_name="infinity", group_description=english(Text("Infinity: Face to Face, orders, saves"))
):
    """Hits lead to Saving Rolls; a Face to Face without its other side waits for an answer."""

    profile = TrooperGroup(
        name="profile", description=english(Text("Troopers in this channel: a name stands for stats and weapons"))
    )

    @app_commands.command(description="Normal Roll: your dice, with no opposing roll", extras=options.ROLL_FORM)
    @takes(*options.ROLL, *SECRET)
    async def roll(self, interaction: Interaction, given: Given) -> None:
        typed, secrecy = declaration(given, *options.ROLL), given["secrecy"]
        if not await ask_shot(interaction, typed, components.NewRoll(KEY, secrecy=secrecy)):
            await roll_message.open_words(interaction, KEY, typed, secrecy=secrecy)

    @app_commands.command(
        description="Face to Face Roll; without their roll it waits for them", extras=options.VERSUS_FORM
    )
    @takes(*options.VERSUS, *SECRET)
    async def versus(self, interaction: Interaction, given: Given) -> None:
        secrecy, opponent = given["secrecy"], given["opponent"]
        typed = declaration(given, *options.VERSUS)
        if not await ask_shot(interaction, typed, components.NewRoll(KEY, "open", opponent and opponent.id, secrecy)):
            typed |= {"open": given["vs_sv"] is None}
            await roll_message.open_words(interaction, KEY, typed, opponent, secrecy=secrecy)

    @app_commands.command(description="Exact odds of a Normal or a Face to Face Roll", extras=options.ODDS_FORM)
    @takes(*options.COMPARED, options.ORDER, options.OR_ORDER)
    async def odds(self, interaction: Interaction, given: Given) -> None:
        if given["order"] is None:
            declared = await roll_message.declare(interaction, KEY, declaration(given, *options.COMPARED))
            names = given["name"] or Text("You"), given["vs_name"] or Text("Opponent")
            await roll_message.show_odds(interaction, KEY, declared, names)
            return
        texts = [text for text in (given["order"], given["or_order"]) if text]
        words = [number_people(await with_mentions(interaction, {"order": text}))[0] for text in texts]
        said = [(word, await roll_message.declare(interaction, KEY, word | {"odds": True})) for word in words]
        link = await odds_link.buttons(interaction, KEY, said=said)
        orders = [(text, order) for text, (_, order) in zip(texts, said, strict=True)]
        parts = {"view": components.Components(link)} if link else {}
        await roll_message.show_counted(interaction, partial(count_orders, orders), orders_card, **parts)

    @app_commands.command(description="Many troopers at once, one line each; without text, opens a form")
    @takes(*options.WHOLE, *SECRET)
    async def order(self, interaction: Interaction, given: Given) -> None:
        secrecy, opponent = given["secrecy"], given["opponent"]
        if given["text"] is not None:
            await roll_message.open_typed(
                interaction, KEY, declaration(given, *options.WHOLE), opponent, secrecy=secrecy
            )
            return
        held_here = await options.channel_troopers(interaction)
        fields = open_order.order_fields(held_here, await board_actions.number_here(interaction))
        new = components.NewRoll(KEY, "open" if given["aros"] else "", opponent and opponent.id, secrecy)
        await roll_message.ask_roll(interaction, new, open_order.ORDER_TITLE, fields)

    @app_commands.command(
        description="Put markers on the table; you say in private who is under them", extras={PRIVATE: True}
    )
    @takes(*options.MARKERS)
    async def marker(self, interaction: Interaction, given: Given) -> None:
        table = await interaction.client.tables.pieces(place(interaction), KEY)
        await plans.begin(interaction, KEY, markers.sheet_for(table, given["kind"], given["count"]))

    @app_commands.command(description="Saving Rolls for one target after hits")
    @takes(*options.SAVE, *SECRET)
    async def save(self, interaction: Interaction, given: Given) -> None:
        words = declaration(given, *options.SAVE)
        await roll_message.open_words(interaction, KEY, words, secrecy=given["secrecy"])


async def courtesy(interaction: Interaction) -> None:
    here, client = place(interaction), interaction.client
    owners = {number: clean(player.name) for number, player in (await client.tables.players(here)).items()}
    with in_user_language(interaction):
        card = cards.courtesy(await client.tables.pieces(here, KEY), owners)
        await answer(interaction).post_private(embed=card_messages.embed(card))


async def units(interaction: Interaction) -> None:
    """Show the presser all troopers with their profiles."""
    held = await interaction.client.tables.pieces(place(interaction), KEY)
    with in_user_language(interaction):
        await answer(interaction).post_private(embed=card_messages.embed(cards.board(held)))


ROUTES: Final[router.Routes] = {
    **{at: router.Route(reserve.press, is_private=True, on_private=True) for at in reserve.PRESSES},
    INSTEAD: router.Route(use_option, is_private=True, on_private=True),
}


async def setup(client: Client) -> None:
    await client.add_cog(Infinity())
    board_actions.CARDS.update(courtesy=courtesy, units=units)
    router.ROUTES.update(ROUTES)
