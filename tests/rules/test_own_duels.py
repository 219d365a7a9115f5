"""Duels of a server's own: read from a file, packed, refused with the line, and harmless whatever the file says."""

import re
import tomllib
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any, Final

import pytest

from bot.odds import duels as odds, size_limit
from bot.odds.size_limit import QuestionTooLargeError
from bot.render import duels as cards
from bot.rules import duels
from bot.rules.duels import DuelRoll, own
from bot.rules.duels.rows import DUELS, FOLDER
from bot.rules.errors import NotOfferedError, PlayerError
from bot.rules.game import Choice
from bot.rules.text import english
from tests.rows import for_each_row
from tests.sampling import Part
from tests.steps import MAX_STEPS, steps_of

FILE: Final = """\
title = "Skirmish"
source = "Our club"
second_sources = []
result = { noun = ["wound", "wounds"], is = "attack.H", nothing = "Nothing.", some = "{count}." }
examples = [["3 dice aim 1", "three dice"]]
[pools]
attack = "Attack"
[dice]
d6-red = ["H", "HH", "-", "H", "HH", "-"]
[marks]
H = { noun = ["hit", "hits"], shape = "burst" }
[numbers]
dice = { side = "attacker", before = true, from = 1, to = 9, asks = "Dice" }
aim = { side = "attacker", to = 2, token = true, asks = "Aim" }
dodge = { side = "defender", to = 2, token = true, asks = "Dodge" }
[[step]]
roll = "attack"
dice = { d6-red = "dice" }
[[step]]
may = "Aim"
by = "attacker"
pool = "attack"
reroll = "1"
cost = { aim = 1 }
[[step]]
may = "Dodge"
by = "defender"
pool = "attack"
cancel = ["H"]
cost = { dodge = 1 }
"""

FAULTS: Final = {
    "no TOML": ("[pools]", "[pools", "no TOML file", ""),
    "a formula": ('"dice" }', '"dice +" }', "", "step 1"),
    "an unknown name": ('"dice" }', '"many" }', "line 16", "not many"),
    "an unknown symbol": ('cancel = ["H"]', 'cancel = ["Z"]', "line 25", "faces of dice"),
    "a price below 0": ("{ dodge = 1 }", "{ dodge = -1 }", "line 25", "a cost from 1 to 99"),
    "a range": ("to = 9", "to = 9000000", "line 13", "numbers from -99 to 999"),
    "a date": ("to = 9", "to = 1979-05-27", "line 13", "a whole number in `to`"),
    "a fraction": ("to = 9", "to = 9.5", "line 13", "a whole number in `to`"),
    "a text for a number": ("to = 9", 'to = "9"', "line 13", "a whole number in `to`"),
    "a number for a title": ('"Skirmish"', "5", "line 1", "a name"),
    "no title": ('title = "Skirmish"\n', "", "line 1", "a row with title"),
    "no dice": ('[dice]\nd6-red = ["H", "HH", "-", "H", "HH", "-"]\n', "", "line 1", "a row with dice"),
    "no side": ('dice = { side = "attacker", ', "dice = { ", "line 13", "a row with side"),
    "an unknown side": ('dice = { side = "attacker"', 'dice = { side = "me"', "line 13", "one of attacker, defender"),
    "an unknown key": ("from = 1", "least = 1", "line 13", "one of the keys", "not least"),
    "an unknown key of a step": ('reroll = "1"', 'rerol = "1"', "line 19", "one of the keys", "not rerol"),
    "a step of no kind": ('may = "Aim"', 'name = "Aim"', "line 19", "`roll`, `let`, `may`, or `must`"),
    "a number for a formula": ('reroll = "1"', "reroll = 1", "line 19", "a formula in `reroll`"),
    "a call": ('"dice" }', '"open(1)" }', "line 16", "a formula in `dice.d6-red`"),
    "a text for yes": (
        'token = true, asks = "Aim"',
        'token = "yes", asks = "Aim"',
        "line 14",
        "true or false in `token`",
    ),
    "a list for a table": ('[pools]\nattack = "Attack"', 'pools = ["attack"]', "line 6", "a table"),
    "a text for a list": ('cancel = ["H"]', 'cancel = "H"', "line 25", "a list in `cancel`"),
    "a text for a noun": ('noun = ["hit", "hits"]', 'noun = "hit"', "line 11", "a list in `H.noun`"),
    "an unknown pool": ('roll = "attack"', 'roll = "attacks"', "line 16", "a pool and dice by name"),
    "no pool": ('pool = "attack"\nreroll', "reroll", "line 19", "a pool that was rolled by then"),
    "an unknown token": ("{ aim = 1 }", "{ focus = 1 }", "line 19", "the names of tokens"),
    "a price in words": ("{ aim = 1 }", '{ aim = "one" }', "line 19", "a whole number in `cost.aim`"),
    "two effects": ('reroll = "1"', 'reroll = "1"\nadd = "H"', "line 19", "one of reroll"),
    "no effect": ('reroll = "1"\n', "", "line 19", "one of reroll"),
    "half a change": ('cancel = ["H"]', 'change = ["H"]', "line 25", "two symbols in `change`"),
    "a symbol without a name": ('["H", "HH"', '["H", "X"', "line 10", "a name for each symbol"),
    "a strange shape": ('"burst"', '"banana"', "line 10", "a shape of"),
    "an unknown result": ('"attack.H"', '"attack.Z"', "line 4", "not attack.Z"),
    "a word twice": (
        'aim = { side = "attacker"',
        'aim = { side = "attacker", words = ["dice"]',
        "line 12",
        "no word twice",
    ),
    "a range that ends before it begins": ("from = 1, to = 9", "from = 9, to = 1", "line 13", "a range"),
    "no steps": (FILE[FILE.index("[[step]]") :], "", "line 1", "1 to 40 steps"),
    "another game's example": ('"3 dice aim 1"', '"3r aim 1"', "line 5", "lines of this game, not `3r aim 1`", "`3r`"),
    "an example that lacks a number": ('"3 dice aim 1"', '"aim 1"', "line 5", "not `aim 1`", "It lacks: Dice"),
    "a page of the web": (FILE, "<!DOCTYPE html>", "no TOML file", "line 1"),
    "markup": ('"Attack"', '"[free](https://example.org)"', "line 6", "sentences without"),
    "a placeholder": ('nothing = "Nothing."', 'nothing = "{x}"', "line 4", "sentences without"),
    "strange dice": ("d6-red", "blob", "line 9", "a kind like"),
    "many sides": ('d6-red = ["H", "HH", "-", "H", "HH", "-"]', "d6-red = 1000000000", "", "dice with 2 to 100 sides"),
    "a long text": ('"Our club"', f'"{"x" * 400}"', "line 2", "at most 300"),
    "many choices": (
        '[[step]]\nmay = "Aim"',
        '[[step]]\nmay = "Aim"\nby = "attacker"\nset = { dice = "1" }\n' * 16 + '[[step]]\nmay = "Aim"',
        "",
        "at most 16 choices",
    ),
    "no example": ('[["3 dice aim 1", "three dice"]]', "[]", "line 5", "an example"),
}


