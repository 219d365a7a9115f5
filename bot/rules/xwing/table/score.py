"""The score of a match: points for destroyed ships and objectives, and when they end the match.

Stored with the match (``match.Match.score``), so each press on it is an ordinary step. Totals are computed from present
and lost ships and presses.

Source: Scenarios for standard play, Atomic Mass Games, in force since 1 August 2022 (ruleset 2.5), in our own words;
the rules reference of that ruleset (page 15) for half points, which are rounded down; the tournament regulations of
ruleset 2.0, where they are rounded up. Players enter objective points; the bot counts only what ships carry.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from bot.rules.data_tables import FOLDER
from bot.rules.errors import AllowedWords, BadInputError, PlayerError, WholeNumber
from bot.rules.game import Field, Option
from bot.rules.phrase_parser import number
from bot.rules.text import Name, Numeral, Shown, Stored, Text
from bot.rules.xwing.table.ship import Ship

MAX_POINTS: Final = 20
"""Maximum points of one press, up or down."""
OFTEN: Final = ("1", "2", "3", "-1")
"""Points offered in forms."""
MAX_PRESSES: Final = 200
MAX_REASON: Final = 40

MINUTES: Final = 75
"""Length of a tournament match in both rulesets, in minutes."""
LAST_MINUTES: Final = 5
"""Minutes before the end at which the clock warns."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario: its name, objects, scoring time, and reasons for points. ``since``: the first scoring round.
    ``halves``: half-damaged ships give half points. ``carried``: objects on ships score 1 point each in the End Phase,
    without a press.
    """

    name: Name
    objects: Text
    scores: Text
    objectives: tuple[Option, ...]
    since: int = 1
    halves: bool = False
    carried: str = ""


def scenarios() -> Iterator[tuple[str, Scenario]]:
    """Yield the scenarios of ``tables/scenarios.json``: ``means``: the objects, ``says``: the scoring time."""
    held = json.loads((FOLDER / "xwing/tables/scenarios.json").read_text(encoding="utf-8"))
    for row in held["scenarios"]:
        key, name, objects, scores = (row.pop(item) for item in ("key", "name", "means", "says"))
        pressed = [Option(item["key"], Text(item["says"])) for item in held["objectives"] if item["scenario"] == key]
        yield key, Scenario(Name(name), Text(objects), Text(scores), tuple(pressed), **row)


SCENARIOS: Final = dict(scenarios())
OTHER: Final = Option("other", Text("another reason"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """A ruleset's scoring. ``squad``: default points of a whole squad.

    ``deficit``: players begin with the points that the other's squad lacks. ``end``: points that end a match of such
    squads at a round's end, ``rounds``: maximum rounds; None for never. ``halves``: rounding of half points, and
    whether they apply without a scenario.
    """

    squad: int
    deficit: bool = False
    end: int | None = None
    rounds: int | None = None
    rounded: Literal["up", "down"] = "down"
    halves: bool = False


SCORING: Final[Mapping[str, Scoring]] = {
    "2.5": Scoring(squad=20, deficit=True, end=20, rounds=12),
    "2.0": Scoring(squad=200, rounded="up", halves=True),
}

Side = frozenset[int]
"""Players' numbers of one side."""


@dataclass(frozen=True, slots=True)
class DestroyedShip:
    name: Name
    owner: int
    points: int


@dataclass(frozen=True, slots=True)
class EarnedPoints:
    """Objective points: player, number, reason, round."""

    player: int
    points: int
    reason: Stored
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """A match's score; ``scenario``: a key of ``SCENARIOS``, or "".

    ``began``: start of the clock in seconds of the epoch, 0 for none; it runs for ``minutes``. ``winner``: number of a
    player on the side that won by points, 0 for a tie; None while undecided. ``size``: points of a whole squad, 0 if
    unknown. ``end`` and ``rounds``: points and rounds that end the match; 0 for never, None for the ruleset's.
    """

    scenario: str = ""
    size: int = 0
    end: int | None = None
    rounds: int | None = None
    fallen: tuple[DestroyedShip, ...] = ()
    earned: tuple[EarnedPoints, ...] = ()
    began: int = 0
    minutes: int = MINUTES
    winner: int | None = None

    @property
    def ends_at(self) -> int:
        """End of the clock, in seconds of the epoch; 0 for no clock."""
        return self.began + 60 * self.minutes if self.began else 0

    @property
    def current_scenario(self) -> Scenario | None:
        return SCENARIOS.get(self.scenario)


