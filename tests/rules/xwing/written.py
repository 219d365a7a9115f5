"""Writes a row of a card as the files have it: the inverse of the reader, by which tests read every row twice."""

from collections.abc import Iterator

from bot.rules.game import Side
from bot.rules.xwing.cards.rows import FRIEND, ON, Act, CardRow, act_in_words, read_act
from bot.rules.xwing.dice.conditions import AS, Has, RowCondition, ShipState
from bot.rules.xwing.dice.costs import CHARGE, Cost

COUNTED = (CHARGE, "force", "energy", "ion")
"""Rows say the number of these, also where it is 1."""


def written(row: CardRow) -> dict[str, object]:
    """A row as the file has it; what has its default is left out."""
    on = next(word for word, sides in ON.items() if sides == row.on)
    said = {
        "on": f"{FRIEND if row.friend else ''}{on}",
        "when": row.when.value,
        "if": [" or ".join(map(condition_in_words, condition)) for condition in row.conditions],
        "ask": row.ask,
        "of": row.of or "",
        "cost": ", ".join(cost_in_words(cost) for cost in row.cost),
        "do": ", ".join(phrases(row)),
        "each": row.each,
        "must": row.must,
        "pool": row.pool,
        "times": row.times if row.times > 1 else 0,
        "itself": row.itself,
        "instead": row.instead,
        "then": row.then,
        "theirs": row.theirs,
    }
    return {key: item for key, item in said.items() if item}


def phrases(row: CardRow) -> Iterator[str]:
    """What a row does, phrase by phrase; where it differs by side the second one is no longer than it must be."""
    for acts in zip(*(row.acts_of(side) for side in row.on or (Side.ATTACKER,)), strict=True):
        first, *others = in_words(row, acts)
        second = others[0] if others else first
        if first == second:
            yield first
        else:
            start, _, last = second.rpartition(" ")
            yield f"{first} / {last if start == first.rpartition(' ')[0] else second}"


def in_words(row: CardRow, acts: tuple[Act, ...]) -> list[str]:
    """The same deed of both sides, without the color of the dice where it goes without saying."""
    short, sides = [act_in_words(act, named=False) for act in acts], row.on or (Side.ATTACKER,)
    if all(read_act(item, side) == act for item, side, act in zip(short, sides, acts, strict=True)):
        return short
    return [act_in_words(act, named=True) for act in acts]


def cost_in_words(cost: Cost) -> str:
    return f"{cost.kind} {cost.count}" if cost.count > 1 or cost.what in COUNTED else cost.kind


def condition_in_words(condition: RowCondition) -> str:
    no = "no" if isinstance(condition.test, Has | ShipState) else "not"
    side = next((word for word, side in AS.items() if side is condition.side), "")
    return " ".join(filter(None, (side, condition.whose, no if condition.no else "", str(condition.test))))
