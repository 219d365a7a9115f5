"""Exact odds of Infinity rolls on a card: the winner, and an order's effect on each trooper."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from typing import Final

from bot.odds.infinity.sides import OrderOdds, SideOdds
from bot.odds.infinity.wounds import TrooperOdds
from bot.render.card import Card
from bot.render.odds import chart, in_words, shares
from bot.render.plain_text import decimal, percent
from bot.rules.game import Side
from bot.rules.text import Code, Name, Noun, Sentences, Shown, Text, bracketed, joined

SUCCESSES: Final = Noun("success", "successes")
WOUNDS: Final = Noun("Wound", "Wounds")


def card(sides: Sequence[SideOdds]) -> Card:
    """Return a Normal Roll's or both Face to Face sides' chances, with numbers of successes."""
    opposed = len(sides) > 1
    nobody = 1 - sum((side.wins for side in sides), Fraction(0))
    each = [joined(side.name, percent(side.wins)) for side in sides]
    chances = Sentences([*each, Text("nobody {nobody}", nobody=percent(nobody))], ", ")
    names = [Name(side.name) for side in sides]
    won = [{count: chance for count, chance in shares(side.successes, int).items() if count} for side in sides]
    return Card(
        title=Text("Infinity odds · Face to Face Roll") if opposed else Text("Infinity odds · Normal Roll"),
        outcome=Text("Chance to win: {chances}.", chances=chances)
        if opposed
        else Text("Chance of a success: {wins}.", wins=percent(sides[0].wins)),
        facts=tuple((Name(side.name), numbers(side)) for side in sides),
        alt=Sentences((in_words(name, share, SUCCESSES) for name, share in zip(names, won, strict=True)), ". "),
        figure=chart(names, won),
        ahead="nobody",
    )


def numbers(side: SideOdds) -> Shown:
    """Return the chance of a win with a Critical, and its effect; the chart has the numbers of successes."""
    lines = [Text("with a Critical: {with_critical}", with_critical=percent(side.with_critical))]
    return Sentences([*lines, *(harm_lines(side.harm, Text("The other side")) if side.harm else [])], "\n")


def harm_lines(trooper: TrooperOdds, name: Shown) -> list[Shown]:
    """Return the chances of a trooper's fates, Saving Rolls included."""
    if trooper.only_states:
        return [Text("{name} fails a save: {harmed}", name=name, harmed=percent(trooper.harm_chance))]
    down = trooper.down
    return [
        Text("{name} loses a Wound: {harmed}", name=name, harmed=percent(trooper.harm_chance)),
        *([] if down is None else [Text("{name} goes down: {down}", name=name, down=percent(down))]),
        Text("average: {decimal} Wounds", decimal=decimal(trooper.wounds.mean(int))),
    ]


def orders_card(orders: Sequence[OrderOdds]) -> Card:
    """Return a whole order's effect on each trooper; two orders are compared by their first targets."""
    shown = [(order, order.troopers[0]) for order in orders if order.troopers]
    names = list(dict.fromkeys(trooper_odds.name for _, trooper_odds in shown))
    labels = [Name(f"{odds.name}, {order.text}"[:60] if len(orders) > 1 else odds.name) for order, odds in shown]
    lost = [shares(trooper_odds.wounds, int) for _, trooper_odds in shown]
    heads = [Code(order.text[:200]) if len(orders) > 1 else Text("The whole order") for order in orders]
    harms = (chain.from_iterable(harm_lines(trooper, trooper.name) for trooper in order.troopers) for order in orders)
    told = [Sentences(lines, "\n") or Text("unknown") for lines in harms]
    chances: list[Shown] = [percent(trooper_odds.harm_chance) for _, trooper_odds in shown]
    if len(orders) > 1:
        chances = [bracketed(chance, Code(order.text[:77])) for chance, (order, _) in zip(chances, shown, strict=True)]
    color = int(len(orders) == 1 and shown[0][1].side is Side.DEFENDER)
    outcome = Text("Chance that {name} takes damage: {chances}.", name=names[0], chances=Sentences(chances, ", "))
    if len(names) > 1:
        pairs = zip(shown, chances, strict=True)
        each = [joined(trooper_odds.name, chance) for (_, trooper_odds), chance in pairs]
        outcome = Text("Chance to take damage: {each}.", each=Sentences(each, ", "))
    return Card(
        title=Text("Infinity odds · Wounds"),
        outcome=outcome,
        facts=tuple(zip(heads, told, strict=True)),
        small=Text("Exact, Saving Rolls included"),
        alt=Sentences((in_words(label, share, WOUNDS) for label, share in zip(labels, lost, strict=True)), ". "),
        figure=replace(chart(labels, lost), color=color),
        ahead="nobody",
    )
