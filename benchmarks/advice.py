"""What advice in an X-Wing window costs, and how lucky a roll was.

Run ``python -m benchmarks.advice`` from the top of the project. Medians on one core in milliseconds, for every aim of
an open window; nothing is kept from one question to the next but the tables of how so many dice fall.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from benchmarks.odds_warsurge import OUR_RUNS, milliseconds
from bot.games import GAMES
from bot.odds import xwing
from bot.odds.xwing.advice import advise, aims
from bot.rules.xwing.attack import attack
from bot.rules.xwing.attack.attack import Attack
from bot.rules.xwing.attack.json_attacks import declare_attack as declare
from bot.rules.xwing.dice.declared import LineUp
from bot.rules.xwing.dice.faces import Face, Pool

Raw = Mapping[str, Mapping[str, object]]

FIVE: Final = {"dice": 5, "focus": 1, "lock": 1, "calculate": 2, "force": 2}
FOUR: Final = {"dice": 4, "focus": 1, "calculate": 1, "evade": 2}
WINDOWS: Final[Mapping[str, tuple[Raw, str]]] = {
    "5 dice, focus calculate force": (
        {"attack": {**FIVE, "lock": 0}, "defense": FOUR},
        "blank blank focus focus hit",
    ),
    "5 dice, lock focus calculate force": ({"attack": FIVE, "defense": FOUR}, "blank blank focus focus hit"),
    "5 dice, lock and tokens, a reroll on each side": (
        {"attack": {**FIVE, "rerolls": [1]}, "defense": {**FOUR, "rerolls": [1]}},
        "blank blank focus focus hit",
    ),
    "6 dice, lock and tokens, rerolls 1 and 2": (
        {"attack": {**FIVE, "dice": 6, "rerolls": [1, 2]}, "defense": {**FOUR, "dice": 6, "rerolls": [1]}},
        "blank blank focus focus hit crit",
    ),
    "defender on 5 attack dice, focus calculate evade": (
        {"attack": {**FIVE, "def_crit_to_hit": 1}, "defense": FOUR},
        "blank blank focus hit crit",
    ),
    "attacker on 4 defense dice": (
        {"attack": {"dice": 5}, "defense": {**FOUR, "att_evade_to_focus": 1}},
        "hit hit hit crit hit blank focus evade blank",
    ),
    "defender on 5 defense dice, focus calculate evade": (
        {"attack": {"dice": 5}, "defense": {**FOUR, "dice": 5}},
        "hit hit hit crit hit blank focus evade blank focus",
    ),
}


def opened(raw: Raw, shown: str) -> Attack:
    """An attack at its first window, the dice having fallen so."""
    faces = iter(shown.split())
    whole = declare({**raw, "hull": 4, "shields": 1})
    dice = [Pool.RED] * whole.attack.dice + [Pool.GREEN] * (whole.defense or LineUp()).dice
    pools = iter(dice)
    return attack.start(whole, lambda _: next(pools).faces.index(Face(next(faces))))


def asked(ask: Callable[[], object]) -> float:
    return milliseconds(ask, OUR_RUNS)


def main() -> None:
    for name, (raw, shown) in WINDOWS.items():
        state = opened(raw, shown)
        costs = ", ".join(f"{aim} {asked(partial(advise, state, aim)):.1f}" for aim in aims(state))
        print(f"{name:52}{costs} ms")
    over = opened({"attack": {"dice": 5}, "defense": {"dice": 4}}, "hit hit hit crit hit blank focus evade blank")
    xwing.attack_damage.cache_clear()
    first = milliseconds(partial(GAMES["xwing"].luck_of, over), 1)
    print(
        f"{'luck of 5 dice against 4':52}first {first:.2f}, again {asked(partial(GAMES['xwing'].luck_of, over)):.3f} ms"
    )


if __name__ == "__main__":
    main()
