"""Where army data comes from: a file that is attached, what a GM gave this server once, or the host's folder."""

from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

import discord

from bot.client import Interaction
from bot.odds.effort import check
from bot.rules.errors import BadInput, PlayerError
from bot.rules.infinity import army
from bot.rules.infinity.army import ArmyList
from bot.rules.infinity.trooper import Trooper
from bot.rules.text import Name, Text
from bot.sessions.kept_files import TooMuchKept
from bot.ui import files
from bot.ui.place import is_gm, place
from bot.workers import Sent

KIND: Final = "infinity army "
"""In front of an army's name, as its codes have it: the kind of a file that a server keeps."""


async def fetch(interaction: Interaction, attached: tuple[discord.Attachment | None, ...]) -> list[Sent]:
    """The attached files, unopened."""
    what, there = Text("army data in JSON"), [one for one in attached if one is not None]
    return [await files.fetch(interaction, one, what, army.FILE_MOST) for one in there]


async def troopers_of(interaction: Interaction, code: str, sent: list[Sent]) -> tuple[Trooper, ...]:
    """The troopers of an army code. Without files: from what this server keeps, else from the host's folder.

    Files that a GM attaches with a code are kept for the server, so that later codes of that army need none. Raises
    ``PlayerError`` where there is no data, or it lacks a unit.
    """
    listed, guild = army.decode(code), place(interaction).guild_id
    kind = KIND + listed.army.casefold()
    if sent:
        found = await files.read(interaction, army.read_list, code, *sent)
        if guild is not None and await is_gm(interaction):
            with suppress(TooMuchKept):  # then the next code needs the file once more
                await interaction.client.kept_files.put(guild, kind, await files.read(interaction, army.merged, *sent))
        return found
    kept = "" if guild is None else await interaction.client.kept_files.text(guild, kind)
    if kept:
        return await files.read(interaction, army.read_list, code, kept)
    if interaction.client.armies.is_dir():
        return await files.read(interaction, partial(from_folder, interaction.client.armies), code)
    raise no_data(listed)


def from_folder(folder: Path, code: str) -> tuple[Trooper, ...]:
    """The troopers of a code by the files of a folder: units of any file that has them all, weapons of any other.

    A file with the army's name in its own is tried first. Raises ``PlayerError`` where none fits.
    """
    check(1, 0)  # never at once: the files of a folder are large, however short the code is
    listed = army.decode(code)
    name = listed.army.casefold()
    found = sorted(folder.glob("*.json"), key=lambda one: (name not in one.stem.casefold(), one))
    texts = [one.read_text(encoding="utf-8-sig") for one in found if one.stat().st_size <= army.FILE_MOST]
    units = [text for text in texts if '"profileGroups"' in text]
    others = [text for text in texts if '"profileGroups"' not in text]
    for text in units:
        try:
            return army.read_list(code, text, *others)
        except BadInput:
            continue  # another army's
    raise no_data(listed)


def no_data(listed: ArmyList) -> PlayerError:
    return PlayerError(
        Text(
            "There is no data of {army} here yet. Attach its file as `file`; where a GM does so once, later codes of "
            "this army need none.",
            army=Name(listed.army) or Text("this army"),
        )
    )
