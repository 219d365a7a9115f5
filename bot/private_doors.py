"""What we use of discord.py and simcord though they do not promise it.

Each function below goes through one private door: it says why there is no public way, and what breaks when the library
changes it. ``tests/test_private_doors.py`` fails when a door has gone. Look here first when an update of discord.py or
simcord breaks something.
"""

import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import discord
import yarl
from discord.gateway import DiscordWebSocket

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
    proxy leaves it when it loses a session. ``bot.app`` asks for the address itself, in ``launch_shards``.
    """
    DiscordWebSocket.DEFAULT_GATEWAY = gateway


def survive_events(client: discord.Client) -> None:
    """Log an event that discord.py cannot read, and go on.

    discord.py 2.7 lets such an error end the shard, and with it the process, so that one interaction that lacks a field
    would take the bot away from everybody. It keeps what reads each event in ``ConnectionState.parsers``. If that
    changes, ``tests/test_private_doors.py`` fails. READY is left out: a bot that cannot read it must say so and end.
    """
    parsers: dict[str, Callable[[Any], None]] = client._connection.parsers  # noqa: SLF001 - see above

    def surviving(name: str, parse: Callable[[Any], None]) -> Callable[[Any], None]:
        def parse_or_log(data: Any) -> None:
            try:
                parse(data)
            except Exception:
                log.exception("Discord sent an event that cannot be read: %s", name)

        return parse_or_log

    for name, parse in parsers.items():
        if name != "READY":
            parsers[name] = surviving(name, parse)


def never_speak() -> None:
    """Leave out discord.py's two warnings that voice needs more packages: the bot never speaks.

    discord.py 2.7 warns once per process, unless ``VoiceClient.warn_nacl`` and ``warn_dave`` are off. If that changes,
    the log begins with two warnings that mean nothing.
    """
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False


def show_moves_on_all_pages(preview: "simcord.Preview") -> None:
    """Show every move on every open page at once, so that the other person sees it without a click.

    simcord 3.2 does so after a command only; after a button, a select or a form it brings no page up to date but the
    one that was used. Its public ``refresh`` would come late, and a click made meanwhile would be refused. So we extend
    ``Preview._action``, and publish ``Preview._pages`` with ``_publish``. If one of them changes, ``bot play`` fails on
    the start, or at the first press.
    """
    act, publish, pages = preview._action, preview._publish, preview._pages  # noqa: SLF001 - see above

    async def act_and_show(context_id: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        receipt = await act(context_id, body)
        if receipt["dispatched"]:
            for page in tuple(pages.values()):
                if page.id != context_id:
                    publish(page)
        return receipt

    preview._action = act_and_show  # type: ignore[method-assign]  # noqa: SLF001 - for this one object, see above
