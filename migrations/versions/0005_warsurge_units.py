"""So that WARSURGE profiles become units with weapons, on the table and in what undo would bring back."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

GAME = "warsurge"


def upgrade() -> None:
    connection = op.get_bind()
    pieces = sa.text("SELECT id, body FROM piece WHERE game = :game AND schema = 1")
    for row in connection.execute(pieces, {"game": GAME}).all():
        changed = {"id": row.id, "body": unit(row.body)}
        connection.execute(sa.text("UPDATE piece SET body = :body, schema = 2 WHERE id = :id"), changed)
    plies = sa.text("SELECT id, changes FROM ply WHERE changes LIKE :warsurge")
    for row in connection.execute(plies, {"warsurge": f'%"{GAME}"%'}).all():
        changes = json.loads(row.changes)
        for change in changes:
            change["before"], change["after"] = rewritten(change["before"]), rewritten(change["after"])
        text = json.dumps(changes, separators=(",", ":"), ensure_ascii=False)
        connection.execute(sa.text("UPDATE ply SET changes = :changes WHERE id = :id"), {"id": row.id, "changes": text})


def rewritten(piece: dict[str, Any] | None) -> dict[str, Any] | None:
    """A piece of the record of a ply; those of other games stay as they are."""
    if piece is None or piece["game"] != GAME or piece["schema"] != 1:
        return piece
    return piece | {"body": unit(piece["body"]), "schema": 2}


def unit(body: str) -> str:
    """A profile of Power, Defence and Dice as a unit: Power and Dice are those of a weapon without a name."""
    profile = json.loads(body)
    stats = profile["stats"]
    weapon = {"name": "", "power": stats.get("Power"), "dice": stats.get("Dice", 1), "ap": 0}
    made = {
        "name": profile["name"],
        "defence": stats.get("Defence"),
        "save": None,
        "hp": None,
        "lost": 0,
        "weapons": [weapon] if stats.keys() & {"Power", "Dice"} else [],
    }
    return json.dumps(made, separators=(",", ":"), ensure_ascii=False)
