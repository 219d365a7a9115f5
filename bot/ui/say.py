"""The one door between the sentences of the bot and what is sent: a text is said in a language.

Everything before this door passes texts on with their parts; everything behind it is a plain string. English is the
only language so far, and costs nothing: an English text says itself.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final, TypeVar, cast

from bot.rules.text import Count, Names, Sentences, Text

T = TypeVar("T")

Language = Callable[[str], str]
"""A message in a language; its places in braces stay."""


def english(message: str) -> str:
    return message


LANGUAGE: Final[ContextVar[Language]] = ContextVar("language", default=english)


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """What is said meanwhile is said in that language."""
    token = LANGUAGE.set(language)
    try:
        yield
    finally:
        LANGUAGE.reset(token)


def say(text: str) -> str:
    """A text in the language that is spoken. What is no text stays as it is: names, typed words, dice."""
    language = LANGUAGE.get()
    return text if language is english else _say(text, language)


def fit(text: str, most: int) -> str:
    """A text in the language that is spoken, cut where it is longer than Discord takes in its place."""
    whole = say(text)
    return whole[:most] if len(whole) <= most else f"{whole[: most - 1].rstrip()}…"  # sliced: a plain string


def _say(text: object, language: Language) -> str:
    if not isinstance(text, Text):
        return str(text)
    if isinstance(text, Count):
        number = text.places["number"]
        return f"{number:,} {language(text.places['one' if number == 1 else 'many'])}"
    if isinstance(text, Names):
        *before, last = [_say(name, language) for name in text.places["names"]] or [""]
        return f"{', '.join(before)} {language(text.message)} {last}" if before else last
    if isinstance(text, Sentences):
        return str(text.places["between"]).join(_say(one, language) for one in text.places["texts"])
    message = language(text.message)
    return (
        message.format_map({name: _say(one, language) for name, one in text.places.items()}) if text.places else message
    )


def said(value: T) -> T:
    """A card, an offer, anything made of plain data, with every text in it said."""
    language = LANGUAGE.get()
    return value if language is english else cast(T, _said(value, language))


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
