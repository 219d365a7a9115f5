"""A match as one offline page file: the live page's parts at each of its moments."""

import base64
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from bot.html.documents import asset, document, policy, raw_element, stages, style, typeface
from bot.html.html import EMPTY, Html, join_html, tag
from bot.html.pictures import PICTURES, png_of
from bot.render.plain_text import percent
from bot.rules.text import N_, UNNAMED, Code, Shown, Text

TITLE: Final = Text("A match to keep")
DICE: Final = re.compile(r"die/([0-9a-f]{32})\.png")
CHUNK: Final = re.compile(r"(?=<li[ >])")
"""Split points of a part: ships and list items repeat, and are stored once."""

Taken = tuple[str, tuple[str, ...]]
"""A choice taken: its offer, and the selection."""


@dataclass(frozen=True, slots=True)
class OpenChoice:
    """A possible choice: its offer and selection, its effect and value in words."""

    offer: str
    picked: tuple[str, ...]
    label: Shown
    worth: Shown


@dataclass(frozen=True, slots=True)
class RollDistribution:
    """The exact distribution of a roll's result, and the actual result; ``unit`` is plural."""

    unit: Shown
    chances: tuple[tuple[str, Fraction], ...]
    came: str


@dataclass(frozen=True, slots=True)
class ExactChances:
    """Exact numbers of one state: its choices if it is open; its result and luck if it is over."""

    aim: Shown = UNNAMED
    choices: tuple[OpenChoice, ...] = ()
    laws: tuple[RollDistribution, ...] = ()
    luck: Shown = UNNAMED
    is_left_out: bool = False


@dataclass(frozen=True, slots=True)
class PageMoment:
    """A moment of a match: seconds of the epoch, the page's parts, ``exact`` chances, and the choice ``taken``."""

    at: int
    parts: Mapping[str, str]
    exact: ExactChances | None = None
    taken: Taken | None = None


def page(
    moments: Iterable[PageMoment],
    endings: Sequence[Shown],
    luck: Sequence[tuple[Shown, Shown]],
    *,
    seal: str,
    checker: str,
) -> bytes:
    """Return the page in UTF-8. A moment has only the changed parts, and each piece of HTML is stored once.
    ``endings``: each game's ending as a sentence. ``luck``: people with sentences about their luck. ``seal``: a sealed
    table's transcript or "", ``checker``: the script that verifies it.
    """
    chunks, frames, last, times = dict[str, int](), list[dict[str, list[int]]](), dict[str, str](), list[int]()
    for moment in moments:
        parts = {**moment.parts, "chances": chances(moment.exact, moment.taken)}
        changed = {name: CHUNK.split(html) for name, html in parts.items() if last.get(name) != html}
        last |= parts
        frames.append({name: [chunks.setdefault(each, len(chunks)) for each in cut] for name, cut in changed.items()})
        times.append(moment.at)
    used = dict.fromkeys(found for html in chunks for found in DICE.findall(html))
    result = {item: picture for item in used if (picture := PICTURES.find(item))}
    pictures = {item: base64.b64encode(png_of(picture)).decode() for item, picture in result.items()}
    data = {"chunks": list(chunks), "frames": frames, "times": times, "pictures": pictures, "seal": seal}
    script = "\n".join([*([checker] if seal else []), asset("replay.js")])
    font = f"data:font/woff2;base64,{base64.b64encode(typeface()).decode()}"
    styled = style("table.css", "replay.css", font=font)
    content = policy(styled, script, also="img-src data:; font-src data:")
    head = [tag("meta", http_equiv="Content-Security-Policy", content=content)]
    main = tag("main", *stages({}, within=[tag("section", EMPTY, data_part="chances")]), summary(endings, luck))
    kept = Html(f'<script type="application/json" id="match">{embed_json(data)}</script>')
    body = controls(len(times), has_seal=bool(seal)), main, kept, raw_element("script", script)
    return document(TITLE, *body, head=head, styled=styled, attributes={"class_": Code("replay")}).encode()


def embed_json(data: object) -> str:
    """Return JSON that can't end its element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def chances(exact: ExactChances | None, taken: Taken | None) -> Html:
    """Return the exact chances of all choices or results, with the actual one marked."""
    if exact is None or not (exact.choices or exact.laws or exact.luck or exact.is_left_out):
        return EMPTY
    if exact.is_left_out:
        return tag("p", Text("The exact chances here were too large to calculate."), class_="small")
    rows = [choice_row(choice, taken) for choice in exact.choices]
    heading = Text("Exact, for this goal: {aim}", aim=exact.aim) if exact.choices else Text("What could have happened")
    parts = [tag("h2", heading), tag("ul", *rows, class_="choices") if rows else EMPTY, *map(law_rows, exact.laws)]
    return join_html([*parts, tag("p", exact.luck, class_="small") if exact.luck else EMPTY])


def choice_row(choice: OpenChoice, taken: Taken | None) -> Html:
    is_taken = taken is not None and taken[0] == choice.offer and (not choice.picked or choice.picked == taken[1])
    mark = tag("b", Text("chosen")) if is_taken else None
    return tag("li", tag("span", choice.label), mark, tag("small", choice.worth), class_="taken" if is_taken else None)


def law_rows(law: RollDistribution) -> Html:
    rows = list[Html]()
    for value, chance in law.chances:
        bar = tag("td", tag("meter", EMPTY, min="0", max="1", value=f"{float(chance):.4f}"))
        cells = tag("th", Code(value), scope="row"), bar, tag("td", percent(chance))
        rows += [tag("tr", *cells, class_="came" if value == law.came else None)] if chance else []
    return tag("table", tag("caption", law.unit), tag("tbody", *rows), class_="law")


def controls(count: int, *, has_seal: bool) -> Html:
    named = (
        ("first", Code("|◀"), Text(N_("First", "a button that steps through a recording"))),
        ("back", Code("◀"), Text("Back")),
        ("play", Text("Play"), Text("Play")),
        ("next", Code("▶"), Text(N_("Next", "a button that steps through a recording"))),
        ("last", Code("▶|"), Text("Last")),
    )
    buttons = [tag("button", sign, id=key, type="button", aria_label=label, title=label) for key, sign, label in named]
    slider = tag(
        "input", id="at", type="range", min=0, max=count - 1, value=0, aria_label=Text("Position in the match")
    )
    seal = tag("button", Text("Verify the seal"), id="check", type="button") if has_seal else None
    verdict = tag("p", EMPTY, id="verdict", role="status") if has_seal else None
    bar = tag("div", *buttons, slider, tag("span", EMPTY, id="where"), class_="bar")
    return tag("header", tag("h1", TITLE, class_="unseen"), tag("div", EMPTY, data_part="head"), bar, seal, verdict)


def summary(endings: Sequence[Shown], luck: Sequence[tuple[Shown, Shown]]) -> Html:
    if not endings and not luck:
        return EMPTY
    lines = [tag("li", tag("b", name), Code(": "), text) for name, text in luck]
    ends = [tag("p", ending) for ending in endings]
    people = tag("ul", *lines) if lines else EMPTY
    return tag("section", tag("h2", Text("How it ended")), *ends, people, class_="ending")
