"""The known facts about an attack's ships, for conditions of card rows. Source: rules page, X-Wing cards, section 3
(``if``). A condition is true, false, or decided later by dice or tokens: see ``Evaluation``.
"""

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Final, NamedTuple, assert_never

from bot.rules.game import Side
from bot.rules.text import UNNAMED, Name
from bot.rules.xwing.cards.card_sets import Pool
from bot.rules.xwing.cards.cards import PilotShip, Weapon, two_sided
from bot.rules.xwing.cards.rows import CardRow
from bot.rules.xwing.dice import conditions
from bot.rules.xwing.dice.conditions import EffectCondition, Fact, Obstruction, Outcome, ShipRole, ShipState
from bot.rules.xwing.dice.costs import NO_CARD, CardId, TokenGroup
from bot.rules.xwing.dice.tokens import GREEN, REINFORCE, SIZE_NEEDS, TOKENS, TokenShape

NUMBERS: Final = PilotShip(name=UNNAMED)
"""A ship typed as numbers, without cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fighter:
    """A ship for rows. ``locked``: it has a lock on this attack's enemy; ``locks``: on these ships. ``charges``:
    left, by card. ``name``: the ship on the table, or "". ``sides``: its cards' faceup sides, where known.
    ``conditions``: ids of its condition cards; ``marks``: cards used on it this round, None if unknown. ``flown``:
    code of the maneuver executed this round, or "".
    """

    card: PilotShip = NUMBERS
    name: Name = UNNAMED
    tokens: Mapping[str, int] = field(default_factory=dict)
    locked: bool = False
    locks: tuple[str, ...] = ()
    shields: int = 0
    facedown: int = 0
    faceup: tuple[str, ...] = ()
    charges: Mapping[str, int] = field(default_factory=dict)
    sides: Mapping[str, str] = field(default_factory=dict)
    conditions: tuple[str, ...] = ()
    marks: Container[str] | None = None
    flown: str = ""

    @property
    def cards(self) -> tuple[CardId, ...]:
        """Return the ship's cards as row keys: pilot, ship's ability, upgrades, conditions, faceup damage cards."""
        given = (CardId("condition", id_) for id_ in self.conditions)
        return (*self.card.cards, *given, *(CardId("damage", title) for title in self.faceup))

    @property
    def damage_cards(self) -> int:
        return self.facedown + len(self.faceup)

    def max_charges(self, card: CardId) -> int:
        if card.kind == "pilot":
            return self.card.charges.capacity
        return next((upgrade.charges.capacity for upgrade in self.card.upgrades if f"upgrade:{upgrade.id}" == card), 0)

    def has(self, token: str) -> int:
        """Return how many tokens of a kind or group it has; of those with an effect by size, whether it applies."""
        if token is TokenGroup.GREEN:
            return sum(self.tokens.get(name, 0) for name in GREEN)
        if token is TokenGroup.RED_OR_ORANGE:
            return sum(self.tokens.get(name, 0) for name in conditions.GROUPS[TokenGroup.RED_OR_ORANGE])
        if token == REINFORCE:
            return sum(count for name, count in self.tokens.items() if name.startswith(token))
        count = self.tokens.get(token, 0)
        return count if not TOKENS[token].by_size or count >= SIZE_NEEDS[self.card.size] else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """An attack as declared. ``weapon``: None for typed numbers; ``pool``: the card set's."""

    fighters: Mapping[Side, Fighter]
    friends: Mapping[Side, tuple[Fighter, ...]] = field(default_factory=dict)
    weapon: Weapon | None = None
    range: int | None = None
    obstructed: bool = False
    obstructed_by: tuple[Obstruction, ...] = ()
    bonus: bool = False
    pool: Pool = "xwa"
    attacks: int = 1


TURRET: Final = "turret"
LONE: Final = (TokenShape.RED, TokenShape.ORANGE)


class Evaluation(NamedTuple):
    """A condition's result, and what must be read later (``Effect.given``), or ()."""

    holds: bool
    later: tuple[EffectCondition, ...] = ()


