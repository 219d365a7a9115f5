"""Sealed tables on a real file: the way to a seal, dice by the protocol in every game, the end, and what is refused."""

import asyncio
import json
import logging
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot import logging_setup
from bot.fair.protocol import commitment, hidden_commitment
from bot.fair.transcript import TABLE, ChainPly, HiddenPly, Transcript
from bot.fair.verify import verify
from bot.games import GAMES
from bot.games.xwing import GAME as XWING
from bot.rules.dice import Rng
from bot.rules.errors import PlayerError
from bot.rules.game import Choice, Side
from bot.rules.pieces import BoardChange
from bot.rules.xwing.cards.deck import DECK_SIZE
from bot.rules.xwing.dice.declared import Declared, LineUp
from bot.rules.xwing.dice.loose_dice import LooseDice as Loose
from bot.rules.xwing.table import pieces
from bot.rules.xwing.table.obstacles import find_hazard
from bot.rules.xwing.table.ship import Ship, give, launch
from bot.rules.xwing.table.ship_damage import obstacle, typed_damage
from bot.ruleset.ruling import BUILT_IN, Rule, Ruling, Source
from bot.sessions.personal_data import PersonalData
from bot.sessions.request import Person, Place, Request
from bot.sessions.roll import Address, Played
from bot.sessions.seals import IDLE, Seals
from bot.sessions.sessions import RollOpening, Sessions
from bot.sessions.tables import Tables
from bot.sessions.undo import UndoRequest
from bot.store.database import Database
from tests.conftest import Dice
from tests.fair.checkers import by_the_bot, by_the_script, read
from tests.fair.evenings import ANA, BO, CLEO, HERE, LUKE, SEAL_MESSAGE, Evening, ask, compare, no_secrets, seal
from tests.seeds import seeds

ELSEWHERE = Place(445, 555)
LEAGUE = Ruling(((Source.CHANNEL, {"sealed": Rule(True)}),))


@pytest.fixture
def seals(database: Database) -> Seals:
    return Seals(database)


@pytest.fixture
def sessions(database: Database) -> Sessions:
    return Sessions(database, no_secrets)


async def loose(sessions: Sessions, place: Place = HERE, red: int = 3) -> Played:
    return await sessions.open(Request(ANA, place), RollOpening(GAMES["xwing"], Loose(red=red)))


async def again(sessions: Sessions, played: Played) -> Played:
    moved = await sessions.choose(Request(ANA, HERE), Address(played.session, played.ply, "again"), Choice("again"))
    assert isinstance(moved, Played)
    return moved


async def end(seals: Seals, place: Place = HERE) -> Transcript:
    ended = await seals.unseal(Request(ANA, place))
    assert ended is not None
    return read(ended.file)


def opened(plies: Iterable[ChainPly | HiddenPly]) -> list[ChainPly]:
    """Plies of which none is hidden."""
    return [ply for ply in plies if isinstance(ply, ChainPly)]


def assert_fits(file: bytes) -> None:
    assert by_the_bot(file) == by_the_script(file) == ""


# Whole evenings


@pytest.mark.parametrize("seed", seeds(range(6)))
async def test_every_die_of_a_whole_evening_fits_in_all_checkers(database: Database, file: Path, seed: int) -> None:
    evening = Evening(database, seed)
    ended = await evening.play(70)
    assert_fits(ended.file)
    compare(file, evening, ended)
    assert evening.undone, "something was taken back"
    assert evening.steps, "something happened on the table"


async def test_the_evenings_have_every_game_typed_dice_and_dice_that_come_again(database: Database, file: Path) -> None:
    games, typed, replayed = Counter[str](), 0, 0
    evening = Evening(database, 4)
    transcript = read((await evening.play(220)).file)
    for ply in opened(transcript.plies):
        games[ply.choice.get("game", "")] += 1
        typed += len(ply.typed)
    with closing(sqlite3.connect(file)) as connection:
        for (draws,) in connection.execute("SELECT draws FROM ply"):
            replayed += sum(len(draw) == 4 for draw in json.loads(draws))
    assert GAMES.keys() <= games.keys()
    assert typed
    assert replayed


# The way to a seal


async def test_the_key_is_committed_to_before_anybody_speaks(seals: Seals, file: Path) -> None:
    asked = await ask(seals, HERE, ANA, None)
    with closing(sqlite3.connect(file)) as connection:
        ((*keys,),) = connection.execute("SELECT key, hidden_key FROM seal").fetchall()
    key, hidden_key = map(bytes.fromhex, keys)
    assert asked.commitment == commitment(key, hidden_commitment(hidden_key))
    assert asked.words == ()


