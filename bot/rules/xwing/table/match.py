"""A channel's match: round and phase, player order, engagement order, and removal of destroyed ships.

Source: rules page, The attack, step by step (7, 8), and Tokens on ships, per channel; cards page, Player order. The
match is a piece of the channel, like its ships; without one ships are only stored. Functions return the changed pieces
by name, None for a removed one.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, Literal

from bot.rules.dice import Rng, roll
from bot.rules.errors import PlayerError
from bot.rules.plans import Commitment, commitments
from bot.rules.text import EMPTY, N_, T_, Count, Name, Names, Sentences, Shown, Text, labeled, term
from bot.rules.xwing.dice.declared import Ruleset
from bot.rules.xwing.dice.faces import Face, Pool
from bot.rules.xwing.table import dials, score as scores, ship as ships, squad
from bot.rules.xwing.table.moment_rows import SETUP, MomentRow, own_rows
from bot.rules.xwing.table.score import NO_SCORE, EndConditions, Score, ScoreStatus, Side, SideTally
from bot.rules.xwing.table.ship import RESERVED, Fleet, Ship, apply_piece_changes, order, remove_ships, reset_ship

MATCH: Final = RESERVED
"""The piece's name; no ship can have it."""


class Phase(StrEnum):
    """Phases that wait for players; the End Phase only if cards act in it."""

    PLANNING = T_("planning")
    SYSTEM = T_("system")
    ACTIVATION = T_("activation")
    ENGAGEMENT = T_("engagement")
    END = T_("end")

    @property
    def display_name(self) -> Text:
        """``Planning Phase``."""
        return NAMED[self]


