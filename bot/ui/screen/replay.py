"""A match to keep: one page that works offline, made of the parts of the live page, and the same match as JSON."""

import asyncio
import base64
import io
import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any, Final

import discord

from bot import package
from bot.client import Interaction
from bot.languages.say import say
from bot.render import match_luck as luck_page
from bot.render import recap as recap_page
from bot.render.text import percent
from bot.rules.errors import PlayerError
from bot.rules.text import Text
from bot.ruleset import settings
from bot.sessions.matches import LuckOfMatch, Standing, luck_of_match
from bot.sessions.people import iso_time
from bot.sessions.replays import Moment, Replay
from bot.ui import components
from bot.ui.address import ReplayAddress
from bot.ui.answer import answer
from bot.ui.cards import card_of
from bot.ui.components import Component
from bot.ui.display import may_attach
from bot.ui.names import clean
from bot.ui.place import place, ruling
from bot.ui.screen import exact
from bot.ui.screen.exact import Exact
from bot.ui.screen.html import EMPTY, Html, joined, tag
from bot.ui.screen.pages import LAST_ROLLS, asset, document, part, policy, raw
from bot.ui.screen.parts import NAMES, Drawing
from bot.ui.screen.pictures import PICTURES, painted
from bot.ui.voice import to_everybody
from bot.workers import NotCounted, StillCounting

FORMAT: Final = "rollcall-match/1"
FILE_MOST: Final = 8 * 1024 * 1024
"""Bytes of a file; Discord takes 10 MiB and rounds in its own way."""
LABEL: Final = Text("Replay")
NO_FILES: Final = Text("I may not attach files in this channel, so I cannot give you the match. Ask an admin for that.")
TOO_LARGE: Final = Text("This match is too large for one file.")
HERE: Final = Text(
    "The match to keep. Save both files: open `{page}` in a browser, also offline, and step through the match; "
    "`{data}` is the same for programs. Only you see this message."
)
TITLE: Final = Text("A match to keep")
DICE: Final = re.compile(r"die/([0-9a-f]{32})\.png")
CHUNK: Final = re.compile(r"(?=<li[ >])")
"""Where a part is cut: ships and lines of lists come again and again, and are kept once."""


def button(first: int) -> Component:
    """The button on the recap of the match that began with a press."""
    return components.button(LABEL, ReplayAddress(first))


async def press(interaction: Interaction, at: ReplayAddress) -> None:
    """Give the files of a match to who pressed. Raises ``PlayerError`` where that cannot be."""
    answer(interaction).keep_private()
    if not may_attach(interaction):
        raise PlayerError(NO_FILES)
    client, here, counts = interaction.client, place(interaction), await ruling(interaction)
    match, lucky, by = await client.replays.read(here, at.match), None, interaction.user.id
    if counts[settings.LUCK]:
        lucky = await client.workers.count(partial(luck_of_match, match.rolls), asked_by=by)
    seal = await client.seals.transcript_with(here.channel_id, {one.session for one in match.rolls})
    asked = questions(match, advice=counts[settings.ADVICE])
    try:
        found = await client.workers.count(partial(exact.count, [one for _, one in asked]), asked_by=by)
    except StillCounting:
        raise
    except NotCounted:
        found = [Exact(is_left_out=True)] * len(asked)
    known = dict(zip([at for at, _ in asked], found, strict=True))
    told = Told(match, known, lucky, seal.decode() if seal is not None else "")
    with to_everybody(interaction):
        async with client.replays.turn:
            page, data = await asyncio.to_thread(lambda: (page_of(told), json_of(told)))
    if max(len(page), len(data)) > FILE_MOST:
        raise PlayerError(TOO_LARGE)
    name = f"match-{at.match}"
    files = [discord.File(io.BytesIO(page), f"{name}.html"), discord.File(io.BytesIO(data), f"{name}.json")]
    await answer(interaction).post_private(content=Text(HERE, page=f"{name}.html", data=f"{name}.json"), files=files)


@dataclass(frozen=True, slots=True)
class Told:
    """A match with what is said about it: ``exact`` by the place of its moment, and the luck.

    ``seal`` is the transcript of its sealed table, "" for none.
    """

    match: Replay
    exact: Mapping[int, Exact]
    lucky: LuckOfMatch | None = None
    seal: str = ""

    @property
    def standings(self) -> list[Standing]:
        """How the games stood at the end in which people played against each other."""
        return [one for one in self.match.standings if len(one.players) > 1]


def questions(match: Replay, *, advice: bool) -> list[tuple[int, tuple[str, Any, bool]]]:
    """What is counted of a match, by the place of its moment: each state in which somebody chose, each that is over.

    What is still open is not: that is the business of who plays.
    """
    found, chosen = list[tuple[int, tuple[str, Any, bool]]](), set[int]()
    for at in range(len(match.moments) - 1, -1, -1):
        roll = match.moments[at].roll
        if roll is None or roll.is_closed:
            continue
        if not roll.waits:
            found.append((at, (roll.game.key, roll.state, False)))
        elif roll.session in chosen and advice and roll.game.chances.advice is not None:
            found.append((at, (roll.game.key, roll.state, True)))
        chosen.add(roll.session)
    return found[::-1]


