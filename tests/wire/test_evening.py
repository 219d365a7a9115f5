"""An evening of X-Wing, four against four, from two pasted squads to the last ship, by the newest message alone.

What somebody presses is on the newest message of the channel, a card or the board; nothing is typed, nobody scrolls.
The bot is killed under the players' hands. After every act the table in the database is looked at: nobody has engaged
twice, nobody has more than one attack and one bonus attack, locks lie between ships that are there.
"""

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import closing
from functools import partial
from random import Random
from typing import Any

import pytest

from bot.rules.xwing.table import pieces as xwing_pieces
from bot.rules.xwing.table.match import MATCH, Match, ships_of, waiting_ships
from bot.rules.xwing.table.ship import Ship
from bot.sessions import codec
from bot.ui.core.board_controls import NAME_DIGITS, name_mark
from tests import books
from tests.wire.forms import Form
from tests.wire.interactions import Answer
from tests.wire.kills import MortalBot
from tests.wire.messages import NEXT, SELECT, Message
from tests.wire.process import until
from tests.wire.wire import Wire
from tests.wire.world import Person

SQUADS = {
    "Cleo": ("rebelalliance", ["wedgeantilles", "bluesquadronescort", "redsquadronveteran", "bluesquadronescort"]),
    "Ben": ("galacticempire", ["howlrunner", "academypilot", "obsidiansquadronpilot", "academypilot"]),
}
KILL_EVERY = (4, 15)
"""Among how many things that somebody does one kills the bot."""
BOARD = "rc1:on:"
"""Begins the ids of what stands on a board."""
CHANGED = re.compile(r"has changed meanwhile|has left the table|cannot do that now|look again")
"""Honest refusals of what was out of date."""
MAX_ROUNDS = 500
"""An evening takes about five rounds; real dice that miss so long never fall."""
BONUS = 0.3
"""How often somebody thinks of the bonus attacks that a card offers; nobody forgets the first one."""
MAX_STEPS = 300
"""Presses of one round."""
MAX_TRIES = 20
"""How often somebody presses until it counts; between two kills at least four things are done."""
EVENINGS = 8


