"""A second checker of transcripts of sealed tables. It was written from `docs/fairness.md` alone.

Its author read no other checker. Where the page left something open, the verdicts of the bot on single files were
compared, and the page was completed. So where both say the same, the page says enough. Standard library only.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

D = b"rollcall-fair/1"
LARGEST_NUMBER = 2**53 - 1
WORDS = 2**32  # how many values a word of the stream has

TRANSCRIPT_PARTS = {"key", "header", "plies", "hashes"}
HEADER_PARTS = {"v", "application", "channel", "commit", "players", "seal"}
PLY_PARTS = {"roll", "ply", "by", "offer", "choice", "draws", "typed", "undoes", "salt"}


class DoesNotFit(Exception):
    """The first thing that does not fit, as a sentence."""


def find_fault(file: bytes) -> str | None:
    """None when every die of the transcript fits, else a sentence that names the first thing that does not fit."""
    try:
        transcript = read(file)
        check_form(transcript)
        check_dice(transcript)
    except DoesNotFit as fault:
        return str(fault)
    return None


# The protocol: commitment, seal, stream and chain


def commitment(key: bytes) -> str:
    """C, in hex (Commit)."""
    return hashlib.sha256(D + b"|commit|" + key).hexdigest()


def seal(header: object) -> bytes:
    """S, 32 bytes (Seal)."""
    return hashlib.sha256(D + b"|seal|" + canonical(header)).digest()


def block(key: bytes, sealed: bytes, roll: int, ply: int, j: int) -> bytes:
    """The 32 bytes of block j of a ply (Draw)."""
    place = roll.to_bytes(8, "big") + ply.to_bytes(4, "big") + j.to_bytes(4, "big")
    return hmac.digest(key, D + b"|draw|" + sealed + place, "sha256")


def stream(key: bytes, sealed: bytes, roll: int, ply: int) -> Iterator[int]:
    """The words of a ply: big-endian, 32 bits each, 8 in a block."""
    for j in range(WORDS):
        read_block = block(key, sealed, roll, ply, j)
        for start in range(0, len(read_block), 4):
            yield int.from_bytes(read_block[start : start + 4], "big")


def draw(words: Iterator[int], sides: int) -> int:
    """The next side of a die of so many sides. Words beyond the last whole multiple of `sides` are skipped."""
    limit = WORDS // sides * sides
    return next(word for word in words if word < limit) % sides


def link(before: bytes, ply: object) -> bytes:
    """P_i from P_(i-1) and ply i (Chain)."""
    return hashlib.sha256(before + canonical(ply)).digest()


# Canonical JSON


def canonical(value: object) -> bytes:
    """The one way to write a value. Raises ValueError for numbers and texts that have none."""
    return json.dumps(
        value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"), check_circular=False
    ).encode()


def read(file: bytes) -> Any:
    """The value that the file holds, if it is written as the page says."""
    if not file.endswith(b"}\n"):
        raise DoesNotFit("The file does not end with a brace and one line feed.")
    text = file[:-1]
    try:
        value = json.loads(text.decode(), parse_int=whole_number, parse_float=no_number, parse_constant=no_number)
        is_canonical = canonical(value) == text
    except (ValueError, RecursionError):
        is_canonical = False
    if not is_canonical:
        raise DoesNotFit("The file is not canonical JSON.")
    return value


def whole_number(text: str) -> int:
    number = int(text)
    if abs(number) > LARGEST_NUMBER:
        raise ValueError(text)
    return number


def no_number(text: str) -> int:
    raise ValueError(text)


# Form


def check_form(transcript: Any) -> None:
    """The four parts, the version, then the form of header, key, hashes and plies, and the number of hashes."""
    if not has_parts(transcript, TRANSCRIPT_PARTS):
        raise DoesNotFit("The transcript does not have exactly the parts key, header, plies and hashes.")
    header, key, hashes, plies = (transcript[part] for part in ("header", "key", "hashes", "plies"))
    version = header.get("v") if isinstance(header, dict) else None
    if is_number(version) and version != 1:
        raise DoesNotFit("The version of the transcript is not 1.")
    if not is_header(header):
        raise DoesNotFit("The header does not have the right form.")
    if not is_hex(key, 64):
        raise DoesNotFit("The key is not 64 hex digits.")
    if not is_list(hashes, lambda digits: is_hex(digits, 64)):
        raise DoesNotFit("The hashes are not a list of 64 hex digits each.")
    if not isinstance(plies, list):
        raise DoesNotFit("The plies are not a list.")
    for place, ply in enumerate(plies, 1):
        if not is_ply(ply):
            raise DoesNotFit(f"Ply {place} does not have the right form.")
    if len(hashes) != len(plies) + 1:
        raise DoesNotFit("The number of hashes is not the number of plies plus one.")


def has_parts(value: Any, parts: set[str]) -> bool:
    return isinstance(value, dict) and value.keys() == parts


def is_number(value: Any, largest: int = LARGEST_NUMBER) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= largest


def is_hex(value: Any, digits: int) -> bool:
    return isinstance(value, str) and re.fullmatch(f"[0-9a-f]{{{digits}}}", value) is not None


def is_id(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch("[1-9][0-9]{0,19}", value) is not None


def is_list(value: Any, holds: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(holds(one) for one in value)


def is_header(header: Any) -> bool:
    if not has_parts(header, HEADER_PARTS) or not is_list(header["players"], is_player):
        return False
    ids = [int(player[0]) for player in header["players"]]
    return (
        is_number(header["v"])
        and len(ids) >= 1
        and ids == sorted(set(ids))
        and is_id(header["application"])
        and is_id(header["channel"])
        and is_id(header["seal"])
        and is_hex(header["commit"], 64)
    )


def is_player(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and is_id(value[0]) and is_word(value[1])


def is_word(value: Any) -> bool:
    return isinstance(value, str) and 1 <= len(value) <= 64


def is_draw(value: Any) -> bool:
    return is_list(value, is_number) and len(value) == 2 and 1 <= value[0] <= WORDS and value[1] < WORDS


def is_face(value: Any) -> bool:
    return isinstance(value, str) or is_number(value)


def is_ply(ply: Any) -> bool:
    return (
        has_parts(ply, PLY_PARTS)
        and is_number(ply["roll"])
        and is_number(ply["ply"], WORDS - 1)
        and is_id(ply["by"])
        and isinstance(ply["offer"], str)
        and isinstance(ply["choice"], dict)
        and is_list(ply["draws"], is_draw)
        and is_list(ply["typed"], is_face)
        and (ply["undoes"] is None or is_number(ply["undoes"], WORDS - 1))
        and (ply["salt"] is None or is_hex(ply["salt"], 32))
    )


# Dice


@dataclass
class Made:
    """A ply that stands: its number, who made it, and what was drawn."""

    number: int
    by: str
    draws: list[tuple[int, int]]


@dataclass
class Roll:
    """A roll: whose it is, how many plies it has had, which of them stand, and the draws that wait for each person."""

    owner: str
    count: int = 0
    standing: list[Made] = field(default_factory=list)
    waiting: dict[str, list[tuple[int, int]]] = field(default_factory=dict)


def check_dice(transcript: Any) -> None:
    """The commitment, the seal, and then every ply."""
    key, header, hashes = bytes.fromhex(transcript["key"]), transcript["header"], transcript["hashes"]
    if commitment(key) != header["commit"]:
        raise DoesNotFit("The key does not fit the commitment.")
    sealed = before = seal(header)
    if sealed.hex() != hashes[0]:
        raise DoesNotFit("The header does not fit the seal.")
    rolls: dict[int, Roll] = {}
    for place, ply in enumerate(transcript["plies"], 1):
        before = link(before, ply)
        if before.hex() != hashes[place]:
            raise DoesNotFit(f"Ply {place}: it does not fit its hash.")
        roll = find_roll(rolls, ply, place)
        check_ply(roll, ply, place, stream(key, sealed, ply["roll"], ply["ply"]))


def find_roll(rolls: dict[int, Roll], ply: Any, place: int) -> Roll:
    """The roll of a ply. If nothing of it stands, this ply opens it, and the plies before decide its number."""
    number, by = ply["roll"], ply["by"]
    if number == 0:
        return rolls.setdefault(0, Roll(owner=""))
    if number in rolls and rolls[number].standing:
        return rolls[number]
    theirs = [one for one in sorted(rolls) if one != 0 and rolls[one].owner == by and not rolls[one].standing]
    if number != (theirs[0] if theirs else max(rolls, default=0) + 1):
        raise DoesNotFit(f"Ply {place}: its roll does not have the number that comes next.")
    return rolls.setdefault(number, Roll(owner=by))


def check_ply(roll: Roll, ply: Any, place: int, words: Iterator[int]) -> None:
    """The number of a ply, what it takes back, whether it may draw dice, and each die."""
    if ply["ply"] != roll.count:
        raise DoesNotFit(f"Ply {place}: its number in its roll is not {roll.count}.")
    roll.count += 1
    undoes, draws = ply["undoes"], [(sides, side) for sides, side in ply["draws"]]
    if undoes is not None and (not roll.standing or roll.standing[-1].number != undoes):
        raise DoesNotFit(f"Ply {place}: it takes back a ply that is not the last one that stands in its roll.")
    if draws and undoes is not None:
        raise DoesNotFit(f"Ply {place}: it draws dice, but it must not.")
    if undoes is not None:
        gone = roll.standing.pop()
        roll.waiting[gone.by] = gone.draws + roll.waiting.get(gone.by, [])
        return
    waiting = roll.waiting.setdefault(ply["by"], [])
    for die, (sides, side) in enumerate(draws, 1):
        again = next((one for one in waiting if one[0] == sides), None)
        if again is not None:
            waiting.remove(again)  # the first that is equal is this one
        expected = draw(words, sides) if again is None else again[1]
        if side != expected:
            raise DoesNotFit(f"Ply {place}: die {die} shows side {side}, but side {expected} was drawn.")
    roll.standing.append(Made(ply["ply"], ply["by"], draws))
