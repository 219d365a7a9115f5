"""The pages without a table: terms, privacy, status, and the previews of links that people paste."""

import re
import time
from collections.abc import AsyncIterator
from html import escape
from pathlib import Path
from typing import Any, Final

import aiohttp
import pytest
from aiohttp import web

from bot import package_info
from bot.html import markdown
from bot.resources.worker_pool import NOBODY
from bot.runtime import status
from bot.store import coordination
from bot.store.coordination import ShardReport
from bot.store.database import Database
from bot.store.errors import DatabaseUnreachableError
from bot.ui.core.components import MAX_URL
from bot.ui.core.odds_link import fragment, question_of
from bot.web.activity import Activity, DiscordApi
from bot.web.live_pages import serve
from bot.web.public_texts import PREVIEWS
from tests.cogs.test_screen import app_of, link, sit
from tests.conftest import Club
from tests.ports import free_port

ROOT: Final = Path(__file__).parents[2]
OG: Final = re.compile(r'<meta property="og:(\w+)" content="([^"]*)">')
SITE: Final = "https://odds.example.org/"
QUESTION: Final = fragment("dice", {}, [{"dice": "4d6kh3"}])


@pytest.fixture
async def http() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


@pytest.fixture
async def base(club: Club, http: aiohttp.ClientSession) -> AsyncIterator[str]:
    app = app_of(club)
    app.site_url = SITE
    app.settings = app.settings.model_copy(update={"operator": "Ana <ana@example.org>", "hosted_by": "Example GmbH"})
    app.addresses = app.addresses._replace(terms="/terms", privacy="/privacy")
    activity = Activity(app, DiscordApi(app, http, "no secret"))
    async with serve(app, "127.0.0.1", 0, also=activity.add_to) as url:
        yield url


async def read(http: aiohttp.ClientSession, address: str) -> tuple[int, str, dict[str, str]]:
    async with http.get(address) as answer:
        text = await answer.text()
        return answer.status, text, dict(OG.findall(text))


@pytest.mark.parametrize("path", [package_info.TERMS, package_info.PRIVACY])
def test_our_texts_leave_no_markup_over(path: str) -> None:
    """Every word of the file is on its page, and none of its signs."""
    text = (ROOT / path).read_text(encoding="utf-8")
    html = "".join(markdown.convert(text, lambda target: target))
    assert not re.search(r"\*\*|`|\]\(|(^|>)#|\|", re.sub(r"<code>.*?</code>", "", html))
    words = re.findall(r"\w+", re.sub(r"\]\([^)]*\)|^\d+\. ", "", text, flags=re.MULTILINE))
    assert [word for word in words if word not in re.sub(r"<[^>]+>", " ", html)] == []


async def test_the_texts_name_operator_and_host(base: str, http: aiohttp.ClientSession) -> None:
    for path in ("terms", "privacy"):
        code, text, shown = await read(http, f"{base}/{path}")
        assert code == 200
        assert "Ana &lt;ana@example.org&gt;" in text
        assert "operators: set" not in text
        assert (shown["title"], shown["image"]) == (path.title(), f"{base}/favicon.ico")
    assert "Example GmbH" in text
    assert 'href="/privacy"' in (await read(http, f"{base}/terms"))[1]


@pytest.mark.parametrize("name", ["**Ana** `x` [<b>me</b>](javascript://a) | *b*", ""])
async def test_a_name_is_shown_as_it_is_written(club: Club, base: str, http: aiohttp.ClientSession, name: str) -> None:
    app = app_of(club)
    app.settings = app.settings.model_copy(update={"operator": name})
    _, text, _ = await read(http, f"{base}/privacy")
    assert f"<strong>Operator of this copy:</strong> {escape(name) or 'not named'}</p>" in text


async def test_every_page_says_what_a_pasted_link_shows(club: Club, base: str, http: aiohttp.ClientSession) -> None:
    await sit(club)
    frame = "?frame_id=1&guild_id=5"
    pages = [f"{base}/{page}" for page in ("terms", "privacy", "status", "verify.html", f"odds/{QUESTION}", frame)]
    for address in (*pages, await link(club, club.ana)):
        code, _, shown = await read(http, address)
        assert (code, set(shown)) == (200, {"title", "description", "image"}), address
        async with http.get(shown["image"]) as picture:
            assert picture.content_type == "image/png", address


