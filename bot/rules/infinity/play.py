"""An Infinity roll from its declaration to its Saving Rolls (rules page, Face to Face Roll and Saving Rolls).

A Face to Face that was opened with one side declared offers the answer to the other: no die falls before it is in.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from bot.rules.dice import Rng, Rolled, entered, roll
from bot.rules.errors import BadInput
from bot.rules.game import Choice, Field, Offer, Side, taken
from bot.rules.infinity import forms, open_order, saves
from bot.rules.infinity.condition import Condition, Guts, conditions, guts_rolls
from bot.rules.infinity.declared import (
    SV_MOST,
    Action,
    Doubt,
    Meeting,
    Order,
    Profile,
    Save,
    TrooperRoll,
    Weapon,
)
from bot.rules.infinity.open_order import AT_ONCE, ROLL, WITHDRAW, closed
from bot.rules.infinity.order import Challenge, Declared, OpenOrder, with_answer
from bot.rules.infinity.resolve import CRITICAL, Die, Result, Winner, direct, face_to_face, normal, read
from bot.rules.infinity.saves import FACES, Saved
from bot.rules.infinity.trooper import Roster
from bot.rules.infinity.turn import Paid, Turn
from bot.rules.infinity.weapon import within
from bot.rules.text import N_, Code, Shown, Text, Words

ANYWAY_OFFER: Final = Offer("anyway", Side.ATTACKER, Text("Out of order: roll anyway"), anybody=True)
AGAIN: Final = Offer("again", Side.ATTACKER, Text("Again"), reopens=True)
ANYWAY: Final = re.compile(r"\banyway\b", re.IGNORECASE)
SAVE: Final = "save"
BY_HAND: Final = "hand"
OTHERWISE: Final = "mods"
"""The keys of the offers of a save: as it is known, with dice of one's own, with another weapon or MODs."""
"""A form for Saving Rolls that a press would make has this in its key where the press has ``save``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A declaration and what fell: for each roll of an order its dice, then Saving Rolls and Guts Rolls made so far.

    A special die's superfluous dice lie among the others; which they are follows from the faces. ``turn`` is how the
    turn stood after the order was ``paid``; None where nobody has started one. ``opened`` is the order with the AROs
    that were declared before its dice, ``late`` the line of one that waits for the active side, ``allowed`` the
    troopers of those that it allowed. ``parted`` are those whom the order took out of their Fireteams.
    """

    declared: Declared
    dice: tuple[tuple[Rolled, ...], ...] = ()
    saves: tuple[Saved, ...] = ()
    guts: tuple[Guts, ...] = ()
    withdrawn: bool = False
    turn: Turn | None = None
    paid: Paid | None = None
    opened: OpenOrder | None = None
    late: str = ""
    allowed: tuple[str, ...] = ()
    parted: tuple[str, ...] = ()


def dice_count(declared: Declared) -> int:
    """All dice of an order, or all Saving Rolls."""
    if isinstance(declared, OpenOrder):
        return sum(one.thrown for one in closed(declared).rolls) if declared.lines else 0
    return len(saves.due(declared)) if isinstance(declared, Save) else sum(one.thrown for one in declared.rolls)


def start(declared: Declared, rng: Rng) -> State:
    """All dice of the order at once, or the Saving Rolls.

    While the other side has still to answer none is rolled; those that lie already are known at once.
    """
    if isinstance(declared, OpenOrder) or (isinstance(declared, Order) and declared.doubt):
        return State(declared=declared)
    if isinstance(declared, Save):
        return State(declared=declared, saves=(saves.made(declared, rng, Side.ATTACKER),))
    if declared.awaits:
        lying = tuple(entered("d20", one.dice, Side.ATTACKER) for one in declared.rolls if one.dice is not None)
        return State(declared=declared, dice=lying)
    return State(declared=declared, dice=tuple(throw(one, rng, Side.ATTACKER) for one in declared.rolls))


