"""Data of a declared X-Wing attack: both sides' dice, tokens, and card effects; and their numbers of dice. Source:
rules page, Modifying dice; The attack, step by step (1, 2 and 4).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, Literal, Self, get_args

from bot.rules.errors import BadInputError
from bot.rules.game import Side
from bot.rules.text import EMPTY, UNNAMED, Name, StoredText, Text
from bot.rules.xwing.dice import conditions
from bot.rules.xwing.dice.conditions import AttackContext, NeutralizeContext, Rolling, all_hold
from bot.rules.xwing.dice.consequences import CHARGE_LOST, RangeDie, Reach, StoredWhat, What
from bot.rules.xwing.dice.costs import NO_CARD, Price, Spendable, StoredCard, StoredSpendable
from bot.rules.xwing.dice.faces import Face, Pool
from bot.rules.xwing.dice.tokens import FELT, ON_SIDE, REINFORCE, HeldTokens, Token

Ruleset = Literal["2.5", "2.0"]
RULESETS: Final = ("2.5", "2.0")

TokenClaims = Literal["", "press", "none"]
TOKEN_CLAIMS: Final = ("press", "none")
"""Ways to claim tokens on the mat at a table: a press, or only typed ones. "": not at a table."""

MAX_RANGE: Final = 5
"""Ranges above 3 are those of huge ships."""
MAX_POOL: Final = 6
"""Maximum dice rolled in one pool after all bonuses; results added by effects may exceed it."""
MAX_HULL: Final = 30

WEAPON_COSTS: Final = ("lock", "charge")
"""Tokens that a weapon may cost: ``cost_lock`` and ``cost_charge`` of the declaration."""

InWindow = Literal["reroll", "change", "add", "cancel", "spend", "set", "become", "gain", "deed"]
AtRoll = Literal["dice", "limit", "bonus", "forbid", "allow", "crits"]
Verb = Literal[InWindow, AtRoll]
AT_ROLL: Final[tuple[Verb, ...]] = get_args(AtRoll)
"""Verbs that change the roll, or apply to the whole attack."""

EACH: Final = 20
"""``most`` of an effect on all dice."""


class DiceWindow(StrEnum):
    """The windows of an attack, in the order of play."""

    USUAL = ""
    """Follows from the effect."""
    DECLARE = "declare"
    BEFORE_DICE = "before dice"
    AFTER_ROLL = "after roll"
    MODIFY_GREEN = "modify green"
    """Before the defender's modifications."""
    WITH_DICE = "with dice"
    """Used with the same row's dice effects, in their window."""
    BEFORE_NEUTRALIZE = "before neutralize"
    AFTER_NEUTRALIZE = "after neutralize"
    DAMAGE = "damage"
    AFTER = "after"
    ELSEWHERE = "elsewhere"
    """Outside attacks."""


SCENES: Final[Mapping[DiceWindow, type[AttackContext]]] = {
    DiceWindow.DECLARE: AttackContext,
    DiceWindow.BEFORE_DICE: AttackContext,
    DiceWindow.AFTER_ROLL: Rolling,
    DiceWindow.BEFORE_NEUTRALIZE: NeutralizeContext,
    DiceWindow.AFTER_NEUTRALIZE: NeutralizeContext,
    DiceWindow.DAMAGE: NeutralizeContext,
    DiceWindow.AFTER: conditions.Dealt,
    DiceWindow.ELSEWHERE: AttackContext,
}
"""Contexts outside the dice windows; in those it is ``InWindow``."""

