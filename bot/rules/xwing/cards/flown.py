"""What rows ask about manoeuvres, answered where the dials of both ships are open; people answer the rest.

Source: rules page, X-Wing cards, section 3 (``ask``); the manoeuvre is the one that the ship executed this round.
"""

import re
from typing import Final

HARD: Final = "BWRP"
"""Difficulties from the easiest on."""
BASIC: Final = "TBFNY"
OWN: Final = re.compile(
    r"your revealed manoeuvre (?:has speed (?P<least>\d)-(?P<most>\d)(?P<advanced> and is advanced)?"
    r"|is (?P<colour>blue|white|red|purple)|has an (?P<parity>even|odd) speed)"
)
BOTH: Final = re.compile(
    r"your revealed manoeuvre "
    r"(?:has the (?P<same>bearing|speed) of the enemy's|is (?P<more>faster|easier) than the enemy's)"
)


def answer(question: str, own: str, enemy: str) -> bool | None:
    """Whether it is so for a ship that flew ``own`` against one that flew ``enemy`` (codes, "" for not known).

    None for a question about something else, or where a manoeuvre that it needs is not known.
    """
    if own and (asked := OWN.fullmatch(question)) is not None:
        speed, bearing, difficulty = int(own[0]), own[1], own[2]
        if asked["least"]:
            is_within = int(asked["least"]) <= speed <= int(asked["most"])
            return is_within and (not asked["advanced"] or bearing not in BASIC)
        if asked["colour"]:
            return asked["colour"][0].upper() == difficulty
        return speed % 2 == (asked["parity"] == "odd")
    if own and enemy and (asked := BOTH.fullmatch(question)) is not None:
        if asked["same"]:
            return own[1] == enemy[1] if asked["same"] == "bearing" else own[0] == enemy[0]
        if asked["more"] == "faster":
            return int(own[0]) > int(enemy[0])
        return HARD.index(own[2]) < HARD.index(enemy[2])
    return None
