"""What is too much to count is refused, and the sentence names what fits."""

import re
from typing import Any

import pytest

from bot.odds.xwing import odds
from bot.rules.errors import BadInputError
from bot.rules.xwing.attack.json_attacks import declare_attack as declare

MANY_TOKENS = {"dice": 6, "focus": 6, "calculate": 6, "force": 6, "evade": 6}


@pytest.mark.parametrize(
    "raw",
    [
        {"attack": {"dice": 6, "lock": 1, "calculate": 1}, "defense": MANY_TOKENS},
        {"attack": {"dice": 6, "lock": 1, "calculate": 1}, "defense": MANY_TOKENS, "hull": 9, "shields": 30},
    ],
)
def test_too_many_attacks_the_most_that_fit_are_named(raw: dict[str, Any]) -> None:
    with pytest.raises(BadInputError, match=r"^`attacks` was `10`. Use 1 to \d+ with this many dice") as refused:
        odds(declare({**raw, "attacks": 10}))
    fits = re.search(r"1 to (\d+)", str(refused.value))
    assert fits
    assert "mean_damage" in odds(declare({**raw, "attacks": int(fits[1])}))


def test_too_many_effects() -> None:
    rerolls = [1, 2, 3, 4, 5, 6, 7, 8]
    attack = {"dice": 6, "lock": 1, "calculate": 2, "rerolls": rerolls, "add_focus": 4, "add_blank": 4}
    with pytest.raises(BadInputError, match=r"^`effects` was 10 effects. Use fewer or smaller rerolls, changes"):
        odds(declare({"attack": attack, "defense": {"dice": 2}}))


def test_any_rerolls_fit_without_added_results() -> None:
    rerolls = [1, 2, 3, 4, 5, 6, 7, 8]
    attack = {"dice": 6, "lock": 1, "calculate": 2, "rerolls": rerolls}
    defense = {"dice": 6, "calculate": 2, "evade": 2, "rerolls": rerolls}
    assert "mean_damage" in odds(declare({"attack": attack, "defense": defense}))
