"""`/roll`: any dice, in common dice bot notation. The message menu's “Roll this” rolls a message's text."""

import re
from collections.abc import Mapping
from typing import Final

import discord
from discord import app_commands
from discord.app_commands import Range
from discord.ext import commands

from bot.client import Client, Interaction
from bot.rules import anydice
from bot.rules.anydice import MAX_REQUEST, notation, play, systems, tree
from bot.rules.errors import AllowedWords, PlayerError, UnknownWordError
from bot.rules.text import EMPTY, Code, Shown, Text
from bot.ui.commands import options, saved_rolls
from bot.ui.commands.options import FORM, SECRET, CommandForm, CommandOption, Given, declaration, takes
from bot.ui.core import request_context
from bot.ui.roll import roll_message

KEY: Final = anydice.KEY
Request = Range[str, 1, MAX_REQUEST]


TOPIC: Final = re.compile(r"\bdice\s*:\s*(?P<name>[^\n.,;|]+)", re.IGNORECASE)
"""The name of a channel's system in its topic: ``dice: Daggerheart``."""


async def suggest_systems(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Suggest systems by title, the channel's first."""
    here = system_here(interaction)
    ordered = sorted(systems.SYSTEMS.values(), key=lambda system: (system.key != here, system.title))
    return options.matching_choices(typed, ((system.title, system.key) for system in ordered))


def system_here(interaction: Interaction) -> str:
    """Return the system named by the channel's topic; "" for none."""
    channel = interaction.channel
    topic = getattr(getattr(channel, "parent", None) or channel, "topic", None)
    match = TOPIC.search(topic or "")
    return key_of(match["name"]) if match else ""


def key_of(name: str) -> str:
    """Return a system's key by key, title, or alias; "" for none."""
    wanted = name.strip().casefold()
    return next(
        (system.key for system in systems.SYSTEMS.values() if wanted in (*system.names, system.title.casefold())), ""
    )


def with_system(words: Mapping[str, object], typed: str | None, here: str) -> dict[str, object]:
    """Fill in the system typed before the dice, or the channel's; without dice, it rolls its own or asks for values."""
    rest = {word: value for word, value in words.items() if word != "system"}
    if typed is None and "dice" in rest:
        return rest | ({"system": here} if here else {})
    if not (key := here if typed is None else key_of(typed)):
        if typed is None:
            raise PlayerError("Type what to roll in `dice`, for example `4d6kh3`, or name a game in `system`.")
        known = tuple(name for system in systems.SYSTEMS.values() for name in system.names)
        allowed = AllowedWords(known, Text("Choose one of the games that `system` suggests."))
        raise UnknownWordError("system", typed, allowed)
    return rest | {"dice": f"{key} {rest.get('dice', '')}".strip()}


OPTIONS: Final = (
    CommandOption(
        "dice",
        Range[str, 1, tree.MAX_TEXT],
        Text("What to roll: 4d6kh3, 1d20+5, 6d10>=7, 2d6!, d%, 4dF; or a saved roll"),
        suggest=saved_rolls.suggest_dice,
    ),
    CommandOption(
        "system",
        Range[str, 1, tree.MAX_LABEL],
        Text("Use a game's dice: Blades, Call of Cthulhu, Genesys…"),
        suggest=suggest_systems,
    ),
    CommandOption("label", Range[str, 1, tree.MAX_LABEL], Text("What it is for, shown with the result")),
    CommandOption("times", Range[int, 1, tree.MAX_TIMES], Text("How often to roll it. Default: once")),
    CommandOption(
        "faces", Range[str, 1, play.FACES_LONGEST], Text("Dice you rolled by hand, in the order they fell: 6 5 1")
    ),
    CommandOption("request", Request, Text("Ask people to roll it: @Ana +5, @Bo adv, @Cleo 2d6; or everybody")),
    CommandOption("odds", bool, Text("Show the exact odds instead of rolling"), False, word=""),
    *SECRET,
)
ALSO: Final = ("label", "times", "faces", "odds", "secret", "blind")
"""Options allowed with a saved roll's name."""
ASKED: Final[Mapping[str, tuple[Shown, Shown]]] = {
    "dice": (Text("Dice, or a saved roll"), Code("4d6kh3")),
    "system": (Text("Use a game's dice"), Code("Blades")),
    "label": (Text("What it is for"), EMPTY),
    "times": (Text("How often"), Code("1")),
    "request": (Text("Who should roll it"), EMPTY),
}
"""Fields of the form for a command without options, each with label and example."""
FIELDS: Final = tuple(option.field(*ASKED[option.name]) for option in OPTIONS if option.name in ASKED)
ROLL_FORM: Final = {FORM: CommandForm(Text("Roll any dice"), FIELDS)}


class Roll(commands.Cog):
    """Dice outside the other games."""

    @app_commands.command(description="Roll any dice: 4d6kh3, 2d20kl1+5, 6d10>=7, 4dF, 3#1d20+4", extras=ROLL_FORM)
    @takes(*OPTIONS)
    async def roll(self, interaction: Interaction, given: Given) -> None:
        secrecy = given["secrecy"]
        typed = {word: value for word, value in declaration(given, *OPTIONS).items() if value is not None}
        words = with_system(typed, given["system"], system_here(interaction))
        if given["request"] is not None:
            if secrecy is not None:
                await request_context.require_gm(interaction)
            await roll_message.open_typed(interaction, KEY, words | {"at_once": secrecy is not None}, secrecy=secrecy)
            return
        line = given["dice"] if given["system"] is None else None
        if line is not None and (named := await saved_rolls.find_saved(interaction, line)) is not None:
            also = {name: given[name] for name in ALSO if given[name]}
            await saved_rolls.run(interaction, named, also)
            return
        if given["odds"]:
            numbered, _ = request_context.number_people(await request_context.with_mentions(interaction, words))
            await roll_message.show_odds(interaction, KEY, await roll_message.declare(interaction, KEY, numbered))
        else:
            await roll_message.open_typed(interaction, KEY, words, secrecy=secrecy)


async def roll_this(interaction: Interaction, message: discord.Message) -> None:
    result = notation.find(message.content)
    if result is None:
        raise PlayerError(Text("I found no dice in this message. Type `/roll` with dice like `4d6kh3` or `1d20+5`."))
    await roll_message.open_roll(interaction, KEY, await roll_message.declare(interaction, KEY, {"dice": result}))


async def setup(client: Client) -> None:
    await client.add_cog(Roll())
    client.tree.add_command(app_commands.ContextMenu(name="Roll this", callback=roll_this))
