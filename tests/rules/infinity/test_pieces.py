"""What a roll brings upon the troopers of a channel, and what it takes them to have lost before."""

from dataclasses import replace
from typing import Final

import pytest

from bot.rules import infinity
from bot.rules.errors import PlayerError
from bot.rules.game import Choice, Side
from bot.rules.infinity.dice.saves import conditions
from bot.rules.infinity.orders.play import State
from bot.rules.infinity.table import pieces
from bot.rules.infinity.troopers.declared import Action
from bot.rules.infinity.troopers.trooper import PRIVATE, Roster, parse, with_states

ROSTER: Final[Roster] = {
    trooper.name: trooper
    for trooper in (
        parse("Angus", "BS 12, ARM 1, W 1, Combi: B3 PS 7"),
        parse("Ortega", "BS 11, PH 10, WIP 13, ARM 1, BTS 3, W 2, HI, Spotter: B1 WIP nosave state Targeted"),
    )
}


def no_dice(_: int) -> int:
    raise AssertionError("a piece rolled a die")


def begun(order: str, *faces: int) -> State:
    left = iter(faces)
    return infinity.start(pieces.declare({"order": order}, ROSTER), lambda _: next(left) - 1)


def saved(state: State, key: str, *faces: int, **filled: str) -> State:
    left = iter(faces)
    return infinity.choose(state, Choice(key, filled=filled, by=Side.DEFENDER), lambda _: next(left) - 1)


def test_a_roll_names_the_troopers_that_it_may_harm() -> None:
    assert pieces.names(begun("Angus b1 vs Ortega", 9)) == ("Angus", "Ortega")
    assert pieces.names(begun("Angus b1 vs Diaz", 9)) == ("Angus",)
    assert pieces.names(begun("Bo 12 vs Diaz", 9)) == ()
    assert (
        pieces.names(infinity.start(pieces.declare({"order": "Angus vs Ortega", "open": True}, ROSTER), lambda _: 0))
        == ()
    )


def test_wounds_are_dealt_once_and_counted_from_the_trooper_as_it_stands() -> None:
    before = begun("Angus b1 vs Ortega", 9)
    assert pieces.settle(None, before, ROSTER, no_dice) == (before, {})
    after = saved(before, "save", 20, weapon="PS 7 N", armour="ARM 1")
    hurt = {**ROSTER, "Ortega": replace(ROSTER["Ortega"], lost=1)}
    stored, changed = pieces.settle(before, after, hurt, no_dice)
    assert {name: (item.lost, item.states) for name, item in changed.items() if item} == {
        "Ortega": (2, ("Unconscious",))
    }
    (condition,) = conditions(stored.saves)
    assert (condition.trooper.lost, condition.now, condition.trooper.states) == (2, 1, ("Unconscious",))
    assert pieces.settle(stored, stored, hurt, no_dice) == (stored, {})


def test_em_isolates_and_immobilises_a_trooper_of_the_channel() -> None:
    before = begun("Bo 12 E/M PS 7 vs Ortega", 9)
    after = saved(before, "save", 20, 1, weapon="PS 7 E/M", armour="BTS 3")
    _, changed = pieces.settle(before, after, ROSTER, no_dice)
    assert [(item.lost, item.states) for item in changed.values() if item] == [(0, ("Isolated", "Immobilized-B"))]


def test_a_hit_that_is_not_saved_against_brings_its_state_at_once() -> None:
    state = begun("Ortega spotter vs Angus", 9)
    assert not [offer for offer in infinity.offers(state) if offer.fields]
    _, changed = pieces.settle(None, state, ROSTER, no_dice)
    assert {name: item.states for name, item in changed.items() if item} == {"Angus": ("Targeted",)}


def test_a_trooper_that_is_gone_stays_gone() -> None:
    before = begun("Angus b1 vs Ortega", 9)
    after = saved(before, "save", 20, weapon="PS 7 N", armour="ARM 1")
    assert pieces.settle(before, after, {}, no_dice) == (after, {})


def test_a_trooper_that_is_down_does_not_act_but_can_be_attacked() -> None:
    down = {**ROSTER, "Angus": with_states(ROSTER["Angus"], ("Unconscious",))}
    with pytest.raises(PlayerError, match="Angus is Unconscious and can't act"):
        pieces.declare({"order": "Angus b1 vs Ortega"}, down)
    pieces.declare({"order": "Ortega 12 normal vs Angus"}, down)


def test_an_engineer_gives_one_point_of_str_back() -> None:
    """Of 3 one was lost: then none is."""
    hurt = replace(parse("Tag", "WIP 12, STR 3, TAG"), lost=1)
    assert pieces.after_aid(hurt, Action.ENGINEER, passed=True).lost == 0
    assert pieces.after_aid(hurt, Action.ENGINEER, passed=False).lost == 2


DECLARED: Final = (
    {"order": "Angus b1 vs Ortega"},
    {"order": "Ortega b1 vs Angus", "open": True},
    {"order": "Bo 12 vs Diaz", "open": True},
    {"who": "Angus", "whom": "Ortega"},
    {"moves": "Ortega"},
    {"name": "Angus", "sv": 12},
    {"name": "Ortega", "sv": 12, "name_b": "Angus", "sv_b": 11},
    {"hits": 1, "ammo": "N", "ps": 7, "name": "Angus"},
    {"order": "Angus b1 vs Ortega", "odds": True},
)


@pytest.mark.parametrize("raw", DECLARED, ids=str)
def test_no_declaration_holds_what_only_the_owner_of_a_trooper_knows(raw: dict[str, object]) -> None:
    """It is stored, and whoever opened the roll may export it."""
    angus = ROSTER["Angus"]
    known_to_one = replace(angus, skills=(*angus.skills, *PRIVATE), points=37, list_points=299)
    said = repr(pieces.declare(raw, {**ROSTER, "Angus": known_to_one}))
    assert [word for word in (*PRIVATE, "points=37", "points=299") if word in said] == []


def test_a_roll_leaves_a_trooper_what_only_its_owner_knows() -> None:
    table = {**ROSTER, "Ortega": replace(ROSTER["Ortega"], skills=("Lieutenant",), points=37, list_points=299)}
    before = infinity.start(pieces.declare({"order": "Angus b1 vs Ortega"}, table), lambda _: 8)
    _, changed = pieces.settle(before, saved(before, "save", 20, weapon="PS 7 N", armour="ARM 1"), table, no_dice)
    ortega = changed["Ortega"]
    assert ortega is not None
    assert (ortega.lost, ortega.skills, ortega.points, ortega.list_points) == (1, ("Lieutenant",), 37, 299)
