"""The faces of dice as emoji of the application: finds them by name and creates those that are missing.

An emoji's name contains a digest of its drawing, so each is created only once. Emoji of an older drawing stay, because
old messages show them.
"""

import asyncio
import logging

import discord

from bot.client import Client
from bot.render.faces import Face, name, painted

log = logging.getLogger(__name__)


async def keep(client: Client, faces: tuple[Face, ...]) -> None:
    """Fill ``client.faces`` with the emoji of these faces. Never raises, because the bot can play without emoji.

    Of several processes, one at a time creates what is missing. Discord's rate limits make the first start take some
    minutes, so run this in a task of its own.
    """
    known: dict[Face, discord.PartialEmoji] = {}
    client.faces = known
    created = 0
    names = {name(face): face for face in faces}

    async def find() -> None:
        found = await client.fetch_application_emojis()
        known.update({names[emoji.name]: partial(emoji.name, emoji.id) for emoji in found if emoji.name in names})

    async def create() -> None:
        nonlocal created
        await find()  # what another process has created while this one waited
        for called, face in names.items():
            if face not in known:
                png = await asyncio.to_thread(painted, face)
                made = await client.create_application_emoji(name=called, image=png)
                known[face] = partial(made.name, made.id)
                created += 1

    try:
        await find()
        if len(known) < len(names):
            await client.locks.alone("emoji", create)
    except Exception as error:  # noqa: BLE001 - whatever it is, words will do until the next start
        log.warning("emoji of dice: %d of %d known, then: %r", len(known), len(faces), error)
    else:
        log.info("emoji of dice: %d of %d known, %d of them new", len(known), len(faces), created)


def partial(name: str, key: int) -> discord.PartialEmoji:
    return discord.PartialEmoji(name=name, id=key)
