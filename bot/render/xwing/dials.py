"""X-Wing's dials on cards: what somebody plans, for their eyes alone, and what ships have revealed, for everybody."""

from collections.abc import Mapping

from bot.render.card import Card, Dial, Dials
from bot.render.text import figure
from bot.rules.plans import Asked
from bot.rules.text import EMPTY, N_, Count, Name, Names, Sentences, Shown, Text, as_shown
from bot.rules.xwing.table.dials import COLOURS, read
from bot.rules.xwing.table.match import Match, Phase, Table, activating, match_of, ships_of, uses_dials
from bot.rules.xwing.table.planning import are_ready, in_system, why_no_action

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
    if match is None or match.phase is not Phase.PLANNING or not uses_dials(table):
        return EMPTY
    ready = sorted(are_ready(table).items(), key=lambda one: not one[1])  # those who are ready first
    messages = {True: N_("{name} is ready."), False: N_("{name} plans.")}
    return Sentences(Text(messages[is_ready], name=as_shown(owners.get(one, EMPTY))) for one, is_ready in ready)


def who_reveals(match: Match, table: Table) -> Shown:
    """Whose dial is next, or that all are open; EMPTY outside of the activation of ships with dials."""
    if not uses_dials(table) or match.phase not in (Phase.SYSTEM, Phase.ACTIVATION):
        return EMPTY
    now = activating(match, ships_of(table))
    if not now:
        return Text("All dials are open. The next attack begins the Engagement Phase.")
    names = Names([Name(one.name) for one in now], "or")
    if match.phase is Phase.SYSTEM and (early := in_system(ships_of(table))):
        system = Names([Name(one.name) for one in early])
        return Text("Devices and cloaks first: {system}. Then {ships} reveals.", system=system, ships=names)
    return Text("Next to reveal, with initiative {initiative}: {ships}.", initiative=now[0].initiative, ships=names)
