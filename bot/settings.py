"""The settings, read once from environment variables and from a `.env` file beside the bot."""

from typing import Annotated, Literal
from urllib.parse import unquote

from pydantic import BeforeValidator, Field, HttpUrl, NonNegativeInt, PositiveInt, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

DEFAULT_DATABASE_URL = "sqlite+aiosqlite:///data/rollcall.db"
DEFAULT_API_URL = "https://discord.com/api/v10"


def _lower(value: object) -> object:
    return value.lower() if isinstance(value, str) else value


class Settings(BaseSettings):
    """The settings. `.env.example` explains each one to whoever runs the bot."""

    model_config = SettingsConfigDict(
        env_file=".env",
        env_file_encoding="utf-8-sig",  # some editors put a mark in front
        env_ignore_empty=True,
        extra="ignore",
    )

    discord_token: SecretStr | None = None
    database_url: str = DEFAULT_DATABASE_URL
    log_level: Annotated[Literal["debug", "info", "warning", "error"], BeforeValidator(_lower)] = "info"
    log_form: Annotated[Literal["text", "json"], BeforeValidator(_lower)] = "text"
    test_guild: PositiveInt | None = None
    person_limit: NonNegativeInt = 20
    welcome: bool = True
    odds_processes: PositiveInt = 2
    operations_host: str = "127.0.0.1"
    operations_port: Annotated[int, Field(ge=0, le=65535)] = 0
    discord_api_url: HttpUrl = HttpUrl(DEFAULT_API_URL)


WHAT_TO_DO = {
    ".env": "save it as plain text in UTF-8, or remove it",
    "discord_token": "set it to your bot's token, from the Bot page of https://discord.com/developers/applications",
    "database_url": f"set it to a database address, for example {DEFAULT_DATABASE_URL}",
    "log_level": "set it to debug, info, warning or error, or leave it out",
    "log_form": "set it to text or json, or leave it out",
    "test_guild": "set it to the number of your test server (Copy Server ID), or leave it out",
    "person_limit": "set it to how many commands and presses one person may make in ten seconds; 0 means no limit",
    "welcome": "set it to true or false, or leave it out",
    "odds_processes": "set it to how many processes may count large questions at the same time, at least 1",
    "operations_host": "set it to the address of this machine on which to answer, or leave it out for 127.0.0.1",
    "operations_port": "set it to a free port from 1 to 65535; 0 means that there is no such page",
    "discord_api_url": f"set it to an address like {DEFAULT_API_URL}, or leave it out",
}


class SettingsError(Exception):
    """A setting is missing or malformed; ``str()`` is one sentence that names the variable and what to do."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{name if name == '.env' else name.upper()} {problem}: {WHAT_TO_DO[name]}.")


def read() -> Settings:
    """The settings of this process. Raises ``SettingsError``, which never repeats the value itself."""
    try:
        return Settings()
    except ValidationError as error:
        name = str(error.errors(include_input=False)[0]["loc"][0])
        raise SettingsError(name, "is not valid") from None  # the original error would print the value
    except (UnicodeDecodeError, OSError):
        raise SettingsError(".env", "cannot be read") from None  # as above


def token(settings: Settings) -> str:
    """The bot's token. Raises ``SettingsError`` if it is missing, or cannot be a token."""
    value = settings.discord_token.get_secret_value().strip() if settings.discord_token else ""
    if not value:
        raise SettingsError("discord_token", "is not set")
    if not value.isascii() or any(sign.isspace() for sign in value):
        raise SettingsError("discord_token", "is not valid")
    return value


def secrets(settings: Settings) -> tuple[str, ...]:
    """What the log must never say: the bot's token and the password of the database, as written and as sent."""
    token = settings.discord_token.get_secret_value().strip() if settings.discord_token else ""
    login, at, _ = settings.database_url.partition("://")[2].rpartition("@")
    password = login.partition(":")[2] if at else ""
    return tuple({one for one in (token, password, unquote(password)) if one})
