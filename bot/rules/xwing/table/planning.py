"""Play before ships engage: secret dials, activation by initiative, docking, preparing. Source: rules page, A round
between the dice. Secrecy of plans: ``bot.rules.plans``. All of it is optional: without a ready player, none of it is
asked.
"""

from binascii import crc32
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, ClassVar, Final

from bot.rules import game
from bot.rules.dice import Rng
from bot.rules.errors import NotAllowedNowError, NotOfferedError, PlayerError
from bot.rules.game import OWNER, Act, AfterOffer, ButtonRank, Field, Fill, Offer, OpensPlace, Option, PlainAct
from bot.rules.physical_dice import MAX_FIELDS
from bot.rules.pieces import BoardChange, BoardContext
from bot.rules.plans import Commitment, Leaf, PlanForm, PlanPlace, commitments
from bot.rules.text import EMPTY, N_, Code, Count, Name, Names, Sentences, Shown, Text, term
from bot.rules.text_values import FormPlace
from bot.rules.xwing.dice import costs
from bot.rules.xwing.dice.tokens import TOKENS
from bot.rules.xwing.table import dials, flying, match as matches, moments, obstacles, ship as ships, ship_damage, verbs
from bot.rules.xwing.table.match import LATE, MATCH, Match, Phase, Table, match_of, match_or_new, plans_of, ships_of
from bot.rules.xwing.table.moment_rows import may_act, only_actions, own_rows
from bot.rules.xwing.table.ship import PLANS, Fleet, Flight, Ship, Stood, find, give, is_affected, order, refuse

MAX_REVEALS: Final = 2
"""Maximum dials of a player with simultaneous buttons; for others the player selects the ship first."""
FLIES: Final = "flies"
LOOKS: Final = ("informant", "cassianandor", "sense")
"""The ids of the upgrades that let their player look at a dial."""
DIAL: Final = "dial"
"""Option of a ship that flies what its dial shows."""


# Squads that stay closed until both are here

SQUAD: Final = "squad"
ADD_SQUAD: Final = "*squad*"
"""Asks for the form of ``SQUAD``. No button's id can say it: the command has parsed what it stores there."""
"""The sheet of a player's closed squad; its one place has their number, as ``squad-7``."""


def closed_squads(table: Table) -> list[Commitment]:
    return [plan for plan in commitments(table).values() if plan.sheet == SQUAD and plan.closed_places]


def squad_form(table: Table, player: int) -> PlanForm:
    """Return the form of a closed squad. Raises ``PlayerError`` for a player with ships here."""
    if any(ship.owner == player for ship in ships_of(table).values()):
        raise PlayerError("You already have ships here, so there's nothing to hide. Add the squad openly.")
    place = PlanPlace(f"{SQUAD}-{player}", Text("Your squad"))
    return PlanForm(SQUAD, f"{PLANS} {player}: {SQUAD}", Text("Hidden squad"), (place,))


# Planning


def places(match: Match, fleet: Fleet, player: int) -> list[Ship]:
    """Return the ships for which a player sets a dial; in Legacy not ionized ones."""
    there = {name: ship for name, ship in fleet.items() if ship.owner == player and not (ship.destroyed or ship.docked)}
    own = [ship for ship in matches.order_of(match, there) if dials.dial_of(ship)]
    return [ship for ship in own if match.ruleset == "2.5" or not is_affected(ship, "ion")]


def planners(match: Match, fleet: Fleet) -> list[int]:
    owners = sorted({ship.owner for ship in fleet.values() if ship.owner and ship.pilot})
    return [owner for owner in owners if places(match, fleet, owner)]


def readiness(table: Table) -> dict[int, bool]:
    match, fleet = match_or_new(table), ships_of(table)
    ready = {plan.owner for plan in plans_of(table, match)}
    return {player: player in ready for player in planners(match, fleet)}


def plan_form(table: Table, player: int, sheet: str = "") -> PlanForm:
    """Return a player's dials. Raises ``PlayerError`` if none are set now."""
    if sheet == ADD_SQUAD:
        return squad_form(table, player)
    match, fleet = match_or_new(table), ships_of(table)
    if match.dials == "off":
        raise PlayerError("This match is played without dials. To use them, pick Play with dials on the board.")
    if match.phase is not Phase.PLANNING:
        message = N_("The dials for round {round} are locked in: it's the {phase}.")
        raise NotAllowedNowError(Text(message, round=match.round, phase=match.phase.display_name))
    own = places(match, fleet, player)
    if not own:
        raise PlayerError("None of your ships here has a dial I know, so there's nothing to plan.")
    round_ = Text("round {round}", round=match.round)
    title, name = Text("Dials for {round}", round=round_), f"{PLANS} {player}"
    return PlanForm(matches.sheet_of(match), name, title, tuple(place_of(ship, fleet) for ship in own))


