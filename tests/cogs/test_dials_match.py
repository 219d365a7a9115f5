"""Four against four over three rounds with dials, from the newest message alone; a book of its own agrees throughout.

The book is written from the rules, in plain dictionaries, and shares nothing with the bot but the names of the tokens.
"""

import json
from dataclasses import dataclass, field
from typing import Any, Final

import discord
import pytest
import simcord

from bot.fair import plans as arithmetic
from bot.rules.plans import commitments
from bot.rules.text import Name
from bot.rules.xwing.table.match import match_of, ships_of
from bot.runtime.app import App
from bot.sessions.request import Person, Place, Request
from bot.ui.core.board_controls import name_mark
from bot.ui.live.replay import AnnotatedMatch, json_of
from tests.cogs.test_plans import fill
from tests.cogs.test_xwing_board import items
from tests.conftest import Club, said, whispered

ANA: Final = {
    "faction": "galacticrepublic",
    "name": "Jedi",
    "pilots": [
        {"id": "jedigeneral"},
        {"id": "goldsquadrontrooper"},
        {"id": "104thbattalionpilot"},
        {"id": "bluesquadronprotector"},
    ],
}
BO: Final = {
    "faction": "galacticempire",
    "name": "Black",
    "pilots": [{"id": "howlrunner"}, {"id": "academypilot"}, {"id": "academypilot"}, {"id": "obsidiansquadronpilot"}],
}
JEDI, GOLD, ARC, BLUE = "Jedi General", "Gold Squadron Trooper", "104th Battalion Pilot", "Blue Squadron Protector"
HOWL, ONE, TWO, OBSIDIAN = "Howlrunner", "Academy Pilot", "Academy Pilot #2", "Obsidian Squadron Pilot"
ANAS, BOS = (JEDI, GOLD, ARC, BLUE), (HOWL, ONE, TWO, OBSIDIAN)
ORDER: Final = [ONE, TWO, GOLD, ARC, OBSIDIAN, BLUE, JEDI, HOWL]
"""By initiative; within one Ana's ships first, who is the first player; two of one player in any order."""
COUNTED: Final = ("stress", "strain", "deplete", "ion", "focus")
LEFT, RIGHT = "TBLEA", "YNPRD"


@dataclass
class Book:
    """What lies on the ships, written by hand."""

    tokens: dict[str, dict[str, int]] = field(
        default_factory=lambda: {name: dict.fromkeys(COUNTED, 0) for name in (*ANAS, *BOS)}
    )
    force: dict[str, int] = field(default_factory=lambda: {JEDI: 2})
    flown: dict[str, str] = field(default_factory=dict)
    active: str = ""

    def reveals(self, ship: str, dial: str) -> None:
        self.over()
        on, self.active = self.tokens[ship], ship
        if not dial:
            on["stress"] += 1
            dial = "2FW"
        if on["ion"] >= (2 if ship == ARC else 1):
            dial = "1BB" if dial[1] in LEFT else "1NB" if dial[1] in RIGHT else "1FB"
        elif dial[2] == "R" and on["stress"]:
            dial = "2FW"
        elif dial[2] == "P":
            if self.force.get(ship):
                self.force[ship] -= 1
            else:
                dial = "2FW"
        if dial[2] == "B":
            for kind in ("stress", "strain", "deplete"):
                on[kind] = max(0, on[kind] - 1)
        on["stress"] += dial[2] == "R"
        self.flown[ship] = dial

    def over(self) -> None:
        """The activation before is over: after an ion maneuver its ion tokens go."""
        on = self.tokens.get(self.active)
        if on is not None and on["ion"] >= (2 if self.active == ARC else 1):
            on["ion"] = 0
        self.active = ""

    def ends_round(self) -> None:
        self.flown.clear()
        for on in self.tokens.values():
            on["focus"] = 0
        self.force[JEDI] = min(2, self.force[JEDI] + 1)


