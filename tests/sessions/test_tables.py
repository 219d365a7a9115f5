"""The table of a channel on a real file: steps, what rolls spend, undo and its laws, history, nothing leaking."""

import asyncio
import json
import random
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from bot.games import GAMES
from bot.rules.dice import Rng
from bot.rules.errors import PlayerError
from bot.rules.game import Choice, Side
from bot.rules.pieces import BoardChange
from bot.rules.text import Text
from bot.rules.xwing.dice.declared import Declared, LineUp
from bot.rules.xwing.dice.faces import Face, Pool
from bot.rules.xwing.dice.loose_dice import LooseDice as Loose
from bot.rules.xwing.table import pieces
from bot.rules.xwing.table.obstacles import find_hazard
from bot.rules.xwing.table.ship import Ship, give, launch
from bot.rules.xwing.table.ship_damage import obstacle
from bot.sessions.chance import Draw, recorder
from bot.sessions.request import Person, Place, Request
from bot.sessions.roll import Address, NotYourPlyError, NotYourSideError, Played, StaleCardError
from bot.sessions.sessions import RollOpening, Sessions
from bot.sessions.tables import Tables, UndoneStep
from bot.sessions.undo import UndoRequest
from bot.store import history as past
from bot.store.database import Database
from tests.conftest import Dice
from tests.plies import plies_of
from tests.seeds import seeds

ANA, BO, CLEO = Person(1, "Ana"), Person(2, "Bo"), Person(3, "Cleo")
HERE, ELSEWHERE, PRIVATE = Place(12, 11), Place(13, 11), Place(14, None)


async def add(tables: Tables, *ships: Ship, place: Place = HERE) -> None:
    await tables.step(Request(ANA, place), "xwing", "ships come", lambda _: {ship.name: ship for ship in ships})


async def gives(tables: Tables, name: str, kind: str, count: int = 1, by: Person = ANA, place: Place = HERE) -> None:
    def change(fleet: Mapping[str, Any]) -> Mapping[str, Any]:
        return {name: give(fleet[name], kind, count)}

    await tables.step(Request(by, place), "xwing", f"{name}: {count} {kind}", change)


async def press(sessions: Sessions, played: Played, offer: str, by: Person = ANA, *picked: str) -> Played:
    address = Address(played.session, played.ply, offer)
    moved = await sessions.choose(Request(by, HERE), address, Choice(offer, picked))
    assert isinstance(moved, Played)
    return moved


async def loose(sessions: Sessions, place: Place = HERE, red: int = 2) -> Played:
    return await sessions.open(Request(ANA, place), RollOpening(GAMES["xwing"], Loose(red=red)))


def faces(played: Played) -> list[str]:
    return [die.face for die in played.state.red]


LUKE = launch("Luke", attack=3, agility=2, hull=4, shields=2, force=2, initiative=5)
VADER = launch("Vader", attack=2, agility=0, hull=3, shields=2, initiative=6)


async def duel(sessions: Sessions, tables: Tables, **given: Any) -> Played:
    """Luke attacks Vader with what the two have now."""
    fleet = await tables.pieces(HERE, "xwing")
    declared = pieces.declare({"attacker": "Luke", "defender": "Vader", **given}, fleet)
    return await sessions.open(Request(ANA, HERE), RollOpening(GAMES["xwing"], declared, opponent=BO))


# Steps


async def test_pieces_stand_in_their_channel_by_name(tables: Tables) -> None:
    await add(tables, VADER, LUKE)
    assert await tables.pieces(HERE, "xwing") == {"Luke": LUKE, "Vader": VADER}
    assert list(await tables.pieces(HERE, "xwing")) == ["Luke", "Vader"], "in the order of their names"
    assert await tables.pieces(ELSEWHERE, "xwing") == {}
    assert await tables.pieces(PRIVATE, "xwing") == {}


async def test_the_same_name_in_two_channels_is_two_pieces(tables: Tables) -> None:
    for place in (HERE, ELSEWHERE, PRIVATE):
        await add(tables, LUKE, place=place)
    await gives(tables, "Luke", "focus", place=ELSEWHERE)
    await tables.clear(Request(ANA, PRIVATE))
    assert (await tables.pieces(HERE, "xwing"))["Luke"].tokens == {}
    assert (await tables.pieces(ELSEWHERE, "xwing"))["Luke"].tokens == {"focus": 1}
    assert await tables.pieces(PRIVATE, "xwing") == {}


