"""The attack as a state machine of windows, in the order of the rules page, The attack, step by step. Each window
belongs to one side and one pool; it closes by itself if its side can do nothing that changes the outcome.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import cached_property, lru_cache, partial
from typing import Final, Literal

from bot.rules import errors, game, text as texts
from bot.rules.dice import Rng, Rolled, active_faces, enter_physical_dice
from bot.rules.errors import BadInputError, UnpayableCostError
from bot.rules.game import PRESS, AfterOffer, ButtonRank, Choice, Fill, Offer, PlainAct, Side
from bot.rules.phrase_parser import number
from bot.rules.physical_dice import hand_offers, typed_faces as typed
from bot.rules.text import N_, Code, Name, Text, term
from bot.rules.xwing.attack import steps
from bot.rules.xwing.cards.rows import right_row
from bot.rules.xwing.dice import (
    conditions,
    consequences,
    costs,
    declared as declarations,
    modify,
    physical_dice,
    relevance,
    typed_sides,
)
from bot.rules.xwing.dice.conditions import Rolling, tokens_in
from bot.rules.xwing.dice.consequences import Consequence, CritOrder, LockThem, Timing
from bot.rules.xwing.dice.costs import AnyOf, LockOn, PendingChange
from bot.rules.xwing.dice.declared import MAX_POOL, Declared, DiceEffect, DiceWindow, LineUp
from bot.rules.xwing.dice.faces import OWN_POOL, Face, Pool
from bot.rules.xwing.dice.loose_dice import LooseDice
from bot.rules.xwing.dice.tokens import FELT, REINFORCE, SPENT, TOKENS


class AttackWindow(StrEnum):
    """Steps of an attack, in the order of play."""

    DECLARE_DEFENSE = "declare_defense"
    ATTACKER_BEFORE_DICE = "attacker_before_dice"
    DEFENDER_BEFORE_DICE = "defender_before_dice"
    ENTER_ATTACK = "enter_attack"
    ATTACKER_AFTER_ROLL = "attacker_after_roll"
    DEFENDER_MODIFIES_ATTACK = "defender_modifies_attack"
    ATTACKER_MODIFIES_ATTACK = "attacker_modifies_attack"
    ENTER_DEFENSE = "enter_defense"
    ATTACKER_MODIFIES_DEFENSE = "attacker_modifies_defense"
    DEFENDER_MODIFIES_DEFENSE = "defender_modifies_defense"
    DEFENDER_BEFORE_NEUTRALIZE = "defender_before_neutralize"
    ATTACKER_BEFORE_NEUTRALIZE = "attacker_before_neutralize"
    REINFORCE = "reinforce"
    DEFENDER_AFTER_NEUTRALIZE = "defender_after_neutralize"
    ATTACKER_AFTER_NEUTRALIZE = "attacker_after_neutralize"
    DEFENDER_AFTER = "defender_after"
    ATTACKER_AFTER = "attacker_after"
    OVER = "over"
    WITHDRAWN = "withdrawn"


ACTS: Final[Mapping[AttackWindow, tuple[Side, Pool]]] = {
    AttackWindow.DEFENDER_MODIFIES_ATTACK: (Side.DEFENDER, Pool.RED),
    AttackWindow.ATTACKER_MODIFIES_ATTACK: (Side.ATTACKER, Pool.RED),
    AttackWindow.ATTACKER_MODIFIES_DEFENSE: (Side.ATTACKER, Pool.GREEN),
    AttackWindow.DEFENDER_MODIFIES_DEFENSE: (Side.DEFENDER, Pool.GREEN),
}
"""Side and pool of each window for dice changes (steps 3 and 5)."""

OWN_POOL_SIDE: Final[Mapping[Pool, Side]] = {pool: side for side, pool in OWN_POOL.items()}

BEFORE_DICE: Final = (DiceWindow.DECLARE, DiceWindow.BEFORE_DICE)
AROUND_ROLL: Final = (BEFORE_DICE, (DiceWindow.AFTER_ROLL,))
STEPS: Final[Mapping[AttackWindow, tuple[Side, tuple[DiceWindow, ...]]]] = {
    AttackWindow.ATTACKER_BEFORE_DICE: (Side.ATTACKER, BEFORE_DICE),
    AttackWindow.DEFENDER_BEFORE_DICE: (Side.DEFENDER, BEFORE_DICE),
    AttackWindow.ATTACKER_AFTER_ROLL: (Side.ATTACKER, (DiceWindow.AFTER_ROLL,)),
    AttackWindow.DEFENDER_BEFORE_NEUTRALIZE: (Side.DEFENDER, (DiceWindow.BEFORE_NEUTRALIZE,)),
    AttackWindow.ATTACKER_BEFORE_NEUTRALIZE: (Side.ATTACKER, (DiceWindow.BEFORE_NEUTRALIZE,)),
    AttackWindow.DEFENDER_AFTER_NEUTRALIZE: (Side.DEFENDER, (DiceWindow.AFTER_NEUTRALIZE, DiceWindow.DAMAGE)),
    AttackWindow.ATTACKER_AFTER_NEUTRALIZE: (Side.ATTACKER, (DiceWindow.AFTER_NEUTRALIZE, DiceWindow.DAMAGE)),
    AttackWindow.DEFENDER_AFTER: (Side.DEFENDER, (DiceWindow.AFTER,)),
    AttackWindow.ATTACKER_AFTER: (Side.ATTACKER, (DiceWindow.AFTER,)),
}
"""Steps in which only cards act, with their side and the rows' timing. A step without such a row is skipped."""

ORDER: Final = tuple(
    window for window in AttackWindow if window in (*STEPS, *ACTS, AttackWindow.REINFORCE, AttackWindow.OVER)
)
"""Steps and windows in order. In step 6 the defender states whether the attacker is in a reinforce token's arc."""
DEALT: Final = (AttackWindow.DEFENDER_AFTER, AttackWindow.ATTACKER_AFTER, AttackWindow.OVER)
ENTERS: Final[Mapping[AttackWindow, Pool]] = {
    AttackWindow.ENTER_ATTACK: Pool.RED,
    AttackWindow.ENTER_DEFENSE: Pool.GREEN,
}
"""Windows in which a side enters physical dice (steps 2 and 4)."""
WAITS: Final = (AttackWindow.DECLARE_DEFENSE, *ENTERS, AttackWindow.OVER, AttackWindow.WITHDRAWN)
"""Windows that never close by themselves."""

AFTERMATH: Final = (
    Text("the defender's “after you defend” effects (no bonus attack)"),
    Text("the attacker's “after you perform an attack” effects (no bonus attack)"),
    Text("the defender's bonus attack"),
    Text("the attacker's bonus attack"),
)
"""Step 8, as a reminder: cards' effects then are offered on their own."""


