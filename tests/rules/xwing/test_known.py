"""What is not known never acts: scenes decide all that rows ask of them, and rows that ask more are refused."""

from dataclasses import replace
from enum import StrEnum

import pytest

from bot.rules.errors import UnknownWordError
from bot.rules.game import Side
from bot.rules.text import english
from bot.rules.xwing.attack.attack import AttackWindow
from bot.rules.xwing.cards import rows
from bot.rules.xwing.cards.rows import ROWS
from bot.rules.xwing.dice import conditions
from bot.rules.xwing.dice.conditions import (
    AttackContext,
    EffectCondition,
    Has,
    InWindow,
    NeutralizeContext,
    Outcome,
    all_hold,
    evaluate,
    is_possible,
)
from bot.rules.xwing.dice.declared import LineUp
from bot.rules.xwing.table.ship import give
from tests.rules.xwing.fleet import Fight, fleet
from tests.rules.xwing.test_card_fights import BO, labels, press, ship

NOBODY = LineUp()


def test_every_row_asks_only_what_is_known_when_it_acts() -> None:
    asked = 0
    for card in ROWS:
        for row in ROWS[card]:
            for act in (*row.acts[0], *row.acts[1]):
                tests = [row_condition.test for any_of in row.conditions for row_condition in any_of]
                asked += sum(isinstance(test, conditions.OfDice) for test in tests)
                assert all(row.scene_of(act).decides(test) for test in tests), row.key
    assert asked > 50


class MoreOutcomes(StrEnum):
    """What somebody might add without saying how it is decided."""

    ONLY_HITS = "only hits"


def test_a_condition_that_no_scene_decides_is_refused_with_its_row_and_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conditions, "WORDS", {**conditions.WORDS, "only hits": MoreOutcomes.ONLY_HITS})
    monkeypatch.setattr(conditions, "OfDice", conditions.OfDice | MoreOutcomes)
    monkeypatch.setattr(conditions, "test_kind", lambda test: test)
    raw = {"on": "attack", "if": ["only hits"], "do": "reroll 1"}
    with pytest.raises(UnknownWordError) as refused:
        rows.read("pilot:wedgeantilles", raw)
    said = english(refused.value.text)
    assert "pilot:wedgeantilles[1].if" in said
    assert "only hits" in said


@pytest.mark.parametrize(
    ("asks", "does", "when"),
    [
        ("hit", "reroll 1", ""),
        ("only blanks", "+1 dice", ""),
        ("suffered damage", "prevent 1", "damage"),
        ("2 or more results", "forbid modify green", ""),
        ("only blanks", "reroll 1 green", ""),
        ("lost a shield", "cancel 1 hit", "after neutralize"),
    ],
)
def test_what_is_decided_later_than_a_row_acts_is_refused(asks: str, does: str, when: str) -> None:
    raw = {"on": "attack", "if": [asks], "do": does} | ({"when": when} if when else {})
    with pytest.raises(UnknownWordError, match="That isn't known yet when this row applies"):
        rows.read("pilot:wedgeantilles", raw)


def test_a_third_answer_neither_acts_nor_rules_out() -> None:
    hits, scene = (EffectCondition(Outcome.HIT),), AttackContext(NOBODY, NOBODY)
    assert evaluate(*hits, scene) is None
    assert not all_hold(hits, scene)
    assert is_possible(hits, scene)
    assert evaluate(*hits, NeutralizeContext(NOBODY, NOBODY, results=1)) is True
    assert evaluate(EffectCondition(Outcome.HIT, no=True), NeutralizeContext(NOBODY, NOBODY, results=1)) is False
    assert evaluate(EffectCondition(Outcome.ONLY_BLANKS), InWindow(NOBODY, NOBODY, dice=1, blanks=1)) is False
    assert (
        evaluate(
            EffectCondition(Has("stress", 2), side=Side.DEFENDER),
            AttackContext(NOBODY, LineUp(besides=(("stress", 2),))),
        )
        is True
    )


# What ships have is known on both sides


def test_an_attacker_with_an_evade_token_has_juke() -> None:
    shooter = ship("academypilot", "juke", tokens={"evade": 1})
    ships = fleet(shooter, ship("bluesquadronescort", owner=BO))
    told = {"attacker": shooter.name, "defender": "Blue Squadron Escort", "range": 3}
    fight = Fight(ships, "hit hit evade evade blank", **told)
    assert fight.state.window is AttackWindow.ATTACKER_MODIFIES_DEFENSE
    assert "Juke: 1 evade to focus" in labels(fight)
    without = {**ships, shooter.name: give(shooter, "evade", -1)}
    assert Fight(without, "hit hit evade evade blank", **told).state.window is AttackWindow.OVER


def test_an_attacker_pays_an_evade_token() -> None:
    """R2-C4."""
    shooter = ship("bluesquadronescort", "r2c4", tokens={"evade": 1})
    ships = fleet(shooter, ship("academypilot", owner=BO))
    fight = Fight(ships, "focus focus blank", attacker=shooter.name, defender="Academy Pilot", range=2)
    press(fight, "R2-C4", falls="blank blank blank")
    assert fight.ships[shooter.name].has("evade") == 0
    assert fight.state.damage is not None
    assert fight.state.damage.total == 1


def test_a_defender_pays_its_lock_on_the_attacker() -> None:
    """R2-HA."""
    target = replace(ship("bluesquadronescort", "r2ha", owner=BO), locks=("Academy Pilot",))
    ships = fleet(ship("academypilot"), target)
    fight = Fight(ships, "hit hit blank blank", attacker="Academy Pilot", defender=target.name, range=2)
    press(fight, "R2-HA", "0", "1", falls="evade evade")
    assert fight.ships[target.name].locks == ()
    assert fight.state.damage is not None
    assert fight.state.damage.total == 0


def test_hate_brings_force_for_the_damage() -> None:
    target = replace(ship("grandinquisitor", "hate", owner=BO), force_left=0)
    ships = fleet(ship("bluesquadronescort"), target)
    fight = Fight(
        ships, "hit hit hit blank blank blank", attacker="Blue Squadron Escort", defender=target.name, range=2
    )
    assert fight.ships[target.name].force_left == 2
