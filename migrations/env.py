"""Alembic's environment: works on the connection that ``bot.store.database`` hands over, inside its transaction."""

from alembic import context

from bot.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite changes a column by rebuilding its table
)
context.run_migrations()
