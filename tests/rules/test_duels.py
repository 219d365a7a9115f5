"""Duels: every worked roll of every file, laws that hold for each file, files that are refused, and what is typed."""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from functools import partial
from itertools import islice, permutations
from pathlib import Path
from random import Random
from typing import Any, Final, cast

import pytest
from hypothesis import given, strategies as st

from bot.games import GAMES
from bot.languages import ENGLISH, LANGUAGES
from bot.languages.translate import translate, using_language
from bot.render import duels as cards, explanation
from bot.render.art import dice
from bot.render.card import Card
from bot.rules import duels
from bot.rules.dice import Rng, list_typists
from bot.rules.duels import DuelRoll, physical_dice, typed as words
from bot.rules.duels.law import declared_values
from bot.rules.duels.rows import DUELS, FOLDER, MAX_BYTES, MAX_STEPS, SHAPES, DuelFileError, read_duel
from bot.rules.errors import NotOfferedError, PlayerError, UnknownWordError
from bot.rules.game import Choice, Offer, Pick, Side
from bot.rules.text import EMPTY, english, term
from tests import steps
from tests.duel_lines import SMALL, Golden, declared, one_more, play, typed
from tests.rows import for_each_row
from tests.sampling import Part

BY_HAND: Final[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "golden" / "duels_rolls.json").read_text())
BY_HAND.pop("about")  # what the file is
GOLDEN: Final = [
    *((key, Golden(**row)) for key, duel in DUELS.items() for row in duel.golden),
    *((key, Golden(**row)) for key, rows in BY_HAND.items() for row in rows),
]
ALL: Final = [(key, number) for key, duel in DUELS.items() for number in range(len(duel.numbers))]


@for_each_row(("key", "row"), GOLDEN, ids=[f"{key} {row.typed}" for key, row in GOLDEN])
def test_the_worked_rolls(key: str, row: Golden) -> None:
    """A die is drawn by a number, a shape, or one short word, also if a step added it: a tile has no room for more."""
    state, faces, chosen = play(DUELS[key], row)
    assert (state.result, faces, chosen) == (row.result, [], [])
    for strip in cards.pool_strips(state):
        for drawn in strip.tiles:
            assert drawn.face.isdigit() or drawn.shapes or drawn.face in ("blank", "failure"), drawn


@for_each_row(("key", "row"), GOLDEN, ids=[f"{key} {row.typed}" for key, row in GOLDEN])
def test_the_worked_rolls_typed_by_hand(key: str, row: Golden) -> None:
    """Every face of both sides is typed, so that nothing is left to chance; each die that fell says who typed it."""
    state, faces, chosen = play(DUELS[key], row, camera="both")
    assert (state.result, faces, chosen) == (row.result, [], [])
    typists = list_typists(duels.rolled(state))
    assert len(typists) == len(row.faces.split())
    assert {*typists} <= {*Side}
    told = explanation.card(Card(EMPTY, EMPTY), duels.rolled(state), {}, partial(GAMES["duels"].name_face, state))
    lines = [line for _, text in told.facts for line in english(text).splitlines()]
    assert len(lines) == len(duels.rolled(state))
    assert not [line for line in lines if re.search(r"(?:[:,]|to|as|added) (?:[A-Z]+|[-−])(?![\w])", line)], "a letter"
    assert not [line for line in lines if re.search(r" by [A-Z]", line)], "a step's name inside a sentence"


@pytest.mark.parametrize("key", DUELS)
def test_each_face_is_read_from_each_of_its_words(key: str) -> None:
    duel = DUELS[key]
    for kind, faces in duel.faces.items():
        for word, face in physical_dice.words_of(duel, [kind]).items():
            assert physical_dice.read_faces(duel, [kind], word) == [face]
            if not isinstance(face, int):
                assert physical_dice.read_faces(duel, [kind] * 3, f"2 {word} {word}") == [face] * 3
        for wrong in ("", "nothing like it", f"{faces[0]}, {faces[0]}"):
            with pytest.raises(PlayerError, match="face"):
                physical_dice.read_faces(duel, [kind], wrong)


def test_a_die_shows_no_face_of_another_kind() -> None:
    with pytest.raises(PlayerError, match="in the order the dice fell"):
        physical_dice.read_faces(DUELS["legion"], ["d8-black", "d6-white"], "hit, hit")
    with pytest.raises(PlayerError, match="exactly 2 faces"):
        physical_dice.read_faces(DUELS["legion"], ["d8-red", "d8-black"], "hit")


