"""Damage cards on ships (rules page, step 7 and Squads and data): drawn, named, and what dice feel of them."""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st

from bot.odds.xwing import odds
from bot.rules.errors import BadInputError, PlayerError
from bot.rules.text import english
from bot.rules.xwing.attack.json_attacks import declare
from bot.rules.xwing.cards.deck import DAMAGE_CARDS, DECK_SIZE, Deck, Decks, new_deck, size
from bot.rules.xwing.dice.declared import attack_parts, attack_pool, defense_pool
from bot.rules.xwing.dice.tokens import MAX_HELD
from bot.rules.xwing.table import ship_damage
from bot.rules.xwing.table.match import MATCH, Match, Phase
from bot.rules.xwing.table.obstacles import HAZARDS
from bot.rules.xwing.table.ship import Ship, damage_ship, give, launch
from bot.rules.xwing.table.ship_damage import deal_to
from tests.rules.xwing.fleet import Fight, declared, fleet, luke, mauler
from tests.rules.xwing.play import Falls, keys, open_offers


def only(*titles: str) -> Deck:
    """A draw pile of these cards; with one title there is nothing to guess."""
    return Deck(dict(Counter(titles)), {})


def first(_: int) -> int:
    return 0


def ship(*faceup: str, **card: Any) -> Ship:
    return damage_ship(launch("Target", **{"agility": 2, "hull": 6} | card), faceup=faceup)


def dealt(target: Ship, hits: int, crits: int, *titles: str) -> Ship:
    return deal_to(target, only(*titles), hits, crits, first)[0]


def test_shields_first_then_a_hit_is_facedown_and_a_crit_faceup() -> None:
    target, deck, came = deal_to(ship(shields=1), only("Wounded Pilot", "Wounded Pilot"), 2, 1, first)
    assert (target.shields_left, target.facedown, target.faceup) == (0, ("Wounded Pilot",), ("Wounded Pilot",))
    assert (came.shields_lost, came.facedown, came.faceup, came.titles) == (1, 1, 1, ("Wounded Pilot",))
    assert size(deck.pile) == 0


def test_hull_breach_makes_crits_of_hits() -> None:
    """(R)"""
    assert dealt(ship("Hull Breach"), 1, 0, "Wounded Pilot").faceup == ("Hull Breach", "Wounded Pilot")


def test_direct_hit_deals_one_hit_more_and_is_repaired() -> None:
    """(R)"""
    target = dealt(ship(), 0, 1, "Direct Hit!", "Direct Hit!")
    assert (target.faceup, target.facedown, target.cards) == ((), ("Direct Hit!", "Direct Hit!"), 2)


def test_fuel_leak_deals_a_hit_after_a_crit_and_is_repaired() -> None:
    """(R)"""
    target = dealt(ship("Fuel Leak"), 0, 1, "Wounded Pilot", "Wounded Pilot")
    assert (target.faceup, target.facedown) == (("Wounded Pilot",), ("Fuel Leak", "Wounded Pilot"))
    assert dealt(ship("Fuel Leak"), 1, 0, "Wounded Pilot").faceup == ("Fuel Leak",), "a hit is no crit"
    assert dealt(ship(), 0, 1, "Fuel Leak").faceup == ("Fuel Leak",), "it does nothing when it is dealt"
    shielded = dealt(replace(ship("Fuel Leak"), shields=3, shields_left=3), 0, 1)
    assert (shielded.shields_left, shielded.facedown) == (1, ("Fuel Leak",)), "a crit on shields is suffered too"


def test_panicked_pilot_brings_two_stress_and_is_repaired() -> None:
    """(R)"""
    target = dealt(ship(), 0, 1, "Panicked Pilot")
    assert (target.tokens, target.facedown) == ({"stress": 2}, ("Panicked Pilot",))


