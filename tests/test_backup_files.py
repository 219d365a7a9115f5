"""Which backups are kept, and the compose file of a release."""

import asyncio
import json
import re
import shutil
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest

from bot.store import backups, coordination
from bot.store.database import run_once
from tests import engines

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


COMPOSED: Final = {
    "compose.yaml": ("compose.yaml",),
    "compose.postgres.yaml": ("compose.yaml", "deploy/compose.postgres.yaml"),
    "compose.processes.yaml": ("deploy/compose.processes.yaml",),
}


def service(files: tuple[str, ...]) -> dict[str, str]:
    """The lines of the service ``backup``; a later file takes the place of an earlier one, as Compose does it."""
    result = dict[str, str]()
    for file in files:
        text = (ROOT / file).read_text(encoding="utf-8")
        block = re.search(r"^  backup:.*\n((?:    .*\n)+)", text, re.MULTILINE)
        assert block is not None, file
        result |= dict(re.findall(r"^ +([\w]+): ([^\n#]+?)(?: # .*)?$", block[1], re.MULTILINE))
    return result


@pytest.mark.parametrize("name", COMPOSED)
def test_the_service_of_a_compose_file_backs_up_and_rehearses_what_can_be_restored(
    name: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Its own command and address, once around its loop, with the folder and server of a test in place of its own."""
    ours = service(COMPOSED[name])
    url, path = (
        f"sqlite+aiosqlite:///{tmp_path}/data/rollcall.db",
        [str(ROOT / "deploy"), str(Path(sys.executable).parent)],
    )
    if name == "compose.yaml":
        (tmp_path / "data").mkdir()
        shutil.copy(request.getfixturevalue("migrated"), tmp_path / "data" / "rollcall.db")
        address = ours["DATABASE_URL"].replace("${DATABASE_URL:-}", "")
    else:
        programs = engines.programs()
        assert programs is not None
        path.append(str(programs))
        url = request.getfixturevalue("rolls")
        address = re.sub(r"\$\{POSTGRES_PASSWORD:\?[^}]*\}", "secret", ours["DATABASE_URL"])
        assert address == "postgresql+asyncpg://rollcall:secret@postgres/rollcall"
        address = address.replace("postgres/rollcall", url.rpartition("@")[2])
    shell, option, loop = json.loads(ours["command"])
    assert (shell, option) == ("sh", "-c")
    once = loop.removeprefix("while :; do ").removesuffix("; sleep 3600; done")
    assert once == loop[len("while :; do ") : -len("; sleep 3600; done")], "and again every hour"
    once = once.replace("/rollcall/backups", str(tmp_path / "backups"))
    environment = {"PATH": ":".join([*path, "/usr/bin", "/bin"]), "DATABASE_URL": address, "PYTHONPATH": str(ROOT)}
    ended = subprocess.run([shell, option, once], cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr.decode()
    (backup,) = (tmp_path / "backups" / "daily").glob("rollcall-*.backup")
    assert backup.with_name(f"{backup.name}.rows").read_text()
    assert (tmp_path / "backups" / "rehearsed").read_text().strip() == f"{datetime.now(UTC):%Y-%m}"
    for scope in (backups.BACKUP, backups.REHEARSAL):
        assert asyncio.run(run_once(url, coordination.noted_at, scope)), "the metrics know when"


def test_backups_have_the_client_programs_of_the_server() -> None:
    (version,) = re.findall(r"postgresql-client-(\d+)", (ROOT / "Dockerfile").read_text(encoding="utf-8"))
    for file in ("deploy/compose.postgres.yaml", "deploy/compose.processes.yaml"):
        text = (ROOT / file).read_text(encoding="utf-8")
        assert re.findall(r"image: postgres:(\d+)@", text) == [version]
        assert re.findall(r"build: \{ context: \., target: (\w+) \}", text) == ["backup"]
    stages = re.findall(r"^FROM (\S+)(?: AS (\w+))?$", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    assert stages[-2:] == [("run", "backup"), ("run", "")], "the image of a release has none of it"


def test_a_release_runs_the_published_image() -> None:
    image = f"ghcr.io/owner/rollcall:1.0.0@sha256:{'a' * 64}"
    result = subprocess.run([ROOT / ".ci/compose", image], capture_output=True, text=True, check=True).stdout
    ours = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    assert re.findall(r"^ +image: (\S+)", ours, re.MULTILINE) == ["rollcall", "rollcall"]
    assert re.findall(r"^ +image: (\S+)", result, re.MULTILINE) == [image, image]
    assert "build:" not in result
    assert len(result.splitlines()) == len(ours.splitlines()) - 1
