"""How lucky a roll was: the numbers that `python -m bot odds` gives, against outcomes counted by the real rules."""

import json
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

import pytest
from hypothesis import given, settings, strategies as st

from bot.__main__ import main
from bot.games import GAMES, Game
from bot.odds.luck import RollLuck
from bot.render.luck import line
from bot.rules.dice import list_typists
from bot.rules.game import Choice, Rules, Side
from bot.rules.text import english
from bot.rules.xwing.dice import loose_dice
from tests.every_way import every_way
from tests.examples import share_of
from tests.starts import chance, every_game, walk

FOCUS_AND_LOCK: Final = {
    "attack": {"dice": 3, "focus": 1, "lock": 1},
    "defense": {"dice": 2, "focus": 1, "evade": 1},
}
BARE: Final = {"attack": {"dice": 2}, "defense": {"dice": 1}}
VERSUS: Final = {"sv_a": 12, "burst_a": 2, "sv_b": 11, "burst_b": 1}


def asked(capsys: pytest.CaptureFixture[str], game: str, raw: Mapping[str, object]) -> dict[str, Any]:
    """What the command line says of a declaration."""
    assert main(["odds", game, json.dumps(raw), "--json"]) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    return told


def finished(game: Rules, raw: Mapping[str, object], seed: int = 1) -> Any:
    """A roll that is over, played with whatever is pressed to close a window."""
    rng = chance(seed)
    state = game.start(game.declare(raw), rng)
    while any(offer.key == "done" for offer in game.offers(state)):
        state = game.choose(state, Choice("done"), rng)
    return state


def of(key: str, raw: Mapping[str, object], seed: int = 1) -> RollLuck:
    luck = GAMES[key].luck_of(finished(GAMES[key].rules, raw, seed))
    assert luck is not None
    return luck


# The same numbers as on the command line


@pytest.mark.parametrize("seed", range(6))
def test_an_xwing_attack_by_its_damage(capsys: pytest.CaptureFixture[str], seed: int) -> None:
    told = asked(capsys, "xwing", FOCUS_AND_LOCK)["joint"]
    damage = finished(GAMES["xwing"].rules, FOCUS_AND_LOCK, seed).damage.total
    totals = {key: sum(map(int, key.split(","))) for key in told}
    luck = of("xwing", FOCUS_AND_LOCK, seed)
    assert luck.better == sum(Fraction(told[key]) for key, total in totals.items() if total > damage)
    assert luck.worse == sum(Fraction(told[key]) for key, total in totals.items() if total < damage)
    assert (luck.rolls, luck.side) == ("attacks", "The attacker's luck")


@pytest.mark.parametrize("seed", range(6))
def test_a_face_to_face_roll_by_winner_and_successes(capsys: pytest.CaptureFixture[str], seed: int) -> None:
    told = asked(capsys, "infinity", VERSUS)
    state = finished(GAMES["infinity"].rules, VERSUS, seed)
    result = GAMES["infinity"].rules.outcome(state)
    mine, theirs = (result[f"{side}_hits"] + result[f"{side}_crits"] for side in "ab")  # type: ignore[operator]  # JSON words
    ways = {0: told["nothing"]}
    for side, sign in (("a", 1), ("b", -1)):
        for key, count in told[f"{side}_hits_crits"].items():
            successes = sign * sum(map(int, key.split("+")))
            ways[successes] = ways.get(successes, 0) + count
    better = sum(count for successes, count in ways.items() if successes > mine - theirs)
    assert of("infinity", VERSUS, seed).better == Fraction(better, told["total"])


def test_a_normal_roll_by_its_successes(capsys: pytest.CaptureFixture[str]) -> None:
    raw = {"sv": 10, "burst": 2}
    told = asked(capsys, "infinity", raw)
    assert told["total"] == 400
    result = {of("infinity", raw, seed).worse for seed in range(30)}
    assert result == {Fraction(0), Fraction(100, 400), Fraction(300, 400)}, (
        "no success, one, two; half of the faces fail"
    )


