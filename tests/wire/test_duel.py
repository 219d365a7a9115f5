"""A duel of two people over the wire, with a bystander: the bot dies between their presses, and no die is lost."""

import re

from tests.wire.messages import Message
from tests.wire.wire import PATIENT, Wire

LINE = "3 attacks hit 2+ normal 3 crit 4 vs 3 attacks hit 2+ normal 3 crit 4"
KILLS = 2
TURN = re.compile(r"(Ana|Ben): your turn")


async def dice_of(wire: Wire, shown: Message) -> list[str]:
    """What each die showed as it fell, as a bystander reads it."""
    told = await wire.press(wire.people[2], shown, "How?")
    return [line.partition(",")[0].rstrip(".") for line in told.text.splitlines() if re.match(r"\d+\\?\.", line)]


async def test_a_bot_that_dies_between_presses_plays_the_fight_to_its_end(wire: Wire) -> None:
    ana, ben, cleo = wire.people[:3]
    bot = await wire.start_bot(PATIENT)
    opened = await wire.slash(ana, wire.channel, "duel attack", game="fight", line_=LINE, opponent=ben)
    shown, dice, sides = opened.shown, await dice_of(wire, opened.shown), list[str]()
    assert len(dice) == 6
    while turn := TURN.search(shown.text):
        who, other = (ana, ben) if turn[1] == "Ana" else (ben, ana)
        button = shown.choices[0].label
        for nobody in (cleo, other):
            assert (await wire.press(nobody, shown, button)).ephemeral
        sides.append(turn[1])
        if len(sides) <= KILLS:
            assert await bot.kill() == -9
            bot = await wire.start_bot(PATIENT)
        shown = (await wire.press(who, shown, button)).shown
        assert await dice_of(wire, shown) == dice
    assert sides, "in one of 46,656 fights nobody has a die to resolve"
    assert not shown.choices
    assert re.search(r"Both fighters take the same damage|more than they", shown.text)
