"""Data tables of the rules: JSON files with rows by heading, parsed once into dataclasses. Fields are a row's keys; a
different key is ``Annotated[int, "from"]``. A type with a method ``from_row`` parses its value itself.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache, partial
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Final, TypeVar, get_args, get_origin, get_type_hints

from bot.rules.text import Code, Message, Name, Noun, Text

Row = TypeVar("Row")
FOLDER: Final = Path(__file__).parent
PLAIN: Final = {str: "a text", int: "a whole number", bool: "true or false", tuple: "a list", Mapping: "a table"}


class RowError(ValueError):
    """A row that doesn't fit its type: the keys on the way to the wrong value, and what is expected there."""

    def __init__(self, expected: str, *keys: str) -> None:
        super().__init__(f"{'.'.join(keys)}: {expected}")
        self.expected, self.keys = expected, keys


def table(path: str, kind: type[Row]) -> tuple[Row, ...]:
    """Return all rows of a file of this folder (``infinity/tables/skills.json``), under any heading. Missing fields
    have defaults. Raises ``RowError`` for an invalid row.
    """
    listed: Mapping[str, Iterable[Any]] = json.loads((FOLDER / path).read_text(encoding="utf-8"))
    read: Callable[[Any], Row] = reader(kind)  # type: ignore[arg-type]  # a class can be hashed
    return tuple(read(row) for rows in listed.values() for row in rows)


def messages(path: str) -> Mapping[str, tuple[Message, ...]]:
    """Return the messages of a file of this folder by heading: ``{"keep": [{"says": "{n} dice"}, ...]}``."""
    listed: Mapping[str, Iterable[Any]] = json.loads((FOLDER / path).read_text(encoding="utf-8"))
    return {heading: tuple(row["says"] for row in rows) for heading, rows in listed.items()}


@cache
def reader(kind: Any) -> Callable[[Any], Any]:
    """Return the reader for a type: a message from its English, a noun from both its forms, or the value itself."""
    origin, parts = get_origin(kind), [part for part in get_args(kind) if part is not NoneType]
    if origin is Annotated:
        return reader(parts[0])
    if NoneType in get_args(kind) and len(parts) == 1:
        return lambda given: None if given is None else reader(parts[0])(given)
    if origin is tuple and parts[-1] is Ellipsis:
        return lambda given: tuple(map(reader(parts[0]), plain(tuple, given)))
    if origin is tuple:
        return lambda given: tuple(
            reader(part)(item) for part, item in zip(parts, plain(tuple, given, len(parts)), strict=True)
        )
    if origin is Mapping:
        return lambda given: {key: read_key(key, reader(parts[1]), item) for key, item in plain(Mapping, given).items()}
    return Text if Text in parts else reader_of_class(kind) if isinstance(kind, type) else unchanged


def plain(kind: Any, given: Any, length: int | None = None) -> Any:
    """Return a value of a plain type, a list perhaps of some length. Raises ``RowError``."""
    given = tuple(given) if isinstance(given, list) else given
    if not isinstance(given, kind) or (isinstance(given, bool) and kind is int):
        raise RowError(PLAIN[kind])
    if length is not None and len(given) != length:
        raise RowError(f"a list of {length}")
    return given


def read_key(key: str, read: Callable[[Any], Any], given: Any) -> Any:
    """Return a key's value. Raises ``RowError`` with the key."""
    try:
        return read(given)
    except RowError as error:
        raise RowError(error.expected, key, *error.keys) from None


def read_row(kind: Any, named: Mapping[str, tuple[str, Callable[[Any], Any]]], given: Any) -> Any:
    """Return a row as its class. Raises ``RowError``."""
    if unknown := [word for word in plain(Mapping, given) if word not in named]:
        raise RowError(f"one of the keys {', '.join(sorted(named))}, not {unknown[0]}")
    values = {named[word][0]: read_key(word, named[word][1], item) for word, item in given.items()}
    try:
        return kind(**values)
    except TypeError as error:
        missing = [word for word, (name, _) in named.items() if f"'{name}'" in str(error)]
        raise RowError(f"a row with {', '.join(missing)}") from error


def read_part(kind: Any, read: Callable[[Any], Any], given: Any) -> Any:
    """Return a value that its class parses. Raises ``RowError``."""
    try:
        return read(plain(str, given) if issubclass(kind, str) else given)
    except (AttributeError, TypeError, SyntaxError, ValueError) as error:
        values = ", ".join(item.value for item in kind) if issubclass(kind, Enum) else ""
        raise RowError(f"one of {values}" if values else f"a {kind.__name__.lower()}") from error


def reader_of_class(kind: type) -> Callable[[Any], Any]:
    """Return the reader for a class; values of foreign classes are returned as they are."""
    if kind is Noun:
        return lambda given: Noun(*plain(tuple, given, 2))
    if (read := getattr(kind, "from_row", None)) is not None:
        return partial(read_part, kind, read)
    if is_dataclass(kind):
        hints, known = get_type_hints(kind, include_extras=True), {field.name for field in fields(kind)}
        named = dict[str, tuple[str, Callable[[Any], Any]]]()
        for name in hints.keys() & known:
            words = (item for item in getattr(hints[name], "__metadata__", ()) if isinstance(item, str))
            named[next(words, name)] = name, reader(hints[name])
        return partial(read_row, kind, named)
    if kind in PLAIN:
        return partial(plain, kind)
    return partial(read_part, kind, kind) if issubclass(kind, (Enum, Name, Code, Text)) else unchanged


def unchanged(given: Any) -> Any:
    return given