def test_saving_rolls_by_wounds_and_by_states() -> None:
    raw = {"hits": 2, "ammo": "N", "ps": 7, "arm": 3}
    lucks = {of("infinity", raw, seed) for seed in range(30)}
    assert lucks == {
        RollLuck(Fraction(3, 4), Fraction(0), "saves", "The target's luck"),
        RollLuck(Fraction(1, 4), Fraction(1, 4), "saves", "The target's luck"),
        RollLuck(Fraction(0), Fraction(3, 4), "saves", "The target's luck"),
    }, "each save passes with 1 to 10; fewer Wounds are luckier"
    stunned = {of("infinity", raw | {"ammo": "Stun"}, seed) for seed in range(30)}
    assert stunned == lucks, "no Wounds, yet a failed save is no luck"


@pytest.mark.parametrize("seed", range(4))
def test_a_warsurge_attack_by_its_hp_loss(capsys: pytest.CaptureFixture[str], seed: int) -> None:
    raw = {"method": "chart", "power": 7, "defence": 4, "attack_dice": 3, "save": "5+"}
    told = asked(capsys, "warsurge", raw)["hp_loss"]
    lost = GAMES["warsurge"].rules.outcome(finished(GAMES["warsurge"].rules, raw, seed))["hp_loss"]
    luck = of("warsurge", raw, seed)
    assert luck.better == sum(Fraction(share) for hp, share in told.items() if int(hp) > int(str(lost)))
    assert 1 - luck.better - luck.worse == Fraction(told[str(lost)])


def test_an_albion_roll_by_its_value(capsys: pytest.CaptureFixture[str]) -> None:
    raw = {"target": {"agility": 4, "stealth": 3}, "attacker": {"awareness": 3, "strength": 3}}
    told = asked(capsys, "albion", raw)
    assert albion_worse(raw, told["lowest_hit"]) == Fraction(told["n_miss"], told["of"])
    assert albion_worse(raw, told["lowest_focus"]) == 1 - Fraction(told["p_focus"])


