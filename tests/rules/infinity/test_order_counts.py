"""The worked order counts of the rules page: ten lists whose orders were counted by hand."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import pytest

from bot.rules.errors import PlayerError
from bot.rules.infinity.turn.player_turn import TURN, PlayerTurn
from tests.rules.infinity.table import ANA, BO, Table

ONE: Final = "WIP 13, W 1"


def table_of(groups: Mapping[int, Mapping[str, str]]) -> Table:
    """Ana's troopers in their groups, by what stands in their profiles behind the usual; Bo has one."""
    lines = {name: (ANA, f"{ONE}{line and f', {line}'}") for group in groups.values() for name, line in group.items()}
    found = Table({**lines, "Foe": (BO, ONE)})
    for group, names in groups.items():
        for name in names:
            found.pieces[name] = replace(found.trooper(name), group=group)
    return found


def troop(count: int, **more: str) -> dict[str, str]:
    """So many troopers without skills, and those that have some."""
    return {**{f"T{number}": "" for number in range(1, count + 1)}, **{k.replace("_", " "): v for k, v in more.items()}}


LEAD: Final = "Lieutenant (+1 Order)"
Count = tuple[tuple[int, ...], int, int, int]
"""Of each group its Regular Orders; Irregular, Lieutenant's and Tactical ones."""
ROWS: Final[Mapping[str, tuple[Mapping[int, Mapping[str, str]], Count]]] = {
    "one hidden, one off the table": (
        {1: troop(2, Kunai="Hidden Deployment, Undeployed", Jumper="Combat Jump, Undeployed")},
        ((2,), 0, 0, 0),
    ),
    "a marker among ten, and five": (
        {1: troop(9, Camo="Regular"), 2: {f"B{number}": "" for number in range(5)}},
        ((10, 5), 0, 0, 0),
    ),
    "a Lieutenant with an order more, and two Irregular": (
        {1: troop(7, Lead=LEAD, X="Irregular", Y="Irregular")},
        ((8,), 2, 2, 0),
    ),
    "Unconscious, Isolated, Immobilized-A": (
        {1: troop(7, U="Unconscious", I="Isolated")} | {1: troop(6, U="Unconscious", I="Isolated", A="Immobilized-A")},
        ((7,), 1, 0, 0),
    ),
    "two with Tactical Awareness": (
        {1: troop(4, P="Tactical Awareness", Q="Tactical Awareness")},
        ((6,), 0, 0, 2),
    ),
    "the Lieutenant Dead at the check": ({1: troop(5, Lead="Lieutenant, Dead")}, ((), 5, 0, 0)),
    "a Warhorse in a Loss of Lieutenant": (
        {1: troop(4, Lead="Lieutenant, Dead", Horse="Warhorse")},
        ((1,), 4, 0, 0),
    ),
    "a Controller with two Peripherals": (
        {1: troop(6, Dog="Peripheral (Synchronized)", Cat="Peripheral (Synchronized)")},
        ((6,), 0, 0, 0),
    ),
}


def counted(turn: PlayerTurn) -> Count:
    return (
        tuple(pool.left for pool in turn.pools),
        len(turn.irregular),
        turn.lieutenant,
        len(turn.tactical),
    )


@pytest.mark.parametrize("row", ROWS)
def test_the_orders_of_a_list_are_those_that_were_counted_by_hand(row: str) -> None:
    groups, right = ROWS[row]
    table = table_of(groups)
    if "Camo" in table.pieces:
        table.pieces["Camo"] = replace(table.trooper("Camo"), is_marker=True, states=("Camouflaged",))
    if "Lead" in table.pieces and "Dead" in table.states("Lead"):
        table.press("start", leads="no")
    else:
        table.press("start")
    assert counted(table.turn) == right


def test_strategos_makes_the_lieutenant_s_orders_regular() -> None:
    table = table_of({1: troop(7, Lead=f"{LEAD}, Strategos L1", X="Irregular", Y="Irregular")})
    table.press("start")
    table.press("command", use="strategos")
    assert counted(table.turn) == ((10,), 2, 0, 0)


def test_ten_orders_are_too_few_to_take_any_away_and_a_hidden_trooper_counts_once_it_is_in() -> None:
    table = table_of({1: troop(9, X="Irregular", Kunai="Hidden Deployment, Undeployed")})
    table.press("start")
    assert counted(table.turn) == ((9,), 1, 0, 0)
    with pytest.raises(PlayerError, match="ten orders"):
        table.press("command", player=BO, use="less")
    table.order({"moves": "Kunai"})
    assert counted(table.turn)[0] == (9,), "it enters by its own order"
    for key in ("second", "roll"):
        table.take(key)
    table.press("end")
    table.press("start", player=BO)
    table.press("end")
    table.press("start")
    turn: Any = table.pieces[TURN]
    assert counted(turn)[0] == (10,), "from now on it has one more"
