"""Errors that a player can fix. Each class holds the facts, and its text is a sentence that can be shown."""

import copyreg
from difflib import get_close_matches
from typing import Final

from bot.rules.name import one_line

LOOKED_AT: Final = 400
"""Only this many characters of a value are read to quote it, because a file may hold one value of a million."""


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


class Unpayable(PlayerError):
    """A cost that whoever declared it cannot pay; nothing was rolled."""


class NotOffered(PlayerError):
    """The rules do not allow this choice now."""

    def __init__(self, reason: str = "That is not possible now.") -> None:
        super().__init__(f"{reason} Look at the newest card and choose from its buttons.")


def shown(given: object) -> str:
    """A value as a short quotation in backticks that cannot break the sentence around it."""
    if given is None:
        return "missing"
    text = given if isinstance(given, str) else repr(given)
    seen = one_line(text[:LOOKED_AT], LOOKED_AT + 2)
    return f"`{one_line(seen, 40)}{'…' if len(seen) > 40 else ''}`" if seen else "empty"
