"""**Roll it** on the page: rolls a question's dice by the bot's rules and chance."""

import secrets
from collections.abc import Iterator, Sequence
from typing import Any, Final

from bot.games import Game
from bot.games.game import Form, Words
from bot.html.html import Html, escaped, filled_tag, tag
from bot.languages.translate import translate
from bot.render import luck, plain_text
from bot.render.card import Bars, Card, Tile
from bot.rules.dice import Rng
from bot.rules.game import ButtonRank, Choice
from bot.rules.text import Code, Sentences, Shown, Text

Roll = dict[str, object]
"""``html``: the roll; ``short``: its result for the list of earlier ones; ``bar``: the id of its bar in the chart."""
MAX_PRESSES: Final = 40
"""Above any roll's number of presses on the page."""
FAIR: Final = Text(
    "Rolled by the rules that the bot uses, with Python's secrets module, which gets its chance from your browser's "
    "crypto.getRandomValues."
)
BEST: Final = Text("Both sides use their dice and tokens well.")


def rolls(game: Game, form: Form, shared: Words, asks: Sequence[Words], rng: Rng = secrets.randbelow) -> Iterator[Roll]:
    """Roll each choice once. Raises ``PlayerError``."""
    cards, played = form.cards(shared, asks), None if game.chances.advice is None else BEST
    for at, ask in enumerate(asks):
        state = roll_out(game, form.declare(shared, ask), rng)
        card, place = (at, 0) if len(cards) == len(asks) else (0, at)
        value = form.value(state) if form.value is not None else None
        bar = bar_of(cards[card], place, value) if value is not None else None
        drawn, counted = game.card(state, {}), game.luck_of(state)
        parts = [drawn.number, drawn.unit] if drawn.number else [drawn.outcome]
        yield {
            "html": roll_html(drawn, luck.line(counted) if counted is not None else None, played),
            "short": escaped(Sentences(parts, " ")),
            "bar": None if bar is None else f"{card}-{place}-{bar}",
        }


def roll_out(game: Game, declared: Any, rng: Rng) -> Any:
    """Return the state in which a declared roll ends if both sides play as the odds assume."""
    state = game.rules.start(declared, rng)
    for _ in range(MAX_PRESSES):
        if (choice := next_choice(game, state)) is None:
            break
        state = game.rules.choose(state, choice, rng)
    return state


def next_choice(game: Game, state: Any) -> Choice | None:
    """Return a game's best choice by advice; without advice the next roll, if it needs no words."""
    if game.chances.advice is not None and game.chances.moves is not None:
        return next((move.choice for move in game.chances.moves(state)), None)
    waiting = (item for item in game.rules.offers(state) if item.is_awaited and item.rank < ButtonRank.LAST)
    return next((Choice(item.key, by=item.side) for item in waiting if not item.fields and not item.options), None)


def bar_of(card: Card, series: int, value: int) -> int | None:
    """Return a value's bar in a chart; None if the chart shows something else."""
    if not isinstance(card.figure, Bars) or series >= len(card.figure.series):
        return None
    at = sum(bar.least <= value for bar in card.figure.bars) - 1
    return at if at >= 0 and card.figure.bars[at].chances[series] else None


def roll_html(card: Card, compared: Shown | None, played: Text | None) -> Html:
    """Return the dice with their result, what tokens and effects did to them, and its rank among such rolls."""
    number = tag("p", card.number, Code(" "), card.unit, class_="number") if card.number else None
    return tag(
        "article",
        number,
        tag("p", card.outcome),
        *(
            tag("p", tag("span", strip.label, class_="pool"), *map(die_html, strip.tiles), class_="strip")
            for strip in card.strips
        ),
        filled_tag("p", *(tag("span", step, class_="line") for step in card.trail)),
        filled_tag("p", compared),
        tag("p", Sentences([FAIR, played]), class_="small"),
        class_="roll",
    )


def die_html(tile: Tile) -> Html:
    """Return a die by its face; the script inserts its picture, if any."""
    face = plain_text.face(tile.face) if tile.face not in ("", "blank") else Code("")
    kind = f"die {tile.body}" if tile.fate == "stands" else f"die {tile.body} out"
    said = translate(plain_text.tile_text(tile))
    return tag("span", face, class_=kind, data_die=face_key(tile), role="img", aria_label=said, title=said)


def face_key(tile: Tile) -> str:
    """Return a face's name among the page's pictures."""
    return f"{'dx36' if tile.body in ('dx6', 'dx1') else tile.body} {tile.face}"
