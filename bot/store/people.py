"""What the rows hold about one person: read in pages, forgotten in steps.

A page is newest first and goes on below its last key. A step changes so many rows at most and says how many; what was
forgotten is no longer found, so the same steps again finish what was broken off.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import bindparam, case, delete, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import ply, ruleset, seat, session

FORGOTTEN: Final = 0
"""Stands in place of a person who asked to be forgotten; nobody on Discord has this number."""

_IS_THEIRS = (ruleset.c.scope == "person") & (ruleset.c.scope_id == bindparam("person"))
_PREFERENCES = select(ruleset.c.setting, ruleset.c.value).where(_IS_THEIRS).order_by(ruleset.c.setting)
_SEATS = (
    select(seat.c.session_id, seat.c.side, seat.c.since, seat.c.name)
    .where(seat.c.person_id == bindparam("person"))
    .where(
        tuple_(seat.c.session_id, seat.c.side, seat.c.since)
        < tuple_(bindparam("before"), bindparam("side"), bindparam("since"))
    )
    .order_by(seat.c.session_id.desc(), seat.c.side.desc(), seat.c.since.desc())
    .limit(bindparam("most"))
)
_OPENED = (
    select(session)
    .where(session.c.opened_by == bindparam("person"), session.c.id < bindparam("before"))
    .order_by(session.c.id.desc())
    .limit(bindparam("most"))
)
_EXPORTED = [
    ply.c[name] for name in ("id", "session_id", "number", "channel_id", "offer", "choice", "draws", "changes", "at")
]
_OPENING = case((ply.c.number == 0, ply.c.state)).label("opening")
_PRESSES = (
    select(*_EXPORTED, _OPENING, session.c.game, session.c.guild_id, session.c.secrecy, session.c.revealed_at)
    .join(session, session.c.id == ply.c.session_id)
    .where(ply.c.person_id == bindparam("person"), ply.c.id < bindparam("before"))
    .order_by(ply.c.id.desc())
    .limit(bindparam("most"))
)
_FORGET_PREFERENCES = delete(ruleset).where(_IS_THEIRS)
_SEAT = (seat.c.session_id, seat.c.side, seat.c.since)
_SOME_SEATS = select(*_SEAT).where(seat.c.person_id == bindparam("person")).limit(bindparam("most"))
_FORGET_SEATS = (
    update(seat).where(tuple_(*_SEAT).in_(_SOME_SEATS)).values(person_id=FORGOTTEN, name=bindparam("called"))
)
_SOME_OPENED = select(session.c.id).where(session.c.opened_by == bindparam("person")).limit(bindparam("most"))
_FORGET_OPENED = update(session).where(session.c.id.in_(_SOME_OPENED)).values(opened_by=FORGOTTEN)
_CHOICES = select(ply.c.id, ply.c.choice).where(ply.c.person_id == bindparam("person")).limit(bindparam("most"))
_FORGET_PLIES = update(ply).where(ply.c.id.in_(bindparam("plies", expanding=True))).values(person_id=FORGOTTEN)
_REWORD = update(ply).where(ply.c.id == bindparam("of_ply")).values(choice=bindparam("new_choice"))


@dataclass(frozen=True, slots=True)
class Page:
    """Whose rows, below which key, and how many of them; ``side`` and ``since`` are the rest of a seat's key."""

    person: int
    before: int
    most: int
    side: str = ""
    since: int = 0

    @property
    def values(self) -> dict[str, Any]:
        return {"person": self.person, "before": self.before, "most": self.most}


async def preferences(connection: AsyncConnection, person: int) -> Sequence[Any]:
    """Setting and value (JSON text) of each preference."""
    return (await connection.execute(_PREFERENCES, {"person": person})).all()


async def seats(connection: AsyncConnection, page: Page) -> Sequence[Any]:
    """Session, side, the ply that seated them, and name; the first three are the key."""
    return (await connection.execute(_SEATS, page.values | {"side": page.side, "since": page.since})).all()


async def opened(connection: AsyncConnection, page: Page) -> Sequence[Any]:
    """The sessions that they opened; the key is ``id``."""
    return (await connection.execute(_OPENED, page.values)).all()


async def presses(connection: AsyncConnection, page: Page) -> Sequence[Any]:
    """Their plies with game and server, and ``opening``: the state of a first ply; the key is ``id``."""
    return (await connection.execute(_PRESSES, page.values)).all()


async def forget_preferences(connection: AsyncConnection, person: int) -> int:
    return (await connection.execute(_FORGET_PREFERENCES, {"person": person})).rowcount


async def forget_seats(connection: AsyncConnection, person: int, called: str, most: int) -> int:
    """Let ``FORGOTTEN`` sit where they sat, by another name."""
    return (await connection.execute(_FORGET_SEATS, {"person": person, "called": called, "most": most})).rowcount


async def forget_opened(connection: AsyncConnection, person: int, most: int) -> int:
    return (await connection.execute(_FORGET_OPENED, {"person": person, "most": most})).rowcount


async def choices(connection: AsyncConnection, person: int, most: int) -> dict[int, str]:
    """What they took (JSON text), by the ids of some of their plies."""
    rows = (await connection.execute(_CHOICES, {"person": person, "most": most})).all()
    return {row.id: row.choice for row in rows}


async def forget_plies(connection: AsyncConnection, plies: list[int], reworded: Mapping[int, str]) -> None:
    """Make ``FORGOTTEN`` the one who pressed, and put other words in place of some choices."""
    if reworded:
        words = [{"of_ply": key, "new_choice": choice} for key, choice in reworded.items()]
        await connection.execute(_REWORD, words)
    await connection.execute(_FORGET_PLIES, {"plies": plies})
