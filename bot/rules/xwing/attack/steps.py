"""The steps without a window on dice: 6, 7, and cards before the dice, around neutralize, and after damage.

Only the table's ``deal_to`` deals damage to a ship. A row with a question or a cost is offered to its side: the press
is the claim. A mandatory one acts by itself. Effects on ships (tokens, charges, damage) are owed as ``PendingChange``,
which the table applies with the same press.

Source: rules page, The attack, step by step; X-Wing cards, sections 1 to 3.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from bot.rules import text as texts
from bot.rules.dice import DieStep, Rolled, active_faces
from bot.rules.game import Offer, Side
from bot.rules.text import N_, UNNAMED, Code, Name, Text, term
from bot.rules.xwing.dice import conditions, consequences, costs, declared as declarations, modify
from bot.rules.xwing.dice.conditions import Rolling
from bot.rules.xwing.dice.consequences import Consequence, CritOrder, Results, Timing
from bot.rules.xwing.dice.costs import LockOn, Payer, PendingChange
from bot.rules.xwing.dice.declared import DiceEffect, DiceWindow, LineUp
from bot.rules.xwing.dice.faces import NOUNS, OWN_POOL, Face, Pool
from bot.rules.xwing.dice.tokens import TOKENS

# Steps 6 and 7: neutralize results and deal damage


@dataclass(frozen=True, kw_only=True)
class DamageDealt:
    """Damage dealt. ``destroyed``: None while the hull is unknown. ``facedown`` and ``faceup``: damage cards dealt;
    ``titles``: a ship's faceup ones, even if flipped since. ``tokens``: those given by a weapon.
    """

    hits: int = 0
    crits: int = 0
    shields_lost: int = 0
    facedown: int = 0
    faceup: int = 0
    titles: tuple[Name, ...] = ()
    tokens: tuple[tuple[str, int], ...] = ()
    destroyed: bool | None = None

    @cached_property
    def total(self) -> int:
        return self.hits + self.crits


def neutralize(
    red: tuple[Rolled, ...], green: tuple[Rolled, ...], reinforce: int, crits: CritOrder | None = None
) -> tuple[tuple[Rolled, ...], tuple[Rolled, ...]]:
    """Apply step 6: evades cancel hits, then crits. While more than one result would be left, each reinforce token adds
    one evade. ``crits``: they are canceled first, or never.
    """
    evades = active_faces(green).count(Face.EVADE)
    extra = min(reinforce, max(0, count_uncanceled(red) - evades - 1))
    token = Rolled(Pool.GREEN.value, (DieStep("added", Face.EVADE, term("reinforce")),))
    causes = [term("evade")] * evades + [term("reinforce")] * extra
    dice = list(red)
    orders = {CritOrder.FIRST: (Face.CRIT, Face.HIT), CritOrder.STAY: (Face.HIT,), None: (Face.HIT, Face.CRIT)}
    for face in orders[crits]:
        for index, die in enumerate(dice):
            if causes and die.counts and die.face == face:
                dice[index] = die.after_step("cancelled", causes.pop(0))
    return tuple(dice), green + (token,) * extra


def count_uncanceled(red: tuple[Rolled, ...]) -> int:
    left = active_faces(red)
    return left.count(Face.HIT) + left.count(Face.CRIT)


def deal_results(results: Results, deals: Iterable[Consequence]) -> tuple[Results, tuple[tuple[str, int], ...]]:
    """Return the (hits, crits) suffered and tokens dealt. ``deals``: a weapon's other consequences (rules page, X-Wing
    cards, section 5); a miss deals nothing.
    """
    count, tokens = sum(results), dict[str, int]()
    for deed in deals if count else ():
        results = deed.deal_results(results, count, tokens)
    return results, tuple((name, count) for name, count in tokens.items() if count)


def deal(red: tuple[Rolled, ...], hull: int | None, shields: int, deals: tuple[Consequence, ...] = ()) -> DamageDealt:
    """Apply step 7: hits, then crits; a shield absorbs one of either, then a crit is a faceup card. ``deals``: the
    weapon's consequences in place of damage.
    """
    left = active_faces(red)
    (hits, crits), tokens = deal_results((left.count(Face.HIT), left.count(Face.CRIT)), deals)
    on_shields = min(shields, hits + crits)
    facedown = max(0, hits - shields)
    faceup = hits + crits - on_shields - facedown
    return DamageDealt(
        hits=hits,
        crits=crits,
        shields_lost=on_shields,
        facedown=facedown,
        faceup=faceup,
        tokens=tokens,
        destroyed=None if hull is None else facedown + faceup >= hull,
    )


# Card effects


@dataclass(frozen=True, kw_only=True)
class DiceContext:
    """The dice and line-ups when a row acts."""

    side: Side
    lines: Mapping[Side, LineUp]
    pools: Mapping[Pool, modify.Dice] = field(default_factory=lambda: dict.fromkeys(Pool, ()))
    damage: DamageDealt | None = None
    own: Name = UNNAMED
    enemy: Name = UNNAMED

    @property
    def line(self) -> LineUp:
        return self.lines[self.side]

    @property
    def is_enemy_modified(self) -> bool:
        """Whether something modified the other side's dice."""
        dice = self.pools[OWN_POOL[self.side].other]
        return any(step.how in ("changed", "rerolled", "added") for die in dice for step in die.trail)

    def attack_context(self, when: DiceWindow) -> conditions.AttackContext:
        """Return the conditions' context at a moment outside the dice windows."""
        both, red = (self.lines[Side.ATTACKER], self.lines[Side.DEFENDER]), self.pools[Pool.RED]
        kind, damage = declarations.SCENES[when], self.damage or DamageDealt()
        if kind is Rolling:
            return Rolling(*both, dice=len(red), modified=self.is_enemy_modified)
        if kind is conditions.NeutralizeContext:
            return conditions.NeutralizeContext(*both, results=count_uncanceled(red))
        if kind is conditions.AttackContext:
            return conditions.AttackContext(*both)
        return conditions.Dealt(
            *both,
            results=count_uncanceled(red),
            canceled=any(not die.counts for die in red),
            modified=self.is_enemy_modified,
            shields_lost=damage.shields_lost,
            damage=damage.total,
        )


