"""An Infinity roll from declaration to Saving Rolls (rules page, Face to Face Roll and Saving Rolls). An opened Face to
Face offers the other side an answer; dice are rolled after it.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from bot.rules import game
from bot.rules.dice import Rng, Rolled, enter_physical_dice, reroll, roll
from bot.rules.game import Act, ButtonRank, Choice, Eligible, Field, Offer, OpenTo, PlainAct, Side, form_or_press
from bot.rules.infinity.dice import resolve, saves
from bot.rules.infinity.dice.resolve import ComparedDice, Comparison, ScoredDie, Winner
from bot.rules.infinity.dice.saves import FACES, Guts, RolledSaves, SaveOutcome, conditions
from bot.rules.infinity.orders import forms, open_order, typed_orders
from bot.rules.infinity.orders.order import Challenge, Declared, OpenOrder, challenge, with_answer
from bot.rules.infinity.troopers import declared as declarations, limits, skills
from bot.rules.infinity.troopers.declared import CRITICAL, Action, Order, Save, TargetProfile, TrooperRoll, Weapon
from bot.rules.infinity.troopers.messages import TOLD
from bot.rules.infinity.troopers.trooper import Roster
from bot.rules.infinity.troopers.weapon import number_within
from bot.rules.infinity.turn.player_turn import OrderPayment, PlayerTurn
from bot.rules.text import N_, Code, Message, Shown, Text

ANYWAY: Final = re.compile(r"\banyway\b", re.IGNORECASE)
SaveWay = Literal["save", "hand", "mods"]
"""Ways to make a save: as known, with physical dice, or with another weapon or MODs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A declaration and its results: each roll's dice, then Saving Rolls and Guts Rolls so far.

    Discarded dice of special dice are included; the faces tell which. ``turn``: the turn after the order was ``paid``;
    None without one. ``opened``: the order with AROs declared before its dice; ``late``: a late ARO awaiting the active
    side; ``allowed``: troopers of allowed ones. ``parted``: those who left their Fireteams. ``tokens``: spent on
    rerolls of a Doctor or Engineer; ``left``: no more.
    """

    declared: Declared
    dice: tuple[tuple[Rolled, ...], ...] = ()
    saves: tuple[RolledSaves, ...] = ()
    guts: tuple[Guts, ...] = ()
    withdrawn: bool = False
    turn: PlayerTurn | None = None
    paid: OrderPayment | None = None
    opened: OpenOrder | None = None
    late: str = ""
    allowed: tuple[str, ...] = ()
    parted: tuple[str, ...] = ()
    tokens: int = 0
    left: bool = False

    @property
    def order(self) -> Order | None:
        """Return the rolled order with its current dice; None before, and for Saving Rolls alone."""
        order = self.declared
        if not isinstance(order, Order) or order.awaits or order.doubt:
            return None
        is_same = not any(item.reroll for item in order.rolls)
        return order if is_same else replace(order, rolls=tuple(map(as_it_lies, order.rolls, self.dice)))


def as_it_lies(roll: TrooperRoll, dice: tuple[Rolled, ...]) -> TrooperRoll:
    """Return a roll with its last dice; a reroll by its skill has that MOD."""
    is_again = roll.reroll is not None and len(dice) == 1 and len(dice[0].trail) == 2
    return replace(roll, mods=(*roll.mods, roll.reroll)) if roll.reroll and is_again else roll


def dice_count(declared: Declared) -> int:
    if isinstance(declared, Save):
        return len(saves.list_saves(declared))
    return sum(item.dice_count for item in open_order.so_far(declared).rolls)


def start(declared: Declared, rng: Rng) -> State:
    """Roll the order's dice, or the Saving Rolls. None are rolled before the other side has answered; physical dice are
    entered at once.
    """
    if isinstance(declared, OpenOrder) or declared.doubt:
        return State(declared=declared)
    if isinstance(declared, Save):
        return State(declared=declared, saves=(saves.roll_saves(declared, rng, Side.ATTACKER),))
    if declared.awaits:
        lying = tuple(
            enter_physical_dice("d20", item.dice, Side.ATTACKER) for item in declared.rolls if item.dice is not None
        )
        return State(declared=declared, dice=lying)
    return State(declared=declared, dice=tuple(throw(item, rng, Side.ATTACKER) for item in declared.rolls))


def rolled(state: State) -> tuple[Rolled, ...]:
    later = (*(saved.dice for saved in state.saves), *(guts.dice for guts in state.guts))
    return tuple(die for dice in (*state.dice, *later) for die in dice)


def count_forced(state: State) -> int:
    """Count rolls that states forbid and a GM must allow; in an open order, lines that need it."""
    if isinstance(state.declared, OpenOrder):
        return sum(bool(ANYWAY.search(line)) for line in state.declared.lines)
    return sum(item.anyway for item in state.declared.rolls)


def throw(item: TrooperRoll, rng: Rng, by: Side) -> tuple[Rolled, ...]:
    """The dice of one roll, or those that ``by`` has typed; none at a Success Value below 1."""
    if item.dice is not None:
        dice = enter_physical_dice("d20", item.dice, by)
    else:
        dice = roll("d20", FACES, item.dice_count, rng, f"{item.side} {item.name}".strip())
    if item.reroll is None or len(dice) != 1 or int(dice[0].face) <= item.sv:
        return dice
    return (reroll(dice[0], FACES, item.reroll.what, rng),)


def rerollable(state: State) -> int | None:
    """Return the failed roll that a Command Token may reroll: a Doctor's on a Cube, an Engineer's on a Remote."""
    order, turn = state.order, state.turn
    if order is None or turn is None or state.left or not turn.tokens_of(turn.active) or (turn.capped and turn.used):
        return None
    for meeting, came in zip(order.meetings, results(state), strict=True):
        roll = order.rolls[meeting.a]
        has_failed = came.winner == "nobody" and meeting.b is None and roll.side is Side.ATTACKER
        held = meeting.profile.skills if has_failed and meeting.profile is not None else ()
        if any(skill.name in REROLLED.get(roll.action, ()) for skill in skills.parse_all(held)):
            return meeting.a
    return None


REROLLED: Final[Mapping[Action, tuple[str, ...]]] = {Action.DOCTOR: saves.CUBES, Action.ENGINEER: ("Remote Presence",)}
"""Targets of a failed roll that a Command Token rerolls."""


def with_token(state: State, _: Choice, rng: Rng) -> State:
    """Reroll the failed roll at the plain Success Value."""
    place = rerollable(state)
    again = [(reroll(dice[0], FACES, TOKEN.label, rng),) if at == place else dice for at, dice in enumerate(state.dice)]
    return replace(state, dice=tuple(again), tokens=state.tokens + 1)


TOKEN: Final = Offer(PlainAct("token", with_token), Side.ATTACKER, Text("Reroll with a Command Token"))
KEEP: Final = Offer(
    PlainAct("keep", lambda state, *_: replace(state, left=True)), Side.ATTACKER, Text("Keep the failed roll")
)


def roll_anyway(state: State, _: Choice, rng: Rng) -> State:
    declared = state.declared
    assert not isinstance(declared, Save), "nobody doubts one"  # noqa: S101 - states how this is called
    return replace(start(replace(declared, doubt=None), rng), turn=state.turn)


ANYWAY_OFFER: Final = Offer(
    PlainAct("anyway", roll_anyway), Eligible(Side.ATTACKER, OpenTo.ANYBODY), Text("Roll out of order")
)
AGAIN: Final = Offer(
    PlainAct("again", lambda state, _, rng: start(as_opened(state.declared), rng)),
    Side.ATTACKER,
    Text("Again"),
    then=game.AfterOffer.REOPENS,
    rank=ButtonRank.LAST,
)


def is_open(state: State) -> bool:
    """Whether the other side must still answer, or AROs can be added."""
    return (state.declared.awaits or state.declared.doubt is not None) and not state.withdrawn


def results(state: State) -> tuple[Comparison, ...]:
    """Return each meeting's result; () before the dice, and for Saving Rolls alone."""
    order = state.order
    if order is None:
        return ()
    fallen = zip(order.rolls, state.dice, strict=True)
    faces = ((item, [int(die.face) for die in fell]) for item, fell in fallen)
    dice = [resolve.read(shown, item.sv, order.edition, item.special) for item, shown in faces]
    return tuple(result(order, meeting, dice) for meeting in order.meetings)


