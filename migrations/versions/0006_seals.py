"""So that a table can be sealed and anyone can check its dice, and the counts of all dice outlive their rolls."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    serial = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "seal",
        sa.Column("id", serial, autoincrement=True, nullable=False),
        sa.Column("guild_id", sa.BigInteger()),
        sa.Column("channel_id", sa.BigInteger()),
        sa.Column("opened_by", sa.BigInteger(), nullable=False),
        sa.Column("opponent_id", sa.BigInteger()),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("key", sa.Text()),
        sa.Column("header", sa.Text()),
        sa.Column("sealed_at", sa.BigInteger()),
        sa.Column("ended_at", sa.BigInteger()),
        sa.Column("revealed_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id", name="pk_seal"),
        sqlite_autoincrement=True,
    )
    is_open = sa.text("ended_at IS NULL")
    op.create_index(
        "ix_seal_channel_id", "seal", ["channel_id"], unique=True, sqlite_where=is_open, postgresql_where=is_open
    )
    op.create_index("ix_seal_guild_id", "seal", ["guild_id"])
    op.create_table(
        "seal_word",
        sa.Column("seal_id", serial, nullable=False),
        sa.Column("person_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("word", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["seal_id"], ["seal.id"], name="fk_seal_word_seal_id"),
        sa.PrimaryKeyConstraint("seal_id", "person_id", name="pk_seal_word"),
    )
    op.create_table(
        "seal_ply",
        sa.Column("seal_id", serial, nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("session_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["seal_id"], ["seal.id"], name="fk_seal_ply_seal_id"),
        sa.PrimaryKeyConstraint("seal_id", "place", name="pk_seal_ply"),
        sa.UniqueConstraint("session_id", "number", name="uq_seal_ply_session_id"),
    )
    op.create_table(
        "die_count",
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("side", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "side", name="pk_die_count"),
    )
    counted = op.create_table(
        "counted",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("ply_id", sa.BigInteger(), nullable=False),
        sa.Column("log_highest", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_counted"),
    )
    # Dice that came again were not always marked so far, so only what is rolled from now on counts.
    last = op.get_bind().scalar(sa.text("SELECT max(id) FROM ply")) or 0
    op.bulk_insert(counted, [{"id": 1, "ply_id": last, "log_highest": 0.0}])
