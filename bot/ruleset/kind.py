"""Kinds of settings: which values they take, how people type them, how JSON stores them, how they read in words."""

from collections.abc import Mapping
from typing import Final, Generic, Protocol, TypeVar

from bot.rules.errors import Fact, Known, Whole
from bot.rules.text import Code, Noun, Sentences, Shown, Text, english

Value = str | int | bool | tuple[str, ...] | None
T = TypeVar("T", bound=Value)
Word = TypeVar("Word", bound=str)
T_co = TypeVar("T_co", bound=Value, covariant=True)

DIGITS_MOST: Final = 20
"""Longer digits are not a number: Discord's ids have up to 19."""
ON: Final = ("on", "yes", "true")
OFF: Final = ("off", "no", "false")


class Kind(Protocol[T_co]):
    """What every kind provides. ``wanted`` says what would do."""

    @property
    def wanted(self) -> tuple[Text | Fact, ...]: ...

    @property
    def suggestions(self) -> tuple[Shown, ...]:
        """Values in words that Discord suggests; () if there are too many."""

    def parse(self, text: str) -> Value:
        """The value that was typed, or the text itself if it is not one; ``check`` then refuses it."""

    def check(self, value: object) -> T_co:
        """The value, if it is one of this kind. Raises ``ValueError``."""

    def words(self, value: object) -> Shown: ...


class OneOf(Generic[Word]):
    """One of several values, each with a name; people may type either."""

    def __init__(self, names: Mapping[Word, Shown]) -> None:
        self.names = names
        self.wanted = (Known(tuple(map(english, names.values()))),)
        self.suggestions = tuple(names.values())

    def parse(self, text: str) -> Value:
        typed = text.strip().casefold()
        return next(
            (value for value, name in self.names.items() if typed in (str(value).casefold(), english(name).casefold())),
            text,
        )

    def check(self, value: object) -> Word:
        if isinstance(value, str) and value in self.names:
            return next(known for known in self.names if known == value)
        raise ValueError

    def words(self, value: object) -> Shown:
        return next((name for known, name in self.names.items() if known == value), Code(value))


class Several:
    """Some of several values, each with a name, or none of them; people type them with commas between."""

    def __init__(self, names: Mapping[str, Shown]) -> None:
        self.names = names
        self.wanted = (Known((*map(english, names.values()), "none")),)
        self.suggestions = (Text("none"), *names.values())

    def parse(self, text: str) -> Value:
        if text.strip().casefold() == "none":
            return ()
        found = tuple(str(OneOf(self.names).parse(one)) for one in text.split(","))
        return self.check(found) if set(found) <= self.names.keys() else text

    def check(self, value: object) -> tuple[str, ...]:
        if isinstance(value, list | tuple) and all(isinstance(one, str) and one in self.names for one in value):
            return tuple(key for key in self.names if key in value)
        raise ValueError

    def words(self, value: object) -> Text:
        chosen = self.check(value)
        return Sentences([self.names[key] for key in chosen], ", ") if chosen else Text("none")


class Number:
    """A whole number from ``least`` to ``most`` with its unit ``of``: dice, days."""

    suggestions = ()

    def __init__(self, least: int, most: int, of: Noun) -> None:
        self.least, self.most, self.of = least, most, of
        self.wanted = (Whole(least, most),)

    def parse(self, text: str) -> Value:
        digits = text.strip().removesuffix(self.of.many).removesuffix(self.of.one).strip()
        return number(digits.replace(",", ""), text)  # as its words are written: 3,650 days

    def check(self, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not self.least <= value <= self.most:
            raise ValueError
        return value

    def words(self, value: object) -> Text:
        return self.of.of(int(str(value)))


class Switch:
    """On or off."""

    wanted = (Known(("on", "off")),)
    suggestions = (Code("on"), Code("off"))

    def parse(self, text: str) -> Value:
        typed = text.strip().casefold()
        return True if typed in ON else False if typed in OFF else text

    def check(self, value: object) -> bool:
        if value is not True and value is not False:
            raise ValueError
        return value

    def words(self, value: object) -> Text:
        return Text("on") if value else Text("off")


class Mention:
    """A role or a channel of the server by id, written ``mark`` and the id, or none, called ``nothing``.

    Whether the server has it, and whether one may write there, is checked elsewhere.
    """

    def __init__(self, mark: str, nothing: Text, ask: Text) -> None:
        self.mark, self.nothing = mark, nothing
        self.wanted = (ask,)
        self.suggestions = (Code(english(nothing)),)

    def parse(self, text: str) -> Value:
        typed = text.strip()
        if typed.casefold() in (english(self.nothing), "none"):
            return None
        return number(typed.removeprefix(self.mark).removesuffix(">"), text)

    def check(self, value: object) -> int | None:
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not 0 < value < 2**63:
            raise ValueError
        return value

    def words(self, value: object) -> Shown:
        return self.nothing if value is None else Code(f"{self.mark}{value}>")


ROLE: Final = Mention("<@&", Text("nobody"), Text("Use a role of this server (@role), or `nobody`."))
CHANNEL: Final = Mention(
    "<#", Text("nowhere"), Text("Use a channel of this server in which you may write (#channel), or `nowhere`.")
)


def number(text: str, otherwise: str) -> int | str:
    """A text of plain digits as a number; ``otherwise`` for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= DIGITS_MOST else otherwise