def place_of(ship: Ship, fleet: Fleet) -> PlanPlace:
    """Return a ship's dial, with its last maneuver suggested."""
    message = N_("{ship} (ionized)") if is_affected(ship, "ion") else N_("{ship} (stressed)")
    label = Text(message, ship=ship.name) if is_affected(ship, "ion") or ship.has("stress") else ship.name
    last = ship.last_dial if ship.last_dial in [maneuver.code for maneuver in dials.dial_of(ship)] else ""
    return PlanPlace(ship.name, label, options_of(ship, fleet), last)


def options_of(ship: Ship, fleet: Fleet) -> tuple[Option, ...]:
    return tuple(Option(maneuver.code, *as_listed(ship, maneuver, fleet)) for maneuver in dials.dial_of(ship))


def maneuver_text(maneuver: dials.Maneuver) -> Shown:
    """Return ``🟦 ↑ 3 straight, blue``."""
    color, bearing = dials.COLORS[maneuver.difficulty], dials.BEARINGS[maneuver.bearing]
    return Sentences([Code(color.sign), Code(bearing.sign), maneuver.text])


def as_listed(ship: Ship, maneuver: dials.Maneuver, fleet: Fleet) -> tuple[Shown, Shown]:
    """Return a maneuver's two lines in a list: with its current color and printed one, then effects on the ship."""
    flown, by = flying.as_flown(ship, maneuver, fleet)
    lines: list[Shown] = [Text("same again")] if maneuver.code == ship.last_dial else []
    if by:
        printed = dials.COLORS[maneuver.difficulty].says
        lines.append(Text("by {cards} (printed: {color})", cards=Names(by), color=printed))
    own = {ship.name: ship, **{name: item for name, item in fleet.items() if item.owner == ship.owner and ship.owner}}
    later = (item for item in flying.choices(ship, maneuver, own) if not item.row.flies and not item.row.ask)
    for choice in later:
        card = Name(flying.held_cards(choice.holder)[choice.row.card])
        color = dials.COLORS[choice.flown.difficulty].says
        message = N_("{color} for {costs} ({card})") if choice.row.cost else N_("{color} by {card}")
        lines.append(Text(message, color=color, costs=costs.claimed_costs(choice.row.cost), card=card))
    if is_affected(ship, "ion"):
        lines.append(Text("ionized: only the direction matters"))
    elif flown.difficulty == "R" and ship.has("stress") and not flying.may_while_stressed(ship, flown, fleet, ()):
        lines.append(Text("stressed: it would execute the stress maneuver"))
    elif flown.difficulty == "P" and not ship.force_left:
        lines.append(Text("no force: it would execute the stress maneuver"))
    return maneuver_text(flown), Sentences(lines, " · ") if lines else EMPTY


def check(table: Table, player: int, asked: PlanForm, of: str, choice: str) -> None:
    """Raise ``PlayerError`` for a ship that is not theirs to plan, or a maneuver that is not on its dial."""
    if asked.sheet == SQUAD and of in [place.of for place in asked.places]:
        return
    ship = find(ships_of(table), of)
    is_asked = of in [place.of for place in asked.places]
    is_on_dial = choice in [maneuver.code for maneuver in dials.dial_of(ship)]
    refusals = {
        N_("{ship} isn't yours, so you can't set its dial. Plan for your own ships."): ship.owner != player,
        N_("{ship} is destroyed and needs no dial. Plan for your other ships."): ship.destroyed,
        N_("{ship} is docked and doesn't set a dial. Plan for your other ships."): bool(ship.docked),
        N_("{ship} doesn't set a dial this round. Plan for your other ships."): not is_asked,
        N_("That maneuver isn't on {ship}'s dial. Pick one from its list."): not is_on_dial,
    }
    refuse(refusals, ship=Name(of))


def finish_planning(table: Table, plan: Commitment, rng: Rng) -> BoardChange:
    """Mark a player as ready. The last one ends the phase; first player is rolled if the rules say so."""
    if plan.sheet == SQUAD:
        return BoardChange({}, Text("adds a squad that stays hidden until both are here"))
    match = replace(match_or_new(table), dials="on")
    dials = Count(len(plan.of), "dial", "dials")
    message = N_("is ready again: {dials} set") if plan.replaces else N_("is ready: {dials} set")
    lines: list[Shown] = [Text(message, dials=dials)]
    now = {**table, MATCH: match}
    if not all(readiness(now).values()):
        return BoardChange({MATCH: match}, lines[0])
    if matches.may_roll(now):
        changes, rolled = matches.roll_for_order(now, rng)
        now = {**now, **changes}
        said = N_("The roll for first player: {one}. {other}. The player with {first} is first")
        lines.append(Text(said, **{name: item for name, item in rolled.places.items() if name != "again"}))
    match = match_of(now) or match
    phase = Phase.SYSTEM if in_system(ships_of(now)) else Phase.ACTIVATION
    lines.append(Text("All dials are set, and the {phase} begins", phase=phase.display_name))
    return moments.Course(table, rng, {MATCH: matches.begin_phase(match, phase)}).follow().board_change(*lines)


