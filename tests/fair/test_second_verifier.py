"""The second checker, written from the protocol page alone, agrees with the bot.

On the vectors, on whole evenings that the bot plays, and on whatever is done to a transcript afterwards.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from shutil import copy
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from bot.fair import verify as bots
from bot.fair.rolls import TableRolls
from bot.fair.transcript import ChainPly, Transcript
from bot.games import GAMES
from bot.sessions.request import Request
from bot.sessions.roll import Secrecy
from bot.sessions.seals import RevealedTable
from bot.sessions.sessions import RollOpening
from bot.store.database import Database
from tests.engines import apart
from tests.examples import share_of
from tests.fair import second_verifier as second
from tests.fair.evenings import ANA, BO, CLEO, HERE, Evening
from tests.fair.forgeries import (
    FORGERIES,
    HEADER,
    HIDDEN_KEY,
    SEAL_MESSAGE,
    game_with_hazards,
    game_with_undo,
    header_of,
    made,
    play,
    thrown_away,
)
from tests.fair.games import games
from tests.fair.second_verifier import Warned, judge
from tests.rows import for_each_row

HOME: Final = Path(__file__).parent
VECTORS: Final = json.loads((HOME / "vectors.json").read_text(encoding="utf-8"))
SEEDS: Final = (2, 6, 13, 21, 27)
STEPS: Final = 200

patiently = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.fixture(scope="module")
def evenings(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Evenings of all games as the bot plays them now: what Ana unseals, and the later file in which all is opened."""
    folder = tmp_path_factory.mktemp("evenings")
    return apart(evenings_of(migrated, folder))


class Secretive(Evening):
    """The last roll is one that Bo makes in secret. No die of 13 sides waits for him."""

    async def end(self) -> RevealedTable:
        game = GAMES["anydice"]
        opening = RollOpening(game, game.rules.declare({"dice": "1d13"}), secrecy=Secrecy.SECRET)
        self.see(await self.sessions.open(Request(BO, HERE), opening))
        return await super().end()


async def evenings_of(migrated: Path, folder: Path) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for seed in SEEDS:
        database = await Database.open(f"sqlite+aiosqlite:///{copy(migrated, folder / f'{seed}.db')}")
        try:
            evening = Secretive(database, seed, ends=ANA)
            files[f"{seed}, hidden"] = (await evening.play(STEPS)).file
            for person in (BO, CLEO):
                later = await evening.seals.unseal(Request(person, HERE, is_gm=person == CLEO))
            assert later is not None
            files[f"{seed}, open"] = later.file
        finally:
            await database.close()
    return files


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


WARNINGS: Final = {
    r"Seals of this channel that were begun before and given up: (?P<first>\d+)\.": "earlier",
    r"The commitment, the last word and the seal did not come in this order\.": "order",
    r"The seal came \d+ seconds after the last word\.": "late",
    r"Plies that are still hidden: (?P<first>\d+)\.": "hidden",
    r"Ply (?P<last>\d+): dice that were taken back with ply (?P<first>\d+) came again": "again",
    r"Dice of ply (?P<first>\d+) that were taken back and never came again: (?P<last>\d+)": "never",
}
"""How each sentence of the bot begins, and what the page calls for."""


def warned(sentence: str) -> Warned:
    """What a sentence of the bot warns of."""
    ((match, what),) = [(match, what) for start, what in WARNINGS.items() if (match := re.match(start, sentence))]
    numbers = match.groupdict()
    return Warned(what, tuple(int(numbers[name]) for name in ("first", "last") if name in numbers))


def without_word(file: bytes, report: str) -> list[str]:
    """Who rolled without a word, as the bot says; it calls people by their names too."""
    names = json.loads(file).get("names", {})
    line = re.search(r"^Rolled without a word: (.*)$", report, re.MULTILINE)
    people = [re.escape(f"{json.dumps(name)} ({person})") for person, name in names.items()]
    result = re.findall("|".join([*people, r"\d+"]), line[1]) if line else []
    return [re.findall(r"\d+", item)[-1] for item in result]


