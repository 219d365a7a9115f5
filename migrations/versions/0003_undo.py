"""So that seen dice stay with whoever saw them, a roll knows which one it repeats, and no interaction counts twice."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("session", sa.Column("opening", sa.Text()))
    op.add_column("session", sa.Column("repeats", sa.BigInteger()))
    op.add_column("session", sa.Column("nth", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("session", sa.Column("reopens", sa.BigInteger()))
    is_repeat = sa.text("repeats IS NOT NULL")
    op.create_index("ix_session_repeats", "session", ["repeats"], sqlite_where=is_repeat, postgresql_where=is_repeat)
    op.add_column("ply", sa.Column("about", sa.BigInteger()))
    op.add_column("ply", sa.Column("interaction_id", sa.BigInteger()))
    is_about = sa.text("about IS NOT NULL")
    op.create_index("ix_ply_about", "ply", ["about"], sqlite_where=is_about, postgresql_where=is_about)
    is_known = sa.text("interaction_id IS NOT NULL")
    op.create_index(
        "ix_ply_interaction_id",
        "ply",
        ["interaction_id"],
        unique=True,
        sqlite_where=is_known,
        postgresql_where=is_known,
    )
    # Draws that waited so far do not say whose they are, so nobody gets them.
    op.drop_column("ply", "redraws")
    op.drop_table("redraw")
    op.create_table(
        "redraw",
        sa.Column("ply_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("session_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("is_opening", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["session_id"], ["session.id"], name="fk_redraw_session_id"),
        sa.PrimaryKeyConstraint("ply_id", name="pk_redraw"),
    )
    op.create_index("ix_redraw_session_id", "redraw", ["session_id"])
