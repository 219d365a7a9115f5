"""What Discord knows of calls and of who somebody is: instances of the Activity, and codes for ``identify``.

https://docs.discord.com/developers/activities/development-guides/multiplayer-experience
"""

from dataclasses import dataclass, field
from typing import Final

from tests.wire.world import APPLICATION_ID, Channel, Json, Person, snowflake

SECRET: Final = "wire.secret.for-tests-only"  # noqa: S105 - it opens nothing but this loopback


@dataclass(slots=True)
class Calls:
    """The calls of a wire: ``instances`` are who is where, by instance.

    ``codes`` were given for a person and count once, ``tokens`` are what they were exchanged for.
    """

    instances: dict[str, tuple[Channel, list[Person]]] = field(default_factory=dict)
    codes: dict[str, Person] = field(default_factory=dict)
    tokens: dict[str, Person] = field(default_factory=dict)

    def agree(self, person: Person) -> str:
        """Somebody lets the Activity know who they are: the code that their app hands to the page."""
        code = f"code-{snowflake()}"
        self.codes[code] = person
        return code

    def exchange(self, form: Json) -> Json | None:
        """An access token for a code; None where Discord refuses (RFC 6749, 4.1.3 and 5.2)."""
        wanted = {"client_id": str(APPLICATION_ID), "client_secret": SECRET, "grant_type": "authorization_code"}
        code = form.get("code", "")
        if {**wanted, "code": code} != form or code not in self.codes:
            return None
        token = f"token-{snowflake()}"
        self.tokens[token] = self.codes.pop(code)
        return {"access_token": token, "token_type": "Bearer", "expires_in": 604_800, "scope": "identify"}

    def instance(self, number: str) -> Json | None:
        """An instance as the API tells of it; None for one that there is not."""
        if number not in self.instances:
            return None
        channel, people = self.instances[number]
        location = {
            "id": f"gc-{channel.guild_id}-{channel.id}",
            "kind": "gc",
            "channel_id": str(channel.id),
            "guild_id": str(channel.guild_id),
        }
        return {
            "application_id": str(APPLICATION_ID),
            "instance_id": number,
            "launch_id": str(snowflake()),
            "location": location,
            "users": [str(person.id) for person in people],
        }
