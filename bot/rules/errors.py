"""Errors that a player can fix. Each class holds the facts, and its text is a sentence that can be shown."""

import copyreg
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from types import TracebackType
from typing import Final

from bot.rules.name import one_line

LOOKED_AT: Final = 400
"""Only this many characters of a value are read to quote it, because a file may hold one value of a million."""


SHOWN_MOST: Final = 6
"""So many of several errors are shown at once."""


class PlayerError(Exception):
    """Caused by a player's input or timing, not by a bug; ``str()`` says what to do next."""

    def __reduce__(self) -> tuple[object, ...]:
        """Odds may be refused in another process, and the refusal has to come back with its sentence and its facts.

        Exceptions are usually pickled as a call with their sentence, but ours are made from facts.
        """
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]  # pickle's own


class BadInput(PlayerError):
    """A field has a value that is not allowed.

    ``field``: its name, as people know it. ``given``: its value, None if it is missing. ``allowed``: a phrase that
    completes "it takes ...": ``a whole number from 1 to 6``.
    """

    def __init__(self, field: str, given: object, allowed: str) -> None:
        self.field, self.given, self.allowed = field, given, allowed
        super().__init__(f"`{field}` was {shown(given)}; it takes {allowed}.")


class BadWord(PlayerError):
    """A typed word that is not known.

    ``allowed``: a sentence that says what is. ``known``: the words that are; ``near`` is the nearest of them, or None.
    """

    def __init__(self, field: str, word: str, allowed: str, known: tuple[str, ...] = ()) -> None:
        self.field, self.word, self.allowed = field, word, allowed
        close = get_close_matches(word.lower(), known, n=1, cutoff=0.6)
        self.near = close[0] if close else None
        hint = f" Did you mean `{self.near}`?" if self.near else ""
        super().__init__(f"In `{field}` I do not understand {shown(word)}.{hint} {allowed}")


class BadText(PlayerError):
    """A text that cannot be taken as it stands; the sentence says what would do."""


class Collected(PlayerError):
    """Everything that is wrong with what somebody typed: two errors or more, in the order in which they stand there."""

    def __init__(self, errors: list[PlayerError]) -> None:
        self.errors = tuple(errors)
        more = f" The first {SHOWN_MOST}:" if len(errors) > SHOWN_MOST else ""
        self.head = f"{len(errors)} things are wrong{'.' if more else ':'}{more}"
        super().__init__("\n".join([self.head, *(f"- {error}" for error in self.first)]))

    @property
    def first(self) -> tuple[PlayerError, ...]:
        """Those that are shown: a message has little room."""
        return self.errors[:SHOWN_MOST]


class Collector:
    """Reads on after an error, so that people hear of everything that is wrong at once.

    ```
    with Collector() as wrong:
        for text in texts:
            with wrong.also():
                read(text)
    ```

    At its end it raises the only error, or ``Collected``. An error that is there twice counts once.
    """

    def __init__(self) -> None:
        self._errors: list[PlayerError] = []

    @contextmanager
    def also(self) -> Iterator[None]:
        """Keep an error that is raised here, and go on after it."""
        try:
            yield
        except PlayerError as error:
            self.add(error)

    def add(self, error: PlayerError) -> None:
        known = {str(one) for one in self._errors}
        more = error.errors if isinstance(error, Collected) else (error,)
        self._errors += [one for one in more if str(one) not in known]

    @property
    def count(self) -> int:
        """How many errors there are so far."""
        return len(self._errors)

    def __enter__(self) -> "Collector":
        return self

    def __exit__(self, _: type[BaseException] | None, raised: BaseException | None, __: TracebackType | None) -> None:
        if isinstance(raised, PlayerError):
            self.add(raised)
        elif raised is not None:
            return
        if len(self._errors) > 1:
            raise Collected(self._errors) from None
        if self._errors:
            raise self._errors[0] from None


class Unpayable(PlayerError):
    """A cost that whoever declared it cannot pay; nothing was rolled."""


class NotOffered(PlayerError):
    """The rules do not allow this choice now."""

    def __init__(
        self,
        reason: str = "That is not possible now.",
        next_step: str = "Look at the newest card and choose from its buttons.",
    ) -> None:
        super().__init__(f"{reason} {next_step}")


def shown(given: object) -> str:
    """A value as a short quotation in backticks that cannot break the sentence around it."""
    if given is None:
        return "missing"
    text = given if isinstance(given, str) else repr(given)
    seen = one_line(text[:LOOKED_AT], LOOKED_AT + 2)
    return f"`{one_line(seen, 40)}{'…' if len(seen) > 40 else ''}`" if seen else "empty"
