"""The context of an interaction: person, name, place, settings, and permissions; read once per interaction.

And its language: a public card uses its channel's, because several people edit it; a private answer, form, suggestion,
or error uses the reader's Discord language. Discord hides commands by permission; the bot checks again who is GM and
who admin. Names are sanitized: they can't ping, reverse the line, or break the text around them.
"""

import asyncio
import math
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final

import discord
from discord import app_commands
from discord.ext.commands import CooldownMapping

from bot.client import Client, Interaction
from bot.games import by_command
from bot.languages import ENGLISH, Language, of_locale
from bot.languages.translate import CURRENT_LANGUAGE, reader as reader_of, set_language, translate, using_language
from bot.resources.quotas import Caller, ServerQuota, payer
from bot.rules import name as names
from bot.rules.errors import AmbiguousTextError, NotOfferedError, PlayerError, quote_value
from bot.rules.phrase_parser import READER
from bot.rules.text import N_, UNNAMED, Code, Count, Name, Names, Said, Sentences, Shown, Text
from bot.ruleset.ruling import BUILT_IN, Ruling, check_game
from bot.ruleset.settings import GM_ROLE, LANGUAGE, OF_SERVER
from bot.sessions.events import StateStored
from bot.sessions.personal_data import FORGOTTEN
from bot.sessions.request import MENTION, Person, Place, Request
from bot.store.blocks import SERVER, AccessBlock
from bot.store.errors import StoreError

MARKDOWN: Final = re.compile(
    r"[\\*_~|`\[]"  # style, code, spoilers, links
    r"|<(?!@&\d+>)"  # mentions, times, emoji; not roles, which only our own texts mention
    r"|:(?=//)"  # an address becomes a link
    r"|@(?=everyone|here)"
)
LINES: Final = re.compile(r"^([ \t]*(?:\d+(?=\.\s)|(?=(?:#{1,3}|-#|>{1,3}|[-+])\s)))", re.MULTILINE)
"""Position before a character that formats the whole line: a heading, quote, small print, or list."""


class NameTransformer(app_commands.Transformer):
    """An option for a name, which arrives sanitized; empty if nothing of it is visible."""

    @property
    def min_value(self) -> int:
        return 1

    @property
    def max_value(self) -> int:
        return names.MAX_NAME

    async def transform(self, interaction: discord.Interaction[Any], value: str, /) -> str:
        return names.clean(value)


NameOption = app_commands.Transform[str, NameTransformer]


def person(user: discord.abc.User) -> Person:
    """Return a person with their display name, without characters that PostgreSQL rejects."""
    return Person(user.id, Name(user.display_name.replace("\x00", "")))


def mention(person_id: int) -> Code:
    """Return a mention by id, which Discord shows as a name; ``somebody`` for a forgotten person."""
    return Code("somebody" if person_id == FORGOTTEN else f"<@{person_id}>")


def name_shown(user: discord.abc.User) -> Name:
    """A person's name where Discord would format it."""
    return Name(escape_markdown(clean(person(user).name)))


def mentions_of(people: Iterable[int]) -> discord.AllowedMentions:
    return discord.AllowedMentions(users=[discord.Object(item) for item in people])


@lru_cache(maxsize=1000)  # players appear on many cards in a row
def clean(name: str) -> Shown:
    """Make a name fit for a card: one line, no mentions, not empty; Markdown remains, see ``escape_markdown``."""
    return Name(discord.utils.escape_mentions(names.clean(name))) or Text("Someone")


def escape_markdown(text: Text | str) -> Said:
    plain = translate(text) if isinstance(text, Text) else text
    return Said(LINES.sub(r"\1\\", MARKDOWN.sub(r"\\\g<0>", plain)))


