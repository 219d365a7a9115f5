"""What is paid in an attack is gone in it: cards that compete for a price, take a token, or cost more for more dice."""

from fractions import Fraction
from typing import Any

import pytest

from bot.odds.xwing import distribution, odds
from bot.odds.xwing.advice import advise
from bot.rules.text import english
from bot.rules.xwing.attack.json_attacks import declare
from tests.rules.xwing.fleet import Fight, fleet
from tests.rules.xwing.test_card_fights import BO, labels, press, ship

ESCORT = "bluesquadronescort"


def mean(attack: dict[str, Any], defense: dict[str, Any], **more: object) -> Fraction:
    return distribution(declare({"attack": attack, "defense": defense, "range": 2, **more})).mean(sum)  # type: ignore[arg-type]  # an attack


def test_a_card_with_two_ways_is_used_once() -> None:
    """Luminara Unduli turns one crit to a hit, or one hit to a focus result: by hand 25/64 of two dice."""
    luminara = {"pilot": "luminaraunduli", "force": 2}
    defense = {"pilot": "academypilot", "dice": 0, "friends": [luminara], "claims": ["luminaraunduli"]}
    assert mean({"dice": 2}, defense) == Fraction(25, 64)


def test_what_the_defender_pays_on_red_dice_it_has_no_more_on_green_ones() -> None:
    """Luminara, attacked herself: with one force charge she turns a hit, or the focus result of her own die."""
    own = {"pilot": "luminaraunduli", "dice": 1, "force": 1, "claims": ["luminaraunduli"]}
    # One hit of two becomes a focus result for the charge; the green die then has none for its own focus result.
    assert mean({"dice": 1}, own) == Fraction(1, 8) * Fraction(3, 8)
    bare, charged = Fraction(5, 8), Fraction(3, 8)  # what one green die lets through without the charge, and with it
    assert mean({"dice": 2}, own) == Fraction(15, 64) * bare + Fraction(1, 8) * charged + Fraction(1, 64) * (
        1 + charged
    )


@pytest.mark.parametrize(("tokens", "expected"), [({}, Fraction(937, 512)), ({"focus": 1}, Fraction(3, 2))])
def test_a_result_that_is_spent_is_paid_with_a_die(tokens: dict[str, int], expected: Fraction) -> None:
    """T-SJ1A: one crit becomes two hits while the defender has no green token: 1.5 and one more in 169 of 512 ways."""
    shooter = {"pilot": ESCORT, "upgrades": ["tsj1atargetingcomputer-legendsandrelics"]}
    assert mean(shooter, {"dice": 0, **tokens}) == expected


def test_a_token_taken_in_the_red_window_counts_no_more_at_the_green_roll() -> None:
    """Geonosian Prototype: whenever it rerolls, the defender rolls three dice."""
    shooter = {"pilot": "geonosianprototype", "upgrades": ["ioncannon"], "weapon": "ioncannon"}
    result = mean(shooter, {"dice": 3, "focus": 1, "tractor": 1})
    hits = [Fraction(item, 8) for item in (1, 3, 3, 1)]  # of three dice
    most = {
        agility: [mean({"dice": n, "all_hits": 1}, {"dice": agility, "focus": 1}) for n in range(4)]
        for agility in (2, 3)
    }
    rerolled = {0: (1, 2, 1), 1: (1, 2, 1), 2: (1, 1)}
    after = [
        sum(Fraction(ways, sum(row)) * most[3][lie + more] for more, ways in enumerate(row))
        for lie, row in rerolled.items()
    ]
    assert result == sum(hits[lie] * value for lie, value in enumerate(after)) + hits[3] * most[2][3]
    assert round(float(result), 4) == 0.6934
    target = ship("academypilot", owner=BO, tokens={"tractor": 1})
    ships = fleet(ship("geonosianprototype", "ioncannon"), target)
    told = {"attacker": "Geonosian Prototype", "defender": target.name, "range": 2, "weapon": "Ion Cannon"}
    fight = Fight(ships, "hit blank blank", **told)
    press(fight, "Geonosian Prototype", "1", "2", falls="hit hit blank blank blank")
    assert len(fight.state.green) == 3
    assert fight.ships[target.name].has("tractor") == 0