def test_a_file_is_packed_and_read_again() -> None:
    read = own.read_file("Skirmish.toml", FILE)
    assert (read.key, read.title) == ("skirmish", "Skirmish")
    assert own.unpack(*read[::2]).result == own.unpack("skirmish", read.packed).result
    declared = duels.declare({"game": "skirmish", "line": "3 dice", "file": read.packed})
    assert declared == duels.declare({"line": "skirmish 3 dice", "file": read.packed})
    assert duels.start(declared, lambda _: 0).result == 3


@for_each_row("fault", FAULTS)
def test_a_file_with_a_fault_is_refused_with_its_line(fault: str) -> None:
    before, after, *told = FAULTS[fault]
    assert FILE.count(before) >= 1
    with pytest.raises(PlayerError) as refused:
        duels.import_file("skirmish.toml", FILE.replace(before, after))
    said = english(refused.value.text)
    assert said.startswith("skirmish.toml"), said
    assert re.search(r"line \d", said), said
    assert all(part in said for part in told), said


@pytest.mark.parametrize("packed", ["abc", "é", '"', "{}", own.read_file("skirmish.toml", FILE).packed[:-9]])
def test_what_is_no_packed_file_is_refused_with_a_sentence(packed: str) -> None:
    """JSON can hold any text there; Discord gives what the server keeps."""
    with pytest.raises(PlayerError, match="import"):
        duels.declare({"game": "skirmish", "line": "3 dice", "file": packed})


@pytest.mark.parametrize("name", ["x", "a b.toml", "../etc.toml", "1st.toml", f"{'x' * 30}.toml"])
def test_the_name_of_a_file_is_the_key(name: str) -> None:
    with pytest.raises(PlayerError):
        own.read_file(name, FILE)


def test_our_own_files_would_be_taken() -> None:
    for path in FOLDER.glob("*.toml"):
        text = path.read_text(encoding="utf-8")
        read = own.read_file(path.name, text)
        assert own.unpack(read.key, read.packed).stages
        assert len(tomllib.loads(text)["step"]) > 1