def rows_at(lying: DiceContext, whens: tuple[DiceWindow, ...]) -> Mapping[int, tuple[DiceEffect, ...]]:
    """The rows of a side that may act at a step, by the place of their first effect; rights are for the Aftermath."""
    rights = {effect.group for effect in lying.line.effects if acts_of(effect) is Timing.RIGHT}
    here = ((place, effect) for place, effect in enumerate(lying.line.effects) if is_at(effect, whens))
    return declarations.by_use((place, effect) for place, effect in here if effect.group not in rights)


def is_at(effect: DiceEffect, whens: tuple[DiceWindow, ...]) -> bool:
    """Whether an effect acts at a step. Before the dice: unclaimed roll changes."""
    acts = acts_of(effect)
    if acts in (Timing.STANDING, Timing.NEVER) or effect.when is DiceWindow.ELSEWHERE:
        return False
    if effect.when is DiceWindow.AFTER_ROLL:
        return DiceWindow.AFTER_ROLL in whens and effect.is_open
    if effect.when is DiceWindow.DECLARE and effect.what == consequences.FORCE_BACK:
        return False
    if effect.verb in declarations.AT_ROLL or acts is Timing.BEFORE_DICE:
        return DiceWindow.BEFORE_DICE in whens and effect.when not in declarations.LATE and effect.is_open
    if effect.verb == "deed" and not effect.when:
        return DiceWindow.AFTER in whens
    return effect.when in whens


def acts_of(effect: DiceEffect) -> Timing | None:
    """Return the timing of a consequence; None for an effect on dice."""
    return effect.what.acts if isinstance(effect.what, Consequence) else None


def offers(lying: DiceContext, whens: tuple[DiceWindow, ...]) -> tuple[Offer, ...]:
    """Offer a button for each distinct usable row."""
    result: dict[texts.Shown, Offer] = {}
    for place, row in rows_at(lying, whens).items():
        if is_forced(row) or not may_act(lying, row, whens):
            continue
        if row[0].up_to:
            offer = modify.asks_how_many(row[0], lying.line, place, lying.side)
            result.setdefault(offer.label, offer)
        else:
            does = texts.Sentences((effect_text(effect, lying.enemy) for effect in row), ", ")
            label = texts.labeled(modify.button_prefix(row[0], lying.line), does)
            result.setdefault(label, Offer(modify.UseRow(place), lying.side, label))
    return tuple(result.values())


