"""The one door for what people send and may be large: its size is asked first, and then a process of its own reads it.

Army data, squads and rulesets come this way, pasted or attached. A short text is read at once. A file that a reader
cannot finish in its time or memory costs its sender a sentence, and everybody else nothing.
"""

from collections.abc import Callable
from typing import Final, TypeVar

import discord

from bot.client import Interaction
from bot.rules.errors import BadInput
from bot.rules.text import Count, Numeral, Text
from bot.workers import reading

Result = TypeVar("Result")

MOST: Final = 200_000
"""Bytes of a file, where nothing else is said."""


async def text_of(file: discord.Attachment, what: str, most: int = MOST) -> str:
    """An attached file as text; ``what`` it should hold. Raises ``BadInput`` if it is too large, no text, or gone."""
    try:
        return (await bytes_of(file, what, most)).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput("file", file.filename, Text("Use a text file in UTF-8 with {what}.", what=what)) from error


async def bytes_of(file: discord.Attachment, what: str, most: int = MOST) -> bytes:
    """An attached file as it is; ``what`` it should hold. Raises ``BadInput`` if it is too large, or gone."""
    if file.size > most:
        raise BadInput(
            "file",
            Count(file.size, "byte", "bytes"),
            Text("Use at most {most} bytes of {what}.", most=Numeral(f"{most:,}"), what=what),
        )
    try:
        return await file.read()
    except discord.HTTPException as error:
        raise BadInput(
            "file", file.filename, Text("Use a file that Discord gives me; please attach it again.")
        ) from error


async def read(interaction: Interaction, reader: Callable[..., Result], *given: str | bytes) -> Result:
    """What ``reader``, a function that a module holds, makes of the texts or files.

    Raises what it raises, and ``NotCounted`` for texts that cost too much, or while the same person's last ones are
    still being read.
    """
    return await interaction.client.readers.count(reading(reader, *given), asked_by=interaction.user.id)