def result(order: Order, meeting: declarations.Meeting, dice: list[tuple[ScoredDie, ...]]) -> Comparison:
    """Return one meeting's result; a Direct Template may be on either side of a Dodge."""
    a, b = order.rolls[meeting.a], None if meeting.b is None else order.rolls[meeting.b]
    dice = [resolve.as_plain(item) if place == meeting.plain else item for place, item in enumerate(dice)]
    if a.action is Action.DIRECT:
        evades_to = b.evades_to if b is not None and a.is_deployed else CRITICAL
        return resolve.direct(a.burst, None if meeting.b is None else dice[meeting.b], evades_to)
    if b is not None and meeting.b is not None and b.action is Action.DIRECT:
        turned = resolve.direct(b.burst, dice[meeting.a], a.evades_to if b.is_deployed else CRITICAL)
        return Comparison(turned.b or turned.a, turned.a)
    if meeting.b is None:
        return resolve.normal(dice[meeting.a])
    return resolve.face_to_face(dice[meeting.a], dice[meeting.b])


def landed_attacks(state: State) -> tuple[Save, ...]:
    found, order = [], state.order
    for at, came in enumerate(results(state)):
        stands = came.b if came.winner == "b" else came.a
        if order is not None and came.winner != "nobody" and stands is not None:
            hit = hit_by(order, at, came.winner)
            found += [replace(hit, hits=stands.hits, crits=stands.crits)] if hit else []
    return tuple(found)


