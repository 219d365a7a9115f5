"""`/table luck` and `/luck`: how lucky people were over a match, or somebody over their own rolls."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from bot.client import Interaction
from bot.render import match_luck as page
from bot.render.card import Card
from bot.rules.errors import PlayerError
from bot.sessions.matches import ROLLS_MOST, PersonLuck, luck_of_rolls
from bot.ui.answer import answer
from bot.ui.display import card_message
from bot.ui.names import clean
from bot.ui.panel import show_card, user_display
from bot.ui.place import place

NOT_THERE: Final = "Only somebody who played in this match can ask for its luck. For your own rolls, type `/luck`."
EVENING: Final = "The luck of this match"
OWN: Final = f"Your luck in your last rolls (at most {ROLLS_MOST})"


async def of_match(interaction: Interaction) -> None:
    """Show everybody's luck in the match of this channel, if the person sat there."""
    rolls = await interaction.client.matches.of_channel(place(interaction))
    people = {person.id for roll in rolls for person in roll.seats.values()}
    if rolls and interaction.user.id not in people:
        raise PlayerError(NOT_THERE)
    found = await interaction.client.workers.count(partial(luck_of_rolls, rolls), asked_by=interaction.user.id)
    await show_card(interaction, card(EVENING, "matches", found, named=True))


async def of_person(interaction: Interaction) -> None:
    """Show somebody their own luck, privately."""
    answer(interaction).keep_private()
    rolls = await interaction.client.matches.of_person(interaction.user.id)
    count = partial(luck_of_rolls, rolls, interaction.user.id)
    found = await interaction.client.workers.count(count, asked_by=interaction.user.id)
    shown = card_message(card(OWN, "runs of rolls", found, named=False), await user_display(interaction))
    await answer(interaction).post_private(**shown)


def card(title: str, match: str, found: Sequence[PersonLuck], *, named: bool) -> Card:
    """A line for each person, game and unit; ``match`` is what such rolls together are called."""
    several = len({one.game.key for one in found}) > 1
    lines = []
    for one in found:
        text = page.sentence(one.luck, one.unit, one.parts, match, is_loss=one.is_loss)
        parts = [clean(one.person.name)] if named else []
        parts += [one.game.title] if several or not named else []
        lines.append((", ".join(parts), text, one.luck.rolls))
    return page.card(title, lines)
