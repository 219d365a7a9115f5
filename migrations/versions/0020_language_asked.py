"""So that the admin of a server is asked once, and never again, which language the bot should speak there.

A process of the version before goes on beside it: it leaves the column empty.
"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.add_column("server", sa.Column("language_asked_at", sa.BigInteger()))
