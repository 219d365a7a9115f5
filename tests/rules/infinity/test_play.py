"""Infinity from declaration to Saving Rolls: what is offered to whom, when dice fall, and what follows."""

from collections import deque
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, strategies as st

from bot.rules import infinity
from bot.rules.errors import BadInputError, NotOfferedError, PlayerError, UnknownWordError
from bot.rules.game import Choice, Offer, OpenTo, Rules, Side
from bot.rules.infinity.orders.play import State, is_open, landed_attacks
from bot.rules.infinity.troopers.declared import Action, Order


class Dice:
    """An ``Rng`` that shows these faces in order, and fails when it is asked for more."""

    def __init__(self, *faces: int) -> None:
        self.faces = deque(faces)

    def __call__(self, sides: int) -> int:
        assert sides == 20
        return self.faces.popleft() - 1


NO_DICE = Dice()


def begun(case: Mapping[str, object], *faces: int) -> State:
    return infinity.start(infinity.declare(case), Dice(*faces))


def keys(state: State) -> list[tuple[str, Side]]:
    return [(offer.key, offer.side) for offer in infinity.offers(state)]


def take(state: State, key: str, *faces: int, **filled: str) -> State:
    return infinity.choose(state, Choice(key, filled=filled), Dice(*faces))


def otherwise(state: State) -> Offer:
    """The form for the Saving Rolls that a press would make, where more counts."""
    return next(offer for offer in infinity.offers(state) if offer.key.startswith("mods"))


def test_the_module_is_a_game() -> None:
    game: Rules = infinity
    assert (game.KEY, game.TITLE) == ("infinity", "Infinity")


def test_a_normal_roll_is_over_at_once_but_for_what_may_follow() -> None:
    state = begun({"sv": 12, "burst": 2}, 9, 15)
    told = infinity.outcome(state)
    assert (told["winner"], told["a_hits"], told["b"]) == ("a", 1, None)
    assert keys(state) == [("save", Side.DEFENDER), ("again", Side.ATTACKER)]


def test_no_die_falls_before_the_answer_is_in() -> None:
    state = begun({"sv_a": 12, "burst_a": 2, "open": True})
    assert is_open(state)
    assert state.dice == ()
    assert infinity.outcome(state) == {"withdrawn": False, "waiting_for": "b"}
    assert keys(state) == [("react", Side.DEFENDER), ("withdraw", Side.ATTACKER)]
    react = infinity.offers(state)[0]
    assert [field.key for field in react.fields] == ["sv", "kind", "around", "mods", "dice"]
    assert "shoot" in {option.value for option in react.fields[1].options}
    assert react.fields[2].several


def test_the_answer_makes_both_sides_dice_fall() -> None:
    state = take(begun({"sv_a": 12, "open": True, "name_b": "Ortega"}), "react", 4, 7, sv="11")
    told: Any = infinity.outcome(state)
    assert (told["winner"], told["b_hits"], told["b"]["name"]) == ("b", 1, "Ortega")
    assert not is_open(state)
    assert keys(state) == [("save", Side.ATTACKER), ("again", Side.ATTACKER)]


def test_the_answer_in_full() -> None:
    filled = {"sv": "14-3", "mods": "b2 sd, -3, +6", "kind": "dodge"}
    state = take(begun({"sv_a": 12, "open": True}), "react", 1, 9, 8, 20, **filled)
    assert isinstance(state.declared, Order)
    reaction = state.declared.rolls[1]
    assert (reaction.attribute, [mod.number for mod in reaction.mods], reaction.sv) == (14, [-3, -3, 6], 14)
    assert (reaction.burst, reaction.special, reaction.action) == (2, 1, Action.DODGE)
    assert reaction.side is Side.DEFENDER
    assert [die.face for die in state.dice[1]] == [9, 8, 20]


def test_an_answer_may_name_the_attribute_cc_which_is_an_action_too() -> None:
    state = take(begun({"sv_a": 12, "open": True}), "react", 1, 9, sv="cc 14", kind="dodge")
    assert isinstance(state.declared, Order)
    assert (state.declared.rolls[1].stat, state.declared.rolls[1].action) == ("CC", Action.DODGE)


