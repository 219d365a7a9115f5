"""Troopers of a channel on cards: their profiles, their Wounds and states, and what a step did."""

from bot.render.card import Card
from bot.rules.infinity.trooper import Roster, Trooper, condition, write
from bot.rules.text import Count, Text

TITLE = "Infinity · troopers"


def facts(held: Roster) -> tuple[tuple[str, str], ...]:
    """A name with its condition and its profile for each, by name."""
    return tuple((one.name, lines(one)) for one in sorted(held.values(), key=lambda one: one.name.casefold()))


def lines(trooper: Trooper) -> str:
    """What a trooper has lost and is in, and its profile."""
    return "\n".join(filter(None, (condition(trooper), write(trooper))))


def board(held: Roster) -> Card:
    """All troopers of a channel."""
    outcome = (
        Text("{profiles} in this channel.", profiles=Count(len(held), "profile", "profiles"))
        if held
        else Text("This channel has no profiles yet.")
    )
    small = "" if held else Text("Add one: /infinity profile set")
    return Card(title=TITLE, outcome=outcome, facts=facts(held), small=small, ahead="nobody")


def step(outcome: str, held: Roster) -> Card:
    """The sentence of a step, and the troopers that it changed."""
    return Card(title=TITLE, outcome=outcome, facts=facts(held), ahead="nobody")
