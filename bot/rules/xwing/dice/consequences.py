"""Consequences of rows besides dice effects: a class per kind. Each has its text form, label, changes to ships, effect
on a weapon's damage, and scope in the odds. ``tests`` list the kinds by type, so that none lacks one.

Source: rules page, X-Wing cards, sections 3 and 5.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum, StrEnum, auto
from typing import Annotated, ClassVar, Final, Literal, Self

from bot.rules.text import N_, UNNAMED, Message, Name, Names, Noun, Numeral, Shown, Text, term
from bot.rules.text_values import NUMBER, FormPlace, StoredAsText, TextValue, value_reader
from bot.rules.xwing.dice import costs
from bot.rules.xwing.dice.costs import CHARGE, AnyOf, PendingChange, amount_text, cost_name, token
from bot.rules.xwing.dice.faces import Face
from bot.rules.xwing.dice.tokens import TOKENS


class Who(StrEnum):
    """The ship with the card, or the other one of the attack."""

    ME = "I"
    THEY = "they"


class Timing(Enum):
    """Default timing of a consequence."""

    AFTER = auto()
    BEFORE_DICE = auto()
    """Once paid, it applies to the attack."""
    STANDING = auto()
    """Read by other rules, without a button."""
    RIGHT = auto()
    """A bonus attack, in the Aftermath."""
    TOKENS = auto()
    """Tokens of a friendly ship, each its own effect."""
    NEVER = auto()
    """Display only."""


class OddsScope(Enum):
    """The odds' coverage of a consequence."""

    DEALT = auto()
    """Included in the attack's damage."""
    LATER = auto()
    """Excluded: changes a ship for later, or is paid in one attack only."""
    BOTH = auto()
    DICE = auto()
    """Spent on the dice: gains and permissions."""
    NOTHING = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipNames:
    """A consequence's ships by name, "" for none; ``card``: whose charge is recovered; ``damage``: suffered."""

    own: Name = UNNAMED
    enemy: Name = UNNAMED
    card: costs.CardId = costs.NO_CARD
    damage: int = 0

    def ship(self, who: Who) -> Name:
        return self.own if who is Who.ME else self.enemy


Results = tuple[int, int]
"""(hits, crits)"""
OTHER_SHIP: Final = Text("the other ship")
DAMAGE_CARDS: Final = Noun("damage card", "damage cards")
RED_OR_ORANGE: Final = Noun("red or orange token", "red or orange tokens")
TOKEN: Final = "|".join(sorted(map(re.escape, TOKENS), key=len, reverse=True))


class BonusWeapons(StrEnum):
    """Weapons of a bonus attack: a slot, a group, or SAME, the row's weapon; ANOTHER must not have attacked before."""

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


class BonusTarget(StrEnum):
    """The target of a bonus attack, among the ships of the previous attack."""

    UNSAID = ""
    ATTACKER = " at attacker"
    SAME = " at same"
    OTHER = " at other"
    ANY = " at any"


class WaivedRequirement(StrEnum):
    """A requirement that a bonus attack waives: of its weapon, or that it is one of the round's (``LIMIT``)."""

    NOTHING = ""
    LOCK = " without lock"
    COST = " without cost"
    LIMIT = " without limit"


OTHER_TURRET: Final = "other turret"


class Consequence(TextValue):
    """Base of most kinds; attributes give timing and odds. ``says``: button labels, own and the other ship's."""

    places: ClassVar = {
        "count": NUMBER,
        "token": FormPlace(TOKEN),
        "what": FormPlace("charge|force|shield"),
        "range": FormPlace("[45]", int),
        "face": FormPlace("hit|crit", Face),
        "is_later": FormPlace(" afterwards|", bool, lambda so: " afterwards" if so else ""),
        "kinds": FormPlace(
            f"{'|'.join(costs.TokenGroup)}|(?:{TOKEN})(?: or (?:{TOKEN}))?",
            lambda words: (token(words),) if words in tuple(costs.TokenGroup) else tuple(words.split(" or ")),
            " or ".join,
        ),
        "lent": FormPlace(r"\w+(?: and \w+)?", lambda words: tuple(words.split(" and ")), " and ".join),
        "rest": FormPlace(TOKEN),
        "every": FormPlace(TOKEN),
        "more": FormPlace(
            f"[1-9] (?:{TOKEN})(?: [1-9] (?:{TOKEN}))*",
            lambda words: tuple((int(count), name) for count, name in re.findall(f"([1-9]) ({TOKEN})", words)),
            lambda more: " ".join(f"{count} {name}" for count, name in more),
        ),
        "arc": FormPlace(
            f"(?: (?:front|rear|turret|bullseye|{OTHER_TURRET}))?", str.strip, lambda arc: arc and f" {arc}"
        ),
        "text": FormPlace(".+"),
    }
    acts: ClassVar[Timing] = Timing.AFTER
    odds: ClassVar[OddsScope]
    says: ClassVar[tuple[Message, ...]]

    def __init_subclass__(cls, odds: OddsScope | None = None, acts: Timing | None = None) -> None:
        super().__init_subclass__()
        cls.odds, cls.acts = odds or cls.odds, acts or cls.acts

    @property
    def is_for_later(self) -> bool:
        """Whether it changes something for a later attack, or is paid in one of several only."""
        return self.odds in (OddsScope.LATER, OddsScope.BOTH)

    @property
    def subject(self) -> Shown:
        fields = (getattr(self, name, "") for name in ("token", "face", "what", "range"))
        return amount_text(getattr(self, "count", 1), next(filter(None, fields), ""))

    def label(self, enemy: str = "") -> Text:
        """Return the button label; ``enemy`` is the other ship's name."""
        message = self.says[-1] if getattr(self, "who", Who.ME) is Who.THEY else self.says[0]
        return Text(message, ship=Name(enemy) or OTHER_SHIP, what=self.subject)

    def changes(self, _: ShipNames) -> Iterator[PendingChange]:
        yield from ()

    def deal_results(self, results: Results, _count: int, _tokens: dict[str, int]) -> Results:
        """Return the suffered results of those that got through; tokens dealt are added."""
        return results

    def seen_by_enemy(self) -> Self:
        """Return it from the other ship's player's view."""
        return self


