"""Infinity's pieces for the table: troopers, what a roll takes from them, and what it brings upon them."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from bot.rules.dice import Rng
from bot.rules.errors import PlayerError
from bot.rules.game import Side
from bot.rules.infinity import open_order, reading, saves, states
from bot.rules.infinity import turn as turns
from bot.rules.infinity.declared import Action, Doubt, Order, Profile, Save, Weapon
from bot.rules.infinity.order import Aim, Challenge, Declared, OpenOrder
from bot.rules.infinity.play import State, landed, results, screens
from bot.rules.infinity.trooper import Trooper, find, healed, known, troopers_of, with_states, wounded
from bot.rules.infinity.turn import TURN, Kind, Paid, Turn
from bot.rules.plans import Commitment
from bot.rules.reading import Reader
from bot.rules.text import EMPTY, N_, Name, Text

__all__ = ["SCHEMA", "Body", "by_side", "declare", "names", "rolling", "settle"]

SCHEMA = 1
"""Profiles of earlier versions are troopers without weapons, Wounds and states."""
Body = Trooper | Turn | Commitment


def declare(raw: Mapping[str, object], pieces: Mapping[str, Any]) -> Declared:
    """A declaration in which names stand for troopers of the channel.

    While a turn is running the reactive side is asked for its AROs, and an order that is out of order says why; not for
    ``odds``, which roll nothing.
    Raises ``PlayerError`` as ``reading.declare`` does.
    """
    turn = turns.turn_of(pieces)
    held = {name: replace(one, team=team_of(turn, one)) for name, one in troopers_of(pieces).items()}
    if raw.get("odds"):
        return reading.declare({key: value for key, value in raw.items() if key != "odds"}, held)
    raw = pressed(raw, held) if "acts" in raw else raw
    declared = moving(raw, held) if "moves" in raw else reading.declare(raw, held)
    is_order = not isinstance(declared, Save) and bool({"order", "who", "moves"} & raw.keys())
    return in_turn(declared, raw, turn, held) if is_order and turn is not None and turn.is_running else declared


def in_turn(declared: Declared, raw: Mapping[str, object], turn: Turn, held: Mapping[str, Trooper]) -> Declared:
    """An order of a running turn, which asks for AROs where nobody has said one, with what speaks against it."""
    alone = all(roll.side is Side.ATTACKER for roll in declared.rolls)
    acts = isinstance(declared, Order) and (
        any(one.target for one in declared.meetings) or any(one.is_screen for one in declared.rolls)
    )
    if acts and alone:
        declared = reading.declare({**raw, "open": True}, held)  # somebody is attacked, and nobody has said a reaction
    order = open_order.closed(declared) if isinstance(declared, OpenOrder) and declared.lines else declared
    if isinstance(order, Order):
        check_turn(order, turn)
    one = known(held, acting(declared))
    why = (turns.doubt(turn, one) if one is not None else None) or nobodys(str(raw.get("order", "")), held)
    if isinstance(declared, OpenOrder):
        return replace(declared, asks=True, doubt=why)
    return replace(declared, doubt=why, ordered=True) if isinstance(declared, Order) else declared


def team_of(turn: Turn | None, one: Trooper) -> int:
    """The level of a trooper's Fireteam; 0 for one whose own next order takes it out of it."""
    paid = turns.payment(turn, one) if turn is not None and one.owner == turn.active else None
    return 0 if paid is not None and paid.kind in turns.LEAVES_TEAM else turns.level_of(turn, one.name)


def pressed(raw: Mapping[str, object], held: Mapping[str, Trooper]) -> dict[str, object]:
    """The words of an order that was pressed: what its form holds, or the last line of its trooper once more."""
    name, form = str(raw["acts"]), raw.get("form")
    one = find(held, name)
    rest = {key: value for key, value in raw.items() if key not in ("acts", "form", "again")}
    if not isinstance(form, Mapping):
        if not one.last:
            raise PlayerError(Text("{name} has made no order yet: press Order.", name=one.name))
        return {**rest, "order": one.last, "open": True}
    order = OpenOrder(lines=(), roster=tuple(held.values()))
    filled = {str(key): str(value) for key, value in form.items()}
    aims = tuple(Name(target) for target in filled.get("target", "").split(", ") if target)
    if not aims:
        targets = [other.name for other in held.values() if other.owner != one.owner and not other.is_down]
        aims = (targets[0],) if len(targets) == 1 else ()
    if not aims:
        raise PlayerError(Text("Pick whom the order is aimed at."))
    lines = open_order.attack_lines(order, Aim(one.name, aims), filled)
    return {**rest, "order": "\n".join(lines), "open": True}


