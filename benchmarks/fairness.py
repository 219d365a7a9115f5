"""What the statistics of the fairness page find, and what they do not, on simulated dice.

Run ``python -m benchmarks.fairness`` from the top of the project; it takes about a minute. The seeds are fixed.
"""

import random
from collections.abc import Sequence
from itertools import accumulate
from math import log, sqrt
from statistics import median, quantiles
from time import process_time
from typing import Final

from bot.fair.statistics import ALARM, Evidence, chi_square, found_after
from bot.odds.distribution import Distribution
from bot.odds.luck import match_luck

RUNS: Final = 1_000
DRAWS: Final = 3_000
LOOK: Final = 50
"""Somebody looks at the page after every so many draws."""
LOADED: Final = ((6, 0.187 - 1 / 6), (8, 0.02), (20, 0.02))
LOADED_RUNS: Final = 101


def main() -> None:
    print_fair(6)
    print_fair(20)
    for sides, excess in LOADED:
        print_loaded(sides, excess)
    needed = ", ".join(f"{found_after(sides, 0.01):,.0f} draws (d{sides})" for sides in (6, 8, 20))
    print(f"a side 1 percentage point too often is found after about {needed}")
    print_match_luck()


def print_fair(sides: int) -> None:
    """How often fair dice are suspected, by the e-value and by a p-value that is looked at again and again."""
    rng = random.Random(sides)
    alarms = looks = 0
    for _ in range(RUNS):
        evidence, suspected = Evidence({"die": [0] * sides}), False
        for draw in range(1, DRAWS + 1):
            evidence.add("die", rng.randrange(sides))
            if draw % LOOK == 0 and not suspected:
                result = chi_square(evidence.counts["die"])
                suspected = result is not None and result.p < 0.05
        alarms += evidence.log_highest >= log(ALARM)
        looks += suspected
    noise = sqrt(0.05 * 0.95 / RUNS)
    print(f"fair d{sides}, {RUNS} runs of {DRAWS} draws")
    print(f"  the e-value reaches {ALARM}: {alarms / RUNS:.1%} of runs (at most 5 %; standard error {noise:.1%})")
    print(f"  p < 0.05 at one of {DRAWS // LOOK} looks: {looks / RUNS:.0%} of runs")


def print_loaded(sides: int, excess: float) -> None:
    """After how many draws a loaded die is found."""
    rng = random.Random(sides)
    chance = 1 / sides + excess
    bounds = list(accumulate([chance] + [(1 - chance) / (sides - 1)] * (sides - 1)))
    result = sorted(draws_until_found(rng, bounds) for _ in range(LOADED_RUNS))
    low, _, high = quantiles(result, n=4)
    print(f"d{sides} with one side at {chance:.1%}, {LOADED_RUNS} runs")
    print(f"  found after {median(result):,.0f} draws in the median; half of the runs {low:,.0f} to {high:,.0f}")
    print(f"  found_after says {found_after(sides, excess):,.0f}")


def draws_until_found(rng: random.Random, bounds: Sequence[float]) -> int:
    evidence, sides = Evidence({"die": [0] * len(bounds)}), range(len(bounds))
    while evidence.log_highest < log(ALARM):
        evidence.add("die", rng.choices(sides, cum_weights=bounds)[0])
    return sum(evidence.counts["die"])


def print_match_luck() -> None:
    """How long the exact luck of a long match takes."""
    rng = random.Random(1)
    for name, rolls, most, bits in (
        ("X-Wing evening", 60, 6, 24),
        ("longest X-Wing table", 200, 6, 24),
        ("WARSURGE battle of 20 dice a roll", 60, 20, 104),
    ):
        match = []
        for _ in range(rolls):
            weights = {value: rng.getrandbits(bits) + 1 for value in range(most + 1)}
            match.append((Distribution(weights, sum(weights.values())), rng.randint(0, most)))
        begun = process_time()
        match_luck(match)
        print(f"luck of a match, {name}, {rolls} rolls: {1000 * (process_time() - begun):,.0f} ms of CPU")


if __name__ == "__main__":
    main()
