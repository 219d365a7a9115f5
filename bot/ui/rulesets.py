"""`/ruleset` and `/prefer`: who may set what, and how the bot answers."""

import io
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, Literal

import discord

from bot.client import Interaction
from bot.languages.say import say
from bot.render.card import Card
from bot.rules.errors import BadInput, PlayerError
from bot.rules.text import EMPTY, Code, Count, Name, Sentences, Shown, Text, Words, as_text, english, with_plain
from bot.ruleset import card as cards
from bot.ruleset import file
from bot.ruleset.ruling import Rule, Ruleset, Ruling, Source
from bot.ruleset.settings import GM_ROLE, LOG_CHANNEL, SETTINGS, Setting, find
from bot.store.rulesets import Scope
from bot.ui import files, forms, log_channel
from bot.ui.address import Answer
from bot.ui.answer import answer
from bot.ui.components import Components, option, select
from bot.ui.display import card_message, may_attach
from bot.ui.place import need_admin, need_gm, place, ruling
from bot.ui.suggest import fitting

Where = Literal["channel", "server"]

FILE: Final = "ruleset.json"
CHANNEL: Final = re.compile(r"<#(\d+)>")
"""Discord's limit."""
OTHERS: Final = Answer("ruleset", "others")
NO_PREFERENCE: Final = Text("no preference")
BACKUP: Final = Text("The file holds the ruleset as it was before. To go back, use /ruleset import.")
INTEGRATIONS: Final = Text("To let this role use /ruleset too, allow it in Server Settings, Integrations, Rollcall.")


async def show(interaction: Interaction) -> None:
    """Show the settings that count here for everybody, without anyone's preferences."""
    counts = await everybodys(interaction)
    rest = [one for one in SETTINGS if not cards.is_chosen(counts, one)]
    options = [option(one.title, one.key, one.words(one.built_in)) for one in rest]
    view = Components([select(Text("Settings that nobody changed"), OTHERS, options)]) if options else None
    shown = card_message(with_channel_names(interaction, cards.overview(counts)))
    await answer(interaction).post(**shown, **({"view": view} if view else {}))


async def show_one(interaction: Interaction, _: Answer) -> None:
    """Show the setting that was picked from the list."""
    picked = next(iter(forms.picked(interaction)), "")  # a forged press may bring none, or several
    card = cards.one(await everybodys(interaction), find(picked))
    await answer(interaction).post_private(**card_message(with_channel_names(interaction, card)))


async def everybodys(interaction: Interaction) -> Ruling:
    """What counts here without anyone's preferences."""
    counts = await ruling(interaction)
    return Ruling(tuple(layer for layer in counts.layers if layer[0] is not Source.PERSON))


async def choose(interaction: Interaction, setting: Setting[Any], text: str, where: Where, *, lock: bool) -> None:
    """Set one setting for a channel or for the server."""
    await need_right(interaction, where, [setting])
    rule = Rule(setting.parse(named_in(interaction, setting, text)), lock)
    file.check_lock(setting, lock)
    check_role(interaction, {setting.key: rule})
    check_log_channel(interaction, {setting.key: rule}, where)
    await interaction.client.rulesets.put(scope(interaction, where), interaction.guild_id, {setting.key: rule})
    hint = INTEGRATIONS if setting is GM_ROLE and rule.value else EMPTY
    card = cards.changed(setting, rule, source_of(interaction, where), hint)
    await answer(interaction).post(**card_message(with_channel_names(interaction, card)))


async def reset(interaction: Interaction, setting: Setting[Any] | None, where: Where) -> None:
    """Clear one setting or all of them. The answer has the ruleset as it was before, as a file."""
    before = await interaction.client.rulesets.ruleset(scope(interaction, where))
    cleared = [one for one in SETTINGS if one.key in before] if setting is None else [setting]
    await need_right(interaction, where, cleared)
    here = source_of(interaction, where)
    if not any(one.key in before for one in cleared):
        problem = (
            Text("{setting} is not set for {here}.", setting=setting.title, here=here)
            if setting
            else Text("No setting is set for {here}.", here=here)
        )
        raise PlayerError(Text("{problem} /ruleset show says where each value comes from.", problem=problem))
    await interaction.client.rulesets.reset(scope(interaction, where), setting.key if setting else None)
    text = (
        Text("{setting} is cleared for {here}.", setting=setting.title, here=here)
        if setting
        else Text("All settings are cleared for {here}.", here=here)
    )
    await answer(interaction).post(**with_backup(interaction, text, before))


