"""The Activity: the table of a call in a frame of Discord's, each person with what is their own.

The frame's page asks Discord for a code (OAuth2, ``identify``), which the bot exchanges for who somebody is; Discord
says where an instance of the Activity lives and who is in it, and only to one of those is a session given. It is bound
to the instance and the person, lives in memory, and comes back in a header: nothing is kept by the browser, and no
address holds it. Whatever somebody chooses here goes as a ``Request`` through the same doors as a press on Discord.

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
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final, NamedTuple, Protocol

import aiohttp
import discord
from aiohttp import WSMsgType, web
from pydantic import TypeAdapter

from bot import allowance, languages
from bot.access import AGAIN, FRESH, Flow
from bot.app import App
from bot.bounded import Bounded
from bot.languages.say import speaking
from bot.page import documents
from bot.page.html import escaped
from bot.pages import BODY_MOST, FOR_EVER, IS_COUNTED, Handler, Reader, TooMany, follow_along, read_along, turn
from bot.rules.errors import PlayerError
from bot.rules.text import Name, Shown, Text
from bot.ruleset.settings import GM_ROLE
from bot.sessions import facts, plans
from bot.sessions.place import Person, Place, Request
from bot.sessions.watching import CROWDED, OVER, Watched, Watching, event
from bot.store.errors import StoreError
from bot.store.shown import Kind
from bot.ui import follow, own

SESSION: Final = "X-Session"
PROVEN: Final = 600.0
"""Seconds for which it is not asked again who is in an instance, where the gateway does not tell who is in its call."""
JOINING: Final = 15.0
"""Seconds for which it is not asked again for somebody who joins, so that nobody can ask for ever."""
SESSIONS_MOST: Final = 2_000
"""Frames of one process; where all are taken, the server with most of them gives up its oldest."""
FRAMES_MOST: Final = 4
"""Frames of one person; another one ends their oldest."""
LASTS: Final = 3600.0
"""Seconds after which a session that nobody uses has ended."""
UNKNOWN: Final = 503
"""The status where Discord or the database does not answer: try again."""
ANSWERED_MOST: Final = 64
"""Choices of one session that are remembered, so that one which arrives twice counts once."""
TABLES_MOST: Final = 20

STRANGE: Final = Text("I do not know this choice. Close the Activity and open it again.")
NOT_YOU: Final = Text("Discord did not tell me who you are. Close the Activity and open it again.")
NOT_THERE: Final = Text("Discord does not count you among the people of this Activity. Close it and open it again.")
NOT_KNOWN: Final = Text("Discord doesn't answer, so I can't tell whether you may see this table. I'm trying again.")

WORDS: Final = TypeAdapter(dict[str, str])
"""What a page says: JSON of words by their names."""
log = logging.getLogger(__name__)


class User(NamedTuple):
    """Somebody as Discord names them to whom they have agreed to be named."""

    id: int
    name: str
    locale: str


class Instance(NamedTuple):
    """An Activity that runs: in which channel, and who is in it."""

    channel_id: int
    guild_id: int | None
    people: frozenset[int]


class Door(Protocol):
    """What only Discord knows. Both raise ``Refused`` where it does not answer."""

    async def user(self, code: str) -> User | None:
        """Whose code it is; None for one that Discord did not give, or has taken before."""

    async def instance(self, number: str) -> Instance | None:
        """Where an instance lives, and who is in it; None where there is none."""


@dataclass(eq=False)
class Refused(Exception):
    """A request that is not carried out: its status, and a sentence."""

    status: int
    sentence: Text


class Discord:
    """Discord itself, by its API."""

    def __init__(self, app: App, client: aiohttp.ClientSession, secret: str) -> None:
        self._app, self._client, self._secret = app, client, secret
        self._api = str(app.settings.discord_api_url).rstrip("/")

    async def user(self, code: str) -> User | None:
        ours = {"client_id": str(self._app.application_id), "client_secret": self._secret}
        form = {**ours, "grant_type": "authorization_code", "code": code}
        with asking("who somebody is", NOT_YOU):  # neither counts against the limit of the whole bot
            async with self._client.post(f"{self._api}/oauth2/token", data=form) as answer:
                if not answer.ok:
                    return None
                token = (await answer.json())["access_token"]
            headers = {"Authorization": f"Bearer {token}"}
            async with self._client.get(f"{self._api}/users/@me", headers=headers) as answer:
                if not answer.ok:
                    return None
                found = await answer.json()
            return User(int(found["id"]), found.get("global_name") or found["username"], found.get("locale", ""))

    async def instance(self, number: str) -> Instance | None:
        where = "/applications/{application_id}/activity-instances/{instance}"
        route = discord.http.Route("GET", where, application_id=self._app.application_id, instance=number)
        with asking("where an Activity is", NOT_THERE), suppress(discord.NotFound):
            found = await self._app.http.request(route)
            guild = found["location"].get("guild_id")
            people = frozenset(map(int, found["users"]))
            return Instance(int(found["location"]["channel_id"]), int(guild) if guild else None, people)
        return None


@contextmanager
def asking(what: str, sentence: Text) -> Iterator[None]:
    """Raises ``Refused`` where Discord does not answer, or nothing that can be read."""
    try:
        yield
    except (discord.HTTPException, aiohttp.ClientError, TimeoutError, ValueError, LookupError, TypeError) as error:
        log.warning("Discord did not say %s: %r", what, error)
        raise Refused(UNKNOWN, sentence) from None


@dataclass(slots=True)
class Session:
    """One person in one instance. ``proven``: until when it need not be asked again whether they are there."""

    key: str
    user: User
    instance: str
    place: Place
    language: languages.Language
    home: int
    """The channel of the call; ``place`` is the table that they look at."""
    proven: float
    used: float
    requests: allowance.Bucket
    is_in_call: bool = False
    """Whether the gateway has told that they are in the call."""
    is_gm: bool = False
    reader: Reader | None = None
    """The stream that is open with it, if one is."""
    has_own: bool = False
    """Whether anything was their own when they were told last."""
    is_behind: bool = False
    """What is their own may have changed while no stream was open."""
    answered: Bounded[str, bool] = field(default_factory=lambda: Bounded(ANSWERED_MOST))

    @property
    def payer(self) -> int:
        return allowance.payer(self.place.guild_id, self.user.id)


Act = Callable[["Activity", Session, Mapping[str, str]], Awaitable[dict[str, Any]]]


class Activity:
    """The frames of one bot."""

    def __init__(
        self,
        app: App,
        door: Door,
        *,
        hosts: str = "",
        is_open: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``hosts``: who may frame the page, as a policy names them, "" for everybody.

        Whoever frames it has to bring a code of Discord's, and sees only what the person of that code may see.
        ``is_open``: a frame whose document has an opaque origin may ask.
        """
        self._app, self._door, self._hosts, self._is_open, self._clock = app, door, hosts, is_open, clock
        self._sessions: dict[str, Session] = {}
        self._instances = Bounded[str, tuple[float, Instance | None]](SESSIONS_MOST)
        self._met = Bounded[str, User](SESSIONS_MOST)
        """Whose codes were exchanged for nothing yet: a page that tries again has the same one."""
        app.bus.on(facts.Stored, self.follow, self._has_frames)
        app.bus.on(facts.StoredApart, self.follow, self._has_frames)

    async def looking(self, _: web.Application) -> AsyncIterator[None]:
        """While the pages are served: end the streams of those who have left, within ``PROVEN`` seconds or so."""
        task = asyncio.create_task(self.look_again())
        yield
        task.cancel()

    async def look_again(self) -> None:
        while True:
            await asyncio.sleep(follow.EVERY)
            await self.look_once()

    async def look_once(self) -> None:
        """Forget who has not been here for long, and look whether those who read along are still there."""
        for session in tuple(self._sessions.values()):
            if session.reader is None:
                if self._clock() - session.used > LASTS:
                    self._end(session)
                continue
            session.used = self._clock()
            with suppress(Refused):
                await self._prove(session)

    def _has_frames(self, fact: facts.Stored | facts.StoredApart) -> bool:
        return any(fact.request.place.channel_id in one.channels for one in self._app.frames.values())

    def follow(self, fact: facts.Stored | facts.StoredApart) -> None:
        """Something was stored: tell those to whom it may have brought something of their own to ask for it again."""
        for session in self._sessions.values():
            if session.place.channel_id == fact.request.place.channel_id and self._concerns(fact, session):
                session.is_behind = True
                tell_own(session)

    def _concerns(self, fact: facts.Stored | facts.StoredApart, session: Session) -> bool:
        """Whether something may have changed what is a session's own. Nobody learns here of what is stored apart."""
        by, played = Person(session.user.id, Name(session.user.name)), fact.played
        if isinstance(fact, facts.StoredApart):
            may_see = played is not None and played.may_be_seen_by(by, is_gm=session.is_gm)
            return may_see or fact.request.by.id == by.id
        watched = self._app.frames_in(session.language).channels.get(session.place.channel_id)
        if session.has_own or watched is None or watched.table is None or (played is None and fact.stepped is None):
            return True
        if played is not None:
            return bool(played.sides_of(by)) or any(one.side not in played.seats for one in played.offers)
        return by.id in {fact.request.by.id, *(one.person_id for one in watched.table.players.values())}

    def _end(self, session: Session, word: str = "") -> None:
        """A session is over; ``word`` tells its page, which would come back by itself otherwise."""
        self._sessions.pop(session.key, None)
        if session.reader is not None:
            if word:
                session.reader.send(event("", name=word))
            session.reader.end()

    def _make_room(self, person_id: int) -> None:
        """For one more frame of somebody: end their oldest, or one of the server with most, where there is no room."""
        mine = [one for one in self._sessions.values() if one.user.id == person_id]
        for one in mine[: max(0, len(mine) - FRAMES_MOST + 1)]:
            self._end(one, OVER)
        if len(self._sessions) >= SESSIONS_MOST:
            ((largest, _),) = Counter(one.payer for one in self._sessions.values()).most_common(1)
            self._end(next(one for one in self._sessions.values() if one.payer == largest), CROWDED)

    def is_counted(self, request: web.Request) -> bool:
        """Whether a request is counted by its session, or by whose it turns out to be."""
        return request.headers.get(SESSION, "") in self._sessions or request.path.endswith("/call/join")

    def add_to(self, site: web.Application) -> None:
        site[IS_COUNTED] = self.is_counted
        site.cleanup_ctx.append(self.looking)
        site.router.add_get("/", self.shell)
        site.router.add_get(f"/{{shard:[0-9]{{1,6}}}}/call/{documents.activity_script_name()}", self.script)
        if self._is_open:
            site.on_response_prepare.append(let_in)
            site.router.add_options("/{shard:[0-9]{1,6}}/call/{path}", self.preflight)
        for path in (self.join, self.choose):
            site.router.add_post(f"/{{shard:[0-9]{{1,6}}}}/call/{path.__name__}", self.guarded(path))
        for read in (self.own, self.events, self.socket):
            site.router.add_get(f"/{{shard:[0-9]{{1,6}}}}/call/{read.__name__}", self.guarded(read), allow_head=False)

    def guarded(self, answer: Handler) -> Handler:
        """One sentence for whatever is refused, in the language of whoever asks."""

        async def guard(request: web.Request) -> web.StreamResponse:
            known = self._sessions.get(request.headers.get(SESSION, ""))
            with speaking(known.language if known is not None else language_of(request)):
                try:
                    return await answer(request)
                except Refused as error:
                    return refusal(error.status, error.sentence)
                except plans.Forgotten as error:
                    return refusal(409, error.text, {"places": list(error.places)})
                except PlayerError as error:
                    return refusal(409, error.text)
                except StoreError as error:
                    log.warning("a frame could not be answered: %s", error.reason)
                    return refusal(UNKNOWN, Text("The bot's database does not answer. Please try again in a moment."))

        return guard

    async def shell(self, request: web.Request) -> web.Response:
        """The page, with nothing on it yet. Discord says the server in the address, and so which process is meant."""
        if "frame_id" not in request.query or self._app.application_id is None:
            raise web.HTTPNotFound
        guild = request.query.get("guild_id", "")
        number = int(guild) if guild.isascii() and guild.isdecimal() and len(guild) < 21 else 0
        shard = (number >> 22) % (self._app.shard_count or 1)
        with speaking(language_of(request)):
            html = documents.activity_page(self._app.application_id, shard)
        headers = {"Content-Security-Policy": documents.activity_policy(self._hosts), "X-Frame-Options": ""}
        return web.Response(text=html, content_type="text/html", headers=headers)

    async def script(self, _: web.Request) -> web.Response:
        """The page's script, for a proxy that lets no inline one run; its address says which one it is."""
        headers = {"Cache-Control": FOR_EVER}
        return web.Response(text=documents.activity_script(), content_type="text/javascript", headers=headers)

    async def preflight(self, _: web.Request) -> web.Response:
        """What a browser asks before a frame may ask with its session."""
        allowed = {"Methods": "GET, POST", "Headers": f"{SESSION}, Content-Type"}
        headers = {f"Access-Control-Allow-{name}": value for name, value in allowed.items()}
        return web.Response(status=204, headers={**headers, "Access-Control-Max-Age": "7200"})

    async def join(self, request: web.Request) -> web.Response:
        """A session for who the code says, in the instance where they are; and the table as it stands."""
        asked = await words(request)
        code = asked.get("code", "")
        user = self._met.pop(code, None) or await self._door.user(code)
        if user is None:
            raise Refused(403, NOT_YOU)
        try:
            return await self._join(request, asked, user)
        except BaseException as error:
            if not isinstance(error, Refused) or error.status == UNKNOWN:  # the page tries again
                self._met[code] = user
            raise

    async def _join(self, request: web.Request, asked: Mapping[str, str], user: User) -> web.Response:
        """The same once it is known whose the code is."""
        await turn(self._app.allowances.of(f"person {user.id}").joins)
        number = asked.get("instance", "")
        found = await self._instance(number, user.id, JOINING)
        if found is None or not self._app.will_be_ours(found.guild_id or 0):
            raise Refused(403, NOT_THERE)
        place, now = Place(found.channel_id, found.guild_id), self._clock()
        language = languages.of_locale(user.locale) if user.locale else language_of(request)
        requests = allowance.Bucket(allowance.LIMITS.requests, 1.0, self._clock)
        session = Session(
            secrets.token_urlsafe(32), user, number, place, language, found.channel_id, now + PROVEN, now, requests
        )
        session.is_in_call = self._app.access.is_in_call(found.guild_id, found.channel_id, user.id)
        await self._check_sight(session, place)
        self._make_room(user.id)
        self._sessions[session.key] = session
        with speaking(language):
            return web.json_response({"session": session.key, **await self._page(session)})

    async def own(self, request: web.Request) -> web.Response:
        """What is this person's own."""
        session = await self._session(request)
        await self._check_sight(session, session.place)
        return web.json_response({"own": await self._own(session)})

    async def choose(self, request: web.Request) -> web.Response:
        """Something that this person chooses; what it changes is stored before it is answered."""
        asked = await words(request)
        session = await self._session(request)
        once = asked.get("once", "")
        act = ACTS.get(asked.get("do", ""))
        if act is None or not once:
            raise Refused(400, STRANGE)
        if session.answered.get(once):
            raise Refused(409, Text("That has arrived already, and it counts once."))
        session.answered[once] = True
        if act is not Activity.table:  # the way from a table that somebody may not see any more
            await self._check_sight(session, session.place)
        return web.json_response(await act(self, session, asked))

    async def events(self, request: web.Request) -> web.StreamResponse:
        """What happens at the table, as events."""
        session = await self._session(request)
        await self._check_sight(session, session.place, AGAIN)
        watching, watched = await self._watched(session)
        during = partial(self._only, session, watched)
        return await follow_along(request, watching, watched, request.query.get("after", ""), during)

    async def socket(self, request: web.Request) -> web.StreamResponse:
        """The same by a WebSocket, for a proxy that keeps events back: the first message says whose it is."""
        answer = web.WebSocketResponse(max_msg_size=BODY_MOST, heartbeat=20.0, compress=False)
        await answer.prepare(request)
        try:
            first = await answer.receive(timeout=10.0)
            asked = WORDS.validate_json(first.data) if first.type is WSMsgType.TEXT else {}
            session = await self._known(asked.get("session", ""))
            await self._check_sight(session, session.place, AGAIN)
            watching, watched = await self._watched(session)
        except (ValueError, TimeoutError, Refused, TooMany, StoreError):
            await answer.close(code=4003)
            return answer
        if request.transport is None:
            return answer
        reader = Reader(request.transport, text_frame)
        listening = asyncio.ensure_future(listen(answer))
        listening.add_done_callback(lambda _: reader.end())
        try:
            await read_along(watching, watched, reader, asked.get("after", ""), partial(self._only, session, watched))
        finally:
            listening.cancel()
        await answer.close()
        return answer

    async def _page(self, session: Session) -> dict[str, Any]:
        """What a frame needs once it knows who somebody is."""
        _, watched = await self._watched(session)
        shown, tables = await self._own(session), await self._tables(session)
        return {"parts": watched.parts, "frame": watched.newest, "own": shown, "tables": tables}

    async def _own(self, session: Session) -> str:
        """What is their own, as it stands."""
        session.is_behind = False
        shown = await own.own(self._app, await self._request(session))
        session.has_own = bool(shown)
        return shown

    async def _watched(self, session: Session) -> tuple[Watching, Watched]:
        """The table of a session, followed from now on, in their language."""
        watching = self._app.frames_in(session.language)
        watched = watching.begin(session.place, session.payer)
        watched.language = session.language
        await follow.show(self._app, watched)
        return watching, watched

    async def _session(self, request: web.Request) -> Session:
        return await self._known(request.headers.get(SESSION, ""))

    async def _known(self, key: str) -> Session:
        """The session of a key, of somebody who still is where they were. Raises ``Refused``."""
        session, now = self._sessions.get(key), self._clock()
        if session is None or now - session.used > LASTS:
            raise Refused(403, Text("Your visit has ended. Close the Activity and open it again."))
        await self._prove(session)
        await turn(session.requests)
        session.used = now
        return session

    async def _prove(self, session: Session) -> None:
        """Ask once in a while whether somebody still is where they were. Raises ``Refused``.

        Where the gateway tells who is in a call, nothing is asked, and who was in it and has left is not there.
        """
        is_in = self._app.access.is_in_call(session.place.guild_id, session.home, session.user.id)
        has_left = session.is_in_call and not is_in
        session.is_in_call |= is_in
        if is_in or (not has_left and self._clock() <= session.proven):
            return
        if has_left or await self._instance(session.instance, session.user.id, PROVEN / 2) is None:
            self._end(session)
            raise Refused(403, NOT_THERE)
        session.proven = self._clock() + PROVEN

    async def _instance(self, number: str, person_id: int, within: float) -> Instance | None:
        """The instance in which somebody is, by an answer of the last ``within`` seconds; None where they are in none.

        Where it lives is asked once, and wrong numbers are remembered too.
        """
        if not 0 < len(number) < 200 or not all(sign.isalnum() or sign in "-_" for sign in number):
            return None
        at, found = self._instances.get(number, (-PROVEN, None))
        if found is not None and self._app.access.is_in_call(found.guild_id, found.channel_id, person_id):
            return found
        if self._clock() - at >= within:
            found = await self._door.instance(number)
            self._instances[number] = self._clock(), found
        if found is None or person_id not in found.people:
            return None
        self._app.access.was_found(person_id, found.channel_id)
        return found

    async def _check_sight(self, session: Session, place: Place, within: float = FRESH) -> None:
        """Raises ``Refused`` for a place that somebody may not see; a session that is there has ended then."""
        sees = await self._app.access.may_see(session.user.id, place, within)
        if sees is None:
            raise Refused(UNKNOWN, NOT_KNOWN)
        if not sees:
            if place == session.place:
                self._end(session)
            raise Refused(403, follow.UNSEEN)

    @contextmanager
    def _only(self, session: Session, watched: Watched, reader: Reader) -> Iterator[None]:
        """While a stream of a session is open: it is the only one, and ends once its person may not see its table."""

        def end(sees: bool | None) -> None:
            reader.end()
            if sees is False and self._sessions.get(session.key) is session and session.place == watched.place:
                self._end(session)

        if session.reader is not None:
            session.reader.end()
        session.reader = reader
        tell_own(session)
        call = session.home if session.is_in_call else 0
        try:
            with self._app.access.flowing(Flow(session.user.id, watched.place, end, call)):
                yield
        finally:
            if session.reader is reader:
                session.reader = None

    async def _request(self, session: Session) -> Request:
        """Who asks, where, and what counts for them there, as for a press on Discord."""
        by, is_gm = Person(session.user.id, Name(session.user.name)), session.place.guild_id is None
        counts = await self._app.rulesets.ruling(session.place, by.id)
        guild = self._app.get_guild(session.place.guild_id or 0)
        member = self._app.access.member_of(session.place.guild_id, session.user.id)
        channel = guild.get_channel_or_thread(session.place.channel_id) if guild is not None else None
        if member is not None and channel is not None:
            role, rights = counts[GM_ROLE], channel.permissions_for(member)
            by = Person(by.id, Name(member.display_name))
            is_gm = rights.manage_channels or (role is not None and member.get_role(role) is not None)
        session.is_gm = is_gm
        return Request(by, session.place, counts, is_gm)

    async def _tables(self, session: Session) -> list[dict[str, str]]:
        """The tables that this person may look at: that of the call, and those of this server that have a board."""
        guild = self._app.get_guild(session.place.guild_id or 0)
        if guild is None:
            return []
        boards = [one.kept for (kind, *_), one in self._app.live.items() if kind is Kind.BOARD]
        here = [one.channel_id for one in boards if one.guild_id == guild.id]
        numbers = dict.fromkeys([session.home, session.place.channel_id, *here])
        channels = [one for one in map(guild.get_channel_or_thread, numbers) if one is not None][:TABLES_MOST]
        see, by = self._app.access.may_see, session.user.id
        seen = await asyncio.gather(*(see(by, replace(session.place, channel_id=one.id)) for one in channels))
        return [{"id": str(one.id), "name": one.name} for one, sees in zip(channels, seen, strict=True) if sees]

    # What may be chosen

    async def plan(self, session: Session, asked: Mapping[str, str]) -> dict[str, Any]:
        request, choice = await self._request(session), {asked.get("of", ""): asked.get("value", "")}
        await self._app.plans.choose(request, asked.get("game", ""), choice, asked.get("sheet", ""))
        return {}

    async def ready(self, session: Session, asked: Mapping[str, str]) -> dict[str, Any]:
        request = await self._request(session)
        is_sure = asked.get("anyway") == "yes"
        await self._app.plans.ready(request, asked.get("game", ""), asked.get("sheet", ""), anyway=is_sure)
        return {"own": await self._own(session)}

    async def advice(self, session: Session, asked: Mapping[str, str]) -> dict[str, Any]:
        numbers = [asked.get(name, "") for name in ("roll", "ply")]
        if not all(one.isascii() and one.isdecimal() and len(one) < 19 for one in numbers):
            raise Refused(400, STRANGE)
        return {"advice": await own.advice(self._app, await self._request(session), *map(int, numbers))}

    async def table(self, session: Session, asked: Mapping[str, str]) -> dict[str, Any]:
        """Another table of the server from now on; what flows of the one before ends."""
        number = asked.get("channel", "")
        if number not in {one["id"] for one in await self._tables(session)}:
            raise Refused(403, follow.UNSEEN)
        place = replace(session.place, channel_id=int(number))
        await self._check_sight(session, place)
        session.place = place
        if session.reader is not None:
            session.reader.end()
        return await self._page(session)


