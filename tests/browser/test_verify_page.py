"""docs/verify.html in a real browser, opened from the disk and offline: it says what the other checkers say."""

import asyncio
import json
import os
import re
import shutil
from base64 import b64encode
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from bot.fair.protocol import hash_of
from bot.fair.transcript import Transcript
from bot.fair.verify import verify
from bot.games import GAMES
from bot.store.database import Database
from tests.browser.conftest import wait_until
from tests.examples import share_of
from tests.fair.checkers import DOCS, by_the_script
from tests.fair.evenings import Evening
from tests.fair.forgeries import FORGERIES, SEAL_MESSAGE, game, game_with_undo, header_of, hidden, made, thrown_away
from tests.fair.games import games
from tests.fair.matches import transcript as transcript_of
from tests.fair.test_plans import TAMPERED, a_match
from tests.fair.test_protocol import VECTORS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHANGED = 60
"""So many bytes of each evening are changed, one at a time."""
PHONE = {"width": 390, "height": 844}

SENTENCES = """([file, changes]) => Promise.all(changes.map(async ([place, byte]) => {
    const data = Uint8Array.from(atob(file), one => one.charCodeAt(0));
    data[place] = byte;
    return (await verify(data)).sentence;
}))"""
"""What the page says of a file, each time with another byte changed."""

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


@pytest.mark.parametrize(("tamper", "named"), TAMPERED)
def test_it_checks_the_plans_of_a_match(check: Check, tamper: Callable[[Any], None], named: str) -> None:
    match = a_match()
    tamper(match)
    data = json.dumps(match).encode()
    assert check(data) == verify(data).sentence
    assert named in check(data)


def test_it_computes_the_vectors(page: "Page") -> None:
    computed = page.evaluate(
        """async vectors => {
            const key = await hmacKey(fromHex(vectors.key));
            const seal = await sha256(D + "|seal|" + canonical(vectors.header));
            const hidden = fromHex(vectors.hidden_key);
            const drawn = async (key, {place, sides}) => {
                const stream = words(key, join(D + "|draw|", seal, u64(place)));
                const found = [];
                for (const one of sides) found.push(await draw(stream, one));
                return found;
            };
            const draws = [];
            for (const one of vectors.draws) draws.push(await drawn(key, one));
            const own = new Uint8Array(await crypto.subtle.sign(
                "HMAC", await hmacKey(hidden), join(D + "|secret|", seal, u64(vectors.secret.place))));
            const [first, second, third] = vectors.chain.plies;
            const hash = toHex(await sha256(D + "|ply|" + canonical(third)));
            const cover = {roll: third.roll, by: third.by, hidden: hash};
            const hashes = [seal];
            for (const ply of [first, second, cover]) hashes.push(await sha256(hashes.at(-1), canonical(ply)));
            return {
                hidden: toHex(await sha256(D + "|hidden|", hidden)),
                commit: toHex(await sha256(D + "|commit|", fromHex(vectors.key), fromHex(vectors.hidden))),
                canonical: canonical(vectors.header),
                draws,
                secret: {key: toHex(own), draws: await drawn(await hmacKey(own), vectors.secret)},
                cover,
                hashes: hashes.map(toHex),
            };
        }""",
        VECTORS,
    )
    assert computed == {
        "hidden": VECTORS["hidden"],
        "commit": VECTORS["commit"],
        "canonical": VECTORS["canonical"],
        "draws": [case["draws"] for case in VECTORS["draws"]],
        "secret": {"key": VECTORS["secret"]["key"], "draws": VECTORS["secret"]["draws"]},
        "cover": VECTORS["chain"]["cover"],
        "hashes": [VECTORS["seal"], *VECTORS["chain"]["hashes"]],
    }