MAX_PEOPLE: Final = 6
"""Maximum number of people mentioned in one declaration."""
NAMED: Final = re.compile(r"(?<![\w<@])@([^\W\d]\w*)")
"""The first word of a name as text; ``@1`` is a number of ours."""
MAX_NAMED, LONGEST_NAME = 60, 64
"""Maximum names replaced in a text, and characters in which one is found: each is compared with all members found."""
MAX_LOOKUP: Final = 1.0
"""Seconds to wait for Discord's members of a name; without an answer they stay text."""


def player(user: discord.abc.User | None) -> Person | None:
    """Return the person whom a command names. Raises ``PlayerError`` for a bot."""
    if user is not None and user.bot:
        raise PlayerError(Text("Bots can't play a side here. Name a person, or leave it out."))
    return None if user is None else person(user)


async def with_mentions(interaction: Interaction, typed: Mapping[str, Any]) -> dict[str, Any]:
    """Replace members' names that an app sent as text (``@Ana``) by mentions. Raises ``AmbiguousTextError``."""
    guild, found, members = interaction.guild, dict(typed), list[discord.Member]()
    starts = {match[1] for text in typed.values() if isinstance(text, str) for match in NAMED.finditer(text)}
    if guild is not None and starts:
        questions = interaction.client.allowances.of(guild.id).questions
        with suppress(TimeoutError):
            async with asyncio.timeout(MAX_LOOKUP):
                for start in sorted(starts)[:MAX_PEOPLE]:
                    await asyncio.sleep(questions.delay(1.0))
                    questions.consume(1.0)
                    members += await guild.query_members(start, limit=25, cache=False)
    named = {member.id: member for member in members if not member.bot}
    for key, text in typed.items():
        for match in reversed([*NAMED.finditer(text)][:MAX_NAMED]) if named and isinstance(text, str) else ():
            name, mentioned = mentioned_at(key, text, match.start(), named.values())
            found[key] = text[: match.start()] + mentioned + found[key][match.start() + len(name) :]
    return found


def mentioned_at(field: str, text: str, at: int, members: Iterable[discord.Member]) -> tuple[str, str]:
    """Return the longest member's name at the ``@`` there, and its mention; a username as it is spelled comes first."""
    rest, fits = text[at + 1 :], dict[int, dict[str, int]]()
    folded = rest[:LONGEST_NAME].casefold()
    for member in members:
        for name in (member.display_name, member.name):
            if folded.startswith(name.casefold()) and not re.match(r"\w", rest[len(name) :]):
                fits.setdefault(len(name), {})[member.name] = member.id
    end = max(fits, default=-1)
    typed, called = text[at : at + 1 + end], fits.get(end, {})
    if len(called) > 1 and rest[:end] not in called:
        names = [f"@{name}" for name in sorted(called)]
        said = Names([Code(f"`{name}`") for name in names], "or")
        choices = tuple(f"{text[:at]}{name}{rest[end:]}" for name in names)
        why = Text("{typed} could mean more than one thing. Write {said}.", typed=quote_value(typed), said=said)
        raise AmbiguousTextError(why, field, choices, tuple(Sentences([Name(name)]) for name in names))
    return typed, f"<@{called.get(rest[:end]) or next(iter(called.values()))}>" if called else typed


def number_people(typed: Mapping[str, object]) -> tuple[dict[str, object], dict[int, int]]:
    """Replace mentioned people by ``@1``, ``@2``; return each number's id too. A state is kept when somebody asks to be
    forgotten, so it must not contain ids; seats do.
    """
    numbers: dict[int, int] = {}

    def number(match: re.Match[str]) -> str:
        return f" @{numbers.setdefault(int(match[1]), len(numbers) + 1)} "

    words = {key: MENTION.sub(number, text) if isinstance(text, str) else text for key, text in typed.items()}
    if len(numbers) > MAX_PEOPLE:
        message = N_("You named {count} people. Name at most {people_most}.")
        raise PlayerError(Text(message, count=len(numbers), people_most=MAX_PEOPLE))
    return words, {number: item for item, number in numbers.items()}


