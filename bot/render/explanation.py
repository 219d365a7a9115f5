"""The explanation of a roll: each die's history in words, the steps, and the rules that applied."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Final

from bot.render.card import Card
from bot.render.help import blocks
from bot.rules import text as texts
from bot.rules.dice import DieStep, Rolled
from bot.rules.game import Side
from bot.rules.text import EMPTY, N_, Code, Message, Sentences, Shown, Text, bracketed, ended, english, labeled, term

DICE: Final = Text("Each die")
STEPS: Final = Text("Step by step")
RULES: Final = Text("Rules")


def card(
    shown: Card, dice: Iterable[Rolled], names: Mapping[str, Shown], name_face: Callable[[str], Shown] = term
) -> Card:
    """Return a shown roll's working, without its picture; ``names``: the people who may have typed a die."""
    ways = []
    for number, die in enumerate(dice, 1):
        way = Sentences((step_text(step, names, name_face) for step in die.trail), ", ")
        kind = texts.Capitalized(term(die.kind)) if die.kind.isalpha() else term(die.kind)
        ways.append(Sentences([Code(f"{number}."), ended(labeled(kind, way))]))
    rules = [*shown.reminders, *([shown.small] if shown.small else [])]
    facts = (*shown.facts, *blocks(DICE, ways), *blocks(STEPS, shown.trail), *blocks(RULES, rules))
    return replace(
        shown, strips=(), figure=None, turn=EMPTY, trail=(), small=EMPTY, below=EMPTY, reminders=(), facts=facts
    )


def step_text(step: DieStep, names: Mapping[str, Shown], name_face: Callable[[str], Shown]) -> Shown:
    """Return a sentence for one step of a die, with and without its cause."""
    face = name_face(step.face) if isinstance(step.face, str) else term(f"{step.face}".replace("-", "\N{MINUS SIGN}"))
    if step.how == "entered" and step.by and english(step.by) not in names:
        return Text(BY_SIDE[Side(english(step.by))], face=face)
    if step.how == "rolled":
        return bracketed(face, step.by) if step.by else face
    plain, caused = DOES[step.how]
    if step.how in ("added", "cancelled", "spent") and english(step.by)[:1].isupper():
        return bracketed(Text(plain, face=face), step.by)  # a step's name may be any phrase: canceled (Not taken)
    return Text(caused if step.by else plain, by=names.get(english(step.by), step.by), face=face)


BY_SIDE: Final = {
    Side.ATTACKER: N_("entered by the attacker: {face}"),
    Side.DEFENDER: N_("entered by the defender: {face}"),
}
"""Stand-ins for people without a known name."""


DOES: Final[Mapping[str, tuple[Message, Message]]] = {
    "rerolled": (N_("rerolled to {face}"), N_("rerolled to {face} ({by})")),
    "changed": (N_("changed to {face}"), N_("changed to {face} ({by})")),
    "counted": (N_("counts as {face}"), N_("counts as {face} ({by})")),
    "added": (N_("added {face}"), N_("{face}, added by {by}")),
    "cancelled": (N_("canceled"), N_("canceled by {by}")),
    "spent": (N_("spent"), N_("spent by {by}")),
    "entered": (N_("entered: {face}"), N_("entered by {by}: {face}")),
    "kept": (N_("kept"), N_("kept")),
    "dropped": (N_("dropped"), N_("dropped")),
    "compared": (N_("compared with the d100"), N_("compared with the d100")),
}
"""Messages for dice steps."""
