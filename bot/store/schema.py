"""The tables. Playing only ever adds rows of ``session`` and ``ply``; nothing that was played is overwritten.

They go as a whole: when a roll is older than its place keeps rolls, when a server has been left for long. A person who
asks to be forgotten is replaced in them (``bot.store.people``); what was played stays.

Moments are whole seconds since 1970 (SQLite drops time zones); Discord's ids need 64 bits.
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
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects.postgresql import Insert

SERIAL = BigInteger().with_variant(Integer(), "sqlite")
"""SQLite counts up by itself only in a column called INTEGER."""

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
"""The offer of a ply that takes the opening of a roll back."""
# Compare with these, never with a parameter of the same value: where a partial index might serve, SQLite looks at what
# a parameter holds, and so plans the whole statement anew each time. A third of the time of a press went there.
THE_TABLE: Final = text(f"'{TABLE}'")
"""``TABLE`` inside a statement."""
A_CLOSING: Final = text(f"'{CLOSE}'")
"""``CLOSE`` inside a statement."""


def partial_index(name: str, *columns: Column[Any], where: ColumnElement[bool], unique: bool = False) -> None:
    """An index of those rows alone of which a condition is true."""
    Index(name, *columns, unique=unique, sqlite_where=where, postgresql_where=where)


def upsert(table: Table, key: Sequence[str], columns: Sequence[str], newer: str | None = None) -> Insert:
    """An INSERT that takes the place of the row of its ``key``, with these ``columns``.

    ``newer``: only if it is larger in this one. SQLite and PostgreSQL write it alike, so PostgreSQL's serves both.
    """
    into = postgresql.insert(table)
    is_newer = table.c[newer] < into.excluded[newer] if newer else None
    return into.on_conflict_do_update(
        index_elements=key, set_={name: into.excluded[name] for name in columns}, where=is_newer
    )


session = Table(
    "session",
    metadata,
    Column("id", SERIAL, primary_key=True, autoincrement=True),
    Column("game", Text, nullable=False),
    Column("guild_id", BigInteger, index=True),  # empty in a private message
    Column("channel_id", BigInteger, nullable=False),
    Column("opened_by", BigInteger, nullable=False, index=True),
    Column("opened_at", BigInteger, nullable=False),
    Column("message_id", BigInteger),  # where it is shown, once that is known
    Column("is_lost", Integer, nullable=False, server_default="0"),  # 1: it is on no card, because Discord took none
    Column("answer", Text),  # Discord's token of the command that opened it, until its message is known, or 15 minutes
    Column("repeats", BigInteger),  # the roll whose values this one rolls again
    Column("nth", Integer, nullable=False, server_default="1"),  # 2 for the second roll of the same values
    Column("secrecy", Text),  # secret or blind, for a roll that not everybody may see until it is revealed; practice
    Column("revealed_at", BigInteger),  # when everybody was shown it
    sqlite_autoincrement=True,  # an id is never given twice: old buttons carry it
)
Index("ix_session_channel_id", session.c.channel_id, session.c.id)  # retention looks for the oldest of each channel
partial_index("ix_session_table", session.c.channel_id, where=session.c.game == THE_TABLE, unique=True)
partial_index("ix_session_repeats", session.c.repeats, where=session.c.repeats.isnot(None))
partial_index("ix_session_secrecy", session.c.channel_id, session.c.id, where=session.c.secrecy.isnot(None))

ply = Table(
    "ply",
    metadata,
    Column("id", SERIAL, primary_key=True, autoincrement=True),  # the order of all that happened
    Column("session_id", ForeignKey(session.c.id), nullable=False),
    Column("number", Integer, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("person_id", BigInteger, nullable=False),
    Column("offer", Text, nullable=False),
    Column("choice", Text, nullable=False),  # JSON
    Column("draws", Text, nullable=False),  # JSON
    Column("changes", Text, nullable=False),  # JSON: pieces before and after
    Column("undoes", BigInteger),  # the ply that this one took back
    Column("schema", Integer, nullable=False),
    Column("state", Text, nullable=False),  # JSON, in the form that ``schema`` numbers
    Column("at", BigInteger, nullable=False),
    Column("about", BigInteger),  # of a request: the ply to be taken back; of an answer: the request
    Column("interaction_id", BigInteger),  # Discord's, so that one that is delivered twice counts once
    UniqueConstraint("session_id", "number"),
)
Index("ix_ply_channel_id", ply.c.channel_id, ply.c.id)
Index("ix_ply_person_id", ply.c.person_id, ply.c.id)
partial_index("ix_ply_about", ply.c.about, where=ply.c.about.isnot(None))
partial_index("ix_ply_interaction_id", ply.c.interaction_id, where=ply.c.interaction_id.isnot(None), unique=True)
partial_index("ix_ply_undoes", ply.c.undoes, where=ply.c.undoes.isnot(None), unique=True)

seat = Table(
    "seat",
    metadata,
    Column("session_id", ForeignKey(session.c.id), primary_key=True),
    Column("side", Text, primary_key=True),
    Column("since", Integer, primary_key=True),  # the number of the ply that seated them; the last one counts
    Column("person_id", BigInteger, index=True),  # empty: it was freed, for anybody to take
    Column("name", Text, nullable=False),
)

piece = Table(
    "piece",
    metadata,
    Column("id", SERIAL, primary_key=True, autoincrement=True),
    Column("channel_id", BigInteger, nullable=False),
    Column("game", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("key", Text, nullable=False),  # the name as it is looked for
    Column("body", Text, nullable=False),  # JSON, in the form that ``schema`` numbers
    Column("schema", Integer, nullable=False),
    UniqueConstraint("channel_id", "game", "key"),
)

player = Table(
    "player",
    metadata,
    Column("id", SERIAL, primary_key=True, autoincrement=True),  # pieces name their owner by it
    Column("guild_id", BigInteger, index=True),
    Column("channel_id", BigInteger, nullable=False),
    Column("person_id", BigInteger, nullable=False, index=True),
    Column("name", Text, nullable=False),
    sqlite_autoincrement=True,  # a number is never given twice: pieces taken back carry it
)
partial_index(
    "ix_player_channel_id", player.c.channel_id, player.c.person_id, where=player.c.person_id != text("0"), unique=True
)

plan = Table(
    "plan",  # what players have chosen in private: drafts, and sheets that a commitment fixed
    metadata,
    Column("id", SERIAL, primary_key=True, autoincrement=True),
    Column("guild_id", BigInteger, index=True),
    Column("channel_id", BigInteger, nullable=False),
    Column("player_id", BigInteger, nullable=False),  # the number of a player; their row says who that is
    Column("game", Text, nullable=False),
    Column("sheet", Text, nullable=False),
    Column("body", Text, nullable=False),  # JSON
    Column("root", Text, unique=True),  # the commitment in hex; empty for a draft
    Column("at", BigInteger, nullable=False),
)
partial_index(
    "ix_plan_player_id", plan.c.player_id, plan.c.game, plan.c.sheet, where=plan.c.root.is_(None), unique=True
)
Index("ix_plan_channel_id", plan.c.channel_id, plan.c.id)

opening = Table(
    "opening",  # what of a sheet everybody has seen since a ply; an undo of that ply changes nothing here
    metadata,
    Column("id", SERIAL, primary_key=True, autoincrement=True),
    Column("ply_id", BigInteger, nullable=False, index=True),  # it says who pressed, and when
    Column("session_id", ForeignKey(session.c.id), nullable=False, index=True),
    Column("channel_id", BigInteger, nullable=False),
    Column("player_id", BigInteger, nullable=False),  # whose sheet it is, by the number of a player
    Column("root", Text, nullable=False),  # the commitment in hex
    Column("rule", Text, nullable=False),  # by which rule it opened
    Column("leaves", Text, nullable=False),  # JSON: the hashes of all its places
    Column("opened", Text, nullable=False),  # JSON: the places that opened, their choices and random bytes
)
Index("ix_opening_channel_id", opening.c.channel_id, opening.c.root)

saved = Table(
    "saved",  # rolls under a name, of a person or of a channel
    metadata,
    Column("id", SERIAL, primary_key=True, autoincrement=True),
    Column("scope", Text, nullable=False),  # channel or person
    Column("scope_id", BigInteger, nullable=False),
    Column("guild_id", BigInteger, index=True),  # of a channel in a server
    Column("name", Text, nullable=False),
    Column("key", Text, nullable=False),  # the name as it is looked for
    Column("line", Text, nullable=False),  # the command as people type it
    UniqueConstraint("scope", "scope_id", "key"),
    sqlite_autoincrement=True,  # an id is never given twice: the buttons of panels carry it
)

shown = Table(
    "shown",  # messages that are kept up to date: see ``bot.store.tracked_messages`` for their kinds
    metadata,
    Column("channel_id", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", Text, primary_key=True),
    Column("of_id", BigInteger, primary_key=True, autoincrement=False),  # a person, a roll; 0 for the channel's own
    Column("guild_id", BigInteger, index=True),
    Column("message_id", BigInteger, nullable=False),
    Column("look", Integer, nullable=False),  # a number of ``shown.Look``
)
Index("ix_shown_of_id", shown.c.of_id, shown.c.kind)

watch_link = Table(
    "watch_link",  # who has one may watch the table of a channel for some hours
    metadata,
    Column("channel_id", BigInteger, primary_key=True, autoincrement=False),
    Column("person_id", BigInteger, primary_key=True, autoincrement=False, index=True),  # who made it
    Column("guild_id", BigInteger, index=True),
    Column("digest", Text, nullable=False, unique=True),  # SHA-256 of the token, in hex
    Column("until", BigInteger, nullable=False),
)

redraw = Table(
    "redraw",  # draws that were seen and taken back: they come again for whoever made the ply, the newest row first
    metadata,
    Column("id", SERIAL, primary_key=True, autoincrement=True),
    Column("ply_id", BigInteger, nullable=False, index=True),
    Column("session_id", ForeignKey(session.c.id), nullable=False, index=True),
    Column("channel_id", BigInteger, nullable=False, index=True),
    Column("draws", Text, nullable=False),  # JSON
    sqlite_autoincrement=True,
)

ruleset = Table(
    "ruleset",
    metadata,
    Column("scope", Text, primary_key=True),  # server, channel or person
    Column("scope_id", BigInteger, primary_key=True, autoincrement=False),
    Column("setting", Text, primary_key=True),
    Column("value", Text, nullable=False),  # JSON
    Column("locked", Integer, nullable=False),  # 1: preferences do not beat it
    Column("guild_id", BigInteger, index=True),  # of a server or one of its channels
)

kept_file = Table(
    "kept_file",  # of a server, for a game
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", Text, primary_key=True),
    Column("body", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)

server = Table(
    "server",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("left_at", BigInteger, index=True),  # empty while the bot is in it
    Column("language_asked_at", BigInteger),  # empty until its admin was asked which language the bot should speak
)

block = Table(
    "block",  # whom the operator keeps out; it stays when the person asks to be forgotten
    metadata,
    Column("kind", Text, primary_key=True),  # person or server
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("reason", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("until", BigInteger),  # empty: until it is lifted
)

registration = Table(
    "registration",
    metadata,
    Column("scope", Text, primary_key=True),  # the server's id, or a word for all servers
    Column("digest", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)

interaction = Table(
    "interaction",  # what some process has taken to answer, so that no other one does; not logged on PostgreSQL
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),  # Discord's
    Column("at", BigInteger, nullable=False),
)

share = Table(
    "share",  # how many requests to Discord each process wants to send; not logged on PostgreSQL
    metadata,
    Column("process", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("wants", Integer, nullable=False),
    Column("may", Float, nullable=False),  # a second
)

shard = Table(
    "shard",  # what each shard said of itself last, for the status page of any process
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),  # its number
    Column("at", BigInteger, nullable=False),  # when people last got answers from it
    Column("latency", Float, nullable=False),  # seconds
    Column("servers", Integer, nullable=False),
)

seal = Table(
    "seal",
    metadata,
    Column("id", SERIAL, primary_key=True, autoincrement=True),
    Column("guild_id", BigInteger, index=True),
    Column("channel_id", BigInteger),  # empty once only the count of it is kept
    Column("opened_by", BigInteger, nullable=False),
    Column("opponent_id", BigInteger),  # the other player, who has to give a word as well
    Column("opened_at", BigInteger, nullable=False),
    Column("number", Integer, nullable=False),  # counts the seals of a channel from 1, also those that were given up
    Column("key", Text),  # 64 hex digits; secret until the end
    Column("hidden_key", Text),  # the same, of secret rolls
    Column("commit_message", BigInteger),  # the message with the commitment
    Column("header", Text),  # canonical JSON, from the moment of the seal on
    Column("sealed_at", BigInteger),  # empty while words are given
    Column("ended_at", BigInteger),
    Column("revealed_at", BigInteger),  # when the transcript was posted
    sqlite_autoincrement=True,
)
partial_index("ix_seal_channel_id", seal.c.channel_id, where=seal.c.ended_at.is_(None), unique=True)

seal_word = Table(
    "seal_word",
    metadata,
    Column("seal_id", ForeignKey(seal.c.id), primary_key=True),
    Column("person_id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("word", Text, nullable=False),  # "" while only its hash is given
    Column("hash", Text),  # 64 hex digits, where somebody gave it first
    Column("given_by", BigInteger),  # Discord's number of what brought it
)

seal_ply = Table(
    "seal_ply",  # the chain of a sealed table; it names people until the seal is erased, or nothing could be checked
    metadata,
    Column("seal_id", ForeignKey(seal.c.id), primary_key=True),
    Column("place", Integer, primary_key=True, autoincrement=False),  # from 1
    Column("session_id", BigInteger, nullable=False),
    Column("number", Integer, nullable=False),
    Column("ply", Text, nullable=False),  # canonical JSON, as in the transcript
    Column("hash", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    UniqueConstraint("session_id", "number"),
)

die_count = Table(
    "die_count",  # how often each side was drawn; no person is in it
    metadata,
    Column("kind", Text, primary_key=True),
    Column("side", Integer, primary_key=True, autoincrement=False),
    Column("count", BigInteger, nullable=False),
)

counted = Table(
    "counted",  # one row
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("ply_id", BigInteger, nullable=False),  # the last ply whose dice are in the counts
    Column("log_highest", Float, nullable=False),  # the highest e-value so far, as a logarithm
)
