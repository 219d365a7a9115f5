"""Costs of cards, who pays them, and the resulting changes to ships. A row states a ``Cost``. An effect of an attack
names a token of its side or a ``Stock``. Ships' losses and gains are ``PendingChange``.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, ClassVar, Final

from bot.rules.game import Side
from bot.rules.text import EMPTY, N_, UNNAMED, Code, Message, Name, Names, Noun, Sentences, Shown, Text, joined, term
from bot.rules.text_values import NUMBER, FormPlace, StoredAsText, TextValue, value_reader
from bot.rules.xwing.dice.faces import NOUNS, Face
from bot.rules.xwing.dice.tokens import FELT, RED_OR_ORANGE, TABLE, TOKENS


class CardId(str):  # noqa: SLOT000 - it keeps its two parts
    """A card in rows, ``upgrade:predator``: its kind and its id; "" for none."""

    kind: str
    id: str

    def __new__(cls, kind: str, id_: str) -> "CardId":
        new = super().__new__(cls, f"{kind}:{id_}" if kind else "")
        new.kind, new.id = kind, id_
        return new

    def __getnewargs__(self) -> tuple[str, str]:  # type: ignore[override]  # a copy is made of both
        return self.kind, self.id

    @classmethod
    def read(cls, text: str) -> "CardId":
        kind, _, id_ = text.partition(":")
        return cls(kind, id_)


NO_CARD: Final = CardId("", "")
StoredCard = Annotated[CardId, StoredAsText(CardId.read)]


class TokenGroup(StrEnum):
    """Tokens of several kinds; locks are neither red nor orange here."""

    GREEN = "green token"
    RED_OR_ORANGE = "red or orange"


def token(name: str) -> str:
    return TokenGroup(name) if name in tuple(TokenGroup) else name


class Payer(StrEnum):
    """The payer: the ship with the card, any friendly ship, the one fighting, the enemy, a die, the weapon, or another
    upgrade of the ship with the card, by its slot.
    """

    ME = ""
    FRIEND = "friend"
    SHIP = "ship"
    THEIRS = "their"
    RESULT = "result"
    WEAPON = "weapon"
    UPGRADE = "upgrade"


CHARGE: Final = "charge"
SHIELD: Final = "shield"
EXPOSE: Final = "expose"
"""Exposes a facedown damage card, instead of a token."""
NEXT_CARD: Final[Mapping[str, Text]] = {
    "next faceup card facedown": Text("the next faceup damage card is dealt facedown"),
    "next faceup card discarded": Text("the next faceup damage card is discarded"),
}
"""Effects that a ship keeps for its next faceup damage card."""
AS_DAMAGE: Final = (Face.HIT, Face.CRIT, EXPOSE)
"""Costs dealt after the attack's damage."""
GAINED: Final = frozenset({Face.HIT, Face.CRIT, "stress", "strain", "deplete", "ion", "jam", "disarm", "tractor"})
"""Costs of gaining or suffering: always payable, without competition."""


@dataclass(frozen=True, slots=True)
class Cost:
    """A row's cost: amount, thing, and payer; ``ship``: once known."""

    what: str
    count: int = 1
    payer: Payer = Payer.ME
    ship: Name = UNNAMED

    def __str__(self) -> str:
        return f"{self.kind}{f' of {self.ship}' if self.ship else ''} {self.count}"

    @property
    def kind(self) -> str:
        """Return ``charge``, ``friend strain``, ``result hit``."""
        return f"{CHARGE} of the weapon" if self.payer is Payer.WEAPON else f"{self.payer} {self.what}".lstrip()

    @property
    def is_gained(self) -> bool:
        """Whether it is paid by gaining or suffering."""
        return self.what in GAINED and self.payer in (Payer.ME, Payer.FRIEND, Payer.SHIP)

    @property
    def is_outside(self) -> bool:
        """Whether players claim its payment: outside the attack, or an enemy's token that affects dice."""
        is_elsewhere = self.payer is Payer.THEIRS and self.what not in FELT
        return self.is_gained or self.what == SHIELD or self.payer is Payer.FRIEND or is_elsewhere


