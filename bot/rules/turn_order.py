"""The turn order of a channel, by a roll each, round after round: a piece of the table. Ties are rolled off: everybody
in one rolls a d20, again until all differ.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from bot.rules.anydice import notation, play, tree
from bot.rules.dice import Rng, in_pool
from bot.rules.errors import BadInputError, Example, PlayerError
from bot.rules.game import Side
from bot.rules.pieces import key
from bot.rules.text import N_, UNNAMED, Name, Text

SCHEMA = 1
NAME: Final = "Turn order"
"""The piece's key; ``TITLE`` is displayed."""
TITLE: Final = Text("Turn order")
"""The piece's name; a channel has one turn order."""
MAX_COMBATANTS: Final = 25
MAX_TIES: Final = 50
"""Maximum roll-offs of a tie; then the first person to join goes first."""
ROLL_OFF: Final = 20
"""Sides of the die that breaks ties."""
EXAMPLE: Final = "1d20+3"


@dataclass(frozen=True, slots=True, kw_only=True)
class Combatant:
    """A participant: a person, or an NPC with a ``name``. ``owner``: the acting player's number. ``number``: id in the
    order. ``dice``: as parsed; ``total``: their result. ``ties``: d20 faces rolled against equal totals.
    """

    number: int
    owner: int
    dice: str
    total: int
    name: Name = UNNAMED
    ties: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOrder:
    """The combatants by joining, the round (0 before the first turn), and the ``number`` of the current one, or 0.
    ``owner``: the player who started it, ``lowest``: the lowest total acts first, ``joined``: how many ever joined.
    """

    owner: int
    lowest: bool = False
    combatants: tuple[Combatant, ...] = ()
    round: int = 0
    current: int = 0
    joined: int = 0

    @property
    def owners(self) -> tuple[int, ...]:
        return (self.owner, *(fighter.owner for fighter in self.combatants))

    @property
    def in_order(self) -> tuple[Combatant, ...]:
        sign = 1 if self.lowest else -1
        ranked = {
            fighter.number: [sign * rank for rank in (fighter.total, *fighter.ties)] for fighter in self.combatants
        }
        return tuple(sorted(self.combatants, key=lambda fighter: (ranked[fighter.number], fighter.number)))

    @property
    def current_combatant(self) -> Combatant | None:
        return next((fighter for fighter in self.combatants if fighter.number == self.current), None)


Body = TurnOrder


def running_order(pieces: Mapping[str, TurnOrder]) -> TurnOrder:
    """Return a channel's turn order. Raises ``PlayerError`` without one."""
    turn_order = pieces.get(NAME)
    if turn_order is None:
        raise PlayerError("There's no turn order in this channel. Start one with `/initiative start`.")
    return turn_order


def read_roll(text: str) -> tree.Expression:
    """Parse a participant's roll: dice, or a plain number. Raises ``PlayerError``."""
    expression = notation.parse(text, "roll")
    if not expression.is_single:
        raise BadInputError("roll", text, Text("Use a single roll, not several."), Example(EXAMPLE))
    return expression


def join(order: TurnOrder, expression: tree.Expression, owner: int, rng: Rng, *, name: str = "") -> TurnOrder:
    """Add a participant. Raises ``PlayerError`` for a duplicate, and if it is full."""
    if len(order.combatants) >= MAX_COMBATANTS:
        message = N_("A turn order can have at most {combatants_most}. Make room with `/initiative leave`.")
        raise PlayerError(Text(message, combatants_most=MAX_COMBATANTS))
    same = (key(item.name) == key(name) if name else not item.name and item.owner == owner for item in order.combatants)
    if any(same):  # a namesake NPC, or the same player
        if name:
            raise PlayerError("{name} is already in the turn order. Use another name.", name=Name(name))
        raise PlayerError("You're already in the turn order. To leave it, use `/initiative leave`.")
    dice = play.roll_all(expression, rng, None, Side.ATTACKER)
    number, total = order.joined + 1, play.RolledLine(line=expression.line, dice=dice).total
    new = Combatant(number=number, owner=owner, dice=expression.canonical_text, total=total, name=Name(name))
    order = replace(order, combatants=(*order.combatants, new), joined=number)
    return replace(order, combatants=rolled_off(order.combatants, rng))


def rolled_off(fighters: tuple[Combatant, ...], rng: Rng) -> tuple[Combatant, ...]:
    """Break ties: people with equal totals and d20s so far roll one more."""
    throw = in_pool(rng, f"d{ROLL_OFF}", "rolled off")
    for depth in range(MAX_TIES):
        shared = Counter((fighter.total, fighter.ties[:depth]) for fighter in fighters)
        rolled = [item for item in fighters if len(item.ties) == depth]
        tied = [item.number for item in rolled if shared[item.total, item.ties] > 1]
        if not tied:
            break
        thrown = {number: (throw(ROLL_OFF) + 1,) for number in tied}
        fighters = tuple(replace(item, ties=(*item.ties, *thrown.get(item.number, ()))) for item in fighters)
    return fighters


def advance(order: TurnOrder) -> TurnOrder:
    """Advance to the next turn or round. Raises ``PlayerError`` if nobody has joined."""
    ranked = order.in_order
    if not ranked:
        raise PlayerError("Nobody is in the turn order yet. Join it first.")
    numbers = [fighter.number for fighter in ranked]
    at = numbers.index(order.current) + 1 if order.current in numbers else len(numbers)
    if at == len(numbers):
        return replace(order, round=order.round + 1, current=numbers[0])
    return replace(order, current=numbers[at])


def remove_combatant(order: TurnOrder, number: int) -> TurnOrder:
    """Remove a participant; if it was their turn, the next one acts."""
    if order.current == number:
        after = advance(order)
        order = after if after.current != number else replace(order, current=0)
    return replace(order, combatants=tuple(fighter for fighter in order.combatants if fighter.number != number))