NAMED: Final = {
    Phase.PLANNING: Text("Planning Phase"),
    Phase.SYSTEM: Text("System Phase"),
    Phase.ACTIVATION: Text("Activation Phase"),
    Phase.ENGAGEMENT: Text("Engagement Phase"),
    Phase.END: Text("End Phase"),
}
LATE: Final = (Phase.ENGAGEMENT, Phase.END)
"""Phases without movement."""
PlayerSide = Literal["first", "second"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A match: its players, phase, order, dials, and score.

    ``first`` and ``second``: players' numbers, 0 while open; ``with_first`` and ``with_second``: their teammates.
    ``chooses``: the roll-off's winner who must still choose the order. ``ruleset``: the one at its start;
    ``ordered_in``: the last round with a settled order: under ruleset 2.5 each round has its own. ``dials``: whether
    players plan with dials, "" if undecided; ``active``: the activating ship. ``initiative``: the engaging ship's; None
    before the first. ``lost``: destroyed ships that have left; ``score`` has their worth and other points. ``used``:
    cards used at the start of this phase (``use_of``); ``past``: players who passed there (``passes``); ``events``:
    ships destroyed in this phase. ``lasting``: used cards that last until the end of the round (``flying.lasts``).
    ``mat``: devices on the mat. ``owed``: owners' pending choices, because a card says "unless". ``ended_in``: the
    round that decided the match, 0 while it continues.
    """

    kind: Literal["match"] = "match"
    round: int = 1
    phase: Phase = Phase.PLANNING
    first: int = 0
    second: int = 0
    with_first: tuple[int, ...] = ()
    with_second: tuple[int, ...] = ()
    chooses: int = 0
    ruleset: Ruleset = "2.5"
    ordered_in: int = 0
    initiative: int | None = None
    dials: Literal["", "on", "off"] = ""
    active: str = ""
    lost: tuple[str, ...] = ()
    score: Score = NO_SCORE
    used: tuple[str, ...] = ()
    past: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    lasting: tuple[str, ...] = ()
    mat: tuple["PlacedDevice", ...] = ()
    owed: tuple["Owed", ...] = ()
    ended_in: int = 0

    @property
    def is_ordered(self) -> bool:
        return bool(self.first or self.second)

    @property
    def last_round(self) -> int:
        return self.ended_in or self.round

    @property
    def sides(self) -> tuple[list[int], list[int]]:
        first, second = (self.first, *self.with_first), (self.second, *self.with_second)
        return [item for item in first if item], [item for item in second if item]


@dataclass(frozen=True, slots=True)
class PlacedDevice:
    """A device on the mat: card id and name, the ship and player that placed it, and fuse markers."""

    card: str
    name: Name
    by: Name
    owner: int
    fuse: int = 0


@dataclass(frozen=True, slots=True)
class Owed:
    """An effect ``does`` of the ship ``by`` on a ``ship``, as words, whose owner may choose ``instead``.
    ``is_opponents``: the owner's opponent chooses.
    """

    by: str
    card: str
    ship: str
    does: str
    instead: str
    which: str = ""
    is_opponents: bool = False


Table = Mapping[str, Any]
"""A channel's pieces by name: ships, and perhaps the match."""
Changes = dict[str, Any]


def ships_of(table: Table) -> dict[str, Ship]:
    return {name: piece for name, piece in table.items() if isinstance(piece, Ship)}


def match_of(table: Table) -> Match | None:
    match = table.get(MATCH)
    return match if isinstance(match, Match) else None


def match_or_new(table: Table) -> Match:
    return match_of(table) or Match()


def score_of(table: Table) -> Score:
    """Return a channel's score, an empty one without a match."""
    return match_or_new(table).score


def sheet_of(match: Match) -> str:
    """Return the key of this round's dials among plans."""
    return f"round {match.round}"


def plans_of(table: Table, match: Match) -> list[Commitment]:
    """Return this round's dials of ready players."""
    return [plan for plan in commitments(table).values() if plan.sheet == sheet_of(match)]


def uses_dials(table: Table) -> bool:
    match = match_of(table)
    return match is not None and match.dials == "on" and bool(plans_of(table, match))


def activating_ships(match: Match | None, fleet: Fleet) -> list[Ship]:
    """Return the ships of which one reveals its dial next: lowest initiative, first player's first."""
    there = [ship for ship in order(fleet) if ship.flight is None and not (ship.destroyed or ship.docked)]
    left = [ship for ship in there if dials.dial_of(ship)]
    step = min((ship.turn for ship in left), default=None)
    return first_of(match, [ship for ship in left if ship.turn == step])


def first_of(match: Match | None, now: list[Ship]) -> list[Ship]:
    """Return those of one initiative's ships that go first: the second player's wait for the first player's."""
    first = [ship for ship in now if side_of(match, ship) != "second"]
    return first if any(side_of(match, ship) == "first" for ship in now) else now


def has_acted(ship: Ship) -> bool:
    """Whether it took its action with its reveal, so that the next ship is shown."""
    return ship.flight is not None and ship.flight.has_acted


def end_activation(match: Match, fleet: Fleet) -> Changes:
    """End the activation; after an ion maneuver all ion tokens are removed."""
    ship = fleet.get(match.active)
    if ship is None or ship.activation is None:
        return {}
    over = replace(ship, flight=replace(ship.activation, is_over=True))
    if ship.activation.why == "ion" and ship.has("ion"):
        over = ships.give(over, "ion", -over.has("ion"))
    return {ship.name: over}


def order_of(match: Match | None, fleet: Fleet) -> list[Ship]:
    """The order in which ships activate: the lowest initiative first, then the first player's, then by name."""
    return sorted(engagement_order(match, fleet), key=lambda ship: ship.turn)


# Players


def side_of(match: Match | None, ship: Ship) -> Literal["first", "second", ""]:
    """Return a ship's side, or ""; without a choice it is opposite the player who chose, or second."""
    return "" if match is None else side_of_player(match, ship.owner)


def side_of_player(match: Match, player: int) -> Literal["first", "second", ""]:
    if not player or not match.is_ordered:
        return ""
    if player in (match.first, *match.with_first):
        return "first"
    return "second" if match.first or player in (match.second, *match.with_second) else "first"


def squads(table: Table) -> dict[int, dict[str, object]]:
    """Return each player's ships as XWS."""
    ships = [ship for ship in ships_of(table).values() if ship.pilot]
    return {owner: squad.write_xws(ship.card for ship in ships if ship.owner == owner) for owner in owners_of(table)}


def score_status(match: Match, fleet: Fleet) -> ScoreStatus:
    return ScoreStatus(match.score, match.ruleset, teams_of(match, fleet), fleet)


def clock_ends(table: Table) -> int:
    """Return when the match clock ends, in seconds of the epoch, even after somebody won; 0 for no clock."""
    return 0 if (match := match_of(table)) is None else match.score.ends_at


def owners_of(table: Table) -> set[int]:
    return {ship.owner for ship in ships_of(table).values() if ship.owner}


def choose_side(match: Match | None, player: int, side: PlayerSide, owners: Collection[int] = ()) -> Match:
    """Give a player a side; of two ``owners`` the other one loses it, more play together."""
    match = match or Match()
    first, second = ([number for number in held if number != player] for held in match.sides)
    mine = first if side == "first" else second
    mine[:] = [*(mine if len({*owners, player}) > 2 else []), player]
    return with_sides(match, first, second)


def with_sides(match: Match, first: list[int], second: list[int]) -> Match:
    """Set the players of both sides; that settles this round's order."""
    (item, *with_first), (other, *with_second) = first or [0], second or [0]
    sides: dict[str, Any] = {"first": item, "with_first": tuple(with_first)}
    sides |= {"second": other, "with_second": tuple(with_second)}
    return replace(match, **sides, chooses=0, ordered_in=match.round)


def swap(table: Table) -> Changes:
    """Swap the sides. Raises ``PlayerError`` while no order is settled."""
    match = match_of(table)
    if match is None or not match.is_ordered:
        raise PlayerError("There's no first player yet, so there's nothing to change. Settle that first.")
    return {MATCH: with_sides(match, *reversed(match.sides))}


def is_order_open(match: Match | None, fleet: Fleet) -> bool:
    """Whether two sides are there, no ship has engaged, and this round's first player is unknown."""
    if match is None or match.phase is Phase.ENGAGEMENT:
        return False
    sides = sides_of(match, fleet)
    if len(sides) != 2 or not all(sides):
        return False
    return match.ordered_in < match.round if match.ruleset == "2.5" else not match.is_ordered


def sides_of(match: Match, fleet: Fleet) -> list[list[Ship]]:
    """Return the ships of both sides, or, without sides, of each player."""
    ships = [ship for ship in order(fleet) if ship.owner]
    if match.is_ordered:
        return [[ship for ship in ships if side_of(match, ship) == side] for side in ("first", "second")]
    owners = sorted({ship.owner for ship in ships})
    return [[ship for ship in ships if ship.owner == owner] for owner in owners]


def may_roll(table: Table) -> bool:
    """Whether both sides roll for first player now: ruleset 2.5, once in each Planning Phase."""
    match = match_of(table)
    return match is not None and match.ruleset == "2.5" and is_order_open(match, ships_of(table))


ORDER_DICE: Final = 3
MAX_TIES: Final = 50
"""More ties in a row than can happen by chance."""


def roll_for_order(table: Table, rng: Rng) -> tuple[Changes, Text]:
    """Roll for first player (ruleset 2.5): three red dice a side; most crits, then focus results, then hits; ties are
    rerolled. Returns the changes and a sentence. Raises ``PlayerError`` if there is nothing to roll for.
    """
    match = match_of(table)
    if match is None or not may_roll(table):
        raise PlayerError("Under ruleset 2.5, both sides roll for first player once each Planning Phase.")
    sides, shown, ties = sides_of(match, ships_of(table)), pools_of(rng), 0
    while face_worth(shown[0]) == face_worth(shown[1]):
        shown, ties = pools_of(rng), ties + 1
        if ties > MAX_TIES:
            raise PlayerError("The dice keep tying. Press again.")
    wins = int(face_worth(shown[0]) < face_worth(shown[1]))
    fallen = (Sentences(map(term, faces), ", ") for faces in shown)
    rolls = [labeled(side[0].name, sentences) for side, sentences in zip(sides, fallen, strict=True)]
    places = {"one": rolls[0], "other": rolls[1], "first": sides[wins][0].name}
    said = Text("rolls for first player. {one}. {other}. The player with {first} is first", **places)
    if ties:
        again = Count(ties, "tie", "ties")
        message = N_("rolls for first player, after {again}. {one}. {other}. The player with {first} is first")
        said = Text(message, again=again, **places)
    if not match.is_ordered:
        return {MATCH: choose_side(match, sides[wins][0].owner, "first", owners_of(table))}, said
    return {MATCH: with_sides(match, *reversed(match.sides)) if wins else replace(match, ordered_in=match.round)}, said


def pools_of(rng: Rng) -> list[list[Face]]:
    """Roll three red dice for each side."""
    pools = [roll(Pool.RED.value, Pool.RED.faces, ORDER_DICE, rng, f"for side {at} in player order") for at in (1, 2)]
    return [[Face(str(die.face)) for die in pool] for pool in pools]


def face_worth(faces: list[Face]) -> tuple[int, int, int]:
    """Return the sort key of a side's dice: crits, then focus results, then hits."""
    return faces.count(Face.CRIT), faces.count(Face.FOCUS), faces.count(Face.HIT)


Call = Literal["hits", "misses"]
CALLS: Final[Mapping[Call, tuple[Face, ...]]] = {"hits": (Face.HIT, Face.CRIT), "misses": (Face.FOCUS, Face.BLANK)}
"""Calls before the red die of a roll-off, with their winning faces: four of eight each."""


def chooser(table: Table) -> int:
    """Return who chooses the player order, or 0: the roll-off's winner, under 2.0 the one with fewer points."""
    match = match_or_new(table)
    if match.is_ordered or match.chooses:
        return match.chooses
    points = Counter[int]()
    for ship in ships_of(table).values():
        points[ship.owner] += ship.points if ship.owner else 0
    owners = {owner: points[owner] for owner in owners_of(table)}
    if match.ruleset != "2.0" or len(owners) != 2 or not all(owners.values()) or len({*owners.values()}) == 1:
        return 0
    return min(owners, key=owners.__getitem__)


def may_roll_off(table: Table) -> bool:
    """Whether a roll-off decides who chooses: ruleset 2.0, two squads of equal or unknown points, no order yet."""
    match = match_of(table)
    is_open = match is not None and match.ruleset == "2.0" and not match.is_ordered
    return is_open and not chooser(table) and len(owners_of(table)) == 2


def roll_off(table: Table, caller: int, call: Call, rng: Rng) -> tuple[Changes, Shown]:
    """Roll one called red die: the winner chooses the player order. Returns the changes and a sentence. Raises
    ``PlayerError`` for somebody without ships, and without need for a roll-off.
    """
    match, owners = match_of(table), owners_of(table)
    if match is None or not may_roll_off(table):
        raise PlayerError("A roll-off is for two people with ships on the table and no player order yet.")
    if caller not in owners:
        raise PlayerError("Only the two people whose ships are here can call a roll-off.")
    # The same sides prove either call right: an undone die comes again, also for the other call.
    faces = sorted(Pool.RED.faces, key=lambda face: face not in CALLS[call])
    (die,) = roll(Pool.RED.value, faces, 1, rng, f"for the roll-off, called {call}")
    (chooses,) = owners - {caller}
    said = N_("calls {call} in the roll-off. The red die shows {face}: the other player chooses the player order")
    if die.face in CALLS[call]:
        chooses = caller
        said = N_("calls {call} in the roll-off. The red die shows {face}: the caller chooses the player order")
    called = Text("hits") if call == "hits" else Text("misses")
    return {MATCH: replace(match, chooses=chooses)}, Text(said, call=called, face=term(str(die.face)))


# The Engagement Phase


def is_engagement(match: Match | None) -> bool:
    """Whether ships may engage and make bonus attacks now; always without a match."""
    return match is None or match.phase is Phase.ENGAGEMENT


def engagement_order(match: Match | None, fleet: Fleet) -> list[Ship]:
    """Return ships by highest initiative; then the first player's, the second player's; then by name."""
    sides = {owner: match and side_of_player(match, owner) for owner in {ship.owner for ship in fleet.values()}}
    place = {owner: ("first", "", "second").index(side or "") for owner, side in sides.items()}
    return sorted(fleet.values(), key=lambda ship: (-ship.turn, place[ship.owner], ship.name.casefold()))


def step_of(fleet: Fleet) -> int | None:
    """Return the highest initiative with a ship still to engage; None if all have."""
    return max((ship.turn for ship in fleet.values() if has_to_engage(ship)), default=None)


def has_to_engage(ship: Ship) -> bool:
    """Whether it must still engage this round; never a remote or docked ship."""
    return not (ship.engaged or ship.is_remote or ship.docked)


def waiting_ships(match: Match | None, fleet: Fleet) -> list[Ship]:
    """Return the ships of which one engages next; [] when all have. Excludes destroyed ships whose time is over. Within
    one initiative the first player's ships precede the second player's; unassigned ones may engage with either.
    """
    gone = set(leaving_ships(match, fleet))
    left = {name: ship for name, ship in fleet.items() if name not in gone}
    step = step_of(left)
    return first_of(match, [ship for ship in order(left) if ship.turn == step and has_to_engage(ship)])


def have_all_engaged(match: Match | None, fleet: Fleet) -> bool:
    return match is not None and match.phase is Phase.ENGAGEMENT and not waiting_ships(match, fleet)


STAGES: Final[Mapping[Phase, tuple[str, ...]]] = {
    Phase.PLANNING: ("end of End", "end of round", "start of round", "start of Planning", "during Planning"),
    Phase.SYSTEM: ("start of System",),
    Phase.ACTIVATION: ("start of Activation",),
    Phase.ENGAGEMENT: ("end of Activation", "start of Engagement"),
    Phase.END: ("end of Engagement", "start of End", "during End"),
}
"""Moments at the start of each phase, in order; a phase's end comes with the next one."""


def stages(match: Match) -> tuple[str, ...]:
    """Return the moments at the match's phase start; setup precedes the first round."""
    result = STAGES[match.phase]
    return (*SETUP, *result[2:]) if match.phase is Phase.PLANNING and match.round == 1 else result


def starts(match: Match | None, fleet: Fleet) -> list[tuple[Ship, MomentRow]]:
    """Return what cards may still do at this phase's start; [] if that is over. All of one moment and one player: the
    first player's first, unassigned ships' last. The Engagement Phase's start ends when a ship engages.
    """
    if match is None or match.initiative is not None:
        return []
    stage, turns = stages(match), dict[tuple[int, int, int], list[tuple[Ship, MomentRow]]]()
    for ship in fleet.values():
        for row in own_rows(ship) if not (ship.destroyed or ship.docked) else ():
            if row.at not in stage or not row.is_line or passes(ship.owner, row.at) in match.past:
                continue
            is_open = use_of(ship, row) not in match.used and row.may_speak(ship, fleet, match.phase)
            if is_open and all(check(ship, row, match, fleet) for check in CHECKS):
                turn = stage.index(row.at), ("first", "second", "").index(side_of(match, ship)), ship.owner
                turns.setdefault(turn, []).append((ship, row))
    open_ = turns.get(min(turns, default=(0, 0, 0)), [])
    ships = engagement_order(match, {ship.name: ship for ship, _ in open_})
    return sorted(open_, key=lambda item: ships.index(item[0]))


CHECKS: Final = list[Callable[[Ship, MomentRow, Match, Fleet], bool]]()
"""Whether a card would change something: ``moments``, which knows the effects, adds its check."""


def use_of(ship: Ship, row: MomentRow, event: Ship | None = None) -> str:
    """Return the match's record of a card's use; ``event``: the ship of whose event it speaks, if not only its own."""
    return f"{row.key} of {ship.name}" + (f" for {event.name}" if event is not None and row.of != "self" else "")


def passes(player: int, moment: str) -> str:
    """Return the match's record that a player uses no more cards at a moment."""
    return f"{player} at {moment}"


def start_first(match: Match | None, fleet: Fleet) -> Text:
    """Say that the start of the Engagement Phase precedes the first attack; "" if no card acts there."""
    ships = dict.fromkeys(ship.name for ship, _ in starts(start_engagement(match), fleet)) if match else {}
    return Text("At the start of the Engagement Phase {ships} may use a card.", ships=Names(ships)) if ships else EMPTY


def out_of_order(match: Match | None, fleet: Fleet, ship: Ship) -> Text:
    """Return why it is not this ship's turn to engage; "" if it is, and without a match. A ship that has attacked makes
    bonus attacks, which have no order. With a known first player, the first engaging ship begins the Engagement Phase:
    see ``start_engagement``.
    """
    if match is None or ship.has_attacked:
        return EMPTY
    if match.phase is Phase.END:
        return Text("It is the End Phase of round {round}. The board ends the round.", round=match.round)
    when: dict[str, Any] = {"phase": match.phase.display_name, "round": match.round}
    if is_order_open(match, fleet):
        return Text("It's the {phase} of round {round}, and there's no first player yet.", **when)
    if ship.engaged:
        return Text("{ship} has already engaged this round.", ship=ship.name)
    if match.active and match.phase is not Phase.ENGAGEMENT and (left := activating_ships(match, fleet)):
        return Text("It's {names}'s turn to reveal a dial.", names=Names([item.name for item in left], "or"))
    now = waiting_ships(start_engagement(match), fleet)
    if ship.name in [item.name for item in now]:
        return start_first(match, fleet)
    if match.phase is not Phase.ENGAGEMENT:
        return Text("It's the {phase} of round {round}. Ships engage in the Engagement Phase.", **when)
    message = N_("{ship} has initiative {initiative}, but {names} must engage first.")
    nobodys = N_("{ship} has initiative {initiative}, and no ships are left to engage.")
    names = Names([item.name for item in now], "or")
    return Text(message if now else nobodys, ship=ship.name, initiative=ship.turn, names=names)


def start_engagement(match: Match) -> Match:
    """Start the Engagement Phase with the first engaging ship, skipping what precedes it."""
    return match if match.phase in LATE else begin_phase(match, Phase.ENGAGEMENT)


def begin_phase(match: Match, phase: Phase) -> Match:
    active = match.active if phase in LATE else ""  # that phase ends its activation, see ``sweep_destroyed``
    return replace(match, phase=phase, initiative=None, used=(), past=(), events=(), owed=(), active=active)


def engaging(match: Match, ship: Ship) -> tuple[Match, Ship]:
    """Let a ship engage, once a round."""
    return replace(match, initiative=ship.turn), replace(ship, engaged=True)


def engage(table: Table, name: str, *, anyway: bool = False) -> Changes:
    """Let a ship engage without attacking. A new match begins in its Engagement Phase.

    Destroyed ships whose time is over leave first, since its initiative is now the current one. Raises ``PlayerError``
    if it is not its turn, except with ``anyway``.
    """
    fleet, match = ships_of(table), match_of(table) or Match(phase=Phase.ENGAGEMENT)
    ship = ships.find(fleet, name)
    check_there(match, fleet, ship)
    if ship.engaged:
        message = N_("{ship} has already engaged this round. The next round starts after the End Phase.")
        raise PlayerError(Text(message, ship=ship.name))
    why, start = out_of_order(match, fleet, ship), start_first(match_of(table), fleet)
    if start:
        raise PlayerError(Sentences([start, Text("The board asks for it. Engage once that's done.")]))
    if why and not anyway:
        raise PlayerError("{why} If it engages anyway, type `/xwing engage` with `anyway`.", why=why)
    began = {**table, MATCH: start_engagement(match)}
    gone = sweep_destroyed(began, {})
    left = apply_piece_changes(began, gone)
    match, ship = engaging(left[MATCH], left[ship.name])
    return {**gone, MATCH: match, ship.name: ship}


# Destroyed ships


def leaving_ships(match: Match | None, fleet: Fleet) -> list[str]:
    """Return the destroyed ships that leave now (step 7). In the Engagement Phase they stay until all ships of the
    engaging ship's initiative have engaged (simultaneous fire); in others they leave at once. Without a match they
    stay.
    """
    if match is None:
        return []
    if match.phase is Phase.ENGAGEMENT:
        now = step_of(fleet) if match.initiative is None else match.initiative
        if any(ship.turn == now and has_to_engage(ship) for ship in fleet.values()):
            return []
    lasts = {Phase.ENGAGEMENT: 1, Phase.END: 2}.get(match.phase, 3)
    return [ship.name for ship in order(fleet) if ship.destroyed and ship.keeps.get(STAYS, 0) < lasts]


STAYS: Final = "stays on the mat"
"""The mark of a destroyed ship that a card keeps on the mat: 1 until the Engagement Phase ends, 2 until the round."""


def sweep_destroyed(table: Table, changes: Mapping[str, Any]) -> Changes:
    """Add leaving ships to the changes; locks on them break, and engaging ends the last activation."""
    now = apply_piece_changes(table, changes)
    match, fleet, over = match_of(now), ships_of(now), Changes()
    if match is not None and match.active and match.phase in LATE:
        over, match = end_activation(match, fleet), replace(match, active="")
        fleet, over[MATCH] = apply_piece_changes(fleet, over), match
    gone = leaving_ships(match, fleet)
    if match is None or not gone:
        return {**changes, **over}
    return {**changes, **over, **remove_ships(fleet, gone), MATCH: forget_ships(match, fleet, gone)}


def forget_ships(match: Match, fleet: Fleet, gone: Collection[str]) -> Match:
    """Record lost ships, and the round if that decides the match; remotes don't count."""
    left = [fleet[name] for name in gone if not fleet[name].is_remote]
    stay = {name: ship for name, ship in fleet.items() if name not in gone}
    ended_in = match.round if len(players(stay)) < 2 <= len(players(fleet)) else match.ended_in
    lost = (*match.lost, *(ship.name for ship in left))
    fallen = (scores.DestroyedShip(ship.name, ship.owner, ship.points) for ship in left if ship.points)
    score = replace(match.score, fallen=(*match.score.fallen, *fallen))
    return replace(match, lost=lost, score=score, ended_in=ended_in)


def check_there(match: Match | None, fleet: Fleet, ship: Ship) -> None:
    """Raise ``PlayerError`` for a docked ship, or a destroyed one whose time to engage is over."""
    if ship.docked:
        raise PlayerError("{ship} is docked. Deploy it first, or choose another ship.", ship=ship.name)
    if ship.name in leaving_ships(match, fleet):
        raise PlayerError(
            "{ship} is destroyed, and every ship that could attack at the same time has engaged. Choose another ship.",
            ship=ship.name,
        )


# Unsealing


def winner(before: Table, after: Table) -> int | None:
    """Return the winner's number by points, or by having the last ships after another player's left; 0 for nobody. None
    while a match continues, and without one. Remotes and unassigned ships are ignored, and a ship given away has not
    left.
    """
    if match_of(before) is None or match_of(after) is None:
        return None
    if decided_winner(before) is None and (won := decided_winner(after)) is not None:
        return won
    if not set(ships_of(before)) - set(ships_of(after)):
        return None
    left = players(after)
    return next(iter(left), 0) if len(players(before)) > 1 and len(left) < 2 else None


def decided_winner(table: Table) -> int | None:
    """Return the winner by points, 0 for a tie, whatever ships remain; None while undecided."""
    return score_of(table).winner


def end_by_points(table: Table) -> Changes:
    """End the match as it is, because time is over. Raises ``PlayerError`` if there is nothing to compare."""
    match, fleet = match_of(table), ships_of(table)
    if match is None or match.score.winner is not None:
        raise PlayerError("There's no match here to end. Add your squads first.")
    won = score_status(match, fleet).winner(match.round, at_once=True)
    if won is None:
        raise PlayerError("There are no points for two sides to compare. Add squads with points, or score some points.")
    return {MATCH: replace(match, score=replace(match.score, winner=won))}


def teams_of(match: Match, fleet: Fleet) -> tuple[Side, ...]:
    """Return the teams: the two sides once there is an order, else each player alone."""
    owners = {ship.owner for ship in fleet.values() if ship.owner and not ship.is_remote}
    owners |= {destroyed.owner for destroyed in match.score.fallen if destroyed.owner}
    owners |= {earned.player for earned in match.score.earned}
    teams: dict[str, set[int]] = {}
    for owner in sorted(owners):
        teams.setdefault(side_of_player(match, owner) or str(owner), set()).add(owner)
    return tuple(frozenset(teams[side]) for side in sorted(teams))


def ends_at(table: Table) -> int:
    """Return when the match clock ends, in seconds of the epoch; 0 for none."""
    return clock_ends(table) if decided_winner(table) is None else 0


def tallies(table: Table) -> tuple[SideTally, ...]:
    """Return each side's points, first player's first; () without a match, or without scoring."""
    counted = score_status(match_or_new(table), ships_of(table))
    return counted.tallies() if match_of(table) is not None and counted.is_used() else ()


def ends_of(table: Table) -> EndConditions:
    return score_status(match_or_new(table), ships_of(table)).ends()


def players(table: Table) -> set[int]:
    return {ship.owner for ship in ships_of(table).values() if ship.owner and not ship.is_remote}


def lost_ships(table: Table) -> tuple[str, ...]:
    """Return ships destroyed in this match and not returned."""
    return tuple(name for name in match_or_new(table).lost if name not in table)


def count_rounds(table: Table) -> int:
    """Return the match's round, or the one that decided it; 0 without a match."""
    return (match_of(table) or Match(round=0)).last_round


def rematch(table: Table, gone: Mapping[str, Any]) -> dict[str, Any]:
    """Restore ships, also those ``gone``, without remotes and decks. Raises ``PlayerError`` during a game."""
    if len(players(table)) > 1 and decided_winner(table) is None:
        raise PlayerError("Several players have ships on the table, so a game is already in progress here.")
    ships = [item for item in (*gone.values(), *table.values()) if isinstance(item, Ship) and not item.is_remote]
    old = match_or_new(table)
    begun = begin_phase(old, Phase.PLANNING)
    new = replace(begun, round=1, chooses=0, ordered_in=0, lost=(), mat=(), lasting=(), ended_in=0)
    new = replace(new, score=replace(new.score, fallen=(), earned=(), began=0, winner=None))
    return {**dict.fromkeys(table), **{ship.name: reset_ship(ship) for ship in ships}, MATCH: new}


# Phases


def begin_engagement(table: Table) -> Changes:
    """Begin the Engagement Phase after planning and moving."""
    return sweep_destroyed(table, {MATCH: start_engagement(match_or_new(table))})


def next_phase(table: Table) -> Changes:
    """Begin the next phase; after the Engagement Phase the next round."""
    match = match_or_new(table)
    if match.phase in LATE:
        return end_round(table)
    phases = list(Phase)
    return sweep_destroyed(table, {MATCH: begin_phase(match, phases[phases.index(match.phase) + 1])})


def end_round(table: Table) -> Changes:
    """Apply the End Phase: remove destroyed ships and circular tokens, recover charges; then begin a new round."""
    fleet, match = ships_of(table), match_or_new(table)
    destroyed = [ship.name for ship in order(fleet) if ship.destroyed]
    gone = remove_ships(fleet, destroyed)
    left = apply_piece_changes(fleet, gone)
    match = replace(match, score=scores.with_carried(match.score, fleet, match.round))
    match = forget_ships(match, fleet, destroyed)
    if match.score.winner is None:
        match = replace(match, score=replace(match.score, winner=score_status(match, left).winner(match.round)))
    ended = {name: now for name, ship in left.items() if (now := ships.end_of_round(ship)) != fleet[name]}
    is_over = match.score.winner is not None or len(players(left)) < 2
    ended_in = match.ended_in or (match.round if match.score.winner is not None else 0)
    match = replace(match, ended_in=ended_in if is_over else 0, round=match.round + 1, lasting=())
    match = begin_phase(match, Phase.PLANNING)
    return {**gone, **ended, **dict.fromkeys(commitments(table)), MATCH: match}