def hit_by(order: Order, at: int, winner: Winner) -> Save | None:
    """Return the save of a meeting's loser, without hits; None if no attack won. Hacking and other skills hit only with
    a weapon.
    """
    meeting = order.meetings[at]
    enemy = None if meeting.b is None else order.rolls[meeting.b]
    attack, target = (order.rolls[meeting.a], enemy) if winner == "a" else (enemy, order.rolls[meeting.a])
    if attack is None or not attack.hits:
        return None
    if target is not None and target.is_screen and meeting.target:
        target = None  # smoke protected somebody else
    profile = (target.profile if target else meeting.profile) or TargetProfile()
    dodged = target is not None and target.action is Action.DODGE
    weapon, own = attack.weapon or Weapon(), attack.profile or TargetProfile()
    mods = saves.mods_of(weapon, own, profile, attack.action, dodged=dodged)
    cover = attack.cover and (
        order.edition == "n5" or not any(mod.kind is declarations.ModKind.NANOSCREEN for mod in mods)
    )
    name = target.name if target else meeting.target
    hit = Save(hits=0, weapon=weapon, profile=profile, mods=mods, cover=cover, edition=order.edition)
    side = attack.side if attack.aids else attack.side.other  # the treated trooper is a friend
    return replace(hit, name=name, by=attack.name, side=side, meeting=at)


def smoke_rolls(state: State) -> dict[int, bool]:
    """Return smoke rolls by place, and whether it stays: it must win all its meetings."""
    order, came = state.order, results(state)
    if order is None:
        return {}
    met = list(zip(order.meetings, came, strict=True))
    screens = [place for place, roll in enumerate(order.rolls) if roll.is_screen]
    won = [(meeting.places, meeting.winning_place(result.winner)) for meeting, result in met]
    return {place: all(winner == place for places, winner in won if place in places) for place in screens}


