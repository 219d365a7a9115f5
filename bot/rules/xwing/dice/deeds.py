"""What rows do besides effects on dice: a class for each kind, with all that the kind means.

Each writes itself as a row does, says itself to people, owes what it does to ships, says what a weapon deals by it, and
how far the odds count it. A kind that lacks one of these is no kind: ``tests`` list them by their type.

Source: rules page, X-Wing cards, sections 3 and 5.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum, StrEnum, auto
from typing import Annotated, ClassVar, Final, Self, cast

from bot.rules.text import N_, UNNAMED, Message, Name, Names, Sentences, Shown, Text, beside, term
from bot.rules.worded import NUMBER, AsWords, Place, Worded, reader
from bot.rules.xwing.dice.costs import (
    CHARGE,
    EXPOSE,
    NO_CARD,
    AnyOf,
    CardId,
    Due,
    Group,
    LockOn,
    OfCard,
    SideOf,
    named,
    token,
)
from bot.rules.xwing.dice.faces import Face
from bot.rules.xwing.dice.tokens import TOKENS


class Who(StrEnum):
    """The ship with the card, or the other one of the attack."""

    ME = "I"
    THEY = "they"


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

    own: Name = UNNAMED
    enemy: Name = UNNAMED
    card: CardId = NO_CARD
    damage: int = 0

    def ship(self, who: Who) -> Name:
        return self.own if who is Who.ME else self.enemy


Results = tuple[int, int]
"""(hits, crits)"""
OTHER_SHIP: Final = Text("the other ship")
TOKEN: Final = "|".join(sorted(map(re.escape, TOKENS), key=len, reverse=True))


class Weapons(StrEnum):
    """The weapons of a bonus attack: a slot of upgrades, or more than that.

    The same is the one whose row it is, another one has not made the attack before.
    """

    ANY = "any"
    PRIMARY = "primary"
    SPECIAL = "special"
    SAME = "same weapon"
    OTHER = "other weapon"
    CANNON = "cannon"
    TURRET = "turret"
    TORPEDO = "torpedo"
    MISSILE = "missile"
    HARDPOINT = "hardpoint"


class Target(StrEnum):
    """The target of a bonus attack, of the ships of the attack before."""

    UNSAID = ""
    ATTACKER = " at attacker"
    SAME = " at same"
    OTHER = " at other"
    ANY = " at any"


class Lifts(StrEnum):
    """What of the weapon does not hold in a bonus attack."""

    NOTHING = ""
    LOCK = " without lock"
    COST = " without cost"


OTHER_TURRET: Final = "other turret"
"""The arc of a turret that has not fired."""


class Deed(Worded):
    """What is true of most kinds. ``says``: what it does, as on a button; of the other ship, the second one.

    The head of a kind says when it acts and how far the odds count it.
    """

    places: ClassVar = {
        "who": Place("I|they", Who),
        "count": NUMBER,
        "token": Place(TOKEN),
        "what": Place("charge|force|shield"),
        "range": Place("[45]", int),
        "face": Place("hit|crit", Face),
        "kinds": Place(
            f"{Group.GREEN}|(?:{TOKEN})(?: or (?:{TOKEN}))?",
            lambda words: tuple(map(token, words.split(" or "))),
            " or ".join,
        ),
        "lent": Place(r"\w+(?: and \w+)?", lambda words: tuple(words.split(" and ")), " and ".join),
        "rest": Place(TOKEN),
        "every": Place(TOKEN),
        "more": Place(
            f"[1-9] (?:{TOKEN})(?: [1-9] (?:{TOKEN}))*",
            lambda words: tuple((int(count), name) for count, name in re.findall(f"([1-9]) ({TOKEN})", words)),
            lambda more: " ".join(f"{count} {name}" for count, name in more),
        ),
        "weapons": Place("|".join(Weapons), Weapons),
        "arc": Place(f"(?: (?:front|rear|turret|bullseye|{OTHER_TURRET}))?", str.strip, lambda arc: arc and f" {arc}"),
        "target": Place("|".join(reversed(Target)), Target),
        "lifts": Place("|".join(reversed(Lifts)), Lifts),
        "weapon": Place("cannon|torpedo|missile"),
        "text": Place(".+"),
    }
    acts: ClassVar[Acts] = Acts.AFTER
    odds: ClassVar[Odds]
    says: ClassVar[tuple[Message, ...]]

    def __init_subclass__(cls, odds: Odds | None = None, acts: Acts | None = None) -> None:
        super().__init_subclass__()
        cls.odds, cls.acts = odds or cls.odds, acts or cls.acts

    @property
    def is_for_later(self) -> bool:
        """Whether it changes something for the attack after this one, or is paid for in one of them only."""
        return self.odds in (Odds.LATER, Odds.BOTH)

    @property
    def subject(self) -> Shown:
        """What it is done with: its token, its result."""
        fields = (getattr(self, name, "") for name in ("token", "face", "what", "range"))
        return named(next(filter(None, fields), ""))

    def said(self, enemy: str = "") -> Text:
        """What it does, as on a button; ``enemy`` is the other ship."""
        message = self.says[-1] if getattr(self, "who", Who.ME) is Who.THEY else self.says[0]
        return Text(message, ship=Name(enemy) or OTHER_SHIP, count=getattr(self, "count", 1), what=self.subject)

    def dues(self, _: Told) -> Iterator[Due]:
        """What it does to ships."""
        yield from ()

    def dealt(self, results: Results, _count: int, _tokens: dict[str, int]) -> Results:
        """The results that are suffered of those that got through, so many at first; tokens that come are added."""
        return results

    def seen_by_enemy(self) -> Self:
        """The same, as the other ship says it."""
        return self


class Felt(Deed, odds=Odds.BOTH):
    """Deeds that one of the two ships feels."""

    who: Who
    count: int

    def seen_by_enemy(self) -> Self:
        return replace(self, who=Who.THEY if self.who is Who.ME else Who.ME)


class Gain(Felt):
    token: str
    forms = ("{who} gain {count} {token}",)
    says = N_("gain {count} {what}"), N_("{ship} will gain {count} {what}")

    def dues(self, told: Told) -> Iterator[Due]:
        yield Due(told.ship(self.who), self.token, self.count)

    def dealt(self, results: Results, _: int, tokens: dict[str, int]) -> Results:
        tokens[self.token] = tokens.get(self.token, 0) + self.count
        return results


class Lose(Felt):
    """So many tokens, of those kinds first that are named first."""

    kinds: tuple[str, ...]
    forms = ("{who} lose {count} {kinds}",)
    says = N_("lose {count} {what}"), N_("{ship} will lose {count} {what}")

    @property
    def subject(self) -> Shown:
        return named(self._what)

    @property
    def _what(self) -> str | AnyOf:
        return AnyOf(self.kinds) if len(self.kinds) > 1 else self.kinds[0]

    def dues(self, told: Told) -> Iterator[Due]:
        yield Due(told.ship(self.who), self._what, -self.count)


class Suffer(Felt):
    face: Face
    forms = ("{who} suffer {count} {face}",)
    says = N_("suffer {count} {what}"), N_("{ship} will suffer {count} {what}")

    @property
    def is_for_later(self) -> bool:
        return self.who is Who.THEY

    def dues(self, told: Told) -> Iterator[Due]:
        yield Due(told.ship(self.who), self.face.value, self.count)


class Expose(Deed, odds=Odds.LATER):
    """The other ship exposes damage cards."""

    count: int
    forms = ("they expose {count}",)
    says = (N_("{ship} will expose {count}"),)

    def dues(self, told: Told) -> Iterator[Due]:
        yield Due(told.enemy, EXPOSE, self.count)


class Recover(Deed, odds=Odds.LATER):
    """Charges, force or shields come back; ``count`` 0: one for each damage of the attack."""

    count: int = 0
    what: str = "force"
    forms = ("recover force for each damage", "recover {count} {what}")
    says = (N_("recover {count} {what}"),)

    def said(self, enemy: str = "") -> Text:
        return super().said(enemy) if self.count else Text("recover force for each damage")

    def dues(self, told: Told) -> Iterator[Due]:
        yield Due(told.own, OfCard(told.card) if self.what == CHARGE else self.what, self.count or told.damage)


class LockThem(Deed, odds=Odds.LATER):
    forms = says = (N_("lock them"),)

    def dues(self, told: Told) -> Iterator[Due]:
        yield Due(told.own, LockOn(told.enemy), 1)


class Flip(Deed, odds=Odds.LATER):
    """The card shows its other side from now on: whether it does is the player's wish."""

    forms = ("flip",)
    says = (N_("flip this card"),)

    def dues(self, told: Told) -> Iterator[Due]:
        yield Due(told.own, SideOf(told.card), 1)


