"""Matches that people play at random: ships come, attack, take tokens, and some of it is taken back."""

from functools import partial
from random import Random
from typing import Any, Final

from bot.games import GAMES
from bot.rules.errors import PlayerError
from bot.rules.game import AfterOffer, Choice
from bot.rules.xwing.cards.cards import pilot_ship
from bot.rules.xwing.table.match import next_phase, ships_of
from bot.rules.xwing.table.ship import from_card, give, join_all, lock
from bot.sessions.matches import Matches
from bot.sessions.request import Person, Place, Request
from bot.sessions.roll import Address, Played
from bot.sessions.sessions import RollOpening, Sessions
from bot.sessions.tables import Tables
from bot.store.database import Database
from tests.starts import drawn

PEOPLE: Final = (Person(1, "Ana"), Person(2, "Bo"))
SQUADS: Final = (("lukeskywalker", "wedgeantilles", "bluesquadronescort"), ("darthvader", "howlrunner", "academypilot"))
KEY: Final = "xwing"
MAX_PRESSES: Final = 14


class Evening:
    """One channel, its store, and chance for what falls and for what people do."""

    def __init__(self, database: Database, place: Place, random: Random) -> None:
        self.database, self.place, self.random = database, place, random
        self.sessions = Sessions(database, random.randrange)
        self.tables, self.matches = Tables(database, rng=random.randrange), Matches(database)

    def by(self, person: Person, *, gm: bool = True) -> Request:
        return Request(person, self.place, is_gm=gm)

    async def play(self, acts: int) -> None:
        """Both squads come, then so many things happen; what the rules refuse did not happen."""
        for person, pilots in zip(PEOPLE, SQUADS, strict=True):
            owner = await self.tables.player(self.place, person)
            new = [from_card(pilot_ship(pilot), owner.id) for pilot in pilots]
            come = partial(bring, new)
            await self.tables.step(self.by(person), KEY, "adds ships", come)
        for _ in range(acts):
            act = self.random.choice(
                (self.attack, self.attack, self.attack, self.token, self.lock, self.phase, self.undo)
            )
            try:
                await act()
            except PlayerError:
                continue

    async def ships(self) -> dict[str, Any]:
        return dict(ships_of(await self.tables.pieces(self.place, KEY)))

    async def attack(self) -> None:
        """An attack with all its windows."""
        ships = await self.ships()
        if len(ships) < 2:
            return
        mine, theirs = self.random.sample(sorted(ships), 2)
        words = {"attacker": mine, "defender": theirs, "range": self.random.randint(1, 3)}
        declared = GAMES[KEY].declare(words, await self.tables.pieces(self.place, KEY))
        person = PEOPLE[0] if ships[mine].owner == 1 else PEOPLE[1]
        roll: Any = await self.sessions.open(self.by(person), RollOpening(GAMES[KEY], declared))
        for _ in range(MAX_PRESSES):
            offers = [
                offer
                for offer in roll.offers
                if offer.is_awaited and not offer.fields and offer.then is not AfterOffer.FOLLOWS
            ]
            if not offers:
                return
            roll = await self.press(roll, self.random.choice(offers))

    async def press(self, roll: Played, offer: Any) -> Any:
        picked = drawn(offer, self.random)
        person = roll.seats.get(offer.side) or next(
            item for item in PEOPLE if item.id not in {held.id for held in roll.seats.values()}
        )
        at = Address(roll.session, roll.ply, offer.key)
        return await self.sessions.choose(self.by(person), at, Choice(offer.key, picked))

    async def token(self) -> None:
        ships = sorted(await self.ships())
        if not ships:
            return
        name = self.random.choice(ships)
        kind = self.random.choice(("focus", "evade", "stress", "strain"))

        def more(table: Any) -> Any:
            return {name: give(ships_of(table)[name], kind, 1)}

        await self.tables.step(self.by(self.random.choice(PEOPLE)), KEY, f"gives {name} 1 {kind}", more)

    async def lock(self) -> None:
        ships = sorted(await self.ships())
        if len(ships) < 2:
            return
        item, other = self.random.sample(ships, 2)
        by = self.by(self.random.choice(PEOPLE))
        await self.tables.step(by, KEY, f"locks {other}", lambda table: lock(ships_of(table), item, other), of=())

    async def phase(self) -> None:
        await self.tables.step(self.by(PEOPLE[0]), KEY, "goes on to the next phase", next_phase, of=())

    async def undo(self) -> None:
        await self.tables.undo(self.by(Person(3, "Gil")))


def bring(new: list[Any], table: Any) -> Any:
    return join_all(ships_of(table), new)
