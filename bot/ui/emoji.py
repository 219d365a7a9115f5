"""The faces of dice as emoji of the application: found by name, and those that are missing created.

An emoji's name holds a digest of its picture, so each is created once, whichever start that is. Those of a former
drawing stay, for the messages that show them.
"""

import asyncio
import logging

import discord

from bot.client import Client
from bot.render.faces import Face, painted

log = logging.getLogger(__name__)


async def keep(client: Client, faces: tuple[Face, ...]) -> None:
    """Make ``client.faces`` know the emoji of these faces; never raises, since one can play without.

    Of several processes the one with the first shard creates; the others find what is there. Discord's own limits
    make the first start take some minutes, so this belongs into a task of its own.
    """
    known: dict[Face, discord.PartialEmoji] = {}
    client.faces = known
    created = 0
    try:
        pictures = await asyncio.to_thread(painted, faces)
        found = {emoji.name: emoji.id for emoji in await client.fetch_application_emojis()}
        known |= {face: partial(name, found[name]) for name, (face, _) in pictures.items() if name in found}
        for name, (face, png) in pictures.items():
            if face not in known and creates(client):
                made = await client.create_application_emoji(name=name, image=png)
                known[face] = partial(made.name, made.id)
                created += 1
    except Exception as error:  # noqa: BLE001 - whatever it is, words do as well until the next start
        log.warning("emoji of dice: %d of %d known, then: %r", len(known), len(faces), error)
    else:
        log.info("emoji of dice: %d of %d known, %d of them new", len(known), len(faces), created)


def partial(name: str, key: int) -> discord.PartialEmoji:
    return discord.PartialEmoji(name=name, id=key)


def creates(client: Client) -> bool:
    """Whether this process is the one that creates."""
    return client.shard_ids is None or 0 in client.shard_ids
