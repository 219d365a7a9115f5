"""Dice of games against their books: worked results, and words of the games that are never a label.

``tests/golden/anydice_systems.json`` was written from the books by somebody who had not seen the table.
"""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any, Final

from bot.rules import anydice
from bot.rules.anydice.notation import parse
from bot.rules.anydice.play import DiceRoll
from bot.rules.anydice.systems import SYSTEMS
from bot.rules.anydice.tree import Comparison
from bot.rules.errors import PlayerError
from tests.rows import for_each_row
from tests.starts import chance

GOLDEN: Final = Path(__file__).parents[1] / "golden" / "anydice_systems.json"
BOOK: Final[dict[str, Any]] = json.loads(GOLDEN.read_text(encoding="utf-8"))
CASES: Final[list[dict[str, Any]]] = BOOK["cases"]
PLAIN: Final = {"dndstats": "1d20+5"}
"""What is typed in a game whose row has no dice of its own for a check."""


def rolled(case: dict[str, Any]) -> DiceRoll:
    state = anydice.start(anydice.declare({"dice": case["typed"], "faces": case["faces"]}), chance(0))
    assert isinstance(state, DiceRoll)
    return state


def numbers(state: DiceRoll) -> set[int]:
    """What the roll comes to: its total, the value that is compared, and what its reading counts."""
    (row,) = state.rows
    result = {row.total, *([row.sides[0]] if isinstance(row.line.tree, Comparison) else [])}
    counts = row.reading.counts if row.reading else ()
    return result | {sign * amount for _, amount in counts for sign in (1, -1)}


@for_each_row("case", CASES, ids=lambda case: f"{case['typed']}: {case['faces']}")
def test_a_worked_result_of_the_book(case: dict[str, Any]) -> None:
    state = rolled(case)
    if "total" in case:
        assert case["total"] in numbers(state)
    said = str(anydice.outcome(state).get("reading", ""))
    parts = [re.sub(r"^an? ", "", part) for part in said.split(", ")]
    for wanted in filter(None, case["result"].split(", ")):
        plain = re.sub(r"^an? ", "", wanted)
        assert any(plain in part for part in parts), said
    if not case["result"]:
        assert not re.search("success|failure|fumble|glitch|injury", said)


HAND: Final = [
    [part.strip() for part in line.split("|")]
    for line in GOLDEN.with_name("dice_by_hand.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


@for_each_row(("typed", "faces", "number", "parts"), HAND, ids=lambda item: item)
def test_a_result_that_was_worked_out_by_hand(typed: str, faces: str, number: str, parts: str) -> None:
    """A check comes to what its reading says: a natural 20 that succeeds is a 1, whatever the dice add up to."""
    state = rolled({"typed": typed, "faces": faces})
    (row,) = state.rows
    if row.line.is_check and row.reading and row.reading.good is not None and row.line.game and not row.line.game.score:
        assert row.total == row.reading.good
    said = str(anydice.outcome(state).get("reading", ""))
    assert not number or int(number) in numbers(state), said
    for part in filter(None, parts.split(",")):
        if part.startswith("!"):
            assert part[1:] not in said
        else:
            found = any(word in said for word in part.split("/"))
            assert found or (part.isdigit() and int(part) in numbers(state)), said


def test_games_were_worked_out_by_hand() -> None:
    assert len(HAND) == 454


def test_every_system_of_the_page_is_there() -> None:
    often = Counter(case["system"] for case in CASES)
    assert len(CASES) == 205
    assert set(often) <= set(SYSTEMS)
    assert min(often.values()) >= 1


WORDS: Final = [(system, word) for system, words in BOOK["words"].items() for word in words]


@for_each_row(("system", "word"), WORDS, ids=lambda item: item)
def test_a_word_that_changes_dice_in_its_game_is_never_a_label(system: str, word: str) -> None:
    """It is read, asked, or refused."""
    typed = next(case["typed"] for case in CASES if case["system"] == system)
    for text in (f"{PLAIN.get(system, typed)} {word}", f"{PLAIN.get(system, typed)}, {word} of the day"):
        try:
            line = parse(text).line
        except PlayerError:
            continue
        assert not line.label, text
