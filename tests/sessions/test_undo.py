"""Taking back: alone only what showed nobody anything; seen dice come again for who saw them, and nowhere else."""

import asyncio
import json
import shutil
import sqlite3
from collections import Counter, defaultdict
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from bot.games import GAMES
from bot.rules.errors import PlayerError
from bot.rules.game import Choice, Offer, Side
from bot.rules.pieces import BoardChange
from bot.rules.text import Text, english
from bot.rules.xwing.dice.declared import Declared, LineUp
from bot.rules.xwing.dice.faces import Face, Pool
from bot.rules.xwing.dice.loose_dice import LooseDice as Loose
from bot.rules.xwing.table.obstacles import find_hazard
from bot.rules.xwing.table.ship import give, launch
from bot.rules.xwing.table.ship_damage import obstacle
from bot.sessions import codec
from bot.sessions.codec import UNDO
from bot.sessions.request import Person, Place, Request
from bot.sessions.roll import Address, NotYourPlyError, Played, StaleCardError
from bot.sessions.sessions import RollOpening, Sessions
from bot.sessions.tables import Tables, UndoneStep
from bot.sessions.undo import RequestExpiredError, UndoRequest
from bot.store.database import Database
from bot.store.history import REQUESTS
from bot.store.sessions import CLOSE
from tests import books
from tests.conftest import Dice
from tests.examples import share_of
from tests.starts import pick_of

ANA, BO, CLEO = Person(1, "Ana"), Person(2, "Bo"), Person(3, "Cleo")
PEOPLE = (ANA, BO, CLEO)
HERE = Place(12, 11)
ATTACK = Declared(attack=LineUp(dice=2, focus=1, lock=1), defense=LineUp(dice=1, evade=1))


async def attack(sessions: Sessions, dice: Dice, red: str = "focus blank") -> Played:
    """Ana attacks Bo; it is her window."""
    dice.red(red)
    return await sessions.open(Request(ANA, HERE), RollOpening(GAMES["xwing"], ATTACK, opponent=BO))


async def press(sessions: Sessions, roll: Played, offer: str, *picked: str, by: Person = ANA) -> Played:
    address = Address(roll.session, roll.ply, offer)
    moved = await sessions.choose(Request(by, HERE), address, Choice(offer, picked))
    assert isinstance(moved, Played)
    return moved


async def ask(tables: Tables, by: Person = ANA) -> UndoRequest:
    asked = await tables.undo(Request(by, HERE))
    assert isinstance(asked, UndoRequest)
    return asked


# Who may take back what


async def test_ones_own_press_that_let_no_die_fall_is_taken_back_at_once(
    sessions: Sessions, tables: Tables, dice: Dice
) -> None:
    start = await attack(sessions, dice)
    await press(sessions, start, "focus")
    undone = await tables.undo(Request(ANA, HERE))
    assert isinstance(undone, UndoneStep)
    assert undone.what == "Focus: 1 to hit"
    assert undone.roll is not None
    assert undone.roll.state == start.state


async def test_dice_that_fell_are_taken_back_with_consent_only(sessions: Sessions, tables: Tables, dice: Dice) -> None:
    start = await attack(sessions, dice)
    dice.red("crit")
    await press(sessions, start, "lock", "1")
    asked = await ask(tables)
    assert asked.what == "Lock: reroll, rerolled 1 die"
    assert asked.people == (BO.id,)
    for person in (ANA, CLEO):
        with pytest.raises(PlayerError, match="You can't answer this request"):
            await tables.answer(Request(person, HERE), asked.request, allow=True)
    undone = await tables.answer(Request(BO, HERE), asked.request, allow=True)
    assert undone is not None
    assert undone.roll is not None
    assert undone.roll.state == start.state
    with pytest.raises(RequestExpiredError):
        await tables.answer(Request(BO, HERE), asked.request, allow=True)
    again = await press(sessions, undone.roll, "lock", "1")
    assert [die.face for die in again.state.red] == ["focus", "crit"], "no other die falls"


