"""The second verifier of version 1, written from the protocol page alone, agrees with the bot on it.

On the vectors, on whole games that the bot played then, and on whatever is done to a transcript afterwards.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.fair import verify as bots
from tests.fair import second_verifier
from tests.fair.second_verifier import find_fault

FIRST: Final = Path(__file__).parent / "version1"
VECTORS: Final = json.loads((FIRST / "vectors.json").read_text(encoding="utf-8"))

patiently = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.fixture(scope="module")
def transcripts() -> dict[str, bytes]:
    """What the bot wrote when it knew version 1: a game of each kind, and an evening of all of them."""
    return {file.stem: file.read_bytes() for file in sorted(FIRST.glob("*.json")) if file.stem != "vectors"}


def by_the_bot(file: bytes) -> str | None:
    """What `python -m bot verify` says first, or None if every die fits."""
    verdict = bots.verify(file)
    return None if verdict.fits else bots.report(verdict).splitlines()[0]


def ply_of(sentence: str | None) -> str | None:
    """The ply that a sentence names, "" for one that is about the file or its parts, None if all is well."""
    if sentence is None:
        return None
    named = re.match(r"Ply (\d+)\b", sentence)
    return named[1] if named else ""


def agree(file: bytes) -> str | None:
    """The verdict of both, who must name the same place first."""
    ours, theirs = find_fault(file), by_the_bot(file)
    assert ply_of(ours) == ply_of(theirs), f"{ours!r} is not {theirs!r}"
    return ours


def chained(key: bytes, header: Any, plies: list[Any]) -> bytes:
    """A transcript whose chain is right, whatever its plies say."""
    header = header | {"commit": second_verifier.commitment(key)}
    last = second_verifier.seal(header)
    hashes = [last.hex()]
    for ply in plies:
        last = second_verifier.link(last, ply)
        hashes.append(last.hex())
    return second_verifier.canonical({"key": key.hex(), "header": header, "plies": plies, "hashes": hashes}) + b"\n"


# Vectors


def test_it_agrees_with_the_vectors() -> None:
    key = bytes.fromhex(VECTORS["key"])
    assert second_verifier.commitment(key) == VECTORS["commit"]
    assert second_verifier.canonical(VECTORS["header"]).decode() == VECTORS["canonical"]
    sealed = second_verifier.seal(VECTORS["header"])
    assert sealed.hex() == VECTORS["seal"]
    first = VECTORS["first_block"]
    assert second_verifier.block(key, sealed, first["session"], first["ply"], 0).hex() == first["hex"]
    for case in VECTORS["draws"]:
        words = second_verifier.stream(key, sealed, case["session"], case["ply"])
        assert [second_verifier.draw(words, sides) for sides in case["sides"]] == case["draws"]
    last = sealed
    for ply, digits in zip(VECTORS["chain"]["plies"], VECTORS["chain"]["hashes"], strict=True):
        last = second_verifier.link(last, ply)
        assert last.hex() == digits


# Whole games


def test_every_die_of_a_whole_game_fits(transcripts: Mapping[str, bytes]) -> None:
    for name, file in transcripts.items():
        assert find_fault(file) is None, name
        assert by_the_bot(file) is None, name


# Whatever is done to a transcript


@patiently
@given(data=st.data())
def test_a_changed_byte_is_found(transcripts: Mapping[str, bytes], data: st.DataObject) -> None:
    file = transcripts[data.draw(st.sampled_from(sorted(transcripts)))]
    place = data.draw(st.integers(0, len(file) - 1))
    changed = data.draw(st.integers(0, 255).filter(lambda byte: byte != file[place]))
    assert agree(file[:place] + bytes([changed]) + file[place + 1 :]) is not None


@patiently
@given(data=st.data())
def test_bytes_that_are_cut_out_or_put_in_are_found(transcripts: Mapping[str, bytes], data: st.DataObject) -> None:
    file = transcripts[data.draw(st.sampled_from(sorted(transcripts)))]
    start = data.draw(st.integers(0, len(file)))
    end = data.draw(st.integers(start, len(file)))
    forged = file[:start] + data.draw(st.binary(max_size=8)) + file[end:]
    assert (agree(forged) is None) == (forged == file)


VALUES: Final = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-1, 9),
    st.sampled_from((2**31, 2**32 - 1, 2**32, 2**53 - 1)),
    st.sampled_from(
        (
            "",
            "a",
            "open",
            "undo",
            "0",
            "01",
            "111",
            "222",
            "9" * 20,
            "9" * 21,
            "9" * 5000,
            "a" * 32,
            "A" * 32,
            "e\u0301",
            "x" * 65,
        )
    ),
    st.sampled_from(([], {}, [8, 3], [8, 8], [0, 0], [[1, 0]], [["1", "a"]], [["2", "a"], ["1", "b"]])),
)


def paths(value: Any, before: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every part of a value, but the value itself."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path for key, part in parts for path in ((*before, key), *paths(part, (*before, key)))]


@settings(patiently, max_examples=400)
@given(
    game=st.sampled_from(("albion", "anydice", "contest", "infinity", "warsurge", "xwing")),
    kept=st.integers(1, 40),
    place=st.integers(0, 10**6),
    how=st.sampled_from(("replace", "repeat", "remove")),
    value=VALUES,
)
def test_a_changed_part_is_found_by_both_or_by_neither(
    transcripts: Mapping[str, bytes], game: str, kept: int, place: int, how: str, value: Any
) -> None:
    """Whoever has the key can make a chain of whatever they like; only what the plies say can give them away."""
    found = json.loads(transcripts[game])
    forged = {"header": found["header"], "plies": found["plies"][:kept]}
    ways = [path for path in paths(forged) if 1 < len(path) < 6]
    *way, last = ways[place % len(ways)]
    part: Any = forged
    for key in way:
        part = part[key]
    if how == "replace":
        part[last] = value
    elif how == "repeat" and isinstance(part, list):
        part.insert(last, part[last])
    else:
        del part[last]
    agree(chained(bytes.fromhex(found["key"]), forged["header"], forged["plies"]))


HEADER: Final = {"v": 1, "application": "9", "channel": "4", "players": [["1", "a"]], "seal": "77"}
PLIES: Final = st.builds(
    lambda roll, by, later, undoes, dice: {
        "roll": roll,
        "ply": later,
        "by": by,
        "offer": "",
        "choice": {},
        "draws": [[sides, 0] for sides in dice],
        "typed": [],
        "undoes": undoes,
        "salt": None,
    },
    st.integers(0, 3),
    st.sampled_from("12"),
    st.sampled_from((0, 0, 0, 0, 0, 1)),
    st.none() | st.sampled_from((-1, -1, -1, -2)),
    st.lists(st.sampled_from((2, 3, 6)), max_size=3),
)
"""Plies whose own number, and the number that they take back, is counted from the next one of their roll."""


@settings(patiently, max_examples=300)
@given(key=st.binary(min_size=32, max_size=32), moves=st.lists(PLIES, max_size=12), right=st.booleans())
def test_both_find_the_same_in_any_order_of_plies(key: bytes, moves: list[Any], right: bool) -> None:
    """Plies come in any order. One that does not fit is left out again; with ``right`` its dice are put right first."""
    plies: list[Any] = []
    counts = Counter[int]()
    for move in moves:
        ply = deepcopy(move)
        ply["ply"] += counts[ply["roll"]]
        if ply["undoes"] is not None:
            ply["undoes"] = max(0, ply["undoes"] + counts[ply["roll"]])
            ply["draws"] = ply["draws"][:1] if right and len(ply["draws"]) == 3 else []
        fault = agree(chained(key, HEADER, [*plies, ply]))
        while right and fault and (wrong := re.search(r"die (\d+) shows side \d+, but side (\d+) was drawn", fault)):
            ply["draws"][int(wrong[1]) - 1][1] = int(wrong[2])
            fault = agree(chained(key, HEADER, [*plies, ply]))
        if fault is None:
            plies.append(ply)
            counts[ply["roll"]] += 1
