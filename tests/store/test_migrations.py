"""Every database of the past becomes today's, in one step or not at all."""

import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, text

from bot.rules.warsurge import pieces as warsurge_pieces
from bot.rules.warsurge.units import Unit, Weapon
from bot.rules.xwing import pieces
from bot.rules.xwing.ship import Ship
from bot.sessions import codec
from bot.store import pieces as rows
from bot.store.database import MIGRATIONS, Database, migrate
from bot.store.errors import TooNew
from bot.store.pieces import Piece
from bot.store.schema import metadata
from bot.store.shown import EVERYBODY, Kind, Look, ShownMessage, ShownMessages

SCRIPTS = sorted((MIGRATIONS / "versions").glob("[0-9]*.py"))
VERSIONS = [script.name[:4] for script in SCRIPTS]


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The migrations, to be tampered with."""
    return Path(shutil.copytree(MIGRATIONS, tmp_path / "migrations"))


def content(file: Path) -> list[str]:
    """Everything that the file says, its version included."""
    connection = sqlite3.connect(file)
    try:
        return list(connection.iterdump())
    finally:
        connection.close()


def version(file: Path) -> list[str]:
    return [line for line in content(file) if line.startswith('INSERT INTO "alembic_version"')]


def differences(connection: Connection) -> list[object]:
    return list(compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), metadata))


def test_the_versions_are_one_row_in_the_order_of_their_files() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    scripts = list(ScriptDirectory.from_config(config).walk_revisions())
    assert [script.revision for script in reversed(scripts)] == VERSIONS


async def test_the_model_and_the_migrations_agree(url: str, file: Path) -> None:
    await migrate(url)
    engine = create_engine(f"sqlite:///{file}")
    try:
        with engine.connect() as connection:
            assert differences(connection) == []
    finally:
        engine.dispose()


@pytest.mark.parametrize("number", range(len(VERSIONS)))
async def test_every_version_can_be_upgraded(url: str, file: Path, copied: Path, number: int) -> None:
    for script in SCRIPTS[number + 1 :]:
        (copied / "versions" / script.name).unlink()
    await migrate(url, copied)
    assert VERSIONS[number] in version(file)[0]
    await migrate(url)
    assert VERSIONS[-1] in version(file)[0]
    await test_the_model_and_the_migrations_agree(url, file)


async def test_a_second_start_changes_nothing(url: str, file: Path) -> None:
    await migrate(url)
    before = content(file)
    await migrate(url)
    assert content(file) == before


BROKEN = '''"""To break in the middle."""

import sqlalchemy as sa
from alembic import op

revision = "9001"
down_revision = "{before}"


def upgrade() -> None:
    op.create_table("half", sa.Column("id", sa.Integer()))
    op.execute("INSERT INTO registration VALUES ('all', 'x', 1)")
    op.execute("DROP TABLE ply")
    raise ZeroDivisionError
'''


async def test_a_failing_migration_changes_nothing(url: str, file: Path, copied: Path) -> None:
    await migrate(url)
    before = content(file)
    (copied / "versions" / "9001_broken.py").write_text(BROKEN.format(before=VERSIONS[-1]))
    with pytest.raises(ZeroDivisionError):
        await migrate(url, copied)
    assert content(file) == before


async def test_a_migration_failing_on_an_empty_file_leaves_it_empty(url: str, file: Path, copied: Path) -> None:
    (copied / "versions" / "9001_broken.py").write_text(BROKEN.format(before=VERSIONS[-1]))
    with pytest.raises(ZeroDivisionError):
        await migrate(url, copied)
    assert content(file) == ["BEGIN TRANSACTION;", "COMMIT;"]


ORPHANING = '''"""To leave a ply without its session."""

from alembic import op

revision = "9001"
down_revision = "{before}"


def upgrade() -> None:
    op.execute("DELETE FROM session")
'''


async def test_a_migration_may_not_break_foreign_keys(
    database: Database, url: str, file: Path, opened: int, copied: Path
) -> None:
    await database.close()
    before = content(file)
    (copied / "versions" / "9001_orphaning.py").write_text(ORPHANING.format(before=VERSIONS[-1]))
    with pytest.raises(RuntimeError, match="foreign keys"):
        await migrate(url, copied)
    assert content(file) == before


async def test_a_newer_database_is_refused(url: str, file: Path) -> None:
    await migrate(url)
    connection = sqlite3.connect(file)
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.close()
    before = content(file)
    with pytest.raises(TooNew) as caught:
        await Database.open(url)
    assert str(caught.value) == (
        "This database was made by a newer version of Rollcall, so nothing was changed. "
        "Install that version again, or set DATABASE_URL to another database."
    )
    assert caught.value.reason == f"the database is at revision 9999; the newest known here is {VERSIONS[-1]}"
    assert content(file) == before


async def test_the_file_is_set_up_for_many_readers_and_one_writer(database: Database, file: Path) -> None:
    async with database.transaction() as connection:
        settings = [
            (await connection.exec_driver_sql(f"PRAGMA {name}")).scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        ]
    assert settings == ["wal", 1, 1, 1_500]


OLD_SHIP = (
    '{"name":"Lüke","attack":3,"agility":2,"hull":4,"shields":2,"force":2,"charge":1,"initiative":5,"abilities":"",'
    '"tokens":{"focus":1},"force_left":2,"charge_left":1,"shields_left":0,"facedown":3,"faceup":1,"locks":["Vader"],'
    '"engaged":true,"attacks":1,"leaves":6}'
)


async def test_ships_in_play_play_on_and_undo_still_knows_them(url: str, file: Path, copied: Path) -> None:
    """Version 2 counted damage cards; since version 4 a ship names them, and has an owner and a card."""
    for script in SCRIPTS:
        if script.name > "0002_z":
            (copied / "versions" / script.name).unlink()
    await migrate(url, copied)
    piece = {"game": "xwing", "key": "lüke", "name": "Lüke", "body": OLD_SHIP, "schema": 1}
    profile = {"game": "infinity", "key": "ana", "name": "Ana", "body": '{"name":"Ana","stats":{}}', "schema": 1}
    records = [
        {"piece": "Lüke", "game": "xwing", "before": None, "after": piece},
        {"piece": "Ana", "game": "infinity", "before": None, "after": profile},
    ]
    connection = sqlite3.connect(file)
    add = "INSERT INTO piece (channel_id, game, name, key, body, schema) VALUES (1, :game, :name, :key, :body, :schema)"
    connection.executemany(add, [piece, profile])
    connection.execute("INSERT INTO session (game, channel_id, opened_by, opened_at) VALUES ('table', 1, 1, 1)")
    connection.execute(
        "INSERT INTO ply (session_id, number, channel_id, person_id, offer, choice, draws, redraws, changes, schema, "
        "state, at) VALUES (1, 0, 1, 1, 'step', '{}', '[]', '[]', ?, 1, '{}', 1)",
        [json.dumps(records, separators=(",", ":"), ensure_ascii=False)],
    )
    connection.commit()
    connection.close()
    await migrate(url)
    connection = sqlite3.connect(file)
    stored = dict(connection.execute("SELECT game, body FROM piece").fetchall())
    recorded = codec.read_changes(connection.execute("SELECT changes FROM ply").fetchone()[0])
    schemas = connection.execute("SELECT schema FROM piece ORDER BY game").fetchall()
    connection.close()
    ship = codec.read_body(pieces.Body, stored["xwing"])
    assert ship == Ship(
        **{
            **{name: value for name, value in json.loads(OLD_SHIP).items() if name != "leaves"},
            "facedown": ("", "", ""),
            "faceup": ("",),
            "locks": ("Vader",),
            "wrecked": True,
        }
    )
    assert schemas == [(1,), (pieces.SCHEMA,)]
    assert [one.after.body for one in recorded if one.after] == [stored["xwing"], stored["infinity"]]
    assert [one.after.schema for one in recorded if one.after] == [pieces.SCHEMA, 1]


async def test_warsurge_profiles_become_units_on_the_table_and_in_the_record(
    url: str, file: Path, copied: Path
) -> None:
    """A profile of Power, Defence and Dice is a unit whose weapon has no name; undo still finds it as it was."""
    for script in SCRIPTS:
        if script.name >= "0005":
            (copied / "versions" / script.name).unlink()
    await migrate(url, copied)
    body = '{"name":"Żółw","stats":{"Power":6,"Defence":5,"Dice":4}}'
    profile = {"game": "warsurge", "key": "żółw", "name": "Żółw", "body": body, "schema": 1}
    ship: dict[str, Any] = {"game": "xwing", "key": "luke", "name": "Luke", "body": '{"hull":4}', "schema": 1}
    changes = [{"piece": one["name"], "game": one["game"], "before": None, "after": one} for one in (profile, ship)]
    connection = sqlite3.connect(file)
    for one in (profile, ship):
        connection.execute(
            "INSERT INTO piece (channel_id, game, key, name, body, schema)"
            " VALUES (1, :game, :key, :name, :body, :schema)",
            one,
        )
    connection.execute("INSERT INTO session (id, game, channel_id, opened_by, opened_at) VALUES (1, 'table', 1, 1, 1)")
    connection.execute(
        "INSERT INTO ply (session_id, number, person_id, offer, choice, draws, schema, state, at, channel_id, changes)"
        " VALUES (1, 0, 1, 'step', '{}', '[]', 1, '{}', 1, 1, ?)",
        (json.dumps(changes, ensure_ascii=False),),
    )
    connection.commit()
    connection.close()
    await migrate(url)
    unit = Unit(name="Żółw", defence=5, weapons=(Weapon("", 6, 4),))
    database = await Database.open(url)
    async with database.transaction() as transaction:
        held = await rows.find(transaction, 1)
        recorded = (await transaction.execute(text("SELECT changes FROM ply"))).scalar_one()
    await database.close()
    kept = next(one for one in held if one.game == "warsurge")
    assert (kept.schema, codec.read_body(Unit, kept.body)) == (warsurge_pieces.SCHEMA, unit)
    assert [change.after for change in codec.read_changes(recorded)] == [kept, Piece(**ship)]


BEFORE_0014 = (
    "INSERT INTO session (id, game, guild_id, channel_id, opened_by, opened_at) VALUES (9, 'xwing', 11, 1, 1, 1)",
    "INSERT INTO board VALUES (1, 11, 100, 2)",
    "INSERT INTO board VALUES (2, NULL, 9223372036854775807, 0)",
    "INSERT INTO panel VALUES ('turns', 1, 0, 11, 101)",
    "INSERT INTO panel VALUES ('saved', 1, 7, 11, 102)",
    "INSERT INTO panel VALUES ('saved', 1, 0, 11, 103)",
    "INSERT INTO log_copy VALUES (9, 5, 104)",
    "INSERT INTO log_copy VALUES (8, 5, 105)",
)
"""Boards, a turn order, panels, and two copies in a log channel, of which one roll is no longer there."""
SINCE_0014 = [
    ShownMessage(Kind.BOARD, 1, EVERYBODY, 11, 100, Look.WORDS),
    ShownMessage(Kind.TURNS, 1, EVERYBODY, 11, 101),
    ShownMessage(Kind.SAVED, 1, 7, 11, 102),
    ShownMessage(Kind.SAVED, 1, EVERYBODY, 11, 103),
    ShownMessage(Kind.LOG, 5, 9, 11, 104),
    ShownMessage(Kind.BOARD, 2, EVERYBODY, None, 2**63 - 1, Look.TEXT),
]


async def test_messages_that_were_shown_are_all_in_one_table(url: str, file: Path, copied: Path) -> None:
    for script in SCRIPTS:
        if script.name >= "0014":
            (copied / "versions" / script.name).unlink()
    await migrate(url, copied)
    connection = sqlite3.connect(file)
    for statement in BEFORE_0014:
        connection.execute(statement)
    connection.commit()
    connection.close()
    database = await Database.open(url)
    kept = await ShownMessages(database).of_kinds([*Kind])
    await database.close()
    assert sorted(kept, key=lambda one: one.message_id) == SINCE_0014