async def test_a_request_that_is_refused_changes_nothing(sessions: Sessions, tables: Tables, dice: Dice) -> None:
    start = await attack(sessions, dice)
    dice.red("crit")
    rolled = await press(sessions, start, "lock", "1")
    asked = await ask(tables)
    assert await tables.answer(Request(BO, HERE), asked.request, allow=False) is None
    with pytest.raises(RequestExpiredError):
        await tables.answer(Request(BO, HERE), asked.request, allow=True)
    dice.green("blank")
    assert (await press(sessions, rolled, "done")).ply == 2, "the roll stands as it stood"
    assert [entry.what for entry in (await tables.history(HERE))[1:3]] == [
        "refuses to take it back",
        f"asks to take back: {asked.what}",
    ]


async def test_what_was_refused_is_asked_again_only_once_something_new_has_happened(
    sessions: Sessions, tables: Tables, dice: Dice
) -> None:
    start = await attack(sessions, dice)
    dice.red("crit")
    rolled = await press(sessions, start, "lock", "1")
    await tables.answer(Request(BO, HERE), (await ask(tables)).request, allow=False)
    for _ in range(2):
        with pytest.raises(PlayerError, match="You can ask again once something new has happened"):
            await tables.undo(Request(ANA, HERE))
    dice.red("hit")
    await sessions.open(
        Request(CLEO, HERE), RollOpening(GAMES["xwing"], Loose(red=1))
    )  # another roll is nothing new here
    await tables.undo(Request(ANA, HERE, is_gm=True))
    with pytest.raises(PlayerError, match="This was refused"):
        await tables.undo(Request(ANA, HERE))
    assert (await ask(tables, BO)).people == (ANA.id,), "who has refused may think better of it"
    dice.green("blank")
    await press(sessions, rolled, "focus")
    for _ in range(2):  # that press, and then what was refused before it
        asked = await ask(tables)
        assert await tables.answer(Request(BO, HERE), asked.request, allow=True) is not None


async def test_a_gm_takes_back_what_was_refused(sessions: Sessions, tables: Tables, dice: Dice) -> None:
    await attack(sessions, dice)
    await tables.answer(Request(BO, HERE), (await ask(tables)).request, allow=False)
    assert isinstance(await tables.undo(Request(CLEO, HERE, is_gm=True)), UndoneStep)


async def test_a_request_that_is_open_is_shown_again_and_is_the_same_one(
    sessions: Sessions, tables: Tables, dice: Dice
) -> None:
    await attack(sessions, dice)
    first, second = await ask(tables), await ask(tables)
    assert second == replace(first, is_repeated=True)
    await tables.answer(Request(BO, HERE), second.request, allow=False)
    with pytest.raises(RequestExpiredError):
        await tables.answer(Request(BO, HERE), first.request, allow=True)


async def test_whoever_has_ships_on_the_table_is_asked_about_a_step_there(database: Database, tables: Tables) -> None:
    numbers = [(await tables.player(HERE, person)).id for person in (ANA, BO)]
    ships = [launch(name, attack=3, hull=4) for name in ("Luke", "Vader")]
    owned: dict[str, Any] = {
        ship.name: replace(ship, owner=number) for ship, number in zip(ships, numbers, strict=True)
    }
    await tables.step(Request(ANA, HERE, is_gm=True), "xwing", "adds ships", lambda _: owned)
    rolling = Tables(database, rng=lambda _: 0)

    def change(table: Any, rng: Any) -> Any:
        return BoardChange(
            obstacle(table, "Luke", find_hazard("asteroid"), rng).changes, "moves Luke through: asteroid"
        )

    await rolling.roll_step(Request(ANA, HERE), "xwing", change)
    assert isinstance(await tables.undo(Request(BO, HERE, is_gm=True)), UndoRequest), "a GM who plays is the other side"
    asked = await ask(tables)
    assert asked.people == (BO.id,)
    with pytest.raises(PlayerError, match="You can't answer this request"):
        await tables.answer(Request(CLEO, HERE), asked.request, allow=True)
    assert await tables.answer(Request(BO, HERE), asked.request, allow=True) is not None


