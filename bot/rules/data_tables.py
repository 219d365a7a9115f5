"""Data tables of the rules: JSON files with rows by heading, parsed once into dataclasses. Fields are a row's keys; a
different key is ``Annotated[int, "from"]``. A type with a method ``from_row`` parses its value itself.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Final, TypeVar, cast, get_args, get_origin, get_type_hints

from bot.rules.text import Code, Message, Name, Noun, Text

Row = TypeVar("Row")
FOLDER: Final = Path(__file__).parent


def table(path: str, kind: type[Row]) -> tuple[Row, ...]:
    """Return all rows of a file of this folder (``infinity/tables/skills.json``), under any heading. Missing fields
    have defaults. Raises ``KeyError``, ``TypeError`` or ``ValueError`` for an invalid row.
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
    if origin is Annotated or (NoneType in get_args(kind) and len(parts) == 1):
        return reader(parts[0])
    if origin is tuple and parts[-1] is Ellipsis:
        return lambda given: tuple(map(reader(parts[0]), given))
    if origin is tuple:
        return lambda given: tuple(reader(part)(item) for part, item in zip(parts, given, strict=True))
    if origin is Mapping:
        return lambda given: {key: reader(parts[1])(item) for key, item in given.items()}
    return Text if Text in parts else reader_of_class(kind) if isinstance(kind, type) else unchanged


def reader_of_class(kind: type) -> Callable[[Any], Any]:
    """Return the reader for a class; values of foreign classes are returned as they are."""
    if kind is Noun:
        return lambda given: Noun(*given)
    if (read := getattr(kind, "from_row", None)) is not None:
        return cast(Callable[[Any], Any], read)
    if is_dataclass(kind):
        hints, known = get_type_hints(kind, include_extras=True), {field.name for field in fields(kind)}
        named = dict[str, tuple[str, Callable[[Any], Any]]]()
        for name in hints.keys() & known:
            words = (item for item in getattr(hints[name], "__metadata__", ()) if isinstance(item, str))
            named[next(words, name)] = name, reader(hints[name])
        return lambda given: kind(**{named[word][0]: named[word][1](item) for word, item in given.items()})
    return kind if issubclass(kind, (Enum, Name, Code, Text)) else unchanged


def unchanged(given: Any) -> Any:
    return given
