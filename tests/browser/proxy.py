"""A proxy in front of the pages, as one stands between Discord's apps and a bot: it may change what passes."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import aiohttp
from aiohttp import web

HOP: frozenset[str] = frozenset({"connection", "content-length", "host", "keep-alive", "transfer-encoding", "upgrade"})
"""What one connection says for itself: RFC 9110, 7.6.1."""


KEEPING: frozenset[str] = frozenset({"cache-control", "etag", "expires", "last-modified"})
NONCE = "c2VjcmV0"
POLICY = (
    "default-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "font-src 'self' data:; connect-src 'self'; script-src 'self'"
)
"""The proxy's own, without 'unsafe-inline' for scripts, which is the strictest that was reported."""


@dataclass
class Proxy:
    """``holds``: event streams are passed on only when they have ended.

    ``replaces``: pages get the proxy's own policy in place of ours; ``marks``: their inline scripts get its nonce;
    ``forgets``: nothing says how long it may be kept. ``taken`` are the ways that pages took.
    """

    target: str
    holds: bool = False
    replaces: bool = False
    marks: bool = False
    forgets: bool = False
    url: str = ""
    taken: list[str] = field(default_factory=list)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        self.taken.append(request.path.rpartition("/")[2])
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=None)) as http:
            if request.headers.get("Upgrade", "").lower() == "websocket":
                return await self.bridge(request, http)
            headers = {name: value for name, value in request.headers.items() if name.lower() not in HOP}
            where = f"{self.target}{request.raw_path}"
            async with http.request(request.method, where, data=await request.read(), headers=headers) as response:
                kept = {name: value for name, value in response.headers.items() if name.lower() not in HOP}
                if self.forgets:
                    kept = {name: value for name, value in kept.items() if name.lower() not in KEEPING}
                if response.content_type == "text/html":
                    return self.changed(await response.text(), kept)
                if self.holds and response.content_type == "text/event-stream":
                    return web.Response(body=await response.read(), headers=kept)
                answer = web.StreamResponse(status=response.status, headers=kept)
                await answer.prepare(request)
                async for chunk in response.content.iter_any():
                    await answer.write(chunk)
                return answer

    def changed(self, html: str, headers: dict[str, str]) -> web.Response:
        """A page as it leaves the proxy."""
        if self.replaces:
            headers["Content-Security-Policy"] = POLICY + (f" 'nonce-{NONCE}'" if self.marks else "")
        if self.marks:
            html = html.replace("<script>", f'<script nonce="{NONCE}">')
        return web.Response(text=html, headers={**headers, "Content-Type": "text/html; charset=utf-8"})

    async def bridge(self, request: web.Request, http: aiohttp.ClientSession) -> web.WebSocketResponse:
        near = web.WebSocketResponse()
        await near.prepare(request)
        async with http.ws_connect(f"{self.target}{request.raw_path}") as far:

            async def there() -> None:
                async for one in near:
                    await far.send_str(one.data)
                await far.close()

            going = asyncio.create_task(there())
            async for item in far:
                await near.send_str(item.data)
            going.cancel()
        return near


@contextmanager
def proxied(
    target: str, *, holds: bool, replaces: bool = False, marks: bool = False, forgets: bool = False
) -> Iterator[Proxy]:
    """A proxy in a thread of its own, in front of an address."""
    result, loop, begun = Proxy(target, holds, replaces, marks, forgets), asyncio.new_event_loop(), threading.Event()

    async def serve() -> None:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", result.handle)
        runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        result.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            await runner.cleanup()

    def run() -> None:
        with suppress(asyncio.CancelledError):
            loop.run_until_complete(task)

    task = loop.create_task(serve())
    thread = threading.Thread(target=run)
    thread.start()
    begun.wait()
    try:
        yield result
    finally:
        loop.call_soon_threadsafe(task.cancel)
        thread.join()
        loop.close()