async def mentioned_in(
    interaction: Interaction, filled: dict[str, str] | None
) -> tuple[dict[str, str] | None, dict[int, Person]]:
    """Return a form with mentions, and its people by id. Raises ``PlayerError`` for too many or an unsuitable one."""
    if not filled:
        return filled, {}
    filled = await with_mentions(interaction, filled)
    _, named = number_people(filled)
    return filled, {item: await person_of(interaction, item) for item in named.values()}


async def person_of(interaction: Interaction, number: int) -> Person:
    """Return the person who plays a trooper, by id. Raises ``PlayerError`` for a bot, and for an unknown id."""
    user = await user_of(interaction, number)
    if user.bot:
        raise PlayerError(Text("Bots can't play a trooper. Name a person."))
    return person(user)


async def user_of(interaction: Interaction, number: int) -> discord.abc.User:
    """Return a person by id. Raises ``PlayerError`` for an unknown id."""
    known = interaction.guild.get_member(number) if interaction.guild else interaction.client.get_user(number)
    if known is not None:
        return known
    try:
        return await interaction.client.fetch_user(number)
    except discord.HTTPException as error:
        if error.status not in (400, 404):
            raise
        raise PlayerError(Text("I can't find someone you named. Name members of this server.")) from error


WINDOW: Final = 10.0
"""Seconds of the rate limit's window per person."""
RateLimit = CooldownMapping[Interaction]


def place(interaction: Interaction) -> Place:
    """Return the place; in a voice channel's chat with the people in the call, without bots. Cached. Raises
    ``PlayerError`` in a channel type unknown to discord.py.
    """
    kept = interaction.extras.get("place")
    if not isinstance(kept, Place):
        channel, number = interaction.channel, interaction.channel_id
        if number is None:
            raise PlayerError("I don't support this kind of channel yet. Please use me in a text channel or a thread.")
        parent = channel.parent_id if isinstance(channel, discord.Thread) else None
        kept = Place(number, interaction.guild_id, tuple(in_call(channel)), parent, interaction.context.dm_channel)
        interaction.extras["place"] = kept
    return kept


def asker(interaction: Interaction) -> Caller:
    return Caller(interaction.user.id, payer(interaction.guild_id, interaction.user.id))


def allowance_of(interaction: Interaction) -> ServerQuota:
    return interaction.client.allowances.of(asker(interaction).payer)


def link(here: Place, message_id: int) -> str:
    return f"https://discord.com/channels/{here.guild_id or '@me'}/{here.channel_id}/{message_id}"


def in_call(channel: object) -> Iterator[Person]:
    """The people in a voice channel's call, including those whose names Discord has not sent yet."""
    if isinstance(channel, discord.VoiceChannel | discord.StageChannel):
        for key in channel.voice_states:
            member = channel.guild.get_member(key)
            if member is None or not member.bot:
                yield person(member) if member else Person(key, UNNAMED)


def picked_values(interaction: Interaction) -> tuple[str, ...]:
    data: Mapping[str, Any] = interaction.data or {}
    return tuple(map(str, data.get("values", ())))


def picked_value(interaction: Interaction) -> str:
    """Return the selected value; Discord's app sends exactly one."""
    values = picked_values(interaction)
    if len(values) != 1:
        raise NotOfferedError(Text("Select one thing."))
    return values[0]


async def ruling(interaction: Interaction) -> Ruling:
    """Return the settings for this person here, read once per interaction for consistency."""
    kept = interaction.extras.get("ruling")
    if not isinstance(kept, Ruling):
        kept = await interaction.client.rulesets.ruling(place(interaction), interaction.user.id)
        interaction.extras["ruling"] = kept
    return kept


async def ruling_for(interaction: Interaction, person_id: int) -> Ruling:
    """Return a person's settings here, or defaults if unreadable: a card still helps."""
    try:
        if person_id == interaction.user.id:
            return await ruling(interaction)
        return await interaction.client.rulesets.ruling(place(interaction), person_id)
    except (PlayerError, StoreError):
        return BUILT_IN


