"""The inks, and the one palette of 256 colours that all strips share.

Every body's ink has luminance 0.214: contrast 3.2 to Discord's dark ground (#313338), 4.0 to white, and so 4.0 to the
white glyph on it. Colour is thus never what tells two dice apart; shape is.
"""

from typing import Final

from PIL import Image, ImageChops

Ink = tuple[int, int, int]

RED: Final[Ink] = (0xE2, 0x49, 0x4A)
GREEN: Final[Ink] = (0x0B, 0x93, 0x4B)
BLUE: Final[Ink] = (0x32, 0x80, 0xDD)
ORANGE: Final[Ink] = (0xC7, 0x64, 0x14)
VIOLET: Final[Ink] = (0x88, 0x6C, 0xE0)
TEAL: Final[Ink] = (0x00, 0x8E, 0x94)
SLATE: Final[Ink] = (0x6E, 0x81, 0x9A)
GREY: Final[Ink] = (0x7D, 0x80, 0x84)
WHITE: Final[Ink] = (0xFF, 0xFF, 0xFF)
GOLD: Final[Ink] = (0xFF, 0xC9, 0x3C)
GOLD_EDGE: Final[Ink] = (0xA7, 0x77, 0x00)

STEPS: Final = 9
"""From each body's ink to white."""
BODY_INKS: Final = (RED, GREEN, BLUE, ORANGE, VIOLET, TEAL, SLATE, GREY)


def between(start: Ink, end: Ink, share: float) -> Ink:
    """The mixture that holds ``share`` of ``end``."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(start, end, strict=True))
    return red, green, blue


def shade(ink: Ink) -> Ink:
    """The lower lip of a body."""
    return between(ink, (0, 0, 0), 0.22)


def pale(ink: Ink) -> Ink:
    """The chip of a ghost, and the glyph of a die that does not count."""
    return between(ink, WHITE, 7 / STEPS)


def faint(ink: Ink) -> Ink:
    """The panel of an empty face."""
    return between(ink, WHITE, 5 / STEPS)


# Inks meet only white, their own shade, or the ground. So these ramps hold every colour that reducing can give, nearly.
OPAQUE: Final = (
    WHITE,
    *(between(GOLD_EDGE, GOLD, step / 4) for step in range(5)),
    *(between(ink, WHITE, step / STEPS) for ink in BODY_INKS for step in range(STEPS)),
    *(between(ink, shade(ink), step / 2) for ink in BODY_INKS for step in (1, 2)),
)
EDGES: Final = (GOLD_EDGE, *(made for ink in BODY_INKS for made in (ink, shade(ink), pale(ink))))
LEVELS: Final = 6
"""Translucent steps between nothing and full, for each ink that borders on the ground."""
TRANSPARENT: Final = 0
FIRST_OPAQUE: Final = 1 + len(EDGES) * LEVELS

COLOURS: Final = bytes(
    part for ink in ((0, 0, 0), *(edge for edge in EDGES for _ in range(LEVELS)), *OPAQUE) for part in ink
)
ALPHAS: Final = bytes([0, *(round(255 * level / (LEVELS + 1)) for _ in EDGES for level in range(1, LEVELS + 1))])
"""As a PNG wants it: the opaque colours come last and are left out."""


def indexed(picture: Image.Image) -> Image.Image:
    """An RGBA drawing in these inks as an ``L`` image of indices into the shared palette, nearest colour each."""
    alpha = picture.getchannel("A")
    level = alpha.point([round(value * (LEVELS + 1) / 255) for value in range(256)])
    flat = picture.convert("RGB")
    edge = nearest(flat, EDGES, [1 + index * LEVELS for index in range(len(EDGES))])
    indices = ImageChops.add(edge, level, offset=-1)
    solid = nearest(flat, OPAQUE, [FIRST_OPAQUE + index for index in range(len(OPAQUE))])
    indices.paste(solid, mask=level.point([255 * (value > LEVELS) for value in range(256)]))
    indices.paste(TRANSPARENT, mask=level.point([255 * (value == 0) for value in range(256)]))
    return indices


def nearest(flat: Image.Image, inks: tuple[Ink, ...], indices: list[int]) -> Image.Image:
    """For each pixel the index that belongs to the nearest of ``inks``; ``L``."""
    chart = Image.new("P", (1, 1))
    chart.putpalette(bytes(part for ink in inks for part in ink))
    found = flat.quantize(palette=chart, dither=Image.Dither.NONE)
    numbers = Image.frombytes("L", found.size, found.tobytes())
    return numbers.point([*indices, *[TRANSPARENT] * (256 - len(indices))])
