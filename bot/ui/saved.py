"""`/saved`: rolls of any game under a name, and panels with a button for each.

A saved roll is a line such as ``/infinity roll sv:12 burst:3``. To roll it, the bot calls that command as if the person
had typed it, so everything that counts for the command counts for it.
"""

import logging
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal

import discord
from discord import AppCommandOptionType as Option
from discord import app_commands
from discord.app_commands import Choice

from bot.client import Interaction
from bot.games import GAMES, Game, dice_commands, roll_commands
from bot.languages.say import speaking
from bot.render import saved as cards
from bot.render.card import Card
from bot.rules.errors import (
    BadInput,
    BadWord,
    Collected,
    Example,
    NotNow,
    NotOffered,
    PlayerError,
    Unclear,
    shown,
)
from bot.rules.name import one_line
from bot.rules.text import EMPTY, N_, Code, Name, Names, Sentences, Text, Words
from bot.sessions.place import MENTION
from bot.sessions.saved import SavedRoll, of_channels
from bot.store.errors import StoreError
from bot.store.rulesets import Scope
from bot.store.saved import PERSON, of_person
from bot.store.shown import EVERYBODY, Kind
from bot.ui import command_form, panel
from bot.ui.address import CommandAddress, FilledForm, SavedAddress, Typed
from bot.ui.answer import answer
from bot.ui.command_form import Slash, form_of
from bot.ui.components import Components, button, rows
from bot.ui.display import card_message, user_display
from bot.ui.facts import Commanded
from bot.ui.live import Drawn, LiveMessage
from bot.ui.names import clean, person
from bot.ui.options import LONGEST, MOST, fitting, holds, names
from bot.ui.place import check_switched_on, language_at, need_gm, place

PANEL: Final = LiveMessage(Kind.SAVED, N_("This panel was replaced. [Go to the new one]({where})"))
Whose = Literal["mine", "channel"]

LINE_MOST: Final = 1000
RUNNING: Final = "saved roll"
"""Among the ``extras`` of an interaction: a saved roll is being rolled, or read to be saved."""
PANEL_ROLLS_MOST: Final = 25
TYPED: Final = (Option.string.value, Option.integer.value, Option.boolean.value, Option.number.value)
"""Kinds of options that are part of a saved roll; it names no people and has no files."""
NO_PEOPLE: Final = Text("A saved roll names nobody. Leave people out: whoever answers first plays the other side.")
NO_LAST: Final = Text(
    "I do not know your last roll in this channel. Type it as `roll`: dice like `8d6`, "
    "or a command like `/infinity roll sv:12 burst:3`."
)

log = logging.getLogger(__name__)


# Reading a line


def dice_game() -> Game:
    """The game that bare dice are rolled in."""
    return next(game for game in GAMES.values() if game.commands.text_word)


def full_line(text: str) -> str:
    """What somebody typed as a command; bare dice become ``/roll dice:8d6``."""
    typed = text.strip()
    if typed.startswith("/"):
        return typed
    dice = dice_game()
    return f"/{dice.slash} {dice.commands.text_word}:{typed}"


def write_line(command: Slash, options: Iterable[Mapping[str, Any]]) -> str:
    """The line of a command that somebody typed; people and files are left out."""
    words = [f"{one['name']}:{one['value']}" for one in options if one["type"] in TYPED]
    return " ".join([f"/{command.qualified_name}", *words])


def read_line(
    interaction: Interaction, line: str, known: Iterable[str] = roll_commands()
) -> tuple[Slash, dict[str, object]]:
    """The command of a line, one of the known, and its options by the names of its Python parameters.

    Raises ``PlayerError``.
    """
    longest_first = sorted(known, key=len, reverse=True)
    name = next((one for one in longest_first if f"{line} ".startswith(f"/{one} ")), None)
    if name is None:
        raise PlayerError(
            Text(
                "{line} is no command that rolls. You can save dice, for example `8d6`, and {commands}.",
                line=shown(line),
                commands=Names([Code(f"`/{one}`") for one in roll_commands()]),
            )
        )
    if MENTION.search(line):
        raise PlayerError(NO_PEOPLE)
    command = command_form.named(interaction, name)
    return command, read_options(command, line.removeprefix(f"/{name}"))


