"""The environment variables for child processes: no settings of the bot, no secrets."""

import os
from typing import Final

INHERITED: Final = frozenset({"PATH", "HOME", "LANG", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "VIRTUAL_ENV"})
"""Variables for finding programs and files, and for the machine's language and time."""
PREFIXES: Final = ("LC_", "PYTHON")


def inherited_variables(*prefixes: str) -> dict[str, str]:
    """Return the inherited environment variables. ``prefixes``: of further ones."""
    kept = (*PREFIXES, *prefixes)
    return {name: value for name, value in os.environ.items() if name in INHERITED or name.startswith(kept)}
