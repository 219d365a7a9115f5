"""Infinity's pieces: troopers, and a roll's effects on them."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from bot.rules.dice import Rng
from bot.rules.errors import PlayerError
from bot.rules.game import Side
from bot.rules.infinity.dice import saves
from bot.rules.infinity.orders import json_orders, open_order, typed_orders
from bot.rules.infinity.orders.order import Challenge, Declared, OpenOrder, TrooperAim
from bot.rules.infinity.orders.play import State, landed_attacks, rerollable, results, smoke_rolls
from bot.rules.infinity.troopers import programs, states, trooper as troopers
from bot.rules.infinity.troopers.declared import AIDS, KITS, Action, Doubt, Order, Save, TargetProfile, Weapon
from bot.rules.infinity.troopers.trooper import Roster, Trooper, add_state, find, find_exact, troopers_of, with_states
from bot.rules.infinity.turn import player_turn as turns
from bot.rules.infinity.turn.player_turn import TURN, OrderPayment, OrderType, PlayerTurn
from bot.rules.json_reader import JsonReader, leave_out
from bot.rules.plans import Commitment
from bot.rules.text import EMPTY, N_, Name, Text

__all__ = ["SCHEMA", "Body", "by_side", "declare", "names", "rolling_names", "settle"]

SCHEMA = 1
"""Earlier versions stored profiles, as troopers without weapons, Wounds, and states."""
Body = Trooper | PlayerTurn | Commitment


def declare(raw: Mapping[str, object], pieces: Mapping[str, Any]) -> Declared:
    """Parse a declaration whose names may be the channel's troopers. During a turn the reactive side is asked for AROs,
    and an order out of order says why, except for ``odds``. Raises ``PlayerError`` as ``json_orders.declare``.
    """
    turn = turns.turn_of(pieces)
    own = {name: replace(item, team=team_of(turn, item)) for name, item in troopers_of(pieces).items()}
    # In public form: the roll stores all of them, and its opener may export it.
    held = {name: troopers.public(item) for name, item in own.items()}
    if raw.get("odds"):
        return json_orders.declare(leave_out(raw, "odds"), held)
    raw = pressed_words(raw, held) if "acts" in raw else raw
    if "deploys" in raw:
        trooper, rest = find(held, str(raw["deploys"])), leave_out(raw, "deploys")
        return json_orders.declare({**rest, "name": trooper.name, "kind": open_order.deployment_of(trooper)}, held)
    still = without_dice(raw, held, in_turn=turn.is_running)
    declared = begin_move(raw, held) if "moves" in raw else still or json_orders.declare(raw, held)
    is_order = not isinstance(declared, Save) and bool({"order", "who", "moves"} & raw.keys())
    return open_in_turn(declared, raw, turn, held, own) if is_order and turn.is_running else declared


def open_in_turn(
    declared: Declared, raw: Mapping[str, object], turn: PlayerTurn, held: Roster, own: Roster
) -> Declared:
    """Open a running turn's order, which asks for AROs if none is declared, with objections."""
    if any(programs.of(roll.weapon).state for roll in declared.rolls):
        return declared  # an Unconscious trooper's explosion is no order
    alone = all(roll.side is Side.ATTACKER for roll in declared.rolls)
    acts = isinstance(declared, Order) and (
        any(meeting.target for meeting in declared.meetings) or any(item.is_screen for item in declared.rolls)
    )
    if acts and alone:  # somebody is attacked, and nobody has said a reaction
        declared = json_orders.declare({**raw, "open": True}, held)
    order = open_order.so_far(declared)
    if isinstance(order, Order):
        check_turn(order, turn)
    trooper = find_exact(own, acting_trooper(declared))  # the possible Lieutenant whose order is paid
    why = (None if trooper is None else turns.doubt(turn, trooper)) or doubt_unknown(raw, held)
    if isinstance(declared, OpenOrder):
        return replace(declared, asks=True, doubt=why)
    return replace(declared, doubt=why, ordered=True) if isinstance(declared, Order) else declared