NO_SCORE: Final = Score()


@dataclass(frozen=True, slots=True)
class EndConditions:
    """End conditions of a match: squad size (0 if unknown), points (None if unknown), rounds (0 for never)."""

    size: int
    points: int | None
    rounds: int


MAX_SIZE: Final = 1000
MAX_ROUNDS: Final = 99


@dataclass(frozen=True, slots=True, kw_only=True)
class SideTally:
    """One side's points by source: ``destroyed`` and ``half`` are for the other side's ships."""

    players: Side
    destroyed: int = 0
    half: int = 0
    deficit: int = 0
    earned: int = 0

    @property
    def total(self) -> int:
        return self.destroyed + self.half + self.deficit + self.earned


@dataclass(frozen=True, slots=True)
class ScoreStatus:
    """A score with its context: ruleset, teams, and present ships."""

    score: Score
    ruleset: str
    sides: Sequence[Side]
    fleet: Mapping[str, Ship]

    @property
    def rules(self) -> Scoring:
        return SCORING.get(self.ruleset, SCORING["2.5"])

    def ends(self) -> EndConditions:
        """The end conditions: as set by players and squads, else the ruleset's for squads of that size."""
        rules, score = self.rules, self.score
        fits = all(self.squad(side) <= rules.squad for side in self.sides)
        size = score.size or (rules.squad if fits else 0)
        known = 0 if rules.end is None else rules.end if size == rules.squad else None
        last = (rules.rounds or 0) if score.rounds is None else score.rounds
        return EndConditions(size, known if score.end is None else score.end, last)

    def tallies(self) -> tuple[SideTally, ...]:
        """Return each side's points, in order. Destroyed ships and deficits score between two sides only."""
        result, size = list[SideTally](), self.ends().size or self.rules.squad
        for side in self.sides:
            earned = sum(item.points for item in self.score.earned if item.player in side)
            tally = SideTally(players=side, earned=earned)
            if len(self.sides) == 2:
                (foe,) = (item for item in self.sides if item != side)
                ships = [ship for ship in self.fleet.values() if ship.owner in foe and not ship.is_remote]
                destroyed = self.destroyed_points(foe) + sum(ship.points for ship in ships if ship.destroyed)
                half = sum(map(self.half_points, ships))
                tally = replace(tally, destroyed=destroyed, half=half, deficit=self.deficit(foe, size))
            result.append(tally)
        return tuple(result)

    def half_points(self, ship: Ship) -> int:
        """Return the points for a ship that has lost at least half of its hull and shields, and is not destroyed."""
        scenario = self.score.current_scenario
        whole, left = ship.hull + ship.shields, ship.hull_left + ship.shields_left
        counts = self.rules.halves or (scenario is not None and scenario.halves)
        if not counts or ship.destroyed or 2 * (whole - left) < whole:
            return 0
        return (ship.points + (self.rules.rounded == "up")) // 2

    def deficit(self, side: Side, size: int) -> int:
        """Return how many points a squad is below the size, or below the larger squad; 0 if its points are unknown."""
        points = self.squad(side)
        return max(0, size - points) if self.rules.deficit and points else 0

    def squad(self, side: Side) -> int:
        """Return a side's squad points, including ships that have left."""
        return sum(ship.points for ship in self.fleet.values() if ship.owner in side) + self.destroyed_points(side)

    def destroyed_points(self, side: Side) -> int:
        gone = (destroyed for destroyed in self.score.fallen if destroyed.name not in self.fleet)
        return sum(destroyed.points for destroyed in gone if destroyed.owner in side)

    def is_used(self) -> bool:
        """Whether there is a score: points of ships or objectives, a scenario, or a clock."""
        if self.score.scenario or self.score.earned or self.score.began:
            return True
        return any(item.points for item in self.score.fallen) or any(ship.points for ship in self.fleet.values())

    def winner(self, round_: int, *, at_once: bool = False) -> int | None:
        """Return the winner at a round's end, or ``at_once``: a player's number, 0 for a tie; None while undecided. A
        lead with at least the match's end points ends it, and so does its last round.
        """
        last, tallies = self.ends(), sorted(self.tallies(), key=lambda tally: -tally.total)
        if len(tallies) < 2 or not self.is_used():
            return None
        first, second = tallies[0].total, tallies[1].total
        is_last = bool(last.rounds) and round_ >= last.rounds
        has_won = bool(last.points) and first >= (last.points or 0) and first > second
        if not (at_once or is_last or has_won):
            return None
        return min(tallies[0].players) if first > second else 0


