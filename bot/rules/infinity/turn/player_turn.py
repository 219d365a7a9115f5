"""The Player Turn: active player, cost of orders, automatic ends (rules page, The Player Turn, N5.2). The turn is one
more piece of the channel; without one, none of this applies. Functions that change something return the changed pieces
by name.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from bot.rules.errors import PlayerError
from bot.rules.infinity.troopers import declared, states
from bot.rules.infinity.troopers.messages import TOLD
from bot.rules.infinity.troopers.trooper import Trooper, find, is_same_name, troopers_of, with_states
from bot.rules.pieces import BoardChange
from bot.rules.plans import commitments
from bot.rules.text import N_, NOTHING, Count, Labeled, Name, Names, Sentences, Shown, Text

TURN: Final = "*turn*"
"""The piece's name; no trooper can have it."""
MAX_GROUP: Final = 10
"""Maximum members of a combat group."""
TOKENS: Final = 4
MAX_GUIDED: Final = 5
MIN_TEAM: Final = 2
MAX_TEAM: Final = 5
STUNNED: Final = "Stunned"
RETREAT: Final = "Retreat"
SECRETS: Final = "secrets"
"""A player's list of secrets among their plans."""
BRAVE: Final = ("Courage", "Religious Troop", "Warhorse")
"""Skills that ignore Retreat!."""


class OrderType(Labeled):
    """The kind of order that paid."""

    REGULAR = "regular", Text("Regular Order")
    IRREGULAR = "irregular", Text("Irregular Order")
    LIEUTENANT = "lieutenant", Text("Lieutenant's Order")
    TACTICAL = "tactical", Text("Tactical Order")
    IMPETUOUS = "impetuous", Text("Impetuous Order")
    ENTERING = "entering", Text("its own Order, when it enters the table")
    NONE = "none", Text("no order")


@dataclass(frozen=True, slots=True)
class OrderPool:
    """A combat group's Regular Orders: left, of how many."""

    group: int
    left: int
    of: int


@dataclass(frozen=True, slots=True)
class OrderPayment:
    """The last order's cost, and its trooper's owner."""

    name: Name
    kind: OrderType
    group: int = 0


@dataclass(frozen=True, slots=True)
class Fireteam:
    """A named Fireteam: members, and how many were of one unit initially. ``leader``: who got its last order. ``left``:
    those who left, and may rejoin in a States Phase.
    """

    name: Name
    owner: int
    members: tuple[str, ...]
    level: int
    leader: str = ""
    left: tuple[str, ...] = ()

    @property
    def current_level(self) -> int:
        return min(self.level, len(self.members))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerTurn:
    """``active``: the active player's number; 0 between turns, with the following one in ``next``.

    ``first`` has each round's first Player Turn, ``deploys`` deploys first, and ``won`` won the Lieutenant Roll, 0 if
    unknown. ``phase``: "states" while States Phase tasks are ``due``: what, and for whom. ``loss``: the active player
    is in Loss of Lieutenant.

    ``irregular``, ``tactical``, ``impetuous``: troopers with such an order left, ``lieutenant``: the Lieutenant's
    orders. ``tokens``: command tokens by player, ``used``: the active one's in this turn, ``capped``: only one is
    allowed; ``strategic``: the game's strategic uses, by player. ``guided``: this turn's Guided attacks, ``paid``: the
    last order's cost, ``frenzied``: triggered Frenzies, ``missed``: failed Discovers of this turn by marker, ``smoke``:
    owners of smoke or Eclipse on the table until the States Phase.
    """

    kind: Literal["turn"] = "turn"
    round: int = 1
    active: int = 0
    next: int = 0
    first: int = 0
    deploys: int = 0
    won: int = 0
    phase: Literal["orders", "states"] = "orders"
    due: tuple[tuple[str, str], ...] = ()
    loss: bool = False
    pools: tuple[OrderPool, ...] = ()
    irregular: tuple[str, ...] = ()
    tactical: tuple[str, ...] = ()
    impetuous: tuple[str, ...] = ()
    lieutenant: int = 0
    had_lieutenant: bool = False
    tokens: tuple[tuple[int, int], ...] = ()
    used: int = 0
    capped: bool = False
    strategic: tuple[tuple[int, str], ...] = ()
    guided: int = 0
    frenzied: tuple[str, ...] = ()
    missed: tuple[tuple[str, str], ...] = ()
    smoke: tuple[str, ...] = ()
    paid: OrderPayment | None = None
    teams: tuple[Fireteam, ...] = ()

    @property
    def is_running(self) -> bool:
        return bool(self.active)

    @property
    def orders_left(self) -> int:
        named = (*self.irregular, *self.tactical, *self.impetuous)
        return sum(pool.left for pool in self.pools) + len(named) + self.lieutenant

    @property
    def in_teams(self) -> set[str]:
        return {name for team in self.teams for name in team.members}

    def tokens_of(self, player: int) -> int:
        return dict(self.tokens).get(player, TOKENS)


