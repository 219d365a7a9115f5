"""Over the wire: two bots whose secrets alone differ tell others the same bytes, whatever a seed has them do.

Each seed is an evening in a server of its own, on both bots at the same time. Ben sets dials and puts two markers on
the table; the secrets are what he chooses. Ana plays against him and owns the server, Cleo looks on. They do what a
random player does to the bot (``tests.wire.acts``), as it should be and as it should not, and now and then something
that was made to open a secret. What anybody but Ben is told is compared, as in ``test_plan_leaks``.

``-m long`` plays two hundred evenings.
"""

import asyncio
import json
import os
import random
import re
import shutil
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from benchmarks.wire import cpu_seconds
from bot.sessions.matches import PAUSE
from bot.ui.core.board_controls import name_mark
from tests.wire.acts import Actors
from tests.wire.messages import Message
from tests.wire.process import BotProcess
from tests.wire.seen import Act
from tests.wire.test_plan_leaks import (
    ESCORT,
    EVENING,
    LUKE,
    OPENING,
    PRIVATE,
    ROUND,
    SQUADS,
    TRIED,
    Evening,
    first_difference,
    plan_of,
    told,
)
from tests.wire.wire import Wire
from tests.wire.world import GUILD_ID, Person, Server, guild

ACTS: Final = 16
"""Acts of others in an evening."""
MADE: Final = 0.3
"""How often one is made to open a secret."""
SHADE: Final = "BS 11, PH 13, WIP 13, ARM 1, W 1, Camouflage, Combi: B3 PS 7 N ARM +3@16 -3@32"
TOGETHER: Final = 20
"""Evenings that one pair of bots plays in a long run."""
UNDER: Final = ("Ada", "Shade", "Ghost", "-")
"""Who may be under a marker."""
GUESSED: Final = (*UNDER[:3], "CAMO 1", "CAMO 2", "Croc", LUKE, ESCORT)


@dataclass(frozen=True)
class Secret:
    """What Ben chooses: dials, others that he takes back, and who is under his markers."""

    dials: Mapping[str, str]
    again: Mapping[str, str]
    under: tuple[str, str]


def secret(seed: int) -> Secret:
    chance = random.Random(seed)
    first, second = chance.sample(UNDER, 2)
    return Secret(plan_of(seed), plan_of(seed + 5000), (first, second))


@dataclass
class Begun:
    """A bot that runs, and where an evening begins in what it stores."""

    wire: Wire
    bot: BotProcess
    ports: tuple[int, int]
    clock: float = EVENING


