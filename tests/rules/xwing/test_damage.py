"""Steps 6 and 7: what is canceled by what, and where the rest goes."""

import pytest

from bot.rules.dice import Rolled, enter_physical_dice
from bot.rules.xwing.attack.steps import DamageDealt, deal, neutralize
from tests.rules.xwing.play import begin, faces, press


def dice(kind: str, shown: str) -> tuple[Rolled, ...]:
    return enter_physical_dice(kind, shown.split(), "attacker")


@pytest.mark.parametrize(
    ("red", "green", "reinforce", "left"),
    [
        ("hit hit crit", "", 0, "hit hit crit"),
        ("hit hit crit", "evade", 0, "(hit) hit crit"),
        ("crit hit hit", "evade evade", 0, "crit (hit) (hit)"),
        ("crit hit crit", "evade evade", 0, "(crit) (hit) crit"),
        ("hit focus blank", "evade evade", 0, "(hit) focus blank"),
        ("hit crit", "focus blank", 0, "hit crit"),
        # reinforce: while more than one would be left, never for the last one
        ("hit", "", 1, "hit"),
        ("crit", "", 2, "crit"),
        ("hit hit", "", 1, "(hit) hit"),
        ("hit crit", "", 1, "(hit) crit"),
        ("crit crit", "", 1, "(crit) crit"),
        ("hit hit hit", "", 1, "(hit) hit hit"),
        ("hit hit hit", "", 2, "(hit) (hit) hit"),
        ("hit hit hit", "", 5, "(hit) (hit) hit"),
        ("hit hit hit", "evade", 1, "(hit) (hit) hit"),
        ("hit hit hit", "evade evade", 1, "(hit) (hit) hit"),
        ("hit hit", "evade evade", 1, "(hit) (hit)"),
        ("hit hit crit crit", "evade", 2, "(hit) (hit) (crit) crit"),
    ],
)
def test_neutralize(red: str, green: str, reinforce: int, left: str) -> None:
    after, _ = neutralize(dice("red", red), dice("green", green), reinforce)
    assert faces(after) == left


def test_a_reinforce_token_adds_an_evade_only_where_it_helps() -> None:
    red, green = neutralize(dice("red", "hit hit"), dice("green", "blank"), 2)
    assert faces(green) == "blank evade"
    assert (green[1].trail[0].how, green[1].trail[0].by) == ("added", "reinforce")
    assert red[0].trail[-1].by == "reinforce"


def test_dice_that_count_no_more_cancel_nothing_and_need_no_canceling() -> None:
    red = (enter_physical_dice("red", ["hit"], "attacker")[0].after_step("spent", "card"), *dice("red", "hit crit"))
    green = (
        enter_physical_dice("green", ["evade"], "attacker")[0].after_step("cancelled", "card"),
        *dice("green", "evade"),
    )
    after, _ = neutralize(red, green, 0)
    assert faces(after) == "(hit) (hit) crit"
    assert [die.trail[-1].how for die in after] == ["spent", "cancelled", "entered"]


def test_the_reinforce_token_stays() -> None:
    state = begin(2, 0, "hit hit", "", "reinforce")
    assert faces(state.red) == "(hit) hit"
    assert state.defense.reinforce == 1


@pytest.mark.parametrize(
    ("red", "hull", "shields", "dealt"),
    [
        ("", 3, 2, DamageDealt(destroyed=False)),
        ("blank focus", 3, 2, DamageDealt(destroyed=False)),
        ("hit", 3, 2, DamageDealt(hits=1, shields_lost=1, destroyed=False)),
        ("crit", 3, 2, DamageDealt(crits=1, shields_lost=1, destroyed=False)),
        ("crit hit", 3, 1, DamageDealt(hits=1, crits=1, shields_lost=1, faceup=1, destroyed=False)),
        ("hit hit crit", 3, 2, DamageDealt(hits=2, crits=1, shields_lost=2, faceup=1, destroyed=False)),
        ("hit crit crit", 3, 2, DamageDealt(hits=1, crits=2, shields_lost=2, faceup=1, destroyed=False)),
        ("hit hit hit crit", 3, 1, DamageDealt(hits=3, crits=1, shields_lost=1, facedown=2, faceup=1, destroyed=True)),
        ("hit crit", 2, 0, DamageDealt(hits=1, crits=1, facedown=1, faceup=1, destroyed=True)),
        ("hit hit hit", 2, 0, DamageDealt(hits=3, facedown=3, destroyed=True)),
        ("hit hit", 3, 0, DamageDealt(hits=2, facedown=2, destroyed=False)),
        ("hit", None, 0, DamageDealt(hits=1, facedown=1)),
    ],
)
def test_damage(red: str, hull: int | None, shields: int, dealt: DamageDealt) -> None:
    assert deal(dice("red", red), hull, shields) == dealt


def test_a_whole_attack_on_a_ship() -> None:
    state = begin(4, 2, "hit hit crit focus", "focus", "hull 3, shields 1")
    state = press(state, "focus", "evade blank")
    assert state.damage == DamageDealt(hits=2, crits=1, shields_lost=1, facedown=1, faceup=1, destroyed=False)
    assert state.damage.total == 3
