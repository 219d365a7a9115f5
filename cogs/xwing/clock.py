"""The clock of a match: it speaks up when five minutes are left, and when time is over.

When it began is kept with the match. What waits here is in memory: after a restart the next step on the table sets the
clock again.
"""

import logging
import time
from collections.abc import Callable
from typing import Final

import discord

from bot.client import Client
from bot.languages.say import say, speaking
from bot.render.xwing.score import score_line
from bot.rules.text import Name, Text
from bot.rules.xwing import KEY
from bot.rules.xwing.table.match import ends_at, match_of
from bot.rules.xwing.table.scenarios import LAST_MINUTES
from bot.sessions.calls import Remove
from bot.sessions.place import Place
from bot.store.errors import StoreError
from bot.ui.address import Answer
from bot.ui.components import Components, button
from bot.ui.facts import Stepping
from bot.ui.names import escape_markdown
from bot.ui.place import language_at, place
from cogs.xwing.options import owner_names

END: Final = Answer("score", "end")

log = logging.getLogger(__name__)

now: Callable[[], float] = time.time
"""The time of day, in seconds of the epoch."""


async def follow(fact: Stepping) -> None:
    """After a step on ships whose match has a clock, set that clock if it is not set."""
    arm(fact.interaction.client, place(fact.interaction), ends_at(fact.stepped.after))


def arm(client: Client, here: Place, ends_at: int) -> None:
    """Speak up at both moments that are still to come."""
    for minutes in (LAST_MINUTES, 0):
        key, left = ("clock", here.channel_id, ends_at, minutes), ends_at - 60 * minutes - now()
        if left > 0 and key not in client.calls.waiting:
            client.calls.call(key, left, lambda minutes=minutes: tell(client, here, ends_at, minutes))  # type: ignore[misc]  # a lambda with a default


async def tell(client: Client, here: Place, ends_at: int, minutes: int) -> Remove | None:
    """Say in the channel how much time is left, if the clock still runs then; the message stays."""
    try:
        table = await client.tables.pieces(here, KEY)
        match = match_of(table)
        if match is None or match.score.ends_at != ends_at or match.score.winner is not None:
            return None
        owners = await owner_names(client, here)
        channel = client.get_partial_messageable(here.channel_id, guild_id=here.guild_id)
        with speaking(await language_at(client, here)):
            score = escape_markdown(say(score_line(table, owners)))
            if minutes:
                text = Text("{minutes} minutes are left. {score}", minutes=minutes, score=Name(score))
                await channel.send(say(text))
            else:
                text = Text("Time is over. Play this round to its end, then end the match. {score}", score=Name(score))
                view = Components([button(Text("End the match"), END, discord.ButtonStyle.success)])
                await channel.send(say(text), view=view)
    except (discord.HTTPException, StoreError) as error:
        log.info("the clock of channel %s could not speak: %s", here.channel_id, error)
    return None
