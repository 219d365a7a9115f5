"""A contest on a card: the winner and margin, both sides' dice, and chances."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.odds.contest import ContestOdds
from bot.render import plain_text
from bot.render.anydice import SUCCESSES, chart, strips, trail, way
from bot.render.card import Ahead, Card, People, Strip, Tile
from bot.render.plain_text import decimal, percent
from bot.rules.anydice.play import RolledLine
from bot.rules.contest import Contest, Contestant, Declared, Ties, WinsBy, answer_offer, contestant_of
from bot.rules.game import Side
from bot.rules.text import EMPTY, N_, Code, Name, Names, Sentences, Shown, Text, bracketed, ended, joined, labeled

UNNAMED: Final[People] = {Side.ATTACKER: Text("Side 1"), Side.DEFENDER: Text("Side 2")}
BODY: Final[Mapping[Side, Mapping[str, str]]] = {
    Side.ATTACKER: {"d20": "d20-attacker"},
    Side.DEFENDER: {"d20": "d20-defender", "d6": "d6-defender"},
}
RULES: Final[Mapping[WinsBy, Shown]] = {
    WinsBy.HIGHER: Text("The higher result wins"),
    WinsBy.LOWER: Text("The lower result wins"),
    WinsBy.SUCCESSES: Text("More successes win"),
}


def card(state: Contest, names: People) -> Card:
    who = {side: name_of(state, side, names) for side in Side}
    first = state.winner or Side.ATTACKER  # in the number, the sentence, and the dice alike
    order = (first, first.other)
    shown = [strip for side in order if (strip := side_strip(state, side, who[side], beside=side is not first))]
    challenged = Text("{first} challenged {second}", first=who[Side.ATTACKER], second=who[Side.DEFENDER])
    return Card(
        title=title(state.declared, order),
        outcome=outcome(state, who),
        strips=tuple(shown),
        turn=turn(state, who),
        trail=tuple(Sentences([who[side], line], ", ") for side in Side for line in trail(rounds_of(state, side))),
        small=Sentences([RULES[state.declared.by], ties(state.declared, who)], " · "),
        below=Sentences([EMPTY if state.results is None else challenged, unusual_rules(state.declared, who)], " · "),
        alt=Sentences([ended(plain_text.strips(shown)), outcome(state, who)]) if shown else EMPTY,
        number=score(state, order),
        ahead=leading_side(state),
    )


def score(state: Contest, order: Sequence[Side]) -> Shown:
    """Return ``24 : 22``, in the sentence's order; empty if a game compares more than a number."""
    if state.results is None or state.declared.system:
        return EMPTY
    return Code(" : ".join(str(state.results[side is Side.DEFENDER]) for side in order))


def unusual_rules(declared: Declared, who: People) -> Shown:
    parts = [] if declared.by is WinsBy.HIGHER else [RULES[declared.by]]
    parts += [] if declared.breaks_ties is Ties.NOBODY else [ties(declared, who)]
    return Sentences(parts, " · ")


def name_of(state: Contest, side: Side, names: People) -> Shown:
    """Return a side's NPC or player; empty while the side is free."""
    named = contestant_of(state.declared, side)
    is_open = named is None and not state.withdrawn
    return (named.name if named else EMPTY) or names.get(side) or (EMPTY if is_open else UNNAMED[side])


def title(declared: Declared, order: Sequence[Side] = tuple(Side)) -> Shown:
    contestants = (contestant_of(declared, side) for side in order)
    known = [contestant.expression.canonical_text for contestant in contestants if contestant is not None]
    if not known:
        return Text("Contest")
    message = N_("Contest · {first} against {second}") if len(known) > 1 else N_("Contest · {first}")
    return Text(message, first=Name(known[0]), second=Name(known[-1]))


def outcome(state: Contest, who: People) -> Text:
    first, second = who[Side.ATTACKER], who[Side.DEFENDER]
    if state.withdrawn:
        return Text("{first} withdraws; nothing was rolled.", first=first)
    if state.results is None:
        known = state.declared.first
        dice = Code(known.expression.canonical_text) if known is not None else EMPTY
        message = CHALLENGES[bool(dice), bool(second)]
        return Text(message, first=first or Text("Someone"), second=second, dice=dice)
    result = counted_result(state, state.results[0])
    if state.winner is None:
        message = N_("{first} and {second} tie: {result} each.")
        if state.declared.breaks_ties is Ties.AGAIN:
            message = N_("{first} and {second} tie: {result} each. Both roll again.")
        return Text(message, first=first, second=second, result=result)
    winner, loser = who[state.winner], who[state.winner.other]
    if state.is_tied:
        return Text("{winner} wins the tie against {loser}: {result} each.", winner=winner, loser=loser, result=result)
    won, lost = (side_way(state, side) for side in (state.winner, state.winner.other))
    return Text("{winner} beats {loser}: {won} to {lost}.", winner=winner, loser=loser, won=won, lost=lost)