async def test_a_table_is_sealed_with_the_words_and_the_id_of_the_message(seals: Seals) -> None:
    mark = await seal(seals, words={BO: " e\u0301 ", ANA: "luck"})
    transcript = await end(seals)
    assert transcript.header.players == (("111", "luck", None), ("222", "é", None))
    assert (transcript.header.seal, transcript.header.channel, transcript.header.application) == (
        str(SEAL_MESSAGE),
        "444",
        "999",
    )
    assert (mark.place, mark.digits) == (0, transcript.hashes[0][:8])


async def test_both_players_give_a_word(seals: Seals) -> None:
    asked = await ask(seals, HERE, ANA, BO)
    with pytest.raises(PlayerError, match="Only someone who has given a seed word can seal the table"):
        await seals.ready_to_seal(Request(ANA, HERE), asked.seal_id)
    await seals.give_word(Request(ANA, HERE), asked.seal_id, "luck")
    with pytest.raises(
        PlayerError,
        match=(r"I still need a seed word; the message above says from whom. Wait for it, then press Seal again"),
    ):
        await seals.ready_to_seal(Request(ANA, HERE), asked.seal_id)
    await seals.give_word(Request(BO, HERE), asked.seal_id, "dice")
    assert [word.word for word in (await seals.ready_to_seal(Request(ANA, HERE), asked.seal_id)).words] == [
        "luck",
        "dice",
    ]


async def test_in_a_call_of_two_the_other_one_gives_a_word_too(seals: Seals) -> None:
    asked = await ask(seals, Place(444, 555, call=(ANA, BO)), ANA, None)
    assert asked.missing == (111, 222)


async def test_only_the_two_of_a_seal_of_two_give_a_word(seals: Seals) -> None:
    asked = await ask(seals, HERE, ANA, BO)
    for person in (ANA, BO):
        await seals.give_word(Request(person, HERE), asked.seal_id, "luck")
    with pytest.raises(PlayerError, match="This seal is for two players, and you aren't one of them"):
        await seals.give_word(Request(CLEO, HERE), asked.seal_id, "me too")
    with pytest.raises(PlayerError, match="This seal is for two players"):
        await seals.check_waiting(Request(CLEO, HERE), asked.seal_id)
    assert len((await seals.ready_to_seal(Request(ANA, HERE), asked.seal_id)).words) == 2


async def test_where_nobody_is_named_those_who_play_at_the_table_give_a_word(
    database: Database, seals: Seals, tables: Tables, dice: Dice
) -> None:
    sessions = Sessions(database, dice)
    asked = await ask(seals, HERE, ANA, None)
    with pytest.raises(PlayerError, match="You aren't playing at this table yet, so it needs no seed word from you"):
        await seals.give_word(Request(BO, HERE), asked.seal_id, "dice")
    dice.red("hit hit hit")
    await sessions.open(Request(BO, HERE), RollOpening(GAMES["xwing"], Loose(red=3)))
    await seals.give_word(Request(BO, HERE), asked.seal_id, "dice")
    number = (await tables.player(HERE, CLEO)).id
    with pytest.raises(PlayerError, match="You aren't playing at this table yet"):
        await seals.give_word(Request(CLEO, HERE), asked.seal_id, "me too")
    await tables.step(Request(CLEO, HERE), "xwing", "Luke comes", lambda _: {"Luke": replace(LUKE, owner=number)})
    await seals.give_word(Request(CLEO, HERE), asked.seal_id, "me too")


async def test_in_a_call_everybody_there_gives_a_word(seals: Seals) -> None:
    call = Place(444, 555, call=(ANA, BO, CLEO))
    asked = await ask(seals, call, ANA, None)
    assert [word.person_id for word in (await seals.give_word(Request(CLEO, call), asked.seal_id, "me too")).words] == [
        CLEO.id
    ]


async def test_nobody_seals_the_table_of_others(database: Database, seals: Seals, dice: Dice) -> None:
    dice.red("focus")
    attack = XWING.rules.declare({"attack": {"dice": 1, "focus": 1}, "defense": {"dice": 1}})
    await Sessions(database, dice).open(Request(ANA, HERE), RollOpening(GAMES["xwing"], attack, opponent=BO))
    with pytest.raises(PlayerError, match="Only its players or a GM can seal it"):
        await ask(seals, HERE, CLEO, None)
    assert (await ask(seals, HERE, ANA, None)).missing == (ANA.id, BO.id), "with two who play, both give a word"


