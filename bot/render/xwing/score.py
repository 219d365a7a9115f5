"""X-Wing's score: as a board's sentence, and as a card."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from bot.render.card import Card, Meter, Meters
from bot.render.plain_text import figure
from bot.render.xwing.fleet import TITLE
from bot.rules.text import EMPTY, N_, Code, Count, Names, Sentences, Shown, Text, ended, joined, labeled
from bot.rules.xwing.table.match import Table, count_rounds, ends_of, match_or_new, owners_of, tallies
from bot.rules.xwing.table.score import SCENARIOS, SideTally

Owners = Mapping[int, Shown]
"""The names of the players by number."""


def side_name(tally: SideTally, owners: Owners) -> Shown:
    return Names([owners[player] for player in sorted(tally.players) if owners.get(player)]) or Text("Someone")


def score_line(table: Table, owners: Owners) -> Text:
    """Return ``Ana 14 : 1 Bo``; "" without scoring."""
    result = tallies(table)
    first, *others = [joined(side_name(tally, owners), tally.total) for tally in result] or [EMPTY]
    if len(result) != 2:
        return Sentences([first, *others], ", ")
    return Sentences([first, joined(result[1].total, side_name(result[1], owners))], " : ")


def points_breakdown(tally: SideTally) -> tuple[Text, ...]:
    parts = (
        (N_("{points} for destroyed ships"), tally.destroyed),
        (N_("{points} for damaged ships"), tally.half),
        (N_("{points} for objectives"), tally.earned),
        (N_("{points} to start"), tally.deficit),
    )
    return tuple(Text(message, points=points) for message, points in parts if points)


def ends_line(table: Table) -> Text:
    """Return the end conditions of the match in a sentence, and which are unknown."""
    end, match = ends_of(table), match_or_new(table)
    ways = [Text("at {points} points", points=end.points)] if end.points else []
    ways += [Text("after round {round}", round=end.rounds)] if end.rounds else []
    ways += [Text("when time runs out")] if match.score.began else []
    ways = ways or [Text("when only one side has ships")]
    asks = N_("Squad points and end conditions aren't set yet. Press End conditions.")
    if end.size:
        asks = N_("I don't know the point limit for squads of {size} points. Set it under End conditions.")
    lines = [Text("The match ends {ways}.", ways=Names(ways, "or"))]
    return Sentences([*lines, Text(asks, size=end.size)] if end.points is None else lines)


def score_card(table: Table, owners: Owners, now: int, happened: Shown = EMPTY) -> Card:
    """Return the score with its parts, the scenario, and the clock; ``now`` in seconds of the epoch."""
    match, line = match_or_new(table), score_line(table, owners)
    scenario = SCENARIOS.get(match.score.scenario)
    round_, end = count_rounds(table), ends_of(table)
    at = Text("Round {round}", round=round_)
    if end.rounds:
        at = Text("Round {round} of {rounds}", round=round_, rounds=end.rounds)
    result, facts = tallies(table), list[tuple[Shown, Text]]()
    totals = [tally.total for tally in result]
    shown = bars(result, owners, max([1, *totals, end.points or 0])) if result else None
    if scenario is not None and not match.score.earned:  # until the first objective points
        facts.append((scenario.name, Sentences([ended(scenario.objects), scenario.scores])))
    if newest := match.score.earned[-3:]:
        lines = []
        for item in newest:
            name, points = owners.get(item.player, Text("Someone")), Code(f"{item.points:+}")
            earned = N_("{name}: {points} for {reason} in round {round}")
            lines.append(Text(earned, name=name, points=points, reason=item.reason, round=item.round))
        facts.append((Text("Newest points"), Sentences(lines, "\n")))
    facts.append((Text("End of match"), ends_line(table)))
    if match.score.ends_at:
        left = -(-(match.score.ends_at - now) // 60)
        clock = Text("{minutes} left of {whole}.", minutes=Count(left, "minute", "minutes"), whole=match.score.minutes)
        over = Text("Time is up. Finish this round, then end the match.")
        facts.append((Text("Clock"), clock if left > 0 else over))
    said, small = ended(line), EMPTY
    if not line:
        said = Text("No points yet.")
        small = Text("Points for ships are added automatically; press a button for objective points.")
    called = scenario.name if scenario is not None else EMPTY
    title = Sentences([Text("{title} · score", title=TITLE), called, at], " · ")
    number = Code(" : ".join(map(str, totals))) if len(totals) == 2 else EMPTY
    alt = figure(shown) if shown else EMPTY
    outcome = Sentences([happened, said])
    return Card(title, outcome, facts=tuple(facts), figure=shown, alt=alt, small=small, number=number)


def bars(result: Sequence[SideTally], owners: Owners, most: int) -> Meters:
    """Return each side's points as a bar, full at ``most``, with what they are for."""
    leads = max(tally.total for tally in result)
    meters = list[Meter]()
    for tally in result:
        name, part, told = side_name(tally, owners), max(0, tally.total), Sentences(points_breakdown(tally), ", ")
        is_ahead = tally.total == leads > 0
        meters.append(Meter(name, Code(tally.total), Fraction(part, most), detail=told, leads=is_ahead))
    return Meters(EMPTY, tuple(meters))


def summary(table: Table, owners: Owners) -> Text:
    """Return the board's score, if any, and the end conditions."""
    line = score_line(table, owners)
    scenario, end = SCENARIOS.get(match_or_new(table).score.scenario), ends_line(table)
    if not line:
        return end if len(owners_of(table)) > 1 else EMPTY
    return Sentences([ended(labeled(scenario.name, line) if scenario is not None else line), end])
