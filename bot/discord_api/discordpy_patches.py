"""Private interfaces of discord.py and simcord that we use.

Each function below uses one: it says why there is no public way, and what breaks when the library changes it.
``tests/discord_api/test_discordpy_patches.py`` fails when one is gone. Look here first when an update of discord.py or
simcord breaks something.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast

import aiohttp.web
import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

if TYPE_CHECKING:
    import simcord

log = logging.getLogger(__name__)


def use_api(url: str) -> None:
    """Send all requests to another address than Discord's: a proxy, or the loopback of the tests.

    discord.py 2.7 has the address in ``Route.BASE`` and no option for it. If that changes, the bot talks to Discord
    whatever ``DISCORD_API_URL`` says.
    """
    discord.http.Route.BASE = url.rstrip("/")


def begin_lost_sessions_at(gateway: yarl.URL) -> None:
    """Begin a session that was lost at the gateway that the API named, not at Discord's usual one.

    discord.py 2.7 asks the API for its gateway only once, on the start, and only where nobody has said how many shards
    there are; otherwise, and later, it takes ``DiscordWebSocket.DEFAULT_GATEWAY``. If that changes, a bot behind a
    proxy leaves it when it loses a session. ``bot.runtime.app`` asks for the address itself, in ``launch_shards``.
    """
    DiscordWebSocket.DEFAULT_GATEWAY = gateway


def break_reference_cycle(interaction: discord.Interaction[Any]) -> None:
    """Free what an interaction that was answered holds now, and not when Python looks for circles.

    An ``Interaction`` of discord.py 2.7 and its response hold each other, and what we keep in its ``extras`` (the
    answer, the roll, its card) holds it too: some hundred objects an answer, which stop the bot for 10 ms when 20,000
    are collected. If that changes, they wait for the collector. Later actions find it answered.
    """
    interaction.response._parent = None  # type: ignore[assignment]  # noqa: SLF001 - see above
    interaction.extras.clear()


def survive_events(client: discord.Client) -> None:
    """Log an event that discord.py cannot read, and continue.

    discord.py 2.7 lets such an error end the shard, and with it the process, so that one interaction that lacks a field
    would take the bot away from everybody. It keeps what reads each event in ``ConnectionState.parsers``. If that
    changes, ``tests/discord_api/test_discordpy_patches.py`` fails. READY is left out: without it there is no session,
    so the shard begins another one (``reconnect_after_nonsense``).
    """
    parsers: dict[str, Callable[[Any], None]] = client._connection.parsers  # noqa: SLF001 - see above

    def parse_or_log(name: str, parse: Callable[[Any], None], data: Any) -> None:
        try:
            parse(data)
        except Exception:
            log.exception("Discord sent an event that cannot be read: %s", name)

    for name, parse in parsers.items():
        if name != "READY":
            parsers[name] = partial(parse_or_log, name, parse)


_RECEIVED: Final = DiscordWebSocket.received_message


def reconnect_after_nonsense() -> None:
    """Log an unreadable gateway message, such as a READY without its fields, and reconnect.

    discord.py 2.7 lets such an error end the process. The reader is ``DiscordWebSocket.received_message``; after a lost
    connection (``OSError``) a shard retries with a growing delay. If that changes, the process ends on such a message,
    as before.
    """

    async def received_or_lost(self: DiscordWebSocket, message: Any, /) -> None:
        try:
            await _RECEIVED(self, message)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            log.exception("Discord sent what cannot be read; the shard connects again")
            await self.close(code=4000)
            raise ConnectionError("the gateway sent what cannot be read") from error

    DiscordWebSocket.received_message = received_or_lost  # type: ignore[method-assign]  # see above


def answer_in_one_piece(note: Callable[[int], None]) -> None:
    """Send each answer as one piece, by a session that does nothing else, and do not read back the message it made.

    discord.py 2.7 hands aiohttp a form, which goes out in nine writes for a card with its picture, and makes a whole
    ``Message`` of what Discord returns, though we use nothing of it but its id. It carries locks, attempts, cookies,
    redirects and tracing, which an answer has no use for: its token is its own, Discord counts it against no limit,
    and it is one POST. Together that is a quarter of the time that an answer spends outside the store. discord.py
    keeps what sends answers in ``async_context``. If that changes, answers are slower, and nothing else is different.

    ``note`` hears the number of each interaction that Discord took an answer to by this way.
    """
    async_context.set(PreparedBodyAdapter(note))


ENTRY_POINT: Final = {"type": 4, "name": "launch", "description": "The table of this call", "handler": 2}
"""The command with which Discord opens the Activity by itself; its type and handler are Discord's numbers."""


