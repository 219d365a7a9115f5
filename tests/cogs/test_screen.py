"""`/table link` and the page that it opens, over real HTTP: who may, what they see, and how it ends."""

import asyncio
import hashlib
import json
import re
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import closing
from typing import Any, Final
from unittest.mock import Mock

import aiohttp
import pytest
import simcord

from bot.html import documents
from bot.resources.quotas import Caller, QuotaLimits
from bot.resources.worker_pool import COUNTING, ComputationRunningError
from bot.rules.text import Name
from bot.rules.xwing.cards.deck import DAMAGE_CARDS
from bot.rules.xwing.table.ship import give
from bot.runtime.app import App
from bot.sessions import live_tables, seals
from bot.sessions.live_tables import (
    HEARTBEAT,
    HOURS,
    CapacityError,
    LinkExpiredError,
    LiveTable,
    LiveTables,
    PublicTable,
    digest_of,
    table_of,
)
from bot.sessions.request import Person, Place, Request
from bot.sessions.tables import Tables
from bot.settings import Settings, SettingsError
from bot.store.watch_links import WatchLink
from bot.ui.live import exact_chances, live_page, replay
from bot.ui.live.live_page import RECENT, recall_links
from bot.ui.live.replay import AnnotatedMatch, json_of, page_of
from bot.ui.table import sealing
from bot.web import live_pages
from bot.web.live_pages import MAX_BACKLOG_BYTES, PageSubscriber, serve
from tests.cogs.test_luck import labels
from tests.cogs.test_seal import sealed
from tests.cogs.test_xwing_score import ANA, BO
from tests.conftest import MAX_REST, Club, said, whispered

