"""Whether people get answers: each process stores its shards' status, so that any process can report all.

``/readyz`` reports this process, ``/status`` all shards; an outside monitor is called while all are well.
"""

import asyncio
import logging
import math
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import aiohttp

from bot.client import Client
from bot.store import coordination
from bot.store.coordination import ShardReport
from bot.store.errors import StoreError

EVERY: Final = 20.0
"""Seconds from one report to the next."""
SILENT: Final = 60
"""Seconds until a shard without a report is down."""
CALL_TIMEOUT: Final = aiohttp.ClientTimeout(total=10)
rest = asyncio.sleep
log = logging.getLogger(__name__)


def missing_shards(client: Client) -> list[str]:
    """Return a line for each thing that keeps this process's shards from answering."""
    if not client.shards:
        return ["not connected to Discord yet"]
    return [f"shard {key} has heard no heartbeat" for key in client.shards if not is_well(client, key)] or (
        [] if client.is_ready() else ["Discord has not sent all servers yet"]
    )


def is_well(client: Client, key: int) -> bool:
    """Whether a shard of this process is connected and receives events."""
    shard = client.shards[key]
    return not shard.is_closed() and math.isfinite(shard.latency)


@dataclass(frozen=True, slots=True)
class Status:
    """The last reports of ``count`` shards at a moment, in seconds since 1970."""

    count: int
    reports: Mapping[int, ShardReport]
    at: int

    def answers(self, shard: int) -> bool:
        report = self.reports.get(shard)
        return report is not None and self.at - report.at <= SILENT

    @property
    def down(self) -> list[int]:
        """The shards that don't answer."""
        return [shard for shard in range(self.count) if not self.answers(shard)]


async def read(client: Client, now: int) -> Status:
    """Return the status of all shards of all processes. Raises ``StoreError``."""
    reports = await client.open_database().run(coordination.shard_reports)
    return Status(client.shard_count or 1, reports, now)


async def report(client: Client, now: int) -> None:
    """Report the shards of this process that are well. Raises ``StoreError``."""
    servers = Counter(guild.shard_id for guild in client.guilds)
    well = [key for key in client.shards if is_well(client, key)] if client.is_ready() else []
    reports = [ShardReport(key, now, client.shards[key].latency, servers[key]) for key in well]
    if reports:
        await client.open_database().run(coordination.report_shards, reports)


async def keep_reporting(client: Client, heartbeat_url: str) -> None:
    """Report while the bot runs, and call the monitor while all shards answer. Never raises."""
    await client.wait_until_ready()
    while True:
        try:
            now = int(time.time())
            await report(client, now)
            if heartbeat_url and not (await read(client, now)).down:
                async with aiohttp.request("GET", heartbeat_url, timeout=CALL_TIMEOUT) as answer:
                    answer.raise_for_status()
        except StoreError as error:
            log.warning("the status was not reported: %s", error.reason)
        except (aiohttp.ClientError, TimeoutError) as error:
            log.warning("the monitor at HEARTBEAT_URL could not be called: %s", type(error).__name__)
        await rest(EVERY)
