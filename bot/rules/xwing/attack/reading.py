"""Reads a declaration from plain JSON words. Its forms:

{"attack": {"dice": 3, "focus": 1}, "defense": {"dice": 2, "evade": 1}}           line-ups, key by key
{"dice": 3, "agility": 2, "with": "focus, lock", "against": "evade, hull 4"}      an attack as it is typed
{"red": 3, "green": 2}                                                            loose dice, outside an attack

An attack also takes ``range``, ``ordnance``, ``obstructed``, ``in_arc`` (of reinforce), ``ruleset``, ``hull``,
``shields``, ``attacks``, ``camera`` (whose dice fall on camera: attacker, defender, both), and faces that lie already:
``"red": ["hit", "crit"]``. As line-ups it takes ``cost_lock`` and ``cost_charge`` beside them, and short words in
``"words"`` of each; typed, costs stand among the words. Without ``agility`` the defender has still to say what they
bring.

Source: rules page, A line-up as JSON.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from bot.rules.errors import BadInput, Collector, Example, Known, Whole
from bot.rules.game import Side
from bot.rules.reading import Reader
from bot.rules.text import Code, Names, Text
from bot.rules.xwing.cards import card_reading
from bot.rules.xwing.dice import camera, words
from bot.rules.xwing.dice.declared import (
    ADDED_MOST,
    ATTACKS_MOST,
    EFFECTS_MOST,
    HULL_MOST,
    POOL_MOST,
    RANGE_MOST,
    RULESETS,
    TYPED_DICE_MOST,
    Declared,
    Effect,
    LineUp,
    Ruleset,
)
from bot.rules.xwing.dice.faces import Face, Pool
from bot.rules.xwing.dice.loose import LOOSE_MOST, LooseDice
from bot.rules.xwing.dice.tokens import ON_SIDE, TOKENS_MOST

TYPED = ("dice", "agility", "with", "against")
"""The words of an attack as it is typed; one of them is enough to know it by."""
FAR = 3
"""The range of weapons of which nothing else is known."""


def declare(raw: Mapping[str, object], farthest: int = FAR) -> Declared | LooseDice:
    """A declaration from one of the forms above, checked; ``farthest``: how far a typed attack may reach.

    Raises ``BadInput`` naming the field, ``BadWord`` for a key or a typed word that nobody knows.
    """
    reader = Reader(raw)
    if any(isinstance(raw.get(pool.value), int) for pool in Pool):  # where an attack would name faces
        declared: Declared | LooseDice = read_loose(reader)
    elif any(reader.has(key) for key in TYPED):
        declared = read_typed(reader, farthest)
    else:
        declared = read_line_ups(reader)
    reader.raw("id")  # a case may have a name
    reader.done()
    return declared


def declare_attack(raw: Mapping[str, object], farthest: int = FAR) -> Declared:
    """As ``declare``, for an attack; raises ``BadInput`` for loose dice."""
    declared = declare(raw, farthest)
    if isinstance(declared, LooseDice):
        raise BadInput("dice", None, Text("Use a weapon value; loose dice are no attack."))
    return declared


def read_loose(reader: Reader) -> LooseDice:
    read_ruleset(reader)  # a table's ruleset comes along; loose dice are the same under both
    red, green = (reader.whole(pool.value, 0, LOOSE_MOST, 0) for pool in Pool)
    if not red + green:
        raise BadInput(
            "red", 0, Text("Use 1 to {most} dice of at least one colour.", most=LOOSE_MOST), Example("red: 3")
        )
    return LooseDice(red=red, green=green)


def read_typed(reader: Reader, farthest: int) -> Declared:
    """An attack as people type it. An error names the option as it is called on Discord.

    A ``hull`` of its own beats one among the defender's words.
    """
    waits = not reader.has("agility")
    with Collector() as wrong:
        with wrong.also():
            dice = reader.whole("dice", 0, TYPED_DICE_MOST)
        with wrong.also():
            attacker = words.parse(read_text(reader, "with"), Side.ATTACKER, "with")
        if reader.has("against") and waits:
            wrong.add(
                BadInput(
                    "agility",
                    "",
                    Whole(0, 6, Text("Use a number from 0 to 6 when `against` says what the defender brings.")),
                )
            )
        defender = words.parse(read_text(reader, "against"), Side.DEFENDER, "against")
    hull, shields = read_hull(reader, defender)
    return Declared(
        attack=replace(attacker.line_up, dice=dice),
        defense=None if waits else replace(defender.line_up, dice=reader.whole("agility", 0, TYPED_DICE_MOST)),
        needs=attacker.needs,
        needs_any=attacker.needs_any,
        cost_lock=attacker.cost_lock,
        cost_charge=attacker.cost_charge,
        hull=hull,
        shields=shields,
        most=most_of(dice, is_alone=waits),
        **read_circumstances(reader, farthest),
    )


def most_of(dice: int, *, is_alone: bool) -> int:
    """The most dice of a pool: six in an attack; where dice are asked about alone, as many as were asked for."""
    return max(POOL_MOST, dice) if is_alone else POOL_MOST


def read_text(reader: Reader, key: str) -> str:
    return reader.text(key, words.LONGEST)


def read_hull(reader: Reader, defender: words.Brought) -> tuple[int | None, int]:
    """Hull and shields of the defender, from numbers of their own or from the words."""
    if reader.has("hull"):
        return reader.whole("hull", 1, HULL_MOST), reader.whole("shields", 0, HULL_MOST, 0)
    shields = reader.whole("shields", 0, HULL_MOST, defender.shields)
    if shields and defender.hull is None:
        raise words.no_hull(shields)
    return defender.hull, shields


def read_line_ups(reader: Reader) -> Declared:
    """An attack key by key, in the words of the golden files; both sides are there, if only with nothing."""
    sides = {Side.ATTACKER: reader.part("attack"), Side.DEFENDER: reader.part("defense")}
    attacker, defender = (line_up(sides, side) for side in Side)
    cards = card_reading.read_set(reader) if reader.has("set") else None
    has_cards = card_reading.names_cards(reader.raw("attack"), reader.raw("defense"))
    shelved = cards or card_reading.read_set(reader)
    with_cards = {side: card_reading.read_side(part, shelved) for side, part in sides.items()} if has_cards else {}
    has_dice = {side: part.has("dice") for side, part in sides.items()}
    for part in sides.values():
        part.done()
    hull, shields = read_hull(reader, defender)
    plain = Declared(
        attack=attacker.line_up,
        defense=defender.line_up,
        needs=attacker.needs,
        needs_any=attacker.needs_any,
        cost_lock=reader.whole("cost_lock", 0, 1, attacker.cost_lock),
        cost_charge=reader.whole("cost_charge", 0, TOKENS_MOST, attacker.cost_charge),
        hull=hull,
        shields=shields,
        most=most_of(attacker.line_up.dice, is_alone=not reader.has("defense")),
        **read_circumstances(reader, RANGE_MOST if has_cards else FAR, card_reading.ruleset_of(shelved.pool)),
    )
    if not with_cards:
        return plain
    weapon = card_reading.fired(*with_cards[Side.ATTACKER])
    both = {side: found for side, (found, _) in with_cards.items()}
    return card_reading.with_cards(plain, both, weapon, has_dice, shelved.pool)


def read_circumstances(reader: Reader, farthest: int, ruleset: Ruleset = "2.5") -> dict[str, Any]:
    """What both forms of an attack say in the same words."""
    return {
        "range": reader.whole("range", 0, farthest) if reader.has("range") else None,
        "ordnance": reader.flag("ordnance"),
        "obstructed": reader.flag("obstructed"),
        "in_arc": reader.flag("in_arc") if reader.has("in_arc") else None,
        "ruleset": read_ruleset(reader, ruleset),
        "attacks": reader.whole("attacks", 1, ATTACKS_MOST, 1),
        "red": read_faces(reader, Pool.RED),
        "green": read_faces(reader, Pool.GREEN),
        "by_hand": camera.SIDES[reader.word("camera", tuple(filter(None, camera.SIDES)), "")],
    }


def read_ruleset(reader: Reader, without: Ruleset = "2.5") -> Ruleset:
    return "2.0" if reader.word("ruleset", RULESETS, without) == "2.0" else "2.5"


KEYS: Final[Mapping[Side, tuple[tuple[Side, str, int, str], ...]]] = {
    Side.ATTACKER: (
        (Side.ATTACKER, "all_hits", 1, "set hit"),
        (Side.ATTACKER, "add_focus", ADDED_MOST, "add red focus"),
        (Side.ATTACKER, "add_blank", ADDED_MOST, "add red blank"),
        (Side.ATTACKER, "rerolls", TYPED_DICE_MOST, "reroll 1 blank or focus"),
        (Side.ATTACKER, "focus_to_hit", TYPED_DICE_MOST, "change 1 focus to hit"),
        (Side.ATTACKER, "hit_to_crit", TYPED_DICE_MOST, "change 1 hit to crit"),
        (Side.ATTACKER, "crits_become_hits", 1, "every crit to hit"),
        (Side.DEFENDER, "att_evade_to_focus", TYPED_DICE_MOST, "change 1 evade to focus"),
    ),
    Side.DEFENDER: (
        (Side.ATTACKER, "def_crit_to_hit", TYPED_DICE_MOST, "change 1 crit to hit"),
        (Side.DEFENDER, "add_evade", ADDED_MOST, "add evade"),
        (Side.DEFENDER, "rerolls", TYPED_DICE_MOST, "reroll 1 blank or focus"),
    ),
}
"""The effects of each side that have a key: the side under which it stands, whose dice it changes; the most that it
may say, and one of it in words."""


def line_up(sides: Mapping[Side, Reader], side: Side) -> words.Brought:
    """Dice and tokens of one side, with its effects; a token of its own key beats one among the ``words``."""
    effects = [one for of, key, most, said in KEYS[side] for one in read_effects(sides[of], key, most, said, side)]
    reader = sides[side]
    brought = words.parse(read_text(reader, "words"), side, reader.name("words"))
    tokens = {
        name: reader.whole(name, 0, token.most, brought.line_up.has(name)) for name, token in ON_SIDE[side].items()
    }
    dice = reader.whole("dice", 0, TYPED_DICE_MOST, 0)
    every = (*effects, *brought.line_up.effects)
    return replace(brought, line_up=LineUp(dice=dice, effects=every, none=brought.line_up.none).holding(tokens))


def read_effects(reader: Reader, key: str, most: int, said: str, side: Side) -> list[Effect]:
    """The effect for as many dice as the field says, none for 0, false, or a missing field; of rerolls one for each."""
    (effect,) = words.parse_english(said, side, key).line_up.effects
    if effect.verb == "reroll":
        return [replace(effect, most=count) for count in reader.wholes(key, 1, most, EFFECTS_MOST)]
    if reader.raw(key) in (None, False, True):
        return [effect] if reader.flag(key) else []
    count = reader.whole(key, 0, most, 0)
    return [replace(effect, most=count)] if count else []


def read_faces(reader: Reader, pool: Pool) -> tuple[Face, ...] | None:
    """Faces that lie already, or None when the field is missing."""
    if not reader.has(pool.value):
        return None
    shown = reader.items(pool.value, TYPED_DICE_MOST)
    for index, face in enumerate(shown):
        if face not in pool.results:
            raise BadInput(
                f"{pool}[{index}]",
                face,
                Known(
                    pool.results,
                    Text(
                        "Use {results} for a {pool} die.",
                        results=Names([Code(f"`{one}`") for one in pool.results], "or"),
                        pool=pool,
                    ),
                ),
            )
    return tuple(Face(str(face)) for face in shown)
