"""A roll in dice notation: declared as a text, rolled pool by pool, and added up as the text says."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from bot.rules.anydice.notation import (
    CHAIN_MOST,
    LABEL_MOST,
    TEXT_MOST,
    TIMES_MOST,
    Comparison,
    Expression,
    Node,
    Number,
    Pool,
    calculate,
    compare,
    parse,
)
from bot.rules.dice import DICE_MOST, Rng, Rolled, Step, in_pool
from bot.rules.errors import BadInput, BadText, Example, PlayerError, Whole
from bot.rules.game import Choice, Note, Offer, Side, taken
from bot.rules.name import one_line
from bot.rules.reading import Reader
from bot.rules.text import Text

NOTES = (
    Note("`6d10>=7`, a sign right behind dice", "counts the dice that fit; behind a sum, as `1d20+5>=15`, compares it"),
    Note("`>7` is “7 or more” in some bots", "it is 8 or more; write `>=7`"),
    Note("`k3` keeps threes in some bots", "it keeps the highest three, as `kh3`"),
    Note(
        "`r1` means once in some bots, and again and again in others", "write `ro1` (once) or `rr1` (again and again)"
    ),
    Note("Dice that explode, or are rerolled by `rr`, may do so for ever", f"each does it at most {CHAIN_MOST} times"),
    Note(
        "The order of modifiers",
        "reroll, explode, `mi` and `ma`, keep or drop, count; in whatever order they are typed",
    ),
    Note("Halves", "division rounds down"),
    Note("`d%`", "one die of 1 to 100"),
)
COUNTED: Final = ("d4", "d6", "d8", "d10", "d12", "d20", "d100", "dF")
"""Kinds of dice that people own. Only of these does the fairness page count the sides."""
AGAIN: Final = Offer("again", Side.ATTACKER, "Roll again", reopens=True)
FACES_LONGEST: Final = 600
EXPLODES: Final = "explodes"
"""What brings a die that follows an exploding one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """Dice as typed, ``times`` over, with a ``label``. ``faces``: rolled by hand, in the order in which dice fall."""

    dice: str
    times: int = 1
    label: str = ""
    faces: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll:
    """A roll: the dice of each pool, in the order of the text, once for each time that it is rolled."""

    declared: Declared
    dice: tuple[tuple[Rolled, ...], ...]

    @property
    def expression(self) -> Expression:
        return parse(self.declared.dice)

    @property
    def each(self) -> tuple[tuple[tuple[Rolled, ...], ...], ...]:
        """The dice of each time, pool by pool."""
        pools = len(self.expression.pools)
        return tuple(self.dice[at * pools : (at + 1) * pools] for at in range(self.declared.times))

    @property
    def totals(self) -> tuple[int, ...]:
        """What each time came to."""
        return tuple(total(self.expression.tree, dice) for dice in self.each)


State = Roll


def declare(raw: Mapping[str, object]) -> Declared:
    """``{"dice": "4d6kh3", "times": 2, "label": "Strength", "faces": "6 5 1 3 ..."}``; only ``dice`` is required.

    ``times`` and ``label`` may stand in the dice as well: ``2#4d6kh3 Strength``. Raises ``PlayerError`` for dice that
    cannot be read, and for faces that they do not have.
    """
    reader = Reader(raw)
    text = reader.text("dice", TEXT_MOST)
    times = reader.whole("times", 1, TIMES_MOST, default=1)
    label = one_line(reader.text("label", LABEL_MOST), LABEL_MOST)
    faces = read_faces(reader.raw("faces"), "faces")
    reader.done()
    expression = parse(text)
    if not expression.pools:
        raise BadInput("dice", text, Text("Use at least one die."), Example("1d20+5"))
    if expression.times > 1 and times > 1:
        raise BadInput(
            "times", times, Text("Leave it out, because the dice say already {times} times.", times=expression.times)
        )
    declared = Declared(
        dice=expression.text, times=max(times, expression.times), label=label or expression.label, faces=faces
    )
    if dice_count(declared) > DICE_MOST:
        raise PlayerError(f"That is {dice_count(declared)} dice. Roll at most {DICE_MOST} at once.")
    if faces is not None:
        start(declared, never)
    return declared


