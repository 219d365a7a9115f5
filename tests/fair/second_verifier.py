"""A second checker of transcripts of sealed tables. It was written from `docs/fairness.md` alone.

Its authors read no other checker before it was done. Where the page left something open, the verdicts of the bot were
compared, and the page was completed. So where both say the same, the page says enough. Standard library only.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Any

DOMAIN = b"rollcall-fair/2"
LARGEST_NUMBER = 2**53 - 1
WORDS = 2**32  # how many values a word of the stream has

MILLISECONDS_TO_SEAL = 10_000  # a later seal is worth a warning


class DoesNotFitError(Exception):
    """The first thing that does not fit, as a sentence."""


@dataclass(frozen=True)
class Warned:
    """What fits and should be looked at all the same: a word for what it is, and the numbers that belong to it."""

    what: str  # earlier, order, late, hidden, again or never
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """The first thing that does not fit, as a sentence.

    If all fits: None, the warnings in their order, and the ids of those who rolled without a word.
    """

    fault: str | None
    warnings: tuple[Warned, ...] = ()
    without_word: tuple[str, ...] = ()


def judge(file: bytes) -> Verdict:
    """The verdict on a transcript."""
    try:
        transcript = read(file)
        check_version(transcript)
        check_form(transcript)
        warnings = [*warnings_of_seal(transcript), *check_dice(transcript)]
    except DoesNotFitError as fault:
        return Verdict(str(fault))
    return Verdict(None, tuple(warnings), tuple(find_without_word(transcript)))


def find_without_word(transcript: Any) -> list[str]:
    """Who made a ply with draws, or one that is hidden, and gave no word; in the numeric order of their ids."""
    rolled = {ply["by"] for ply in transcript["plies"] if is_hidden(ply) or ply["draws"]}
    return sorted(rolled - {player[0] for player in transcript["header"]["players"]}, key=int)


def check_version(transcript: Any) -> None:
    """Another number than 2 does not fit. Whatever is no number is a matter of form."""
    header = transcript.get("header") if isinstance(transcript, dict) else None
    version = header.get("v") if isinstance(header, dict) else None
    fit(not is_number(version) or version == 2, "The version of the transcript is not 2.")


# The protocol: stream and chain


def stream(key: bytes, ply: bytes) -> Iterator[int]:
    """The words of a ply: big-endian, 32 bits each, 8 in a block (Draw). `ply`: what is hashed before u32be(j)."""
    for j in range(WORDS):
        block = hmac.digest(key, ply + j.to_bytes(4, "big"), "sha256")
        for start in range(0, len(block), 4):
            yield int.from_bytes(block[start : start + 4], "big")


def draw(words: Iterator[int], sides: int) -> int:
    """The next side of a die of so many sides. Words beyond the last whole multiple of `sides` are skipped."""
    limit = WORDS // sides * sides
    return next(word for word in words if word < limit) % sides


def sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def sealed(header: object) -> bytes:
    """S, 32 bytes (Seal)."""
    return sha256(DOMAIN, b"|seal|", canonical(header))


def link(before: bytes, value: object) -> bytes:
    """P_i from P_(i-1) and what stands in the chain for ply i (Chain)."""
    return sha256(before, canonical(value))


def fit(is_right: bool, fault: str) -> None:
    """Raises the fault unless this is right."""
    if not is_right:
        raise DoesNotFitError(fault)


# Canonical JSON


def canonical(value: object) -> bytes:
    """The one way to write a value. Raises ValueError for numbers and texts that have none."""
    return json.dumps(
        value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"), check_circular=False
    ).encode()


def read(file: bytes) -> Any:
    """The value that the file holds, if it is written as the page says."""
    if not file.endswith(b"}\n"):
        raise DoesNotFitError("The file does not end with a brace and one line feed.")
    text = file[:-1]
    try:
        value = json.loads(text.decode(), parse_int=whole_number, parse_float=no_number, parse_constant=no_number)
        is_canonical = canonical(value) == text
    except (ValueError, RecursionError):
        is_canonical = False
    if not is_canonical:
        raise DoesNotFitError("The file is not canonical JSON.")
    return value


def whole_number(text: str) -> int:
    number = int(text)
    if abs(number) > LARGEST_NUMBER:
        raise ValueError(text)
    return number


def no_number(text: str) -> int:
    raise ValueError(text)


# Forms


def has_parts(value: Any, parts: Set[str]) -> bool:
    return isinstance(value, dict) and value.keys() == parts


def has_form(value: Any, form: Mapping[str, Callable[[Any], bool]]) -> bool:
    """Whether this is an object with exactly these parts, each of its own form."""
    return has_parts(value, form.keys()) and all(holds(value[part]) for part, holds in form.items())


def is_number(value: Any, largest: int = LARGEST_NUMBER) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= largest


def is_place(value: Any) -> bool:
    return is_number(value) and value >= 1


def is_u32(value: Any) -> bool:
    return is_number(value, WORDS - 1)


def is_hex(value: Any, digits: int) -> bool:
    return isinstance(value, str) and re.fullmatch(f"[0-9a-f]{{{digits}}}", value) is not None


def is_hash(value: Any) -> bool:
    return is_hex(value, 64)


def is_salt(value: Any) -> bool:
    return is_hex(value, 32)


def is_id(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch("[1-9][0-9]{0,19}", value) is not None


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def is_object(value: Any) -> bool:
    return isinstance(value, dict)


def is_null(value: Any) -> bool:
    return value is None


def or_null(holds: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or holds(value)


def is_list(value: Any, holds: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(holds(item) for item in value)


def is_row(value: Any, *holds: Callable[[Any], bool]) -> bool:
    """Whether this is a list of so many values, each of its own form."""
    return (
        isinstance(value, list)
        and len(value) == len(holds)
        and all(check(item) for check, item in zip(holds, value, strict=True))
    )


def is_word(value: Any) -> bool:
    return is_text(value) and 1 <= len(value) <= 64


def is_sides(value: Any) -> bool:
    return is_number(value) and 1 <= value <= WORDS


def is_face(value: Any) -> bool:
    return is_text(value) or is_number(value)


def are_typed(value: Any) -> bool:
    return is_list(value, is_face)


def are_players(value: Any, *holds: Callable[[Any], bool]) -> bool:
    """Whether this is at least one row of a player, in the numeric order of their ids, none twice."""
    if not is_list(value, lambda player: is_row(player, is_id, *holds)):
        return False
    ids = [int(player[0]) for player in value]
    return len(ids) >= 1 and ids == sorted(set(ids))


def check_hashes(hashes: Any) -> None:
    fit(is_list(hashes, is_hash), "The hashes are not a list of 64 hex digits each.")


def check_plies(plies: list[Any], is_ply: Callable[[Any], bool]) -> None:
    for place, ply in enumerate(plies, 1):
        fit(is_ply(ply), f"Ply {place} does not have the right form.")


PARTS = {"key", "hidden_key", "header", "plies", "names", "hashes"}
HEADER: dict[str, Callable[[Any], bool]] = {
    "v": is_number,
    "application": is_id,
    "channel": is_id,
    "beacon": is_null,
    "number": is_place,
    "earlier": is_number,
    "commit": is_hash,
    "hidden": is_hash,
    "commit_message": is_id,
    "players": lambda value: are_players(value, is_word, or_null(is_hash)),
    "last_word": is_id,
    "seal": is_id,
}
PLY: dict[str, Callable[[Any], bool]] = {
    "roll": is_number,
    "by": is_id,
    "of": is_id,
    "offer": is_text,
    "choice": is_object,
    "draws": lambda value: is_list(value, lambda die: is_row(die, is_sides, is_u32, is_text)),
    "typed": are_typed,
    "undoes": or_null(is_number),
    "salt": or_null(is_salt),
    "secret": or_null(is_hash),
}
COVER: dict[str, Callable[[Any], bool]] = {"roll": is_number, "by": is_id, "hidden": is_hash}


def check_form(transcript: Any) -> None:
    """The six parts, the form of each, the number of hashes, and whether the key of hidden plies may be there."""
    fit(has_parts(transcript, PARTS), "The transcript does not have exactly the six parts.")
    header, plies, hashes, hidden_key = (transcript[part] for part in ("header", "plies", "hashes", "hidden_key"))
    fit(has_form(header, HEADER) and header["earlier"] < header["number"], "The header does not have the right form.")
    fit(is_hash(transcript["key"]), "The key is not 64 hex digits.")
    fit(hidden_key is None or is_hash(hidden_key), "The key of hidden plies is neither 64 hex digits nor null.")
    check_hashes(hashes)
    fit(are_names(transcript["names"]), "The names are not texts of 1 to 100 characters by ids.")
    fit(isinstance(plies, list), "The plies are not a list.")
    check_plies(plies, lambda ply: has_form(ply, PLY) or has_form(ply, COVER))
    fit(len(hashes) == len(plies) + 2, "The number of hashes is not the number of plies plus two.")
    fit(
        (hidden_key is None) == any(map(is_hidden, plies)),
        "The key of hidden plies must be null while a ply is hidden, and only then.",
    )


def are_names(value: Any) -> bool:
    return isinstance(value, dict) and all(
        is_id(person) and is_text(name) and 1 <= len(name) <= 100 for person, name in value.items()
    )


def is_hidden(ply: Any) -> bool:
    """Whether only the cover of this ply is known."""
    return "hidden" in ply


# Dice


def hidden_commitment(hidden: bytes) -> str:
    """The commitment to the key of hidden plies, in hex (Commit)."""
    return sha256(DOMAIN, b"|hidden|", hidden).hex()


def commitment(key: bytes, hidden: str) -> str:
    """C, in hex (Commit); `hidden` is the commitment to the key of hidden plies."""
    return sha256(DOMAIN, b"|commit|", key, bytes.fromhex(hidden)).hex()


def words_of(key: bytes, seal: bytes, place: int) -> Iterator[int]:
    """The stream of the ply at this place (Draw)."""
    return stream(key, DOMAIN + b"|draw|" + seal + place.to_bytes(8, "big"))


def own_key(hidden: bytes, seal: bytes, place: int) -> bytes:
    """The own key of the secret ply at this place (Draw)."""
    return hmac.digest(hidden, DOMAIN + b"|secret|" + seal + place.to_bytes(8, "big"), "sha256")


@dataclass
class Die:
    """A die that waits: its sides, its side, and the place of the ply that was taken back."""

    sides: int
    side: int
    place: int


@dataclass
class Table:
    """The places of the plies of each roll that stand, and the dice that wait for each player."""

    plies: list[Any]
    standing: dict[int, list[int]] = field(default_factory=dict)
    waiting: dict[str, list[Die]] = field(default_factory=dict)


def warnings_of_seal(transcript: Any) -> list[Warned]:
    """The warnings that need no dice: earlier seals, times, and how many plies are hidden."""
    header = transcript["header"]
    warnings = [Warned("earlier", (header["earlier"],))] if header["earlier"] else []
    times = [time_of(header[part]) for part in ("commit_message", "last_word", "seal")]
    if times != sorted(times):
        warnings.append(Warned("order"))
    elif times[2] - times[1] > MILLISECONDS_TO_SEAL:
        warnings.append(Warned("late"))
    hidden = sum(map(is_hidden, transcript["plies"]))
    return [*warnings, Warned("hidden", (hidden,))] if hidden else warnings


def time_of(number: str) -> int:
    """When Discord gave this id, in milliseconds since 1970 (Warnings)."""
    return (int(number) >> 22) + 1420070400000


def check_dice(transcript: Any) -> list[Warned]:
    """Both commitments, the seal, the words, then every ply and the names. Returns which dice came again elsewhere."""
    key, header, plies = bytes.fromhex(transcript["key"]), transcript["header"], transcript["plies"]
    hashes, hidden_key = transcript["hashes"], transcript["hidden_key"]
    hidden = None if hidden_key is None else bytes.fromhex(hidden_key)
    if hidden is not None:
        fit(hidden_commitment(hidden) == header["hidden"], "The key of hidden plies does not fit its commitment.")
    fit(commitment(key, header["hidden"]) == header["commit"], "The key does not fit the commitment.")
    seal = before = sealed(header)
    fit(seal.hex() == hashes[0], "The header does not fit the seal.")
    check_words(header["players"])
    table, warnings = Table(plies), list[Warned]()
    for place, ply in enumerate(plies, 1):
        before = link(before, cover(ply))
        fit(before.hex() == hashes[place], f"Ply {place}: it does not fit its hash.")
        check_own_key(ply, place, seal, hidden)
        check_place(table, ply, place)
        words = words_of(bytes.fromhex(ply["secret"]) if ply.get("secret") else key, seal, place)
        warnings += [Warned("again", (source, place)) for source in check_draws(table, ply, place, words)]
    fit(link(before, transcript["names"]).hex() == hashes[-1], "The names do not fit their hash.")
    return warnings + never_again(table)


def never_again(table: Table) -> list[Warned]:
    """How many dice of which ply wait still (Warnings)."""
    left = [die.place for waiting in table.waiting.values() for die in waiting]
    return [Warned("never", (place, left.count(place))) for place in sorted(set(left))]


def check_words(players: Any) -> None:
    """The words whose hash was given first (Words)."""
    for person, word, given in players:
        fit(given in (None, sha256(word.encode()).hex()), f"The word of {person} does not fit its hash.")


def cover(ply: Any) -> Any:
    """What stands in the chain: the ply itself, or its cover if it is secret (Chain)."""
    if is_hidden(ply) or ply["secret"] is None:
        return ply
    return {"by": ply["by"], "hidden": sha256(DOMAIN, b"|ply|", canonical(ply)).hex(), "roll": ply["roll"]}


def check_own_key(ply: Any, place: int, seal: bytes, hidden: bytes | None) -> None:
    """The own key of a secret ply, if the key of hidden plies is there (Draw)."""
    if hidden is None or ply["secret"] is None:
        return
    own = own_key(hidden, seal, place).hex()
    fit(own == ply["secret"], f"Ply {place}: its own key does not follow from the key of hidden plies.")


def check_place(table: Table, ply: Any, place: int) -> None:
    """The roll of a ply, whether a secret one opens it, and what it takes back (Rolls)."""
    roll, undoes = ply["roll"], ply.get("undoes")
    standing = table.standing.setdefault(roll, [])
    fit(roll in (0, place) or bool(standing), f"Ply {place}: nothing of its roll stands.")
    is_secret = is_hidden(ply) or ply["secret"] is not None
    fit(roll == place or not is_secret, f"Ply {place}: it is secret, but it does not open a roll.")
    if undoes is None:
        return
    is_last = standing[-1:] == [undoes]
    fit(is_last, f"Ply {place}: it takes back a ply that is not the last one that stands in its roll.")
    fit(not is_hidden(table.plies[undoes - 1]), f"Ply {place}: it takes back a ply that is still hidden.")
    fit(not ply["draws"], f"Ply {place}: it draws dice, but it must not.")


def check_draws(table: Table, ply: Any, place: int, words: Iterator[int]) -> list[int]:
    """Each die of a ply, which then stands.

    Returns the places of plies with another choice in another roll whose dice came again in it, each once, in the order
    in which the dice fell.
    """
    undoes, standing = ply.get("undoes"), table.standing[ply["roll"]]
    if undoes is not None:
        standing.pop()
        take_back(table, undoes)
        return []
    standing.append(place)
    waiting = table.waiting.setdefault(ply.get("of", ""), [])  # of a cover it is not known: it draws nothing
    came_again = [
        check_die(waiting, die, f"Ply {place}: die {number}", words, is_secret=ply["secret"] is not None)
        for number, die in enumerate(ply.get("draws", []), 1)
    ]
    sources = dict.fromkeys(source for source in came_again if source is not None)
    return [source for source in sources if is_another(table.plies[source - 1], ply)]


def check_die(waiting: list[Die], die: Any, name: str, words: Iterator[int], *, is_secret: bool) -> int | None:
    """One die. Returns the place of the ply from which it came again, or None for a fresh draw."""
    sides, side, _ = die
    again = next((item for item in waiting if item.sides == sides), None)
    fit(again is None or not is_secret, f"{name} of a secret ply is fresh, but a die of {sides} sides waits.")
    expected = draw(words, sides) if again is None else again.side
    fit(side == expected, f"{name} shows side {side}, but side {expected} was drawn.")
    if again is None:
        return None
    waiting.remove(again)  # the first that is equal is this one
    return again.place


def take_back(table: Table, place: int) -> None:
    """The dice of the ply at this place wait for whose dice they are, before those that wait already."""
    ply = table.plies[place - 1]
    gone = [Die(sides, side, place) for sides, side, _ in ply["draws"]]
    table.waiting[ply["of"]] = gone + table.waiting.get(ply["of"], [])


def is_another(item: Any, other: Any) -> bool:
    """Whether two plies are in different rolls and have different choices."""
    return item["roll"] != other["roll"] and canonical(item["choice"]) != canonical(other["choice"])
