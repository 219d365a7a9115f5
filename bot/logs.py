"""What the log looks like: lines for people. It holds no secret and no roll.

At ``debug`` discord.py would tell every message that the bot sends, secret rolls too, and every press with the message
it was on. So of discord.py only the names of events come at that level, and ``bot.budget`` tells each request
without what it holds.
"""

import logging
import re
import sys
from collections.abc import Iterable
from typing import Final

HIDDEN: Final = "***"
SECRET_LEAST: Final = 4
"""Characters of a secret that is looked for; a shorter one would hide half of every line."""
TOKENS: Final = re.compile(
    r"(/interactions/\d+/|/webhooks/\d+/)[^/?\s'\"]+"  # with it anybody can answer for the bot for fifteen minutes
    r"|(['\"]token['\"]:\s*['\"])[^'\"]+"  # the same, as Discord sends it
)


class Redactor:
    """Hides secrets and the tokens of interactions in text."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        known = sorted({one for one in secrets if len(one) >= SECRET_LEAST}, key=len, reverse=True)
        self._secrets = re.compile("|".join(map(re.escape, known))) if known else None

    def __call__(self, text: str) -> str:
        text = TOKENS.sub(lambda found: f"{found[1] or found[2]}{HIDDEN}", text)
        return self._secrets.sub(HIDDEN, text) if self._secrets else text


class Lines(logging.Formatter):
    """A line per record, and the traceback below it where there is one."""

    def __init__(self, redact: Redactor) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s")
        self._redact = redact

    def format(self, record: logging.LogRecord) -> str:
        return self._redact(super().format(record))


def configure(level: str, secrets: Iterable[str] = ()) -> None:
    """Send the log to standard error, from one level; ``secrets`` are hidden in it."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines(Redactor(secrets)))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.getLogger("alembic").setLevel(logging.WARNING)  # it tells every step of every start
    for store in ("aiosqlite", "sqlalchemy"):  # they tell all values of all rows, keys of sealed tables too
        logging.getLogger(store).setLevel(logging.WARNING)
    chosen = logging.getLogger().level
    logging.getLogger("discord").setLevel(max(logging.INFO, chosen))
    logging.getLogger("discord.client").setLevel(chosen)  # the names of events
