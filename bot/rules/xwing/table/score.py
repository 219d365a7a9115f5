"""The score of a match: what destroyed ships are worth, what people earn on the mat, and when a match is over by it.

It is kept with the match (``match.Match.score``), so each press on it is a step like any other. What a side has is
worked out from the ships that are there, those that have left, and the presses; nothing is added up twice.

Source: see ``scenarios``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.rules.errors import BadInput, Known, PlayerError, Whole
from bot.rules.text import Name, Stored, Text, Words
from bot.rules.xwing.table.scenarios import MINUTES, OTHER, SCENARIOS, SCORING, Objective, Scenario, Scoring
from bot.rules.xwing.table.ship import Ship

POINTS_MOST: Final = 20
"""Of one press, more or less."""
OFTEN: Final = ("1", "2", "3", "-1")
"""Points that forms offer."""
PRESSES_MOST: Final = 200
REASON_MOST: Final = 40

Side = frozenset[int]
"""The numbers of the players of one side."""


@dataclass(frozen=True, slots=True)
class Fallen:
    """A destroyed ship that has left: its name, whose it was, and its points."""

    name: Name
    owner: int
    points: int


@dataclass(frozen=True, slots=True)
class Earned:
    """Points on the mat: the player who earned them, how many, for what, and in which round."""

    player: int
    points: int
    reason: Stored
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """``scenario`` is a key of ``SCENARIOS``, "" for none. ``began`` is the moment at which the clock began, in seconds
    of the epoch, 0 for no clock; it runs for ``minutes``.

    ``winner`` is the number of a player of the side that has won by points, 0 for a tie; None while nobody has.

    ``size``: the points of a whole squad, 0 while no squad and nobody has said. ``end``: so many points end the match,
    ``rounds``: so many rounds do; 0 for never, None for what the ruleset says.
    """

    scenario: str = ""
    size: int = 0
    end: int | None = None
    rounds: int | None = None
    fallen: tuple[Fallen, ...] = ()
    earned: tuple[Earned, ...] = ()
    began: int = 0
    minutes: int = MINUTES
    winner: int | None = None

    @property
    def ends_at(self) -> int:
        """When the clock is over, in seconds of the epoch; 0 for no clock."""
        return self.began + 60 * self.minutes if self.began else 0


NO_SCORE: Final = Score()


@dataclass(frozen=True, slots=True)
class Ends:
    """What ends a match: the ``size`` of its squads, 0 for an unknown one; points, None for an unknown number, and
    rounds, 0 for never.
    """

    size: int
    points: int | None
    rounds: int


def ends(score: Score, ruleset: str, sides: Iterable[Side], fleet: Mapping[str, Ship]) -> Ends:
    """What ends a match: what its people and squads have said, else what the ruleset knows for squads of that size."""
    rules = scoring(ruleset)
    fits = all(squad_points(score, side, fleet) <= rules.squad for side in sides)
    size = score.size or (rules.squad if fits else 0)
    known = 0 if rules.end is None else rules.end if size == rules.squad else None
    last = (rules.rounds or 0) if score.rounds is None else score.rounds
    return Ends(size, known if score.end is None else score.end, last)


def of_size(score: Score, size: int) -> Score:
    """The score of a match to which a squad of this size has come, 0 for one that does not say; the largest counts."""
    return replace(score, size=max(score.size, size))


def with_ends(score: Score, size: int, end: int | None, rounds: int | None) -> Score:
    """The score whose players have said what ends the match; None for what the ruleset says."""
    return replace(score, size=size, end=end, rounds=rounds)


SIZE_MOST: Final = 1000
ROUNDS_MOST: Final = 99


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What one side has, and of what: ``destroyed`` and ``half`` are points of the other side's ships."""

    players: Side
    destroyed: int = 0
    half: int = 0
    deficit: int = 0
    earned: int = 0

    @property
    def total(self) -> int:
        return self.destroyed + self.half + self.deficit + self.earned


def tallies(score: Score, ruleset: str, sides: Sequence[Side], fleet: Mapping[str, Ship]) -> tuple[Tally, ...]:
    """What each side has, in the order of ``sides``. Ships that were destroyed and have come back count as there.

    Destroyed ships and deficits count between two sides; of more nobody knows whom they go to.
    """
    found, size = [], ends(score, ruleset, sides, fleet).size
    for side in sides:
        others = [one for one in sides if one != side]
        earned = sum(one.points for one in score.earned if one.player in side)
        if len(others) != 1:
            found.append(Tally(players=side, earned=earned))
            continue
        (foe,) = others
        ships = [ship for ship in fleet.values() if ship.owner in foe and not ship.is_remote]
        fallen = sum(one.points for one in score.fallen if one.owner in foe and one.name not in fleet)
        found.append(
            Tally(
                players=side,
                destroyed=fallen + sum(ship.points for ship in ships if ship.destroyed),
                half=sum(half_points(score, ruleset, ship) for ship in ships),
                deficit=deficit(score, ruleset, foe, fleet, size),
                earned=earned,
            )
        )
    return tuple(found)


def half_points(score: Score, ruleset: str, ship: Ship) -> int:
    """What a ship gives that has lost at least half of its hull and shields, and is not destroyed."""
    rules, scenario = scoring(ruleset), SCENARIOS.get(score.scenario)
    whole, left = ship.hull + ship.shields, ship.hull_left + ship.shields_left
    counts = rules.halves or (scenario is not None and scenario.halves)
    if not counts or ship.destroyed or 2 * (whole - left) < whole:
        return 0
    return (ship.points + (rules.rounded == "up")) // 2


