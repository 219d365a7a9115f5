"""The odds of a game as the static page asks for them: what stands in the fields of its form, for a link to it.

Each function takes what the odds of its game are counted of, and gives the fields of each choice that is compared. A
question that the form cannot ask (ships of a channel, profiles, several shots) gives (): the page would answer another.
"""

from collections.abc import Sequence
from dataclasses import replace

from bot.rules import albion, anydice, infinity, warsurge, xwing
from bot.rules.albion import Declared as Action
from bot.rules.anydice.asked import Ask
from bot.rules.anydice.play import Declared as Dice
from bot.rules.game import Side
from bot.rules.infinity.declared import Order
from bot.rules.warsurge.declared import Declared as Hits
from bot.rules.xwing.dice.declared import Declared as Attack
from bot.rules.xwing.dice.declared import LineUp
from bot.rules.xwing.dice.words import Brought, write

Fields = dict[str, str]
Asked = tuple[Fields, ...]


def of_xwing(line_ups: Sequence[tuple[str, Attack]]) -> Asked:
    found = tuple(attack_fields(one) for _, one in line_ups)
    declared = (xwing.declare({**one, "obstructed": bool(one.get("obstructed"))} | numbers(one)) for one in found)
    return found if all(made == one for made, (_, one) in zip(declared, line_ups, strict=True)) else ()


def attack_fields(one: Attack) -> Fields:
    defense = one.defense or LineUp()
    against = Brought(line_up=replace(defense, dice=0), hull=one.hull, shields=one.shields)
    fields = {
        "dice": str(one.attack.dice),
        "agility": str(defense.dice),
        "range": "" if one.range is None else str(one.range),
        "with": write(Brought(line_up=replace(one.attack, dice=0)), Side.ATTACKER),
        "against": write(against, Side.DEFENDER),
        "obstructed": "yes" if one.obstructed else "",
    }
    return filled(fields)


def of_infinity(order: Order, _: tuple[str, str]) -> Asked:
    if len(order.rolls) > 2:
        return ()
    sides = [
        f"{one.name or side} SV {one.attribute} b{one.burst}" for one, side in zip(order.rolls, "AB", strict=False)
    ]
    text = " vs ".join(sides) if len(sides) > 1 else f"{sides[0]} normal vs B"
    made = infinity.declare({"order": text, "edition": order.edition})
    assert isinstance(made, Order), "a text without AROs"  # noqa: S101 - states it
    named = tuple(replace(one, name=mine.name) for one, mine in zip(made.rolls, order.rolls, strict=False))
    return ({"order": text},) if named == order.rolls and len(made.meetings) == len(order.meetings) else ()


def of_warsurge(attacks: Sequence[object]) -> Asked:
    found = []
    for one in attacks:
        fields = hits_fields(one) if isinstance(one, Hits) else {}
        if not fields or warsurge.declare({"method": fields["method"]} | numbers(fields)) != one:
            return ()
        found.append(fields)
    return tuple(found)


def hits_fields(one: Hits) -> Fields:
    numbers = {"power": one.power, "defence": one.defence, "attack_dice": one.attack_dice, "save": one.save or ""}
    return filled({"method": str(one.method)} | {key: str(number) for key, number in numbers.items()})


def of_albion(one: Action) -> Asked:
    stats = {key: str(getattr(one, key)) for key in ("awareness", "strength", "agility", "stealth")}
    whole = numbers(stats)
    target = {key: whole[key] for key in ("agility", "stealth")} | {"dodging": one.dodging}
    attacker = {key: whole[key] for key in ("awareness", "strength")}
    is_same = albion.declare({"target": target, "attacker": attacker}) == one
    return (filled({**stats, "dodging": "yes" if one.dodging else ""}),) if is_same else ()


def of_dice(declared: Dice | Ask) -> Asked:
    text = str(declared.expression.understood)
    made = None if isinstance(declared, Ask) else anydice.declare({"dice": text})
    return ({"dice": text},) if isinstance(made, Dice) and made.expression == declared.expression else ()


def filled(fields: Fields) -> Fields:
    return {key: text for key, text in fields.items() if text}


def numbers(fields: Fields) -> dict[str, object]:
    """The numbers among the fields, as the page reads them."""
    return {key: int(text) for key, text in fields.items() if text.isdecimal()}