Table = Mapping[str, Any]
"""A channel's pieces by name: troopers, and perhaps the turn."""
Changes = dict[str, "Trooper | PlayerTurn | None"]


def runs(table: Table) -> bool:
    return turn_of(table).is_running


def turn_of(table: Table) -> PlayerTurn:
    """Return the channel's turn; before the first one, an empty one."""
    turn = table.get(TURN)
    return turn if isinstance(turn, PlayerTurn) else PlayerTurn()


def running_turn(table: Table) -> PlayerTurn:
    """Return the running turn. Raises ``PlayerError`` without one."""
    turn = turn_of(table)
    if not turn.is_running:
        raise PlayerError(Text("No turn has started. Press Start turn on the board first."))
    return turn


def list_owners(table: Table) -> list[int]:
    return sorted({trooper.owner for trooper in troopers_of(table).values() if trooper.owner})


def own_troopers(table: Table, player: int) -> list[Trooper]:
    mine = (trooper for trooper in troopers_of(table).values() if trooper.owner == player)
    return sorted(mine, key=lambda trooper: trooper.name)


def own_models(table: Table, player: int) -> list[Trooper]:
    return [trooper for trooper in own_troopers(table, player) if not trooper.is_marker]


# Order Count


def gives_order(trooper: Trooper) -> bool:
    """Whether a trooper on the table has an order: not Null, no Peripheral, not off the table. A marker has one if its
    trooper is off the table.
    """
    is_model = not trooper.is_marker or trooper.has("Regular", "Irregular")
    is_there = is_model and not set(trooper.states) & {*states.NULL, states.OFF_TABLE}
    return is_there and not trooper.has("Peripheral")


def is_irregular(trooper: Trooper, *, loss: bool) -> bool:
    """Whether its order is Irregular: by profile, Isolated, or in Loss of Lieutenant; a Warhorse stays Regular."""
    if trooper.has("Warhorse") and not trooper.has("Irregular"):
        return "Isolated" in trooper.states
    return loss or trooper.has("Irregular") or "Isolated" in trooper.states


def lieutenants(table: Table, player: int) -> list[Trooper]:
    """Return a player's Lieutenants in play: not Null, Isolated, or off the table."""
    leads = (trooper for trooper in own_troopers(table, player) if trooper.has("Lieutenant", "Chain of Command"))
    able = (trooper for trooper in leads if gives_order(trooper) and "Isolated" not in trooper.states)
    return sorted(able, key=lambda trooper: not trooper.has("Lieutenant"))


