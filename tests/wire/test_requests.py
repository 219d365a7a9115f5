"""Which requests of the bot count against Discord's limit for the whole bot, and which do not."""

from functools import partial

from tests.wire.messages import Message
from tests.wire.process import until
from tests.wire.wire import PATIENT, Wire


def edits(wire: Wire) -> list[str]:
    """How messages were edited: as an answer (webhooks), or by the bot (channels)."""
    return [one.path.split("/")[1] for one in wire.rest.sent if one.method == "PATCH"]


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
