"""Values that are stored as their words: ``they gain 1 strain`` stands in a stored roll as a row writes it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Worded:
    """Marks a field that is stored as words: ``read`` reads them, ``write`` writes them.

    Whoever stores states asks a mark for its schema, which is plain dictionaries: the rules import nothing for it.
    """

    read: Callable[[str], Any]
    write: Callable[[Any], str] = str

    def __get_pydantic_core_schema__(self, _source: object, _handler: object) -> dict[str, Any]:
        reads = {"type": "no-info", "function": self.read}
        writes = {"type": "function-plain", "function": self.write, "return_schema": {"type": "str"}}
        return {"type": "function-plain", "function": reads, "serialization": writes}
