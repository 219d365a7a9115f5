"""Any dice, for any game."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from operator import attrgetter
from typing import Final

from bot.games.game import Chances, Commands, Game, OddsCard, Pressed, Table, written_help
from bot.games.questions import Asked
from bot.odds import anydice as odds
from bot.render import anydice as dice_card
from bot.render import turns
from bot.render.anydice import asked
from bot.rules import anydice as rules
from bot.rules import turn_order
from bot.rules.anydice.asked import Ask
from bot.rules.anydice.play import Declared as Dice
from bot.rules.anydice.systems import SYSTEMS, System
from bot.rules.text import Code, Name, Noun, Text, term


def of_dice(declared: Dice | Ask) -> Asked:
    text = str(declared.expression.understood)
    made = None if isinstance(declared, Ask) else rules.declare({"dice": text})
    return ({"dice": text},) if isinstance(made, Dice) and made.expression == declared.expression else ()


EXAMPLES_OF_A_PAGE: Final = 4
"""A system with as many examples has a help page of its own; the others share one."""
WELL_KNOWN: Final = [one for one in SYSTEMS.values() if len(one.examples) >= EXAMPLES_OF_A_PAGE]


def pressed(one: System, examples: Iterable[tuple[str, str]]) -> Pressed:
    """The help page of a system: its examples, each to press."""
    return Pressed(one.key, Text("Dice of {game}", game=Name(one.title)), tuple(map(command, examples)))


def command(example: tuple[str, str]) -> tuple[Code, Code, Text]:
    dice, means = example
    return Code(dice), Code(f"/roll dice:{dice}"), term(means)


OTHERS: Final = [one for one in SYSTEMS.values() if one not in WELL_KNOWN]
OTHERS_OF_A_PAGE: Final = 20


def other_pages() -> Iterator[Pressed]:
    """The first example of each other system, on as many pages as they need."""
    for at in range(0, len(OTHERS), OTHERS_OF_A_PAGE):
        number = at // OTHERS_OF_A_PAGE + 1
        shown = OTHERS[at : at + OTHERS_OF_A_PAGE]
        title = Text("Dice of other games, page {number}", number=number)
        yield Pressed(f"others{number}", title, tuple(command(one.examples[0]) for one in shown))


GAME: Final = Game(
    rules=rules,
    odds=odds.odds,
    card=asked.card,
    chances=Chances(card=OddsCard(odds.count, dice_card.odds_card, asked=of_dice), luck=odds.luck, is_luck_apart=True),
    table=Table(pieces=turn_order, facts=turns.facts, piece=Noun("turn order", "turn orders")),
    help=replace(
        written_help(rules.KEY),
        systems=(*(pressed(one, one.examples) for one in SYSTEMS.values() if one in WELL_KNOWN), *other_pages()),
    ),
    commands=Commands(
        slash="roll",
        terminal="dice",
        rolls=("",),
        dice=("initiative join",),
        text_word="dice",
        text_shown=attrgetter("expression.understood"),
    ),
    not_secret=rules.not_secret,
    is_general=True,
    samples=(
        {"dice": "4d6kh3"},
        {"dice": "3#1d20+4 to hit"},
        {"dice": "6d10!10>=8"},
        {"dice": "4dF+2d8ro1-1d7"},
        {"dice": "(2d6+3)>=10", "label": "Dodge"},
        {"dice": "1d20", "request": "@1 +5, @2", "at_once": True},
    ),
)