class Evening:
    """Two seeded people at one table; the owner of the server, who may do everything, does not play.

    ``counts`` says for each round how often somebody pressed, selected a ship, picked dice from a list or filled in a
    form, and how many messages everybody saw. ``plain``: nobody thinks of tokens, locks or bonus attacks, and the bot
    lives.
    """

    def __init__(self, wire: Wire, seed: int, *, plain: bool = False) -> None:
        self.wire, self.chance, self.plain = wire, Random(seed), plain
        self.people = {person.name: person for person in wire.people[1:3]}
        self.commands = self.boards_asked = self.attacks = self.bonus_attacks = self.rights = self.rounds = 0
        self.owners: dict[str, str] = {}
        self.counts: list[Counter[str]] = []
        self.bot = MortalBot(wire, self.chance, (10**9, 10**9) if plain else KILL_EVERY)

    # The evening

    async def play(self, rounds: int = MAX_ROUNDS) -> None:
        """Until one side has won, or for so many rounds."""
        await self.bot.start()
        for name, (faction, pilots) in SQUADS.items():
            gunners = {} if self.plain else {"gunner": ["bossk"]}  # the right to a bonus attack, for a ship that missed
            text = json.dumps({"faction": faction, "pilots": [{"id": pilot, "upgrades": gunners} for pilot in pilots]})
            before = set(self.ships())
            await self.type(self.people[name], "xwing squad", text=text)
            self.owners |= dict.fromkeys(set(self.ships()) - before, name)
        assert len(self.owners) == 8
        await until(lambda: bool(self.pressable))  # the board comes last
        while len({self.owners[name] for name in self.ships()}) == 2 and self.rounds < rounds:
            self.counts.append(Counter())
            shown, attacks, kills = self.public(), self.attacks, self.bot.kills
            await self.round()
            self.rounds += 1
            self.counts[-1]["messages"] = self.public() - shown
            lost = 2 * (self.bot.kills - kills)  # a card that was lost is posted once more
            assert self.public() - shown <= self.attacks - attacks + 2 + lost, (
                "at most two beside the attacks: board, recap"
            )

    async def round(self) -> None:
        """Who is first, some tokens and locks, then everybody engages, until the round is over."""
        number = self.match.round
        while "Roll for the first player" in self.newest.buttons:
            await self.press(self.somebody(), "Roll for the first player")
        for name in [] if self.plain else self.ships():
            who = self.people[self.owners[name]]
            if self.chance.random() < 0.5:
                await self.on_ship(who, name, "Focus")
            target = self.chance.choice(self.foes(name))
            ship = self.ships()[name]
            if self.chance.random() < 0.3 and target not in ship.locks and not ship.has("ion"):
                await self.on_ship(who, name, "Lock", target=target)
        for _ in range(MAX_STEPS):
            if self.match.round > number or len({self.owners[name] for name in self.ships()}) < 2:
                return
            await self.go_on()
        raise AssertionError(
            f"round {number} does not end; the newest message: {self.newest.text} {self.newest.buttons}"
        )

    async def go_on(self) -> None:
        """Whoever is asked by the newest message does what it offers."""
        message = self.newest
        if turn := re.search(r"(\w+)(?:'s turn|: is the attacker in the full arc)", message.text):
            await self.change_dice(message, self.people[turn[1]])
        elif "End the round" in message.buttons:
            await self.press(self.somebody(), "End the round")
        elif "Roll for the first player" in message.buttons:  # the newest card was an attack when the round began
            await self.press(self.somebody(), "Roll for the first player")
        elif not self.plain and (bonus := self.bonus_of(message)) and (self.is_thought_of() or not self.ready):
            await self.bonus_attack(message, bonus)
        elif not self.ready:  # the newest card was shown before what it waits for was done
            await self.look_again(message)
        else:
            await self.engage(message)
        assert self.is_sound() == []

    @property
    def ready(self) -> list[Ship]:
        """The ships of which one is next to attack."""
        return list(waiting_ships(self.match, self.ships()))

    async def engage(self, message: Message) -> None:
        """A ship attacks, or says that it does not; somebody who may not is told so."""
        name = self.chance.choice(self.ready).name
        who = self.people[self.owners[name]]
        label, other = f"Next: {name} attacks", f"Skip {name}"
        if BOARD in message.controls[0].custom_id:  # a press means one's own ship
            label, other = "Attack", "Engage without attacking"
            await self.select(who, name)
            message = self.newest
        elif label not in message.buttons and other not in message.buttons:
            await self.look_again(message)
            return
        elif self.chance.random() < 0.1 and not self.plain:
            await self.meddle(message, other, who)
        if label not in message.buttons or (self.chance.random() < 0.05 and not self.plain):
            await self.press(who, other)
            return
        before = self.plies()
        form = await self.form(who, message, label)
        if form is None:
            return
        assert form.title == f"{name} attacks"
        assert await self.submit(who, form, range=self.chance.choice("112")) is None or self.plies() > before
        self.attacks += self.ships().get(name) is None or self.ships()[name].engaged
        assert name not in self.ships() or self.ships()[name].attacks <= 2

    async def look_again(self, message: Message) -> None:
        """A kill has left a card as it was before the last ply: a press there says so, and brings it up to date."""
        stale = next((control for control in message.controls if control.custom_id.startswith(NEXT)), None)
        assert stale is not None, f"nothing comes next on the newest card: {message.text} {message.buttons}"
        ship = re.fullmatch(r"(?:Next: |Skip )?(.+?)(?: attacks)?", stale.label)
        who = self.people[self.owners[ship[1]]] if ship else self.somebody()
        self.counts[-1]["presses"] += 1
        before = self.plies()
        answer = await self.bot.risk(partial(self.wire.click, who, message, stale.custom_id))
        assert self.plies() == before, "what is out of date counts for nothing"
        if answer is not None:
            await self.refused(message, answer)

    async def refused(self, message: Message, answer: Answer) -> None:
        """A press was refused because the message is out of date: that says so, and shows soon how things stand.

        A bot that has died over it shows nothing; then the next press is refused too.
        """
        assert answer.message is not None, "a refusal"
        if "Continue?" in answer.text:  # a bonus attack that is open is asked about first, and nothing has happened
            return
        assert not answer.message.ephemeral or CHANGED.search(answer.text), answer.text
        if not self.bot.has_died:
            await until(lambda: self.wire.now(message).components != message.components)

    async def meddle(self, message: Message, label: str, who: Person) -> None:
        """Somebody presses what is not theirs."""
        stranger, stood = next(person for person in self.people.values() if person is not who), self.table()
        refused = await self.wire.press(stranger, message, label)
        assert f"belongs to {who.name}" in refused.text
        assert self.table() == stood

    async def change_dice(self, message: Message, who: Person) -> None:
        """One press in a window of an attack."""
        control = self.chance.choice(message.choices)
        if self.plain:  # whatever changes dice, then Done
            control = next((choice for choice in message.choices if choice.label != "Done"), control)
        values = [value for _, value in control.options]
        count = self.chance.randint(control.least, control.most) if control.type == SELECT else 0
        picked = self.chance.sample(values, count) or None
        self.counts[-1]["dice picked" if control.type == SELECT else "presses"] += 1
        press = partial(self.wire.click, who, message, control.custom_id, values=picked)
        if await self.bot.risk(press) is None:
            await press()

    def is_thought_of(self) -> bool:
        """Whether somebody thinks of a bonus attack: always of the first one."""
        return not self.bonus_attacks or self.chance.random() < BONUS

    def bonus_of(self, message: Message) -> str:
        """The first button of a bonus attack on a card: one that a card gives the right to."""
        ships = [*self.ships()]
        return next(
            (
                button
                for button in message.buttons
                if button.endswith(tuple(f"bonus attack of {name}" for name in ships))
            ),
            "",
        )

    async def bonus_attack(self, message: Message, label: str) -> None:
        """A bonus attack that a card allows, or that there is none."""
        name = label.rpartition("bonus attack of ")[2]
        who = self.people[self.owners[name]]
        form = await self.form(who, message, label)
        if form is None:
            return
        before = self.plies()
        self.rights += await self.submit(who, form, range="2") is not None
        self.bonus_attacks += self.plies() > before
        self.attacks += self.plies() > before

    def foes(self, name: str) -> list[str]:
        """The ships of the other side."""
        return [foe for foe in self.ships() if self.owners[foe] != self.owners[name]]

    # Presses on the newest message

    @property
    def pressable(self) -> list[Message]:
        """The messages that everybody sees and somebody can press; nobody has to say whether dials are used."""
        every = (message for message in self.wire.interactions.messages.values() if not message.ephemeral)
        return [item for item in every if any(not each.custom_id.startswith("rc1:dials:") for each in item.controls)]

    @property
    def newest(self) -> Message:
        return max(self.pressable, key=lambda item: item.id)

    def somebody(self) -> Person:
        return self.chance.choice(list(self.people.values()))

    async def press(self, who: Person, label: str) -> None:
        """Press a button of the newest message until that has counted, at most once."""
        before = self.plies()
        for _ in range(MAX_TRIES):
            message = self.newest
            if self.plies() > before or label not in message.buttons:
                break
            self.counts[-1]["presses"] += 1
            answer = await self.bot.risk(partial(self.wire.press, who, message, label))
            if answer is not None and "Continue?" in answer.text:  # somebody may still make a bonus attack
                answer = await self.bot.risk(partial(self.wire.press, who, answer.shown, "Continue"))
            if answer is not None and self.plies() == before:
                await self.refused(message, answer)
        else:
            raise AssertionError(f"{label} never counts")
        assert self.plies() <= before + 1, "a press counts once"
        assert self.is_sound() == []

    async def form(self, who: Person, message: Message, label: str) -> Form | None:
        """The form that a press opens; None where something has changed since the message was shown."""
        self.counts[-1]["presses"] += 1
        answer = await self.surely(partial(self.wire.press, who, message, label))
        if answer.form is None:
            await self.refused(message, answer)
        return answer.form

    async def submit(self, who: Person, form: Form, **wanted: str) -> Answer | None:
        """Fill in what is not chosen already, and send it once."""
        values: dict[str, str | list[str]] = {}
        for entry in form.entries:
            offered = [value for _, value in entry.options]
            if entry.required:
                values[entry.custom_id] = [wanted.get(entry.custom_id) or entry.value or self.chance.choice(offered)]
        self.counts[-1]["forms"] += 1
        before = self.plies()
        answer = await self.bot.risk(partial(self.wire.submit, who, form, values))
        if answer is None and self.plies() == before:
            answer = await self.wire.submit(who, form, values)
        return answer

    async def select(self, who: Person, name: str) -> None:
        """From now on somebody's presses on the board act on this ship, if they do not yet."""
        if BOARD not in self.newest.controls[0].custom_id:  # a kill came between the end of a round and its board
            self.boards_asked += 1
            await self.type(who, "table show")
        board = self.newest
        marks = board.control("Undo").custom_id.split(":")[4].split(".")
        if name_mark(name) not in [mark[:NAME_DIGITS] for mark in marks]:
            self.counts[-1]["selects"] += 1
            await self.surely(lambda: self.wire.pick(who, board, "Select your ship", [name_mark(name)]))

    async def on_ship(self, who: Person, name: str, label: str, **form: str) -> None:
        """Select a ship and press one of its buttons until that has counted once."""
        before = self.plies()
        for _ in range(MAX_TRIES):
            if self.plies() > before:
                break
            await self.select(who, name)
            message = self.newest
            self.counts[-1]["presses"] += 1
            answer = await self.bot.risk(partial(self.wire.press, who, message, label))
            if answer is not None and answer.form is not None:
                self.counts[-1]["forms"] += 1
                values = {field: [item] for field, item in form.items()}
                answer = await self.bot.risk(partial(self.wire.submit, who, answer.form, values))
            if answer is not None and self.plies() == before:
                await self.refused(message, answer)
        assert self.plies() == before + 1, "a press counts once"
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

    @property
    def match(self) -> Match:
        match = self.table()[MATCH]
        assert isinstance(match, Match)
        return match

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


