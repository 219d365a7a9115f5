"""Named profiles on cards: all of a channel, and what a step did."""

from bot.render.card import Card, counted
from bot.rules.games import GAMES
from bot.rules.profile import Profiles, write


def facts(held: Profiles) -> tuple[tuple[str, str], ...]:
    """A name and its stats for each, by name."""
    return tuple((one.name, write(one)) for one in sorted(held.values(), key=lambda one: one.name.casefold()))


def board(game: str, held: Profiles) -> Card:
    """All profiles of a game in a channel."""
    outcome = f"{counted(len(held), 'profile')} in this channel." if held else "No profile is kept in this channel."
    small = "" if held else f"Add one: /{game} profile set"
    return Card(title=title(game), outcome=outcome, facts=facts(held), small=small, ahead="nobody")


def step(game: str, outcome: str, held: Profiles) -> Card:
    """The sentence of a step, and the profiles that it made."""
    return Card(title=title(game), outcome=outcome, facts=facts(held), ahead="nobody")


def title(game: str) -> str:
    return f"{GAMES[game].TITLE} · profiles"
