"""Line-ups with cards have the law of their plain forms, and name what they count."""

import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any, cast

import pytest

from bot.odds.distribution import exact
from bot.odds.xwing import odds, roll_results
from bot.rules.errors import PlayerError
from bot.rules.xwing.attack import attack
from bot.rules.xwing.attack.json_attacks import declare, declare_attack
from tests.rows import for_each_row

GOLDEN = Path(__file__).parents[2] / "golden"
CASES = [
    case
    for name in ("cards.json", "cards_more.json")
    for case in json.loads((GOLDEN / name).read_text(encoding="utf-8"))["cases"]
]


def law(raw: dict[str, Any]) -> object:
    return odds(declare(raw))["joint"]


@for_each_row("case", CASES, ids=[case["why"] for case in CASES])
def test_cards_have_the_law_of_their_plain_form(case: dict[str, Any]) -> None:
    assert law(case["cards"]) == law(case["plain"])


def answer(attack: dict[str, Any], defense: dict[str, Any], **more: object) -> dict[str, object]:
    return odds(declare({"attack": attack, "defense": defense, "range": 2, **more}))


PLAIN = {"pilot": "bluesquadronescort"}


def test_an_answer_names_the_dice_and_the_cards() -> None:
    result = answer({"pilot": "wedgeantilles", "upgrades": ["predator"]}, PLAIN)
    assert result["dice"] == {"red": 3, "green": 1}
    assert (result["counted"], result["asked"]) == (["wedgeantilles"], ["predator"])
    assert result["not_counted"] == []
    assert result["p_destroyed"] == "0/1"


@pytest.mark.parametrize(("pilot", "enough"), [("bluesquadronescort", 1), ("norrawexley", 2)])
def test_a_ship_of_a_card_is_tractored_by_as_many_tokens_as_its_size_needs(pilot: str, enough: int) -> None:
    whole = answer(PLAIN, {"pilot": pilot})
    assert answer(PLAIN, {"pilot": pilot, "tractor": enough - 1})["joint"] == whole["joint"]
    assert answer(PLAIN, {"pilot": pilot, "tractor": enough})["joint"] != whole["joint"]


def test_what_nobody_has_written_down_is_named() -> None:
    result = answer({"pilot": "grudge"}, PLAIN)
    assert result["not_counted"] == ["grudge"]


def test_tokens_in_place_of_damage_have_a_law_each() -> None:
    result = answer({**PLAIN, "upgrades": ["ioncannon"], "weapon": "ioncannon"}, {"dice": 0})
    assert result["gives"] == {"ion": {"0": "1/2", "1": "3/8", "2": "1/8"}}, "of n results 1 is damage, the others ion"
    assert result["mean_damage"] == "7/8", "one hit, unless all three dice miss"
    result = answer({**PLAIN, "upgrades": ["ioncannon"], "weapon": "ioncannon"}, {"dice": 0}, hull=1)
    assert result["p_destroyed"] == "7/8", "the one hit"
    result = answer({**PLAIN, "upgrades": ["tractorbeam"], "weapon": "tractorbeam"}, {"dice": 0}, hull=1)
    assert result["p_destroyed"] == "0/1"
    result = answer({**PLAIN, "upgrades": ["tractorbeam"], "weapon": "tractorbeam"}, {"dice": 0})
    assert result["gives"] == {"tractor": {"0": "1/8", "1": "3/8", "2": "3/8", "3": "1/8"}}
    assert result["mean_damage"] == "0/1"


@pytest.mark.parametrize(
    ("attack", "defense", "says"),
    [
        ({"pilot": "nobody"}, PLAIN, "attack.pilot"),
        ({**PLAIN, "upgrades": ["nothing"]}, PLAIN, "attack.upgrades"),
        ({**PLAIN, "claims": ["predator"]}, PLAIN, "attack.claims"),
        ({**PLAIN, "disarm": 1}, PLAIN, "Leave `disarm` out"),
        ({**PLAIN, "cloak": 1}, PLAIN, "Leave `cloak` out"),
        ({**PLAIN, "weapon": "protontorpedoes"}, PLAIN, "lock"),
        ({**PLAIN, "weapon": "ioncannon", "charges": {"predator": 1}}, PLAIN, "predator"),
        ({**PLAIN, "faceup": ["Scratched Paint"]}, PLAIN, "faceup"),
        (PLAIN, {**PLAIN, "friends": [{"pilot": "nobody"}]}, "defense.friends"),
    ],
)
def test_what_fits_no_card_is_refused(attack: dict[str, Any], defense: dict[str, Any], says: str) -> None:
    with pytest.raises(PlayerError, match=says):
        answer(attack, defense)


