"""So that a channel's table can be watched on a second screen, by who has its link."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.create_table(
        "watch_link",
        sa.Column("channel_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger()),
        sa.Column("person_id", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("channel_id", name="pk_watch_link"),
        sa.UniqueConstraint("digest", name="uq_watch_link_digest"),
    )
    for name in ("guild_id", "person_id"):
        op.create_index(f"ix_watch_link_{name}", "watch_link", [name])
