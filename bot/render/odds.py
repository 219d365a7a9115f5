"""Exact odds on a card: a chart of the distribution, and the key numbers in words. One function per game.

The numbers were counted before (``count`` in ``bot.odds``); here they are only drawn.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from bot.odds.albion import ActionOdds, Outcome
from bot.odds.infinity import OrderOdds, SideOdds, TrooperOdds
from bot.odds.xwing import POLICY
from bot.odds.xwing import AttackOdds as XWingOdds
from bot.render.albion import scale
from bot.render.card import Card
from bot.render.chart import Shares, at_least, chart, in_words, shares
from bot.render.text import decimal, percent
from bot.rules.albion import working
from bot.rules.text import Text
from bot.rules.xwing.declared import Declared


def xwing(attacks: Sequence[XWingOdds]) -> Card:
    """One X-Wing line-up, or several side by side; each with its name in words."""
    names = [attack.name for attack in attacks]
    damages = [shares(attack.distribution, sum) for attack in attacks]
    means = [attack.distribution.mean(sum) for attack in attacks]
    return Card(
        title=xwing_title(attacks[0].declared),
        outcome=averages(Text("Average damage"), means, names),
        facts=tuple(
            (attack.name, xwing_numbers(attack, damage)) for attack, damage in zip(attacks, damages, strict=True)
        ),
        small=f"{POLICY} {CRITS}" if any(attack.damage for attack in attacks) else POLICY,
        alt=". ".join(in_words(name, damage, "damage") for name, damage in zip(names, damages, strict=True)),
        figure=chart(names, damages, means),
        ahead="nobody",
    )


CRITS: Final = Text(
    "For the chance to destroy the ship, each crit counts as one damage card. What a "
    "faceup card does then (Direct Hit!) is not counted."
)


def xwing_title(declared: Declared) -> str:
    """``X-Wing odds · Wedge attacks Howlrunner · range 2 · obstructed``: what is known of the attack.

    Between two ships it also says where no range was given, since it counts then as an attack without a bonus for it.
    """
    who = " attacks ".join(filter(None, (declared.attacker, declared.defender)))
    parts = [Text("X-Wing odds"), *([who] if who else [])]
    if declared.range is not None:
        parts.append(f"range {declared.range}")
    elif declared.attacker and declared.defender:
        parts.append(Text("no range given"))
    parts += ["ordnance"] if declared.ordnance else []
    parts += ["obstructed"] if declared.obstructed else []
    return " · ".join(parts)


def xwing_numbers(attack: XWingOdds, damages: Shares) -> str:
    """Probabilities of at least one, two, ...; of a crit; of destroying the ship where the hull is known."""
    lines = [
        Text("at least {least}: {at_least}", least=least, at_least=percent(at_least(damages, least)))
        for least in damages
        if least
    ]
    lines.append(
        Text(
            "a crit: {probability}",
            probability=percent(attack.distribution.probability(lambda results: results[1] > 0)),
        )
    )
    if attack.damage is not None:
        hull, shields = attack.declared.hull, attack.declared.shields
        lines.append(
            Text(
                "destroyed (hull {hull}, shields {shields}): {p_destroyed}",
                hull=hull,
                shields=shields,
                p_destroyed=percent(attack.damage.p_destroyed),
            )
        )
    return "\n".join(lines)


def infinity(sides: Sequence[SideOdds]) -> Card:
    """A Normal Roll, or both sides of a Face to Face Roll: who wins, with how many successes."""
    opposed = len(sides) > 1
    nobody = 1 - sum((side.wins for side in sides), Fraction(0))
    chances = ", ".join([*(f"{side.name} {percent(side.wins, 1)}" for side in sides), f"nobody {percent(nobody, 1)}"])
    names, won = [side.name for side in sides], [winning(side) for side in sides]
    return Card(
        title="Infinity odds · " + (Text("Face to Face Roll") if opposed else Text("Normal Roll")),
        outcome=Text("Chance to win: {chances}.", chances=chances)
        if opposed
        else Text("Chance of a success: {wins}.", wins=percent(sides[0].wins, 1)),
        facts=(
            *((side.name, infinity_numbers(side, share)) for side, share in zip(sides, won, strict=True)),
            (Text("Nobody") if opposed else Text("No success"), percent(nobody)),
        ),
        alt=". ".join(in_words(name, share, "success", "successes") for name, share in zip(names, won, strict=True)),
        figure=chart(names, won, []),
        ahead="nobody",
    )


def winning(side: SideOdds) -> Shares:
    """The probability that a side wins with so many successes, Criticals among them."""
    return {successes: chance for successes, chance in shares(side.successes, int).items() if successes}


def infinity_numbers(side: SideOdds, won: Shares) -> str:
    """The win, a win with a Critical, and ``at least 2: 31.08 %`` for each number of successes beyond the first."""
    more = [
        Text("at least {least}: {at_least}", least=least, at_least=percent(at_least(won, least)))
        for least in won
        if least > 1
    ]
    lines = [
        f"wins: {percent(side.wins)}",
        Text("with a Critical: {with_critical}", with_critical=percent(side.with_critical)),
        *more,
    ]
    return "\n".join(lines + (harm_lines(side.harm, Text("the other side")) if side.harm else []))


def harm_lines(trooper: TrooperOdds, name: str) -> list[str]:
    """What happens to a trooper, Saving Rolls included."""
    if trooper.only_states:
        return [Text("{name} fails a save: {harmed}", name=name, harmed=percent(trooper.harmed))]
    lines = [Text("{name} loses a Wound: {harmed}", name=name, harmed=percent(trooper.harmed))]
    lines += [] if trooper.down is None else [Text("{name} goes down: {down}", name=name, down=percent(trooper.down))]
    return [*lines, Text("average: {decimal} Wounds", decimal=decimal(trooper.wounds.mean(int)))]


def infinity_orders(orders: Sequence[OrderOdds]) -> Card:
    """What a whole order does to each trooper; two orders side by side are compared on their first targets."""
    shown = [(order, order.troopers[0]) for order in orders if order.troopers]
    names = list(dict.fromkeys(one.name for _, one in shown))
    labels = [f"{one.name}, {order.text}"[:60] if len(orders) > 1 else one.name for order, one in shown]
    lost = [shares(one.wounds, int) for _, one in shown]
    facts = [
        (
            order.text[:200] if len(orders) > 1 else Text("The whole order"),
            "\n".join(order_lines(order)) or Text("nothing is known"),
        )
        for order in orders
    ]
    chances = [f"{percent(one.harmed, 1)}{f' ({order.text})'[:80] if len(orders) > 1 else ''}" for order, one in shown]
    outcome = Text("Chance that {names} is harmed: {chances}.", names=names[0], chances=", ".join(chances))
    if len(names) > 1:
        each = [f"{one.name} {chance}" for (_, one), chance in zip(shown, chances, strict=True)]
        outcome = Text("Chance to be harmed: {each}.", each=", ".join(each))
    return Card(
        title=Text("Infinity odds · Wounds"),
        outcome=outcome,
        facts=tuple(facts),
        small=Text("Exact, Saving Rolls included"),
        alt=". ".join(
            in_words(label, share, Text("Wound"), Text("Wounds")) for label, share in zip(labels, lost, strict=True)
        ),
        figure=chart(labels, lost, []),
        ahead="nobody",
    )


def order_lines(order: OrderOdds) -> list[str]:
    return [line for one in order.troopers for line in harm_lines(one, one.name)]


def albion(action: ActionOdds) -> Card:
    """The three things that an Albion action can come to, counted of 216."""
    worked, outcomes = working(action.declared), action.distribution
    names = {Outcome.MISS: "miss", Outcome.HIT_ONLY: "hit", Outcome.FOCUS: Text("focus point")}
    lines = [albion_number(name, outcomes.weights.get(outcome, 0), outcomes.total) for outcome, name in names.items()]
    hit = outcomes.probability(lambda outcome: outcome is not Outcome.MISS)
    focus = outcomes.probability(lambda outcome: outcome is Outcome.FOCUS)
    return Card(
        title=Text("Albion odds"),
        outcome=Text(
            "Chance to hit: {hit}. Chance of a focus point: {focus}.", hit=percent(hit, 1), focus=percent(focus, 1)
        ),
        facts=(
            (Text("Of {total} rolls", total=outcomes.total), "\n".join(lines)),
            (
                Text("Thresholds"),
                Text(
                    "miss {total_miss_chance}, focus point {focus_point_miss_chance}",
                    total_miss_chance=worked.total_miss_chance,
                    focus_point_miss_chance=worked.focus_point_miss_chance,
                ),
            ),
        ),
        alt=", ".join(lines),
        figure=scale(worked),
        ahead="nobody",
    )


def albion_number(name: str, count: int, total: int) -> str:
    return Text(
        "{name}: {count} of {total}, {fraction}",
        name=name,
        count=count,
        total=total,
        fraction=percent(Fraction(count, total)),
    )


def averages(what: str, means: Sequence[Fraction], names: Sequence[str]) -> str:
    """``Average damage: 1.36.``, or each average with its name."""
    if len(means) == 1:
        return f"{what}: {decimal(means[0])}."
    return f"{what}: {', '.join(f'{decimal(mean)} ({name})' for mean, name in zip(means, names, strict=True))}."


def plain(title: str, numbers: Mapping[str, object]) -> Card:
    """The numbers of any game's odds in a list, fractions as percentages; a distribution has a line for each result."""
    facts = tuple((name.replace("_", " "), listed_number(value)) for name, value in numbers.items())
    return Card(
        title=f"{title} odds",
        outcome=Text("{title}: the exact odds.", title=title),
        facts=facts,
        alt=". ".join(f"{name}: {text}" for name, text in facts).replace("\n", ", "),
        ahead="nobody",
    )


def listed_number(value: object) -> str:
    """``3/4 (75.00 %)`` for a probability, ``2.08`` for a number above one, a line each for a distribution."""
    if isinstance(value, Mapping):
        return "\n".join(f"{label}: {listed_number(part)}" for label, part in value.items())
    try:
        exact = Fraction(str(value))
    except ValueError:
        return str(value)
    is_share = isinstance(value, str) and 0 <= exact <= 1
    return f"{exact} ({percent(exact)})" if is_share else decimal(exact)