def earn(score: Score, player: int, points: int, reason: Shown, round_: int) -> Score:
    """Add objective points. Raises ``PlayerError`` for zero or too many points, or too many presses."""
    if not points or abs(points) > MAX_POINTS:
        allowed = WholeNumber(-MAX_POINTS, MAX_POINTS, Text("Use 1 to 20 points, or -1 to -20."))
        raise BadInputError("points", points, allowed)
    if len(score.earned) >= MAX_PRESSES:
        raise PlayerError("This match already has {most} scoring entries, the most I can store.", most=MAX_PRESSES)
    said = reason if isinstance(reason, Text) else Name(reason[:MAX_REASON])
    return replace(score, earned=(*score.earned, EarnedPoints(player, points, said, round_)))


def choose_scenario(score: Score, scenario: str) -> Score:
    """Set the scenario; "" for none. Raises ``BadInputError`` for an unknown one."""
    if scenario and scenario not in SCENARIOS:
        raise BadInputError("scenario", scenario, AllowedWords(tuple(SCENARIOS)))
    return replace(score, scenario=scenario)


def objectives(score: Score) -> tuple[Option, ...]:
    """List the reasons to press points: the scenario's, then any other."""
    return (*(score.current_scenario.objectives if score.current_scenario is not None else ()), OTHER)


def with_carried(score: Score, fleet: Mapping[str, Ship], round_: int) -> Score:
    """Score 1 point per carried object in the End Phase, in such scenarios."""
    scenario, carried = score.current_scenario, Counter[int]()
    if scenario is None or not scenario.carried or round_ < scenario.since:
        return score
    for ship in fleet.values():
        carried[ship.owner] += ship.has(scenario.carried) if ship.owner and not ship.destroyed else 0
    reason = scenario.objectives[0].label
    for player, count in sorted(carried.items()):
        score = earn(score, player, count, reason, round_) if count else score
    return score


def turn_clock(score: Score, began: int) -> Score:
    """Start the clock, or stop it with 0. Raises ``PlayerError`` if it is already so."""
    if bool(score.began) == bool(began):
        runs = Text("The clock is already running. Stop it first, or take back its start.")
        raise PlayerError(runs if began else Text("No clock is running here. Start one first."))
    return replace(score, began=began)


# Forms


def points_fields(score: Score) -> tuple[Field, Field]:
    points, reasons = tuple(Option(item, Numeral(f"{int(item):+}")) for item in OFTEN), objectives(score)
    return (
        Field("points", Text("Points"), options=points, value=OFTEN[0]),
        Field("reason", Text("Reason"), options=reasons, value=reasons[0].value),
    )


ENDED_BY: Final = (
    ("size", Text("Points per squad"), MAX_SIZE),
    ("points", Text("Points to end the match, 0 for no limit"), MAX_SIZE),
    ("rounds", Text("Rounds to end the match, 0 for no limit"), MAX_ROUNDS),
)
"""Fields of the end conditions, with maxima."""


def ends_fields(end: EndConditions) -> tuple[Field, ...]:
    """Return the fields of the end conditions: squad size, points and rounds, with current values."""
    now = {"size": end.size or "", "points": "" if end.points is None else end.points, "rounds": end.rounds}
    return tuple(Field(key, label, value=str(now[key]), required=False, longest=4) for key, label, _ in ENDED_BY)


def with_ends(score: Score, filled: Mapping[str, str]) -> Score:
    """Set the end conditions. Raises ``BadInputError`` for invalid numbers."""
    typed = {key: filled.get(key, "").strip() for key, _, _ in ENDED_BY}
    said = {key: number(label, typed[key] or "0", 0, most) for key, label, most in ENDED_BY}
    end, rounds = (said[key] if typed[key] else None for key in ("points", "rounds"))
    return replace(score, size=said["size"], end=end, rounds=rounds)
