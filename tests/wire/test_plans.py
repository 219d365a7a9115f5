"""Plans over the wire, by two processes and by one that is killed again and again: none is lost, open early or doubled.

Squads that are kept closed, and dials.
"""

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
from bot.rules.xwing.table.match import activating_ships, match_of, ships_of
from bot.rules.xwing.table.ship import from_card
from bot.sessions import codec
from bot.sessions.openings import commitment_json
from bot.ui.core.board_controls import name_mark
from tests.wire.interactions import Answer
from tests.wire.kills import MortalBot
from tests.wire.messages import Message
from tests.wire.pair import IN_ONE_LOOP, Pair, kept
from tests.wire.process import until
from tests.wire.wire import Wire
from tests.wire.world import Channel, Person, snowflake

SQUADS: Final = {
    "Ana": ("rebelalliance", ("lukeskywalker", "bluesquadronescort")),
    "Bo": ("galacticempire", ("howlrunner", "academypilot")),
}
LUKE, ESCORT, HOWL, ACADEMY = "Luke Skywalker", "Blue Squadron Escort", "Howlrunner", "Academy Pilot"
MAX_TRIES: Final = 20
MAX_ROUNDS: Final = 60


def squad_of(name: str) -> str:
    faction, pilots = SQUADS[name]
    return json.dumps({"faction": faction, "pilots": [{"id": pilot} for pilot in pilots]})


