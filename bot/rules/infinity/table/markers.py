"""Infinity's secrets as plans: troopers under markers, the Lieutenant, hidden troopers (rules page, Secrets).

Plans: ``bot.rules.plans``. A marker is a piece with a public name and public MODs; the rest is on its owner's sheet.
The Lieutenant and hidden troopers are on one list of fixed length, so its number of lines reveals nothing.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import compress
from typing import Any, Final

from bot.rules.data_tables import table
from bot.rules.dice import Rng
from bot.rules.errors import AtMost, BadInputError, PlayerError
from bot.rules.game import OF, OWNER, AfterOffer, ButtonRank, Field, Fill, Offer, OpensPlace, Option, only_player
from bot.rules.infinity.orders import forms, json_orders, open_order, order, play
from bot.rules.infinity.table import army
from bot.rules.infinity.troopers import states
from bot.rules.infinity.troopers.declared import DEPLOYS, Order, Save
from bot.rules.infinity.troopers.trooper import MAX_TROOPERS, Trooper, parse, troopers_of, with_states, write
from bot.rules.infinity.turn.phases import HOLOECHOES, PROJECTS, drop_task
from bot.rules.infinity.turn.player_turn import SECRETS, TURN, list_owners, own_models, own_troopers, turn_of
from bot.rules.name import without_mentions
from bot.rules.pieces import BoardChange
from bot.rules.plans import Commitment, Leaf, PlanEvent, PlanForm, PlanPlace, commitments
from bot.rules.text import N_, Code, Name, Names, Shown, Text

KINDS: Final = dict(table("infinity/tables/markers.json", tuple[str, tuple[str, str]]))
"""Public kinds of markers: state and skill."""
MAX_MARKERS: Final = 4
"""Maximum markers per sheet: those that fit in a form with the question whether one is ready."""
HIDDEN: Final = 9
"""Lines for hidden troopers."""
RESERVE: Final = "reserve"
"""The sheet of list troopers that may start off the table: a permanent draft of the player's."""
MAX_RESERVE: Final = 20
UNSEEN: Final = ("Hidden Deployment", "Combat Jump", "Parachutist", "Airborne Deployment")
"""Skills of troopers that start off the table, hidden."""
HOLO, DECOY = "HOLO", "DECOY"
MARKED: Final = {"Camouflage": "CAMO", "Impersonation": "IMP", PROJECTS: HOLO, "HoloMask": HOLO, "Decoy": DECOY}
"""Skills of troopers that start under a marker, and its word."""
SHEET: Final = re.compile(
    r"(camo -3|camo -6|imp|holo|decoy) (\d+)-(\d+)(?: g(\d) (regular|irregular)(?: one)?| t(\d+))?", re.ASCII
)
"""Kind, first and last number; for markers of troopers off the table, their order (public); ``one``: figures of one
trooper. For a publicly known trooper on the table, its place among its player's.
"""
MAX_CHOICE: Final = 3000
"""Maximum characters of a line of the list of secrets."""
NOBODY: Final = "-"
"""Sign for a mine, a decoy, or nothing."""
LEADER: Final = "Lieutenant"
LINE: Final = "Hidden"
"""Prefix of places in the list of secrets; the number of their player follows."""
REVEAL: Final = "reveal"
OPEN: Final = "open-"
HOW: Final = "how"
JUMP: Final = "jump"
WAYS: Final = (Option("stands", Text("Deployed, or walks on")), Option(JUMP, Text("Combat Jump, with its PH Roll")))
PLAN: Final = "secrets"


# Questions


def sheet_for(table: Mapping[str, Any], kind: str, count: int, gives: str = "") -> str:
    """Return the sheet of new markers: ``camo -3 2-4`` for CAMO 2 to 4; with ``gives``, ``camo -3 2-4 g1 regular``."""
    word = kind.partition(" ")[0]
    there = (*troopers_of(table), *(of for sheet in commitments(table).values() for of in sheet.of))
    used = [int(name.split()[1]) for name in there if re.fullmatch(rf"{word} \d+", name)]
    first = max(used, default=0) + 1
    return f"{kind.lower()} {first}-{first + count - 1} {gives}".strip()


