"""A person's rows: every one is on one page, and forgetting in steps forgets all, wherever it is broken off."""

import asyncio
import json
import sqlite3
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError

from bot.rules.text import english
from bot.sessions import personal_data
from bot.sessions.personal_data import SOMEBODY, PersonalData
from bot.store import people as rows, sessions
from bot.store.database import Database
from bot.store.people import FORGOTTEN
from bot.store.sessions import Ply
from tests.plies import plies_of

ANA, BO = 1_456_074_448_175_104_000, 1_456_074_448_175_104_001
ROLLS = 7
HANDS: tuple[tuple[str, int | None, str, int], ...] = (
    ("attacker", ANA, "Ana", 0),
    ("defender", ANA, "Ana", 0),
    ("defender", BO, "Bo", 1),
    ("defender", None, "", 2),
    ("defender", ANA, "Ana", 3),
)
"""A seat that changes hands: a row each time."""


@pytest.fixture
async def played(database: Database) -> None:
    """Ana opens rolls on which she sits on both sides; she and Bo press on each; table steps name who made them."""
    async with database.transaction() as connection:
        for _ in range(ROLLS):
            key, *_ = await sessions.add(connection, game="xwing", guild_id=11, channel_id=12, opened_by=ANA, at=1_000)
            for number, (person, choice) in enumerate(((ANA, {}), (BO, {}), (ANA, {"what": "", "by": "Ana"}))):
                await sessions.add_ply(connection, ply(key, number, person, choice))
            for side, who, name, since in HANDS:
                await sessions.add_seat(connection, key, side, who, name, since)
        key, *_ = await sessions.add(connection, game="table", guild_id=11, channel_id=12, opened_by=BO, at=1_000)
        await sessions.add_ply(connection, ply(key, 0, BO, {"what": "Luke comes", "by": "Bo"}))


def ply(session: int, number: int, person: int, choice: dict[str, str]) -> Ply:
    return Ply(
        session_id=session,
        number=number,
        person_id=person,
        offer="focus",
        choice=json.dumps(choice),
        draws="[[8,1]]",
        schema=1,
        state='{"declared": 1}',
        at=1_000,
        channel_id=12,
    )


def content(file: Path) -> list[Any]:
    with closing(sqlite3.connect(file)) as connection:
        tables = ("session", "ply", "seat", "ruleset")
        return [connection.execute(f"SELECT * FROM {name}").fetchall() for name in tables]  # noqa: S608 - from above


@pytest.mark.parametrize("most", [1, 2, 3, 5, 100])
async def test_pages_of_any_size_tell_the_same(database: Database, played: None, most: int) -> None:
    seats, presses = [], []
    async with database.transaction() as connection:
        last = None
        while page := await rows.page(connection, rows.KEPT["seats"], ANA, most, last):
            assert len(page) <= most
            seats += [(row.session_id, row.side, row.since) for row in page]
            last = page[-1]
        last = None
        while page := await rows.page(connection, rows.KEPT["presses"], ANA, most, last):
            presses += [(row.session_id, row.number, row.opening is not None) for row in page]
            last = page[-1]
    mine = (("defender", 3), ("defender", 0), ("attacker", 0))
    assert seats == [(key, *item) for key in range(ROLLS, 0, -1) for item in mine]
    assert presses == [(key, number, number == 0) for key in range(ROLLS, 0, -1) for number in (2, 0)]


def forgotten(**rows: int) -> dict[str, int]:
    return dict.fromkeys(("preferences", "seats", "presses", "rolls", "players", "saved"), 0) | rows


@pytest.mark.parametrize("step", [1, 2, 7, 100])
async def test_steps_of_any_size_forget_all(
    database: Database, played: None, file: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    monkeypatch.setattr(personal_data, "STEP", step)
    before = content(file)
    assert await PersonalData(database).forget(ANA) == forgotten(seats=3 * ROLLS, presses=2 * ROLLS, rolls=ROLLS)
    after = content(file)
    assert str(ANA) not in str(after)
    assert "Ana" not in str(after)
    swapped = str(before).replace(str(ANA), str(FORGOTTEN)).replace("Ana", english(SOMEBODY))
    assert str(after) == swapped, "nothing else has changed"
    assert await PersonalData(database).forget(ANA) == forgotten()


class Dying(Database):
    """Fails with the transaction of some number."""

    left = 0

    @asynccontextmanager
    async def transaction(self) -> Any:
        async with super().transaction() as connection:
            yield connection
            self.left -= 1
            if not self.left:
                raise asyncio.CancelledError

    async def run(self, body: Any, *values: Any, **named: Any) -> Any:
        async with self.transaction() as connection:
            return await body(connection, *values, **named)


@pytest.mark.parametrize("dies_at", range(1, 20, 3))
async def test_what_was_broken_off_is_finished_by_doing_it_again(
    url: str, database: Database, played: None, file: Path, monkeypatch: pytest.MonkeyPatch, dies_at: int
) -> None:
    monkeypatch.setattr(personal_data, "STEP", 2)
    dying = await Dying.open(url)
    dying.left = dies_at
    with pytest.raises(asyncio.CancelledError):
        await PersonalData(dying).forget(ANA)
    assert str(ANA) in str(content(file))
    await dying.close()
    await PersonalData(database).forget(ANA)
    assert str(ANA) not in str(content(file))
    assert "Ana" not in str(content(file))
    assert "Bo" in str(content(file))


async def test_presses_in_between_are_neither_lost_nor_delayed_for_long(
    database: Database, played: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(personal_data, "STEP", 1)
    forgetting = asyncio.create_task(PersonalData(database).forget(ANA))

    async def press(session: int) -> None:
        async with database.transaction() as connection:
            await sessions.add_ply(connection, ply(session, 3, BO, {}))

    await asyncio.gather(*(press(key) for key in range(1, ROLLS + 1)))
    await forgetting
    async with database.transaction() as connection:
        for key in range(1, ROLLS + 1):
            plies = await plies_of(connection, key)
            assert [item.person_id for item in plies] == [FORGOTTEN, BO, FORGOTTEN, BO]


async def test_a_step_with_nothing_to_do_does_nothing(database: Database, played: None) -> None:
    async with database.transaction() as connection:
        assert await rows.choices(connection, 5, 10) == {}
        assert await rows.forget(connection, rows.SEATS, 5, 10, called=english(SOMEBODY)) == 0


async def test_an_error_does_not_tell_the_log_what_was_stored(database: Database, played: None) -> None:
    with pytest.raises(IntegrityError) as caught:
        async with database.transaction() as connection:
            await sessions.add_ply(connection, ply(1, 0, ANA, {"by": "Ana"}))
    assert "unique" in str(caught.value).lower()
    assert "Ana" not in str(caught.value)
    assert str(ANA) not in str(caught.value)
