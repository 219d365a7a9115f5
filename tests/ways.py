"""How many files of ours one action visits, how often it goes from one to another, and how many calls it makes.

Run by `make figures`; it proves nothing, so its name keeps it out of the tests. The press is made a second time, when
what it needs is in memory; the others are counted as they are the first time. With ``WAYS`` in the environment the
files are named too, each with how often it was called: what a way visits only to find nothing to do stands out.
"""

import os
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from types import FrameType
from typing import Any, Final

from tests.conftest import Club

ROOT: Final = str(Path(__file__).parents[1])
OURS: Final = (f"{ROOT}/bot/", f"{ROOT}/cogs/")


ACTIVE: Final[list[list[str]]] = []
"""Where what is visited is noted just now, if anywhere."""


def hear(frame: FrameType, event: str, _: object) -> None:
    if ACTIVE and event == "call" and frame.f_code.co_filename.startswith(OURS):
        ACTIVE[0].append(frame.f_code.co_filename)


threading.setprofile(hear)  # before there is any other thread: what they do is on the way too


@contextmanager
def way(name: str) -> Iterator[None]:
    """Print the way of what is done inside."""
    visited: list[str] = []
    ACTIVE[:] = [visited]
    sys.setprofile(hear)
    try:
        yield
    finally:
        sys.setprofile(None)
        ACTIVE.clear()
    moves = sum(1 for _ in groupby(visited))
    print(f"way of {name:14} {len(set(visited)):4} files {moves:6} moves {len(visited):7} calls")  # noqa: T201 - what it is for
    for file, calls in Counter(visited).most_common() if "WAYS" in os.environ else ():
        print(f"{calls:8} {file.removeprefix(ROOT)}")  # noqa: T201 - what it is for


async def attacked(club: Club) -> str:
    """An attack that waits for its attacker's focus; the label of that button."""
    club.dice.red("focus hit blank")
    club.dice.green("blank")
    await club.attack(dice=3, with_="focus", agility=1, opponent=club.bo)
    if not any("ocus" in label for label in club.labels):
        await club.bo.click(club.card, label="Done")
    return next(label for label in club.labels if "ocus" in label)


async def test_press(club: Club) -> None:
    label = await attacked(club)
    await club.ana.click(club.card, label=label)
    label = await attacked(club)
    with way("a press"):
        await club.ana.click(club.card, label=label)
    club.dice.waiting.clear()


async def test_board_press(club: Club) -> None:
    await club.ana.slash(club.channel, "xwing ship add", name="Luke", initiative=5)
    await club.ana.slash(club.channel, "table show")

    def parts() -> list[Any]:
        return [part for row in club.card.components for part in getattr(row, "children", ())]

    for part in parts():
        picks = [item for item in getattr(part, "options", None) or () if item.label.startswith("Luke")]
        if picks:
            await club.press(club.ana, part.custom_id, [picks[0].value])
            break
    focus = next(part for part in parts() if "ocus" in (getattr(part, "label", "") or ""))
    with way("a board press"):
        await club.press(club.ana, focus.custom_id)


async def test_roll(club: Club) -> None:
    club.dice.will_show(3, 4, 2, 1)
    with way("/roll"):
        await club.ana.slash(club.channel, "roll", dice="4d6kh3")


async def test_attack(club: Club) -> None:
    club.dice.red("focus hit blank")
    with way("/xwing attack"):
        await club.attack(dice=3, with_="focus", agility=1, opponent=club.bo)


async def test_odds(club: Club) -> None:
    asked: dict[str, Any] = {"dice": 3, "with": "focus, lock", "agility": 2}
    with way("/xwing odds"):
        await club.ana.slash(club.channel, "xwing odds", **asked)


async def test_undo(club: Club) -> None:
    club.dice.will_show(3, 4)
    await club.ana.slash(club.channel, "roll", dice="2d6")
    with way("/table undo"):
        await club.ana.slash(club.channel, "table undo")
