"""A table as the parts of a page, in HTML: what happened, the roll with its dice, the squads, the turn order, the log.

It shows what the board, the cards and the turn order of the channel show to everybody, made of the same cards and
figures; nothing else of a roll or a piece reaches it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from bot.games import GAMES, Game
from bot.languages import Language
from bot.languages.say import SPOKEN
from bot.languages.say import said as said_in_language
from bot.render import table as table_page
from bot.render import text, tumble
from bot.render import turns as turns_page
from bot.render.card import Card, Mark, Roster, Strip, Team, Tile, Unit, chains
from bot.rules.text import Text
from bot.rules.turn_order import NAME, TurnOrder
from bot.sessions.roll import Played
from bot.sessions.watching import Happened, Table
from bot.ui import turns
from bot.ui.board import groups
from bot.ui.cards import card_in, card_of
from bot.ui.names import clean
from bot.ui.screen.html import EMPTY, Html, escaped, joined, tag
from bot.ui.screen.pictures import PICTURES, Die, Picture

NAMES: Final = ("head", "said", "roll", "teams", "rest", "order", "log")
"""The parts of a page."""
PIPS_MOST: Final = 16
"""Points of hull or shields that are drawn one by one."""
SMALL: Final = 8
"""Dice of a roll in the log."""
NOTHING: Final = Text("Nothing has happened here yet.")
CLOCK: Final = Text("Time left")
WAITING: Final = Text("Waiting for the first roll.")


@dataclass(frozen=True, slots=True)
class DrawnGame:
    """What a page shows of one game's pieces."""

    summary: str = ""
    clock: int = 0
    teams: Html = EMPTY
    rest: Html = EMPTY


class Drawing:
    """Draws one table, again and again; what has not changed since is not drawn again."""

    def __init__(self) -> None:
        self.language = SPOKEN.get()
        self._games: dict[str, tuple[Mapping[int, str], DrawnGame]] = {}
        self._cards: dict[int, tuple[Played, Card]] = {}
        self._entries: dict[int, tuple[Played, Html]] = {}

    def parts(self, table: Table) -> dict[str, str]:
        """All parts of the page."""
        for game in table.changed:
            self._games.pop(game, None)
        table.changed.clear()
        owners = {number: clean(player.name) for number, player in table.players.items()}
        # The turn order has a part of its own.
        held = [self._game(table, key, owners) for key, pieces in table.pieces.items() if pieces and key != turns.KEY]
        rolls = list(table.rolls.values())
        current, before = (rolls[-1], rolls[:-1]) if rolls else (None, [])
        self._cards = {key: one for key, one in self._cards.items() if key in table.rolls}
        self._entries = {key: one for key, one in self._entries.items() if key in table.rolls}
        return {
            "head": head(table, held),
            "said": escaped(self._said(table.last)),
            "roll": roll(current, self._card(current)) if current else tag("p", WAITING, class_="empty"),
            "teams": joined([one.teams for one in held]),
            "rest": joined([one.rest for one in held]),
            "order": order(table),
            "log": tag("ul", *(self._entry(one) for one in reversed(before)), class_="rolls") if before else EMPTY,
        }

    def _game(self, table: Table, key: str, owners: Mapping[int, str]) -> DrawnGame:
        known = self._games.get(key)
        if known is None or known[0] != owners:
            known = self._games[key] = (owners, draw_game(GAMES[key], table.pieces[key], owners))
        return known[1]

    def _card(self, played: Played) -> Card:
        known = self._cards.get(played.session)
        if known is None or known[0] is not played:
            known = self._cards[played.session] = (played, said_in_language(card_of(played)))
        return known[1]

    def _entry(self, played: Played) -> Html:
        known = self._entries.get(played.session)
        if known is None or known[0] is not played:
            known = self._entries[played.session] = (played, entry(self._card(played)))
        return known[1]

    def _said(self, last: Happened | None) -> str:
        """What has just happened, in one sentence."""
        if last is None:
            return NOTHING
        if last.roll is not None:
            return self._card(last.roll).outcome
        return Text("{who} {what}.", who=clean(last.by), what=last.what)


def draw_game(game: Game, held: Mapping[str, Any], owners: Mapping[int, str]) -> DrawnGame:
    board = game.board
    if board is None:
        return DrawnGame(rest=joined([facts(one) for one in groups({game.key: held}, owners)]))
    figure, ending = board.picture(held, owners), game.ending
    return DrawnGame(
        summary=board.summary(held, owners),
        clock=ending.clock(held) if ending is not None else 0,
        teams=roster(figure) if isinstance(figure, Roster) else EMPTY,
    )


# What is in play


def head(table: Table, held: Sequence[DrawnGame]) -> Html:
    """How the games stand with their score, how long their clocks still run, and where a sealed table stands."""
    lines = [tag("p", one.summary, class_="summary") for one in held if one.summary]
    lines += [
        tag("p", tag("span", CLOCK), tag("time", "", data_until=one.clock), class_="clock") for one in held if one.clock
    ]
    if (mark := table.mark) is not None:
        at = Text("Sealed table: ply {place}, {digits}", place=mark.place, digits=mark.digits)
        lines.append(tag("p", at if mark.place else Text("Sealed table: nothing has happened yet"), class_="seal"))
    return joined(lines)


