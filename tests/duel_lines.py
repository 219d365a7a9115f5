"""Lines of every duel, made from the rows of its file, and rolls of which the faces and choices are told."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Final

from bot.odds import duels as duel_odds
from bot.rules import duels
from bot.rules.dice import Face, PooledRng, Rng
from bot.rules.duels import Declared, DuelRoll, law
from bot.rules.duels.rows import DUELS, DuelGame, NumberRow, Window
from bot.rules.game import Choice, Offer, Side
from bot.rules.text import english
from tests.every_way import every_end

SMALL: Final[Mapping[str, Mapping[str, int]]] = {
    "armada": {"red": 1, "black": 1, "range": 1},
    "bloodbowl": {"st": 3, "dst": 3},
    "crisis": {"strength": 1, "guard": 1},
    "fight": {
        "attacks": 1,
        "hit": 4,
        "normal": 3,
        "crit": 4,
        "dattacks": 1,
        "dhit": 4,
        "dnormal": 2,
        "dcrit": 4,
    },
    "heroscape": {"strength": 1, "toughness": 1},
    "killteam": {"attacks": 1, "piercing": 2, "hit": 4, "normal": 3, "crit": 4, "save": 4},
    "legion": {"red": 1, "white": 1, "saves": 1},
    "onepage": {"attacks": 1, "quality": 4, "defense": 4},
    "shatterpoint": {"strength": 1, "guard": 1},
    "sigmar": {"attacks": 1, "hit": 4, "wound": 4, "save": 4},
    "volley": {"attacks": 1, "skill": 4, "strength": 4, "toughness": 4, "save": 4},
}
"""A short line of each game: whatever has to be typed."""
OTHER: Final[Mapping[str, Mapping[str, int]]] = {"onepage": {"attacks": 1, "spell": 1, "defense": 4}}
"""Short lines of another kind, for numbers that mean nothing in the first."""
LINES: Final = 24


@dataclass(frozen=True)
class Golden:
    """A worked roll: typed values, faces in order, and result.

    ``chosen``: an action by name, with the selected dice's places in its pool or the symbol; others aren't taken.
    """

    typed: str
    faces: str
    result: int
    chosen: Sequence[str] = ()


class Told(PooledRng):
    """Chance that gives the faces told, as numbers or symbols, in the order in which dice fall."""

    def __init__(self, faces: str) -> None:
        self.left = faces.split()

    def __call__(self, _: int) -> int:
        raise AssertionError("a draw that is no die")

    def in_pool(self, _: str, faces: Sequence[Face] = ()) -> Rng:
        return lambda _: self._place(faces)

    def _place(self, faces: Sequence[Face]) -> int:
        face = self.left.pop(0)
        return int(face) - 1 if face.isdigit() else faces.index(face)


def play(
    duel: DuelGame,
    golden: Golden,
    camera: str | None = None,
    rng: Told | None = None,
    pressed: list[tuple[Side, Choice]] | None = None,
) -> tuple[DuelRoll, list[str], list[str]]:
    """The roll at its end, and the faces and choices for which there was no place.

    ``camera``: who types the faces. ``pressed`` gets each choice with its side.
    """
    rng, chosen = rng or Told(golden.faces), list(golden.chosen)
    raw = {"game": duel.key, "line": golden.typed} | ({"camera": camera} if camera else {})
    state = duels.start(duels.declare(raw), rng)
    while not state.is_over:
        offers = duels.offers(state)
        picked = next((found for name in chosen if (found := choice_of(offers, name))), None)
        choice = Choice("done")
        if picked is not None:
            chosen.remove(picked[0])
            choice = picked[1]
        elif offers[0].key == "type":
            choice = Choice("type", by=offers[0].side)
        elif not golden.chosen:
            choice = duel_odds.moves(state)[0].choice
        if pressed is not None:
            pressed.append((offers[0].side, choice))
        state = duels.choose(state, typed_by_hand(state, choice, rng), rng)
    return state, rng.left, chosen


def typed_by_hand(state: DuelRoll, choice: Choice, rng: Told) -> Choice:
    """A choice with the next faces typed in, where its offer asks for them."""
    offer = next(offer for offer in duels.offers(state) if offer.key == choice.offer)
    if not offer.fields:
        return choice
    kinds = duels.awaited_dice(state)
    if not kinds:
        at = int(offer.key.removeprefix("use-"))
        action = law.actions_here(state.declared.duel, state.now)[at]
        can = law.possible(state.declared.duel, state.declared.values, state.now)[at]
        dice = state.now.pools[law.pool_of(state.declared.duel, action)]
        places = list(law.alike(dice, can.dice)[choice.picked[0]]) if action.alike else [*map(int, choice.picked)]
        kinds = [dice[place].kind for place in places or can.dice]
    every = (state.declared.duel.faces[kind] for kind in kinds)
    faces = [
        str(shown if shown in known else known[int(shown) - 1]) for shown, known in zip(rng.left, every, strict=False)
    ]
    del rng.left[: len(faces)]
    filled = {"faces": ", ".join(faces), "dice": ", ".join(choice.picked)}
    keys = {field.key for field in offer.fields}
    if "faces" not in keys:
        filled = {f"faces-{number}": face for number, face in enumerate(faces, 1)}
    return Choice(choice.offer, filled={key: text for key, text in filled.items() if text}, by=offer.side)


def choice_of(offers: Sequence[Offer], name: str) -> tuple[str, Choice] | None:
    """The choice that a golden row names: an offer by its label, with places of dice, their number, or a symbol."""
    labels = {english(offer.label).split(" (")[0]: offer for offer in offers}
    fits = [label for label in labels if name == label or name.startswith(f"{label} ")]
    if not fits:
        return None
    label = max(fits, key=len)
    offer, picks = labels[label], name[len(label) :].split()
    options = offer.options or next((field.options for field in offer.fields if field.key == "dice"), ())
    if not any(english(option.label).startswith("Every ") for option in options):
        picks = [str(int(pick) - 1) if pick.isdigit() else pick for pick in picks]
    return name, Choice(offer.key, tuple(picks) if options else ())


def declared(key: str, numbers: Mapping[str, int]) -> Declared:
    rows = DUELS[key].numbers
    return Declared(game=key, numbers=tuple(numbers.get(row.name, row.usual or 0) for row in rows))


def one_more(row: NumberRow) -> int:
    """A value of a row that is not as usual."""
    values = list(row.picks.values()) or [*range(row.least, row.most + 1)]
    unusual = [value for value in values if value != row.usual]
    return next((value for value in unusual if value > (row.usual or 0)), unusual[-1])


def small_lines(key: str) -> Iterator[Declared]:
    """The short line, with each number in turn, and with two of them until there are enough."""
    for short in filter(None, (SMALL[key], OTHER.get(key))):
        rows = [row for row in DUELS[key].numbers if row.name not in short]
        given = [(), *((row,) for row in rows), *combinations(rows, 2)][: max(LINES, len(rows) + 1)]
        for added in given:
            line = declared(key, {**short, **{row.name: one_more(row) for row in added}})
            if all(check.when.value(line.values) for check in line.duel.check):
                yield line


def played_every_way(line: Declared) -> tuple[dict[int, Fraction], bool]:
    """The chance of each result by the real rules, both sides doing what is best for them.

    And whether somebody had to choose between laws of one mean, so that the mean alone is certain.
    """
    search, ties = duel_odds.Search(line), list[int]()

    def follow(state: DuelRoll) -> Callable[[Rng], DuelRoll] | None:
        stage = law.stage_of(line.duel, state.now)
        if not isinstance(stage, Window):
            return None
        every = law.possible(line.duel, line.values, state.now)
        choices = [*search.choices(state.now, stage, every)]
        then = duel_odds.best_for(law.chooser(stage, every), (found for _, found in choices))
        best = next(choice for choice, found in choices if found is then)
        ties.extend(
            state.stage for _, found in choices if found != then and duel_odds.mean_of(found) == duel_odds.mean_of(then)
        )
        picked = best.picked if options_of(state, best.offer) else ()
        return lambda rng: duels.choose(state, Choice(best.offer, picked), rng)

    ends = every_end(lambda rng: duels.start(line, rng), follow)
    chances = dict[int, Fraction]()
    for state, chance in ends.items():
        chances[state.result] = chances.get(state.result, Fraction()) + chance
    return chances, bool(ties)


def options_of(state: DuelRoll, key: str) -> tuple[str, ...]:
    """What may be picked for an offer."""
    offer = next(offer for offer in duels.offers(state) if offer.key == key)
    return tuple(option.value for option in offer.options)


def typed(line: Declared, order: Sequence[Side]) -> str:
    """The words of a line, those of one side after those of the other; ``vs`` stands before the defender's."""
    rows = [(row, value) for row, value in zip(line.duel.numbers, line.numbers, strict=True) if value != row.usual]
    sides = {side: " ".join(row.write(value) for row, value in rows if row.side is side) for side in Side}
    return " ".join(f"vs {sides[side]}" if side is Side.DEFENDER else sides[side] for side in order)
