"""Before the first turn, the Tactical and the States Phase (rules page, The Player Turn, sections 1, 2 and 4)."""

from dataclasses import replace
from typing import Any

import pytest

from bot.rules.errors import PlayerError
from bot.rules.infinity.troopers.trooper import with_states, wound
from bot.rules.infinity.turn import phases
from tests.rules.infinity.table import ANA, BO, Table, faces
from tests.rules.infinity.test_turn import COMBI, TROOPERS
from tests.starts import form_of

LINE = f"BS 12, PH 12, WIP 13, ARM 1, BTS 0, W 2, LI, {COMBI}"


def table(*fall: int, **more: str) -> Table:
    """The troopers of the turn, with ``more`` of Ana's."""
    return Table({**TROOPERS, **{name: (ANA, line) for name, line in more.items()}}, faces(*fall))


# Before the game


def test_the_lieutenant_roll_is_made_again_until_somebody_wins() -> None:
    it = Table({**TROOPERS, "Leo": (BO, f"WIP 12, Lieutenant, {COMBI}")}, faces(20, 20, 5, 5, 9, 7))
    assert it.press("lieutenant") == "makes the Lieutenant Roll: the winner's 9 (WIP 13) beats 7 (WIP 12)"
    assert it.line() == "Round 1 · Ana won the Lieutenant Roll"
    assert it.offer("keeps").player == ANA
    assert it.press("keeps", keeps="deployment-you") == "lets the opponent deploy first"
    other = it.offer("other")
    assert other.player == BO
    assert [option.value for option in other.fields[0].options] == ["initiative-me", "initiative-you"]
    told = it.press("other", player=BO, other="initiative-me")
    assert told.startswith("takes the first Player Turn. Each player holds back one trooper")
    assert it.line() == "Round 1 · Bo is next"
    assert it.offer("start").player == BO


def test_the_wip_of_a_lieutenant_that_no_list_names_is_asked() -> None:
    it = table(3, 12)
    (field,) = it.offer("lieutenant").fields
    typed: dict[str, Any] = {field.key: "14"}
    assert str(field.label) == "WIP of the Lieutenant with Hector"
    assert it.press("lieutenant", **typed) == "makes the Lieutenant Roll: the winner's 12 (WIP 14) beats 3 (WIP 13)"


def test_a_roll_that_nobody_can_win_says_so() -> None:
    with pytest.raises(PlayerError, match="Nobody wins the Lieutenant Roll"):
        phases.lieutenant_roll(table().pieces, {ANA: 0, BO: 0}, lambda sides: sides - 1)


def test_a_table_may_start_without_any_of_it() -> None:
    it = table()
    it.press("start")
    assert it.line().startswith("Round 1 · Ana's turn")
    with pytest.raises(StopIteration):
        it.offer("lieutenant")


# Command tokens


def test_strategic_uses_are_one_of_each_kind_in_a_game() -> None:
    it = table()
    it.press("command", use="speedball")
    it.press("command", use="hold")
    with pytest.raises(PlayerError, match="you can do that once per game"):
        it.press("command", use="speedball")
    it.press("start")
    assert it.line().endswith("2 Command Tokens")
    with pytest.raises(PlayerError, match="you can do that once per game"):
        it.press("command", use="fires", who="Bea")


def test_the_second_player_takes_two_orders_of_more_than_ten() -> None:
    it = table()
    it.press("start")
    with pytest.raises(PlayerError, match="ten orders or fewer"):
        it.press("command", player=BO, use="less")
    it = table(**{f"Line {n}": LINE for n in range(9)})
    it.press("start")
    assert "orders in group 1: 10 of 10" in it.line()
    it.press("command", player=BO, use="less")
    assert "orders in group 1: 8 of 10" in it.line()
    assert it.turn.tokens_of(BO) == 3


def test_counterintelligence_loses_one_order() -> None:
    it = table(**{f"Line {n}": f"{LINE}, Counterintelligence" for n in range(9)})
    it.press("start")
    it.press("command", player=BO, use="less")
    assert "orders in group 1: 9 of 10" in it.line()


def test_a_player_may_be_left_one_token() -> None:
    it = table()
    it.press("start")
    it.press("command", player=BO, use="cap")
    it.press("command", use="other")
    with pytest.raises(
        PlayerError, match="Your opponent limited you to one Command Token this turn, and you have used it"
    ):
        it.press("command", use="other")
    it.press("end")
    it.press("start", player=BO)
    for _ in range(2):
        it.press("command", player=BO, use="other")


