"""The turn order on a card: round, current turn, and everybody in order."""

from collections.abc import Callable, Mapping
from typing import Final

from bot.render.card import Card
from bot.render.help import blocks
from bot.rules.text import N_, Code, Name, Sentences, Shown, Text, bracketed, joined, labeled
from bot.rules.turn_order import TITLE, Combatant, TurnOrder

OVER: Final = Card(
    TITLE,
    Text("This turn order is over."),
    small=Text("Start a new one with /initiative start, or bring it back with /table undo."),
    ahead="open",
)

NameOf = Callable[[Combatant], Shown]
"""Names a combatant: an NPC's own name, or its player's."""


def card(order: TurnOrder, name_of: NameOf) -> Card:
    lines = [line(place, fighter, order, name_of) for place, fighter in enumerate(order.in_order, start=1)]
    first = Text("The lowest roll acts first.") if order.lowest else Text("The highest roll acts first.")
    facts, small = blocks(Text("In order"), lines), Text("{first} Ties are broken with a d20.", first=first)
    return Card(TITLE, headline(order, name_of), facts=tuple(facts), small=small, ahead="open")


def headline(order: TurnOrder, name_of: NameOf) -> Shown:
    if order.current_combatant is not None:
        return Text("Round {round}: it's {name}'s turn.", round=order.round, name=name_of(order.current_combatant))
    if not order.combatants:
        return Text("Who's in? Join with a roll.")
    return Text("Join with a roll, or press Next to start the first turn.")


def line(place: int, fighter: Combatant, order: TurnOrder, name_of: NameOf) -> Text:
    """Return ``▶ 1: Ork, 17 (1d20+3; d20 against ties: 12)``."""
    why: list[Shown] = [Code(fighter.dice)] if fighter.dice != str(fighter.total) else []
    why += [Text("d20 to break ties: {ties}", ties=Code(", ".join(map(str, fighter.ties))))] if fighter.ties else []
    rolled = bracketed(fighter.total, Sentences(why, "; ")) if why else Code(fighter.total)
    said = labeled(place, Sentences([name_of(fighter), rolled], ", "))
    return joined(Code("▶"), said) if fighter.number == order.current else said


def facts(pieces: Mapping[str, TurnOrder]) -> tuple[tuple[Name, Text], ...]:
    """Return the turn order for a channel's board, without players' names."""
    result = list[tuple[Name, Text]]()
    for name, turn_order in pieces.items():
        message = N_("round {round}, {many} taking part") if turn_order.round else N_("{many} taking part, not started")
        result.append((Name(name), Text(message, round=turn_order.round, many=len(turn_order.combatants))))
    return tuple(result)


def notice(outcome: Shown) -> Card:
    """Return the result of someone's action, for them alone."""
    return Card(TITLE, outcome)
