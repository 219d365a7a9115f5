"""The faces of dice as emoji of the application: finds them by name and creates those that are missing.

An emoji's name contains a digest of its drawing, so each is created only once. Emoji of an older drawing stay, because
old messages show them.
"""

import asyncio
import logging
from collections.abc import Iterable

import discord

from bot.client import Client
from bot.render.faces import Face, name, png_of

log = logging.getLogger(__name__)


async def keep(client: Client, faces: tuple[Face, ...]) -> None:
    """Fill ``client.faces`` with the emoji of these faces. Never raises, because the bot can play without emoji.

    Of several processes, one at a time creates what is missing. Discord's rate limits make the first start take some
    minutes, so run this in a task of its own.
    """
    known: dict[Face, discord.PartialEmoji] = {}
    client.faces = known
    names, created = {name(face): face for face in faces}, list[Face]()

    def know(result: Iterable[discord.Emoji]) -> None:
        mine = (item for item in result if item.name in names)
        known.update({names[item.name]: discord.PartialEmoji(name=item.name, id=item.id) for item in mine})

    async def create() -> None:
        know(await client.fetch_application_emojis())  # created by another process while this one waited
        for face in [tile for tile in faces if tile not in known]:
            png = await asyncio.to_thread(png_of, face)
            know([await client.create_application_emoji(name=name(face), image=png)])
            created.append(face)

    try:
        know(await client.fetch_application_emojis())
        if len(known) < len(names):
            await client.locks.run_exclusive("emoji", create)
    except Exception as error:  # noqa: BLE001 - whatever it is, words will do until the next start
        log.warning("emoji of dice: %d of %d known, then: %r", len(known), len(faces), error)
    else:
        log.info("emoji of dice: %d of %d known, %d of them new", len(known), len(faces), len(created))