async def test_a_request_lapses_when_the_roll_goes_on(sessions: Sessions, tables: Tables, dice: Dice) -> None:
    start = await attack(sessions, dice)
    dice.red("crit")
    rolled = await press(sessions, start, "lock", "1")
    asked = await ask(tables)
    dice.green("blank")
    await press(sessions, rolled, "done")
    with pytest.raises(RequestExpiredError):
        await tables.answer(Request(BO, HERE), asked.request, allow=True)


async def test_other_rolls_of_the_channel_do_not_make_a_request_lapse(
    sessions: Sessions, tables: Tables, dice: Dice
) -> None:
    start = await attack(sessions, dice)
    dice.red("crit")
    await press(sessions, start, "lock", "1")
    asked = await ask(tables)
    dice.red("hit")
    await sessions.open(Request(CLEO, HERE), RollOpening(GAMES["xwing"], Loose(red=1)))
    assert await tables.answer(Request(BO, HERE), asked.request, allow=True) is not None


async def test_the_other_side_may_ask_for_a_press_that_is_not_theirs(
    sessions: Sessions, tables: Tables, dice: Dice
) -> None:
    start = await attack(sessions, dice)
    await press(sessions, start, "focus")
    asked = await ask(tables, BO)
    assert asked.people == (ANA.id,)
    with pytest.raises(NotYourPlyError, match="Ana's"):
        await tables.undo(Request(CLEO, HERE))


async def test_a_gm_takes_back_at_once_unless_they_play(sessions: Sessions, tables: Tables, dice: Dice) -> None:
    start = await attack(sessions, dice)
    dice.red("crit")
    await press(sessions, start, "lock", "1")
    assert isinstance(await tables.undo(Request(BO, HERE, is_gm=True)), UndoRequest), "Bo sits on the other side"
    assert isinstance(await tables.undo(Request(ANA, HERE, is_gm=True)), UndoRequest), "it is Ana's own"
    assert isinstance(await tables.undo(Request(CLEO, HERE, is_gm=True)), UndoneStep)


async def test_who_is_alone_in_a_channel_needs_nobody(sessions: Sessions, tables: Tables, dice: Dice) -> None:
    dice.red("hit")
    alone = Place(14, is_alone=True)
    await sessions.open(Request(ANA, alone), RollOpening(GAMES["xwing"], Loose(red=1)))
    assert isinstance(await tables.undo(Request(ANA, alone, is_gm=True)), UndoneStep)


async def test_where_nobody_else_sits_anybody_else_may_allow(sessions: Sessions, tables: Tables, dice: Dice) -> None:
    dice.red("hit")
    await sessions.open(Request(ANA, HERE), RollOpening(GAMES["xwing"], Loose(red=1)))
    asked = await ask(tables)
    assert asked.what == "the X-Wing roll of 1 die"
    assert asked.people == ()
    with pytest.raises(PlayerError, match="You can't answer this request"):
        await tables.answer(Request(ANA, HERE, is_gm=True), asked.request, allow=True)
    assert await tables.answer(Request(CLEO, HERE), asked.request, allow=True) is not None


async def test_typed_dice_were_seen_too(sessions: Sessions, tables: Tables) -> None:
    declared = GAMES["infinity"].rules.declare({"sv": 12, "burst": 1, "dice": [3]})
    await sessions.open(Request(ANA, HERE), RollOpening(GAMES["infinity"], declared))
    assert (await ask(tables)).what == "the Infinity roll of 1 die"


# Seen draws


async def test_nobody_else_gets_the_dice_of_an_opening_that_was_taken_back(
    sessions: Sessions, tables: Tables, dice: Dice
) -> None:
    dice.red("crit crit")
    await sessions.open(Request(ANA, HERE), RollOpening(GAMES["xwing"], Loose(red=2)))
    await tables.answer(Request(BO, HERE), (await ask(tables)).request, allow=True)
    dice.red("blank")
    other = await sessions.open(Request(BO, HERE), RollOpening(GAMES["xwing"], Loose(red=1)))
    assert [die.face for die in other.state.red] == ["blank"]
    roll = await sessions.open(Request(ANA, HERE), RollOpening(GAMES["xwing"], Loose(red=1)))
    assert [die.face for die in roll.state.red] == ["crit"]
    dice.red("blank")
    kind = await sessions.open(Request(ANA, HERE), RollOpening(GAMES["xwing"], ATTACK, opponent=BO))
    assert [die.face for die in kind.state.red] == ["crit", "blank"], "whatever roll asks"