async def export(interaction: Interaction, where: Where) -> None:
    """Send one ruleset as a private file."""
    answer(interaction).keep_private()
    if not may_attach(interaction):
        raise PlayerError(
            Text("I may not attach files here. An admin can give me the permission Attach Files in this channel.")
        )
    rules = await interaction.client.rulesets.ruleset(scope(interaction, where))
    if not rules:
        raise PlayerError(
            Text(
                "Nothing is set for {source_of}, so there is nothing to export. Set something with "
                "/ruleset set, or choose another ruleset with `where`.",
                source_of=source_of(interaction, where),
            )
        )
    card = cards.notice(
        Text(
            "This file holds the ruleset of {source_of}. /ruleset import reads it.",
            source_of=source_of(interaction, where),
        )
    )
    await answer(interaction).post_private(**card_message(card), file=ruleset_file(rules))


async def import_file(interaction: Interaction, given: discord.Attachment, where: Where) -> None:
    """Replace a ruleset with the one in a file. Raises ``PlayerError`` naming the field that is wrong."""
    await need_right(interaction, where, [])
    rules = await files.read(
        interaction,
        file.read,
        await files.fetch(interaction, given, Text("a ruleset as /ruleset export writes it"), file.BYTES_MOST),
    )
    before = await interaction.client.rulesets.ruleset(scope(interaction, where))
    await need_right(interaction, where, [one for one in SETTINGS if one.key in (rules.keys() | before.keys())])
    check_role(interaction, rules)
    check_log_channel(interaction, rules, where)
    await interaction.client.rulesets.put(scope(interaction, where), interaction.guild_id, rules, whole=True)
    text = Text(
        "{settings} imported for {source_of}.",
        settings=Count(len(rules), "setting", "settings"),
        source_of=source_of(interaction, where),
    )
    await answer(interaction).post(**with_backup(interaction, text, before))


async def prefer(interaction: Interaction, setting: Setting[Any] | None, value_text: str | None) -> None:
    """Set a preference, or show the settings that count for the person who asks."""
    answer(interaction).keep_private()
    text = EMPTY
    if setting is not None:
        if not setting.personal:
            raise PlayerError(
                Text(
                    "{setting} is set for the whole table, not by each player. A GM can change it with /ruleset set.",
                    setting=setting.title,
                )
            )
        if value_text is None:
            raise BadInput(
                "value",
                None,
                *setting.kind.wanted,
                Text("{none} takes it back.", none=Code(f"`{english(NO_PREFERENCE)}`")),
            )
        mine = Scope("person", interaction.user.id)
        if value_text.strip().casefold() == NO_PREFERENCE:
            await interaction.client.rulesets.reset(mine, setting.key)
            text = Text("{setting}: you no longer have a preference.", setting=setting.title)
        else:
            value = setting.parse(value_text)
            await interaction.client.rulesets.put(mine, None, {setting.key: Rule(value)})
            text = Text("{setting}: you prefer {words}.", setting=setting.title, words=setting.words(value))
    elif value_text is not None:
        raise BadInput("setting", None, Text("Name the setting that the value is for."))
    counts = await interaction.client.rulesets.ruling(place(interaction), interaction.user.id)  # as it is from now on
    if setting is not None and (by := counts.lookup(setting).locked_by):
        text = Sentences([text, Text("It does not count here, because {by} has locked it.", by=by)])
    await answer(interaction).post_private(**card_message(cards.preferences(counts, text)))


async def need_right(interaction: Interaction, where: Where, settings: list[Setting[Any]]) -> None:
    """Raises ``PlayerError`` for a person who may not set these: admins set the server's, GMs also a channel's."""
    if where == "server" or any(setting.for_admins for setting in settings):
        need_admin(interaction)
    else:
        await need_gm(interaction)


def scope(interaction: Interaction, where: Where) -> Scope:
    """Whose ruleset ``where`` means; a thread has its own."""
    here = place(interaction)
    if here.guild_id is None:
        raise PlayerError(Text("Rulesets belong to servers. In a direct message, choose for yourself with /prefer."))
    return Scope("server", here.guild_id) if where == "server" else Scope("channel", here.channel_id)


def source_of(interaction: Interaction, where: Where) -> Source:
    if where == "server":
        return Source.SERVER
    return Source.CHANNEL if place(interaction).parent_id is None else Source.THREAD