@dataclass(frozen=True, kw_only=True)
class Attack:
    """An attack in play: each side's resources, and the dice of both pools.

    ``causes``: dice changes in order. ``idle``: sides whose window on the defense dice closed because nothing there
    could change the outcome; ``idle_red``: on the attack dice. ``before``: effects of the attacker's faceup damage
    cards before engaging. ``answered``: the defender has entered theirs. ``dues``: changes to ships by cards, in order,
    and ``told``: lines about cards outside the windows on dice. ``rights``: bonus attacks that cards allow in the
    Aftermath, in order; ``bonus_attacks``: sides whose ships have made none this round, so that one may be declared by
    hand. ``claimed``: untyped tokens claimed by a press, in order; the declaration then includes them. ``plays_both``:
    the attacker also presses for the defender.
    """

    declared: Declared
    window: AttackWindow
    attack: LineUp
    defense: LineUp
    red: tuple[Rolled, ...] = ()
    green: tuple[Rolled, ...] = ()
    causes: tuple[modify.Cause, ...] = ()
    idle: tuple[Side, ...] = ()
    idle_red: tuple[Side, ...] = ()
    suffered: steps.DamageDealt | None = None
    before: tuple[texts.StoredText, ...] = ()
    answered: bool = False
    rights: tuple[declarations.BonusRight, ...] = ()
    bonus_attacks: tuple[Side, ...] = ()
    dues: tuple[PendingChange, ...] = ()
    told: tuple[texts.StoredText, ...] = ()
    claimed: tuple[tuple[Side, str], ...] = ()
    plays_both: bool = False
    kind: Literal["attack"] = "attack"

    def __getstate__(self) -> dict[str, object]:
        """Return the fields for pickle, without cached offers, which need not pickle."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @cached_property
    def damage(self) -> steps.DamageDealt | None:
        """Return step 7's damage; None until the attack is over: to a ship of the table as it was (``suffered``), else
        to the declaration's hull and shields.
        """
        if self.suffered is not None:
            return self.suffered
        if self.window not in DEALT:
            return None
        # Shields may be lost before the damage; a ship of the table tracks that.
        lost = -sum(due.count for due in self.dues if due.what == costs.SHIELD and not self.declared.defender)
        shields = max(0, self.declared.shields - lost)
        return steps.deal(self.red, self.declared.hull, shields, self.deals)

    @property
    def deals(self) -> tuple[Consequence, ...]:
        """Return the weapon's consequences in place of damage; () for damage."""
        deeds = ((effect, effect.what) for effect in self.attack.effects if isinstance(effect.what, Consequence))
        return tuple(
            deed for effect, deed in deeds if deed.acts is Timing.BEFORE_DICE and effect.must and not effect.is_open
        )

    def dice_context(self, side: Side) -> steps.DiceContext:
        pools, damage = {pool: self.pool(pool) for pool in Pool}, self.damage
        own, enemy = self.declared.ship(side), self.declared.ship(side.other)
        return steps.DiceContext(side=side, lines=self.lines, pools=pools, damage=damage, own=own, enemy=enemy)

    @property
    def lines(self) -> Mapping[Side, LineUp]:
        return {Side.ATTACKER: self.attack, Side.DEFENDER: self.defense}

    def limits(self, side: Side, pool: Pool) -> modify.PoolLimits:
        return modify.limits(self.declared, side, pool, self.attack, self.defense)

    @cached_property
    def modifications(self) -> tuple[Offer, ...]:
        """Return this window's dice changes; () if none. Computed once, for closing, offers, and checks."""
        side, pool = ACTS[self.window]
        owner, other = OWN_POOL_SIDE[pool], side.other
        may_reroll = owner is other and self.limits(other, pool).modify and modify.has_reroll(other, self.side(other))
        return modify.offers(self.dice_window, may_reroll, by_hand=owner in self.declared.by_hand)

    def claimable(self, side: Side) -> tuple[str, ...]:
        """Return the kinds of tokens that a side may still claim: not typed, and not on a ship here."""
        declared = self.declared
        if declared.tokens != "press" or declared.ship(side):
            return ()
        typed, said = declared.line(side), Counter(token for of, token in self.claimed if of is side)
        return tuple(
            name for name in SPENT[side] if name not in typed.none and typed.has(name) == said[name] < TOKENS[name].most
        )

    def possible_line(self, side: Side) -> LineUp:
        """Return a side's remaining line-up with everything it may still claim."""
        line = self.side(side)
        return line.with_tokens({name: line.has(name) + TOKENS[name].most for name in self.claimable(side)})

    @cached_property
    def claims(self) -> tuple[Offer, ...]:
        """Return a press for each token that this window's side may claim and spend, if it can change a die. A lock is
        useful while a die without a hit or crit has not been rerolled.
        """
        side, pool = ACTS[self.window]
        if OWN_POOL[side] is not pool or not (names := self.claimable(side)):
            return ()
        line = LineUp(none=self.side(side).none).with_tokens(dict.fromkeys(names, 1))
        offered = modify.offers(replace(self.dice_window, line_up=line), by_hand=side in self.declared.by_hand)
        rerolls = any(
            die.counts and not die.was_rerolled and die.face not in relevance.COUNTING for die in self.pool(pool)
        )
        named = (
            replace(offer, label=term(offer.act.token.capitalize())) if offer.asks == PRESS else offer
            for offer in offered
        )
        reinforces = (CLAIM_REINFORCE,) if side is Side.DEFENDER and self.may_claim_reinforce else ()
        return (*(offer for offer in named if offer.asks == PRESS or rerolls), *reinforces)

    @property
    def may_claim_reinforce(self) -> bool:
        """Whether the defender may claim a reinforce token that would cancel something."""
        declared, line = self.declared, self.defense
        is_known = declared.ship(Side.DEFENDER) or line.reinforce or line.fore or line.aft or REINFORCE in line.none
        return declared.tokens == "press" and not is_known and steps.count_uncanceled(self.red) - evades_of(self) > 1

    @cached_property
    def dice_window(self) -> modify.PoolWindow:
        side, pool = ACTS[self.window]
        return modify.PoolWindow(side, self.side(side), pool, self.pool(pool), self.limits(side, pool), self.lines)

    @cached_property
    def offers(self) -> tuple[Offer, ...]:
        """Return legal choices; after an attack, its follow-ups. Computed once, for buttons and checks."""
        result = self.side_offers()
        waits = any(offer.side is Side.DEFENDER and offer.is_awaited for offer in result)
        if not (waits and self.declared.tokens) or self.declared.defender:
            return result
        if not self.plays_both:
            return (*result, PLAY_BOTH[self.window is AttackWindow.DECLARE_DEFENSE])
        return tuple(replace(offer, who=FOR_BOTH) if offer.who is Side.DEFENDER else offer for offer in result)

    def side_offers(self) -> tuple[Offer, ...]:
        if self.window is AttackWindow.DECLARE_DEFENSE:
            mine = (ON_CAMERA[Side.ATTACKER],) if can_choose_camera(self, Side.ATTACKER) else ()
            return (DEFEND, *mine, WITHDRAW)
        if self.window is AttackWindow.WITHDRAWN:
            return ()
        if self.window is AttackWindow.OVER:
            return aftermath_offers(self)
        if self.window in ENTERS:
            return enter_offers(self, ENTERS[self.window])
        if self.window is AttackWindow.REINFORCE:
            return (*arc_offers(self), *other_card_offers(current_at(self), Side.DEFENDER))
        if self.window in STEPS:
            side, whens = STEPS[self.window]
            more = (WITHDRAW,) if whens == BEFORE_DICE and not self.dues else ()
            result = (*steps.offers(self.dice_context(side), whens), DONE[side])
            return group_card_buttons((*result, *other_card_offers(current_at(self), side), *more))
        side, pool = ACTS[self.window]
        waits = side is Side.DEFENDER and pool is Pool.RED and can_choose_camera(self, side)
        mine = (ON_CAMERA[side],) if waits else ()
        others = other_card_offers(current_at(self), side)
        return group_card_buttons((*self.modifications, *self.claims, *mine, DONE[side], *others))

    @property
    def acting(self) -> Side:
        of = ACTS.get(self.window) or STEPS.get(self.window)
        return of[0] if of is not None else Side.ATTACKER

    def pool(self, pool: Pool) -> tuple[Rolled, ...]:
        return self.red if pool is Pool.RED else self.green

    def with_pool(self, pool: Pool, dice: tuple[Rolled, ...]) -> "Attack":
        return replace(self, red=dice) if pool is Pool.RED else replace(self, green=dice)

    def side(self, side: Side) -> LineUp:
        return self.attack if side is Side.ATTACKER else self.defense

    def with_side(self, side: Side, line: LineUp) -> "Attack":
        return replace(self, attack=line) if side is Side.ATTACKER else replace(self, defense=line)

    def with_story(self, line: Text) -> "Attack":
        return replace(self, told=(*self.told, line))

    def redeclare(self, side: Side, change: Callable[[LineUp], LineUp]) -> "Attack":
        """Change a side's declaration, but not what is left."""
        declared = self.declared.with_line(side, change(self.declared.line(side)))
        return replace(self, declared=declared)

    def change_side(self, side: Side, change: Callable[[LineUp], LineUp]) -> "Attack":
        return self.redeclare(side, change).with_side(side, change(self.side(side)))


