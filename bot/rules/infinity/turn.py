"""The Player Turn: who is active, what an order costs, what ends by itself (rules page, The Player Turn, N5.2).

The turn is one more piece of the channel, beside its troopers; where nobody starts a turn there is none, and nothing
here is asked. Functions that change something give the pieces that change, by name.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, Literal

from bot.rules.errors import PlayerError
from bot.rules.infinity import states
from bot.rules.infinity.declared import Doubt
from bot.rules.infinity.states import DEAD, NULL, SUPPRESSIVE
from bot.rules.infinity.trooper import Trooper, find, same, troopers_of, with_states
from bot.rules.text import EMPTY, Names, Sentences, Shown, Text, Words

TURN: Final = "*turn*"
"""The name of the piece; no trooper can be called so."""
GROUP_MOST: Final = 10
"""Orders of a combat group."""
TOKENS: Final = 4
GUIDED_MOST: Final = 5
"""Guided attacks in a Player Turn."""
TEAM_LEAST: Final = 2
TEAM_MOST: Final = 5
STUNNED: Final = "Stunned"
RETREAT: Final = "Retreat"
BRAVE: Final = ("Courage", "Warhorse")
"""Skills that leave a trooper out of Retreat!."""


class Kind(StrEnum):
    """What an order was paid with."""

    REGULAR = "regular"
    IRREGULAR = "irregular"
    LIEUTENANT = "lieutenant"
    TACTICAL = "tactical"
    IMPETUOUS = "impetuous"
    NONE = "none"

    @property
    def named(self) -> Text:
        return KINDS[self]


KINDS: Final = {
    Kind.REGULAR: Text("Regular Order"),
    Kind.IRREGULAR: Text("Irregular Order"),
    Kind.LIEUTENANT: Text("Lieutenant's Order"),
    Kind.TACTICAL: Text("Tactical Order"),
    Kind.IMPETUOUS: Text("Impetuous Order"),
    Kind.NONE: Text("no order"),
}


@dataclass(frozen=True, slots=True)
class Pool:
    """The Regular Orders of a combat group: how many are left, of how many."""

    group: int
    left: int
    of: int


@dataclass(frozen=True, slots=True)
class Paid:
    """What the last order cost, and whose trooper it was."""

    name: str
    kind: Kind
    group: int = 0


@dataclass(frozen=True, slots=True)
class Fireteam:
    """A Fireteam by its name: its members, and how many of them are of one unit when it was made."""

    name: str
    owner: int
    members: tuple[str, ...]
    level: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """``active`` is the number of the active player, 0 between two turns, when ``next`` has the following one.

    ``first`` has the first Player Turn of each round. ``irregular``, ``tactical`` and ``impetuous`` are the troopers
    who have such an order left, ``lieutenant`` the Lieutenant's orders. ``tokens`` are the command tokens of each
    player by number. ``guided`` counts the Guided attacks of this turn, ``paid`` is what the last order cost.
    """

    kind: Literal["turn"] = "turn"
    round: int = 1
    active: int = 0
    next: int = 0
    first: int = 0
    pools: tuple[Pool, ...] = ()
    irregular: tuple[str, ...] = ()
    tactical: tuple[str, ...] = ()
    impetuous: tuple[str, ...] = ()
    lieutenant: int = 0
    had_lieutenant: bool = False
    tokens: tuple[tuple[int, int], ...] = ()
    guided: int = 0
    paid: Paid | None = None
    teams: tuple[Fireteam, ...] = ()

    @property
    def is_running(self) -> bool:
        return bool(self.active)

    @property
    def left(self) -> int:
        """All orders that are left."""
        named = (*self.irregular, *self.tactical, *self.impetuous)
        return sum(pool.left for pool in self.pools) + len(named) + self.lieutenant

    def tokens_of(self, player: int) -> int:
        return dict(self.tokens).get(player, TOKENS)


Table = Mapping[str, Any]
"""The pieces of a channel by name: troopers, and perhaps the turn."""
Changes = dict[str, "Trooper | Turn | None"]


def runs(table: Table) -> bool:
    """Whether somebody's turn runs at this table."""
    turn = turn_of(table)
    return turn is not None and turn.is_running


def turn_of(table: Table) -> Turn | None:
    turn = table.get(TURN)
    return turn if isinstance(turn, Turn) else None


def running(table: Table) -> Turn:
    """The turn that is played. Raises ``PlayerError`` where there is none."""
    turn = turn_of(table)
    if turn is None or not turn.is_running:
        raise PlayerError(Text("Nobody's turn has begun. Press Start turn on the board first."))
    return turn