def offers(state: State) -> tuple[Offer, ...]:
    """Offer the answer or withdrawal of an open roll; afterwards Saving and Guts Rolls, and a repeat, unless a trooper
    of the channel has saved: its Wounds are applied.
    """
    if state.withdrawn:
        return ()
    if state.declared.doubt is not None:
        return (ANYWAY_OFFER, open_order.WITHDRAW)
    if isinstance(state.declared, OpenOrder):
        return open_order.offers(state.declared)
    if isinstance(state.declared, Challenge) and is_open(state):
        target = state.declared.target.trooper
        fields = forms.react_fields(target.name if target else "")
        return (Offer(ANSWER, Side.DEFENDER, Text("React"), form_or_press(fields)), open_order.WITHDRAW)
    said = (state.declared,) if isinstance(state.declared, Save) else state.declared.rolls
    rolled_here = any((*state.dice, *state.saves)) and not any(item.dice for item in said)
    harmed = any(saved.save.profile.kept for saved in state.saves)
    rerolls = (TOKEN, KEEP) * (rerollable(state) is not None)
    waiting = (*rerolls, *save_offers(state), *guts_offers(state))
    if state.turn is not None:  # a repeat is another order, which the turn pays
        return (*waiting, *late_offers(state))
    again = replace(AGAIN, rank=ButtonRank.ASIDE if waiting else ButtonRank.LAST)
    return (*waiting, again) if rolled_here and not harmed else waiting


def late_offers(state: State) -> tuple[Offer, ...]:
    """Offer the form of a forgotten ARO until somebody has saved, then the active side's answer."""
    opened = state.opened
    if opened is None or state.saves:
        return ()
    if state.late or len(opened.lines) >= typed_orders.MAX_LINES:
        return (ALLOW, REFUSE) if state.late else ()
    offer = open_order.aro_offer(opened, open_order.parsed(opened))
    return (
        replace(offer, act=COMES_LATE, label=Text("Late ARO…"), then=game.AfterOffer.OPTIONAL, rank=ButtonRank.ASIDE),
    )


def comes_late(state: State, choice: Choice, _: Rng) -> State:
    """Add an ARO with a valid line, pending the active side's answer."""
    assert state.opened is not None, "it was offered"  # noqa: S101 - states how this is called
    return replace(state, late=open_order.add_reaction(state.opened, choice).lines[-1])


def with_late(state: State, choice: Choice, rng: Rng) -> State:
    """Add a late ARO: roll its dice, and compare all anew."""
    assert state.opened is not None, "it was offered"  # noqa: S101 - the caller has looked
    opened = replace(state.opened, lines=(*state.opened.lines, state.late))
    order = open_order.close_order(opened)
    new = order.rolls[len(state.dice) :]
    dice = (*state.dice, *(throw(item, rng, choice.by) for item in new))
    allowed = (*state.allowed, *(item.name for item in new))
    return replace(state, declared=order, dice=dice, opened=opened, late="", allowed=allowed)


COMES_LATE: Final = PlainAct("late", comes_late)
ALLOW: Final = Offer(PlainAct("allow", with_late), Side.ATTACKER, Text("Allow the late ARO"))
REFUSE: Final = Offer(PlainAct("refuse", lambda state, *_: replace(state, late="")), Side.ATTACKER, Text("Decline"))


def save_offers(state: State) -> tuple[Offer, ...]:
    """Offer the saves against each hit, by a press, or a form if values are unknown. Two forms per trooper's next save
    follow: physical dice, and other circumstances.
    """
    everything = landed_attacks(state)
    hits = open_saves(state, everything)
    known = list(filter(is_known, hits))
    sides = dict.fromkeys(hit.side for hit in known) if state.turn is not None else ()
    at_once = {side: Offer(SaveAll(side), eligible_for_hits(state, side), SAVES_OF[side]) for side in sides}
    names = Counter(hit.name for hit in everything)
    presses = {
        hit.meeting: Offer(
            save_act(hit, everything),
            eligible_for_hits(state, hit.side, hit.profile.player),
            save_label(hit, is_one_of_many=names[hit.name] > 1),
            form_or_press(() if hit in known else forms.save_fields(hit)),
            rank=ButtonRank.ASIDE if hit in known and hit.side in at_once else ButtonRank.PLAIN,
        )
        for hit in hits
    }
    following = {(hit.side, hit.name): hit for hit in reversed(known)}.values()
    beside = (
        replace(
            presses[hit.meeting],
            act=save_act(hit, everything, way),
            label=Text(message, who=who_saves(hit)),
            asks=form_or_press(form(hit)),
            rank=ButtonRank.ASIDE,
            leave=game.RequiredSetting.BY_HAND if way == "hand" else None,
        )
        for way, message, form in OTHER_WAYS
        for hit in known
        if hit in following
    )
    return (*at_once.values(), *presses.values(), *beside)


