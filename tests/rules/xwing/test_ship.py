"""A ship and its tokens, and a table of ships: locks, the Engagement Phase, the End Phase (rules page, step 7, 8)."""

from dataclasses import fields, replace
from typing import Any

import pytest

from bot.rules.errors import BadInputError, PlayerError
from bot.rules.game import Side
from bot.rules.xwing.dice.declared import DiceEffect
from bot.rules.xwing.dice.faces import Face, Pool
from bot.rules.xwing.dice.tokens import CARGO, CIRCULAR, KINDS, STAYING
from bot.rules.xwing.table import ship as table
from bot.rules.xwing.table.ship import (
    Flight,
    Ship,
    abilities,
    end_of_round,
    give,
    launch,
    refit,
    remote,
    reset_ship,
    room,
)
from tests.rows import for_each_row
from tests.rules.xwing.fleet import fleet, luke, mauler

# A ship


def test_a_new_ship_has_all_its_shields_and_force_and_no_tokens() -> None:
    ship = luke(charge=1)
    assert [ship.has(kind) for kind in ("shield", "force", "charge", "focus", "facedown damage")] == [2, 2, 1, 0, 0]
    assert not ship.destroyed
    assert ship.hull_left == 4
    assert launch("  Red   Two ").name == "Red Two"


@pytest.mark.parametrize(
    ("name", "card", "field"),
    [
        ("", {}, "name"),
        ("x" * 33, {}, "name"),
        ("Luke", {"attack": 7}, "attack"),
        ("Luke", {"hull": 0}, "hull"),
        ("Luke", {"shields": -1}, "shields"),
        ("Luke", {"force": 7}, "force"),
        ("Luke", {"initiative": 9}, "initiative"),
        ("Luke", {"abilities": "x" * 201}, "abilities"),
    ],
)
def test_what_no_card_says_is_refused_by_its_field(name: str, card: dict[str, Any], field: str) -> None:
    with pytest.raises(BadInputError) as refused:
        launch(name, **card)
    assert refused.value.field == field


def test_what_is_left_moves_with_its_capacity() -> None:
    ship = give(give(luke(), "shield", -1), "force", -2)
    more = refit(ship, shields=4, force=3, attack=2)
    assert (more.shields_left, more.force_left, more.attack, more.agility) == (3, 1, 2, 2)
    less = refit(ship, shields=0, force=0)
    assert (less.shields_left, less.force_left) == (0, 0)


def test_a_fresh_ship_is_one_that_nothing_has_happened_to() -> None:
    """Every field that a game changes is worn here, so that a field more has to be made fresh, or named below."""
    as_printed = ("kind", "name", "owner", "card_set", "printed", "pilot", "upgrades", "size", "is_remote", "abilities")
    numbers = ("attack", "agility", "hull", "shields", "force", "charge", "energy", "initiative", "points")
    new = replace(luke(charge=2), owner=7, energy=2, energy_left=2)
    worn = replace(
        new,
        tokens={"focus": 1, "ion": 2},
        force_left=1,
        charge_left=0,
        shields_left=0,
        energy_left=1,
        upgrade_charges=(1,),
        flipped=(0,),
        facedown=("",),
        faceup=("Panicked Pilot",),
        wrecked=True,
        locks=("Mauler",),
        engaged=True,
        attacks=2,
        bonus_attacks=1,
        last_target="Mauler",
        last_range=2,
        last_weapon="Primary",
        flight=Flight(),
        last_dial="2FB",
        docked="Mauler",
        carries="lukeskywalker",
        conditions=("hunted",),
        on_cards={"ion on x": 1},
        keeps={"focus": 2},
        acts_at=7,
        acts_stressed=True,
    )
    kept = {field.name for field in fields(Ship) if getattr(worn, field.name) == getattr(new, field.name)}
    assert kept == {*as_printed, *numbers}
    assert reset_ship(worn) == new


@for_each_row("kind", KINDS)
def test_every_kind_comes_and_goes(kind: str) -> None:
    ship = replace(luke(charge=2), energy=2, energy_left=2)
    emptied = give(ship, kind, -ship.has(kind))
    assert emptied.has(kind) == 0
    some = min(2, room(emptied, kind))
    assert give(give(emptied, kind, some), kind, -1).has(kind) == some - 1
    with pytest.raises(PlayerError, match=f"Luke has no {kind}"):
        give(emptied, kind, -1)


@pytest.mark.parametrize(("kind", "most"), [("force", 2), ("shield", 2), ("focus", 9), ("charge", 9), ("stress", 9)])
def test_no_more_than_there_is_room_for(kind: str, most: int) -> None:
    ship = luke()
    ship = give(ship, kind, most - ship.has(kind)) if ship.has(kind) < most else ship
    with pytest.raises(PlayerError, match=f"can have at most {most}"):
        give(ship, kind, 1)


