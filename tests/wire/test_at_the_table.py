"""Saved rolls, the turn order, secret rolls and the log channel with a bot that is killed in between."""

import re

from tests.wire.messages import Message
from tests.wire.process import until
from tests.wire.wire import PATIENT, Wire
from tests.wire.world import VOICE


def logged(wire: Wire) -> list[Message]:
    """What stands in the log channel, the oldest first."""
    result = [message for message in wire.interactions.messages.values() if message.channel.id == VOICE.id]
    return sorted(result, key=lambda item: item.id)


async def test_the_buttons_of_saved_rolls_live_on(wire: Wire) -> None:
    ana, ben, *_ = wire.people
    bot = await wire.start_bot(PATIENT)
    await wire.slash(ana, wire.channel, "saved add", name="Fireball", roll="2d6 fire", whose="channel")
    await wire.slash(ana, wire.channel, "saved add", name="Shot", roll="/infinity roll sv:12 burst:2")
    panel = await wire.slash(ana, wire.channel, "saved panel", whose="channel")
    await until(lambda: bool(wire.rows("SELECT 1 FROM shown")))  # it is noted after the answer
    await bot.kill()

    bot = await wire.start_bot(PATIENT)
    rolled = await wire.press(ben, panel.shown, "Fireball")
    assert not rolled.is_update
    assert "fire: Ben rolls" in rolled.text
    assert "Infinity" in (await wire.slash(ana, wire.channel, "saved roll", name="Shot")).text
    assert "Ana rolls" in (await wire.slash(ana, wire.channel, "roll", dice="fireball")).text
    await wire.slash(ana, wire.channel, "saved add", name="Arrow", roll="1d8", whose="channel")
    await until(lambda: wire.now(panel.shown).buttons == ("Arrow", "Fireball"))
    assert bot.running


async def test_the_turn_order_goes_on_where_it_was(wire: Wire) -> None:
    ana, ben, *_ = wire.people
    bot = await wire.start_bot(PATIENT)
    order = await wire.slash(ana, wire.channel, "initiative start")
    form = await wire.press(ben, order.shown, "Join")
    joined = await wire.submit(ben, form.modal, {"roll": "12"})
    assert joined.is_update
    assert joined.shown.id == order.shown.id
    await until(lambda: bool(wire.rows("SELECT 1 FROM shown")))
    answer = await wire.slash(ana, wire.channel, "initiative join", roll="15")
    assert answer.ephemeral
    assert "You join the turn order with 15." in answer.text
    await bot.kill()

    bot = await wire.start_bot(PATIENT)
    now = wire.now(order.shown)
    assert "1: Ana, 15" in now.text
    assert "2: Ben, 12" in now.text
    first = await wire.press(ana, now, "Next")
    assert "Round 1: it's Ana's turn." in first.text
    await bot.kill()

    await wire.start_bot(PATIENT)
    late = await wire.press(ana, now, "Next")
    assert late.ephemeral, "that turn had not begun on this button"
    second = await wire.press(ana, wire.now(order.shown), "Next")
    assert "Round 1: it's Ben's turn." in second.text
    await wire.slash(ana, wire.channel, "table undo")
    await until(lambda: "Round 1: it's Ana's turn." in wire.now(order.shown).text)


async def test_a_copy_in_the_log_channel_is_marked_after_a_kill(wire: Wire) -> None:
    ana, *_ = wire.people
    bot = await wire.start_bot(PATIENT)
    await wire.slash(ana, wire.channel, "ruleset set", setting="log_channel", value=f"<#{VOICE.id}>")
    rolled = await wire.slash(ana, wire.channel, "roll", dice="1d20")
    await until(lambda: bool(wire.rows("SELECT 1 FROM shown WHERE kind = 'log'")))
    (copy,) = logged(wire)
    assert "Ana rolls" in copy.text
    assert str(rolled.shown.id) in copy.text
    assert not copy.controls
    await bot.kill()

    await wire.start_bot(PATIENT)
    asked = await wire.slash(ana, wire.channel, "table undo")
    if asked.shown.buttons:
        await wire.press(wire.people[1], asked.shown, "Allow")
    await until(lambda: "Taken back:" in logged(wire)[0].text)
    await wire.slash(ana, wire.channel, "roll", dice="1d20")
    await until(lambda: len(logged(wire)) == 2)


