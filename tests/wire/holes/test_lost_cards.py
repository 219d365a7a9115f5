"""A bot that dies after Discord took its card, and a card that Discord refuses twice: it stands once, and nobody's
command is lost.
"""

import pytest

from tests.wire.messages import Message
from tests.wire.wire import PATIENT, Wire


def attacks(wire: Wire) -> list[Message]:
    return [one for one in wire.interactions.messages.values() if "the defender" in one.text]


@pytest.mark.both
async def test_a_card_that_discord_took_stands_once_after_a_kill(wire: Wire) -> None:
    ana, *_ = wire.people
    bot = await wire.start_bot(PATIENT)
    wire.rest.replies.clear()  # what was sent is taken, and the bot never hears of it
    first = await wire.slash(ana, wire.channel, "xwing attack", dice=3, agility=2)
    await wire.kill(bot)
    wire.rest.replies.set()
    await wire.start_bot(PATIENT)
    second = await wire.slash(ana, wire.channel, "roll", dice="d6")
    assert "Ana rolls" in second.text, "the next command is carried out as well"
    assert "nothing new was rolled" not in second.text
    assert [one.id for one in attacks(wire)] == [first.shown.id], [one.text for one in wire.interactions.messages.values()]
    assert wire.rows("SELECT count(*) FROM session") == [(2,)]


async def test_a_card_that_is_refused_twice_leaves_a_true_sentence_and_is_shown_next(wire: Wire) -> None:
    ana, *_ = wire.people
    bot = await wire.start_bot(PATIENT)
    wire.rest.fails.extend([("/callback", 413)] * 3)
    told = await wire.slash(ana, wire.channel, "xwing attack", dice=3, agility=2)
    assert "type the command once more" in told.text
    assert wire.rows("SELECT count(*) FROM session") == [(1,)], "it is rolled"
    shown = await wire.slash(ana, wire.channel, "roll", dice="d6")
    assert "nothing new was rolled" in shown.text
    assert len(attacks(wire)) == 1
    assert "Ana rolls" in (await wire.slash(ana, wire.channel, "roll", dice="d6")).text
    assert "Traceback" not in bot.log()
    assert "Something broke" not in told.text + shown.text
