"""Dice faces as application emoji: finds them by name and creates missing ones. A name contains its drawing's digest,
so each is created once. Outdated emoji stay, because old messages show them.
"""

import asyncio
import logging
from collections.abc import Iterable

import discord

from bot.client import Client
from bot.render.faces import Face, name, png_of

log = logging.getLogger(__name__)


async def keep(client: Client, faces: tuple[Face, ...]) -> None:
    """Fill ``client.faces`` with these faces' emoji. Never raises, because the bot can play without emoji. Only one
    process at a time creates them. Rate limits make the first start take minutes, so run this in its own task.
    """
    known: dict[Face, discord.PartialEmoji] = {}
    client.faces = known
    names, created = {name(face): face for face in faces}, list[Face]()

    def know(result: Iterable[discord.Emoji]) -> None:
        mine = (item for item in result if item.name in names)
        known.update({names[item.name]: discord.PartialEmoji(name=item.name, id=item.id) for item in mine})

    async def create() -> None:
        know(await client.fetch_application_emojis())  # created by another process meanwhile
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