SYSTEM: Final = ("start of System", "during System")
"""Moments of cards in the System Phase."""


def in_system(fleet: Fleet) -> list[Ship]:
    """Return ships with options in the System Phase: decloak, place a device, dock, deploy, listen."""

    def has_system(ship: Ship) -> bool:
        has = ship.has("cloak") or any(ship_damage.carried_devices(ship)) or not {*LOOKS}.isdisjoint(ship.upgrades)
        speaks = (row.may_speak(ship, fleet, Phase.SYSTEM) for row in own_rows(ship) if row.at in SYSTEM)
        return bool(has or ship.docked or carriers(fleet, ship) or any(speaks))

    return [ship for ship in order(fleet) if not ship.destroyed and has_system(ship)]


# Activation


def reveal_place(table: Table, of: str, leaf: Leaf | None, filled: Mapping[str, str], rng: Rng) -> BoardChange:
    """Reveal a ship's dial and execute its maneuver with automatic effects."""
    match, fleet = match_or_new(table), ships_of(table)
    ship = find(fleet, of)
    check_turn(match, fleet, ship, is_anyway=FLIES in filled)
    dialled = leaf.choice if leaf is not None else ""
    shown = dials.read(dialled) if dials.CODE.fullmatch(dialled) else None
    other = filled.get(FLIES, "").replace(DIAL, "")
    begun = match if match.phase is Phase.ACTIVATION else matches.begin_phase(match, Phase.ACTIVATION)
    course = moments.Course(table, rng, {**matches.end_activation(match, fleet), MATCH: begun}).follow()
    ship, match = ships_of(course.table)[ship.name], replace(course.changes[MATCH], active=ship.name)
    course.changes[MATCH] = match
    if shown is None and not other and match.ruleset == "2.0" and not is_affected(ship, "ion"):
        course.changes[ship.name] = replace(ship, flight=Flight(why="forgotten"))
        message = N_("has no plan for {ship}. The opponent or a GM chooses its maneuver")
        return BoardChange(course.changes, Text(message, ship=ship.name))
    told, course.said = course.said, []
    flown = fly_ship(course, ship, dials.read(other) if other and other != dialled else shown, dialled)
    first = Text("reveals {ship}: {maneuver}", maneuver=flown.text, ship=ship.name)
    if shown is None:
        first = Text("has no dial to reveal for {ship}", ship=ship.name)
    elif shown.code != flown.code:
        message = N_("reveals {ship}: {dial}. It executes {maneuver}")
        first = Text(message, dial=shown.text, ship=ship.name, maneuver=flown.text)
    if names := flying.not_counted(ship):
        course.said.append(Text("By hand: {cards}", cards=Names(names)))
    if act := filled.get(ACTION):
        take_action(course, ship.name, act, filled.get(TARGET, ""))
    return course.board_change(*told, first)


def fly_ship(
    course: moments.Course, ship: Ship, shown: dials.Maneuver | None, dial: str, chosen: Sequence[flying.Choice] = ()
) -> dials.Maneuver:
    """Execute a maneuver from ``dial`` with card effects, except those that need full execution after an overlap."""
    match, name = match_or_new(course.table), ship.name
    fleet = ships_of(course.table)
    earlier = flying.lasting(ship, shown, fleet, match.lasting) if shown is not None else []
    done = flying.execute(ship, shown, match.ruleset, fleet, [*earlier, *[choice.row for choice in chosen]])
    flight = replace(done.flight, dial=dial, chosen=tuple(choice.code for choice in chosen))
    if chosen and chosen[-1].row.flies == "nothing":
        course.changes[name] = replace(ship, flight=replace(flight, why="nothing"))
        course.act_alone(moments.REVEALED, name)
        return done.maneuver
    course.changes[name] = replace(done.ship, flight=flight)
    course.said += done.lines
    course.act_alone((*moments.REVEALED, "after executing"), name)
    if done.maneuver.is_sideslip:
        course.act_alone(moments.AFTER_ACTION, name, ("sideslip",))
    partly, fully = course.changes[name], moments.Course(course.table, course.rng)
    course.add(fully.act_alone(moments.FULLY[:1], name))
    if fully.changes and partly.flight is not None:
        after = replace(partly.flight, partly=standing_of(partly))
        course.changes[name] = replace(course.changes[name], flight=after)
    course.changes[name] = with_choices(course.table, match, ship, course.changes[name])
    return done.maneuver