def test_weapons_failure_and_structural_damage_take_a_die() -> None:
    """(R)"""
    shooter, target = damage_ship(luke(), faceup=("Weapons Failure",)), ship("Structural Damage")
    whole = declared(fleet(shooter, target), attacker="Luke", defender="Target")
    assert (attack_pool(whole), defense_pool(whole)) == (2, 1)
    assert attack_parts(whole)[1:] == ((-1, "Weapons Failure"),)
    twice = damage_ship(luke(), faceup=("Weapons Failure", "Weapons Failure"))
    assert attack_pool(declared(fleet(twice, target), attacker="Luke", defender="Target")) == 1


@pytest.mark.parametrize("title", DAMAGE_CARDS)
def test_what_each_faceup_card_does_to_dice(title: str) -> None:
    """(R) Three of the fourteen; the rows say which, and JSON knows them as well."""
    sides = {
        "attack": {"dice": 3, "faceup": [title], "focus": 1, "force": 1},
        "defense": {"dice": 2, "faceup": [title]},
    }
    result = odds(declare({**sides, "range": 2}))
    dice = {"Weapons Failure": (2, 2), "Structural Damage": (3, 1)}.get(title, (3, 2))
    assert result["dice"] == dict(zip(("red", "green"), dice, strict=True))
    focus = 0 if title == "Blinded Pilot" else 1
    words = {"attack": {"dice": dice[0], "focus": focus, "force": 1}, "defense": {"dice": dice[1]}, "range": 2}
    assert result["joint"] == odds(declare(words))["joint"]
    assert result["counted"] == ([title] if dice != (3, 2) or not focus else [])


def test_a_blinded_pilot_modifies_attack_dice_by_force_only() -> None:
    """(R)"""
    shooter = damage_ship(give(luke(abilities="reroll 1 blank"), "focus", 1), faceup=("Blinded Pilot",))
    fought = Fight(fleet(shooter, ship()), "focus blank blank", attacker="Luke", defender="Target")
    assert [offer.key for offer in open_offers(fought.state)] == ["force", "done"]
    assert fought.ships["Luke"].has("focus") == 1, "it stays"
    assert "Blinded Pilot" in fought.state.declared.counted
    blinded = declared(fleet(shooter, mauler()), attacker="Mauler", defender="Luke")
    assert blinded.defense is not None
    assert blinded.defense.focus == 1, "it defends as ever"


def test_a_destroyed_ship_stays_destroyed_whatever_is_repaired() -> None:
    """(R)"""
    ships = {"Target": dealt(ship(hull=1), 1, 0, "Wounded Pilot")}
    assert ships["Target"].destroyed
    assert ship_damage.repair(ships, "target", first)["Target"].destroyed


def test_when_the_deck_runs_out_it_is_shuffled_again_from_what_lies_on_no_ship() -> None:
    """(R)"""
    decks = Decks(piles={"7": {"Fuel Leak": 1}})
    deck = decks.deck(7, ["Direct Hit!"] * 5)
    target, deck, _ = deal_to(ship(hull=30), deck, 2, 0, first)
    assert target.facedown == ("Fuel Leak", "Panicked Pilot")
    assert size(deck.pile) == DECK_SIZE - 5 - 1 - 1, "all but those on ships; the Fuel Leak had just been drawn"


def test_each_player_has_a_deck() -> None:
    """(R)"""
    ships: dict[str, Any] = fleet(replace(luke(), owner=1), replace(mauler(), owner=2))
    changes, _ = ship_damage.typed_damage(ships, "Mauler", 1, 0, first)
    decks = changes["the damage decks"]
    assert size(decks.piles["2"]) == DECK_SIZE - 1
    assert decks.deck(1, []) == new_deck()


def test_with_every_card_on_ships_a_marker_stands_for_a_facedown_card() -> None:
    target, _, came = deal_to(ship(), only(), 0, 1, first)
    assert (target.facedown, came.facedown, came.titles) == (("",), 1, ())