def doubt_unknown(raw: Mapping[str, object], held: Roster) -> Doubt | None:
    """Return an objection to an order's unknown marker, whose number looks like a value."""
    names = MARKER.findall(str(raw.get("order", "")))
    return next((Doubt("nobody", name) for name in names if find_exact(held, name) is None), None)


def team_of(turn: PlayerTurn, trooper: Trooper) -> int:
    """Return a trooper's Fireteam level; 0 if its next order takes it out."""
    paid = turns.payment(turn, trooper) if trooper.owner == turn.active else None
    return 0 if paid is not None and paid.kind in turns.LEAVES_TEAM else turns.level_of(turn, trooper.name)


def pressed_words(raw: Mapping[str, object], held: Mapping[str, Trooper]) -> dict[str, object]:
    """Return a pressed order's words: its form's, or its trooper's last line."""
    name, form = str(raw["acts"]), raw.get("form")
    trooper = find(held, name)
    rest = leave_out(raw, "acts", "form", "again")
    if not isinstance(form, Mapping):
        if not trooper.last:
            raise PlayerError(Text("{name} has no previous order. Press Order.", name=trooper.name))
        return {**rest, "order": trooper.last, "open": True}
    order = OpenOrder(lines=(), roster=tuple(held.values()))
    filled = {str(key): str(value) for key, value in form.items()}
    aims = tuple(Name(target) for target in filled.get("target", "").split(", ") if target)
    if not aims:
        targets = [other.name for other in held.values() if other.owner != trooper.owner and not other.is_down]
        aims = (targets[0],) if len(targets) == 1 else ()
    if not aims:
        raise PlayerError(Text("Pick the target of the order."))
    lines = open_order.attack_lines(order, TrooperAim(trooper.name, aims), filled)
    return {**rest, "order": "\n".join(lines), "open": True}


def without_dice(raw: Mapping[str, object], held: Mapping[str, Trooper], *, in_turn: bool) -> OpenOrder | None:
    """Return a typed order whose trooper rolls no dice, with its AROs; None for any other. Outside a turn typed AROs
    are rolled at once.
    """
    typed = typed_orders.parse(json_orders.order_text(JsonReader(raw)), held) if raw.get("order") else None
    if typed is None or typed.still is None or typed.still.roll.trooper is None or (typed.rolling and not in_turn):
        return None
    said = typed_orders.LINE_END.split(json_orders.order_text(JsonReader(raw)))
    texts = [line.strip() for line in said if line.strip()]
    reacts = tuple(text for text in texts if typed_orders.parse(text, held).rolling)
    order = begin_move({**raw, "moves": typed.still.roll.trooper.name}, held)
    fires = typed.still.roll.action is Action.FIRE
    if fires:
        turns.begin_suppression(typed.still.roll.trooper)
    return replace(order, lines=reacts, second=fires, fires=fires, edition=typed.edition or order.edition)


def begin_move(raw: Mapping[str, object], held: Mapping[str, Trooper]) -> OpenOrder:
    """Begin an order whose first skill has no dice, as a Move; its trooper leaves Suppressive Fire, and enters."""
    trooper = find(held, str(raw["moves"]))
    open_order.check_can_act(trooper)
    roster = {**held, trooper.name: with_states(trooper, ENDED_BY_ORDERS, on=False)}
    edition = json_orders.read_edition(JsonReader(raw))
    return OpenOrder(lines=(), edition=edition, roster=tuple(roster.values()), first=trooper.name)


ENDED_BY_ORDERS: Final = (states.SUPPRESSIVE, states.OFF_TABLE)


def acting_trooper(declared: Declared) -> str:
    if isinstance(declared, OpenOrder):
        return open_order.acts(declared)
    return next((roll.name for roll in declared.rolls if roll.side is Side.ATTACKER), "")


MARKER: Final = re.compile(r"\b(?:CAMO|IMP|HOLO|DECOY) \d+\b")