def read_options(command: Slash, text: str) -> dict[str, object]:
    """``sv:12 burst:3`` as values; a value goes on until the next option. Raises ``PlayerError``."""
    known = {parameter.display_name: parameter for parameter in command.parameters}
    names = "|".join(re.escape(one) for one in sorted(known, key=len, reverse=True))
    before, *parts = re.split(rf"(?:^|(?<=\s))({names})\s?:", text)
    if before.strip():
        options = " ".join(f"{one}:" for one in list(known)[:3])
        raise BadInput(
            "roll",
            before.strip(),
            Text(
                "Use options of `/{qualified_name}` with their names: `{options}`.",
                qualified_name=Code(command.qualified_name),
                options=Code(options),
            ),
        )
    if twice := next((name for name in parts[::2] if parts[::2].count(name) > 1), None):
        raise PlayerError(Text("`{twice}` is there twice. Type it once.", twice=twice))
    values = {known[name].name: read_value(known[name], value.strip()) for name, value in pairs(parts) if value.strip()}
    if missing := [Code(f"`{one.display_name}`") for one in known.values() if one.required and one.name not in values]:
        raise PlayerError(
            Text(
                "`/{qualified_name}` also needs {missing}.",
                qualified_name=Code(command.qualified_name),
                missing=Sentences(missing, ", "),
            )
        )
    return values


def pairs(parts: list[str]) -> Iterable[tuple[str, str]]:
    return zip(parts[::2], parts[1::2], strict=True)


def read_value(parameter: app_commands.Parameter, text: str) -> object:
    """The value of one option, by its name or its value where it has choices. Raises ``PlayerError``."""
    if parameter.type.value not in TYPED:
        raise PlayerError(
            Text(
                "{no_people} Here that is `{display_name}`.",
                no_people=NO_PEOPLE,
                display_name=Code(parameter.display_name),
            )
        )
    return command_form.read_value(parameter, text)


def in_english(line: str) -> str:
    """A line in words that everybody may type: whoever rolls it may read another language than who saved it."""
    game = next((one for one in GAMES.values() if line.startswith(f"/{one.slash} ")), dice_game())
    for word, reads in game.commands.translated.items():
        for typed in re.findall(rf" {word}:.*?(?= \w+:|$)", line):
            line = line.replace(typed, f" {word}:{reads(typed.removeprefix(f' {word}:'))}")
    return line


async def check_reads(interaction: Interaction, line: str) -> None:
    """Raises ``PlayerError`` for a line that could not be rolled here now. Nothing is rolled."""
    command, values = read_line(interaction, line)
    await check_switched_on(interaction, command.qualified_name.split()[0])
    if command_form.is_empty(values) and form_of(command) is not None:
        return
    interaction.extras |= {panel.ONLY_READ: True, RUNNING: True}
    try:
        await command_form.call(interaction, command, values)
    except panel.Read as read:
        if read.error is not None and not isinstance(read.error, NotNow):
            raise read.error from None
    finally:
        del interaction.extras[panel.ONLY_READ], interaction.extras[RUNNING]


# Rolling


async def run(interaction: Interaction, roll: SavedRoll, also: Mapping[str, object] | None = None) -> None:
    """Roll a saved roll for the person who acts. ``also``: further options, by the names that people see.

    Raises ``PlayerError`` for one that no longer reads here, saying what it is.
    """
    try:
        command, values = read_line(interaction, roll.line)
        known = {parameter.display_name: parameter.name for parameter in command.parameters}
        if strange := [Code(f"`{name}`") for name in also or {} if name not in known]:
            raise PlayerError(
                Text(
                    "The saved roll `{roll}` is `{line}`: it takes no {strange}.",
                    roll=Name(roll.name),
                    line=Code(cut(roll.line)),
                    strange=Sentences(strange, ", "),
                )
            )
        values |= {known[name]: value for name, value in (also or {}).items()}
        await check_switched_on(interaction, command.qualified_name.split()[0])
        interaction.extras[RUNNING] = True
        if values.get("secret") or values.get("blind"):
            answer(interaction).keep_private()
        if not await command_form.ask_instead(interaction, command, values):
            await command_form.call(interaction, command, values)
    except (BadInput, BadWord, Collected) as error:
        raise PlayerError(
            Text(
                "The saved roll `{roll}` (`{line}`) does not read here any more. {error} Save it "
                "again with `/saved add`.",
                roll=Name(roll.name),
                line=Code(cut(roll.line)),
                error=error,
            )
        ) from error


def cut(line: str) -> str:
    return cards.cut(Code(line)).replace("`", "'")


async def named(interaction: Interaction, name: str) -> SavedRoll | None:
    """The saved roll that somebody names where they could also type dice; None for dice, and inside a saved roll."""
    if RUNNING in interaction.extras or (reads_as_dice(name) and any(map(str.isdigit, name))):
        return None  # a word may have been a name before it became one of the dice's
    return await interaction.client.saved.named(place(interaction), person(interaction.user), name)


def reads_as_dice(text: str) -> bool:
    """Whether dice are meant, also those that have two readings."""
    rules, word = dice_game().rules, dice_game().commands.text_word
    try:
        return text.strip().isdecimal() or rules.dice_count(rules.declare({word: text})) > 0
    except Unclear:
        return True
    except PlayerError:
        return False