def test_a_side_may_have_its_dice_rolled_after_all() -> None:
    state = duels.start(duels.declare({"game": "legion", "line": "2r red saves", "camera": "attacker"}), lambda _: 0)
    assert not duels.rolled(state)
    state = duels.choose(state, Choice("roll"), lambda _: 0)
    assert (state.is_over, list_typists(duels.rolled(state))) == (True, [])


@pytest.mark.parametrize("key", DUELS)
def test_each_game_has_a_dozen_worked_rolls_and_a_short_line(key: str) -> None:
    assert len(DUELS[key].golden) >= 12
    assert len(BY_HAND[key]) >= 30
    assert key in SMALL


@pytest.mark.parametrize("key", DUELS)
def test_what_both_people_do_best_was_worked_out_by_hand(key: str) -> None:
    """Two rolls of each game whose choices nobody names: both sides choose, and the result is the worked one."""
    both = 0
    for row in (row for game, row in GOLDEN if game == key and not row.chosen):
        pressed = list[tuple[Side, Choice]]()
        play(DUELS[key], row, pressed=pressed)
        both += {side for side, choice in pressed if choice.offer != duels.DONE.word} == {*Side}
    assert both >= 2


# Laws of every file


@given(st.sampled_from(sorted(DUELS)), st.integers(0, 2**32))
def test_what_is_offered_can_be_chosen_and_nothing_else_can(key: str, seed: int) -> None:
    random = Random(seed)
    state = duels.start(random_line(key, random), random.randrange)
    for _ in range(200):
        if state.is_over:
            break
        offers = duels.offers(state)
        assert {offer.side for offer in offers} in ({Side.ATTACKER}, {Side.DEFENDER})
        for wrong in wrong_choices(offers):
            with pytest.raises(NotOfferedError):
                duels.choose(state, wrong, random.randrange)
        state = after_any(state, random)
    assert state.is_over


def random_line(key: str, random: Random) -> duels.Declared:
    rows = random.sample(DUELS[key].numbers, 4)
    added = {row.name: random.choice([one_more(row), row.most]) for row in rows if not row.picks or row.name == ""}
    line = declared(key, {**SMALL[key], **{name: min(value, 6) for name, value in added.items()}})
    return line if all(check.when.value(line.values) for check in line.duel.check) else declared(key, SMALL[key])


def wrong_choices(offers: tuple[Offer, ...]) -> list[Choice]:
    known = {offer.key for offer in offers}
    wrong = [Choice(key) for key in ("use-99", "again", "nothing", "use-0", "use-1") if key not in known]
    for offer in offers:
        wrong.append(Choice(offer.key, ("no such thing",)))
        if offer.options:
            wrong += [Choice(offer.key), Choice(offer.key, tuple(option.value for option in offer.options) * 2)]
    return wrong


def after_any(state: DuelRoll, random: Random, rng: Rng | None = None) -> DuelRoll:
    """The roll after one of the choices; every die is still there, with all that happened to it."""
    offer = random.choice(duels.offers(state))
    picked = tuple[str, ...]()
    if isinstance(offer.asks, Pick):
        values = [option.value for option in offer.asks.options]
        picked = tuple(random.sample(values, random.randint(offer.asks.least, offer.asks.most)))
    after = duels.choose(state, Choice(offer.key, picked), rng or random.randrange)
    for before, now in zip(state.dice, after.dice, strict=True):
        assert len(now) >= len(before)
        assert all(die.trail == then.trail[: len(die.trail)] for die, then in zip(before, now, strict=False))
    return after


# Files that are refused

FILE: Final = """
title = "Test"
source = "Nobody"
second_sources = []
result = { noun = ["hit", "hits"], is = "attack.H", nothing = "Nothing.", some = "{count}." }
[pools]
attack = "Attack"
defense = "Defense"
[dice]
d6-red = ["H", "HH", "-"]
[marks]
H = { noun = ["hit", "hits"], shape = "burst" }
[numbers]
dice = { side = "attacker", words = ["dice"], from = 1, to = 9, asks = "Dice" }
aim = { side = "attacker", to = 2, token = true, asks = "Aim" }
[[step]]
roll = "attack"
dice = { d6-red = "dice" }
[[step]]
may = "Aim"
by = "attacker"
pool = "attack"
reroll = "1"
cost = { aim = 1 }
"""
Rows = dict[str, Any]


