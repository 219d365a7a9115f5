"""So that opening a roll costs the same however many rolls its channel has."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    is_closing = sa.text("offer = 'close'")
    op.create_index("ix_ply_closing", "ply", ["channel_id"], sqlite_where=is_closing, postgresql_where=is_closing)
