"""Conditions of rows and of effects: a class for each kind, with its words and how it is asked.

A row asks a ``Condition`` about a ship, once the attack is declared (``facts.py``). What tokens and dice decide later
is a ``Given`` of the effect, asked of a ``Scene`` by the one function ``holds``, at the table and in the odds.

Source: rules page, X-Wing cards, section 3 (``if``).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Final, Protocol, assert_never, cast

from bot.rules.game import Side
from bot.rules.worded import AsWords, Place, Worded, reader
from bot.rules.xwing.dice.costs import Group, token
from bot.rules.xwing.dice.tokens import TOKENS


class WeaponIs(StrEnum):
    """What the weapon is: a slot of an upgrade, or more than that."""

    PRIMARY = "primary"
    SPECIAL = "special"
    ORDNANCE = "ordnance"
    CANNON = "cannon"
    TURRET = "turret"
    TORPEDO = "torpedo"
    MISSILE = "missile"
    HARDPOINT = "hardpoint"


class Health(StrEnum):
    """What a ship has: shields, damage cards, faceup ones."""

    SHIELDS = "shields"
    DAMAGED = "damaged"
    FACEUP = "faceup"


class Fact(StrEnum):
    """What is so for the whole attack."""

    OBSTRUCTED = "obstructed"
    BONUS_ATTACK = "bonus attack"
    CHARGE_MISSING = "charge missing"
    OTHER = "other"


class ShipIs(StrEnum):
    """The size of a ship, or that it is limited."""

    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"
    HUGE = "huge"
    LIMITED = "limited"


class Outcome(StrEnum):
    """What became of the dice."""

    HIT = "hit"
    MISS = "miss"
    NEUTRALIZED = "neutralized"
    MODIFIED = "dice modified"
    OVER_SHIELDS = "more results than shields"
    LOST_SHIELD = "lost a shield"
    SUFFERED = "suffered damage"
    ONLY_BLANKS = "only blanks"
    INSTEAD_OF_LOCK = "instead of lock"


class Higher(StrEnum):
    HIGHER = "higher"
    LOWER = "lower"


class Lock(StrEnum):
    """A lock on the other ship; or a friend of the ship has one."""

    OWN = "locked"
    FRIENDS = "friend locked"


class Asked(Worded):
    """A condition with something to fill in."""

    places: ClassVar = {
        "arc": Place("front|rear|turret|bullseye|full front|full rear|left|right"),
        "token": Place("|".join((*Group, *sorted(map(re.escape, TOKENS), key=len, reverse=True))), token),
        "least": Place("[0-9]+", int),
        "most": Place("[0-9]", int),
        "which": Place("higher|lower", Higher),
        "bound": Place("[0-8]", int),
        "id": Place("[a-z0-9-]+"),
        "side": Place("[a-z0-9' -]+"),
    }


class WeaponArc(Asked):
    arc: str
    forms = ("{arc} arc weapon",)


class AtRange(Asked):
    """At this range, or from ``least`` to ``most``."""

    least: int
    most: int | None = None
    forms = ("range {least}", "range {least}-{most}")


class Has(Asked):
    """So many tokens of a kind or group."""

    token: str
    least: int = 1
    forms = ("{token}", "{least} or more {token}")


class DamageCards(Asked):
    most: int
    forms = ("at most {most} damage card",)


class Initiative(Asked):
    """Higher or lower than ``bound`` or equal to it; without one, than the other ship's."""

    which: Higher
    bound: int | None = None
    forms = ("initiative {which}", "initiative {bound} or {which}")


class IsShip(Asked):
    id: str
    forms = ("ship {id}",)


class Carries(Asked):
    id: str
    forms = ("has {id}",)


class Shows(Asked):
    """The card of the row has two sides, and this one lies up."""

    side: str
    forms = ("shows {side}",)


class Results(Asked):
    """So many uncancelled hits and crits; while dice are modified, so many results in the pool."""

    least: int
    forms = ("{least} or more results",)


class FewDice(Asked):
    most: int
    forms = ("{most} or fewer dice",)


OfDice = Results | FewDice | Outcome
Later = Has | Lock | OfDice
"""What tokens and dice may decide once the attack goes on."""
OfShip = Has | Lock | Health | DamageCards | Initiative | ShipIs | IsShip | Carries | Shows
OfAttack = WeaponIs | WeaponArc | AtRange | Fact
AtFirst = OfShip | OfAttack
"""What is known when the attack is declared."""
Test = AtFirst | OfDice

WORDS: Final[Mapping[str, Any]] = {
    one.value: one for kind in (WeaponIs, Health, Fact, ShipIs, Outcome, Lock) for one in kind
}
"""Conditions that are one word or phrase."""
asked = reader(WeaponArc, AtRange, Results, FewDice, Has, DamageCards, Initiative, IsShip, Carries, Shows)


def read_test(words: str) -> Test:
    """A condition by its words. Raises ``ValueError``."""
    found: Test | None = WORDS.get(words) or cast("Test | None", asked(words))
    if found is None:
        raise ValueError(words)
    return found


