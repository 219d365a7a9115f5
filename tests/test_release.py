"""A release from a tag: its wheel and notes, as the workflow makes them."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from bot import package_info

ROOT = Path(__file__).parents[1]


def release(tree: Path, tag: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHON": str(ROOT / ".venv/bin/python"), "PIP_NO_INDEX": "1"}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"  # a check that is replaced within a second is not read from a cache
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
    (tree / "bot" / "languages" / "catalogs.py").write_text(code)


def test_a_tag_of_another_version_is_refused(tree: Path) -> None:
    ended = release(tree, "v99.1.2")
    assert ended.returncode == 1
    assert "The tag says 99.1.2" in ended.stdout


def test_a_version_without_notes_is_refused(tree: Path) -> None:
    (tree / "CHANGELOG.md").write_text("# Changelog\n\n## [0.0.1]\n\n- Old.\n")
    ended = release(tree, f"v{package_info.read().version}")
    assert ended.returncode == 1
    assert "Write it" in ended.stdout


def test_the_notes_are_the_section_of_the_version(tree: Path) -> None:
    version = package_info.read().version
    (tree / "CHANGELOG.md").write_text(f"# Changelog\n\n## [{version}] - today\n\n- New.\n\n## [0.0.1]\n\n- Old.\n")
    release(tree, f"v{version}")
    assert (tree / "dist/NOTES.md").read_text().strip() == "- New."


def test_a_language_that_lacks_a_message_stops_a_release(tree: Path) -> None:
    set_catalog_check(tree, 1)
    ended = release(tree, f"v{package_info.read().version}")
    assert ended.returncode == 1
    assert "Translate what is missing" in ended.stdout
    set_catalog_check(tree, 0)
    assert "Translate what is missing" not in release(tree, f"v{package_info.read().version}").stdout


def jobs(name: str = "release") -> dict[str, str]:
    """The text of each job of a workflow."""
    workflow = (ROOT / f".github/workflows/{name}.yml").read_text(encoding="utf-8")
    _, *result = re.split(r"^  (?=\w+:$)", workflow.partition("\njobs:\n")[2], flags=re.MULTILINE)
    return {item.partition(":")[0]: item for item in result}


def test_no_job_may_do_more_than_it_does() -> None:
    """A job that runs our tests, with all that they bring along, may write nowhere."""
    for workflow in ("release", "pages"):
        text = (ROOT / f".github/workflows/{workflow}.yml").read_text(encoding="utf-8")
        assert "\npermissions: {} #" in text
    result = jobs() | jobs("pages")
    rights = {name: set(re.findall(r"^      (\S+): write", item, re.MULTILINE)) for name, item in result.items()}
    assert rights == {
        "release": set(),
        "wheel": {"contents", "id-token", "attestations"},
        "image": {"packages", "id-token", "attestations"},
        "compose": {"contents"},
        "build": set(),
        "deploy": {"pages", "id-token"},
    }


@pytest.mark.parametrize("name", ["wheel", "image"])
def test_what_goes_out_says_where_it_was_built_and_of_what(name: str) -> None:
    job = jobs()[name]
    assert "actions/attest-build-provenance@" in job
    assert ("--sbom=true" in job) or ("dist/rollcall.cdx.json" in job)


def test_the_bill_of_materials_has_every_package_of_the_lock() -> None:
    ended = subprocess.run([ROOT / ".ci/sbom"], capture_output=True, text=True, check=True)
    bill = json.loads(ended.stdout)
    result = {(item["name"], item["version"]): len(item["properties"]) for item in bill["components"]}
    lock = (ROOT / "locks/run.txt").read_text(encoding="utf-8")
    assert len(result) == len(re.findall(r"^\S+==", lock, re.MULTILINE)) > 20
    assert sum(result.values()) == lock.count("--hash=sha256:")
    assert all(item["purl"].startswith("pkg:pypi/") for item in bill["components"])
    assert bill["metadata"]["component"]["version"] == package_info.read().version


def test_the_workflow_calls_the_script_and_pins_what_it_uses() -> None:
    workflow = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    assert '.ci/release "$GITHUB_REF_NAME"' in workflow
    assert all(re.search(r"@[0-9a-f]{40} # v", line) for line in workflow.splitlines() if " uses: " in line)
