"""Conditions of card rows and dice effects: a class for each kind, with its text form and its evaluation.

A ``RowCondition`` is evaluated for a ship at the declaration (``facts.py``). An ``EffectCondition`` depends on later
tokens and dice; ``evaluate`` tests it in an ``AttackContext``, at the table and in the odds. A context decides all
tests of its moment; loading refuses rows with others.

Source: rules page, X-Wing cards, section 3 (``if``).
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Final, Protocol, cast

from bot.rules.game import Side
from bot.rules.text_values import FormPlace, StoredAsText, TextValue, value_reader
from bot.rules.xwing.dice.costs import TokenGroup, token
from bot.rules.xwing.dice.tokens import GREEN, RED_OR_ORANGE, REINFORCE, SPENT, TOKENS


class WeaponIs(StrEnum):
    """Kinds of weapon: an upgrade slot, or a wider group."""

    PRIMARY = "primary"
    SPECIAL = "special"
    ORDNANCE = "ordnance"
    CANNON = "cannon"
    TURRET = "turret"
    TORPEDO = "torpedo"
    MISSILE = "missile"
    HARDPOINT = "hardpoint"


class ShipState(StrEnum):
    """Health of a ship, also beside the other one's; whether the row's card was used on it; a lone token."""

    SHIELDS = "shields"
    DAMAGED = "damaged"
    FACEUP = "faceup"
    LITTLE_HULL = "2 or fewer hull"
    MORE_DAMAGE = "more damage cards"
    OVER_DAMAGE = "initiative above damage cards"
    ONE_OF_KIND = "exactly 1 red token, exactly 1 orange token"
    MARKED = "marked"
    ALL_FORCE = "all force active"


class Fact(StrEnum):
    """Facts that hold for the whole attack."""

    BONUS_ATTACK = "bonus attack"
    CHARGE_MISSING = "charge missing"
    CHARGE_LEFT = "charge left"
    BELOW_ME = "initiative below the card's"
    OTHER = "other"
    LOCK_NEEDED = "weapon requires a lock"
    LOCKED_BY_CARD = "locked by the card's ship"
    ON_PAPER = "on paper"


class Obstruction(StrEnum):
    """Objects between the ships. Only an obstacle adds a die; the others matter to cards."""

    OBSTACLE = "obstacle"
    SHIP = "ship"
    DEVICE = "device"


class ShipIs(StrEnum):
    """The size of a ship, or that it is limited."""

    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"
    HUGE = "huge"
    LIMITED = "limited"


class Outcome(StrEnum):
    """Results of the dice or the attack."""

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
    """A lock on the other ship, or a friend's."""

    OWN = "locked"
    FRIENDS = "friend locked"


class ParameterizedCondition(TextValue):
    places: ClassVar = {
        "arc": FormPlace("front|rear|turret|bullseye|full front|full rear|left|right"),
        "token": FormPlace("|".join((*TokenGroup, *sorted(map(re.escape, TOKENS), key=len, reverse=True))), token),
        "most": FormPlace("[0-9]", int),
        "bound": FormPlace("[0-8]", int),
        "id": FormPlace("[a-z0-9-]+"),
        "side": FormPlace("[a-z0-9' -]+"),
    }


class WeaponArc(ParameterizedCondition):
    arc: str
    forms = ("{arc} arc weapon",)


class AtRange(ParameterizedCondition):
    """A range, or from ``least`` to ``most``."""

    least: int
    most: int | None = None
    forms = ("range {least}", "range {least}-{most}")


class Obstructed(ParameterizedCondition):
    what: Obstruction = Obstruction.OBSTACLE
    forms = ("obstructed", "obstructed by {what}")


class Has(ParameterizedCondition):
    """Has a number of tokens of a kind or group."""

    token: str
    least: int = 1
    forms = ("{token}", "{least} or more {token}")


class DamageCards(ParameterizedCondition):
    most: int
    forms = ("at most {most} damage card",)


class Initiative(ParameterizedCondition):
    """Higher or lower than ``bound`` or equal to it; default: the other ship's."""

    which: Higher
    bound: int | None = None
    forms = ("initiative {which}", "initiative {bound} or {which}")


class IsShip(ParameterizedCondition):
    id: str
    forms = ("ship {id}",)


class Carries(ParameterizedCondition):
    id: str
    forms = ("has {id}",)


class Shows(ParameterizedCondition):
    """The row's two-sided card shows this side."""

    side: str
    forms = ("shows {side}",)


class Results(ParameterizedCondition):
    """A number of uncanceled hits and crits; in a dice window, of results in the pool."""

    least: int
    forms = ("{least} or more results",)


class FewDice(ParameterizedCondition):
    most: int
    forms = ("{most} or fewer dice",)


