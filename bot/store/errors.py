"""Errors of the store: a sentence for the player, a reason for the log."""

from typing import ClassVar


class StoreError(Exception):
    """Nothing was changed; ``str()`` is for the player, ``reason`` is the driver's message."""

    sentence: ClassVar[str] = "I couldn't access my records, so nothing was changed. Please try again."

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(self.sentence)


class DatabaseBusyError(StoreError):
    """The lock was held for longer than a player can wait."""

    sentence = "My database is busy right now, so nothing was changed. Please try again in a few seconds."


class DatabaseReadOnlyError(StoreError):
    """The file or the server is read-only."""

    sentence = (
        "I can't write to my database right now, so nothing was changed. Please tell the bot's host "
        "that the database is read-only, then try again."
    )


class DiskFullError(StoreError):
    sentence = (
        "The disk with my database is full, so nothing was changed. Please ask the bot's host to "
        "free up space, then try again."
    )


class DatabaseUnreachableError(StoreError):
    """The file can't be opened or read, or the server does not answer."""

    sentence = (
        "I can't reach my database right now, so nothing was changed. Please try again in a minute; "
        "if that doesn't help, tell the bot's host."
    )


class DatabaseTooNewError(StoreError):
    """The database was made by a later version; raised at startup only."""

    sentence = (
        "This database was created by a newer version of Rollcall, so nothing was changed. Install "
        "that version again, or set DATABASE_URL to another database."
    )


class DatabaseInUseError(StoreError):
    """Another bot runs on the same SQLite file; raised at startup only."""

    sentence = (
        "Another process of this bot is using the same SQLite file, so this one wasn't started. Stop "
        "the other one first."
    )


class BackupError(StoreError):
    """The backup failed; raised by the command only."""

    sentence = "The backup failed, and nothing was changed. Name a new file in a folder with free space, and try again."


class RestoreError(StoreError):
    """Restoring the backup would not give back what was backed up; raised by the command only."""

    sentence = "This backup can't be restored as it was made. Keep it, make a new one, and check the disk it was on."


class DatabaseTooOldError(StoreError):
    """A read-only database is not of the newest version; raised by commands only."""

    sentence = (
        "The source address has no database from this version of Rollcall, so nothing was changed. "
        "Check the address; for an older database, first run `python -m bot migrate` with "
        "DATABASE_URL set to it."
    )


class InvalidDatabaseUrlError(StoreError):
    """The database address is invalid; raised at startup only."""

    sentence = (
        "DATABASE_URL isn't a database that Rollcall can use, so nothing was changed. Set it to "
        "sqlite+aiosqlite:///path/to/file.db or to postgresql+asyncpg://name:password@host/database."
    )


class WrongDatabaseError(StoreError):
    """The database is another program's, or has no version; raised at startup only."""

    sentence = (
        "DATABASE_URL points to a database that Rollcall didn't create, or a damaged one, so nothing "
        "was changed. Set DATABASE_URL to an empty database or to Rollcall's own, or restore a "
        "backup."
    )