class Game:
    """Two people plan and reveal round after round, while the bot dies around every second thing that they do."""

    def __init__(self, wire: Wire, seed: int) -> None:
        self.wire, self.chance = wire, Random(seed)
        self.bot = MortalBot(wire, self.chance, (1, 3))
        self.people: dict[str, Person] = dict(zip(SQUADS, wire.people, strict=False))
        self.channel = wire.channel
        self.planned: dict[str, str] = {}
        self.revealed = set[str]()
        self.rounds = 0

    def table(self) -> dict[str, Any]:
        rows = self.wire.rows(f"SELECT name, body FROM piece WHERE channel_id = {self.channel.id} ORDER BY key")  # noqa: S608 - our own number
        return {name: codec.read_body(xwing_pieces.Body, body) for name, body in rows}

    def fixed(self) -> dict[str, Commitment]:
        """The commitments of this round, by the name of who made them."""
        every = commitments(self.table()).values()
        return {
            self.owner(commitment.owner): commitment for commitment in every if commitment.sheet.startswith("round")
        }

    def owner(self, number: int) -> str:
        persons = dict(self.wire.rows("SELECT id, person_id FROM player"))
        return next(name for name, item in self.people.items() if item.id == persons[number])

    def check(self) -> None:
        """What is open was planned, follows from its commitment, and was revealed by its owner; once."""
        opened = [leaf for item in self.fixed().values() for leaf in item.opened]
        assert len({leaf.of for leaf in opened}) == len(opened)
        assert {leaf.of for leaf in opened} <= self.revealed
        assert all(leaf.choice == self.planned[leaf.of] for leaf in opened)
        assert all(plans.find_mismatch(commitment_json(item)) == "" for item in self.fixed().values() if item.leaves)
        sheets = {
            root: json.loads(body) for root, body in self.wire.rows("SELECT root, body FROM plan WHERE root != ''")
        }
        for commitment in self.fixed().values():
            assert {of: choice for of, choice, _ in sheets[commitment.root]} == {
                of: self.planned[of] for of in commitment.of
            }

    @property
    def newest(self) -> Message:
        result = (
            message
            for message in self.wire.interactions.messages.values()
            if not message.ephemeral and message.controls and message.channel == self.channel
        )
        return max(result, key=lambda item: item.id)

    async def surely(self, act: Any) -> Answer:
        return await self.bot.risk(act) or await act()

    async def plan(self, name: str) -> None:
        """Plan and be ready, however often the bot dies over it; the plans are those of the form that counted."""
        who = self.people[name]
        for ship in ships_of(self.table()).values():
            if ship.name in self.own(name):
                self.planned[ship.name] = self.chance.choice(dial_of(ship)).code
        for _ in range(MAX_TRIES):
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
        now = activating_ships(match_of(table), ships_of(table))
        if not now:
            return False
        ship = now[0].name
        who = next(self.people[name] for name in SQUADS if ship in self.own(name))
        self.revealed.add(ship)
        for _ in range(MAX_TRIES):
            if ships_of(self.table())[ship].flight is not None:
                break
            if f"Reveal {ship}" not in self.newest.buttons:
                await self.wire.slash(who, self.channel, "table show")
            await self.bot.risk(partial(self.wire.press, who, self.newest, f"Reveal {ship}"))
        self.check()
        return True

    async def bring(self, kills: int) -> None:
        """Both keep their squads closed until both are here, in one channel after another until the bot died so often.

        A squad that is stored is there until both open: once, and as it was pasted.
        """
        while self.bot.kills < kills or not self.table():
            self.channel = Channel(snowflake(), f"table {self.bot.tried}")
            for name in self.chance.sample(list(SQUADS), 2):
                for _ in range(MAX_TRIES):
                    if name in self.here():
                        break
                    await self.bot.risk(partial(self.paste, name))
                assert name in self.here(), "the paste counts in the end"
            ships = sorted(name for name in SQUADS for name in self.own(name))
            assert sorted(ships_of(self.table())) == ships, "both are open, and nobody's ships are there twice"
            opened = commitments(self.table()).values()
            assert all(item.closed_places == () and plans.find_mismatch(commitment_json(item)) == "" for item in opened)
            for commitment in opened:
                held = json.loads(json.loads(commitment.opened[0].choice)["text"])
                assert [pilot["id"] for pilot in held["pilots"]] == [*SQUADS[self.owner(commitment.owner)][1]]

    def here(self) -> set[str]:
        """Whose squads are here, open or closed."""
        table = self.table()
        owners = {ship.owner for ship in ships_of(table).values()}
        return {
            self.owner(number) for number in owners | {commitment.owner for commitment in commitments(table).values()}
        }

    async def paste(self, name: str) -> Answer:
        opened = await self.wire.slash(self.people[name], self.channel, "xwing squad")
        values: dict[str, str | list[str]] = {"xws": squad_of(name), "closed": ["closed"]}
        return await self.wire.submit(self.people[name], opened.modal, values)

    async def play(self, kills: int) -> None:
        await self.bot.start()
        await self.bring(kills // 3)
        await self.wire.slash(self.people["Ana"], self.channel, "xwing squad", side="first")
        await self.wire.slash(self.people["Ana"], self.channel, "table show")
        while self.bot.kills < kills and self.rounds < MAX_ROUNDS:
            self.planned.clear()
            self.revealed.clear()
            for name in self.chance.sample(list(SQUADS), 2):
                await self.plan(name)
            while await self.reveal():
                pass
            roots = {commitment.root for commitment in self.fixed().values()}
            assert all(commitment.closed_places == () for commitment in self.fixed().values())
            assert len(roots) == 2
            await self.wire.slash(self.people["Ana"], self.channel, "xwing endphase")
            await self.wire.slash(self.people["Ana"], self.channel, "table show")
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


# Two processes


@IN_ONE_LOOP
async def test_a_plan_made_through_one_process_is_seen_and_revealed_through_the_other(pair: Pair) -> None:
    wire, (ana, ben, *_) = pair.wire, pair.wire.people
    for by, (who, name) in enumerate(((ana, "Ana"), (ben, "Bo"))):
        side = "first" if who is ana else "second"
        paste = partial(wire.slash, who, wire.channel, "xwing squad", text=squad_of(name), side=side)
        await pair.by(by, paste)
    await until(lambda: len(kept(wire, "board")) == 1)  # it comes after the answer to the second squad

    async def plan(first: int, then: int, who: Person, board: Message, dials: dict[str, str]) -> None:
        opened = await pair.by(first, partial(wire.press, who, board, "Plan"))
        values: dict[str, str | list[str]] = {name_mark(ship): [code] for ship, code in dials.items()}
        await pair.by(then, partial(wire.submit, who, opened.modal, values | {"ready": "now"}))

    board = (await pair.by(0, partial(wire.slash, ana, wire.channel, "table show"))).shown
    await until(lambda: kept(wire, "board") == [(board.id,)])
    await plan(0, 0, ana, wire.now(board), {LUKE: "2FB", ESCORT: "4KR"})
    seen = (await pair.by(1, partial(wire.slash, ben, wire.channel, "table show"))).shown
    assert "Ana is ready. Ben is planning." in seen.text
    assert "Koiogran" not in repr(seen)
    await until(lambda: kept(wire, "board") == [(seen.id,)])
    await plan(1, 0, ben, wire.now(seen), {HOWL: "2TW", ACADEMY: "3FB"})
    for by, who, ship, said in (
        (1, ben, ACADEMY, "3 straight, blue"),
        (0, ana, ESCORT, "4 Koiogran turn, red"),
        (1, ana, LUKE, "2 straight, blue"),
        (0, ben, HOWL, "2 turn left, white"),
    ):
        label = f"Reveal {ship}"
        await until(
            lambda label=label: any(label in message.buttons for message in wire.interactions.messages.values())  # type: ignore[misc]  # a default
        )
        shown = next(message for message in wire.interactions.messages.values() if label in message.buttons)
        revealed = await pair.by(by, partial(wire.press, who, shown, label))
        assert f"reveals {ship}: {said}" in revealed.text
    bodies = [body for (body,) in wire.rows("SELECT body FROM piece WHERE body LIKE '%root%'")]
    fixed = [
        commitment for body in bodies if isinstance(commitment := codec.read_body(xwing_pieces.Body, body), Commitment)
    ]
    assert [(item.closed_places, plans.find_mismatch(commitment_json(item))) for item in fixed] == [((), "")] * 2