def check_turn(order: Order, turn: PlayerTurn) -> None:
    """Raise ``ForbiddenByStateError`` for a sixth Guided attack, or a second attempt to discover a marker in a turn."""
    if turn.guided >= turns.MAX_GUIDED and any(roll.guided and not roll.anyway for roll in order.rolls):
        why = Text("{most} Guided attacks have already been made this turn.", most=turns.MAX_GUIDED)
        raise states.ForbiddenByStateError(why)
    for meeting in order.meetings:
        roll = order.rolls[meeting.a]
        if roll.action is Action.DISCOVER and (roll.name, meeting.target) in turn.missed and not roll.anyway:
            message = N_(
                "{name} has already failed to discover {target} this turn. A GM can add `anyway` to the order."
            )
            raise states.ForbiddenByStateError(Text(message, name=roll.name, target=meeting.target))


def missed_discovers(after: State, now: Mapping[str, Trooper]) -> list[tuple[str, str]]:
    order = after.order
    if order is None:
        return []
    lost = (meeting for meeting, result in zip(order.meetings, results(after), strict=False) if result.winner != "a")
    looked = ((order.rolls[meeting.a], meeting.target) for meeting in lost)
    markers = {name for name, trooper in now.items() if trooper.is_marker}
    return [(roll.name, target) for roll, target in looked if roll.action is Action.DISCOVER and target in markers]


def not_secret(declared: Declared) -> Text:
    """Return why a roll can't be secret; "" if it can."""
    if declared.awaits:
        return Text("This roll waits for the other side.")
    kept = names(State(declared=declared))
    if isinstance(declared, Save):
        message = N_("These Saving Rolls can cost {name} Wounds, which everyone sees. Leave out the name.")
        return Text(message, name=Name(kept[0])) if kept else EMPTY
    aiding = {roll.action for roll in declared.rolls} & {*AIDS, Action.DISCOVER, Action.SENSOR, *FREES}
    if kept and aiding and any(profile and profile.states for _, profile in declared.involved):
        return Text("This roll can end the state of a trooper in this channel, which everyone sees.")
    if kept and any(roll.weapon and roll.weapon.state and not roll.weapon.is_saved for roll in declared.rolls):
        return Text("A hit with this weapon can put a state on a trooper in this channel, which everyone sees.")
    return EMPTY


def names(state: State) -> tuple[str, ...]:
    """Return the troopers that a roll may harm, and the turn, which pays orders and asks for Guts Rolls."""
    declared = state.declared
    if isinstance(declared, OpenOrder):
        return (acting_trooper(declared), TURN) if declared.asks else ()
    kept = tuple(dict.fromkeys(name for name, profile in declared.involved if is_kept(profile)))
    in_turn = isinstance(declared, Save) or declared.ordered or state.turn is not None
    return (*kept, TURN) if kept and in_turn else kept


def by_side(declared: Declared) -> Mapping[Side, str]:
    """Return the troopers whose owners play the two sides. For an order, the first actor and the only target; without a
    defender against several. In a turn the only other owner reacts. Saving Rolls alone: the trooper hit.
    A skill roll that changes a trooper at once, by nobody of the channel: that trooper.
    """
    if treated := treated_by_stranger(open_order.so_far(declared)):
        return {Side.ATTACKER: treated}
    if isinstance(declared, OpenOrder):
        return in_open_order(declared)
    if isinstance(declared, Save):
        return {Side.ATTACKER: declared.name} if declared.profile.kept else {}
    kept = [roll for roll in declared.rolls if is_kept(roll.profile)]
    active = [roll.name for roll in kept if roll.side is Side.ATTACKER]
    foes = {roll.name for roll in kept if roll.side is Side.DEFENDER}
    against = (meeting for meeting in declared.meetings if not declared.rolls[meeting.a].aids)
    foes |= {meeting.target for meeting in against if is_kept(meeting.profile)}
    result = {Side.ATTACKER: active[0]} if active else {}
    return result | ({Side.DEFENDER: foes.pop()} if len(foes) == 1 and not declared.several else {})