async def test_a_step_tells_what_it_changed(tables: Tables) -> None:
    await add(tables, LUKE, VADER)
    stepped = await tables.step(Request(ANA, HERE), "xwing", "Vader leaves", lambda _: {"Vader": None, "Luke": LUKE})
    assert stepped.before == {"Luke": LUKE, "Vader": VADER}
    assert stepped.after == {"Luke": LUKE}
    assert stepped.changed == ("Vader",), "Luke is what he was"


async def test_a_step_that_is_refused_changes_nothing(tables: Tables) -> None:
    await add(tables, LUKE)
    with pytest.raises(PlayerError):
        await gives(tables, "Luke", "focus", -1)
    assert await tables.pieces(HERE, "xwing") == {"Luke": LUKE}
    assert len(await tables.history(HERE)) == 1


async def test_a_name_is_found_whatever_its_case(tables: Tables) -> None:
    await add(tables, LUKE)
    stepped = await tables.step(Request(ANA, HERE), "xwing", "", lambda _: {"LUKE": replace(LUKE, hull=9)})
    assert [ship.hull for ship in stepped.after.values()] == [9]
    assert len(await tables.pieces(HERE, "xwing")) == 1


async def test_a_hundred_steps_at_once_lose_none(tables: Tables) -> None:
    await add(tables, launch("Luke", hull=30), launch("Vader", hull=30))
    await asyncio.gather(*(gives(tables, ("Luke", "Vader")[i % 2], "facedown damage") for i in range(50)))
    fleet = await tables.pieces(HERE, "xwing")
    assert [len(ship.facedown) for ship in fleet.values()] == [25, 25]


async def test_the_first_steps_of_a_channel_may_come_at_once(tables: Tables) -> None:
    await asyncio.gather(*(add(tables, launch(f"Ship {number}", hull=3)) for number in range(8)))
    assert len(await tables.pieces(HERE, "xwing")) == 8
    assert len(await tables.history(HERE)) == 8


# What rolls spend


async def test_a_roll_takes_from_its_ships_in_the_same_ply(sessions: Sessions, tables: Tables, dice: Dice) -> None:
    await add(tables, give(LUKE, "focus", 1), VADER)
    dice.red("focus focus hit")
    start = await duel(sessions, tables)
    assert (await tables.pieces(HERE, "xwing"))["Luke"].tokens == {"focus": 1}, "not spent yet"
    moved = await press(sessions, start, "focus")
    fleet = await tables.pieces(HERE, "xwing")
    assert fleet["Luke"].tokens == {}
    if moved.is_waiting:
        await press(sessions, moved, "done")
        fleet = await tables.pieces(HERE, "xwing")
    assert (fleet["Vader"].shields_left, len(fleet["Vader"].facedown)) == (0, 1), "three hits on two shields"


async def test_of_100_presses_over_two_attacks_one_spends_the_token(
    sessions: Sessions, tables: Tables, dice: Dice, file: Path
) -> None:
    await add(tables, give(LUKE, "focus", 1), VADER)
    dice.red("focus focus blank focus blank blank")
    attacks = [await duel(sessions, tables) for _ in range(2)]
    presses = (press(sessions, attacks[number % 2], "focus") for number in range(100))
    heard = await asyncio.gather(*presses, return_exceptions=True)
    assert sum(isinstance(item, Played) for item in heard) == 1
    assert {type(item) for item in heard} <= {Played, StaleCardError, PlayerError}
    assert sum(type(item) is PlayerError for item in heard) == 50, "the other attack hears that the token is gone"
    assert (await tables.pieces(HERE, "xwing"))["Luke"].tokens == {}
    with sqlite3.connect(file) as stranger:
        (spent,) = stranger.execute("SELECT count(*) FROM ply WHERE offer = 'focus'").fetchone()
    stranger.close()
    assert spent == 1


async def test_what_the_ships_refuse_is_not_stored(sessions: Sessions, tables: Tables, dice: Dice) -> None:
    await add(tables, give(LUKE, "focus", 1), VADER)
    dice.red("focus focus blank")
    start = await duel(sessions, tables)
    await gives(tables, "Luke", "focus", -1)
    with pytest.raises(PlayerError, match="Luke has no focus"):
        await press(sessions, start, "focus")
    assert (await press(sessions, start, "done")).ply == 1


