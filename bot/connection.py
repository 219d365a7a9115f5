"""A connection to the public pages: nobody holds one open with half a request, and whoever sends nonsense learns
nothing of the server.
"""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from aiohttp import web

WITHIN: Final = 15.0
"""Seconds that a request may take to come whole."""
UNREADABLE: Final = "This request cannot be read.\n"


class Connection(web.RequestHandler):
    """Closes itself where a request does not come whole in time. ``headers`` are those of the answer to nonsense.

    aiohttp waits for ever for the first request, and for each further one as long as for a new one to begin.
    """

    __slots__ = ("_headers", "_too_late")

    def __init__(self, server: web.Server, headers: Mapping[str, str], **options: Any) -> None:
        super().__init__(server, loop=asyncio.get_running_loop(), keepalive_timeout=WITHIN, **options)
        self._headers = headers
        self._too_late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._too_late = asyncio.get_running_loop().call_later(WITHIN, self.force_close)

    def connection_lost(self, exc: BaseException | None) -> None:
        self.came_whole()
        super().connection_lost(exc)

    def came_whole(self) -> None:
        """A request is about to be answered."""
        if self._too_late is not None:
            self._too_late.cancel()
            self._too_late = None

    def handle_error(
        self,
        request: web.BaseRequest,  # noqa: ARG002 - aiohttp's signature
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,  # noqa: ARG002 - as above
    ) -> web.StreamResponse:
        """What cannot be read. aiohttp's own answer, and its line in the log, quote it, and with it tokens."""
        self.came_whole()
        if status >= web.HTTPInternalServerError.status_code:
            self.log_exception("a request could not be answered", exc_info=exc)
        answer = web.Response(status=status, text=UNREADABLE, headers=self._headers)
        answer.force_close()
        return answer
