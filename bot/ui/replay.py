"""A match to keep: one page that works offline, made of the parts of the live page, and the same match as JSON."""

import asyncio
import io
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import discord

from bot import package, workers
from bot.client import Interaction
from bot.fair import plans
from bot.languages.say import say
from bot.page import match as page
from bot.render import luck as luck_page
from bot.render import recap as recap_page
from bot.rules.errors import PlayerError
from bot.rules.plans import Commitment
from bot.rules.text import EMPTY, N_, Code, Name, Names, Sentences, Shown, Text, as_shown, bracketed
from bot.ruleset import settings
from bot.sessions.matches import LuckOfMatch, Moment, Replay, Standing, luck_of_match
from bot.sessions.openings import Sheet, as_json
from bot.sessions.people import iso_time
from bot.store.pieces import Player
from bot.ui import components, display, exact, follow
from bot.ui.answer import answer
from bot.ui.place import asker, clean, name_shown, place, request, ruling, to_everybody

FILE_MOST: Final = 8 * 1024 * 1024
"""Bytes of a file; Discord takes 10 MiB and rounds in its own way."""
LABEL: Final = Text("Replay")
NO_FILES: Final = Text("I may not attach files in this channel, so I cannot give you the match. Ask an admin for that.")
TOO_LARGE: Final = Text("This match is too large for one file.")
HERE: Final = N_(
    "The match to keep. Save both files: open `{page}` in a browser, also offline, and step through the match; "
    "`{data}` is the same for programs. Only you see this message."
)

OPENED: Final = N_("{who} opens what was planned in this match: {sheets}. The match file shows it from now on.")
CLOSED: Final = N_(
    "Still closed: {sheets}. Each player opens their own with **Open the plans**; for somebody who has left, a GM does "
    "who has never had pieces in this channel."
)
TAKEN: Final = N_("{who} took the match file. It shows plans that were opened after the match.")


def button(first: int) -> components.Component:
    """The button on the recap of the match that began with a press."""
    return components.button(LABEL, components.ReplayAddress(first))


async def press(interaction: Interaction, at: components.ReplayAddress) -> None:
    """Send a match's files to the person who pressed, or open its plans. Raises ``PlayerError`` if it can't."""
    if at.what == "open":
        await open_rest(interaction, at)
        return
    answer(interaction).keep_private()
    if not display.may_attach(interaction):
        raise PlayerError(NO_FILES)
    await follow.check_sight(interaction)
    client, here, counts = interaction.client, place(interaction), await ruling(interaction)
    match, lucky, by = await client.matches.replay(here, at.match), None, asker(interaction)
    if counts[settings.LUCK]:
        lucky = await client.workers.count(partial(luck_of_match, match.rolls), asked_by=by)
    seal = await client.seals.transcript_with(here.channel_id, {one.session for one in match.rolls})
    asked = questions(match, advice=counts[settings.ADVICE])
    try:
        found = await client.workers.count(partial(exact.count, [one for _, one in asked]), asked_by=by)
    except workers.StillCounting:
        raise
    except workers.NotCounted:
        found = [page.Exact(is_left_out=True)] * len(asked)
    known = dict(zip([at for at, _ in asked], found, strict=True))
    told = Told(match, known, lucky, seal.decode() if seal is not None else "")
    with to_everybody(interaction):
        async with client.matches.turn:
            html, data = await asyncio.to_thread(lambda: (page_of(told), json_of(told)))
    if max(len(html), len(data)) > FILE_MOST:
        raise PlayerError(TOO_LARGE)
    name = f"match-{at.match}"
    files = [discord.File(io.BytesIO(html), f"{name}.html"), discord.File(io.BytesIO(data), f"{name}.json")]
    text, closed = Text(HERE, page=Code(f"{name}.html"), data=Code(f"{name}.json")), still_closed(match)
    parts: dict[str, Any] = {"view": components.Components([open_button(at.match)])} if closed else {}
    await answer(interaction).post_private(content=Sentences([text, closed]), files=files, **parts)
    if any(one.is_new_in_files for one in match.sheets):
        with to_everybody(interaction):
            await answer(interaction).add(content=Text(TAKEN, who=name_shown(interaction.user)))


