"""What can go wrong with the rows: a sentence for the player, a reason for the log."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout


class StoreError(Exception):
    """Nothing was changed; ``str()`` is fit to show to a player, ``reason`` is what the driver said."""

    sentence: ClassVar[str] = "I could not use my record of rolls, so nothing was changed. Please try again."

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(self.sentence)


class Busy(StoreError):
    """Somebody else holds the lock for longer than a player can wait."""

    sentence = "My record of rolls is busy just now, so nothing was changed. Please try again in a few seconds."


class ReadOnly(StoreError):
    """The file or the server takes no writes."""

    sentence = (
        "My record of rolls cannot be written just now, so nothing was changed. "
        "Please tell whoever runs this bot that its database is read-only, then try again."
    )


class Full(StoreError):
    """No room on the disk."""

    sentence = (
        "The disk that keeps my record of rolls is full, so nothing was changed. "
        "Please tell whoever runs this bot to make room, then try again."
    )


class Unreachable(StoreError):
    """The file cannot be opened or read, or the server does not answer."""

    sentence = (
        "I cannot reach my record of rolls just now, so nothing was changed. "
        "Please try again in a minute; if that does not help, tell whoever runs this bot."
    )


class TooNew(StoreError):
    """The database was made by a later version; raised on start only."""

    sentence = (
        "This database was made by a newer version of Rollcall, so nothing was changed. "
        "Install that version again, or set DATABASE_URL to another database."
    )


class InUse(StoreError):
    """Another bot runs on the same SQLite file; raised on start only."""

    sentence = (
        "Another process of this bot uses the same SQLite file, so this one was not started. Stop the other one first."
    )


class NoBackup(StoreError):
    """The backup was not made; raised by the command only."""

    sentence = "There is no backup, and nothing was changed. Name a new file in a folder with room, and try again."


class TooOld(StoreError):
    """A database that is only to be read is not of the newest version; raised by commands only."""

    sentence = (
        "There is no database of this version of Rollcall at the address to read from, so nothing was changed. "
        "Check the address; for an older database, first run `python -m bot migrate` with DATABASE_URL set to it."
    )


class Unusable(StoreError):
    """The address of the database makes no sense here; raised on start only."""

    sentence = (
        "DATABASE_URL names no database that Rollcall can use, so nothing was changed. "
        "Set it to sqlite+aiosqlite:///path/to/file.db or to postgresql+asyncpg://name:password@host/database."
    )


class Foreign(StoreError):
    """The database holds something else, or does not say which version it is of; raised on start only."""

    sentence = (
        "DATABASE_URL names a database that Rollcall did not make, or one that is damaged, so nothing was changed. "
        "Set DATABASE_URL to an empty database or to Rollcall's own, or restore a backup."
    )


# The low byte of SQLite's extended codes: https://www.sqlite.org/rescode.html
_SQLITE: dict[int, type[StoreError]] = {
    sqlite3.SQLITE_BUSY: Busy,
    sqlite3.SQLITE_LOCKED: Busy,
    sqlite3.SQLITE_READONLY: ReadOnly,
    sqlite3.SQLITE_FULL: Full,
    sqlite3.SQLITE_CANTOPEN: Unreachable,
    sqlite3.SQLITE_CORRUPT: Unreachable,
    sqlite3.SQLITE_NOTADB: Unreachable,
    sqlite3.SQLITE_IOERR: Unreachable,
}

# PostgreSQL, appendix A: https://www.postgresql.org/docs/current/errcodes-appendix.html
_POSTGRES: dict[str, type[StoreError]] = {
    "55P03": Busy,  # lock_not_available
    "57014": Busy,  # query_canceled, here by a timeout
    "40001": Busy,  # serialization_failure
    "40P01": Busy,  # deadlock_detected
    "53300": Busy,  # too_many_connections
    "25006": ReadOnly,  # read_only_sql_transaction
    "53100": Full,  # disk_full
}
# Connection, authorisation, no such database, resources, operator's intervention, system error.
_POSTGRES_CLASSES = ("08", "28", "3D", "53", "57", "58")


@contextmanager
def as_store_errors() -> Iterator[None]:
    """Turn what drivers raise about the database itself into a ``StoreError``.

    An ``IntegrityError`` and mistakes in our SQL pass through. Whoever is inside uses the database and nothing else,
    so an ``OSError`` is about the connection to it.
    """
    try:
        yield
    except IntegrityError:
        raise
    except DBAPIError as error:
        kind = _kind(error)
        if kind is None:
            raise
        raise kind(_reason(error.orig or error)) from error
    except PoolTimeout as error:
        raise Busy(f"every connection stayed in use: {error}") from error
    except OSError as error:
        raise Unreachable(_reason(error)) from error
    except Exception as error:  # asyncpg's own, where there is no connection yet and SQLAlchemy wraps nothing
        kind = _postgres_kind(error) if hasattr(error, "sqlstate") else None
        if kind is None:
            raise
        raise kind(_reason(error)) from error


def _kind(error: DBAPIError) -> type[StoreError] | None:
    cause = error.orig
    code = getattr(cause, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_ERROR:
        return None  # our SQL is wrong, though the driver calls it operational too
    if kind := _SQLITE.get(code):
        return kind
    if kind := _postgres_kind(cause):
        return kind
    is_gone = error.connection_invalidated or isinstance(error, OperationalError | InterfaceError)
    return Unreachable if is_gone else None


def _postgres_kind(cause: object) -> type[StoreError] | None:
    """What PostgreSQL's code means, if the cause has one and it is about the database itself."""
    state = str(getattr(cause, "sqlstate", None))
    return _POSTGRES.get(state) or (Unreachable if state.startswith(_POSTGRES_CLASSES) else None)


def _reason(error: BaseException) -> str:
    name = getattr(error, "sqlite_errorname", None) or getattr(error, "sqlstate", None) or type(error).__name__
    return f"{name}: {error}"
