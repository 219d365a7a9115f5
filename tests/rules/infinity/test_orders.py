"""Who rolls against whom in an order: the examples of the source and each bullet of the rules page."""

from typing import Any

import pytest

from bot.rules import infinity
from bot.rules.errors import BadInputError
from bot.rules.game import Side
from bot.rules.infinity.orders import typed_orders
from bot.rules.infinity.orders.play import State, landed_attacks
from bot.rules.infinity.troopers.declared import Meeting, Order


def no_dice(_: int) -> int:
    raise AssertionError("physical dice are not rolled")


def declared(text: str, **more: object) -> Order:
    order = infinity.declare({"order": text, **more})
    assert isinstance(order, Order)
    return order


def resolved(text: str) -> State:
    return infinity.start(declared(text), no_dice)


def winners(text: str) -> list[str]:
    """Who wins each comparison of several, in order."""
    told: Any = infinity.outcome(resolved(text))
    return [result["winner"] for result in told["results"]]


def met(text: str) -> list[tuple[int, int | None, str]]:
    return [(meeting.a, meeting.b, meeting.target) for meeting in declared(text).meetings]


def sides(text: str) -> dict[str, Side]:
    return {roll.name: roll.side for roll in declared(text).rolls}


def test_a_number_ends_the_name_behind_the_word_that_begins_it() -> None:
    lines = ["Ana 12 vs Bo 2 11", "Fusilier  2 12, Zhanshi 3 BS 11 against Morat 1 9 and Yaogat 4 8", "Ana 12"]
    assert typed_orders.numbered_names(lines) == ["bo 2", "fusilier 2", "zhanshi 3", "morat 1", "yaogat 4"]


def test_source_example_one() -> None:
    told = infinity.outcome(resolved("Angus SV 12 rolls 4 vs Ortega SV 11 rolls 7"))
    assert (told["winner"], told["a_hits"], told["b_hits"], told["b_crits"]) == ("b", 0, 1, 0)


def test_source_example_two_a_normal_roll_beside_a_face_to_face() -> None:
    text = "Angus 12 rolls 9 vs Ortega 11 rolls 7; Diaz 11 normal rolls 2 vs Angus"
    assert winners(text) == ["a", "a"]
    assert met(text) == [(0, 1, ""), (2, None, "Angus")]
    hits = [(hit.name, hit.side, hit.hits) for hit in landed_attacks(resolved(text))]
    assert hits == [("Ortega", Side.DEFENDER, 1), ("Angus", Side.ATTACKER, 1)]


def test_source_example_three_split_burst() -> None:
    text = "Angus 12 b2 rolls 9, 4 vs Ortega 11 rolls 5\nAngus 12 b1 rolls 11 vs Diaz 11 rolls 11"
    told: Any = infinity.outcome(resolved(text))
    ortega, diaz = told["results"]
    assert (ortega["winner"], ortega["a_hits"], ortega["a"]["fate"]) == ("a", 1, ["stands", "cancelled"])
    assert (diaz["winner"], diaz["b_hits"], diaz["b_crits"]) == ("b", 0, 1)


def test_a_dodge_is_one_roll_and_cancels_only_what_is_aimed_at_the_one_who_dodged() -> None:
    text = "Angus 12 template rolls 8 vs Ana, Ortega 11 rolls 3; Murat 13 rolls 10 vs Ana; Ana 10 dodge rolls 9"
    assert met(text) == [(0, 3, ""), (0, 1, ""), (2, 3, "")]
    assert winners(text) == ["b", "a", "a"]
    assert [(hit.name, hit.hits) for hit in landed_attacks(resolved(text))] == [("Ortega", 1), ("Ana", 1)]


def test_a_dodge_may_name_its_attackers_itself() -> None:
    by_name = "Angus 12 b2 vs Ana; Murat 13 vs Ana; Ana 10 dodge vs Angus and Murat"
    assert met(by_name) == [(0, 2, ""), (1, 2, "")]
    inline = "Ana 10 dodge vs Angus 12 b2, Murat 13"
    assert met(inline) == [(0, 1, ""), (0, 2, "")]


def test_a_dodge_is_compared_with_nobody_who_attacks_somebody_else() -> None:
    """Two shots give at most two hits, and friends are not compared with friends."""
    text = "Angus 12 b2 rolls 9, 8 vs Ortega 11 rolls 2; Ana 10 dodge rolls 7 vs Angus"
    assert met(text) == [(0, 1, ""), (2, None, "")]
    assert [(hit.name, hit.hits) for hit in landed_attacks(resolved(text))] == [("Ortega", 2)]
    assert declared(text).meetings[1].because == "unattacked"


