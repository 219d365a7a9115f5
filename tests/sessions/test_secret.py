"""Secret and blind rolls over a database: nobody else learns what fell, from anything that the store gives."""

import asyncio
import json
import shutil
import time
from collections.abc import Callable, Mapping
from hashlib import sha256
from itertools import chain, repeat
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from unittest.mock import patch

import pytest
from hypothesis import given, settings, strategies as st
from sqlalchemy import text

from bot.fair.protocol import canonical_json, hide_ply
from bot.fair.transcript import ChainPly, HiddenPly
from bot.games import GAMES
from bot.rules.errors import PlayerError
from bot.rules.game import Choice, Side
from bot.sessions.fairness import Fairness
from bot.sessions.links import LostCards
from bot.sessions.matches import Matches, luck_of_match
from bot.sessions.personal_data import PersonalData
from bot.sessions.request import Person, Place, Request
from bot.sessions.roll import Address, Played, Secrecy, UnknownRollError
from bot.sessions.seals import Seals
from bot.sessions.sessions import PRACTICE_LASTS, RollOpening, Sessions
from bot.sessions.tables import Tables
from bot.sessions.undo import UndoRequest
from bot.store import fairness as fairness_rows, sessions as session_rows
from bot.store.database import Database
from tests.conftest import Dice
from tests.examples import share_of
from tests.fair.checkers import by_the_bot, by_the_script, read
from tests.fair.evenings import no_secrets, seal

ANA, BO, GIL = (Person(111, "Ana"), Person(222, "Bo"), Person(444, "Gil"))
HERE, ELSEWHERE = Place(444, 555), Place(445, 555)

ROLLS: Final[Mapping[str, tuple[Mapping[str, Any], ...]]] = {
    "anydice": ({"dice": "3d6!+1d20"}, {"dice": "6d10>=7"}, {"dice": "2#4dF+1d6ro<3"}),
    "contest": ({"dice": "1d4", "their_dice": "1d4", "ties": "again"}, {"dice": "2d6!", "their_dice": "9"}),
    "xwing": ({"red": 3, "green": 2}, {"attack": {"dice": 3}, "defense": {"dice": 2}, "hull": 3}),
    "infinity": (
        {"sv": 12, "burst": 3},
        {"sv_a": 15, "burst_a": 3, "sv_b": 13, "burst_b": 2},
        {"hits": 2, "crits": 1, "ammo": "DA", "ps": 7, "arm": 3},
    ),
    "warsurge": ({"method": "chart", "power": 7, "defence": 4, "attack_dice": 3, "save": 4},),
    "albion": GAMES["albion"].samples,
}
"""Declarations that can be secret."""
EVERY: Final = [(key, number) for key, result in ROLLS.items() for number in range(len(result))]


def declared(key: str, number: int) -> Any:
    return GAMES[key].rules.declare(ROLLS[key][number])


def d20() -> Any:
    return GAMES["anydice"].rules.declare({"dice": "1d20"})


async def hide(sessions: Sessions, dice: str = "1d20", secrecy: Secrecy = Secrecy.SECRET, **more: Any) -> Played:
    roll = GAMES["anydice"].rules.declare({"dice": dice})
    return await sessions.open(Request(ANA, HERE), RollOpening(GAMES["anydice"], roll, secrecy=secrecy, **more))


# What a secret roll is


