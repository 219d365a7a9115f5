"""`/ruleset` and `/prefer`: the settings of a server, its channels, and each player, and who may change them.

If most people of a server read another language than the bot's there, its admin is asked once whether to switch.
People's languages are counted in memory only; only the question is stored.
"""

import io
import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Literal

import discord
from discord import app_commands
from discord.app_commands import Choice, Range
from discord.ext import commands

from bot.bounded_dict import BoundedDict
from bot.client import Client, Interaction
from bot.languages import LANGUAGES, Language
from bot.languages.translate import translate
from bot.render.card import Card
from bot.rules.errors import BadInputError, PlayerError
from bot.rules.text import EMPTY, N_, Code, Count, Name, Sentences, Shown, Text, as_text, english, with_plain
from bot.ruleset import card as cards, file
from bot.ruleset.ruling import Rule, Ruleset, Ruling, Source
from bot.ruleset.settings import GM_ROLE, LANGUAGE, LOG_CHANNEL, OF_SERVER, SETTINGS, Setting, find
from bot.store.rulesets import Scope
from bot.ui.commands.options import MISSING, CommandOption, Given, choice, matching_choices, takes
from bot.ui.core import card_messages, request_context, uploads
from bot.ui.core.components import AnswerAddress, Components, button, option, select
from bot.ui.core.responses import Answered, answer
from bot.ui.dispatch import router, subscriptions
from bot.ui.notify import log_channel

Where = Literal["channel", "server"]
Value = Range[str, 1, 100]

FILE: Final = "ruleset.json"
MENTIONED: Final = re.compile(r"<(#|@&)(\d+)>")
OTHERS: Final = AnswerAddress("ruleset", "others")
NO_PREFERENCE: Final = Text("no preference")
BACKUP: Final = Text("The file contains the previous ruleset. To go back to it, use /ruleset import.")
INTEGRATIONS: Final = Text("To let this role use /ruleset too, allow it in Server Settings, Integrations, Rollcall.")
NO_FILES: Final = Text("I can't attach files here. An admin can give me the Attach Files permission in this channel.")
NOTHING: Final = N_(
    "Nothing is set for {source_of}, so there's nothing to export. Set something with /ruleset "
    "set, or choose another ruleset with `where`."
)
MIN_PEOPLE: Final = 5
"""Minimum number of active people before an admin is asked about the language."""
MAX_PEOPLE: Final = 200
"""Maximum people counted per server, the latest ones."""
SPEAK: Final = {AnswerAddress("language", key[:2]): language for key, language in LANGUAGES.items()}
"""Answers that choose a language; words in ids have no hyphens."""
STAY: Final = AnswerAddress("language", "stay")
ASKED: Final = N_(
    "Most people here use Discord in {language}. Should I write everything that everyone sees in "
    "{language}? Private answers already use each reader's language."
)


# Display


async def show_one(interaction: Interaction, _: AnswerAddress) -> None:
    """Show the setting selected from the list of unchanged ones."""
    card = cards.setting_card(await shared_ruling(interaction), find(request_context.picked_value(interaction)))
    await answer(interaction).post_private(**card_messages.card_message(with_names(interaction, card)))


async def shared_ruling(interaction: Interaction) -> Ruling:
    """Return the settings that apply here without anyone's preferences."""
    counts = await request_context.ruling(interaction)
    return Ruling(tuple(layer for layer in counts.layers if layer[0] is not Source.PERSON))


def with_names(interaction: Interaction, card: Card) -> Card:
    """Replace mentions of channels and roles with names: the text is escaped, so Discord shows no mentions."""

    def name(match: re.Match[str]) -> str:
        guild, number = interaction.guild, int(match[2])
        if match[1] == "#":
            channel = log_channel.find(guild, number)
            return f"#{channel.name}" if channel is not None else translate(Text("a deleted channel"))
        role = guild.get_role(number) if guild is not None else None
        return f"@{role.name}" if role is not None else translate(Text("a deleted role"))

    def named(text: Shown) -> Shown:
        return as_text(with_plain(text, lambda plain: MENTIONED.sub(name, plain)))

    facts = tuple((title, named(text)) for title, text in card.facts)
    return replace(card, outcome=named(card.outcome), facts=facts)


