"""Every index serves some statement of the store; one that serves none costs each roll time and room."""

import importlib
import inspect
import pkgutil
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import is_dataclass
from pathlib import Path
from types import NoneType, SimpleNamespace
from typing import Any, get_args, get_origin, get_type_hints

from sqlalchemy import Delete, Insert, Update
from sqlalchemy.engine import Dialect, make_url
from sqlalchemy.sql import CompoundSelect, Select

import bot.store
from bot.store.schema import metadata
from tests.engines import connected

KINDS = (Select, CompoundSelect, Insert, Update, Delete)
NEEDED = {index.name for table in metadata.sorted_tables for index in table.indexes if not index.unique}
ONLY_SOMETIMES = {"ix_ply_person_id", "ix_session_opened_by"}
"""These serve nobody but whoever asks what is kept about them, or to be forgotten, or for one person's history."""

MANY = """
INSERT INTO session (game, guild_id, channel_id, opened_by, opened_at) SELECT 'xwing', i, i, i, i
    FROM generate_series(1, 3000) i;
INSERT INTO player (guild_id, channel_id, person_id, name) SELECT i, i, i, 'Ana' FROM generate_series(1, 3000) i;
INSERT INTO opening (ply_id, session_id, channel_id, player_id, root, rule, leaves, opened)
    SELECT i, i, i, i, i, 'owner', '[]', '[]' FROM generate_series(1, 3000) i
"""
"""Rows, so that PostgreSQL has a reason to choose."""


def statements(module: Any, engine: str) -> Iterator[Any]:
    """The statements that a module has made ready, for one engine where they differ."""
    for value in vars(module).values():
        item = value
        if isinstance(value, dict):  # by engine, or by what they are for
            item = value.get(engine) if value.keys() & {"sqlite", "postgresql"} else tuple(value.values())
        each = (getattr(each, "query", each) for each in (item if isinstance(item, tuple | list) else [item]))
        yield from (each for each in each if isinstance(each, KINDS))


class Row(tuple[int, ...]):
    """A row of any statement, with a 1 under every name."""

    __slots__ = ()

    def __getattr__(self, name: str) -> int:
        return 1


class Rows:
    """What every statement finds: one row."""

    rowcount = 1

    def all(self) -> list[Any]:
        return [Row((1, 1, 1))]

    def one(self) -> Any:
        return self.all()[0]

    first = one_or_none = one

    def scalar_one(self) -> int:
        return 1


class Numbers(Rows):
    """The same of the first column."""

    def all(self) -> list[Any]:
        return [1]


class Asked:
    """A connection that keeps what it is asked for."""

    def __init__(self, engine: str) -> None:
        self.dialect = SimpleNamespace(name=engine, server_version_info=(16,))
        self.statements: list[Any] = []

    async def execute(self, statement: Any, _: Any = None) -> Rows:
        self.statements.append(statement)
        return Rows()

    async def scalar(self, statement: Any, _: Any = None) -> int:
        self.statements.append(statement)
        return 1

    async def scalars(self, statement: Any, _: Any = None) -> Numbers:
        self.statements.append(statement)
        return Numbers()


def some(kind: Any) -> Any:
    """A value of a type."""
    if is_dataclass(kind) or hasattr(kind, "_fields"):
        return kind(**{name: some(hint) for name, hint in get_type_hints(kind).items()})
    if kind in (Any, object):
        return Row()
    parts = [arg for arg in get_args(kind) if arg not in (NoneType, ...)]
    if NoneType in get_args(kind):
        return some(parts[0])
    if len(parts) == 2:
        return {some(parts[0]): some(parts[1])}
    return [some(parts[0])] if get_origin(kind) is not None else kind(1)


async def asked(module: Any, engine: str) -> list[Any]:
    """The statements that the functions of a module ask a database, which finds a row for each."""
    connection = Asked(engine)
    for name, function in inspect.getmembers(module, inspect.iscoroutinefunction):
        hints = get_type_hints(function)
        if function.__module__ != module.__name__ or "connection" not in hints or name.startswith("_"):
            continue
        needed = [
            parameter for parameter in inspect.signature(function).parameters.values() if parameter.name != "connection"
        ]
        if any(item.kind is item.VAR_KEYWORD for item in needed):
            continue  # whatever columns somebody names, of a row by its id
        for given in (needed, [item for item in needed if item.default is item.empty]):
            values = {item.name: some(hints[item.name]) for item in given}
            with suppress(Exception):  # it may want another row; what it has asked stays
                await function(connection, **values)
    return [statement for statement in connection.statements if isinstance(statement, KINDS)]


def written(statement: Any, dialect: Dialect) -> str:
    """A statement with a '1' in place of every parameter; both engines read that as whatever type there must be."""
    text = re.sub(
        r"(?<=\) IN )\(__\[POSTCOMPILE_\w+\]\)", "(VALUES ('1', 1))", statement.compile(dialect=dialect).string
    )
    text = re.sub(r":\w+(?=::BIGINT\[\])", "'{1}'", text)
    text = re.sub(r"__\[POSTCOMPILE_(\w+)\]", "'1'", text)
    return re.sub(r"(?<!:):\w+", "'1'", text)


def dialect(name: str) -> Dialect:
    chosen: Any = make_url(f"{name}://").get_dialect()
    result: Dialect = chosen(paramstyle="named")
    return result


async def questions(dialect: Dialect) -> dict[str, set[str]]:
    """All statements of the store by module."""
    result = {}
    for item in pkgutil.iter_modules(bot.store.__path__):
        module = importlib.import_module(f"bot.store.{item.name}")
        ours = [*statements(module, dialect.name), *await asked(module, dialect.name)]
        result[item.name] = {written(one, dialect) for one in ours}
    return result


def indexes(plan: str) -> set[str]:
    return set(re.findall(r"\bix_\w+", plan))


async def test_sqlite_uses_every_index(migrated: Path) -> None:
    used: dict[str, set[str]] = {}
    with closing(sqlite3.connect(migrated)) as connection:
        for module, texts in (await questions(dialect("sqlite"))).items():
            if module in ("interactions", "shares"):
                continue  # PostgreSQL only
            for text in texts:
                plan = connection.execute(f"EXPLAIN QUERY PLAN {text}").fetchall()
                for name in indexes(" ".join(row[3] for row in plan)):
                    used.setdefault(name, set()).add(module)
    assert used.keys() >= NEEDED
    for name in ONLY_SOMETIMES:
        assert used[name] <= {"history", "people", "watch_links"}, name


async def test_postgresql_uses_every_index(rolls: str) -> None:
    used: set[str] = set()
    async with connected(rolls) as connection:
        await connection.execute(f"{MANY}; ANALYZE; SET enable_seqscan = off")
        for text in set().union(*(await questions(dialect("postgresql+asyncpg"))).values()):
            used |= indexes(" ".join(row[0] for row in await connection.fetch(f"EXPLAIN {text}")))
    assert used >= NEEDED