class ConditionReader:
    """Evaluates a row's conditions for the ship ``me``; only with ``in_attack`` are some left for later."""

    def __init__(self, facts: Facts, side: Side, me: Fighter, *, in_attack: bool = True) -> None:
        self._facts, self._side, self._me, self._in_attack = facts, side, me, in_attack
        self._own, self._their, self._card = facts.fighters[side], facts.fighters[side.other], NO_CARD

    def read(self, row: CardRow) -> Evaluation:
        """Evaluate all conditions of a row together."""
        self._card = row.card
        later: list[EffectCondition] = []
        for any_of in row.conditions:
            evaluations = [self._evaluate(condition) for condition in any_of]
            if not any(evaluation.holds for evaluation in evaluations):
                return Evaluation(False)
            if not any(evaluation.holds and not evaluation.later for evaluation in evaluations):
                later += [given for evaluation in evaluations if evaluation.holds for given in evaluation.later]
        return Evaluation(True, tuple(later))

    def _evaluate(self, condition: conditions.RowCondition) -> Evaluation:
        """Evaluate one condition. Fighting ships' tokens may change before the row acts, so they are tested again then,
        like dice. Those that a ship lacks now, or won't spend, are decided at once.
        """
        test, no = condition.test, condition.no
        who = {ShipRole.ME: self._me, ShipRole.THEIR: self._their, ShipRole.OWN: self._own}[condition.whose]
        fighters = {} if condition.whose is ShipRole.ME else self._facts.fighters
        of = next((side for side, fighter in fighters.items() if who is fighter), None)
        if condition.side not in (None, self._side):
            return Evaluation(True)
        match test:
            case Outcome.OVER_SHIELDS:
                shields = self._facts.fighters[Side.DEFENDER].shields
                return Evaluation(True, (EffectCondition(conditions.Results(shields + 1)),))
            case conditions.Results() | conditions.FewDice() | Outcome():
                return Evaluation(True, (EffectCondition(test, no),))
            case conditions.Lock.OWN if of is Side.ATTACKER:
                return Evaluation(who.locked is not no, () if no else (conditions.LOCKED,))
            case conditions.Has(name, least) if of:
                given, is_so = EffectCondition(test, no, of), (who.has(name) >= least) is not no
                if not self._in_attack:
                    return Evaluation(is_so)
                return Evaluation(is_so or (no and given.asks_tokens(of)), (given,))
            case _:
                is_so = self._of_attack(test) if isinstance(test, conditions.OfAttack) else self._of_ship(test, who)
                return Evaluation(is_so is not no)

    def _of_attack(self, test: conditions.OfAttack) -> bool:
        weapon, range_ = self._facts.weapon, self._facts.range
        match test:
            case conditions.WeaponIs():
                return test is conditions.WeaponIs.PRIMARY if weapon is None else weapon.is_kind(test)
            case conditions.WeaponArc(arc):
                of_weapon = "front arc" if weapon is None else weapon.arc.casefold()
                return TURRET in of_weapon if arc == TURRET else of_weapon == f"{arc} arc"  # it is single or double
            case conditions.AtRange(least, most):
                return range_ is not None and least <= range_ <= (most or least)
            case conditions.Obstructed(what):
                return self._facts.obstructed if what is Obstruction.OBSTACLE else what in self._facts.obstructed_by
            case Fact():
                return self._is_fact(test)
            case _:
                assert_never(test)

    def _of_ship(self, test: conditions.OfShip, who: Fighter) -> bool:
        match test:
            case conditions.Has(name, least):
                return who.has(name) >= least
            case conditions.Lock():
                side = self._side.other if who is self._their else self._side
                friends = self._facts.friends.get(side, ()) if test is conditions.Lock.FRIENDS else ()
                return any(fighter.locked for fighter in (who, *friends))
            case ShipState():
                return self._is_state(test, who)
            case conditions.DamageCards(most):
                return who.damage_cards <= most
            case conditions.Initiative(which, bound):
                # Compared with the other ship: strictly; with a number: inclusive.
                above = who.card.initiative - (self._opponent(who).card.initiative if bound is None else bound)
                return (above if which is conditions.Higher.HIGHER else -above) >= (bound is None)
            case conditions.ShipIs():
                return who.card.limited > 0 if test is conditions.ShipIs.LIMITED else who.card.size == test.value
            case conditions.IsShip(id_):
                return who.card.ship_id == id_
            case conditions.Carries(id_):
                return id_ in map(attrgetter("id"), who.cards)
            case conditions.Shows(side):
                sided = two_sided().get(self._card.id) if self._card.kind == "upgrade" else None
                return side == ("" if sided is None else self._me.sides.get(self._card, sided.word))
            case _:
                assert_never(test)

    def _opponent(self, who: Fighter) -> Fighter:
        return self._own if who is self._their else self._their

    def _is_state(self, state: ShipState, who: Fighter) -> bool:
        other = self._opponent(who)
        lone = (sum(count for name, count in who.tokens.items() if TOKENS[name].kind is kind) == 1 for kind in LONE)
        result = {
            ShipState.SHIELDS: who.shields,
            ShipState.DAMAGED: who.damage_cards,
            ShipState.FACEUP: who.faceup,
            ShipState.LITTLE_HULL: who.card.hull - who.damage_cards <= 2,
            ShipState.MORE_DAMAGE: who.damage_cards > other.damage_cards,
            ShipState.OVER_DAMAGE: who.card.initiative > other.damage_cards,
            ShipState.ONE_OF_KIND: any(lone),
            ShipState.ALL_FORCE: who.has("force") >= who.card.force.capacity,
            ShipState.MARKED: who.marks is None or self._card in who.marks,
        }
        return bool(result[state])

    def _is_fact(self, fact: Fact) -> bool:
        # A ship's ability has the charges of its pilot.
        card = self._card if self._card.kind == "upgrade" else CardId("pilot", self._me.card.pilot)
        full = self._me.max_charges(card)
        result = {
            Fact.BONUS_ATTACK: self._facts.bonus,
            Fact.LOCKED_BY_CARD: self._own.name in self._me.locks,
            Fact.ON_PAPER: self._me.marks is None,
            Fact.OTHER: self._me is not self._own,
            Fact.LOCK_NEEDED: self._facts.weapon is not None and "lock" in self._facts.weapon.needs,
            Fact.CHARGE_MISSING: self._me.charges.get(card, full) < full,
            Fact.CHARGE_LEFT: self._me.charges.get(card, full) > 0,
            Fact.BELOW_ME: self._own.card.initiative < self._me.card.initiative,
        }
        return result[fact]


