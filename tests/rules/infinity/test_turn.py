"""The Player Turn: who is active, what an order costs, what ends by itself (rules page, The Player Turn)."""

from dataclasses import replace

import pytest

from bot.render import plain_text
from bot.render.infinity import card, troopers
from bot.rules import infinity
from bot.rules.errors import PlayerError
from bot.rules.game import ButtonRank, Side
from bot.rules.infinity.table import controls, pieces
from bot.rules.infinity.troopers.declared import Order
from bot.rules.infinity.turn.player_turn import TURN
from bot.rules.text import english
from tests.rules.infinity.table import ANA, BO, NAMES, Table, faces

COMBI = "Combi: B3 PS 7 N ARM +3@16 -3@32 -6@48"
TROOPERS = {
    "Ada": (ANA, f"BS 12, PH 10, WIP 13, ARM 1, BTS 0, W 1, LI, Lieutenant, {COMBI}"),
    "Bea": (ANA, f"BS 12, PH 10, WIP 13, ARM 1, BTS 0, W 2, HI, {COMBI}, Pistol: B2 PS 6 +3@8 0@16"),
    "Cas": (ANA, f"BS 11, PH 10, WIP 12, ARM 0, BTS 0, W 1, WB, Irregular, Impetuous, {COMBI}"),
    "Dot": (ANA, f"BS 11, PH 10, WIP 12, ARM 0, BTS 0, W 1, LI, Tactical Awareness, {COMBI}"),
    "Hector": (BO, f"BS 13, PH 11, WIP 13, ARM 3, BTS 3, W 2, HI, {COMBI}"),
    "Ninja": (BO, "BS 11, CC 21, PH 13, WIP 13, ARM 1, BTS 3, W 1, MI, Hacker, Sword: CC PS 6"),
    "Zond": (BO, f"BS 11, PH 10, WIP 13, ARM 0, BTS 3, STR 1, REM, {COMBI}"),
}


def begun(*fall: int) -> Table:
    table = Table(TROOPERS, faces(*fall))
    table.press("start")
    return table


def test_the_orders_are_counted_from_the_troopers_that_stand() -> None:
    table = begun()
    left = "orders in group 1: 3 of 3 · Irregular 1 · Lt 1 · tactical 1 · Impetuous 1"
    assert table.line() == f"Round 1 · Ana's turn · {left} · 4 Command Tokens"


def test_a_table_without_a_turn_is_as_before() -> None:
    table = Table(TROOPERS, faces(3, 4, 5))
    table.order("Bea combi at 10 vs Hector")
    assert table.state is not None
    assert table.state.turn is None
    assert "all-defender" not in table.offered()
    assert TURN not in table.pieces


def test_an_order_is_spent_as_it_opens_and_undo_gives_it_back() -> None:
    table = begun()
    table.press("order", "Bea", target="Hector", weapon="Combi", at="8-16")
    assert "orders in group 1: 2 of 3" in table.line()
    table.undo()
    assert "orders in group 1: 3 of 3" in table.line()
    table.press("order", "Bea", target="Hector", weapon="Combi", at="8-16")
    table.take("withdraw")
    assert "orders in group 1: 3 of 3" in table.line()


def test_the_reactive_side_is_asked_before_any_die_falls() -> None:
    table = begun(3, 4, 5, 20)
    table.press("order", "Bea", target="Hector", weapon="Combi", at="8-16")
    offered = table.offered()
    assert [offered[key] for key in ("quick-5-0", "quick-5-1", "roll")] == [
        "Hector: Combi",
        "Hector: Dodge",
        "No more AROs: roll the dice",
    ]
    assert table.fallen() == 0
    table.take("quick-5-1")
    table.take("roll")
    assert table.fallen() == 2
    assert table.trooper("Bea").last == "Bea Combi at 8-16 vs Hector"


def test_the_same_again_is_one_press() -> None:
    table = begun(*[15] * 40)
    table.press("order", "Bea", target="Hector", weapon="Combi", at="8-16")
    table.take("roll")
    before = table.acts
    table.press("same", "Bea")
    table.take("roll")
    assert table.acts - before == 2
    assert "orders in group 1: 1 of 3" in table.line()
    form = {field.key: field.value for field in table.offer("order", "Bea").fields}
    assert (form["weapon"], form["target"], form["at"]) == ("Combi", "Hector", "8-16")


