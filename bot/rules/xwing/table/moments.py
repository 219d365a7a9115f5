"""Cards that act outside attacks: which act automatically, which are offered, to whom, and in which order.

Mandatory effects that depend only on known facts are automatic (``alone``). Others are lines for the card's owner: at a
phase's start all of one owner's before the other's, and **Done** passes (``starts`` of ``match``); in an activation and
at other moments they are that ship's buttons. The press is the claim. What players do by hand is said once, at its
moment.

Source: rules page, X-Wing: when cards speak outside an attack, sections 1 to 7.
"""

from binascii import crc32
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, ClassVar, Final

from bot.rules import game
from bot.rules.data_tables import table
from bot.rules.dice import Rng
from bot.rules.errors import BadInputError, PlayerError
from bot.rules.game import MAX_OPTIONS, Act, ButtonRank, Field, Fill, Offer, Option, PlainAct, only_player
from bot.rules.pieces import BoardChange, BoardContext
from bot.rules.text import EMPTY, N_, Name, Names, Sentences, Shown, Text, bracketed, labeled, term
from bot.rules.text_values import FormPlace
from bot.rules.xwing.cards.cards import without_quotes
from bot.rules.xwing.cards.rows import ROWS
from bot.rules.xwing.dice import costs
from bot.rules.xwing.dice.declared import DiceWindow
from bot.rules.xwing.dice.tokens import TOKENS
from bot.rules.xwing.table import flying, match as matches, verbs
from bot.rules.xwing.table.card_facts import COLORS, DOCKED_HERE, FactContext, can_pay, flown_of, signs_of
from bot.rules.xwing.table.dials import COLORS as DIAL_COLORS
from bot.rules.xwing.table.match import MATCH, Changes, Match, Owed, Phase, Table, match_of, ships_of, starts, use_of
from bot.rules.xwing.table.moment_rows import SETUP, MomentRow, may_act, only_actions, own_rows, rows_of
from bot.rules.xwing.table.ship import TREATED, Fleet, Flight, Ship, apply_piece_changes, extra_locks, find, order
from bot.rules.xwing.table.ship_damage import DEVICES
from bot.rules.xwing.table.verbs import Deed, Run, Subject, action_named, read_deed

MAX_LINES: Final = 4
"""Maximum lines of one ship with their own buttons; more share a list."""
SHIP, SHIPS, WHICH, NUMBER, CARD = "ship", "ships", "which", "number", "card"
"""Form fields: the other ship, several ships, the kind, the number, and a list's line."""
MAX_COUNTS: Final = 9
FLIGHT: Final = ("after reveal", "before executing", "while executing", "after executing", "action", "after action")
"""Moments of the activating ship, from its reveal on; ``PARTLY`` and ``FULLY`` depend on an overlap."""
REVEALED: Final = FLIGHT[:1]
ACTION: Final = "action"
DAMAGE_ACTIONS: Final = "of damage cards"
IONIZED_REPAIRS: Final = "kazsfireball"
"""The upgrade that allows the actions of damage cards while ionized."""
SKIPPED: Final = "skipped its maneuver"
EXECUTED: Final = ("before executing", "while executing", "after executing")
FULLY: Final = ("after fully executing", "after moving by", "after activating")
PARTLY: Final = ("after partially executing", "after overlapping")
IN_FLIGHT: Final = (*FLIGHT, *FULLY, *PARTLY)
BEFORE: Final = ("before activating", "before reveal")
ENGAGING: Final = ("engagement, at initiative", "before engaging", "after engaging", "in an attack: declared")
LOST: Final = ("after self destroyed", "after friend destroyed", "after enemy destroyed", "after any destroyed")
ANY_TIME: Final = (
    *("after gaining", "before gaining", "after removing", "after spending", "lock", "after coordinating"),
    *("after jamming", "after decloaking", "after deploying", "device", "obstacle", "damage", "after repairing"),
    *("would be destroyed or flee", "in an attack: after"),
)
"""Moments that only players know: the press claims them."""
REPEATED: Final = (*ANY_TIME, "in an attack: declared")
"""Moments that may come several times in a phase."""
FLIP: Final = "flip"
AFTER_ACTION: Final = ("after action",)
IN_FORMS: Final = ("remind: bonus attack",)
IN_ATTACK: Final = {"in an attack: after": DiceWindow.AFTER, "in an attack: declared": DiceWindow.DECLARE}
"""First words of consequences declared in the attack form, if a card has a row for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A card's current offer: its row, its ship, the event's other ship, if known, and the record of its use."""

    row: MomentRow
    ship: Ship
    other: Ship | None = None
    use: str = ""

    @property
    def mark(self) -> str:
        about = f" on {self.other.name}" if self.other is not None else ""
        return f"{crc32(f'{use_of(self.ship, self.row)}{about}'.encode()):08x}"

    def is_twin(self, line: "Line") -> bool:
        """Whether it reads like another line, as for one text about a red maneuver or a red action."""
        first, second = self.row, line.row
        alike = (first.card, first.do, first.cost, first.ask) == (second.card, second.do, second.cost, second.ask)
        return alike and self.other is line.other

    @property
    def deeds(self) -> list[Deed]:
        return [read_deed(words) for words in self.row.do]

    @property
    def is_by_players(self) -> bool:
        """Whether players do a part of it, or its result is open."""
        return any(isinstance(part.verb, verbs.OPEN_RESULTS) for deed in self.deeds for part in deed.parts)

    @property
    def numbers(self) -> tuple[int, ...]:
        """Return the numbers to choose from that its ship can pay."""
        lost = [item.verb for item in self.deeds if isinstance(item.verb, verbs.Recover) and item.verb.how == "lose"]
        most = min((verb.maximum(self.ship, self.row.card) for verb in lost if verb.is_for_each), default=MAX_COUNTS)
        return tuple(number for number in self.row.numbers or range(MAX_COUNTS + 1) if number <= most)

    @property
    def subjects(self) -> set[Subject]:
        """Return whom its effects affect, including nested ones."""
        return {part.subject for deed in self.deeds for part in deed.parts}

    @property
    def takes_other(self) -> bool:
        """Whether an effect of its ship needs another ship."""
        return any(part.verb.takes_other for deed in self.deeds for part in deed.parts)

    @property
    def needs_ship(self) -> bool:
        """Whether one other ship is named: for an effect, or for a condition on a ship that no event has told."""
        is_open = self.other is None and self.row.on != "self" and not self.row.is_of_lost
        is_asked = is_open and any(condition.needs_other for condition in self.row.conditions)
        return Subject.IT in self.subjects or self.takes_other or is_asked

    @property
    def says(self) -> Text:
        """Return ``Soontir Fel: gain 1 focus (an enemy in your bullseye arc; for 1 force)``."""
        is_flown = bool(flying.rows_of(self.row.card))
        does = [Text("change the maneuver") if is_flown and deed.is_bare else deed.label() for deed in self.deeds]
        claim = costs.claim(self.row.ask, self.row.cost)
        if self.other is not None and (self.row.is_of_lost or not self.row.ask):
            claim = labeled(self.other.name, claim)
        said = Sentences(does, ", ")
        return labeled(card_name(self.ship, self.row), bracketed(said, claim) if claim else said)

    @property
    def detail(self) -> Shown:
        """The moment of its use and the maneuver that it asks for, as the second line in a list."""
        signs = " ".join(filter(None, (signs_of(item.fact) for item in self.row.conditions if not item.no)))
        at = EMPTY if self.row.comes_before else MOMENTS[self.row.at]
        return Sentences([at, what_named(self.row), Name(signs)], ": ")


