"""Whole documents: a table's page, and the not-found page."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from bot.html.html import Attribute, Html, escaped, tag
from bot.html.parts import NAMES
from bot.html.pictures import PICTURES, PictureDie
from bot.languages.translate import CURRENT_LANGUAGE, translate
from bot.render.art.letters import OWN
from bot.render.card import Tile
from bot.rules.text import Code, Name, Shown, Text

ICON: Final = PictureDie(Tile("d6", "5"))
HERE: Final = Path(__file__).parent
TITLE: Final = Text("The table")
PLACES: Final = {"left": "left", "right": "right"}
"""Positions of an overlay; any other value centers it."""
WORDS: Final = {
    "data_live": Text("Live"),
    "data_waiting": Text("Waiting for the bot"),
    "data_over": Text("This link has expired. Type /table link in the channel for a new one."),
    "data_crowded": Text("Too many people are already watching this table. This page tries again every minute."),
}
"""Strings used by a table's scripts."""
IN_A_CALL: Final = {
    "data_refused": Text("I can't show you this table without knowing who you are. Press Try again."),
    "data_ended": Text("You've opened this table in another window. Press Try again to see it here."),
    "data_again": Text("Try again"),
    "data_anyway": Text("Ready anyway"),
    "data_asks": Text("Discord asks whether to tell Rollcall who you are, so that it can show what belongs to you."),
    "data_share": Text("Join our table"),
    "data_silent": Text("Discord isn't responding. Close the Activity and open it again."),
}
"""Additional strings used by the script of a call."""
STARTS: Final = Text(
    "Opening the table. If nothing else appears here, Discord has blocked this page's script: "
    "close the Activity and open it again."
)
"""Placeholder in the page until its script runs."""
CALL: Final = Text("The call")
WATCH: Final = Text("Watch this table live: what is in play, whose turn it is, and the last rolls.")
TEXT_STYLES: Final = ("table.css", "text.css")
CALL_STYLES: Final = ("table.css", "activity.css")
NOT_FOUND: Final = Text("There's no page here. Table links expire after a few hours: ask the players for a new one.")


@cache
def asset(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


@cache
def typeface() -> bytes:
    return OWN.read_bytes()


@cache
def typeface_name() -> str:
    """Return the font's URL, which contains its digest."""
    return f"font-{hashlib.sha256(typeface()).hexdigest()[:8]}.woff2"


@cache
def style(*names: str, font: str = "") -> str:
    face = f"@font-face{{font-family:Inter;font-weight:400 700;src:url({font or typeface_name()})}}\n"
    return face + "".join(map(asset, names))


@cache
def script(name: str) -> str:
    """Return a script, after the one that shows a table's parts."""
    return asset("parts.js") + asset(name)


@cache
def activity_script() -> str:
    """Return the script of the page in a call; inline and as a file, as the proxy may block either; it runs once."""
    begun = "document.documentElement.dataset.begun"
    return f'if (!{begun}) {{\n{begun} = "yes";\n(() => {{\n{script("activity.js")}\n}})();\n}}\n'


@cache
def activity_script_name() -> str:
    """Return that script's URL as a file, which contains its digest."""
    return f"frame-{hashlib.sha256(activity_script().encode()).hexdigest()[:8]}.js"


def raw_element(name: str, text: str) -> Html:
    """Return a style or script element: its content isn't escaped, so it must be ours."""
    assert "</" not in text, "it would end its element"  # noqa: S101 - states how our files are written
    return Html(f"<{name}>{text}</{name}>")


def digest(text: str) -> str:
    """Return a style's or script's digest for a Content-Security-Policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def policy(style: str, script: str = "", *, also: str = "font-src 'self'; frame-ancestors 'none'") -> str:
    """Return a Content-Security-Policy: only the page's own style and script, and ``also``."""
    scripts = [f"script-src {digest(script)}"] if script else []
    own = ("default-src 'none'", f"style-src {digest(style)}", "base-uri 'none'", "form-action 'none'", *scripts)
    return "; ".join((*own, also))


def live_script_policy(frames: str) -> str:
    """Return what a live table page may load; ``frames``: who may frame it, "" for all (no opaque host has a name)."""
    ancestors = f"frame-ancestors {frames}; " if frames else ""
    return (
        f"img-src 'self'; font-src 'self'; connect-src 'self'; {ancestors}"
        "require-trusted-types-for 'script'; trusted-types table"
    )


def table_policy() -> str:
    return policy(style("table.css"), script("table.js"), also=live_script_policy("'none'"))


@cache
def activity_policy(frames: str) -> str:
    """Return the policy of the page in a call; ``frames``: who may frame it."""
    own = policy(style(*CALL_STYLES), activity_script(), also=live_script_policy(frames))
    return own.replace("script-src ", "script-src 'self' ")


def icon_address(base: str) -> str:
    """Return the address of the picture that a pasted link shows; ``base``: where the pages are."""
    return f"{base}/favicon.ico"


def preview(title: Shown, about: Shown, picture: str) -> list[Html]:
    """Tags for the preview of a pasted link (https://ogp.me); ``picture``: an absolute address, "" for none."""
    told: Mapping[str, Shown] = {"title": title, "description": about, "image": Code(picture)}
    return [tag("meta", property=f"og:{name}", content=translate(value)) for name, value in told.items() if value]


def text_page(title: Shown, about: Shown, body: Sequence[Html], *, picture: str, head: Sequence[Html] = ()) -> str:
    """A page of text: terms, privacy, status."""
    shown = [*head, *preview(title, about, picture)]
    main = tag("main", *body, class_="text")
    return document(title, main, head=shown, attributes={}, styled=style(*TEXT_STYLES))


def document(
    title: Shown, *body: Html, attributes: Mapping[str, Attribute], head: Sequence[Html] = (), styled: str = ""
) -> str:
    """A whole page. ``attributes`` are those of its root."""
    whole_head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="robots", content="noindex"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", title),
        *head,
        raw_element("style", styled or style("table.css")),
    )
    whole = tag("html", whole_head, tag("body", *body), lang=CURRENT_LANGUAGE.get().key, **attributes)
    return f"<!doctype html>\n{whole}\n"


