"""The phases of a Player Turn, and those before the first (rules page, The Player Turn, sections 1, 2 and 4).

The Tactical Phase starts a turn: Retreat!, Loss of Lieutenant, Order Count. The States Phase ends it, lasting while one
of its tasks is due. Steps return the changed pieces by name, and a sentence.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.rules.dice import Rng, roll
from bot.rules.errors import PlayerError
from bot.rules.infinity.dice import resolve, saves
from bot.rules.infinity.troopers import states
from bot.rules.infinity.troopers.messages import TOLD
from bot.rules.infinity.troopers.trooper import Trooper, find, heal, troopers_of, with_states, wound
from bot.rules.infinity.turn import player_turn as turns
from bot.rules.infinity.turn.player_turn import TURN, Changes, Fireteam, PlayerTurn, Table
from bot.rules.pieces import BoardChange
from bot.rules.text import N_, Message, Name, Names, Sentences, Text

MAX_ROLLS: Final = 20
"""Maximum immediate rerolls of a tied Lieutenant Roll."""
TRANSMUTED: Final = "Transmuted"
INITIATIVE, DEPLOYMENT = "initiative", "deployment"


# Before the game


def leader_wip(table: Table, player: int) -> int | None:
    leads = (trooper for trooper in turns.own_troopers(table, player) if trooper.has("Lieutenant"))
    return next((lead.stats["WIP"] for lead in leads if "WIP" in lead.stats), None)


def begins(table: Table) -> bool:
    """Whether two players are here and no turn has begun."""
    turn = turns.turn_of(table)
    return not turn.is_running and not turn.next and turn.round == 1 and len(turns.list_owners(table)) == 2


def lieutenant_roll(table: Table, wips: Mapping[int, int], rng: Rng) -> BoardChange:
    """Roll both Lieutenants Face to Face until one wins. Raises ``PlayerError`` if neither can."""
    (item, a), (two, b) = sorted(wips.items())
    for _ in range(MAX_ROLLS):
        first, second = (int(roll("d20", saves.FACES, 1, rng)[0].face) for _ in range(2))
        result = resolve.face_to_face(resolve.read([first], a, "n5"), resolve.read([second], b, "n5"))
        if result.winner != "nobody":
            break
    else:
        raise PlayerError(Text("Nobody wins the Lieutenant Roll. Press again to reroll."))
    winner = item if result.winner == "a" else two
    turn = replace(turns.turn_of(table), won=winner, first=0, deploys=0, next=0)
    faces = ((first, a), (second, b)) if winner == item else ((second, b), (first, a))
    (high, its), (low, other) = faces
    message = N_("makes the Lieutenant Roll: the winner's {high} (WIP {its}) beats {low} (WIP {other})")
    return BoardChange({TURN: turn}, Text(message, high=high, its=its, low=low, other=other))


def keep(table: Table, player: int, what: str, *, myself: bool) -> BoardChange:
    """Choose Initiative or Deployment and its first player; with both chosen the game begins."""
    turn = turns.turn_of(table)
    who = player if myself else next((owner for owner in turns.list_owners(table) if owner != player), player)
    turn = replace(turn, first=who) if what == INITIATIVE else replace(turn, deploys=who)
    turn = replace(turn, next=turn.first) if turn.first and turn.deploys else turn
    sentences = [Text(TOLD[what, "me" if myself else "you"])]
    if turn.next:
        held = Text("Each player holds back one trooper, two with Strategos; a Command Token holds back one more")
        sentences.append(held)
    return BoardChange({TURN: turn}, Sentences(sentences, ". "))


# The Tactical Phase


def start(table: Table, player: int, *, retreats: bool = False, leads: bool | None = None) -> BoardChange:
    """Begin a player's turn: Retreat!, Loss of Lieutenant, Order Count.

    ``retreats``: the owner declares Retreat!. ``leads``: whether the Lieutenant is in play, None to infer it. Raises
    ``PlayerError`` during a turn, or without a trooper.
    """
    before = turns.turn_of(table)
    if before.is_running:
        raise PlayerError(Text("A turn is already running. End it first."))
    if not turns.own_troopers(table, player):
        raise PlayerError(Text("You have no troopers here. Add your troopers first, then start your turn."))
    held, players = dict(before.tokens), sorted({*turns.list_owners(table), player})
    tokens = tuple((item, held.get(item, turns.tokens_at_first(table, item))) for item in players)
    if leads is None:  # a list's Lieutenant may be out of play
        had = any(trooper.has("Lieutenant") for trooper in turns.own_troopers(table, player))
        leads = not had or bool(turns.lieutenants(table, player))
    loss = retreats or not leads
    fresh = replace(before, next=0, used=0, missed=())
    turn = replace(fresh, active=player, first=before.first or player, tokens=tokens, loss=loss)
    changes = tactical(table, player, retreats=retreats, loss=loss)
    turn = turns.count_orders(turn, {**table, **changes}, loss=loss, retreats=retreats)
    if retreats:
        turn = replace(turn, loss=False, teams=tuple(team for team in turn.teams if team.owner != player))
    orders = turns.orders_line(turn, begins=True)
    sentences = [Text("starts a turn in round {round}: {orders}", round=turn.round, orders=orders)]
    sentences += [Text("The army is in Retreat!: a standard game ends with this turn")] * retreats
    sentences += [Text("Loss of Lieutenant: all orders are Irregular")] * (loss and not retreats)
    sentences += [Text("Impetuous first: {names}", names=Names(turn.impetuous))] * bool(turn.impetuous)
    return turns.step_to(table, turn, Sentences(sentences, ". "), changes)


ARMY: Final = 50
"""Army sizes are 150, 200, 250, 300, 350, or 400 points, rarely fully spent."""
EMBRYOS: Final = ("Seed-Embryo", "Shasvastii Seed- Embryo", "Spawn-Embryo")
"""Skills that earn Victory Points while Unconscious."""


def victory_points(table: Table, player: int) -> tuple[int, int] | None:
    """Return the points of a player's non-Null troopers, and of the army; None if unknown. Costs are private to their
    owner. List troopers not yet on the table count.
    """
    mine = turns.own_models(table, player)
    if not any(trooper.points for trooper in mine):
        return None
    down = [(trooper, {*states.NULL} & {*trooper.states}) for trooper in mine]
    standing = sum(
        trooper.points for trooper, null in down if not null or (null == {states.UNCONSCIOUS} and trooper.has(*EMBRYOS))
    )
    there = sum(trooper.points for trooper in mine)
    cost = max(there, *(trooper.list_points for trooper in mine))
    return standing + cost - there, -(-cost // ARMY) * ARMY


def tactical(table: Table, player: int, *, retreats: bool, loss: bool) -> Changes:
    """Update Retreat!, and end Suppressive Fire."""
    mine, changes = turns.own_troopers(table, player), Changes()
    inspired = any(item.has("Inspiring Leadership") and turns.gives_order(item) for item in mine)
    for trooper in mine:
        after = with_states(trooper, (states.SUPPRESSIVE,), on=False) if loss else trooper
        runs = retreats and turns.gives_order(trooper) and not inspired and not trooper.has(*turns.BRAVE)
        after = with_states(without_markers(after) if runs else after, (turns.RETREAT,), on=runs)
        if after != trooper:
            changes[trooper.name] = after
    return changes


def without_markers(trooper: Trooper) -> Trooper:
    return with_states(trooper, tuple(state for state in trooper.states if states.is_hidden((state,))), on=False)


# The States Phase and the end of a turn


def end_turn(table: Table, leader: str = "") -> BoardChange:
    """Begin the States Phase, and end the turn unless a task is due; pressed again, skip those. ``leader``: the new
    Lieutenant after a Loss, kept secret. Raises ``PlayerError`` outside a turn.
    """
    turn = turns.running_turn(table)
    changes, sentences = new_leader(table, turn, leader), list[Text]()
    if turn.phase == "orders":
        changes, sentences = states_phase({**table, **changes}, turn, changes)
        now = {**table, **changes}
        turn = turns.with_teams(replace(turn, frenzied=(), smoke=()), now)
        turn = replace(turn, due=tuple((what, name) for what, task in DUE.items() for name in task.who(turn, now)))
    message, after = N_("ends the turn of round {round}"), end_player_turn(turn, table)
    if turn.phase == "orders" and turn.due:
        message, after = N_("starts the States Phase of round {round}"), without_orders(turn, phase="states")
    return turns.step_to(table, after, Sentences([Text(message, round=turn.round), *sentences], ". "), changes)


def states_phase(table: Table, turn: PlayerTurn, changes: Changes) -> tuple[Changes, list[Text]]:
    """End expiring states: Stunned, Dogged, Transmutation (WIP), a triggered Frenzy."""
    told: dict[str, list[str]] = {what: [] for what in (turns.STUNNED, "Dogged", TRANSMUTED, "Frenzy")}
    for trooper in sorted(troopers_of(table).values(), key=lambda item: item.name):
        after = trooper
        if turns.STUNNED in trooper.states:
            after = with_states(after, (turns.STUNNED,), on=False)
            told[turns.STUNNED].append(trooper.name)
        if "Dogged" in trooper.states:
            after = with_states(with_states(after, ("Dogged",), on=False), (states.DEAD,))
            told["Dogged"].append(trooper.name)
        if TRANSMUTED in trooper.states and any(
            "WIP" in held.extras for held in trooper.parsed_skills if held.name == "Transmutation"
        ):
            after = with_states(after, (TRANSMUTED,), on=False)
            told[TRANSMUTED].append(trooper.name)
        if trooper.name in turn.frenzied and not trooper.has("Impetuous"):
            after = replace(without_markers(after), skills=(*trooper.skills, "Impetuous", "Limited Cover"))
            told["Frenzy"].append(trooper.name)
        if after != trooper:
            changes[trooper.name] = after
    return changes, [Text(TOLD[what, "passes"], names=Names(names)) for what, names in told.items() if names]


def regenerating_names(_: PlayerTurn, table: Table) -> tuple[str, ...]:
    hurt = (trooper for trooper in troopers_of(table).values() if trooper.lost and states.DEAD not in trooper.states)
    return tuple(sorted(trooper.name for trooper in hurt if trooper.has("Regeneration")))


def reloading_names(_: PlayerTurn, table: Table) -> tuple[str, ...]:
    """Return troopers with spent disposable weapons and an ally with Baggage."""
    held = troopers_of(table).values()
    bags = {trooper.owner for trooper in held if trooper.has("Baggage") and not set(trooper.states) & set(states.NULL)}
    spent = (trooper for trooper in held if trooper.spent and trooper.owner in bags)
    return tuple(sorted(trooper.name for trooper in spent if turns.gives_order(trooper)))


def projecting_names(_: PlayerTurn, table: Table) -> tuple[str, ...]:
    """Return troopers that may project Holoechoes again: a Holoprojector's, as a model."""
    held = (trooper for trooper in troopers_of(table).values() if trooper.has(PROJECTS) and trooper.owner)
    able = (trooper for trooper in held if turns.gives_order(trooper) and not trooper.is_marker)
    return tuple(sorted(trooper.name for trooper in able if not states.is_hidden(trooper.states)))