async def test_a_step_that_is_refused_once_its_die_has_fallen_lets_no_other_die_fall(database: Database) -> None:
    """Whoever learns from a refusal what the die showed has seen it."""
    fell = iter(range(8))
    tables = Tables(database, rng=lambda _: next(fell))
    luke = give(give(launch("Luke", hull=9), "focus", 1), "evade", 1)
    await tables.step(Request(ANA, HERE), "xwing", "Luke comes", lambda _: {"Luke": luke})
    seen: list[int] = []

    def change(table: Any, rng: Any) -> Any:
        seen.append(rng.in_pool("red for the cloud")(8))
        if len(seen) in (1, 2):
            raise PlayerError(Text("Say what the jam token takes."))
        return BoardChange({"Luke": give(table["Luke"], "stress", 1)}, "moves Luke through: cloud")

    for _ in range(2):
        with pytest.raises(PlayerError, match="Say what"):
            await tables.roll_step(Request(ANA, HERE), "xwing", change)
    await tables.roll_step(Request(BO, HERE), "xwing", change)
    await tables.roll_step(
        Request(ANA, HERE), "xwing", lambda _, rng: BoardChange({"Luke": luke} if rng(33) else {}, "draws a card")
    )
    await tables.roll_step(Request(ANA, HERE), "xwing", change)
    await tables.roll_step(Request(ANA, HERE), "xwing", change)
    assert seen == [0, 0, 1, 0, 3], "Ana's die waits for her, Bo gets another one, then a new one falls"


async def test_draws_come_again_in_their_order_whatever_dice_ask(
    sessions: Sessions, tables: Tables, dice: Dice
) -> None:
    dice.red("crit crit crit")
    dice.green("evade")
    three = replace(ATTACK, attack=LineUp(dice=3))
    await sessions.open(Request(ANA, HERE), RollOpening(GAMES["xwing"], three, opponent=BO))
    undone = await tables.answer(Request(BO, HERE), (await ask(tables)).request, allow=True)
    assert undone is not None
    two = replace(ATTACK, attack=LineUp(dice=2))
    again = await sessions.open(Request(ANA, HERE), RollOpening(GAMES["xwing"], two, opponent=BO))
    assert [die.face for die in again.state.red] == ["crit", "crit"]
    (third,) = again.state.green
    red, green = Pool.RED.faces, Pool.GREEN.faces
    assert third.face == green[red.index(Face.CRIT)], "the third that fell, now read on a green die"


# The same values again


async def test_roll_again_makes_a_new_roll_and_the_first_one_stays(sessions: Sessions, dice: Dice, file: Path) -> None:
    dice.will_show(2)
    first = await sessions.open(
        Request(ANA, HERE), RollOpening(GAMES["infinity"], GAMES["infinity"].rules.declare({"sv": 12}))
    )
    dice.will_show(7)
    second = await press(sessions, first, "again")
    assert (second.session, second.ply, second.nth, second.repeats) == (first.session + 1, 0, 2, first.session)
    assert second.seats == first.seats
    with pytest.raises(StaleCardError) as caught:
        await press(sessions, first, "again")
    assert caught.value.newest.state == first.state
    assert "again" not in {offer.key for offer in caught.value.newest.offers}
    dice.will_show(9)
    assert (await press(sessions, second, "again")).nth == 3
    assert books.wrong(file) == []


async def test_saving_rolls_stay_possible_on_the_first_card(sessions: Sessions, dice: Dice) -> None:
    declared = GAMES["infinity"].rules.declare({"a": {"sv": 12, "ammo": "N", "ps": 7}})
    dice.will_show(2)
    first = await sessions.open(Request(ANA, HERE), RollOpening(GAMES["infinity"], declared))
    dice.will_show(19)
    await press(sessions, first, "again")
    form = {"weapon": "N PS 7", "armour": "ARM 3"}
    dice.will_show(3)
    saved = await sessions.choose(
        Request(BO, HERE), Address(first.session, first.ply, "save"), Choice("save", filled=form)
    )
    assert isinstance(saved, Played)
    assert len(saved.state.saves) == 1


