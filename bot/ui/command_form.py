"""What somebody typed after a command, and the form that opens where that was nothing, or only who sees the roll.

Options are checked against the definition of their command. Discord's own app sends nothing else, and discord.py relies
on that. An app with an old definition of the command may send anything, and so may one that somebody wrote themselves.

A command whose options may all be left out has ``extras={FORM: CommandForm(...)}``, unless it answers without them. The
fields are options of the command. A form that comes back calls the command as if the options had been typed, so what
counts for the command counts for its form. The id of the form names the command: nothing waits in memory.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from discord import AppCommandOptionType as Kind
from discord import app_commands

from bot.client import Interaction
from bot.rules.errors import BadInput, Collector, Fact, Known, NotOffered, Whole
from bot.rules.game import Field
from bot.rules.phrase import number
from bot.rules.text import N_, Code, Shown, Text
from bot.ui import secret
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
Slash = app_commands.Command[Any, ..., Any]
_PLAIN: Final[Mapping[Kind, tuple[type, ...]]] = {
    Kind.string: (str,),
    Kind.integer: (int,),
    Kind.boolean: (bool,),
    Kind.number: (int, float),
}
_RESOLVED: Final[Mapping[Kind, tuple[str, ...]]] = {
    Kind.user: ("users",),
    Kind.channel: ("channels",),
    Kind.role: ("roles",),
    Kind.mentionable: ("users", "roles"),
    Kind.attachment: ("attachments",),
}
"""The parts of the payload in which Discord describes what an option names by id."""
_IDS: Final = [kind.value for kind in _RESOLVED]
PARAMETERS: Final = "parameters"
"""Their key among the extras of a command, once they were asked for."""
WHOLE_MOST: Final = 2**53
"""Discord takes no larger whole number."""
_SUBCOMMANDS: Final = (Kind.subcommand.value, Kind.subcommand_group.value)


def check_options(interaction: Interaction) -> None:
    """Raises ``BadInput`` for an option past its limits, ``CommandSignatureMismatch`` for one of another kind.

    The command tree itself refuses a command that is not known at all.
    """
    command = interaction.command
    if not isinstance(command, app_commands.Command):
        return
    data: Mapping[str, Any] = interaction.data or {}
    known = parameters(command)
    missing = {name for name, parameter in known.items() if parameter.required}
    for option in options(data):
        parameter = known.get(option["name"])
        if parameter is None or not is_kind(parameter.type, option, data.get("resolved") or {}):
            raise app_commands.CommandSignatureMismatch(command)
        check_limits(parameter, option["value"])
        missing.discard(option["name"])
    if missing:
        raise app_commands.CommandSignatureMismatch(command)


def parameters(command: Slash) -> Mapping[str, app_commands.Parameter]:
    """The options of a command by the names that people know; discord.py makes them anew each time it is asked."""
    known: Mapping[str, app_commands.Parameter] | None = command.extras.get(PARAMETERS)
    if known is None:
        known = command.extras[PARAMETERS] = {one.display_name: one for one in command.parameters}
    return known


def can_suggest(interaction: Interaction) -> bool:
    """Whether the option that somebody is typing has suggestions; their other options may still be incomplete."""
    command = interaction.command
    if not isinstance(command, app_commands.Command):
        return False
    given = list(options(interaction.data or {}))
    known = {name: parameter for name, parameter in parameters(command).items() if parameter.autocomplete}
    focused = next((option for option in given if option.get("focused")), None)
    ids = [option.get("value") for option in given if option["type"] in _IDS]
    numbers = [option.get("value") for option in given if option["type"] == Kind.number.value and option is not focused]
    return (
        focused is not None
        and focused["name"] in known
        and isinstance(focused.get("value"), str | int | float)
        and all(isinstance(one, str) and one.isascii() and one.isdecimal() for one in ids)
        and all(isinstance(one, int | float) for one in numbers)
    )


def options(data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The options of the command itself, below its groups."""
    given = data.get("options") or []
    while given and given[0].get("type") in _SUBCOMMANDS:
        given = given[0].get("options") or []
    yield from given


def is_kind(kind: Kind, option: Mapping[str, Any], resolved: Mapping[str, Any]) -> bool:
    """Whether an option has this kind, and a value of that kind."""
    value = option.get("value")
    if option["type"] != kind.value:
        return False
    if kind in _PLAIN:
        return isinstance(value, _PLAIN[kind]) and isinstance(value, bool) == (kind is Kind.boolean)
    return isinstance(value, str) and any(value in (resolved.get(part) or {}) for part in _RESOLVED[kind])


