"""Saved rolls of any game as lines; `/saved` stores them. A saved roll is a line such as ``/infinity roll sv:12
burst:3``. Rolling it calls the command as if typed, so the same rules apply.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from discord import AppCommandOptionType as Option, app_commands
from discord.app_commands import Choice

from bot.client import Interaction
from bot.games import GAMES, dice_commands, roll_commands
from bot.render import saved as cards
from bot.rules import errors
from bot.rules.errors import BadInputError, CombinedError, NotOfferedError, PlayerError, UnknownWordError, quote_value
from bot.rules.text import N_, Code, Name, Names, Sentences, Shown, Text
from bot.sessions.request import MENTION
from bot.store.errors import StoreError
from bot.store.saved import SavedRoll
from bot.ui.commands import options
from bot.ui.commands.options import LONGEST, MOST, Slash, form_of, label_contains, matching_choices, names
from bot.ui.core import components, request_context
from bot.ui.core.responses import Answered, answer
from bot.ui.roll import roll_message

MAX_LINE: Final = 1000
RUNNING: Final = "saved roll"
"""Key in an interaction's ``extras``: a saved roll is being rolled, or parsed for saving."""
TYPED: Final = (Option.string.value, Option.integer.value, Option.boolean.value, Option.number.value)
"""Option types in a saved roll: no people, no files."""
DICE: Final = next(game for game in GAMES.values() if game.commands.text_word)
NO_PEOPLE: Final = Text(
    "Saved rolls can't name people. Leave them out: the first person to answer plays the other side."
)


# Parsing a line


def full_line(text: str) -> str:
    """Return the command that someone typed; bare dice become ``/roll dice:8d6``."""
    typed = text.strip()
    if typed.startswith("/"):
        return typed
    return f"/{DICE.slash} {DICE.commands.text_word}:{typed}"


def write_line(command: Slash, given: Iterable[Mapping[str, Any]]) -> str:
    """Return a typed command's line, without people and files."""
    words = [f"{item['name']}:{item['value']}" for item in given if item["type"] in TYPED]
    return " ".join([f"/{command.qualified_name}", *words])


def read_line(
    interaction: Interaction, line: str, known: Iterable[str] = roll_commands()
) -> tuple[Slash, dict[str, object]]:
    """Parse a line to a known command and its options by Python parameter. Raises ``PlayerError``."""
    longest_first = sorted(known, key=len, reverse=True)
    name = next((item for item in longest_first if f"{line} ".startswith(f"/{item} ")), None)
    if name is None:
        message = N_("{line} isn't a command that rolls. You can save dice, for example `8d6`, and {commands}.")
        every = Names([Code(f"`/{item}`") for item in roll_commands()])
        raise PlayerError(Text(message, line=quote_value(line), commands=every))
    if MENTION.search(line):
        raise PlayerError(NO_PEOPLE)
    command = options.find_command(interaction, name)
    return command, read_options(command, line.removeprefix(f"/{name}"))


def read_options(command: Slash, text: str) -> dict[str, object]:
    """Parse ``sv:12 burst:3``; a value ends at the next option. Raises ``PlayerError``."""
    known, typed = options.parameters(command), Code(command.qualified_name)
    names = "|".join(re.escape(item) for item in sorted(known, key=len, reverse=True))
    before, *parts = re.split(rf"(?:^|(?<=\s))({names})\s?:", text)
    if before.strip():
        some = Code(" ".join(f"{item}:" for item in list(known)[:3]))
        message = N_("Use options of `/{qualified_name}` with their names: `{options}`.")
        raise BadInputError("roll", before.strip(), Text(message, qualified_name=typed, options=some))
    if twice := next((name for name in parts[::2] if parts[::2].count(name) > 1), None):
        raise PlayerError(Text("`{twice}` appears twice. Type it once.", twice=twice))
    pairs = zip(parts[::2], map(str.strip, parts[1::2]), strict=True)
    values = {known[name].name: read_value(known[name], value) for name, value in pairs if value}
    unset = (item for item in known.values() if item.required and item.name not in values)
    if missing := [Code(f"`{item.display_name}`") for item in unset]:
        message, needed = N_("`/{qualified_name}` also needs {missing}."), Sentences(missing, ", ")
        raise PlayerError(Text(message, qualified_name=typed, missing=needed))
    return values


