"""Which of several rulesets counts: a player's preference, the channel's, the server's, or the default.

A ruleset may lock a setting; then preferences do not count. The channel's value still comes before the server's.
A thread follows its channel in every setting that it does not set itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic

from bot.rules.errors import BadInput
from bot.rules.text import Text
from bot.ruleset.kind import T, Value
from bot.ruleset.settings import SETTINGS, Setting


class Source(StrEnum):
    """Where a value comes from, the nearest first."""

    PERSON = Text("your preference")
    THREAD = Text("this thread")
    CHANNEL = Text("this channel")
    SERVER = Text("this server")
    BUILT_IN = Text("default")


@dataclass(frozen=True, slots=True)
class Rule:
    """One setting in a ruleset: its value as JSON stores it, and whether it is locked against preferences."""

    value: Value
    locked: bool = False


Ruleset = Mapping[str, Rule]
"""Rules by the keys of their settings."""


@dataclass(frozen=True, slots=True)
class Ruled(Generic[T]):
    """The value that counts, where it comes from, and which ruleset locked it, if any."""

    value: T
    source: Source
    locked_by: Source | None = None


@dataclass(frozen=True, slots=True)
class Ruling:
    """The settings that count for one person in one place: all rulesets that apply, the nearest first."""

    layers: tuple[tuple[Source, Ruleset], ...] = ()

    def __getitem__(self, setting: Setting[T]) -> T:
        return self.lookup(setting).value if self.layers else setting.built_in

    def lookup(self, setting: Setting[T]) -> Ruled[T]:
        """The value and its source. Skips a stored value that the setting no longer takes."""
        chosen = [(source, rules[setting.key]) for source, rules in self.layers if setting.key in rules]
        locked = next((source for source, rule in chosen if rule.locked and source is not Source.PERSON), None)
        for source, rule in chosen:
            if source is Source.PERSON and (locked or not setting.personal):
                continue
            try:
                return Ruled(setting.check(rule.value), source, locked)
            except BadInput:
                continue
        return Ruled(setting.built_in, Source.BUILT_IN, locked)

    def words(self, game: str) -> dict[str, object]:
        """The values that fill a game's declarations. Defaults are left out, because the game has them itself."""
        ruled = {one.fills[1]: self.lookup(one) for one in SETTINGS if one.fills is not None and one.fills[0] == game}
        return {word: ruled.value for word, ruled in ruled.items() if ruled.source is not Source.BUILT_IN}


BUILT_IN = Ruling()
