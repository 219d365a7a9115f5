"""The whole bot in a simulated Discord, on a real file in a temporary folder, with dice that fall as the test says."""

import asyncio
import compileall
import copy
import gc
import hashlib
import importlib
import json
import marshal
import os
import re
import shutil
import sqlite3
import sys
import tempfile
import warnings
from collections import deque
from collections.abc import AsyncIterator, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, cast

import discord
import hypothesis
import pytest
import pytest_asyncio
import simcord
import simcord._dpy_internals
import simcord.components
import simcord.gateway
import simcord.http.router
import simcord.results
from discord import app_commands
from hypothesis.internal.conjecture import providers
from simcord._runtime import _LIVE_LOOPS
from simcord.enums import ComponentType, InteractionType
from simcord.results import ResponseMessage, to_discord_message

import bot.languages
import bot.render.paint
import bot.resources.worker_pool
import bot.runtime.app
import bot.runtime.maintenance
import bot.runtime.status
import bot.sessions.links
import bot.store.blocks
import bot.ui.live.live_messages
import bot.ui.notify.log_channel
from bot.cli.commands import COLLECTIONS
from bot.client import Interaction
from bot.games import GAMES
from bot.languages import ENGLISH
from bot.languages.compiling import compile_catalogs
from bot.languages.translate import CURRENT_LANGUAGE
from bot.resources.worker_pool import READING
from bot.rules.xwing.cards.deck import DECK_SIZE
from bot.rules.xwing.dice.faces import Face, Pool
from bot.runtime import watchdog
from bot.runtime.app import App
from bot.settings import Settings
from bot.store import blocks, database as store
from bot.store.database import Database, migrate
from bot.ui.core.responses import Answer
from tests import engines, sampling
from tests.engines import Server
from tests.pseudo import PSEUDO
from tests.wire.forks import ForkedWorker

without_a_clock = hypothesis.settings(
    deadline=None,  # a slow machine is no bug
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
    derandomize="EXPLORE" not in os.environ,  # the same examples each time; `EXPLORE=1 make test` looks for new ones
)
hypothesis.settings.register_profile("patient", without_a_clock, max_examples=20)
hypothesis.settings.register_profile("sealed", without_a_clock, max_examples=40)  # what keeps a secret or is stored
hypothesis.settings.register_profile("whole", without_a_clock, max_examples=100)  # what `-m long` says
hypothesis.settings.register_profile("quick", without_a_clock, max_examples=20)  # what `make quick` says
hypothesis.settings.load_profile("patient")
# Hypothesis would parse all of our code for constants, and draw others after each test that imports more of it.
providers.is_local_module_file = lambda _: False  # type: ignore[assignment,attr-defined]  # there is no public switch

compile_catalogs()  # what changed since the package was installed

ROOT: Final = Path(__file__).parents[1]
SLOW: Final = {
    "tests/browser/test_activity": 11.0,
    "tests/browser/test_call": 6.0,
    "tests/browser/test_play": 16.0,
    "tests/browser/test_proxy": 3.0,
    "tests/browser/test_round": 23.0,
    "tests/browser/test_verify_page": 0.3,
    "tests/browser": 4.0,
    "tests/cogs/test_crawl": 24.0,
    "tests/cogs/test_plan_leaks": 5.0,
    "tests/cogs/test_xwing_board_machine": 12.0,
    "tests/sessions/test_undo": 0.4,
    "tests/odds_site/test_page": 4.5,
    "tests/test_bombs": 4.0,
    "tests/cli/test_operations_commands": 0.6,
    "tests/cli/test_main": 0.7,
    "tests/test_mutants": 3.5,
    "tests/cli/test_play": 0.5,
    "tests/test_second_game": 14.0,
    "tests/wire/test_plan_leaks": 14.0,
    "tests/wire/test_processes": 7.0,
    "tests/wire": 1.6,
}
"""What takes long, mostly because it starts processes, and about how many seconds one test of it takes; the first that
fits says so."""
SEALED: Final = ("tests/browser", "tests/fair", "tests/sessions", "tests/store")
"""Where the properties of what keeps a secret and of what is stored are."""
PEOPLE = ("Ana", "Bo", "Cleo")
MAX_REST: Final = 600.0
"""Real seconds within which the bot comes to rest after whatever it was asked; far more than it takes."""
LATER: Final = 1e6
"""Seconds until what is put off: no test lasts so long. A timer that fires within ``MAX_REST`` is work to wait for."""
FALSE_PLURAL: Final = re.compile(r"(?<![\w.,/:+-])1[ \xa0](\w+s)\b(?!:)")
WORD_BEFORE: Final = re.compile(r"\b([A-Za-z]+) $")
NOUNS: Final = {"focus", "press", "stress", "success"}
VERBS: Final = {"beats", "does", "fails", "has", "is", "passes", "stands", "succeeds", "was", "wins"}
NO_PLURALS: Final = frozenset({*NOUNS, *VERBS, "minus", "plus", "this", "vs"})
"""Words that may follow 1 although they end in s."""
NUMBERED: Final = frozenset({"round", "range", "initiative"})
"""Words before a number that is a name."""
SOON: Final = 0.01
LOOK_AGAIN: Final = 0.012
REPLACED: Final = frozenset({"live", "_looking"})
"""Parts of a bot that it replaces itself."""
LONG: Final = "long"
FAILED: Final = pytest.StashKey[bool]()
IN_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - pytest and tempfile make folders of their own in it
"""Where temporary files lie if there is room: on a disk, a quarter of the time of a test with a store is its syncs."""
ROOM: Final = 4 << 30
"""Bytes; all tests together write less than half of it."""
DEEPCOPY: Final = copy.deepcopy
SLEEPS: Final = simcord._dpy_internals.is_sleep_waiter
SYNC: Final = app_commands.CommandTree.sync
"""Registers the commands of a bot, whoever has registered the same before."""