def moving(raw: Mapping[str, object], held: Mapping[str, Trooper]) -> OpenOrder:
    """An order whose first skill has no dice, as a Move; whoever spends it is out of Suppressive Fire, and comes in."""
    one = find(held, str(raw["moves"]))
    open_order.check_can_act(one)
    roster = {**held, one.name: with_states(one, ENDED_BY_ORDERS, on=False)}
    edition = reading.read_edition(Reader(raw))
    return OpenOrder(lines=(), edition=edition, roster=tuple(roster.values()), first=one.name)


ENDED_BY_ORDERS: Final = (states.SUPPRESSIVE, states.OFF_TABLE)


def acting(declared: Declared) -> str:
    """The trooper on whom an order is spent: the first who acts."""
    if isinstance(declared, OpenOrder):
        return open_order.acts(declared)
    return next((roll.name for roll in declared.rolls if roll.side is Side.ATTACKER), "")


def nobodys(typed: str, held: Mapping[str, Trooper]) -> Doubt | None:
    """The doubt about an order that names a marker which nobody has put on the table: its number reads as a value."""
    return next((Doubt("nobody", one) for one in MARKER.findall(typed) if known(held, one) is None), None)


MARKER: Final = re.compile(r"\b(?:CAMO|IMP|HOLO|DECOY) \d+\b")


def check_turn(order: Order, turn: Turn) -> None:
    """Raises ``Forbidden`` for the sixth Guided attack, and who has failed to discover the same marker in this turn."""
    if turn.guided >= turns.GUIDED_MOST and any(roll.guided and not roll.anyway for roll in order.rolls):
        raise states.Forbidden(Text("{most} Guided attacks were made in this turn already.", most=turns.GUIDED_MOST))
    for meeting in order.meetings:
        roll = order.rolls[meeting.a]
        if roll.action is Action.DISCOVER and (roll.name, meeting.target) in turn.missed and not roll.anyway:
            message = N_("{name} has failed to discover {target} in this turn. A GM may write `anyway`.")
            raise states.Forbidden(Text(message, name=roll.name, target=meeting.target))


def missed(after: State, now: Mapping[str, Trooper]) -> list[tuple[str, str]]:
    """Who failed to discover which marker with these dice."""
    order = after.order
    if order is None:
        return []
    lost = (one for one, result in zip(order.meetings, results(after), strict=False) if result.winner != "a")
    looked = ((order.rolls[one.a], one.target) for one in lost if one.target in now and now[one.target].is_marker)
    return [(roll.name, target) for roll, target in looked if roll.action is Action.DISCOVER]


def not_secret(declared: Declared) -> Text:
    """Why a roll cannot be rolled in secret; "" where it can."""
    if declared.awaits:
        return Text("This roll waits for what the other side does.")
    kept = names(State(declared=declared))
    if isinstance(declared, Save):
        message = N_("These Saving Rolls cost {name} Wounds, which everybody sees; leave out the name.")
        return Text(message, name=Name(kept[0])) if kept else EMPTY
    aiding = {one.action for one in declared.rolls} & {
        Action.DOCTOR,
        Action.ENGINEER,
        Action.DISCOVER,
        Action.SENSOR,
        *FREES,
    }
    if kept and aiding and any(one and one.states for _, one in declared.involved):
        return Text("This roll may end a state of a trooper of this channel, which everybody sees.")
    if kept and any(one.weapon and one.weapon.state and not one.weapon.is_saved for one in declared.rolls):
        return Text("A hit of this weapon brings a state upon a trooper of this channel, which everybody sees.")
    return EMPTY


