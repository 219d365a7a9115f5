"""The Activity: the table of a call inside Discord, with each person's private view.

The page gets an OAuth2 code (``identify``), which the bot exchanges for the user. Discord tells where an Activity
instance is and who is in it, and only those people get a session. A session is bound to instance and person, lives in
memory, and is sent in a header: browsers store nothing, and no URL contains it. Choices become a ``Request``, handled
like presses on Discord.

https://docs.discord.com/developers/activities/development-guides
"""

import asyncio
import logging
import re
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, NamedTuple, Protocol

import aiohttp
import discord
from aiohttp import WSMsgType, web
from pydantic import TypeAdapter

from bot import background, languages
from bot.access import FRESH_SECONDS, REFRESH_AFTER, ContentStream
from bot.bounded_dict import BoundedDict
from bot.html import documents
from bot.html.html import escaped
from bot.languages.translate import using_language
from bot.resources import quotas
from bot.rules.errors import NotOfferedError, PlayerError
from bot.rules.text import Name, Shown, Text
from bot.ruleset.settings import GM_ROLE
from bot.runtime.app import App
from bot.sessions import events as facts, plans
from bot.sessions.live_tables import CROWDED, OVER, LiveTable, LiveTables, event
from bot.sessions.request import Person, Place, Request
from bot.store.errors import StoreError
from bot.store.tracked_messages import MessageKind
from bot.ui.core.request_context import describe_block, with_parent
from bot.ui.live import live_page, private_view
from bot.web import middleware
from bot.web.live_pages import FOR_EVER, IS_COUNTED, MAX_BODY, Handler, PageSubscriber, read_along, stream_table, turn

SESSION: Final = "X-Session"
CALL: Final = "/{shard:[0-9]{1,6}}/call"
VERIFICATION_TTL: Final = 600.0
"""Seconds before we recheck who is in an instance, if the gateway does not tell who is in its call."""
JOIN_TIMEOUT: Final = 15.0
"""Seconds before we recheck a joining person, so that nobody can make us ask endlessly."""
MAX_SESSIONS: Final = 2_000
"""Maximum frames of one process; beyond it, the server with most loses its oldest."""
MAX_FRAMES: Final = 4
"""Maximum frames of one person; another one ends their oldest."""
SESSION_TTL: Final = 3600.0
"""Seconds until an unused session ends."""
WRONG_CODES: Final = (2_000, 600.0)
"""Maximum for strangers, and seconds in which it refills. 10,000 invalid requests in that time ban an address."""
UNKNOWN: Final = 503
"""Status if Discord or the database does not answer: retry."""
WINDOW: Final = 64
"""The page numbers a session's choices; one may arrive this many numbers late, and counts once."""
MAX_TABLES: Final = 20

NUMBERED: Final = re.compile(r"[1-9][0-9]{0,8}")
STRANGE: Final = Text("I don't know this choice. Close the Activity and open it again.")
NOT_YOU: Final = Text("Discord didn't tell me who you are. Close the Activity and open it again.")
NOT_THERE: Final = Text("Discord doesn't list you as a participant in this Activity. Close it and open it again.")
NOT_KNOWN: Final = Text("Discord doesn't answer, so I can't tell whether you may see this table. I'm trying again.")

WORDS: Final = TypeAdapter(dict[str, str])
"""A request body: a JSON object of strings."""
log = logging.getLogger(__name__)


class DiscordUser(NamedTuple):
    """A Discord user who agreed to be identified."""

    id: int
    name: str
    locale: str


class ActivityInstance(NamedTuple):
    channel_id: int
    guild_id: int | None
    people: frozenset[int]


class IdentityProvider(Protocol):
    """Discord's data about people. Both methods raise ``RequestRejectedError`` if it does not answer."""

    async def user(self, code: str) -> DiscordUser | None:
        """Return the user of a code; None for an invalid or used one."""

    async def instance(self, number: str) -> ActivityInstance | None:
        """Return an instance's place and people; None if there is none."""


@dataclass(eq=False)
class RequestRejectedError(Exception):
    status: int
    sentence: Text