async def open_rest(interaction: Interaction, at: components.ReplayAddress) -> None:
    """Open what was planned in a match and is still closed, as far as who pressed may; the channel reads whose.

    Raises ``PlayerError`` where the match goes on, or nothing of it opens by this press.
    """
    await follow.check_sight(interaction)
    client, asked = interaction.client, await request(interaction)
    match = await client.matches.replay(asked.place, at.match)
    opened = await client.plans.open_match(asked, match)
    if not opened:
        raise PlayerError(Sentences([Text("Nothing of this opens by your press."), still_closed(match)]))
    match = await client.matches.replay(asked.place, at.match)
    left = still_closed(match)
    view: dict[str, Any] = {"view": components.Components([open_button(at.match)])} if left else {}
    told = Text(OPENED, who=name_shown(interaction.user), sheets=named(opened, match.players))
    await answer(interaction).post(content=Sentences([told, left]), **view)


def open_button(first: int) -> components.Component:
    """The button that opens what is still closed of the match that began with a press."""
    return components.button(Text("Open the plans"), components.ReplayAddress(first, "open"))


def still_closed(match: Replay) -> Shown:
    """Which sheets are still closed, and who opens them; "" for none."""
    closed = [one.commitment for one in match.sheets if one.commitment.closed]
    return Text(CLOSED, sheets=named(closed, match.players)) if closed else EMPTY


def named(sheets: Sequence[Commitment], players: Mapping[int, Player]) -> Shown:
    """Sheets with whose they are: ``Ana (round 3 and round 4)``."""
    by_owner: dict[int, list[Shown]] = {}
    for one in sheets:
        by_owner.setdefault(one.owner, []).append(Name(one.sheet))
    people = {number: clean(players[number].name if number in players else "") for number in by_owner}
    return Names([bracketed(people[number], Names(dict.fromkeys(held))) for number, held in by_owner.items()])


@dataclass(frozen=True, slots=True)
class Told:
    """A match with what is said about it: ``exact`` by the place of its moment, and the luck.

    ``seal`` is the transcript of its sealed table, "" for none.
    """

    match: Replay
    exact: Mapping[int, page.Exact]
    lucky: LuckOfMatch | None = None
    seal: str = ""

    @property
    def standings(self) -> list[Standing]:
        """Final standings of the games in which people played against each other."""
        return [one for one in self.match.standings if len(one.players) > 1]


def questions(match: Replay, *, advice: bool) -> list[tuple[int, tuple[str, Any, bool]]]:
    """Return the computations of a match, by the place of their moment: each choice, and each finished roll.

    Open ones are left out: they concern the players.
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


def page_of(told: Told) -> bytes:
    """The page, in UTF-8."""
    endings, luck = [headline(one, one.winner) for one in told.standings], luck_lines(told.lucky)
    return page.page(shown(told), endings, luck, seal=told.seal, checker=checking() if told.seal else "")


def shown(told: Told) -> Iterator[page.Moment]:
    """The moments of a match, one after the other, as the page shows them."""
    drawing, table = follow.Drawing(), told.match.table()
    for at, (one, later) in enumerate(zip(told.match.moments, next_of_roll(told.match.moments), strict=True)):
        one.happen(table)
        taken = (later.offer, tuple(later.choice.get("picked", ()))) if later is not None else None
        yield page.Moment(one.at, drawing.parts(table), told.exact.get(at), taken)


def checking() -> str:
    """Return the transcript checker's code, without its own page's elements."""
    return package.checker().decode().partition("<script>")[2].partition("const the = ")[0]


def next_of_roll(moments: Sequence[Moment]) -> list[Moment | None]:
    """Return each moment's next one of the same roll."""
    found, later = list[Moment | None](), dict[int, Moment]()
    for one in reversed(moments):
        found.append(None if one.roll is None else later.get(one.roll.session))
        if one.roll is not None:
            later[one.roll.session] = one
    return found[::-1]


