"""The odds: one line per game."""

from collections.abc import Callable, Mapping
from typing import Any, Final

ODDS: Final[Mapping[str, Callable[[Any], Mapping[str, object]]]] = {}
