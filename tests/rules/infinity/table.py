"""A table of Infinity without Discord: troopers, the turn, and orders as presses on it would make them."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from bot.rules import infinity
from bot.rules.dice import Rng
from bot.rules.game import Choice, Offer, Side
from bot.rules.infinity.orders.play import State
from bot.rules.infinity.table import controls, pieces
from bot.rules.infinity.troopers.trooper import Trooper, parse
from bot.rules.infinity.turn import player_turn as turns
from bot.rules.infinity.turn.player_turn import TURN, PlayerTurn

ANA, BO = 1, 2
NAMES = {ANA: "Ana", BO: "Bo"}


class Table:
    """The pieces of a channel, and the roll that is on its card. ``acts`` counts presses, forms and picks in them."""

    def __init__(self, troopers: Mapping[str, tuple[int, str]], rng: Rng = lambda sides: sides // 2) -> None:
        self.pieces: dict[str, Any] = {}
        for name, (owner, line) in troopers.items():
            self.pieces[name] = replace(parse(name, line), owner=owner)
        self.rng, self.acts = rng, 0
        self.state: State | None = None
        self.past: list[tuple[dict[str, Any], State | None]] = []

    # what stands there

    @property
    def turn(self) -> PlayerTurn:
        result = self.pieces[TURN]
        assert isinstance(result, PlayerTurn)
        return result

    def line(self) -> str:
        return str(turns.line(self.turn, NAMES))

    def trooper(self, name: str) -> Trooper:
        result = self.pieces[name]
        assert isinstance(result, Trooper)
        return result

    def states(self, name: str) -> tuple[str, ...]:
        return self.trooper(name).states

    # presses on the board

    def press(self, key: str, name: str = TURN, player: int = ANA, **filled: str) -> str:
        """A press on the board, or on what comes next, with what is picked in its form."""
        offer = self.offer(key, name)
        form = {field.key: field.value for field in offer.fields} | filled
        self.count(offer, filled)
        if key in (controls.ATTACK, controls.BONUS):
            self.order(controls.attack_words(name, form, key))
            return ""
        self.keep()
        done = controls.choose(self.pieces, name, Choice(key, filled=form), self.rng, player)
        self.pieces = {**self.pieces, **done.changes}
        return str(done.sentence)

    def offer(self, key: str, name: str = TURN) -> Offer:
        held = controls.table_offers(self.pieces) if name == TURN else controls.offers(self.pieces, name)
        return next(item for item in held if item.key == key)

    def count(self, offer: Offer, filled: Mapping[str, str]) -> None:
        changed = [field for field in offer.fields if filled.get(field.key, field.value) != field.value]
        self.acts += 1 + bool(offer.fields) + sum(len(field.picked_values(filled[field.key])) for field in changed)

    # orders

    def order(self, raw: Mapping[str, object] | str) -> None:
        words = {"order": raw} if isinstance(raw, str) else raw
        declared = pieces.declare(words, self.pieces)
        self.keep()
        self.settle(None, infinity.start(declared, self.rng))

    def settle(self, before: State | None, after: State) -> None:
        named = pieces.names(after)
        held = {name: item for name, item in self.pieces.items() if named is None or name in named}
        self.state, changed = pieces.settle(before, after, held, self.rng)
        self.pieces = {**self.pieces, **changed}

    def take(self, key: str, player: int = 0, **filled: str) -> None:
        """A press on the card of the order."""
        assert self.state is not None
        offer = next(item for item in infinity.offers(self.state) if item.key == key)
        form = {field.key: field.value for field in offer.fields} | filled
        self.count(offer, filled)
        self.keep()
        before = self.state
        choice = Choice(key, filled=form if offer.fields else None, by=offer.side, player=player)
        self.settle(before, infinity.choose(before, choice, self.rng))

    def fallen(self) -> int:
        """How many rolls have their dice."""
        assert self.state is not None
        return len(self.state.dice)

    def offered(self) -> dict[str, str]:
        assert self.state is not None
        return {offer.key: str(offer.label) for offer in infinity.offers(self.state)}

    def all_saves(self) -> None:
        for side in Side:
            if f"all-{side}" in self.offered():
                self.take(f"all-{side}")

    # undo

    def keep(self) -> None:
        self.past.append((self.pieces, self.state))

    def undo(self) -> None:
        self.pieces, self.state = self.past.pop()


def faces(*fall: int) -> Callable[[int], int]:
    """Dice that fall like this, then the highest face for ever."""
    left = list(fall)
    return lambda sides: left.pop(0) - 1 if left else sides - 1
