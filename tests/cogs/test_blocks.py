"""Whom the operator blocks gets nothing from any door but a sentence that says whom to ask; they keep their data."""

import json
from collections.abc import Iterator
from typing import Any, Final

import discord
import pytest
import simcord
from simcord.enums import InteractionType

from bot.sessions.roll import Address
from bot.store import blocks
from bot.store.blocks import PERSON, SERVER, AccessBlock
from bot.ui.core.components import AnswerAddress, At, write
from bot.ui.core.request_context import FOR_EVERYONE
from bot.ui.dispatch.router import ON_CARDS, ROUTES
from bot.ui.live import live_page
from cogs.help import slashes
from tests.cogs.test_access import Events, over
from tests.cogs.test_activity import Call, call  # noqa: F401 - a fixture
from tests.cogs.test_privacy import exported, forget
from tests.cogs.test_screen import Stream, app_of, link, sit
from tests.conftest import Club, said
from tests.crawler import rows_of
from tests.ui.test_address import ON_CARDS as EXAMPLES

SUB: Final = (1, 2)
"""Types of a command in a group, and of a group in a group."""
REASON: Final = "spam in three servers"
ASK: Final = "contact `https://help.example.org`"
KINDS: Final = (PERSON, SERVER)


async def block(club: Club, kind: str = PERSON, until: int | None = None) -> None:
    """AccessBlock Bo, or the server."""
    app = app_of(club)
    app.addresses = app.addresses._replace(support="https://help.example.org")
    number = club.bo.id if kind == PERSON else club.guild.id
    await app.open_database().run(blocks.store_block, AccessBlock(kind, number, REASON, 1, until))
    await app.blocks.read()


async def lift(club: Club, kind: str) -> None:
    app = app_of(club)
    number = club.bo.id if kind == PERSON else club.guild.id
    assert await app.open_database().run(blocks.lift, kind, number)
    await app.blocks.read()


def paths(options: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """The parts of a command that can be run, without any option."""
    inside = [item for item in options if item["type"] in SUB]
    for item in inside:
        for rest in paths(item.get("options", [])):
            yield [{"type": item["type"], "name": item["name"], "options": rest}]
    if not inside:
        yield []


def commands(club: Club) -> Iterator[dict[str, Any]]:
    """What Discord sends for each command, message menu and launch, as little as can be of it."""
    tree = app_of(club).tree
    for command in tree.get_commands():
        registered = command.to_dict(tree)
        for options in paths(registered.get("options", [])):
            yield {"id": "1", "name": command.name, "type": registered.get("type", 1), "options": options}


def presses() -> Iterator[At]:
    """One id for each line of the tables of presses, and for a choice."""
    examples = {type(at): at for at in EXAMPLES.values()}
    for route in ROUTES:
        yield examples[route] if isinstance(route, type) else route
    for key in ("focus", *ON_CARDS):
        yield Address(1, 0, f"{key}1" if key.endswith("-") else key)


def public(club: Club) -> list[int]:
    """The messages of the channel that everybody sees."""
    return [key for key, item in club.env.backend.messages[club.channel.id].items() if item.visible_to(None)]


async def send(club: Club, kind: InteractionType, data: dict[str, Any]) -> Any:
    return await club.bo._dispatch_interaction(kind, club.channel, data)


@pytest.mark.parametrize("kind", KINDS)
async def test_every_door_is_closed_and_says_whom_to_ask(club: Club, kind: str) -> None:
    await sit(club)
    card = club.card
    role = club.guild.create_role("Admin", permissions=discord.Permissions(manage_guild=True, manage_channels=True))
    club.env.backend.add_member_role(club.guild.id, club.bo.id, role.id)  # who may do everything
    await block(club, kind)
    before = public(club)
    every = list(commands(club))
    assert len(every) > 60, "all commands, with those of groups"
    open_to_all = []
    for data in every:
        result = await send(club, InteractionType.APPLICATION_COMMAND, data)
        if data["name"] == FOR_EVERYONE:
            open_to_all.append(data["options"][0]["name"])
        else:
            assert_refused(result, str(data))
    assert sorted(open_to_all) == ["export", "forget"]
    suggesting = [
        (command.qualified_name, option.display_name)
        for command in slashes(app_of(club))
        for option in command.parameters
        if option.autocomplete
    ]
    assert len(suggesting) > 20
    for name, option in suggesting:
        assert not await club.bo.autocomplete(club.channel, name, option, ""), (name, option)
    for at in presses():
        for result in (
            await club.press(club.bo, write(at), on=card),
            await club.submit(club.bo, write(at), {"a": "1"}),
        ):
            if not (isinstance(at, AnswerAddress) and at.subject == FOR_EVERYONE):
                assert_refused(result, write(at))
    assert public(club) == before, "nobody else reads of it"
    await lift(club, kind)
    club.dice.will_show(3)
    await club.bo.slash(club.channel, "roll", dice="1d6")
    assert len(public(club)) == len(before) + 1


def assert_refused(result: Any, what: str) -> None:
    shown = said(result)
    assert "has blocked" in shown, f"{what}: {shown}"
    assert REASON in shown
    assert ASK in shown
    assert result.response is not None
    assert result.response.ephemeral
    links = [part["url"] for row in rows_of(result.response) for part in row["components"] if "url" in part]
    assert links == ["https://help.example.org"]


@pytest.mark.parametrize("kind", KINDS)
async def test_a_frame_a_live_page_and_a_link_end(call: Call, kind: str) -> None:  # noqa: F811 - a fixture
    club, app = call.club, app_of(call.club)
    await sit(club)
    await club.bo.slash(club.channel, "xwing ship add", name="Vader", attack=3, agility=2, hull=4)
    address = await link(club, club.bo)
    page = Stream(call.http, address)
    await page.says("Vader")
    status, result, frame = await call.join(club.bo)
    assert status == 200, result
    stream = Events(frame)
    await stream.says("data: ")
    await block(club, kind)
    for _ in range(2):
        await live_page.send_heartbeat(app)
    for item in (page, stream):
        await over(item)
    async with call.http.get(address) as answer:
        assert answer.status == 404
    asked = (await frame.own(), await frame.choose("ready", game="xwing"), (await call.join(club.bo))[:2])
    assert [status for status, _ in asked] == [403, 403, 403]
    refused = asked[-1][1]["refused"]
    assert "has blocked" in refused
    assert REASON in refused
    assert ASK in refused


async def test_a_block_outlives_the_request_to_be_forgotten_and_is_exported(club: Club) -> None:
    await sit(club)
    await block(club, until=4_000_000_000)
    told = (await exported(club, club.bo))["blocks"]
    assert told == [{"at": "1970-01-01T00:00:01+00:00", "until": "2096-10-02T07:06:40+00:00", "reason": REASON}]
    await forget(club, club.bo)
    assert (await exported(club, club.bo))["blocks"] == told
    assert "until 2096-10-02" in said(await club.bo.slash(club.channel, "roll", dice="1d6"))
    assert (await exported(club, club.ana))["blocks"] == []
    assert "until" in json.dumps(told)


async def test_no_welcome_in_a_blocked_server(club: Club) -> None:
    app = app_of(club)
    app.settings = app.settings.model_copy(update={"welcome": True})
    await block(club, SERVER)
    guild = app.get_guild(club.guild.id)
    assert isinstance(guild, discord.Guild)
    before = len(club.env.http_requests)
    await app.on_guild_join(guild)
    assert len(club.env.http_requests) == before
    assert isinstance(club.bo, simcord.MemberActor)