def step(number: int, **changed: object) -> Callable[[Rows], object]:
    return lambda rows: rows["step"][number].update(changed)


def without(number: int, *names: str) -> Callable[[Rows], object]:
    return lambda rows: [rows["step"][number].pop(name) for name in names]


def more_numbers(name: str, **row: object) -> Callable[[Rows], object]:
    return lambda rows: rows["numbers"].update({name: {"side": "attacker", "asks": "More", "default": 0, **row}})


FAULTS: Final[Mapping[str, tuple[Callable[[Rows], object], str, str]]] = {
    "a pool that is not there": (step(0, roll="nothing"), "step 1", "a pool and dice by name"),
    "dice that are not there": (step(0, dice={"d8": "1"}), "step 1", "a pool and dice by name"),
    "an unknown name": (step(0, dice={"d6-red": "many"}), "step 1", "not many"),
    "a pool not yet rolled": (step(0, dice={"d6-red": "defense.H"}), "step 1", "not defense.H"),
    "an unknown symbol to change": (
        lambda rows: rows["step"].__setitem__(
            1, {"may": "Aim", "by": "attacker", "pool": "attack", "change": ["Z", "H"]}
        ),
        "step 2",
        "faces of dice",
    ),
    "an unknown symbol": (step(1, only=["Z"]), "step 2", "faces of dice"),
    "an action with a pool not yet rolled": (step(1, pool="defense"), "step 2", "a pool that was rolled"),
    "an action with no pool": (step(1, pool="nobody"), "step 2", "a pool that was rolled"),
    "a cost without a token": (step(1, cost={"dice": 1}), "step 2", "the names of tokens as its cost"),
    "no effect": (without(1, "reroll"), "step 2", "one of reroll, change, cancel, add and set"),
    "two effects": (step(1, cancel=["H"]), "step 2", "one of reroll, change, cancel, add and set"),
    "a reroll of some that has to be done": (
        lambda rows: rows["step"].__setitem__(1, {"must": "Aim", "by": "attacker", "pool": "attack", "reroll": "1"}),
        "step 2",
        "a reroll that somebody may choose",
    ),
    "too many steps": (
        lambda rows: rows.update(step=[*rows["step"], *({"let": {"x": "1"}} for _ in range(MAX_STEPS))]),
        "step",
        f"1 to {MAX_STEPS} steps",
    ),
    "no steps": (lambda rows: rows.update(step=[]), "step", f"1 to {MAX_STEPS} steps"),
    "no dice": (lambda rows: rows.update(dice={}), "dice", "kinds of dice"),
    "words alike": (more_numbers("more", words=["dice"]), "numbers", "no word twice for the attacker"),
    "a range that is none": (more_numbers("more", **{"from": 3, "to": 2}), "numbers.more", "a range"),
    "a symbol without a name": (lambda rows: rows.update(marks={}), "marks", "a name for each symbol"),
    "a shape that nobody draws": (
        lambda rows: rows["marks"]["H"].update(shape="banana"),
        "marks",
        f"a shape of {SHAPES}",
    ),
    "a result of nothing": (
        lambda rows: rows["result"].update({"is": "attack.Z"}),
        "result",
        "names that are known at the end, not attack.Z",
    ),
    "a value that nothing reads": (
        lambda rows: rows["step"].insert(1, {"let": {"hitz": "attack.H"}}),
        "step 2",
        "a value that something reads, not hitz",
    ),
    "a check of nothing": (
        lambda rows: rows.update(check=[{"when": "more > 0", "says": "Type more."}]),
        "check",
        "numbers that are typed, and values",
    ),
    "a value of nothing": (lambda rows: rows.update(values={"x": "y"}), "values.x", "values before it"),
    "each of nothing": (lambda rows: rows.update(each="shots"), "each", "the name of a number"),
    "a call": (step(1, reroll="open('x')"), "step 2", "a formula in `reroll`"),
    "an unknown key": (step(1, rerol="1"), "step 2", "one of the keys add, "),
    "an unknown side": (step(1, by="nobody"), "step 2", "one of attacker, defender in `by`"),
    "an unknown table": (lambda rows: rows.update(more=1), "the file", "one of the keys also, "),
    "no title": (lambda rows: rows.pop("title"), "the file", "a row with title"),
    "no numbers": (lambda rows: rows.pop("numbers"), "numbers", "a table"),
}


