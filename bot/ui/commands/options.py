"""Options of commands: one table of them a game, what is suggested, what comes back, and the form that asks for them.

A command's signature, described texts, form and declaration follow from the table. discord.py reads the options of a
command off the signature of its function. ``takes`` writes that signature, so that a command names its options once,
and its function gets what was typed by the names that people know.

What was typed is checked against the definition of the command. Discord's own app sends nothing else, and discord.py
relies on that. An app with an old definition may send anything, and so may one that somebody wrote themselves.

A command whose options may all be left out has ``extras={FORM: CommandForm(...)}``, unless it answers without them: its
form opens where nothing is typed, or only who sees the roll. The fields are options of the command. A form that comes
back calls the command as if the options had been typed, so what counts for the command counts for its form. The id of
the form names the command: nothing waits in memory.
"""

import inspect
import re
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from keyword import iskeyword
from typing import Any, Final, TypeVar, cast

import discord
from discord import AppCommandOptionType as Kind
from discord import Locale, app_commands
from discord.app_commands import Choice
from discord.app_commands import TranslationContextLocation as Location

from bot.client import Interaction
from bot.languages import ENGLISH, of_locale
from bot.languages.translate import translate
from bot.rules.errors import AllowedWords, BadInputError, Collector, Fact, NotOfferedError, PlayerError, WholeNumber
from bot.rules.game import Field
from bot.rules.game import Option as Pick
from bot.rules.phrase_parser import number
from bot.rules.text import EMPTY, N_, Code, Name, Said, Shown, Text, as_text, english
from bot.sessions.roll import Secrecy
from bot.store.errors import StoreError
from bot.ui.core import components, request_context
from bot.ui.core.responses import answer
from bot.ui.roll import roll_message

Given = Mapping[str, Any]
"""The options of a command by name; those that nobody typed have their default."""
Callback = Callable[..., Coroutine[Any, Any, None]]
C = TypeVar("C", bound=Callback)
MISSING: Final = inspect.Parameter.empty
OPTION_LONGEST: Final = 6000
"""Characters that Discord takes for one option. Each text option states fewer, or these."""
MOST: Final = 25
LONGEST: Final = 100
"""Discord's limits: suggestions, and characters of one."""
Value = TypeVar("Value", str, int)
Numbers = Callable[[Interaction, str], Coroutine[Any, Any, list[Choice[int]]]]
MAX_FIELD: Final = 200
"""Characters of a field whose option has no limit of its own."""
PRIVATE: Final = "private"
"""The key among a command's ``extras`` that says that its answer is for one person alone."""
BOTH: Final = Text("Choose either `secret` or `blind`. Secret: only you see the roll. Blind: only the GMs see it.")
NO_GM: Final = Text(
    "In a direct message everyone counts as GM, so a roll can't be blind here. Use `secret`, or roll in a server."
)


def choice(name: Shown, value: str) -> app_commands.Choice[str]:
    """A fixed choice of an option: Discord gets the English, and each language from the translator of commands."""
    return app_commands.Choice(name=Said(english(name)), value=value)


def chosen_as(words: Iterable[str]) -> tuple[Choice[str], ...]:
    """Choices that are called as the words that they mean."""
    return tuple(choice(Code(word), word) for word in words)


@dataclass(frozen=True, slots=True)
class CommandOption:
    """An option of a command: its name, its kind as discord.py annotates one, and what is said of it.

    ``default``: with ``MISSING`` it is required. ``word``: its word in a declaration, if that is not its name; "" if it
    has none. ``choices`` are fixed; ``suggest`` answers while somebody types.
    """

    name: str
    kind: Any
    about: Shown
    default: Any = None
    word: str | None = None
    choices: tuple[Choice[Any], ...] = ()
    suggest: Any = field(default=None, compare=False)

    @property
    def parameter(self) -> str:
        """The option's name in Python, where some words are taken."""
        return f"{self.name}_" if iskeyword(self.name) else self.name

    def with_description(self, about: Shown) -> "CommandOption":
        """Return the option with another description, for another command."""
        return replace(self, about=about)

    def field(self, label: Shown, example: Shown = EMPTY, *, required: bool = False) -> Field:
        """The option as a field of a form. Its longest text follows from its limits."""
        picks = tuple(Pick(str(item.value), as_text(Code(item.name))) for item in self.choices)
        return Field(self.name, label, example, required, self.longest_text, options=picks)

    @property
    def longest_text(self) -> int:
        """The characters of its longest text."""
        most = getattr(self.kind, "max_value", None)
        if most is None:
            return MAX_FIELD
        return int(most) if self.kind.type is discord.AppCommandOptionType.string else len(str(most))