def test_all_saves_of_a_side_are_one_press_and_the_guts_roll_with_them() -> None:
    table = begun(3, 4, 5, 20, 20, 1, 9)
    table.press("order", "Bea", target="Hector", weapon="Combi", at="8-16")
    table.take("roll")
    assert table.offered()["all-defender"] == "Saves and Guts: reactive side"
    table.take("all-defender")
    assert table.trooper("Hector").lost == 2
    assert table.states("Hector") == ("Unconscious",)


def test_a_late_aro_waits_for_the_active_side_and_shows_on_the_card() -> None:
    table = begun(9, 19, 19, 11)
    table.press("state", "Hector", begins="Suppressive Fire")
    table.press("order", "Bea", target="Hector", weapon="Combi", at="8-16")
    table.take("roll")
    assert table.states("Hector") == ("Suppressive Fire",)
    table.take("late", who="Hector", does="dodge")
    assert list(table.offered()) == ["all-defender", "save", "hand", "mods", "allow", "refuse"]
    assert table.fallen() == 1
    table.take("allow")
    assert table.fallen() == 2
    assert table.state is not None
    shown = card(table.state, {})
    assert shown.outcome == "Hector dodges."
    assert table.states("Hector") == (), "a Dodge ends Suppressive Fire, late or not"
    assert "late ARO, allowed: Hector" in english(shown.below)
    table.undo()
    table.take("refuse")
    assert table.fallen() == 1


def test_an_irregular_trooper_spends_its_own_order_and_an_impetuous_one_that_first() -> None:
    table = begun(*[15] * 60)
    for left in (
        "Irregular 1 · Lt 1 · tactical 1 · ",
        "orders in group 1: 3 of 3 · Lt 1",
        "orders in group 1: 2 of 3 · Lt 1",
    ):
        table.press("order", "Cas", target="Zond", at="8-16")
        table.take("roll")
        assert left in table.line()


def test_when_the_group_is_empty_the_trooper_has_its_tactical_or_lieutenants_order() -> None:
    table = begun(*[15] * 99)
    for _ in range(3):
        table.press("order", "Bea", target="Zond", at="8-16", weapon="Combi")
        table.take("roll")
    table.press("order", "Dot", target="Zond", at="8-16")
    table.take("roll")
    assert "tactical" not in table.line()
    table.press("order", "Ada", target="Zond", at="8-16")
    table.take("roll")
    assert "orders in group 1: 0 of 3 · Irregular 1 · Lt 0" in table.line()


def test_an_order_when_none_is_left_waits_for_one_press_and_spends_nothing_twice() -> None:
    table = begun(*[15] * 99)
    for _ in range(3):
        table.press("order", "Bea", target="Zond", at="8-16", weapon="Combi")
        table.take("roll")
    stood = table.turn
    table.order("Bea combi at 10 vs Zond")
    assert table.offered() == {"anyway": "Roll out of order", "withdraw": "Withdraw"}
    assert table.fallen() == 0
    assert table.turn == stood
    table.take("anyway")
    table.take("roll")
    assert table.fallen() == 1
    assert (table.turn.pools, table.turn.lieutenant) == (stood.pools, stood.lieutenant)


def test_an_order_of_the_player_who_is_not_active_waits_as_well() -> None:
    table = begun(*[15] * 9)
    table.order("Hector combi at 10 vs Bea")
    assert table.state is not None
    assert list(table.offered()) == ["anyway", "withdraw"]
    assert "orders in group 1: 3 of 3" in table.line()
    table.take("withdraw")
    assert table.offered() == {}


def test_two_orders_at_once_do_not_spend_the_last_one_twice() -> None:
    table = begun(*[15] * 99)
    for _ in range(2):
        table.press("order", "Bea", target="Zond", at="8-16", weapon="Combi")
        table.take("roll")
    declared = pieces.declare({"order": "Bea combi at 10 vs Zond"}, table.pieces)
    table.order("Bea combi at 10 vs Zond")
    with pytest.raises(PlayerError, match="Group 1 has no order left for Bea"):
        table.settle(None, infinity.start(declared, table.rng))


