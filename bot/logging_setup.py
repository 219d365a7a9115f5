"""Log format: one line per record, without secrets or rolls. At ``debug``, discord.py would log every message that the
bot sends and every press, secret rolls included. So discord.py only logs event names there, and
``bot.discord_api.rate_limiter`` logs each request without its content.
"""

import logging
import re
import sys
from collections.abc import Iterable
from typing import Final

HIDDEN: Final = "***"
MIN_SECRET: Final = 4
"""Minimum length of a secret to mask; a shorter one would mask half of every line."""
TOKENS: Final = re.compile(
    r"(/interactions/\d+/|/webhooks/\d+/)[^/?\s'\"]+"  # lets anyone respond as the bot for fifteen minutes
    r"|(['\"]token['\"]:\s*['\"])[^'\"]+"  # the same, in Discord's JSON
)


class LineFormatter(logging.Formatter):
    """One line per record, then its traceback; masks secrets and interaction tokens."""

    def __init__(self, secrets: Iterable[str]) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s")
        known = sorted({secret for secret in secrets if len(secret) >= MIN_SECRET}, key=len, reverse=True)
        self._secrets = re.compile("|".join(map(re.escape, known))) if known else None

    def format(self, record: logging.LogRecord) -> str:
        text = TOKENS.sub(lambda match: f"{match[1] or match[2]}{HIDDEN}", super().format(record))
        return self._secrets.sub(HIDDEN, text) if self._secrets else text


def configure(level: str, secrets: Iterable[str] = ()) -> None:
    """Log to standard error from a level up; ``secrets`` are masked."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(LineFormatter(secrets))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.getLogger("alembic").setLevel(logging.WARNING)  # it logs every step of every start
    for store in ("aiosqlite", "sqlalchemy"):  # they log all values of all rows, including sealed tables' keys
        logging.getLogger(store).setLevel(logging.WARNING)
    chosen = logging.getLogger().level
    logging.getLogger("discord").setLevel(max(logging.INFO, chosen))
    logging.getLogger("discord.client").setLevel(chosen)  # event names
