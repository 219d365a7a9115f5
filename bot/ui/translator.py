"""What Discord shows while somebody types a command: descriptions and choices in the languages of the bot.

Names of commands and options stay English everywhere, so that people can tell each other what to type.
"""

from typing import Final

from discord import Locale, app_commands
from discord.app_commands import TranslationContextLocation as Location

from bot.languages import ENGLISH, of_locale

SAID: Final = (
    Location.command_description,
    Location.group_description,
    Location.parameter_description,
    Location.choice_name,
)


class Translator(app_commands.Translator):
    """Says what is shown of a command in each of Discord's locales that we speak."""

    async def translate(
        self, string: app_commands.locale_str, locale: Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        if context.location not in SAID:
            return None
        language = of_locale(str(locale))
        if language is ENGLISH:
            # Discord shows what has no locale as American English; other English is named, or it falls back to others
            return str(string.message) if locale is Locale.british_english else None
        said = language.message(str(string.message))
        return None if said == string.message else said
