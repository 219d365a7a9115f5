"""The wire must be right before anything can be proved over it: here a plain discord.py bot lives on it."""

import asyncio

import pytest

from tests.wire.process import until
from tests.wire.wire import Wire, WireFaultError

DEMO = ("tests.wire.demo_bot",)


async def test_a_command_and_a_press_are_answered_with_a_picture(wire: Wire) -> None:
    ana, ben, *_ = wire.people
    await wire.start_bot(DEMO)
    rolled = await wire.slash(ana, wire.channel, "roll")
    assert rolled.type == 4
    assert "2 hits, 1 crit get through" in rolled.text
    (picture,) = rolled.shown.attachments
    assert picture.data.startswith(b"\x89PNG")
    assert picture.description == "hit, hit, crit; blank, focus"
    assert rolled.shown.embeds[0]["image"]["url"] == picture.url

    again = await wire.press(ben, rolled.shown, "Again")
    assert again.type == 7
    assert again.shown.id == rolled.shown.id
    assert again.shown.attachments[0].id != picture.id
    assert again.seconds > 0


async def test_subcommands_people_and_deferred_answers(wire: Wire) -> None:
    ana, ben, *_ = wire.people
    await wire.start_bot(DEMO)
    answer = await wire.slash(ana, wire.voice, "demo slow", whom=ben)
    assert answer.type == 5
    assert answer.ephemeral
    assert answer.text == "hello Ben"
    assert (await wire.follow_up(answer)).text == "and more"


async def test_a_form_and_a_select(wire: Wire) -> None:
    ana, *_ = wire.people
    await wire.start_bot(DEMO)
    form = (await wire.slash(ana, wire.channel, "demo form")).modal
    assert [entry.label for entry in form.entries] == ["Name", "Side"]
    with pytest.raises(ValueError, match="'Side' must be filled in"):
        await wire.submit(ana, form, {"Name": "Wedge"})
    sent = await wire.submit(ana, form, {"Name": "Wedge", "Side": ["Rebel"]})
    assert sent.ephemeral
    assert sent.text == "Wedge of r"

    shown = (await wire.slash(ana, wire.channel, "demo dice")).shown
    with pytest.raises(ValueError, match="cannot be picked"):
        await wire.pick(ana, shown, "Dice to reroll", ["Die 1", "Die 2", "Die 3"])
    picked = await wire.pick(ana, shown, "Dice to reroll", ["Die 1", "Die 3"])
    assert picked.text == "rerolled 1, 3"
    assert not picked.shown.controls


async def test_a_dropped_gateway_is_resumed_and_what_was_missed_is_heard(wire: Wire) -> None:
    ana, *_ = wire.people
    await wire.start_bot(DEMO)
    shown = (await wire.slash(ana, wire.channel, "roll")).shown
    await wire.drop()
    while_away = await wire.press(ana, shown, "Again")
    assert while_away.type == 7
    await wire.gateway.wait_heard("RESUME")
    assert (await wire.press(ana, shown, "Again")).type == 7
    assert wire.gateway.heard == ["IDENTIFY", "RESUME"]


async def test_a_lost_session_is_begun_anew(wire: Wire) -> None:
    ana, *_ = wire.people
    await wire.start_bot(DEMO)
    await wire.drop(lose_sessions=True)
    await wire.gateway.wait_heard("IDENTIFY", 2)
    assert (await wire.slash(ana, wire.channel, "roll")).type == 4
    assert wire.gateway.heard == ["IDENTIFY", "RESUME", "IDENTIFY"]


async def test_a_killed_bot_is_started_again_and_old_buttons_live(wire: Wire) -> None:
    ana, *_ = wire.people
    bot = await wire.start_bot(DEMO)
    shown = (await wire.slash(ana, wire.channel, "roll")).shown
    assert await bot.kill() == -9
    bot = await wire.start_bot(("benchmarks.bare_bot",))
    assert (await wire.press(ana, shown, "Again")).type == 7
    assert bot.running


async def test_heartbeats_are_kept() -> None:
    async with Wire(heartbeat=0.1) as wire:
        await wire.start_bot(DEMO)
        await wire.gateway.wait_beats(4)
        assert wire.gateway.heard == ["IDENTIFY"]


async def test_each_shard_has_its_own_session_and_the_server_belongs_to_one() -> None:
    async with Wire(shards=2) as wire:
        await wire.start_bot(DEMO)
        assert wire.gateway.heard == ["IDENTIFY", "IDENTIFY"]
        assert (await wire.slash(wire.people[0], wire.channel, "roll")).type == 4


async def test_a_body_that_discord_would_not_take_is_named(wire: Wire) -> None:
    await wire.start_bot(DEMO)
    await wire.slash(wire.people[0], wire.channel, "demo bad")
    with pytest.raises(WireFaultError) as caught:
        wire.check()
    (line,) = str(caught.value).splitlines()
    assert "/callback: data.embeds[0].title: 'xxx" in line
    assert "is too long" in line


async def test_an_answer_that_comes_too_late_is_refused(wire: Wire) -> None:
    bot = await wire.start_bot(DEMO)
    wire.interactions.seconds_to_answer = 0.0
    asking = asyncio.ensure_future(wire.slash(wire.people[0], wire.channel, "demo late", seconds=0.01))
    await until(lambda: bool(wire.rest.refusals))
    assert not asking.done()
    asking.cancel()
    await bot.kill()  # it may try again, which would be refused as well
    with pytest.raises(WireFaultError, match="Unknown interaction"):
        wire.check()


async def test_whoever_hears_nothing_says_so(wire: Wire) -> None:
    await wire.start_bot(DEMO)
    wire.patience = 0.01
    with pytest.raises(WireFaultError, match="no answer within"):
        await wire.slash(wire.people[0], wire.channel, "demo late", seconds=3600)


async def test_a_bot_that_ends_at_once_is_shown_with_its_last_words(wire: Wire) -> None:
    with pytest.raises(WireFaultError, match=r"ended before it was ready[\s\S]*Improper token"):
        await wire.start_bot(DEMO, {"DISCORD_TOKEN": "wrong"})


async def test_clients_do_not_send_what_a_person_cannot_type(wire: Wire) -> None:
    ana, *_ = wire.people
    await wire.start_bot(DEMO)
    with pytest.raises(LookupError, match="has no subcommand 'nothing'"):
        await wire.slash(ana, wire.channel, "demo nothing")
    with pytest.raises(ValueError, match="needs \\['whom'\\]"):
        await wire.slash(ana, wire.channel, "demo slow")
    with pytest.raises(ValueError, match="cannot send 'three'"):
        await wire.slash(ana, wire.channel, "demo late", seconds="three")
    shown = (await wire.slash(ana, wire.channel, "roll")).shown
    with pytest.raises(LookupError, match="on the message there is 'Again'"):
        await wire.press(ana, shown, "Done")
