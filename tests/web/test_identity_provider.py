"""What the bot asks Discord for the Activity: whose code it is, and who is where; strange answers too."""

import asyncio
import json
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from pydantic import HttpUrl

from bot.discord_api import discordpy_patches
from bot.discord_api.rate_limiter import RateLimiter
from bot.web.activity import ActivityInstance, DiscordApi, DiscordUser, RequestRejectedError

PERSON = {"id": "7", "username": "ana", "global_name": "Ana", "locale": "de"}
PLACE = {"application_id": "1", "instance_id": "i-1", "location": {"channel_id": "3", "guild_id": "4"}, "users": ["7"]}


class Api:
    """Discord's three addresses. ``answers`` are status and body by path; ``asked`` is what came."""

    def __init__(self) -> None:
        self.answers: dict[str, tuple[int, Any]] = {
            "/oauth2/token": (200, {"access_token": "secret-token"}),
            "/users/@me": (200, PERSON),
            "/applications/1/activity-instances/i-1": (200, PLACE),
        }
        self.asked: list[tuple[str, str]] = []

    async def answer(self, request: web.Request) -> web.Response:
        self.asked.append((request.path, request.headers.get("Authorization", "") or await request.text()))
        status, body = self.answers.get(request.path, (404, {"code": 10_000, "message": "Unknown"}))
        return web.Response(body=json.dumps(body), status=status, content_type="application/json")


@pytest.fixture
async def api() -> AsyncIterator[tuple[Api, DiscordApi]]:
    result, app = Api(), web.Application()
    app.router.add_route("*", "/{path:.*}", result.answer)
    async with TestServer(app) as server, aiohttp.ClientSession() as http:
        base = str(server.make_url("/")).rstrip("/")
        discordpy_patches.use_api(base)
        client = discord.Client(intents=discord.Intents.none())
        await client._async_setup_hook()
        client.http._HTTPClient__session = http  # type: ignore[attr-defined]  # as after a login
        client.http._global_over = asyncio.Event()  # as above
        client.http._global_over.set()
        bot = SimpleNamespace(
            application_id=1,
            budget=RateLimiter(),
            http=client.http,
            settings=SimpleNamespace(discord_api_url=HttpUrl(base)),
        )
        yield result, DiscordApi(bot, http, "the-secret")  # type: ignore[arg-type]  # what it uses of the bot


async def test_a_code_is_exchanged_for_who_somebody_is(api: tuple[Api, DiscordApi]) -> None:
    result, door = api
    assert await door.user("a-code") == DiscordUser(7, "Ana", "de")
    (token, form), (me, bearer) = result.asked
    assert (token, me, bearer) == ("/oauth2/token", "/users/@me", "Bearer secret-token")
    assert form == "client_id=1&client_secret=the-secret&grant_type=authorization_code&code=a-code"


@pytest.mark.parametrize("path", ["/oauth2/token", "/users/@me"])
async def test_a_code_that_discord_does_not_take_is_nobodys(api: tuple[Api, DiscordApi], path: str) -> None:
    result, door = api
    result.answers[path] = 400, {"error": "invalid_grant"}
    assert await door.user("a-code") is None


@pytest.mark.parametrize("body", [{}, [], "x", {"access_token": "t", "id": "none"}])
async def test_an_answer_that_cannot_be_read_is_refused_with_a_sentence(
    api: tuple[Api, DiscordApi], body: object
) -> None:
    result, door = api
    result.answers["/oauth2/token"] = result.answers["/users/@me"] = 200, body
    with pytest.raises(RequestRejectedError) as refused:
        await door.user("a-code")
    assert refused.value.status == 503


async def test_discord_says_where_an_instance_is_and_who_is_in_it(api: tuple[Api, DiscordApi]) -> None:
    result, door = api
    assert await door.instance("i-1") == ActivityInstance(3, 4, frozenset({7}))
    assert await door.instance("i-2") is None
    result.answers["/applications/1/activity-instances/i-1"] = 200, {**PLACE, "location": {"channel_id": "3"}}
    assert await door.instance("i-1") == ActivityInstance(3, None, frozenset({7}))
    result.answers["/applications/1/activity-instances/i-1"] = 200, {"users": "x"}
    with pytest.raises(RequestRejectedError):
        await door.instance("i-1")
