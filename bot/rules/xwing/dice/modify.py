"""Modifying dice (rules page, the table of that name): offers and their effects."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import ClassVar, Final, cast

from bot.rules import text as texts
from bot.rules.data_tables import table
from bot.rules.dice import DieStep, How, Rng, Rolled, reroll, roll
from bot.rules.errors import BadInputError, WholeNumber
from bot.rules.game import Act, Choice, Field, Fill, Offer, Option, Pick, Side
from bot.rules.physical_dice import MAX_FIELDS
from bot.rules.text import EMPTY, N_, Code, Message, Name, Sentences, Shown, Text, bracketed, english, labeled, term
from bot.rules.text_values import FormPlace, value_reader
from bot.rules.xwing.dice import costs, physical_dice
from bot.rules.xwing.dice.conditions import INSTEAD_OF_LOCK, AttackContext, InWindow, all_hold
from bot.rules.xwing.dice.consequences import AllBut, AToken, Consequence, ForbiddenDice, MaySpend
from bot.rules.xwing.dice.declared import EACH, Declared, DiceEffect, LineUp, Verb, may_modify
from bot.rules.xwing.dice.faces import NOUNS, OWN_POOL, Face, Pool
from bot.rules.xwing.dice.tokens import FELT, GREEN, SPENT, TOKENS, Token

Dice = tuple[Rolled, ...]

STAYS: Final = Option("stays", Text("Not rerolled"))
"""The option "Not rerolled" of physical rerolls."""

Cause = tuple[Pool, How, texts.Stored]
"""A change to dice: pool, kind, and cause, like ``(red, changed, focus)``."""

SUCCESS: Final[Mapping[Pool, Face]] = {Pool.RED: Face.HIT, Pool.GREEN: Face.EVADE}
"""The face that a focus result becomes."""

# Limits on a side's changes to a pool: range 0, and effects that forbid or limit
# (rules page, The attack, step 1; X-Wing cards, section 3: ``forbid``, ``at most``)


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """Limits on a side's changes to one pool. ``modify``: anything but canceling. ``rerolls`` and ``focus``: maximum
    rerolled dice and modified focus results, None for any. ``barred``: tokens it may not spend there. ``only``: the
    only card that may act, "" for none; None for all.
    """

    modify: bool = True
    rerolls: int | None = None
    focus: int | None = None
    barred: frozenset[str] = frozenset()
    only: str | None = None

    def lets_act(self, effect: DiceEffect) -> bool:
        """Whether a modifying effect may act, even by a friend's barred token."""
        barred = any(costs.token_of(name) in self.barred for name, _ in effect.cost)
        return self.modify and self.only in (None, effect.by or None) and not barred


FREE: Final = PoolLimits()


def limits(
    declared: Declared, side: Side, pool: Pool, attack: LineUp | None = None, defense: LineUp | None = None
) -> PoolLimits:
    """Return a side's limits on a pool; ``attack`` and ``defense``: the current line-ups, if changed."""
    attack, defense = attack or declared.attack, defense or declared.line(Side.DEFENDER)
    limits, scene = FREE, AttackContext(attack, defense)
    if not may_modify(declared, side):  # only with a token that a card allows
        allowed = {item.what.token for item in attack.effects if isinstance(item.what, MaySpend)}
        barred = frozenset(set(SPENT[side]) - allowed)
        limits = PoolLimits(rerolls=0, barred=barred, only="") if allowed else PoolLimits(modify=False)
    for effect in (*attack.effects, *defense.effects):
        is_on = effect.verb in ("forbid", "allow") and effect.pool is pool and not effect.ask
        if is_on and all_hold(effect.given, scene):
            limits = restrict(limits, effect, is_owner=OWN_POOL[side] is pool, side=side)
    return limits


def restrict(limits: PoolLimits, effect: DiceEffect, *, is_owner: bool, side: Side) -> PoolLimits:
    """Add one effect to the limits. A non-owner has only the limits that apply to everyone."""
    match effect.what:
        case ForbiddenDice.MODIFY:
            return PoolLimits(modify=False)
        case ForbiddenDice.REROLL:
            return replace(limits, rerolls=0)
        case ForbiddenDice.REROLLED:
            return replace(limits, rerolls=lower_limit(limits.rerolls, effect.most)) if is_owner else limits
        case ForbiddenDice.GREEN_TOKENS:
            return replace(limits, barred=limits.barred | set(GREEN))
        case AToken(name) if effect.verb == "forbid":
            return replace(limits, barred=limits.barred | {name})
        case AToken():
            return replace(limits, focus=lower_limit(limits.focus, effect.most)) if is_owner else limits
        case AllBut(name):
            return restrict_to(limits, name, effect.by, is_owner=is_owner, side=side)
        case _:
            return limits


