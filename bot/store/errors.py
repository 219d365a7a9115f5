"""Errors of the store: a sentence for the player, a reason for the log."""

from typing import ClassVar


class StoreError(Exception):
    """Nothing was changed; ``str()`` is fit to show to a player, ``reason`` is what the driver said."""

    sentence: ClassVar[str] = "I could not use my record of rolls, so nothing was changed. Please try again."

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(self.sentence)


class DatabaseBusyError(StoreError):
    """Someone else has held the lock for longer than a player can wait."""

    sentence = "My record of rolls is busy just now, so nothing was changed. Please try again in a few seconds."


class DatabaseReadOnlyError(StoreError):
    """The file or the server takes no writes."""

    sentence = (
        "My record of rolls cannot be written just now, so nothing was changed. "
        "Please tell whoever runs this bot that its database is read-only, then try again."
    )


class DiskFullError(StoreError):
    """No room on the disk."""

    sentence = (
        "The disk that keeps my record of rolls is full, so nothing was changed. "
        "Please tell whoever runs this bot to make room, then try again."
    )


class DatabaseUnreachableError(StoreError):
    """The file cannot be opened or read, or the server does not answer."""

    sentence = (
        "I cannot reach my record of rolls just now, so nothing was changed. "
        "Please try again in a minute; if that does not help, tell whoever runs this bot."
    )


class DatabaseTooNewError(StoreError):
    """The database was made by a later version; raised on start only."""

    sentence = (
        "This database was made by a newer version of Rollcall, so nothing was changed. "
        "Install that version again, or set DATABASE_URL to another database."
    )


class DatabaseInUseError(StoreError):
    """Another bot runs on the same SQLite file; raised on start only."""

    sentence = (
        "Another process of this bot uses the same SQLite file, so this one was not started. Stop the other one first."
    )


class BackupError(StoreError):
    """The backup was not made; raised by the command only."""

    sentence = "There is no backup, and nothing was changed. Name a new file in a folder with room, and try again."


class DatabaseTooOldError(StoreError):
    """A database that is only to be read is not of the newest version; raised by commands only."""

    sentence = (
        "There is no database of this version of Rollcall at the address to read from, so nothing was changed. "
        "Check the address; for an older database, first run `python -m bot migrate` with DATABASE_URL set to it."
    )


class InvalidDatabaseUrlError(StoreError):
    """The address of the database makes no sense here; raised on start only."""

    sentence = (
        "DATABASE_URL names no database that Rollcall can use, so nothing was changed. "
        "Set it to sqlite+aiosqlite:///path/to/file.db or to postgresql+asyncpg://name:password@host/database."
    )


class WrongDatabaseError(StoreError):
    """The database holds something else, or does not say which version it is of; raised on start only."""

    sentence = (
        "DATABASE_URL names a database that Rollcall did not make, or one that is damaged, so nothing was changed. "
        "Set DATABASE_URL to an empty database or to Rollcall's own, or restore a backup."
    )
