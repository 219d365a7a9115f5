"""A worker process: reads questions from standard input, and writes the answers to standard output.

A question is a function without arguments, an answer is what it returned or raised; both are pickled, and travel as the
bytes of that: a question alone, an answer with its CPU time. A pickle says itself where it ends.
``bot.resources.worker_pool`` starts these processes. This one ends by itself when nobody has asked for ``IDLE``
seconds, or when its input ends: then the bot is gone, however it ended, and nobody waits for an answer.

``python -m bot.resources.worker_process [BYTES | stays]``: the memory that it may take for questions, beyond what it
has when it starts; or that it waits for however long nobody asks.
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
STAYS: Final = "stays"
NICENESS: Final = 10
MAX_ANSWER: Final = 5_000_000
"""Bytes of an answer, which the bot has to read; the largest army that may be sent has four million."""


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group of processes; the bot ends us
    step_back()
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # a print from anywhere must not stand between the answers
    questions: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=listen, args=(sys.stdin.buffer, questions), daemon=True).start()
    words = sys.argv[1:]
    if words and words != [STAYS]:
        limit_memory(int(words[0]))
    patience = None if words == [STAYS] else IDLE
    used = 0.0
    while True:
        try:
            question = questions.get(timeout=patience)
        except queue.Empty:
            os._exit(0)  # Python's own end would wait for the thread that reads, and abort
        answer, before, used = answer_to(question), used, time.process_time()  # that of the start with the first
        pickle.dump((used - before, answer), output)
        output.flush()


def step_back() -> None:
    """The bot comes first: it has somebody else to answer.

    One core stays without workers. Where there is only one, workers have what nobody else wants of it: beside a process
    that is merely nice, Linux lets the bot wait for the next tick, four milliseconds, each time that it wakes.
    """
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    if hasattr(os, "sched_setaffinity"):
        _, *others = sorted(os.sched_getaffinity(0))
        if others:
            os.sched_setaffinity(0, others)
        else:
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def limit_memory(more: int) -> None:
    """Limit address space to ``more`` additional bytes, if the system can; beyond it ``MemoryError`` is raised."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        has = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (has + more, has + more))


def listen(source: BinaryIO, questions: "queue.SimpleQueue[bytes]") -> None:
    """Hand on what comes in; when it ends, end this process, even in the middle of counting."""
    with suppress(EOFError, pickle.UnpicklingError):
        while True:
            questions.put(pickle.load(source))  # noqa: S301 - the bot wrote it
    os._exit(0)


def answer_to(question: bytes) -> bytes:
    """Whether it was counted, and what came of it: the result, or the exception."""
    try:
        answer = pickle.dumps((True, pickle.loads(question)()))  # noqa: S301 - the bot wrote it
        return answer if len(answer) <= MAX_ANSWER else pickle.dumps((False, MemoryError()))
    except MemoryError:
        return pickle.dumps((False, MemoryError()))
    except Exception as error:  # noqa: BLE001 - the bot sorts them
        error.add_note(traceback.format_exc())  # the stack itself cannot travel
        try:
            return pickle.dumps((False, error))
        except Exception:  # noqa: BLE001 - an exception may hold anything
            return pickle.dumps((False, RuntimeError(traceback.format_exc())))


if __name__ == "__main__":
    main()
