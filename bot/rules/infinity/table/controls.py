"""Offers of the board for a trooper and the turn, and their effects. An order with dice opens like any order;
everything else is a table step: turns, command tokens, Fireteams, an order without dice, states set by players.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any, ClassVar, Final, Literal

from bot.rules import game
from bot.rules.dice import Rng
from bot.rules.errors import NotOfferedError, PlayerError
from bot.rules.game import OWNER, Act, AfterOffer, ButtonRank, Field, Fill, Offer, Option, PlainAct, only_player
from bot.rules.infinity.orders import open_order, typed_orders
from bot.rules.infinity.orders.order import OpenOrder, TrooperAim
from bot.rules.infinity.table import markers
from bot.rules.infinity.troopers import states
from bot.rules.infinity.troopers.trooper import Trooper, condition, find, troopers_of, with_states
from bot.rules.infinity.turn import phases, player_turn as turns
from bot.rules.infinity.turn.player_turn import TURN, OrderType, PlayerTurn, TokenUse, running_turn, turn_of
from bot.rules.pieces import BoardChange, BoardContext
from bot.rules.text import N_, Code, Count, Name, Names, Sentences, Text, joined, labeled, term
from bot.rules.text_values import FormPlace, TextValue, value_reader

ATTACK: Final = "order"
BONUS: Final = "same"
"""Key of an offer to repeat the order."""
FIRST: Final = "move"
"""An order whose first skill is a Move: AROs, then the second skill."""
LOOK: Final = "look"
"""Reserved: nothing of a trooper is secret."""
MATCH: Final = TURN
DEPLOY: Final = "deploy"
"""The roll for deploying beyond one's half, before the first turn."""
MAX_OTHERS: Final = 4
"""Maximum other troopers with a button on an order's card."""
YES, NO = "yes", "no"
YES_NO: Final = (Option(YES, Text("Yes")), Option(NO, Text("No")))
MOVES, FIRES = "moves", "fires"
PLAIN_ORDERS: Final = (
    Option(MOVES, Text("Move, or anything else without dice")),
    Option(FIRES, Text("Suppressive Fire"), Text("it enters that state")),
)


def pieces(table: Mapping[str, Any]) -> tuple[Option, ...]:
    """Return the troopers to select during a turn, the active player's first."""
    turn, options = turn_of(table), list[Option]()
    for trooper in selectable(table):
        level = turns.level_of(turn, trooper.name)
        team = [Text("Fireteam level {level}", level=level)] * bool(level)
        detail = Sentences([Text("group {group}", group=trooper.group), condition(trooper), *team], " · ")
        options.append(Option(trooper.name, trooper.name, detail))
    return tuple(options)


def selectable(table: Mapping[str, Any]) -> list[Trooper]:
    turn, held = turn_of(table), troopers_of(table).values()
    if turn == PlayerTurn() and not any(item.is_marker for item in held):
        return []
    return sorted(held, key=lambda item: (item.owner != turn.active, item.is_down, item.name))


def first(table: Mapping[str, Any], owner: int | None = None, selected: str = "") -> str:
    """Return a person's current trooper: the one selected, else the last to act, else a standing one."""
    mine = [trooper for trooper in selectable(table) if owner in (None, trooper.owner)]
    if any(trooper.name == selected for trooper in mine):
        return selected
    paid = turn_of(table).paid
    last = paid.name if paid is not None else ""
    mine.sort(key=lambda trooper: (trooper.is_down, trooper.name != last))
    return mine[0].name if mine else ""


# Offers


def offers(table: Mapping[str, Any], name: str) -> tuple[Offer, ...]:
    """Return a trooper's offers: orders in its own turn, and states set by players."""
    turn, trooper = turn_of(table), troopers_of(table).get(name)
    if trooper is None:
        return ()
    result = [*markers.offers(table, trooper), *deploy_offers(turn, trooper)]
    if turn.is_running and trooper.owner in (0, turn.active):
        result += order_offers(table, turn, trooper)
    if TURN in table:
        result.append(state_offer(trooper))
    return tuple(result)