def start(declared: Declared, rng: Rng) -> Attack:
    """Start an attack: step 1 checks range and costs and pays them; continue until a player is needed. Raises
    ``BadInputError`` for a range that the ruleset refuses, ``UnpayableCostError`` for an unaffordable cost.
    """
    declared = replace(declarations.at_range(declared), most=MAX_POOL)
    attack, defense = pay(declared), declared.line(Side.DEFENDER)
    state = Attack(declared=declared, window=AttackWindow.DECLARE_DEFENSE, attack=attack, defense=defense)
    return state if declared.defense is None else before_dice(state, rng)


def before_dice(state: Attack, rng: Rng) -> Attack:
    """Enter the step before the dice if cards have choices there; otherwise roll the attack dice."""
    return advance(replace(state, window=AttackWindow.ATTACKER_BEFORE_DICE), rng)


def not_secret(declared: Declared | LooseDice) -> Text:
    """Return why it can't be secret; "" if it can: loose dice, and attacks without open windows."""
    if isinstance(declared, LooseDice):
        return texts.EMPTY
    if declared.attacker or declared.defender:
        return Text("An attack between ships changes them, which everyone sees; type `dice` and `agility` instead.")
    if declared.defense is None:
        return Text("This attack waits for the defender; type their `agility`.")
    if declared.by_hand or any(replace(side, dice=0) != LineUp() for side in (declared.attack, declared.defense)):
        return Text("With tokens or effects, both sides take turns changing the dice.")
    return texts.EMPTY


def pay(declared: Declared) -> LineUp:
    """Return the attacker's line-up after the weapon's costs; requirements are checked, not spent."""
    line_up = declared.attack
    missing = [TOKENS[token].count_text(1) for token in declared.needs if not line_up.has(token)]
    if missing and not (declared.needs_any and len(missing) < len(declared.needs)):
        message = N_(
            "This weapon requires {needed}, and the attacker has none. Choose another weapon or another "
            "target. Nothing was rolled."
        )
        on_target = N_(
            "This weapon requires {needed} on the defender, and the attacker has none. Choose another "
            "weapon or another target. Nothing was rolled."
        )
        needed = texts.Names(missing, "or" if declared.needs_any else "and")
        raise UnpayableCostError(Text(on_target if declared.needs == ("lock",) else message, needed=needed))
    for token in declarations.WEAPON_COSTS:
        cost, held = getattr(declared, f"cost_{token}"), line_up.has(token)
        if held < cost:
            message = N_(
                "This weapon costs {counted}, but the attacker has {held}. Correct the attacker's tokens, or choose "
                "another weapon. Nothing was rolled."
            )
            raise UnpayableCostError(Text(message, counted=TOKENS[token].count_text(cost), held=held or Text("none")))
        line_up = line_up.without_tokens(token, cost) if cost else line_up
    return line_up


def roll_attack(state: Attack, rng: Rng) -> Attack:
    """Enter step 2, or the window for attack dice on camera. Raises ``BadInputError`` for a wrong number of faces."""
    for pool in Pool:
        shown = state.declared.red if pool is Pool.RED else state.declared.green
        if shown is not None and len(shown) != (count := pool_size(state.declared, pool)):
            exactly = Text("Use exactly {faces}, one for each die.", faces=texts.Count(count, "face", "faces"))
            raise BadInputError(pool.value, ", ".join(shown) or Text("no dice"), exactly)
    if any(isinstance(effect.what, consequences.NoDice) for effect in active_effects(state)):
        return replace(state, window=AttackWindow.DEFENDER_AFTER_NEUTRALIZE)
    if waits_for_physical_dice(state.declared, Pool.RED):
        return replace(state, window=AttackWindow.ENTER_ATTACK)
    return with_attack_dice(state, fall(state.declared, Pool.RED, rng), rng)


def active_effects(state: Attack) -> Iterator[DiceEffect]:
    """Yield the effects that need no claim or payment anymore."""
    return (effect for side in Side for effect in state.side(side).effects if not effect.is_open)


def with_attack_dice(state: Attack, red: tuple[Rolled, ...], rng: Rng) -> Attack:
    """Set the attack dice; one deplete token is removed, and a card may lock the defender."""
    left = state.attack.after_roll(Side.ATTACKER)
    locks = [
        effect for effect in left.effects if isinstance(effect.what, LockThem) and effect.when is DiceWindow.AFTER_ROLL
    ]
    dues = state.dues
    if locks and not left.has("lock"):
        left = left.with_tokens({"lock": 1})
        state = state.redeclare(Side.ATTACKER, lambda line: line.with_tokens({"lock": 1}))
        dues = (*dues, PendingChange(state.declared.attacker, LockOn(state.declared.defender), 1, held=True))
    red = after_fall(state, Pool.RED, red)
    return advance(replace(state, red=red, attack=left, dues=dues, window=AttackWindow.ATTACKER_AFTER_ROLL), rng)


def after_fall(state: Attack, pool: Pool, dice: tuple[Rolled, ...]) -> tuple[Rolled, ...]:
    """Apply effects to freshly rolled dice."""
    for effect in active_effects(state):
        if effect.when is DiceWindow.AFTER_ROLL and effect.must and effect.pool is pool and effect.verb == "change":
            dice = modify.change_dice(dice, effect, effect.name)
    return dice


def roll_defense(state: Attack, rng: Rng) -> Attack:
    """Enter step 4, or the window for typing the defense dice on camera. The bot rolls dice that no longer matter."""
    state = with_green_known(state)
    spends = any(effect.verb == "spend" for effect in state.defense.effects)
    matters = spends or steps.count_uncanceled(state.red) > 0
    if matters and waits_for_physical_dice(state.declared, Pool.GREEN):
        return replace(state, window=AttackWindow.ENTER_DEFENSE)
    return with_defense_dice(state, fall(state.declared, Pool.GREEN, rng))


def with_defense_dice(state: Attack, green: tuple[Rolled, ...]) -> Attack:
    """Set the defense dice; one strain token is removed."""
    left, green = state.defense.after_roll(Side.DEFENDER), after_fall(state, Pool.GREEN, green)
    return replace(state, green=green, defense=left, window=AttackWindow.ATTACKER_MODIFIES_DEFENSE)