def test_strategos_makes_the_lieutenants_order_regular() -> None:
    it = table()
    it.press("start")
    with pytest.raises(PlayerError, match="You have no Lieutenant with Strategos and an order left"):
        it.press("command", use="strategos")
    it = Table({**TROOPERS, "Ada": (ANA, f"WIP 13, Lieutenant, Strategos L2, {COMBI}")})
    it.press("start")
    told = it.press("command", use="strategos")
    assert told == "Strategos: the Lieutenant's Order becomes Regular, without a Command Token"
    assert "orders in group 1: 4 of 4" in it.line()
    assert "Lt 0" in it.line()
    assert it.press("command", use="move", who="Bea").endswith("without a Command Token")
    assert it.press("command", use="move", who="Dot").startswith("spends a Command Token on Dot")


# The Tactical Phase


@pytest.mark.parametrize(("fallen", "suggests"), [((), "no"), (("Ada", "Dot"), "no"), (("Ada", "Bea", "Dot"), "yes")])
def test_retreat_is_suggested_to_the_owner_alone_by_what_the_list_costs(fallen: tuple[str, ...], suggests: str) -> None:
    """25 of 100 points are at most a quarter; the hidden count as survivors, embryos too."""
    it = table()
    for name, points in (("Ada", 20), ("Bea", 30), ("Cas", 22), ("Dot", 25)):
        it.pieces[name] = replace(it.trooper(name), points=points)
    it.pieces["Cas"] = with_states(it.trooper("Cas"), ("Undeployed",))
    it.press("start", player=BO)
    it.press("end", player=BO)
    for name in fallen:
        it.pieces[name] = with_states(it.trooper(name), ("Unconscious",))
    start = it.offer("start")
    assert start.player == ANA
    assert [field.value for field in start.fields] == ["yes", "no"], "as everybody else sees it"
    standing = {(): 97, ("Ada", "Dot"): 52, ("Ada", "Bea", "Dot"): 22}[fallen]
    assert [field.value for field in form_of(start).suggested] == ["yes", suggests]
    assert str(form_of(start).suggested[1].label) == f"Retreat!? {standing} of 100 points left"
    it.pieces["Dot"] = replace(it.trooper("Dot"), skills=("Seed-Embryo",))
    if fallen:
        assert f"{standing + 25} of 100" in str(form_of(it.offer("start")).suggested[1].label)


def test_a_religious_troop_stands_in_retreat_and_so_does_an_army_that_is_inspired() -> None:
    it = table(Faith=f"{LINE}, Religious Troop")
    it.press("start", retreats="yes")
    assert (it.states("Faith"), it.states("Bea")) == ((), ("Retreat",))
    it = table(Chief=f"{LINE}, Inspiring Leadership")
    it.press("start", retreats="yes")
    assert it.states("Bea") == ()


def test_after_a_loss_the_owner_names_a_new_lieutenant_and_nobody_is_told() -> None:
    it = table(Robot=LINE.replace("LI", "REM"))
    it.pieces["Ada"] = with_states(it.trooper("Ada"), ("Dead",))
    it.press("start")
    assert "Irregular" in it.line()
    offered = it.offer("end").fields[0].options
    assert [option.value for option in offered] == ["Bea", "Dot"], "no REM, no Irregular one"
    assert it.offer("end").player == ANA
    told = it.press("end", leader="Dot")
    assert "Dot" not in told
    assert it.line() == "Round 1 · Bo is next"
    it.press("start", player=BO)
    it.press("end", player=BO)
    it.press("state", "Ada", ends="Dead")
    told = it.press("start")
    assert "Loss of Lieutenant" not in told
    assert "Lt 1" in it.line()
    it.press("order", "Dot", target="Zond", at="8-16")
    it.take("roll")
    it.press("paid-lieutenant")
    assert "Lt 0" in it.line()
    assert not it.trooper("Ada").has("Lieutenant")


# Orders


def test_who_is_not_on_the_table_enters_it_by_its_own_order() -> None:
    it = table(*[15] * 9, Hidden=LINE)
    it.pieces["Hidden"] = with_states(it.trooper("Hidden"), ("Undeployed",))
    it.press("start")
    before = it.turn.pools
    with pytest.raises(PlayerError, match="Hidden isn't on the table, so it can't be targeted"):
        it.order("Zond combi at 10 vs Hidden")
    it.press("order", "Hidden", target="Zond", at="8-16")
    it.take("roll")
    assert it.turn.pools == before
    assert it.states("Hidden") == ()


