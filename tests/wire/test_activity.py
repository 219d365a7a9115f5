"""The Activity of whole bot processes: three frames of one call, and whatever people do to them."""

import asyncio
import json
import re
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

import aiohttp
import pytest

from bot.resources.quotas import LIMITS
from bot.rules.plans import commitments
from bot.rules.xwing.table import pieces as xwing_pieces
from bot.sessions import codec
from bot.ui.core.board_controls import name_mark
from bot.web.activity import MAX_FRAMES
from tests.ports import free_port
from tests.wire.calls import SECRET
from tests.wire.process import PATIENCE, BotProcess, until
from tests.wire.wire import PATIENT, Wire
from tests.wire.world import APPLICATION_ID, Channel, Person, snowflake

INSTANCE: Final = "i-1-gc-2"
SQUADS: Final = (
    ("rebelalliance", ("lukeskywalker", "bluesquadronescort")),
    ("galacticempire", ("howlrunner", "academypilot")),
)
LUKE: Final = "Luke Skywalker"
STREAMS: Final = LIMITS.watchers + 50
"""More than a server has places for."""


@dataclass
class Frame:
    """One person's frame: ``heard`` is all that its page was answered, ``text`` what its stream has brought so far."""

    wire: Wire
    http: aiohttp.ClientSession
    base: str
    person: Person
    tasks: list[asyncio.Task[None]]
    session: str = ""
    found: dict[str, Any] = field(default_factory=dict)
    heard: str = ""
    text: str = ""
    over: bool = False
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    async def post(self, path: str, body: Any) -> tuple[int, Any]:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = {"X-Session": self.session} if self.session else {}
        async with self.http.post(f"{self.base}/0/call/{path}", data=data, headers=headers) as answer:
            return await self.told(answer)

    async def told(self, answer: aiohttp.ClientResponse) -> tuple[int, Any]:
        """The status and JSON of an answer."""
        text = await answer.text()
        self.heard += f"{answer.status} {sorted(answer.headers.items())}\n{text}\n"
        return answer.status, json.loads(text)

    async def join(self, *, code: str = "", instance: str = INSTANCE) -> int:
        """Agree, and come in: the status."""
        agreed = code or self.wire.rest.calls.agree(self.person)
        status, self.found = await self.post("join", {"code": agreed, "instance": instance})
        self.session = self.found.get("session", "")
        return status

    async def choose(self, do: str, once: str = "", **words: str) -> tuple[int, Any]:
        return await self.post("choose", {"do": do, "once": once or str(next(self.numbers)), **words})

    async def own(self) -> tuple[int, Any]:
        async with self.http.get(f"{self.base}/0/call/own", headers={"X-Session": self.session}) as answer:
            return await self.told(answer)

    async def listen(self) -> asyncio.Task[None]:
        """Read along from now on, until the stream ends."""
        begun = asyncio.Event()

        async def read() -> None:
            with suppress(aiohttp.ClientError):
                async with self.http.get(f"{self.base}/0/call/events", headers={"X-Session": self.session}) as answer:
                    assert answer.status == 200
                    begun.set()
                    async for chunk in answer.content.iter_any():
                        self.text += chunk.decode()
            self.over = True

        task = asyncio.create_task(read())
        self.tasks.append(task)
        await begun.wait()
        return task

    async def says(self, words: str) -> None:
        await until(lambda: words in self.text)


