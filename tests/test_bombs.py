"""Files that are made to cost as much as they can cost their sender a sentence, and nobody else anything.

What the process of the bot has to do for a file is to hand it over and to take the answer: so the answer is measured,
not the time. ``tests/wire/test_bombs.py`` does the same to a bot that serves somebody else.
"""

import pickle
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial

import pytest

from bot.resources.worker_pool import READING, UploadedFile, WorkerPool, read_opened
from bot.resources.worker_process import MAX_ANSWER
from bot.rules.errors import PlayerError
from bot.rules.text import english
from tests import bombs
from tests.wire.forks import ForkedWorker


@pytest.fixture
async def readers(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[WorkerPool]:
    monkeypatch.setattr("bot.resources.worker_pool.start", ForkedWorker)
    pool = WorkerPool(1, replace(READING, patience=2.0))
    yield pool
    await pool.close()


@pytest.mark.parametrize("group", bombs.GROUPS)
async def test_a_bomb_is_read_or_refused_in_a_short_answer(readers: WorkerPool, group: str) -> None:
    tried = 0
    for name, reader, sent in bombs.of(group):
        answer = await outcome(readers, reader, sent)
        is_short = len(pickle.dumps(answer)) < (20_000 if isinstance(answer, PlayerError) else MAX_ANSWER)
        assert is_short, name
        assert not isinstance(answer, PlayerError) or len(english(answer.text)) < 2_500, name
        tried += 1
    assert tried > 2


async def outcome(readers: WorkerPool, reader: bombs.Reader, sent: UploadedFile) -> object:
    try:
        return await readers.run(partial(read_opened, reader, sent))
    except PlayerError as error:
        return error
