"""WARSURGE units: the typed line, what they bring to an attack, and the HP that it costs them."""

from dataclasses import replace
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, strategies as st

from bot.games import GAMES
from bot.rules.errors import BadInputError, PlayerError, UnknownWordError
from bot.rules.game import Choice
from bot.rules.name import clean
from bot.rules.profile import MAX_PROFILES
from bot.rules.warsurge import choose, offers, start
from bot.rules.warsurge.declared import Declared, Volley
from bot.rules.warsurge.methods import Method
from bot.rules.warsurge.pieces import declare, names, settle
from bot.rules.warsurge.play import VolleyRoll, hp_loss
from bot.rules.warsurge.units import (
    EXAMPLE,
    MAX_HP,
    MAX_TYPED,
    Unit,
    Weapon,
    add_or_replace,
    choose_weapons,
    find,
    parse,
    with_hp,
    write,
)

RIFLE, CANNON = Weapon("Rifle", 4, 3, 1), Weapon("Cannon", 12)
MURAT: Final = Unit(name="Murat", defence=3, hp=8, weapons=(RIFLE, CANNON))
ORTEGA: Final = Unit(name="Ortega", defence=4, save=4, hp=5)
UNITS: Final = {"Murat": MURAT, "Ortega": ORTEGA}


def no_dice(_: int) -> int:
    raise AssertionError("a piece rolled a die")


# The typed line


def test_a_unit_is_typed_in_one_line() -> None:
    assert parse("Ortega", "4+ save, 5 HP, 4 defence") == ORTEGA
    assert parse("Murat", "Defence 3, HP 8; Rifle: Power 4, Dice 3, AP 1; Cannon: Power 12") == MURAT


def test_the_example_can_be_typed_and_is_written_back() -> None:
    assert write(parse("Murat", EXAMPLE)) == EXAMPLE


@pytest.mark.parametrize(
    "line",
    [
        "defence 3 hp 8; rifle: 3 dice power 4 ap -1; cannon: power 12",
        "HP8,Defense 3 ; Rifle: power4 dice3 AP1 ;; Cannon: Power 12 Die 1;",
        "Rifle: Power 4, 3 Dice, AP 1; Defence 3; Cannon: 12 Power; HP 8",
    ],
    ids=["short", "tight", "order"],
)
def test_case_order_and_commas_do_not_matter(line: str) -> None:
    written = write(parse("Murat", line))
    assert written.casefold() == write(MURAT).casefold()


def test_a_weapon_without_a_name_stands_with_the_stats_of_the_unit() -> None:
    assert parse("Murat", "Power 6, Dice 4").weapons == (Weapon("", 6, 4),)
    assert write(parse("Murat", "Defence 2, Power 6; Cannon: Power 12")) == "Defence 2; Power 6; Cannon: Power 12"


def test_what_a_unit_lost_is_not_in_its_line() -> None:
    assert write(MURAT.suffer(3)) == write(MURAT)


NAMES = st.text(st.characters(categories=("Ll", "Lu")), min_size=1, max_size=12).map(clean)
WEAPONS = st.builds(
    Weapon,
    name=NAMES | st.just(""),
    power=st.none() | st.integers(0, MAX_TYPED),
    dice=st.integers(1, 100),
    ap=st.integers(0, 5),
)
MADE = st.builds(
    Unit,
    name=NAMES,
    defence=st.integers(0, MAX_TYPED),
    save=st.none() | st.integers(2, 6),
    hp=st.none() | st.integers(1, MAX_HP),
    weapons=st.lists(WEAPONS, max_size=6, unique_by=lambda weapon: weapon.name.casefold()).map(
        lambda weapons: tuple(sorted(weapons, key=lambda weapon: weapon.name != ""))
    ),
)


@given(MADE)
def test_a_written_unit_is_read_as_it_was(unit: Unit) -> None:
    assert parse(unit.name, write(unit)) == unit


