"""Whole games of every kind at a sealed table: all checkers say that all fits, and the same of what is changed."""

import asyncio
import json
from collections import Counter
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from bot.__main__ import main
from bot.fair.protocol import canonical_json, chain, commitment, hidden_commitment, hide_ply, seal, secret
from bot.games import GAMES
from tests.examples import share_of
from tests.fair.checkers import by_the_bot, by_the_script
from tests.fair.forgeries import HEADER, HIDDEN_KEY, KEY
from tests.fair.matches import PIECES, transcript
from tests.seeds import seeds

patiently = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.fixture(scope="module")
def transcripts(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> dict[str, bytes]:
    """A whole game of each kind, by the key of the game."""
    folder = tmp_path_factory.mktemp("transcripts")
    return {game: asyncio.run(transcript(folder, migrated, game, 7, 12)) for game in GAMES}


def agree(file: bytes) -> str:
    """What both checkers say, which must be the same; "" where all fits."""
    said = by_the_bot(file)
    assert said == by_the_script(file)
    return said


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", seeds(range(3)))
async def test_every_die_of_a_whole_game_fits(
    tmp_path: Path, migrated: Path, game: str, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    file = await transcript(tmp_path, migrated, game, seed, 15)
    assert agree(file) == ""
    (tmp_path / "transcript.json").write_bytes(file)
    assert main(["verify", str(tmp_path / "transcript.json")]) == 0
    assert "Every die fits" in capsys.readouterr().out


def test_the_games_have_typed_dice_undo_and_faces(transcripts: Mapping[str, bytes]) -> None:
    for game, file in transcripts.items():
        plies = json.loads(file)["plies"]
        seen = Counter[str]()
        for ply in plies:
            seen["drawn"] += len(ply["draws"])
            seen["typed"] += len(ply["typed"])
            seen["undone"] += ply["roll"] > 0 and ply["undoes"] is not None
            seen["steps undone"] += ply["roll"] == 0 and ply["undoes"] is not None
            seen["faces"] += sum(bool(face) for _, _, face in ply["draws"])
        typed = () if game == "duels" else ("typed",)  # its dice are rolled by the bot alone
        expected = ("drawn", *typed, "undone", "faces", *(("steps undone",) if game in PIECES else ()))
        assert all(seen[what] for what in expected), (game, seen)


@patiently
@given(data=st.data())
def test_a_changed_byte_is_found(transcripts: Mapping[str, bytes], data: st.DataObject) -> None:
    file = transcripts[data.draw(st.sampled_from(sorted(transcripts)))]
    place = data.draw(st.integers(0, len(file) - 1))
    changed = data.draw(st.integers(0, 255).filter(lambda byte: byte != file[place]))
    assert agree(file[:place] + bytes([changed]) + file[place + 1 :]) != ""


# Whoever has the keys can make a chain of whatever they like; only what the plies say can give them away.


def chained(header: Any, plies: list[Any]) -> bytes:
    """A transcript whose chain is right, whatever its plies say."""
    hidden = hidden_commitment(HIDDEN_KEY)
    header = header | {"hidden": hidden, "commit": commitment(KEY, hidden)}
    last = seal(header)
    hashes = [last.hex()]
    for ply in plies:
        kept = ply
        if ply.get("secret"):
            kept = {"roll": ply["roll"], "by": ply["by"], "hidden": hide_ply(ply)}
        last = chain(last, kept)
        hashes.append(last.hex())
    hashes.append(chain(last, {}).hex())
    hidden_key = None if any("hidden" in ply for ply in plies) else HIDDEN_KEY.hex()
    parts = {
        "key": KEY.hex(),
        "hidden_key": hidden_key,
        "header": header,
        "plies": plies,
        "hashes": hashes,
        "names": {},
    }
    return canonical_json(parts) + b"\n"


def sealed_by(header: Mapping[str, object]) -> bytes:
    hidden = hidden_commitment(HIDDEN_KEY)
    return seal({**header, "hidden": hidden, "commit": commitment(KEY, hidden)})


MOVES: Final = st.builds(
    lambda roll, by, undoes, dice, kind: (roll, by, undoes, dice, kind),
    st.sampled_from((None, None, 0, -1, -1, -1, -2, 1, 2)),
    st.sampled_from("12"),
    st.none() | st.sampled_from((-1, -1, -1, -2)),
    st.lists(st.sampled_from((2, 3, 6)), max_size=3),
    st.sampled_from(("", "", "", "secret", "hidden")),
)
"""A ply: its roll and what it takes back, None for a new one or nothing, below 0 counted from the place."""


@settings(patiently, max_examples=share_of(300))
@given(moves=st.lists(MOVES, max_size=12), right=st.booleans())
def test_both_find_the_same_in_any_order_of_plies(moves: list[Any], right: bool) -> None:
    """Plies come in any order. One that does not fit is left out again; with ``right`` its dice are put right first."""
    header, plies = HEADER.to_json(), list[Any]()
    sealed = sealed_by(header)
    for roll, by, undoes, dice, kind in moves:
        place = len(plies) + 1
        number = place if roll is None else max(0, place + roll) if roll < 0 else roll
        ply: dict[str, Any] = {"roll": number, "by": by, "of": by, "offer": "", "choice": {}, "typed": [], "salt": None}
        ply |= {"draws": [[sides, 0, ""] for sides in dice], "secret": None}
        ply |= {"undoes": None if undoes is None else max(0, place + undoes)}
        if undoes is not None and right:
            ply["draws"] = []
        if kind:
            ply["secret"] = secret(HIDDEN_KEY, sealed, place).hex()
        fault = agree(chained(header, [*plies, ply]))
        while right and (shown := put_right(ply, fault)):
            fault = shown(chained, header, plies)
        if not fault:
            hides = kind == "hidden"
            plies.append({"roll": number, "by": by, "hidden": hide_ply(ply)} if hides else ply)
            assert agree(chained(header, plies)) == ""


def put_right(ply: Any, fault: str) -> Any:
    """A wrong die is turned to the side that the key gives; what both say then."""
    words = fault.split()
    if "the key gives side" not in fault:
        return None
    ply["draws"][int(words[words.index("die") + 1]) - 1][1] = int(words[-1].rstrip("."))
    return lambda result, header, plies: agree(result(header, [*plies, deepcopy(ply)]))
