"""The phases of a Player Turn, and what comes before the first one (rules page, The Player Turn, sections 1, 2 and 4).

The Tactical Phase is the start of a turn: Retreat!, Loss of Lieutenant, Order Count. The States Phase is its end; it
lasts while a roll or an answer of it is due. Each step gives the pieces that change, by name, and a sentence.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.rules.dice import Rng, roll
from bot.rules.errors import PlayerError
from bot.rules.infinity import resolve, saves, states
from bot.rules.infinity import turn as turns
from bot.rules.infinity.told import TOLD
from bot.rules.infinity.trooper import Trooper, find, healed, troopers_of, with_states, wounded
from bot.rules.infinity.turn import TURN, Changes, Fireteam, Table, Turn
from bot.rules.pieces import Done
from bot.rules.text import N_, Message, Name, Names, Sentences, Text

ROLLS_MOST: Final = 20
"""So often a Lieutenant Roll that nobody wins is made again at once."""
TRANSMUTED: Final = "Transmuted"
INITIATIVE, DEPLOYMENT = "initiative", "deployment"


# Before the game


def leader_wip(table: Table, player: int) -> int | None:
    """The WIP of a player's Lieutenant; None where the list names none."""
    leads = (one for one in turns.own(table, player) if one.has("Lieutenant"))
    return next((one.stats["WIP"] for one in leads if "WIP" in one.stats), None)


def begins(table: Table) -> bool:
    """Whether two players are here and nobody has had a turn yet."""
    turn = turns.turn_of(table) or Turn()
    return not turn.is_running and not turn.next and turn.round == 1 and len(turns.owners(table)) == 2


def lieutenant_roll(table: Table, wips: Mapping[int, int], rng: Rng) -> Done:
    """Both Lieutenants roll Face to Face, again where nobody wins. Raises ``PlayerError`` where nobody ever does."""
    (one, a), (two, b) = sorted(wips.items())
    for _ in range(ROLLS_MOST):
        first, second = (int(roll("d20", saves.FACES, 1, rng)[0].face) for _ in range(2))
        result = resolve.face_to_face(resolve.read([first], a, "n5"), resolve.read([second], b, "n5"))
        if result.winner != "nobody":
            break
    else:
        raise PlayerError(Text("Nobody wins the Lieutenant Roll. Press it again."))
    winner = one if result.winner == "a" else two
    turn = replace(turns.turn_of(table) or Turn(), won=winner, first=0, deploys=0, next=0)
    faces = ((first, a), (second, b)) if winner == one else ((second, b), (first, a))
    (high, its), (low, other) = faces
    message = N_("makes the Lieutenant Roll: the winner's {high} (WIP {its}) beats {low} (WIP {other})")
    return Done({TURN: turn}, Text(message, high=high, its=its, low=low, other=other))


def keep(table: Table, player: int, what: str, *, myself: bool) -> Done:
    """A player has kept Initiative or Deployment, and says who is first in it; once both are known the game begins."""
    turn = turns.turn_of(table) or Turn()
    who = player if myself else next((one for one in turns.owners(table) if one != player), player)
    turn = replace(turn, first=who) if what == INITIATIVE else replace(turn, deploys=who)
    turn = replace(turn, next=turn.first) if turn.first and turn.deploys else turn
    sentences = [Text(TOLD[what, "me" if myself else "you"])]
    if turn.next:
        sentences.append(Text("Each player holds one trooper back, with Strategos two; a command token holds one more"))
    return Done({TURN: turn}, Sentences(sentences, ". "))


# The Tactical Phase


