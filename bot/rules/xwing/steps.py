"""What cards do outside the windows on dice: before the dice, around neutralize, after damage.

A row with a question or a cost is offered to its side: the press is the claim. One that must act does so by itself.
What rows do to ships (tokens, charges, damage) is owed: ``Due`` says it, and the table pays it with the same press.

Source: rules page, X-Wing cards, sections 1 to 3.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from bot.rules.dice import How, Rolled, Step
from bot.rules.game import Offer, Side
from bot.rules.text import Names, Sentences, Text
from bot.rules.xwing import deeds, modify
from bot.rules.xwing.damage import DamageDealt, to_cancel
from bot.rules.xwing.declared import EACH, Effect, LineUp
from bot.rules.xwing.faces import Face, Pool
from bot.rules.xwing.pools import fewer_than, holds
from bot.rules.xwing.rows import DEED
from bot.rules.xwing.tokens import TOKENS

AT_ROLL: Final = ("dice", "limit", "bonus", "forbid", "allow", "crits")
"""Verbs that change what is rolled, or hold for the whole attack."""
LATE: Final = ("before neutralize", "after neutralize", "damage", "after")
STANDING: Final = ("reach", "allow", "remind")
"""Deeds that are read elsewhere and never pressed here."""
RECOVERS: Final = "recover 1 force"
"""Done when the attack is declared, before anything is asked."""
ROW: Final = "row-"
"""Begins the key of the offer of a row."""


@dataclass(frozen=True, slots=True)
class Due:
    """What a row does to a ship: so many more, or fewer, of something; ``ship`` is "" where none is at the table.

    ``owed``: it is a price, so the ship must have it. ``held``: the attack counts with it already.
    """

    ship: str
    what: str
    count: int
    owed: bool = False
    held: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Lying:
    """What lies there when a row acts."""

    side: Side
    line: LineUp
    attack: LineUp
    red: tuple[Rolled, ...] = ()
    green: tuple[Rolled, ...] = ()
    damage: DamageDealt | None = None
    own: str = ""
    enemy: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What came of a row: what its side has left, the dice, what is owed, and a line for the story."""

    line: LineUp
    red: tuple[Rolled, ...]
    green: tuple[Rolled, ...]
    dues: tuple[Due, ...]
    told: Text
    causes: tuple[modify.Cause, ...] = ()


def rows_at(lying: Lying, whens: tuple[str, ...]) -> Mapping[int, tuple[Effect, ...]]:
    """The rows of a side that may act at a step, by the place of their first effect; rights are for the Aftermath."""
    found: dict[int, tuple[Effect, ...]] = {}
    firsts: dict[str, int] = {}
    rights = {one.group for one in lying.line.effects if one.verb == "deed" and one.what.startswith("bonus ")}
    for place, effect in enumerate(lying.line.effects):
        if is_at(effect, whens) and effect.group not in rights:
            first = firsts.get(effect.group) if effect.group else None
            if first is None or any(one == effect for one in found[first]):
                firsts[effect.group] = first = place
            found[first] = (*found.get(first, ()), effect)
    return found


def is_at(effect: Effect, whens: tuple[str, ...]) -> bool:
    """Whether an effect acts at a step. Before the dice, that is what changes the roll and is still to be claimed."""
    stands = effect.verb == "deed" and any(DEED[kind].fullmatch(effect.what) for kind in STANDING)
    if stands or effect.when in ("after roll", "elsewhere") or (effect.when == "declare" and effect.what == RECOVERS):
        return False
    is_deal = effect.verb == "deed" and effect.what.startswith(("deal", "no dice"))
    if effect.verb in AT_ROLL or is_deal:
        return "before dice" in whens and effect.when not in LATE and bool(effect.ask or effect.cost)
    if effect.verb == "deed" and not effect.when:
        return "after" in whens
    return effect.when in whens


def offers(lying: Lying, whens: tuple[str, ...]) -> tuple[Offer, ...]:
    """A button for each row that people may use now; equal ones once."""
    found: dict[str, Offer] = {}
    for place, row in rows_at(lying, whens).items():
        if not is_forced(row) and may_act(lying, row):
            does = Sentences((in_words(effect, lying) for effect in row), ", ")
            label = Text("{card}: {does}", card=modify.named(row[0]), does=does)
            found.setdefault(label, Offer(f"{ROW}{place}", lying.side, label))
    return tuple(found.values())


def forced(lying: Lying, whens: tuple[str, ...]) -> int | None:
    """The place of the next row that acts by itself; None for none."""
    every = rows_at(lying, whens).items()
    return next((place for place, row in every if is_forced(row) and may_act(lying, row)), None)


def is_forced(row: tuple[Effect, ...]) -> bool:
    return row[0].must and not any(effect.ask or effect.cost for effect in row)


