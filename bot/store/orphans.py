"""Rows that belong to nothing. Foreign keys forbid them; only what writes past the keys leaves any."""

from dataclasses import dataclass

from sqlalchemy import exists, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import metadata


@dataclass(frozen=True, slots=True)
class Orphans:
    """So many rows of a table whose ``column`` names no row of its ``parent``."""

    rows: int
    table: str
    column: str
    parent: str

    def __str__(self) -> str:
        return f"{self.rows} rows of {self.table} belong to no {self.parent}"

    @property
    def cure(self) -> str:
        """The statement that takes them away."""
        return f"DELETE FROM {self.table} WHERE {self.column} NOT IN (SELECT id FROM {self.parent})"  # noqa: S608 - from the schema


async def orphans(connection: AsyncConnection) -> list[Orphans]:
    """All of a database, by table. Reads every row that refers to another one."""
    found = []
    for table in metadata.sorted_tables:
        for key in table.foreign_keys:
            of = key.column
            lost = select(func.count()).select_from(table).where(~exists().where(of == key.parent))
            if rows := await connection.scalar(lost):
                found.append(Orphans(rows, table.name, key.parent.name, of.table.name))
    return found