@given(st.text(max_size=60) | st.text("power dic:;,0-+ hRA", max_size=60))
def test_whatever_is_typed_is_read_or_refused(line: str) -> None:
    try:
        unit = parse("Murat", line)
    except (BadInputError, UnknownWordError):
        return
    assert parse("Murat", write(unit)) == unit


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("", "`stats` was empty. Use at most 400 characters. Example:"),
        (" ; ,", "Use at most 400 characters. Example:"),
        ("Power 1000001", "`Power` was `1000001`. Use a whole number from 0 to 1000000."),
        ("Power -1", "`Power` was `-1`. Use a whole number from 0 to 1000000."),
        ("Power 4+", "`Power` was `4+`. Use a whole number from 0 to 1000000."),
        ("Save 7+", "`Save` was `7`. Use a whole number from 2 to 6."),
        ("HP", "`HP` was missing. Use a whole number from 1 to 999."),
        ("Rifle: Power 4, AP 6", "`AP` was `6`. Use a whole number from 0 to 5."),
        ("Power 4, Power 5", "`stats` was Power twice. Use each stat and each weapon once."),
        ("Defence 4; Defence 5", "`stats` was Defence twice. Use each stat and each weapon once."),
        ("A: Power 4; a: Power 5", "`stats` was a twice. Use each stat and each weapon once."),
        ("Rifle:", "`stats` was `Rifle:`. Use the stats of Rifle after the colon. Example: `Rifle: Power 6, Dice 4`."),
        (": Power 4", "Use a weapon name of at most 24 characters before the colon."),
        (";".join(f"{name}: Power 1" for name in "abcdefg"), "`stats` was 7 weapons. Use at most 6 weapons."),
    ],
)
def test_each_mistake_says_what_is_allowed(line: str, sentence: str) -> None:
    with pytest.raises(BadInputError) as refusal:
        parse("Murat", line)
    assert sentence in str(refusal.value)


@pytest.mark.parametrize(
    ("line", "word", "near"),
    [
        ("Defence 3; Rifle: Powr 4", "Powr", "power"),
        ("12", "12", None),
        ("BS 12", "BS", None),
        ("Power 1.5", ".", None),
        ("Rifle: Defence 3", "Defence", None),
    ],
)
def test_a_word_that_is_not_known_is_pointed_at(line: str, word: str, near: str | None) -> None:
    with pytest.raises(UnknownWordError) as refusal:
        parse("Murat", line)
    assert (refusal.value.word, refusal.value.near) == (word, near)


def test_a_name_that_cannot_be_seen_is_refused() -> None:
    with pytest.raises(BadInputError, match="Use a name with visible characters"):
        parse("\u200b", "Power 4")


# The units of a channel


def test_a_unit_is_found_whatever_its_case_and_a_wrong_name_gets_the_nearest() -> None:
    assert find(UNITS, " MURAT ") is MURAT
    with pytest.raises(BadInputError, match=r"`name` was `Ortgea`. Use a unit in this channel: `Ortega`"):
        find(UNITS, "Ortgea")
    with pytest.raises(BadInputError, match="Add one with `/warsurge profile set` first"):
        find({}, "Murat")


def test_a_full_channel_takes_no_new_unit_but_a_known_one() -> None:
    full = {f"Murat {n}": replace(MURAT, name=f"Murat {n}") for n in range(MAX_PROFILES)}
    with pytest.raises(PlayerError, match="This channel already has 24 units"):
        add_or_replace(full, MURAT)
    again = replace(MURAT, name="MURAT 3")
    assert add_or_replace(full, again) == {"MURAT 3": again}


def test_hp_are_set_by_hand() -> None:
    assert with_hp(MURAT.suffer(5), None) == MURAT
    assert with_hp(MURAT, 2).hp_left == 2
    with pytest.raises(BadInputError, match=r"`left` was `9`\. Use a whole number from 0 to 8"):
        with_hp(MURAT, 9)
    with pytest.raises(PlayerError, match="has no HP yet"):
        with_hp(Unit(name="Zoe"), 3)


def test_weapons_are_chosen_by_name_and_all_of_them_by_none() -> None:
    assert choose_weapons(MURAT, "") == (RIFLE, CANNON)
    assert choose_weapons(MURAT, "cannon; Rifle") == (CANNON, RIFLE)
    with pytest.raises(UnknownWordError, match=r"Did you mean `cannon`\? Weapons of Murat: Rifle, Cannon"):
        choose_weapons(MURAT, "Canon")
    with pytest.raises(BadInputError, match="Rifle twice"):
        choose_weapons(MURAT, "Rifle, Rifle")
    with pytest.raises(UnknownWordError, match="Ortega has no named weapon"):
        choose_weapons(ORTEGA, "Rifle")


