"""Ships for tests, and attacks between them that settle on the ships at every ply."""

from typing import Any

from bot.rules.dice import Rng
from bot.rules.game import Choice
from bot.rules.xwing.attack import attack
from bot.rules.xwing.attack.attack import Attack
from bot.rules.xwing.dice.declared import Declared
from bot.rules.xwing.table import pieces
from bot.rules.xwing.table.ship import Fleet, Ship, apply_piece_changes, launch
from tests.rules.xwing.play import Falls


def fleet(*ships: Ship) -> dict[str, Ship]:
    return {ship.name: ship for ship in ships}


def luke(**card: Any) -> Ship:
    """Weapon value 3, agility 2, hull 4, shields 2, two force charges, initiative 5."""
    return launch("Luke", **{"attack": 3, "agility": 2, "hull": 4, "shields": 2, "force": 2, "initiative": 5} | card)


def mauler(**card: Any) -> Ship:
    """Weapon value 2, agility 3, hull 3, no shields, initiative 5."""
    return launch("Mauler", **{"attack": 2, "agility": 3, "hull": 3, "initiative": 5} | card)


def declared(ships: Fleet, **options: Any) -> Declared:
    """The declaration from the options of `/xwing attack`; ``with_`` stands for ``with``."""
    result = pieces.declare({name.rstrip("_"): value for name, value in options.items()}, ships)
    assert isinstance(result, Declared)
    return result


class Fight:
    """One attack on a table of ships; the dice fall as written, or by any ``Rng``."""

    def __init__(self, ships: Fleet, falls: str | Rng = "", **options: Any) -> None:
        self.ships = dict(ships)
        self.rng = Falls(falls) if isinstance(falls, str) else falls
        self.state = self._settled(None, attack.start(declared(ships, **options), self.rng))

    def take(self, offer: str, *picked: str, falls: str | None = None, **filled: str) -> "Fight":
        self.rng = self.rng if falls is None else Falls(falls)
        choice = Choice(offer, picked, filled or None)
        self.state = self._settled(self.state, attack.choose(self.state, choice, self.rng))
        return self

    def _settled(self, before: Attack | None, now: Attack) -> Attack:
        state, changed = pieces.settle(before, now, self.ships, self.rng)
        self.ships = apply_piece_changes(self.ships, changed)
        return state