@dataclass(slots=True)
class Dice:
    """An ``Rng`` that gives what was prescribed, in order, and fails when it is asked for more."""

    waiting: deque[int] = field(default_factory=deque)
    damage: deque[int] = field(default_factory=deque)

    def __call__(self, sides: int) -> int:
        if 20 < sides <= DECK_SIZE:  # a damage card: one that dice do not feel, while the test does not say which
            return self.damage.popleft() if self.damage else 4
        assert self.waiting, f"a die of {sides} faces was rolled that the test did not expect"
        return self.waiting.popleft()

    def will_show(self, *numbers: int) -> None:
        self.waiting.extend(numbers)

    def red(self, words: str) -> None:
        """X-Wing attack dice: ``dice.red("hit blank crit")``."""
        self.will_show(*(Pool.RED.faces.index(Face(word)) for word in words.split()))

    def green(self, words: str) -> None:
        self.will_show(*(Pool.GREEN.faces.index(Face(word)) for word in words.split()))


BESIDE: Final = (":advice-damage", ":undo", ":how", ":another", ":both", ":again-but")
"""End what stands on a card and is no choice."""


def is_of_cards(item: Any) -> bool:
    """Whether it is the list of cards that somebody could type, which stands beside every choice of an attack."""
    values = [one.value for one in getattr(item, "options", ())]
    return bool(values) and values == ["another"]