class DiscordApi:
    def __init__(self, app: App, client: aiohttp.ClientSession, secret: str) -> None:
        self._app, self._client, self._secret = app, client, secret
        self._api = str(app.settings.discord_api_url).rstrip("/")

    async def user(self, code: str) -> DiscordUser | None:
        ours = {"client_id": str(self._app.application_id), "client_secret": self._secret}
        form = {**ours, "grant_type": "authorization_code", "code": code}
        with translate_discord_failures("who somebody is", NOT_YOU):  # neither counts toward the bot's rate limit
            async with self._client.post(f"{self._api}/oauth2/token", data=form) as answer:
                if not answer.ok:
                    return None
                token = (await answer.json())["access_token"]
            headers = {"Authorization": f"Bearer {token}"}
            async with self._client.get(f"{self._api}/users/@me", headers=headers) as answer:
                if not answer.ok:
                    return None
                result = await answer.json()
            name = result.get("global_name") or result["username"]
            return DiscordUser(int(result["id"]), name, result.get("locale", ""))

    async def instance(self, number: str) -> ActivityInstance | None:
        where = "/applications/{application_id}/activity-instances/{instance}"
        route = discord.http.Route("GET", where, application_id=self._app.application_id, instance=number)
        with translate_discord_failures("where an Activity is", NOT_THERE), suppress(discord.NotFound):
            result = await self._app.http.request(route)
            guild = result["location"].get("guild_id")
            people = frozenset(map(int, result["users"]))
            return ActivityInstance(int(result["location"]["channel_id"]), int(guild) if guild else None, people)
        return None


@contextmanager
def translate_discord_failures(what: str, sentence: Text) -> Iterator[None]:
    """Raise ``RequestRejectedError`` if Discord does not answer, or answers nonsense."""
    try:
        yield
    except (discord.HTTPException, aiohttp.ClientError, TimeoutError, ValueError, LookupError, TypeError) as error:
        log.warning("Discord did not say %s: %r", what, error)
        raise RequestRejectedError(UNKNOWN, sentence) from None


@dataclass(slots=True)
class ActivitySession:
    """One person in one instance. ``proven``: until when their presence need not be rechecked."""

    key: str
    user: DiscordUser
    instance: str
    place: Place
    language: languages.Language
    home: int
    """The call's channel; ``place`` is the table that they look at."""
    proven: float
    used: float
    requests: quotas.TokenBucket
    is_in_call: bool = False
    """Whether the gateway showed them in the call."""
    is_gm: bool = False
    reader: PageSubscriber | None = None
    """The session's open stream, if any."""
    has_own: bool = False
    """Whether their last private view had any content."""
    is_behind: bool = False
    """Whether their private view may have changed without an open stream."""
    highest: int = 0
    """The highest choice number that has arrived."""
    arrived: int = 0
    """Bitmap of the arrived numbers up to it: bit 0 is the highest."""

    def take(self, number: int) -> bool:
        """Whether a numbered choice is new. One older than the window counts as a duplicate."""
        later = number - self.highest
        if later > 0:
            self.highest, self.arrived = number, (self.arrived << min(later, WINDOW) | 1) & ((1 << WINDOW) - 1)
            return True
        is_new = -later < WINDOW and not self.arrived >> -later & 1
        self.arrived |= is_new << -later if is_new else 0
        return is_new

    @property
    def payer(self) -> int:
        return quotas.payer(self.place.guild_id, self.user.id)


Act = Callable[["Activity", ActivitySession, Mapping[str, str]], Awaitable[dict[str, Any]]]