OfDice = Results | FewDice | Outcome
Later = Has | Lock | OfDice
"""Tests decided by tokens and dice during the attack."""
OfShip = Has | Lock | ShipState | DamageCards | Initiative | ShipIs | IsShip | Carries | Shows
OfAttack = WeaponIs | WeaponArc | AtRange | Obstructed | Fact
AtFirst = OfShip | OfAttack
"""Tests decided at the declaration."""
Test = AtFirst | OfDice

WORDS: Final[Mapping[str, Any]] = {
    item.value: item for kind in (WeaponIs, ShipState, Fact, ShipIs, Outcome, Lock) for item in kind
}
"""Conditions of one word or phrase."""
asked = value_reader(
    WeaponArc, AtRange, Obstructed, Results, FewDice, Has, DamageCards, Initiative, IsShip, Carries, Shows
)


def read_test(words: str) -> Test:
    """Parse a condition. Raises ``ValueError``."""
    result: Test | None = WORDS.get(words) or cast("Test | None", asked(words))
    if result is None:
        raise ValueError(words)
    return result


# Conditions of rows


class ShipRole(StrEnum):
    """The ship of a test: the one fighting on the card's side, the other one, or the one with the card."""

    OWN = ""
    THEIR = "their"
    ME = "me"


AS: Final[Mapping[str, Side]] = {"attacking": Side.ATTACKER, "defending": Side.DEFENDER}


@dataclass(frozen=True, slots=True)
class RowCondition:
    """A row's test of known facts; ``side``: only if the ship fights on that side."""

    test: Test
    whose: ShipRole = ShipRole.OWN
    no: bool = False
    side: Side | None = None


AnyCondition = tuple[RowCondition, ...]
"""Conditions of which one must be true."""
CONDITION: Final = re.compile(r"(?:(attacking|defending) )?(?:(me|their) )?(no )?(not )?(.+)")
OR: Final = re.compile(r" or (?!more |fewer |lower$|higher$|orange)")


def read_conditions(words: str) -> AnyCondition:
    """Parse a row's conditions separated by ``or``. Raises ``ValueError`` for unknown ones."""
    return tuple(map(read_condition, OR.split(words)))


def read_condition(words: str) -> RowCondition:
    said = CONDITION.fullmatch(words)
    if said is None:
        raise ValueError(words)
    test = read_test(said[5])
    if said[2] and isinstance(test, OfDice):  # the question decides whose dice are meant
        raise ValueError(words)
    return RowCondition(test, ShipRole(said[2] or ""), bool(said[3] or said[4]), AS.get(said[1] or ""))


# Conditions of effects


@dataclass(frozen=True, slots=True)
class EffectCondition:
    """A test when an effect acts: of a ``side``'s tokens, over several attacks only the defender's."""

    test: Later
    no: bool = False
    side: Side = Side.ATTACKER

    def __str__(self) -> str:
        if isinstance(self.test, Lock):
            return f"while {self.test}"
        no = "no " if self.no else ""
        return f"while {self.side.value} has {no}{self.test}" if isinstance(self.test, Has) else f"{no}{self.test}"

    def asks_tokens(self, side: Side) -> bool:
        """Whether it depends on tokens that a side may spend on its own dice."""
        if self.side is not side or not isinstance(self.test, Has | Lock):
            return False
        return isinstance(self.test, Lock) or not SPENT_ON[side].isdisjoint(tokens_in(self.test.token))


def tokens_in(name: str) -> tuple[str, ...]:
    """Return the tokens of a group, or of a kind with arcs; else the token itself."""
    if name in tuple(TokenGroup):
        return GROUPS[TokenGroup(name)]
    return tuple(item for item in TOKENS if item.startswith(REINFORCE)) if name == REINFORCE else (name,)


SPENT_ON: Final = {side: frozenset(SPENT[side]) for side in Side}
GROUPS: Final[Mapping[TokenGroup, tuple[str, ...]]] = {TokenGroup.GREEN: GREEN, TokenGroup.RED_OR_ORANGE: RED_OR_ORANGE}
"""Locks are in no group."""
HIT: Final = EffectCondition(Outcome.HIT)
LOCKED: Final = EffectCondition(Lock.OWN)
ONLY_BLANKS: Final = EffectCondition(Outcome.ONLY_BLANKS)
INSTEAD_OF_LOCK: Final = EffectCondition(Outcome.INSTEAD_OF_LOCK)
GIVEN: Final = re.compile(r"(?:while (attacker|defender) has )?(no )?(.+)")