def rolled(state: State) -> tuple[Rolled, ...]:
    """The dice of each roll of the order, then the Saving Rolls and Guts Rolls."""
    later = (*(saved.dice for saved in state.saves), *(guts.dice for guts in state.guts))
    return tuple(die for dice in (*state.dice, *later) for die in dice)


def forced(state: State) -> int:
    """How many rolls states forbid and a GM has to allow; of an order that is open, how many lines ask for that."""
    if isinstance(state.declared, OpenOrder):
        return sum(bool(ANYWAY.search(line)) for line in state.declared.lines)
    return 0 if isinstance(state.declared, Save) else sum(one.anyway for one in state.declared.rolls)


def throw(one: TrooperRoll, rng: Rng, by: Side) -> tuple[Rolled, ...]:
    """The dice of one roll, or those that ``by`` has typed; none at a Success Value below 1."""
    if one.dice is not None:
        return entered("d20", one.dice, by)
    return roll("d20", FACES, one.thrown, rng, f"{one.side} {one.name}".strip())


def is_open(state: State) -> bool:
    """Whether the other side has still to answer, or others may still add AROs."""
    declared = state.declared
    awaits = isinstance(declared, OpenOrder) or (isinstance(declared, Challenge) and declared.awaits)
    return (awaits or doubt_of(declared) is not None) and not state.withdrawn


def doubt_of(declared: Declared) -> Doubt | None:
    """What speaks against an order by whose turn it is."""
    return None if isinstance(declared, Save) else declared.doubt


def dice_of(state: State, order: Order, place: int) -> tuple[Die, ...]:
    """A roll's dice with their scores."""
    one = order.rolls[place]
    return read([int(die.face) for die in state.dice[place]], one.sv, order.edition, one.special)


def results(state: State) -> tuple[Result, ...]:
    """What each meeting of the order came to; empty before the dice fall, and for Saving Rolls alone."""
    if not isinstance(state.declared, Order) or state.declared.awaits or state.declared.doubt:
        return ()
    order = state.declared
    dice = [dice_of(state, order, place) for place in range(len(order.rolls))]
    return tuple(result(order, meeting, dice) for meeting in order.meetings)


def result(order: Order, meeting: Meeting, dice: list[tuple[Die, ...]]) -> Result:
    """What one meeting came to; a Direct Template may stand on either side of a Dodge."""
    a, b = order.rolls[meeting.a], None if meeting.b is None else order.rolls[meeting.b]
    if a.action is Action.DIRECT:
        evades_to = b.evades_to if b is not None and a.is_deployed else CRITICAL
        return direct(a.burst, None if meeting.b is None else dice[meeting.b], evades_to)
    if b is not None and meeting.b is not None and b.action is Action.DIRECT:
        turned = direct(b.burst, dice[meeting.a], a.evades_to if b.is_deployed else CRITICAL)
        return Result(turned.b or turned.a, turned.a)
    return normal(dice[meeting.a]) if meeting.b is None else face_to_face(dice[meeting.a], dice[meeting.b])


def landed(state: State) -> tuple[Save, ...]:
    """Every attack that hit somebody, as the Saving Rolls it calls for."""
    found = []
    for at, came in enumerate(results(state)):
        stands = came.b if came.winner == "b" else came.a
        if isinstance(state.declared, Order) and came.winner != "nobody" and stands is not None:
            hit = hit_by(state.declared, at, came.winner)
            found += [replace(hit, hits=stands.hits, crits=stands.crits)] if hit else []
    return tuple(found)


