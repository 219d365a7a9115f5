"""The score of a match: ships that are destroyed or half damaged, points on the mat, and when it is over by points.

The scenarios are those of August 2022 (ruleset 2.5); half points are rounded down there and up in ruleset 2.0.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from bot.render.xwing.phases import end_phase
from bot.render.xwing.score import ends_line, summary
from bot.rules.errors import PlayerError
from bot.rules.game import Choice
from bot.rules.text import Name, english
from bot.rules.xwing.dice.tokens import CARGO
from bot.rules.xwing.table import controls, score as scores, squad
from bot.rules.xwing.table.match import (
    MATCH,
    Match,
    Phase,
    choose_side,
    decided_winner,
    end_by_points,
    end_round,
    ends_of,
    match_of,
    next_phase,
    rematch,
    tallies,
    winner,
)
from bot.rules.xwing.table.score import SCENARIOS, SCORING, EarnedPoints, EndConditions, Score
from bot.rules.xwing.table.ship import Ship, apply_piece_changes as changed, give

ANA, BO, CLEO, DAN = 1, 2, 3, 4


def ship(name: str, owner: int, points: int, **more: Any) -> Ship:
    return Ship(
        name=name, owner=owner, points=points, tokens={}, **{"hull": 4, "shields": 2, "shields_left": 2, **more}
    )


def hurt(item: Ship, hull: int) -> Ship:
    """The ship without shields and with so many damage cards."""
    return replace(item, shields_left=0, facedown=("",) * hull)


def table(*ships: Ship, **more: Any) -> dict[str, Any]:
    """Ships in the Engagement Phase; Ana is the first player."""
    match = replace(choose_side(None, ANA, "first", {ANA, BO}), phase=Phase.ENGAGEMENT, **more)
    return {**{item.name: item for item in ships}, MATCH: match}


def totals(here: Mapping[str, Any]) -> list[int]:
    return [tally.total for tally in tallies(here)]


LUKE, WEDGE = ship("Luke", ANA, 12), ship("Wedge", ANA, 7)
VADER, MAULER = ship("Vader", BO, 14), ship("Mauler", BO, 6)
SQUADS = (LUKE, WEDGE, VADER, MAULER)


def test_each_begins_with_what_the_other_squad_lacks() -> None:
    """2.5: the first squad has 19 points of 20, the second 20."""
    assert totals(table(*SQUADS)) == [0, 1]
    assert totals(table(*SQUADS, ruleset="2.0")) == [0, 0]
    assert totals(table(LUKE, ship("Fel", BO, 40))) == [0, 8], "a squad of another format lacks nothing"
    assert totals(table(replace(LUKE, points=0), VADER)) == [6, 0], "of whose points unknown, nothing lacks"


def test_a_destroyed_ship_gives_its_points_at_once_and_after_it_has_left() -> None:
    here = table(LUKE, WEDGE, hurt(VADER, 4), MAULER)
    assert totals(here) == [14, 1]
    after = changed(here, end_round(here))
    assert "Vader" not in after
    assert totals(after) == [14, 1]
    assert tallies(after)[0].destroyed == 14
    assert totals({**after, "Vader": VADER}) == [0, 1], "it has come back"


@pytest.mark.parametrize(
    ("ruleset", "scenario", "points", "lost", "half"),
    [
        ("2.5", "", 7, 3, 0),
        ("2.5", "assault", 7, 3, 0),
        ("2.5", "chance", 7, 2, 0),
        ("2.5", "chance", 7, 3, 3),
        ("2.5", "chance", 7, 5, 3),
        ("2.0", "", 55, 2, 0),
        ("2.0", "", 55, 3, 28),
        ("2.0", "", 55, 5, 28),
    ],
)
def test_half_a_ship(ruleset: str, scenario: str, points: int, lost: int, half: int) -> None:
    """Six hull and shields: half of them is three. 2.5 rounds down, 2.0 up."""
    fel = replace(ship("Fel", BO, points), shields_left=max(0, 2 - lost), facedown=("",) * max(0, lost - 2))
    here = table(ship("Luke", ANA, 20), fel, ruleset=ruleset, score=Score(scenario=scenario))
    assert tallies(here)[0].half == half
    assert tallies(here)[0].destroyed == 0


def test_points_on_the_mat_are_added_and_may_be_taken_off_again() -> None:
    score = scores.earn(scores.earn(Score(), ANA, 2, "satellite", 2), ANA, -1, "miscounted", 2)
    assert totals(table(LUKE, VADER, score=score)) == [1 + 6, 8]
    assert score.earned[0] == EarnedPoints(ANA, 2, Name("satellite"), 2)
    for points in (0, 21, -21):
        with pytest.raises(PlayerError, match="Use 1 to 20 points"):
            scores.earn(score, ANA, points, "", 2)
    with pytest.raises(PlayerError, match="scenario"):
        scores.choose_scenario(score, "nothing")


def test_what_ships_carry_is_counted_in_the_end_phase() -> None:
    """Salvage Mission: one for each supply cache; a destroyed ship carries nothing."""
    carrying = [give(item, CARGO, 1) for item in (LUKE, WEDGE, hurt(VADER, 4))]
    here = table(*carrying, MAULER, score=Score(scenario="salvage"), round=3)
    after = changed(here, end_round(here))
    assert [(tally.earned, tally.destroyed) for tally in tallies(after)] == [(2, 14), (0, 0)]
    assert match_of(after).score.earned == (EarnedPoints(ANA, 2, Name("carried supply cache"), 3),)  # type: ignore[union-attr]  # it is there
    assert after["Luke"].has(CARGO) == 1, "it stays through the End Phase"
    with pytest.raises(PlayerError, match="at most 1"):
        give(after["Luke"], CARGO, 1)


def test_twenty_points_end_a_match_at_the_end_of_the_round() -> None:
    score = Score(earned=(EarnedPoints(BO, 20, Name("satellite"), 3),))
    here = table(*SQUADS, score=score, round=5)
    after = changed(here, end_round(here))
    assert (winner(here, after), decided_winner(after)) == (BO, BO)
    assert winner(after, changed(after, next_phase(after))) is None, "it is said once"
    tied = table(
        *SQUADS, score=Score(earned=(EarnedPoints(BO, 20, Name("a"), 3), EarnedPoints(ANA, 21, Name("a"), 3))), round=5
    )
    assert totals(tied) == [21, 21]
    assert decided_winner(changed(tied, end_round(tied))) is None, "nobody leads"


@pytest.mark.parametrize(("earned", "won"), [({ANA: 3}, ANA), ({BO: 3}, BO), ({ANA: 1}, 0)])
def test_the_twelfth_round_is_the_last(earned: dict[int, int], won: int) -> None:
    score = Score(earned=tuple(EarnedPoints(player, points, Name("a"), 2) for player, points in earned.items()))
    for round_, wanted in ((11, None), (12, won)):
        here = table(*SQUADS, score=score, round=round_)
        assert winner(here, changed(here, end_round(here))) == wanted
    for more in ({"ruleset": "2.0"}, {"score": Score()}):
        ships = [replace(item, points=0) for item in SQUADS]
        here = table(*ships, **{"score": score, **more}, round=12)
        assert decided_winner(changed(here, end_round(here))) is None, (
            "2.0 has no last round, and no points say nothing"
        )


def test_a_squad_of_another_format_plays_on() -> None:
    """200 points on a table of ruleset 2.5: one destroyed ship of 62 is not the end."""
    here = table(ship("Luke", ANA, 62), ship("Wedge", ANA, 55), hurt(ship("Vader", BO, 67), 4), ship("Fel", BO, 50))
    after = changed(here, end_round(here))
    assert (totals(after), decided_winner(after)) == ([67, 0], None)


def test_when_time_is_over_whoever_has_more_has_won() -> None:
    here = table(LUKE, hurt(VADER, 4), MAULER)
    after = changed(here, end_by_points(here))
    assert winner(here, after) == ANA
    with pytest.raises(PlayerError, match="There's no match here to end"):
        end_by_points(after)
    with pytest.raises(PlayerError, match="There are no points for two sides to compare"):
        end_by_points(table(replace(LUKE, points=0), replace(VADER, points=0)))


def test_a_rematch_keeps_the_scenario_and_nothing_else() -> None:
    score = Score(scenario="assault", earned=(EarnedPoints(BO, 20, Name("a"), 3),), began=1000)
    here = table(*SQUADS, score=score)
    with pytest.raises(
        PlayerError, match="Several players have ships on the table, so a game is already in progress here"
    ):
        rematch(here, {})
    over = changed(here, end_round(here))
    assert changed(over, rematch(over, {}))[MATCH].score == Score(scenario="assault")


def test_sides_of_several_people_score_together_and_three_sides_only_on_the_mat() -> None:
    team = replace(Match(), first=ANA, with_first=(CLEO,), second=BO, with_second=(DAN,))
    ships = [LUKE, ship("Biggs", CLEO, 5), hurt(VADER, 4), ship("Fel", DAN, 6)]
    here: dict[str, Any] = {item.name: item for item in ships} | {MATCH: team}
    wanted = [(frozenset({ANA, CLEO}), 14), (frozenset({BO, DAN}), 3)]
    assert [(tally.players, tally.total) for tally in tallies(here)] == wanted
    free = {**here, MATCH: Match(score=Score(earned=(EarnedPoints(DAN, 2, Name("a"), 1),)))}
    assert [tally.total for tally in tallies(free)] == [0, 0, 0, 2]


def test_the_clock_runs_once() -> None:
    running = scores.turn_clock(Score(), 1000)
    assert running.ends_at == 1000 + 75 * 60
    with pytest.raises(PlayerError, match="The clock is already running"):
        scores.turn_clock(running, 1001)
    assert scores.turn_clock(running, 0).ends_at == 0
    with pytest.raises(PlayerError, match="No clock"):
        scores.turn_clock(Score(), 0)


def test_the_scenarios_are_those_of_standard_play() -> None:
    assert [scenario.name for scenario in SCENARIOS.values()] == [
        "Assault at the Satellite Array",
        "Chance Engagement",
        "Salvage Mission",
        "Scramble the Transmissions",
    ]
    assert [key for key, scenario in SCENARIOS.items() if scenario.halves] == ["chance"]
    assert SCENARIOS["assault"].since == 2
    assert (SCORING["2.5"].squad, SCORING["2.5"].end, SCORING["2.5"].rounds) == (20, 20, 12)
    assert (SCORING["2.0"].squad, SCORING["2.0"].end, SCORING["2.0"].rounds) == (200, None, None)


SHIPS = st.lists(
    st.builds(
        lambda name, owner, points, lost: replace(
            ship(name, owner, points), shields_left=max(0, 2 - lost), facedown=("",) * max(0, lost - 2)
        ),
        st.sampled_from("abcdefgh"),
        st.sampled_from([ANA, BO]),
        st.integers(1, 20),
        st.integers(0, 6),
    ),
    max_size=8,
    unique_by=lambda item: item.name,
)


@given(SHIPS, st.sampled_from(["2.5", "2.0"]), st.sampled_from(["", *SCENARIOS]))
def test_the_end_of_a_round_changes_no_points_of_ships(ships: list[Ship], ruleset: str, scenario: str) -> None:
    """A ship that leaves is worth what it was worth as it burned; nothing is counted twice or lost."""
    here = table(*ships, ruleset=ruleset, score=Score(scenario=scenario))
    after = changed(here, end_round(here))
    assert [(tally.destroyed, tally.half, tally.deficit) for tally in tallies(after)] == [
        (tally.destroyed, tally.half, tally.deficit) for tally in tallies(here)
    ]
    again = changed(after, end_round(after))
    assert [tally.destroyed for tally in tallies(again)] == [tally.destroyed for tally in tallies(here)]


# Squads of any size


FIFTY = (ship("Luke", ANA, 26), ship("Wedge", ANA, 22), ship("Vader", BO, 30), ship("Mauler", BO, 20))


def said(here: dict[str, Any], **filled: str) -> dict[str, Any]:
    """The table after somebody has filled in what ends the match."""
    return changed(here, controls.choose(here, "", Choice("ends", filled=filled), lambda _: 0).changes)


def test_squads_of_fifty_points_have_their_deficit_and_their_end_is_asked() -> None:
    here = table(*FIFTY, score=Score(size=50))
    assert totals(here) == [0, 2], "48 of 50 points"
    assert ends_of(here) == EndConditions(size=50, points=None, rounds=12)
    assert ends_line(here) == (
        "The match ends after round 12. I don't know the point limit for squads of 50 points. Set it "
        "under End conditions."
    )
    (offer,) = [item for item in controls.table_offers(here) if item.key == "ends"]
    assert [field.value for field in offer.fields] == ["50", "", "12"], "what counts now stands in its form"
    here = said(here, size="50", points="35", rounds="9")
    assert ends_line(here) == "The match ends at 35 points or after round 9."


def test_a_match_of_fifty_points_is_played_to_its_end() -> None:
    """Vader is worth 30: with five points on the mat Ana reaches 35 in the third round."""
    here = said(table(*FIFTY, score=Score(size=50)), size="50", points="35", rounds="")
    here = changed(here, end_round({**here, "Vader": hurt(FIFTY[2], 4)}))
    assert (decided_winner(here), totals(here)) == (None, [30, 2])
    held = match_of(here)
    assert held is not None
    here[MATCH] = replace(held, score=scores.earn(held.score, ANA, 5, "satellite", 2))
    over = changed(here, end_round(here))
    assert (winner(here, over), totals(over)) == (ANA, [35, 2])
    again = changed(over, rematch(over, {"Vader": FIFTY[2]}))
    assert ends_of(again) == EndConditions(50, 35, 12), "a rematch ends by the same"


@pytest.mark.parametrize(("size", "points"), [(20, 7), (50, 19), (200, 55)])
def test_half_points_are_those_of_any_size(size: int, points: int) -> None:
    fel = replace(ship("Fel", BO, points), shields_left=0, facedown=("",))
    score = Score(scenario="chance", size=size)
    assert tallies(table(ship("Luke", ANA, 10), fel, score=score))[0].half == points // 2


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ({}, "The match ends at 20 points or after round 12."),
        ({"ruleset": "2.0"}, "The match ends when only one side has ships."),
        ({"score": Score(began=1000)}, "The match ends at 20 points, after round 12, or when time runs out."),
        ({"score": Score(end=0, rounds=0)}, "The match ends when only one side has ships."),
    ],
)
def test_a_line_always_says_what_ends_the_match(more: dict[str, Any], line: str) -> None:
    here = table(*SQUADS, **more)
    assert ends_line(here) == line
    assert line in english(summary(here, {}))
    assert line in english(end_phase(here, changed(here, end_round(here))).small)


def test_squads_that_say_no_size_are_asked_for_it() -> None:
    line = ends_line(table(ship("Luke", ANA, 48), ship("Vader", BO, 50)))
    assert english(line).endswith("Squad points and end conditions aren't set yet. Press End conditions.")
    with pytest.raises(PlayerError, match="Points per squad"):
        said(table(*FIFTY), size="many")


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ('{"faction": "rebelalliance", "ruleset": "XWA", "version": "50P-2.0", "pilots": [{"id": "jekporkins"}]}', 50),
        ('{"faction": "rebelalliance", "version": "2.0.0", "pilots": [{"id": "jekporkins"}]}', 0),
        ("https://yasb.app/?f=Rebel%20Alliance&d=v10ZsZ50Z3XWW&sn=X", 50),
        ("https://yasb.app/?f=Rebel%20Alliance&d=v10ZsZZ3XWW&sn=X", 50),
        ("https://yasb.app/?f=Rebel%20Alliance&d=v9ZsZ20Z3XWW&sn=X", 20),
        ("https://xwing-legacy.com/?f=Rebel%20Alliance&d=v8ZsZ200Z3XWW&sn=X", 200),
    ],
)
def test_the_size_comes_with_the_squad(text: str, size: int) -> None:
    (result,) = squad.parse(text)
    assert (result.size, [pilot.pilot for pilot in result.pilots]) == (size, ["jekporkins"])
