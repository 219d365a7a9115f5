"""Sentences that remember their parts, so that the last step before a person reads them can say them in a language.

A ``Text`` is a plain English string everywhere: rules return it, tests compare it, the terminal prints it. It also
keeps its *message* (the English pattern, the key of a catalogue) and its *places* (what stands in the braces). A
sentence is whole: one message for each case, no glued fragments, no verb that a number chooses inside an f-string.

    Text("{ship} spends {tokens}.", ship="Luke", tokens=Count(2, "focus token", "focus tokens"))

``Count`` (of a ``Noun``) and ``Names`` are the only helpers for plurals and lists; ``Numeral`` is a number with
decimals or percent, and ``Sentences`` puts whole texts one after the other. A word of an enumeration among the places
(``Face.HIT``) is a message too: it is a term of the game, and never what somebody typed.
"""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple, Self, TypeAlias, cast

NOTHING: Mapping[str, Any] = {}


class Name(str):
    """What people call themselves, their ships, squads and troopers, or what is printed on a card.

    It is said as it is, in every language, and cleaned and escaped at the last door, and there only. A message that
    stands where a name may, as for somebody who has none, stays a message.
    """

    __slots__ = ()

    def __new__(cls, name: str) -> Self:
        return cast(Self, name) if isinstance(name, Text | Code) else super().__new__(cls, name)


class Code(str):
    """What people type, and what JSON says: said as it is, in every language."""

    __slots__ = ()


class Text(str):
    """``Text("{n} of {what}", n=2, what=...)``: plain English as it is, and its message and places for a catalogue.

    A message without places is taken as it stands, braces included; with places it is a ``str.format`` pattern of bare
    names, where a doubled brace is a brace.
    """

    __slots__ = ("message", "places")
    message: str
    places: Mapping[str, Any]

    def __new__(cls, message: str, /, **places: Any) -> Self:
        self = super().__new__(cls, message.format_map(places) if places else message)
        self.message, self.places = message, places or NOTHING
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return again, (type(self), self.message, dict(self.places))


def as_text(sentence: str) -> Text:
    """A plain sentence as a text without places."""
    return sentence if isinstance(sentence, Text) else Text(sentence)


class Count(Text):
    """A number with its noun: ``Count(1, "hit", "hits")`` is ``1 hit``, ``Count(2, "hit", "hits")`` is ``2 hits``.

    Languages have other plurals, so the message is the singular, and the places keep the number and both English forms.
    """

    __slots__ = ()

    def __new__(cls, number: int, one: str, many: str) -> Self:
        self = str.__new__(cls, f"{number:,} {one if number == 1 else many}")
        self.message, self.places = one, {"number": number, "one": one, "many": many}
        return self


class Noun(NamedTuple):
    """A noun that is counted, in both its English forms: ``Noun("hit", "hits").of(2)`` is ``2 hits``."""

    one: str
    many: str

    def of(self, number: int) -> Count:
        return Count(number, self.one, self.many)


class Names(Text):
    """A list in a sentence: ``a``, ``a and b``, ``a, b and c``; empty for no names. ``word`` is ``and`` or ``or``."""

    __slots__ = ()

    def __new__(cls, names: Iterable[str], word: str = "and") -> Self:
        every = tuple(names)
        *before, last = every or ("",)
        self = str.__new__(cls, f"{', '.join(before)} {word} {last}" if before else last)
        self.message, self.places = word, {"names": every, "word": word}
        return self


class Numeral(Text):
    """A number as it is written in English, with decimals, thousands or percent: ``Numeral("12.5 %")``."""

    __slots__ = ()


class Sentences(Text):
    """Whole texts one after the other, empty ones left out: sentences of a paragraph, or lines ``between`` which it
    stands.
    """

    __slots__ = ()

    def __new__(cls, texts: Iterable[str], between: str = " ") -> Self:
        every = tuple(filter(None, texts))
        self = str.__new__(cls, between.join(every))
        self.message, self.places = between, {"texts": every, "between": between}
        return self


class Opening(Text):
    """What stands at the beginning of a line: its first letter is a capital in every language."""

    __slots__ = ()

    def __new__(cls, text: str) -> Self:
        self = str.__new__(cls, capital(text))
        self.message, self.places = "{text}", {"text": text}
        return self


def capital(word: str) -> str:
    """The word as it stands at the beginning of a line."""
    return f"{word[:1].upper()}{word[1:]}"


def with_plain(text: str, change: Callable[[str], str]) -> str:
    """The text with every plain string in it changed: the names and typed words among its places, at any depth."""
    if isinstance(text, StrEnum):
        return text
    if not isinstance(text, Text):
        return change(text)
    if isinstance(text, Count | Numeral):
        return text
    if isinstance(text, Names):
        return Names([with_plain(one, change) for one in text.places["names"]], text.message)
    if isinstance(text, Sentences):
        return Sentences([with_plain(one, change) for one in text.places["texts"]], text.message)
    if isinstance(text, Opening):
        return Opening(with_plain(text.places["text"], change))
    changed = {name: with_plain(one, change) if isinstance(one, str) else one for name, one in text.places.items()}
    return Text(text.message, **changed)


def again(kind: type[Text], message: str, places: dict[str, Any]) -> Text:
    """A text that was pickled or copied."""
    if kind in (Text, Numeral):
        return kind(message, **places)
    if kind is Count:
        return Count(**places)
    if kind is Names:
        return Names(**places)
    return Opening(**places) if kind is Opening else Sentences(**places)


Shown: TypeAlias = Text | Name | Code
"""What people read: a message, a name or a code, never a plain string."""
EMPTY: Final = Text("")
