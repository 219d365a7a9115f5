"""The environment variables that processes which the bot starts may read: none of its settings, and no secret."""

import os
from typing import Final

INHERITED: Final = frozenset({"PATH", "HOME", "LANG", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "VIRTUAL_ENV"})
"""Variables that a program needs to be found, to find its files, and to know the machine's language and time."""
PREFIXES: Final = ("LC_", "PYTHON")


def inherited_variables(*prefixes: str) -> dict[str, str]:
    """Return this process's variables that another one may have. ``prefixes``: of more that it needs."""
    kept = (*PREFIXES, *prefixes)
    return {name: value for name, value in os.environ.items() if name in INHERITED or name.startswith(kept)}
