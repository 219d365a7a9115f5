"""How much CPU a picture of dice takes. Run ``python -m benchmarks.paint`` from the top of the project.

Medians of CPU time: six dice and twelve in two strips, with the dice kept but their rows new, or only the picture; the
same picture again, which is only looked up; the same dice as an animated throw, with the positions of its dice kept;
the first picture of a fresh process, in which every die has still to be drawn; and the mean over an evening of random
attacks in a fresh process, three pictures each: the red dice, the green ones beside them, and what came of them.
"""

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from random import Random
from statistics import median
from time import process_time

from bot.render import tumble
from bot.render.card import Card, Strip, Tile
from bot.render.paint import compose_picture, row_band, without_labels
from bot.rules.text import Text

RED = Strip(
    Text("Attack dice"),
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
    Text("Defense dice"),
    (
        Tile("green", "evade"),
        Tile("green", "evade", badge="evade"),
        Tile("green", "focus", ghost="blank"),
        Tile("green", "focus"),
        Tile("green", "blank"),
        Tile("green", "evade", fate="cancelled"),
    ),
)
RED_FACES = ("hit", "hit", "hit", "crit", "focus", "focus", "blank", "blank")
GREEN_FACES = ("evade", "evade", "evade", "focus", "focus", "blank", "blank", "blank")
FRESH = """
from time import process_time
began = process_time()
from benchmarks.paint import RED, composed, unlabeled
loaded = process_time()
composed(unlabeled((RED,)))
print(process_time() - loaded, loaded - began)
"""


EVENING = """
from time import process_time
from benchmarks.paint import attacks, composed
pictured = list(attacks(300))
began = process_time()
for strips in pictured:
    composed(strips)
print((process_time() - began) / len(pictured), 0)
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
    evenings = [fresh(EVENING)[0] for _ in range(5)]
    print(f"{'mean picture of an evening':36}{median(evenings):8.3f} ms")
    runs = [fresh(FRESH) for _ in range(9)]
    print(f"{'first picture of a fresh process':36}{median(run[0] for run in runs):8.3f} ms")
    print(f"{'importing the painter before it':36}{median(run[1] for run in runs):8.3f} ms")


def again(pictured: tuple[Strip, ...]) -> bytes:
    return compose_picture(without_labels(pictured))


def new(pictured: tuple[Strip, ...]) -> bytes:
    """The picture of rows that other pictures have shown, past the cache of whole pictures."""
    return compose_picture.__wrapped__(without_labels(pictured))


def new_rows(pictured: tuple[Strip, ...]) -> bytes:
    """The picture past the cache of rows too, with the dice kept."""
    row_band.cache_clear()
    return new(pictured)


def animated(pictured: tuple[Strip, ...]) -> bytes:
    """A throw of all these dice but those that were added."""
    return tumble.picture(Card(Text(""), Text(""), strips=pictured)) or b""


def timed(paint: Callable[[], object], times: int = 1000) -> float:
    """The median of so many runs, in milliseconds."""
    took: list[float] = []
    for _ in range(times):
        began = process_time()
        paint()
        took.append(process_time() - began)
    return median(took) * 1000


def attacks(count: int) -> Iterator[tuple[Strip, ...]]:
    """The pictures of attacks of 2 to 4 dice against 1 to 3."""
    chance = Random(15)
    for _ in range(count):
        red = [Tile("red", chance.choice(RED_FACES)) for _ in range(chance.randint(2, 4))]
        green = [Tile("green", chance.choice(GREEN_FACES)) for _ in range(chance.randint(1, 3))]
        attack, defense = Strip(Text("Attack dice"), tuple(red)), Strip(Text("Defense dice"), tuple(green), beside=True)
        over = tuple(replace(tile, fate="unused" if tile.face == "focus" else "stands") for tile in green)
        yield from (without_labels((attack,)), (attack, defense), (attack, replace(defense, tiles=over)))


def fresh(code: str) -> tuple[float, float]:
    """Two figures in milliseconds, measured in an interpreter of its own."""
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    first, second = map(float, printed.split())
    return first * 1000, second * 1000


if __name__ == "__main__":
    main()
