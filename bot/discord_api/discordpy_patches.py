"""Patches that use private interfaces of discord.py and simcord.

Each says why there is no public way, and what breaks when the library changes.
``tests/discord_api/test_discordpy_patches.py`` fails when an interface is gone. Look here first when an update of a
library breaks something.
"""

import asyncio
import logging
import secrets
import struct
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

if TYPE_CHECKING:
    import simcord

log = logging.getLogger(__name__)


def use_api(url: str) -> None:
    """Send all requests to another address than Discord's: a proxy, or the tests' loopback. discord.py 2.7 has the
    address in ``Route.BASE``, without an option. If that changes, the bot ignores ``DISCORD_API_URL``.
    """
    discord.http.Route.BASE = url.rstrip("/")


def begin_lost_sessions_at(gateway: yarl.URL) -> None:
    """Reconnect lost sessions to the gateway that the API named, not to Discord's default.

    discord.py 2.7 asks the API only at startup without a shard count; otherwise, and later, it uses
    ``DiscordWebSocket.DEFAULT_GATEWAY``. If that changes, a bot behind a proxy bypasses it when it loses a session.
    ``bot.runtime.app`` asks for the address in ``launch_shards``.
    """
    DiscordWebSocket.DEFAULT_GATEWAY = gateway


def break_reference_cycle(interaction: discord.Interaction[Any]) -> None:
    """Free an answered interaction's objects now, not at the next garbage collection.

    discord.py 2.7's ``Interaction`` and its response refer to each other, and ``extras`` adds our objects: some hundred
    per answer, whose collection stops the bot for 10 ms per 20,000. If that changes, they wait for the collector. Later
    uses find it answered.
    """
    interaction.response._parent = None  # type: ignore[assignment]  # noqa: SLF001 - see above
    interaction.extras.clear()


def survive_events(client: discord.Client) -> None:
    """Log an event that discord.py can't parse, and continue.

    discord.py 2.7 lets such an error end the shard and the process, so one malformed interaction would stop the bot for
    everybody. Parsers are in ``ConnectionState.parsers``. If that changes, the tests fail. READY is left out: without
    it there is no session, so the shard reconnects (``reconnect_after_nonsense``).
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

    discord.py 2.7 lets such an error end the process. The reader is ``DiscordWebSocket.received_message``; after an
    ``OSError`` a shard retries with a growing delay. If that changes, the process ends on such a message.
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
    """Send each answer in one piece over a minimal session, and don't parse the created message.

    discord.py 2.7 sends a form in nine writes for a card with its picture, and builds a ``Message`` of which we need
    only the id. Its locks, retries, cookies, redirects, and tracing are useless for an answer, which has its own token
    and no rate limit. That is a quarter of an answer's time outside the store. discord.py keeps the sender in
    ``async_context``. If that changes, answers are slower.

    ``note`` receives the number of each interaction answered this way.
    """
    async_context.set(PreparedBodyAdapter(note))


ENTRY_POINT: Final = {"type": 4, "name": "launch", "description": "The table of this call", "handler": 2}
"""The command with which Discord opens the Activity; its type and handler are Discord's numbers."""


def keep_entry_point(client: discord.Client, *, make: bool) -> None:
    """Register the application's Entry Point command with all others; ``make``: even if there is none yet.

    discord.py 2.7 does not know this type of command, and Discord rejects a registration without the existing one
    (50240). Uses ``HTTPClient.bulk_upsert_global_commands``. If that changes, a bot with an Activity can't register
    commands.
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
    """Return the message that answered an interaction, by its token. Raises ``HTTPException``.

    discord.py 2.7 needs an ``Interaction``, which is gone after a restart. If ``Route`` or ``HTTPClient.request``
    changes, a card shown just before a crash appears twice.
    """
    where = "/webhooks/{application_id}/{interaction_token}/messages/@original"
    route = discord.http.Route("GET", where, application_id=app_id, interaction_token=token)
    result: dict[str, Any] = await client.http.request(route)
    return result


class PreparedBodyAdapter(AsyncWebhookAdapter):
    """discord.py's sender of answers and follow-ups, with pre-encoded bodies."""

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
        """Answer over the minimal session; if that fails, or behind a proxy, through discord.py. If the first answer
        did arrive, the second is rejected with ``ALREADY_ACKNOWLEDGED``.
        """
        answered = None if proxy else await self._post(session, interaction_id, token, params)
        if answered is None:
            for file in params.files or ():
                file.reset()
            answered = await super().create_interaction_response(
                interaction_id, token, session=session, proxy=proxy, proxy_auth=proxy_auth, params=params
            )
        answered.pop("resource", None)  # the message; its id is in "response_message_id"
        return answered

    async def _post(
        self, session: aiohttp.ClientSession, number: int, token: str, params: discord.http.MultipartParameters
    ) -> Any:
        """Return Discord's reply to an answer; None if it was not, or may not have been, accepted."""
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
        except (aiohttp.ClientError, OSError):  # a timeout is an OSError
            return None
        if not 200 <= response.status < 300:
            return None
        self._note(number)
        log.debug("POST %s: %d", response.url.path, response.status)
        return discord.utils._from_json(said)  # noqa: SLF001 - see above

    def _session(self, session: aiohttp.ClientSession) -> aiohttp.ClientSession:
        """Return a session that shares discord.py's connections and ends with them."""
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
    """The part of a session that discord.py uses, for requests with this body."""

    def __init__(self, session: aiohttp.ClientSession, content_type: str, body: bytes) -> None:
        self._session = session
        self._content_type = content_type
        self._body = body

    def request(self, method: str, url: str, *, data: None, headers: Mapping[str, str], **rest: Any) -> Any:
        assert data is None, "the body is ours"  # noqa: S101 - states that discord.py has none of its own
        typed = {**headers, "Content-Type": self._content_type}
        return self._session.request(method, url, data=self._body, headers=typed, **rest)


