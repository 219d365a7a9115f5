"""A watched table as the parts of its page, with the names that people have here.

It shows what the board, the cards and the turn order of the channel show to everybody; nothing else of a roll or a
piece reaches it.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

from bot.games import GAMES, Game
from bot.languages.say import SPOKEN, said
from bot.page import parts
from bot.page.html import EMPTY, Html, joined
from bot.page.parts import DrawnGame
from bot.render import tumble
from bot.rules.text import Text, Words, beside, ended
from bot.rules.turn_order import NAME, TurnOrder
from bot.sessions.roll import Played
from bot.sessions.watching import Happened, Table
from bot.ui import turns
from bot.ui.board import groups
from bot.ui.cards import card_in, card_of
from bot.ui.names import clean

NOTHING: Final = Text("Nothing has happened here yet.")


class DrawnRoll:
    """A roll as it stands: its card, said in the language that is spoken, and its line among the last rolls."""

    def __init__(self, played: Played) -> None:
        self.played = played
        self.card = said(card_of(played))

    @cached_property
    def entry(self) -> Html:
        return parts.entry(self.card)


class Drawing:
    """Draws one table, again and again; what has not changed since is not drawn again."""

    def __init__(self) -> None:
        self.language = SPOKEN.get()
        self._games: dict[str, tuple[Mapping[int, Words], DrawnGame]] = {}
        self._rolls: dict[int, DrawnRoll] = {}

    def parts(self, table: Table) -> dict[str, str]:
        """All parts of the page."""
        for game in table.changed:
            self._games.pop(game, None)
        table.changed.clear()
        owners = {number: clean(player.name) for number, player in table.players.items()}
        # The turn order has a part of its own.
        games = [self._game(table, key, owners) for key, pieces in table.pieces.items() if pieces and key != turns.KEY]
        rolls = [self._roll(one) for one in table.rolls.values()]
        self._rolls = {one.played.session: one for one in rolls}
        return parts.whole(
            said=self._said(table.last),
            seal=(table.mark.place, table.mark.digits) if table.mark is not None else None,
            games=games,
            current=large(rolls[-1]) if rolls else EMPTY,
            order=order(table),
            before=[one.entry for one in reversed(rolls[:-1])],
        )

    def _game(self, table: Table, key: str, owners: Mapping[int, Words]) -> DrawnGame:
        known = self._games.get(key)
        if known is None or known[0] != owners:
            known = self._games[key] = (owners, draw_game(GAMES[key], table.pieces[key], owners))
        return known[1]

    def _roll(self, played: Played) -> DrawnRoll:
        known = self._rolls.get(played.session)
        return known if known is not None and known.played is played else DrawnRoll(played)

    def _said(self, last: Happened | None) -> Words:
        """What has just happened, in one sentence."""
        if last is None:
            return NOTHING
        if last.roll is not None:
            return self._roll(last.roll).card.outcome
        return ended(beside(clean(last.by), last.what))


def draw_game(game: Game, held: Mapping[str, Any], owners: Mapping[int, Words]) -> DrawnGame:
    board, ending = game.board, game.ending
    in_words = joined([parts.facts(one) for one in groups({game.key: held}, owners)])
    if board is None:
        return DrawnGame(rest=in_words)
    figure = board.picture(held, owners)
    return DrawnGame(
        summary=board.summary(held, owners),
        clock=ending.clock(held) if ending is not None else 0,
        teams=parts.roster(figure),
        rest=in_words if figure is None else EMPTY,
    )


def large(shown: DrawnRoll) -> Html:
    """A roll as its card shows it, the dice that have just fallen tumbling."""
    played, card = shown.played, shown.card
    if not played.is_new:
        return parts.article(card)
    return parts.article(
        card, tumble.thrown(card, card_in(played, played.before) if played.before is not None else None)
    )


def order(table: Table) -> Html:
    """The turn order, if one runs."""
    found = table.pieces[turns.KEY].get(NAME)
    return parts.order(found, turns.name_of(table.players)) if isinstance(found, TurnOrder) else EMPTY
