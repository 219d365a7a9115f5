"""Value types with a text form, used in card rows, stored rolls, and button keys. The same forms parse and format a
type.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from enum import Enum
from functools import lru_cache
from string import Formatter
from types import NoneType, UnionType
from typing import Any, ClassVar, Final, Literal, TypeVar, dataclass_transform, get_args, get_origin


@dataclass(frozen=True, slots=True)
class FormPlace:
    """A field of a text form: its pattern, parser, and writer."""

    pattern: str
    read: Callable[[str], Any] = str
    write: Callable[[Any], str] = str


NUMBER: Final = FormPlace("[1-9]", int)


def usual_place(kind: Any) -> FormPlace | None:
    """Return the place of an integer, enum, or literal type, also optional; None for any other type."""
    kind, *others = [part for part in get_args(kind) if part is not NoneType] if isinstance(kind, UnionType) else [kind]
    if get_origin(kind) is Literal:
        return FormPlace("|".join(map(re.escape, get_args(kind))))
    if not others and isinstance(kind, type) and issubclass(kind, Enum):
        return FormPlace("|".join(re.escape(str(item.value)) for item in kind), kind)
    return FormPlace("[0-9]+", int) if kind is int else None


@dataclass_transform(frozen_default=True)
class TextValue:
    """A value with a text form. Each subclass is a frozen dataclass.

    ``forms``: ``{least} or more {token}``, with fields in places described by ``places``. The first form that omits
    only fields at their default is written. Integers, enums, and literals need no place.
    """

    forms: ClassVar[tuple[str, ...]]
    places: ClassVar[Mapping[str, FormPlace]] = {}
    __dataclass_fields__: ClassVar[dict[str, Any]]

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)
        usual = {field.name: usual_place(field.type) for field in fields(cls)}
        cls.places = {name: place for name, place in usual.items() if place is not None} | dict(cls.places)

    @lru_cache(maxsize=4096)  # noqa: B019 - stored values are written with every ply, and values are small
    def __str__(self) -> str:
        said = {field.name: getattr(self, field.name) for field in fields(self)}
        needed = {field.name for field in fields(self) if said[field.name] != field.default}
        form = next(form for form in self.forms if needed <= places_of(form))
        return str(form.format_map({name: self.places[name].write(said[name]) for name in places_of(form)}))


@lru_cache
def places_of(form: str) -> frozenset[str]:
    return frozenset(name for _, name, *_ in Formatter().parse(form) if name)


W = TypeVar("W", bound=TextValue)


def value_reader(*kinds: type[W]) -> Callable[[str], W | None]:
    """Return a parser for these kinds, first match first; None for other words. Equal words give one object."""
    known = [(re.compile(form_pattern(form, kind.places)), kind) for kind in kinds for form in kind.forms]

    @lru_cache(maxsize=1024)
    def read(words: str) -> W | None:
        for form, kind in known:
            if said := form.fullmatch(words):
                return kind(**{name: kind.places[name].read(item) for name, item in said.groupdict().items()})
        return None

    return read


def form_pattern(form: str, places: Mapping[str, FormPlace]) -> str:
    parts = Formatter().parse(form)
    return "".join(
        re.escape(text) + (f"(?P<{name}>{places[name].pattern})" if name else "") for text, name, *_ in parts
    )


@dataclass(frozen=True, slots=True)
class StoredAsText:
    """Marks a field stored as words, with ``read`` and ``write``. Its schema is plain dictionaries, so that the rules
    import nothing for it.
    """

    read: Callable[[str], Any]
    write: Callable[[Any], str] = str

    def __get_pydantic_core_schema__(self, _source: object, _handler: object) -> dict[str, Any]:
        reads = {"type": "no-info", "function": self.read}
        writes = {"type": "function-plain", "function": self.write, "return_schema": {"type": "str"}}
        return {"type": "function-plain", "function": reads, "serialization": writes}
