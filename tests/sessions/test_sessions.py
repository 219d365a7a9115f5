"""Rolls in play, on a real file: what is kept, who may move, and what happens to whoever comes second."""

import asyncio
import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from bot.games import GAMES
from bot.rules import xwing
from bot.rules.errors import BadInputError, NotOfferedError, UnknownWordError
from bot.rules.game import Choice, Offer, Side
from bot.rules.xwing.dice.declared import Declared, LineUp
from bot.rules.xwing.dice.loose_dice import LooseDice as Loose
from bot.sessions.request import Person, Place, Request
from bot.sessions.roll import Address, NotYourSideError, Played, StaleCardError, UnknownRollError
from bot.sessions.sessions import RollOpening, Sessions
from bot.store import sessions as rows
from bot.store.database import Database
from tests.conftest import Dice
from tests.plies import plies_of

ANA, BO, CLEO = Person(1, "Ana"), Person(2, "Bo"), Person(3, "Cleo")
HERE, ELSEWHERE = Place(12, 11), Place(13, 11)
FORM = {"agility": "1", "tokens": "evade"}


def attack(agility: int | None = None, *, focus: int = 0, calculate: int = 0, lock: int = 0) -> Declared:
    defense = None if agility is None else LineUp(dice=agility)
    return Declared(attack=LineUp(dice=2, focus=focus, calculate=calculate, lock=lock), defense=defense)


async def opened(sessions: Sessions, declared: object, opponent: Person | None = None) -> Played:
    return await sessions.open(Request(ANA, HERE), RollOpening(GAMES["xwing"], declared, opponent=opponent))


async def press(
    sessions: Sessions, played: Played, offer: str, by: Person = ANA, filled: dict[str, str] | None = None
) -> Played:
    address = Address(played.session, played.ply, offer)
    moved = await sessions.choose(Request(by, HERE), address, Choice(offer, filled=filled))
    assert isinstance(moved, Played)
    return moved


async def plies(database: Database, session: int) -> tuple[rows.Ply, ...]:
    async with database.transaction() as connection:
        return await plies_of(connection, session)


async def test_what_was_declared_drawn_and_chosen_is_kept(sessions: Sessions, database: Database, dice: Dice) -> None:
    dice.red("focus crit")
    dice.green("blank")
    start = await opened(sessions, attack(focus=1, agility=1), BO)
    end = await press(sessions, start, "focus")
    assert xwing.outcome(end.state)["crits"] == 1

    first, second = await plies(database, start.session)
    assert (first.number, first.person_id, first.offer) == (0, ANA.id, "open")
    assert (second.number, second.person_id, second.offer) == (1, ANA.id, "focus")
    assert json.loads(first.draws) == [[8, 4, "red rolled"], [8, 3, "red rolled"]], "two dice of eight faces"
    assert json.loads(second.draws) == [[8, 5, "green rolled"]]


async def test_the_kept_draws_give_the_same_roll_again(sessions: Sessions, database: Database, dice: Dice) -> None:
    dice.red("focus blank")
    start = await opened(sessions, attack(lock=1, agility=0))
    dice.red("hit")
    address = Address(start.session, 0, "lock")
    end = await sessions.choose(Request(ANA, HERE), address, Choice("lock", ("1",)))
    assert isinstance(end, Played)

    drawn = [draw for ply in await plies(database, start.session) for _, draw, _ in json.loads(ply.draws)]
    again = Dice()
    again.will_show(*drawn)
    state = xwing.choose(xwing.start(attack(lock=1, agility=0), again), Choice("lock", ("1",)), again)
    assert state == end.state


async def test_what_the_rules_refuse_is_not_kept(sessions: Sessions, file: Path) -> None:
    with pytest.raises(BadInputError):
        await opened(sessions, replace(attack(agility=1), range=0, ordnance=True))
    stranger = sqlite3.connect(file)
    assert stranger.execute("SELECT count(*) FROM session").fetchone() == (0,)
    stranger.close()


async def test_seats_are_taken_by_name_or_by_the_first_other_person(sessions: Sessions, dice: Dice) -> None:
    named = await opened(sessions, attack(), BO)
    assert named.seats == {Side.ATTACKER: ANA, Side.DEFENDER: BO}
    with pytest.raises(NotYourSideError, match=r"Bo \(defender\)"):
        await press(sessions, named, "defend", CLEO, FORM)

    free = await opened(sessions, attack())
    assert free.seats == {Side.ATTACKER: ANA}
    dice.red("hit hit")
    dice.green("blank")
    taken = await press(sessions, free, "defend", CLEO, FORM)
    assert taken.seats == {Side.ATTACKER: ANA, Side.DEFENDER: CLEO}
    with pytest.raises(NotYourSideError, match=r"Cleo \(defender\)"):
        await press(sessions, taken, "evade", BO)
    assert not (await press(sessions, taken, "evade", CLEO)).is_waiting


async def test_the_attacker_cannot_take_the_other_seat(sessions: Sessions) -> None:
    free = await opened(sessions, attack())
    with pytest.raises(NotYourSideError, match="You're playing the other side"):
        await press(sessions, free, "defend", ANA, FORM)


