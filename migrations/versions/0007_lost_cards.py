"""So that a roll whose card Discord did not take is known as such, and none that has a card is taken for one."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("session", sa.Column("is_lost", sa.Integer(), nullable=False, server_default="0"))