class Prevent(Deed, odds=Odds.BOTH):
    """So many results are not suffered, crits first; ``count`` 0: all."""

    count: int = 0
    forms = ("prevent all", "prevent {count}")
    says = (N_("prevent {count}"),)

    def said(self, enemy: str = "") -> Text:
        return super().said(enemy) if self.count else Text("prevent all")


class Deal(Deed, odds=Odds.DEALT, acts=Acts.BEFORE_DICE):
    """In place of damage, if it hits: so many results ``face``, and of tokens those that follow.

    ``rest``: one for each other result; ``every``: one for each result; ``more``: so many besides.
    """

    count: int = 0
    face: Face | None = None
    rest: str = ""
    every: str = ""
    more: tuple[tuple[int, str], ...] = ()
    forms = (
        "deal nothing",
        "deal all {every}",
        "deal {count} {face} rest {rest}",
        "deal {count} {face} all {every}",
        "deal {count} {face} {more}",
    )
    says = (N_("deal {what} in place of damage"),)

    @property
    def subject(self) -> Shown:
        counted = (*(((self.count, self.face),) if self.face else ()), *self.more)
        parts = [beside(count, named(one)) for count, one in counted]
        parts += [Text("{what} for each other result", what=named(self.rest))] if self.rest else []
        parts += [Text("{what} for each result", what=named(self.every))] if self.every else []
        return Names(parts) if parts else Text("nothing")

    def dealt(self, _: Results, count: int, tokens: dict[str, int]) -> Results:
        came = ((self.rest, count - self.count), (self.every, count), *((name, n) for n, name in self.more))
        tokens |= {name: number for name, number in came if name and number > 0}
        return (self.count, 0) if self.face is Face.HIT else (0, self.count)


