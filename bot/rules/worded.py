"""Value types with a text form: words of card rows and of stored rolls, keys of buttons.

The same forms parse and format a type.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from enum import Enum
from functools import lru_cache
from string import Formatter
from typing import Any, ClassVar, Final, TypeVar, dataclass_transform


@dataclass(frozen=True, slots=True)
class Place:
    """A field of a text form: its pattern, parser, and writer."""

    pattern: str
    read: Callable[[str], Any] = str
    write: Callable[[Any], str] = str


NUMBER: Final = Place("[1-9]", int)


def usual_place(kind: type) -> Place | None:
    """The place of a whole number or an enum; None for any other type."""
    if issubclass(kind, Enum):
        return Place("|".join(re.escape(str(one.value)) for one in kind), kind)
    return Place("[0-9]+", int) if kind is int else None


@dataclass_transform(frozen_default=True)
class Worded:
    """A value of a kind that has words. Each kind is a frozen dataclass without saying so.

    ``forms``: ``{least} or more {token}``, with fields in its places, which ``places`` describe. It is written by the
    first form that leaves out no field but those that have their default. Whole numbers and enums need no place.
    """

    forms: ClassVar[tuple[str, ...]]
    places: ClassVar[Mapping[str, Place]] = {}
    __dataclass_fields__: ClassVar[dict[str, Any]]

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)
        usual = {one.name: usual_place(one.type) for one in fields(cls) if isinstance(one.type, type)}
        cls.places = {name: place for name, place in usual.items() if place is not None} | dict(cls.places)

    def __str__(self) -> str:
        return in_words(self)


@lru_cache(maxsize=4096)  # one that is stored is written with every ply
def in_words(value: Any) -> str:
    said = {one.name: getattr(value, one.name) for one in fields(value)}
    needed = {one.name for one in fields(value) if said[one.name] != one.default}
    form = next(form for form in value.forms if needed <= places_of(form))
    return str(form.format_map({name: value.places[name].write(said[name]) for name in places_of(form)}))


@lru_cache
def places_of(form: str) -> frozenset[str]:
    return frozenset(name for _, name, *_ in Formatter().parse(form) if name)


W = TypeVar("W", bound=Worded)


def reader(*kinds: type[W]) -> Callable[[str], W | None]:
    """Reads the words of these kinds, the first whose form they have; None for other words.

    It gives one object for the same words, which is quickly compared.
    """
    known = [(re.compile(pattern(form, kind.places)), kind) for kind in kinds for form in kind.forms]

    @lru_cache(maxsize=1024)
    def read(words: str) -> W | None:
        for form, kind in known:
            if said := form.fullmatch(words):
                return kind(**{name: kind.places[name].read(one) for name, one in said.groupdict().items()})
        return None

    return read


def pattern(form: str, places: Mapping[str, Place]) -> str:
    """The regular expression of a form."""
    parts = Formatter().parse(form)
    return "".join(
        re.escape(text) + (f"(?P<{name}>{places[name].pattern})" if name else "") for text, name, *_ in parts
    )


@dataclass(frozen=True, slots=True)
class AsWords:
    """Marks a field that is stored as words: ``read`` reads them, ``write`` writes them.

    Whoever stores states asks a mark for its schema, which is plain dictionaries: the rules import nothing for it.
    """

    read: Callable[[str], Any]
    write: Callable[[Any], str] = str

    def __get_pydantic_core_schema__(self, _source: object, _handler: object) -> dict[str, Any]:
        reads = {"type": "no-info", "function": self.read}
        writes = {"type": "function-plain", "function": self.write, "return_schema": {"type": "str"}}
        return {"type": "function-plain", "function": reads, "serialization": writes}