def with_backup(interaction: Interaction, text: Shown, before: Ruleset) -> dict[str, Any]:
    """Return a sentence, with the previous ruleset as a file, if any and if the bot may attach files."""
    if not before or not card_messages.may_attach(interaction):
        return card_messages.card_message(cards.notice(text))
    return {**card_messages.card_message(cards.notice(text, BACKUP)), "file": ruleset_file(before)}


def ruleset_file(rules: Ruleset) -> discord.File:
    return discord.File(io.BytesIO(file.write(rules)), FILE)


# Changes


async def choose(interaction: Interaction, setting: Setting[Any], text: str, where: Where, *, lock: bool) -> None:
    await require_right(interaction, where, [setting])
    rule = Rule(setting.parse(named_in(interaction, setting, text)), lock)
    file.check_lock(setting, lock)
    check(interaction, {setting.key: rule}, where)
    await interaction.client.rulesets.set_rules(scope(interaction, where), interaction.guild_id, {setting.key: rule})
    hint: Shown = INTEGRATIONS if setting is GM_ROLE and rule.value else EMPTY
    interaction.extras.pop("ruling", None)
    if setting is LANGUAGE:  # its answer is the first one in it
        await request_context.begin_to_speak(interaction, is_private=False)
    counts, changed = await shared_ruling(interaction), source_of(interaction, where)
    if counts.lookup(setting).source is not changed:
        hint = cards.lines(counts, [setting])  # what counts here all the same
    card = cards.changed_card(setting, rule, changed, hint)
    await answer(interaction).post(**card_messages.card_message(with_names(interaction, card)))


async def set_preference(interaction: Interaction, setting: Setting[Any], text: str | None) -> Text:
    if not setting.personal:
        message = N_("{setting} is set for the whole table, not by each player. A GM can change it with /ruleset set.")
        raise PlayerError(Text(message, setting=setting.title))
    if text is None:
        takes_back = Text("To clear it, choose {none}.", none=Code(f"`{english(NO_PREFERENCE)}`"))
        raise BadInputError("value", None, *setting.kind.expected, takes_back)
    mine = Scope("person", interaction.user.id)
    if text.strip().casefold() == NO_PREFERENCE:
        await interaction.client.rulesets.reset(mine, setting.key)
        return Text("{setting}: you no longer have a preference.", setting=setting.title)
    value = setting.parse(text)
    await interaction.client.rulesets.set_rules(mine, None, {setting.key: Rule(value)})
    return Text("{setting}: you prefer {words}.", setting=setting.title, words=setting.words(value))


async def require_right(interaction: Interaction, where: Where, settings: list[Setting[Any]]) -> None:
    """Raise ``PlayerError`` for a person who may not set these: admins set the server's, GMs also a channel's."""
    if where == "server" or any(setting.for_admins for setting in settings):
        request_context.require_admin(interaction)
    else:
        await request_context.require_gm(interaction)


def scope(interaction: Interaction, where: Where) -> Scope:
    """Return the ruleset scope of ``where``; a thread has its own."""
    here = request_context.place(interaction)
    if here.guild_id is None:
        message = N_("Rulesets belong to servers. In a direct message, set your own preferences with /prefer.")
        raise PlayerError(Text(message))
    return Scope("server", here.guild_id) if where == "server" else Scope("channel", here.channel_id)


def source_of(interaction: Interaction, where: Where) -> Source:
    if where == "server":
        return Source.SERVER
    return Source.CHANNEL if request_context.place(interaction).parent_id is None else Source.THREAD