async def test_who_has_answered_answers_again(sessions: Sessions, dice: Dice) -> None:
    declared = GAMES["infinity"].rules.declare({"a": {"sv": 12}, "open": True})
    opened = await sessions.open(Request(ANA, HERE), RollOpening(GAMES["infinity"], declared))
    form = {"sv": "11", "mods": "b1", "kind": "dodge", "dice": ""}
    dice.will_show(4, 9)
    answered = await sessions.choose(
        Request(BO, HERE), Address(opened.session, 0, "react"), Choice("react", filled=form)
    )
    assert isinstance(answered, Played)
    again = await press(sessions, answered, "again")
    assert again.state.dice == (), "no die falls before the answer is in"
    assert again.seats == {Side.ATTACKER: ANA, Side.DEFENDER: BO}
    assert (again.offers[0].key, again.offers[0].side) == ("react", Side.DEFENDER)
    dice.will_show(1, 2)
    form["sv"] = "8"
    second = await sessions.choose(Request(BO, HERE), Address(again.session, 0, "react"), Choice("react", filled=form))
    assert isinstance(second, Played)
    assert second.state.declared.rolls[1].attribute == 8
    assert second.nth == 2


async def test_a_second_roll_that_was_taken_back_may_be_rolled_again_with_its_dice(
    sessions: Sessions, tables: Tables, dice: Dice
) -> None:
    dice.will_show(2)
    first = await sessions.open(
        Request(ANA, HERE), RollOpening(GAMES["infinity"], GAMES["infinity"].rules.declare({"sv": 12}))
    )
    dice.will_show(7)
    second = await press(sessions, first, "again")
    await tables.answer(Request(BO, HERE), (await ask(tables)).request, allow=True)
    third = await press(sessions, first, "again")
    assert third.state == second.state
    assert third.session != second.session


# One interaction counts once


async def both(file: Path, dice: Dice) -> tuple[Database, Sessions, Tables]:
    """A second process on the same file."""
    database = await Database.open(f"sqlite+aiosqlite:///{file}")
    return database, Sessions(database, dice), Tables(database)


async def test_an_interaction_that_comes_twice_rolls_once(
    sessions: Sessions, tables: Tables, dice: Dice, file: Path
) -> None:
    database, other, other_tables = await both(file, dice)
    request = Request(ANA, HERE, interaction_id=1001)
    dice.red("focus blank")
    opened = [
        await item.open(request, RollOpening(GAMES["xwing"], ATTACK, opponent=BO))
        for item in (sessions, other, sessions)
    ]
    assert opened == [opened[0]] * 3

    request, address = Request(ANA, HERE, interaction_id=1002), Address(opened[0].session, 0, "lock")
    dice.red("crit")
    rolled = await asyncio.gather(
        *(item.choose(request, address, Choice("lock", ("1",))) for item in (sessions, other, other))
    )
    assert rolled == [rolled[0]] * 3
    assert rolled[0].ply == 1  # type: ignore[union-attr]  # no form
    with pytest.raises(StaleCardError):
        await sessions.choose(Request(ANA, HERE, interaction_id=1003), address, Choice("lock", ("1",)))

    dice.red("hit")
    opened_at_once = await asyncio.gather(
        *(
            item.open(Request(ANA, HERE, interaction_id=1004), RollOpening(GAMES["xwing"], Loose(red=1)))
            for item in (sessions, other)
        )
    )
    assert opened_at_once[0] == opened_at_once[1]
    request = Request(CLEO, HERE, is_gm=True, interaction_id=1005)
    results = await asyncio.gather(*(item.undo(request) for item in (tables, other_tables)), return_exceptions=True)
    assert sorted(type(result).__name__ for result in results) == ["DuplicateInteractionError", "UndoneStep"]
    assert books.wrong(file) == []
    await database.close()


