"""Every token of the table counts in the odds: what walking through the real rules gives, and not what none gives.

A token that somebody adds to the table tomorrow is one of them: a copy of the code gets one, and counts it.
"""

import json
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest

import bot
from bot.odds.xwing import distribution
from bot.odds.xwing.own_window import is_known
from bot.rules import xwing
from bot.rules.game import Side
from bot.rules.xwing.attack.attack import Attack
from bot.rules.xwing.dice.declared import Declared, LineUp
from bot.rules.xwing.dice.tokens import ON_SIDE, SPENT
from tests.every_way import Unordered, every_way
from tests.odds.xwing.by_choice import Oracle
from tests.odds.xwing.by_die import by_die

NOT_ON_DICE = {"charge"}
"""It pays for weapons."""


def attack_with(side: Side, token: str, count: int = 1) -> Declared:
    attack, defense = LineUp(dice=2), LineUp(dice=1)
    if side is Side.ATTACKER:
        return Declared(attack=attack.with_tokens({token: count}), defense=defense)
    return Declared(attack=attack, defense=defense.with_tokens({token: count}))


def walked_mean(whole: Declared, side: Side) -> Fraction:
    """The mean damage when the side plays for it on every way in which the dice can fall."""
    oracle, mean = Oracle(side, "damage"), defaultdict[str, Fraction](Fraction)
    for state, chance in every_way(lambda rng: xwing.start(whole, rng), Unordered).items():
        assert isinstance(state, Attack)
        mean["damage"] += chance * oracle.worth(state)["damage"]
    return mean["damage"]


EVERY = [(side, token) for side in Side for token in ON_SIDE[side] if token not in NOT_ON_DICE]


@pytest.mark.parametrize(("side", "token"), EVERY)
def test_every_token_of_the_table_counts(side: Side, token: str) -> None:
    whole = attack_with(side, token)
    odds = distribution(whole).mean(sum)
    assert odds == walked_mean(whole, side)
    assert odds != distribution(attack_with(side, token, 0)).mean(sum)


BOTH_KNOW = [
    (side, token, count)
    for side in Side
    for token in SPENT[side]
    for count in sorted({1, min(2, ON_SIDE[side][token].most)})
    if is_known(side, token, count)
]
"""A token of another kind, as somebody may add one, is left to the search that knows more; the walk above holds it."""


def test_the_tokens_of_today_are_counted_by_the_fast_search() -> None:
    known = {(side, token) for side, token, _ in BOTH_KNOW}
    attacker = {(Side.ATTACKER, token) for token in ("focus", "calculate", "force", "lock")}
    assert known >= attacker | {(Side.DEFENDER, token) for token in ("focus", "calculate", "force", "evade")}


@pytest.mark.parametrize(("side", "token", "count"), BOTH_KNOW)
def test_both_searches_agree(side: Side, token: str, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the search by result knows everything, the one that knows more says the same (SEARCH.md, section 9)."""
    whole = attack_with(side, token, count)
    fast = distribution(whole).weights
    monkeypatch.setattr("bot.odds.xwing.attack_dice.is_simple", lambda *_: False)
    monkeypatch.setattr("bot.odds.xwing.defense_dice.is_simple", lambda *_: False)
    assert chances(distribution(whole).weights) == chances(fast)


def chances(weights: Mapping[tuple[int, int], int]) -> dict[tuple[int, int], Fraction]:
    total = sum(weights.values())
    return {results: Fraction(weight, total) for results, weight in weights.items()}


AIM = '{"name": "aim", "kind": "circular green", "noun": ["aim token", "aim tokens"], "turns": ["blank"], "most": 2}'


def test_a_new_token_is_counted_everywhere(tmp_path: Path) -> None:
    """One row and one field are all that a new token needs."""
    package = tmp_path / "bot"
    shutil.copytree(Path(bot.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    rows, held = (package / "rules" / "xwing" / item for item in ("tables/tokens.json", "dice/tokens.py"))
    rows.write_text(rows.read_text().replace('"tokens": [', f'"tokens": [\n    {AIM},', 1))
    field = "    aim: int = dice_token(Side.ATTACKER)\n    cloak: int"
    held.write_text(held.read_text().replace("    cloak: int", field, 1))

    def odds(attack: dict[str, object]) -> dict[str, object]:
        words = json.dumps({"attack": attack, "defense": {"dice": 0}})
        command = [sys.executable, "-m", "bot", "odds", "xwing", words, "--json"]
        result = subprocess.run(
            command, cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, check=True
        )
        return dict(json.loads(result.stdout))

    by_key, by_words = odds({"dice": 2, "aim": 1}), odds({"dice": 2, "words": "aim"})
    assert by_key == by_words
    assert by_key["mean_damage"] == "23/16", "one hit, and one more where a blank is among the two dice: 7/16"
    assert by_key["p_any"] == "15/16", "only two focus results bring nothing"
    assert odds({"dice": 2})["mean_damage"] == "1/1"


def test_the_walk_by_die_agrees_with_the_walk_of_the_rules() -> None:
    """Two oracles that share nothing."""
    whole = attack_with(Side.DEFENDER, "evade")
    mean = sum((sum(results) * chance for results, chance in by_die(whole).items()), Fraction(0))
    assert mean == walked_mean(whole, Side.DEFENDER)