def lower_limit(before: int | None, most: int) -> int:
    return most if before is None else min(before, most)


def restrict_to(limits: PoolLimits, allowed: str, card: str, *, is_owner: bool, side: Side) -> PoolLimits:
    """Limit acting to one token, or to the named card, "": then nothing of its owner's enemy."""
    if not is_owner:
        return limits if allowed else PoolLimits(modify=False)
    barred = limits.barred | {name for name in SPENT[side] if name != allowed}
    free = allowed in TOKENS and TOKENS[allowed].rerolls
    return replace(limits, rerolls=limits.rerolls if free else 0, barred=barred, only="" if allowed else card)


# Offers and their results


class DiceAct(Act, ABC):
    """An act of a token or a card on the dice of a window."""

    @property
    def means(self) -> "DiceAct":
        """Return the same act without its selection of dice."""
        return self

    @abstractmethod
    def apply(self, window: "PoolWindow", choice: Choice, rng: Rng) -> tuple[LineUp, Dice]:
        """Return the remaining line-up and the dice."""


class UseToken(DiceAct):
    token: str

    forms = ("{token}",)
    places: ClassVar[Mapping[str, FormPlace]] = {"token": FormPlace("|".join(FELT))}

    def apply(self, window: "PoolWindow", choice: Choice, rng: Rng) -> tuple[LineUp, Dice]:
        side, pool, dice = window.side, window.pool, window.dice
        token, left_over = TOKENS[self.token], window.line_up.without_tokens(self.token)
        if token.rerolls:
            kept = tuple(effect for effect in left_over.effects if INSTEAD_OF_LOCK not in effect.given)
            by = term(self.token)
            return replace(left_over, effects=kept), reroll_dice(dice, choice, pool, by, side, len(dice), rng)
        result = window.modifiable_places(places_showing(dice, token.turns))
        return left_over, turn(dice, result if token.turns_all else result[:1], SUCCESS[pool], term(self.token))


class UseEffect(DiceAct):
    """Uses a card's effect once, by index; ``face``: the die's; ``fresh``: it may still be rerolled."""

    at: int
    face: Face | None = None
    fresh: bool = False

    forms = ("effect-{at}", "effect-{at}-{face}", "effect-{at}-{fresh}", "effect-{at}-{face}-{fresh}")
    places: ClassVar[Mapping[str, FormPlace]] = {
        "fresh": FormPlace("fresh", bool, lambda _: "fresh"),
    }

    @property
    def means(self) -> DiceAct:
        return UseEffect(self.at)

    def apply(self, window: "PoolWindow", choice: Choice, rng: Rng) -> tuple[LineUp, Dice]:
        side, pool = window.side, window.pool
        effect = window.line_up.effects[self.at]
        card = effect.name or BY_CARD[side]
        line_up, dice = pay_cost(use_effect(window.line_up, self.at), effect, window.dice, card)
        besides = effect.with_dice(line_up.effects)
        line_up = replace(line_up, effects=tuple(item for item in line_up.effects if item not in besides))
        if effect.pays:  # once for all effects of a row
            line_up = line_up.with_row(effect.group, lambda item: replace(item, pays=()))
        if effect.verb == "reroll":
            return line_up, reroll_dice(dice, choice, pool, card, side, effect.most, rng)
        if isinstance(effect.what, AToken):
            return line_up.with_tokens({effect.what.name: line_up.has(effect.what.name) + 1}), dice
        if effect.verb == "add":
            count = effect.most if effect.cost else 1
            return line_up, (*dice, *[Rolled(pool.value, (DieStep("added", face_of(effect), card),))] * count)
        places_shown = places_showing(dice, effect.faces if self.face is None else (self.face,))
        result = places_shown[-1:] if self.fresh else places_shown[:1]
        if takes_all(effect):
            result = window.modifiable_places(places_shown)
        if effect.verb == "change":
            return line_up, turn(dice, result, face_of(effect), card)
        return line_up, turn(dice, result, None, card, "spent" if effect.verb == "spend" else "cancelled")


