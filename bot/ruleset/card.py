"""Cards about rulesets: the effective settings, and the source of each value."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from bot.render.card import Card
from bot.rules.text import EMPTY, N_, Sentences, Shown, Text, bracketed, ended, labeled, term
from bot.ruleset.ruling import Rule, RuledValue, Ruling, Source
from bot.ruleset.settings import GROUPS, SETTINGS, Setting

ORDER: Final = Text("Your preference comes first, then this channel's ruleset, then the server's, then the default.")


def overview(ruling: Ruling) -> Card:
    """Show a place's settings that differ from their defaults, in groups; the others are in a list below."""
    groups = {
        name: [setting for setting in settings if is_chosen(ruling, setting)] for name, settings in GROUPS.items()
    }
    chosen = sum(map(len, groups.values()))
    message = N_("{chosen} of {count} settings are set here; the others use their defaults.")
    outcome = Text(message, chosen=chosen, count=len(SETTINGS))
    return Card(
        title=Text("Ruleset"),
        outcome=outcome if chosen else Text("Nothing is set here yet: every setting uses its default."),
        facts=tuple((name, lines(ruling, settings)) for name, settings in groups.items() if settings),
        small=Text("Change one: /ruleset set. Your own preferences: /prefer."),
    )


def is_chosen(ruling: Ruling, setting: Setting[Any]) -> bool:
    return ruling.lookup(setting).source is not Source.BUILT_IN


def setting_card(ruling: Ruling, setting: Setting[Any]) -> Card:
    value = value_text(setting, ruling.lookup(setting))
    told = notice(ended(labeled(setting.title, value)))
    return replace(told, turn=Text("Change it: /ruleset set setting:{key}", key=setting.title))


def preferences(ruling: Ruling, outcome: Shown = EMPTY) -> Card:
    """Show the settings that a player can prefer, and their effective values here."""
    personal = tuple(setting for setting in SETTINGS if setting.personal)
    return Card(
        title=Text("Your preferences"),
        outcome=outcome or Text("These settings apply to you here."),
        facts=((Text("Applies to you"), lines(ruling, personal)),),
        small=Text("{order} If a ruleset locks a setting, preferences are ignored.", order=ORDER),
    )


def changed_card(setting: Setting[Any], rule: Rule, source: Source, hint: Shown = EMPTY) -> Card:
    words, of = setting.words(rule.value), term(str(source))
    locked = Text("Player preferences are ignored.") if rule.locked else EMPTY
    told = Text("{setting} for {source}: {words}.", setting=setting.title, source=of, words=words)
    return notice(Sentences([told, locked]), hint)


def notice(outcome: Shown, small: Shown = EMPTY) -> Card:
    return Card(title=Text("Ruleset"), outcome=outcome, small=small)


def lines(ruling: Ruling, settings: Sequence[Setting[Any]]) -> Shown:
    each = (labeled(setting.title, value_text(setting, ruling.lookup(setting))) for setting in settings)
    return Sentences(each, "\n")


def value_text(setting: Setting[Any], ruled: RuledValue[Any]) -> Text:
    """``Chart (this server, locked)``; if another ruleset locked it, that one is named."""
    words, source = setting.words(ruled.value), term(str(ruled.source))
    if ruled.locked_by is None:
        return bracketed(words, source)
    if ruled.locked_by is ruled.source:
        return Text("{words} ({source}, locked)", words=words, source=source)
    by = term(str(ruled.locked_by))
    return Text("{words} ({source}, locked by {by})", words=words, source=source, by=by)
