"""Every place that takes a file: whatever was attached, nothing in the process of the bot looks into it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import discord
import pytest
import simcord
from discord import app_commands

from bot.resources.worker_pool import UploadedFile
from tests.conftest import Club, said

ROOT: Final = Path(__file__).parents[2]
SHORT: Final = b"no such data"
"""It is shorter than what is read at once, if it is the text of a form."""
BOMB: Final = ("a.json", SHORT)
PLACES: Final[dict[tuple[str, str], dict[str, Any]]] = {
    ("duel import", "file"): {},
    ("infinity profile import", "file"): {"unit": "Fusiliers"},
    ("infinity profile import", "weapons"): {"unit": "Fusiliers", "file": ("units.json", b"{}")},
    ("ruleset import", "file"): {},
    ("xwing cards", "file"): {},
    ("xwing squad", "file"): {},
}
"""The options that take a file, and what else a command with one needs."""
FETCHED: Final = re.compile(r"await (?!request)\w+\.read\(\)|\.to_file\(|await \w+\.save\(|Attachment\.|\.proxy_url")
"""How discord.py gives the content of an attachment."""


def options_with_files(tree: app_commands.CommandTree[Any]) -> Iterator[tuple[str, str]]:
    for command in tree.walk_commands():
        if isinstance(command, app_commands.Command):
            for parameter in command.parameters:
                if parameter.type is discord.AppCommandOptionType.attachment:
                    yield command.qualified_name, parameter.display_name


async def test_these_are_all_places_that_take_a_file(club: Club) -> None:
    bot: Any = club.env.bot
    assert sorted(options_with_files(bot.tree)) == sorted(PLACES)


@pytest.mark.parametrize(("command", "option"), PLACES)
async def test_a_short_file_is_opened_by_a_worker_only(
    club: Club, gm: simcord.MemberActor, command: str, option: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What this process makes of ``UploadedFile`` counts here; a worker has a class of its own."""
    opened = list[str]()
    whole = UploadedFile.read_text

    def spied(self: UploadedFile) -> str | bytes:
        result = whole(self)  # raises for the question that is tried at once
        opened.append(self.name)
        return result

    monkeypatch.setattr(UploadedFile, "read_text", spied)
    answer = said(await gm.slash(club.channel, command, **PLACES[command, option], **{option: BOMB}))
    assert "Something broke" not in answer
    assert not opened


def test_one_module_fetches_what_was_attached() -> None:
    fetching = {
        path.relative_to(ROOT).as_posix()
        for folder in ("bot", "cogs")
        for path in (ROOT / folder).rglob("*.py")
        if FETCHED.search(path.read_text(encoding="utf-8"))
    }
    assert fetching == {"bot/ui/core/uploads.py"}
