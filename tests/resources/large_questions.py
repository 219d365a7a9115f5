"""Questions for ``tests/resources/test_worker_pool.py`` that a worker can import: they do what odds do not."""

import os
import time

from bot.odds.size_limit import check
from bot.rules.errors import AllowedWords, BadInputError, NotOfferedError, UnknownWordError, WholeNumber
from bot.rules.text import Text


def where() -> int:
    """The number of the process that counts."""
    check(1, 0)
    return os.getpid()


def small() -> int:
    return os.getpid()


def niceness() -> int:
    check(1, 0)
    return os.nice(0)


def secret() -> str | None:
    check(1, 0)
    return os.environ.get("DISCORD_TOKEN")


def endless(started: str) -> None:
    """Says where it runs, in a file, and never ends."""
    check(1, 0)
    with open(f"{started}.new", "w") as file:  # noqa: PTH123 - a worker runs this: no more imports than it needs
        file.write(str(os.getpid()))
    os.rename(f"{started}.new", started)  # noqa: PTH104 - the same
    while True:
        time.sleep(0.01)


def deadly() -> None:
    """Ends the process that counts it."""
    check(1, 0)
    os._exit(1)


def chatty() -> str:
    """Prints, which must not stand between the answers."""
    check(1, 0)
    print("counting")  # noqa: T201 - a stray line on its output is what is tried
    return "counted"


def refused() -> None:
    check(1, 0)
    raise BadInputError("attacks", 12, WholeNumber(1, 3))


def misread() -> None:
    check(1, 0)
    raise UnknownWordError("with", "Fokus", AllowedWords(("focus", "force"), Text("Write for example `focus`.")))


def too_late() -> None:
    check(1, 0)
    raise NotOfferedError(Text("Too late."))


def wrong() -> None:
    check(1, 0)
    raise ZeroDivisionError("one by nothing")


def unspeakable() -> None:
    """Raises what cannot be pickled."""
    check(1, 0)
    raise ValueError(lambda: None)


def reader(*_: str) -> int:
    """The number of the process that reads."""
    return os.getpid()


def glutton(_: str) -> int:
    """Needs a gigabyte, in parts."""
    return len([bytearray(1024 * 1024) for _ in range(1024)])


def slow_reader(started: str, _: str) -> None:
    endless(started)
