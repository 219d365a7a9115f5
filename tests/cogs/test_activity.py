"""The Activity over real HTTP: who gets a session, what is theirs, and what others get of it: nothing."""

import asyncio
import html
import json
import re
import secrets
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Final
from unittest.mock import Mock

import aiohttp
import discord
import pytest
import simcord

from bot import access, metrics
from bot.discord_api import rate_limiter
from bot.html import documents
from bot.resources.quotas import LIMITS, TokenBucket
from bot.rules.plans import commitments
from bot.rules.xwing.cards.deck import DAMAGE_CARDS
from bot.runtime import watchdog
from bot.runtime.app import App
from bot.sessions.live_tables import ROLLS_SHOWN
from bot.sessions.request import Place
from bot.store.errors import StoreError
from bot.ui.core.request_context import language_at
from bot.ui.live import live_page
from bot.web import activity, live_pages
from bot.web.activity import OWN, Activity, ActivityInstance, DiscordUser, RequestRejectedError
from bot.web.health import HealthEndpoints
from bot.web.live_pages import MAX_BODY, LivePages, serve
from bot.web.middleware import watch_request
from tests.cogs.test_xwing_board import ANA, BO
from tests.conftest import MAX_REST, Club

INSTANCE = "i-1234-gc-5678"
ROOT: Final = Path(__file__).parents[2]


@dataclass
class Discord:
    """A stand-in for what only Discord knows: whose a code is, and who is in the instance."""

    codes: dict[str, DiscordUser] = field(default_factory=dict)
    instances: dict[str, ActivityInstance] = field(default_factory=dict)

    async def user(self, code: str) -> DiscordUser | None:
        return self.codes.pop(code, None)

    async def instance(self, number: str) -> ActivityInstance | None:
        return self.instances.get(number)


@dataclass
class Frame:
    """One person's frame, as its page speaks with the bot."""

    http: aiohttp.ClientSession
    base: str
    session: str = ""
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    async def post(self, path: str, **words: str) -> tuple[int, dict[str, Any]]:
        headers = {"X-Session": self.session} if self.session else {}
        async with self.http.post(f"{self.base}/0/call/{path}", json=words, headers=headers) as answer:
            return answer.status, await answer.json()

    async def choose(self, do: str, **words: str) -> tuple[int, dict[str, Any]]:
        return await self.post("choose", do=do, once=str(next(self.numbers)), **words)

    async def own(self) -> tuple[int, dict[str, Any]]:
        async with self.http.get(f"{self.base}/0/call/own", headers={"X-Session": self.session}) as answer:
            return answer.status, await answer.json()


@dataclass
class Call:
    """A call in which people have the Activity open. ``late`` is the time that has passed, for the bot."""

    club: Club
    http: aiohttp.ClientSession
    base: str = ""
    door: Discord = field(default_factory=Discord)
    late: float = 0.0
    activity: Activity = field(init=False)

    def here(self, *people: simcord.MemberActor) -> None:
        channel, guild = self.club.channel.id, self.club.guild.id
        self.door.instances[INSTANCE] = ActivityInstance(channel, guild, frozenset(person.id for person in people))

    async def join(self, who: simcord.MemberActor, locale: str = "en-US") -> tuple[int, dict[str, Any], Frame]:
        code = secrets.token_hex(4)
        self.door.codes[code] = DiscordUser(who.id, who.user.name, locale)
        frame = Frame(self.http, self.base)
        status, result = await frame.post("join", code=code, instance=INSTANCE)
        frame.session = result.get("session", "")
        return status, result, frame


@pytest.fixture
async def call(club: Club, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Call]:
    monkeypatch.setattr(access, "ANSWER_TIMEOUT", MAX_REST)
    async with aiohttp.ClientSession() as http:
        result = Call(club, http)
        app = club.env.bot
        assert isinstance(app, App)
        real = app.access.clock  # simcord's ``time.monotonic`` says 0 within the bot, and the machine's time outside
        app.access.clock = lambda: real() + result.late
        activity = result.activity = Activity(app, result.door, clock=app.access.clock)
        async with serve(app, "127.0.0.1", 0, also=activity.add_to) as result.base:
            result.here(club.ana, club.bo)
            yield result