async def request(interaction: Interaction) -> Request:
    """Return the request: who, where, and which settings apply. Built once."""
    kept = interaction.extras.get("request")
    if not isinstance(kept, Request):
        counts = await ruling(interaction)
        by, is_master = person(interaction.user), is_gm_by(interaction, counts)
        token = interaction.token if interaction.message is None else ""  # a press's answer can't be looked up
        me = interaction.client.user
        kept = Request(by, place(interaction), counts, is_master, interaction.id, me.id if me is not None else 0, token)
        interaction.extras["request"] = kept
    return kept


def stored_by(interaction: Interaction) -> list[StateStored]:
    """Return the events stored because of an interaction."""
    kept = interaction.extras.get("request")
    return kept.stored if isinstance(kept, Request) else []


def is_gm_by(interaction: Interaction, counts: Ruling) -> bool:
    """Whether the person is a GM: may manage the channel or has the GM role; in direct messages, everyone is."""
    if interaction.guild_id is None or has_permission(interaction, "manage_channels"):
        return True
    role, user = counts[GM_ROLE], interaction.user
    return role is not None and isinstance(user, discord.Member) and user.get_role(role) is not None


def has_permission(interaction: Interaction, permission: str) -> bool:
    """Whether the person has a permission here; administrators have all of them."""
    given = interaction.permissions
    return given.administrator or bool(getattr(given, permission))


async def is_gm(interaction: Interaction) -> bool:
    return (await request(interaction)).is_gm


async def require_gm(interaction: Interaction) -> None:
    """Raise ``PlayerError`` for a non-GM."""
    if not await is_gm(interaction):
        role = (await ruling(interaction))[GM_ROLE]
        message = N_("Only a GM can do that: someone with the Manage Channels permission here. Please ask one.")
        if role:
            message = N_(
                "Only a GM can do that: <@&{role}> or someone with the Manage Channels permission here. Please ask one."
            )
        raise PlayerError(Text(message, role=role))


def require_admin(interaction: Interaction) -> None:
    """Raise ``PlayerError`` for a person who can't manage the server."""
    if not has_permission(interaction, "manage_guild"):
        raise PlayerError(
            "Only an admin can do that: someone with the Manage Server permission. Please ask one, or "
            "set it for this channel only if you are its GM."
        )


def language_of_table(counts: Ruling, guild: discord.Guild | None) -> Language:
    """Return a place's language: its channel's or server's setting, else a community server's, else English."""
    chosen = counts[LANGUAGE]
    if chosen != OF_SERVER:
        return of_locale(chosen)
    return of_locale(str(guild.preferred_locale)) if guild is not None and "COMMUNITY" in guild.features else ENGLISH


def with_parent(client: Client, here: Place) -> Place:
    """Return a place with its thread's channel, whose settings apply there; unknown for an archived thread."""
    channel = client.get_channel(here.channel_id)
    return replace(here, parent_id=channel.parent_id) if isinstance(channel, discord.Thread) else here


async def language_at(client: Client, here: Place) -> Language:
    """Return a place's language without an interaction; the default if unreadable."""
    try:
        counts = await client.rulesets.ruling(with_parent(client, here), FORGOTTEN)
    except StoreError:
        counts = BUILT_IN
    return language_of_table(counts, client.get_guild(here.guild_id or 0))


def language_of_reader(interaction: Interaction) -> Language:
    return of_locale(str(interaction.locale))


def in_language(language: Language) -> AbstractContextManager[None]:
    """Use a language in this block; a no-op if it is current."""
    return nullcontext() if CURRENT_LANGUAGE.get() is language else using_language(language)


def in_user_language(interaction: Interaction) -> AbstractContextManager[None]:
    return in_language(language_of_reader(interaction))


def voice(interaction: Interaction) -> Language:
    """Return the public language of this answer."""
    kept = interaction.extras.get("voice")
    return kept if isinstance(kept, Language) else ENGLISH