def plan_form(table: Mapping[str, Any], player: int, sheet: str = "") -> PlanForm:
    """Return the form of a sheet of markers, or of the list of secrets. Raises ``PlayerError`` if nothing is asked."""
    mine = own_models(table, player)
    if sheet == RESERVE:
        numbers = range(1, MAX_RESERVE + 1)
        kept = (PlanPlace(f"{RESERVE} {player}-{at}", Text("Trooper {number}", number=at)) for at in numbers)
        return PlanForm(RESERVE, f"*{RESERVE} {player}*", Text("Reserve"), tuple(kept))
    if not mine and not sheet:
        raise PlayerError(Text("You have no troopers here. Add your troopers first, then set up your secrets."))
    if sheet in ("", SECRETS):
        return secrets(mine, player)
    kind, names = read(sheet)
    theirs = {of for sheet in commitments(table).values() if sheet.owner != player for of in sheet.of}
    if there := [name for name in names if name in {*table, *theirs}]:
        message = N_("{names}: already on the table. Ask for new markers with `/infinity marker`.")
        raise PlayerError(Text(message, names=Names(there)))
    known = known_trooper(table, player, sheet)
    under = marker_candidates(mine if known is None else [known])
    places = tuple(PlanPlace(name, Name(name), under) for name in names)
    about = Text("Who is under each marker? The others see {kind} and nothing else.", kind=Name(kind))
    return PlanForm(sheet, f"*{sheet}*", Text("Markers"), places, about)


def read(sheet: str) -> tuple[str, tuple[str, ...]]:
    match = SHEET.fullmatch(sheet)
    first, last = (int(match[2]), int(match[3])) if match else (1, 0)
    if match is None or not 0 <= last - first < MAX_MARKERS or last > MAX_TROOPERS:
        raise BadInputError("markers", sheet, Text("Use `/infinity marker` for 1 to {most} markers.", most=MAX_MARKERS))
    kind = match[1].upper()
    return kind, tuple(f"{kind.partition(' ')[0]} {number}" for number in range(first, last + 1))


def echo_sheet(table: Mapping[str, Any], trooper: Trooper, count: int) -> str:
    return sheet_for(table, HOLO, count, f"t{own_models(table, trooper.owner).index(trooper)}")


def known_trooper(table: Mapping[str, Any], player: int, sheet: str) -> Trooper | None:
    """Return the trooper on the table that is one of a sheet's figures; None if unknown."""
    match = SHEET.fullmatch(sheet)
    if match is None or match[6] is None:
        return None
    mine = own_models(table, player)
    trooper = mine[int(match[6])] if int(match[6]) < len(mine) else None
    if trooper is None or (HOLOECHOES, trooper.name) not in turn_of(table).due:
        raise PlayerError(Text("Holoechoes are placed again in the States Phase only. Wait for the next one."))
    return trooper


COVERT: Final = ("Camouflage", "Impersonation", "Hidden Deployment", "Holoprojector", "Decoy")
"""Skills of troopers under most markers."""


def marker_candidates(mine: Sequence[Trooper]) -> tuple[Option, ...]:
    """Return who may be under a marker: one's own troopers, or none of them."""
    likely = sorted(mine, key=lambda trooper: (not trooper.has(*COVERT), trooper.name.casefold()))[:24]
    nobody = Option(NOBODY, Text("A mine, a decoy, or nothing"))
    return (*(Option(trooper.name, trooper.name) for trooper in likely), nobody)


def secrets(mine: Sequence[Trooper], player: int) -> PlanForm:
    leader = next((trooper.name for trooper in mine if trooper.has("Lieutenant")), "")
    likely = sorted(mine, key=lambda trooper: trooper.name != leader)[:25]
    options = tuple(Option(trooper.name, trooper.name) for trooper in likely)
    first = PlanPlace(f"{LEADER} {player}", Text("Your Lieutenant"), options, leader)
    message, lines = N_("Hidden {number}: who, where, or a profile"), range(1, HIDDEN + 1)
    hidden = (PlanPlace(f"{LINE} {player}-{at}", Text(message, number=at), is_needed=False) for at in lines)
    about = Text("Your Lieutenant, and who is hidden or arrives by air. The others see that there is a list.")
    return PlanForm(SECRETS, f"*{SECRETS} {player}*", Text("Secrets"), (first, *hidden), about)