def test_the_end_of_the_turn_ends_what_ends() -> None:
    table = begun()
    for name, states in (("Hector", ("Stunned", "Targeted")), ("Bea", ("Stunned",)), ("Zond", ("Dogged",))):
        for state in states:
            table.press("state", name, begins=state)
    told = table.press("end")
    assert (table.states("Hector"), table.states("Bea"), table.states("Zond")) == (("Targeted",), (), ("Dead",))
    assert told == "ends the turn of round 1. No longer Stunned: Bea and Hector. Dead, since they were Dogged: Zond"
    assert table.line() == "Round 1 · Bo is next"
    table.press("start", player=BO)
    assert table.line() == "Round 1 · Bo's turn · orders in group 1: 2 of 2 · 4 Command Tokens"
    table.press("end", player=BO)
    table.press("start")
    assert table.line().startswith("Round 2 · Ana's turn · orders in group 1: 3 of 3")


def test_a_loss_of_lieutenant_makes_every_order_irregular_and_ends_suppressive_fire() -> None:
    table = Table(TROOPERS)
    table.press("start")
    table.press("plain", "Bea", what="fires")
    assert table.states("Bea") == ("Suppressive Fire",)
    table.press("end")
    table.press("start", player=BO)
    table.press("end", player=BO)
    table.press("state", "Ada", begins="Unconscious")
    told = table.press("start")
    assert "Loss of Lieutenant" in told
    assert table.line() == "Round 2 · Ana's turn · Irregular 3 · tactical 1 · Impetuous 1 · 4 Command Tokens"
    assert table.states("Bea") == ()


def test_retreat_is_said_by_its_owner() -> None:
    """Whoever runs is hidden no more."""
    table = Table({**TROOPERS, "Eva": (ANA, "BS 11, PH 10, WIP 12, W 1, LI, Camouflage, Camouflaged")})
    assert table.states("Eva") == ("Camouflaged",)
    told = table.press("start", retreats="yes")
    assert "The army is in Retreat!" in told
    assert (table.states("Bea"), table.states("Eva")) == (("Retreat",), ("Retreat",))
    assert "Impetuous" not in table.line()


def test_command_tokens_leave_with_their_uses() -> None:
    table = begun()
    told = table.press("command", use="regular", who="Cas")
    assert told == "spends a Command Token on Cas: An Irregular Order becomes Regular"
    assert "orders in group 1: 4 of 4 · Lt 1" in table.line()
    assert "3 Command Tokens" in table.line()
    for _ in range(3):
        table.press("command", use="other")
    with pytest.raises(PlayerError, match="You have no Command Tokens left"):
        table.press("command", use="other")


def test_the_wrong_kind_of_order_is_corrected_by_one_press() -> None:
    table = begun(*[15] * 9)
    table.press("order", "Dot", target="Zond", at="8-16")
    table.take("roll")
    assert "orders in group 1: 2 of 3" in table.line()
    assert "tactical 1" in table.line()
    table.press("paid-tactical")
    assert "orders in group 1: 3 of 3" in table.line()
    assert "tactical" not in table.line()


def test_every_number_can_be_typed_over() -> None:
    table = begun()
    table.press("numbers", TURN, ANA, **{"group-1": "7", "group-2": "2", "tokens": "1", "round": "3"})
    assert table.line().startswith("Round 3 · Ana's turn · orders in group 1: 7 of 7 · orders in group 2: 2 of 2")
    assert table.line().endswith("1 Command Token")