def part_element(name: str, parts: Mapping[str, str]) -> Html:
    """Return a part's element with its initial content. ``parts`` is HTML already."""
    live = {"aria_live": "polite", "class_": "said"} if name == "said" else {}
    return tag("div", Html(parts.get(name, "")), data_part=name, **live)


def table_page(parts: Mapping[str, str], frame: str, *, overlay: str | None = None, picture: str = "") -> str:
    """Return a table's page at a frame, which updates itself; ``overlay``: one line, at the ``left`` or ``right``."""
    class_ = None if overlay is None else f"overlay {PLACES.get(overlay, '')}".strip()
    icon = tag("link", rel="icon", type="image/png", href=f"die/{PICTURES.address(ICON)}.png")
    head = [icon, *preview(TITLE, WATCH, picture)]
    told: dict[str, Attribute] = {"class_": class_, "data_frame": frame, **WORDS}
    return document(TITLE, *lay_out(parts), raw_element("script", script("table.js")), head=head, attributes=told)


def activity_page(app_id: int, shard: int, *, picture: str = "") -> str:
    """Return the page in a call, before its user is known; ``shard`` routes its requests to their server's process."""
    tables = tag("select", id="tables", hidden=True, aria_label=Text("Channel"))
    advice, own = tag("div", id="advice", aria_live="polite"), tag("div", id="own")
    mine = tag("section", advice, own, class_="mine", aria_label=Text("Only for you"))
    share = tag("button", Text("Share this table"), id="share", type="button", hidden=True)
    body = lay_out({"said": escaped(STARTS)}, tools=[tables, share], beside=[mine])
    asked: dict[str, Attribute] = {"class_": "frame", "data_client": str(app_id), "data_shard": str(shard)}
    file = tag("script", src=f"{shard}/call/{activity_script_name()}")
    scripts = (raw_element("script", activity_script()), file)
    told, head = {**asked, **IN_A_CALL, **WORDS}, preview(TITLE, WATCH, picture)
    return document(TITLE, *body, *scripts, styled=style(*CALL_STYLES), head=head, attributes=told)


def call_page(app_id: int, people: Mapping[int, str], where: str) -> str:
    """Return a local stand-in for Discord's call: everybody's frame. ``where``: instance, place."""
    frames = list[Html]()
    for number, name in people.items():
        address = f"/?frame_id={number}&platform=desktop&{where}"
        frame = tag("iframe", title=Name(name), src=address, data_person=str(number))
        frames.append(tag("figure", tag("figcaption", Name(name)), frame))
    main, own_script = tag("main", tag("h1", CALL), *frames, class_="call"), raw_element("script", asset("call.js"))
    told = {"data_client": str(app_id)}
    return document(CALL, main, own_script, styled=style(*CALL_STYLES), attributes=told)


def lay_out(parts: Mapping[str, str], *, tools: Sequence[Html] = (), beside: Sequence[Html] = ()) -> tuple[Html, Html]:
    """Return a table page's header and main part."""
    sound = tag("button", Text("Dice sounds"), id="sound", type="button", aria_pressed="false")
    top = tag("div", *tools, tag("span", WORDS["data_live"], id="state", role="status"), sound, class_="tools")
    header = tag("header", tag("h1", TITLE, class_="unseen"), part_element("head", parts), top)
    return header, tag("main", *stages(parts, beside=beside))


def stages(parts: Mapping[str, str], *, within: Sequence[Html] = (), beside: Sequence[Html] = ()) -> tuple[Html, ...]:
    """Return a table's parts below its header: the roll with ``within`` inside it, the squads, the rest."""
    places = {name: part_element(name, parts) for name in NAMES}
    lasting = tag("section", tag("h2", Text("Last rolls")), places["log"], class_="lasting")
    return (
        tag("div", places["said"], places["roll"], *within, class_="stage"),
        *beside,
        places["teams"],
        tag("div", places["order"], places["rest"], lasting, class_="later"),
    )


@cache
def not_found() -> str:
    return document(TITLE, tag("main", tag("p", NOT_FOUND, class_="empty")), attributes={})