# The page


@dataclass(slots=True)
class Frames:
    """The parts of a page, moment by moment: pieces of HTML that are kept once, and which of them stand where."""

    chunks: dict[str, int] = field(default_factory=dict)
    frames: list[dict[str, list[int]]] = field(default_factory=list)
    last: dict[str, str] = field(default_factory=dict)

    def add(self, parts: Mapping[str, str]) -> None:
        """The next moment: of the parts only those that changed."""
        changed = {name: html for name, html in parts.items() if self.last.get(name) != html}
        self.last |= changed
        self.frames.append({name: [self._chunk(one) for one in CHUNK.split(html)] for name, html in changed.items()})

    def _chunk(self, html: str) -> int:
        return self.chunks.setdefault(html, len(self.chunks))


def page_of(told: Told) -> bytes:
    """The page, in UTF-8."""
    drawing, frames, table = Drawing(), Frames(), told.match.table()
    for at, (one, later) in enumerate(zip(told.match.moments, next_of_roll(told.match.moments), strict=True)):
        one.happen(table)
        frames.add({**drawing.parts(table), "chances": chances(told.exact.get(at), later)})
    used = dict.fromkeys(found for html in frames.chunks for found in DICE.findall(html))
    pictures = {one: base64.b64encode(painted(picture)).decode() for one in used if (picture := PICTURES.find(one))}
    data = {
        "chunks": list(frames.chunks),
        "frames": frames.frames,
        "times": [one.at for one in told.match.moments],
        "pictures": pictures,
        "seal": told.seal,
    }
    script = "\n".join([*([checking()] if told.seal else []), asset("replay.js")])
    style = asset("table.css") + asset("replay.css")
    content = policy(style, script, also="img-src data:")
    meta = tag("meta", http_equiv="Content-Security-Policy", content=content)
    return document(
        TITLE,
        controls(len(frames.frames), has_seal=bool(told.seal)),
        tag("main", *places(), summary(told)),
        Html(f'<script type="application/json" id="match">{embedded(data)}</script>'),
        raw("script", script),
        head=[meta],
        style=style,
        attributes={"class_": "replay"},
    ).encode()


def embedded(data: object) -> str:
    """JSON that no element ends inside of."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def checking() -> str:
    """What checks a transcript, of the page that does: the same code, without that page's own elements."""
    page = package.checker().decode()
    return page.partition("<script>")[2].partition("const the = ")[0]


def next_of_roll(moments: Sequence[Moment]) -> list[Moment | None]:
    """Of each moment the next one of the same roll."""
    found, later = list[Moment | None](), dict[int, Moment]()
    for one in reversed(moments):
        found.append(None if one.roll is None else later.get(one.roll.session))
        if one.roll is not None:
            later[one.roll.session] = one
    return found[::-1]


def chances(found: Exact | None, later: Moment | None) -> Html:
    """What could be chosen, or could have come, exactly; what was taken or came is marked."""
    if found is None or not (found.choices or found.laws or found.luck or found.is_left_out):
        return EMPTY
    if found.is_left_out:
        return tag("p", Text("The exact chances here were too much to count."), class_="small")
    rows = [choice_row(one, later) for one in found.choices]
    laws = [law_rows(one) for one in found.laws]
    heading = Text("Exactly, for this aim: {aim}", aim=found.aim) if found.choices else Text("What could have come")
    return joined(
        [
            tag("h2", heading),
            tag("ul", *rows, class_="choices") if rows else EMPTY,
            *laws,
            tag("p", found.luck, class_="small") if found.luck else EMPTY,
        ]
    )


def choice_row(one: exact.Choice, later: Moment | None) -> Html:
    picked = tuple(later.choice.get("picked", ())) if later is not None else ()
    is_taken = later is not None and later.offer == one.offer and (not one.picked or one.picked == picked)
    taken = tag("b", Text("taken")) if is_taken else None
    return tag("li", tag("span", one.label), taken, tag("small", one.worth), class_="taken" if is_taken else None)


def law_rows(law: exact.Law) -> Html:
    rows = [law_row(value, chance, is_come=value == law.came) for value, chance in law.chances if chance]
    return tag("table", tag("caption", law.unit), tag("tbody", *rows), class_="law")


def law_row(value: str, chance: Fraction, *, is_come: bool) -> Html:
    bar = tag("meter", "", min="0", max="1", value=f"{float(chance):.4f}")
    share = tag("td", percent(chance, 1))
    return tag("tr", tag("th", value, scope="row"), tag("td", bar), share, class_="came" if is_come else None)