@dataclass(slots=True)
class Club:
    """One server with one channel and three people at the table; the bot keeps its rolls in ``file``."""

    env: simcord.Env
    file: Path
    settings: Settings
    dice: Dice
    guild: simcord.GuildHandle
    channel: simcord.ChannelHandle
    ana: simcord.MemberActor
    bo: simcord.MemberActor
    cleo: simcord.MemberActor

    @property
    def card(self) -> discord.Message:
        """The newest message in the channel, as it is now."""
        message = self.channel.last_message
        assert message is not None, "there is no message in the channel"
        return message

    @property
    def sent(self) -> Any:
        """What the bot's last answer to an interaction said."""
        asked = [request.json or {} for request in self.env.http_requests]
        return next(item["data"] for item in reversed(asked) if "data" in item)

    @property
    def embed(self) -> discord.Embed:
        return plain(self.card.embeds[0])

    @property
    def outcome(self) -> str:
        return self.embed.title or ""

    @property
    def leading(self) -> str:
        """The label of the one colored button of the newest card; "" for none."""
        rows: Any = [row.to_dict() for row in self.card.components]
        shown = (item for row in rows for item in row.get("components", ()))
        return next((item["label"] for item in shown if item.get("style") in (1, 3)), "")

    @property
    def labels(self) -> list[str]:
        """What can be pressed and picked on the newest card; to ask, to take back, to type a card is not to choose.

        What comes next in the game is no choice of this roll either.
        """
        items = (item for row in self.card.components for item in getattr(row, "children", ()) if item.custom_id)
        choices = (item for item in items if not item.custom_id.endswith(BESIDE))
        choices = (item for item in choices if not item.custom_id.startswith("rc1:next:"))
        return [getattr(item, "label", None) or item.placeholder for item in choices if not is_of_cards(item)]

    async def rerolls(self, *dice: str) -> None:
        """Ana picks dice from the list of her lock."""
        items = (item for row in self.card.components for item in getattr(row, "children", ()))
        (list_,) = (item.custom_id for item in items if "Lock: reroll" in str(getattr(item, "placeholder", "")))
        await self.ana.select(self.card, list(dice), custom_id=list_)

    async def how(self) -> str:
        """What Cleo reads behind **How?** on the newest card."""
        return "\n".join(f"{name}\n{value}" for name, value in (await self.facts()).items())

    async def facts(self, card: discord.Message | None = None) -> dict[str, str]:
        """The same, a name and a few lines each; of another card where one is named.

        Before dice have fallen there is no **How?**, and the card itself has its facts.
        """
        card = card or self.card
        items = [item for row in card.components for item in getattr(row, "children", ())]
        shown = plain(card.embeds[0])
        labels = [item.label for item in items if str(getattr(item, "custom_id", "")).endswith(":how")]
        if "How?" in labels:
            told = await self.cleo.click(card, label="How?")
            assert told.response is not None
            assert not shown.fields, "what How? says does not stand on the card as well"
            shown = plain(told.response.embeds[0])
        return {field.name or "": field.value or "" for field in shown.fields}

    @property
    def sent_title(self) -> str:
        """The headline of what the bot sent last, whoever may see it."""
        return str(plain(discord.Embed.from_dict(self.sent["embeds"][0])).title)

    def custom_id(self, offer: str) -> str:
        """The id of a component of the newest card, by the offer that it ends with."""
        items = (item for row in self.card.components for item in getattr(row, "children", ()))
        return str(next(item.custom_id for item in items if (item.custom_id or "").endswith(f":{offer}")))

    async def attack(self, **options: Any) -> simcord.InteractionResult:
        """Ana's ``/xwing attack``; ``with_`` and ``range_`` stand for the options of that name."""
        given = {name.removesuffix("_"): value for name, value in options.items()}
        return await self.ana.slash(self.channel, "xwing attack", **given)

    async def defend(self, by: simcord.MemberActor, agility: str, tokens: str = "") -> simcord.InteractionResult:
        """Press Defend on the newest card and send the form."""
        shown = await by.click(self.card, label="Defend: enter your tokens")
        return await by.submit_modal(shown, {"agility": agility, "tokens": tokens})

    async def take_back(self, by: simcord.MemberActor, consent: simcord.MemberActor | None = None) -> None:
        """``/table undo``; where somebody has to allow it, ``consent`` does, else Cleo."""
        await by.slash(self.channel, "table undo")
        if "asks to take back" in self.card.content:
            await (consent or self.cleo).click(self.card, label="Allow")

    async def press(
        self,
        by: simcord.MemberActor,
        custom_id: str,
        values: Sequence[str] = (),
        on: discord.Message | ResponseMessage | None = None,
        payload: Mapping[str, Any] | None = None,
    ) -> simcord.InteractionResult:
        """A press that Discord's own app would not make: of a card that has changed since, or with a made-up id.

        ``payload``: the message as it was when it was pressed, if not as it is now.
        """
        message = on or self.card
        kind = ComponentType.STRING_SELECT if values else ComponentType.BUTTON
        where = message.channel_id if isinstance(message, ResponseMessage) else message.channel.id
        shown = self.env.backend.get_message(where, message.id)
        data = {"custom_id": custom_id, "component_type": kind, **({"values": list(values)} if values else {})}
        return await by._dispatch_interaction(
            InteractionType.MESSAGE_COMPONENT,
            self.channel,
            data,
            extra={"message": payload or simcord.backend.serializers.message_payload(self.env.backend, shown)},
            source_message_id=message.id,
        )

    async def submit(
        self, by: simcord.MemberActor, custom_id: str, fields: Mapping[str, str]
    ) -> simcord.InteractionResult:
        """A form sent, whatever it was that opened it."""
        lines = [{"type": ComponentType.TEXT_INPUT, "custom_id": key, "value": text} for key, text in fields.items()]
        rows = [{"type": ComponentType.LABEL, "component": line} for line in lines]
        data = {"custom_id": custom_id, "components": rows}
        return await by._dispatch_interaction(InteractionType.MODAL_SUBMIT, self.channel, data)

    async def restart(self, **options: Any) -> None:
        """Another bot on the same file; the old one was not told."""
        old = self.env.bot
        await self.env.restart_bot(App(self.settings, rng=self.dice, **({"faces": ()} | options)))
        await old.close()


