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
from bot.ui.address import BoardAddress
from bot.ui.components import OPTIONS_MOST, ROW, Component, Components, button, option, rows, select

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


def view(pieces: Mapping[str, Mapping[str, Any]], selected: str = "") -> Components | None:
    """The components of a board; None for a table that has nothing to control."""
    found = controlled(pieces)
    if found is None:
        return None
    game, controls = found
    table = pieces[game.key]
    name = selected if selected in table else controls.first(table)
    offers, here = controls.offers(table, name), (mark(key(name)), mark(table.get(name)))
    buttons = [
        button(one.label, BoardAddress(*here, one.key), discord.ButtonStyle.primary)
        for one in offers
        if not one.closes and not one.options
    ]
    selects = [offer_select(one, BoardAddress(*here, one.key)) for one in offers if one.options]
    match = mark(table.get(controls.MATCH))
    ends = [
        button(one.label, BoardAddress(here[0], match, one.key), discord.ButtonStyle.success)
        for one in offers
        if one.closes
    ]
    ends += [
        button(label, BoardAddress(NOTHING, NOTHING, offer))
        for offer, label in ((UNDO, Text("Undo")), (HISTORY, Text("History")))
    ]
    choices = controls.pieces(table)
    pick = [piece_select(choices, name)] if choices else []
    return Components(pick, *rows(buttons[: 2 * ROW]), *([one] for one in selects), ends)


def piece_select(choices: tuple[Option, ...], name: str) -> Component:
    options = [
        option(one.label, mark(key(one.value)), one.detail, is_picked=one.value == name)
        for one in choices[:OPTIONS_MOST]
    ]
    return select(Text("Select a ship"), BoardAddress(NOTHING, NOTHING, SELECT), options)


def offer_select(offer: Offer, at: BoardAddress) -> Component:
    options = [option(one.label, one.value, one.detail) for one in offer.options[:OPTIONS_MOST]]
    return select(offer.label, at, options)