def with_backup(interaction: Interaction, text: Shown, before: Ruleset) -> dict[str, Any]:
    """A sentence, with the ruleset as it was before as a file, if there was one and the bot may attach files."""
    if not before or not may_attach(interaction):
        return card_message(cards.notice(text))
    return {
        **card_message(cards.notice(text, BACKUP)),
        "file": ruleset_file(before),
    }


def ruleset_file(rules: Ruleset) -> discord.File:
    return discord.File(io.BytesIO(file.write(rules)), FILE)


def check_role(interaction: Interaction, rules: Mapping[str, Rule]) -> None:
    """Raises ``BadInput`` for a GM role that this server does not have."""
    rule = rules.get(GM_ROLE.key)
    if rule is not None and rule.value is not None and rule.value not in {role.id for role in gm_roles(interaction)}:
        raise BadInput(GM_ROLE.key, rule.value, *GM_ROLE.kind.wanted)


def check_log_channel(interaction: Interaction, rules: Mapping[str, Rule], where: Where) -> None:
    """Raises ``PlayerError`` for a log channel in which not both who sets it and the bot may write.

    From now on it is tried again, and a GM is told again if it fails.
    """
    rule = rules.get(LOG_CHANNEL.key)
    if rule is not None and isinstance(rule.value, int):
        log_channel.check(interaction, rule.value, of_channel=where == "channel")
        interaction.client.log.failed.pop(rule.value, None)
        interaction.client.log.told.discard(rule.value)


def named_in(interaction: Interaction, setting: Setting[Any], text: str) -> str:
    """The text of a value, with the id in place of the name of a role or a channel."""
    if setting is GM_ROLE:
        return role_in(interaction, text)
    return channel_in(interaction, text) if setting is LOG_CHANNEL else text


def channel_in(interaction: Interaction, text: str) -> str:
    """The id of the channel with this name, or the text unchanged if there is none."""
    name = text.strip().removeprefix("#").casefold()
    channels = interaction.guild.channels if interaction.guild is not None else ()
    return next((str(channel.id) for channel in channels if channel.name.casefold() == name), text)


def with_channel_names(interaction: Interaction, card: Card) -> Card:
    """A card with channels by their names: its text is escaped, so that Discord shows no mentions."""

    def name(found: re.Match[str]) -> Words:
        channel = log_channel.find(interaction.guild, int(found[1]))
        return Text("a channel that is gone") if channel is None else Name(f"#{channel.name}")

    def names(plain: str) -> str:
        return CHANNEL.sub(lambda found: say(name(found)), plain)

    facts = tuple((title, as_text(with_plain(text, names))) for title, text in card.facts)
    return replace(card, outcome=as_text(with_plain(card.outcome, names)), facts=facts)


def role_in(interaction: Interaction, text: str) -> str:
    """The id of the role with this name, or the text unchanged if there is none."""
    name = text.strip().removeprefix("@").casefold()
    return next((str(role.id) for role in gm_roles(interaction) if role.name.casefold() == name), text)


def gm_roles(interaction: Interaction) -> list[discord.Role]:
    """The roles that can be the GM role, the highest first; not @everyone."""
    guild = interaction.guild
    return [role for role in reversed(guild.roles) if not role.is_default()] if guild is not None else []


def suggest_settings(typed: str) -> list[discord.app_commands.Choice[str]]:
    """The settings whose titles contain what is typed so far.

    Games bring some of their own, so they may become more than the 25 fixed choices that Discord takes.
    """
    return fitting(typed, ((setting.title, setting.key) for setting in SETTINGS))


def suggest_values(
    interaction: Interaction, setting: Setting[Any], typed: str
) -> list[discord.app_commands.Choice[str]]:
    """The values of a setting that contain what is typed so far."""
    named: list[tuple[Words, str]] = [(words, english(words)) for words in setting.kind.suggestions]
    if setting is GM_ROLE:
        named += [(Name(f"@{role.name}"), str(role.id)) for role in gm_roles(interaction)]
    if setting is LOG_CHANNEL and interaction.guild is not None:
        found_channels = (log_channel.find(interaction.guild, one.id) for one in interaction.guild.channels)
        named += [(Name(f"#{channel.name}"), str(channel.id)) for channel in found_channels if channel is not None]
    return fitting(typed, named)
