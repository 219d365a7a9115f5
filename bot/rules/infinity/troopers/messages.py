"""Messages of forms, cards, and steps by case, as rows of data."""

from dataclasses import dataclass
from typing import Final

from bot.rules.data_tables import table
from bot.rules.text import Text


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A row: the action, die, tie, save, state, or reason, and the case."""

    of: str
    case: str
    says: Text


TOLD: Final = {(row.of, row.case): row.says.message for row in table("infinity/tables/told.json", MessageRow)}