MOMENTS: Final = {item["name"]: Text(item["says"]) for item in table("xwing/tables/moments.json", dict)}


def what_named(row: MomentRow) -> Shown:
    """Return a row's event: the action or token, or the event's name; EMPTY for any."""
    if row.what in verbs.NOUNS and row.at not in AFTER_ACTION:
        return term(verbs.NOUNS[row.what].one)
    color = row.color
    kinds = [kind.removeprefix("before ").removesuffix(f" {color}") for kind in row.kinds if kind != color]
    if not all(kind in TOKENS or kind in verbs.ACTIONS for kind in kinds):
        return MOMENTS.get(row.what) or Name(row.what if row.what.isdigit() else "")
    names = Names(map(action_named, kinds), "or") if kinds and kinds != ["any"] else EMPTY
    said = Sentences([names, Name(DIAL_COLORS[COLORS[color]].sign if color else "")])
    return Text("before {what}", what=said) if row.comes_before else said


def card_name(ship: Ship, row: MomentRow) -> Name:
    return Name(without_quotes(flying.held_cards(ship).get(row.card, row.card.id)))


# Automatic effects

Asked = tuple[str, MomentRow]
"""A ship's name, and a row of its cards."""


class Course:
    """An event on the board and its consequences: each step sees the table after the previous ones. ``changes``: pieces
    by name, None for a removed one; ``said``: sentences about cards, in order.
    """

    def __init__(self, table: Table, rng: Rng, changes: Mapping[str, Any] | None = None) -> None:
        self.before, self.rng = table, rng
        self.changes: Changes = dict(changes or {})
        self.said = list[Shown]()

    @property
    def table(self) -> Table:
        return apply_piece_changes(self.before, self.changes)

    def board_change(self, *first: Shown) -> BoardChange:
        """Return everything for the board, with sentences that precede those about cards."""
        return BoardChange(self.changes, Sentences([*first, *self.said], ". "))

    def add(self, other: "Course") -> "Course":
        self.changes |= other.changes
        self.said += other.said
        return self

    def let_act(self, asked: Iterable[Asked], event: str = "") -> None:
        """Apply automatic rows in turn if their conditions are true; ``event``: its ship, or ""."""
        for name, row in asked:
            now = self.table
            ship, about = ships_of(now).get(name), ships_of(now).get(event)
            if ship is None or ship.docked or not (row.alone or row.remind) or not is_known(row, ship, now, about):
                continue
            if row.remind:
                self.said.append(Text("by hand: {card}", card=Line(row=row, ship=ship).says))
                continue
            run = Run(now, name, row.card, self.rng)
            every = map(read_deed, row.do)
            deeds = [deed for deed in every if all(deed.verb.can(item, row.card) for item in deed.ships(run))]
            came = Sentences([deed.apply(run) for deed in deeds], ", ")
            if FLIP in row.do and (match := match_of(run.table)):
                run.changed[MATCH] = replace(match, used=(*match.used, use_of(ship, row)))
            self.changes |= run.changed
            self.said += [labeled(card_name(ship, row), came)] if came else []

    def act_alone(self, at: Sequence[str], name: str, what: Sequence[str] = ()) -> "Course":
        """Apply automatic cards to a ship's event; ``what``: its words, like ``focus``, ``any``."""
        self.renew(AFTER_ACTION if AFTER_ACTION[0] in at else (), what)
        table = self.table
        event, every = ships_of(table).get(name), rows_in_order(table)
        about = ((ship, row) for moment in at for ship, row in every if row.at == moment)
        self.let_act(((ship.name, row) for ship, row in about if is_about(row, ship, event, what)), name)
        return self

    def renew(self, at: Sequence[str], what: Sequence[str] = ()) -> None:
        """Let cards be used again at moments that a new event has begun; ``what``: its words, () for any."""
        if at and (match := match_of(self.table)) and match.used:
            rows = (row for _, row in rows_in_order(self.table) if row.at in at)
            again = tuple(f"{row.key} of " for row in rows if not row.what or row.color or not what or fits(row, what))
            used = tuple(use for use in match.used if not use.startswith(again))
            self.changes[MATCH] = replace(match, used=used)

    def after_action(self, name: str, action: str, color: str = "white") -> "Course":
        """Apply automatic cards after an action of the active ship, in the color that it was taken in."""
        ship = ships_of(self.table).get(name)
        if ship is None or ship.activation is None or matches.match_or_new(self.table).active != name:
            return self
        return self.act_alone(AFTER_ACTION, name, words_of(action, color))

    def follow(self) -> "Course":
        """Apply automatic cards to the changes' consequences: destroyed ships, and a phase's start."""
        was, now, fleet = matches.match_or_new(self.before), self.table, ships_of(self.before)
        match = match_of(now)
        if match is None:
            return self
        for name, ship in ships_of(now).items():
            if ship.destroyed and name in fleet and not fleet[name].destroyed:
                self.renew(LOST)
                match = match_of(self.table) or match
                docked = [item.name for item in fleet.values() if item.docked == name]
                owed = [Owed(name, "", carried, "deploy at once", "destroy self") for carried in docked]
                self.changes[MATCH] = replace(match, events=(*match.events, name), owed=(*match.owed, *owed))
                self.let_act(of_loss(self.table, ship), name)
        for name, at, what in find_events(self.before, self.table):
            self.act_alone((at,), name, what)
        if (match.round, match.phase) != (was.round, was.phase):
            self.begin_phase(match, is_first=match.round == 1 and was.phase is Phase.PLANNING)
        return self

    def begin_phase(self, match: Match, *, is_first: bool) -> None:
        """Apply automatic cards at a phase's start; ``is_first``: after the first planning, for standing reminders."""
        if match.phase is Phase.ENGAGEMENT:  # activating at an initiative is over
            for ship in ships_of(self.table).values():
                if ship.acts_at is not None:
                    treated = {kind: count for kind, count in ship.keeps.items() if kind != TREATED}
                    self.changes[ship.name] = replace(ship, acts_at=None, keeps=treated)
        also = ("during System",) if match.phase is Phase.SYSTEM else ()
        first = ("standing",) if is_first else ()
        rows, moments = rows_in_order(self.table), (*matches.stages(match), *also, *first)
        begins = (moment for moment in moments if moment not in SETUP)
        self.let_act((ship.name, row) for moment in begins for ship, row in rows if row.at == moment)