def count_orders(turn: PlayerTurn, table: Table, *, loss: bool, retreats: bool = False) -> PlayerTurn:
    mine = [trooper for trooper in own_troopers(table, turn.active) if gives_order(trooper)]
    regular = Counter(trooper.group for trooper in mine if not is_irregular(trooper, loss=loss))
    pools = tuple(OrderPool(group, min(n, MAX_GROUP), min(n, MAX_GROUP)) for group, n in sorted(regular.items()))
    leads = lieutenants(table, turn.active)
    # a list of secrets has the name of a Lieutenant, who may be under a marker
    is_led = any(sheet.owner == turn.active and sheet.sheet == SECRETS for sheet in commitments(table).values())
    orders = 1 + bool({"+1 order", "+1 orders"} & {*in_brackets(leads[:1])}) if leads else int(is_led)
    orders = 0 if loss else orders
    irregular = tuple(trooper.name for trooper in mine if is_irregular(trooper, loss=loss))
    tactical = tuple(trooper.name for trooper in mine if trooper.has("Tactical Awareness"))
    rushing = (trooper for trooper in mine if trooper.has("Impetuous", "Extremely Impetuous") and not retreats)
    impetuous = tuple(trooper.name for trooper in rushing if "Prone" not in trooper.states)
    turn = replace(turn, pools=pools, irregular=irregular, tactical=tactical, impetuous=impetuous)
    return replace(turn, lieutenant=orders, had_lieutenant=bool(orders), guided=0, paid=None)


def tokens_at_first(table: Table, player: int) -> int:
    return TOKENS + any("command token" in extra for extra in in_brackets(own_troopers(table, player)))


def in_brackets(troopers: Sequence[Trooper]) -> list[str]:
    leads = (held for trooper in troopers for held in trooper.parsed_skills if held.name == "Lieutenant")
    return [extra.casefold() for held in leads for extra in held.extras]


# Orders


def payment(turn: PlayerTurn, trooper: Trooper, *, calm: bool = False) -> OrderPayment | None:
    """Return the default cost of a trooper's order; None if none is left.

    First an Impetuous trooper's own, unless ``calm``, which it does not allow; then an Irregular one's own, the group's
    pool, Tactical, Lieutenant's. A trooper off the table enters by its own.
    """
    if trooper.name in turn.impetuous and not calm:
        return OrderPayment(trooper.name, OrderType.IMPETUOUS)
    return next((paid for paid in payments(turn, trooper) if paid.kind is not OrderType.NONE), None)


def payments(turn: PlayerTurn, trooper: Trooper) -> Iterator[OrderPayment]:
    """Yield the orders that can pay for a trooper now."""
    if states.OFF_TABLE in trooper.states and turn.phase == "orders":
        yield OrderPayment(trooper.name, OrderType.ENTERING)
    if trooper.name in turn.irregular:
        yield OrderPayment(trooper.name, OrderType.IRREGULAR)
    if "Isolated" not in trooper.states:
        pools = (pool for pool in turn.pools if pool.left and (trooper.is_marker or pool.group == trooper.group))
        yield from (OrderPayment(trooper.name, OrderType.REGULAR, pool.group) for pool in pools)
    leads = trooper.has("Lieutenant") or (trooper.has("NCO") and "Isolated" not in trooper.states)
    own = {
        OrderType.TACTICAL: trooper.name in turn.tactical,
        OrderType.LIEUTENANT: turn.lieutenant and leads,
        OrderType.IMPETUOUS: trooper.name in turn.impetuous,
        OrderType.NONE: True,
    }
    yield from (OrderPayment(trooper.name, kind) for kind, may_pay in own.items() if may_pay)


def pay(turn: PlayerTurn, paid: OrderPayment, *, back: bool = False) -> PlayerTurn:
    """Pay an order, or refund it with ``back``."""
    by, turn = 1 if back else -1, replace(turn, paid=None if back else paid)
    match paid.kind:
        case OrderType.REGULAR:
            return with_orders(turn, paid.group, by)
        case OrderType.IRREGULAR | OrderType.TACTICAL | OrderType.IMPETUOUS:
            rest = tuple(name for name in getattr(turn, paid.kind) if name != paid.name)
            left: dict[str, Any] = {paid.kind.value: (*rest, paid.name) if back else rest}
            return replace(turn, **left)
        case OrderType.LIEUTENANT:
            return replace(turn, lieutenant=turn.lieutenant + by)
        case OrderType.ENTERING | OrderType.NONE:
            return turn


