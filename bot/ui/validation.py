"""Checks the options of a command against its definition.

Discord's own app sends nothing else, and discord.py relies on that. An app with an old definition of the command may
send anything, and so may one that somebody wrote themselves.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from discord import AppCommandOptionType as Kind
from discord import app_commands

from bot.client import Interaction
from bot.rules.errors import BadInput, Fact, Known, Whole
from bot.rules.text import Text

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


def parameters(command: app_commands.Command[Any, ..., Any]) -> Mapping[str, app_commands.Parameter]:
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
    if is_text and not is_whole(value):
        raise BadInput(parameter.display_name, value, Text("Use text without broken characters."))
    size = len(value) if is_text else value
    least, most = parameter.min_value, parameter.max_value
    if parameter.type is Kind.integer:
        least, most = (-WHOLE_MOST if least is None else least), (WHOLE_MOST if most is None else most)
    if (least is None or size >= least) and (most is None or size <= most):
        return
    raise BadInput(parameter.display_name, value, limits(least, most, is_text=is_text))


def limits(least: float | None, most: float | None, *, is_text: bool) -> Text | Fact:
    """What an option takes: so many characters, or a number."""
    if most is None:
        return (
            Text("Use at least {least} characters.", least=least)
            if is_text
            else Text("Use at least {least}.", least=least)
        )
    if least is None:
        return Text("Use at most {most} characters.", most=most) if is_text else Text("Use at most {most}.", most=most)
    if is_text:
        return Text("Use {least} to {most} characters.", least=least, most=most)
    if isinstance(least, int) and isinstance(most, int):
        return Whole(least, most)
    return Text("Use a number from {least} to {most}.", least=least, most=most)


def is_whole(text: str) -> bool:
    """Whether a text can be stored: JSON can carry half a surrogate pair, UTF-8 cannot."""
    return not any("\ud800" <= sign <= "\udfff" for sign in text)
