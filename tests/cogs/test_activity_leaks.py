"""What one person may see in their frame reaches no other frame: two runs that differ in it alone are the same there.

Three frames of one call, over real HTTP: both players and somebody who watches. Every byte that the other two get is
compared, headers too, so its length as well; marks that are drawn anew each time have a fixed length, and no meaning.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Final

import aiohttp
import pytest
import simcord

from bot.runtime.app import App
from bot.ui.live import live_page
from bot.web.activity import Activity, ActivityInstance, DiscordUser
from bot.web.live_pages import serve
from tests.cogs.test_hidden_army import (
    CAPTAIN,
    GHOST,
    GRUNT,
    JUMPER,
    KUNAI,
    NINJA,
    TWIN,
    against,
    bring,
    keep_another_army,
    question,
)
from tests.cogs.test_secret_leaks import world
from tests.cogs.test_xwing_board import ANA, BO
from tests.conftest import MAX_REST, Club

INSTANCE: Final = "i-1"
MARKS: Final = re.compile(
    r'(?<="session": ")[\w-]{43}(?=")|(?<="frame": ")[0-9a-f]{12}(?=-)|(?<=\nid: )[0-9a-f]{12}(?=-)'
)
"""The key of a session, and what the numbers of frames begin with."""
BEAT_ENDS: Final = b"event: beat\ndata: \n\n"


class Door:
    """Everybody is in the call; a code is the number of whose it is."""

    def __init__(self, club: Club) -> None:
        people = frozenset(item.id for item in (club.ana, club.bo, club.cleo))
        self._instance = ActivityInstance(club.channel.id, club.guild.id, people)

    async def user(self, code: str) -> DiscordUser | None:
        return DiscordUser(int(code), f"person-{code[-2:]}", "en-US")

    async def instance(self, _: str) -> ActivityInstance | None:
        return self._instance


@dataclass
class Frame:
    """One person's frame; ``heard`` is every byte that it got, ``stream`` what of it came by the stream."""

    call: "Call"
    who: simcord.MemberActor
    session: str = ""
    heard: str = ""
    stream: bytes = b""
    beats: int = 0
    task: asyncio.Task[None] | None = None
    last: Any = None
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    async def ask(self, method: str, path: str, body: object = None) -> Any:
        """What the page asks, and what it gets."""
        headers = {"X-Session": self.session} if self.session else {}
        url = f"{self.call.base}/0/call/{path}"
        async with self.call.http.request(method, url, json=body, headers=headers) as answer:
            text = await answer.text()
            self.heard += f"{path} {answer.status} {sorted(answer.headers.items())}\n{text}\n"
            return json.loads(text)

    async def open(self) -> None:
        self.last = await self.ask("POST", "join", {"code": str(self.who.id), "instance": INSTANCE})
        self.session = self.last["session"]
        begun = asyncio.Event()
        self.task = asyncio.create_task(self._read(begun))
        await begun.wait()

    async def _read(self, begun: asyncio.Event) -> None:
        url, headers = f"{self.call.base}/0/call/events", {"X-Session": self.session}
        async with self.call.http.get(url, headers=headers) as answer:
            async for chunk in answer.content.iter_any():
                self.stream += chunk
                if b"data: " in self.stream:
                    begun.set()

    async def choose(self, do: str, **words: str) -> Any:
        return await self.ask("POST", "choose", {"do": do, "once": str(next(self.numbers)), **words})

    @property
    def own(self) -> str:
        return str(self.last["own"])

    def mark(self, name: str) -> str:
        """What an element of one's own says of itself."""
        match = re.search(rf'data-{name}="([^"]*)"', self.own)
        assert match is not None, self.own
        return match[1]


@dataclass
class Call:
    """Three frames at one table."""

    club: Club
    http: aiohttp.ClientSession
    base: str = ""
    frames: list[Frame] = field(default_factory=list)

    async def rest(self) -> None:
        """Wait until all frames have all that was sent; then each asks for what is its own."""
        app = self.club.env.bot
        assert isinstance(app, App)
        await self.club.env.settle()
        for table in [each for watching in app.watchings for each in watching.channels.values()]:
            while table.task is not None and not table.task.done():
                await asyncio.wait({table.task})
        await live_page.send_heartbeat(app)
        for frame in self.frames:
            frame.beats += 1
            async with asyncio.timeout(MAX_REST):
                while frame.stream.count(BEAT_ENDS) < frame.beats:  # noqa: ASYNC110 - there is no event
                    await asyncio.sleep(0.002)
            frame.last = await frame.ask("GET", "own")


Act = Callable[[Call, int], Awaitable[None]]


async def dials(call: Call, run: int) -> None:
    """Ana plans, here by the list and there by another choice, and is ready; Bo is ready with the same in both runs."""
    club, (ana, bo, _) = call.club, call.frames
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(ANA), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(BO))
    await call.rest()
    both = {"game": "xwing", "sheet": ana.mark("sheet")}
    for of in ("Luke Skywalker", "Blue Squadron Escort"):
        await ana.choose("plan", of=of, value=("1FB", "2FB")[run], **both)
        await call.rest()
    for frame in (ana, bo):
        await frame.choose("ready", anyway="yes", **both)
        await call.rest()