async def test_who_may_see_it_finds_it_and_nobody_else_does(sessions: Sessions, dice: Dice) -> None:
    dice.will_show(16, 3)
    hidden, blind = await hide(sessions), await hide(sessions, secrecy=Secrecy.BLIND)
    assert hidden.is_hidden
    assert blind.is_hidden
    for person, is_gm, sees in (
        (ANA, False, [hidden]),
        (GIL, True, [blind]),
        (BO, False, []),
        (ANA, True, [blind, hidden]),
    ):
        rolls = await sessions.secrets(Request(person, HERE, is_gm=is_gm), 10)
        assert [item.session for item in rolls] == [see.session for see in sees]
        for roll in (hidden, blind):
            if roll in sees:
                seen = await sessions.find_secret(Request(person, HERE, is_gm=is_gm), roll.session)
                assert seen.state == roll.state
            else:
                with pytest.raises(PlayerError, match="Only "):
                    await sessions.find_secret(Request(person, HERE, is_gm=is_gm), roll.session)
                with pytest.raises(PlayerError, match="Only "):
                    await sessions.reveal(Request(person, HERE, is_gm=is_gm), roll.session)
    assert await sessions.secrets(Request(ANA, ELSEWHERE, is_gm=True), 10) == ()
    with pytest.raises(UnknownRollError):
        await sessions.find_secret(Request(ANA, ELSEWHERE), hidden.session)


