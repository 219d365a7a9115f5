"""Sentences that keep their parts, so that they can be translated just before a person reads them.

A ``Text`` is a plain English string everywhere: rules return it, tests compare it, the terminal prints it. It also
keeps its *message* (the English pattern, the catalog's key) and its *places* (the values in braces). A sentence is
whole: one message per case, no glued fragments, no verb chosen by a number inside an f-string.

Text("{ship} spends {tokens}.", ship="Luke", tokens=Count(2, "focus token", "focus tokens"))

``Count`` (of a ``Noun``) and ``Names`` are the only helpers for plurals and lists; ``Numeral`` is a number with
decimals or percent, and ``Sentences`` joins whole texts. An enumeration's word among the places (``Face.HIT``) is a
message too: a term of the game, never typed.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple, NewType, Self, TypeAlias, TypeVar, cast

T = TypeVar("T")
NOTHING: Mapping[str, Any] = {}

Message = NewType("Message", str)
"""An English sentence with its places in braces, marked in the code: the key of a catalog."""


class InContext(str):
    """A message whose English is ambiguous: catalogs have it under its ``context``."""

    __slots__ = ("context",)
    context: str


def N_(message: str, context: str = "") -> Message:
    """Mark a message in a table or constant for a later ``Text``; ``context`` as in ``languages/contexts.toml``."""
    if not context:
        return Message(message)
    marked = InContext(message)
    marked.context = context
    return cast(Message, marked)


T_ = N_
"""Mark a game's term in a table: used inside sentences, and capitalized at their start."""


class Name(str):
    """A name of a person, ship, squad, or trooper, or one printed on a card. The same in every language; cleaned and
    escaped only where it leaves the bot. A message as a name, for something unnamed, stays a message.
    """

    __slots__ = ()

    def __new__(cls, name: str) -> Self:
        return cast(Self, name) if isinstance(name, Text | Code) else super().__new__(cls, name)

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: object, _handler: object) -> dict[str, Any]:
        return {"type": "function-after", "schema": {"type": "str"}, "function": {"type": "no-info", "function": cls}}


class Code(str):
    """A typed word, or a word of the JSON: the same in every language."""

    __slots__ = ()


if TYPE_CHECKING:

    class Spoken:
        """A text to the type checker: not a string, so that code which would lose its language fails."""

        message: Any
        places: Mapping[str, Any]

        def __eq__(self, other: object) -> bool: ...
        def __hash__(self) -> int: ...

else:
    Spoken = str

NEW: Final[Any] = str.__new__
OPTION: Final = re.compile(r"`([a-z_]+)`")


def english(text: "Shown") -> str:
    """Return a text in English: for logs, keys, and the terminal, never for readers of another language."""
    return cast(str, text)


class Text(Spoken):
    """``Text("{n} of {what}", n=2, what=...)``: plain English, with message and places for a catalog. Without places a
    message is literal, braces included; with places it is a ``str.format`` pattern of bare names, with doubled braces.
    """

    __slots__ = ("message", "places")
    message: Any
    places: Mapping[str, Any]

    def __new__(cls, message: str, /, **places: "Place") -> Self:
        self: Self = NEW(cls, message.format_map(places) if places else message)
        self.message, self.places = message, places or NOTHING
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return rebuild, (type(self), self.message, dict(self.places))


def as_text(sentence: "Shown") -> Text:
    """A plain sentence as a text without places."""
    return sentence if isinstance(sentence, Text) else Text(sentence)


class Count(Text):
    """A number with its noun: ``Count(1, "hit", "hits")`` is ``1 hit``, ``Count(2, "hit", "hits")`` is ``2 hits``.
    Languages have other plurals, so the message is the singular, and the places have the number and both English forms.
    """

    __slots__ = ()

    def __new__(cls, number: int, one: str, many: str) -> Self:
        text = f"{number:,} {one if number == 1 else many}"
        self: Self = NEW(cls, text)
        self.message, self.places = one, {"number": number, "one": one, "many": many}
        return self


class UnitText(Text):
    """A noun beside its number, which stands alone in large type or has a fraction: ``hits`` for 2, 0, and 0.5."""

    __slots__ = ()

    def __new__(cls, number: Fraction | int, one: str, many: str) -> Self:
        self: Self = NEW(cls, one if number == 1 else many)
        self.message, self.places = one, {"number": number, "one": one, "many": many}
        return self


