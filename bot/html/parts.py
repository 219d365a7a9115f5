"""A table's public cards and figures as parts of an HTML page: latest event, roll, squads, turn order, log."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from typing import Final

from bot.html.html import EMPTY, Html, escaped, filled_tag, join_html, tag
from bot.html.pictures import PICTURES, Picture, PictureDie
from bot.languages import Language
from bot.languages.translate import CURRENT_LANGUAGE
from bot.render import plain_text, table as table_page, turns as turns_page
from bot.render.card import Card, Dials, Figure, Roster, RosterShip, Strip, Team, Tile, chains
from bot.rules.text import UNNAMED, Code, Shown, Text, term
from bot.rules.turn_order import TITLE, TurnOrder

NAMES: Final = ("head", "said", "roll", "teams", "rest", "order", "log")
MAX_PIPS: Final = 16
"""Maximum hull or shield points drawn one by one."""
SMALL: Final = 8
"""Dice of a roll in the log."""


@dataclass(frozen=True, slots=True)
class DrawnGame:
    """One game's pieces on a page: status, end of its clock (0 for none), as a picture or in words."""

    summary: Shown = UNNAMED
    clock: int = 0
    teams: Html = EMPTY
    rest: Html = EMPTY


def render_parts(
    *,
    said: Shown,
    seal: tuple[int, str] | None = None,
    games: Sequence[DrawnGame] = (),
    current: Html = EMPTY,
    order: Html = EMPTY,
    before: Sequence[Html] = (),
) -> dict[str, str]:
    """Return all parts of the page. ``said``: the latest event. ``seal``: position and digits of the newest sealed ply.
    ``current``: the roll shown large, ``before``: the others' entries, newest first.
    """
    return {
        "head": head(games, seal),
        "said": escaped(said),
        "roll": current or tag("p", Text("Waiting for the first roll."), class_="empty"),
        "teams": join_html([game.teams for game in games]),
        "rest": join_html([game.rest for game in games]),
        "order": order,
        "log": tag("ul", *before, class_="rolls") if before else EMPTY,
    }


# Pieces in play


def head(games: Sequence[DrawnGame], seal: tuple[int, str] | None) -> Html:
    """Return the header: score and clock of each game, and the sealed table's place."""
    lines = [tag("p", game.summary, class_="summary") for game in games if game.summary]
    clocks = (tag("time", EMPTY, data_until=game.clock) for game in games if game.clock)
    lines += [tag("p", tag("span", Text("Time left")), clock, class_="clock") for clock in clocks]
    if seal is not None:
        place, digits = seal
        at = Text("Sealed table: ply {place}, {digits}", place=place, digits=Code(digits))
        lines.append(tag("p", at if place else Text("Sealed table: nothing has happened yet"), class_="seal"))
    return join_html(lines)


def facts(group: table_page.PieceGroup) -> Html:
    return tag("section", tag("h2", group.title or term(group.piece.one)), named_list(group.facts), class_="facts")


def named_list(facts: Iterable[tuple[Shown, Shown]]) -> Html:
    return tag("dl", *(tag("div", tag("dt", name), tag("dd", lines)) for name, lines in facts))


def roster(shown: Figure | None) -> Html:
    """Return a drawn game's squads; other figures are for cards only."""
    if isinstance(shown, Dials):
        lines = [tag("p", plain_text.dial(dial), class_="dial") for dial in shown.dials]
        return join_html([*lines, roster(shown.ships)])
    return join_html([team(item) for item in shown.teams]) if isinstance(shown, Roster) else EMPTY


def team(shown: Team) -> Html:
    units = [unit(ship, CURRENT_LANGUAGE.get()) for ship in shown.units]
    return tag("section", tag("h2", shown.title), tag("ul", *units, class_="units"), class_="team")


