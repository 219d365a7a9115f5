"""The second screen in a real browser: hostile names, every size of screen, the replay."""

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import pytest

from bot.games import GAMES
from bot.html import documents, parts
from bot.html.html import join_html, tag
from bot.render.card import Card, RosterShip, Strip, Team, Tile
from bot.rules.text import Text
from bot.sessions.live_tables import event, table_of
from bot.sessions.matches import MatchMoment, Replay
from bot.sessions.request import Place
from bot.store.database import Database
from bot.ui.live.live_page import TableRenderer
from bot.ui.live.replay import AnnotatedMatch, page_of
from tests.browser.conftest import CONTRAST, MAX_WAIT
from tests.fair.forgeries import game
from tests.html.test_parts import BREAKING
from tests.matches_at_random import Evening

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page

SIZES: Final = ((390, 844), (1280, 800), (1920, 1080), (2560, 1440))
MIN_DIE: Final = 96
MATCHES: Final = 10
STEP: Final = MatchMoment(0, "Ana", "table", "step", {}, "seals the table", None, (), (), False)


VIOLATIONS: Final = """addEventListener("securitypolicyviolation", event => console.error(
  `policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile} ${event.sample}`))"""
"""Says in the console, of every page and frame, what its policy has refused."""


@pytest.fixture
def window(chromium: "Browser") -> "Iterator[Callable[..., Page]]":
    """Open a window of some size; whatever breaks its policy or throws in it fails the test.

    ``no_inline``: its policy may refuse inline scripts, because the test gives it one that does.
    """
    windows, faults = [], list[str]()

    def open_window(width: int = 1280, height: int = 800, *, no_inline: bool = False, **looks: Any) -> "Page":
        def hear(said: "ConsoleMessage") -> None:
            if "olicy" in said.text and not (no_inline and "inline" in said.text):
                faults.append(said.text)

        context = chromium.new_context(viewport={"width": width, "height": height}, **looks)
        context.set_default_timeout(MAX_WAIT)
        windows.append(context)
        context.add_init_script(VIOLATIONS)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("dialog", lambda dialog: faults.append(dialog.message))
        page.on("console", hear)
        return page

    yield open_window
    for item in windows:
        item.close()
    assert faults == []


def hostile() -> dict[str, str]:
    """The parts of a page in which everything that people name is a text that looks for a way out."""
    units = tuple(RosterShip(Text(f"{text[:60]} "), 3, (1, 2), (1, 1), (), "next") for text in BREAKING)
    cards = [
        Card(Text(text), Text(text), (Strip(Text(text), (Tile("d6", "3"),)),), turn=Text(text), alt=Text(text))
        for text in BREAKING
    ]
    return {
        "head": join_html([tag("p", text) for text in BREAKING]),
        "said": join_html([tag("p", text) for text in BREAKING]),
        "roll": join_html([parts.article(card, [True]) for card in cards]),
        "teams": parts.team(Team(Text(BREAKING[-1]), units)),
        "log": tag("ul", *map(parts.entry, cards)),
    }