def with_green_known(state: Attack) -> Attack:
    """Resolve cards' effects on the defense roll that depend on the attacker's tokens or attack dice."""

    def known(scene: conditions.AttackContext, line: LineUp) -> LineUp:
        effects = []
        for effect in line.effects:
            if not is_open_for_green(effect):
                effects.append(effect)
            elif conditions.all_hold(effect.given, scene):
                results = min(steps.count_uncanceled(state.red), MAX_POOL)
                effect = replace(effect, most=results, faces=()) if effect.verb == "limit" and effect.faces else effect
                effects.append(replace(effect, given=()))
        return replace(line, effects=tuple(effects))

    after = state
    if any(map(is_open_for_green, (*state.attack.effects, *state.defense.effects, *state.declared.effects))):
        for side in Side:
            dice, modified = pool_size(state.declared, Pool.GREEN), state.dice_context(side).is_enemy_modified
            after = after.change_side(side, partial(known, Rolling(state.attack, state.defense, dice, modified)))
    return after


def is_open_for_green(effect: DiceEffect) -> bool:
    """Whether an effect on the defense roll is known only now."""
    return effect.pool is Pool.GREEN and effect.verb in declarations.AT_ROLL and not effect.is_open


def pool_size(declared: Declared, pool: Pool) -> int:
    return declarations.attack_pool(declared) if pool is Pool.RED else declarations.defense_pool(declared)


def waits_for_physical_dice(declared: Declared, pool: Pool) -> bool:
    """Whether these dice must still be typed: not fixed, and not entered already."""
    lies = declared.red if pool is Pool.RED else declared.green
    by_hand = OWN_POOL_SIDE[pool] in declared.by_hand and lies is None
    return by_hand and fixed_face(declared, pool) is None and pool_size(declared, pool) > 0


def can_choose_camera(state: Attack, side: Side) -> bool:
    chosen = replace(state.declared, by_hand=(*state.declared.by_hand, side))
    return side not in state.declared.by_hand and waits_for_physical_dice(chosen, OWN_POOL[side])


def enter_offers(state: Attack, pool: Pool) -> tuple[Offer, ...]:
    """Offer a form for typed dice, or to let the bot roll."""
    side, count = OWN_POOL_SIDE[pool], pool_size(state.declared, pool)
    more = other_card_offers(current_at(state), side)
    fields = partial(physical_dice.faces_fields, pool, count)
    result = hand_offers(side, PlainAct("type", type_dice), ROLL, count, fields)
    return (*result, *more, WITHDRAW) if pool is Pool.RED else (*result, *more)


def fall(declared: Declared, pool: Pool, rng: Rng) -> tuple[Rolled, ...]:
    """Return one pool's dice: physical, fixed by an effect, or rolled."""
    shown = declared.red if pool is Pool.RED else declared.green
    if shown is not None:
        return enter_physical_dice(pool.value, shown, Side.ATTACKER)
    return modify.roll_new_dice(pool, pool_size(declared, pool), rng, fixed_face(declared, pool))


def fixed_face(declared: Declared, pool: Pool) -> Face | None:
    return next((effect.to for effect in declared.effects if effect.verb == "set" and effect.pool is pool), None)


def advance(state: Attack, rng: Rng) -> Attack:
    """Close windows until somebody can change the outcome or the attack is over."""
    while state.window not in WAITS:
        if state.window in STEPS:
            side, whens = STEPS[state.window]
            if state.side(side).effects:  # only cards act here
                while (place := steps.next_forced_row(state.dice_context(side), whens)) is not None:
                    state = after_row(state, side, place, whens, rng)
                if steps.offers(state.dice_context(side), whens):
                    break
            state = close(state, rng)
            continue
        offered, claims = (state.modifications, state.claims) if state.window in ACTS else ((), ())
        if is_of_use(state, (*offered, *claims)):
            break
        if offered:
            state = note_idle_window(state, *ACTS[state.window])
        state = close(state, rng)
    return state


def after_row(state: Attack, side: Side, place: int, whens: tuple[DiceWindow, ...], rng: Rng) -> Attack:
    """Apply one row outside the windows on dice; dice that it adds to a finished roll are rolled."""
    done, dues, told = steps.use(state.dice_context(side), place, whens)
    declared, red = state.declared, done.pools[Pool.RED]
    causes = [cause for pool in Pool for cause in modify.causes(pool, state.pool(pool), done.pools[pool])]
    if whens in AROUND_ROLL:  # roll changes are read from the declaration; their payment from the remaining line-up
        whole = declared.attack if side is Side.ATTACKER else state.defense
        declared = declared.with_line(side, replace(whole, effects=done.line.effects))
    more = pool_size(declared, Pool.RED) - pool_size(state.declared, Pool.RED)
    if DiceWindow.AFTER_ROLL in whens and more > 0:
        red = (*red, *modify.roll_new_dice(Pool.RED, more, rng, fixed_face(declared, Pool.RED)))
    state = replace(state, declared=declared, red=red, green=done.pools[Pool.GREEN]).with_story(told)
    return with_changes(replace(state, causes=(*state.causes, *causes)).with_side(side, done.line), dues)


def with_changes(state: Attack, dues: Iterable[PendingChange]) -> Attack:
    """Add changes owed. Tokens of a fighting ship take effect at once."""
    ships = {state.declared.ship(side): side for side in Side if state.declared.ship(side)}
    for due in dues:
        side = due.side if due.side is not None else ships.get(due.ship)
        token = felt_token(state.side(side), due) if side is not None and not due.is_later else ""
        if side is not None and token:
            state, due = state.change_side(side, add_token(token, due.count)), replace(due, what=token, held=True)
        state = replace(state, dues=(*state.dues, due))
    return state


def felt_token(line: LineUp, due: PendingChange) -> str:
    """Return the token added or removed by a change, if it affects the attack, the first of several kinds; else ""."""
    kinds = due.what.kinds if isinstance(due.what, AnyOf) else tokens_in(due.what) if isinstance(due.what, str) else ()
    known = [name for name in kinds if name in TOKENS and not (TOKENS[name].left or name.startswith(REINFORCE))]
    if due.count < 0:
        return next(filter(line.count, known), "")
    # A jam removes another token, and a size may need several: the table resolves these.
    return next((name for name in known if name != JAM and not TOKENS[name].by_size), "")


JAM: Final = "jam"


def note_idle_window(state: Attack, side: Side, pool: Pool) -> Attack:
    if pool is Pool.RED:
        return replace(state, idle_red=(*state.idle_red, side))
    return replace(state, idle=(*state.idle, side))


def is_of_use(state: Attack, offered: tuple[Offer, ...]) -> bool:
    """Whether this window's side can change the outcome; ``offered``: its dice changes."""
    if state.window is AttackWindow.REINFORCE:  # it never cancels the last hit or crit
        held = state.defense
        return bool(held.fore or held.aft) and steps.count_uncanceled(state.red) - evades_of(state) > 1 + held.reinforce
    if not offered:
        return False
    if CLAIM_REINFORCE in offered:
        return True
    side, pool = ACTS[state.window]
    result = {(side, offer.act.means) for offer in offered}
    # Sides with open or later windows on the same dice: each pool's owner is last.
    sides = (side,) if side is OWN_POOL_SIDE[pool] else (side, side.other)
    means = {
        item: tuple(relevance.means_of(item, state.possible_line(item), pool, state.limits(item, pool)))
        for item in sides
    }
    if pool is Pool.RED and not result.isdisjoint(relevance.always_useful(means[side])):
        return True
    lasting = [effect for item in Side for effect in state.side(item).effects if effect.pool is pool]
    of_use = result & relevance.useful_keys([item for some in means.values() for item in some], pool, lasting)
    return bool(of_use) and (pool is Pool.RED or evades_matter(state, side, means, of_use))


