"""The sum of the MODs, worked by hand from the rules page's table: each shot with its Success Value and its lines."""

from typing import Final

import pytest

from bot.rules.errors import BadInputError
from bot.rules.infinity.orders import modifiers
from bot.rules.infinity.orders.fields import Draft
from bot.rules.infinity.orders.json_orders import declare
from bot.rules.infinity.troopers.declared import KITS, Action, Order, TrooperRoll, Weapon
from bot.rules.infinity.troopers.trooper import Roster, Trooper, parse
from tests.rows import for_each_row

BANDS: Final = "+3@16 -3@32 -6@48"
ROSTER: Final[Roster] = {
    trooper.name: trooper
    for trooper in (
        parse("Angus", f"BS 12, CC 14, PH 10, WIP 13, Combi: B3 PS 7 {BANDS}, Knife: CC PS 5"),
        parse("Zoe", f"BS 12, PH 10, WIP 15, MSV 1, Combi: B3 PS 7 {BANDS}"),
        parse("Deva", f"BS 12, PH 10, WIP 15, Multispectral Visor 2, Combi: B3 PS 7 {BANDS}"),
        parse("Marut", "BS 14, PH 10, WIP 15, Visor 3, HMG: B4 PS 5 0@8 -3@16 +3@32 -3@96"),
        parse("Ortega", "BS 11, CC 15, PH 11, WIP 12, Rifle: B3 PS 7 +3@16 -3@32, Sword: CC PS 6"),
        parse("Ghost", "BS 12, PH 12, WIP 13, Mimetism (-6), Rifle: B3 PS 7 +3@16 -3@32"),
        parse("Scout", "BS 12, PH 12, WIP 13, Mimetism (-3), Combat Instinct, Rifle: B3 PS 7 +3@16 -3@32"),
        parse("Acrobat", "BS 11, PH 13, WIP 13, Dodge (-3), Dodge (+3), Rifle: B3 PS 7 +3@16 -3@32"),
        parse("Ninja", "BS 11, CC 23, PH 13, WIP 13, Martial Arts (-3), Sword: CC PS 6"),
        parse("Grenadier", "BS 11, PH 12, WIP 13, Grenade: B1 PH PS 6 template +3@8 -3@16"),
    )
}


def rolls(text: str) -> dict[str, TrooperRoll]:
    declared = declare({"order": text}, ROSTER)
    assert isinstance(declared, Order)
    return {roll.name: roll for roll in declared.rolls}


