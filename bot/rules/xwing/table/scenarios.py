"""The standard scenarios of X-Wing, and how the two rulesets score: data, in words of our own.

Source: Scenarios for standard play, Atomic Mass Games, in force since 1 August 2022 (ruleset 2.5); the rules reference
of that ruleset (page 15) for half points, which are rounded down; the tournament regulations of ruleset 2.0, where they
are rounded up. People say what they earn on the mat; the bot counts nothing there but what ships carry.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from bot.rules.game import Option
from bot.rules.text import Name, Text
from bot.rules.xwing.dice.tokens import CARGO

MINUTES: Final = 75
"""Of a match at a tournament, in both rulesets."""
LAST_MINUTES: Final = 5
"""So many are left when the clock speaks up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A scenario: its name, the objects on the mat, when it scores, and for what people may press points.

    ``since``: the first round that scores. ``halves``: half-damaged ships give half of their points. ``carried``: in
    the End Phase each object that a ship carries is counted, 1 point each, so nobody presses for it.
    """

    name: Name
    objects: Text
    scores: Text
    objectives: tuple[Option, ...]
    since: int = 1
    halves: bool = False
    carried: str = ""


SCENARIOS: Final[Mapping[str, Scenario]] = {
    "assault": Scenario(
        name=Name("Assault at the Satellite Array"),
        objects=Text("5 satellites"),
        scores=Text(
            "From round 2 on, in the End Phase: 1 point for each satellite with more of your ships at range 0-1 "
            "than of the other player's. Medium and large ships count as two."
        ),
        objectives=(Option("satellite", Text("satellite controlled")),),
        since=2,
    ),
    "chance": Scenario(
        name=Name("Chance Engagement"),
        objects=Text("1 satellite in the middle"),
        scores=Text(
            "In the End Phase: 1 point for a ship at range 0-2 of the satellite, and 1 more if no ship of the "
            "other player is there. A ship that has lost half of its hull and shields gives half of its points."
        ),
        objectives=(
            Option("range", Text("ship at range 0-2")),
            Option("alone", Text("ship at range 0-2, nobody else")),
        ),
        halves=True,
    ),
    "salvage": Scenario(
        name=Name("Salvage Mission"),
        objects=Text("5 supply caches"),
        scores=Text(
            "In the End Phase: 1 point for each supply cache that a ship of yours carries. I count them; give a "
            "ship its mark when it tows one."
        ),
        objectives=(Option("cache", Text("supply cache carried")),),
        carried=CARGO,
    ),
    "scramble": Scenario(
        name=Name("Scramble the Transmissions"),
        objects=Text("satellites with control tokens"),
        scores=Text("In the End Phase: 1 point for each satellite with your control token."),
        objectives=(Option("satellite", Text("satellite controlled")),),
    ),
}
OTHER: Final = Option("other", Text("another reason"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """How a ruleset scores. ``squad``: the points of a whole squad, where squads and players say no other size.

    ``deficit``: each player begins with what the other's squad lacks. ``end``: so many points end a match of squads of
    that size at the end of a round, ``rounds``: so do so many rounds; None for never. ``halves``: how half points are
    rounded, and whether they count without a scenario.
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