class Noun(NamedTuple):
    """A countable noun in both English forms: ``Noun("hit", "hits").of(2)`` is ``2 hits``."""

    one: str
    many: str

    def of(self, number: int) -> Count:
        return Count(number, self.one, self.many)

    def unit_of(self, number: Fraction | int) -> UnitText:
        return UnitText(number, self.one, self.many)


def list_in_english(names: Sequence[str], word: str) -> str:
    """Join a list as ``Names`` does."""
    *before, last = names or ("",)
    comma = "," if len(before) > 1 else ""
    return f"{', '.join(before)}{comma} {word} {last}" if before else last


class Names(Text):
    """A list in a sentence: ``a``, ``a and b``, ``a, b, and c``; empty for no names. ``word`` is ``and`` or ``or``."""

    __slots__ = ()

    def __new__(cls, names: Iterable["Place"], word: str = "and") -> Self:
        every = tuple(names)
        self: Self = NEW(cls, list_in_english([*map(english, every)], word))
        self.message, self.places = word, {"names": every, "word": word}
        return self


class Numeral(Text):
    """A number in English notation, with decimals, thousands, or percent: ``Numeral("12.5%")``."""

    __slots__ = ()


class Sentences(Text):
    """Joined whole texts without empty ones: sentences of a paragraph, or lines joined by ``between``."""

    __slots__ = ()

    def __new__(cls, texts: Iterable["Shown | None"], between: str = " ") -> Self:
        every = tuple(filter(None, texts))
        self: Self = NEW(cls, between.join(cast("tuple[str, ...]", every)))  # plain English
        self.message, self.places = between, {"texts": every, "between": between}
        return self


class Renamed(Text):
    """A text with options in backticks, each a place with its displayed name. ``Renamed("Leave out `pilot`.",
    **{"`pilot`": Text("Its pilot")})``: catalogs use the message with the options.
    """

    __slots__ = ()

    def __new__(cls, message: str, /, **places: "Place") -> Self:
        self: Self = NEW(cls, with_places(message, places).format_map(places))
        self.message, self.places = message, places
        return self


def with_places(message: str, places: Mapping[str, Any]) -> str:
    """Return a message of ``Renamed``, in any language, with a place per label; braces stay if it had no others."""
    if all(name.startswith("`") for name in places):
        message = message.replace("{", "{{").replace("}", "}}")
    return OPTION.sub(lambda name: f"`{{{name[0]}}}`" if name[0] in places else name[0], message)


class Capitalized(Text):
    """The start of a line: capitalized in every language."""

    __slots__ = ()

    def __new__(cls, text: "Shown") -> Self:
        self: Self = NEW(cls, capital(english(text)))
        self.message, self.places = "{text}", {"text": text}
        return self


def labeled(label: "Place", value: "Place") -> Text:
    """Return ``Ana: 7``. This and the forms below are the only messages without words: punctuation differs too."""
    return Text(N_("{label}: {value}"), label=label, value=value)


def bracketed(what: "Place", more: "Place") -> Text:
    """Return ``8 (two hits)``."""
    return Text(N_("{what} ({more})"), what=what, more=more)


def parenthesized(more: "Place") -> Text:
    """Return ``(two hits)``, to follow something."""
    return Text(N_("({more})"), more=more)


def joined(first: "Place", second: "Place") -> Text:
    """Return a name with its number, a number with its unit, or a name with its action: ``Ana 7``."""
    return Text(N_("{first} {second}"), first=first, second=second)


def number_of(count: int, token: "Place") -> Text:
    """Return ``2 focus``: some languages put the number last, because they decline a noun after it."""
    return Text(N_("{count} {token}"), count=count, token=token)


def titled(title: "Place", part: "Place") -> Text:
    """Return a part's title: ``X-Wing · ships``."""
    return Text(N_("{title} · {part}"), title=title, part=part)


def headed(title: "Place") -> Text:
    """Return a heading above lines: ``Ana:``."""
    return Text(N_("{title}:"), title=title)


def ended(sentence: "Place") -> Text:
    """Return a line as a sentence, with its period."""
    return Text(N_("{sentence}."), sentence=sentence)


def as_shown(text: "Shown") -> "Shown":
    """Return a message unchanged; a plain string becomes a name."""
    return text if isinstance(text, Text | Code) else Name(text)


def term(word: str) -> Text:
    """Return an enumeration's or data row's word as a message: it is marked there, or its file contains messages."""
    return Text(Message(word))


def lines_of(text: "Shown") -> list["Shown"]:
    """Return a paragraph's lines as messages."""
    return list(text.places["texts"]) if isinstance(text, Sentences) and text.message == "\n" else [text]