async def rolled(call: Call) -> None:
    """Ana attacks, and may change dice."""
    call.club.dice.red("hit focus blank")
    await call.club.attack(dice=3, agility=2, with_="focus", against="focus", opponent=call.club.bo)


async def test_somebody_in_the_call_sees_the_table_and_a_stranger_does_not(call: Call) -> None:
    await rolled(call)
    status, result, _ = await call.join(call.club.ana)
    assert status == 200
    assert "attack" in result["parts"]["roll"].lower()
    call.here(call.club.bo)
    call.late += 60
    status, result, _ = await call.join(call.club.ana)
    assert (status, result.get("session")) == (403, None)
    assert "Discord doesn&#x27;t list you as a participant in this Activity" in result["refused"]


async def test_a_roll_that_is_over_is_shown_however_many_others_wait(call: Call) -> None:
    for _ in range(ROLLS_SHOWN):
        await rolled(call)
    call.club.dice.will_show(3)
    await call.club.ana.slash(call.club.channel, "roll", dice="1d6+7777")
    _, result, _ = await call.join(call.club.bo)
    assert "1d6+7777" in result["parts"]["roll"]


async def test_a_code_counts_once_and_a_made_up_one_never(call: Call) -> None:
    call.door.codes["once"] = DiscordUser(call.club.ana.id, "ana", "en-US")
    frame = Frame(call.http, call.base)
    assert (await frame.post("join", code="once", instance=INSTANCE))[0] == 200
    assert (await frame.post("join", code="once", instance=INSTANCE))[0] == 403
    assert (await frame.post("join", code="x", instance=INSTANCE))[0] == 403


@pytest.mark.parametrize("instance", ["", "i-other", "../users/@me", "x" * 500])
async def test_another_instance_opens_nothing(call: Call, instance: str) -> None:
    call.door.codes["once"] = DiscordUser(call.club.ana.id, "ana", "en-US")
    status, result = await Frame(call.http, call.base).post("join", code="once", instance=instance)
    assert (status, list(result)) == (403, ["refused"])


async def test_who_has_left_the_call_is_shown_nothing_more(call: Call) -> None:
    _, _, frame = await call.join(call.club.ana)
    assert (await frame.own())[0] == 200
    call.here(call.club.bo)
    assert (await frame.own())[0] == 200, "it is asked every ten minutes"
    call.late += 601
    assert (await frame.own())[0] == 403
    call.here(call.club.ana, call.club.bo)
    assert (await frame.own())[0] == 403, "a session that has ended stays so"


async def test_only_who_may_act_is_offered_advice_and_is_given_it(call: Call) -> None:
    await rolled(call)
    _, result, ana = await call.join(call.club.ana)
    _, others, bo = await call.join(call.club.bo)
    offered = result["own"] + others["own"]
    if 'data-do="advice"' not in offered:
        pytest.fail(offered)
    mine, theirs = (ana, bo) if 'data-do="advice"' in result["own"] else (bo, ana)
    marks = {word: offered.partition(f'data-{word}="')[2].partition('"')[0] for word in ("roll", "ply")}
    status, told = await mine.choose("advice", **marks)
    assert status == 200
    assert "Advice" in told["advice"]
    status, told = await theirs.choose("advice", **marks)
    assert (status, list(told)) == (409, ["refused"])


async def test_a_secret_roll_stands_in_one_frame_only(call: Call) -> None:
    call.club.dice.will_show(11)
    await call.club.ana.slash(call.club.channel, "roll", dice="1d20+7777", secret=True)
    _, mine, _ = await call.join(call.club.ana)
    _, theirs, _ = await call.join(call.club.bo)
    assert "7789" in mine["own"]
    assert "7789" not in json.dumps({**mine, "own": ""}) + json.dumps(theirs)