def check(table: Mapping[str, Any], player: int, asked: PlanForm, of: str, choice: str) -> None:  # noqa: ARG001 - as asked
    """Raise ``PlayerError`` for an unknown marker, or a trooper that can't be under it."""
    place = next((item for item in asked.places if item.of == of), None)
    if place is None:
        raise PlayerError(Text("{of} isn't one of your markers. Ask for markers with `/infinity marker`.", of=Name(of)))
    is_listed = ":" in choice or of.startswith(LEADER)  # a trooper off the table may be under a marker, and lead
    if place.options and not is_listed and choice not in [option.value for option in place.options]:
        raise PlayerError(Text("Only your own troopers can be under {of}. Pick one from its list.", of=Name(of)))
    if len(choice) > MAX_CHOICE:
        raise BadInputError(place.label, choice[:MAX_CHOICE], AtMost(MAX_CHOICE))


def finish_planning(table: Mapping[str, Any], commitment: Commitment, rng: Rng) -> BoardChange:  # noqa: ARG001 - no dice
    """Put the markers on the table, or fix the list of secrets."""
    if commitment.sheet == RESERVE:
        raise PlayerError(Text("The reserve is still a draft. Press **Ready** on the message the import sent you."))
    again = bool(commitment.replaces)
    if commitment.sheet == SECRETS:
        told = Text("locks in the list of secrets again") if again else Text("locks in a list of secrets")
        return BoardChange({}, told)
    kind, names = read(commitment.sheet)
    (state, skill), owner, match = KINDS[kind], commitment.owner, SHEET.fullmatch(commitment.sheet)
    group, training = (match[4], match[5]) if match is not None and match[5] else ("1", "")
    shown = tuple(filter(None, [skill, training.capitalize()]))
    trooper = Trooper(Name(""), {}, skills=shown, states=(state,), owner=owner, group=int(group), is_marker=True)
    result = {name: replace(trooper, name=Name(name)) for name in names}
    if is_one(commitment.sheet):  # one trooper's first figure stands for its order
        result |= {name: replace(result[name], skills=()) for name in names[1:]}
    said = Text("puts markers on the table: {names}", names=Names(map(Name, names)))
    known = known_trooper(table, owner, commitment.sheet)
    if known is None:
        return BoardChange(result, said)
    now = {**result, known.name: with_states(known, (state,))}
    return BoardChange({**now, TURN: drop_task(turn_of(table), HOLOECHOES, known.name)}, said)


# Opening


def reveal_place(
    table: Mapping[str, Any], of: str, leaf: Leaf | None, filled: Mapping[str, str], rng: Rng
) -> BoardChange:
    """Open a place: a marker, the Lieutenant, or a hidden trooper."""
    choice, marker = leaf.choice if leaf is not None else "", troopers_of(table).get(of)
    if marker is not None and marker.is_marker:
        return reveal_marker(table, marker, choice)
    if of.startswith(LEADER):
        message = N_("reveals the Lieutenant: {name}") if choice else N_("reveals the Lieutenant: nobody was named")
        return BoardChange({}, Text(message, name=Name(choice)))
    owner = next((sheet.owner for sheet in commitments(table).values() if of in sheet.of), 0)
    jumps = partial(roll_combat_jump, rng=rng, filled=filled) if filled.get(HOW) == JUMP else None
    return reveal_hidden(table, of, choice, owner, jumps)