def words_of(action: str, color: str) -> tuple[str, ...]:
    """Return what rows after an action may ask for: ``focus``, ``focus red``, ``red``, ``any``."""
    return action, f"{action} {color}", color, "any"


def rows_in_order(table: Table) -> list[tuple[Ship, MomentRow]]:
    every = matches.engagement_order(match_of(table), ships_of(table))
    return [(ship, row) for ship in every for row in own_rows(ship)]


def subject_of(row: MomentRow, ship: Ship, event: Ship | None) -> Ship | None:
    """Return a row's ``it`` for this event: another ship, or a friendly one, perhaps itself; None also for rows on
    enemies: one of those is chosen.
    """
    if event is None or (event.name == ship.name and row.of != "friendly"):
        return None
    return event if row.on in ("any", "self", flying.side_of(ship, event)) else None


def fits(row: MomentRow, what: Sequence[str]) -> bool:
    return any(word in what for word in (row.what, *row.kinds))


def is_about(row: MomentRow, ship: Ship, event: Ship | None, what: Sequence[str]) -> bool:
    if row.what and not fits(row, what):
        return False
    if event is None or event.name == ship.name:
        return event is None or row.is_of_itself
    side = flying.side_of(ship, event)
    return row.of in ("any", side, f"another {side}")


def is_known(row: MomentRow, ship: Ship, table: Table, event: Ship | None) -> bool:
    """Whether all of a row's conditions are known to be true, and it can be paid. A standing reminder is said once,
    whatever its later conditions.
    """
    if row.remind and row.at == "standing":
        return True
    other = subject_of(row, ship, event)
    fleet, flown = ships_of(table), flown_of(event)
    phase = matches.match_or_new(table).phase
    here = FactContext(ship=ship, card=row.card, other=other, flown=flown, phase=phase, fleet=fleet)
    are_true = all(condition.holds(here) is True for condition in row.conditions)
    return are_true and can_pay(ship, row.card, row.cost, other)


def find_events(before: Table, now: Table) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield ships' events for rows: the ship, the moment, its words."""
    fleet = ships_of(before)
    for name, ship in ships_of(now).items():
        was = fleet.get(name)
        if was is None or was is ship or ship.is_remote or ship.pilot != was.pilot:
            continue
        if ship.shields_left < was.shields_left or ship.cards > was.cards:
            yield name, "damage", ("you suffered damage",)
            yield from [(name, "damage", ("you lost 1 shield",))] * (was.shields_left - ship.shields_left)
        for kind, count in ship.tokens.items():
            yield from [(name, "after gaining", (kind,))] * (count - was.has(kind))


