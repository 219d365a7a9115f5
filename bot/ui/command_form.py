"""The form that opens when somebody types a command and nothing after it, or only that the roll is secret or blind.

A command whose options may all be left out has ``extras={FORM: CommandForm(...)}``, unless it answers without them. The
fields are options of the command. A form that comes back calls the command as if the options had been typed, so what
counts for the command counts for its form. The id of the form names the command: nothing waits in memory.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from discord import AppCommandOptionType as Kind
from discord import app_commands

from bot.client import Interaction
from bot.rules.errors import BadInput, Collector, NotOffered
from bot.rules.game import Field
from bot.rules.phrase import number
from bot.rules.text import Code, Text, Words
from bot.ui import address, forms, secret, validation
from bot.ui.address import CommandAddress
from bot.ui.answer import answer
from bot.ui.place import check_switched_on

FORM: Final = "form"
"""The key of a command's form among its ``extras``."""
YES: Final = "yes"
"""The value of a box that sets an option to true."""
TYPE_AGAIN: Final = Text("Type the command again.")
DIGITS: Final = 5
"""The longest number that anybody types into a form."""

Fields = Callable[[Interaction], Awaitable[Sequence[Field]]]


@dataclass(frozen=True, slots=True)
class CommandForm:
    """``title``: of at most 45 characters. ``fields``: at most five, each with the name of an option as its key.

    ``check``: reads the texts as far as it can without the rest, so that people hear of everything at once.
    ``filled``: the fields once some options are known, by their names; for buttons that open the form. ``reads``: the
    options that its texts stand for, where its fields have other keys.
    """

    title: Words
    fields: Fields
    check: Callable[[Mapping[str, str]], None] | None = None
    filled: Callable[[Interaction, Mapping[str, object]], Awaitable[Sequence[Field]]] | None = None
    reads: Callable[[Mapping[str, str]], Mapping[str, str]] | None = None


Slash = app_commands.Command[Any, ..., Any]


def form_of(command: object) -> CommandForm | None:
    """The form of a command, if it has one."""
    found = command.extras.get(FORM) if isinstance(command, app_commands.Command) else None
    return found if isinstance(found, CommandForm) else None


async def is_asked(interaction: Interaction) -> bool:
    """Open the form of a command that was typed without the options that it needs; whether it has one."""
    command = interaction.command
    if not isinstance(command, app_commands.Command):
        return False
    given = {one["name"]: one["value"] for one in validation.options(interaction.data or {})}
    return await ask_instead(interaction, command, given)


async def ask_instead(interaction: Interaction, command: Slash, values: Mapping[str, object]) -> bool:
    """Open the form of a command if nothing is given but who alone sees the roll; whether it has one."""
    form = form_of(command)
    if form is None or not is_empty(values):
        return False
    secrecy = secret.secrecy_of(interaction, **{name: bool(values.get(name)) for name in secret.OPTIONS})
    await ask(interaction, form, CommandAddress(command.qualified_name.replace(" ", "-"), secrecy))
    return True


def is_empty(values: Mapping[str, object]) -> bool:
    """Whether the options of a command say at most who alone sees the roll."""
    return values.keys() <= secret.OPTIONS.keys()


async def ask(
    interaction: Interaction, form: CommandForm, at: CommandAddress, fields: Sequence[Field] | None = None
) -> None:
    """Open a form, with its own fields or with these."""
    fields = await form.fields(interaction) if fields is None else fields
    await answer(interaction).ask(forms.Form(form.title, address.write(at), fields))


def find(interaction: Interaction, at: CommandAddress) -> tuple[Slash, CommandForm]:
    """The command of an id, with its form. Raises ``NotOffered`` for a command that is gone, or has no such form."""
    command = named(interaction, at.name)
    form = form_of(command)
    if form is None:
        raise NotOffered(Text("This command has changed."), TYPE_AGAIN)
    if at.secrecy is not None and at.secrecy not in {one.name for one in command.parameters}:
        raise NotOffered(Text("This form has changed."), TYPE_AGAIN)
    return command, form


def named(interaction: Interaction, name: str) -> Slash:
    """The command with a name such as ``xwing attack``. Raises ``NotOffered`` for one that is gone."""
    command = interaction.client.tree.get_command(name.split()[0])
    for part in name.split()[1:]:
        command = command.get_command(part) if isinstance(command, app_commands.Group) else None
    if not isinstance(command, app_commands.Command):
        raise NotOffered(Text("This command has changed."), TYPE_AGAIN)
    return command


async def reopen(interaction: Interaction, at: CommandAddress) -> None:
    """Open the form of a command again, from a button."""
    _, form = find(interaction, at)
    await check_switched_on(interaction, at.name.split()[0])
    await ask(interaction, form, at)


def as_options(interaction: Interaction, at: CommandAddress, filled: Mapping[str, str]) -> Mapping[str, str]:
    """The texts of a form by the names of options of its command. Raises as ``find``."""
    _, form = find(interaction, at)
    return form.reads(filled) if form.reads is not None else filled


async def submitted(interaction: Interaction, at: CommandAddress, filled: Mapping[str, str]) -> None:
    """A form came back: call its command. Raises ``PlayerError`` for what the command does not take."""
    if at.secrecy is not None:
        answer(interaction).keep_private()
    command, form = find(interaction, at)
    await check_switched_on(interaction, at.name.split()[0])
    kept = {at.secrecy.value: True} if at.secrecy is not None else {}
    await call(interaction, command, read(command, form, filled) | kept)


async def call(interaction: Interaction, command: Slash, values: Mapping[str, object]) -> None:
    """Do what a command does, with options by the names of its Python parameters."""
    bound = (command.binding,) if command.binding is not None else ()
    await command.callback(*bound, interaction, **values)


def read(command: Slash, form: CommandForm, filled: Mapping[str, str]) -> dict[str, object]:
    """The options of a command from the texts of its form, by the names of its Python parameters.

    Raises ``PlayerError`` with everything that it does not take.
    """
    values: dict[str, object] = {}
    known = {parameter.display_name: parameter for parameter in command.parameters}
    with Collector() as wrong:
        for key, text in filled.items():
            if key not in known:
                raise NotOffered(Text("This form has changed."), TYPE_AGAIN)
            if text.strip():
                with wrong.also():
                    values[known[key].name] = value(known[key], text.strip())
        if form.check is not None:
            form.check(filled)
    return values


def value(parameter: app_commands.Parameter, text: str) -> object:
    """The value of one option. Raises ``BadInput`` naming it."""
    name = parameter.display_name
    if parameter.type is Kind.boolean:
        return text == YES
    if parameter.type is Kind.integer:
        least, most = parameter.min_value, parameter.max_value
        return number(Code(name), text, int(least or 0), int(most if most is not None else 10**DIGITS))
    if parameter.type is not Kind.string:
        raise BadInput(name, text, Text("Leave it out in a form, and type it with the command."))
    validation.check_limits(parameter, text)
    return text