def test_hostile_names_stay_text_in_a_browser(window: "Callable[..., Page]") -> None:
    page, drawn = window(), hostile()
    asked = list[str]()

    def answer(route: Any) -> None:
        asked.append(route.request.url)
        if route.request.url.endswith("/0/x"):
            policy = {"Content-Security-Policy": documents.table_policy(), "Content-Type": "text/html; charset=utf-8"}
            html = documents.table_page(drawn, "a-1").encode("utf-8", "replace")
            route.fulfill(status=200, headers=policy, body=html)
        elif "/live" in route.request.url:
            frame = event(json.dumps({**drawn, "order": str(tag("p", "second"))}), number="a-2")
            route.fulfill(status=200, headers={"Content-Type": "text/event-stream"}, body=frame)
        else:
            route.fulfill(status=404)

    page.route("**/*", answer)
    page.goto("http://screen.test/0/x")
    page.locator("[data-part=order]", has_text="second").wait_for()
    assert page.locator("[data-part=said] p").count() == len(BREAKING)
    shown = page.locator("[data-part=said] p").evaluate_all("all => all.map(one => one.textContent)")
    plain = [text.encode("utf-8", "replace").decode() for text in BREAKING]
    assert [re.sub(r"[\r\n\x00\ufffd?\ud800-\udfff]", "", item) for item in shown] == [
        re.sub(r"[\r\n\x00\ufffd?\ud800-\udfff]", "", item) for item in plain
    ]
    assert page.locator("script").count() == 1
    assert page.locator("svg, iframe, object, embed, form, a, style").count() == 1, "its own style alone"
    assert page.evaluate(
        "[...document.querySelectorAll('*')].every(one => !one.getAttributeNames().some("
        "name => name.startsWith('on') || name === 'style'))"
    )
    assert {url.partition("?")[0].rpartition("/")[2] for url in asked} <= {"x", "live"} | {
        url.rpartition("/")[2] for url in asked if "/die/" in url or "/font-" in url
    }


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_page_fits_every_screen(window: "Callable[..., Page]", width: int, height: int, scheme: str) -> None:
    """Nothing is cut, dice are large, text has its contrast, what can be pressed has a name and a size."""
    page = window(width, height, color_scheme=scheme)
    tiles = tuple(Tile("red", face) for face in ("hit", "crit", "blank"))
    units = (
        RosterShip(Text("Luke Skywalker"), 5, (3, 4), (1, 2), (), "next"),
        RosterShip(Text("Wedge Antilles"), 6, (0, 4), (0, 2), (), "out"),
    )
    drawn = {
        "head": tag("p", "Round 1", class_="summary"),
        "said": "Luke attacks.",
        "roll": parts.article(
            Card(Text("X-Wing attack"), Text(""), (Strip(Text("Attack dice"), tiles),), Text("Go."), small=Text("s")),
            [True] * 3,
        ),
        "teams": join_html([parts.team(Team(Text("Ana"), units)), parts.team(Team(Text("Bo"), units))]),
    }
    html = documents.table_page(drawn, "a-1")
    page.route("**/*", lambda route: route.fulfill(status=200, headers={"Content-Type": "text/html"}, body=html))
    page.goto("http://screen.test/0/x")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    sizes = page.locator(".strip .die").evaluate_all("all => all.map(one => one.offsetWidth)")
    assert len(sizes) == len(tiles)
    assert min(sizes) * 0.815 >= MIN_DIE, "the die itself, without its margin"
    assert page.locator("button").evaluate_all("all => all.every(one => one.textContent && one.offsetHeight >= 44)")
    assert page.locator("[aria-live]").count() == 1
    assert page.locator("img:not([alt]), img[alt='']").count() == 0
    low = page.evaluate(CONTRAST)
    assert low == [], "text stands out from its ground"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "sound"


def test_who_asks_for_less_motion_gets_none(window: "Callable[..., Page]") -> None:
    drawn = {"roll": parts.article(Card(Text("t"), Text("o"), (Strip(Text(""), (Tile("d6", "3"),)),)), [True])}
    html = documents.table_page(drawn, "a-1")
    for motion, name in (("reduce", "none"), ("no-preference", "tumble")):
        page = window(reduced_motion=motion)
        page.route("**/*", lambda route: route.fulfill(status=200, headers={"Content-Type": "text/html"}, body=html))
        page.goto("http://screen.test/0/x")
        assert page.locator(".new").evaluate("one => getComputedStyle(one).animationName") == name
        assert page.locator("#sound").get_attribute("aria-pressed") == "false", "the sound is off at first"


