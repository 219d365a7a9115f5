"""Two hundred lines between real troopers that hold a zone, smoke, a Visor, or Sixth Sense, against a table.

The table was worked from the rules page by a program that knows nothing of the bot, before the bot was asked.
"""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from bot.rules import infinity
from bot.rules.infinity.orders.play import sums
from bot.rules.infinity.troopers.declared import Order
from bot.rules.infinity.troopers.states import ForbiddenByStateError
from tests.rows import for_each_row

TABLE: Final[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "golden" / "infinity_zones.json").read_text(encoding="utf-8")
)


def declared(order: str) -> Order:
    troopers = {name: line for name, line in TABLE["troopers"].items() if name in order.split()}
    result = infinity.declare({"troopers": troopers, "order": order})
    assert isinstance(result, Order)
    return result


@for_each_row("row", TABLE["rows"], ids=lambda row: row["order"])
def test_a_line_is_what_the_table_says(row: dict[str, Any]) -> None:
    if row["pairing"] == "refused":
        with pytest.raises(ForbiddenByStateError, match="no line of fire"):
            declared(row["order"])
        return
    order = declared(row["order"])
    found = [[str(item["name"]), item["sv"], item["burst"], item.get("special_dice", 0)] for item in sums(order)]
    assert found == row["rolls"], [item["mods"] for item in sums(order)]
    assert ("normal" if order.meetings[0].b is None else "face to face") == row["pairing"]


def test_the_table_holds_every_kind() -> None:
    orders = [row["order"] for row in TABLE["rows"]]
    assert len(orders) == 200
    for word in ("low", "poor", "zero", "eclipse", "white noise", "Smoke", "Flash Pulse", "Forward Observer"):
        assert sum(word in order for order in orders) >= 8, word
    lines = " ".join(TABLE["troopers"].values())
    for skill in ("Multispectral Visor L1", "Multispectral Visor L2", "Sixth Sense", "Marksmanship", "Albedo"):
        assert lines.count(skill) >= 5, skill
    assert {row["pairing"] for row in TABLE["rows"]} == {"face to face", "normal", "refused"}