def owners(table: Table) -> list[int]:
    """The numbers of the players who have troopers."""
    return sorted({one.owner for one in troopers_of(table).values() if one.owner})


def own(table: Table, player: int) -> list[Trooper]:
    """The troopers of a player, by name."""
    return sorted((one for one in troopers_of(table).values() if one.owner == player), key=lambda one: one.name)


# Order Count


def gives_order(one: Trooper) -> bool:
    """Whether a trooper on the table has an order: it is not Null, no Peripheral, and not off the table."""
    return not set(one.states) & {*NULL, states.OFF_TABLE} and not one.has("Peripheral")


def is_irregular(one: Trooper, *, loss: bool) -> bool:
    """Whether its order is Irregular: by its profile, Isolated, or in Loss of Lieutenant; a Warhorse stays Regular."""
    if one.has("Warhorse") and not one.has("Irregular"):
        return "Isolated" in one.states
    return loss or one.has("Irregular") or "Isolated" in one.states


def lieutenants(table: Table, player: int) -> list[Trooper]:
    """The Lieutenants of a player who are in play: neither Null nor Isolated nor off the table."""
    mine = [one for one in own(table, player) if one.has("Lieutenant", "Chain of Command") and gives_order(one)]
    return sorted((one for one in mine if "Isolated" not in one.states), key=lambda one: not one.has("Lieutenant"))


def lost_lieutenant(table: Table, player: int) -> bool:
    """Whether a list that had a Lieutenant has none in play now."""
    return any(one.has("Lieutenant") for one in own(table, player)) and not lieutenants(table, player)


def counted(turn: Turn, table: Table, *, loss: bool, retreats: bool = False) -> Turn:
    """The turn with the orders of the active player's troopers."""
    mine = [one for one in own(table, turn.active) if gives_order(one)]
    regular = Counter(one.group for one in mine if not is_irregular(one, loss=loss))
    pools = tuple(Pool(group, min(n, GROUP_MOST), min(n, GROUP_MOST)) for group, n in sorted(regular.items()))
    leads = lieutenants(table, turn.active)
    orders = 0 if loss or not leads else orders_of(leads[0])
    return replace(
        turn,
        pools=pools,
        irregular=tuple(one.name for one in mine if is_irregular(one, loss=loss)),
        tactical=tuple(one.name for one in mine if one.has("Tactical Awareness")),
        impetuous=()
        if retreats
        else tuple(
            one.name for one in mine if one.has("Impetuous", "Extremely Impetuous") and "Prone" not in one.states
        ),
        lieutenant=orders,
        had_lieutenant=bool(orders),
        guided=0,
        paid=None,
    )


def orders_of(leader: Trooper) -> int:
    """The orders of a Lieutenant: 1, and what its brackets add."""
    extras = [extra for one in leader.held if one.name == "Lieutenant" for extra in one.extras]
    return 2 if any(extra.casefold() in ("+1 order", "+1 orders") for extra in extras) else 1


def tokens_at_first(table: Table, player: int) -> int:
    """The command tokens of the game: 4, one more with ``Lieutenant (+1 Command Token)``."""
    extras = [
        extra.casefold()
        for one in own(table, player)
        for held in one.held
        if held.name == "Lieutenant"
        for extra in held.extras
    ]
    return TOKENS + any("command token" in extra for extra in extras)


# Start and end


def start(table: Table, player: int, *, retreats: bool = False, leads: bool | None = None) -> tuple[Changes, Text]:
    """A player's turn begins: Retreat!, Loss of Lieutenant, Order Count. What changes, and a sentence.

    ``retreats``: the owner says that the army is in Retreat!. ``leads``: whether the Lieutenant is in play, None for
    what the list says. Raises ``PlayerError`` where a turn is running, or the player has no trooper.
    """
    before = turn_of(table)
    if before is not None and before.is_running:
        raise PlayerError(Text("A turn is running already. End it first."))
    if not own(table, player):
        raise PlayerError(Text("You have no trooper here. Add your troopers first, then start your turn."))
    held = dict((before or Turn()).tokens)
    tokens = tuple((one, held.get(one, tokens_at_first(table, one))) for one in sorted({*owners(table), player}))
    turn = replace(before or Turn(first=player), active=player, next=0, tokens=tokens)
    loss = retreats or (lost_lieutenant(table, player) if leads is None else not leads)
    changes: Changes = {}
    for one in own(table, player):
        after = with_states(one, (SUPPRESSIVE,), on=False) if loss else one
        runs = retreats and gives_order(one) and not one.has(*BRAVE)
        after = with_states(after, (RETREAT,), on=runs) if runs or RETREAT in one.states else after
        if after != one:
            changes[one.name] = after
    turn = with_teams(counted(turn, {**table, **changes}, loss=loss, retreats=retreats), {**table, **changes})
    if retreats:
        turn = replace(turn, teams=tuple(team for team in turn.teams if team.owner != player))
    sentences = [Text("begins round {round}: {orders}", round=turn.round, orders=orders_line(turn))]
    sentences += [Text("The army is in Retreat!")] * retreats
    sentences += [Text("Loss of Lieutenant: all orders are Irregular")] * (loss and not retreats)
    sentences += [Text("Impetuous first: {names}", names=Names(turn.impetuous))] * bool(turn.impetuous)
    return {**changes, TURN: turn}, Sentences(sentences, ". ")