def check_limits(parameter: app_commands.Parameter, value: Any) -> None:
    """Raises ``BadInput`` for a value that is not one of the choices, or too small, large, short or long."""
    if parameter.choices and not parameter.autocomplete:
        if value not in [choice.value for choice in parameter.choices]:
            raise BadInput(parameter.display_name, value, Known(tuple(one.name for one in parameter.choices)))
        return
    is_text = parameter.type is Kind.string
    if is_text and any("\ud800" <= sign <= "\udfff" for sign in value):  # half a surrogate pair, which JSON can carry
        raise BadInput(parameter.display_name, value, Text("Use text without broken characters."))
    size = len(value) if is_text else value
    least, most = parameter.min_value, parameter.max_value
    if parameter.type is Kind.integer:
        least, most = (-WHOLE_MOST if least is None else least), (WHOLE_MOST if most is None else most)
    if (least is None or size >= least) and (most is None or size <= most):
        return
    raise BadInput(parameter.display_name, value, limits(least, most, is_text=is_text))


def read_value(parameter: app_commands.Parameter, text: str) -> object:
    """The value of an option as it is typed into a form or a line; by its name or its value where it has choices.

    Raises ``BadInput`` naming the option.
    """
    name, folded = parameter.display_name, text.casefold()
    if parameter.choices and not parameter.autocomplete:
        for choice in parameter.choices:
            if folded in (choice.name.casefold(), str(choice.value).casefold()):
                return choice.value
        raise BadInput(name, text, Known(tuple(choice.name for choice in parameter.choices)))
    if parameter.type is Kind.boolean:
        if folded not in ("true", YES, "on", "false", "no", "off"):
            raise BadInput(name, text, Text("Use True or False."))
        return folded in ("true", YES, "on")
    if parameter.type is Kind.integer:
        least, most = parameter.min_value, parameter.max_value
        return number(Code(name), text, int(least or 0), int(most if most is not None else 10**DIGITS))
    if parameter.type is not Kind.string:
        raise BadInput(name, text, Text("Leave it out in a form, and type it with the command."))
    check_limits(parameter, text)
    return text


def limits(least: float | None, most: float | None, *, is_text: bool) -> Text | Fact:
    """What an option takes: so many characters, or a number."""
    if most is None:
        message = N_("Use at least {least} characters.") if is_text else N_("Use at least {least}.")
    elif least is None:
        message = N_("Use at most {most} characters.") if is_text else N_("Use at most {most}.")
    elif is_text:
        message = N_("Use {least} to {most} characters.")
    elif isinstance(least, int) and isinstance(most, int):
        return Whole(least, most)
    else:
        message = N_("Use a number from {least} to {most}.")
    return Text(message, least=least, most=most)


@dataclass(frozen=True, slots=True)
class CommandForm:
    """``title``: of at most 45 characters. ``fields``: at most five, each with the name of an option as its key; the
    same at all times, or as things stand.

    ``check``: reads the texts as far as it can without the rest, so that people hear of everything at once.
    ``filled``: the fields once some options are known, by their names; for buttons that open the form. ``reads``: the
    options that its texts stand for, where its fields have other keys.
    """

    title: Shown
    fields: Fields | Sequence[Field]
    check: Callable[[Mapping[str, str]], None] | None = None
    filled: Callable[[Interaction, Mapping[str, object]], Awaitable[Sequence[Field]]] | None = None
    reads: Callable[[Mapping[str, str]], Mapping[str, str]] | None = None


def form_of(command: object) -> CommandForm | None:
    """The form of a command, if it has one."""
    found = command.extras.get(FORM) if isinstance(command, app_commands.Command) else None
    return found if isinstance(found, CommandForm) else None


async def is_asked(interaction: Interaction) -> bool:
    """Open the form of a command that was typed without the options that it needs; whether it has one."""
    command = interaction.command
    if not isinstance(command, app_commands.Command):
        return False
    given = {one["name"]: one["value"] for one in options(interaction.data or {})}
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
    shown = form.fields if fields is None else fields
    await answer(interaction).ask(form.title, at, await shown(interaction) if callable(shown) else shown)


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


async def submitted(interaction: Interaction, at: CommandAddress, filled: Mapping[str, str]) -> Mapping[str, str]:
    """A form came back: call its command; the texts by the names of its options.

    Raises ``PlayerError`` for what the command does not take.
    """
    if at.secrecy is not None:
        answer(interaction).keep_private()
    command, form = find(interaction, at)
    await check_switched_on(interaction, at.name.split()[0])
    kept = {at.secrecy.value: True} if at.secrecy is not None else {}
    given = form.reads(filled) if form.reads is not None else filled
    await call(interaction, command, read(command, form, given) | kept)
    return given


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
                    values[known[key].name] = read_value(known[key], text.strip())
        if form.check is not None:
            form.check(filled)
    return values


def is_for_one(interaction: Interaction) -> bool:
    """Whether a command is answered to one person alone. Asked as it arrives: a deferral decides who sees the answer.

    Odds are no roll: they are shown to everybody.
    """
    command = interaction.command
    if isinstance(command, app_commands.Command) and command.extras.get(secret.PRIVATE):
        return True
    asked = {one.get("name") for one in options(interaction.data or {}) if one.get("value") is True}
    return bool(asked & {"secret", "blind"}) and "odds" not in asked