async def test_nobody_else_starts_a_seal_again(seals: Seals) -> None:
    asked = await ask(seals, HERE, ANA, BO)
    await seals.give_word(Request(ANA, HERE), asked.seal_id, "luck")
    with pytest.raises(PlayerError, match="Someone has already asked to seal this table"):
        await ask(seals, HERE, CLEO, None)
    await seals.give_word(Request(BO, HERE), asked.seal_id, "dice")
    assert (await ask(seals, HERE, CLEO, None, is_gm=True)).words == ()


async def test_a_word_may_be_replaced_until_the_seal_and_then_no_more(seals: Seals) -> None:
    asked = await ask(seals, HERE, ANA, None)
    await seals.give_word(Request(ANA, HERE), asked.seal_id, "first")
    asked = await seals.give_word(Request(ANA, HERE), asked.seal_id, "second")
    assert [word.word for word in asked.words] == ["second"]
    await seals.close(HERE, asked, application_id=9, message_id=8)
    with pytest.raises(PlayerError, match="This table is already sealed, so seed words can't change"):
        await seals.give_word(Request(BO, HERE), asked.seal_id, "late")
    with pytest.raises(PlayerError, match="already sealed"):
        await ask(seals, HERE, BO, None)


async def test_words_that_changed_while_the_message_was_sent_are_not_sealed(seals: Seals) -> None:
    asked = await ask(seals, HERE, ANA, BO)
    ready = await seals.give_word(Request(ANA, HERE), asked.seal_id, "first")
    await seals.give_word(Request(BO, HERE), asked.seal_id, "late")
    with pytest.raises(PlayerError, match="A seed word changed just now, so this seal doesn't count"):
        await seals.close(HERE, ready, application_id=9, message_id=8)


@pytest.mark.parametrize("typed", ["", "  ", "x" * 65, "a\nb"])
async def test_a_word_has_1_to_64_characters(seals: Seals, typed: str) -> None:
    asked = await ask(seals, HERE, ANA, None)
    with pytest.raises(PlayerError, match="A seed word must have 1 to 64"):
        await seals.give_word(Request(ANA, HERE), asked.seal_id, typed)


async def test_old_buttons_give_no_word_to_a_new_seal(seals: Seals) -> None:
    old = await ask(seals, HERE, ANA, None)
    await ask(seals, HERE, ANA, None)
    with pytest.raises(PlayerError, match="out of date"):
        await seals.give_word(Request(ANA, HERE), old.seal_id, "luck")


async def test_a_table_that_was_about_to_be_sealed_can_be_left_unsealed(seals: Seals) -> None:
    await ask(seals, HERE, ANA, None)
    assert await seals.unseal(Request(ANA, HERE)) is None
    with pytest.raises(PlayerError, match="This table isn't sealed"):
        await seals.unseal(Request(ANA, HERE))
    assert await seals.counts() == {"sealed": 0, "revealed": 0, "is_open": 0, "lost": 0}


# Rolling


async def test_cards_show_the_place_and_the_hash(sessions: Sessions, seals: Seals, tables: Tables) -> None:
    await seal(seals)
    first = await loose(sessions)
    second = await again(sessions, first)
    assert first.mark is not None
    assert second.mark is not None
    (shown, _) = await tables.rolls(HERE)
    assert shown.mark == second.mark, "also when the card is shown again"
    assert await seals.mark(HERE.channel_id) == second.mark
    assert await seals.mark(ELSEWHERE.channel_id) is None
    hashes = (await end(seals)).hashes
    assert [first.mark.digits, second.mark.digits] == [hashes[1][:8], hashes[2][:8]]
    assert (first.mark.place, second.mark.place) == (1, 2)


async def test_another_channel_is_not_sealed(database: Database, seals: Seals, dice: Dice) -> None:
    await seal(seals)
    dice.red("hit hit hit")
    played = await loose(Sessions(database, dice), ELSEWHERE)
    assert played.mark is None