@dataclass
class Call:
    """A bot, and a call in whose voice channel Ana and Ben play and Cleo watches."""

    wire: Wire
    http: aiohttp.ClientSession
    bot: BotProcess
    base: str
    env: dict[str, str]
    tasks: list[asyncio.Task[None]] = field(default_factory=list)
    """What reads along."""

    def frame(self, number: int) -> Frame:
        return Frame(self.wire, self.http, self.base, self.wire.people[number], self.tasks)

    async def joined(self, number: int) -> Frame:
        frame = self.frame(number)
        assert await frame.join() == 200, frame.found
        return frame

    async def frames(self) -> list[Frame]:
        """Those of both players and of Cleo, each with its stream."""
        result = [await self.joined(number) for number in range(3)]
        for item in result:
            await item.listen()
        return result

    async def again(self) -> None:
        """The bot is killed, and starts once more."""
        await self.wire.kill(self.bot)
        self.bot = await self.wire.start_bot(PATIENT, self.env)

    async def attack(self) -> None:
        ana, ben = self.wire.people[:2]
        options = {"dice": 3, "agility": 2, "with_": "focus", "opponent": ben}
        answer = await self.wire.slash(ana, self.wire.voice, "xwing attack", **options)
        assert not answer.ephemeral, answer.text

    async def squads(self) -> None:
        for person, (faction, pilots) in zip(self.wire.people, SQUADS, strict=False):
            squad = json.dumps({"faction": faction, "pilots": [{"id": pilot} for pilot in pilots]})
            side = {"side": "first"} if person is self.wire.people[0] else {}
            await self.wire.slash(person, self.wire.voice, "xwing squad", text=squad, **side)


@asynccontextmanager
async def calling(wire: Wire) -> AsyncIterator[Call]:
    port = free_port()
    env = {"PUBLIC_URL": f"http://127.0.0.1:{port} {port}", "ACTIVITY_SECRET": SECRET}
    bot = await wire.start_bot(PATIENT, env)
    wire.rest.calls.instances[INSTANCE] = wire.voice, list(wire.people[:3])
    timeout = aiohttp.ClientTimeout(total=None, sock_read=PATIENCE)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), timeout=timeout) as http:
        result = Call(wire, http, bot, f"http://127.0.0.1:{port}", env)
        yield result
        for task in result.tasks:
            task.cancel()
        await asyncio.gather(*result.tasks, return_exceptions=True)


@pytest.fixture
async def call(wire: Wire) -> AsyncIterator[Call]:
    async with calling(wire) as result:
        yield result


async def test_three_frames_see_one_attack_and_only_who_may_act_is_offered_advice(call: Call) -> None:
    frames = await call.frames()
    await call.attack()
    for frame in frames:
        await frame.says('"roll"')
    offered = ['data-do="advice"' in (await item.own())[1]["own"] for item in frames]
    assert sum(offered) <= 1
    assert not offered[2], "who only watches is offered nothing"
    assert [item["name"] for item in call.wire.rest.commands.listed(None) if item["type"] == 4] == ["launch"]


def sentence(status: int, body: Any) -> int:
    """The status of a refusal that says one sentence and nothing else."""
    assert list(body) == ["refused"], body
    assert re.fullmatch(r"[A-Z][^\n]{10,200}[.!]", body["refused"]), body
    return status


async def test_a_stranger_gets_one_sentence_and_learns_nothing(call: Call) -> None:
    wire, ana = call.wire, call.wire.people[0]
    calls = wire.rest.calls
    calls.instances["i-foreign"] = wire.voice, [wire.people[3]]
    elsewhere = Channel(snowflake(), "elsewhere", 2, guild_id=snowflake())
    calls.instances["i-other-guild"] = elsewhere, [wire.people[3]]
    await call.attack()
    told = set()
    for instance in ("i-forged", "i-foreign", "i-other-guild", "../users/@me", "x" * 5000, ""):
        frame = call.frame(0)
        status = await frame.join(instance=instance)
        assert sentence(status, frame.found) in (400, 403)
        told.add((status, frame.found["refused"]))
    assert len(told) == 2, "what is too long is one thing, and who is not there another, whatever they are not in"
    dan = call.frame(3)
    assert sentence(await dan.join(), dan.found) == 403, "Dan is in the server and not in the call"
    forged = call.frame(0)
    assert sentence(await forged.join(code="made-up"), forged.found) == 403
    for key in ("", "x" * 43, "x" * 5000):
        for path in ("own", "events"):
            async with call.http.get(f"{call.base}/0/call/{path}", headers={"X-Session": key}) as answer:
                assert sentence(answer.status, await answer.json()) == 403
    code = calls.agree(ana)
    frame = call.frame(0)
    assert await frame.join(code=code) == 200
    again = call.frame(0)
    assert sentence(await again.join(code=code), again.found) == 403, "a code counts once"


