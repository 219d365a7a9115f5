"""X-Wing's score: as a sentence for the board, as a card, and as the picture of a match that people share."""

from collections.abc import Mapping
from dataclasses import replace

from bot.render.card import Card, Scoreboard, Scored
from bot.render.text import figure
from bot.render.xwing.board import at_the_end
from bot.render.xwing.fleet import TITLE
from bot.rules.text import (
    EMPTY,
    N_,
    Code,
    Count,
    Names,
    Sentences,
    Shown,
    Text,
    Words,
    as_shown,
    beside,
    ended,
    labelled,
)
from bot.rules.xwing.table.match import Match, Table, ends_of, match_of, owners_of, rounds, tallies
from bot.rules.xwing.table.score import SCENARIOS, Tally
from bot.rules.xwing.table.ship import Ship

Owners = Mapping[int, Words]
"""The names of the players by number."""


def side_name(tally: Tally, owners: Owners) -> Shown:
    """Who plays a side."""
    return Names([owners[one] for one in sorted(tally.players) if owners.get(one)]) or Text("Somebody")


def score_line(table: Table, owners: Owners) -> Text:
    """``Ana 14 : 1 Bo``; "" where nothing scores."""
    found = tallies(table)
    if len(found) != 2:
        sides = [beside(side_name(one, owners), one.total) for one in found]
        return Sentences(sides, ", ")
    one, other = found
    return Sentences([beside(side_name(one, owners), one.total), beside(other.total, side_name(other, owners))], " : ")


def made_of(tally: Tally) -> tuple[Text, ...]:
    """What the points of a side are made of."""
    parts = (
        (tally.destroyed, Text("{points} for destroyed ships", points=tally.destroyed)),
        (tally.half, Text("{points} for damaged ships", points=tally.half)),
        (tally.earned, Text("{points} on the mat", points=tally.earned)),
        (tally.deficit, Text("{points} from the start", points=tally.deficit)),
    )
    return tuple(text for points, text in parts if points)


def scoreboard(table: Table, owners: Owners, title: Shown, winner: int | None) -> Scoreboard | None:
    """The score as a picture; None where nothing scores. ``winner`` is the number of a player."""
    found = tallies(table)
    if not found:
        return None
    sides = tuple(Scored(side_name(one, owners), one.total, made_of(one), wins=winner in one.players) for one in found)
    return Scoreboard(title, sides, about(table))


def about(table: Table) -> tuple[Text, ...]:
    """The game, the scenario and the round, in one line."""
    match, end = match_of(table) or Match(), ends_of(table)
    scenario, round_ = SCENARIOS.get(match.score.scenario), Text("Round {round}", round=rounds(table))
    if end.rounds:
        round_ = Text("Round {round} of {rounds}", round=rounds(table), rounds=end.rounds)
    return (Sentences([TITLE, scenario.name if scenario is not None else EMPTY, round_], " · "),)


def ends_line(table: Table) -> Text:
    """What ends the match, in a sentence, and what nobody has said."""
    end, match = ends_of(table), match_of(table) or Match()
    ways = [Text("at {points} points", points=end.points)] if end.points else []
    ways += [Text("after round {round}", round=end.rounds)] if end.rounds else []
    ways += [Text("when the clock is over")] if match.score.began else []
    ways = ways or [Text("when only one side has ships")]
    asks = EMPTY
    if end.points is None and end.size:
        message = N_("I do not know at how many points squads of {size} points end: say it under “What ends it”.")
        asks = Text(message, size=end.size)
    elif end.points is None:
        asks = Text("Nobody has said how many points a squad has, and how many end the match: “What ends it”.")
    return Sentences([Text("The match ends {ways}.", ways=Names(ways, "or")), asks])


def score_card(table: Table, owners: Owners, now: int, happened: Words = EMPTY) -> Card:
    """The score with what it is made of, the scenario and the clock; ``now`` in seconds of the epoch."""
    match = match_of(table) or Match()
    scenario, shown = (
        SCENARIOS.get(match.score.scenario),
        scoreboard(table, owners, Text("The score"), match.score.winner),
    )
    line = score_line(table, owners)
    facts: list[tuple[Shown, Text]] = []
    if scenario is not None and not match.score.earned:  # until somebody has scored by it
        facts.append((scenario.name, Sentences([ended(scenario.objects), scenario.scores])))
    if newest := match.score.earned[-3:]:
        lines = [
            Text(
                "{name}: {points} for {reason} in round {round}",
                name=owners.get(one.player, Text("Somebody")),
                points=Code(f"{one.points:+}"),
                reason=one.reason,
                round=one.round,
            )
            for one in newest
        ]
        facts.append((Text("Newest points"), Sentences(lines, "\n")))
    facts.append((Text("The end"), ends_line(table)))
    if match.score.ends_at:
        facts.append((Text("Clock"), clock_line(match, now)))
    return Card(
        title=Text("{title} · score", title=TITLE),
        outcome=Sentences([happened, ended(line) if line else Text("Nothing scores here yet.")]),
        facts=tuple(facts),
        figure=shown,
        alt=figure(shown) if shown is not None else EMPTY,
        small=EMPTY if line else Text("Squads bring their points; people press what they earn on the mat."),
        ahead="nobody",
    )


def clock_line(match: Match, now: int) -> Text:
    """How long the clock still runs."""
    left = -(-(match.score.ends_at - now) // 60)
    if left <= 0:
        return Text("Time is over. Play this round to its end, then end the match.")
    return Text("{minutes} left of {whole}.", minutes=Count(left, "minute", "minutes"), whole=match.score.minutes)


def summary(table: Table, owners: Owners) -> Text:
    """The score for the board and what ends the match; without the score where nothing scores."""
    line = score_line(table, owners)
    scenario, end = SCENARIOS.get((match_of(table) or Match()).score.scenario), ends_line(table)
    if not line:
        return end if len(owners_of(table)) > 1 else EMPTY
    told = ended(line)
    if scenario is not None:
        told = ended(labelled(scenario.name, line))
    return Sentences([told, end])


def share(table: Table, lost: Mapping[str, Ship], owners: Owners, winner: int | None) -> Scoreboard | None:
    """The match as a picture that says all by itself: who won, the points, the scenario, and both squads.

    Where no points are known, ships destroyed count.
    """
    ships = at_the_end(table, lost, owners)
    if ships is None:
        return None
    title = Text("X-Wing")
    if winner is not None:
        title = Text("{name} wins", name=owners[winner]) if winner in owners else Text("Nobody wins")
    shown = scoreboard(table, owners, title, winner)
    if shown is None:
        gone = {number: sum(one.owner == number for one in lost.values()) for number in owners}
        sides = tuple(
            Scored(as_shown(name), sum(gone.values()) - gone[number], (Text("ships destroyed"),), wins=winner == number)
            for number, name in owners.items()
        )
        shown = Scoreboard(title, sides, about(table))
    return replace(shown, ships=ships)


def points_by_player(table: Table) -> dict[int, int]:
    """What each player's side has; {} where nothing scores."""
    return {player: one.total for one in tallies(table) for player in one.players}
