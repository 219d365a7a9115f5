"""Who plays, and where."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody on Discord: their number, and the name they go by here."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class Place:
    """A channel, and its server unless it is a direct message.

    ``call`` are the people in the call of a voice channel: an open roll in its chat belongs to the others of them.
    ``parent_id`` is the channel that a thread is in. ``is_alone``: nobody else can come there, as in a direct message
    with the bot, so one person plays both sides. ``interaction_id`` is Discord's number of what happens there now, so
    that one which is delivered twice counts once.
    """

    channel_id: int
    guild_id: int | None = None
    call: tuple[Person, ...] = ()
    parent_id: int | None = None
    is_alone: bool = False
    interaction_id: int | None = field(default=None, compare=False)

    def others(self, than: Person) -> tuple[Person, ...]:
        """Who is in the call with somebody; nobody, if that person is not in it themselves."""
        others = tuple(person for person in self.call if person.id != than.id)
        return others if len(others) < len(self.call) else ()
