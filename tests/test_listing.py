"""The texts for Discord's directory keep its limits, and what they point at is there."""

import re
from pathlib import Path

from bot import invitation

DOCS = Path(__file__).parents[1] / "docs"
PAGE = (DOCS / "listing.md").read_text(encoding="utf-8")


def quoted(title: str) -> str:
    """The quotation under a bold title."""
    lines = PAGE.partition(f"**{title}**")[2].splitlines()[2:]
    return "\n".join(line.removeprefix(">").strip() for line in lines[: lines.index("")])


def test_summary_description_and_tags_fit() -> None:
    assert 0 < len(quoted("Summary")) <= 200
    assert 500 < len(quoted("Description")) <= 3000
    assert len(re.findall(r"`([a-z-]+)`", next(line for line in PAGE.splitlines() if line.startswith("**Tags**")))) == 5


def test_links_lead_to_files() -> None:
    for page in (DOCS / "listing.md", DOCS.parent / "TERMS.md"):
        for target in re.findall(r"\]\(([^):]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), target


def test_the_page_asks_for_the_permissions_of_the_link() -> None:
    titles = {"View Channel": "View Channels"}
    for one in invitation.Permission:
        title = str(one.name).replace("_", " ").title().replace(" In ", " in ")
        assert f"*{titles.get(title, title)}*" in PAGE, title
