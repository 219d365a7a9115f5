"""The numbers on cards of odds are those of ``python -m bot odds``, to the digit shown."""

import pickle
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from bot.games import GAMES
from bot.odds import warsurge as warsurge_odds, xwing as xwing_odds
from bot.odds.infinity import sides as infinity_odds
from bot.render import albion as albion_card, warsurge as warsurge_card
from bot.render.card import Bars, Card, Scale
from bot.render.infinity import odds as infinity_card
from bot.render.odds import MAX_BARS, chart
from bot.render.plain_text import decimal, percent
from bot.render.warsurge import compare_card
from bot.render.xwing import odds as xwing_card
from bot.rules import albion, infinity, warsurge
from bot.rules.errors import BadInputError
from bot.rules.text import Text, english
from bot.rules.xwing.attack.json_attacks import declare_attack

ATTACK = {"attack": {"dice": 5, "focus": 1, "lock": 1}, "defense": {"dice": 3, "evade": 1}, "hull": 3, "shields": 1}
SOLDIER = {"target": {"agility": 4, "stealth": 3}, "attacker": {"awareness": 3, "strength": 3}}


WARSURGE_ATTACK = warsurge.declare({"power": 7, "defence": 2, "attack_dice": 3, "save": 5})


def bars(figure: object) -> Bars:
    assert isinstance(figure, Bars)
    return figure


def test_xwing_numbers_are_the_exact_ones() -> None:
    told: Mapping[str, Any] = GAMES["xwing"].odds(declare_attack(ATTACK))
    card = xwing_card.card(xwing_odds.count([("focus, lock", declare_attack(ATTACK))]))
    numbers, defender = (value for _, value in card.facts)
    assert english(defender) == "evade, hull 3, shields 1"
    assert card.outcome == f"Average damage: {decimal(Fraction(told['mean_damage']))}."
    assert f"at least 1: {percent(Fraction(told['p_any']))}" in english(numbers)
    assert f"crit: {percent(Fraction(told['p_crit']))}" in english(numbers)
    assert f"destroyed: {percent(Fraction(told['p_destroyed']))}" in english(numbers)
    drawn = bars(card.figure)
    joint = {tuple(map(int, key.split(","))): Fraction(chance) for key, chance in told["joint"].items()}
    for bar in drawn.bars:
        assert bar.chances == (sum(chance for got, chance in joint.items() if sum(got) == int(english(bar.label))),)


def test_the_printed_averages_come_out() -> None:
    """Rules page: two dice with focus and lock are 1.875, printed as 1.86."""
    two = {"attack": {"dice": 2, "focus": 1, "lock": 1}, "defense": {"dice": 0}}
    assert xwing_card.card(xwing_odds.count([("", declare_attack(two))])).outcome == "Average damage: 1.88."


def test_two_line_ups_stand_side_by_side() -> None:
    plain = {"attack": {"dice": 2}, "defense": {"dice": 0}}
    focus = {"attack": {"dice": 2, "focus": 1}, "defense": {"dice": 0}}
    card = xwing_card.card(xwing_odds.count([("no tokens", declare_attack(plain)), ("focus", declare_attack(focus))]))
    assert card.outcome == "Average damage: 1 (no tokens), 1.5 (focus)."
    assert bars(card.figure).series == ("no tokens", "focus")
    assert "no tokens: 0 damage 25%" in english(card.alt)
    assert "focus: 0 damage 6%" in english(card.alt)


def test_a_weapon_that_deals_tokens_says_its_damage_and_its_tokens() -> None:
    ion = {"pilot": "bluesquadronescort", "upgrades": ["ioncannon"], "weapon": "ioncannon", "dice": 2}
    card = xwing_card.card(xwing_odds.count([("ion", declare_attack({"attack": ion, "defense": {"dice": 0}}))]))
    assert card.outcome == "Average damage: 0.75."
    assert "average ion tokens: 0.25" in english(card.facts[0][1])


def test_infinity_says_who_wins_and_how() -> None:
    """Rules page: SV 15 Burst 5 against SV 13 Burst 2."""
    asked = infinity.declare({"sv_a": 15, "burst_a": 5, "sv_b": 13, "burst_b": 2})
    told: Mapping[str, Any] = GAMES["infinity"].odds(asked)
    card = infinity_card.card(infinity_odds.count(asked, ("Angus", "Ortega")))
    assert card.outcome == "Chance to win: Angus 78%, Ortega 16%, nobody 6%."
    shares = [sum((bar.chances[side] for bar in bars(card.figure).bars), Fraction(0)) for side in (0, 1)]
    assert shares == [Fraction(told["a_wins"], told["total"]), Fraction(told["b_wins"], told["total"])]
    critical = Fraction(
        sum(count for got, count in told["a_hits_crits"].items() if not got.endswith("+0")), told["total"]
    )
    assert f"with a Critical: {percent(critical)}" in english(dict(card.facts)[Text("Angus")])


