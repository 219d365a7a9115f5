"""Troopers of a channel on cards: profiles, Wounds, states, and steps' results."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import groupby, pairwise
from math import inf
from typing import Any, Final, Literal

from bot.render.card import Card, Roster, RosterShip, Team, TokenMark
from bot.rules.infinity.troopers import skills, states
from bot.rules.infinity.troopers.messages import TOLD
from bot.rules.infinity.troopers.trooper import Trooper, condition, public, troopers_of, write
from bot.rules.infinity.turn import player_turn as turns
from bot.rules.infinity.turn.player_turn import OrderType
from bot.rules.name import one_line
from bot.rules.text import EMPTY, Code, Count, Name, Sentences, Shown, Text, bracketed, ended, term

NOBODY: Final[Mapping[int, Shown]] = {}
TITLE: Final = Text("Infinity · troopers")
MAX_WHOLE: Final = 12
"""Maximum number of troopers shown with whole profiles; beyond it, each has one line."""
LINES_A_FACT: Final = 8
MAX_ARMS: Final = 60
"""Maximum characters of the weapons in such a line."""


def is_out(piece: object) -> bool:
    return isinstance(piece, Trooper) and piece.is_down


def summary(held: Mapping[str, Any], owners: Mapping[int, Shown]) -> Shown:
    return ended(turns.line(turns.turn_of(held), owners)) if turns.TURN in held else EMPTY


def facts(held: Mapping[str, Any], owners: Mapping[int, Shown] = NOBODY) -> tuple[tuple[Shown, Shown], ...]:
    """Return each trooper's condition and profile, by name; of many troopers conditions and weapons. ``owners``:
    players' names by number. Several players' troopers are grouped.
    """
    turn, troopers = turns.turn_of(held), troopers_of(held).values()
    teams = ((Text("Fireteams"), turns.team_lines(turn)),) if turn.teams else ()
    several = owners if len({trooper.owner for trooper in troopers if trooper.owner in owners}) > 1 else NOBODY
    ordered = sorted(troopers, key=lambda trooper: (trooper.owner or inf if several else 0, trooper.name.casefold()))
    armies = [list(army) for _, army in groupby(ordered, key=lambda trooper: trooper.owner if several else 0)]
    most = 1 if len(ordered) <= MAX_WHOLE else LINES_A_FACT
    blocks = [army[at : at + most] for army in armies for at in range(0, len(army), most)]
    told = (Sentences(map(short, block), "\n") if most > 1 else lines(block[0]) for block in blocks)
    return (*teams, *zip((span(block, several) for block in blocks), told, strict=True))


def picture(held: Mapping[str, Any], owners: Mapping[int, Shown]) -> Roster | None:
    """Return each player's troopers as tiles, by combat group if there are several; None without troopers."""
    turn, armies = turns.turn_of(held), defaultdict[tuple[int, int], list[Trooper]](list)
    for trooper in sorted(troopers_of(held).values(), key=lambda item: (item.owner or inf, item.group, item.name)):
        armies[trooper.owner, trooper.group].append(trooper)
    several = {owner for (owner, _), (other, _) in pairwise(armies) if owner == other}
    teams = list[Team]()
    for (owner, group), army in armies.items():
        who = owners.get(owner, Text("Unassigned"))
        title = Text("{name}, group {group}", name=who, group=group) if owner in several else who
        teams.append(Team(title, tuple(tile(trooper, turn) for trooper in army)))
    return Roster(tuple(teams)) if teams else None