async def test_a_link_to_odds_shows_its_question_and_number(base: str, http: aiohttp.ClientSession) -> None:
    code, text, shown = await read(http, f"{base}/odds/{QUESTION}")
    assert code == 200
    assert "4d6kh3" in shown["title"] + shown["description"]
    assert "12.24" in shown["description"], "the average"
    assert f'content="0; url={SITE}#' in text


async def test_previews_pay_by_themselves_and_never_hold_the_loop(
    club: Club, base: str, http: aiohttp.ClientSession
) -> None:
    """Once their quota is used, not even a small question is worked out, and the bot's own questions still are."""
    app = app_of(club)
    app.allowances.of(PREVIEWS.payer).work.consume(1_000.0)
    _, _, shown = await read(http, f"{base}/odds/{QUESTION}")
    assert shown["description"] == "Open the question to calculate it."
    assert app.allowances.of(NOBODY.payer).work.remaining > 0


@pytest.mark.parametrize("made_up", ["x", "AAAA", "eJwDAAAAAAE", "a" * 400, "a" * MAX_URL])
async def test_a_made_up_question_has_no_number_and_no_fault(
    base: str, http: aiohttp.ClientSession, made_up: str
) -> None:
    code, _, shown = await read(http, f"{base}/odds/{made_up}")
    assert (code, shown["description"]) == (200, "Open the question to calculate it.")


def test_a_fragment_is_read_as_it_was_written_and_inflates_no_bomb() -> None:
    assert '"dice": "1d6"' in question_of(fragment("roll", {}, [{"dice": "1d6"}]))
    assert question_of(fragment("roll", {}, [{"dice": "1" * 1_000_000}])) == ""


# Status


async def test_the_status_is_that_of_all_shards(club: Club, base: str, http: aiohttp.ClientSession) -> None:
    app, now = app_of(club), int(time.time())
    app.shard_count = 3
    reports = [ShardReport(0, now, 0.04, 7), ShardReport(1, now - status.SILENT - 1, 0.05, 8)]
    await app.open_database().run(coordination.report_shards, reports)
    code, text, shown = await read(http, f"{base}/status?server={5 << 22}")
    assert (code, shown["description"]) == (503, "1 of 3 shards answer.")
    cells = [re.findall(r"<td>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", text)][1:]
    assert cells[0] == ["0", "answers", "40 ms", "7"]
    assert cells[1][1].startswith("no answers since 20")
    assert cells[2] == ["2", "hasn&#x27;t started", "", ""]
    assert f"Server {5 << 22} is on shard 2." in text


async def test_a_process_reports_its_own_shards(club: Club, base: str, http: aiohttp.ClientSession) -> None:
    app = app_of(club)
    await status.report(app, int(time.time()))
    code, _, shown = await read(http, f"{base}/status")
    assert (code, shown["description"]) == (200, "All shards answer.")
    assert (await status.read(app, int(time.time()) + 2 * status.SILENT)).down == [0]


async def test_without_a_store_the_page_says_so(
    base: str, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: Any) -> None:
        raise DatabaseUnreachableError("gone")

    monkeypatch.setattr(Database, "run", fail)
    code, text, _ = await read(http, f"{base}/status")
    assert code == 503
    assert "database doesn&#x27;t answer" in text


class EndedError(Exception):
    """The monitor was called as often as the test wants."""


@pytest.mark.parametrize("are_well", [True, False])
async def test_the_monitor_is_called_while_all_shards_answer(
    club: Club, monkeypatch: pytest.MonkeyPatch, *, are_well: bool
) -> None:
    app, calls, rounds = app_of(club), list[str](), list[float]()
    app.shard_count = 1 if are_well else 2

    async def answer(request: web.Request) -> web.Response:
        calls.append(request.path)
        return web.Response()

    async def rest(seconds: float) -> None:
        rounds.append(seconds)
        if len(rounds) == 3:
            raise EndedError

    monitor = web.Application()
    monitor.router.add_get("/beat", answer)
    runner = web.AppRunner(monitor)
    await runner.setup()
    port = free_port()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    monkeypatch.setattr(status, "rest", rest)
    with pytest.raises(EndedError):
        await status.keep_reporting(app, f"http://127.0.0.1:{port}/beat")
    await runner.cleanup()
    assert calls == ["/beat"] * (3 if are_well else 0)
