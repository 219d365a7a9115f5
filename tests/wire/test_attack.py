"""The real bot as a process of its own: killed, stopped, cut off and pressed twice at once, it loses no roll."""

import asyncio
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from tests.wire.interactions import Answer
from tests.wire.messages import Message
from tests.wire.process import PATIENCE, until
from tests.wire.wire import PATIENT, TOKEN, Wire, WireFaultError
from tests.wire.world import Person

DECLARED = {
    "dice": 3,
    "agility": 2,
    "with_": "set hit, add 1 crit, focus, lock",
    "against": "add 1 evade, focus, evade, reroll 1 green",
}
"""However the dice fall, both sides have something to decide: three hits, and at most two evades rolled."""
"""With a lock and a reroll neither side's window closes by itself, whatever falls."""


async def attack(wire: Wire, attacker: Person, defender: Person | None) -> Answer:
    return await wire.slash(attacker, wire.channel, "xwing attack", **DECLARED, opponent=defender)


@contextmanager
def busy_disk(wire: Wire) -> Iterator[None]:
    """Somebody else is writing to the database."""
    with closing(sqlite3.connect(wire.folder / "rollcall.db", isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")


def ply(message: Message) -> int:
    """The ply that the message's components speak of."""
    plies = {int(control.custom_id.split(":")[2]) for control in message.controls}
    assert len(plies) == 1
    return plies.pop()


async def rolled(wire: Wire, answer: Answer) -> str:
    """Which attack dice fell, as everybody may read behind How?."""
    told = await wire.press(wire.people[2], answer.shown, "How?")
    assert told.ephemeral
    return next(line for line in told.text.splitlines() if "Attack dice rolled" in line)


async def test_killed_between_two_windows_the_old_buttons_live_on(wire: Wire) -> None:
    ana, ben, *_ = wire.people
    bot = await wire.start_bot(PATIENT)
    opened = await attack(wire, ana, ben)
    assert await bot.kill() == -9

    bot = await wire.start_bot(PATIENT)
    passed = await wire.press(ana, opened.shown, "Done")
    assert passed.is_update
    assert passed.shown.id == opened.shown.id
    assert await rolled(wire, passed) == await rolled(wire, opened)
    assert "Ben's turn" in passed.text
    assert passed.shown.attachments[0].data.startswith(b"\x89PNG")

    await bot.kill()
    await wire.start_bot(PATIENT)
    over = await wire.press(ben, passed.shown, "Done")
    assert await rolled(wire, over) == await rolled(wire, opened)
    assert not over.shown.choices
    assert wire.rest.commands.registrations == 1, "unchanged commands are not registered again"


@pytest.mark.both
async def test_an_answer_lost_in_a_crash_is_healed_by_the_next_press(wire: Wire) -> None:
    ana, ben, *_ = wire.people
    bot = await wire.start_bot(PATIENT)
    opened = await attack(wire, ana, ben)
    wire.interactions.seconds_to_answer = 0.0
    pressing = asyncio.ensure_future(wire.press(ana, opened.shown, "Done"))
    await until(lambda: bool(wire.rest.refusals))
    assert not pressing.done()
    pressing.cancel()
    lost = wire.rest.refusals[0]
    await bot.kill()

    wire.interactions.seconds_to_answer = PATIENCE
    await wire.start_bot(PATIENT)
    healed = await wire.press(ana, opened.shown, "Done")
    assert ply(healed.shown) == 1
    assert "Ben's turn" in healed.text
    assert (await wire.follow_up(healed)).ephemeral
    # The answer was to be lost, and so was the sentence that the first bot may still have tried before it was killed.
    wire.rest.refusals = [refusal for refusal in wire.rest.refusals if refusal != lost]


async def test_told_to_stop_it_answers_what_is_open_and_leaves_cleanly(wire: Wire) -> None:
    ana, ben, *_ = wire.people
    bot = await wire.start_bot(PATIENT, {"LOG_LEVEL": "debug"})
    opened = await attack(wire, ana, ben)
    with busy_disk(wire):
        pressed = asyncio.ensure_future(wire.press(ana, opened.shown, "Done"))
        await bot.logged("Dispatching event interaction")
        stopped = asyncio.ensure_future(bot.terminate())
        await bot.logged("answering 1 open interactions before stopping")
        assert not pressed.done()
        assert not stopped.done()
    answer = await pressed
    assert "Ben's turn" in answer.text
    assert await stopped == 0
    assert "Traceback" not in bot.log()

    await wire.start_bot(PATIENT)
    assert (await wire.press(ben, answer.shown, "Done")).is_update


async def test_a_locked_database_is_a_sentence_and_the_button_still_counts(wire: Wire) -> None:
    ana, ben, *_ = wire.people
    bot = await wire.start_bot()
    opened = await attack(wire, ana, ben)
    with busy_disk(wire):
        refused = await wire.press(ana, opened.shown, "Done")
    assert refused.ephemeral
    assert "try again" in refused.text
    assert "locked" in bot.log()
    assert "Traceback" not in bot.log()
    assert "Ben's turn" in (await wire.press(ana, opened.shown, "Done")).text


async def test_a_dropped_gateway_is_resumed_and_the_press_made_meanwhile_counts(wire: Wire) -> None:
    ana, ben, *_ = wire.people
    await wire.start_bot(PATIENT)
    opened = await attack(wire, ana, ben)
    await wire.drop()
    passed = await wire.press(ana, opened.shown, "Done")
    await wire.gateway.wait_heard("RESUME")
    assert not (await wire.press(ben, passed.shown, "Done")).shown.choices
    assert wire.gateway.heard == ["IDENTIFY", "RESUME"]


async def test_a_lost_session_starts_anew_at_the_gateway_of_the_api_url(wire: Wire) -> None:
    ana, ben, *_ = wire.people
    await wire.start_bot(PATIENT)
    opened = await attack(wire, ana, ben)
    await wire.drop(lose_sessions=True)
    await wire.gateway.wait_heard("IDENTIFY", 2)
    assert "Ben's turn" in (await wire.press(ana, opened.shown, "Done")).text


@pytest.mark.both
async def test_of_two_presses_at_the_same_moment_one_counts(wire: Wire) -> None:
    ana, ben, cleo, _ = wire.people
    await wire.start_bot(PATIENT)
    passed = await wire.press(ana, (await attack(wire, ana, None)).shown, "Done")
    both = await asyncio.gather(
        wire.press(ben, passed.shown, "Done"),
        wire.press(cleo, passed.shown, "Done"),
    )
    late = [person for person, answer in zip((ben, cleo), both, strict=True) if answer.ephemeral]
    if not late:  # it came before the card was being changed: the card is drawn for both, and one is told after it
        told = {asyncio.ensure_future(wire.follow_up(answer)): answer for answer in both}
        done, waiting = await asyncio.wait(told, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        for task in waiting:
            task.cancel()
        assert all(task.result().ephemeral for task in done)
        late = [ben if told[task] is both[0] else cleo for task in done]
    (loser,) = late
    winner = "Ben" if loser is cleo else "Cleo"
    assert re.search(rf"Ana (hits|misses|destroys) {winner}\b", wire.now(passed.shown).text)
    assert not wire.now(passed.shown).choices


@pytest.mark.both
async def test_many_presses_at_once_move_the_attack_by_one_ply(wire: Wire) -> None:
    ana, ben, *_ = wire.people
    await wire.start_bot(PATIENT)
    opened = await attack(wire, ana, ben)
    answers = await asyncio.gather(*(wire.press(ana, opened.shown, "Done") for _ in range(20)))
    assert {ply(answer.shown) for answer in answers if not answer.ephemeral} == {1}
    assert ply(wire.now(opened.shown)) == 1
    assert wire.rows("SELECT count(*) FROM ply") == [(2,)]


async def test_a_form_opened_before_a_restart_counts_after_it(wire: Wire) -> None:
    ana, ben, *_ = wire.people
    bot = await wire.start_bot(PATIENT)
    opened = await wire.slash(ana, wire.channel, "xwing attack", dice=3, opponent=ben)
    button = next(label for label in opened.shown.buttons if label.startswith("Defend"))
    form = (await wire.press(ben, opened.shown, button)).modal
    assert await bot.kill() == -9

    await wire.start_bot(PATIENT)
    agility, *_ = form.entries
    answer = await wire.submit(ben, form, {agility.label: "2"})
    assert answer.is_update
    assert answer.shown.id == opened.shown.id
    assert "Attack dice rolled" in await rolled(wire, answer)


async def test_a_wrong_token_is_one_sentence(wire: Wire) -> None:
    with pytest.raises(WireFaultError) as caught:
        await wire.start_bot(env={"DISCORD_TOKEN": "not.the.token", "LOG_LEVEL": "error"})
    _, *said = str(caught.value).splitlines()
    assert len(said) == 1
    assert "DISCORD_TOKEN" in said[0]
    assert "not.the.token" not in said[0]


async def test_the_token_is_in_no_log(wire: Wire) -> None:
    ana, ben, *_ = wire.people
    bot = await wire.start_bot(PATIENT, {"LOG_LEVEL": "debug"})
    await wire.press(ana, (await attack(wire, ana, ben)).shown, "Done")
    await bot.terminate()
    assert "DEBUG" in bot.log()
    assert TOKEN not in bot.log()
