"""Infinity cards: the winner first in words for a listener, every die told, and what players forget."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import pytest

from bot.render.card import Card, Tile
from bot.render.infinity import card
from bot.render.infinity.troopers import facts
from bot.rules.game import Choice, Side
from bot.rules.infinity import choose, declare, start
from bot.rules.infinity.orders.play import State
from bot.rules.infinity.table import pieces
from bot.rules.infinity.troopers.declared import KITS, NO_DICE, Action
from bot.rules.infinity.troopers.trooper import Trooper, parse
from bot.rules.text import Name, english

NAMES = {Side.ATTACKER: "Ann", Side.DEFENDER: "Bob"}
USED_UP = "a disposable weapon is used up, even though the attack missed"


def no_dice(_: int) -> int:
    raise AssertionError("physical dice are not rolled")


def state(raw: dict[str, Any] | str) -> State:
    return start(declare({"order": raw} if isinstance(raw, str) else raw), no_dice)


def shown(raw: dict[str, Any] | str) -> Card:
    return card(state(raw), NAMES)


def versus(sv_a: int, a: list[int], sv_b: int, b: list[int], **more: object) -> dict[str, Any]:
    return {"sv_a": sv_a, "dice_a": a, "sv_b": sv_b, "dice_b": b, **more}


@pytest.mark.parametrize(
    ("raw", "sentence", "ahead"),
    [
        ("Angus 12 rolls 4 vs Ortega 11 rolls 7", "Ortega wins, 1 hit.", "defender"),
        (versus(12, [4], 11, [7]), "Bob wins, 1 hit.", "defender"),
        (versus(12, [12, 12, 9], 11, [7]), "Ann wins, 3 hits (2 Criticals).", "attacker"),
        (versus(12, [12], 11, [7]), "Ann wins, 1 Critical.", "attacker"),
        (versus(12, [13], 11, [12]), "Nobody wins: all dice miss.", "nobody"),
        (versus(12, [13], 11, [12], kind_b="dodge"), "Nobody wins: all dice fail.", "nobody"),
        (versus(12, [9], 11, [9]), "Nobody wins: the best dice are tied.", "nobody"),
        (versus(12, [12], 11, [11]), "Nobody wins: Criticals on both sides.", "nobody"),
        (versus(12, [9], 11, [10], kind_b="dodge"), "Bob dodges.", "defender"),
        (versus(12, [9], 11, [10], kind_a="hack", kind_b="reset"), "Bob resets.", "defender"),
        ({"sv": 12, "dice": [9, 13]}, "Ann scores 1 hit.", "attacker"),
        ({"sv": 12, "dice": [13]}, "Ann misses.", "nobody"),
        ({"sv": 12, "dice": [9], "kind": "dodge"}, "Ann dodges.", "attacker"),
        ({"sv": 12, "dice": [13], "kind": "reset"}, "Ann fails to reset.", "nobody"),
        (
            "Angus 12 rolls 9, 4 vs Ortega 11 rolls 5; Angus 12 rolls 11 vs Diaz 11 rolls 11",
            "Angus beats Ortega, 1 hit. Diaz beats Angus, 1 Critical.",
            "nobody",
        ),
        (
            "Angus 12 rolls 4 vs Ortega 11 rolls 7; Diaz 11 normal rolls 2 vs Angus",
            "Ortega beats Angus, 1 hit. Diaz scores 1 hit on Angus.",
            "defender",
        ),
        (
            "Ana 10 dodge rolls 9 vs Angus 12 rolls 8, Murat 13 rolls 9, Bo 12 reset rolls 19",
            "Ana dodges Angus. Ana against Murat: nobody wins, the best dice are tied. Bo fails to reset.",
            "attacker",
        ),
        (
            "Bo 12 reset rolls 9 vs Angus 12 hack rolls 8; Diaz 11 normal rolls 15 vs Bo",
            "Bo resets against Angus. Diaz misses Bo.",
            "attacker",
        ),
    ],
)
def test_the_outcome_can_be_read_aloud(raw: dict[str, Any] | str, sentence: str, ahead: str) -> None:
    told = shown(raw)
    assert (told.outcome, told.ahead) == (sentence, ahead)


def test_every_die_is_drawn_with_its_fate_and_told_in_words() -> None:
    told = shown(versus(12, [12, 8, 20], 11, [9]))
    mine, theirs = told.strips
    assert (mine.label, theirs.label) == ("Ann wins, SV 12", "Bob, SV 11")
    assert (mine.won, theirs.won, theirs.beside) == (True, False, True)
    assert mine.tiles == (
        Tile("d20-attacker", "12", critical=True),
        Tile("d20-attacker", "8", "cancelled"),
        Tile("d20-attacker", "20", "failed"),
    )
    assert theirs.tiles == (Tile("d20-defender", "9", "cancelled"),)
    assert told.trail[:2] == (
        "Ann: Critical 12 (hit), 8 is canceled by 9, 20 (miss)",
        "Bob: 9 is canceled by Critical 12",
    )
    assert told.alt == "Ann wins, SV 12: {}. Bob, SV 11: {}".format(
        *(line.partition(": ")[2] for line in map(str, told.trail))
    )
    assert told.title == "Infinity · Face to Face Roll"
    assert told.small == "N5 · Ann SV 12, Burst 3 · Bob SV 11, Burst 1"
    assert told.turn == "Bob: roll your saves."


def test_a_discarded_die_is_told_apart() -> None:
    told = shown({"sv": 12, "dice": [9, 3], "special_dice": 1})
    assert told.strips[0].tiles[1] == Tile("d20-attacker", "3", "failed")
    assert told.trail == ("Ann: 9 (hit), 3 is discarded",)
    assert told.small == "N5 · Ann SV 12, Burst 1, +1 SD"
    assert told.title == "Infinity · Normal Roll"


@pytest.mark.parametrize(
    ("raw", "notes"),
    [
        (
            {"sv": 12, "mods": [9, 6], "dice": [10]},
            ("Ann: MODs of +15 count as +12, the limit", "Ann: SV 24, 20 and 1 to 4 are Criticals"),
        ),
        ({"sv": 21, "dice": [10]}, ("Ann: SV 21, 20 and 1 are Criticals",)),
        ({"sv": 23, "dice": [16], "edition": "n4"}, ("Ann: SV 23, +3 to each die", "Ann: 16 (counts as 19) (hit)")),
        (
            {"sv": 2, "mods": "-3"},
            ("Ann: SV -1, fails automatically", "No effect; the Order is spent"),
        ),
    ],
)
def test_what_a_success_value_out_of_the_ordinary_does(raw: dict[str, Any], notes: tuple[str, ...]) -> None:
    assert shown(raw).trail[: len(notes)] == notes


def test_without_dice_there_is_no_strip() -> None:
    told = shown(versus(0, [], 11, [9]))
    assert [strip.label for strip in told.strips] == ["Bob wins, SV 11"]
    assert shown({"sv": 0}).strips == ()


def test_nobody_achieves_anything_and_only_a_weapon_that_was_named_is_used_up() -> None:
    told = shown(versus(12, [9], 11, [9]))
    assert told.trail[2:] == ("No effect; the Order is spent",)
    assert told.turn == ""


def test_a_tie_is_no_dodge() -> None:
    told = shown(versus(12, [9], 11, [9], kind_b="dodge"))
    assert "A tie: no hit, but no successful Dodge or Reset either" in told.trail
    assert (
        "A tie: no hit, but no successful Dodge or Reset either"
        not in shown(versus(12, [13], 11, [12], kind_b="dodge")).trail
    )
    assert told.trail[-1] == "A tie: no hit, but no successful Dodge or Reset either"


def test_whoever_hit_once_did_not_shoot_in_vain() -> None:
    told = shown("Angus 12 template rolls 9 vs Ortega 11 dodge rolls 3, Diaz 11 dodge rolls 10")
    assert not any(USED_UP in english(line) for line in told.trail)


def test_an_order_says_who_meets_whom_and_lists_its_rolls() -> None:
    told = shown("Angus 12-3 b2 rolls 9, 4 vs Ortega 11 rolls 5; Diaz 11 rolls 12 vs Ana 11 dodge rolls 7")
    assert [strip.label for strip in told.strips] == [
        "Angus wins, SV 9",
        "Ortega, SV 11",
        "Diaz, SV 11",
        "Ana wins, SV 11",
    ]
    assert [strip.beside for strip in told.strips] == [False, True, False, True], "whom they meet stands beside them"
    assert told.trail[0] == "Angus against Ortega: Critical 9 (hit), 4 is canceled by 5"
    rolls = "Angus SV 9 (12 -3), Burst 2\nOrtega SV 11, Burst 1\nDiaz SV 11, Burst 1\nAna SV 11, Burst 1, Dodge"
    assert told.facts == (("Rolls", rolls),)
    assert (told.title, told.small) == ("Infinity · order", "N5")


def test_an_open_roll_asks_for_its_answer() -> None:
    opened = state({"sv_a": 12, "mods_a": "-3", "open": True})
    told = card(opened, NAMES)
    assert told.outcome == "Ann declares SV 9, Burst 1."
    assert told.turn == "Bob: press React and choose what you do."
    assert (told.ahead, told.strips, told.title) == ("open", (), "Infinity · Face to Face Roll")
    assert card(opened, {Side.ATTACKER: "Ann"}).turn == "Anyone else: press React and choose what you do."
    named = state({"sv_a": 12, "open": True, "name_b": "Ortega"})
    assert card(named, NAMES).turn == "Bob: press React and choose what Ortega does."
    withdrawn = card(choose(opened, Choice("withdraw"), no_dice), NAMES)
    assert (withdrawn.outcome, withdrawn.turn, withdrawn.ahead) == ("Ann withdraws; nothing was rolled.", "", "nobody")


def test_sides_that_nobody_has_taken_have_a_name() -> None:
    told = card(state(versus(12, [9], 11, [3])), {})
    assert told.outcome == "The active trooper wins, 1 hit."
    assert told.turn == "The target: roll your saves."


def test_saving_rolls_that_followed() -> None:
    after = choose(
        state("Angus 12 rolls 9 vs Ortega 11 rolls 5"),
        Choice("save", filled={"weapon": "DA PS 7", "armour": "1", "dice": "8 9"}),
        no_dice,
    )
    told = card(after, NAMES)
    assert told.outcome == "Angus wins, 1 hit. Ortega fails 1 of 2 Saving Rolls: 1 Wound."
    assert told.strips[-1].label == "Saving Rolls, Ortega"
    assert told.strips[-1].tiles == (Tile("d20-defender", "8"), Tile("d20-defender", "9", "failed"))
    assert told.trail[-1] == "Ortega saves on 8 or less (ARM): 8 (pass), 9 (failure)"
    assert told.turn == "Ortega: Guts Roll."


@pytest.mark.parametrize(
    ("raw", "sentence", "ahead"),
    [
        ({"hits": 1, "ps": 7, "arm": 1, "dice": [8]}, "Bob passes the Saving Roll.", "defender"),
        ({"hits": 2, "ps": 7, "arm": 1, "dice": [8, 1]}, "Bob passes all 2 Saving Rolls.", "defender"),
        (
            {"hits": 1, "ps": 7, "ammo": "T2", "arm": 1, "dice": [20]},
            "Bob fails the Saving Roll: 2 Wounds.",
            "attacker",
        ),
        (
            {"hits": 1, "ps": 7, "ammo": "PARA", "ph": 10, "dice": [20], "name": "Ana"},
            "Ana fails the Saving Roll: Immobilized-A.",
            "attacker",
        ),
    ],
)
def test_saving_rolls_alone(raw: dict[str, Any], sentence: str, ahead: str) -> None:
    told = shown(raw)
    assert (told.outcome, told.ahead, told.title) == (sentence, ahead, "Infinity · Saving Rolls")


def test_against_what_saving_rolls_are_made() -> None:
    n4 = shown({"hits": 1, "crits": 1, "dam": 14, "arm": 3, "cover": True, "dice": [9, 8, 20]})
    assert n4.trail == (
        "Bob saves on more than 8 (ARM): 9 (pass), 8 (failure)",
        "Bob saves on more than 8 (ARM, the Critical's extra save): 20 (pass)",
    )
    assert [strip.label for strip in n4.strips] == ["Saving Rolls, Bob", "Extra save for the Critical, Bob"]
    assert n4.small == "N4 · 2 hits (1 Critical) with N · DAM 14 · cover +3"
    plasma = shown({"hits": 1, "ps": 6, "arm": 2, "bts": 6, "ammo": "plasma", "dice": [8, 13]})
    assert plasma.trail == ("Bob saves on 8 or less (ARM): 8 (pass)", "Bob saves on 12 or less (BTS): 13 (failure)")
    assert plasma.small == "N5 · 1 hit with Plasma · PS 6"
    assert plasma.alt == "Saving Rolls with ARM, Bob: 8 (pass). Saving Rolls with BTS, Bob: 13 (failure)"


def test_in_n3_a_critical_costs_a_wound_without_a_save() -> None:
    told = shown({"hits": 1, "crits": 1, "damage": 13, "arm": 1, "edition": "n3", "dice": [12]})
    assert told.outcome == "Bob loses 1 Wound without a save and fails 1 of 1 Saving Roll: 2 Wounds in all."


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        ({"sv": 13, "kind": "wip", "name": "Fiona", "dice": [9]}, "Fiona passes the WIP Roll by 4 (9 against SV 13)."),
        ({"sv": 13, "kind": "doctor", "dice": [17]}, "Ann fails the Doctor Roll by 4 (17 against SV 13)."),
        ({"sv": 13, "kind": "discover", "dice": [13]}, "Ann passes the Discover Roll with a Critical."),
        ({"sv": 13, "kind": "hack", "dice": [4, 9]}, "Ann passes the Hacking Roll by 4 (9 against SV 13)."),
        ({"sv": 0, "kind": "guts"}, "Ann fails the Guts Roll: SV 0 fails automatically."),
        ("Fiona WIP 13 engineer rolls 9", "Fiona passes the Engineer Roll by 4 (9 against SV 13)."),
        ("Fiona PH 10 rolls 12", "Fiona fails the PH Roll by 2 (12 against SV 10)."),
    ],
)
def test_a_skill_passes_or_fails_and_says_nothing_of_hits_and_weapons(raw: dict[str, Any] | str, sentence: str) -> None:
    told = shown(raw)
    assert (told.outcome, told.turn) == (sentence, "")
    assert not any(USED_UP in english(line) for line in told.trail)


def test_an_order_says_what_each_line_became() -> None:
    told = shown("Angus 12 rolls 9 vs Ortega 11 rolls 5; Ana 10 dodge rolls 7 vs Angus; Murat 9 rolls 10 vs Ortega")
    assert "Ana, Dodge: a Normal Roll, because nobody attacks Ana face to face" in told.trail
    assert "Murat, BS Attack against Ortega: a Normal Roll, because Ortega acts against someone else" in told.trail


def test_a_card_names_what_touches_a_roll_and_is_not_counted() -> None:
    troopers = {"Ana": "BS 12, MSV 2, Combi: B3 PS 7 +3@16", "Bo": 'PH 11, Albedo, Stunned, "Lucky charm"'}
    faces = "rolls 3, 4, 5"
    told = shown({"troopers": troopers, "order": f"Ana at 10 {faces} vs Bo dodge rolls 9"})
    assert told.below == "Bo: Stunned · Play by hand: Albedo (Ana), Lucky charm (Ana), Lucky charm (Bo)"


@pytest.mark.parametrize(
    ("order", "was", "sentence"),
    [
        (
            "Ann doctor rolls 17 vs Bo",
            "Unconscious",
            "Ann fails the Doctor Roll by 4 (17 against SV 13). Bo is now Dead.",
        ),
        ("Ann doctor rolls 3 vs Bo", "Unconscious", "Bo is no longer Unconscious."),
        ("Ann discover at 8 rolls 3 vs Bo", "Camouflaged", "Bo is no longer Camouflaged."),
        ("Bo reset rolls 3", "Targeted", "Bo is no longer Targeted."),
        ("Ann discover at 8 rolls 19 vs Bo", "Camouflaged", "Ann fails the Discover Roll by 3 (19 against SV 16)."),
    ],
)
def test_a_card_says_what_a_skill_did_to_its_target(order: str, was: str, sentence: str) -> None:
    """The states beneath are those before the roll; what is so now is said."""
    troopers = {name: parse(name, "PH 11, WIP 13, W 1, Doctor") for name in ("Ann", "Bo")}
    troopers["Bo"] = replace(troopers["Bo"], lost=1, states=(was,))
    result = card(start(pieces.declare({"order": order}, troopers), no_dice), NAMES)
    assert english(result.outcome).endswith(sentence)
    assert was in english(result.below)


def troopers(*owned: tuple[str, int]) -> dict[str, Trooper]:
    return {name: replace(parse(name, "BS 11"), owner=owner) for name, owner in owned}


def test_where_two_play_each_has_their_troopers_together_under_their_name() -> None:
    held = troopers(("Zond", 1), ("Angus", 2), ("Bulleteer", 1), ("Civilian", 0))
    two = {1: Name("Ann"), 2: Name("Bob")}
    names = ["Bulleteer (Ann)", "Zond (Ann)", "Angus (Bob)", "Civilian"]
    assert [english(name) for name, _ in facts(held, two)] == names
    assert [english(name) for name, _ in facts(held)] == ["Angus", "Bulleteer", "Civilian", "Zond"]
    assert [english(name) for name, _ in facts(troopers(("Zond", 1), ("Angus", 1)), two)] == ["Angus", "Zond"]
    many = facts(troopers(*((f"Fus{at:02}", 1 + at % 2) for at in range(20))), two)
    assert [english(name) for name, _ in many] == [
        "Fus00 … Fus14 (Ann)",
        "Fus16 … Fus18 (Ann)",
        "Fus01 … Fus15 (Bob)",
        "Fus17 … Fus19 (Bob)",
    ]


ATTACKS: Final = (Action.SHOOT, Action.TEMPLATE, Action.CC)
ROLLED: Final = tuple(action for action in Action if action not in (*NO_DICE, *ATTACKS, *KITS, Action.DIRECT))


def verbs(words: Mapping[str, Any]) -> set[str]:
    """What all dice did in the story and in the alt text, which say the same."""
    told = card(start(declare(words), no_dice), NAMES)
    story, alt = " ".join(map(str, told.trail)), str(told.alt)
    found = [set(re.findall(r"[0-9] \((hit|miss|pass|failure|success)\)", text)) for text in (story, alt)]
    assert found[0] == found[1], (story, alt)
    return found[0]


@pytest.mark.parametrize("action", ROLLED)
def test_a_die_of_what_is_no_attack_succeeds_or_fails(action: Action) -> None:
    named = {Action.WIP: "WIP 12", Action.PH: "PH 12", Action.IMPERSONATE: "WIP 12 impersonation"}
    said = named.get(action, f"12 {action}")
    order = f"Ana {said} b2 rolls 5, 19 anyway" + ("" if action.is_evasion else " vs Bo")
    assert verbs({"order": order}) == {"success", "failure"}


@pytest.mark.parametrize("order", [*(f"Ana 12 {action}" for action in ATTACKS), "Ana 12 hack N PS 7 BTS"])
def test_a_die_of_an_attack_hits_or_misses(order: str) -> None:
    assert verbs({"order": f"{order} b2 rolls 5, 19 vs Bo"}) == {"hit", "miss"}


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("PH 12, Smoke Grenades: B2 PH Smoke template 0@8", "Ana Smoke Grenades at 7 rolls 5, 19"),
        ("BS 12, MediKit (+1B)", "Ana MediKit at 10 rolls 5, 19 vs Bo"),
        ("BS 12, GizmoKit (+1B)", "Ana GizmoKit at 10 rolls 5, 19 vs Rem"),
    ],
)
def test_smoke_and_kits_succeed_or_fail(line: str, order: str) -> None:
    troopers = {"Ana": line, "Bo": "PH 11, W 1, Unconscious", "Rem": "PH 11, STR 1, Unconscious"}
    assert verbs({"troopers": troopers, "order": order}) == {"success", "failure"}


def test_a_dodge_succeeds_while_a_shot_misses() -> None:
    assert verbs({"order": "Ana 12 rolls 19 vs Bo 11 dodge rolls 5"}) == {"success", "miss"}


def test_a_save_passes_or_fails() -> None:
    assert verbs({"hits": 2, "weapon": "PS 7 N", "arm": 1, "dice": "3, 19"}) == {"pass", "failure"}
