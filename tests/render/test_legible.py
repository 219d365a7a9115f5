"""Every letter in a picture is at least 11 CSS pixels high on a phone, which shows a picture 358 wide."""

import sys
from typing import Any, Final

import pytest

from bot.odds_site.forms import FORMS
from bot.render import paint
from bot.render.art import letters, sheet
from bot.render.card import Dial, Dials, Figure, Roster, RosterShip, Team, TokenMark
from bot.render.figures import roster
from bot.render.figures.panel import WIDTH
from bot.rules.text import Code, Name
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


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """What is written in smaller letters, with its CSS pixels. All caches of pictures are emptied."""
    found: dict[str, float] = {}
    for module in [module for name, module in sys.modules.items() if name.startswith("bot.render")]:
        for item in vars(module).values():
            getattr(item, "cache_clear", lambda: None)()
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