def false_plurals(text: str) -> list[str]:
    """Every ``1 hits`` in a text, with some words around it."""
    return [
        text[max(0, match.start() - 40) : match.end() + 20]
        for match in FALSE_PLURAL.finditer(text)
        if match[1] not in NO_PLURALS
        and not is_stat(WORD_BEFORE.search(text, max(0, match.start() - 40), match.start()))
    ]


def is_stat(word: re.Match[str] | None) -> bool:
    """Whether a number after this word counts nothing: ``ARM 1``, ``round 1``."""
    return word is not None and (word[1].isupper() or word[1] in NUMBERED)


def plain(shown: discord.Embed) -> discord.Embed:
    """An embed with plain spaces, as tests write them between numbers and units."""
    return discord.Embed.from_dict(json.loads(json.dumps(shown.to_dict(), ensure_ascii=False).replace("\xa0", " ")))


def said(result: simcord.InteractionResult) -> str:
    """What one person alone was told."""
    answers = [answer for answer in (result.response, *result.followups) if answer is not None and answer.ephemeral]
    assert len(answers) == 1, f"one whisper was expected, there were {len(answers)}"
    return answers[0].content


def whispered(result: simcord.InteractionResult) -> ResponseMessage:
    """The message that one person alone was shown."""
    assert result.response is not None
    assert result.response.ephemeral, "nobody else sees it"
    return result.response


def has_room(folder: Path) -> bool:
    """Whether the files of all tests fit into a folder, and programs may be run from there."""
    if not os.access(folder, os.W_OK):
        return False
    system = os.statvfs(folder)
    return system.f_bavail * system.f_frsize >= ROOM and not system.f_flag & os.ST_NOEXEC


def pytest_configure(config: pytest.Config) -> None:
    """Where Python writes no compiled files, each process that a test starts would compile the whole tree again."""
    gc.disable()  # until everything is collected
    if "TMPDIR" not in os.environ and has_room(IN_MEMORY):
        os.environ["TMPDIR"], tempfile.tempdir = str(IN_MEMORY), None
    if config.option.markexpr == LONG:
        hypothesis.settings.load_profile("whole")
        os.environ["SAMPLE"] = sampling.ALL
    if sys.dont_write_bytecode and not hasattr(config, "workerinput"):
        for folder in ("bot", "cogs", "migrations", "tests"):
            compileall.compile_dir(ROOT / folder, quiet=1)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Processes that run all tests each import another part of them first: what one has compiled, the others find.

    Else each of them would compile every file, all at the same time, in a checkout that is new.
    """
    worker = getattr(session.config, "workerinput", None)
    if worker is None or session.config.args != session.config.getini("testpaths"):
        return
    files = sorted(path.relative_to(ROOT) for path in (ROOT / "tests").rglob("test_*.py"))
    first = len(files) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
    for file in files[first:] + files[:first]:
        choose_profile(file)
        with suppress(Exception), warnings.catch_warnings(action="error"):  # who collects it says what is wrong
            importlib.import_module(".".join(file.with_suffix("").parts))


def pytest_collectstart(collector: pytest.Collector) -> None:
    if isinstance(collector, pytest.Module):
        choose_profile(collector.path.relative_to(ROOT))


def choose_profile(file: Path) -> None:
    """Say how many examples are drawn of the properties in a module; where one profile was asked for, it stays."""
    if hypothesis.settings.get_current_profile_name() in ("patient", "sealed"):
        hypothesis.settings.load_profile("sealed" if str(file).startswith(SEALED) else "patient")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Two more than there are cores for ``-n auto``: a third of the time tests wait for processes and threads."""
    is_auto = config.option.numprocesses == "auto"
    return len(os.sched_getaffinity(0)) + 2 if is_auto and hasattr(os, "sched_getaffinity") else None