def may_act(lying: Lying, row: tuple[Effect, ...]) -> bool:
    """Whether what a row asks for and costs is there, and it has something to act on."""
    asked = all(holds_now(given, lying) for effect in row for given in effect.givens)
    paid = all(pays(lying, name, count) for effect in row for name, count in effect.cost)
    return asked and paid and any(has_object(lying, effect) for effect in row)


def pays(lying: Lying, name: str, count: int) -> bool:
    if name.startswith(modify.RESULT_COST):
        face = Face(name.removeprefix(modify.RESULT_COST))
        return len(modify.showing(own_dice(lying, face), (face,))) >= count
    return lying.line.has(name) >= count


def own_dice(lying: Lying, face: Face) -> tuple[Rolled, ...]:
    return lying.red if face in Pool.RED.results and lying.side is Side.ATTACKER else lying.green


def has_object(lying: Lying, effect: Effect) -> bool:
    dice = lying.red if effect.pool is Pool.RED else lying.green
    if effect.verb in ("change", "cancel", "spend"):
        return bool(modify.showing(dice, effect.faces))
    return not (effect.verb == "deed" and effect.what.startswith("prevent")) or to_cancel(lying.red) > 0


def holds_now(given: str, lying: Lying) -> bool:
    """Whether what a row asks of tokens, dice and damage is so now."""
    results = to_cancel(lying.red)
    no, given = given.startswith("no "), given.removeprefix("no ")
    if given in ("hit", "miss"):
        found = (results > 0) is (given == "hit")
    elif given == "neutralized":
        found = any(not die.counts for die in lying.red)
    elif given == "dice modified":
        found = is_modified(lying.red if lying.side is Side.DEFENDER else lying.green)
    elif given == "lost a shield":
        found = lying.damage is not None and lying.damage.shields_lost > 0
    elif given == "suffered damage":
        found = lying.damage is not None and lying.damage.total > 0
    elif match := re.fullmatch(r"(?:more than ([0-9]+)|([0-9]+) or more) results", given):
        found = results > int(match[1]) if match[1] else results >= int(match[2])
    else:
        found = holds(given, lying.attack) and fewer_than(given, len(lying.red))
    return found is not no


def is_modified(dice: tuple[Rolled, ...]) -> bool:
    return any(step.how in ("changed", "rerolled", "added") for die in dice for step in die.trail)


def in_words(effect: Effect, lying: Lying) -> str:
    """What an effect does, as on a button."""
    if effect.verb == "deed":
        return deeds.said(effect.what, lying.enemy)
    if effect.verb == "dice":
        message = "{count} {pool} die" if abs(effect.most) == 1 else "{count} {pool} dice"
        return Text(message, count=f"{effect.most:+d}", pool=effect.pool)
    if effect.verb == "limit" and effect.faces:
        return Text("at most as many {pool} dice as results", pool=effect.pool)
    if effect.verb == "bonus" and effect.what == "off":
        return Text("range bonus of {pool} dice off", pool=effect.pool)
    most = ALL if effect.most >= EACH else effect.most
    places = {"most": most, "pool": effect.pool, "what": barred(effect.what), "result": effect.to}
    return Text(DOES[effect.verb], faces=Names(effect.faces, "or"), **places)


ALL: Final = Text("all")
BUT: Final = "all but "
BARRED: Final[Mapping[str, Text]] = {
    "modify": Text("modifying"),
    "reroll": Text("rerolls"),
    "rerolled": Text("rerolls"),
    "green tokens": Text("green tokens"),
    "this": Text("this card"),
}


def barred(what: str) -> str:
    """What a card forbids, or allows so often."""
    if what.startswith(BUT):
        return Text("other means than {what}", what=barred(what.removeprefix(BUT)))
    return BARRED.get(what) or deeds.named(what)


DOES: Final[Mapping[str, str]] = {
    "change": "change {most} {faces} to {result}",
    "cancel": "cancel {most} {faces}",
    "add": "add {most} {result}",
    "spend": "spend {most} {faces}",
    "limit": "at most {most} {pool} dice",
    "bonus": "range bonus of {pool} dice on",
    "forbid": "no {what} on {pool} dice",
    "allow": "at most {most} {what} on {pool} dice",
    "crits": "evades cancel differently",
}
"""What effects do, as on a button."""


def use(lying: Lying, place: int, whens: tuple[str, ...]) -> Done:
    """What comes of one row: its costs are paid, its effects act, and it is used up."""
    row = rows_at(lying, whens)[place]
    line, red, green = lying.line, lying.red, lying.green
    name = row[0].name or modify.by_card(lying.side)
    dues = [due for effect in row for due in paid_outside(effect, lying)]
    for effect in row:
        dice = red if lying.side is Side.ATTACKER else green
        line, dice = modify.paid(line, effect, dice, name)
        red, green = (dice, green) if lying.side is Side.ATTACKER else (red, dice)
        dues += [due for token, count in effect.cost for due in stock_due(token, count, effect, lying)]
    for effect in row:
        red, green = acted(effect, red, green, name)
        dues += deed_dues(effect, lying)
        if effect.verb == "deed" and effect.what.startswith("prevent"):
            red = prevented(red, effect, name)
    told = Text("{card}: {what}", card=name, what=Sentences((in_words(effect, lying) for effect in row), ", "))
    causes = (*modify.causes(Pool.RED, lying.red, red), *modify.causes(Pool.GREEN, lying.green, green))
    return Done(line=used_up(line, row), red=red, green=green, dues=tuple(dues), told=told, causes=causes)


