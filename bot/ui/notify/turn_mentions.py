"""Turn notices: a mention for someone away, and results read aloud, if a table wants either. Edits notify nobody, so a
mention is a message of its own, deleted when its turn ends. Pending notices are in memory only, lost at a restart.
"""

import logging
from typing import Final

import discord

from bot.client import Interaction
from bot.languages.translate import translate
from bot.rules.text import Code, Names, Text
from bot.ruleset import settings
from bot.sessions import roll, turn_notices
from bot.sessions.personal_data import FORGOTTEN
from bot.store.errors import StoreError
from bot.ui.core.card_messages import card_of
from bot.ui.core.request_context import escape_markdown, link, mention, mentions_of, place
from bot.ui.core.responses import CardShown, answer

AWAY: Final = 60.0
"""Seconds without a press until somebody counts as away."""
PAUSES: Final = {"mention": 0.0, "minute": AWAY}
"""Seconds from a turn to its mention, by the setting; "never" has none."""
MAX_ALOUD: Final = 300

log = logging.getLogger(__name__)


async def follow(fact: CardShown) -> None:
    """End a shown ply's turn and mention who is next, not on opening, or read the outcome aloud."""
    interaction, played = fact.interaction, fact.played
    if not (played.is_new or fact.is_taken_back):  # an old ply was shown again
        return
    await interaction.client.calls.end(played.session)
    if not played.is_new:
        return
    counts = fact.counts
    pause, called = PAUSES.get(counts[settings.PING]), whose_turn(interaction, played)
    if pause is not None and called and not played.is_opening:
        call_to(interaction, played, called, pause)
    if counts[settings.READ_ALOUD] and not (played.is_waiting or played.is_closed or played.is_hidden):
        await answer(interaction).add(content=escape_markdown(translate(card_of(played).outcome)[:MAX_ALOUD]), tts=True)


def whose_turn(interaction: Interaction, played: roll.Played) -> list[int]:
    """Return the ids of the people a roll waits for; [] if the same person may continue."""
    waits = [offer for offer in played.offers if offer.is_awaited]
    seated = [played.named.get(offer.player) or played.seats.get(offer.side) for offer in waits]
    fromkeys = list(dict.fromkeys(person.id for person in seated if person is not None and person.id != FORGOTTEN))
    return [] if interaction.user.id in fromkeys else fromkeys


def call_to(interaction: Interaction, played: roll.Played, people: list[int], pause: float) -> None:
    """Mention people in the channel after a pause, if the roll still waits for them."""
    here, client = place(interaction), interaction.client

    async def send() -> turn_notices.Remove | None:
        try:
            now = await client.sessions.find(played.session, here)
            if now.ply != played.ply or now.is_closed:
                return None
            whom = Names([mention(person) for person in people])
            text = Text("{people}, it's your turn.", people=whom)
            if (card := client.links.of(now)) is not None:
                there = Code(link(here, card))
                text = Text("{people}, it's your turn. [Go to the card]({link})", people=whom, link=there)
            channel = client.get_partial_messageable(here.channel_id, guild_id=here.guild_id)
            sent = await channel.send(translate(text), allowed_mentions=mentions_of(people))
        except (discord.HTTPException, StoreError, roll.UnknownRollError) as error:
            log.info("nobody could be called to a turn: %s", error)
            return None

        async def remove() -> None:
            try:
                await sent.delete()
            except discord.HTTPException as error:
                log.info("a mention stays: %s", error)

        return remove

    client.calls.call(played.session, pause, send)