# What units bring


def volley(**raw: Any) -> Volley:
    result = declare(raw, UNITS)
    assert isinstance(result, Volley)
    return result


def test_names_alone_make_a_volley() -> None:
    result = volley(attacker="murat", target="ORTEGA")
    assert (result.attacker, result.target, result.hp) == ("Murat", "Ortega", 5)
    assert [
        (attack.weapon, attack.power, attack.attack_dice, attack.defence, attack.saves_on) for attack in result.attacks
    ] == [
        ("Rifle", 4, 3, 4, 5),
        ("Cannon", 12, 1, 4, 4),
    ]


def test_what_is_typed_beats_what_units_bring() -> None:
    result = volley(
        attacker="Murat", weapons="rifle", target="Ortega", power=5, attack_dice=2, ap=0, save="6+", defence=9
    )
    (declared,) = result.attacks
    assert (declared.weapon, declared.power, declared.attack_dice, declared.defence, declared.saves_on) == (
        "Rifle",
        5,
        2,
        9,
        6,
    )


def test_either_side_may_be_typed() -> None:
    assert volley(target="Ortega", power=7).attacks[0].power == 7
    assert volley(attacker="Murat", defence=2).hp is None
    assert len(volley(target="Ortega", weapons="A: Power 1; B: Power 2").attacks) == 2
    assert volley(attacker="Ortega", power=3, target="Murat").attacks[0].defence == 3


def test_a_target_with_defence_0_brings_it() -> None:
    units = {"Zoe": Unit(name="Zoe", defence=0)}
    result = declare({"power": 3, "target": "Zoe"}, units)
    assert isinstance(result, Volley)
    assert result.attacks[0].line.need.text == "A"


def test_without_units_it_is_an_attack_as_ever() -> None:
    assert declare({"power": 4, "defence": 4}, UNITS) == Declared(method=Method.CASUAL, power=4, defence=4)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({}, "Type the `power` of the attack, or name your unit as `attacker`."),
        ({"power": 3}, "Type the `defence` of the target, or name a unit in this channel as `target`."),
        ({"attacker": "Murat", "target": "Murat"}, "another unit than the attacker"),
        ({"attacker": "Ortega", "target": "Murat"}, "Ortega has no weapons. Type the `power`"),
        (
            {"attacker": "Murat", "target": "Ortega", "power": 4},
            "Use a single weapon. Choose one in `weapons`: Rifle, Cannon",
        ),
        ({"attacker": "Murat", "target": "Ortega", "attack_dice": 4}, "`dice` was `4`. Use a single weapon"),
        (
            {"attacker": "Bo", "target": "Ortega"},
            "`attacker` was `Bo`. Use a unit in this channel: `Murat` or `Ortega`",
        ),
        ({"power": 4, "target": "Ortega", "hp": 3}, "Leave it out with `target`: Ortega has its own HP"),
        ({"defence": 4, "weapons": "Rifle, Cannon"}, "or name their unit as `attacker"),
    ],
)
def test_what_is_missing_is_asked_for(raw: dict[str, object], words: str) -> None:
    with pytest.raises(PlayerError) as refusal:
        declare(raw, UNITS)
    assert words in str(refusal.value)


def test_units_without_the_stat_that_is_needed_say_how_to_add_it() -> None:
    units = {"Zoe": Unit(name="Zoe", weapons=(Weapon("Bow", None, 3),)), "Gone": replace(ORTEGA, name="Gone", lost=5)}
    with pytest.raises(PlayerError, match="Zoe has no Defence yet"):
        declare({"power": 3, "target": "Zoe"}, units)
    with pytest.raises(PlayerError, match="One of Zoe's weapons has no Power"):
        declare({"attacker": "Zoe", "defence": 3}, units)
    with pytest.raises(PlayerError, match="Gone has no HP left"):
        declare({"power": 3, "target": "Gone"}, units)
    result = declare({"attacker": "Zoe", "defence": 3, "power": 4}, units)
    assert isinstance(result, Volley)
    assert (result.attacks[0].power, result.attacks[0].attack_dice) == (4, 3)


