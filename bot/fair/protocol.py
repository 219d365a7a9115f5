"""The arithmetic of ``rollcall-fair/2``: commitments, seal, draws, chain; step numbers as in docs/fairness.md."""

import hmac
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Final

DOMAIN: Final = b"rollcall-fair/2"
VERSION: Final = 2
KEY_BYTES: Final = 32
MAX_WORD: Final = 64
MAX_SIDES: Final = 2**32
"""A draw reads 32-bit words, so a die has at most this many sides."""
MAX_INTEGER: Final = 2**53 - 1
"""The largest integer that every JSON parser keeps exactly."""


def hidden_commitment(hidden_key: bytes) -> str:
    """Step 1: commitment to the key of hidden plies (32 bytes), 64 hex digits."""
    return sha256(DOMAIN + b"|hidden|" + hidden_key).hexdigest()


def commitment(key: bytes, hidden: str) -> str:
    """Step 1: the posted commitment, 64 hex digits. ``key`` has 32 bytes, ``hidden`` is as above."""
    return sha256(DOMAIN + b"|commit|" + key + bytes.fromhex(hidden)).hexdigest()


def word(typed: str) -> str:
    """Step 2: normalize a player's word (NFC, stripped). Raises ``ValueError`` with a sentence for the player."""
    normal = unicodedata.normalize("NFC", typed.strip())
    if not 1 <= len(normal) <= MAX_WORD or not normal.isprintable():
        raise ValueError(f"A word has 1 to {MAX_WORD} visible characters. Choose another.")
    return normal


def is_hash(typed: str) -> bool:
    """Step 2: whether a player gave a word's hash rather than a word."""
    return re.fullmatch("[0-9a-f]{64}", typed) is not None


def hash_of(word: str) -> str:
    """Step 2: the SHA-256 of a word as UTF-8, in hex."""
    return sha256(word.encode()).hexdigest()


def seal(header: Mapping[str, object]) -> bytes:
    """Step 3: S, 32 bytes, from the header as JSON."""
    return sha256(DOMAIN + b"|seal|" + canonical_json(header)).digest()


_WRITER: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical_json(value: object) -> bytes:
    """Serialize a JSON value in its only form: sorted keys, no spaces, unescaped UTF-8. Raises ``ValueError`` for
    values that parsers may change: fractions, integers beyond 2^53 - 1, invalid Unicode.
    """
    check_exact(value)
    return _WRITER.encode(value).encode()


def check_exact(value: object) -> None:
    """Raise ``ValueError`` unless ``value`` is exactly representable. One loop, because each sealed press runs it."""
    left = [value]
    while left:
        part = left.pop()
        if part is None or isinstance(part, str):
            continue
        if isinstance(part, int):
            if not -MAX_INTEGER <= part <= MAX_INTEGER:
                raise ValueError("an integer is too large")
        elif isinstance(part, dict):
            for name in part:
                if not isinstance(name, str):
                    raise ValueError("a key is not text")  # noqa: TRY004 - it is a JSON value
            left += part.values()
        elif isinstance(part, list | tuple):
            left += part
        else:
            raise ValueError(f"{type(part).__name__} cannot be written exactly")  # noqa: TRY004 - as above


class Stream:
    """Step 4: the dice of one ply, an ``Rng``. ``stream(n)`` gives the next draw of a die of n sides, 0 to n-1. The
    blocks after a prefix are read as one stream of 32-bit words, whatever dice use them.
    """

    def __init__(self, key: bytes, prefix: bytes) -> None:
        self._words = words(key, prefix)

    def __call__(self, sides: int) -> int:
        """Raise ``ValueError`` for a die without sides, or with more than 2^32."""
        if not 1 <= sides <= MAX_SIDES:
            raise ValueError(f"a die has 1 to {MAX_SIDES} sides, not {sides}")
        # Each side must get equally many words. The largest multiple of n up to 2^32 is divided evenly by x mod n; the
        # fewer
        # than n words above it are skipped. At worst (n just above 2^31) that is every second word.
        limit = MAX_SIDES // sides * sides
        return next(word for word in self._words if word < limit) % sides


def words(key: bytes, prefix: bytes) -> Iterator[int]:
    """Yield HMAC-SHA256(key, prefix | u32be(j)) for j = 0, 1, ... as big-endian 32-bit words, eight per block."""
    for j in range(2**32):
        block = hmac.digest(key, prefix + j.to_bytes(4, "big"), "sha256")
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, len(block), 4))


def stream(key: bytes, sealed: bytes, place: int) -> Stream:
    """Step 4: the dice of the ply at position ``place`` from 1. ``key``: K, or a secret ply's own."""
    return Stream(key, DOMAIN + b"|draw|" + sealed + place.to_bytes(8, "big"))


def secret(hidden_key: bytes, sealed: bytes, place: int) -> bytes:
    """Step 4: the key of a secret ply, 32 bytes."""
    return hmac.digest(hidden_key, DOMAIN + b"|secret|" + sealed + place.to_bytes(8, "big"), "sha256")


def hide_ply(ply: Mapping[str, object]) -> str:
    """Step 5: a secret ply's entry in the chain, 64 hex digits. Its own key makes it unguessable."""
    return sha256(DOMAIN + b"|ply|" + canonical_json(ply)).hexdigest()


def chain(previous: bytes, ply: Mapping[str, object]) -> bytes:
    """Step 5: P_i from P_{i-1} and ply i as JSON, hidden if secret; P_0 is S."""
    return link(previous, canonical_json(ply))


def link(previous: bytes, written: bytes) -> bytes:
    """Return the next hash of the chain for a ply that is already serialized."""
    return sha256(previous + written).digest()
