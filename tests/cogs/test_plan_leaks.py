"""Nobody learns a plan before it is revealed.

Two evenings whose plans differ are the same for everybody else, byte for byte, but for the digits of the commitment.

``-m long`` plays two hundred of them.
"""

import io
import json
import logging
import random
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import discord
import pytest

from bot import logging_setup
from bot.metrics import REGISTRY
from bot.rules.xwing.cards.cards import pilot_ship
from bot.rules.xwing.table.dials import dial_of
from bot.rules.xwing.table.ship import from_card
from bot.runtime.app import App
from bot.sessions.request import Place
from bot.ui.live.replay import AnnotatedMatch, json_of, page_of
from tests.cogs.rulesets import choose
from tests.cogs.test_plans import plan
from tests.cogs.test_secret_leaks import ASKED, copied, opened, seen, told, world
from tests.cogs.test_xwing_board import ANA, BO, board
from tests.conftest import Club

PILOTS: Final = {"Luke Skywalker": "lukeskywalker", "Blue Squadron Escort": "bluesquadronescort"}
DIGITS: Final = re.compile(r"\b[0-9a-f]{64}\b|(?<=ealed, )[0-9a-f]{4}\b")
ASKED_HERE: Final = {**ASKED, "table plan": {}, "xwing engage": {}}
REFERENCE: Final[dict[str, str]] = {}


def plan_of(seed: int) -> dict[str, str]:
    """A maneuver for each of Ana's ships."""
    chance = random.Random(seed)
    return {name: chance.choice(dial_of(from_card(pilot_ship(pilot), 1))).code for name, pilot in PILOTS.items()}


@contextmanager
def debug_log() -> Iterator[io.StringIO]:
    """Everything that the bot logs at its most talkative."""
    root, stream = logging.getLogger(), io.StringIO()
    kept, level = list(root.handlers), root.level
    levels = {name: logging.getLogger(name).level for name in ("alembic", "aiosqlite", "sqlalchemy", "discord")}
    logging_setup.configure("debug")
    handler = logging.StreamHandler(stream)
    root.handlers[:] = [handler]
    try:
        yield stream
    finally:
        root.handlers[:] = kept
        root.setLevel(level)
        for name, was in levels.items():
            logging.getLogger(name).setLevel(was)


def without_times(text: str) -> str:
    """The same without what differs between any two evenings: seconds that something took, digits of commitments."""
    text = re.sub(r"\d+(\.\d+)? ?(ms|seconds|s)\b", "so long", text)
    return DIGITS.sub("(a commitment)", text)


def public_requests(club: Club, since: int) -> list[Any]:
    """What the bot sent to Discord: its path and content; of what is for one person alone only the path."""
    result = []
    for request in club.env.http_requests[since:]:
        body: Mapping[str, Any] = request.json or {}
        data = body.get("data", body) or {}
        is_private = bool(int(data.get("flags") or 0) & 64) or body.get("type") == 9  # a form
        path = re.sub(r"simcord_interaction_\d+", "(token)", request.path)
        result.append((request.method, path, "for one person" if is_private else data))
    return result


def metrics() -> str:
    """What the metrics count, but for seconds."""
    lines = []
    for family in REGISTRY.collect():
        lines += [
            f"{sample.name} {sorted(sample.labels.items())}"
            for sample in family.samples
            if family.name.startswith("rollcall") and not sample.name.endswith("_created")
        ]
    return "\n".join(lines)