def used_up(line: LineUp, row: tuple[Effect, ...]) -> LineUp:
    """The line-up without a row that was used; what changes the roll stands from now on."""
    effects, gone = [], list(row)
    for effect in line.effects:
        if effect in gone:
            gone.remove(effect)
            if effect.verb in AT_ROLL or effect.what.startswith(("deal", "no dice")):
                effects.append(replace(effect, ask="", cost=(), pays=(), must=True))
        else:
            effects.append(effect)
    return replace(line, effects=tuple(effects))


def acted(
    effect: Effect, red: tuple[Rolled, ...], green: tuple[Rolled, ...], name: str
) -> tuple[tuple[Rolled, ...], tuple[Rolled, ...]]:
    """The dice after an effect on results: as many as it may take."""
    dice = red if effect.pool is Pool.RED else green
    if effect.verb == "add" and effect.to is not None:
        dice = (*dice, *[Rolled(effect.pool.value, (Step("added", effect.to, name),))] * effect.most)
    elif effect.verb in ("change", "cancel"):
        chosen = modify.showing(dice, effect.faces)[: effect.most]
        how: How = "changed" if effect.verb == "change" else "cancelled"
        dice = tuple(die.then(how, name, effect.to) if at in chosen else die for at, die in enumerate(dice))
    return (dice, green) if effect.pool is Pool.RED else (red, dice)


def prevented(red: tuple[Rolled, ...], effect: Effect, name: str) -> tuple[Rolled, ...]:
    """The attack dice without the results whose damage a card prevents; crits first."""
    most = len(red) if effect.what == "prevent all" else int(effect.what.split()[1])
    chosen = modify.showing(red, (Face.CRIT, Face.HIT))[:most]
    return tuple(die.then("cancelled", name) if at in chosen else die for at, die in enumerate(red))


# What is owed


def paid_outside(effect: Effect, lying: Lying) -> Iterator[Due]:
    """What a row costs outside the dice: ``stress 1`` of the ship with the card, ``ship strain 1`` of the one here."""
    for said in effect.pays:
        what, _, count = said.rpartition(" ")
        what, _, payer = what.partition(" of ")
        payer = payer or (lying.own if what.startswith("ship ") else effect.ship or lying.own)
        if not what.startswith("friend "):  # without ships nobody knows which friend suffers it
            yield Due(payer, what.removeprefix("ship "), int(count))


def stock_due(name: str, count: int, effect: Effect, lying: Lying) -> Iterator[Due]:
    """What leaves another heap than the tokens of the line-up: a card's charges, shields, a friend's tokens."""
    what, _, where = name.partition(" of ")
    if name.startswith(("one of ", modify.RESULT_COST)) or name not in dict(lying.line.stock):
        return
    card, _, ship = where.partition(" of ")
    if what == "charge":
        yield Due(ship or lying.own, f"charge of {card}", -count)
    elif name.startswith("their "):
        yield Due(lying.enemy, name.removeprefix("their "), -count)
    elif what in TOKENS and TOKENS[what].is_on_target:
        yield Due(where, f"lock on {lying.enemy}", -count, owed=True)
    elif not name.startswith("friend "):
        yield Due(where or effect.ship or lying.own, what, -count, owed=True)


def deed_dues(effect: Effect, lying: Lying) -> Iterator[Due]:
    """What a deed does to ships."""
    if effect.verb != "deed":
        return
    own, what = effect.ship or lying.own, effect.what
    if match := re.fullmatch(r"(they|I) (gain|lose|suffer) ([1-9]) (.+?)", what):
        sign = -1 if match[2] == "lose" else 1
        kind = match[4].removesuffix("s") if match[2] == "suffer" else match[4]
        yield Due(lying.enemy if match[1] == "they" else own, kind, sign * int(match[3]))
    elif match := re.fullmatch(r"recover ([1-9]) (charge|force|shield)", what):
        named = f"charge of {effect.by}" if match[2] == "charge" else match[2]
        yield Due(own, named, int(match[1]))
    elif what == "recover force for each damage":
        yield Due(own, "force", lying.damage.total if lying.damage else 0)
    elif match := re.fullmatch(r"they expose ([1-9])", what):
        yield Due(lying.enemy, "expose", int(match[1]))
    elif what == "lock them":
        yield Due(own, f"lock on {lying.enemy}", 1)
