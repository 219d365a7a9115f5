"""Hold a process to a share of one core, as a container's limit does: ``python -m benchmarks.share 0.25 PID``.

Whenever the process has used more than its share it is stopped (SIGSTOP) until it has not. Time in which it had nothing
to do is not saved up. It ends with the process, or when it is told to, and then lets the process run on.
"""

import contextlib
import os
import signal
import sys
import time
from typing import Final, NoReturn

LOOK_EVERY: Final = 0.001
"""Seconds from one look to the next."""
MAX_SAVED: Final = 0.01
"""Seconds of processor time that a process may catch up."""


def cpu_clock(pid: int) -> int:
    """The clock of a process's CPU time, as ``clock_getcpuclockid`` of Linux makes it."""
    return ~pid << 3 | 2


def hold(share: float, pid: int) -> None:
    """Hold it until it ends; ``share`` is of one core, all its threads together."""
    clock = cpu_clock(pid)
    used_before, now = time.clock_gettime(clock), time.monotonic()
    left = 0.0  # what it may use now, in seconds of processor time
    while True:
        time.sleep(LOOK_EVERY)
        used, before, now = time.clock_gettime(clock), now, time.monotonic()
        left = min(MAX_SAVED, left + share * (now - before)) - (used - used_before)
        used_before = used
        if left < 0:
            os.kill(pid, signal.SIGSTOP)
            time.sleep(-left / share)
            os.kill(pid, signal.SIGCONT)


def stop(*_: object) -> NoReturn:
    """End by the way out that lets the process run on."""
    sys.exit()


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, stop)
    with contextlib.suppress(OSError):  # it has ended
        try:
            hold(float(sys.argv[1]), int(sys.argv[2]))
        finally:
            os.kill(int(sys.argv[2]), signal.SIGCONT)