async def test_facedown_cards_stand_in_their_owners_frame_only(call: Call) -> None:
    club = call.club
    await club.bo.slash(club.channel, "xwing ship add", name="Vader", player=club.ana, attack=2, hull=8, agility=0)
    await club.bo.slash(club.channel, "xwing ship add", name="Luke", attack=2, hull=8, agility=0)
    await club.ana.slash(club.channel, "xwing damage", ship="Vader", hits=2)
    _, mine, _ = await call.join(club.ana)
    _, theirs, _ = await call.join(club.bo)
    down = re.search(r"<dt>Facedown</dt><dd>(.+?)</dd>", mine["own"])
    assert down is not None, mine["own"]
    titles = html.unescape(down[1]).split(", ")
    assert len(titles) == 2
    assert set(titles) <= set(DAMAGE_CARDS)
    assert "Vader has 2 damage cards." in mine["own"]
    assert not [card for card in DAMAGE_CARDS if card in json.dumps([{**mine, "own": ""}, theirs])]


async def test_what_holds_the_loop_for_a_page_is_reported_with_its_route_and_without_its_words(
    call: Call, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(watchdog, "MAX_HELD", -1.0)  # whatever the machine: every stretch counts as long
    before = metrics.LOOP_HELD._value.get()
    _, _, frame = await call.join(call.club.ana)
    await frame.choose("plan", of="Ship", value="x" * 20, **{"a\nline": "x"})
    await frame.choose("no\nact")
    await frame.own()
    table = "0/secrettoken?overlay=dark&line%0A=1"
    for path in (table, "status?server=123", "odds/abc", "favicon.ico", "nowhere/at/all"):
        async with call.http.get(f"{call.base}/{path}") as answer:
            await answer.read()
    result = {record.getMessage() for record in caplog.records if record.name == watchdog.__name__}
    assert metrics.LOOP_HELD._value.get() >= before + len(result)
    reported = {line.partition(" held the event loop for ")[0] for line in result}
    unread = {"/{shard}/call/join", "/{shard}/call/choose"}
    assert reported - unread == {  # a body may come later than its request
        "/{shard}/call/join (code: 8 characters, instance: 14 characters)",
        "/{shard}/call/choose plan (once: 1 characters, of: 4 characters, value: 20 characters)",
        "/{shard}/call/choose (once: 1 characters)",
        "/{shard}/call/own",
        "/{shard}/{token} (overlay: 4 characters)",
        "/status (server: 3 characters)",
        "/odds/{fragment}",
        "/favicon.ico",
        "an unknown address",
    }


async def test_every_site_of_the_bot_is_watched(call: Call) -> None:
    app: Any = call.club.env.bot
    made = [item.stem for item in (ROOT / "bot").rglob("*.py") if "web.Application(" in item.read_text()]
    assert sorted(made) == ["health", "live_pages"]
    for site in (LivePages(app).routes(), HealthEndpoints(app).routes()):
        assert site.middlewares[0] is watch_request, "whatever else an answer goes through is watched, too"


async def test_a_choice_that_arrives_twice_counts_once(call: Call) -> None:
    _, _, frame = await call.join(call.club.ana)
    words = {"do": "plan", "game": "xwing", "of": "Luke", "value": "", "once": "7"}
    first, again = [await frame.post("choose", **words) for _ in range(2)]
    assert again == (409, {"refused": "That already arrived, and it counts only once."})
    assert first != again


async def test_a_choice_counts_once_however_many_came_after_it(call: Call) -> None:
    _, _, frame = await call.join(call.club.ana)
    words = {"do": "plan", "game": "xwing", "of": "Luke", "value": ""}
    numbers = [*range(1, 71), 72, 71]  # two of them overtook each other on the way
    first = [(await frame.post("choose", **words, once=str(number)))[1]["refused"] for number in numbers]
    again = [(await frame.post("choose", **words, once=str(item)))[1]["refused"] for item in (1, 2, 69, 70, 71, 72)]
    assert "That already arrived, and it counts only once." not in first
    assert {*again} == {"That already arrived, and it counts only once."}


@pytest.mark.parametrize("once", ["", "0", "-1", "01", "one", "1" * 10, "\u0661"])
async def test_a_choice_without_a_number_is_not_known(call: Call, once: str) -> None:
    _, _, frame = await call.join(call.club.ana)
    assert (await frame.post("choose", do="plan", once=once))[0] == 400


@pytest.mark.parametrize("body", [b"[]", b"{", b'{"do": 1}', b"x" * (MAX_BODY + 1), b"x" * 1_000_000, b"[" * 4000])
async def test_bodies_that_no_page_sends_get_one_sentence(call: Call, body: bytes) -> None:
    _, _, frame = await call.join(call.club.ana)
    async with call.http.post(f"{call.base}/0/call/choose", data=body, headers={"X-Session": frame.session}) as answer:
        assert answer.status == 400
        assert list(await answer.json()) == ["refused"]


@pytest.mark.parametrize("path", ["own", "events"])
async def test_without_a_session_there_is_nothing(call: Call, path: str) -> None:
    for headers in ({}, {"X-Session": "x" * 43}):
        async with call.http.get(f"{call.base}/0/call/{path}", headers=headers) as answer:
            assert (answer.status, list(await answer.json())) == (403, ["refused"])


async def test_events_and_a_socket_say_the_same(call: Call) -> None:
    (_, result, frame), (_, _, other) = [await call.join(call.club.ana) for _ in range(2)]
    url = f"{call.base}/0/call"
    async with (
        call.http.get(f"{url}/events?after={result['frame']}", headers={"X-Session": frame.session}) as events,
        call.http.ws_connect(f"{url}/socket") as socket,
    ):
        await socket.send_json({"session": other.session, "after": result["frame"]})
        assert "beat" in await socket.receive_str(timeout=MAX_REST)
        await rolled(call)
        while not (event := await socket.receive_str(timeout=MAX_REST)).startswith("id: "):
            assert event == OWN.decode()
        said = json.loads(event.partition("data: ")[2])
        text = b""
        while json.dumps(said, ensure_ascii=False).encode() not in text:
            assert not events.content.at_eof()
            text += await asyncio.wait_for(events.content.readany(), MAX_REST)
    assert "roll" in said


async def test_a_socket_of_a_stranger_is_closed(call: Call) -> None:
    for first in ('{"session": "x"}', "[]", "no", "{}"):
        async with call.http.ws_connect(f"{call.base}/0/call/socket") as socket:
            await socket.send_str(first)
            assert (await socket.receive(timeout=MAX_REST)).type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED)