@for_each_row(
    ("text", "sv"),
    [
        # range bands: BS 12 and +3, -3, -6; the last inch of a band belongs to it
        ("Angus combi at 0 vs Ortega", 15),
        ("Angus combi at 8 vs Ortega", 15),
        ("Angus combi at 16 vs Ortega", 15),
        ("Angus combi at 17 vs Ortega", 9),
        ("Angus combi at 32 vs Ortega", 9),
        ("Angus combi at 33 vs Ortega", 6),
        ("Angus combi at 48 vs Ortega", 6),
        # a band of 0, and one that grows again: BS 14
        ("Marut at 8 vs Ortega", 14),
        ("Marut at 16 vs Ortega", 11),
        ("Marut at 24 vs Ortega", 17),
        ("Marut at 96 vs Ortega", 11),
        # Partial Cover -3
        ("Angus combi at 8 cover vs Ortega", 12),
        ("Angus combi at 20 cover vs Ortega", 6),
        # Mimetism -3 and -6, and what a Visor leaves: 1: 0 and -3; 2 and 3: 0
        ("Angus combi at 8 vs Scout", 12),
        ("Angus combi at 8 vs Ghost", 9),
        ("Zoe at 8 vs Scout", 15),
        ("Zoe at 8 vs Ghost", 12),
        ("Deva at 8 vs Ghost", 15),
        ("Marut at 24 vs Ghost", 17),
        # all at once: 12 -3 -3 -6 = 0
        ("Angus combi at 20 cover vs Ghost", 0),
        # visibility zones: low -3, poor -6; zero only with a Visor, -6 with Visor 1
        ("Angus combi at 8 low visibility vs Ortega", 12),
        ("Angus combi at 8 poor visibility zone vs Ortega", 9),
        ("Zoe at 8 low vs Ortega", 15),
        ("Zoe at 8 poor vs Ortega", 12),
        ("Zoe at 8 zero visibility vs Ortega", 9),
        ("Deva at 8 zero vs Ortega", 15),
        # fireteam level 4: +1 BS, 3 not
        ("Angus combi at 8 fireteam 3 vs Ortega", 15),
        ("Angus combi at 8 fireteam 4 vs Ortega", 16),
        # into close combat: -6 for each ally
        ("Angus combi at 8 melee 1 vs Ortega", 9),
        ("Angus combi at 8 melee 2 vs Ortega", 3),
        # speculative: -6 and the range, no other negative MOD: 12 (PH) +3 -6
        ("Grenadier at 8 speculative cover anyway vs Ghost", 9),
        ("Grenadier at 12 speculative vs Ghost", 3),
        # the limit: -6 -3 -6 -6 is -21, counts as -12
        ("Angus combi at 40 cover poor vs Ghost", 0),
        # typed, with and without a word
        ("Angus combi at 8 -3 (rain) vs Ortega", 12),
        ("Angus combi at 8 +3 -6 vs Ortega", 12),
        # Dodge on PH, PH-3 out of line of fire, +1 in a fireteam of 3, +3 by profile
        ("Ortega dodge", 11),
        ("Ortega dodge zoc", 8),
        ("Ortega dodge fireteam 3", 12),
        ("Acrobat dodge", 16),
        # Reset and skills on WIP; Discover suffers from Mimetism and gains +3 in a fireteam of 3
        ("Ortega reset", 12),
        ("Angus discover vs Ghost", 7),
        ("Angus discover fireteam 3 vs Ghost", 10),
        ("Zoe discover vs Ghost", 12),
        ("Angus doctor", 13),
        # close combat on CC, without range
        ("Angus knife vs Ortega", 14),
    ],
)
def test_a_roll_of_one_s_own(text: str, sv: int) -> None:
    (roll,) = rolls(text).values()
    assert roll.sv == sv, [mod.text for mod in roll.mods]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # both feel the distance: 12+3 and 11+3
        ("Angus combi at 8 vs Ortega rifle", {"Angus": 15, "Ortega": 14}),
        ("Angus combi at 20 vs Ortega rifle cover", {"Angus": 9, "Ortega": 5}),
        # Surprise Attack on the reaction; Combat Instinct and Visor 3 ignore it, the active trooper never feels it
        ("Angus combi at 8 surprise vs Ortega rifle", {"Angus": 15, "Ortega": 11}),
        ("Angus combi at 8 surprise -6 vs Ortega rifle", {"Angus": 15, "Ortega": 8}),
        ("Angus combi at 8 surprise -6 vs Ortega dodge", {"Angus": 15, "Ortega": 5}),
        ("Angus combi at 8 surprise vs Scout rifle", {"Angus": 12, "Scout": 15}),
        ("Angus combi at 24 surprise vs Marut b1", {"Angus": 9, "Marut": 17}),
        # Suppressive Fire State: -3 on every Face to Face Roll against it, within 24 inches
        ("Angus combi at 20 vs Ortega rifle suppressive", {"Angus": 6, "Ortega": 8}),
        ("Angus combi at 24 vs Ortega rifle suppressive", {"Angus": 6, "Ortega": 8}),
        ("Angus combi at 25 vs Ortega dodge suppressive", {"Angus": 9, "Ortega": 11}),
        # Dodge (-3) on the enemy's roll while it dodges, and only then
        ("Angus combi at 8 vs Acrobat dodge", {"Angus": 12, "Acrobat": 16}),
        ("Angus combi at 8 vs Acrobat rifle", {"Angus": 15, "Acrobat": 14}),
        # Martial Arts (-3) on the enemy in close combat
        ("Ninja sword vs Ortega sword", {"Ninja": 23, "Ortega": 12}),
    ],
)
def test_face_to_face(text: str, expected: dict[str, int]) -> None:
    assert {name: roll.sv for name, roll in rolls(text).items()} == expected


def test_each_line_says_who_caused_it() -> None:
    angus, ghost = rolls("Angus combi at 20 cover -3 (rain) vs Ghost rifle suppressive").values()
    assert [mod.text for mod in angus.mods] == [
        "-3 Range 20 inches (Combi)",
        "-3 Partial Cover (Ghost)",
        "-6 Mimetism (Ghost)",
        "-3 Suppressive Fire (Ghost)",
        "-3 rain",
    ]
    assert angus.cover
    assert [mod.text for mod in ghost.mods] == ["-3 Range 20 inches (Rifle)"]


def test_a_visor_is_named_where_it_helps() -> None:
    assert [mod.text for mod in rolls("Zoe at 8 vs Ghost")["Zoe"].mods] == [
        "+3 Range 8 inches (Combi)",
        "-3 Mimetism, Visor 1 (Ghost)",
    ]