def agree(file: bytes) -> str | None:
    """The verdict of both, who must name the same place first, and warn of the same in the same order."""
    ours, theirs = judge(file), by_the_bot(file)
    assert ply_of(ours.fault) == ply_of(theirs), f"{ours.fault!r} is not {theirs!r}"
    if theirs is None:
        verdict = bots.verify(file)
        assert ours.warnings == tuple(map(warned, verdict.warnings))
        assert [*ours.without_word] == without_word(file, bots.report(verdict))
    else:
        assert not ours.warnings
        assert not bots.verify(file).warnings
    return ours.fault


def written(key: bytes, header: Any, plies: list[Any], last: bytes, **others: Any) -> bytes:
    """A file with these hashes of its plies; `last` is the seal."""
    hashes = [last.hex()]
    for ply in plies:
        last = second.link(last, in_chain(ply))
        hashes.append(last.hex())
    if "names" in others:
        hashes.append(second.link(last, others["names"]).hex())
    return second.canonical({"key": key.hex(), "header": header, "plies": plies, "hashes": hashes, **others}) + b"\n"


def in_chain(ply: Any) -> Any:
    """What stands in the chain for a ply, whatever is wrong with its form."""
    is_whole = isinstance(ply, dict) and {"roll", "by", "secret"} <= ply.keys()
    return second.cover(ply) if is_whole else ply


def chained(key: bytes, hidden_key: bytes, header: Any, plies: list[Any], names: Any) -> bytes:
    """A transcript whose commitments and chain are right, whatever its plies say."""
    hidden = second.hidden_commitment(hidden_key)
    header = header | {"hidden": hidden, "commit": second.commitment(key, hidden)}
    is_open = not any(isinstance(ply, dict) and second.is_hidden(ply) for ply in plies)
    others = {"names": names, "hidden_key": hidden_key.hex() if is_open else None}
    return written(key, header, plies, second.sealed(header), **others)


# Vectors


def test_it_agrees_with_the_vectors() -> None:
    key, hidden = bytes.fromhex(VECTORS["key"]), bytes.fromhex(VECTORS["hidden_key"])
    assert second.hidden_commitment(hidden) == VECTORS["hidden"]
    assert second.commitment(key, VECTORS["hidden"]) == VECTORS["commit"]
    assert second.canonical(VECTORS["header"]).decode() == VECTORS["canonical"]
    seal = last = second.sealed(VECTORS["header"])
    assert seal.hex() == VECTORS["seal"]
    secret = VECTORS["secret"]
    own = second.own_key(hidden, seal, secret["place"])
    assert own.hex() == secret["key"]
    for used, case in [*((key, case) for case in VECTORS["draws"]), (own, secret)]:
        words = second.words_of(used, seal, case["place"])
        assert [second.draw(words, sides) for sides in case["sides"]] == case["draws"]
    for ply, digits in zip(VECTORS["chain"]["plies"], VECTORS["chain"]["hashes"], strict=True):
        last = second.link(last, second.cover(ply))
        assert last.hex() == digits
    assert second.cover(VECTORS["chain"]["plies"][-1]) == VECTORS["chain"]["cover"]


# Whole games


def test_every_die_of_whole_evenings_fits(evenings: Mapping[str, bytes]) -> None:
    for name, file in evenings.items():
        assert agree(file) is None, name
    full = 0
    for seed in SEEDS:
        first, later = (json.loads(evenings[f"{seed}, {name}"]) for name in ("hidden", "open"))
        assert first["hashes"] == later["hashes"]
        assert first["hidden_key"] is None, "something is hidden at first"
        assert later["hidden_key"] is not None, "and opened later"
        full += is_full(later["plies"])
    assert full >= 3, "whole evenings of every game; choose other seeds if dice fall otherwise now"


def is_full(plies: list[Any]) -> bool:
    """Whether every game was played, dice were typed, something was taken back, and somebody rolled in secret."""
    has = [any(ply[part] for ply in plies) for part in ("typed", "undoes", "secret")]
    return all(has) and {ply["choice"].get("game") for ply in plies} >= GAMES.keys()