def test_a_remote_has_facedown_cards_only_and_no_tokens() -> None:
    """(R)"""
    remote = replace(ship(), is_remote=True)
    target, deck, _ = deal_to(remote, new_deck(), 1, 1, first)
    assert (target.facedown, target.faceup, deck) == (("", ""), (), new_deck())
    with pytest.raises(PlayerError, match="is a remote and can't have tokens, only locks on it"):
        give(remote, "focus", 1)


@given(seed=st.integers(0, 2**32), blows=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=12))
def test_no_card_is_lost_or_doubled(seed: int, blows: list[tuple[int, int]]) -> None:
    rng = Random(seed).randrange
    table: dict[str, Any] = fleet(ship(hull=30, shields=2), replace(ship(hull=30), name="Other"))
    for number, (hits, crits) in enumerate(blows):
        if hits + crits:
            changes, came = ship_damage.typed_damage(table, ("Target", "Other")[number % 2], hits, crits, rng)
            assert came.total <= came.shields_lost + came.facedown + came.faceup <= DECK_SIZE
            table |= changes
    on_ships = Counter(
        title for item in (table["Target"], table["Other"]) for title in (*item.facedown, *item.faceup) if title
    )
    deck = ship_damage.decks_of(table).deck(0, on_ships.elements())
    for title, card in DAMAGE_CARDS.items():
        assert deck.pile.get(title, 0) + deck.discarded.get(title, 0) + on_ships[title] == card.copies


# Outside attacks


@pytest.mark.parametrize(
    ("kind", "falls", "cards", "tokens"),
    [
        ("asteroid", "blank", 1, {}),
        ("asteroid", "hit", 2, {}),
        ("debris cloud", "blank", 0, {"stress": 1}),
        ("debris cloud", "hit", 1, {"stress": 1}),
        ("gas cloud", "hit", 0, {"strain": 1, "ion": 1}),
        ("gas cloud", "crit", 0, {"strain": 1, "ion": 3}),
        ("electro-chaff cloud", "crit", 0, {"jam": 1, "stress": 1}),
        ("loose cargo", "hit", 0, {"strain": 1, "stress": 1}),
        ("spare parts", "focus", 0, {"strain": 1}),
        ("blaze", "focus", 0, {"stress": 1}),
        ("blaze", "crit", 1, {}),
    ],
)
def test_what_lies_on_the_mat(kind: str, falls: str, cards: int, tokens: dict[str, int]) -> None:
    table: dict[str, Any] = fleet(ship())
    happened = ship_damage.obstacle(table, "target", HAZARDS[kind], Falls(falls))
    target = happened.changes["Target"]
    assert (happened.die.face, target.cards, target.tokens) == (falls, cards, tokens)


@pytest.mark.parametrize("kind", ["gas cloud", "electro-chaff cloud"])
def test_a_cloud_breaks_the_locks_of_the_ship_and_those_on_it(kind: str) -> None:
    table: dict[str, Any] = fleet(replace(ship(), locks=("Luke",)), replace(luke(), locks=("Target",)))
    changes = ship_damage.obstacle(table, "Target", HAZARDS[kind], Falls("blank")).changes
    assert (changes["Target"].locks, changes["Luke"].locks) == ((), ())


def test_a_faceup_card_is_repaired_by_its_name_and_a_facedown_one_is_discarded() -> None:
    table: dict[str, Any] = fleet(damage_ship(ship("Fuel Leak"), facedown=("Wounded Pilot",)))
    repaired = ship_damage.repair(table, "Target", first, "fuel leak")["Target"]
    assert (repaired.faceup, repaired.facedown) == ((), ("Wounded Pilot", "Fuel Leak"))
    assert ship_damage.repair(table, "Target", first)["Target"].facedown == ()
    with pytest.raises(BadInputError, match="Use one of Target's faceup cards: Fuel Leak"):
        ship_damage.repair(table, "Target", first, "Hull Breach")
    with pytest.raises(PlayerError, match="no facedown damage card"):
        ship_damage.repair(fleet(ship()), "Target", first)


