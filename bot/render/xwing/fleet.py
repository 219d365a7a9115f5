"""X-Wing's ships on cards: one ship, changed ones, or all of a channel; and a board's picture."""

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, Literal

from bot.render import plain_text
from bot.render.card import Card, Dial, Dials, Roster, RosterShip, Strip, Team, Tile, TokenMark, Tone
from bot.render.xwing import count_results
from bot.rules import text as texts
from bot.rules.dice import Rolled
from bot.rules.pieces import BoardChange
from bot.rules.plans import PlanForm
from bot.rules.text import EMPTY, N_, Code, Count, Name, Names, Sentences, Shown, Text, english, joined, number_of, term
from bot.rules.xwing.attack.steps import DamageDealt
from bot.rules.xwing.cards.cards import PilotShip, without_quotes
from bot.rules.xwing.cards.rows import coverage_of
from bot.rules.xwing.dice.tokens import CIRCULAR, GREEN, STAYING, TOKENS, TokenShape
from bot.rules.xwing.table import match as matches
from bot.rules.xwing.table.dials import COLORS, read
from bot.rules.xwing.table.match import Match, Phase, Table, match_of, ships_of
from bot.rules.xwing.table.obstacles import Hazard
from bot.rules.xwing.table.planning import in_system, readiness, why_no_action
from bot.rules.xwing.table.ship import Fleet, Ship, order
from bot.rules.xwing.table.ship_damage import BREAKS, ObstacleResult
from bot.rules.xwing.table.ship_weapons import mounts

TITLE: Final = Name("X-Wing")
SAID: Final = {
    "counted": N_("automated: {cards}"),
    "asked": N_("asks first: {cards}"),
    "reminded": N_("reminders only: {cards}"),
    "not counted": N_("by hand: {cards}"),
}
"""Sentences about how far cards are automated."""
MAX_DOTS: Final = 8
"""Maximum shields or hull drawn as dots; more are a number."""


def facts(
    table: Table, owners: Mapping[int, Shown] | None = None, before: Mapping[str, Ship] | None = None
) -> tuple[tuple[Shown, Shown], ...]:
    """Return each ship's name and lines in engagement order; ``owners``: players' names by number. Of a ship that is
    also in ``before``, only the lines that have changed, if any.
    """
    result = list[tuple[Shown, Shown]]()
    for ship in matches.engagement_order(match_of(table), ships_of(table)):
        was = {*lines(before[ship.name])} if before and ship.name in before else set()
        told = [line for line in lines(ship) if line not in was] or lines(ship)
        result.append((headline(ship, (owners or {}).get(ship.owner, EMPTY)), Sentences(told, "\n")))
    return tuple(result)


def headline(ship: Ship, owner: Shown = EMPTY) -> Shown:
    destroyed = Text("destroyed") if ship.destroyed else EMPTY
    engaged = Text("engaged") if ship.engaged else EMPTY
    docked = Text("docked on {carrier}", carrier=Name(ship.docked)) if ship.docked else EMPTY
    initiative = Text("initiative {initiative}", initiative=ship.initiative)
    return Sentences([ship.name, initiative, owner, destroyed, engaged, docked], " · ")


def lines(ship: Ship) -> Iterable[Shown]:
    """Yield lines for a ship's dice, body, tokens, and abilities; empty ones are left out."""
    yield Text("attack {attack} · agility {agility}", attack=ship.attack, agility=ship.agility)
    message = N_("hull {dots} ({faceup})") if ship.faceup else N_("hull {dots}")
    hull = Text(message, dots=dots(ship.hull_left, ship.hull, "■□"), faceup=faceup(ship))
    shields = dots(ship.shields_left, ship.shields, "◆◇")
    yield Text("shields {dots} · {hull}", dots=shields, hull=hull) if ship.shields else hull
    if held := tokens_text(ship):
        yield Sentences(held, " · ")
    if ship.attacks:
        yield Text("{attacks} this round", attacks=Count(ship.attacks, "attack", "attacks"))
    if ship.abilities:
        yield Code(ship.abilities)


def faceup(ship: Ship) -> Text:
    """Return ``1 faceup``, ``2 faceup: Direct Hit!, Fuel Leak``: public damage, never facedown cards."""
    titles = Sentences(ship.faceup, ", ")
    return Text(N_("{count} faceup: {cards}") if titles else N_("{count} faceup"), count=len(ship.faceup), cards=titles)


