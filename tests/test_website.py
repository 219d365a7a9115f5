"""The documentation as a site: every page is reachable, and links out of the site lead to the source."""

import re

from docs import website

NAV = (website.ROOT / "mkdocs.yml").read_text(encoding="utf-8")


def test_every_page_stands_in_the_navigation_once() -> None:
    pages = {path for path in website.tracked() if website.is_page(path) and path.endswith(".md")}
    listed = re.findall(r"(\S+\.md)$", NAV, re.MULTILINE)
    assert sorted(listed) == sorted(pages)


def test_a_link_to_code_leads_to_the_source_or_is_plain_text() -> None:
    text = "See [`systems`](../bot/rules/anydice/systems.toml), [speed](speed.md) and [us](https://example.com/a_b)."
    source = "https://example.com/rollcall"
    linked = website.with_links(text, "docs/systems.md", source)
    assert linked == text.replace("../bot", f"{source}/blob/HEAD/bot")
    assert website.with_links(text, "docs/systems.md", "") == text.replace(
        "[`systems`](../bot/rules/anydice/systems.toml)", "`systems`"
    )


def test_every_decision_says_what_was_rejected_and_which_figure_decided() -> None:
    records = sorted((website.ROOT / "docs/decisions").glob("0*.md"))
    assert len(records) >= 10
    for record in records:
        text = record.read_text(encoding="utf-8")
        assert all(part in text for part in ("**Decision.**", "**Rejected.**", "**The figure that decided.**")), record
        assert re.search(r"\d", text.partition("**The figure that decided.**")[2].partition("**Cost.**")[0]), record
