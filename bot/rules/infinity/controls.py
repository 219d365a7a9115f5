"""What the board offers for a trooper and for the turn, and what comes of a press there.

An order that rolls dice opens as any order does; all else is a step on the table: turns, command tokens, Fireteams, an
order without dice, states that the players say.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from bot.rules.dice import Rng
from bot.rules.errors import NotOffered, PlayerError
from bot.rules.game import Choice, Field, Offer, Option, Side
from bot.rules.infinity import open_order, states
from bot.rules.infinity import turn as turns
from bot.rules.infinity.declared import Doubt
from bot.rules.infinity.order import Aim, OpenOrder
from bot.rules.infinity.states import ACTING, DEAD, SUPPRESSIVE
from bot.rules.infinity.trooper import Trooper, condition, find, troopers_of, with_states
from bot.rules.infinity.turn import TURN, Kind, Paid, Turn, Use, running, turn_of
from bot.rules.infinity.words import parse
from bot.rules.pieces import Done
from bot.rules.text import Name, Names, Sentences, Shown, Text

__all__ = [
    "ATTACK",
    "BONUS",
    "LOOK",
    "MATCH",
    "attack_words",
    "choose",
    "first",
    "next_offers",
    "offers",
    "pieces",
    "table_offers",
]

ATTACK: Final = "order"
BONUS: Final = "same"
"""The same order once more."""
LOOK: Final = "look"
"""No offer has this key: nothing of a trooper is hidden from others."""
MATCH: Final = TURN
START: Final = "start"
END: Final = "end"
COMMAND: Final = "command"
TEAM: Final = "team"
PAID: Final = "paid-"
NUMBERS: Final = "numbers"
PLAIN: Final = "plain"
STATE: Final = "state"
OPTIONS_MOST: Final = 25
OTHERS_MOST: Final = 4
"""Troopers with a button of their own on the card of an order."""
YES, NO = "yes", "no"
YES_NO: Final = (Option(YES, Text("Yes")), Option(NO, Text("No")))
MOVES, FIRES = "moves", "fires"
PLAIN_ORDERS: Final = (
    Option(MOVES, Text("Move, or anything else without dice")),
    Option(FIRES, Text("Suppressive Fire"), Text("it is in that state from now on")),
)


def pieces(table: Mapping[str, Any]) -> tuple[Option, ...]:
    """The troopers to select from once there is a turn, those of the active player first."""
    turn = turn_of(table)
    if turn is None:
        return ()
    held = sorted(troopers_of(table).values(), key=lambda one: (one.owner != turn.active, one.is_down, one.name))
    return tuple(Option(one.name, Name(one.name), detail(turn, one)) for one in held)


def detail(turn: Turn, one: Trooper) -> Shown:
    """``group 1 · 1 of 2 Wounds lost, Isolated``."""
    parts = [Text("group {group}", group=one.group), condition(one)]
    level = turns.level_of(turn, one.name)
    parts += [Text("Fireteam level {level}", level=level)] * bool(level)
    return Sentences(parts, " · ")


def first(table: Mapping[str, Any], owner: int | None = None, selected: str = "") -> str:
    """The trooper on whom somebody's presses act: the one selected, else who acted last, else one that stands."""
    names = [option.value for option in pieces(table)]
    held = troopers_of(table)
    mine = [held[name] for name in names if owner in (None, held[name].owner)]
    if any(one.name == selected for one in mine):
        return selected
    turn = turn_of(table)
    last = turn.paid.name if turn is not None and turn.paid is not None else ""
    mine.sort(key=lambda one: (one.is_down, one.name != last))
    return mine[0].name if mine else ""


# Offers


def offers(table: Mapping[str, Any], name: str) -> tuple[Offer, ...]:
    """What may be done now with a trooper: its orders in its own turn, and what players say of its states."""
    turn, one = turn_of(table), troopers_of(table).get(name)
    if turn is None or one is None:
        return ()
    found = list(order_offers(table, turn, one)) if turn.is_running and one.owner in (0, turn.active) else []
    return (*found, state_offer(one))


def order_offers(table: Mapping[str, Any], turn: Turn, one: Trooper) -> tuple[Offer, ...]:
    """An order of a trooper, the same as its last one, and one without dice."""
    if not states.allowed(one.states, ACTING):
        return ()
    fields = order_fields(table, one)
    paid = turns.payment(turn, one)
    title = Text("{name}: {order}", name=one.name, order=paid.kind.named if paid else Text("out of order"))
    again = [Offer(BONUS, Side.ATTACKER, Text("Same again"))] if may_again(table, one) else []
    order = [Offer(ATTACK, Side.ATTACKER, Text("Order"), fields=fields, title=title)] if fields else []
    what = Field("what", Text("What {name} does", name=one.name), options=PLAIN_ORDERS, value=MOVES)
    plain = Offer(PLAIN, Side.ATTACKER, Text("Order without dice"), fields=(what,), title=title, aside=True)
    return (*again, *order, plain)


