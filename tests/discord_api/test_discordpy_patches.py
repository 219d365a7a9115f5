"""discord.py and simcord still have the internals that ``bot.discord_api.discordpy_patches`` replaces."""

import asyncio
import contextvars
import inspect
import io
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import aiohttp
import discord
import pytest
import yarl
from aiohttp import web
from aiohttp.test_utils import TestServer
from discord.gateway import DiscordWebSocket
from discord.interactions import InteractionCallbackResponse
from discord.webhook.async_ import async_context, interaction_message_response_params
from simcord.preview._action_plans import _component_key

from bot.discord_api import discordpy_patches
from bot.runtime import watchdog
from bot.runtime.app import App
from tests.conftest import Club


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """What the doors change holds for the whole process: it is put back after each test."""
    with pytest.MonkeyPatch.context() as patch:
        for owner, name in (
            (discord.http.Route, "BASE"),
            (discord.VoiceClient, "warn_nacl"),
            (discord.VoiceClient, "warn_dave"),
            (DiscordWebSocket, "DEFAULT_GATEWAY"),
            (DiscordWebSocket, "received_message"),
        ):
            patch.setattr(owner, name, getattr(owner, name))
        yield


def test_requests_go_to_the_api_that_was_named() -> None:
    discordpy_patches.use_api("http://127.0.0.1:9/api/v10/")
    assert discord.http.Route("GET", "/users/@me").url == "http://127.0.0.1:9/api/v10/users/@me"


def test_a_lost_session_begins_at_the_gateway_that_was_named() -> None:
    gateway = yarl.URL("ws://127.0.0.1:9")
    assert isinstance(DiscordWebSocket.DEFAULT_GATEWAY, yarl.URL)
    discordpy_patches.begin_lost_sessions_at(gateway)
    assert "gateway = gateway or cls.DEFAULT_GATEWAY" in inspect.getsource(DiscordWebSocket.from_client)


def test_where_the_count_of_shards_is_known_the_named_gateway_is_taken() -> None:
    caller = inspect.getsource(discord.AutoShardedClient.launch_shards)
    assert "gateway = DiscordWebSocket.DEFAULT_GATEWAY" in caller
    assert "self.launch_shard(gateway, shard_id, initial=initial)" in caller
    ours, theirs = (inspect.signature(owner.launch_shard).parameters for owner in (App, discord.AutoShardedClient))
    assert ours.keys() == theirs.keys()


def test_no_warning_about_voice_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = True
    discord.Client(intents=discord.Intents.none())
    assert "voice will NOT be supported" in caplog.text, "discord.py would warn"
    caplog.clear()
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = True
    discordpy_patches.silence_voice_warnings()
    discord.Client(intents=discord.Intents.none())
    assert "voice" not in caplog.text


def press_of(club: Club, page: Any, custom_id: str = "press") -> dict[str, Any]:
    """What a page sends when somebody presses the first button of the newest card."""
    return {
        "protocol_version": 3,
        "sequence": page.last_sequence + 1,
        "request_id": custom_id,
        "generation": page.generation,
        "bot_generation": club.env._generation,
        "kind": "click",
        "published_revision": page.revision,
        "target_id": str(club.card.id),
        "control_key": _component_key({"type": 2}, "0.components.0", club.card.id),
    }


@asynccontextmanager
async def shared_pages(club: Club, *, goes: bool) -> AsyncIterator[tuple[Any, Any, Any]]:
    """A preview with the pages of Ana and Bo; ``goes``: by our doors, else as simcord has it."""
    pytest.importorskip("simcord.preview", reason="needs simcord: pip install 'rollcall[play]'")
    turn = asyncio.Lock()
    async with club.env.preview(club.channel, viewers=[club.ana, club.bo], layout="channel") as preview:
        showing = None
        if goes:
            discordpy_patches.take_every_press(preview, turn)
            showing = asyncio.create_task(discordpy_patches.show_every_change(preview, turn))
            await asyncio.sleep(0)
        yield preview, preview._open_page(club.ana.id), preview._open_page(club.bo.id)
        if showing is not None:
            showing.cancel()


async def come_to_rest() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


