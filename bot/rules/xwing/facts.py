"""What is known about the ships of an attack when rows of cards ask for it.

Source: rules page, X-Wing cards, section 3 (``if``). A condition holds, fails, or has to be read later: when the dice
lie or when tokens may have been spent. ``Known`` says which.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from bot.rules.game import Side
from bot.rules.xwing.card_sets import Pool
from bot.rules.xwing.cards import PilotShip, Weapon
from bot.rules.xwing.pools import HAS, LOCKED
from bot.rules.xwing.rows import CONDITION, CONDITIONS, RED_OR_ORANGE, Row, parts
from bot.rules.xwing.tokens import GREEN, SIZE_NEEDS, TOKENS, Kind

GREEN_TOKEN: Final = "green token"  # noqa: S105 - no password
REINFORCE: Final = "reinforce"

NUMBERS: Final = PilotShip(name="")
"""A ship that was typed as numbers: no cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fighter:
    """A ship as rows see it. ``locked``: it has a lock on the enemy of this attack. ``charges``: left, by card.

    ``name``: the ship at the table, "" without one.
    """

    card: PilotShip = NUMBERS
    name: str = ""
    tokens: Mapping[str, int] = field(default_factory=dict)
    locked: bool = False
    shields: int = 0
    facedown: int = 0
    faceup: tuple[str, ...] = ()
    charges: Mapping[str, int] = field(default_factory=dict)

    @property
    def cards(self) -> tuple[str, ...]:
        """Its cards as keys of rows: pilot, ship's ability, upgrades, and each faceup damage card."""
        return (*self.card.cards, *(f"damage:{title}" for title in self.faceup))

    @property
    def damage_cards(self) -> int:
        return self.facedown + len(self.faceup)

    def full(self, card: str) -> int:
        """The charges of a card when none is missing."""
        if card.startswith("pilot:"):
            return self.card.charges.capacity
        return next((one.charges.capacity for one in self.card.upgrades if f"upgrade:{one.id}" == card), 0)

    def has(self, token: str) -> int:
        """How many tokens of a kind or group it has; of those with an effect by size, whether the effect is there."""
        if token == GREEN_TOKEN:
            return sum(self.tokens.get(name, 0) for name in GREEN)
        if token == RED_OR_ORANGE:
            return sum(count for name, count in self.tokens.items() if is_red_or_orange(name))
        if token == REINFORCE:
            return sum(count for name, count in self.tokens.items() if name.startswith(token))
        count = self.tokens.get(token, 0)
        return count if not TOKENS[token].by_size or count >= SIZE_NEEDS[self.card.size] else 0


def is_red_or_orange(name: str) -> bool:
    """Whether a token is red or orange, and no lock."""
    return name in TOKENS and TOKENS[name].kind in (Kind.RED, Kind.ORANGE) and not TOKENS[name].is_on_target


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """An attack as it is declared. ``weapon`` is None for typed numbers; ``pool`` is that of the card set."""

    fighters: Mapping[Side, Fighter]
    friends: Mapping[Side, tuple[Fighter, ...]] = field(default_factory=dict)
    weapon: Weapon | None = None
    range: int | None = None
    obstructed: bool = False
    bonus: bool = False
    pool: Pool = "xwa"


class Known(NamedTuple):
    """Whether a condition holds, and what has still to be read later (``Effect.given``), "" for nothing."""

    holds: bool
    later: tuple[str, ...] = ()