LEAVES_TEAM: Final = (OrderType.IRREGULAR, OrderType.LIEUTENANT, OrderType.IMPETUOUS)
"""Orders with which a trooper leaves its Fireteam."""


def after_leading(turn: PlayerTurn, paid: OrderPayment) -> PlayerTurn:
    """Update Fireteams: a trooper that spends its own order leaves, another one leads."""
    if paid.kind in LEAVES_TEAM:
        return leave_fireteams(turn, (paid.name,))
    if paid.kind not in (OrderType.REGULAR, OrderType.TACTICAL):
        return turn
    teams = (replace(team, leader=paid.name) if paid.name in team.members else team for team in turn.teams)
    return replace(turn, teams=tuple(teams))


def doubt(turn: PlayerTurn, trooper: Trooper) -> declared.Doubt | None:
    """Return an objection to a trooper's order, or None."""
    if trooper.owner and trooper.owner != turn.active:
        return declared.Doubt("inactive", trooper.name)
    return None if payment(turn, trooper) else declared.Doubt("spent", trooper.name, trooper.group)


def doubt_sentence(why: declared.Doubt) -> Text:
    return Text(TOLD[why.why, "doubt"], name=why.name, group=why.group)


# Command tokens


class TokenUse(Labeled):
    COORDINATED = "coordinated", Text("Coordinated Order")
    GUTS = "guts", Text("Pass or fail a Guts Roll")
    REGULAR = "regular", Text("An Irregular Order becomes Regular")
    REROLL = "reroll", Text("Reroll a Doctor or an Engineer")
    BRAVE = "brave", Text("A trooper ignores Retreat!")
    FREE = "free", Text("End Possessed")
    MOVE = "move", Text("Move a trooper to the other group")
    TEAM = "team", Text("Make a Fireteam")
    HOLD = "hold", Text("First player, deployment: hold back one more trooper")
    LESS = "less", Text("Second player: the opponent loses 2 orders")
    CAP = "cap", Text("Second player: the opponent can use one token this turn")
    FIRES = "fires", Text("Second player: a trooper starts in Suppressive Fire")
    SPEEDBALL = "speedball", Text("Two Speedballs")
    STRATEGOS = "strategos", Text("Strategos: the Lieutenant's Order becomes Regular")
    OTHER = "other", Text("Something else")


FOR_ONE: Final = (TokenUse.REGULAR, TokenUse.BRAVE, TokenUse.FREE, TokenUse.MOVE, TokenUse.FIRES)
"""Uses on a trooper."""
FIRST_TURNS: Final = (TokenUse.HOLD, TokenUse.LESS, TokenUse.CAP, TokenUse.FIRES)
"""Strategic uses, one per player and game."""
MIN_ORDERS: Final = 11
"""Minimum orders of the opponent for removing some."""


def step_to(table: Table, turn: PlayerTurn, told: Shown, changes: Table = NOTHING) -> BoardChange:
    """Return a step to this turn and troopers; those down or gone leave their Fireteams."""
    return BoardChange({**changes, TURN: with_teams(turn, {**table, **changes})}, told)


def spend_token(table: Table, player: int, use: TokenUse, name: str = "") -> BoardChange:
    """Spend a command token (Strategos: none) for a use. Raises ``PlayerError``."""
    turn = turn_of(table)
    if not turn.is_running and use not in (TokenUse.HOLD, TokenUse.SPEEDBALL):
        running_turn(table)
    if use in FOR_ONE and not name:
        raise PlayerError(Text("Choose the trooper for the Command Token."))
    trooper = find(troopers_of(table), name) if name else None
    is_free = use is TokenUse.STRATEGOS or moves_free(turn, table, player, use)
    turn = with_strategy(turn, player, use, is_free=is_free)
    turn = turn if is_free else without_one_token(turn, table, player)
    turn, after = use_token(turn, table, use, trooper)
    message = N_("spends a Command Token: {use}")
    if trooper is not None:
        message = N_("spends a Command Token on {name}: {use}")
    if is_free:
        message = N_("{use}, without a Command Token")
    told = Text(message, name=trooper.name if trooper else "", use=use.label)
    return step_to(table, turn, told, {} if trooper is None or after == trooper else {trooper.name: after})