def of_loss(table: Table, lost: Ship) -> Iterator[Asked]:
    """Yield the rows for a ship's destruction: its own, its friends', and its enemies'."""
    for ship in matches.engagement_order(match_of(table), ships_of(table)):
        at = LOST[0] if ship.name == lost.name else LOST[1] if ship.owner == lost.owner else LOST[2]
        yield from ((ship.name, row) for row in own_rows(ship) if row.at in (at, LOST[3]))


def end_phase(table: Table, rng: Rng, *, at_once: bool = False) -> Course:
    """Begin the End Phase; unless a card waits for its player (except ``at_once``), the next round begins."""
    course, match = Course(table, rng), matches.match_or_new(table)
    if match.phase is not Phase.END:
        course.changes = matches.sweep_destroyed(table, {MATCH: matches.begin_phase(match, Phase.END)})
        course.follow()
    now = course.table
    if not at_once and match.phase is not Phase.END and starts(match_of(now), ships_of(now)):
        return course
    return course.add(Course(now, rng, matches.end_round(now)).follow())


def next_phase(table: Table, rng: Rng) -> Course:
    """Begin the next phase with automatic cards; after the End Phase the next round."""
    if matches.match_or_new(table).phase in matches.LATE:
        return end_phase(table, rng)
    return Course(table, rng, matches.next_phase(table)).follow()


# Lines: current offers by player


def lines(table: Table, ship: Ship) -> list[Line]:
    """Return a ship's current card offers, except those at a phase's start."""
    match, fleet = match_of(table), ships_of(table)
    if ship.is_remote or match is None or not ship.pilot:
        return []
    result = list[Line]()
    for row in own_rows(ship):
        is_told = row.at in IN_FLIGHT and match.dials != "on"  # without dials only people know the maneuver
        is_line = is_told or (row.is_line and not is_elsewhere(row) and not has_flipped(match, ship, row))
        if is_line and row.speaks_docked is bool(ship.docked) and not is_too_early(match, row):
            for line in lines_of_row(match, fleet, ship, row):
                if not any(item.is_twin(line) for item in result):  # offered one after the other
                    result.append(line)
    return result


def is_too_early(match: Match, row: MomentRow) -> bool:
    """Whether by the phase no ship has attacked, or with dials is about to activate."""
    is_planning = match.phase is Phase.PLANNING and match.dials == "on"
    return (is_planning and row.at in BEFORE) or (row.in_attack and (is_planning or match.phase is Phase.SYSTEM))


def lines_of_row(match: Match, fleet: Fleet, ship: Ship, row: MomentRow) -> Iterator[Line]:
    """Yield a row's line for each event of which it may speak now."""
    for event in events_of(match, fleet, ship, row):
        if event is None or row.is_of_lost or is_about(row, ship, event, (row.what,)):
            other, is_known_event = subject_of(row, ship, event), event is not None or row.of == "self"
            made = use_of(ship, row, event) if is_known_event and row.at not in REPEATED else ""
            line = Line(row=row, ship=ship, other=other, use=made)
            is_true = made not in match.used and row.speaks(ship, fleet, match.phase, flown_of(event), other)
            if is_true and can_act(line, match, fleet):
                yield line


def has_flipped(match: Match, ship: Ship, row: MomentRow) -> bool:
    """Whether the card flipped automatically at this moment: its other side was not queued."""
    flips = (item for item in rows_of(row.card) if item.alone and FLIP in item.do and item.at == row.at)
    return any(use_of(ship, item) in match.used for item in flips)


def is_elsewhere(row: MomentRow) -> bool:
    """Whether it is offered elsewhere: the open dial, an attack's window or form, devices, flips."""
    if row.at in flying.AFTER_REVEAL and flying.rows_of(row.card):
        return True
    is_device = row.is_device and row.card.id in DEVICES
    is_flip = row.do == (FLIP,) and row.at in BEFORE and not row.ask
    return is_device or is_flip or is_in_attack(row)


def is_in_attack(row: MomentRow) -> bool:
    """Whether a row of the card's attacks says the same in its window, or its form offers the bonus attack."""
    attacks = ROWS.get(row.card, ())
    windows = {attack.when for attack in attacks if not attack.bonus}
    is_bonus = all(words.startswith(IN_FORMS) for words in row.do) and any(attack.bonus for attack in attacks)
    is_reroll = row.is_reroll and bool(attacks)
    is_paid = any(cost.payer is costs.Payer.UPGRADE for attack in attacks for cost in attack.cost)
    is_counted = is_reroll or (IN_ATTACK.get(row.at) in windows and not any(attack.is_reminder for attack in attacks))
    return is_bonus or (row.in_attack and (is_counted or is_paid))


def may_activate(match: Match) -> bool:
    """Whether ships activate now or next: not while dials are still planned."""
    return match.phase not in matches.LATE and (match.phase is not Phase.PLANNING or match.dials != "on")


def events_of(match: Match, fleet: Fleet, ship: Ship, row: MomentRow) -> Iterable[Ship | None]:
    """The ships of whose event a row may speak now; None where the event is nobody's or only people know it."""
    about, phase = [ship] if row.of == "self" else fleet.values(), match.phase
    if row.at in IN_FLIGHT:
        return active_ship(match, fleet, ship, row)
    if row.at in BEFORE and may_activate(match):
        return [item for item in about if item.flight is None]
    if row.at == "during System":
        return [ship] * (phase in (Phase.PLANNING, Phase.SYSTEM) and may_activate(match))
    if row.at in ENGAGING and phase is Phase.ENGAGEMENT:
        waiting = matches.waiting_ships(match, fleet) if row.at == "before engaging" else about
        return [item for item in waiting if item in about]
    if row.at in LOST:
        return lost_ship(match, fleet, ship, row)
    return [None] * (row.at in ANY_TIME)


