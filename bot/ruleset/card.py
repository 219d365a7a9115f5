"""Rulesets on cards: what counts, and for each value where it comes from."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from bot.render.card import Card, quantity
from bot.ruleset.ruling import Rule, Ruled, Ruling, Source
from bot.ruleset.settings import GROUPS, SETTINGS, Setting

ORDER: Final = "Your preference beats this channel's ruleset, that beats the server's, that beats what is built in."


def overview(ruling: Ruling) -> Card:
    """Every setting of a place, in groups."""
    chosen = sum(ruling.lookup(setting).source is not Source.BUILT_IN for setting in SETTINGS)
    outcome = f"{quantity(chosen, 'setting')} of {len(SETTINGS)} chosen; the rest is built in."
    return Card(
        title="Ruleset",
        outcome=outcome if chosen else "Nothing is chosen here yet: everything is as built in.",
        facts=tuple((name, lines(ruling, settings)) for name, settings in GROUPS.items()),
        small="Change one with /ruleset set. A player's own preferences: /prefer",
        ahead="nobody",
    )


def preferences(ruling: Ruling, outcome: str = "") -> Card:
    """What a player can prefer, and what counts for them here."""
    personal = tuple(setting for setting in SETTINGS if setting.personal)
    return Card(
        title="Your preferences",
        outcome=outcome or "This is what counts for you here.",
        facts=(("Counts for you", lines(ruling, personal)),),
        small=f"{ORDER} A ruleset can lock a setting; then preferences do not count.",
        ahead="nobody",
    )


def changed(setting: Setting[Any], rule: Rule, source: Source, hint: str = "") -> Card:
    """A setting was chosen for a place."""
    words, locked = setting.words(rule.value), " Preferences no longer beat it." if rule.locked else ""
    if words.startswith("<@"):  # Discord shows the name of a role beneath a title, not in it
        return replace(notice(f"{setting.title}: chosen for {source}.", hint), turn=words)
    return notice(f"{setting.title}: {words}, for {source}.{locked}", hint)


def notice(outcome: str, small: str = "") -> Card:
    """A sentence about a ruleset."""
    return Card(title="Ruleset", outcome=outcome, small=small, ahead="nobody")


def lines(ruling: Ruling, settings: Sequence[Setting[Any]]) -> str:
    return "\n".join(f"{setting.title}: {value_text(setting, ruling.lookup(setting))}" for setting in settings)


def value_text(setting: Setting[Any], ruled: Ruled[Any]) -> str:
    """``Chart (this server, locked)``; a lock of another ruleset is named."""
    locked = ""
    if ruled.locked_by is not None:
        locked = ", locked" if ruled.locked_by is ruled.source else f", locked by {ruled.locked_by}"
    return f"{setting.words(ruled.value)} ({ruled.source}{locked})"