HEADERS: Final = {
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow, noarchive",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
TRIES: Final = 2000
ADDRESS: Final = re.compile(r"http://127\.0\.0\.1:\d+/0/([\w-]{24})")


@pytest.fixture
async def base(club: Club) -> AsyncIterator[str]:
    """The address of the pages of the club's bot."""
    async with serve(app_of(club), "127.0.0.1", 0) as url:
        yield url


@pytest.fixture
async def http() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


def app_of(club: Club) -> App:
    app = club.env.bot
    assert isinstance(app, App)
    return app


async def link(club: Club, by: simcord.MemberActor) -> str:
    """The address that somebody gets who may."""
    told = said(await by.slash(club.channel, "table link"))
    match = ADDRESS.search(told)
    assert match is not None, told
    return match[0]


async def sit(club: Club) -> None:
    """A ship is here, and Ana sits in a roll."""
    await club.attack(dice=0, agility=0)
    await club.ana.slash(club.channel, "xwing ship add", name="Luke", attack=3, agility=2, hull=4, shields=2)


class Stream:
    """Somebody who reads along; ``text`` is all that came."""

    def __init__(self, http: aiohttp.ClientSession, address: str, **headers: str) -> None:
        self._http, self._address, self._headers = http, f"{address}/live", headers
        self.text = ""
        self.is_over = False
        self.task = asyncio.create_task(self.read())

    async def read(self) -> None:
        async with self._http.get(self._address, headers=self._headers) as answer:
            async for chunk in answer.content.iter_any():
                self.text += chunk.decode()
        self.is_over = True

    async def says(self, words: str) -> None:
        for _ in range(TRIES):
            if words in self.text:
                return
            assert not self.task.done(), f"it ended: {self.text[-300:]}"
            await asyncio.sleep(0.005)
        pytest.fail(f"it never says {words}: {self.text}")

    async def ends(self) -> str:
        async with asyncio.timeout(MAX_REST):
            await self.task
        return self.text


# Who may, and what comes of it


async def test_off_unless_the_host_has_an_address(club: Club) -> None:
    await sit(club)
    assert "has no live pages" in said(await club.ana.slash(club.channel, "table link"))


async def test_who_plays_here_and_gms_get_a_link_and_nobody_else(
    club: Club, base: str, gm: simcord.MemberActor
) -> None:
    assert "Only a player or a GM can open or close this channel's live page" in said(
        await club.ana.slash(club.channel, "table link")
    )
    await sit(club)
    await club.attack(dice=0, agility=0, opponent=club.bo)
    first = await link(club, club.ana)  # owns a ship
    again = await link(club, club.ana)
    await club.ana.slash(club.channel, "table link", revoke=True)
    second = await link(club, club.bo)  # sits in a roll
    third = await link(club, gm)
    assert len({first, again, second, third}) == 4
    assert "Only a player or a GM can open or close this channel's live page" in said(
        await club.cleo.slash(club.channel, "table link")
    )
    assert "Only a player or a GM can open or close this channel's live page" in said(
        await club.cleo.slash(club.channel, "table link", revoke=True)
    )


async def test_another_player_ends_nobodys_stream(club: Club, base: str, http: aiohttp.ClientSession) -> None:
    """A bystander had only to put a ship there, and the page that a stream shows was over."""
    await sit(club)
    address = await link(club, club.ana)
    await club.cleo.slash(club.channel, "xwing ship add", name="Wedge", attack=3, agility=2, hull=4, shields=2)
    hers = await link(club, club.cleo)
    assert hers != address
    for expected, revoked in (([200, 200], False), ([200, 404], True)):
        if revoked:
            told = said(await club.cleo.slash(club.channel, "table link", revoke=True))
            assert told.startswith("Your link to this table has been revoked, and the pages opened with it are closed")
        for item, status in zip((address, hers), expected, strict=True):
            async with http.get(item) as answer:
                assert answer.status == status


async def test_a_server_asks_for_so_many_pages_a_second_and_then_waits(
    club: Club, base: str, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sit(club)
    address, waited = await link(club, club.ana), list[float]()
    app = app_of(club)
    monkeypatch.setattr(app.allowances, "_clock", lambda: 0.0)
    app.allowances._known.clear()

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(live_pages, "asyncio", Mock(wraps=asyncio, sleep=sleep))

    async def status(address: str) -> int:
        async with http.get(address) as answer:
            return answer.status

    for _ in range(31):  # the first one pays as the address from which it came
        assert await status(address) == 200
    assert not waited
    assert [await status(address) for _ in range(3)] == [200] * 3
    assert waited == pytest.approx([1 / 30, 2 / 30, 3 / 30])
    app.allowances.of(club.guild.id).requests.consume(live_pages.MAX_WAIT * 30)
    async with http.get(address) as answer:
        assert (answer.status, answer.headers["Retry-After"]) == (429, "2")
    assert waited[-1] == live_pages.REFUSED_AFTER
    other = f"{base}/0/{'A' * 24}"
    assert await status(other) == 404, "others wait for nobody"


def test_who_asks_is_told_apart_by_network_and_by_what_a_proxy_says() -> None:
    def address(remote: str, forwarded: str | None = None, header: str | None = "X-Forwarded-For") -> str:
        headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
        return live_pages.address_of(Mock(remote=remote, headers=headers), header)

    assert address("9.9.9.9", "8.8.8.8", None) == "9.9.9.9", "whoever asks says what they like"
    assert address("127.0.0.1", "8.8.8.8", None) == "127.0.0.1", "a proxy is trusted only where the host says so"
    assert address("127.0.0.1", "6.6.6.6, 8.8.8.8") == "8.8.8.8", "the last one was written by our proxy"
    assert address("2a00:1:2:3:4::1") == address("2a00:1:2:3:5::1") == "2a00:1:2:3::/64"
    assert address("127.0.0.1") == "127.0.0.1"
    assert address("127.0.0.1", "no address") == "127.0.0.1"


async def test_only_the_hash_is_kept(club: Club, base: str) -> None:
    await sit(club)
    address = await link(club, club.ana)
    token = address.rpartition("/")[2]
    with closing(sqlite3.connect(club.file)) as file:
        ((digest, until),) = file.execute("SELECT digest, until FROM watch_link").fetchall()
        assert not [line for line in file.iterdump() if token in line]
    assert digest == hashlib.sha256(token.encode()).hexdigest() == digest_of(token)
    assert 0 < until - time.time() <= HOURS * 3600


async def test_the_board_leads_to_the_page(club: Club, base: str) -> None:
    await sit(club)
    await club.ana.slash(club.channel, "table show")
    board = club.card
    address = await link(club, club.ana)
    await club.env.settle()
    await asyncio.sleep(0.05)
    await club.env.settle()
    shown = await board.channel.fetch_message(board.id)
    urls = [item.url for row in shown.components for item in getattr(row, "children", ()) if getattr(item, "url", None)]
    assert urls == [address]


# The page


async def test_the_page_shows_the_table_and_follows_it(club: Club, base: str, http: aiohttp.ClientSession) -> None:
    await sit(club)
    await club.bo.slash(club.channel, "xwing ship add", name="Vader", attack=2, agility=3, hull=3)
    address = await link(club, club.ana)
    async with http.get(address) as answer:
        assert answer.status == 200
        page = await answer.text()
        assert HEADERS.items() <= dict(answer.headers).items()
        policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert "Luke" in page
    assert "Vader" in page
    assert not re.search(r"<[^>]* on\w+=", page), "no inline handlers"
    assert not re.search(r"<[^>]* style=", page)
    loaded = re.sub(r'<meta property="og:[^>]*>', "", page)  # read by those who preview the link
    assert "http" not in loaded.replace("http-equiv", "").replace("http://www.w3.org", ""), (
        "nothing comes from elsewhere"
    )
    stream = Stream(http, address)
    await stream.says("Vader")
    club.dice.red("hit focus")
    await club.attack(dice=2, with_="focus", agility=1, against="evade", opponent=club.bo)
    await stream.says(": 1 hit.")
    pictures = re.findall(r"die/([0-9a-f]{32})\.png", stream.text)
    assert pictures
    for picture in set(pictures):
        async with http.get(f"{base}/0/die/{picture}.png") as answer:
            assert answer.status == 200
            assert "immutable" in answer.headers["Cache-Control"]
            assert (await answer.read()).startswith(b"\x89PNG")
    stream.task.cancel()


async def test_the_overlay_is_the_same_page(club: Club, base: str, http: aiohttp.ClientSession) -> None:
    await sit(club)
    address = await link(club, club.ana)
    async with http.get(f"{address}?overlay") as answer:
        assert 'class="overlay"' in await answer.text()
    async with http.get(f"{address}?overlay=left") as answer:
        assert 'class="overlay left"' in await answer.text()


async def test_the_last_roll_stays_however_much_happens_on_the_board(
    club: Club, base: str, http: aiohttp.ClientSession
) -> None:
    await sit(club)
    club.dice.red("hit crit")
    club.dice.green("blank")
    await club.attack(dice=2, agility=1)
    for _ in range(RECENT // 2 + 1):
        await club.ana.slash(club.channel, "xwing token give", ship="Luke", token="focus")
        await club.ana.slash(club.channel, "xwing token take", ship="Luke", token="focus")
    async with http.get(await link(club, club.ana)) as answer:
        page = await answer.text()
    assert "Waiting for the first roll" not in page
    assert '<p class="number"><b>2</b>damage</p>' in page


async def test_a_headline_and_the_card_below_it_are_of_one_event(
    club: Club, base: str, http: aiohttp.ClientSession
) -> None:
    """A card under the headline of a later event says its own outcome, and an overlay leaves it out."""
    await sit(club)
    address, outcome = await link(club, club.ana), re.compile(r'<p class="outcome">([^<]+)</p>')
    await club.ana.slash(club.channel, "contest", dice="1d20")

    async def page() -> tuple[str, list[str], bool]:
        async with http.get(address) as answer:
            text = await answer.text()
        (headline,) = re.findall(r'data-part="said"[^>]*>([^<]+)<', text)
        return headline, outcome.findall(text), " earlier" in text

    of_contest, said, is_earlier = await page()
    assert "challenges" in of_contest
    assert (said, is_earlier) == ([], False)
    await club.ana.slash(club.channel, "initiative start")
    headline, said, is_earlier = await page()
    assert headline == "Ana starts a turn order."
    assert (said, is_earlier) == ([of_contest], True)
    club.dice.will_show(3)
    await club.ana.slash(club.channel, "roll", dice="1d6")
    headline, said, is_earlier = await page()
    assert headline.startswith("Ana rolls") or "1d6" in headline
    assert (said, is_earlier) == ([], False)


async def test_the_page_brings_its_typeface(club: Club, base: str, http: aiohttp.ClientSession) -> None:
    async with http.get(f"{base}/0/{documents.typeface_name()}") as answer:
        assert answer.status == 200
        assert answer.content_type == "font/woff2"
        assert await answer.read() == documents.typeface()


async def test_checker_is_served_as_the_file_that_the_bot_attaches(base: str, http: aiohttp.ClientSession) -> None:
    from bot import package_info

    async with http.get(f"{base}/verify.html") as answer:
        picture = f'<meta property="og:image" content="{base}/favicon.ico">'.encode()
        assert (await answer.read()).replace(picture, b"") == package_info.read_packaged(package_info.CHECKER)
        assert "unsafe" not in answer.headers["Content-Security-Policy"]


async def test_a_browser_gets_an_icon_on_every_page(base: str, http: aiohttp.ClientSession) -> None:
    async with http.get(f"{base}/favicon.ico") as answer:
        assert answer.content_type == "image/png"
        assert (await answer.read()).startswith(b"\x89PNG")


# Links that open nothing


async def answers(http: aiohttp.ClientSession, address: str) -> tuple[Any, ...]:
    """All that somebody learns who asks, but for the date."""
    result: list[Any] = []
    for path in (address, f"{address}/live"):
        for method in ("GET", "HEAD", "POST", "PUT", "OPTIONS", "DELETE"):
            async with http.request(method, path) as answer:
                headers = sorted((name, value) for name, value in answer.headers.items() if name != "Date")
                result.append((method, answer.status, headers, await answer.read()))
    return tuple(result)


async def test_forged_revoked_replaced_and_expired_links_get_the_same_answer(
    club: Club, base: str, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sit(club)
    replaced = await link(club, club.ana)
    async with http.get(replaced) as answer:
        assert answer.status == 200
    revoked = await link(club, club.ana)
    await club.ana.slash(club.channel, "table link", revoke=True)
    wrong = [await answers(http, item) for item in (replaced, revoked)]
    wrong += [await answers(http, f"{base}/0/{item}") for item in ("A" * 24, "x", "%00", "é" * 24, "a.b", "." * 3)]
    last = await link(club, club.ana)
    later = time.time() + HOURS * 3600 + 1
    monkeypatch.setattr(time, "time", lambda: later)
    wrong.append(await answers(http, last))
    assert [item for item in wrong if item != wrong[0]] == []
    assert {status for _, status, *_ in wrong[0]} == {404, 405}
    for path in ("/", "/0", "/0/die/x.png", f"/0/die/{'0' * 32}.png", "/robots.txt", "/x/y/z"):
        async with http.get(f"{base}{path}") as answer:
            assert answer.status == 404


async def test_what_is_no_request_is_not_quoted_in_the_log(base: str, caplog: pytest.LogCaptureFixture) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", int(base.rpartition(":")[2]))
    writer.write(b"GET /0/a-token\x01 HTTP/1.1\r\nHost: x\r\n\r\n")
    async with asyncio.timeout(MAX_REST):
        answer = (await reader.read()).decode()
    writer.close()
    assert " 400 " in answer.partition("\r\n")[0]
    for name, value in {**HEADERS, "Server": "Rollcall"}.items():
        assert f"{name}: {value}\r\n" in answer
    for word in ("a-token", "Python", "aiohttp", "Bad status"):
        assert word not in answer
    assert "a-token" not in caplog.text
    assert "Error handling" not in caplog.text


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has long to bring a request."""
    monkeypatch.setattr(live_pages, "REQUEST_TIMEOUT", 0.05)


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: x\r\n", b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /"])
@pytest.mark.usefixtures("impatient")
async def test_a_request_that_does_not_come_whole_is_closed(base: str, sent: bytes) -> None:
    """Also the second one of a connection, whose first one was answered."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(base.rpartition(":")[2]))
    writer.write(sent)
    async with asyncio.timeout(MAX_REST):
        await reader.read()  # to the end: the bot has closed it
    writer.close()


@pytest.mark.usefixtures("impatient")
async def test_a_page_that_is_open_stays(club: Club, base: str) -> None:
    await sit(club)
    async with aiohttp.ClientSession() as http:
        stream = Stream(http, await link(club, club.ana))
        await stream.says("Luke")
        await asyncio.sleep(0.2)
        await club.ana.slash(club.channel, "xwing ship add", name="Wedge", attack=3, agility=2, hull=4, shields=2)
        await stream.says("Wedge")
        stream.task.cancel()


async def test_a_link_that_ends_while_it_is_looked_for_opens_nothing(
    club: Club, base: str, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sit(club)
    app, address = app_of(club), await link(club, club.ana)
    find, asked = app.watch_links.find, list[str]()

    async def slowly(token: str, now: int) -> Any:
        watch_link = await find(token, now)
        asked.append(token)
        if len(asked) == 1:
            await club.ana.slash(club.channel, "table link", revoke=True)
        return watch_link

    monkeypatch.setattr(app.watch_links, "find", slowly)
    async with http.get(f"{address}/live") as answer:
        assert answer.status == 404
    assert len(asked) == 1
    assert app.watching.readers == 0


@pytest.mark.parametrize(
    "how", ["revoke", "a new link", "forget", "forget who only pressed", "the server", "the channel", "time"]
)
async def test_a_page_that_is_open_ends_with_its_link(
    club: Club,
    base: str,
    http: aiohttp.ClientSession,
    how: str,
    monkeypatch: pytest.MonkeyPatch,
    gm: simcord.MemberActor,
) -> None:
    await sit(club)
    await club.attack(dice=0, agility=0, opponent=club.bo)
    app, address = app_of(club), await link(club, club.ana)
    stream = Stream(http, address)
    await stream.says("Luke")
    if how == "revoke":
        await gm.slash(club.channel, "table link", revoke=True)
    elif how == "a new link":
        await link(club, club.ana)
    elif how.startswith("forget"):  # who did not make it, and is named at the table
        by = club.bo
        if how == "forget who only pressed":
            by = gm
            await gm.slash(club.channel, "xwing token give", ship="Luke", token="focus")
            await stream.says("Gil")
        asked = (await by.slash(club.channel, "privacy forget")).response
        assert asked is not None
        await by.click(asked.message, label="Forget me")
    elif how == "the server":
        await app.on_guild_remove(app.guilds[0])
    elif how == "the channel":
        channel = app.get_channel(club.channel.id)
        await app.on_guild_channel_delete(channel)  # type: ignore[arg-type]  # it is one of a server
    else:
        later = time.time() + HOURS * 3600 + 1
        monkeypatch.setattr(time, "time", lambda: later)
        await live_page.look_at_links(app)
    assert (await stream.ends()).endswith("event: over\ndata: \n\n")
    async with http.get(address) as answer:
        assert answer.status == 404
    assert app.watching.readers == 0


async def test_what_is_kept_of_a_link_is_exported(club: Club, base: str) -> None:
    await sit(club)
    await link(club, club.ana)
    result = [record async for record in app_of(club).people.records(club.ana.id) if record[0] == "links"]
    assert len(result) == 1
    assert result[0][1]["channel"] == str(club.channel.id)


# Who reads along


async def test_who_comes_back_gets_the_frames_that_they_missed(
    club: Club, base: str, http: aiohttp.ClientSession
) -> None:
    await sit(club)
    address = await link(club, club.ana)
    stream = Stream(http, address)
    await stream.says("id: ")
    seen = re.findall("id: (.+)", stream.text)[-1]
    stream.task.cancel()
    for number in range(3):
        await club.ana.slash(club.channel, "xwing token give", ship="Luke", token="focus", count=number + 1)
    await club.env.settle()
    back = Stream(http, address, **{"Last-Event-ID": seen})
    await back.says("6 focus")
    numbers = [int(item.rpartition("-")[2]) for item in re.findall("id: (.+)", back.text)]
    first = int(seen.rpartition("-")[2])
    assert numbers == list(range(first + 1, first + 4))
    begun = seen.rpartition("-")[0]
    for nonsense in ("", "x", f"{begun}-999", "nobody-1", f"{begun}-²"):
        new = Stream(http, address, **{"Last-Event-ID": nonsense.encode().decode("latin-1")})
        await new.says('"teams"')
        assert len(re.findall("id: ", new.text)) == 1
        new.task.cancel()
    back.task.cancel()


async def test_who_comes_back_to_a_table_that_was_left_gets_the_whole_page(
    club: Club, base: str, http: aiohttp.ClientSession
) -> None:
    """A laptop slept: nobody watched for so long that the frames are counted anew, and the numbers are the same."""
    await sit(club)
    app, address = app_of(club), await link(club, club.ana)
    stream = Stream(http, address)
    await stream.says("id: ")
    seen = re.findall("id: (.+)", stream.text)[-1]
    stream.task.cancel()
    while app.watching.readers:  # noqa: ASYNC110 - there is no event
        await asyncio.sleep(0.005)
    for _ in range(live_page.MAX_IDLE + 1):
        await live_page.send_heartbeat(app)
    await club.ana.slash(club.channel, "xwing token give", ship="Luke", token="focus")
    back = Stream(http, address, **{"Last-Event-ID": seen})
    await back.says("id: ")
    assert re.findall("id: (.+)", back.text) != [seen]
    assert "1 focus" in back.text
    back.task.cancel()


async def test_before_the_store_is_open_a_page_says_to_try_again(
    settings: Settings, http: aiohttp.ClientSession, caplog: pytest.LogCaptureFixture
) -> None:
    """After a restart the pages that are open ask sooner than the bot has begun."""
    async with serve(App(settings), "127.0.0.1", 0) as url, http.get(f"{url}/0/{'A' * 24}") as answer:
        assert answer.status == 503
        assert "try again in a moment" in await answer.text()
        assert "X-Table" not in answer.headers
    assert "Traceback" not in caplog.text


async def test_a_link_holds_while_the_shards_of_a_start_wait_for_their_turn(
    club: Club, base: str, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How many there are is known long before the last one has begun; a page that asks then must not end for good."""
    await sit(club)
    address = await link(club, club.ana)
    monkeypatch.setattr(App, "shards", {})
    for count in (1, 4):
        app_of(club).shard_count = count
        async with http.head(address) as answer:
            assert (answer.status, answer.headers.get("X-Table")) == (200, None)


async def test_too_many_are_told_so(
    club: Club, base: str, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_tables, "MAX_READERS", 1)
    await sit(club)
    address = await link(club, club.ana)
    first = Stream(http, address)
    await first.says("id: ")
    assert (await Stream(http, address).ends()).endswith("event: crowded\ndata: \n\n")
    first.task.cancel()
    while app_of(club).watching.readers:  # noqa: ASYNC110 - there is no event
        await asyncio.sleep(0.005)
    again = Stream(http, address)
    await again.says("id: ")
    again.task.cancel()


class Ear:
    """Somebody who reads along, and forgets it."""

    def send(self, chunk: bytes) -> None:
        pass

    def end(self) -> None:
        pass


def test_200_read_along_at_a_table_and_2000_in_a_process() -> None:
    watched = LiveTables()
    tables = [watched.begin(Place(number), number // 2) for number in range(11)]
    for table in tables[:10]:
        for _ in range(200):
            watched.join(table, Ear())
        assert len(table.readers) == 200
    assert watched.readers == 2000
    with pytest.raises(CapacityError):
        watched.join(tables[1], Ear())
    watched.join(tables[10], Ear())
    assert watched.readers == 2000
    assert sorted(len(table.readers) for table in tables) == [1, 199, *[200] * 9], "one of the most gave its place"


def test_a_server_has_400_who_read_along_however_many_tables_it_has() -> None:
    watched = LiveTables()
    tables = [watched.begin(Place(number), payer=1) for number in range(3)]
    for table in tables[:2]:
        for _ in range(200):
            watched.join(table, Ear())
    with pytest.raises(CapacityError):
        watched.join(tables[2], Ear())
    watched.join(watched.begin(Place(4), payer=2), Ear())


def test_nobody_reads_along_where_the_link_has_ended_meanwhile() -> None:
    watched = LiveTables()
    first = watched.begin(Place(1))
    ended, other = (WatchLink(1, None, person, f"digest {person}", 0) for person in (7, 8))
    watched.end_channel(1, [ended.digest])
    with pytest.raises(LinkExpiredError):
        watched.join(first, Ear(), ended)
    assert not first.readers
    watched.join(first, Ear(), other)
    watched.end_all()
    with pytest.raises(LinkExpiredError):
        watched.join(first, Ear(), other)


@pytest.mark.parametrize(("most", "tables"), [("MAX_READERS", 1), ("watchers", 2)])
def test_players_with_pieces_come_before_those_who_only_look(
    most: str, tables: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody who only rolled dice could take all places with a link of their own."""
    if most == "watchers":
        monkeypatch.setattr(live_tables, "LIMITS", QuotaLimits(watchers=3))
    else:
        monkeypatch.setattr(live_tables, most, 3)
    watched = LiveTables()
    at = [watched.begin(Place(number), payer=1) for number in range(tables)]
    looks, plays = (WatchLink(1, None, 7 + is_player, f"{is_player}", 0, is_player) for is_player in (False, True))
    crowd = [Ear() for _ in range(3)]
    for ear in crowd:
        watched.join(at[0], ear, looks)
    with pytest.raises(CapacityError):
        watched.join(at[-1], Ear(), looks)
    with pytest.raises(CapacityError):
        watched.join(at[-1], Ear())
    for _ in range(3):
        watched.join(at[-1], Ear(), plays)
    assert not set(crowd) & set(at[0].readers)
    with pytest.raises(CapacityError):
        watched.join(at[-1], Ear(), plays)


async def test_frames_that_are_kept_have_a_most_of_bytes_too() -> None:
    table = LiveTable(Place(1))
    for number in range(live_tables.FRAMES_KEPT + 10):
        await table.send({"said": f"{number}"})
    assert len(table.frames) == live_tables.FRAMES_KEPT
    for number in range(20):
        await table.send({"teams": f"{number:010}" * 2000})
    kept = [frame for _, frame in table.frames]
    assert 2 < len(kept) < 20
    assert sum(map(len, kept)) <= live_tables.BYTES_KEPT < MAX_BACKLOG_BYTES
    assert table.frames_since(f"{table.begun}-{table.number - 2}") == kept[-2:]
    (whole,) = table.frames_since(f"{table.begun}-1")
    assert b'"said"' in whole
    assert b'"teams"' in whole
    await table.send({"teams": "x" * 2 * live_tables.BYTES_KEPT})
    assert not table.frames
    assert len(table.frames_since(f"{table.begun}-{table.number - 1}")) == 1


class Pipe:
    """A connection whose other end does not read."""

    def __init__(self) -> None:
        self.waiting, self.aborted = 0, False

    def is_closing(self) -> bool:
        return self.aborted

    def get_write_buffer_size(self) -> int:
        return self.waiting

    def write(self, data: bytes) -> None:
        self.waiting += len(data)

    def abort(self) -> None:
        self.aborted = True


def test_who_does_not_read_is_cut() -> None:
    pipe: Any = Pipe()
    reader = PageSubscriber(pipe)
    while not pipe.aborted:
        reader.send(b"x" * 1000)
    assert pipe.waiting <= MAX_BACKLOG_BYTES + 2000
    assert reader.ended.is_set()
    before = pipe.waiting
    reader.send(HEARTBEAT)
    assert pipe.waiting == before


async def test_nobody_watches_costs_nothing(club: Club, base: str, http: aiohttp.ClientSession) -> None:
    """Once a table was left it is followed for a moment, and then no more."""
    await sit(club)
    app, address = app_of(club), await link(club, club.ana)
    assert app.watching.channels == {}, "a link alone is not followed"
    async with http.get(address):
        pass
    assert len(app.watching.channels) == 1
    for _ in range(live_page.MAX_IDLE + 1):
        await live_page.send_heartbeat(app)
    assert app.watching.channels == {}


# What stands on the page is what is stored


async def fresh(app: App, here: Place) -> PublicTable:
    return table_of(await app.tables.snapshot(here), await app.tables.history(here, most=live_page.RECENT))


async def test_what_a_press_brings_is_what_is_stored(club: Club, base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is read again but after an undo, and the table in memory is the one in the store all the time."""
    await sit(club)
    await club.bo.slash(club.channel, "xwing ship add", name="Vader", attack=2, agility=2, hull=3, shields=2)
    await club.ana.slash(club.channel, "xwing token give", ship="Luke", token="focus")
    await club.bo.slash(club.channel, "xwing token give", ship="Vader", token="evade")
    app, here = app_of(club), Place(club.channel.id, club.guild.id)
    await link(club, club.ana)
    watched = app.watching.begin(here)
    await live_page.show(app, watched)
    reads = list[str]()
    now = app.tables.snapshot

    async def counted(place: Place) -> Any:
        reads.append("now")
        return await now(place)

    async def same() -> None:
        await club.env.settle()
        while watched.task is not None and not watched.task.done():  # noqa: ASYNC110 - there is no event
            await asyncio.sleep(0.001)
        stored, shown = await fresh(app, here), watched.table
        assert shown is not None
        assert {game: held for game, held in shown.pieces.items() if held} == {
            game: held for game, held in stored.pieces.items() if held
        }
        assert shown.players == stored.players
        assert [(roll.session, roll.ply, roll.state) for roll in shown.rolls.values()] == [
            (roll.session, roll.ply, roll.state) for roll in stored.rolls.values()
        ]

    monkeypatch.setattr(app.tables, "snapshot", counted)
    own = len(reads)
    club.dice.red("hit crit focus")
    await club.attack(attacker="Luke", defender="Vader")
    await same()
    own += 1
    club.dice.green("blank blank")
    await club.ana.click(club.card, label="Done")
    await same()
    own += 1
    for command, options in (
        ("xwing token give", {"ship": "Vader", "token": "stress"}),
        ("xwing lock", {"ship": "Vader", "target": "Luke"}),
        ("xwing phase", {}),
        ("xwing ship set", {"name": "Vader", "hull": 5}),
    ):
        await club.bo.slash(club.channel, command, **options)
        await same()
        own += 1
    club.dice.will_show(2)
    await club.ana.slash(club.channel, "roll", dice="1d6")
    await same()
    own += 1
    assert len(reads) == own, "only the test itself has read"
    await club.take_back(club.ana)
    await same()
    assert len(reads) > own + 1, "what was taken back is read anew"


# What never reaches it


async def test_facedown_cards_do_not_reach_the_page(club: Club, base: str, http: aiohttp.ClientSession) -> None:
    await club.bo.slash(club.channel, "xwing ship add", name="Vader", player=club.ana, attack=2, hull=8, agility=0)
    address = await link(club, club.ana)
    stream = Stream(http, address)
    await stream.says("Vader")
    await club.ana.slash(club.channel, "xwing damage", ship="Vader", hits=2)
    club.dice.damage.extend([7, 9])
    club.dice.red("hit hit")
    await club.attack(dice=2, defender="Vader")
    await club.ana.slash(club.channel, "xwing card look", ship="Vader")
    told = str(club.sent)
    assert [title for title in DAMAGE_CARDS if title in told], "its owner sees them"
    await stream.says("4/8")
    async with http.get(address) as answer:
        page = await answer.text()
    assert "4/8" in page
    assert [title for title in DAMAGE_CARDS if title in stream.text + page] == []
    club.dice.will_show(0)
    await club.ana.slash(club.channel, "xwing card expose", ship="Vader")
    for _ in range(TRIES):
        if any(title in stream.text for title in DAMAGE_CARDS):
            break
        await asyncio.sleep(0.005)
    else:
        pytest.fail("a card that was turned over is never shown")
    stream.task.cancel()


async def test_neither_keys_nor_private_answers_reach_the_page(
    club: Club, base: str, http: aiohttp.ClientSession
) -> None:
    await sit(club)
    address = await link(club, club.ana)
    stream = Stream(http, address)
    await stream.says("Luke")
    await sealed(club)
    with closing(sqlite3.connect(club.file)) as file:
        keys = file.execute("SELECT key, hidden_key FROM seal").fetchone()
    await club.ana.slash(club.channel, "roll", dice="3d6")  # its dice follow from the key
    await stream.says("Sealed table: ply 1, ")
    before = stream.text
    for command, options in (
        ("table luck", {}),
        ("luck", {}),
        ("table secrets", {}),
        ("privacy export", {}),
        ("about", {}),
        ("xwing odds", {"dice": 3}),
    ):
        await club.ana.slash(club.channel, command, **options)
    how = await club.ana.click(card_of_roll(club), label="How?")
    assert how.response is not None
    await club.env.settle()
    await asyncio.sleep(0.05)
    assert stream.text == before, "what one person alone is told, and what changes nothing, sends nothing"
    async with http.get(address) as answer:
        page = await answer.text()
    assert not [key for key in keys if key in stream.text + page]
    match = AnnotatedMatch(await app_of(club).matches.replay(Place(club.channel.id, club.guild.id), 1), {})
    assert not [key for key in keys if key in (page_of(match) + json_of(match)).decode()]
    stream.task.cancel()


async def test_page_and_board_say_whether_the_table_is_sealed(
    club: Club, base: str, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sit(club)
    await club.ana.slash(club.channel, "table show")
    board, app, address = club.card, app_of(club), await link(club, club.ana)
    stream = Stream(http, address)

    async def both_say(words: str) -> None:
        for _ in range(TRIES):
            await club.env.settle()
            shown = await board.channel.fetch_message(board.id)
            footer = shown.embeds[0].footer.text or ""
            if words in footer and words in app.watching.channels[club.channel.id].parts["head"]:
                return
            await asyncio.sleep(0.005)
        pytest.fail(f"not both say {words}: {footer}, {app.watching.channels[club.channel.id].parts['head']}")

    async def nobody_says_so() -> None:
        for _ in range(TRIES):
            await club.env.settle()
            shown = await board.channel.fetch_message(board.id)
            if (
                "Sealed"
                not in (shown.embeds[0].footer.text or "") + app.watching.channels[club.channel.id].parts["head"]
            ):
                return
            await asyncio.sleep(0.005)
        pytest.fail("somebody still chooses it is sealed")

    await stream.says("Luke")
    await sealed(club)
    await both_say("Sealed table: nothing has happened yet")
    await club.ana.slash(club.channel, "roll", dice="3d6")
    await both_say("Sealed table: ply 1, ")
    await club.ana.slash(club.channel, "table unseal")
    await nobody_says_so()
    await sealed(club)
    await both_say("Sealed table: nothing has happened yet")
    monkeypatch.setattr(seals, "IDLE", -60)
    await sealing.reveal_idle(app, app.is_ours)
    await nobody_says_so()
    stream.task.cancel()


def card_of_roll(club: Club) -> Any:
    """The newest card that has a How?."""
    return next(
        one
        for one in reversed(club.channel.history(viewer=club.ana))
        if any(getattr(item, "label", "") == "How?" for row in one.components for item in getattr(row, "children", ()))
    )


async def test_check_this_roll_leads_to_the_page_of_the_bot(club: Club, base: str) -> None:
    await sealed(club)
    await club.ana.slash(club.channel, "roll", dice="3d6")
    await club.ana.click(club.card, label="How?")
    (row,) = club.sent["components"]
    (button,) = row["components"]
    assert (button["label"], button["url"]) == ("Verify this roll", f"{base}/verify.html#ply-1")


# The match to keep


async def squads(club: Club) -> None:
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(ANA), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(BO))


async def test_the_recap_gives_the_match_to_keep(club: Club) -> None:
    await squads(club)
    club.dice.red("hit hit crit")
    await club.attack(dice=3, agility=0)
    await club.ana.slash(club.channel, "xwing score", points=20)
    await club.ana.slash(club.channel, "xwing endphase")
    await club.env.settle()
    assert club.labels == ["Rematch", "Replay"]
    told = whispered(await club.cleo.click(club.card, label="Replay"))
    page, data = [await attachment.read() for attachment in told.attachments]
    match = json.loads(data)
    assert match["format"] == "rollcall-match/1"
    assert [item["xws"]["faction"] for item in match["squads"]] == ["rebelalliance", "galacticempire"]
    assert [item["name"] for item in match["players"]] == ["Ana", "Bo"]
    assert match["result"] == ["Ana wins in round 1, points 20 : 1."]
    assert any("2 hits and 1 crit" in item.get("outcome", "") for item in match["plies"])
    assert page.startswith(b"<!doctype html>")
    assert not re.search(rb"https?://", page.partition(b"<body")[2]), "it asks nobody for anything"
    again = club.channel.history(viewer=club.ana)[-1]
    await club.ana.slash(club.channel, "privacy forget")
    gone = await club.press(club.bo, "rc1:replay:999999", on=again)
    assert "That match is no longer stored" in said(gone)


async def over(club: Club) -> Any:
    """A match that Ana has won; its recap."""
    await squads(club)
    club.dice.red("hit hit crit")
    await club.attack(dice=3, agility=0)
    await club.ana.slash(club.channel, "xwing score", points=20)
    await club.ana.slash(club.channel, "xwing endphase")
    await club.env.settle()
    return club.card


async def kept(club: Club, recap: Any) -> Any:
    """The match as JSON, but for when that was made."""
    told = whispered(await club.cleo.click(recap, label="Replay"))
    match = json.loads(await told.attachments[1].read())
    del match["made_at"]
    return match


async def test_a_match_can_be_kept_after_a_rematch_and_is_what_it_was(club: Club) -> None:
    recap = await over(club)
    first = await kept(club, recap)
    assert first["luck"]
    assert first["result"]
    await club.bo.click(recap, label="Rematch")
    await club.ana.click(club.card, label="Accept")
    await club.env.settle()
    club.dice.red("blank blank blank")
    await club.attack(dice=3, agility=0)
    recap = next(item for item in club.channel.history(viewer=club.ana) if item.id == recap.id)
    assert labels(recap) == ["Replay"]
    assert await kept(club, recap) == first


async def test_a_file_says_what_is_closed_and_the_channel_reads_who_opens_it_and_who_takes_it(club: Club) -> None:
    await squads(club)
    here = Place(club.channel.id, club.guild.id)
    ana = Request(Person(club.ana.id, Name("Ana")), here)
    await app_of(club).plans.choose(ana, "xwing", {"Luke Skywalker": "2FB", "Wedge Antilles": "1FB"})
    await app_of(club).plans.fix_plan(ana, "xwing")
    await club.ana.slash(club.channel, "xwing score", points=20)
    await club.ana.slash(club.channel, "xwing endphase")
    await club.env.settle()
    recap, before = club.card, len(club.channel.history(viewer=club.cleo))
    told = whispered(await club.bo.click(recap, label="Replay"))
    assert "Still hidden: Ana (round 1)." in told.content
    assert b"2FB" not in await told.attachments[1].read()
    assert len(club.channel.history(viewer=club.cleo)) == before, "a file that shows nothing new is announced to nobody"
    refused = await club.bo.click(told, label="Reveal the plans")
    assert said(refused).startswith("None of this is yours to reveal. Still hidden: Ana (round 1).")
    await club.ana.click(whispered(await club.ana.click(recap, label="Replay")), label="Reveal the plans")
    newest = club.channel.history(viewer=club.cleo)[-1].content
    assert newest == "Ana reveals what was planned in this match: Ana (round 1). The match file shows it from now on."
    file = whispered(await club.bo.click(recap, label="Replay")).attachments[1]
    assert b"2FB" in await file.read()
    newest = club.channel.history(viewer=club.cleo)[-1].content
    assert newest == "Bo downloaded the match file. It shows plans that were revealed after the match."


async def test_only_a_seal_under_which_a_match_was_played_is_in_it(club: Club) -> None:
    recap, app, here = await over(club), app_of(club), Place(club.channel.id, club.guild.id)
    await club.bo.click(recap, label="Rematch")
    await club.ana.click(club.card, label="Accept")
    await sealed(club)
    await club.ana.slash(club.channel, "roll", dice="3d6")
    (roll,) = await app.matches.of_channel(here)
    assert await app.seals.transcript_with(here.channel_id, {roll.session}) is None, "its key is secret still"
    await club.ana.slash(club.channel, "table unseal")
    assert (await kept(club, recap))["seal"] is None
    assert b"3d6" in (await app.seals.transcript_with(here.channel_id, {roll.session}) or b"")


async def test_who_asks_twice_for_a_match_is_told_to_wait(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    recap, workers = await over(club), app_of(club).workers
    count = workers.run

    async def busy(question: Any, *, asked_by: Caller) -> Any:
        if question.func is exact_chances.count:
            assert asked_by == (club.cleo.id, club.guild.id)
            raise ComputationRunningError(COUNTING.is_open)
        return await count(question, asked_by=asked_by)

    monkeypatch.setattr(workers, "run", busy)
    told = await club.cleo.click(recap, label="Replay")
    assert said(told) == COUNTING.is_open
    assert not whispered(told).attachments


async def test_matches_to_keep_are_made_one_after_the_other(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes a core for a while: somebody who presses again and again holds one thread, not all of them."""
    recap, matches, alone = await over(club), app_of(club).matches, list[bool]()

    def made(_: AnnotatedMatch) -> bytes:
        alone.append(matches.turn.locked())
        return b"page"

    monkeypatch.setattr(replay, "page_of", made)
    assert len(whispered(await club.cleo.click(recap, label="Replay")).attachments) == 2
    assert alone == [True]
    assert not matches.turn.locked()


async def test_score_and_clock_stand_on_the_page(club: Club, base: str, http: aiohttp.ClientSession) -> None:
    await squads(club)
    await club.ana.slash(club.channel, "xwing score", clock="start")
    address = await link(club, club.ana)
    async with http.get(address) as answer:
        page = await answer.text()
    assert "Ana 0 : 1 Bo" in page
    ends = re.search(r'data-until="(\d+)"', page)
    assert ends is not None
    assert abs(int(ends[1]) - time.time() - 75 * 60) < 60


async def test_what_another_process_stores_is_read_soon(club: Club, base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two processes with the same shards the other one answers; this one is told of it, and looks."""
    await sit(club)
    app, here = app_of(club), Place(club.channel.id, club.guild.id)
    watched = app.watching.begin(here)
    await live_page.show(app, watched)
    monkeypatch.setattr(live_page, "AGAIN", 0.02)
    other = Tables(app._database)  # type: ignore[arg-type]  # it is open
    by = Request(Person(club.ana.id, "Ana"), here, is_gm=True)
    await other.step(by, "xwing", "gives Luke a token", lambda table: {"Luke": give(table["Luke"], "focus", 1)})
    assert "1 focus" not in watched.parts["teams"]
    live_page.on_stored_elsewhere(app, club.channel.id)
    for _ in range(TRIES):
        if ">focus<" in watched.parts["teams"]:
            return
        await asyncio.sleep(0.005)
    pytest.fail("it is never shown")


async def test_where_the_port_is_taken_the_host_is_told(club: Club, base: str) -> None:
    port = int(base.rpartition(":")[2])
    with pytest.raises(SettingsError, match="PUBLIC_URL cannot be used"):
        async with serve(app_of(club), "127.0.0.1", port):
            pytest.fail("it is taken")


async def test_after_a_restart_the_board_still_leads_to_the_page(club: Club, base: str) -> None:
    await sit(club)
    address = await link(club, club.ana)
    await club.ana.slash(club.channel, "table show")
    board = club.card
    await club.restart()
    app = app_of(club)
    assert app.watching.tokens == {}
    app.watching.url = base
    await recall_links(app)
    assert list(app.watching.tokens[club.channel.id]) == [address.rpartition("/")[2]]
    await club.ana.slash(club.channel, "xwing token give", ship="Luke", token="focus")
    await club.env.settle()
    shown = await board.channel.fetch_message(board.id)
    urls = [item.url for row in shown.components for item in getattr(row, "children", ()) if getattr(item, "url", None)]
    assert urls == [address]
