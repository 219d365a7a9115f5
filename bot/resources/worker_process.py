"""A worker process: reads questions from standard input, and writes answers to standard output.

A question is a function without arguments, an answer its result or exception; both are pickled, an answer with its CPU
time. ``bot.resources.worker_pool`` starts these processes. One ends after ``IDLE`` seconds without a question, or when
its input ends because the bot is gone.

``python -m bot.resources.worker_process [BYTES]``: maximum memory for questions beyond that at startup.
"""

import os
import pickle
import queue
import signal
import sys
import threading
import time
import traceback
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

IDLE: Final = 60.0
NICENESS: Final = 10
MAX_ANSWER: Final = 5_000_000
"""Maximum bytes of an answer, which the bot must unpickle; the largest army has four million."""


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole process group; the bot ends us
    leave_a_core()
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # a stray print must not corrupt the answers
    questions: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=listen, args=(sys.stdin.buffer, questions), daemon=True).start()
    for more in sys.argv[1:]:
        limit_memory(int(more))
    used = 0.0
    while True:
        try:
            question = questions.get(timeout=IDLE)
        except queue.Empty:
            os._exit(0)  # a normal exit would wait for the reading thread
        answer, before, used = answer_to(question), used, time.process_time()  # the first includes startup
        pickle.dump((used - before, answer), output)
        output.flush()


def leave_a_core() -> None:
    """Leave one core to the bot, if there are several."""
    if hasattr(os, "sched_setaffinity"):
        _, *others = sorted(os.sched_getaffinity(0))
        if others:
            os.sched_setaffinity(0, others)


def step_back() -> None:
    """Give the bot priority. With a single core we run at idle priority: with a merely nice process, Linux delays each
    wakeup of the bot by a tick, 4 ms.
    """
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, 0, NICENESS)
    if hasattr(os, "sched_setscheduler") and len(os.sched_getaffinity(os.getppid())) == 1:
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def limit_memory(more: int) -> None:
    """Limit address space to ``more`` additional bytes, if the system can; beyond it ``MemoryError`` is raised."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        has = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (has + more, has + more))


def listen(source: BinaryIO, questions: "queue.SimpleQueue[bytes]") -> None:
    """Queue incoming questions; at the end of input, exit even in the middle of a computation."""
    with suppress(EOFError, pickle.UnpicklingError):
        while True:
            questions.put(pickle.load(source))  # noqa: S301 - the bot wrote it
    os._exit(0)


def answer_to(question: bytes) -> bytes:
    """Return a pickle: whether it succeeded, and the result or the exception."""
    try:
        asked = pickle.loads(question)  # noqa: S301 - the bot wrote it
        step_back()  # only now: a busy machine would keep somebody waiting half a minute for the imports
        answer = pickle.dumps((True, asked()))
        return answer if len(answer) <= MAX_ANSWER else pickle.dumps((False, MemoryError()))
    except MemoryError:
        return pickle.dumps((False, MemoryError()))
    except Exception as error:  # noqa: BLE001 - the bot sorts them
        error.add_note(traceback.format_exc())  # a traceback can't be pickled
        try:
            return pickle.dumps((False, error))
        except Exception:  # noqa: BLE001 - an exception may hold anything
            return pickle.dumps((False, RuntimeError(traceback.format_exc())))


if __name__ == "__main__":
    main()