def pytest_report_header() -> str:
    return f"sample: {sampling.sample_id()} (tests/sampling.py)"


def pytest_itemcollected(item: pytest.Item) -> None:
    """With ``-m long`` every property is asked too, with all its examples, and every walk goes through all cases."""
    is_walk = "part" in getattr(item, "fixturenames", ()) or item.get_closest_marker("sampled") is not None
    is_property = hypothesis.is_hypothesis_test(getattr(item, "obj", None))
    if (is_walk or is_property) if item.config.option.markexpr == LONG else sampling.is_left_out(item):
        item.add_marker(LONG)


@pytest.hookimpl(trylast=True)  # some are left out before
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Every process gets its share of what takes long, so that none waits for another at the end."""
    for item in items:
        if is_at_home(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="module"), append=False)
    items[:] = dealt(items, getattr(config, "workerinput", {}).get("workercount", 1))


def pytest_collection_finish() -> None:
    """What was imported and collected stays: to look at it for garbage again and again costs a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTIONS)
    gc.enable()


def dealt(items: Sequence[pytest.Item], processes: int) -> list[pytest.Item]:
    """The tests in an order of which xdist gives each process an equal part; what is quick fills the parts up.

    A file of slow ones stays together, because its tests share a browser. What is slow mostly waits for processes that
    it has started: each process does it at another time, while the others count.
    """
    quick = deque(item for item in items if not seconds(item))
    slow = {path: [*result] for path, result in groupby((one for one in items if seconds(one)), lambda one: one.path)}
    parts: list[list[pytest.Item]] = [[] for _ in range(processes)]
    for one in sorted(slow.values(), key=lambda result: -sum(map(seconds, result))):
        min(parts, key=lambda part: sum(map(seconds, part))).extend(one)
    order: list[pytest.Item] = []
    for at, part in enumerate(parts):
        room = max(0, (len(items) - len(order)) // (processes - at) - len(part))
        filling = [quick.popleft() for _ in range(min(room, len(quick)))]
        before = len(filling) * at // processes
        order += [*filling[:before], *part, *filling[before:]]
    return [*order, *quick]


def seconds(item: pytest.Item) -> float:
    """About how long a test takes, if that is long; else 0."""
    return seconds_in(item.nodeid.partition("::")[0])


@cache
def seconds_in(file: str) -> float:
    return next((each for begins, each in SLOW.items() if file.startswith(begins)), 0.0)


@pytest.fixture(scope="session")
def part() -> sampling.Part[Any]:
    """Pick the cases of a walk: one in so many, drawn by the commit, or all of them with ``-m long``."""
    return sampling.share


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database of the newest version. It is migrated once per process; tests work on copies of it."""
    file = tmp_path_factory.mktemp("migrated") / "rolls.db"
    asyncio.run(migrate(f"sqlite+aiosqlite:///{file}"))
    return file


@pytest.fixture
def file(request: pytest.FixtureRequest, tmp_path: Path, migrated: Path) -> Path:
    """A database of the test's own, or that of the bot of the module."""
    if is_at_home(request.node):
        return cast("Home", request.getfixturevalue("home")).file
    return Path(shutil.copy(migrated, tmp_path / "rolls.db"))


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL server, one for each process of the tests; where there is none, the test is skipped."""
    with engines.server() as running:
        yield running


@pytest.fixture
def rolls(postgres: Server) -> Iterator[str]:
    """The address of a database of the test's own on the server."""
    result = postgres.database()
    yield result
    postgres.give_back(result)


@pytest.fixture
def url(engine: str, request: pytest.FixtureRequest) -> str:
    """The address of a database of the test's own, on the engine that ``engines.on_both`` names."""
    if engine == "sqlite":
        return f"sqlite+aiosqlite:///{request.getfixturevalue('file')}"
    return str(request.getfixturevalue("rolls"))


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    database = await Database.open(url)
    yield database
    await database.close()


@pytest.fixture
def simcord_bot(settings: Settings, dice: Dice) -> App:
    return App(settings, rng=dice, faces=())


def settings_for(file: Path) -> Settings:
    return Settings.model_construct(database_url=f"sqlite+aiosqlite:///{file}", person_limit=0, welcome=False)


@pytest.fixture
def settings(request: pytest.FixtureRequest, file: Path) -> Settings:
    return cast("Home", request.getfixturevalue("home")).settings if is_at_home(request.node) else settings_for(file)


@pytest.fixture
def dice(request: pytest.FixtureRequest) -> Dice:
    """Dice of the test's own; the bot of the module keeps the same ones, without what another test prescribed."""
    if not is_at_home(request.node):
        return Dice()
    result = cast("Home", request.getfixturevalue("home")).dice
    result.waiting.clear()
    result.damage.clear()
    return result


@pytest.fixture(autouse=True)
def typed_tokens(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Most tests play X-Wing attacks with what they type alone, as in a channel that chose **No tokens**."""
    if request.node.get_closest_marker("claims") is None:
        monkeypatch.setitem(GAMES["xwing"].commands.at_table, "tokens", "none")


@pytest.fixture(scope="session", autouse=True)
def patient() -> Iterator[None]:
    """Give the store, and reading a file, all the time they need on a busy machine.

    Tests of ``DatabaseBusyError`` lock the store by other means.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "POOL_SECONDS", MAX_REST)
        patch.setattr("bot.runtime.app.READING", replace(READING, patience=MAX_REST))
        yield


@pytest.fixture(scope="session", autouse=True)
def registered_once() -> Iterator[None]:
    """The same commands are registered once for all the bots of a process: simcord's next Discord knows them then.

    The catalogs, which stay as they are, are read once too, and stay in memory after the commands are registered.
    """
    known: dict[tuple[str, int], tuple[list[Any], dict[Any, Any]]] = {}
    digests: dict[int, str] = {}
    fingerprint = bot.runtime.app.fingerprint

    def noted(tree: app_commands.CommandTree[Any], guild: discord.abc.Snowflake | None) -> str:
        digests[id(tree)] = fingerprint(tree, guild)
        return digests[id(tree)]

    async def once(tree: Any, *, guild: discord.abc.Snowflake | None = None) -> Any:
        key = digests.pop(id(tree), ""), guild.id if guild is not None else 0
        backend, scope = tree._http.backend, guild.id if guild is not None else None
        if not key[0] or key not in known:
            registered = await SYNC(tree, guild=guild)
            known[key] = registered, backend.commands[scope]
        registered, backend.commands[scope] = known[key]
        return registered

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bot.runtime.app, "fingerprint", noted)
        patch.setattr(app_commands.CommandTree, "sync", once)
        patch.setattr(bot.languages, "fingerprint", cache(bot.languages.fingerprint))
        patch.setattr(bot.languages, "forget", lambda: None)
        yield