def test_a_dodge_is_not_compared_with_a_normal_roll() -> None:
    text = (
        "Angus 12 b2 rolls 8, 8 vs Ortega 11 rolls 2; Angus 12 b1 rolls 3 vs Diaz 11 rolls 2;"
        "Murat 13 normal rolls 6 vs Ana; Ana 10 dodge rolls 9 vs Angus, Murat"
    )
    assert met(text) == [(0, 1, ""), (2, 3, ""), (4, None, "Ana"), (5, None, "")]
    assert [hit.name for hit in landed_attacks(resolved(text))] == ["Ortega", "Diaz", "Ana"]


@pytest.mark.parametrize(
    ("text", "because"),
    [
        ("Angus 12 vs Ortega 11; Murat 13 vs Ortega", ["", "elsewhere"]),
        ("Angus 12 vs Ortega", ["still"]),
        ("Angus 12 normal vs Ortega", [""]),
        ("Ana 10 dodge", ["unattacked"]),
        ("Ana 10 dodge vs Angus 12, Bo 12 reset", ["", "unattacked"]),
        ("Angus direct vs Ortega 11 b1", ["direct"] * 2),
    ],
)
def test_every_line_says_what_it_became(text: str, because: list[str]) -> None:
    assert [meeting.because for meeting in declared(text).meetings] == because


def test_a_direct_template_hits_without_a_roll() -> None:
    text = "Angus direct vs Ana 10 dodge rolls 9, Bo 10 dodge rolls 12, Cleo 11 rolls 3, Diaz"
    state = resolved(text)
    assert met(text) == [(0, 1, ""), (0, 2, ""), (0, None, "Cleo"), (0, None, "Diaz"), (3, None, "Angus")]
    assert [(hit.name, hit.hits) for hit in landed_attacks(state)] == [
        ("Bo", 1),
        ("Cleo", 1),
        ("Diaz", 1),
        ("Angus", 1),
    ]


def test_one_dodge_evades_every_direct_template_and_meets_a_shot_as_well() -> None:
    text = "Angus direct vs Ana; Bo direct vs Ana; Cleo 12 rolls 9 vs Ana; Ana 10 dodge rolls 7"
    state = resolved(text)
    assert [(hit.by, hit.hits) for hit in landed_attacks(state)] == [("Cleo", 1)]
    assert [(hit.by, hit.hits) for hit in landed_attacks(resolved(text.replace("rolls 7", "rolls 11")))] == [
        ("Angus", 1),
        ("Bo", 1),
        ("Cleo", 1),
    ]


def test_hacking_is_compared_with_a_reset_and_hits_nobody() -> None:
    text = "Fiona 13 hack rolls 9 vs Ortega 11 reset rolls 8"
    assert met(text) == [(0, 1, "")]
    assert landed_attacks(resolved(text)) == ()


def test_reactions_of_one_name_are_numbered() -> None:
    order = declared("Angus 12 b1 vs Fusilier 11; Angus 12 b1 vs Fusilier 11; Angus 12 b1 vs Fusilier 11")
    assert [roll.name for roll in order.rolls if roll.side is Side.DEFENDER] == [
        "Fusilier #1",
        "Fusilier #2",
        "Fusilier #3",
    ]


def test_friends_are_never_compared() -> None:
    with pytest.raises(
        BadInputError,
        match=r"`order` was Angus and Ana. Use enemies on both sides of `vs`: other lines make these two allies",
    ):
        declared("Ana 10 dodge; Angus 12 vs Ana; Bo 12 vs Angus; Bo 12 vs Ana")


def test_a_reaction_that_dodges_meets_every_attacker_with_the_same_dice() -> None:
    assert met("Angus 12 b2 vs Ortega 11 dodge; Murat 13 vs Ortega") == [(0, 1, ""), (2, 1, "")]


def test_an_attack_on_somebody_who_shoots_another_is_a_normal_roll() -> None:
    assert met("Angus 12 vs Ortega 11; Murat 13 vs Ortega") == [(0, 1, ""), (2, None, "Ortega")]


def test_two_lines_that_aim_at_each_other_are_one_face_to_face() -> None:
    assert met("Angus 12 vs Ortega; Ortega 11 vs Angus") == [(0, 1, "")]


def test_a_normal_roll_is_not_compared_even_with_one_aimed_back() -> None:
    assert met("Angus 12 vs Diaz; Diaz 11 normal vs Angus") == [(0, None, "Diaz"), (1, None, "Angus")]


def test_without_a_target_it_is_a_normal_roll() -> None:
    assert met("Angus 12 b2") == [(0, None, "")]
    assert met("Ana 10 dodge") == [(0, None, "")]
    assert met("Ana 10 dodge normal vs Angus") == [(0, None, "Angus")]


def test_a_target_without_a_roll_makes_it_a_normal_roll() -> None:
    assert met("Angus 12 b2 vs Ortega") == [(0, None, "Ortega")]


