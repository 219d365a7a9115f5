"""A game of three rounds at random, with kills and presses taken back, against a book that counts by itself.

The book knows who stands, what was spent and what ends, from the rules page; not how the turn is kept.
"""

import random
from collections import Counter

import pytest

from bot.rules.infinity.table import pieces
from bot.rules.infinity.turn.player_turn import TURN
from bot.sessions import codec
from tests.rules.infinity.table import ANA, BO, Table
from tests.seeds import seeds

COMBI = "Combi: B3 PS 7 N ARM +3@16 -3@32 -6@48"
LIST = {
    ANA: {
        "Ada": "LI, W 1",
        "Bea": "HI, W 2",
        "Cas": "WB, W 1, Irregular",
        "Dot": "LI, W 1, Tactical Awareness",
        "Eve": "LI, W 1",
    },
    BO: {"Hector": "HI, W 2", "Ivo": "LI, W 1", "Jon": "LI, W 1, Irregular", "Kai": "LI, W 1", "Leo": "LI, W 1"},
}
SIDES = {name: owner for owner, names in LIST.items() for name in names}
DOWN = {"Unconscious", "Dead"}


class Book:
    """Orders of the active player as somebody would count them with tokens on the table."""

    def __init__(self, table: Table, active: int) -> None:
        standing = [name for name, owner in SIDES.items() if owner == active and not DOWN & set(table.states(name))]
        loners = [name for name in standing if "Irregular" in LIST[active][name]]
        self.own = Counter(loners) + Counter(name for name in standing if "Tactical" in LIST[active][name])
        self.pool, self.of, self.loners = len(standing) - len(loners), len(standing) - len(loners), set(loners)

    def regular(self, name: str) -> None:
        """A command token makes an Irregular Order Regular."""
        self.own[name] -= 1
        self.pool, self.of = self.pool + 1, self.of + 1

    def spend(self, name: str) -> bool:
        """Whether an order of a trooper could be paid; an Irregular one's own comes first, Tactical last."""
        if name in self.loners and self.own[name]:
            self.own[name] -= 1
        elif self.pool:
            self.pool -= 1
        elif self.own[name]:
            self.own[name] -= 1
        else:
            return False
        return True

    def line(self) -> str:
        irregular = sum(self.own[name] for name in self.loners)
        tactical = sum(self.own.values()) - irregular
        parts = [f"orders in group 1: {self.pool} of {self.of}"] if self.of else []
        parts += [f"Irregular {irregular}"] * bool(irregular) + [f"tactical {tactical}"] * bool(tactical)
        return " · ".join(parts) or "no orders"


def kill(table: Table) -> None:
    """The bot dies: what stands is what was stored."""
    for name, body in table.pieces.items():
        assert codec.read_body(pieces.Body, codec.write_body(pieces.Body, body)) == body
        table.pieces[name] = codec.read_body(pieces.Body, codec.write_body(pieces.Body, body))


@pytest.mark.parametrize("seed", seeds(range(8)))
def test_three_rounds_come_out_as_the_book_has_them(seed: int) -> None:
    chance = random.Random(seed)
    table = Table(
        {
            name: (owner, f"BS 12, PH 11, WIP 13, ARM 1, BTS 0, {LIST[owner][name]}, {COMBI}")
            for name, owner in SIDES.items()
        },
        chance.randrange,
    )
    tokens = {ANA: 4, BO: 4}
    for round_ in range(1, 4):
        for active in (ANA, BO):
            mine = [name for name, owner in SIDES.items() if owner == active and not DOWN & set(table.states(name))]
            if not mine:
                return
            table.press("start", player=active)
            book = Book(table, active)
            play(table, book, active, chance, tokens)
            assert table.turn.round == round_
            table.press("end", player=active)
            assert not any("Stunned" in table.states(name) for name in SIDES)
    assert table.turn.round == 4


def play(table: Table, book: Book, active: int, chance: random.Random, tokens: dict[int, int]) -> None:
    """Orders and command tokens at random until none is left, some taken back, the bot killed now and then."""
    for _ in range(12):
        mine = [name for name, owner in SIDES.items() if owner == active and not DOWN & set(table.states(name))]
        foes = [name for name, owner in SIDES.items() if owner != active and not DOWN & set(table.states(name))]
        able = [name for name in mine if (book.own[name] or book.pool) and "Stunned" not in table.states(name)]
        if not able or not foes:
            break
        if tokens[active] and chance.random() < 0.2:
            loners = [loner for loner in book.loners if book.own[loner]]
            if loners:
                table.press("command", player=active, use="regular", who=loners[0])
                book.regular(loners[0])
            else:
                table.press("command", player=active, use="other")
            tokens[active] -= 1
            able = [item for item in able if book.own[item] or book.pool]
        name, foe = chance.choice(able), chance.choice(foes)
        if chance.random() < 0.2:
            before = table.line()
            table.press("order", name, target=foe, at="0-16")
            table.undo()
            assert table.line() == before
        table.press("order", name, target=foe, at="0-16")
        assert book.spend(name)
        if chance.random() < 0.5:
            quick = [key for key in table.offered() if key.startswith("quick")]
            table.take(chance.choice(quick))
        if chance.random() < 0.3:
            kill(table)
        lost = Counter({item: table.trooper(item).lost for item in SIDES})
        table.take("roll")
        table.all_saves()
        assert table.state is not None
        for saved in table.state.saves:
            lost[saved.save.name] += sum(int(die.face) > 1 + 7 for die in saved.dice)
        for side in SIDES:
            assert table.trooper(side).lost == lost[side], side
            assert bool(DOWN & set(table.states(side))) == (lost[side] >= (table.trooper(side).wounds or 0)), side
        assert f" · {book.line()} · {tokens[active]} Command Token" in table.line()
        if chance.random() < 0.15:
            table.press("state", chance.choice(list(SIDES)), begins="Stunned") if chance.random() < 0.5 else kill(table)
    assert TURN in table.pieces