def test_a_weapon_out_of_charges_is_refused() -> None:
    torpedo = {**PLAIN, "weapon": "protontorpedoes", "lock": 1, "charges": {"protontorpedoes": 0}}
    with pytest.raises(PlayerError, match="costs 1 charge and has none left"):
        answer(torpedo, PLAIN)
    with pytest.raises(PlayerError, match="range 2 to 3"):
        odds(declare({"attack": {**torpedo, "charges": {}}, "defense": PLAIN, "range": 1}))


def test_luck_is_measured_by_the_damage_that_a_weapon_deals() -> None:
    raw = {"attack": {**PLAIN, "weapon": "ioncannon"}, "defense": {"dice": 0}, "red": ["hit", "hit", "crit"]}
    state = attack.start(declare_attack(raw), lambda _: 0)
    assert state.damage is not None
    assert (state.damage.total, state.damage.tokens) == (1, (("ion", 2),))
    assert attack.outcome(state)["gives"] == {"ion": {"2": "1/1"}}, "a roll says it as odds do"
    (result,) = roll_results(state)
    assert result.value == 1
    assert result.distribution.weights.keys() == {0, 1}


# Several attacks in a row


def in_a_row(charges: int, attacks: int = 2) -> Fraction:
    """One attack die against one defense die with Elusive."""
    defense = {"pilot": "bluesquadronescort", "dice": 1, "upgrades": ["elusive"], "charges": {"elusive": charges}}
    result = odds(declare({"attack": {"dice": 1}, "defense": defense, "range": 2, "attacks": attacks}))
    return Fraction(str(result["mean_damage"]))


def test_the_defenders_charges_are_spent_over_several_attacks() -> None:
    """By hand: the die hits in 1 of 2, a green die evades in 3 of 8. The charge goes where the first roll does not."""
    hit, evade = Fraction(1, 2), Fraction(3, 8)
    bare, helped = hit * (1 - evade), hit * (1 - evade) ** 2
    assert in_a_row(0) == 2 * bare
    assert in_a_row(1) == helped + bare * bare + (1 - bare) * helped, "with the chance of bare it no longer exists"


def test_a_row_that_costs_a_charge_is_a_free_reroll_in_one_attack() -> None:
    """Elusive rerolls one die."""
    for tokens in ({}, {"focus": 1}, {"evade": 1, "calculate": 1}):
        defense = {"dice": 2, **tokens}
        cards = {**defense, "upgrades": ["elusive"], "charges": {"elusive": 1}}
        plain = {"attack": {"dice": 2}, "defense": {**defense, "rerolls": [1]}, "range": 2}
        item = {"attack": {"dice": 2}, "defense": cards, "range": 2}
        assert law(item) == law(plain)


def test_uses_that_are_counted_by_attack_come_back_in_the_next() -> None:
    """Biggs suffers a hit or a crit in each attack: without a charge, both attacks are alike."""
    biggs = {"pilot": "bluesquadronescort", "claims": ["biggsdarklighter"], "friends": [{"pilot": "biggsdarklighter"}]}
    raw = {"attack": {"dice": 2}, "defense": {**biggs, "dice": 1}, "range": 2}
    once, twice = (Fraction(str(odds(declare({**raw, "attacks": count}))["mean_damage"])) for count in (1, 2))
    assert twice == 2 * once


def ways(faces: str, dice: int) -> list[tuple[str, ...]]:
    return list(product(faces, repeat=dice))


RED, GREEN = "hhhcffbb", "eeeffbbb"


def through(red: int, green: int, evade: int, *, any_to_evade: bool = False) -> dict[tuple[int, int], Fraction]:
    """By trying every way: how likely (uncanceled results, evade tokens left) are after one attack."""
    result: dict[tuple[int, int], Fraction] = {}
    hits = Counter(sum(face in "hc" for face in way) for way in ways(RED, red))
    dodged = Counter(sum(face == "e" for face in way) for way in ways(GREEN, green))
    for (need, mine), (evades, theirs) in product(hits.items(), dodged.items()):
        item = Fraction(mine * theirs, 8 ** (red + green))
        ends = []
        for spent in range(min(evade, green - evades) + 1):
            more = any_to_evade and spent == evade and evades + spent < green  # once no token is left
            ends.append((max(0, need - evades - spent - more), evade - spent))
        end = min(ends, key=lambda one: (one[0], -one[1]))
        result[end] = result.get(end, Fraction(0)) + item
    return result


Dice = Callable[[int, int], dict[tuple[int, int], Fraction]]


