"""`/roll`: any dice, in the notation that dice bots share. “Roll this” in the menu of a message rolls what it says."""

import re
from collections.abc import Mapping
from typing import Final

import discord
from discord import app_commands
from discord.app_commands import Range
from discord.ext import commands

from bot.client import Client, Interaction
from bot.rules import anydice
from bot.rules.anydice import REQUEST_MOST, notation, play, systems, tree
from bot.rules.errors import BadWord, Known, PlayerError
from bot.rules.text import EMPTY, N_, Code, Shown, Text
from bot.sessions.place import MENTION
from bot.ui import panel, place, saved
from bot.ui.options import FORM, SECRET, CommandForm, Given, Option, declaration, fitting, secrecy_of, takes

KEY: Final = anydice.KEY
Request = Range[str, 1, REQUEST_MOST]


TOPIC: Final = re.compile(r"\bdice\s*:\s*(?P<name>[^\n.,;|]+)", re.IGNORECASE)
"""How a channel's topic names the system whose options its people type: ``dice: Daggerheart``."""


async def suggest_systems(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """The systems by their titles, that of the channel first."""
    here = system_here(interaction)
    ordered = sorted(systems.SYSTEMS.values(), key=lambda one: (one.key != here, one.title))
    return fitting(typed, ((one.title, one.key) for one in ordered))


def system_here(interaction: Interaction) -> str:
    """The key of the system that the topic of this channel names; "" for none."""
    channel = interaction.channel
    topic = getattr(getattr(channel, "parent", None) or channel, "topic", None)
    found = TOPIC.search(topic or "")
    return key_of(found["name"]) if found else ""


def key_of(name: str) -> str:
    """The key of a system by its key, its title or another of its names; "" for none."""
    wanted = name.strip().casefold()
    return next((one.key for one in systems.SYSTEMS.values() if wanted in (*one.names, one.title.casefold())), "")


def with_system(words: Mapping[str, object], typed: str | None, here: str) -> dict[str, object]:
    """The declaration with the system that was typed in front of its dice, or that of the channel filled in.

    A system without dice rolls what it rolls by itself, or says what it needs.
    """
    rest = {word: value for word, value in words.items() if word != "system"}
    if typed is None and "dice" in rest:
        return rest | ({"system": here} if here else {})
    if not (key := here if typed is None else key_of(typed)):
        if typed is None:
            raise PlayerError("Type what to roll in `dice`, for example `4d6kh3`, or name a game in `system`.")
        known = tuple(name for one in systems.SYSTEMS.values() for name in one.names)
        raise BadWord("system", typed, Known(known, Text("`system` suggests all games that I know.")))
    return rest | {"dice": f"{key} {rest.get('dice', '')}".strip()}


OPTIONS: Final = (
    Option(
        "dice",
        Range[str, 1, tree.TEXT_MOST],
        Text("What to roll: 4d6kh3, 1d20+5, 6d10>=7, 2d6!, d%, 4dF; or a saved roll"),
        suggest=saved.suggest_dice,
    ),
    Option(
        "system",
        Range[str, 1, tree.LABEL_MOST],
        Text("A game whose dice these are: Blades, Call of Cthulhu, Genesys ..."),
        suggest=suggest_systems,
    ),
    Option("label", Range[str, 1, tree.LABEL_MOST], Text("What it is for, shown with the result")),
    Option("times", Range[int, 1, tree.TIMES_MOST], Text("How often to roll it. Default: once")),
    Option("faces", Range[str, 1, play.FACES_LONGEST], Text("Dice you rolled by hand, in the order they fell: 6 5 1")),
    Option("request", Request, Text("Ask people to roll it, each with a bonus: @Ana +5, @Bo; or everybody")),
    Option("odds", bool, Text("Show the exact odds instead of rolling"), False, word=""),
    *SECRET,
)
ALSO: Final = ("label", "times", "faces", "odds", "secret", "blind")
"""Options allowed beside the name of a saved roll."""
ASKED: Final[Mapping[str, tuple[Shown, Shown]]] = {
    "dice": (Text("Dice, or a saved roll"), Code("4d6kh3")),
    "system": (Text("A game whose dice these are"), Code("Blades")),
    "label": (Text("What it is for"), EMPTY),
    "times": (Text("How often"), Code("1")),
    "request": (Text("Whom you ask to roll it"), EMPTY),
}
"""The fields of the form that opens when nothing is typed, each with its label and an example."""
FIELDS: Final = tuple(one.field(*ASKED[one.name]) for one in OPTIONS if one.name in ASKED)
ROLL_FORM: Final = {FORM: CommandForm(Text("Roll any dice"), FIELDS)}


class Roll(commands.Cog):
    """Dice outside the other games."""

    @app_commands.command(description="Roll any dice: 4d6kh3, 2d20kl1+5, 6d10>=7, 4dF, 3#1d20+4", extras=ROLL_FORM)
    @takes(*OPTIONS)
    async def roll(self, interaction: Interaction, given: Given) -> None:
        secrecy = secrecy_of(interaction, given)
        typed = {word: value for word, value in declaration(given, *OPTIONS).items() if value is not None}
        words = with_system(typed, given["system"], system_here(interaction))
        if given["request"] is not None:
            if secrecy is not None:
                await place.need_gm(interaction)
            check_people(given["request"])
            await panel.open_typed(interaction, KEY, words | {"at_once": secrecy is not None}, secrecy=secrecy)
            return
        line = given["dice"] if given["system"] is None else None
        if line is not None and (named := await saved.named(interaction, line)) is not None:
            also = {name: given[name] for name in ALSO if given[name]}
            await saved.run(interaction, named, also)
            return
        declared = await panel.declare(interaction, KEY, words)
        if given["odds"]:
            await panel.show_odds(interaction, KEY, declared)
        else:
            await panel.open_roll(interaction, KEY, declared, secrecy=secrecy)


def check_people(request: str) -> None:
    """Raises ``PlayerError`` for more people than one card asks by name."""
    named = len(set(MENTION.findall(request)))
    if named > place.PEOPLE_MOST:
        message = N_(
            "You ask {named} people, and one card asks at most {most} by name. Write `everybody`, and each of them "
            "presses the same button, or ask the others on a second card."
        )
        raise PlayerError(Text(message, named=named, most=place.PEOPLE_MOST))


async def roll_this(interaction: Interaction, message: discord.Message) -> None:
    """Roll the first dice that stand in a message."""
    found = notation.find(message.content)
    if found is None:
        raise PlayerError(Text("I found no dice in this message. Type `/roll` with dice like `4d6kh3` or `1d20+5`."))
    await panel.open_roll(interaction, KEY, await panel.declare(interaction, KEY, {"dice": found}))


async def setup(client: Client) -> None:
    await client.add_cog(Roll())
    client.tree.add_command(app_commands.ContextMenu(name="Roll this", callback=roll_this))