SECRET: Final = (
    CommandOption("secret", bool, Text("Only you see this roll, until you reveal it"), False, word=""),
    CommandOption("blind", bool, Text("Only the GMs see this roll, not you"), False, word=""),
)
"""Options of every command that rolls."""
CAMERA: Final = CommandOption(
    "camera",
    str,
    Text("Who rolls real dice and types them in"),
    choices=(
        choice(Text("the attack dice"), "attacker"),
        choice(Text("the defense dice"), "defender"),
        choice(Text("both"), "both"),
    ),
)


def secrecy_of(interaction: Interaction, given: Mapping[str, object]) -> Secrecy | None:
    """Return the requested secrecy. Raises ``PlayerError`` for both options, or for a blind roll without GMs."""
    secret, blind = given.get("secret"), given.get("blind")
    if secret and blind:
        raise PlayerError(BOTH)
    if blind and interaction.guild_id is None:
        raise PlayerError(NO_GM)
    return Secrecy.BLIND if blind else Secrecy.SECRET if secret else None


def takes(*options: CommandOption) -> Callable[[Callback], Any]:
    """Turn a command's method ``(self, interaction, given)`` into one that discord.py calls with these options."""

    def decorate(method: Callback) -> Any:
        words = {option.word: option.name for option in options if option.word}

        async def called(self: object, interaction: Interaction, **values: Any) -> None:
            interaction.extras[roll_message.OPTION_NAMES] = words
            await method(
                self, interaction, {option.name: values.get(option.parameter, option.default) for option in options}
            )

        for name in ("__doc__", "__name__", "__qualname__", "__module__"):
            setattr(called, name, getattr(method, name))
        own = list(inspect.signature(method).parameters.values())[:2]
        cast(Any, called).__signature__ = inspect.Signature([*own, *map(signature_parameter, options)])
        return decorate_callback(called, options)

    return decorate


def signature_parameter(option: CommandOption) -> inspect.Parameter:
    kind = option.kind | None if option.default is None else option.kind
    return inspect.Parameter(option.parameter, inspect.Parameter.KEYWORD_ONLY, default=option.default, annotation=kind)


def decorate_callback(called: C, options: Iterable[CommandOption]) -> C:
    """Apply discord.py's own decorators for the options."""
    listed = list(options)
    decorators: list[tuple[Callable[..., Callable[[C], C]], dict[str, Any]]] = [
        (app_commands.describe, {option.parameter: option.about for option in listed}),
        (app_commands.rename, {option.parameter: option.name for option in listed if option.parameter != option.name}),
        (app_commands.choices, {option.parameter: list(option.choices) for option in listed if option.choices}),
        (app_commands.autocomplete, {option.parameter: option.suggest for option in listed if option.suggest}),
    ]
    for decorate, words in decorators:
        called = decorate(**words)(called) if words else called
    return called


def declaration(given: Given, *options: CommandOption) -> dict[str, object]:
    """The words of a declaration that these options say."""
    return {
        option.name if option.word is None else option.word: given[option.name]
        for option in options
        if option.word != ""
    }


# Suggestions


def label_contains(label: str, typed: object) -> bool:
    """Whether a label contains what is typed so far; for a number option Discord may send a number."""
    return str(typed).strip().casefold() in label.casefold()


