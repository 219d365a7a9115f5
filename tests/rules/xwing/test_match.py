"""Rounds and phases: who engages when, when destroyed ships leave, and what the End Phase does."""

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from bot.rules.errors import BadInputError, PlayerError
from bot.rules.xwing.table import match as matches
from bot.rules.xwing.table.match import MATCH, Match, Phase, engage, leaving_ships, match_of, ships_of, waiting_ships
from bot.rules.xwing.table.pieces import OutOfOrderError
from bot.rules.xwing.table.ship import Ship, apply_piece_changes as changed, damage_ship, give, launch, lock, remote
from tests.rules.xwing.fleet import Fight, declared, fleet, luke, mauler

ANA, BO = 1, 2
Tabled = dict[str, Any]


def tabled(*ships: Ship, phase: Phase = Phase.ENGAGEMENT, **match: Any) -> Tabled:
    """Ships of a match in its Engagement Phase."""
    return {**fleet(*ships), MATCH: Match(phase=phase, **match)}


def line() -> Tabled:
    return tabled(launch("Academy", initiative=1), luke(), mauler(), launch("Vader", initiative=6))


def engaged(table: Tabled, *names: str) -> Tabled:
    for name in names:
        table = changed(table, matches.sweep_destroyed(table, engage(table, name)))
    return table


def shot_down(table: Tabled, name: str) -> Tabled:
    return {**table, name: give(table[name], "facedown damage", table[name].hull)}


def turn(table: Tabled) -> list[str]:
    return [ship.name for ship in waiting_ships(match_of(table), ships_of(table))]


def gone(table: Tabled) -> list[str]:
    return leaving_ships(match_of(table), ships_of(table))


# The order


def test_the_highest_initiative_engages_first() -> None:
    table, turns = line(), []
    for name in ("Vader", "Mauler", "Luke", "Academy"):
        turns.append(turn(table))
        table = engaged(table, name)
    assert [*turns, turn(table)] == [["Vader"], ["Luke", "Mauler"], ["Luke"], ["Academy"], []]


def test_within_one_initiative_the_first_players_ships_all_engage_first() -> None:
    """(R) Within one initiative the first player's ships all engage before the second player's."""
    ships = [
        replace(launch(name, initiative=4), owner=owner) for name, owner in zip("AaBb", (ANA, BO, ANA, BO), strict=True)
    ]
    ships = [replace(ship, name=f"{ship.name}{ship.owner}") for ship in ships]
    table = tabled(*ships, first=BO)
    assert turn(table) == ["a2", "b2"]
    table = engaged(table, "b2")
    assert turn(table) == ["a2"]
    assert turn(engaged(table, "a2")) == ["A1", "B1"]


@pytest.mark.parametrize("equal", [True, False])
def test_the_allowed_orders_of_two_against_two_are_exactly_the_pages(equal: bool) -> None:
    """Every order of four ships is tried against the sentence of the page."""
    ships = [
        replace(launch("A5", initiative=5), owner=ANA),
        replace(launch("A3", initiative=5 if equal else 3), owner=ANA),
        replace(launch("B5", initiative=5), owner=BO),
        replace(launch("B3", initiative=5 if equal else 3), owner=BO),
    ]
    by_name = {ship.name: ship for ship in ships}
    allowed = []
    for names in permutations(by_name):
        table = tabled(*ships, first=ANA)
        try:
            engaged(table, *names)
        except PlayerError:
            continue
        allowed.append(names)
    ranks = {name: (-ship.initiative, ship.owner) for name, ship in by_name.items()}
    assert allowed == [names for names in permutations(by_name) if [ranks[n] for n in names] == sorted(ranks.values())]


def test_nobody_engages_before_its_turn_or_twice_unless_they_play_on_anyway() -> None:
    with pytest.raises(PlayerError, match=r"Luke has initiative 5, but Vader must engage first"):
        engage(line(), "Luke")
    assert changed(line(), engage(line(), "Luke", anyway=True))["Luke"].engaged
    with pytest.raises(PlayerError, match="Vader has already engaged this round"):
        engage(engaged(line(), "Vader"), "vader")
    with pytest.raises(PlayerError, match=r"It's the Planning Phase of round 1\."):
        engage({**line(), MATCH: Match()}, "Luke")
    begins = changed(line(), engage({**line(), MATCH: Match()}, "Vader"))
    assert begins[MATCH].phase is Phase.ENGAGEMENT, "the first one may begin"


