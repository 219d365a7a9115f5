"""The log: lines for people, or one JSON object a line for machines."""

import json
import logging
from collections.abc import Iterator

import pytest

from bot import logs


@pytest.fixture
def root() -> Iterator[logging.Logger]:
    """The root logger, left as it was found."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield root
    root.handlers[:], root.level = handlers, level


def test_json_is_one_object_a_line_with_the_traceback_inside(
    root: logging.Logger, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure("info", "json")
    logging.getLogger("bot.test").debug("too quiet")
    logging.getLogger("bot.test").error("two\nlines, %s", "żółć", exc_info=RuntimeError("broken"))
    (line,) = capsys.readouterr().err.splitlines()
    told = json.loads(line)
    assert (told["level"], told["logger"], told["message"]) == ("error", "bot.test", "two\nlines, żółć")
    assert "RuntimeError: broken" in told["error"]
    assert told["time"].endswith("+00:00")


def test_text_is_a_line_with_its_level_and_source(root: logging.Logger, capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("warning", "text")
    logging.getLogger("bot.test").info("too quiet")
    logging.getLogger("bot.test").warning("look here")
    (line,) = capsys.readouterr().err.splitlines()
    assert "WARNING bot.test: look here" in line