def active_ship(match: Match, fleet: Fleet, ship: Ship, row: MomentRow) -> list[Ship | None]:
    """Return the ship whose activation has come to a row's moment; None without dials, where only people know it."""
    if match.dials != "on" and match.phase not in matches.LATE:
        return [None]
    active = fleet.get(match.active)
    if active is None or (row.of == "self" and ship is not active) or not is_in_flight(row, active.activation):
        return []
    return [active]


def lost_ship(match: Match, fleet: Fleet, ship: Ship, row: MomentRow) -> Iterator[Ship | None]:
    """Yield each fitting destroyed ship, if the row affects its own ship and may take the lost one's tokens; else one
    event, since a removed ship's owner is unknown.
    """
    side = {LOST[1]: "friendly", LOST[2]: "enemy"}.get(row.at, "")
    lost = [fleet.get(name) for name in match.events if (name == ship.name) is (row.at == LOST[0])]
    fitting = [item for item in lost if not side or item is None or flying.side_of(ship, item) == side]
    if row.is_of_lost:
        yield from filter(None, fitting)
    elif fitting:
        yield None


def is_in_flight(row: MomentRow, flight: Flight | None) -> bool:
    """Whether a moment of an activation has come; those after a maneuver need an executed one."""
    if flight is None:
        return False
    if flight.why == "nothing" and row.at in (*EXECUTED, *FULLY[:2], *PARTLY) and SKIPPED not in row.ask:
        return False
    return row.at in FLIGHT or (row.at in FULLY) is not bool(flight.skips)


def is_able(line: Line, fleet: Fleet) -> bool:
    """Whether its first effect is possible, on an available ship."""
    if next(targets_of(line, fleet), None) is None:
        return False
    if line.row.at == ACTION and not may_take(line):
        return False
    own = [deed for deed in line.deeds if deed.subject is Subject.SELF and not deed.is_by_hand]
    able = {deed: deed.verb.can(line.ship, line.row.card) for deed in own}
    is_paid = all(can for deed, can in able.items() if deed.verb.is_price or isinstance(deed.verb, verbs.Action))
    return is_paid and (not own or any(can for deed, can in able.items() if not deed.verb.is_price))


def targets_of(line: Line, fleet: Fleet) -> Iterator[tuple[Name, ...]]:
    """Yield the other ships that a press may affect, by name; () if it needs none."""
    if line.other is not None:
        yield from [(line.other.name,)] if can_suffer(line, line.other) else []
    elif line.needs_ship or Subject.EACH in line.subjects:
        yield from ((ship.name,) for ship in fitting(line, fleet))
    else:
        yield ()


def can_act(line: Line, match: Match, fleet: Fleet) -> bool:
    return is_able(line, fleet) and would_change(line, {**fleet, MATCH: match})


matches.CHECKS.append(lambda ship, row, match, fleet: can_act(Line(row=row, ship=ship), match, fleet))


def would_change(line: Line, table: Table) -> bool:
    """Whether some ship's use of it changes more than its cost pays, or players do a part of it."""
    if line.is_by_players:
        return True
    for others in targets_of(line, ships_of(table)):
        run = Run(table, line.ship.name, line.row.card, lambda _: 0, others)
        try:
            verbs.pay(run, line.row.cost)
            before = run.table
            for deed in line.deeds:
                deed.apply(run)
        except PlayerError:  # it takes several ships
            return True
        if run.table != before:
            return True
    return False


def may_take(line: Line) -> bool:
    """Whether its ship may take the action of its card, one of a damage card or any other."""
    ship, flight, is_damage = line.ship, line.ship.flight or Flight(), line.row.card.kind == "damage"
    is_stressed = ship.has("stress") and {"any", DAMAGE_ACTIONS if is_damage else ""}.isdisjoint(may_act(ship))
    is_limited = only_actions(ship) and not is_damage
    is_ionized = flight.why == "ion" and not (is_damage and IONIZED_REPAIRS in ship.upgrades)
    return not (is_stressed or is_limited or is_ionized or flight.skips or flight.is_done_acting)


def candidates(line: Line, fleet: Fleet) -> list[Ship]:
    """Return the ships it may affect, its own last, which meet the known conditions."""
    found = order({ship.name: ship for ship in fitting(line, fleet)})
    return sorted(found, key=lambda item: item.name == line.ship.name)


def fitting(line: Line, fleet: Fleet) -> Iterator[Ship]:
    """Yield the ships that it may affect."""
    row = line.row
    itself = row.includes_itself and (not line.takes_other or isinstance(line.deeds[0].verb, verbs.OnCard))
    facts = [condition.fact for condition in row.conditions]
    for ship in fleet.values():
        is_away = ship.destroyed or (ship.docked and DOCKED_HERE not in facts) or ship.is_remote
        if is_away or (ship.name == line.ship.name and not itself):
            continue
        side = flying.side_of(line.ship, ship)
        if row.on in ("any", "self", side) and row.speaks(line.ship, fleet, "", None, ship) and can_suffer(line, ship):
            yield ship


def can_suffer(line: Line, ship: Ship) -> bool:
    """Whether all effects of a line suit a ship, and one would change it: its action, if it pays for one."""
    deeds = [deed for deed in line.deeds if deed.subject is not Subject.SELF and not deed.is_by_hand]
    deeds = [deed for deed in deeds if isinstance(deed.verb, verbs.Action)] or deeds
    return suits(line, ship) and (not deeds or any(deed.verb.can(ship, line.row.card) for deed in deeds))


def suits(line: Line, ship: Ship) -> bool:
    return all(deed.verb.suits(ship) for deed in line.deeds)


