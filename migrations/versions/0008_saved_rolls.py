"""So that rolls can be saved under a name, panels outlive a restart, and copies in a log channel can be corrected."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    serial = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "saved",
        sa.Column("id", serial, autoincrement=True, nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("scope_id", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger()),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_saved"),
        sa.UniqueConstraint("scope", "scope_id", "key", name="uq_saved_scope"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_saved_guild_id", "saved", ["guild_id"])
    op.create_table(
        "panel",
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("person_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger()),
        sa.Column("message_id", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "channel_id", "person_id", name="pk_panel"),
    )
    op.create_index("ix_panel_guild_id", "panel", ["guild_id"])
    op.create_index("ix_panel_person_id", "panel", ["person_id"])
    op.create_table(
        "log_copy",
        sa.Column("session_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("session_id", name="pk_log_copy"),
    )
