"""The tables. Rows of ``session`` and ``ply`` are only ever added; nothing in them is overwritten.

Moments are whole seconds since 1970 (SQLite drops time zones); Discord's ids need 64 bits.
"""

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, MetaData, Table, Text

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)

session = Table(
    "session",
    metadata,
    # SQLite counts up by itself only in a column called INTEGER.
    Column("id", BigInteger().with_variant(Integer(), "sqlite"), primary_key=True, autoincrement=True),
    Column("game", Text, nullable=False),
    Column("guild_id", BigInteger),  # empty in a private message
    Column("channel_id", BigInteger, nullable=False, index=True),
    Column("opened_by", BigInteger, nullable=False),
    Column("opened_at", BigInteger, nullable=False),
    sqlite_autoincrement=True,  # an id is never given twice: old buttons carry it
)

ply = Table(
    "ply",
    metadata,
    Column("session_id", ForeignKey(session.c.id), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("person_id", BigInteger, nullable=False),
    Column("offer", Text, nullable=False),
    Column("choice", Text, nullable=False),  # JSON
    Column("draws", Text, nullable=False),  # JSON
    Column("schema", Integer, nullable=False),
    Column("state", Text, nullable=False),  # JSON, in the form that ``schema`` numbers
    Column("at", BigInteger, nullable=False),
)

seat = Table(
    "seat",
    metadata,
    Column("session_id", ForeignKey(session.c.id), primary_key=True),
    Column("side", Text, primary_key=True),
    Column("person_id", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
)

registration = Table(
    "registration",
    metadata,
    Column("scope", Text, primary_key=True),  # the server's id, or a word for all servers
    Column("digest", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)