def next_forced_row(lying: DiceContext, whens: tuple[DiceWindow, ...]) -> int | None:
    every = rows_at(lying, whens).items()
    return next((place for place, row in every if is_forced(row) and may_act(lying, row, whens)), None)


def is_forced(row: tuple[DiceEffect, ...]) -> bool:
    return row[0].must and not any(effect.is_open for effect in row)


def may_act(lying: DiceContext, row: tuple[DiceEffect, ...], whens: tuple[DiceWindow, ...]) -> bool:
    """Whether a row's conditions and costs are met, and it has an effect."""
    scene = lying.attack_context(whens[0])
    asked = all(conditions.all_hold(effect.given, scene) for effect in row)
    paid = all(modify.can_pay(effect, lying.line, lying.pools[OWN_POOL[lying.side]]) for effect in row)
    return asked and paid and any(has_object(lying, effect) for effect in row)


def has_object(lying: DiceContext, effect: DiceEffect) -> bool:
    if effect.verb in ("change", "cancel", "spend"):
        return bool(modify.places_showing(lying.pools[effect.pool], effect.faces))
    if isinstance(effect.what, consequences.NextCard):
        return bool(modify.places_showing(lying.pools[Pool.RED], (Face.CRIT,)))
    return not isinstance(effect.what, consequences.Prevent) or count_uncanceled(lying.pools[Pool.RED]) > 0


def effect_text(effect: DiceEffect, enemy: str = "") -> Text:
    """Describe an effect for its button; ``enemy``: the other ship, if known."""
    if isinstance(effect.what, Consequence):
        return effect.what.label(enemy)
    if effect.verb == "dice":
        message = N_("{count} {pool} die") if abs(effect.most) == 1 else N_("{count} {pool} dice")
        return Text(message, count=Code(f"{effect.most:+d}"), pool=effect.pool)
    if effect.verb == "limit" and effect.faces:
        return Text("at most as many {pool} dice as results", pool=effect.pool)
    if effect.what is consequences.RangeDie.OFF:
        return Text("no range bonus for {pool} dice", pool=effect.pool)
    most, many = ALL if effect.most >= declarations.EACH else effect.most, effect.most != 1 or effect.verb == "become"
    result = term(NOUNS[effect.to].many) if many and effect.to is not None else effect.to
    faces = texts.Names([term(NOUNS[face].many) if many else face for face in effect.faces], "or")
    dice = Text("dice") if many else Text("die")
    places = {"most": most, "pool": effect.pool, "what": forbidden_text(effect.what), "result": result}
    return Text(modify.SAID[effect.verb]["does"], faces=faces or dice, **places)


ALL: Final = Text("all")
BARRED: Final[Mapping[consequences.What | None, Text]] = {
    consequences.ForbiddenDice.MODIFY: Text("modifications"),
    consequences.ForbiddenDice.REROLL: Text("rerolls"),
    consequences.ForbiddenDice.REROLLED: Text("reroll"),
    consequences.ForbiddenDice.GREEN_TOKENS: Text("green tokens"),
}


def forbidden_text(what: consequences.What | None) -> texts.Shown:
    """Describe a ban or a limit by a card."""
    if isinstance(what, consequences.AllBut):
        return Text("means other than {what}", what=costs.cost_name(what.token) if what.token else Text("this card"))
    return BARRED.get(what) or costs.cost_name(str(what or ""))


