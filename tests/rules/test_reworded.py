"""No rule reads a sentence: with every message reworded each game plays and counts the same."""

import subprocess
import sys
from pathlib import Path

from tests.pseudo_letters import ACCENTED, PLAIN

ROOT = Path(__file__).parents[2]


def answers(how: str) -> list[str]:
    """A line for each declaration, as a process of its own prints it."""
    words = [sys.executable, "-m", "tests.reworded", how]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


def test_with_every_message_reworded_all_games_play_and_count_the_same() -> None:
    plain, pseudo = answers("plain"), answers("pseudo")
    assert len(plain) > 500
    back = str.maketrans(ACCENTED, PLAIN)
    reworded = [line for line in pseudo if line != line.translate(back)]
    assert len(reworded) > 300
    assert [line.translate(back) for line in pseudo] == [line.translate(back) for line in plain]
