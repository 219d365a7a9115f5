"""Ships in an attack: what they bring, pay and suffer (rules page, steps 1, 2, 4, 7, 8, and Modifying dice)."""

from dataclasses import replace
from typing import Any

import pytest

from bot.rules.errors import PlayerError, UnpayableCostError
from bot.rules.xwing.attack import attack
from bot.rules.xwing.attack.steps import DamageDealt
from bot.rules.xwing.dice import loose_dice
from bot.rules.xwing.table import pieces, ship as table
from bot.rules.xwing.table.match import end_round, ships_of
from bot.rules.xwing.table.ship import Ship, apply_piece_changes, apply_piece_changes as changed, give, launch, lock
from tests.rules.xwing.fleet import Fight, declared, fleet, luke, mauler
from tests.rules.xwing.play import Falls


def duel(luke_: Ship | None = None, mauler_: Ship | None = None) -> dict[str, Ship]:
    return fleet(luke_ or luke(force=0), mauler_ or mauler())


def keys(fought: Fight) -> list[str]:
    return [offer.key for offer in attack.offers(fought.state) if not offer.key.startswith("another")]


# What they bring


def test_dice_tokens_shields_hull_and_abilities_come_from_the_ships() -> None:
    shooter = give(give(luke(abilities="reroll 1 blank"), "focus", 1), "calculate", 2)
    target = give(give(mauler(shields=1, abilities="change 1 blank to evade"), "evade", 2), "facedown damage", 1)
    ships = duel(shooter, target)
    whole = declared(apply_piece_changes(ships, lock(ships, "Luke", "Mauler")), attacker="luke", defender="MAULER")
    mine, theirs = whole.attack, whole.defense
    assert theirs is not None
    assert (mine.dice, mine.focus, mine.calculate, mine.force, mine.lock) == (3, 1, 2, 2, 1)
    assert (theirs.dice, theirs.evade, whole.hull, whole.shields) == (3, 2, 2, 1)
    assert [effect.verb for effect in mine.effects] == ["reroll"]
    assert [effect.verb for effect in theirs.effects] == ["change"]
    assert (whole.attacker, whole.defender) == ("Luke", "Mauler")


def test_what_is_typed_beats_what_the_ships_bring() -> None:
    ships = duel(give(luke(abilities="reroll 1 blank"), "focus", 2))
    typed: dict[str, Any] = {"dice": 5, "agility": 0, "with": "focus, change 1 focus to crit", "against": "add 1 evade"}
    whole = declared(ships, attacker="Luke", defender="Mauler", **typed)
    assert whole.defense is not None
    assert (whole.attack.dice, whole.defense.dice, whole.attack.focus) == (5, 0, 1)
    assert [effect.verb for effect in whole.attack.effects] == ["reroll", "change"]
    assert [effect.verb for effect in whole.defense.effects] == ["add"]


def test_0_of_a_token_means_none_in_this_attack() -> None:
    ships = duel(give(luke(), "focus", 1), give(mauler(), "evade", 1))
    whole = declared(ships, attacker="Luke", defender="Mauler", with_="0 focus", against="evade 0")
    assert whole.defense is not None
    assert (whole.attack.focus, whole.attack.force, whole.defense.evade) == (0, 2, 0)
    fought = Fight(
        ships, "focus hit hit blank blank blank", attacker="Luke", defender="Mauler", with_="0 focus 0 force"
    )
    assert fought.ships["Luke"].has("focus") == 1, "it keeps the token"


def test_one_side_may_be_a_ship_and_the_other_typed() -> None:
    ships = duel()
    whole = declared(ships, attacker="Luke", agility=1, against="evade, hull 4")
    assert (whole.attacker, whole.defender, whole.hull) == ("Luke", "", 4)
    whole = declared(ships, defender="Luke", dice=2, with_="lock")
    assert (whole.attack.lock, whole.hull, whole.shields) == (1, 4, 2)
    assert declared({}, dice=2, with_="focus").attack.focus == 1


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "`dice`"),
        ({"attacker": "Luke", "defender": "luke"}, "another ship than the attacker"),
        ({"attacker": "Vader"}, "`attacker` was `Vader`"),
        ({"defender": "Vader", "dice": 1}, "`defender` was `Vader`"),
        ({"attacker": "Luke", "with": "focus 2"}, "Luke has 1 focus token, not 2"),
        ({"attacker": "Luke", "with": "calculate"}, "Luke has no calculate token"),
        ({"attacker": "Luke", "defender": "Mauler", "with": "lock"}, "Luke has no lock on Mauler"),
        ({"attacker": "Luke", "with": "lock"}, "Luke has no lock. "),
        ({"attacker": "Luke", "defender": "Mauler", "against": "hull 3"}, "Mauler has its own"),
        ({"attacker": "Luke", "with": "reroll 1 hit, reroll 1 focus"}, "`with` was 3 different rerolls"),
    ],
)
def test_an_attack_that_cannot_be_declared_is_refused(given: dict[str, Any], words: str) -> None:
    ships = duel(give(luke(abilities="reroll 1 blank"), "focus", 1))
    with pytest.raises(PlayerError, match=words):
        declared(ships, **given)


