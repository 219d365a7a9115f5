"""Rulesets of servers and channels, and people's preferences: stored, and cached while in use."""

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from bot.bounded_dict import BoundedDict
from bot.ruleset.ruling import Rule, Ruleset, Ruling, Source
from bot.sessions import codec
from bot.sessions.request import Place
from bot.store import rulesets as rows
from bot.store.database import Database
from bot.store.rulesets import RulesetRow, Scope

FRESH: Final = 60.0
"""Seconds until cached settings expire: other processes' changes apply within that time."""
MAX_KEPT: Final = 10_000
"""Maximum number of cached scopes."""


class Rulesets:
    """Settings by place and person; ``clock``: seconds. Every method may raise ``StoreError``."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.monotonic) -> None:
        self._database, self._clock = database, clock
        self._kept: BoundedDict[Scope, tuple[float, Ruleset]] = BoundedDict(MAX_KEPT)
        self._changes = 0

    async def ruling(self, place: Place, person_id: int) -> Ruling:
        scopes = {Source.PERSON: Scope("person", person_id), **scopes_of(place)}
        result = {scope: self._kept[scope][1] for scope in scopes.values() if self._is_fresh(scope)}
        if len(result) < len(scopes):
            result |= await self._read([scope for scope in scopes.values() if scope not in result])
        return Ruling(tuple((source, result[scope]) for source, scope in scopes.items() if result[scope]))

    async def ruleset(self, scope: Scope) -> Ruleset:
        return (await self._read([scope]))[scope]

    async def set_rules(
        self, scope: Scope, guild_id: int | None, rules: Mapping[str, Rule], *, whole: bool = False
    ) -> None:
        """Store checked settings; ``whole`` clears all others."""
        result = {key: RulesetRow(codec.write_plain(rule.value), rule.locked) for key, rule in rules.items()}
        async with self._database.transaction() as connection:
            if whole:
                await rows.remove(connection, scope)
            await rows.store_rules(connection, scope, guild_id, result)
        self._drop(scope)

    async def reset(self, scope: Scope, key: str | None = None) -> None:
        await self._database.run(rows.remove, scope, key)
        self._drop(scope)

    def forget(self, person_id: int) -> None:
        """Drop a person's cached preferences: they were erased."""
        self._drop(Scope("person", person_id))

    def _drop(self, scope: Scope) -> None:
        self._changes += 1
        self._kept.pop(scope, None)

    def _is_fresh(self, scope: Scope) -> bool:
        kept = self._kept.get(scope)
        return kept is not None and self._clock() - kept[0] < FRESH

    async def _read(self, scopes: Iterable[Scope]) -> dict[Scope, Ruleset]:
        before, now = self._changes, self._clock()
        result = await self._database.run(rows.find, scopes)
        read = dict[Scope, Ruleset]()
        for scope, said in result.items():
            read[scope] = {key: Rule(codec.read_plain(row.value), row.locked) for key, row in said.items()}
        if before == self._changes:  # otherwise the values may predate a concurrent change
            self._kept.update({scope: (now, rules) for scope, rules in read.items()})
        return read


def scopes_of(place: Place) -> dict[Source, Scope]:
    """Return the rulesets that apply at a place, nearest first; none in direct messages."""
    if place.guild_id is None:
        return {}
    here, server = Scope("channel", place.channel_id), {Source.SERVER: Scope("server", place.guild_id)}
    if place.parent_id is None:
        return {Source.CHANNEL: here} | server
    return {Source.THREAD: here, Source.CHANNEL: Scope("channel", place.parent_id)} | server
