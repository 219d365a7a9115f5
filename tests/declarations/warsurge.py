"""WARSURGE attacks by every method."""

from typing import Any, Final

from hypothesis import strategies as st

from bot.rules import warsurge

DECLARATIONS: Final[st.SearchStrategy[Any]] = st.fixed_dictionaries(
    {
        "method": st.sampled_from(("casual", "balanced", "chart")),
        "power": st.integers(0, 22),
        "defence": st.integers(0, 17),
        "attack_dice": st.integers(1, 8),
        "save": st.none() | st.integers(2, 6),
    }
).map(warsurge.declare)