CHALLENGES: Final = {
    (False, False): N_("{first} challenges anyone."),
    (False, True): N_("{first} challenges {second}."),
    (True, False): N_("{first} challenges anyone with {dice}."),
    (True, True): N_("{first} challenges {second} with {dice}."),
}
"""Sentences by whether the dice are known, and who is challenged."""


def side_way(state: Contest, side: Side) -> Shown:
    """Return how a side's result came about: ``12 + 5 = 17``."""
    row = rounds_of(state, side)[-1]
    if state.declared.by is WinsBy.SUCCESSES:
        return counted_result(state, row.total) if side is state.winner else Code(row.total)
    return way(row)


def rounds_of(state: Contest, side: Side) -> list[RolledLine]:
    named = contestant_of(state.declared, side)
    if named is None:
        return []
    return [RolledLine(line=named.expression.line, dice=item[side is Side.DEFENDER]) for item in state.rounds]


def counted_result(state: Contest, result: int) -> Shown:
    return SUCCESSES.of(result) if state.declared.by is WinsBy.SUCCESSES else Code(result)


def turn(state: Contest, who: People) -> Shown:
    """Return who still has to choose dice."""
    if state.withdrawn or state.results is not None:
        return EMPTY
    missing = [side for side in Side if contestant_of(state.declared, side) is None]
    waiting = [who[side] for side in missing]
    whom = Names(filter(None, waiting))
    if not any(who.values()):
        return Text("Anyone: enter your dice. All dice are rolled at once.")
    if all(waiting):
        return Text("{whom}: enter your dice. All dice are rolled at once.", whom=whom)
    anybody = N_("{whom}: press {label}. Anyone else: press {pressed}. All dice are rolled at once.")
    anybody = anybody if whom else N_("Anyone else: press {pressed}. All dice are rolled at once.")
    labels = [answer_offer(side, state.declared.by).label for side in sorted(missing, key=lambda side: not who[side])]
    return Text(anybody, whom=whom, label=labels[0], pressed=labels[-1])


def ties(declared: Declared, who: People) -> Text:
    if declared.breaks_ties is Ties.AGAIN:
        return Text("ties are rolled again")
    if declared.breaks_ties is Ties.NOBODY:
        return Text("nobody wins ties")
    side, role = Side.ATTACKER, N_("the challenger wins ties")
    if declared.breaks_ties is Ties.SECOND:
        side, role = Side.DEFENDER, N_("the player who answers wins ties")
    return Text(N_("{who} wins ties") if who[side] else role, who=who[side])


def leading_side(state: Contest) -> Ahead:
    if state.winner is None:
        return "open" if state.results is None and not state.withdrawn else "nobody"
    return "attacker" if state.winner is Side.ATTACKER else "defender"


def side_strip(state: Contest, side: Side, who: Shown, *, beside: bool) -> Strip | None:
    """Return a side's dice in the last round, ending with its result; None without dice."""
    rounds = rounds_of(state, side)
    tiles = [tile for strip in strips(rounds[-1:], BODY[side]) for tile in strip.tiles]
    if not tiles:
        return None
    row = rounds[-1]
    if len(tiles) > 1 or row.line.notation != str(row.line.pools[0]):
        tiles = [*(item for item in tiles if item.body != "sum"), Tile("sum", f"= {row.total}")]
    won, dice = state.winner is side, Code(row.line.notation)
    label = Text("{who} wins: {dice}", who=who, dice=dice) if won else labeled(who, dice)
    return Strip(label, tuple(tiles), beside=beside, won=won)


# Odds


def odds_card(odds: ContestOdds) -> Card:
    """Return both sides' laws as a chart, with the chances to win."""
    declared = odds.declared
    names = [side_name(declared.first, Text("First")), side_name(declared.second, Text("Second"))]
    shown = chart(names, odds.laws)
    message = N_("Chance to win: {name} {first}, {other} {second}.")
    if odds.nobody:
        message = N_("Chance to win: {name} {first}, {other} {second}, nobody {nobody}.")
    first, second, nobody = (percent(chance) for chance in (odds.first, odds.second, odds.nobody))
    averages = (joined(name, decimal(law.mean(int))) for name, law in zip(names, odds.laws, strict=True))
    tie = () if odds.tie == odds.nobody else ((Text("A tie"), percent(odds.tie)),)
    laws = list[Text]()
    for at, name in enumerate(names):
        each = (joined(bar.label, percent(bar.chances[at])) for bar in shown.bars if bar.chances[at])
        laws.append(labeled(name, Sentences(each, ", ")))
    return Card(
        title=Text("{title} · odds", title=title(declared)),
        outcome=Text(message, name=names[0], first=first, other=names[1], second=second, nobody=nobody),
        facts=(*tie, (Text("Averages"), Sentences(averages, ", "))),
        small=Sentences([Text("Exact"), unusual_rules(declared, dict(zip(Side, names, strict=True)))], " · "),
        alt=Sentences(laws, ". "),
        figure=shown,
    )


def side_name(side: Contestant | None, otherwise: Shown) -> Shown:
    """Return a side's name in a chart; two sides with equal dice must not share a name."""
    if side is None:
        return otherwise
    return Name(side.name) if side.name else bracketed(otherwise, Code(side.dice))