OTHER_WAYS: Final[tuple[tuple[SaveWay, Message, Callable[[Save], tuple[Field, ...]]], ...]] = (
    ("hand", N_("Real dice: {who}"), forms.dice_of_save),
    ("mods", N_("Other weapon or MODs: {who}"), forms.save_fields),
)
"""Alternative forms of a save that one press could make."""


SAVES_OF: Final = {
    Side.ATTACKER: Text("Saves and Guts: active side"),
    Side.DEFENDER: Text("Saves and Guts: reactive side"),
}


class SaveAll(Act):
    """Every Saving Roll of a side that is known, and the Guts Rolls of those who stand, in one press."""

    side: Side

    forms = ("all-{side}",)

    def apply(self, state: State, choice: Choice, rng: Rng) -> State:
        for hit in [hit for hit in open_saves(state, landed_attacks(state)) if hit.side is self.side and is_known(hit)]:
            stood = (item.trooper.lost for item in conditions(state.saves) if item.trooper.name == hit.name)
            lost = next(stood, hit.profile.lost)
            now = replace(hit, profile=replace(hit.profile, lost=lost))
            state = replace(state, saves=(*state.saves, saves.roll_saves(now, rng, choice.by)))
        due = ((came, came.save.profile.wip) for came in due_guts(state).values() if came.save.side is self.side)
        rolled = (came.roll_guts(wip, rng) for came, wip in due if wip is not None)
        return replace(state, guts=(*state.guts, *rolled))


def open_saves(state: State, hits: tuple[Save, ...]) -> list[Save]:
    """Return landed attacks whose Saving Rolls are still to make."""
    done = {saved.save.meeting for saved in state.saves}
    found = [hit for hit in hits if hit.weapon.is_saved and saves.is_affected(hit) and hit.meeting not in done]
    return sorted(found, key=lambda hit: not hit.weapon.is_kit)  # treat a friend before it is hit


def is_known(hit: Save) -> bool:
    """Whether its Saving Rolls can be made: attribute known, not substituted."""
    return saves.is_known(hit) and not saves.is_substituted(hit)


def who_saves(hit: Save) -> Shown:
    """Return ``Angus against Murat's Combi``."""
    who = hit.name or Text("The target")
    return Text("{who} against {weapon}", who=who, weapon=attack_text(hit)) if attack_text(hit) else who


def eligible_for_hits(state: State, side: Side, player: int = 0) -> Eligible:
    return Eligible(side, OpenTo.ANYBODY if is_of_several(state, side) else OpenTo.FREE, player)


def is_of_several(state: State, side: Side) -> bool:
    """Whether several people play a side: the reactive one, if each added an ARO."""
    return isinstance(state.declared, Order) and state.declared.several and side is Side.DEFENDER


class MakeSave(Act):
    """The Saving Rolls against a meeting's hit, by place from 1; no place if there is only one."""

    way: SaveWay
    meeting: int | None = None

    forms = ("{way}", "{way}-{meeting}")

    def apply(self, state: State, choice: Choice, rng: Rng) -> State:
        hit = next(hit for hit in landed_attacks(state) if self.meeting in (None, hit.meeting + 1))
        if self.way == "hand":
            hit = forms.with_dice(hit, choice.filled or {})
        elif self.way == "mods" or not is_known(hit):
            hit = forms.read_save(choice.filled or {}, hit)
        return replace(state, saves=(*state.saves, saves.roll_saves(hit, rng, choice.by)))


def save_act(hit: Save, hits: tuple[Save, ...], way: SaveWay = "save") -> MakeSave:
    return MakeSave(way) if len(hits) == 1 else MakeSave(way, hit.meeting + 1)