def deploy_offers(turn: PlayerTurn, trooper: Trooper) -> Iterator[Offer]:
    action = open_order.deployment_of(trooper)
    if action is not None and not turn.is_running and turn.round == 1:
        stat = Text("{stat} of {name}", stat=Code(action.stat), name=trooper.name)
        asked = (Field("sv", stat, Code("13"), longest=2),) if trooper.is_marker else ()
        label, form = labeled(action.roll, trooper.name), game.form_or_press(asked)
        yield Offer(DEPLOY, OWNER, label, form, AfterOffer.FOLLOWS, ButtonRank.ASIDE)


def order_offers(table: Mapping[str, Any], turn: PlayerTurn, trooper: Trooper) -> tuple[Offer, ...]:
    if not states.allowed_actions(trooper.states, states.ACTING):
        return ()
    fields: tuple[Field, ...] = () if trooper.is_marker else order_fields(table, trooper)
    paid = turns.payment(turn, trooper)
    title = labeled(trooper.name, paid.kind.label if paid else Text("out of order"))
    again = [Offer(BONUS, OWNER, Text("Same again"), then=AfterOffer.FOLLOWS)] if may_again(table, trooper) else []
    rank = ButtonRank.MAIN if turn.orders_left > 0 else ButtonRank.PLAIN  # then the next step is the end of the turn
    order = [Offer(ATTACK, OWNER, Text("Order"), Fill(fields, title), AfterOffer.FOLLOWS, rank)] if fields else []
    what = Field("what", Text("What {name} does", name=trooper.name), options=PLAIN_ORDERS, value=MOVES)
    first = Offer(FIRST, OWNER, Text("Move first"), then=AfterOffer.FOLLOWS)
    plain = Offer(SPEND, OWNER, Text("Order without dice"), Fill((what,), title), rank=ButtonRank.ASIDE)
    return (*again, *order, first, plain)


def order_fields(table: Mapping[str, Any], trooper: Trooper) -> tuple[Field, ...]:
    """Return an order's form with the last values: weapon, target, distance, circumstances; () without targets."""
    targets = targets_of(table, trooper)
    if not targets or not (trooper.arms or open_order.skills_of(trooper, targets)):
        return ()
    held = tuple(troopers_of(table).values())
    order = OpenOrder(lines=(), roster=held, attacks=(TrooperAim(trooper.name, tuple(each.name for each in targets)),))
    usual, fields = said_before(table, trooper), []
    for field in open_order.attack_fields(order, order.attacks[0]):
        said = usual.get(field.key, "")
        fits = not field.options or {option.value for option in field.options}.issuperset(field.picked_values(said))
        fields.append(replace(field, value=said if fits else ""))
    return tuple(fields)


def targets_of(table: Mapping[str, Any], trooper: Trooper) -> list[Trooper]:
    """List an order's possible targets: enemies, then friends who need help."""
    others = sorted(troopers_of(table).values(), key=lambda each: each.name)
    others = [each for each in others if each.name != trooper.name and states.DEAD not in each.states]
    foes = [each for each in others if not trooper.owner or each.owner != trooper.owner]
    friends = [each for each in others if each not in foes and (each.lost or each.states)]
    return [*foes, *friends][: game.MAX_OPTIONS]


def said_before(table: Mapping[str, Any], trooper: Trooper) -> dict[str, str]:
    """Return an order's initial values: weapon, target, and distance of the last one."""
    arms = [arm.name for arm in trooper.arms]
    result = {"weapon": arms[0] if arms else "", "target": ""}
    names = [each.name for each in targets_of(table, trooper)]
    if len(names) == 1:
        result["target"] = names[0]
    try:
        (line,) = typed_orders.parse(trooper.last, troopers_of(table)).lines if trooper.last else ()
    except (PlayerError, ValueError):
        return result
    around = line.roll.as_situation
    if line.roll.weapon is not None:
        result["weapon"] = line.roll.weapon.name
    result["target"] = ", ".join(target.name for target in line.targets if target.name in names)
    if around.distance is not None:
        result["at"] = f"{around.beyond or 0}-{around.distance}"
    return result


