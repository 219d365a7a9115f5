"""Infinity's secrets as plans: who is under a marker, the Lieutenant, who is hidden (rules page, Secrets).

How plans stay secret: ``bot.rules.plans``. A marker is a piece with a public name and public MODs; all else of it is on
its owner's sheet. The Lieutenant and those who are off the table in secret stand on one list of fixed length, so that
the number of its lines tells nothing.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Final

from bot.rules.dice import Rng, roll
from bot.rules.errors import AtMost, BadInput, PlayerError
from bot.rules.game import OF, OWNER, Field, Fill, Offer, Opens, Option, Rank, Then, named
from bot.rules.infinity import army, open_order, order, play, saves, states
from bot.rules.infinity.declared import Order, Save
from bot.rules.infinity.trooper import TROOPERS_MOST, Trooper, parse, troopers_of, with_states, write
from bot.rules.infinity.turn import own, owners, turn_of
from bot.rules.name import harmless
from bot.rules.pieces import Done
from bot.rules.plans import Asked, Commitment, Event, Leaf, PlanPlace, commitments
from bot.rules.rows import table
from bot.rules.text import N_, Name, Names, Shown, Text

KINDS: Final = dict(table("infinity/tables/markers.json", tuple[str, tuple[str, str]]))
"""What a marker is in public: its state, and its skill."""
MARKERS_MOST: Final = 4
"""Markers of one sheet: as many as a form holds with the question whether one is ready."""
HIDDEN: Final = 9
"""Lines for those who are off the table in secret."""
SECRETS: Final = "secrets"
RESERVE: Final = "reserve"
"""The sheet of those of an army list who may start off the table: its player's own draft, never fixed."""
RESERVE_MOST: Final = 20
UNSEEN: Final = ("Hidden Deployment", "Combat Jump", "Parachutist", "Airborne Deployment")
"""Skills of those who start off the table, of whom nobody else knows."""
MARKED: Final = {
    "Camouflage": "CAMO",
    "Impersonation": "IMP",
    "Holoprojector": "HOLO",
    "HoloMask": "HOLO",
    "Decoy": "DECOY",
}
"""Skills of those who start under a marker, and its word."""
SHEET: Final = re.compile(r"(camo -3|camo -6|imp|holo|decoy) (\d+)-(\d+)(?: g(\d+) (regular|irregular))?")
"""Kind, first and last number; of markers whose troopers are not on the table, which order they give: everybody counts
orders.
"""
CHOICE_MOST: Final = 3000
"""Characters of a line of the list of secrets."""
NOBODY: Final = "-"
"""What stands for a mine, a decoy, or nothing."""
LEADER: Final = "Lieutenant"
LINE: Final = "Hidden"
"""What the places of the list of secrets begin with; the number of their player follows."""
REVEAL: Final = "reveal"
OPEN: Final = "open-"
HOW: Final = "how"
JUMP: Final = "jump"
WAYS: Final = (
    Option("stands", Text("It stands there, or walks on")),
    Option(JUMP, Text("Combat Jump, with its PH Roll")),
)
PLAN: Final = "secrets"


# What is asked


def sheet_for(table: Mapping[str, Any], kind: str, count: int, gives: str = "") -> str:
    """The sheet of so many new markers: ``camo -3 2-4`` for CAMO 2 to 4; with ``gives``, ``camo -3 2-4 g1 regular``."""
    word = kind.partition(" ")[0]
    used = [int(name.split()[1]) for name in troopers_of(table) if re.fullmatch(rf"{word} \d+", name)]
    first = max(used, default=0) + 1
    return f"{kind.lower()} {first}-{first + count - 1} {gives}".strip()


def asked(table: Mapping[str, Any], player: int, sheet: str = "") -> Asked:
    """The markers of a sheet, or the list of secrets. Raises ``PlayerError`` where nothing of it is asked."""
    mine = [one for one in own(table, player) if not one.is_marker]
    if sheet == RESERVE:
        numbers = range(1, RESERVE_MOST + 1)
        kept = (PlanPlace(f"{RESERVE} {player}-{at}", Text("Trooper {number}", number=at)) for at in numbers)
        return Asked(RESERVE, f"*{RESERVE} {player}*", Text("Reserve"), tuple(kept))
    if not mine and not sheet:
        raise PlayerError(Text("You have no trooper here. Add your troopers first, then keep your secrets."))
    if sheet in ("", SECRETS):
        return secrets(mine, player)
    kind, names = read(sheet)
    if there := [name for name in names if name in table]:
        message = N_("{names}: on the table already. Ask for new markers with `/infinity marker`.")
        raise PlayerError(Text(message, names=Names(there)))
    places = tuple(PlanPlace(name, Name(name), under(mine)) for name in names)
    about = Text("Who is under each marker? The others see {kind}, and nothing else.", kind=Name(kind))
    return Asked(sheet, f"*{sheet}*", Text("Markers"), places, about)


