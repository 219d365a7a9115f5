"""Copies a database into another one, of either engine, row by row, and compares them.

The source is only read. An interrupted copy can be resumed. Stop the bot first: rows written meanwhile are not copied,
and the comparison reports that.

Orphaned rows are not copied. Foreign keys forbid them, so only writes that bypass the keys leave any.
"""

import hashlib
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.database import Database, same_database
from bot.store.errors import StoreError
from bot.store.schema import counted, metadata

# Orphaned rows


@dataclass(frozen=True, slots=True)
class Orphans:
    """Number of rows of a table whose ``column`` refers to no row of ``parent``."""

    rows: int
    table: str
    column: str
    parent: str

    def __str__(self) -> str:
        return f"{self.rows} rows of {self.table} belong to no {self.parent}"

    @property
    def delete_statement(self) -> str:
        return f"DELETE FROM {self.table} WHERE {self.column} NOT IN (SELECT id FROM {self.parent})"  # noqa: S608 - from the schema


async def orphans(connection: AsyncConnection) -> list[Orphans]:
    """Return a database's orphaned rows, by table. Reads every row that refers to another one."""
    result = []
    for table in metadata.sorted_tables:
        for key in table.foreign_keys:
            of = key.column
            lost = sa.select(sa.func.count()).select_from(table).where(~sa.exists().where(of == key.parent))
            if rows := await connection.scalar(lost):
                result.append(Orphans(rows, table.name, key.parent.name, of.table.name))
    return result


# Another database

ROWS: Final = 1000
Key = tuple[Any, ...]


class CopyMismatchError(StoreError):
    """The target's rows differ from the source's."""

    sentence = (
        "The two databases don't match, so don't use the target yet. The source wasn't changed. Stop "
        "the bot and move into an empty database; you can resume a `move` into a target that was "
        "filled from the same source."
    )


class OrphanedRowsError(StoreError):
    def __init__(self, result: Sequence[Orphans]) -> None:
        super().__init__("; ".join(map(str, result)))
        cures = "; ".join(item.delete_statement for item in result)
        sentence = (
            f"The source holds rows that belong to nothing ({self.reason}), and the target takes none of these. "
            f"Nothing more was moved. Take them away in the source ({cures}), then move again: it goes on from here."
        )
        self.args = (sentence,)


@dataclass(frozen=True, slots=True)
class MovedTable:
    """A table's row count and the SHA-256 (hex) of all its rows in key order."""

    table: str
    rows: int
    digest: str


async def move(
    source_url: str, target_url: str, tell: Callable[[MovedTable], None] = lambda _: None
) -> list[MovedTable]:
    """Copy every row and compare counts and digests; ``tell`` is called for each table that matches. Raises
    ``StoreError``: ``CopyMismatchError`` if the comparison fails, ``OrphanedRowsError`` for orphaned rows.
    """
    if same_database(source_url, target_url):
        raise CopyMismatchError("source and target are one database")
    async with AsyncExitStack() as opened:
        source = await Database.open(source_url, migrates=False)
        opened.push_async_callback(source.close)
        async with source.transaction() as connection:
            if result := await orphans(connection):
                raise OrphanedRowsError(result)
        target = await Database.open(target_url)
        opened.push_async_callback(target.close)
        begun = {table.name: await _resume_key(source, target, table) for table in metadata.sorted_tables}
        for table in metadata.sorted_tables:  # referenced tables first
            await _copy(source, target, table, begun[table.name])
        await _count_on(source, target)
        return [await _compare(source, target, table, tell) for table in metadata.sorted_tables]


async def _resume_key(source: Database, target: Database, table: sa.Table) -> Key | None:
    """Return the key of the target's last row. Raises ``CopyMismatchError`` if it is not the source's."""
    async with target.transaction() as connection:
        keys = _keys(connection, table)
        last = (await connection.execute(sa.select(*keys).order_by(*(key.desc() for key in keys)).limit(1))).first()
    if last is None or table is counted:  # its one row is made by a migration
        return None
    async with source.transaction() as connection:
        here = sa.tuple_(*_keys(connection, table)) == sa.tuple_(*last)
        if not await connection.scalar(sa.select(sa.func.count()).select_from(table).where(here)):
            raise CopyMismatchError(f"the target has rows in {table.name} that are not in the source")
    return tuple(last)


