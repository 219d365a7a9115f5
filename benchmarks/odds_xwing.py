"""What the exact odds of X-Wing attacks cost, beside icepool on the same question in the same run.

Run ``python -m benchmarks.odds_xwing`` from the top of the project. Medians on one core; ours is the whole answer in
JSON words, icepool's the law alone. Nothing is kept from one question to the next but the tables of how so many dice
fall. Both must agree exactly.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any, Final

import icepool

from benchmarks.odds_warsurge import OUR_RUNS, THEIR_RUNS, milliseconds
from bot.odds.xwing import distribution, odds
from bot.rules.errors import BadInputError
from bot.rules.xwing.attack.json_attacks import declare_attack as declare
from bot.rules.xwing.dice.declared import Declared, LineUp

SIX: Final = {"dice": 6, "lock": 1, "calculate": 2, "force": 2}
BOTH: Final[Mapping[str, Mapping[str, object]]] = {
    "3 focus v 3 focus": {"attack": {"dice": 3, "focus": 1}, "defense": {"dice": 3, "focus": 1}},
    "5 focus lock v 4 focus evade": {
        "attack": {"dice": 5, "focus": 1, "lock": 1},
        "defense": {"dice": 4, "focus": 1, "evade": 1},
    },
    "6 lock 2 calculate 2 force v 6 focus calculate evade": {
        "attack": SIX,
        "defense": {"dice": 6, "focus": 1, "calculate": 1, "evade": 1},
    },
    "six of 3 focus lock v 3 focus 2 evade": {
        "attack": {"dice": 3, "focus": 1, "lock": 1},
        "defense": {"dice": 3, "focus": 1, "evade": 2},
        "attacks": 6,
    },
}
OURS_ALONE: Final[Mapping[str, Mapping[str, object]]] = {
    "rerolls 1, 2 and 3 on both sides": {
        "attack": {**SIX, "rerolls": [1, 2, 3]},
        "defense": {"dice": 6, "calculate": 2, "evade": 2, "rerolls": [1, 2, 3]},
    },
    "six of 4 focus lock v 3 focus calculate evade, hull": {
        "attack": {"dice": 4, "focus": 1, "lock": 1},
        "defense": {"dice": 3, "focus": 1, "calculate": 1, "evade": 1},
        "attacks": 6,
        "hull": 8,
        "shields": 4,
    },
    "six of 6 lock calculate v 6, two tokens of three kinds": {
        "attack": {"dice": 6, "lock": 1, "calculate": 1},
        "defense": {"dice": 6, "focus": 2, "calculate": 2, "evade": 2},
        "attacks": 6,
    },
    "ten of the same": {
        "attack": {"dice": 6, "lock": 1, "calculate": 1},
        "defense": {"dice": 6, "focus": 2, "calculate": 2, "evade": 2},
        "attacks": 10,
    },
    "14 dice, eight rerolls": {"attack": {**SIX, "rerolls": [*range(1, 9)], "add_focus": 4, "add_blank": 4}},
}

Counts = tuple[int, ...]

FACES: Final[Mapping[str, Mapping[Counts, int]]] = {
    "red": {(1, 0, 0, 0): 3, (0, 1, 0, 0): 1, (0, 0, 1, 0): 2, (0, 0, 0, 1): 2},
    "green": {(1, 0, 0): 3, (0, 1, 0): 2, (0, 0, 1): 3},
}
RED, GREEN = (
    icepool.Die({icepool.Vector(counts): faces for counts, faces in FACES[pool].items()}) for pool in ("red", "green")
)
RED_AGAIN: Final = RED.map(lambda face: RED if face[3] else face, star=False)
"""With a focus token the lock rerolls blanks and nothing else, so it can be asked die by die."""


def by_icepool(declared: Declared) -> Any:
    """The law of (hits, crits): one map for the lock, one for both sides' tokens for each attack."""
    attack, defense = declared.attack, declared.defense or LineUp()
    red, green = attack.dice @ (RED_AGAIN if attack.lock and attack.focus else RED), defense.dice @ GREEN
    if attack.lock and not attack.focus:
        red = red.map(partial(rerolled, attack), star=False)
    state = icepool.Die([(0, 0, defense.focus, defense.calculate, defense.evade)])
    for _ in range(declared.attacks):
        state = icepool.map(partial(met, attack), state, red, green, star=False)
    return state.map(lambda after: after[:2], star=False)


def rerolled(attack: LineUp, dice: Counts) -> Any:
    """The lock used as pays best: every number of blanks and focus results tried."""
    hits, crits, focus, blanks = dice
    options = (
        (some + others) @ RED + icepool.Vector((hits, crits, focus - some, blanks - others))
        for others, some in product(range(blanks, -1, -1), range(focus + 1))
    )
    return max(options, key=lambda law: law.map(lambda counts: sum(final(attack, counts)), star=False).mean())


def final(attack: LineUp, dice: Counts) -> tuple[int, int]:
    """Hits and crits after tokens."""
    hits, crits, focus, _ = dice
    return hits + (focus if attack.focus else min(focus, attack.calculate + attack.force)), crits


def met(attack: LineUp, state: Counts, red: Counts, green: Counts) -> Counts:
    """The state after one attack: hits and crits so far, and the defender's focus, calculate and evade tokens."""
    hits, crits = final(attack, red)
    evades, eyes, blanks = green
    all_hits, all_crits, focus, calculate, evade = state
    need = max(0, hits + crits - evades)
    wanted = min(need, eyes)
    if focus and wanted > (calculate > 0):
        focus, eyes, need = focus - 1, 0, need - wanted
    else:
        turned = min(wanted, calculate)
        calculate, eyes, need = calculate - turned, eyes - turned, need - turned
    turned = min(need, evade, eyes + blanks)
    evade, need = evade - turned, need - turned
    through = min(crits, need)
    return all_hits + need - through, all_crits + through, focus, calculate, evade


def agree(declared: Declared) -> bool:
    """Both give the same exact chances."""
    result, other = distribution(declared), by_icepool(declared)
    return {results: Fraction(weight, result.total) for results, weight in result.weights.items()} == {
        results: other.probability(results) for results in other
    }


def ours(declared: Declared) -> str:
    try:
        odds(declared)
    except BadInputError as refused:
        return f"refused in {milliseconds(partial(refuses, declared), OUR_RUNS):8.3f} ms: {refused}"
    return f"{milliseconds(partial(odds, declared), OUR_RUNS):8.3f} ms"


def refuses(declared: Declared) -> bool:
    try:
        odds(declared)
    except BadInputError:
        return True
    return False


def main() -> None:
    for question, raw in BOTH.items():
        declared = declare(raw)
        assert agree(declared)
        theirs = milliseconds(partial(by_icepool, declared), THEIR_RUNS)
        print(f"{'xwing ' + question:60}{ours(declared)}   icepool {theirs:9.3f} ms")
    for question, raw in OURS_ALONE.items():
        print(f"{'xwing ' + question:60}{ours(declare(raw))}")


if __name__ == "__main__":
    main()