async def roll_named(interaction: Interaction, name: str) -> None:
    """`/saved roll`."""
    found = await interaction.client.saved.named(place(interaction), person(interaction.user), name)
    if found is None:
        raise PlayerError(
            Text("There is no saved roll {name}. `/saved list` shows what you can roll here.", name=shown(name))
        )
    await run(interaction, found)


async def press(interaction: Interaction, at: SavedAddress) -> None:
    """Somebody pressed a button of a panel: the roll is theirs."""
    roll = await interaction.client.saved.numbered(at.number, place(interaction), person(interaction.user))
    await run(interaction, roll)


async def press_typed(interaction: Interaction, at: Typed) -> None:
    """Somebody pressed a button that stands for a command: it is as if they had typed it."""
    command, values = read_line(interaction, at.line, dice_commands())
    await check_switched_on(interaction, command.qualified_name.split()[0])
    if values.get("secret") or values.get("blind"):
        answer(interaction).keep_private()
    await command_form.call(interaction, command, values)


async def open_filled(interaction: Interaction, at: FilledForm) -> None:
    """Open the form of a command with what somebody typed before. Raises ``NotOffered`` where it has none any more."""
    form_at = CommandAddress(at.path)
    command, form = command_form.find(interaction, form_at)
    if form.filled is None:
        raise NotOffered(Text("This form has changed."), command_form.TYPE_AGAIN)
    await check_switched_on(interaction, form_at.name.split()[0])
    names = {parameter.name: parameter.display_name for parameter in command.parameters}
    values = {names[name]: value for name, value in read_options(command, at.line).items()}
    await command_form.ask(interaction, form, form_at, await form.filled(interaction, values))


def told(interaction: Interaction, line: str) -> Words:
    """A line as people see it; behind dice that were typed in words how they are understood."""
    game = dice_game()
    if game.commands.text_shown is None or line == line.removeprefix(full_line("")):
        return Code(line)
    try:
        typed = str(read_line(interaction, line)[1].get(game.commands.text_word, ""))
        understood = game.commands.text_shown(game.rules.declare({game.commands.text_word: typed}))
    except PlayerError:
        return Code(line)
    is_seen = typed.casefold().startswith(understood.casefold())
    return Code(line) if is_seen else Sentences([Code(line), Code(understood)], " → ")


def note(fact: Commanded) -> None:
    """Remember a command that rolled, so that whoever typed it can save it."""
    interaction = fact.interaction
    command, channel_id = interaction.command, interaction.channel_id
    if not isinstance(command, app_commands.Command) or channel_id is None or RUNNING in interaction.extras:
        return
    if command.qualified_name in roll_commands():
        line = write_line(command, command_form.options(interaction.data or {}))
        interaction.client.recent_lines.note(channel_id, interaction.user.id, line)


async def submitted(interaction: Interaction, at: CommandAddress, filled: Mapping[str, str]) -> None:
    """The form of a command came back: call that command, and remember it in the same way."""
    filled = command_form.as_options(interaction, at, filled)
    await command_form.submitted(interaction, at, filled)
    if at.name in roll_commands() and interaction.channel_id is not None:
        words = [f"{key}:{text.strip()}" for key, text in filled.items() if text.strip()]
        words += [f"{at.secrecy}:True"] if at.secrecy is not None else []
        line = " ".join([f"/{at.name}", *words])
        interaction.client.recent_lines.note(interaction.channel_id, interaction.user.id, line)


# Commands


async def add(interaction: Interaction, name: str, text: str | None, whose: Whose) -> None:
    """Save a roll under a name. Raises ``PlayerError`` for one that does not read."""
    if whose == "mine":
        answer(interaction).keep_private()
    else:
        await need_gm(interaction)
    here, saved = place(interaction), interaction.client.saved
    check_name(name)
    recent = interaction.client.recent_lines.of(here.channel_id, interaction.user.id)
    if text is None and not recent:
        raise PlayerError(NO_LAST)
    line = in_english(full_line(one_line(recent[0] if text is None else text, LINE_MOST)))
    await check_reads(interaction, line)
    scope = scope_of(interaction, whose)
    replaced = await saved.put(here, scope, name, line)
    await say(
        interaction,
        cards.added(name, told(interaction, line), for_channel=whose == "channel", replaced=replaced),
        whose,
    )
    await refresh_panels(interaction, scope)


async def remove(interaction: Interaction, name: str, whose: Whose) -> None:
    """Remove a saved roll."""
    if whose == "mine":
        answer(interaction).keep_private()
    else:
        await need_gm(interaction)
    scope = scope_of(interaction, whose)
    gone = await interaction.client.saved.remove(scope, name)
    await say(interaction, cards.removed(gone.name, gone.line), whose)
    await refresh_panels(interaction, scope)