async def test_roll_again_that_comes_twice_rolls_once(sessions: Sessions, dice: Dice) -> None:
    dice.will_show(2)
    first = await sessions.open(
        Request(ANA, HERE), RollOpening(GAMES["infinity"], GAMES["infinity"].rules.declare({"sv": 12}))
    )
    dice.will_show(7)
    request = Request(ANA, HERE, interaction_id=7)
    second, same = [
        await sessions.choose(request, Address(first.session, 0, "again"), Choice("again")) for _ in range(2)
    ]
    assert second == same


# Nobody can peek: any sequence of openings, presses, requests and answers by three people


@dataclass(frozen=True, slots=True)
class Deed:
    """Who does what; ``which`` and ``what`` choose among what there is, the newest first.

    ``is_theirs``: it is done by whoever may, if there is somebody, so that the evening goes on.
    """

    person: Person
    kind: str
    which: int
    what: int
    is_theirs: bool


DEEDS = st.lists(
    st.builds(
        Deed,
        st.sampled_from(PEOPLE),
        st.sampled_from(["open", "open", "press", "press", "press", "undo", "back", "back", "back", "allow", "refuse"]),
        st.sampled_from([0, 0, 0, 1, 2, 7]),
        st.sampled_from([0, 1]) | st.integers(0, 99),
        st.sampled_from([True, True, True, False]),
    ),
    min_size=20,
    max_size=40,
)
OPENED: tuple[tuple[str, Any], ...] = (
    ("xwing", Loose(red=2, green=1)),
    ("xwing", Loose(red=1, green=2)),
    ("xwing", ATTACK),
    ("xwing", replace(ATTACK, attack=LineUp(dice=3), defense=None)),
    ("infinity", GAMES["infinity"].rules.declare({"a": {"sv": 12, "burst": 2}, "open": True})),
    ("warsurge", GAMES["warsurge"].rules.declare({"method": "casual", "power": 3, "defence": 3, "attack_dice": 2})),
)


NO_PRESS = (*REQUESTS, UNDO, CLOSE)


class Evening:
    """Three people at one table; ``fell`` is every draw that the real source of chance gave, in order."""

    def __init__(self, database: Database, seed: int) -> None:
        chance = Random(seed)
        self.fell: list[tuple[int, int]] = []

        def rng(sides: int) -> int:
            self.fell.append((sides, chance.randrange(sides)))
            return self.fell[-1][1]

        self.sessions, self.tables = Sessions(database, rng), Tables(database)
        self.rolls: dict[int, Played] = {}
        self.requests: list[tuple[Person, UndoRequest]] = []

    async def do(self, deed: Deed) -> None:
        if deed.kind == "open":
            game, declared = OPENED[deed.what % len(OPENED)]
            opponent = PEOPLE[deed.what % 3] if deed.which else None
            roll = await self.sessions.open(
                Request(deed.person, HERE), RollOpening(GAMES[game], declared, opponent=opponent)
            )
            self.rolls[roll.session] = roll
        elif deed.kind == "press" and self.rolls:
            roll = sorted(self.rolls.values(), key=lambda item: -item.session)[deed.which % len(self.rolls)]
            if roll.offers:
                offer = roll.offers[deed.what % len(roll.offers)]
                address = Address(roll.session, roll.ply, offer.key)
                by = roll.seats.get(offer.side, deed.person) if deed.is_theirs else deed.person
                moved = await self.sessions.choose(Request(by, HERE), address, taken(offer, deed.what))
                assert isinstance(moved, Played)
                self.rolls[moved.session] = moved
        elif deed.kind in ("undo", "back"):
            last = [
                entry
                for entry in await self.tables.history(HERE)
                if not entry.is_undone and entry.offer not in NO_PRESS
            ]
            by = next(
                (person for person in PEOPLE if deed.is_theirs and last and person.id == last[0].person_id), deed.person
            )
            result = await self.tables.undo(Request(by, HERE))
            if isinstance(result, UndoRequest):
                self.requests.append((by, result))
                if deed.kind == "back":  # and it is allowed at once
                    await self.do(replace(deed, kind="allow", which=0, is_theirs=True))
            else:
                self.show(result)
        elif deed.kind in ("allow", "refuse") and self.requests:
            asker, asked = self.requests[-1 - deed.which % len(self.requests)]
            others = [
                person for person in PEOPLE if person != asker and (person.id in asked.people or not asked.people)
            ]
            by = others[deed.what % len(others)] if deed.is_theirs else deed.person
            allow = deed.kind == "allow"
            self.show(await self.tables.answer(Request(by, HERE), asked.request, allow=allow))

    def show(self, undone: UndoneStep | None) -> None:
        if undone is not None and undone.roll is not None:
            self.rolls[undone.roll.session] = undone.roll