# What they pay


def test_a_spent_token_leaves_the_ship_and_the_others_stay() -> None:
    ships = duel(give(give(luke(), "focus", 2), "calculate", 1), give(mauler(agility=1), "evade", 1))
    fought = Fight(ships, "focus focus hit", attacker="Luke", defender="Mauler")
    assert fought.ships["Luke"].tokens == {"focus": 2, "calculate": 1}
    fought.take("calculate")
    assert fought.ships["Luke"].tokens == {"focus": 2}
    fought.take("force", falls="blank")
    assert (fought.ships["Luke"].force_left, fought.ships["Luke"].tokens) == (1, {"focus": 2})
    fought.take("evade")
    assert fought.ships["Mauler"].tokens == {}
    assert len(fought.ships["Mauler"].facedown) == 2


def test_the_lock_that_is_spent_is_the_one_on_this_defender() -> None:
    ships = fleet(luke(force=0), mauler(), launch("Tam", hull=3))
    ships = apply_piece_changes(ships, lock(ships, "Luke", "Tam"))
    assert not declared(ships, attacker="Luke", defender="Mauler").attack.lock
    fought = Fight(ships, "blank blank blank", attacker="Luke", defender="Tam")
    fought.take("lock", "0", falls="hit")
    assert fought.ships["Luke"].locks == ()
    assert len(fought.ships["Tam"].facedown) == 1


def test_a_weapon_s_cost_is_paid_by_the_ship_before_any_die_falls() -> None:
    ships = duel(give(luke(force=0), "charge", 1))
    fought = Fight(ships, "hit hit hit blank blank blank", attacker="Luke", defender="Mauler", with_="cost 1 charge")
    assert fought.ships["Luke"].charge_left == 0
    with pytest.raises(UnpayableCostError, match="costs 1 charge"):
        Fight(fought.ships, "", attacker="Luke", defender="Mauler", with_="cost 1 charge")


def test_one_strain_and_one_deplete_token_go_when_dice_are_rolled() -> None:
    ships = duel(give(luke(force=0), "deplete", 2), give(mauler(), "strain", 1))
    fought = Fight(ships, "hit hit blank blank", attacker="Luke", defender="Mauler")
    assert fought.ships["Luke"].tokens == {"deplete": 1}
    assert fought.ships["Mauler"].tokens == {}


def test_a_reinforce_token_stays() -> None:
    ships = duel(None, give(mauler(agility=0), "reinforce", 1))
    fought = Fight(ships, "hit hit crit", attacker="Luke", defender="Mauler", in_arc=True)
    assert fought.ships["Mauler"].tokens == {"reinforce": 1}
    assert len(fought.ships["Mauler"].facedown) + len(fought.ships["Mauler"].faceup) == 2


def test_a_withdrawn_attack_costs_nothing_and_one_that_is_open_spends_when_its_dice_fall() -> None:
    ships = duel(give(luke(force=0), "charge", 1))
    opened = Fight(ships, "", attacker="Luke", with_="cost 1 charge")
    assert opened.ships == ships
    assert opened.take("withdraw").ships == ships
    opened = Fight(ships, "", attacker="Luke", with_="cost 1 charge")
    opened.take("defend", falls="hit hit hit", agility="0", tokens="")
    assert (opened.ships["Luke"].charge_left, opened.ships["Luke"].attacks) == (0, 1)


def test_a_token_that_another_attack_spent_is_not_spent_again() -> None:
    ships = duel(give(luke(force=0), "focus", 1), mauler(agility=0))
    first = Fight(ships, "focus hit hit", attacker="Luke", defender="Mauler")
    second = Fight(first.ships, "focus hit hit", attacker="Luke", defender="Mauler")
    second.ships = first.take("focus").ships
    with pytest.raises(PlayerError, match="Luke has no focus left to spend"):
        second.take("focus")
    assert second.take("done").ships["Luke"].tokens == {}


def test_a_lock_that_broke_meanwhile_cannot_be_spent() -> None:
    ships = duel()
    fought = Fight(
        apply_piece_changes(ships, lock(ships, "Luke", "Mauler")),
        "blank blank blank",
        attacker="Luke",
        defender="Mauler",
    )
    fought.ships = apply_piece_changes(fought.ships, table.unlock(fought.ships, "Luke"))
    with pytest.raises(PlayerError, match="no lock left"):
        fought.take("lock", "0", falls="hit blank blank blank")


def test_a_ship_that_has_left_ends_what_was_open() -> None:
    fought = Fight(duel(give(luke(), "focus", 1)), "focus hit hit", attacker="Luke", defender="Mauler")
    fought.ships = apply_piece_changes(fought.ships, table.remove_ships(fought.ships, ["Mauler"]))
    with pytest.raises(PlayerError, match="Mauler has left the table"):
        fought.take("done", falls="blank blank blank")