def names(state: State) -> tuple[str, ...]:
    """The troopers of the channel that a roll may harm, and the turn, which pays orders and asks for Guts Rolls."""
    declared = state.declared
    if isinstance(declared, OpenOrder):
        return (acting(declared), TURN) if declared.asks else ()
    kept = tuple(dict.fromkeys(name for name, profile in declared.involved if is_kept(profile)))
    in_turn = isinstance(declared, Save) or declared.ordered or state.turn is not None
    return (*kept, TURN) if kept and in_turn else kept


def by_side(declared: Declared) -> Mapping[Side, str]:
    """The troopers of the channel whose owners play the two sides of a roll.

    Of an order that is the first who acts, and the only one who is acted upon. One that others may still join has no
    defender yet, nor has one against several. Saving Rolls alone are made by who is hit.
    """
    if isinstance(declared, OpenOrder):
        first = open_order.acts(declared)
        return {Side.ATTACKER: first} if any(one.name == first for one in declared.roster) else {}
    if isinstance(declared, Save):
        return {Side.ATTACKER: declared.name} if declared.profile.kept else {}
    kept = [one for one in declared.rolls if is_kept(one.profile)]
    active = [one.name for one in kept if one.side is Side.ATTACKER]
    foes = {one.name for one in kept if one.side is Side.DEFENDER}
    foes |= {one.target for one in declared.meetings if is_kept(one.profile)}
    found = {Side.ATTACKER: active[0]} if active else {}
    return found | ({Side.DEFENDER: foes.pop()} if len(foes) == 1 and not declared.several else {})


def rolling(before: State, after: State) -> tuple[str, ...]:
    """The troopers of the channel with which a ply declares a reaction or makes Saving Rolls or Guts Rolls.

    Where the line names who plays a trooper, those rolls are that person's, whoever owns it.
    """
    made, guts = after.saves[len(before.saves) :], after.guts[len(before.guts) :]
    owned = {one.save.name: one.save.profile.kept and not one.save.profile.player for one in after.saves}
    saving = (name for name in (*(one.save.name for one in made), *(one.name for one in guts)) if owned.get(name))
    return tuple(dict.fromkeys([*saving, *reacting(before.declared, after.declared)]))


def reacting(then: Declared, now: Declared) -> list[str]:
    """The troopers of the channel whose reactions a declaration has more."""
    if isinstance(then, OpenOrder) and isinstance(now, OpenOrder):
        acted = {line.roll.name for line in open_order.parsed(then)}
        new = (line.roll.trooper for line in open_order.parsed(now) if line.roll.name not in acted)
        return [one.name for one in new if one is not None]
    if isinstance(then, Challenge) and isinstance(now, Challenge) and then.awaits and not now.awaits:
        return [one.name for one in now.rolls[1:] if is_kept(one.profile)]
    return []


def about(state: State) -> tuple[str, ...]:
    """Every trooper that a roll names, who attacks before whom they attack."""
    declared = state.declared
    by = [declared.by] if isinstance(declared, Save) else []
    return tuple(dict.fromkeys(filter(None, [*by, *(name for name, _ in declared.involved)])))


def settle(
    before: State | None,
    after: State,
    pieces: Mapping[str, Any],
    rng: Rng,  # noqa: ARG001 - nothing more falls
) -> tuple[State, Mapping[str, Any]]:
    """The Wounds and states of the Saving Rolls that this ply made, and states that a hit brings without any.

    They are dealt to the troopers as they stand now; the state that comes back says what those had lost before. A
    trooper that is gone from the channel stays gone.
    """
    then, now = before or State(declared=after.declared), troopers_of(pieces)
    made = [dealt(saved, now) for saved in after.saves[len(then.saves) :]]
    if not then.dice:
        for hit in landed(after):
            one = kept(hit.name, hit.profile, now)
            if one is not None and hit.weapon.state and not hit.weapon.is_saved:
                now[one.name] = brought(one, hit.weapon.state)
        aid(after, now)
    spend(after, now, len(then.dice))
    end_fire(after, now, len(then.guts), opens=before is None or before.declared.doubt is not None)
    remember(then.declared, after, now)
    changed: dict[str, Trooper | Turn] = {name: one for name, one in now.items() if one != pieces[name]}
    state = replace(after, saves=(*then.saves, *made))
    turn = turns.turn_of(pieces)
    if turn is None:
        return state, changed
    turn = replace(turn, frenzied=(*turn.frenzied, *frenzied(made, turn, now)))
    state, turn = ordered(before, state, turn, now)
    in_turn = state.turn or state.paid or (turn.is_running and isinstance(after.declared, Save) and after.saves)
    return replace(state, turn=turn if in_turn else None), {**changed, TURN: turn}


