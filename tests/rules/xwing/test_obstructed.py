"""What obstructs an attack: an obstacle adds a die, a ship or a device only lets cards speak."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from bot.odds.xwing import distribution, odds
from bot.rules.errors import BadInputError
from bot.rules.xwing.attack.json_attacks import declare
from bot.rules.xwing.dice.conditions import Obstruction
from bot.rules.xwing.dice.declared import Declared, defense_pool
from bot.rules.xwing.table import controls, pieces
from tests.rules.xwing.fleet import declared, fleet
from tests.rules.xwing.test_card_fights import BO, ship

ESCORT = {"pilot": "bluesquadronescort"}
SCRAMBLER = {"pilot": "academypilot", "upgrades": ["tacticalscrambler"]}
BOTH = ["obstacle", "ship"]


def answer(defense: dict[str, Any], obstructed: object, **more: object) -> dict[str, Any]:
    return odds(declare({"attack": ESCORT, "defense": defense, "range": 2, "obstructed": obstructed, **more}))


@pytest.mark.parametrize(
    ("defense", "range_", "obstructed", "green"),
    [
        ({**ESCORT, "friends": [SCRAMBLER]}, 2, ["ship"], 2),
        ({**ESCORT, "friends": [SCRAMBLER], "claims": ["tacticalscrambler"]}, 2, "ship", 3),
        ({**ESCORT, "friends": [SCRAMBLER], "claims": ["tacticalscrambler"]}, 2, BOTH, 4),
        ({**ESCORT, "friends": [SCRAMBLER], "claims": ["tacticalscrambler"]}, 2, True, 3),
        (ESCORT, 3, True, 4),
        (ESCORT, 3, "obstacle", 4),
        ({"pilot": "captainnym"}, 1, "device", 2),
        ({"pilot": "captainnym"}, 1, True, 2),
    ],
)
def test_the_dice_of_the_page(defense: dict[str, Any], range_: int, obstructed: object, green: int) -> None:
    assert answer(defense, obstructed, range=range_)["dice"]["green"] == green


def test_treacherous_asks_for_a_ship_and_gets_no_die() -> None:
    card = {**ESCORT, "upgrades": ["treacherous"]}
    plain = {"attack": {"dice": 3}, "defense": {"dice": 2, "words": "cancel 1 hit before neutralize"}}
    without = {"attack": {"dice": 3}, "defense": {"dice": 2}}
    result = Fraction(answer(card, "ship")["mean_damage"])
    by_hit, bare = (distribution(declare(item)).mean(sum) for item in (plain, without))  # type: ignore[arg-type]  # attacks
    assert result < by_hit < bare, "a crit may go in place of a hit"
    assert Fraction(answer(card, "obstacle")["mean_damage"]) > result
    assert answer(card, "ship")["counted"] == ["treacherous"]


@pytest.mark.parametrize("raw", [{"attack": ESCORT, "defense": ESCORT}, {"dice": 3, "agility": 2}])
@pytest.mark.parametrize("what", ["ship", "device"])
def test_what_no_card_reads_is_answered(raw: dict[str, Any], what: str) -> None:
    if "attack" not in raw:
        assert declare({**raw, "obstructed": True})
        return
    with pytest.raises(BadInputError, match="this attack doesn't use it"):
        declare({**raw, "obstructed": what})


def test_an_unknown_word_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(BadInputError, match="obstacle"):
        declare({"attack": ESCORT, "defense": ESCORT, "obstructed": "moon"})


def test_the_form_shows_a_tick_only_where_a_card_in_play_reads_it() -> None:
    plain = fleet(ship("bluesquadronescort"), ship("academypilot", owner=BO))
    assert [obstruction.value for obstruction in controls.obstructions(plain)] == ["obstructed"]
    nym = fleet(ship("bluesquadronescort"), ship("captainnym", owner=BO))
    assert [obstruction.value for obstruction in controls.obstructions(nym)] == ["obstructed", "obstructed by device"]
    treacherous = fleet(ship("bluesquadronescort"), ship("academypilot", "treacherous", owner=BO))
    assert [obstruction.value for obstruction in controls.obstructions(treacherous)] == [
        "obstructed",
        "obstructed by ship",
    ]


def test_a_tick_is_declared() -> None:
    ships = fleet(ship("bluesquadronescort"), ship("captainnym", owner=BO))
    form = {"weapon": "", "defender": "Captain Nym", "range": "1"}
    for ticked, dice, by in (
        ("obstructed", 2, ()),
        ("obstructed by device", 2, (Obstruction.DEVICE,)),
        ("obstructed, obstructed by device", 3, (Obstruction.DEVICE,)),
        ("", 1, ()),
    ):
        raw = controls.attack_words("Blue Squadron Escort", {**form, "circumstances": ticked})
        result = pieces.declare({key: item for key, item in raw.items() if item not in ("", None)}, ships)
        assert isinstance(result, Declared)
        assert defense_pool(result) == dice
        assert result.obstructed_by == by


def test_the_odds_between_ships_take_the_words() -> None:
    ships = fleet(ship("bluesquadronescort"), ship("captainnym", owner=BO))
    told = {"attacker": "Blue Squadron Escort", "defender": "Captain Nym", "range": 1, "supposed": True}
    assert defense_pool(declared(ships, **told, claims="obstructed by device")) == 2
    assert defense_pool(declared(ships, **told, claims="obstructed, obstructed by device")) == 3
    plain = fleet(ship("bluesquadronescort"), replace(ship("academypilot", owner=BO)))
    with pytest.raises(BadInputError, match="this attack doesn't use it"):
        declared(plain, **{**told, "defender": "Academy Pilot"}, claims="obstructed by ship")