def said(wire: Wire, words: str) -> list[Message]:
    """The messages for everybody that have these words, the oldest first."""
    result = [
        message for message in wire.interactions.messages.values() if not message.ephemeral and words in message.text
    ]
    return sorted(result, key=lambda item: item.id)


async def test_a_secret_roll_stays_secret_over_kills_until_it_is_revealed(wire: Wire) -> None:
    gm, ben, *_ = wire.people
    bot = await wire.start_bot(PATIENT)
    rolled = await wire.slash(ben, wire.channel, "roll", dice="1d20", secret=True)
    assert rolled.ephemeral
    (outcome,) = re.findall(r"Ben rolls \d+\.", rolled.text)
    await until(lambda: bool(said(wire, "Ben made a secret roll")))
    (line,) = said(wire, "Ben made a secret roll")
    await bot.kill()

    bot = await wire.start_bot(PATIENT)
    looked = await wire.press(gm, line, "Look")
    assert looked.ephemeral
    assert "Only the person who rolled can look at a secret roll" in looked.text
    own = await wire.press(ben, line, "Look")
    assert own.ephemeral
    assert outcome in own.text
    assert not said(wire, "Ben rolls"), "nobody else has seen it"
    await bot.kill()

    await wire.start_bot(PATIENT)
    revealed = await wire.press(ben, rolled.shown, "Reveal")
    assert revealed.is_update
    await until(lambda: bool(said(wire, outcome)))
    assert "Ben reveals a secret roll from <t:" in said(wire, outcome)[0].text
    assert "no longer secret" in (await wire.press(gm, line, "Look")).text
    assert wire.rows("SELECT count(*) FROM session") == [(1,)], "it was rolled once"


async def test_a_blind_roll_is_shown_to_the_gm_alone_also_after_a_kill(wire: Wire) -> None:
    gm, ben, cleo, _ = wire.people
    bot = await wire.start_bot(PATIENT)
    rolled = await wire.slash(ben, wire.channel, "roll", dice="1d20", blind=True)
    assert rolled.ephemeral
    assert "Ben rolls" not in rolled.text
    await until(lambda: bool(said(wire, "Ben made a blind roll")))
    (line,) = said(wire, "Ben made a blind roll")
    await bot.kill()

    bot = await wire.start_bot(PATIENT)
    for person in (ben, cleo):
        assert "Only a GM can look at a blind roll" in (await wire.press(person, line, "Look")).text
    seen = await wire.press(gm, line, "Look")
    assert seen.ephemeral
    assert "Ben rolls" in seen.text
    await bot.kill()

    await wire.start_bot(PATIENT)
    await wire.press(gm, seen.shown, "Reveal")
    await until(lambda: bool(said(wire, "Ben rolls")))
    assert "reveals a blind roll" in said(wire, "Ben rolls")[0].text


async def test_what_stands_on_any_message_is_answered_on_a_private_one(wire: Wire) -> None:
    """A press that nothing answers waits here, and tells nobody anything on Discord."""
    ana, *_ = wire.people
    await wire.start_bot(PATIENT)
    for number in range(3):
        await wire.slash(ana, wire.channel, "xwing ship add", name=f"Ship {number}", hull=3)
    shown = [
        (await wire.slash(ana, wire.channel, "table show")).shown,
        (await wire.slash(ana, wire.channel, "initiative start")).shown,
        (await wire.slash(ana, wire.channel, "xwing attack", dice=3, agility=2)).shown,
        (await wire.slash(ana, wire.channel, "contest", dice="1d20", their_dice="1d20")).shown,
    ]
    await wire.slash(ana, wire.channel, "saved add", name="Fireball", roll="2d6 fire", whose="channel")
    shown.append((await wire.slash(ana, wire.channel, "saved panel", whose="channel")).shown)
    refused = await wire.slash(ana, wire.channel, "roll", dice="no dice")
    assert refused.ephemeral
    controls = [control for message in shown for control in message.controls]
    assert len(controls) > 15, "boards, cards, and lists"
    for control in controls:
        values = [control.options[0][1]] if control.options else None
        assert await wire.click(ana, refused.shown, control.custom_id, values=values), "or there is none in time"
