"""No rule reads a sentence: with every message reworded each game plays and counts the same."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.pseudo_letters import ACCENTED, PLAIN
from tests.seeds import seeds

ROOT = Path(__file__).parents[2]


def answers(how: str, of: int) -> list[str]:
    """A line for one declaration of so many, as a process of its own prints it."""
    words = [sys.executable, "-m", "tests.reworded", how, str(of)]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


@pytest.mark.parametrize("of", seeds((6, 1)))
def test_with_every_message_reworded_all_games_play_and_count_the_same(of: int) -> None:
    plain, pseudo = answers("plain", of), answers("pseudo", of)
    assert len(plain) > 700 // of
    back = str.maketrans(ACCENTED, PLAIN)
    reworded = [line for line in pseudo if line != line.translate(back)]
    assert len(reworded) > 400 // of
    assert [line.translate(back) for line in pseudo] == [line.translate(back) for line in plain]