async def test_the_page_of_the_activity_may_be_framed_and_no_other(call: Call) -> None:
    async with call.http.get(f"{call.base}/?frame_id=1&guild_id={call.club.guild.id}") as answer:
        policy = answer.headers["Content-Security-Policy"]
        assert "frame-ancestors" not in policy, "whoever frames it has to bring a code"
        assert "X-Frame-Options" not in answer.headers
    async with call.http.get(call.base) as answer:
        assert (answer.status, answer.headers["X-Frame-Options"]) == (404, "DENY")


async def test_each_reads_the_table_in_their_own_language(call: Call) -> None:
    await rolled(call)
    _, english, _ = await call.join(call.club.ana)
    _, german, _ = await call.join(call.club.bo, "de")
    assert english["parts"]["roll"] != german["parts"]["roll"]


async def test_the_stream_of_who_has_left_ends(call: Call) -> None:
    _, _, frame = await call.join(call.club.ana)
    async with call.http.get(f"{call.base}/0/call/events", headers={"X-Session": frame.session}) as events:
        await events.content.readany()
        call.here(call.club.bo)
        call.late += 601
        await call.activity.look_once()
        async with asyncio.timeout(MAX_REST):
            while await events.content.readany():
                pass


async def test_who_has_not_been_here_for_an_hour_is_forgotten_and_who_reads_along_is_not(call: Call) -> None:
    (_, _, ana), (_, _, bo) = [await call.join(item) for item in (call.club.ana, call.club.bo)]
    async with call.http.get(f"{call.base}/0/call/events", headers={"X-Session": ana.session}) as events:
        await events.content.readany()
        call.late += 3601
        await call.activity.look_once()
        call.late += 1800
        assert [(await item.own())[0] for item in (ana, bo)] == [200, 403]
        assert list(call.activity._sessions) == [ana.session]