def form_data(parts: Sequence[Mapping[str, Any]]) -> tuple[str, bytes]:
    """Encode a form (RFC 7578) from discord.py's ``FormData`` fields; return content type and body."""
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
    """Quote a name in a form's header, as browsers do."""
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def silence_voice_warnings() -> None:
    """Suppress discord.py's two warnings about missing voice packages: the bot never speaks. discord.py 2.7 has
    ``VoiceClient.warn_nacl`` and ``warn_dave``. If that changes, the log begins with two pointless warnings.
    """
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False


def leave_room_for_a_page(env: "simcord.Env") -> None:
    """Let an ``Env`` have one more page, of another channel. simcord 3.2 has one ``Preview`` at a time (``_preview``);
    ``take_every_press`` sets the pressed one. If that changes, ``bot play`` fails at startup.
    """
    env._preview = None  # noqa: SLF001 - see above


def follow_wall_clock(env: "simcord.Env") -> None:
    """Let the pages' clock follow the wall clock.

    simcord 3.2's clock is fixed at one day, so new messages would look weeks old. Create people and channels first:
    their ids contain the time, and must be the same after a restart. If that changes, ``bot play`` fails at startup.
    """
    assert callable(env.backend.clock.now), "simcord asks it for each message"  # noqa: S101 - states what we change
    env.backend.clock.now = lambda: datetime.now(UTC)  # type: ignore[method-assign]  # patched


def wait_for_every_answer(env: "simcord.Env") -> None:
    """Drop the limit of three seconds for a first answer, which a busy machine misses: the press would be lost."""
    begin = env.backend.new_interaction

    def begin_without_limit(*asked: Any, **more: Any) -> Any:
        record = begin(*asked, **more)
        record.initial_response_deadline = None
        return record

    env.backend.new_interaction = begin_without_limit  # type: ignore[method-assign]  # patched


def clear_refused_command(tree: "discord.app_commands.CommandTree[Any]") -> None:
    """Let the page treat a refused command as done, as Discord does. simcord 3.2 counts errors in the tree's
    ``on_error`` as failures and keeps the command in its box. If that changes, ``bot play`` fails at startup.
    """
    del vars(tree)["on_error"]


def keep_page(preview: "simcord.Preview", capability: str, script: str) -> None:
    """Give a page a permanent address and a script of our own, before it is entered.

    simcord 3.2 makes a new ``capability`` for each preview, so tabs are lost at a restart, and has no place for a
    script. We set the one, and serve the other through ``_server._STATIC_FILES`` and ``_static``. If one changes, ``bot
    play`` fails at startup.
    """
    from aiohttp import web  # 1.5 MiB that a bot on Discord need not hold

    server, path = preview._server, "/play.js"  # noqa: SLF001 - see above
    static, known = server._static, server._STATIC_FILES  # noqa: SLF001 - see above
    preview.capability = capability

    async def with_script(request: Any) -> Any:
        if request.path == path:
            head = {"Content-Type": "application/javascript", **server._SECURITY_HEADERS}  # noqa: SLF001 - see above
            return web.Response(text=script, headers=head)
        result = await static(request)
        if request.path == "/":
            result.text = result.text.replace("<script", f'<script src="{path}"></script><script', 1)
        return result

    server._STATIC_FILES = {**known, path: "app.js"}  # type: ignore[misc]  # noqa: SLF001 - for this one object
    server._static = with_script  # type: ignore[method-assign]  # noqa: SLF001 - for this one object


def tell_sizes_of_pictures() -> None:
    """Tell a page the size of a PNG before it has come, so that the page keeps its place free, as Discord does.

    simcord 3.2 tells it with the picture. So we extend ``_AssetOps._retain_blob`` and ``_Asset.to_wire``. If they
    change, what is below a picture moves when it comes.
    """
    from simcord.preview import _assets

    retain, to_wire, sizes = _assets._AssetOps._retain_blob, _assets._Asset.to_wire, dict[str | None, bytes]()  # noqa: SLF001 - see above

    def retained(self: Any, blob: bytes) -> str | None:
        digest = retain(self, blob)
        sizes.update({digest: blob[16:24]} if blob.startswith(b"\x89PNG") else {})
        return digest

    def wired(self: Any) -> dict[str, Any]:
        wide, high = struct.unpack(">II", sizes.get(self.digest, bytes(8)))
        return to_wire(self) | ({"displayWidth": wide, "displayHeight": high} if wide else {})

    _assets._AssetOps._retain_blob = retained  # type: ignore[method-assign]  # noqa: SLF001 - see above
    _assets._Asset.to_wire = wired  # type: ignore[method-assign]  # noqa: SLF001 - see above


def take_every_press(preview: "simcord.Preview", turn: asyncio.Lock) -> None:
    """Handle the presses of all pages one after the other, even from an outdated page.

    simcord 3.2 rejects a press while another page's is handled, and one from an outdated revision; a page whose action
    timed out stays blocked. Discord does none of this. So we extend ``Preview._action``, set ``Env._preview``, and read
    ``_Page.revision`` and ``status``. If one changes, ``bot play`` fails at startup or at the first press.
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
    """Show each change of the channel on all of its open pages, until canceled.

    simcord 3.2 updates only the page that was used, and all before a command's answer; later edits stay invisible. We
    use ``Backend.subscribers`` and ``_publish`` for outdated pages in ``Preview._pages``; an answer waits for its own
    page alone (``_publish_message_pages``, ``_action_page``). If one changes, ``bot play`` fails at startup or at the
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
            await asyncio.sleep(0)  # presses have priority
    finally:
        preview.env.backend.subscribers.remove(note)