async def test_a_roll_without_pieces_costs_no_statement_more(
    sessions: Sessions, tables: Tables, dice: Dice, database: Database, engine: str
) -> None:
    """The session, its seat and its ply; then the newest ply and the next one. PostgreSQL locks the roll first."""
    await add(tables, LUKE)
    dice.red("hit blank hit blank")
    await loose(sessions)
    statements: list[str] = []
    with listening(database, statements):
        played = await loose(sessions)
        assert [words.split()[0] for words in statements] == ["INSERT"] * 3
        statements.clear()
        dice.red("hit")
        await press(sessions, played, "cocked", ANA, "red-0")
    lock = [] if engine == "sqlite" else ["SELECT"]
    assert [words.split()[0] for words in statements] == [*lock, "SELECT", "INSERT"]


@contextmanager
def listening(database: Database, statements: list[str]) -> Iterator[None]:
    """Write down what the database is asked meanwhile, but for the beginning and the end of transactions."""

    def hear(sql: str) -> None:
        if sql.split()[0] not in ("BEGIN", "COMMIT"):
            statements.append(sql)

    def hear_engine(*heard: Any) -> None:
        hear(heard[2])

    if database.is_shared:
        event.listen(Engine, "before_cursor_execute", hear_engine)
        yield
        event.remove(Engine, "before_cursor_execute", hear_engine)
    else:
        assert database._only._kept is not None, "it was used before"
        connection = database._only._kept._direct._own
        connection.set_trace_callback(hear)
        yield
        connection.set_trace_callback(None)


# Undo


async def take_back(tables: Tables, by: Person = ANA, *, consent: Person = CLEO) -> UndoneStep:
    """Take back the last thing; where somebody must allow it, ``consent`` does, as a GM."""
    result = await tables.undo(Request(by, HERE))
    if isinstance(result, UndoRequest):
        allowed = await tables.answer(Request(consent, HERE, is_gm=True), result.request, allow=True)
        assert allowed is not None
        return allowed
    return result


async def test_the_same_choice_gives_the_same_dice_again(sessions: Sessions, tables: Tables, dice: Dice) -> None:
    dice.red("blank hit")
    start = await loose(sessions)
    dice.red("crit")
    first = await press(sessions, start, "reroll", ANA, "red-0")
    undone = (await take_back(tables)).roll
    assert undone is not None
    assert (undone.ply, undone.state) == (2, start.state), "a new ply with the state before"
    again = await press(sessions, undone, "reroll", ANA, "red-0")  # no die is prescribed: it would fail to roll
    assert again.state == first.state


async def test_another_choice_uses_the_recorded_draws(sessions: Sessions, tables: Tables, dice: Dice) -> None:
    dice.red("hit blank")
    start = await loose(sessions)
    dice.red("crit focus")
    await press(sessions, start, "reroll", ANA, "red-0", "red-1")
    undone = there((await take_back(tables)).roll)
    roll = await press(sessions, undone, "add-red")
    assert faces(roll) == ["hit", "blank", "crit"], "another purpose, but the first that was seen"
    two = await press(sessions, roll, "reroll", ANA, "red-1")
    assert faces(two) == ["hit", "focus", "crit"], "what is left over comes next"
    dice.red("hit")
    assert faces(await press(sessions, two, "reroll", ANA, "red-2")) == ["hit", "focus", "hit"], "then new ones"


async def test_undoing_twice_goes_back_two_and_keeps_the_order(sessions: Sessions, tables: Tables, dice: Dice) -> None:
    dice.red("blank")
    start = await loose(sessions, red=1)
    dice.red("hit")
    roll = await press(sessions, start, "add-red")
    dice.red("crit")
    await press(sessions, roll, "add-red")
    first = (await take_back(tables)).roll
    second = (await take_back(tables)).roll
    assert first is not None
    assert second is not None
    assert (first.state, second.state) == (roll.state, start.state)
    played = await press(sessions, there(second), "add-red")
    assert faces(await press(sessions, played, "add-red")) == ["blank", "hit", "crit"]


def there(played: Played | None) -> Played:
    assert played is not None
    return played


