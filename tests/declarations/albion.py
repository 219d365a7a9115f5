"""Albion actions against targets that dodge or not."""

from typing import Any, Final

from hypothesis import strategies as st

from bot.rules import albion

STAT: Final = st.integers(0, 8)

DECLARATIONS: Final[st.SearchStrategy[Any]] = st.builds(
    albion.Declared, agility=STAT, stealth=STAT, awareness=STAT, strength=STAT, dodging=st.booleans()
)
