"""Which language is spoken for whom: the table's for what everybody sees, the reader's for what one person sees.

Two people edit one card, so a public card speaks the language of its channel, never that of whoever pressed. A private
answer, a form, a suggestion or a refusal is read by one person, in the language of their Discord.
"""

from contextlib import AbstractContextManager, nullcontext

import discord

from bot.client import Client, Interaction
from bot.languages import ENGLISH, Language, of_locale
from bot.languages.say import SPOKEN, speak, speaking
from bot.languages.say import reader as reader_of
from bot.rules.errors import PlayerError
from bot.rules.phrase import READER
from bot.ruleset.ruling import BUILT_IN, Ruling
from bot.ruleset.settings import LANGUAGE, OF_SERVER
from bot.sessions.people import FORGOTTEN
from bot.sessions.place import Place
from bot.store.errors import StoreError
from bot.ui.place import ruling


def of_table(counts: Ruling, guild: discord.Guild | None) -> Language:
    """The language of a place: what its channel or server chose, or else that of a community server, or English."""
    chosen = counts[LANGUAGE]
    if chosen != OF_SERVER:
        return of_locale(chosen)
    return of_locale(str(guild.preferred_locale)) if guild is not None and "COMMUNITY" in guild.features else ENGLISH


async def at(client: Client, here: Place) -> Language:
    """The language of a place, for what no interaction asks for; where its settings cannot be read, the default."""
    try:
        counts = await client.rulesets.ruling(here, FORGOTTEN)
    except StoreError:
        counts = BUILT_IN
    return of_table(counts, client.get_guild(here.guild_id or 0))


def of_reader(interaction: Interaction) -> Language:
    return of_locale(str(interaction.locale))


def is_foreign(interaction: Interaction) -> bool:
    """Whether who acts reads another language than the bot speaks there to everybody."""
    return of_reader(interaction) is not interaction.extras.get("voice", ENGLISH)


def in_language(language: Language) -> AbstractContextManager[None]:
    """While something is said in a language; where that is spoken already, there is nothing to do."""
    return nullcontext() if SPOKEN.get() is language else speaking(language)


def to_reader(interaction: Interaction) -> AbstractContextManager[None]:
    """While something is made that only who typed or pressed sees."""
    return in_language(of_reader(interaction))


def to_everybody(interaction: Interaction) -> AbstractContextManager[None]:
    """While something is made that everybody sees, in the course of an answer to one person."""
    kept = interaction.extras.get("voice")
    return in_language(kept if isinstance(kept, Language) else ENGLISH)


async def begin(interaction: Interaction, *, is_private: bool) -> None:
    """Speak from now on what those read who will see the answer.

    In direct messages that is one person, or a few who wrote to each other: they read what who rolled reads.
    """
    reader = of_reader(interaction)
    try:
        counts = await ruling(interaction)
    except (StoreError, PlayerError):  # whoever needs the settings says so, and a card that needs none still helps
        counts = BUILT_IN
    is_alone = interaction.guild_id is None and counts[LANGUAGE] == OF_SERVER
    everybody = reader if is_alone else of_table(counts, interaction.guild)
    interaction.extras["voice"] = everybody
    READER.set(reader_of(reader))
    spoken = reader if is_private else everybody
    if spoken is not SPOKEN.get():
        speak(spoken)