async def test_a_roll_of_before_the_seal_waits_until_the_table_is_unsealed(
    database: Database, seals: Seals, tables: Tables, dice: Dice
) -> None:
    sessions = Sessions(database, dice)
    dice.red("hit hit hit")
    before = await loose(sessions)
    await seal(seals)
    with pytest.raises(PlayerError, match="before the table was sealed"):
        await again(sessions, before)
    with pytest.raises(PlayerError, match="before the table was sealed"):
        await tables.undo(Request(ANA, Place(444, 555, is_alone=True)))
    with pytest.raises(PlayerError, match="before the table was sealed"):
        await tables.seat(Request(CLEO, HERE), before.session, Side.ATTACKER, BO)
    await end(seals)
    dice.red("crit crit crit")
    assert (await again(sessions, before)).mark is None


async def test_dice_that_were_taken_back_before_the_seal_wait_until_the_table_is_unsealed(
    database: Database, seals: Seals, tables: Tables, dice: Dice
) -> None:
    sessions = Sessions(database, dice)
    dice.red("hit crit blank")
    await loose(sessions)
    await tables.undo(Request(ANA, Place(444, 555, is_alone=True)))
    await seal(seals)
    attack = Declared(attack=LineUp(dice=2, lock=1), defense=LineUp())
    start = await sessions.open(Request(ANA, HERE), RollOpening(XWING, attack, opponent=BO))
    await sessions.choose(Request(ANA, HERE), Address(start.session, start.ply, "lock"), Choice("lock", ("1",)))
    await end(seals)
    rolled = await loose(sessions)
    assert [die.face for die in rolled.game.rules.rolled(rolled.state)] == ["hit", "crit", "blank"]


async def test_a_roll_of_a_sealed_table_ends_with_it(sessions: Sessions, seals: Seals, tables: Tables) -> None:
    await seal(seals)
    played = await loose(sessions)
    await end(seals)
    with pytest.raises(PlayerError, match="has ended"):
        await again(sessions, played)
    with pytest.raises(PlayerError, match="has ended"):
        await tables.undo(Request(ANA, Place(444, 555, is_alone=True)))
    await seal(seals)
    with pytest.raises(PlayerError, match="before the table was sealed"):
        await again(sessions, played)


async def test_a_refused_press_leaves_no_gap(sessions: Sessions, seals: Seals) -> None:
    await seal(seals)
    by_hand = Ruling(((Source.CHANNEL, {"physical_dice": Rule(False)}),))
    attack = {"attack": {"dice": 1}, "defense": {"dice": 0}, "red": ["hit"]}
    with pytest.raises(PlayerError, match="by hand"):
        await sessions.open(
            Request(ANA, HERE, ruling=by_hand), RollOpening(GAMES["xwing"], XWING.rules.declare(attack))
        )
    played = await loose(sessions)
    assert played.mark is not None
    assert played.mark.place == 1
    assert by_the_bot((await unsealed(seals)).encode()) == ""


async def unsealed(seals: Seals) -> str:
    ended = await seals.unseal(Request(CLEO, HERE, is_gm=True))
    assert ended is not None
    return ended.file.decode()


async def test_two_processes_go_on_with_one_chain(database: Database, seals: Seals) -> None:
    await seal(seals)
    item, two = Sessions(database, no_secrets), Sessions(database, no_secrets)
    marks = [(await loose(process)).mark for process in (item, two, two, item, two)]
    assert [mark.place for mark in marks if mark] == [1, 2, 3, 4, 5]
    assert by_the_bot((await unsealed(seals)).encode()) == ""


async def test_many_presses_at_once_make_one_chain(sessions: Sessions, seals: Seals) -> None:
    await seal(seals)
    played = await asyncio.gather(*(loose(sessions) for _ in range(20)))
    assert sorted(roll.mark.place for roll in played if roll.mark) == list(range(1, 21))
    assert by_the_bot((await unsealed(seals)).encode()) == ""


async def test_consent_is_in_the_transcript(sessions: Sessions, seals: Seals, tables: Tables) -> None:
    await seal(seals)
    played = await loose(sessions)
    asked = await tables.undo(Request(ANA, HERE))
    assert isinstance(asked, UndoRequest)
    await tables.answer(Request(BO, HERE), asked.request, allow=True)
    second = await loose(sessions)
    assert second.state == played.state, "the same dice come again"
    plies = (await end(seals)).plies
    assert [(ply.roll, ply.offer, ply.undoes) for ply in opened(plies)] == [
        (1, "open", None),
        (1, "undo", 1),
        (3, "open", None),
    ]
    assert opened(plies)[1].choice == {"allowed_by": "222"}


