"""Cards that were lost: the bot died after Discord took its card, or Discord refused it twice.

It stands once, and nobody's command is lost.
"""

import pytest

from tests.wire.messages import Message
from tests.wire.wire import PATIENT, Wire


def attacks(wire: Wire) -> list[Message]:
    return [message for message in wire.interactions.messages.values() if "the defender" in message.text]


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
    assert [attack.id for attack in attacks(wire)] == [first.shown.id]
    assert wire.rows("SELECT count(*) FROM session") == [(2,)]


@pytest.mark.parametrize("statuses", [(413,), (413, 413), (413, 413, 413), (500, 413, 413)])
async def test_a_card_that_is_refused_again_and_again_is_shown_in_words(wire: Wire, statuses: tuple[int, ...]) -> None:
    ana, *_ = wire.people
    bot = await wire.start_bot(PATIENT)
    wire.rest.fails.extend(("/callback", status) for status in statuses)
    told = await wire.slash(ana, wire.channel, "xwing attack", dice=3, agility=2)
    assert [attack.text for attack in attacks(wire)] == [told.text]
    assert not wire.rest.fails
    assert bool(told.shown.attachments) == (statuses == (413,)), "sent once more by the other way, and then in words"
    assert wire.rows("SELECT count(*) FROM session") == [(1,)]
    assert "Ana rolls" in (await wire.slash(ana, wire.channel, "roll", dice="d6")).text
    assert "Traceback" not in bot.log()