def test_each_shape_that_a_file_may_name_is_drawn() -> None:
    assert set(SHAPES.split(", ")) == set(dice.SHAPES)


def test_the_file_without_a_fault_is_read() -> None:
    assert read_duel("test", tomllib.loads(FILE)).key == "test"


@for_each_row("fault", FAULTS)
def test_a_file_with_a_fault_is_refused_with_its_place(fault: str) -> None:
    spoil, place, expected = FAULTS[fault]
    rows = deepcopy(tomllib.loads(FILE))
    spoil(rows)
    with pytest.raises(DuelFileError) as refused:
        read_duel("test", rows)
    said = str(refused.value)
    assert said.startswith(f"test, {place}")
    assert expected in said


def test_no_file_is_larger_than_a_file_may_be() -> None:
    assert all(path.stat().st_size <= MAX_BYTES for path in FOLDER.glob("*.toml"))


# What is typed


@for_each_row("order", list(permutations(Side)), ids=lambda order: f"{order[0]} first")
@for_each_row(("key", "number"), ALL, ids=[f"{key} {DUELS[key].numbers[at].name}" for key, at in ALL])
def test_every_number_is_read_from_each_of_its_words(key: str, number: int, order: tuple[Side, ...]) -> None:
    """Also with what both sides call the same, each after a word of its side."""
    row, duel = DUELS[key].numbers[number], DUELS[key]
    for value in {row.least, one_more(row), row.most} if not row.picks else set(row.picks.values()):
        line = declared(key, {**SMALL[key], row.name: 1 if row.flag else value})
        assert words.read(duel, typed(line, order)) == line.numbers
        assert words.read(duel, line.line) == line.numbers
    for phrase in row.phrases:
        usual = typed(declared(key, {**SMALL[key], row.name: row.usual or 0}), [row.side])
        value = one_more(row)
        said = phrase if row.picks or row.flag else f"{value} {phrase}" if row.before else f"{phrase} {value}"
        if row.name not in SMALL[key]:
            others = typed(declared(key, SMALL[key]), [side for side in Side if side is not row.side])
            assert words.read(duel, f"{usual} {said} {others}")[number] != row.usual or row.picks


@pytest.mark.parametrize("key", DUELS)
def test_an_unknown_word_is_refused_with_the_nearest(key: str) -> None:
    line = declared(key, SMALL[key]).line
    for row in DUELS[key].numbers:
        for phrase in row.phrases:
            if " " not in phrase and len(phrase) >= 5:
                with pytest.raises(UnknownWordError) as refused:
                    words.read(DUELS[key], f"{line} {phrase}q")
                said = english(refused.value.text)
                assert f"{phrase}q" in said
                assert phrase in said.replace(f"{phrase}q", "")


@pytest.mark.parametrize("key", DUELS)
def test_what_a_line_lacks_is_said_with_its_side(key: str) -> None:
    """Both sides may have the same word."""
    for name in (
        name for name in SMALL[key] if any(row.name == name and row.usual is None for row in DUELS[key].numbers)
    ):
        rows = [row for row in DUELS[key].numbers if row.name in SMALL[key] and row.name != name]
        said = {side: " ".join(row.write(SMALL[key][row.name]) for row in rows if row.side is side) for side in Side}
        with pytest.raises(PlayerError, match="It lacks") as refused:
            words.read(DUELS[key], " vs ".join(said.values()))
        is_of_defender = next(row.side for row in DUELS[key].numbers if row.name == name) is Side.DEFENDER
        assert ("Example: `vs " in english(refused.value.text)) is is_of_defender, name


@pytest.mark.parametrize("key", DUELS)
def test_every_game_is_found_by_each_of_its_names(key: str) -> None:
    duel = DUELS[key]
    for name in (duel.key, duel.title, *duel.names):
        assert words.game_of(f"{name} {duel.examples[0][0]}") == (key, f" {duel.examples[0][0]}")


@pytest.mark.parametrize("key", DUELS)
def test_the_examples_are_lines_of_their_game(key: str) -> None:
    for line, _ in DUELS[key].examples:
        assert duels.declare({"game": key, "line": line}).game == key


# Cost, and the number of dice