def without_one_token(turn: PlayerTurn, table: Table, player: int) -> PlayerTurn:
    """Remove one of a player's command tokens. Raises ``PlayerError`` if none is usable."""
    left = dict(turn.tokens).get(player, tokens_at_first(table, player))
    if left < 1:
        raise PlayerError(Text("You have no Command Tokens left."))
    is_active = player == turn.active
    if is_active and turn.capped and turn.used:
        raise PlayerError(Text("Your opponent limited you to one Command Token this turn, and you have used it."))
    tokens = {**dict(turn.tokens), player: left - 1}
    return replace(turn, tokens=tuple(sorted(tokens.items())), used=turn.used + is_active)


def moves_free(turn: PlayerTurn, table: Table, player: int, use: TokenUse) -> bool:
    """Whether a trooper changes its group for free: once a turn, by Strategos of level 2."""
    held = [skill for trooper in own_troopers(table, player) for skill in trooper.parsed_skills]
    is_skilled = any(skill.name == "Strategos" and skill.level > 1 for skill in held)
    return use is TokenUse.MOVE and is_skilled and (player, f"{use} {turn.round}") not in turn.strategic


def with_strategy(turn: PlayerTurn, player: int, use: TokenUse, *, is_free: bool) -> PlayerTurn:
    """Record a limited use. Raises ``PlayerError`` for a second one of its kind."""
    kind = "first turns" if use in FIRST_TURNS else use.value if use is TokenUse.SPEEDBALL else ""
    kind = f"{use} {turn.round}" if is_free and use is TokenUse.MOVE else kind
    if kind and (player, kind) in turn.strategic:
        raise PlayerError(Text("You've already used a Command Token this way; you can do that once per game."))
    return replace(turn, strategic=(*turn.strategic, (player, kind))) if kind else turn


def use_token(
    turn: PlayerTurn, table: Table, use: TokenUse, trooper: Trooper | None
) -> tuple[PlayerTurn, Trooper | None]:
    match use:
        case TokenUse.LESS:
            return remove_two_orders(turn, table), trooper
        case TokenUse.CAP:
            return replace(turn, capped=True), trooper
        case TokenUse.STRATEGOS:
            return with_strategos(turn, table), trooper
        case _ if trooper is None:
            return turn, trooper
        case TokenUse.REGULAR:
            if trooper.name not in turn.irregular or "Isolated" in trooper.states:
                raise PlayerError(Text("{name} has no Irregular Order to make Regular.", name=trooper.name))
            rest = tuple(name for name in turn.irregular if name != trooper.name)
            return replace(with_orders(turn, trooper.group, 1, 1), irregular=rest), trooper
        case TokenUse.BRAVE:
            return turn, replace(with_states(trooper, (RETREAT,), on=False), skills=(*trooper.skills, "Courage"))
        case TokenUse.FREE:
            return turn, with_states(trooper, ("Possessed",), on=False)
        case TokenUse.MOVE:
            group = 3 - trooper.group if trooper.group in (1, 2) else 1
            return leave_fireteams(turn, (trooper.name,)), replace(trooper, group=group)
        case TokenUse.FIRES:
            return turn, begin_suppression(trooper)
    return turn, trooper


def remove_two_orders(turn: PlayerTurn, table: Table) -> PlayerTurn:
    """Remove two Regular Orders, one against Counterintelligence."""
    if sum(pool.left for pool in turn.pools) + len(turn.irregular) + len(turn.tactical) < MIN_ORDERS:
        raise PlayerError(Text("The opponent has ten orders or fewer, so none can be removed."))
    guarded = any(trooper.has("Counterintelligence") for trooper in own_troopers(table, turn.active))
    for _ in range(1 if guarded else 2):  # from the largest groups
        most = max(turn.pools, key=lambda order_pool: order_pool.left, default=None)
        turn = with_orders(turn, most.group, -1) if most is not None and most.left else turn
    return turn