def read(sheet: str) -> tuple[str, tuple[str, ...]]:
    """The kind of the markers of a sheet, and their names."""
    found = SHEET.fullmatch(sheet)
    first, last = (int(found[2]), int(found[3])) if found else (1, 0)
    if found is None or not 0 <= last - first < MARKERS_MOST or last > TROOPERS_MOST:
        raise BadInput("markers", sheet, Text("Use `/infinity marker` for 1 to {most} markers.", most=MARKERS_MOST))
    kind = found[1].upper()
    return kind, tuple(f"{kind.partition(' ')[0]} {number}" for number in range(first, last + 1))


COVERT: Final = ("Camouflage", "Impersonation", "Hidden Deployment", "Holoprojector", "Decoy")
"""Skills of those who are under most markers."""


def under(mine: Sequence[Trooper]) -> tuple[Option, ...]:
    """Who may be under a marker: one's own troopers, or none of them."""
    likely = sorted(mine, key=lambda one: (not one.has(*COVERT), one.name.casefold()))[:24]
    nobody = Option(NOBODY, Text("A mine, a decoy, or nothing"))
    return (*(Option(one.name, one.name) for one in likely), nobody)


def secrets(mine: Sequence[Trooper], player: int) -> Asked:
    """The Lieutenant, and lines for whoever is not on the table and nobody knows of."""
    leader = next((one.name for one in mine if one.has("Lieutenant")), "")
    options = tuple(Option(one.name, Name(one.name)) for one in sorted(mine, key=lambda one: one.name != leader)[:25])
    first = PlanPlace(f"{LEADER} {player}", Text("Your Lieutenant"), options, leader)
    message, lines = N_("Hidden {number}: who, where, or a profile"), range(1, HIDDEN + 1)
    hidden = (PlanPlace(f"{LINE} {player}-{at}", Text(message, number=at), is_needed=False) for at in lines)
    about = Text("Your Lieutenant, and who is hidden or comes by air. The others see that there is a list.")
    return Asked(SECRETS, f"*{SECRETS} {player}*", Text("Secrets"), (first, *hidden), about)


def check(table: Mapping[str, Any], player: int, asked: Asked, of: str, choice: str) -> None:  # noqa: ARG001 - as asked
    """Raises ``PlayerError`` for a marker that is nobody's, or somebody who cannot be under it."""
    place = next((one for one in asked.places if one.of == of), None)
    if place is None:
        raise PlayerError(Text("{of} is no marker of yours. Ask for markers with `/infinity marker`.", of=Name(of)))
    is_listed = ":" in choice or of.startswith(LEADER)  # who is not on the table may be under a marker, and lead
    if place.options and not is_listed and choice not in [one.value for one in place.options]:
        raise PlayerError(Text("Only your own troopers can be {of}. Pick one from its list.", of=Name(of)))
    if len(choice) > CHOICE_MOST:
        raise BadInput(place.label, choice[:CHOICE_MOST], AtMost(CHOICE_MOST))


def ready(table: Mapping[str, Any], commitment: Commitment, rng: Rng) -> Done:  # noqa: ARG001 - no dice
    """Markers come to the table, or the list of secrets is fixed."""
    if commitment.sheet == RESERVE:
        raise PlayerError(Text("The reserve is a draft. Press **Ready** on the message that the import sent you."))
    again = bool(commitment.replaces)
    if commitment.sheet == SECRETS:
        return Done({}, Text("fixes the list of secrets again") if again else Text("fixes a list of secrets"))
    kind, names = read(commitment.sheet)
    (state, skill), owner, found = KINDS[kind], commitment.owner, SHEET.fullmatch(commitment.sheet)
    group, training = (found[4], found[5]) if found is not None and found[5] else ("1", "")
    shown = tuple(filter(None, [skill, training.capitalize()]))
    one = Trooper(Name(""), {}, skills=shown, states=(state,), owner=owner, group=int(group), is_marker=True)
    made = {name: replace(one, name=Name(name)) for name in names}
    return Done(made, Text("puts markers on the table: {names}", names=Names(map(Name, names))))


# What is opened


