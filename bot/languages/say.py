"""The one door between the sentences of the bot and what is sent: a text is said in the language that is spoken.

Everything before this door passes texts on with their parts; everything behind it is a plain string. An English text
says itself. ``bot.ui.place`` says which language is spoken for whom.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import fields, is_dataclass, replace
from enum import StrEnum
from functools import lru_cache
from operator import is_
from typing import Any, Final, TypeVar, cast

from bot.languages import ENGLISH, LANGUAGES, Language
from bot.rules.text import Count, Names, Opening, Said, Sentences, Shown, Text, capital, english

T = TypeVar("T")
FIELDS: Final[dict[type, tuple[str, ...]]] = {}
SPOKEN: Final[ContextVar[Language]] = ContextVar("language", default=ENGLISH)


def speak(language: Language) -> None:
    """Speak this language from now on, in this task."""
    SPOKEN.set(language)


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Translate into ``language`` inside this block."""
    token = SPOKEN.set(language)
    try:
        yield
    finally:
        SPOKEN.reset(token)


def say(text: Shown | Said) -> Said:
    """A text in the language that is spoken. All else stays as it is: names, codes, what is said."""
    language = SPOKEN.get()
    return cast(Said, text if language is ENGLISH else _say(text, language))


def _say(text: object, language: Language) -> str:
    kind = type(text)
    if kind is str:
        return cast(str, text)
    if not isinstance(text, Text):
        return language.message(text.value) if isinstance(text, StrEnum) else language.as_it_is(str(text))
    if kind is Text:
        message = language.message(text.message)
        places = text.places
        return message.format_map({name: _say(one, language) for name, one in places.items()}) if places else message
    if kind is Count:
        return language.count(text.places["number"], text.places["one"], text.places["many"])
    if kind is Names:
        return language.names([_say(name, language) for name in text.places["names"]], text.message)
    if kind is Sentences:
        return str(text.places["between"]).join([_say(one, language) for one in text.places["texts"]])
    if kind is Opening:
        return capital(_say(text.places["text"], language))
    return language.number(text.message)


@lru_cache(maxsize=len(LANGUAGES))
def reader(language: Language) -> Callable[[Shown], str]:
    """Return that language's translator: always the same function, so that its results can be cached."""
    return english if language is ENGLISH else lambda text: _say(text, language)


def said(value: T) -> T:
    """A card, an offer, anything made of plain data, with every text in it said."""
    language = SPOKEN.get()
    return value if language is ENGLISH else cast(T, _said(value, language))


def _said(value: Any, language: Language) -> Any:
    """Return the same object if it contains no text: most of a card is dice and numbers."""
    kind = type(value)
    if isinstance(value, str):
        return value if kind is str or isinstance(value, StrEnum) else _say(value, language)
    if kind is tuple or kind is list:
        every = [_said(one, language) for one in value]
        return value if all(map(is_, every, value)) else kind(every)
    if isinstance(value, Mapping):
        return {key: _said(one, language) for key, one in value.items()}
    changes = {}
    for name in said_fields(kind):
        before = getattr(value, name)
        if (now := _said(before, language)) is not before:
            changes[name] = now
    return replace(value, **changes) if changes else value


def said_fields(kind: type) -> tuple[str, ...]:
    """The fields of a dataclass that it is made with; none of any other class.

    One that is declared a plain string is a key or a value, which nobody reads.
    """
    if kind not in FIELDS:
        every = fields(kind) if is_dataclass(kind) else ()
        FIELDS[kind] = tuple(one.name for one in every if one.init and one.type not in (str, "str"))
    return FIELDS[kind]