def test_who_takes_one_of_several_kinds_says_which() -> None:
    """Gar Saxon's gunner; a strain token that he takes costs the defender no die."""
    target = ship("academypilot", owner=BO, tokens={"tractor": 1, "stress": 1, "strain": 1})
    ships = fleet(ship(ESCORT, "garsaxon-gunner"), target)
    fight = Fight(ships, "", attacker="Blue Squadron Escort", defender=target.name, range=2)
    ways = [label for label in labels(fight) if label.startswith("Gar Saxon")]
    kinds = ["tractor", "stress", "strain"]
    assert [kind for kind in kinds if any(f"1 {kind} token of the other" in way for way in ways)] == kinds
    gunner = {"pilot": ESCORT, "upgrades": ["garsaxon-gunner"], "claims": ["garsaxon-gunner"]}
    stressed, strained = ({"dice": 3, kind: 1} for kind in ("stress", "strain"))
    assert mean(gunner, stressed) == mean({"dice": 4}, {"dice": 3})
    # The strain token takes a die, unless he takes it: then there are four dice against three.
    assert mean(gunner, strained) == max(mean({"dice": 4}, {"dice": 3}), mean({"dice": 3}, {"dice": 2}))
    assert mean(gunner, {"dice": 3, "stress": 1, "strain": 1}) == mean({"dice": 4}, {"dice": 2})


def test_a_cost_for_each_die_grows_with_them() -> None:
    """Barrage Rockets: three dice cost three charges; two of four left reroll two."""
    shooter = ship("gammasquadronace", "barragerockets", tokens={"focus": 1})
    ships = fleet(shooter, ship(ESCORT, owner=BO))
    told = {"attacker": shooter.name, "defender": "Blue Squadron Escort", "range": 2, "weapon": "Barrage Rockets"}
    fight = Fight(ships, "blank blank blank", **told)
    (best, *_) = advise(fight.state)
    assert "reroll dice 1, 2, and 3" in english(best.label)
    press(fight, "Barrage Rockets: reroll", "0", "1", "2", falls="hit hit hit blank blank")
    assert fight.ships[shooter.name].upgrade_charges == (1,), "five, one for the attack, three for the dice"
    for left, dice in ((5, 3), (3, 2), (2, 1), (1, 0)):
        card = {"pilot": "gammasquadronace", "upgrades": ["barragerockets"], "weapon": "barragerockets", "focus": 1}
        card |= {"claims": ["barragerockets"], "charges": {"barragerockets": left}}
        words = f"reroll {dice}" if dice else ""
        plain = {"dice": 3, "focus": 1, "words": words}
        assert mean(card, {"dice": 2}) == mean(plain, {"dice": 2}, ordnance=True)


@pytest.mark.parametrize(
    ("attack", "defense", "range_", "red"),
    [
        ({"pilot": ESCORT}, {"pilot": "klick", "claims": ["klick"], "lock": 1}, 1, 3),
        ({"pilot": ESCORT}, {"pilot": "adigallia", "force": 2}, 1, 3),
        (
            {
                "pilot": ESCORT,
                "upgrades": ["saturationrockets-missile"],
                "weapon": "saturationrockets-missile",
                "claims": ["saturationrockets-missile"],
            },
            {"dice": 1},
            2,
            4,
        ),
    ],
)
def test_the_dice_of_an_answer_are_those_of_its_law(
    attack: dict[str, Any], defense: dict[str, Any], range_: int, red: int
) -> None:
    result = odds(declare({"attack": attack, "defense": defense, "range": range_}))
    assert result["dice"] == {"red": red, "green": result["dice"]["green"]}  # type: ignore[index]  # dice by pool


def test_an_instead_is_one_choice_of_either_side_before_the_dice() -> None:
    """Multi-Missile Pods add one die in the front arc, or two in the bullseye, and never three."""
    pods = {"pilot": ESCORT, "upgrades": ["multimissilepods"], "weapon": "multimissilepods", "calculate": 1}
    both = mean({**pods, "claims": ["multimissilepods", "multimissilepods#2"]}, {"dice": 1})
    bullseye = mean({**pods, "claims": ["multimissilepods#2"]}, {"dice": 1})
    assert both == bullseye
    last = mean({**pods, "claims": ["multimissilepods#2"], "charges": {"multimissilepods": 2}}, {"dice": 1})
    front = mean({**pods, "claims": ["multimissilepods"]}, {"dice": 1})
    assert last == front, "one charge is left for one die"