# Questions about maneuvers, answered if both ships' dials are open; players answer the rest

HARD: Final = "BWRP"
"""Difficulties in ascending order."""
BASIC: Final = "TBFNY"
OWN: Final = re.compile(
    r"your revealed maneuver (?:is speed (?P<least>\d)-(?P<most>\d)|is (?P<advanced>advanced)"
    r"|is (?P<color>blue|white|red|purple)|has an (?P<parity>even|odd) speed)"
)
BOTH: Final = re.compile(
    r"your revealed maneuver "
    r"(?:has the same (?P<same>bearing|speed) as the enemy's|is (?P<more>faster|easier) than the enemy's)"
)


def answer(question: str, own: str, enemy: str) -> bool | None:
    """Answer a question about this round's maneuvers (codes, "" if unknown); None if unknown, or another question."""
    if own and (asked := OWN.fullmatch(question)) is not None:
        speed, bearing, difficulty = int(own[0]), own[1], own[2]
        if asked["least"]:
            return int(asked["least"]) <= speed <= int(asked["most"])
        if asked["advanced"]:
            return bearing not in BASIC
        if asked["color"]:
            return asked["color"][0].upper() == difficulty
        return speed % 2 == (asked["parity"] == "odd")
    if own and enemy and (asked := BOTH.fullmatch(question)) is not None:
        if asked["same"]:
            return own[1] == enemy[1] if asked["same"] == "bearing" else own[0] == enemy[0]
        if asked["more"] == "faster":
            return int(own[0]) > int(enemy[0])
        return HARD.index(own[2]) < HARD.index(enemy[2])
    return None
