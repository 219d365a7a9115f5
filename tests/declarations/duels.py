"""Duels of every file: its examples with a few numbers changed."""

from typing import Any, Final

from hypothesis import strategies as st

from bot.rules import duels
from bot.rules.duels.rows import DUELS, DuelGame


def near(duel: DuelGame, line: str) -> st.SearchStrategy[duels.Declared]:
    """Declarations like an example: each number as it is there, or a small one that may be typed."""
    typed = duels.declare({"game": duel.key, "line": line}).numbers
    values = (
        st.sampled_from(sorted({value, row.least, min(row.most, row.least + 1)}))
        for row, value in zip(duel.numbers, typed, strict=True)
    )
    return st.tuples(*values).map(lambda numbers: duels.Declared(game=duel.key, numbers=numbers)).filter(is_right)


def is_right(declared: duels.Declared) -> bool:
    return all(check.when.value(declared.values) for check in declared.duel.check)


DECLARATIONS: Final[st.SearchStrategy[Any]] = st.one_of(
    *(near(duel, line) for duel in DUELS.values() for line, _ in duel.examples)
)
