"""Over the wire, with whole processes: nobody else learns a plan before it is revealed.

Two evenings whose plans alone differ are the same for everybody else, byte for byte, but for the digits of the
commitment: messages with their pictures, alt texts and lengths, what is suggested, requests to Discord, the log channel
and the live page, frames, the match file, exports, metrics, the log at debug. Ben plans; Ana plays against him and owns
the server; Cleo looks on. They type every command there is. What Ben alone is told is left out, that he is told is
not. Ben has another table in a private thread, in which Cleo is not.

``test_secret_pairs`` plays two hundred shorter ones.
"""

import asyncio
import json
import os
import random
import re
import shutil
import signal
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import aiohttp
import pytest

from bot.rules.xwing.cards.cards import pilot_ship
from bot.rules.xwing.table.dials import dial_of
from bot.rules.xwing.table.planning import reveal_of
from bot.rules.xwing.table.ship import from_card
from bot.sessions.matches import PAUSE
from bot.ui.core.board_controls import name_mark
from tests.ports import free_port
from tests.wire.calls import SECRET
from tests.wire.commands import Attached
from tests.wire.interactions import AUTOCOMPLETE, Answer
from tests.wire.messages import Message
from tests.wire.process import PATIENCE, BotProcess, until
from tests.wire.rest import Sent
from tests.wire.seen import Seen
from tests.wire.test_activity import INSTANCE, Frame
from tests.wire.test_operations import ask, is_ready
from tests.wire.values import Values
from tests.wire.wire import LEAKY, STILL, Wire
from tests.wire.world import EVERY_PERMISSION, HOME, Json, Person, Server

SQUADS: Final = {
    "Ana": ("galacticempire", ("howlrunner", "academypilot")),
    "Ben": ("rebelalliance", ("lukeskywalker", "bluesquadronescort")),
}
LUKE, ESCORT = "Luke Skywalker", "Blue Squadron Escort"
LAST: Final = (
    *("xwing attack", "xwing engage", "xwing phase", "xwing endphase", "table undo", "table seal", "privacy forget"),
    "table link",
)
"""What changes the match, or ends the page that is watched, is typed when everything else was."""
WITH: Final[dict[str, dict[str, Any]]] = {
    "table history": {"player": "Ben"},
    "xwing ship show": {"name": LUKE},
    "xwing attack": {"attacker": "Howlrunner", "defender": LUKE, "range": 2},
    "xwing odds": {"dice": 3, "agility": 2},
}
"""Options that somebody who is curious would give."""
PRIVATE: Final = ("form", "form:1", "ready", "anyway")
"""The buttons on Ben's private message; for others they are about their own plans."""
MEASURED: Final = (" bot.cli.commands: ", " bot.runtime.watchdog: ")
"""Loggers whose lines depend on how fast the machine is: when a start is over, and what held the event loop."""
ROUND: Final = "round 1"
TRIED: Final[tuple[dict[str, str], ...]] = (
    *(
        {"do": "plan", "game": "xwing", "sheet": ROUND, "of": of, "value": value}
        for of in (LUKE, ESCORT)
        for value in ("1FB", "")
    ),
    {"do": "plan", "game": "infinity", "sheet": "secrets", "of": "Lieutenant 2", "value": "Croc"},
    {"do": "plan", "game": "infinity", "sheet": "reserve", "of": "reserve 2-1", "value": "Croc: BS 12"},
    *({"do": "ready", "game": "xwing", "sheet": sheet, "anyway": "yes"} for sheet in ("", ROUND, "squad")),
    *({"do": "advice", "roll": str(roll), "ply": "0"} for roll in range(1, 4)),
    *({"do": "table", "channel": place} for place in ("hideout", "voice", "text")),
    {"do": "reveal", "game": "xwing", "of": LUKE},
)
"""What somebody may have a frame ask for; a place of the server stands for its id."""
OPENING: Final = ("rc1:replay:1", "rc1:replay:1:open")
"""The buttons for the file of the match, and for what is still closed of it."""
EVENING: Final = 1_800_000_000
"""When it begins, in seconds since 1970."""
MARKS: Final = re.compile(r'(?<="session": ")[\w-]{43}(?=")|\b[0-9a-f]{12}(?=-[0-9])')
"""The key of a session, and what the numbers of a page's frames begin with."""
DIGITS: Final = re.compile(r"\b[0-9a-f]{64}\b|(?<=ealed, )[0-9a-f]{4}\b")
FOREVER: Final = aiohttp.ClientTimeout(total=None)
"""However long an evening takes on a busy machine, nobody's stream ends by itself: aiohttp gives it five minutes."""
REFERENCE: Final[dict[str, str]] = {}


