"""The REST side: the few requests that one bot makes, each body kept so that it can be judged afterwards."""

import asyncio
import json
import re
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from bot.render.faces import FACES, name
from tests.wire.calls import Calls
from tests.wire.commands import Commands
from tests.wire.gateway import Gateway
from tests.wire.interactions import Interactions, RefusedError
from tests.wire.world import (
    APPLICATION_ID,
    CHANNELS,
    GUILD_ID,
    JOINED,
    Json,
    application,
    bot_user,
    guild,
    snowflake,
)

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
# Read by hand: aiohttp's own parsing of multipart and of content types costs more than a bare bot's whole answer.
_BOUNDARY = re.compile(r'multipart/form-data;\s*boundary="?([^";]+)')
_NAME = re.compile(rb'name="([^"]+)"')


MOST_A_SECOND = 50
"""Requests that Discord takes from one bot in any second, all its processes together."""
NOT_COUNTED = ("/interactions/", "/webhooks/")


class Limit:
    """Discord's limit for a whole bot.

    ``counted`` are the moments of all requests that it counted, ``paths`` what they asked for, ``refused`` how many of
    them were too many.
    """

    def __init__(self) -> None:
        self.counted: list[float] = []
        self.paths: list[str] = []
        self.refused = 0
        self._last: deque[float] = deque(maxlen=MOST_A_SECOND)

    def takes(self, path: str, now: float) -> bool:
        """Whether one more is taken; what answers an interaction always is."""
        if path.startswith(NOT_COUNTED):
            return True
        self.counted.append(now)
        self.paths.append(path)
        if len(self._last) == MOST_A_SECOND and now - self._last[0] < 1:
            self.refused += 1
            return False
        self._last.append(now)
        return True

    @property
    def most(self) -> int:
        """The most in any second."""
        until, most = 0, 0
        for first, begun in enumerate(self.counted):
            while until < len(self.counted) and self.counted[until] - begun < 1:
                until += 1
            most = max(most, until - first)
        return most


@dataclass(frozen=True, slots=True)
class Sent:
    """A request that carried a body; ``path`` without the part up to ``/v10``."""

    method: str
    path: str
    body: Any