def with_choices(table: Table, match: Match, before: Ship, after: Ship) -> Ship:
    """Store the ship's state before its maneuver while cards may change that."""
    flight, cards = after.flight, (before.facedown, before.faceup)
    if flight is None or not flight.dial or flight.why == "ion" or cards != (after.facedown, after.faceup):
        return after
    now = replace(after, flight=replace(flight, stood=standing_of(before), stands=mark(str(standing_of(after)))))
    return now if fly_choices({**table, now.name: now}, replace(match, active=now.name), now) else after


def standing_of(ship: Ship) -> Stood:
    return Stood(**{field.name: getattr(ship, field.name) for field in fields(Stood)})


def fly_choices(table: Table, match: Match, ship: Ship) -> list[flying.Choice]:
    """Return maneuvers that cards offer the ship until something else happens to it."""
    flight = ship.activation
    if flight is None or flight.stood is None or match.active != ship.name or flight.skips:
        return []
    if flight.stands != mark(str(standing_of(ship))):
        return []
    before, shown = undo_maneuver(ship, flight.stood), dials.read(flight.dial)
    fleet = {**ships_of(table), ship.name: before}
    earlier = flying.lasting(before, shown, fleet, match.lasting)
    known = {row.key: row for row in flying.rows()}
    rows = [known[code.partition(" of ")[0]] for code in flight.chosen]
    choices = flying.choices(before, shown, fleet, [*earlier, *rows])
    return [choice for choice in choices if choice.code not in flight.chosen and choice.row not in rows]


def undo_maneuver(ship: Ship, stood: Stood) -> Ship:
    changed: dict[str, Any] = {field.name: getattr(stood, field.name) for field in fields(Stood)}
    return replace(ship, **changed)


class Fly(Act):
    """Changes the active ship's maneuver by a card, by the choice's mark."""

    mark: str

    forms = ("fly-{mark}",)
    places: ClassVar[Mapping[str, FormPlace]] = {"mark": FormPlace("[0-9a-f]{8}")}

    def apply(self, on: BoardContext) -> BoardChange:
        match, (ship, flight) = match_or_new(on.table), activating_on(on)
        choice = next((item for item in fly_choices(on.table, match, ship) if mark(item.code) == self.mark), None)
        if choice is None or flight.stood is None:
            message = N_("{ship} has done something else since, so its maneuver can't change.")
            raise NotAllowedNowError(Text(message, ship=ship.name))
        before = {**on.table, ship.name: undo_maneuver(ship, flight.stood)}
        run = verbs.Run(before, choice.holder.name, choice.row.card, on.rng, (ship.name,))
        verbs.pay(run, choice.row.cost)
        known = {row.key: row for row in flying.rows()}
        rows = [known[code.partition(" of ")[0]] for code in flight.chosen]
        earlier = [replace(choice, row=row) for row in rows]
        dial = choice.base.code if choice.row.sets_dial else flight.dial
        course = moments.Course(run.table, on.rng)
        fly_ship(course, run.fleet[ship.name], choice.base, dial, [*earlier, choice])
        run.changed |= course.changes
        run.name = ship.name
        after = [verbs.read_deed(words).apply(run) for words in choice.row.then]
        if after and (now := run.fleet[ship.name]).flight is not None:
            run.set(replace(now, flight=replace(now.flight, stood=None)))
        said = Sentences([choice.says, *course.said, *after], ". ")
        return BoardChange(run.changed, Text("changes {ship}'s maneuver. {what}", ship=ship.name, what=said))


def check_turn(match: Match, fleet: Fleet, ship: Ship, *, is_anyway: bool) -> None:
    """Raise ``PlayerError`` for a ship that does not activate now."""
    if match.phase is Phase.PLANNING:
        raise NotAllowedNowError(
            Text("Not everyone is ready yet, so dials can't be revealed. The board shows who is still planning.")
        )
    if match.phase in LATE:
        raise NotAllowedNowError(Text("The Engagement Phase has begun, so no more dials can be revealed this round."))
    refusals = {
        N_("{ship} is destroyed, so its dial stays hidden."): ship.destroyed,
        N_("{ship} is docked, so its dial stays hidden."): bool(ship.docked),
    }
    refuse(refusals, ship=ship.name)
    if ship.flight is not None:
        raise NotAllowedNowError(Text("{ship} has already revealed its dial this round.", ship=ship.name))
    now = matches.activating_ships(match, fleet)
    if ship.name not in [item.name for item in now] and not is_anyway:
        message = N_("{ship} has initiative {initiative}, but {names} must reveal first.")
        names = Names([item.name for item in now], "or")
        raise NotAllowedNowError(Text(message, ship=ship.name, initiative=ship.turn, names=names))


# Board offers


