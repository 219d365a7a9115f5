"""What the board offers for a trooper and for the turn, and what comes of a press there.

An order that rolls dice opens as any order does; all else is a step on the table: turns, command tokens, Fireteams, an
order without dice, states that the players say.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any, Final

from bot.rules.dice import Rng
from bot.rules.errors import NotOffered, PlayerError
from bot.rules.game import OWNER, Choice, Field, Fill, Offer, Option, Rank, Then, asking, named
from bot.rules.infinity import markers, open_order, phases, states, words
from bot.rules.infinity import turn as turns
from bot.rules.infinity.order import Aim, OpenOrder
from bot.rules.infinity.trooper import Trooper, condition, find, troopers_of, with_states
from bot.rules.infinity.turn import TURN, Kind, Paid, Turn, Use, running, turn_of
from bot.rules.pieces import Done
from bot.rules.text import N_, Code, Name, Names, Sentences, Text, beside, labelled, term

ATTACK: Final = "order"
BONUS: Final = "same"
"""The same order once more."""
FIRST: Final = "move"
"""An order whose first skill is a Move: AROs, then the second skill."""
LOOK: Final = "look"
"""No offer has this key: nothing of a trooper is hidden from others."""
MATCH: Final = TURN
START: Final = "start"
ROLL: Final = "lieutenant"
KEEPS: Final = "keeps"
OTHER: Final = "other"
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
    turn = turn_of(table) or Turn()
    if turn == Turn() and not any(one.is_marker for one in troopers_of(table).values()):
        return ()
    held = sorted(troopers_of(table).values(), key=lambda one: (one.owner != turn.active, one.is_down, one.name))
    found = []
    for one in held:
        level = turns.level_of(turn, one.name)
        team = [Text("Fireteam level {level}", level=level)] * bool(level)
        detail = Sentences([Text("group {group}", group=one.group), condition(one), *team], " · ")
        found.append(Option(one.name, one.name, detail))
    return tuple(found)


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
    if one is None:
        return ()
    found = list(markers.offers(table, one))
    if turn is not None:
        found += order_offers(table, turn, one) if turn.is_running and one.owner in (0, turn.active) else ()
        found.append(state_offer(one))
    return tuple(found)


def order_offers(table: Mapping[str, Any], turn: Turn, one: Trooper) -> tuple[Offer, ...]:
    """An order of a trooper, the same as its last one, and one without dice."""
    if not states.allowed(one.states, states.ACTING):
        return ()
    fields: tuple[Field, ...] = () if one.is_marker else order_fields(table, one)
    paid = turns.payment(turn, one)
    title = labelled(one.name, paid.kind.label if paid else Text("out of order"))
    again = [Offer(BONUS, OWNER, Text("Same again"), then=Then.FOLLOWS)] if may_again(table, one) else []
    order = [Offer(ATTACK, OWNER, Text("Order"), Fill(fields, title), Then.FOLLOWS, Rank.MAIN)] if fields else []
    what = Field("what", Text("What {name} does", name=one.name), options=PLAIN_ORDERS, value=MOVES)
    first = Offer(FIRST, OWNER, Text("Move first"), then=Then.FOLLOWS)
    plain = Offer(PLAIN, OWNER, Text("Order without dice"), Fill((what,), title), rank=Rank.ASIDE)
    return (*again, *order, first, plain)


def order_fields(table: Mapping[str, Any], one: Trooper) -> tuple[Field, ...]:
    """The form of an order: the weapon, whom, how far, what applies, as in its last order; () where nobody is there."""
    targets = targets_of(table, one)
    if not targets or not (one.arms or open_order.skills_of(one, targets)):
        return ()
    held = tuple(troopers_of(table).values())
    order = OpenOrder(lines=(), roster=held, attacks=(Aim(one.name, tuple(each.name for each in targets)),))
    usual, found = said_before(table, one), []
    for field in open_order.attack_fields(order, order.attacks[0]):
        said = usual.get(field.key, "")
        fits = not field.options or {option.value for option in field.options}.issuperset(field.picked(said))
        found.append(replace(field, value=said if fits else ""))
    return tuple(found)


def targets_of(table: Mapping[str, Any], one: Trooper) -> list[Trooper]:
    """Whom an order may be aimed at: enemies, then friends who need help."""
    others = [each for each in troopers_of(table).values() if each.name != one.name and states.DEAD not in each.states]
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
        (line,) = words.parse(one.last, troopers_of(table)).lines if one.last else ()
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
    begins = tuple(Option(state, term(state)) for state in states.STATES if state not in one.states)[:OPTIONS_MOST]
    ends = tuple(Option(state, term(state)) for state in one.states)
    fields = [Field("begins", Text("A state that begins"), required=False, options=begins)]
    fields += [Field("ends", Text("A state that ends"), required=False, options=ends)] if ends else []
    label = Text("State of a trooper")
    return Offer(STATE, OWNER, label, Fill(tuple(fields), one.name), rank=Rank.ASIDE)


def table_offers(table: Mapping[str, Any]) -> tuple[Offer, ...]:
    """The start or the end of a turn, command tokens, Fireteams, and what the referee counted wrongly."""
    turn, held = turn_of(table), troopers_of(table)
    if turn is None or not turn.is_running:
        if not turns.owners(table):
            return ()
        who = turn.next if turn is not None and turn.next in turns.owners(table) else 0
        before = before_offers(table) if phases.begins(table) else ()
        teams = (team_offer(held),) if turn is not None else ()
        return (*before, start_offer(table, who), *teams, *markers.table_offers(table))
    if turn.phase == "states":
        return (*due_offers(turn, held), end_offer(table, turn))
    ends = replace(end_offer(table, turn), rank=Rank.ASIDE if turn.left > 0 else Rank.LEADS)
    corrects = (*paid_offers(turn, held), numbers_offer(turn))
    return (ends, token_offer(held), team_offer(held), *corrects, *markers.table_offers(table))


def before_offers(table: Mapping[str, Any]) -> tuple[Offer, ...]:
    """Before the first turn: the Lieutenant Roll, what its winner keeps and the other one decides, command tokens."""
    turn = turn_of(table) or Turn()
    tokens = replace(token_offer(troopers_of(table)), asks=Fill((uses(Use.HOLD, Use.SPEEDBALL),)))
    if not turn.won:
        message = N_("WIP of the Lieutenant beside {name}")
        unknown = [player for player in turns.owners(table) if phases.leader_wip(table, player) is None]
        names = ((player, turns.own(table, player)[0].name) for player in unknown)
        fields = tuple(Field(f"wip-{one}", Text(message, name=name), Code("13"), longest=2) for one, name in names)
        return (Offer(ROLL, OWNER, Text("Lieutenant Roll"), asking(fields), rank=Rank.LEADS), tokens)
    key, player, label = KEEPS, turn.won, Text("Initiative or Deployment")
    field = Field("keeps", Text("What you keep"), options=KEPT)
    if turn.first or turn.deploys:
        player = next(one for one in turns.owners(table) if one != turn.won)
        key, label = OTHER, Text("Who begins")
        field = Field("other", Text("What you decide"), options=KEPT[:2] if turn.deploys else KEPT[2:])
    return (Offer(key, named(player), label, Fill((field,)), rank=Rank.LEADS), tokens)


KEPT: Final = (
    Option("initiative-me", Text("I have the first Player Turn")),
    Option("initiative-you", Text("The opponent has the first Player Turn")),
    Option("deployment-me", Text("I deploy first")),
    Option("deployment-you", Text("The opponent deploys first")),
)
"""What the winner of the Lieutenant Roll picks from; the other player decides in what was not kept."""


def due_offers(turn: Turn, held: Mapping[str, Trooper]) -> tuple[Offer, ...]:
    """The rolls and answers of the States Phase, each its trooper's owner's."""
    due = ((f"{what}-{at}", phases.DUE[what].label, held.get(name)) for at, (what, name) in enumerate(turn.due))
    return tuple(Offer(key, named(one.owner), Text(say, name=one.name)) for key, say, one in due if one)


def end_offer(table: Mapping[str, Any], turn: Turn) -> Offer:
    """The end of a turn; after a Loss of Lieutenant its owner names the new one, whom nobody else is told."""
    leaders = troopers(one.name for one in phases.leaders(table, turn))
    field = Field("leader", Text("Your new Lieutenant, told to nobody"), required=False, options=leaders)
    end = Offer(END, OWNER, Text("End turn"), rank=Rank.LEADS)
    return replace(end, asks=Fill((field,)), who=named(turn.active)) if leaders else end


def start_offer(table: Mapping[str, Any], player: int) -> Offer:
    """The start of a turn, of ``player``'s if that is known; in its form what the Tactical Phase asks.

    Its owner alone sees which answer the costs of a list suggest.
    """
    leads = Field("leads", Text("Is your Lieutenant in play?"), options=YES_NO, value=YES)
    retreats = Field("retreats", Text("Is your army in Retreat!?"), options=YES_NO, value=NO)
    start = Offer(START, named(player), Text("Start turn"), Fill((leads, retreats)), rank=Rank.LEADS)
    worth = phases.victory_points(table, player)
    if worth is None:
        return start
    points, of = worth
    said = Text("Retreat!? {points} points of {of} stand", points=points, of=of)
    suggested = replace(retreats, label=said, value=YES if 4 * points <= of else NO)
    return replace(start, asks=Fill((leads, retreats), suggested=(leads, suggested)))


def troopers(names: Iterable[str]) -> tuple[Option, ...]:
    """Troopers to pick from."""
    return tuple(Option(name, Name(name)) for name in islice(names, OPTIONS_MOST))


def uses(*which: Use) -> Field:
    """What a command token may be for."""
    return Field("use", Text("What for"), options=tuple(Option(use.value, use.label) for use in which))


def token_offer(held: Mapping[str, Trooper]) -> Offer:
    who = Field("who", Text("For which trooper"), required=False, options=troopers(sorted(held)))
    return Offer(COMMAND, OWNER, Text("Command token"), Fill((uses(*Use), who)), rank=Rank.ASIDE)


def team_offer(held: Mapping[str, Trooper]) -> Offer:
    called = Field("called", Text("Name of the Fireteam"), Code("Core 1"), longest=24)
    label, names = Text("Members, or none to end it"), troopers(sorted(held))
    members = Field("members", label, required=False, options=names, several=True)
    levels = (Option(str(level), Text("Level {level}", level=level)) for level in range(1, turns.TEAM_MOST + 1))
    level = Field("level", Text("Members of the same unit"), options=tuple(levels))
    return Offer(TEAM, OWNER, Text("Fireteam"), Fill((called, members, level)), rank=Rank.ASIDE)


def paid_offers(turn: Turn, held: Mapping[str, Trooper]) -> list[Offer]:
    """What the last order cost, if the referee took the wrong one."""
    paid = turn.paid
    if paid is None or paid.name not in held:
        return []
    before = turns.pay(turn, paid, back=True)
    kinds = [one.kind for one in turns.payments(before, held[paid.name])]
    if before.lieutenant and Kind.LIEUTENANT not in kinds:  # that it is offered tells nobody who the Lieutenant is
        kinds.append(Kind.LIEUTENANT)
    message = N_("It was: {kind} ({name})")
    others = ((kind, Text(message, kind=kind.label, name=paid.name)) for kind in kinds if kind is not paid.kind)
    return [Offer(f"{PAID}{kind}", OWNER, label, rank=Rank.ASIDE) for kind, label in others]


def numbers_offer(turn: Turn) -> Offer:
    """The form of the numbers of the board: the referee counts, the players are right."""
    pools = {pool.group: pool.left for pool in turn.pools}
    rows = [
        *((f"group-{group}", Text("Orders of group {group}", group=group), pools.get(group, 0)) for group in (1, 2)),
        ("lieutenant", Text("Lieutenant's Orders"), turn.lieutenant),
        ("tokens", Text("Command tokens"), turn.tokens_of(turn.active)),
        ("round", Text("Round"), turn.round),
    ]
    least = {"round": Code("1")}
    fields = tuple(Field(key, label, least.get(key, Code("0")), longest=2, value=str(now)) for key, label, now in rows)
    return Offer(NUMBERS, OWNER, Text("Correct the numbers"), Fill(fields), rank=Rank.ASIDE)


def next_offers(table: Mapping[str, Any]) -> tuple[tuple[str, Offer], ...]:
    """What comes next on the card of an order: the same again, the next order of those who act, the end of the turn."""
    turn = turn_of(table)
    if turn is None or not turn.is_running:
        return ()
    held = troopers_of(table)
    due = due_offers(turn, held) if turn.phase == "states" else ()
    seen = (one for one in held.values() if one.is_marker and not states.is_hidden(one.states))
    opened = ((one.name, offer) for one in seen for offer in markers.offers(table, one))
    return (*orders_next(table, turn), *opened, *((MATCH, one) for one in (*due, end_offer(table, turn))))


def orders_next(table: Mapping[str, Any], turn: Turn) -> Iterator[tuple[str, Offer]]:
    """The orders of who acted last, then a button for each of some others, those who have acted before them."""
    last = troopers_of(table).get(turn.paid.name) if turn.paid is not None else None
    if last is not None:
        yield from ((last.name, one) for one in order_offers(table, turn, last) if not one.is_aside)
    able = [one for one in turns.own(table, turn.active) if not one.is_down and turns.payment(turn, one)]
    for one in sorted((one for one in able if one is not last), key=lambda one: not one.last)[:OTHERS_MOST]:
        mine = (each for each in order_offers(table, turn, one) if each.key == ATTACK)
        yield from ((one.name, replace(each, label=beside(one.name, Code("...")))) for each in mine)


# Steps


def attack_words(name: str, filled: Mapping[str, str], offer: str = ATTACK) -> dict[str, Any]:
    """The words of an order of a trooper: what its form holds, or its last line once more."""
    if offer == BONUS:
        return {"acts": name, "again": True}
    if offer == FIRST:
        return {"moves": name}
    return {"acts": name, "form": dict(filled)}


def choose(table: Mapping[str, Any], name: str, choice: Choice, rng: Rng, player: int) -> Done:
    """What comes of a press; ``player`` is the number of who pressed. Raises ``PlayerError``."""
    filled, turn = choice.filled or {}, turn_of(table) or Turn()
    key, _, number = choice.offer.partition("-")
    if key in phases.DUE:
        what, who = turn.due[int(number)]
        return phases.DUE[what].step(table, who, rng)
    one = troopers_of(table).get(name)
    steps: dict[str, Callable[[], Done]] = {
        START: lambda: begun(table, filled, player),
        END: lambda: phases.end(table, filled.get("leader", "")),
        ROLL: lambda: rolled(table, filled, rng),
        KEEPS: lambda: kept(table, filled),
        OTHER: lambda: kept(table, filled),
        COMMAND: lambda: turns.spend_token(table, player or turn.active, Use(filled["use"]), filled.get("who", "")),
        TEAM: lambda: teamed(table, filled, player),
        NUMBERS: lambda: numbered(table, filled),
        PAID[:-1]: lambda: repaid(table, Kind(number)),
    }
    if one is not None:
        steps[PLAIN] = lambda: plain_order(table, one, filled.get("what", MOVES))
        steps[STATE] = lambda: stated(table, one, filled)
    if key not in steps:
        raise NotOffered
    return steps[key]()


Filled = Mapping[str, str]


def begun(table: Mapping[str, Any], filled: Filled, player: int) -> Done:
    offer = next((one for one in table_offers(table) if one.key == START), None)
    who = player or (offer.player if offer else 0) or next(iter(turns.owners(table)), 0)
    leads = None if filled.get("leads", YES) == YES else False
    return phases.start(table, who, retreats=filled.get("retreats") == YES, leads=leads)


def rolled(table: Mapping[str, Any], filled: Filled, rng: Rng) -> Done:
    found = {one: phases.leader_wip(table, one) for one in turns.owners(table)}
    wips = {one: typed(filled.get(f"wip-{one}", "")) if wip is None else wip for one, wip in found.items()}
    return phases.lieutenant_roll(table, wips, rng)


def kept(table: Mapping[str, Any], filled: Filled) -> Done:
    """What the winner of the Lieutenant Roll keeps, or what the other one decides; a GM picks for who is asked."""
    offer = next((one for one in before_offers(table) if one.key in (KEEPS, OTHER)), None)
    if offer is None or offer.key not in filled:
        raise NotOffered
    what, _, who = filled[offer.key].partition("-")
    return phases.keep(table, offer.player, what, myself=who == "me")


def teamed(table: Mapping[str, Any], filled: Filled, player: int) -> Done:
    members = [one for one in filled.get("members", "").split(", ") if one]
    return turns.make_team(table, player, filled["called"].strip(), members, int(filled.get("level", "") or 1))


def repaid(table: Mapping[str, Any], kind: Kind) -> Done:
    """The last order was paid with something else."""
    turn = running(table)
    paid = turn.paid
    if paid is None:
        raise NotOffered
    before, one = turns.pay(turn, paid, back=True), find(troopers_of(table), paid.name)
    new = next((other for other in turns.payments(before, one) if other.kind is kind), Paid(one.name, kind))
    what = Text("corrects the order of {name}: {kind}", name=one.name, kind=kind.label)
    return Done({TURN: turns.pay(before, new)}, what)


def numbered(table: Mapping[str, Any], filled: Mapping[str, str]) -> Done:
    """The numbers of the board as somebody typed them over."""
    turn = running(table)
    said = {key: typed(filled.get(key, "")) for key in ("group-1", "group-2", "lieutenant", "tokens", "round")}
    known = {pool.group: pool for pool in turn.pools}
    for group in (1, 2):
        now, left = known.get(group, turns.Pool(group, 0, 0)), said[f"group-{group}"]
        known[group] = replace(now, left=left, of=max(now.of, left))
    pools = tuple(known[group] for group in sorted(known) if known[group].of)
    tokens = tuple(sorted({**dict(turn.tokens), turn.active: said["tokens"]}.items()))
    orders = said["lieutenant"]
    had = turn.had_lieutenant or orders > 0
    counted = replace(turn, pools=pools, lieutenant=orders, had_lieutenant=had)
    made = replace(counted, tokens=tokens, round=max(1, said["round"]))
    return Done({TURN: made}, Text("corrects the numbers: {orders}", orders=turns.orders_line(made)))


def typed(text: str) -> int:
    """A small number of a form. Raises ``PlayerError``."""
    if not text.strip().isdecimal() or int(text) > 20:
        raise PlayerError(Text("Use whole numbers from 0 to 20, not `{text}`.", text=Code(text.strip()[:20])))
    return int(text)


def plain_order(table: Mapping[str, Any], one: Trooper, what: str) -> Done:
    """An order without dice is paid; Suppressive Fire begins by it, every other order ends it.

    Where none is left its form has said so, and whoever sends that knows better.
    """
    turn = running(table)
    paid = turns.payment(turn, one) or Paid(one.name, Kind.NONE)
    fires = what == FIRES
    after = turns.suppressing(one) if fires else with_states(one, (states.SUPPRESSIVE,), on=False)
    after = with_states(after, (states.OFF_TABLE,), on=False) if paid.kind is Kind.ENTERING else after
    entered, spent = N_("puts {name} into Suppressive Fire ({order})"), N_("orders {name} without dice ({order})")
    told = Text(entered if fires else spent, name=one.name, order=paid.kind.label)
    made = turns.led(turns.pay(turn, paid), paid)
    return turns.changed(table, made, told, {one.name: after} if after != one else {})


def stated(table: Mapping[str, Any], one: Trooper, filled: Mapping[str, str]) -> Done:
    """A state begins or ends because the players say so."""
    begins, ends = filled.get("begins", ""), filled.get("ends", "")
    if not begins and not ends:
        raise PlayerError(Text("Pick a state that begins, or one that ends."))
    after = with_states(one, (ends,), on=False) if ends else one
    after = with_states(after, (begins,)) if begins else after
    told = [Text("{name} is {state} now", name=one.name, state=term(begins))] * bool(begins)
    told += [Text("{name} is no longer {state}", name=one.name, state=Names([term(ends)]))] * bool(ends)
    turn, changes, about = turn_of(table), {str(one.name): after}, Sentences(told, ", ")
    return Done(changes, about) if turn is None else turns.changed(table, turn, about, changes)
