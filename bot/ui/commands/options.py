"""Options of commands: one table per game, autocomplete, validation, and forms.

A command's signature, descriptions, form, and declaration follow from the table. discord.py reads options from a
function's signature; ``takes`` writes it, so that a command lists its options once and gets values by display names.

Input is checked against the command's definition. Discord's app sends nothing else, and discord.py relies on that, but
an outdated or custom client may send anything.

A command whose options are all optional has ``extras={FORM: CommandForm(...)}``, unless it works without them: its form
opens if nothing, or only the secrecy, is typed. The fields are options. A submitted form calls the command as if typed,
so the same rules apply. The form's id names the command: nothing is kept in memory.
"""

import inspect
import re
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from keyword import iskeyword
from typing import Any, Final, TypeVar, cast

import discord
from discord import AppCommandOptionType as Kind, Locale, app_commands
from discord.app_commands import Choice, TranslationContextLocation as Location

from bot.client import Interaction
from bot.languages import ENGLISH, of_locale
from bot.languages.translate import translate
from bot.rules.errors import AllowedWords, BadInputError, Collector, Fact, NotOfferedError, PlayerError, WholeNumber
from bot.rules.game import Field, Option as Pick
from bot.rules.phrase_parser import number
from bot.rules.text import EMPTY, N_, Code, Name, Said, Shown, Text, as_text, english
from bot.sessions.roll import Secrecy
from bot.store.errors import StoreError
from bot.ui.core import components, request_context
from bot.ui.core.responses import answer
from bot.ui.roll import roll_message

Given = Mapping[str, Any]
"""A command's options by name, with defaults."""
Callback = Callable[..., Coroutine[Any, Any, None]]
C = TypeVar("C", bound=Callback)
MISSING: Final = inspect.Parameter.empty
OPTION_LONGEST: Final = 6000
"""Discord's maximum characters for an option. Each text option states fewer, or these."""
MOST: Final = 25
LONGEST: Final = 100
"""Discord's limits: number of suggestions, and characters of one."""
Value = TypeVar("Value", str, int)
Numbers = Callable[[Interaction, str], Coroutine[Any, Any, list[Choice[int]]]]
MAX_FIELD: Final = 200
"""Maximum characters of a field whose option has no limit."""
PRIVATE: Final = "private"
"""The key in a command's ``extras`` for a private answer."""
BOTH: Final = Text("Choose either `secret` or `blind`. Secret: only you see the roll. Blind: only the GMs see it.")
NO_GM: Final = Text(
    "In a direct message everyone counts as GM, so a roll can't be blind here. Use `secret`, or roll in a server."
)


def choice(name: Shown, value: str) -> app_commands.Choice[str]:
    """Return a fixed choice: English for Discord, other languages by the command translator."""
    return app_commands.Choice(name=Said(english(name)), value=value)


def chosen_as(words: Iterable[str]) -> tuple[Choice[str], ...]:
    return tuple(choice(Code(word), word) for word in words)


@dataclass(frozen=True, slots=True)
class CommandOption:
    """A command's option: its name, its type as annotated for discord.py, and descriptions. ``default``: ``MISSING`` if
    required. ``word``: its word in a declaration, if different; "" for none. ``choices`` are fixed; ``suggest`` is
    autocomplete.
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
        """Return the option's Python name, where some words are reserved."""
        return f"{self.name}_" if iskeyword(self.name) else self.name

    def with_description(self, about: Shown) -> "CommandOption":
        return replace(self, about=about)

    def field(self, label: Shown, example: Shown = EMPTY, *, required: bool = False) -> Field:
        picks = tuple(Pick(str(item.value), as_text(Code(item.name))) for item in self.choices)
        return Field(self.name, label, example, required, self.longest_text, options=picks)

    @property
    def longest_text(self) -> int:
        most = getattr(self.kind, "max_value", None)
        if most is None:
            return MAX_FIELD
        return int(most) if self.kind.type is discord.AppCommandOptionType.string else len(str(most))


SECRET: Final = (
    CommandOption("secret", bool, Text("Only you see this roll, until you reveal it"), False, word=""),
    CommandOption("blind", bool, Text("Only the GMs see this roll, not you"), False, word=""),
)
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
    """Turn a command's method ``(self, interaction, given)`` into one that discord.py calls with these options.

    With the options of ``SECRET``, ``given`` has the ``secrecy`` that they ask for. Raises as ``secrecy_of`` does.
    """

    def decorate(method: Callback) -> Any:
        words = {option.word: option.name for option in options if option.word}
        defaults = [(option.name, option.parameter, option.default) for option in options]

        async def called(self: object, interaction: Interaction, **values: Any) -> None:
            interaction.extras[roll_message.OPTION_NAMES] = words
            given = {name: values.get(parameter, default) for name, parameter, default in defaults}
            if SECRET[0] in options:
                given["secrecy"] = secrecy_of(interaction, given)
            await method(self, interaction, given)

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
    words = ((option.name if option.word is None else option.word, given[option.name]) for option in options)
    return {word: value for word, value in words if word}


# Suggestions


def label_contains(label: str, typed: object) -> bool:
    """Whether a label contains the typed text; for a number option Discord may send a number."""
    return str(typed).strip().casefold() in label.casefold()


def matching_choices(typed: object, choices: Iterable[tuple[Shown, Value]]) -> list[Choice[Value]]:
    """Return the values whose labels contain what was typed so far; ``choices`` are (label, value)."""
    said = ((translate(label), value) for label, value in choices)
    fitting = [item for item in said if label_contains(item[0], typed)]
    return [Choice(name=Said(label[:LONGEST]), value=value) for label, value in fitting[:MOST]]