@pytest.mark.parametrize("goes", [True, False])
async def test_a_press_on_one_page_is_shown_on_the_others(club: Club, *, goes: bool) -> None:
    """Once simcord does so by itself, the second case fails, and the door can go."""
    club.dice.red("focus hit")
    await club.attack(dice=2, agility=0, with_="focus")
    async with shared_pages(club, goes=goes) as (preview, here, there):
        before = there.revision
        receipt = await preview._action(here.id, press_of(club, here))
        assert receipt["dispatched"], receipt
        assert club.outcome == "Ana hits the defender: 2 hits."
        await come_to_rest()
        assert (there.revision > before) is goes
        before = there.revision
        await club.card.edit(content="the bot edits by itself")
        await come_to_rest()
        assert (there.revision > before) is goes
    assert "self.preview._action(" in inspect.getsource(type(preview._server)), "what a page sends comes by that name"


@pytest.mark.parametrize("goes", [True, False])
async def test_a_press_counts_of_somebody_who_has_not_seen_the_newest_change(club: Club, *, goes: bool) -> None:
    """The same."""
    club.dice.red("focus hit")
    await club.attack(dice=2, agility=0, with_="focus")
    async with shared_pages(club, goes=goes) as (preview, here, _):
        press = press_of(club, here)
        preview._publish(here)
        receipt = await preview._action(here.id, press)
        assert receipt["rejected"] is not goes
        assert (club.outcome == "Ana hits the defender: 2 hits.") is goes


@pytest.mark.parametrize("goes", [True, False])
async def test_two_presses_at_once_are_taken_one_after_the_other(club: Club, *, goes: bool) -> None:
    """The same."""
    club.dice.red("focus hit")
    await club.attack(dice=2, agility=0, with_="focus")
    async with shared_pages(club, goes=goes) as (preview, here, there):
        pressing = [preview._action(item.id, press_of(club, item)) for item in (here, there)]
        receipts = await asyncio.gather(*pressing)
        assert [receipt["rejected"] for receipt in receipts] == [False, not goes]


async def test_what_happens_on_a_page_happens_at_the_time_of_the_day(club: Club) -> None:
    """Once simcord's clock goes by itself, the first line fails, and the door can go."""
    assert datetime.now(UTC) - club.env.now() > timedelta(days=1)
    discordpy_patches.follow_wall_clock(club.env)
    club.dice.red("focus hit")
    await club.attack(dice=2, agility=0, with_="focus")
    assert abs(datetime.now(UTC) - club.card.created_at) < timedelta(minutes=5)
    late = datetime.now(UTC) + timedelta(minutes=20)  # the token of the command's interaction is good for 15
    club.env.backend.clock.now = lambda: late  # type: ignore[method-assign]  # as above
    await club.ana.click(club.card, label="Focus: 1 to hit")
    assert club.outcome == "Ana hits the defender: 2 hits."


def test_an_event_that_cannot_be_read_is_logged_and_survived(caplog: pytest.LogCaptureFixture) -> None:
    client = discord.Client(intents=discord.Intents.none())
    with pytest.raises(KeyError):
        client._connection.parsers["INTERACTION_CREATE"]({})
    discordpy_patches.survive_events(client)
    client._connection.parsers["INTERACTION_CREATE"]({})
    assert "cannot be read: INTERACTION_CREATE" in caplog.text