def may_again(table: Mapping[str, Any], trooper: Trooper) -> bool:
    """Whether a trooper's last order can be repeated: its target is still there."""
    aims = said_before(table, trooper)["target"] if trooper.last else ""
    return bool(aims) or (bool(trooper.last) and " vs " not in trooper.last)


def state_offer(trooper: Trooper) -> Offer:
    """Return the form of states that only players see: contact, Prone, one that began or ended on the table."""
    missing = [state for state in states.STATES if state not in trooper.states]
    begins = tuple(Option(state, term(state)) for state in missing[: game.MAX_OPTIONS])
    ends = tuple(Option(state, term(state)) for state in trooper.states)
    fields = [Field("begins", Text("State that begins"), required=False, options=begins)]
    fields += [Field("ends", Text("State that ends"), required=False, options=ends)] if ends else []
    label = Text("State of a trooper")
    return Offer(SAY_STATE, OWNER, label, Fill(tuple(fields), trooper.name), rank=ButtonRank.ASIDE)


def table_offers(table: Mapping[str, Any]) -> tuple[Offer, ...]:
    """Return the turn's start or end, command tokens, Fireteams, and corrections of the referee's counts."""
    turn, held = turn_of(table), troopers_of(table)
    if not turn.is_running:
        if not turns.list_owners(table):
            return ()
        who = turn.next if turn.next in turns.list_owners(table) else 0
        start, teams = start_offer(table, who), team_offers(table)
        if not phases.begins(table):
            return (start, *teams, *markers.table_offers(table))
        start = replace(start, rank=ButtonRank.PLAIN)  # one button is primary: the Lieutenant Roll
        return (*before_offers(table), start, *teams, *markers.table_offers(table))
    if turn.phase == "states":
        return (*due_offers(turn, held), end_offer(table, turn))
    ends = replace(end_offer(table, turn), rank=ButtonRank.ASIDE) if turn.orders_left > 0 else end_offer(table, turn)
    corrects = (*paid_offers(turn, held), numbers_offer(turn))
    return (ends, *token_offers(table, turn), *team_offers(table), *corrects, *markers.table_offers(table))


def before_offers(table: Mapping[str, Any]) -> tuple[Offer, ...]:
    """Return offers before the first turn: the Lieutenant Roll, both players' choices, command tokens."""
    turn = turn_of(table)
    tokens = Offer(USE_TOKEN, OWNER, TOKEN, Fill((uses(TokenUse.HOLD, TokenUse.SPEEDBALL),)), rank=ButtonRank.ASIDE)
    if not turn.won:
        message = N_("WIP of the Lieutenant with {name}")
        unknown = [player for player in turns.list_owners(table) if phases.leader_wip(table, player) is None]
        names = ((player, turns.own_troopers(table, player)[0].name) for player in unknown)
        fields = tuple(Field(f"wip-{item}", Text(message, name=name), Code("13"), longest=2) for item, name in names)
        asks = game.form_or_press(fields)
        return Offer(ROLL_OFF, OWNER, Text("Lieutenant Roll"), asks, rank=ButtonRank.LEADS), tokens
    act, player, label = KEEP, turn.won, Text("Initiative or Deployment")
    field = Field("keeps", Text("What you choose"), options=KEPT)
    if turn.first or turn.deploys:
        player = next(owner for owner in turns.list_owners(table) if owner != turn.won)
        act, label = DECIDE, Text("Who goes first")
        field = Field("other", Text("What you decide"), options=KEPT[:2] if turn.deploys else KEPT[2:])
    return (Offer(act, only_player(player), label, Fill((field,)), rank=ButtonRank.LEADS), tokens)


class KeptChoice(TextValue):
    """The first player for what the Lieutenant Roll's winner kept, or for the rest."""

    what: Literal["initiative", "deployment"]
    who: Literal["me", "you"]

    forms = ("{what}-{who}",)


read_kept: Final = value_reader(KeptChoice)
KEPT: Final = (
    Option("initiative-me", Text("I have the first Player Turn")),
    Option("initiative-you", Text("The opponent has the first Player Turn")),
    Option("deployment-me", Text("I deploy first")),
    Option("deployment-you", Text("The opponent deploys first")),
)
"""Options for the winner of the Lieutenant Roll; the other player decides the rest."""