@lru_cache(maxsize=2048)
def unit(shown: RosterShip, _language: Language) -> Html:
    """Return a ship: initiative, name, health, tokens; cached by language."""
    state = shown.called or plain_text.STATES.get(shown.state)
    points = [pips("hull", plain_text.BODIES[shown.body][0], shown.hull)] if shown.hull[1] else []
    points += [pips("shields", Text("Shields"), shown.shields)] if shown.shields[1] else []
    if shown.dice is not None:
        for name, number in zip((Text("Attack"), Text("Agility")), shown.dice, strict=True):
            count = tag("b", Code(number), class_="count")
            points.append(tag("span", tag("b", name, class_="name"), count, class_="value"))
    marks = [tag("li", plain_text.mark(mark), class_=f"mark {mark.tone}") for mark in shown.marks]
    return tag(
        "li",
        tag("span", Code(shown.initiative), class_="initiative", title=Text("Initiative"))
        if shown.initiative is not None
        else None,
        tag("h3", shown.name, filled_tag("small", state)),
        tag("div", *points, class_="points"),
        filled_tag("ul", *marks, class_="marks"),
        class_=f"unit {shown.state}".strip(),
    )


def pips(kind: str, name: Shown, points: tuple[int, int]) -> Html:
    """Return the remaining hull or shields, as dots and as a number."""
    left, whole = points
    drawn = [tag("i", class_="on" if at < left else None) for at in range(whole if whole <= MAX_PIPS else 0)]
    shown = tag("span", *drawn, class_="pips", aria_hidden="true")
    count = tag("b", Code(f"{left}/{whole}"), class_="count")
    return tag("span", tag("b", name, class_="name"), shown, count, class_=kind)


def order(shown: TurnOrder, called: turns_page.NameOf) -> Html:
    lines = list[Html]()
    for place, fighter in enumerate(shown.in_order, start=1):
        now = "now" if fighter.number == shown.current else None
        lines.append(tag("li", turns_page.line(place, fighter, shown, called), class_=now))
    title = turns_page.headline(shown, called)
    return tag("section", tag("h2", TITLE), tag("p", title), tag("ol", *lines), class_="order")


# The history


def article(card: Card, fell: Sequence[bool] = (), *, alone: bool = False, is_earlier: bool = False) -> Html:
    """Return a card; ``fell``: dice to animate; ``alone``: with its outcome and facts, if nothing else shows them.
    ``is_earlier``: the headline is about a later event, so the card has its own outcome.
    """
    falls = iter(fell or repeat(False))
    strips = [strip(item, [next(falls) for _ in item.tiles]) for item in card.strips]
    return tag(
        "article",
        tag("h2", card.title, class_="title"),
        tag("p", card.outcome, class_="outcome") if alone or is_earlier else None,
        tag("div", *strips, class_="strips") if any(item.tiles for item in card.strips) else None,
        tag("p", tag("b", card.number), card.unit, class_="number") if card.number else None,
        filled_tag("p", card.turn, class_="turn"),
        image(card.figure, card.alt, "chart") if card.figure is not None else None,
        tag("div", named_list(card.facts), class_="facts") if alone and card.facts else None,
        filled_tag("p", card.below or card.small, class_="small"),
        filled_tag("ul", *(tag("li", line) for line in card.trail), class_="trail"),
        class_=f"roll {card.ahead} {'open' if card.turn else 'over'}{' earlier' * is_earlier}",
    )


def strip(shown: Strip, fell: Sequence[bool]) -> Html:
    """Return one pool's dice, chained ones together."""
    falls = iter(fell)
    items = []
    for chain in chains(shown.tiles):
        dice = [die(tile, next(falls), holds=at + 1 < len(chain)) for at, tile in enumerate(chain)]
        items.append(tag("li", *dice, class_="chain" if len(dice) > 1 else None))
    label = filled_tag("h3", shown.label)
    return tag("div", label, tag("ul", *items, class_="dice"), class_=f"strip{' beside' if shown.beside else ''}")


def die(shown: Tile, fell: bool = False, *, holds: bool = False) -> Html:
    return image(PictureDie(shown, holds), plain_text.tile_text(shown), "die new" if fell else "die")


def image(shown: Picture, alt: Shown, kind: str) -> Html:
    address = f"die/{PICTURES.address(shown)}.png"
    return tag("img", src=address, alt=alt, class_=kind, decoding="sync", draggable="false")


def entry(card: Card) -> Html:
    tiles = [tile for shown in card.strips for tile in shown.tiles]
    dice = [die(tile) for tile in tiles[:SMALL]]
    more = tag("span", Code(f"+{len(tiles) - SMALL}")) if len(tiles) > SMALL else None
    shown = filled_tag("div", *dice, more, class_="dice", aria_hidden="true")
    return tag("li", tag("p", card.outcome, filled_tag("small", card.turn)), shown)