def test_a_fireteam_has_a_level_that_falls_with_its_members() -> None:
    table = begun(*[15] * 9)
    table.press("team", called="Core 1", members="Ada, Bea, Dot", level="3")
    table.order("Bea combi at 10 vs Hector dodge")
    assert table.state is not None
    assert isinstance(table.state.declared, Order)
    shot, _ = table.state.declared.rolls
    assert (shot.special, shot.burst) == (1, 3)
    table.press("state", "Dot", begins="Unconscious")
    table.order("Bea discover at 10 vs Hector Camouflaged")
    assert [(team.members, team.level) for team in table.turn.teams] == [(("Ada", "Bea"), 3)]
    table.take("withdraw")
    told = table.press("team", called="Duo", members="Ada, Bea", level="3")
    assert told == "makes Ada and Bea a Fireteam of level 2: Duo. A Fireteam with 2 members can't have a higher level"
    assert table.press("team", called="Duo", members="") == "ends the Fireteam Duo"
    assert table.turn.teams == ()
    with pytest.raises(PlayerError, match="A Fireteam has 2 to 5 members"):
        table.press("team", called="Duo", members="Ada")


def test_fireteams_are_made_before_the_first_turn_each_of_ones_own_troopers() -> None:
    table = Table(TROOPERS)
    offers = {item.key: item for item in controls.table_offers(table.pieces) if item.key.startswith("team")}
    assert {key: item.player for key, item in offers.items()} == {f"team-{ANA}": ANA, f"team-{BO}": BO}
    for key, item in offers.items():
        (members,) = (field for field in item.fields if field.key == "members")
        owners = {table.trooper(option.value).owner for option in members.options}
        assert owners == {item.player}, key
    table.press(f"team-{ANA}", called="Core 1", members="Ada, Bea, Dot", level="3")
    assert [(team.owner, team.members) for team in table.turn.teams] == [(ANA, ("Ada", "Bea", "Dot"))]
    table.press("start")
    assert [team.name for team in table.turn.teams] == ["Core 1"]
    assert [item.key for item in controls.table_offers(table.pieces) if item.key.startswith("team")] == ["team"]


def test_a_fireteam_ends_with_its_leader_who_is_whoever_got_the_last_order() -> None:
    table = begun(*[15] * 9)
    table.press("team", called="Core 1", members="Ada, Bea, Dot", level="3")
    table.order("Bea combi at 10 vs Zond")
    table.take("roll")
    table.press("state", "Ada", begins="Isolated")
    assert [team.members for team in table.turn.teams] == [("Bea", "Dot")], "Ada is only a member"
    table.press("state", "Bea", begins="Isolated")
    assert table.turn.teams == ()


def test_who_reacts_unlike_most_of_its_fireteam_leaves_it() -> None:
    table = begun(*[15] * 30)
    table.press("team", called="Core 1", player=BO, members="Hector, Ninja, Zond", level="3")
    table.order("Bea combi b1 at 10 vs Hector; Bea combi b1 at 10 vs Ninja; Bea combi b1 at 10 vs Zond")
    table.take("aro", who="Hector", does="dodge")
    table.take("aro", who="Ninja", does="dodge")
    table.take("aro", who="Zond", does="Combi")
    table.take("roll")
    assert [(team.members, team.left) for team in table.turn.teams] == [(("Hector", "Ninja"), ("Zond",))]
    assert table.state is not None
    assert "no longer in a Fireteam: Zond" in str(card(table.state, {}).below)


def test_a_fireteam_that_ends_with_its_leader_is_named_on_the_card() -> None:
    table = begun(3, 4, 19, 20, 20)
    table.press("team", called="Duo", player=BO, members="Ninja, Zond", level="2")
    table.order("Bea combi at 10 vs Zond")
    table.take("roll")
    assert table.turn.teams
    table.take("all-defender")
    assert table.states("Zond") == ("Dead",)
    assert table.turn.teams == ()
    assert table.state is not None
    assert "no longer in a Fireteam: Ninja and Zond" in str(card(table.state, {}).below)


def test_who_left_a_fireteam_may_rejoin_it_in_the_states_phase() -> None:
    table = begun()
    table.press("team", called="Core 1", members="Ada, Bea, Dot", level="3")
    table.press("plain", "Dot", what="fires")
    assert [team.members for team in table.turn.teams] == [("Ada", "Bea")]
    table.press("state", "Dot", ends="Suppressive Fire")
    assert table.press("end") == "starts the States Phase of round 1"
    assert table.press("rejoin-0") == "Dot is back in its Fireteam"
    assert [team.members for team in table.turn.teams] == [("Ada", "Bea", "Dot")]
    table.press("end")
    assert table.line() == "Round 1 · Bo is next"


