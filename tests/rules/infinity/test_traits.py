"""Traits of weapons that touch dice (rules page of that name), typed and as the import writes them.

The numbers of each row are worked from the page, before the code was read.
"""

import json
from typing import Any, Final

import pytest

from bot.games.infinity import GAME
from bot.rules import infinity
from bot.rules.errors import BadInputError, PlayerError
from bot.rules.game import Choice
from bot.rules.infinity.dice.saves import list_saves
from bot.rules.infinity.orders import play
from bot.rules.infinity.orders.play import sums
from bot.rules.infinity.table import army, pieces
from bot.rules.infinity.troopers import weapon as weapons
from bot.rules.infinity.troopers.declared import Order, Weapon
from bot.rules.infinity.troopers.trooper import parse

ANA: Final = "BS 12, CC 14, PH 11, WIP 13, ARM 1, BTS 0, W 1, LI"
RIFLE: Final = "Rifle: B3 PS 7 N ARM +3@16 -3@32"


def order_of(gun: str, order: str, ana: str = "", bo: str = "") -> Order:
    troopers = {"Ana": ", ".join(filter(None, [ANA, ana, gun])), "Bo": ", ".join(filter(None, [ANA, bo, RIFLE]))}
    declared = infinity.declare({"troopers": {**troopers, "Cy": f"{ANA}, {RIFLE}"}, "order": order})
    assert isinstance(declared, Order)
    return declared


def counted(order: Order) -> list[tuple[str, object, object]]:
    return [(str(roll["name"]), roll["sv"], roll["burst"]) for roll in sums(order)]


CHEST: Final = "Chest Mine: B1 PS 7 Shock ARM direct doubleshot disposable(2)"
DISPENSER: Final = "Mine Dispenser: B1 none nosave speculative doubleshot disposable(2) 0@8 +3@16 -3@24"
URAGAN: Final = "Uragan: B3 PS 5 AP+Shock ARM single-target -3@8 +3@24 0@40"
KOALA: Final = "Koala: B1 PS 5 Shock ARM boost perimeter deployable disposable(2)"
CYBERMINE: Final = "Cybermine: B1 PS 5 N BTS saves 2 direct comms deployable nonlethal state Stunned/Immobilized-B"
PULSE: Final = "Flash Pulse: B1 WIP PS 7 Stun BTS nonlethal 0@8 +3@24"


@pytest.mark.parametrize(
    ("gun", "order", "rolls"),
    [
        (CHEST, "Ana Chest Mine vs Bo dodge", [("Ana", 0, 2), ("Bo", 11, 1)]),
        (DISPENSER, "Ana Mine Dispenser at 12 vs Bo", [("Ana", 15, 2)]),
        (DISPENSER, "Ana Mine Dispenser at 12 speculative vs Bo", [("Ana", 9, 1)]),
        (DISPENSER, "Bo Rifle at 12 vs Ana Mine Dispenser", [("Bo", 15, 3), ("Ana", 15, 1)]),
        (URAGAN, "Ana Uragan at 20 vs Bo dodge", [("Ana", 15, 3), ("Bo", 11, 1)]),
        (KOALA, "Ana Koala vs Bo dodge", [("Ana", 0, 1), ("Bo", 11, 1)]),
        (CYBERMINE, "Ana Cybermine vs Bo reset", [("Ana", 0, 1), ("Bo", 10, 1)]),
        ("Tactical Bow (+3 BS): B1 PS 8 DA ARM +3@8 0@16", "Ana Tactical Bow at 12 vs Bo", [("Ana", 15, 1)]),
        ("Chest Mine (+3): CC PS 7 Shock ARM", "Ana Chest Mine vs Bo dodge", [("Ana", 17, 1), ("Bo", 11, 1)]),
    ],
)
def test_a_trait_counts(gun: str, order: str, rolls: list[tuple[str, int, int]]) -> None:
    assert counted(order_of(gun, order)) == rolls