class PatientEnv(simcord.Env):
    """It waits for a bot to begin as long as for an answer, and looks again after 12 ms whether the bot is at rest.

    simcord's own waits five seconds, whatever it is told, and looks again after 50 ms, at nearly every action. To look
    more often than an edit waits costs more than it saves.
    """

    async def _settle_internal(self, **more: Any) -> None:
        await super()._settle_internal(**more | {"timeout": None, "idle": LOOK_AGAIN})


def copied(value: Any, memo: dict[int, Any] | None = None) -> Any:
    """Copy a payload as ``deepcopy`` does, many times faster. Simcord copies each several times."""
    try:
        return marshal.loads(marshal.dumps(value))  # noqa: S302 - it was written here
    except ValueError:  # something in it is no plain JSON
        if type(value) is dict:
            return {key: copied(item) for key, item in value.items()}
        return [copied(item) for item in value] if type(value) is list else DEEPCOPY(value, memo)


def last_message(channel: simcord.ChannelHandle) -> discord.Message | None:
    """Return the newest public message. Simcord's own property builds all that the channel ever had."""
    held = [item for item in channel._env.backend.messages.get(channel.id, {}).values() if item.visible_to(None)]
    return to_discord_message(channel._env, max(held, key=lambda item: item.id)) if held else None


def is_sleep_waiter(waiter: Any, loop: Any, deadline: float) -> bool:
    """Simcord's own function, which looks at the name of each timer's callback first: there may be a thousand."""
    if waiter is None or waiter.done():
        return False
    timers = [one for one in loop._scheduled if one._args and any(item is waiter for item in one._args)]
    return any(SLEEPS(waiter, SimpleNamespace(_scheduled=[one]), deadline) for one in timers)


