"""So that rolls outlive the process: what was played, planned and chosen, lies on the tables, is sealed and shown."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

SERIAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "block",
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger()),
        sa.PrimaryKeyConstraint("kind", "id", name="pk_block"),
    )
    counted = op.create_table(
        "counted",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("ply_id", sa.BigInteger(), nullable=False),
        sa.Column("log_highest", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_counted"),
    )
    op.create_table(
        "die_count",
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("side", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "side", name="pk_die_count"),
    )
    op.create_table(
        "interaction",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_interaction"),
    )
    op.create_table(
        "kept_file",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "kind", name="pk_kept_file"),
    )
    op.create_table(
        "piece",
        sa.Column("id", SERIAL, autoincrement=True, nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("schema", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_piece"),
        sa.UniqueConstraint("channel_id", "game", "key", name="uq_piece_channel_id"),
    )
    op.create_table(
        "plan",
        sa.Column("id", SERIAL, autoincrement=True, nullable=False),
        sa.Column("guild_id", sa.BigInteger()),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("sheet", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("root", sa.Text()),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_plan"),
        sa.UniqueConstraint("root", name="uq_plan_root"),
    )
    op.create_index("ix_plan_guild_id", "plan", ["guild_id"])
    op.create_index("ix_plan_channel_id", "plan", ["channel_id", "id"])
    op.create_index(
        "ix_plan_player_id",
        "plan",
        ["player_id", "game", "sheet"],
        unique=True,
        sqlite_where=sa.text("root IS NULL"),
        postgresql_where=sa.text("root IS NULL"),
    )
    op.create_table(
        "player",
        sa.Column("id", SERIAL, autoincrement=True, nullable=False),
        sa.Column("guild_id", sa.BigInteger()),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("person_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_player"),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_player_channel_id",
        "player",
        ["channel_id", "person_id"],
        unique=True,
        sqlite_where=sa.text("person_id != 0"),
        postgresql_where=sa.text("person_id != 0"),
    )
    op.create_index("ix_player_guild_id", "player", ["guild_id"])
    op.create_index("ix_player_person_id", "player", ["person_id"])
    op.create_table(
        "registration",
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("scope", name="pk_registration"),
    )
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
        "saved",
        sa.Column("id", SERIAL, autoincrement=True, nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("scope_id", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger()),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_saved"),
        sa.UniqueConstraint("scope", "scope_id", "key", name="uq_saved_scope"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_saved_guild_id", "saved", ["guild_id"])
    op.create_table(
        "seal",
        sa.Column("id", SERIAL, autoincrement=True, nullable=False),
        sa.Column("guild_id", sa.BigInteger()),
        sa.Column("channel_id", sa.BigInteger()),
        sa.Column("opened_by", sa.BigInteger(), nullable=False),
        sa.Column("opponent_id", sa.BigInteger()),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text()),
        sa.Column("hidden_key", sa.Text()),
        sa.Column("commit_message", sa.BigInteger()),
        sa.Column("header", sa.Text()),
        sa.Column("sealed_at", sa.BigInteger()),
        sa.Column("ended_at", sa.BigInteger()),
        sa.Column("revealed_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id", name="pk_seal"),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_seal_channel_id",
        "seal",
        ["channel_id"],
        unique=True,
        sqlite_where=sa.text("ended_at IS NULL"),
        postgresql_where=sa.text("ended_at IS NULL"),
    )
    op.create_index("ix_seal_guild_id", "seal", ["guild_id"])
    op.create_table(
        "server",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("left_at", sa.BigInteger()),
        sa.Column("language_asked_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id", name="pk_server"),
    )
    op.create_index("ix_server_left_at", "server", ["left_at"])
    op.create_table(
        "session",
        sa.Column("id", SERIAL, autoincrement=True, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("guild_id", sa.BigInteger()),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("opened_by", sa.BigInteger(), nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger()),
        sa.Column("is_lost", sa.Integer(), server_default="0", nullable=False),
        sa.Column("answer", sa.Text()),
        sa.Column("repeats", sa.BigInteger()),
        sa.Column("nth", sa.Integer(), server_default="1", nullable=False),
        sa.Column("secrecy", sa.Text()),
        sa.Column("revealed_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id", name="pk_session"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_session_channel_id", "session", ["channel_id", "id"])
    op.create_index("ix_session_guild_id", "session", ["guild_id"])
    op.create_index("ix_session_opened_by", "session", ["opened_by"])
    op.create_index(
        "ix_session_repeats",
        "session",
        ["repeats"],
        sqlite_where=sa.text("repeats IS NOT NULL"),
        postgresql_where=sa.text("repeats IS NOT NULL"),
    )
    op.create_index(
        "ix_session_secrecy",
        "session",
        ["channel_id", "id"],
        sqlite_where=sa.text("secrecy IS NOT NULL"),
        postgresql_where=sa.text("secrecy IS NOT NULL"),
    )
    op.create_index(
        "ix_session_table",
        "session",
        ["channel_id"],
        unique=True,
        sqlite_where=sa.text("game = 'table'"),
        postgresql_where=sa.text("game = 'table'"),
    )
    op.create_table(
        "shard",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("latency", sa.Float(), nullable=False),
        sa.Column("servers", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_shard"),
    )
    op.create_table(
        "share",
        sa.Column("process", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("wants", sa.Integer(), nullable=False),
        sa.Column("may", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("process", name="pk_share"),
    )
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
    op.create_table(
        "watch_link",
        sa.Column("channel_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("person_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger()),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("channel_id", "person_id", name="pk_watch_link"),
        sa.UniqueConstraint("digest", name="uq_watch_link_digest"),
    )
    op.create_index("ix_watch_link_guild_id", "watch_link", ["guild_id"])
    op.create_index("ix_watch_link_person_id", "watch_link", ["person_id"])
    op.create_table(
        "ply",
        sa.Column("id", SERIAL, autoincrement=True, nullable=False),
        sa.Column("session_id", SERIAL, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("person_id", sa.BigInteger(), nullable=False),
        sa.Column("offer", sa.Text(), nullable=False),
        sa.Column("choice", sa.Text(), nullable=False),
        sa.Column("draws", sa.Text(), nullable=False),
        sa.Column("changes", sa.Text(), nullable=False),
        sa.Column("undoes", sa.BigInteger()),
        sa.Column("schema", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("about", sa.BigInteger()),
        sa.Column("interaction_id", sa.BigInteger()),
        sa.ForeignKeyConstraint(["session_id"], ["session.id"], name="fk_ply_session_id"),
        sa.PrimaryKeyConstraint("id", name="pk_ply"),
        sa.UniqueConstraint("session_id", "number", name="uq_ply_session_id"),
    )
    op.create_index(
        "ix_ply_about",
        "ply",
        ["about"],
        sqlite_where=sa.text("about IS NOT NULL"),
        postgresql_where=sa.text("about IS NOT NULL"),
    )
    op.create_index("ix_ply_channel_id", "ply", ["channel_id", "id"])
    op.create_index(
        "ix_ply_interaction_id",
        "ply",
        ["interaction_id"],
        unique=True,
        sqlite_where=sa.text("interaction_id IS NOT NULL"),
        postgresql_where=sa.text("interaction_id IS NOT NULL"),
    )
    op.create_index("ix_ply_person_id", "ply", ["person_id", "id"])
    op.create_index(
        "ix_ply_undoes",
        "ply",
        ["undoes"],
        unique=True,
        sqlite_where=sa.text("undoes IS NOT NULL"),
        postgresql_where=sa.text("undoes IS NOT NULL"),
    )
    op.create_table(
        "redraw",
        sa.Column("id", SERIAL, autoincrement=True, nullable=False),
        sa.Column("ply_id", sa.BigInteger(), nullable=False),
        sa.Column("session_id", SERIAL, nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("draws", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["session_id"], ["session.id"], name="fk_redraw_session_id"),
        sa.PrimaryKeyConstraint("id", name="pk_redraw"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_redraw_channel_id", "redraw", ["channel_id"])
    op.create_index("ix_redraw_ply_id", "redraw", ["ply_id"])
    op.create_index("ix_redraw_session_id", "redraw", ["session_id"])
    op.create_table(
        "opening",
        sa.Column("id", SERIAL, autoincrement=True, nullable=False),
        sa.Column("ply_id", sa.BigInteger(), nullable=False),
        sa.Column("session_id", SERIAL, nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("root", sa.Text(), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("leaves", sa.Text(), nullable=False),
        sa.Column("opened", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["session_id"], ["session.id"], name="fk_opening_session_id"),
        sa.PrimaryKeyConstraint("id", name="pk_opening"),
    )
    op.create_index("ix_opening_channel_id", "opening", ["channel_id", "root"])
    op.create_index("ix_opening_ply_id", "opening", ["ply_id"])
    op.create_index("ix_opening_session_id", "opening", ["session_id"])
    op.create_table(
        "seal_ply",
        sa.Column("seal_id", SERIAL, nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("session_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["seal_id"], ["seal.id"], name="fk_seal_ply_seal_id"),
        sa.PrimaryKeyConstraint("seal_id", "place", name="pk_seal_ply"),
        sa.UniqueConstraint("session_id", "number", name="uq_seal_ply_session_id"),
    )
    op.create_table(
        "seal_word",
        sa.Column("seal_id", SERIAL, nullable=False),
        sa.Column("person_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("word", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text()),
        sa.Column("given_by", sa.BigInteger()),
        sa.ForeignKeyConstraint(["seal_id"], ["seal.id"], name="fk_seal_word_seal_id"),
        sa.PrimaryKeyConstraint("seal_id", "person_id", name="pk_seal_word"),
    )
    op.create_table(
        "seat",
        sa.Column("session_id", SERIAL, nullable=False),
        sa.Column("side", sa.Text(), nullable=False),
        sa.Column("since", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.BigInteger()),
        sa.Column("name", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["session_id"], ["session.id"], name="fk_seat_session_id"),
        sa.PrimaryKeyConstraint("session_id", "side", "since", name="pk_seat"),
    )
    op.create_index("ix_seat_person_id", "seat", ["person_id"])
    op.bulk_insert(counted, [{"id": 1, "ply_id": 0, "log_highest": 0.0}])
    if op.get_bind().dialect.name == "postgresql":
        for table in ("interaction", "share"):
            op.execute(f"ALTER TABLE {table} SET UNLOGGED")  # needed for seconds only, and not after a crash