async def test_who_may_not_see_another_channel_any_more_is_shown_nothing_of_it(call: Call) -> None:
    club = call.club
    other = club.guild.create_text_channel("other-table")
    await club.ana.slash(other, "xwing ship add", name="Vader", attack=2, hull=8, agility=0)
    await club.ana.slash(other, "table show")
    _, result, frame = await call.join(club.bo)
    assert [item["name"] for item in result["tables"]] == [club.channel.name, "other-table"]
    status, result = await frame.choose("table", channel=str(other.id))
    assert status == 200
    assert "Vader" in result["parts"]["teams"]
    async with call.http.get(f"{call.base}/0/call/events", headers={"X-Session": frame.session}) as events:
        await events.content.readany()
        guild = club.env.bot.get_guild(club.guild.id)
        channel = club.env.bot.get_channel(other.id)
        assert guild is not None
        assert isinstance(channel, discord.TextChannel)
        hidden = discord.PermissionOverwrite(view_channel=False)
        await channel.set_permissions(guild.default_role, overwrite=hidden)
        async with asyncio.timeout(MAX_REST):
            while await events.content.readany():
                pass
    assert (await frame.own())[0] == 403


async def test_where_all_frames_are_taken_the_oldest_gives_way(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(activity, "MAX_SESSIONS", 2)
    call.here(call.club.ana, call.club.bo, call.club.cleo)
    frames = [(await call.join(item))[2] for item in (call.club.ana, call.club.bo)]
    assert [(await frame.own())[0] for frame in frames] == [200, 200]
    assert (await call.join(call.club.cleo))[0] == 200
    assert [(await frame.own())[0] for frame in frames] == [403, 200]


async def test_somebodys_own_is_asked_for_again_only_where_it_may_have_changed(call: Call) -> None:
    """A spectator's frame has nothing of its own, so a step of somebody else brings it no question."""
    club = call.club
    await club.ana.slash(club.channel, "xwing ship add", name="Vader", attack=2, hull=8, agility=0)
    frames = [(await call.join(item))[2] for item in (club.ana, club.bo)]
    told = []
    for frame in frames:
        events = await call.http.get(f"{call.base}/0/call/events", headers={"X-Session": frame.session})
        told.append(events)
    await club.ana.slash(club.channel, "xwing damage", ship="Vader", hits=1)
    result = []
    for events in told:
        text = b""
        while b"Hull" not in text:
            text += await asyncio.wait_for(events.content.readany(), MAX_REST)
        events.close()
        result.append(OWN in text)
    assert result == [True, False]


async def test_dials_chosen_in_one_frame_reach_no_other_one(call: Call) -> None:
    """What another frame gets is the same whatever is chosen; what stands in one's own is what was chosen."""
    club, others = call.club, list[str]()
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(ANA), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(BO))
    _, mine, ana = await call.join(club.ana)
    sheet = mine["own"].partition('data-sheet="')[2].partition('"')[0]
    for code in ("2FB", "1FB"):
        for of in ("Luke Skywalker", "Blue Squadron Escort"):
            assert await ana.choose("plan", game="xwing", sheet=sheet, of=of, value=code) == (200, {})
        assert (await ana.own())[1]["own"].count(f'value="{code}" selected') == 2
        _, after, bo = await call.join(club.bo)
        others.append(json.dumps([after["parts"], after["own"], (await bo.own())[1]]))
    assert others == [others[0]] * 2


async def test_ready_without_a_choice_is_asked_once(call: Call) -> None:
    club = call.club
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(ANA), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(BO))
    _, mine, ana = await call.join(club.ana)
    sheet = mine["own"].partition('data-sheet="')[2].partition('"')[0]
    status, told = await ana.choose("ready", game="xwing", sheet=sheet)
    assert (status, sorted(told)) == (409, ["places", "refused"])
    status, told = await ana.choose("ready", game="xwing", sheet=sheet, anyway="yes")
    assert (status, list(told)) == (200, ["own"])


