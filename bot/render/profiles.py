"""Named profiles on cards: all of a channel, and what a step did."""

from bot.render.card import Card, quantity
from bot.rules.profile import Held, write


def facts(held: Held) -> tuple[tuple[str, str], ...]:
    """A name and its stats for each, by name."""
    return tuple((one.name, write(one)) for one in sorted(held.values(), key=lambda one: one.name.casefold()))


def board(title: str, command: str, held: Held) -> Card:
    """All profiles of a game in a channel; ``command`` adds one."""
    outcome = f"{quantity(len(held), 'profile')} in this channel." if held else "No profile is kept in this channel."
    small = "" if held else f"Add one: {command}"
    return Card(title=f"{title} · profiles", outcome=outcome, facts=facts(held), small=small, ahead="nobody")


def step(title: str, outcome: str, held: Held) -> Card:
    """The sentence of a step, and the profiles that it made."""
    return Card(title=f"{title} · profiles", outcome=outcome, facts=facts(held), ahead="nobody")