def end(table: Table) -> tuple[Changes, Text]:
    """The States Phase and the end of a turn: Stunned ends, Dogged troopers die, orders go, the other player is next.

    What needs a roll or an answer is said. Raises ``PlayerError`` where no turn is running.
    """
    turn = running(table)
    changes: Changes = {}
    ended, died, asked = list[str](), list[str](), list[Text]()
    for one in sorted(troopers_of(table).values(), key=lambda one: one.name):
        after = one
        if STUNNED in one.states:
            after, ended = with_states(after, (STUNNED,), on=False), [*ended, one.name]
        if "Dogged" in one.states:
            after = with_states(with_states(after, ("Dogged",), on=False), (DEAD,))
            died.append(one.name)
        if one.has("Regeneration") and one.lost and DEAD not in after.states:
            asked.append(Text("{name} may make a PH roll: Regeneration", name=one.name))
        if one.spent and gives_order(after):
            asked.append(Text("{name} has its disposable weapons back near an ally with Baggage", name=one.name))
        if after != one:
            changes[one.name] = after
    everybody = owners(table)
    others = [number for number in everybody if number != turn.active]
    is_last = turn.active != turn.first or not others
    after_turn = replace(
        turn,
        active=0,
        next=turn.first if is_last else others[0],
        round=turn.round + is_last,
        pools=(),
        irregular=(),
        tactical=(),
        impetuous=(),
        lieutenant=0,
        had_lieutenant=False,
        paid=None,
    )
    after_turn = with_teams(after_turn, {**table, **changes})
    sentences = [Text("ends the turn of round {round}", round=turn.round)]
    sentences += [Text("No longer Stunned: {names}", names=Names(ended))] * bool(ended)
    sentences += [Text("Dead, since they were Dogged: {names}", names=Names(died))] * bool(died)
    return {**changes, TURN: after_turn}, Sentences([*sentences, *asked], ". ")


# Orders


def payment(turn: Turn, one: Trooper) -> Paid | None:
    """What an order of a trooper costs unless somebody says otherwise; None where it has none left.

    An Impetuous trooper's own comes first, then an Irregular one's own, the pool of the group, Tactical, Lieutenant's.
    """
    if one.name in turn.impetuous:
        return Paid(one.name, Kind.IMPETUOUS)
    return next((paid for paid in payments(turn, one) if paid.kind is not Kind.NONE), None)


def payments(turn: Turn, one: Trooper) -> Iterator[Paid]:
    """All that an order of a trooper may be paid with now."""
    if one.name in turn.irregular:
        yield Paid(one.name, Kind.IRREGULAR)
    if "Isolated" not in one.states:
        yield from (
            Paid(one.name, Kind.REGULAR, pool.group) for pool in turn.pools if pool.group == one.group and pool.left
        )
    if one.name in turn.tactical:
        yield Paid(one.name, Kind.TACTICAL)
    if turn.lieutenant and one.has("Lieutenant", "NCO"):
        yield Paid(one.name, Kind.LIEUTENANT)
    if one.name in turn.impetuous:
        yield Paid(one.name, Kind.IMPETUOUS)
    yield Paid(one.name, Kind.NONE)