def end_fire(after: State, now: dict[str, Trooper], known_guts: int, *, opens: bool) -> None:
    """End Suppressive Fire of who has failed a Guts Roll, and of who begins an order with a Move.

    ``known_guts``: so many Guts Rolls were made before. ``opens``: the order begins now.
    """
    for guts in after.guts[known_guts:]:
        one = known(now, guts.name)
        if one is not None and not guts.passed:
            now[one.name] = with_states(one, (states.SUPPRESSIVE,), on=False)
    first = after.declared.first if opens and isinstance(after.declared, OpenOrder) else ""
    if first in now:
        now[first] = with_states(now[first], ENDED_BY_ORDERS, on=False)


def frenzied(made: Sequence[saves.Saved], turn: Turn, now: Mapping[str, Trooper]) -> list[str]:
    """Whose Frenzy these Saving Rolls trigger: those who caused a Wound."""
    by = {one.name: one for saved in made if saves.wounds(saved) and (one := known(now, saved.save.by))}
    return [name for name, one in by.items() if one.has("Frenzy") and name not in turn.frenzied]


def remember(then: Declared, after: State, now: dict[str, Trooper]) -> None:
    """The line of an order stays with its trooper, which may make the same again."""
    if not isinstance(then, OpenOrder) or not then.asks or not isinstance(after.declared, Order):
        return
    acts = [line.roll.name for line in open_order.parsed(then)[:1]]
    one = known(now, acts[0]) if acts == [acting(then)] else None
    if one is not None:
        now[one.name] = replace(one, last=PLAYERS.sub("", then.lines[0])[:LINE_MOST])


PLAYERS: Final = re.compile(r" @\d+")
"""Who plays a trooper, in a line that somebody typed."""
LINE_MOST: Final = 200


def ordered(before: State | None, after: State, turn: Turn, now: Mapping[str, Trooper]) -> tuple[State, Turn]:
    """The state and the turn once an order is paid as it opens, or given back as it is withdrawn.

    Raises ``PlayerError`` where the last order has gone meanwhile.
    """
    was_doubted, stood = before is not None and before.declared.doubt is not None, turn
    if after.withdrawn:
        after, turn = withdrawn(before, after, turn)
    elif turn.is_running and costs(after.declared) and (before is None or was_doubted):
        after, turn = paid_for(after, turn, now, at_all_costs=was_doubted)
    if after.turn is not None and after.dice and not (before is not None and before.dice):
        turn = with_dice(after, turn, now)
        after = replace(after, turn=turn)
    turn = turns.with_teams(turn, now)
    left = {name for team in stood.teams for name in team.members} - {n for team in turn.teams for n in team.members}
    return replace(after, parted=tuple(sorted({*after.parted, *left})) if after.turn else ()), turn


def withdrawn(before: State | None, after: State, turn: Turn) -> tuple[State, Turn]:
    """An order that ends without dice: where it was withdrawn, what it cost is given back."""
    if isinstance(after.declared, OpenOrder) and after.declared.over:
        return replace(after, turn=turn), turn
    if before is None or before.paid is None:
        return after, turn
    turn = turns.pay(turn, before.paid, back=True)
    return replace(after, paid=None, turn=turn), turn