@pytest.mark.parametrize(
    ("filled", "named"),
    [
        ({"sv": "eleven"}, "`sv`"),
        ({"sv": "11 vs Ana"}, "`sv`"),
        ({"sv": "41"}, "`Success Value`"),
        ({"sv": "11", "mods": "b7"}, "`Burst`"),
        ({"sv": "11", "mods": "two"}, "`mods`"),
        ({"sv": "11", "mods": "dodge"}, "`mods`"),
        ({"sv": "11", "around": "at 20"}, "`What applies`"),
        ({"sv": "11", "around": "cover,low"}, "`What applies`"),
        ({"sv": "11", "dice": "nine"}, "`Your die, if you roll it by hand`"),
        ({"sv": "11", "mods": "rolls nine"}, "`nine`"),
        ({"sv": "11", "mods": "3"}, "`mods`"),
        ({"sv": "11", "mods": "-13"}, "`MOD`"),
        ({"sv": "11", "kind": "jump"}, "`Your action`"),
        ({"sv": "11", "kind": "Dodge"}, "`Your action`"),
        ({"sv": ""}, "`Trooper and weapon, or an SV`"),
        ({"sv": "1" * 101}, "`Trooper and weapon, or an SV`"),
    ],
)
def test_an_answer_that_does_not_read_is_refused_by_its_field(filled: Mapping[str, str], named: str) -> None:
    state = begun({"sv_a": 12, "open": True})
    with pytest.raises((BadInputError, UnknownWordError), match=named):
        take(state, "react", **filled)


def test_the_asker_may_withdraw() -> None:
    state = take(begun({"sv_a": 12, "open": True}), "withdraw")
    assert infinity.offers(state) == ()
    assert infinity.outcome(state) == {"withdrawn": True, "waiting_for": "nobody"}
    assert not is_open(state)


def test_each_side_of_an_open_roll_says_for_itself_whether_it_rolls_by_hand() -> None:
    state = begun({"a": {"sv": 12, "dice": [9, 4]}, "open": True})
    with pytest.raises(BadInputError, match="exactly 1 for Burst 1"):
        take(state, "react", sv="11", mods="b1 rolls 5, 6")
    with pytest.raises(BadInputError, match="`each face` was `21`"):
        take(state, "react", sv="11", mods="rolls 21")
    two = take(state, "react", sv="11", mods="b2 rolls 5, 6")
    assert [die.face for die in two.dice[1]] == [5, 6]
    by_hand, by_bot = take(state, "react", sv="11", dice="5"), take(state, "react", 5, sv="11")
    for answered in (by_hand, by_bot):
        assert infinity.outcome(answered)["a_hits"] == 1
        assert keys(answered) == [("save", Side.DEFENDER)]
    assert (by_hand.dice[1][0].trail[0].how, by_bot.dice[1][0].trail[0].how) == ("entered", "rolled")
    only_answer = take(begun({"sv_a": 12, "open": True}), "react", 9, sv="11", dice="5")
    assert [dice[0].trail[0].how for dice in only_answer.dice] == ["rolled", "entered"]
    assert take(state, "react", sv="0").dice[1] == ()


def test_physical_dice_are_marked_and_never_rolled() -> None:
    state = begun({"a": {"sv": 12, "dice": [9]}, "b": {"sv": 11, "dice": [5]}})
    assert {die.trail[0].how for dice in state.dice for die in dice} == {"entered"}
    assert {die.trail[0].how for dice in begun({"sv": 12}, 9).dice for die in dice} == {"rolled"}


def test_below_success_value_one_no_die_falls() -> None:
    state = begun({"sv_a": 0, "burst_a": 3, "sv_b": 11}, 20)
    assert [len(dice) for dice in state.dice] == [0, 1]
    assert infinity.outcome(state)["winner"] == "nobody"
    assert infinity.offers(begun({"sv": 0})) == ()


def test_again_rolls_both_sides_anew_with_the_same_values() -> None:
    state = begun({"sv_a": 12, "sv_b": 11}, 13, 12)
    assert keys(state) == [("again", Side.ATTACKER)]
    again = take(state, "again", 3, 4)
    assert again.declared == state.declared
    assert infinity.outcome(again)["winner"] == "b"