def test_who_is_in_another_group_leaves_its_fireteam() -> None:
    table = begun()
    table.press("team", called="Core 1", members="Ada, Bea, Dot", level="3")
    table.press("command", use="move", who="Dot")
    assert [team.members for team in table.turn.teams] == [("Ada", "Bea")]


def test_suppressive_fire_ends_by_the_next_order() -> None:
    table = begun(*[15] * 9)
    table.press("plain", "Bea", what="fires")
    assert "orders in group 1: 2 of 3" in table.line()
    table.press("order", "Bea", target="Hector", weapon="Combi", at="8-16")
    table.take("roll")
    assert table.states("Bea") == ()


def test_who_saved_and_stands_makes_a_guts_roll_in_a_turn_even_without_a_wound() -> None:
    """Section 6: any attack that made it roll saves; Courage, Engaged and Immobilized troopers make none."""
    for skill, state, rolls in (("", "", 1), ("Courage", "", 0), ("Religious Troop", "", 0), ("", "Engaged", 0)):
        troopers = {**TROOPERS, "Hector": (BO, f"BS 13, WIP 13, ARM 3, W 2, {COMBI}, {skill}".rstrip(", "))}
        table = Table(troopers, faces(3, 20, 20, 2, 14))
        table.press("start")
        if state:
            table.press("state", "Hector", begins=state)
        table.order("Bea combi at 10 vs Hector")
        table.take("roll")
        table.take("all-defender")
        assert table.state is not None
        assert [item.passed for item in table.state.guts] == [False] * rolls
        assert table.trooper("Hector").lost == 0


def test_a_guts_roll_may_be_failed_and_ends_suppressive_fire() -> None:
    table = begun(3, 20, 20, 2)
    table.press("state", "Hector", begins="Suppressive Fire")
    table.order("Bea combi at 10 vs Hector")
    table.take("roll")
    table.take("save")
    assert table.offered()["fail-1"] == "Hector chooses to fail the Guts Roll"
    table.take("fail-1")
    assert table.states("Hector") == ()
    assert table.state is not None
    assert "Hector fails the Guts Roll." in str(card(table.state, {}).outcome)
    assert "guts-1" not in table.offered()


def test_stun_ammunition_fails_the_guts_roll_without_a_die() -> None:
    troopers = {**TROOPERS, "Bea": (ANA, "BS 12, Stunner: B1 PS 7 Stun BTS nonlethal +3@16")}
    table = Table(troopers, faces(3, 20))
    table.press("start")
    table.order("Bea stunner at 10 vs Hector")
    table.take("roll")
    table.take("all-defender")
    assert table.states("Hector") == ("Stunned",)
    assert table.state is not None
    assert [(item.passed, item.dice) for item in table.state.guts] == [(False, ())]


def test_the_line_stands_on_the_card_before_and_after_the_dice() -> None:
    table = begun(*[15] * 9)
    table.order("Bea combi at 10 vs Hector")
    line = "Regular Order · Round 1 · Ana's turn · orders in group 1: 2 of 3"
    assert table.state is not None
    assert str(card(table.state, {Side.ATTACKER: "Ana"}).small).startswith(line)
    table.take("roll")
    assert table.state is not None
    assert str(card(table.state, {Side.ATTACKER: "Ana"}).below).startswith(line)


# A Move first: AROs, the second skill, AROs of who had none (rules page, An order, steps 1 to 4)


def moved(*fall: int) -> Table:
    table = begun(*fall)
    table.order({"moves": "Bea"})
    return table