def evades_of(state: Attack) -> int:
    return active_faces(state.green).count(Face.EVADE)


def evades_matter(
    state: Attack, side: Side, means: Mapping[Side, tuple[relevance.UsefulMeans, ...]], of_use: set[relevance.Key]
) -> bool:
    """Whether these means' effect on the number of evades may change the outcome; ``of_use``: keys of some."""
    if any(item.verb == "spend" and item.key in of_use for item in means[side]) or acts_later(state):
        return True  # it pays for something, or a card may depend on an evade
    evades = evades_of(state)
    fewest = evades - relevance.evades_lost(means[side], state.green) if side is Side.ATTACKER else evades
    most = evades + relevance.evades_gained(means[Side.DEFENDER], state.green)
    return relevance.makes_a_difference(steps.count_uncanceled(state.red), fewest, most, state.defense)


def acts_later(state: Attack) -> bool:
    """Whether a card of either side acts on results after the last dice window."""
    every = (effect for side in Side for effect in state.side(side).effects)
    return any(effect.when in declarations.LATE[:2] or effect.verb == "crits" for effect in every)


def close(state: Attack, rng: Rng) -> Attack:
    """Close the window: between the two pools the defense dice are rolled, after the last one the attack resolves."""
    if state.window in ACTS:
        state = with_forced_changes(state)
    if state.window is AttackWindow.DEFENDER_BEFORE_DICE:
        return roll_attack(state, rng)
    if state.window is AttackWindow.ATTACKER_MODIFIES_ATTACK:
        return roll_defense(apply_lasting_effects(state), rng)
    leaves = state.window
    state = replace(state, window=next_window(state))
    return resolve(state) if leaves is AttackWindow.REINFORCE else state


def next_window(state: Attack) -> AttackWindow:
    """Return the next window. After the dice, steps of a side without cards are skipped."""
    later = ORDER[ORDER.index(state.window) + 1 :]
    return next(
        window for window in later if window not in STEPS or window in FALLING or state.side(STEPS[window][0]).effects
    )


def with_forced_changes(state: Attack) -> Attack:
    """Apply mandatory dice changes of cards, before their side's window closes."""
    side, pool = ACTS[state.window]
    line, dice = state.side(side), state.pool(pool)
    for effect in state.side(side).effects:
        free = effect.must and not (effect.is_open or effect.when) and effect.verb == "change"
        if free and effect.pool is pool and conditions.all_hold(effect.given, state.dice_window.attack_context):
            dice = modify.change_dice(dice, effect, effect.name or modify.BY_CARD[side])
            line = replace(line, effects=tuple(item for item in line.effects if item is not effect))
    if dice == state.pool(pool):
        return state
    return after_modifying(state, side, pool, line, dice)


def after_modifying(state: Attack, side: Side, pool: Pool, left: LineUp, dice: tuple[Rolled, ...]) -> Attack:
    """Set a side's resources and a pool after it acted on the dice."""
    causes = state.causes + modify.causes(pool, state.pool(pool), dice)
    return replace(state.with_pool(pool, dice), causes=causes).with_side(side, left)


Arc = Literal["fore", "aft", "none"]
ARCS: Final = {"fore": Text("fore"), "aft": Text("aft")}


def arc_offers(state: Attack) -> tuple[Offer, ...]:
    counts: dict[Arc, int] = {"fore": state.defense.fore, "aft": state.defense.aft}
    held = [arc for arc, count in counts.items() if count]
    message = N_("In the {arc} arc: reinforce") if len(held) > 1 else N_("In arc ({arc}): reinforce")
    arcs = [(ChooseArc(arc), Text(message, arc=ARCS[arc])) for arc in held]
    offered = [Offer(act, Side.DEFENDER, label, then=AfterOffer.CLOSES) for act, label in arcs]
    return (*offered, Offer(ChooseArc(), Side.DEFENDER, Text("Out of arc: no reinforce"), then=AfterOffer.CLOSES))


def apply_lasting_effects(state: Attack) -> Attack:
    """Apply the attack dice's final effects after both of their windows."""
    red = state.red
    for side in Side:
        for effect in state.side(side).effects:
            if effect.verb == "become":
                by = Text("{card} after both players' steps", card=modify.BY_CARD[side])
                red = modify.turn(red, modify.places_showing(red, effect.faces), modify.face_of(effect), by)
    return state if red is state.red else replace(state, red=red)


def resolve(state: Attack) -> Attack:
    """Resolve step 6; step 7's damage follows from the remaining dice."""
    order = next((effect.what for effect in active_effects(state) if isinstance(effect.what, CritOrder)), None)
    red, green = steps.neutralize(state.red, state.green, state.defense.reinforce, order)
    return replace(state, red=red, green=green)


# Choices


def defend(state: Attack, choice: Choice, rng: Rng) -> Attack:
    """Enter the defender's tokens and effects, then roll."""
    filled, declared = choice.filled or {}, state.declared
    with errors.Collector() as wrong:
        with wrong.collect():
            agility = number(Code("agility"), filled.get("agility", ""), 0, MAX_POOL)
        brought = typed_sides.parse(filled.get("tokens", ""), Side.DEFENDER, "tokens")
    defense = replace(brought.line_up, dice=agility)
    declared = replace(declared, defense=defense, hull=brought.hull, shields=brought.shields)
    if filled.get(physical_dice.CAMERA.key) and Side.DEFENDER not in declared.by_hand:
        declared = replace(declared, by_hand=(*declared.by_hand, Side.DEFENDER))
    return before_dice(replace(state, declared=declared, defense=defense, answered=True), rng)


def on_camera(state: Attack, *_: object) -> Attack:
    """Choose dice on camera for a side, before they are rolled."""
    return replace(state, declared=replace(state.declared, by_hand=(*state.declared.by_hand, state.acting)))


def type_dice(state: Attack, choice: Choice, rng: Rng) -> Attack:
    """Enter a pool's dice on camera. Raises ``BadInputError`` or ``UnknownWordError``."""
    pool, typed_faces = ENTERS[state.window], typed(physical_dice.FACES, choice.filled or {})
    shown = physical_dice.read_faces(typed_faces, pool, pool_size(state.declared, pool))
    return with_dice(state, pool, enter_physical_dice(pool.value, shown, OWN_POOL_SIDE[pool]), rng)


def roll_dice(state: Attack, _: Choice, rng: Rng) -> Attack:
    pool = ENTERS[state.window]
    rest = tuple(side for side in state.declared.by_hand if side is not OWN_POOL_SIDE[pool])
    state = replace(state, declared=replace(state.declared, by_hand=rest))
    return with_dice(state, pool, fall(state.declared, pool, rng), rng)


def with_dice(state: Attack, pool: Pool, dice: tuple[Rolled, ...], rng: Rng) -> Attack:
    return with_attack_dice(state, dice, rng) if pool is Pool.RED else advance(with_defense_dice(state, dice), rng)


class ChooseArc(game.Act):
    """The defender's arc with a reinforce token that the attacker is in, or none."""

    arc: Arc = "none"

    forms = ("arc-{arc}",)

    def apply(self, state: Attack, choice: Choice, rng: Rng) -> Attack:
        counted = declarations.with_attacker_in(state.defense, self.arc)
        return advance(close(replace(state, defense=counted), rng), rng)


