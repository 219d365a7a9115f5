"""Squads as the addresses of squad builders hold them, in the values of XWS.

The builders that grew out of YASB write ``?f=FACTION&d=v{8|9|10}Z{mode}Z{points}Z{ship}Y{ship}...&sn=NAME``; a ship is
``PILOT X UPGRADE W UPGRADE W ...`` by YASB's numbers (``data/yasb.json``), an empty slot an empty text, and what stands
after a second ``X`` says nothing of cards. Version 8 is 2.0, 9 has 20 points, 10 XWA's 50.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, unquote, urlsplit

from bot.rules.errors import BadText
from bot.rules.text import Text
from bot.rules.xwing.cards.card_sets import CardSet

LINK: Final = re.compile(r"https?://[^\s<>]+")
HOSTS: Final = {"yasb.app": "", "raithos.github.io": "", "xwing-legacy.com": "legacy"}
"""Hosts whose addresses hold squads, and the card set that all squads of one are of."""
SQUAD: Final = re.compile(r"v(\d{1,3})Z([a-z]*)Z(\d{0,4})Z(.*)", re.DOTALL)
OLDEST: Final = 8
SETS: Final = {8: "legacy", 9: "xwa", 10: "xwa"}
SIZES: Final = {8: 200, 9: 20, 10: 50}
"""The points of a whole squad, by the version, where the address says none."""
QUICK: Final = "q"
ENDS: Final = ").,;:*!’'\""
"""What stands behind an address in prose; no squad ends so."""
TABLE: Final = Path(__file__).parents[1] / "data" / "yasb.json"
NUMBER_MOST: Final = 8
"""Digits of a number that is named though it is not known."""


class NotRead(BadText):
    """The address is of a builder, and this says why its squad cannot be read."""


@cache
def numbers() -> tuple[Mapping[str, str], Mapping[str, tuple[str, str]]]:
    """YASB's numbers: of pilots their ids, of upgrades ids and slots; read when the first link comes."""
    held = json.loads(TABLE.read_text(encoding="utf-8"))
    return held["pilots"], {number: (id_, slot) for number, (id_, slot) in held["upgrades"].items()}


def squads(text: str, cards: CardSet) -> list[dict[str, Any]]:
    """The squads of all addresses in a text that hold one, in their order; [] where none does.

    ``cards`` say which pilots have a standard loadout: their cards stand in the address too, and are no upgrades.
    Raises ``NotRead`` for a squad that its address does not spell out, if there is no other.
    """
    found, refused = list[dict[str, Any]](), list[NotRead]()
    for link in LINK.findall(text):
        try:
            squad = read(link.rstrip(ENDS), cards)
        except NotRead as error:
            refused.append(error)
        else:
            found += [squad] if squad is not None else []
    if refused and not found:
        raise refused[0]
    return found


def read(link: str, cards: CardSet) -> dict[str, Any] | None:
    """The squad of one address; None for one that holds no squad of these builders. Raises ``NotRead``."""
    try:
        parts = urlsplit(link.replace("&amp;", "&"))
    except ValueError:
        return None
    host = (parts.hostname or "").removeprefix("www.")
    words = {key: values[0] for key, values in parse_qs(parts.query).items()}
    held = SQUAD.fullmatch(twice(words.get("d", "")))
    if host not in HOSTS or held is None or not held[4].strip("Y"):
        return None
    version, mode, points, ships = int(held[1]), held[2], held[3], held[4]
    if version < OLDEST:
        raise NotRead(
            Text("This link is from before 2020, and its numbers are no longer known. Open it, and paste the XWS.")
        )
    if mode == QUICK:
        raise NotRead(Text("This link holds quick builds, not a squad. Open it, and paste the XWS of a squad."))
    return {
        "faction": twice(words.get("f", "")),
        "name": twice(words.get("sn", "")),
        "ruleset": HOSTS[host] or SETS.get(version, "xwa"),
        "size": int(points or 0) or SIZES.get(version, 0),
        "pilots": [pilot(one, cards) for one in ships.split("Y") if one],
    }


def twice(text: str) -> str:
    """A word of an address that was encoded once or twice, without what a phone puts behind it."""
    return unquote(text).strip() if "%" in text else text.strip()


def pilot(ship: str, cards: CardSet) -> dict[str, Any]:
    """A ship in the values of XWS; a number that is not known is named by ``squad``, and left out there."""
    pilots, upgrades = numbers()
    number, _, rest = ship.partition("X")
    id_ = pilots.get(number, f"number {number[:NUMBER_MOST]}")
    slots: dict[str, list[str]] = {}
    has_loadout = bool(cards.pilots.get(id_, {}).get("upgrades"))
    for one in rest.partition("X")[0].split("W") if not has_loadout else ():
        if one:
            upgrade, slot = upgrades.get(one, (f"number {one[:NUMBER_MOST]}", "other"))
            slots.setdefault(slot, []).append(upgrade)
    return {"id": id_, "upgrades": slots}
