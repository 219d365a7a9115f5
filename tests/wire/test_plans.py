"""Dials over the wire with a bot that is killed again and again: no plan is lost, none opens early, none twice."""

import json
from functools import partial
from random import Random
from typing import Any, Final

import pytest

from bot.fair import plans
from bot.rules.plans import Commitment, commitments
from bot.rules.xwing.cards.cards import pilot_ship
from bot.rules.xwing.table import pieces as xwing_pieces
from bot.rules.xwing.table.dials import dial_of
from bot.rules.xwing.table.match import activating, match_of, ships_of
from bot.rules.xwing.table.ship import from_card
from bot.sessions import codec
from bot.sessions.plans import as_json
from bot.ui.controls import name_mark
from tests.wire.interactions import Answer
from tests.wire.kills import MortalBot
from tests.wire.messages import Message
from tests.wire.process import until
from tests.wire.wire import Wire
from tests.wire.world import Person

SQUADS: Final = {
    "Ana": ("rebelalliance", ("lukeskywalker", "bluesquadronescort")),
    "Bo": ("galacticempire", ("howlrunner", "academypilot")),
}
TRIES_MOST: Final = 20
ROUNDS_MOST: Final = 60


class Game:
    """Two people plan and reveal round after round, while the bot dies around every second thing that they do."""

    def __init__(self, wire: Wire, seed: int) -> None:
        self.wire, self.chance = wire, Random(seed)
        self.bot = MortalBot(wire, self.chance, (1, 3))
        self.people: dict[str, Person] = dict(zip(SQUADS, wire.people, strict=False))
        self.planned: dict[str, str] = {}
        self.revealed = set[str]()
        self.rounds = 0

    def table(self) -> dict[str, Any]:
        rows = self.wire.rows("SELECT name, body FROM piece ORDER BY key")
        return {name: codec.read_body(xwing_pieces.Body, body) for name, body in rows}

    def fixed(self) -> dict[str, Commitment]:
        """The commitments of this round, by the name of who made them."""
        persons = dict(self.wire.rows("SELECT id, person_id FROM player"))
        names = {one.id: name for name, one in self.people.items()}
        return {names[persons[one.owner]]: one for one in commitments(self.table()).values()}

    def check(self) -> None:
        """What is open was planned, follows from its commitment, and was revealed by its owner; once."""
        opened = [leaf for one in self.fixed().values() for leaf in one.opened]
        assert len({leaf.of for leaf in opened}) == len(opened)
        assert {leaf.of for leaf in opened} <= self.revealed
        assert all(leaf.choice == self.planned[leaf.of] for leaf in opened)
        assert all(plans.wrong(as_json(one)) == "" for one in self.fixed().values() if one.leaves)
        sheets = {
            root: json.loads(body) for root, body in self.wire.rows("SELECT root, body FROM plan WHERE root != ''")
        }
        for one in self.fixed().values():
            assert {of: choice for of, choice, _ in sheets[one.root]} == {of: self.planned[of] for of in one.of}

    @property
    def newest(self) -> Message:
        found = (one for one in self.wire.interactions.messages.values() if not one.ephemeral and one.controls)
        return max(found, key=lambda one: one.id)

    async def surely(self, act: Any) -> Answer:
        return await self.bot.risk(act) or await act()

    async def plan(self, name: str) -> None:
        """Plan and be ready, however often the bot dies over it; the plans are those of the form that counted."""
        who = self.people[name]
        for ship in ships_of(self.table()).values():
            if ship.name in self.own(name):
                self.planned[ship.name] = self.chance.choice(dial_of(ship)).code
        for _ in range(TRIES_MOST):
            if name in self.fixed():
                break
            opened = await self.surely(partial(self.wire.press, who, self.newest, "Plan"))
            if opened.form is None:
                continue
            values: dict[str, str | list[str]] = {name_mark(ship): [self.planned[ship]] for ship in self.own(name)}
            await self.bot.risk(partial(self.wire.submit, who, opened.form, values | {"ready": "now"}))
        assert name in self.fixed(), "the plan counts in the end"
        self.check()

    def own(self, name: str) -> list[str]:
        return [from_card(pilot_ship(pilot)).name for pilot in SQUADS[name][1]]

    async def reveal(self) -> bool:
        """The next ship reveals, at most once; False when all have."""
        table = self.table()
        now = activating(match_of(table), ships_of(table))
        if not now:
            return False
        ship = now[0].name
        who = next(self.people[name] for name in SQUADS if ship in self.own(name))
        self.revealed.add(ship)
        for _ in range(TRIES_MOST):
            if ships_of(self.table())[ship].flight is not None:
                break
            if f"Reveal {ship}" not in self.newest.buttons:
                await self.wire.slash(who, self.wire.channel, "table show")
            await self.bot.risk(partial(self.wire.press, who, self.newest, f"Reveal {ship}"))
        self.check()
        return True

    async def play(self, kills: int) -> None:
        await self.bot.start()
        for name, (faction, pilots) in SQUADS.items():
            squad = json.dumps({"faction": faction, "pilots": [{"id": one} for one in pilots]})
            side = {"side": "first"} if name == "Ana" else {}
            await self.wire.slash(self.people[name], self.wire.channel, "xwing squad", text=squad, **side)
        await until(lambda: any(one.controls for one in self.wire.interactions.messages.values()))
        while self.bot.kills < kills and self.rounds < ROUNDS_MOST:
            self.planned.clear()
            self.revealed.clear()
            for name in self.chance.sample(list(SQUADS), 2):
                await self.plan(name)
            while await self.reveal():
                pass
            roots = {one.root for one in self.fixed().values()}
            assert all(one.closed == () for one in self.fixed().values())
            assert len(roots) == 2
            await self.wire.slash(self.people["Ana"], self.wire.channel, "xwing endphase")
            await self.wire.slash(self.people["Ana"], self.wire.channel, "table show")
            self.rounds += 1


async def test_no_plan_is_lost_opened_early_or_doubled_by_kills(wire: Wire) -> None:
    game = Game(wire, 3)
    await game.play(6)
    assert game.bot.kills >= 6


@pytest.mark.long
async def test_a_hundred_kills_between_plan_and_the_last_reveal(wire: Wire) -> None:
    game = Game(wire, 40)
    await game.play(100)
    bot = game.bot
    print(f"{game.rounds} rounds, {bot.tried} tried, {bot.kills} kills, {bot.unseen} answers lost")  # noqa: T201 - the report
    assert game.bot.kills >= 100