def use_card(state: Attack, choice: Choice, rng: Rng) -> Attack:
    """Use the card picked from the list, which replaces buttons if there are too many."""
    act = modify.USES(choice.picked[0])
    assert act is not None, "it was offered"  # noqa: S101 - states how this is called
    return apply_act(act, state, replace(choice, picked=()), rng)


class BonusAttack(game.Act):
    """A bonus attack that a card allows, by its place among the rights, or a side's own declaration."""

    at: int | None = None
    by_hand: Side | None = None

    forms = ("bonus-{at}", "bonus-{by_hand}")

    def right(self, state: Attack) -> declarations.BonusRight | None:
        """Return the right by which it is made; None for one declared by hand."""
        return state.rights[self.at] if self.at is not None and self.at < len(state.rights) else None

    def ship(self, state: Attack) -> str:
        right = self.right(state)
        return right.ship if right else state.declared.ship(self.by_hand or Side.ATTACKER)

    def apply(self, state: Attack, choice: Choice, rng: Rng) -> Attack:
        right = self.right(state)
        return with_bonus_attack(state, self.ship(state), right.side if right else self.by_hand or Side.ATTACKER)


def attack_again(state: Attack, choice: Choice, rng: Rng) -> Attack:
    """Attack again: between ships as a bonus attack, else with the same values."""
    declared = replace(state.declared, red=None, green=None)
    if declared.attacker or declared.defender:
        return with_bonus_attack(state, declared.attacker, Side.ATTACKER)
    for side, token in state.claimed:
        declared = declared.with_line(side, declared.line(side).without_tokens(token))
    if state.answered:
        by_hand = tuple(side for side in declared.by_hand if side is Side.ATTACKER)
        declared = replace(declared, defense=None, hull=None, shields=0, by_hand=by_hand)
    return start(with_changes_picked(declared, choice.picked), rng)


def with_changes_picked(declared: Declared, picked: tuple[str, ...]) -> Declared:
    """Return the declaration with another range, another target, or without the typed tokens. Of another target only
    the agility is known. Raises ``BadInputError`` for two values of a kind.
    """
    values = [value.rpartition("-")[::2] for value in picked]
    if len(dict(values)) < len(values):
        raise BadInputError(AGAIN_BUT, Text("two of a kind"), Text("Choose one range and one target at most."))
    for kind, value in values:
        if kind == "range":
            declared = replace(declared, range=int(value))
        elif kind == "agility":
            declared = replace(declared, defense=LineUp(dice=int(value)), hull=None, shields=0)
        else:
            none = dict.fromkeys(FELT, 0)
            lines = {side: declared.line(side).with_tokens(none) for side in Side}
            defense = lines[Side.DEFENDER] if declared.defense is not None else None
            declared = replace(declared, attack=lines[Side.ATTACKER], defense=defense)
    return declared


def change_options(state: Attack) -> Iterator[game.Option]:
    """Yield simple changes of the same attack: range, target, and typed tokens."""
    declared, typed = state.declared, attack_again_tokens(state)
    if declared.range != 0:
        is_close = declared.ruleset == "2.5" and not declared.ordnance
        yield from (how for item, how in RANGES.items() if item != declared.range and (item or is_close))
    if not state.answered:
        yield from AGILITIES
    if typed:
        yield NO_TOKENS


def attack_again_tokens(state: Attack) -> bool:
    """Whether the same attack would reuse typed tokens."""
    said = Counter(state.claimed)
    sides = (Side.ATTACKER,) if state.answered else tuple(Side)
    return any(
        count > said[side, token.name] for side in sides for token, count in state.declared.line(side).tokens(side)
    )


RANGES: Final = {item: game.Option(f"range-{item}", Text("Range {range}", range=item)) for item in (1, 2, 3, 0)}
AGILITIES: Final = [
    game.Option(f"agility-{item}", Text("Another target: agility {agility}", agility=item)) for item in range(4)
]
"""The agilities printed on ships."""
NO_TOKENS: Final = game.Option("tokens-none", Text("Without the tokens typed before"))
AGAIN_BUT: Final = Text("Attack again, but…")


NO_BONUS: Final = PlainAct(
    "no-bonus",
    lambda state, *_: replace(state, rights=tuple(it for it in state.rights if it.side is not state.rights[0].side)),
)
AGAIN: Final = PlainAct("again", attack_again)
MAX_CHANGES: Final = 3
"""Range, target, tokens."""
AFTERWARDS: Final = game.act_reader(BonusAttack, NO_BONUS, AGAIN)


def with_bonus_attack(state: Attack, ship: str, side: Side) -> Attack:
    """Record a ship's bonus attack of this round; the attacker's side making one ends the defender's turn."""
    is_over = side is Side.ATTACKER
    left = tuple(
        right for right in state.rights if right.ship != ship and not (is_over and right.side is Side.DEFENDER)
    )
    others = tuple(attack for attack in state.bonus_attacks if state.declared.ship(attack) != ship)
    return replace(state, rights=left, bonus_attacks=others)


def play_both(state: Attack, choice: Choice, rng: Rng) -> Attack:
    """Let the attacker press for the defender from now on; before the dice, with the defender's tokens and effects."""
    state = replace(state, plays_both=True)
    return defend(state, choice, rng) if state.window is AttackWindow.DECLARE_DEFENSE else state


DEFEND: Final = Offer(
    PlainAct("defend", defend), Side.DEFENDER, Text("Defend: enter your tokens"), Fill(typed_sides.DEFENSE)
)
CLOSE: Final = PlainAct("done", lambda state, _, rng: advance(close(state, rng), rng))
CLAIM_REINFORCE: Final = Offer(
    PlainAct(REINFORCE, lambda state, _, rng: advance(with_claimed_token(state, Side.DEFENDER, REINFORCE), rng)),
    Side.DEFENDER,
    term(REINFORCE.capitalize()),
    then=AfterOffer.GOES_ON,
)
FOR_BOTH: Final = game.Eligible(Side.ATTACKER, game.OpenTo.EITHER)
"""People who press for the defender once the attacker plays both sides; a late defender still may."""
PLAY_BOTH: Final = {
    asks: Offer(
        PlainAct("both", play_both),
        Side.ATTACKER,
        Text("I roll for both"),
        Fill(typed_sides.DEFENSE) if asks else PRESS,
        then=AfterOffer.OPTIONAL,
        rank=ButtonRank.LAST,
    )
    for asks in (False, True)
}
"""Offers to play for an absent opponent, with the defender's form if their side is unknown."""
DONE: Final = {side: Offer(CLOSE, side, Text("Done"), then=AfterOffer.CLOSES) for side in Side}
ROLL: Final = PlainAct("roll", roll_dice)
WITHDRAWS: Final = PlainAct("withdraw", lambda state, *_: replace(state, window=AttackWindow.WITHDRAWN))
WITHDRAW: Final = Offer(WITHDRAWS, Side.ATTACKER, Text("Withdraw the attack"), rank=ButtonRank.LAST)
CAMERA: Final = PlainAct("camera", on_camera)
ON_CAMERA: Final = {
    side: Offer(CAMERA, side, label, leave=game.RequiredSetting.BY_HAND)
    for side, label in (
        (Side.ATTACKER, Text("I roll my attack dice on camera")),
        (Side.DEFENDER, Text("I roll my defense dice on camera")),
    )
}
MAX_CARDS: Final = 8
CARD_NAME, CARD_WORDS, CARD_DICE, CARD_SIDE = "card", "words", "dice", "side"
WHOSE_CARD: Final = (
    game.Option(Side.ATTACKER.value, Text("The attacker's")),
    game.Option(Side.DEFENDER.value, Text("The defender's")),
)
WHOSE_DICE: Final = (
    game.Option(Pool.RED.value, Text("The attack dice")),
    game.Option(Pool.GREEN.value, Text("The defense dice")),
)


