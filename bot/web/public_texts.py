"""Pages without a table: terms, privacy policy, shard status, and previews of odds links."""

import re
import time
from functools import partial
from typing import Final

from aiohttp import web

from bot import package_info
from bot.html import documents, markdown
from bot.html.html import Html, escaped, tag
from bot.odds.luck import UncountableLuckError
from bot.odds_site import answers
from bot.resources.quotas import Caller
from bot.rules.errors import PlayerError
from bot.rules.text import Code, Name, Shown, Text
from bot.runtime import status
from bot.runtime.app import App
from bot.store.errors import StoreError
from bot.ui.core.components import MAX_URL
from bot.ui.core.odds_link import question_of

PLACEHOLDER: Final = re.compile(r"\*\(operators: set ([A-Z_]++)[^)]*+\)\*")
"""Placeholders that a setting fills in."""
UNNAMED: Final = "not named"
ODDS: Final = Text("Exact odds for tabletop dice")
NO_NUMBER: Final = Text("Open the question to calculate it.")
FRESH: Final = 5.0
"""Seconds to cache the status."""
PREVIEWS: Final = Caller(None, -1)
"""The quota id of all previews: together they get one server's quota."""


class PublicTexts:
    def __init__(self, app: App) -> None:
        self._app = app
        self._status: status.Status | None = None

    def add_to(self, site: web.Application) -> None:
        for path, title in ((package_info.TERMS, Text("Terms")), (package_info.PRIVACY, Text("Privacy"))):
            site.router.add_get(f"/{path.removesuffix('.md').lower()}", partial(self.text, path, title))
        site.router.add_get("/status", self.show_status)
        site.router.add_get(f"/odds/{{fragment:[A-Za-z0-9_-]{{1,{MAX_URL}}}}}", self.odds)

    @property
    def _picture(self) -> str:
        return documents.icon_address(self._app.watching.url)

    async def text(self, path: str, title: Shown, _: web.Request) -> web.Response:
        """Return one of our texts with the operator's name and host."""
        settings = self._app.settings
        named = {"OPERATOR": settings.operator, "HOSTED_BY": settings.hosted_by}
        whole = package_info.read_packaged(path).decode()
        body = [  # filled in after rendering: a name is no Markdown
            Html(PLACEHOLDER.sub(lambda match: escaped(Code(named[match[1]] or UNNAMED)), element))
            for element in markdown.convert(whole, self._address)
        ]
        return page(
            documents.text_page(title, Text("Rollcall, a dice referee for Discord"), body, picture=self._picture)
        )

    def _address(self, target: str) -> str:
        """Return a text's link target: the other text here, or the source code."""
        if "://" in target or target.startswith("#"):
            return target
        ours = {package_info.TERMS: self._app.addresses.terms, package_info.PRIVACY: self._app.addresses.privacy}
        return ours.get(target) or package_info.address_of(target, package_info.read().source)

    async def show_status(self, request: web.Request) -> web.Response:
        """List the shards. The status is 503 unless all answer, so that a monitor need not parse it."""
        now = int(time.time())
        try:
            if self._status is None or now - self._status.at >= FRESH:
                self._status = await status.read(self._app, now)
        except StoreError:
            about: Shown = Text("The bot's database doesn't answer, so nobody gets answers right now.")
            return page(self._status_page(about, []), 503)
        found = self._status
        about = Text("All shards answer.")
        if found.down:
            about = Text("{count} of {total} shards answer.", count=found.count - len(found.down), total=found.count)
        rows = [shard_row(found, shard) for shard in range(found.count)]
        names = (Text("Shard"), Text("State"), Text("Latency"), Text("Servers"))
        head = tag("thead", tag("tr", *(tag("th", name) for name in names)))
        body = [tag("table", head, tag("tbody", *rows))]
        server = request.query.get("server", "")
        if server.isascii() and server.isdecimal() and len(server) < 21:
            shard = (int(server) >> 22) % found.count
            body.append(tag("p", Text("Server {server} is on shard {shard}.", server=Code(server), shard=shard)))
        return page(self._status_page(about, body), 503 if found.down else 200)

    def _status_page(self, about: Shown, body: list[Html]) -> str:
        title = Text("Rollcall status")
        shown = [tag("h1", title), tag("p", about, class_="outcome"), *body]
        again = tag("meta", http_equiv="refresh", content="30")
        return documents.text_page(title, about, shown, picture=self._picture, head=[again])

    async def odds(self, request: web.Request) -> web.Response:
        """Return a question's preview, which leads to the odds page."""
        if not self._app.site_url:
            raise web.HTTPNotFound
        fragment = request.match_info["fragment"]
        title, about = await self._headline(question_of(fragment))
        there = f"{self._app.site_url}#{fragment}"
        again = tag("meta", http_equiv="refresh", content=f"0; url={there}")
        body = [tag("h1", title), tag("p", about, class_="outcome"), tag("p", tag("a", ODDS, href=there))]
        return page(documents.text_page(title, about, body, picture=self._picture, head=[again]))

    async def _headline(self, question: str) -> tuple[Shown, Shown]:
        """Return a preview's title and text; never computed in the event loop, since strangers can request it."""
        if not question:
            return ODDS, NO_NUMBER
        try:
            asked = partial(answers.headline, question)
            title, about = await self._app.workers.run_in_process(asked, asked_by=PREVIEWS)
        except (PlayerError, UncountableLuckError, MemoryError, RecursionError):
            return ODDS, NO_NUMBER
        return Name(title), Name(about)


def shard_row(found: status.Status, shard: int) -> Html:
    """Return a shard's row: whether it answers, and since when not."""
    report = found.reports.get(shard)
    if report is None:
        return tag("tr", tag("td", Code(str(shard))), tag("td", Text("hasn't started")), tag("td"), tag("td"))
    since = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(report.at))
    state = Text("answers") if found.answers(shard) else Text("no answers since {time}", time=Code(since))
    cells = (
        Code(str(shard)),
        state,
        Text("{number} ms", number=round(report.latency * 1000)),
        Code(str(report.servers)),
    )
    return tag("tr", *(tag("td", cell) for cell in cells))


def page(html: str, code: int = 200) -> web.Response:
    headers = {"Content-Security-Policy": documents.policy(documents.style(*documents.TEXT_STYLES))}
    return web.Response(text=html, status=code, content_type="text/html", headers=headers)