class SayCount(Act):
    """States the number that an effect's card asks for."""

    at: int

    forms = ("many-{at}",)

    @property
    def means(self) -> DiceAct:
        return UseEffect(self.at)


class UseRow(Act):
    """Uses a row outside the windows on dice, by the place of its first effect."""

    at: int

    forms = ("row-{at}",)


USES: Final = value_reader(UseEffect, UseRow, SayCount, UseToken)


def offers(window: "PoolWindow", owner_may_reroll: bool = False, by_hand: bool = False) -> tuple[Offer, ...]:
    """Return tokens first (own dice only), then card effects, without useless ones.

    A side that may not modify dice may still cancel them. ``owner_may_reroll``: the owner may reroll some of the dice
    next, so equal dice differ. ``by_hand``: dice on camera, so players type the faces of rerolls.
    """
    own = token_offers(window) if OWN_POOL[window.side] is window.pool and window.limits.modify else []
    result = [*own, *effect_offers(window, owner_may_reroll)]
    return tuple(as_physical_reroll(offer, window.pool) if by_hand else offer for offer in result)


def roll_new_dice(pool: Pool, count: int, rng: Rng, fixed: Face | None = None) -> Dice:
    """Roll a pool (all ``fixed``, if given), hits first, blanks last; then each die keeps its place."""
    dice = roll(pool.value, pool.faces if fixed is None else (fixed,), count, rng)
    return tuple(sorted(dice, key=lambda die: PLACES[die.trail[0].face]))


PLACES: Final[Mapping[str | int, int]] = {face: place for place, face in enumerate(Face)}
MAX_LISTS: Final = 3
"""Maximum dice lists on one message, a row each of five. Others ask in a form."""


def limit_lists(result: Iterable[Offer], most: int = MAX_LISTS) -> list[Offer]:
    """Convert lists to forms until they fit a message."""
    result = list(result)
    lists = [offer for offer in result if offer.options][most:]
    return [replace(item, asks=Fill((which_dice(item),))) if item in lists else item for item in result]


def which_dice(offer: Offer) -> Field:
    return Field(physical_dice.DICE, WHICH_DICE, Code(offer.options[0].value), options=offer.options, several=True)


WHICH_DICE: Final = Text("Dice to reroll")


@dataclass(frozen=True, slots=True)
class PoolWindow:
    """A window on a pool's dice from the acting side's view; ``lines``: both sides' line-ups."""

    side: Side
    line_up: LineUp
    pool: Pool
    dice: Dice
    limits: PoolLimits
    lines: Mapping[Side, LineUp]

    @property
    def rerolls(self) -> int:
        most = self.limits.rerolls
        return EACH if most is None else max(0, most - sum(die.was_rerolled for die in self.dice))

    @property
    def focus(self) -> int:
        """Number of focus results that may still be modified."""
        if self.limits.focus is None:
            return EACH
        return max(0, self.limits.focus - sum(map(was_focus, self.dice)))

    def modifiable_places(self, result: list[int]) -> list[int]:
        focus = [at for at in result if self.dice[at].face == Face.FOCUS]
        return [at for at in result if at not in focus[self.focus :]]

    def is_usable(self, effect: DiceEffect) -> bool:
        """Whether an effect is usable now: window, conditions, and cost."""
        if effect.pool is not self.pool or effect.when or effect.verb not in ACTING:
            return False
        if effect.verb != "cancel" and not self.limits.lets_act(effect):
            return False
        if isinstance(effect.what, AToken) and self.line_up.has(effect.what.name) >= TOKENS[effect.what.name].most:
            return False  # a token still to be gained
        if not can_pay(effect, self.line_up, self.dice):
            return False
        return not effect.given or all_hold(effect.given, self.attack_context)

    @property
    def attack_context(self) -> InWindow:
        """The context for conditions of effects now."""
        shown = [die.face for die in self.dice if die.counts]
        both = self.lines[Side.ATTACKER], self.lines[Side.DEFENDER]
        return InWindow(*both, dice=len(shown), blanks=shown.count(Face.BLANK))


def can_pay(effect: DiceEffect, line_up: LineUp, dice: Dice) -> bool:
    """Whether an effect's cost can be paid from the line-up, or the side's own results."""
    return all(
        (len(places_showing(dice, (what.face,))) if isinstance(what, costs.SpentResult) else line_up.has(what)) >= count
        for what, count in effect.cost
    )