def capital(word: str) -> str:
    return f"{word[:1].upper()}{word[1:]}"


def with_plain(text: T, change: Callable[[str], str], *, codes: bool = True) -> T:
    """Apply ``change`` to every plain string in a text, nested ones and ``codes`` included; other values stay."""

    def changed(part: Any) -> Any:
        return with_plain(part, change, codes=codes)

    now: object = text
    match text:
        case Code() if codes:
            now = Code(change(text))
        case Names():
            now = Names(map(changed, text.places["names"]), text.message)
        case Sentences():
            now = Sentences(map(changed, text.places["texts"]), text.message)
        case Code() | Count() | Numeral() | StrEnum():
            pass
        case Text():  # including a line's first text
            now = rebuild(type(text), text.message, {name: changed(item) for name, item in text.places.items()})
        case str():
            now = Name(change(text))
    return cast(T, now)


def rebuild(kind: Callable[..., Text], message: str, places: dict[str, Any]) -> Text:
    """Rebuild a pickled or copied text."""
    return kind(message, **places) if kind in (Text, Numeral, Renamed) else kind(**places)


def write_text(text: Text) -> dict[str, Any]:
    """Serialize a text's message and places to plain JSON values."""
    if type(text) is not Text:
        text = Text("{text}", text=text)
    held: dict[str, Any] = {"what": str(text.message)}
    if isinstance(text.message, InContext):
        held["context"] = text.message.context
    if text.places:
        held["places"] = {name: write_place(item) for name, item in text.places.items()}
    return held


def write_place(place: object) -> Any:
    """Serialize a placeholder: a number, a name as a plain string, or an object for a text or a code."""
    if isinstance(place, Count):
        return {"count": [place.places["number"], place.places["one"], place.places["many"]]}
    if isinstance(place, Names):
        return {"names": [write_place(item) for item in place.places["names"]], "word": place.message}
    if isinstance(place, Sentences):
        return {"texts": [write_place(item) for item in place.places["texts"]], "between": place.message}
    if isinstance(place, Capitalized):
        return {"opening": write_place(place.places["text"])}
    if isinstance(place, Numeral):
        return {"numeral": place.message}
    if isinstance(place, Text):
        return write_text(place)
    if isinstance(place, Code):
        return {"code": str(place)}
    if isinstance(place, StrEnum):
        return {"what": place.value}
    return place if isinstance(place, int) else str(place)


def read_text(held: Mapping[str, Any]) -> Text:
    """Parse a ``write_text`` value."""
    message = N_(held.get("what", ""), held.get("context", ""))
    return Text(message, **{name: read_place(item) for name, item in held.get("places", {}).items()})


def read_place(held: Any) -> Any:
    match held:
        case {"count": [number, one, many]}:
            return Count(number, one, many)
        case {"names": names, "word": word}:
            return Names(map(read_place, names), word)
        case {"texts": texts, "between": between}:
            return Sentences(map(read_place, texts), between)
        case {"opening": text}:
            return Capitalized(read_place(text))
        case {"what": _}:
            return read_text(held)
        case {"code": code}:
            return Code(code)
        case {"numeral": written}:
            return Numeral(written)
    return Name(held) if isinstance(held, str) else held


@dataclass(frozen=True, slots=True)
class AsPlaces:
    """Marks a field stored as message and places, to be read in every language. Its schema is plain dictionaries, so
    that the rules import nothing for it.
    """

    def __get_pydantic_core_schema__(self, _source: object, _handler: object) -> dict[str, Any]:
        reads = {"type": "no-info", "function": read_place}
        return {
            "type": "function-plain",
            "function": reads,
            "serialization": {"type": "function-plain", "function": write_place},
        }


Shown: TypeAlias = Text | Name | Code
"""Text for people: a message, name, or code, never a plain string."""
Place: TypeAlias = Any
"""Value of a placeholder in a message; not a plain string (``tests/texts_plugin.py``)."""
Stored = Annotated[Shown, AsPlaces()]
StoredText = Annotated[Text, AsPlaces()]
Said = NewType("Said", str)
"""Translated text: only this reaches Discord, a page, or a picture."""
EMPTY: Final = Text("")
UNNAMED: Final = Name("")


class Labeled(StrEnum):
    """Words of the code with display names."""

    label: Text

    def __new__(cls, word: str, label: Text = EMPTY) -> Self:
        result = str.__new__(cls, word)
        result._value_, result.label = word, label
        return result