COSTS: Final = tuple(
    (payer, re.compile(rf"{payer}{' ' * bool(payer)}({what})(?: of (.+?))?(?: ([1-9]))?"))
    for payer, what in (
        (Payer.FRIEND, "calculate|focus|hit|crit|strain"),
        (Payer.SHIP, "calculate|focus|hit|crit|strain|stress"),
        (Payer.THEIRS, "|".join((TokenGroup.RED_OR_ORANGE, *RED_OR_ORANGE))),
        (Payer.RESULT, "hit|crit|focus|blank"),
        (Payer.UPGRADE, "(?:non-recurring )?(?:torpedo|missile|illicit|astromech)"),
        (
            Payer.ME,
            f"charge|force|focus|calculate|evade|reinforce|{TokenGroup.GREEN}|lock|shield|hit|crit|expose|energy",
        ),
        (Payer.ME, "stress|strain|deplete|ion|jam|disarm|tractor"),
    )
)
"""Patterns of each payer's costs; a weapon pays its charges."""


@lru_cache(maxsize=512)
def read_cost(words: str) -> Cost:
    """Parse ``charge 1``, ``friend strain``, ``hit of Biggs 1``. Raises ``ValueError``."""
    for payer, pattern in COSTS:
        if said := pattern.fullmatch(words):
            is_of_weapon = said[2] == "the weapon"
            ship = UNNAMED if is_of_weapon else Name(said[2] or "")
            return Cost(token(said[1]), int(said[3] or 1), Payer.WEAPON if is_of_weapon else payer, ship)
    raise ValueError(words)


def read_costs(words: str) -> tuple[Cost, ...]:
    """Parse several costs separated by commas, () for none. Raises ``ValueError``."""
    return tuple(map(read_cost, filter(None, words.split(", "))))


Price = Annotated[Cost, StoredAsText(read_cost)]


# Costs in an attack, or after it


class Stock(TextValue):
    """A resource spent besides a side's tokens."""

    places: ClassVar = {
        "card": FormPlace(r"damage:[^\[]+|[^\s\[]+", CardId.read),
        "ship": FormPlace(".+"),
        "what": FormPlace(r"\S+"),
        "token": FormPlace(".+", token),
        "face": FormPlace(r"\w+", Face),
        "place": NUMBER,
        "kinds": FormPlace(".+ or .+", lambda words: tuple(words.split(" or ")), " or ".join),
    }


class OfCard(Stock):
    """A card's charges, of another ship's if named."""

    card: CardId
    ship: Name = UNNAMED
    forms = ("charge of {card}", "charge of {card} of {ship}")


class OfFriends(Stock):
    """Any friendly ship's tokens."""

    token: str
    forms = ("friend {token}",)


class OfEnemy(Stock):
    token: str
    forms = ("their {token}",)


class SpentResult(Stock):
    """A result of one's own dice, which is removed."""

    face: Face
    forms = ("result {face}",)


class OneUse(Stock):
    """A use shared by rows of a card, of which one acts; ``ship``: of those that it pays for."""

    card: str
    place: int
    ship: Name = UNNAMED
    forms = ("one of {card}[{place}]", "one of {card}[{place}] by {ship}")


class OfShip(Stock):
    """A ship's resources outside the line-up: shields, energy, and tokens of another ship."""

    what: str
    ship: Name = UNNAMED
    forms = ("{what}", "{what} of {ship}")


class LockOn(Stock):
    ship: Name
    forms = ("lock on {ship}",)


class SideOf(Stock):
    """The side of a card that is up, which flips."""

    card: CardId
    forms = ("side of {card}",)


class AnyOf(Stock):
    """A token of several kinds, in this order."""

    kinds: tuple[str, ...]
    forms = ("{kinds}",)


Spendable = str | Stock
"""A line-up's token by name, or another stock."""
stock = value_reader(OfCard, OneUse, SpentResult, OfFriends, OfEnemy, OfShip)
owed = value_reader(LockOn, SideOf, OfCard, AnyOf)


StoredSpendable = Annotated[Spendable, StoredAsText(lambda words: words if words in FELT else stock(words) or words)]
StoredDue = Annotated[Spendable, StoredAsText(lambda words: token(words) if words in GROUPED else owed(words) or words)]
GROUPED: Final = tuple(TokenGroup)