def test_an_attack_whose_ship_has_left_can_still_be_withdrawn() -> None:
    opened = Fight(duel(), "", attacker="Luke")
    opened.ships = apply_piece_changes(opened.ships, table.remove_ships(opened.ships, ["Luke"]))
    assert not attack.offers(opened.take("withdraw").state)


# What they suffer


@pytest.mark.parametrize(
    ("shields", "falls", "left", "facedown", "faceup"),
    [
        (2, "hit blank blank", 1, 0, 0),
        (2, "hit hit crit", 0, 0, 1),
        (1, "hit hit crit", 0, 1, 1),
        (0, "crit crit hit", 0, 1, 2),
        (3, "crit hit hit", 0, 0, 0),
    ],
)
def test_shields_take_hits_then_crits_and_the_hull_the_rest(
    shields: int, falls: str, left: int, facedown: int, faceup: int
) -> None:
    ships = duel(None, mauler(agility=0, hull=9, shields=shields))
    hurt = Fight(ships, falls, attacker="Luke", defender="Mauler").ships["Mauler"]
    assert (hurt.shields_left, len(hurt.facedown), len(hurt.faceup)) == (left, facedown, faceup)


def test_damage_lands_on_what_the_ship_has_when_it_lands() -> None:
    """Two attacks lie open at once; the second finds the shield gone."""
    ships = duel(give(luke(force=0), "focus", 1), mauler(agility=0, shields=1))
    first = Fight(ships, "hit blank focus", attacker="Luke", defender="Mauler")
    second = Fight(first.ships, "hit blank focus", attacker="Luke", defender="Mauler")
    second.ships = first.take("done").ships
    hurt = second.take("done").ships["Mauler"]
    assert (hurt.shields_left, len(hurt.facedown)) == (0, 1)


def test_the_attack_and_the_ship_say_the_same_of_the_damage() -> None:
    """Luke's window stays open while Biggs' attack takes both shields and two of three hull."""
    target = mauler(agility=0, hull=3, shields=2)
    ships = fleet(give(luke(force=0), "focus", 1), launch("Biggs", attack=4, initiative=4), target)
    first = Fight(ships, "hit blank focus", attacker="Luke", defender="Mauler")
    assert (first.state.declared.hull, first.state.declared.shields) == (3, 2)
    first.ships = Fight(first.ships, "hit hit hit hit", attacker="Biggs", defender="Mauler").ships
    first.take("focus")
    assert first.state.damage == DamageDealt(hits=2, facedown=2, destroyed=True)
    assert first.ships["Mauler"].destroyed
    outcome = attack.outcome(first.state)
    assert [outcome[key] for key in ("shields_lost", "facedown", "destroyed")] == [0, 2, True]


# Attacks of a round


def test_one_attack_and_one_bonus_attack_a_round_unless_allowed() -> None:
    ships: dict[str, Ship] = duel(None, mauler(agility=0, hull=30))
    options: dict[str, Any] = {"attacker": "Luke", "defender": "Mauler"}
    for _ in range(2):
        ships = Fight(ships, "hit hit hit", **options).ships
    with pytest.raises(PlayerError, match="its attack and its bonus attack"):
        Fight(ships, "", **options)
    allowed = Fight(ships, "hit hit hit", allowed=True, **options).ships
    assert allowed["Luke"].attacks == 3
    ended = ships_of(changed(allowed, end_round(allowed)))
    assert Fight(ended, "hit hit hit", **options).ships["Luke"].attacks == 1


def test_attacks_declared_at_the_same_moment_are_counted_when_they_settle() -> None:
    ships = duel(replace(luke(force=0), attacks=1), mauler(agility=0, hull=30))
    whole = declared(ships, attacker="Luke", defender="Mauler")
    state = attack.start(whole, Falls("hit hit hit"))
    ships = apply_piece_changes(ships, pieces.settle(None, state, ships, Falls())[1])
    with pytest.raises(PlayerError, match="bonus attack"):
        pieces.settle(None, state, ships, Falls())


def test_an_open_attack_counts_when_its_dice_fall() -> None:
    ships = duel(replace(luke(force=0), attacks=1))
    opened = [Fight(ships, "", attacker="Luke") for _ in range(2)]
    opened[0].take("defend", falls="hit hit hit", agility="0", tokens="")
    opened[1].ships = opened[0].ships
    with pytest.raises(PlayerError, match="bonus attack"):
        opened[1].take("defend", falls="hit hit hit", agility="0", tokens="")


# Pieces


def test_an_attack_with_ships_uses_the_whole_table() -> None:
    fought = Fight(duel(), "hit hit hit blank blank blank", attacker="Luke", defender="Mauler")
    assert pieces.names(fought.state) is None
    assert pieces.names(Fight(duel(), "hit blank", dice=1, defender="mauler", agility=1).state) is None
    assert pieces.names(loose_dice.start(loose_dice.LooseDice(red=1), Falls("hit"))) == ()
    assert pieces.settle(None, fought.state, duel(), Falls())[1]["Luke"].attacks == 1
