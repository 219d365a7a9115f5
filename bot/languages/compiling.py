"""``python -m bot.languages.compiling``: compiles outdated catalogs. The package build does this (``hatch_build.py``),
and ``make`` before it starts the bot or tests.
"""

import io
import tomllib
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent
TABLE: Final = FOLDER / "contexts.toml"
SHORT: Final = 4
"""A message of fewer words is ambiguous: its entry has a context."""


def contexts() -> dict[str, str]:
    """Return the default context of short messages: message to context."""
    groups: dict[str, list[str]] = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return {message: context for context, messages in groups.items() for message in messages}


def compile_catalogs(folder: Path = FOLDER) -> list[Path]:
    """Write a ``.mo`` file for each ``.po`` file without a current one; return them.

    Fuzzy entries are left out. A context is part of the key if the code marks it; those of the table are for
    translators only.
    """
    written = []
    known: dict[str, str] = {}
    for source in sorted(folder.glob("*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        newest = max(path.stat().st_mtime for path in (source, TABLE))
        if target.exists() and target.stat().st_mtime >= newest:
            continue
        from babel.messages import mofile, pofile

        known = known or contexts()
        with source.open("rb") as file:
            catalog = pofile.read_po(file)
        for entry in [item for item in catalog if item.context]:
            if isinstance(entry.id, str) and entry.context == known.get(entry.id):
                catalog.delete(entry.id, entry.context)
                catalog.add(entry.id, entry.string, flags=entry.flags)
        result = io.BytesIO()
        mofile.write_mo(result, catalog)
        part = target.with_suffix(".part")
        part.write_bytes(result.getvalue())
        part.replace(target)  # atomic: another process may be reading it
        written.append(target)
    return written


if __name__ == "__main__":
    compile_catalogs()