def in_open_order(declared: OpenOrder) -> Mapping[Side, str]:
    first = open_order.acts(declared)
    own = next((trooper.owner for trooper in declared.roster if trooper.name == first), None)
    foes = {trooper.owner: trooper.name for trooper in declared.roster if trooper.owner not in (0, own)}
    result = {Side.ATTACKER: first} if own is not None else {}
    return result | ({Side.DEFENDER: foes.popitem()[1]} if own and declared.asks and len(foes) == 1 else {})


def treated_by_stranger(declared: Declared) -> str:
    """Return the trooper that a skill roll of nobody in the channel changes at once, as by a Discover; "" for none."""
    for meeting in () if isinstance(declared, OpenOrder | Save) else declared.meetings:
        roll = declared.rolls[meeting.a]
        changes = roll.aids or roll.action in (Action.DISCOVER, Action.SENSOR)
        if changes and is_kept(meeting.profile) and not is_kept(roll.profile):
            return meeting.target
    return ""


def rolling_names(before: State, after: State) -> tuple[str, ...]:
    """Return the troopers with which a ply declares a reaction or makes Saving or Guts Rolls, and the one that an added
    skill roll of a stranger changes. A line's named player makes those rolls instead of the owner.
    """
    result, guts = after.saves[len(before.saves) :], after.guts[len(before.guts) :]
    owned = {save.save.name: save.save.profile.kept and not save.save.profile.player for save in after.saves}
    made = (*(saved.save.name for saved in result), *(item.name for item in guts))
    saving = (name for name in made if owned.get(name))
    then, now = before.declared, after.opened or after.declared
    treated = {treated_by_stranger(open_order.so_far(now))} - {treated_by_stranger(open_order.so_far(then)), ""}
    return tuple(dict.fromkeys([*saving, *reacting_names(then, now), *treated]))


def reacting_names(then: Declared, now: Declared) -> list[str]:
    """Return the troopers whose reactions were added."""
    if isinstance(then, OpenOrder) and isinstance(now, OpenOrder):
        acted = {line.roll.name for line in open_order.parsed(then)}
        new = (line.roll.trooper for line in open_order.parsed(now) if line.roll.name not in acted)
        return [trooper.name for trooper in new if trooper is not None]
    if isinstance(then, Challenge) and isinstance(now, Challenge) and then.awaits and not now.awaits:
        return [roll.name for roll in now.rolls[1:] if is_kept(roll.profile)]
    return []


def about(state: State) -> tuple[str, ...]:
    """Return all troopers of a roll, attackers before targets."""
    declared = state.declared
    by = [declared.by] if isinstance(declared, Save) else []
    return tuple(dict.fromkeys(filter(None, [*by, *(name for name, _ in declared.involved)])))


def settle(
    before: State | None,
    after: State,
    pieces: Mapping[str, Any],
    rng: Rng,  # noqa: ARG001 - nothing more falls
) -> tuple[State, Mapping[str, Any]]:
    """Apply this ply's Saving Rolls, and states from hits without one. Troopers change from their current condition;
    the returned state records their earlier losses. A trooper gone from the channel stays gone.
    """
    then, now = before or State(declared=after.declared), troopers_of(pieces)
    result = [deal_to(saved, now) for saved in after.saves[len(then.saves) :]]
    if not then.dice:
        bring_states(after, now)
    if is_final(after) and not (then.dice and is_final(then)):
        aid(after, now)
    spend(after, now, len(then.dice))
    end_fire(after, now, len(then.guts), opens=before is None or before.declared.doubt is not None)
    begin_fire(then.declared, after, now)
    remember(then.declared, after, now)
    changed: dict[str, Trooper | PlayerTurn] = {name: item for name, item in now.items() if item != pieces[name]}
    state = replace(after, saves=(*then.saves, *result))
    turn = turns.turn_of(pieces)
    if TURN not in pieces:
        return state, changed
    if after.tokens > then.tokens:
        turn = turns.without_one_token(turn, pieces, turn.active)
    turn = replace(turn, frenzied=(*turn.frenzied, *frenzied_names(result, turn, now)))
    state, turn = ordered(before, state, turn, now, troopers_of(pieces))
    in_turn = state.turn or state.paid or (turn.is_running and isinstance(after.declared, Save) and after.saves)
    return replace(state, turn=turn if in_turn else None), {**changed, TURN: turn}


