"""An evening of X-Wing, four against four, from two pasted squads to the last ship, through the board's buttons.

The bot is killed under the players' hands. After every act the table in the database is looked at: nobody has engaged
twice, nobody has more than one attack and one bonus attack, locks lie between ships that are there.
"""

import json
import re
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from functools import partial
from random import Random
from typing import Any

import pytest

from bot.rules.pieces import key
from bot.rules.xwing import pieces as xwing_pieces
from bot.rules.xwing.controls import first
from bot.rules.xwing.match import MATCH, Phase, leaving, ships_of, waiting
from bot.sessions import codec
from bot.ui.controls import mark
from tests import books
from tests.wire.interactions import Answer
from tests.wire.kills import MortalBot
from tests.wire.messages import SELECT, Message
from tests.wire.wire import Wire
from tests.wire.world import Person

SQUADS = {
    "Cleo": ("rebelalliance", ["wedgeantilles", "bluesquadronescort", "redsquadronveteran", "bluesquadronescort"]),
    "Ben": ("galacticempire", ["howlrunner", "academypilot", "obsidiansquadronpilot", "academypilot"]),
}
KILL_EVERY = (5, 45)
"""Among how many things that somebody does one kills the bot."""
ROUNDS_MOST = 500
"""An evening takes about five rounds; real dice that miss so long never fall."""
BONUS = 0.3
"""How often somebody thinks of the bonus attacks that a card offers; nobody forgets the first one."""
EVENINGS = 8


