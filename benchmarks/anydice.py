"""How long each expression of ``tests/golden/anydice.json`` takes to be refused, or to be rolled and counted.

``python -m benchmarks.anydice`` prints milliseconds for each, the slowest first; the best of three runs.
"""

import json
import secrets
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

from bot.odds.anydice import luck
from bot.odds.dice_laws import law
from bot.rules.anydice import declare, start
from bot.rules.anydice.notation import parse
from bot.rules.errors import PlayerError

GOLDEN: Final = Path(__file__).parents[1] / "tests" / "golden" / "anydice.json"
RUNS: Final = 3


def milliseconds(work: Callable[[], object]) -> float:
    """The best of some runs, each without what the one before has kept."""
    best = float("inf")
    for _ in range(RUNS):
        parse.cache_clear()
        law.cache_clear()
        before = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - before)
    return best * 1000


def rolled(text: str) -> str:
    """What comes of an expression: the answer to a command, without the luck."""
    try:
        start(declare({"dice": text}), secrets.randbelow)
    except PlayerError:
        return "refused"
    return "rolled"


def counted(text: str) -> None:
    """Its law, and what it takes to say how lucky a roll was."""
    try:
        luck(start(declare({"dice": text}), secrets.randbelow))
    except PlayerError:
        return


def main() -> None:
    cases: list[dict[str, Any]] = json.loads(GOLDEN.read_text(encoding="utf-8"))["cases"]
    rows = []
    for case in cases:
        text = case["dice"]
        kind = next(kind for kind in ("refused", "choices", "uncounted", "understood", "mean") if kind in case)
        answer = milliseconds(partial(rolled, text))
        law_too = milliseconds(partial(counted, text))
        rows.append((law_too, answer, kind, text))
    for law_too, answer, kind, text in sorted(rows, reverse=True):
        print(f"{answer:8.2f} ms to answer {law_too:8.2f} ms with its law  {kind:10} {ascii(text)[:60]}")
    refused = max(answer for _, answer, kind, _ in rows if kind in ("refused", "choices"))
    print(
        f"{len(rows)} expressions; slowest refusal {refused:.2f} ms, slowest roll {max(row[1] for row in rows):.2f} ms"
    )


if __name__ == "__main__":
    main()
