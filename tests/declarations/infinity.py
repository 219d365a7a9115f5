"""Infinity rolls of every form that can be declared."""

from collections.abc import Mapping
from typing import Any, Final

from hypothesis import strategies as st

from bot.rules import infinity

ORDERS: Final[tuple[Mapping[str, object], ...]] = (
    {"sv": 12, "burst": 3},
    {"sv": 12, "burst": 3, "open": True},
    {"order": "Angus 12 b2 vs Ortega; Murat 13 vs Ana", "open": True},
    {"order": "Angus 12 b3 DA PS 7 vs Ana 10 dodge ARM 1 W 2; Bo direct N PS 6 continuous vs Ana"},
    {"sv_a": 15, "burst_a": 5, "sv_b": 13, "burst_b": 2},
    {"sv_a": 11, "burst_a": 1, "sv_b": 24, "burst_b": 4, "edition": "n4"},
    {"a": {"sv": 12, "dice": [9, 4], "burst": 2}, "b": {"sv": 11, "dice": [5]}},
    {"a": {"sv": 12}, "enemies": [{"sv": 12}, {"sv": 11, "burst": 2}]},
    {"order": "Angus 12 b2 vs Ortega 11; Murat 13 normal vs Angus; Ana 10 dodge vs Angus"},
    {"order": "\n".join(f"Angus-{i} 14 b6 vs Ortega-{i} 11 b6" for i in range(1, 13))},
    {"hits": 2, "crits": 1, "ammo": "DA", "ps": 7, "arm": 3},
    {"hits": 1, "ammo": "N", "damage": 13, "arm": 1, "edition": "n4"},
)

DECLARATIONS: Final[st.SearchStrategy[Any]] = st.sampled_from(ORDERS).map(infinity.declare)
