"""``make weights``: count how often each message is said while everything is pressed and twenty matches are played.

The counts go to ``bot/languages/said.toml``; ``make messages`` writes them above the messages, so that a translator can
begin with what players read most. They are counted by hand, not in CI: a count that is a little old does no harm.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any, Final

import pytest

from bot.languages import FOLDER
from bot.languages.translate import using_language
from tests.pseudo import Invented, template

MATCHES: Final = "test_replays.py"
"""The file of tests whose matches are played in English, which needs no messages."""
PLAYED: Final = (
    "tests/cogs/test_crawl.py",
    "tests/cogs/test_pseudo.py",
    f"tests/sessions/{MATCHES}::test_random_matches_end_in_the_stored_state[0]",
)
"""The tests that press everything, play a scene of each game, and play twenty matches at random."""
HEAD: Final = (
    "# How often each message was said in the tests of `tests/weights.py`. Written by `make weights`; do not edit.\n\n"
)


class Listener:
    """A pytest plugin that counts each message as it is said."""

    def __init__(self) -> None:
        self.said = Counter[str]()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        message, count = Invented.message, Invented.count

        def counted_message(language: Invented, english: str) -> str:
            self.said[str(english)] += 1
            return message(language, english)

        def counted_noun(language: Invented, number: int, one: str, many: str) -> str:
            self.said[str(one)] += 1
            return count(language, number, one, many)

        heard = using_language(Invented()) if item.path.name == MATCHES else nullcontext()
        with pytest.MonkeyPatch.context() as patch, heard:
            patch.setattr(Invented, "message", counted_message)
            patch.setattr(Invented, "count", counted_noun)
            return (yield)


def main(arguments: list[str]) -> int:
    """Run the tests and write the counts. Returns pytest's exit code if a test fails; nothing is written then."""
    listener = Listener()
    options: list[Any] = ["-q", "-n", "0", "-p", "no:cacheprovider", *arguments]
    if code := pytest.main([*options, *PLAYED], plugins=[listener]):
        return int(code)
    rows = sorted((english, times) for english, times in listener.said.items() if english in template())
    lines = [f"{json.dumps(english, ensure_ascii=False)} = {times}\n" for english, times in rows]
    (FOLDER / "said.toml").write_text(HEAD + "".join(lines), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