async def test_an_answer_is_one_body_that_others_read_as_a_form_also_when_it_is_sent_again() -> None:
    """Discord has it sent thrice, for there were too many: each time the same whole form arrives, and one counts."""
    taken: list[int] = []
    arrived: list[dict[str, tuple[str | None, str | None, bytes]]] = []
    lengths: list[int | None] = []

    async def callback(request: web.Request) -> web.Response:
        lengths.append(request.content_length)
        parts = {}
        async for part in await request.multipart():
            assert isinstance(part, aiohttp.BodyPartReader)
            assert part.name is not None
            parts[part.name] = part.filename, part.headers.get("Content-Type"), bytes(await part.read())
        arrived.append(parts)
        if len(arrived) < 3:
            return in_json({"retry_after": 0}, status=429, headers={"Via": "1.1 discord"})
        answered = {"id": "7", "type": 2, "response_message_id": "9"}
        return in_json({"interaction": answered, "resource": {"type": 4, "message": {"id": "9"}}})

    app = web.Application()
    app.router.add_post("/interactions/{id}/{token}/callback", callback)
    picture = bytes(range(256)) + b"\r\n--\r\n"
    async with TestServer(app) as server, aiohttp.ClientSession() as session:
        discordpy_patches.use_api(str(server.make_url("/")))
        files = [discord.File(io.BytesIO(picture), "dice.png"), discord.File(io.BytesIO(b"x"), 'a "name".txt')]
        params = interaction_message_response_params(type=4, content="Würfel", files=files)
        adapter = discordpy_patches.PreparedBodyAdapter(taken.append)
        answered = await adapter.create_interaction_response(7, "t", session=session, params=params)
        assert not taken, "discord.py's own way counts for itself"
        for file in files:
            file.reset()
        assert await adapter.create_interaction_response(7, "t", session=session, params=params) == answered
    assert taken == [7]
    assert len(arrived) == 4
    assert all(item == arrived[0] for item in arrived)
    assert list(arrived[0]) == ["payload_json", "files[0]", "files[1]"]
    assert arrived[0]["payload_json"][2].decode() == params.multipart[0]["value"]  # type: ignore[index]  # it has files
    assert arrived[0]["files[0]"] == ("dice.png", "application/octet-stream", picture)
    assert arrived[0]["files[1]"][0] == "a %22name%22.txt"
    assert None not in lengths, "the body is one piece, not chunks"
    assert "resource" not in answered
    assert int(answered["interaction"]["response_message_id"]) == 9


async def test_an_answer_whose_connection_broke_goes_by_the_usual_way_which_says_what_discord_says() -> None:
    """It may have arrived: then Discord refuses the second with a number that is known."""
    arrived: list[str] = []

    async def callback(request: web.Request) -> web.Response:
        arrived.append(await request.text())
        if len(arrived) == 1:
            assert request.transport is not None
            request.transport.close()
        return in_json({"code": 40060, "message": "Interaction has already been acknowledged."}, status=400)

    app = web.Application()
    app.router.add_post("/interactions/{id}/{token}/callback", callback)
    taken: list[int] = []
    async with TestServer(app) as server, aiohttp.ClientSession() as session:
        discordpy_patches.use_api(str(server.make_url("/")))
        params = interaction_message_response_params(type=4, content="7 hits")
        with pytest.raises(discord.HTTPException) as refused:
            await discordpy_patches.PreparedBodyAdapter(taken.append).create_interaction_response(
                7, "t", session=session, params=params
            )
    assert refused.value.code == 40060
    assert arrived == [arrived[0]] * len(arrived)
    assert not taken


def in_json(answer: object, **words: Any) -> web.Response:
    """An answer as Discord sends it: discord.py reads no other content type than exactly this one."""
    return web.Response(body=json.dumps(answer), content_type="application/json", **words)


def test_what_sends_answers_is_asked_for_where_they_are_sent_and_needs_no_message_back() -> None:
    apart = contextvars.copy_context()
    apart.run(discordpy_patches.answer_in_one_piece, print)
    assert isinstance(apart[async_context], discordpy_patches.PreparedBodyAdapter)
    for send in (discord.InteractionResponse.send_message, discord.InteractionResponse.edit_message):
        assert "adapter = async_context.get()" in inspect.getsource(send)
    body = {"interaction": {"id": "7", "type": 2, "response_message_id": "9"}}
    parts: dict[str, object] = {"data": body, "parent": None, "state": None}
    shown = InteractionCallbackResponse(**parts, type=discord.InteractionResponseType.channel_message)  # type: ignore[arg-type]  # it looks at its data only
    assert (shown.message_id, shown.resource) == (9, None)


async def test_commands_suggestions_and_presses_are_watched(
    club: Club, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(watchdog, "MAX_HELD", 0.0)
    club.dice.will_show(2)
    await club.ana.autocomplete(club.channel, "roll", "dice", "2d")
    await club.ana.slash(club.channel, "roll", dice="1d6")
    await club.press(club.ana, "rc1:unknown")
    result = "\n".join(record.getMessage() for record in caplog.records if record.name == "bot.runtime.watchdog")
    assert "/roll (dice: 2 characters) held the event loop" in result
    assert "/roll (dice: 3 characters) held the event loop" in result
    assert "rc1:unknown held the event loop" in result
