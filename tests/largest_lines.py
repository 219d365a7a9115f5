"""The largest lines that readers take: found by a search that lengthens a line for as long as it is accepted.

Most of the cost of a text may come once it is understood: its roll, its buttons, its cards. A text that is refused
never gets there.
"""

import gc
import json
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import _lru_cache_wrapper, cache, partial
from pathlib import Path
from random import Random
from typing import Any, Final

from bot.games import GAMES
from bot.rules import albion
from bot.rules.anydice import play, tree
from bot.rules.errors import PlayerError
from bot.rules.infinity.orders import forms
from bot.rules.infinity.table import army_codes
from bot.rules.infinity.troopers import trooper
from bot.rules.warsurge import units
from bot.rules.xwing.dice import typed_sides
from bot.rules.xwing.dice.tokens import ON_SIDE
from tests.declarations import xwing
from tests.sampling import ALL, sample_id
from tests.steps import steps_of

HERE: Final = Path(__file__).parent
FIRST: Final = 400 if sample_id() == ALL else 120
"""Pieces of a kind that are tried at most. They stay the same: which line is the largest is no matter of a sample."""
WORST: Final = 3


@dataclass(frozen=True)
class Largest:
    """A text that can be typed: its limit, its reader, and what lines of it are made of, with what between.

    ``{n}`` in a piece is another number each time. ``begins``: what a line has to begin with.
    """

    longest: int
    reads: Callable[[str], object]
    pieces: Callable[[], Sequence[str]]
    joins: tuple[str, ...]
    begins: str = ""

    def takes(self, line: str) -> bool:
        with suppress(PlayerError):
            self.reads(line)
            return len(line) <= self.longest
        return False

    def longer(self, line: str, piece: str) -> str:
        """The line with as many of a piece as it takes; as it was if it takes none."""
        number, step = 1, 1
        while step:
            more = line
            for at in range(number, number + step):
                more += (self.joins[at % len(self.joins)] if more else "") + piece.replace("{n}", str(at))
            if len(more) <= self.longest and self.takes(more):
                line, number, step = more, number + step, step * 2
            else:
                step //= 2
        return line

    def lines(self, random: Random) -> Iterator[str]:
        """Lines that nothing can be added to: of each piece alone, then with others, and of all of them mixed."""
        pieces = list(self.pieces())
        if len(pieces) > FIRST:
            pieces = random.sample(pieces, FIRST)
        fitting = {piece: line for piece in pieces if (line := self.longer(self.begins, piece)) != self.begins}
        yield from fitting.values()
        for _ in range(2 * WORST):
            line = self.begins
            for piece in random.sample([*fitting], min(60, len(fitting))):
                once = line + (random.choice(self.joins) if line else "") + piece.replace("{n}", str(len(line)))
                line = once if self.takes(once) else line
            yield line

    @cache  # noqa: B019 - there is one of each kind
    def worst(self, seed: str) -> list[str]:
        """The lines that cost most to read, and the longest one."""
        found = list(dict.fromkeys(filter(self.takes, self.lines(Random(seed)))))
        assert found, "some line is taken"
        forget_texts()
        costs = {line: steps_of(partial(self.reads, line)) for line in found}
        return [*dict.fromkeys([*sorted(costs, key=lambda line: -costs[line])[:WORST], max(found, key=len)])]


def forget_texts() -> None:
    """Empty the bounded caches, in which texts are that were read before; what a start makes once has no bound."""
    for cached in bounded_caches():
        cached.cache_clear()


@cache
def bounded_caches() -> list[Any]:
    caches = (item for item in gc.get_objects() if isinstance(item, _lru_cache_wrapper))
    return [item for item in caches if item.cache_parameters()["maxsize"] is not None]


# What lines are made of


@cache
def dice_typed() -> tuple[str, ...]:
    """Dice in notation and as people type them, in all languages."""
    files = [HERE / "phrases" / f"{name}.txt" for name in ("peers", "more", "systems")]
    files += sorted((HERE / "phrases").glob("[fp]*/*.txt"))
    rows = (line for file in files for line in file.read_text("utf-8").splitlines() if " => " in line)
    typed = [line.partition(" => ")[0].strip() for line in rows if not line.startswith("#")]
    notation = [
        "d6",
        "1d6",
        "d20!",
        "4d6kh3",
        "2d6ro1",
        "3d6!!",
        "2d6!p",
        "10d10!10>=8",
        "4dF",
        "5d8km3",
        "(2d6+3)>=10",
        "max(2d6,1d8)",
        "d66",
        "yz5",
        "sr4",
        "1",
    ]
    return (*notation, *dict.fromkeys(typed))


def tokens_typed() -> tuple[str, ...]:
    return (*xwing.MINE, *xwing.THEIRS, *dict.fromkeys(token for side in ON_SIDE.values() for token in side))