def due_offers(turn: PlayerTurn, held: Mapping[str, Trooper]) -> tuple[Offer, ...]:
    """Return the States Phase's rolls and choices, each its trooper's owner's."""
    result = list[Offer]()
    for at, (what, name) in enumerate(turn.due):
        if (trooper := held.get(name)) is None:
            continue
        offer = Offer(SettleTask(what, at), only_player(trooper.owner), Text(phases.DUE[what].label, name=trooper.name))
        for echoes in (1, 2) if what == phases.HOLOECHOES else ():
            label = labeled(Name(trooper.name), Count(echoes, "Holoecho", "Holoechoes"))
            act, sheet = SettleTask(what, at, echoes), markers.echo_sheet(held, trooper, echoes + 1)
            result.append(replace(offer, act=act, label=label, then=AfterOffer.PLANS, sheet=sheet))
        result += [offer] if what != phases.HOLOECHOES else []
    return tuple(result)


def end_offer(table: Mapping[str, Any], turn: PlayerTurn) -> Offer:
    """Return the end of a turn; after a Loss of Lieutenant its owner chooses a new one in secret."""
    leaders = troopers(leader.name for leader in phases.leaders(table, turn))
    field = Field("leader", Text("Your new Lieutenant (kept secret)"), required=False, options=leaders)
    end = Offer(END_TURN, OWNER, Text("End turn"), rank=ButtonRank.LEADS)
    return replace(end, asks=Fill((field,)), who=only_player(turn.active)) if leaders else end


def start_offer(table: Mapping[str, Any], player: int) -> Offer:
    """Return a turn's start, ``player``'s if known, with the Tactical Phase's questions. Only its owner sees the
    suggested answer from the list's points.
    """
    leads = Field("leads", Text("Is your Lieutenant in play?"), options=YES_NO, value=YES)
    retreats = Field("retreats", Text("Is your army in Retreat!?"), options=YES_NO, value=NO)
    start = Offer(BEGIN, only_player(player), Text("Start turn"), Fill((leads, retreats)), rank=ButtonRank.LEADS)
    worth = phases.victory_points(table, player)
    if worth is None:
        return start
    points, of = worth
    said = Text("Retreat!? {points} of {of} points left", points=points, of=of)
    suggested = replace(retreats, label=said, value=YES if 4 * points <= of else NO)
    return replace(start, asks=Fill((leads, retreats), suggested=(leads, suggested)))


def troopers(names: Iterable[str]) -> tuple[Option, ...]:
    return tuple(Option(name, Name(name)) for name in islice(names, game.MAX_OPTIONS))


def uses(*which: TokenUse) -> Field:
    return Field("use", Text("Use"), options=tuple(Option(use.value, use.label) for use in which))


def token_offers(table: Mapping[str, Any], turn: PlayerTurn) -> Iterator[Offer]:
    """Yield the active player's command tokens; in the first turn also the other's strategic ones."""
    other = next((owner for owner in turns.list_owners(table) if owner != turn.active), 0)
    rows = [(USE_TOKEN, turn.active, OWNER, TOKEN)]
    if turn.round == 1 and other and turn.active == (turn.first or turn.active):
        rows.append((USE_SECOND_TOKEN, other, only_player(other), Text("Command token of the second player")))
    for act, player, may, label in rows:
        mine = turns.own_troopers(table, player) if player else troopers_of(table).values()
        who = Field("who", Text("Trooper"), required=False, options=troopers(trooper.name for trooper in mine))
        which = uses(*(use for use in TokenUse if (use in turns.FIRST_TURNS[1:]) is (player == other)))
        yield Offer(act, may, label, Fill((which, who)), rank=ButtonRank.ASIDE)


TOKEN: Final = Text("Command Token")


