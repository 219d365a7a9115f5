"""Statements that SQLAlchemy writes for PostgreSQL alone, though SQLite takes them too."""

from collections.abc import Sequence

from sqlalchemy import Table
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects.postgresql import Insert


def upsert(table: Table, key: Sequence[str], columns: Sequence[str], newer: str | None = None) -> Insert:
    """An INSERT that takes the place of the row of its ``key``, with these ``columns``.

    ``newer``: only if it is larger in this one. SQLite and PostgreSQL write it alike, so PostgreSQL's serves both.
    """
    into = postgresql.insert(table)
    is_newer = table.c[newer] < into.excluded[newer] if newer else None
    return into.on_conflict_do_update(
        index_elements=key, set_={name: into.excluded[name] for name in columns}, where=is_newer
    )
