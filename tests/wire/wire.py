"""The wire: a loopback Discord, the bot processes on it, and the people who type and press."""

import asyncio
import socket
import sqlite3
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from aiohttp import web

from tests import engines
from tests.wire.forms import Form
from tests.wire.gateway import Gateway
from tests.wire.interactions import COMMAND, COMPONENT, SUBMIT, Answer, Interaction, Interactions
from tests.wire.messages import BUTTON, SELECT, Message
from tests.wire.openapi import description
from tests.wire.process import PATIENCE, BotProcess
from tests.wire.rest import Rest
from tests.wire.world import PEOPLE, TEXT, VOICE, Channel, Json, Person

ROLLCALL = ("bot", "run")
PATIENT = ("tests.wire.patient_bot",)
"""The same bot for tests that time is no matter of: on a busy machine it neither defers nor gives up."""
SEEDED = ("tests.wire.seeded_bot",)
"""The bot with dice that fall as SEED says."""
STILL = ("tests.wire.still_bot",)
"""The patient one with such dice, and with a clock that stands still."""
LEAKY = ("tests.wire.leaky_bot",)
"""The still one with a leak that LEAK names."""
FORKED = (PATIENT, SEEDED, STILL, LEAKY)
"""Bots of whose start itself nothing is wanted, and who change what was imported already."""
TOKEN = "wire.token.for-tests-only"  # noqa: S105 - it opens nothing but this loopback


class WireFaultError(AssertionError):
    """The bot did something on the wire that Discord would not take, or did not do what it must."""


