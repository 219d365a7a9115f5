"""Size limits of questions: which are computed at once, and which in another process.

The bot tries every question inside ``refuse_large_questions``: one of about two milliseconds is answered at once.
Slower code asks ``is_small_only`` or calls ``check``, and raises ``QuestionTooLargeError``;
``bot.resources.worker_pool`` then computes the question under its game's own limit. Sizes are in each game's unit
(ways, steps, rolls), never seconds, so that they are the same on every machine.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_small_only: ContextVar[bool] = ContextVar("small_only", default=False)


class QuestionTooLargeError(Exception):
    """The question is too large to compute at once."""


@contextmanager
def refuse_large_questions() -> Iterator[None]:
    """Raise ``QuestionTooLargeError`` for large questions inside this block."""
    token = _small_only.set(True)
    try:
        yield
    finally:
        _small_only.reset(token)


def is_small_only() -> bool:
    return _small_only.get()


def check(size: int, most: int) -> None:
    """Raise ``QuestionTooLargeError`` inside ``refuse_large_questions`` for a size above ``most``."""
    if size > most and _small_only.get():
        raise QuestionTooLargeError
