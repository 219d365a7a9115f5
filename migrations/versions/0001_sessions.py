"""So that rolls and pieces outlive the process: sessions, plies, seats, pieces, and what Discord was told."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "session",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("guild_id", sa.BigInteger()),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("opened_by", sa.BigInteger(), nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id", name="pk_session"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_session_channel_id", "session", ["channel_id"])
    is_table = sa.text("game = 'table'")
    op.create_index(
        "ix_session_table", "session", ["channel_id"], unique=True, sqlite_where=is_table, postgresql_where=is_table
    )
    op.create_table(
        "ply",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("session_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("person_id", sa.BigInteger(), nullable=False),
        sa.Column("offer", sa.Text(), nullable=False),
        sa.Column("choice", sa.Text(), nullable=False),
        sa.Column("draws", sa.Text(), nullable=False),
        sa.Column("redraws", sa.Text(), nullable=False),
        sa.Column("changes", sa.Text(), nullable=False),
        sa.Column("undoes", sa.BigInteger()),
        sa.Column("schema", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["session_id"], ["session.id"], name="fk_ply_session_id"),
        sa.PrimaryKeyConstraint("id", name="pk_ply"),
        sa.UniqueConstraint("session_id", "number", name="uq_ply_session_id"),
    )
    op.create_index("ix_ply_channel_id", "ply", ["channel_id", "id"])
    is_undo = sa.text("undoes IS NOT NULL")
    op.create_index("ix_ply_undoes", "ply", ["undoes"], unique=True, sqlite_where=is_undo, postgresql_where=is_undo)
    op.create_table(
        "seat",
        sa.Column("session_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("side", sa.Text(), nullable=False),
        sa.Column("person_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("since", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["session_id"], ["session.id"], name="fk_seat_session_id"),
        sa.PrimaryKeyConstraint("session_id", "side", name="pk_seat"),
    )
    op.create_table(
        "piece",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("schema", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_piece"),
        sa.UniqueConstraint("channel_id", "game", "key", name="uq_piece_channel_id"),
    )
    op.create_table(
        "redraw",
        sa.Column("channel_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("draws", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("channel_id", "game", name="pk_redraw"),
    )
    op.create_table(
        "registration",
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("scope", name="pk_registration"),
    )
