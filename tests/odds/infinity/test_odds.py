"""The exact odds of Infinity: every golden case, walks of the real rules, counts, what holds of any roll."""

import json
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import factorial, prod
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from bot.odds.distribution import Distribution, K
from bot.odds.infinity.json_odds import odds
from bot.odds.infinity.rolls import Outcome, hits_on_shared, outcomes, scores, winners
from bot.odds.infinity.wounds import failures, wounds
from bot.rules import infinity
from bot.rules.dice import Rng
from bot.rules.errors import BadInputError
from bot.rules.game import Choice
from bot.rules.infinity.dice.resolve import direct, read
from bot.rules.infinity.orders.play import landed_attacks
from bot.rules.infinity.troopers.declared import Action, Meeting, Order, Save, TrooperRoll, Weapon
from tests.every_way import every_way
from tests.infinity_cases import declaration, is_save
from tests.rows import for_each_row

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "infinity.json").read_text())
ROLLS = st.builds(TrooperRoll, attribute=st.integers(-2, 42), burst=st.integers(1, 6), special=st.integers(0, 2))


def told(case: Mapping[str, object]) -> Any:
    return odds(infinity.declare(declaration(case)))


def order(case: Mapping[str, object]) -> Order:
    declared = infinity.declare(declaration(case))
    assert isinstance(declared, Order)
    return declared


def chances(distribution: Distribution[K]) -> dict[K, Fraction]:
    return {outcome: Fraction(ways, distribution.total) for outcome, ways in distribution.weights.items()}


def wins(distribution: Distribution[Outcome], winner: str) -> Fraction:
    return distribution.probability(lambda outcome: outcome[0] == winner)


def fractions(chances: Mapping[str, str]) -> dict[str, Fraction]:
    return {key: Fraction(value) for key, value in chances.items()}


@for_each_row(
    "case", GOLDEN["face_to_face"] + GOLDEN["special_dice"] + GOLDEN["normal"], ids=lambda case: str(case["id"])
)
def test_golden_counts(case: Mapping[str, Any]) -> None:
    counted = {"total", "a_wins", "b_wins", "nothing", "a_hits_crits", "b_hits_crits", "hits_crits"}
    assert told(case) == {key: case[key] for key in counted & set(case)}


def test_the_reference_of_the_rules_page() -> None:
    result = told({"sv_a": 15, "burst_a": 5, "sv_b": 13, "burst_b": 2})
    assert (result["a_wins"], result["b_wins"], result["nothing"]) == (998002871, 207810733, 74186396)
    assert result["total"] == 1280000000


@pytest.mark.parametrize("case", GOLDEN["shared_law"], ids=lambda case: str(case["id"]))
def test_golden_joint_distribution_of_shared_dice(case: Mapping[str, Any]) -> None:
    result = told(case)
    for key in ("total", "a_beats_both", "a_beaten_by_both", "a_beats_1", "a_beats_2", "hits_on_a"):
        assert result[key] == case[key]


@pytest.mark.parametrize("case", GOLDEN["saves_wounds"], ids=lambda case: str(case["id"]))
def test_golden_wounds(case: Mapping[str, Any]) -> None:
    result = told(case)
    for key in ("wounds_on_a", "wounds_on_b"):
        assert fractions(result[key]) == fractions(case[key])
        assert float(Fraction(result[f"mean_{key}"])) == pytest.approx(case[f"mean_{key}"], abs=1e-12)
    assert result["nothing"] == case["nothing"]
    assert Fraction(result["nothing"]) == 1 - Fraction(result["a_wins"] + result["b_wins"], result["total"])


def rolled(case: Mapping[str, object]) -> dict[tuple[object, ...], Fraction]:
    """The chances of winner, hits and Criticals, by rolling the real rules in every way."""
    declared = infinity.declare(declaration(case))

    def once(rng: Rng) -> tuple[object, ...]:
        result = infinity.outcome(infinity.start(declared, rng))
        side = "b" if result["winner"] == "b" else "a"
        return result["winner"], result[f"{side}_hits"], result[f"{side}_crits"]

    return every_way(once)


@pytest.mark.parametrize(
    "case",
    [
        {"sv_a": 12, "sv_b": 11},
        {"sv_a": 23, "sv_b": 19},
        {"sv_a": 23, "sv_b": 25, "edition": "n4"},
        {"sv_a": 40, "sv_b": 1},
        {"sv_a": 3, "special_dice_a": 1, "sv_b": 22},
        {"sv_a": 12, "burst_a": 2, "sv_b": 11},
    ],
)
def test_face_to_face_equals_every_way_of_the_rules(case: dict[str, int]) -> None:
    a, b = order(case).rolls
    assert chances(outcomes(scores(a), scores(b))) == rolled(case)