def reveal_marker(table: Mapping[str, Any], marker: Trooper, choice: str) -> BoardChange:
    """Replace a marker and its trooper's other figures by the trooper, with the marker's states."""
    held, of = troopers_of(table), marker.name
    trooper = held.get(choice) or read_secret_line(choice, marker.owner)
    echoes = [name for name in figures_beside(table, of) if name in held]
    if trooper is None:
        message = N_("reveals {of}: it was never assigned")
        message = N_("reveals {of}: a mine, a decoy, or nothing") if choice == NOBODY else message
        heir = {name: replace(held[name], skills=marker.skills) for name in echoes[:1] if marker.skills}
        return BoardChange({of: None, **heir}, Text(message, of=of))
    kept = tuple(state for state in marker.states if state not in STATES_UNDER)
    now = with_states(with_states(trooper, STATES_UNDER, on=False), kept)
    left = {name: each for name, each in held.items() if name != of}
    come: Mapping[str, Trooper | None] = {trooper.name: now} if trooper.name in held else army.enlist(left, [now])
    gone = dict.fromkeys((of, *echoes))
    return BoardChange({**gone, **come}, Text("reveals {of}: it is {name}", of=of, name=Name(next(iter(come)))))


def due_reveals(
    table: Mapping[str, Any], closed: Sequence[str], own: Mapping[str, str], event: PlanEvent
) -> Iterator[str]:
    """Yield the places that open automatically (rules page, Secrets): a marker that the table names as discovered or
    hit; one's own also when they act, or fall by one's own step.
    """
    held, acted = troopers_of(table), acting_troopers(event.state) - acting_troopers(event.was)
    hit = names_with_saves(event.state) - names_with_saves(event.was)
    down = {name for name in own.values() if is_down(event.after, name) and not is_down(event.before, name)}
    for of in closed:
        marker = held.get(of)
        is_marker = marker is not None and marker.is_marker
        discovered = marker is not None and is_marker and not {*marker.states} & {*STATES_UNDER}
        if discovered or (is_marker and of.casefold() in hit) or is_last_figure(table, of):
            yield of
        elif of in own and (is_marker or of.startswith(LINE)):
            name = own[of].partition(":")[0].strip().casefold()
            if name in acted or (is_marker and of.casefold() in acted) or own[of] in down:
                yield of


def is_last_figure(table: Mapping[str, Any], of: str) -> bool:
    """Whether a trooper's other figures are gone, so that everybody knows where it is."""
    beside = figures_beside(table, of) if of in table else []
    return bool(beside) and not any(name in table for name in beside)


def figures_beside(table: Mapping[str, Any], of: str) -> list[str]:
    """Return the other figures of a marker's trooper, including removed ones."""
    sheet = next((sheet for sheet in commitments(table).values() if of in sheet.of), None)
    return [name for name in sheet.of if name != of] if sheet is not None and is_one(sheet.sheet) else []


def is_one(sheet: str) -> bool:
    return sheet.endswith(" one") or sheet.startswith((HOLO.lower(), DECOY.lower()))


def is_down(table: Mapping[str, Any], choice: str) -> bool:
    name = choice.partition(":")[0].strip().casefold()
    return any(trooper.is_down for trooper in troopers_of(table).values() if trooper.name.casefold() == name)


def acting_troopers(state: Any) -> set[str]:
    declared = state.declared if isinstance(state, play.State) else None
    lines = open_order.parsed(declared) if isinstance(declared, order.OpenOrder) else ()
    rolls = declared.rolls if isinstance(declared, Order) else ()
    known = [item.name for item in rolls if item.action not in DEPLOYS or is_lost(state)]
    return {name.casefold() for name in (*known, *(line.roll.name for line in lines))}


def is_lost(state: play.State) -> bool:
    """Whether a deployment roll failed, so that its trooper starts as a model."""
    return any(result.winner == "nobody" for result in play.results(state))


def names_with_saves(state: Any) -> set[str]:
    """Return the troopers with Saving Rolls after a hit, in the form that is compared."""
    is_hit = isinstance(state, play.State) and not isinstance(state.declared, Save)
    return {save.save.name.casefold() for save in state.saves} if is_hit else set()


STATES_UNDER: Final = (*states.COVER, states.OFF_TABLE)
"""States that end when a trooper is revealed."""


