"""The buttons and lists of a board: select a piece, do something with it, end a phase, undo, look at the history.

Each id carries which piece it is about and what was shown of it (``bot.ui.board_press`` reads it).
"""

from binascii import crc32
from collections.abc import Mapping
from typing import Any, Final

import discord

from bot.games import GAMES, Game
from bot.rules.game import Offer, Option
from bot.rules.pieces import Controls, key
from bot.rules.text import Text
from bot.ui import address
from bot.ui.address import BoardAddress
from bot.ui.components import ROW
from bot.ui.say import say

NOTHING: Final = "00000000"
SELECT: Final = "ship"
UNDO: Final = "undo"
HISTORY: Final = "history"


def controlled(pieces: Mapping[str, Mapping[str, Any]]) -> tuple[Game, Controls] | None:
    """The game whose pieces the board controls: the first one with controls that has pieces; ``pieces`` by game."""
    boards = ((game, game.board) for game in GAMES.values() if pieces.get(game.key))
    return next(((game, board.controls) for game, board in boards if board is not None), None)


def mark(thing: object) -> str:
    """Eight hexadecimal digits of anything, by which a press knows it again."""
    return f"{crc32(str(thing).encode()):08x}"


def view(pieces: Mapping[str, Mapping[str, Any]], selected: str = "") -> discord.ui.View | None:
    """The components of a board; None for a table that has nothing to control."""
    found = controlled(pieces)
    if found is None:
        return None
    game, controls = found
    table = pieces[game.key]
    name = selected if selected in table else controls.first(table)
    shown = discord.ui.View(timeout=None)
    offers = controls.offers(table, name)
    if choices := controls.pieces(table):
        shown.add_item(piece_select(choices, name))
    buttons = [one for one in offers if not one.closes and not one.options]
    for place, offer in enumerate(buttons[: 2 * ROW]):
        shown.add_item(button(offer, table, name, row=1 if place < ROW else 2))
    for offer in [one for one in offers if one.options]:
        shown.add_item(offer_select(offer, table, name))
    for offer in [one for one in offers if one.closes]:
        shown.add_item(button(offer, table, controls.MATCH, row=4, selected=name))
    for key_, label in ((UNDO, Text("Undo")), (HISTORY, Text("History"))):
        custom_id = address.write(BoardAddress(NOTHING, NOTHING, key_))
        shown.add_item(
            discord.ui.Button(label=say(label), style=discord.ButtonStyle.secondary, custom_id=custom_id, row=4)
        )
    shown.stop()
    return shown


def piece_select(choices: tuple[Option, ...], name: str) -> discord.ui.Select[discord.ui.View]:
    options = [
        discord.SelectOption(
            label=one.label[:100],
            value=mark(key(one.value)),
            description=one.detail[:100] or None,
            default=one.value == name,
        )
        for one in choices[:25]
    ]
    custom_id = address.write(BoardAddress(NOTHING, NOTHING, SELECT))
    return discord.ui.Select(custom_id=custom_id, placeholder=say(Text("Select a ship")), options=options, row=0)


def button(
    offer: Offer, table: Mapping[str, Any], name: str, row: int, selected: str = ""
) -> discord.ui.Button[discord.ui.View]:
    style = discord.ButtonStyle.success if offer.closes else discord.ButtonStyle.primary
    at = BoardAddress(mark(key(selected or name)), mark(table.get(name)), offer.key)
    return discord.ui.Button(label=say(offer.label)[:80], style=style, custom_id=address.write(at), row=row)


def offer_select(offer: Offer, table: Mapping[str, Any], name: str) -> discord.ui.Select[discord.ui.View]:
    options = [
        discord.SelectOption(label=say(one.label)[:100], value=one.value, description=say(one.detail)[:100] or None)
        for one in offer.options[:25]
    ]
    at = BoardAddress(mark(key(name)), mark(table.get(name)), offer.key)
    return discord.ui.Select(custom_id=address.write(at), placeholder=say(offer.label)[:150], options=options, row=3)
