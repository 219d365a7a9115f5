"""The inks, and the shared palette of at most 256 colors: a dark tray, and what is on it.

No ink has a contrast of 4.5 to both white and black, so every picture has its own ground, the tray, and looks the same
in each of Discord's themes. On the tray text has a contrast of at least 4.5 and shapes of 3 (WCAG 2, 1.4.3 and 1.4.11).
Every die's ink has luminance 0.18: 3.5 to the tray, and 4.5 to its white glyph. So dice differ in shape, never only in
color.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from PIL import Image, ImageChops

Ink = tuple[int, int, int]

TRAY: Final[Ink] = (0x1F, 0x21, 0x26)
RULE: Final[Ink] = (0x3B, 0x3E, 0x46)
"""Lines that only help the eye."""
TEXT: Final[Ink] = (0xF2, 0xF3, 0xF5)
MUTED: Final[Ink] = (0xB4, 0xBA, 0xC4)
WHITE: Final[Ink] = (0xFF, 0xFF, 0xFF)
GOLD: Final[Ink] = (0xFF, 0xC9, 0x3C)
GRAY: Final[Ink] = (0x88, 0x8B, 0x8F)

RED: Final[Ink] = (0xD1, 0x43, 0x44)
GREEN: Final[Ink] = (0x0A, 0x87, 0x45)
BLUE: Final[Ink] = (0x2E, 0x76, 0xCC)
ORANGE: Final[Ink] = (0xB8, 0x5D, 0x13)
VIOLET: Final[Ink] = (0x7E, 0x64, 0xCF)
TEAL: Final[Ink] = (0x00, 0x83, 0x89)
SLATE: Final[Ink] = (0x66, 0x77, 0x8F)
BODY_INKS: Final = (RED, GREEN, BLUE, ORANGE, VIOLET, TEAL, SLATE)

STEPS: Final = 6
"""Gradient from one ink to another; the steps between are mixtures."""


def mix_inks(start: Ink, end: Ink, share: float) -> Ink:
    """Return a mixture with ``share`` of ``end``."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(start, end, strict=True))
    return red, green, blue


def shade(ink: Ink) -> Ink:
    """Return a body's lower lip color."""
    return mix_inks(ink, (0, 0, 0), 0.22)


def pale(ink: Ink) -> Ink:
    """Return the color of a ghost's chip, an uncounted die's glyph, and lines on bars."""
    return mix_inks(ink, WHITE, 4 / STEPS)


def dim(ink: Ink) -> Ink:
    """Return the color of an uncounted die's body."""
    return mix_inks(TRAY, ink, 2 / STEPS)


SERIES: Final = (BLUE, ORANGE, VIOLET, GREEN)
KINDS: Final = (
    mix_inks(TRAY, GREEN, 0.85),
    mix_inks(TRAY, BLUE, 0.68),
    mix_inks(TRAY, VIOLET, 0.5),
    mix_inks(TRAY, RED, 0.34),
)
"""Grounds of a grid's cells, brightest first, so that they differ without color."""
NEUTRAL: Final = dim(SLATE)
"""The ground of a cell without a kind."""

BRIGHT: Final[Mapping[str, Ink]] = {
    name: mix_inks(ink, WHITE, 0.22)
    for name, ink in (("red", RED), ("orange", ORANGE), ("green", GREEN), ("blue", BLUE), ("violet", VIOLET))
}
"""Grounds for cut-out words: the tray has a contrast of 4.5 to them."""

# Each pair is a ground and an ink whose edges blend into it. An uncounted die uses the ramp of its ink on the tray;
# its glyph has fewer steps.
PAIRS: Final = (
    *(
        (TRAY, ink)
        for ink in (RULE, TEXT, MUTED, GOLD, GRAY, *BODY_INKS, *BRIGHT.values(), *map(pale, SERIES), *KINDS, NEUTRAL)
    ),
    *((ink, WHITE) for ink in BODY_INKS),
    *((ground, TEXT) for ground in (*KINDS, NEUTRAL)),
)
CLEAR: Final = 0
"""The index outside the tray's corners; the corners' translucent steps follow."""


def steps(ground: Ink, ink: Ink) -> tuple[Ink, ...]:
    return tuple(mix_inks(ground, ink, step / STEPS) for step in range(STEPS + 1))


LIVE: Final = (result for ink in BODY_INKS for result in (*steps(TRAY, ink), *steps(ink, WHITE), shade(ink)))
DEAD: Final = (mix_inks(dim(ink), pale(ink), step / 4) for ink in BODY_INKS for step in range(1, 4))
OF_DICE: Final = tuple(dict.fromkeys((*steps(TRAY, GOLD), *LIVE, *DEAD)))
"""Dice colors; the others are only for figures."""
OPAQUE: Final = tuple(dict.fromkeys((*OF_DICE, *(result for pair in PAIRS for result in steps(*pair)))))
INDEX: Final = {ink: STEPS + at for at, ink in enumerate(OPAQUE)}
"""Index of each pure ink in the pictures' palette."""
COLORS: Final = bytes(part for ink in ((0, 0, 0), *[TRAY] * (STEPS - 1), *OPAQUE) for part in ink)
ALPHAS: Final = bytes(round(255 * step / STEPS) for step in range(STEPS))
"""The alpha channel in PNG's form: opaque colors come last and are left out."""

Ramp = tuple[int, ...]
"""Color index for each share of ink from 0 to 255."""


@lru_cache(maxsize=2 * len(PAIRS))
def ramp(ink: Ink, ground: Ink = TRAY) -> Ramp:
    """The steps from ``ground`` to ``ink``."""
    pair = (ground, ink) if (ground, ink) in PAIRS else (ink, ground)
    indices = tuple(INDEX[result] for result in steps(*pair))
    return step_ramp(indices if pair == (ground, ink) else indices[::-1])


def step_ramp(indices: tuple[int, ...]) -> Ramp:
    return tuple(indices[round(share * STEPS / 255)] for share in range(256))


CORNER: Final = step_ramp((*range(STEPS), INDEX[TRAY]))
"""Gradient from the transparent ground to the tray."""
TOUCHED: Final = tuple(255 * (round(share * STEPS / 255) > 0) for share in range(256))
"""Mask of where a ramp differs from its background."""


def to_indices(picture: Image.Image) -> Image.Image:
    """Convert an RGBA drawing in these inks, on the tray, to indices (``L``), nearest color each."""
    laid = Image.new("RGBA", picture.size, TRAY)
    laid.alpha_composite(picture)
    indices = quantize(laid.convert("RGB"))
    bare = picture.getchannel("A").point([255 * (alpha == 0) for alpha in range(256)])
    return ImageChops.composite(Image.new("L", picture.size, INDEX[TRAY]), indices, bare)


def quantize(picture: Image.Image, inks: tuple[Ink, ...] = OF_DICE) -> Image.Image:
    """Convert an RGB picture to indices (``L``) of the nearest colors."""
    palette, indices = chart(inks)
    image = picture.quantize(palette=palette, dither=Image.Dither.NONE)
    return Image.frombytes("L", image.size, image.tobytes()).point(indices)


@lru_cache(maxsize=2)
def chart(inks: tuple[Ink, ...]) -> tuple[Image.Image, tuple[int, ...]]:
    """Return some colors as a Pillow palette, and the index of each among all colors."""
    image = Image.new("P", (1, 1))
    image.putpalette(bytes(part for ink in inks for part in ink))
    return image, tuple(INDEX[inks[min(at, len(inks) - 1)]] for at in range(256))