@pytest.mark.parametrize(("at", "live"), [("/", "/live"), ("/0/x", "/0/x/live"), ("/0/x/", "/0/x/live")])
def test_a_page_goes_on_wherever_it_is_served(window: "Callable[..., Page]", at: str, live: str) -> None:
    page, html = window(), documents.table_page({"said": "first"}, "a-1")

    def answer(route: Any) -> None:
        if urlsplit(route.request.url)._replace(query="").geturl() == f"http://screen.test{live}":
            frame = event(json.dumps({"said": "second"}), number="a-2")
            route.fulfill(status=200, headers={"Content-Type": "text/event-stream"}, body=frame)
        else:
            route.fulfill(status=200, headers={"Content-Type": "text/html"}, body=html)

    page.route("**/*", answer)
    page.goto(f"http://screen.test{at}")
    page.locator("[data-part=said]", has_text="second").wait_for()


async def kept(folder: Path, seed: int) -> tuple[bytes, dict[str, str]]:
    """A random match as a page to keep, and how its table stands in the store."""
    result = Evening(await Database.open(f"sqlite+aiosqlite:///{folder}/{seed}.db"), Place(12, 11), Random(seed))
    await result.play(12)
    match = await result.matches.replay(result.place, 1)
    now = table_of(await result.tables.snapshot(result.place), await result.tables.history(result.place, most=100))
    await result.database.close()
    return page_of(AnnotatedMatch(match, {})), TableRenderer().parts(now)


@pytest.mark.slow
def test_the_replay_steps_offline_to_the_stored_state(window: "Callable[..., Page]", tmp_path: Path) -> None:
    page = window(offline=True)
    asked = list[str]()
    page.on("request", lambda request: asked.append(request.url))
    for seed in range(MATCHES):
        with ThreadPoolExecutor(1) as thread:  # Playwright's loop runs in this one
            written, live = thread.submit(asyncio.run, kept(tmp_path, seed)).result()
        file = tmp_path / f"{seed}.html"
        file.write_bytes(written)
        page.goto(file.as_uri())
        assert page.locator("#where").inner_text().startswith("1 / ")
        page.keyboard.press("ArrowRight")
        assert page.locator("#where").inner_text().startswith("2 / ")
        page.keyboard.press("End")
        same = page.evaluate(
            """html => { const made = document.createElement("div"); made.innerHTML = html;
                return made.innerHTML === document.querySelector("[data-part=teams]").innerHTML; }""",
            live["teams"],
        )
        assert same
        assert page.locator(".strip .die").evaluate_all("all => all.every(die => die.src.startsWith('data:'))")
        page.locator("#first").click()
        page.locator("#next").click()
        page.locator("#back").click()
        assert page.locator("#where").inner_text().startswith("1 / ")
    assert {item.partition(":")[0] for item in asked} <= {"file", "data"}


@pytest.mark.slow
def test_every_button_of_the_replay_is_on_a_small_screen(window: "Callable[..., Page]", tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as thread:  # Playwright's loop runs in this one
        written, _ = thread.submit(asyncio.run, kept(tmp_path, 1)).result()
    (tmp_path / "match.html").write_bytes(written)
    for width in (320, 360, 390, 480):
        page = window(width, 640)
        page.goto((tmp_path / "match.html").as_uri())
        for name in ("first", "back", "play", "next", "last", "at"):
            box = page.locator(f"#{name}").bounding_box()
            assert box is not None
            assert box["x"] >= 0, (width, name)
            assert box["x"] + box["width"] <= width, (width, name)


def test_the_replay_checks_its_seal(window: "Callable[..., Page]", tmp_path: Path) -> None:
    page, good = window(offline=True), game().write().decode()
    for seal, sentence in ((good, "Every die fits. Plies: 7."), (good.replace("corvus", "corvux", 1), "were changed")):
        file = tmp_path / "sealed.html"
        file.write_bytes(
            page_of(AnnotatedMatch(Replay({key: {} for key in GAMES}, {}, {}, {}, (STEP,)), {}, seal=seal))
        )
        page.goto(file.as_uri())
        page.locator("#check").click()
        page.locator("#verdict", has_text=sentence).wait_for()