def table_offers(table: Table) -> list[Offer]:
    """Offer planning in the Planning Phase, and whether this match has dials."""
    match, fleet = match_or_new(table), ships_of(table)
    if match.phase is not Phase.PLANNING or not planners(match, fleet):
        return []
    on = Offer(DIALS_ON, OWNER, Text("Play with dials"), rank=ButtonRank.ASIDE)
    off = Offer(DIALS_OFF, OWNER, Text("Play without dials"), rank=ButtonRank.ASIDE)
    offs = [] if plans_of(table, match) else [off]
    if match.dials == "off":
        return [on]
    is_asked = match.dials == "on" or (match.round == 1 and len({ship.owner for ship in fleet.values()} - {0}) > 1)
    rank = ButtonRank.LEADS if match.dials == "on" else ButtonRank.PLAIN if is_asked else ButtonRank.ASIDE
    return [Offer("plan", OWNER, Text("Plan"), then=AfterOffer.PLANS, rank=rank), *offs]


def offers(table: Table, ship: Ship) -> list[Offer]:
    """Offer a ship's activation, and the same player's next dial."""
    match, fleet = match_of(table), ships_of(table)
    if match is None:
        return []
    has_dials = matches.uses_dials(table)
    result = dock_offers(match, fleet, ship, options_of(ship, fleet) if has_dials else ())
    if not has_dials or match.phase not in (Phase.SYSTEM, Phase.ACTIVATION):
        return result
    result += informant_offers(table, match, ship)
    if match.active == ship.name and ship.activation is not None:
        choices = fly_choices(table, match, ship)
        result += [Offer(Fly(mark(item.code)), game.only_player(item.holder.owner), item.says) for item in choices]
        result += own_activation(match, fleet, ship, ship.activation)
    now = matches.activating_ships(match, fleet)
    own = sorted((item.name for item in now if item.owner == ship.owner), key=ship.name.__ne__)
    for name in own[:MAX_REVEALS]:
        label = Text("Reveal {ship}", ship=Name(name))
        result.append(Offer(reveal_of(name), OWNER, label, then=OpensPlace(name), rank=ButtonRank.LEADS))
        result += reveal_and_act(fleet, fleet[name], ship) if name == own[0] else []
    return [*result, *other_reveals(ship, is_next=ship in now)]


def other_reveals(ship: Ship, *, is_next: bool) -> list[Offer]:
    """Offer a reveal before its turn, or of a maneuver that cards replace by hand."""
    dial = dials.dial_of(ship)
    is_early = bool(dial) and not is_next
    if ship.flight is not None or ship.destroyed or ship.docked or not (is_early or flying.not_counted(ship)):
        return []
    others = (Option(maneuver.code, maneuver_text(maneuver)) for maneuver in dial)
    every = (Option(DIAL, Text("As its dial shows")), *others)
    label = Text("Reveal out of order…") if is_early else Text("Reveal, but execute another maneuver…")
    form = (Field(FLIES, Text("Its maneuver"), options=every, value=DIAL),)
    return [Offer("reveal-other", OWNER, label, Fill(form, ship.name), OpensPlace(ship.name), ButtonRank.ASIDE)]


ACTION: Final = "action"
"""Keys of an opened dial's form: the action after the maneuver; ``TARGET``: its lock's."""
TARGET: Final = "target"


def reveal_and_act(fleet: Fleet, ship: Ship, shown: Ship) -> list[Offer]:
    """The reveal of a dial and the action after it in one press: focus, evade, a lock; ``shown``: the selected ship."""
    result, is_shown = list[Offer](), ship.name == shown.name
    for kind, label in GIVEN.items():
        message = N_("Reveal · {action}") if is_shown else N_("Reveal {ship} · {action}")
        said = Text(message, action=label, ship=Name(ship.name))
        opens = OpensPlace(ship.name, ((ACTION, kind),))
        result.append(Offer(f"{reveal_of(ship.name)}-{kind}", OWNER, said, then=opens))
    foes = [item for item in order(fleet) if item.owner != ship.owner and not (item.destroyed or item.docked)]
    if foes:
        field = Field(TARGET, Text("What to lock"), options=tuple(Option(foe.name, foe.name) for foe in foes))
        then, key = OpensPlace(ship.name, ((ACTION, "lock"),)), f"{reveal_of(ship.name)}-lock"
        message = N_("Reveal · Lock…") if is_shown else N_("Reveal {ship} · Lock…")
        result.append(Offer(key, OWNER, Text(message, ship=Name(ship.name)), Fill((field,), ship.name), then))
    return result


def take_action(course: moments.Course, name: str, action: str, target: str) -> None:
    """Let a ship take an action after its maneuver, unless it can't, and say so; ``target``: of its lock."""
    table = course.table
    match, ship = match_or_new(table), ships_of(table)[name]
    if is_barred(match, ship, action):
        course.said.append(Text("{ship} takes no action: {why}", ship=ship.name, why=why_no_action(ship) or EMPTY))
        return
    ship = replace(ship, flight=replace(ship.flight or Flight(), has_acted=True))
    course.changes[name] = ship
    if action == "lock":
        course.changes |= ships.lock(ships_of(course.table), name, target)
        course.said.append(Text("It locks {target}", target=Name(target)))
    else:
        course.changes[name] = give(ship, action, 1)
        course.said.append(Text("It takes {token}", token=TOKENS[action].count_text(1)))
    course.after_action(name, action)