def team_offers(table: Mapping[str, Any]) -> Iterator[Offer]:
    """Yield the Fireteam form of the active player; before a turn, each player's."""
    active = turn_of(table).active
    called = Field("called", Text("Name of the Fireteam"), Code("Core 1"), longest=24)
    levels = (Option(str(level), Text("Level {level}", level=level)) for level in range(1, turns.MAX_TEAM + 1))
    level = Field("level", Text("Members from the same unit"), options=tuple(levels))
    for player in [active] if active else turns.list_owners(table):
        mine = turns.own_models(table, player)
        if len(mine) >= turns.MIN_TEAM:
            label, names = Text("Members; leave empty to end it"), troopers(trooper.name for trooper in mine)
            members = Field("members", label, required=False, options=names, several=True)
            says = Text("Fireteam") if active else Text("Fireteam with {name}", name=mine[0].name)
            form = Fill((called, members, level))
            yield Offer(MakeTeam(None if active else player), only_player(player), says, form, rank=ButtonRank.ASIDE)


def paid_offers(turn: PlayerTurn, held: Mapping[str, Trooper]) -> list[Offer]:
    paid = turn.paid
    if paid is None or paid.name not in held:
        return []
    before = turns.pay(turn, paid, back=True)
    kinds = [payment.kind for payment in turns.payments(before, held[paid.name])]
    if before.lieutenant and OrderType.LIEUTENANT not in kinds:  # always offered, so that it reveals no Lieutenant
        kinds.append(OrderType.LIEUTENANT)
    message = N_("Previous: {kind} ({name})")
    others = ((kind, Text(message, kind=kind.label, name=paid.name)) for kind in kinds if kind is not paid.kind)
    return [Offer(ChangePayment(kind), OWNER, label, rank=ButtonRank.ASIDE) for kind, label in others]


def numbers_offer(turn: PlayerTurn) -> Offer:
    """Return the form of the board's numbers: the players' values override the referee's."""
    pools = {pool.group: pool.left for pool in turn.pools}
    rows = [
        *((f"group-{group}", Text("Orders of group {group}", group=group), pools.get(group, 0)) for group in (1, 2)),
        ("lieutenant", Text("Lieutenant's Orders"), turn.lieutenant),
        ("tokens", Text("Command Tokens"), turn.tokens_of(turn.active)),
        ("round", Text("Round"), turn.round),
    ]
    least = {"round": Code("1")}
    fields = tuple(Field(key, label, least.get(key, Code("0")), longest=2, value=str(now)) for key, label, now in rows)
    return Offer(CORRECT, OWNER, Text("Correct the numbers"), Fill(fields), rank=ButtonRank.ASIDE)


def next_offers(table: Mapping[str, Any]) -> tuple[tuple[str, Offer], ...]:
    """Return an order's follow-ups: repeat, next order, end of turn."""
    turn = turn_of(table)
    if not turn.is_running:
        return ()
    held = troopers_of(table)
    due = due_offers(turn, held) if turn.phase == "states" else ()
    seen = (trooper for trooper in held.values() if trooper.is_marker and not states.is_hidden(trooper.states))
    opened = ((trooper.name, offer) for trooper in seen for offer in markers.offers(table, trooper))
    ends = end_offer(table, turn)
    ends = replace(ends, rank=ButtonRank.PLAIN) if turn.orders_left > 0 else ends
    return (*orders_next(table, turn), *opened, *((MATCH, item) for item in (*due, ends)))


def orders_next(table: Mapping[str, Any], turn: PlayerTurn) -> Iterator[tuple[str, Offer]]:
    """Yield the orders of the last trooper, then other troopers, those that acted first."""
    last = troopers_of(table).get(turn.paid.name) if turn.paid is not None else None
    if last is not None:
        yield from ((last.name, offer) for offer in order_offers(table, turn, last) if not offer.is_aside)
    able = [item for item in turns.own_troopers(table, turn.active) if not item.is_down and turns.payment(turn, item)]
    for trooper in sorted((item for item in able if item is not last), key=lambda item: not item.last)[:MAX_OTHERS]:
        label = joined(trooper.name, Code("..."))
        rank = ButtonRank.MAIN if last is None and trooper is able[0] else ButtonRank.PLAIN
        offers = order_offers(table, turn, trooper)
        yield from ((trooper.name, replace(each, label=label, rank=rank)) for each in offers if each.key == ATTACK)


# Steps


