"""So that the processes of one bot agree how many requests to Discord each of them sends."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.create_table(
        "share",
        sa.Column("process", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("wants", sa.Integer(), nullable=False),
        sa.Column("may", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("process", name="pk_share"),
    )
    if op.get_bind().dialect.name == "postgresql":
        op.execute("ALTER TABLE share SET UNLOGGED")  # needed for seconds only, and not after a crash
