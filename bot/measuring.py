"""Requests to Discord, measured where they are made, so that discord.py's own and repeated ones count as well."""

import logging
import time
from typing import Final

import aiohttp
import yarl

from bot import metrics
from bot.budget import Budget

TOO_MANY: Final = 429
"""The status of a request too many."""
NOT_COUNTED: Final = ("/interactions/", "/webhooks/")
"""Requests below the API's address that Discord does not count against the limit of the whole bot."""
log = logging.getLogger(__name__)


def measured(arrived: dict[int, float], budget: Budget, api: str) -> aiohttp.TraceConfig:
    """Has requests to the ``api`` wait for their turn, measures first answers, and counts those that Discord refuses.

    All on the requests themselves, so that discord.py's own ones and those that it tries again count as well.
    """

    async def begins(_: object, __: object, request: aiohttp.TraceRequestStartParams) -> None:
        path = str(request.url).removeprefix(api)
        if path != str(request.url) and not path.startswith(NOT_COUNTED):
            await budget.request()

    async def ended(_: object, __: object, request: aiohttp.TraceRequestEndParams) -> None:
        log.debug("%s %s: %d", request.method, request.url.path, request.response.status)
        note(request.url, request.response.status)

    async def failed(_: object, __: object, request: aiohttp.TraceRequestExceptionParams) -> None:
        log.debug("%s %s: %r", request.method, request.url.path, request.exception)
        note(request.url, 0)

    def note(url: yarl.URL, status: int) -> None:
        if status == TOO_MANY:
            metrics.RATE_LIMITED.inc()
        if not url.path.endswith("/callback"):
            return
        if not 200 <= status < 300:
            metrics.FAILED_ANSWERS.labels(status).inc()
        else:
            taken(arrived, int(url.parts[-3]))

    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(begins)
    trace.on_request_end.append(ended)
    trace.on_request_exception.append(failed)
    return trace


def taken(arrived: dict[int, float], number: int) -> None:
    """Discord has taken an answer to the interaction of this number: measure how long the first one took."""
    if (at := arrived.pop(number, None)) is not None:
        metrics.FIRST_ANSWER.observe(time.perf_counter() - at)
