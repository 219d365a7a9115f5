"""The second verifier, written from the protocol page alone, agrees with the bot.

On the vectors, on whole games that the bot played, and on whatever is done to a transcript afterwards.
"""

import asyncio
import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Mapping
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.__main__ import main
from bot.fair import verify as bots
from bot.games import GAMES
from bot.rules.errors import PlayerError
from bot.rules.game import Choice, Offer, Side
from bot.rules.infinity.trooper import Trooper
from bot.rules.warsurge.units import Unit
from bot.rules.xwing.ship import launch
from bot.sessions.errors import NotYourPly
from bot.sessions.place import Person, Place
from bot.sessions.request import Request
from bot.sessions.roll import Address, Played
from bot.sessions.seals import Seals
from bot.sessions.sessions import Opening, Sessions
from bot.sessions.tables import Tables
from bot.sessions.undo import Asked
from bot.store.database import Database
from tests.fair import second_verifier
from tests.fair.evenings import chosen_key
from tests.fair.second_verifier import find_fault

VECTORS: Final = json.loads((Path(__file__).parent / "vectors.json").read_text(encoding="utf-8"))
ANA, BO = Person(111, "Ana"), Person(222, "Bo")
HERE = Place(444, 555)

DECLARATIONS: Final[Mapping[str, tuple[Mapping[str, object], ...]]] = {
    "xwing": (
        *GAMES["xwing"].samples,
        {"dice": 3, "agility": 2, "with": "focus, lock", "against": "evade, hull 4"},
        {"attack": {"dice": 2, "focus": 1}, "defense": {"dice": 3, "evade": 1}, "red": ["hit", "focus"]},
    ),
    "infinity": (
        *GAMES["infinity"].samples,
        {"order": "Angus 12 b2 vs Ortega 11; Murat 13 normal vs Angus; Ana 10 dodge vs Angus"},
        {"a": {"sv": 12, "dice": [9, 4], "burst": 2}, "b": {"sv": 11}},
    ),
    "warsurge": (
        *GAMES["warsurge"].samples,
        {"method": "casual", "power": 3, "defence": 6, "save": 4, "attack_dice": 2, "faces": [[6], [1]]},
    ),
    "albion": (
        *GAMES["albion"].samples,
        {"target": {"agility": 4, "stealth": 3}, "attacker": {"awareness": 3, "strength": 3}, "faces": [72, 0, 1]},
    ),
    "contest": (*GAMES["contest"].samples, {"dice": "2d6", "their_dice": "1d12", "faces": "1 6", "their_faces": "7"}),
    "anydice": (*GAMES["anydice"].samples, {"dice": "2d6ro1!", "faces": "1 6 4 2"}),
}
"""What is rolled in each game. The last one has dice that were rolled by hand."""

PIECES: Final[Mapping[str, Callable[[int], Any]]] = {
    "xwing": lambda hull: launch("Luke", attack=3, agility=2, hull=hull, shields=2, force=2, initiative=5),
    "infinity": lambda skill: Trooper("Angus", {"BS": skill}),
    "warsurge": lambda points: Unit(name="Murat", defence=3, hp=points),
}
"""A piece of each game that has pieces, by a number that makes it another one."""


patiently = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def no_dice(sides: int) -> int:
    raise AssertionError(f"a die of {sides} sides was not rolled by the protocol")


