"""``python -m bot.languages.compiling``: compiles the catalogues that are newer than what was compiled of them.

The package is built by this (``hatch_build.py``), and so does ``make`` before it starts the bot or its tests.
"""

import io
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent


def compile_catalogues(folder: Path = FOLDER) -> list[Path]:
    """Write a ``.mo`` file beside each ``.po`` file that has none, or an older one. Returns what was written.

    Entries marked as fuzzy are left out: nobody has looked at them yet.
    """
    written = []
    for source in sorted(folder.glob("*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
            continue
        from babel.messages import mofile, pofile

        with source.open("rb") as file:
            catalogue = pofile.read_po(file)
        made = io.BytesIO()
        mofile.write_mo(made, catalogue)
        part = target.with_suffix(".part")
        part.write_bytes(made.getvalue())
        part.replace(target)  # at once: somebody may be reading it
        written.append(target)
    return written


if __name__ == "__main__":
    compile_catalogues()