def test_engaging_begins_a_match_where_there_is_none() -> None:
    table = changed(fleet(luke()), engage(fleet(luke()), "Luke"))
    assert table[MATCH] == Match(phase=Phase.ENGAGEMENT, initiative=5)


def test_sides_follow_from_who_was_first_or_second() -> None:
    match = matches.choose_side(None, BO, "second")
    sides = [matches.side_of(match, replace(luke(), owner=owner)) for owner in (ANA, BO, 0)]
    assert sides == ["first", "second", ""]
    assert matches.choose_side(match, BO, "first") == Match(first=BO, ordered_in=1)
    assert matches.side_of(Match(), replace(luke(), owner=ANA)) == ""


# An attack is the ship's engaging


def test_an_attack_that_rolled_is_the_ships_engaging_and_a_second_one_a_bonus() -> None:
    """(R) An attack is the ship's engaging; each ship makes one attack and at most one bonus attack."""
    table = engaged(line(), "Vader")
    fought = Fight(table, "hit blank blank evade blank blank", attacker="Luke", defender="Mauler")
    assert fought.ships["Luke"].engaged
    assert fought.ships[MATCH].initiative == 5
    bonus = Fight(fought.ships, "blank blank blank blank blank blank", attacker="Luke", defender="Mauler")
    assert bonus.ships["Luke"].attacks == 2
    assert not bonus.state.declared.out_of_order
    with pytest.raises(PlayerError, match="its bonus attack"):
        declared(bonus.ships, attacker="Luke", defender="Mauler")


def test_the_first_attack_begins_the_engagement_phase_and_is_remembered() -> None:
    table = {**line(), MATCH: Match(phase=Phase.ACTIVATION, round=3)}
    fought = Fight(table, "hit blank blank evade blank blank", attacker="Vader", defender="Mauler", range=2)
    assert match_of(fought.ships) == Match(phase=Phase.ENGAGEMENT, round=3, initiative=6)
    assert fought.state.told[0] == "The Engagement Phase of round 3 has begun"
    vader = fought.ships["Vader"]
    assert (vader.engaged, vader.last_target, vader.last_range) == (True, "Mauler", 2)


def test_an_attack_out_of_order_is_a_warning_and_no_wall() -> None:
    with pytest.raises(OutOfOrderError) as warned:
        declared(line(), attacker="Luke", defender="Mauler")
    assert warned.value.why == "Luke has initiative 5, but Vader must engage first."
    assert declared(line(), attacker="Luke", defender="Mauler", anyway=True).out_of_order
    planning = {**line(), MATCH: Match()}
    with pytest.raises(OutOfOrderError, match="Planning Phase of round 1"):
        declared(planning, attacker="Luke", defender="Mauler")
    assert not declared(planning, attacker="Vader", defender="Mauler").out_of_order, "it begins the Engagement Phase"
    two_squads = tabled(replace(luke(), owner=ANA), replace(mauler(), owner=BO), phase=Phase.PLANNING)
    with pytest.raises(OutOfOrderError, match="and there's no first player yet"):
        declared(two_squads, attacker="Luke", defender="Mauler")
    assert not declared(fleet(luke(), mauler()), attacker="Luke", defender="Mauler").out_of_order, "no match, no order"


def test_a_remote_engages_nobody_and_keeps_nobody_waiting() -> None:
    table = tabled(remote("Buzz", initiative=6, hull=1), luke())
    assert turn(table) == ["Luke"]
    assert turn(engaged(table, "Luke")) == []


# Destroyed ships


def test_a_destroyed_ship_of_the_initiative_that_engages_now_still_engages() -> None:
    """(R) Simultaneous fire: Luke destroys Mauler, and both have initiative 5."""
    table = shot_down(engaged(line(), "Vader", "Luke"), "Mauler")
    assert gone(table) == []
    table = engaged(table, "Mauler")
    assert "Mauler" not in table, "the last one of its initiative has engaged"


