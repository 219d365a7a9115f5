"""One of many numbers: a condition whose statement is the same however many numbers there are.

With a parameter for each number, every other count of them is another statement, to be written, sent and planned anew.
"""

import json
from collections.abc import Collection
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Text, bindparam
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.engine import Dialect
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import NullType, TypeDecorator, TypeEngine


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
    """Whether a column holds one of the numbers of the parameter of this name."""
    return _Among(column, bindparam(numbers, type_=Numbers()))