def test_whoever_won_with_a_dodge_hit_nobody() -> None:
    for attack, kind in (("shoot", "dodge"), ("hack", "reset")):
        state = begun({"sv_a": 12, "kind_a": attack, "sv_b": 11, "kind_b": kind}, 3, 9)
        assert infinity.outcome(state)["b_hits"] == 1
        assert landed_attacks(state) == ()
    assert keys(begun({"sv": 12, "kind": "dodge"}, 9)) == [("again", Side.ATTACKER)]


def test_saving_rolls_follow_hits_and_are_made_once() -> None:
    state = begun({"sv_a": 12, "burst_a": 2, "sv_b": 11}, 12, 9, 3)
    save = infinity.offers(state)[0]
    assert (save.key, save.side, save.label) == ("save", Side.DEFENDER, "Saving Rolls (2)")
    saved = take(state, "save", 20, 1, 11, weapon="n ps 7", armour="3")
    assert infinity.outcome(saved)["saves"] == [
        {
            "name": "",
            "result": 0,
            "ammo": "N",
            "sv": 10,
            "saves": 3,
            "dice": [20, 1, 11],
            "attribute": ["ARM", "ARM", "ARM"],
            "extra": [False, False, True],
            "fate": ["failed", "passed", "failed"],
            "failed": 2,
            "passed": 1,
            "wounds": 2,
            "state": "",
        }
    ]
    assert saved.dice == state.dice
    assert keys(saved) == [("guts-1", Side.DEFENDER), ("again", Side.ATTACKER)]
    with pytest.raises(NotOfferedError):
        take(saved, "save", weapon="n ps 7", armour="3")


def test_the_form_of_the_saving_rolls() -> None:
    state = begun({"sv_a": 12, "sv_b": 11, "name_b": "Ana"}, 9, 3)
    assert infinity.offers(state)[0].label == "Ana saves (1)"
    filled = {"weapon": "Plasma PS 7", "armour": "2/6", "mods": "cover, -6", "dice": "6, 11"}
    (saved,) = take(state, "save", **filled).saves
    assert (saved.save.profile.arm, saved.save.profile.bts, saved.save.cover) == (2, 6, True)
    assert [mod.number for mod in saved.save.mods] == [-6]
    assert [die.trail[0].how for die in saved.dice] == ["entered", "entered"]
    assert saved.save.name == "Ana"


def test_the_extra_save_of_a_critical_has_its_own_field() -> None:
    """T2, one hit and one Critical, PS 6, ARM 4: the last face costs one Wound only."""
    state = begun({"sv_a": 12, "burst_a": 2, "sv_b": 11, "ammo_a": "T2", "ps_a": 6, "arm_b": 4}, 12, 9, 3)
    save = otherwise(state)
    assert [(field.key, field.label) for field in save.fields[3:]] == [
        ("dice", "2 save dice, if you roll by hand"),
        ("extra", "Die for the Critical's extra save"),
    ]
    item = begun({"sv_a": 12, "sv_b": 11, "ammo_a": "N", "ps_a": 6, "arm_b": 4}, 9, 3)
    assert otherwise(item).fields[3].label == "Save die, if you roll by hand"
    for dice, extra, lost in (("3, 19", "20", 3), ("20, 19", "3", 4)):
        told: Any = infinity.outcome(take(state, "mods", weapon="T2 PS 6", armour="ARM 4", dice=dice, extra=extra))
        assert told["saves"][0]["wounds"] == lost
    assert len(infinity.offers(begun({"sv_a": 12, "sv_b": 11}, 9, 3))[0].fields) == 4, "no Critical, no extra save"