def order_fields(table: Mapping[str, Any], one: Trooper) -> tuple[Field, ...]:
    """The form of an order: the weapon, whom, how far, what applies, as in its last order; () where nobody is there."""
    targets = targets_of(table, one)
    if not targets or not (one.arms or open_order.skills_of(one, targets)):
        return ()
    held = tuple(troopers_of(table).values())
    order = OpenOrder(lines=(), roster=held, attacks=(Aim(one.name, tuple(each.name for each in targets)),))
    usual = said_before(table, one)
    return tuple(
        replace(field, value=usual.get(field.key, ""))
        if not field.options
        or {option.value for option in field.options}.issuperset(field.picked(usual.get(field.key, "")))
        else replace(field, value="")
        for field in open_order.attack_fields(order, order.attacks[0])
    )


def targets_of(table: Mapping[str, Any], one: Trooper) -> list[Trooper]:
    """Whom an order may be aimed at: enemies, then friends who need help."""
    others = [each for each in troopers_of(table).values() if each.name != one.name and DEAD not in each.states]
    foes = [each for each in others if not one.owner or each.owner != one.owner]
    friends = [each for each in others if each not in foes and (each.lost or each.states)]
    return [*sorted(foes, key=lambda each: each.name), *sorted(friends, key=lambda each: each.name)][:OPTIONS_MOST]


def said_before(table: Mapping[str, Any], one: Trooper) -> dict[str, str]:
    """What the form of an order holds at first: the weapon, the target and the distance of the last one."""
    arms = [arm.name for arm in one.arms]
    found = {"weapon": arms[0] if arms else "", "target": ""}
    names = [each.name for each in targets_of(table, one)]
    if len(names) == 1:
        found["target"] = names[0]
    try:
        (line,) = parse(one.last, troopers_of(table)).lines if one.last else ()
    except (PlayerError, ValueError):
        return found
    around = line.roll.around
    if line.roll.weapon is not None:
        found["weapon"] = line.roll.weapon.name
    found["target"] = ", ".join(target.name for target in line.targets if target.name in names)
    if around.distance is not None:
        found["at"] = f"{around.beyond or 0}-{around.distance}"
    return found


def may_again(table: Mapping[str, Any], one: Trooper) -> bool:
    """Whether the last order of a trooper may be made once more: its target is still there."""
    aims = said_before(table, one)["target"] if one.last else ""
    return bool(aims) or (bool(one.last) and " vs " not in one.last)


def state_offer(one: Trooper) -> Offer:
    """The form of what only players see: contact, Prone, a state that began or ended on the table."""
    begins = tuple(Option(state, Text(state)) for state in states.STATES if state not in one.states)[:OPTIONS_MOST]
    ends = tuple(Option(state, Text(state)) for state in one.states)
    fields = (
        Field("begins", Text("A state that begins"), required=False, options=begins),
        *((Field("ends", Text("A state that ends"), required=False, options=ends),) if ends else ()),
    )
    return Offer(STATE, Side.ATTACKER, Text("State of a trooper"), fields=fields, title=Name(one.name), aside=True)


def table_offers(table: Mapping[str, Any]) -> tuple[Offer, ...]:
    """The start or the end of a turn, command tokens, Fireteams, and what the referee counted wrongly."""
    turn, held = turn_of(table), troopers_of(table)
    if turn is None or not turn.is_running:
        if not turns.owners(table):
            return ()
        who = turn.next if turn is not None and turn.next in turns.owners(table) else 0
        start = Offer(START, Side.ATTACKER, Text("Start turn"), fields=start_fields(), closes=True, player=who)
        return (start, *((team_offer(held),) if turn is not None else ()))
    return (
        Offer(END, Side.ATTACKER, Text("End turn"), closes=True, aside=turn.left > 0),
        token_offer(held),
        team_offer(held),
        *paid_offers(turn, held),
        numbers_offer(turn),
    )


def start_fields() -> tuple[Field, ...]:
    """What the Tactical Phase asks the active player alone."""
    return (
        Field("leads", Text("Is your Lieutenant in play?"), options=YES_NO, value=YES),
        Field("retreats", Text("Is your army in Retreat!?"), options=YES_NO, value=NO),
    )