def test_there_is_every_warning(evenings: Mapping[str, bytes]) -> None:
    counts = Counter(warning.what for file in evenings.values() for warning in judge(file).warnings)
    assert {*counts} == {"hidden", "again", "late", "never"}
    assert any(judge(file).without_word for file in evenings.values())
    for what, changes in {
        "earlier": {"earlier": 2},
        "order": {"seal": SEAL_MESSAGE - (60_000 << 22)},
        "late": {"last_word": SEAL_MESSAGE - (10_001 << 22)},
    }.items():
        file = made(header=header_of({111: ("corvus", None)}, **changes)).write()
        assert agree(file) is None
        assert [warning.what for warning in judge(file).warnings] == [what]
    at_last = made(header=header_of({111: ("corvus", None)}, last_word=SEAL_MESSAGE - (10_000 << 22))).write()
    assert agree(at_last) is None
    assert judge(at_last).warnings == ()


@pytest.mark.parametrize("game", [game_with_undo, game_with_hazards, thrown_away])
def test_it_agrees_on_games_with_undo(game: Callable[[], Transcript]) -> None:
    assert agree(game().write()) is None


def taken_back() -> tuple[TableRolls, list[ChainPly]]:
    """Two rolls of one person, a d8 and a d6, both taken back."""
    rolls = TableRolls()
    return rolls, [
        play(rolls, HEADER, None, "111", 8, choice={"dice": "1d8"}),
        play(rolls, HEADER, None, "111", 6, choice={"dice": "1d6"}),
        play(rolls, HEADER, 1, "111", undoes=1),
        play(rolls, HEADER, 2, "111", undoes=2),
    ]


def test_dice_of_two_rolls_are_named_in_the_order_in_which_they_fell() -> None:
    for sides, places in (((6, 8, 6), (2, 1)), ((8, 6), (1, 2))):
        rolls, plies = taken_back()
        file = made(*plies, play(rolls, HEADER, None, "111", *sides, choice={"dice": "both"})).write()
        assert agree(file) is None
        assert judge(file).warnings == tuple(Warned("again", (place, 5)) for place in places)


def test_a_die_that_waits_does_not_come_in_secret_whatever_it_shows() -> None:
    _, plies = taken_back()
    own = second.own_key(HIDDEN_KEY, second.sealed(HEADER.to_json()), 5).hex()
    for side in range(6):
        ply = ChainPly(roll=5, by="111", of="111", offer="open", choice={}, draws=((6, side, ""),), secret=own)
        assert ply_of(agree(made(*plies, ply).write())) == "5"


def test_what_a_ply_takes_back_is_no_matter_of_its_form() -> None:
    """An earlier ply whose die is wrong is named before one that takes back a place that there is not."""
    _, (first, *_) = taken_back()
    ((sides, side, face),) = first.draws
    wrong = replace(first, draws=((sides, (side + 1) % sides, face),))
    undo = ChainPly(roll=1, by="111", of="111", offer="undo", choice={}, undoes=0)
    assert ply_of(agree(made(wrong, undo).write())) == "1"
    assert ply_of(agree(made(first, undo).write())) == "2"


@given(games())
def test_it_agrees_on_any_honest_game(found: Transcript) -> None:
    assert agree(found.write()) is None


@for_each_row("name", FORGERIES)
def test_a_forgery_is_named(name: str) -> None:
    assert agree(FORGERIES[name][0]) is not None


# Whatever is done to a transcript


@patiently
@given(data=st.data())
def test_a_changed_byte_is_found(evenings: Mapping[str, bytes], data: st.DataObject) -> None:
    file = evenings[data.draw(st.sampled_from(sorted(evenings)))]
    place = data.draw(st.integers(0, len(file) - 1))
    changed = data.draw(st.integers(0, 255).filter(lambda byte: byte != file[place]))
    assert agree(file[:place] + bytes([changed]) + file[place + 1 :]) is not None


@patiently
@given(data=st.data())
def test_bytes_that_are_cut_out_or_put_in_are_found(evenings: Mapping[str, bytes], data: st.DataObject) -> None:
    file = evenings[data.draw(st.sampled_from(sorted(evenings)))]
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
    st.sampled_from(([], {}, [8, 3], [8, 8], [0, 0], [[1, 0]], [["1", "a"]], [["2", "a"], ["1", "b"]], [8, 3, "4"])),
    st.sampled_from(([["1", "a", None]], "b" * 64)),
)


