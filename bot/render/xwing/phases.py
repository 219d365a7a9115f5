"""X-Wing's Engagement Phase and End Phase on cards."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Final

from bot.render.card import Card
from bot.render.xwing import score
from bot.render.xwing.fleet import TITLE, planning_status, reveal_status, token_count
from bot.rules import text as texts
from bot.rules.game import MAX_LABEL
from bot.rules.text import EMPTY, N_, Code, Count, Name, Names, Sentences, Shown, Text, ended, titled
from bot.rules.xwing.dice.tokens import CIRCULAR, COUNTED, TOKENS, TokenShape
from bot.rules.xwing.table import match as matches, moments
from bot.rules.xwing.table.match import Match, Phase, Table, match_of, ships_of
from bot.rules.xwing.table.moment_rows import MomentRow
from bot.rules.xwing.table.ship import Fleet, Ship, is_affected, order

NOBODY: Final[Mapping[int, Shown]] = {}


def engagement(table: Table, before: Table | None = None, engaged: str | None = None) -> Card:
    """Return the order, the current turn, and engaged ships; after a ship ``engaged``, also its changes."""
    fleet, match = ships_of(table), match_of(table)
    left = {name: ship for name, ship in fleet.items() if name not in matches.leaving_ships(match, fleet)}
    now = matches.step_of(left) if matches.is_engagement(match) else None
    departed = departed_ships(ships_of(before or table), fleet)
    sentences = [Text("{name} leaves the table.", name=name) for name in departed]
    sentences += [Text("{ship} engages.", ship=Name(engaged))] if engaged in fleet else []
    rows = groupby(matches.engagement_order(match, fleet), key=attrgetter("initiative"))
    return Card(
        title=titled(TITLE, phase_title(match)),
        outcome=Sentences([*sentences, turn_sentence(match, fleet)]),
        facts=tuple((Text(AT[at == now], initiative=at), row(match, fleet, ships)) for at, ships in rows),
        small=Text("▶ can engage now · ✓ has engaged · ✗ destroyed: removed at the end of its initiative step"),
        ahead="nobody" if now is None else "open",
    )


AT: Final = N_("Initiative {initiative}"), N_("Initiative {initiative} · now")


def phase_title(match: Match | None) -> Text:
    """Return ``Round 2, Planning Phase``; without a match the Engagement Phase."""
    if match is None:
        return Phase.ENGAGEMENT.display_name
    return Text("Round {round}, {named}", round=match.round, named=match.phase.display_name)


def summary(table: Table, owners: Mapping[int, Shown] = NOBODY) -> Text:
    """Say the round, its phase and what is next; "" without a match. ``owners``: the players' names by number."""
    match = match_of(table)
    if match is None or not ships_of(table):
        return EMPTY
    fleet, is_engagement_ = ships_of(table), match.phase is Phase.ENGAGEMENT
    is_asked = is_engagement_ and matches.waiting_ships(match, fleet) and not matches.starts(match, fleet)
    whose_turn = turn_sentence(match, fleet) if is_asked else EMPTY
    return Sentences([headline(table, owners), score.summary(table, owners), whose_turn])


def headline(table: Table, owners: Mapping[int, Shown] = NOBODY) -> Text:
    """The round and its phase, and what is asked of people: what the picture of the ships does not say."""
    match = match_of(table)
    if match is None or not ships_of(table):
        return EMPTY
    asks = EMPTY
    if who := matches.chooser(table):
        message = N_("{player} has fewer points and chooses: first or second player?")
        if match.chooses:
            message = N_("{player} won the roll-off and chooses: first or second player?")
        asks = Text(message, player=owners.get(who, Text("Someone")))
    elif matches.may_roll_off(table):
        asks = Text("Who is the first player? Call hits or misses and roll off.")
    elif matches.may_roll(table) and match.dials != "on":  # with dials it is rolled when all are set
        asks = Text("Who is the first player? Roll.")
    elif open_ := matches.starts(match, ships_of(table)):
        asks = start_of(open_, owners)
    elif matches.have_all_engaged(match, ships_of(table)):
        asks = Text("All ships have engaged.")
    planned = [planning_status(table, owners), reveal_status(match, table)]
    is_told = match.phase not in matches.LATE and not planned[1]  # an open dial says it for its ship
    moved = movement_notes(ships_of(table)) if is_told else []
    return Sentences([ended(phase_title(match)), *planned, asks, *moved])


def start_of(open_: Sequence[tuple[Ship, MomentRow]], owners: Mapping[int, Shown]) -> Sentences:
    """Return a phase's start: whose cards act, and claims without room on their buttons."""
    owner = owners.get(open_[0][0].owner, Text("Anyone"))
    begins = Text("First, at the start of the phase: {player} may use a card.", player=owner)
    said = [moments.Line(row=row, ship=ship).says for ship, row in open_]
    return Sentences([begins, *(ended(text) for text in said if len(texts.english(text)) > MAX_LABEL)])


def movement_notes(fleet: Fleet) -> list[Text]:
    """Return the effects of tokens on ships that still have to move: ion on maneuvers, tractor on dice."""
    texts = []
    for kind, (message, several) in HELD_BACK.items():
        ships = [ship.name for ship in order(fleet) if not ship.destroyed and is_affected(ship, kind)]
        texts += [Text(several if len(ships) > 1 else message, ships=Names(ships))] if ships else []
    return texts


