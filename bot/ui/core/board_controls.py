"""A board's buttons and lists, and next steps on a finished roll's card. One board serves everybody: it shows each
player's current piece, and each id contains these pieces with their state (parsed by ``bot.ui.table.board_actions``),
so nothing is kept in memory.
"""

from binascii import crc32
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final

import discord

from bot.games import GAMES, Game
from bot.games.game import Board
from bot.rules.game import MAX_OPTIONS, ButtonRank, Offer
from bot.rules.pieces import Controls, key
from bot.rules.plans import commitments
from bot.rules.text import Text
from bot.ui.core import components
from bot.ui.core.components import BoardAddress, Component, Components, button, option, rows, select

SELECT: Final = "piece"
ASIDE: Final = "list"
"""The offer of the list of rare choices; the selected one is meant."""
UNDO: Final = "undo"
HISTORY: Final = "history"
FINGERPRINTS: Final = "fingerprints"
MAX_PLAYERS: Final = 4
"""Maximum pieces in one id. Other players select a piece first."""
NAME_DIGITS: Final = 6
NEXT_ROWS: Final = 2

Pieces = Mapping[str, Mapping[str, Any]]
"""All pieces of a channel, by game and name."""


@dataclass(frozen=True, slots=True)
class ControlledGame:
    """A board's game with its pieces by name."""

    game: Game
    board: Board
    table: Mapping[str, Any]
    _offers: dict[str, tuple[Offer, ...]] = field(default_factory=dict, compare=False)

    def offers(self, name: str) -> tuple[Offer, ...]:
        """Return a piece's offers; a press asks for them up to three times."""
        if name not in self._offers:
            self._offers[name] = self.controls.offers(self.table, name)
        return self._offers[name]

    @property
    def controls(self) -> Controls:
        return self.board.controls

    def owner(self, name: str) -> int:
        """Return a piece's owner number, 0 for none."""
        return getattr(self.table.get(name), "owner", 0)

    def shown(self, selected: Mapping[int, str]) -> dict[int, str]:
        """Return the board's piece for each owner, by number; selections first."""
        names = [piece.value for piece in self.controls.pieces(self.table)]
        owners = [owner for owner in selected if any(self.owner(name) == owner for name in names)]
        owners = list(dict.fromkeys([*owners, *map(self.owner, names)]))[:MAX_PLAYERS]
        return {owner: self.controls.first(self.table, owner, selected.get(owner, "")) for owner in owners}

    def name_of_mark(self, piece: str) -> str:
        """Return a mark's piece by name; "" if it is gone."""
        names = (self.controls.MATCH, *self.table)
        return next((name for name in names if name_mark(name) == piece[:NAME_DIGITS]), "")

    def mark_of(self, name: str) -> str:
        """Return twelve hex digits for a piece: six for its name, six for its state. They are in public ids, so they
        only hash its public form.
        """
        body, see = self.table.get(name), self.game.table.seen
        seen = body if body is None or see is None else see(body)
        return f"{name_mark(name)}{mark(seen)[:NAME_DIGITS]}"


def in_order(pieces: Pieces) -> list[Game]:
    """Return the games in board order, running turns first."""
    return sorted(GAMES.values(), key=lambda game: not is_running(game, pieces.get(game.key)))


def is_running(game: Game, held: Mapping[str, Any] | None) -> bool:
    asked = None if game.table.board is None else game.table.board.is_running
    return asked is not None and bool(held) and asked(held or {})


def find_controlled(pieces: Pieces) -> ControlledGame | None:
    """Return what a board controls: the first game with controls and pieces; one whose turn runs comes first."""
    for game in in_order(pieces):
        if game.table.board is not None and pieces.get(game.key):
            return ControlledGame(game, game.table.board, pieces[game.key])
    return None


def mark(thing: object) -> str:
    """Return eight hex digits that identify a value."""
    return f"{crc32(str(thing).encode()):08x}"


def name_mark(name: str) -> str:
    return mark(key(name))[:NAME_DIGITS]


def view(pieces: Pieces, selected: Mapping[int, str]) -> Components | None:
    """Return a board's components: common controls as buttons, others in a list; None if there are none."""
    active = find_controlled(pieces)
    if active is None:
        return None
    controls, table = active.controls, active.table
    names = list(dict.fromkeys(active.shown(selected).values()))
    seen, marks = mark(table.get(controls.MATCH)), tuple(map(active.mark_of, names))

    def at(offer: str) -> BoardAddress:
        return BoardAddress(seen, offer, marks)

    offers = dict[str, Offer]()
    for item in chain(*sorted(map(active.offers, names), key=len, reverse=True)):
        if item.key not in offers or (offers[item.key].barred and not item.barred):
            offers[item.key] = item
    every = [*controls.table_offers(table), *sorted(offers.values(), key=lambda item: item.rank is not ButtonRank.MAIN)]
    buttons = [
        {**button(item.label, at(item.key), style(item)), **({"disabled": True} if item.barred else {})}
        for item in every
        if not item.is_aside
    ]
    buttons.append(button(Text("Undo"), at(UNDO)))
    seldom = [option(item.label, item.key) for item in every if item.is_aside]
    last = [*(option(label, key) for label, key in active.board.beside), option(Text("History"), HISTORY)]
    last += [option(Text("How?"), FINGERPRINTS, Text("the whole fingerprints"))] if commitments(table) else []
    seldom = [*seldom[: MAX_OPTIONS - len(last)], *last]
    selectable = controls.pieces(table)[:MAX_OPTIONS]
    choices = [option(item.label, name_mark(item.value), item.detail) for item in selectable]
    picks = [select(active.board.select, at(SELECT), choices)] if len(choices) > len(names) else []
    return Components(*rows(buttons[: 2 * components.ROW]), picks, [select(Text("More"), at(ASIDE), seldom)])


def of_empty() -> Components:
    """Return the buttons of an empty table, the most popular one first."""
    begins = [begin for game in GAMES.values() if game.table.board is not None for begin in game.table.board.begins]
    first, *others = [button(label, components.CommandAddress(path)) for label, path in begins]
    return Components(*rows([{**first, "style": discord.ButtonStyle.primary.value}, *others]))


def style(offer: Offer) -> discord.ButtonStyle:
    """Return a button's style: green for the next step, blue for an attack only."""
    styles = {ButtonRank.MAIN: discord.ButtonStyle.primary, ButtonRank.LEADS: discord.ButtonStyle.success}
    return styles.get(offer.rank, discord.ButtonStyle.secondary)


def next_rows(session: int, active: ControlledGame, board: str) -> list[list[Component]]:
    """Return a finished roll's next-step buttons and a ``board`` link."""
    buttons = []
    for name, offer in active.controls.next_offers(active.table):
        at = components.NextAddress(session, active.mark_of(name), offer.key)
        buttons.append(button(offer.label, at, style(offer)))
    if board:
        buttons.append(components.link_to(Text("Board"), board))
    return [list(row) for row in rows(buttons[: NEXT_ROWS * components.ROW])]