def without_orders(turn: PlayerTurn, **more: Any) -> PlayerTurn:
    gone: dict[str, Any] = dict.fromkeys(("pools", "irregular", "tactical", "impetuous"), ())
    return replace(turn, **gone, lieutenant=0, had_lieutenant=False, paid=None, **more)


def end_player_turn(turn: PlayerTurn, table: Table) -> PlayerTurn:
    """End a Player Turn: the other player is next, after both a round ends."""
    others = [number for number in turns.list_owners(table) if number != turn.active]
    is_last = turn.active != turn.first or not others
    following = turn.first if is_last else others[0]
    ended = replace(turn, active=0, next=following, round=turn.round + is_last, loss=False, capped=False)
    return without_orders(ended, phase="orders", due=())


def leaders(table: Table, turn: PlayerTurn) -> list[Trooper]:
    """Return candidates for Lieutenant after a Loss: no REM, none Irregular by profile, none down."""
    if not turn.loss or not turn.is_running or turn.phase == "states":
        return []
    mine = [trooper for trooper in turns.own_troopers(table, turn.active) if turns.gives_order(trooper)]
    return [trooper for trooper in mine if trooper.type != "REM" and not trooper.has("Irregular")]


def new_leader(table: Table, turn: PlayerTurn, name: str) -> Changes:
    """Replace the Lieutenant, a skill that only its owner sees."""
    if not name or name not in [leader.name for leader in leaders(table, turn)]:
        return {}
    old = (trooper for trooper in turns.own_troopers(table, turn.active) if trooper.has("Lieutenant"))
    was: dict[str, Trooper] = {trooper.name: with_lieutenant_mark(trooper, on=False) for trooper in old}
    return {**was, name: with_lieutenant_mark(was.get(name, find(troopers_of(table), name)), on=True)}


