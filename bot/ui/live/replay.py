"""A match as files: one offline page, made of the live page's parts, and JSON."""

import asyncio
import io
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import discord

from bot import package_info
from bot.client import Interaction
from bot.fair import plans
from bot.html import match as page
from bot.languages.translate import translate
from bot.render import luck as luck_page, recap as recap_page
from bot.resources import worker_pool
from bot.rules.errors import PlayerError
from bot.rules.plans import Commitment, sheet_text
from bot.rules.text import EMPTY, N_, Code, Names, Sentences, Shown, Text, as_shown, bracketed
from bot.ruleset import settings
from bot.sessions.codec import write_plain
from bot.sessions.matches import LuckOfMatch, MatchMoment, MatchStatus, Replay, luck_of_match
from bot.sessions.openings import PublicSheet, commitment_json
from bot.sessions.personal_data import MAX_FILE, iso_time
from bot.store.pieces import Player
from bot.ui.core import card_messages, components
from bot.ui.core.request_context import asker, clean, in_channel_language, name_shown, place, request, ruling
from bot.ui.core.responses import answer
from bot.ui.live import exact_chances, live_page

LABEL: Final = Text("Replay")
NO_FILES: Final = Text(
    "I can't attach files in this channel, so I can't give you the match. Ask an admin for the permission."
)
TOO_LARGE: Final = Text("This match is too large for one file.")
HERE: Final = N_(
    "The match to keep. Save both files: open `{page}` in a browser, even offline, to step "
    "through the match; `{data}` is the same for programs. Only you can see this message."
)

OPENED: Final = N_("{who} reveals what was planned in this match: {sheets}. The match file shows it from now on.")
CLOSED: Final = N_(
    "Still hidden: {sheets}. Each player reveals their own with **Reveal the plans**; for a "
    "player who has left, a GM can who has never had pieces in this channel."
)
TAKEN: Final = N_("{who} downloaded the match file. It shows plans that were revealed after the match.")


def button(first: int) -> components.Component:
    """Return the recap's button for the match that began with a press."""
    return components.button(LABEL, components.ReplayAddress(first))


async def press(interaction: Interaction, at: components.ReplayAddress) -> None:
    """Send a match's files to the person who pressed, or open its plans. Raises ``PlayerError`` if it can't."""
    if at.what == "open":
        await open_rest(interaction, at)
        return
    answer(interaction).keep_private()
    if not card_messages.may_attach(interaction):
        raise PlayerError(NO_FILES)
    await live_page.check_sight(interaction)
    client, here, counts = interaction.client, place(interaction), await ruling(interaction)
    match, lucky, by = await client.matches.replay(here, at.match), None, asker(interaction)
    if counts[settings.LUCK]:
        lucky = await client.workers.run(partial(luck_of_match, match.rolls), asked_by=by)
    seal = await client.seals.transcript_with(here.channel_id, {roll.session for roll in match.rolls})
    asked = questions(match, advice=counts[settings.ADVICE])
    try:
        result = await client.workers.run(partial(exact_chances.count, [item for _, item in asked]), asked_by=by)
    except worker_pool.ComputationRunningError:
        raise
    except worker_pool.ComputationError:
        result = [page.ExactChances(is_left_out=True)] * len(asked)
    known = dict(zip([at for at, _ in asked], result, strict=True))
    told = AnnotatedMatch(match, known, lucky, seal.decode() if seal is not None else "")
    with in_channel_language(interaction):
        async with client.matches.turn:
            html, data = await asyncio.to_thread(lambda: (page_of(told), json_of(told)))
    if max(len(html), len(data)) > MAX_FILE:
        raise PlayerError(TOO_LARGE)
    name = f"match-{at.match}"
    files = [discord.File(io.BytesIO(html), f"{name}.html"), discord.File(io.BytesIO(data), f"{name}.json")]
    text, closed = Text(HERE, page=Code(f"{name}.html"), data=Code(f"{name}.json")), still_closed(match)
    parts: dict[str, Any] = {"view": components.Components([open_button(at.match)])} if closed else {}
    await answer(interaction).post_private(content=Sentences([text, closed]), files=files, **parts)
    if any(sheet.is_new_in_files for sheet in match.sheets):
        with in_channel_language(interaction):
            await answer(interaction).add(content=Text(TAKEN, who=name_shown(interaction.user)))