def in_channel_language(interaction: Interaction) -> AbstractContextManager[None]:
    return in_language(voice(interaction))


async def begin_to_speak(interaction: Interaction, *, is_private: bool) -> None:
    """Use the answer's readers' language from now on; in direct messages that of the person who rolls."""
    reader, counts = language_of_reader(interaction), await ruling_for(interaction, interaction.user.id)
    is_alone = interaction.guild_id is None and counts[LANGUAGE] == OF_SERVER
    everybody = reader if is_alone else language_of_table(counts, interaction.guild)
    interaction.extras["voice"] = everybody
    READER.set(reader_of(reader))
    spoken = reader if is_private else everybody
    if spoken is not CURRENT_LANGUAGE.get():
        set_language(spoken)


def rate_limit(most: int) -> RateLimit | None:
    """Counts the commands and presses of each person, and apart the suggestions; None for no limit."""

    def counted(interaction: Interaction) -> tuple[int, bool]:
        return interaction.user.id, interaction.type is discord.InteractionType.autocomplete

    return CooldownMapping.from_cooldown(most, WINDOW, counted) if most else None


def seconds_to_wait(interaction: Interaction) -> float | None:
    """Count this interaction; return the seconds until the next one is allowed, None below the person's rate limit."""
    limit = interaction.client.rate_limit
    # The clock may be set back, which would block people for an hour.
    return limit.update_rate_limit(interaction, time.perf_counter()) if limit is not None else None


def check_rate_limit(interaction: Interaction) -> None:
    """Raise ``PlayerError`` above the person's rate limit."""
    if (wait := seconds_to_wait(interaction)) is not None:
        seconds = Count(math.ceil(wait), "second", "seconds")
        raise PlayerError("That was too fast for me. Please wait {seconds}, then try again.", seconds=seconds)


async def check_command(interaction: Interaction) -> None:
    """Raise ``PlayerError`` if rate-limited, blocked, or the game is switched off here."""
    check_rate_limit(interaction)
    data: Mapping[str, Any] = interaction.data or {}
    check_block(interaction, str(data.get("name", "")))
    await check_switched_on(interaction, str(data.get("name", "")))


class BlockedError(PlayerError):
    """The operator has blocked the person or server."""


FOR_EVERYONE: Final = "privacy"
"""The command that blocked people may use, with its buttons: their own data."""


def check_block(interaction: Interaction, subject: str) -> None:
    """Raise ``PlayerError`` if the person or server is blocked; ``subject``: the command's first word."""
    client = interaction.client
    block = client.blocks.of(interaction.user.id, interaction.guild_id)
    if block is not None and subject != FOR_EVERYONE:
        raise BlockedError(describe_block(block, client.addresses.support))


def describe_block(block: AccessBlock, contact: str) -> Text:
    """Say that someone is blocked, until when and why, and whom to ask; ``contact``: an address, "" for none."""
    day = datetime.fromtimestamp(block.until or 0, UTC).strftime("%Y-%m-%d %H:%M UTC")
    if block.kind == SERVER:
        message = N_("The bot's host has blocked this server until {day}. The reason given: {reason}.")
        forever = N_("The bot's host has blocked this server. The reason given: {reason}.")
    else:
        message = N_("The bot's host has blocked you until {day}. The reason given: {reason}.")
        forever = N_("The bot's host has blocked you. The reason given: {reason}.")
    head = Text(message if block.until else forever, day=Code(day), reason=Name(block.reason.rstrip(".")))
    ask = N_("If that's a mistake, contact `{address}`. `/privacy` still works.")
    nobody = N_("If that's a mistake, contact the bot's host. `/privacy` still works.")
    return Sentences([head, Text(ask if contact else nobody, address=Code(contact))])


async def check_switched_on(interaction: Interaction, command: str) -> None:
    """Raise ``PlayerError`` if a command's game is switched off here; ``command``: its first word."""
    if (game := by_command().get(command)) is not None:
        check_game(await ruling(interaction), game)
