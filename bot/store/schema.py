"""The tables. Play only ever adds rows to ``session`` and ``ply``; it overwrites nothing.

A roll is deleted as a whole: when its retention ends, or its server was left long ago. A person who asks to be
forgotten is replaced (``bot.store.people``). Times are whole seconds since 1970 (SQLite drops time zones); Discord's
ids need 64 bits.
"""

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.sqlite.dml import Insert, OnConflictClause
from sqlalchemy.schema import SchemaItem

SERIAL = BigInteger().with_variant(Integer(), "sqlite")
"""SQLite autoincrements only a column of type INTEGER."""

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
    }
)

TABLE: Final = "table"
"""The game of the one session per channel whose plies are table steps."""
CLOSE: Final = "close"
"""The offer of a ply that undoes the opening of a roll."""
# Literals, not bound parameters: with a partial index, SQLite replans the statement for each parameter value. That
# cost a third of a press.
THE_TABLE: Final = text(f"'{TABLE}'")
"""``TABLE`` inside a statement."""
A_CLOSING: Final = text(f"'{CLOSE}'")
"""``CLOSE`` inside a statement."""


def partial_index(name: str, *columns: Column[Any], where: ColumnElement[bool], unique: bool = False) -> None:
    """Make an index of the rows that meet ``where``; on PostgreSQL only the migrations say so."""
    Index(name, *columns, unique=unique, sqlite_where=where)


def table(name: str, *parts: SchemaItem, **options: Any) -> Table:
    """Return one of our tables; ``options`` as ``Table`` takes them."""
    return Table(name, metadata, *parts, **options)


OnConflictClause.constraint_target = None  # type: ignore[attr-defined]  # PostgreSQL's compiler asks for it


def upsert(table: Table, key: Sequence[str], columns: Sequence[str], newer: str | None = None) -> Insert:
    """Return an INSERT that replaces the row of its ``key``, with these ``columns``; ``newer``: only if it is larger.
    SQLite's and PostgreSQL's syntax are the same, so SQLite's serves both: PostgreSQL's dialect takes 2.4 MiB.
    """
    into = Insert(table)
    is_newer = table.c[newer] < into.excluded[newer] if newer else None
    values = {name: into.excluded[name] for name in columns}
    return into.on_conflict_do_update(index_elements=key, set_=values, where=is_newer)


session = table(
    "session",
    Column("id", SERIAL, primary_key=True, autoincrement=True),
    Column("game", Text, nullable=False),
    Column("guild_id", BigInteger, index=True),  # NULL in a direct message
    Column("channel_id", BigInteger, nullable=False),
    Column("opened_by", BigInteger, nullable=False, index=True),
    Column("opened_at", BigInteger, nullable=False),
    Column("message_id", BigInteger),  # where it is shown, once known
    Column("is_lost", Integer, nullable=False, server_default="0"),  # 1: on no card, because Discord rejected it
    Column("answer", Text),  # Discord's token of the opening command, for 15 minutes or until its message is known
    Column("repeats", BigInteger),  # the roll whose values are rolled again
    Column("nth", Integer, nullable=False, server_default="1"),  # 2 for the second roll of the same values
    Column("secrecy", Text),  # secret, blind (visible to some until revealed), or practice
    Column("revealed_at", BigInteger),  # when it was revealed
    sqlite_autoincrement=True,  # ids are never reused: old buttons carry them
)
Index("ix_session_channel_id", session.c.channel_id, session.c.id)  # retention: each channel's oldest
partial_index("ix_session_table", session.c.channel_id, where=session.c.game == THE_TABLE, unique=True)
partial_index("ix_session_repeats", session.c.repeats, where=session.c.repeats.isnot(None))
partial_index("ix_session_secrecy", session.c.channel_id, session.c.id, where=session.c.secrecy.isnot(None))

