"""Exact odds on a card: a chart of the law, and the key numbers in words. One function per game."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

from bot.odds import albion as albion_odds
from bot.odds import infinity as infinity_odds
from bot.odds import warsurge as warsurge_odds
from bot.odds import xwing as xwing_odds
from bot.odds.infinity.rolls import Outcome
from bot.odds.law import Law
from bot.render.albion import scale
from bot.render.card import Card
from bot.render.chart import Counts, at_least, chart, counts, in_words
from bot.render.text import decimal, percent
from bot.rules import albion
from bot.rules.errors import BadInput
from bot.rules.infinity.declared import Order, Save
from bot.rules.warsurge.declared import Declared as WarsurgeAttack
from bot.rules.xwing.declared import Declared as XWingAttack


def xwing(attacks: Sequence[tuple[str, XWingAttack]]) -> Card:
    """One X-Wing line-up, or several side by side; each with its name in words."""
    laws = [(name, xwing_odds.law(declared)) for name, declared in attacks]
    totals = [counts(law, sum) for _, law in laws]
    means = [law.mean(sum) for _, law in laws]
    facts = [(name, xwing_numbers(declared, law)) for (name, declared), (_, law) in zip(attacks, laws, strict=True)]
    return Card(
        title="X-Wing odds",
        outcome=compared([f"{decimal(mean)} damage" for mean in means], [name for name, _ in attacks]),
        facts=tuple(facts),
        small=xwing_odds.POLICY,
        alt=". ".join(in_words(name, law, "damage") for (name, _), law in zip(attacks, totals, strict=True)),
        figure=chart([name for name, _ in attacks], totals, means),
        ahead="nobody",
    )


def xwing_numbers(declared: XWingAttack, law: Law[tuple[int, int]]) -> str:
    """Chances of at least one, two, ...; of a crit; of the kill where the hull is known."""
    share = counts(law, sum)
    lines = [f"at least {least}: {percent(at_least(share, least))}" for least in share if least]
    lines.append(f"a crit: {percent(law.chance(lambda got: got[1] > 0))}")
    if declared.hull is not None:
        ship = xwing_odds.damage(declared, declared.hull, declared.shields)
        lines.append(f"destroyed (hull {declared.hull}, shields {declared.shields}): {percent(ship.p_destroyed)}")
    return "\n".join(lines)


def infinity(order: Order | Save, names: tuple[str, str]) -> Card:
    """A Normal Roll, or both sides of a Face to Face Roll: who wins, with how many successes."""
    if isinstance(order, Save):
        raise BadInput("sv", "", "a Success Value: these odds are of a Normal or a Face to Face Roll")
    law = infinity_odds.law(order, order.meetings[0])
    opposed = order.meetings[0].b is not None
    sides = ("a", "b") if opposed else ("a",)
    shares = [winning(law, side) for side in sides]
    wins = [sum(share.values(), Fraction(0)) for share in shares]
    said = [f"{name} {percent(win, 1)}" for name, win in zip(names, wins, strict=False)]
    nobody = 1 - sum(wins, Fraction(0))
    crit = [law.chance(partial(wins_with_critical, side)) for side in sides]
    facts = [
        (name, f"wins: {percent(win)}\nwith a Critical: {percent(critical)}\n" + least(share))
        for name, win, critical, share in zip(names, wins, crit, shares, strict=False)
    ]
    return Card(
        title="Infinity odds · " + ("Face to Face Roll" if opposed else "Normal Roll"),
        outcome=f"Chance to win: {', '.join(said)}, nobody {percent(nobody, 1)}."
        if opposed
        else f"At least one success: {percent(wins[0], 1)}.",
        facts=(*facts, ("Nobody" if opposed else "No success", percent(nobody))),
        alt=". ".join(
            in_words(name, share, "success", "successes") for name, share in zip(names, shares, strict=False)
        ),
        figure=chart(list(names[: len(sides)]), shares, []),
        ahead="nobody",
    )


def winning(law: Law[Outcome], side: str) -> dict[int, Fraction]:
    """The chance that a side wins with so many successes, Criticals among them."""
    share = counts(law, lambda got: got[1] + got[2] if got[0] == side else 0)
    return {successes: chance for successes, chance in share.items() if successes}


def wins_with_critical(side: str, got: Outcome) -> bool:
    return got[0] == side and got[2] > 0


def least(share: Counts) -> str:
    """``at least 2: 31.08 %`` for each count beyond the first."""
    return "\n".join(f"at least {n}: {percent(at_least(share, n))}" for n in share if n > 1)


def warsurge(attacks: Sequence[WarsurgeAttack]) -> Card:
    """The law of HP loss of one attack, or of several methods side by side."""
    names = [attack.method.label for attack in attacks]
    laws = [warsurge_odds.hp_loss(attack) for attack in attacks]
    means = [law.mean(int) for law in laws]
    shares = [counts(law, int) for law in laws]
    first = attacks[0]
    return Card(
        title=f"WARSURGE odds · {first.attack_dice} x Power {first.power} against Defence {first.defence}",
        outcome=compared([f"{decimal(mean)} HP" for mean in means], names),
        facts=tuple(
            (attack.method.label, warsurge_numbers(attack, law)) for attack, law in zip(attacks, laws, strict=True)
        ),
        small="Exact; every card names the method, because the three disagree in most cells",
        alt=". ".join(in_words(name, share, "HP", "HP") for name, share in zip(names, shares, strict=True)),
        figure=chart(names, shares, means),
        ahead="nobody",
    )


def warsurge_numbers(attack: WarsurgeAttack, law: Law[int]) -> str:
    need = attack.line.need.text
    save = f"\narmour save {attack.save}+" if attack.save else ""
    return f"need {need}{save}\nmean HP loss: {decimal(law.mean(int))}\nany HP loss: {percent(law.chance(bool))}"


def albion_card(declared: albion.Declared) -> Card:
    """The three things that an Albion action can come to, counted of 216."""
    worked, told = albion.working(declared), albion_odds.odds(declared)
    miss, hit, focus = (int(str(told[key])) for key in ("n_miss", "n_hit_only", "n_focus"))
    parts = (("miss", miss), ("hit", hit), ("focus point", focus))
    said = "\n".join(f"{name}: {count} of 216, {percent(Fraction(count, 216))}" for name, count in parts)
    return Card(
        title="Albion odds",
        outcome=f"Hits {percent(Fraction(hit + focus, 216), 1)}, a focus point {percent(Fraction(focus, 216), 1)}.",
        facts=(
            ("Of 216 rolls", said),
            (
                "Thresholds",
                f"miss {worked.total_miss_chance}, focus point {worked.focus_point_miss_chance}",
            ),
        ),
        alt=said.replace("\n", ", "),
        figure=scale(worked),
        ahead="nobody",
    )


def compared(said: Sequence[str], names: Sequence[str]) -> str:
    """``1.36 damage in the mean``, or each with its name."""
    if len(said) == 1:
        return f"{said[0]} in the mean."
    return "In the mean: " + ", ".join(f"{one} ({name})" for one, name in zip(said, names, strict=True)) + "."