def informant_offers(table: Table, match: Match, ship: Ship) -> list[Offer]:
    """Offer a card's look at one enemy dial in the System Phase; the same player may look again."""
    cards = [upgrade.name for upgrade in ship.card.upgrades if upgrade.id in LOOKS]
    if not cards or match.phase is not Phase.SYSTEM or ship.docked:
        return []
    enemies = [plan for plan in plans_of(table, match) if plan.owner != ship.owner]
    seen = [of for enemy in enemies for of, by in enemy.looked if by == ship.owner]
    there = [of for enemy in enemies for of in enemy.closed_places if of in ships_of(table)]
    options = tuple(Option(of, Name(of)) for of in there if len(seen) < len(cards) or of in seen)
    if not options:
        return []
    label, field = Text("Look at a dial ({card})", card=Names(cards)), Field(game.OF, Text("Ship"), options=options)
    return [Offer("listen", OWNER, label, Fill((field,), ship.name), AfterOffer.LOOKS)]


def reveal_of(name: str) -> str:
    """Return the key of a ship's reveal, which names it so that no old button opens another."""
    return f"reveal-{mark(name)}"


def own_activation(match: Match, fleet: Fleet, ship: Ship, flight: Flight) -> list[Offer]:
    """Offer the activating ship's overlaps, and the red action after one."""
    if not flight.maneuver:
        field = Field(FLIES, Text("Its maneuver"), options=options_of(ship, fleet))
        others = sorted({item.owner for item in fleet.values() if item.owner not in (0, ship.owner)})
        label, player = Text("Choose {ship}'s maneuver", ship=Name(ship.name)), others[0] if others else 0
        return [Offer(RULE_DIAL, game.only_player(player), label, Fill((field,), ship.name))]
    if flight.skips:
        kinds = {"focus": Text("Focus (red)"), "calculate": Text("Calculate (red)")}
        return [Offer(RedAction(kind), OWNER, label) for kind, label in kinds.items()] if flight.may else []
    overlaps = {"friend": Text("Overlaps a friendly ship"), "enemy": Text("Overlaps an enemy")}
    overlaps = {"any": Text("Overlaps a ship")} if match.ruleset == "2.0" else overlaps
    return [Offer(OverlapShip(what), OWNER, label) for what, label in overlaps.items()]


def with_dials(table: Table, word: str) -> BoardChange:
    """Play this match with dials (``on``) or without (``off``)."""
    match = match_or_new(table)
    if word == "on":
        return BoardChange({MATCH: replace(match, dials="on")}, Text("plays with dials"))
    if plans_of(table, match):
        message = N_(
            "Somebody is ready, so the dials of round {round} stay. Play without dials from the next round on."
        )
        raise PlayerError(Text(message, round=match.round))
    return BoardChange({MATCH: replace(match, dials="off")}, Text("plays without dials"))


DIALS_ON: Final = PlainAct("dials-on", lambda on: with_dials(on.table, "on"))
DIALS_OFF: Final = PlainAct("dials-off", lambda on: with_dials(on.table, "off"))


def activating_on(on: BoardContext) -> tuple[Ship, Flight]:
    """Return the activating ship with its flight. Raises ``NotOfferedError`` for another."""
    ship = ships_of(on.table)[on.name]
    if ship.flight is None:
        raise NotOfferedError
    return ship, ship.flight


def rule_dial(on: BoardContext) -> BoardChange:
    """Let the opponent set an unplanned ship's maneuver."""
    ship, _ = activating_on(on)
    done = flying.execute(ship, dials.read(on.filled.get(FLIES, "")), "2.0", ships_of(on.table))
    after = replace(done.ship, flight=replace(done.flight, dial="", why="forgotten"))
    what = Text("chooses {ship}'s maneuver: {maneuver}", ship=ship.name, maneuver=done.maneuver.text)
    return BoardChange({ship.name: after}, Sentences([what, *done.lines], ". "))


RULE_DIAL: Final = PlainAct("rule-dial", rule_dial)


class RedAction(Act):
    """The only action after overlapping an enemy."""

    kind: str

    forms = ("red-{kind}",)
    places: ClassVar[Mapping[str, FormPlace]] = {"kind": FormPlace("focus|calculate")}

    def apply(self, on: BoardContext) -> BoardChange:
        ship, flight = activating_on(on)
        after = replace(dials.gain_stress(give(ship, self.kind, 1)), flight=replace(flight, may=False))
        what = Text("performs a red {action} action with {ship}", action=term(self.kind), ship=ship.name)
        course = moments.Course(on.table, on.rng, {ship.name: after})
        return course.after_action(ship.name, self.kind, "red").board_change(what)