def read_value(option: app_commands.Parameter, text: str) -> object:
    """Parse one option, a choice by name or value. Raises ``PlayerError``."""
    if option.type.value not in TYPED:
        message, name = N_("{no_people} Here that's `{display_name}`."), Code(option.display_name)
        raise PlayerError(Text(message, no_people=NO_PEOPLE, display_name=name))
    return options.read_value(option, text)


def in_english(line: str) -> str:
    """Translate a line to English: its roller may use another language than its author. Any text of at most
    ``MAX_LINE`` characters costs under 100,000 steps.
    """
    game = next((item for item in GAMES.values() if line.startswith(f"/{item.slash} ")), DICE)
    for word, reads in game.commands.translated.items():
        for typed in re.findall(rf" {word}:.*?(?= \w+:|$)", line):
            line = line.replace(typed, f" {word}:{reads(typed.removeprefix(f' {word}:'))}")
    return line


async def check_reads(interaction: Interaction, line: str) -> None:
    """Raise ``PlayerError`` for a line that can't be rolled here now. Nothing is rolled."""
    command, values = read_line(interaction, line)
    await request_context.check_switched_on(interaction, command.qualified_name.split()[0])
    if options.is_empty(values) and form_of(command) is not None:
        return
    interaction.extras |= {roll_message.ONLY_READ: True, RUNNING: True}
    try:
        await options.call(interaction, command, values)
    except roll_message.DeclarationOnlyError as read:
        if read.error is not None and not isinstance(read.error, errors.NotAllowedNowError):
            raise read.error from None
    finally:
        del interaction.extras[roll_message.ONLY_READ], interaction.extras[RUNNING]


# Rolling


async def run(interaction: Interaction, roll: SavedRoll, also: Mapping[str, object] | None = None) -> None:
    """Roll a saved roll; ``also``: more options, by visible names. Raises ``PlayerError`` if it no longer parses."""
    line = Code(cards.cut(Code(roll.line)).replace("`", "'"))
    try:
        command, values = read_line(interaction, roll.line)
        known = options.parameters(command)
        if strange := [Code(f"`{name}`") for name in also or {} if name not in known]:
            message = N_("The saved roll `{roll}` is `{line}`, which has no {strange}.")
            raise PlayerError(Text(message, roll=Name(roll.name), line=line, strange=Sentences(strange, ", ")))
        values |= {known[name].name: value for name, value in (also or {}).items()}
        interaction.extras[RUNNING] = True
        await call(interaction, command, values)
    except (BadInputError, UnknownWordError, CombinedError) as error:
        message = N_(
            "The saved roll `{roll}` (`{line}`) doesn't work here anymore. {error} Save it again with `/saved add`."
        )
        raise PlayerError(Text(message, roll=Name(roll.name), line=line, error=error)) from error


async def call(interaction: Interaction, command: Slash, values: Mapping[str, object]) -> None:
    """Run a line as if typed now."""
    await request_context.check_switched_on(interaction, command.qualified_name.split()[0])
    if values.get("secret") or values.get("blind"):
        answer(interaction).keep_private()
    if not await options.ask_instead(interaction, command, values):
        await options.call(interaction, command, values)


async def find_saved(interaction: Interaction, name: str) -> SavedRoll | None:
    """Return the saved roll named in place of dice; None for dice, and inside a saved roll."""
    if RUNNING in interaction.extras or not is_name(name):
        return None
    here, person = request_context.place(interaction), request_context.person(interaction.user)
    return await interaction.client.saved.find_by_name(here, person, name)


def is_name(text: str) -> bool:
    """Whether a text may name a saved roll: what has no digit, such as ``Fireball``, is a name before it is dice."""
    return not (any(map(str.isdigit, text)) and reads_as_dice(text))


def reads_as_dice(text: str) -> bool:
    """Whether a text is dice, even with two readings. Any text of at most ``MAX_LINE`` characters costs under 100,000
    steps.
    """
    rules, word = DICE.rules, DICE.commands.text_word
    try:
        return text.strip().isdecimal() or rules.dice_count(rules.declare({word: text})) > 0
    except errors.AmbiguousTextError:
        return True
    except PlayerError:
        return False


async def press_typed(interaction: Interaction, at: components.CommandButton) -> None:
    """Run a button's command as if typed."""
    await call(interaction, *read_line(interaction, at.line, dice_commands()))