def dots(left: int, most: int, signs: str) -> Shown:
    """Return the rest of a capacity as ``◆◆◇``, or a number if there are too many."""
    if most > MAX_DOTS:
        return Text("{left} of {most}", left=left, most=most)
    return Code(signs[0] * left + signs[1] * (most - left))


def tokens_text(ship: Ship) -> list[Shown]:
    parts = [token_count(kind, ship.tokens[kind]) for kind in (*CIRCULAR, *STAYING) if kind in ship.tokens]
    parts += [Text("force {left} of {most}", left=ship.force_left, most=ship.force)] if ship.force else []
    if ship.charge or ship.charge_left:
        message = N_("charges {left} of {most}") if ship.charge else N_("charges {left}")
        parts += [Text(message, left=ship.charge_left, most=ship.charge)]
    charged = zip(ship.card.upgrades, ship.upgrade_charges, strict=True)
    held = ((upgrade.name, left, upgrade.charges.capacity) for upgrade, left in charged if upgrade.charges.capacity)
    parts += [Text("{card} {left} of {most}", card=name, left=left, most=most) for name, left, most in held]
    sides = (Name(side.title) for side in ship.sides.values())
    return [*parts, *sides, *(Text("lock on {target}", target=Name(target)) for target in ship.locks)]


def token_count(kind: str, count: int) -> Text:
    """Return ``focus``, ``2 focus``."""
    return number_of(count, term(kind)) if count > 1 else term(kind)


def board(fleet: Fleet) -> Card:
    """Return all ships of a channel, the first to engage on top."""
    if not fleet:
        none, small = Text("No ship is on the table here."), Text("Add one: /xwing ship add")
        return Card(title=Text("{title} · ships", title=TITLE), outcome=none, small=small, ahead="open")
    lost = [ship.name for ship in order(fleet) if ship.destroyed]
    message = N_("{ships} on the table.")
    if lost:
        item = N_("{ships} on the table; {lost} is destroyed.")
        message = item if len(lost) == 1 else N_("{ships} on the table; {lost} are destroyed.")
    outcome = Text(message, ships=Count(len(fleet), "ship", "ships"), lost=Names(lost))
    return Card(title=Text("{title} · ships", title=TITLE), outcome=outcome, facts=facts(fleet))


def arrival_notes(before: Ship, now: Ship, kind: str) -> list[Shown]:
    """Return the side effects of gaining tokens of a kind: what a jam removed, which locks broke."""
    result: list[Shown] = []
    if kind == "jam":
        lost = [
            token_count(name, before.has(name) - now.has(name)) for name in GREEN if now.has(name) < before.has(name)
        ]
        lost += [Text("its lock on {target}", target=Name(lock)) for lock in before.locks if lock not in now.locks]
        result += [Text("It removes {lost}, then is removed.", lost=Names(lost))] if lost else []
    elif now.has("jam") < before.has("jam"):
        taken = token_count(kind, before.has("jam") - now.has("jam"))
        result.append(Text("Its jam token removes {amount}, then is removed.", amount=taken))
    if kind == "ion" and before.locks and not now.locks:
        result.append(Text("It is ionized, and its lock on {locks} breaks.", locks=Names(list(before.locks))))
    return result


def damage_sentence(name: str, dealt: DamageDealt) -> Shown:
    """Return ``Wedge suffers 2 hits and 1 crit (Direct Hit!).``, and that it is destroyed."""
    damage, cards = Names(count_results(dealt.hits, dealt.crits)) or Text("no damage"), Sentences(dealt.titles, ", ")
    message = N_("{name} suffers {damage} ({cards}).") if cards else N_("{name} suffers {damage}.")
    suffered = Text(message, name=Name(name), damage=damage, cards=cards)
    return Sentences([suffered, Text("It is destroyed!") if dealt.destroyed and dealt.total else EMPTY])


def obstacle(name: str, hazard: Hazard, happened: ObstacleResult, before: Fleet, now: Fleet) -> Card:
    """Return a ship's obstacle result: the red die, damage, tokens, broken locks."""
    gained = Names([TOKENS[kind].count_text(count) for kind, count in happened.tokens])
    sentences: list[Shown] = [damage_sentence(name, happened.dealt)] if happened.dealt.total or not gained else []
    sentences += [Text("{name} gains {gained}.", name=Name(name), gained=gained)] if gained else []
    broken = BREAKS.get(happened.breaks)
    sentences += [texts.ended(texts.Capitalized(broken))] if broken is not None else []
    card = step(Sentences(sentences), before, now, term(hazard.name))
    return with_dice(card, [(Text("Red die"), [happened.die])])