At = tuple[AttackWindow, tuple[Pool, ...]]
"""A point of an attack: its window, and the rolled pools."""


def current_at(state: Attack) -> At:
    return state.window, tuple(pool for pool in Pool if state.pool(pool))


@lru_cache(maxsize=256)  # few windows, and every attack passes through them
def other_card_offers(at: At, side: Side) -> tuple[Offer, ...]:
    """Offer an unknown card: its effects, and its name for the story; () if it is too late for any. One entry for both
    players: the card is the presser's unless the form says otherwise. Nobody waits for it. ``side``: the window's.
    """
    every = ((item, of) for of in (side, side.other) for item in CARD_EXAMPLES)
    in_time = (
        (item, of) for item, of in every if not any(is_late(at, of, effect) for effect in card_effects(item, of))
    )
    example, of = next(in_time, ("", side))
    if not example:
        return ()
    whose = "" if of is side else of.value
    fields = (
        game.Field(CARD_WORDS, Text("What it does"), Code(example), longest=typed_sides.LONGEST),
        game.Field(CARD_DICE, Text("Whose dice, if the effect doesn't say"), required=False, options=WHOSE_DICE),
        game.Field(CARD_NAME, Text("Name of the card"), Code("R2-D2"), required=False, longest=CARD_NAME_LONGEST),
        game.Field(CARD_SIDE, Text("Whose card, if not yours"), required=False, options=WHOSE_CARD, value=whose),
    )
    who, label = game.Eligible(side, game.OpenTo.EITHER), Text("Use another card…")
    return (
        Offer(PlainAct("another", with_typed_card), who, label, Fill(fields), AfterOffer.OPTIONAL, ButtonRank.ASIDE),
    )


CARD_NAME_LONGEST: Final = 40
CARD_EXAMPLES: Final = (
    "+1 dice",
    "reroll 1 red blank",
    "reroll 1 green blank",
    "cancel 1 green evade before neutralize",
    "change 1 red hit to crit after neutralize",
)
"""Examples of typed effects; errors show the first usable one."""


@lru_cache(maxsize=64)
def card_effects(typed_words: str, side: Side) -> tuple[DiceEffect, ...]:
    """Parse a typed card's effects; raises as ``typed_sides.parse``."""
    return typed_sides.parse(typed_words, side, CARD_WORDS).line_up.effects


def effects_on_pool(effects: tuple[DiceEffect, ...], pool: str) -> tuple[DiceEffect, ...]:
    """Return the effects that can apply to the faces of a pool; all for ""."""
    of = Pool(pool) if pool else None
    fits = [
        of is not None and {*effect.faces, *((effect.to,) if effect.to else ())} <= set(of.results)
        for effect in effects
    ]
    return tuple(
        replace(effect, pool=of or effect.pool) if fit else effect for effect, fit in zip(effects, fits, strict=True)
    )


def is_late(at: At, side: Side, effect: DiceEffect) -> bool:
    """Whether the window for a side's use of an effect is over."""
    window, lie = at
    if effect.verb in (*declarations.AT_ROLL, "set"):
        return effect.pool in lie or window not in FALLING
    uses = next((window for window, (of, whens) in STEPS.items() if of is side and effect.when in whens), None)
    uses = uses or next(window for window, (of, pool) in ACTS.items() if of is side and pool is effect.pool)
    return ORDER.index(AFTER_ENTERING.get(window, window)) > ORDER.index(uses)


FALLING: Final = (*tuple(STEPS)[:3], *ENTERS, *ACTS)
"""Windows before or between the rolls."""
AFTER_ENTERING: Final = {
    entered: next(window for window, (_, pool) in ACTS.items() if pool is of) for entered, of in ENTERS.items()
}
"""The window that opens once the dice of a pool are typed."""


def with_typed_card(state: Attack, choice: Choice, rng: Rng) -> Attack:
    """Add a typed card, of the form's side, else the presser's. Raises ``BadInputError`` or ``UnknownWordError`` for
    invalid effects, and if it is too late.
    """
    filled = choice.filled or {}
    side, typed_words = Side(filled.get(CARD_SIDE) or choice.by), filled.get(CARD_WORDS, "")
    effects = effects_on_pool(card_effects(typed_words, side), filled.get(CARD_DICE, ""))
    if not effects:
        raise BadInputError(CARD_WORDS, typed_words, Text("Use effects on dice, as in `reroll 1 blank`."))
    if any(is_late(current_at(state), side, effect) for effect in effects):
        raise BadInputError(CARD_WORDS, typed_words, Text("It's too late for that in this attack."))
    if len(state.side(side).effects) > CARDS_AT_ONCE:
        raise BadInputError(CARD_WORDS, typed_words, Text("This side already has too many cards."))
    name = filled.get(CARD_NAME, "").strip()
    named = tuple(replace(effect, name=Name(name)) for effect in effects)
    effects = (*state.side(side).effects, *named)
    told = Text("{card} of the {side}: {words}", card=name or ANOTHER_NAME, side=side, words=Code(typed_words))
    return advance(state.with_story(told).change_side(side, lambda line: replace(line, effects=effects)), rng)


CARDS_AT_ONCE: Final = 40
ANOTHER_NAME: Final = Text("Another card")


def group_card_buttons(result: tuple[Offer, ...]) -> tuple[Offer, ...]:
    """Group card buttons into one list: those too long for a button, or all if there are many. A line's claim and cost
    are its detail.
    """
    result = tuple(modify.limit_lists(result))
    cards = [
        offer for offer in result if isinstance(offer.act, modify.UseEffect | modify.UseRow) and offer.asks == PRESS
    ]
    lists = sum(bool(offer.options) for offer in result)
    if len(cards) <= MAX_CARDS and len(result) - lists < IN_ROW * (MAX_ROWS - lists):  # one for Advice
        cards = [card for card in cards if len(texts.english(card.label)) > game.MAX_LABEL]
    if not cards:
        return result
    said = {card.key: modify.without_claim(card.label) for card in cards[: game.MAX_OPTIONS]}
    options = tuple(game.Option(card.key, *said[card.key], shows=card.shows) for card in cards[: game.MAX_OPTIONS])
    listed = Offer(PlainAct("cards", use_card), cards[0].side, Text("Use a card"), game.Pick(options))
    rest = modify.limit_lists((item for item in result if item not in cards), modify.MAX_LISTS - 1)
    return (*rest, listed)


IN_ROW, MAX_ROWS = 5, 5
"""Buttons per row of a message, and rows; a list takes a row."""


def offers(state: Attack) -> tuple[Offer, ...]:
    return state.offers