class Activity:
    def __init__(
        self,
        app: App,
        door: IdentityProvider,
        *,
        hosts: str = "",
        is_open: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Set up the routes. ``hosts``: who may frame the page (CSP syntax), "" for everybody: a frame needs a Discord
        code, and shows only what that person may see. ``is_open``: frames with an opaque origin are allowed.
        """
        self._app, self._door, self._hosts, self._is_open, self._clock = app, door, hosts, is_open, clock
        self._sessions: dict[str, ActivitySession] = {}
        self._instances = BoundedDict[str, tuple[float, ActivityInstance | None]](MAX_SESSIONS)
        self._asked: dict[str, asyncio.Task[ActivityInstance | None]] = {}
        """Pending instance lookups."""
        self._codes = quotas.TokenBucket(*WRONG_CODES, clock)
        self._met = BoundedDict[str, DiscordUser](MAX_SESSIONS)
        """Users of exchanged codes without a session: a page that retries sends the same code."""
        app.bus.subscribe(facts.StateStored, self.follow, self._has_frames)
        app.bus.subscribe(facts.PrivateStateStored, self.follow, self._has_frames)

    async def run_cleanup(self, _: web.Application) -> AsyncIterator[None]:
        """While serving, end the streams of people who left, within about ``VERIFICATION_TTL`` seconds."""
        task = asyncio.create_task(self.look_again())
        yield
        task.cancel()

    async def look_again(self) -> None:
        while True:
            await asyncio.sleep(live_page.EVERY)
            await self.look_once()

    async def look_once(self) -> None:
        """Forget idle sessions, and recheck that people with streams are still there."""
        for session in tuple(self._sessions.values()):
            if session.reader is None:
                if self._clock() - session.used > SESSION_TTL:
                    self._end_session(session)
                continue
            session.used = self._clock()
            with suppress(RequestRejectedError):
                await self._prove(session)

    def _has_frames(self, fact: facts.StateStored | facts.PrivateStateStored) -> bool:
        return any(fact.request.place.channel_id in frame.channels for frame in self._app.frames.values())

    def follow(self, fact: facts.StateStored | facts.PrivateStateStored) -> None:
        """Tell people whose private view may have changed to reload it."""
        for session in self._sessions.values():
            if session.place.channel_id == fact.request.place.channel_id and self._concerns(fact, session):
                session.is_behind = True
                request_private_reload(session)

    def _concerns(self, fact: facts.StateStored | facts.PrivateStateStored, session: ActivitySession) -> bool:
        """Whether an event may change a session's private view. The event itself is not sent."""
        by, played = Person(session.user.id, Name(session.user.name)), fact.played
        if isinstance(fact, facts.PrivateStateStored):
            may_see = played is not None and played.may_be_seen_by(by, is_gm=session.is_gm)
            return may_see or fact.request.by.id == by.id
        watched = self._app.frames_in(session.language).channels.get(session.place.channel_id)
        if session.has_own or watched is None or watched.table is None or (played is None and fact.stepped is None):
            return True
        if played is not None:
            return bool(played.sides_of(by)) or any(offer.side not in played.seats for offer in played.offers)
        return by.id in {fact.request.by.id, *(player.person_id for player in watched.table.players.values())}

    def _end_session(self, session: ActivitySession, word: str = "") -> None:
        """End a session; ``word`` tells its page, which would reconnect otherwise."""
        self._sessions.pop(session.key, None)
        if session.reader is not None:
            if word:
                session.reader.send(event("", name=word))
            session.reader.end()

    def _make_room(self, person_id: int) -> None:
        """Make room for one more frame: end the person's oldest, or one of the server with most."""
        mine = [item for item in self._sessions.values() if item.user.id == person_id]
        for session in mine[: max(0, len(mine) - MAX_FRAMES + 1)]:
            self._end_session(session, OVER)
        if len(self._sessions) >= MAX_SESSIONS:
            ((largest, _),) = Counter(item.payer for item in self._sessions.values()).most_common(1)
            self._end_session(next(item for item in self._sessions.values() if item.payer == largest), CROWDED)

    def is_counted(self, request: web.Request) -> bool:
        """Whether a request is rate-limited by session or person rather than address."""
        return request.headers.get(SESSION, "") in self._sessions or request.path.endswith("/call/join")

    def add_to(self, site: web.Application) -> None:
        site[IS_COUNTED] = self.is_counted
        site.cleanup_ctx.append(self.run_cleanup)
        site.router.add_get("/", self.shell)
        site.router.add_get(f"{CALL}/{documents.activity_script_name()}", self.script)
        if self._is_open:
            site.on_response_prepare.append(allow_opaque_origin)
            site.router.add_options(f"{CALL}/{{path}}", self.preflight)
        for path in (self.join, self.choose):
            site.router.add_post(f"{CALL}/{path.__name__}", self.with_error_responses(path))
        for read in (self.own, self.events, self.socket):
            site.router.add_get(f"{CALL}/{read.__name__}", self.with_error_responses(read), allow_head=False)

    def with_error_responses(self, answer: Handler) -> Handler:
        """Answer errors with one sentence in the client's language."""

        async def guard(request: web.Request) -> web.StreamResponse:
            known = self._sessions.get(request.headers.get(SESSION, ""))
            with using_language(known.language if known is not None else language_of(request)):
                try:
                    return await answer(request)
                except RequestRejectedError as error:
                    return refusal(error.status, error.sentence)
                except plans.IncompletePlanError as error:
                    return refusal(409, error.text, {"places": list(error.places)})
                except PlayerError as error:
                    return refusal(409, error.text)
                except StoreError as error:
                    log.warning("a frame could not be answered: %s", error.reason)
                    return refusal(UNKNOWN, Text("The bot's database isn't responding. Please try again in a moment."))

        return guard

    async def shell(self, request: web.Request) -> web.Response:
        """Return the empty page. The URL has the server, and so the process."""
        if "frame_id" not in request.query or self._app.application_id is None:
            raise web.HTTPNotFound
        guild = request.query.get("guild_id", "")
        number = int(guild) if guild.isascii() and guild.isdecimal() and len(guild) < 21 else 0
        shard = (number >> 22) % (self._app.shard_count or 1)
        with using_language(language_of(request)):
            picture = documents.icon_address(self._app.watching.url)
            html = documents.activity_page(self._app.application_id, shard, picture=picture)
        headers = {"Content-Security-Policy": documents.activity_policy(self._hosts), "X-Frame-Options": ""}
        return web.Response(text=html, content_type="text/html", headers=headers)

    async def script(self, _: web.Request) -> web.Response:
        """Return the page's script, for a proxy that blocks inline ones; its URL contains its digest."""
        headers = {"Cache-Control": FOR_EVER}
        return web.Response(text=documents.activity_script(), content_type="text/javascript", headers=headers)

    async def preflight(self, _: web.Request) -> web.Response:
        """Answer a browser's preflight request for a frame with a session."""
        allowed = {"Methods": "GET, POST", "Headers": f"{SESSION}, Content-Type"}
        headers = {f"Access-Control-Allow-{name}": value for name, value in allowed.items()}
        return web.Response(status=204, headers={**headers, "Access-Control-Max-Age": "7200"})

    async def join(self, request: web.Request) -> web.Response:
        """Open a session for the code's user in their instance, and return the current table."""
        asked = await words(request)
        code = asked.get("code", "")
        user = self._met.pop(code, None)
        if user is None:
            await turn(self._codes)
            user = await self._door.user(code)
            if user is None:
                raise RequestRejectedError(403, NOT_YOU)
            self._codes.consume(-1.0)  # only wrong codes count
        try:
            return await self._join(request, asked, user)
        except BaseException as error:
            if not isinstance(error, RequestRejectedError) or error.status == UNKNOWN:  # otherwise the page retries
                self._met[code] = user
            raise

    async def _join(self, request: web.Request, asked: Mapping[str, str], user: DiscordUser) -> web.Response:
        await turn(self._app.allowances.of(f"person {user.id}").joins)
        number = asked.get("instance", "")
        instance = await self._instance(number, user.id, JOIN_TIMEOUT)
        if instance is None or not self._app.is_assigned_here(instance.guild_id or 0):
            raise RequestRejectedError(403, NOT_THERE)
        place, now = Place(instance.channel_id, instance.guild_id), self._clock()
        language = languages.of_locale(user.locale) if user.locale else language_of(request)
        requests = quotas.TokenBucket(quotas.LIMITS.requests, 1.0, self._clock)
        key, called, until = secrets.token_urlsafe(32), instance.channel_id, now + VERIFICATION_TTL
        session = ActivitySession(key, user, number, place, language, called, until, now, requests)
        session.is_in_call = self._app.access.is_in_call(instance.guild_id, instance.channel_id, user.id)
        await self._check_sight(session, place)
        if (wanted := asked.get("table", "")) in {item["id"] for item in await self._tables(session)}:
            session.place = replace(place, channel_id=int(wanted))  # by a link to that table, or from before a restart
        self._make_room(user.id)
        self._sessions[session.key] = session
        with using_language(language):
            return web.json_response({"session": session.key, **await self._page(session)})

    async def own(self, request: web.Request) -> web.Response:
        """Return this person's private view."""
        session = await self._session(request)
        await self._check_sight(session, session.place)
        return web.json_response({"own": await self._render_private_view(session)})

    async def choose(self, request: web.Request) -> web.Response:
        """Apply this person's choice; it is stored before the answer."""
        asked = await words(request)
        session = await self._session(request)
        act = ACTS.get(asked.get("do", ""))
        if act is None or not NUMBERED.fullmatch(asked.get("once", "")):
            raise RequestRejectedError(400, STRANGE)
        if not session.take(int(asked["once"])):
            raise RequestRejectedError(409, Text("That already arrived, and it counts only once."))
        if act is not Activity.table:  # allowed: leaves a table that the person may no longer see
            await self._check_sight(session, session.place)
        return web.json_response(await act(self, session, asked))

    async def events(self, request: web.Request) -> web.StreamResponse:
        session = await self._session(request)
        await self._check_sight(session, session.place, REFRESH_AFTER)
        watching, watched = await self._live_table(session)
        during = partial(self._single_stream, session, watched)
        return await stream_table(request, watching, watched, request.query.get("after", ""), during)

    async def socket(self, request: web.Request) -> web.StreamResponse:
        """Stream over a WebSocket, for a proxy that delays events: the first message names the session."""
        answer = web.WebSocketResponse(max_msg_size=MAX_BODY, heartbeat=20.0, compress=False)
        await answer.prepare(request)
        try:
            first = await answer.receive(timeout=10.0)
            asked = WORDS.validate_json(first.data) if first.type is WSMsgType.TEXT else {}
            session = await self._find_session(asked.get("session", ""))
            await self._check_sight(session, session.place, REFRESH_AFTER)
            watching, watched = await self._live_table(session)
        except (ValueError, TimeoutError, RequestRejectedError, web.HTTPTooManyRequests, StoreError):
            await answer.close(code=4003)
            return answer
        if request.transport is None:
            return answer
        reader = PageSubscriber(request.transport, text_frame)
        listening = asyncio.ensure_future(listen(answer))
        listening.add_done_callback(lambda _: reader.end())
        try:
            await read_along(
                watching, watched, reader, asked.get("after", ""), partial(self._single_stream, session, watched)
            )
        finally:
            listening.cancel()
        await answer.close()
        return answer

    async def _page(self, session: ActivitySession) -> dict[str, Any]:
        """Return the initial data of a frame for its user."""
        _, watched = await self._live_table(session)
        shown, tables = await self._render_private_view(session), await self._tables(session)
        return {
            "parts": watched.parts,
            "frame": watched.newest_id,
            "own": shown,
            "tables": tables,
            "table": str(session.place.channel_id),
        }

    async def _render_private_view(self, session: ActivitySession) -> str:
        session.is_behind = False
        shown = await private_view.private_html(self._app, await self._request(session))
        session.has_own = bool(shown)
        return shown

    async def _live_table(self, session: ActivitySession) -> tuple[LiveTables, LiveTable]:
        """Return a session's table in their language, watched from now on."""
        watching = self._app.frames_in(session.language)
        watched = watching.begin(session.place, session.payer)
        watched.language = session.language
        await live_page.show(self._app, watched)
        return watching, watched

    async def _session(self, request: web.Request) -> ActivitySession:
        return await self._find_session(request.headers.get(SESSION, ""))

    async def _find_session(self, key: str) -> ActivitySession:
        """Return the session of a key if its person is still present. Raises ``RequestRejectedError``."""
        session, now = self._sessions.get(key), self._clock()
        if session is None or now - session.used > SESSION_TTL:
            raise RequestRejectedError(403, Text("Your session has expired. Close the Activity and open it again."))
        await self._prove(session)
        await turn(session.requests)
        session.used = now
        return session

    async def _prove(self, session: ActivitySession) -> None:
        """Recheck at times that a person is still there, or trust the gateway. Raises ``RequestRejectedError``."""
        is_in = self._app.access.is_in_call(session.place.guild_id, session.home, session.user.id)
        has_left = session.is_in_call and not is_in
        session.is_in_call |= is_in
        if is_in or (not has_left and self._clock() <= session.proven):
            return
        if has_left or await self._instance(session.instance, session.user.id, VERIFICATION_TTL / 2) is None:
            self._end_session(session)
            raise RequestRejectedError(403, NOT_THERE)
        session.proven = self._clock() + VERIFICATION_TTL

    async def _instance(self, number: str, person_id: int, within: float) -> ActivityInstance | None:
        """Return a person's instance by an answer of ``within`` seconds, or None; caches places and wrong numbers."""
        if not 0 < len(number) < 200 or not all(sign.isalnum() or sign in "-_" for sign in number):
            return None
        at, instance = self._instances.get(number, (-VERIFICATION_TTL, None))
        if instance is not None and self._app.access.is_in_call(instance.guild_id, instance.channel_id, person_id):
            return instance
        if self._clock() - at >= within:
            if number not in self._asked:  # each lookup counts toward Discord's rate limit
                self._asked[number] = background.start(self._look_up(number))
            instance = await asyncio.shield(self._asked[number])
        if instance is None or person_id not in instance.people:
            return None
        self._app.access.note_presence(person_id, instance.channel_id)
        return instance

    async def _look_up(self, number: str) -> ActivityInstance | None:
        """Ask Discord about an instance, once for all concurrent callers."""
        try:
            instance = await self._door.instance(number)
            self._instances[number] = self._clock(), instance
            return instance
        finally:
            del self._asked[number]

    async def _check_sight(self, session: ActivitySession, place: Place, within: float = FRESH_SECONDS) -> None:
        """Raise ``RequestRejectedError`` for a place that the person may not see, and end their session."""
        sees = await self._app.access.may_see(session.user.id, place, within)
        if sees is None:
            raise RequestRejectedError(UNKNOWN, NOT_KNOWN)
        if not sees:
            if place == session.place:
                self._end_session(session)
            block = self._app.blocks.of(session.user.id, place.guild_id)
            sentence = live_page.UNSEEN if block is None else describe_block(block, self._app.addresses.support)
            raise RequestRejectedError(403, sentence)

    @contextmanager
    def _single_stream(self, session: ActivitySession, watched: LiveTable, reader: PageSubscriber) -> Iterator[None]:
        """Register a session's only stream; it ends once its person may not see the table."""

        def end(sees: bool | None) -> None:
            reader.end()
            if sees is False and self._sessions.get(session.key) is session and session.place == watched.place:
                self._end_session(session)

        if session.reader is not None:
            session.reader.end()
        session.reader = reader
        request_private_reload(session)
        call = session.home if session.is_in_call else 0
        try:
            with self._app.access.guard_stream(ContentStream(session.user.id, watched.place, end, call)):
                yield
        finally:
            if session.reader is reader:
                session.reader = None

    async def _request(self, session: ActivitySession) -> Request:
        """Return a person's request with their place and ruling, as for a press on Discord."""
        by, is_gm = Person(session.user.id, Name(session.user.name)), session.place.guild_id is None
        place = with_parent(self._app, session.place)
        counts = await self._app.rulesets.ruling(place, by.id)
        guild = self._app.get_guild(session.place.guild_id or 0)
        member = self._app.access.member_of(session.place.guild_id, session.user.id)
        channel = guild.get_channel_or_thread(session.place.channel_id) if guild is not None else None
        if member is not None and channel is not None:
            role, rights = counts[GM_ROLE], channel.permissions_for(member)
            by = Person(by.id, Name(member.display_name))
            is_gm = rights.manage_channels or (role is not None and member.get_role(role) is not None)
        session.is_gm = is_gm
        return Request(by, place, counts, is_gm)

    async def _tables(self, session: ActivitySession) -> list[dict[str, str]]:
        """Return the tables this person may watch: the call's, and the server's with a board."""
        guild = self._app.get_guild(session.place.guild_id or 0)
        if guild is None:
            return []
        boards = [live.kept for (kind, *_), live in self._app.live.items() if kind is MessageKind.BOARD]
        here = [board.channel_id for board in boards if board.guild_id == guild.id]
        numbers = dict.fromkeys([session.home, session.place.channel_id, *here])
        channels = [item for item in map(guild.get_channel_or_thread, numbers) if item is not None][:MAX_TABLES]
        see, by = self._app.access.may_see, session.user.id
        seen = await asyncio.gather(*(see(by, replace(session.place, channel_id=channel.id)) for channel in channels))
        return [{"id": str(item.id), "name": item.name} for item, sees in zip(channels, seen, strict=True) if sees]

    # Choices

    async def plan(self, session: ActivitySession, asked: Mapping[str, str]) -> dict[str, Any]:
        request, choice = await self._request(session), {asked.get("of", ""): asked.get("value", "")}
        await self._check_due(request, asked)
        await self._app.plans.choose(request, asked.get("game", ""), choice)
        return {}

    async def ready(self, session: ActivitySession, asked: Mapping[str, str]) -> dict[str, Any]:
        request = await self._request(session)
        is_sure = asked.get("anyway") == "yes"
        await self._check_due(request, asked)
        await self._app.plans.fix_plan(request, asked.get("game", ""), anyway=is_sure)
        return {"own": await self._render_private_view(session)}

    async def _check_due(self, request: Request, asked: Mapping[str, str]) -> None:
        """Raise ``NotOfferedError`` for another sheet than the one shown, as from a page that missed a round."""
        planned = await self._app.plans.look(request, asked.get("game", ""))
        if asked.get("sheet") != planned.asked.sheet:
            raise NotOfferedError

    async def advice(self, session: ActivitySession, asked: Mapping[str, str]) -> dict[str, Any]:
        numbers = [asked.get(name, "") for name in ("roll", "ply")]
        if not all(number.isascii() and number.isdecimal() and len(number) < 19 for number in numbers):
            raise RequestRejectedError(400, STRANGE)
        return {"advice": await private_view.advice(self._app, await self._request(session), *map(int, numbers))}

    async def table(self, session: ActivitySession, asked: Mapping[str, str]) -> dict[str, Any]:
        """Switch to another table of the server; the old stream ends."""
        number = asked.get("channel", "")
        if number not in {item["id"] for item in await self._tables(session)}:
            raise RequestRejectedError(403, live_page.UNSEEN)
        place = replace(session.place, channel_id=int(number))
        await self._check_sight(session, place)
        session.place = place
        if session.reader is not None:
            session.reader.end()
        return await self._page(session)


OPEN: Final = re.compile(r"/font-|/[0-9]{1,6}/(?:call/|die/|font-)")
"""Paths that a frame loads without a session."""


async def allow_opaque_origin(request: web.Request, answer: web.StreamResponse) -> None:
    """Set CORS headers for a frame with an opaque origin. It sends a session, never a cookie."""
    if OPEN.match(request.path):
        answer.headers["Access-Control-Allow-Origin"] = "*"
        answer.headers["Cross-Origin-Resource-Policy"] = "cross-origin"


ACTS: Final[Mapping[str, Act]] = {
    act.__name__: act for act in (Activity.plan, Activity.ready, Activity.advice, Activity.table)
}


OWN: Final = event("", name="own")
"""The event that a person's private view has changed, without its content."""


def request_private_reload(session: ActivitySession) -> None:
    """Tell a page to reload its private view, now or when it reconnects."""
    if session.is_behind and session.reader is not None:
        session.reader.send(OWN)


def text_frame(chunk: bytes) -> bytes:
    """Encode an unfragmented WebSocket text message from a server: RFC 6455, 5.2."""
    size = len(chunk)
    if size < 126:
        return b"\x81%c%b" % (size, chunk)
    mark, width = (126, 2) if size < 1 << 16 else (127, 8)
    return b"\x81%c%b%b" % (mark, size.to_bytes(width), chunk)


async def listen(socket: web.WebSocketResponse) -> None:
    """Read until the other side closes; messages are ignored."""
    async for _ in socket:
        pass


async def words(request: web.Request) -> Mapping[str, str]:
    """Return a body's words. Raises ``RequestRejectedError`` for anything else."""
    try:
        asked = request[middleware.WORDS] = WORDS.validate_json(await request.read())
    except (ValueError, web.HTTPRequestEntityTooLarge):
        raise RequestRejectedError(400, STRANGE) from None
    return asked


def refusal(status: int, sentence: Shown, more: Mapping[str, Any] | None = None) -> web.Response:
    return web.json_response({"refused": escaped(sentence), **(more or {})}, status=status)


def language_of(request: web.Request) -> languages.Language:
    return languages.of_locale(request.headers.get("Accept-Language", "").partition(",")[0].partition(";")[0].strip())