HELD_BACK: Final = {
    "ion": (
        N_("{ships} is ionized: it executes the ion maneuver and can perform only the focus action."),
        N_("{ships} are ionized: each executes the ion maneuver and can perform only the focus action."),
    ),
    "tractor": (
        N_("{ships} is tractored and rolls 1 fewer defense die."),
        N_("{ships} are tractored: each rolls 1 fewer defense die."),
    ),
}
"""Sentences by the kind of token, for one ship and for several."""


def phase_began(before: Table, table: Table) -> Card:
    match = match_of(table) or Match()
    if (was := match_of(before)) is not None and was.round < match.round:
        return end_phase(before, table)
    if match.phase is Phase.ENGAGEMENT:
        return engagement(table, before)
    left = [Text("{name} leaves the table.", name=name) for name in departed_ships(ships_of(before), ships_of(table))]
    begins = Text("The {named} of round {round} begins.", named=match.phase.display_name, round=match.round)
    return Card(title=titled(TITLE, phase_title(match)), outcome=Sentences([*left, begins]))


def turn_sentence(match: Match | None, fleet: Fleet) -> Text:
    if not fleet:
        return Text("No ship is on the table here.")
    if match is not None and match.phase is not Phase.ENGAGEMENT:
        return Text("It's the {named} of round {round}.", named=match.phase.display_name, round=match.round)
    if match is not None and (open_ := matches.starts(match, fleet)):
        return start_of(open_, {})
    now = matches.waiting_ships(match, fleet)
    if not now:
        return Text("All ships have engaged; the End Phase is next.")
    ships = Names([ship.name for ship in now], "or")
    return Text("Next, at initiative {initiative}: {ships}.", initiative=now[0].turn, ships=ships)


def row(match: Match | None, fleet: Fleet, ships: Iterable[Ship]) -> Shown:
    """Return one initiative's ships, with marks and numbers of attacks."""
    lines = []
    for ship in ships:
        attacks = texts.parenthesized(Count(ship.attacks, "attack", "attacks")) if ship.attacks else EMPTY
        lines.append(Sentences([mark(match, fleet, ship), ship.name, attacks]))
    return Sentences(lines, "\n")


def mark(match: Match | None, fleet: Fleet, ship: Ship) -> Code:
    if ship.name in matches.leaving_ships(match, fleet):
        return Code("✗")
    is_now = matches.is_engagement(match) and ship.name in [item.name for item in matches.waiting_ships(match, fleet)]
    sign = "✓" if ship.engaged else "▶" if is_now else "·"
    return Code(f"{sign} ✗" if ship.destroyed else sign)


def departed_ships(before: Fleet, now: Fleet) -> list[Name]:
    return [Name(ship.name) for ship in order(before) if ship.name not in now]


def end_phase(was: Table, table: Table) -> Card:
    """Return what was removed and what was restored, by ship."""
    before, now = ships_of(was), ships_of(table)
    left = departed_ships(before, now)
    changes = ((Name(ship.name), differences(before[ship.name], ship)) for ship in order(now))
    changed = [texts.labeled(name, Sentences(lines, ", ")) for name, lines in changes if lines]
    leave = N_("{names} leaves the table") if len(left) == 1 else N_("{names} leave the table")
    change = N_("{ships} changes") if len(changed) == 1 else N_("{ships} change")
    leaves = texts.ended(Text(leave, names=Names(left))) if left else EMPTY
    begins = Text("Round {round} begins with planning.", round=(match_of(table) or Match()).round)
    ends = (
        score.ends_line(table) if len(matches.owners_of(table)) > 1 and matches.decided_winner(table) is None else EMPTY
    )
    facts = ((Text(change, ships=Count(len(changed), "ship", "ships")), Sentences(changed, "\n")),) if changed else ()
    return Card(Text("{title} · End Phase", title=TITLE), Sentences([leaves, begins]), facts=facts, small=ends)


def differences(before: Ship, now: Ship) -> list[Shown]:
    """Return the End Phase's changes on one ship, except that it may engage again."""
    lost = [token_count(kind, before.tokens[kind]) for kind in CIRCULAR if kind in before.tokens]
    lines: list[Shown] = [Text("loses {lost}", lost=Names(lost))] if lost else []
    for name, token in COUNTED.items():
        was, left = before.has(name), now.has(name)
        if token.kind is TokenShape.CHARGE and was != left:
            message = N_("regains {amount}, now {left}") if left > was else N_("loses {amount}, now {left}")
            lines.append(Text(message, amount=token.count_text(abs(left - was)), left=left))
    for upgrade, was, left in zip(now.card.upgrades, before.upgrade_charges, now.upgrade_charges, strict=True):
        if was != left:
            item, other = N_("{upgrade} regains {charges}, now {left}"), N_("{upgrade} loses {charges}, now {left}")
            charges = TOKENS["charge"].count_text(abs(left - was))
            lines.append(Text(item if left > was else other, upgrade=upgrade.name, charges=charges, left=left))
    broken = (Name(target) for target in before.locks if target not in now.locks)
    return lines + [Text("the lock on {target} breaks", target=target) for target in broken]
