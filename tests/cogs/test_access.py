"""Who may see a place: each kind of place by each right, given and taken away while a frame and a live page are open.

What the gateway tells ends both at once; what only an answer tells, within ten minutes and with one question.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final
from unittest.mock import AsyncMock

import discord
import pytest
import simcord
from simcord.backend.models.channel import Overwrite
from simcord.enums import ChannelType, OverwriteType

from bot.access import ACTION_TTL, ANSWER_TTL, FRESH_SECONDS
from bot.sessions.request import Place
from bot.ui.live import live_page
from bot.web.activity import ActivityInstance
from tests.cogs.test_activity import INSTANCE, Call, Frame, call  # noqa: F401 - a fixture
from tests.cogs.test_places import direct, elsewhere, friends, group, thread
from tests.cogs.test_screen import Stream, app_of, link
from tests.conftest import MAX_REST, Club

Bits = discord.Permissions
SEE: Final = Bits(view_channel=True, connect=True).value


@dataclass
class World:
    """Bo sees a place by the role of the players, and is in a call of the Activity; everybody else does not see it."""

    call: Call
    role: simcord.RoleHandle
    parent: int
    channel: simcord.ChannelHandle

    @property
    def club(self) -> Club:
        return self.call.club

    @property
    def backend(self) -> Any:
        return self.club.env.backend

    @property
    def guild(self) -> int:
        return self.club.guild.id

    @property
    def place(self) -> Place:
        return Place(self.channel.id, self.guild)

    def allow(self, allowed: int, denied: int = 0) -> None:
        """What the role may do in the channel, or in that of which it is a thread."""
        self.backend.set_overwrite(self.parent, Overwrite(self.role.id, OverwriteType.ROLE, allowed, denied))

    async def open(self) -> tuple[Frame, Stream]:
        """Bo's frame with its stream, and his live page."""
        status, result, frame = await self.call.join(self.club.bo)
        assert status == 200, result
        return frame, Events(frame)