def opened(table: Mapping[str, Any], of: str, leaf: Leaf | None, filled: Mapping[str, str], rng: Rng) -> Done:
    """A place of a sheet is shown: a marker goes, and whoever was under it stands there with the marker's states."""
    choice, held = leaf.choice if leaf is not None else "", troopers_of(table)
    marker = held.get(of)
    if marker is not None and marker.is_marker:
        one = held.get(choice) or listed(choice, marker.owner)
        if one is None:
            message = N_("opens {of}: nothing is known of it")
            message = N_("opens {of}: a mine, a decoy, or nothing") if choice == NOBODY else message
            return Done({of: None}, Text(message, of=Name(of)))
        kept = tuple(state for state in marker.states if state not in STATES_UNDER)
        now = with_states(with_states(one, STATES_UNDER, on=False), kept)
        left = {name: each for name, each in held.items() if name != of}
        come: Mapping[str, Trooper | None] = {one.name: now} if one.name in held else army.enlist(left, [now])
        return Done({of: None, **come}, Text("opens {of}: it is {name}", of=Name(of), name=Name(next(iter(come)))))
    if of.startswith(LEADER):
        message = N_("opens the Lieutenant: {name}") if choice else N_("opens the Lieutenant: nobody was named")
        return Done({}, Text(message, name=Name(choice)))
    owner = next((sheet.owner for sheet in commitments(table).values() if of in sheet.of), 0)
    return unhidden(table, of, choice, owner, partial(jumped, rng=rng) if filled.get(HOW) == JUMP else None)


def due(table: Mapping[str, Any], closed: Sequence[str], own: Mapping[str, str], event: Event) -> Iterator[str]:
    """The places that open by themselves (rules page, Secrets).

    A marker that the table names: discovered, or hit. Of one's own also whoever acts, or is down by one's own step.
    """
    held, acted = troopers_of(table), acting(event.state) - acting(event.was)
    hit = saving(event.state) - saving(event.was)
    down = {name for name in own.values() if is_down(event.after, name) and not is_down(event.before, name)}
    for of in closed:
        marker = held.get(of)
        is_marker = marker is not None and marker.is_marker
        discovered = marker is not None and is_marker and not {*marker.states} & {*STATES_UNDER}
        if discovered or (is_marker and of.casefold() in hit):
            yield of
        elif of in own and (is_marker or of.startswith(LINE)):
            name = own[of].partition(":")[0].strip().casefold()
            if name in acted or (is_marker and of.casefold() in acted) or own[of] in down:
                yield of


def is_down(table: Mapping[str, Any], choice: str) -> bool:
    """Whether whoever was chosen for a place is on a table, and down."""
    name = choice.partition(":")[0].strip().casefold()
    return any(one.is_down for one in troopers_of(table).values() if one.name.casefold() == name)


def acting(state: Any) -> set[str]:
    """Who has a roll in an order, as names are compared."""
    declared = state.declared if isinstance(state, play.State) else None
    lines = open_order.parsed(declared) if isinstance(declared, order.OpenOrder) else ()
    rolls = declared.rolls if isinstance(declared, Order) else ()
    return {name.casefold() for name in (*(one.name for one in rolls), *(line.roll.name for line in lines))}


def saving(state: Any) -> set[str]:
    """Who has made Saving Rolls because a roll has hit them, as names are compared."""
    is_hit = isinstance(state, play.State) and not isinstance(state.declared, Save)
    return {one.save.name.casefold() for one in state.saves} if is_hit else set()


STATES_UNDER: Final = (*dict.fromkeys(state for state, _ in KINDS.values()), "Impersonation-2", states.OFF_TABLE)
"""States that whoever comes to light is no longer in."""


def unhidden(
    table: Mapping[str, Any], of: str, choice: str, owner: int, jumps: Callable[[Trooper], Shown] | None = None
) -> Done:
    """Somebody who was hidden: a trooper that stands there already, a profile that becomes one, or words.

    In its own turn it enters by its own order. ``jumps``: it comes by Combat Jump, and that is its roll.
    """
    known = next((one for one in own(table, owner) if one.name.casefold() == choice.strip().casefold()), None)
    one, line = known or listed(choice, owner), int(of.rpartition("-")[2])
    said: Shown = harmless(choice, CHOICE_MOST) or Text("nothing")
    come: Mapping[str, Trooper | None] = {}
    if one is not None:
        turn = turn_of(table)
        enters = (states.OFF_TABLE,) if turn is not None and turn.is_running and turn.active == owner else ()
        now = with_states(with_states(one, STATES_UNDER, on=False), enters)
        with suppress(*(() if jumps else (PlayerError,))):  # where there is no room its line is open all the same
            come = {one.name: now} if known is not None else army.enlist(troopers_of(table), [now])
            said = Name(next(iter(come)))
    if jumps is None or one is None:
        return Done(come, Text("opens line {line} of the secrets: {text}", line=line, text=said))
    message = N_("opens line {line} of the secrets: {text}. {jump}")
    return Done(come, Text(message, line=line, text=said, jump=jumps(one)))


