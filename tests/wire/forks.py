"""Bots and workers that need no second to start: one process imports the program once, and each is a fork of it.

Each is a whole process of its own all the same, with its own environment, folder and log, and is killed as any other.
``python -m bot run`` itself is started anew wherever a test starts it so, and ``bot.resources.worker_process`` by each
bot on the wire and in ``tests/resources``.
"""

import asyncio
import multiprocessing
import multiprocessing.connection
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path
from types import SimpleNamespace
from typing import Final

from bot.resources import worker_process

IMPORTED: Final = ("bot.cli.commands", "cogs.xwing", "cogs.infinity", "cogs.warsurge", "tests.wire.frozen")
"""What takes long to import, the rest follows with it; and at last that it stays."""

# By a simulated clock, which stands still, to look whether a process has ended would take until somebody moves it.
vars(multiprocessing.connection)["time"] = SimpleNamespace(monotonic=time.monotonic)


class Fork:
    """A forked process, with what of ``asyncio.subprocess.Process`` a ``BotProcess`` uses."""

    def __init__(self, process: ForkServerProcess) -> None:
        self._process = process

    @property
    def pid(self) -> int:
        assert self._process.pid is not None, "it was started"
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def send_signal(self, number: signal.Signals) -> None:
        if self._process.exitcode is None:
            os.kill(self.pid, number)

    async def wait(self) -> int:
        while (code := self._process.exitcode) is None:  # noqa: ASYNC110 - multiprocessing has no event
            await asyncio.sleep(0.005)
        return code


@cache
def forkserver() -> ForkServerContext:
    """The one process that imports the program; it ends with this one."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*IMPORTED])
    return context


@cache
def import_ahead() -> None:
    """Import the program in that process now: else the first fork waits for it, longer than any other."""
    process = forkserver().Process(target=int)
    process.start()
    process.join()


async def fork(module: Sequence[str], env: Mapping[str, str], folder: Path, log: Path) -> Fork:
    """Start ``python -m <module> ...`` so."""
    process = started(module, env, folder, log, log)
    await asyncio.to_thread(process.start)
    return Fork(process)


def run(module: Sequence[str], env: Mapping[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    """The same, to its end: what it said, and its exit code."""
    with tempfile.TemporaryDirectory() as result:
        said, complained = Path(result) / "out", Path(result) / "err"
        process = started(module, env, folder, said, complained)
        process.start()
        process.join()
        return subprocess.CompletedProcess(
            [*module], process.exitcode or 0, said.read_text(encoding="utf-8"), complained.read_text(encoding="utf-8")
        )


def started(module: Sequence[str], env: Mapping[str, str], folder: Path, out: Path, err: Path) -> ForkServerProcess:
    """A process that is about to start. What it says can be read from now on."""
    out.touch()
    what = (tuple(module), dict(env), str(folder), str(out), str(err))
    return forkserver().Process(target=become, args=what, daemon=True)


def become(module: Sequence[str], env: Mapping[str, str], folder: str, out: str, err: str) -> None:
    """In the fork: be that program."""
    os.environ.clear()
    os.environ.update(env)
    os.chdir(folder)
    for stream, file in ((sys.stdout, out), (sys.stderr, err)):
        written = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(written, stream.fileno())
        os.close(written)
    sys.argv[:] = [*module]
    runpy.run_module(module[0], run_name="__main__", alter_sys=True)


class ForkedWorker:
    """What ``bot.resources.worker_pool.start`` returns, as a fork: what of ``Popen`` a ``WorkerPool`` uses."""

    def __init__(self, memory: int | None) -> None:
        words = [str(memory)] if memory else []
        asked, questions = multiprocessing.Pipe(duplex=False)
        answers, answered = multiprocessing.Pipe(duplex=False)
        self._process = forkserver().Process(target=become_worker, args=(words, asked, answered), daemon=True)
        self._process.start()
        for end in (asked, answered):
            end.close()
        self.stdin = os.fdopen(os.dup(questions.fileno()), "wb")
        self.stdout = os.fdopen(os.dup(answers.fileno()), "rb")

    @property
    def pid(self) -> int:
        assert self._process.pid is not None, "it was started"
        return self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def kill(self) -> None:
        self._process.kill()

    def wait(self) -> None:
        self._process.join()


def become_worker(words: Sequence[str], asked: Connection, answered: Connection) -> None:
    """In the fork: be a worker, which does not stand back: the test waits for it, and others use all cores."""
    sys.stdin = os.fdopen(os.dup(asked.fileno()))
    os.dup2(answered.fileno(), sys.stdout.fileno())
    sys.argv[1:] = words
    worker_process.step_back = worker_process.leave_a_core = lambda: None
    worker_process.main()