def plan_of(seed: int) -> dict[str, str]:
    """A maneuver for each of Ben's ships."""
    chance = random.Random(seed)
    _, pilots = SQUADS["Ben"]
    ships = [from_card(pilot_ship(pilot), 1) for pilot in pilots]
    return {ship.name: chance.choice(dial_of(ship)).code for ship in ships}


def plain(text: str) -> str:
    """The same without what differs between any two evenings: ids, ports, seconds, digits, what is drawn anew."""
    text = DIGITS.sub("(commitment)", text)
    text = re.sub(r"\b1[2-9][0-9]{17}(\.[\w-]{16,24})?", "(id)", text)
    text = re.sub(r'(?<="nonce": )"[^"]+"|(?<= as `)[0-9a-f]{6}(?=`)|(?<= bug )[0-9a-f]{6}', "(drawn)", text)
    text = re.sub(r"127\.0\.0\.1:[0-9]+(/\w+/[\w-]{24})?", "(here)", text)
    return re.sub(r"\d+(\.\d+)? ?(ms|seconds|s|minutes?|hours?)\b", "so long", text)


def leaves(definitions: list[Json]) -> Iterator[tuple[str, list[Json]]]:
    """Every command that can be typed, with its options."""
    for definition in definitions:
        below = [each for each in definition.get("options") or [] if each["type"] in (1, 2)]
        if below:
            yield from ((f"{definition['name']} {line}", options) for line, options in leaves(below))
        elif definition.get("type") in (None, 1):
            yield definition["name"], definition.get("options") or []


