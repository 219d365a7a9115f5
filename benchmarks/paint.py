"""How much CPU a picture of dice takes. Run ``python -m benchmarks.paint`` from the top of the project.

Medians of CPU time: six dice and twelve in two strips, with the dice kept but their rows new, or only the picture; the
same picture again, which is only looked up; the same dice as an animated throw, with the positions of its dice kept;
and the first picture of a fresh process, in which every die has still to be drawn.
"""

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from statistics import median
from time import process_time

from bot.render import tumble
from bot.render.card import Card, Strip, Tile
from bot.render.paint import composed, row_band, unlabelled

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
from time import process_time
began = process_time()
from benchmarks.paint import RED, composed, unlabelled
loaded = process_time()
composed(unlabelled((RED,)))
print(process_time() - loaded, loaded - began)
"""


def main() -> None:
    for name, pictured in (("six dice", (RED,)), ("twelve dice, two strips", (RED, GREEN))):
        size = len(again(pictured))
        print(f"{name + ', new rows of dice':36}{timed(partial(new_rows, pictured)):8.3f} ms  {size} bytes")
        print(f"{name + ', new picture':36}{timed(partial(new, pictured)):8.3f} ms  {size} bytes")
    print(f"{'six dice, same picture again':36}{timed(partial(again, (RED,))):8.3f} ms")
    for name, pictured in (("six dice", (RED,)), ("twelve dice, two strips", (RED, GREEN))):
        size = len(animated(pictured))
        print(f"{name + ', animated':36}{timed(partial(animated, pictured), 50):8.3f} ms  {size} bytes")
    runs = [fresh() for _ in range(9)]
    print(f"{'first picture of a fresh process':36}{median(run[0] for run in runs):8.3f} ms")
    print(f"{'importing the painter before it':36}{median(run[1] for run in runs):8.3f} ms")


def again(pictured: tuple[Strip, ...]) -> bytes:
    return composed(unlabelled(pictured))


def new(pictured: tuple[Strip, ...]) -> bytes:
    """The picture of rows that other pictures have shown, past the cache of whole pictures."""
    return composed.__wrapped__(unlabelled(pictured))


def new_rows(pictured: tuple[Strip, ...]) -> bytes:
    """The picture past the cache of rows too, with the dice kept."""
    row_band.cache_clear()
    return new(pictured)


def animated(pictured: tuple[Strip, ...]) -> bytes:
    """A throw of all these dice but those that were added."""
    return tumble.picture(Card("", "", strips=pictured)) or b""


def timed(paint: Callable[[], object], times: int = 1000) -> float:
    """The median of so many runs, in milliseconds."""
    took: list[float] = []
    for _ in range(times):
        began = process_time()
        paint()
        took.append(process_time() - began)
    return median(took) * 1000


def fresh() -> tuple[float, float]:
    """Milliseconds of the first picture, and of the import, in an interpreter of its own."""
    said = subprocess.run([sys.executable, "-c", FRESH], capture_output=True, text=True, check=True).stdout
    first, loading = map(float, said.split())
    return first * 1000, loading * 1000


if __name__ == "__main__":
    main()
