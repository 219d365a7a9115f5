"""Keeps out of the memory what SQLAlchemy imports and nothing here uses."""

import sys
from types import ModuleType
from typing import Final

OF_THE_ORM: Final = ("sqlalchemy.ext.asyncio.scoping", "sqlalchemy.ext.asyncio.session")
"""Modules that only offer the ORM to asyncio. The package beside them imports both, and so the whole ORM."""


class Unused(ModuleType):
    """A module that has every name, and nothing behind any of them."""

    def __getattr__(self, name: str) -> None:
        if name.startswith("__"):
            raise AttributeError(name)


def without_orm() -> None:
    """To be called before anything imports ``sqlalchemy.ext.asyncio``, else it changes nothing.

    Importing the ORM takes 6 MiB and 0.05 s of each start. Whoever asks for it by its own name still gets it.
    """
    for name in OF_THE_ORM:
        sys.modules.setdefault(name, Unused(name))