@pytest.mark.parametrize(
    ("game", "sheet", "of", "value"),
    [
        ("xwing", "round 2", "Luke Skywalker", "2FB"),
        ("xwing", "x" * 3000, "Luke Skywalker", "2FB"),
        ("xwing", "squad", "squad-1", "no squad"),
        ("infinity", f"camo -3 1-4 g{'9' * 3000} regular", "CAMO 1", "Angus"),
        ("infinity", "camo -3 1-4", "CAMO 1", "Angus"),
    ],
)
async def test_a_page_plans_the_sheet_that_is_due_and_no_other(
    call: Call, game: str, sheet: str, of: str, value: str
) -> None:
    """Any other one was kept: a name of 3,000 characters broke the board, a closed squad that is none every squad."""
    club, app = call.club, call.activity._app
    await club.ana.slash(club.channel, "infinity profile set", name="Angus", stats="BS 12, W 1, Camouflage")
    for by, squad in ((club.ana, ANA), (club.bo, BO)) if sheet != "squad" else ():
        await by.slash(club.channel, "xwing squad", text=json.dumps(squad))
    _, _, ana = await call.join(club.ana)
    for do in ("plan", "ready"):
        status, _ = await ana.choose(do, game=game, sheet=sheet, of=of, value=value, anyway="yes")
        assert status == 409
    here = Place(club.channel.id, club.guild.id)
    assert commitments(await app.tables.pieces(here, game)) == {}
    assert (await club.bo.slash(club.channel, "xwing squad", text=json.dumps(BO))).acknowledged


async def test_a_thread_has_its_channels_settings_in_the_activity_and_on_its_board(
    call: Call, gm: simcord.MemberActor
) -> None:
    club = call.club
    made = club.env.backend.create_thread(club.channel.id, "skirmish", club.ana.id)
    thread = simcord.ChannelHandle(club.env, club.guild, made)
    for setting, value in (("advice", "off"), ("language", "de")):
        await gm.slash(club.channel, "ruleset set", setting=setting, value=value)
    club.dice.red("hit focus blank")
    given: Any = {"dice": 3, "agility": 2, "with": "focus", "against": "focus", "opponent": club.bo.user}
    await club.ana.slash(thread, "xwing attack", **given)
    await club.ana.slash(thread, "table show")
    for who in (club.ana, club.bo):
        _, _, frame = await call.join(who)
        _, shown = await frame.choose("table", channel=str(thread.id))
        assert shown["own"] == ""
    app = call.activity._app
    assert (await language_at(app, Place(thread.id, club.guild.id))).key == "de"