def hit_by(order: Order, at: int, winner: Winner) -> Save | None:
    """What the loser of a meeting saves against, hits still to be counted; None if no attack wins it.

    Hacking and other skills hit only with a weapon.
    """
    meeting = order.meetings[at]
    enemy = None if meeting.b is None else order.rolls[meeting.b]
    attack, target = (order.rolls[meeting.a], enemy) if winner == "a" else (enemy, order.rolls[meeting.a])
    if attack is None or not hits(attack):
        return None
    profile = (target.profile if target else meeting.profile) or Profile()
    dodged = target is not None and target.action is Action.DODGE
    mods = saves.mods_of(attack.weapon, attack.profile or Profile(), profile, attack.action, dodged=dodged)
    return Save(
        hits=0,
        weapon=attack.weapon or Weapon(),
        profile=profile,
        mods=mods,
        cover=attack.cover and (order.edition == "n5" or not any(mod.what == "Nanoscreen" for mod in mods)),
        edition=order.edition,
        name=target.name if target else meeting.target,
        by=attack.name,
        side=attack.side.other,
        meeting=at,
    )


def hits(attack: TrooperRoll) -> bool:
    """Whether the successes of a roll hit somebody."""
    return attack.action.is_attack or (attack.action.is_skill and attack.weapon is not None)


def offers(state: State) -> tuple[Offer, ...]:
    """The answer or the withdrawal of an open roll; afterwards Saving and Guts Rolls, and once more.

    Once a trooper of the channel has saved there is no once more: its Wounds are dealt.
    """
    if state.withdrawn:
        return ()
    if doubt_of(state.declared) is not None:
        return (ANYWAY_OFFER, WITHDRAW)
    if isinstance(state.declared, OpenOrder):
        return open_order.offers(state.declared)
    if isinstance(state.declared, Challenge) and is_open(state):
        return (react_offer(state.declared), WITHDRAW)
    rolled_here = not any(one.dice for one in rolls(state.declared)) and (any(state.dice) or bool(state.saves))
    harmed = any(saved.save.profile.kept for saved in state.saves)
    waiting = (*save_offers(state), *guts_offers(state))
    if state.turn is not None:  # the same again is another order, which the turn pays
        return (*waiting, *late_offers(state))
    return (*waiting, *((replace(AGAIN, aside=bool(waiting)),) if rolled_here and not harmed else ()))


LATE: Final = "late"
ALLOW: Final = Offer("allow", Side.ATTACKER, Text("Allow the late ARO"))
REFUSE: Final = Offer("refuse", Side.ATTACKER, Text("Refuse it"))


def late_offers(state: State) -> tuple[Offer, ...]:
    """An ARO that somebody forgot: its form while nobody has saved, then the answer of the active side."""
    if state.opened is None or state.saves:
        return ()
    if state.late:
        return (ALLOW, REFUSE)
    found = open_order.late_offer(state.opened)
    return () if found is None else (replace(found, key=LATE, label=Text("Late ARO ..."), after=True, aside=True),)


def with_late(state: State, rng: Rng, by: Side) -> State:
    """The order with a late ARO: its dice fall, and those that lie are compared anew."""
    assert state.opened is not None, "it was offered"  # noqa: S101 - the caller has looked
    opened = replace(state.opened, lines=(*state.opened.lines, state.late))
    order = closed(opened)
    fallen = tuple(throw(one, rng, by) for one in order.rolls[len(state.dice) :])
    names = tuple(one.name for one in order.rolls[len(state.dice) :])
    dice = (*state.dice, *fallen)
    return replace(state, declared=order, dice=dice, opened=opened, late="", allowed=(*state.allowed, *names))


def react_offer(waiting: Challenge) -> Offer:
    """The form of the answer, which starts with the trooper of the channel who was attacked."""
    target = waiting.opening.target
    return Offer("react", Side.DEFENDER, Text("React"), fields=forms.react_fields(target.name if target else ""))


def rolls(declared: Order | Save) -> tuple[TrooperRoll | Save, ...]:
    """What may have physical dice."""
    return declared.rolls if isinstance(declared, Order) else (declared,)