LARGEST: Final = 8
"""Lines of a game, most of whose numbers are as large as they may be."""
CHANCES: Final[tuple[Rng, ...]] = (
    *(partial(lambda face, sides: min(face, sides - 1), face) for face in range(8)),
    Random(7).randrange,
)
"""Dice that all show the same face, and dice that fall by chance."""


def largest_lines(key: str, random: Random) -> Iterator[duels.Declared]:
    duel = DUELS[key]
    while True:
        numbers = []
        for row in duel.numbers:
            values = list(row.picks.values()) if row.picks else [0, 1] if row.flag else [row.least, row.most]
            numbers.append(random.choice([max(values), max(values), min(values), row.usual or max(values)]))
        with suppress(PlayerError):
            line = words.write(duel, declared_values(duel, tuple(numbers)))
            yield duels.declare({"game": key, "line": line})


@pytest.mark.parametrize("key", DUELS)
def test_no_roll_of_ours_is_refused_once_dice_have_fallen(key: str, part: Part[Any]) -> None:
    """A file whose lines can come to too many dice says how many, so that no roll ends in the middle."""
    random = Random(key)
    for line in part(islice(largest_lines(key, random), 5 * LARGEST), 4):
        most = line.duel.most_dice.value(line.values)
        for chance in CHANCES:
            fallen = list[int]()

            def rng(sides: int, chance: Rng = chance, fallen: list[int] = fallen) -> int:
                fallen.append(sides)
                return chance(sides)

            if most > duels.MAX_FALLEN:
                with pytest.raises(PlayerError, match=f"could come to {most} dice"):
                    duels.start(line, rng)
                assert fallen == []
                continue
            state = duels.start(line, rng)
            while not state.is_over:
                state = after_any(state, random, rng)
            assert len(duels.rolled(state)) <= (duels.MAX_FALLEN if most == 1 else most)


@pytest.mark.parametrize(
    "steps",
    [
        [{"roll": "attack", "dice": {"d6-red": "attack.H * 999"}}],
        [{"must": "More", "by": "attacker", "pool": "attack", "add": "H", "most": "attack.H + 1"}],
        [{"may": "More", "by": "attacker", "pool": "attack", "add": "H", "most": "999"}],
    ],
)
def test_dice_without_end_are_refused(steps: list[Rows], monkeypatch: pytest.MonkeyPatch) -> None:
    rows = tomllib.loads(FILE)
    rows["step"] += steps
    monkeypatch.setitem(cast("dict[str, Any]", DUELS), "test", read_duel("test", rows))
    with pytest.raises(PlayerError, match="dice; a duel has at most 400"):
        press_the_first(duels.declare({"game": "test", "line": "dice 2"}))


def press_the_first(line: duels.Declared) -> None:
    """Roll, and take the first choice again and again."""
    state = duels.start(line, lambda _: 0)
    while not state.is_over:
        state = duels.choose(state, Choice(duels.offers(state)[0].key), lambda _: 0)


@pytest.mark.parametrize("key", DUELS)
def test_no_line_that_is_taken_holds_the_loop_for_long(key: str) -> None:
    """A text may cost most once it is understood: its roll, each press, and each card."""
    random, most = Random(key), Counter[str]()

    def count(what: str, call: Callable[[], Any]) -> Any:
        result = list[Any]()
        most[what] = max(most[what], steps.steps_of(lambda: result.append(call()), PlayerError))
        return result[0] if result else None

    for line in islice(largest_lines(key, random), LARGEST):
        state = count("start", partial(duels.start, line, random.randrange))
        while state is not None and not state.is_over:
            count("card", partial(cards.card, state, {}))
            offers = count("offers", partial(duels.offers, state))
            state = count("choose", partial(after_any, state, random))
            assert offers
    assert max(most.values()) < steps.MAX_STEPS, most


# In other languages


@pytest.mark.parametrize("key", DUELS)
def test_what_a_game_says_is_said_in_every_language(key: str) -> None:
    result, known = DUELS[key].result, [language for language in LANGUAGES.values() if language is not ENGLISH]
    says = (result.nothing, result.some, result.less, *result.called.values())
    assert known
    for phrase in (item for item in says if item and " " in item):
        for language in known:
            with using_language(language):
                assert translate(term(phrase)).casefold() not in (phrase.casefold(), ""), (language.key, phrase)
