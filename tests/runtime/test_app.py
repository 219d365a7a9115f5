"""The running bot: what it registers and when, and how it stops."""

import asyncio
import gc
import sqlite3
import weakref

import discord
import pytest
from discord import app_commands

from bot.client import Interaction
from bot.rules.xwing.table.ship import launch
from bot.runtime.app import App, fingerprint
from bot.sessions.request import Person, Place, Request
from bot.sessions.sessions import Sessions
from bot.settings import Settings
from bot.store.errors import DatabaseUnreachableError
from bot.store.tracked_messages import EVERYBODY, MessageKind
from bot.ui.core.responses import Answer
from bot.ui.live import live_messages
from bot.ui.live.live_messages import LiveMessage
from bot.ui.table import board
from cogs import initiative
from tests.conftest import SYNC, Club
from tests.wire.process import PATIENCE


@pytest.fixture(autouse=True)
def registers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here each bot registers its commands itself."""
    monkeypatch.setattr(app_commands.CommandTree, "sync", SYNC)


def registrations(club: Club) -> list[str]:
    """The paths to which commands were sent, in order."""
    return [request.path for request in club.env.http_requests if request.method == "PUT"]


async def test_commands_are_registered_on_the_first_start_only(club: Club) -> None:
    assert len(registrations(club)) == 1
    await club.restart()
    await club.restart()
    assert len(registrations(club)) == 1
    club.dice.red("hit")
    await club.attack(dice=1, agility=0)
    assert club.outcome == "Ana hits the defender: 1 hit.", "the commands of the first start serve"


async def test_commands_are_registered_again_when_they_changed(club: Club) -> None:
    with sqlite3.connect(club.file) as stranger:
        stranger.execute("UPDATE registration SET digest = 'of other commands'")
    stranger.close()
    await club.restart()
    assert len(registrations(club)) == 2
    await club.restart()
    assert len(registrations(club)) == 2


async def test_a_fresh_start_registers_whatever_was_before(club: Club) -> None:
    await club.restart(fresh=True)
    assert len(registrations(club)) == 2


async def test_a_test_guild_gets_commands_of_its_own(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(club.settings, "test_guild", club.guild.id)
    await club.restart()
    assert f"/guilds/{club.guild.id}/" in registrations(club)[-1]
    await club.restart()
    assert len(registrations(club)) == 2


async def test_a_registration_that_fails_is_tried_again_on_the_next_start(club: Club) -> None:
    club.env.inject_error("PUT", "/applications/*/commands")
    failing = App(club.settings, rng=club.dice, fresh=True)
    old = club.env.bot
    with pytest.raises(discord.HTTPException):
        await club.env.restart_bot(failing)
    await old.close()
    with sqlite3.connect(club.file) as stranger:
        (count,) = stranger.execute("SELECT count(*) FROM registration").fetchone()
    stranger.close()
    assert count == 1, "the digest of the first start; nothing was remembered for the one that missed"
    await failing.close()


def tree(describe: str, *names: str) -> app_commands.CommandTree[discord.Client]:
    result: app_commands.CommandTree[discord.Client] = app_commands.CommandTree(
        discord.Client(intents=discord.Intents.none())
    )

    async def body(interaction: discord.Interaction, number: int) -> None:
        """Nobody calls it."""

    for name in names:
        result.command(name=name, description=describe)(body)
    return result


def test_the_fingerprint_tells_definitions_apart_and_not_their_order() -> None:
    item = fingerprint(tree("Roll", "a", "b"), None)
    assert item == fingerprint(tree("Roll", "b", "a"), None)
    assert item != fingerprint(tree("Roll them", "a", "b"), None)
    assert item != fingerprint(tree("Roll", "a"), None)


# Stopping


@pytest.mark.parametrize("by", ["command", "press"])
async def test_open_interactions_are_answered_before_the_bot_stops(
    club: Club, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    club.dice.red("focus hit")
    await club.attack(dice=2, agility=0, with_="focus")
    method = "open" if by == "command" else "choose"
    swift = getattr(Sessions, method)
    begun, goes_on = asyncio.Event(), asyncio.Event()

    async def late(*args: object, **kwargs: object) -> object:
        begun.set()
        await club.env.external_wait(goes_on.wait(), reason="the test says when")
        return await swift(*args, **kwargs)

    monkeypatch.setattr(Sessions, method, late)
    if by == "command":
        club.dice.red("crit")
        answer = await club.attack(dice=1, agility=0)
    else:
        answer = await club.ana.click(club.card, label="Focus: 1 to hit")
    assert begun.is_set()
    assert not answer.acknowledged

    bot = club.env.bot
    assert isinstance(bot, App)
    stopping = asyncio.create_task(bot.drain())
    for _ in range(10):
        await asyncio.sleep(0)
    assert not stopping.done()
    goes_on.set()
    await stopping
    assert club.env.http_requests[-1].path.endswith("/callback"), "it was answered meanwhile"
    assert club.outcome == ("Ana hits the defender: 1 crit." if by == "command" else "Ana hits the defender: 2 hits.")


async def test_whoever_never_ends_is_not_waited_for_long(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(*_: object, **__: object) -> None:
        await club.env.external_wait(asyncio.Event().wait(), reason="it never ends")

    monkeypatch.setattr(Sessions, "open", never)
    monkeypatch.setattr("bot.runtime.app.DRAIN", 0.05)
    await club.attack(dice=1, agility=0)
    bot = club.env.bot
    assert isinstance(bot, App)
    async with asyncio.timeout(PATIENCE):
        await bot.drain()


async def test_an_idle_bot_stops_at_once_and_may_be_told_twice(settings: Settings) -> None:
    async with asyncio.timeout(PATIENCE), App(settings) as bot:
        await bot.close()
        await bot.close()


async def test_a_bot_that_stops_leaves_new_interactions_to_another_process(club: Club) -> None:
    bot = club.env.bot
    assert isinstance(bot, App)
    await bot.drain()
    before = len(club.env.http_requests)
    assert not (await club.attack(dice=1, agility=0)).acknowledged
    assert len(club.env.http_requests) == before


async def test_a_board_is_edited_before_the_bot_stops(club: Club) -> None:
    await club.ana.slash(club.channel, "table show")
    shown = club.env.bot.live[MessageKind.BOARD, club.channel.id, EVERYBODY]  # type: ignore[attr-defined]  # it is our App
    before = shown.digest
    bot = club.env.bot
    assert isinstance(bot, App)
    await bot.tables.step(
        Request(Person(7, "Ana"), Place(club.channel.id, club.guild.id)),
        "xwing",
        "adds Luke",
        lambda _: {"Luke": launch("Luke", attack=3, hull=3)},
    )
    assert shown.digest == before, "a moment later"
    await bot.drain()
    assert shown.digest != before


async def test_what_another_process_answered_is_left_to_it(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = club.env.bot
    assert isinstance(bot, App)

    async def taken(*_: object) -> bool:
        return False

    monkeypatch.setattr(bot.interactions, "claim", taken)  # another process is always first
    before = len(club.env.http_requests)
    assert not (await club.attack(dice=1, agility=0)).acknowledged
    assert len(club.env.http_requests) == before
    assert club.channel.id in bot.unsure


@pytest.mark.parametrize("message", [board.BOARD, initiative.LIST], ids=lambda item: str(item.kind))
async def test_two_may_look_at_once_for_what_another_process_may_have_changed(club: Club, message: LiveMessage) -> None:
    bot, here = club.env.bot, club.channel.id
    assert isinstance(bot, App)
    unsure, find = bot.unsure, message.find
    unsure[here] = asyncio.get_running_loop().time() - live_messages.UNSURE - 1  # long enough ago
    await asyncio.gather(find(bot, here), find(bot, here))
    assert here not in unsure
    unsure[here] = asyncio.get_running_loop().time() - live_messages.UNSURE - 1
    looking = asyncio.ensure_future(find(bot, here))
    await asyncio.sleep(0)
    live_messages.answered_elsewhere(bot, here)  # once more, while it is being looked
    await looking
    assert here in unsure


async def test_where_the_store_fails_whoever_hears_of_something_answers(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = club.env.bot
    assert isinstance(bot, App)

    async def fails(*_: object) -> bool:
        raise DatabaseUnreachableError("it is away")

    monkeypatch.setattr(bot.interactions, "claim", fails)  # as if the server were away
    club.dice.red("crit")
    await club.attack(dice=1, agility=0)
    assert club.outcome == "Ana hits the defender: 1 crit."


@pytest.mark.parametrize("known", [True, False])
async def test_discord_tells_of_calls_only_where_the_host_wants_that(
    settings: Settings, known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "voice_calls", known)
    app = App(settings)
    assert (app.intents.voice_states, app.intents.guilds) == (known, True)


async def test_what_an_answer_needed_goes_with_it_and_waits_for_no_collector(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Circles of some hundred objects an answer stopped the bot for 10 ms whenever Python looked for them."""
    result, begin = list[weakref.ref[Answer]](), Answer.__init__

    def noted(answer: Answer, interaction: Interaction) -> None:
        begin(answer, interaction)
        result.append(weakref.ref(answer))

    monkeypatch.setattr(Answer, "__init__", noted)
    gc.collect()
    gc.disable()
    try:
        club.dice.will_show(3, 4)
        await club.ana.slash(club.channel, "roll", dice="2d6")
        club.dice.red("focus hit blank")
        club.dice.green("blank")
        await club.attack(dice=3, with_="focus", agility=1, opponent=club.bo)
        await club.ana.click(club.card, label="Done")
        await club.ana.slash(club.channel, "roll", dice="nonsense")
        await club.ana.slash(club.channel, "table show")
        left = [item() for item in result if item() is not None]
        assert not [(item, gc.get_referrers(item)) for item in left]
    finally:
        gc.enable()
    assert len(result) == 5
