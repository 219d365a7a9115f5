"""Middleware of all HTTP sites of the bot."""

import re
from functools import partial
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler

from bot.runtime import watchdog
from bot.ui.commands import options

WORDS: Final = web.RequestKey("WORDS", dict[str, str])
"""A request's parsed body."""
QUOTED: Final = re.compile("[a-z_]{1,20}")
"""Words that the log may quote, and acts by name, so that strangers can't write log lines."""


@web.middleware
async def watch_request(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer a request; log and count each time it blocks the event loop."""

    async def answer() -> web.StreamResponse:
        return await handler(request)

    return await watchdog.watch(answer(), partial(describe_request, request))


def describe_request(request: web.Request) -> str:
    """Describe a request for the log: its route, its act, and each text's length; never its content."""
    resource, words = request.match_info.route.resource, request.get(WORDS, {})
    given = {name: text for name, text in {**request.query, **words}.items() if QUOTED.fullmatch(name)}
    route, act = "an unknown address" if resource is None else resource.canonical, given.pop("do", "")
    return options.describe_texts(f"{route} {act}" if QUOTED.fullmatch(act) else route, given)