class OverlapShip(Act):
    """A ship overlaps another one: its player's (``friend``), an ``enemy``, or ``any``."""

    whom: str

    forms = ("overlap-{whom}",)
    places: ClassVar[Mapping[str, FormPlace]] = {"whom": FormPlace("friend|enemy|any")}

    def apply(self, on: BoardContext) -> BoardChange:
        ship, flight = activating_on(on)
        if flight.partly is not None:  # cards' effects of full execution are undone
            ship = undo_maneuver(ship, flight.partly)
        is_enemy = self.whom == "enemy"
        may = is_enemy and not ship.has("stress")
        then = Text("It may only focus or calculate, as a red action") if may else Text("It skips its action")
        course, flight = moments.Course(on.table, on.rng, {ship.name: ship}), replace(flight, stood=None, partly=None)
        message = N_("overlaps an enemy with {ship}") if is_enemy else N_("overlaps a ship with {ship}")
        what = Text(message, ship=ship.name)
        if self.whom == "friend":
            hazard = obstacles.find_hazard("friendly ship")
            happened = ship_damage.obstacle(course.table, ship.name, hazard, on.rng)
            message = N_("overlaps a friendly ship with {ship}. {came}")
            what = Text(message, ship=ship.name, came=ship_damage.result_text(happened))
            course.changes |= happened.changes
        after = replace(course.changes[ship.name], flight=replace(flight, skips="overlap", may=may))
        course.changes[ship.name] = after
        return course.act_alone(moments.PARTLY, ship.name).board_change(what, then)


def is_barred(match: Match | None, ship: Ship, action: str) -> bool:
    """Whether a ship can't take an action after its maneuver."""
    flight = ship.flight
    if match is None or flight is None or not flight.maneuver or match.active != ship.name or match.phase in LATE:
        return False
    is_stuck = flight.skips or flight.is_done_acting or (ship.has("stress") and not {action, "any"} & {*may_act(ship)})
    return bool(is_stuck) or action not in (only_actions(ship) or (["focus"] if flight.why == "ion" else [action]))


def why_no_action(ship: Ship) -> Text | None:
    """Return why a ship takes no action after its maneuver, or what its only one is; None if unrestricted."""
    flight = ship.flight
    if flight is None or not flight.maneuver:
        return None
    if flight.skips:
        return Text("only a red focus or calculate") if flight.may else Text("no action: it overlapped a ship")
    if flight.is_done_acting:
        return Text("no action: its card says so")
    if ship.has("stress") and "any" not in may_act(ship):
        return Text("no action: it is stressed")
    if only := only_actions(ship):
        return Text("only {actions}: its damage card says so", actions=Names(map(verbs.action_named, only), "or"))
    return Text("only focus: it is ionized") if flight.why == "ion" else None


# Docking: a small ship is carried by another of its player, and deploys in a System Phase. While docked it is off the
# mat:
# it sets no dial, does not activate or engage, and can't be attacked. A deploying ship executes a maneuver, and has
# activated for this round. Source: rules page, System Phase.

CARRIED: Final[Mapping[str, tuple[str, ...]]] = {
    "vcx100lightfreighter": ("attackshuttle", "sheathipedeclassshuttle"),
    "yv666lightfreighter": ("z95af4headhunter",),
    "customizedyt1300lightfreighter": ("escapecraft",),
    "syliureclasshyperspacering": ("delta7aethersprite", "eta2actis", "nimbusclassvwing"),
}
"""Ships that may dock on others, by ship id: Ghost, Hound's Tooth, Lando's Millennium Falcon, a docking ring."""
SMALL: Final = frozenset(item for carried in CARRIED.values() for item in carried)


def carriers(fleet: Fleet, ship: Ship) -> list[Ship]:
    """Return its player's ships on which it may dock: each carries one."""
    if not ship.pilot or ship.card.ship_id not in SMALL:
        return []
    taken = {item.docked for item in fleet.values()}
    own = [item for item in order(fleet) if item.owner == ship.owner and not item.destroyed and item.name not in taken]
    return [item for item in own if item.pilot and ship.card.ship_id in CARRIED.get(item.card.ship_id, ())]


def dock_offers(match: Match, fleet: Fleet, ship: Ship, maneuvers: tuple[Option, ...]) -> list[Offer]:
    """Offer docking or deploying, before ships engage; ``maneuvers``: for deploying, () without dials."""
    if not ship.pilot or ship.card.ship_id not in SMALL or match.phase in LATE or ship.destroyed:
        return []
    if ship.docked and (match.phase is Phase.SYSTEM or not maneuvers):
        fields = (Field(FLIES, Text("Its maneuver"), options=maneuvers),) if maneuvers else ()
        label = Text("Deploy {ship}", ship=ship.name)
        rank = ButtonRank.PLAIN if maneuvers else ButtonRank.ASIDE
        return [Offer(DEPLOY, OWNER, label, game.form_or_press(fields, ship.name), rank=rank)]
    if ship.docked or ship.flight is not None or not (able := carriers(fleet, ship)):
        return []
    fields = (Field("on", Text("Carrier"), options=tuple(Option(item.name, item.name) for item in able)),)
    label = Text("Dock {ship}", ship=ship.name)
    return [Offer(DOCK, OWNER, label, Fill(fields, ship.name), rank=ButtonRank.ASIDE)]


