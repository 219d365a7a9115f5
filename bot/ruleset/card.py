"""Rulesets on cards: the settings that count, and where each value comes from."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from bot.render.card import Card
from bot.ruleset.ruling import Rule, Ruled, Ruling, Source
from bot.ruleset.settings import GROUPS, SETTINGS, Setting

ORDER: Final = "Your preference comes first, then this channel's ruleset, then the server's, then the default."


def overview(ruling: Ruling) -> Card:
    """Every setting of a place, in groups."""
    chosen = sum(ruling.lookup(setting).source is not Source.BUILT_IN for setting in SETTINGS)
    outcome = f"{chosen} of {len(SETTINGS)} settings are set here; the others have their defaults."
    return Card(
        title="Ruleset",
        outcome=outcome if chosen else "Nothing is set here yet: every setting has its default.",
        facts=tuple((name, lines(ruling, settings)) for name, settings in GROUPS.items()),
        small="To change one, use /ruleset set. For your own preferences, use /prefer.",
        ahead="nobody",
    )


def preferences(ruling: Ruling, outcome: str = "") -> Card:
    """The settings that a player can prefer, and the values that count for them here."""
    personal = tuple(setting for setting in SETTINGS if setting.personal)
    return Card(
        title="Your preferences",
        outcome=outcome or "These settings count for you here.",
        facts=(("Counts for you", lines(ruling, personal)),),
        small=f"{ORDER} If a ruleset locks a setting, preferences do not count.",
        ahead="nobody",
    )


def changed(setting: Setting[Any], rule: Rule, source: Source, hint: str = "") -> Card:
    """A setting was set for a place."""
    words, locked = setting.words(rule.value), " Players' preferences do not count." if rule.locked else ""
    if words.startswith("<@"):  # Discord shows a role's name below a title, not in it
        return replace(notice(f"{setting.title} for {source}:", hint), turn=words)
    return notice(f"{setting.title} for {source}: {words}.{locked}", hint)


def notice(outcome: str, small: str = "") -> Card:
    """A sentence about a ruleset."""
    return Card(title="Ruleset", outcome=outcome, small=small, ahead="nobody")


def lines(ruling: Ruling, settings: Sequence[Setting[Any]]) -> str:
    return "\n".join(f"{setting.title}: {value_text(setting, ruling.lookup(setting))}" for setting in settings)


def value_text(setting: Setting[Any], ruled: Ruled[Any]) -> str:
    """``Chart (this server, locked)``; if another ruleset locked it, that one is named."""
    locked = ""
    if ruled.locked_by is not None:
        locked = ", locked" if ruled.locked_by is ruled.source else f", locked by {ruled.locked_by}"
    return f"{setting.words(ruled.value)} ({ruled.source}{locked})"
