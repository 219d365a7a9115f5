"""The log: lines for people."""

import json
import logging
from collections.abc import Iterator

import pytest
from sqlalchemy import create_engine, text

from bot import logging_setup


@pytest.fixture
def root() -> Iterator[logging.Logger]:
    """The root logger; it and those that are quieter are left as they were found."""
    root = logging.getLogger()
    quiet = [logging.getLogger(name) for name in ("alembic", "aiosqlite", "sqlalchemy", "discord", "discord.client")]
    handlers, levels = root.handlers[:], [one.level for one in (root, *quiet)]
    yield root
    root.handlers[:] = handlers
    for item, level in zip((root, *quiet), levels, strict=True):
        item.setLevel(level)


def test_text_is_a_line_with_its_level_and_source(root: logging.Logger, capsys: pytest.CaptureFixture[str]) -> None:
    logging_setup.configure("warning")
    logging.getLogger("bot.test").info("too quiet")
    logging.getLogger("bot.test").warning("look here")
    (line,) = capsys.readouterr().err.splitlines()
    assert "WARNING bot.test: look here" in line


TOKEN = "MTIz.secret-of.the-bot"  # noqa: S105 - it opens nothing
GATEWAY = {"op": 0, "t": "INTERACTION_CREATE", "d": {"token": "aW50ZXJhY3Rpb24", "type": 2}}


def test_no_secret_stands_in_the_log(root: logging.Logger, capsys: pytest.CaptureFixture[str]) -> None:
    logging_setup.configure("debug", (TOKEN, "Ge@h31m", "Ge%40h31m"))
    log = logging.getLogger("bot.runtime.app")
    log.debug("POST https://discord.com/api/v10/interactions/12/aW50ZXJhY3Rpb24/callback with %s", GATEWAY)
    log.debug("PATCH https://discord.com/api/v10/webhooks/34/aW50ZXJhY3Rpb24/messages/@original has returned 200")
    log.debug("Received %s", json.dumps(GATEWAY))
    log.error("Bot %s at postgresql://u:Ge%%40h31m@h", TOKEN, exc_info=RuntimeError("Ge@h31m is refused"))
    told = capsys.readouterr().err
    assert not [secret for secret in ("aW50", "secret-of", "h31m") if secret in told]
    assert "/interactions/12/***/callback" in told
    assert "/webhooks/34/***/messages" in told
    assert "INTERACTION_CREATE" in told


def test_of_discord_only_the_names_of_events_come(root: logging.Logger, capsys: pytest.CaptureFixture[str]) -> None:
    logging_setup.configure("debug")
    for name in ("http", "gateway", "webhook.async_", "state"):
        logging.getLogger(f"discord.{name}").debug("POST with %s", {"embeds": [{"title": "Bo rolls 17."}]})
    logging.getLogger("discord.client").debug("Dispatching event %s", "interaction")
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("Dispatching event interaction")
    logging_setup.configure("error")
    logging.getLogger("discord.client").info("too quiet")
    logging.getLogger("discord.http").warning("too quiet")
    assert capsys.readouterr().err == ""


def test_no_row_stands_in_the_log(root: logging.Logger, capsys: pytest.CaptureFixture[str]) -> None:
    logging_setup.configure("debug")
    engine = create_engine("sqlite://", hide_parameters=True)
    with engine.connect() as connection:
        connection.execute(text("SELECT :key"), {"key": "key-of-a-sealed-table"}).all()
    engine.dispose()
    assert capsys.readouterr().err == ""