async def hazard(tables: Tables, by: Person = ANA, what: str = "asteroid", ruling: Ruling = BUILT_IN) -> None:
    """Luke moves through an obstacle."""

    def change(table: Mapping[str, Any], rng: Rng) -> BoardChange:
        happened = obstacle(table, "Luke", find_hazard(what), rng)
        return BoardChange(happened.changes, f"moves Luke through: {what}")

    await tables.roll_step(Request(by, HERE, ruling=ruling), "xwing", change)


async def squadrons(database: Database, seals: Seals) -> tuple[Tables, RollOpening]:
    """Ana flies Luke, Bo flies Mauler, and the table is sealed; the opening is Luke's attack on Mauler."""
    tables = Tables(database, seals=seals, rng=no_secrets)
    ships: Mapping[str, Ship] = {}
    for person, name in ((ANA, "Luke"), (BO, "Mauler")):
        number = (await tables.player(HERE, person)).id
        new = {name: replace(launch(name, attack=3, agility=2, hull=4), owner=number)}
        ships = (await tables.step(Request(person, HERE), "xwing", f"adds {name}", lambda _, new=new: new)).after  # type: ignore[misc]  # mypy cannot tell what a default of a lambda is
    await seal(seals)
    return tables, RollOpening(XWING, pieces.declare({"attacker": "Luke", "defender": "Mauler"}, ships))


async def test_nobody_gets_rid_of_dice_through_a_friend(database: Database, seals: Seals) -> None:
    """A GM took Ana's bad attack back, nobody was asked, and made it for her: other dice, and every checker content."""
    (tables, attack), sessions = await squadrons(database, seals), Sessions(database, no_secrets, seals=seals)
    gm = Request(CLEO, HERE, is_gm=True)
    first = await sessions.open(Request(ANA, HERE), attack)
    asked = await tables.undo(gm)
    assert isinstance(asked, UndoRequest), "a GM alone never suffices"
    assert asked.people == (BO.id,), "neither Ana nor her friends are asked"
    for friend in (Request(ANA, HERE), Request(Person(9, "Gil"), HERE, is_gm=True)):
        with pytest.raises(PlayerError, match="You can't answer this request"):
            await tables.answer(friend, asked.request, allow=True)
    assert await tables.answer(Request(BO, HERE), asked.request, allow=True) is not None
    again = await sessions.open(gm, attack)
    assert again.seats[Side.ATTACKER] == CLEO
    faces = [die.face for die in XWING.rules.rolled(first.state)]
    assert [die.face for die in XWING.rules.rolled(again.state)] == faces, "they are Ana's dice, whoever presses"
    ended = await seals.unseal(Request(ANA, HERE))
    assert ended is not None
    assert_fits(ended.file)
    assert [ply.of for ply in opened(read(ended.file).plies)] == [str(ANA.id), str(CLEO.id), str(ANA.id)]
    assert "never came again" not in " ".join(verify(ended.file).warnings)


async def test_dice_that_nobody_rolls_again_are_named(database: Database, seals: Seals) -> None:
    """Nobody can make Ana attack again; but it is said."""
    (tables, attack), sessions = await squadrons(database, seals), Sessions(database, no_secrets, seals=seals)
    await sessions.open(Request(ANA, HERE), attack)
    asked = await tables.undo(Request(ANA, HERE))
    assert isinstance(asked, UndoRequest)
    await tables.answer(Request(BO, HERE), asked.request, allow=True)
    await sessions.open(Request(CLEO, HERE, is_gm=True), RollOpening(XWING, Loose(red=3)))
    ended = await seals.unseal(Request(ANA, HERE))
    assert ended is not None
    fallen = len(opened(read(ended.file).plies)[0].draws)
    assert fallen
    assert f"that were taken back and never came again: {fallen}." in " ".join(verify(ended.file).warnings)


async def test_a_roll_without_another_side_needs_somebody_else_of_the_table(
    sessions: Sessions, seals: Seals, tables: Tables
) -> None:
    await seal(seals)
    await sessions.open(Request(ANA, HERE), RollOpening(XWING, Loose(red=3)))
    asked = await tables.undo(Request(ANA, HERE))
    assert isinstance(asked, UndoRequest)
    assert asked.people == (BO.id,), "who gave a word"
    with pytest.raises(PlayerError, match="You can't answer this request"):
        await tables.answer(Request(CLEO, HERE, is_gm=True), asked.request, allow=True)
    assert await tables.answer(Request(BO, HERE), asked.request, allow=True) is not None