# What a volley costs


def rolled(declared: Volley, seed: int = 3) -> VolleyRoll:
    state = start(declared, Random(seed).randrange)
    assert isinstance(state, VolleyRoll)
    return state


def test_only_the_target_of_the_table_is_changed() -> None:
    assert names(rolled(volley(attacker="Murat", target="Ortega"))) == ("Ortega",)
    assert names(rolled(volley(attacker="Murat", defence=3))) == ()
    assert names(start(Declared(method=Method.CASUAL, power=4, defence=4), Random(1).randrange)) == ()


def test_the_target_loses_the_hp_and_the_state_says_what_it_had_now() -> None:
    state = rolled(volley(target="Ortega", power=12, save=None, attack_dice=2, faces="-, -", save_faces="1 1"))
    hurt = replace(ORTEGA, lost=1)
    after, changed = settle(None, state, {"Ortega": hurt}, no_dice)
    assert after.declared.hp == 4, "somebody else hit it meanwhile"
    assert changed == {"Ortega": replace(ORTEGA, lost=3)}


def test_hp_are_lost_once_the_armour_saves_are_rolled() -> None:
    state = rolled(volley(attacker="Murat", weapons="Cannon", target="Ortega", asks_saves=True))
    opened, changed = settle(None, state, UNITS, no_dice)
    assert (opened, changed) == (state, {})
    saved = choose(state, Choice("type-saves", filled={"saves-1": "3"}), Random(1).randrange)
    assert isinstance(saved, VolleyRoll)
    assert settle(opened, saved, UNITS, no_dice)[1] == {"Ortega": replace(ORTEGA, lost=1)}
    dead = replace(ORTEGA, lost=5)
    assert settle(opened, saved, {"Ortega": dead}, no_dice)[1] == {}, "another attack destroyed it meanwhile"


def test_a_target_that_is_gone_or_destroyed_cannot_be_attacked_again() -> None:
    state = rolled(volley(attacker="Murat", target="Ortega"))
    with pytest.raises(PlayerError, match="Ortega has left the table"):
        settle(None, state, {}, no_dice)
    with pytest.raises(PlayerError, match="Ortega has no HP left"):
        settle(None, state, {"Ortega": replace(ORTEGA, lost=5)}, no_dice)


def test_an_attack_on_a_unit_may_follow_until_it_is_destroyed() -> None:
    state = rolled(volley(attacker="Murat", target="Ortega", save=6, weapons="Rifle"))
    assert [offer.label for offer in offers(state)] == ["Again"]
    assert isinstance(choose(state, Choice("again"), Random(1).randrange), VolleyRoll)
    dead = replace(
        state, declared=replace(state.declared, hp=1), attacks=rolled(volley(target="Ortega", power=12, save=6)).attacks
    )
    assert hp_loss(dead) >= 1
    assert offers(dead) == ()


def test_a_unit_without_hp_is_attacked_and_stays_as_it_is() -> None:
    units = {"Zoe": Unit(name="Zoe", defence=1)}
    result = declare({"power": 12, "target": "Zoe"}, units)
    assert isinstance(result, Volley)
    assert settle(None, rolled(result), units, no_dice)[1] == {}


@given(st.integers(0, 10**6), st.integers(0, 5))
def test_hp_are_never_below_0_and_what_is_lost_is_what_the_dice_say(seed: int, lost: int) -> None:
    state = rolled(volley(attacker="Murat", target="Ortega"), seed)
    before = replace(ORTEGA, lost=min(lost, 4))
    after, changed = settle(None, state, {"Ortega": before}, no_dice)
    left = changed.get("Ortega", before).hp_left
    assert left == max(0, (before.hp_left or 0) - hp_loss(after))


def test_the_game_is_registered_with_its_units() -> None:
    table = GAMES["warsurge"].table
    assert table is not None
    assert table.facts(UNITS | {"Ortega": ORTEGA.suffer(2)}) == (
        ("Murat", "Defence 3, HP 8\nRifle: Power 4, Dice 3, AP 1\nCannon: Power 12"),
        ("Ortega", "Defence 4, Save 4+, HP 3 of 5"),
    )
    assert table.facts({"Ortega": ORTEGA.suffer(9)})[0][0] == "Ortega · destroyed"