def token_offer(held: Mapping[str, Trooper]) -> Offer:
    who = tuple(Option(name, Name(name)) for name in sorted(held))[:OPTIONS_MOST]
    fields = (
        Field("use", Text("What for"), options=tuple(Option(use.value, use.named) for use in Use)),
        Field("who", Text("For which trooper"), required=False, options=who),
    )
    return Offer(COMMAND, Side.ATTACKER, Text("Command token"), fields=fields, aside=True)


def team_offer(held: Mapping[str, Trooper]) -> Offer:
    members = tuple(Option(one.name, Name(one.name)) for one in sorted(held.values(), key=lambda one: one.name))
    levels = tuple(Option(str(level), Text("Level {level}", level=level)) for level in range(1, turns.TEAM_MOST + 1))
    fields = (
        Field("called", Text("Name of the Fireteam"), "Core 1", longest=24),
        Field("members", Text("Members"), options=members[:OPTIONS_MOST], several=True),
        Field("level", Text("Members of the same unit"), options=levels),
    )
    return Offer(TEAM, Side.ATTACKER, Text("Fireteam"), fields=fields, aside=True)


def paid_offers(turn: Turn, held: Mapping[str, Trooper]) -> list[Offer]:
    """What the last order cost, if the referee took the wrong one."""
    paid = turn.paid
    if paid is None or paid.name not in held:
        return []
    before = turns.pay(turn, paid, back=True)
    other = [one.kind for one in turns.payments(before, held[paid.name]) if one.kind is not paid.kind]
    return [
        Offer(
            f"{PAID}{kind.value}",
            Side.ATTACKER,
            Text("It was: {kind} ({name})", kind=kind.named, name=paid.name),
            aside=True,
        )
        for kind in other
    ]


def numbers_offer(turn: Turn) -> Offer:
    """The form of the numbers of the board: the referee counts, the players are right."""
    pools = {pool.group: pool.left for pool in turn.pools}
    fields = (
        *(
            Field(
                f"group-{group}",
                Text("Orders of group {group}", group=group),
                "0",
                longest=2,
                value=str(pools.get(group, 0)),
            )
            for group in (1, 2)
        ),
        Field("lieutenant", Text("Lieutenant's Orders"), "0", longest=2, value=str(turn.lieutenant)),
        Field("tokens", Text("Command tokens"), "0", longest=2, value=str(turn.tokens_of(turn.active))),
        Field("round", Text("Round"), "1", longest=2, value=str(turn.round)),
    )
    return Offer(NUMBERS, Side.ATTACKER, Text("Correct the numbers"), fields=fields, aside=True)


def next_offers(table: Mapping[str, Any]) -> tuple[tuple[str, Offer], ...]:
    """What comes next on the card of an order: the same again, the next order of those who act, the end of the turn."""
    turn = turn_of(table)
    if turn is None or not turn.is_running:
        return ()
    held = troopers_of(table)
    last = held.get(turn.paid.name) if turn.paid is not None else None
    found: list[tuple[str, Offer]] = []
    if last is not None:
        found += [(last.name, one) for one in order_offers(table, turn, last) if not one.aside]
    others = [
        one for one in turns.own(table, turn.active) if one is not last and not one.is_down and turns.payment(turn, one)
    ]
    others.sort(key=lambda one: not one.last)
    for one in others[:OTHERS_MOST]:
        mine = (each for each in order_offers(table, turn, one) if each.key == ATTACK)
        found += [(one.name, replace(each, label=Text("{name} ...", name=one.name))) for each in mine]
    end = Offer(END, Side.ATTACKER, Text("End turn"), closes=True)
    return (*found, (MATCH, end))


# Steps


def attack_words(name: str, filled: Mapping[str, str], offer: str = ATTACK) -> dict[str, Any]:
    """The words of an order of a trooper: what its form holds, or its last line once more."""
    if offer == BONUS:
        return {"acts": name, "again": True}
    return {"acts": name, "form": dict(filled)}