def with_dice(after: State, turn: Turn, now: Mapping[str, Trooper]) -> Turn:
    """The turn once the dice of an order fell: Guided attacks, Fireteams, who has failed to discover whom."""
    thrown = [after.declared.rolls[place].name for place, stays in screens(after).items() if stays]
    smoke = tuple(dict.fromkeys((*turn.smoke, *thrown)))
    turn = replace(turn, guided=turn.guided + sum(roll.guided for roll in after.declared.rolls), smoke=smoke)
    turn = turns.agreed(turn if after.paid is None else turns.led(turn, after.paid), reactions(after.declared))
    return replace(turn, missed=(*turn.missed, *missed(after, now)))


def paid_for(after: State, turn: Turn, now: Mapping[str, Trooper], *, at_all_costs: bool) -> tuple[State, Turn]:
    """An order that opens, paid unless something speaks against it; ``at_all_costs`` somebody has said it is right."""
    one = known(now, acting(after.declared))
    if one is None:
        return after, turn
    if after.declared.doubt is not None:
        return replace(after, turn=turn), turn
    calm = is_calm(after.declared)
    paid = turns.payment(turn, one, calm=calm) if one.owner in (0, turn.active) else None
    if paid is None and not at_all_costs:
        raise PlayerError(turns.doubtful(Doubt("spent", one.name, one.group)))
    paid = paid or Paid(one.name, Kind.NONE)
    turn = turns.pay(turn, paid)
    return replace(after, paid=paid, turn=turn), turn


def is_calm(declared: Declared) -> bool:
    """Whether an order is none that an Impetuous trooper may spend in the Impetuous Phase: no attack, no Dodge."""
    if isinstance(declared, Save) or (isinstance(declared, OpenOrder) and not declared.lines):
        return False
    order = open_order.closed(declared) if isinstance(declared, OpenOrder) else declared
    return any(one.side is Side.ATTACKER and one.action not in IMPETUOUS for one in order.rolls)


IMPETUOUS: Final = (Action.SHOOT, Action.TEMPLATE, Action.DIRECT, Action.CC, Action.DODGE)


def reactions(declared: Declared) -> dict[str, str]:
    """The skill with which each trooper reacts; any weapon is one skill, BS Attack."""
    shots = (Action.TEMPLATE, Action.DIRECT)
    react = (one for one in declared.rolls if one.side is Side.DEFENDER)
    return {one.name: Action.SHOOT if one.action in shots else one.action for one in react}


def costs(declared: Declared) -> bool:
    """Whether a declaration is an order of the turn, and no duel, nor Saving Rolls alone."""
    if isinstance(declared, OpenOrder):
        return declared.asks
    return isinstance(declared, Order) and declared.ordered


def spend(after: State, now: dict[str, Trooper], known: int) -> None:
    """End what the declarations of an order end, and use up disposable weapons, also where the shot is cancelled.

    ``known``: so many of its rolls had their dice before.
    """
    fallen = after.order.rolls[known : len(after.dice)] if after.order else ()
    thrown = Counter[tuple[str, Weapon | None]]()
    for roll in fallen:
        thrown[roll.name, roll.weapon] += roll.burst
    for roll in dict.fromkeys(replace(roll, mods=(), burst=1, dice=None) for roll in fallen):
        one = kept(roll.name, roll.profile, now)
        if one is not None:
            used: tuple[str, ...] = ()
            if roll.weapon is not None and roll.weapon.uses:  # each die of a Burst MOD is a use more
                used = (roll.weapon.name,) * max(1, 1 + thrown[roll.name, roll.weapon] - roll.weapon.burst)
            left = with_states(one, (*roll.ended, states.OFF_TABLE), on=False)
            now[one.name] = replace(left, spent=(*left.spent, *used))


def brought(trooper: Trooper, state: str) -> Trooper:
    """The trooper with a state more; whoever is Dead is nothing else of that kind."""
    down = (*states.DOWN, *states.STANDING) if state == states.DEAD else ()
    return with_states(with_states(trooper, down, on=False), (state,))


