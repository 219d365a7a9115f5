"""`/ruleset` and `/prefer`: who may choose what, and how it is shown."""

import io
from collections.abc import Mapping
from typing import Any, Final, Literal

import discord

from bot.client import Interaction
from bot.render.card import quantity
from bot.rules.errors import BadInput, PlayerError
from bot.ruleset import card as cards
from bot.ruleset import file
from bot.ruleset.ruling import Rule, Ruleset, Ruling, Source
from bot.ruleset.settings import GM_ROLE, SETTINGS, Setting
from bot.store.rulesets import Scope
from bot.ui.answer import answer
from bot.ui.display import card_message, may_attach
from bot.ui.gm import need_admin, need_gm
from bot.ui.place import place, ruling

Where = Literal["channel", "server"]

FILE: Final = "ruleset.json"
CHOICES_MOST: Final = 25
"""Discord's limit."""
NO_PREFERENCE: Final = "as the table has it"
INTEGRATIONS: Final = "To let the role use /ruleset as well, allow it in Server Settings, Integrations, Rollcall."


async def show(interaction: Interaction) -> None:
    """What counts here for everybody, preferences apart."""
    counts = await ruling(interaction)
    everybody = Ruling(tuple(layer for layer in counts.layers if layer[0] is not Source.PERSON))
    await answer(interaction).post(**card_message(cards.overview(everybody)))


async def choose(interaction: Interaction, setting: Setting[Any], text: str, where: Where, *, lock: bool) -> None:
    """Choose one setting for a channel or for the server."""
    await need_right(interaction, where, [setting])
    rule = Rule(setting.parse(role_in(interaction, text) if setting is GM_ROLE else text), lock)
    file.check_lock(setting, lock)
    check_role(interaction, {setting.key: rule})
    await interaction.client.rulesets.put(scope(interaction, where), interaction.guild_id, {setting.key: rule})
    hint = INTEGRATIONS if setting is GM_ROLE and rule.value else ""
    await answer(interaction).post(**card_message(cards.changed(setting, rule, source_of(interaction, where), hint)))


async def reset(interaction: Interaction, setting: Setting[Any] | None, where: Where) -> None:
    """Choose nothing any more; what was chosen comes along as a file."""
    before = await interaction.client.rulesets.ruleset(scope(interaction, where))
    touched = [one for one in SETTINGS if one.key in before] if setting is None else [setting]
    await need_right(interaction, where, touched)
    here = source_of(interaction, where)
    if not any(one.key in before for one in touched):
        raise PlayerError(f"Nothing was chosen for {here} there. See /ruleset show for where each value comes from.")
    await interaction.client.rulesets.reset(scope(interaction, where), setting.key if setting else None)
    said = f"{setting.title}: no longer chosen" if setting else "Nothing is chosen any more"
    await answer(interaction).post(**with_backup(interaction, f"{said} for {here}.", before))


async def export(interaction: Interaction, where: Where) -> None:
    """What one ruleset says, as a file for the one who asked."""
    answer(interaction).keep_private()
    if not may_attach(interaction):
        raise PlayerError(
            "I may not attach files here. An admin can give me the permission Attach Files in this channel."
        )
    rules = await interaction.client.rulesets.ruleset(scope(interaction, where))
    if not rules:
        raise PlayerError(
            f"Nothing was chosen for {source_of(interaction, where)}, so there is nothing to export. "
            "Choose something with /ruleset set, or export another ruleset with `where`."
        )
    card = cards.notice(f"The ruleset of {source_of(interaction, where)}, to be kept or imported elsewhere.")
    await answer(interaction).post_private(**card_message(card), file=ruleset_file(rules))


async def import_file(interaction: Interaction, given: discord.Attachment, where: Where) -> None:
    """Put the ruleset of a file in place of what was chosen. Raises ``PlayerError`` naming the field that is wrong."""
    await need_right(interaction, where, [])
    if given.size > file.BYTES_MOST:
        raise BadInput("file", f"{given.size} bytes", f"at most {file.BYTES_MOST} bytes, as /ruleset export writes it")
    try:
        rules = file.read(await given.read())
    except discord.DiscordException:
        raise PlayerError("Discord did not give me that file. Please attach it again.") from None
    before = await interaction.client.rulesets.ruleset(scope(interaction, where))
    await need_right(interaction, where, [one for one in SETTINGS if one.key in (rules.keys() | before.keys())])
    check_role(interaction, rules)
    await interaction.client.rulesets.put(scope(interaction, where), interaction.guild_id, rules, whole=True)
    said = f"Chosen for {source_of(interaction, where)} now: {quantity(len(rules), 'setting')}."
    await answer(interaction).post(**with_backup(interaction, said, before))


