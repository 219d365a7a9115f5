"""The arithmetic of the protocol, against vectors that other implementations agree on; docs/verify.py made them."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bot.fair import protocol
from bot.fair.protocol import (
    Stream,
    canonical_json,
    chain,
    commitment,
    hash_of,
    hidden_commitment,
    hide_ply,
    is_hash,
    seal,
    secret,
    stream,
    word,
)
from bot.fair.transcript import new_header, to_ply
from tests.fair.checkers import STAND_ALONE

HERE = Path(__file__).parent
VECTORS: dict[str, Any] = json.loads((HERE / "vectors.json").read_text(encoding="utf-8"))
KEY, HIDDEN_KEY, SEAL = (bytes.fromhex(VECTORS[name]) for name in ("key", "hidden_key", "seal"))


def drawn(key: bytes, prefix: bytes, sides: list[int]) -> list[int]:
    """What the stand-alone checker draws."""
    numbers = STAND_ALONE["words"](key, prefix)
    return [next(x for x in numbers if x < 2**32 // side * side) % side for side in sides]


def test_the_commitments() -> None:
    assert hidden_commitment(HIDDEN_KEY) == VECTORS["hidden"]
    assert commitment(KEY, VECTORS["hidden"]) == VECTORS["commit"]


def test_the_header_and_its_seal() -> None:
    assert canonical_json(VECTORS["header"]).decode() == VECTORS["canonical"]
    assert STAND_ALONE["canonical"](VECTORS["header"]).decode() == VECTORS["canonical"]
    assert seal(VECTORS["header"]) == SEAL
    header = new_header(
        KEY,
        HIDDEN_KEY,
        {333: ("ñandú", hash_of("ñandú")), 111: ("corvus", None)},
        application=1234567890,
        channel=222,
        number=7,
        earlier=1,
        commit_message=1299999999999999999,
        last_word=1300000000000000000,
        seal=1300000000000000001,
    )
    assert header.to_json() == VECTORS["header"]


@pytest.mark.parametrize("case", VECTORS["draws"], ids=lambda case: f"ply {case['place']}")
def test_the_draws(case: dict[str, Any]) -> None:
    dice = stream(KEY, SEAL, case["place"])
    assert [dice(sides) for sides in case["sides"]] == case["draws"]
    prefix = b"rollcall-fair/2|draw|" + SEAL + case["place"].to_bytes(8, "big")
    assert drawn(KEY, prefix, case["sides"]) == case["draws"]


def test_a_secret_ply_has_a_key_and_dice_of_its_own() -> None:
    case = VECTORS["secret"]
    own = secret(HIDDEN_KEY, SEAL, case["place"])
    assert own.hex() == case["key"]
    dice = stream(own, SEAL, case["place"])
    assert [dice(sides) for sides in case["sides"]] == case["draws"]


def test_the_chain() -> None:
    last = SEAL
    plies = VECTORS["chain"]["plies"]
    assert hide_ply(plies[2]) == VECTORS["chain"]["cover"]["hidden"]
    for raw, right in zip(plies, VECTORS["chain"]["hashes"], strict=True):
        ply = to_ply(raw)
        assert ply.to_json() == raw
        last = chain(last, ply.chain_json())
        assert last.hex() == right
    assert chain(bytes.fromhex(VECTORS["chain"]["hashes"][1]), VECTORS["chain"]["cover"]) == last


@pytest.mark.parametrize("value", [0.5, 2**53, -(2**53), float("nan"), {1: 2}, {"a": [b"b"]}, "\ud800", {"\udfff": 1}])
def test_what_cannot_be_written_exactly_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        canonical_json(value)


def test_keys_are_sorted_by_code_points() -> None:
    assert canonical_json({"\U0001f600": 1, "\uffee": 2}).decode() == '{"\uffee":2,"\U0001f600":1}'


@pytest.mark.parametrize("sides", [0, -1, 2**32 + 1])
def test_a_die_has_sides(sides: int) -> None:
    with pytest.raises(ValueError, match="sides"):
        Stream(KEY, b"")(sides)


def test_words_that_would_favour_a_side_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 32-bit words 6 * 715827882 is the limit: the four words from there on are skipped, all before are kept."""
    limit = 2**32 // 6 * 6
    monkeypatch.setattr(protocol, "words", lambda *_: iter([limit, 2**32 - 1, limit - 1, limit + 1, 0]))
    stream = Stream(KEY, b"")
    assert [stream(6), stream(6)] == [5, 0]


def test_all_sides_come_about_as_often() -> None:
    stream = Stream(KEY, b"")
    counts = Counter(stream(8) for _ in range(8000))
    assert set(counts) == set(range(8))
    assert all(850 <= count <= 1150 for count in counts.values()), "five standard deviations; the stream is fixed"


def test_a_word_is_normal_visible_and_short() -> None:
    assert word(" n\u0303andu\u0301 ") == "ñandú"
    assert word("x" * 64) == "x" * 64
    for bad in ("", "  ", "x" * 65, "a\nb", "\u202e"):
        with pytest.raises(ValueError, match="1 to 64"):
            word(bad)


def test_a_hash_is_told_from_a_word() -> None:
    assert is_hash(hash_of("three lucky otters"))
    for typed in ("", "three lucky otters", "0" * 63, "0" * 65, "A" * 64, "g" * 64):
        assert not is_hash(typed)