class ShipConsequence(Consequence, odds=OddsScope.BOTH):
    who: Who
    count: int

    def seen_by_enemy(self) -> Self:
        return replace(self, who=Who.THEY if self.who is Who.ME else Who.ME)


class Gain(ShipConsequence):
    """Gains tokens; ``is_later``: after the attack, without effect on its dice."""

    token: str
    is_later: bool = False
    forms = ("{who} gain {count} {token}{is_later}",)
    says = N_("gain {what}"), N_("{ship} will gain {what}")

    def changes(self, told: ShipNames) -> Iterator[PendingChange]:
        yield PendingChange(told.ship(self.who), self.token, self.count, is_later=self.is_later)

    def deal_results(self, results: Results, _: int, tokens: dict[str, int]) -> Results:
        if not self.is_later:
            tokens[self.token] = tokens.get(self.token, 0) + self.count
        return results


class Lose(ShipConsequence):
    """Loses a number of tokens, in the order of the kinds."""

    kinds: tuple[str, ...]
    forms = ("{who} lose {count} {kinds}",)
    says = N_("lose {what}"), N_("{ship} will lose {what}")

    @property
    def subject(self) -> Shown:
        is_group = self._lost_kind == costs.TokenGroup.RED_OR_ORANGE
        return RED_OR_ORANGE.of(self.count) if is_group else amount_text(self.count, self._lost_kind)

    @property
    def _lost_kind(self) -> str | AnyOf:
        return AnyOf(self.kinds) if len(self.kinds) > 1 else self.kinds[0]

    def changes(self, told: ShipNames) -> Iterator[PendingChange]:
        yield PendingChange(told.ship(self.who), self._lost_kind, -self.count)


class Suffer(ShipConsequence):
    face: Face
    forms = ("{who} suffer {count} {face}",)
    says = N_("suffer {what}"), N_("{ship} will suffer {what}")

    @property
    def is_for_later(self) -> bool:
        return self.who is Who.THEY

    def changes(self, told: ShipNames) -> Iterator[PendingChange]:
        yield PendingChange(told.ship(self.who), self.face.value, self.count)


class Expose(Consequence, odds=OddsScope.LATER):
    """Exposes the other ship's damage cards."""

    count: int
    forms = ("they expose {count}",)
    says = (N_("{ship} will expose {what}"),)

    @property
    def subject(self) -> Shown:
        return DAMAGE_CARDS.of(self.count)

    def changes(self, told: ShipNames) -> Iterator[PendingChange]:
        yield PendingChange(told.enemy, costs.EXPOSE, self.count)


class Recover(Consequence, odds=OddsScope.LATER):
    """Recovers charges, force or shields; ``count`` 0: one per damage of the attack."""

    count: int = 0
    what: str = "force"
    forms = ("recover 1 force for each damage", "recover {count} {what}")
    says = (N_("recover {what}"),)

    def label(self, enemy: str = "") -> Text:
        return super().label(enemy) if self.count else Text("recover 1 force for each damage")

    def changes(self, told: ShipNames) -> Iterator[PendingChange]:
        yield PendingChange(
            told.own, costs.OfCard(told.card) if self.what == CHARGE else self.what, self.count or told.damage
        )