class DrawnEvening(Evening):
    """One evening of one bot. Ben keeps ``kept``; what others do comes from ``seed``."""

    def __init__(self, begun: Begun, server: Server, kept: Secret, seed: int) -> None:
        super().__init__(begun.wire, server=server)
        self.begun, self.kept, self.chance = begun, kept, random.Random(seed)
        self._bot, self.ports = begun.bot, begun.ports
        self.heard = list[str]()
        self._heard = dict[int, Message]()
        self._rows = dict[str, int]()

    async def start(self, now: int = EVENING) -> None:
        """The bot has begun: it comes to one more server."""
        wire, server = self.wire, self.server
        os.truncate(wire.folder / "bot.log", 0)
        wire.rest.sent.clear()
        self._quiet = len((wire.folder / "quiet").read_text().splitlines())
        for table in ("ply", "piece", "session", "shown"):
            ((self._rows[table],),) = wire.rows(f"SELECT coalesce(max(rowid), 0) FROM {table}")  # noqa: S608 - ours
        wire.people, wire.channel, wire.voice = server.people, server.text, server.voice
        for channel in (*server.channels, server.hideout):
            wire.interactions.channels[channel.id] = channel
            wire.rest.channels[channel.id] = channel.dump()
        await wire.gateway.join(guild(server))
        await self.come()

    def since(self, table: str) -> str:
        return f" WHERE rowid > {self._rows[table]}"

    async def play(self, dials: Mapping[str, str]) -> dict[str, str]:
        await self.begin()
        await self.markers()
        async with self.watched(), self.framed():
            await self.plan(self.ben, dict(self.kept.again))
            await self.plan(self.ben, dict(dials))
            self.attempts = (*OPENING, *self.reveals(), *(f"rc1:plan:xwing:{word}" for word in PRIVATE))
            await self.attack()
            await self.types(self.ana, "table link")  # a new link ends the page
        self.found["the live page"] = re.sub(r"\b[0-9a-f]{12}-(?=[0-9])", "", self.page)
        self.found["all that was done"] = "\n".join(self.heard)
        return self.learned()

    async def markers(self) -> None:
        """Ben has three troopers, and puts two markers on the table; Ana has one."""
        for who, name in ((self.ben, "Ada"), (self.ben, "Shade"), (self.ben, "Ghost"), (self.ana, "Hector")):
            await self.types(who, "infinity profile set", name=name, stats=SHADE)
        opened = await self.wire.slash(self.ben, self.server.text, "infinity marker", count=2, kind="CAMO -3")
        under: dict[str, str | list[str]] = {
            name_mark(f"CAMO {at}"): [name] for at, name in enumerate(self.kept.under, 1)
        }
        await self.wire.submit(self.ben, opened.modal, under | {"ready": "now"})
        await self.quiet()
        await self.types(self.ana, "table show")

    # What others do

    async def attack(self) -> None:
        """Ana and Cleo do whatever the seed says."""
        commands = [item for item in self.wire.rest.commands.listed(None) if item["type"] == 1]
        self.wire.rest.files["file.json"] = b"{}"
        files = (self.wire.file("file.json"),)
        channels, messages = self.server.channels, self.wire.interactions.messages
        self.actors = Actors(self.chance, commands, self.watching, channels, files, messages)
        self.actors.seen.custom_ids.extend(self.attempts)
        for message in self.theirs:
            self.actors.seen.messages.append(message)
            self.actors.seen.custom_ids.extend(control.custom_id for control in message.controls)
        self.hear("begun")
        for _ in range(ACTS):
            if self.chance.random() < MADE:
                made = self.chance.choice(MADE_TO_OPEN)
                await made(self, self.chance.choice(self.watching))
                self.hear(made.__name__)
            else:
                await self.do(self.actors.act())

    async def do(self, act: Act) -> None:
        """What a random player does; what only Ben could do, Ana does."""
        person = act.person if act.person in self.watching else self.ana
        message = None if act.message is None else self.wire.now(act.message)
        if message is not None and message.ephemeral and message.asked_by != person:
            person = message.asked_by
        interaction = self.wire.interactions.open(act.kind, person, act.channel, message)
        answer = await self.wire.send(interaction, act.data)
        await self.quiet()
        seen = self.actors.seen
        seen.learn(act, answer.text, refused=answer.ephemeral and not answer.shown.controls)
        seen.offered(act, answer)
        seen.show(person, answer)
        self.hear(f"{person.name} {act.kind} {act.data} {message and message.text} {answer.form} {answer.choices}")

    def hear(self, what: str) -> None:
        """Keep what others see now that they did not see before."""
        new = [item for item in self.theirs if self._heard.get(item.id) is not item]
        self._heard |= {item.id: item for item in new}
        self.heard += [what, *map(told, new)]
        assert self.wire.rest.refusals == [], (what, self.wire.rest.refusals)

    async def ends(self, who: Person) -> None:
        """Somebody scores, presses all that follows, and takes the file."""
        scored = await self.types(who, "xwing score", points=1, player=who)
        await self.clicks([control.custom_id for control in scored.shown.controls], who)
        await self.clicks(OPENING, who)

    async def reveals_all(self, who: Person) -> None:
        await self.clicks(self.attempts, who)

    async def guesses(self, who: Person) -> None:
        first, second = self.chance.sample(GUESSED, 2)
        for line in (f"{first} 12; {second} 12", f"Hector combi at 10 vs {first}", f"Hector 12 vs {second} 12"):
            await self.types(who, "infinity order", text=line)
        await self.types(who, "infinity roll", name=first, sv=12, vs_name=second)

    async def second_game(self, who: Person) -> None:
        faction, pilots = self.chance.choice([*SQUADS.values()])
        squad = json.dumps({"faction": faction, "pilots": [{"id": pilot} for pilot in pilots]})
        await self.types(who, "xwing squad", text=squad)
        await self.clicks(("rc1:rematch:xwing:1:ask", "rc1:rematch:xwing:1:accept:2", "rc1:rematch:xwing:2:accept:1"))

    async def waits(self, _: Person) -> None:
        """Half a day passes."""
        self.begun.clock += PAUSE + 60
        (self.wire.folder / "now").write_text(str(self.begun.clock), encoding="ascii")

    async def frames_ask(self, _: Person) -> None:
        for words in self.chance.sample(TRIED, 3):
            for frame in self.frames[1:]:
                await self.frame_tries(frame, words)

    async def takes_back(self, who: Person) -> None:
        for _ in range(2):
            await self.types(who, "table undo")

    async def exports(self, who: Person) -> None:
        for line in ("privacy export", "table history", "table show", "xwing engage", "table recap"):
            await self.types(who, line)

    async def ben_plans_again(self, _: Person) -> None:
        """Ben changes his mind in his frame, and back: forms that others opened before are sent after it."""
        for dials in (self.kept.again, self.kept.dials):
            for of, value in dials.items():
                await self.frames[0].choose("plan", game="xwing", sheet=ROUND, of=of, value=value)
                await self.quiet()
        await self.frames[0].choose("ready", game="xwing", sheet=ROUND, anyway="yes")
        await self.quiet()