def names(typed: object, result: Iterable[str]) -> list[Choice[str]]:
    """Return distinct names as choices, without those that are too long."""
    return matching_choices(typed, ((Name(name), name) for name in dict.fromkeys(result) if len(name) <= LONGEST))


def other_option(interaction: Interaction, option: str) -> str:
    """Return the current text of another option of the same command, normalized like a name."""
    return str(dict(iter(interaction.namespace)).get(option) or "").strip().casefold()


async def channel_pieces(interaction: Interaction, game: str) -> dict[str, Any]:
    """Return a game's pieces in this channel; {} if unreadable, since people can type without suggestions."""
    try:
        return await interaction.client.tables.pieces(request_context.place(interaction), game)
    except (PlayerError, StoreError):
        return {}


def numbers(profiles: Callable[[Interaction], Awaitable[Mapping[str, Any]]], stats: tuple[str, ...]) -> Numbers:
    """Return a suggester of these stats of ``profiles``, such as ``Angus: BS 12``: pieces with a name and stats."""

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
"""The value of a checkbox that sets an option to true."""
TYPE_AGAIN: Final = Text("Type the command again.")
DIGITS: Final = 5
"""Maximum digits of a number in a form."""
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
"""The payload's parts with entities that options name by id."""
_IDS: Final = [kind.value for kind in _RESOLVED]
PARAMETERS: Final = "parameters"
"""Key of the parameters among the extras of a command."""
HALF_PAIR: Final = re.compile("[\ud800-\udfff]")
"""Half of a surrogate pair, which JSON may contain."""
MAX_WHOLE: Final = 2**53
"""Discord's maximum integer."""
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
    """Return a command's options by display name; discord.py rebuilds them on each access."""
    known: Mapping[str, app_commands.Parameter] | None = command.extras.get(PARAMETERS)
    if known is None:
        known = command.extras[PARAMETERS] = {option.display_name: option for option in command.parameters}
    return known


def can_suggest(interaction: Interaction) -> bool:
    """Whether the option being typed has suggestions; other options may be incomplete."""
    command = interaction.command
    if not isinstance(command, app_commands.Command):
        return False
    given = list(given_options(interaction.data or {}))
    focused = next((option for option in given if option.get("focused")), {})
    typed = [(option["type"], option.get("value")) for option in given if option is not focused]
    known = {name for name, parameter in parameters(command).items() if parameter.autocomplete}
    return (
        focused.get("name") in known
        and isinstance(focused.get("value"), str | int | float)
        and all(isinstance(value, str) and value.isascii() and value.isdecimal() for of, value in typed if of in _IDS)
        and all(isinstance(value, int | float) for of, value in typed if of == Kind.number.value)
    )


def given_options(data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the command's own options, below its groups."""
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
    """Describe texts for the log: name and lengths."""
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
    """Raise ``BadInputError`` for an invalid choice, or a value outside its limits."""
    if option.choices and not option.autocomplete:
        known = {choice.name: choice.value for choice in option.choices}
        if value not in known.values():
            raise BadInputError(option.display_name, value, AllowedWords(tuple(known)))
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
    """Return an option's limits: number of characters, or range of numbers."""
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
    """A command's form; ``title``: at most 45 characters.

    ``fields``: at most five, keyed by option name; fixed, or depending on state. ``check``: parses the texts as far as
    possible without the rest, to report all errors at once. ``filled``: the fields given some options, for buttons that
    open the form. ``reads``: the options behind differently keyed fields.
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
    """Open a command's form if its required options are missing; whether it did."""
    command = interaction.command
    if not isinstance(command, app_commands.Command):
        return False
    given = {option["name"]: option["value"] for option in given_options(interaction.data or {})}
    return await ask_instead(interaction, command, given)


async def ask_instead(interaction: Interaction, command: Slash, values: Mapping[str, object]) -> bool:
    """Open a command's form if only the secrecy is given; whether it did."""
    form = form_of(command)
    if form is None or not is_empty(values):
        return False
    at = components.CommandAddress(command.qualified_name.replace(" ", "-"), secrecy_of(interaction, values))
    await ask(interaction, form, at)
    return True


def is_empty(values: Mapping[str, object]) -> bool:
    """Whether at most the secrecy is given."""
    return values.keys() <= {option.name for option in SECRET}


async def ask(
    interaction: Interaction, form: CommandForm, at: components.CommandAddress, fields: Sequence[Field] | None = None
) -> None:
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
    """Return the command of a name such as ``xwing attack``. Raises ``NotOfferedError`` if it is gone."""
    command = interaction.client.tree.get_command(name.split()[0])
    for part in name.split()[1:]:
        command = command.get_command(part) if isinstance(command, app_commands.Group) else None
    if not isinstance(command, app_commands.Command):
        raise NotOfferedError(Text("This command has changed."), TYPE_AGAIN)
    return command


async def reopen(interaction: Interaction, at: components.CommandAddress) -> None:
    _, form = await find(interaction, at)
    await ask(interaction, form, at)


async def call(interaction: Interaction, command: Slash, values: Mapping[str, object]) -> None:
    bound = (command.binding,) if command.binding is not None else ()
    await command.callback(*bound, interaction, **values)


def read(command: Slash, form: CommandForm, filled: Mapping[str, str]) -> dict[str, object]:
    """Parse a command's options from its form, by Python parameter. Raises ``PlayerError`` with all errors."""
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
    """Whether the answer is private, determined on arrival because a deferral needs it; odds are always public."""
    command = interaction.command
    if isinstance(command, app_commands.Command) and command.extras.get(PRIVATE):
        return True
    asked = {option.get("name") for option in given_options(interaction.data or {}) if option.get("value") is True}
    return bool(asked & {"secret", "blind"}) and "odds" not in asked