def is_final(state: State) -> bool:
    """Whether an order's dice can't be rerolled anymore; always outside a turn."""
    return state.turn is None or rerollable(state) is None


def bring_states(after: State, now: dict[str, Trooper]) -> None:
    """Apply states from hits without a Saving Roll."""
    for hit in landed_attacks(after):
        trooper = find_kept(hit.name, hit.profile, now)
        if trooper is not None and hit.weapon.state and not hit.weapon.is_saved:
            now[trooper.name] = add_state(trooper, hit.weapon.state)


def end_fire(after: State, now: dict[str, Trooper], known_guts: int, *, opens: bool) -> None:
    """End Suppressive Fire after a failed Guts Roll, or an order that begins with a Move. ``known_guts``: number of
    earlier Guts Rolls. ``opens``: the order begins now.
    """
    for guts in after.guts[known_guts:]:
        trooper = find_exact(now, guts.name)
        if trooper is not None and not guts.passed:
            now[trooper.name] = with_states(trooper, (states.SUPPRESSIVE,), on=False)
    first = after.declared.first if opens and isinstance(after.declared, OpenOrder) else ""
    if first in now:
        now[first] = with_states(now[first], ENDED_BY_ORDERS, on=False)


def begin_fire(then: Declared, after: State, now: dict[str, Trooper]) -> None:
    """Begin Suppressive Fire at the end of its order."""
    is_over = after.order is not None or (isinstance(after.declared, OpenOrder) and after.declared.over)
    trooper = find_exact(now, then.first) if isinstance(then, OpenOrder) and then.fires and is_over else None
    if trooper is not None:
        now[trooper.name] = turns.begin_suppression(trooper)


def frenzied_names(result: Sequence[saves.RolledSaves], turn: PlayerTurn, now: Mapping[str, Trooper]) -> list[str]:
    """Return troopers whose Frenzy triggers: those who caused a Wound."""
    by = dict.fromkeys(saved.save.by for saved in result if saves.wounds(saved))
    known = filter(None, (find_exact(now, name) for name in by))
    return [item.name for item in known if item.has("Frenzy") and item.name not in turn.frenzied]


def remember(then: Declared, after: State, now: dict[str, Trooper]) -> None:
    """Store the order's line with its trooper, for repeats."""
    if not isinstance(then, OpenOrder) or not then.asks or not isinstance(after.declared, Order):
        return
    acts = [line.roll.name for line in open_order.parsed(then)[:1]]
    trooper = find_exact(now, acts[0]) if acts == [acting_trooper(then)] else None
    if trooper is not None:
        now[trooper.name] = replace(trooper, last=PLAYERS.sub("", then.lines[0])[:MAX_LINE])


PLAYERS: Final = re.compile(r" @\d+")
"""Pattern of a trooper's player in a line."""
MAX_LINE: Final = 200


def ordered(
    before: State | None,
    after: State,
    turn: PlayerTurn,
    now: Mapping[str, Trooper],
    stood_before: Mapping[str, Trooper],
) -> tuple[State, PlayerTurn]:
    """Pay an order that opens, or refund a withdrawn one; return state and turn. ``stood_before``: the troopers before
    this ply, which may bring one in. Raises ``PlayerError`` if the last order is already spent.
    """
    was_doubted, stood = before is not None and before.declared.doubt is not None, turn
    if after.withdrawn:
        after, turn = withdrawn(before, after, turn)
    elif turn.is_running and costs_order(after.declared) and (before is None or was_doubted):
        after, turn = paid_for(after, turn, stood_before, at_all_costs=was_doubted)
    if after.turn is not None and after.dice and not (before is not None and before.dice):
        turn = with_dice(after, turn, now)
        after = replace(after, turn=turn)
    turn = turns.with_teams(turn, now)
    left = stood.in_teams - turn.in_teams
    return replace(after, parted=tuple(sorted({*after.parted, *left})) if after.turn else ()), turn


