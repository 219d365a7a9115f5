"""`/help`, as people type it."""

from collections.abc import Iterator
from typing import Any

import discord
import pytest
from discord import app_commands

from bot.games import GAMES, by_command
from bot.ui.names import escape_markdown
from cogs import help as cog
from tests.conftest import Club


def facts(club: Club) -> dict[str, str]:
    return {field.name or "": field.value or "" for field in club.embed.fields}


def leaves(command: Any) -> Iterator[list[str]]:
    """The words of a command's parts, as Discord got them."""
    parts = [one for one in command.get("options", ()) if one["type"] in (1, 2)]
    for part in parts:
        yield from ([command["name"], *words] for words in leaves(part))
    if not parts:
        yield [command["name"]]


async def test_help_names_every_command_that_is_registered(club: Club) -> None:
    await club.ana.slash(club.channel, "help")
    told = facts(club)
    assert list(told)[: len(by_command())] == [f"/{command}" for command in by_command()], "the games come first"
    tree: app_commands.CommandTree[Any] = club.env.bot.tree  # type: ignore[attr-defined]  # it is our App
    for command in (one.to_dict(tree) for one in tree.get_commands(type=discord.AppCommandType.chat_input)):
        shown = told[next(name for name in told if name.split()[0] == f"/{command['name']}")]
        assert all(part in shown for words in leaves(command) for part in words[1:])
    assert told["/xwing"].startswith("attack · ")
    assert "ship add, set, give, remove, list" in told["/xwing"]
    assert "All commands" in told["/help"]


@pytest.mark.parametrize("key", [*GAMES, cog.SHARED])
async def test_help_tells_every_command_with_its_options_and_fits(club: Club, key: str) -> None:
    await club.ana.slash(club.channel, "help", game=key)
    told = facts(club)
    assert "And more" not in told
    assert "…" not in "".join(told.values())
    assert len(club.embed) <= 6000
    for command in cog.slashes(club.env.bot):  # type: ignore[arg-type]  # it is our App
        names = {name for name in told if name.split(" (")[0] == f"/{command.qualified_name}"}
        root = command.qualified_name.split()[0]
        here = GAMES[key].slash if key in GAMES else ""
        assert bool(names) == (root == here or (key == cog.SHARED and root not in by_command()))
        for name in names:
            assert all(escape_markdown(one.display_name) in told[name] for one in command.parameters)


async def test_the_short_words_of_xwing_have_a_page_of_worked_examples(club: Club) -> None:
    await club.ana.slash(club.channel, "help", game="xwing-words")
    assert club.outcome == "X-Wing: what you can type in short words."
    told = facts(club)
    assert told["0 focus"] == "none in this attack, though the ship has one"
    assert "hull 3 shields 2" in " ".join(told)


async def test_an_option_that_may_be_left_out_stands_in_brackets(club: Club) -> None:
    await club.ana.slash(club.channel, "help", game="xwing")
    assert r"Options: ship, token, \[count]" in facts(club)["/xwing token give"]
    assert r"\[range]" in facts(club)["/xwing attack"], "as people see it"


async def test_the_averages_are_a_picture_with_words(club: Club) -> None:
    await club.ana.slash(club.channel, "help", game="xwing")
    (picture,) = club.card.attachments
    assert "hits 0.5, hits, focus 0.75" in (picture.description or "")


def test_what_only_servers_or_admins_have_says_so() -> None:
    async def nothing(_: discord.Interaction) -> None: ...

    group = app_commands.Group(
        name="rules",
        description="Rules",
        guild_only=True,
        default_permissions=discord.Permissions(manage_guild=True),
    )
    inner: cog.Slash = app_commands.Command(name="set", description="Sets", callback=nothing)
    group.add_command(inner)
    assert cog.registered(inner).only == ("servers only", "admins")
    assert cog.registered(app_commands.Command(name="free", description="Free", callback=nothing)).only == ()
