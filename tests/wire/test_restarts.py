"""PostgreSQL is restarted while people play: at most a sentence, nothing acknowledged is lost, nothing is doubled."""

import asyncio
import os
import signal
from collections.abc import Iterator
from itertools import cycle

import pytest

from tests.engines import Server, server
from tests.wire.process import PATIENCE
from tests.wire.wire import PATIENT, Wire
from tests.wire.world import Person

RESTARTS = int(os.environ.get("RESTARTS", "3"))
"""``RESTARTS=20 python -m pytest tests/wire/test_restarts.py -s`` prints the figures of twenty."""


@pytest.fixture
def fragile() -> Iterator[Server]:
    with server() as running:
        yield running


async def test_restarted_under_the_players_hands_nothing_acknowledged_is_lost(fragile: Server) -> None:
    cards: list[int] = []
    sentences: list[str] = []
    stop = asyncio.Event()

    async def play(wire: Wire, person: Person) -> None:
        while not stop.is_set():
            answer = await wire.slash(person, wire.channel, "xwing roll", red=2)
            if answer.ephemeral:
                sentences.append(answer.text)
            else:
                cards.append(int(answer.shown.controls[0].custom_id.split(":")[1]))

    async def more() -> None:
        before = len(cards)
        async with asyncio.timeout(PATIENCE):
            while len(cards) < before + 8:  # noqa: ASYNC110 - there is no event
                await asyncio.sleep(0.02)

    async with Wire(database_url=await asyncio.to_thread(fragile.database)) as wire:
        bot = await wire.start_bot(PATIENT)  # an answer is never late: it is a card or a sentence
        players = [asyncio.create_task(play(wire, person)) for person in wire.people]
        how = cycle((signal.SIGINT, signal.SIGQUIT))  # in order; as a crash
        for _ in range(RESTARTS):
            await more()
            await asyncio.to_thread(fragile.stop, next(how))
            await asyncio.to_thread(fragile.start)
        await more()
        stop.set()
        await asyncio.gather(*players)
        kept = [number for (number,) in wire.rows("SELECT id FROM session")]
        plies = [number for (number,) in wire.rows("SELECT session_id FROM ply")]
        assert bot.running
        assert "Traceback" not in bot.log()
    print(f"{RESTARTS} restarts: {len(cards)} rolls, {len(sentences)} sentences, {len(kept)} kept")  # noqa: T201 - the figures
    assert set(cards) <= set(kept)
    assert len(cards) == len(set(cards))
    assert sorted(plies) == sorted(kept), "each roll was made once"
    assert len(kept) <= len(cards) + len(sentences)
    assert all("try again" in sentence for sentence in sentences)
