"""So that tables choose rules, seats change hands, people can be told and forgotten, and left servers are erased."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "ruleset",
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("scope_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("setting", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("locked", sa.Integer(), nullable=False),
        sa.Column("guild_id", sa.BigInteger()),
        sa.PrimaryKeyConstraint("scope", "scope_id", "setting", name="pk_ruleset"),
    )
    op.create_index("ix_ruleset_guild_id", "ruleset", ["guild_id"])
    op.create_table(
        "server",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("left_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id", name="pk_server"),
    )
    op.create_index("ix_server_left_at", "server", ["left_at"])
    op.create_index("ix_session_guild_id", "session", ["guild_id"])
    op.create_index("ix_session_opened_by", "session", ["opened_by"])
    op.create_index("ix_ply_person_id", "ply", ["person_id", "id"])
    with op.batch_alter_table("seat") as seat:  # each change of hands is a row of its own, so that undo can go back
        seat.drop_constraint("pk_seat", type_="primary")
        seat.create_primary_key("pk_seat", ["session_id", "side", "since"])
        seat.alter_column("person_id", existing_type=sa.BigInteger(), nullable=True)
    op.create_index("ix_seat_person_id", "seat", ["person_id"])