def test_an_unknown_token_is_refused() -> None:
    with pytest.raises(BadInputError, match="`token` was `fuel`"):
        give(luke(), "fuel", 1)


def test_as_many_damage_cards_as_hull_destroy() -> None:
    hurt = give(give(luke(), "facedown damage", 2), "faceup damage", 1)
    assert (hurt.destroyed, hurt.hull_left) == (False, 1)
    hurt = give(hurt, "faceup damage", 2)
    assert (hurt.destroyed, hurt.hull_left) == (True, 0)


# Abilities

REROLL = {"verb": "reroll", "most": 1, "faces": (Face.BLANK,)}


def test_an_ability_helps_on_the_side_whose_dice_it_changes() -> None:
    text = "reroll 1 blank; change 1 focus to hit\n+1 dice green"
    red = DiceEffect(verb="change", pool=Pool.RED, faces=(Face.FOCUS,), to=Face.HIT)
    assert abilities(text, Side.ATTACKER) == (DiceEffect(pool=Pool.RED, **REROLL), red)  # type: ignore[arg-type]  # a table of fields
    more = DiceEffect(verb="dice", pool=Pool.GREEN, most=1)
    assert abilities(text, Side.DEFENDER) == (DiceEffect(pool=Pool.GREEN, **REROLL), more)  # type: ignore[arg-type]  # a table of fields


@pytest.mark.parametrize("text", ["spend 1 evade", "add evade", "change 1 blank to evade"])
def test_what_only_green_dice_can_show_is_the_defenders(text: str) -> None:
    assert abilities(text, Side.ATTACKER) == ()
    assert len(abilities(text, Side.DEFENDER)) == 1


@pytest.mark.parametrize(
    ("text", "word"),
    [("focus", "focus"), ("evade 2", "evade"), ("hull 3", "hull"), ("cost lock", "cost lock"), ("relol 1", "relol")],
)
def test_what_is_no_effect_on_dice_is_no_ability(text: str, word: str) -> None:
    with pytest.raises(PlayerError, match=word) as refused:
        luke(abilities=text)
    assert "`abilities`" in str(refused.value)


def test_too_many_abilities_for_one_message_are_refused() -> None:
    with pytest.raises(BadInputError, match="different rerolls"):
        luke(abilities="reroll 1 blank, reroll 1 focus, reroll 2 hit")


# The table


def test_ships_are_found_whatever_the_case_and_the_nearest_are_named() -> None:
    ships = fleet(luke(), mauler())
    assert table.find(ships, " LUKE ").name == "Luke"
    with pytest.raises(BadInputError, match=r"`target` was `Mauller`. Use one of these ships: `Mauler`"):
        table.find(ships, "Mauller", "target")
    with pytest.raises(BadInputError, match="`Luke` or `Mauler`"):
        table.find(ships, "zzz")
    with pytest.raises(BadInputError, match="ship add"):
        table.find({}, "Luke")


def test_a_name_belongs_to_one_ship_and_the_table_has_an_end() -> None:
    ships = fleet(luke())
    with pytest.raises(BadInputError, match="`name` was `LUKE`"):
        table.join(ships, launch("LUKE"))
    assert table.join(ships, mauler()) == fleet(mauler())
    many = fleet(*(launch(f"Ship {number}") for number in range(table.MAX_SHIPS)))
    with pytest.raises(PlayerError, match="This channel already has 24 ships"):
        table.join(many, mauler())


def locked() -> dict[str, Ship]:
    """Luke has a lock on Mauler, Mauler one on Luke, Tam one on Mauler."""
    ships = fleet(luke(), mauler(), launch("Tam"))
    for holder, target in (("Luke", "Mauler"), ("Mauler", "Luke"), ("tam", "mauler")):
        ships = table.apply_piece_changes(ships, table.lock(ships, holder, target))
    return ships


def test_a_lock_has_one_holder_and_one_target_and_a_new_one_takes_its_place() -> None:
    ships = locked()
    assert {name: ship.locks for name, ship in ships.items()} == {
        "Luke": ("Mauler",),
        "Mauler": ("Luke",),
        "Tam": ("Mauler",),
    }
    ships = table.apply_piece_changes(ships, table.lock(ships, "Luke", "Tam"))
    assert ships["Luke"].locks == ("Tam",)
    assert ships["Tam"].locks == ("Mauler",)


