"""Tokens on ships do what they say (rules page, Tokens on ships, per channel, and step 6)."""

import subprocess
import sys
from typing import Any

import pytest

from bot.rules.errors import BadInputError, PlayerError
from bot.rules.game import Choice
from bot.rules.text import english
from bot.rules.xwing.dice.declared import defense_pool
from bot.rules.xwing.dice.tokens import kind_place
from bot.rules.xwing.table import controls
from bot.rules.xwing.table.ship import Ship, apply_piece_changes, end_of_round, give, is_affected, jam, launch, lock
from tests.rules.xwing.fleet import Fight, declared, fleet, luke, mauler
from tests.rules.xwing.play import begin, open_offers


def ship(size: str = "small", **held: int) -> Ship:
    result = Ship(name="Target", size=size, agility=2, hull=4, tokens={})  # type: ignore[arg-type]  # one of the sizes
    for kind, count in held.items():
        result = give(result, kind.replace("_", " "), count)
    return result


def dice_against(target: Ship, **more: Any) -> int:
    return defense_pool(declared(fleet(luke(), target), attacker="Luke", defender="Target", **more))


# Tractor: tractored from 1 / 2 / 3 tokens by size, 1 defense die less


@pytest.mark.parametrize(("size", "enough"), [("small", 1), ("medium", 2), ("large", 3)])
def test_a_tractored_ship_rolls_one_defense_die_less(size: str, enough: int) -> None:
    """(R)"""
    assert dice_against(ship(size, tractor=enough)) == 1
    assert dice_against(ship(size, tractor=enough + 3)) == 1, "one die, however many tokens"
    if enough > 1:
        assert dice_against(ship(size, tractor=enough - 1)) == 2


def test_tractor_and_strain_take_a_die_each_and_only_strain_leaves() -> None:
    ships = fleet(luke(), ship(tractor=1, strain=2))
    fought = Fight(ships, "blank blank blank", attacker="Luke", defender="Target")
    assert fought.state.green == ()
    assert fought.ships["Target"].tokens == {"tractor": 1, "strain": 1}


def test_tractor_tokens_leave_in_the_end_phase() -> None:
    assert end_of_round(ship(tractor=1)) == ship()


# Ion: ionized from 1 / 2 / 3, breaks its own locks, cannot have any


@pytest.mark.parametrize(("size", "enough"), [("small", 1), ("medium", 2), ("large", 3)])
def test_an_ionized_ship_breaks_its_locks_and_can_have_none(size: str, enough: int) -> None:
    """(R)"""
    ships = fleet(ship(size), luke())
    ships = apply_piece_changes(ships, lock(ships, "Target", "Luke"))
    for count in range(1, enough + 1):
        ships["Target"] = give(ships["Target"], "ion", 1)
        assert is_affected(ships["Target"], "ion") is (count == enough)
        assert ships["Target"].locks == (() if count == enough else ("Luke",))
    with pytest.raises(PlayerError, match="Target is ionized and can't acquire a lock"):
        lock(ships, "Target", "Luke")
    assert lock(ships, "Luke", "Target"), "others may lock it"


# Disarm and cloak


@pytest.mark.parametrize("token", ["disarm", "cloak"])
def test_a_disarmed_ship_cannot_attack(token: str) -> None:
    """(R)"""
    ships = fleet(give(luke(), token, 1), mauler())
    with pytest.raises(PlayerError, match=f"Luke has a {token} token: it engages but can't attack"):
        declared(ships, attacker="Luke", defender="Mauler")
    assert declared(ships, attacker="Mauler", defender="Luke")


def test_a_cloaked_ship_has_two_agility_more() -> None:
    """(R)"""
    assert dice_against(ship(cloak=1)) == 4
    assert dice_against(ship(cloak=1, strain=1)) == 3
    assert dice_against(ship(cloak=1), against="0 cloak") == 2


def test_a_ship_has_at_most_one_cloak_token_and_keeps_it() -> None:
    cloaked = ship(cloak=1)
    with pytest.raises(PlayerError, match="Target has 1 cloak token and can have at most 1"):
        give(cloaked, "cloak", 1)
    assert end_of_round(cloaked) == cloaked


# Jam: on arrival one green token or one lock goes, then the jam; with neither it stays and takes the next one gained


def test_a_jam_takes_the_only_green_token_and_leaves() -> None:
    """(R)"""
    assert jam(ship(focus=1), 1) == ship()
    assert jam(ship(calculate=2, stress=1), 1) == ship(calculate=1, stress=1)


def test_the_jamming_player_chooses_what_it_takes() -> None:
    """(R)"""
    ships = fleet(ship(focus=1, evade=1), luke())
    jammed = apply_piece_changes(ships, lock(ships, "Target", "Luke"))["Target"]
    assert jam(jammed, 1, "Evade").tokens == {"focus": 1}
    assert jam(jammed, 1, "lock").locks == jam(jammed, 1, "lock on luke").locks == ()
    assert jam(jammed, 2, "lock, focus").tokens == {"evade": 1}
    with pytest.raises(BadInputError, match="Use one that Target has: focus, evade, or lock on Luke"):
        jam(jammed, 1)
    with pytest.raises(BadInputError):
        jam(jammed, 1, "stress")


