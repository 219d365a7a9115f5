"""The settings, read once from environment variables and a `.env` file beside the bot."""

import errno
import os
import re
import socket
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple
from urllib.parse import unquote

import pydantic
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict


def numbers(text: str) -> tuple[int, ...]:
    """Parse ``0-3,6`` into sorted numbers. Raises ``ValueError``."""
    result = set[int]()
    for part in filter(None, text.replace(" ", "").split(",")):
        if not re.fullmatch(r"[0-9]{1,5}(-[0-9]{1,5})?", part):
            raise ValueError("neither a number nor two with a dash between them")
        first, _, last = part.partition("-")
        if int(last or first) < int(first):
            raise ValueError("the second number is below the first")
        result.update(range(int(first), int(last or first) + 1))
    return tuple(sorted(result))


def address_and_port(text: str) -> tuple[str, int]:
    """Split an address from the local port at which it is served. Raises ``ValueError``."""
    match = re.fullmatch(r"(https?://\S+)\s+([0-9]{1,5})", text.strip())
    if match is None or not 0 < int(match[2]) < 65536:
        raise ValueError("no address with a port behind it")
    return str(pydantic.HttpUrl(match[1])), int(match[2])


class Settings(BaseSettings):
    """The settings, documented in `.env.example`."""

    model_config = SettingsConfigDict(
        env_file=".env",
        env_file_encoding="utf-8-sig",  # some editors write a byte order mark
        env_ignore_empty=True,
        extra="ignore",
        validate_default=False,  # they were validated when read
    )

    discord_token: pydantic.SecretStr | None = None
    database_url: str = "sqlite+aiosqlite:///data/rollcall.db"
    data_folder: Path = Path("data")
    log_level: Annotated[Literal["debug", "info", "warning", "error"], pydantic.BeforeValidator(str.lower)] = "info"
    test_guild: pydantic.PositiveInt | None = None
    person_limit: pydantic.NonNegativeInt = 20
    welcome: bool = True
    voice_calls: bool = True
    shard_count: pydantic.PositiveInt | None = None
    shard_ids: Annotated[tuple[int, ...], NoDecode, pydantic.BeforeValidator(numbers)] = ()
    processes: pydantic.PositiveInt = 1
    listen_host: str = "127.0.0.1"
    operations_port: Annotated[int, pydantic.Field(ge=0, le=65535)] = 0
    public_url: Annotated[tuple[str, int] | None, NoDecode, pydantic.BeforeValidator(address_and_port)] = None
    site_url: pydantic.HttpUrl | None = None
    activity_secret: pydantic.SecretStr | None = None
    support_url: pydantic.HttpUrl | None = None
    terms_url: pydantic.HttpUrl | None = None
    privacy_url: pydantic.HttpUrl | None = None
    heartbeat_url: pydantic.HttpUrl | None = None
    operator: str = ""
    hosted_by: str = ""
    proxy_header: Annotated[str, pydantic.StringConstraints(pattern=r"^[A-Za-z0-9-]+$")] | None = None
    discord_api_url: pydantic.HttpUrl = pydantic.HttpUrl("https://discord.com/api/v10")


