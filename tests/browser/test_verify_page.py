"""docs/verify.html in a real browser, opened from the disk and offline: it says what the other checkers say."""

import asyncio
import json
import os
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.fair.transcript import Transcript, new_header, transcript
from bot.fair.verify import verify
from bot.games import GAMES
from bot.store.database import Database
from tests.fair.checkers import DOCS, by_the_script
from tests.fair.evenings import Evening
from tests.fair.forgeries import FORGERIES, KEY, game, game_with_undo
from tests.fair.games import games
from tests.fair.test_protocol import VECTORS
from tests.fair.test_second_verifier import transcript as transcript_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHANGED = 60
"""So many bytes of each evening are changed, one at a time."""
PHONE = {"width": 390, "height": 844}

Check = Callable[[bytes], str]


@pytest.fixture(scope="module")
def page(chromium: "Browser") -> "Iterator[Page]":
    context = chromium.new_context(viewport=PHONE, device_scale_factor=2, is_mobile=True, offline=True)  # type: ignore[arg-type]  # as Playwright names them
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda request: faults.append(request.url) if not request.url.startswith("file:") else None)
    page.goto((DOCS / "verify.html").as_uri())
    yield page
    context.close()
    assert faults == [], "it throws nothing, and asks nobody for anything"


@pytest.fixture(scope="module")
def check(page: "Page") -> Check:
    """Choose a file of these bytes, and return the sentence that appears."""

    def choose(data: bytes) -> str:
        page.set_input_files("#file", {"name": "transcript.json", "mimeType": "application/json", "buffer": data})
        page.locator("#verdict.fits, #verdict.unfit").wait_for()
        return page.inner_text("#verdict")

    return choose


def test_it_computes_the_vectors(page: "Page") -> None:
    computed = page.evaluate(
        """async vectors => {
            const bytes = fromHex(vectors.key);
            const key = await crypto.subtle.importKey("raw", bytes, {name: "HMAC", hash: "SHA-256"}, false, ["sign"]);
            const seal = await sha256(D + "|seal|" + canonical(vectors.header));
            const draws = [];
            for (const {session, ply, sides} of vectors.draws) {
                const stream = words(key, drawPrefix(seal, session, ply));
                const drawn = [];
                for (const one of sides) drawn.push(await draw(stream, one));
                draws.push(drawn);
            }
            const hashes = [seal];
            for (const ply of vectors.chain.plies) hashes.push(await sha256(hashes.at(-1), canonical(ply)));
            return {
                commit: toHex(await sha256(D + "|commit|", bytes)),
                canonical: canonical(vectors.header),
                draws,
                hashes: hashes.map(toHex),
            };
        }""",
        VECTORS,
    )
    assert computed == {
        "commit": VECTORS["commit"],
        "canonical": VECTORS["canonical"],
        "draws": [case["draws"] for case in VECTORS["draws"]],
        "hashes": [VECTORS["seal"], *VECTORS["chain"]["hashes"]],
    }


def test_it_says_that_all_fits_and_what_to_compare(page: "Page", check: Check, tmp_path: Path) -> None:
    found = game()
    assert check(found.write()) == "Every die fits. Plies: 6. Dice drawn: 9. Dice typed by hand: 2."
    assert not page.is_visible("#advice")
    facts = page.inner_text("#facts")
    for fact in (found.header.commit, "message 1300000000000000001 in channel 222", "ñandú", "444"):
        assert fact in facts
    assert f"6 {found.hashes[6][:8]}" in facts
    rows = page.locator("#plies tr")
    assert rows.count() == 6
    assert f"d8={found.plies[0].draws[2][1]}" in rows.first.inner_text()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "a phone need not scroll sideways"
    page.screenshot(path=Path(os.environ.get("SCREENSHOTS", tmp_path)) / "verify-fits.png", full_page=True)


def test_a_game_with_undo_fits(check: Check) -> None:
    assert check(game_with_undo().write()) == "Every die fits. Plies: 14. Dice drawn: 58. Dice typed by hand: 0."


@pytest.mark.parametrize("name", FORGERIES)
def test_it_names_a_forgery(page: "Page", check: Check, name: str) -> None:
    data, sentence = FORGERIES[name]
    assert check(data) == sentence
    assert page.is_visible("#advice")
    assert not page.is_visible("#more")


def test_a_file_can_be_dropped_on_it(page: "Page") -> None:
    page.reload()
    page.evaluate(
        """text => {
            const moved = new DataTransfer();
            moved.items.add(new File([text], "transcript.json"));
            const event = name => new DragEvent(name, {dataTransfer: moved, bubbles: true, cancelable: true});
            document.getElementById("drop").dispatchEvent(event("dragover"));
            document.getElementById("drop").dispatchEvent(event("drop"));
        }""",
        game().write().decode(),
    )
    page.locator("#verdict.fits", has_text="Every die fits.").wait_for()


def test_words_are_text_and_never_markup(page: "Page", check: Check) -> None:
    header = new_header(KEY, application=1, channel=2, words={3: "<img src=x onerror=alert(1)>"}, message=4)
    assert check(transcript(KEY, header, []).write()).startswith("Every die fits.")
    assert "<img src=x onerror=alert(1)>" in page.inner_text("#facts")
    assert page.locator("#facts img").count() == 0


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Transcripts that the bot itself wrote: a match of each game, and an evening of all of them by three people."""
    with ThreadPoolExecutor(1) as apart:  # Playwright runs an event loop of its own in this thread
        return apart.submit(asyncio.run, played(tmp_path_factory.mktemp("evenings"))).result()


async def played(folder: Path) -> dict[str, bytes]:
    empty = folder / "empty.db"
    database = await Database.open(f"sqlite+aiosqlite:///{empty}")
    await database.close()
    found = {key: await transcript_of(folder, empty, key, 7, 12) for key in GAMES}
    database = await Database.open(f"sqlite+aiosqlite:///{shutil.copy(empty, folder / 'together.db')}")
    try:
        return found | {"all games": (await Evening(database, 6).play(150)).file}
    finally:
        await database.close()


def test_it_agrees_on_whole_evenings_of_every_game(check: Check, evenings: dict[str, bytes]) -> None:
    for name, file in evenings.items():
        assert check(file) == verify(file).sentence, name
        assert by_the_script(file) == "", name
        assert any(ply["undoes"] is not None for ply in json.loads(file)["plies"]), f"{name}: something was taken back"
    plies = json.loads(evenings["all games"])["plies"]
    assert {ply["choice"].get("game") for ply in plies} >= GAMES.keys()


def test_it_names_the_same_fault_wherever_a_byte_of_an_evening_is_changed(
    check: Check, evenings: dict[str, bytes]
) -> None:
    chance = Random(5)
    for name, file in evenings.items():
        for _ in range(CHANGED):
            place = chance.randrange(len(file))
            byte = chance.choice([one for one in range(256) if one != file[place]])
            changed = file[:place] + bytes([byte]) + file[place + 1 :]
            sentence = check(changed)
            assert sentence == verify(changed).sentence == by_the_script(changed), (name, place, byte)
            assert not sentence.startswith("Every die fits")


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(games(most=8), st.data())
def test_it_agrees_on_made_up_games_and_on_changed_ones(check: Check, found: Transcript, data: st.DataObject) -> None:
    written = found.write()
    assert check(written) == verify(written).sentence
    place = data.draw(st.integers(0, len(written) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != written[place]))
    changed = written[:place] + bytes([byte]) + written[place + 1 :]
    verdict = verify(changed)
    assert not verdict.fits
    assert check(changed) == verdict.sentence