@pytest.mark.parametrize(("spent", "burst", "gone"), [((), 2, 2), (("Chest Mine",), 1, 2)])
def test_a_double_shot_of_a_disposable_weapon_needs_both_uses_and_takes_them(
    spent: tuple[str, ...], burst: int, gone: int
) -> None:
    held: dict[str, Any] = {"Ana": parse("Ana", f"{ANA}, {CHEST}"), "Bo": parse("Bo", ANA)}
    object.__setattr__(held["Ana"], "spent", spent)
    state = infinity.start(pieces.declare({"order": "Ana Chest Mine vs Bo"}, held), lambda _: 0)
    assert isinstance(state.declared, Order)
    assert state.declared.rolls[0].burst == burst
    _, changed = pieces.settle(None, state, held, lambda _: 0)
    assert changed["Ana"].spent == ("Chest Mine",) * gone


def test_a_weapon_of_a_single_target_does_not_split_its_burst() -> None:
    with pytest.raises(BadInputError, match="can't split"):
        order_of(URAGAN, "Ana Uragan b2 at 20 vs Bo dodge; Ana Uragan b1 at 20 vs Cy dodge")


def winner(order: Order, *faces: int) -> list[str]:
    left = iter(faces)
    state = infinity.start(order, lambda _: next(left) - 1)
    return [result.winner for result in play.results(state)]


@pytest.mark.parametrize(("answer", "face", "evaded"), [("dodge", 11, True), ("dodge", 12, False)])
def test_a_boost_hits_without_a_roll_and_a_normal_dodge_avoids_it(answer: str, face: int, evaded: bool) -> None:
    assert winner(order_of(KOALA, f"Ana Koala vs Bo {answer}"), face) == ["b" if evaded else "a"]


@pytest.mark.parametrize(("face", "evaded"), [(10, True), (11, False)])
def test_a_cybermine_is_evaded_by_a_reset_alone(face: int, evaded: bool) -> None:
    assert winner(order_of(CYBERMINE, "Ana Cybermine vs Bo reset"), face) == ["b" if evaded else "a"]
    assert winner(order_of(CYBERMINE, "Ana Cybermine vs Bo dodge"), 1)[0] == "a"
    assert order_of(CYBERMINE, "Ana Cybermine vs Bo dodge").rolls[1].sv == 11


@pytest.mark.parametrize(
    ("bo", "state"),
    [
        (ANA, "Stunned"),
        (ANA.replace("LI", "HI"), "Immobilized-B"),
        (f"{ANA}, Hacker", "Immobilized-B"),
        (f"{ANA.replace('LI', 'HI')}, Immunity (IMM-B)", ""),
    ],
)
def test_a_cybermine_immobilizes_who_can_be_hacked_and_stuns_anybody_else(bo: str, state: str) -> None:
    troopers = {"Ana": f"{ANA}, {CYBERMINE}", "Bo": bo}
    left = infinity.start(infinity.declare({"troopers": troopers, "order": "Ana Cybermine vs Bo"}), lambda _: 19)
    saved = infinity.choose(left, Choice("save"), lambda _: 19)
    told: Any = infinity.outcome(saved)
    (result,) = told["saves"]
    assert (result["saves"], result["wounds"], result["state"]) == (2, 0, state)


@pytest.mark.parametrize(
    ("target", "bo", "saves"),
    [
        ("vita", "W 2", 1),
        ("vita", "STR 2", 0),
        ("str", "W 2", 0),
        ("str", "STR 2", 1),
        ("vita", "", 1),
        ("", "STR 2", 1),
    ],
)
def test_a_weapon_for_one_kind_of_target_does_nothing_to_the_other(target: str, bo: str, saves: int) -> None:
    lines = {"Ana": f"{ANA}, Endgame: B1 PS 7 AP BTS hack {target}", "Bo": f"WIP 12, BTS 3, {bo}".rstrip(", ")}
    order = infinity.declare({"troopers": lines, "order": "Ana Endgame rolls 1 vs Bo"})
    assert isinstance(order, Order)
    hit = play.hit_by(order, 0, "a")
    assert hit is not None
    state = infinity.start(order, lambda _: 0)
    assert len(list_saves(play.landed_attacks(state)[0])) == saves
    assert any(offer.key == "save" for offer in infinity.offers(state)) is bool(saves)
    assert ("The Endgame has no effect on Bo." in str(GAME.card(state, {}).outcome)) is not bool(saves)


