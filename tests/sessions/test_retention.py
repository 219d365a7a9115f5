"""Retention on a real file: what is young stays, what stays can be undone and told; servers go when they are due."""

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import AsyncMock

import pytest
from hypothesis import given, settings, strategies as st

from bot.games import GAMES
from bot.rules.errors import PlayerError
from bot.rules.game import Choice
from bot.rules.xwing.dice.loose_dice import LooseDice as Loose
from bot.rules.xwing.table.ship import launch
from bot.sessions import codec, retention, sessions, tables
from bot.sessions.request import Person, Place, Request
from bot.sessions.retention import DAY, GRACE, Retention
from bot.sessions.roll import Address, Played
from bot.sessions.sessions import RollOpening, Sessions
from bot.sessions.tables import Tables, UndoneStep
from bot.store.database import Database
from bot.store.servers import Servers
from tests.examples import share_of

ANA, BO = Person(1, "Ana"), Person(2, "Bo")
HERE, THERE, PRIVATE = Place(12, 11), Place(13, 22), Place(14, None)
NOW = 1_000 * DAY
KEPT = 10
"""Days in these tests."""


async def ten_days(_: Place) -> int:
    return KEPT


async def a_year(_: Place) -> int:
    return 365


class Club:
    """Sessions, tables and a keeper over one file, on a clock that the test turns."""

    def __init__(self, database: Database, file: Path, patch: pytest.MonkeyPatch) -> None:
        self.file = file
        self.now = NOW
        for module in (sessions, tables, codec):
            patch.setattr(module.time, "time", lambda: self.now)
        self.sessions = Sessions(database, lambda _: 0)
        self.tables = Tables(database)
        self.servers = Servers(database)
        self.keeper = Retention(database, self.servers, ten_days)

    async def loose(self, place: Place = HERE) -> Played:
        return await self.sessions.open(Request(ANA, place), RollOpening(GAMES["xwing"], Loose(red=1)))

    async def press(self, roll: Played, place: Place = HERE) -> Played:
        """A die is cocked and thrown again: that may be done for ever."""
        address, choice = Address(roll.session, roll.ply, "cocked"), Choice("cocked", ("red-0",))
        moved = await self.sessions.choose(Request(ANA, place), address, choice)
        assert isinstance(moved, Played)
        return moved

    async def ship(self, name: str, place: Place = HERE) -> None:
        result = launch(name, attack=3, agility=2, hull=4)
        await self.tables.step(Request(ANA, place), "xwing", f"{name} comes", lambda _: {name: result})

    async def tidy(self) -> int:
        """Steps until the end of a round; how many."""
        steps = 0
        while await self.keeper.step(self.now) is not None:
            steps += 1
            assert steps < 1000
        return steps

    def rows(self, query: str, *values: Any) -> list[Any]:
        with closing(sqlite3.connect(self.file)) as file:
            return file.execute(query, values).fetchall()

    def plies(self, session: int) -> list[int]:
        return [number for (number,) in self.rows("SELECT number FROM ply WHERE session_id = ? ORDER BY 1", session)]


@pytest.fixture
async def club(file: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Club]:
    database = await Database.open(f"sqlite+aiosqlite:///{file}")
    yield Club(database, file, monkeypatch)
    await database.close()


# Retention


async def test_a_roll_goes_as_a_whole_when_its_last_press_is_too_old(club: Club) -> None:
    old = await club.loose()
    club.now += DAY
    pressed = await club.press(await club.loose())
    club.now = NOW + KEPT * DAY + 1
    await club.tidy()
    assert club.plies(old.session) == []
    assert club.rows("SELECT * FROM session WHERE id = ?", old.session) == []
    assert club.rows("SELECT * FROM seat WHERE session_id = ?", old.session) == []
    assert club.plies(pressed.session) == [0, 1]
    assert club.keeper.gone == 2, "a roll and its ply"


async def test_the_copy_of_a_roll_in_a_log_channel_is_forgotten_with_it(club: Club) -> None:
    roll = await club.loose(HERE)
    with closing(sqlite3.connect(club.file)) as file:
        file.execute("INSERT INTO shown VALUES (6, 'log', ?, 11, 7, 1)", (roll.session,))
        file.commit()
    await club.tidy()
    assert len(club.rows("SELECT * FROM shown")) == 1
    club.now += (KEPT + 1) * DAY
    await club.tidy()
    assert club.rows("SELECT * FROM shown") == []


