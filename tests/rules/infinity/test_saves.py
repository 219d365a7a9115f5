"""Saving Rolls of Infinity: how many, against what, and what failing costs."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from bot.odds.infinity.json_odds import odds
from bot.rules import infinity
from bot.rules.errors import BadInputError
from bot.rules.game import Side
from bot.rules.infinity.dice.saves import list_saves, roll_saves, rolled, states, wounds
from bot.rules.infinity.orders.play import outcome
from bot.rules.infinity.troopers.declared import Ammo, Save
from bot.rules.infinity.troopers.weapon import ammunition
from tests.infinity_cases import declaration

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "infinity.json").read_text())


def no_dice(_: int) -> int:
    raise AssertionError("physical dice are not rolled")


def declared(case: Mapping[str, Any]) -> Save:
    save = infinity.declare(declaration(case))
    assert isinstance(save, Save)
    return save


def combi(**more: Any) -> Save:
    """One hit of a Combi Rifle on ARM 1, or as said."""
    return declared({"hits": 1, "ps": 7, "arm": 1} | more)


def number(save: Save) -> int:
    """The number of the first Saving Roll."""
    return list_saves(save)[0].number


@pytest.mark.parametrize("case", GOLDEN["saves_n5"] + GOLDEN["saves_n4"], ids=lambda case: str(case["note"]))
def test_saving_rolls(case: Mapping[str, Any]) -> None:
    save = list_saves(declared(case))[0]
    assert save.number == case.get("sv", case.get("threshold"))
    assert all(save.passes(face) for face in case["passes"])
    assert not any(save.passes(face) for face in case["fails"])


@pytest.mark.parametrize("case", GOLDEN["saves_per_hit"], ids=lambda case: str(case["ammo"]))
def test_saves_per_hit_and_per_critical(case: Mapping[str, Any]) -> None:
    for key, hits, crits in (("hit", 1, 0), ("crit", 0, 1)):
        save = declared({"ammo": case["ammo"], "hits": hits, "crits": crits, "ps": 7, "arm": 1, "bts": 3, "ph": 12})
        assert len(list_saves(save)) == case[key]


def test_saves_add_up_over_hits_and_criticals() -> None:
    assert len(list_saves(combi(hits=2, crits=1, ammo="DA"))) == 2 + 2 + 3


@pytest.mark.parametrize(("arm", "halved"), [(5, 3), (4, 2), (1, 1), (0, 0)])
def test_ap_halves_arm_rounding_up(arm: int, halved: int) -> None:
    assert number(combi(ammo="AP", arm=arm)) == 7 + halved
    assert number(declared({"hits": 1, "ammo": "AP", "arm": arm, "damage": 13})) == 13 - halved


def test_cover_is_three_better_and_not_halved() -> None:
    assert number(combi(cover=True)) == 11
    assert number(combi(cover=True, ammo="AP", arm=5)) == 7 + 3 + 3
    assert number(declared({"hits": 1, "arm": 1, "damage": 13, "cover": True})) == 9


def test_mods_help_the_one_who_saves_within_twelve() -> None:
    assert number(combi(mods="-3")) == 5
    assert number(declared({"hits": 1, "arm": 1, "damage": 13, "mods": "-3"})) == 15
    assert number(combi(mods="+6 +6", cover=True)) == 7 + 1 + 12


def test_t2_takes_two_wounds_but_not_on_the_extra_save_of_a_critical() -> None:
    assert [(save.wounds, save.extra) for save in list_saves(combi(hits=0, crits=1, ammo="T2"))] == [
        (2, False),
        (1, True),
    ]
    assert wounds(roll_saves(combi(hits=1, crits=1, ammo="T2", dice="20 20 20"), no_dice, Side.ATTACKER)) == 2 + 2 + 1


@pytest.mark.parametrize(("dice", "lost"), [("3, 19, 20", 3), ("20, 19, 3", 4)])
def test_the_extra_save_of_a_critical_is_made_last(dice: str, lost: int) -> None:
    """T2, one hit and one Critical, PS 6, ARM 4: SV 10; the last face costs one Wound only."""
    saved = roll_saves(combi(hits=1, crits=1, ammo="T2", ps=6, arm=4, dice=dice), no_dice, Side.ATTACKER)
    assert wounds(saved) == lost
    assert [save.extra for save, _ in rolled(saved)] == [False, False, True]


def test_plasma_is_saved_with_arm_and_bts_and_its_extra_save_with_arm() -> None:
    save = combi(hits=0, crits=1, ammo="Plasma", arm=2, bts=6)
    assert [(item.attribute, item.number, item.extra) for item in list_saves(save)] == [
        ("ARM", 9, False),
        ("BTS", 13, False),
        ("ARM", 9, True),
    ]


def test_em_is_saved_with_half_of_bts() -> None:
    save = combi(ammo="E/M", arm=2, bts=9)
    assert [(item.attribute, item.number) for item in list_saves(save)] == [("BTS", 7 + 5)] * 2


@pytest.mark.parametrize(
    ("typed", "attribute", "sv"),
    [
        ({"ammo": "Stun", "arm": None, "bts": 6}, "BTS", 13),
        ({"ammo": "Stun", "arm": 1, "bts": 6}, "BTS", 13),
        ({"ammo": "Stun", "arm": 1}, "ARM", 8),
        ({"ammo": "E/M", "arm": 6}, "ARM", 10),
        ({"ammo": "N", "arm": None, "bts": 6}, "BTS", 13),
        ({"ammo": "N", "arm": 1, "bts": 6}, "ARM", 8),
        ({"weapon": "AP BTS/2", "arm": 1, "bts": 6}, "BTS", 10),
        ({"weapon": "N ARM=0", "arm": 5}, "ARM", 7),
        ({"weapon": "N BTS=0", "arm": None}, "BTS", 7),
        ({"ammo": "PARA", "ps": None, "arm": None, "ph": 11}, "PH", 5),
        ({"ammo": "PARA", "arm": 3, "ph": 11}, "PH", 5),
    ],
)
def test_the_attribute_that_was_typed_is_never_ignored(typed: Mapping[str, Any], attribute: str, sv: int) -> None:
    """The weapon decides where both are known, what was typed where one is."""
    save = list_saves(combi(**typed))[0]
    assert (save.attribute, save.number) == (attribute, sv)


@pytest.mark.parametrize(
    ("case", "field"),
    [
        ({"ammo": "Stun", "ps": 7}, "bts"),
        ({"ammo": "N", "ps": 7}, "arm"),
        ({"ammo": "PARA"}, "ph"),
        ({"ammo": "PARA", "arm": 3}, "ph"),
        ({"ammo": "PARA", "ps": 7, "arm": 3}, "ph"),
        ({"weapon": "N PS 7 BTS", "arm": 3}, "bts"),
        ({"ammo": "Plasma", "ps": 7, "bts": 3}, "arm"),
    ],
)
def test_an_attribute_that_nobody_said_is_asked(case: Mapping[str, Any], field: str) -> None:
    with pytest.raises(BadInputError) as refused:
        declared({"hits": 1, **case})
    assert refused.value.field == field
    assert f"`{field}` was missing. Enter a number" in str(refused.value)


@pytest.mark.parametrize(
    ("ammo", "a_hit", "sv"),
    [("AP+EXP", 3, 10), ("AP+DA", 2, 10), ("AP+Shock", 1, 10), ("AP+T2", 1, 10), ("DA+Shock", 2, 12)],
)
def test_combined_ammunition_adds_up(ammo: str, a_hit: int, sv: int) -> None:
    save = combi(ammo=ammo, arm=5)
    assert ([item.number for item in list_saves(save)], save.weapon.ammunition) == ([sv] * a_hit, ammo)
    assert len(list_saves(combi(hits=0, crits=1, ammo=ammo))) == a_hit + 1


def test_normal_and_em_costs_a_wound_and_isolates() -> None:
    save = combi(ammo="N+E/M", bts=3, dice="20 1")
    saved = roll_saves(save, no_dice, Side.ATTACKER)
    assert [(item.attribute, item.number) for item in list_saves(save)] == [("BTS", 9)] * 2
    assert (wounds(saved), states(saved)) == (1, ("Isolated",))


def test_t2_in_combination_costs_two_wounds() -> None:
    assert wounds(roll_saves(combi(ammo="AP+T2", dice="20"), no_dice, Side.ATTACKER)) == 2


def test_continuous_damage_goes_on_until_a_save_is_passed() -> None:
    save = combi(weapon="N continuous", hits=2, dice="20 9 8 1")
    assert wounds(roll_saves(save, no_dice, Side.ATTACKER)) == 2
    faces = iter((19, 18, 3, 7))
    saved = roll_saves(combi(weapon="N continuous", hits=2), lambda _: next(faces) - 1, Side.ATTACKER)
    assert [face for _, face in rolled(saved)] == [19, 18, 3, 7]
    for dice in ("20 9", "20 9 8 1 1"):
        with pytest.raises(BadInputError, match="Enter one die per save, and one more after each failed save"):
            combi(weapon="N continuous", hits=2, dice=dice)


def test_continuous_damage_ends_when_no_trooper_has_wounds_left() -> None:
    saved = roll_saves(declared({"hits": 1, "weapon": "N PS 0 continuous", "arm": 0}), lambda _: 19, Side.ATTACKER)
    assert wounds(saved) == 9


@pytest.mark.parametrize(("body", "count"), [({}, 2), ({"w": 1}, 2), ({"str": 1}, 1)])
def test_a_bioweapon_is_da_and_shock_for_whoever_has_vita(body: Mapping[str, int], count: int) -> None:
    assert len(list_saves(combi(weapon="N BTS bioweapon", bts=3, **body))) == count


def test_in_n3_a_critical_is_a_wound_without_a_save() -> None:
    save = declared({"hits": 1, "crits": 1, "damage": 13, "arm": 1, "edition": "n3", "dice": "13"})
    assert (len(list_saves(save)), wounds(roll_saves(save, no_dice, Side.ATTACKER))) == (1, 1)
    assert (
        wounds(roll_saves(declared({"crits": 2, "damage": 13, "arm": 1, "edition": "n3"}), no_dice, Side.ATTACKER)) == 2
    )
    assert len(list_saves(declared({"crits": 1, "ammo": "DA", "damage": 13, "arm": 1, "edition": "n3"}))) == 1


@pytest.mark.parametrize(("kind", "state"), [("PARA", "Immobilized-A"), ("Stun", "Stunned"), ("E/M", "Isolated")])
def test_some_ammunition_brings_a_state_and_no_wounds(kind: str, state: str) -> None:
    count = len(list_saves(combi(ammo=kind, ph=12)))
    told = outcome(infinity.start(combi(ammo=kind, ph=12, dice=[20] * count), no_dice))
    assert (told["failed"], told["wounds"], told["state"]) == (count, 0, state)


def test_what_saving_rolls_tell() -> None:
    told = outcome(infinity.start(combi(hits=2, dice="8 9"), no_dice))
    assert told == {
        "ammo": "N",
        "sv": 8,
        "saves": 2,
        "dice": [8, 9],
        "attribute": ["ARM", "ARM"],
        "extra": [False, False],
        "fate": ["passed", "failed"],
        "failed": 1,
        "passed": 1,
        "wounds": 1,
        "state": "",
    }
    n4 = outcome(infinity.start(declared({"damage": 13, "arm": 1, "dice": [13], "ammo": "Stun"}), no_dice))
    assert (n4["threshold"], n4["passed"], n4["state"]) == (12, 1, "")


def test_the_bot_rolls_as_many_dice_as_saves_are_due() -> None:
    saved = roll_saves(combi(hits=1, crits=1, ammo="EXP"), lambda sides: sides - 1, Side.ATTACKER)
    assert [die.face for die in saved.dice] == [20] * 7
    assert {die.trail[0].how for die in saved.dice} == {"rolled"}


@pytest.mark.parametrize("word", ["E/M", "em", "e/m ", "EM"])
def test_ammunition_in_the_ways_people_write_it(word: str) -> None:
    assert ammunition(word, "ammo") == (Ammo.EM,)


@pytest.mark.parametrize(
    ("case", "field"),
    [
        ({"hits": 0, "ps": 7}, "hits"),
        ({"hits": 1, "ps": 7, "ammo": "plasma", "arm": 3}, "bts"),
        ({"hits": 2, "ps": 7, "arm": 1, "dice": [4]}, "dice"),
        ({"hits": 1, "ps": 7, "dice": [21]}, "dice[0]"),
        ({"hits": 1, "ps": 7, "ammo": "plasm"}, "ammo"),
        ({"hits": 1, "ps": 7, "ammo": 3}, "ammo"),
        ({"hits": 1, "arm": 3}, "ps"),
        ({"hits": 1, "arm": 3, "edition": "n4"}, "damage"),
        ({"hits": 1, "ps": 7, "ammo": "Smoke", "arm": 1}, "ammo"),
        ({"hits": 1, "edition": "n5", "dam": 21}, "dam"),
        ({"hits": 13, "ps": 7}, "hits"),
        ({"hits": 1, "ps": 7, "arm": "3 6 9"}, "arm"),
    ],
)
def test_saving_rolls_that_cannot_be_made(case: Mapping[str, Any], field: str) -> None:
    with pytest.raises(BadInputError) as refused:
        infinity.declare(declaration(case))
    assert refused.value.field == field


def test_both_attributes_may_stand_in_one_field() -> None:
    save = declared({"hits": 1, "ps": 7, "ammo": "plasma", "arm": "3/6"})
    assert (save.profile.arm, save.profile.bts) == (3, 6)


def test_criticals_alone_are_no_hits() -> None:
    save = declared({"crits": 1, "ps": 7, "arm": 1})
    assert (save.hits, save.crits) == (0, 1)


@pytest.mark.parametrize("edition", ["n5", "n4", "n3"])
def test_the_word_says_whether_it_is_ps_or_damage_whatever_the_edition(edition: str) -> None:
    """By every door: a line, a profile, JSON, a save, a form."""
    doors: tuple[Callable[[str], Any], ...] = (
        lambda power: odds(infinity.declare({"order": f"Ana 12 b3 N {power} vs Bo 11 ARM 1 W 1", "edition": edition})),
        lambda power: odds(
            infinity.declare(
                {
                    "troopers": {"Ana": f"BS 12, Combi: B3 {power} N ARM"},
                    "order": "Ana combi vs Bo 11 ARM 1 W 1",
                    "edition": edition,
                }
            )
        ),
        lambda power: odds(infinity.declare({"hits": 2, "arm": 1, "edition": edition} | as_key(power))),
        lambda power: odds(infinity.declare({"hits": 2, "arm": 1, "edition": edition, "weapon": f"N {power}"})),
        lambda power: odds(
            infinity.declare(
                {"sv_a": 12, "ammo_a": "N", "sv_b": 11, "arm_b": 1, "edition": edition} | as_key(power, "_a")
            )
        ),
    )
    for door in doors:
        assert door("PS 7") == door("DAM 13") != door("PS 13")
    if edition == "n5":
        assert doors[0]("DAM 13")["mean_wounds_on_b"] == doors[0]("PS 7")["mean_wounds_on_b"]
    with pytest.raises(BadInputError, match="PS or a Damage"):
        infinity.declare({"hits": 1, "arm": 1, "weapon": "N 7"})


def as_key(power: str, side: str = "") -> dict[str, int]:
    word, number = power.split()
    return {f"{word.lower()}{side}": int(number)}
