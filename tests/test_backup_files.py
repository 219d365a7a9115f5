"""Which backups are kept, and the compose file of a release."""

import re
import subprocess
from datetime import date, timedelta
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]
SCRIPT: Final = ROOT / "deploy" / "rollcall-backup"
FIRST: Final = date(2026, 12, 28)
"""A Monday; the last week of 2026 is the 53rd, and its year ends in the middle of it."""
NOTE_DATE: Final = ("sh", "-c", 'date -u +%F >"$0"; echo rows >"$0.rows"')
"""A command that makes a backup: it writes the day into the file that it is given, and some rows beside it."""


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A folder with a ``date`` that believes it is the day that DAY names."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "date").write_text('#!/bin/sh\nexec /bin/date --date="$DAY" "$@"\n')
    (folder / "date").chmod(0o755)
    return folder


def back_up(programs: Path, day: date, command: tuple[str, ...] = NOTE_DATE) -> int:
    environment = {"PATH": f"{programs}:/usr/bin:/bin", "DAY": f"{day} 01:00"}
    folder = programs.parent / "backups"
    return subprocess.run([SCRIPT, folder, *command], env=environment, capture_output=True, check=False).returncode


def kept(programs: Path, kind: str) -> dict[str, str]:
    folder = programs.parent / "backups" / kind
    rows = sorted(path.name.removesuffix(".rows") for path in folder.glob("*.rows"))
    result = {path.name: path.read_text().strip() for path in sorted(folder.iterdir()) if path.suffix != ".rows"}
    assert list(result) == rows, "each backup has its rows beside it, and nothing else has"
    return result


def test_seven_days_and_four_weeks_are_kept(programs: Path) -> None:
    days = [FIRST + timedelta(number) for number in range(40)]
    assert [back_up(programs, day) for day in days] == [0] * len(days)
    assert kept(programs, "daily") == {f"rollcall-{day}.backup": str(day) for day in days[-7:]}
    mondays = [day for day in days if day.weekday() == 0][-4:]
    assert kept(programs, "weekly") == {f"rollcall-{day:%G-W%V}.backup": str(day) for day in mondays}


def test_a_week_in_which_the_machine_was_off_on_monday_has_a_backup(programs: Path) -> None:
    for number in (0, 1, 9, 10):
        back_up(programs, FIRST + timedelta(number))
    assert list(kept(programs, "weekly").values()) == ["2026-12-28", "2027-01-06"]


def test_a_day_is_backed_up_once(programs: Path) -> None:
    back_up(programs, FIRST)
    assert back_up(programs, FIRST, ("false",)) == 0
    assert kept(programs, "daily") == {f"rollcall-{FIRST}.backup": str(FIRST)}


def test_a_backup_that_failed_counts_for_nothing_and_is_made_again(programs: Path) -> None:
    assert back_up(programs, FIRST, ("sh", "-c", 'echo half >"$0"; exit 1')) == 1
    assert kept(programs, "weekly") == {}
    assert back_up(programs, FIRST) == 0
    assert kept(programs, "daily") == {f"rollcall-{FIRST}.backup": str(FIRST)}


def test_a_backup_is_restored_once_a_month_and_again_after_a_failure(programs: Path) -> None:
    back_up(programs, FIRST)
    back_up(programs, FIRST + timedelta(1))
    told = programs.parent / "told"

    def rehearse(day: date, command: str) -> int:
        environment = {"PATH": f"{programs}:/usr/bin:/bin", "DAY": f"{day} 01:00"}
        whole = [str(ROOT / "deploy" / "rollcall-rehearsal"), str(programs.parent / "backups"), "sh", "-c", command]
        return subprocess.run(whole, env=environment, capture_output=True, check=False).returncode

    note = f'basename "$0" >>{told}'
    assert rehearse(FIRST, f"{note}; exit 1") == 1
    assert [rehearse(FIRST + timedelta(number), note) for number in range(40)] == [0] * 40
    newest = f"rollcall-{FIRST + timedelta(1)}.backup"
    assert told.read_text().split() == [newest] * 4, "one that failed, then December, January, and February"


def test_a_release_runs_the_published_image() -> None:
    image = f"ghcr.io/owner/rollcall:1.0.0@sha256:{'a' * 64}"
    result = subprocess.run([ROOT / ".ci/compose", image], capture_output=True, text=True, check=True).stdout
    ours = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    assert re.findall(r"^ +image: (\S+)", ours, re.MULTILINE) == ["rollcall", "rollcall"]
    assert re.findall(r"^ +image: (\S+)", result, re.MULTILINE) == [image, image]
    assert "build:" not in result
    assert len(result.splitlines()) == len(ours.splitlines()) - 1
