"""The rolls on which people play just now, kept in memory beside the store."""

from typing import Any, Final

from bot.bounded import Bounded
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
        self._kept: Bounded[tuple[str, int, str], Any] = Bounded(KEPT_MOST)

    def write(self, rules: Rules, state: object) -> str:
        text = codec.write_state(rules, state)
        self._kept[rules.KEY, rules.SCHEMA, text] = state
        return text

    def read(self, rules: Rules, schema: int, text: str) -> Any:
        """Raises ``Outdated`` as ``codec.read_state`` does."""
        key = rules.KEY, schema, text
        state = self._kept.get(key)
        self._kept[key] = state = codec.read_state(rules, schema, text) if state is None else state
        return state


class Rolls:
    """Reads rolls as they stand, and keeps them with all that was worked out of them, for whoever looks at them again.

    As with states, a roll is found by everything that was read of it. Boards show those of a channel that are open,
    and are drawn anew with each press.
    """

    def __init__(self) -> None:
        self._kept: Bounded[int, tuple[Newest, Played]] = Bounded(KEPT_MOST)

    def read(self, row: Newest) -> Played:
        """Raises ``Unknown`` and ``Outdated`` as ``codec.read_newest`` does."""
        kept = self._kept.get(row.session_id)
        played = kept[1] if kept is not None and kept[0] == row else codec.read_newest(row)
        self._kept[row.session_id] = row, played
        return played