class Reader:
    """Reads the conditions of a row for one side of an attack; ``me`` is the ship with the card."""

    def __init__(self, facts: Facts, side: Side, me: Fighter) -> None:
        self._facts, self._side, self._me = facts, side, me
        self._own, self._their, self._card = facts.fighters[side], facts.fighters[side.other], ""

    def read(self, row: Row) -> Known:
        """All conditions of a row together."""
        self._card = row.card
        later: list[str] = []
        for condition in row.conditions:
            found = [self._part(part) for part in parts(condition)]
            if not any(one.holds for one in found):
                return Known(False)
            if not any(one.holds and not one.later for one in found):
                later += [said for one in found if one.holds for said in one.later]
        return Known(True, tuple(later))

    def _part(self, condition: str) -> Known:
        said = CONDITION.fullmatch(condition)
        if said is None:  # rows are read strictly, so this is no row of the files
            raise ValueError(condition)
        if said["as"] and said["as"] != ("attacking" if self._side is Side.ATTACKER else "defending"):
            return Known(True)
        kind, match = next(
            (kind, match) for kind, pattern in CONDITIONS.items() if (match := re.fullmatch(pattern, said["what"]))
        )
        no = bool(said["no"])
        if said["what"] == "more results than shields":
            return Known(True, (f"more than {self._facts.fighters[Side.DEFENDER].shields} results",))
        if kind in LATER:
            return Known(True, (f"no {said['what']}" if no else said["what"],))
        whose = {"me": self._me, "their": self._their}.get(said["whose"] or "", self._own)
        if later := self._later(kind, match, said["whose"] or "", whose, no):
            return later
        return Known(getattr(self, f"_{kind}")(match, whose) != no)

    def _later(self, kind: str, match: re.Match[str], whose: str, who: Fighter, no: bool) -> Known | None:
        """What the attacker may have spent before the row acts: its lock, its green tokens."""
        if who is not self._facts.fighters[Side.ATTACKER] or whose == "me":
            return None
        if kind == "lock" and match[0] == "locked":
            return Known(who.locked != no, () if no else (LOCKED,))
        if kind == "held" and not match[1] and (match[2] in GREEN or match[2] == GREEN_TOKEN):
            return Known(no or who.has(match[2]) > 0, (f"{HAS}{'no ' if no else ''}{match[2]}",))
        return None

    # Each reads one kind of condition of ``CONDITIONS`` for one ship.

    def _weapon(self, match: re.Match[str], _: Fighter) -> bool:
        weapon = self._facts.weapon
        if match[0] == "bonus attack":
            return self._facts.bonus
        if weapon is None:
            return match[0] == "primary"
        named = {"primary": weapon.primary, "special": not weapon.primary, "ordnance": weapon.ordnance}
        return named.get(match[0], weapon.slot == match[0])

    def _weapon_arc(self, match: re.Match[str], _: Fighter) -> bool:
        weapon, arc = self._facts.weapon, match[1]
        if weapon is None:
            return arc == "front"
        return (
            "turret" in weapon.arc.casefold()
            if arc == "turret"
            else weapon.arc.casefold() == f"{arc} arc"
            or (arc == "bullseye" and weapon.arc.casefold().startswith("bullseye"))
        )

    def _range(self, match: re.Match[str], _: Fighter) -> bool:
        least, most = int(match[1]), int(match[2] or match[1])
        return self._facts.range is not None and least <= self._facts.range <= most

    def _obstructed(self, _: re.Match[str], __: Fighter) -> bool:
        return self._facts.obstructed

    def _held(self, match: re.Match[str], who: Fighter) -> bool:
        return who.has(match[2]) >= int(match[1] or 1)

    def _lock(self, match: re.Match[str], who: Fighter) -> bool:
        if match[0] == "locked":
            return who.locked
        side = self._side.other if who is self._their else self._side
        return who.locked or any(friend.locked for friend in self._facts.friends.get(side, ()))

    def _health(self, match: re.Match[str], who: Fighter) -> bool:
        return bool({"shields": who.shields, "damaged": who.damage_cards, "faceup": who.faceup}[match[0]])

    def _cards(self, match: re.Match[str], who: Fighter) -> bool:
        return who.damage_cards <= int(match[1])

    def _initiative(self, match: re.Match[str], who: Fighter) -> bool:
        other = self._own if who is self._their else self._their
        if match[1]:
            mine, theirs = who.card.initiative, other.card.initiative
            return mine > theirs if match[1] == "higher" else mine < theirs
        bound = int(match[2])
        return who.card.initiative >= bound if match[3] == "higher" else who.card.initiative <= bound

    def _ship(self, match: re.Match[str], who: Fighter) -> bool:
        if match[0] == "limited":
            return who.card.limited > 0
        if match[2]:
            return f"upgrade:{match[2]}" in who.cards
        return who.card.ship_id == match[1] if match[1] else who.card.size == match[0]

    def _charge(self, _: re.Match[str], __: Fighter) -> bool:
        """Whether a charge of the card is missing; a ship's ability has those of its pilot."""
        card = self._card if self._card.startswith("upgrade:") else f"pilot:{self._me.card.pilot}"
        full = self._me.full(card)
        return self._me.charges.get(card, full) < full

    def _other(self, _: re.Match[str], __: Fighter) -> bool:
        return self._me is not self._own


LATER: Final = ("results", "outcome")
"""Conditions that ask for dice: they are always read later."""