def attack_words(name: str, filled: Mapping[str, str], offer: str = ATTACK) -> dict[str, Any]:
    """Return a trooper's order as words: its form's, or its last line."""
    if offer == BONUS:
        return {"acts": name, "again": True}
    if offer == FIRST:
        return {"moves": name}
    if offer == DEPLOY:
        return {"deploys": name} | {key: read_number(text) for key, text in filled.items()}
    return {"acts": name, "form": dict(filled)}


def choose(table: Mapping[str, Any], name: str, choice: game.Choice, rng: Rng, player: int) -> BoardChange:
    """Return the changes after a press; ``player`` is the number of who pressed. Raises ``PlayerError``."""
    act = ACTS(choice.offer)
    if act is None:
        raise NotOfferedError
    result: BoardChange = act.apply(BoardContext(table, name, choice.filled or {}, rng, player))
    return result


class SettleTask(Act):
    """A States Phase task, by its place; ``echoes``: number of Holoechoes."""

    what: str
    at: int
    echoes: int | None = None

    forms = ("{what}-{at}", "{what}-{at}-{echoes}")
    places: ClassVar = {"what": FormPlace("|".join(phases.DUE))}

    def apply(self, on: BoardContext) -> BoardChange:
        step = phases.DUE[self.what].step
        if step is None:
            raise NotOfferedError
        return step(on.table, running_turn(on.table).due[self.at][1], on.rng)


def begin_match(on: BoardContext) -> BoardChange:
    offer = next((item for item in table_offers(on.table) if item.act is BEGIN), None)
    who = on.player or (offer.player if offer else 0) or next(iter(turns.list_owners(on.table)), 0)
    leads = None if on.filled.get("leads", YES) == YES else False
    return phases.start(on.table, who, retreats=on.filled.get("retreats") == YES, leads=leads)


def roll_off(on: BoardContext) -> BoardChange:
    result = {owner: phases.leader_wip(on.table, owner) for owner in turns.list_owners(on.table)}
    wips = {item: read_number(on.filled.get(f"wip-{item}", "")) if wip is None else wip for item, wip in result.items()}
    return phases.lieutenant_roll(on.table, wips, on.rng)


def choose_kept(on: BoardContext) -> BoardChange:
    """Set the Lieutenant Roll winner's or other player's choice; a GM may choose for them."""
    offer = next((item for item in before_offers(on.table) if item.act in (KEEP, DECIDE)), None)
    said = read_kept(on.filled.get(offer.key, "")) if offer else None
    if offer is None or said is None:
        raise NotOfferedError
    return phases.keep(on.table, offer.player, said.what, myself=said.who == "me")


def use_token(on: BoardContext) -> BoardChange:
    who = on.player or turn_of(on.table).active
    return turns.spend_token(on.table, who, TokenUse(on.filled["use"]), on.filled.get("who", ""))


class MakeTeam(Act):
    """Form a Fireteam of the active player; before a turn, of this one."""

    player: int | None = None

    forms = ("team", "team-{player}")

    def apply(self, on: BoardContext) -> BoardChange:
        members = [part for part in on.filled.get("members", "").split(", ") if part]
        level = int(on.filled.get("level", "") or 1)
        return turns.make_team(on.table, self.player or on.player, on.filled["called"].strip(), members, level)


class ChangePayment(Act):
    """Change the last order's payment."""

    kind: OrderType

    forms = ("paid-{kind}",)

    def apply(self, on: BoardContext) -> BoardChange:
        turn = running_turn(on.table)
        paid = turn.paid
        if paid is None:
            raise NotOfferedError
        before, trooper = turns.pay(turn, paid, back=True), find(troopers_of(on.table), paid.name)
        payments = (other for other in turns.payments(before, trooper) if other.kind is self.kind)
        new = next(payments, turns.OrderPayment(trooper.name, self.kind))
        what = Text("corrects the order of {name}: {kind}", name=trooper.name, kind=self.kind.label)
        return BoardChange({TURN: turns.pay(before, new)}, what)