def twice(first: Dice, evade: int) -> Fraction:
    """The mean of two attacks, of which the second is told what the first left and did."""
    mean = Fraction(0)
    for (damage, left), chance in first(evade, 0).items():
        mean += chance * (damage + sum(more * each for (more, _), each in first(left, damage).items()))
    return mean


@pytest.mark.parametrize(
    ("red", "ship", "dice", "evade"),
    [
        (3, {"upgrades": ["neimoidiangrasp"]}, lambda left, _: through(3, 2 + (left > 0), left), 1),
        (2, {"upgrades": ["neimoidiangrasp"]}, lambda left, _: through(2, 2 + (left > 0), left), 2),
        (3, {"upgrades": ["stealthdevice"]}, lambda left, damage: through(3, 3 - (damage > 0), left), 0),
        (
            2,
            {"upgrades": ["tantiveiv-title-galacticrepublic"]},
            lambda left, _: through(2, 2, left, any_to_evade=True),
            1,
        ),
    ],
)
def test_the_second_attack_asks_for_what_the_first_left(red: int, ship: dict[str, Any], dice: Dice, evade: int) -> None:
    defense = {**PLAIN, **ship, "evade": evade}
    result = answer({"dice": red}, defense, attacks=2)
    assert Fraction(str(result["mean_damage"])) == twice(dice, evade)
    assert (result["counted"], result["not_counted"]) == (ship["upgrades"], [])


LOCKING = {**PLAIN, "lock": 1, "upgrades": ["r2ha", "fennecshand-gunner"], "claims": ["r2ha"]}


@pytest.mark.parametrize(
    ("attack", "defense", "card"),
    [
        ({"pilot": "gideonhask"}, PLAIN, "gideonhask"),
        ({**PLAIN, "upgrades": ["notorious"], "claims": ["notorious"]}, {**PLAIN, "strain": 1}, "notorious"),
        (PLAIN, {**PLAIN, "pilot": "durge"}, "durge"),
        (PLAIN, LOCKING, "fennecshand-gunner"),
    ],
)
def test_a_card_that_asks_for_what_no_odds_follow_is_not_counted_in_a_row(
    attack: dict[str, Any], defense: dict[str, Any], card: str
) -> None:
    result = answer(attack, defense, attacks=2)
    assert result["not_counted"] == [card]
    assert card not in cast("list[str]", result["counted"])
    assert card not in cast("list[str]", answer(attack, defense)["not_counted"]), "one attack is as it is declared"


# Weapons


def test_a_primary_weapon_is_named_by_its_arc() -> None:
    arc = {"pilot": "norrawexley"}
    assert answer({**arc, "weapon": "primary"}, PLAIN)["dice"] == {"red": 3, "green": 2}
    assert answer({**arc, "weapon": "primary rear"}, PLAIN)["dice"] == {"red": 2, "green": 2}
    with pytest.raises(PlayerError, match="primary front arc"):
        answer({**arc, "weapon": "primary bullseye"}, PLAIN)


# What random line-ups found


def test_a_defenders_card_that_asks_for_what_the_attacker_has_left() -> None:
    """The Trident adds an evade if the attacker has no green token when green dice are modified.

    A focus token that was not spent, because the die showed a result, keeps it from that.
    """
    attacker = {"pilot": "bluesquadronescort", "dice": 1, "focus": 1}
    plain, cards = {"dice": 1}, {"pilot": "bluesquadronescort", "dice": 1, "upgrades": ["trident-title"]}
    result = odds(declare({"attack": attacker, "defense": cards, "range": 2}))
    # 4 of 8 faces are results and leave the token; of 2 that are focus results it is spent, and the evade cancels.
    through = Fraction(4, 8) * Fraction(5, 8)
    assert result["mean_damage"] == exact(through)
    bare = odds(declare({"attack": {**attacker, "focus": 0}, "defense": cards, "range": 2}))["mean_damage"]
    assert bare == "0/1", "without a token the evade is always there"
    assert odds(declare({"attack": attacker, "defense": plain, "range": 2}))["mean_damage"] == exact(through * 3 / 2)


def test_a_price_for_what_is_rolled_stays_a_decision() -> None:
    """Illegal Countermeasures take the range bonus off both sides: at range 1 nobody would pay for that."""
    huge = {"pilot": "alderaanianguard", "dice": 2}
    near: dict[str, Any] = {"defense": {"dice": 1}, "range": 1}
    without = law({"attack": huge, **near})
    assert law({"attack": {**huge, "upgrades": ["illegalcountermeasures-cargo"]}, **near}) == without


def test_what_the_attacker_gains_is_not_given_to_the_defender() -> None:
    """Wrobie Tyce: the attacker gains a deplete token."""
    result = answer({"dice": 2}, {"pilot": "wrobietyce"}, range=1)
    assert "gives" not in result