def start(table: Table, player: int, *, retreats: bool = False, leads: bool | None = None) -> Done:
    """A player's turn begins: Retreat!, Loss of Lieutenant, Order Count. What changes, and a sentence.

    ``retreats``: the owner says that the army is in Retreat!. ``leads``: whether the Lieutenant is in play, None for
    what the list says. Raises ``PlayerError`` where a turn is running, or the player has no trooper.
    """
    before = turns.turn_of(table) or Turn()
    if before.is_running:
        raise PlayerError(Text("A turn is running already. End it first."))
    if not turns.own(table, player):
        raise PlayerError(Text("You have no trooper here. Add your troopers first, then start your turn."))
    held, players = dict(before.tokens), sorted({*turns.owners(table), player})
    tokens = tuple((one, held.get(one, turns.tokens_at_first(table, one))) for one in players)
    if leads is None:  # a list that had a Lieutenant may have none in play now
        had = any(one.has("Lieutenant") for one in turns.own(table, player))
        leads = not had or bool(turns.lieutenants(table, player))
    loss = retreats or not leads
    fresh = replace(before, next=0, used=0, missed=())
    turn = replace(fresh, active=player, first=before.first or player, tokens=tokens, loss=loss)
    changes = tactical(table, player, retreats=retreats, loss=loss)
    turn = turns.counted(turn, {**table, **changes}, loss=loss, retreats=retreats)
    if retreats:
        turn = replace(turn, loss=False, teams=tuple(team for team in turn.teams if team.owner != player))
    orders = turns.orders_line(turn, begins=True)
    sentences = [Text("begins a turn in round {round}: {orders}", round=turn.round, orders=orders)]
    sentences += [Text("The army is in Retreat!: a standard game ends with this turn")] * retreats
    sentences += [Text("Loss of Lieutenant: all orders are Irregular")] * (loss and not retreats)
    sentences += [Text("Impetuous first: {names}", names=Names(turn.impetuous))] * bool(turn.impetuous)
    return turns.changed(table, turn, Sentences(sentences, ". "), changes)


ARMY: Final = 50
"""Armies are played with 150, 200, 250, 300, 350 or 400 points, and hardly ever all of them are spent."""
EMBRYOS: Final = ("Seed-Embryo", "Shasvastii Seed- Embryo", "Spawn-Embryo")
"""Skills of those who count for Victory Points while they are Unconscious."""


