"""What cards cost, from where it is paid, and what a ship owes then.

A row says a ``Cost``; an effect of an attack names a token of its side, or a ``Stock`` beside the tokens; what comes of
it on ships is a ``Due``. Each is stored as its words.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Final

from bot.rules.text import Code, Names, Shown, Text
from bot.rules.xwing.faces import Face
from bot.rules.xwing.tokens import FELT, TOKENS
from bot.rules.xwing.worded import Worded


class Group(StrEnum):
    """Tokens of several kinds; locks are neither red nor orange here."""

    GREEN = "green token"
    RED_OR_ORANGE = "red or orange"


def token(name: str) -> str:
    """A token or a group of tokens by its name."""
    return Group(name) if name in tuple(Group) else name


class Payer(StrEnum):
    """Who pays: the ship with the card, any friendly ship, the one that fights, the enemy, a die, the weapon."""

    ME = ""
    FRIEND = "friend"
    SHIP = "ship"
    THEIRS = "their"
    RESULT = "result"
    WEAPON = "weapon"


CHARGE: Final = "charge"
SHIELD: Final = "shield"
EXPOSE: Final = "expose"
"""In the place of a token: a facedown damage card is exposed."""
AS_DAMAGE: Final = (Face.HIT, Face.CRIT, EXPOSE)
"""What is dealt after the damage of the attack."""
GAINED: Final = frozenset({Face.HIT, Face.CRIT, "stress", "strain", "deplete", "ion"})
"""What is paid by gaining or suffering it: that can always be done, and nothing in the attack competes for it."""
COUNTED: Final = (CHARGE, "force", "energy", "ion")
"""Rows say the number of these, also where it is 1."""
OF_WEAPON: Final = "charge of the weapon"


@dataclass(frozen=True, slots=True)
class Cost:
    """What a row costs: so many of it, and who pays; ``ship``, once it is known which one does."""

    what: str
    count: int = 1
    payer: Payer = Payer.ME
    ship: str = ""

    def __str__(self) -> str:
        return f"{self.kind}{f' of {self.ship}' if self.ship else ''} {self.count}"

    @property
    def kind(self) -> str:
        """``charge``, ``friend strain``, ``result hit``."""
        return OF_WEAPON if self.payer is Payer.WEAPON else f"{self.payer} {self.what}".lstrip()

    @property
    def written(self) -> str:
        """As a row says it."""
        return f"{self.kind} {self.count}" if self.count > 1 or self.what in COUNTED else self.kind

    @property
    def is_gained(self) -> bool:
        """Whether it is paid by gaining or suffering something."""
        return self.what in GAINED and self.payer in (Payer.ME, Payer.FRIEND, Payer.SHIP)

    @property
    def is_outside(self) -> bool:
        """Whether it is paid outside the attack: whether it is, is the player's wish, so it is claimed."""
        return self.is_gained or self.what == SHIELD or self.payer in (Payer.FRIEND, Payer.THEIRS)


COSTS: Final = (
    (Payer.WEAPON, re.compile(r"(charge) of the weapon()(?: ([1-9]))?")),
    *(
        (payer, re.compile(rf"{payer}{' ' * bool(payer)}({what})(?: of (.+?))?(?: ([1-9]))?"))
        for payer, what in (
            (Payer.FRIEND, "calculate|focus|hit|crit|strain"),
            (Payer.SHIP, "calculate|focus|hit|crit|strain"),
            (Payer.THEIRS, "red or orange|stress"),
            (Payer.RESULT, "hit|crit|focus|blank"),
            (Payer.ME, "charge|force|focus|calculate|evade|lock|shield|hit|crit|stress|strain|deplete|ion|energy"),
        )
    ),
)
"""What each can pay."""


@lru_cache(maxsize=512)
def read_cost(words: str) -> Cost:
    """``charge 1``, ``friend strain``, ``hit of Biggs 1``. Raises ``ValueError``."""
    for payer, pattern in COSTS:
        if match := pattern.fullmatch(words):
            return Cost(token(match[1]), int(match[3] or 1), payer, match[2] or "")
    raise ValueError(words)


Price = Annotated[Cost, Worded(read_cost)]


# What is spent in an attack


@dataclass(frozen=True, slots=True)
class OfCard:
    """Charges of a card, of another ship's where it is named."""

    card: str
    ship: str = ""

    def __str__(self) -> str:
        return f"charge of {self.card}{f' of {self.ship}' if self.ship else ''}"


@dataclass(frozen=True, slots=True)
class OfShip:
    """What a ship has beside the tokens of the line-up: shields, energy, and tokens of another ship."""

    what: str
    ship: str = ""

    def __str__(self) -> str:
        return f"{self.what} of {self.ship}" if self.ship else self.what