class Wire:
    """``async with Wire() as wire``: a Discord on 127.0.0.1, gone with everything on it at the end.

    On leaving it raises WireFault when the bot was refused anything, or when a body it sent is not what Discord's
    own description allows. ``patience`` is how long an answer is awaited, in seconds.
    """

    people = PEOPLE
    channel = TEXT
    voice = VOICE

    def __init__(
        self,
        *,
        heartbeat: float = 41.25,
        shards: int = 1,
        patience: float = PATIENCE,
        record: bool = True,
        database_url: str = "",
    ) -> None:
        self.gateway = Gateway(TOKEN, heartbeat, shards)
        self.interactions = Interactions()
        self.rest = Rest(TOKEN, self.gateway, self.interactions, record=record)
        self.patience = patience
        self.first: int | None = None
        """Of several processes with the same shards the one that hears of everything first, by the order of their
        starts; the others hear of it when it is answered. None: all at the same time."""
        self.url = ""
        self._folder = tempfile.TemporaryDirectory(prefix="rollcall-wire-")
        self.database_url = database_url or f"sqlite+aiosqlite:///{self.folder}/rollcall.db"
        self._bots: list[BotProcess] = []
        self._runner = web.AppRunner(self.rest.app(), access_log=None, shutdown_timeout=0.1)

    @property
    def folder(self) -> Path:
        """Where the bots run, with their database and log."""
        return Path(self._folder.name)

    @property
    def stored(self) -> Path:
        """An SQLite file that holds what is stored now: the bot's own, or a copy of what the server has."""
        if self.database_url.startswith("sqlite"):
            return self.folder / "rollcall.db"
        file = self.folder / f"copy{len(list(self.folder.glob('copy*.db')))}.db"
        engines.copy(self.database_url, file)
        return file

    def rows(self, question: str) -> list[tuple[Any, ...]]:
        """What the database answers to a stranger."""
        if not self.database_url.startswith("sqlite"):
            return engines.fetch(self.database_url, question)
        with closing(sqlite3.connect(self.folder / "rollcall.db")) as connection:
            return connection.execute(question).fetchall()

    async def __aenter__(self) -> Self:
        listening = socket.create_server(("127.0.0.1", 0), backlog=512)
        port = listening.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}/api/v10"
        self.gateway.url = f"ws://127.0.0.1:{port}/gateway"
        await self._runner.setup()
        await web.SockSite(self._runner, listening).start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for bot in self._bots:
            await bot.kill()
        await self._runner.cleanup()
        self._folder.cleanup()
        if error is None:
            self.check()

    def check(self) -> None:
        """Raise WireFault naming every request that Discord would not have taken; forgets them afterwards."""
        faults, self.rest.refusals = self.rest.refusals, []
        sent, self.rest.sent = self.rest.sent, []
        for request in sent:
            faults += description().complaints(request.method, request.path, request.body)
        if faults:
            raise WireFaultError("\n".join(faults))

    async def start_bot(
        self,
        module: Sequence[str] = ROLLCALL,
        env: Mapping[str, str] | None = None,
        *,
        core: int | None = None,
        seconds: float = PATIENCE,
        shards: int = 0,
    ) -> BotProcess:
        """Start ``python -m <module>`` on this wire and return once it has identified and was told READY.

        A second bot on the same wire finds the same database, as one that was restarted does. ``shards`` is how many
        it has, where those are not all.
        """
        settings = {
            "DISCORD_TOKEN": TOKEN,
            "DISCORD_API_URL": self.url,
            "PERSON_LIMIT": "0",
            "WELCOME": "false",
            "DATABASE_URL": self.database_url,
            **(env or {}),
        }
        times = self.gateway.heard.count("IDENTIFY") + (shards or self.gateway.shards)
        forked = tuple(module) in FORKED
        bot = await BotProcess.start(module, settings, self.folder, self.folder / "bot.log", core, forked=forked)
        self._bots.append(bot)
        ready = asyncio.ensure_future(self.gateway.wait_heard("IDENTIFY", times))
        ended = asyncio.ensure_future(bot.wait(seconds + 1))
        try:
            await asyncio.wait({ready, ended}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if not ready.done():
                how = "did not become ready" if bot.running else "ended before it was ready"
                raise WireFaultError(f"python -m {' '.join(module)} {how}:\n{bot.log()[-3000:]}")
            bot.ready_after = time.perf_counter() - bot.begun
        finally:
            for task in (ready, ended):
                task.cancel()
            await asyncio.gather(ready, ended, return_exceptions=True)
        return bot

    async def kill(self, bot: BotProcess) -> None:
        """SIGKILL, and wait until the database server has done or undone what the process was in the middle of."""
        await bot.kill()
        if self.database_url.startswith("sqlite") or any(other.running for other in self._bots):
            return
        question = (
            "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
            "AND backend_type = 'client backend'"
        )
        async with asyncio.timeout(PATIENCE):
            while await asyncio.to_thread(self.rows, question):  # noqa: ASYNC110 - there is no event
                await asyncio.sleep(0.01)

    async def drop(self, *, lose_sessions: bool = False) -> None:
        """Break every gateway connection; the bot must RESUME, or IDENTIFY again if its session is lost."""
        await self.gateway.drop(lose_sessions=lose_sessions)

    async def slash(self, person: Person, channel: Channel, line: str, /, **options: Any) -> Answer:
        """Type a command, ``slash(ana, wire.channel, "xwing attack", dice=3, with_="focus")``, and await the answer.

        A trailing underscore is for option names that Python keeps for itself.
        """
        data = self.rest.commands.typed(line, options)
        return await self.send(self.interactions.open(COMMAND, person, channel), data)

    async def press(self, person: Person, message: Message, button: str) -> Answer:
        """Press the button with this label or custom id, as it stands on ``message`` (which may be a stale screen)."""
        control = message.control(button)
        if control.type != BUTTON or control.disabled:
            raise ValueError(f"{button!r} is not a button that can be pressed: {control}")
        return await self.click(person, message, control.custom_id)

    async def pick(self, person: Person, message: Message, select: str, values: Sequence[str]) -> Answer:
        """Choose in the select menu with this custom id or placeholder; ``values`` by label or value."""
        control = message.control(select)
        known = dict(control.options)
        chosen = [known.get(value, value) for value in values]
        fits = control.least <= len(set(chosen)) <= control.most and set(chosen) <= set(known.values())
        if control.type != SELECT or control.disabled or not fits:
            raise ValueError(f"{values} cannot be picked in {control}")
        return await self.click(person, message, control.custom_id, values=chosen)

    async def click(
        self, person: Person, message: Message, custom_id: str, *, values: Sequence[str] | None = None
    ) -> Answer:
        """Send a component's custom id whether or not it stands on the message (``values`` make it a select's)."""
        if message.ephemeral and message.asked_by != person:
            raise ValueError(f"{person.name} cannot see this message")
        data: Json = {"custom_id": custom_id, "component_type": BUTTON, "id": 2}
        if values is not None:
            data |= {"component_type": SELECT, "values": list(values)}
        now = self.interactions.messages[message.id]
        return await self.send(self.interactions.open(COMPONENT, person, message.channel, now), data)

    async def submit(self, person: Person, form: Form, values: Mapping[str, str | list[str]]) -> Answer:
        """Send a form with its entries filled by label or custom id."""
        source = None if form.source is None else self.interactions.messages[form.source]
        return await self.send(self.interactions.open(SUBMIT, person, form.channel, source), form.data(values))

    async def send(self, interaction: Interaction, data: Json) -> Answer:
        """Send INTERACTION_CREATE and await what the person gets to see; WireFault if that is nothing."""
        event = self.interactions.event(interaction, data)
        interaction.sent = time.perf_counter()
        if self.first is None:
            await self.gateway.dispatch("INTERACTION_CREATE", event)
            return await self._answer(interaction, data)
        sessions = self.gateway.sessions(interaction.channel.guild_id)
        sessions.insert(0, sessions.pop(self.first))
        await sessions[0].dispatch("INTERACTION_CREATE", event)
        answer = await self._answer(interaction, data)
        for later in sessions[1:]:
            await later.dispatch("INTERACTION_CREATE", event)
        return answer

    async def _answer(self, interaction: Interaction, data: Json) -> Answer:
        try:
            return await asyncio.wait_for(interaction.answer, self.patience)
        except TimeoutError:
            log = self._bots[-1].log()[-3000:] if self._bots else ""
            raise WireFaultError(f"no answer within {self.patience:.0f} s to {data}\n{log}") from None

    async def follow_up(self, answer: Answer) -> Message:
        """The next thing that the bot says or edits after its first answer to the same interaction."""
        later = self.interactions.find(answer.token).later
        try:
            return await asyncio.wait_for(later.get(), self.patience)
        except TimeoutError:
            raise WireFaultError(f"nothing followed within {self.patience:.0f} s") from None

    def file(self, name: str) -> str:
        """The address of a file of ``rest.files``, as that of something a person attached."""
        return f"{self.url.removesuffix('/api/v10')}/attachments/{name}"

    def now(self, message: Message) -> Message:
        """The message as it stands now."""
        return self.interactions.messages[message.id]