def check(interaction: Interaction, rules: Mapping[str, Rule], where: Where) -> None:
    """Raise ``PlayerError`` for a GM role that this server lacks, or an unsuitable log channel. The bot and the person
    must be able to write there. Copying is retried from now on, and a GM warned again if it fails.
    """
    rule = rules.get(GM_ROLE.key)
    if rule is not None and rule.value is not None and rule.value not in {role.id for role in gm_roles(interaction)}:
        raise BadInputError(GM_ROLE.title, rule.value, *GM_ROLE.kind.expected)
    rule = rules.get(LOG_CHANNEL.key)
    if rule is not None and isinstance(rule.value, int):
        log_channel.check(interaction, rule.value, of_channel=where == "channel")
        interaction.client.log.failed.pop(rule.value, None)
        interaction.client.log.told.discard(rule.value)


def named_in(interaction: Interaction, setting: Setting[Any], text: str) -> str:
    """Return a value's text with a role's or channel's name replaced by its id."""
    named: Sequence[discord.Role | discord.abc.GuildChannel] = ()
    if setting is GM_ROLE:
        named = gm_roles(interaction)
    elif setting is LOG_CHANNEL and interaction.guild is not None:
        named = interaction.guild.channels
    name = text.strip().removeprefix("@" if setting is GM_ROLE else "#").casefold()
    return next((str(item.id) for item in named if item.name.casefold() == name), text)


def gm_roles(interaction: Interaction) -> list[discord.Role]:
    """Return possible GM roles, highest first, without @everyone."""
    guild = interaction.guild
    return [role for role in reversed(guild.roles) if not role.is_default()] if guild is not None else []


# The language of a server


async def follow(fact: Answered) -> None:
    """Note a person's language, and ask a just-answered admin if most read another one."""
    interaction, guild = fact.interaction, fact.interaction.guild
    if guild is None:
        return
    people = interaction.client.heard.get(guild.id) or BoundedDict(MAX_PEOPLE)
    interaction.client.heard[guild.id] = people
    people[interaction.user.id] = request_context.language_of_reader(interaction).key
    wanted, is_admin = most_read(people), request_context.has_permission(interaction, "manage_guild")
    if wanted is None or not is_admin or not interaction.response.is_done():
        return
    counts = await request_context.ruling(interaction)
    if counts[LANGUAGE] != OF_SERVER or request_context.language_of_table(counts, guild) is wanted:
        return
    if await interaction.client.servers.ask_language(guild.id, int(time.time())):
        with request_context.in_user_language(interaction):
            label = Text("Speak {language}", language=Name(wanted.name))
            speak = button(label, AnswerAddress("language", wanted.key[:2]))
            view = Components([speak, button(Text("Leave it as is"), STAY)])
            await interaction.followup.send(
                translate(Text(ASKED, language=Name(wanted.name))), view=view, ephemeral=True
            )


def most_read(people: dict[int, str]) -> Language | None:
    """Return the language of more than half of the people, if there are enough of them."""
    if len(people) < MIN_PEOPLE:
        return None
    key, count = Counter(people.values()).most_common(1)[0]
    return LANGUAGES[key] if 2 * count > len(people) else None


async def handle_answer(interaction: Interaction, at: AnswerAddress) -> None:
    """Handle an answer to that question. Raises ``PlayerError`` for non-admins."""
    if at == STAY:
        text = N_("Nothing changes. To change it later, use `/ruleset set setting: {setting}`.")
        await answer(interaction).update(content=Text(text, setting=LANGUAGE.title), view=None)
    else:
        await choose(interaction, LANGUAGE, SPEAK[at].key, "server", lock=False)


# Suggestions


async def suggest_settings(_: Interaction, typed: str) -> list[Choice[str]]:
    """Suggest settings whose titles contain the typed text; there may be more than Discord's 25 fixed choices."""
    return matching_choices(typed, ((setting.title, setting.key) for setting in SETTINGS))