async def test_what_showed_no_dice_is_taken_back_as_ever(database: Database, seals: Seals) -> None:
    tables, _ = await squadrons(database, seals)
    gives = Request(ANA, HERE)
    await tables.step(gives, "xwing", "Luke gets 1 focus", lambda held: {"Luke": give(held["Luke"], "focus", 1)})
    assert not isinstance(await tables.undo(gives), UndoRequest)


async def test_an_obstacle_at_a_sealed_table_rolls_by_the_protocol(database: Database, seals: Seals) -> None:
    tables = Tables(database, rng=no_secrets)
    await tables.step(Request(ANA, HERE), "xwing", "Luke comes", lambda _: {"Luke": LUKE})
    await seal(seals)
    await hazard(tables)
    tables = Tables(database, rng=no_secrets)  # another process
    await tables.undo(Request(ANA, Place(444, 555, is_alone=True)))
    await hazard(tables, by=BO)
    tables = Tables(database, rng=no_secrets)
    await hazard(tables)
    await loose(Sessions(database, no_secrets))
    await hazard(tables, what="debris cloud")
    ended = await seals.unseal(Request(ANA, HERE))
    assert ended is not None
    assert_fits(ended.file)
    first, undo, others, again, *_, last = opened(read(ended.file).plies)
    assert first.draws
    assert again.draws[: len(first.draws)] == first.draws, "the same die comes again"
    assert (undo.undoes, undo.draws) == (1, ())
    assert [ply.roll for ply in (first, undo, others, again, last)] == [TABLE] * 5
    assert others.draws
    assert last.draws


async def test_consent_to_take_an_obstacle_back_is_in_the_transcript(database: Database, seals: Seals) -> None:
    tables = Tables(database, rng=no_secrets)
    await seal(seals)
    await tables.step(Request(ANA, HERE), "xwing", "Luke comes", lambda _: {"Luke": LUKE})
    await hazard(tables)
    asked = await tables.undo(Request(ANA, HERE))
    assert isinstance(asked, UndoRequest)
    await tables.answer(Request(BO, HERE), asked.request, allow=True)
    await hazard(tables)
    plies = opened((await end(seals)).plies)
    assert [(ply.offer, ply.undoes) for ply in plies] == [("step", None), ("step", None), ("undo", 2), ("step", None)]
    assert plies[2].choice == {"allowed_by": "222"}
    assert plies[1].draws == plies[3].draws