def reveal_hidden(
    table: Mapping[str, Any], of: str, choice: str, owner: int, jumps: Callable[[Trooper], Shown] | None = None
) -> BoardChange:
    """Reveal a hidden trooper: one on the table, a profile that becomes one, or words. In its own turn it enters by its
    own order. ``jumps``: by Combat Jump, with its roll.
    """
    called = choice.strip().casefold()
    known = next((item for item in own_troopers(table, owner) if item.name.casefold() == called), None)
    trooper, line = known or read_secret_line(choice, owner), int(of.rpartition("-")[2])
    said: Shown = without_mentions(choice, MAX_CHOICE) or Text("nothing")
    come: Mapping[str, Trooper | None] = {}
    if trooper is not None:
        turn = turn_of(table)
        enters = (states.OFF_TABLE,) if turn.is_running and turn.active == owner else ()
        now = with_states(with_states(trooper, STATES_UNDER, on=False), enters)
        with suppress(*(() if jumps else (PlayerError,))):  # without room, the line is opened anyway
            come = {trooper.name: now} if known is not None else army.enlist(troopers_of(table), [now])
            said = Name(next(iter(come)))
    if jumps is None or trooper is None:
        return BoardChange(come, Text("reveals line {line} of the secrets: {text}", line=line, text=said))
    message = N_("reveals line {line} of the secrets: {text}. {jump}")
    return BoardChange(come, Text(message, line=line, text=said, jump=jumps(trooper)))


def roll_combat_jump(trooper: Trooper, rng: Rng, filled: Mapping[str, str]) -> Shown:
    """Roll a Combat Jump; return a sentence. Raises ``PlayerError`` without the skill or PH."""
    if not trooper.has("Combat Jump") or "PH" not in trooper.stats:
        raise PlayerError(Text("{name} can't make a Combat Jump. Choose the other way to enter.", name=trooper.name))
    words = {key: filled[key] for key in ("mods", "dice") if filled.get(key)}
    jumps = json_orders.declare({"name": trooper.name, "kind": "combat jump", **words}, {trooper.name: trooper})
    state = play.start(jumps, rng)
    (die,) = play.rolled(state)
    message = N_("Combat Jump: {face} against PH {ph}, it lands")
    if play.results(state)[0].winner == "nobody":
        message = N_("Combat Jump: {face} against PH {ph}, so it enters from its own table edge, as a model")
    return Text(message, face=int(die.face), ph=jumps.rolls[0].sv)


JUMPS: Final = (
    Field("mods", Text("MODs of its Combat Jump"), Code("+3"), required=False, longest=20),
    Field("dice", Text("Your die, if you roll it by hand"), required=False, options=forms.D20, by_hand=True),
)
"""Fields of a Combat Jump's roll, such as Controlled Jump."""
LISTED: Final = re.compile(r"([^:]+):(.*?)(?: \[group (\d+), (\d+) points(?:, \d of \d)?\])?", re.DOTALL)


def read_secret_line(choice: str, owner: int) -> Trooper | None:
    """Parse a secret line's trooper, ``Croc: BS 12, W 1 [group 2, 21 points]``; None for other words."""
    match = LISTED.fullmatch(choice.strip())
    try:
        trooper = parse(match[1].strip(), match[2]) if match is not None else None
    except PlayerError:
        return None
    if trooper is None or match is None:
        return None
    return replace(trooper, owner=owner, group=int(match[3] or 1), points=int(match[4] or 0))


def line_of(trooper: Trooper, figures: str = "") -> str:
    """Format a line for ``read_secret_line`` and ``figures_in``."""
    more = f", {figures}" if figures else ""
    return f"{trooper.name}: {write(trooper)} [group {trooper.group}, {trooper.points} points{more}]"


def figures_of(trooper: Trooper) -> tuple[str, ...]:
    """Return options for the real figure, like ``2 of 3``, most figures first; () for a single one. A Holoprojector may
    have two Holoechoes, a Decoy its number of replicas.
    """
    if not kind_for(trooper):
        return ()
    extras = [extra for held in trooper.parsed_skills if held.name == "Decoy" for extra in held.extras]
    replicas = 2 if "2" in extras else 1 if trooper.has("Decoy") else 0
    most = 2 if trooper.has(PROJECTS) else replicas
    counts = range(most + 1, 0, -1) if most else ()
    return tuple(f"{real} of {count}" for count in counts for real in range(1, count + 1))


