"""The transcript of a sealed table: what is revealed at its end, and all that a check needs. See docs/fairness.md.

A file is the canonical JSON of the transcript and one line feed, so there is one way to write it and any changed byte
shows.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from bot.fair.protocol import INTEGER_MOST, SIDES_MOST, VERSION, WORD_MOST, canonical, chain, commitment, seal

Draw = tuple[int, int]
"""How many sides a die has, and the side drawn, counted from 0."""

TABLE: Final = 0
"""The roll number of the table itself: the steps on it (tokens, obstacles, damage). Rolls count from 1."""


class Unfit(Exception):
    """The first thing that does not fit, as a sentence; ``ply`` is the place of the ply in the chain, if it is one."""

    def __init__(self, reason: str, ply: int | None = None) -> None:
        self.ply = ply
        super().__init__(reason if ply is None else f"Ply {ply}: {reason}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What is sealed. Ids are decimal strings; ``players`` are (id, word) in the order of their ids.

    ``seal`` is the id of the message that shows the commitment and the words: Discord chose it last.
    """

    application: str
    channel: str
    commit: str
    players: tuple[tuple[str, str], ...]
    seal: str

    def to_json(self) -> dict[str, object]:
        return {
            "v": VERSION,
            "application": self.application,
            "channel": self.channel,
            "commit": self.commit,
            "players": [list(player) for player in self.players],
            "seal": self.seal,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Ply:
    """One step of the game as the chain keeps it.

    ``roll`` is the number s of the roll at this table, ``ply`` the number p of the step in that roll, from 0. ``by`` is
    who took ``offer`` with ``choice`` (plain JSON: the declaration when a roll is opened). ``draws`` are the dice
    in the order in which they fell, ``typed`` the faces of dice that people rolled by hand. ``undoes`` is the number of
    the step of the same roll that this one takes back. ``salt`` is set for a roll that was hidden until the end: 32 hex
    digits that nobody can guess. Without them the hash on the card would give the few possible dice away.
    """

    roll: int
    ply: int
    by: str
    offer: str
    choice: Mapping[str, Any]
    draws: tuple[Draw, ...] = ()
    typed: tuple[str | int, ...] = ()
    undoes: int | None = None
    salt: str | None = None

    def to_json(self) -> dict[str, object]:
        return {
            "roll": self.roll,
            "ply": self.ply,
            "by": self.by,
            "offer": self.offer,
            "choice": self.choice,
            "draws": [list(draw) for draw in self.draws],
            "typed": list(self.typed),
            "undoes": self.undoes,
            "salt": self.salt,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """A sealed table from its seal to its end. ``hashes`` are P_0 (the seal S) to P_n, one more than ``plies``."""

    key: bytes
    header: Header
    plies: tuple[Ply, ...]
    hashes: tuple[str, ...]

    def write(self) -> bytes:
        """The file."""
        return (
            canonical(
                {
                    "key": self.key.hex(),
                    "header": self.header.to_json(),
                    "plies": [ply.to_json() for ply in self.plies],
                    "hashes": list(self.hashes),
                }
            )
            + b"\n"
        )


def transcript(key: bytes, header: Header, plies: Sequence[Ply]) -> Transcript:
    """The transcript of these plies, with their chain."""
    last = seal(header.to_json())
    hashes = [last.hex()]
    for ply in plies:
        last = chain(last, ply.to_json())
        hashes.append(last.hex())
    return Transcript(key=key, header=header, plies=tuple(plies), hashes=tuple(hashes))


def new_header(key: bytes, *, application: int, channel: int, words: Mapping[int, str], message: int) -> Header:
    """Step 3: the header of a new seal; ``words`` are the players' words by person, ``message`` shows them."""
    return Header(
        application=str(application),
        channel=str(channel),
        commit=commitment(key),
        players=tuple((str(person), words[person]) for person in sorted(words)),
        seal=str(message),
    )


# Reading. Every part is checked for its exact keys and kinds, so that what was read can be trusted to be in this form.

PLY_KEYS: Final = frozenset(Ply.__dataclass_fields__)
HEADER_KEYS: Final = frozenset({"v", *Header.__dataclass_fields__})
TRANSCRIPT_KEYS: Final = frozenset(Transcript.__dataclass_fields__)


def read(data: bytes) -> Transcript:
    """The transcript in a file. Raises ``Unfit`` for anything that ``write`` does not write."""
    raw = parse(data)
    if not has_keys(raw, TRANSCRIPT_KEYS):
        raise Unfit("The file is not a transcript.")
    version = raw["header"].get("v") if isinstance(raw["header"], dict) else None
    if is_integer(version, INTEGER_MOST) and version != VERSION:
        raise Unfit(f"The file has version {version} of the protocol; this program knows version {VERSION}.")
    for name, is_right in PARTS.items():
        if not is_right(raw[name]):
            raise Unfit(f"The {name} of the transcript is not as the protocol says.")
    plies = raw["plies"]
    for place, ply in enumerate(plies, 1):
        if not is_ply(ply):
            raise Unfit("it is not as the protocol says.", place)
    if len(raw["hashes"]) != len(plies) + 1:
        raise Unfit(f"There must be {len(plies) + 1} hashes, but there are {len(raw['hashes'])}.")
    header = {name: value for name, value in raw["header"].items() if name != "v"}
    return Transcript(
        key=bytes.fromhex(raw["key"]),
        header=Header(**header | {"players": tuple((person, word) for person, word in header["players"])}),
        plies=tuple(to_ply(ply) for ply in plies),
        hashes=tuple(raw["hashes"]),
    )


def parse(data: bytes) -> Any:
    """The JSON value of a file in canonical form."""
    if not data.endswith(b"}\n"):
        raise Unfit("The file is cut off, or something follows its end. Download it again.")
    try:
        raw = json.loads(data.decode())
        is_canonical = canonical(raw) + b"\n" == data
    except (ValueError, RecursionError):  # no UTF-8, no JSON, or nothing that every program reads alike
        is_canonical = False
    if not is_canonical:
        raise Unfit("The file is not canonical JSON: somebody changed it, or it is another file. Download it again.")
    return raw


def to_ply(raw: Mapping[str, Any]) -> Ply:
    draws = tuple((sides, side) for sides, side in raw["draws"])
    return Ply(**{**raw, "draws": draws, "typed": tuple(raw["typed"])})


def has_keys(value: object, keys: frozenset[str]) -> bool:
    return isinstance(value, dict) and value.keys() == keys


def is_integer(value: object, most: int) -> bool:
    """Whether this is an integer from 0 to ``most``; a flag is none."""
    return type(value) is int and 0 <= value <= most


def is_hex(value: object, digits: int) -> bool:
    return isinstance(value, str) and re.fullmatch(f"[0-9a-f]{{{digits}}}", value) is not None


def is_id(value: object) -> bool:
    """Whether this is a number of Discord's as a decimal string."""
    return isinstance(value, str) and re.fullmatch("[1-9][0-9]{0,19}", value) is not None


def is_header(value: Any) -> bool:
    return (
        has_keys(value, HEADER_KEYS)
        and is_integer(value["v"], VERSION)
        and all(is_id(value[name]) for name in ("application", "channel", "seal"))
        and is_hex(value["commit"], 64)
        and are_players(value["players"])
    )


def are_players(value: Any) -> bool:
    """At least one, each with a word, in the order of their ids, none twice."""
    return (
        isinstance(value, list)
        and value != []
        and all(isinstance(player, list) and len(player) == 2 and is_id(player[0]) for player in value)
        and all(isinstance(word, str) and 1 <= len(word) <= WORD_MOST for _, word in value)
        and all(int(first) < int(second) for (first, _), (second, _) in pairwise(value))
    )


def is_ply(value: Any) -> bool:
    return (
        has_keys(value, PLY_KEYS)
        and is_integer(value["roll"], INTEGER_MOST)
        and is_integer(value["ply"], 2**32 - 1)
        and is_id(value["by"])
        and isinstance(value["offer"], str)
        and isinstance(value["choice"], dict)
        and isinstance(value["draws"], list)
        and all(is_draw(draw) for draw in value["draws"])
        and isinstance(value["typed"], list)
        and all(isinstance(face, str) or is_integer(face, INTEGER_MOST) for face in value["typed"])
        and (value["undoes"] is None or is_integer(value["undoes"], 2**32 - 1))
        and (value["salt"] is None or is_hex(value["salt"], 32))
    )


def is_draw(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and is_integer(value[0], SIDES_MOST)
        and value[0] > 0
        and is_integer(value[1], SIDES_MOST - 1)
    )


PARTS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "header": is_header,
    "key": lambda value: is_hex(value, 64),
    "hashes": lambda value: isinstance(value, list) and all(is_hex(one, 64) for one in value),
    "plies": lambda value: isinstance(value, list),
}
"""The parts in the order in which they are looked at."""