def test_an_exposed_card_does_what_it_does_when_it_is_dealt() -> None:
    table: dict[str, Any] = fleet(damage_ship(ship(), facedown=("Direct Hit!",)))
    changes, title = ship_damage.expose(table, "Target", lambda sides: 0 if sides == 1 else 4)
    assert (title, changes["Target"].cards, changes["Target"].faceup) == ("Direct Hit!", 2, ())
    with pytest.raises(PlayerError, match="to expose"):
        ship_damage.expose(fleet(ship()), "Target", first)


# Before engaging


def at_war(*faceup: str) -> dict[str, Any]:
    ships: dict[str, Any] = fleet(damage_ship(luke(force=0, shields=0), faceup=faceup), mauler(initiative=3))
    return {**ships, MATCH: Match(phase=Phase.ENGAGEMENT)}


@pytest.mark.parametrize(("falls", "cards"), [("hit", 2), ("crit", 1), ("blank", 1)])
def test_console_fire_rolls_a_red_die_before_its_ship_engages(falls: str, cards: int) -> None:
    """(R) A hit deals 1."""
    changes, lines = ship_damage.engage(at_war("Console Fire"), "Luke", Falls(falls))
    assert (changes["Luke"].engaged, changes["Luke"].cards) == (True, cards)
    assert lines == (f"Console Fire ({falls}): Luke gets {'1 hit' if cards == 2 else 'nothing'}",)


def test_the_faceup_card_that_a_console_fire_brings_is_named() -> None:
    """With a Hull Breach each card that hits deal comes faceup."""
    changes, (line,) = ship_damage.engage(at_war("Console Fire", "Hull Breach"), "Luke", Falls("hit"))
    (title,) = changes["Luke"].faceup[2:] or (changes["Luke"].facedown[-1],)
    assert line == f"Console Fire (hit): Luke gets 1 hit ({title})"


def test_a_disabled_power_regulator_brings_one_ion_before_its_ship_engages() -> None:
    """(R)"""
    changes, lines = ship_damage.engage(at_war("Disabled Power Regulator"), "Luke", Falls())
    assert changes["Luke"].tokens == {"ion": 1}
    assert lines == ("Disabled Power Regulator: Luke gets 1 ion token",)


def test_an_attack_is_engaging_so_the_cards_come_first() -> None:
    table = at_war("Disabled Power Regulator")
    fought = Fight(table, "blank blank blank blank blank blank", attacker="Luke", defender="Mauler")
    assert fought.ships["Luke"].tokens == {"ion": 1}
    assert [*map(english, fought.state.before)] == ["Disabled Power Regulator: Luke gets 1 ion token"]


def test_a_lock_that_the_ion_token_before_engaging_breaks_is_not_offered() -> None:
    """Its ship is ionized before it attacks, so nothing is left to spend, and no button offers it."""
    table = at_war("Disabled Power Regulator")
    table["Luke"] = replace(table["Luke"], locks=("Mauler",))
    fought = Fight(table, "blank blank blank blank blank blank", attacker="Luke", defender="Mauler")
    assert fought.ships["Luke"].locks == ()
    assert "lock" not in keys(fought.state)


def test_a_facedown_card_to_repair_is_chosen_by_chance() -> None:
    """(R) Nobody may look which one goes: each is as likely."""
    held = ("Hull Breach", "Fuel Leak", "Direct Hit!")
    table = fleet(damage_ship(ship(), facedown=held))
    left = {ship_damage.repair(table, "Target", lambda _, at=at: at)["Target"].facedown for at in range(3)}  # type: ignore[misc]  # a default binds it
    assert left == {held[1:], (held[0], held[2]), held[:2]}


def test_panicked_pilot_brings_no_more_stress_than_a_ship_may_have() -> None:
    nervous = give(ship(), "stress", MAX_HELD - 1)
    assert dealt(nervous, 0, 1, "Panicked Pilot").tokens == {"stress": MAX_HELD}