async def test_a_revealed_roll_is_what_it_was_and_plays_on(
    sessions: Sessions, tables: Tables, dice: Dice, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice.will_show(16)
    monkeypatch.setattr(time, "time", lambda: 1000.5)
    roll = await hide(sessions)
    monkeypatch.setattr(time, "time", lambda: 5000.5)
    shown = await sessions.reveal(Request(ANA, HERE), roll.session)
    assert (shown.state, shown.opened_at, shown.revealed_at, shown.is_hidden) == (roll.state, 1000, 5000, False)
    assert await sessions.find(roll.session, HERE) == shown
    assert [(entry.at, entry.roll and entry.roll.state) for entry in await tables.history(HERE)] == [(1000, roll.state)]
    with pytest.raises(PlayerError, match="no longer secret"):
        await sessions.reveal(Request(ANA, HERE), roll.session)
    dice.will_show(4)
    again = await sessions.choose(Request(ANA, HERE), Address(roll.session, 0, "again"), Choice("again"))
    assert isinstance(again, Played)
    assert not again.is_hidden, "what is rolled from it is open"


async def test_a_roll_that_is_delivered_twice_counts_once(sessions: Sessions, dice: Dice) -> None:
    dice.will_show(16)
    once = Request(ANA, Place(444, 555), interaction_id=77)
    roll = GAMES["anydice"].rules.declare({"dice": "1d20"})
    rolls = [await sessions.open(once, RollOpening(GAMES["anydice"], roll, secrecy=Secrecy.SECRET)) for _ in range(2)]
    assert rolls[0].session == rolls[1].session
    assert rolls[1].is_hidden


async def test_an_undo_passes_over_it_and_cannot_reroll_it(sessions: Sessions, tables: Tables, dice: Dice) -> None:
    dice.will_show(5)
    opened = await sessions.open(Request(ANA, HERE), RollOpening(GAMES["anydice"], d20()))
    dice.will_show(16)
    hidden = await hide(sessions)
    asked = await tables.undo(Request(ANA, HERE))
    assert isinstance(asked, UndoRequest)
    undone = await tables.answer(Request(BO, HERE), asked.request, allow=True)
    assert undone is not None
    assert undone.roll is not None
    assert undone.roll.session == opened.session
    (kept,) = await sessions.secrets(Request(ANA, HERE), 5)
    assert kept.state == hidden.state
    with pytest.raises(PlayerError, match="You took back dice like these"):
        await hide(sessions)
    with pytest.raises(PlayerError, match="nothing to take back"):
        await tables.undo(Request(ANA, HERE, is_gm=True))


async def test_nobody_forges_a_press_on_it(sessions: Sessions, tables: Tables, dice: Dice) -> None:
    dice.will_show(16)
    hidden = await hide(sessions)
    for who in (ANA, BO):
        with pytest.raises(UnknownRollError):
            await sessions.choose(Request(who, HERE), Address(hidden.session, 0, "again"), Choice("again"))
        with pytest.raises(UnknownRollError):
            await sessions.look(Request(who, HERE), Address(hidden.session, 0, "again"))
        with pytest.raises(UnknownRollError):
            await sessions.find(hidden.session, HERE)
    with pytest.raises(UnknownRollError):
        await tables.seat(Request(GIL, HERE), hidden.session, Side.DEFENDER, BO)


@pytest.mark.parametrize(("key", "number"), EVERY)
async def test_whatever_falls_a_secret_roll_is_over_and_changes_no_piece(key: str, number: int) -> None:
    game, roll = GAMES[key], declared(key, number)
    assert game.not_secret is not None
    assert game.not_secret(roll) == ""
    for seed in range(200):
        falls = chain([seed % 3, seed // 3 % 5, seed // 15], repeat(seed % 2))
        state = game.rules.start(roll, lambda sides: next(falls) % sides)  # noqa: B023 - used at once
        assert game.rules.rolled(state), "the dice have fallen"
        assert game.changed_by(state) == ()
        if key == "xwing" and "attack" in ROLLS[key][number]:
            assert not any(offer.is_awaited for offer in game.rules.offers(state)), "no window is open"


async def test_the_log_of_what_a_blind_roller_gets_has_no_dice(
    sessions: Sessions, database: Database, dice: Dice
) -> None:
    dice.will_show(16, 5)
    blind, _ = await hide(sessions, secrecy=Secrecy.BLIND), await hide(sessions)
    kept = [entry async for name, entry in PersonalData(database).records(ANA.id) if name == "presses"]
    assert [item.get("draws") for item in kept] == [[[20, 5, "d20 rolled"]], None]
    assert [item["declared"]["dice"] for item in kept] == ["1d20", "1d20"]
    opened = [entry async for name, entry in PersonalData(database).records(ANA.id) if name == "rolls_opened"]
    assert [(item["secrecy"], item["revealed_at"]) for item in opened] == [("secret", None), ("blind", None)]
    await sessions.reveal(Request(GIL, HERE, is_gm=True), blind.session)
    kept = [entry async for name, entry in PersonalData(database).records(ANA.id) if name == "presses"]
    assert [item["draws"] for item in kept] == [[[20, 5, "d20 rolled"]], [[20, 16, "d20 rolled"]]]


async def test_what_somebody_rolled_who_was_forgotten_stays_secret(
    sessions: Sessions, tables: Tables, database: Database, dice: Dice
) -> None:
    dice.will_show(16, 5)
    hidden, blind = await hide(sessions), await hide(sessions, secrecy=Secrecy.BLIND)
    await PersonalData(database).forget(ANA.id)
    assert await tables.history(HERE) == ()
    with pytest.raises(PlayerError, match="Only "):
        await sessions.find_secret(Request(ANA, HERE, is_gm=True), hidden.session)
    assert [roll.session for roll in await sessions.secrets(Request(GIL, HERE, is_gm=True), 5)] == [blind.session]


# Sealed tables


async def test_a_sealed_table_has_it_in_its_chain_and_shows_it_at_the_end(database: Database) -> None:
    seals = Seals(database)
    sessions, tables = Sessions(database, no_secrets, seals=seals), Tables(database, seals=seals)
    await seal(seals)
    hidden = [await hide(sessions, "2d6", secrecy) for secrecy in HIDDEN]
    shown = await sessions.reveal(Request(ANA, HERE), hidden[0].session)
    assert shown.mark == hidden[0].mark
    await sessions.open(Request(BO, HERE), RollOpening(GAMES["anydice"], d20()))
    assert len(await tables.history(HERE)) == 2
    ended = await seals.unseal(Request(ANA, HERE))
    assert ended is not None
    assert by_the_bot(ended.file) == by_the_script(ended.file) == ""
    first, second, third = read(ended.file).plies
    assert isinstance(first, ChainPly)
    assert isinstance(third, ChainPly)
    assert isinstance(second, HiddenPly), "Ana made it blind, so she may not see it"
    assert (ended.hidden, len(first.draws), len(third.draws)) == (1, 2, 1)
    assert (first.secret is None, third.secret is None) == (False, True)
    assert len(await tables.history(HERE)) == 2
    with pytest.raises(UnknownRollError):
        await sessions.find(hidden[1].session, HERE)
    opened = await seals.unseal(Request(GIL, HERE, is_gm=True))
    assert opened is not None
    assert by_the_bot(opened.file) == by_the_script(opened.file) == ""
    transcript = read(opened.file)
    assert (opened.hidden, transcript.hidden) == (0, 0)
    assert transcript.hashes == read(ended.file).hashes, "it was in the chain all the time"
    assert (await sessions.find(hidden[1].session, HERE)).state == hidden[1].state
    assert len(await tables.history(HERE)) == 3, "now everybody knows them all"
    with pytest.raises(PlayerError, match="has ended"):
        await tables.undo(Request(GIL, HERE, is_gm=True))


async def test_the_digits_on_the_cards_do_not_give_the_dice_of_a_secret_roll_away(database: Database) -> None:
    seals = Seals(database)
    sessions = Sessions(database, no_secrets, seals=seals)
    await seal(seals)
    before = (await sessions.open(Request(BO, HERE), RollOpening(GAMES["anydice"], d20()))).mark
    mark = (await hide(sessions)).mark
    assert before is not None
    assert mark is not None
    async with database.transaction() as connection:
        (last,) = (await connection.execute(text("SELECT ply FROM seal_ply WHERE place = 2"))).scalars().all()
    ply = json.loads(last)
    for drawn in range(20):  # somebody knows everything but the die
        for salt in (None, "0" * 32):
            guess = {**ply, "draws": [[20, drawn, str(drawn + 1)]], "secret": salt and 2 * salt}
            written = canonical_json({"by": "111", "hidden": hide_ply(guess), "roll": 2})
            assert sha256(bytes.fromhex(before.hash) + written).hexdigest() != mark.hash
    exported = [entry async for name, entry in PersonalData(database).records(ANA.id) if name == "sealed_tables"]
    mine = [entry for entry in exported if entry["place"] == 2]
    assert [entry.keys() & {"draws", "salt", "secret"} for entry in mine] == [set()]


async def test_at_a_sealed_table_dice_that_were_taken_back_do_not_come_again_in_secret(database: Database) -> None:
    seals = Seals(database)
    sessions, tables = Sessions(database, no_secrets, seals=seals), Tables(database, seals=seals)
    await seal(seals)
    await sessions.open(Request(ANA, HERE), RollOpening(GAMES["anydice"], d20()))
    asked = await tables.undo(Request(GIL, HERE, is_gm=True))
    assert isinstance(asked, UndoRequest), "at a sealed table a GM asks as well"
    await tables.answer(Request(BO, HERE), asked.request, allow=True)
    with pytest.raises(PlayerError, match="You took back dice like these"):
        await hide(sessions)
    await sessions.open(Request(ANA, HERE), RollOpening(GAMES["anydice"], d20()))
    assert (await hide(sessions)).is_hidden


# Nothing that anybody else can ask depends on what fell


class Table:
    """A table at which Bo and Ana rolled openly before and after a roll in secret, whose dice ``rng`` rolls."""

    def __init__(self, database: Database) -> None:
        self.database, self.sessions, self.tables = database, Sessions(database, self.fall), Tables(database)
        self.rng: Callable[[int], int] | None = None

    def fall(self, sides: int) -> int:
        return self.rng(sides) % sides if self.rng is not None else sides // 2

    async def play(self, roll: Any, key: str, secrecy: Secrecy | None, rng: Callable[[int], int]) -> None:
        await self.sessions.open(Request(BO, HERE), RollOpening(GAMES["anydice"], d20()))
        self.rng = rng
        hidden = await self.sessions.open(
            Request(ANA, HERE), RollOpening(GAMES[key], roll, opponent=BO, secrecy=secrecy)
        )
        assert hidden.is_hidden == (secrecy is not None)
        self.rng = None
        await self.sessions.open(Request(ANA, HERE), RollOpening(GAMES["warsurge"], declared("warsurge", 0)))

    async def attempt(self, coroutine: Any) -> str:
        try:
            return repr(await coroutine)
        except PlayerError as error:
            return str(error)


async def history(table: Table, who: Person) -> object:
    return [
        await table.tables.history(HERE, person, game, most=50)
        for person in (None, ANA.id)
        for game in (None, "anydice", "table")
    ]


async def board(table: Table, who: Person) -> object:
    return await table.tables.rolls(HERE), await table.tables.snapshot(HERE)


async def luck(table: Table, who: Person) -> object:
    rolls = await Matches(table.database).of_channel(HERE)
    mine = [await Matches(table.database).of_person(person.id) for person in (ANA, who)]
    return [(item, luck_of_match(item)) for item in (rolls, *mine)]


async def export(table: Table, who: Person) -> object:
    return [entry async for entry in PersonalData(table.database).records(who.id)]


async def fairness(table: Table, who: Person) -> object:
    pages = Fairness(table.database)
    while await pages.step(int(time.time()) + 3600):
        pass
    counted = vars(await pages.read())
    async with table.database.transaction() as connection:
        return counted, await fairness_rows.read_progress(connection)


async def operations(table: Table, who: Person) -> object:
    async with table.database.transaction() as connection:
        return await session_rows.opened_since(connection, 0), await fairness_rows.counts(connection)


async def lost_cards(table: Table, who: Person) -> object:
    lost = LostCards(table.database)
    await lost.find(int(time.time()) + 60)
    return [lost.newest(HERE.channel_id, person.id) for person in (ANA, BO, GIL)]


async def forged(table: Table, who: Person) -> object:
    address = Address(2, 0, "again")
    return [
        await table.attempt(table.sessions.find(2, HERE)),
        await table.attempt(table.sessions.look(Request(who, HERE), address)),
        await table.attempt(table.sessions.choose(Request(who, HERE), address, Choice("again"))),
        await table.attempt(table.sessions.find_secret(Request(who, HERE), 2)),
        await table.attempt(table.sessions.reveal(Request(who, HERE), 2)),
        await table.attempt(table.tables.seat(Request(who, HERE), 2, Side.DEFENDER, who)),
        await table.attempt(table.sessions.secrets(Request(who, HERE), 10)),
    ]


async def undo(table: Table, who: Person) -> object:
    """Everything that can be taken back, and what falls when it is rolled again."""
    done = [await table.attempt(table.tables.undo(Request(GIL, HERE, is_gm=True))) for _ in range(4)]
    table.rng = lambda _: 1
    again = await table.sessions.open(Request(ANA, HERE), RollOpening(GAMES["warsurge"], declared("warsurge", 0)))
    return done, again


ASKED: Final = (history, board, luck, export, fairness, operations, lost_cards, forged, undo)
"""Undo comes last: it changes something."""


async def told(file: Path, roll: Any, key: str, secrecy: Secrecy | None, rng: Callable[[int], int]) -> dict[str, str]:
    """What everybody else learns, by what they ask; of a blind roll Ana is one of them."""
    database = await Database.open(f"sqlite+aiosqlite:///{file}", migrates=False)
    try:
        table = Table(database)
        await table.play(roll, key, secrecy, rng)
        result = {}
        for ask in ASKED:
            for who in (BO, *([ANA] if secrecy is Secrecy.BLIND else [])):
                if ask is not undo or who is BO:
                    result[f"{ask.__name__} by {who.name}"] = repr(await ask(table, who))
        return result
    finally:
        await database.close()


def learned(migrated: Path, key: str, number: int, secrecy: Secrecy | None, falls: list[int]) -> dict[str, str]:
    dice = chain(falls, repeat(1))
    with TemporaryDirectory() as folder, patch.object(time, "time", lambda: 1_800_000_000.0):
        file = Path(shutil.copy(migrated, Path(folder) / "rolls.db"))
        return asyncio.run(told(file, declared(key, number), key, secrecy, lambda _: next(dice)))


HIDDEN = (Secrecy.SECRET, Secrecy.BLIND)
KNOWN: dict[tuple[str, int, Secrecy], dict[str, str]] = {}
"""What everybody learns of a roll of low dice: it must be the same for all others."""


@settings(max_examples=share_of(30), deadline=None)
@given(which=st.sampled_from(EVERY), secrecy=st.sampled_from(HIDDEN), falls=st.lists(st.integers(0, 35), max_size=12))
def test_whatever_falls_everybody_else_learns_the_same(
    migrated: Path, which: tuple[str, int], secrecy: Secrecy, falls: list[int]
) -> None:
    known = KNOWN.get((*which, secrecy))
    if known is None:
        known = KNOWN[(*which, secrecy)] = learned(migrated, *which, secrecy, [])
    assert learned(migrated, *which, secrecy, falls) == known


def test_of_an_open_roll_everybody_learns_what_fell(migrated: Path) -> None:
    """So the test above asks the right questions."""
    low, high = (learned(migrated, "warsurge", 0, None, falls) for falls in ([], [5, 2, 3, 4, 4, 4, 0]))
    differ = {ask for ask in low if low[ask] != high[ask]}
    assert {f"{ask} by Bo" for ask in ("history", "luck", "fairness", "operations", "forged", "undo")} <= differ


# A practice


async def test_a_practice_goes_when_it_ends_or_within_a_day(sessions: Sessions, dice: Dice) -> None:
    """Its statements, on every engine."""
    declared = GAMES["xwing"].declare({"attack": {"dice": 1, "focus": 1}, "defense": {"dice": 1}}, {})
    opened = []
    for _ in range(2):
        dice.red("focus")
        opening = RollOpening(GAMES["xwing"], declared, opponent=BO, secrecy=Secrecy.PRACTICE)
        opened.append(await sessions.open(Request(ANA, HERE), opening))
    first, second = opened
    await sessions.end_practice(Request(BO, HERE), first.session)
    assert (await sessions.find(first.session, HERE)).is_hidden, "it is Ana's"
    await sessions.end_practice(Request(ANA, HERE), first.session)
    with pytest.raises(UnknownRollError):
        await sessions.find(first.session, HERE)
    assert await sessions.sweep_practices(second.opened_at + PRACTICE_LASTS) == 0
    assert await sessions.sweep_practices(second.opened_at + PRACTICE_LASTS + 1) == 1
    with pytest.raises(UnknownRollError):
        await sessions.find(second.session, HERE)


@pytest.mark.parametrize("key", ["xwing", "infinity"])
async def test_a_practice_is_played_to_its_end(sessions: Sessions, dice: Dice, key: str) -> None:
    """Both sides press what is best, each as its person, on every engine; then nothing of it stays."""
    game, people = GAMES[key], {Side.ATTACKER: ANA, Side.DEFENDER: BO}
    assert game.help.practice is not None
    assert game.chances.moves is not None
    dice.will_show(*([2, 3, 1, 0] * 8))
    opening = RollOpening(
        game, game.declare(game.help.practice.starts[0][1], {}), opponent=BO, secrecy=Secrecy.PRACTICE
    )
    played, presses = await sessions.open(Request(ANA, HERE), opening), 0
    while moves := game.chances.moves(played.state):
        choice, presses = moves[0].choice, presses + 1
        assert presses < 20
        assert choice.by is not None
        address = Address(played.session, played.ply, choice.offer)
        result = await sessions.choose(Request(people[choice.by], HERE), address, choice)
        assert isinstance(result, Played)
        played = result
    assert presses
    dice.waiting.clear()
    await sessions.end_practice(Request(ANA, HERE), played.session)
    with pytest.raises(UnknownRollError):
        await sessions.find(played.session, HERE)