def names_and_lost(standing: Standing) -> tuple[dict[int, Shown], dict[int, list[str]]]:
    """Return the names of a match's players, and what each of them lost, by number."""
    names = {number: clean(player.name) for number, player in standing.players.items()}
    return names, {number: standing.lost_by(number) for number in names}


def headline(standing: Standing, winner: int | None) -> Shown:
    """Return a match's status or result, in a sentence; ``winner`` is None while it goes on."""
    table = standing.game.table
    assert table is not None and table.ending is not None, "only a game that ends has a standing"  # noqa: S101, PT018 - states it
    ending = table.ending
    rounds, points = ending.rounds(standing.table), ending.points(standing.table)
    return recap_page.headline(*names_and_lost(standing), winner, rounds, table.piece, points)


def luck_lines(lucky: LuckOfMatch | None) -> list[tuple[Shown, Shown]]:
    words = (Text("match"), Text("matches"))
    people = lucky.people if lucky is not None else ()
    return [
        (name, luck_page.Line(as_shown(name), one.luck, one.unit, one.parts, one.is_loss).sentence(words))
        for one in people
        for name in [clean(one.person.name)]
    ]


# The same for programs


def json_of(told: Told) -> bytes:
    """The match as JSON, in UTF-8: docs/match.md says what each part is."""
    match = told.match
    sessions = {roll.session: 0 for one in match.moments if (roll := one.roll) is not None}
    numbers = {session: number for number, session in enumerate(sessions, start=1)}
    made = {
        "format": plans.MATCH,
        "made_at": iso_time(int(time.time())),
        "players": [{"number": number, "name": clean(player.name)} for number, player in sorted(match.players.items())],
        "squads": squads(told),
        "start": match.start,
        "plies": [ply_of(one, numbers, told.exact.get(at)) for at, one in enumerate(match.moments)],
        "end": match.end,
        "luck": [{"name": name, "text": say(text)} for name, text in luck_lines(told.lucky)],
        "result": [say(headline(one, one.winner)) for one in told.standings],
        "plans": [plan_of(one) for one in match.sheets],
        "seal": json.loads(told.seal) if told.seal else None,
    }
    return (json.dumps(made, ensure_ascii=False, indent=1) + "\n").encode()


def plan_of(one: Sheet) -> dict[str, Any]:
    """A sheet of plans: the commitment, what is open of it, and how that came to be."""
    by = [
        {"of": list(each.of), "rule": each.rule, "by": clean(each.by), "at": iso_time(each.at)}
        for each in one.opened_by
    ]
    return {**as_json(one.commitment), "opened_by": by}


def squads(told: Told) -> list[dict[str, Any]]:
    """The squads with which the match began, or which came first, as people exchange them."""
    found = []
    for standing in told.standings:
        ending, held = standing.game.ending, {**standing.lost, **standing.table}
        assert ending is not None, "only a game that ends has a standing"  # noqa: S101 - states it
        for number, squad in sorted(ending.squads(held).items()):
            found.append({"game": standing.game.key, "player": number, "xws": squad})
    return found


def ply_of(one: Moment, numbers: Mapping[int, int], found: page.Exact | None) -> dict[str, Any]:
    """A ply; what it does not have is left out."""
    roll = one.roll
    told: dict[str, Any] = {"at": iso_time(one.at), "by": clean(one.by), "game": one.game, "offer": one.offer}
    told |= one.choice
    told |= {"what": say(one.what)} if one.what else {}
    if roll is not None:
        told |= {"roll": numbers[roll.session], "outcome": say(display.card_of(roll).outcome)}
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
