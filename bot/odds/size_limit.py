"""Size limits of questions: which are computed at once, and which in another process.

The bot tries every question inside ``refuse_large_questions``: one that takes some two milliseconds is answered at
once. Code that may take longer asks ``is_small_only`` or calls ``check``, and raises ``QuestionTooLargeError`` when it
sees that it would; ``bot.resources.worker_pool`` then computes the same question, where only the limit of its game
applies.

Sizes are counted in each game's own unit (ways, steps, rolls) and never in seconds, so the same question is small or
large on every machine.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_small_only: ContextVar[bool] = ContextVar("small_only", default=False)


class QuestionTooLargeError(Exception):
    """The question cannot be counted at once."""


@contextmanager
def refuse_large_questions() -> Iterator[None]:
    """Inside, whatever is large raises ``QuestionTooLargeError``."""
    token = _small_only.set(True)
    try:
        yield
    finally:
        _small_only.reset(token)


def is_small_only() -> bool:
    return _small_only.get()


def check(size: int, most: int) -> None:
    """Raises ``QuestionTooLargeError`` inside ``refuse_large_questions`` for a size above ``most``."""
    if size > most and _small_only.get():
        raise QuestionTooLargeError
