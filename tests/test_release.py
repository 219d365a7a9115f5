"""A release from a tag: its wheel and notes, as the workflow makes them."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from bot import package

ROOT = Path(__file__).parents[1]


def release(tree: Path, tag: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHON": str(ROOT / ".venv/bin/python"), "PIP_NO_INDEX": "1"}
    return subprocess.run([tree / ".ci/release", tag], capture_output=True, text=True, env=environment, check=False)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of what a release reads, without the package itself."""
    (tmp_path / ".ci").mkdir()
    for name in (".ci/release", "pyproject.toml", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path / name)
    for folder in (tmp_path / "bot", tmp_path / "bot" / "languages"):
        folder.mkdir()
        (folder / "__init__.py").touch()
    set_catalog_check(tmp_path, 0)
    return tmp_path


def set_catalog_check(tree: Path, status: int) -> None:
    """Put a check of the catalogs in place that ends with this status."""
    code = f"import sys\nassert sys.argv[1:] == ['--check']\nsys.exit({status})\n"
    (tree / "bot" / "languages" / "catalogues.py").write_text(code)


def test_a_tag_of_another_version_is_refused(tree: Path) -> None:
    ended = release(tree, "v99.1.2")
    assert ended.returncode == 1
    assert "The tag says 99.1.2" in ended.stdout


def test_a_version_without_notes_is_refused(tree: Path) -> None:
    (tree / "CHANGELOG.md").write_text("# Changelog\n\n## [0.0.1]\n\n- Old.\n")
    ended = release(tree, f"v{package.read().version}")
    assert ended.returncode == 1
    assert "Write it" in ended.stdout


def test_the_notes_are_the_section_of_the_version(tree: Path) -> None:
    version = package.read().version
    (tree / "CHANGELOG.md").write_text(f"# Changelog\n\n## [{version}] - today\n\n- New.\n\n## [0.0.1]\n\n- Old.\n")
    release(tree, f"v{version}")
    assert (tree / "dist/NOTES.md").read_text().strip() == "- New."


def test_a_language_that_lacks_a_message_stops_a_release(tree: Path) -> None:
    set_catalog_check(tree, 1)
    ended = release(tree, f"v{package.read().version}")
    assert ended.returncode == 1
    assert "Translate what is missing" in ended.stdout
    set_catalog_check(tree, 0)
    assert "Translate what is missing" not in release(tree, f"v{package.read().version}").stdout


def test_the_workflow_calls_the_script_and_pins_what_it_uses() -> None:
    workflow = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    assert '.ci/release "$GITHUB_REF_NAME"' in workflow
    assert all(re.search(r"@[0-9a-f]{40} # v", line) for line in workflow.splitlines() if " uses: " in line)