@lru_cache(maxsize=256)
def read_given(words: str) -> EffectCondition:
    """Parse ``while locked``, ``while attacker has no evade``, ``2 or fewer dice``. Raises ``ValueError``."""
    said = GIVEN.fullmatch(words.removeprefix("while ") if words == str(LOCKED) else words)
    test = read_test(said[3]) if said is not None else None
    if said is None or not isinstance(test, Later):
        raise ValueError(words)
    return EffectCondition(test, bool(said[2]), Side(said[1] or Side.ATTACKER))


Givens = Annotated[
    tuple[EffectCondition, ...],
    StoredAsText(
        lambda words: tuple(map(read_given, filter(None, words.split(" and ")))),
        lambda held: " and ".join(map(str, held)),
    ),
]


class TokenHolder(Protocol):
    def has_any(self, token: str, least: int = 1) -> bool: ...


DecidedTests = Mapping[type[FewDice | Results] | Outcome, Callable[[Any, Any], bool]]
"""Functions of context and test, by the kind of dice test."""


@dataclass(frozen=True, slots=True)
class AttackContext:
    """The facts known at one moment of an attack; this base class: both sides' tokens, from the declaration on. Each
    moment with effects has its own context; ``dice`` lists the dice tests it decides.
    """

    attack: TokenHolder
    defense: TokenHolder
    dice_tests: ClassVar[DecidedTests] = {}

    @classmethod
    def decides(cls, test: Test) -> bool:
        """Whether it knows the answer; tests of ships and tokens are always known."""
        return not isinstance(test, OfDice) or test_kind(test) in cls.dice_tests


@dataclass(frozen=True, slots=True)
class Rolling(AttackContext):
    """A pool's roll: its number of ``dice``. ``modified``: the enemy's earlier dice were modified."""

    dice: int
    modified: bool = False
    dice_tests: ClassVar[DecidedTests] = {
        FewDice: lambda scene, test: scene.dice <= test.most,
        Outcome.MODIFIED: lambda scene, _: scene.modified,
    }


@dataclass(frozen=True, slots=True)
class InWindow(AttackContext):
    """A side's window on its own pool: number of counted ``dice``, and of ``blanks`` among them."""

    dice: int
    blanks: int
    dice_tests: ClassVar[DecidedTests] = {
        FewDice: lambda scene, test: scene.dice <= test.most,
        Results: lambda scene, test: scene.dice >= test.least,
        Outcome.ONLY_BLANKS: lambda scene, _: scene.dice >= 2 and scene.blanks == scene.dice,
        Outcome.INSTEAD_OF_LOCK: lambda *_: True,  # a spent lock excludes nothing
    }


@dataclass(frozen=True, slots=True)
class NeutralizeContext(AttackContext):
    """Around neutralize: number of uncanceled ``results`` of the attack dice."""

    results: int
    dice_tests: ClassVar[DecidedTests] = {
        Results: lambda scene, test: scene.results >= test.least,
        Outcome.HIT: lambda scene, _: scene.results > 0,
        Outcome.MISS: lambda scene, _: scene.results == 0,
    }


@dataclass(frozen=True, slots=True)
class Dealt(NeutralizeContext):
    """After damage, with its outcome. ``canceled``: some results were; ``modified``: the enemy's dice were."""

    canceled: bool
    modified: bool
    shields_lost: int
    damage: int
    dice_tests: ClassVar[DecidedTests] = {
        **NeutralizeContext.dice_tests,
        Outcome.NEUTRALIZED: lambda scene, _: scene.canceled,
        Outcome.MODIFIED: lambda scene, _: scene.modified,
        Outcome.LOST_SHIELD: lambda scene, _: scene.shields_lost > 0,
        Outcome.SUFFERED: lambda scene, _: scene.damage > 0,
    }


def test_kind(test: OfDice) -> type[FewDice | Results] | Outcome:
    """Return a test's key in ``dice``. "More results than shields" becomes a number once the shields are known."""
    if test is Outcome.OVER_SHIELDS:
        return Results
    return test if isinstance(test, Outcome) else type(test)


def evaluate(given: EffectCondition, scene: AttackContext) -> bool | None:
    """Whether it is true; None if the context does not know yet, and then nothing acts by it."""
    test = given.test
    if not isinstance(test, OfDice):
        held = scene.attack if given.side is Side.ATTACKER else scene.defense
        name, least = (test.token, test.least) if isinstance(test, Has) else ("lock", 1)
        return held.has_any(name, least) is not given.no
    decide = scene.dice_tests.get(test_kind(test))
    return None if decide is None else decide(scene, test) is not given.no


def all_hold(givens: Iterable[EffectCondition], scene: AttackContext) -> bool:
    return all(evaluate(given, scene) for given in givens)


def is_possible(givens: Iterable[EffectCondition], scene: AttackContext) -> bool:
    """Whether none is known to be false; open ones are tested again when the effect acts."""
    return all(evaluate(given, scene) is not False for given in givens)