class Evening:
    """Two seeded people at one board; the owner of the server, who may do everything, does not play."""

    def __init__(self, wire: Wire, seed: int) -> None:
        self.wire, self.chance = wire, Random(seed)
        self.people = {person.name: person for person in wire.people[1:3]}
        self.commands = self.attacks = self.bonus_attacks = self.rounds = 0
        self.owners: dict[str, str] = {}
        self.board: Message | None = None
        self.bot = MortalBot(wire, self.chance, KILL_EVERY)

    # The evening

    async def play(self) -> None:
        await self.bot.start()
        for name, (faction, pilots) in SQUADS.items():
            gunners = {"gunner": ["bossk"]}  # gives the right to a bonus attack to a ship that has missed
            text = json.dumps({"faction": faction, "pilots": [{"id": one, "upgrades": gunners} for one in pilots]})
            side = "first" if name == "Cleo" else "second"
            before = set(self.ships())
            await self.type(self.people[name], "xwing squad", text=text, side=side)
            self.owners |= dict.fromkeys(set(self.ships()) - before, name)
        assert len(self.owners) == 8
        self.board = (await self.type(self.people["Cleo"], "table show")).shown
        while len({self.owners[name] for name in self.ships()}) == 2 and self.rounds < ROUNDS_MOST:
            shown = self.public()
            attacks = self.attacks
            await self.round()
            self.rounds += 1
            assert self.public() - shown <= self.attacks - attacks + 2, "at most two messages besides the attacks"

    async def round(self) -> None:
        """Some tokens and locks, then everybody engages, all by buttons."""
        for name in self.ships():
            who = self.people[self.owners[name]]
            if self.chance.random() < 0.5:
                await self.on_ship(who, name, "Focus")
            foes = [foe for foe in self.ships() if self.owners[foe] != self.owners[name]]
            target = self.chance.choice(foes)
            ship = self.ships()[name]
            if self.chance.random() < 0.3 and target not in ship.locks and not ship.has("ion"):
                await self.on_ship(who, name, "Lock", target=target)
        while self.table()[MATCH].phase is not Phase.ENGAGEMENT:
            await self.end_phase()
        while ready := waiting(self.table()[MATCH], self.ships()):
            await self.engage(self.chance.choice(ready).name)
        await self.end_phase()

    async def engage(self, name: str) -> None:
        """A ship attacks, or says that it does not; somebody who may not is told so."""
        who = self.people[self.owners[name]]
        stranger = next(person for person in self.people.values() if person is not who)
        if self.chance.random() < 0.05:
            await self.on_ship(who, name, "Engage without attacking")
            return
        if self.chance.random() < 0.1:
            stood = self.table()
            await self.select(stranger, name)
            refused = await self.wire.press(stranger, self.now, "Engage without attacking")
            assert f"belongs to {who.name}" in refused.text
            assert self.table() == stood
        await self.select(who, name)
        if "Attack" not in self.now.buttons or not self.foes(name):
            await self.on_ship(who, name, "Engage without attacking")
            return
        form = (await self.surely(lambda: self.wire.press(who, self.now, "Attack"))).modal
        (targets,) = (entry.options for entry in form.entries if entry.custom_id == "defender")
        foes = [name for name, _ in targets if self.owners[name] != who.name]
        values = {"weapon": ["Primary"], "defender": [self.chance.choice(foes)], "range": [self.chance.choice("112")]}
        before = self.plies()
        answer = await self.bot.risk(lambda: self.wire.submit(who, form, values))
        if answer is None and self.plies() == before:
            answer = await self.wire.submit(who, form, values)
        assert self.ships()[name].attacks <= 2
        self.attacks += 1
        if answer is None:  # it counted, but nobody saw the card: the board shows that the ship has engaged
            return
        await self.finish(answer.shown)

    def foes(self, name: str) -> list[str]:
        """The ships of the other side that may be attacked now."""
        gone = leaving(self.table()[MATCH], self.ships())
        return [foe for foe in self.ships() if self.owners[foe] != self.owners[name] and foe not in gone]

    async def finish(self, message: Message) -> None:
        """Everybody presses on the card of an attack until it is over."""
        assert not message.ephemeral, message.text
        while controls := message.choices:
            turn = re.search(r"(\w+), (?:it is your turn|is the attacker in the full arc)", message.text)
            assert turn is not None, message.text
            who = self.people[turn[1]]
            control = self.chance.choice(controls)
            values = [value for _, value in control.options]
            count = self.chance.randint(control.least, control.most) if control.type == SELECT else 0
            picked = self.chance.sample(values, count) or None
            shown = message

            press = partial(self.wire.click, who, shown, control.custom_id, values=picked)
            answer = await self.bot.risk(press)
            if answer is None:
                await press()
            message = self.wire.now(shown)
            assert self.is_sound() == []
        if not self.bonus_attacks or self.chance.random() < BONUS:
            await self.bonus_attack(message)

    async def bonus_attack(self, message: Message) -> None:
        """Whose turn the Aftermath says it is makes a bonus attack, or says that there is none."""
        bonus = next((one for one in message.buttons if ": bonus attack of " in one), "")
        name = bonus.partition(": bonus attack of ")[2]
        if not bonus or name not in self.ships() or not self.foes(name):
            return
        who, before = self.people[self.owners[name]], self.plies()
        self.attacks += 1
        form = (await self.surely(lambda: self.wire.press(who, message, bonus))).modal
        (targets,) = (entry.options for entry in form.entries if entry.custom_id == "defender")
        foes = [foe for foe, _ in targets if self.owners[foe] != who.name]
        values = {"weapon": ["Primary"], "defender": [self.chance.choice(foes)], "range": ["2"]}
        press = partial(self.wire.submit, who, form, values)
        answer = await self.bot.risk(press)
        if answer is None and self.plies() == before:
            answer = await press()
        assert self.plies() >= before + 2, f"{bonus} by {who.name}: {answer and answer.text}"
        assert self.ships().get(name) is None or self.ships()[name].bonus_attacks <= 1
        assert self.is_sound() == []
        self.bonus_attacks += 1
        if answer is not None:
            await self.finish(answer.shown)

    # Presses on the board

    @property
    def now(self) -> Message:
        assert self.board is not None
        return self.wire.now(self.board)

    async def select(self, who: Person, name: str) -> None:
        await self.surely(lambda: self.wire.pick(who, self.now, "Select a ship", [mark(key(name))]))

    async def on_ship(self, who: Person, name: str, label: str, **form: str) -> None:
        """Select a ship and press one of its buttons until that has counted once."""
        before = self.plies()
        while self.plies() == before:
            await self.select(who, name)
            answer = await self.bot.risk(lambda: self.wire.press(who, self.now, label))
            if form and answer is not None:
                await self.bot.risk(
                    partial(self.wire.submit, who, answer.modal, {field: [one] for field, one in form.items()})
                )
        assert self.plies() == before + 1, "a press counts once"
        assert self.is_sound() == []

    async def end_phase(self) -> None:
        before, who = self.plies(), self.chance.choice(list(self.people.values()))
        while self.plies() == before:
            await self.select(who, first(self.table()))
            label = next(one for one in self.now.buttons if one.startswith("End "))
            await self.bot.risk(partial(self.wire.press, who, self.now, label))
        assert self.plies() == before + 1
        assert self.is_sound() == []

    async def type(self, who: Person, line: str, **options: Any) -> Answer:
        self.commands += 1
        return await self.wire.slash(who, self.wire.channel, line, **options)

    # The bot, and what it keeps

    async def surely(self, act: Callable[[], Awaitable[Answer]]) -> Answer:
        """Something that changes nothing may be done again."""
        return await self.bot.risk(act) or await act()

    def kept(self, question: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.wire.folder / "rollcall.db")) as connection:
            return connection.execute(question).fetchall()

    def table(self) -> dict[str, Any]:
        rows = self.kept("SELECT name, body FROM piece ORDER BY key")
        return {name: codec.read_body(xwing_pieces.Body, body) for name, body in rows}

    def ships(self) -> dict[str, Any]:
        return ships_of(self.table())

    def plies(self) -> int:
        return int(self.kept("SELECT count(*) FROM ply")[0][0])

    def public(self) -> int:
        return sum(not message.ephemeral for message in self.wire.interactions.messages.values())

    def is_sound(self) -> list[str]:
        """Every sentence that should not be true of the ships."""
        ships, wrong = self.ships(), list[str]()
        for name, ship in ships.items():
            wrong += [f"{name} has {ship.attacks} attacks"] * (ship.attacks > 2)
            wrong += [f"{name} attacked and did not engage"] * (ship.has_attacked and not ship.engaged)
            wrong += [f"{name} has {ship.bonus_attacks} bonus attacks"] * (ship.bonus_attacks > 1)
            wrong += [f"{name} locks nobody"] * (not set(ship.locks) <= set(ships) - {name})
        return wrong


async def played(wire: Wire, seed: int) -> Evening:
    """An evening that one side has won; nothing was lost or doubled."""
    game = Evening(wire, seed)
    await game.play()
    assert len({game.owners[name] for name in game.ships()}) < 2, f"no side has won after {game.rounds} rounds"
    assert game.commands == 3, "two squads and the board; no command is needed after that"
    assert books.wrong(wire.folder / "rollcall.db") == []
    return game


async def test_four_against_four_to_the_last_ship_through_the_board_with_the_bot_killed(wire: Wire) -> None:
    game = await played(wire, 7)
    assert game.bot.kills >= 2
    assert game.bonus_attacks


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 2 + EVENINGS))
async def test_many_random_evenings(wire: Wire, seed: int) -> None:
    """``python -m pytest -m long tests/wire/test_evening.py``"""
    game = await played(wire, seed)
    attacks = f"{game.attacks} attacks ({game.bonus_attacks} bonus)"
    print(f"seed {seed}: {game.rounds} rounds, {attacks}, {game.bot.kills} kills")  # noqa: T201 - the report
