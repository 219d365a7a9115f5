"""States and choices as JSON text, with the game's schema number beside them."""

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from bot.rules.errors import PlayerError
from bot.rules.game import Choice, Rules


class Outdated(PlayerError):
    """A state stored by a version whose form this one no longer reads."""

    def __init__(self, what: str = "This roll") -> None:
        super().__init__(f"{what} was made by an older version of the bot. It is kept, but please start a new one.")


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def write(rules: Rules, state: object) -> str:
    """The state as JSON text."""
    return _adapter(rules.State).dump_json(state).decode()


def read(rules: Rules, schema: int, text: str) -> Any:
    """The state that ``write`` wrote. Raises ``Outdated`` for another schema number."""
    if schema != rules.SCHEMA:
        raise Outdated
    return _adapter(rules.State).validate_json(text)


def write_choice(choice: Choice | None) -> str:
    """A choice as JSON text; the first ply of a session has none."""
    return "{}" if choice is None else json.dumps({"picked": choice.picked, "filled": choice.filled or {}})


def write_body(kind: Any, body: object) -> str:
    """The body of a piece as JSON text."""
    return _adapter(kind).dump_json(body).decode()


def read_body(kind: Any, text: str) -> Any:
    return _adapter(kind).validate_json(text)


def read_draws(text: str) -> list[tuple[int, int]]:
    return [(sides, drawn) for sides, drawn in json.loads(text)]


def write_draws(draws: Sequence[tuple[int, int]]) -> str:
    """Draws as JSON pairs: of how many, and which came."""
    return json.dumps(draws, separators=(",", ":"))
