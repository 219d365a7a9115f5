"""X-Wing squads on Discord: pasted into a form or a command, or attached as a file; every pilot becomes a ship."""

from collections.abc import Mapping
from typing import Final

import discord

from bot.client import Interaction
from bot.render.squad import squad_card
from bot.rules.errors import BadInput
from bot.rules.game import Field
from bot.rules.xwing import KEY
from bot.rules.xwing.fleet import Changes, Fleet, join_all
from bot.rules.xwing.ship import from_card
from bot.rules.xwing.squad import EXAMPLE, TEXT_MOST, parse
from bot.ui import address
from bot.ui.answer import answer
from bot.ui.names import person
from bot.ui.panel import modal, show_card
from bot.ui.place import place

PASTE: Final = "squad:paste"
FIELD: Final = Field("xws", "XWS of your squad", EXAMPLE, longest=4000, lines=True)
FILE_MOST: Final = 4 * TEXT_MOST
"""Bytes of a file; a character has four at most."""


async def ask(interaction: Interaction) -> None:
    """Open the form that takes a paste."""
    await answer(interaction).ask(modal("Your squad", address.write_form(PASTE), [FIELD]))


async def pasted(interaction: Interaction, filled: Mapping[str, str]) -> None:
    """The form came back."""
    await bring(interaction, filled.get(FIELD.key, ""))


async def attached(interaction: Interaction, file: discord.Attachment) -> None:
    """A squad in a file. Raises ``BadInput`` for one that is too large or no text."""
    if file.size > FILE_MOST:
        raise BadInput("file", f"{file.size} bytes", f"at most {FILE_MOST:,} bytes of XWS")
    try:
        text = (await file.read()).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput("file", file.filename, "a text file with XWS in UTF-8") from error
    except discord.HTTPException as error:
        raise BadInput("file", file.filename, "a file that Discord gives me; please try again, or paste it") from error
    await bring(interaction, text)


async def bring(interaction: Interaction, text: str) -> None:
    """Put the ships of squads on the table; whoever brings them owns them. Raises ``PlayerError`` for no XWS."""
    squads = parse(text)
    here, by = place(interaction), person(interaction.user)
    owner = await interaction.client.tables.player(here, by)

    def change(ships: Fleet) -> Changes:
        return join_all(ships, [from_card(card, owner.id) for squad in squads for card in squad.pilots])

    what = f"brings {', '.join(squad.name for squad in squads)}"
    made = await interaction.client.tables.step(here, by, KEY, what, change)
    await show_card(interaction, squad_card(squads, made.before, made.after))