OPEN: Final = re.compile(r"/font-|/[0-9]{1,6}/(?:call/|die/|font-)")
"""What a frame asks for."""


async def let_in(request: web.Request, answer: web.StreamResponse) -> None:
    """Let a frame whose document has an opaque origin read what it asks for. No cookie goes with it: a session does."""
    if OPEN.match(request.path):
        answer.headers["Access-Control-Allow-Origin"] = "*"
        answer.headers["Cross-Origin-Resource-Policy"] = "cross-origin"


ACTS: Final[Mapping[str, Act]] = {
    act.__name__: act for act in (Activity.plan, Activity.ready, Activity.advice, Activity.table)
}


OWN: Final = event("", name="own")
"""The event that says to one person that what is their own has changed. What it is they ask for."""


def tell_own(session: Session) -> None:
    """Have a page ask again for what is its person's own, now or once it has a stream again."""
    if session.is_behind and session.reader is not None:
        session.reader.send(OWN)


def text_frame(chunk: bytes) -> bytes:
    """A text message of a WebSocket, whole and from a server: RFC 6455, 5.2."""
    size = len(chunk)
    if size < 126:
        return b"\x81%c%b" % (size, chunk)
    mark, width = (126, 2) if size < 1 << 16 else (127, 8)
    return b"\x81%c%b%b" % (mark, size.to_bytes(width), chunk)


async def listen(socket: web.WebSocketResponse) -> None:
    """Until the other side has closed; what it says means nothing."""
    async for _ in socket:
        pass


async def words(request: web.Request) -> Mapping[str, str]:
    """The words of a body. Raises ``Refused`` for anything else."""
    try:
        return WORDS.validate_json(await request.read())
    except (ValueError, web.HTTPRequestEntityTooLarge):
        raise Refused(400, STRANGE) from None


def refusal(status: int, sentence: Shown, more: Mapping[str, Any] | None = None) -> web.Response:
    return web.json_response({"refused": escaped(sentence), **(more or {})}, status=status)


def language_of(request: web.Request) -> languages.Language:
    """The first language of whoever asks, as their browser says it."""
    return languages.of_locale(request.headers.get("Accept-Language", "").partition(",")[0].partition(";")[0].strip())