def unpainted(*said: object) -> bytes:
    """In place of a picture: other bytes where it would be another one. How it looks is what ``tests/render`` asks."""
    return b"\x89PNG" + hashlib.sha256(repr(said).encode()).digest() * 50


def put_off(patch: pytest.MonkeyPatch) -> None:
    """Put off whatever the bot does later by itself, for longer than simcord waits; edits that it gathers come at once.

    Its workers are forks, which start at once. No limit is one of real time on a busy machine, and an answer is late by
    simcord's clock alone.
    """
    patch.setattr(bot.render.paint, "compose_picture", unpainted)
    patch.setattr(simcord.ChannelHandle, "last_message", property(last_message))
    patch.setattr(simcord._dpy_internals, "is_sleep_waiter", is_sleep_waiter)
    for module in (simcord.results, simcord.components):
        patch.setattr(module, "deepcopy", copied)
    for module in (simcord.gateway, simcord.http.router):
        patch.setattr(module, "copy", SimpleNamespace(deepcopy=copied))
    patch.setattr(bot.resources.worker_pool, "start", ForkedWorker)
    patch.setattr(bot.ui.live.live_messages, "PAUSE", SOON)
    patch.setattr(bot.runtime.maintenance, "TIDY_FIRST", LATER)
    patch.setattr(bot.runtime.status, "EVERY", LATER)
    patch.setattr(blocks, "EVERY", LATER)
    patch.setattr(bot.store.blocks, "EVERY", LATER)
    patch.setattr(bot.runtime.app, "CARDS_LOST_ELSEWHERE", LATER)
    patch.setattr(bot.sessions.links, "WAIT", LATER)
    patch.setattr(bot.ui.notify.log_channel, "LAST_COPIES", LATER)
    patch.setattr(watchdog, "MAX_HELD", float("inf"))  # how long an answer takes is the machine's business
    begin = Answer.__init__

    def begin_on_simcords_clock(answer: Answer, interaction: Interaction) -> None:
        begin(answer, interaction)
        for timer in _LIVE_LOOPS[asyncio.get_running_loop()]._work.callbacks:
            if timer.label == Answer._defer_later.__qualname__ and timer.real_handle is not None:
                timer.real_handle.cancel()

    patch.setattr(Answer, "__init__", begin_on_simcords_clock)


async def begun(app: App) -> simcord.Env:
    """A simulated Discord for a sharded bot whose errors are all answered by its funnel."""
    env = PatientEnv(app, shard_count=1, check_errors=False, settle_timeout=MAX_REST)
    await env.start()
    return env


async def ended(env: simcord.Env) -> None:
    await env.shutdown()
    await env.bot.close()


def look_over(env: simcord.Env) -> None:
    """Look at all that the bot has sent."""
    sent = [request.json for request in env.http_requests if not request.path.endswith("/commands")]
    # A number at the end of a line counts nothing on the next.
    said = json.dumps(sent, ensure_ascii=False).replace("\\n", " / ")
    if CURRENT_LANGUAGE.get() in (ENGLISH, PSEUDO):
        assert false_plurals(said) == [], "one thing is called as if there were more"


