"""Our own Markdown files as HTML: headings, paragraphs, lists, tables, and inside them bold, code, and links. Never
user input. Other syntax is left as is, and a test finds it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from bot.html.html import Html, escaped, join_html, tag
from bot.rules.text import Code

INLINE: Final = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|\[([^\[\]]+)\]\(([^)\s]+)\)")
HEADING: Final = re.compile(r"(#{1,6}) (.+)")
ITEM: Final = re.compile(r"^(?:- |\d+\. )", re.MULTILINE)
Address = Callable[[str], str]
"""Returns a link target's URL; "" for plain text."""


def convert(text: str, address: Address) -> list[Html]:
    return [element(block, address) for block in re.split(r"\n{2,}", text.strip())]


def element(block: str, address: Address) -> Html:
    """One block: lines between two empty ones."""
    if (heading := HEADING.fullmatch(block)) is not None:
        name = re.sub(r"[^a-z0-9]+", "-", heading[2].lower()).strip("-")
        return tag(f"h{len(heading[1])}", inline(heading[2], address), id=name)
    if block.startswith("|"):
        head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()]
        lines = (row("td", cells, address) for cells in rows)
        return tag("table", tag("thead", row("th", head, address)), tag("tbody", *lines))
    if ITEM.match(block):
        items = (tag("li", inline(item, address)) for item in ITEM.split(block)[1:])
        return tag("ul" if block.startswith("-") else "ol", *items)
    return tag("p", inline(block, address))


def row(kind: str, cells: Sequence[str], address: Address) -> Html:
    return tag("tr", *(tag(kind, inline(cell, address)) for cell in cells))


def inline(text: str, address: Address) -> Html:
    """A text with its code, bold words, and links."""
    return join_html(list(pieces(" ".join(text.split()), address)))


def pieces(text: str, address: Address) -> Iterator[Html]:
    end = 0
    for match in INLINE.finditer(text):
        yield escaped(Code(text[end : match.start()]))
        end = match.end()
        code, bold, words, target = match.groups()
        if code is not None:
            yield tag("code", Code(code))
        elif bold is not None:
            yield tag("strong", inline(bold, address))
        else:
            where = address(target)
            yield tag("a", inline(words, address), href=where) if where else inline(words, address)
    yield escaped(Code(text[end:]))