@dataclass(frozen=True, slots=True)
class OfFriends:
    """Tokens of friendly ships, whichever of them pays."""

    what: str

    def __str__(self) -> str:
        return f"friend {self.what}"


@dataclass(frozen=True, slots=True)
class OfEnemy:
    """Tokens of the enemy."""

    what: str

    def __str__(self) -> str:
        return f"their {self.what}"


@dataclass(frozen=True, slots=True)
class Spent:
    """A result of one's own dice, which leaves the pool."""

    face: Face

    def __str__(self) -> str:
        return f"result {self.face}"


@dataclass(frozen=True, slots=True)
class OneUse:
    """A use that rows of a card share: of them only one acts, or one so often."""

    card: str
    place: int

    def __str__(self) -> str:
        return f"one of {self.card}[{self.place}]"


Stock = OfCard | OfShip | OfFriends | OfEnemy | Spent | OneUse
Spendable = str | Stock
"""A token of the line-up by its name, or something besides."""


@lru_cache(maxsize=1024)
def read_stock(words: str) -> Spendable:
    """A token that dice feel, or what a stock holds, from its words."""
    if words in FELT:
        return words
    if match := re.fullmatch(r"charge of (\S+)(?: of (.+))?", words):
        return OfCard(match[1], match[2] or "")
    if match := re.fullmatch(r"one of (.+)\[([0-9])\]", words):
        return OneUse(match[1], int(match[2]))
    if match := re.fullmatch(r"(friend|their|result) (.+)", words):
        rest = token(match[2])
        return Spent(Face(rest)) if match[1] == "result" else OfFriends(rest) if match[1] == "friend" else OfEnemy(rest)
    what, _, ship = words.partition(" of ")
    return OfShip(what, ship)


StoredSpendable = Annotated[Spendable, Worded(read_stock)]


# What is owed


@dataclass(frozen=True, slots=True)
class LockOn:
    """A lock on a ship."""

    ship: str

    def __str__(self) -> str:
        return f"lock on {self.ship}"


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Tokens of one of several kinds, of those first that are named first."""

    kinds: tuple[str, ...]

    def __str__(self) -> str:
        return " or ".join(self.kinds)


Owed = str | OfCard | LockOn | AnyOf


@lru_cache(maxsize=1024)
def read_owed(words: str) -> Owed:
    """A token, damage, or what else a ship owes, from its words."""
    if isinstance(token(words), Group):
        return token(words)
    if words.startswith("lock on "):
        return LockOn(words.removeprefix("lock on "))
    if " or " in words:
        return AnyOf(tuple(words.split(" or ")))
    read = read_stock(words)
    return read if isinstance(read, OfCard) else words


@dataclass(frozen=True, slots=True)
class Due:
    """What a row does to a ship: so many more, or fewer, of something; ``ship`` is "" where none is at the table.

    ``owed``: it is a price, so the ship must have it. ``held``: the attack counts with it already.
    """

    ship: str
    what: Annotated[Owed, Worded(read_owed)]
    count: int
    owed: bool = False
    held: bool = False


# In words for people

NAMED: Final[dict[str, Text]] = {
    **{name: Text(name) for name in TOKENS},
    **{face.value: Text(face.value) for face in Face},
    Group.GREEN.value: Text("green token"),
    Group.RED_OR_ORANGE.value: Text("red or orange"),
}
"""Tokens and results as people read them."""


def named(what: Spendable | Owed) -> Shown:
    """``focus``, ``focus or calculate``, ``calculate of Separatist Drone``: names of ships stay, those of cards go."""
    match what:
        case OfCard():
            return NAMED[CHARGE]
        case OfShip(token, ship) if ship and token in NAMED:
            return Text("{what} of {ship}", what=NAMED[token], ship=ship)
        case LockOn(ship):
            return Text("lock on {target}", target=ship)
        case AnyOf(kinds):
            return Names(map(named, kinds), "or")
        case _:
            return NAMED.get(str(what)) or Code(what)


def in_words(paid: Iterable[tuple[Spendable, int]]) -> Names:
    """``1 focus and 2 charge``: what a press costs."""
    return Names([Text("{count} {what}", count=count, what=named(what)) for what, count in paid])


def asked(costs: Iterable[Cost]) -> Names:
    """What a row costs, as a claim says it."""
    return in_words((cost.kind, cost.count) for cost in costs)


def token_of(what: Spendable) -> str:
    """The token that is spent, be it of another ship; "" for what is none."""
    if isinstance(what, OfShip):
        return what.what
    return what if isinstance(what, str) else ""