def save_offers(state: State) -> tuple[Offer, ...]:
    """For each attack that hit and was not saved against yet a press, or a form where something is not known.

    Behind them stand two forms for each trooper's next save: for dice by hand, and for whatever else counts.
    """
    everything = landed(state)
    hits = open_saves(state, everything)
    known = [hit for hit in hits if is_known(hit)]
    at_once = {} if state.turn is None else {hit.side: all_offer(state, hit.side) for hit in known}
    following = {(hit.side, hit.name): hit for hit in reversed(known)}
    next_ones = [hit for hit in known if hit in following.values()]
    names = Counter(hit.name for hit in everything)
    presses = {
        hit.meeting: save_offer(
            state, hit, save_key(hit, everything), pressed=hit in known, is_one_of_many=names[hit.name] > 1
        )
        for hit in hits
    }
    if at_once:
        presses = {
            at: replace(press, aside=True) if press.side in at_once and not press.fields else press
            for at, press in presses.items()
        }
    return (
        *at_once.values(),
        *presses.values(),
        *(by_hand_offer(presses[hit.meeting], hit, save_key(hit, everything, BY_HAND)) for hit in next_ones),
        *(otherwise_offer(presses[hit.meeting], hit, save_key(hit, everything, OTHERWISE)) for hit in next_ones),
    )


ALL_AT_ONCE: Final = {
    Side.ATTACKER: Offer("all-attacker", Side.ATTACKER, Text("Saves and Guts: active side"), free=True),
    Side.DEFENDER: Offer("all-defender", Side.DEFENDER, Text("Saves and Guts: reactive side"), free=True),
}
"""Every Saving Roll and Guts Roll of a side in one press, where nothing is to be decided."""


def all_offer(state: State, side: Side) -> Offer:
    return replace(ALL_AT_ONCE[side], anybody=is_of_several(state, side))


def all_saved(state: State, side: Side, rng: Rng, by: Side) -> State:
    """The state after all Saving Rolls of a side that are known, and the Guts Rolls of those who stand."""
    for hit in [hit for hit in open_saves(state, landed(state)) if hit.side is side and is_known(hit)]:
        lost = next((one.lost for one in conditions(state.saves) if one.name == hit.name), hit.profile.lost)
        now = replace(hit, profile=replace(hit.profile, lost=lost))
        state = replace(state, saves=(*state.saves, saves.made(now, rng, by)))
    due = [one for one in guts_due(state).values() if one.side is side and one.wip is not None]
    return replace(state, guts=(*state.guts, *guts_rolls(due, rng)))


def open_saves(state: State, hits: tuple[Save, ...]) -> list[Save]:
    """Every attack of those that landed which calls for Saving Rolls and was not saved against yet."""
    done = {saved.save.meeting for saved in state.saves}
    return [hit for hit in hits if hit.weapon.is_saved and hit.meeting not in done]


def is_known(hit: Save) -> bool:
    """Whether its Saving Rolls can be made with what is known: what the weapon is saved with, and no substitute."""
    try:
        saves.checked(hit)
    except BadInput:
        return False
    return not saves.is_substituted(hit)


def save_offer(state: State, hit: Save, key: str, *, pressed: bool, is_one_of_many: bool) -> Offer:
    return Offer(
        key,
        hit.side,
        save_label(hit, is_one_of_many=is_one_of_many),
        fields=() if pressed else forms.save_fields(hit),
        free=True,
        anybody=is_of_several(state, hit.side),
        player=hit.profile.player,
    )


def by_hand_offer(press: Offer, hit: Save, key: str) -> Offer:
    """A form in which the dice of a save are picked, beside the press that rolls them."""
    label = Text("Roll by hand: {who}", who=who_saves(hit))
    return replace(press, key=key, label=label, fields=forms.dice_of_save(hit), by_hand=True, aside=True)


def otherwise_offer(press: Offer, hit: Save, key: str) -> Offer:
    """The form of a save that is not as declared, beside the press that makes it as declared."""
    label = Text("Other weapon or MODs: {who}", who=who_saves(hit))
    return replace(press, key=key, label=label, fields=forms.save_fields(hit), aside=True)


def who_saves(hit: Save) -> Words:
    """``Angus against Murat's Combi``."""
    who = hit.name or Text("The target")
    return Text("{who} against {weapon}", who=who, weapon=against(hit)) if against(hit) else who


