"""Uploaded files: checked for size, then opened in another process.

For army data, squads, card sets, and rulesets. This process never opens a file, because few bytes may unpack to many.
Only a form's short text is parsed here. A file that exceeds its reader's time or memory gives its sender an error,
without affecting others.

Files are command options, not form fields: discord.py 2.7.1 lacks ``file_types``, which would filter them.
"""

from collections.abc import Callable
from functools import partial
from typing import Final, TypeVar

import discord

from bot.client import Interaction
from bot.resources.worker_pool import UploadedFile, read_opened
from bot.rules.errors import BadInputError
from bot.rules.text import Count, Numeral, Shown, Text
from bot.ui.core.request_context import asker

Result = TypeVar("Result")

MOST: Final = 200_000
"""Default maximum bytes of a file."""


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
    """Parse texts and files (as text or bytes) with a module-level ``reader``. Raises its errors, ``BadInputError`` for
    a file that isn't text, and ``ComputationError`` if it costs too much, or the person's previous one is still
    running.
    """
    question = partial(read_opened, reader, *given)
    return await interaction.client.readers.run(question, asked_by=asker(interaction))