async def test_a_step_that_fails_draws_the_same_dice_when_it_is_tried_again(
    database: Database, seals: Seals, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = Tables(database, rng=no_secrets)
    await seal(seals)
    await tables.step(Request(ANA, HERE), "xwing", "Luke comes", lambda _: {"Luke": LUKE})
    fallen = []

    def change(table: Mapping[str, Any], rng: Rng) -> BoardChange:
        happened = obstacle(table, "Luke", find_hazard("asteroid"), rng)
        fallen.append(happened.die.face)
        return BoardChange(happened.changes, "moves Luke")

    with monkeypatch.context() as patched:
        patched.setattr("bot.store.seals.add_ply", killed)
        with pytest.raises(KilledError):
            await tables.roll_step(Request(ANA, HERE), "xwing", change)
    await tables.roll_step(Request(ANA, HERE), "xwing", change)
    await Tables(database, rng=no_secrets).roll_step(Request(BO, HERE), "xwing", change)
    assert fallen[0] == fallen[1]
    ended = await seals.unseal(Request(ANA, HERE))
    assert ended is not None
    assert_fits(ended.file)
    assert [bool(ply.draws) for ply in opened(read(ended.file).plies)] == [False, True, True]


class KilledError(Exception):
    """The process ends here."""


async def killed(*_: object) -> None:
    raise KilledError


async def test_damage_cards_of_an_attack_are_drawn_by_the_protocol(database: Database, seals: Seals) -> None:
    tables, sessions = Tables(database, rng=no_secrets), Sessions(database, no_secrets)
    hull = replace(LUKE, hull=9, shields=0, shields_left=0, agility=0)
    await tables.step(Request(ANA, HERE), "xwing", "Luke comes", lambda _: {"Luke": hull})
    await seal(seals)
    typed = {"dice": 6, "defender": "Luke"}
    for _ in range(4):
        declared = pieces.declare(typed, await tables.pieces(HERE, "xwing"))
        roll = await sessions.open(Request(ANA, HERE), RollOpening(GAMES["xwing"], declared, opponent=BO))
        for _ in range(9):
            if not roll.offers or roll.state.suffered is not None:
                break
            offer = roll.offers[-1]
            by = roll.seats.get(offer.side, BO)
            address = Address(roll.session, roll.ply, offer.key)
            moved = await sessions.choose(Request(by, HERE), address, Choice(offer.key))
            assert isinstance(moved, Played)
            roll = moved
    await hazard(tables)
    ended = await seals.unseal(Request(ANA, HERE))
    assert ended is not None
    assert_fits(ended.file)
    cards = [draw for ply in opened(read(ended.file).plies) for draw in ply.draws if draw[0] > 20]
    assert cards
    assert cards[0][0] == DECK_SIZE


async def test_the_digits_on_cards_give_no_facedown_card_away(database: Database, seals: Seals) -> None:
    """There are 33 cards at most, so without a salt somebody could try them all against the digits."""
    tables = Tables(database, rng=no_secrets)
    hull = replace(LUKE, hull=9, shields=0, shields_left=0)
    await tables.step(Request(ANA, HERE), "xwing", "Luke comes", lambda _: {"Luke": hull})
    await seal(seals)
    await tables.roll_step(
        Request(ANA, HERE),
        "xwing",
        lambda table, rng: BoardChange(typed_damage(table, "Luke", 2, 0, rng)[0], "deals 2 hits"),
    )
    await tables.step(
        Request(ANA, HERE), "xwing", "Luke gets 1 focus", lambda ships: {"Luke": give(ships["Luke"], "focus", 1)}
    )
    ship = (await tables.pieces(HERE, "xwing"))["Luke"]
    assert len(ship.facedown) == 2
    ended = await seals.unseal(Request(ANA, HERE))
    assert ended is not None
    assert_fits(ended.file)
    dealt, given = opened(read(ended.file).plies)
    assert len(dealt.draws) == 2
    assert len(dealt.salt or "") == 32
    assert given.salt is None
    assert not {*ship.facedown} & {*json.dumps([dealt.choice, given.choice]).split('"')}


async def test_where_a_ruleset_wants_a_seal_no_obstacle_rolls_without(database: Database, seals: Seals) -> None:
    tables = Tables(database, rng=lambda _: 0)
    await tables.step(Request(ANA, HERE), "xwing", "Luke comes", lambda _: {"Luke": LUKE})
    with pytest.raises(PlayerError, match="I roll only at sealed tables"):
        await hazard(tables, ruling=LEAGUE)
    assert (await tables.pieces(HERE, "xwing"))["Luke"] == LUKE
    await seal(seals)
    await hazard(tables, ruling=LEAGUE)
    assert opened((await end(seals)).plies)[0].draws


async def test_what_was_drawn_again_is_marked_in_the_store(
    sessions: Sessions, seals: Seals, tables: Tables, file: Path
) -> None:
    await seal(seals)
    await loose(sessions, red=1)
    await tables.undo(Request(ANA, Place(444, 555, is_alone=True)))
    await loose(sessions, red=2)
    with closing(sqlite3.connect(file)) as connection:
        last = connection.execute("SELECT draws FROM ply ORDER BY id DESC LIMIT 1").fetchone()[0]
        waiting = connection.execute("SELECT count(*) FROM redraw").fetchone()[0]
    assert [draw[3:] for draw in json.loads(last)] == [[True], []]
    assert waiting == 0, "the protocol says what waits"


# The end


async def test_the_players_or_a_gm_unseal_the_table(seals: Seals) -> None:
    await seal(seals)
    with pytest.raises(PlayerError, match="Only a GM or someone who gave a seed word can unseal this table"):
        await seals.unseal(Request(CLEO, HERE))
    assert await seals.unseal(Request(CLEO, HERE, is_gm=True)) is not None


async def test_dice_come_from_the_system_again_afterwards(database: Database, seals: Seals, dice: Dice) -> None:
    await seal(seals)
    await end(seals)
    dice.red("hit hit hit")
    assert (await loose(Sessions(database, dice))).mark is None


async def test_the_last_transcript_can_be_had_again(seals: Seals, sessions: Sessions) -> None:
    await seal(seals)
    await loose(sessions)
    first = await seals.unseal(Request(ANA, HERE))
    assert await seals.unseal(Request(CLEO, HERE)) == first


async def test_a_table_is_unsealed_a_day_after_the_last_press(seals: Seals, sessions: Sessions, file: Path) -> None:
    await seal(seals)
    await loose(sessions)
    with closing(sqlite3.connect(file)) as connection:
        (pressed,) = connection.execute("SELECT at FROM seal_ply").fetchone()
    assert await seals.unseal_idle(pressed + IDLE - 1) == ()
    (ended,) = await seals.unseal_idle(pressed + IDLE)
    assert by_the_bot(ended.file) == ""
    assert (ended.channel_id, ended.plies) == (444, 1)
    assert await seals.unseal_idle(pressed + IDLE + 1) == (ended,), "until it is posted"
    await seals.note_revealed(ended)
    assert await seals.unseal_idle(pressed + IDLE + 1) == ()


async def test_a_seal_that_nobody_makes_is_given_up_after_a_day(seals: Seals, file: Path) -> None:
    asked = await ask(seals, HERE, ANA, None)
    await seals.give_word(Request(ANA, HERE), asked.seal_id, "luck")
    await seals.unseal_idle(2**33)
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT number, opened_by, key, hidden_key FROM seal").fetchall() == [
            (1, 0, None, None)
        ]
        assert connection.execute("SELECT count(*) FROM seal_word").fetchone() == (0,)


