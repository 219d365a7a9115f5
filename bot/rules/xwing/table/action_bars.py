"""The action bars of ships: which actions are printed there, or come there by upgrades.

A row that grants "an action on its action bar" offers those alone. Facts are in ``data/action_bars.json``.
"""

import json
from collections.abc import Mapping
from functools import cache

from bot.rules.xwing.cards.card_sets import SHIPPED
from bot.rules.xwing.table.ship import Ship


@cache
def _printed_bars() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    raw = json.loads((SHIPPED / "action_bars.json").read_text(encoding="utf-8"))
    return {
        kind: {key: tuple(words.split(", ")) for key, words in raw[kind].items() if words}
        for kind in ("ships", "pilots", "upgrades")
    }


def bar_of(ship: Ship) -> tuple[str, ...]:
    """The actions on a ship's bar, linked ones too, in the order of the card; () where its card is not known."""
    held = _printed_bars()
    printed = held["pilots"].get(ship.pilot) or held["ships"].get(ship.card.ship_id, ()) if ship.pilot else ()
    added = (action for id_ in ship.upgrades for action in held["upgrades"].get(id_, ()))
    return tuple(dict.fromkeys((*printed, *added))) if printed else ()
