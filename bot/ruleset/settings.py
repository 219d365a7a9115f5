"""Every setting of a table: one line each, with its cases in ``tests/ruleset/cases.py``. Games add their own.

Before them the types of settings: their values, typed text, JSON form, and words. Read a setting with
``ruling[MOST_DICE]``. Every value, typed or from a file, is checked here only.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final, Generic, Literal, Protocol, TypeVar

from bot import games, languages
from bot.languages.translate import translate
from bot.rules.dice import MAX_DICE
from bot.rules.errors import AllowedWords, BadInputError, Fact, UnknownWordError, WholeNumber
from bot.rules.text import Code, Name, Names, Noun, Sentences, Shown, Text, english

Value = str | int | bool | tuple[str, ...] | None
T = TypeVar("T", bound=Value)
Word = TypeVar("Word", bound=str)
T_co = TypeVar("T_co", bound=Value, covariant=True)

MAX_DIGITS: Final = 20
"""Discord's ids have up to 19 digits; longer ones aren't numbers."""
ON: Final = ("on", "yes", "true")
OFF: Final = ("off", "no", "false")


class SettingType(Protocol[T_co]):
    """Interface of a setting's type. ``expected`` describes valid values."""

    @property
    def expected(self) -> tuple[Text | Fact, ...]: ...

    @property
    def suggestions(self) -> tuple[Shown, ...]:
        """Values that Discord suggests; () if there are too many."""

    def parse(self, text: str) -> Value:
        """Parse typed text, or return it if invalid; ``check`` then refuses it."""

    def check(self, value: object) -> T_co:
        """Return a valid value. Raises ``ValueError``."""

    def words(self, value: object) -> Shown: ...


class OneOf(Generic[Word]):
    """A choice of one of several named values, typed by value or name."""

    def __init__(self, names: Mapping[Word, Shown]) -> None:
        self.names = names
        self.expected = (AllowedWords(tuple(map(english, names.values()))),)
        self.suggestions = tuple(names.values())

    def parse(self, text: str) -> Value:
        typed = text.strip().casefold()
        names = ((value, (str(value).casefold(), english(name).casefold())) for value, name in self.names.items())
        return next((value for value, known in names if typed in known), text)

    def check(self, value: object) -> Word:
        if isinstance(value, str) and value in self.names:
            return next(known for known in self.names if known == value)
        raise ValueError

    def words(self, value: object) -> Shown:
        return next((name for known, name in self.names.items() if known == value), Code(value))


class Several:
    """Any number of several named values, typed with commas."""

    def __init__(self, names: Mapping[str, Shown]) -> None:
        self.names = names
        self.expected = (AllowedWords((*map(english, names.values()), "none")),)
        self.suggestions = (Text("none"), *names.values())

    def parse(self, text: str) -> Value:
        if text.strip().casefold() == "none":
            return ()
        result = tuple(str(OneOf(self.names).parse(part)) for part in text.split(","))
        return self.check(result) if set(result) <= self.names.keys() else text

    def check(self, value: object) -> tuple[str, ...]:
        if isinstance(value, list | tuple) and all(isinstance(item, str) and item in self.names for item in value):
            return tuple(key for key in self.names if key in value)
        raise ValueError

    def words(self, value: object) -> Text:
        chosen = self.check(value)
        return Sentences([self.names[key] for key in chosen], ", ") if chosen else Text("none")