async def test_whoever_is_known_waits_for_no_stranger(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind Discord's proxy everybody has the same address: made-up joins and icons took the turns of all."""
    app, waited = call.activity._app, list[float]()
    _, _, frame = await call.join(call.club.ana)
    monkeypatch.setattr(app.allowances, "_clock", lambda: 0.0)
    app.allowances._known.clear()

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(live_pages, "asyncio", Mock(wraps=asyncio, sleep=sleep))
    stranger = Frame(call.http, call.base)
    joins = [await stranger.post("join", code="made up", instance=f"i-{number}") for number in range(200)]
    assert [status for status, _ in joins] == [403] * 200
    assert not waited
    app.allowances.of("127.0.0.1").pictures.consume(3000)
    async with call.http.get(f"{call.base}/favicon.ico") as answer:
        assert answer.status == 200
    assert waited == [(3001 - LIMITS.pictures) / LIMITS.pictures], "strangers wait for each other"
    waited.clear()
    assert (await frame.own())[0] == 200
    status, _, another = await call.join(call.club.bo)
    assert status == 200, "a join is counted by its person"
    assert (await another.own())[0] == 200
    assert not waited


async def test_a_person_joins_so_often_and_asks_for_an_instance_once(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look at an instance takes one of the requests that Discord counts."""
    app, ana = call.activity._app, call.club.ana
    asked, waited, find = list[str](), list[float](), call.door.instance

    async def counted(number: str) -> ActivityInstance | None:
        asked.append(number)
        return await find(number)

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(call.door, "instance", counted)
    monkeypatch.setattr(live_pages, "asyncio", Mock(wraps=asyncio, sleep=sleep))
    monkeypatch.setattr(app.allowances, "_clock", lambda: 0.0)
    app.allowances._known.clear()
    for number in range(4):
        for _ in range(2):
            call.door.codes["again"] = DiscordUser(ana.id, "ana", "en-US")
            status, _ = await Frame(call.http, call.base).post("join", code="again", instance=f"i-wrong-{number}")
            assert status == 403
    assert asked == [f"i-wrong-{number}" for number in range(4)], "wrong ones are remembered too"
    assert not waited
    statuses = []
    for _ in range(6):
        call.door.codes["again"] = DiscordUser(ana.id, "ana", "en-US")
        words = {"code": "again", "instance": INSTANCE}
        async with call.http.post(f"{call.base}/0/call/join", json=words) as answer:
            statuses.append(answer.status)
    assert statuses == [200] * 2 + [429] * 4
    assert asked[4:] == [INSTANCE]
    assert (await call.join(call.club.bo))[0] == 200, "others wait for nobody"
    assert asked[4:] == [INSTANCE]


async def test_strangers_have_discord_check_so_many_wrong_codes(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing else limits them: behind the proxy all have one address, and a stranger is no person."""
    asked, user = list[str](), call.door.user

    async def counted(code: str) -> DiscordUser | None:
        asked.append(code)
        return await user(code)

    async def sleep(_: float) -> None:
        pass

    monkeypatch.setattr(call.door, "user", counted)
    monkeypatch.setattr(live_pages, "asyncio", Mock(wraps=asyncio, sleep=sleep))
    monkeypatch.setattr(call.activity, "_codes", TokenBucket(5, 600, lambda: 0.0))
    assert [(await call.join(call.club.ana))[0] for _ in range(3)] == [200] * 3, "right ones don't count"
    statuses = []
    for number in range(8):
        words = {"code": f"made up {number}", "instance": INSTANCE}
        async with call.http.post(f"{call.base}/0/call/join", json=words) as answer:
            statuses.append(answer.status)
    assert statuses == [403] * 5 + [429] * 3
    assert len(asked) == 8


async def test_a_code_is_kept_until_it_was_used(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that could not come in tries again with the same code, which Discord takes only once."""
    app = call.activity._app
    call.door.codes["once"] = DiscordUser(call.club.ana.id, "ana", "en-US")
    frame, find, tables = Frame(call.http, call.base), call.door.instance, app.tables.snapshot

    async def silent(_: str) -> ActivityInstance | None:
        raise RequestRejectedError(503, activity.NOT_THERE)

    async def down(_: object) -> object:
        raise StoreError("down")

    monkeypatch.setattr(call.door, "instance", silent)
    assert (await frame.post("join", code="once", instance=INSTANCE))[0] == 503
    monkeypatch.setattr(call.door, "instance", find)
    monkeypatch.setattr(app.tables, "snapshot", down)
    assert (await frame.post("join", code="once", instance=INSTANCE))[0] == 503
    monkeypatch.setattr(app.tables, "snapshot", tables)
    assert (await frame.post("join", code="once", instance=INSTANCE))[0] == 200
    assert (await frame.post("join", code="once", instance=INSTANCE))[0] == 403


async def test_200_frames_come_back_after_a_kill_with_one_counted_request_for_each_call(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new process knows no session; four frames of each of 50 calls join at once. The limiter bounds the rest."""
    club, asked, guild = call.club, list[str](), call.club.guild
    people = [guild.add_member(club.env.create_user(f"p{number}")) for number in range(200)]
    for number in range(50):
        inside = frozenset(person.id for person in people[number::50])
        call.door.instances[f"i-{number}"] = ActivityInstance(club.channel.id, guild.id, inside)
    find = call.door.instance

    async def counted(number: str) -> ActivityInstance | None:
        asked.append(number)
        await asyncio.sleep(0)
        return await find(number)

    async def come_back(number: int) -> int:
        frame = Frame(call.http, call.base, "of the process that was killed")
        assert (await frame.own())[0] == 403
        call.door.codes[f"code {number}"] = DiscordUser(people[number].id, "somebody", "en-US")
        return (await frame.post("join", code=f"code {number}", instance=f"i-{number % 50}"))[0]

    monkeypatch.setattr(call.door, "instance", counted)
    before = len(club.env.http_requests)
    assert await asyncio.gather(*map(come_back, range(200))) == [200] * 200
    assert sorted(asked) == sorted(f"i-{number}" for number in range(50))
    assert len(club.env.http_requests) == before, "who may see the table is asked over the gateway"
    assert rate_limiter.PER_SECOND <= 40, "so many a second at most, whatever asks for them"


async def test_a_link_opens_the_activity_at_its_table(call: Call) -> None:
    """Discord hands the frame the ``custom_id`` of the link; a table that this person may not see is not opened."""
    club = call.club
    await club.ana.slash(club.channel, "xwing ship add", name="Luke", attack=3, agility=2, hull=4, shields=2)
    first, club.channel = club.channel, club.guild.create_text_channel("second")
    await club.ana.slash(club.channel, "xwing ship add", name="Vader", attack=3, agility=3, hull=3, shields=2)
    await club.ana.slash(club.channel, "table show")
    for table, shown in ((first, "Luke"), (club.channel, "Vader")):
        code = secrets.token_hex(4)
        call.door.codes[code] = DiscordUser(club.ana.id, "ana", "en-US")
        words = {"code": code, "instance": INSTANCE, "table": str(table.id)}
        status, result = await Frame(call.http, call.base).post("join", **words)
        assert (status, result["table"]) == (200, str(table.id))
        assert shown in result["parts"]["teams"]
    call.door.codes["strange"] = DiscordUser(club.ana.id, "ana", "en-US")
    status, result = await Frame(call.http, call.base).post("join", code="strange", instance=INSTANCE, table="7")
    assert (status, result["table"]) == (200, str(first.id)), "that of the call"


MAX_COUNTED: Final = 0.01
"""Requests a table and second that Discord may count."""


async def test_a_table_with_four_frames_costs_few_counted_requests(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half an hour of four frames outside a voice channel, in which each asks for its own and chooses each minute."""
    club, find, asked = call.club, call.door.instance, list[str]()
    people = [club.ana, club.bo, club.cleo, club.guild.add_member(club.env.create_user("dev"))]
    call.here(*people)

    async def counted(number: str) -> ActivityInstance | None:
        asked.append(number)
        return await find(number)

    monkeypatch.setattr(call.door, "instance", counted)
    monkeypatch.setattr(call.activity._app.allowances, "_clock", call.activity._clock)
    call.activity._app.allowances._known.clear()
    before = len(club.env.http_requests)
    frames = [(await call.join(person))[2] for person in people]
    streams = [
        await call.http.get(f"{call.base}/0/call/events", headers={"X-Session": item.session}) for item in frames
    ]
    minutes = 30
    for _ in range(minutes):
        for _ in range(4):
            call.late += live_page.EVERY
            await live_page.send_heartbeat(call.activity._app)
            await call.activity.look_once()
        for frame in frames:
            assert (await frame.own())[0] == 200
            await frame.choose("plan", game="xwing")
    for stream in streams:
        stream.close()
    requests = len(asked) + len(club.env.http_requests) - before
    assert 0 < requests / (minutes * 60) <= MAX_COUNTED, asked


@pytest.mark.parametrize("is_open", [True, False])
async def test_a_frame_with_an_opaque_origin_may_ask_where_the_host_lets_it_in(club: Club, *, is_open: bool) -> None:
    """No cookie goes with a request; in the simulation, where anybody can make a code up, it may not."""
    app = club.env.bot
    assert isinstance(app, App)
    also = Activity(app, Discord(), is_open=is_open).add_to
    async with aiohttp.ClientSession() as http, serve(app, "127.0.0.1", 0, also=also) as base:
        paths = (f"0/call/{documents.activity_script_name()}", f"0/{documents.typeface_name()}", "0/call/own")
        for path in (*paths, "favicon.ico", "verify.html"):
            async with http.get(f"{base}/{path}", headers={"Origin": "null"}) as answer:
                allowed = answer.headers.get("Access-Control-Allow-Origin")
                shared = answer.headers["Cross-Origin-Resource-Policy"]
                open_ = is_open and path in paths
                assert (allowed, shared) == (("*", "cross-origin") if open_ else (None, "same-origin"))
        headers = {"Origin": "null", "Access-Control-Request-Headers": "x-session"}
        async with http.options(f"{base}/0/call/own", headers=headers) as answer:
            assert answer.status == (204 if is_open else 405)
            if is_open:
                assert answer.headers["Access-Control-Allow-Headers"] == "X-Session, Content-Type"