def albion_worse(raw: Mapping[str, object], value: int) -> Fraction:
    """The chance to do worse than a value."""
    game, faces = GAMES["albion"].rules, iter((value // 36, value % 36 // 6, value % 6))
    luck = GAMES["albion"].luck_of(game.start(game.declare(raw), lambda _: next(faces)))
    assert luck is not None
    return luck.worse


# Against the real rules


@pytest.mark.parametrize(
    ("key", "raw"),
    [
        ("xwing", BARE),
        ("infinity", {"sv_a": 12, "sv_b": 11}),
        ("warsurge", {"power": 5, "defence": 4, "attack_dice": 2}),
    ],
)
def test_luck_is_its_own_law(key: str, raw: Mapping[str, object]) -> None:
    """Of all ways in which the dice can fall, as many as it says are as lucky, and the chances lie end to end."""
    game = GAMES[key].rules
    chances = every_way(lambda rng: GAMES[key].luck_of(game.start(game.declare(raw), rng)))
    below = Fraction(0)
    for luck in sorted((item for item in chances if item), key=lambda item: item.worse):
        assert (luck.worse, 1 - luck.better - luck.worse) == (below, chances[luck])
        below += chances[luck]
    assert below == 1


# Where there is nothing to say


@pytest.mark.parametrize(
    ("key", "raw"),
    [
        ("xwing", {**BARE, "red": ["hit", "crit"], "green": ["blank"]}),
        ("xwing", {"attack": {"dice": 2, "all_hits": True}, "defense": {"dice": 0}}),
        ("xwing", {"attack": {"dice": 0}, "defense": {"dice": 2}}),
        ("infinity", {"sv": 12, "burst": 3, "open": True}),
        ("infinity", {"sv_a": 0, "sv_b": 0}),
        ("infinity", {"a": {"sv": 12, "dice": [9]}, "b": {"sv": 11, "dice": [5]}}),
        ("infinity", {"hits": 1, "ammo": "N", "ps": 7, "arm": 3, "dice": [4]}),
        ("warsurge", {"power": 4, "defence": 4, "faces": [[3]]}),
        ("warsurge", {"power": 0, "defence": 4}),
        ("albion", {"target": {"agility": 20, "stealth": 0}, "attacker": {"awareness": 0, "strength": 0}}),
        (
            "albion",
            {"target": {"agility": 4, "stealth": 3}, "attacker": {"awareness": 3, "strength": 3}, "faces": [72, 0, 1]},
        ),
    ],
)
def test_no_luck_by_hand_nor_where_one_outcome_is_possible(key: str, raw: Mapping[str, object]) -> None:
    assert GAMES[key].luck_of(finished(GAMES[key].rules, raw)) is None


def test_no_luck_before_an_attack_is_over_nor_for_loose_dice() -> None:
    xwing = GAMES["xwing"].rules
    opened = xwing.start(xwing.declare(FOCUS_AND_LOCK), lambda _: 7)  # all blank
    assert xwing.offers(opened)
    assert GAMES["xwing"].luck_of(opened) is None
    assert GAMES["xwing"].luck_of(xwing.start(loose_dice.LooseDice(red=2, green=1), chance(0))) is None


def test_an_attack_too_large_to_count_has_no_luck() -> None:
    attack = {
        "dice": 6,
        "lock": 1,
        "calculate": 2,
        "force": 2,
        "rerolls": [*range(1, 9)],
        "add_focus": 4,
        "add_blank": 4,
    }
    assert GAMES["xwing"].luck_of(finished(GAMES["xwing"].rules, {"attack": attack, "defense": {}})) is None


@every_game
@settings(max_examples=share_of(40), deadline=None)
@given(data=st.data())
def test_whatever_is_rolled_the_chances_are_chances(game: Game, data: st.DataObject) -> None:
    for state in walk(data, game, 5):
        luck = game.luck_of(state)
        if luck is not None:
            assert 0 <= luck.worse <= 1 - luck.better <= 1
            assert len(english(line(luck))) < 80


@pytest.mark.slow
@every_game
@settings(max_examples=share_of(40), deadline=None)
@given(data=st.data())
def test_luck_from_memory_is_the_same(game: Game, data: st.DataObject) -> None:
    for state in walk(data, game, 5):
        luck = game.chances.luck
        if luck is not None and not list_typists(game.rules.rolled(state)):
            assert game.luck_of(state) == game.luck_of(state) == luck(state)


def test_the_luck_of_equal_attacks_is_counted_once() -> None:
    game = replace(GAMES["xwing"])
    first, second = (finished(game.rules, FOCUS_AND_LOCK, 1) for _ in range(2))
    assert not game.has_cached_luck(first)
    luck = game.luck_of(first)
    assert game.has_cached_luck(second)
    assert game.luck_of(second) is luck


# In words


@pytest.mark.parametrize(
    ("better", "worse", "said"),
    [
        ((4, 100), (90, 100), "The attacker's luck: better than 90% of attacks like this"),
        ((61, 100), (12, 100), "The attacker's luck: worse than 61% of attacks like this"),
        ((12, 100), (61, 100), "The attacker's luck: better than 61% of attacks like this"),
        ((60, 100), (12, 100), "The attacker's luck: about average"),
        ((12, 100), (60, 100), "The attacker's luck: about average"),
        ((40, 100), (40, 100), "The attacker's luck: about average"),
        ((15, 100), (20, 100), "The attacker's luck: about average"),
        ((199, 200), (1, 1000), "The attacker's luck: worse than nearly all attacks like this"),
        ((1, 1000), (199, 200), "The attacker's luck: better than nearly all attacks like this"),
        ((0, 1), (99, 100), "The attacker's luck: best possible (1%)"),
        ((9, 10), (0, 1), "The attacker's luck: worst possible (10%)"),
        ((1, 1000), (0, 1), "The attacker's luck: a common result (99.9% of attacks like this)"),
    ],
)
def test_the_line(better: tuple[int, int], worse: tuple[int, int], said: str) -> None:
    assert line(RollLuck(Fraction(*better), Fraction(*worse), "attacks", "The attacker's luck")) == said
    named = RollLuck(Fraction(*better), Fraction(*worse), "attacks", "The attacker's luck", Side.ATTACKER)
    assert line(named, {Side.ATTACKER: "Ana"}) == said.replace("The attacker's luck", "Ana's luck")
    assert line(named, {Side.DEFENDER: "Bo"}) == said
