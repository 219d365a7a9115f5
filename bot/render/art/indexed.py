"""Pictures of at most 256 colours, each with a palette of its own, and several of them in one PNG."""

from collections.abc import Sequence
from io import BytesIO
from typing import Final, NamedTuple

from PIL import Image

Colour = tuple[int, int, int, int]
"""Red, green, blue and opacity."""
CLEAR: Final[Colour] = (0, 0, 0, 0)
COLOURS_MOST: Final = 256


class Indexed(NamedTuple):
    """An ``L`` image of indices into ``colours``, three bytes each; the first ones have an opacity in ``alphas``."""

    image: Image.Image
    colours: bytes
    alphas: bytes

    def colour(self, index: int) -> Colour:
        red, green, blue = self.colours[index * 3 : index * 3 + 3]
        alpha = self.alphas[index] if index < len(self.alphas) else 255
        return (red, green, blue, alpha) if alpha else CLEAR


def png(picture: Indexed) -> bytes:
    return saved(picture.image, picture.colours, picture.alphas)


def stacked(pictures: Sequence[Indexed], gap: int) -> bytes:
    """A PNG of all pictures, one beneath the other from the left edge, ``gap`` pixels of transparent ground between.

    It has one palette of the colours that are used; more than a palette holds make a true-colour PNG.
    """
    used = [{index: picture.colour(index) for index in indices(picture.image)} for picture in pictures]
    palette = sorted({CLEAR, *(colour for found in used for colour in found.values())}, key=lambda colour: colour[3])
    size = max(one.image.width for one in pictures), sum(one.image.height + gap for one in pictures) - gap
    if len(palette) > COLOURS_MOST:
        return saved(piled([true_colours(picture) for picture in pictures], Image.new("RGBA", size), gap))
    places = {colour: place for place, colour in enumerate(palette)}
    again = [
        one.image.point([places[found.get(index, CLEAR)] for index in range(256)])
        for one, found in zip(pictures, used, strict=True)
    ]
    canvas = piled(again, Image.new("L", size, places[CLEAR]), gap)
    opacities = bytes(colour[3] for colour in palette if colour[3] < 255)
    return saved(canvas, bytes(part for colour in palette for part in colour[:3]), opacities)


def indices(image: Image.Image) -> list[int]:
    """Those that occur in it."""
    return [index for index, count in enumerate(image.histogram()) if count]


def piled(images: Sequence[Image.Image], canvas: Image.Image, gap: int) -> Image.Image:
    top = 0
    for image in images:
        canvas.paste(image, (0, top))
        top += image.height + gap
    return canvas


def true_colours(picture: Indexed) -> Image.Image:
    again = picture.image.copy()
    again.putpalette(picture.colours)
    again.info["transparency"] = picture.alphas
    return again.convert("RGBA")


def saved(image: Image.Image, colours: bytes = b"", alphas: bytes = b"") -> bytes:
    """The PNG; an image with colours becomes an indexed one."""
    out = BytesIO()
    if not colours:
        image.save(out, "PNG", compress_level=3)
        return out.getvalue()
    again = image.copy()
    again.putpalette(colours)
    again.save(out, "PNG", transparency=alphas, compress_level=3)
    return out.getvalue()
