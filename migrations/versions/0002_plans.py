"""What players have planned in private.

Revision ID: 0002
Revises: 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

SERIAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "plan",
        sa.Column("id", SERIAL, autoincrement=True, nullable=False),
        sa.Column("guild_id", sa.BigInteger()),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("sheet", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("root", sa.Text()),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_plan"),
        sa.UniqueConstraint("root", name="uq_plan_root"),
    )
    op.create_index("ix_plan_guild_id", "plan", ["guild_id"])
    op.create_index("ix_plan_channel_id", "plan", ["channel_id", "id"])
    op.create_index(
        "ix_plan_player_id",
        "plan",
        ["player_id", "game", "sheet"],
        unique=True,
        sqlite_where=sa.text("root IS NULL"),
        postgresql_where=sa.text("root IS NULL"),
    )
