"""Which requests of the bot count against Discord's limit for the whole bot, and which do not."""

import asyncio
import json
from functools import partial
from typing import Final

import pytest

from tests.wire.forms import Form
from tests.wire.messages import Message
from tests.wire.process import until
from tests.wire.wire import PATIENT, Wire
from tests.wire.world import Person

COUNTED: Final = ("benchmarks.counted_bot",)
MAX_STEPS: Final = 12
EDITED: Final = 1.0
"""Seconds in which a board is edited after a change, if it is edited at all."""


def edits(wire: Wire) -> list[str]:
    """How messages were edited: as an answer (webhooks), or by the bot (channels)."""
    return [item.path.split("/")[1] for item in wire.rest.sent if item.method == "PATCH"]


def shows(wire: Wire, board: Message, name: str) -> bool:
    return name in wire.now(board).text


async def test_a_board_is_edited_as_the_answer_that_it_is_and_by_the_bot_when_that_is_over(wire: Wire) -> None:
    ana, *_ = wire.people
    bot = await wire.start_bot(PATIENT)
    board = (await wire.slash(ana, wire.channel, "table show")).shown
    for name in ("Luke", "Wedge"):
        await wire.slash(ana, wire.channel, "xwing ship add", name=name, hull=4)
        await until(partial(shows, wire, board, name))
    assert set(edits(wire)) == {"webhooks"}
    await bot.kill()

    await wire.start_bot(PATIENT)
    wire.rest.sent.clear()
    await wire.slash(ana, wire.channel, "xwing ship add", name="Vader", hull=4)
    await until(partial(shows, wire, board, "Vader"))
    assert edits(wire) == ["channels"], "nobody knows the answer any more that it was"
    await wire.press(ana, wire.now(board), "Focus")
    wire.rest.sent.clear()
    await wire.slash(ana, wire.channel, "xwing ship add", name="Biggs", hull=4)
    await until(partial(shows, wire, board, "Biggs"))
    assert edits(wire) == ["webhooks"], "it is the answer to the press"


def first_of_each(form: Form) -> dict[str, str | list[str]]:
    """The first value of everything that a form must be told."""
    return {entry.custom_id: [entry.options[0][1]] for entry in form.entries if entry.required}


async def done(wire: Wire, message: Message, *people: Person) -> None:
    """Press what a card offers, until it offers nothing more."""
    for _ in range(MAX_STEPS):
        if not (offered := wire.now(message).choices):
            return
        control = next((item for item in offered if item.label == "Done"), offered[0])
        values = [value for _, value in control.options][: control.least] or None
        for who in people:
            if not (await wire.click(who, wire.now(message), control.custom_id, values=values)).ephemeral:
                break
    raise AssertionError(f"it does not end: {wire.now(message).buttons}")


@pytest.mark.parametrize(("tokens", "most"), [("", 0), ("old", 1)])
async def test_an_attack_an_order_and_a_press_on_a_board_send_nothing_that_counts(
    wire: Wire, tokens: str, most: int
) -> None:
    """Where tokens are older than 15 minutes, the board is edited once after all of it, and not after each press."""
    ana, ben, *_ = wire.people
    bot = await wire.start_bot(COUNTED, {"HURRY": "1", "OLD_TOKENS": tokens})
    await bot.logged("emoji of dice:")
    for who, pilot in ((ana, "lukeskywalker"), (ben, "darthvader")):
        await wire.slash(who, wire.channel, "xwing squad", text=json.dumps({"pilots": [{"id": pilot}]}))
    board = (await wire.slash(ana, wire.channel, "table show")).shown
    for _ in range(3):
        await wire.slash(ana, wire.channel, "xwing phase")
    counted = wire.rest.limit.paths
    counted.clear()
    await wire.press(ben, wire.now(board), "Focus")
    await wire.press(ana, wire.now(board), "Focus")
    assert counted == [], "a press on the board is answered by the board"
    form = (await wire.press(ben, wire.now(board), "Attack")).modal
    first = (await wire.submit(ben, form, first_of_each(form))).shown
    await done(wire, first, ana, ben)
    form = (await wire.press(ana, wire.now(first), "Next: Luke Skywalker attacks")).modal
    await done(wire, (await wire.submit(ana, form, first_of_each(form))).shown, ana, ben)
    order = await wire.slash(ana, wire.channel, "infinity order", text="Angus 12 b2 vs Ortega 11")
    await wire.press(ana, order.shown, "How?")
    await asyncio.sleep(EDITED)
    assert len(counted) <= most, counted