def facts(group: table_page.Group) -> Html:
    """Pieces in words, a name and its lines each."""
    rows = [tag("div", tag("dt", name), tag("dd", lines)) for name, lines in group.facts]
    return tag("section", tag("h2", group.title or Text(group.piece.one)), tag("dl", *rows), class_="facts")


def roster(shown: Roster) -> Html:
    return joined([team(one) for one in shown.teams])


def team(shown: Team) -> Html:
    units = [unit(one, SPOKEN.get()) for one in shown.units]
    return tag("section", tag("h2", shown.title), tag("ul", *units, class_="units"), class_="team")


@lru_cache(maxsize=2048)
def unit(shown: Unit, _language: Language) -> Html:
    """A ship: initiative, name, what is left of it, its tokens; of each language one."""
    state = text.STATES.get(shown.state, "")
    points = [pips("hull", Text("Hull"), shown.hull)]
    points += [pips("shields", Text("Shields"), shown.shields)] if shown.shields[1] else []
    if shown.dice is not None:
        points += [value(*one) for one in zip((Text("Attack"), Text("Agility")), shown.dice, strict=True)]
    return tag(
        "li",
        tag("span", str(shown.initiative), class_="initiative", title=Text("Initiative")),
        tag("h3", shown.name, tag("small", state) if state else None),
        tag("div", *points, class_="points"),
        tag("ul", *map(mark, shown.marks), class_="marks") if shown.marks else None,
        class_=f"unit {shown.state}".strip(),
    )


def pips(kind: str, name: str, points: tuple[int, int]) -> Html:
    """What is left of hull or shields, as points and as a number."""
    left, whole = points
    drawn = [tag("i", class_="on" if at < left else None) for at in range(whole if whole <= PIPS_MOST else 0)]
    return tag(
        "span",
        tag("b", name, class_="name"),
        tag("span", *drawn, class_="pips", aria_hidden="true"),
        tag("b", f"{left}/{whole}", class_="count"),
        class_=kind,
    )


def value(name: str, number: int) -> Html:
    """A number of a ship's card."""
    return tag("span", tag("b", name, class_="name"), tag("b", str(number), class_="count"), class_="value")


def mark(shown: Mark) -> Html:
    return tag("li", text.mark(shown), class_=f"mark {shown.tone}")


def order(table: Table) -> Html:
    """The turn order, if one runs."""
    found = table.pieces[turns.KEY].get(NAME)
    if not isinstance(found, TurnOrder):
        return Html()
    called = turns.name_of(table.players)
    lines = [
        tag("li", turns_page.line(place, one, found, called), class_="now" if one.number == found.current else None)
        for place, one in enumerate(found.in_order, start=1)
    ]
    title = turns_page.headline(found, called)
    return tag("section", tag("h2", turns_page.TITLE), tag("p", title), tag("ol", *lines), class_="order")


# What happened


def roll(played: Played, card: Card) -> Html:
    """A roll as its card shows it, the dice that have just fallen tumbling."""
    before = card_in(played, played.before) if played.before is not None else None
    dice = sum(len(one.tiles) for one in card.strips)
    fell = tumble.thrown(card, before) if played.is_new else [False] * dice
    return article(card, fell)


def article(card: Card, fell: Sequence[bool]) -> Html:
    """A card; ``fell`` says of each die whether it tumbles."""
    falls = iter(fell)
    strips = [strip(one, [next(falls) for _ in one.tiles]) for one in card.strips]
    small = card.below or card.small
    return tag(
        "article",
        tag("h2", card.title, class_="title"),
        tag("div", *strips, class_="strips") if any(one.tiles for one in card.strips) else None,
        tag("p", card.turn, class_="turn") if card.turn else None,
        image(card.figure, card.alt, "chart") if card.figure is not None else None,
        tag("p", small, class_="small") if small else None,
        tag("ul", *(tag("li", line) for line in card.trail), class_="trail") if card.trail else None,
        class_=f"roll {card.ahead} {'open' if card.turn else 'over'}",
    )


def strip(shown: Strip, fell: Sequence[bool]) -> Html:
    """The dice of one pool, chained ones together."""
    falls = iter(fell)
    items = []
    for chain in chains(shown.tiles):
        dice = [die(one, next(falls), holds=at + 1 < len(chain)) for at, one in enumerate(chain)]
        items.append(tag("li", *dice, class_="chain" if len(dice) > 1 else None))
    label = tag("h3", shown.label) if shown.label else None
    return tag("div", label, tag("ul", *items, class_="dice"), class_=f"strip{' beside' if shown.beside else ''}")


def die(shown: Tile, fell: bool = False, *, holds: bool = False) -> Html:
    return image(Die(shown, holds), text.tile_text(shown), "die new" if fell else "die")


def image(shown: Picture, alt: str, kind: str) -> Html:
    return tag(
        "img", src=f"die/{PICTURES.address(shown)}.png", alt=alt, class_=kind, decoding="sync", draggable="false"
    )


def entry(card: Card) -> Html:
    """A roll in the list of the last ones."""
    tiles = [one for shown in card.strips for one in shown.tiles]
    dice = [die(one) for one in tiles[:SMALL]]
    more = tag("span", f"+{len(tiles) - SMALL}") if len(tiles) > SMALL else None
    turn = tag("small", card.turn) if card.turn else None
    shown = tag("div", *dice, more, class_="dice", aria_hidden="true") if dice else None
    return tag("li", tag("p", card.outcome, turn), shown)
