"""Registers the slash commands with Discord when they have changed."""

import hashlib
import json
import logging
import time
from typing import Any

import discord
from discord import app_commands

from bot import languages
from bot.client import Client
from bot.store import registration

log = logging.getLogger(__name__)


async def register(client: Client, test_guild: int | None, *, force: bool = False) -> bool:
    """Register the slash commands with Discord if their definition changed since the last time, or by force.

    ``test_guild``: a server that gets them at once; None for all servers. Returns whether they were registered.
    """
    guild = discord.Object(test_guild) if test_guild else None
    if guild is not None:
        client.tree.copy_global_to(guild=guild)
    scope = f"{client.application_id}:{guild.id if guild else 'global'}{'+activity' * client.has_activity}"
    digest = fingerprint(client.tree, guild)
    if await client.opened().run(registration.digest, scope) == digest and not force:
        return False
    registered = await client.tree.sync(guild=guild)
    languages.forget()  # whoever is spoken to brings a catalogue back
    await client.opened().run(registration.remember, scope, digest, int(time.time()))
    log.info("registered %d slash commands (%s)", len(registered), scope)
    return True


def fingerprint(tree: app_commands.CommandTree[Any], guild: discord.abc.Snowflake | None) -> str:
    """A digest of every command's definition, the same for the same definitions in the same catalogues."""
    payload = sorted(json.dumps(command.to_dict(tree), sort_keys=True) for command in tree.get_commands(guild=guild))
    return hashlib.sha256("\n".join([*payload, languages.fingerprint()]).encode()).hexdigest()
