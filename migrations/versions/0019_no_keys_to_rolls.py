"""So that old rolls go at half the price: of each, PostgreSQL asked by itself whether something of it is left.

Whoever writes a ply, a seat or a redraw holds the roll (``bot.store.sessions.newest``), and whoever takes a roll away
takes them with it. SQLite goes on asking: there it costs next to nothing, and shows a mistake in the tests of both.
A process of the version before goes on beside it.
"""

from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        for table in ("ply", "seat", "redraw"):
            op.drop_constraint(f"fk_{table}_session_id", table, type_="foreignkey")
