"""The words that players type for many rolls at once, a line each (``;`` or `` / `` also ends a line):

    Angus 12 b2 vs Ortega 11          Face to Face, two dice against one
    Angus 12 b1 vs Diaz 11            the rest of a split Burst
    Murat 13 normal vs Angus          a Normal Roll: not compared
    Ana 10 dodge vs Angus, Murat      one roll, compared with each attacker

What may follow a Success Value stands in ``roll_words``. A target without one rolls on a line of its own, or not at
all. ``n4`` or ``n5`` anywhere is the edition. ``write`` is the inverse of ``parse``.
"""

import re
from typing import Final

from bot.rules.errors import BadInput, BadWord
from bot.rules.infinity.declared import ENEMIES_MOST, Edition, Roll
from bot.rules.infinity.order import Line, Typed
from bot.rules.infinity.roll_words import VERSUS, Draft, Words, read_edition, read_roll, write_roll
from bot.rules.phrase import within

LINES_MOST: Final = 12
LINE_END: Final = re.compile(r"[;\n]|\s/\s")
EXAMPLE: Final = "`Angus 12 b2 vs Ortega 11; Murat 13 normal vs Angus`"


def parse(text: str) -> Typed:
    """The lines of an order. Raises ``BadWord`` at the first word that does not fit, ``BadInput`` out of range."""
    typed = [line for line in LINE_END.split(text) if line.strip()]
    lines: list[Line] = []
    edition: Edition | None = None
    for number, one in enumerate(typed, 1):
        words = Words(one, f"line {number}" if len(typed) > 1 else "order")
        while read_edition(words):
            pass
        if words.words:
            lines.append(read_line(words))
        if words.edition and edition not in (None, words.edition):
            raise BadInput("edition", f"{edition} and {words.edition}", "one edition for the whole order")
        edition = edition or words.edition
    if not 0 < len(lines) <= LINES_MOST:
        raise BadInput("order", f"{len(lines)} lines", f"1 to {LINES_MOST} lines, as in {EXAMPLE}")
    return Typed(lines=tuple(lines), edition=edition)


def read_line(words: Words) -> Line:
    draft = read_roll(words)
    if isinstance(draft, str):
        raise BadWord(words.field, draft, f"A Success Value follows the name, as in `{draft} 12`.")
    targets = read_targets(words) if words.peek() in VERSUS else ()
    if words.words:
        raise words.bad(f"One `vs` a line, and commas between its targets only, as in {EXAMPLE}.")
    return Line(roll=draft.roll, targets=targets, normal=draft.normal or False)


def read_targets(words: Words) -> tuple[Roll | str, ...]:
    """``vs Ortega 11, Diaz``: each target with a roll of its own, or by name only."""
    targets: list[Roll | str] = []
    while not targets or words.peek() == ",":
        words.take()
        target = read_roll(words)
        if isinstance(target, Draft) and target.normal:
            raise BadWord(words.field, "normal", "It stands before `vs`; a target's own Normal Roll has its own line.")
        targets.append(target if isinstance(target, str) else target.roll)
    within("number of targets", len(targets), 1, ENEMIES_MOST)
    return tuple(targets)


def write(typed: Typed) -> str:
    """The lines as they may be typed; ``parse`` gives the same back."""
    return "\n".join([*([typed.edition] if typed.edition else []), *map(write_line, typed.lines)])


def write_line(line: Line) -> str:
    targets = [target if isinstance(target, str) else write_roll(target) for target in line.targets]
    return write_roll(line.roll, line.normal) + (f" vs {', '.join(targets)}" if targets else "")