LATE: Final = (DiceWindow.BEFORE_NEUTRALIZE, DiceWindow.AFTER_NEUTRALIZE, DiceWindow.DAMAGE, DiceWindow.AFTER)
"""Windows after the last dice modification."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceEffect:
    """A card's effect on the dice of one pool, used in its side's window.

    In a window: ``reroll``: up to ``most`` dice that show one of ``faces`` (no fewer, with ``exactly``) · ``change``:
    up to ``most`` results of ``faces`` to ``to`` · ``add``: ``most`` results ``to`` · ``cancel`` / ``spend``: up to
    ``most`` results of ``faces`` · ``gain``: a token ``what`` from the ship that its cost names · ``become``: after
    both windows every red ``faces[0]`` is ``to``. At the roll: ``set``: every rolled die shows ``to`` (fixed dice) ·
    ``dice``: roll ``most`` more dice (fewer, if negative) · ``limit``: roll at most ``most`` dice, or as many as red
    ``faces`` · ``bonus``: the range bonus die: ``what`` is off, on, or close (the attack counts as at range 1). For the
    whole attack: ``forbid``: ``what`` is barred from all dice of the pool: modifying, rerolling, green tokens, a token,
    or all but a token · ``allow``: at most ``most`` dice are ``what``: rerolled, or modified by a token · ``crits``:
    how evades cancel, ``what`` is first or stay. Besides dice: ``deed``: ``what`` is a consequence
    (``consequences.py``).

    ``given``: conditions when it acts (``conditions.py``). ``when``: another window than its pool's. ``cost``: tokens
    or stock of its side for one use; ``pays``: costs outside the dice. ``must``: mandatory. ``by``: the card, "" for
    typed words; ``name``: its name for people. ``ship``: the ship with the card, "" if none is on the table. ``ask``:
    the claim that a player makes by using it; ``reminds``: what players then do by hand. ``each``: the cost is paid for
    each die. ``up_to``: players state a number, at most this one, and the effect is done that often. ``group``: effects
    with the same one are used together.
    """

    verb: Verb
    pool: Pool
    most: int = 1
    faces: tuple[Face, ...] = ()
    to: Face | None = None
    exactly: bool = False
    what: StoredWhat = None
    given: conditions.Givens = ()
    when: DiceWindow = DiceWindow.USUAL
    cost: tuple[tuple[StoredSpendable, int], ...] = ()
    by: StoredCard = NO_CARD
    name: Name = UNNAMED
    must: bool = False
    pays: tuple[Price, ...] = ()
    ship: Name = UNNAMED
    ask: StoredText = EMPTY
    reminds: str = ""
    each: bool = False
    up_to: int = 0
    group: str = ""

    def for_dice(self, count: int) -> "DiceEffect":
        cost = tuple((what, price * count) for what, price in self.cost)
        return replace(self, cost=cost, most=count, each=False) if self.each else self

    def with_count(self, count: int) -> "DiceEffect":
        """Return the effect with its requested number, so that it isn't asked again."""
        return replace(self, ask=EMPTY, up_to=0, most=self.most * (count if self.up_to else 1))

    def with_dice(self, line: Iterable["DiceEffect"]) -> tuple["DiceEffect", ...]:
        """Return a line-up's effects of the same use, which act together with the dice."""
        others = (effect for effect in line if effect.group == self.group and effect.when is DiceWindow.WITH_DICE)
        return tuple(dict.fromkeys(others))

    @property
    def ends_with_damage(self) -> bool:
        """Whether its card loses a charge by damage, which ends its roll effects."""
        return self.what == CHARGE_LOST and conditions.EffectCondition(conditions.Outcome.SUFFERED) in self.given

    @property
    def is_open(self) -> bool:
        """Whether it still needs a claim or payment."""
        return bool(self.ask or self.cost)


def by_use(effects: Iterable[tuple[int, DiceEffect]]) -> dict[int, tuple[DiceEffect, ...]]:
    """Group the effects of each use of a row by its first effect's place; repetitions are other uses."""
    result: dict[int, tuple[DiceEffect, ...]] = {}
    firsts: dict[str, int] = {}
    for place, effect in effects:
        first = firsts.get(effect.group) if effect.group else None
        if first is None or effect in result[first]:
            firsts[effect.group] = first = place
        result[first] = (*result.get(first, ()), effect)
    return result