class Evening:
    def __init__(self, club: Club) -> None:
        self.club, self.book, self.acts = club, Book(), dict[str, int]()
        self.dials: dict[str, str] = {}

    async def ships(self) -> dict[str, Any]:
        app = self.club.env.bot
        assert isinstance(app, App)
        return await app.tables.pieces(Place(self.club.channel.id, self.club.guild.id), "xwing")

    async def agree(self) -> None:
        """The book and the table say the same."""
        fleet = ships_of(await self.ships())
        for name, ship in fleet.items():
            assert {kind: ship.has(kind) for kind in COUNTED} == self.book.tokens[name], name
            assert ship.force_left == self.book.force.get(name, 0), name
            flight = ship.flight
            assert (flight.maneuver if flight else "") == self.book.flown.get(name, ""), name

    def newest(self) -> discord.Message:
        """The newest message that has buttons: nobody ever scrolls up."""
        every = reversed(self.club.channel.history())
        return next(item for item in every if items(item) and not item.flags.ephemeral)

    def labels(self) -> list[str]:
        return [getattr(item, "label", None) or "" for item in items(self.newest())]

    def by(self, ship: str) -> simcord.MemberActor:
        return self.club.ana if ship in ANAS else self.club.bo

    async def press(self, by: simcord.MemberActor, label: str, count: str) -> Any:
        self.acts[count] = self.acts.get(count, 0) + 1
        return await by.click(self.newest(), label=label)

    async def plans(self, by: simcord.MemberActor, dials: dict[str, str]) -> Any:
        """Plan, then the form with **I am ready**: two acts."""
        who = "Ana plans" if by is self.club.ana else "Bo plans"
        self.acts[who] = 0
        opened = await self.press(by, "Plan", who)
        self.acts[who] += 1
        form = {name_mark(of): code for of, code in dials.items()}
        left = {line["component"]["custom_id"] for line in opened.modal["components"]} - {*form, "ready"}
        self.dials |= dials
        return await by.submit_modal(opened, fill(opened.modal, form) | {key: [] for key in left})

    async def activates(self, ship: str, *then: str) -> None:
        """Reveal, then what follows; the book goes along after every act."""
        self.acts[ship] = 0
        await self.press(self.by(ship), f"Reveal {ship}", ship)
        self.book.reveals(ship, self.dials.get(ship, ""))
        await self.agree()
        for label in then:
            await self.press(self.by(ship), label, ship)
            if label == "Focus":
                self.book.tokens[ship]["focus"] += 1
            elif label == "Focus (red)":
                self.book.tokens[ship]["focus"] += 1
                self.book.tokens[ship]["stress"] += 1
            await self.agree()

    async def token(self, ship: str, kind: str, count: int = 1, word: str = "give") -> None:
        await self.by(ship).slash(self.club.channel, f"xwing token {word}", ship=ship, token=kind, count=count)
        self.book.tokens[ship][kind] += count if word == "give" else -count
        await self.agree()

    async def ends_round(self) -> None:
        """Nobody shoots: the End Phase ends the round, and its tokens go."""
        await self.club.ana.slash(self.club.channel, "xwing endphase")
        self.book.over()
        self.book.ends_round()
        self.dials.clear()
        await self.agree()
        await self.club.ana.slash(self.club.channel, "table show")


@pytest.fixture
async def evening(club: Club) -> Evening:
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(ANA), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(BO))
    result = Evening(club)
    await result.agree()
    return result