def taken(offer: Offer, what: int) -> Choice:
    """Some of the options of an offer, or its form."""
    form = {
        field.key: english(field.value) or (english(field.example) if field.required else "") for field in offer.fields
    }
    most = pick_of(offer).least + what % (max(pick_of(offer).least, pick_of(offer).most) - pick_of(offer).least + 1)
    return Choice(offer.key, tuple(option.value for option in offer.options[:most]), form or None)


def check_draws(file: Path, fell: list[tuple[int, int]]) -> None:
    """Walk through all that is stored, with books of our own over who has seen which draws.

    A draw is new, or it is the first of its number of sides that this person has seen and taken back, what was taken
    back last before all others; then it must be that one. New draws are those of the source, each once and in order.
    Whatever let dice fall was taken back only after somebody else had allowed it.
    """
    with closing(sqlite3.connect(file)) as connection:
        connection.row_factory = sqlite3.Row
        plies = connection.execute(
            "SELECT ply.*, session.game, session.opened_by, session.repeats FROM ply "
            "JOIN session ON session.id = ply.session_id ORDER BY ply.id"
        ).fetchall()
    by_id = {ply["id"]: ply for ply in plies}
    asked = {ply["id"]: ply for ply in plies if ply["offer"] == "ask"}
    allowed = {asked[ply["about"]]["about"]: ply["person_id"] for ply in plies if ply["offer"] == "allow"}
    waiting: dict[int, list[Any]] = defaultdict(list)  # by who saw them
    new: list[tuple[int, int]] = []
    for ply in plies:
        person = ply["person_id"]
        if ply["undoes"] is not None:
            target = by_id[ply["undoes"]]
            draws = codec.read_draws(target["draws"])
            if draws:
                assert allowed[target["id"]] != person, "somebody else has allowed it"
            waiting[target["person_id"]][:0] = draws
            continue
        if ply["number"] == 0 and ply["game"] == "xwing":
            pools = Counter(draw.pool for draw in codec.read_draws(ply["draws"]))
            state = json.loads(ply["state"])
            thrown = {f"{pool} rolled": len(state[pool]) for pool in ("red", "green") if state.get(pool)}
            assert pools == Counter(thrown)
        for draw in codec.read_draws(ply["draws"]):
            mine = [item for item in waiting[person] if item.sides == draw.sides]
            assert draw.is_replayed == bool(mine), f"{draw} of ply id {ply['id']}; {mine} waited"
            if mine:
                assert draw.drawn == mine[0].drawn
                waiting[person] = [item for item in waiting[person] if item is not mine[0]]
            else:
                new.append((draw.sides, draw.drawn))
    assert new == fell


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database, to be copied."""

    async def make() -> Path:
        file = tmp_path_factory.mktemp("empty") / "rolls.db"
        database = await Database.open(f"sqlite+aiosqlite:///{file}")
        await database.close()
        return file

    return asyncio.run(make())


@settings(max_examples=share_of(60), deadline=None)
@given(deeds=DEEDS, seed=st.integers(0, 10**6))
def test_what_one_does_alone_after_seeing_a_die_changes_no_die_of_anybody(
    migrated: Path, deeds: list[Deed], seed: int
) -> None:
    async def live() -> None:
        with TemporaryDirectory() as folder:
            file = Path(shutil.copy(migrated, folder))
            database = await Database.open(f"sqlite+aiosqlite:///{file}")
            try:
                evening = Evening(database, seed)
                for deed in deeds:
                    before = len(evening.fell)
                    try:
                        await evening.do(deed)
                    except PlayerError:
                        del evening.fell[before:]  # refused: whatever was drawn for it shows nowhere
                check_draws(file, evening.fell)
                assert books.wrong(file) == []
            finally:
                await database.close()

    asyncio.run(live())
