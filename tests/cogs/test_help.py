"""`/help`, as people type it."""

import re
from collections.abc import Iterator
from typing import Any

import discord
import pytest
import simcord
from discord import app_commands

from bot.games import GAMES, by_command
from bot.games.game import CommandPage
from bot.render import help as pages
from bot.rules.anydice.systems import SYSTEMS
from bot.rules.infinity.orders import typed_orders as infinity_words
from bot.runtime.app import App
from bot.ui.commands.options import Slash
from bot.ui.core.request_context import escape_markdown
from cogs import help as cog
from tests.conftest import Club, whispered

pytestmark = pytest.mark.one_bot


def facts(result: simcord.InteractionResult) -> dict[str, str]:
    return {field.name or "": field.value or "" for field in whispered(result).embeds[0].fields}


def leaves(command: Any) -> Iterator[list[str]]:
    """The words of a command's parts, as Discord got them."""
    parts = [item for item in command.get("options", ()) if item["type"] in (1, 2)]
    for part in parts:
        yield from ([command["name"], *words] for words in leaves(part))
    if not parts:
        yield [command["name"]]


async def test_the_first_page_says_how_others_are_asked_and_that_works(club: Club) -> None:
    told = "\n".join(facts(await club.ana.slash(club.channel, "help")).values())
    (typed,) = re.findall(r"request:(.+?)\.(?:\n|$)", told)
    await club.cleo.slash(club.channel, "roll", dice="1d20", request=typed)
    assert club.labels[:2] == ["Ana: roll", "Bo: roll"]


async def test_help_names_every_command_that_is_registered(club: Club) -> None:
    result = await club.ana.slash(club.channel, "help", game=cog.OVERVIEW)
    told = facts(result)
    assert list(told)[: len(GAMES)] == [f"/{game.slash}" for game in GAMES.values()], "the games come first"
    tree: app_commands.CommandTree[Any] = club.env.bot.tree  # type: ignore[attr-defined]  # it is our App
    for command in (item.to_dict(tree) for item in tree.get_commands(type=discord.AppCommandType.chat_input)):
        shown = told[next(name for name in told if name.split()[0] == f"/{command['name']}")]
        assert all(part in shown for words in leaves(command) for part in words[1:])
    assert told["/xwing"].startswith("attack · ")
    assert "ship add, set, give, remove, list" in told["/xwing"]
    assert "all commands" in told["/help"]


async def test_help_begins_with_what_to_do_first(club: Club) -> None:
    first = whispered(await club.ana.slash(club.channel, "help"))
    labels = [item.label for row in first.message.components for item in getattr(row, "children", ())]
    assert labels == ["Try it: X-Wing", "Try it: Infinity", "Roll 4d6, keep 3", "All commands"]
    club.dice.will_show(5, 4, 3, 0)
    await club.ana.click(first.message, label="Roll 4d6, keep 3")
    assert club.outcome == "Ana rolls 6 + 5 + 4 = 15."
    await club.ana.click(first.message, label="All commands")
    assert "/xwing" in str(club.sent["embeds"][0])


def commands_of(name: str) -> list[str]:
    """The commands of which a field tells; where and for whom one works stands behind it."""
    return [part.split(" (")[0] for part in name.split(pages.JOINED)]


@pytest.mark.parametrize("key", [*GAMES, cog.SHARED, cog.AT_THE_TABLE])
async def test_help_tells_every_command_with_its_options_and_fits(club: Club, key: str) -> None:
    result = await club.ana.slash(club.channel, "help", game=key)
    told = facts(result)
    assert "And more" not in told
    assert "…" not in "".join(told.values())
    assert len(whispered(result).embeds[0]) <= 6000
    for command in cog.slashes(app(club)):
        names = {name for name in told if f"/{command.qualified_name}" in commands_of(name)}
        root = command.qualified_name.split()[0]
        game = GAMES.get(key)
        page = cog.AT_THE_TABLE if root in pages.AT_THE_TABLE else cog.SHARED
        assert bool(names) == (root == game.slash if game is not None else root not in by_command() and page == key)
        for name in names:
            assert all(escape_markdown(parameter.display_name) in told[name] for parameter in command.parameters)


async def test_the_short_words_of_xwing_have_a_page_of_worked_examples(club: Club) -> None:
    result = await club.ana.slash(club.channel, "help", game="xwing-words")
    assert whispered(result).embeds[0].title == "X-Wing: short words you can type."
    told = facts(result)
    assert told["0 focus"] == "none in this attack, though the ship has one"
    assert "hull 3 shields 2" in " ".join(told)