def ship_cards_card(ship: Ship) -> Card:
    """Return a ship's cards, for its owner only: its own with their status, and facedown damage."""
    silent = cards_by_coverage(ship.card).get("silent")
    no_dice = Text("no dice effects: {cards}", cards=Names(silent)) if silent else EMPTY
    own = Sentences([*coverage_lines(ship.card), no_dice], "\n")
    facts: list[tuple[Shown, Shown]] = [(Text("Dice effects"), own)] if own else []
    outcome = Text("These are the cards of {ship}. It has no damage card.", ship=ship.name)
    if ship.cards:
        outcome = Text("{ship} has {cards}.", ship=ship.name, cards=Count(ship.cards, "damage card", "damage cards"))
        for name, held in ((Text("Facedown"), ship.facedown), (Text("Faceup"), ship.faceup)):
            facts.append((name, Sentences((title or Text("not named") for title in held), ", ") or Text("none")))
    title = Text("{title} · cards of a ship", title=TITLE)
    return Card(title=title, outcome=outcome, facts=tuple(facts), small=Text("Only you can see this."))


def cards_by_coverage(ship: PilotShip) -> Mapping[str, Sequence[str]]:
    """Return the names of a ship's cards: pilot, ability, upgrades."""
    result = defaultdict[str, list[str]](list)
    for card, name in ship.card_names.items():
        result[coverage_of(card, ship.pool)].append(without_quotes(name))
    return result


def coverage_lines(ship: PilotShip) -> list[Text]:
    """Return a line per coverage; none for cards without effect on dice."""
    result = cards_by_coverage(ship)
    return [Text(said, cards=Names(result[word])) for word, said in SAID.items() if word in result]


def step(outcome: Shown, before: Fleet, after: Fleet, title: Shown = Text("ships")) -> Card:
    changed = {name: ship for name, ship in after.items() if before.get(name) != ship}
    return Card(title=Text("X-Wing · {about}", about=title), outcome=outcome, facts=facts(changed, before=before))


def step_card(who: Shown, done: BoardChange, before: Table, after: Table) -> Card:
    """Return a public step: the action, each ship's dice, and changed ships."""
    outcome = texts.ended(joined(who, done.sentence))
    return with_dice(step(outcome, ships_of(before), ships_of(after), Text("device")), done.dice)


def with_dice(card: Card, rolled: Iterable[tuple[Shown, Iterable[Rolled]]]) -> Card:
    tiles = ((label, tuple(Tile(die.kind, str(die.face)) for die in dice)) for label, dice in rolled)
    strips = tuple(Strip(*each) for each in tiles)
    return replace(card, strips=strips, alt=plain_text.strips(strips))


# A board's picture: ships by side with who is next, and dials. Planned ones are private; revealed ones are public.

TONES: Final[Mapping[TokenShape, Tone]] = {
    TokenShape.GREEN: "green",
    TokenShape.ORANGE: "orange",
    TokenShape.RED: "red",
    TokenShape.BLUE: "blue",
    TokenShape.CARGO: "gold",
}
NOBODY: Final = Text("Unassigned ships")
FACEUP: Final = Text("faceup damage")
SIDE: Final = Text("side up")


def roster(table: Table, owners: Mapping[int, Shown] | None = None) -> Roster | None:
    """Return the ships by side, first player's first, in engagement order; None without ships. ``owners``: players'
    names by number. Without sides, each owner has one.
    """
    match, fleet, names = match_of(table), ships_of(table), owners or {}
    now = next_ships(match, table)
    teams = defaultdict[tuple[int, Shown], list[Ship]](list)
    # Their step is over: they leave with the next press.
    gone = matches.leaving_ships(match, fleet)
    for ship in (one for one in matches.engagement_order(match, fleet) if one.name not in gone):
        side = matches.side_of(match, ship)
        place = {"first": 0, "second": 1, "": 2}[side]
        teams[place, Code(side) or names.get(ship.owner, EMPTY)].append(ship)
    result = list[Team]()
    for (_, named), ships in sorted(teams.items(), key=lambda item: (item[0][0], english(item[0][1]))):
        heading = Sentences([title(english(named), ships, names), points_of(table, ships)], " · ")
        result.append(Team(heading, tuple(unit(ship, now) for ship in ships)))
    return Roster(tuple(result)) if result else None


