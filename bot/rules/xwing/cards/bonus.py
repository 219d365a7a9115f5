"""Rights to bonus attacks as rows of cards give them: with which weapon, at which target, and what the press claims.

Source: rules page, X-Wing cards, section 2 (Bonus attacks).
"""

import re
from typing import Final

from bot.rules.text import EMPTY, Sentences, Text, term
from bot.rules.xwing.cards.cards import Weapon
from bot.rules.xwing.cards.rows import ROWS, Row
from bot.rules.xwing.dice.costs import asked
from bot.rules.xwing.dice.declared import Right
from bot.rules.xwing.dice.deeds import OTHER_TURRET, BonusAttack, Weapons

KEY: Final = re.compile(r"(?P<card>[^\[]+)\[(?P<place>[1-9])\]")


def key_of(row: Row) -> str:
    return f"{row.card}[{row.place}]"


def row_of(key: str) -> Row | None:
    """The row of a key, if it gives a right."""
    said = KEY.fullmatch(key)
    found = [row for row in ROWS.get(said["card"], ()) if row.place == int(said["place"])] if said else []
    return next((row for row in found if gives(row)), None)


def gives(row: Row) -> bool:
    """Whether a row gives a right to a bonus attack."""
    return any(isinstance(deed, BonusAttack) for deed in row.deeds)


def limits_of(row: Row) -> BonusAttack:
    """The limits of the bonus attack that a row gives."""
    return next(deed for deed in row.deeds if isinstance(deed, BonusAttack))


def allows(right: BonusAttack, weapon: Weapon, fired: str, card: str) -> bool:
    """Whether a weapon may be used.

    ``fired``: the name of the weapon of the attack before, "" for none; ``card``: the row's, a weapon itself where it
    says the same weapon.
    """
    named = {
        Weapons.ANY: True,
        Weapons.SAME: f"upgrade:{weapon.upgrade}" == card,
        Weapons.OTHER: weapon.name != fired,
    }
    arc, has_arc = weapon.arc.casefold(), right.arc in weapon.arc.casefold()
    if right.arc == OTHER_TURRET:  # a turret has one arc, or two: the other one of two is of the same weapon
        has_arc = "turret" in arc and (weapon.name != fired or "double" in arc)
    return named.get(right.weapons, weapon.is_kind(right.weapons)) and has_arc


def said(right: Right) -> Text:
    """What is claimed and paid by using a right, as ``named`` of ``modify.py`` says it; "" for nothing."""
    row = row_of(right.row)
    paid = asked(row.cost) if row is not None else EMPTY
    claim = term(row.ask.text) if row is not None else EMPTY
    return Sentences([claim, Text("for {costs}", costs=paid) if paid else EMPTY], "; ")
