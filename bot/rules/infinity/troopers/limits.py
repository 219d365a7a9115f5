"""Limits of declarations, however entered."""

from typing import Final

MIN_SV: Final = -12
MAX_SV: Final = 40
"""Maximum Success Value before MODs."""
MAX_MOD: Final = 12
"""The *sum* of the MODs is limited to -12..+12 (One die, 1)."""
MAX_MODS: Final = 8
"""Maximum typed MODs per roll."""
MAX_BURST: Final = 6
MAX_SPECIAL: Final = 2
MAX_POWER: Final = 20
"""PS, and Damage, which is 20 - PS."""
MAX_ATTRIBUTE: Final = 30
MAX_WOUNDS: Final = 9
MAX_HITS: Final = 12
"""Maximum hits, and Criticals, of a Saving Roll command."""
MAX_MEETINGS: Final = 12
MAX_ENEMIES: Final = 6
"""Maximum enemies that one roll is compared with."""
