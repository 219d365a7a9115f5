"""How much may be declared, by whatever way it is said."""

from typing import Final

SV_LEAST: Final = -12
SV_MOST: Final = 40
"""The Success Value before MODs."""
MOD_MOST: Final = 12
"""The *sum* of the MODs is limited to -12..+12 (One die, 1)."""
MODS_MOST: Final = 8
"""So many MODs can be typed for one roll."""
BURST_MOST: Final = 6
SPECIAL_MOST: Final = 2
POWER_MOST: Final = 20
"""PS, and Damage, which is 20 less PS."""
ATTRIBUTE_MOST: Final = 30
WOUNDS_MOST: Final = 9
HITS_MOST: Final = 12
"""Hits, and Criticals, that one Saving Roll command takes."""
MEETINGS_MOST: Final = 12
ENEMIES_MOST: Final = 6
"""One roll is compared with so many enemies at most."""