# What comes of the results


def test_several_attacks_deal_tokens_each_for_itself() -> None:
    """One red die and no lock against nothing: of the ion cannon's one result one is damage; two dice, one ion."""
    ion = {"pilot": "bluesquadronescort", "upgrades": ["ioncannon"], "weapon": "ioncannon", "dice": 2}
    once, twice = (answer(ion, {"dice": 0}, attacks=attacks) for attacks in (1, 2))
    assert once["mean_damage"] == "3/4", "unless both dice miss"
    assert twice["mean_damage"] == "3/2"
    assert once["gives"] == {"ion": {"0": "3/4", "1": "1/4"}}
    assert twice["gives"] == {"ion": {"0": "9/16", "1": "3/8", "2": "1/16"}}


def test_a_plasma_torpedo_that_hits_takes_a_shield_before_its_damage() -> None:
    plasma = {"pilot": "bluesquadronescort", "weapon": "plasmatorpedoes", "lock": 1, "dice": 1}
    result = answer(plasma, {"dice": 0}, hull=1, shields=1)
    assert result["mean_damage"] == result["p_destroyed"] == "3/4", "the shield is lost, and the hit is a card"
    assert answer(plasma, {"dice": 0}, hull=1, shields=2)["mean_shields_lost"] == "3/2"
    assert answer(plasma, {"dice": 0}, hull=2)["p_destroyed"] == "0/1", "there is no shield to lose"
    assert answer(plasma, {"dice": 0}, hull=2, shields=1, attacks=2)["not_counted"] == ["plasmatorpedoes"]


def test_prevented_damage_destroys_nobody() -> None:
    iden = {"pilot": "academypilot", "dice": 0, "friends": [{"pilot": "idenversio"}]}
    bare, saved = (answer({"dice": 6, "all_hits": 1}, {**iden, "claims": claims}) for claims in ([], ["idenversio"]))
    assert (bare["mean_damage"], bare["p_destroyed"]) == ("6/1", "1/1")
    assert (saved["mean_damage"], saved["p_destroyed"]) == ("0/1", "0/1")
    assert answer({"dice": 1}, {**iden, "claims": ["idenversio"]}, attacks=2)["not_counted"] == ["idenversio"]


@pytest.mark.parametrize(("weapon", "crit"), [("homingmissiles", "0/1"), ("homingtorpedoes", "1/1")])
def test_who_lets_a_homing_missile_through_suffers_what_it_says(weapon: str, crit: str) -> None:
    attack = {"pilot": "bluesquadronescort", "weapon": weapon, "lock": 1}
    result = answer(attack, {"pilot": "academypilot", "claims": [weapon]}, hull=1)
    assert (result["mean_damage"], result["p_crit"], result["p_destroyed"]) == ("1/1", crit, "1/1")


@pytest.mark.parametrize(
    ("defense", "named"),
    [
        ({"pilot": "countdown", "claims": ["countdown"]}, "countdown"),
        ({"pilot": "academypilot", "faceup": ["Hull Breach"]}, "Hull Breach"),
        ({"pilot": "academypilot", "faceup": ["Fuel Leak"]}, "Fuel Leak"),
    ],
)
def test_what_hurts_the_defender_besides_is_named(defense: dict[str, Any], named: str) -> None:
    assert answer({"dice": 3}, defense)["not_counted"] == [named]


def test_what_a_friend_suffers_does_not_hurt_the_defender() -> None:
    selfless = {"pilot": "bluesquadronescort", "upgrades": ["selfless"]}
    result = answer({"dice": 3}, {**selfless, "friends": [selfless], "claims": ["selfless"]})
    assert (result["counted"], result["not_counted"]) == (["selfless"], [])


def test_a_card_by_its_name_is_refused_with_its_id() -> None:
    with pytest.raises(PlayerError, match=r"`attack.pilot` was `Wedge Antilles`\. Use `wedgeantilles`, "):
        answer({"pilot": "Wedge Antilles"}, PLAIN)
    with pytest.raises(PlayerError, match="Use `predator` or"):
        answer({**PLAIN, "upgrades": ["Predator!"]}, PLAIN)


def test_a_token_that_comes_before_the_dice_is_counted_once_its_claim_is_made() -> None:
    alert = {**PLAIN, "upgrades": ["advancedwarningsystems-modification"]}
    assert answer(PLAIN, alert)["joint"] == answer(PLAIN, PLAIN)["joint"]
    claimed = answer(PLAIN, {**alert, "claims": alert["upgrades"]})
    assert (claimed["joint"], claimed["counted"]) == (answer(PLAIN, {**PLAIN, "evade": 1})["joint"], alert["upgrades"])