def test_names_are_compared_whatever_their_case() -> None:
    assert met("Angus 12 vs ana; Ana 10 dodge") == [(0, 1, "")]


@pytest.mark.parametrize(
    ("text", "active", "reactive"),
    [
        ("Angus 12 vs Ortega 11", {"Angus"}, {"Ortega"}),
        ("Diaz 11 normal vs Angus; Angus 12 vs Ortega 11", {"Angus"}, {"Diaz", "Ortega"}),
        ("Diaz 11 normal vs Angus; Angus 12 vs Ortega; Angus 12 vs Murat", {"Angus"}, {"Diaz"}),
        ("Ana 10 dodge vs Angus 12, Murat 13", {"Ana"}, {"Angus", "Murat"}),
        ("Angus 12 vs Ortega 11; Murat 13 vs Pavel 11", {"Angus", "Murat"}, {"Ortega", "Pavel"}),
    ],
)
def test_which_side_everybody_is_on(text: str, active: set[str], reactive: set[str]) -> None:
    result = sides(text)
    assert {name for name, side in result.items() if side is Side.ATTACKER} == active
    assert {name for name, side in result.items() if side is Side.DEFENDER} == reactive


def test_a_typed_edition_beats_the_one_given() -> None:
    assert declared("Angus 12", edition="n4").edition == "n4"
    assert declared("Angus 12 n5", edition="n4").edition == "n5"
    assert declared("Angus 12", edition="codeone").edition == "n4"
    assert declared("Angus 12 n3").edition == "n3"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Angus 12 b4 vs Ortega 11; Angus 12 b3 vs Diaz 11", "`Burst of Angus` was 7 dice. Use at most 6 dice"),
        ("Angus 12 b2 vs Ortega, Diaz 11", "`targets of Angus` was `Ortega, Diaz`. Use one target per line"),
        ("Angus 12 vs Ortega 11; Ortega 11 vs Murat", "`rolls of Ortega` was 2 rolls. Use one"),
        ("Ana 10 dodge; Ana 10 dodge", "`rolls of Ana` was 2 rolls. Use one"),
        ("Angus 12 vs Angus", "`targets of Angus` was `Angus`. Use someone else"),
        ("Ana 10 dodge vs Angus, Murat", "`targets of Ana` was `Angus`. Use attackers who roll in this order"),
        ("Ana 10 dodge vs Bo; Bo 10 reset", "`targets of Ana` was `Bo`. Use attackers who roll"),
        ("Murat 13 normal vs Angus 12", "`targets of Murat` was `Angus 12`. Use a name without numbers"),
        ("Angus 12 b2 rolls 9 vs Ortega 11 rolls 5", "`dice of Angus` was `9`. Use exactly 2 for Burst 2"),
        ("Angus 12 sd rolls 9 vs Ortega", "`dice of Angus` was `9`. Use exactly 2 for Burst 1 and 1 SD"),
        ("Angus 0 rolls 9 vs Ortega", "`dice of Angus` was `9`. Leave the dice out: a Success Value of 0 fails"),
        ("Angus direct rolls 9 vs Ortega", "`dice of Angus` was `9`. Leave the dice out: a Direct Template hits"),
    ],
)
def test_orders_that_contradict_the_rules(text: str, sentence: str) -> None:
    with pytest.raises(BadInputError) as refused:
        declared(text)
    assert str(refused.value).startswith(sentence)


def test_no_more_comparisons_than_a_card_can_show() -> None:
    lines = [f"A{item} 12 template vs " + ", ".join(f"B{item}{two} 11" for two in range(5)) for item in range(3)]
    with pytest.raises(BadInputError, match=r"`order` was 15 comparisons\. Use at most 12 comparisons"):
        declared("\n".join(lines))


def test_no_more_enemies_than_six_for_the_same_dice() -> None:
    attacks = "; ".join(f"A{number} 12 vs Ana" for number in range(7))
    with pytest.raises(BadInputError, match=r"`enemies of Ana` was 7 enemies. Use at most 6 with the same dice"):
        declared(f"{attacks}; Ana 10 dodge")


def test_an_automatic_failure_needs_no_faces_beside_physical_dice() -> None:
    order = declared("Angus 12 rolls 9 vs Ortega 0")
    assert order.meetings == (Meeting(a=0, b=1),)
    assert infinity.outcome(infinity.start(order, no_dice))["winner"] == "a"


def test_each_trooper_may_roll_by_hand_or_not() -> None:
    state = infinity.start(declared("Angus 12 rolls 9 vs Ortega 11"), lambda _: 4)
    assert [[(die.face, die.trail[0].how) for die in dice] for dice in state.dice] == [
        [(9, "entered")],
        [(5, "rolled")],
    ]