async def open_rest(interaction: Interaction, at: components.ReplayAddress) -> None:
    """Open a match's closed plans as far as the presser may; the channel is told whose. Raises ``PlayerError`` during
    the match, or if nothing opens.
    """
    await live_page.check_sight(interaction)
    client, asked = interaction.client, await request(interaction)
    match = await client.matches.replay(asked.place, at.match)
    opened = await client.plans.open_match(asked, match)
    if not opened:
        raise PlayerError(Sentences([Text("None of this is yours to reveal."), still_closed(match)]))
    match = await client.matches.replay(asked.place, at.match)
    left = still_closed(match)
    view: dict[str, Any] = {"view": components.Components([open_button(at.match)])} if left else {}
    told = Text(OPENED, who=name_shown(interaction.user), sheets=sheet_names(opened, match.players))
    await answer(interaction).post(content=Sentences([told, left]), **view)


def open_button(first: int) -> components.Component:
    return components.button(Text("Reveal the plans"), components.ReplayAddress(first, "open"))


def still_closed(match: Replay) -> Shown:
    """Say which sheets are still closed, and who opens them; "" for none."""
    closed = [sheet.commitment for sheet in match.sheets if sheet.commitment.closed_places]
    return Text(CLOSED, sheets=sheet_names(closed, match.players)) if closed else EMPTY


def sheet_names(sheets: Sequence[Commitment], players: Mapping[int, Player]) -> Shown:
    """Return sheets with their owners: ``Ana (round 3 and round 4)``."""
    by_owner: dict[int, list[Shown]] = {}
    for sheet in sheets:
        by_owner.setdefault(sheet.owner, []).append(sheet_text(sheet.sheet))
    people = {number: clean(players[number].name if number in players else "") for number in by_owner}
    return Names([bracketed(people[number], Names(dict.fromkeys(held))) for number, held in by_owner.items()])


@dataclass(frozen=True, slots=True)
class AnnotatedMatch:
    """A match with ``exact`` chances by moment, luck, and ``seal``, its sealed table's transcript or ""."""

    match: Replay
    exact: Mapping[int, page.ExactChances]
    lucky: LuckOfMatch | None = None
    seal: str = ""

    @property
    def standings(self) -> list[MatchStatus]:
        """Return final standings of games between people."""
        return [status for status in self.match.standings if len(status.players) > 1]


def questions(match: Replay, *, advice: bool) -> list[tuple[int, tuple[str, Any, bool]]]:
    """List a match's computations by moment: choices and finished rolls, as open ones concern the players."""
    result, chosen = list[tuple[int, tuple[str, Any, bool]]](), set[int]()
    for at in range(len(match.moments) - 1, -1, -1):
        roll = match.moments[at].roll
        if roll is None or roll.is_closed:
            continue
        if not roll.is_waiting:
            result.append((at, (roll.game.key, roll.state, False)))
        elif roll.session in chosen and advice and roll.game.chances.advice is not None:
            result.append((at, (roll.game.key, roll.state, True)))
        chosen.add(roll.session)
    return result[::-1]


def page_of(told: AnnotatedMatch) -> bytes:
    """Return the page in UTF-8."""
    endings, luck = ([headline(status, status.winner) for status in told.standings], luck_lines(told.lucky))
    return page.page(page_moments(told), endings, luck, seal=told.seal, checker=checking() if told.seal else "")


def page_moments(told: AnnotatedMatch) -> Iterator[page.PageMoment]:
    drawing, table = live_page.TableRenderer(), told.match.table()
    for at, (moment, later) in enumerate(zip(told.match.moments, next_of_roll(told.match.moments), strict=True)):
        moment.apply(table)
        taken = (later.offer, tuple(later.choice.get("picked", ()))) if later is not None else None
        yield page.PageMoment(moment.at, drawing.parts(table), told.exact.get(at), taken)


def checking() -> str:
    """Return the transcript checker's code, without its own page's elements."""
    return (
        package_info.read_packaged(package_info.CHECKER).decode().partition("<script>")[2].partition("const the = ")[0]
    )


def next_of_roll(moments: Sequence[MatchMoment]) -> list[MatchMoment | None]:
    result, later = list[MatchMoment | None](), dict[int, MatchMoment]()
    for moment in reversed(moments):
        result.append(None if moment.roll is None else later.get(moment.roll.session))
        if moment.roll is not None:
            later[moment.roll.session] = moment
    return result[::-1]


def names_and_lost(standing: MatchStatus) -> tuple[dict[int, Shown], dict[int, list[str]]]:
    names = {number: clean(player.name) for number, player in standing.players.items()}
    return names, {number: standing.lost_by(number) for number in names}