def pay(turn: Turn, paid: Paid, *, back: bool = False) -> Turn:
    """The turn after an order was paid, or, with ``back``, after it was given back."""
    by = 1 if back else -1

    def named(names: tuple[str, ...]) -> tuple[str, ...]:
        rest = tuple(name for name in names if name != paid.name)
        return (*rest, paid.name) if back else rest

    turn = replace(turn, paid=None if back else paid)
    match paid.kind:
        case Kind.REGULAR:
            pools = (replace(one, left=one.left + by) if one.group == paid.group else one for one in turn.pools)
            return replace(turn, pools=tuple(pools))
        case Kind.IRREGULAR:
            return replace(turn, irregular=named(turn.irregular))
        case Kind.TACTICAL:
            return replace(turn, tactical=named(turn.tactical))
        case Kind.IMPETUOUS:
            return replace(turn, impetuous=named(turn.impetuous))
        case Kind.LIEUTENANT:
            return replace(turn, lieutenant=turn.lieutenant + by)
        case Kind.NONE:
            return turn


def doubt(turn: Turn, one: Trooper) -> Doubt | None:
    """Why an order of a trooper is out of order; None where nothing speaks against it."""
    if one.owner and one.owner != turn.active:
        return Doubt("inactive", one.name)
    return None if payment(turn, one) else Doubt("spent", one.name, one.group)


def doubtful(why: Doubt) -> Text:
    """What speaks against an order, in a sentence."""
    if why.why == "inactive":
        return Text("{name} belongs to the player who is not active.", name=why.name)
    return Text("No order is left for {name} in group {group}.", name=why.name, group=why.group)


# Command tokens


class Use(StrEnum):
    """What a command token is for."""

    COORDINATED = "coordinated"
    GUTS = "guts"
    REGULAR = "regular"
    REROLL = "reroll"
    BRAVE = "brave"
    FREE = "free"
    MOVE = "move"
    TEAM = "team"
    LESS = "less"
    OTHER = "other"

    @property
    def named(self) -> Text:
        return USES[self]


USES: Final = {
    Use.COORDINATED: Text("Coordinated Order"),
    Use.GUTS: Text("Pass or fail a Guts Roll"),
    Use.REGULAR: Text("An Irregular Order becomes Regular"),
    Use.REROLL: Text("Reroll a Doctor or an Engineer"),
    Use.BRAVE: Text("A trooper ignores Retreat!"),
    Use.FREE: Text("End Possessed"),
    Use.MOVE: Text("Move a trooper to the other group"),
    Use.TEAM: Text("Make a Fireteam"),
    Use.LESS: Text("Second player: 2 orders less for the opponent"),
    Use.OTHER: Text("Something else"),
}
FOR_ONE: Final = (Use.REGULAR, Use.BRAVE, Use.FREE, Use.MOVE)
"""Uses that are about a trooper."""


def spend_token(table: Table, player: int, use: Use, name: str = "") -> tuple[Changes, Text]:
    """A command token leaves, and does what it is for. Raises ``PlayerError``."""
    turn = running(table)
    left = turn.tokens_of(player)
    if left < 1:
        raise PlayerError(Text("You have no command token left."))
    if use in FOR_ONE and not name:
        raise PlayerError(Text("Say for which trooper the command token is."))
    tokens = {**dict(turn.tokens), player: left - 1}
    turn, changes = replace(turn, tokens=tuple(sorted(tokens.items()))), Changes()
    one = find(troopers_of(table), name) if name else None
    if use is Use.LESS:
        turn = replace(turn, pools=less(turn.pools, 2))
    elif one is not None and use is Use.REGULAR:
        if one.name not in turn.irregular or "Isolated" in one.states:
            raise PlayerError(Text("{name} has no Irregular Order that could become Regular.", name=one.name))
        turn = replace(more(turn, one.group), irregular=tuple(n for n in turn.irregular if n != one.name))
    elif one is not None and use is Use.BRAVE:
        changes[one.name] = replace(with_states(one, (RETREAT,), on=False), skills=(*one.skills, "Courage"))
    elif one is not None and use is Use.FREE:
        changes[one.name] = with_states(one, ("Possessed",), on=False)
    elif one is not None and use is Use.MOVE:
        changes[one.name] = replace(one, group=3 - one.group if one.group in (1, 2) else 1)
    what = Text("spends a command token: {use}", use=use.named)
    about = Text("spends a command token for {name}: {use}", name=one.name, use=use.named) if one else what
    return {**changes, TURN: turn}, about


def less(pools: tuple[Pool, ...], count: int) -> tuple[Pool, ...]:
    """So many orders less, from the largest groups."""
    for _ in range(count):
        most = max(pools, key=lambda one: one.left, default=None)
        if most is not None and most.left:
            pools = tuple(Pool(p.group, p.left - 1, p.of) if p is most else p for p in pools)
    return pools


def more(turn: Turn, group: int) -> Turn:
    """One Regular Order more in a combat group."""
    known = {one.group: one for one in turn.pools}
    now = known.get(group, Pool(group, 0, 0))
    known[group] = Pool(group, now.left + 1, now.of + 1)
    return replace(turn, pools=tuple(known[one] for one in sorted(known)))


