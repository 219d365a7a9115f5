"""So that ships have owners and cards, a channel knows its players, and its board outlives a restart."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

SERIAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
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
    op.create_index("ix_player_guild_id", "player", ["guild_id"])
    op.create_index("ix_player_person_id", "player", ["person_id"])
    is_known = sa.text("person_id <> 0")
    op.create_index(
        "ix_player_channel_id",
        "player",
        ["channel_id", "person_id"],
        unique=True,
        sqlite_where=is_known,
        postgresql_where=is_known,
    )
    op.create_table(
        "board",
        sa.Column("channel_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger()),
        sa.Column("message_id", sa.BigInteger(), nullable=False),
        sa.Column("embeds", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("channel_id", name="pk_board"),
    )
    op.create_index("ix_board_guild_id", "board", ["guild_id"])
    bring_ships_up_to_date(op.get_bind())


def bring_ships_up_to_date(connection: sa.Connection) -> None:
    """Ships in play, and ships in the record of every ply: undo compares the two, so both get the same text."""
    pieces = connection.execute(sa.text("SELECT id, body FROM piece WHERE game = 'xwing' AND schema = 1")).all()
    for row in pieces:
        text = sa.text("UPDATE piece SET body = :body, schema = 2 WHERE id = :id")
        connection.execute(text, {"id": row.id, "body": new_body(row.body)})
    plies = connection.execute(sa.text("SELECT id, changes FROM ply WHERE changes <> '[]'")).all()
    for row in plies:
        changes = new_changes(json.loads(row.changes))
        written = json.dumps(changes, separators=(",", ":"), ensure_ascii=False)
        if written != row.changes:
            connection.execute(
                sa.text("UPDATE ply SET changes = :changes WHERE id = :id"), {"id": row.id, "changes": written}
            )


def new_changes(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    for record in records:
        for piece in (record["before"], record["after"]):
            if piece and piece["game"] == "xwing" and piece["schema"] == 1:
                piece |= {"body": new_body(piece["body"]), "schema": 2}
    return records


def new_body(body: str) -> str:
    """A ship with its kind, nobody's, and with damage cards by title; cards that were only counted have none."""
    ship = json.loads(body)
    cards = {"facedown": [""] * ship["facedown"], "faceup": [""] * ship["faceup"]}
    wrecked = ship["facedown"] + ship["faceup"] >= ship["hull"]
    return json.dumps({"kind": "ship", **ship, **cards, "wrecked": wrecked}, separators=(",", ":"), ensure_ascii=False)
