"""The rows about one person: read in pages, erased in steps.

A page is newest first and continues below its last key. A step changes a limited number of rows and returns it.
Forgotten rows are no longer found, so repeating the steps finishes interrupted work.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.schema import (
    block,
    plan,
    player,
    ply,
    ruleset,
    saved,
    seal,
    seal_ply,
    seal_word,
    seat,
    session,
    shown,
    watch_link as link,
)
from bot.store.tracked_messages import EVERYBODY, MessageKind

FORGOTTEN: Final = 0
"""Replaces a person who asked to be forgotten; no Discord user has this id."""


@dataclass(frozen=True, slots=True)
class PersonalDataQuery:
    """A list of rows about a ``person``: a page below some ``keys``, or everything without keys."""

    query: sa.Select[Any]
    keys: tuple[str, ...] = ()


FIRST: Final[Mapping[str, int | str]] = {"id": 2**62, "session_id": 2**62, "side": "", "since": 0}
"""Keys above every row, for the first page."""
_PERSON: sa.BindParameter[int] = sa.bindparam("person")
_PREFERRED = (ruleset.c.scope == "person") & (ruleset.c.scope_id == _PERSON)
_SAVED = (saved.c.scope == "person") & (saved.c.scope_id == _PERSON)
_PANEL = sa.and_(shown.c.kind == MessageKind.SAVED, shown.c.of_id == _PERSON, shown.c.of_id != EVERYBODY)
_PLAYER_IDS = sa.select(player.c.id).where(player.c.person_id == _PERSON)
_SEAT = (seat.c.session_id, seat.c.side, seat.c.since)
_PLY = [
    ply.c[name] for name in ("id", "session_id", "number", "channel_id", "offer", "choice", "draws", "changes", "at")
]
_OPENING = sa.case((ply.c.number == 0, ply.c.state)).label("opening")
_BELOW_ID: sa.BindParameter[int] = sa.bindparam("below_id")
_LIMIT: sa.BindParameter[int] = sa.bindparam("most")


def _by_id(query: sa.Select[Any], of: sa.Table) -> PersonalDataQuery:
    """Rows ``of`` a table in pages, by their ids."""
    return PersonalDataQuery(query.where(of.c.id < _BELOW_ID).order_by(of.c.id.desc()).limit(_LIMIT), ("id",))


KEPT: Final[Mapping[str, PersonalDataQuery]] = {
    "preferences": PersonalDataQuery(
        sa.select(ruleset.c.setting, ruleset.c.value).where(_PREFERRED).order_by(ruleset.c.setting)
    ),
    "saved_rolls": PersonalDataQuery(
        sa.select(saved.c.name, saved.c.line).where(_SAVED).order_by(saved.c.key, saved.c.id)
    ),
    "panels": PersonalDataQuery(sa.select(shown).where(_PANEL)),
    "links": PersonalDataQuery(sa.select(link).where(link.c.person_id == _PERSON)),
    "blocks": PersonalDataQuery(sa.select(block).where(block.c.kind == "person", block.c.id == _PERSON)),
    "presses": _by_id(
        sa.select(*_PLY, _OPENING, session.c.game, session.c.guild_id, session.c.secrecy, session.c.revealed_at)
        .join(session, session.c.id == ply.c.session_id)
        .where(ply.c.person_id == _PERSON),
        ply,
    ),
    "rolls_opened": _by_id(sa.select(session).where(session.c.opened_by == _PERSON), session),
    "seats": PersonalDataQuery(
        sa.select(*_SEAT, seat.c.name)
        .where(seat.c.person_id == _PERSON)
        .where(sa.tuple_(*_SEAT) < sa.tuple_(*(sa.bindparam(f"below_{column.key}") for column in _SEAT)))
        .order_by(*(column.desc() for column in _SEAT))
        .limit(_LIMIT),
        ("session_id", "side", "since"),
    ),
    "players": _by_id(sa.select(player).where(player.c.person_id == _PERSON), player),
    "words": PersonalDataQuery(
        sa.select(seal_word.c.word, seal_word.c.name, seal.c.opened_at, seal.c.guild_id, seal.c.channel_id)
        .join(seal, seal.c.id == seal_word.c.seal_id)
        .where(seal_word.c.person_id == _PERSON)
        .order_by(seal.c.id.desc())
    ),
    "sealed_tables": PersonalDataQuery(
        sa.select(seal_ply.c.seal_id, seal_ply.c.place, seal_ply.c.ply, seal_ply.c.at)
        .add_columns(seal.c.guild_id, seal.c.channel_id, seal.c.ended_at)
        .add_columns(session.c.secrecy, session.c.revealed_at)
        .join(seal, seal.c.id == seal_ply.c.seal_id)
        .outerjoin(session, session.c.id == seal_ply.c.session_id)
        .where(seal_ply.c.ply.contains('"' + sa.cast(sa.bindparam("person", type_=sa.BigInteger), sa.Text) + '"'))
        .order_by(seal_ply.c.seal_id.desc(), seal_ply.c.place.desc())
    ),
    "plans": PersonalDataQuery(sa.select(plan).where(plan.c.player_id.in_(_PLAYER_IDS)).order_by(plan.c.id.desc())),
}
"""Stored rows that a person may see, newest first, by the name of their list."""

_IS_PLAYER = sa.and_(player.c.channel_id == link.c.channel_id, player.c.person_id == _PERSON)
_SITS = (
    sa.select(seat.c.session_id)
    .join(session, session.c.id == seat.c.session_id)
    .where(session.c.channel_id == link.c.channel_id, seat.c.person_id == _PERSON)
)
_ERASED: Final[Mapping[str, sa.Delete | sa.Update]] = {
    "preferences": sa.delete(ruleset).where(_PREFERRED),
    "saved": sa.delete(saved).where(_SAVED),
    "panels": sa.delete(shown).where(_PANEL),
    "links": sa.delete(link).where(  # also those of every channel that may show their name
        sa.or_(
            link.c.person_id == _PERSON,
            sa.exists().where(_IS_PLAYER),
            link.c.channel_id.in_(sa.select(ply.c.channel_id).where(ply.c.person_id == _PERSON)),
            sa.exists(_SITS),
        )
    ),
    "plans": sa.delete(plan).where(plan.c.player_id.in_(_PLAYER_IDS)),  # before the numbers lose their person
    "words": sa.delete(seal_word).where(seal_word.c.person_id == _PERSON),  # headers and chains of sealed tables stay
    "asked": sa.update(seal).where(seal.c.opened_by == _PERSON).values(opened_by=FORGOTTEN),
    "opponents": sa.update(seal).where(seal.c.opponent_id == _PERSON).values(opponent_id=FORGOTTEN),
}
_NOBODY: Final[Mapping[str, Any]] = {"person_id": FORGOTTEN, "name": sa.bindparam("called")}
_SOME_SEATS = sa.select(*_SEAT).where(seat.c.person_id == _PERSON).limit(_LIMIT)
_SOME_OPENED = sa.select(session.c.id).where(session.c.opened_by == _PERSON).limit(_LIMIT)
SEATS = sa.update(seat).where(sa.tuple_(*_SEAT).in_(_SOME_SEATS)).values(_NOBODY)
"""Move their seats to ``FORGOTTEN``, under another name."""
OPENED = sa.update(session).where(session.c.id.in_(_SOME_OPENED)).values(opened_by=FORGOTTEN)
PLAYERS = sa.update(player).where(player.c.id.in_(_PLAYER_IDS.limit(_LIMIT))).values(_NOBODY)
"""Move their pieces to ``FORGOTTEN``, under another name."""
_CHOICES = sa.select(ply.c.id, ply.c.choice).where(ply.c.person_id == _PERSON).limit(_LIMIT)
_FORGET_PLIES = sa.update(ply).where(ply.c.id.in_(sa.bindparam("plies", expanding=True))).values(person_id=FORGOTTEN)
_REWORD = sa.update(ply).where(ply.c.id == sa.bindparam("of_ply")).values(choice=sa.bindparam("new_choice"))


async def page(
    connection: AsyncConnection, kept: PersonalDataQuery, person: int, most: int, after: Any | None = None
) -> Sequence[Any]:
    """Return the next rows of a list; ``after`` is the last row of the previous page."""
    values = {f"below_{key}": FIRST[key] if after is None else getattr(after, key) for key in kept.keys}
    rows: Sequence[Any] = (await connection.execute(kept.query, {"person": person, "most": most, **values})).all()
    return rows


async def erase(connection: AsyncConnection, person: int) -> dict[str, int]:
    """Erase the rows that belong to a person alone; return the number by kind."""
    return {kind: (await connection.execute(item, {"person": person})).rowcount for kind, item in _ERASED.items()}


async def forget(connection: AsyncConnection, /, where: sa.Update, person: int, most: int, **called: str) -> int:
    """Run one step of ``SEATS``, ``OPENED`` or ``PLAYERS``; ``called``: the replacement name, if they have one."""
    return (await connection.execute(where, {"person": person, "most": most, **called})).rowcount


async def choices(connection: AsyncConnection, person: int, most: int) -> dict[int, str]:
    """Return their choices (JSON text), by ply id."""
    rows = (await connection.execute(_CHOICES, {"person": person, "most": most})).all()
    return {row.id: row.choice for row in rows}


async def forget_plies(connection: AsyncConnection, plies: list[int], reworded: Mapping[int, str]) -> None:
    """Replace the person of these plies with ``FORGOTTEN``, and the text of some choices."""
    if reworded:
        words = [{"of_ply": key, "new_choice": choice} for key, choice in reworded.items()]
        await connection.execute(_REWORD, words)
    await connection.execute(_FORGET_PLIES, {"plies": plies})
