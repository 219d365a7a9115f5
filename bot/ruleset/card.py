"""Rulesets on cards: the settings that count, and where each value comes from."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from bot.render.card import Card
from bot.rules.text import Text
from bot.ruleset.ruling import Rule, Ruled, Ruling, Source
from bot.ruleset.settings import GROUPS, SETTINGS, Setting

ORDER: Final = Text("Your preference comes first, then this channel's ruleset, then the server's, then the default.")


def overview(ruling: Ruling) -> Card:
    """Every setting of a place, in groups."""
    chosen = sum(ruling.lookup(setting).source is not Source.BUILT_IN for setting in SETTINGS)
    outcome = Text(
        "{chosen} of {count} settings are set here; the others have their defaults.", chosen=chosen, count=len(SETTINGS)
    )
    return Card(
        title=Text("Ruleset"),
        outcome=outcome if chosen else Text("Nothing is set here yet: every setting has its default."),
        facts=tuple((name, lines(ruling, settings)) for name, settings in GROUPS.items()),
        small=Text("To change one, use /ruleset set. For your own preferences, use /prefer."),
        ahead="nobody",
    )


def preferences(ruling: Ruling, outcome: str = "") -> Card:
    """The settings that a player can prefer, and the values that count for them here."""
    personal = tuple(setting for setting in SETTINGS if setting.personal)
    return Card(
        title=Text("Your preferences"),
        outcome=outcome or Text("These settings count for you here."),
        facts=((Text("Counts for you"), lines(ruling, personal)),),
        small=Text("{order} If a ruleset locks a setting, preferences do not count.", order=ORDER),
        ahead="nobody",
    )


def changed(setting: Setting[Any], rule: Rule, source: Source, hint: str = "") -> Card:
    """A setting was set for a place."""
    words, locked = setting.words(rule.value), " Players' preferences do not count." if rule.locked else ""
    if words.startswith("<@"):  # Discord shows a role's name below a title, not in it
        return replace(notice(f"{setting.title} for {source}:", hint), turn=words)
    return notice(
        Text(
            "{setting} for {source}: {words}.{locked}", setting=setting.title, source=source, words=words, locked=locked
        ),
        hint,
    )


def notice(outcome: str, small: str = "") -> Card:
    """A sentence about a ruleset."""
    return Card(title=Text("Ruleset"), outcome=outcome, small=small, ahead="nobody")


def lines(ruling: Ruling, settings: Sequence[Setting[Any]]) -> str:
    return "\n".join(f"{setting.title}: {value_text(setting, ruling.lookup(setting))}" for setting in settings)


def value_text(setting: Setting[Any], ruled: Ruled[Any]) -> str:
    """``Chart (this server, locked)``; if another ruleset locked it, that one is named."""
    locked = ""
    if ruled.locked_by is not None:
        locked = (
            Text(", locked")
            if ruled.locked_by is ruled.source
            else Text(", locked by {locked_by}", locked_by=ruled.locked_by)
        )
    return f"{setting.words(ruled.value)} ({ruled.source}{locked})"