def use(lying: DiceContext, place: int, whens: tuple[DiceWindow, ...]) -> tuple[DiceContext, list[PendingChange], Text]:
    """Use one row; return the new dice context, changes owed, and a line for the story."""
    row = rows_at(lying, whens)[place]
    line, pools, own = lying.line, dict(lying.pools), OWN_POOL[lying.side]
    name = row[0].name or modify.BY_CARD[lying.side]
    dues = [due for effect in row for due in outside_costs(effect, lying)]
    for effect in row:
        line, pools[own] = modify.pay_cost(line, effect, pools[own], name)
        dues += [due for what, count in effect.cost for due in stock_due(what, count, effect, lying)]
    for effect in row:
        pools[effect.pool] = apply_effect(effect, pools[effect.pool], name)
        dues += deed_dues(effect, lying)
        if isinstance(effect.what, consequences.Prevent):
            red = pools[Pool.RED]  # the results whose damage the card prevents leave, crits first
            gone = modify.places_showing(red, (Face.CRIT, Face.HIT))[: effect.what.count or len(red)]
            left = (die.after_step("cancelled", name) if at in gone else die for at, die in enumerate(red))
            pools[Pool.RED] = tuple(left)
    told = texts.labeled(name, texts.Sentences((effect_text(effect, lying.enemy) for effect in row), ", "))
    return replace(lying, lines={**lying.lines, lying.side: without_used_row(line, row)}, pools=pools), dues, told


def without_used_row(line: LineUp, row: tuple[DiceEffect, ...]) -> LineUp:
    """Return the line-up without a used row; its roll changes are now permanent."""
    effects, gone = [], list(row)
    for effect in line.effects:
        if effect in gone:
            gone.remove(effect)
            if effect.verb in declarations.AT_ROLL or acts_of(effect) is Timing.BEFORE_DICE:
                effects.append(replace(effect, ask=texts.EMPTY, cost=(), pays=(), given=(), reminds="", must=True))
        else:
            effects.append(effect)
    return replace(line, effects=tuple(effects))


def apply_effect(effect: DiceEffect, dice: modify.Dice, name: texts.Shown) -> modify.Dice:
    """Apply an effect on results to its pool's dice, on as many as allowed."""
    if effect.verb == "add" and effect.to is not None:
        return (*dice, *[Rolled(effect.pool.value, (DieStep("added", effect.to, name),))] * effect.most)
    if effect.verb == "change":
        return modify.change_dice(dice, effect, name)
    chosen = modify.places_showing(dice, effect.faces)[: effect.most] if effect.verb == "cancel" else ()
    return tuple(die.after_step("cancelled", name) if at in chosen else die for at, die in enumerate(dice))


# Changes owed


def outside_costs(effect: DiceEffect, lying: DiceContext) -> Iterator[PendingChange]:
    """Yield a row's costs outside the dice: its ship's stress, the fighting ship's strain."""
    for cost in effect.pays:
        payer = cost.ship or (lying.own if cost.payer is Payer.SHIP else effect.ship or lying.own)
        if cost.payer is not Payer.FRIEND:  # without ships the paying friend is unknown
            yield PendingChange(payer, cost.what, cost.count)


def stock_due(what: costs.Spendable, count: int, effect: DiceEffect, lying: DiceContext) -> Iterator[PendingChange]:
    """Yield costs from other stock than line-up tokens: a card's charges, shields, a friend's tokens."""
    if what not in dict(lying.line.stock):
        return
    match what:
        case costs.OfCard(card, ship):
            yield PendingChange(ship or lying.own, costs.OfCard(card), -count)
        case costs.OfEnemy(token):
            yield PendingChange(lying.enemy, token, -count, side=lying.side.other)
        case costs.OfShip(token, ship) if token in TOKENS and TOKENS[token].is_on_target:
            yield PendingChange(ship, LockOn(lying.enemy), -count, owed=True)
        case costs.OfShip(token, ship):
            yield PendingChange(ship or effect.ship or lying.own, token, -count, owed=True)


def deed_dues(effect: DiceEffect, lying: DiceContext) -> Iterator[PendingChange]:
    if isinstance(effect.what, Consequence):
        damage = (lying.damage or DamageDealt()).total
        told = consequences.ShipNames(own=effect.ship or lying.own, enemy=lying.enemy, card=effect.by, damage=damage)
        is_theirs = isinstance(effect.what, consequences.ShipConsequence) and effect.what.who is consequences.Who.THEY
        side = lying.side.other if is_theirs else None
        yield from (replace(due, side=side) for due in effect.what.changes(told))