async def test_a_form_is_handed_out_and_nothing_is_kept(sessions: Sessions, database: Database) -> None:
    free = await opened(sessions, attack())
    form = await sessions.choose(Request(BO, HERE), Address(free.session, 0, "defend"), Choice("defend"))
    assert isinstance(form, Offer)
    assert [field.key for field in form.fields] == ["agility", "tokens", "camera"]
    assert len(await plies(database, free.session)) == 1


async def test_a_form_that_does_not_parse_seats_nobody(sessions: Sessions, dice: Dice) -> None:
    free = await opened(sessions, attack())
    with pytest.raises(UnknownWordError):
        await press(sessions, free, "defend", BO, {"agility": "1", "tokens": "nonsense"})
    dice.red("blank blank")
    dice.green("blank")
    taken = await press(sessions, free, "defend", CLEO, {"agility": "1", "tokens": ""})
    assert taken.seats[Side.DEFENDER] == CLEO


async def test_of_many_presses_at_once_one_counts(sessions: Sessions, database: Database, dice: Dice) -> None:
    dice.red("focus hit")
    start = await opened(sessions, attack(focus=1, agility=0))
    presses = (press(sessions, start, "focus" if i % 2 else "done") for i in range(50))
    results = await asyncio.gather(*presses, return_exceptions=True)
    (winner,) = [result for result in results if isinstance(result, Played)]
    losers = [result for result in results if isinstance(result, StaleCardError)]
    assert len(losers) == 49
    assert all(loser.newest == winner for loser in losers), "each hears how the roll hits"
    assert len(await plies(database, start.session)) == 2


async def test_of_many_who_want_the_seat_one_sits(sessions: Sessions, dice: Dice) -> None:
    free = await opened(sessions, attack())
    dice.red("focus hit")
    dice.green("blank")
    crowd = [Person(100 + number, f"No {number}") for number in range(20)]
    presses = (press(sessions, free, "defend", person, {"agility": "1", "tokens": ""}) for person in crowd)
    results = await asyncio.gather(*presses, return_exceptions=True)
    assert sum(isinstance(result, StaleCardError) for result in results) == 19
    (winner,) = [result for result in results if isinstance(result, Played)]
    assert winner.seats[Side.DEFENDER] in crowd


async def test_a_press_of_an_earlier_or_later_card_is_settled(sessions: Sessions, dice: Dice) -> None:
    dice.red("focus focus")
    start = await opened(sessions, attack(focus=1, calculate=1, agility=0))
    moved = await press(sessions, start, "calculate")
    for ply in (0, 7):
        with pytest.raises(StaleCardError) as caught:
            await press(sessions, replace(start, ply=ply), "focus")
        assert caught.value.newest == moved


async def test_what_is_not_offered_is_refused(sessions: Sessions, dice: Dice) -> None:
    dice.red("blank blank")
    start = await opened(sessions, attack(lock=1, agility=0))
    for offer in ("focus", "defend", "nonsense"):
        with pytest.raises(NotOfferedError):
            await press(sessions, start, offer)


async def test_a_roll_is_known_in_its_own_channel_only(sessions: Sessions, dice: Dice) -> None:
    dice.red("focus hit")
    start = await opened(sessions, attack(focus=1, agility=0))
    with pytest.raises(UnknownRollError):
        await sessions.choose(Request(ANA, ELSEWHERE), Address(start.session, 0, "done"), Choice("done"))
    with pytest.raises(UnknownRollError):
        await sessions.choose(Request(ANA, HERE), Address(start.session + 1, 0, "done"), Choice("done"))


async def test_a_roll_of_a_game_that_is_gone_is_unknown(sessions: Sessions, dice: Dice, file: Path) -> None:
    dice.red("focus hit")
    start = await opened(sessions, attack(focus=1, agility=0))
    with sqlite3.connect(file) as stranger:
        stranger.execute("UPDATE session SET game = 'ludo'")
    stranger.close()
    with pytest.raises(UnknownRollError):
        await press(sessions, start, "done")


async def test_a_press_that_is_canceled_leaves_nothing_behind(
    sessions: Sessions, database: Database, dice: Dice
) -> None:
    dice.red("focus hit")
    start = await opened(sessions, attack(focus=1, agility=0))
    pressing = asyncio.create_task(press(sessions, start, "focus"))
    await asyncio.sleep(0)
    pressing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await pressing
    assert len(await plies(database, start.session)) == 1
    assert (await press(sessions, start, "focus")).ply == 1


async def test_loose_dice_go_on_as_long_as_anybody_likes(sessions: Sessions, dice: Dice) -> None:
    dice.red("hit")
    played = await opened(sessions, Loose(red=1))
    for number in range(1, 6):
        dice.red("crit")
        address = Address(played.session, played.ply, "cocked")
        moved = await sessions.choose(Request(ANA, HERE), address, Choice("cocked", ("red-0",)))
        assert isinstance(moved, Played)
        played = moved
        assert played.ply == number