MADE_TO_OPEN: Final[tuple[Callable[[DrawnEvening, Person], Awaitable[None]], ...]] = (
    *(DrawnEvening.ends, DrawnEvening.reveals_all, DrawnEvening.guesses, DrawnEvening.second_game),
    *(DrawnEvening.waits, DrawnEvening.frames_ask, DrawnEvening.takes_back, DrawnEvening.exports),
    DrawnEvening.ben_plans_again,
)


@asynccontextmanager
async def running(migrated: Path) -> AsyncIterator[Begun]:
    """One bot of the pair."""
    async with Wire() as wire:
        shutil.copy(migrated, wire.folder / "rollcall.db")
        first = Evening(wire)
        await first.start()
        assert first._bot is not None
        (wire.folder / "quiet").touch()
        yield Begun(wire, first._bot, first.ports)


async def differing(migrated: Path, seeds: range) -> list[tuple[int, list[str], Any]]:
    """The evenings in which others learn something else from one bot than from the other, with where, and what."""
    result, compared = list[tuple[int, list[str], Any]](), 0
    began, here = time.perf_counter(), time.process_time()
    async with running(migrated) as one, running(migrated) as other:
        for seed in seeds:
            server = Server(GUILD_ID + 10_000 * (seed + 1))
            theirs = seed + 1
            while plan_of(theirs) == plan_of(seed) or secret(theirs).under == secret(seed).under:
                theirs += 1000
            found = await asyncio.gather(
                *(
                    DrawnEvening(begun, server, kept, seed).play(kept.dials)
                    for begun, kept in ((one, secret(seed)), (other, secret(theirs)))
                )
            )
            assert found[0].keys() == found[1].keys()
            compared += sum(map(len, found[0].values()))
            if differ := [name for name in found[0] if found[0][name] != found[1][name]]:
                result.append((seed, differ, [first_difference(found[0], found[1], [name]) for name in differ]))
                print(result[-1])  # noqa: T201 - a long run is read while it runs
            took = time.perf_counter() - began
            bots, used = cpu_seconds(one.bot) + cpu_seconds(other.bot), time.process_time() - here
            told_so = f"{seed}: {compared:,} characters compared, {took:.0f} s; processor {bots:.0f} + {used:.0f} s"
            print(told_so, flush=True)  # noqa: T201 - as above
    return result


async def test_what_others_do_tells_them_no_secret(migrated: Path) -> None:
    assert await differing(migrated, range(1, 3)) == []


@pytest.mark.long
@pytest.mark.parametrize("first", range(1, 201, TOGETHER))
async def test_two_hundred_evenings_over_the_wire_tell_no_secret(migrated: Path, first: int) -> None:
    assert await differing(migrated, range(first, first + TOGETHER)) == []