@dataclass(frozen=True, slots=True)
class PendingChange:
    """A change to a ship: ``count`` more (negative: fewer) of ``what``; ``ship``: "" if not on the table.

    ``owed``: a cost, so the ship must have it. ``held``: the attack already includes it. ``side``: an unnamed ship's
    side. ``is_later``: after the attack, without effect on its dice.
    """

    ship: Name
    what: StoredDue
    count: int
    owed: bool = False
    held: bool = False
    side: Side | None = None
    is_later: bool = False


def token_of(what: Spendable) -> str:
    """Return the spent token, even another ship's; "" for none."""
    return what.what if isinstance(what, OfShip) else what if isinstance(what, str) else ""


# Display texts

NAMED: Final[dict[str, Text]] = {
    **{name: term(name) for name in TOKENS},
    **{face.value: Text(face.value) for face in Face},
    TokenGroup.GREEN.value: Text("green token"),
    TokenGroup.RED_OR_ORANGE.value: Text("red or orange"),
}
"""Display names of tokens and results."""


def cost_name(what: Spendable) -> Shown:
    """``focus``, ``focus or calculate``, ``calculate of Separatist Drone``: names of ships stay, those of cards go."""
    match what:
        case OfCard():
            return NAMED[CHARGE]
        case OfShip(token, ship) if ship and token in NAMED:
            return Text("{what} of {ship}", what=NAMED[token], ship=ship)
        case LockOn(ship):
            return Text("lock on {target}", target=ship)
        case AnyOf(kinds):
            return Names(map(cost_name, kinds), "or")
        case _:
            return NAMED.get(str(what)) or Code(what)


NOUN_OF: Final[Mapping[str, Noun]] = {
    **{item.name: item.noun for item in TABLE if item.noun.one == item.name},
    **{face.value: NOUNS[face] for face in (Face.HIT, Face.CRIT)},
    EXPOSE: Noun("exposed damage card", "exposed damage cards"),
}
"""Nouns of things counted with one, like 2 charges; tokens have only their name, like 2 focus."""


def amount_text(count: int, what: Spendable) -> Shown:
    """Return ``2 charges``, ``1 focus``, ``1 crit result``, ``1 tractor token of the other ship``."""
    match what:
        case OfEnemy(name):
            return Text(PAID_BY[Payer.THEIRS], what=amount_text(count, name))
        case OfFriends(name):
            return Text(PAID_BY[Payer.FRIEND], what=amount_text(count, name))
        case SpentResult(face):
            return Text(PAID_BY[Payer.RESULT], what=amount_text(count, face.value))
        case OfShip(name, ship) if ship and name in NAMED:
            return Text("{what} of {ship}", what=amount_text(count, name), ship=ship)
        case OfCard():
            what = CHARGE
    noun = NOUN_OF.get(str(what))
    return noun.of(count) if noun is not None else joined(count, cost_name(what))


def cost_text(paid: Iterable[tuple[Spendable, int]]) -> Names:
    """Return a press's cost: ``1 focus and 2 charges``."""
    return Names([amount_text(count, what) for what, count in paid])


def claimed_costs(costs: Iterable[Cost]) -> Names:
    """Return a row's costs as words for its claim: ``1 red or orange token of the other ship``."""
    plain = ((cost, amount_text(cost.count, cost.what)) for cost in costs)
    return Names([Text(PAID_BY[cost.payer], what=said) if cost.payer in PAID_BY else said for cost, said in plain])


def claim(ask: str, costs: Iterable[Cost]) -> Text:
    """Return a press's claim and costs: ``an enemy in your bullseye arc; for 1 force``; "" for neither."""
    paid = claimed_costs(costs)
    return Sentences([term(ask), Text("for {costs}", costs=paid) if paid else EMPTY], "; ")


PAID_BY: Final[dict[Payer, Message]] = {
    Payer.THEIRS: N_("{what} token of the other ship"),
    Payer.RESULT: N_("{what} result"),
    Payer.FRIEND: N_("{what} of a friendly ship"),
    Payer.SHIP: N_("{what} of that ship"),
    Payer.WEAPON: N_("{what} of the weapon"),
}
