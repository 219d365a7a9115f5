"""So that seals have numbers, words may be given as hashes, and dice that were taken back wait for their person.

Sealed tables of before end: their transcripts are posted as what they are, and their rolls stay as they were.
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

SERIAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    bind = op.get_bind()
    now = "CAST(strftime('%s', 'now') AS INTEGER)"
    if bind.dialect.name == "postgresql":
        now = "CAST(extract(epoch FROM now()) AS BIGINT)"
    op.execute(
        f"UPDATE session SET revealed_at = {now} WHERE secrecy IS NOT NULL AND revealed_at IS NULL AND id IN "  # noqa: S608 - nothing of it is typed
        "(SELECT session_id FROM seal_ply JOIN seal ON seal.id = seal_ply.seal_id WHERE ended_at IS NULL)"
    )
    op.execute("DELETE FROM seal_word WHERE seal_id IN (SELECT id FROM seal WHERE sealed_at IS NULL)")
    op.execute("DELETE FROM seal WHERE sealed_at IS NULL")
    op.execute(f"UPDATE seal SET ended_at = {now} WHERE ended_at IS NULL")  # noqa: S608 - as above
    for column in (
        sa.Column("number", sa.Integer()),
        sa.Column("hidden_key", sa.Text()),
        sa.Column("commit_message", sa.BigInteger()),
    ):
        op.add_column("seal", column)
    op.execute(
        "UPDATE seal SET number = (SELECT count(*) FROM seal AS before "
        "WHERE before.channel_id = seal.channel_id AND before.id <= seal.id) WHERE channel_id IS NOT NULL"
    )
    op.add_column("seal_word", sa.Column("hash", sa.Text()))
    op.add_column("seal_word", sa.Column("given_by", sa.BigInteger()))

    op.drop_index("ix_redraw_session_id", "redraw")
    op.rename_table("redraw", "redraw_before")
    if bind.dialect.name == "postgresql":
        op.execute("ALTER TABLE redraw_before RENAME CONSTRAINT pk_redraw TO pk_redraw_before")
    op.create_table(
        "redraw",
        sa.Column("id", SERIAL, autoincrement=True, nullable=False),
        sa.Column("ply_id", sa.BigInteger(), nullable=False),
        sa.Column("session_id", SERIAL, nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("draws", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_redraw"),
        sa.ForeignKeyConstraint(["session_id"], ["session.id"], name="fk_redraw_session_id"),
        sqlite_autoincrement=True,
    )
    op.execute(
        "INSERT INTO redraw (ply_id, session_id, channel_id, draws) "
        "SELECT redraw_before.ply_id, redraw_before.session_id, ply.channel_id, redraw_before.draws "
        "FROM redraw_before JOIN ply ON ply.id = redraw_before.ply_id "
        "WHERE redraw_before.draws <> '[]' ORDER BY redraw_before.ply_id DESC"
    )
    op.drop_table("redraw_before")
    for name in ("ply_id", "session_id", "channel_id"):
        op.create_index(f"ix_redraw_{name}", "redraw", [name])
    op.drop_column("session", "opening")
    op.drop_column("session", "reopens")
