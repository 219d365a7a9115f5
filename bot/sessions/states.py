"""The rolls on which people play just now, kept in memory beside the store."""

from functools import lru_cache
from typing import Any, Final

from bot.rules.game import Rules
from bot.sessions import codec
from bot.sessions.roll import Played
from bot.store.sessions import Newest

KEPT_MOST: Final = 300
"""So many of those that were written or read last are kept."""


class States:
    """Writes and reads states as ``bot.sessions.codec`` does, and keeps them with all they have worked out themselves.

    A state is found by its whole text, which every press reads from the store, inside its transaction. So whatever
    another process has done meanwhile, and whatever was taken back, nobody presses on a state that is not the newest:
    only what its text means need not be worked out again.
    """

    def __init__(self) -> None:
        self._kept = lru_cache(maxsize=KEPT_MOST)(place_of)

    def write(self, rules: Rules, state: object) -> str:
        text = codec.write_state(rules, state)
        self._kept(rules.KEY, rules.SCHEMA, text)[:] = [state]
        return text

    def read(self, rules: Rules, schema: int, text: str) -> Any:
        """Raises ``Outdated`` as ``codec.read_state`` does."""
        kept = self._kept(rules.KEY, schema, text)
        if not kept:
            kept.append(codec.read_state(rules, schema, text))
        return kept[0]


def place_of(game: str, schema: int, text: str) -> list[Any]:  # noqa: ARG001 - the cache looks it up by them
    """Where the state of a text is kept, once there is one."""
    return []


class Rolls:
    """Reads rolls as they stand, and keeps them with all that was worked out of them, for whoever looks at them again.

    As with states, a roll is found by everything that was read of it. Boards show those of a channel that are open,
    and are drawn anew with each press.
    """

    def __init__(self) -> None:
        self._kept = lru_cache(maxsize=KEPT_MOST)(place_for)

    def read(self, row: Newest) -> Played:
        """Raises ``Unknown`` and ``Outdated`` as ``codec.read_newest`` does."""
        kept = self._kept(row.session_id)
        if not kept or kept[0] != row:
            kept[:] = [row, codec.read_newest(row)]
        played: Played = kept[1]
        return played


def place_for(session: int) -> list[Any]:  # noqa: ARG001 - the cache looks it up by it
    """Where a roll is kept, with the row of which it was read, once there is one."""
    return []