def is_of_several(state: State, side: Side) -> bool:
    """Whether several people play a side: the reactive one, where each added an ARO."""
    return isinstance(state.declared, Order) and state.declared.several and side is Side.DEFENDER


def save_key(hit: Save, hits: tuple[Save, ...], word: str = SAVE) -> str:
    return word if len(hits) == 1 else f"{word}-{hit.meeting + 1}"


def save_label(hit: Save, *, is_one_of_many: bool) -> Shown:
    """``Angus saves (2)``, so many hits; of several attacks on one trooper ``Angus saves: Murat's Combi (2)``."""
    hits = hit.hits + hit.crits
    if is_one_of_many and against(hit):
        message = N_("{who} saves: {weapon} ({hits})") if hit.name else N_("Saving Rolls: {weapon} ({hits})")
        return Text(message, who=hit.name, weapon=against(hit), hits=hits)
    return Text(N_("{who} saves ({hits})") if hit.name else N_("Saving Rolls ({hits})"), who=hit.name, hits=hits)


def against(hit: Save) -> Words:
    """``Murat's Combi``; as much of it as has a name."""
    weapon = hit.weapon.name
    return Text("{who}'s {weapon}", who=hit.by, weapon=weapon) if hit.by and weapon else hit.by or weapon


def guts_due(state: State) -> dict[int, Condition]:
    """Who has still to make a Guts Roll, by place: who lost a Wound; while a turn runs, whoever had to save at all."""
    made, runs = {one.name for one in state.guts}, state.turn is not None
    return {
        at: one
        for at, one in enumerate(conditions(state.saves), 1)
        if one.name not in made and (one.is_shaken and not one.is_held if runs else one.needs_guts)
    }


def guts_offers(state: State) -> tuple[Offer, ...]:
    """A Guts Roll for each who makes one, where the WIP is not known by a form; while a turn runs it may be failed."""
    due = guts_due(state)
    rolls = tuple(guts_offer(state, at, one) for at, one in due.items())
    if state.turn is None:
        return rolls
    return (
        *rolls,
        *(
            replace(offer, key=f"{FAIL}-{at}", label=fails_label(one), fields=(), aside=True)
            for offer, (at, one) in zip(rolls, due.items(), strict=True)
        ),
    )


FAIL: Final = "fail"
WIP_FIELD: Final = Field("wip", Text("WIP"), Code("13"), longest=2)


GUTS: Final = {
    (False, False): N_("Guts Roll of {who}"),
    (False, True): N_("Guts Roll of {who} (WIP {wip})"),
    (True, False): N_("Guts Roll of the target"),
    (True, True): N_("Guts Roll of the target (WIP {wip})"),
}
"""By whether the trooper has no name, and whether its WIP is known."""


def fails_label(one: Condition) -> Text:
    if one.name:
        return Text("{who} chooses to fail the Guts Roll", who=one.name)
    return Text("The target chooses to fail the Guts Roll")


def guts_offer(state: State, at: int, one: Condition) -> Offer:
    return Offer(
        f"guts-{at}",
        one.side,
        Text(GUTS[not one.name, one.wip is not None], who=one.name, wip=one.wip),
        fields=(WIP_FIELD,) if one.wip is None else (),
        free=True,
        anybody=is_of_several(state, one.side),
        player=one.player,
    )


def choose(state: State, choice: Choice, rng: Rng) -> State:
    """The state after a choice. Raises ``NotOffered``, and ``BadInput`` or ``BadWord`` for what a form holds."""
    offer = taken(offers(state), choice)
    if offer.key == WITHDRAW.key:
        return replace(state, withdrawn=True)
    if offer.key == ANYWAY_OFFER.key and not isinstance(state.declared, Save):
        return replace(start(replace(state.declared, doubt=None), rng), turn=state.turn)
    if isinstance(state.declared, OpenOrder):
        if offer.key in (ROLL.key, AT_ONCE.key) and not state.declared.lines:
            return replace(state, declared=replace(state.declared, over=True), withdrawn=True)
        if offer.key in (ROLL.key, AT_ONCE.key):
            made = start(closed(state.declared), rng)
            opened = state.declared if state.declared.asks else None
            return replace(made, turn=state.turn, paid=state.paid, opened=opened)
        return replace(state, declared=open_order.take(state.declared, offer, choice))
    return STEPS.get(offer.key.partition("-")[0], saved_by)(state, offer, choice, rng)