class DealCrits(Deed, odds=Odds.DEALT, acts=Acts.BEFORE_DICE):
    """A token for each crit, in its place."""

    token: str
    forms = ("deal crits as {token}",)
    says = (N_("deal {what} for each crit in its place"),)

    def dealt(self, results: Results, _: int, tokens: dict[str, int]) -> Results:
        tokens[self.token] = results[1]
        return results[0], 0


class NoDice(Deed, odds=Odds.DICE, acts=Acts.BEFORE_DICE):
    forms = says = (N_("no dice, it hits"),)


class BonusAttack(Deed, odds=Odds.NOTHING, acts=Acts.RIGHT):
    """A right to a bonus attack; ``arc`` is "" for any."""

    weapons: Weapons
    arc: str = ""
    target: Target = Target.UNSAID
    lifts: Lifts = Lifts.NOTHING
    forms = ("bonus {weapons}{arc}{target}{lifts}",)
    says = (N_("a bonus attack"),)

    def target_of(self, attacker: str, defender: str) -> str:
        """The one ship that may be attacked, after an attack between two; "" for several."""
        return {Target.ATTACKER: attacker, Target.SAME: defender}.get(self.target, "")

    def allows_target(self, name: str, attacker: str, defender: str) -> bool:
        """Whether a ship may be attacked then."""
        only = self.target_of(attacker, defender)
        return name == only if only else not (self.target is Target.OTHER and name == defender)


