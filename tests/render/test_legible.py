"""Every letter in a picture is at least 11 CSS pixels high on a phone, which shows a picture 358 wide."""

import sys
from dataclasses import replace
from typing import Any, Final

import pytest

from bot.odds_site.forms import FORMS
from bot.render import paint
from bot.render.art import dice, letters, sheet
from bot.render.art.palette import TRAY, WHITE, Ink, dim
from bot.render.card import Card, Dial, Dials, Figure, Roster, RosterShip, Team, Tile, TokenMark
from bot.render.figures import dials, roster
from bot.render.figures.panel import WIDTH, Panel, Shape
from bot.rules.text import Code, Name
from docs import themes
from tests.render.test_one_statement import rolls

PHONE: Final = 358
"""CSS pixels of a picture on a phone 390 wide."""
HIGHEST: Final = 300
"""CSS pixels of the highest picture that Discord shows at its whole width."""
SHARE: Final = 16
"""One in so many questions is played."""
SHIPS: Final = tuple(
    RosterShip(Name(name), 5, (3, 4), (1, 2), tuple(marks), state, dice=(3, 2), below=Code(below))  # type: ignore[arg-type]  # states
    for name, state, below, *marks in (
        ("Wedge Antilles", "done", "", TokenMark("stress", "red")),
        (
            "Luke Skywalker",
            "next",
            "",
            TokenMark("force", "violet", 2),
            TokenMark("lock", "red", text=Name("Howlrunner")),
        ),
        ("Obsidian Squadron Pilot", "", "", TokenMark("evade", "green")),
        ("Academy Pilot", "out", "Predator, Marksmanship, and Hull Upgrade"),
    )
)
BOARD: Final = Roster((Team(Name("Ana · first player · 12 points"), SHIPS), Team(Name("Bo"), SHIPS)))
DIALS: Final = tuple(
    Dial(Name("Red Squadron Veteran"), 4, "K", "red", Code("4 Koiogran turn"), Code("red")) for _ in "12"
)


@pytest.fixture(autouse=True)
def no_cached_pictures() -> None:
    for module in [module for name, module in sys.modules.items() if name.startswith("bot.render")]:
        for item in vars(module).values():
            getattr(item, "cache_clear", lambda: None)()


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """What is written in smaller letters, with its CSS pixels."""
    found: dict[str, float] = {}
    font = letters.font

    def recorded(times: int) -> Any:
        def opened(pixels: int, text: str = "") -> Any:
            if text.strip() and (high := pixels / times * PHONE / WIDTH) < 11:
                found[text] = high
            return font(pixels, text)

        return opened

    for module, times in ((letters, 1), (roster, sheet.OVERSAMPLE), (sheet, sheet.OVERSAMPLE)):
        monkeypatch.setattr(module, "font", recorded(times))
    return found


def test_a_smaller_letter_is_found(small: dict[str, float]) -> None:
    letters.width("too small", letters.LEAST - 1)
    assert small


def test_dice_and_their_labels_are_legible(small: dict[str, float]) -> None:
    cards = [card for _, _, card, _ in rolls(61, SHARE)]
    strips = {strip for card in cards for strip in card.strips}
    for tile in {tile for strip in strips for tile in strip.tiles}:
        paint.draw_cell(tile, paint.CELL)
    for card in cards:
        paint.lines(card.strips)
    for figure in {card.figure for card in cards if card.figure is not None}:
        paint.figure_image(figure)
    assert len(cards) > 100
    assert small == {}


@pytest.mark.parametrize("game", FORMS)
def test_odds_are_legible(game: str, small: dict[str, float]) -> None:
    cards = FORMS[game].cards({}, [FORMS[game].example]) if not FORMS[game].shared else []
    for card in cards:
        paint.picture(card)
    assert small == {}


@pytest.mark.parametrize("figure", [BOARD, Dials(DIALS), Dials(DIALS[:1], BOARD)], ids=["board", "dials", "revealed"])
def test_boards_and_dials_are_legible(figure: Figure, small: dict[str, float]) -> None:
    paint.figure_image(figure)
    assert small == {}


def test_a_full_board_is_low_enough_to_be_shown_at_its_whole_width_nearly() -> None:
    """Four ships a side with tokens and states: Discord shows its smallest letters at least 10 pixels high."""
    shown = min(PHONE / WIDTH, HIGHEST / paint.figure_image(BOARD).height)
    assert letters.LEAST * shown >= 9.5


def test_all_letters_have_a_contrast_of_at_least_4_5_to_what_they_lie_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all that is drawn: texts, faces and marks of dice, and words that are cut out of tokens."""
    pairs, cut_out = dict[tuple[Ink, Ink], str](), set[int]()
    word, stamp, draw_face, mark = letters.word, Panel.stamp, paint.draw_face, dice.disc

    def written(text: str, size: int, ink: Ink, ground: Ink) -> Any:
        pairs.setdefault((ink, ground), text)
        return word(text, size, ink, ground)

    def stamped(self: Panel, shape: Shape, x: int, y: int, ink: Ink) -> None:
        pairs.update({(TRAY, ink): "a word cut out"} if id(shape) in cut_out else {})
        stamp(self, shape, x, y, ink)

    def faced(sheet_: Any, body: Any, ink: Ink, scale: float, tile: Any) -> None:
        ground = TRAY if body.bare else body.ink if ink == WHITE else dim(body.ink)
        pairs.setdefault((ink, ground), f"{tile.body} {tile.face}")
        draw_face(sheet_, body, ink, scale, tile)

    def marked(sheet_: Any, ground: Ink, ink: Ink, *more: Any) -> None:
        pairs.setdefault((ink, ground), "a mark, or the face before a reroll")
        mark(sheet_, ground, ink, *more)

    for drawer in ("pill", "chip", "sign_shape"):
        draw = getattr(roster, drawer)

        def shaped(*words: Any, draw: Any = draw) -> Shape:
            shape: Shape = draw(*words)
            cut_out.add(id(shape))
            return shape

        monkeypatch.setattr(roster, drawer, shaped)
    monkeypatch.setattr(letters, "word", written)
    monkeypatch.setattr(Panel, "stamp", stamped)
    monkeypatch.setattr(paint, "draw_face", faced)
    monkeypatch.setattr(dice, "disc", marked)
    cards = [card for _, _, card, _ in rolls(61, SHARE)]
    cards += [card for form in FORMS.values() if not form.shared for card in form.cards({}, [form.example])]
    tones: list[TokenMark] = [TokenMark(name, tone) for tone in roster.TONES for name in ("focus", "a word")]  # type: ignore[arg-type]  # a str there
    maneuvers = (Dial(Name("Luke"), 2, arrow, tone, Code("2 turn")) for tone in dials.INKS for arrow in ("T", ""))
    figures: list[Figure] = [
        BOARD,
        Dials((*maneuvers, *DIALS)),
        Roster((Team(Name(""), (replace(SHIPS[0], marks=(*tones,)),)),)),
    ]
    for card in (*cards, *themes.cards(), *(Card("", "", figure=figure) for figure in figures)):
        paint.picture(card)
    for body in (*dice.BODIES, *dice.COLORED, "other"):
        for fate in ("stands", "failed"):
            paint.draw_cell(Tile(body, "2", fate, badge="focus", ghost="1"), paint.CELL)
    assert len(pairs) > 30
    assert {pair: text for pair, text in pairs.items() if themes.contrast(*pair) < themes.MIN_TEXT} == {}