def was_focus(die: Rolled) -> bool:
    steps = pairwise(die.trail)
    return any(step.face == Face.FOCUS and then.how in ("changed", "rerolled") for step, then in steps)


ACTING: Final[tuple[Verb, ...]] = ("reroll", "add", "change", "cancel", "spend", "gain")


def as_physical_reroll(offer: Offer, pool: Pool) -> Offer:
    """Turn a reroll offer into a form for physical dice: which dice, and their new faces. A few dice have a field each;
    more have two for all. Other offers are unchanged, and so is one whose card asks for a number first.
    """
    match offer.asks:
        case Pick(options, most=most) if len(options) <= MAX_FIELDS:
            fields = tuple(field_of(option, most > at, pool) for at, option in enumerate(options))
        case Pick():
            shown = physical_dice.faces_field(pool, 1, Text("The new results, in the same order"))
            fields = (which_dice(offer), shown)
        case Fill(fields, title):
            return replace(offer, asks=Fill(fields[:1], title))
        case _:
            return offer
    return replace(offer, asks=Fill(fields))


def field_of(option: Option, may_too: bool, pool: Pool) -> Field:
    """Return the field for a die's new face or "Not rerolled"; ``may_too``: not the first die that may be rerolled."""
    shown = tuple(Option(face, Text("Now {face}", face=face)) for face in pool.results)
    example = shown[0].value if may_too else STAYS.value
    key, options = f"{physical_dice.DIE}{option.value}", (STAYS, *shown)
    return Field(key, option.label, Code(example), required=False, value=STAYS.value, options=options)


def has_reroll(side: Side, line_up: LineUp) -> bool:
    tokens = any(token.rerolls for token, _ in line_up.tokens(side))
    return tokens or any(effect.verb == "reroll" and effect.pool is OWN_POOL[side] for effect in line_up.effects)


def token_offers(window: PoolWindow) -> list[Offer]:
    """Return a button or list for each useful token; rerolls first."""
    side, line_up, pool, dice = window.side, window.line_up, window.pool, window.dice
    barred = {*window.limits.barred, *line_up.none}
    held = [(token, count) for token, count in line_up.tokens(side) if token.name not in barred]
    result = []
    for token, _ in held:
        if token.rerolls and window.rerolls and (options := rerollable_options(dice, pool.results, window.focus)):
            label = Text("{token}: reroll", token=term(token.name.capitalize()))
            most = min(len(options), window.rerolls)
            result.append(Offer(UseToken(token.name), side, label, Pick(options, most=most)))
    for token, count in held:
        if turned := window.modifiable_places(places_showing(dice, token.turns)):
            label = turn_to_text(token, pool, dice, turned, count)
            result.append(Offer(UseToken(token.name), side, label, shows=(pool, SUCCESS[pool])))
    return result


def turn_to_text(token: Token, pool: Pool, dice: Dice, turned: list[int], held: int) -> Text:
    """Describe a token's change to dice: ``Focus: 2 to hits``, ``Calculate: 1 focus to hit (2 left)``."""
    good, name = SUCCESS[pool], term(token.name.capitalize())
    if token.turns_all:
        results = good if len(turned) == 1 else term(NOUNS[good].many)
        return Text("{token}: {count} to {results}", token=name, count=len(turned), results=results)
    face = term(str(dice[turned[0]].face))
    return with_count_left(Text("{token}: 1 {face} to {result}", token=name, face=face, result=good), held)


def effect_offers(window: PoolWindow, owner_may_reroll: bool) -> list[Offer]:
    """Return an offer for each usable effect and face, fresh and rerolled if that matters."""
    line_up = window.line_up
    uses, result = [one_use(effect) for effect in line_up.effects], list[Offer]()
    for index, effect in enumerate(line_up.effects):
        if uses[index] in uses[:index] or not window.is_usable(effect):
            continue
        act = UseEffect(index)
        held = sum(other.most for other, use in zip(line_up.effects, uses, strict=True) if use == uses[index])
        if effect.up_to:
            lists = reroll_offers(window, effect.with_count(effect.up_to), act)
            result += [asks_how_many(effect, line_up, index, window.side, offer.options) for offer in lists]
        elif effect.verb == "reroll":
            result += reroll_offers(window, effect, act)
        elif effect.verb == "add":
            label = with_count_left(to_text(effect, None, line_up), held)
            result.append(Offer(act, window.side, label, shows=(window.pool, face_of(effect))))
        elif effect.verb == "gain":
            result.append(Offer(act, window.side, Text("{card}: it's yours", card=button_prefix(effect, line_up))))
        else:
            result += face_offers(window, effect, act, held, owner_may_reroll=owner_may_reroll)
    return result