async def test_an_option_that_may_be_left_out_stands_in_brackets(club: Club) -> None:
    result = await club.ana.slash(club.channel, "help", game="xwing")
    token = next(text for name, text in facts(result).items() if "/xwing token give" in commands_of(name))
    assert r"Options: ship, token, \[count]" in token
    assert r"\[range]" in facts(result)["/xwing attack"], "as people see it"


async def test_the_averages_are_a_picture_with_words(club: Club) -> None:
    result = await club.ana.slash(club.channel, "help", game="xwing")
    (picture,) = whispered(result).attachments
    assert "hits 0.5, hits, focus 0.75" in (picture.description or "")


def test_what_only_servers_or_admins_have_says_so() -> None:
    async def nothing(_: discord.Interaction) -> None: ...

    group = app_commands.Group(
        name="rules",
        description="Rules",
        guild_only=True,
        default_permissions=discord.Permissions(manage_guild=True),
    )
    inner: Slash = app_commands.Command(name="set", description="Sets", callback=nothing)
    group.add_command(inner)
    assert cog.describe_command(inner).only == ("servers only", "admins")
    assert cog.describe_command(app_commands.Command(name="free", description="Free", callback=nothing)).only == ()


async def test_a_select_turns_the_page_in_place(club: Club) -> None:
    result = await club.ana.slash(club.channel, "help", game=cog.OVERVIEW)
    turned = await club.ana.select(whispered(result), ["albion"], custom_id="rc1:help:page")
    assert club.channel.history(viewer=club.bo) == []
    assert turned.modal is None


@pytest.mark.parametrize(
    ("command", "_"), [example for game in GAMES.values() for example in game.help.worked_examples]
)
async def test_the_worked_examples_work(club: Club, command: str, _: str) -> None:
    club.dice.will_show(*(at % 4 for at in range(60)))
    name, options = typed(club, command)
    result = await club.ana.slash(club.channel, name, **options)
    club.dice.waiting.clear()
    assert result.modal is not None or club.channel.history(viewer=club.bo), "it opens a form, or all see a card"


def app(club: Club) -> App:
    assert isinstance(club.env.bot, App)
    return club.env.bot


def typed(club: Club, command: str) -> tuple[str, dict[str, Any]]:
    """The command and its options from a line as people type it."""
    result = next(slash for slash in cog.slashes(app(club)) if f"{command} ".startswith(f"/{slash.qualified_name} "))
    kinds = {parameter.display_name: parameter.type for parameter in result.parameters}
    parts = re.split(r" (\w+):", command.removeprefix(f"/{result.qualified_name}"))[1:]
    texts = dict(zip(parts[::2], parts[1::2], strict=True))
    as_kind = {discord.AppCommandOptionType.integer: int, discord.AppCommandOptionType.boolean: bool}
    return result.qualified_name, {key: as_kind.get(kinds[key], str)(text) for key, text in texts.items()}


@pytest.mark.parametrize(("text", "_"), GAMES["infinity"].help.examples)
def test_the_words_of_infinity_are_read(text: str, _: str) -> None:
    assert infinity_words.parse(text).lines


@pytest.mark.parametrize("key", GAMES)
def test_each_game_that_has_worked_examples_has_three_and_words(key: str) -> None:
    worked, words, notes = GAMES[key].help.worked_examples, GAMES[key].help.examples, GAMES[key].help.notes
    assert (len(worked), len(words) >= 3 or bool(notes)) in ((3, True), (0, False)), (
        "on a page of its own, or its notes"
    )


SYSTEM_PAGES = [page for game in GAMES.values() for page in game.help.systems]


def test_the_dice_of_every_game_have_a_place_on_a_page() -> None:
    rolled = {line for page in SYSTEM_PAGES for _, line, _ in page.commands}
    assert all(f"/roll dice:{system.examples[0][0]}" in rolled for system in SYSTEMS.values())
    assert all(len(page.commands) <= 20 for page in SYSTEM_PAGES), "a message has no more buttons below a select"
    assert len(cog.PAGES) + 2 <= 25, "a select has no more, and a game or two may come"


@pytest.mark.parametrize("page", SYSTEM_PAGES, ids=lambda page: page.key)
async def test_each_roll_of_a_page_can_be_pressed(club: Club, page: CommandPage) -> None:
    result = await club.ana.slash(club.channel, "help", game=f"{cog.SYSTEM}{page.key}")
    assert list(facts(result)) == [escape_markdown(line) for _, line, _ in page.commands]
    for label, _, _ in page.commands:
        club.dice.waiting.clear()
        club.dice.will_show(*[1] * 60)
        await club.ana.click(whispered(result), label=label)
        assert (club.embed.author.name or "").startswith("Any dice · ")
        assert club.channel.history(viewer=club.bo), "everybody sees the roll"
    club.dice.waiting.clear()
