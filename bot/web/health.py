"""HTTP endpoints for operators: liveness, readiness, metrics."""

import asyncio
import logging
import math
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import aiohttp
import discord
from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from bot import metrics, settings
from bot.runtime import status
from bot.runtime.app import App
from bot.store import backups, coordination
from bot.store.errors import StoreError
from bot.web.middleware import watch_request

STORE_WITHIN: Final = 2.0
"""Seconds for the store to answer."""
LOOK_AGAIN: Final = 60.0
"""Seconds to cache counts from the store."""

log = logging.getLogger(__name__)


class HealthEndpoints:
    def __init__(self, app: App) -> None:
        self._app = app
        self._counted_at = -math.inf

    def routes(self) -> web.Application:
        site = web.Application(middlewares=[watch_request])
        site.router.add_get("/healthz", self.healthz)
        site.router.add_get("/readyz", self.readyz)
        site.router.add_get("/metrics", self.metrics)
        return site

    async def healthz(self, _: web.Request) -> web.Response:
        """Return 200: the event loop runs."""
        return web.Response(text="alive\n")

    async def readyz(self, _: web.Request) -> web.Response:
        """Return 200 if this process answers people, else 503 and one line per problem."""
        missing = [*status.missing_shards(self._app), *await self.missing_store()]
        return web.Response(text="".join(f"{line}\n" for line in missing or ["ready"]), status=503 if missing else 200)

    async def missing_store(self) -> list[str]:
        try:
            async with asyncio.timeout(STORE_WITHIN):
                await self._app.open_database().ping()
        except TimeoutError:
            return [f"the store did not answer in {STORE_WITHIN:.0f} seconds"]
        except StoreError as error:
            return [f"the store does not answer: {error.reason}"]
        return []

    async def metrics(self, _: web.Request) -> web.Response:
        app = self._app
        for key, shard in app.shards.items():
            if math.isfinite(shard.latency):
                metrics.LATENCY.labels(key).set(shard.latency)
        metrics.SERVERS.set(len(app.guilds))
        metrics.ANSWERING.set(app.answering)
        metrics.COUNTS_WAITING.set(app.workers.open_questions)
        metrics.REQUESTS_WAITING.set(app.budget.queue_length)
        metrics.REQUESTS_A_SECOND.set(app.budget.rate)
        if time.monotonic() - self._counted_at > LOOK_AGAIN:
            self._counted_at = time.monotonic()
            await self.count()
        return web.Response(body=generate_latest(metrics.REGISTRY), headers={"Content-Type": CONTENT_TYPE_LATEST})

    async def count(self) -> None:
        """Refresh metrics that need a query; a failed query keeps the old value."""
        try:
            rolls, draws = await self._app.count_store(int(time.time()))
            metrics.OPEN_ROLLS.set(rolls)
            for kind, drawn in draws.items():
                metrics.DRAWS.labels(kind).set(drawn)
            for gauge, scope in ((metrics.BACKUP_AT, backups.BACKUP), (metrics.REHEARSED_AT, backups.REHEARSAL)):
                gauge.set(await self._app.open_database().run(coordination.noted_at, scope))
            metrics.IDENTIFIES_LEFT.set(await self._app.identifies_left())
        except StoreError as error:
            log.info("the store could not be counted: %s", error.reason)
        except (discord.HTTPException, aiohttp.ClientError) as error:
            log.info("Discord did not say how many sessions are left: %s", error)


@asynccontextmanager
async def serve(app: App, host: str, port: int) -> AsyncIterator[None]:
    """Serve on this address. Raises ``SettingsError`` if it is not available."""
    runner = web.AppRunner(HealthEndpoints(app).routes(), access_log=None)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            raise settings.cannot_listen("operations_port", error) from None
        log.info("health and metrics at http://%s:%d", host, port)
        yield
    finally:
        await runner.cleanup()