async def facedown(call: Call, run: int) -> None:
    """Ana's ship is dealt other cards, facedown."""
    club = call.club
    await club.bo.slash(club.channel, "xwing ship add", name="Vader", player=club.ana, attack=2, hull=8, agility=0)
    await club.bo.slash(club.channel, "xwing ship add", name="Luke", attack=2, hull=8, agility=0)
    club.dice.damage.extend([(7, 9), (3, 20)][run])
    await club.ana.slash(club.channel, "xwing damage", ship="Vader", hits=2)
    await call.rest()


async def advice(call: Call, run: int) -> None:
    """Ana asks for advice in one run only."""
    club, (ana, bo, cleo) = call.club, call.frames
    club.dice.red("hit focus blank")
    await club.attack(dice=3, agility=2, with_="focus", against="focus", opponent=club.bo)
    await call.rest()
    words = {"roll": ana.mark("roll"), "ply": ana.mark("ply")}
    if run:
        assert "Advice" in (await ana.choose("advice", **words))["advice"]
    for frame in (bo, cleo):
        assert list(await frame.choose("advice", **words)) == ["refused"]
    await call.rest()


async def secret(call: Call, run: int) -> None:
    """Other dice fall, and other numbers of them."""
    club = call.club
    club.dice.will_show(*[(0, 0, 0), (5, 5, 5, 1, 5, 2, 0)][run])
    await club.ana.slash(club.channel, "roll", dice="3d6!", secret=True)
    await call.rest()


async def hidden_army(call: Call, run: int) -> None:
    """Ana brings a list with other troopers who are hidden, of another number, and says who is on the table."""
    club = call.club
    await against(club)
    await club.ana.slash(club.channel, "table show")
    await call.rest()
    listed = (CAPTAIN, *[(KUNAI,), (JUMPER, JUMPER)][run], GRUNT)
    await club.ana.click(question(await bring(club, club.ana, *listed)), label="Ready")
    await call.rest()


async def figures(call: Call, run: int) -> None:
    """Another figure of Ana's Holoprojector and Decoy is real; what is borrowed from another army is hidden too."""
    club = call.club
    await keep_another_army(club)
    await against(club)
    await club.ana.slash(club.channel, "table show")
    await call.rest()
    answer = await bring(club, club.ana, CAPTAIN, GHOST, TWIN, (KUNAI, NINJA)[run], GRUNT)
    places = [f"reserve 2-1: {(1, 3)[run]} of 3", f"reserve 2-2: {(1, 2)[run]} of 2"]
    await club.ana.select(question(answer), places, custom_id="rc1:reserve:figures")
    await club.ana.click(question(answer), label="Ready")
    await call.rest()


KINDS: Final[Mapping[str, Act]] = {
    item.__name__: item for item in (dials, facedown, advice, secret, hidden_army, figures)
}


@asynccontextmanager
async def called(club: Club) -> AsyncIterator[Call]:
    app = club.env.bot
    assert isinstance(app, App)
    async with (
        aiohttp.ClientSession() as http,
        serve(app, "127.0.0.1", 0, also=Activity(app, Door(club)).add_to) as base,
    ):
        call = Call(club, http, base)
        for who in (club.ana, club.bo, club.cleo):
            frame = Frame(call, who)
            call.frames.append(frame)
            await frame.open()
        yield call
        for frame in call.frames:
            assert frame.task is not None
            frame.task.cancel()
        await asyncio.gather(*(item.task for item in call.frames if item.task), return_exceptions=True)


async def heard(folder: Path, migrated: Path, act: Act, run: int) -> list[str]:
    """All that each of the three frames gets in one run."""
    with pytest.MonkeyPatch.context() as patch:
        async with world(folder, migrated, patch) as club, called(club) as call:
            await call.rest()
            await act(call, run)
            club.dice.will_show(3)
            await club.bo.slash(club.channel, "warsurge attack", power=3, defence=6)
            await call.rest()
            late = Frame(call, club.cleo)
            call.frames.append(late)
            await late.open()
            return [MARKS.sub(drawn, frame.heard + frame.stream.decode()) for frame in call.frames]


def drawn(mark: re.Match[str]) -> str:
    return "-" * len(mark[0])


@pytest.mark.parametrize("kind", KINDS)
async def test_what_is_ones_own_changes_no_byte_of_another_frame(tmp_path: Path, migrated: Path, kind: str) -> None:
    (tmp_path / "first").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        async with world(tmp_path / "first", migrated, patch):
            pass  # the first Discord of a process registers the commands, and its ids begin later
    for run in range(2):
        (tmp_path / str(run)).mkdir()
    item, other = [await heard(tmp_path / str(run), migrated, KINDS[kind], run) for run in range(2)]
    assert item[0] != other[0], "Ana sees what is hers"
    assert item[1:] == other[1:]
    assert all("warsurge" in text.lower() for text in item)
