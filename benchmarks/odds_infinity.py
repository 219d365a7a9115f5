"""What the exact laws of Infinity cost, beside icepool on the same question in the same run.

Run ``python -m benchmarks.odds_infinity`` from the top of the project. Medians on one core; ours is the whole answer in
JSON words, declaration and all, icepool's the law alone.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any, Final

import icepool

from bot.odds.infinity.json_odds import odds
from bot.odds.infinity.rolls import outcomes, scores, winners
from bot.rules.infinity import declare
from bot.rules.infinity.dice.resolve import score
from bot.rules.infinity.troopers.declared import CRITICAL, Order, TrooperRoll

Case = Mapping[str, object]

FACE_TO_FACE: Final[Mapping[str, Case]] = {
    "15 Burst 5 v 13 Burst 2": {"sv_a": 15, "burst_a": 5, "sv_b": 13, "burst_b": 2},
    "24 Burst 6 +1 SD v 25 Burst 6": {"sv_a": 24, "burst_a": 6, "special_dice_a": 1, "sv_b": 25, "burst_b": 6},
}
SHARED: Final[Mapping[str, Case]] = {
    "one Dodge v three attackers, Burst 3": {
        "a": {"sv": 12, "kind": "dodge"},
        "enemies": [{"sv": 13, "burst": 3}, {"sv": 11, "burst": 3}, {"sv": 12, "burst": 3}],
    },
}
OURS_ALONE: Final[Mapping[str, Case]] = {
    "Wounds, 18 Burst 5 v 14 Burst 2, EXP": {
        "a": {"sv": 18, "burst": 5, "ammo": "EXP", "ps": 7, "arm": 3},
        "b": {"sv": 14, "burst": 2, "ammo": "EXP", "ps": 7, "arm": 3},
    },
    "one Dodge v six attackers, Burst 6": {
        "a": {"sv": 12, "kind": "dodge"},
        "enemies": [{"sv": 13, "burst": 6}] * 6,
    },
    "an order of three troopers, with saves": {
        "order": "Angus 12 b3 AP+EXP PS 5 ARM 3 W 2 vs Ortega 11 N PS 7 ARM 1 W 1;"
        "Murat 13 b4 DA PS 6 ARM 2 vs Ana; Bo 12 b5 AP+EXP PS 5 vs Ana; Ana 10 dodge ARM 1 W 1"
    },
}
OUR_RUNS, THEIR_RUNS = 201, 7


def die(roll: TrooperRoll) -> Any:
    """One die of a roll, worth its score."""
    return icepool.Die([score(face, roll.sv, "n5") for face in range(1, 21)])


def pool(roll: TrooperRoll) -> Any:
    """The dice of a roll, the lowest dropped for each special die."""
    return die(roll).pool(roll.burst + roll.special).highest(roll.burst)


class Compared(icepool.MultisetEvaluator):  # type: ignore[misc]  # icepool is an optional extra to mypy
    """Face to Face in icepool's words: from the lowest score up, each success cancels what the other side had."""

    def next_state(self, state: Any, order: Any, height: int, a: int, b: int) -> Any:
        if order < 0:
            raise icepool.UnsupportedOrder
        who, hits, crits = state or ("nobody", 0, 0)
        if not height or not (a or b):
            return who, hits, crits
        if a and b:
            return "nobody", 0, 0
        winner = "a" if a else "b"
        kept = hits if who == winner else 0
        return (winner, kept, a + b) if height == CRITICAL else (winner, kept + a + b, crits)


def versus_by_icepool(a: TrooperRoll, b: TrooperRoll) -> Any:
    return Compared().evaluate(pool(a), pool(b))


def shared_by_icepool(shared: TrooperRoll, enemies: list[TrooperRoll]) -> Any:
    """Who wins each comparison, from the best score of each roll."""

    def who(*bests: int) -> tuple[str, ...]:
        return tuple("a" if bests[0] > best else "b" if best > bests[0] else "nobody" for best in bests[1:])

    return icepool.map(who, *(pool(roll).highest(1).sum() for roll in (shared, *enemies)))


def milliseconds(work: Callable[[], object], runs: int) -> float:
    """The median of so many runs."""
    times = []
    for _ in range(runs):
        begun = perf_counter()
        work()
        times.append(1000 * (perf_counter() - begun))
    return median(times)


def order(case: Case) -> Order:
    declared = declare(case)
    assert isinstance(declared, Order)
    return declared


def rolls(case: Case) -> list[TrooperRoll]:
    return list(order(case).rolls)


def answer(case: Case) -> object:
    return odds(declare(case))


def main() -> None:
    for question, case in FACE_TO_FACE.items():
        a, b = rolls(case)
        distribution, other = outcomes(scores(a), scores(b)), versus_by_icepool(a, b)
        assert all(
            Fraction(ways, distribution.total) == other.probability(item) for item, ways in distribution.weights.items()
        )
        report(question, case, partial(versus_by_icepool, a, b))
    for question, case in SHARED.items():
        shared, *enemies = rolls(case)
        joint, other = winners(order(case), 0), shared_by_icepool(shared, enemies)
        assert all(Fraction(ways, joint.total) == other.probability(item) for item, ways in joint.weights.items())
        report(question, case, partial(shared_by_icepool, shared, enemies))
    for question, case in OURS_ALONE.items():
        report(question, case, None)


def report(question: str, case: Case, theirs: Callable[[], object] | None) -> None:
    ours = milliseconds(partial(answer, case), OUR_RUNS)
    beside = "" if theirs is None else f"  icepool {milliseconds(theirs, THEIR_RUNS):9.3f} ms"
    print(f"{question:40} {ours:9.3f} ms{beside}")


if __name__ == "__main__":
    main()
