"""Each way to lose the language of a text is refused by mypy: by its type, or by the plugin beside these tests."""

import re
import shutil
from pathlib import Path
from typing import Final

import pytest
from mypy import api

HEAD: Final = "from bot.rules.text import N_, Code, Count, Name, Shown, Text, english\n\nSHIP: Text = Text('ship')\n"
LOST: Final = {
    "strip": "SHIP.strip()",
    "join": "', '.join([SHIP, SHIP])",
    "f-string": "f'{SHIP}!'",
    "f-string of one thing that may be a name": "def line(one: Shown) -> str:\n    return f'- {one}'",
    "format": "'{}'.format(SHIP)",
    "str": "str(SHIP)",
    "slice": "SHIP[:3]",
    "added": "SHIP + 's'",
    "upper": "SHIP.upper()",
    "length": "len(SHIP)",
    "a plain literal": "def card(title: Shown) -> None: ...\n\n\ncard('ship')",
    "a string where a text is meant": "def said(text: Text) -> None: ...\n\n\nsaid('ship')",
    "a text where a string goes out": "def send(content: str) -> None: ...\n\n\nsend(SHIP)",
    "a message that is no literal": "def told(words: str) -> Text:\n    return Text(words)",
    "an error that is no literal": "from bot.rules.errors import PlayerError\n\n\n"
    "def refused(words: str) -> PlayerError:\n    return PlayerError(words)",
    "a kind of error in no catalog": "from bot.rules.errors import NotAllowedNowError\nNotAllowedNowError('Wait.')",
    "a noun that is no literal": "def some(noun: str) -> Text:\n    return Count(2, noun, noun + 's')",
}
KINDS: Final = {
    "what comes next": "def label(ship: Shown) -> Text:\n    return Text(f'Next: {ship} attacks')",
    "How? of X-Wing": "from bot.rules.dice import DieStep\nDieStep('changed', 'hit', 'focus')",
    "How? of Infinity": "from bot.rules.infinity.troopers.declared import Mod\nMod(3, 'Range 10 inches')",
    "How? of any dice": "from bot.rules.dice import DieStep\nDieStep('cancelled', 1, 'dropped')",
    "a side in a refusal": "def refusal(side: str) -> Text:\n    return Text('It is for {who} ({side}).', side=side)",
    "a weapon on a button": "Text('Shoot with {weapon}', weapon='Combi')",
    "the mean of a chart": "def words(mean: float) -> Shown:\n    return f'mean {mean}'",
    "a number of advice": "from fractions import Fraction\nfrom bot.odds.advice import NamedNumber\n"
    "NamedNumber('average damage', Fraction(1))",
    "the first player's roll": "from bot.sessions.codec import TableStep\nTableStep('rolls hit, hit, crit', 'Ana')",
    "what points are for": "from bot.rules.xwing.table.score import EarnedPoints\nEarnedPoints(1, 2, 'a satellite', 1)",
    "the name of a primary weapon": "from bot.rules.game import Option\nOption('primary', 'Primary')",
    "the difference of two cards": "Text('{what} {now}, was {before}', what='agility', now=2, before=1)",
    "the readings of a line": "from bot.rules.errors import AmbiguousTextError\n"
    "AmbiguousTextError(SHIP, 'dice', ('ro1',), ('rerolled once',))",
    "a name in an error": "from bot.rules.errors import PlayerError\nPlayerError('{who} waits.', who='Luke')",
    "a state in a sentence": "Text('{who} is {state}.', who=Name('Angus'), state='Stunned')",
    "a claim among odds": "from bot.rules.text import labeled\nlabeled('Howlrunner near', Name('Luke'))",
    "a title on Discord": "import discord\ndiscord.Embed(title='X-Wing')",
    "a text that nobody said": "import discord\ndiscord.Embed(description=english(SHIP))",
    "a message on Discord": "import discord\n\n\nasync def tell(channel: discord.TextChannel) -> None:\n"
    "    await channel.send('Done.')",
    "a choice": "from discord.app_commands import Choice\nChoice(name='both', value=1)",
    "an answer": "from bot.ui.core.responses import Answer\n\n\nasync def tell(answer: Answer) -> None:\n"
    "    await answer.post(content='Done.')",
    "a contest in secret": "def outcome() -> Text:\n    return 'A roll in secret'",
}
"""Each kind of English that a crawl found once at a German table."""
FINE: Final = "\n".join(
    (
        "TABLE = {True: N_('{who} hits.'), False: N_('{who} misses.')}",
        "HIT = Text(TABLE[True], who=Name('Luke'))",
        "MISS = Text('a miss' if HIT else 'a hit')",
        "CODE: Shown = Code('focus')",
        "from bot.rules.errors import NotAllowedNowError, PlayerError",
        "WAITS = PlayerError('{who} waits.', who=Name('Luke'))",
        "WRONG = [PlayerError(SHIP), NotAllowedNowError(Text('Wait.')), PlayerError(TABLE[True], who=Name('Luke'))]",
    )
)


CASES: Final = {**LOST, **KINDS, "fine": FINE}
PLACED: Final = "bot/cli/card_files.py"
"""The module of the bot that mypy is told to find them in."""


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The cases that mypy refuses; each is a function, so that mypy starts once for all."""
    folder, lines, of_line = tmp_path_factory.mktemp("plugin"), HEAD.splitlines(), dict[int, str]()
    for number, (name, source) in enumerate(CASES.items()):
        lines += ["", f"async def case_{number}() -> None:", *(f"    {line}" for line in source.splitlines())]
        of_line |= dict.fromkeys(range(len(lines) - len(source.splitlines()), len(lines) + 1), name)
    module = folder / "cases.py"
    module.write_text("\n".join(lines) + "\n", "utf-8")
    cache = folder / "mypy"  # that of the project must not hold what these cases are
    if Path(".mypy_cache").is_dir():
        shutil.copytree(".mypy_cache", cache)
    options = ["--config-file", "pyproject.toml", "--cache-dir", str(cache), "--shadow-file", PLACED, str(module)]
    said, problems, _ = api.run([*options, PLACED])
    assert problems == ""
    found = re.findall(rf"^{re.escape(PLACED)}:([0-9]+): error", said, re.MULTILINE)
    assert found, said
    return {of_line[int(line)] for line in found}


@pytest.mark.slow
def test_what_keeps_the_language_is_fine(refused: set[str]) -> None:
    assert "fine" not in refused


@pytest.mark.slow
@pytest.mark.parametrize("how", [*LOST, *KINDS])
def test_what_loses_the_language_does_not_compile(refused: set[str], how: str) -> None:
    assert how in refused
