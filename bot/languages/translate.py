"""Translates texts into the current language, just before they are sent.

Before this, texts are passed with their parts; afterwards, they are plain strings. ``bot.ui.core.request_context``
chooses the language.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import fields, is_dataclass, replace
from enum import StrEnum
from functools import lru_cache
from operator import is_, itemgetter
from typing import Any, Final, TypeVar, cast

from bot.languages import ENGLISH, LANGUAGES, Language
from bot.rules import text as texts
from bot.rules.phrase_parser import Reader
from bot.rules.text import Count, Names, Renamed, Said, Sentences, Shown, Text, UnitText, capital, with_places

T = TypeVar("T")
FIELDS: Final[dict[type, tuple[str, ...]]] = {}
CURRENT_LANGUAGE: Final[ContextVar[Language]] = ContextVar("language", default=ENGLISH)


def set_language(language: Language) -> None:
    """Use this language from now on, in this task."""
    CURRENT_LANGUAGE.set(language)


@contextmanager
def using_language(language: Language) -> Iterator[None]:
    """Translate into ``language`` inside this block."""
    token = CURRENT_LANGUAGE.set(language)
    try:
        yield
    finally:
        CURRENT_LANGUAGE.reset(token)


def translate(text: Shown | Said) -> Said:
    """Translate a text into the current language; other values are returned unchanged."""
    language = CURRENT_LANGUAGE.get()
    return cast(Said, text if language is ENGLISH else _say(text, language))


def _say(text: object, language: Language) -> str:
    if say := SAYS.get(type(text)):
        return say(text, language)
    if isinstance(text, Text):
        return language.number(text.message)
    return language.message(text.value) if isinstance(text, StrEnum) else language.verbatim(str(text))


def _fill(message: str, places: Mapping[str, object], language: Language) -> str:
    return message.format_map({name: _say(item, language) for name, item in places.items()}) if places else message


def _say_all(items: Iterable[object], language: Language) -> list[str]:
    return [_say(item, language) for item in items]


COUNTED: Final = itemgetter("number", "one", "many")
SAYS: Final[Mapping[type, Callable[[Any, Language], str]]] = {
    str: lambda text, _: text,
    Text: lambda text, language: _fill(language.message(text.message), text.places, language),
    Renamed: lambda text, language: _fill(
        with_places(language.message(text.message), text.places), text.places, language
    ),
    Count: lambda text, language: language.count(*COUNTED(text.places)),
    UnitText: lambda text, language: language.unit(*COUNTED(text.places)),
    Names: lambda text, language: language.names(_say_all(text.places["names"], language), text.message),
    Sentences: lambda text, language: language.between(str(text.places["between"])).join(
        _say_all(text.places["texts"], language)
    ),
    texts.Capitalized: lambda text, language: capital(_say(text.places["text"], language)),
}
"""Translators by kind of text; other texts are numbers."""


@lru_cache(maxsize=len(LANGUAGES))
def reader(language: Language) -> Reader:
    """Return that language's reader: always the same one, so that its results can be cached."""
    return Reader() if language is ENGLISH else Reader(language.key, lambda text: _say(text, language))


def translate_fields(value: T) -> T:
    """Translate every text in a value of plain data, such as a card or an offer."""
    language = CURRENT_LANGUAGE.get()
    return value if language is ENGLISH else cast(T, _translate_value(value, language))


def _translate_value(value: Any, language: Language) -> Any:
    """Return the same object if it contains no text: most of a card is dice and numbers."""
    kind = type(value)
    if isinstance(value, str):
        return value if kind is str or isinstance(value, StrEnum) else _say(value, language)
    if kind is tuple or kind is list:
        every = [_translate_value(item, language) for item in value]
        return value if all(map(is_, every, value)) else kind(every)
    if isinstance(value, Mapping):
        return {key: _translate_value(item, language) for key, item in value.items()}
    changes = {}
    for name in init_fields(kind):
        before = getattr(value, name)
        if (now := _translate_value(before, language)) is not before:
            changes[name] = now
    return replace(value, **changes) if changes else value


def init_fields(kind: type) -> tuple[str, ...]:
    """List a dataclass's translatable init fields: not strings, which are keys or values. Empty for other classes."""
    if kind not in FIELDS:
        every = fields(kind) if is_dataclass(kind) else ()
        FIELDS[kind] = tuple(item.name for item in every if item.init and item.type not in (str, "str"))
    return FIELDS[kind]