def headline(standing: MatchStatus, winner: int | None) -> Shown:
    """Return a match's status or result as a sentence; ``winner``: None during the match."""
    table = standing.game.table
    assert table.ending is not None, "only a game that ends has a standing"  # noqa: S101 - states it
    ending = table.ending
    rounds, points = ending.rounds(standing.table), ending.points(standing.table)
    return recap_page.headline(*names_and_lost(standing), winner, rounds, table.piece, points)


def score(standing: MatchStatus) -> Shown:
    """Return the large number of a match's recap, the winner's first, as in the headline."""
    (names, lost), ending = names_and_lost(standing), standing.game.table.ending
    order = sorted(names, key=lambda number: number != standing.winner)
    points = ending.points(standing.table) if ending is not None else None
    return recap_page.score({number: names[number] for number in order}, lost, points)


def luck_lines(lucky: LuckOfMatch | None) -> list[tuple[Shown, Shown]]:
    words = (Text("match"), Text("matches"))
    people = lucky.people if lucky is not None else ()
    result = list[tuple[Shown, Shown]]()
    for person in people:
        name = clean(person.person.name)
        line = luck_page.LuckLine(as_shown(name), person.luck, person.unit, person.parts, person.is_loss)
        result.append((name, line.sentence(words)))
    return result


# JSON


def json_of(told: AnnotatedMatch) -> bytes:
    """Return the match as JSON in UTF-8, documented in docs/match.md."""
    match = told.match
    sessions = {roll.session: 0 for moment in match.moments if (roll := moment.roll) is not None}
    numbers = {session: number for number, session in enumerate(sessions, start=1)}
    result = {
        "format": plans.MATCH,
        "made_at": iso_time(int(time.time())),
        "players": [{"number": number, "name": clean(player.name)} for number, player in sorted(match.players.items())],
        "squads": squads(told),
        "start": match.start,
        "plies": [ply_of(moment, numbers, told.exact.get(at)) for at, moment in enumerate(match.moments)],
        "end": match.end,
        "luck": [{"name": name, "text": translate(text)} for name, text in luck_lines(told.lucky)],
        "result": [translate(headline(status, status.winner)) for status in told.standings],
        "plans": [plan_of(sheet) for sheet in match.sheets],
        "seal": json.loads(told.seal) if told.seal else None,
    }
    written = (
        f'"{key}": {in_lines(item) if isinstance(item, list) else write_plain(item)}' for key, item in result.items()
    )
    return ("{\n" + ",\n".join(written) + "\n}\n").encode()


def in_lines(items: Sequence[object]) -> str:
    """Format a list with one item per line; indented JSON would be written piecewise."""
    return "[" + ",".join(f"\n {write_plain(item)}" for item in items) + "]"


def plan_of(public_sheet: PublicSheet) -> dict[str, Any]:
    """Return a plan sheet: its commitment, open parts, and openings."""
    by = [
        {"of": list(each.of), "rule": each.rule, "by": clean(each.by), "at": iso_time(each.at)}
        for each in public_sheet.opened_by
    ]
    return {**commitment_json(public_sheet.commitment), "opened_by": by}


def squads(told: AnnotatedMatch) -> list[dict[str, Any]]:
    """Return the match's initial or first squads, in their exchange format."""
    result = []
    for standing in told.standings:
        ending, held = standing.game.table.ending, {**standing.lost, **standing.table}
        assert ending is not None, "only a game that ends has a standing"  # noqa: S101 - states it
        for number, squad in sorted(ending.squads(held).items()):
            result.append({"game": standing.game.key, "player": number, "xws": squad})
    return result


def ply_of(moment: MatchMoment, numbers: Mapping[int, int], result: page.ExactChances | None) -> dict[str, Any]:
    """Return a ply without empty fields."""
    roll = moment.roll
    told: dict[str, Any] = {
        "at": iso_time(moment.at),
        "by": clean(moment.by),
        "game": moment.game,
        "offer": moment.offer,
    }
    told |= moment.choice
    told |= {"what": translate(moment.what)} if moment.what else {}
    if roll is not None:
        told |= {"roll": numbers[roll.session], "outcome": translate(card_messages.card_of(roll).outcome)}
    told |= {"draws": moment.draws} if moment.draws else {}
    told |= {"pieces": moment.public_pieces} if moment.public_pieces else {}
    told |= {"taken_back": True} if moment.is_undone else {}
    if result is not None and result.choices:
        told["choices"] = [
            {"offer": each.offer, "does": translate(each.label), "worth": translate(each.worth)}
            for each in result.choices
        ]
    if result is not None and result.laws:
        told["laws"] = [
            {"unit": law.unit, "chances": {value: str(chance) for value, chance in law.chances}, "came": law.came}
            for law in result.laws
        ]
    return told
