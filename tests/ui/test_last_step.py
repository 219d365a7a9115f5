"""The last thing that happened, above a board: so much of it that the board still fits into its message."""

from typing import Any

from bot.rules.text import Text
from bot.sessions.codec import STEP
from bot.sessions.request import Place
from bot.sessions.tables import TABLE, HistoryEntry
from bot.ui.table.board import last_step_line

NOBODY: Any = None
HERE = Place(5)


def entry(what: str) -> HistoryEntry:
    return HistoryEntry(1, 9, TABLE, STEP, Text("adds {squads}", squads=what), None, None, is_undone=False, by="Ana")


def test_a_step_is_a_sentence_with_who_took_it() -> None:
    assert last_step_line(NOBODY, HERE, entry("Reds")) == "Ana adds Reds."
    assert last_step_line(NOBODY, HERE, None) == ""


def test_a_long_step_is_cut() -> None:
    shown = last_step_line(NOBODY, HERE, entry("x" * 2000))
    assert (len(shown), shown[:12]) == (600, "Ana adds xxx")
