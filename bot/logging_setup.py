"""Log format: lines for people. The log holds no secret and no roll.

At ``debug``, discord.py would log every message that the bot sends, secret rolls included, and every press with its
message. So discord.py only logs the names of events at that level, and ``bot.discord_api.rate_limiter`` logs each
request without its content.
"""

import logging
import re
import sys
from collections.abc import Iterable
from typing import Final

HIDDEN: Final = "***"
MIN_SECRET: Final = 4
"""Characters of a secret that is looked for; a shorter one would hide half of every line."""
TOKENS: Final = re.compile(
    r"(/interactions/\d+/|/webhooks/\d+/)[^/?\s'\"]+"  # with it anybody can answer for the bot for fifteen minutes
    r"|(['\"]token['\"]:\s*['\"])[^'\"]+"  # the same, as Discord sends it
)


class LineFormatter(logging.Formatter):
    """A line per record, and the traceback below it where there is one; without secrets and tokens of interactions."""

    def __init__(self, secrets: Iterable[str]) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s")
        known = sorted({secret for secret in secrets if len(secret) >= MIN_SECRET}, key=len, reverse=True)
        self._secrets = re.compile("|".join(map(re.escape, known))) if known else None

    def format(self, record: logging.LogRecord) -> str:
        text = TOKENS.sub(lambda match: f"{match[1] or match[2]}{HIDDEN}", super().format(record))
        return self._secrets.sub(HIDDEN, text) if self._secrets else text


def configure(level: str, secrets: Iterable[str] = ()) -> None:
    """Send the log to standard error, from one level; ``secrets`` are hidden in it."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(LineFormatter(secrets))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.getLogger("alembic").setLevel(logging.WARNING)  # it tells every step of every start
    for store in ("aiosqlite", "sqlalchemy"):  # they tell all values of all rows, keys of sealed tables too
        logging.getLogger(store).setLevel(logging.WARNING)
    chosen = logging.getLogger().level
    logging.getLogger("discord").setLevel(max(logging.INFO, chosen))
    logging.getLogger("discord.client").setLevel(chosen)  # the names of events