async def test_what_a_frame_sends_amiss_gets_one_sentence(call: Call) -> None:
    frame = await call.joined(0)
    for body in (b"x" * 1_000_000, b"[]", b"{", b"[" * 4_000, {"do": "plan", "once": 7}):
        assert sentence(*await frame.post("choose", body)) == 400
    for words in ({"do": "reveal"}, {"do": "plan", "once": ""}, {"do": "advice", "roll": "9" * 30, "ply": "0"}):
        assert sentence(*await frame.post("choose", {"once": str(next(frame.numbers)), **words})) in (400, 403, 409)
    for once, words in enumerate(
        ({"do": "table", "channel": str(snowflake())}, {"do": "advice", "roll": "7", "ply": "0"}, {"do": "ready"}),
        start=2,
    ):
        assert sentence(*await frame.post("choose", {"once": str(once), **words})) in (403, 409)
    assert (await frame.own())[0] == 200, "and the frame goes on"


async def test_a_choice_that_is_sent_again_counts_once(call: Call) -> None:
    await call.squads()
    frame = await call.joined(0)
    sheet = sheet_of(frame.found["own"])
    words = {"game": "xwing", "sheet": sheet, "of": LUKE, "value": "2FB"}
    told = await asyncio.gather(*(frame.choose("plan", "77", **words) for _ in range(5)))
    assert sorted(status for status, _ in told) == [200, 409, 409, 409, 409]
    assert chosen(call.wire) == {LUKE: "2FB"}


def sheet_of(own: str) -> str:
    return own.partition('data-sheet="')[2].partition('"')[0]


def chosen(wire: Wire) -> dict[str, str]:
    """What is kept of plans that are not fixed yet."""
    ((body,),) = wire.rows("SELECT body FROM plan WHERE root IS NULL OR root = ''")
    result: dict[str, str] = json.loads(body)
    return result


async def test_dials_chosen_in_two_frames_and_on_discord_at_once_count_once(call: Call) -> None:
    wire, ana = call.wire, call.wire.people[0]
    await call.squads()
    posted = wire.interactions.messages
    await until(lambda: any("Plan" in one.buttons for one in posted.values()))
    board = max((one for one in posted.values() if "Plan" in one.buttons), key=lambda one: one.id)
    opened = await wire.press(ana, board, "Plan")
    assert opened.form is not None
    here, there = [await call.joined(0) for _ in range(2)]
    others = [await call.joined(number) for number in (1, 2)]
    for item in (here, there, *others):
        await item.listen()
    sheet = sheet_of(here.found["own"])
    of = next(one for one in re.findall(r'data-of="([^"]+)"', here.found["own"]) if one != LUKE)
    both = {"game": "xwing", "sheet": sheet}
    form: dict[str, str | list[str]] = {name_mark(LUKE): ["3FW"], name_mark(of): ["2FB"], "ready": "later"}
    told = await asyncio.gather(
        here.choose("plan", of=LUKE, value="2FB", **both),
        there.choose("plan", of=LUKE, value="1FB", **both),
        wire.submit(ana, opened.form, form),
    )
    assert [told[0], told[1]] == [(200, {})] * 2
    kept = chosen(wire)
    assert kept[LUKE] in ("1FB", "2FB", "3FW")
    for frame in (here, there):
        await frame.says("event: own")
        shown = (await frame.own())[1]["own"]
        assert re.search(rf'data-of="{LUKE}".*?value="(\w+)" selected', shown)[1] == kept[LUKE]  # type: ignore[index]  # it is there
    assert not any("event: own" in other.text for other in others), "a choice is told to nobody"
    await asyncio.gather(here.choose("ready", **both), there.choose("ready", **both))
    for item in others:
        await item.says("is ready")
    rows = {name: codec.read_body(xwing_pieces.Body, body) for name, body in wire.rows("SELECT name, body FROM piece")}
    (fixed,) = commitments(rows).values()
    ((held,),) = wire.rows(f"SELECT body FROM plan WHERE root = '{fixed.root}'")  # noqa: S608 - our own digits
    assert {of: choice for of, choice, _ in json.loads(held)} == kept