def read_faces(given: object, field: str) -> tuple[int, ...] | None:
    """Faces that were rolled by hand, typed (``6 5 -1``) or as a list; None if there are none."""
    if given is None or given == "":
        return None
    if isinstance(given, str) and len(given) <= FACES_LONGEST:
        words: Sequence[object] = re.split(r"[\s,;]+", given.replace("−", "-").strip())
    elif isinstance(given, list | tuple) and len(given) <= FACES_LONGEST:
        words = given
    else:
        raise BadInput(
            field, given, Text("Use faces like `6 5 1`, at most {longest} characters.", longest=FACES_LONGEST)
        )
    faces = []
    for word in words:
        if isinstance(word, bool) or not re.fullmatch(r"-?[0-9]{1,4}", str(word)):
            raise BadInput(field, word, Text("Use the faces in the order in which the dice fell."), Example("6 5 1"))
        faces.append(int(str(word)))
    return tuple(faces)


def never(sides: int) -> int:
    """The chance of a roll whose dice lie on the table already."""
    raise AssertionError(f"a die of {sides} sides was drawn, although people rolled by hand")


def dice_count(declared: Declared) -> int:
    """The dice that fall at once; those that explode come on top."""
    return declared.times * sum(pool.count for pool in parse(declared.dice).pools)


# Rolling


class Throw(Protocol):
    """Lets one die of a pool fall: its first step, or a further one that ``by`` causes."""

    def __call__(self, pool: Pool, by: str = "", *, anew: bool = False) -> Step: ...


def thrown(rng: Rng) -> Throw:
    """Dice that the bot rolls."""

    def throw(pool: Pool, by: str = "", *, anew: bool = False) -> Step:
        purpose = "rerolled" if anew else by or "rolled"
        draw = in_pool(rng, pool.kind, purpose) if pool.kind in COUNTED else rng
        return Step("rerolled" if anew else "rolled", pool.faces[draw(len(pool.faces))], by)

    return throw


class Hand:
    """Dice that people rolled: each throw is the next face that they typed. Raises ``PlayerError`` for a wrong one."""

    def __init__(self, faces: Sequence[int], side: Side, field: str) -> None:
        self.left, self.given, self.side, self.field = list(faces), len(faces), side, field

    def __call__(self, pool: Pool, by: str = "", *, anew: bool = False) -> Step:
        if not self.left:
            cause = f" The next one is a {pool.kind} that {'is rerolled' if anew else 'follows'}." if by else ""
            raise BadText(f"`{self.field}` has {self.given} faces, but more dice fall.{cause} Type every face.")
        face = self.left.pop(0)
        if face not in pool.faces:
            allowed = Whole(min(pool.faces), max(pool.faces))
            raise BadInput(f"{self.field}, {pool.kind}", face, allowed)
        return Step("entered", face, self.side.value)

    def done(self) -> None:
        """Raises ``PlayerError`` if faces are left over."""
        if self.left:
            used = self.given - len(self.left)
            fall = "1 die falls" if used == 1 else f"{used} dice fall"
            raise BadText(f"`{self.field}` has {self.given} faces, but only {fall}. Leave out the others.")


def roll_all(
    expression: Expression, times: int, rng: Rng, faces: Sequence[int] | None, side: Side, field: str = "faces"
) -> tuple[tuple[Rolled, ...], ...]:
    """The dice of each pool, ``times`` over. Raises ``PlayerError`` for typed faces that do not fit."""
    hand = None if faces is None else Hand(faces, side, field)
    throw: Throw = hand or thrown(rng)
    dice = tuple(roll_pool(pool, throw) for _ in range(times) for pool in expression.pools)
    if hand is not None:
        hand.done()
    return dice


