"""What reading a text costs in steps, for every reader of whole texts, called directly.

What runs in the event loop stays under the limit of all options. What a process of its own reads may take longer, but
twice the text costs about twice as much: no grammar makes a reader slow.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Final

import pytest

from bot.odds.size_limit import QuestionTooLargeError, refuse_large_questions
from bot.odds_site import answers
from bot.odds_site.forms import FORMS
from bot.resources import worker_pool
from bot.rules import albion
from bot.rules.anydice import notation, phrases, play, tree, words
from bot.rules.duels import typed as duel_words
from bot.rules.duels.rows import DUELS
from bot.rules.errors import PlayerError
from bot.rules.game import Side
from bot.rules.infinity.orders import forms, typed_orders
from bot.rules.infinity.table import army_codes
from bot.rules.infinity.troopers import trooper
from bot.rules.warsurge import units
from bot.rules.xwing.cards.card_sets import SHELF, source
from bot.rules.xwing.dice import physical_dice, typed_sides
from bot.rules.xwing.dice.faces import Pool
from bot.rules.xwing.table import squad
from bot.ruleset import file, settings
from bot.ui.commands import saved_rolls
from cogs.xwing.squads import read_squads
from tests.grammars import HARD, UNITS, texts
from tests.rows import for_each_row
from tests.steps import MAX_STEPS, steps_of

Reads = Callable[[str], object]


def asked_on_the_page(text: str) -> None:
    """What the page of odds reads of an address before it counts anything: the question and the fields of its form."""
    key, _, shared, asks, _ = answers.read(text)
    fields = FORMS[key].fields
    for ask in asks:
        if fields is not None:
            fields(shared, ask)


def read_at_once(text: str) -> None:
    """Any text of at most 4,000 characters costs under 100,000 steps."""
    with suppress(QuestionTooLargeError), refuse_large_questions():
        read_squads([*map(source, SHELF.newest())], text)


AS_THEY_ARE: Final = ("{}",)
IN_LOOP: Final[Mapping[str, tuple[int, Reads, tuple[str, ...]]]] = {
    "army code": (army_codes.MAX_CODE, army_codes.decode, ("{}", "https://a.b/list/{}", "{}%253D")),
    "dice": (tree.MAX_TEXT, notation.parse, AS_THEY_ARE),
    "dice of a saved roll": (saved_rolls.MAX_LINE, saved_rolls.reads_as_dice, AS_THEY_ARE),
    "line of a saved roll": (
        saved_rolls.MAX_LINE,
        saved_rolls.in_english,
        ("{}", "/xwing attack with:{}", "/roll dice:{}"),
    ),
    **{
        f"line of {key}": (
            duel_words.MAX_LINE,
            partial(duel_words.read, duel),
            ("{}", f"{duel.examples[0][0]} {{}}"),
        )
        for key, duel in DUELS.items()
    },
    "faces of a game": (play.FACES_LONGEST, partial(play.read_faces, field="faces"), AS_THEY_ARE),
    "faces of X-Wing": (
        physical_dice.LONGEST,
        partial(physical_dice.read_faces, pool=Pool.RED, count=3),
        AS_THEY_ARE,
    ),
    "faces of Albion": (100, albion.parse, AS_THEY_ARE),
    "order": (forms.ORDER_LONGEST, typed_orders.parse, AS_THEY_ARE),
    "setting": (100, settings.find, AS_THEY_ARE),
    "squad that no process reads": (worker_pool.AT_ONCE, read_at_once, AS_THEY_ARE),
    "tokens and effects": (
        typed_sides.LONGEST,
        partial(typed_sides.parse, side=Side.ATTACKER, name="with"),
        AS_THEY_ARE,
    ),
    "trooper": (trooper.MAX_LINE, partial(trooper.parse, "Angus"), ("{}", "BS 12, W 1, {}")),
    "unit": (units.MAX_LINE, partial(units.parse, "Angus"), AS_THEY_ARE),
    "weapons of a unit": (units.MAX_LINE, units.parse_weapons, AS_THEY_ARE),
}
"""Readers in the event loop: the longest text, the reader, and what the text stands in."""
SHIP: Final = '{{"faction": "rebelalliance", "pilots": [{{"id": {0}, "ship": {0}, "upgrades": {{"talent": [{0}]}}}}]}}'
QUESTION: Final = '{{"game": "%s", "shared": {{"attacker": {0}, "order": {0}}}, "asks": [{{{0}: {0}, "dice": {0}}}]}}'
APART: Final[Mapping[str, tuple[int, Reads, tuple[str, ...]]]] = {
    "squad": (6000, partial(squad.parse, sets=SHELF.newest()), ("{}", "https://yasb.app/?f=Rebel&d={}")),
    "squad as XWS": (600, partial(squad.parse, sets=SHELF.newest()), (SHIP,)),
    "ruleset": (6000, file.read, ("{}", '{{"rollcall_ruleset": 1, "settings": {{{0}: {0}}}}}')),
    "site address": (6000, asked_on_the_page, ("{}", *(QUESTION % key for key in FORMS))),
}
"""Readers in a process of their own, or in the reader's own browser."""
MAX_APART: Final = 30 * MAX_STEPS
TWICE: Final = 2.6
FEW: Final = 20_000
"""Steps below which nobody asks how they grow."""