class LockThem(Consequence, odds=OddsScope.LATER):
    forms = says = (N_("lock them"),)

    def changes(self, told: ShipNames) -> Iterator[PendingChange]:
        yield PendingChange(told.own, costs.LockOn(told.enemy), 1)


class Flip(Consequence, odds=OddsScope.LATER):
    """Flips the card, if the player wants."""

    forms = ("flip",)
    says = (N_("flip this card"),)

    def changes(self, told: ShipNames) -> Iterator[PendingChange]:
        yield PendingChange(told.own, costs.SideOf(told.card), 1)


class NextCard(Consequence, odds=OddsScope.LATER):
    """The next faceup damage card is dealt facedown, or discarded."""

    how: Literal["facedown", "discarded"]
    forms = ("next faceup card {how}",)

    def label(self, _: str = "") -> Text:
        return costs.NEXT_CARD[str(self)]

    def changes(self, told: ShipNames) -> Iterator[PendingChange]:
        yield PendingChange(told.own, str(self), 1)


class Prevent(Consequence, odds=OddsScope.BOTH):
    """Prevents a number of results, crits first; ``count`` 0: all."""

    count: int = 0
    forms = ("prevent all", "prevent {count}")
    says = (N_("prevent {count} damage"),)

    def label(self, enemy: str = "") -> Text:
        return Text(self.says[0], count=self.count) if self.count else Text("prevent all damage")


class Deal(Consequence, odds=OddsScope.DEALT, acts=Timing.BEFORE_DICE):
    """Deals results and tokens instead of damage: ``count``, ``rest`` per other result, ``every`` per one, ``more``."""

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
    says = (N_("deal {what} instead of damage"),)

    @property
    def subject(self) -> Shown:
        came = (*(((self.count, self.face.value),) if self.face else ()), *self.more)
        parts: list[Shown] = [amount_text(count, item) for count, item in came]
        parts += [Text("{what} for each other result", what=amount_text(1, self.rest))] if self.rest else []
        parts += [Text("{what} for each result", what=amount_text(1, self.every))] if self.every else []
        return Names(parts) if parts else Text("nothing")

    def deal_results(self, _: Results, count: int, tokens: dict[str, int]) -> Results:
        came = ((self.rest, count - self.count), (self.every, count), *((name, n) for n, name in self.more))
        tokens |= {name: number for name, number in came if name and number > 0}
        return (self.count, 0) if self.face is Face.HIT else (0, self.count)


class DealCrits(Consequence, odds=OddsScope.DEALT, acts=Timing.BEFORE_DICE):
    """Deals a token instead of each crit."""

    token: str
    forms = ("deal crits as {token}",)
    says = (N_("deal {what} instead of each crit"),)

    def deal_results(self, results: Results, _: int, tokens: dict[str, int]) -> Results:
        tokens[self.token] = results[1]
        return results[0], 0


class DealMatching(Consequence, odds=OddsScope.DEALT, acts=Timing.BEFORE_DICE):
    """Deals one more damage for each uncanceled result after the first of its type."""

    forms = says = (N_("deal 1 more damage for each result after the first of its type"),)

    def deal_results(self, results: Results, _count: int, _tokens: dict[str, int]) -> Results:
        hits, crits = (max(count, 2 * count - 1) for count in results)
        return hits, crits


class NoDice(Consequence, odds=OddsScope.DICE, acts=Timing.BEFORE_DICE):
    forms = says = (N_("hits without rolling"),)


class BonusAttack(Consequence, odds=OddsScope.NOTHING, acts=Timing.RIGHT):
    """A right to a bonus attack; ``arc`` is "" for any."""

    weapons: BonusWeapons
    arc: str = ""
    target: BonusTarget = BonusTarget.UNSAID
    lifts: WaivedRequirement = WaivedRequirement.NOTHING
    forms = ("bonus {weapons}{arc}{target}{lifts}",)
    says = (N_("a bonus attack"),)

    def target_of(self, attacker: str, defender: str) -> str:
        """Return the only allowed target after an attack between two; "" for several."""
        return {BonusTarget.ATTACKER: attacker, BonusTarget.SAME: defender}.get(self.target, "")

    def allows_target(self, name: str, attacker: str, defender: str) -> bool:
        """Whether a ship may be attacked then."""
        only = self.target_of(attacker, defender)
        return name == only if only else not (self.target is BonusTarget.OTHER and name == defender)


class Lend(Consequence, odds=OddsScope.DICE, acts=Timing.TOKENS):
    """Lends the card's ship's tokens to the fighting ship."""

    lent: tuple[str, ...]
    forms = ("my {lent} count as theirs",)
    says = (N_("spend its {what}"),)

    @property
    def subject(self) -> Shown:
        return Names(map(cost_name, self.lent), "or")