def controls(count: int, *, has_seal: bool) -> Html:
    """The bar with which one steps through the match."""
    named = (
        ("first", "|◀", Text("First")),
        ("back", "◀", Text("Back")),
        ("play", Text("Play"), Text("Play")),
        ("next", "▶", Text("Next")),
        ("last", "▶|", Text("Last")),
    )
    buttons = [tag("button", sign, id=key, type="button", aria_label=label, title=label) for key, sign, label in named]
    slider = tag("input", id="at", type="range", min=0, max=count - 1, value=0, aria_label=Text("Where in the match"))
    seal = tag("button", Text("Check the seal"), id="check", type="button") if has_seal else None
    verdict = tag("p", "", id="verdict", role="status") if has_seal else None
    bar = tag("div", *buttons, slider, tag("span", "", id="where"), class_="bar")
    return tag("header", tag("h1", TITLE, class_="unseen"), tag("div", "", data_part="head"), bar, seal, verdict)


def places() -> list[Html]:
    empty = {name: part(name, {}) for name in NAMES}
    lasting = tag("section", tag("h2", LAST_ROLLS), empty["log"], class_="lasting")
    return [
        tag("div", empty["said"], empty["roll"], tag("section", "", data_part="chances"), class_="stage"),
        empty["teams"],
        tag("div", empty["order"], empty["rest"], lasting, class_="later"),
    ]


def summary(told: Told) -> Html:
    """How the match ended, and everybody's luck."""
    lines = [tag("li", tag("b", name), ": ", text) for name, text in luck_lines(told.lucky)]
    ends = [tag("p", one) for one in headlines(told.standings)]
    luck = tag("ul", *lines) if lines else EMPTY
    if not ends and not lines:
        return EMPTY
    return tag("section", tag("h2", Text("How it ended")), *ends, luck, class_="ending")


def headlines(standings: Sequence[Standing]) -> list[str]:
    found = []
    for one in standings:
        ending = one.game.ending
        assert ending is not None, "only a game that ends has a standing"  # noqa: S101 - states it
        names = {number: clean(player.name) for number, player in one.players.items()}
        lost = {number: one.lost_by(number) for number in names}
        assert one.game.table is not None, "only a table has an ending"  # noqa: S101 - states it
        piece = one.game.table.piece
        points = ending.points(one.table)
        found.append(recap_page.headline(names, lost, one.winner, ending.rounds(one.table), piece, points))
    return found


def luck_lines(lucky: LuckOfMatch | None) -> list[tuple[str, str]]:
    words = ("match", "matches")
    people = lucky.people if lucky is not None else ()
    return [
        (clean(one.person.name), luck_page.sentence(one.luck, one.unit, one.parts, words, is_loss=one.is_loss))
        for one in people
    ]


# The same for programs


def json_of(told: Told) -> bytes:
    """The match as JSON, in UTF-8: docs/match.md says what each part is."""
    match = told.match
    sessions = {roll.session: 0 for one in match.moments if (roll := one.roll) is not None}
    numbers = {session: number for number, session in enumerate(sessions, start=1)}
    made = {
        "format": FORMAT,
        "made_at": iso_time(int(time.time())),
        "players": [{"number": number, "name": clean(player.name)} for number, player in sorted(match.players.items())],
        "squads": squads(told),
        "start": match.start,
        "plies": [ply_of(one, numbers, told.exact.get(at)) for at, one in enumerate(match.moments)],
        "end": match.end,
        "luck": [{"name": name, "text": say(text)} for name, text in luck_lines(told.lucky)],
        "result": [say(one) for one in headlines(told.standings)],
        "seal": json.loads(told.seal) if told.seal else None,
    }
    return (json.dumps(made, ensure_ascii=False, indent=1) + "\n").encode()


def squads(told: Told) -> list[dict[str, Any]]:
    """The squads with which the match began, or which came first, as people exchange them."""
    found = []
    for standing in told.standings:
        ending, held = standing.game.ending, {**standing.lost, **standing.table}
        assert ending is not None, "only a game that ends has a standing"  # noqa: S101 - states it
        for number, squad in sorted(ending.squads(held).items()):
            found.append({"game": standing.game.key, "player": number, "xws": squad})
    return found


def ply_of(one: Moment, numbers: Mapping[int, int], found: Exact | None) -> dict[str, Any]:
    """A ply; what it does not have is left out."""
    roll = one.roll
    told: dict[str, Any] = {"at": iso_time(one.at), "by": clean(one.by), "game": one.game, "offer": one.offer}
    told |= one.choice
    if one.what:
        told["what"] = say(one.what)
    if roll is not None:
        told |= {"roll": numbers[roll.session], "outcome": say(card_of(roll).outcome)}
    told |= {"draws": one.draws} if one.draws else {}
    told |= {"pieces": one.seen} if one.seen else {}
    told |= {"taken_back": True} if one.is_undone else {}
    if found is not None and found.choices:
        told["choices"] = [
            {"offer": each.offer, "does": say(each.label), "worth": say(each.worth)} for each in found.choices
        ]
    if found is not None and found.laws:
        told["laws"] = [
            {"unit": law.unit, "chances": {value: str(chance) for value, chance in law.chances}, "came": law.came}
            for law in found.laws
        ]
    return told