def form(line: Line, fleet: Fleet) -> tuple[Field, ...]:
    """Return a press's fields: ship or ships, kind, number; () for none."""
    fields, deeds = list[Field](), line.deeds
    subjects = line.subjects
    about = [line.other] if line.other is not None else candidates(line, fleet)[:MAX_OPTIONS]
    able = tuple(Option(candidate.name, candidate.name) for candidate in about)
    if Subject.EACH in subjects and able:
        fields.append(Field(SHIPS, Text("Which ships"), options=able, several=True, required=not line.row.must))
    elif line.needs_ship and len(able) > 1:
        fields.append(Field(SHIP, Text("Ship"), options=able))
    kinds = dict.fromkeys(kind for deed in deeds for kind in kinds_of(deed, line, about))
    if len(kinds) > 1:
        options = tuple(Option(item, kind_named(item)) for item in kinds)[:MAX_OPTIONS]
        fields.append(Field(WHICH, Text("Which"), options=options, several=any(map(takes_several, deeds))))
    if line.row.asks_number:
        numbers = tuple(Option(str(item), Name(str(item))) for item in line.numbers)
        fields.append(Field(NUMBER, Text("Which number") if line.row.numbers else Text("How many"), options=numbers))
    return tuple(fields)


def takes_several(deed: Deed) -> bool:
    verb = deed.verb
    return deed.subject is Subject.EACH or (isinstance(verb, verbs.RecoverOther) and verb.is_for_each)


def kinds_of(deed: Deed, line: Line, about: Sequence[Ship]) -> tuple[str, ...]:
    """Return the kinds to choose from, of the card's ship or of the affected ones."""
    ships = [line.ship] if deed.subject is Subject.SELF or isinstance(deed.verb, verbs.ItLocks) else about
    kinds = [item.verb.kinds for item in line.deeds if isinstance(item.verb, verbs.Remove)]
    if isinstance(deed.verb, verbs.Gain) and deed.verb.kinds in kinds:  # a token of the kind that is removed
        return ()
    every = [(ship.name, kind) for ship in ships for kind in deed.verb.choices(ship, line.row.card)]
    is_shared = isinstance(deed.verb, verbs.Exchange | verbs.ItLocks)
    is_own = deed.subject is Subject.EACH and not is_shared and len(every) <= MAX_OPTIONS
    return tuple(f"{name}{verbs.OF_SHIP}{kind}" if is_own else kind for name, kind in every)


def kind_named(kind: str) -> Shown:
    """Return the name of a token, an action, a card, or a ship's tokens."""
    if verbs.OF_SHIP in kind:
        name, _, kind = kind.partition(verbs.OF_SHIP)
        return labeled(Name(name), kind_named(kind))
    ship, _, tokens = kind.rpartition(": ")
    if tokens[:1].isdigit():
        return labeled(Name(ship), TOKENS[tokens[2:]].count_text(int(tokens[0])))
    if " " in kind and kind not in (*verbs.ACTIONS, *TOKENS):
        return read_deed(kind).label()
    return action_named(kind) if kind.islower() else Name(kind)


def offer(line: Line, fleet: Fleet, rank: ButtonRank = ButtonRank.PLAIN) -> Offer:
    asks = game.form_or_press(form(line, fleet), line.says)
    return Offer(UseLine(line.mark), only_player(line.ship.owner), line.says, asks, rank=rank)


def offers(table: Table, ship: Ship) -> list[Offer]:
    """Return a ship's lines as buttons: a few of its activation separately, all others in one list."""
    fleet, open_ = ships_of(table), lines(table, ship)
    is_flying = bool(matches.match_or_new(table).active)
    own = [item for item in open_ if item.row.at in IN_FLIGHT and is_flying][:MAX_LINES]
    rest = [item for item in open_ if item not in own]
    result = [offer(line, fleet) for line in own]
    return [*result, *([in_list(rest, ship, fleet)] if rest else []), *did_offers(table, ship)]


def in_list(rest: Sequence[Line], ship: Ship, fleet: Fleet) -> Offer:
    """Return lines as one list, with their fields below."""
    shown = rest[:MAX_OPTIONS]
    fields = [Field(CARD, Text("Which card of {ship}?", ship=ship.name), options=tuple(map(option_of, shown)))]
    by_key: dict[str, list[Field]] = {}
    for field in chain.from_iterable(form(line, fleet) for line in shown):
        by_key.setdefault(field.key, []).append(field)
    for like in by_key.values():
        options = {option.value: option for field in like for option in field.options}
        fields.append(replace(like[0], options=tuple(options.values())[:MAX_OPTIONS], required=False))
    asks = Fill(tuple(fields), ship.name)
    return Offer(USE, only_player(ship.owner), Text("Use a card"), asks, rank=ButtonRank.ASIDE)


def option_of(line: Line) -> Option:
    return Option(line.mark, line.says, line.detail)


def start_offers(table: Table) -> list[Offer]:
    """Offer this player's cards at the start of the phase, and passing."""
    match, fleet = match_of(table), ships_of(table)
    open_ = [Line(row=row, ship=ship) for ship, row in starts(match, fleet)]
    owed = owed_offers(table)
    if not open_:
        return owed
    done = Offer(DONE, only_player(open_[0].ship.owner), Text("Done"), rank=ButtonRank.LEADS)
    few, rest = open_[: 2 * MAX_LINES - 1], open_[2 * MAX_LINES - 1 :]
    more = [replace(in_list(rest, rest[0].ship, fleet), act=USE_AT_START)] if rest else []
    return [*owed, *(offer(line, fleet) for line in few), *more, done]