class Transfer(Consequence, odds=OddsScope.DICE, acts=Timing.TOKENS):
    """Moves a token of the card's ship, or its lock, to the fighting ship."""

    token: str
    forms = ("transfer 1 {token}",)
    says = (N_("transfer {what}"),)

    @property
    def lent(self) -> tuple[str, ...]:
        return (self.token,)


class Reach(Consequence, odds=OddsScope.DICE, acts=Timing.STANDING):
    """Allows an attack at range 0."""

    forms = says = (N_("attack at range 0"),)


class PrimaryReach(Consequence, odds=OddsScope.NOTHING, acts=Timing.NEVER):
    """Extends the range of the ship's primary weapons."""

    range: int
    forms = ("primary at range {range}",)
    says = (N_("primary attacks at range {what}"),)

    @property
    def subject(self) -> Shown:
        return Numeral(str(self.range))


class WhileDisarmed(Consequence, odds=OddsScope.DICE, acts=Timing.STANDING):
    """Allows an attack with exactly one disarm token, or with any number."""

    most: Literal["1", "any"]
    forms = ("attack with {most} disarm",)
    says = (N_("attack while it is disarmed"),)


def allows_disarmed(act: object, count: int) -> bool:
    """Whether an effect allows an attack with so many disarm tokens."""
    return isinstance(act, WhileDisarmed) and (count == 1 or act.most == "any")


class Ease(Consequence, odds=OddsScope.NOTHING, acts=Timing.STANDING):
    """Lets the weapon fire without its tokens, or 1 range farther or nearer."""

    lifts: Literal["tokens", "range"]
    forms = ("ease {lifts}",)
    says = (N_("loosen a requirement of the weapon"),)


class TurretArc(Consequence, odds=OddsScope.NOTHING, acts=Timing.STANDING):
    """Adds the turret arc to Front Arc weapons of a kind."""

    weapon: Literal["cannon", "torpedo", "missile"]
    forms = ("turn {weapon} to turret",)
    says = (N_("use front arc weapons in the turret arc"),)


class MaySpend(Consequence, odds=OddsScope.DICE, acts=Timing.STANDING):
    """Allows spending this token on attack dice at range 0."""

    token: str
    forms = ("allow {token} red",)
    says = (N_("use {what} at range 0"),)

    @property
    def subject(self) -> Shown:
        return cost_name(self.token)


class Step(Consequence, odds=OddsScope.NOTHING):
    """A step that players do by hand once its row is paid."""

    text: str
    forms = ("step: {text}",)

    def label(self, _: str = "") -> Text:
        return term(self.text)


class Reminder(Consequence, odds=OddsScope.NOTHING, acts=Timing.NEVER):
    """A step that players do by hand."""

    text: str
    forms = ("remind: {text}",)

    def label(self, _: str = "") -> Text:
        return term(self.text)


KINDS: Final[tuple[type[Consequence], ...]] = (
    *(Gain, Lose, Suffer, Expose, Recover, LockThem, Flip, NextCard, Prevent, Deal, DealCrits, DealMatching, NoDice),
    *(BonusAttack, Lend, Transfer, Reach, PrimaryReach, WhileDisarmed, Ease, TurretArc, MaySpend, Step, Reminder),
)
FORCE: Final = "force"
FORCE_BACK: Final = Recover(1, FORCE)
"""Done at the declaration, before any question."""
CHARGE_LOST: Final = Lose(Who.ME, 1, (CHARGE,))
read_deed = value_reader(*KINDS)


# Other effects


class RangeDie(StrEnum):
    """The range die: always, never, or the attack counts as at range 1."""

    OFF = "off"
    ON = "on"
    CLOSE = "close"


class CritOrder(StrEnum):
    """Evades cancel crits first, or not at all."""

    FIRST = "first"
    STAY = "stay"


class ForbiddenDice(StrEnum):
    """A ban on dice changes: any, rerolls, or spending green tokens."""

    MODIFY = "modify"
    REROLL = "reroll"
    REROLLED = "rerolled"
    GREEN_TOKENS = "green tokens"


class AToken(TextValue):
    """A token that pays for something."""

    name: str
    forms = ("{name}",)
    places: ClassVar = {"name": FormPlace(TOKEN)}


class AllBut(TextValue):
    """Everything except changes by this token; "": by the card itself."""

    token: str = ""
    forms = ("all but this", "all but {token}")
    places: ClassVar = {"token": FormPlace(TOKEN)}


What = Consequence | RangeDie | CritOrder | ForbiddenDice | AToken | AllBut
PLAIN: Final[Mapping[str, What]] = {item.value: item for kind in (RangeDie, CritOrder, ForbiddenDice) for item in kind}


read_other = value_reader(AllBut, AToken)


StoredWhat = Annotated[
    What | None,
    StoredAsText(lambda words: PLAIN.get(words) or read_deed(words) or read_other(words), lambda what: str(what or "")),
]
