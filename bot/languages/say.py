"""The one door between the sentences of the bot and what is sent: a text is said in the language that is spoken.

Everything before this door passes texts on with their parts; everything behind it is a plain string. An English text
says itself. ``bot.ui.voice`` says which language is spoken for whom.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import fields, is_dataclass, replace
from enum import StrEnum
from typing import Any, Final, TypeVar, cast

from bot.languages import ENGLISH, Language
from bot.rules.text import Count, Names, Numeral, Sentences, Text

T = TypeVar("T")
SPOKEN: Final[ContextVar[Language]] = ContextVar("language", default=ENGLISH)


def speak(language: Language) -> None:
    """From now on this language is spoken, in this task."""
    SPOKEN.set(language)


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """What is said meanwhile is said in that language."""
    token = SPOKEN.set(language)
    try:
        yield
    finally:
        SPOKEN.reset(token)


def say(text: str) -> str:
    """A text in the language that is spoken. What is no text stays as it is: names, typed words, dice."""
    language = SPOKEN.get()
    return text if language is ENGLISH else _say(text, language)


def fit(text: str, most: int) -> str:
    """A text in the language that is spoken, cut where it is longer than Discord takes in its place."""
    whole = say(text)
    return whole[:most] if len(whole) <= most else f"{whole[: most - 1].rstrip()}…"  # sliced: a plain string


def _say(text: object, language: Language) -> str:
    if not isinstance(text, Text):
        return language.message(text.value) if isinstance(text, StrEnum) else str(text)
    if isinstance(text, Count):
        return language.count(text.places["number"], text.places["one"], text.places["many"])
    if isinstance(text, Names):
        return language.names([_say(name, language) for name in text.places["names"]], text.message)
    if isinstance(text, Sentences):
        return str(text.places["between"]).join(_say(one, language) for one in text.places["texts"])
    if isinstance(text, Numeral):
        return language.number(text.message)
    message = language.message(text.message)
    return (
        message.format_map({name: _say(one, language) for name, one in text.places.items()}) if text.places else message
    )


def said(value: T) -> T:
    """A card, an offer, anything made of plain data, with every text in it said."""
    language = SPOKEN.get()
    return value if language is ENGLISH else cast(T, _said(value, language))


def _said(value: Any, language: Language) -> Any:
    if isinstance(value, str):
        return _say(value, language) if isinstance(value, Text) else value
    if isinstance(value, tuple | list):
        return type(value)(_said(one, language) for one in value)
    if isinstance(value, Mapping):
        return {key: _said(one, language) for key, one in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return replace(
            value, **{one.name: _said(getattr(value, one.name), language) for one in fields(value) if one.init}
        )
    return value