def test_the_form_says_which_face_of_plasma_is_saved_with_what() -> None:
    plasma = {"sv_a": 12, "burst_a": 2, "sv_b": 11, "ammo_a": "Plasma", "ps_a": 6, "arm_b": 4, "bts_b": 0}
    assert [field.label for field in otherwise(begun(plasma, 12, 9, 3)).fields[3:]] == [
        "4 dice, ARM and BTS in turn, by hand",
        "Die for the Critical's extra save (ARM)",
    ]
    hit = {"weapon": "Plasma PS 6", "armour": "ARM 4 BTS 0", "dice": "10, 7, 11, 6", "extra": "10"}
    (saved,) = take(begun(plasma, 12, 9, 3), "mods", **hit).saves
    told: Any = infinity.outcome(take(begun(plasma, 12, 9, 3), "mods", **hit))
    assert told["saves"][0]["failed"] == 2, "7 against BTS 0 and 11 against ARM 4"
    assert saved.save.profile.bts == 0


def test_each_die_of_a_save_has_a_field_that_says_what_it_is_made_with() -> None:
    plasma = {"sv_a": 12, "burst_a": 2, "sv_b": 11, "ammo_a": "Plasma", "ps_a": 6, "arm_b": 4, "bts_b": 0}
    state = begun(plasma, 12, 9, 3)
    (offer,) = (item for item in infinity.offers(state) if item.key == "hand")
    assert [field.label for field in offer.fields] == [
        "Save with ARM (1 of 5)",
        "Save with BTS (2 of 5)",
        "Save with ARM (3 of 5)",
        "Save with BTS (4 of 5)",
        "Critical's extra save with ARM (5 of 5)",
    ]
    faces = {f"dice-{number}": face for number, face in enumerate(("10", "7", "11", "6", "10"), 1)}
    told: Any = infinity.outcome(take(state, "hand", **faces))
    assert told["saves"][0]["failed"] == 2, "7 against BTS 0 and 11 against ARM 4"
    with pytest.raises(BadInputError, match="Enter a value"):
        take(state, "hand", **(faces | {"dice-5": ""}))
    many = begun(plasma | {"burst_a": 3}, 12, 9, 8, 3)
    (offer,) = (item for item in infinity.offers(many) if item.key == "hand")
    assert [field.label for field in offer.fields] == ["7 dice, extra saves last: 1"]
    told = infinity.outcome(take(many, "hand", dice="10, 7, 11, 6, 1, 1, 10"))
    assert told["saves"][0]["failed"] == 2


def test_the_form_of_the_saving_rolls_is_filled_with_what_was_declared() -> None:
    weapon = {"ammo_a": "DA", "ps_a": 6, "arm_b": 2, "bts_b": 3, "around_a": "cover"}
    save = otherwise(begun({"sv_a": 12, "sv_b": 11, **weapon}, 8, 3))
    assert [field.value for field in save.fields] == ["PS 6 DA", "ARM 2 BTS 3", "cover", ""]
    assert save.fields[0].label == "Ammunition and PS"
    saved = take(
        begun({"sv_a": 12, "sv_b": 11, **weapon}, 8, 3), "mods", 13, 14, weapon="PS 6 DA", armour="ARM 2 BTS 3"
    )
    assert infinity.outcome(saved)["saves"][0]["sv"] == 8  # type: ignore[index]  # JSON words
    unknown = infinity.offers(begun({"sv_a": 12, "sv_b": 11, "edition": "n4"}, 9, 3))[0]
    assert [field.value for field in unknown.fields] == ["", "", "", ""]
    assert unknown.fields[0].label == "Ammunition and Damage"


def test_the_weapon_that_is_known_fills_what_the_form_leaves_out() -> None:
    state = begun({"order": "Murat 12 rolls 9 AP PS 5 continuous vs Angus ARM 5 BTS 3"})
    save = otherwise(state)
    assert (save.label, save.fields[0].value, save.fields[1].value) == (
        "Other weapon or MODs: Angus against Murat",
        "PS 5 AP continuous",
        "ARM 5 BTS 3",
    )