def withdrawn(before: State | None, after: State, turn: PlayerTurn) -> tuple[State, PlayerTurn]:
    """Give back what a withdrawn order cost, unless its first skill is done."""
    is_over = isinstance(after.declared, OpenOrder) and after.declared.over
    if not is_over and before is not None and before.paid is not None:
        after, turn = replace(after, paid=None), turns.pay(turn, before.paid, back=True)
        is_over = True
    return replace(after, turn=turn) if is_over else after, turn


def with_dice(after: State, turn: PlayerTurn, now: Mapping[str, Trooper]) -> PlayerTurn:
    """Update the turn after an order's dice: Guided attacks, Fireteams, failed Discovers."""
    thrown = [after.declared.rolls[place].name for place, stays in smoke_rolls(after).items() if stays]
    smoke = tuple(dict.fromkeys((*turn.smoke, *thrown)))
    turn = replace(turn, guided=turn.guided + sum(roll.guided for roll in after.declared.rolls), smoke=smoke)
    turn = turn if after.paid is None else turns.after_leading(turn, after.paid)
    turn = turns.after_reactions(turn, reactions(after.declared))
    return replace(turn, missed=(*turn.missed, *missed_discovers(after, now)))


def paid_for(
    after: State, turn: PlayerTurn, now: Mapping[str, Trooper], *, at_all_costs: bool
) -> tuple[State, PlayerTurn]:
    """Pay an opening order unless there are objections; ``at_all_costs``: somebody overrode them."""
    trooper = find_exact(now, acting_trooper(after.declared))
    if trooper is None:
        return after, turn
    if after.declared.doubt is not None:
        return replace(after, turn=turn), turn
    calm = is_calm(after.declared)
    paid = turns.payment(turn, trooper, calm=calm) if trooper.owner in (0, turn.active) else None
    if paid is None and not at_all_costs:
        raise PlayerError(turns.doubt_sentence(Doubt("spent", trooper.name, trooper.group)))
    paid = paid or OrderPayment(trooper.name, OrderType.NONE)
    turn = turns.pay(turn, paid)
    return replace(after, paid=paid, turn=turn), turn


def is_calm(declared: Declared) -> bool:
    """Whether an order can't be spent in the Impetuous Phase: no attack, no Dodge."""
    if isinstance(declared, Save) or (isinstance(declared, OpenOrder) and not declared.lines):
        return False
    order = open_order.close_order(declared) if isinstance(declared, OpenOrder) else declared
    return any(roll.side is Side.ATTACKER and roll.action not in IMPETUOUS for roll in order.rolls)


IMPETUOUS: Final = (Action.SHOOT, Action.TEMPLATE, Action.DIRECT, Action.CC, Action.DODGE)


def reactions(declared: Declared) -> dict[str, str]:
    """Return each trooper's reaction skill; all weapons are BS Attack."""
    shots = (Action.TEMPLATE, Action.DIRECT)
    react = (roll for roll in declared.rolls if roll.side is Side.DEFENDER)
    return {roll.name: Action.SHOOT if roll.action in shots else roll.action for roll in react}


def costs_order(declared: Declared) -> bool:
    """Whether a declaration is an order, not a duel or Saving Rolls alone."""
    if isinstance(declared, OpenOrder):
        return declared.asks
    return isinstance(declared, Order) and declared.ordered


def spend(after: State, now: dict[str, Trooper], known: int) -> None:
    """Apply an order's costs: ended states and used disposable weapons, even if the shot is canceled. ``known``: number
    of its earlier rolls with dice.
    """
    fallen = after.order.rolls[known : len(after.dice)] if after.order else ()
    thrown = Counter[tuple[str, Weapon | None]]()
    for roll in fallen:
        thrown[roll.name, roll.weapon] += roll.burst
    for roll in dict.fromkeys(replace(roll, mods=(), burst=1, dice=None) for roll in fallen):
        trooper = find_kept(roll.name, roll.profile, now)
        if trooper is not None:
            used: tuple[str, ...] = ()
            if roll.weapon is not None and roll.weapon.uses:  # each extra die uses it once more
                used = (roll.weapon.name,) * max(1, 1 + thrown[roll.name, roll.weapon] - roll.weapon.burst)
            left = with_states(trooper, (*roll.ended, states.OFF_TABLE), on=False)
            left = add_state(left, states.DEAD) if programs.of(roll.weapon).state else left
            now[trooper.name] = replace(left, spent=(*left.spent, *used))


