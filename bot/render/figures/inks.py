"""The inks of figures and the one palette that all of them share: a dark panel, and what is drawn on it.

No ink has a contrast of 4.5 to white and to Discord's dark ground (#313338) alike, so text needs a ground of its own:
the panel. Text has a contrast of at least 7 to the panel and 4.5 to the tint of a cell, bars and sections have 3 (WCAG
2, 1.4.3 and 1.4.11), whatever lies around the panel.
"""

from functools import lru_cache
from typing import Final

from bot.render.art.palette import (
    BLUE,
    GOLD,
    GREEN,
    GREY,
    ORANGE,
    RED,
    SLATE,
    TEAL,
    VIOLET,
    WHITE,
    Ink,
    between,
    pale,
)

PANEL: Final[Ink] = (0x1F, 0x21, 0x26)
RULE: Final[Ink] = (0x3B, 0x3E, 0x46)
"""Lines that only help the eye."""
TEXT: Final[Ink] = (0xF2, 0xF3, 0xF5)
MUTED: Final[Ink] = (0xB4, 0xBA, 0xC4)

SERIES: Final = (BLUE, ORANGE, VIOLET, GREEN)
KINDS: Final = (
    between(PANEL, GREEN, 0.78),
    between(PANEL, BLUE, 0.62),
    between(PANEL, VIOLET, 0.46),
    between(PANEL, RED, 0.3),
)
"""Grounds of a grid's cells, the first kind the brightest, so that they differ without colour too."""
NEUTRAL: Final = between(PANEL, SLATE, 0.3)
"""The ground of a cell that has no kind."""

BRIGHT_RED, BRIGHT_ORANGE, BRIGHT_GREEN, BRIGHT_BLUE, BRIGHT_VIOLET = BRIGHT = tuple(
    between(ink, WHITE, 0.14) for ink in (RED, ORANGE, GREEN, BLUE, VIOLET)
)
"""Grounds on which a word is cut out: the panel that shows through has a contrast of 4.5 to them."""

# Each pair is a ground and an ink whose edges blend into it.
PAIRS: Final = (
    *((PANEL, ink) for ink in (TEXT, MUTED, GOLD, TEAL, GREY, *BRIGHT, *SERIES, *map(pale, SERIES))),
    *((PANEL, ground) for ground in (*KINDS, NEUTRAL)),
    *((ground, TEXT) for ground in (*KINDS, NEUTRAL)),
    (GOLD, PANEL),
    (TEXT, PANEL),
)
SOLIDS: Final = tuple(dict.fromkeys((RULE, *(ink for pair in PAIRS for ink in pair))))
STEPS: Final = 8
"""From a ground to an ink; the steps between are mixtures."""
TRANSPARENT: Final = 0
FIRST_SOLID: Final = STEPS
"""Before it the transparent ground and the translucent steps of the panel's corners."""
FIRST_MIXED: Final = FIRST_SOLID + len(SOLIDS)

MIXED: Final = tuple(between(*pair, step / STEPS) for pair in PAIRS for step in range(1, STEPS))
COLOURS: Final = bytes(part for ink in ((0, 0, 0), *[PANEL] * (STEPS - 1), *SOLIDS, *MIXED) for part in ink)
ALPHAS: Final = bytes(round(255 * step / STEPS) for step in range(STEPS))

Ramp = tuple[int, ...]
"""For each share of ink from 0 to 255 the index of its colour."""


@lru_cache(maxsize=len(SOLIDS))
def solid(ink: Ink) -> int:
    """The index of a pure ink."""
    return FIRST_SOLID + SOLIDS.index(ink)


@lru_cache(maxsize=len(PAIRS))
def ramp(ink: Ink, ground: Ink = PANEL) -> Ramp:
    """The steps from ``ground`` to ``ink``."""
    first = FIRST_MIXED + PAIRS.index((ground, ink)) * (STEPS - 1)
    return stepped((solid(ground), *range(first, first + STEPS - 1), solid(ink)))


def stepped(indices: tuple[int, ...]) -> Ramp:
    return tuple(indices[round(share * STEPS / 255)] for share in range(256))


CORNER: Final = stepped((*range(STEPS), solid(PANEL)))
"""From the transparent ground to the panel."""
TOUCHED: Final = tuple(255 * (round(share * STEPS / 255) > 0) for share in range(256))
"""Where a ramp is anything but its ground."""
