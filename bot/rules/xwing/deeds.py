"""What rows do besides effects on dice: a class for each kind, with all that the kind means.

Each writes itself as a row does, says itself to people, owes what it does to ships, says what a weapon deals by it, and
how far the odds count it. A kind that lacks one of these is no kind: ``tests`` list them by their type.

Source: rules page, X-Wing cards, sections 3 and 5.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum, StrEnum, auto
from functools import lru_cache
from typing import Annotated, ClassVar, Final, Self

from bot.rules.text import Names, Sentences, Shown, Text
from bot.rules.xwing.conditions import TOKEN
from bot.rules.xwing.costs import CHARGE, EXPOSE, AnyOf, Due, Group, LockOn, OfCard, named
from bot.rules.xwing.faces import Face
from bot.rules.xwing.tokens import TOKENS
from bot.rules.xwing.worded import Worded


class Who(StrEnum):
    """The ship with the card, or the other one of the attack."""

    ME = "I"
    THEY = "they"

    @property
    def other(self) -> "Who":
        return Who.THEY if self is Who.ME else Who.ME


class Acts(Enum):
    """When a deed acts that says nothing of it."""

    AFTER = auto()
    BEFORE_DICE = auto()
    """Once it is paid, it holds for the attack."""
    STANDING = auto()
    """It is read elsewhere, and nobody presses it."""
    RIGHT = auto()
    """A bonus attack, in the Aftermath."""
    TOKENS = auto()
    """Tokens of a friendly ship, each an effect of its own."""
    NEVER = auto()
    """It is only told."""


class Odds(Enum):
    """How far the odds count a deed."""

    DEALT = auto()
    """In what the attack comes to."""
    LATER = auto()
    """In no attack after this one: it changes a ship, or is paid for in one of them only."""
    BOTH = auto()
    DICE = auto()
    """On the dice: what it gives or allows is spent there."""
    NOTHING = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """The ships of a deed by name, "" for none; ``card``: whose charge comes back; ``damage``: what was suffered."""

    own: str = ""
    enemy: str = ""
    card: str = ""
    damage: int = 0

    def ship(self, who: Who) -> str:
        return self.own if who is Who.ME else self.enemy


Results = tuple[int, int]
"""(hits, crits)"""
OTHER_SHIP: Final = Text("the other ship")


class Deed:
    """What is true of most kinds."""

    __slots__ = ()
    acts: ClassVar[Acts] = Acts.AFTER
    odds: ClassVar[Odds]

    @property
    def is_for_later(self) -> bool:
        """Whether it changes something for the attack after this one, or is paid for in one of them only."""
        return self.odds in (Odds.LATER, Odds.BOTH)

    def said(self, enemy: str = "") -> Text:
        """What it does, as on a button; ``enemy`` is the other ship."""
        raise NotImplementedError

    def dues(self, told: Told) -> Iterator[Due]:  # noqa: ARG002 - most kinds do nothing to ships
        """What it does to ships."""
        yield from ()

    def dealt(self, results: Results, count: int, tokens: dict[str, int]) -> Results:  # noqa: ARG002 - as above
        """The results that are suffered of those that got through, ``count`` at first; ``tokens`` get what comes."""
        return results

    def seen_by_enemy(self) -> Self:
        """The same, as the other ship says it."""
        return self


def counted(who: Who, verb: tuple[str, str], count: int, what: Shown, enemy: str) -> Text:
    """``gain 1 focus``, ``Vader will gain 1 strain``."""
    if who is Who.THEY:
        return Text(verb[1], ship=enemy or OTHER_SHIP, count=count, what=what)
    return Text(verb[0], count=count, what=what)


GAINS: Final = (Text("gain {count} {what}"), Text("{ship} will gain {count} {what}"))
LOSES: Final = (Text("lose {count} {what}"), Text("{ship} will lose {count} {what}"))
SUFFERS: Final = (Text("suffer {count} {what}"), Text("{ship} will suffer {count} {what}"))


@dataclass(frozen=True, slots=True)
class Turned(Deed):
    """Deeds that one of the two ships feels."""

    who: Who
    count: int

    def seen_by_enemy(self) -> Self:
        return replace(self, who=self.who.other)


@dataclass(frozen=True, slots=True)
class Gain(Turned):
    token: str
    odds = Odds.BOTH

    def __str__(self) -> str:
        return f"{self.who} gain {self.count} {self.token}"

    def said(self, enemy: str = "") -> Text:
        return counted(self.who, GAINS, self.count, named(self.token), enemy)

    def dues(self, told: Told) -> Iterator[Due]:
        yield Due(told.ship(self.who), self.token, self.count)

    def dealt(self, results: Results, count: int, tokens: dict[str, int]) -> Results:  # noqa: ARG002 - of any results
        tokens[self.token] = tokens.get(self.token, 0) + self.count
        return results


@dataclass(frozen=True, slots=True)
class Lose(Turned):
    """So many tokens, of those kinds first that are named first."""

    kinds: tuple[str, ...]
    odds = Odds.BOTH

    def __str__(self) -> str:
        return f"{self.who} lose {self.count} {' or '.join(self.kinds)}"

    def said(self, enemy: str = "") -> Text:
        return counted(self.who, LOSES, self.count, named(self._what), enemy)

    def dues(self, told: Told) -> Iterator[Due]:
        yield Due(told.ship(self.who), self._what, -self.count)

    @property
    def _what(self) -> str | AnyOf:
        return AnyOf(self.kinds) if len(self.kinds) > 1 else self.kinds[0]


@dataclass(frozen=True, slots=True)
class Suffer(Turned):
    face: Face
    odds = Odds.BOTH

    def __str__(self) -> str:
        return f"{self.who} suffer {self.count} {self.face}"

    def said(self, enemy: str = "") -> Text:
        return counted(self.who, SUFFERS, self.count, named(self.face), enemy)

    @property
    def is_for_later(self) -> bool:
        return self.who is Who.THEY

    def dues(self, told: Told) -> Iterator[Due]:
        yield Due(told.ship(self.who), self.face.value, self.count)


@dataclass(frozen=True, slots=True)
class Expose(Deed):
    """The other ship exposes damage cards."""

    count: int
    odds = Odds.LATER

    def __str__(self) -> str:
        return f"they expose {self.count}"

    def said(self, enemy: str = "") -> Text:
        return Text("{ship} will expose {count}", ship=enemy or OTHER_SHIP, count=self.count)

    def dues(self, told: Told) -> Iterator[Due]:
        yield Due(told.enemy, EXPOSE, self.count)


@dataclass(frozen=True, slots=True)
class Recover(Deed):
    """Charges, force or shields come back; ``count`` 0: force for each damage."""

    count: int
    what: str
    odds = Odds.LATER

    def __str__(self) -> str:
        return f"recover {self.count} {self.what}" if self.count else f"recover {self.what} for each damage"

    def said(self, enemy: str = "") -> Text:  # noqa: ARG002 - it is one's own
        if not self.count:
            return Text("recover force for each damage")
        return Text("recover {count} {what}", count=self.count, what=named(self.what))

    def dues(self, told: Told) -> Iterator[Due]:
        what = OfCard(told.card) if self.what == CHARGE else self.what
        yield Due(told.own, what, self.count or told.damage)


@dataclass(frozen=True, slots=True)
class LockThem(Deed):
    odds = Odds.LATER

    def __str__(self) -> str:
        return "lock them"

    def said(self, enemy: str = "") -> Text:  # noqa: ARG002 - it is the other ship of the attack
        return Text("lock them")

    def dues(self, told: Told) -> Iterator[Due]:
        yield Due(told.own, LockOn(told.enemy), 1)


@dataclass(frozen=True, slots=True)
class Prevent(Deed):
    """So many results are not suffered, crits first; ``count`` 0: all."""

    count: int
    odds = Odds.BOTH

    def __str__(self) -> str:
        return f"prevent {self.count or 'all'}"

    def said(self, enemy: str = "") -> Text:  # noqa: ARG002 - it is one's own
        return Text("prevent {count}", count=self.count) if self.count else Text("prevent all")


@dataclass(frozen=True, slots=True)
class Deal(Deed):
    """In place of damage, if it hits: so many results ``face``, and of tokens those that follow.

    ``rest``: one for each other result; ``every``: one for each result; ``more``: so many besides. ``no_damage``: a
    token for each result is all that comes. ``cancels``: all results are cancelled first, as the card says it.
    """

    face: Face | None = None
    count: int = 0
    rest: str = ""
    every: str = ""
    more: tuple[tuple[int, str], ...] = ()
    cancels: bool = False
    acts = Acts.BEFORE_DICE
    odds = Odds.DEALT

    def __str__(self) -> str:
        parts = (
            f"{self.count} {self.face}" if self.face else "",
            f"rest {self.rest}" if self.rest else "",
            f"all {self.every}" if self.every else "",
            *(f"{count} {token}" for count, token in self.more),
            "cancel all" if self.cancels else "",
        )
        return f"deal {' '.join(filter(None, parts)) or 'nothing'}"

    def said(self, enemy: str = "") -> Text:  # noqa: ARG002 - a weapon deals it to the defender
        parts = [Text("{count} {what}", count=self.count, what=named(self.face))] if self.face else []
        parts += [Text("{what} for each other result", what=named(self.rest))] if self.rest else []
        parts += [Text("{what} for each result", what=named(self.every))] if self.every else []
        parts += [Text("{count} {what}", count=count, what=named(token)) for count, token in self.more]
        return Text("deal {what} in place of damage", what=Names(parts) if parts else Text("nothing"))

    def dealt(self, results: Results, count: int, tokens: dict[str, int]) -> Results:  # noqa: ARG002 - it replaces them
        came = ((self.rest, count - self.count), (self.every, count), *((token, n) for n, token in self.more))
        tokens |= {token: number for token, number in came if token and number > 0}
        return (self.count, 0) if self.face is Face.HIT else (0, self.count)


@dataclass(frozen=True, slots=True)
class DealCrits(Deed):
    """A token for each crit, in its place."""

    token: str
    acts = Acts.BEFORE_DICE
    odds = Odds.DEALT

    def __str__(self) -> str:
        return f"deal crits as {self.token}"

    def said(self, enemy: str = "") -> Text:  # noqa: ARG002 - a weapon deals it to the defender
        return Text("deal {what} for each crit in its place", what=named(self.token))

    def dealt(self, results: Results, count: int, tokens: dict[str, int]) -> Results:  # noqa: ARG002 - of crits alone
        tokens[self.token] = results[1]
        return results[0], 0


@dataclass(frozen=True, slots=True)
class NoDice(Deed):
    acts = Acts.BEFORE_DICE
    odds = Odds.DICE

    def __str__(self) -> str:
        return "no dice, it hits"

    def said(self, enemy: str = "") -> Text:  # noqa: ARG002 - it is the whole attack
        return Text("no dice, it hits")


class Weapons(StrEnum):
    """The weapons of a bonus attack: a slot of upgrades, or more than that; the same is the one whose row it is."""

    ANY = "any"
    PRIMARY = "primary"
    SPECIAL = "special"
    SAME = "same weapon"
    CANNON = "cannon"
    TURRET = "turret"
    TORPEDO = "torpedo"
    MISSILE = "missile"
    HARDPOINT = "hardpoint"


class Target(StrEnum):
    """The target of a bonus attack, of the ships of the attack before."""

    ATTACKER = "attacker"
    SAME = "same"
    OTHER = "other"
    ANY = "any"
    UNSAID = ""


class Lifts(StrEnum):
    """What of the weapon does not hold in a bonus attack."""

    LOCK = "lock"
    COST = "cost"
    NOTHING = ""


OTHER_TURRET: Final = "other turret"
"""The arc of a turret that has not fired."""


@dataclass(frozen=True, slots=True)
class BonusAttack(Deed):
    """A right to a bonus attack; ``arc`` is "" for any."""

    weapons: Weapons
    arc: str = ""
    target: Target = Target.UNSAID
    lifts: Lifts = Lifts.NOTHING
    acts = Acts.RIGHT
    odds = Odds.NOTHING

    def __str__(self) -> str:
        at = f"at {self.target}" if self.target else ""
        lifts = f"without {self.lifts}" if self.lifts else ""
        return " ".join(filter(None, ("bonus", self.weapons, self.arc, at, lifts)))

    def said(self, enemy: str = "") -> Text:  # noqa: ARG002 - its form names targets
        return Text("a bonus attack")

    def target_of(self, attacker: str, defender: str) -> str:
        """The one ship that may be attacked, after an attack between two; "" for several."""
        return {Target.ATTACKER: attacker, Target.SAME: defender}.get(self.target, "")

    def allows_target(self, name: str, attacker: str, defender: str) -> bool:
        """Whether a ship may be attacked then."""
        only = self.target_of(attacker, defender)
        return name == only if only else not (self.target is Target.OTHER and name == defender)


@dataclass(frozen=True, slots=True)
class Transfer(Deed):
    """A token of the ship with the card, or its lock, moves to the ship that fights."""

    token: str
    acts = Acts.TOKENS
    odds = Odds.DICE

    def __str__(self) -> str:
        return f"transfer 1 {self.token}"

    def said(self, enemy: str = "") -> Text:  # noqa: ARG002 - it is one's own
        return Text("transfer {count} {what}", count=1, what=named(self.token))

    @property
    def kinds(self) -> tuple[str, ...]:
        return (self.token,)


@dataclass(frozen=True, slots=True)
class Lend(Deed):
    """Tokens of the ship with the card count as those of the ship that fights."""

    kinds: tuple[str, ...]
    acts = Acts.TOKENS
    odds = Odds.DICE

    def __str__(self) -> str:
        return f"my {' and '.join(self.kinds)} count{'s' * (len(self.kinds) == 1)} as theirs"

    def said(self, enemy: str = "") -> Text:  # noqa: ARG002 - it is one's own
        return Text("spend its {what}", what=Names(map(named, self.kinds), "or"))


@dataclass(frozen=True, slots=True)
class Reach(Deed):
    """It may attack at range 0."""

    acts = Acts.STANDING
    odds = Odds.DICE

    def __str__(self) -> str:
        return "attack at range 0"

    def said(self, enemy: str = "") -> Text:  # noqa: ARG002 - it is one's own
        return Text("attack at range 0")


@dataclass(frozen=True, slots=True)
class Turn(Deed):
    """The Front Arc weapons of a kind have the turret arc."""

    weapon: str
    acts = Acts.STANDING
    odds = Odds.NOTHING

    def __str__(self) -> str:
        return f"turn {self.weapon} to turret"

    def said(self, enemy: str = "") -> Text:  # noqa: ARG002 - it is one's own
        return Text("turn front arc weapons to the turret arc")


@dataclass(frozen=True, slots=True)
class MaySpend(Deed):
    """At range 0 this token may modify attack dice."""

    token: str
    acts = Acts.STANDING
    odds = Odds.DICE

    def __str__(self) -> str:
        return f"allow {self.token} red"

    def said(self, enemy: str = "") -> Text:  # noqa: ARG002 - it is one's own
        return Text("allow {what} at range 0", what=named(self.token))


@dataclass(frozen=True, slots=True)
class Remind(Deed):
    """What people do by hand."""

    text: str
    acts = Acts.NEVER
    odds = Odds.NOTHING

    def __str__(self) -> str:
        return f"remind: {self.text}"

    def said(self, enemy: str = "") -> Text:  # noqa: ARG002 - its text names whom it is about
        return Text(self.text)


KINDS: Final[tuple[type[Deed], ...]] = (
    *(Gain, Lose, Suffer, Expose, Recover, LockThem, Prevent, Deal, DealCrits, NoDice),
    *(BonusAttack, Transfer, Lend, Reach, Turn, MaySpend, Remind),
)

FORCE_BACK: Final = Recover(1, "force")
"""Done when the attack is declared, before anything is asked."""


# Their words

NUMBER: Final = "([1-9])"
WHO: Final = "(I|they)"
FORMS: Final[Mapping[str, Callable[[re.Match[str]], Deed]]] = {
    rf"{WHO} gain {NUMBER} ({TOKEN})": lambda said: Gain(Who(said[1]), int(said[2]), said[3]),
    rf"{WHO} lose {NUMBER} ({Group.GREEN}|(?:{TOKEN})(?: or (?:{TOKEN}))?)": lambda said: Lose(
        Who(said[1]), int(said[2]), kinds_of(said[3])
    ),
    rf"{WHO} suffer {NUMBER} (hit|crit)": lambda said: Suffer(Who(said[1]), int(said[2]), Face(said[3])),
    rf"they expose {NUMBER}": lambda said: Expose(int(said[1])),
    rf"recover {NUMBER} (charge|force|shield)": lambda said: Recover(int(said[1]), said[2]),
    "recover (force) for each damage": lambda said: Recover(0, said[1]),
    "lock them": lambda _: LockThem(),
    "prevent ([1-9]|all)": lambda said: Prevent(0 if said[1] == "all" else int(said[1])),
    rf"deal (?!nothing)(?:{NUMBER} (hit|crit))?(?: ?rest ({TOKEN}))?(?: ?all ({TOKEN}))?"
    rf"((?: {NUMBER} (?:{TOKEN}))*)( cancel all)?": lambda said: deal(said),
    "deal nothing": lambda _: Deal(),
    rf"deal crits as ({TOKEN})": lambda said: DealCrits(said[1]),
    "no dice, it hits": lambda _: NoDice(),
    "bonus (any|primary|cannon|turret|torpedo|missile|hardpoint|special|same weapon)"
    "(?: (front|rear|turret|bullseye|other turret))?(?: at (attacker|same|other|any))?(?: without (lock|cost))?": (
        lambda said: BonusAttack(Weapons(said[1]), said[2] or "", Target(said[3] or ""), Lifts(said[4] or ""))
    ),
    "transfer 1 (focus|evade|calculate|lock)": lambda said: Transfer(said[1]),
    "my (focus|evade|calculate)(?: and (focus|evade|calculate))? counts? as theirs": lambda said: Lend(
        tuple(filter(None, said.groups()))
    ),
    "attack at range 0": lambda _: Reach(),
    "turn (cannon|torpedo|missile) to turret": lambda said: Turn(said[1]),
    rf"allow ({TOKEN}) red": lambda said: MaySpend(said[1]),
    "remind: (.+)": lambda said: Remind(said[1]),
}
DEEDS: Final = [(re.compile(form), make) for form, make in FORMS.items()]


def kinds_of(words: str) -> tuple[str, ...]:
    return (Group.GREEN,) if words == Group.GREEN else tuple(words.split(" or "))


def deal(said: re.Match[str]) -> Deal:
    more = tuple((int(count), token) for count, token in re.findall(rf" {NUMBER} ({TOKEN})", said[5] or ""))
    face = Face(said[2]) if said[2] else None
    return Deal(face, int(said[1] or 0), said[3] or "", said[4] or "", more, bool(said[7]))


@lru_cache(maxsize=512)  # and so one object for the same words, which is quickly compared
def read_deed(words: str) -> Deed | None:
    """The deed of a phrase; None for one that is none."""
    return next((make(said) for form, make in DEEDS if (said := form.fullmatch(words))), None)


def all_said(deeds: Iterable[Deed]) -> Text:
    """Several, one after the other."""
    return Sentences((deed.said() for deed in deeds), ", ")


# What other effects say besides


class RangeDie(StrEnum):
    """The die for range: there in any case, not there, or the attack counts as at range 1."""

    OFF = "off"
    ON = "on"
    CLOSE = "close"


class CritOrder(StrEnum):
    """Evades cancel crits first, or not at all."""

    FIRST = "first"
    STAY = "stay"


class Forbidden(StrEnum):
    """What is done to no die, or to so many: anything, rerolling; spending green tokens there."""

    MODIFY = "modify"
    REROLL = "reroll"
    REROLLED = "rerolled"
    GREEN_TOKENS = "green tokens"


@dataclass(frozen=True, slots=True)
class AToken:
    """A token by which something is done."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class AllBut:
    """Everything but what this token does, "" for the card itself."""

    token: str = ""

    def __str__(self) -> str:
        return f"all but {self.token or 'this'}"


What = Deed | RangeDie | CritOrder | Forbidden | AToken | AllBut
PLAIN: Final[Mapping[str, What]] = {one.value: one for kind in (RangeDie, CritOrder, Forbidden) for one in kind}


@lru_cache(maxsize=512)
def read_what(words: str) -> What | None:
    """What an effect says besides dice, from the words that are stored; None for "". Raises ``ValueError``."""
    if words.startswith("all but "):
        return AllBut(words.removeprefix("all but ").replace("this", ""))
    found = PLAIN.get(words) or read_deed(words) or (AToken(words) if words in TOKENS else None)
    if words and found is None:
        raise ValueError(words)
    return found


def what_in_words(what: What | None) -> str:
    return str(what or "")


StoredWhat = Annotated[What | None, Worded(read_what, what_in_words)]
