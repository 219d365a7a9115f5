"""`/table luck` and `/luck`: how lucky people were, exactly."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import discord

from bot.client import Interaction
from bot.languages.say import say
from bot.render import match_luck as page
from bot.render.card import Card, Figure
from bot.rules.errors import PlayerError
from bot.rules.text import EMPTY, Sentences, Shown, Text, Words, as_shown
from bot.sessions.matches import ROLLS_MOST, CountedRoll, LuckOfMatch, luck_of_match
from bot.ui import how
from bot.ui.answer import answer
from bot.ui.components import Components
from bot.ui.display import card_message, unbroken
from bot.ui.names import clean, escape_markdown
from bot.ui.panel import user_display
from bot.ui.place import asker, link, place

NOT_THERE: Final = Text(
    "Only somebody who played in this match can ask for its luck. For your own rolls, type `/luck`."
)
EVENING: Final = Text("The luck of this match")
OWN: Final = Text("Your luck in your last rolls (at most {rolls_most})", rolls_most=ROLLS_MOST)
MATCH: Final = (Text("match"), Text("matches"))
RUN: Final = (Text("run of rolls"), Text("runs of rolls"))
"""What rolls together are called, one such run of them and many."""
LUCKIEST: Final = Text("The luckiest roll of the evening")


async def of_match(interaction: Interaction) -> None:
    """Show everybody's luck in the match of this channel, if the person sat there."""
    rolls = await interaction.client.matches.of_channel(place(interaction))
    people = {person.id for roll in rolls for person in roll.seats.values()}
    if rolls and interaction.user.id not in people:
        raise PlayerError(NOT_THERE)
    found = await interaction.client.workers.count(partial(luck_of_match, rolls), asked_by=asker(interaction))
    await answer(interaction).post(**await match_message(interaction, found))


async def of_person(interaction: Interaction) -> None:
    """Show somebody their own luck, privately."""
    answer(interaction).keep_private()
    rolls = await interaction.client.matches.of_person(interaction.user.id)
    count = partial(luck_of_match, rolls, interaction.user.id)
    found = await interaction.client.workers.count(count, asked_by=asker(interaction))
    shown = card_message(card(OWN, RUN, found, named=False), await user_display(interaction))
    await answer(interaction).post_private(**shown, view=Components([how.explains(how.LUCK)]))


async def match_message(interaction: Interaction, found: LuckOfMatch) -> dict[str, Any]:
    """The luck of everybody who rolled, and the luckiest roll with a link to it."""
    shown = card_message(card(EVENING, MATCH, found, named=True), await user_display(interaction))
    shown["view"] = Components([how.explains(how.LUCK)])
    if found.luckiest is not None:
        add_luckiest(shown["embed"], interaction, found.luckiest)
    return shown


def add_luckiest(embed: discord.Embed, interaction: Interaction, best: CountedRoll) -> None:
    """The roll in the words of its card, with a link to it if that is known."""
    names = {side: clean(who.name) for side, who in best.roll.seats.items()}
    outcome = best.roll.game.card(best.roll.state, names).outcome
    text = escape_markdown(say(page.luckiest(clean(best.person.name), outcome, best.as_good)))
    if (message := interaction.client.links.of(best.roll)) is not None:
        text += f" [↗]({link(place(interaction), message)})"
    embed.add_field(name=say(LUCKIEST), value=unbroken(text[:1024]), inline=False)


def card(
    title: Shown,
    match: tuple[Words, Words],
    found: LuckOfMatch,
    *,
    named: bool,
    headline: Shown = EMPTY,
    before: Sequence[tuple[Shown, Shown]] = (),
    figure: Figure | None = None,
) -> Card:
    """A line for each person, game and unit; ``match`` is what one such run of rolls and many are called.

    ``headline``, the facts ``before`` and the ``figure`` are those of a recap.
    """
    several = len({one.game.key for one in found.people}) > 1
    lines = []
    for one in found.people:
        parts = [clean(one.person.name)] if named else []
        parts += [as_shown(one.game.title)] if several or not named else []
        lines.append(page.Line(Sentences(parts, ", "), one.luck, one.unit, one.parts, one.is_loss))
    return page.card(title, lines, match, headline, found.left_out, before, figure)
