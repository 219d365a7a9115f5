"""The gateway: HELLO, IDENTIFY, READY, heartbeats, dispatches with sequence numbers, RESUME with what was missed."""

import asyncio
import importlib
import json
import secrets
import zlib
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from aiohttp import WSMsgType, web

from tests.wire.process import PATIENCE
from tests.wire.world import APPLICATION_ID, GUILD_ID, Json, bot_user, guild

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT, REQUEST_MEMBERS, INVALID, HELLO, ACK = 0, 1, 2, 6, 7, 8, 9, 10, 11
_GONE_FOR_GOOD = (1000, 1001)  # a client that closes with these codes gives its session up


class Link:
    """One open socket, with the compression its address asked for."""

    def __init__(self, socket: web.WebSocketResponse, compression: str | None) -> None:
        self.socket = socket
        self._pack = _packer(compression)

    async def send(self, text: str) -> None:
        """Send one gateway message; a socket that has just gone is no error, RESUME brings the message again."""
        try:
            if self._pack is None:
                await self.socket.send_str(text)
            else:
                await self.socket.send_bytes(self._pack(text.encode()))
        except ConnectionError:
            pass


class Session:
    """What RESUME brings back: the dispatches so far, whoever listens now."""

    def __init__(self, shard: tuple[int, int]) -> None:
        self.id = secrets.token_hex(16)
        self.shard = shard
        self.sequence = 0
        self.link: Link | None = None
        self._sent: deque[tuple[int, str]] = deque(maxlen=1000)

    def holds(self, guild_id: int) -> bool:
        """Whether a server belongs to its shard."""
        return (guild_id >> 22) % self.shard[1] == self.shard[0]

    async def dispatch(self, name: str, data: Json) -> None:
        self.sequence += 1
        event = {"op": DISPATCH, "s": self.sequence, "t": name, "d": data}
        # Discord's words are valid Unicode: half of a surrogate pair, which a fuzz types, arrives as a question mark.
        text = json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode(errors="replace").decode()
        self._sent.append((self.sequence, text))
        if self.link is not None:
            await self.link.send(text)

    async def replay(self, link: Link, after: int) -> None:
        """Send what came after ``after``, in order, and only then let new dispatches through."""
        while after < self.sequence:
            missed = [text for number, text in self._sent if number > after]
            after = self.sequence
            for text in missed:
                await link.send(text)
        self.link = link


