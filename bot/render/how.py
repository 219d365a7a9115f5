"""How a roll came to its result: each die's way in words, what happened step by step, and the rules that matter."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from bot.render.card import Card
from bot.render.help import blocks
from bot.rules.dice import Rolled, Step
from bot.rules.text import Text

DICE: Final = Text("Each die")
STEPS: Final = Text("Step by step")
RULES: Final = Text("Rules")


def card(shown: Card, dice: Iterable[Rolled], names: Mapping[str, str]) -> Card:
    """The working of the roll on a card that is ``shown``; no picture, because that one has it.

    ``names``: who sits on each side, to say who typed a die.
    """
    ways = [f"{number}. {die.kind}: {way(die, names)}." for number, die in enumerate(dice, 1)]
    rules = [*shown.reminders, *filter(None, [shown.small])]
    facts = (*shown.facts, *blocks(DICE, ways), *blocks(STEPS, list(shown.trail)), *blocks(RULES, rules))
    return replace(shown, strips=(), figure=None, turn="", trail=(), small="", below="", reminders=(), facts=facts)


def way(die: Rolled, names: Mapping[str, str]) -> str:
    """``rolled focus, changed by lock to hit``: what happened to a die, in the order in which it happened."""
    return ", ".join(step_text(step, names) for step in die.trail)


def step_text(step: Step, names: Mapping[str, str]) -> str:
    if step.how == "entered":
        return f"entered by {names.get(step.by, f'the {step.by}')}: {step.face}" if step.by else f"entered: {step.face}"
    by = f" by {step.by}" if step.by else ""
    if step.how in ("cancelled", "spent"):
        return f"{step.how}{by}"
    to = "to " if step.how in ("changed", "rerolled") else ""
    return f"{step.how}{by} {to}{step.face}"
