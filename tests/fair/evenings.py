"""Evenings at a real sealed table: three people, all games, undo with consent, typed dice, steps, and restarts."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from bot.fair.protocol import hash_of
from bot.fair.transcript import TABLE, HiddenPly
from bot.games import GAMES
from bot.rules.dice import Rng
from bot.rules.errors import PlayerError
from bot.rules.game import Choice, Offer
from bot.rules.pieces import BoardChange
from bot.rules.text import english
from bot.rules.xwing.table.obstacles import HAZARDS
from bot.rules.xwing.table.ship import give, launch
from bot.rules.xwing.table.ship_damage import obstacle
from bot.sessions.request import Person, Place, Request
from bot.sessions.roll import Address, ChainMark, Played, Secrecy
from bot.sessions.seals import PendingSeal, RevealedTable, Seals
from bot.sessions.sessions import RollOpening, Sessions
from bot.sessions.tables import Tables
from bot.sessions.undo import UndoRequest as AskedBack
from bot.store.database import Database
from tests.fair.checkers import read
from tests.starts import drawn

ANA, BO, CLEO = PEOPLE = (Person(111, "Ana"), Person(222, "Bo"), Person(333, "Cleo"))
HERE = Place(444, 555)
SEAL_MESSAGE = 1300000000000000001
COMMIT_MESSAGE = SEAL_MESSAGE - (300_000 << 22)
"""Five minutes earlier."""
WORD_GIVEN = SEAL_MESSAGE - (20_000 << 22)
LUKE = launch("Luke", attack=3, agility=2, hull=4, shields=2, force=2, initiative=5)
TYPED: dict[str, dict[str, Any]] = {
    "xwing": {"attack": {"dice": 2, "focus": 1}, "defense": {"dice": 1}, "red": ["hit", "focus"]},
    "warsurge": {"method": "casual", "power": 3, "defence": 6, "attack_dice": 2, "faces": [[6], [1]]},
    "albion": {**GAMES["albion"].samples[0], "faces": [72, 0, 1]},
    "contest": {"dice": "2d6", "their_dice": "1d12", "faces": "1 6", "their_faces": "7"},
    "anydice": {"dice": "2d6ro1!", "faces": "1 6 4 2"},
}
"""Declarations with dice that somebody rolled by hand."""


def no_secrets(sides: int) -> int:
    """At a sealed table nobody asks the operating system for a die."""
    raise AssertionError(f"a die of {sides} sides did not come by the protocol")


@contextmanager
def chosen_key(seed: int) -> Iterator[None]:
    """Tables that are sealed meanwhile have the same key for the same seed, so that evenings are the same each time."""
    chosen = SimpleNamespace(token_hex=lambda count: Random(seed).randbytes(count).hex())
    with patch("bot.sessions.seals.secrets", chosen):
        yield


async def ask(seals: Seals, place: Place, by: Person, opponent: Person | None, *, is_gm: bool = False) -> PendingSeal:
    """Ask for a seal, and post the commitment."""
    asked = await seals.ask(Request(by, place, is_gm=is_gm), opponent)
    await seals.note_posted(asked, COMMIT_MESSAGE)
    return asked


async def seal(seals: Seals, place: Place = HERE, words: dict[Person, str] | None = None) -> ChainMark:
    """Seal a table as people do; by default Ana and Bo each give a word, Bo its hash first."""
    asked = await ask(seals, place, ANA, BO)
    for person, word in (words or {BO: hash_of("Würfel"), ANA: "luck"}).items():
        asked = await seals.give_word(Request(person, place), asked.seal_id, word)
    if words is None:
        asked = await seals.give_word(Request(BO, place, interaction_id=WORD_GIVEN), asked.seal_id, "Würfel")
    ready = await seals.ready_to_seal(Request(ANA, place), asked.seal_id)
    return await seals.close(place, ready, application_id=999, message_id=SEAL_MESSAGE)


def pick(chance: Random, offer: Offer) -> Choice:
    """Something that an offer allows."""
    picked = drawn(offer, chance)
    filled = {
        field.key: english(field.value) or (english(field.example) if field.required else "") for field in offer.fields
    }
    return Choice(offer.key, tuple(picked), filled or None)


class Evening:
    """What happens at one table, by the seed. ``marks`` are the places and hashes that people saw, in order."""

    def __init__(self, database: Database, seed: int, ends: Person = CLEO) -> None:
        self.ends = ends
        self._database, self._seed, self.chance = database, seed, Random(seed)
        self.marks: list[ChainMark] = []
        self.undone = self.steps = self.revealed = 0
        self.restart()

    def restart(self) -> None:
        """A new process on the same database: nothing that was in memory is there."""
        self.seals = Seals(self._database)
        self.sessions = Sessions(self._database, no_secrets, seals=self.seals)
        self.tables = Tables(self._database, seals=self.seals, rng=no_secrets)

    async def play(self, steps: int) -> RevealedTable:
        with chosen_key(self._seed):
            return await self.played(steps)

    async def played(self, steps: int) -> RevealedTable:
        await seal(self.seals)
        for _ in range(steps):
            if self.chance.random() < 0.1:
                self.restart()
            presses = (self.press, self.press, self.press)
            act = self.chance.choice((self.open, *presses, self.undo, self.step, self.hazard, self.reveal))
            try:
                await act()
            except PlayerError:
                continue
        return await self.end()

    async def end(self) -> RevealedTable:
        ended = await self.seals.unseal(Request(self.ends, HERE, is_gm=self.ends == CLEO))
        assert ended is not None
        return ended

    def see(self, played: Played) -> None:
        assert played.mark is not None, "every roll at a sealed table stands in its chain"
        self.marks.append(played.mark)

    async def open(self) -> None:
        key, (by, opponent) = self.chance.choice([*GAMES]), self.chance.sample(PEOPLE, 2)
        samples = [*GAMES[key].samples, *([TYPED[key]] if key in TYPED else [])]
        declared = GAMES[key].rules.declare(self.chance.choice(samples))
        can_hide = GAMES[key].not_secret
        is_secret = self.chance.random() < 0.3 and can_hide is not None and not can_hide(declared)
        secrecy = self.chance.choice([Secrecy.SECRET, Secrecy.BLIND]) if is_secret else None
        self.see(
            await self.sessions.open(
                Request(by, HERE), RollOpening(GAMES[key], declared, opponent=opponent, secrecy=secrecy)
            )
        )

    async def reveal(self) -> None:
        """Somebody reveals a secret roll; those that stay secret are revealed by the transcript."""
        by = self.chance.choice(PEOPLE)
        rolls = await self.sessions.secrets(Request(by, HERE, is_gm=True), 5)
        if rolls:
            self.see(await self.sessions.reveal(Request(by, HERE, is_gm=True), rolls[-1].session))
            self.revealed += 1

    async def press(self) -> None:
        rolls = await self.tables.rolls(HERE)
        if rolls:
            roll = self.chance.choice(rolls)
            offer = self.chance.choice(roll.offers)
            by = roll.seats.get(offer.side) or self.chance.choice(PEOPLE)
            address = Address(roll.session, roll.ply, offer.key)
            pressed = await self.sessions.choose(Request(by, HERE), address, pick(self.chance, offer))
            assert isinstance(pressed, Played)
            self.see(pressed)

    async def undo(self) -> None:
        by = self.chance.choice(PEOPLE)
        result = await self.tables.undo(Request(by, HERE))
        if isinstance(result, AskedBack):
            allow = self.chance.random() < 0.8
            people = [person for person in PEOPLE if person.id in result.people] or [
                person for person in PEOPLE if person != by
            ]
            undone = await self.tables.answer(Request(people[0], HERE), result.request, allow=allow)
            if undone is None:
                return
            result = undone
        self.undone += 1
        if result.roll is not None:
            self.see(result.roll)

    async def step(self) -> None:
        by = self.chance.choice(PEOPLE)

        def change(fleet: Any) -> Any:
            return {"Luke": give(fleet["Luke"], "focus", 1) if "Luke" in fleet else LUKE}

        await self.tables.step(Request(by, HERE), "xwing", "Luke gets 1 focus", change)
        self.steps += 1

    async def hazard(self) -> None:
        """Luke moves through something."""
        kind = HAZARDS[self.chance.choice(("asteroid", "debris cloud", "blaze"))]

        def change(table: Any, rng: Rng) -> Any:
            return BoardChange(obstacle(table, "Luke", kind, rng).changes, f"Luke: {kind.name}")

        await self.tables.roll_step(Request(self.chance.choice(PEOPLE), HERE), "xwing", change)


def compare(file: Path, evening: Evening, ended: RevealedTable) -> None:
    """The transcript has every ply of the table but requests, and every mark that somebody saw."""
    transcript = read(ended.file)
    for mark in evening.marks:
        assert transcript.hashes[mark.place].startswith(mark.digits)
    with closing(sqlite3.connect(file)) as connection:
        query = "SELECT game, person_id, draws, secrecy IS NOT NULL AND revealed_at IS NULL FROM ply JOIN session"
        rows = connection.execute(
            f"{query} ON session.id = session_id WHERE offer NOT IN ('ask', 'allow', 'refuse') ORDER BY ply.id"
        ).fetchall()
    kept = [
        (ply.roll == TABLE, ply.by, None if isinstance(ply, HiddenPly) else [list(draw[:2]) for draw in ply.draws])
        for ply in transcript.plies
    ]
    assert kept == [
        (game == "table", str(person), None if hidden else [draw[:2] for draw in json.loads(draws)])
        for game, person, draws, hidden in rows
    ]
    assert transcript.hidden == ended.hidden