def paths(value: Any, before: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every part of a value, but the value itself."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path for key, part in parts for path in ((*before, key), *paths(part, (*before, key)))]


def forge(result: Any, kept: int, place: int, how: str, value: Any) -> Any:
    """Header and first plies of a transcript with one part replaced, repeated or removed."""
    forged = {"header": result["header"], "plies": result["plies"][:kept]}
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
    return forged


@settings(patiently, max_examples=share_of(400))
@given(
    seed=st.sampled_from(SEEDS),
    shown=st.sampled_from(("hidden", "open")),
    kept=st.integers(1, 80),
    place=st.integers(0, 10**6),
    how=st.sampled_from(("replace", "repeat", "remove")),
    value=VALUES,
)
def test_a_changed_part_is_found_by_both_or_by_neither(
    evenings: Mapping[str, bytes], seed: int, shown: str, kept: int, place: int, how: str, value: Any
) -> None:
    """Whoever has the keys can make a chain of whatever they like; only what the plies say can give them away."""
    result, later = (json.loads(evenings[f"{seed}, {name}"]) for name in (shown, "open"))
    forged = forge(result, kept, place, how, value)
    keys = bytes.fromhex(result["key"]), bytes.fromhex(later["hidden_key"])
    agree(chained(*keys, forged["header"], forged["plies"], result["names"]))


LOOSE_HEADER: Final = {
    "v": 2,
    "application": "9",
    "channel": "4",
    "seal": "77",
    "beacon": None,
    "number": 3,
    "earlier": 0,
    "commit_message": "5",
    "last_word": "6",
    "players": [["1", "a", None]],
}
PLIES: Final = st.builds(
    lambda roll, by, choice, undoes, dice, result: {
        "roll": roll,
        "by": by,
        "of": by,
        "offer": "",
        "choice": {"chosen": choice},
        "draws": [[sides, 0, ""] for sides in dice],
        "typed": [],
        "undoes": undoes,
        "salt": None,
        "made": result,
    },
    st.sampled_from(("new", "new", "last", "last", "table", "other")),
    st.sampled_from("12"),
    st.sampled_from((1, True)),
    st.none() | st.sampled_from((0, 0, 0, 1)),
    st.lists(st.sampled_from((2, 3, 6)), max_size=3),
    st.sampled_from(("openly", "openly", "openly", "in secret", "hidden")),
)
"""Plies whose roll is said by a word, and what they take back by how many plies of the roll lie after it."""


def placed(ply: Any, plies: list[Any], hidden_key: bytes, seal: bytes) -> Any:
    """A ply with its numbers, and with its own key if it is secret."""
    place = len(plies) + 1
    before = [item["roll"] for item in plies if item["roll"]]
    rolls = {"new": place, "table": 0, "last": before[-1] if before else place, "other": before[0] if before else 7}
    roll = rolls[ply["roll"]]
    earlier = [at for at, item in enumerate(plies, 1) if item["roll"] == roll and item.get("undoes") is None]
    undoes = None if ply["undoes"] is None else [0, 0, *earlier][-1 - ply["undoes"]]
    own = None if ply["made"] == "openly" else second.own_key(hidden_key, seal, place).hex()
    draws = [] if undoes else deepcopy(ply["draws"])
    said = {name: value for name, value in ply.items() if name != "made"}
    return {**said, "roll": roll, "undoes": undoes, "secret": own, "draws": draws}


@settings(patiently, max_examples=share_of(300))
@given(key=st.binary(min_size=32, max_size=32), moves=st.lists(PLIES, max_size=14), right=st.booleans())
def test_both_find_the_same_in_any_order_of_plies(key: bytes, moves: list[Any], right: bool) -> None:
    """Plies come in any order, some secret or hidden.

    One that does not fit is left out again, unless it does once its dice are put right (``right``).
    """
    hidden = second.hidden_commitment(key)
    header = LOOSE_HEADER | {"hidden": hidden, "commit": second.commitment(key, hidden)}
    seal, plies = second.sealed(header), list[Any]()
    for move in moves:
        ply = placed(move, plies, key, seal)
        fault = agree(chained(key, key, header, [*plies, ply], {}))
        while right and fault and (wrong := re.search(r"die (\d+) shows side \d+, but side (\d+) was drawn", fault)):
            ply["draws"][int(wrong[1]) - 1][1] = int(wrong[2])
            fault = agree(chained(key, key, header, [*plies, ply], {}))
        if move["made"] == "hidden":
            ply = second.cover(ply)
            fault = agree(chained(key, key, header, [*plies, ply], {}))
        if fault is None:
            plies.append(ply)
