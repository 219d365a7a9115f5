"""The table of a channel as a card: the pieces of every game, and the rolls that wait for somebody."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.render.card import Card, join_names, quantity

TITLE: Final = "The table"
FACTS_MOST: Final = 23
"""An embed has 25 fields: one is for the open rolls, one says how many pieces are not shown."""
TEXT_MOST: Final = 3500
"""Characters of all facts together: an embed holds 6000, and escaped Markdown makes them more."""


@dataclass(frozen=True, slots=True)
class Group:
    """The pieces of one game: its title, and a name and some lines for each piece."""

    title: str
    facts: tuple[tuple[str, str], ...]


def board(groups: Sequence[Group], open_rolls: int) -> Card:
    """What is in play."""
    said = [quantity(len(group.facts), f"{group.title} piece") for group in groups]
    said += [quantity(open_rolls, "open roll")] if open_rolls else []
    every = [fact for group in groups for fact in group.facts]
    if len(every) > FACTS_MOST:
        every = [*every[:FACTS_MOST], ("And more", ", ".join(name for name, _ in every[FACTS_MOST:]))]
    longest = TEXT_MOST // max(1, len(every))
    every = [(name, text if len(text) <= longest else f"{text[: longest - 1]}…") for name, text in every]
    outcome = f"{join_names(said)} in play." if said else "The table is empty."
    return Card(title=TITLE, outcome=outcome, facts=tuple(every), ahead="open" if said else "nobody")


def notice(outcome: str, names: Sequence[str] = ()) -> Card:
    """A card that says what happened on the table."""
    facts = (("Pieces", ", ".join(names)),) if names else ()
    return Card(title=TITLE, outcome=outcome, facts=facts, ahead="nobody")