def keep_entry_point(client: discord.Client, *, make: bool) -> None:
    """Register the application's Entry Point command with all others; ``make``: also where there is none yet.

    discord.py 2.7 does not know this type of command, and Discord refuses a registration of all commands that lacks the
    one which there is (50240). It goes through ``HTTPClient.bulk_upsert_global_commands``. If that changes, a bot with
    an Activity cannot register its commands.
    """
    http = client.http
    register = http.bulk_upsert_global_commands

    async def with_entry_point(app_id: int, payload: list[Any]) -> list[Any]:
        known: list[Any] = await http.get_global_commands(app_id)
        mine: list[Any] = [item for item in known if item["type"] == ENTRY_POINT["type"]]
        kept = {"id", "type", "name", "description", "handler", "integration_types", "contexts"}
        again = [{name: part for name, part in item.items() if name in kept} for item in mine]
        return await register(app_id, [*payload, *(again or ([ENTRY_POINT] if make else []))])

    http.bulk_upsert_global_commands = with_entry_point  # type: ignore[method-assign, assignment]  # see above


async def answer_by_token(client: discord.Client, app_id: int, token: str) -> dict[str, Any]:
    """The message that answered an interaction of which only the token is known. Raises ``HTTPException``.

    discord.py 2.7 looks it up for an ``Interaction`` alone, which nobody has after a restart. If ``Route`` or
    ``HTTPClient.request`` changes, a card that was shown just before a kill stands there twice.
    """
    where = "/webhooks/{application_id}/{interaction_token}/messages/@original"
    route = discord.http.Route("GET", where, application_id=app_id, interaction_token=token)
    result: dict[str, Any] = await client.http.request(route)
    return result


