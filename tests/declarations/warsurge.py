"""WARSURGE attacks and volleys by every method."""

from typing import Any, Final

from hypothesis import strategies as st

from bot.rules import warsurge

METHODS = st.sampled_from(("casual", "balanced", "chart"))
DEFENCES = st.integers(0, 17)
SAVES = st.none() | st.integers(2, 6)
ASKS = st.booleans()
WEAPON: Final[dict[str, st.SearchStrategy[Any]]] = {
    "power": st.integers(0, 22),
    "attack_dice": st.integers(1, 8),
    "ap": st.integers(0, 5),
}

ATTACKS: Final = st.fixed_dictionaries(
    {"method": METHODS, "defence": DEFENCES, "save": SAVES, "asks_saves": ASKS, **WEAPON}
)
VOLLEYS: Final = st.fixed_dictionaries(
    {
        "method": METHODS,
        "defence": DEFENCES,
        "save": SAVES,
        "asks_saves": ASKS,
        "hp": st.none() | st.integers(1, 20),
        "weapons": st.lists(
            st.fixed_dictionaries({"name": st.sampled_from(("Rifle", "Cannon", "")), **WEAPON}), min_size=1, max_size=4
        ),
    }
)

DECLARATIONS: Final[st.SearchStrategy[Any]] = (ATTACKS | VOLLEYS).map(warsurge.declare)
