"""PNGs joined from bands that were deflated before: most pictures hold strips of dice that others have shown.

The image data of a PNG is one zlib stream: a header, deflated blocks, and the Adler-32 checksum of all the bytes before
they were deflated. A band ends in a full flush, so its blocks begin and end at a byte and refer to nothing before them
(RFC 1951): bands can stand one after the other in any picture of the same width. Only the checksums must be combined.
"""

import zlib
from collections.abc import Sequence
from struct import pack
from typing import Final, NamedTuple

from PIL import Image

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
INDEXED: Final = (8, 3, 0, 0, 0)
"""Bits of an index, and colour type 3: indices into a palette (PNG specification, 11.2.2)."""
ZLIB_HEADER: Final = b"\x78\x9c"
LAST_BLOCK: Final = b"\x03\x00"
"""An empty block that says that it is the last one."""
LEVEL: Final = 1
"""For a row of dice the next two save a sixth of the size and take twice as long; still higher ones take far longer."""
MEMORY: Final = 6
"""Of zlib's table that finds matches: a larger one is slower for these pictures and saves less than a hundredth."""
AT_ONCE: Final = 32
"""Rows that are copied out of an image at once: new memory for all of them would take as long as deflating them."""
ADLER: Final = 65521


class Band(NamedTuple):
    """Rows of pixels from one edge of a picture to the other: how many, deflated, with the checksum and size before."""

    rows: int
    deflated: bytes
    adler: int
    size: int


def band(image: Image.Image) -> Band:
    """An ``L`` image of palette indices as a band."""
    width = image.width + 1  # each row of a PNG begins with its filter: 0, none
    filtered = Image.new("L", (width, min(AT_ONCE, image.height)))
    packer, adler = zlib.compressobj(LEVEL, wbits=-zlib.MAX_WBITS, memLevel=MEMORY), 1
    deflated = list[bytes]()
    for top in range(0, image.height, AT_ONCE):
        filtered.paste(image, (1, -top))
        rows = filtered.tobytes()[: (image.height - top) * width]
        adler = zlib.adler32(rows, adler)
        deflated.append(packer.compress(rows))
    return Band(image.height, b"".join((*deflated, packer.flush(zlib.Z_FULL_FLUSH))), adler, image.height * width)


def joined(width: int, bands: Sequence[Band], colours: bytes, alphas: bytes) -> bytes:
    """A PNG of the bands from top to bottom; colours and opacities as in ``palette``."""
    adler = 1
    for one in bands:
        adler = combined(adler, one.adler, one.size)
    data = b"".join((ZLIB_HEADER, *(one.deflated for one in bands), LAST_BLOCK, pack(">I", adler)))
    head = pack(">II5B", width, sum(one.rows for one in bands), *INDEXED)
    chunks = ((b"IHDR", head), (b"PLTE", colours), (b"tRNS", alphas), (b"IDAT", data), (b"IEND", b""))
    checked = ((kind, body, zlib.crc32(body, zlib.crc32(kind))) for kind, body in chunks)
    return SIGNATURE + b"".join(pack(">I", len(body)) + kind + body + pack(">I", crc) for kind, body, crc in checked)


def combined(first: int, second: int, size: int) -> int:
    """The Adler-32 of two texts joined, from that of each and the size of the second.

    The low half of an Adler-32 is 1 + the sum of all bytes; the high half is the sum of the low halves after each byte
    (RFC 1950). Joined, the low halves of the second text are higher by what the first one left: (its low half - 1) at
    each of ``size`` bytes.
    """
    left = (first & 0xFFFF) - 1
    low = (left + (second & 0xFFFF)) % ADLER
    high = ((first >> 16) + (second >> 16) + left * size) % ADLER
    return high << 16 | low