async def test_an_opening_taken_back_closes_the_roll_and_its_dice_open_the_next(
    sessions: Sessions, tables: Tables, dice: Dice
) -> None:
    dice.red("crit focus")
    start = await loose(sessions)
    undone = there((await take_back(tables)).roll)
    assert undone.is_closed
    assert undone.offers == ()
    with pytest.raises(StaleCardError) as caught:
        await press(sessions, start, "add-red")
    assert caught.value.newest == undone

    dice.red("hit blank")
    assert faces(await loose(sessions, ELSEWHERE)) == ["hit", "blank"], "another channel's dice are its own"
    dice.red("blank")
    assert faces(await loose(sessions, red=3)) == ["crit", "focus", "blank"]
    dice.red("hit")
    assert faces(await loose(sessions, red=1)) == ["hit"], "they come once"


async def test_draws_left_over_by_an_opening_wait_in_that_roll(sessions: Sessions, tables: Tables, dice: Dice) -> None:
    dice.red("crit focus")
    await loose(sessions)
    await take_back(tables)
    roll = await loose(sessions, red=1)
    assert faces(roll) == ["crit"]
    assert faces(await press(sessions, roll, "add-red")) == ["crit", "focus"]


async def test_pieces_come_back_as_they_were(sessions: Sessions, tables: Tables, dice: Dice) -> None:
    await add(tables, give(LUKE, "focus", 1), VADER)
    before = await tables.pieces(HERE, "xwing")
    dice.red("focus focus hit")
    start = await duel(sessions, tables)
    moved = await press(sessions, start, "focus")
    while moved.is_waiting:
        moved = await press(sessions, moved, "done", ANA if moved.offers[0].side is Side.ATTACKER else BO)
    for _ in range(moved.ply + 1):
        await take_back(tables)
    assert await tables.pieces(HERE, "xwing") == before

    again = await duel(sessions, tables)
    assert again.state == start.state, "the dice that were seen"


async def test_undoing_never_loses_a_piece(tables: Tables) -> None:
    await add(tables, LUKE)
    await gives(tables, "Luke", "focus", 2)
    await add(tables, VADER)
    held = await tables.pieces(HERE, "xwing")
    assert set(await tables.clear(Request(ANA, HERE))) == {"Luke", "Vader"}
    assert await tables.pieces(HERE, "xwing") == {}
    assert (await take_back(tables)).what == "clears the table: Luke, Vader"
    assert await tables.pieces(HERE, "xwing") == held
    for _ in range(3):
        await take_back(tables)
    assert await tables.pieces(HERE, "xwing") == {}
    with pytest.raises(PlayerError, match="nothing to take back"):
        await take_back(tables)


async def test_undo_has_one_order_over_rolls_and_steps(sessions: Sessions, tables: Tables, dice: Dice) -> None:
    await add(tables, LUKE)
    dice.red("hit")
    await loose(sessions, red=1)
    await gives(tables, "Luke", "focus")
    assert (await take_back(tables)).what == "Luke: 1 focus"
    assert there((await take_back(tables)).roll).is_closed
    assert (await take_back(tables)).what == "ships come"


async def test_only_the_one_who_pressed_or_a_gm_takes_back(sessions: Sessions, tables: Tables) -> None:
    await add(tables, LUKE)
    await gives(tables, "Luke", "focus", by=BO)
    with pytest.raises(NotYourPlyError, match="Bo's"):
        await take_back(tables)
    await tables.undo(Request(CLEO, HERE, is_gm=True))
    assert (await tables.pieces(HERE, "xwing"))["Luke"].tokens == {}
    with pytest.raises(PlayerError, match="nothing to take back"):
        await tables.undo(Request(CLEO, ELSEWHERE, is_gm=True))


async def test_a_seat_taken_by_a_press_is_free_again(sessions: Sessions, tables: Tables, dice: Dice) -> None:
    start = await sessions.open(Request(ANA, HERE), RollOpening(GAMES["xwing"], Declared(attack=LineUp(dice=1))))
    dice.red("hit")
    dice.green("blank")
    filled = {"agility": "1", "tokens": ""}
    await sessions.choose(Request(BO, HERE), Address(start.session, 0, "defend"), Choice("defend", filled=filled))
    undone = there((await take_back(tables, BO)).roll)
    assert undone.seats == {Side.ATTACKER: ANA}
    dice.red("crit")
    dice.green("evade")
    taken = await sessions.choose(
        Request(CLEO, HERE), Address(undone.session, undone.ply, "defend"), Choice("defend", filled=filled)
    )
    assert isinstance(taken, Played)
    assert taken.seats[Side.DEFENDER] == CLEO
    assert faces(taken) == ["crit"], "the dice that Bo saw are not Cleo's"