def test_a_jam_that_finds_nothing_stays_and_takes_the_next_one_gained() -> None:
    """(R)"""
    jammed = jam(ship(), 2)
    assert jammed.tokens == {"jam": 2}
    assert give(jammed, "stress", 1).tokens == {"jam": 2, "stress": 1}
    assert give(jammed, "evade", 1).tokens == {"jam": 1}
    assert give(jammed, "focus", 3).tokens == {"focus": 1}
    ships = fleet(jammed, luke())
    locked = apply_piece_changes(ships, lock(ships, "Target", "Luke"))["Target"]
    assert (locked.locks, locked.tokens) == ((), {"jam": 1})


def test_a_jam_given_on_the_board_takes_the_only_green_token_too() -> None:
    choice = Choice("more", filled={controls.CHANGE: "give-jam"})
    assert controls.choose(fleet(ship(focus=1)), "Target", choice, lambda _: 0).changes["Target"] == ship()


# Reinforce: fore or aft, counts only if the attacker is in that full arc, and is never forced on anybody


def reinforced(falls: str = "hit hit crit blank blank", fore: int = 1, aft: int = 0, **more: Any) -> Fight:
    target = ship()
    for kind, count in (("reinforce fore", fore), ("reinforce aft", aft)):
        target = give(target, kind, count) if count else target
    return Fight(fleet(luke(force=0), target), falls, attacker="Luke", defender="Target", **more)


def offered(fought: Fight) -> list[str]:
    return [english(offer.label) for offer in open_offers(fought.state) if offer.is_awaited]


def test_the_defender_is_asked_whether_the_attacker_is_in_arc() -> None:
    """(R)"""
    fought = reinforced()
    assert offered(fought) == ["In arc (fore): reinforce", "Out of arc: no reinforce"]
    assert {offer.side for offer in open_offers(fought.state)} == {"defender"}
    assert fought.ships["Target"].cards == 0, "nothing is dealt before they say"
    fought.take("arc-fore")
    assert (fought.state.damage and fought.state.damage.total, fought.ships["Target"].cards) == (2, 2)
    assert fought.ships["Target"].tokens == {"reinforce fore": 1}, "the token stays"
    assert reinforced().take("arc-none").ships["Target"].cards == 3


def test_with_tokens_of_both_arcs_only_those_of_one_count() -> None:
    """(R) In that full arc and not in the other."""
    fought = reinforced(fore=2, aft=1)
    assert offered(fought) == ["In the fore arc: reinforce", "In the aft arc: reinforce", "Out of arc: no reinforce"]
    assert fought.take("arc-fore").ships["Target"].cards == 1
    assert reinforced(fore=2, aft=1).take("arc-aft").ships["Target"].cards == 2


def test_the_attack_may_say_it() -> None:
    """(R) One press or option."""
    assert reinforced(in_arc=True).ships["Target"].cards == 2
    assert reinforced(fore=0, aft=1, in_arc=True).ships["Target"].cards == 2
    assert reinforced(in_arc=False).ships["Target"].cards == 3
    assert offered(reinforced(fore=1, aft=1, in_arc=True)), "which of both arcs is still asked"
    assert reinforced(against="reinforce").ships["Target"].cards == 2, "who types it has measured"
    assert reinforced(against="0 reinforce").ships["Target"].cards == 3


@pytest.mark.parametrize("falls", ["hit blank blank blank blank", "hit hit blank evade blank"])
def test_nobody_is_asked_where_reinforce_does_nothing(falls: str) -> None:
    """Never for the last one."""
    assert offered(reinforced(falls)) == []


def test_typed_reinforce_of_an_attack_without_ships_counts() -> None:
    state = begin(3, 0, "hit hit hit", "", "reinforce")
    assert state.damage is not None
    assert state.damage.total == 2


def test_a_typed_ship_is_small() -> None:
    assert launch("Any").size == "small"


WITH_SYNC_LOCK = """
from dataclasses import replace
from bot.rules import data_tables as rows
read = rows.table
def table(path, kind):
    found = read(path, kind)
    stress = [one for one in found if path == "xwing/tables/tokens.json" and one.name == "stress"]
    new = [replace(one, name="sync-lock") for one in stress]
    return (*found, *new)
rows.table = table
from bot.rules.game import Choice
from bot.rules.xwing.table import controls
from tests.rules.xwing.test_tokens_on_ships import fleet, ship
(form,) = [one.fields for one in controls.offers(fleet(ship()), "Target") if one.key == controls.MORE]
(give,) = [one.value for one in form[0].options if "sync-lock" in one.value]
choice = Choice(controls.MORE, filled={controls.CHANGE: give})
print(controls.choose(fleet(ship()), "Target", choice, lambda _: 0).changes["Target"].tokens)
"""


def test_a_token_whose_name_has_a_hyphen_is_given_by_its_line() -> None:
    ran = subprocess.run([sys.executable, "-c", WITH_SYNC_LOCK], capture_output=True, text=True, check=False)
    assert ran.stdout == "{'sync-lock': 1}\n", ran.stderr


def test_two_tokens_whose_names_differ_in_a_hyphen_are_refused() -> None:
    with pytest.raises(ValueError, match="hyphen"):
        kind_place(("sync lock", "sync-lock"))
