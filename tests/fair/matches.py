"""Whole games of two people at a real sealed table, one for each game, with much that is taken back."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any, Final

from bot.games import GAMES
from bot.rules.errors import PlayerError
from bot.rules.game import AfterOffer, Choice, Offer, Side
from bot.rules.infinity.troopers.trooper import Trooper
from bot.rules.text import english
from bot.rules.warsurge.units import Unit
from bot.rules.xwing.table.ship import launch
from bot.sessions.request import Request
from bot.sessions.roll import Address, NotYourPlyError, Played
from bot.sessions.seals import Seals
from bot.sessions.sessions import RollOpening, Sessions
from bot.sessions.tables import Tables
from bot.sessions.undo import UndoRequest
from bot.store.database import Database
from tests.fair.evenings import ANA, BO, HERE, chosen_key, seal
from tests.starts import drawn

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
    "duels": GAMES["duels"].samples,
    "anydice": (*GAMES["anydice"].samples, {"dice": "2d6ro1!", "faces": "1 6 4 2"}),
}
"""What is rolled in each game. The last one has dice that were rolled by hand, where the game takes such."""

PIECES: Final[Mapping[str, Callable[[int], Any]]] = {
    "xwing": lambda hull: launch("Luke", attack=3, agility=2, hull=hull, shields=2, force=2, initiative=5),
    "infinity": lambda skill: Trooper("Angus", {"BS": skill}),
    "warsurge": lambda points: Unit(name="Murat", defence=3, hp=points),
}
"""A piece of each game that has pieces, by a number that makes it another one."""


def no_dice(sides: int) -> int:
    raise AssertionError(f"a die of {sides} sides was not rolled by the protocol")


class Match:
    """A whole game of Ana and Bo at a sealed table: rolls to their end, steps on the table, much that is taken back."""

    def __init__(self, database: Database, game: str, seed: int) -> None:
        self.game, self.chance = GAMES[game], Random(seed)
        self.seals, self.sessions, self.tables = Seals(database), Sessions(database, no_dice), Tables(database)

    async def play(self, rolls: int) -> bytes:
        """The transcript of so many rolls; those with typed dice are among them."""
        await seal(self.seals)
        declarations = DECLARATIONS[self.game.key]
        for number in range(rolls):
            await self.step(number)
            await self.roll(declarations[number % len(declarations)])
        ended = await self.seals.unseal(Request(BO, HERE))
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
        roll = await self.sessions.open(Request(by, HERE), RollOpening(GAMES[self.game.key], declared, opponent=other))
        for _ in range(12):
            if self.chance.random() < 0.25 and (before := await self.take_back()) is not None:
                roll = before
            if roll.is_closed:  # dice that were seen come again, but not for somebody else
                by, other = self.chance.sample((ANA, BO), 2)
                roll = await self.sessions.open(
                    Request(by, HERE), RollOpening(GAMES[self.game.key], declared, opponent=other)
                )
            offers = [offer for offer in roll.offers if offer.then is not AfterOffer.REOPENS]
            if not offers:
                return
            roll = await self.choose(roll, self.chance.choice(offers))

    async def choose(self, roll: Played, offer: Offer) -> Played:
        """Take an offer somehow; the roll stays as it is if the rules refuse that."""
        picked = drawn(offer, self.chance)
        filled = {
            field.key: english(field.value) or (english(field.example) if field.required else "")
            for field in offer.fields
        }
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
        except NotYourPlyError:
            by, other = other, by
            undone = await self.tables.undo(Request(by, HERE))
        if isinstance(undone, UndoRequest):
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
