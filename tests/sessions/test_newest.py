"""States stay in memory, and two processes play on one database: nobody ever presses on a state that is not the newest.

Every stored ply is what the rules make of the one before it, by the choice and the draws that are stored with it; one
that takes another back is what stood before that.
"""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from bot.games import GAMES
from bot.rules.errors import NotOfferedError, PlayerError
from bot.rules.game import Choice, Offer
from bot.rules.xwing.dice.declared import Declared, LineUp
from bot.rules.xwing.dice.loose_dice import LooseDice
from bot.sessions import codec
from bot.sessions.codec import MAX_KEPT, UNDO, StateCodec
from bot.sessions.request import Person, Place, Request
from bot.sessions.roll import Address, Played, StaleCardError
from bot.sessions.sessions import RollOpening, Sessions
from bot.sessions.tables import Tables
from bot.store import history as past, sessions as rows
from bot.store.database import Database
from tests.plies import plies_of
from tests.seeds import seeds
from tests.starts import pick_of

ANA, BO = Person(1, "Ana"), Person(2, "Bo")
HERE = Place(12, 11)
XWING = GAMES["xwing"]
RED, GREEN = (LineUp(dice=dice, focus=1, calculate=2, force=2) for dice in (4, 3))
ATTACK = Declared(attack=replace(RED, lock=1), defense=replace(GREEN, evade=2), hull=3)
ROUNDS = 30


class Process:
    """One process on the database: what its people saw last of each roll, and what is older."""

    def __init__(self, database: Database, chance: Random) -> None:
        self.database, self.sessions, self.tables = database, Sessions(database, chance.randrange), Tables(database)
        self.seen: list[Played] = []
        self.chance = chance
        self.heard: Counter[str] = Counter()

    async def act(self, by: Person) -> None:
        """Press on something that was seen here, old or new, or take the last press back."""
        kind = self.chance.choice(["press", "press", "press", "press", "press", "undo", "look"])
        try:
            if kind == "undo":
                await self.tables.undo(Request(by, HERE, is_gm=True))
            elif kind == "look":
                self.seen.append(await self.sessions.find(self.chance.choice(self.seen).session, HERE))
            else:
                await self.press(by)
        except PlayerError as error:
            self.heard[type(error).__name__] += 1
            if isinstance(error, StaleCardError):
                self.seen.append(error.newest)
        else:
            self.heard[kind] += 1

    async def look_at_board(self) -> None:
        """What a board shows of rolls is what the store says of them, also where it was kept in memory."""
        async with self.database.transaction() as connection:
            stored = [codec.read_newest(row) for row in await past.rolls(connection, HERE.channel_id, 20)]
        shown = await self.tables.rolls(HERE)
        assert list(shown) == [roll for roll in stored if roll.is_waiting]
        assert [roll.offers for roll in shown] == [roll.offers for roll in stored if roll.is_waiting]

    async def press(self, by: Person) -> None:
        roll = self.chance.choice(self.seen[-6:])
        pressed = [offer for offer in roll.offers if not offer.fields]
        if not pressed:
            raise NotOfferedError
        offer = self.chance.choice(pressed)
        by = roll.seats.get(offer.side, by)
        address = Address(roll.session, roll.ply, offer.key)
        moved = await self.sessions.choose(Request(by, HERE), address, self.taken(offer))
        assert isinstance(moved, Played)
        assert moved.ply == roll.ply + 1 or moved.session != roll.session, "it was pressed on what was seen"
        self.seen.append(moved)

    def taken(self, offer: Offer) -> Choice:
        most = self.chance.randint(pick_of(offer).least, max(pick_of(offer).least, pick_of(offer).most))
        return Choice(
            offer.key, tuple(option.value for option in self.chance.sample(offer.options, most * bool(offer.options)))
        )


@pytest.fixture
async def other(database: Database, url: str) -> AsyncIterator[Database]:
    opened = await Database.open(url)
    yield opened
    await opened.close()


@pytest.mark.parametrize("seed", seeds(range(3)))
async def test_no_press_counts_on_a_state_that_is_not_the_newest(
    database: Database, other: Database, seed: int
) -> None:
    chance = Random(seed)
    item, two = processes = Process(database, chance), Process(other, chance)
    for declared in (ATTACK, ATTACK, LooseDice(red=3, green=2)):
        item.seen.append(await item.sessions.open(Request(ANA, HERE), RollOpening(XWING, declared, opponent=BO)))
    two.seen += item.seen
    for _ in range(ROUNDS):
        await asyncio.gather(*(process.act(chance.choice((ANA, BO))) for process in (*processes, *processes)))
        for process in processes:
            await process.look_at_board()
    heard = item.heard + two.heard
    assert heard["press"] > ROUNDS / 4
    assert heard["StaleCardError"] > 0
    assert heard["undo"] > 0

    checked = 0
    for session in {roll.session for process in processes for roll in process.seen}:
        async with database.transaction() as connection:
            plies = await plies_of(connection, session)
            taken_back = {ply.undoes: await past.ply_with(connection, ply.undoes) for ply in plies if ply.undoes}
        assert [ply.number for ply in plies] == list(range(len(plies)))
        for before, ply in pairwise(plies):
            undone = taken_back.get(ply.undoes or 0)
            if undone is None:
                assert ply.state == after(before, ply)
            elif ply.offer == UNDO:
                assert ply.state == plies[undone.ply.number - 1].state
            checked += 1
        for process in processes:
            assert (await process.sessions.find(session, HERE)).state == read(plies[-1])
    assert checked > ROUNDS / 4


def read(ply: rows.Ply) -> object:
    return codec.read_state(XWING.rules, ply.schema, ply.state)


def after(before: rows.Ply, ply: rows.Ply) -> str:
    """The state that follows from a stored one by the stored choice and draws, read anew."""
    state, draws = read(before), [draw.drawn for draw in codec.read_draws(ply.draws)]
    side = next(offer.side for offer in XWING.rules.offers(state) if offer.key == ply.offer)
    choice = Choice(ply.offer, tuple(json.loads(ply.choice)["picked"]), by=side)
    followed = codec.write_state(XWING.rules, XWING.rules.choose(state, choice, lambda _: draws.pop(0)))
    assert not draws, "all that fell was drawn"
    return followed


HITS = [seed for seed in range(20) if Random(seed).randrange(8) < 3]
"""Seeds by which a red die shows a hit."""


def test_what_is_kept_is_found_by_its_whole_text_and_no_more_is_kept_than_that() -> None:
    states, rules = StateCodec(), XWING.rules
    started = [rules.start(LooseDice(red=1), Random(seed).randrange) for seed in HITS]
    texts = [states.write(rules, state) for state in started]
    assert len(set(texts)) == 1, "all show a hit"
    assert states.read(rules, rules.SCHEMA, texts[0]) is started[-1]
    crit = rules.start(LooseDice(red=1), lambda _: 3)
    assert states.read(rules, rules.SCHEMA, codec.write_state(rules, crit)) == crit
    assert states.read(rules, rules.SCHEMA, texts[0]) is started[-1]
    with pytest.raises(codec.OutdatedStateError):
        states.read(rules, rules.SCHEMA + 1, texts[0])
    for number in range(MAX_KEPT):
        states.read(rules, rules.SCHEMA, texts[0] + " " * (number + 1))
    again = states.read(rules, rules.SCHEMA, texts[0])
    assert again == started[-1]
    assert again is not started[-1]
