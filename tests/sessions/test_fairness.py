"""The counts of all dice on a real file: fresh draws only, each once, whatever is killed or pruned."""

import random
import sqlite3
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.fair.statistics import Evidence
from bot.games import GAMES
from bot.rules.duels.rows import DUELS
from bot.rules.pieces import BoardChange
from bot.rules.xwing.dice.loose_dice import LooseDice as Loose
from bot.rules.xwing.table.obstacles import find_hazard
from bot.rules.xwing.table.ship import launch
from bot.rules.xwing.table.ship_damage import obstacle
from bot.sessions import fairness as counting
from bot.sessions.fairness import SETTLED, Fairness
from bot.sessions.request import Person, Place, Request
from bot.sessions.retention import Retention
from bot.sessions.sessions import RollOpening, Sessions
from bot.sessions.tables import Tables
from bot.store import fairness as rows
from bot.store.database import Database
from bot.store.servers import Servers
from tests.conftest import Dice
from tests.fair.evenings import TYPED

ANA = Person(1, "Ana")
HERE = Place(12, 11)
ALONE = Place(12, 11, is_alone=True)


class KilledError(Exception):
    """The process ends here."""


def soon() -> int:
    return int(time.time()) + SETTLED + 1


async def roll(database: Database, rng: Any, red: int = 3, green: int = 0) -> None:
    await Sessions(database, rng).open(Request(ANA, HERE), RollOpening(GAMES["xwing"], Loose(red=red, green=green)))


async def test_each_draw_counts_once_by_kind_and_side(database: Database, dice: Dice) -> None:
    dice.will_show(0, 7, 7, 2)
    await roll(database, dice, green=1)
    fairness = Fairness(database)
    assert (await fairness.read()).counts == {}
    for _ in range(3):
        assert not await fairness.step(soon())
    assert (await fairness.read()).counts == {"red": (1, 0, 0, 0, 0, 0, 0, 2), "green": (0, 0, 1, 0, 0, 0, 0, 0)}


async def test_the_newest_plies_wait_until_no_earlier_one_can_come(database: Database, dice: Dice) -> None:
    dice.will_show(0, 1, 2)
    await roll(database, dice)
    fairness = Fairness(database)
    await fairness.step(int(time.time()))
    assert (await fairness.read()).counts == {}


async def test_dice_that_come_again_and_typed_ones_do_not_count(database: Database, dice: Dice) -> None:
    dice.will_show(0, 1, 2)
    await roll(database, dice)
    await Tables(database).undo(Request(ANA, ALONE))
    await roll(database, dice)
    declared = GAMES["albion"].rules.declare(TYPED["albion"])
    await Sessions(database, dice).open(Request(ANA, HERE), RollOpening(GAMES["albion"], declared))
    fairness = Fairness(database)
    await fairness.step(soon())
    assert (await fairness.read()).counts == {"red": (1, 1, 1, 0, 0, 0, 0, 0)}


async def test_dice_of_steps_on_the_table_count_and_damage_cards_do_not(database: Database, dice: Dice) -> None:
    tables = Tables(database, rng=dice)
    luke = launch("Luke", attack=3, agility=2, hull=4)
    await tables.step(Request(ANA, HERE), "xwing", "Luke comes", lambda _: {"Luke": luke})

    def change(table: Any, rng: Any) -> Any:
        return BoardChange(obstacle(table, "Luke", find_hazard("asteroid"), rng).changes, "moves Luke")

    dice.red("blank")
    for _ in range(2):
        await tables.roll_step(Request(ANA, HERE), "xwing", change)
        await tables.undo(Request(ANA, ALONE))
    fairness = Fairness(database)
    await fairness.step(soon())
    (sides,) = (await fairness.read()).counts.values()
    assert sum(sides) == 1, "one red die; the second time it came again"


async def test_the_counts_and_the_evidence_are_those_of_all_draws_in_their_order(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "PLIES", 7)
    chance, drawn = random.Random(1), []

    def rng(sides: int) -> int:
        drawn.append((chance.randrange(sides) * 3) // 4)  # loaded, so that the evidence moves
        return drawn[-1]

    for _ in range(30):
        await roll(database, rng, red=4)
    while await Fairness(database).step(soon()):  # each step in a new process
        pass
    evidence = Evidence({"red": [0] * 8})
    for side in drawn:
        evidence.add("red", side)
    read = await Fairness(database).read()
    assert read.counts == evidence.counts
    assert read.log_highest == pytest.approx(evidence.log_highest)
    assert sum(Counter(drawn).values()) == sum(read.counts["red"]) == 120


async def test_a_step_that_fails_counts_nothing(
    database: Database, dice: Dice, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice.will_show(0, 1, 2)
    await roll(database, dice)
    fairness, note = Fairness(database), rows.note

    async def fails(*given: Any) -> None:
        await note(*given)
        raise KilledError

    with monkeypatch.context() as patch:
        patch.setattr(rows, "note", fails)
        with pytest.raises(KilledError):
            await fairness.step(soon())
    assert (await fairness.read()).counts == {}
    await fairness.step(soon())
    assert sum((await fairness.read()).counts["red"]) == 3


async def test_the_counts_outlive_the_rolls(database: Database, dice: Dice, file: Path) -> None:
    dice.will_show(0, 1, 2)
    await roll(database, dice)
    fairness = Fairness(database)
    later = int(time.time()) + 10 * 24 * 3600

    async def one_day(_: Place) -> int:
        return 1

    keeper = Retention(database, Servers(database), one_day)
    while await fairness.step(later) or await keeper.step(later) is not None:
        pass
    with closing(sqlite3.connect(file)) as connection:
        assert not connection.execute("SELECT count(*) FROM ply").fetchone()[0]
    assert sum((await fairness.read()).counts["red"]) == 3


async def test_all_games_name_their_dice(database: Database) -> None:
    for key, game in GAMES.items():
        for sample in game.samples:
            await Sessions(database, random.Random(2).randrange).open(
                Request(ANA, HERE), RollOpening(GAMES[key], game.rules.declare(sample))
            )
    await roll(database, random.Random(2).randrange, green=1)
    fairness = Fairness(database)
    await fairness.step(soon())
    sides = {kind: len(counts) for kind, counts in (await fairness.read()).counts.items()}
    of_the_four = {"red": 8, "green": 8, "d20": 20, "d6": 6, "Dx36": 6, "Dx6": 6, "Dx1": 6}
    of_duels = {kind: len(faces) for duel in DUELS.values() for kind, faces in duel.faces.items() if "-" in kind}
    assert sides == of_the_four | of_duels | {"d4": 4, "d8": 8, "d10": 10, "dF": 3}