@pytest.mark.parametrize(
    ("typed", "locked"),
    [
        ("asteroid", "asteroid"),
        ("Debris  Cloud 2", "debris cloud 2"),
        ("buzz droid", "Buzz Droid"),
        ("luke", "Luke"),
    ],
)
def test_a_lock_lies_on_any_object_obstacles_and_remotes_included(typed: str, locked: str) -> None:
    """(R) Lock: on one object."""
    ships = fleet(luke(), mauler(), remote("Buzz Droid"))
    ships = table.apply_piece_changes(ships, table.lock(ships, "Mauler", typed))
    assert ships["Mauler"].locks == (locked,)
    with pytest.raises(PlayerError, match="already"):
        table.lock(ships, "Mauler", typed.upper())


def test_a_ship_whose_name_is_that_of_an_obstacle_comes_first() -> None:
    assert table.object_named(fleet(luke(), launch("Asteroid")), "asteroid") == "Asteroid"


def test_a_ship_keeps_one_lock_unless_its_card_says_more() -> None:
    """(R) A ship keeps one lock unless its data say more."""
    ships = fleet(luke(), mauler())
    ships = table.apply_piece_changes(ships, table.lock(ships, "Luke", "Mauler"))
    both = table.apply_piece_changes(ships, table.lock(ships, "Luke", "asteroid 1", keep=True))
    assert both["Luke"].locks == ("Mauler", "asteroid 1")
    assert table.lock(ships, "Luke", "asteroid 1")["Luke"] == replace(both["Luke"], locks=("asteroid 1",))


@pytest.mark.parametrize("typed", ["asteroid 0", "asteroid 100", "planet", "asteroid two", "2"])
def test_what_is_neither_ship_nor_obstacle_is_refused_with_an_example(typed: str) -> None:
    with pytest.raises(BadInputError, match="Name an obstacle like `asteroid 2"):
        table.lock(fleet(luke(), mauler()), "Luke", typed)


def test_a_remote_locks_nothing() -> None:
    with pytest.raises(PlayerError, match="is a remote"):
        table.lock(fleet(luke(), remote("Buzz Droid")), "Buzz Droid", "Luke")


def test_locks_that_cannot_be_are_refused() -> None:
    ships = locked()
    with pytest.raises(PlayerError, match="can't lock itself"):
        table.lock(ships, "Luke", "luke")
    with pytest.raises(PlayerError, match="already"):
        table.lock(ships, "Luke", "Mauler")
    with pytest.raises(BadInputError, match="`target`"):
        table.lock(ships, "Luke", "Vader")
    ships = table.apply_piece_changes(ships, table.unlock(ships, "Luke"))
    with pytest.raises(PlayerError, match="no lock to break"):
        table.unlock(ships, "Luke")


def test_removing_either_ship_breaks_the_lock() -> None:
    assert table.remove_ships(locked(), ["Mauler"]) == {
        "Mauler": None,
        "Luke": luke(),
        "Tam": launch("Tam"),
    }
    assert table.remove_ships(locked(), ["Tam"]) == {"Tam": None}, "whom it had locked does not change"


# The End Phase


def test_circular_tokens_leave_and_the_others_stay() -> None:
    ship = luke()
    for kind in (*CIRCULAR, *STAYING):
        ship = give(ship, kind, min(2, room(ship, kind)))
    assert end_of_round(ship).tokens == {"stress": 2, "strain": 2, "deplete": 2, "ion": 2, "cloak": 1, CARGO: 1}


def test_force_and_recurring_charges_regain_one_up_to_their_capacity() -> None:
    ship = give(give(luke(charge=3), "force", -2), "charge", -3)
    gained = []
    for _ in range(4):
        ship = end_of_round(ship)
        gained.append((ship.force_left, ship.charge_left))
    assert gained == [(1, 1), (2, 2), (2, 3), (2, 3)]


def test_charges_that_do_not_recur_come_back_never_and_stay() -> None:
    ship = give(luke(), "charge", 2)
    assert end_of_round(ship).charge_left == 2
    assert end_of_round(give(ship, "charge", -2)).charge_left == 0
    assert end_of_round(give(luke(charge=1), "charge", 2)).charge_left == 3, "more than recur are not lost"


def test_ships_whose_upgrades_a_board_would_ask_for_too_long_do_not_join() -> None:
    def ships(upgrades: int) -> list[Ship]:
        full, rest = divmod(upgrades, 20)
        return [replace(launch("X"), upgrades=("predator",) * count) for count in (*[20] * full, rest)]

    assert len(table.join_all({}, ships(table.MAX_UPGRADES))) == 1 + table.MAX_UPGRADES // 20
    with pytest.raises(BadInputError, match=f"{table.MAX_UPGRADES + 1} upgrades"):
        table.join_all({}, ships(table.MAX_UPGRADES + 1))