# Actions without tokens: the press tells that the ship took one, for automatic cards


def did_offers(table: Table, ship: Ship) -> list[Offer]:
    """Return actions without another button that trigger the active ship's automatic cards."""
    match = matches.match_or_new(table)
    if match.active != ship.name or ship.activation is None or ship.activation.skips:
        return []
    rows = [row for row in own_rows(ship) if row.at == "after action" and row.must and not row.remind]
    able = (row for row in rows if any(deed.verb.can(ship, row.card) for deed in map(read_deed, row.do)))
    words = dict.fromkeys(DONE_BY_HAND[word] for row in able for word in row.kinds if word in DONE_BY_HAND)
    return [
        Offer(Did(word.replace(" ", "-")), only_player(ship.owner), Text("It did: {action}", action=action_named(word)))
        for word in words
    ]


BY_HAND: Final = ("barrel roll", "boost", "slam", "reload", "coordinate", "jam", "rotate arc", "calculate", "reinforce")
DONE_BY_HAND: Final = {**{word: word for word in BY_HAND}, "any": "another action"}
"""Actions done on the mat, or rarely with a button."""


class Did(Act):
    """The active ship took an action without another button."""

    action: str

    forms = ("did-{action}",)
    places: ClassVar[Mapping[str, FormPlace]] = {"action": FormPlace("[a-z-]+")}

    def apply(self, on: BoardContext) -> BoardChange:
        ship, action = ships_of(on.table)[on.name], self.action.replace("-", " ")
        run = Run(on.table, on.name, costs.NO_CARD, on.rng)
        verbs.Action(action).apply(run, ship)
        says = N_("takes an action with {ship}: {action}")
        course = Course(on.table, on.rng, run.changed).act_alone(AFTER_ACTION, on.name, (action, "any"))
        return course.board_change(Text(says, ship=ship.name, action=action_named(action)))


# Using a line


class UseLine(Act):
    """Uses a card, by its line's mark."""

    mark: str

    forms = ("card-{mark}",)
    places: ClassVar[Mapping[str, FormPlace]] = {"mark": FormPlace("[0-9a-f]{8}")}

    def apply(self, on: BoardContext) -> BoardChange:
        return use(on, self.mark)


def open_lines(table: Table, name: str) -> Iterable[Line]:
    """Return all open lines: of the phase's start, and of a ship."""
    match, fleet = match_of(table), ships_of(table)
    yield from (Line(row=row, ship=ship, use=use_of(ship, row)) for ship, row in starts(match, fleet))
    if name in fleet:
        yield from lines(table, fleet[name])


def use(on: BoardContext, mark: str) -> BoardChange:
    """Pay for a line and apply it. Raises ``PlayerError`` if it is no longer open."""
    line = next((item for item in open_lines(on.table, on.name) if item.mark == mark), None)
    if line is None:
        raise PlayerError("This card can't be used now. The board shows what's next.")
    match, fleet, row = matches.match_or_new(on.table), ships_of(on.table), line.row
    others = chosen_ships(line, fleet, on.filled)
    run = Run(on.table, line.ship.name, row.card, on.rng, others, on.filled.get(WHICH, ""), chosen_number(line, on))
    other = run.other
    if not row.speaks(line.ship, fleet, match.phase, flown_of(fleet.get(match.active)), other):
        raise PlayerError("{card} does not allow that. Choose another ship.", card=card_name(line.ship, row))
    times = len(others) if row.is_paid_for_each else 1
    cost = tuple(replace(item, count=item.count * times) for item in row.cost)
    if not can_pay(line.ship, row.card, cost, other):
        raise PlayerError("{card} can't be paid for so many ships. Choose fewer.", card=card_name(line.ship, row))
    paid, before = verbs.pay(run, cost), run.table
    came = [deed.apply(run) for deed in line.deeds]
    if run.table == before and not line.is_by_players:
        raise PlayerError("{card} would change nothing. Choose something else.", card=card_name(line.ship, row))
    on_ships = Text("on {ships}", ships=Names(map(Name, others))) if others else EMPTY
    what = Text("uses {card} of {ship}", card=card_name(line.ship, row), ship=line.ship.name)
    said = Sentences([Sentences([what, on_ships]), Sentences(filter(None, [*paid, *came]), ", ")], ": ")
    course = Course(on.table, on.rng, {**run.changed, **match_after(on, run, line)})
    is_another = row.at == ACTION and all(name != line.ship.name for name, *_ in run.acted)
    for name, action, color in (*run.acted, *[(line.ship.name, "another action", "white")] * is_another):
        course.act_alone(AFTER_ACTION, name, words_of(action, color))
    return course.board_change(said)


def match_after(on: BoardContext, run: Run, line: Line) -> dict[str, Match]:
    """Return the match with a card's use and what lasts of it; {} without a match."""
    row, now = line.row, match_of(run.table)
    if now is None or match_of(on.table) is None:
        return {}
    uses = (line.use,) if line.use else ()
    is_lasting = row.at in flying.LASTING and any(item.when in flying.LASTING for item in flying.rows_of(row.card))
    lasts = flying.lasts(line.ship, row.card, run.other if row.on == "enemy" else None)
    return {MATCH: replace(now, used=(*now.used, *uses), lasting=(*now.lasting, lasts) if is_lasting else now.lasting)}


def chosen_number(line: Line, on: BoardContext) -> int:
    number = int(on.filled.get(NUMBER) or 1)
    if line.row.asks_number and number not in line.numbers:
        numbers = Names(map(Name, map(str, line.numbers)), "or")
        raise BadInputError(NUMBER, on.filled.get(NUMBER, ""), Text("Choose one of these: {numbers}.", numbers=numbers))
    return number


