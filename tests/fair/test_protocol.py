"""The arithmetic of the protocol, against vectors that two other implementations agree on."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bot.fair import protocol
from bot.fair.protocol import Stream, canonical, chain, commitment, seal, word
from bot.fair.transcript import new_header
from tests.fair.checkers import STAND_ALONE

VECTORS: dict[str, Any] = json.loads((Path(__file__).parent / "vectors.json").read_text(encoding="utf-8"))
KEY = bytes.fromhex(VECTORS["key"])
SEAL = bytes.fromhex(VECTORS["seal"])


def test_the_commitment() -> None:
    assert commitment(KEY) == VECTORS["commit"]


def test_the_header_and_its_seal() -> None:
    assert canonical(VECTORS["header"]).decode() == VECTORS["canonical"]
    assert STAND_ALONE["canonical"](VECTORS["header"]).decode() == VECTORS["canonical"]
    assert seal(VECTORS["header"]) == SEAL
    words = {333: "ñandú", 111: "corvus"}
    made = new_header(KEY, application=1234567890, channel=222, words=words, message=1300000000000000001)
    assert made.to_json() == VECTORS["header"]


def test_the_first_block() -> None:
    first = VECTORS["first_block"]
    stream = Stream(KEY, SEAL, first["session"], first["ply"])
    read = b"".join(stream(2**32).to_bytes(4, "big") for _ in range(8))
    assert read.hex() == first["hex"]


@pytest.mark.parametrize("case", VECTORS["draws"], ids=lambda case: f"ply {case['ply']}")
def test_the_draws(case: dict[str, Any]) -> None:
    stream = Stream(KEY, SEAL, case["session"], case["ply"])
    assert [stream(sides) for sides in case["sides"]] == case["draws"]
    prefix = b"rollcall-fair/1|draw|" + SEAL + case["session"].to_bytes(8, "big") + case["ply"].to_bytes(4, "big")
    other = STAND_ALONE["words"](KEY, prefix)
    drawn = [next(x for x in other if x < 2**32 // sides * sides) % sides for sides in case["sides"]]
    assert drawn == case["draws"]


def test_the_chain() -> None:
    last = SEAL
    for ply, right in zip(VECTORS["chain"]["plies"], VECTORS["chain"]["hashes"], strict=True):
        last = chain(last, ply)
        assert last.hex() == right


@pytest.mark.parametrize("value", [0.5, 2**53, -(2**53), float("nan"), {1: 2}, {"a": [b"b"]}, "\ud800", {"\udfff": 1}])
def test_what_cannot_be_written_exactly_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        canonical(value)


def test_keys_are_sorted_by_code_points() -> None:
    assert canonical({"\U0001f600": 1, "\uffee": 2}).decode() == '{"\uffee":2,"\U0001f600":1}'


@pytest.mark.parametrize("sides", [0, -1, 2**32 + 1])
def test_a_die_has_sides(sides: int) -> None:
    with pytest.raises(ValueError, match="sides"):
        Stream(KEY, SEAL, 1, 0)(sides)


def test_words_that_would_favour_a_side_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 32-bit words 6 * 715827882 is the limit: the four words from there on are skipped, all before are kept."""
    limit = 2**32 // 6 * 6
    monkeypatch.setattr(protocol, "words", lambda *_: iter([limit, 2**32 - 1, limit - 1, limit + 1, 0]))
    stream = Stream(KEY, SEAL, 1, 0)
    assert [stream(6), stream(6)] == [5, 0]


def test_all_sides_come_about_as_often() -> None:
    stream = Stream(KEY, SEAL, 1, 0)
    counts = Counter(stream(8) for _ in range(8000))
    assert set(counts) == set(range(8))
    assert all(850 <= count <= 1150 for count in counts.values()), "five standard deviations; the stream is fixed"


def test_a_word_is_normal_visible_and_short() -> None:
    assert word(" n\u0303andu\u0301 ") == "ñandú"
    assert word("x" * 64) == "x" * 64
    for bad in ("", "  ", "x" * 65, "a\nb", "\u202e"):
        with pytest.raises(ValueError, match="1 to 64"):
            word(bad)
