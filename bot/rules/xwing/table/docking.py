"""Docking: a small ship that is carried by another one of its player, and deploys in a System Phase.

Source: rules page, System Phase. While it is docked it is off the mat: it sets no dial, does not activate or engage,
and nobody attacks it. A ship that deploys executes a manoeuvre then, and has activated for this round.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from bot.rules.game import Choice, Field, Offer, Option, Side
from bot.rules.pieces import Done
from bot.rules.text import N_, Name, Sentences, Text
from bot.rules.xwing.table.dials import execute, read
from bot.rules.xwing.table.fleet import Fleet, find, order
from bot.rules.xwing.table.match import MATCH, Match, Phase, Table, end_activation, ships_of
from bot.rules.xwing.table.ship import Ship

CARRIED: Final[Mapping[str, tuple[str, ...]]] = {
    "vcx100lightfreighter": ("attackshuttle", "sheathipedeclassshuttle"),
    "yv666lightfreighter": ("z95af4headhunter",),
    "customizedyt1300lightfreighter": ("escapecraft",),
}
"""What may dock on what, by the ids of the ships: Ghost with a Phantom, Hound's Tooth, Lando's Millennium Falcon."""
SMALL: Final = frozenset(one for carried in CARRIED.values() for one in carried)
DOCK: Final = "dock"
DEPLOY: Final = "deploy"
ON: Final = "on"
FLIES: Final = "flies"


def carriers(fleet: Fleet, ship: Ship) -> list[Ship]:
    """The ships of its player on which it may dock: each carries one."""
    taken = {one.docked for one in fleet.values()}
    own = [one for one in order(fleet) if one.owner == ship.owner and not one.destroyed and one.name not in taken]
    carry = [one for one in own if one.pilot and ship.card.ship_id in CARRIED.get(one.card.ship_id, ())]
    return carry if ship.pilot else []


def offers(match: Match, fleet: Fleet, ship: Ship, manoeuvres: tuple[Option, ...]) -> list[Offer]:
    """To dock or to deploy, before ships engage; ``manoeuvres``: what a ship that deploys may fly, () without dials."""
    if not ship.pilot or ship.card.ship_id not in SMALL or match.phase is Phase.ENGAGEMENT or ship.destroyed:
        return []
    if ship.docked and (match.phase is Phase.SYSTEM or not manoeuvres):
        fields = (Field(FLIES, Text("What it flies"), options=manoeuvres),) if manoeuvres else ()
        label = Text("Deploy {ship}", ship=ship.name)
        return [Offer(DEPLOY, Side.ATTACKER, label, fields=fields, title=ship.name, aside=not manoeuvres)]
    if ship.docked or ship.flight is not None or not (able := carriers(fleet, ship)):
        return []
    fields = (Field(ON, Text("On which ship"), options=tuple(Option(one.name, one.name) for one in able)),)
    label = Text("Dock {ship}", ship=ship.name)
    return [Offer(DOCK, Side.ATTACKER, label, fields=fields, title=ship.name, aside=True)]


def choose(table: Table, match: Match, ship: Ship, choice: Choice) -> Done | None:
    """What comes of docking or deploying; None for any other choice."""
    fleet, filled = ships_of(table), choice.filled or {}
    if choice.offer == DOCK:
        by = find(fleet, filled.get(ON, ""))
        what = Text("docks {ship} on {carrier}", ship=ship.name, carrier=by.name)
        return Done({ship.name: replace(ship, docked=by.name)}, what)
    if choice.offer != DEPLOY:
        return None
    free, carrier = replace(ship, docked=""), Name(ship.docked)
    if not filled.get(FLIES):
        return Done({ship.name: free}, Text("deploys {ship} from {carrier}", ship=ship.name, carrier=carrier))
    done = execute(free, read(filled[FLIES]), match.ruleset)
    message = N_("deploys {ship} from {carrier}: {manoeuvre}")
    what = Text(message, ship=ship.name, carrier=carrier, manoeuvre=done.manoeuvre.said)
    changes = {**end_activation(match, fleet), ship.name: done.ship, MATCH: replace(match, active=ship.name)}
    return Done(changes, Sentences([what, *done.lines], ". "))