def chosen_ships(line: Line, fleet: Fleet, filled: Mapping[str, str]) -> tuple[str, ...]:
    """Return the ships of a press: those in its form, or the only possible one. Raises ``BadInputError``."""
    if line.other is not None:
        return (line.other.name,)
    able = [candidate.name for candidate in candidates(line, fleet)]
    if Subject.EACH in line.subjects:
        names = [part for part in filled.get(SHIPS, "").split(", ") if part]
        least, most = line.row.ships or (0, len(names))
        if not least <= len(names) <= most:
            says = Text("Choose exactly two ships.") if least else Text("Choose at most {count} ships.", count=most)
            raise BadInputError(SHIPS, filled.get(SHIPS, ""), says)
        return tuple(find(fleet, name).name for name in names)
    if not line.needs_ship:
        return ()
    if not filled.get(SHIP) and len(able) == 1:
        return tuple(able)
    if filled.get(SHIP) not in able:
        raise BadInputError(SHIP, filled.get(SHIP, ""), Text("Choose one of these: {ships}.", ships=Names(able, "or")))
    return (filled[SHIP],)


def owed_offers(table: Table) -> list[Offer]:
    """Offer owners their pending choices: both effects of an "unless", and which extra lock to remove."""
    match, fleet = matches.match_or_new(table), ships_of(table)
    result = list[Offer]()
    for at, owed in enumerate(match.owed):
        if owed.ship not in fleet:
            continue
        owner, card = fleet[owed.ship].owner, costs.CardId.read(owed.card)
        by = next((item for item in (match.first, match.second) if item != owner), owner)
        player = only_player(by if owed.is_opponents else owner)
        for how, words in (("does", owed.does), ("instead", owed.instead)):
            said, deed = owed.which if how == "does" else "", read_deed(words)
            kinds = () if said else deed.verb.choices(fleet[owed.ship], card)
            for place, kind in enumerate(kinds or (said,)):
                label = labeled(Name(owed.ship), deed.label(kind))
                result.append(Offer(Settle(how, at, place), player, label, rank=ButtonRank.LEADS))
    for mark, (ship, target) in extra(fleet).items():
        says = Text("{ship}: remove its lock on {target}", ship=ship.name, target=Name(target))
        result.append(Offer(RemoveLock(mark), only_player(ship.owner), says, rank=ButtonRank.LEADS))
    return result


SETTLED: Final = N_("That is settled already. The board says what is next.")


class Settle(Act):
    """The owner's choice of what a card leaves open."""

    how: str
    at: int
    place: int = 0

    forms = ("owed-{how}-{at}-{place}",)
    places: ClassVar[Mapping[str, FormPlace]] = {"how": FormPlace("does|instead")}

    def apply(self, on: BoardContext) -> BoardChange:
        match = matches.match_or_new(on.table)
        owed = match.owed[self.at] if self.at < len(match.owed) else None
        if owed is None or owed.ship not in ships_of(on.table):
            raise PlayerError(SETTLED)
        rest = replace(match, owed=(*match.owed[: self.at], *match.owed[self.at + 1 :]))
        deed = read_deed(owed.does if self.how == "does" else owed.instead)
        card, said = costs.CardId.read(owed.card), owed.which if self.how == "does" else ""
        kinds = said or "".join(deed.verb.choices(ships_of(on.table)[owed.ship], card)[self.place : self.place + 1])
        run = Run({**on.table, MATCH: rest}, owed.by, card, on.rng, [owed.ship], kinds)
        what = Text("chooses for {ship}: {what}", ship=Name(owed.ship), what=deed.apply(run, run.fleet[owed.ship]))
        return BoardChange({MATCH: rest, **run.changed}, what)


def extra(fleet: Fleet) -> dict[str, tuple[Ship, str]]:
    """Return locks of which owners must remove one, each with its ship, by mark."""
    held = ((ship, target) for ship in fleet.values() for target in extra_locks(ship))
    return {f"{crc32(f'{ship.name} on {target}'.encode()):08x}": (ship, target) for ship, target in held}


class RemoveLock(Act):
    """The owner's choice of a lock to remove, by its mark."""

    mark: str

    forms = ("extra-lock-{mark}",)
    places: ClassVar[Mapping[str, FormPlace]] = UseLine.places

    def apply(self, on: BoardContext) -> BoardChange:
        found = extra(ships_of(on.table)).get(self.mark)
        if found is None:
            raise PlayerError(SETTLED)
        ship, lost = found
        kept = tuple(target for target in ship.locks if target != lost)
        what = Text("removes {ship}'s lock on {target}", ship=ship.name, target=Name(lost))
        return BoardChange({ship.name: replace(ship, locks=kept)}, what)


def end_start(on: BoardContext) -> BoardChange:
    """Pass for this moment of the phase."""
    match = match_of(on.table)
    open_ = starts(match, ships_of(on.table))
    if match is None or not open_:
        raise PlayerError("The start of this phase is over. The board shows what's next.")
    ship, row = open_[0]
    passed = replace(match, past=(*match.past, matches.passes(ship.owner, row.at)))
    return BoardChange({MATCH: passed}, Text("uses no more cards: {moment}", moment=MOMENTS[row.at]))


DONE: Final = PlainAct("start-done", end_start)
USE: Final = PlainAct("card", lambda on: use(on, on.filled.get(CARD, "")))
USE_AT_START: Final = PlainAct("card-more", lambda on: use(on, on.filled.get(CARD, "")))
ACTS: Final = (DONE, USE, USE_AT_START, UseLine, Did, Settle, RemoveLock)