def test_a_destroyed_ship_of_a_lower_initiative_leaves_before_its_turn() -> None:
    """(R) Removed when all ships with the initiative of the ship that is engaging now have engaged."""
    table = shot_down(engaged(line(), "Vader"), "Luke")
    assert gone(table) == ["Luke"]
    with pytest.raises(PlayerError, match="Luke is destroyed, and every ship that could attack"):
        engage(table, "Luke")
    for options in ({"attacker": "Luke"}, {"attacker": "Mauler", "defender": "Luke"}):
        with pytest.raises(PlayerError, match="Luke is destroyed"):
            declared(table, **options)


def test_two_of_the_same_initiative_shoot_before_their_victim_goes() -> None:
    table = tabled(luke(initiative=6), launch("Vader", initiative=6), mauler())
    table = shot_down(engaged(table, "Luke"), "Mauler")
    assert gone(table) == []
    assert "Mauler" not in engaged(table, "Vader")


def test_whoever_or_whatever_destroyed_it_in_any_other_phase_it_leaves_at_once() -> None:
    """(R) Whoever or whatever destroyed it; in any other phase it is removed at once, and locks on it break."""
    table = {**line(), MATCH: Match(phase=Phase.ACTIVATION)}
    table = changed(table, lock(ships_of(table), "Mauler", "Luke"))
    wreck = give(table["Luke"], "facedown damage", 4)
    assert matches.sweep_destroyed(table, {"Luke": wreck}) == {
        "Luke": None,
        "Mauler": mauler(),
        MATCH: Match(phase=Phase.ACTIVATION, lost=("Luke",)),
    }


def test_once_destroyed_always_destroyed() -> None:
    """(R) Whatever is repaired."""
    wreck = give(mauler(), "faceup damage", 3)
    assert damage_ship(wreck, faceup=()).destroyed
    assert give(wreck, "faceup damage", -2).destroyed


def test_who_is_gone_does_not_come_back_when_a_ship_of_its_initiative_engages_without_attacking() -> None:
    """(R) Destroyed in the step of initiative 5, it leaves with that step, and has no turn in its own."""
    table = tabled(luke(), launch("Academy", initiative=1, hull=2), launch("Escort", initiative=1))
    table = shot_down(engaged(table, "Luke"), "Academy")
    assert gone(table) == ["Academy"]
    table = engaged(table, "Escort")
    assert "Academy" not in table
    assert turn(table) == []


def test_without_a_match_nobody_leaves_by_itself() -> None:
    assert leaving_ships(None, fleet(give(mauler(), "faceup damage", 3))) == []


def test_who_is_gone_leaves_before_the_next_attack_and_cannot_shoot_in_it() -> None:
    table = shot_down(
        engaged(tabled(luke(initiative=6), mauler(), launch("Tam", attack=1, initiative=5)), "Luke"), "Mauler"
    )
    table = changed(table, lock(ships_of(table), "Tam", "Mauler"))
    fought = Fight(table, "blank", attacker="Tam", agility=0)
    assert "Mauler" not in changed({}, fought.ships)
    assert fought.ships["Tam"].locks == ()


# Phases


STOPS = [phase for phase in Phase if phase is not Phase.END]
"""The End Phase passes where no card speaks in it."""


def test_four_phases_and_then_the_next_round() -> None:
    table, seen = {**line(), MATCH: Match()}, []
    for _ in range(len(STOPS) + 1):
        seen.append((table[MATCH].round, table[MATCH].phase))
        table = changed(table, matches.next_phase(table))
    assert seen == [*((1, phase) for phase in STOPS), (2, Phase.PLANNING)]