def aftermath_offers(state: Attack) -> tuple[Offer, ...]:
    """Offer step 8's bonus attacks: those that cards allow, the defender's first; occasionally a declared one. Between
    ships, repeating the attack is such a bonus attack. An attack of bare numbers is rolled again with a new defender's
    form.
    """
    declared = state.declared
    if not (declared.attacker or declared.defender):
        again = Offer(AGAIN, Side.ATTACKER, Text("Attack again"), then=AfterOffer.REOPENS, rank=ButtonRank.LAST)
        if not declared.tokens:
            return (again,)
        changes = game.Pick(tuple(change_options(state)), most=MAX_CHANGES)
        but = PlainAct("again-but", attack_again)
        return (again, replace(again, act=but, label=AGAIN_BUT, asks=changes))
    is_ships = bool(declared.attacker)
    rank = ButtonRank.ASIDE if is_ships else ButtonRank.LAST
    again = Offer(AGAIN, Side.ATTACKER, Text("Attack again"), then=AfterOffer.FOLLOWS, rank=rank)
    labels = ((side, Text("Bonus attack: {ship}", ship=declared.ship(side))) for side in state.bonus_attacks)
    result = ((BonusAttack(by_hand=side), side, label) for side, label in labels)
    by_hand = [Offer(*item, then=AfterOffer.FOLLOWS, rank=ButtonRank.ASIDE) for item in result]
    may_again = declared.typed and (not is_ships or (declared.defender and Side.ATTACKER in state.bonus_attacks))
    return (*right_offers(state), *by_hand, *((again,) if may_again else ()))


def right_offers(state: Attack) -> tuple[Offer, ...]:
    """Offer the acting side's bonus attacks, the defender's first; or to decline."""
    if not state.rights:
        return ()
    side = state.rights[0].side
    message = N_("{card}: bonus attack by {ship}")  # the press is the claim, which the card says
    turn = ((at, right) for at, right in enumerate(state.rights) if right.side is side)
    said = ((at, Text(message, card=right.name, ship=right.ship)) for at, right in turn)
    result = (Offer(BonusAttack(at), side, label, then=AfterOffer.FOLLOWS) for at, label in said)
    return (*result, Offer(NO_BONUS, side, Text("No bonus attack"), then=AfterOffer.OPTIONAL))


def bonus_claims(state: Attack) -> list[Text]:
    """Return what the offered bonus attacks claim: ``Dengar: the attacker is in your front arc; for 1 charge``."""
    rows = ((right, right_row(right.row)) for right in state.rights if right.side is state.rights[0].side)
    return [texts.labeled(right.name, row.claim) for right, row in rows if row is not None and row.claim]


def choose(state: Attack, choice: Choice, rng: Rng) -> Attack:
    """Apply a choice. Raises ``NotOfferedError`` and, from a form, ``BadInputError`` or ``UnknownWordError``."""
    return apply_act(game.find_offer(offers(state), choice).act, state, choice, rng)


def apply_act(act: game.Act, state: Attack, choice: Choice, rng: Rng) -> Attack:
    match act:
        case modify.DiceAct():
            state = with_dice_modified(state, act, choice, rng)
        case modify.SayCount(at):
            state = with_said_number(state, at, choice.filled or {}, rng)
        case modify.UseRow(at):
            state = after_row(state, state.acting, at, STEPS[state.window][1], rng)
        case _:
            after: Attack = act.apply(state, choice, rng)
            return after
    return advance(state, rng)


def with_dice_modified(state: Attack, act: modify.DiceAct, choice: Choice, rng: Rng) -> Attack:
    """Apply a token or card to the window's dice."""
    side, pool = ACTS[state.window]
    if isinstance(act, modify.UseToken) and not state.side(side).has(act.token):
        state = with_claimed_token(state, side, act.token)
    if isinstance(act, modify.UseEffect):
        state = state.with_side(side, modify.with_price(state.dice_window, act, choice).line_up)
        state = with_claim(state, side, act.at)
    left, dice = act.apply(state.dice_window, choice, rng)
    return after_modifying(state, side, pool, left, dice)


def with_claim(state: Attack, side: Side, place: int) -> Attack:
    """Pay a row's costs outside the dice in a window on dice; the declaration then counts it as claimed."""
    effect, lying = state.side(side).effects[place], state.dice_context(side)
    if effect.ask:
        asked_no_more = partial(replace, ask=texts.EMPTY)
        state = state.redeclare(side, lambda line: line.with_row(effect.group, asked_no_more))
    dues = [*steps.outside_costs(effect, lying)]
    if isinstance(effect.what, consequences.AToken):  # from now on a token of the fighting ship
        name = effect.what.name
        state = state.redeclare(side, add_token(name, 1))
        dues.append(PendingChange(lying.own, LockOn(lying.enemy) if TOKENS[name].is_on_target else name, 1, held=True))
    dues += [due for what, count in effect.cost for due in steps.stock_due(what, count, effect, lying)]
    besides = effect.with_dice(lying.line.effects)
    if besides:
        does = texts.Sentences((steps.effect_text(item, lying.enemy) for item in besides), ", ")
        state = state.with_story(texts.labeled(effect.name, does))
    return with_changes(state, [*dues, *(due for item in besides for due in steps.deed_dues(item, lying))])


def with_claimed_token(state: Attack, side: Side, token: str) -> Attack:
    claimed = (*state.claimed, (side, token))
    return replace(state.change_side(side, add_token(token, 1)), claimed=claimed)


def with_said_number(state: Attack, at: int, filled: Mapping[str, str], rng: Rng) -> Attack:
    """Apply a stated number, and reroll the selected dice with it. For zero the card does nothing."""
    side, count, dice = state.acting, int(filled[modify.HOW_MANY]), filled.get(physical_dice.DICE)
    asked = state.side(side).effects[at]

    def known(effect: DiceEffect) -> DiceEffect | None:
        return effect.with_count(count) if count else None

    told = texts.labeled(texts.Sentences([asked.name, asked.ask], ", "), count)
    state = state.with_story(told).change_side(side, lambda whole: whole.with_row(asked.group, known))
    if not (count and dice):
        return state
    choice = Choice(str(modify.UseEffect(at)), filled={physical_dice.DICE: dice})
    return with_dice_modified(state, modify.UseEffect(at), choice, rng)


def add_token(token: str, count: int) -> Callable[[LineUp], LineUp]:
    """Return a function that adds ``count`` tokens (negative: removes)."""
    return lambda line: line.with_token_count(token, count)


def has_cards(declared: Declared) -> bool:
    return bool(declared.counted or declared.asked or declared.not_counted or declared.with_cards)


def cards_in_words(declared: Declared) -> dict[str, object]:
    """Return a line-up's cards in JSON words: the dice, and how far the cards are automated."""
    cards = {kind: list(getattr(declared, kind)) for kind in ("counted", "asked", "not_counted")}
    return {"dice": {pool.value: pool_size(declared, pool) for pool in Pool}, **cards}


def outcome(state: Attack) -> Mapping[str, object]:
    """Return the damage and the dice in JSON words; zeros before damage is dealt."""
    dealt = state.damage or steps.DamageDealt()
    result: dict[str, object] = {"hits": dealt.hits, "crits": dealt.crits}
    if state.declared.hull is not None:
        result |= {"shields_lost": dealt.shields_lost, "facedown": dealt.facedown, "faceup": dealt.faceup}
        result["destroyed"] = bool(dealt.destroyed)
    if has_cards(state.declared):
        result |= cards_in_words(state.declared)
    if dealt.tokens:  # as in odds: the probability of each number
        result["gives"] = {token: {str(count): "1/1"} for token, count in dealt.tokens}
    return result | {pool.value: [str(die.face) for die in state.pool(pool)] for pool in Pool}