def with_lieutenant_mark(trooper: Trooper, *, on: bool) -> Trooper:
    rest = tuple(skill.text for skill in trooper.parsed_skills if skill.name != "Lieutenant")
    return replace(trooper, skills=(*rest, "Lieutenant") if on else rest)


def regenerate(table: Table, name: str, rng: Rng) -> BoardChange:
    """Roll PH: success restores a Wound, failure loses one more."""
    turn, trooper = turns.running_turn(table), find(troopers_of(table), name)
    extras = [extra for held in trooper.parsed_skills if held.name == "Regeneration" for extra in held.extras]
    value = next((int(extra[3:]) for extra in extras if extra[:3].upper() == "PH="), trooper.stats.get("PH", 0))
    face = int(roll("d20", saves.FACES, 1, rng)[0].face)
    passed = face <= value
    after = heal(trooper) if passed else wound(trooper, 1)
    message = N_("{name} regenerates: {face} with PH {value}, recovers a Wound")
    message = message if passed else N_("{name} fails to regenerate: {face} with PH {value}, loses another Wound")
    told = Text(message, name=Name(name), face=face, value=value)
    return turns.step_to(table, drop_task(turn, REGENERATE, name), told, {name: after})


def reload(table: Table, name: str, rng: Rng) -> BoardChange:  # noqa: ARG001 - no dice
    turn, trooper = turns.running_turn(table), find(troopers_of(table), name)
    lasting = {weapon.name for weapon in trooper.weapons if "non-reloadable" in weapon.traits}
    left = tuple(used for used in trooper.spent if used in lasting)
    after = replace(with_states(trooper, ("Unloaded",), on=False), spent=left)
    told = Text("{name} regains its Disposable weapons", name=Name(name))
    return BoardChange({name: after, TURN: drop_task(turn, RELOAD, name)}, told)