def test_the_end_of_the_round_takes_circular_tokens_and_wrecks_and_engages_nobody() -> None:
    table = engaged(line(), "Vader", "Luke")
    table["Luke"] = give(give(table["Luke"], "focus", 1), "stress", 1)
    table = shot_down(table, "Academy")
    table = changed(table, matches.next_phase(table))
    assert (table["Luke"].tokens, table["Luke"].engaged) == ({"stress": 1}, False)
    assert "Academy" not in table
    assert table[MATCH] == Match(round=2, lost=("Academy",))
    assert set(matches.end_round(line())) == {MATCH}, "only what changes is named"


def test_no_ship_is_called_as_the_match() -> None:
    with pytest.raises(BadInputError, match="another name"):
        launch("The Match")


# The end


def fought(*owners: int, without: int = 0, match: bool = True) -> Tabled:
    """A table with a ship for each owner, some of them gone, and perhaps no match."""
    ships = [replace(launch(f"Ship {place}"), owner=owner) for place, owner in enumerate(owners)][without:]
    return tabled(*ships) if match else dict(fleet(*ships))


@pytest.mark.parametrize(
    ("owners", "without", "winner"),
    [
        ((ANA, BO, BO), 1, BO),
        ((ANA, BO), 2, 0),
        ((ANA, ANA, BO), 1, None),
        ((ANA, ANA), 1, None),
        ((0, ANA), 1, None),
    ],
)
def test_a_match_ends_when_the_ships_of_one_player_alone_are_left(
    owners: tuple[int, ...], without: int, winner: int | None
) -> None:
    assert matches.winner(fought(*owners), fought(*owners, without=without)) == winner


def test_without_a_match_nobody_wins_and_handing_a_ship_over_ends_none() -> None:
    assert matches.winner(fought(ANA, BO, match=False), fought(ANA, BO, without=1, match=False)) is None
    assert matches.winner(fought(ANA, BO), fought(ANA, BO, without=1, match=False)) is None, "the table was cleared"
    assert matches.winner(fought(ANA, BO), fought(ANA, ANA)) is None


def test_destroyed_ships_are_losses_and_remotes_and_what_leaves_by_hand_are_none() -> None:
    """Whenever they leave: in a phase without fire at once, else with the step or the round."""
    ship = replace(luke(), owner=ANA)
    wreck, drone_wreck = give(ship, "facedown damage", ship.hull), give(remote("Drone"), "facedown damage", 1)
    table = {MATCH: Match(), wreck.name: wreck, "Drone": drone_wreck}
    for changes in (matches.sweep_destroyed(table, {}), matches.end_round(table)):
        after = changed(table, changes)
        assert matches.lost_ships(after) == (wreck.name,)
        assert matches.lost_ships({**after, ship.name: ship}) == (), "it came back"
    assert matches.lost_ships(changed({MATCH: Match(), ship.name: ship}, {ship.name: None})) == ()
    assert matches.lost_ships({ship.name: ship}) == ()
    drone = {**fought(ANA), "Drone": replace(remote("Drone"), owner=BO)}
    assert matches.winner(drone, fought(ANA)) is None, "a remote is no ship of a player"


def test_a_rematch_begins_only_when_the_game_is_over() -> None:
    lost = {"Vader": replace(fleet(mauler())["Mauler"], name="Vader", owner=BO)}
    hurt = give(give(replace(luke(), owner=ANA), "focus", 1), "facedown damage", 2)
    table = {hurt.name: hurt, "Drone": remote("Drone"), MATCH: Match(round=4, first=ANA, lost=("Vader",))}
    again = changed(table, matches.rematch(table, lost))
    assert (again["Luke"].hull_left, dict(again["Luke"].tokens), again["Vader"].owner) == (hurt.hull, {}, BO)
    assert "Drone" not in again
    assert again[MATCH] == Match(first=ANA)
    with pytest.raises(
        PlayerError, match="Several players have ships on the table, so a game is already in progress here"
    ):
        matches.rematch(again, lost)


def test_a_round_that_is_only_planned_does_not_count() -> None:
    counts = [matches.count_rounds({MATCH: Match(round=number)}) for number in (1, 2)]
    fought = matches.count_rounds({MATCH: Match(round=2, phase=Phase.ENGAGEMENT)})
    assert (counts, fought, matches.count_rounds({})) == ([1, 2], 2, 0)