def may_suppress(one: Trooper) -> bool:
    """Whether a trooper has a weapon for Suppressive Fire; a profile that names the trait nowhere is believed."""
    return bool(one.weapons) and any(arm.bands or "suppressive" in arm.traits for arm in one.weapons)


# Fireteams


def with_teams(turn: Turn, table: Table) -> Turn:
    """The turn in which those who fell, or left by what they did, are in no Fireteam; one of one member ends."""
    held, kept = troopers_of(table), list[Fireteam]()
    for team in turn.teams:
        members = tuple(name for name in team.members if name not in held or stays(held[name]))
        if len(members) >= TEAM_LEAST:
            kept.append(replace(team, members=members))
    return replace(turn, teams=tuple(kept))


def stays(one: Trooper) -> bool:
    """Whether its states let a trooper stay in its Fireteam."""
    leaves = {*NULL, "Isolated", SUPPRESSIVE, RETREAT, states.OFF_TABLE}
    return not leaves & set(one.states) and not states.is_hidden(one.states)


def level_of(turn: Turn | None, name: str) -> int:
    """The level of a trooper's Fireteam now, 0 for none: it falls with its members."""
    teams = turn.teams if turn is not None else ()
    return next(
        (min(team.level, len(team.members)) for team in teams if any(same(name, one) for one in team.members)), 0
    )


def make_team(table: Table, player: int, name: str, members: Iterable[str], level: int) -> tuple[Changes, Text]:
    """A Fireteam gets a name, its members and its level. Raises ``PlayerError``."""
    turn = turn_of(table) or Turn()
    held = troopers_of(table)
    found = [find(held, one) for one in members]
    if not TEAM_LEAST <= len(found) <= TEAM_MOST:
        raise PlayerError(Text("A Fireteam has {least} to {most} members.", least=TEAM_LEAST, most=TEAM_MOST))
    if level > len(found):
        message = "A Fireteam of {members} has at most level {members}."
        raise PlayerError(Text(message, members=len(found)))
    if wrong := [one.name for one in found if not stays(one)]:
        raise PlayerError(Text("{names} cannot join a Fireteam now.", names=Names(wrong)))
    names = tuple(one.name for one in found)
    others = tuple(
        replace(team, members=tuple(one for one in team.members if one not in names))
        for team in turn.teams
        if not same(team.name, name)
    )
    turn = with_teams(replace(turn, teams=(*others, Fireteam(name, player, names, level))), table)
    message = "makes {members} a Fireteam of level {level}: {name}"
    return {TURN: turn}, Text(message, name=name, members=Names(names), level=level)


# Words


def line(turn: Turn, names: Mapping[int, Words]) -> Shown:
    """``Round 2 · Ana active · group 1: 7 of 10 · group 2: 2 of 4 · Irregular 1 · Lt 1 · tactical 1 · tokens 3``."""
    who = turn.active or turn.next
    named = names.get(who) or Text("player {number}", number=who)
    active = Text("{name} active", name=named) if turn.active else Text("{name} is next", name=named)
    about = [Text("Round {round}", round=turn.round), active]
    orders = [orders_line(turn)] if turn.active else []
    tokens = [Text("tokens {count}", count=turn.tokens_of(turn.active))] if turn.active else []
    return Sentences([*about, *orders, *tokens], " · ")


def orders_line(turn: Turn) -> Shown:
    """The orders that are left."""
    parts = [Text("group {group}: {left} of {of}", group=one.group, left=one.left, of=one.of) for one in turn.pools]
    parts += [Text("Irregular {count}", count=len(turn.irregular))] * bool(turn.irregular)
    parts += [Text("Lt {count}", count=turn.lieutenant)] * turn.had_lieutenant
    parts += [Text("tactical {count}", count=len(turn.tactical))] * bool(turn.tactical)
    parts += [Text("Impetuous {count}", count=len(turn.impetuous))] * bool(turn.impetuous)
    return Sentences(parts, " · ") if parts else Text("no orders")


def team_lines(turn: Turn) -> Shown:
    """``Core 1, level 3: Ana, Bo and Cy``, a line for each Fireteam."""
    found = (
        Text(
            "{name}, level {level}: {members}",
            name=one.name,
            level=min(one.level, len(one.members)),
            members=Names(one.members),
        )
        for one in turn.teams
    )
    return Sentences(found, "\n") if turn.teams else EMPTY
