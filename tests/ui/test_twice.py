"""Discord delivers an interaction twice, as it may after a lost connection: it counts once, and nothing wrong shows."""

import logging
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any

import pytest

from tests import books
from tests.conftest import Club


@contextmanager
def twice(club: Club) -> Iterator[None]:
    emit = club.env.backend.emit

    def emit_twice(event: str, payload: Mapping[str, Any]) -> None:
        emit(event, payload)
        if event == "INTERACTION_CREATE":
            emit(event, payload)

    club.env.backend.emit = emit_twice  # type: ignore[method-assign]  # as if Discord said it twice
    yield
    club.env.backend.emit = emit  # type: ignore[method-assign]  # every event is delivered twice in this test


def plies(club: Club) -> list[str]:
    with closing(sqlite3.connect(club.file)) as connection:
        return [offer for (offer,) in connection.execute("SELECT offer FROM ply ORDER BY id")]


async def test_a_command_and_a_press_that_come_twice_count_once(club: Club, caplog: pytest.LogCaptureFixture) -> None:
    club.dice.red("focus blank")
    with twice(club):
        await club.attack(dice=2, agility=0, with_="focus, lock")
        club.dice.red("hit")
        await club.ana.select(club.card, ["1"], custom_id=club.custom_id("lock"))
        await club.ana.slash(club.channel, "xwing ship add", name="Luke", attack=3, hull=3)
        await club.env.settle()
    assert plies(club) == ["open", "lock", "step"]
    assert len(club.channel.history(viewer=club.ana)) == 2, "one card for the attack, one answer for the ship"
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert books.wrong(club.file) == []
