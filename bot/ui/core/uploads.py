"""The one door for files that people attach: their size is asked first, and then a process of its own opens them.

Army data, squads, card sets and rulesets come this way. Nothing in this process looks into a file, because few bytes
may unpack to very many. Only a short text of a form is read at once. A file that a reader cannot finish in its time or
memory costs its sender a sentence, and everybody else nothing.

Files are options of commands. No form takes one: discord.py 2.7.1 has no ``file_types``, with which Discord would offer
only files of the right kind there.
"""

from collections.abc import Callable
from typing import Final, TypeVar

import discord

from bot.client import Interaction
from bot.resources.worker_pool import UploadedFile, reading
from bot.rules.errors import BadInputError
from bot.rules.text import Count, Numeral, Shown, Text
from bot.ui.core.request_context import asker

Result = TypeVar("Result")

MOST: Final = 200_000
"""Bytes of a file, where nothing else is said."""


async def fetch(
    interaction: Interaction, file: discord.Attachment, what: Shown, most: int = MOST, *, is_text: bool = True
) -> UploadedFile:
    """Fetch an attached file. Raises ``BadInputError`` if too large or gone, ``ComputationError`` if unreadable now."""
    if file.size > most:
        wanted = Text("Use at most {most} bytes of {what}.", most=Numeral(f"{most:,}"), what=what)
        raise BadInputError("file", Count(file.size, "byte", "bytes"), wanted)
    interaction.client.readers.admit(asker(interaction))
    try:
        return UploadedFile(name=file.filename, content=await file.read(), what=what, is_text=is_text)
    except discord.HTTPException as error:
        wanted = Text("Discord didn't give me that file. Please attach it again.")
        raise BadInputError("file", file.filename, wanted) from error


async def read(interaction: Interaction, reader: Callable[..., Result], *given: str | UploadedFile) -> Result:
    """Parse texts and files (as text, or as bytes) with ``reader``, a function that a module holds.

    Raises what it raises, ``BadInputError`` for a file that isn't text, and ``ComputationError`` if it costs too much,
    or while the same person's last ones are still being read.
    """
    return await interaction.client.readers.run(reading(reader, *given), asked_by=asker(interaction))