def matching_choices(typed: object, choices: Iterable[tuple[Shown, Value]]) -> list[Choice[Value]]:
    """Return the values whose labels contain what was typed so far; ``choices`` are (label, value)."""
    said = ((translate(label), value) for label, value in choices)
    return [Choice(name=Said(label[:LONGEST]), value=value) for label, value in said if label_contains(label, typed)][
        :MOST
    ]


def names(typed: object, result: Iterable[str]) -> list[Choice[str]]:
    """Return name choices, each once. A name that is too long for a choice is left out."""
    return matching_choices(typed, ((Name(name), name) for name in dict.fromkeys(result) if len(name) <= LONGEST))


def other_option(interaction: Interaction, option: str) -> str:
    """Return the current text of another option of the same command, normalized like a name."""
    return str(dict(iter(interaction.namespace)).get(option) or "").strip().casefold()


async def channel_pieces(interaction: Interaction, game: str) -> dict[str, Any]:
    """The pieces of a game in this channel; none if they cannot be read: people can type without suggestions."""
    try:
        return await interaction.client.tables.pieces(request_context.place(interaction), game)
    except (PlayerError, StoreError):
        return {}


def numbers(profiles: Callable[[Interaction], Awaitable[Mapping[str, Any]]], stats: tuple[str, ...]) -> Numbers:
    """Suggests these stats of ``profiles``, such as ``Angus: BS 12``: pieces with a name and stats, by name."""

    async def suggested(interaction: Interaction, typed: str) -> list[Choice[int]]:
        kept = sorted((await profiles(interaction)).values(), key=lambda item: item.name.casefold())
        every = ((item, stat) for item in kept for stat in stats if stat in item.stats)
        return matching_choices(
            typed, ((Name(f"{item.name}: {stat} {item.stats[stat]}"), item.stats[stat]) for item, stat in every)
        )

    return suggested