def aid(after: State, now: dict[str, Trooper]) -> None:
    """Apply skill rolls to the channel's troopers: Doctor, Engineer, Discover, and a Dodge or Reset, which frees its
    trooper if it wins or is unopposed.
    """
    order = after.order
    if order is None:
        return
    for meeting, result in zip(order.meetings, results(after), strict=True):
        roll = order.rolls[meeting.a]
        target = find_kept(meeting.target, meeting.profile, now)
        if target is not None and meeting.b is None:
            own_skills, passed = roll.profile.skills if roll.profile else (), result.winner == "a"
            at_once, wounds = "Biometric Visor" in own_skills, 1 + ("Doctor (2W)" in own_skills)
            now[target.name] = after_aid(target, roll.action, passed=passed, at_once=at_once, wounds=wounds)
        place = meeting.winning_place(result.winner)
        won = order.rolls[place] if place is not None else None
        if won is not None and won.action in FREES and (own := find_kept(won.name, won.profile, now)) is not None:
            now[own.name] = with_states(own, FREES[won.action], on=False)


def by_skills(state: State) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return states ended and begun by skills, Dodges, and Resets of an order, by trooper."""
    if rerollable(state) is not None:
        return {}
    stood: dict[str, Trooper] = {
        name: replace(saves.as_trooper(name, profile), states=profile.states)
        for name, profile in (state.order.involved if state.order else ())
        if profile is not None and profile.kept
    }
    now = dict(stood)
    aid(state, now)
    return {
        name: (
            tuple(item for item in before.states if item not in now[name].states),
            tuple(item for item in now[name].states if item not in before.states),
        )
        for name, before in stood.items()
        if before.states != now[name].states
    }


FREES: Final[Mapping[Action, tuple[str, ...]]] = {
    Action.DODGE: ("Immobilized-A",),
    Action.RESET: ("Immobilized-B", "Targeted", "Isolated"),
}
"""States ended by a Dodge or a Reset."""


def after_aid(trooper: Trooper, action: Action, *, passed: bool, at_once: bool = False, wounds: int = 1) -> Trooper:
    """Return a trooper after a Doctor, Engineer, or Discover roll on it. Discover: IMP-1 becomes IMP-2, unless
    ``at_once``; IMP-2 and every other marker are revealed.
    """
    if action is Action.SENSOR:
        return with_states(trooper, ("Camouflaged",), on=False) if passed else trooper
    if action is Action.DISCOVER:
        result = with_states(trooper, states.COVER, on=False) if passed else trooper
        is_first = passed and not at_once and "Impersonation" in trooper.states
        return with_states(result, ("Impersonation-2",)) if is_first else result
    if action in AIDS and action not in KITS:
        return troopers.treated(trooper, action, passed=passed, wounds=wounds)
    return trooper


def find_kept(name: str, profile: TargetProfile | None, now: Mapping[str, Trooper]) -> Trooper | None:
    """Return a roll's trooper if it is one of the channel, and still there."""
    return find_exact(now, name) if is_kept(profile) else None


def is_kept(profile: TargetProfile | None) -> bool:
    return profile is not None and profile.kept


def deal_to(saved: saves.RolledSaves, now: dict[str, Trooper]) -> saves.RolledSaves:
    """Apply Saving Rolls to a trooper of ``now``; return them with its earlier losses."""
    trooper = find_kept(saved.save.name, saved.save.profile, now)
    if trooper is None:
        return saved
    again = replace(saved, save=replace(saved.save, profile=replace(saved.save.profile, lost=trooper.lost)))
    now[trooper.name] = saves.apply_saves(trooper, again)
    return again