async def test_who_leaves_the_call_sees_nothing_more(call: Call) -> None:
    """The bot looks again every half minute; here it has forgotten what it knew, as it was started anew."""
    ana, *_ = await call.frames()
    call.wire.rest.calls.instances[INSTANCE] = call.wire.voice, list(call.wire.people[1:3])
    await call.again()
    await until(lambda: ana.over)
    assert sentence(*await ana.own()) == 403
    assert sentence(await ana.join(), ana.found) == 403


async def test_frames_come_back_after_a_kill_with_all_that_was_stored(call: Call) -> None:
    await call.squads()
    frames = await call.frames()
    sheet = sheet_of(frames[0].found["own"])
    for code in ("2FB", "1FB", "3FW"):
        choice = {"game": "xwing", "sheet": sheet, "of": LUKE, "value": code}
        assert (await frames[0].choose("plan", **choice))[0] == 200
        await call.again()
        for frame in frames:
            await until(lambda item=frame: item.over)  # type: ignore[misc]  # this frame
            before, frame.over = frame.found, False
            assert sentence(*await frame.own()) == 403, "a session does not outlive its process"
            assert await frame.join() == 200
            assert frame.found["parts"] == before["parts"]
            await frame.listen()
        assert f'value="{code}" selected' in frames[0].found["own"]
        assert not any("selected" in item.found["own"].replace('value="" selected', "") for item in frames[1:])


async def test_one_stream_a_frame_and_few_frames_a_person(call: Call) -> None:
    ana, ben = await call.joined(0), await call.joined(1)
    streams = [await ana.listen() for _ in range(STREAMS)]
    await ben.listen()
    await until(lambda: sum(stream.done() for stream in streams) == STREAMS - 1)
    more = [await call.joined(0) for _ in range(MAX_FRAMES)]
    await until(lambda: streams[-1].done())
    assert ana.text.endswith("event: over\ndata: \n\n"), "its page does not come back by itself"
    assert sentence(*await ana.own()) == 403
    assert [(await item.own())[0] for item in more] == [200] * MAX_FRAMES
    await call.attack()
    await ben.says('"roll"')


async def test_who_does_not_read_makes_nobody_wait(call: Call) -> None:
    slow, ben = await call.joined(0), await call.joined(1)
    host, port = call.base.removeprefix("http://").split(":")
    with socket.socket() as silent:
        silent.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        silent.connect((host, int(port)))
        silent.sendall(f"GET /0/call/events HTTP/1.1\r\nHost: x\r\nX-Session: {slow.session}\r\n\r\n".encode())
        await ben.listen()
        for number in range(1, 21):
            await call.wire.slash(slow.person, call.wire.voice, "roll", dice=f"1d6+{number}000")
            await ben.says(f"1d6+{number}000")
    assert (await slow.own())[0] == 200


async def test_the_page_and_its_policy(call: Call) -> None:
    query = f"frame_id=1&instance_id={INSTANCE}&guild_id={call.wire.voice.guild_id}"
    async with call.http.get(f"{call.base}/?{query}") as answer:
        page = await answer.text()
        assert "frame-ancestors" not in answer.headers["Content-Security-Policy"]
        assert "localhost" not in answer.headers["Content-Security-Policy"]
        assert "X-Frame-Options" not in answer.headers
    assert f'data-client="{APPLICATION_ID}"' in page
    assert SECRET not in page + call.bot.log()