def victory_points(table: Table, player: int) -> tuple[int, int] | None:
    """The points of a player's troopers that are not Null, and of the army; None where no list has said what they cost.

    Costs are private: only their owner is shown any of it. Who of the list is not on the table yet stands.
    """
    mine = [one for one in turns.own(table, player) if not one.is_marker]
    if not any(one.points for one in mine):
        return None
    down = [(one, {*states.NULL} & {*one.states}) for one in mine]
    standing = sum(one.points for one, null in down if not null or (null == {states.UNCONSCIOUS} and one.has(*EMBRYOS)))
    there = sum(one.points for one in mine)
    cost = max(there, *(one.list_points for one in mine))
    return standing + cost - there, -(-cost // ARMY) * ARMY


def tactical(table: Table, player: int, *, retreats: bool, loss: bool) -> Changes:
    """Who comes into Retreat! or out of it, and whose Suppressive Fire ends."""
    mine, changes = turns.own(table, player), Changes()
    inspired = any(one.has("Inspiring Leadership") and turns.gives_order(one) for one in mine)
    for one in mine:
        after = with_states(one, (states.SUPPRESSIVE,), on=False) if loss else one
        runs = retreats and turns.gives_order(one) and not inspired and not one.has(*turns.BRAVE)
        after = with_states(shown(after) if runs else after, (turns.RETREAT,), on=runs)
        if after != one:
            changes[one.name] = after
    return changes


def shown(one: Trooper) -> Trooper:
    """The trooper without its marker states."""
    return with_states(one, tuple(state for state in one.states if states.is_hidden((state,))), on=False)


# The States Phase and the end of a turn


def end(table: Table, leader: str = "") -> Done:
    """The States Phase: what ends by itself ends, and the turn is over unless a roll of it is due.

    Pressed again, whoever has not rolled does not. ``leader``: the new Lieutenant after a Loss, told to nobody.
    Raises ``PlayerError`` where no turn is running.
    """
    turn = turns.running(table)
    changes, sentences = new_leader(table, turn, leader), list[Text]()
    if turn.phase == "orders":
        changes, sentences = states_phase({**table, **changes}, turn, changes)
        now = {**table, **changes}
        turn = turns.with_teams(replace(turn, frenzied=(), smoke=()), now)
        turn = replace(turn, due=tuple((what, name) for what, one in DUE.items() for name in one.who(turn, now)))
    message = N_("ends the turn of round {round}")
    if turn.phase == "orders" and turn.due:
        message = N_("begins the States Phase of round {round}")
    after = over(turn, table) if turn.phase == "states" or not turn.due else without_orders(turn, phase="states")
    return turns.changed(table, after, Sentences([Text(message, round=turn.round), *sentences], ". "), changes)


def states_phase(table: Table, turn: Turn, changes: Changes) -> tuple[Changes, list[Text]]:
    """What ends by itself: Stunned, Dogged, Transmutation (WIP), a Frenzy that has triggered."""
    told: dict[str, list[str]] = {what: [] for what in (turns.STUNNED, "Dogged", TRANSMUTED, "Frenzy")}
    for one in sorted(troopers_of(table).values(), key=lambda one: one.name):
        after = one
        if turns.STUNNED in one.states:
            after = with_states(after, (turns.STUNNED,), on=False)
            told[turns.STUNNED].append(one.name)
        if "Dogged" in one.states:
            after = with_states(with_states(after, ("Dogged",), on=False), (states.DEAD,))
            told["Dogged"].append(one.name)
        if TRANSMUTED in one.states and any("WIP" in held.extras for held in one.held if held.name == "Transmutation"):
            after = with_states(after, (TRANSMUTED,), on=False)
            told[TRANSMUTED].append(one.name)
        if one.name in turn.frenzied and not one.has("Impetuous"):
            after = replace(shown(after), skills=(*one.skills, "Impetuous", "Limited Cover"))
            told["Frenzy"].append(one.name)
        if after != one:
            changes[one.name] = after
    return changes, [Text(TOLD[what, "passes"], names=Names(names)) for what, names in told.items() if names]


def regenerating(_: Turn, table: Table) -> tuple[str, ...]:
    """Who may roll for Regeneration."""
    hurt = (one for one in troopers_of(table).values() if one.lost and states.DEAD not in one.states)
    return tuple(sorted(one.name for one in hurt if one.has("Regeneration")))


def reloading(_: Turn, table: Table) -> tuple[str, ...]:
    """Who has used up disposable weapons and an ally with Baggage somewhere."""
    held = troopers_of(table).values()
    bags = {one.owner for one in held if one.has("Baggage") and not set(one.states) & set(states.NULL)}
    return tuple(sorted(one.name for one in held if one.spent and one.owner in bags and turns.gives_order(one)))


def without_orders(turn: Turn, **more: Any) -> Turn:
    """The turn without an order left, and with these other values."""
    gone: dict[str, Any] = dict.fromkeys(("pools", "irregular", "tactical", "impetuous"), ())
    return replace(turn, **gone, lieutenant=0, had_lieutenant=False, paid=None, **more)


def over(turn: Turn, table: Table) -> Turn:
    """Between two turns: the other player is next, after both a round is over."""
    others = [number for number in turns.owners(table) if number != turn.active]
    is_last = turn.active != turn.first or not others
    following = turn.first if is_last else others[0]
    ended = replace(turn, active=0, next=following, round=turn.round + is_last, loss=False, capped=False)
    return without_orders(ended, phase="orders", due=())


def leaders(table: Table, turn: Turn) -> list[Trooper]:
    """Who may be the new Lieutenant after a Loss: no REM, none who is Irregular by profile, nobody who fell."""
    if not turn.loss or not turn.is_running or turn.phase == "states":
        return []
    mine = [one for one in turns.own(table, turn.active) if turns.gives_order(one)]
    return [one for one in mine if one.type != "REM" and not one.has("Irregular")]


def new_leader(table: Table, turn: Turn, name: str) -> Changes:
    """The old Lieutenant is none any more, somebody else is: a skill that only its owner is shown."""
    if not name or name not in [one.name for one in leaders(table, turn)]:
        return {}
    old = (one for one in turns.own(table, turn.active) if one.has("Lieutenant"))
    was: dict[str, Trooper] = {one.name: led(one, on=False) for one in old}
    return {**was, name: led(was.get(name, find(troopers_of(table), name)), on=True)}


def led(one: Trooper, *, on: bool) -> Trooper:
    rest = tuple(skill.text for skill in one.held if skill.name != "Lieutenant")
    return replace(one, skills=(*rest, "Lieutenant") if on else rest)


def regenerate(table: Table, name: str, rng: Rng) -> Done:
    """A PH roll: a Wound comes back, failed, one more is lost."""
    turn, one = turns.running(table), find(troopers_of(table), name)
    extras = [extra for held in one.held if held.name == "Regeneration" for extra in held.extras]
    value = next((int(extra[3:]) for extra in extras if extra[:3].upper() == "PH="), one.stats.get("PH", 0))
    face = int(roll("d20", saves.FACES, 1, rng)[0].face)
    passed = face <= value
    after = healed(one) if passed else wounded(one, 1)
    message = N_("{name} regenerates: {face} with PH {value}, a Wound comes back")
    message = message if passed else N_("{name} does not regenerate: {face} with PH {value}, one more Wound")
    told = Text(message, name=Name(name), face=face, value=value)
    return turns.changed(table, without_due(turn, REGENERATE, name), told, {name: after})


def reload(table: Table, name: str, rng: Rng) -> Done:  # noqa: ARG001 - no dice
    """All disposable weapons have their uses back, but those that cannot be reloaded."""
    turn, one = turns.running(table), find(troopers_of(table), name)
    lasting = {weapon.name for weapon in one.weapons if "non-reloadable" in weapon.traits}
    left = tuple(used for used in one.spent if used in lasting)
    after = replace(with_states(one, ("Unloaded",), on=False), spent=left)
    told = Text("{name} has its disposable weapons back", name=Name(name))
    return Done({name: after, TURN: without_due(turn, RELOAD, name)}, told)


def rejoin(table: Table, name: str, rng: Rng) -> Done:  # noqa: ARG001 - no dice
    """Somebody who is in Coherency again is in its Fireteam again."""
    turn, teams = turns.running(table), list[Fireteam]()
    for team in turn.teams:
        left = tuple(one for one in team.left if one != name)
        teams.append(team if left == team.left else replace(team, members=(*team.members, name), left=left))
    turn = replace(without_due(turn, REJOIN, name), teams=tuple(teams))
    return turns.changed(table, turn, Text("{name} is in its Fireteam again", name=Name(name)))


@dataclass(frozen=True, slots=True)
class Due:
    """A roll or an answer of the States Phase: its label, who may, and what comes of it."""

    label: Message
    who: Callable[[Turn, Table], Iterable[str]]
    step: Callable[[Table, str, Rng], Done]


REGENERATE, RELOAD, REJOIN = "regenerate", "reload", "rejoin"
DUE: Final[Mapping[str, Due]] = {
    REGENERATE: Due(N_("Regeneration: {name}"), regenerating, regenerate),
    RELOAD: Due(N_("Baggage near {name}"), reloading, reload),
    REJOIN: Due(N_("{name} rejoins its Fireteam"), turns.may_rejoin, rejoin),
}
"""In the order of the rules page."""


def without_due(turn: Turn, what: str, name: str) -> Turn:
    return replace(turn, due=tuple(one for one in turn.due if one != (what, name)))