async def suggest_values(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """Suggest values of the selected setting that contain the typed text."""
    try:
        setting = find(str(interaction.namespace.setting))
    except PlayerError:  # no setting selected yet
        return []
    named: list[tuple[Shown, str]] = [(words, english(words)) for words in setting.kind.suggestions]
    if setting is GM_ROLE:
        named += [(Name(f"@{role.name}"), str(role.id)) for role in gm_roles(interaction)]
    if setting is LOG_CHANNEL and interaction.guild is not None:
        found_channels = (log_channel.find(interaction.guild, item.id) for item in interaction.guild.channels)
        named += [(Name(f"#{channel.name}"), str(channel.id)) for channel in found_channels if channel is not None]
    return matching_choices(typed, named)


async def suggest_preferences(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """Suggest the same, and the value that clears the preference."""
    result = await suggest_values(interaction, typed)
    return [*result, choice(NO_PREFERENCE, english(NO_PREFERENCE))] if interaction.namespace.setting else result


# Commands

ABOUT: Final = english(Text("Settings for this server and its channels"))
SETTING: Final = CommandOption("setting", Value, Text("Which setting"), MISSING, suggest=suggest_settings)
WHERE: Final = CommandOption(
    "where", Where, Text("Default: this channel or thread. Only admins can change the server"), "channel"
)
SET: Final = (
    SETTING,
    CommandOption(
        "value",
        Value,
        Text("Its value, for example on, off, Balanced, N4, text, or 20"),
        MISSING,
        suggest=suggest_values,
    ),
    WHERE,
    CommandOption("lock", bool, Text("Lock it, so that players' preferences and options no longer count"), False),
)
RESET: Final = (replace(SETTING, about=Text("Which setting to clear. Default: all of them"), default=None), WHERE)
IMPORT: Final = (CommandOption("file", discord.Attachment, Text("A file from /ruleset export"), MISSING), WHERE)
PERSONAL: Final = tuple(choice(setting.title, setting.key) for setting in SETTINGS if setting.personal)
PREFERENCE: Final = (
    CommandOption("setting", str, Text("Which setting"), choices=PERSONAL),
    CommandOption(
        "value", Value, Text("What you prefer, for example Balanced, N4, or text"), suggest=suggest_preferences
    ),
)


@app_commands.guild_only()
@app_commands.default_permissions(manage_channels=True)
class Rulesets(commands.GroupCog, group_name="ruleset", group_description=ABOUT):
    """Shown to people who may manage channels; each command checks its own permissions."""

    @app_commands.command(description="Which settings apply here, and where each value comes from")
    async def show(self, interaction: Interaction) -> None:
        counts = await shared_ruling(interaction)
        rest = [setting for setting in SETTINGS if not cards.is_chosen(counts, setting)]
        options = [option(setting.title, setting.key, setting.words(setting.built_in)) for setting in rest]
        shown = card_messages.card_message(with_names(interaction, cards.overview(counts)))
        if options:
            shown["view"] = Components([select(Text("Unchanged settings"), OTHERS, options)])
        await answer(interaction).post(**shown)

    @app_commands.command(name="set", description="Set one setting for this channel, or for the whole server")
    @takes(*SET)
    async def set_(self, interaction: Interaction, given: Given) -> None:
        await choose(interaction, find(given["setting"]), given["value"], given["where"], lock=given["lock"])

    @app_commands.command(description="Clear one setting, or all of them")
    @takes(*RESET)
    async def reset(self, interaction: Interaction, given: Given) -> None:
        setting, where = find(given["setting"]) if given["setting"] else None, given["where"]
        rulesets, at = interaction.client.rulesets, scope(interaction, where)
        before = await rulesets.ruleset(at)
        cleared = [item for item in SETTINGS if item.key in before] if setting is None else [setting]
        await require_right(interaction, where, cleared)
        here = source_of(interaction, where)
        if not any(item.key in before for item in cleared):
            problem = Text("No setting is set for {here}.", here=here)
            if setting is not None:
                problem = Text("{setting} isn't set for {here}.", setting=setting.title, here=here)
            raise PlayerError(Text("{problem} To see where each value comes from, use /ruleset show.", problem=problem))
        await rulesets.reset(at, setting.key if setting else None)
        text = Text("All settings are cleared for {here}.", here=here)
        if setting is not None:
            text = Text("{setting} is cleared for {here}.", setting=setting.title, here=here)
        await answer(interaction).post(**with_backup(interaction, text, before))

    @app_commands.command(description="Get this ruleset as a JSON file, to keep it or import it elsewhere")
    @takes(WHERE)
    async def export(self, interaction: Interaction, given: Given) -> None:
        answer(interaction).keep_private()
        if not card_messages.may_attach(interaction):
            raise PlayerError(NO_FILES)
        rules = await interaction.client.rulesets.ruleset(scope(interaction, given["where"]))
        here = source_of(interaction, given["where"])
        if not rules:
            raise PlayerError(Text(NOTHING, source_of=here))
        text = Text("This file contains the ruleset of {source_of}. To load it, use /ruleset import.", source_of=here)
        shown = card_messages.card_message(cards.notice(text))
        await answer(interaction).post_private(**shown, file=ruleset_file(rules))

    @app_commands.command(name="import", description="Replace this ruleset with the one in a file")
    @takes(*IMPORT)
    async def import_(self, interaction: Interaction, given: Given) -> None:
        where, rulesets = given["where"], interaction.client.rulesets
        await require_right(interaction, where, [])
        what = Text("a ruleset from /ruleset export")
        sent = await uploads.fetch(interaction, given["file"], what, file.MAX_BYTES)
        rules = await uploads.read(interaction, file.read, sent)
        at = scope(interaction, where)
        before = await rulesets.ruleset(at)
        touched = rules.keys() | before.keys()
        await require_right(interaction, where, [setting for setting in SETTINGS if setting.key in touched])
        check(interaction, rules, where)
        await rulesets.set_rules(at, interaction.guild_id, rules, whole=True)
        count, here = Count(len(rules), "setting", "settings"), source_of(interaction, where)
        text = Text("{settings} imported for {source_of}.", settings=count, source_of=here)
        await answer(interaction).post(**with_backup(interaction, text, before))


class Prefer(commands.Cog):
    """A preference applies wherever its owner plays, unless the setting is locked."""

    @app_commands.command(description="Your own method, edition, and dice style: see or change them")
    @takes(*PREFERENCE)
    async def prefer(self, interaction: Interaction, given: Given) -> None:
        answer(interaction).keep_private()
        setting, value, text = find(given["setting"]) if given["setting"] else None, given["value"], EMPTY
        if setting is not None:
            text = await set_preference(interaction, setting, value)
        elif value is not None:
            raise BadInputError("setting", None, Text("Name the setting this value is for."))
        here, rulesets = request_context.place(interaction), interaction.client.rulesets
        counts = await rulesets.ruling(here, interaction.user.id)  # with the new value
        if setting is not None and (by := counts.lookup(setting).locked_by):
            text = Sentences([text, Text("It doesn't apply here, because {by} locked it.", by=by)])
        await answer(interaction).post_private(**card_messages.card_message(cards.preferences(counts, text)))


ROUTES: Final[router.Routes] = {
    OTHERS: router.Route(show_one, is_private=True),
    **dict.fromkeys((*SPEAK, STAY), router.Route(handle_answer)),
}


async def setup(client: Client) -> None:
    await client.add_cog(Rulesets())
    await client.add_cog(Prefer())
    client.bus.subscribe(Answered, follow, subscriptions.reads_another)
    router.ROUTES.update(ROUTES)