def dock(on: BoardContext) -> BoardChange:
    fleet = ships_of(on.table)
    ship, carrier = fleet[on.name], find(fleet, on.filled.get("on", ""))
    what = Text("docks {ship} on {carrier}", ship=ship.name, carrier=carrier.name)
    return BoardChange(ships.dock(fleet, ship, carrier.name), what)


def deploy(on: BoardContext) -> BoardChange:
    """Deploy a ship, with a maneuver if one was requested."""
    table, ship, flies = on.table, ships_of(on.table)[on.name], on.filled.get(FLIES, "")
    match, carrier = match_or_new(table), Name(ship.docked)
    ended = matches.end_activation(match, ships_of(table)) if flies else {}
    freed = ships.dock(ships.apply_piece_changes(ships_of(table), ended), ship)
    if not flies:
        return BoardChange(freed, Text("deploys {ship} from {carrier}", ship=ship.name, carrier=carrier))
    course = moments.Course(table, on.rng, {**ended, **freed, MATCH: replace(match, active=ship.name)})
    flown = fly_ship(course, freed[ship.name], dials.read(flies), "")
    message = N_("deploys {ship} from {carrier}: {maneuver}")
    return course.board_change(Text(message, ship=ship.name, carrier=carrier, maneuver=flown.text))


DOCK: Final = PlainAct("dock", dock)
DEPLOY: Final = PlainAct("deploy", deploy)


# Tokens and locks of a player's ships before they engage: one form with a group of checkboxes per ship

BOXES: Final = "of-"
"""Key prefix of a ship's checkboxes; its name's mark follows."""
LOCK: Final = "lock-"
GIVEN: Final = {"focus": Text("Focus"), "evade": Text("Evade")}
"""The most frequent action tokens, with their own buttons."""


def mark(name: str) -> str:
    return f"{crc32(name.encode()):08x}"


def prepare_offer(own: Sequence[Ship], foes: Sequence[Ship], rank: ButtonRank) -> Offer:
    """Return these ships' form; ``foes`` can be locked."""
    fields = tuple(
        Field(f"{BOXES}{mark(ship.name)}", Name(ship.name), required=False, options=boxes(ship, foes), several=True)
        for ship in own[:MAX_FIELDS]
    )
    return Offer(PREPARES, OWNER, Text("Tokens and locks"), Fill(fields), rank=rank)


def boxes(ship: Ship, foes: Sequence[Ship]) -> tuple[Option, ...]:
    """Return a token of each kind with room, and a lock on each enemy."""
    tokens = [Option(kind, label) for kind, label in GIVEN.items() if ship.has(kind) < ships.room(ship, kind)]
    to_lock = [] if is_affected(ship, "ion") else [foe for foe in foes if foe.name not in ship.locks]
    return (*tokens, *(Option(f"{LOCK}{mark(item.name)}", Text("Lock on {ship}", ship=item.name)) for item in to_lock))


def prepare_ships(on: BoardContext) -> BoardChange:
    """Apply the checked tokens and locks of a player's ships. Raises ``PlayerError`` for none, and as ``lock``."""
    fleet, done = ships_of(on.table), list[Shown]()
    now, locks = dict(fleet), {f"{LOCK}{mark(name)}": name for name in fleet}
    own = {f"{BOXES}{mark(name)}": name for name, ship in fleet.items() if ship.owner == fleet[on.name].owner}
    for key, ticked in on.filled.items():
        name = own.get(key, "")
        if not (name and ticked):
            continue
        got = list[Shown]()
        for value in ticked.split(", "):
            if value in GIVEN:
                now[name] = give(now[name], value, 1)
                got.append(TOKENS[value].count_text(1))
            elif target := locks.get(value, ""):
                now = ships.apply_piece_changes(now, ships.lock(now, name, target))
                got.append(Text("a lock on {ship}", ship=Name(target)))
        done.append(Text("{ship} gets {tokens}", ship=Name(name), tokens=Names(got)))
    if not done:
        raise PlayerError("Nothing was selected. Press again and select what your ships get.")
    changes = {name: ship for name, ship in now.items() if ship != fleet.get(name)}
    return BoardChange(changes, Text("prepares: {ships}", ships=Names(done)))


PREPARES: Final = PlainAct("prepare", prepare_ships)
STEPS: Final = (DIALS_ON, DIALS_OFF, RULE_DIAL, Fly, RedAction, OverlapShip, DOCK, DEPLOY, PREPARES)