def picture(table: Table, owners: Mapping[int, Shown] | None = None) -> Roster | Dials | None:
    """Return the ships by side; above them, during activation, the revealed dials of the current initiative."""
    ships, open_ = roster(table, owners), revealed_dials(table)
    return Dials(open_, ships) if open_ and ships is not None else ships


def points_of(table: Table, ships: list[Ship]) -> Shown:
    """Return this side's ``14 points``; "" without scoring."""
    result = [tally.total for tally in matches.tallies(table) if any(ship.owner in tally.players for ship in ships)]
    return Count(result[0], "point", "points") if result else EMPTY


def final_roster(
    table: Table, lost: Mapping[str, Ship], owners: Mapping[int, Shown], winner: int | None
) -> Roster | None:
    """Return both squads at a game's end, or now: every ship's health, lost ones struck out; above each the player, the
    winner, and points or destroyed ships. None without ships.
    """
    match = match_of(table)
    flying = {name: ship for name, ship in ships_of(table).items() if not ship.is_remote}
    teams = defaultdict[str, list[Ship]](list)
    for ship in matches.engagement_order(match, {**lost, **flying}):
        teams[matches.side_of(match, ship) or str(ship.owner)].append(ship)
    result = list[Team]()
    for _, ships in sorted(teams.items()):
        units = (final_ship(ship, is_out=ship.name not in flying) for ship in ships)
        who, destroyed = title("", ships, owners), len(lost) - sum(ship.name in lost for ship in ships)
        if any(ship.owner == winner for ship in ships):
            who = Text("{name} wins", name=who)
        points = points_of(table, ships) or Count(destroyed, "ship destroyed", "ships destroyed")
        result.append(Team(Sentences([who, points], " · "), tuple(units)))
    return Roster(tuple(result)) if result else None


def final_ship(ship: Ship, *, is_out: bool) -> RosterShip:
    """Return a ship with its damage only; a destroyed one has nothing left."""
    if is_out or ship.destroyed:
        return RosterShip(Name(ship.name), ship.initiative, (0, ship.hull), (0, ship.shields), state="out")
    return RosterShip(Name(ship.name), ship.initiative, (ship.hull_left, ship.hull), (ship.shields_left, ship.shields))


PLAYERS: Final = {"first": N_("{people} · first player"), "second": N_("{people} · second player")}


def title(side: str, ships: list[Ship], names: Mapping[int, Shown]) -> Shown:
    """Return ``Ana · first player``; without a side the owner's name."""
    held = list(dict.fromkeys(names.get(ship.owner, "") for ship in ships))
    people = Names([name for name in held if name]) or NOBODY
    return Text(PLAYERS[side], people=people) if side in PLAYERS else people


def next_ships(match: Match | None, table: Table) -> set[str]:
    now = list[Ship]()
    if match is not None and match.phase is Phase.ENGAGEMENT:
        now = matches.waiting_ships(match, ships_of(table))
    elif match is not None and matches.uses_dials(table) and match.phase in (Phase.SYSTEM, Phase.ACTIVATION):
        now = matches.activating_ships(match, ships_of(table))
    return {ship.name for ship in now}


def unit(ship: Ship, now: Container[str] = ()) -> RosterShip:
    """Return the ship as a roster shows it; ``now``: those that are next."""
    state: Literal["", "next", "done", "out"] = "done" if ship.engaged else ""
    state = "next" if ship.name in now else "out" if ship.destroyed else state
    return RosterShip(
        name=Name(ship.name),
        initiative=ship.initiative,
        hull=(ship.hull_left, ship.hull),
        shields=(ship.shields_left, ship.shields),
        marks=marks(ship),
        state=state,
        dice=None if ship.is_remote else (ship.attack, ship.agility),
        below=Text("docked on {carrier}", carrier=Name(ship.docked)) if ship.docked else EMPTY,
    )