def jumped(one: Trooper, rng: Rng) -> Shown:
    """The PH Roll of a Combat Jump, in a sentence. Raises ``PlayerError`` for who has not the skill, or no PH."""
    skill = next((held for held in one.held if held.name == "Combat Jump"), None)
    if skill is None or "PH" not in one.stats:
        raise PlayerError(Text("{name} makes no Combat Jump. Choose the other way to enter.", name=one.name))
    own = next((int(found[1]) for extra in skill.extras if (found := PH.fullmatch(extra))), one.stats["PH"])
    ph = own + sum(int(extra) for extra in skill.extras if MOD.fullmatch(extra))
    face = int(roll("d20", saves.FACES, 1, rng, "Combat Jump")[0].face)
    message = N_("Combat Jump: {face} against PH {ph}, it lands")
    if face > ph:
        message = N_("Combat Jump: {face} against PH {ph}, so it enters from its own table edge, as a model")
    return Text(message, face=face, ph=ph)


PH: Final = re.compile(r"PH ?= ?(\d+)")
MOD: Final = re.compile(r"[+-]\d+")
LISTED: Final = re.compile(r"([^:]+):(.*?)(?: \[group (\d+), (\d+) points\])?", re.DOTALL)


def listed(choice: str, owner: int) -> Trooper | None:
    """The trooper of a line of the list of secrets, ``Croc: BS 12, W 1 [group 2, 21 points]``; None for other words."""
    found = LISTED.fullmatch(choice.strip())
    try:
        made = parse(found[1].strip(), found[2]) if found is not None else None
    except PlayerError:
        return None
    if made is None or found is None:
        return None
    return replace(made, owner=owner, group=int(found[3] or 1), points=int(found[4] or 0))


def line_of(one: Trooper) -> str:
    """The line that ``listed`` reads."""
    return f"{one.name}: {write(one)} [group {one.group}, {one.points} points]"


def kind_for(one: Trooper) -> str:
    """The marker under which a trooper starts by its skills; "" for one that starts as a model or off the table."""
    word = next((word for skill, word in MARKED.items() if one.has(skill)), "")
    level = -6 if any("-6" in skill.extras for skill in one.held if skill.name == "Mimetism") else -3
    return "" if one.has(*UNSEEN) else f"{word} {level}" if word == "CAMO" else word


def gives(one: Trooper) -> str:
    """Which order a trooper gives as a marker, as ``sheet_for`` takes it."""
    return f"g{one.group} {'irregular' if one.has('Irregular') else 'regular'}"


def starts_unseen(one: Trooper) -> bool:
    """Whether nobody else may know of a trooper of an army list before its player says so."""
    return one.has(*UNSEEN, *MARKED)


# What the board offers


def offers(table: Mapping[str, Any], one: Trooper) -> tuple[Offer, ...]:
    """A marker is opened by its owner, as long as its sheet is closed."""
    closed = {of for sheet in commitments(table).values() for of in sheet.closed}
    if not one.is_marker or one.name not in closed:
        return ()
    return (Offer(REVEAL, OWNER, Text("Open {name}", name=one.name), then=Opens(one.name), rank=Rank.LEADS),)


def table_offers(table: Mapping[str, Any]) -> tuple[Offer, ...]:
    """The list of secrets: to be written, and each of its lines to be opened by whoever wrote it."""
    if not owners(table):
        return ()
    found = [Offer(PLAN, OWNER, Text("Lieutenant and hidden troops"), then=Then.PLANS, rank=Rank.ASIDE)]
    for sheet in commitments(table).values():
        lines = [(at, of) for at, of in enumerate(sheet.of) if sheet.sheet == SECRETS and of in sheet.closed]
        if lines:
            label, first = Text("Open a line of the secrets"), Text("The Lieutenant")
            which = tuple(Option(of, Text("Line {line}", line=at) if at else first) for at, of in lines)
            fields = (Field(OF, Text("Which line"), options=which), Field(HOW, Text("How it enters"), options=WAYS))
            key = f"{OPEN}{sheet.owner}"
            found.append(Offer(key, named(sheet.owner), label, Fill(fields), then=Opens(OF), rank=Rank.ASIDE))
    return tuple(found)