HOW_MANY: Final = "how-many"
"""The form field for a number."""


def asks_how_many(effect: DiceEffect, line: LineUp, at: int, side: Side, dice: tuple[Option, ...] = ()) -> Offer:
    """Return a press that asks for a number, and for the dice to reroll, if not offered afterwards."""
    card, question = Name(effect.name) or Text("Card"), effect.ask
    options = tuple(Option(str(number), texts.Numeral(str(number))) for number in range(effect.up_to + 1))
    fields = [Field(HOW_MANY, Text("How many?"), Code(options[1].value), options=options, detail=question)]
    fields += [Field(physical_dice.DICE, WHICH_DICE, required=False, options=dice, several=True)] if dice else []
    label = labeled(button_prefix(replace(effect, ask=EMPTY), line), question)
    return Offer(SayCount(at), side, label, Fill(tuple(fields), card))


def face_offers(
    window: PoolWindow, effect: DiceEffect, act: UseEffect, held: int, *, owner_may_reroll: bool
) -> Iterator[Offer]:
    side, line_up, dice = window.side, window.line_up, window.dice
    for face in effect.faces:
        places = places_showing(dice, (face,))
        if not places or (face is Face.FOCUS and effect.verb == "change" and not window.focus):
            continue
        of = act if len(effect.faces) == 1 else replace(act, face=face)
        label, shows = with_count_left(to_text(effect, face, line_up), held), (window.pool, effect.to or face)
        if takes_all(effect):
            parts = {"card": button_prefix(effect, line_up), "count": len(places), "face": face, "result": effect.to}
            label = Text("{card}: {count} {face} to {result}", **parts)
        rerolled = {dice[at].was_rerolled for at in places}
        if len(rerolled) == 2 and (owner_may_reroll or opens_reroll(line_up, effect)):
            not_yet = Text("{label}, on a die not yet rerolled", label=label)
            yield Offer(of, side, Text("{label}, on a rerolled die", label=label), shows=shows)
            yield Offer(replace(of, fresh=True), side, not_yet, shows=shows)
        else:
            yield Offer(of, side, label, shows=shows)