class Evening:
    """Ben plans, the others watch. ``found`` is what they learn, by where."""

    def __init__(self, wire: Wire, leak: str = "", server: Server = HOME) -> None:
        self.wire, self.leak, self.server = wire, leak, server
        self.page, self.found = "", dict[str, str]()
        self.attempts: tuple[str, ...] = ()
        self.ana, self.ben, self.cleo, _ = server.people
        self.watching = (self.ana, self.cleo)
        self.frames = list[Frame]()
        self._quiet = 0
        self._bot: BotProcess | None = None

    async def start(self, now: int = EVENING) -> None:
        self.ports = free_port(), free_port()
        pages, operations = self.ports
        env = {"PUBLIC_URL": f"http://127.0.0.1:{pages} {pages}", "OPERATIONS_PORT": str(operations), "NOW": str(now)}
        env |= {"SEED": "1", "LOG_LEVEL": "debug", "LEAK": self.leak, "ACTIVITY_SECRET": SECRET}
        self._bot = await self.wire.start_bot(LEAKY if self.leak else STILL, env)
        await is_ready(operations)
        await self.come()

    async def come(self) -> None:
        """The three are in a call, and Ben in a private thread."""
        server = self.server
        self.wire.rest.calls.instances[self.instance] = server.text, [self.ana, self.ben, self.cleo]
        self.wire.rest.thread_members.add((server.hideout.id, self.ben.id))
        await self.wire.gateway.dispatch("THREAD_CREATE", server.hideout.dump())

    @property
    def instance(self) -> str:
        return f"{INSTANCE}-{self.server.id}"

    async def quiet(self) -> None:
        """Nothing is under way any more."""
        assert self._bot is not None
        os.kill(self._bot.pid, signal.SIGUSR1)
        self._quiet += 1
        file = self.wire.folder / "quiet"
        await until(lambda: file.exists() and len(file.read_text().splitlines()) >= self._quiet)

    async def types(self, who: Person, line: str, **options: Any) -> Answer:
        answer = await self.wire.slash(who, self.server.text, line, **options)
        await self.quiet()
        return answer

    @property
    def board(self) -> Message:
        return next(
            item
            for item in reversed(self.messages)
            if not item.ephemeral and any("rc1:on:" in c.custom_id for c in item.controls)
        )

    async def plan(self, who: Person, dials: dict[str, str], ready: str = "now") -> Answer:
        opened = await self.wire.press(who, self.board, "Plan")
        values: dict[str, str | list[str]] = {name_mark(ship): [code] for ship, code in dials.items()}
        answer = await self.wire.submit(who, opened.modal, values | {"ready": ready})
        await self.quiet()
        return answer

    async def begin(self) -> None:
        """Two squads on the table, results are copied, and Ana has the live page open."""
        await self.start()
        await self.types(self.ana, "ruleset set", setting="log_channel", value=f"<#{self.server.voice.id}>")
        for who, side in ((self.ana, "first"), (self.ben, "second")):
            faction, pilots = SQUADS[who.name]
            squad = json.dumps({"faction": faction, "pilots": [{"id": pilot} for pilot in pilots]})
            await self.types(who, "xwing squad", text=squad, side=side)
        for line, options in (
            ("xwing ship add", {"name": "Thrawn", "attack": 2, "hull": 8, "agility": 0}),
            ("table show", {}),
        ):
            await self.wire.slash(self.ben, self.server.hideout, line, **options)
            await self.quiet()
        await self.types(self.ana, "table show")  # the newest message is here again

    @asynccontextmanager
    async def framed(self) -> AsyncIterator[None]:
        """All three have the Activity open, until they look at another table; Ben chooses a dial there."""
        # A connection for each request: on a busy machine, the bot closes one that nobody has used for 15 seconds just
        # when the next request comes.
        connector = aiohttp.TCPConnector(force_close=True)
        async with aiohttp.ClientSession(connector=connector, timeout=FOREVER) as http:
            base = f"http://127.0.0.1:{self.ports[0]}"
            self.frames = [Frame(self.wire, http, base, who, []) for who in (self.ben, *self.watching)]
            for frame in self.frames:
                assert await frame.join(instance=self.instance) == 200, frame.found
                await frame.listen()
            try:
                yield
                for frame in self.frames:  # that ends its stream
                    await frame.choose("table", channel=str(self.server.text.id))
                    await asyncio.wait_for(frame.tasks[-1], PATIENCE)
            finally:
                for frame in self.frames:
                    for task in frame.tasks:
                        task.cancel()
                    await asyncio.gather(*frame.tasks, return_exceptions=True)
        for frame in self.frames[1:]:
            self.found[f"{frame.person.name}'s frame"] = MARKS.sub("(mark)", frame.heard + frame.text)

    async def frames_try(self) -> None:
        """Ana and Cleo have their frames ask for whatever a frame can ask for."""
        for words in TRIED:
            for frame in self.frames[1:]:
                await self.frame_tries(frame, words)

    async def frame_tries(self, frame: Frame, words: dict[str, str]) -> None:
        if place := words.get("channel"):
            words = words | {"channel": str(getattr(self.server, place).id)}
        for session in (frame.session, self.frames[0].session[::-1]):
            headers = {"X-Session": session}
            body = {"once": str(next(frame.numbers)), **words}
            async with frame.http.post(f"{frame.base}/0/call/choose", json=body, headers=headers) as answer:
                await frame.told(answer)
        await frame.own()
        await self.quiet()
        if frame.tasks[-1].done():  # it has chosen another table
            await frame.listen()

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[None]:
        """Every byte of the live page, until a new link ends it."""
        told = await self.types(self.ana, "table link")
        address = re.search(r"http://\S+", told.text)
        assert address is not None, told.text
        self.key = address[0]
        async with aiohttp.ClientSession(timeout=FOREVER) as http, http.get(self.key) as whole:
            self.page = await whole.text()
            async with http.get(f"{self.key}/live") as stream:
                reading = asyncio.create_task(self._read(stream))
                try:
                    yield
                    await asyncio.wait_for(reading, PATIENCE)
                finally:
                    reading.cancel()
                    await asyncio.gather(reading, return_exceptions=True)

    async def _read(self, stream: aiohttp.ClientResponse) -> None:
        async for chunk in stream.content.iter_any():
            self.page += chunk.decode()

    # What others see

    def seen(self) -> str:
        """All messages that Ana and Cleo see, in all channels, as they stand."""
        return "\n".join(map(told, self.theirs))

    @property
    def theirs(self) -> list[Message]:
        return [item for item in self.messages if not item.ephemeral or item.asked_by in self.watching]

    def note(self, where: str) -> None:
        self.found[where] = self.seen()

    def requests(self) -> str:
        """What the bot sent to Discord; of what is for Ben alone that it was sent."""
        return "\n".join(sorted({plain(self.request(item)) for item in self.wire.rest.sent}))

    def request(self, item: Sent) -> str:
        return (
            f"{item.method} {item.path} {'for Ben' if self.is_for_ben(item) else json.dumps(item.body, sort_keys=True)}"
        )

    def is_for_ben(self, item: Sent) -> bool:
        key = next((part for part in item.path.split("/") if re.fullmatch(r"\d+\.[\w-]{16,24}", part)), "")
        if not key:
            return False
        interaction = self.wire.interactions.find(key)
        body: Json = item.body
        data = body.get("data") or body
        messages, original = self.wire.interactions.messages, interaction.original or 0
        is_edit = item.method == "PATCH" or body.get("type") in (6, 7)
        is_private = bool(int(data.get("flags") or 0) & 64) or body.get("type") == 9
        return interaction.person == self.ben and (is_private or (is_edit and messages[original].ephemeral))

    async def learn(self) -> None:
        """Ana and Cleo try all that they can."""
        commands = dict(self.commands())
        await self.types_all(command for command in sorted(commands) if command not in LAST)
        self.note("every command")
        await self.suggestions()
        self.attempts = (*OPENING, *self.reveals())
        await self.clicks(self.attempts)
        self.note("presses that reveal nothing")
        await self.clicks(f"rc1:plan:xwing:{word}" for word in PRIVATE)
        self.note("presses about one's own plans")
        await self.frames_try()
        self.note("what a frame asks for")
        await self.ends_alone()
        self.note("the match, ended by one side alone")
        await self.plays_something_else()
        self.note("a second game, a rematch, and a GM who is forgotten")
        await self.types_all(LAST)
        self.note("commands that change the match")
        _, metrics = await ask(self.ports[1], "/metrics")
        self.found["metrics"] = "\n".join(line.rpartition(" ")[0] for line in metrics.splitlines())

    async def ends_alone(self) -> None:
        """Ana, who owns the server, scores, ends the match, takes its file, asks for the rest, and takes all back."""
        scored = await self.types(self.ana, "xwing score", points=1, player=self.ana)
        await self.wire.press(self.ana, scored.shown, "End the match")
        await self.quiet()
        for who in self.watching:
            recap = next(message for message in reversed(self.messages) if "Replay" in message.buttons)
            await self.wire.press(who, recap, "Replay")
            await self.quiet()
            mine = next(message for message in reversed(self.messages) if "Reveal the plans" in message.buttons)
            assert mine.asked_by == who
            await self.wire.press(who, mine, "Reveal the plans")
            await self.quiet()
        for _ in range(2):
            await self.types(self.ana, "table undo")

    async def plays_something_else(self) -> None:
        """A second game here, which Ana wins; a rematch; and Cleo, now a GM who plays, then one who was forgotten."""
        gm = replace(self.cleo, permissions=EVERY_PERMISSION)
        for who, name in ((self.ana, "Croc"), (self.cleo, "Swiss")):
            await self.types(who, "infinity profile set", name=name, stats="BS 12, PH 10, ARM 1, W 1")
        await self.types(self.cleo, "infinity profile state", name="Swiss", lost=2)
        for name in (LUKE, ESCORT):
            await self.types(self.ana, "infinity order", text=f"Croc 12 vs {name} 12; {name} 12; {name} 12")
        await self.clicks(("rc1:rematch:xwing:1:ask", "rc1:rematch:xwing:1:accept:2", *self.attempts))
        for custom_id in ("rc1:table:keep", "rc1:privacy:forget", "rc1:table:keep"):
            await self.clicks((custom_id, *self.attempts), gm)

    @property
    def messages(self) -> list[Message]:
        every = self.wire.interactions.messages.values()
        return [item for item in every if item.channel.guild_id == self.server.id]

    def commands(self) -> Iterator[tuple[str, list[Json]]]:
        return leaves([item for item in self.wire.rest.commands.listed(None) if item["type"] == 1])

    def reveals(self) -> Iterator[str]:
        """Made up from the button for planning: as if it revealed."""
        plan = next(control.custom_id for control in self.board.controls if ":plan:" in control.custom_id)
        for word in (reveal_of(LUKE), reveal_of(ESCORT), "reveal-other", "rule-dial", "look", "dials-on"):
            yield plan.replace(":plan:", f":{word}:")

    async def clicks(self, custom_ids: Iterable[str], *people: Person) -> None:
        there = next(message for message in reversed(self.messages) if not message.ephemeral)
        for custom_id in custom_ids:
            for who in people or self.watching:
                await self.wire.click(who, there, custom_id)
                await self.quiet()

    async def types_all(self, lines: Iterable[str]) -> None:
        """Each with what it must have, and nothing else unless somebody curious would say it."""
        commands = [item for item in self.wire.rest.commands.listed(None) if item["type"] == 1]
        every = dict(self.commands())
        values = Values(random.Random(), Seen(), commands, self.server.people, (self.server.text,), ())
        for line in lines:
            values.chance = random.Random(line)
            for who in self.watching:
                given = dict(WITH.get(line, {}))
                if given.get("player") == "Ben":
                    given["player"] = self.ben
                for option in every[line]:
                    if option.get("required") and option["name"] not in given:
                        given[option["name"]] = self.given(option) or values.valid(option, {}, self.server.text, line)
                await self.types(who, line, **given)

    def given(self, option: Json) -> Any:
        """Ben for a person, the table for a channel, a file for a file; None for what is typed."""
        self.wire.rest.files["file.json"] = b"{}"
        file = Attached("file.json", 2, self.wire.file("file.json"))
        return {6: self.ben, 7: self.server.text, 11: file}.get(option["type"])

    async def suggestions(self) -> None:
        result = []
        commands = {item["name"]: item for item in self.wire.rest.commands.listed(None)}
        for line, options in self.commands():
            for option in options:
                if option.get("autocomplete"):
                    inner = [{"name": option["name"], "type": option["type"], "value": "", "focused": True}]
                    name, *below = line.split()
                    for deep, word in reversed([*enumerate(below, start=1)]):
                        inner = [{"name": word, "type": 1 if deep == len(below) else 2, "options": inner}]
                    data = {"id": commands[name]["id"], "name": name, "type": 1, "options": inner}
                    asked = self.wire.interactions.open(AUTOCOMPLETE, self.ana, self.server.text)
                    result.append((line, option["name"], (await self.wire.send(asked, data)).choices))
        await self.quiet()
        assert len(result) > 10
        self.found["suggestions"] = "\n".join(map(repr, result))

    async def play(self, dials: dict[str, str]) -> dict[str, str]:
        await self.begin()
        async with self.watched(), self.framed():
            await self.plan(self.ben, dials, ready="later")
            for of, value in dials.items():
                assert await self.frames[0].choose("plan", game="xwing", sheet=ROUND, of=of, value=value) == (200, {})
            await self.quiet()
            self.note("while he plans")
            await self.plan(self.ben, dials)
            self.note("when he is ready")
            for frame in self.frames[1:]:
                await frame.own()
            await (self.types(self.ana, "table link") if self.leak else self.learn())  # a new link ends the page
        self.found["the live page"] = re.sub(r"\b[0-9a-f]{12}-(?=[0-9])", "", self.page)
        if not self.leak:
            await self.come_back()
        return self.learned()

    def learned(self) -> dict[str, str]:
        """All that was found, with what is stored and logged; without what differs between any two evenings."""
        self.found["requests"] = self.requests()
        tables = ("ply", "piece", "session", "shown")
        self.found["every table but that of plans"] = repr(
            [self.wire.rows(f"SELECT * FROM {table}{self.since(table)}") for table in tables]  # noqa: S608 - ours
        )
        assert self._bot is not None
        lines = self._bot.log().replace(self.key.rpartition("/")[2], "(key)").splitlines()
        self.found["the log at debug"] = "\n".join(
            sorted({plain(item) for item in lines if " bot" in item and not any(name in item for name in MEASURED)})
        )
        return {name: plain(text.replace(self.key, "(link)")) for name, text in self.found.items()}

    def since(self, table: str) -> str:
        """Which rows of a table are this evening's, in SQL; "" for all."""
        return ""

    async def come_back(self) -> None:
        """The bot is restarted; after half a day the same people try everything again."""
        assert self._bot is not None
        assert await self._bot.terminate() == 0
        await self.start(EVENING + PAUSE + 3600)
        await self.clicks(self.attempts)
        self.note("after a pause that ends a match")
        await self.clicks(("rc1:table:clear", *OPENING))
        self.note("after the table was cleared")
        for line in ("table show", "table history"):
            for who in self.watching:
                await self.types(who, line)
        self.note("after a restart")