def test_what_is_known_is_saved_by_a_press() -> None:
    """Two hits on Ortega, one on Diaz: a press for each, and a form for each trooper's next save."""
    shots = "Angus 12 N PS 7 vs Ortega ARM 1 W 1; Murat 12 E/M PS 5 vs Ortega; Bo 12 N PS 7 vs Diaz ARM 1 BTS 3"
    state = begun({"order": shots}, 9, 9, 9)
    result = [(offer.key, bool(offer.fields), offer.label) for offer in infinity.offers(state)[:-1]]
    assert result == [
        ("save-1", False, "Ortega saves: Angus (1)"),
        ("save-2", True, "Ortega saves: Murat (1)"),
        ("save-3", False, "Diaz saves (1)"),
        ("hand-1", True, "Real dice: Ortega against Angus"),
        ("hand-3", True, "Real dice: Diaz against Bo"),
        ("mods-1", True, "Other weapon or MODs: Ortega against Angus"),
        ("mods-3", True, "Other weapon or MODs: Diaz against Bo"),
    ], "Ortega's BTS is not known, and E/M use BTS: the form asks"
    saved = take(state, "save-1", 9)
    assert infinity.outcome(saved)["saves"][0]["fate"] == ["failed"]  # type: ignore[index]  # JSON words
    assert [key for key, _ in keys(saved)] == ["save-2", "save-3", "hand-3", "mods-3", "again"]
    assert [key for key, _ in keys(take(state, "mods-3", 1, weapon="N PS 7", armour="1"))] == [
        *("save-1", "save-2", "hand-1", "mods-1", "again")
    ]
    both = begun({"order": "Angus 12 N PS 7 vs Ortega ARM 1 W 1; Murat 12 N PS 5 vs Ortega"}, 9, 9)
    assert [key for key, _ in keys(both)] == ["save-1", "save-2", "hand-1", "mods-1", "again"]
    assert [key for key, _ in keys(take(both, "save-1", 1))] == ["save-2", "hand-2", "mods-2", "again"]


@pytest.mark.parametrize(
    ("filled", "named"),
    [
        ({"weapon": "laser 7"}, "`weapon`"),
        ({"weapon": "N x"}, "`weapon`"),
        ({"weapon": "N PS 31"}, "`PS`"),
        ({"weapon": "N"}, "`ps`"),
        ({"armour": "1 2 3"}, "`armour`"),
        ({"armour": "-1"}, "`armour`"),
        ({"armour": "ARM"}, "`armour`"),
        ({"armour": "shield 3"}, "`armour`"),
        ({"mods": "behind a wall"}, "`mods`"),
        ({"dice": "21"}, "`dice`"),
        ({"dice": "4, 5"}, "`dice`"),
        ({"weapon": "plasma PS 7"}, "`bts`"),
        ({"weapon": "PARA PS 7", "armour": "ARM 3"}, "Use PH too"),
        ({"weapon": ""}, "`Ammunition and PS`"),
    ],
)
def test_saving_rolls_that_do_not_read_are_refused_by_their_field(filled: dict[str, str], named: str) -> None:
    state = begun({"sv_a": 12, "sv_b": 11}, 9, 3)
    with pytest.raises((BadInputError, UnknownWordError), match=named):
        take(state, "save", **({"weapon": "N PS 7", "armour": "3"} | filled))


def test_in_an_order_each_attack_that_hit_is_saved_against_on_its_own() -> None:
    text = "Angus 12 rolls 9 vs Ortega 11 rolls 5; Angus 12 rolls 11 vs Diaz 11 rolls 11"
    state = begun({"order": text})
    assert keys(state) == [("save-1", Side.DEFENDER), ("save-2", Side.ATTACKER)]
    assert [offer.label for offer in infinity.offers(state)] == [
        "Ortega saves (1)",
        "Angus saves (1)",
    ]
    saved = take(state, "save-2", 8, 9, weapon="n PS 7", armour="1")
    assert [save.save.name for save in saved.saves] == ["Angus"]
    assert keys(saved) == [("save-1", Side.DEFENDER), ("guts-1", Side.ATTACKER)]
    told: Any = infinity.outcome(saved)
    assert (len(told["results"]), told["saves"][0]["result"], told["saves"][0]["failed"]) == (2, 1, 1)


def test_saving_rolls_alone() -> None:
    state = begun({"hits": 2, "ps": 7, "arm": 1}, 8, 9)
    assert infinity.outcome(state)["failed"] == 1
    assert landed_attacks(state) == ()
    assert infinity.outcome(take(state, "again", 1, 1))["failed"] == 0
    assert infinity.offers(begun({"hits": 1, "ps": 7, "arm": 1, "dice": [4]})) == ()