def test_it_says_that_all_fits_and_what_to_compare(page: "Page", check: Check, tmp_path: Path) -> None:
    transcript = game()
    assert check(transcript.write()) == verify(transcript.write()).sentence
    assert not page.is_visible("#advice")
    facts = page.inner_text("#facts")
    for fact in (
        transcript.header.commit,
        f"message {SEAL_MESSAGE} in channel 222",
        "ñandú",
        "444",
        "number 3 of this channel",
    ):
        assert fact in facts
    assert f"Word of Cleo <b> (333)\nñandú (given as its hash {transcript.header.players[1][2]} first)" in facts
    assert f"7 {transcript.hashes[7][:8]}" in facts
    rows = page.locator("#plies li")
    assert rows.count() == 7
    _, side, face = json.loads(transcript.write())["plies"][0]["draws"][2]
    assert f"d8: {face} (side {side})" in rows.first.inner_text()
    assert "Ana (111): open, roll 1" in rows.first.inner_text()
    assert "by hand: 19" in rows.nth(5).inner_text()
    for place in range(7):  # on a phone every die is on the screen, and nothing is wider than it
        for die in rows.nth(place).locator(".dice span").all():
            box = die.bounding_box()
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= PHONE["width"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "a phone need not scroll sideways"
    page.screenshot(path=Path(os.environ.get("SCREENSHOTS", tmp_path)) / "verify-fits.png", full_page=True)


def test_a_game_with_undo_fits(check: Check) -> None:
    assert check(game_with_undo().write()) == "Every die fits. Plies: 14. Dice drawn: 58. Dice typed by hand: 0."


def test_its_warnings_are_those_of_the_others(page: "Page", check: Check) -> None:
    late = made(header=header_of({111: ("corvus", None)}, earlier=2, last_word=SEAL_MESSAGE - (100_000 << 22)))
    old = made(header=header_of({111: ("corvus", None)}, seal=5))
    for transcript in (thrown_away(), hidden(game(), 7), late, old, game()):
        verdict = verify(transcript.write())
        assert check(transcript.write()) == verdict.sentence
        assert page.locator("#warnings li").all_inner_texts() == list(verdict.warnings)
    assert check(hidden(game(), 7).write())
    assert "still hidden" in page.locator("#plies li").nth(6).inner_text()


def test_it_opens_at_the_ply_that_was_asked_for(page: "Page", check: Check) -> None:
    page.goto((DOCS / "verify.html").as_uri() + "#ply-6")
    page.reload()
    assert page.inner_text("#asked") == "You asked for ply 6: it is shown once you have chosen the transcript."
    check(game().write())
    assert not page.is_visible("#asked")
    assert page.locator("#plies .asked").get_attribute("id") == "ply-6"
    wait_until(page, "document.getElementById('ply-6').getBoundingClientRect().top < innerHeight")
    page.goto((DOCS / "verify.html").as_uri() + "#")


def test_it_makes_words_with_their_hashes(page: "Page") -> None:
    page.click("#make")
    first = page.locator("#made dd").all_inner_texts()
    page.click("#make")
    second = page.locator("#made dd").all_inner_texts()
    for shown, word in (first, second):
        assert hash_of(word) == shown
        assert len(word) >= 26
    assert first != second
    page.fill("#own", " n\u0303andu\u0301 ")
    page.locator("#made dd", has_text=hash_of("ñandú")).wait_for()
    assert page.locator("#made dd").all_inner_texts() == [hash_of("ñandú"), "ñandú"]


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
    header = header_of({3: ("<img src=x onerror=alert(1)>", None)})
    assert check(made(header=header).write()).startswith("Every die fits.")
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
    result = {key: await transcript_of(folder, empty, key, 7, 12) for key in GAMES}
    database = await Database.open(f"sqlite+aiosqlite:///{shutil.copy(empty, folder / 'together.db')}")
    try:
        return result | {"all games": (await Evening(database, 11).play(200)).file}
    finally:
        await database.close()


def test_it_agrees_on_whole_evenings_of_every_game(check: Check, evenings: dict[str, bytes]) -> None:
    for name, file in evenings.items():
        assert check(file) == verify(file).sentence, name
        assert by_the_script(file) == "", name
        assert any(ply["undoes"] is not None for ply in json.loads(file)["plies"]), f"{name}: something was taken back"
    plies = json.loads(evenings["all games"])["plies"]
    assert {ply.get("choice", {}).get("game") for ply in plies} >= GAMES.keys()


def channel_of(file: bytes) -> str:
    """The messages of an evening as somebody copies them from Discord: the commitment, and a card for each roll."""
    result, last = json.loads(file), dict[int, int]()
    standing: dict[int, list[int]] = {}
    for place, ply in enumerate(result["plies"], 1):
        stands = standing.setdefault(ply["roll"], [])
        if ply.get("undoes") is None:
            stands.append(place)
        else:
            stands.pop()
        last[ply["roll"]] = place
    lines = ["Rollcall\nAPP\n — 21.11.2026 20:04\nSeal 3 in this channel.", result["header"]["commit"]]
    for roll, place in last.items():
        if roll and standing[roll]:
            card = "Ana hits Bo: 2 hits, 1 crit (i5, 3 of 12).\nSealed table: ply {}, {}\n21:0{}"
            lines.append(card.format(place, result["hashes"][place][:8], place % 10))
    return "\n".join(lines)


def pasted(page: "Page", text: str) -> tuple[str, list[str], bool]:
    """The sentence, what differs, and whether it is said to fit."""
    page.fill("#paste", text)
    said = page.inner_text("#compared")
    return said, page.locator("#differ li").all_inner_texts(), page.locator("#compared.fits").count() == 1


def test_it_compares_the_messages_of_a_channel(page: "Page", check: Check, evenings: dict[str, bytes]) -> None:
    for name, file in evenings.items():
        check(file)
        text = channel_of(file)
        cards = text.count("Sealed table: ply")
        assert cards
        assert pasted(page, text) == (f"{cards} of {cards} cards fit.", [], True), name
        assert pasted(page, text + text)[0] == f"{cards} of {cards} cards fit.", "each counts once"
    file = evenings["all games"]
    text, hashes = channel_of(file), json.loads(file)["hashes"]
    cards, plies = text.count("Sealed table: ply"), len(hashes) - 2
    begun, _, rest = text.partition("Sealed table: ply ")
    place = int(rest.partition(",")[0])
    forged = f"{begun}Sealed table: ply {place}, 00000000{rest.partition(',')[2][9:]}"
    said, differ, fits = pasted(page, forged)
    assert not fits
    assert said.startswith(f"{cards - 1} of ")
    assert f"The card of ply {place} shows 00000000, but in the transcript that is {hashes[place][:8]}." in differ
    said, differ, fits = pasted(page, f"{text}\nSealed table: ply {plies + 1}, 1a2b3c4d")
    assert (said, fits) == (f"{cards} of {cards + 1} cards fit.", False), "the last ply was dropped"
    assert differ == [f"A card shows ply {plies + 1}, 1a2b3c4d, but the transcript ends with ply {plies}."]
    said, differ, fits = pasted(page, text.replace(json.loads(file)["header"]["commit"], "0" * 64))
    assert differ == ["The message with the commitment is not there. Compare it by hand."]
    assert pasted(page, "")[:2] == ("", [])


def test_a_changed_character_of_a_card_is_always_found(page: "Page", check: Check, evenings: dict[str, bytes]) -> None:
    """1,000 of them, half of them in places and digits, where each one matters; elsewhere none does."""
    chance, file = Random(11), evenings["all games"]
    check(file)
    text = channel_of(file)
    marks = [
        at
        for match in re.finditer(r"ply (\d+), ([0-9a-f]{8})", text)
        for at in (*range(*match.span(1)), *range(*match.span(2)))
    ]
    words = [at for match in re.finditer(r"Ana hits Bo", text) for at in range(*match.span())]
    changes = []
    for places in (marks, words):
        for at in chance.choices(places, k=500):
            other = chance.choice([item for item in "0123456789abcdefgxyzÄ -," if item != text[at]])
            changes.append((text[:at] + other + text[at + 1 :], places is words))
    verdicts = page.evaluate("texts => texts.map(text => compare(text, checked).fits)", [text for text, _ in changes])
    assert verdicts == [fits for _, fits in changes]


def test_it_names_the_same_fault_wherever_a_byte_of_an_evening_is_changed(
    page: "Page", evenings: dict[str, bytes]
) -> None:
    """All bytes of an evening in one call of what the page calls for a file."""
    chance = Random(5)
    for name, file in evenings.items():
        changes = []
        for _ in range(CHANGED):
            place = chance.randrange(len(file))
            changes.append((place, chance.choice([item for item in range(256) if item != file[place]])))
        sentences = page.evaluate(SENTENCES, [b64encode(file).decode(), changes])
        for (place, byte), sentence in zip(changes, sentences, strict=True):
            changed = file[:place] + bytes([byte]) + file[place + 1 :]
            assert sentence == verify(changed).sentence == by_the_script(changed), (name, place, byte)
            assert not sentence.startswith("Every die fits")


@settings(max_examples=share_of(40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(games(most=8), st.data())
def test_it_agrees_on_made_up_games_and_on_changed_ones(page: "Page", found: Transcript, data: st.DataObject) -> None:
    written = found.write()
    place = data.draw(st.integers(0, len(written) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != written[place]))
    changed = written[:place] + bytes([byte]) + written[place + 1 :]
    verdict = verify(changed)
    assert not verdict.fits
    sentences = page.evaluate(SENTENCES, [b64encode(written).decode(), [(place, written[place]), (place, byte)]])
    assert sentences == [verify(written).sentence, verdict.sentence]