async def test_three_rounds_of_four_against_four(evening: Evening) -> None:
    club = evening.club
    # Round 1: a purple maneuver, a red one, an overlap with an enemy.
    await evening.plans(club.ana, {JEDI: "2EP", GOLD: "2FB", ARC: "4KR", BLUE: "1FB"})
    await evening.plans(club.bo, {HOWL: "4KR", ONE: "2FB", TWO: "3FB", OBSIDIAN: "3BW"})
    assert evening.acts == {"Ana plans": 2, "Bo plans": 2}
    await evening.activates(ONE, "Focus")
    await evening.activates(TWO, "Overlaps an enemy", "Focus (red)")
    await evening.activates(GOLD, "Focus")
    await evening.activates(ARC)
    await evening.activates(OBSIDIAN, "Focus")
    await evening.activates(BLUE, "Focus")
    await evening.activates(JEDI, "Focus")
    await evening.activates(HOWL)
    assert not [label for label in evening.labels() if label.startswith("Reveal")]
    assert max(evening.acts[ship] for ship in ORDER if ship != TWO) == 2
    assert evening.acts[TWO] == 3, "the overlap is one more, where it happens"
    await evening.ends_round()

    # Round 2: ion and strain, a stressed ship's red, one ship forgotten, one destroyed before it activates.
    await evening.token(GOLD, "ion")
    await evening.token(BLUE, "strain")
    club.dice.red("crit blank blank hit hit hit")
    await evening.plans(club.ana, {JEDI: "2RP", GOLD: "2TW", ARC: "1FB", BLUE: "2FB"})
    told = await evening.plans(club.bo, {HOWL: "3KR", ONE: "4KR", OBSIDIAN: "5FW"})
    assert "You haven't planned anything for Academy Pilot #2 yet" in said(told)
    assert not [label for label in evening.labels() if label.startswith("Reveal")], "it did not count yet"
    await club.bo.click(whispered(told), label="Ready without 1 choice")
    await evening.activates(ONE)
    await evening.activates(TWO)
    assert evening.book.flown[TWO] == "2FW"
    await evening.activates(GOLD, "Focus")
    assert evening.book.flown[GOLD] == "1BB"
    await evening.activates(ARC, "Focus")
    assert evening.book.tokens[GOLD]["ion"] == 0, "they go when its activation is over"
    assert f"Reveal {OBSIDIAN}" in evening.labels()
    await club.bo.slash(club.channel, "xwing damage", ship=OBSIDIAN, hits=3)
    assert OBSIDIAN not in ships_of(await evening.ships()), "destroyed in the Activation Phase, it leaves at once"
    await club.ana.slash(club.channel, "table show")
    await evening.activates(BLUE, "Focus")
    assert evening.book.tokens[BLUE]["strain"] == 0
    await evening.activates(JEDI)
    await evening.activates(HOWL)
    assert evening.book.flown[HOWL] == "2FW", "it is stressed"
    await evening.ends_round()

    # Round 3: no force for a purple maneuver, blue takes stress away.
    await club.ana.slash(club.channel, "xwing token take", ship=JEDI, token="force", count=evening.book.force[JEDI])
    evening.book.force[JEDI] = 0
    club.dice.red("crit blank blank hit hit hit")
    await evening.plans(club.bo, {HOWL: "2BB", ONE: "2NB", TWO: "2FB"})
    await evening.plans(club.ana, {JEDI: "2EP", GOLD: "2FB", ARC: "1BB", BLUE: "2FB"})
    for ship in (item for item in ORDER if item != OBSIDIAN):
        await evening.activates(ship)
    assert evening.book.flown[JEDI] == "2FW"
    assert [evening.book.tokens[ship]["stress"] for ship in (HOWL, ONE)] == [0, 0]
    await the_file_of_the_match_fits(evening)


async def the_file_of_the_match_fits(evening: Evening) -> None:
    """It holds what is open: also the dial that nobody saw, once somebody opens what is left after the match."""
    app, club = evening.club.env.bot, evening.club
    assert isinstance(app, App)
    here = Place(club.channel.id, club.guild.id)
    match = json.loads(json_of(AnnotatedMatch(await app.matches.replay(here, 1), {})))
    assert arithmetic.check_match(match) == "Every plan fits. Commitments: 6. Plans open: 22. Plans still closed: 1."
    await club.ana.slash(club.channel, "xwing score", player=club.ana, points=20)
    await evening.ends_round()
    result = match_of(await evening.ships())
    assert result is not None
    assert result.score.winner is not None
    over = json.loads(json_of(AnnotatedMatch(await app.matches.replay(here, 1), {})))
    assert arithmetic.check_match(over) == "Every plan fits. Commitments: 6. Plans open: 22. Plans still closed: 1."
    ana = Request(Person(club.ana.id, Name("Ana")), here)  # whose dial it was not: the last plans were shown
    await app.plans.open_match(ana, await app.matches.replay(here, 1))
    over = json.loads(json_of(AnnotatedMatch(await app.matches.replay(here, 1), {})))
    assert arithmetic.check_match(over) == "Every plan fits. Commitments: 6. Plans open: 23. Plans still closed: 0."
    (closed,) = [
        leaf for item in over["plans"] for leaf in item["opened"] if leaf["of"] == OBSIDIAN and leaf["choice"] == "5FW"
    ]
    assert closed["salt"]
    (at_last,) = [by for item in over["plans"] for by in item["opened_by"] if by["rule"] == "end"]
    assert (at_last["of"], at_last["by"]) == ([OBSIDIAN], "Ana")
    assert commitments(await evening.ships()) == {}