@dataclass(frozen=True, slots=True, kw_only=True)
class LineUp(HeldTokens):
    """One side's dice (weapon value or agility), tokens, and effects. ``lock`` is on this defender.

    ``none``: tokens excluded from this attack, even if the ship has them. ``fore`` and ``aft``: reinforce tokens that
    apply only if the attacker is in that full arc; ``reinforce``: those that do apply. ``stock``: other resources of
    this side's cards, by name: a card's charges, friendly ships' tokens. ``besides``: tokens without effect on dice
    that cards need.
    """

    dice: int = 0
    fore: int = 0
    aft: int = 0
    none: tuple[str, ...] = ()
    effects: tuple[DiceEffect, ...] = ()
    stock: tuple[tuple[StoredSpendable, int], ...] = ()
    besides: tuple[tuple[str, int], ...] = ()

    def has(self, token: Spendable) -> int:
        return int(getattr(self, token)) if isinstance(token, str) else dict(self.stock).get(token, 0)

    def tokens(self, side: Side) -> list[tuple[Token, int]]:
        return [(token, count) for token in ON_SIDE[side].values() if (count := int(getattr(self, token.name)))]

    def has_any(self, token: str, least: int = 1) -> bool:
        return sum(map(self.count, conditions.tokens_in(token))) >= least

    def count(self, token: str) -> int:
        """Return how many tokens of one kind the ship has, whether or not they affect dice."""
        in_arcs = {REINFORCE: self.reinforce, f"{REINFORCE} fore": self.fore, f"{REINFORCE} aft": self.aft}
        felt = int(getattr(self, token)) if token in FELT else 0
        return in_arcs.get(token, felt) or dict(self.besides).get(token, 0)

    def with_token_count(self, token: str, count: int) -> Self:
        """Add ``count`` tokens of a kind (negative: remove), never below zero."""
        if token in FELT:
            return self.with_tokens({token: max(0, int(getattr(self, token)) + count)})
        left = max(0, self.count(token) + count)
        others = tuple(item for item in self.besides if item[0] != token)
        return replace(self, besides=(*others, *(((token, left),) if left else ())))

    def with_tokens(self, tokens: Mapping[Any, int]) -> Self:
        """Replace the numbers of these tokens and this stock."""
        stock = tuple((name, tokens.get(name, count)) for name, count in self.stock)
        kept: dict[str, Any] = {name: count for name, count in tokens.items() if isinstance(name, str)}
        return replace(self, stock=stock, **kept)

    def with_row(self, row: str, change: Callable[[DiceEffect], DiceEffect | None]) -> Self:
        """Apply ``change`` to each effect of a row; those that become None are dropped."""
        result = ((change(effect) if effect.group == row else effect) for effect in self.effects)
        return replace(self, effects=tuple(effect for effect in result if effect is not None))

    def without_tokens(self, token: Spendable, count: int = 1) -> Self:
        """Spend tokens, never below zero."""
        return self.with_tokens({token: max(0, self.has(token) - count)})

    def more_dice(self, side: Side) -> tuple[tuple[int, str], ...]:
        """Return steps 2 and 4's dice added or removed by each kind of token, however many there are."""
        return tuple((token.more_dice, token.name) for token, _ in self.tokens(side) if token.more_dice)

    def after_roll(self, side: Side) -> Self:
        """Remove one of each token that removed a die (steps 2 and 4)."""
        left = {token.name: count - 1 for token, count in self.tokens(side) if token.leaves_after_roll}
        return self.with_tokens(left) if left else self


NO_DEFENSE: Final = LineUp()
"""The line-up of a defender who has not entered one yet."""