def aid(after: State, now: dict[str, Trooper]) -> None:
    """Deal what the rolls of skills do to troopers of the channel: Doctor, Engineer, Discover, and a Dodge or Reset.

    A Dodge or Reset frees its own trooper where it wins or is not opposed.
    """
    order = after.order
    if order is None:
        return
    for meeting, result in zip(order.meetings, results(after), strict=True):
        roll = order.rolls[meeting.a]
        target = kept(meeting.target, meeting.profile, now)
        if target is not None and meeting.b is None:
            at_once = roll.profile is not None and "Biometric Visor" in roll.profile.skills
            now[target.name] = aided(target, roll.action, passed=result.winner == "a", at_once=at_once)
        place = meeting.won_by(result.winner)
        won = order.rolls[place] if place is not None else None
        if won is not None and won.action in FREES and (own := kept(won.name, won.profile, now)) is not None:
            now[own.name] = with_states(own, FREES[won.action], on=False)


def by_skills(state: State) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """What skills, Dodges and Resets of an order do: for each trooper of the channel the states that end and begin."""
    involved = ((name, one) for name, one in (state.order.involved if state.order else ()) if one and one.kept)
    stood: dict[str, Trooper] = {
        name: replace(saves.as_trooper(name, one), states=one.states) for name, one in involved
    }
    now = dict(stood)
    aid(state, now)
    return {
        name: (
            tuple(one for one in before.states if one not in now[name].states),
            tuple(one for one in now[name].states if one not in before.states),
        )
        for name, before in stood.items()
        if before.states != now[name].states
    }


FREES: Final[Mapping[Action, tuple[str, ...]]] = {
    Action.DODGE: ("Immobilized-A",),
    Action.RESET: ("Immobilized-B", "Targeted", "Isolated"),
}
"""The states that a Dodge or a Reset ends."""
FOUND: Final = ("Camouflaged", "Impersonation", "Impersonation-2", "Holoecho", "Decoy")


def aided(trooper: Trooper, action: Action, *, passed: bool, at_once: bool = False) -> Trooper:
    """A trooper after somebody's Doctor, Engineer or Discover roll on it.

    Doctor (VITA): passed, one Wound comes back and it is no longer Unconscious; failed, it is Dead. Engineer (STR):
    passed, one point of STR comes back, failed, it loses one; a trooper that stands in states is freed of them instead.
    Discover: IMP-1 becomes IMP-2, unless it is seen ``at_once``; the second one, and every other marker, is opened.
    """
    if action is Action.SENSOR:
        return with_states(trooper, ("Camouflaged",), on=False) if passed else trooper
    if action is Action.DISCOVER:
        found = with_states(trooper, FOUND, on=False) if passed else trooper
        is_first = passed and not at_once and "Impersonation" in trooper.states
        return with_states(found, ("Impersonation-2",)) if is_first else found
    if action not in (Action.DOCTOR, Action.ENGINEER) or states.DEAD in trooper.states:
        return trooper
    ends = states.REPAIRED if action is Action.ENGINEER else ("Stunned",)
    lies = bool({states.UNCONSCIOUS, "No Wound Incapacitation"} & set(trooper.states))
    is_broken = action is Action.ENGINEER and trooper.lost > 0 and not set(ends) & set(trooper.states)
    if not lies and not is_broken:
        return with_states(trooper, ends, on=False) if passed else trooper
    if passed:
        return healed(trooper)
    return brought(trooper, states.DEAD) if action is Action.DOCTOR else wounded(trooper, 1)


def kept(name: str, profile: Profile | None, now: Mapping[str, Trooper]) -> Trooper | None:
    """The trooper of the channel that a roll means, if it is one and still there."""
    return known(now, name) if is_kept(profile) else None


def is_kept(profile: Profile | None) -> bool:
    """Whether somebody in a roll is a trooper of the channel."""
    return profile is not None and profile.kept


def dealt(saved: saves.Saved, now: dict[str, Trooper]) -> saves.Saved:
    """Deal Saving Rolls to a trooper of ``now``; the same rolls with what that trooper had lost before them."""
    one = kept(saved.save.name, saved.save.profile, now)
    if one is None:
        return saved
    again = replace(saved, save=replace(saved.save, profile=replace(saved.save.profile, lost=one.lost)))
    now[one.name] = saves.harmed(one, again)
    return again
