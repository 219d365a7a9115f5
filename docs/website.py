# ruff: noqa: INP001 - a script beside what it publishes, no package
"""Build the documentation as a site: ``python -m docs.website [--serve]`` writes dist/docs.

The pages are the Markdown files of this repository, at the paths they have here, so that one link works on GitHub, in
an editor, and on the site. A link to a file that is no page (code, data) leads to the source on the web where the
package names it, and otherwise becomes plain text. The strict build fails on a link that leads nowhere.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from bot.package_info import address_of, read

ROOT: Final = Path(__file__).parents[1]
PAGES: Final = ROOT / "dist" / "docs-source"
LINK: Final = re.compile(r"(?<!!)\[((?:`[^`]*`|[^\[\]`])*)\]\(([^()\s]+)\)")
PUBLISHED: Final = (".md", ".png", ".gif", ".html")


def tracked() -> list[str]:
    """Return the paths of all files that git tracks or would track."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],  # noqa: S607 - git of the path
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip  # a table: one row a line
    return [path for path in listed.stdout.splitlines() if (ROOT / path).is_file()]


def is_page(path: str) -> bool:
    """Whether a file is part of the site: Markdown anywhere but in hidden folders and tests, pictures of docs."""
    if path.startswith((".", "tests/")) or not path.endswith(PUBLISHED):
        return False
    return path.endswith(".md") or path.startswith("docs/")


def with_links(text: str, page: str, source: str) -> str:
    """Return a page whose links to files outside the site lead to the source, or are plain text without one."""

    def replaced(link: re.Match[str]) -> str:
        label, target = link.groups()
        path = target.partition("#")[0]
        if "://" in target or not path:
            return link[0]
        result = (ROOT / page).parent.joinpath(path).resolve()
        if not result.exists() or not result.is_relative_to(ROOT) or is_page(str(result.relative_to(ROOT))):
            return link[0]  # where it leads nowhere, the strict build says so
        address = address_of(str(result.relative_to(ROOT)), source)
        return f"[{label}]({address})" if address else label

    return LINK.sub(replaced, text)


def collect() -> None:
    """Copy every page of the repository to where the site generator reads it."""
    shutil.rmtree(PAGES, ignore_errors=True)
    source = read().source
    for path in filter(is_page, tracked()):
        target = PAGES / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.endswith(".md"):
            text = (ROOT / path).read_text(encoding="utf-8")
            target.write_text(with_links(text, path, source), encoding="utf-8")
        else:
            shutil.copy(ROOT / path, target)


def add_previews(site: Path, url: str) -> None:
    """Say in each page what Discord shows of its link; ``url``: where the site will be, "" for no picture."""
    for page in site.rglob("*.html"):
        html = page.read_text(encoding="utf-8")
        title = re.search(r"<title>(.*?)</title>", html, re.DOTALL)
        if title is None:
            continue
        told = {"title": title[1].strip(), "site_name": "Rollcall", "type": "website"}
        if (about := re.search(r'<meta name="description" content="([^"]*)"', html)) is not None:
            told["description"] = about[1]
        if url:
            told["image"] = f"{url.rstrip('/')}/docs/xwing-attack.png"
        lines = "".join(
            f'<meta property="og:{name}" content="{value}">'
            for name, value in told.items()
            if f'"og:{name}"' not in html
        )
        page.write_text(html.replace("</title>", f"</title>{lines}", 1), encoding="utf-8")


def main(*arguments: str) -> int:
    collect()
    command = ["serve"] if "--serve" in arguments else ["build", "--strict", "--clean"]
    whole = [sys.executable, "-m", "zensical", *command, "--config-file", "mkdocs.yml"]
    status = subprocess.run(whole, cwd=ROOT, check=False).returncode  # noqa: S603 - ours
    if not status and "build" in command:
        add_previews(ROOT / "dist" / "docs", os.environ.get("PAGES_URL", ""))
        print("The documentation is in dist/docs.")  # noqa: T201 - a script
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
