"""Named profiles of a channel: the stats of a trooper or a unit, kept so that nobody types them twice.

As pieces they are only kept: no roll takes anything from them.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, TypeVar

from bot.rules.albion import STAT_MOST
from bot.rules.dice import DICE_MOST
from bot.rules.errors import BadInput, BadWord, PlayerError, shown
from bot.rules.infinity.declared import ATTRIBUTE_MOST, BURST_MOST, POWER_MOST, SV_MOST
from bot.rules.name import clean
from bot.rules.reading import whole
from bot.rules.warsurge.declared import TYPED_MOST

__all__ = [
    "SCHEMA",
    "STATS",
    "Body",
    "Profile",
    "fills",
    "find",
    "names",
    "parse",
    "put",
    "settle",
    "write",
]

SCHEMA = 1
PROFILES_MOST: Final = 24
"""Of one game in a channel; so many still fit on one card."""
LINE_MOST: Final = 200
"""Characters of a typed line."""

SUCCESS_VALUES: Final = ("SV", "BS", "CC", "PH", "WIP")
"""What an Infinity roll may be made with; SV is a Success Value that has no name."""

STATS: Final[Mapping[str, Mapping[str, tuple[int, int]]]] = {
    "infinity": {
        **dict.fromkeys(SUCCESS_VALUES, (0, SV_MOST)),
        "Burst": (1, BURST_MOST),
        "ARM": (0, ATTRIBUTE_MOST),
        "BTS": (0, ATTRIBUTE_MOST),
        "PS": (0, POWER_MOST),
        "Damage": (0, POWER_MOST),
    },
    "warsurge": {"Power": (0, TYPED_MOST), "Defence": (0, TYPED_MOST), "Dice": (1, DICE_MOST)},
    "albion": dict.fromkeys(("Agility", "Stealth", "Awareness", "Strength"), (0, STAT_MOST)),
}
"""The stats of each game as they are written, with the least and the most that its commands take."""

FILLS: Final[Mapping[str, tuple[str, ...]]] = {"sv": SUCCESS_VALUES, "arm": ("ARM", "BTS")}
"""Options that take other stats than the one of their own name: a target saves with ARM or with BTS."""

EXAMPLES: Final = {"infinity": "BS 12, Burst 3, ARM 1", "warsurge": "Power 6, Dice 4", "albion": "Agility 5, Stealth 2"}


@dataclass(frozen=True, slots=True)
class Profile:
    """A name, and whole numbers by stat, in the order of ``STATS``."""

    name: str
    stats: Mapping[str, int]


Body = Profile
T = TypeVar("T")
Profiles = Mapping[str, Profile]
"""The profiles of one game in a channel, by name."""


def names(_: object) -> tuple[str, ...]:
    """No roll uses a profile: what it offers is typed into the command."""
    return ()


def settle(_before: object, after: T, _pieces: Profiles) -> tuple[T, Profiles]:
    """A ply changes no profile."""
    return after, {}


def parse(game: str, name: str, line: str) -> Profile:
    """The profile of a line like ``BS 12, Burst 3, ARM 1``.

    Raises ``BadWord`` for a word that does not fit, ``BadInput`` for a number out of range, or an empty or long line.
    """
    parts = [part for part in (" ".join(piece.split()) for piece in line.split(",")) if part]
    if not parts or len(line) > LINE_MOST:
        raise BadInput("stats", line, f"at most {LINE_MOST} characters, like `{EXAMPLES[game]}`")
    typed: dict[str, int] = {}
    for part in parts:
        label, number = read(game, part)
        if label in typed:
            raise BadWord("stats", part, f"{label} stands there twice; it takes each stat once.")
        typed[label] = number
    if not clean(name):
        raise BadInput("name", name, "a name that can be seen")
    return Profile(clean(name), {label: typed[label] for label in STATS[game] if label in typed})


def read(game: str, part: str) -> tuple[str, int]:
    """A stat as it is written, and its number."""
    word, number = part, ""
    if found := re.fullmatch(r"([^0-9]*?) ?(-?[0-9]+)", part):
        word, number = found[1], found[2]
    labels = {label.casefold(): label for label in STATS[game]}
    label = labels.get(word.casefold())
    if label is None:
        allowed = f"It takes {', '.join(labels.values())}, each with a whole number: `{EXAMPLES[game]}`."
        raise BadWord("stats", word or part, allowed, tuple(labels))
    least, most = STATS[game][label]
    if not number:
        raise BadInput(label, None, f"a whole number from {least} to {most}")
    return label, whole(label, int(number), least, most)


def write(profile: Profile) -> str:
    """``BS 12, Burst 3, ARM 1``, which ``parse`` reads."""
    return ", ".join(f"{label} {number}" for label, number in profile.stats.items())


def fills(game: str, option: str) -> tuple[str, ...]:
    """The stats that an option of a game's commands takes: ``vs_burst`` takes Burst."""
    own = option.removeprefix("vs_")
    return FILLS.get(own) or tuple(label for label in STATS[game] if label.casefold() == own)


def put(held: Profiles, profile: Profile) -> dict[str, Profile | None]:
    """A profile comes in, in the place of one of that name. Raises ``PlayerError`` when there are too many."""
    if len(held) >= PROFILES_MOST and plain(profile.name) not in map(plain, held):
        raise PlayerError(f"This channel has {PROFILES_MOST} profiles of this game already. Remove one first.")
    return {profile.name: profile}


def find(held: Profiles, name: str) -> Profile:
    """The profile of that name, whatever its case. Raises ``BadInput`` naming the nearest ones."""
    known = {plain(one): profile for one, profile in held.items()}
    if plain(name) in known:
        return known[plain(name)]
    near = get_close_matches(plain(name), known, n=3) or sorted(known)[:5]
    listed = ": " + ", ".join(shown(known[one].name) for one in near) if near else ", and there is none yet"
    raise BadInput("name", name, f"a profile of this channel{listed}")


def plain(name: str) -> str:
    return clean(name).casefold()