def save_label(hit: Save, *, is_one_of_many: bool) -> Shown:
    """``Angus saves (2)`` for the Saving Rolls, or the hits as long as the weapon isn't known; of several attacks on
    one trooper ``Angus saves: Murat's Combi (2)``.
    """
    rolls = len(saves.list_saves(hit)) if is_known(hit) else 0  # also 0 for N3's Criticals
    hits = rolls or hit.hits + hit.crits
    if hit.weapon.is_kit:
        return Text("{who} rolls PH", who=hit.name) if hit.name else Text("PH Roll")
    if is_one_of_many and attack_text(hit):
        message = N_("{who} saves: {weapon} ({hits})") if hit.name else N_("Saving Rolls: {weapon} ({hits})")
        return Text(message, who=hit.name, weapon=attack_text(hit), hits=hits)
    return Text(N_("{who} saves ({hits})") if hit.name else N_("Saving Rolls ({hits})"), who=hit.name, hits=hits)


def attack_text(hit: Save) -> Shown:
    """``Murat's Combi``; as much of it as has a name."""
    weapon = hit.weapon.name
    return Text("{who}'s {weapon}", who=hit.by, weapon=weapon) if hit.by and weapon else hit.by or weapon


def due_guts(state: State) -> dict[int, SaveOutcome]:
    """Return the Guts Rolls still to make, by place: who lost a Wound; during a turn, who had to save at all. Courage
    passes without a die.
    """
    names, runs = {item.name for item in state.guts}, state.turn is not None
    return {
        at: came
        for at, came in enumerate(conditions(state.saves), 1)
        if came.trooper.name not in names and came.is_shaken and (not came.is_held if runs else came.now)
    }


def guts_offers(state: State) -> tuple[Offer, ...]:
    """Offer each Guts Roll, with a form if WIP is unknown; during a turn it may be failed by choice."""
    rolls, fails = list[Offer](), list[Offer]()
    for at, condition in due_guts(state).items():
        save, wip = condition.save, condition.save.profile.wip
        message = TOLD["guts", ("name" if save.name else "nobody") + ", WIP" * (wip is not None)]
        form = (WIP_FIELD,) if wip is None else ()
        who, label = eligible_for_hits(state, save.side, save.profile.player), Text(message, who=save.name, wip=wip)
        offer = Offer(GutsRoll("guts", at), who, label, form_or_press(form))
        message = N_("{who} chooses to fail the Guts Roll")
        label = Text(message if save.name else N_("The target chooses to fail the Guts Roll"), who=save.name)
        rolls.append(offer)
        fails.append(replace(offer, act=GutsRoll("fail", at), label=label, asks=game.PRESS, rank=ButtonRank.ASIDE))
    return (*rolls, *fails) if state.turn is not None else tuple(rolls)


class GutsRoll(Act):
    """A trooper's Guts Roll by its place among savers, from 1; ``fail``: by choice."""

    word: Literal["guts", "fail"]
    at: int

    forms = ("{word}-{at}",)

    def apply(self, state: State, choice: Choice, rng: Rng) -> State:
        outcome_of_save = conditions(state.saves)[self.at - 1]
        save = outcome_of_save.save
        wip = save.profile.wip
        if self.word == "fail":
            made = Guts(name=outcome_of_save.trooper.name, side=save.side, wip=wip or 0, dice=())
        else:
            typed = (choice.filled or {}).get("wip", "")
            made = outcome_of_save.roll_guts(number_within("WIP", typed, 1, limits.MAX_SV) if wip is None else wip, rng)
        return replace(state, guts=(*state.guts, made))


WIP_FIELD: Final = Field("wip", Text("WIP"), Code("13"), longest=2)


def choose(state: State, choice: Choice, rng: Rng) -> State:
    """Return the state after a choice. Raises ``NotOfferedError``, ``BadInputError``, or ``UnknownWordError``."""
    offer = game.find_offer(offers(state), choice)
    if not isinstance(state.declared, OpenOrder) or offer in (open_order.WITHDRAW, ANYWAY_OFFER):
        result: State = offer.act.apply(state, choice, rng)
        return result
    # A form or a reaction of an order to which others still add, its dice, or a reaction and the dice at once.
    order: OpenOrder = offer.act.apply(state.declared, choice)
    if not open_order.is_over(offer.act):
        return replace(state, declared=order)
    if not order.lines:
        return replace(state, declared=replace(order, over=True), withdrawn=True)
    fallen = start(open_order.close_order(order, final=True), rng)
    return replace(fallen, turn=state.turn, paid=state.paid, opened=order if order.asks else None)