# Of rows


class Whose(StrEnum):
    """Of which ship it is asked: of the one that fights on the card's side, the other, the one with the card."""

    OWN = ""
    THEIR = "their"
    ME = "me"


AS: Final[Mapping[str, Side]] = {"attacking": Side.ATTACKER, "defending": Side.DEFENDER}


@dataclass(frozen=True, slots=True)
class Condition:
    """What a row asks of what the bot knows; ``side``: only where the ship fights on it."""

    test: Test
    whose: Whose = Whose.OWN
    no: bool = False
    side: Side | None = None


AnyCondition = tuple[Condition, ...]
"""Conditions of which one must hold."""
CONDITION: Final = re.compile(r"(?:(attacking|defending) )?(?:(me|their) )?(no )?(not )?(.+)")
OR: Final = re.compile(r" or (?!more |fewer |lower$|higher$|orange)")


def read_conditions(words: str) -> AnyCondition:
    """The conditions that a row writes with ``or`` between. Raises ``ValueError`` for what the bot does not know."""
    return tuple(map(read_condition, OR.split(words)))


def read_condition(words: str) -> Condition:
    said = CONDITION.fullmatch(words)
    if said is None:
        raise ValueError(words)
    test = read_test(said[5])
    if said[2] and isinstance(test, OfDice):  # dice are one's own or the enemy's by what is asked
        raise ValueError(words)
    return Condition(test, Whose(said[2] or ""), bool(said[3] or said[4]), AS.get(said[1] or ""))


# Of effects


@dataclass(frozen=True, slots=True)
class Given:
    """What must hold when an effect acts: of tokens, those of a ``side``, the defender's in several attacks alone."""

    test: Later
    no: bool = False
    side: Side = Side.ATTACKER

    def __str__(self) -> str:
        if isinstance(self.test, Lock):
            return f"while {self.test}"
        no = "no " if self.no else ""
        return f"while {self.side.value} has {no}{self.test}" if isinstance(self.test, Has) else f"{no}{self.test}"

    @property
    def of_tokens(self) -> bool:
        """Whether it asks for tokens of the attacker."""
        return isinstance(self.test, Has | Lock) and self.side is Side.ATTACKER

    @property
    def is_early(self) -> bool:
        """Whether it is known before the dice lie; a hit is what everything after the dice asks for."""
        return isinstance(self.test, Has | Lock | FewDice) or self == HIT


HIT: Final = Given(Outcome.HIT)
LOCKED: Final = Given(Lock.OWN)
ONLY_BLANKS: Final = Given(Outcome.ONLY_BLANKS)
INSTEAD_OF_LOCK: Final = Given(Outcome.INSTEAD_OF_LOCK)
GIVEN: Final = re.compile(r"(?:while (attacker|defender) has )?(no )?(.+)")


@lru_cache(maxsize=256)
def read_given(words: str) -> Given:
    """``while locked``, ``while attacker has no evade``, ``2 or fewer dice``. Raises ``ValueError``."""
    said = GIVEN.fullmatch(words.removeprefix("while ") if words == str(LOCKED) else words)
    test = read_test(said[3]) if said is not None else None
    if said is None or not isinstance(test, Later):
        raise ValueError(words)
    return Given(test, bool(said[2]), Side(said[1] or Side.ATTACKER))


def read_givens(words: str) -> tuple[Given, ...]:
    """Several with ``and`` between; () for none."""
    return tuple(map(read_given, words.split(" and "))) if words else ()


def in_words(givens: Iterable[Given]) -> str:
    """The inverse."""
    return " and ".join(map(str, givens))


Givens = Annotated[tuple[Given, ...], AsWords(read_givens, in_words)]


class Holder(Protocol):
    """Who has tokens in an attack."""

    def has_any(self, token: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class Scene:
    """What is known when an effect would act: the attacker's tokens, and the rest once it lies there.

    ``dice``: how many the pool has. ``results``: as ``Results`` counts them. ``outcomes``: those that are decided.
    """

    attack: Holder
    dice: int | None = None
    results: int | None = None
    outcomes: Mapping[Outcome, bool] = field(default_factory=dict)


def holds(given: Given, scene: Scene) -> bool:
    """Whether it is so; what is not known yet is asked later, and holds until then."""
    found = is_so(given.test, scene) if given.side is Side.ATTACKER else None
    return found is None or found is not given.no


def all_hold(givens: Iterable[Given], scene: Scene) -> bool:
    """Whether all of them are so."""
    return all(holds(given, scene) for given in givens)


def is_so(test: Later, scene: Scene) -> bool | None:
    """Whether it is so, before it is turned round; None where that is not known."""
    match test:
        case Has(name):
            return scene.attack.has_any(name)
        case Lock():
            return scene.attack.has_any("lock")
        case FewDice(most):
            return None if scene.dice is None else scene.dice <= most
        case Results(least):
            return None if scene.results is None else scene.results >= least
        case Outcome():
            return scene.outcomes.get(test)
        case _:
            assert_never(test)
