"""So that all messages that are kept up to date stand in one table: boards, panels, and copies in log channels."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.create_table(
        "shown",
        sa.Column("channel_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("of_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger()),
        sa.Column("message_id", sa.BigInteger(), nullable=False),
        sa.Column("look", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("channel_id", "kind", "of_id", name="pk_shown"),
    )
    op.create_index("ix_shown_guild_id", "shown", ["guild_id"])
    op.create_index("ix_shown_of_id", "shown", ["of_id", "kind"])
    op.execute(
        "INSERT INTO shown (channel_id, kind, of_id, guild_id, message_id, look) "
        "SELECT channel_id, 'board', 0, guild_id, message_id, embeds FROM board"
    )
    op.execute(  # a look of 1 is that of a message with an embed
        "INSERT INTO shown (channel_id, kind, of_id, guild_id, message_id, look) "
        "SELECT channel_id, kind, person_id, guild_id, message_id, 1 FROM panel"
    )
    op.execute(
        "INSERT INTO shown (channel_id, kind, of_id, guild_id, message_id, look) "
        "SELECT log_copy.channel_id, 'log', session_id, guild_id, log_copy.message_id, 1 "
        "FROM log_copy JOIN session ON session.id = session_id"
    )
    for table in ("board", "panel", "log_copy"):
        op.drop_table(table)
