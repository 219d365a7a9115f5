"""Named profiles of a channel: stored stats of troopers or units. As pieces they are never changed by rolls."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, Protocol, TypeVar

from bot.rules import errors
from bot.rules.errors import AllowedWords, AtMost, BadInputError, Example, UnknownWordError, WholeNumber, quote_value
from bot.rules.json_reader import check_whole_number
from bot.rules.name import clean, search_key
from bot.rules.text import N_, Code, Message, Name, Names, Text

MAX_PROFILES: Final = 24
"""Maximum profiles of a game per channel, which fit on one card."""
MAX_LINE: Final = 200
"""Characters of a typed line."""
NUMBER_LONGEST: Final = 12
"""Characters of a number, which is refused then."""


@dataclass(frozen=True, slots=True)
class NamedProfile:
    """A name, and integers by stat, in the game's order."""

    name: Name
    stats: Mapping[str, int]


class HasName(Protocol):
    """A piece found by its name."""

    @property
    def name(self) -> Name: ...


N = TypeVar("N", bound=HasName)
Held = Mapping[str, NamedProfile]
"""A game's profiles in a channel, by name."""


@dataclass(frozen=True, slots=True)
class Profiles:
    """Pieces of a game that stores only named stats. ``stats``: as written, each with the minimum and maximum of the
    game's commands. ``example``: a line to type.
    """

    stats: Mapping[str, tuple[int, int]]
    example: str

    SCHEMA = 1
    Body = NamedProfile

    def parse(self, name: str, line: str) -> NamedProfile:
        """Parse ``BS 12, Burst 3, ARM 1``. Raises ``UnknownWordError``, or ``BadInputError`` for bad numbers."""
        parts = [part for part in (" ".join(piece.split()) for piece in line.split(",")) if part]
        if not parts or len(line) > MAX_LINE:
            raise BadInputError("stats", line, AtMost(MAX_LINE), Example(self.example))
        labels, typed = {label.casefold(): label for label in self.stats}, dict[str, int]()
        message = N_("You can use {stats}, each with a whole number: `{example}`.")
        allowed = Text(message, stats=Code(", ".join(labels.values())), example=Code(self.example))
        for part in parts:
            label, number = read_stat(part, self.stats, labels, allowed)
            if label in typed:
                twice = Text("You gave {label} twice. Give each stat once.", label=Code(label))
                raise UnknownWordError("stats", part, twice)
            typed[label] = number
        if not clean(name):
            raise BadInputError("name", name, Text("Use a name with visible characters."))
        return NamedProfile(clean(name), {label: typed[label] for label in self.stats if label in typed})


def read_stat(
    part: str, stats: Mapping[str, tuple[int, int]], labels: Mapping[str, str], allowed: Text
) -> tuple[str, int]:
    """Parse a stat and its number; ``labels``: each stat's words, ``allowed``: for errors."""
    word, number = part, ""
    if match := re.fullmatch(r"([^0-9]*?) ?(-?[0-9]+)", part):
        word, number = match[1], match[2]
    label = labels.get(word.casefold())
    if label is None:
        raise UnknownWordError("stats", word or part, AllowedWords(tuple(labels), allowed))
    least, most = stats[label]
    if not number or len(number) > NUMBER_LONGEST:
        raise BadInputError(label, int(number[:NUMBER_LONGEST]) if number else None, WholeNumber(least, most))
    return label, check_whole_number(label, int(number), least, most)


def write(profile: NamedProfile) -> str:
    """Format ``BS 12, Burst 3, ARM 1`` for ``parse``."""
    return ", ".join(f"{label} {number}" for label, number in profile.stats.items())


FULL: Final = Text(
    "This channel already has {profiles_most} profiles for this game. Remove one first.", profiles_most=MAX_PROFILES
)

NEAR: Final = N_("Use a profile in this channel: {names}.")


def add_or_replace(held: Mapping[str, N], piece: N, full: Text = FULL) -> dict[str, N | None]:
    """Add a piece, or replace its namesake. Raises ``PlayerError`` for too many."""
    if len(held) >= MAX_PROFILES and search_key(piece.name) not in map(search_key, held):
        raise errors.PlayerError(full)
    return {piece.name: piece}


def find(
    held: Mapping[str, N],
    name: str,
    field: str = "name",
    none: Text = Text("This channel has no profiles yet. Add one first."),
    near: Message = NEAR,
) -> N:
    """Return the piece of this name, ignoring case. Raises ``BadInputError`` naming the nearest."""
    known = {search_key(item): piece for item, piece in held.items()}
    if search_key(name) in known:
        return known[search_key(name)]
    result = get_close_matches(search_key(name), known, n=3) or sorted(known)[:5]
    if not result:
        raise BadInputError(field, name, none)
    names = tuple(known[item].name for item in result)
    raise BadInputError(field, name, AllowedWords(names, Text(near, names=Names(map(quote_value, names), "or"))))