def answer_challenge(state: State, choice: Choice, rng: Rng) -> State:
    """Answer a challenge; earlier dice stay."""
    waiting = state.declared
    assert isinstance(waiting, Challenge), "only a challenge offers it"  # noqa: S101 - states how this is called
    roster: Roster = {trooper.name: trooper for trooper in waiting.roster}
    both = with_answer(waiting, forms.answer(choice.filled or {}, waiting.meetings[0].target, roster))
    fallen = tuple(throw(item, rng, choice.by) for item in both.rolls[len(state.dice) :])
    return replace(state, declared=both, dice=(*state.dice, *fallen))


ANSWER: Final = PlainAct("react", answer_challenge)


def as_opened(declared: Declared) -> Declared:
    if not isinstance(declared, Challenge) or not declared.answered:
        return declared
    target = replace(declared.target, name=declared.rolls[1].name)
    return challenge(declared.own, target, declared.edition, declared.roster)


# Results as JSON words


def outcome(state: State) -> Mapping[str, object]:
    """Return the result so far.

    One roll or Face to Face: ``winner`` (``a``, ``b``, ``nobody``), ``a_hits``, ``a_crits``, ``b_hits``, ``b_crits``,
    and per side ``dice``, ``kind``, ``fate`` and ``cancelled_by`` (a place among the enemy's dice). Several: the same
    in ``results``. ``saves``: the Saving Rolls that followed; alone, at the top level. ``sums``: see ``sums``, if the
    troopers came with the order.
    """
    order = state.declared
    if isinstance(order, Save):
        return saves.outcome(state.saves[0])
    if isinstance(order, OpenOrder) or state.withdrawn or is_open(state):
        return {"withdrawn": state.withdrawn, "waiting_for": "nobody" if state.withdrawn else "b"}
    found = [meeting_words(order, at, result) for at, result in enumerate(results(state))]
    made = [{"name": saved.save.name, "result": saved.save.meeting, **saves.outcome(saved)} for saved in state.saves]
    guts = [{"name": item.name, "wip": item.wip, "dice": [die.face for die in item.dice]} for item in state.guts]
    summed = sums(order) if order.told else []
    more = {key: value for key, value in (("saves", made), ("guts", guts), ("sums", summed)) if value}
    return {**(found[0] if len(found) == 1 else {"results": found}), **more}


def sums(order: Order) -> list[dict[str, object]]:
    """Return how each roll got its dice: ``name``, ``sv``, ``burst``, ``special_dice`` if any; ``mods``: pairs of word
    and number; ``not_counted``: other influences.
    """
    return [
        {
            "name": roll.name,
            "sv": roll.sv,
            "burst": roll.burst,
            **({"special_dice": roll.special} if roll.special else {}),
            "mods": [[mod.what, mod.number] for mod in roll.mods],
            "not_counted": list(roll.not_counted),
        }
        for roll in order.rolls
    ]


def meeting_words(order: Order, at: int, result: Comparison) -> dict[str, object]:
    meeting = order.meetings[at]
    found: dict[str, object] = {"winner": result.winner}
    for key, dice in (("a", result.a), ("b", result.b)):
        found |= {f"{key}_hits": dice.hits if dice else 0, f"{key}_crits": dice.crits if dice else 0}
    found["a"] = side_words(order.rolls[meeting.a], result.a)
    found["b"] = None if meeting.b is None or result.b is None else side_words(order.rolls[meeting.b], result.b)
    return found | ({"target": meeting.target} if meeting.target else {})


def side_words(roll: TrooperRoll, compared: ComparedDice) -> dict[str, object]:
    return {
        "name": roll.name,
        "sv": roll.sv,
        "dice": [die.face for die in compared.dice],
        "kind": [die.kind for die in compared.dice],
        "fate": list(compared.fates),
        "cancelled_by": list(compared.by),
    }
