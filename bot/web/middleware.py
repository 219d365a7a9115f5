"""Middleware of every HTTP site of the bot."""

import re
from functools import partial
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler

from bot.runtime import watchdog
from bot.ui.commands import options

WORDS: Final = web.RequestKey("WORDS", dict[str, str])
"""The words of a request's body, once they are read."""
QUOTED: Final = re.compile("[a-z_]{1,20}")
"""Names of words, and the act that they ask for, as the log may quote them: no stranger writes lines into it."""


@web.middleware
async def watch_request(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer a request; log and count each time that it held the event loop."""

    async def answer() -> web.StreamResponse:
        return await handler(request)

    return await watchdog.watch(answer(), partial(describe_request, request))


def describe_request(request: web.Request) -> str:
    """Describe a request for the log: its route, its act, and the length of each text; never what it says."""
    resource, words = request.match_info.route.resource, request.get(WORDS, {})
    given = {name: text for name, text in {**request.query, **words}.items() if QUOTED.fullmatch(name)}
    route, act = "an unknown address" if resource is None else resource.canonical, given.pop("do", "")
    return options.describe_texts(f"{route} {act}" if QUOTED.fullmatch(act) else route, given)