def set_numbers(on: BoardContext) -> BoardChange:
    turn = running_turn(on.table)
    said = {key: read_number(on.filled.get(key, "")) for key in ("group-1", "group-2", "lieutenant", "tokens", "round")}
    known = {pool.group: pool for pool in turn.pools}
    for group in (1, 2):
        now, left = known.get(group, turns.OrderPool(group, 0, 0)), said[f"group-{group}"]
        known[group] = replace(now, left=left, of=max(now.of, left))
    pools = tuple(known[group] for group in sorted(known) if known[group].of)
    tokens = tuple(sorted({**dict(turn.tokens), turn.active: said["tokens"]}.items()))
    orders = said["lieutenant"]
    had = turn.had_lieutenant or orders > 0
    counted = replace(turn, pools=pools, lieutenant=orders, had_lieutenant=had)
    result = replace(counted, tokens=tokens, round=max(1, said["round"]))
    return BoardChange({TURN: result}, Text("corrects the numbers: {orders}", orders=turns.orders_line(result)))


def read_number(text: str) -> int:
    if not text.strip().isdecimal() or int(text) > 20:
        raise PlayerError(Text("Use whole numbers from 0 to 20, not `{text}`.", text=Code(text.strip()[:20])))
    return int(text)


def trooper_on(on: BoardContext) -> Trooper:
    """Return the trooper of an act. Raises ``NotOfferedError`` if it is gone."""
    if (trooper := troopers_of(on.table).get(on.name)) is None:
        raise NotOfferedError
    return trooper


def spend_order(on: BoardContext) -> BoardChange:
    """Pay an order without dice; it begins or ends Suppressive Fire. Without orders left the form has warned, and the
    player overrides.
    """
    trooper, turn = trooper_on(on), running_turn(on.table)
    paid = turns.payment(turn, trooper) or turns.OrderPayment(trooper.name, OrderType.NONE)
    fires = on.filled.get("what", MOVES) == FIRES
    after = turns.begin_suppression(trooper) if fires else with_states(trooper, (states.SUPPRESSIVE,), on=False)
    after = with_states(after, (states.OFF_TABLE,), on=False) if paid.kind is OrderType.ENTERING else after
    entered, spent = N_("puts {name} in Suppressive Fire ({order})"), N_("orders {name}, no roll ({order})")
    told = Text(entered if fires else spent, name=trooper.name, order=paid.kind.label)
    result = turns.after_leading(turns.pay(turn, paid), paid)
    return turns.step_to(on.table, result, told, {trooper.name: after} if after != trooper else {})


def set_state(on: BoardContext) -> BoardChange:
    """Begin or end a state as declared."""
    trooper, begins, ends = trooper_on(on), on.filled.get("begins", ""), on.filled.get("ends", "")
    if not begins and not ends:
        raise PlayerError(Text("Pick a state that begins or one that ends."))
    after = with_states(trooper, (ends,), on=False) if ends else trooper
    after = with_states(after, (begins,)) if begins else after
    told = [Text("{name} is now {state}", name=trooper.name, state=term(begins))] * bool(begins)
    told += [Text("{name} is no longer {state}", name=trooper.name, state=Names([term(ends)]))] * bool(ends)
    changes, about = {str(trooper.name): after}, Sentences(told, ", ")
    if TURN not in on.table:
        return BoardChange(changes, about)
    return turns.step_to(on.table, turn_of(on.table), about, changes)


BEGIN: Final = PlainAct("start", begin_match)
ROLL_OFF: Final = PlainAct("lieutenant", roll_off)
KEEP: Final = PlainAct("keeps", choose_kept)
DECIDE: Final = PlainAct("other", choose_kept)
END_TURN: Final = PlainAct("end", lambda on: phases.end_turn(on.table, on.filled.get("leader", "")))
USE_TOKEN: Final = PlainAct("command", use_token)
USE_SECOND_TOKEN: Final = PlainAct("command-2", use_token)
CORRECT: Final = PlainAct("numbers", set_numbers)
SPEND: Final = PlainAct("plain", spend_order)
SAY_STATE: Final = PlainAct("state", set_state)
ACTS: Final = game.act_reader(
    *(BEGIN, ROLL_OFF, KEEP, DECIDE, END_TURN, USE_TOKEN, USE_SECOND_TOKEN, CORRECT, SPEND, SAY_STATE),
    *(SettleTask, MakeTeam, ChangePayment),
)