async def test_a_piece_that_moved_on_unseen_is_not_overwritten(tables: Tables, file: Path) -> None:
    await add(tables, LUKE)
    with sqlite3.connect(file) as stranger:
        stranger.execute("UPDATE piece SET body = replace(body, '\"hull\":4', '\"hull\":5')")
    stranger.close()
    with pytest.raises(PlayerError, match="Luke has changed"):
        await tables.undo(Request(ANA, HERE, is_gm=True))
    assert (await tables.pieces(HERE, "xwing"))["Luke"].hull == 5


async def test_of_many_who_take_back_at_once_each_takes_one(tables: Tables) -> None:
    await add(tables, LUKE)
    for _ in range(9):
        await gives(tables, "Luke", "focus")
    undone = await asyncio.gather(*(take_back(tables) for _ in range(12)), return_exceptions=True)
    assert sum(isinstance(item, PlayerError) for item in undone) == 2
    assert await tables.pieces(HERE, "xwing") == {}


@pytest.mark.parametrize("seed", seeds(range(12)))
async def test_undoing_walks_back_through_everything(sessions: Sessions, tables: Tables, dice: Dice, seed: int) -> None:
    """A random walk of rolls, presses and steps; then every undo gives what was there before, to the empty table."""
    chance = random.Random(seed)
    dice.will_show(*(chance.randrange(8) for _ in range(500)))
    rolls: dict[int, Played] = {}
    past = []

    async def look() -> tuple[object, ...]:
        now = await tables.pieces(HERE, "xwing")
        return now, {key: roll.state for key, roll in rolls.items()}

    for _ in range(20):
        past.append(await look())
        kind = chance.choice(["step", "step", "open", "press", "press"])
        fleet = await tables.pieces(HERE, "xwing")
        if kind == "step" or not rolls:
            name = f"Ship {chance.randrange(4)}"
            new = give(fleet[name], "focus", 1) if name in fleet else launch(name, hull=3)
            gone = name in fleet and (fleet[name].has("focus") >= 2 or chance.random() < 0.3)
            await tables.step(Request(ANA, HERE), "xwing", name, returning({name: None if gone else new}))
        elif kind == "open":
            opened = await loose(sessions)
            rolls[opened.session] = opened
        else:
            roll = rolls[chance.choice(list(rolls))]
            if roll.offers:
                rolls[roll.session] = await press(sessions, roll, "cocked", ANA, "red-0")
        if not rolls:
            opened = await loose(sessions)
            rolls[opened.session] = opened
            past.append((await tables.pieces(HERE, "xwing"), {}))
    dice.waiting.clear()
    for before in reversed(past):
        undone = await take_back(tables)
        if undone.roll is not None and undone.roll.is_closed:
            del rolls[undone.roll.session]
        elif undone.roll is not None:
            rolls[undone.roll.session] = undone.roll
        assert await look() == before
    assert await tables.pieces(HERE, "xwing") == {}


def returning(changes: dict[str, Ship | None]) -> Any:
    return lambda _: changes


def test_recorded_draws_of_other_dice_wait() -> None:
    fresh = iter((99, 98, 97))
    seen = [Draw(8, 1, "red rolled"), Draw(20, 2, "d20 rolled"), Draw(8, 3, "green rolled")]
    rng = recorder(lambda _: next(fresh), seen)
    assert [rng.in_pool("d20 rolled")(20), rng(6), rng.in_pool("red rerolled lock")(8)] == [2, 99, 1]
    assert [draw.is_replayed for draw in rng.draws] == [True, False, True]
    assert rng.unused_redraws == [Draw(8, 3)]


# Steps for which dice fall