ply = table(
    "ply",
    Column("id", SERIAL, primary_key=True, autoincrement=True),  # the order of all events
    Column("session_id", ForeignKey(session.c.id), nullable=False),
    Column("number", Integer, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("person_id", BigInteger, nullable=False),
    Column("offer", Text, nullable=False),
    Column("choice", Text, nullable=False),  # JSON
    Column("draws", Text, nullable=False),  # JSON
    Column("changes", Text, nullable=False),  # JSON: pieces before and after
    Column("undoes", BigInteger),  # the ply that this one undoes
    Column("schema", Integer, nullable=False),
    Column("state", Text, nullable=False),  # JSON, in version ``schema``
    Column("at", BigInteger, nullable=False),
    Column("about", BigInteger),  # of a request: the ply to undo; of an answer: the request
    Column("interaction_id", BigInteger),  # Discord's, so that a duplicate delivery counts once
    UniqueConstraint("session_id", "number"),
)
Index("ix_ply_channel_id", ply.c.channel_id, ply.c.id)
Index("ix_ply_person_id", ply.c.person_id, ply.c.id)
partial_index("ix_ply_about", ply.c.about, where=ply.c.about.isnot(None))
partial_index("ix_ply_interaction_id", ply.c.interaction_id, where=ply.c.interaction_id.isnot(None), unique=True)
partial_index("ix_ply_undoes", ply.c.undoes, where=ply.c.undoes.isnot(None), unique=True)

seat = table(
    "seat",
    Column("session_id", ForeignKey(session.c.id), primary_key=True),
    Column("side", Text, primary_key=True),
    Column("since", Integer, primary_key=True),  # number of the ply that seated them; the last one counts
    Column("person_id", BigInteger, index=True),  # NULL: the seat is free for anyone
    Column("name", Text, nullable=False),
)

piece = table(
    "piece",
    Column("id", SERIAL, primary_key=True, autoincrement=True),
    Column("channel_id", BigInteger, nullable=False),
    Column("game", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("key", Text, nullable=False),  # normalized name for lookup
    Column("body", Text, nullable=False),  # JSON, in version ``schema``
    Column("schema", Integer, nullable=False),
    UniqueConstraint("channel_id", "game", "key"),
)

player = table(
    "player",
    Column("id", SERIAL, primary_key=True, autoincrement=True),  # pieces name their owner by it
    Column("guild_id", BigInteger, index=True),
    Column("channel_id", BigInteger, nullable=False),
    Column("person_id", BigInteger, nullable=False, index=True),
    Column("name", Text, nullable=False),
    sqlite_autoincrement=True,  # numbers are never reused: restored pieces carry them
)
partial_index(
    "ix_player_channel_id", player.c.channel_id, player.c.person_id, where=player.c.person_id != text("0"), unique=True
)

plan = table(
    "plan",  # players' private choices: drafts, and sheets fixed by a commitment
    Column("id", SERIAL, primary_key=True, autoincrement=True),
    Column("guild_id", BigInteger, index=True),
    Column("channel_id", BigInteger, nullable=False),
    Column("player_id", BigInteger, nullable=False),  # the number of a player
    Column("game", Text, nullable=False),
    Column("sheet", Text, nullable=False),
    Column("body", Text, nullable=False),  # JSON
    Column("root", Text, unique=True),  # the commitment in hex; NULL for a draft
    Column("at", BigInteger, nullable=False),
)
partial_index(
    "ix_plan_player_id", plan.c.player_id, plan.c.game, plan.c.sheet, where=plan.c.root.is_(None), unique=True
)
Index("ix_plan_channel_id", plan.c.channel_id, plan.c.id)

opening = table(
    "opening",  # parts of a sheet that are public since a ply; undoing that ply changes nothing here
    Column("id", SERIAL, primary_key=True, autoincrement=True),
    Column("ply_id", BigInteger, nullable=False, index=True),  # tells the person and the time
    Column("session_id", ForeignKey(session.c.id), nullable=False, index=True),
    Column("channel_id", BigInteger, nullable=False),
    Column("player_id", BigInteger, nullable=False),  # the sheet's owner, by player number
    Column("root", Text, nullable=False),  # the commitment in hex
    Column("rule", Text, nullable=False),  # the rule that opened it
    Column("leaves", Text, nullable=False),  # JSON: the hashes of all its leaves
    Column("opened", Text, nullable=False),  # JSON: the opened places with their choices and random bytes
)
Index("ix_opening_channel_id", opening.c.channel_id, opening.c.root)

saved = table(
    "saved",  # named rolls of a person or a channel
    Column("id", SERIAL, primary_key=True, autoincrement=True),
    Column("scope", Text, nullable=False),  # channel or person
    Column("scope_id", BigInteger, nullable=False),
    Column("guild_id", BigInteger, index=True),  # of a channel in a server
    Column("name", Text, nullable=False),
    Column("key", Text, nullable=False),  # normalized name for lookup
    Column("line", Text, nullable=False),  # the command as people type it
    UniqueConstraint("scope", "scope_id", "key"),
    sqlite_autoincrement=True,  # ids are never reused: the buttons of panels carry them
)

shown = table(
    "shown",  # messages that are kept up to date; kinds in ``bot.store.tracked_messages``
    Column("channel_id", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", Text, primary_key=True),
    Column("of_id", BigInteger, primary_key=True, autoincrement=False),  # a person or a roll; 0 for the channel itself
    Column("guild_id", BigInteger, index=True),
    Column("message_id", BigInteger, nullable=False),
    Column("look", Integer, nullable=False),  # a ``RenderMode`` number
)
Index("ix_shown_of_id", shown.c.of_id, shown.c.kind)

watch_link = table(
    "watch_link",  # links to watch a channel's table for some hours
    Column("channel_id", BigInteger, primary_key=True, autoincrement=False),
    Column("person_id", BigInteger, primary_key=True, autoincrement=False, index=True),  # its maker
    Column("guild_id", BigInteger, index=True),
    Column("digest", Text, nullable=False, unique=True),  # SHA-256 of the token, in hex
    Column("until", BigInteger, nullable=False),
)

redraw = table(
    "redraw",  # draws that were seen and undone: they come again for the same person, newest row first
    Column("id", SERIAL, primary_key=True, autoincrement=True),
    Column("ply_id", BigInteger, nullable=False, index=True),
    Column("session_id", ForeignKey(session.c.id), nullable=False, index=True),
    Column("channel_id", BigInteger, nullable=False, index=True),
    Column("draws", Text, nullable=False),  # JSON
    sqlite_autoincrement=True,
)

ruleset = table(
    "ruleset",
    Column("scope", Text, primary_key=True),  # server, channel or person
    Column("scope_id", BigInteger, primary_key=True, autoincrement=False),
    Column("setting", Text, primary_key=True),
    Column("value", Text, nullable=False),  # JSON
    Column("locked", Integer, nullable=False),  # 1: overrides preferences
    Column("guild_id", BigInteger, index=True),  # of a server or one of its channels
)

kept_file = table(
    "kept_file",  # files of a server, for a game
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", Text, primary_key=True),
    Column("body", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)

server = table(
    "server",
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("left_at", BigInteger, index=True),  # NULL while the bot is in it
    Column("language_asked_at", BigInteger),  # NULL until its admin was asked for the bot's language
)

block = table(
    "block",  # people and servers the operator blocked; kept when the person asks to be forgotten
    Column("kind", Text, primary_key=True),  # person or server
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("reason", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("until", BigInteger),  # NULL: until it is lifted
)

registration = table(
    "registration",
    Column("scope", Text, primary_key=True),  # the server's id, or a word for all servers
    Column("digest", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)

interaction = table(
    "interaction",  # interactions claimed by a process; unlogged on PostgreSQL
    Column("id", BigInteger, primary_key=True, autoincrement=False),  # Discord's id
    Column("at", BigInteger, nullable=False),
)

share = table(
    "share",  # requests that each process wants to send; unlogged on PostgreSQL
    Column("process", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("wants", Integer, nullable=False),
    Column("may", Float, nullable=False),  # requests a second
)

shard = table(
    "shard",  # the last report of each shard, for any process's status page
    Column("id", Integer, primary_key=True, autoincrement=False),  # the shard's number
    Column("at", BigInteger, nullable=False),  # when the shard last worked
    Column("latency", Float, nullable=False),  # seconds
    Column("servers", Integer, nullable=False),
)

seal = table(
    "seal",
    Column("id", SERIAL, primary_key=True, autoincrement=True),
    Column("guild_id", BigInteger, index=True),
    Column("channel_id", BigInteger),  # NULL once only the count is kept
    Column("opened_by", BigInteger, nullable=False),
    Column("opponent_id", BigInteger),  # the other player who must give a word
    Column("opened_at", BigInteger, nullable=False),
    Column("number", Integer, nullable=False),  # counts a channel's seals from 1, including abandoned ones
    Column("key", Text),  # 64 hex digits; secret until the reveal
    Column("hidden_key", Text),  # the same, for secret rolls
    Column("commit_message", BigInteger),  # the message with the commitment
    Column("header", Text),  # canonical JSON, set when sealed
    Column("sealed_at", BigInteger),  # NULL while words are given
    Column("ended_at", BigInteger),
    Column("revealed_at", BigInteger),  # when the transcript was posted
    sqlite_autoincrement=True,
)
partial_index("ix_seal_channel_id", seal.c.channel_id, where=seal.c.ended_at.is_(None), unique=True)

seal_word = table(
    "seal_word",
    Column("seal_id", ForeignKey(seal.c.id), primary_key=True),
    Column("person_id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("word", Text, nullable=False),  # "" while only its hash is known
    Column("hash", Text),  # 64 hex digits, if given first
    Column("given_by", BigInteger),  # Discord's interaction id
)

seal_ply = table(
    "seal_ply",  # the chain of a sealed table; it names people until the seal is erased, or nothing could be verified
    Column("seal_id", ForeignKey(seal.c.id), primary_key=True),
    Column("place", Integer, primary_key=True, autoincrement=False),  # from 1
    Column("session_id", BigInteger, nullable=False),
    Column("number", Integer, nullable=False),
    Column("ply", Text, nullable=False),  # canonical JSON, as in the transcript
    Column("hash", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    UniqueConstraint("session_id", "number"),
)

die_count = table(
    "die_count",  # how often each side was drawn; no personal data
    Column("kind", Text, primary_key=True),
    Column("side", Integer, primary_key=True, autoincrement=False),
    Column("count", BigInteger, nullable=False),
)

counted = table(
    "counted",  # one row
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("ply_id", BigInteger, nullable=False),  # the last ply in the counts
    Column("log_highest", Float, nullable=False),  # logarithm of the highest e-value so far
)
