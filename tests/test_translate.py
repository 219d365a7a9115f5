"""The page to translate at the card: each sentence beside a card that shows it, offline."""

import json
import re
from pathlib import Path

import pytest
from babel.messages.catalog import Message

from bot.languages import FOLDER, LANGUAGES, Translated, catalogs
from docs import pictures, translate
from docs.words import SAID

pytestmark = pytest.mark.slow


async def test_a_page_has_every_sentence_once_and_its_cards_beside_it(tmp_path: Path) -> None:
    german = LANGUAGES["de"]
    assert isinstance(german, Translated)
    written = await translate.make(german, "albion", ["albion-attack", "albion-attack:help"], tmp_path)
    page = written.read_text(encoding="utf-8")
    every = catalogs.entries(catalogs.read(FOLDER / "de" / "LC_MESSAGES" / "albion.po", "de"))
    assert page.count("<article") == len(every)
    cards, _, rest = page.partition("On no card of these scenes.")
    assert "Fokuspunkt! {came} schlägt {focus}: {power}." in cards, "it is read on the card"
    assert "Use one face each of Dx36, Dx6, and Dx1, like `72 0 1" in rest, "a refusal stands on no card"
    pictures = re.findall(r'<img src="([^"]+)"', cards)
    assert pictures
    assert all((written.parent / picture).is_file() for picture in pictures)
    assert not re.search(r'(?:src|href)="(?:https?:)?//', page)


def test_who_names_no_language_is_told_which_there_are() -> None:
    with pytest.raises(SystemExit, match=r"LANG=de\|es.* GAME=.*xwing"):
        translate.main(["C.UTF-8", "xwing"])


def test_what_is_said_most_comes_first() -> None:
    often, once = Message("Roll", auto_comments=("said 1,204 times",)), Message("Undo", auto_comments=("said once",))
    assert sorted((once, often), key=translate.times_said, reverse=True) == [often, once]


async def test_no_scene_fails_because_a_machine_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "TURN", 0.001)
    async with pictures.played("roll-scores") as (club, _):
        assert pictures.said(club.card) == json.loads(SAID.read_text(encoding="utf-8"))["roll-scores"]


def test_a_card_says_an_average_once() -> None:
    for name, shown in json.loads(SAID.read_text(encoding="utf-8")).items():
        averages = re.findall(r"(?i)average[^:]*: (\d+\.\d+)", "\n".join(shown["card"]))
        assert len(averages) == len(set(averages)), name
