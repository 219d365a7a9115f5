"""Albion as a file: its dice, thresholds, and odds can be said; docs/duels.md has what can't."""

import json
import tomllib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, cast

import pytest

from bot.odds import duels as odds
from bot.rules import duels
from bot.rules.duels.rows import DUELS, read_duel
from tests.duel_lines import Told

FOLDER: Final = Path(__file__).parents[1] / "golden"
GOLDEN: Final[Mapping[str, Any]] = json.loads((FOLDER / "albion.json").read_text())
DICE: Final = (("d36", 36), ("d6", 6), ("d1", 1))


@pytest.fixture(autouse=True)
def albion(monkeypatch: pytest.MonkeyPatch) -> None:
    """Albion among the duels."""
    read = read_duel("test", tomllib.loads((FOLDER / "albion_duel.toml").read_text(encoding="utf-8")))
    monkeypatch.setitem(cast("dict[str, Any]", DUELS), "test", read)


def declared(stats: Mapping[str, int]) -> duels.Declared:
    words = ", ".join(name if name == "dodging" else f"{name} {value}" for name, value in stats.items() if value)
    zeros = ", ".join(f"{name} 0" for name, value in stats.items() if not value and name != "dodging")
    return duels.declare({"game": "test", "line": ", ".join(filter(None, (words, zeros)))})


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["id"])
def test_the_odds_of_the_file_are_those_of_the_golden_cases(case: Mapping[str, Any]) -> None:
    found = odds.distribution(declared({**case["target"], **case["attacker"]}))
    chances = [Fraction(found.weights.get(halves, 0), found.total) for halves in (0, 2, 3)]
    assert chances == [Fraction(case[name], case["of"]) for name in ("n_miss", "n_hit_only", "n_focus")]
    assert found.mean(int) / 2 == Fraction(case["mean_power_multiplier"])


@pytest.mark.parametrize("row", [row for row in GOLDEN["rolls"] if row.get("d36") is not None], ids=str)
def test_the_rolls_of_the_file_are_the_golden_ones(row: Mapping[str, Any]) -> None:
    miss = row["total_miss_chance"]
    agility = max(0, -(-miss // 18))
    attack = declared({"agility": agility, "stealth": 0, "awareness": (18 * agility - miss) // 9, "strength": 0})
    faces = " ".join(letter * (row[die] // each) or "-" for letter, (die, each) in zip("abc", DICE, strict=True))
    state = duels.start(attack, Told(faces))
    assert Fraction(state.result, 2) == Fraction(row["power_multiplier"])
