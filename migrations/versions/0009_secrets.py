"""So that a roll can be kept secret until somebody shows it."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("session", sa.Column("secrecy", sa.Text()))
    op.add_column("session", sa.Column("revealed_at", sa.BigInteger()))
    is_secret = sa.text("secrecy IS NOT NULL")
    op.create_index("ix_session_secrecy", "session", ["channel_id"], sqlite_where=is_secret, postgresql_where=is_secret)