async def test_sealed_revealed_open_and_lost_ones_are_counted(seals: Seals) -> None:
    for channel in range(4):
        await seal(seals, Place(channel + 1))
    for channel in range(3):
        ended = await seals.unseal(Request(ANA, Place(channel + 1)))
        assert ended is not None
        if channel < 2:
            await seals.note_revealed(ended)
    counts = await seals.counts()
    assert counts == {"sealed": 4, "revealed": 2, "is_open": 1, "lost": 1}


async def test_the_key_is_in_no_log(
    seals: Seals, sessions: Sessions, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root, driver = logging.getLogger(), logging.getLogger("sqlalchemy")
    before = root.handlers[:], root.level, driver.level
    try:
        logging_setup.configure("debug")
        await seal(seals)
        await loose(sessions)
        await end(seals)
    finally:
        root.handlers[:], root.level = before[:2]
        driver.setLevel(before[2])
    with closing(sqlite3.connect(file)) as connection:
        (key,) = connection.execute("SELECT key FROM seal").fetchone()
    assert key not in capsys.readouterr().err


# Rulesets and privacy


async def test_a_ruleset_can_make_the_seal_the_rule(database: Database, seals: Seals, dice: Dice) -> None:
    sessions = Sessions(database, dice)
    with pytest.raises(PlayerError, match="In this channel, I roll only at sealed tables"):
        await sessions.open(Request(ANA, HERE, ruling=LEAGUE), RollOpening(GAMES["xwing"], Loose(red=1)))
    dice.red("hit")
    before = await loose(sessions, red=1)
    with pytest.raises(PlayerError, match="I roll only at sealed tables"):
        await sessions.choose(Request(ANA, HERE, ruling=LEAGUE), Address(before.session, 0, "again"), Choice("again"))
    await seal(seals)
    assert (
        await sessions.open(Request(ANA, HERE, ruling=LEAGUE), RollOpening(GAMES["xwing"], Loose(red=1)))
    ).mark is not None


async def test_forgetting_somebody_breaks_no_chain(
    database: Database, sessions: Sessions, tables: Tables, seals: Seals
) -> None:
    await seal(seals)
    await tables.step(Request(ANA, HERE), "xwing", "Luke comes", lambda _: {"Luke": LUKE})
    await loose(sessions)
    await PersonalData(database).forget(ANA.id)
    await loose(Sessions(database, no_secrets))
    assert by_the_bot((await unsealed(seals)).encode()) == ""


async def test_what_is_kept_for_a_chain_is_exported(database: Database, sessions: Sessions, seals: Seals) -> None:
    await seal(seals)
    await loose(sessions)
    people = PersonalData(database)
    result = [record async for record in people.records(ANA.id)]
    assert [entry["word"] for kind, entry in result if kind == "words"] == ["luck"]
    await people.forget(ANA.id)
    result = [record async for record in people.records(ANA.id)]
    assert [(kind, entry["by"]) for kind, entry in result] == [("sealed_tables", "111")]


async def test_somebody_who_was_forgotten_can_be_allowed_what_they_asked(
    database: Database, sessions: Sessions, tables: Tables, seals: Seals
) -> None:
    await seal(seals)
    await loose(sessions)
    asked = await tables.undo(Request(ANA, HERE))
    assert isinstance(asked, UndoRequest)
    await PersonalData(database).forget(ANA.id)
    await tables.answer(Request(BO, HERE, is_gm=True), asked.request, allow=True)
    assert by_the_bot((await unsealed(seals)).encode()) == ""
