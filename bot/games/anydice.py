"""Dice for any game."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from bot.games import game
from bot.odds import anydice as odds
from bot.render import anydice as dice_card, turns
from bot.rules import anydice, anydice as rules, turn_order
from bot.rules.anydice.play import Declared as Dice
from bot.rules.anydice.systems import SYSTEMS
from bot.rules.game import Field, Variant
from bot.rules.text import Code, Name, Names, Noun, Text, term


def of_fields(fields: game.Words) -> Dice | anydice.RollRequest:
    """Return the page's fields as dice. Raises ``PlayerError``."""
    return rules.declare({"dice": fields.get("dice", "")})


def of_dice(declared: Dice | anydice.RollRequest) -> game.Question:
    text = str(declared.expression.canonical_text)
    result = None if isinstance(declared, anydice.RollRequest) else rules.declare({"dice": text})
    return ({"dice": text},) if isinstance(result, Dice) and result.expression == declared.expression else ()


ASK: Final = Text("Ask each time")
MANY: Final = 4
"""A system with this many examples shows all of them; the others show their first."""
NAMED_OF_A_PAGE: Final = 4
OTHERS_OF_A_PAGE: Final = 20
"""A message has twenty buttons below its select, and a system at most five examples."""


def pages() -> Iterator[game.CommandPage]:
    """Yield the help pages of systems, with examples to press."""
    named = [system for system in SYSTEMS.values() if len(system.examples) >= MANY]
    for at in range(0, len(named), NAMED_OF_A_PAGE):
        shown = named[at : at + NAMED_OF_A_PAGE]
        # Without editions: a label has 80 characters.
        title = Text("Dice of {game}", game=Names([Name(system.title.partition(" (")[0]) for system in shown]))
        commands = tuple(command(example) for system in shown for example in system.examples)
        yield game.CommandPage(shown[0].key, title, commands)
    others = [system for system in SYSTEMS.values() if system not in named]
    for number, at in enumerate(range(0, len(others), OTHERS_OF_A_PAGE), 1):
        title = Text("Dice of other games, page {number}", number=number)
        examples = (other.examples[0] for other in others[at : at + OTHERS_OF_A_PAGE])
        yield game.CommandPage(f"others{number}", title, tuple(map(command, examples)))


def command(example: tuple[str, str]) -> tuple[Code, Code, Text]:
    dice, means = example
    return Code(dice), Code(f"/roll dice:{dice}"), term(means)


GAME: Final = game.Game(
    rules=rules,
    odds=odds.odds,
    card=dice_card.card,
    chances=game.Chances(
        card=game.OddsCard(odds.count, dice_card.odds_card, asked=of_dice), luck=odds.luck, is_luck_apart=True
    ),
    table=game.GameTable(pieces=turn_order, facts=turns.facts, piece=Noun("turn order", "turn orders")),
    help=replace(game.read_help(rules.KEY), systems=tuple(pages())),
    commands=game.Commands(
        slash="roll",
        terminal="dice",
        rolls=("",),
        dice=("initiative join",),
        text_word="dice",
        text_shown=lambda declared: str(declared.expression.canonical_text),
    ),
    form=game.Form(
        title=Text("Any dice"),
        asked=(Field("dice", Text("Dice"), Code("4d6kh3"), longest=200),),
        cards=lambda _, asks: [dice_card.odds_card(odds.count(of_fields(ask))) for ask in asks],
        declare=lambda _, ask: of_fields(ask),
        value=lambda state: state.totals[0] if len(state.totals) == 1 else None,
        most=3,
        example={"dice": "4d6kh3"},
    ),
    variants=(
        Variant(
            word="last_step",
            title=Text("Last of three steps of a chain"),
            values={"ask": ASK, "own": Text("The thrower's own roll"), "save": Text("The other side's save")},
            built_in="ask",
        ),
        Variant(
            word="versus",
            title=Text("A number after “vs”"),
            values={"ask": ASK, "least": Text("At least this number"), "most": Text("At most this number")},
            built_in="ask",
        ),
        Variant(
            word="explosion",
            title=Text("An “e” with a number"),
            values={"ask": ASK, "every": Text("Explodes again and again"), "once": Text("Explodes once")},
            built_in="ask",
        ),
    ),
    not_secret=rules.not_secret,
    is_general=True,
    samples=game.read_samples(rules.KEY),
)
