"""X-Wing's ships as the picture of a board, by side and with who is next, and its dials.

Dials that somebody plans are for their eyes alone; what ships have revealed is for everybody.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Final, Literal

from bot.render.card import Card, Dial, Dials, Mark, Roster, Team, Tone, Unit
from bot.render.text import figure
from bot.rules.plans import Asked
from bot.rules.text import EMPTY, N_, Code, Count, Name, Names, Sentences, Shown, Text, as_shown, beside, english
from bot.rules.xwing.dice.tokens import CIRCULAR, STAYING, TOKENS, Kind
from bot.rules.xwing.table import match as matches
from bot.rules.xwing.table.dials import COLOURS, read
from bot.rules.xwing.table.fire import mounts
from bot.rules.xwing.table.match import Match, Phase, Table, match_of, ships_of
from bot.rules.xwing.table.planning import are_ready, in_system, why_no_action
from bot.rules.xwing.table.ship import Ship

TONES: Final[Mapping[Kind, Tone]] = {
    Kind.GREEN: "green",
    Kind.ORANGE: "orange",
    Kind.RED: "red",
    Kind.BLUE: "blue",
    Kind.CARGO: "gold",
}
NOBODY: Final = Text("Anybody's ships")
FACEUP: Final = Text("faceup damage")
SIDE: Final = Text("side up")


def roster(table: Table, owners: Mapping[int, Shown] | None = None) -> Roster | None:
    """The ships by side, the first player's first, in the order in which they engage; None for no ships.

    ``owners`` are the names of the players of the channel, by number. While nobody has a side, each owner has one.
    """
    match, fleet, names = match_of(table), ships_of(table), owners or {}
    teams = defaultdict[tuple[int, Shown], list[Ship]](list)
    # Their step is over: they leave with the next press, and nobody plays them any more.
    gone = matches.leaving(match, fleet)
    for ship in (one for one in matches.engagement_order(match, fleet) if one.name not in gone):
        side = matches.side_of(match, ship)
        place = {"first": 0, "second": 1, "": 2}[side]
        teams[place, Code(side) or names.get(ship.owner, EMPTY)].append(ship)
    made = list[Team]()
    for (_, named), ships in sorted(teams.items(), key=lambda item: (item[0][0], english(item[0][1]))):
        heading = Sentences([title(english(named), ships, names), points_of(table, ships)], " · ")
        made.append(Team(heading, tuple(unit(match, table, ship) for ship in ships)))
    return Roster(tuple(made)) if made else None


def picture(table: Table, owners: Mapping[int, Shown] | None = None) -> Roster | Dials | None:
    """The ships by side; above them the dials that ships of one initiative have revealed, while they activate."""
    ships, open_ = roster(table, owners), revealed(table)
    return Dials(open_, ships) if open_ and ships is not None else ships


def points_of(table: Table, ships: list[Ship]) -> Shown:
    """``14 points``: what the side of these ships has; "" where nothing scores."""
    found = [one.total for one in matches.tallies(table) if any(ship.owner in one.players for ship in ships)]
    return Count(found[0], "point", "points") if found else EMPTY


def at_the_end(table: Table, lost: Mapping[str, Ship], owners: Mapping[int, Shown]) -> Roster | None:
    """Both squads once a game is over, or as they stand: every ship with what is left of it, those lost struck out."""
    match = match_of(table)
    flying = {name: ship for name, ship in ships_of(table).items() if not ship.is_remote}
    teams = defaultdict[str, list[Ship]](list)
    for ship in matches.engagement_order(match, {**lost, **flying}):
        teams[matches.side_of(match, ship) or str(ship.owner)].append(ship)
    made = list[Team]()
    for _, ships in sorted(teams.items()):
        units = (at_last(ship, is_out=ship.name not in flying) for ship in ships)
        made.append(Team(title("", ships, owners), tuple(units)))
    return Roster(tuple(made)) if made else None


def at_last(ship: Ship, *, is_out: bool) -> Unit:
    """A ship with its damage alone; one that is out has nothing left."""
    if is_out or ship.destroyed:
        return Unit(Name(ship.name), ship.initiative, (0, ship.hull), (0, ship.shields), state="out")
    return Unit(Name(ship.name), ship.initiative, (ship.hull_left, ship.hull), (ship.shields_left, ship.shields))


PLAYERS: Final = {"first": N_("{people} · first player"), "second": N_("{people} · second player")}


def title(side: str, ships: list[Ship], names: Mapping[int, Shown]) -> Shown:
    """``Ana · first player``; without a side the name of the owner."""
    held = list(dict.fromkeys(names.get(ship.owner, "") for ship in ships))
    people = Names([name for name in held if name]) or NOBODY
    return Text(PLAYERS[side], people=people) if side in PLAYERS else people


def unit(match: Match | None, table: Table, ship: Ship) -> Unit:
    fleet = ships_of(table)
    state: Literal["", "next", "done", "out"] = "done" if ship.engaged else ""
    if ship.destroyed:
        state = "out"
    if match is not None and match.phase is Phase.ENGAGEMENT and ship in matches.waiting(match, fleet):
        state = "next"
    if match is not None and matches.uses_dials(table) and match.phase in (Phase.SYSTEM, Phase.ACTIVATION):
        state = "next" if ship in matches.activating(match, fleet) else state
    return Unit(
        name=Name(ship.name),
        initiative=ship.initiative,
        hull=(ship.hull_left, ship.hull),
        shields=(ship.shields_left, ship.shields),
        marks=marks(ship),
        state=state,
        dice=None if ship.is_remote else (ship.attack, ship.agility),
        below=Text("docked on {carrier}", carrier=Name(ship.docked)) if ship.docked else EMPTY,
    )


def marks(ship: Ship) -> tuple[Mark, ...]:
    """Its tokens, force and charges; then in words charges of weapons, sides of cards, locks, faceup damage cards."""
    found = [
        Mark(kind, TONES[TOKENS[kind].kind], ship.tokens[kind]) for kind in (*CIRCULAR, *STAYING) if ship.has(kind)
    ]
    found += [Mark("force", "violet", ship.force_left)] if ship.force_left else []
    found += [Mark("charge", "gold", ship.charge_left)] if ship.charge_left else []
    charged = (one for one in mounts(ship) if one.weapon.cost and one.place >= 0)
    found += [Mark("charge", "gold", text=beside(one.weapon.title, ship.upgrade_charges[one.place])) for one in charged]
    found += [Mark(SIDE.message, "blue", text=Name(side.short)) for side in ship.sides.values()]
    found += [Mark("lock", "red", text=Name(target)) for target in ship.locks]
    up = (Name(name) if name else Text("a damage card") for name in ship.faceup)
    return (*found, *(Mark(FACEUP.message, "orange", text=one) for one in up))


# Dials

WHY: Mapping[str, Text] = {
    "ion": Text("ion manoeuvre"),
    "stressed": Text("stress manoeuvre: it is stressed"),
    "no force": Text("stress manoeuvre: it has no force"),
    "forgotten": Text("nothing was planned"),
}


def dial(name: str, code: str, below: Shown = EMPTY, *, is_now: bool = False) -> Dial:
    """A manoeuvre by its code; "" for none."""
    if not code:
        return Dial(Name(name), 0, "", "", Text("nothing yet"), below, is_now)
    flown = read(code)
    return Dial(
        Name(name), flown.speed, flown.bearing, COLOURS[flown.difficulty].says.message, flown.said, below, is_now
    )


def planned(asked: Asked, chosen: Mapping[str, str]) -> Card:
    """The dials of one player, for their eyes alone."""
    shown = Dials(tuple(dial(one.of, chosen.get(one.of, "")) for one in asked.places))
    count = sum(one.of in chosen for one in asked.places)
    outcome = Text("{set} of {all} set.", set=count, all=Count(len(asked.places), "dial", "dials"))
    small = Text("Only you see this. A commitment proves that nobody changes it; whoever runs me could look at it.")
    title = Text("X-Wing · {dials}", dials=asked.title)
    return Card(title=title, outcome=outcome, figure=shown, alt=figure(shown), small=small)


def revealed(table: Table) -> tuple[Dial, ...]:
    """The dials of the initiative step that goes on: of every ship that has activated in it."""
    match, fleet = match_of(table), ships_of(table)
    active = fleet.get(match.active) if match is not None and match.phase is Phase.ACTIVATION else None
    if active is None:
        return ()
    flown = [one for one in fleet.values() if one.flight is not None and one.initiative == active.initiative]
    shown = list[Dial]()
    for ship in (active, *(one for one in flown if one.name != active.name)):
        why, code = (WHY.get(ship.flight.why), ship.flight.manoeuvre) if ship.flight is not None else (None, "")
        left_to_do = Sentences([why, why_no_action(ship)], " · ")
        shown.append(dial(ship.name, code, left_to_do, is_now=ship is active))
    return tuple(shown)


def who_plans(table: Table, owners: Mapping[int, Shown]) -> Shown:
    """``Ana is ready. Bo plans.`` while dials are set; EMPTY where nobody is ready yet, or none are set."""
    match = match_of(table)
    if match is None or match.phase is not Phase.PLANNING or not matches.uses_dials(table):
        return EMPTY
    ready = sorted(are_ready(table).items(), key=lambda one: not one[1])  # those who are ready first
    messages = {True: N_("{name} is ready."), False: N_("{name} plans.")}
    return Sentences(Text(messages[is_ready], name=as_shown(owners.get(one, EMPTY))) for one, is_ready in ready)


def who_reveals(match: Match, table: Table) -> Shown:
    """Whose dial is next, or that all are open; EMPTY outside of the activation of ships with dials."""
    if not matches.uses_dials(table) or match.phase not in (Phase.SYSTEM, Phase.ACTIVATION):
        return EMPTY
    now = matches.activating(match, ships_of(table))
    if not now:
        return Text("All dials are open. The next attack begins the Engagement Phase.")
    names = Names([Name(one.name) for one in now], "or")
    if match.phase is Phase.SYSTEM and (early := in_system(ships_of(table))):
        system = Names([Name(one.name) for one in early])
        return Text("Devices and cloaks first: {system}. Then {ships} reveals.", system=system, ships=names)
    return Text("Next to reveal, with initiative {initiative}: {ships}.", initiative=now[0].initiative, ships=names)