def reroll_offers(window: PoolWindow, effect: DiceEffect, act: UseEffect) -> list[Offer]:
    """Return a card's list of rerollable dice; [] without a choice."""
    options = rerollable_options(window.dice, effect.faces or window.pool.results, window.focus)
    prices = [window.line_up.has(what) // count for what, count in effect.cost] if effect.each else []
    most = min(effect.most, len(options), window.rerolls, *prices)
    if not most:
        return []
    label, detail = reroll_to_text(effect, most, window.line_up)
    if detail:
        options = tuple(replace(option, detail=Sentences([option.detail, detail], "; ")) for option in options)
    return [Offer(act, window.side, label, Pick(options, most if effect.exactly else 1, most))]


def with_price(window: PoolWindow, act: DiceAct, choice: Choice) -> PoolWindow:
    """Return the window in which an effect has the price of the selected dice."""
    effects = list(window.line_up.effects)
    if not (isinstance(act, UseEffect) and effects[act.at].each):
        return window
    shown = choice.filled or {}
    if shown and physical_dice.DICE not in shown:
        count = len(faces_after(shown, window.pool, len(window.dice)))
    else:
        count = len(choice.picked or shown.get(physical_dice.DICE, "").split(", "))
    effects[act.at] = effects[act.at].for_dice(count)
    return replace(window, line_up=replace(window.line_up, effects=tuple(effects)))


def button_prefix(effect: DiceEffect, line: LineUp) -> Shown:
    """Return the start of a button label: card, claim, cost, and consequence."""
    paid = [(what, count) for what, count in effect.cost if not isinstance(what, costs.OneUse)]
    besides = (die.what.label() for die in effect.with_dice(line.effects) if isinstance(die.what, Consequence))
    message = N_("for {costs} each") if effect.each else N_("for {costs}")
    cost = Text(message, costs=costs.cost_text(paid)) if paid else EMPTY
    said = Sentences([effect.ask, cost, *besides, term(effect.reminds)], "; ")
    card = effect.name or Text("Card")
    return bracketed(card, said) if said else card


def without_claim(label: Shown) -> tuple[Shown, Shown]:
    """Split a button label into its text and its claim and cost, "" without."""
    places = label.places if isinstance(label, Text) else {}
    if places.keys() == {"what", "more"}:
        return places["what"], places["more"]
    for name in ("card", "label"):
        inner, said = without_claim(places[name]) if name in places else (EMPTY, EMPTY)
        if said and isinstance(label, Text):
            return Text(label.message, **{**places, name: inner}), said
    return label, EMPTY


def takes_all(effect: DiceEffect) -> bool:
    """Whether one use of a change takes all results of a face."""
    return effect.verb == "change" and effect.most >= EACH


def opens_reroll(line_up: LineUp, effect: DiceEffect) -> bool:
    """Whether a changed die may then be rerolled by another effect of the same side."""
    rerolls = (item for item in line_up.effects if item.verb == "reroll" and item.pool is effect.pool)
    opens = any(effect.to in item.faces and not set(effect.faces) <= set(item.faces) for item in rerolls)
    return effect.verb == "change" and opens


def one_use(effect: DiceEffect) -> DiceEffect:
    """Return the part used by one choice: a whole reroll, a paid effect once, any other one result at a time."""
    return effect if effect.verb == "reroll" else replace(effect, most=1, cost=(), pays=(), reminds="")


def to_text(effect: DiceEffect, face: Face | None, line: LineUp) -> Text:
    """Describe one use of an effect, as on a button."""
    count = effect.most if effect.cost else 1
    results = NOUNS[effect.to].of(count) if effect.to is not None else EMPTY
    places = {"count": count, "face": face, "result": effect.to, "results": results}
    return Text(SAID[effect.verb]["says"], card=button_prefix(effect, line), **places)


SAID: Final[Mapping[str, Mapping[str, Message]]] = {
    item["verb"]: item for item in table("xwing/tables/verbs.json", dict)
}
"""Labels of effects: ``says`` in a dice window, ``does`` in a step without one."""


def reroll_to_text(effect: DiceEffect, most: int, line: LineUp) -> tuple[Text, Shown]:
    """Return what a list says while it is closed, short enough for a phone, and what else each die says below it."""
    if effect.exactly:
        message = N_("{card}: reroll exactly {most} dice") if most > 1 else N_("{card}: reroll exactly 1 die")
    else:
        message = N_("{card}: reroll up to {most} dice") if most > 1 else N_("{card}: reroll 1 die")
    card, claim = without_claim(button_prefix(effect, line))
    stays = Text("requires your lock, which stays") if INSTEAD_OF_LOCK in effect.given else EMPTY
    label = Text(message, card=card, most=most)
    if 0 < len(english(claim)) <= MAX_CLAIM:
        return bracketed(label, claim), stays
    return label, Sentences([claim, stays], "; ")


MAX_CLAIM: Final = 32
"""Maximum characters of a claim on a closed list; every option below has a longer one."""


def with_count_left(label: Text, count: int) -> Text:
    """Add the number left to a label, if above one."""
    return Text("{label} ({count} left)", label=label, count=count) if count > 1 else label


def rerollable_options(dice: Dice, faces: tuple[Face, ...], focus: int = EACH) -> tuple[Option, ...]:
    """Return the rerollable dice (each once per attack, for all cards) with these faces."""
    fresh = [at for at, die in enumerate(dice) if die.counts and not die.was_rerolled and die.face in faces]
    shown = [at for at in fresh if dice[at].face == Face.FOCUS]
    free = [(at, dice[at]) for at in fresh if at not in shown[focus:]]
    return tuple(die_option(at, die.kind, str(die.face), added=die.trail[0].how == "added") for at, die in free)


@cache
def die_option(index: int, kind: str, face: str, *, added: bool) -> Option:
    """Return a die to select, cached since there are few."""
    label = Text("Die {index}: {face}", index=index + 1, face=Face(face))
    return Option(str(index), label, Text("added") if added else EMPTY, shows=(kind, face))


def places_showing(dice: Dice, faces: tuple[Face, ...]) -> list[int]:
    """Return places of dice with ``faces`` in order, rerolled first, to keep rerollable ones."""
    places = [index for index, die in enumerate(dice) if die.counts and die.face in faces]
    return sorted(places, key=lambda index: (faces.index(cast("Face", dice[index].face)), not dice[index].was_rerolled))


def pay_cost(line_up: LineUp, effect: DiceEffect, dice: Dice, card: Shown) -> tuple[LineUp, Dice]:
    for what, count in effect.cost:
        if isinstance(what, costs.SpentResult):
            dice = turn(dice, places_showing(dice, (what.face,))[:count], None, card, "spent")
        else:
            line_up = line_up.without_tokens(what, count)
    if INSTEAD_OF_LOCK in effect.given:
        line_up = replace(line_up, none=(*line_up.none, "lock"))
    return line_up, dice


BY_CARD: Final = {Side.ATTACKER: Text("attacker's card"), Side.DEFENDER: Text("defender's card")}
"""The cause in a trail if the card is unknown."""


def causes(pool: Pool, before: Dice, after: Dice) -> tuple[Cause, ...]:
    """Return the causes of the newest steps in a pool; trails alone don't show which die was changed first."""
    changed = [die for at, die in enumerate(after) if die not in before[at : at + 1]]
    newest = [[step for step in die.trail if step.how != "entered"][-1] for die in changed]
    return tuple(dict.fromkeys((pool, step.how, step.by) for step in newest))


def reroll_dice(dice: Dice, choice: Choice, pool: Pool, by: Shown, side: Side, most: int, rng: Rng) -> Dice:
    """Reroll dice, or enter the faces typed on camera. Raises ``BadInputError`` for wrong numbers of dice."""
    if not choice.filled:
        return throw(dice, [int(value) for value in choice.picked], pool, by, rng)
    if set(choice.filled) == {physical_dice.DICE}:
        chosen = [int(value) for value in choice.filled[physical_dice.DICE].split(", ")]
        if len(chosen) > most:
            raise BadInputError(WHICH_DICE, texts.Count(len(chosen), "die", "dice"), WholeNumber(1, most))
        return throw(dice, chosen, pool, by, rng)
    typed = faces_after(choice.filled, pool, len(dice))
    if not 1 <= len(typed) <= most:
        raise BadInputError(physical_dice.DICE, Text("{count} dice", count=len(typed)), WholeNumber(1, most))
    after = list(dice)
    for at, face in typed.items():
        after[at] = after[at].after_step("rerolled", by, face).after_step("entered", Name(side.value), face)
    return tuple(after)


def faces_after(filled: Mapping[str, str], pool: Pool, count: int) -> dict[int, Face]:
    """Return the new faces of physical rerolls among ``count`` dice, by place, without unchanged dice."""
    if physical_dice.DICE not in filled:
        shown = {at: filled.get(f"{physical_dice.DIE}{at}", "") for at in range(count)}
        return {at: Face(face) for at, face in shown.items() if face not in ("", STAYS.value)}
    chosen = sorted(int(value) for value in filled[physical_dice.DICE].split(", "))
    return dict(zip(chosen, physical_dice.read_faces(filled[physical_dice.FACES], pool, len(chosen)), strict=True))


def use_effect(line_up: LineUp, index: int) -> LineUp:
    effect = line_up.effects[index]
    rest_most = 0 if effect.verb == "add" and effect.cost else effect.most - one_use(effect).most
    rest_most = 0 if takes_all(effect) and len(effect.faces) == 1 else rest_most
    rest = (replace(effect, most=rest_most, cost=(), pays=(), reminds=""),) if rest_most > 0 else ()
    return replace(line_up, effects=(*line_up.effects[:index], *rest, *line_up.effects[index + 1 :]))


def face_of(effect: DiceEffect) -> Face:
    return cast("Face", effect.to)  # verbs that show a result always have one


def throw(dice: Dice, chosen: list[int], pool: Pool, by: Shown, rng: Rng) -> Dice:
    return tuple(reroll(die, pool.faces, by, rng) if at in chosen else die for at, die in enumerate(dice))


def change_dice(dice: Dice, effect: DiceEffect, by: Shown) -> Dice:
    """Apply a mandatory change, to as many dice as allowed."""
    return turn(dice, places_showing(dice, effect.faces)[: effect.most], face_of(effect), by)


def turn(dice: Dice, chosen: list[int], face: Face | None, by: Shown, how: How = "changed") -> Dice:
    return tuple(die.after_step(how, by, face) if at in chosen else die for at, die in enumerate(dice))
