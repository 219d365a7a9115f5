"""`/GAME profile`: the profiles of a channel, alike for every game, and the stats that Discord suggests from them."""

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from functools import partial
from typing import Any

from discord import app_commands
from discord.app_commands import Choice, Range

from bot.client import Interaction
from bot.games import GAMES
from bot.render import profiles as cards
from bot.rules import profile
from bot.rules.text import Code, Name, Shown, Text, english
from bot.sessions import events, tables
from bot.ui.commands.options import MISSING, CommandOption, Given, channel_pieces, matching_choices, names, takes
from bot.ui.core.request_context import NameOption, place, request
from bot.ui.roll.roll_message import show_card, show_change

Line = Range[str, 1, profile.MAX_LINE]
Numbers = Callable[[Interaction, str], Coroutine[Any, Any, list[Choice[int]]]]


class ProfileGroup(app_commands.Group):
    """The profile commands of one game. Each change is one step, which `/table undo` takes back."""

    def __init__(self, game: str) -> None:
        about = english(Text("Profiles in this channel: stats saved under a name"))
        super().__init__(name="profile", description=about)
        self.game = game
        self.title = GAMES[game].title
        self.pieces = pieces_of(game)

    async def suggest_profiles(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        return names(typed, sorted(await channel_pieces(interaction, self.game), key=str.casefold))

    NAME = CommandOption("name", NameOption, Text("Whose stats these are"), MISSING, suggest=suggest_profiles)
    STATS = CommandOption("stats", Line, Text("Each stat with its number, separated by commas"), MISSING)

    async def step(self, interaction: Interaction, what: Shown, change: tables.Change) -> events.PiecesChanged:
        return await interaction.client.tables.step(await request(interaction), self.game, what, change)

    @app_commands.command(name="set", description="Save a profile; replaces any profile with the same name")
    @takes(NAME, STATS)
    async def set_(self, interaction: Interaction, given: Given) -> None:
        named_profile = self.pieces.parse(given["name"], given["stats"])
        what = Text("saves {made}: {write}", made=named_profile.name, write=Code(profile.write(named_profile)))
        await self.step(interaction, what, lambda now: profile.add_or_replace(now, named_profile))
        done = Text("{made} is saved.", made=named_profile.name)
        await show_change(interaction, cards.step(self.title, done, {named_profile.name: named_profile}))

    @app_commands.command(description="Remove a profile from this channel")
    @takes(NAME.with_description(Text("Which profile")))
    async def remove(self, interaction: Interaction, given: Given) -> None:
        name = given["name"]
        what = Text("removes {name}", name=name)
        step = await self.step(interaction, what, lambda now: {profile.find(now, name).name: None})
        gone = profile.find(step.before, name).name
        await show_change(interaction, cards.step(self.title, Text("{gone} is removed.", gone=gone), {}))

    @app_commands.command(name="list", description="All profiles in this channel with their stats")
    async def list_(self, interaction: Interaction) -> None:
        kept = await interaction.client.tables.pieces(place(interaction), self.game)
        await show_card(interaction, cards.board(self.title, Text("/{game} profile set", game=Code(self.game)), kept))


def suggest_stats(game: str, *options: str) -> dict[str, Numbers]:
    """Return suggestions for ``CommandOption.suggest``: matching stats, such as ``Angus: BS 12``."""
    pieces = pieces_of(game)
    return {option: numbers(partial(channel_pieces, game=game), pieces.stats_for(option)) for option in options}


def pieces_of(game: str) -> profile.Profiles:
    table = GAMES[game].table
    pieces = None if table is None else table.pieces
    assert isinstance(pieces, profile.Profiles), "only games with profiles have such commands"  # noqa: S101 - states the caller
    return pieces


def numbers(profiles: Callable[[Interaction], Awaitable[Mapping[str, Any]]], stats: tuple[str, ...]) -> Numbers:
    """Suggests these stats of ``profiles``: pieces with a name and stats, by name."""

    async def suggested(interaction: Interaction, typed: str) -> list[Choice[int]]:
        kept = sorted((await profiles(interaction)).values(), key=lambda item: item.name.casefold())
        every = ((item, stat) for item in kept for stat in stats if stat in item.stats)
        return matching_choices(
            typed, ((Name(f"{item.name}: {stat} {item.stats[stat]}"), item.stats[stat]) for item, stat in every)
        )

    return suggested
