"""A GM brings a card set as large as it can be made, asks for it and types; everybody else is answered meanwhile."""

import json
import re

import pytest

from bot.rules.xwing.cards.card_import import MAX_CARDS
from tests.bombs import PILOT, SHIP
from tests.wire.commands import Attached
from tests.wire.interactions import AUTOCOMPLETE
from tests.wire.wire import PATIENT, Wire
from tests.wire.world import GUILD_ID, OWNER, Channel, snowflake


def card_set(ships: int, pilots: int) -> bytes:
    """A set with so many ships, each with so many pilots."""
    result = [
        {
            **SHIP,
            "name": f"Ship {ship}",
            "xws": f"ship{ship}",
            "pilots": [
                {**PILOT, "name": f"Tester {ship}-{item}", "xws": f"tester{ship}x{item}"} for item in range(pilots)
            ],
        }
        for ship in range(ships)
    ]
    return json.dumps(result).encode()


@pytest.mark.parametrize(
    ("ships", "pilots", "is_taken"), [(24, 4_900, False), (24, 100, False), (20, MAX_CARDS // 20, True)]
)
async def test_a_set_has_so_many_cards_in_all_and_is_searched_beside_others(
    wire: Wire, ships: int, pilots: int, is_taken: bool
) -> None:
    elsewhere, (ana, *_) = Channel(snowflake(), "elsewhere", guild_id=GUILD_ID + 7), wire.people
    bot = await wire.start_bot(PATIENT)
    content = card_set(ships, pilots)
    wire.rest.files["set.json"] = content
    file = Attached("set.json", len(content), wire.file("set.json"))
    answer = await wire.slash(OWNER, elsewhere, "xwing cards", file=file)
    assert answer.ephemeral is not is_taken, answer.text
    assert is_taken or re.search(f"(at most|more than) {MAX_CARDS}", answer.text.replace(",", "")), answer.text
    command = wire.rest.commands.typed("xwing ship add", {"name": "Tester 7-1"})
    command["options"][0]["options"][0]["options"][0]["focused"] = True
    suggested = await wire.send(wire.interactions.open(AUTOCOMPLETE, OWNER, elsewhere), command)
    assert any("Tester 7-1" in choice["name"] for choice in suggested.choices) is is_taken
    ours = await wire.send(wire.interactions.open(AUTOCOMPLETE, ana, wire.channel), command)
    assert not any("Tester 7-1" in choice["name"] for choice in ours.choices), "it is theirs alone"
    assert "Ana rolls" in (await wire.slash(ana, wire.channel, "roll", dice="d6")).text
    assert "Traceback" not in bot.log()
