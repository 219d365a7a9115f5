"""`python -m bot play` in this process: what an action on its pages waits for, and what is there after a restart."""

import asyncio
import random
import shutil
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

pytest.importorskip("simcord.preview", reason="needs simcord: pip install 'rollcall[play]'")

from bot.cli import play
from bot.runtime.app import App

PRESSES: Final = 60
NEWEST: Final = 4
"""Messages at the end of a channel on which somebody presses."""
BUTTON, LIST, TEXT, RADIO, CHECKBOXES = 2, 3, 4, 21, 22
LINK: Final = 5
LATE: Final = 3.5
"""Seconds, more than the three in which Discord wants to hear something."""
COMMANDS: Final = ("4d6", "2d20kh1+5 vs 15", "6d10>=7")


@asynccontextmanager
async def table(folder: Path, monkeypatch: pytest.MonkeyPatch, seed: int = 0) -> AsyncIterator[play.RunningGame]:
    """A game whose dice fall by a seed."""
    dice = random.Random(seed)
    monkeypatch.setattr("bot.discord_api.discordpy_patches.follow_wall_clock", lambda _: None)
    monkeypatch.setattr("simcord.preview._snapshot.HISTORY_WINDOW_SIZE", NEWEST)  # to draw up all takes a second
    monkeypatch.setattr(play, "App", partial(App, rng=lambda sides: dice.randrange(sides)))
    async with play.run_game(0, folder / "play.db") as running_game:
        yield running_game


@dataclass
class Hand:
    """Somebody at an open page: every action is sent once, and has to be done."""

    preview: Any
    page: Any = field(init=False)

    def __post_init__(self) -> None:
        self.page = self.preview._open_page(self.preview.viewers[0].id, None)

    async def act(self, kind: str, **more: Any) -> dict[str, Any]:
        number = self.page.last_sequence + 1
        receipt: dict[str, Any] = await self.preview._action(
            self.page.id,
            {
                "protocol_version": 3,
                "sequence": number,
                "request_id": f"r{number}",
                "generation": self.page.generation,
                "bot_generation": self.preview.env._generation,
                "kind": kind,
                "published_revision": self.page.revision,
                **more,
            },
        )
        assert (receipt["rejected"], receipt["settlement"]) == (False, "settled"), (kind, more, receipt)
        assert receipt["acknowledgement"] in ("acknowledged", "not_applicable"), (kind, more, receipt)
        return receipt

    async def type(self, command: str, **options: str) -> dict[str, Any]:
        entry = next(item for item in self.page.command_catalog["entries"] if item["path"] == command.split())
        return await self.act(
            "run_command",
            command_id=entry["commandId"],
            path=entry["path"],
            schema_fingerprint=entry["schemaFingerprint"],
            options=options,
        )

    def messages(self) -> list[dict[str, Any]]:
        shown = self.page.snapshot
        return [shown["messages"][str(item)] for item in shown["timeline"]]

    def controls(self) -> list[dict[str, Any]]:
        """What could be pressed on the newest messages, each as the action that presses it."""
        return [
            {"target_id": message["id"], "control_key": part["control_key"], **how}
            for message in self.messages()
            for part in parts(message.get("components") or [])
            if not part.get("disabled") and (how := pressed(part)) is not None
        ]

    async def press(self, label: str) -> dict[str, Any]:
        """Press the button of this label on the newest message that has one."""
        result = [
            {"target_id": message["id"], "control_key": part["control_key"]}
            for message in self.messages()
            for part in parts(message.get("components") or [])
            if part.get("label") == label
        ]
        return await self.act("click", **result[-1])

    async def fill(self) -> None:
        """Send the form that is open, with what stands in it, and something where nothing does."""
        filled = {
            part["custom_id"]: answer for part in parts([self.page.modal._interaction.modal]) for answer in said(part)
        }
        await self.act("modal_submit", modal_handle=self.page.modal_handle, values=filled)


def parts(inside: Any) -> Iterator[dict[str, Any]]:
    """Everything in a message or form that has an id."""
    for item in inside if isinstance(inside, list) else [inside]:
        if isinstance(item, dict):
            if "custom_id" in item and "type" in item:
                yield item
            for below in ("components", "component", "accessory"):
                yield from parts(item.get(below) or [])


def pressed(item: dict[str, Any]) -> dict[str, Any] | None:
    if item["type"] == BUTTON and item.get("style") != LINK:
        return {"kind": "click"}
    if item["type"] == LIST:
        return {
            "kind": "select",
            "values": [choice["value"] for choice in item["options"][: item.get("min_values", 1) or 1]],
        }
    return None


def said(item: dict[str, Any]) -> Iterator[Any]:
    if item["type"] == TEXT:
        yield item.get("value") or "2"
    elif item["type"] in (LIST, RADIO, CHECKBOXES):
        taken = [each["value"] for each in item["options"] if each.get("default")] or [item["options"][0]["value"]]
        yield taken[0] if item["type"] == RADIO else taken


def left_over(env: Any) -> list[str]:
    """All work of the bot that simcord would wait for at the next action."""
    timers = [callback.label for callback in env._work.callbacks if not callback.handle.cancelled()]
    return [*timers, *(item.label for task, item in env._work.tasks.items() if not task.done()), *env._work.executors]


