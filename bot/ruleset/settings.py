"""Every setting of a table: one line each, with its cases in ``tests/ruleset/cases.py``. Games add their own.

Read a setting with ``ruling[MOST_DICE]``. Every value, typed or from a file, is checked here and nowhere else.
"""

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final, Generic, Literal

from bot.games import GAMES
from bot.languages import LANGUAGES
from bot.rules.dice import DICE_MOST
from bot.rules.errors import BadInput, BadWord, Known
from bot.rules.text import Code, Name, Names, Noun, Shown, Text, english
from bot.ruleset.kind import CHANNEL, ROLE, Kind, Number, OneOf, Several, Switch, T

Look = Literal["picture", "animated", "emoji", "text"]

MOST_DICE_LEAST: Final = 6
"""The lowest limit that a table may set; every game can be played with this many dice."""
Ping = Literal["never", "mention", "minute"]
PINGS: Final[dict[Ping, Shown]] = {
    "never": Text("Never"),
    "mention": Text("Mention at once"),
    "minute": Text("After a minute"),
}
LOOKS: Final[dict[Look, Shown]] = {
    "picture": Text("Picture"),
    "animated": Text("Animated picture"),
    "emoji": Text("Emoji"),
    "text": Text("Text"),
}


OF_SERVER: Final = "server"
"""The language that a community server says it speaks; English in any other."""
SPOKEN: Final[dict[str, Shown]] = {
    OF_SERVER: Text("As the server"),
    **{key: Name(one.name) for key, one in LANGUAGES.items()},
}


@dataclass(frozen=True, slots=True)
class Setting(Generic[T]):
    """A setting: its key in files, its title for people, the values it takes, and the default.

    ``personal``: players may prefer another value for themselves. ``for_admins``: only admins may set it, not GMs.
    ``fills``: a game and a word of its declarations; the value is used for that word unless somebody types another.
    """

    key: str
    title: Shown
    kind: Kind[T]
    built_in: T
    personal: bool = False
    for_admins: bool = False
    fills: tuple[str, str] | None = None

    def check(self, value: object) -> T:
        """The value, if this setting takes it. Raises ``BadInput`` naming the setting."""
        try:
            return self.kind.check(value)
        except ValueError:
            raise BadInput(self.key, value, *self.kind.wanted) from None

    def parse(self, text: str) -> T:
        """The value that was typed. Raises ``BadInput``."""
        return self.check(self.kind.parse(text))

    def words(self, value: object) -> Shown:
        return self.kind.words(value)


GAMES_OFF: Final[Setting[tuple[str, ...]]] = Setting(
    "games_off", Text("Games switched off"), Several({key: game.title for key, game in GAMES.items()}), ()
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
    for key, game in GAMES.items()
    for variant in game.variants
)
"""The editions and methods that a table can choose."""
MOST_DICE: Final = Setting(
    "most_dice", Text("Most dice in a roll"), Number(MOST_DICE_LEAST, DICE_MOST, Noun("die", "dice")), DICE_MOST
)
BY_HAND: Final = Setting("physical_dice", Text("Physical dice"), Switch(), True)
REROLLS: Final = Setting("rerolls", Text("Rerolls of a finished roll"), Switch(), False)
"""Off, because at most tables a die that lies is a die that counts."""
SEALED: Final = Setting("sealed", Text("Sealed tables only"), Switch(), False)
LANGUAGE: Final = Setting("language", Text("Language"), OneOf(SPOKEN), OF_SERVER)
LOOK: Final = Setting("look", Text("Look of the dice"), OneOf(LOOKS), "picture", personal=True)
"""Not animated: docs/speed.md says what that costs."""
LUCK: Final = Setting("luck", Text("Luck after a roll"), Switch(), True)
ADVICE: Final = Setting("advice", Text("Advice in open windows"), Switch(), True)
PING: Final = Setting("turn_ping", Text("Mention when a turn passes"), OneOf(PINGS), "never")
"""Never, because most tables talk while they play; one that plays over days sets it."""
READ_ALOUD: Final = Setting("read_aloud", Text("Outcomes read aloud"), Switch(), False)
GM_ROLE: Final[Setting[int | None]] = Setting("gm_role", Text("GM role"), ROLE, None, for_admins=True)
LOG_CHANNEL: Final[Setting[int | None]] = Setting("log_channel", Text("Log channel"), CHANNEL, None)
KEEP_DAYS: Final = Setting(
    "keep_days", Text("Finished rolls are kept"), Number(1, 3650, Noun("day", "days")), 365, for_admins=True
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
    """The setting with this key or title. Raises ``BadWord`` with the nearest one."""
    typed = key.strip().casefold()
    for setting in SETTINGS:
        if typed in (setting.key, english(setting.title).casefold()):
            return setting
    known = tuple(setting.key for setting in SETTINGS)
    close = (get_close_matches(typed, known, n=HANDFUL, cutoff=0.0) + list(known))[:HANDFUL]
    near = Names([Code(f"`{one}`") for one in close], "or")
    wanted = Text("Use {near}; /ruleset show lists all {count}.", near=near, count=len(known))
    raise BadWord("setting", key, Known(known, wanted))