class Rest:
    """Discord's API for one bot, over the same world as the gateway.

    The application has the emoji of all faces, as on every start of a bot but its first. While ``takes_emojis`` is
    cleared, a request to create an emoji is not answered; while ``replies`` is, what answers an interaction is taken,
    and its sender does not hear of it. ``fails`` are the next requests that Discord refuses by a fault of its own or
    as too large: how their paths end, and with which status. ``channels`` are those that the bot may ask for, and
    ``hidden`` those of them that it may not see. ``thread_members``: members of private threads, as (thread, person).
    """

    def __init__(self, token: str, gateway: Gateway, interactions: Interactions, *, record: bool) -> None:
        self.commands = Commands()
        self.calls = Calls()
        self.emojis: dict[int, Json] = {}
        for face in FACES:
            self._keep_emoji(name(face))
        self.files: dict[str, bytes] = {}
        self.thread_members: set[tuple[int, int]] = set()
        self.channels: dict[int, Json] = {channel.id: channel.dump() for channel in CHANNELS}
        self.hidden: set[int] = set()
        self.takes_emojis = asyncio.Event()
        self.takes_emojis.set()
        self.replies = asyncio.Event()
        self.replies.set()
        self.fails: list[tuple[str, int]] = []
        self.sent: list[Sent] = []
        self.refusals: list[str] = []
        self.limit = Limit()
        self._token = token
        self._gateway = gateway
        self._interactions = interactions
        self._record = record

    def app(self) -> web.Application:
        app = web.Application(middlewares=[self._guarded], client_max_size=64 << 20)
        api, own = "/api/v10", f"/api/v10/applications/{APPLICATION_ID}"
        original = api + "/webhooks/{application}/{token}/messages/{message}"
        app.router.add_get("/gateway", self._gateway.serve)
        app.router.add_get("/attachments/{name}", self._download)
        app.router.add_post(api + "/interactions/{id}/{token}/callback", self._callback)
        app.router.add_post(api + "/webhooks/{application}/{token}", self._follow_up)
        app.router.add_get(original, self._read_message)
        app.router.add_patch(original, self._edit_message)
        app.router.add_delete(original, self._delete_message)
        app.router.add_post(api + "/channels/{channel}/messages", self._post)
        app.router.add_get(api + "/channels/{channel}/messages/{message}", self._read_posted)
        app.router.add_patch(api + "/channels/{channel}/messages/{message}", self._edit_posted)
        app.router.add_get(api + "/gateway/bot", self._gateway_bot)
        app.router.add_get(api + "/users/@me", self._me)
        app.router.add_get(api + "/users/{user}", self._user)
        app.router.add_get(api + "/channels/{channel}", self._channel)
        app.router.add_get(api + "/channels/{channel}/thread-members/{user}", self._thread_member)
        app.router.add_get(api + f"/guilds/{GUILD_ID}", self._guild)
        app.router.add_get(api + "/guilds/{guild}/members/{user}", self._member)
        app.router.add_post(api + "/oauth2/token", self._exchange)
        app.router.add_get(own + "/activity-instances/{instance}", self._instance)
        app.router.add_get(api + "/oauth2/applications/@me", self._application)
        app.router.add_get(api + "/applications/@me", self._application)
        app.router.add_get(own + "/emojis", self._list_emojis)
        app.router.add_post(own + "/emojis", self._create_emoji)
        for scope in ("", "/guilds/{guild}"):
            app.router.add_get(own + scope + "/commands", self._list_commands)
            app.router.add_put(own + scope + "/commands", self._put_commands)
            app.router.add_post(own + scope + "/commands", self._add_command)
        return app

    @web.middleware
    async def _guarded(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer refusals as Discord does, and remember them: a test whose bot was refused is no good test."""
        is_open = request.path.startswith(("/gateway", "/attachments/")) or request.path.endswith("/oauth2/token")
        is_open |= _bearer(request) in self.calls.tokens
        has_token = "/interactions/" in request.path or "/webhooks/" in request.path
        if not is_open and not has_token and request.headers.get("Authorization") != f"Bot {self._token}":
            return _json({"message": "401: Unauthorized", "code": 0}, status=401)
        if not is_open and not self.limit.takes(_short(request), time.perf_counter()):
            self.refusals.append(f"{request.method} {_short(request)} was one too many in a second")
            return _json(
                {"message": "You are being rate limited.", "retry_after": 1.0, "global": True},
                status=429,
                headers={"Via": "1.1 google", "Retry-After": "1", "X-RateLimit-Global": "true"},
            )
        fault = next((fail for fail in self.fails if request.path.endswith(fail[0])), None)
        if fault is not None:
            self.fails.remove(fault)
            return _json({"message": "A fault of Discord", "code": 0}, status=fault[1])
        try:
            return await handler(request)
        except RefusedError as refused:
            self.refusals.append(f"{request.method} {_short(request)} was refused: {refused} (code {refused.code})")
            return _json({"message": str(refused), "code": refused.code}, status=refused.status)
        except web.HTTPClientError:
            self.refusals.append(f"{request.method} {_short(request)}: the wire does not know this request")
            raise

    async def _body(self, request: web.Request) -> tuple[Any, dict[int, bytes]]:
        """The JSON of a request and the files beside it."""
        raw = await request.read()
        files: dict[int, bytes] = {}
        boundary = _BOUNDARY.match(request.headers.get("Content-Type", ""))
        if boundary:
            parts = _parts(raw, boundary[1].encode())
            raw = parts.pop("payload_json")
            files = {int(name.removeprefix("files[").removesuffix("]")): data for name, data in parts.items()}
        body = json.loads(raw)
        if self._record:
            self.sent.append(Sent(request.method, _short(request), body))
        return body, files

    async def _callback(self, request: web.Request) -> web.Response:
        body, files = await self._body(request)
        done = self._interactions.acknowledge(request.match_info["token"], body, files, time.perf_counter())
        await self.replies.wait()
        if request.query.get("with_response") in ("1", "true"):
            return _json(done)
        return web.Response(status=204)

    async def _follow_up(self, request: web.Request) -> web.Response:
        body, files = await self._body(request)
        message = self._interactions.follow_up(request.match_info["token"], body, files, time.perf_counter())
        return _json(message.dump())

    async def _read_message(self, request: web.Request) -> web.Response:
        return _json(self._interactions.message(request.match_info["token"], _number(request)).dump())

    async def _edit_message(self, request: web.Request) -> web.Response:
        body, files = await self._body(request)
        token = request.match_info["token"]
        message = self._interactions.edit(token, _number(request), body, files, time.perf_counter())
        return _json(message.dump())

    async def _post(self, request: web.Request) -> web.Response:
        body, files = await self._body(request)
        return _json(self._interactions.post(int(request.match_info["channel"]), body, files).dump())

    async def _read_posted(self, request: web.Request) -> web.Response:
        return _json(self._interactions.posted(int(request.match_info["message"])).dump())

    async def _edit_posted(self, request: web.Request) -> web.Response:
        body, files = await self._body(request)
        return _json(self._interactions.edit_posted(int(request.match_info["message"]), body, files).dump())

    async def _delete_message(self, request: web.Request) -> web.Response:
        self._interactions.delete(request.match_info["token"], _number(request))
        return web.Response(status=204)

    async def _download(self, request: web.Request) -> web.Response:
        """What a person attached, as Discord's CDN gives it to anybody who has the address."""
        return web.Response(body=self.files[request.match_info["name"]])

    async def _gateway_bot(self, _: web.Request) -> web.Response:
        limit = {
            "total": 1000,
            "remaining": 999,
            "reset_after": 86_400_000,
            "max_concurrency": self._gateway.max_concurrency,
        }
        shards = self._gateway.shards
        return _json({"url": self._gateway.url, "shards": shards, "session_start_limit": limit})

    async def _me(self, request: web.Request) -> web.Response:
        person = self.calls.tokens.get(_bearer(request))
        return _json(bot_user() if person is None else {**person.user(), "locale": "en-US"})

    async def _exchange(self, request: web.Request) -> web.Response:
        result = self.calls.exchange(dict(await request.post()))
        return _json({"error": "invalid_grant"}, status=400) if result is None else _json(result)

    async def _instance(self, request: web.Request) -> web.Response:
        result = self.calls.instance(request.match_info["instance"])
        return _json({"message": "Unknown Activity Instance", "code": 10_999}, 404) if result is None else _json(result)

    async def _user(self, request: web.Request) -> web.Response:
        people = (item["user"] for server in self._gateway.servers for item in server["members"])
        result = next((user for user in people if user["id"] == request.match_info["user"]), None)
        unknown = {"message": "Unknown User", "code": 10013}
        return _json(unknown, status=404) if result is None else _json(result)

    async def _channel(self, request: web.Request) -> web.Response:
        number = int(request.match_info["channel"])
        if number not in self.channels:
            return _json({"message": "Unknown Channel", "code": 10003}, status=404)
        if number in self.hidden:
            return _json({"message": "Missing Access", "code": 50001}, status=403)
        return _json(self.channels[number])

    async def _thread_member(self, request: web.Request) -> web.Response:
        thread, user = request.match_info["channel"], request.match_info["user"]
        if (int(thread), int(user)) not in self.thread_members:
            return _json({"message": "Unknown Member", "code": 10_007}, status=404)
        return _json({"id": thread, "user_id": user, "join_timestamp": JOINED, "flags": 0})

    async def _guild(self, _: web.Request) -> web.Response:
        return _json(guild())

    async def _member(self, request: web.Request) -> web.Response:
        asked = request.match_info
        members = (
            item for server in self._gateway.servers if server["id"] == asked["guild"] for item in server["members"]
        )
        result = next((item for item in members if item["user"]["id"] == asked["user"]), None)
        return _json({"message": "Unknown Member", "code": 10_007}, 404) if result is None else _json(result)

    async def _application(self, _: web.Request) -> web.Response:
        return _json(application())

    async def _list_emojis(self, _: web.Request) -> web.Response:
        return _json({"items": list(self.emojis.values())})

    async def _create_emoji(self, request: web.Request) -> web.Response:
        body, _ = await self._body(request)
        await self.takes_emojis.wait()
        return _json(self._keep_emoji(body["name"]), status=201)

    def _keep_emoji(self, called: str) -> Json:
        number = snowflake()
        flags = {"animated": False, "available": True, "managed": False, "require_colons": True}
        self.emojis[number] = {"id": str(number), "name": called, "roles": [], "user": bot_user(), **flags}
        return self.emojis[number]

    async def _list_commands(self, request: web.Request) -> web.Response:
        return _json(self.commands.listed(_scope(request)))

    async def _put_commands(self, request: web.Request) -> web.Response:
        body, _ = await self._body(request)
        return _json(self.commands.overwrite(_scope(request), body))

    async def _add_command(self, request: web.Request) -> web.Response:
        body, _ = await self._body(request)
        return _json(self.commands.add(_scope(request), body), status=201)


def _json(data: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> web.Response:
    """A JSON answer; discord.py knows one only by this exact content type, without a charset."""
    body = json.dumps(data, separators=(",", ":")).encode()
    return web.Response(body=body, status=status, headers={"Content-Type": "application/json", **(headers or {})})


def _bearer(request: web.Request) -> str:
    """The token of a person, where a request has one."""
    return request.headers.get("Authorization", "").partition("Bearer ")[2]


def _scope(request: web.Request) -> int | None:
    return int(request.match_info["guild"]) if "guild" in request.match_info else None


def _number(request: web.Request) -> int | None:
    named = request.match_info["message"]
    return None if named == "@original" else int(named)


def _short(request: web.Request) -> str:
    return request.path.removeprefix("/api/v10")


def _parts(raw: bytes, boundary: bytes) -> dict[str, bytes]:
    """The parts of a multipart body by name."""
    parts: dict[str, bytes] = {}
    for part in raw.split(b"--" + boundary)[1:-1]:
        head, _, data = part.partition(b"\r\n\r\n")
        name = _NAME.search(head)
        if name is None:
            raise RefusedError(400, 50035, "a part of the form has no name")
        parts[name[1].decode()] = data.removesuffix(b"\r\n")
    return parts
