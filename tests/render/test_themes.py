"""The pictures on the grounds of Discord's themes: the contrasts, and that nothing lies outside the tray."""

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from bot.render.art.palette import TRAY
from bot.render.card import Card
from bot.render.figures.panel import PAD, WIDTH
from bot.render.paint import picture
from docs.themes import THEMES, Pair, cards, contrast, main, pairs
from tests.rows import for_each_row


def test_contrast_is_that_of_wcag() -> None:
    """Values that are known: black on white, and the grays that just pass and just fail."""
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((0x76, 0x76, 0x76), (255, 255, 255)) == pytest.approx(4.54, abs=0.01)
    assert contrast((0x77, 0x77, 0x77), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)


@for_each_row("pair", list(pairs()), ids=lambda pair: pair.name)
def test_everything_stands_out_from_what_it_lies_on(pair: Pair) -> None:
    assert pair.contrast >= pair.least


@for_each_row("theme", THEMES)
@for_each_row("card", list(cards()))
def test_only_the_corners_of_the_tray_let_a_theme_shine_through(theme: str, card: Card) -> None:
    """So every contrast is the same on every theme."""
    shown = Image.open(BytesIO(picture(card) or b"")).convert("RGBA")
    laid = Image.new("RGBA", shown.size, THEMES[theme])
    laid.alpha_composite(shown)
    changed = ImageChops.difference(laid.convert("RGB"), shown.convert("RGB"))
    tray = changed.crop((0, 0, width_of_tray(shown), shown.height))
    assert tray.crop((PAD, 0, tray.width - PAD, shown.height)).getbbox() is None
    assert tray.crop((0, PAD, tray.width, shown.height - PAD)).getbbox() is None
    assert laid.getpixel((0, 0)) == (*THEMES[theme], 255)
    assert laid.getpixel((PAD, 0)) == (*TRAY, 255)
    assert shown.getchannel("A").crop((tray.width, 0, WIDTH + 1, shown.height)).getextrema() == (0, 0)


def width_of_tray(shown: Image.Image) -> int:
    """What is beside the tray is clear."""
    box = shown.getchannel("A").getbbox()
    assert box is not None
    return box[2]


def test_the_script_keeps_one_picture_of_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(str(tmp_path / "themes.png"))
    with Image.open(tmp_path / "themes.png") as sheet:
        assert sheet.width == len(THEMES) * 362
    assert len(capsys.readouterr().out.splitlines()) == len(list(pairs()))
