"""Every index serves some statement of the store; one that serves none costs each roll time and room."""

import importlib
import pkgutil
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import Delete, Insert, Update
from sqlalchemy.engine import Dialect, make_url
from sqlalchemy.sql import CompoundSelect, Select

import bot.store
from bot.store.schema import metadata
from tests.engines import connected

KINDS = (Select, CompoundSelect, Insert, Update, Delete)
NEEDED = {index.name for table in metadata.sorted_tables for index in table.indexes if not index.unique}
ONLY_SOMETIMES = {"ix_ply_person_id", "ix_session_opened_by"}
"""These serve nobody but whoever asks what is kept about them, or to be forgotten."""

MANY = """
INSERT INTO session (game, guild_id, channel_id, opened_by, opened_at) SELECT 'xwing', i, i, i, i
    FROM generate_series(1, 3000) i;
INSERT INTO player (guild_id, channel_id, person_id, name) SELECT i, i, i, 'Ana' FROM generate_series(1, 3000) i
"""
"""Rows, so that PostgreSQL has a reason to choose."""


def statements(module: Any, engine: str) -> Iterator[Any]:
    """The statements that a module has made ready, for one engine where they differ."""
    for value in vars(module).values():
        one = value
        if isinstance(value, dict):  # by engine, or by what they are for
            one = value.get(engine) if value.keys() & {"sqlite", "postgresql"} else tuple(value.values())
        each = (getattr(each, "query", each) for each in (one if isinstance(one, tuple | list) else [one]))
        yield from (each for each in each if isinstance(each, KINDS))


def written(statement: Any, dialect: Dialect) -> str:
    """A statement with a '1' in place of every parameter; both engines read that as whatever type there must be."""
    text = re.sub(r"\(__\[POSTCOMPILE_scopes\w*\]\)", "(VALUES ('1', 1))", statement.compile(dialect=dialect).string)
    text = re.sub(r":\w+(?=::BIGINT\[\])", "'{1}'", text)
    text = re.sub(r"__\[POSTCOMPILE_(\w+)\]", "'1'", text)
    return re.sub(r"(?<!:):\w+", "'1'", text)


def dialect(name: str) -> Dialect:
    chosen: Any = make_url(f"{name}://").get_dialect()
    made: Dialect = chosen(paramstyle="named")
    return made


def questions(dialect: Dialect) -> dict[str, set[str]]:
    """All statements of the store by module."""
    found = {}
    for module in pkgutil.iter_modules(bot.store.__path__):
        ours = statements(importlib.import_module(f"bot.store.{module.name}"), dialect.name)
        found[module.name] = {written(one, dialect) for one in ours}
    return found


def indexes(plan: str) -> set[str]:
    return set(re.findall(r"\bix_\w+", plan))


def test_sqlite_uses_every_index(migrated: Path) -> None:
    used: dict[str, set[str]] = {}
    with closing(sqlite3.connect(migrated)) as connection:
        for module, texts in questions(dialect("sqlite")).items():
            if module in ("interactions", "shares"):
                continue  # PostgreSQL only
            for text in texts:
                plan = connection.execute(f"EXPLAIN QUERY PLAN {text}").fetchall()
                for name in indexes(" ".join(row[3] for row in plan)):
                    used.setdefault(name, set()).add(module)
    assert used.keys() >= NEEDED
    for name in ONLY_SOMETIMES:
        assert used[name] <= {"people", "watch_links"}, "the links of a page end when somebody who pressed is forgotten"


async def test_postgresql_uses_every_index(rolls: str) -> None:
    used: set[str] = set()
    async with connected(rolls) as connection:
        await connection.execute(f"{MANY}; ANALYZE; SET enable_seqscan = off")
        for text in set().union(*questions(dialect("postgresql+asyncpg")).values()):
            used |= indexes(" ".join(row[0] for row in await connection.fetch(f"EXPLAIN {text}")))
    assert used >= NEEDED