def test_an_impetuous_order_allows_attacks_alone() -> None:
    troopers = {**TROOPERS, "Cas": (ANA, f"{LINE}, Impetuous")}
    it = Table(troopers, faces(*[15] * 9))
    it.press("start")
    it.press("state", "Zond", begins="Camouflaged")
    it.order("Cas discover at 10 vs Zond")
    it.take("roll")
    assert "Impetuous 1" in it.line()
    it.press("order", "Cas", target="Hector", at="8-16")
    it.take("roll")
    assert "Impetuous" not in it.line()


def test_who_spends_an_order_of_its_own_leaves_its_fireteam() -> None:
    it = table(*[15] * 9)
    it.press("start")
    it.press("team", called="Duo", members="Bea, Cas", level="2")
    it.order("Cas combi at 10 vs Zond")
    it.take("roll")
    assert it.turn.teams == ()


# The States Phase


def test_regeneration_is_a_roll_of_the_states_phase() -> None:
    it = table(9, 14, Reg=f"{LINE}, Regeneration", Gen=f"{LINE}, Regeneration (PH=13)", Top=f"{LINE}, Regeneration")
    for name in ("Reg", "Gen"):
        it.pieces[name] = wound(it.trooper(name), 2)
    it.press("start")
    assert it.press("end") == "starts the States Phase of round 1"
    assert it.line() == "Round 1 · Ana's turn · States Phase · 4 Command Tokens"
    assert (it.offer("regenerate-0").player, str(it.offer("regenerate-0").label)) == (ANA, "Regeneration: Gen")
    assert it.press("regenerate-1") == "Reg regenerates: 9 with PH 12, recovers a Wound"
    assert (it.trooper("Reg").lost, it.states("Reg")) == (1, ())
    assert it.press("regenerate-0") == "Gen fails to regenerate: 14 with PH 13, loses another Wound"
    assert it.states("Gen") == ("Dead",)
    with pytest.raises(StopIteration):
        it.offer("regenerate-0")
    it.press("end")
    assert it.line() == "Round 1 · Bo is next"


def test_nobody_has_to_regenerate() -> None:
    it = table(Reg=f"{LINE}, Regeneration")
    it.pieces["Reg"] = wound(it.trooper("Reg"), 1)
    it.press("start")
    it.press("end")
    it.press("end")
    assert (it.trooper("Reg").lost, it.line()) == (1, "Round 1 · Bo is next")


def test_baggage_gives_disposable_weapons_back_but_not_what_cannot_be_reloaded() -> None:
    rocket = "Rocket: B1 PS 5 disposable(1) +0@24, Bomb: B1 PS 5 disposable(1) non-reloadable +0@24"
    it = table(*[15] * 9, Gun=f"BS 12, W 1, {rocket}", Mule=f"{LINE}, Baggage")
    it.press("start")
    for weapon in ("Rocket", "Bomb"):
        it.order(f"Gun {weapon} at 10 vs Zond")
        it.take("roll")
    it.press("end")
    assert str(it.offer("reload-0").label) == "Baggage near Gun"
    assert it.press("reload-0") == "Gun regains its Disposable weapons"
    assert it.trooper("Gun").spent == ("Bomb",)


def test_without_baggage_nobody_is_asked() -> None:
    it = table(*[15] * 9, Gun="BS 12, W 1, Rocket: B1 PS 5 disposable(1) +0@24")
    it.press("start")
    it.order("Gun Rocket at 10 vs Zond")
    it.take("roll")
    it.press("end")
    assert it.line() == "Round 1 · Bo is next"


def test_frenzy_that_caused_a_wound_makes_impetuous_for_good() -> None:
    it = table(3, 4, 19, 20, 1, Mad=f"{LINE}, Frenzy")
    it.press("start")
    it.order("Mad combi at 10 vs Zond")
    it.take("roll")
    it.all_saves()
    assert it.trooper("Zond").lost
    assert it.press("end") == "ends the turn of round 1. Impetuous from now on due to Frenzy: Mad"
    assert it.trooper("Mad").has("Impetuous")
    assert it.trooper("Mad").has("Limited Cover")


def test_transmutation_by_wip_changes_back_and_no_other_one_does() -> None:
    it = table(Fur=f"{LINE}, Transmutation (WIP)", Fang=f"{LINE}, Transmutation (1)")
    it.press("start")
    for name in ("Fur", "Fang"):
        it.press("state", name, begins="Transmuted")
    assert it.press("end") == "ends the turn of round 1. Back to their first profile: Fur"
    assert (it.states("Fur"), it.states("Fang")) == ((), ("Transmuted",))