WHAT_TO_DO: Final[Mapping[str, str]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


class SettingsError(Exception):
    """A missing or malformed setting; ``str()`` is a sentence that names the variable and the fix."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{name if name == '.env' else name.upper()} {problem}: {WHAT_TO_DO[name]}.")


def cannot_listen(port: str, error: OSError) -> SettingsError:
    """Return the error for an unavailable address; ``port``: the name of its setting."""
    name = port if error.errno in (errno.EADDRINUSE, errno.EACCES) else "listen_host"
    return SettingsError(name, f"cannot be used ({os.strerror(error.errno or 0)})")


def read() -> Settings:
    """Read this process's settings. Raises ``SettingsError``, which never contains the value."""
    try:
        return Settings()
    except pydantic.ValidationError as error:
        name = str(error.errors(include_input=False)[0]["loc"][0])
        raise SettingsError(name, "is not valid") from None  # the original error would print the value
    except (UnicodeDecodeError, OSError):
        raise SettingsError(".env", "cannot be read") from None  # as above


class Shards(NamedTuple):
    """The total number of shards, and this process's ids."""

    total: int
    ids: tuple[int, ...]


def shards(settings: Settings, host: str = "") -> Shards | None:
    """Return this process's shards; None if Discord decides the count, and this process has them all. With PROCESSES
    each takes an equal part, by the number at the end of ``host`` (default: this host). Raises ``SettingsError``.
    """
    count, ids, processes = settings.shard_count, settings.shard_ids, settings.processes
    if count is None:
        if ids or processes > 1:
            raise SettingsError("shard_count", f"is not set, and {'SHARD_IDS' if ids else 'PROCESSES'} needs it")
        return None
    if ids and processes > 1:
        raise SettingsError("shard_ids", "cannot be set together with PROCESSES")
    if ids and ids[-1] >= count:
        raise SettingsError("shard_ids", "names a shard that there is not")
    if processes > 1:
        ids = part(count, processes, host or socket.gethostname())
    result = Shards(count, ids or tuple(range(count)))
    if len(result.ids) < count and settings.database_url.startswith("sqlite"):
        name = "shard_ids" if settings.shard_ids else "processes"
        raise SettingsError(name, "is for several processes, and they need PostgreSQL (DATABASE_URL)")
    return result


def public_pages(settings: Settings) -> tuple[str, str, int] | None:
    """Return the public address of the pages, and host and port to serve them on; None if they are off."""
    if settings.public_url is None:
        if settings.activity_secret is not None:
            raise SettingsError("activity_secret", "needs PUBLIC_URL, where Discord finds the page")
        return None
    address, port = settings.public_url
    return address, settings.listen_host, port


class Addresses(NamedTuple):
    """Addresses of help and legal texts; "" if unset."""

    support: str
    terms: str
    privacy: str
    status: str
    odds: str
    """Base URL of previews of odds questions."""


def addresses(settings: Settings) -> Addresses:
    """Return the configured addresses, else the bot's own pages; the privacy page names the operator."""
    own = settings.public_url[0].rstrip("/") if settings.public_url is not None else ""
    terms, privacy, status, odds = (f"{own}/{page}" if own else "" for page in ("terms", "privacy", "status", "odds"))
    privacy = str(settings.privacy_url or privacy)
    return Addresses(str(settings.support_url or privacy), str(settings.terms_url or terms), privacy, status, odds)


def part(count: int, processes: int, host: str) -> tuple[int, ...]:
    """Return one process's shards, in parts as equal as possible."""
    if processes > count:
        raise SettingsError("processes", "is more than SHARD_COUNT")
    match = re.search(r"[0-9]{1,5}$", host.partition(".")[0])
    number = int(match[0]) if match else processes
    if number >= processes:
        raise SettingsError("processes", f"is {processes}, and the host name does not end in a number below that")
    return tuple(range(count * number // processes, count * (number + 1) // processes))


def token(settings: Settings) -> str:
    """Return the bot's token. Raises ``SettingsError`` if missing or malformed."""
    value = settings.discord_token.get_secret_value().strip() if settings.discord_token else ""
    if not value:
        raise SettingsError("discord_token", "is not set")
    if not value.isascii() or any(sign.isspace() for sign in value):
        raise SettingsError("discord_token", "is not valid")
    return value


def secrets(settings: Settings) -> tuple[str, ...]:
    """Return strings that must never be logged: token and database password, as written and encoded."""
    token = settings.discord_token.get_secret_value().strip() if settings.discord_token else ""
    login, at, _ = settings.database_url.partition("://")[2].rpartition("@")
    password = login.partition(":")[2] if at else ""
    activity = settings.activity_secret.get_secret_value() if settings.activity_secret else ""
    return tuple({item for item in (token, password, unquote(password), activity) if item})
