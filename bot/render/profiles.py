"""Named profiles on cards: all profiles of a channel, and what a step changed."""

from bot.render.card import Card
from bot.rules.profile import Held, write
from bot.rules.text import Code, Count, Name, Shown, Text


def facts(held: Held) -> tuple[tuple[Name, Code], ...]:
    """Each profile's name and stats, in the order of the names."""
    ordered = sorted(held.values(), key=lambda profile: profile.name.casefold())
    return tuple((Name(profile.name), Code(write(profile))) for profile in ordered)


def board(title: Shown, command: Shown, held: Held) -> Card:
    """Return the card with all profiles of a game in a channel; ``command`` is the command that adds one."""
    if held:
        return step(title, Text("{profiles} in this channel.", profiles=Count(len(held), "profile", "profiles")), held)
    none, small = Text("This channel has no profiles yet."), Text("Add one: {command}", command=command)
    return Card(title=Text("{title} · profiles", title=title), outcome=none, small=small)


def step(title: Shown, outcome: Text, held: Held) -> Card:
    """Return a step's result in a sentence, and the profiles that it made."""
    return Card(title=Text("{title} · profiles", title=title), outcome=outcome, facts=facts(held))
