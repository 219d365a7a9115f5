"""Dice notation with every modifier, and dice rolled by hand."""

from typing import Any, Final

from hypothesis import strategies as st

from bot.rules import anydice
from bot.rules.errors import PlayerError

POOL: Final = st.builds(
    lambda count, sides, change, end: f"{count}d{sides}{change}{end}",
    st.integers(1, 6),
    st.sampled_from(("4", "6", "8", "10", "12", "20", "%", "F", "7", "33")),
    st.sampled_from(("", "", "ro1", "rr1", "!", "!1", "mi1", "ma1", "ro1!")),
    st.sampled_from(("", "", "kh1", "kl1", "dl1", "dh1")),
)
TEXT: Final = st.builds(
    lambda times, first, operator, second, end, label: f"{times}{first}{operator}{second}{end}{label}",
    st.sampled_from(("", "", "3#")),
    POOL,
    st.sampled_from(("+", "-", "*")),
    POOL | st.just("2"),
    st.sampled_from(("", "", "+1>=3")),
    st.sampled_from(("", " to hit")),
)


def declared(text: str) -> Any:
    """The declaration, or that of a plain roll where the parts cannot stand together."""
    try:
        return anydice.declare({"dice": text})
    except PlayerError:
        return anydice.declare({"dice": "2d6!>=5", "faces": "6 6 2 5 1"})


WORDS: Final = st.sampled_from(
    (
        "yz5",
        "alien 3 stress 1",
        "5d8km3",
        "sr4",
        "coc 45 bonus",
        "pbta+1",
        "3 coins",
        "d66",
        "sw8",
        "max(2d6, 1d8)-1",
        "4d10 t8 f1",
        "3d6!!",
        "2d6!p",
    ),
)
ASKS: Final = st.builds(
    lambda dice, people, at_once: anydice.declare({"dice": dice, "request": people, "at_once": at_once}),
    st.sampled_from(("1d20", "1d20>=15", "2d20kh1", "3d6!", "1d20+...", "6d10 t7")),
    st.sampled_from(("@1 +5, @2", "@1", "@3 -1, @1 +2, @2")),
    st.booleans(),
)
"""Not for everybody: the laws press as nobody in particular, and everybody rolls once."""

DECLARATIONS: Final[st.SearchStrategy[Any]] = TEXT.map(declared) | WORDS.map(declared) | ASKS
