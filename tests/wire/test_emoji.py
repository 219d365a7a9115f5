"""Emoji of dice in a real process: created once while people play already, and found again by the next one."""

import re

from bot.render.faces import FACES
from tests.wire.process import until
from tests.wire.wire import PATIENT, Wire


async def test_the_first_process_creates_them_and_the_next_finds_them(wire: Wire) -> None:
    ana, ben, *_ = wire.people
    many = len(FACES)
    wire.rest.emojis.clear()
    wire.rest.takes_emojis.clear()
    bot = await wire.start_bot(PATIENT)
    opened = await wire.slash(ana, wire.channel, "xwing attack", dice=3, agility=1, with_="lock", opponent=ben)
    assert not wire.rest.emojis, "nobody waits for them"
    wire.rest.takes_emojis.set()
    await bot.logged(f"emoji of dice: {many} of {many} known, {many} of them new")
    names = [emoji["name"] for emoji in wire.rest.emojis.values()]
    assert len(names) == len(set(names)) == many
    assert all(re.fullmatch(r"\w{2,32}", name) for name in names)
    assert (await wire.press(ana, opened.shown, "Done")).is_update

    await bot.terminate()
    bot = await wire.start_bot(PATIENT)
    await bot.logged(f"emoji of dice: {many} of {many} known, 0 of them new")
    assert len(wire.rest.emojis) == many


async def test_told_to_stop_while_it_creates_them_it_leaves_cleanly_and_the_next_goes_on(wire: Wire) -> None:
    wire.rest.emojis.clear()
    bot = await wire.start_bot(PATIENT)
    await until(lambda: len(wire.rest.emojis) >= 3)
    assert await bot.terminate() == 0
    assert "Traceback" not in bot.log()
    assert len({emoji["name"] for emoji in wire.rest.emojis.values()}) == len(wire.rest.emojis)

    bot = await wire.start_bot(PATIENT)
    await bot.logged(f"emoji of dice: {len(FACES)} of {len(FACES)} known")
    assert len({emoji["name"] for emoji in wire.rest.emojis.values()}) == len(wire.rest.emojis) == len(FACES)
