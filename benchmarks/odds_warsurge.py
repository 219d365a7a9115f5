"""What the exact law of a WARSURGE attack costs, beside icepool on the same question in the same run.

Run ``python -m benchmarks.odds_warsurge`` from the top of the project. Medians on one core; ours is the whole answer
in JSON words, icepool's the law alone.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial, reduce
from operator import and_
from statistics import median
from time import perf_counter
from typing import Any, Final

import icepool

from bot.odds.warsurge import hp_loss, odds
from bot.rules.warsurge.declared import Declared, declare
from bot.rules.warsurge.methods import Method

QUESTIONS: Final[Mapping[str, Mapping[str, object]]] = {
    "100 dice, 4+, save 5+": {"power": 4, "defence": 4, "attack_dice": 100, "save": "5+"},
    "100 dice, 6/6/3, save 5+": {"method": "chart", "power": 1, "defence": 10, "attack_dice": 100, "save": "5+"},
    "100 dice, Ax8, 800 saves 5+": {"method": "chart", "power": 20, "defence": 0, "attack_dice": 100, "save": "5+"},
}
OUR_RUNS, THEIR_RUNS = 31, 5


def by_icepool(declared: Declared) -> Any:
    """The law of the HP loss as icepool's own words put it: so many of a die that is 1 where one HP is lost."""
    need, d6 = declared.line.need, icepool.d6
    unsaved = d6 < (declared.save or 7)
    succeeds = [d6 >= step for step in need.steps]
    lost = reduce(and_, [*succeeds, unsaved])
    on_chart = declared.method is Method.CHART
    return declared.attack_dice * (need.multiplier if on_chart else 1) @ lost


def milliseconds(work: Callable[[], object], runs: int) -> float:
    """The median of so many runs."""
    times = []
    for _ in range(runs):
        begun = perf_counter()
        work()
        times.append(1000 * (perf_counter() - begun))
    return median(times)


def agree(declared: Declared) -> bool:
    """Both give the same exact chances."""
    losses, other = hp_loss(declared), by_icepool(declared)
    return all(Fraction(weight, losses.total) == other.probability(hp) for hp, weight in losses.weights.items())


def main() -> None:
    for question, raw in QUESTIONS.items():
        declared = declare(raw)
        assert isinstance(declared, Declared)
        assert agree(declared)
        ours = milliseconds(partial(odds, declared), OUR_RUNS)
        theirs = milliseconds(partial(by_icepool, declared), THEIR_RUNS)
        print(f"{'warsurge ' + question:38}{ours:8.3f} ms   icepool {theirs:9.3f} ms")


if __name__ == "__main__":
    main()
