"""The private doors of discord.py and simcord are still where ``bot.private_doors`` goes through them."""

import inspect
from collections.abc import Iterator

import discord
import pytest
import yarl
from discord.gateway import DiscordWebSocket
from simcord.preview._action_plans import _component_key

from bot import private_doors
from bot.app import App
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
        ):
            patch.setattr(owner, name, getattr(owner, name))
        yield


def test_requests_go_to_the_api_that_was_named() -> None:
    private_doors.use_api("http://127.0.0.1:9/api/v10/")
    assert discord.http.Route("GET", "/users/@me").url == "http://127.0.0.1:9/api/v10/users/@me"


def test_a_lost_session_begins_at_the_gateway_that_was_named() -> None:
    gateway = yarl.URL("ws://127.0.0.1:9")
    assert isinstance(DiscordWebSocket.DEFAULT_GATEWAY, yarl.URL)
    private_doors.begin_lost_sessions_at(gateway)
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
    private_doors.never_speak()
    discord.Client(intents=discord.Intents.none())
    assert "voice" not in caplog.text


@pytest.mark.parametrize("shows", [True, False])
async def test_a_press_on_one_page_is_shown_on_the_others(club: Club, *, shows: bool) -> None:
    """Once simcord does so by itself, the second case fails, and the door can go."""
    pytest.importorskip("simcord.preview", reason="needs simcord: pip install 'rollcall[play]'")
    club.dice.red("focus hit")
    await club.attack(dice=2, agility=0, with_="focus")
    async with club.env.preview(club.channel, viewers=[club.ana, club.bo], layout="channel") as preview:
        if shows:
            private_doors.show_moves_on_all_pages(preview)
        here, there = preview._open_page(club.ana.id), preview._open_page(club.bo.id)
        before = there.revision
        press = {
            "protocol_version": 3,
            "sequence": 1,
            "request_id": "press",
            "generation": here.generation,
            "bot_generation": club.env._generation,
            "kind": "click",
            "published_revision": here.revision,
            "target_id": str(club.card.id),
            "control_key": _component_key({"type": 2}, "0.components.0", club.card.id),
        }
        receipt = await preview._action(here.id, press)
        assert receipt["dispatched"], receipt
        assert club.outcome == "2 hits get through."
        assert (there.revision > before) is shows
    assert "self.preview._action(" in inspect.getsource(type(preview._server)), "what a page sends comes by that name"


def test_an_event_that_cannot_be_read_is_logged_and_survived(caplog: pytest.LogCaptureFixture) -> None:
    client = discord.Client(intents=discord.Intents.none())
    with pytest.raises(KeyError):
        client._connection.parsers["INTERACTION_CREATE"]({})
    private_doors.survive_events(client)
    client._connection.parsers["INTERACTION_CREATE"]({})
    assert "cannot be read: INTERACTION_CREATE" in caplog.text
