"""How long a picture of dice takes. Run ``python -m benchmarks.paint`` from the top of the project.

Medians on one core: six dice and twelve in two strips, with the sprites kept but the strips new, or only the
picture; the same picture again, which is only looked up; and the first picture of a fresh process, in which every
sprite has still to be drawn.
"""

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from statistics import median
from time import perf_counter

from bot.render.card import Strip, Tile
from bot.render.paint import kept_band, painted, strips, unlabelled

RED = Strip(
    "Attack dice",
    (
        Tile("red", "hit"),
        Tile("red", "hit", badge="focus"),
        Tile("red", "crit", ghost="blank"),
        Tile("red", "focus", added=True),
        Tile("red", "blank"),
        Tile("red", "hit", fate="cancelled"),
    ),
)
GREEN = Strip(
    "Defense dice",
    (
        Tile("green", "evade"),
        Tile("green", "evade", badge="evade"),
        Tile("green", "focus", ghost="blank"),
        Tile("green", "focus"),
        Tile("green", "blank"),
        Tile("green", "evade", fate="cancelled"),
    ),
)
FRESH = """
from time import perf_counter
began = perf_counter()
from benchmarks.paint import RED, strips
loaded = perf_counter()
strips((RED,))
print(perf_counter() - loaded, loaded - began)
"""


def main() -> None:
    for name, pictured in (("six dice", (RED,)), ("twelve dice, two strips", (RED, GREEN))):
        size = len(strips(pictured))
        print(f"{name + ', new strips':36}{timed(partial(new_strips, pictured)):8.3f} ms  {size} bytes")
        print(f"{name + ', new picture':36}{timed(partial(new, pictured)):8.3f} ms  {size} bytes")
    print(f"{'six dice, same picture again':36}{timed(partial(strips, (RED,))):8.3f} ms")
    runs = [fresh() for _ in range(9)]
    print(f"{'first picture of a fresh process':36}{median(run[0] for run in runs):8.3f} ms")
    print(f"{'importing the painter before it':36}{median(run[1] for run in runs):8.3f} ms")


def new(pictured: tuple[Strip, ...]) -> bytes:
    """The picture of strips that other pictures have shown, past the cache of whole pictures."""
    return painted.__wrapped__(unlabelled(pictured))


def new_strips(pictured: tuple[Strip, ...]) -> bytes:
    """The picture past the cache of strips too, with the dice kept."""
    kept_band.cache_clear()
    return new(pictured)


def timed(paint: Callable[[], object], times: int = 1000) -> float:
    """The median of so many runs, in milliseconds."""
    took: list[float] = []
    for _ in range(times):
        began = perf_counter()
        paint()
        took.append(perf_counter() - began)
    return median(took) * 1000


def fresh() -> tuple[float, float]:
    """Milliseconds of the first picture, and of the import, in an interpreter of its own."""
    said = subprocess.run([sys.executable, "-c", FRESH], capture_output=True, text=True, check=True).stdout
    first, loading = map(float, said.split())
    return first * 1000, loading * 1000


if __name__ == "__main__":
    main()