@asynccontextmanager
async def simulated(app: App, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[simcord.Env]:
    """A simulated Discord for one test."""
    put_off(monkeypatch)
    env = await begun(app)
    yield env
    await ended(env)
    look_over(env)


@dataclass(slots=True)
class Home:
    """One bot for the tests of a module, each in a server of its own with people of its own, and in an empty store.

    A test that fails, closes the bot, starts another one, or gives it another part leaves none to the next test.
    """

    file: Path
    migrated: Path
    settings: Settings
    dice: Dice = field(default_factory=Dice)
    env: simcord.Env | None = None
    parts: dict[str, object] = field(default_factory=dict)
    """What the bot consisted of when it began."""
    discords: frozenset[str] = frozenset()
    """The names of the parts of its Discord then: a test may put a method of its own before one of these."""
    memories: list[Any] = field(default_factory=list)
    """What was empty then."""

    @property
    def is_as_it_began(self) -> bool:
        assert self.env is not None
        if self.env.bot.is_closed() or vars(self.env.backend).keys() != self.discords:
            return False
        now = parts_of(self.env.bot)
        return all(now.get(name) is part for name, part in self.parts.items() if name not in REPLACED)

    async def enter(self) -> simcord.Env:
        if self.env is not None and not self.is_as_it_began:
            await self.leave()
        if self.env is not None:
            for guild in [*self.env.backend.guilds]:
                self.env.backend.remove_guild(guild)
            self.env._guilds.clear()
            await self.env.settle()
            for memory in self.memories:
                memory.clear()
        empty(self.file, self.migrated)
        if self.env is None:
            self.env = await begun(App(self.settings, rng=self.dice, faces=()))
            self.parts, self.discords = parts_of(self.env.bot), frozenset(vars(self.env.backend))
            self.memories = [memory for memory in memories_of(self.parts.values()) if not memory]
        self.env.backend.faults.clear()
        self.env._errors.clear()
        self.env._error_ids.clear()
        self.env.http_requests.clear()
        self.env.backend.transcript.clear()
        return self.env

    async def leave(self) -> None:
        if self.env is not None:
            env, self.env = self.env, None
            await ended(env)


def parts_of(app: discord.Client) -> dict[str, object]:
    """The parts of a bot, and what texts these hold, as addresses."""
    parts = {**vars(app)}
    for name, part in vars(app).items():
        texts = {key: text for key, text in getattr(part, "__dict__", {}).items() if isinstance(text, str)}
        parts |= {f"{name}.{key}": text for key, text in texts.items()}
    return parts


def memories_of(parts: Iterable[object]) -> Iterator[Any]:
    """What a bot keeps in its memory, itself and in the parts that know what is in play."""
    for part in parts:
        if isinstance(part, dict | set):
            yield part
        elif type(part).__module__.startswith("bot.sessions."):
            yield from memories_of(getattr(part, "__dict__", {}).values())


def empty(file: Path, migrated: Path) -> None:
    """Make a store hold again what a new one holds, while a bot has it open."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA synchronous = OFF")  # nobody mourns a file of tests
        connection.execute("ATTACH ? AS new", (str(migrated),))
        with connection:
            for (name,) in connection.execute("SELECT name FROM new.sqlite_master WHERE type = 'table'").fetchall():
                connection.execute(f"DELETE FROM main.{name}")  # noqa: S608 - a table of ours
                connection.execute(f"INSERT INTO main.{name} SELECT * FROM new.{name}")  # noqa: S608 - as above


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def home(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> AsyncIterator[Home]:
    file = Path(shutil.copy(migrated, tmp_path_factory.mktemp("home") / "rolls.db"))
    result = Home(file, migrated, settings_for(file))
    yield result
    await result.leave()


def is_at_home(item: pytest.Item) -> bool:
    """Whether the bot of a test is the one of its module."""
    marks = [mark.name for mark in item.iter_markers() if mark.name in ("one_bot", "own_bot")]
    return marks == ["one_bot"] and "simcord_env" in getattr(item, "fixturenames", ())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


@pytest_asyncio.fixture(loop_scope="module")
async def env_at_home(
    request: pytest.FixtureRequest, home: Home, settings: Settings, dice: Dice, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[simcord.Env]:
    """The bot of the module."""
    assert settings is home.settings
    assert dice is home.dice, "a module whose bot has other dice has no bot in common"
    put_off(monkeypatch)
    env = await home.enter()
    yield env
    await env.settle()
    if FAILED in request.node.stash:
        await home.leave()
    look_over(env)


@pytest.fixture
async def env_alone(simcord_bot: App, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[simcord.Env]:
    """A bot of the test's own."""
    async with simulated(simcord_bot, monkeypatch) as env:
        yield env


@pytest.fixture
def simcord_env(request: pytest.FixtureRequest) -> simcord.Env:
    """In place of simcord's own fixture."""
    return cast("simcord.Env", request.getfixturevalue("env_at_home" if is_at_home(request.node) else "env_alone"))


def club_in(env: simcord.Env, file: Path, settings: Settings, dice: Dice) -> Club:
    guild = env.create_guild("The Gaming Club")
    channel = guild.create_text_channel("dice")
    people = (guild.add_member(env.create_user(name.lower(), global_name=name)) for name in PEOPLE)
    return Club(env, file, settings, dice, guild, channel, *people)


@pytest.fixture
def club(simcord_env: simcord.Env, file: Path, settings: Settings, dice: Dice) -> Iterator[Club]:
    yield club_in(simcord_env, file, settings, dice)
    assert not dice.waiting, f"{len(dice.waiting)} dice were prescribed and not rolled"