def with_strategos(turn: PlayerTurn, table: Table) -> PlayerTurn:
    """Move the Lieutenant's Orders into their group's pool. Raises ``PlayerError``."""
    leads = next((lieutenant for lieutenant in lieutenants(table, turn.active) if lieutenant.has("Strategos")), None)
    if leads is None or not turn.lieutenant:
        raise PlayerError(Text("You have no Lieutenant with Strategos and an order left."))
    return replace(with_orders(turn, leads.group, turn.lieutenant, turn.lieutenant), lieutenant=0)


def with_orders(turn: PlayerTurn, group: int, more: int, of: int = 0) -> PlayerTurn:
    """Add Regular Orders to a combat group (negative: remove), ``of`` more in all."""
    known = {pool.group: pool for pool in turn.pools}
    now = known.get(group, OrderPool(group, 0, 0))
    known[group] = OrderPool(group, now.left + more, now.of + of)
    return replace(turn, pools=tuple(known[item] for item in sorted(known)))


def begin_suppression(trooper: Trooper) -> Trooper:
    """Put a trooper into Suppressive Fire; a profile without the trait is accepted. Raises ``PlayerError``."""
    if not any(arm.bands or "suppressive" in arm.traits for arm in trooper.weapons):
        raise PlayerError(Text("{name} doesn't have a weapon with Suppressive Fire.", name=trooper.name))
    return with_states(trooper, (states.SUPPRESSIVE,))


# Fireteams


def with_teams(turn: PlayerTurn, table: Table) -> PlayerTurn:
    """Remove those down or gone from Fireteams. One ends with its Leader (Null or Isolated), or with one member."""
    held = troopers_of(table)
    broken = {name for name, trooper in held.items() if {*states.NULL, "Isolated"} & set(trooper.states)}
    teams = (team for team in turn.teams if team.leader not in broken or team.leader not in team.members)
    gone = [name for name, trooper in held.items() if not may_stay(trooper)]
    return leave_fireteams(replace(turn, teams=tuple(teams)), gone)


def leave_fireteams(turn: PlayerTurn, names: Iterable[str]) -> PlayerTurn:
    """Remove these from their Fireteams; one of one member ends."""
    gone, teams = set(names), list[Fireteam]()
    for team in turn.teams:
        stay = tuple(name for name in team.members if name not in gone)
        left = dict.fromkeys((*team.left, *(name for name in team.members if name in gone)))
        if len(stay) >= MIN_TEAM:
            teams.append(replace(team, members=stay, left=tuple(left)))
    return replace(turn, teams=tuple(teams))


def after_reactions(turn: PlayerTurn, reactions: Mapping[str, str]) -> PlayerTurn:
    """Update the turn after AROs (skill by trooper): members who differ from most leave. With its Leader a Fireteam
    ends. Without a majority skill its owner decides later.
    """
    for team in turn.teams:
        said = {name: reactions[name] for name in team.members if name in reactions}
        skill, most = next(iter(Counter(said.values()).most_common(1)), ("", 0))
        unlike = [name for name, item in said.items() if item != skill] if 2 * most > len(said) else []
        ends = team.leader in unlike
        turn = leave_fireteams(turn, team.members if ends else unlike)
    return turn


def may_rejoin(turn: PlayerTurn, table: Table) -> tuple[str, ...]:
    """Return who left a still existing Fireteam, and may rejoin."""
    held, busy = troopers_of(table), turn.in_teams
    gone = (name for team in turn.teams if len(team.members) < MAX_TEAM for name in team.left)
    return tuple(dict.fromkeys(name for name in gone if name not in busy and name in held and may_stay(held[name])))


def may_stay(trooper: Trooper) -> bool:
    leaves = {*states.NULL, "Isolated", states.SUPPRESSIVE, RETREAT, states.OFF_TABLE}
    return not leaves & set(trooper.states) and not states.is_hidden(trooper.states)


def level_of(turn: PlayerTurn, name: str) -> int:
    mine = (team for team in turn.teams if any(is_same_name(name, member) for member in team.members))
    return next((team.current_level for team in mine), 0)