def roll_pool(pool: Pool, throw: Throw) -> tuple[Rolled, ...]:
    """A pool with everything that happens to it, in the order that ``Pool`` names."""
    firsts = [Rolled(pool.kind, (throw(pool),)) for _ in range(pool.count)]
    dice = [die for first in firsts for die in chain(pool, rerolled(pool, first, throw), throw)]
    dice = [limited(pool, die) for die in dice]
    return drop(pool, dice)


def rerolled(pool: Pool, die: Rolled, throw: Throw) -> Rolled:
    """A die that fits is thrown again, once or until it no longer fits."""
    test = pool.reroll
    for _ in range(1 if pool.reroll_once else CHAIN_MOST):
        if test is None or not test.fits(int(die.face)):
            break
        die = replace(die, trail=(*die.trail, throw(pool, f"{'ro' if pool.reroll_once else 'rr'}{test}", anew=True)))
    return die


def chain(pool: Pool, die: Rolled, throw: Throw) -> Iterator[Rolled]:
    """A die, and those that explode out of it."""
    yield die
    for _ in range(CHAIN_MOST):
        if pool.explode is None or not pool.explode.fits(int(die.face)):
            break
        die = rerolled(pool, Rolled(pool.kind, (throw(pool, EXPLODES),)), throw)
        yield die


def limited(pool: Pool, die: Rolled) -> Rolled:
    face, counted = int(die.face), pool.limited(int(die.face))
    return die if face == counted else die.then("changed", "mi" if counted > face else "ma", counted)


def drop(pool: Pool, dice: Sequence[Rolled]) -> tuple[Rolled, ...]:
    """The dice with those marked that are dropped; of equal ones the later."""
    if pool.keep is None:
        return tuple(dice)
    low, high = pool.keep.kept(len(dice))
    order = sorted(range(len(dice)), key=lambda at: (int(dice[at].face), -at))
    dropped = {*order[:low], *order[len(order) - high :]}
    return tuple(die.then("cancelled", "dropped") if at in dropped else die for at, die in enumerate(dice))


# Adding up


def pool_total(pool: Pool, dice: Sequence[Rolled]) -> int:
    """The dice that count, added up; with ``success``, how many of them fit."""
    return sum(pool.value(int(die.face)) for die in dice if die.counts)


def total(tree: Node, dice: Sequence[Sequence[Rolled]]) -> int:
    """What a tree comes to, with the dice of its pools in their order."""
    left = iter(dice)
    return evaluated(tree, lambda pool: pool_total(pool, next(left)))


def evaluated(node: Node, value: Callable[[Pool], int]) -> int:
    """What a tree comes to, where each pool has a value; pools are asked from left to right."""
    if isinstance(node, Number):
        return node.value
    if isinstance(node, Pool):
        return value(node)
    left, right = evaluated(node.left, value), evaluated(node.right, value)
    if isinstance(node, Comparison):
        return int(compare(left, node.sign, right))
    return calculate(node.operator, left, right)


# The game


def start(declared: Declared, rng: Rng) -> Roll:
    """The whole roll. Raises ``PlayerError`` for faces, rolled by hand, that do not fit the dice."""
    dice = roll_all(parse(declared.dice), declared.times, rng, declared.faces, Side.ATTACKER)
    return Roll(declared=declared, dice=dice)


def rolled(state: Roll) -> tuple[Rolled, ...]:
    return tuple(die for pool in state.dice for die in pool)


def offers(state: Roll) -> tuple[Offer, ...]:
    """Roll again, if the bot rolled the dice."""
    return (AGAIN,) if state.declared.faces is None else ()


def choose(state: Roll, choice: Choice, rng: Rng) -> Roll:
    taken(offers(state), choice)
    return start(state.declared, rng)


def outcome(state: Roll) -> Mapping[str, object]:
    """``totals`` with one number for each time, and the faces of every pool that count, or were dropped."""
    pools = [
        {
            "dice": pool.text,
            "faces": [die.face for die in dice],
            "dropped": [die.face for die in dice if not die.counts],
            "total": pool_total(pool, dice),
        }
        for each in state.each
        for pool, dice in zip(state.expression.pools, each, strict=True)
    ]
    return {"dice": state.declared.dice, "totals": list(state.totals), "pools": pools}