class Events(Stream):
    """The stream of a frame."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame.http, frame.base, **{"X-Session": frame.session})
        self._address = f"{frame.base}/0/call/events"


def channel_of(kind: ChannelType) -> Callable[[Club], tuple[int, simcord.ChannelHandle]]:
    def make(club: Club) -> tuple[int, simcord.ChannelHandle]:
        result = club.env.backend.create_channel(club.guild.id, "place", type=kind)
        return result.id, simcord.ChannelHandle(club.env, club.guild, result)

    return make


def thread_of(kind: ChannelType, inside: ChannelType) -> Callable[[Club], tuple[int, simcord.ChannelHandle]]:
    def make(club: Club) -> tuple[int, simcord.ChannelHandle]:
        parent = club.env.backend.create_channel(club.guild.id, "parent", type=inside)
        result = club.env.backend.create_thread(parent.id, "place", club.bo.id, type=kind)
        return parent.id, simcord.ChannelHandle(club.env, club.guild, result)

    return make


KINDS: Final = {
    "text": channel_of(ChannelType.TEXT),
    "news": channel_of(ChannelType.NEWS),
    "voice": channel_of(ChannelType.VOICE),
    "stage": channel_of(ChannelType.STAGE_VOICE),
    "public thread": thread_of(ChannelType.PUBLIC_THREAD, ChannelType.TEXT),
    "private thread": thread_of(ChannelType.PRIVATE_THREAD, ChannelType.TEXT),
    "forum post": thread_of(ChannelType.PUBLIC_THREAD, ChannelType.FORUM),
}
CALLS: Final = {"voice", "stage"}


def hidden(world: World) -> None:
    world.allow(0, SEE)


def closed(world: World) -> None:
    world.allow(Bits(view_channel=True).value, Bits(connect=True).value)


def allowed(world: World) -> None:
    world.allow(SEE)


def role_deleted(world: World) -> None:
    world.backend.delete_role(world.guild, world.role.id)


def deleted(world: World) -> None:
    world.backend.delete_channel(world.channel.id)


def removed(world: World) -> None:
    world.backend.remove_guild(world.guild)


def role_taken(world: World) -> None:
    world.backend.remove_member_role(world.guild, world.club.bo.id, world.role.id)


def role_given(world: World) -> None:
    world.backend.add_member_role(world.guild, world.club.bo.id, world.role.id)


def left(world: World) -> None:
    world.club.guild.remove_member(world.club.bo)


def came(world: World) -> None:
    world.backend.add_member(world.guild, world.club.bo.id, roles=[world.role.id], announce=True)
    if world.channel.is_thread:
        into_thread(world)


def out_of_thread(world: World) -> None:
    """Discord tells only bots of it that may hear of members."""
    del world.backend.get_thread(world.channel.id).thread_members[world.club.bo.id]


def into_thread(world: World) -> None:
    world.backend.get_thread(world.channel.id).thread_members[world.club.bo.id] = world.backend.now_iso()


def told_out_of_thread(world: World) -> None:
    world.backend.remove_thread_member(world.channel.id, world.club.bo.id)


@dataclass(frozen=True)
class Way:
    """How a right is taken away, and given again if it can be."""

    take: Callable[[World], None]
    give: Callable[[World], None] | None
    is_told: bool
    kinds: frozenset[str] = frozenset(KINDS)


WAYS: Final = (
    Way(hidden, allowed, is_told=True),
    Way(closed, allowed, is_told=True, kinds=frozenset(CALLS)),
    Way(role_deleted, None, is_told=True),
    Way(deleted, None, is_told=True),
    Way(removed, None, is_told=True),
    Way(role_taken, role_given, is_told=False),
    Way(left, came, is_told=False),
    Way(out_of_thread, into_thread, is_told=False, kinds=frozenset({"private thread"})),
    Way(told_out_of_thread, into_thread, is_told=True, kinds=frozenset({"private thread"})),
)
MATRIX: Final = [(kind, way) for way in WAYS for kind in KINDS if kind in way.kinds]


async def world_of(calling: Call, kind: str) -> World:
    club = calling.club
    role = club.guild.create_role("Players")
    parent, channel = KINDS[kind](club)
    club.env.backend.add_member_role(club.guild.id, club.bo.id, role.id)
    world = World(calling, role, parent, channel)
    club.env.backend.set_overwrite(parent, Overwrite(club.guild.default_role.id, OverwriteType.ROLE, 0, SEE))
    club.env.backend.set_overwrite(parent, Overwrite(club.env.backend.bot_user.id, OverwriteType.MEMBER, SEE, 0))
    if kind == "private thread":
        club.env.backend.add_thread_member(channel.id, club.env.backend.bot_user.id)
    world.allow(SEE)
    await club.env.settle()
    calling.door.instances[INSTANCE] = ActivityInstance(channel.id, club.guild.id, frozenset({club.bo.id}))
    club.channel = channel
    return world


async def over(stream: Stream) -> None:
    async with asyncio.timeout(MAX_REST):
        await asyncio.gather(stream.task, return_exceptions=True)


@pytest.mark.parametrize(("kind", "way"), MATRIX, ids=[f"{kind}-{way.take.__name__}" for kind, way in MATRIX])
async def test_what_somebody_may_not_see_any_more_ends(call: Call, kind: str, way: Way) -> None:  # noqa: F811 - a fixture
    world = await world_of(call, kind)
    club, app = world.club, app_of(world.club)
    await club.bo.slash(world.channel, "xwing ship add", name="Luke", attack=3, agility=2, hull=4, shields=2)
    address = await link(club, club.bo)
    page = Stream(call.http, address)
    await page.says("Luke")
    frame, stream = await world.open()
    await stream.says("data: ")
    status, result, _ = await call.join(club.ana)
    assert (status, "parts" in result) == (403, False), "she is not in it"
    way.take(world)
    await club.env.settle()
    if not way.is_told:
        call.late += FRESH_SECONDS - 1
        assert (await frame.own())[0] == 200, "nobody has told"
        call.late += ANSWER_TTL - 2 * FRESH_SECONDS
        await live_page.send_heartbeat(app)
        assert not page.task.done()
        assert not stream.task.done()
        call.late += FRESH_SECONDS
        await live_page.send_heartbeat(app)
    for item in (page, stream):
        await over(item)
    assert await app.access.may_see(club.bo.id, world.place) is not True
    assert (await frame.own())[0] in (403, 503)
    async with call.http.get(address) as answer:
        assert answer.status in (404, 503)
        assert "Luke" not in await answer.text()
    if way.give is not None:
        way.give(world)
        await club.env.settle()
        call.late += FRESH_SECONDS + 1
        assert await app.access.may_see(club.bo.id, world.place, FRESH_SECONDS) is True
        frame, stream = await world.open()
        await stream.says("data: ")
        assert (await frame.own())[0] == 200
        async with call.http.get(address) as answer:
            assert (answer.status, "Luke" in await answer.text()) == (200, True)
        stream.task.cancel()


@pytest.mark.parametrize("elsewhere_too", [False, True], ids=["at its table", "at another table"])
@pytest.mark.parametrize("kind", sorted(CALLS))
async def test_who_leaves_the_call_has_no_frame_of_it_at_once(
    call: Call,  # noqa: F811 - a fixture
    kind: str,
    *,
    elsewhere_too: bool,
) -> None:
    """Whatever the frame shows; a live page is no part of the call, and stays."""
    world = await world_of(call, kind)
    club, bo = world.club, world.club.bo
    await bo.slash(world.channel, "xwing ship add", name="Luke", attack=3, agility=2, hull=4, shields=2)
    page = Stream(call.http, await link(club, bo))
    await page.says("Luke")
    other = club.guild.create_text_channel("other-table")
    await bo.slash(other, "table show")
    await bo.join_voice(world.channel)
    for _ in range(2):
        frame, stream = await world.open()
        await stream.says("data: ")
        if elsewhere_too:
            assert (await frame.choose("table", channel=str(other.id)))[0] == 200
            await over(stream)
            stream = Events(frame)
        await stream.says("data: ")
        await bo.leave_voice()
        await over(stream)
        assert (await frame.own())[0] == 403
        assert (await frame.choose("plan", game="xwing"))[0] == 403
        assert not page.task.done()
        await bo.join_voice(world.channel)
    page.task.cancel()


async def test_the_stream_of_a_table_ends_with_it_and_the_way_back_needs_no_board(call: Call) -> None:  # noqa: F811 - a fixture
    """Bo looks at another table, comes back, looks once more, and loses the one, then the other."""
    world = await world_of(call, "text")
    club, bo = world.club, world.club.bo
    other = club.guild.create_text_channel("other-table")
    await bo.slash(other, "xwing ship add", name="Vader", attack=2, hull=8, agility=0)
    await bo.slash(other, "table show")

    def let_in(allowed: int) -> None:
        denied = 0 if allowed else SEE
        world.backend.set_overwrite(
            other.id, Overwrite(club.guild.default_role.id, OverwriteType.ROLE, allowed, denied)
        )

    frame, first = await world.open()
    await first.says("data: ")
    assert (await frame.choose("table", channel=str(other.id)))[0] == 200
    await over(first)
    status, told = await frame.choose("table", channel=str(world.channel.id))
    assert (status, "Vader" in str(told["parts"])) == (200, False)
    assert (await frame.choose("table", channel=str(other.id)))[0] == 200
    second = Events(frame)
    await second.says("Vader")
    let_in(0)
    await club.env.settle()
    await over(second)
    assert (await frame.own())[0] == 403, "its page comes back with a new session"
    frame, third = await world.open()
    await third.says("data: ")
    let_in(SEE)
    await club.env.settle()
    assert (await frame.choose("table", channel=str(other.id)))[0] == 200
    await over(third)
    last = Events(frame)
    await last.says("Vader")
    hidden(world)
    await club.env.settle()
    assert not last.task.done(), "it shows the other table"
    assert (await frame.choose("table", channel=str(world.channel.id)))[0] == 403
    last.task.cancel()


@pytest.mark.parametrize("kind", KINDS)
async def test_a_choice_asks_again_if_the_answer_is_older_than_a_minute(call: Call, kind: str) -> None:  # noqa: F811 - a fixture
    world = await world_of(call, kind)
    frame, stream = await world.open()
    await stream.says("data: ")
    role_taken(world)
    await world.club.env.settle()
    call.late += FRESH_SECONDS - 1
    assert (await frame.own())[0] == 200
    call.late += 2
    assert (await frame.choose("plan", game="xwing"))[0] == 403
    await over(stream)


async def test_who_may_manage_threads_sees_private_ones_without_being_in_them(call: Call) -> None:  # noqa: F811 - a fixture
    world = await world_of(call, "private thread")
    out_of_thread(world)
    assert (await call.join(world.club.bo))[0] == 403, "discord.py gives him what he may do in the parent"
    world.allow(SEE | Bits(manage_threads=True).value)
    await world.club.env.settle()
    _, stream = await world.open()
    await stream.says("data: ")
    allowed(world)
    await world.club.env.settle()
    await over(stream)


async def test_private_threads_are_listed_for_those_who_see_them_only(call: Call) -> None:  # noqa: F811 - a fixture
    club = call.club
    result = club.env.backend.create_thread(
        club.channel.id, "secret plans", club.ana.id, type=ChannelType.PRIVATE_THREAD
    )
    secret = simcord.ChannelHandle(club.env, club.guild, result)
    await club.ana.slash(secret, "xwing ship add", name="Vader", attack=2, hull=8, agility=0)
    await club.ana.slash(secret, "table show")
    for who, names in ((club.ana, ["dice", "secret plans"]), (club.bo, ["dice"])):
        _, found, frame = await call.join(who)
        assert [item["name"] for item in found["tables"]] == names
        status, found = await frame.choose("table", channel=str(secret.id))
        assert (status, "Vader" in str(found)) == ((200, True) if who is club.ana else (403, False))


@pytest.mark.parametrize("place", [direct, friends, group, elsewhere], ids=lambda item: item.__name__)
async def test_where_nothing_else_tells_a_press_does(
    call: Call,  # noqa: F811 - a fixture
    place: Callable[[Club], Any],
) -> None:
    club, access = call.club, app_of(call.club).access
    spot = place(club)
    here = Place(spot.channel.id, 1456000000000000001 if place is elsewhere else None)
    assert await access.may_see(club.ana.id, here) is None
    club.dice.will_show(3)
    await club.ana.slash(spot.channel, "roll", dice="1d6")
    assert await access.may_see(club.ana.id, here) is True
    assert await access.may_see(club.bo.id, here) is None, "that somebody else sees it says nothing"
    call.late += ACTION_TTL + 1
    assert await access.may_see(club.ana.id, here) is (True if place is direct else None)


async def test_a_page_of_which_nobody_knows_waits_and_comes_back(call: Call) -> None:  # noqa: F811 - a fixture
    club, app = call.club, app_of(call.club)
    elsewhere(club)
    await club.ana.slash(club.channel, "xwing ship add", name="Luke", attack=3, agility=2, hull=4, shields=2)
    address = await link(club, club.ana)
    page = Stream(call.http, address)
    await page.says("Luke")
    call.late += ACTION_TTL + 1
    await live_page.send_heartbeat(app)
    await over(page)
    assert "event: over" not in page.text, "it asks again"
    async with call.http.get(address) as answer:
        assert (answer.status, answer.headers["Retry-After"]) == (503, "2")
    await club.ana.slash(club.channel, "table history")
    async with call.http.get(address) as answer:
        assert answer.status == 200


async def test_a_thread_that_is_archived_shows_as_long_as_somebody_acts_in_it_and_sees_its_parent(call: Call) -> None:  # noqa: F811 - a fixture
    club, access = call.club, app_of(call.club).access
    spot = thread(club)
    here = Place(spot.channel.id, club.guild.id)
    await club.ana.slash(spot.channel, "table history")
    guild = club.env.bot.get_guild(club.guild.id)
    assert guild is not None
    result = guild.get_thread(here.channel_id)
    assert result is not None
    guild._remove_thread(result)
    assert await access.may_see(club.ana.id, here) is True
    assert await access.may_see(club.bo.id, here) is None
    denied = Overwrite(club.guild.default_role.id, OverwriteType.ROLE, 0, SEE)
    club.env.backend.set_overwrite(result.parent_id, denied)
    assert await access.may_see(club.ana.id, here) is False


async def test_where_discord_does_not_answer_the_last_answer_counts_for_ten_minutes(
    call: Call,  # noqa: F811 - a fixture
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = await world_of(call, "text")
    frame, stream = await world.open()
    await stream.says("data: ")
    asking = AsyncMock(side_effect=TimeoutError)
    monkeypatch.setattr(discord.Guild, "query_members", asking)
    call.late += ANSWER_TTL - 1
    assert (await frame.own())[0] == 200
    call.late += 2
    await live_page.send_heartbeat(app_of(world.club))
    await over(stream)
    status, said = await frame.own()
    assert (status, "whether you may see this table" in said["refused"]) == (503, True)
    monkeypatch.undo()
    assert (await frame.own())[0] == 200, "the session is still theirs"


async def test_one_question_for_all_tables_and_frames_and_people(
    call: Call,  # noqa: F811 - a fixture
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    club, app = call.club, app_of(call.club)
    everybody = (club.ana, club.bo, club.cleo)
    call.here(*everybody)
    asked = list[list[int]]()
    query = discord.Guild.query_members

    async def counted(guild: discord.Guild, **words: Any) -> list[discord.Member]:
        asked.append(sorted(words["user_ids"]))
        return await query(guild, **words)

    monkeypatch.setattr(discord.Guild, "query_members", counted)
    streams = []
    for who in (*everybody, *everybody):
        _, _, frame = await call.join(who)
        streams.append(Events(frame))
    assert asked == [[item.id] for item in everybody], "each once"
    asked.clear()
    requests = len(club.env.http_requests)
    for _ in range(40):  # ten minutes of beats
        call.late += live_page.EVERY
        await live_page.send_heartbeat(app)
    assert asked == [sorted(item.id for item in everybody)]
    assert len(club.env.http_requests) == requests, "and none of them counts against the limit of the whole bot"
    for stream in streams:
        stream.task.cancel()
