"""X-Wing squads on Discord: pasted into a form or a command, or attached as a file; every pilot becomes a ship."""

from collections.abc import Mapping
from typing import Any, Final

import discord

from bot.client import Interaction
from bot.render.squad import squad_card
from bot.rules.errors import BadInput, PlayerError
from bot.rules.game import Field
from bot.rules.xwing import KEY
from bot.rules.xwing.fleet import join_all
from bot.rules.xwing.match import MATCH, Changes, Match, PlayerSide, Table, choose_side, match_of, ships_of
from bot.rules.xwing.ship import from_card
from bot.rules.xwing.squad import EXAMPLE, TEXT_MOST, parse
from bot.ui import address, question
from bot.ui.answer import answer
from bot.ui.display import card_message
from bot.ui.forms import modal
from bot.ui.names import clean, escape_markdown, person
from bot.ui.panel import user_display
from bot.ui.place import place

PASTE: Final = "squad:paste"
FIRST: Final = "side:first"
SECOND: Final = "side:second"
FIELD: Final = Field("xws", "XWS of your squad", EXAMPLE, longest=4000, lines=True)
FILE_MOST: Final = 4 * TEXT_MOST
"""Bytes of a file; a character has four at most."""


async def ask(interaction: Interaction) -> None:
    """Open the form that takes a paste."""
    await answer(interaction).ask(modal("Your squad", address.write_form(PASTE), [FIELD]))


async def pasted(interaction: Interaction, filled: Mapping[str, str]) -> None:
    """The form came back."""
    await bring(interaction, filled.get(FIELD.key, ""))


async def attached(interaction: Interaction, file: discord.Attachment, side: PlayerSide | None = None) -> None:
    """A squad in a file. Raises ``BadInput`` for one that is too large or no text."""
    if file.size > FILE_MOST:
        raise BadInput("file", f"{file.size} bytes", f"at most {FILE_MOST:,} bytes of XWS")
    try:
        text = (await file.read()).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput("file", file.filename, "a text file with XWS in UTF-8") from error
    except discord.HTTPException as error:
        raise BadInput("file", file.filename, "a file that Discord gives me; please try again, or paste it") from error
    await bring(interaction, text, side)


async def bring(interaction: Interaction, text: str, side: PlayerSide | None = None) -> None:
    """Put the ships of squads on the table; whoever brings them owns them, and plays ``side``.

    A match begins with the first squad. Raises ``PlayerError`` for no XWS.
    """
    squads = parse(text)
    here, by = place(interaction), person(interaction.user)
    owner = await interaction.client.tables.player(here, by)

    def change(table: Table) -> Changes:
        cards = [card for squad in squads for card in squad.pilots]
        match = match_of(table) or Match()
        match = match if side is None else choose_side(match, owner.id, side)
        return {**join_all(ships_of(table), [from_card(card, owner.id) for card in cards]), MATCH: match}

    what = f"brings {', '.join(squad.name for squad in squads)}"
    made = await interaction.client.tables.step(here, by, KEY, what, change)
    match, ask_side = match_of(made.after), dict[str, Any]()
    if match is not None and not (match.first or match.second):
        grey = discord.ButtonStyle.secondary
        ask_side["view"] = question.buttons(FIRST, "I am the first player", SECOND, "I am the second player", grey)
    card = squad_card(squads, ships_of(made.before), ships_of(made.after))
    await answer(interaction).post(**card_message(card, await user_display(interaction)), **ask_side)


async def choose(interaction: Interaction, *, side: PlayerSide) -> None:
    """Somebody who has ships here says which player they are; the buttons go."""
    here, by = place(interaction), person(interaction.user)
    players = await interaction.client.tables.players(here)
    player = next((one for one in players.values() if one.person_id == by.id), None)
    if player is None:
        raise PlayerError("You have no ships here. Bring your squad with `/xwing squad` first.")

    def change(table: Table) -> Changes:
        match = match_of(table)
        if match is not None and (match.first or match.second):
            raise PlayerError("That is decided already. `/xwing squad` with `side` changes it.")
        return {MATCH: choose_side(match, player.id, side)}

    await interaction.client.tables.step(here, by, KEY, f"is the {side} player", change)
    shown = interaction.message.embeds[:1] if interaction.message else []
    name = escape_markdown(clean(by.name))
    await answer(interaction).update(
        content=f"{name} is the {side} player.", view=None, **({"embed": shown[0]} if shown else {})
    )