async def played(wire: Wire, seed: int, *, plain: bool = False) -> Evening:
    """An evening that one side has won; nothing was lost or doubled."""
    game = Evening(wire, seed, plain=plain)
    await game.play()
    assert len({game.owners[name] for name in game.ships()}) < 2, f"no side has won after {game.rounds} rounds"
    assert game.boards_asked <= game.bot.kills, "a board that a kill came before is asked for"
    assert game.commands == 2 + game.boards_asked, "two squads; no other command is needed after that"
    assert books.wrong(wire.folder / "rollcall.db") == []
    return game


async def test_four_against_four_to_the_last_ship_by_the_newest_message_with_the_bot_killed(wire: Wire) -> None:
    """Whether a ship misses, and so has the right to a bonus attack, is up to real dice."""
    game = await played(wire, 7)
    assert game.bot.kills >= 2
    assert game.bonus_attacks or not game.rights


async def test_what_a_round_takes(wire: Wire) -> None:
    """Four against four, nobody distracted: at most 20 presses, no list, 9 forms and 9 messages in the first round."""
    game = Evening(wire, 7, plain=True)
    await game.play(rounds=1)
    (first,) = game.counts
    print(f"round 1: {dict(first)}")  # noqa: T201 - the report
    assert first["presses"] <= 20
    assert first["selects"] == 0
    assert first["forms"] <= 9
    assert first["messages"] <= 9, "eight attacks, and the board that comes down when the round ends"


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 2 + EVENINGS))
async def test_many_random_evenings(wire: Wire, seed: int) -> None:
    """``python -m pytest -m long tests/wire/test_evening.py``"""
    game = await played(wire, seed)
    attacks = f"{game.attacks} attacks ({game.bonus_attacks} bonus)"
    print(f"seed {seed}: {game.rounds} rounds, {attacks}, {game.bot.kills} kills")  # noqa: T201 - the report