class WholeNumberType:
    """A whole number from ``least`` to ``most`` with its unit ``of``: dice, days."""

    suggestions = ()

    def __init__(self, least: int, most: int, of: Noun) -> None:
        self.least, self.most, self.of = least, most, of
        self.expected = (WholeNumber(least, most),)

    def parse(self, text: str) -> Value:
        digits = text.strip().removesuffix(self.of.many).removesuffix(self.of.one).strip()
        return number(digits.replace(",", ""), text)  # thousands separators, as shown: 3,650 days

    def check(self, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not self.least <= value <= self.most:
            raise ValueError
        return value

    def words(self, value: object) -> Text:
        return self.of.of(int(str(value)))


class Switch:
    expected = (AllowedWords(("on", "off")),)
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
    """A role or channel mention, ``mark`` and the id, or ``nothing``; its existence is checked elsewhere."""

    def __init__(self, mark: str, nothing: Text, ask: Text) -> None:
        self.mark, self.nothing = mark, nothing
        self.expected = (ask,)
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


ROLE: Final = Mention("<@&", Text("nobody"), Text("Use a role in this server (@role), or `nobody`."))
CHANNEL: Final = Mention(
    "<#", Text("nowhere"), Text("Use a channel in this server that you can write in (#channel), or `nowhere`.")
)


def number(text: str, otherwise: str) -> int | str:
    """Parse plain digits as a number; ``otherwise`` for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS else otherwise


# The settings

Look = Literal["picture", "animated", "emoji", "text"]

MIN_MOST_DICE: Final = 6
"""The lowest limit that a table may set; enough for every game."""
Ping = Literal["never", "mention", "minute"]
PINGS: Final[dict[Ping, Shown]] = {
    "never": Text("Never"),
    "mention": Text("Mention immediately"),
    "minute": Text("After a minute"),
}
LOOKS: Final[dict[Look, Shown]] = {
    "picture": Text("Picture"),
    "animated": Text("Animated picture"),
    "emoji": Text("Emoji"),
    "text": Text("Text"),
}


OF_SERVER: Final = "server"
"""The preferred language of a community server; English in any other."""
SPOKEN: Final[dict[str, Shown]] = {
    OF_SERVER: Text("Same as the server"),
    **{key: Name(language.name) for key, language in languages.LANGUAGES.items()},
}


@dataclass(frozen=True, slots=True)
class Setting(Generic[T]):
    """A setting: its key in files, title, type, and default. ``personal``: players may prefer another value.
    ``for_admins``: only admins may set it, not GMs. ``fills``: a game and a declaration word that defaults to this
    value.
    """

    key: str
    title: Shown
    kind: SettingType[T]
    built_in: T
    personal: bool = False
    for_admins: bool = False
    fills: tuple[str, str] | None = None

    @property
    def can_lock(self) -> bool:
        """Whether players may override it, by a preference or by typing."""
        return self.personal or self.fills is not None

    def check(self, value: object, name: str = "") -> T:
        """Return a valid value. Raises ``BadInputError`` with a name in a file, or the title."""
        try:
            return self.kind.check(value)
        except ValueError:
            raise BadInputError(name or self.title, value, *self.kind.expected) from None

    def parse(self, text: str) -> T:
        """Parse typed text. Raises ``BadInputError``."""
        return self.check(self.kind.parse(text))

    def words(self, value: object) -> Shown:
        return self.kind.words(value)


GAMES_OFF: Final[Setting[tuple[str, ...]]] = Setting(
    "games_off", Text("Games turned off"), Several({key: game.title for key, game in games.GAMES.items()}), ()
)
VARIANTS: Final[tuple[Setting[Any], ...]] = tuple(
    Setting(
        f"{key}_{variant.word}",
        variant.title,
        OneOf(variant.values),
        variant.built_in,
        personal=variant.personal,
        fills=(key, variant.word) if variant.fills else None,
    )
    for key, game in games.GAMES.items()
    for variant in game.variants
)
"""Editions and methods that a table can choose."""
MOST_DICE: Final = Setting(
    "most_dice", Text("Maximum dice per roll"), WholeNumberType(MIN_MOST_DICE, MAX_DICE, Noun("die", "dice")), MAX_DICE
)
BY_HAND: Final = Setting("physical_dice", Text("Physical dice"), Switch(), True)
REROLLS: Final = Setting("rerolls", Text("Allow rerolls after a roll is finished"), Switch(), False)
"""Off, because at most tables a die that landed counts."""
SEALED: Final = Setting("sealed", Text("Sealed tables only"), Switch(), False)
LANGUAGE: Final = Setting("language", Text("Language"), OneOf(SPOKEN), OF_SERVER)
LOOK: Final = Setting("look", Text("Dice style"), OneOf(LOOKS), "picture", personal=True)
"""Still pictures: see docs/speed.md for the cost of animation."""
LUCK: Final = Setting("luck", Text("Luck after a roll"), Switch(), True)
ADVICE: Final = Setting("advice", Text("Advice during attacks"), Switch(), True)
PING: Final = Setting("turn_ping", Text("Mention when a turn passes"), OneOf(PINGS), "never")
"""Never, because most tables talk while they play; play-by-post tables set it."""
READ_ALOUD: Final = Setting("read_aloud", Text("Outcomes for text-to-speech"), Switch(), False)
GM_ROLE: Final[Setting[int | None]] = Setting("gm_role", Text("GM role"), ROLE, None, for_admins=True)
LOG_CHANNEL: Final[Setting[int | None]] = Setting("log_channel", Text("Log channel"), CHANNEL, None)
KEEP_DAYS: Final = Setting(
    "keep_days",
    Text("How long finished rolls are kept"),
    WholeNumberType(1, 3650, Noun("day", "days")),
    365,
    for_admins=True,
)

GROUPS: Final[dict[Text, tuple[Setting[Any], ...]]] = {
    Text("Rules"): (GAMES_OFF, *VARIANTS, MOST_DICE, BY_HAND, REROLLS, SEALED),
    Text("On the cards"): (LANGUAGE, LOOK, LUCK, ADVICE),
    Text("The table"): (GM_ROLE, KEEP_DAYS, LOG_CHANNEL, PING, READ_ALOUD),
}
SETTINGS: Final = tuple(setting for group in GROUPS.values() for setting in group)


HANDFUL: Final = 5
"""Settings that a refusal names."""


def find(key: str) -> Setting[Any]:
    """Return the setting with this key or title, in English or the reader's language. Raises ``UnknownWordError`` with
    the nearest ones.

    Any text of at most 100 characters costs under 100,000 steps.
    """
    typed = key.strip().casefold()
    for setting in SETTINGS:
        if typed in (setting.key, english(setting.title).casefold(), translate(setting.title).casefold()):
            return setting
    known = tuple(english(setting.title) for setting in SETTINGS)
    close = (get_close_matches(key, known, n=HANDFUL, cutoff=0.0) + list(known))[:HANDFUL]
    near = Names([Code(f"`{item}`") for item in close], "or")
    wanted = Text("Use {near}; /ruleset show lists all {count}.", near=near, count=len(known))
    raise UnknownWordError("setting", key, AllowedWords(known, wanted, is_list=True))
