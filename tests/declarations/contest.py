"""Contests: with the dice of both sides, of one, or of none yet."""

from typing import Any, Final

from hypothesis import strategies as st

from bot.rules import contest
from bot.rules.contest import Ties, WinsBy

SUMS: Final = st.sampled_from(("1d20+5", "2d20kh1", "3d6", "1d12!", "4dF+2", "10", "1d6*2"))
COUNTS: Final = st.sampled_from(("6d10>=7", "3d6!6>=5", "(4d6>=4)+1"))


@st.composite
def contests(draw: st.DrawFn) -> Any:
    by = draw(st.sampled_from(WinsBy))
    dice = COUNTS if by is WinsBy.SUCCESSES else SUMS
    words = {"by": by.value, "ties": draw(st.sampled_from(Ties)).value}
    first, second = draw(dice | st.none()), draw(dice | st.none())
    if (first, second) == ("10", "10"):
        first = "1d20"
    return contest.declare(words | {"dice": first, "their_dice": second})


DECLARATIONS: Final[st.SearchStrategy[Any]] = contests()