async def hazard(tables: Tables, by: Person = ANA, what: str = "asteroid", place: Place = HERE, **more: Any) -> str:
    """Luke moves through an obstacle; the face of the die."""
    faces = []

    def change(table: Mapping[str, Any], rng: Rng) -> BoardChange:
        happened = obstacle(table, "Luke", find_hazard(what), rng)
        faces.append(str(happened.die.face))
        return BoardChange(happened.changes, f"moves Luke through: {what}")

    asked = Request(by, place, **more)
    await tables.roll_step(asked, "xwing", change, of=["Luke"])
    return faces[0]


@pytest.fixture
def rolling(database: Database, dice: Dice) -> Tables:
    return Tables(database, rng=dice)


async def kept_draws(database: Database) -> list[list[Any]]:
    async with database.transaction() as connection:
        result = await past.table(connection, HERE.channel_id)
        assert result is not None
        plies = await plies_of(connection, result[0])
    return [json.loads(ply.draws) for ply in plies if ply.offer == "step"]


async def test_an_obstacle_that_was_taken_back_shows_the_same_die_again(
    database: Database, rolling: Tables, dice: Dice
) -> None:
    await add(rolling, LUKE)
    dice.red("hit")
    assert await hazard(rolling) == "hit"
    asked = await rolling.undo(Request(ANA, HERE))
    assert isinstance(asked, UndoRequest), "a die fell, so somebody has to allow it"
    undone = await rolling.answer(Request(BO, HERE), asked.request, allow=True)
    assert undone is not None
    assert (await rolling.pieces(HERE, "xwing"))["Luke"] == LUKE
    await gives(rolling, "Luke", "focus")
    assert await hazard(rolling) == "hit", "no other die falls, whatever came between"
    dice.red("blank")
    assert await hazard(rolling) == "blank", "the next one is new"
    drawn = [draws for draws in await kept_draws(database) if draws]
    assert [len(draws[0]) == 4 for draws in drawn] == [False, True, False]


async def test_the_die_of_an_obstacle_waits_for_its_person_whatever_they_roll(rolling: Tables, dice: Dice) -> None:
    await add(rolling, LUKE)
    alone = replace(HERE, is_alone=True)
    dice.red("crit")
    assert await hazard(rolling) == "crit"
    await rolling.undo(Request(ANA, alone))
    dice.red("blank")
    assert await hazard(rolling, by=BO, is_gm=True) == "blank"
    assert await hazard(rolling, what="blaze") == "crit", "it has waited for a die of 8 sides"
    dice.red("focus")
    assert await hazard(rolling) == "focus"


async def test_two_obstacles_taken_back_come_again_in_their_order(rolling: Tables, dice: Dice) -> None:
    await add(rolling, LUKE)
    alone = replace(HERE, is_alone=True)
    dice.red("hit focus")
    assert [await hazard(rolling), await hazard(rolling)] == ["hit", "focus"]
    await rolling.undo(Request(ANA, alone))
    await rolling.undo(Request(ANA, alone))
    assert [await hazard(rolling), await hazard(rolling)] == ["hit", "focus"]


async def test_a_die_that_changes_nothing_is_kept(database: Database, rolling: Tables, dice: Dice) -> None:
    await add(rolling, LUKE)
    dice.red("blank")
    assert await hazard(rolling, what="blaze") == "blank"
    assert [[draw[:2] for draw in draws] for draws in await kept_draws(database)] == [[], [[8, dice_blank()]]]
    assert isinstance(await rolling.undo(Request(ANA, HERE)), UndoRequest)


def dice_blank() -> int:
    return Pool.RED.faces.index(Face.BLANK)


async def test_a_step_that_is_refused_leaves_what_waits(rolling: Tables, dice: Dice) -> None:
    await add(rolling, LUKE)
    dice.red("crit")
    await hazard(rolling)
    await rolling.undo(Request(ANA, replace(HERE, is_alone=True)))

    def refused(table: Mapping[str, Any], rng: Rng) -> BoardChange:
        obstacle(table, "Luke", find_hazard("asteroid"), rng)
        raise PlayerError(Text("No."))

    with pytest.raises(PlayerError, match="No"):
        await rolling.roll_step(Request(ANA, HERE), "xwing", refused)
    assert await hazard(rolling) == "crit"


# History


