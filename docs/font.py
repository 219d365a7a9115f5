# ruff: noqa: INP001 - a script, no package
"""Cuts `bot/render/fonts/Inter.woff2` out of Inter, as npm's package `inter-ui` has it.

    npm pack inter-ui@4.1.1 && tar xzf inter-ui-4.1.1.tgz
    python -m venv cut && cut/bin/pip install fonttools brotli
    cut/bin/python docs/font.py package/variable/InterVariable.woff2 bot/render/fonts/Inter.woff2

Kept are Latin, Greek, Cyrillic and the signs of our cards, in all weights from regular to bold, at the size for text.
Its digits are all equally wide, so that numbers stand below each other wherever they are written.
"""

import io
import sys
from collections.abc import Iterator
from typing import Final

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

KEPT: Final = (
    (0x20, 0x7E),  # ASCII
    (0xA0, 0x17F),  # Latin
    (0x218, 0x21B),
    (0x1E9E, 0x1E9E),
    (0x2C6, 0x2DD),
    (0x370, 0x52F),  # Greek and Cyrillic
    (0x2010, 0x205E),  # punctuation
    (0x2070, 0x209C),  # small digits
    (0x20AC, 0x20AC),
    (0x2122, 0x2122),
    (0x2150, 0x215E),  # fractions
    (0x2190, 0x2199),  # arrows
    (0x2212, 0x2212),
    (0x221E, 0x221E),
    (0x2248, 0x2265),  # comparisons
    (0x25A0, 0x25CF),  # shapes
    (0x2605, 0x2606),
    (0x2713, 0x2717),
)


def letters() -> Iterator[int]:
    for first, last in KEPT:
        yield from range(first, last + 1)


def cut(source: str, result: str) -> None:
    weights = instancer.instantiateVariableFont(TTFont(source), {"opsz": 14, "wght": (400, 700)})
    for table in weights["cmap"].tables:
        table.cmap.update(
            {code: f"{name.removesuffix('.tf')}.tf" for code, name in table.cmap.items() if 0x30 <= code <= 0x39}
        )
    between = io.BytesIO()
    weights.flavor = None
    weights.save(between)
    font = TTFont(between)
    options = subset.Options(layout_features=["kern", "ccmp", "mark"], hinting=False, notdef_outline=True)
    options.name_IDs = [*range(7), 13, 14]
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=letters())
    subsetter.subset(font)
    font.flavor = "woff2"
    font.save(result)


if __name__ == "__main__":
    cut(*sys.argv[1:])