class Match:
    """A whole game of Ana and Bo at a sealed table: rolls to their end, steps on the table, much that is taken back."""

    def __init__(self, database: Database, game: str, seed: int) -> None:
        self.game, self.chance = GAMES[game], Random(seed)
        self.seals, self.sessions, self.tables = Seals(database), Sessions(database, no_dice), Tables(database)

    async def play(self, rolls: int) -> bytes:
        """The transcript of so many rolls; those with typed dice are among them."""
        asked = await self.seals.ask(HERE, ANA, BO)
        for person, word in ((ANA, "luck"), (BO, "Würfel")):
            asked = await self.seals.give_word(HERE, asked.seal_id, person, word)
        await self.seals.close(HERE, asked, application_id=999, message_id=1300000000000000001)
        declarations = DECLARATIONS[self.game.key]
        for number in range(rolls):
            await self.step(number)
            await self.roll(declarations[number % len(declarations)])
        ended = await self.seals.end(HERE, BO, is_gm=False)
        assert ended is not None
        return ended.file

    async def step(self, number: int) -> None:
        """A step on the table, which may be taken back; Albion has no pieces."""
        make = PIECES.get(self.game.key)
        if make is not None:
            piece = make(number + 3)
            await self.tables.step(Request(ANA, HERE), self.game.key, "changes a piece", lambda _: {piece.name: piece})
            if self.chance.random() < 0.3:
                await self.take_back()

    async def roll(self, words: Mapping[str, object]) -> None:
        """One roll from its opening to its end. Its opening and the choices are taken back now and then."""
        declared = self.game.rules.declare(words)
        by, other = self.chance.sample((ANA, BO), 2)
        roll = await self.sessions.open(Request(by, HERE), Opening(GAMES[self.game.key], declared, opponent=other))
        for _ in range(12):
            if self.chance.random() < 0.25 and (before := await self.take_back()) is not None:
                roll = before
            if roll.is_closed:  # dice that were seen come again, but not for somebody else
                by, other = self.chance.sample((ANA, BO), 2)
                roll = await self.sessions.open(
                    Request(by, HERE), Opening(GAMES[self.game.key], declared, opponent=other)
                )
            offers = [offer for offer in roll.offers if not offer.reopens]
            if not offers:
                return
            roll = await self.choose(roll, self.chance.choice(offers))

    async def choose(self, roll: Played, offer: Offer) -> Played:
        """Take an offer somehow; the roll stays as it is if the rules refuse that."""
        values = [option.value for option in offer.options]
        picked = self.chance.sample(values, self.chance.randint(offer.least, offer.most)) if values else ()
        filled = {field.key: field.value or (field.example if field.required else "") for field in offer.fields}
        by = roll.seats.get(offer.side) or (ANA if offer.side is Side.ATTACKER else BO)
        choice, address = Choice(offer.key, tuple(picked), filled or None), Address(roll.session, roll.ply, offer.key)
        try:
            chosen = await self.sessions.choose(Request(by, HERE), address, choice)
        except PlayerError:
            return roll
        assert isinstance(chosen, Played)
        return chosen

    async def take_back(self) -> Played | None:
        """Undo; where somebody has to allow it, the other one does. The roll as it stands then, if it was one."""
        by, other = self.chance.sample((ANA, BO), 2)
        try:
            undone = await self.tables.undo(Request(by, HERE))
        except NotYourPly:
            by, other = other, by
            undone = await self.tables.undo(Request(by, HERE))
        if isinstance(undone, Asked):
            answered = await self.tables.answer(Request(other, HERE), undone.request, allow=True)
            assert answered is not None
            undone = answered
        return undone.roll


async def transcript(folder: Path, migrated: Path, game: str, seed: int, rolls: int) -> bytes:
    """The transcript of a game that is the same for the same seed, key and all."""
    file = shutil.copy(migrated, folder / f"{game}-{seed}.db")
    database = await Database.open(f"sqlite+aiosqlite:///{file}")
    try:
        with chosen_key(seed):
            return await Match(database, game, seed).play(rolls)
    finally:
        await database.close()


@pytest.fixture(scope="module")
def transcripts(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> dict[str, bytes]:
    """A whole game of each kind, by the key of the game."""
    folder = tmp_path_factory.mktemp("transcripts")
    return {game: asyncio.run(transcript(folder, migrated, game, 7, 12)) for game in GAMES}


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


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(3))
async def test_every_die_of_a_whole_game_fits(
    tmp_path: Path, migrated: Path, game: str, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    file = await transcript(tmp_path, migrated, game, seed, 15)
    assert find_fault(file) is None
    (tmp_path / "transcript.json").write_bytes(file)
    assert main(["verify", str(tmp_path / "transcript.json")]) == 0
    assert "Every die fits" in capsys.readouterr().out


def test_the_games_have_typed_dice_undo_and_dice_that_come_again(transcripts: Mapping[str, bytes]) -> None:
    for game, file in transcripts.items():
        plies = json.loads(file)["plies"]
        seen = Counter[str]()
        for ply in plies:
            seen["drawn"] += len(ply["draws"])
            seen["typed"] += len(ply["typed"])
            seen["undone"] += ply["roll"] > 0 and ply["undoes"] is not None
            seen["opened again"] += ply["offer"] == "open" and ply["ply"] > 0
            seen["steps undone"] += ply["roll"] == 0 and ply["undoes"] is not None
        expected = ("drawn", "typed", "undone", "opened again", *(("steps undone",) if game in PIECES else ()))
        assert all(seen[what] for what in expected), (game, seen)


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
    game=st.sampled_from(tuple(GAMES)),
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