async def test_what_was_taken_back_stays_in_the_history(sessions: Sessions, tables: Tables, dice: Dice) -> None:
    await add(tables, LUKE)
    dice.red("hit")
    await loose(sessions, red=1)
    await tables.undo(Request(BO, HERE, is_gm=True))
    told = [(entry.game, entry.offer, entry.is_undone, entry.person_id) for entry in await tables.history(HERE)]
    assert told == [
        ("xwing", "close", False, BO.id),
        ("xwing", "open", True, ANA.id),
        ("table", "step", False, ANA.id),
    ]


async def test_the_history_is_of_one_channel_and_can_be_filtered(
    sessions: Sessions, tables: Tables, dice: Dice
) -> None:
    await add(tables, LUKE, place=ELSEWHERE)
    await add(tables, LUKE)
    await gives(tables, "Luke", "focus", by=BO)
    dice.red("hit")
    await loose(sessions, red=1)
    assert [entry.game for entry in await tables.history(HERE)] == ["xwing", "table", "table"]
    assert [entry.what for entry in await tables.history(HERE, person=BO.id)] == ["Luke: 1 focus"]
    (roll,) = await tables.history(HERE, game="xwing")
    assert there(roll.roll).seats == {Side.ATTACKER: ANA}
    assert len(await tables.history(HERE, most=1)) == 1
    assert await tables.history(PRIVATE) == ()


async def test_open_rolls_are_those_on_which_somebody_may_act(sessions: Sessions, tables: Tables, dice: Dice) -> None:
    waiting = await sessions.open(Request(ANA, HERE), RollOpening(GAMES["xwing"], Declared(attack=LineUp(dice=1))))
    dice.red("hit")
    await sessions.open(
        Request(ANA, HERE), RollOpening(GAMES["xwing"], Declared(attack=LineUp(dice=1), defense=LineUp()))
    )
    assert [roll.session for roll in await tables.rolls(HERE)] == [waiting.session]
    assert await tables.rolls(ELSEWHERE) == ()


# The call


async def test_in_a_call_of_two_the_other_one_is_the_opponent(sessions: Sessions) -> None:
    called = Place(12, 11, (ANA, BO))
    played = await sessions.open(Request(ANA, called), RollOpening(GAMES["xwing"], Declared(attack=LineUp(dice=1))))
    assert played.seats == {Side.ATTACKER: ANA, Side.DEFENDER: BO}
    named = await sessions.open(
        Request(ANA, called), RollOpening(GAMES["xwing"], Declared(attack=LineUp(dice=1)), opponent=CLEO)
    )
    assert named.seats[Side.DEFENDER] == CLEO
    outside = await sessions.open(Request(CLEO, called), RollOpening(GAMES["xwing"], Declared(attack=LineUp(dice=1))))
    assert outside.seats == {Side.ATTACKER: CLEO}, "who is not in the call has no others in it"


async def test_in_a_larger_call_an_open_seat_belongs_to_the_others_of_it(sessions: Sessions, dice: Dice) -> None:
    dee = Person(4, "Dee")
    called = Place(12, 11, (ANA, BO, CLEO))
    start = await sessions.open(Request(ANA, called), RollOpening(GAMES["xwing"], Declared(attack=LineUp(dice=1))))
    assert start.seats == {Side.ATTACKER: ANA}
    defend = Choice("defend", filled={"agility": "0", "tokens": ""})
    with pytest.raises(NotYourSideError, match="the others in the call"):
        await sessions.choose(Request(dee, called), Address(start.session, 0, "defend"), defend)
    dice.red("hit")
    taken = await sessions.choose(Request(CLEO, called), Address(start.session, 0, "defend"), defend)
    assert isinstance(taken, Played)
    assert taken.seats[Side.DEFENDER] == CLEO


async def test_the_record_of_a_ply_says_what_it_changed(tables: Tables, file: Path) -> None:
    await add(tables, LUKE)
    await gives(tables, "Luke", "focus")
    with sqlite3.connect(file) as stranger:
        (text,) = stranger.execute("SELECT changes FROM ply ORDER BY id DESC LIMIT 1").fetchone()
    stranger.close()
    (change,) = json.loads(text)
    assert (change["piece"], change["game"]) == ("Luke", "xwing")
    assert json.loads(change["before"]["body"])["tokens"] == {}
    assert json.loads(change["after"]["body"])["tokens"] == {"focus": 1}
