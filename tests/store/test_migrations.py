"""A database gets its tables in one step or not at all, and they are those of the schema."""

import shutil
import sqlite3
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, text

from bot.store.database import MIGRATIONS, Database, migrate
from bot.store.errors import DatabaseTooNewError
from bot.store.schema import metadata

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


def schema(file: Path) -> dict[str, list[str]]:
    """What made each table and index, by its name, as SQLite keeps it, line by line; their order does not matter."""
    connection = sqlite3.connect(file)
    try:
        rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    finally:
        connection.close()
    ours = {name: sql.splitlines() for name, sql in rows if not name.startswith(("alembic", "sqlite"))}
    return {name: sorted(line.strip(" \t,") for line in lines) for name, lines in ours.items()}


def differences(connection: Connection) -> list[object]:
    return list(compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), metadata))


def test_the_versions_are_one_row_in_the_order_of_their_files() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    scripts = list(ScriptDirectory.from_config(config).walk_revisions())
    assert [script.revision for script in reversed(scripts)] == VERSIONS


async def test_the_model_and_the_migrations_agree(url: str, file: Path, tmp_path: Path) -> None:
    await migrate(url)
    engine = create_engine(f"sqlite:///{file}")
    try:
        with engine.connect() as connection:
            assert differences(connection) == []
    finally:
        engine.dispose()
    by_the_model = create_engine(f"sqlite:///{tmp_path / 'model.db'}")
    metadata.create_all(by_the_model)
    by_the_model.dispose()
    assert schema(file) == schema(tmp_path / "model.db")


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
    with pytest.raises(DatabaseTooNewError) as caught:
        await Database.open(url)
    assert str(caught.value) == (
        "This database was created by a newer version of Rollcall, so nothing was changed. Install "
        "that version again, or set DATABASE_URL to another database."
    )
    assert caught.value.reason == f"the database is at revision 9999; the newest known here is {VERSIONS[-1]}"
    assert content(file) == before


async def test_the_file_is_set_up_for_many_readers_and_one_writer(database: Database, file: Path) -> None:
    async with database.transaction() as connection:
        settings = [
            (await connection.execute(text(f"PRAGMA {name}"))).scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        ]
    assert settings == ["wal", 1, 1, 1_500]