def told(message: Message) -> str:
    """A message with all of its files; pictures by length and digest."""
    files = [
        (attachment.filename, attachment.description, contents(attachment.data)) for attachment in message.attachments
    ]
    flags = message.flags
    return repr((message.asked_by.name, flags, message.content, message.embeds, message.components, files))


def contents(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return f"{len(data)} bytes, {sha256(data).hexdigest()[:32]}"


async def evening(migrated: Path, dials: dict[str, str], leak: str = "") -> dict[str, str]:
    async with Wire() as wire:
        shutil.copy(migrated, wire.folder / "rollcall.db")
        result = await Evening(wire, leak).play(dials)
        if REFERENCE or leak:  # Discord's description judges the bodies of one evening: the others have the same
            wire.rest.sent.clear()
        return result


async def compared(migrated: Path, seeds: range) -> None:
    if not REFERENCE:
        REFERENCE.update(await evening(migrated, plan_of(0)))
    others = [seed for seed in seeds if plan_of(seed) != plan_of(0)]
    assert others
    for seed in others:
        result = await evening(migrated, plan_of(seed))
        assert result.keys() == REFERENCE.keys()
        differ = [name for name in result if result[name] != REFERENCE[name]]
        assert differ == [], (seed, plan_of(seed), first_difference(REFERENCE, result, differ))


def first_difference(first: dict[str, str], second: dict[str, str], differ: list[str]) -> list[tuple[str, str]]:
    """The first place where two evenings differ, with what stands around it."""
    for name in differ:
        item, other = first[name], second[name]
        at = next((at for at, pair in enumerate(zip(item, other, strict=False)) if len({*pair}) > 1), len(item))
        return [(name, text[max(0, at - 200) : at + 200]) for text in (item, other)]
    return []


async def test_nobody_learns_a_plan_over_the_wire(migrated: Path) -> None:
    await compared(migrated, range(1, 2))  # of both ships: another speed, bearing and difficulty
    assert "Ben is ready. Ana is planning." in REFERENCE["when he is ready"]
    assert "Ana is planning" not in REFERENCE["while he plans"]
    assert "hideout" in REFERENCE["Ana's frame"], "who owns the server sees every thread"
    assert not [words for words in ("hideout", "Thrawn") if words in REFERENCE["Cleo's frame"]]
    for words in ("Koiogran", "bank left", "turn right", "4KR"):
        told_in = [name for name, text in REFERENCE.items() if words in text]
        assert {*told_in} <= {"requests", "Ana's frame"}, words  # where Ana is asked for her own dials


LEAKS: Final = {"board": "when he is ready", "frame": "Cleo's frame", "log": "the log at debug"}
"""Where each leak is found."""


@pytest.mark.slow
async def test_planted_leaks_are_found(migrated: Path) -> None:
    """Each by its own word, so that all of one evening are found apart."""
    runs = [await evening(migrated, plan_of(seed), " ".join(LEAKS)) for seed in range(2)]
    for leak, place in LEAKS.items():
        one, other = ([line for line in run[place].splitlines() if f"{leak}: " in line] for run in runs)
        assert one != other


# What the digits are


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def committed(sheet: Json) -> str:
    """The commitment of a sheet in the file of a match, as docs/fairness.md says it; checks each place that is open."""
    for item in sheet["opened"]:
        leaf = sha256(b"rollcall-plan/1|leaf|" + canonical({name: item[name] for name in ("of", "choice", "salt")}))
        assert sheet["leaves"][sheet["of"].index(item["of"])] == leaf.hexdigest()
        assert len(bytes.fromhex(item["salt"])) == 32
    header = {"leaves": sheet["leaves"], "owner": str(sheet["owner"]), "sheet": sheet["sheet"]}
    return sha256(b"rollcall-plan/1|root|" + canonical(header)).hexdigest()


async def test_the_digits_are_the_hash_that_the_page_of_fairness_says(migrated: Path) -> None:
    """What differs between two evenings says nothing but that: it follows from the plans and 32 random bytes each."""
    roots = set()
    for _ in range(2):
        async with Wire() as wire:
            shutil.copy(migrated, wire.folder / "rollcall.db")
            item = Evening(wire)
            await item.begin()
            await item.types(item.ana, "table show")
            await item.plan(item.ben, {LUKE: "2FB", ESCORT: "1FB"})
            (root,) = DIGITS.findall(item.board.text)
            await item.plan(item.ana, {"Howlrunner": "2FB", "Academy Pilot": "3FB"})
            for who, ship in (
                (item.ana, "Academy Pilot"),
                (item.ben, ESCORT),
                (item.ana, "Howlrunner"),
                (item.ben, LUKE),
            ):
                assert root in DIGITS.findall(item.seen()), "it stands there until the last reveal"
                await wire.press(who, item.board, f"Reveal {ship}")
                await item.quiet()
            answer = await wire.click(item.cleo, item.board, "rc1:replay:1")
            _, file = answer.shown.attachments
            sheet = next(each for each in json.loads(file.data)["plans"] if each["root"].startswith(root))
            assert {each["of"]: each["choice"] for each in sheet["opened"]} == {LUKE: "2FB", ESCORT: "1FB"}
            assert committed(sheet) == sheet["root"]
            roots.add(sheet["root"])
    assert len(roots) == 2, "the same plans have other digits"
