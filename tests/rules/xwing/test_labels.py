"""A grammar for the labels that rows of cards can make, over all of them: in attacks, and at every other moment."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from bot.rules.game import Side
from bot.rules.text import english
from bot.rules.xwing.attack import steps
from bot.rules.xwing.cards.effects import ActiveRow, row_effects
from bot.rules.xwing.cards.facts import Facts, Fighter
from bot.rules.xwing.cards.rows import ROWS
from bot.rules.xwing.dice import costs, modify
from bot.rules.xwing.dice.declared import DiceEffect, LineUp
from bot.rules.xwing.table import moments, verbs
from bot.rules.xwing.table.flying import rows as dial_rows
from bot.rules.xwing.table.moment_rows import cards, rows_of


def of_effect(effect: DiceEffect, line: LineUp) -> Iterator[str]:
    """Yield what buttons and the story say of an effect."""
    yield english(steps.effect_text(effect))
    if effect.verb == "reroll":
        yield from (english(text) for most in (1, 2) for text in modify.reroll_to_text(effect, most, line))
    elif "says" in modify.SAID.get(effect.verb, {}):
        yield from (english(modify.to_text(effect, face, line)) for face in effect.faces or (None,))


def closed_lists() -> Iterator[tuple[str, str]]:
    """What a list of dice says while it is closed, and what each die says below it."""
    for effect, line in effects():
        if effect.verb == "reroll":
            for label, detail in (modify.reroll_to_text(effect, most, line) for most in (1, 2)):
                yield english(label), english(detail)


def effects() -> Iterator[tuple[DiceEffect, LineUp]]:
    for row in (row for rows in ROWS.values() for row in rows):
        for side in Side:
            me = Fighter()
            facts = Facts(
                fighters={Side.ATTACKER: Fighter(), Side.DEFENDER: Fighter(), side.other if row.theirs else side: me}
            )
            made = row_effects(ActiveRow(row, me, side, facts), (), 1, is_played=False)
            yield from ((effect, LineUp(effects=tuple(made))) for effect in made)


def in_attacks() -> Iterator[str]:
    yield from (english(row.claim) for rows in ROWS.values() for row in rows)
    for effect, line in effects():
        yield from of_effect(replace(effect, name=""), line)


def at_moments() -> Iterator[str]:
    for row in (row for card in cards() for row in rows_of(card)):
        yield english(costs.claim(row.ask, row.cost))
        is_shown = row.remind or (row.is_line and not moments.is_elsewhere(row))
        for words in row.do if is_shown else ():
            yield english(verbs.read_deed(words).label())
    yield from (english(costs.claim(row.ask, row.cost)) for row in dial_rows())


@cache
def labels() -> list[str]:
    return sorted({*in_attacks(), *at_moments()} - {""})


COUNTED = "charge|shield|hit|crit|blank|die|card|token|result|lock|reroll"
MANY = "charges|shields|hits|crits|blanks|dice|cards|tokens"
ALONE = r"(?! (?:or|and|token|die|dice|Segnor|Koiogran|maneuver|ship|result|action|to |\(no lock)|[,)])"
WRONG = {
    "a number and a noun that do not agree": rf"\b(?:[02-9]|all) (?:\w+ )?(?:{COUNTED})\b",
    "one of several": rf"\b1 (?:(?:green|red|orange|facedown|faceup) )*(?:{MANY})\b",
    "the number that stands for all": r"\b9\b",
    "a color without its noun": rf"\b(?<!becomes )(?<!is )(?:green|red|orange|circular)\b{ALONE}",
    "whose it is before the thing": r"\b[1-9] (?:their|result|friend|ship) ",
    "a cost turned round": r"\b(?:charge|force|focus|energy) [1-9]\b",
    "a bare verb after it": r"^it (?:roll|stay|rotate|forbid|gain|set|spend) ",
    "a word of the row": r"(?:^|[,:] )(?:device|template|dial|set|side) (?!the )",
    "an id": r"\b[a-z]{4,}(?:bombs|torpedo|droids|team|nets|charges|mines)\b",
    "nothing at its end": r"[ :;(]$",
}


def test_there_are_as_many_labels_as_cards_make() -> None:
    assert len(labels()) > 900
    assert "for 1 red or orange token of the other ship" in labels()
    assert "Card (for 1 charge and 1 crit result): add 2 hits" in labels()
    assert "that ship: remove every green token" in labels()


@pytest.mark.parametrize("law", WRONG)
def test_no_label_breaks_a_law_of_grammar(law: str) -> None:
    assert [label for label in labels() if re.search(WRONG[law], label)] == []


def test_what_a_closed_list_says_fits_on_a_phone() -> None:
    """A closed list is one line there, and ends in an ellipsis after about 30 characters: a short claim stands behind,
    any other at its dice, and none at both.
    """
    lists = [*closed_lists()]
    said = {label.removeprefix("Card").partition(" (")[0] for label, _ in lists}
    assert max(len(label.partition(" (")[2]) for label, _ in lists) <= modify.MAX_CLAIM + len(")")
    assert [item for item in lists if item[1] and item[0].partition(" (")[2].rstrip(")") in item[1].split("; ")] == []
    assert {bool(detail) for label, detail in lists if "(" not in label} == {True, False}, "a long claim is below"
    assert said == {
        ": reroll 1 die",
        ": reroll up to 2 dice",
        ": reroll exactly 1 die",
        ": reroll exactly 2 dice",
    }
