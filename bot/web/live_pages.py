"""The public pages: live tables on a second screen, and the sealed-table checker.

An unknown, revoked, or expired link gets the same answer. The pages are read-only and public to the link's channel.
"""

import asyncio
import logging
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractContextManager, asynccontextmanager
from functools import partial
from ipaddress import ip_address, ip_network
from typing import Any, Final

from aiohttp import web
from aiohttp.http import HttpVersion11

from bot import metrics, package_info, settings
from bot.access import ContentStream
from bot.html import documents, pictures
from bot.languages.translate import using_language
from bot.resources import quotas
from bot.rules.text import EMPTY
from bot.runtime.app import App
from bot.sessions import live_tables
from bot.sessions.live_tables import LiveTable, LiveTables
from bot.sessions.request import Place
from bot.store import errors, watch_links
from bot.ui.core import request_context
from bot.ui.live import live_page
from bot.web.middleware import watch_request
from bot.web.public_texts import PublicTexts

MAX_BACKLOG_BYTES: Final = 256 * 1024
"""Maximum unsent bytes per client; above this we close the connection, and the page reloads."""
FOR_EVER: Final = "public, max-age=31536000, immutable"
RETRY: Final = b"retry: 2000\n\n"
HEADERS: Final = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow, noarchive",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Server": "Rollcall",
}
METHODS: Final = ("GET", "HEAD")
AGAIN: Final = {"Retry-After": "2"}
MAX_BODY: Final = 4_096
"""Maximum bytes of a request body."""
BUSY: Final = "The bot's database does not answer. Please try again in a moment.\n"
UNSEEN: Final = "I can't tell whether this table may still be shown. Press anything in its channel, then try again.\n"
TOO_MANY_REQUESTS: Final = "Too many requests. Please try again in a moment.\n"
MAX_WAIT: Final = 15.0
"""Maximum seconds that a rate-limited request waits."""
REFUSED_AFTER: Final = 1.0
"""Seconds until a request is rejected that can't wait; an instant answer would invite the next one."""
REQUEST_TIMEOUT: Final = 15.0
"""Seconds for a request to arrive completely."""
UNREADABLE: Final = "This request cannot be read.\n"
BROKEN: Final = "Something is broken here. Please try again later.\n"

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
During = Callable[["PageSubscriber"], AbstractContextManager[None]]
"""Context manager held open while a client is subscribed."""
IS_COUNTED: Final[web.AppKey[Callable[[web.Request], bool]]] = web.AppKey("IS_COUNTED")
"""Whether a request is rate-limited by session or person rather than address."""
log = logging.getLogger(__name__)


class PageConnection(web.RequestHandler):
    """A connection that times out on half a request and answers malformed ones without details. ``headers``: those of
    that answer. aiohttp waits forever for the first request, and for a later one until it begins.
    """

    __slots__ = ("_headers", "_too_late")

    def __init__(self, server: web.Server, headers: Mapping[str, str], **options: Any) -> None:
        super().__init__(server, loop=asyncio.get_running_loop(), keepalive_timeout=REQUEST_TIMEOUT, **options)
        self._headers = headers
        self._too_late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._too_late = asyncio.get_running_loop().call_later(REQUEST_TIMEOUT, self.force_close)

    def connection_lost(self, exc: BaseException | None) -> None:
        self.request_received()
        super().connection_lost(exc)

    def request_received(self) -> None:
        """Stop the timeout: a request has arrived."""
        if self._too_late is not None:
            self._too_late.cancel()
            self._too_late = None

    def handle_error(
        self, request: web.BaseRequest, status: int = 500, exc: BaseException | None = None, message: str | None = None
    ) -> web.StreamResponse:
        """Answer a malformed request. aiohttp's own answer and log line would quote it, tokens included."""
        self.request_received()
        if status >= web.HTTPInternalServerError.status_code:
            self.log_exception("a request could not be answered", exc_info=exc)
        answer = web.Response(status=status, text=UNREADABLE, headers=self._headers)
        answer.force_close()
        return answer