def deficit(score: Score, ruleset: str, side: Side, fleet: Mapping[str, Ship], size: int) -> int:
    """What the squad of a side lacks of a whole one; 0 where its points are not known.

    Where the size of squads is open, a squad that could be one of the usual size lacks what that has more.
    """
    rules, points = scoring(ruleset), squad_points(score, side, fleet)
    return max(0, (size or rules.squad) - points) if rules.deficit and points else 0


def squad_points(score: Score, side: Side, fleet: Mapping[str, Ship]) -> int:
    """The points of a side's squad, with those of its ships that have left."""
    flying = sum(ship.points for ship in fleet.values() if ship.owner in side)
    return flying + sum(one.points for one in score.fallen if one.owner in side and one.name not in fleet)


def scoring(ruleset: str) -> Scoring:
    return SCORING.get(ruleset, SCORING["2.5"])


def is_used(score: Score, fleet: Mapping[str, Ship]) -> bool:
    """Whether there is a score to speak of: points of ships or on the mat, a scenario, or a clock."""
    is_kept = bool(score.scenario or score.earned or score.began)
    return is_kept or any(one.points for one in score.fallen) or any(one.points for one in fleet.values())


def after_loss(score: Score, gone: Iterable[Ship]) -> Score:
    """The score that remembers destroyed ships as they leave, if they are worth anything."""
    new = tuple(Fallen(ship.name, ship.owner, ship.points) for ship in gone if ship.points)
    return replace(score, fallen=(*score.fallen, *new)) if new else score


def earn(score: Score, player: int, points: int, reason: Words, round_: int) -> Score:
    """The score after points on the mat. Raises ``PlayerError`` for no points, too many, or too many presses."""
    if not points or abs(points) > POINTS_MOST:
        raise BadInput("points", points, Whole(-POINTS_MOST, POINTS_MOST, Text("Use 1 to 20 points, or -1 to -20.")))
    if len(score.earned) >= PRESSES_MOST:
        raise PlayerError(Text("This match has {most} presses for points; that is all I keep.", most=PRESSES_MOST))
    return replace(
        score,
        earned=(
            *score.earned,
            Earned(player, points, reason if isinstance(reason, Text) else Name(reason[:REASON_MOST]), round_),
        ),
    )


def choose_scenario(score: Score, key: str) -> Score:
    """The score under another scenario; "" for none. Raises ``BadInput`` for one that nobody knows."""
    if key and key not in SCENARIOS:
        raise BadInput("scenario", key, Known(tuple(SCENARIOS)))
    return replace(score, scenario=key)


def scenario_of(score: Score) -> Scenario | None:
    return SCENARIOS.get(score.scenario)


def objectives(score: Score) -> tuple[Objective, ...]:
    """What points can be pressed for: those of the scenario, then any other reason."""
    scenario = scenario_of(score)
    return (*(scenario.objectives if scenario is not None else ()), OTHER)


def with_carried(score: Score, fleet: Mapping[str, Ship], round_: int) -> Score:
    """The End Phase of a scenario whose objects are carried: 1 point for each that a ship has."""
    scenario = scenario_of(score)
    if scenario is None or not scenario.carried or round_ < scenario.since:
        return score
    carried: dict[int, int] = {}
    for ship in fleet.values():
        if ship.owner and not ship.destroyed and ship.has(scenario.carried):
            carried[ship.owner] = carried.get(ship.owner, 0) + ship.has(scenario.carried)
    reason = scenario.objectives[0].name
    for player, count in sorted(carried.items()):
        score = earn(score, player, count, reason, round_)
    return score


def decided(
    score: Score, ruleset: str, sides: Sequence[Side], fleet: Mapping[str, Ship], round_: int, *, at_once: bool = False
) -> int | None:
    """Who has won at the end of a round, or ``at_once``: the number of a player of that side, 0 for a tie, else None.

    A lead with at least as many points as end a match ends it, and its last round does.
    """
    last, found = ends(score, ruleset, sides, fleet), sorted(tallies(score, ruleset, sides, fleet), key=most_first)
    if len(found) < 2 or not is_used(score, fleet):
        return None
    first, second = found[0].total, found[1].total
    is_last = bool(last.rounds) and round_ >= last.rounds
    has_won = bool(last.points) and first >= (last.points or 0) and first > second
    if not (at_once or is_last or has_won):
        return None
    return min(found[0].players) if first > second else 0


def most_first(tally: Tally) -> int:
    return -tally.total


def fresh(score: Score) -> Score:
    """The score of a rematch: the same scenario and end, nothing earned, and a clock that nobody has begun."""
    return replace(score, fallen=(), earned=(), began=0, winner=None)


def start_clock(score: Score, now: int, minutes: int = MINUTES) -> Score:
    """The clock begins. Raises ``PlayerError`` if it runs already."""
    if score.began:
        raise PlayerError(Text("The clock runs already. Stop it first, or take its start back."))
    return replace(score, began=now, minutes=minutes)


def stop_clock(score: Score) -> Score:
    """There is no clock. Raises ``PlayerError`` if none runs."""
    if not score.began:
        raise PlayerError(Text("No clock runs here. Start one first."))
    return replace(score, began=0)
