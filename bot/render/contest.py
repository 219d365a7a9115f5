"""A contest on a card: who wins and by what, the dice of both sides, and the chances of both."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.odds.contest import ContestOdds
from bot.render.anydice import binned, in_words, strips, trail, way
from bot.render.card import Ahead, Bars, Card, Strip, Tile
from bot.render.text import decimal, percent
from bot.rules.anydice.play import Row
from bot.rules.contest import By, Contest, Contestant, Declared, Ties, contestant_of
from bot.rules.game import Side
from bot.rules.text import Count, Sentences, Text

People = Mapping[Side, str]

UNNAMED: Final[People] = {Side.ATTACKER: Text("Side 1"), Side.DEFENDER: Text("Side 2")}
BODY: Final[Mapping[Side, Mapping[str, str]]] = {
    Side.ATTACKER: {"d20": "d20-attacker"},
    Side.DEFENDER: {"d20": "d20-defender"},
}
RULES: Final[Mapping[By, str]] = {
    By.HIGHER: Text("The higher result wins"),
    By.LOWER: Text("The lower result wins"),
    By.SUCCESSES: Text("More successes win"),
}


def card(state: Contest, names: People) -> Card:
    """The card of a contest at any moment."""
    who = {side: name_of(state, side, names) for side in Side}
    shown = [strip for side in Side for strip in side_strips(state, side, who[side])]
    return Card(
        title=title(state.declared),
        outcome=outcome(state, who),
        strips=tuple(shown),
        turn=turn(state, who),
        trail=tuple(line for side in Side for line in side_trail(state, side, who[side])),
        small=f"{RULES[state.declared.by]} · {ties(state.declared, who)}",
        below=f"{RULES[state.declared.by]} · {ties(state.declared, who)}",
        alt=f"{in_words(shown)}. {outcome(state, who)}" if shown else "",
        ahead=ahead(state),
    )


def name_of(state: Contest, side: Side, names: People) -> str:
    """The NPC of a side, or the person who plays it; empty while anybody may still come to play it."""
    named = contestant_of(state.declared, side)
    is_open = named is None and not state.withdrawn
    return (named.name if named else "") or names.get(side) or ("" if is_open else UNNAMED[side])


def title(declared: Declared) -> str:
    known = [one.expression.understood for one in (declared.first, declared.second) if one is not None]
    return Text("Contest · {known}", known=" against ".join(known)) if known else Text("Contest")


def outcome(state: Contest, who: People) -> Text:
    """Who wins, in one sentence that can be read aloud."""
    first, second = who[Side.ATTACKER], who[Side.DEFENDER]
    if state.withdrawn:
        return Text("{first} withdraws; no dice fell.", first=first)
    if state.results is None:
        return challenge(state, first or Text("Somebody"), second or "anyone")
    if state.winner is None:
        again = state.declared.ties is Ties.AGAIN
        message = (
            Text("{first} and {second} tie: {result} each. Both roll again.")
            if again
            else (Text("{first} and {second} tie: {result} each."))
        )
        return Text(message, first=first, second=second, result=counted(state, state.results[0]))
    winner, loser = who[state.winner], who[state.winner.other]
    if state.is_tied:
        message = Text("{winner} wins the tie against {loser}: {result} each.")
        return Text(message, winner=winner, loser=loser, result=counted(state, state.results[0]))
    won, lost = (side_way(state, side) for side in (state.winner, state.winner.other))
    return Text("{winner} beats {loser}: {won} to {lost}.", winner=winner, loser=loser, won=won, lost=lost)


def challenge(state: Contest, first: str, second: str) -> Text:
    known = state.declared.first
    if known is None:
        return Text("{first} challenges {second}.", first=first, second=second)
    dice = known.expression.understood
    return Text("{first} challenges {second} with {dice}.", first=first, second=second, dice=dice)


def side_way(state: Contest, side: Side) -> str:
    """How the result of a side came about: ``12 + 5 = 17``."""
    row = row_of(state, side)
    assert row is not None  # noqa: S101 - both sides have rolled
    if state.declared.by is By.SUCCESSES:
        return counted(state, row.total) if side is state.winner else str(row.total)
    return way(row)


def row_of(state: Contest, side: Side) -> Row | None:
    """What a side rolled in the last round."""
    named = contestant_of(state.declared, side)
    if named is None or not state.rounds:
        return None
    return Row(line=named.expression.line, dice=state.rounds[-1][side is Side.DEFENDER])


def counted(state: Contest, result: int) -> str:
    """A result, with its unit where successes are compared."""
    return Count(result, "success", "successes") if state.declared.by is By.SUCCESSES else str(result)


def turn(state: Contest, who: People) -> str:
    """Who still has to say what they roll."""
    if state.withdrawn or state.results is not None:
        return ""
    waiting = [who[side] for side in Side if contestant_of(state.declared, side) is None]
    named = [name or (Text("anybody else") if at else Text("Anybody else")) for at, name in enumerate(waiting)]
    whom = " and ".join(named) if any(who.values()) else Text("Anybody")
    return Text("{whom}, say what you roll. Then all dice fall at once.", whom=whom)


def ties(declared: Declared, who: People) -> str:
    if declared.ties is Ties.AGAIN:
        return Text("ties are rolled again")
    if declared.ties is Ties.FIRST:
        return Text("{who} wins ties", who=who[Side.ATTACKER] or "the challenger")
    if declared.ties is Ties.SECOND:
        return Text("{who} wins ties", who=who[Side.DEFENDER] or "whoever answers")
    return Text("nobody wins ties")


def ahead(state: Contest) -> Ahead:
    if state.results is None:
        return "nobody" if state.withdrawn else "open"
    if state.winner is None:
        return "nobody"
    return "attacker" if state.winner is Side.ATTACKER else "defender"


def side_strips(state: Contest, side: Side, who: str) -> Sequence[Strip]:
    """The dice of a side in the last round, with its name before the first of them and its result at the end."""
    row = row_of(state, side)
    found = list(strips([row], BODY[side])) if row is not None else []
    if row is None or not found:
        return found
    found[0] = replace(found[0], label=f"{who}: {found[0].label}", beside=False)
    if len(found[0].tiles) > 1 or row.line.notation != str(row.line.pools[0]):
        result = Tile("sum", f"= {row.total}")
        found[-1] = replace(found[-1], tiles=(*(one for one in found[-1].tiles if one.body != "sum"), result))
    return found


def side_trail(state: Contest, side: Side, who: str) -> list[str]:
    """What happened to the dice of a side, in every round."""
    named = contestant_of(state.declared, side)
    if named is None:
        return []
    line = named.expression.line
    rounds = [Row(line=line, dice=one[side is Side.DEFENDER]) for one in state.rounds]
    return [f"{who}, {line}" for line in trail(rounds)]


# Odds


def odds_card(found: ContestOdds) -> Card:
    """The laws of both sides as a chart, and who wins how often."""
    declared = found.declared
    names = [side_name(declared.first, Text("First")), side_name(declared.second, Text("Second"))]
    bars, means = binned(found.laws)
    shown = Bars(tuple(names), bars, tuple(means))
    nobody = Text(", nobody {nobody}", nobody=percent(found.nobody, 1)) if found.nobody else ""
    averages = Sentences(
        (f"{name} {decimal(one.mean(int))}" for name, one in zip(names, found.laws, strict=True)), ", "
    )
    return Card(
        title=Text("{title} · odds", title=title(declared)),
        outcome=Text(
            "Chance to win: {names} {first}, {names2} {second}{nobody}.",
            names=names[0],
            first=percent(found.first, 1),
            names2=names[1],
            second=percent(found.second, 1),
            nobody=nobody,
        ),
        facts=(
            (Text("A tie"), percent(found.tie)),
            (Text("Averages"), averages),
        ),
        small=Text(
            "Exact · {rules} · {ties}",
            rules=RULES[declared.by],
            ties=ties(declared, dict(zip(Side, names, strict=True))),
        ),
        alt=". ".join(
            f"{name}: "
            + Sentences((f"{bar.label} {percent(bar.chances[at], 1)}" for bar in bars if bar.chances[at]), ", ")
            for at, name in enumerate(names)
        ),
        figure=shown,
        ahead="nobody",
    )


def side_name(side: Contestant | None, otherwise: str) -> str:
    """How a chart names a side; two sides with equal dice must not have one name."""
    return (side and (side.name or f"{otherwise} ({side.dice})")) or otherwise