def marks(ship: Ship) -> tuple[TokenMark, ...]:
    """Return a ship's marks: tokens, force and charges; then in words weapons, card sides, locks, damage cards."""
    kinds = filter(ship.has, (*CIRCULAR, *STAYING))
    result = [TokenMark(kind, TONES[TOKENS[kind].kind], ship.tokens[kind]) for kind in kinds]
    result += [TokenMark("force", "violet", ship.force_left)] if ship.force_left else []
    result += [TokenMark("charge", "gold", ship.charge_left)] if ship.charge_left else []
    armed = mounts(ship) if ship.upgrades else ()
    result += [
        TokenMark("charge", "gold", text=joined(mount.weapon.title, ship.upgrade_charges[mount.place]))
        for mount in armed
        if mount.weapon.cost and mount.place >= 0
    ]
    result += [TokenMark(SIDE.message, "blue", text=Name(side.short)) for side in ship.sides.values()]
    result += [TokenMark("lock", "red", text=Name(target)) for target in ship.locks]
    up = (Name(name) if name else Text("a damage card") for name in ship.faceup)
    return (*result, *(TokenMark(FACEUP.message, "orange", text=item) for item in up))


# Dials

WHY: Mapping[str, Text] = {
    "ion": Text("ion maneuver"),
    "stressed": Text("stress maneuver: it is stressed"),
    "no force": Text("stress maneuver: it has no force"),
    "forgotten": Text("no plan"),
}


def dial(name: str, code: str, below: Shown = EMPTY, *, is_now: bool = False) -> Dial:
    """Return a maneuver by code; "" for none."""
    if not code:
        return Dial(Name(name), 0, "", "", Text("nothing yet"), below, is_now)
    flown = read(code)
    tone = COLORS[flown.difficulty].says.message
    return Dial(Name(name), flown.speed, flown.plain, tone, flown.text, below, is_now)


def dials_card(asked: PlanForm, chosen: Mapping[str, str]) -> Card:
    shown = Dials(tuple(dial(place.of, chosen.get(place.of, "")) for place in asked.places))
    count = sum(place.of in chosen for place in asked.places)
    outcome = Text("{set} of {all} set.", set=count, all=Count(len(asked.places), "dial", "dials"))
    small = Text("A fingerprint proves that your plan isn't changed later. The bot's host could still read it.")
    title = Text("X-Wing · {dials}", dials=asked.title)
    return Card(title=title, outcome=outcome, figure=shown, alt=plain_text.figure(shown), small=small)


def revealed_dials(table: Table) -> tuple[Dial, ...]:
    """Return the current initiative step's dials of activated ships."""
    match, fleet = match_of(table), ships_of(table)
    active = fleet.get(match.active) if match is not None and match.phase is Phase.ACTIVATION else None
    if active is None:
        return ()
    flown = [item for item in fleet.values() if item.flight is not None and item.initiative == active.initiative]
    shown = list[Dial]()
    for ship in (active, *(item for item in flown if item.name != active.name)):
        why, code = (WHY.get(ship.flight.why), ship.flight.maneuver) if ship.flight is not None else (None, "")
        left_to_do = Sentences([why, why_no_action(ship)], " · ")
        shown.append(dial(ship.name, code, left_to_do, is_now=ship is active))
    return tuple(shown)


def planning_status(table: Table, owners: Mapping[int, Shown]) -> Shown:
    """Return ``Ana is ready. Bo is planning.`` while dials are set; EMPTY if nobody is ready, or none are set."""
    match = match_of(table)
    if match is None or match.phase is not Phase.PLANNING or not matches.uses_dials(table):
        return EMPTY
    ready = sorted(readiness(table).items(), key=lambda item: not item[1])  # ready ones first
    messages = {True: N_("{name} is ready."), False: N_("{name} is planning.")}
    return Sentences(Text(messages[is_ready], name=owners.get(item, EMPTY)) for item, is_ready in ready)


def reveal_status(match: Match, table: Table) -> Shown:
    """Return whose dial is next, or that all are open; EMPTY outside activation with dials."""
    if not matches.uses_dials(table) or match.phase not in (Phase.SYSTEM, Phase.ACTIVATION):
        return EMPTY
    now = matches.activating_ships(match, ships_of(table))
    if not now:
        return Text("All dials are revealed. The next attack starts the Engagement Phase.")
    names = Names([Name(ship.name) for ship in now], "or")
    if match.phase is Phase.SYSTEM and (early := in_system(ships_of(table))):
        system = Names([Name(ship.name) for ship in early])
        return Text("Devices and cloaks first: {system}. Then {ships} reveals.", system=system, ships=names)
    return Text("Next to reveal, at initiative {initiative}: {ships}.", initiative=now[0].turn, ships=names)