async def test_the_last_press_counts_not_the_first(club: Club) -> None:
    roll = await club.loose()
    club.now += (KEPT - 1) * DAY
    roll = await club.press(roll)
    club.now += (KEPT - 1) * DAY
    await club.tidy()
    assert club.plies(roll.session) == [0, 1]
    assert isinstance(await club.press(roll), Played)


async def test_each_place_keeps_rolls_as_long_as_it_says(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    async def days(place: Place) -> int:
        return {HERE: 2, THERE: 200, PRIVATE: 20}[place]

    club.keeper._keep_days = days
    rolls = {place: await club.loose(place) for place in (HERE, THERE, PRIVATE)}
    for day, left in ((1, {HERE, THERE, PRIVATE}), (3, {THERE, PRIVATE}), (21, {THERE}), (201, set())):
        club.now = NOW + day * DAY
        await club.tidy()
        assert {place for place, roll in rolls.items() if club.plies(roll.session)} == left, day


async def test_table_steps_go_but_never_the_last_one_and_never_a_piece(club: Club) -> None:
    for name in ("Luke", "Wedge", "Biggs"):
        await club.ship(name)
    club.now += (KEPT + 1) * DAY
    await club.tidy()
    ((table,),) = club.rows("SELECT id FROM session")
    assert club.plies(table) == [2]
    assert list(await club.tables.pieces(HERE, "xwing")) == ["Biggs", "Luke", "Wedge"]
    await club.ship("Jek")
    assert club.plies(table) == [2, 3], "the numbers go on"
    await club.tables.undo(Request(ANA, HERE))
    await club.tables.undo(Request(ANA, HERE))
    assert list(await club.tables.pieces(HERE, "xwing")) == ["Luke", "Wedge"]
    with pytest.raises(PlayerError, match="nothing to take back"):
        await club.tables.undo(Request(ANA, HERE))


async def test_what_was_taken_back_is_not_taken_back_again(club: Club) -> None:
    """The step that was undone goes before the undoing does."""
    for name in ("Luke", "Wedge"):
        await club.ship(name)
    await club.tables.undo(Request(ANA, HERE))
    club.now += (KEPT + 1) * DAY
    await club.tidy()
    with pytest.raises(PlayerError, match="nothing to take back"):
        await club.tables.undo(Request(ANA, HERE))
    assert [entry.offer for entry in await club.tables.history(HERE)] == ["undo"]


async def test_a_roll_too_long_for_a_step_goes_in_several_and_keeps_its_newest_ply_meanwhile(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "PLIES", 4)
    roll = await club.loose()
    for _ in range(9):
        roll = await club.press(roll)
    club.now += (KEPT + 1) * DAY
    assert await club.keeper.step(club.now)
    assert club.plies(roll.session) == [4, 5, 6, 7, 8, 9]
    assert await club.keeper.step(club.now)
    assert club.plies(roll.session) == [8, 9]
    await club.tidy()
    assert club.rows("SELECT * FROM session") == []


async def test_somebody_who_presses_in_between_keeps_what_is_left(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "PLIES", 4)
    roll = await club.loose()
    for _ in range(4):
        roll = await club.press(roll)
    club.now += (KEPT + 1) * DAY
    await club.keeper.step(club.now)
    assert club.plies(roll.session) == [4]
    roll = await club.press(roll)
    await club.tidy()
    assert club.plies(roll.session) == [4, 5]
    await club.tables.undo(Request(BO, HERE, is_gm=True))
    with pytest.raises(PlayerError, match="no longer stored"):
        await club.tables.undo(Request(BO, HERE, is_gm=True))
    assert [entry.is_undone for entry in await club.tables.history(HERE)] == [False, True, False]


async def test_a_press_between_looking_and_taking_saves_the_roll(club: Club) -> None:
    roll = await club.loose()
    club.now += (KEPT + 1) * DAY

    async def press_meanwhile(place: Place) -> int:
        club.keeper._keep_days = ten_days
        await club.press(roll)
        return await ten_days(place)

    club.keeper._keep_days = press_meanwhile
    await club.tidy()
    assert club.plies(roll.session) == [0, 1]


async def test_presses_while_it_prunes_are_answered_and_kept(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "PLIES", 5)
    monkeypatch.setattr(retention, "SESSIONS", 5)
    for _ in range(60):
        await club.press(await club.loose())
    club.now += (KEPT + 1) * DAY
    pruning = asyncio.create_task(club.tidy())
    rolls = [await club.press(await club.loose()) for _ in range(30)]
    await pruning
    await club.tidy()
    assert sorted(club.rows("SELECT id FROM session")) == [(roll.session,) for roll in rolls]
    assert all(club.plies(roll.session) == [0, 1] for roll in rolls)


def test_a_step_that_holds_the_file_for_long_is_followed_by_a_smaller_one() -> None:
    slow, quick = 2 * retention.STEP_SECONDS, retention.STEP_SECONDS / 2
    assert [retention.next_step(rolls, slow) for rolls in (20, 5, 1)] == [10, 2, 1]
    assert [retention.next_step(rolls, quick) for rolls in (1, 10, 20)] == [2, 11, 20]


@pytest.mark.parametrize("share", [1.0, retention.WITH_THE_SERVER])
async def test_it_rests_by_the_processor_time_that_it_took_and_not_by_its_waits(
    club: Club, monkeypatch: pytest.MonkeyPatch, share: float
) -> None:
    spent, rests = 0.0, []

    def process_time() -> float:
        nonlocal spent
        spent += 2**-30
        return spent

    async def sleep(seconds: float) -> None:
        rests.append(seconds)

    monkeypatch.setattr("time.process_time", process_time)
    monkeypatch.setattr("asyncio.sleep", sleep)
    monkeypatch.setattr(Database, "is_shared", share != 1.0)
    monkeypatch.setattr(Retention, "step", AsyncMock(side_effect=[3, 0, None]))
    assert await club.keeper.round(club.now)
    assert rests == [retention.RESTS * share * 2**-30] * 2


async def test_a_clock_that_went_back_does_not_stop_it(club: Club) -> None:
    club.now += 50 * DAY
    roll = await club.loose()
    club.now = NOW
    await club.press(roll)
    await club.loose()
    club.now = NOW + 61 * DAY
    await club.tidy()
    assert club.rows("SELECT * FROM session") == []


DEEDS = st.lists(
    st.tuples(
        st.sampled_from(["open", "press", "ship", "clear", "undo", "day", "week", "tidy"]),
        st.integers(0, 3),
        st.sampled_from([HERE, PRIVATE]),
    ),
    max_size=40,
)


@settings(max_examples=share_of(60), deadline=None)
@given(DEEDS)
def test_nothing_young_is_lost_and_what_stays_can_be_told_and_taken_back(
    migrated: Path, deeds: list[tuple[str, int, Place]]
) -> None:
    async def live() -> None:
        with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
            patch.setattr(retention, "PLIES", 3)
            patch.setattr(retention, "SESSIONS", 2)
            file = Path(shutil.copy(migrated, folder))
            database = await Database.open(f"sqlite+aiosqlite:///{file}")
            try:
                await check(Club(database, file, patch), deeds)
            finally:
                await database.close()

    asyncio.run(live())


async def check(club: Club, deeds: list[tuple[str, int, Place]]) -> None:
    """Do it all; at each tidying compare what is left with what must be, at the end take back all that can be."""
    rolls: list[tuple[Played, Place]] = []
    for deed, which, place in deeds:
        try:
            await do(club, deed, which, place, rolls)
        except PlayerError:
            continue  # nothing to press, to clear or to take back
    club.now += (KEPT - 1) * DAY
    await tidied(club)
    for place in (HERE, PRIVATE):
        before = {entry.at for entry in await club.tables.history(place, most=100) if not entry.is_undone}
        try:
            while True:
                undone = await club.tables.undo(Request(BO, place, is_gm=True))
                assert isinstance(undone, UndoneStep)
                assert undone.person_id == ANA.id
        except PlayerError:
            assert len(before) <= len(await club.tables.history(place, most=200))
        taken = club.rows("SELECT undoes FROM ply WHERE undoes IS NOT NULL")
        assert len(taken) == len(set(taken))


async def do(club: Club, deed: str, which: int, place: Place, rolls: list[tuple[Played, Place]]) -> None:
    if deed == "open":
        rolls.append((await club.loose(place), place))
    elif deed == "press" and rolls:
        roll, where = rolls[which % len(rolls)]
        rolls[which % len(rolls)] = (await club.press(roll, place=where), where)
    elif deed == "ship":
        await club.ship(f"Ship {which}", place)
    elif deed == "clear":
        await club.tables.clear(Request(ANA, place))
    elif deed == "undo":
        await club.tables.undo(Request(ANA, place))
    elif deed in ("day", "week"):
        club.now += DAY if deed == "day" else 7 * DAY
    elif deed == "tidy":
        await tidied(club)


async def tidied(club: Club) -> None:
    everything = "SELECT id, session_id, number, at, undoes FROM ply ORDER BY id"
    before, pieces = club.rows(everything), club.rows("SELECT * FROM piece")
    tables_ = {key for (key,) in club.rows("SELECT id FROM session WHERE game = 'table'")}
    await club.tidy()
    left, until = club.rows(everything), club.now - KEPT * DAY
    newest = {session: max(row[3] for row in before if row[1] == session) for _, session, *_ in before}
    last = {session: max(row[2] for row in before if row[1] == session) for _, session, *_ in before}
    must = [
        row
        for row in before
        if (row[3] >= until or row[2] == last[row[1]] if row[1] in tables_ else newest[row[1]] >= until)
    ]
    assert left == must
    assert club.rows("SELECT * FROM piece") == pieces
    kept = {row[0] for row in left}
    assert all(row[0] > row[4] for row in left if row[4]), "what undoes comes later"
    assert not any(row[4] in kept and row[0] not in kept for row in before), "nothing comes undone"
    held = {session for (session,) in club.rows("SELECT session_id FROM seat")}
    assert held <= {key for (key,) in club.rows("SELECT id FROM session")}


# Servers


async def erased(club: Club) -> dict[str, int]:
    """Rows in each table that may hold something of a server."""
    names = ("session", "ply", "seat", "piece", "redraw", "ruleset", "server", "saved", "shown")
    return {name: club.rows(f"SELECT count(*) FROM {name}")[0][0] for name in names}  # noqa: S608 - names from above


async def played_in(club: Club, place: Place) -> None:
    for _ in range(3):
        await club.press(await club.loose(place), place=place)
    await club.ship("Luke", place)
    await club.loose(place)
    await club.tables.undo(Request(ANA, place))
    with closing(sqlite3.connect(club.file)) as file:
        for scope, key in (("server", place.guild_id), ("channel", place.channel_id)):
            row = (scope, key or place.channel_id, "warsurge.method", '"chart"', 0, place.guild_id)
            file.execute("INSERT INTO ruleset VALUES (?, ?, ?, ?, ?, ?)", row)
        saved = ("channel", place.channel_id, place.guild_id, "Trap", "trap", "/roll dice:1d6")
        file.execute("INSERT INTO saved (scope, scope_id, guild_id, name, key, line) VALUES (?, ?, ?, ?, ?, ?)", saved)
        file.execute("INSERT INTO shown VALUES (?, 'saved', 0, ?, 5, 1)", (place.channel_id, place.guild_id))
        newest = file.execute("SELECT max(id) FROM session").fetchone()[0]
        file.execute("INSERT INTO shown VALUES (6, 'log', ?, ?, 7, 1)", (newest, place.guild_id))
        file.commit()


@pytest.mark.parametrize("plies", [1, 3, 200])
async def test_a_server_is_erased_with_all_it_left_and_nothing_else_is(
    club: Club, monkeypatch: pytest.MonkeyPatch, plies: int
) -> None:
    monkeypatch.setattr(retention, "PLIES", plies)
    await played_in(club, THERE)
    await played_in(club, PRIVATE)
    club.servers.note_joined(22)
    await club.servers.write()
    only = await erased(club)
    await played_in(club, HERE)
    club.servers.note_joined(11)
    await club.servers.note_left(11, club.now)
    club.now += GRACE
    club.keeper._keep_days = a_year
    await club.tidy()
    assert await erased(club) == only
    assert club.rows("SELECT id, left_at FROM server") == [(22, None)]


async def test_a_server_is_not_erased_before_its_time(club: Club) -> None:
    club.keeper._keep_days = a_year
    await played_in(club, HERE)
    await club.servers.note_left(11, club.now)
    before = await erased(club)
    club.now += GRACE - 1
    await club.tidy()
    assert await erased(club) == before


async def test_coming_back_in_the_middle_stops_the_erasing(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "SESSIONS", 1)
    club.keeper._keep_days = a_year
    await played_in(club, HERE)
    await club.servers.note_left(11, club.now)
    club.now += GRACE
    assert await club.keeper.step(club.now)
    club.servers.note_joined(11)
    before = await erased(club)
    await club.tidy()
    assert await erased(club) == before
    assert before["session"] > 0


async def test_another_process_s_servers_are_left_to_it(club: Club) -> None:
    club.keeper._keep_days = a_year
    club.keeper._is_ours = lambda server: server != 11
    await played_in(club, HERE)
    await club.servers.note_left(11, club.now)
    before = await erased(club)
    club.now += GRACE
    await club.tidy()
    assert await erased(club) == before
