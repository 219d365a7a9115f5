"""The world behind the wire: one application, one server with a text and a voice channel, four people.

What is written here is what Discord would send a bot that may see servers but no message contents.
"""

import itertools
import time
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]

APPLICATION_ID = 1100000000000000001
GUILD_ID = 1100000000000000010
EVERY_PERMISSION = str((1 << 53) - 1)
USUAL_PERMISSIONS = "2248473465835073"
_DISCORD_EPOCH = 1420070400000
JOINED = "2024-05-01T18:00:00.000000+00:00"

_ticks = itertools.count()


def snowflake() -> int:
    """A new id whose upper bits are the time, as Discord's are; ids of one process never repeat."""
    return ((int(time.time() * 1000) - _DISCORD_EPOCH) << 22) | (next(_ticks) & 0x3FFFFF)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who sits in the server. The first one of a world owns it and may do everything."""

    id: int
    name: str
    permissions: str = USUAL_PERMISSIONS

    def user(self) -> Json:
        return {
            "id": str(self.id),
            "username": self.name.lower(),
            "global_name": self.name,
            "discriminator": "0",
            "avatar": None,
            "public_flags": 0,
        }

    def member(self) -> Json:
        """Without ``user``, as in an interaction's resolved members."""
        return {
            "nick": None,
            "avatar": None,
            "roles": [],
            "joined_at": JOINED,
            "premium_since": None,
            "deaf": False,
            "mute": False,
            "flags": 0,
            "pending": False,
            "permissions": self.permissions,
            "communication_disabled_until": None,
        }


@dataclass(frozen=True, slots=True)
class Channel:
    """A place to talk.

    ``type`` is Discord's number: 0 text, 2 voice, 11 thread and 12 private thread stand in the server ``guild_id``, 1
    direct and 3 group messages do not. ``parent_id``: the channel of a thread.
    """

    id: int
    name: str
    type: int = 0
    guild_id: int = GUILD_ID
    parent_id: int = GUILD_ID + 191

    @property
    def is_private(self) -> bool:
        return self.type in (1, 3)

    def dump(self) -> Json:
        if self.is_private:
            own = {"id": str(self.id), "type": self.type, "last_message_id": None, "flags": 0}
            return own | {"recipients": [OWNER.user()]} | ({"name": self.name, "icon": None} if self.type == 3 else {})
        channel: Json = {
            "id": str(self.id),
            "guild_id": str(self.guild_id),
            "type": self.type,
            "name": self.name,
            "position": self.type,
            "permission_overwrites": [],
            "parent_id": None,
            "nsfw": False,
            "flags": 0,
            "rate_limit_per_user": 0,
            "last_message_id": None,
            "topic": None,
        }
        if self.type == 2:
            channel |= {"bitrate": 64000, "user_limit": 0, "rtc_region": None}
        if self.type in (11, 12):
            times = {"archived": False, "archive_timestamp": JOINED, "auto_archive_duration": 1440, "locked": False}
            channel |= {"parent_id": str(self.parent_id), "owner_id": str(OWNER.id), "thread_metadata": times}
            channel |= {"message_count": 1, "member_count": 2, "total_message_sent": 1}
        return channel


class Server:
    """A server with the id ``id``: four people, of whom the first owns it, a text and a voice channel.

    ``hideout``: a private thread, of which the bot hears only where a test says so.
    """

    def __init__(self, id: int) -> None:  # noqa: A002 - as Discord calls it
        self.id = id
        names = ("Ana", EVERY_PERMISSION), ("Ben",), ("Cleo",), ("Dan",)
        self.people = tuple(Person(id + 91 + at, *name) for at, name in enumerate(names))
        self.text, self.voice = Channel(id + 191, "table", 0, id), Channel(id + 192, "War room", 2, id)
        self.hideout = Channel(id + 193, "hideout", 12, id, self.text.id)

    @property
    def channels(self) -> tuple[Channel, ...]:
        return self.text, self.voice


HOME = Server(GUILD_ID)
PEOPLE = HOME.people
OWNER = PEOPLE[0]
TEXT, VOICE = CHANNELS = HOME.channels
HIDEOUT = HOME.hideout


def bot_user() -> Json:
    return {
        "id": str(APPLICATION_ID),
        "username": "rollcall",
        "global_name": None,
        "discriminator": "0001",
        "avatar": None,
        "bot": True,
        "verified": True,
        "mfa_enabled": False,
        "flags": 0,
        "public_flags": 0,
    }


def application() -> Json:
    return {
        "id": str(APPLICATION_ID),
        "name": "Rollcall",
        "icon": None,
        "description": "",
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "flags": 0,
        "owner": OWNER.user(),
        "team": None,
        "integration_types_config": {"0": {}, "1": {}},
    }


def guild(server: Server = HOME) -> Json:
    """A server as GUILD_CREATE brings it, with its channels and members."""
    bot_member = Person(APPLICATION_ID, "rollcall").member()
    everyone = {
        "id": str(server.id),
        "name": "@everyone",
        "permissions": USUAL_PERMISSIONS,
        "position": 0,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": False,
        "mentionable": False,
        "flags": 0,
    }
    return {
        "id": str(server.id),
        "name": "Rollcall test table",
        "icon": None,
        "splash": None,
        "discovery_splash": None,
        "banner": None,
        "description": None,
        "owner_id": str(server.people[0].id),
        "joined_at": JOINED,
        "unavailable": False,
        "large": False,
        "features": [],
        "roles": [everyone],
        "emojis": [],
        "stickers": [],
        "channels": [channel.dump() for channel in server.channels],
        "threads": [],
        "members": [{**person.member(), "user": person.user()} for person in server.people]
        + [{**bot_member, "user": bot_user()}],
        "member_count": len(server.people) + 1,
        "voice_states": [],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "premium_progress_bar_enabled": False,
        "preferred_locale": "en-GB",
        "system_channel_id": None,
        "system_channel_flags": 0,
        "rules_channel_id": None,
        "public_updates_channel_id": None,
        "safety_alerts_channel_id": None,
        "afk_channel_id": None,
        "afk_timeout": 300,
        "application_id": None,
        "vanity_url_code": None,
        "max_members": 500000,
    }
