"""Which of several rulesets counts: a player's preference, the channel's, the server's, or what is built in.

A ruleset may lock a setting; then preferences no longer beat it. The channel's value beats the server's all the same.
A thread follows its channel where it has no rules of its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic

from bot.rules.errors import BadInput
from bot.ruleset.kind import T, Value
from bot.ruleset.settings import SETTINGS, Setting


class Source(StrEnum):
    """Where a value comes from, the nearest first."""

    PERSON = "your preference"
    THREAD = "this thread"
    CHANNEL = "this channel"
    SERVER = "this server"
    BUILT_IN = "built in"


@dataclass(frozen=True, slots=True)
class Rule:
    """What a ruleset says of one setting: a value as JSON holds it, and whether preferences are locked out."""

    value: Value
    locked: bool = False


Ruleset = Mapping[str, Rule]
"""Rules by the keys of their settings."""


@dataclass(frozen=True, slots=True)
class Ruled(Generic[T]):
    """The value that counts, where it comes from, and who locked preferences out, if anybody did."""

    value: T
    source: Source
    locked_by: Source | None = None


@dataclass(frozen=True, slots=True)
class Ruling:
    """What counts for one person at one place: the rulesets that have a say, the nearest first."""

    layers: tuple[tuple[Source, Ruleset], ...] = ()

    def __getitem__(self, setting: Setting[T]) -> T:
        return self.lookup(setting).value

    def lookup(self, setting: Setting[T]) -> Ruled[T]:
        """The value with its source. One that the setting takes no longer is passed over."""
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
        """What was chosen for the declarations of a game; what is built in the game knows itself."""
        ruled = {one.fills[1]: self.lookup(one) for one in SETTINGS if one.fills is not None and one.fills[0] == game}
        return {word: ruled.value for word, ruled in ruled.items() if ruled.source is not Source.BUILT_IN}


BUILT_IN = Ruling()