def test_infinity_normal_rolls_have_one_side() -> None:
    card = infinity_card.card(infinity_odds.count(infinity.declare({"sv": 12, "burst": 3}), ("Angus", "nobody")))
    assert card.title == "Infinity odds · Normal Roll"
    assert bars(card.figure).series == ("Angus",)
    _, *several = bars(card.figure).bars
    assert sum(bar.chances[0] for bar in several) == Fraction(81, 125), "0.6 each: 1 - 0.4^3 - 3 x 0.6 x 0.4^2"


def test_saving_rolls_are_no_such_odds() -> None:
    save = infinity.declare({"hits": 2, "ammo": "N", "ps": 7, "arm": 1})
    with pytest.raises(BadInputError, match="Success Value"):
        infinity_odds.count(save, ("a", "b"))


def test_warsurge_numbers_are_the_exact_ones() -> None:
    asked = warsurge.declare({"method": "chart", "power": 7, "defence": 2, "attack_dice": 3, "save": "5+"})
    told: Mapping[str, Any] = GAMES["warsurge"].odds(asked)
    card = warsurge_card.odds_card(warsurge_odds.count([asked]))
    assert card.outcome == f"Average HP loss: {decimal(Fraction(told['mean_hp_loss']))}."
    numbers = dict(card.facts)[Text("Attack Dice Chart")]
    assert english(numbers).startswith("need 2+\narmour save 5+\n")
    assert {bar.label: str(bar.chances[0]) for bar in bars(card.figure).bars} == told["hp_loss"]


def test_a_long_law_ends_in_a_bar_for_the_rest() -> None:
    shares = {count: Fraction(1, 50) for count in range(50)}
    drawn = chart([Text("x")], [shares])
    assert len(drawn.bars) == MAX_BARS
    assert drawn.bars[-1].label == f"{MAX_BARS - 1}+"
    assert sum(bar.chances[0] for bar in drawn.bars) == 1


def test_albion_counts_of_216() -> None:
    card = albion_card.odds_card(albion.calculate(albion.declare(SOLDIER)))
    assert card.outcome == "Chance to hit: 66%. Chance of a focus point: 8%."
    assert english(dict(card.facts)[Text("Of 216 rolls")]).splitlines() == [
        "miss: 73 of 216, 34%",
        "hit: 126 of 216, 58%",
        "focus point: 17 of 216, 8%",
    ]
    assert isinstance(card.figure, Scale)
    assert [section.last for section in card.figure.sections] == [72, 198, 215]


def test_albion_leaves_out_what_cannot_happen() -> None:
    missed = {"target": {"agility": 12, "stealth": 12}, "attacker": {"awareness": 0, "strength": 0}}
    card = albion_card.odds_card(albion.calculate(albion.declare(missed)))
    assert isinstance(card.figure, Scale)
    assert [section.label for section in card.figure.sections] == ["miss"]


@pytest.mark.parametrize(
    ("count", "draw"),
    [
        (partial(xwing_odds.count, [("focus, lock", declare_attack(ATTACK))]), xwing_card.card),
        (
            partial(infinity_odds.count, infinity.declare({"sv_a": 12, "sv_b": 11}), ("Angus", "Ortega")),
            infinity_card.card,
        ),
        (partial(warsurge_odds.count, warsurge_odds.declare_each_method(WARSURGE_ATTACK)), warsurge_card.odds_card),
        (partial(warsurge_odds.count, warsurge_odds.declare_each_method(WARSURGE_ATTACK)), compare_card),
        (partial(albion.calculate, albion.declare(SOLDIER)), albion_card.odds_card),
    ],
)
def test_question_and_answer_travel_to_another_process(count: Callable[[], Any], draw: Callable[[Any], Card]) -> None:
    """Both pickle; what comes back is drawn alike."""
    answer = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(count))()))  # noqa: S301 - our own bytes
    assert draw(answer) == draw(count())


def test_the_averages_travel_too() -> None:
    assert pickle.loads(pickle.dumps(xwing_odds.averages())) == xwing_odds.averages()  # noqa: S301 - our own bytes