@pytest.mark.parametrize("case", [{"sv": 12, "burst": 2}, {"sv": 24, "burst": 1, "special_dice": 2, "edition": "n4"}])
def test_a_normal_roll_equals_every_way_of_the_rules(case: dict[str, int]) -> None:
    assert chances(outcomes(scores(order(case).rolls[0]), None)) == rolled(case)


def test_shared_dice_equal_every_way_of_the_rules() -> None:
    declared = order({"a": {"sv": 10, "kind": "dodge"}, "enemies": [{"sv": 12}, {"sv": 21}]})

    def once(rng: Rng) -> tuple[tuple[str, ...], int]:
        state = infinity.start(declared, rng)
        result: Any = infinity.outcome(state)
        return tuple(item["winner"] for item in result["results"]), sum(
            hit.hits + hit.crits for hit in landed_attacks(state)
        )

    walked = every_way(once)
    joint, hits = chances(winners(declared, 0)), chances(hits_on_shared(declared, 0))
    patterns, counts = {who for who, _ in walked}, {count for _, count in walked}
    assert joint == {
        pattern: sum(chance for (who, _), chance in walked.items() if who == pattern) for pattern in patterns
    }
    assert hits == {item: sum(chance for (_, count), chance in walked.items() if count == item) for item in counts}


@pytest.mark.parametrize(
    "case",
    [
        {"hits": 0, "crits": 1, "ammo": "T2", "ps": 7, "arm": 3},
        {"hits": 1, "ammo": "Plasma", "ps": 6, "arm": 2, "bts": 9},
        {"hits": 2, "ammo": "AP", "damage": 13, "arm": 5, "cover": True},
        {"hits": 1, "ammo": "E/M", "ps": 5, "bts": 9},
        {"hits": 2, "ps": 20, "arm": 9},
        {"hits": 1, "ammo": "AP+DA", "ps": 5, "arm": 5},
        {"hits": 1, "crits": 1, "ammo": "DA", "damage": 14, "arm": 2, "edition": "n3"},
        {"hits": 1, "ammo": "PARA", "ph": 11},
    ],
)
def test_saving_rolls_equal_every_way_of_the_rules(case: dict[str, object]) -> None:
    save = infinity.declare(declaration(case))
    assert isinstance(save, Save)

    def once(rng: Rng) -> tuple[object, object]:
        result = infinity.outcome(infinity.start(save, rng))
        return result["wounds"], result["failed"]

    walked = every_way(once)
    for at, losses in enumerate((wounds(save), failures(save))):
        counts = {lost[at] for lost in walked}
        assert chances(losses) == {
            count: sum(ways for lost, ways in walked.items() if lost[at] == count) for count in counts
        }


@pytest.mark.parametrize(("winner", "loser"), [("a", "b"), ("b", "a")])
def test_wounds_on_the_loser_equal_every_way_of_the_rules(winner: str, loser: str) -> None:
    """Against a Success Value below 1, so that the walk stays short; the golden cases have both sides rolling."""
    weapon = {f"sv_{winner}": 2, f"ammo_{winner}": "T2", f"ps_{winner}": 9}
    declared = infinity.declare({**weapon, f"sv_{loser}": 0, f"arm_{loser}": 2})

    def once(rng: Rng) -> tuple[str, int]:
        state = infinity.start(declared, rng)
        while offers := [offer for offer in infinity.offers(state) if is_save(offer)]:
            filled = {field.key: field.value for field in offers[0].fields}
            state = infinity.choose(state, Choice(offers[0].key, filled=filled), rng)
        result: Any = infinity.outcome(state)
        return result["winner"], sum(item["wounds"] for item in result.get("saves", ()))

    walked, found = every_way(once), told({**weapon, f"sv_{loser}": 0, f"arm_{loser}": 2})
    assert fractions(found[f"wounds_on_{loser}"]) == {
        str(lost): walked[who, lost] for who, lost in walked if who == winner
    }
    assert Fraction(found["nothing"]) == walked["nobody", 0]


def multisets(sv: int, dice: int) -> list[tuple[tuple[int, ...], int]]:
    """Every set of heights that so many dice can show, by the rules page alone, with its ways."""
    worth = Counter(
        0 if face > sv else 20 if face == 20 or face <= sv - 20 or face == sv else face for face in range(1, 21)
    )
    result = []
    for heights in combinations_with_replacement(sorted(worth), dice):
        counts = Counter(heights)
        orders = factorial(dice) // prod(factorial(count) for count in counts.values())
        result.append((heights, orders * prod(worth[score] ** count for score, count in counts.items())))
    return result