async def learned(club: Club, chosen: Mapping[str, str]) -> dict[str, str]:
    """What everybody else learns while Ana plans, is ready, and Bo and Cleo try all that they can."""
    gm = club.guild.add_member(
        club.env.create_user("gil", global_name="Gil"),
        roles=[club.guild.create_role("GM", permissions=discord.Permissions(manage_channels=True))],
    )
    watching = (club.bo, club.cleo, gm)
    results = club.guild.create_text_channel("results")
    await choose(club, gm, "log_channel", f"<#{results.id}>")
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(ANA), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(BO))
    page, sent = await opened(club), len(club.env.http_requests)
    await plan(club, club.ana, dict(chosen), ready="later")
    result = {"while she plans": "\n".join([await seen(club, one) for one in watching])}
    await plan(club, club.ana, dict(chosen))
    await copied(club)
    result["the channel"] = "\n".join([await seen(club, one) for one in watching])
    for asked, more in ASKED_HERE.items():
        if asked in ("table undo", "table clear", "table plan"):
            continue
        for one in watching:
            await one.slash(club.channel, asked, **more)
        result[asked] = "\n".join([await seen(club, one) for one in watching])
    await club.bo.slash(club.channel, "table plan")
    for offer in ("reveal", "reveal-other", "rule-dial", "look", "plan", "dials-on"):
        shown = board(club)
        (at,) = {getattr(item, "custom_id", "").rsplit(":", 2)[1] for item in of_message(shown)} & {"plan"} or {"plan"}
        made_up = next(getattr(item, "custom_id", "") for item in of_message(shown) if ":plan:" in item.custom_id)
        for one in watching:
            await club.press(one, made_up.replace(f":{at}:", f":{offer}:"), on=shown)
    for what in ("form", "ready", "anyway"):
        for one in watching:
            await club.press(one, f"rc1:plan:xwing:{what}", on=board(club))
    result["made-up presses"] = "\n".join([await seen(club, one) for one in watching])
    result["requests"] = without_times(repr(public_requests(club, sent)))
    result["the live page"] = re.sub(r"(?m)^id: [0-9a-f]+-", "id: ", page.text)
    app = club.env.bot
    assert isinstance(app, App)
    match = AnnotatedMatch(await app.matches.replay(Place(club.channel.id, club.guild.id), 1), {})
    result["the replay"] = repr((page_of(match), json_of(match)))
    result["exports of others"] = "".join(
        [json.dumps([record async for record in app.people.records(by.id)]) for by in (club.bo, club.cleo)]
    )
    result["the log channel"] = "\n".join([await told(one) for one in results.history()])
    result["metrics"] = metrics()
    await club.restart()
    for one in watching:
        await one.slash(club.channel, "table show")
    result["after a restart"] = "\n".join([await seen(club, one) for one in watching])
    return {name: without_times(text) for name, text in result.items()}


def of_message(message: discord.Message) -> list[Any]:
    return [item for row in message.components for item in getattr(row, "children", ()) if item.custom_id]


async def evening(folder: Path, migrated: Path, seed: int) -> dict[str, str]:
    with pytest.MonkeyPatch.context() as patch, debug_log() as log:
        async with world(folder, migrated, patch) as club:
            result = await learned(club, plan_of(seed))
            kept = sqlite3.connect(club.file)
            tables = ("ply", "piece", "session", "seal_ply", "shown")
            rows = [kept.execute(f"SELECT * FROM {table}").fetchall() for table in tables]  # noqa: S608 - our words
            kept.close()
            result["every table but that of plans"] = without_times(repr(rows))
        result["the log at debug"] = without_times(log.getvalue())
    return result


async def compared(tmp_path: Path, migrated: Path, seeds: range) -> None:
    if not REFERENCE:
        with pytest.MonkeyPatch.context() as patch:
            (tmp_path / "first").mkdir()
            async with world(tmp_path / "first", migrated, patch):
                pass  # the first Discord of a process registers the commands, and its ids begin later
        (tmp_path / "reference").mkdir()
        REFERENCE.update(await evening(tmp_path / "reference", migrated, 0))
    others = [seed for seed in seeds if plan_of(seed) != plan_of(0)]
    assert others
    for seed in others:
        (tmp_path / str(seed)).mkdir()
        result = await evening(tmp_path / str(seed), migrated, seed)
        assert result.keys() == REFERENCE.keys()
        differ = [name for name in result if result[name] != REFERENCE[name]]
        assert differ == [], (seed, plan_of(seed))


async def test_nobody_learns_a_plan(tmp_path: Path, migrated: Path) -> None:
    await compared(tmp_path, migrated, range(1, 2))  # of both ships: another speed, bearing and difficulty
    for words in ("Koiogran", "bank left", "turn right", "3FB"):
        told_in = [name for name, text in REFERENCE.items() if words in text]
        assert told_in == [], words


@pytest.mark.long
async def test_nobody_learns_any_of_two_hundred_plans(tmp_path: Path, migrated: Path) -> None:
    await compared(tmp_path, migrated, range(1, 201))