class Lend(Deed, odds=Odds.DICE, acts=Acts.TOKENS):
    """Tokens of the ship with the card count as those of the ship that fights."""

    lent: tuple[str, ...]
    forms = ("my {lent} count as theirs",)
    says = (N_("spend its {what}"),)

    @property
    def subject(self) -> Shown:
        return Names(map(named, self.lent), "or")


class Transfer(Deed, odds=Odds.DICE, acts=Acts.TOKENS):
    """A token of the ship with the card, or its lock, moves to the ship that fights."""

    token: str
    forms = ("transfer 1 {token}",)
    says = (N_("transfer {count} {what}"),)

    @property
    def lent(self) -> tuple[str, ...]:
        return (self.token,)


class Reach(Deed, odds=Odds.DICE, acts=Acts.STANDING):
    """It may attack at range 0."""

    forms = says = (N_("attack at range 0"),)


class PrimaryReach(Deed, odds=Odds.NOTHING, acts=Acts.NEVER):
    """Its primary weapons reach farther; the weapons of its card say so."""

    range: int
    forms = ("primary at range {range}",)
    says = (N_("primary attacks at range {what}"),)


class WhileDisarmed(Deed, odds=Odds.DICE, acts=Acts.STANDING):
    """It may attack while it has exactly one disarm token."""

    forms = ("attack with 1 disarm",)
    says = (N_("attack with 1 disarm token"),)


class Turn(Deed, odds=Odds.NOTHING, acts=Acts.STANDING):
    """The Front Arc weapons of a kind have the turret arc."""

    weapon: str
    forms = ("turn {weapon} to turret",)
    says = (N_("turn front arc weapons to the turret arc"),)


class MaySpend(Deed, odds=Odds.DICE, acts=Acts.STANDING):
    """At range 0 this token may modify attack dice."""

    token: str
    forms = ("allow {token} red",)
    says = (N_("allow {what} at range 0"),)


class Remind(Deed, odds=Odds.NOTHING, acts=Acts.NEVER):
    """What people do by hand."""

    text: str
    forms = ("remind: {text}",)

    def said(self, _: str = "") -> Text:
        return term(self.text)


KINDS: Final[tuple[type[Deed], ...]] = (
    *(Gain, Lose, Suffer, Expose, Recover, LockThem, Flip, Prevent, Deal, DealCrits, NoDice),
    *(BonusAttack, Lend, Transfer, Reach, PrimaryReach, WhileDisarmed, Turn, MaySpend, Remind),
)
FORCE: Final = "force"
FORCE_BACK: Final = Recover(1, FORCE)
"""Done when the attack is declared, before anything is asked."""
CHARGE_LOST: Final = Lose(Who.ME, 1, (CHARGE,))
read_deed = reader(*KINDS)


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


class AToken(Worded):
    """A token by which something is done."""

    name: str
    forms = ("{name}",)
    places: ClassVar = {"name": Place(TOKEN)}


class AllBut(Worded):
    """Everything but what this token does, "" for the card itself."""

    token: str = ""
    forms = ("all but this", "all but {token}")
    places: ClassVar = {"token": Place(TOKEN)}


What = Deed | RangeDie | CritOrder | Forbidden | AToken | AllBut
PLAIN: Final[Mapping[str, What]] = {one.value: one for kind in (RangeDie, CritOrder, Forbidden) for one in kind}


read_other = reader(AllBut, AToken)


def read_what(words: str) -> What | None:
    """What an effect says besides dice, from the words that are stored; None for ""."""
    return PLAIN.get(words) or read_deed(words) or cast("What | None", read_other(words))


StoredWhat = Annotated[What | None, AsWords(read_what, lambda what: str(what or ""))]