def tile(trooper: Trooper, turn: turns.PlayerTurn) -> RosterShip:
    """Return a trooper's Wounds, states, Fireteam, and own orders left; never its secret Lieutenant's Order."""
    state: Literal["", "done", "out"] = ""
    called: Shown = EMPTY
    may_act = turn.phase == "orders" and turn.is_running and trooper.owner == turn.active and not turn.lieutenant
    if may_act and not turns.payment(turn, trooper):
        state, called = "done", Text("no order")
    if down := next((item for item in reversed(states.DOWN) if item in trooper.states), ""):
        state, called = "out", term(down)
    marks = [TokenMark("Marker", "violet")] * trooper.is_marker
    marks += [TokenMark("Fireteam", "blue", text=team.name) for team in turn.teams if trooper.name in team.members]
    own = zip(OWN_ORDERS, (turn.irregular, turn.tactical, turn.impetuous), strict=True)
    marks += [TokenMark(kind, "green") for kind, names in own if trooper.name in names and not down]
    marks += [TokenMark(item, "orange") for item in trooper.states if item not in states.DOWN]
    whole = trooper.wounds or 0
    body: Literal["Wounds", "STR"] = "STR" if "STR" in trooper.stats else "Wounds"
    left = max(0, whole - trooper.lost)
    return RosterShip(trooper.name, None, (left, whole), marks=tuple(marks), state=state, body=body, called=called)


OWN_ORDERS: Final = tuple(kind.label.message for kind in (OrderType.IRREGULAR, OrderType.TACTICAL, OrderType.IMPETUOUS))


def span(block: list[Trooper], owners: Mapping[int, Shown]) -> Shown:
    """Return a block's first and last names, and owner."""
    names = Name(f"{block[0].name} … {block[-1].name}" if len(block) > 1 else block[0].name)
    who = owners.get(block[0].owner)
    return names if who is None else bracketed(names, who)


def short(trooper: Trooper) -> Text:
    arms = ", ".join(weapon.name for weapon in trooper.weapons[:3])
    return Sentences([trooper.name, condition(trooper), Name(one_line(arms, MAX_ARMS))], " · ")


def lines(trooper: Trooper) -> Shown:
    """Return a trooper's losses, states, profile, and which of its skills are automated."""
    known = public(trooper)
    groups = skills.groups(known.skills).items()
    counted = (Text(TOLD[how, "skills"], skills=Sentences(map(Name, names), ", ")) for how, names in groups)
    return Sentences([condition(trooper), Code(write(known)), *counted], "\n")


def courtesy(held: Mapping[str, Any], owners: Mapping[int, Shown]) -> Card:
    """Return each player's Courtesy List: the public form of their troopers, by combat group."""
    troopers = sorted(troopers_of(held).values(), key=lambda item: (item.owner, item.group, item.name.casefold()))
    result = tuple(
        (Text("{name}, group {group}", name=owners.get(owner, Text("Unassigned")), group=group), trooper_lines(block))
        for (owner, group), block in groupby(troopers, key=lambda trooper: (trooper.owner, trooper.group))
    )
    title, outcome = Text("Infinity · Courtesy List"), Text("Open information for both players.")
    return Card(title=title, outcome=outcome, facts=result, ahead="open")


def trooper_lines(block: Iterable[Trooper]) -> Shown:
    known = (
        (trooper.name, [trooper.type, *public(trooper).skills, *(weapon.name for weapon in trooper.weapons)])
        for trooper in block
    )
    lines = (one_line(f"{name}: {', '.join(filter(None, shown))}", MAX_COURTESY) for name, shown in known)
    return Sentences(map(Name, lines), "\n")


MAX_COURTESY: Final = 200


def board(held: Mapping[str, Any]) -> Card:
    held = troopers_of(held)
    some = Text("{profiles} in this channel.", profiles=Count(len(held), "trooper", "troopers"))
    outcome = some if held else Text("This channel has no profiles yet.")
    small = EMPTY if held else Text("Add one: /infinity profile set")
    return Card(title=TITLE, outcome=outcome, facts=facts(held), small=small, ahead="nobody")


def step(outcome: Shown, held: Mapping[str, Any]) -> Card:
    return Card(title=TITLE, outcome=outcome, facts=facts(held), ahead="nobody")