@pytest.mark.parametrize("key", ["react", "withdraw", "save-1", "nonsense"])
def test_a_stale_press_is_refused(key: str) -> None:
    with pytest.raises(NotOfferedError):
        take(begun({"sv_a": 12, "sv_b": 11}, 9, 3), key, sv="11")


@given(
    st.integers(-3, 30), st.integers(1, 6), st.integers(0, 2), st.integers(1, 30), st.integers(1, 6), st.integers(0, 19)
)
def test_equal_chance_gives_equal_states_and_every_pressed_offer_can_be_taken(
    sv_a: int, burst_a: int, special: int, sv_b: int, burst_b: int, face: int
) -> None:
    declared = infinity.declare(
        {"sv_a": sv_a, "burst_a": burst_a, "special_dice_a": special, "sv_b": sv_b, "burst_b": burst_b}
    )
    first, second = (infinity.start(declared, lambda sides: face % sides) for _ in range(2))
    assert first == second
    for offer in infinity.offers(first):
        filled = {"weapon": "N PS 7", "armour": "1"} if offer.fields else None
        after = infinity.choose(first, Choice(offer.key, filled=filled), lambda sides: face % sides)
        assert [len(dice) for dice in after.dice] == [len(dice) for dice in first.dice]


# An open order: several people add their troopers' AROs, then all dice fall at once


def test_an_open_order_takes_reactions_until_its_dice_fall() -> None:
    state = begun({"order": "Angus 12 b2 vs Ortega; Murat 13 vs Ana", "open": True})
    assert is_open(state)
    assert keys(state) == [("aro", Side.DEFENDER), ("roll", Side.ATTACKER), ("withdraw", Side.ATTACKER)]
    assert infinity.offers(state)[0].may is OpenTo.JOINS
    state = take(state, "aro", aro="Ortega 11")
    state = take(state, "aro", aro="Ana 10 dodge")
    state = take(state, "aro", aro="Diaz 9 vs Murat")
    assert state.dice == ()
    fallen = take(state, "roll", 9, 4, 12, 5, 7, 15)
    told: Any = infinity.outcome(fallen)
    assert [item["winner"] for item in told["results"]] == ["a", "a", "nobody"]
    saves = [offer for offer in infinity.offers(fallen) if offer.key.startswith("save")]
    assert [(offer.label, offer.may is OpenTo.ANYBODY) for offer in saves] == [
        ("Ortega saves (1)", True),
        ("Ana saves (1)", True),
    ]


@pytest.mark.parametrize(
    ("aro", "words"),
    [
        ("Ortega 11 dogde", "`dogde`"),
        ("Ortega 11; Diaz 11", "one line"),
        ("Ortega", "Put a Success Value after the name, as in"),
        ("Angus 12", "a trooper without a roll in this order"),
    ],
)
def test_a_reaction_that_does_not_fit_is_refused_at_once(aro: str, words: str) -> None:
    state = begun({"order": "Angus 12 b2 vs Ortega; Murat 13 dodge", "open": True})
    with pytest.raises((BadInputError, UnknownWordError)) as refused:
        take(state, "aro", aro=aro)
    assert words in str(refused.value)


def test_an_open_order_may_be_withdrawn() -> None:
    state = take(begun({"order": "Angus 12 vs Ortega", "open": True}), "withdraw")
    assert infinity.offers(state) == ()
    assert infinity.outcome(state) == {"withdrawn": True, "waiting_for": "nobody"}


def test_the_guts_roll_of_somebody_whose_wip_nobody_said_asks_for_it() -> None:
    state = begun({"hits": 1, "ammo": "N", "ps": 7, "arm": 1}, 20)
    (offer,) = (item for item in infinity.offers(state) if item.key == "guts-1")
    assert [field.key for field in offer.fields] == ["wip"]
    assert take(state, "guts-1", 9, wip="12").guts[0].passed
    assert not take(state, "guts-1", 13, wip="12").guts[0].passed
    with pytest.raises(PlayerError):
        take(state, "guts-1", 13, wip="many")