def choose(table: Mapping[str, Any], name: str, choice: Choice, rng: Rng, player: int) -> Done:  # noqa: ARG001 - no dice
    """What comes of a press; ``player`` is the number of who pressed. Raises ``PlayerError``."""
    filled = choice.filled or {}
    key = choice.offer
    if key == START:
        offer = next((one for one in table_offers(table) if one.key == START), None)
        who = player or (offer.player if offer else 0) or next(iter(turns.owners(table)), 0)
        leads = None if filled.get("leads", YES) == YES else False
        return Done(*turns.start(table, who, retreats=filled.get("retreats") == YES, leads=leads))
    if key == END:
        return Done(*turns.end(table))
    if key == COMMAND:
        turn = running(table)
        return Done(*turns.spend_token(table, player or turn.active, Use(filled["use"]), filled.get("who", "")))
    if key == TEAM:
        members = [one for one in filled.get("members", "").split(", ") if one]
        level = int(filled.get("level", "") or 1)
        return Done(*turns.make_team(table, player, filled["called"].strip(), members, level))
    if key.startswith(PAID):
        return repaid(table, Kind(key.removeprefix(PAID)))
    if key == NUMBERS:
        return numbered(table, filled)
    one = find(troopers_of(table), name)
    if key == PLAIN:
        return plain_order(table, one, filled.get("what", MOVES))
    if key == STATE:
        return stated(table, one, filled)
    raise NotOffered


def repaid(table: Mapping[str, Any], kind: Kind) -> Done:
    """The last order was paid with something else."""
    turn = running(table)
    paid = turn.paid
    if paid is None:
        raise NotOffered
    before, one = turns.pay(turn, paid, back=True), find(troopers_of(table), paid.name)
    new = next((other for other in turns.payments(before, one) if other.kind is kind), Paid(one.name, Kind.NONE))
    what = Text("corrects the order of {name}: {kind}", name=one.name, kind=kind.named)
    return Done({TURN: turns.pay(before, new)}, what)


def numbered(table: Mapping[str, Any], filled: Mapping[str, str]) -> Done:
    """The numbers of the board as somebody typed them over."""
    turn = running(table)
    typed = {key: number(filled.get(key, "")) for key in ("group-1", "group-2", "lieutenant", "tokens", "round")}
    known = {pool.group: pool for pool in turn.pools}
    for group in (1, 2):
        now, left = known.get(group, turns.Pool(group, 0, 0)), typed[f"group-{group}"]
        known[group] = replace(now, left=left, of=max(now.of, left))
    made = replace(
        turn,
        pools=tuple(known[group] for group in sorted(known) if known[group].of),
        lieutenant=typed["lieutenant"],
        had_lieutenant=turn.had_lieutenant or bool(typed["lieutenant"]),
        tokens=tuple(sorted({**dict(turn.tokens), turn.active: typed["tokens"]}.items())),
        round=max(1, typed["round"]),
    )
    return Done({TURN: made}, Text("corrects the numbers: {orders}", orders=turns.orders_line(made)))


def number(text: str) -> int:
    """A small number of a form. Raises ``PlayerError``."""
    if not text.strip().isdecimal() or int(text) > 20:
        raise PlayerError(Text("Use whole numbers from 0 to 20, not `{text}`.", text=text.strip()[:20]))
    return int(text)


def plain_order(table: Mapping[str, Any], one: Trooper, what: str) -> Done:
    """An order without dice is paid; Suppressive Fire begins by it, every other order ends it."""
    turn = running(table)
    paid = turns.payment(turn, one)
    if paid is None:
        raise PlayerError(turns.doubtful(Doubt("spent", one.name, one.group)))
    fires = what == FIRES
    if fires and not turns.may_suppress(one):
        raise PlayerError(Text("{name} has no weapon with Suppressive Fire.", name=one.name))
    after = with_states(one, (SUPPRESSIVE,), on=fires) if fires or SUPPRESSIVE in one.states else one
    made = turns.with_teams(turns.pay(turn, paid), {**table, one.name: after})
    message = "{name} enters Suppressive Fire ({order})" if fires else "{name} spends an order without dice ({order})"
    changes: dict[str, Any] = {TURN: made, **({one.name: after} if after != one else {})}
    return Done(changes, Text(message, name=one.name, order=paid.kind.named))


def stated(table: Mapping[str, Any], one: Trooper, filled: Mapping[str, str]) -> Done:
    """A state begins or ends because the players say so."""
    begins, ends = filled.get("begins", ""), filled.get("ends", "")
    if not begins and not ends:
        raise PlayerError(Text("Pick a state that begins, or one that ends."))
    after = with_states(one, (ends,), on=False) if ends else one
    after = with_states(after, (begins,)) if begins else after
    changes: dict[str, Any] = {one.name: after}
    if (turn := turn_of(table)) is not None:
        changes[TURN] = turns.with_teams(turn, {**table, one.name: after})
    told = [Text("{name} is {state} now", name=one.name, state=Text(begins))] * bool(begins)
    told += [Text("{name} is no longer {state}", name=one.name, state=Names([Text(ends)]))] * bool(ends)
    return Done(changes, Sentences(told, ", "))
