"""What a player can mend: each kind holds the facts, and its text is a sentence fit to show."""

from difflib import get_close_matches
from typing import Final

from bot.rules.name import one_line

LOOKED_AT: Final = 400
"""Characters of a value that are looked at for a quotation of it; a file may be one value of a million."""


class PlayerError(Exception):
    """Somebody's input or timing, not our bug; ``str()`` says what to do next."""


class BadInput(PlayerError):
    """A field holds what it may not.

    ``field`` is the name that the person knows, ``given`` what it was, ``allowed`` a phrase that completes
    "it takes ...".
    """

    def __init__(self, field: str, given: object, allowed: str) -> None:
        self.field, self.given, self.allowed = field, given, allowed
        super().__init__(f"`{field}` was {shown(given)}; it takes {allowed}.")


class BadWord(PlayerError):
    """A word in a typed line that does not parse; ``word`` is the word, ``near`` the nearest known one or None."""

    def __init__(self, field: str, word: str, allowed: str, known: tuple[str, ...] = ()) -> None:
        self.field, self.word, self.allowed = field, word, allowed
        close = get_close_matches(word.lower(), known, n=1, cutoff=0.6)
        self.near = close[0] if close else None
        hint = f" Did you mean `{self.near}`?" if self.near else ""
        super().__init__(f"In `{field}` I do not understand {shown(word)}.{hint} {allowed}")


class Unpayable(PlayerError):
    """A cost that the one who declared it cannot pay; nothing was rolled."""


class NotOffered(PlayerError):
    """The choice is not one of those that the rules allow now."""

    def __init__(self, reason: str = "That is not possible now.") -> None:
        super().__init__(f"{reason} Look at the newest card and choose from its buttons.")


def shown(given: object) -> str:
    """A value as a short quotation that cannot break the sentence around it."""
    if given is None:
        return "missing"
    text = given if isinstance(given, str) else repr(given)
    seen = one_line(text[:LOOKED_AT], LOOKED_AT + 2)
    return f"`{one_line(seen, 40)}{'…' if len(seen) > 40 else ''}`" if seen else "empty"