def with_attacker_in(held: LineUp, arc: str) -> LineUp:
    """Apply the reinforce tokens of the attacker's full arc; ``arc`` is fore, aft or none."""
    counts = held.reinforce + {"fore": held.fore, "aft": held.aft}.get(arc, 0)
    return replace(held, reinforce=counts, fore=0, aft=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class BonusRight:
    """A card's permission for a bonus attack (limits: ``table/card_effects.py``). ``row``: the card's, like
    ``upgrade:bossk[1]``; ``name``: the card's. ``side``: the ship's player's in the previous attack.
    """

    row: str
    name: Name
    ship: Name
    side: Side = Side.ATTACKER


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """An attack as declared (step 1). ``defense`` is None until the defender enters theirs.

    ``obstructed``: by an obstacle, which adds a die; ``obstructed_by``: also a ship or a device. ``in_arc``: whether
    the attacker is in the arc of the defender's reinforce tokens; None if not stated yet. ``needs``: tokens that the
    weapon requires: all, or one with ``needs_any``; checked, not spent. ``cost_lock`` and ``cost_charge``: the weapon's
    costs, paid before the roll. ``red`` and ``green``: faces of physical dice; None if still to be rolled. ``by_hand``:
    sides that roll on camera and type their dice. ``attacker`` and ``defender``: names of ships in the channel, which
    pay and suffer; empty for sides without one. ``allowed``: permits an attack beyond the ship's limit this round.
    ``bonus``: a bonus attack, which engages no ship; ``right``: the card that allows it. ``out_of_order``: it attacks
    although it was not its turn. ``round``: the match's round for bonus attacks that follow; 0 without a match.
    ``weapon``: name of the attacker's weapon, "" for a typed weapon value. ``special``: not a primary weapon.
    ``weapon_cost`` charges leave the upgrade at ``weapon_place`` among the ship's upgrades. ``typed``: the words of an
    attack with ships, from which the same attack can be declared again. ``tokens``: whether a side without a ship can
    claim tokens by a press. ``most``: maximum dice of one pool; above six only for odds of dice alone, without a
    defender, as in printed tables. ``with_cards``: it names cards. Ids: ``counted``: cards that act; ``asked``: those
    that act if claimed; ``not_counted``: those that affect the attack in an unknown way.
    """

    attack: LineUp
    defense: LineUp | None = None
    range: int | None = None
    ordnance: bool = False
    obstructed: bool = False
    obstructed_by: tuple[conditions.Obstruction, ...] = ()
    in_arc: bool | None = None
    ruleset: Ruleset = "2.5"
    needs: tuple[str, ...] = ()
    needs_any: bool = False
    cost_lock: int = 0
    cost_charge: int = 0
    hull: int | None = None
    shields: int = 0
    attacks: int = 1
    most: int = MAX_POOL
    red: tuple[Face, ...] | None = None
    green: tuple[Face, ...] | None = None
    by_hand: tuple[Side, ...] = ()
    attacker: Name = UNNAMED
    defender: Name = UNNAMED
    allowed: bool = False
    bonus: bool = False
    right: BonusRight | None = None
    out_of_order: bool = False
    round: int = 0
    weapon: Name = UNNAMED
    special: bool = False
    weapon_place: int = -1
    weapon_cost: int = 0
    typed: tuple[tuple[str, bool | int | str], ...] = ()
    tokens: TokenClaims = ""
    counted: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    not_counted: tuple[str, ...] = ()
    with_cards: bool = False

    def line(self, side: Side) -> LineUp:
        """Return a side's line-up, an empty one until the defender enters theirs."""
        return self.attack if side is Side.ATTACKER else self.defense or NO_DEFENSE

    def with_line(self, side: Side, line: LineUp) -> "Declared":
        return replace(self, attack=line) if side is Side.ATTACKER else replace(self, defense=line)

    def ship(self, side: Side) -> Name:
        return self.attacker if side is Side.ATTACKER else self.defender

    @property
    def scene(self) -> AttackContext:
        return AttackContext(self.attack, self.line(Side.DEFENDER))

    @property
    def effects(self) -> tuple[DiceEffect, ...]:
        """Return both sides' effects, the attacker's first."""
        return self.attack.effects + self.line(Side.DEFENDER).effects


# Numbers of dice: steps 1, 2 and 4 of the attack


def standing_effects(declared: Declared) -> Iterator[DiceEffect]:
    """Yield both sides' effects without a choice whose conditions are met, nothing claimed or paid."""
    for effect in declared.effects:
        if all_hold(effect.given, declared.scene) and not effect.is_open:
            yield effect


def at_range(declared: Declared) -> Declared:
    """Apply step 1: check who may fire at range 0, and the attacker's effects there.

    At range 0 the attacker's side may not cancel, modify, or remove defense dice, nor reduce the defender's roll.
    Raises ``BadInputError`` under ruleset 2.0, and for typed ordnance, which is no primary weapon. A card may make it
    count as range 1, or allow range 0 normally (2.0).
    """
    if declared.range != 0:
        return declared
    standing = tuple(standing_effects(declared))
    if any(effect.what is RangeDie.CLOSE for effect in standing):
        return replace(declared, range=1)
    if declared.ruleset == "2.0":
        if any(isinstance(effect.what, Reach) for effect in standing):
            return declared
        raise BadInputError("range", 0, Text("Use 1 to 3 under ruleset 2.0."))
    if declared.ordnance and not declared.weapon:
        raise BadInputError("range", 0, Text("Use 1 to 3 for ordnance; at range 0, only a primary weapon can attack."))
    on_red = tuple(effect for effect in declared.attack.effects if effect.pool is Pool.RED)
    return replace(declared, attack=replace(declared.attack, effects=on_red))


def is_restricted(declared: Declared) -> bool:
    """Whether it is a primary weapon's attack at range 0, where the attacker gains and modifies no dice."""
    return declared.range == 0 and not declared.special and declared.ruleset == "2.5"


def may_modify(declared: Declared, side: Side) -> bool:
    """Whether a side may modify dice (step 1): not the attacker with a primary weapon at range 0, except to cancel."""
    return not is_restricted(declared) or side is Side.DEFENDER


MAX_KEPT: Final = 256
"""Maximum cached declarations with pools, which each window needs again."""

Parts = tuple[tuple[int, str], ...]
"""A pool's dice as a sum of numbers with reasons, weapon or ship first."""


@lru_cache(maxsize=MAX_KEPT)
def attack_pool(declared: Declared) -> int:
    """Return step 2's attack dice, 0..6; dice alone as asked."""
    return limit_sum(attack_parts(declared), limit(declared, Pool.RED))


@lru_cache(maxsize=MAX_KEPT)
def defense_pool(declared: Declared) -> int:
    """Return step 4's defense dice, 0..6."""
    return limit_sum(defense_parts(declared), limit(declared, Pool.GREEN))


WEAPON_VALUE: Final = Text("weapon value")
CLOSE: Final = Text("range 1")
FAR_FROM: Final = 3
AGILITY: Final = Text("agility")
OBSTRUCTED: Final = Text("obstructed")
"""Reasons for a pool's dice."""


@lru_cache(maxsize=MAX_KEPT)
def attack_parts(declared: Declared) -> Parts:
    """Return step 2's dice before the limit. At range 0 the attack gains none, whatever the effects."""
    bonus = range_bonus(declared, Pool.RED)
    is_close = (declared.range == 1 or RangeDie.ON in bonus) and not declared.ordnance and RangeDie.OFF not in bonus
    return (
        (declared.attack.dice, WEAPON_VALUE),
        *(((1, CLOSE),) if is_close else ()),
        *declared.attack.more_dice(Side.ATTACKER),
        *card_parts(declared, Pool.RED),
    )


@lru_cache(maxsize=MAX_KEPT)
def defense_parts(declared: Declared) -> Parts:
    """Return step 4's defense dice before the limit: range adds none against ordnance, and two at 4 and 5."""
    defense, range_ = declared.line(Side.DEFENDER), declared.range or 0
    is_far = range_ >= FAR_FROM and not declared.ordnance and RangeDie.OFF not in range_bonus(declared, Pool.GREEN)
    far = Text("range {range}", range=range_)
    return (
        (defense.dice, AGILITY),
        *(((1 + (range_ > FAR_FROM), far),) if is_far else ()),
        *(((1, OBSTRUCTED),) if declared.obstructed else ()),
        *defense.more_dice(Side.DEFENDER),
        *card_parts(declared, Pool.GREEN),
    )


def range_bonus(declared: Declared, pool: Pool) -> set[What | None]:
    """Return the changes by cards to the range bonus die."""
    effects = standing_effects(declared)
    return {effect.what for effect in effects if effect.verb == "bonus" and effect.pool is pool}


def card_parts(declared: Declared, pool: Pool) -> Parts:
    """Return the dice that both sides' card effects add to a pool or remove from it."""
    changing = [item for item in declared.effects if item.verb == "dice" and item.pool is pool and not item.is_open]
    if pool is Pool.RED and is_restricted(declared):
        changing = [item for item in changing if item.most < 0]
    asking = [item for item in changing if any(isinstance(given.test, conditions.FewDice) for given in item.given)]
    parts_of = attack_parts if pool is Pool.RED else defense_parts
    scene: AttackContext = declared.scene
    if asking:  # they depend on the number of dice without them
        dice = sum(count for count, _ in parts_of(without_effects(declared, asking)))
        scene = Rolling(scene.attack, scene.defense, dice)
    effects = [effect for effect in changing if all_hold(effect.given, scene)]
    return tuple((effect.most, effect.name or "card") for effect in effects)


def without_effects(declared: Declared, effects: list[DiceEffect]) -> Declared:
    for side in Side:
        line = declared.line(side)
        left = tuple(effect for effect in line.effects if effect not in effects)
        declared = declared.with_line(side, replace(line, effects=left))
    return declared


def limit(declared: Declared, pool: Pool) -> int:
    """Return the maximum dice by cards, independent of results."""
    effects = standing_effects(declared)
    limits = [effect.most for effect in effects if effect.verb == "limit" and effect.pool is pool and not effect.faces]
    return min((*limits, declared.most))


def limit_sum(parts: Parts, most: int) -> int:
    """Return the sum of the parts, 0..most; a card's maximum comes last."""
    return max(0, min(sum(count for count, _ in parts), most))


def said_of_many(declared: Declared) -> Text:
    """Return a warning for odds of more dice than the table allows, or ""."""
    pools = ((attack_parts(declared), attack_pool(declared)), (defense_parts(declared), defense_pool(declared)))
    if declared.most > MAX_POOL:
        return Text("At the table, you can roll at most {most} dice.", most=MAX_POOL)
    if any(sum(count for count, _ in parts) > MAX_POOL == dice for parts, dice in pools):
        return Text("You can roll at most {most} dice, so {most} are used.", most=MAX_POOL)
    return EMPTY