def test_aros_to_a_move_come_before_the_second_skill_is_said() -> None:
    table = moved(9, 19, 19, 11, 12)
    assert "orders in group 1: 2 of 3" in table.line(), "the order is spent as it opens"
    offered = table.offered()
    assert [offered[key] for key in ("quick-5-0", "quick-6-0", "quick-7-0", "aro", "second")] == [
        *("Hector: Dodge", "Ninja: Dodge", "Zond: Dodge", "Add an ARO"),
        "No more AROs: second skill",
    ]
    table.take("aro", who="Hector", does="Combi", at="8-16")
    table.take("second")
    assert table.offered() == {"attack-1": "Bea: weapon and distance", "idle": "Second skill without dice"}
    table.take("attack-1", target="Hector", weapon="Combi", at="8-16")
    assert "quick-5-0" not in table.offered(), "who had an ARO has no other one"
    table.take("roll")
    assert table.state is not None
    assert isinstance(table.state.declared, Order)
    rolls = [(roll.name, str(roll.side), roll.sv, roll.burst) for roll in table.state.declared.rolls]
    assert rolls == [("Bea", "attacker", 15, 3), ("Hector", "defender", 16, 1)]
    assert [meeting.b for meeting in table.state.declared.meetings] == [1]
    assert table.trooper("Bea").last == "Bea Combi at 8-16 vs Hector"


def test_who_had_no_aro_to_the_move_may_react_to_the_second_skill() -> None:
    table = moved(*[15] * 9)
    table.take("second")
    table.take("attack-1", target="Zond", weapon="Combi", at="0-8")
    assert "Zond: Dodge" in table.offered().values()
    table.take("aro", who="Hector", does="Combi", at="8-16")
    assert "aro" in table.offered()
    table.take("roll")
    assert table.fallen() == 2


def test_aros_to_a_move_without_another_skill_are_normal_rolls_with_burst_one() -> None:
    table = moved(3, 14, 20)
    table.take("aro", who="Hector", does="Combi", at="8-16")
    table.take("quick-6-0")
    table.take("second")
    table.take("idle")
    table.take("roll")
    assert table.state is not None
    assert isinstance(table.state.declared, Order)
    rolls = [(roll.name, str(roll.side), roll.burst) for roll in table.state.declared.rolls]
    assert rolls == [("Hector", "defender", 1), ("Ninja", "defender", 1)]
    assert all(meeting.b is None for meeting in table.state.declared.meetings)
    assert table.offered()["all-attacker"] == "Saves and Guts: active side"
    table.take("all-attacker")
    assert table.trooper("Bea").lost == 1
    assert table.trooper("Bea").last == "", "it made no attack that could be made again"


def test_a_move_that_nobody_reacts_to_is_an_order_all_the_same() -> None:
    table = moved()
    table.take("second")
    table.take("idle")
    assert table.offered()["roll"] == "No AROs: end the order"
    table.take("roll")
    assert table.offered() == {}
    assert table.state is not None
    assert str(card(table.state, {}).outcome) == "Bea moves. Nobody reacts; nothing was rolled."
    assert "orders in group 1: 2 of 3" in table.line()
    table.undo()
    assert "roll" in table.offered()


def test_a_move_ends_suppressive_fire_before_anybody_reacts_and_is_given_back() -> None:
    table = begun(*[15] * 9)
    table.press("state", "Bea", begins="Suppressive Fire")
    table.order({"moves": "Bea"})
    assert table.states("Bea") == ()
    table.take("withdraw")
    assert "orders in group 1: 3 of 3" in table.line()


def test_a_move_out_of_order_waits_as_any_order_does() -> None:
    table = begun()
    table.order({"moves": "Hector"})
    assert list(table.offered()) == ["anyway", "withdraw"]
    table.take("anyway")
    assert "second" in table.offered()
    assert "orders in group 1: 3 of 3" in table.line()


def test_what_cannot_attack_has_no_second_skill_with_dice() -> None:
    table = begun()
    table.press("state", "Bea", begins="Stunned")
    table.order({"moves": "Bea"})
    table.take("second")
    assert "attack-1" not in table.offered()
    assert "roll" in table.offered()


# Saving Rolls alone: ``/infinity save``


def test_saving_rolls_alone_are_followed_by_the_guts_roll_that_the_turn_asks_for() -> None:
    table = Table(TROOPERS, faces(3, 18))
    table.press("start")
    table.press("state", "Hector", begins="Suppressive Fire")
    table.order({"hits": 1, "ps": 7, "name": "Hector"})
    assert table.trooper("Hector").lost == 0
    assert table.offered() == {
        "guts-1": "Guts Roll: Hector (WIP 13)",
        "fail-1": "Hector chooses to fail the Guts Roll",
    }
    table.take("guts-1")
    assert table.states("Hector") == ()
    assert table.offered() == {}
    assert table.turn.pools[0].left == 3, "no order is spent by it"