async def prefer(interaction: Interaction, setting: Setting[Any] | None, text: str | None) -> None:
    """Choose for oneself, or see what counts for oneself."""
    answer(interaction).keep_private()
    said = ""
    if setting is not None:
        if not setting.personal:
            raise PlayerError(f"{setting.title} is the table's to choose, not a player's. A GM can: /ruleset set")
        if text is None:
            raise BadInput("value", None, f"{setting.kind.allowed}, or {NO_PREFERENCE}")
        mine = Scope("person", interaction.user.id)
        if text.strip().casefold() == NO_PREFERENCE:
            await interaction.client.rulesets.reset(mine, setting.key)
            said = f"{setting.title}: you have no preference any more."
        else:
            value = setting.parse(text)
            await interaction.client.rulesets.put(mine, None, {setting.key: Rule(value)})
            said = f"{setting.title}: you prefer {setting.words(value)}."
    elif text is not None:
        raise BadInput("setting", None, "what the value is for")
    counts = await ruling(interaction)
    if setting is not None and (by := counts.lookup(setting).locked_by):
        said += f" Here it does not count: {by} has locked it."
    await answer(interaction).post_private(**card_message(cards.preferences(counts, said)))


async def need_right(interaction: Interaction, where: Where, settings: list[Setting[Any]]) -> None:
    """Raises ``PlayerError`` for who may not choose: a server's rules are an admin's, a channel's a GM's too."""
    if where == "server" or any(setting.for_admins for setting in settings):
        need_admin(interaction)
    else:
        await need_gm(interaction)


def scope(interaction: Interaction, where: Where) -> Scope:
    """Whose ruleset is meant; a thread has one of its own."""
    here = place(interaction)
    if here.guild_id is None:
        raise PlayerError("Rulesets belong to servers. In direct messages choose for yourself: /prefer")
    return Scope("server", here.guild_id) if where == "server" else Scope("channel", here.channel_id)


def source_of(interaction: Interaction, where: Where) -> Source:
    if where == "server":
        return Source.SERVER
    return Source.CHANNEL if place(interaction).parent_id is None else Source.THREAD


def with_backup(interaction: Interaction, said: str, before: Ruleset) -> dict[str, Any]:
    """A sentence, and what was chosen before as a file, if there was anything and files may be attached."""
    if not before or not may_attach(interaction):
        return card_message(cards.notice(said))
    return {
        **card_message(cards.notice(said, "The file holds what it was: /ruleset import")),
        "file": ruleset_file(before),
    }


def ruleset_file(rules: Ruleset) -> discord.File:
    return discord.File(io.BytesIO(file.write(rules)), FILE)


def check_role(interaction: Interaction, rules: Mapping[str, Rule]) -> None:
    """Raises ``BadInput`` for a GM role that this server does not have."""
    rule = rules.get(GM_ROLE.key)
    if rule is not None and rule.value is not None and rule.value not in {role.id for role in gm_roles(interaction)}:
        raise BadInput(GM_ROLE.key, rule.value, GM_ROLE.kind.allowed)


def role_in(interaction: Interaction, text: str) -> str:
    """The number of the role that is called so, or the text as it is."""
    name = text.strip().removeprefix("@").casefold()
    return next((str(role.id) for role in gm_roles(interaction) if role.name.casefold() == name), text)


def gm_roles(interaction: Interaction) -> list[discord.Role]:
    """The roles that can be a GM's, the highest first; @everybody is none."""
    guild = interaction.guild
    return [role for role in reversed(guild.roles) if not role.is_default()] if guild is not None else []


def suggest_values(
    interaction: Interaction, setting: Setting[Any], typed: str
) -> list[discord.app_commands.Choice[str]]:
    """The values of a setting that hold what is typed so far."""
    named = [(words, words) for words in setting.kind.suggestions]
    if setting is GM_ROLE:
        named += [(f"@{role.name}", str(role.id)) for role in gm_roles(interaction)]
    found = [(name, value) for name, value in named if typed.strip().casefold() in name.casefold()]
    return [discord.app_commands.Choice(name=name[:100], value=value) for name, value in found[:CHOICES_MOST]]