# What may follow the dice, by the first word of its offer


def again(state: State, offer: Offer, choice: Choice, rng: Rng) -> State:  # noqa: ARG001 - a step
    return start(asked(state.declared), rng)


def saved_at_once(state: State, offer: Offer, choice: Choice, rng: Rng) -> State:
    return all_saved(state, offer.side, rng, choice.by)


def comes_late(state: State, offer: Offer, choice: Choice, rng: Rng) -> State:  # noqa: ARG001 - a step
    """An ARO that waits for the active side; its line fits."""
    return (
        state if state.opened is None else replace(state, late=open_order.take(state.opened, offer, choice).lines[-1])
    )


def allowed(state: State, offer: Offer, choice: Choice, rng: Rng) -> State:  # noqa: ARG001 - a step
    return with_late(state, rng, choice.by)


def refused(state: State, offer: Offer, choice: Choice, rng: Rng) -> State:  # noqa: ARG001 - a step
    return replace(state, late="")


def guts(state: State, offer: Offer, choice: Choice, rng: Rng) -> State:
    one = conditions(state.saves)[int(offer.key.partition("-")[2]) - 1]
    if offer.key.startswith(FAIL):
        failed = Guts(name=one.name, side=one.side, wip=one.wip or 0, dice=())
        return replace(state, guts=(*state.guts, failed))
    if one.wip is None:
        one = replace(one, wip=within("WIP", (choice.filled or {}).get("wip", ""), 1, SV_MOST))
    return replace(state, guts=(*state.guts, *guts_rolls((one,), rng)))


def reacted(state: State, offer: Offer, choice: Choice, rng: Rng) -> State:  # noqa: ARG001 - a step
    """The answer to a challenge; what lay before it lies on."""
    waiting = state.declared
    assert isinstance(waiting, Challenge), "only a challenge offers it"  # noqa: S101 - states how this is called
    roster: Roster = {trooper.name: trooper for trooper in waiting.opening.roster}
    both = with_answer(waiting, forms.answer(choice.filled or {}, waiting.meetings[0].target, roster))
    fallen = tuple(throw(one, rng, choice.by) for one in both.rolls[len(state.dice) :])
    return replace(state, declared=both, dice=(*state.dice, *fallen))


def saved_by(state: State, offer: Offer, choice: Choice, rng: Rng) -> State:
    """The Saving Rolls of one attack: as they are known, or as a form says."""
    hits, word = landed(state), offer.key.partition("-")[0]
    hit = next(hit for hit in hits if save_key(hit, hits, word) == offer.key)
    if offer.fields:
        filled = choice.filled or {}
        hit = forms.with_dice(hit, filled) if word == BY_HAND else forms.read_save(filled, hit)
    return replace(state, saves=(*state.saves, saves.made(hit, rng, choice.by)))


STEPS: Final[Mapping[str, Callable[[State, Offer, Choice, Rng], State]]] = {
    "again": again,
    "all": saved_at_once,
    LATE: comes_late,
    "allow": allowed,
    "refuse": refused,
    "guts": guts,
    FAIL: guts,
    "react": reacted,
}


def asked(declared: Declared) -> Declared:
    """The declaration as it was opened: where the other side has answered, they are asked again."""
    if not isinstance(declared, Challenge) or not declared.answered:
        return declared
    opening = declared.opening
    meeting = replace(opening.meeting, target=declared.rolls[1].name)
    return replace(declared, rolls=(opening.roll,), meetings=(meeting,), awaits=True, answered=False)
