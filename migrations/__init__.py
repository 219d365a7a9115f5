"""The versions of the database, for Alembic; ``bot.store.database`` runs them on start.

A new one is ``versions/<next number>_<what>.py`` with ``revision`` equal to that number, ``down_revision`` to the one
before, an ``upgrade`` and a docstring whose first line says why. What was released is never edited and there is no way
down: go back by restoring a backup. ``tests/store/test_migrations.py`` says whether it agrees with
``bot/store/schema.py``.
"""
