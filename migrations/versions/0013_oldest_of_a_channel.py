"""So that the oldest roll of each channel is found by one look into an index."""

from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.drop_index("ix_session_channel_id", "session")
    op.create_index("ix_session_channel_id", "session", ["channel_id", "id"])