def figures_in(line: str) -> tuple[int, int]:
    """Return the number of the real figure, and of all; (1, 1) for a single one."""
    match = re.search(r", (\d) of (\d)\]$", line)
    return (int(match[1]), int(match[2])) if match else (1, 1)


def kind_for(trooper: Trooper) -> str:
    """Return the marker under which a trooper's skills start it; "" for a model or off the table."""
    word = next((word for skill, word in MARKED.items() if trooper.has(skill)), "")
    level = -6 if any("-6" in skill.extras for skill in trooper.parsed_skills if skill.name == "Mimetism") else -3
    return "" if trooper.has(*UNSEEN) else f"{word} {level}" if word == "CAMO" else word


def marker_sheets(
    kept: Mapping[str, Trooper], chosen: Mapping[str, str]
) -> Iterator[tuple[str, str, Sequence[str], list[str]]]:
    """Yield the sheets of a reserve's marker troopers: kind, order, places, lines. One trooper's figures are their own
    sheet.
    """
    kinds = dict[tuple[str, str], list[str]]()
    for of, trooper in kept.items():
        if kind := kind_for(trooper):
            gives = f"g{trooper.group} {'irregular' if trooper.has('Irregular') else 'regular'}"
            kinds.setdefault((kind, gives), []).append(of)
    for (kind, gives), alike in kinds.items():
        lone = [[of] for of in alike if figures_of(kept[of])]
        rest = [of for of in alike if [of] not in lone]
        for some in (*lone, *(rest[at : at + MAX_MARKERS] for at in range(0, len(rest), MAX_MARKERS))):
            real, count = figures_in(chosen[some[0]])
            lines = [line_of(kept[of]) for of in some]
            lines = [NOBODY] * (real - 1) + lines + [NOBODY] * (count - real)
            yield kind, f"{gives} one" if count > 1 else gives, some, lines


def starts_unseen(trooper: Trooper) -> bool:
    """Whether a list's trooper is secret until its player reveals it."""
    return trooper.has(*UNSEEN, *MARKED)


def unseen_of(listed: Sequence[Trooper], brought: Collection[int]) -> list[Trooper]:
    """Return a list's troopers that start hidden, and those that come with them: ``brought``, by place."""
    unseen = list[bool]()
    for place, trooper in enumerate(listed):
        unseen.append(starts_unseen(trooper) or (place in brought and unseen[-1]))
    return list(compress(listed, unseen))


# Board offers


def offers(table: Mapping[str, Any], trooper: Trooper) -> tuple[Offer, ...]:
    """Return a marker's opening, for its owner, while its sheet is closed."""
    closed = {of for sheet in commitments(table).values() for of in sheet.closed_places}
    if not trooper.is_marker or trooper.name not in closed:
        return ()
    return (Offer(REVEAL, OWNER, Text("Reveal {name}", name=trooper.name), then=OpensPlace(trooper.name)),)


def table_offers(table: Mapping[str, Any]) -> tuple[Offer, ...]:
    """Return the list of secrets: to write, then each line to open."""
    if not list_owners(table):
        return ()
    result = [Offer(PLAN, OWNER, Text("Lieutenant and hidden troops"), then=AfterOffer.PLANS, rank=ButtonRank.ASIDE)]
    for sheet in commitments(table).values():
        lines = [(at, of) for at, of in enumerate(sheet.of) if sheet.sheet == SECRETS and of in sheet.closed_places]
        if lines:
            label, first = Text("Reveal a secret"), Text("The Lieutenant")
            which = tuple(Option(of, Text("Line {line}", line=at) if at else first) for at, of in lines)
            fields = (Field(OF, Text("Line"), options=which), Field(HOW, Text("How it enters"), options=WAYS), *JUMPS)
            reveal = Offer(f"{OPEN}{sheet.owner}", only_player(sheet.owner), label, Fill(fields), then=OpensPlace(OF))
            result.append(replace(reveal, rank=ButtonRank.ASIDE))
    return tuple(result)
