"""`/albion`: one roll of three dice decides the hit and the focus point."""

from functools import partial
from typing import Final

from discord import app_commands
from discord.app_commands import Choice, Range
from discord.ext import commands

from bot.client import Client, Interaction
from bot.render import albion as cards
from bot.rules import albion, profile
from bot.rules.albion import KEY, PROFILES
from bot.rules.text import Code, Shown, Text, english
from bot.sessions import events, tables
from bot.ui.commands import options
from bot.ui.commands.options import MISSING, SECRET, CommandOption, Given, declaration, takes
from bot.ui.core.request_context import NameOption, place, request
from bot.ui.roll import roll_message

channel_profiles: Final = partial(options.channel_pieces, game=KEY)


async def suggest_profiles(interaction: Interaction, typed: str) -> list[Choice[str]]:
    return options.names(typed, sorted(await channel_profiles(interaction), key=str.casefold))


def stat(name: str, about: Shown) -> CommandOption:
    suggest = options.numbers(channel_profiles, (name.capitalize(),))
    return CommandOption(name, Range[int, 0, albion.MAX_STAT], about, MISSING, suggest=suggest)


TARGET: Final = (
    stat("agility", Text("The target's Agility: 18 Evasiveness per point, 36 if it dodges")),
    stat("stealth", Text("The target's Stealth: 18 Evasiveness per point")),
    CommandOption("dodging", bool, Text("The target dodges, so its Agility counts twice"), False),
)
ATTACKER: Final = (
    stat("awareness", Text("Your Awareness: 18 Seeker Skill per point, half of which counts")),
    stat("strength", Text("Your Strength: 18 Seeker Skill per point, half of which counts")),
)
POWER: Final = CommandOption(
    "power",
    Range[int, 0, albion.MAX_POWER],
    Text("Total Active Power of your action. Default: show only the multiplier"),
)
FACES: Final = CommandOption(
    "faces", Range[str, 5, 20], Text("Dice you rolled by hand: Dx36, Dx6, and Dx1, for example 72 0 1")
)
NAME: Final = CommandOption("name", NameOption, Text("Whose stats these are"), MISSING, suggest=suggest_profiles)
STATS: Final = CommandOption(
    "stats", Range[str, 1, profile.MAX_LINE], Text("Each stat with its number, separated by commas"), MISSING
)
ABOUT_PROFILES: Final = english(Text("Profiles in this channel: stats saved under a name"))


class ProfileGroup(app_commands.Group):
    """The channel's profiles. Each change is a table step, which `/table undo` reverts."""

    async def step(self, interaction: Interaction, what: Shown, change: tables.Change) -> events.PiecesChanged:
        return await interaction.client.tables.step(await request(interaction), KEY, what, change)

    @app_commands.command(name="set", description="Save a profile; replaces any profile with the same name")
    @takes(NAME, STATS)
    async def set_(self, interaction: Interaction, given: Given) -> None:
        named_profile = PROFILES.parse(given["name"], given["stats"])
        what = Text("saves {made}: {write}", made=named_profile.name, write=Code(profile.write(named_profile)))
        await self.step(interaction, what, lambda now: profile.add_or_replace(now, named_profile))
        done = Text("{made} is saved.", made=named_profile.name)
        await roll_message.show_change(interaction, cards.profiles_step(done, {named_profile.name: named_profile}))

    @app_commands.command(description="Remove a profile from this channel")
    @takes(NAME.with_description(Text("Which profile")))
    async def remove(self, interaction: Interaction, given: Given) -> None:
        name = given["name"]
        what = Text("removes {name}", name=name)
        step = await self.step(interaction, what, lambda now: {profile.find(now, name).name: None})
        gone = profile.find(step.before, name).name
        await roll_message.show_change(interaction, cards.profiles_step(Text("{gone} is removed.", gone=gone), {}))

    @app_commands.command(name="list", description="All profiles in this channel with their stats")
    async def list_(self, interaction: Interaction) -> None:
        kept = await interaction.client.tables.pieces(place(interaction), KEY)
        await roll_message.show_card(interaction, cards.profiles_card(kept))


class Albion(commands.GroupCog, group_name="albion", group_description="Albion: Hit Chance and Focus Point"):
    """One roll decides whether an action hits, and whether it hits a focus point."""

    profile = ProfileGroup(name="profile", description=ABOUT_PROFILES)

    @app_commands.command(description="Roll Dx36 + Dx6 + Dx1: does your action hit, and is it a focus point?")
    @takes(*TARGET, *ATTACKER, POWER, FACES, *SECRET)
    async def attack(self, interaction: Interaction, given: Given) -> None:
        words = sides(given) | declaration(given, POWER, FACES)
        await roll_message.open_words(interaction, KEY, words, secrecy=given["secrecy"])

    @app_commands.command(description="Exact odds of an action: miss, hit, and focus point")
    @takes(*TARGET, *ATTACKER)
    async def odds(self, interaction: Interaction, given: Given) -> None:
        await roll_message.show_odds(interaction, KEY, await roll_message.declare(interaction, KEY, sides(given)))


def sides(given: Given) -> dict[str, object]:
    return {"target": declaration(given, *TARGET), "attacker": declaration(given, *ATTACKER)}


async def setup(client: Client) -> None:
    await client.add_cog(Albion())
