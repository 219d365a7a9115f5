"""The table of a channel as a card: the pieces of every game, and the rolls that wait for somebody."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from bot.render import fleet, profiles, troopers
from bot.render.card import Card, counted, listed
from bot.rules.games import GAMES

TITLE: Final = "The table"
FACTS_MOST: Final = 23
"""An embed has 25 fields: one is for the open rolls, one says how many pieces are not shown."""
TEXT_MOST: Final = 3500
"""Characters of all facts together: an embed holds 6000, and escaped Markdown makes them more."""

FACTS: Final[Mapping[str, Callable[[Mapping[str, Any]], tuple[tuple[str, str], ...]]]] = {
    "xwing": fleet.facts,
    "infinity": troopers.facts,
    "warsurge": profiles.facts,
    "albion": profiles.facts,
}
"""One line per game with pieces: a name and some lines for each."""


def board(pieces: Mapping[str, Mapping[str, Any]], open_rolls: int) -> Card:
    """What is in play; ``pieces`` by game and name."""
    shown = [(game, FACTS[game](held)) for game, held in pieces.items() if held and game in FACTS]
    said = [f"{len(facts)} {GAMES[game].TITLE} {'piece' if len(facts) == 1 else 'pieces'}" for game, facts in shown]
    said += [counted(open_rolls, "open roll")] if open_rolls else []
    every = [fact for _, facts in shown for fact in facts]
    if len(every) > FACTS_MOST:
        every = [*every[:FACTS_MOST], ("And more", ", ".join(name for name, _ in every[FACTS_MOST:]))]
    longest = TEXT_MOST // max(1, len(every))
    every = [(name, text if len(text) <= longest else f"{text[: longest - 1]}…") for name, text in every]
    outcome = f"{listed(said)} in play." if said else "The table is empty."
    return Card(title=TITLE, outcome=outcome, facts=tuple(every), ahead="open" if said else "nobody")


def told(outcome: str, names: Sequence[str] = ()) -> Card:
    """A card that says what happened on the table."""
    facts = (("Pieces", ", ".join(names)),) if names else ()
    return Card(title=TITLE, outcome=outcome, facts=facts, ahead="nobody")