def rejoin(table: Table, name: str, rng: Rng) -> BoardChange:  # noqa: ARG001 - no dice
    """Return a trooper in Coherency to its Fireteam."""
    turn, teams = turns.running_turn(table), list[Fireteam]()
    for team in turn.teams:
        left = tuple(item for item in team.left if item != name)
        teams.append(team if left == team.left else replace(team, members=(*team.members, name), left=left))
    turn = replace(drop_task(turn, REJOIN, name), teams=tuple(teams))
    return turns.step_to(table, turn, Text("{name} is back in its Fireteam", name=Name(name)))


@dataclass(frozen=True, slots=True)
class PhaseTask:
    """A States Phase task: its label, who may take it, its effect; ``step``: None for figures in a private form."""

    label: Message
    who: Callable[[PlayerTurn, Table], Iterable[str]]
    step: Callable[[Table, str, Rng], BoardChange] | None


REGENERATE, RELOAD, REJOIN, HOLOECHOES = "regenerate", "reload", "rejoin", "holoechoes"
PROJECTS: Final = "Holoprojector"
"""The skill that projects Holoechoes."""
DUE: Final[Mapping[str, PhaseTask]] = {
    REGENERATE: PhaseTask(N_("Regeneration: {name}"), regenerating_names, regenerate),
    RELOAD: PhaseTask(N_("Baggage near {name}"), reloading_names, reload),
    REJOIN: PhaseTask(N_("{name} rejoins its Fireteam"), turns.may_rejoin, rejoin),
    HOLOECHOES: PhaseTask(N_("Holoechoes for {name}"), projecting_names, None),
}
"""The phase's tasks, in the order of the rules page."""


def drop_task(turn: PlayerTurn, what: str, name: str) -> PlayerTurn:
    return replace(turn, due=tuple(item for item in turn.due if item != (what, name)))
