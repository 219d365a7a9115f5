"""Statements that both engines take, and SQLAlchemy does not write alike for both."""

import json
from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Table, Text, bindparam
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects.postgresql import ARRAY, Insert
from sqlalchemy.engine import Dialect
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import NullType, TypeDecorator, TypeEngine


def upsert(table: Table, key: Sequence[str], columns: Sequence[str], newer: str | None = None) -> Insert:
    """An INSERT that takes the place of the row of its ``key``, with these ``columns``.

    ``newer``: only if it is larger in this one. SQLite and PostgreSQL write it alike, so PostgreSQL's serves both.
    """
    into = postgresql.insert(table)
    is_newer = table.c[newer] < into.excluded[newer] if newer else None
    return into.on_conflict_do_update(
        index_elements=key, set_={name: into.excluded[name] for name in columns}, where=is_newer
    )


class Numbers(TypeDecorator[Collection[int]]):
    """Whole numbers in one parameter: an array on PostgreSQL, JSON on SQLite."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(ARRAY(BigInteger()) if dialect.name == "postgresql" else Text())

    def process_bind_param(self, value: Collection[int] | None, dialect: Dialect) -> Any:
        numbers = list(value or ())
        return numbers if dialect.name == "postgresql" else json.dumps(numbers)


class _Among(FunctionElement[Any]):
    type = NullType()  # of a Boolean SQLAlchemy would ask whether it is 1, and SQLite then looks into no index
    inherit_cache = True


@compiles(_Among, "postgresql")
def _on_postgresql(element: _Among, compiler: Any, **words: Any) -> str:
    column, numbers = (compiler.process(one, **words) for one in element.clauses)
    return f"{column} = ANY ({numbers})"


@compiles(_Among, "sqlite")
def _on_sqlite(element: _Among, compiler: Any, **words: Any) -> str:
    column, numbers = (compiler.process(one, **words) for one in element.clauses)
    return f"{column} IN (SELECT value FROM json_each({numbers}))"  # noqa: S608 - our own column, and a parameter


def among(column: ColumnElement[int], numbers: str) -> ColumnElement[bool]:
    """Whether a column holds one of the numbers of the parameter of this name, however many there are.

    With a parameter for each, every other count of them is another statement, to be written, sent and planned anew.
    """
    return _Among(column, bindparam(numbers, type_=Numbers()))