class PreparedBodyAdapter(AsyncWebhookAdapter):
    """discord.py's sender of answers and of what follows them, with bodies that are written already."""

    def __init__(self, note: Callable[[int], None]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # it takes nothing
        self._note = note
        self._lean: aiohttp.ClientSession | None = None

    async def create_interaction_response(
        self,
        interaction_id: int,
        token: str,
        *,
        session: aiohttp.ClientSession,
        proxy: str | None = None,
        proxy_auth: aiohttp.BasicAuth | None = None,
        params: discord.http.MultipartParameters,
    ) -> Any:
        """Answer by the lean way; where Discord did not take that, or behind a proxy, once more by discord.py's own.

        An answer whose connection broke may have arrived: then the second is refused by ``ALREADY_ACKNOWLEDGED``.
        """
        answered = None if proxy else await self._post(session, interaction_id, token, params)
        if answered is None:
            for file in params.files or ():
                file.reset()
            answered = await super().create_interaction_response(
                interaction_id, token, session=session, proxy=proxy, proxy_auth=proxy_auth, params=params
            )
        answered.pop("resource", None)  # the message; its id stands beside it, as "response_message_id"
        return answered

    async def _post(
        self, session: aiohttp.ClientSession, number: int, token: str, params: discord.http.MultipartParameters
    ) -> Any:
        """Return Discord's reply to an answer; None if Discord didn't accept it, or may not have."""
        if params.files and params.multipart:
            kind, body = form_data(params.multipart)
        else:
            kind, body = "application/json", discord.utils._to_json(params.payload).encode()  # noqa: SLF001 - see above
        url = f"{discord.http.Route.BASE}/interactions/{number}/{token}/callback?with_response=1"
        try:
            async with self._session(session).post(
                yarl.URL(url, encoded=True), data=body, headers={"Content-Type": kind}, allow_redirects=False
            ) as response:
                said = await response.text("utf-8")
        except (aiohttp.ClientError, OSError):  # a time that ran out is an OSError
            return None
        if not 200 <= response.status < 300:
            return None
        self._note(number)
        log.debug("POST %s: %d", response.url.path, response.status)
        return discord.utils._from_json(said)  # noqa: SLF001 - see above

    def _session(self, session: aiohttp.ClientSession) -> aiohttp.ClientSession:
        """A session over the connections of discord.py's, which ends with them."""
        if self._lean is None or self._lean.closed:
            self._lean = aiohttp.ClientSession(
                connector=session.connector, connector_owner=False, cookie_jar=aiohttp.DummyCookieJar()
            )
        return self._lean

    async def request(
        self,
        route: Any,
        session: aiohttp.ClientSession,
        *,
        multipart: Sequence[Mapping[str, Any]] | None = None,
        **rest: Any,
    ) -> Any:
        if not multipart:
            return await super().request(route, session, **rest)
        written = cast("aiohttp.ClientSession", FixedBodySession(session, *form_data(multipart)))
        return await super().request(route, written, **rest)


class FixedBodySession:
    """The part of a session that discord.py uses, for requests that all have this body."""

    def __init__(self, session: aiohttp.ClientSession, content_type: str, body: bytes) -> None:
        self._session = session
        self._content_type = content_type
        self._body = body

    def request(self, method: str, url: str, *, data: None, headers: Mapping[str, str], **rest: Any) -> Any:
        assert data is None, "the body is ours"  # noqa: S101 - states that discord.py has none of its own
        typed = {**headers, "Content-Type": self._content_type}
        return self._session.request(method, url, data=self._body, headers=typed, **rest)


def form_data(parts: Sequence[Mapping[str, Any]]) -> tuple[str, bytes]:
    """Content type and body of a form (RFC 7578), from its fields as discord.py names them for ``FormData``."""
    boundary = secrets.token_hex(16)
    lines: list[bytes] = []
    for part in parts:
        name = "".join(f'; {key}="{quoted(part[key])}"' for key in ("name", "filename") if key in part)
        kind = f"\r\nContent-Type: {part['content_type']}" if "content_type" in part else ""
        value = part["value"]
        body = value.encode() if isinstance(value, str) else value.read()
        lines += [f"--{boundary}\r\nContent-Disposition: form-data{name}{kind}\r\n".encode(), body]
    return f"multipart/form-data; boundary={boundary}", b"\r\n".join([*lines, f"--{boundary}--\r\n".encode()])


def quoted(name: str) -> str:
    """A name inside a header of a form, as browsers write it."""
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def silence_voice_warnings() -> None:
    """Leave out discord.py's two warnings that voice needs more packages: the bot never speaks.

    discord.py 2.7 warns once per process, unless ``VoiceClient.warn_nacl`` and ``warn_dave`` are off. If that changes,
    the log begins with two warnings that mean nothing.
    """
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False


def leave_room_for_a_page(env: "simcord.Env") -> None:
    """Let an ``Env`` have one more page, of another channel.

    simcord 3.2 has one ``Preview`` at a time, which its ``Env`` knows as ``_preview`` to say when a press went out;
    ``take_every_press`` names the one that is pressed. If that changes, ``bot play`` fails on the start.
    """
    env._preview = None  # noqa: SLF001 - see above


def follow_wall_clock(env: "simcord.Env") -> None:
    """Let the pages' clock follow the wall clock.

    simcord 3.2's clock starts on a fixed day and stands still, so what has just happened would appear many weeks old.
    People and channels are made first: their ids contain the time, and a restarted bot knows them by these. If that
    changes, ``bot play`` fails on the start.
    """
    assert callable(env.backend.clock.now), "simcord asks it for each message"  # noqa: S101 - states what we change
    env.backend.clock.now = lambda: datetime.now(UTC)  # type: ignore[method-assign]  # the door itself


def clear_refused_command(tree: "discord.app_commands.CommandTree[Any]") -> None:
    """Let the page treat a refused command as done, as Discord does.

    simcord 3.2 puts itself before ``on_error`` of the bot's tree: what arrives there counts as failed, and the page
    keeps the command in its box, with a list that covers the refusal. If that changes, ``bot play`` fails on the start.
    """
    del vars(tree)["on_error"]


def keep_page(preview: "simcord.Preview", capability: str, script: str) -> None:
    """Give a page an address that stays the same after a restart, and a script of our own; before it is entered.

    simcord 3.2 makes a new ``capability`` for each preview, so tabs that were open before a restart are lost, and has
    no place for a script. We set the one, and serve the other by ``_server``: its ``_STATIC_FILES`` and ``_static``. If
    one of them changes, ``bot play`` fails on the start.
    """
    server, path = preview._server, "/play.js"  # noqa: SLF001 - see above
    static, known = server._static, server._STATIC_FILES  # noqa: SLF001 - see above
    preview.capability = capability

    async def with_script(request: Any) -> Any:
        if request.path == path:
            head = {"Content-Type": "application/javascript", **server._SECURITY_HEADERS}  # noqa: SLF001 - see above
            return aiohttp.web.Response(text=script, headers=head)
        result = await static(request)
        if request.path == "/":
            result.text = result.text.replace("<script", f'<script src="{path}"></script><script', 1)
        return result

    server._STATIC_FILES = {**known, path: "app.js"}  # type: ignore[misc]  # noqa: SLF001 - for this one object
    server._static = with_script  # type: ignore[method-assign]  # noqa: SLF001 - for this one object


def take_every_press(preview: "simcord.Preview", turn: asyncio.Lock) -> None:
    """Take the presses of all pages one after the other, even of a person who hasn't seen the newest change.

    simcord 3.2 refuses a press while another page's is under way, and one from a page that shows less than the newest
    revision; and a page whose action took too long takes no other. Discord does nothing of this. So we extend
    ``Preview._action``, name the page that is pressed in ``Env._preview``, and read ``_Page.revision`` and ``status``.
    If one of them changes, ``bot play`` fails on the start, or at the first press.
    """
    act, pages = preview._action, preview._pages  # noqa: SLF001 - see above

    async def act_in_turn(context_id: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        async with turn:
            preview.env._preview = preview  # noqa: SLF001 - see above
            page = pages.get(context_id or "")
            if page is not None and "published_revision" in body:
                body = {**body, "published_revision": page.revision}
            receipt = await act(context_id, body)
            if page is not None and page.status == "stale":
                preview._publish(page)  # noqa: SLF001 - see above
            return receipt

    preview._action = act_in_turn  # type: ignore[method-assign]  # noqa: SLF001 - for this one object, see above


async def show_every_change(preview: "simcord.Preview", turn: asyncio.Lock) -> None:
    """Show each change of the channel on all of its open pages. Ends when it is canceled.

    simcord 3.2 brings only the page up to date that was used, and all of them before it answers a command; what the
    bot edits later by itself, nobody sees. We listen in ``Backend.subscribers`` and publish each page of
    ``Preview._pages`` that is behind with ``_publish``; an answer waits for its own page alone
    (``_publish_message_pages``, ``_action_page``). If one of them changes, ``bot play`` fails on the start, or at the
    first press.
    """
    changed, channel_id = asyncio.Event(), str(preview.channel.id)
    behind, publish = set[str](), preview._publish  # noqa: SLF001 - see above

    def note(event: str, payload: Mapping[str, Any]) -> None:
        if event.startswith("MESSAGE_") and str(payload.get("channel_id")) == channel_id:
            behind.update(preview._pages)  # noqa: SLF001 - see above
            changed.set()

    def publish_page(page: Any, **more: Any) -> None:
        behind.discard(page.id)
        publish(page, **more)

    def publish_own(*, reason: str = "action") -> None:
        publish_page(preview._action_page, reason=reason)  # noqa: SLF001 - see above

    preview._publish = publish_page  # type: ignore[method-assign]  # noqa: SLF001 - for this one object, see above
    preview._publish_message_pages = publish_own  # type: ignore[method-assign]  # noqa: SLF001 - as above
    preview.env.backend.subscribers.append(note)
    try:
        while await changed.wait():
            async with turn:
                changed.clear()
                for page in tuple(preview._pages.values()):  # noqa: SLF001 - see above
                    if page.id in behind and page is not preview._python:  # noqa: SLF001 - nobody looks at that one
                        publish_page(page)
            await asyncio.sleep(0)  # somebody who presses comes first
    finally:
        preview.env.backend.subscribers.remove(note)