def test_shock_of_a_skill_counts_for_no_weapon_of_wip() -> None:
    shots = [
        order_of(f"{PULSE}, {RIFLE}", f"Ana {gun} at 12 vs Bo", "BS Attack (Shock)") for gun in ("Flash Pulse", "Rifle")
    ]
    assert [weapon.ammunition for shot in shots if (weapon := shot.rolls[0].weapon)] == ["Stun", "Shock"]


def imported(name: str, mode: str, *properties: str, **more: object) -> Weapon:
    """A weapon with these properties as official data write them."""
    item = {"id": 1, "name": name, "mode": mode, "burst": "1", "damage": "7", "saving": "ARM", "savingNum": "1"}
    data: dict[str, Any] = {
        "units": [
            {
                "id": 1,
                "name": "Unit",
                "profileGroups": [{"id": 1, "profiles": [{"weapons": [{"id": 1}]}], "options": [{"id": 1}]}],
            }
        ],
        "weapons": [{**item, "ammunition": "N", "properties": list(properties), **more}],
    }
    (weapon,) = army.read_trooper("Unit", "", json.dumps(data)).weapons
    return weapon


@pytest.mark.parametrize(
    ("weapon", "words"),
    [
        (imported("Chest Mine", "BS Mode", "Disposable (2)", "Direct Template (Small Teardrop)", "Double Shot"), CHEST),
        (imported("Uragan", "Hit Mode", "Burst: Single Target"), "single-target"),
        (imported("Crazykoala", "", "Disposable (2)", "Boost", "Perimeter", "Deployable"), KOALA),
        (imported("PT: Endgame", "", "Comms. Attack", "Target (VITA)"), "hack vita"),
        (imported("X", "", "Target (STR)"), "str"),
        (
            imported(
                "Cybermine",
                "",
                *("Comms. Attack", "Concealed", "Non-lethal", "Direct Template (Small Teardrop)", "Deployable"),
                "State: Stunned / Immbolized-B",
            ),
            CYBERMINE,
        ),
    ],
)
def test_the_import_writes_each_trait(weapon: Weapon, words: str) -> None:
    typed = weapons.parse(words if ":" in words else f"Gun: {words}")
    assert (weapon.action, set(weapon.traits) >= set(typed.traits), weapon.state) == (typed.action, True, typed.state)
    assert weapons.parse(weapons.write(weapon)) == weapon


def test_a_close_combat_mode_with_a_mod_is_close_combat_with_that_mod() -> None:
    weapon = imported("Chest Mine", "CC Mode", "CC Attack (+3)", "Disposable (2)")
    assert (weapon.name, weapon.action) == ("Chest Mine CC Mode (+3)", "cc")


COUNTED: Final = {
    "boost", "comms", "deployable", "disposable", "doubleshot", "improvised", "intuitive", "silent", "single-target",
    "speculative", "str", "suppressive", "vita",
}  # fmt: skip  # a table: one row a line
TOLD: Final = {"anti-materiel", "assisted", "concealed", "non-reloadable", "perimeter", "zone"}
"""Traits of the table: what they may be aimed at, how they are put there, and when they come back."""


def test_every_word_for_a_trait_counts_or_touches_no_die() -> None:
    assert {*weapons.TRAITS} == COUNTED | TOLD
    for trait in weapons.TRAITS:
        assert weapons.parse(f"Gun: B1 PS 5 {trait}").traits == (trait,)
    with pytest.raises(PlayerError):
        weapons.parse("Gun: B1 PS 5 unheard")