ROLLS: Final = (
    *("Angus-{n} 14 b6 vs Ortega-{n} 11 b6", "A{n} 12", "A{n} 12 b5 DA PS 7 vs B{n} 10 dodge ARM 1 W 2"),
    *("A{n} 13 b4 vs B 11", "A 13 b4 vs B{n} 11", "A{n} 12 direct N PS 6 continuous vs B{n}", "A{n} 13 normal vs B"),
    *("vs B{n} 12 b3", "B{n} 12 b1", "A 12 (9, 4) vs B{n} 11 (5)", "Angus 12 b2 vs Ortega; Murat 13 vs Ana"),
    *(
        "A{n} 15 b5 AP+T2 PS 5 ARM 9 vs B{n} 13 b2 EXP PS 4 ARM 3 BTS 6 W 3",
        "A{n} 10 reset",
        "A{n} 11 discover vs B{n}",
    ),
)
WEAPONS: Final = (
    *("W{n}: Power 6, Dice 4", "W{n}: Power 12, AP 2", "W{n}: Power 22, Dice 16, AP 5", "Power 3", "W{n}: Power 1"),
    *("Cannon {n}: Power 20, Dice 99", "W{n}: Power 7, Dice 1, AP 1"),
)


def trooper_parts() -> tuple[str, ...]:
    """Skills, states, weapons, and stats as a line of a trooper has them."""
    golden = json.loads((HERE / "golden" / "infinity_skill_names.json").read_text("utf-8"))
    names = [name for kind, names in golden.items() if kind != "about" for name in names]
    weapons = (
        "W{n}: B3 PS 7 N ARM +3@16 -3@32",
        "Combi-{n}: B3 PS 7",
        "W{n}: B1 PS 4 DA ARM+BTS -6@8 +3@24 -3@48 Continuous",
    )
    return (*weapons, "LI", "ARM 9", "BTS 9", "W 3", "PH 14", "WIP 15", "CC 24", *names)


def army_code(line: str) -> str:
    """The code of a list with the members ``1 2 3``, each by the number of its unit. Raises ``PlayerError``."""
    units = line.split()
    member = b"".join(b"\x00%c%c\x01\x01\x00" % (128 + int(unit) // 256, int(unit) % 256) for unit in units)
    count = bytes([128 + len(units) // 256, len(units) % 256])
    code = b64encode(b"\x81\x01\x03abc\x01 \x81\x2c\x01\x01\x00" + count + member).decode()
    army_codes.decode(code)
    return code


def declares(key: str, word: str, **others: object) -> Callable[[str], Any]:
    return lambda line: GAMES[key].rules.declare({**others, word: line})


HUNDRED: Final = (" ".join(["20"] * 100), " ".join(["1"] * 100))
LARGEST: Final[Mapping[str, Largest]] = {
    "dice": Largest(tree.MAX_TEXT, declares("anydice", "dice"), dice_typed, ("+", " ", "; ", ", ")),
    "faces": Largest(
        play.FACES_LONGEST,
        declares("anydice", "faces", dice="100d20"),
        lambda: HUNDRED,
        (" ",),
    ),
    "request": Largest(
        300, declares("anydice", "request", dice="1d20"), lambda: ("@{n}", "@{n} +5", "@{n} -1"), (", ", " ")
    ),
    "contest": Largest(
        tree.MAX_TEXT, declares("contest", "dice", their_dice="10d6!"), dice_typed, ("+", " ", "; ", ", ")
    ),
    "with": Largest(typed_sides.LONGEST, lambda line: xwing.attack(line, "", 6, 6, {}), tokens_typed, (", ",)),
    "against": Largest(typed_sides.LONGEST, lambda line: xwing.attack("", line, 6, 6, {}), tokens_typed, (", ",)),
    "order": Largest(forms.ORDER_LONGEST, declares("infinity", "order"), lambda: ROLLS, ("; ", "\n", ", ")),
    "trooper": Largest(
        trooper.MAX_LINE, lambda line: trooper.parse("Angus", line), trooper_parts, (", ", "; "), "BS 12, W 1"
    ),
    "weapons": Largest(
        units.MAX_LINE, declares("warsurge", "weapons", defence=4, save=4, hp=99), lambda: WEAPONS, ("; ",)
    ),
    "unit": Largest(
        units.MAX_LINE, lambda line: units.parse("Angus", line), lambda: WEAPONS, ("; ",), "Defence 5, HP 9"
    ),
    "profile": Largest(
        200,
        lambda line: albion.PROFILES.parse("Angus", line),
        lambda: ("Agility 99", "Stealth 99", "Awareness 99", "Strength 99"),
        (", ",),
    ),
    "army": Largest(20_000, army_code, lambda: ("{n}", "9", "300"), (" ",)),
}
"""The texts by what they are; what stands in them is all that a game knows."""
