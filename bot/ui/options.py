"""Options of commands: one table of them a game, what Discord suggests while somebody types, and in which language.

A command's signature, described texts, form and declaration follow from the table.

discord.py reads the options of a command off the signature of its function. ``takes`` writes that signature, so that a
command names its options once, and its function gets what was typed by the names that people know.
"""

import inspect
from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass, field, replace
from keyword import iskeyword
from typing import Any, Final, TypeVar, cast

import discord
from discord import Locale, app_commands
from discord.app_commands import Choice
from discord.app_commands import TranslationContextLocation as Location

from bot.client import Interaction
from bot.languages import ENGLISH, of_locale
from bot.languages.say import say
from bot.rules.errors import PlayerError
from bot.rules.game import Field
from bot.rules.game import Option as Pick
from bot.rules.text import EMPTY, Code, Name, Said, Shown, as_text, english
from bot.store.errors import StoreError
from bot.ui.panel import OPTION_NAMES
from bot.ui.place import place
from bot.ui.secret import OPTIONS as SECRECY

Given = Mapping[str, Any]
"""The options of a command by name; those that nobody typed have their default."""
Callback = Callable[..., Coroutine[Any, Any, None]]
C = TypeVar("C", bound=Callback)
MISSING: Final = inspect.Parameter.empty
MOST: Final = 25
LONGEST: Final = 100
"""Discord's limits: suggestions, and characters of one."""
Value = TypeVar("Value", str, int)
FIELD_MOST: Final = 200
"""Characters of a field whose option has no limit of its own."""


def choice(name: Shown, value: str) -> app_commands.Choice[str]:
    """A fixed choice of an option: Discord gets the English, and each language from the translator of commands."""
    return app_commands.Choice(name=Said(english(name)), value=value)


def chosen_as(words: Iterable[str]) -> tuple[Choice[str], ...]:
    """Choices that are called as the words that they mean."""
    return tuple(choice(Code(one), one) for one in words)


@dataclass(frozen=True, slots=True)
class Option:
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
        """Its name in Python, where some words are taken."""
        return f"{self.name}_" if iskeyword(self.name) else self.name

    def said(self, about: Shown) -> "Option":
        """The same, with other words for another command."""
        return replace(self, about=about)

    def field(self, label: Shown, example: Shown = EMPTY, *, required: bool = False) -> Field:
        """The option as a field of a form. Its longest text follows from its limits."""
        picks = tuple(Pick(str(one.value), as_text(Code(one.name))) for one in self.choices)
        return Field(self.name, label, example, required, self.longest, options=picks)

    @property
    def longest(self) -> int:
        """The characters of its longest text."""
        most = getattr(self.kind, "max_value", None)
        if most is None:
            return FIELD_MOST
        return int(most) if self.kind.type is discord.AppCommandOptionType.string else len(str(most))


SECRET: Final = tuple(Option(name, bool, about, False, word="") for name, about in SECRECY.items())
"""What every roll takes."""


def takes(*options: Option) -> Callable[[Callback], Any]:
    """For a command's method ``(self, interaction, given)``: the method that discord.py calls with these options."""

    def decorate(method: Callback) -> Any:
        words = {one.word: one.name for one in options if one.word}

        async def called(self: object, interaction: Interaction, **values: Any) -> None:
            interaction.extras[OPTION_NAMES] = words
            await method(self, interaction, {one.name: values.get(one.parameter, one.default) for one in options})

        for name in ("__doc__", "__name__", "__qualname__", "__module__"):
            setattr(called, name, getattr(method, name))
        own = list(inspect.signature(method).parameters.values())[:2]
        cast(Any, called).__signature__ = inspect.Signature([*own, *map(in_signature, options)])
        return decorated(called, options)

    return decorate


def in_signature(option: Option) -> inspect.Parameter:
    kind = option.kind | None if option.default is None else option.kind
    return inspect.Parameter(option.parameter, inspect.Parameter.KEYWORD_ONLY, default=option.default, annotation=kind)


def decorated(called: C, options: Iterable[Option]) -> C:
    """What discord.py's own decorators say of the options."""
    listed = list(options)
    decorators: list[tuple[Callable[..., Callable[[C], C]], dict[str, Any]]] = [
        (app_commands.describe, {one.parameter: one.about for one in listed}),
        (app_commands.rename, {one.parameter: one.name for one in listed if one.parameter != one.name}),
        (app_commands.choices, {one.parameter: list(one.choices) for one in listed if one.choices}),
        (app_commands.autocomplete, {one.parameter: one.suggest for one in listed if one.suggest}),
    ]
    for decorate, words in decorators:
        called = decorate(**words)(called) if words else called
    return called


def declaration(given: Given, *options: Option) -> dict[str, object]:
    """The words of a declaration that these options say."""
    return {one.name if one.word is None else one.word: given[one.name] for one in options if one.word != ""}


# Suggestions


def holds(label: str, typed: object) -> bool:
    """Whether a label contains what is typed so far; for a number option Discord may send a number."""
    return str(typed).strip().casefold() in label.casefold()


def fitting(typed: object, choices: Iterable[tuple[Shown, Value]]) -> list[Choice[Value]]:
    """Those values whose labels contain what is typed so far; ``choices`` are (label, value)."""
    said = ((say(label), value) for label, value in choices)
    return [Choice(name=Said(label[:LONGEST]), value=value) for label, value in said if holds(label, typed)][:MOST]


def names(typed: object, found: Iterable[str]) -> list[Choice[str]]:
    """The same for names, each once. One that is too long to be picked whole is left out."""
    return fitting(typed, ((Name(name), name) for name in dict.fromkeys(found) if len(name) <= LONGEST))


def other(interaction: Interaction, option: str) -> str:
    """What another option of the same command holds so far, as names are compared."""
    return str(dict(iter(interaction.namespace)).get(option) or "").strip().casefold()


async def held(interaction: Interaction, game: str) -> dict[str, Any]:
    """The pieces of a game in this channel; none if they cannot be read: people can type without suggestions."""
    try:
        return await interaction.client.tables.pieces(place(interaction), game)
    except (PlayerError, StoreError):
        return {}


class Translator(app_commands.Translator):
    """Says what is shown of a command in each of Discord's locales that we speak.

    Names of commands and options stay English everywhere, so that people can tell each other what to type.
    """

    async def translate(
        self, string: app_commands.locale_str, locale: Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        if context.location in (Location.command_name, Location.group_name, Location.parameter_name, Location.other):
            return None
        language = of_locale(str(locale))
        if language is ENGLISH:
            # Discord shows what has no locale as American English; other English is named, or it falls back to others
            return str(string.message) if locale is Locale.british_english else None
        said = language.message(str(string.message))
        return None if said == string.message else said