@pytest.mark.parametrize(
    ("text", "burst", "special"),
    [
        ("Angus combi at 8 vs Ortega", 3, 0),
        ("Angus combi at 8 b2 vs Ortega", 2, 0),
        ("Angus combi at 8 fireteam 2 vs Ortega", 3, 1),
        ("Angus combi at 8 fireteam 1 vs Ortega", 3, 0),
        ("Angus combi at 8 spearhead vs Ortega", 2, 0),
        ("Angus combi at 8 coordinated vs Ortega", 1, 0),
        ("Angus combi at 8 speculative vs Ortega", 1, 0),
        ("Angus dodge", 1, 0),
    ],
)
def test_the_dice_of_the_active_turn(text: str, burst: int, special: int) -> None:
    (roll,) = rolls(text).values()
    assert (roll.burst, roll.special) == (burst, special)


def test_a_reaction_has_burst_one_unless_it_is_said() -> None:
    assert rolls("Angus combi at 8 vs Ortega rifle")["Ortega"].burst == 1
    assert rolls("Angus combi at 8 vs Ortega rifle b3")["Ortega"].burst == 3


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Angus combi vs Ortega", "`distance to Angus` was missing. Use inches, as in `at 20`"),
        (
            "Angus combi at 25 vs Ortega rifle suppressive",
            "`distance to Ortega` was `25`. Use at most 24 inches, the maximum range of Suppressive Fire.",
        ),
        ("Angus combi at 49 vs Ortega", "`distance to Angus` was `49`. Use at most 48 inches"),
        ("Grenadier cc vs Ortega", "`CC of Grenadier` was missing. Use a number"),
        ("Angus combi at 8 vs Ortega rifle; Angus combi at 8 vs Ghost", "`Burst of Angus` was missing. Use dice"),
        (
            "Angus combi at 8 b2 vs Ortega rifle; Angus combi at 8 b2 vs Ghost",
            "`Burst of Angus` was 4 dice. Use at most 3",
        ),
    ],
)
def test_what_is_missing_is_asked(text: str, sentence: str) -> None:
    with pytest.raises(BadInputError) as refused:
        rolls(text)
    assert str(refused.value).startswith(sentence)


def test_a_typed_success_value_alone_needs_no_distance() -> None:
    """`Angus 12 b2 vs Ortega 11` plays as the example says, whatever the channel knows of the two."""
    result = rolls("Angus 12 b2 vs Ortega 11; Ghost 10 dodge")
    assert [(roll.sv, roll.mods, roll.weapon and roll.weapon.name) for roll in result.values()] == [
        *((12, (), "Combi"), (11, (), "Rifle"), (10, (), None))
    ]
    assert rolls("Angus 12 at 8 vs Ortega")["Angus"].sv == 15, "a distance that was said counts"
    with pytest.raises(BadInputError, match="`distance to Angus` was missing"):
        rolls("Angus 12 combi vs Ortega 11")


def test_of_two_weapons_one_is_named() -> None:
    held = {"Bo": parse("Bo", "BS 11, Rifle: B3 PS 7, Pistol: B2 PS 6"), "Cleo": Trooper("Cleo", {"BS": 12})}
    with pytest.raises(BadInputError, match=r"`weapon of Bo` was missing\. Use `Rifle` or `Pistol`"):
        declare({"order": "Bo vs Cleo"}, held)
    alone = declare({"order": "Cleo vs Bo pistol"}, held)
    assert isinstance(alone, Order)
    assert [roll.sv for roll in alone.rolls] == [12, 11]


@pytest.mark.parametrize(
    ("weapon", "said", "does"),
    [
        (Action.SHOOT, None, Action.SHOOT),
        (Action.TEMPLATE, None, Action.TEMPLATE),
        (Action.DIRECT, None, Action.DIRECT),
        (Action.CC, None, Action.CC),
        # who says "BS Attack" with a template weapon places its template
        (Action.SHOOT, Action.SHOOT, Action.SHOOT),
        (Action.TEMPLATE, Action.SHOOT, Action.TEMPLATE),
        (Action.DIRECT, Action.SHOOT, Action.DIRECT),
        # with a weapon of close combat nobody shoots by its own action, and a Dodge stays a Dodge
        (Action.CC, Action.SHOOT, Action.SHOOT),
        (Action.TEMPLATE, Action.DODGE, Action.DODGE),
        (Action.DIRECT, Action.DODGE, Action.DODGE),
    ],
)
def test_a_weapon_decides_what_a_shot_with_it_is(weapon: Action, said: Action | None, does: Action) -> None:
    typed = Draft(name="Angus", attribute=12, action=said, weapon=Weapon(name="Thing", action=weapon))
    assert modifiers.read_skill(typed).action is does


@for_each_row("action", Action)
def test_a_fireteam_adds_a_special_die_to_what_is_aimed_only(action: Action) -> None:
    team = Draft(name="Angus", attribute=12, action=action, situation={"fireteam": 2})
    assert modifiers.special(modifiers.read_skill(team), ()) == (action in (Action.SHOOT, Action.TEMPLATE, *KITS))