def test_without_a_turn_only_a_wound_asks_for_a_guts_roll() -> None:
    table = Table(TROOPERS, faces(3, 20, 5))
    table.order({"hits": 1, "ps": 7, "name": "Hector"})
    assert table.offered() == {}
    table.order({"hits": 1, "ps": 7, "name": "Hector"})
    assert table.offered() == {"guts-1": "Guts Roll: Hector (WIP 13)"}
    table.take("guts-1")
    assert TURN not in table.pieces


def test_one_button_leads_on_a_board_and_below_a_card_in_every_phase() -> None:
    """A walk over whole turns: before the first one, with orders left, with none, in the States Phase, between two."""

    def leading(table: Table) -> list[str]:
        shown = controls.first(table.pieces, ANA), controls.first(table.pieces, BO)
        every = {item.key: item for name in filter(None, shown) for item in controls.offers(table.pieces, name)}
        every |= {item.key: item for item in controls.table_offers(table.pieces)}
        return [key for key, item in every.items() if item.rank in (ButtonRank.MAIN, ButtonRank.LEADS)]

    def next_ones(table: Table) -> list[str]:
        ranks = (ButtonRank.MAIN, ButtonRank.LEADS)
        return [item.key for _, item in controls.next_offers(table.pieces) if item.rank in ranks]

    it = Table({**TROOPERS, "Bag": (ANA, "BS 11, PH 10, W 1, REM, Baggage, Regeneration")}, faces(3, 9, *[11] * 20))
    assert leading(it) == ["lieutenant"]
    it.press("lieutenant", TURN, ANA, **{f"wip-{BO}": "13"})
    assert leading(it) == ["keeps"]
    it = begun(*[11] * 20)
    for _ in range(3):
        assert (leading(it), next_ones(it)) == (["order"], ["order"])
        it.press("plain", "Bea", what="moves")
    it.pieces[TURN] = replace(it.turn, pools=(), irregular=(), tactical=(), impetuous=(), lieutenant=0)
    assert (leading(it), next_ones(it)) == (["end"], ["end"])
    it.pieces["Bea"] = replace(it.trooper("Bea"), skills=("Regeneration",), lost=1)
    it.press("end")
    assert (it.turn.phase, leading(it)) == ("states", ["end"])
    it.press("end")
    assert leading(it) == ["start"]


def test_a_tile_of_the_board_shows_wounds_states_orders_and_the_marker() -> None:
    it = begun()
    it.pieces["Hector"] = replace(it.trooper("Hector"), lost=1, states=("Targeted",))
    it.pieces["Ninja"] = replace(it.trooper("Ninja"), lost=1, states=("Unconscious",))
    it.pieces["Dot"] = replace(it.trooper("Dot"), group=2)
    it.press("team", called="Core", members="Ada, Bea", level="2")
    figure = troopers.picture(it.pieces, NAMES)
    assert english(plain_text.figure(figure)).splitlines() == [
        "Ana, group 1:",
        "Ada, Wounds 1 of 1, Fireteam: Core.",
        "Bea, Wounds 2 of 2, Fireteam: Core.",
        "Cas, Wounds 1 of 1, Irregular Order, Impetuous Order.",
        "Ana, group 2:",
        "Dot, Wounds 1 of 1, Tactical Order.",
        "Bo:",
        "Hector, Wounds 1 of 2, Targeted.",
        "Ninja, Unconscious, Wounds 0 of 1.",
        "Zond, STR 1 of 1.",
    ]
    it.pieces[TURN] = replace(it.turn, pools=(), tactical=(), lieutenant=0)
    assert "Dot, no order," in english(plain_text.figure(troopers.picture(it.pieces, NAMES)))
    it.pieces[TURN] = replace(it.turn, pools=(), tactical=(), lieutenant=1)
    told = english(plain_text.figure(troopers.picture(it.pieces, NAMES)))
    assert "no order" not in told, "who may use the Lieutenant's Order is nobody else's business"
    assert troopers.picture({}, NAMES) is None