class Translator(app_commands.Translator):
    """Translates command texts for Discord; names stay English, so that people can tell each other what to type."""

    async def translate(
        self, string: app_commands.locale_str, locale: Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        if context.location in (Location.command_name, Location.group_name, Location.parameter_name, Location.other):
            return None
        language = of_locale(str(locale))
        if language is ENGLISH:
            # Discord shows texts without a locale as American English; British English would fall back to others
            return str(string.message) if locale is Locale.british_english else None
        said = language.message(str(string.message))
        return None if said == string.message else said


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
"""Key of the parameters among the extras of a command."""
HALF_PAIR: Final = re.compile("[\ud800-\udfff]")
"""Half of a surrogate pair, which JSON can carry."""
MAX_WHOLE: Final = 2**53
"""Discord takes no larger whole number."""
_SUBCOMMANDS: Final = (Kind.subcommand.value, Kind.subcommand_group.value)


def check_options(interaction: Interaction) -> None:
    """Raise ``BadInputError`` for options past limits, ``CommandSignatureMismatch`` for those of another kind."""
    command = interaction.command
    if not isinstance(command, app_commands.Command):
        return
    data: Mapping[str, Any] = interaction.data or {}
    known = parameters(command)
    missing = {name for name, parameter in known.items() if parameter.required}
    for option in given_options(data):
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
        known = command.extras[PARAMETERS] = {option.display_name: option for option in command.parameters}
    return known


def can_suggest(interaction: Interaction) -> bool:
    """Whether the option that somebody is typing has suggestions; their other options may still be incomplete."""
    command = interaction.command
    if not isinstance(command, app_commands.Command):
        return False
    given = list(given_options(interaction.data or {}))
    known = {name: parameter for name, parameter in parameters(command).items() if parameter.autocomplete}
    focused = next((option for option in given if option.get("focused")), None)
    ids = [option.get("value") for option in given if option["type"] in _IDS]
    numbers = [option.get("value") for option in given if option["type"] == Kind.number.value and option is not focused]
    return (
        focused is not None
        and focused["name"] in known
        and isinstance(focused.get("value"), str | int | float)
        and all(isinstance(item, str) and item.isascii() and item.isdecimal() for item in ids)
        and all(isinstance(item, int | float) for item in numbers)
    )


def given_options(data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The options of the command itself, below its groups."""
    given = data.get("options") or []
    while given and given[0].get("type") in _SUBCOMMANDS:
        given = given[0].get("options") or []
    yield from given


def describe_interaction(interaction: Interaction) -> str:
    """Describe an interaction for the log: the names of its options or fields, and the length of each text."""
    data: Mapping[str, Any] = interaction.data or {}
    given = {option["name"]: option.get("value") for option in given_options(data)}
    if interaction.type is discord.InteractionType.modal_submit:
        given = {**components.submitted_fields(data)}
    command = interaction.command
    name = f"/{command.qualified_name}" if command is not None else str(data.get("custom_id", data.get("name", "")))
    return describe_texts(name, given)


def describe_texts(name: str, given: Mapping[str, Any]) -> str:
    """Describe for the log what came with texts: its name, and the length of each of them."""
    texts = [f"{key}: {len(value)} characters" for key, value in given.items() if isinstance(value, str)]
    return f"{name} ({', '.join(texts)})" if texts else name


def is_kind(kind: Kind, option: Mapping[str, Any], resolved: Mapping[str, Any]) -> bool:
    value = option.get("value")
    if option["type"] != kind.value:
        return False
    if kind in _PLAIN:
        return isinstance(value, _PLAIN[kind]) and isinstance(value, bool) == (kind is Kind.boolean)
    return isinstance(value, str) and any(value in (resolved.get(part) or {}) for part in _RESOLVED[kind])


def check_limits(option: app_commands.Parameter, value: Any) -> None:
    """Raises ``BadInputError`` for a value that is not one of the choices, or too small, large, short or long."""
    if option.choices and not option.autocomplete:
        if value not in [choice.value for choice in option.choices]:
            raise BadInputError(option.display_name, value, AllowedWords(tuple(item.name for item in option.choices)))
        return
    is_text = option.type is Kind.string
    if is_text and HALF_PAIR.search(value):
        raise BadInputError(option.display_name, value, Text("Use text without invalid characters."))
    size = len(value) if is_text else value
    least, most = option.min_value, option.max_value
    if option.type is Kind.integer:
        least, most = (-MAX_WHOLE if least is None else least), (MAX_WHOLE if most is None else most)
    if (least is None or size >= least) and (most is None or size <= most):
        return
    raise BadInputError(option.display_name, value, limits(least, most, is_text=is_text))


def read_value(option: app_commands.Parameter, text: str) -> object:
    """Parse an option typed in a form or line; a choice by name or value. Raises ``BadInputError`` with its name."""
    name, folded = option.display_name, text.casefold()
    if option.choices and not option.autocomplete:
        for choice in option.choices:
            if folded in (choice.name.casefold(), str(choice.value).casefold()):
                return choice.value
        raise BadInputError(name, text, AllowedWords(tuple(choice.name for choice in option.choices)))
    if option.type is Kind.boolean:
        if folded not in ("true", YES, "on", "false", "no", "off"):
            raise BadInputError(name, text, Text("Use True or False."))
        return folded in ("true", YES, "on")
    if option.type is Kind.integer:
        least, most = option.min_value, option.max_value
        return number(Code(name), text, int(least or 0), int(most if most is not None else 10**DIGITS))
    if option.type is not Kind.string:
        raise BadInputError(name, text, Text("Leave it out in a form, and type it with the command."))
    check_limits(option, text)
    return text


def limits(least: float | None, most: float | None, *, is_text: bool) -> Text | Fact:
    """Return an option's limits: a number of characters, or a range of numbers."""
    if most is None:
        message = N_("Use at least {least} characters.") if is_text else N_("Use at least {least}.")
    elif least is None:
        message = N_("Use at most {most} characters.") if is_text else N_("Use at most {most}.")
    elif is_text:
        message = N_("Use {least} to {most} characters.")
    elif isinstance(least, int) and isinstance(most, int):
        return WholeNumber(least, most)
    else:
        message = N_("Use a number from {least} to {most}.")
    return Text(message, least=least, most=most)


@dataclass(frozen=True, slots=True)
class CommandForm:
    """``title``: of at most 45 characters.

    ``fields``: at most five, each with the name of an option as its key; the same at all times, or as things stand.

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
    command_form = command.extras.get(FORM) if isinstance(command, app_commands.Command) else None
    return command_form if isinstance(command_form, CommandForm) else None


async def is_asked(interaction: Interaction) -> bool:
    """Open the form of a command that was typed without the options that it needs; whether it has one."""
    command = interaction.command
    if not isinstance(command, app_commands.Command):
        return False
    given = {option["name"]: option["value"] for option in given_options(interaction.data or {})}
    return await ask_instead(interaction, command, given)


async def ask_instead(interaction: Interaction, command: Slash, values: Mapping[str, object]) -> bool:
    """Open the form of a command if nothing is given but who alone sees the roll; whether it has one."""
    form = form_of(command)
    if form is None or not is_empty(values):
        return False
    at = components.CommandAddress(command.qualified_name.replace(" ", "-"), secrecy_of(interaction, values))
    await ask(interaction, form, at)
    return True


def is_empty(values: Mapping[str, object]) -> bool:
    """Whether the options of a command say at most who alone sees the roll."""
    return values.keys() <= {option.name for option in SECRET}


async def ask(
    interaction: Interaction, form: CommandForm, at: components.CommandAddress, fields: Sequence[Field] | None = None
) -> None:
    """Open a form, with its own fields or with these."""
    shown = form.fields if fields is None else fields
    await answer(interaction).ask(form.title, at, await shown(interaction) if callable(shown) else shown)


async def find(interaction: Interaction, at: components.CommandAddress) -> tuple[Slash, CommandForm]:
    """Find an id's command and form. Raises ``NotOfferedError`` if gone, ``PlayerError`` if its game is off."""
    command = find_command(interaction, at.name)
    form = form_of(command)
    if form is None:
        raise NotOfferedError(Text("This command has changed."), TYPE_AGAIN)
    if at.secrecy is not None and at.secrecy not in {option.name for option in command.parameters}:
        raise NotOfferedError(Text("This form has changed."), TYPE_AGAIN)
    await request_context.check_switched_on(interaction, at.name.split()[0])
    return command, form


def find_command(interaction: Interaction, name: str) -> Slash:
    """The command with a name such as ``xwing attack``. Raises ``NotOfferedError`` for one that is gone."""
    command = interaction.client.tree.get_command(name.split()[0])
    for part in name.split()[1:]:
        command = command.get_command(part) if isinstance(command, app_commands.Group) else None
    if not isinstance(command, app_commands.Command):
        raise NotOfferedError(Text("This command has changed."), TYPE_AGAIN)
    return command


async def reopen(interaction: Interaction, at: components.CommandAddress) -> None:
    """Open the form of a command again, from a button."""
    _, form = await find(interaction, at)
    await ask(interaction, form, at)


async def call(interaction: Interaction, command: Slash, values: Mapping[str, object]) -> None:
    """Run a command with option values by the names of its Python parameters."""
    bound = (command.binding,) if command.binding is not None else ()
    await command.callback(*bound, interaction, **values)


def read(command: Slash, form: CommandForm, filled: Mapping[str, str]) -> dict[str, object]:
    """Read a command's options from its form, by Python parameters. Raises ``PlayerError`` with all that is wrong."""
    values: dict[str, object] = {}
    known = parameters(command)
    with Collector() as wrong:
        for key, text in filled.items():
            if key not in known:
                raise NotOfferedError(Text("This form has changed."), TYPE_AGAIN)
            if text.strip():
                with wrong.collect():
                    values[known[key].name] = read_value(known[key], text.strip())
        if form.check is not None:
            form.check(filled)
    return values


def is_for_one(interaction: Interaction) -> bool:
    """Whether the answer is private, asked on arrival because a deferral decides it; odds are always public."""
    command = interaction.command
    if isinstance(command, app_commands.Command) and command.extras.get(PRIVATE):
        return True
    asked = {option.get("name") for option in given_options(interaction.data or {}) if option.get("value") is True}
    return bool(asked & {"secret", "blind"}) and "odds" not in asked