def test_an_own_game_has_no_key_of_ours() -> None:
    assert duels.own_key({"game": "skirmish"}) == "skirmish"
    assert duels.own_key({"line": "Skirmish 3 dice"}) == "skirmish"
    for duel in DUELS.values():
        assert not duels.own_key({"game": duel.key})
        assert not duels.own_key({"line": f"{duel.title} 3 dice"})


def test_numbers_that_multiply_one_another_have_an_end() -> None:
    squares = "".join(f'x{at} = "x{at - 1} * x{at - 1}"\n' for at in range(1, 50))
    text = FILE.replace("[[step]]", f'[values]\nx0 = "dice + 8"\n{squares}[[step]]', 1)
    text = text.replace('"attack.H"', '"x49 // 0"')
    read = duels.import_file("skirmish.toml", text)
    assert roll_to_the_end(read.packed).result == 0


def test_dice_that_bring_dice_without_end_are_refused() -> None:
    endless = '[[step]]\nmust = "More"\nby = "attacker"\npool = "attack"\nadd = "H"\nmost = "1000000"\n'
    with pytest.raises(PlayerError):
        duels.import_file("skirmish.toml", FILE + endless)
    with pytest.raises(PlayerError):
        duels.import_file("skirmish.toml", FILE.replace('"dice" }', '"dice * 999999" }'))


def roll_to_the_end(packed: str) -> DuelRoll:
    declared = duels.declare({"game": "skirmish", "line": "3 dice", "file": packed})
    return duels.start(declared, Random(1).randrange)


def act(word: str, by: str = "attacker", **rows: str) -> str:
    given = "".join(f"{name.rstrip('_')} = {value}\n" for name, value in rows.items())
    return f'[[step]]\n{word} = "Do it"\nby = "{by}"\npool = "attack"\n{given}'


FLIP, FLOP, SUM = '["H", "S"]', '["S", "H"]', "+".join(["aim*dice"] * 8)
MORE: Final = '[[step]]\nroll = "attack"\ndice = { d6-red = "dice" }\n'
WORKING: Final = {
    "everything is changed, and back": (act("must", change=FLIP) + act("must", change=FLOP)) * 2,
    "a choice with long formulas": act("may", change=FLIP, if_=f'"{SUM} >= 0"') * 9,
    "rerolls of many dice": MORE + act("may", reroll='"1"', only='["S"]') * 16,
    "many choices": act("may", change=FLOP) * 16,
    "dice are added": act("must", add='"H"', most='"8"') * 5,
    "values grow": act("must", set='{ y = "y + dice" }', most='"4"') * 30,
    "both sides undo one another": act("may", change=FLIP, turns="true", most='"40"')
    + act("may", by="defender", change=FLOP, turns="true", most='"40"'),
    "long formulas": "".join(f'[[step]]\nlet = {{ x{at} = "{SUM}{f"+x{at - 1}" * (at > 0)}" }}\n' for at in range(12))
    + act("must", change=FLIP, if_='"x11 >= 0"'),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("what", WORKING)
def test_no_file_that_is_taken_holds_the_loop_for_long(what: str, part: Part[int]) -> None:
    """Reading it, rolling it, its choices, and what they do."""
    text = FILE[: FILE.index('[[step]]\nmay = "Aim"')] + WORKING[what]
    text = text.replace('"H", "HH", "-", "H", "HH", "-"', '"H", "S", "-", "H", "S", "-"').replace("to = 9", "to = 100")
    text = text.replace("[numbers]", 'S = { noun = ["surge", "surges"], shape = "dot" }\n[numbers]')
    packed, random, most, played = duels.import_file("skirmish.toml", text).packed, Random(what), list[int](), 0

    def count(call: Callable[..., Any], *given: Any) -> Any:
        result = list[Any]()
        answers = PlayerError, QuestionTooLargeError, NotOfferedError
        with size_limit.refuse_large_questions():
            most.append(steps_of(lambda: result.append(call(*given)), *answers))
        return result[0] if result else None

    own.unpack.cache_clear()
    count(own.unpack, "skirmish", packed)
    for dice in (1, 5, *part((3, 7, 10, 14, 20, 30, 40, 55, 70, 85, 100), 4)):
        declared = duels.declare({"game": "skirmish", "line": f"{dice} dice aim 2", "file": packed})
        if (state := count(duels.start, declared, random.randrange)) is None:
            break
        played += 1
        for _ in range(40):
            for look in (partial(cards.card, names={}), odds.advise, odds.luck):
                count(look, state)
            offer = count(duels.offers, state)[0]
            if state.is_over:
                break
            picked = tuple(option.value for option in offer.options[:1])
            state = count(duels.choose, state, Choice(offer.key, picked), random.randrange)
    assert played
    assert max(most) < MAX_STEPS
