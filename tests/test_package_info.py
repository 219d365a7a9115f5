"""What the package says of itself comes from ``pyproject.toml``, in a checkout and where it is installed."""

import tomllib
from importlib import metadata
from pathlib import Path
from typing import Final

import pytest

from bot import package_info

PROJECT = tomllib.loads(package_info.PROJECT.read_text(encoding="utf-8"))["project"]


def test_a_checkout_says_what_pyproject_says() -> None:
    told = package_info.read()
    assert told.version == PROJECT["version"]
    assert told.license == PROJECT["license"] == "MIT"
    assert told.source == package_info.source(PROJECT.get("urls", {}))


def test_an_installed_package_says_it_by_its_metadata(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "rollcall-9.8.7.dist-info"
    folder.mkdir()
    lines = ["Metadata-Version: 2.4", "Name: rollcall", "Version: 9.8.7", "License-Expression: MIT"]
    lines += ["Project-URL: Changelog, https://example.org/log", "Project-URL: Source, https://example.org/code"]
    (folder / "METADATA").write_text("\n".join(lines))
    result = metadata.Distribution.at(folder).metadata
    monkeypatch.setattr(metadata, "metadata", lambda _: result)
    assert package_info.read(tmp_path / "nothing") == package_info.PackageInfo(
        "9.8.7", "MIT", "https://example.org/code"
    )


SERVED: Final = (package_info.CHECKER, package_info.TERMS, package_info.PRIVACY)


@pytest.mark.parametrize("path", SERVED)
def test_what_the_bot_serves_travels_with_the_package(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (package_info.PROJECT.parent / path).read_bytes()
    assert package_info.read_packaged(path) == page
    project = tomllib.loads(package_info.PROJECT.read_text(encoding="utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert included == {name: f"bot/packaged/{Path(name).name}" for name in SERVED}
    installed = tmp_path / "bot" / "packaged" / Path(path).name
    installed.parent.mkdir(parents=True)
    installed.write_bytes(page)
    monkeypatch.setattr(package_info, "__file__", str(tmp_path / "bot" / "package.py"))
    assert package_info.read_packaged(path, tmp_path / "nothing") == page


def test_the_best_label_of_the_source_counts() -> None:
    urls = {
        "Homepage": "https://example.org",
        "Repository": "https://example.org/git",
        "Issues": "https://example.org/i",
    }
    assert package_info.source(urls) == "https://example.org/git"
    assert package_info.source({"Issues": "https://example.org/i"}) == ""