async def open_filled(interaction: Interaction, at: components.FilledForm) -> None:
    """Open a command's form with typed values. Raises ``NotOfferedError`` without a form."""
    form_at = components.CommandAddress(at.path)
    command, form = await options.find(interaction, form_at)
    if form.filled is None:
        raise NotOfferedError(Text("This form has changed."), options.TYPE_AGAIN)
    names = {option.name: option.display_name for option in command.parameters}
    values = {names[name]: value for name, value in read_options(command, at.line).items()}
    await options.ask(interaction, form, form_at, await form.filled(interaction, values))


def line_text(interaction: Interaction, line: str) -> Shown:
    """Return a line for display, with the interpretation of dice in words."""
    if DICE.commands.text_shown is None or line == line.removeprefix(full_line("")):
        return Code(line)
    try:
        typed = str(read_line(interaction, line)[1].get(DICE.commands.text_word, ""))
        understood = DICE.commands.text_shown(DICE.rules.declare({DICE.commands.text_word: typed}))
    except PlayerError:
        return Code(line)
    is_seen = typed.casefold().startswith(understood.casefold())
    return Code(line) if is_seen else Sentences([Code(line), Code(understood)], " → ")


def note(fact: Answered) -> None:
    """Remember a rolled command, to suggest for saving."""
    interaction, command = fact.interaction, fact.interaction.command
    if isinstance(command, app_commands.Command) and interaction.channel_id and RUNNING not in interaction.extras:
        line = write_line(command, options.given_options(interaction.data or {}))
        interaction.client.recent_lines.note(interaction.channel_id, interaction.user.id, line)


async def handle_form(interaction: Interaction, at: components.CommandAddress, filled: Mapping[str, str]) -> None:
    """Run and remember a command from its form. Raises ``PlayerError`` for invalid values."""
    if at.secrecy is not None:
        answer(interaction).keep_private()
    command, form = await options.find(interaction, at)
    kept = {at.secrecy.value: True} if at.secrecy is not None else {}
    given = form.reads(filled) if form.reads is not None else filled
    await options.call(interaction, command, options.read(command, form, given) | kept)
    if at.name in roll_commands() and interaction.channel_id is not None:
        words = [f"{key}:{text.strip()}" for key, text in given.items() if text.strip()]
        words += [f"{key}:True" for key in kept]
        line = " ".join([f"/{at.name}", *words])
        interaction.client.recent_lines.note(interaction.channel_id, interaction.user.id, line)


# Suggestions


async def saved_here(interaction: Interaction) -> Sequence[SavedRoll]:
    """Return the rolls available by name; empty if they can't be read: people can type without suggestions."""
    try:
        here, person = request_context.place(interaction), request_context.person(interaction.user)
        return await interaction.client.saved.find(here, person)
    except (PlayerError, StoreError):
        return ()


async def suggest(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """Suggest saved rolls whose names contain the typed text."""
    labels: dict[str, tuple[Name, str]] = {}
    for saved in await saved_here(interaction):
        if label_contains(saved.name, typed):
            labels.setdefault(saved.key, (Name(f"{saved.name} · {cards.cut(Code(saved.line))}"), saved.name))
    return matching_choices("", labels.values())


async def suggest_dice(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """Suggest for `/roll`: the typed text if it reads as dice, and saved rolls of any game."""
    return [*echo(typed), *await suggest(interaction, typed)][:MOST]


def echo(typed: str) -> list[Choice[str]]:
    """Return the typed text as a suggestion, if it reads as dice."""
    text = str(typed).strip()
    return names("", [text] if text and reads_as_dice(text) else [])


async def suggest_only_dice(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """Suggest the typed text if it is dice, and saved rolls of dice only."""
    prefix, rolls = full_line(""), await saved_here(interaction)
    named = [(roll.name, roll.line.removeprefix(prefix)) for roll in rolls if roll.line.startswith(prefix)]
    dice = [(f"{name} · {line}", line) for name, line in named if label_contains(name, typed) and reads_as_dice(line)]
    fitting = [(Name(label), line) for label, line in dice if len(line) <= LONGEST]
    return [*echo(typed), *matching_choices("", fitting)][:MOST]


async def suggest_lines(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """Suggest for `/saved add`: the person's last rolls in this channel."""
    return names(typed, interaction.client.recent_lines.of(interaction.channel_id or 0, interaction.user.id))