@pytest.mark.parametrize(("sv_a", "sv_b"), [(15, 13), (1, 20), (21, 8), (25, 24), (0, 11), (19, 19)])
def test_two_against_two_counted_one_by_one(sv_a: int, sv_b: int) -> None:
    wins: Counter[str] = Counter()
    for a, a_ways in multisets(sv_a, 2):
        for b, b_ways in multisets(sv_b, 2):
            wins["a_wins" if max(a) > max(b) else "b_wins" if max(b) > max(a) else "nothing"] += a_ways * b_ways
    result = told({"sv_a": sv_a, "burst_a": 2, "sv_b": sv_b, "burst_b": 2})
    assert {key: result[key] for key in ("a_wins", "b_wins", "nothing")} == {
        key: wins[key] for key in ("a_wins", "b_wins", "nothing")
    }


@given(ROLLS, ROLLS)
def test_weights_sum_to_the_total_and_the_two_sides_are_mirrored(a: TrooperRoll, b: TrooperRoll) -> None:
    distribution, mirrored = outcomes(scores(a), scores(b)), outcomes(scores(b), scores(a))
    assert sum(distribution.weights.values()) == distribution.total
    assert all(ways > 0 for ways in distribution.weights.values())
    assert all(hits + crits <= (a if who == "a" else b).burst for who, hits, crits in distribution.weights)
    swapped = {"a": "b", "b": "a", "nobody": "nobody"}
    assert {
        (swapped[who], hits, crits): ways for (who, hits, crits), ways in mirrored.weights.items()
    } == distribution.weights


@given(ROLLS, ROLLS)
def test_a_special_die_never_makes_it_worse(a: TrooperRoll, b: TrooperRoll) -> None:
    better = TrooperRoll(attribute=a.attribute, burst=a.burst, special=a.special + 1)
    plain, special = outcomes(scores(a), scores(b)), outcomes(scores(better), scores(b))
    assert wins(special, "a") >= wins(plain, "a")


@given(ROLLS, ROLLS, ROLLS)
def test_each_comparison_of_shared_dice_has_the_distribution_it_would_have_alone(
    a: TrooperRoll, b: TrooperRoll, c: TrooperRoll
) -> None:
    shared = Order(rolls=(a, b, c), meetings=(Meeting(a=0, b=1), Meeting(a=0, b=2)))
    joint = winners(shared, 0)
    assert sum(joint.weights.values()) == joint.total
    for at, enemy in enumerate((b, c)):
        alone = outcomes(scores(a), scores(enemy))
        for who in ("a", "b", "nobody"):
            ways = sum(ways for pattern, ways in joint.weights.items() if pattern[at] == who)
            assert Fraction(ways, joint.total) == wins(alone, who)
    hits = hits_on_shared(shared, 0).mean(int)
    apart = [
        outcomes(scores(a), scores(enemy)).mean(lambda item: (item[1] + item[2]) * (item[0] == "b")) for enemy in (b, c)
    ]
    assert hits == sum(apart)


def test_one_dodge_against_three() -> None:
    result = told(
        {"a": {"sv": 12, "kind": "dodge"}, "enemies": [{"sv": 13, "burst": 3}, {"sv": 11}, {"sv": 12, "burst": 2}]}
    )
    assert result["total"] == 20**7
    assert sum(result["winners"].values()) == sum(result["hits_on_a"].values()) == result["total"]
    assert result["a_beats_all"] == result["winners"]["a,a,a"]
    assert result["a_beaten_by_all"] == result["winners"]["b,b,b"]
    alone = told({"sv_a": 12, "sv_b": 11})
    assert result["a_beats_2"] == alone["a_wins"] * 20**5
    assert result["a_beaten_by_2"] == alone["b_wins"] * 20**5
    assert result["b_hits_crits_2"] == {key: ways * 20**5 for key, ways in alone["b_hits_crits"].items()}
    assert sum(result["a_hits_crits_3"].values()) == result["a_beats_3"]


def test_an_enemy_who_dodges_a_template_hits_nobody() -> None:
    result = told(
        {"a": {"sv": 12, "kind": "template"}, "enemies": [{"sv": 11, "kind": "dodge"}, {"sv": 11, "kind": "dodge"}]}
    )
    assert result["hits_on_a"] == {"0": 8000}


