"""What goes wrong on the wire: Discord closes for good, sends what cannot be read, or the log is told everything."""

import copy
from collections.abc import Iterator

import pytest

from tests.wire.interactions import COMMAND, COMPONENT, SUBMIT, Interaction
from tests.wire.process import BotProcess, until
from tests.wire.wire import PATIENT, ROLLCALL, TOKEN, Wire
from tests.wire.world import Json


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (4004, "Discord refused DISCORD_TOKEN"),
        (4010, "numbers of our shards"),
        (4011, "more servers than its shards"),
        (4013, "newest version"),
        (4014, "privileged"),
    ],
)
async def test_a_connection_that_is_closed_for_good_is_one_sentence(wire: Wire, code: int, words: str) -> None:
    wire.gateway.refuses = code
    settings = {"DISCORD_TOKEN": TOKEN, "DISCORD_API_URL": wire.url, "LOG_LEVEL": "error"}
    settings["DATABASE_URL"] = f"sqlite+aiosqlite:///{wire.folder}/rollcall.db"
    bot = await BotProcess.start(ROLLCALL, settings, wire.folder, wire.folder / "refused.log", forked=True)
    assert await bot.wait() == 2
    (sentence,) = bot.log().splitlines()
    assert words in sentence
    assert f"close code {code}" in sentence


def mutilated(event: Json) -> Iterator[Json]:
    """The event once without each of its fields, and without each field of its data."""
    for name in event:
        yield {key: value for key, value in event.items() if key != name}
        yield event | {name: None}
    for name in event["data"]:
        yield event | {"data": {key: value for key, value in event["data"].items() if key != name}}
        yield event | {"data": event["data"] | {name: None}}


async def test_an_interaction_that_lacks_a_field_ends_nobodys_process(wire: Wire) -> None:
    ana, *_ = wire.people
    bot = await wire.start_bot(PATIENT)
    card = (await wire.slash(ana, wire.channel, "xwing attack", dice=3)).shown

    def events() -> Iterator[tuple[Interaction, Json]]:
        command = wire.rest.commands.typed("xwing attack", {"dice": 3})
        press = {"custom_id": card.controls[0].custom_id, "component_type": 2, "id": 2}
        form = {"custom_id": card.controls[0].custom_id, "components": []}
        for kind, data in ((COMMAND, command), (COMPONENT, press), (SUBMIT, form)):
            source = None if kind == COMMAND else wire.interactions.messages[card.id]
            interaction = wire.interactions.open(kind, ana, wire.channel, source)
            yield interaction, wire.interactions.event(interaction, copy.deepcopy(data))

    sent = 0
    for _, event in events():
        for broken in mutilated(event):
            await wire.gateway.dispatch("INTERACTION_CREATE", broken)
            sent += 1
    assert sent > 60
    await wire.gateway.dispatch("INTERACTION_CREATE", {})
    await bot.logged("Discord sent an event that cannot be read: INTERACTION_CREATE")
    assert (await wire.slash(ana, wire.channel, "about")).text
    assert bot.running
    await bot.kill()
    wire.rest.refusals.clear()  # it may have answered what only lacked something else
    wire.rest.sent.clear()


async def test_a_ready_that_cannot_be_read_is_logged_and_the_bot_connects_again(wire: Wire) -> None:
    ana, *_ = wire.people
    wire.gateway.spoils += [
        lambda _: {},
        lambda ready: {name: value for name, value in ready.items() if name != "user"},
        lambda ready: ready | {"guilds": None},
    ]
    bot = await wire.start_bot(PATIENT)
    await wire.gateway.wait_heard("IDENTIFY", 4)
    assert (await wire.slash(ana, wire.channel, "about")).text
    assert bot.running
    assert bot.log().count("Discord sent what cannot be read; the shard connects again") == 3


async def test_no_log_holds_a_secret_not_even_with_everything(wire: Wire) -> None:
    ana, *_ = wire.people
    bot = await wire.start_bot(PATIENT, {"LOG_LEVEL": "debug"})
    opened = await wire.slash(ana, wire.channel, "xwing roll", red=2)
    await wire.press(ana, opened.shown, "Roll all again")
    await until(lambda: bot.log().count("/callback: 200") == 2)
    log = bot.log()
    assert not [secret for secret in (TOKEN, opened.token) if secret in log]
    assert "INSERT INTO" not in log
    assert "UPDATE session" not in log
