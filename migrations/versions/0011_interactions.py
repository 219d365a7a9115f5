"""So that of two processes that hear of the same interaction only one answers it."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "interaction",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_interaction"),
    )
    if op.get_bind().dialect.name == "postgresql":
        op.execute("ALTER TABLE interaction SET UNLOGGED")  # needed for seconds only, and not after a crash
