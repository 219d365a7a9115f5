"""What the log looks like: lines for people, or one JSON object a line for machines."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Literal


class JsonLines(logging.Formatter):
    """One JSON object per record: time, level, logger, message, and the traceback where there is one."""

    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            entry["error"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=False)


def configure(level: str, form: Literal["text", "json"]) -> None:
    """Send the log to standard error, in one form, from one level."""
    handler = logging.StreamHandler(sys.stderr)
    lines = logging.Formatter("%(asctime)s %(levelname)-7s %(name)s: %(message)s")
    handler.setFormatter(JsonLines() if form == "json" else lines)
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.getLogger("alembic").setLevel(logging.WARNING)  # it tells every step of every start
    logging.getLogger("aiosqlite").setLevel(logging.INFO)  # it tells all values of all rows, keys of sealed tables too