def within(frame: str, text: str) -> str:
    """The text in its frame; as a string of JSON where the frame is JSON."""
    return frame.format(json.dumps(text) if frame.startswith("{{") else text)


def every_text(longest: int, frames: tuple[str, ...]) -> Mapping[str, str]:
    return {
        f"{frame[:20]} {name}": within(frame, text) for frame in frames for name, text in texts(longest, UNITS).items()
    }


@pytest.fixture(autouse=True, scope="module")
def _begun() -> None:
    """What a start makes once is made."""
    for piece in phrases.pieces():
        piece()
    for _, reader, _ in (*IN_LOOP.values(), *APART.values()):
        steps_of(lambda read=reader: read("first"), PlayerError)  # type: ignore[misc]  # the reader of this turn


@for_each_row("name", IN_LOOP)
def test_no_text_holds_the_loop_for_long(name: str) -> None:
    longest, read, frames = IN_LOOP[name]
    result = {
        grammar: steps_of(partial(read, text), PlayerError) for grammar, text in every_text(longest, frames).items()
    }
    assert max(result.values()) < MAX_STEPS, sorted(result.items(), key=lambda item: -item[1])[:5]


@for_each_row("name", IN_LOOP)
def test_each_reader_says_what_a_text_costs(name: str) -> None:
    reader = IN_LOOP[name][1]
    said = " ".join(str(getattr(reader, "func", reader).__doc__).split())
    assert f"characters costs under {MAX_STEPS:,} steps." in said


@pytest.mark.slow
@pytest.mark.parametrize("name", APART)
def test_twice_the_text_costs_about_twice_as_much(name: str) -> None:
    longest, read, frames = APART[name]
    steps_of(partial(read, within(frames[0], "qqqqq")), PlayerError)  # the first text of a process lists all names
    for frame in frames:
        half, whole = (texts(length, HARD) for length in (longest // 2, longest))
        for grammar, text in whole.items():
            cost = steps_of(partial(read, within(frame, text)), PlayerError)
            assert cost < MAX_APART, (frame, grammar)
            before = steps_of(partial(read, within(frame, half[grammar])), PlayerError)
            assert cost < max(FEW, TWICE * before), (frame, grammar, before, cost)


def test_the_first_text_waits_for_no_row_of_the_phrases() -> None:
    for part in phrases.PARTS:
        phrases.table.cache_clear()
        assert steps_of(partial(phrases.table, part)) < MAX_STEPS / 10


@pytest.mark.parametrize("language", words.TABLES)
def test_the_first_text_waits_for_no_pattern_of_a_language(language: str) -> None:
    """They are made at a start; what only a text of one language needs is small."""
    made = {use.args for use in phrases.pieces() if isinstance(use, partial) and use.func is words.patterns}
    assert (language,) in made
    if language != words.ENGLISH:
        assert steps_of(partial(words.changing.__wrapped__, language)) < MAX_STEPS / 5