class PageSubscriber:
    """A subscriber; data is written straight to their connection without waiting."""

    def __init__(self, transport: asyncio.Transport, wrap: Callable[[bytes], bytes] = bytes) -> None:
        """``wrap``: encodes a chunk for the connection."""
        self._transport, self._wrap = transport, wrap
        self.ended = asyncio.Event()

    def send(self, chunk: bytes) -> None:
        if self._transport.is_closing():
            self.end()
        elif self._transport.get_write_buffer_size() > MAX_BACKLOG_BYTES:
            self._transport.abort()
            self.end()
        else:
            self._transport.write(self._wrap(chunk))

    def end(self) -> None:
        self.ended.set()


class LivePages:
    def __init__(self, app: App) -> None:
        self._app = app
        self._checker, self._checker_policy = read_checker()

    def routes(self) -> web.Application:
        site = web.Application(middlewares=[watch_request, guard, self.limit_rate], client_max_size=MAX_BODY)
        site.on_response_prepare.append(add_headers)
        site.router.add_get("/verify.html", self.checker)
        site.router.add_get("/favicon.ico", self.picture)
        site.router.add_get(r"/{shard:[0-9]{1,6}}/die/{picture:[0-9a-f]{32}}.png", self.picture)
        site.router.add_get(f"/{{shard:[0-9]{{1,6}}}}/{documents.typeface_name()}", self.font)
        site.router.add_get(f"/{documents.typeface_name()}", self.font)
        PublicTexts(self._app).add_to(site)
        site.router.add_get("/{shard:[0-9]{1,6}}/{token}", self.table)
        site.router.add_get("/{shard:[0-9]{1,6}}/{token}/live", self.stream_events)
        return site

    @web.middleware
    async def limit_rate(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Limit the requests per second of one address, except those limited by session or person."""
        is_counted = request.app.get(IS_COUNTED)
        if is_counted is None or not is_counted(request):
            address = address_of(request, self._app.settings.proxy_header)
            await turn(self._app.allowances.of(address).pictures)
        return await handler(request)

    async def checker(self, _: web.Request) -> web.Response:
        """Return the transcript checker, with its link's picture."""
        (picture,) = documents.preview(EMPTY, EMPTY, documents.icon_address(self._app.watching.url))
        page = self._checker.replace(b"<style>", f"{picture}<style>".encode(), 1)
        headers = {"Content-Security-Policy": self._checker_policy, "Cache-Control": "no-cache"}
        return web.Response(body=page, content_type="text/html", charset="utf-8", headers=headers)

    async def picture(self, request: web.Request) -> web.Response:
        """Return a die or a chart, cacheable forever; without a path the icon of the checker."""
        name = request.match_info.get("picture")
        picture = documents.ICON if name is None else pictures.PICTURES.find(name)
        if picture is None:
            raise web.HTTPNotFound
        png = await asyncio.to_thread(pictures.png_of, picture)
        return web.Response(body=png, content_type="image/png", headers={"Cache-Control": FOR_EVER})

    async def font(self, _: web.Request) -> web.Response:
        """Return the pages' font; its URL contains its digest, so it is cacheable forever."""
        return web.Response(body=documents.typeface(), content_type="font/woff2", headers={"Cache-Control": FOR_EVER})

    async def table(self, request: web.Request) -> web.Response:
        watched, _ = await self._find_table(request)
        with using_language(await request_context.language_at(self._app, watched.place)):
            picture, overlay = documents.icon_address(self._app.watching.url), request.query.get("overlay")
            html = documents.table_page(watched.parts, watched.newest_id, overlay=overlay, picture=picture)
        headers = {"Content-Security-Policy": documents.table_policy()}
        return web.Response(text=html, content_type="text/html", headers=headers)

    async def stream_events(self, request: web.Request) -> web.StreamResponse:
        """Stream a table's events, starting with those that a returning client missed."""
        watched, link = await self._find_table(request)
        last_seen = request.headers.get("Last-Event-ID") or request.query.get("after", "")
        during = partial(self._guard_stream, watched, link)
        return await stream_table(request, self._app.watching, watched, last_seen, during, link)

    def _guard_stream(
        self, watched: LiveTable, link: watch_links.WatchLink, reader: PageSubscriber
    ) -> AbstractContextManager[None]:
        """Guard a link's reader: they are disconnected once its maker may not see the channel."""

        def end(sees: bool | None) -> None:
            if sees is None:  # the page retries
                reader.end()
            else:
                watched.disconnect(reader, live_tables.OVER)

        return self._app.access.guard_stream(ContentStream(link.person_id, watched.place, end))

    async def _find_table(self, request: web.Request) -> tuple[LiveTable, watch_links.WatchLink]:
        """Find a link's table. Raises a ``HTTPException`` of aiohttp, or ``StoreError``, even at startup."""
        watching, token, allowances = self._app.watching, request.match_info["token"], self._app.allowances
        known = watching.payers.get(live_tables.digest_of(token))
        payer = known or address_of(request, self._app.settings.proxy_header)
        await turn(allowances.of(payer).requests)
        self._app.open_database()
        link = await self._app.watch_links.find(token, int(time.time()))
        if link is None or not self._app.is_assigned_here(link.guild_id or 0):
            raise web.HTTPNotFound
        here, pays = Place(link.channel_id, link.guild_id), quotas.payer(link.guild_id, link.person_id)
        sees = await self._app.access.may_see(link.person_id, here)
        if sees is None:
            raise web.HTTPServiceUnavailable(text=UNSEEN, headers=AGAIN)
        if sees and link.digest not in watching.over:
            watched = watching.begin(here, pays)
            await live_page.show(self._app, watched)
            if watching.has(watched) and link.digest not in watching.over:
                watching.payers[link.digest] = pays
                return watched, link
        raise web.HTTPNotFound


def encode_chunk(chunk: bytes) -> bytes:
    """Encode a body of unknown length for HTTP/1.1: RFC 9112, 7.1."""
    return b"%x\r\n%b\r\n" % (len(chunk), chunk)


async def stream_table(
    request: web.Request,
    watching: LiveTables,
    watched: LiveTable,
    last_seen: str,
    during: During,
    link: watch_links.WatchLink | None = None,
) -> web.StreamResponse:
    """Stream a table's events until the client leaves, starting after ``last_seen``."""
    headers = {"Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no"}
    answer = web.StreamResponse(headers=headers)
    await answer.prepare(request)
    if request.method == "HEAD" or request.transport is None:
        return answer
    await answer.write(RETRY)
    reader = PageSubscriber(request.transport, encode_chunk if request.version >= HttpVersion11 else bytes)
    await read_along(watching, watched, reader, last_seen, during, link)
    return answer


async def read_along(
    watching: LiveTables,
    watched: LiveTable,
    reader: PageSubscriber,
    last_seen: str,
    during: During,
    link: watch_links.WatchLink | None = None,
) -> None:
    """Send a reader the missed and all new events; ``during`` is entered with it meanwhile."""
    try:
        watching.join(watched, reader, link)
    except live_tables.CapacityError:
        reader.send(live_tables.event("", name=live_tables.CROWDED))
        return
    except live_tables.LinkExpiredError:  # the page asks at once whether its link is still valid
        return
    try:
        for frame in watched.frames_since(last_seen) or [live_tables.HEARTBEAT]:
            reader.send(frame)
        with during(reader):
            await reader.ended.wait()
    finally:
        watched.readers.pop(reader, None)


def read_checker() -> tuple[bytes, str]:
    """Read the transcript checker, and its policy: nothing but its own style and script."""
    page = package_info.read_packaged(package_info.CHECKER)
    style, script = (re.search(rf"<{name}>(.*?)</{name}>", page.decode(), re.DOTALL) for name in ("style", "script"))
    assert style is not None, "our own page has a style"  # noqa: S101 - states it
    assert script is not None, "our own page has a script"  # noqa: S101 - states it
    return page, documents.policy(style[1], script[1], also="frame-ancestors 'none'")


async def turn(bucket: quotas.TokenBucket, amount: float = 1.0) -> None:
    """Wait until a request of cost ``amount`` may be answered. Raises ``HTTPTooManyRequests`` after a while."""
    wait = bucket.delay(amount)
    if wait > MAX_WAIT:
        metrics.OVER_BUDGET.labels("requests").inc()
        await asyncio.sleep(REFUSED_AFTER)
        raise web.HTTPTooManyRequests(text=TOO_MANY_REQUESTS, headers=AGAIN)
    bucket.consume(amount)
    if wait > 0:
        metrics.OVER_BUDGET.labels("requests").inc()
        await asyncio.sleep(wait)


def address_of(request: web.Request, header: str | None) -> str:
    """Return a client's network for rate limiting; ``header``: to which the host's own proxy appends the address."""
    said = request.headers.get(header, "").rpartition(",")[2].strip() if header else ""
    try:
        address = ip_address(said or request.remote or "")
    except ValueError:
        return request.remote or ""
    return str(ip_network((address, 64), strict=False)) if address.version == 6 else str(address)


@web.middleware
async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer alike to everything missing, and every failure with a sentence."""
    connection = request.protocol
    assert isinstance(connection, PageConnection), "`serving` makes no other"  # noqa: S101 - made by `serving` alone
    connection.request_received()
    if request.method not in METHODS and request.match_info.http_exception is not None:
        return web.Response(status=405, headers={"Allow": ", ".join(METHODS)})
    try:
        return await handler(request)
    except web.HTTPTooManyRequests as refused:
        refused.force_close()
        raise
    except web.HTTPServiceUnavailable:
        raise
    except web.HTTPException:
        html = documents.not_found()
        return web.Response(status=404, text=html, content_type="text/html", headers={"X-Table": "none"})
    except errors.StoreError as error:
        log.warning("a page could not be shown: %s", error.reason)
        return web.Response(status=503, text=BUSY, headers=AGAIN)
    except Exception:
        log.exception("a page could not be shown")
        return web.Response(status=500, text=BROKEN)


async def add_headers(_: web.Request, answer: web.StreamResponse) -> None:
    for name, value in HEADERS.items():
        answer.headers.setdefault(name, value)
    if not answer.headers["X-Frame-Options"]:  # a policy lists the allowed hosts
        del answer.headers["X-Frame-Options"]
    answer.headers["Server"] = HEADERS["Server"]
    answer.headers.setdefault("Content-Security-Policy", documents.policy(documents.style("table.css")))


@asynccontextmanager
async def serve(
    app: App, host: str, port: int, url: str = "", also: Callable[[web.Application], None] | None = None
) -> AsyncIterator[str]:
    """Serve the pages on a local port (0 for any); yields their public address. ``url``: that address, if different.
    ``also`` adds more pages. Raises ``SettingsError`` if the port is taken.
    """
    site = LivePages(app).routes()
    if also is not None:
        also(site)
    runner = web.AppRunner(site, handler_cancellation=True, shutdown_timeout=1.0)
    await runner.setup()
    assert runner.server is not None, "it was set up"  # noqa: S101 - states it
    connection = partial(PageConnection, runner.server, HEADERS, access_log=None, logger=log)
    listening: asyncio.Server | None = None
    beating = asyncio.create_task(live_page.run_heartbeat(app))
    try:
        try:
            listening = await asyncio.get_running_loop().create_server(connection, host, port)
        except OSError as error:
            raise settings.cannot_listen("public_url", error) from None
        port = listening.sockets[0].getsockname()[1]
        app.watching.url = url.rstrip("/") or f"http://{host}:{port}"
        log.info("public pages at http://%s:%d, for people at %s", host, port, app.watching.url)
        yield app.watching.url
    finally:
        beating.cancel()
        for live_tables in app.watchings:
            live_tables.end_all()
        if listening is not None:
            listening.close()
        await runner.cleanup()