async def _copy(source: Database, target: Database, table: sa.Table, last: Key | None) -> None:
    """Copy the rows after key ``last``, in key order."""
    if table is counted:
        async with target.transaction() as connection:
            await connection.execute(sa.delete(table))
    while page := await source.run(_next_rows, table, last):
        async with target.transaction() as connection:
            await connection.execute(sa.insert(table), [dict(row) for row in page])
        last = _key(table, page[-1])


def _keys(connection: AsyncConnection, table: sa.Table) -> list[sa.ColumnElement[Any]]:
    """Return the key's columns, in an order that both engines share."""
    is_postgres = connection.dialect.name == "postgresql"  # sorts text by the rules of a language
    return [
        sa.collate(column, "C") if is_postgres and isinstance(column.type, sa.Text) else column
        for column in table.primary_key
    ]


def _key(table: sa.Table, row: Any) -> Key:
    return tuple(row[column.name] for column in table.primary_key)


async def _next_rows(connection: AsyncConnection, table: sa.Table, after: Key | None) -> Sequence[Any]:
    keys = _keys(connection, table)
    query = sa.select(table).order_by(*keys).limit(ROWS)
    if after is not None:
        query = query.where(sa.tuple_(*keys) > sa.tuple_(*after))
    return (await connection.execute(query)).mappings().all()


async def _compare(
    source: Database, target: Database, table: sa.Table, tell: Callable[[MovedTable], None]
) -> MovedTable:
    moved_table, other = await source.run(_digest, table), await target.run(_digest, table)
    if moved_table != other:
        raise CopyMismatchError(
            f"{table.name} has {moved_table.rows} rows in the source and {other.rows} in the target"
        )
    tell(moved_table)
    return moved_table


async def _digest(connection: AsyncConnection, table: sa.Table) -> MovedTable:
    """Count and hash a table's rows; equal rows give equal hashes on both engines."""
    hashed, count = hashlib.sha256(), 0
    last: Key | None = None
    while page := await _next_rows(connection, table, last):
        for row in page:
            hashed.update(repr([row[column.name] for column in table.columns]).encode())
        count += len(page)
        last = _key(table, page[-1])
    return MovedTable(table.name, count, hashed.hexdigest())


async def hash_rows(connection: AsyncConnection) -> list[MovedTable]:
    """Count and hash the rows of every table of a database of any version."""
    tables = sa.MetaData()
    await connection.run_sync(tables.reflect)
    return [await _digest(connection, table) for table in tables.sorted_tables]


async def _count_on(source: Database, target: Database) -> None:
    """Continue numbering rows after the highest id ever used, because ids are never reused."""
    async with source.transaction() as connection:
        used = await _last_numbers(connection)
    async with target.transaction() as connection:
        if connection.dialect.name == "sqlite":
            for name, number in used.items():
                if not metadata.tables[name].dialect_options["sqlite"]["autoincrement"]:
                    continue
                await connection.execute(sa.text("DELETE FROM sqlite_sequence WHERE name = :name"), {"name": name})
                add = sa.text("INSERT INTO sqlite_sequence VALUES (:name, :number)")
                await connection.execute(add, {"name": name, "number": number})
            return
        for name, number in used.items():
            sequence = sa.text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :number, :is_used)")
            is_used = number > 0
            await connection.execute(sequence, {"name": name, "number": max(1, number), "is_used": is_used})


async def _last_numbers(connection: AsyncConnection) -> dict[str, int]:
    """Return the last number of each autoincrement table, 0 for none."""
    query, counter = "SELECT seq FROM sqlite_sequence WHERE name = :name", "{}"
    if connection.dialect.name == "postgresql":
        query, counter = "SELECT last_value FROM pg_sequences WHERE sequencename = :name", "{}_id_seq"
    numbers: dict[str, int] = {}
    for table in metadata.sorted_tables:
        if isinstance(table.autoincrement_column, sa.Column):
            highest = await connection.scalar(sa.select(sa.func.max(table.c.id)))
            given = await connection.scalar(sa.text(query), {"name": counter.format(table.name)})
            numbers[table.name] = max(highest or 0, given or 0)
    return numbers