def make_team(table: Table, player: int, name: str, members: Iterable[str], level: int) -> BoardChange:
    """Form a Fireteam with name, members, and level, or end it without members. Raises ``PlayerError``."""
    turn, held = turn_of(table), troopers_of(table)
    troopers = [find(held, member) for member in members]
    others = tuple(team for team in turn.teams if not is_same_name(team.name, name))
    if not troopers and len(others) < len(turn.teams):
        return BoardChange({TURN: replace(turn, teams=others)}, Text("ends the Fireteam {name}", name=Name(name)))
    if not MIN_TEAM <= len(troopers) <= MAX_TEAM:
        raise PlayerError(Text("A Fireteam has {least} to {most} members.", least=MIN_TEAM, most=MAX_TEAM))
    if wrong := [trooper.name for trooper in troopers if not may_stay(trooper)]:
        raise PlayerError(Text("{names} can't join a Fireteam now.", names=Names(wrong)))
    names, most = tuple(trooper.name for trooper in troopers), min(level, len(troopers))
    others = tuple(replace(team, members=tuple(item for item in team.members if item not in names)) for team in others)
    fireteam = Fireteam(Name(name), player, names, most)
    message = N_("makes {members} a Fireteam of level {level}: {name}")
    told = [Text(message, name=Name(name), members=Names(names), level=most)]
    if most < level:
        told.append(Text("A Fireteam with {members} members can't have a higher level", members=len(troopers)))
    return step_to(table, replace(turn, teams=(*others, fireteam)), Sentences(told, ". "))


# Display


def line(turn: PlayerTurn, names: Mapping[int, Shown]) -> Shown:
    """``Round 2 · Ana's turn · orders in group 1: 7 of 10 · Irregular 1 · Lt 1 · 3 Command Tokens``."""
    who = turn.active or turn.next or turn.won
    named = names.get(who) or Text("player {number}", number=who)
    active = Text("{name} is next", name=named)
    if turn.active:
        active = Text("{name}'s turn", name=named)
    elif not turn.next:
        active = Text("{name} won the Lieutenant Roll", name=named) if turn.won else Text("before the first turn")
    about = [Text("Round {round}", round=turn.round), active]
    orders = [Text("States Phase") if turn.phase == "states" else orders_line(turn)] if turn.active else []
    tokens = [Count(turn.tokens_of(turn.active), "Command Token", "Command Tokens")] if turn.active else []
    smoke = [Text("smoke: {names}", names=Names(turn.smoke))] if turn.smoke else []
    return Sentences([*about, *orders, *tokens, *smoke], " · ")


def orders_line(turn: PlayerTurn, *, begins: bool = False) -> Shown:
    """Return the orders left; at a turn's start the sum of Regular ones: ``10 Regular orders · Lt 1``."""
    parts = [
        Text("orders in group {group}: {left} of {of}", group=pool.group, left=pool.left, of=pool.of)
        for pool in turn.pools
    ]
    if begins:
        parts = [Count(sum(pool.of for pool in turn.pools), "Regular order", "Regular orders")] * bool(turn.pools)
    parts += [Text("Irregular {count}", count=len(turn.irregular))] * bool(turn.irregular)
    parts += [Text("Lt {count}", count=turn.lieutenant)] * turn.had_lieutenant
    parts += [Text("tactical {count}", count=len(turn.tactical))] * bool(turn.tactical)
    parts += [Text("Impetuous {count}", count=len(turn.impetuous))] * bool(turn.impetuous)
    return Sentences(parts, " · ") or Text("no orders")


def team_lines(turn: PlayerTurn) -> Shown:
    """Return a line per Fireteam: ``Core 1, level 3: Ana, Bo and Cy``."""
    message = N_("{name}, level {level}: {members}")
    teams = ((team.name, team.current_level, Names(team.members)) for team in turn.teams)
    return Sentences((Text(message, name=name, level=level, members=members) for name, level, members in teams), "\n")
