"""Connections that never say what they want, and requests that are none, to the public pages of a running bot."""

import asyncio
import contextlib

import aiohttp

from bot.web.live_pages import REQUEST_TIMEOUT, UNREADABLE
from tests.ports import free_port
from tests.wire.wire import PATIENT, Wire

MANY = 60
HALVES = (b"", b"GET", b"GET /0/abc HTTP/1.1\r\nHost: a\r\n", b"POST / HTTP/1.1\r\nContent-Length: 100000\r\n\r\nabc")
NONSENSE = (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n", b"GET  / \x00\r\n\r\n", b"A" * 100_000 + b"\r\n\r\n")


async def test_half_a_request_is_closed_and_nonsense_learns_nothing(wire: Wire) -> None:
    port = free_port()
    bot = await wire.start_bot(PATIENT, {"PUBLIC_URL": f"http://127.0.0.1:{port} {port}"})
    await bot.logged("public pages at")
    held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(MANY)]
    for number, (_, writer) in enumerate(held):
        writer.write(HALVES[number % len(HALVES)])
    async with aiohttp.ClientSession() as http, http.get(f"http://127.0.0.1:{port}/verify.html") as answer:
        assert answer.status == 200, "others are answered meanwhile"
    for content in NONSENSE:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(content)
        said = (await reader.read()).decode()
        assert said.startswith(("HTTP/1.0 400", "HTTP/1.1 400")), said
        assert said.endswith(UNREADABLE)
        assert "Server: Rollcall" in said
        assert "aiohttp" not in said
        assert "Python" not in said
        writer.close()
    async with asyncio.timeout(REQUEST_TIMEOUT * 4):
        for reader, writer in held:
            with contextlib.suppress(ConnectionError):
                while await reader.read(1000):
                    pass
            writer.close()