async def say(interaction: Interaction, card: Card, whose: Whose) -> None:
    """Answer: about one's own rolls in private, about the channel's for all."""
    if whose == "mine":
        await answer(interaction).post_private(**card_message(card))
    else:
        await answer(interaction).post(**card_message(card))


async def show_list(interaction: Interaction) -> None:
    """What a person can roll here by its name, for them alone."""
    answer(interaction).keep_private()
    found = await interaction.client.saved.find(place(interaction), person(interaction.user))
    own = of_person(interaction.user.id)
    card = cards.overview(
        [(one.name, told(interaction, one.line)) for one in found if one.scope == own],
        [(one.name, told(interaction, one.line)) for one in found if one.scope != own],
    )
    await answer(interaction).post_private(**card_message(card, await user_display(interaction)))


def check_name(name: str) -> None:
    """Raises ``BadInput`` for a name that cannot be seen, or that `/roll` would take for dice."""
    if not name:
        raise BadInput("name", name, Text("Use a name that can be seen."))
    if reads_as_dice(name):
        raise BadInput("name", name, Text("Use a name that is not dice."), Example("Fireball"))


def scope_of(interaction: Interaction, whose: Whose) -> Scope:
    return of_person(interaction.user.id) if whose == "mine" else of_channels(place(interaction))[0]


# Panels


async def post_panel(interaction: Interaction, whose: Whose) -> None:
    """Post a panel. The one before of the same rolls in this channel says where the new one is."""
    here, client, by = place(interaction), interaction.client, person(interaction.user)
    owner = by.id if whose == "mine" else EVERYBODY
    rolls = await client.saved.of_panel(here, owner)
    if not rolls:
        await show_list(interaction)  # it says how to save one
        return
    await PANEL.post(interaction, panel_message(rolls, clean(by.name) if owner else EMPTY), owner)


def panel_message(rolls: list[SavedRoll], whose: Words) -> Drawn:
    """The parts of a panel: what is saved, and a button for each roll."""
    shown, style = rolls[:PANEL_ROLLS_MOST], discord.ButtonStyle.primary
    view = Components(*rows([button(Name(roll.name), SavedAddress(roll.id), style) for roll in shown]))
    return Drawn({**card_message(cards.panel(whose, [(one.name, Code(one.line)) for one in rolls])), "view": view})


async def refresh_panels(interaction: Interaction, scope: Scope) -> None:
    """Bring the panels of some rolls up to date. Where that fails, the old buttons still say what is the matter."""
    here, client, of_id = place(interaction), interaction.client, scope.id if scope.kind == PERSON else EVERYBODY
    rolls = await client.saved.of_panel(here, of_id)
    whose = clean(interaction.user.display_name) if of_id else EMPTY  # people change only their own
    for channel_id in [one.channel_id for one in await client.shown.of(Kind.SAVED, of_id)] if of_id else [scope.id]:
        if (live := await PANEL.find(client, channel_id, of_id)) is not None:
            with speaking(await language_at(client, live.place)):
                await PANEL.edit(client, live, panel_message(rolls, whose))


# Suggestions


async def suggest(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """The names of saved rolls that contain what is typed so far."""
    try:
        found = await interaction.client.saved.find(place(interaction), person(interaction.user))
    except (PlayerError, StoreError):  # people can type without suggestions
        return []
    labels: dict[str, tuple[Name, str]] = {}
    for one in found:
        if holds(one.name, typed):
            labels.setdefault(one.key, (Name(f"{one.name} · {cards.cut(Code(one.line))}"), one.name))
    return fitting("", labels.values())


async def suggest_dice(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """For `/roll`: what is typed, where it reads as dice, and saved rolls of any game."""
    return [*echo(typed), *await suggest(interaction, typed)][:MOST]


def echo(typed: str) -> list[Choice[str]]:
    """What is typed, where it reads as dice."""
    text = str(typed).strip()
    return names("", [text] if text and reads_as_dice(text) else [])


async def suggest_only_dice(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """Where dice are typed: what is typed, where it reads, and the dice of saved rolls that are nothing but dice."""
    prefix = full_line("")
    try:
        rolls = await interaction.client.saved.find(place(interaction), person(interaction.user))
    except (PlayerError, StoreError):
        rolls = []
    named = [(one.name, one.line.removeprefix(prefix)) for one in rolls if one.line.startswith(prefix)]
    dice = [(f"{name} · {line}", line) for name, line in named if holds(name, typed) and reads_as_dice(line)]
    return [*echo(typed), *fitting("", [(Name(label), line) for label, line in dice if len(line) <= LONGEST])][:MOST]


async def suggest_lines(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """For `/saved add`: what somebody rolled last in this channel."""
    return names(typed, interaction.client.recent_lines.of(interaction.channel_id or 0, interaction.user.id))