class Gateway:
    """All sessions of one bot token. ``heard`` names what bots sent, in order: IDENTIFY and RESUME.

    While ``is_down``, nobody can connect. ``refuses`` is the code with which every IDENTIFY is answered, if there
    is one. ``identified`` are the shards of every IDENTIFY: number and count. ``spoils`` change the next READYs.
    """

    def __init__(self, token: str, heartbeat: float, shards: int) -> None:
        self.url = ""
        self.heard: list[str] = []
        self.identified: list[tuple[int, int]] = []
        self.max_concurrency = 16
        self.beats = 0
        self.questions: list[Json] = []
        """What bots asked about members."""
        self.shards = shards
        self.is_down = False
        self.refuses: int | None = None
        self.more_servers: Sequence[Json] = ()
        """Those beside the one in which people usually play; a shard hears of its own."""
        self.spoils: list[Callable[[Json], Json]] = []
        self.news = asyncio.Condition()
        self._token = token
        self._heartbeat = heartbeat
        self._sessions: dict[str, Session] = {}
        self._links: set[Link] = set()

    def sessions(self, guild_id: int = GUILD_ID) -> list[Session]:
        """Those whose shard holds a server, in the order in which they began; several where processes share it."""
        return [session for session in self._sessions.values() if session.holds(guild_id)]

    async def dispatch(self, name: str, data: Json) -> None:
        """Send to every session whose shard holds the server of ``data``; one that is away gets it when it resumes."""
        for session in self.sessions(int(data.get("guild_id") or GUILD_ID)):
            await session.dispatch(name, data)

    async def drop(self, *, lose_sessions: bool = False) -> None:
        """Close every socket as a broken connection would; with ``lose_sessions`` a RESUME is refused afterwards."""
        if lose_sessions:
            self._sessions.clear()
        for session in self._sessions.values():
            session.link = None  # it was we who closed: the session waits for its RESUME
        for link in list(self._links):
            await link.socket.close(code=4000)

    async def wait_heard(self, name: str, times: int = 1) -> None:
        """Return once bots have sent ``name`` so many times since the wire began, and were answered."""
        async with asyncio.timeout(PATIENCE), self.news:
            await self.news.wait_for(lambda: self.heard.count(name) >= times)

    async def wait_beats(self, times: int) -> None:
        """Return once bots have sent so many heartbeats since the wire began, and were answered."""
        async with asyncio.timeout(PATIENCE), self.news:
            await self.news.wait_for(lambda: self.beats >= times)

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        if self.is_down:
            raise web.HTTPServiceUnavailable
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        link = Link(socket, request.query.get("compress"))
        self._links.add(link)
        session: Session | None = None
        try:
            await link.send(json.dumps({"op": HELLO, "d": {"heartbeat_interval": int(self._heartbeat * 1000)}}))
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    session = await self._receive(link, session, json.loads(message.data))
        finally:
            self._links.discard(link)
            if session is not None and session.link is link:
                session.link = None
                if socket.close_code in _GONE_FOR_GOOD:
                    self._sessions.pop(session.id, None)
        return socket

    async def _receive(self, link: Link, session: Session | None, message: Json) -> Session | None:
        op, data = message["op"], message.get("d")
        if op == HEARTBEAT:
            await link.send(json.dumps({"op": ACK}))
            async with self.news:
                self.beats += 1
                self.news.notify_all()
        elif op == IDENTIFY and isinstance(data, dict):
            session = await self._identify(link, data)
            await self._note("IDENTIFY")
        elif op == RESUME and isinstance(data, dict):
            session = await self._resume(link, data)
            await self._note("RESUME")
        elif op == REQUEST_MEMBERS and isinstance(data, dict) and session is not None:
            self.questions.append(data)
            await session.dispatch("GUILD_MEMBERS_CHUNK", self._members(data))
        return session

    @property
    def servers(self) -> tuple[Json, ...]:
        return guild(), *self.more_servers

    async def join(self, server: Json) -> None:
        """Somebody adds the bot to one more server."""
        self.more_servers = [*self.more_servers, server]
        for session in self.sessions(int(server["id"])):
            await session.dispatch("GUILD_CREATE", server)

    def _members(self, asked: Json) -> Json:
        """Who of the people that a bot asks for are in a server; it may ask by their ids without an intent."""
        wanted = list(asked["user_ids"])
        server = next(item for item in self.servers if item["id"] == str(asked["guild_id"]))
        result = [item for item in server["members"] if int(item["user"]["id"]) in map(int, wanted)]
        known = {int(item["user"]["id"]) for item in result}
        lost = [str(item) for item in wanted if int(item) not in known]
        more = {"chunk_index": 0, "chunk_count": 1, "nonce": asked.get("nonce")}
        return {"guild_id": server["id"], "members": result, "not_found": lost, **more}

    async def _identify(self, link: Link, data: Json) -> Session | None:
        if data["token"] != self._token:
            await link.socket.close(code=4004, message=b"Authentication failed.")
            return None
        if self.refuses is not None:
            await link.socket.close(code=self.refuses)
            return None
        number, count = data.get("shard", (0, 1))
        session = Session((number, count))
        self.identified.append((number, count))
        self._sessions[session.id] = session
        session.link = link
        servers = [server for server in self.servers if session.holds(int(server["id"]))]
        ready = {
            "v": 10,
            "user": bot_user(),
            "guilds": [{"id": server["id"], "unavailable": True} for server in servers],
            "session_id": session.id,
            "resume_gateway_url": self.url,
            "shard": [number, count],
            "private_channels": [],
            "application": {"id": str(APPLICATION_ID), "flags": 0},
        }
        if self.spoils:
            await session.dispatch("READY", self.spoils.pop(0)(ready))
            return session
        await session.dispatch("READY", ready)
        for server in servers:
            await session.dispatch("GUILD_CREATE", server)
        return session

    async def _resume(self, link: Link, data: Json) -> Session | None:
        session = self._sessions.get(data["session_id"])
        if session is None or data["token"] != self._token:
            await link.send(json.dumps({"op": INVALID, "d": False}))
            return None
        await session.replay(link, data["seq"])
        await session.dispatch("RESUMED", {})
        return session

    async def _note(self, name: str) -> None:
        async with self.news:
            self.heard.append(name)
            self.news.notify_all()


def _packer(compression: str | None) -> Callable[[bytes], bytes] | None:
    if compression is None:
        return None
    if compression == "zlib-stream":
        deflate = zlib.compressobj()
        return lambda data: deflate.compress(data) + deflate.flush(zlib.Z_SYNC_FLUSH)
    if compression == "zstd-stream":
        return _zstd()
    raise web.HTTPBadRequest(text=f"no such compression: {compression}")


def _zstd() -> Callable[[bytes], bytes]:
    """Asked for only by a client that has zstandard, or a Python from 3.14 on; and then so have we."""
    try:
        zstandard: Any = importlib.import_module("zstandard")
    except ImportError:
        standard: Any = importlib.import_module("compression.zstd")
        stream = standard.ZstdCompressor()
        return lambda data: bytes(stream.compress(data, mode=stream.FLUSH_BLOCK))
    press = zstandard.ZstdCompressor().compressobj()
    return lambda data: bytes(press.compress(data) + press.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK))