async def test_presses_wait_for_no_timer_and_none_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted by what was waited for: a timer that fires while somebody waits moves simcord's clock."""
    picks = random.Random(20)
    async with table(tmp_path, monkeypatch) as running_game:
        assert left_over(running_game.env) == []
        hands = [Hand(page) for page in running_game.pages.values()]
        began = running_game.env._virtual_time
        for number in range(PRESSES):
            hand = hands[number % len(hands)]
            if hand.page.modal is not None:
                await hand.fill()
            elif number % 9 == 0 or not (there := hand.controls()):
                await hand.type("roll", dice=picks.choice(COMMANDS))
            else:
                how = picks.choice(there)
                await hand.act(how.pop("kind"), **how)
            assert left_over(running_game.env) == [], "the next action would wait for it"
            assert running_game.env._virtual_time == began, "somebody waited for a timer"


async def test_an_answer_that_takes_longer_than_discord_waits_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when odds wait for a worker on a busy machine: the bot says in time that it is thinking."""
    async with play.run_game(0, tmp_path / "play.db") as running_game:
        hand = Hand(running_game.pages["xwing"])
        sessions = running_game.app.sessions
        at_once = sessions.open

        async def later(*given: Any, **more: Any) -> Any:
            await asyncio.get_running_loop().run_in_executor(None, time.sleep, LATE)
            return await at_once(*given, **more)

        monkeypatch.setattr(sessions, "open", later)
        await hand.type("roll", dice="4d6")


async def test_a_press_on_a_machine_that_stands_still_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing runs for longer than Discord waits, not even the timer that says that the bot is thinking."""
    async with table(tmp_path, monkeypatch) as running_game:
        hand, sessions, clock = (
            Hand(running_game.pages["xwing"]),
            running_game.app.sessions,
            running_game.env.backend.clock,
        )
        at_once, now = sessions.open, clock.now

        async def after_a_standstill(*given: Any, **more: Any) -> Any:
            monkeypatch.setattr(clock, "now", lambda: now() + timedelta(minutes=1))
            return await at_once(*given, **more)

        monkeypatch.setattr(sessions, "open", after_a_standstill)
        await hand.type("roll", dice="4d6")
        assert titles(hand)[-1].startswith("Ana rolls")


def titles(hand: Hand) -> list[str]:
    """The headlines of all cards of the channel, oldest first."""
    return [embed["title"] for message in hand.messages() for embed in message["embeds"] if embed.get("title")]


async def test_after_a_kill_the_page_has_the_last_cards_again_and_their_buttons_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed = tmp_path / "killed"
    async with table(tmp_path, monkeypatch) as running_game:
        ana = Hand(running_game.pages["xwing"])
        assert len(titles(ana)) == 1, "the board alone"
        await ana.type("roll", dice="4d6")
        await ana.type("xwing roll", red="3")
        await ana.press("Add a red die")
        before = titles(ana)
        shutil.copytree(tmp_path, killed)  # the database as a kill leaves it
    assert len(before) == 3
    async with table(killed, monkeypatch) as again:
        ana = Hand(again.pages["xwing"])
        assert titles(ana)[1:] == before[1:]
        dice = ana.messages()[-1]
        await ana.press("Add a red die")
        assert titles(ana)[:-1] == before[:-1], "on the card that is there, and no lost card comes besides"
        assert len(ana.messages()) == 3
        assert ana.messages()[-1]["id"] == dice["id"]
        assert len(titles(Hand(again.pages["infinity"]))) == 1, "its board"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "localhost"}, 200),
        ({"Host": "[::1]:8766"}, 200),
        ({"Origin": "http://localhost:3333"}, 200),
        ({"Host": "rebound.example"}, 403),
        ({"Host": "127.0.0.1.rebound.example:8766"}, 403),
        ({"Host": ""}, 403),
        ({"Host": "[broken"}, 403),
        ({"Origin": "https://rebound.example"}, 403),
        ({"Origin": "null"}, 403),
    ],
)
async def test_the_pages_beside_the_table_answer_this_machine_alone(headers: dict[str, str], status: int) -> None:
    """A page of the web may have a name that leads here (DNS rebinding), and say a code that nobody checks."""

    async def call(_: web.Request) -> web.Response:
        return web.Response(text="the call")

    site = web.Application(middlewares=[play.loopback_only])
    site.router.add_get("/call", call)
    async with (
        TestServer(site) as server,
        aiohttp.ClientSession() as web_page,
        web_page.get(server.make_url("/call"), headers=headers) as answer,
    ):
        assert answer.status == status


async def test_every_page_that_play_serves_looks_at_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with table(tmp_path, monkeypatch) as running_game, aiohttp.ClientSession() as web_page:
        for address in (f"{running_game.screen}/call", *(page.url for page in running_game.pages.values())):
            for headers, is_served in (({}, True), ({"Host": "rebound.example"}, False)):
                async with web_page.get(address, headers=headers) as answer:
                    assert (answer.status == 200) is is_served, address
