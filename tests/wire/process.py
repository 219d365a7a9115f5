"""One bot process: started, listened to, ended by a signal."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Self

from tests.wire.forks import Fork, fork

REPOSITORY = Path(__file__).parents[2]
PATIENCE = 600.0
"""Seconds that we wait for something that must happen. It is far more than it takes; no test waits for it to pass."""
_PASSED_ON = ("PATH", "HOME", "LANG", "TMPDIR", "SYSTEMROOT", "VIRTUAL_ENV")


class BotProcess:
    """``python -m <module> ...`` in a folder of its own, with an environment that holds nothing but what is given."""

    def __init__(self, process: asyncio.subprocess.Process | Fork, log: Path, begun: float) -> None:
        self._process = process
        self._log = log
        self.begun = begun
        self.ready_after = 0.0  # seconds from start to READY, once it is ready

    @classmethod
    async def start(
        cls,
        module: Sequence[str],
        env: Mapping[str, str],
        folder: Path,
        log: Path,
        core: int | None = None,
        *,
        forked: bool = False,
    ) -> Self:
        """Start it, on one processor core if ``core`` is given, or by a fork."""
        whole = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        whole |= {"PYTHONPATH": str(REPOSITORY), "PYTHONUNBUFFERED": "1", **env}
        begun = time.perf_counter()
        if forked:
            return cls(await fork(module, whole, folder, log), log, begun)
        descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                *module,
                cwd=folder,
                env=whole,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=descriptor,
                stderr=descriptor,
            )
        finally:
            os.close(descriptor)
        if core is not None:
            os.sched_setaffinity(process.pid, {core})
        return cls(process, log, begun)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process.returncode is None

    def log(self) -> str:
        """Everything that this and earlier processes with the same log said so far."""
        return self._log.read_text(encoding="utf-8", errors="replace")

    async def wait(self, seconds: float = PATIENCE) -> int:
        """Its exit code (minus the signal's number if a signal ended it); TimeoutError if it does not end."""
        return await asyncio.wait_for(self._process.wait(), seconds)

    async def kill(self) -> int:
        """SIGKILL: no goodbye, nothing is flushed."""
        return await self._end(signal.SIGKILL)

    async def terminate(self) -> int:
        """SIGTERM, as a process manager stops it; returns the exit code."""
        return await self._end(signal.SIGTERM)

    async def _end(self, number: signal.Signals) -> int:
        if self.running:
            self._process.send_signal(number)
        return await self.wait()

    async def logged(self, words: str, times: int = 1) -> None:
        """Wait until these words stand in the log so many times."""
        await until(lambda: self.log().count(words) >= times)


async def until(happened: Callable[[], bool]) -> None:
    """Wait for something that no event tells of; TimeoutError if it does not happen."""
    async with asyncio.timeout(PATIENCE):
        while not happened():  # noqa: ASYNC110 - there is no event
            await asyncio.sleep(0.01)


def mebibytes(pid: int, what: str) -> float:
    """A figure of a process: ``VmHWM`` is the most memory that it ever had, ``VmRSS`` what it has; 0 if it is gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(what)), 0.0)
