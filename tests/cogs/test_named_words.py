"""Every command, option, and word that a message names exists in its game."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from babel.messages.pofile import read_po

from bot.languages import DOMAINS, FOLDER
from cogs.help import slashes
from tests.conftest import Club

ROOT: Final = Path(__file__).parents[2]
ROOTS: Final = {"anydice": ("roll", "saved"), "duels": ("duel",), "rollcall": ()}
"""The commands of a catalog that are not named like it; none: it may name those of all games."""
COMMAND: Final = re.compile(r"(?<![\w}/])/([a-z]+(?: [a-z]+)*)")
TYPED: Final = re.compile(r"`([^`]+)`")
WORD: Final = re.compile(r"[a-z_]+")
GIVEN: Final = re.compile(r"\b([a-z_]+):(?= ?[\w{`]|$)")
"""An option with its value, as it is typed."""
GROUPS: Final = {"xwing", "infinity", "warsurge", "albion", "ruleset", "privacy"}
"""What is named without its commands where each of them is meant."""
EXAMPLES: Final = {"Use 1 to 20 lowercase letters, digits, and hyphens, as in `club`.": "club"}
"""Words that nobody knows, as people make them up."""


def messages() -> Iterator[tuple[str, str]]:
    """Each message in English, with its catalog."""
    for domain in DOMAINS:
        with (FOLDER / f"{domain}.pot").open("rb") as file:
            for message in read_po(file):
                said: Any = message.id  # of a counted one, both forms
                yield from ((domain, text) for text in ([said] if isinstance(said, str) else said))


@cache
def literals() -> frozenset[str]:
    """The words in the code and its tables that are no sentences: what its readers know."""
    files = [file for folder in ("bot", "cogs") for file in (ROOT / folder).rglob("*.py")]
    trees = (ast.walk(ast.parse(file.read_text(encoding="utf-8"))) for file in files)
    said = [part.value for tree in trees for part in tree if isinstance(part, ast.Constant)]
    plain = [text for text in said if isinstance(text, str) and text == text.lower() and "`" not in text]
    tables = [
        file.read_text("utf-8") for kind in ("txt", "toml") for file in (ROOT / "bot" / "rules").rglob(f"*.{kind}")
    ]
    return frozenset(WORD.findall(" ".join([*plain, *tables])))


def wrong_names(domain: str, text: str, options: Mapping[str, set[str]]) -> Iterator[str]:
    """What a message names that does not exist."""
    roots, paths = ROOTS.get(domain, (domain,)), sorted(options, key=len, reverse=True)
    game = set().union(*(options[path] for path in paths if not roots or path.split()[0] in roots))
    named = [
        (words, next((path for path in paths if f"{words} ".startswith(f"{path} ")), None))
        for words in COMMAND.findall(text)
    ]
    yield from (f"/{words}" for words, path in named if path is None and words.split()[0] not in GROUPS - {domain})
    takes = set().union(*(options[path] for _, path in named if path)) or game
    for typed in TYPED.findall(text):
        yield from (option for option in GIVEN.findall(typed) if option not in takes)
        if WORD.fullmatch(typed) and typed not in takes | literals() | {EXAMPLES.get(text)}:
            yield typed


async def test_every_command_option_and_word_that_a_message_names_exists_in_its_game(club: Club) -> None:
    bot: Any = club.env.bot
    options = {slash.qualified_name: {each.display_name for each in slash.parameters} for slash in slashes(bot)}
    every = list(messages())
    wrong = [(text, name) for domain, text in every for name in wrong_names(domain, text, options)]
    assert wrong == []
    assert sum("`" in text for _, text in every) > 200
    broken = (
        "Type `/xwing fly`.",
        "Use `/xwing attack` with `ancor`.",
        "Use `/xwing engage` with `agility:2`.",
        "`qwrt`",
    )
    assert [list(wrong_names("xwing", text, options)) for text in broken] == [
        ["/xwing fly"],
        ["ancor"],
        ["agility"],
        ["qwrt"],
    ]
