"""The bot's two install links, for a server and for a user, with exactly the permissions it needs."""

import base64
from enum import IntFlag
from typing import Final
from urllib.parse import urlencode

AUTHORIZE: Final = "https://discord.com/oauth2/authorize"


class Permission(IntFlag):
    """The bot's permissions in a channel: discord.py's names, Discord's bits."""

    view_channel = 1 << 10
    send_messages = 1 << 11
    embed_links = 1 << 14
    attach_files = 1 << 15
    send_messages_in_threads = 1 << 38


NEEDED: Final = Permission(sum(Permission))


def server_link(app_id: int) -> str:
    """Return the link with which an admin adds the bot to a server."""
    return _link(app_id, "0", scope="bot applications.commands", permissions=str(int(NEEDED)))


def user_link(app_id: int) -> str:
    """Return the link with which a person installs the bot for themselves, everywhere."""
    return _link(app_id, "1", scope="applications.commands")


def _link(app_id: int, integration_type: str, **words: str) -> str:
    return f"{AUTHORIZE}?{urlencode({'client_id': app_id, 'integration_type': integration_type, **words})}"


def application_of(token: str) -> int | None:
    """Return the application id that begins a bot token (in Base64); None for an invalid token."""
    first = token.partition(".")[0]
    try:
        number = base64.b64decode(first + "=" * (-len(first) % 4), validate=True).decode("ascii")
    except ValueError:  # not Base64, or not ASCII
        return None
    return int(number) if number.isdecimal() else None


def lines(app_id: int) -> tuple[str, str]:
    """Both links with what each does, for a terminal."""
    return (f"Add the bot to a server: {server_link(app_id)}", f"Install it for yourself: {user_link(app_id)}")
