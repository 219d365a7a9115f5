"""Metadata of this package: ``pyproject.toml`` in a checkout, otherwise of the installed package."""

import tomllib
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Final

NAME: Final = "rollcall"
PROJECT: Final = Path(__file__).parents[1] / "pyproject.toml"
CHECKER: Final = "docs/verify.html"
"""The transcript checker's page."""
TERMS: Final = "TERMS.md"
PRIVACY: Final = "PRIVACY.md"
SOURCE: Final = ("source", "source code", "repository", "homepage")
"""Labels of the source code's URL, best first."""


@dataclass(frozen=True, slots=True)
class PackageInfo:
    """Return the version, the license, and the source code's address; the last two "" if missing."""

    version: str
    license: str
    source: str


def read(project: Path = PROJECT) -> PackageInfo:
    if project.is_file():
        table = tomllib.loads(project.read_text(encoding="utf-8"))["project"]
        return PackageInfo(table["version"], str(table.get("license", "")), source(table.get("urls", {})))
    installed = metadata.metadata(NAME)
    urls = dict(line.split(", ", 1) for line in installed.get_all("Project-URL") or ())
    return PackageInfo(installed["Version"], installed["License-Expression"] or "", source(urls))


def address_of(path: str, at: str) -> str:
    """Return a source file's URL, given the newest tree's; "" if unknown."""
    return f"{at.rstrip('/')}/blob/HEAD/{path}" if at else ""


def read_packaged(path: str, project: Path = PROJECT) -> bytes:
    """Read a file that the bot serves: from the checkout, or ``bot/packaged`` if installed."""
    beside = Path(__file__).parent / "packaged" / Path(path).name
    return (project.parent / path if project.is_file() else beside).read_bytes()


def source(urls: dict[str, str]) -> str:
    """Return the source code's URL among labeled ones."""
    labeled = {label.strip().casefold(): address for label, address in urls.items()}
    return next((labeled[label] for label in SOURCE if label in labeled), "")