def test_the_odds_of_an_order() -> None:
    lines = (
        "Angus 12 b2 vs Ortega 11",
        "Murat 13 vs Ana",
        "Diaz 9 vs Ana",
        "Ana 10 dodge",
        "Pavel 8 normal vs Angus",
        "Bo SV 1",
    )
    result = told({"order": lines})
    assert list(result) == [
        "1: Angus against Ortega",
        "2: Murat against Ana",
        "3: Diaz against Ana",
        "4: Pavel against Angus",
        "5: Bo",
        "roll 5: Ana wins",
        "roll 5: Ana is hit",
    ]
    for chances_of_one in result.values():
        assert sum(fractions(chances_of_one).values()) == 1
    assert result["4: Pavel against Angus"] == {"Pavel 0+1": "1/20", "Pavel 1+0": "7/20", "nobody": "3/5"}
    alone = told({"sv_a": 12, "burst_a": 2, "sv_b": 11})
    assert Fraction(result["1: Angus against Ortega"]["Ortega 1+0"]) == Fraction(alone["b_hits_crits"]["1+0"], 8000)
    joint = told({"a": {"sv": 10, "kind": "dodge"}, "enemies": [{"sv": 13}, {"sv": 9}]})
    assert Fraction(result["roll 5: Ana wins"]["Ana, Ana"]) == Fraction(joint["a_beats_both"], 8000)
    assert Fraction(result["roll 5: Ana wins"]["Murat, nobody"]) == Fraction(joint["winners"]["b,nobody"], 8000)
    assert Fraction(result["roll 5: Ana is hit"]["2"]) == Fraction(joint["hits_on_a"]["2"], 8000)


def test_in_a_typed_order_either_side_may_stand_first() -> None:
    result = told({"order": "Ana 10 dodge; Angus 12 vs Ana"})
    assert result == told({"sv_a": 12, "sv_b": 10, "kind_b": "dodge"})


def test_the_wounds_of_a_normal_roll_and_of_one_known_weapon() -> None:
    normal_roll = told({"a": {"sv": 12, "ammo": "N", "ps": 7}, "b": None})
    assert Fraction(normal_roll["mean_wounds_on_b"]) == Fraction(11, 20) * Fraction(13, 20) + Fraction(
        1, 20
    ) * Fraction(26, 20)
    assert normal_roll["nothing"] == "2/5"
    one_sided = told({"sv_a": 12, "ammo_a": "N", "ps_a": 7, "sv_b": 11})
    assert "wounds_on_b" in one_sided
    assert "wounds_on_a" not in one_sided


def test_where_failing_brings_a_state_the_failures_are_counted() -> None:
    result = told({"a": {"sv": 1, "ammo": "STUN", "ps": 10}})
    assert result["wounds_on_b"] == {"0": "1/20"}
    assert result["failed_on_b"] == {"0": "1/80", "1": "1/40", "2": "1/80"}


def test_the_odds_of_saving_rolls() -> None:
    assert told({"hits": 1, "ps": 7, "arm": 3, "ammo": "T2"}) == {
        "saves": 1,
        "wounds": {"0": "1/2", "2": "1/2"},
        "mean_wounds": "1/1",
        "failed": {"0": "1/2", "1": "1/2"},
        "mean_failed": "1/2",
    }


def test_while_the_other_side_has_to_answer_there_are_no_odds() -> None:
    with pytest.raises(BadInputError) as refused:
        told({"sv_a": 12, "open": True})
    assert refused.value.field == "sv_b"


def test_a_coup_de_grace_costs_no_wounds_by_saves() -> None:
    result: Any = odds(
        infinity.declare({"troopers": {"Doc": "CC 14", "Bo": "ARM 1, W 1, Unconscious"}, "order": "Doc coup vs Bo"})
    )
    assert result["hits_crits"] == {"1+0": 1}
    assert result["wounds_on_b"] == {"0": "1/1"}


@pytest.mark.parametrize("sv", [2, 15, 22, 30])
@pytest.mark.parametrize(("burst", "special"), [(1, 0), (1, 1), (2, 0)])
def test_a_burdened_dodge_of_a_deployable_is_counted_as_it_is_rolled(sv: int, burst: int, special: int) -> None:
    dodge = TrooperRoll(attribute=sv, burst=burst, special=special, action=Action.DODGE, burden=-3)
    mine = TrooperRoll(attribute=0, action=Action.DIRECT, weapon=Weapon(traits=("deployable",)))
    rolled: Counter[Outcome] = Counter()
    for faces in product(range(1, 21), repeat=dodge.dice_count):
        comparison = direct(mine.burst, read(faces, sv, "n5", special), dodge.evades_to)
        won = comparison.b if comparison.winner == "b" and comparison.b else comparison.a
        rolled[comparison.winner, won.hits, won.crits] += 1
    assert {outcome: ways for outcome, ways in outcomes(scores(mine), scores(dodge)).weights.items() if ways} == rolled
