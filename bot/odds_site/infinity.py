"""Infinity on the page: two army codes and an order between their troopers, or a typed order. An army code needs the
army builder's data, which isn't part of this project: visitors choose its files, which stay on their device.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from bot.games.game import Form, Said, Words
from bot.games.infinity import GAME
from bot.languages.translate import translate
from bot.odds.infinity.sides import count, count_orders
from bot.render.card import Card
from bot.render.infinity.odds import card as rolls_card, orders_card
from bot.rules.errors import BadInputError, PlayerError, with_field_names
from bot.rules.game import Field, Option
from bot.rules.infinity.orders import open_order
from bot.rules.infinity.orders.order import OpenOrder, TrooperAim
from bot.rules.infinity.table import army, army_codes
from bot.rules.infinity.troopers.trooper import Trooper, parse, public, troopers_of, weapon_of, write
from bot.rules.text import N_, Code, Name, Sentences, Text

FILES: Final = dict[str, str]()
"""The visitor's army data, by file name."""
FILES_LABEL: Final = Text("Army data (JSON)")
PROFILES_LABEL: Final = Text("Profiles, one per line")
NO_DATA: Final = N_(
    "This page doesn't have the data of {army}. Choose it in `{field}`, or delete the code and use `{label}`."
)
NO_ARO: Final = Option("nothing", Text("No ARO"))
ARO: Final = "aro_"
"""Prefix of the keys of a reaction's fields."""
THEIRS: Final[Mapping[str, Text]] = {
    "does": Text("The target's ARO"),
    "at": Text("The target's distance"),
    "around": Text("What applies to the ARO"),
    "more": Text("The ARO's other MODs and dice"),
}
"""Labels of a reaction, beside those of the attack."""


def cards(shared: Words, asks: Sequence[Words]) -> list[Card]:
    """Return cards of whole orders down to the Wound where armor is known; otherwise of who wins the rolls."""
    held = troopers(shared)
    orders = list(zip(choice_names(asks, held), (declare_choice(ask, held) for ask in asks), strict=True))
    try:
        result = [orders_card(count_orders(orders))]
    except BadInputError:
        rolls = [(item, [each.name for each in item.rolls][:2]) for _, item in orders]
        result = [rolls_card(count(item, (names[0], names[-1]))) for item, names in rolls]
    unknown = [line for field in CODES if field.key in shared for line in read_code(shared[field.key]).left_out]
    left_out = (Text("Left out of the armies"), Sentences(unknown, "\n"))
    return [replace(card, facts=(left_out, *card.facts)) for card in result] if unknown else result


def choice_names(asks: Sequence[Words], held: Mapping[str, Trooper]) -> list[str]:
    """Return a name for each choice: its order as typed, or those of its picks that differ; of one alone all."""
    if not is_picked(held):
        return [ask.get("order", "") for ask in asks]
    shown = [{field.key: filled_in(field) for field in (*picks(ask, held)[0], pick(ASKED[1], ask))} for ask in asks]
    differ = [key for key in shown[0] if len({each.get(key) for each in shown}) > 1] or [*shown[0]]
    return [" · ".join(filter(None, map(each.get, differ))) for each in shown]


def filled_in(field: Field) -> str:
    picked = field.picked_values(field.value)
    return ", ".join(translate(option.label) for option in field.options if option.value in picked) or field.value


def declare_choice(values: Words, held: Mapping[str, Trooper]) -> Any:
    """Return a choice's order. Raises ``PlayerError`` for invalid words."""
    chosen = {key: values[key] for key in ("edition",) if key in values}
    return GAME.declare({"order": order_text(values, held), "odds": True, **chosen}, pieces=held)


def keep_files(text: str) -> None:
    """Store the visitor's army data, by file name as JSON."""
    FILES.update(json.loads(text))
    read_code.cache_clear()


@lru_cache(maxsize=4)
def read_code(code: str) -> army.ImportedList:
    """Return an army code's list. Raises ``PlayerError`` for an invalid code, or without data for it."""
    imported = army.read_list_from(code, FILES)
    if imported is None:
        name = Name(army_codes.decode(code).army)
        raise PlayerError(Text(NO_DATA, army=name, field=FILES_LABEL, label=PROFILES_LABEL))
    return imported


def fields_of(shared: Words, values: Words) -> tuple[Field, ...]:
    """Return a choice's fields: with army codes two troopers, weapon, distance, and the target's reaction."""
    held = troopers(shared)
    return (*picks(values, held)[0], *ASKED[1:]) if is_picked(held) else ASKED


def is_picked(held: Mapping[str, Trooper]) -> bool:
    return any(trooper.owner for trooper in held.values())


def order_text(values: Words, held: Mapping[str, Trooper]) -> str:
    """Return a choice's order in words, typed or selected. Raises ``PlayerError`` for an invalid field."""
    if not is_picked(held):
        return values.get("order", "")
    fields, order = picks(values, held)
    filled, (aim,) = {field.key: field.value for field in fields}, order.attacks
    lines = [*order.lines] or open_order.attack_lines(order, aim, filled)
    reaction = {key.removeprefix(ARO): value for key, value in filled.items() if key.startswith(ARO)}
    if reaction.get("does", NO_ARO.value) != NO_ARO.value:
        try:
            lines.append(open_order.reaction_line(order, open_order.find(order, aim.targets[0]), reaction))
        except PlayerError as error:
            raise with_field_names(error, THEIRS) from None
    return "\n".join(lines)


def picks(values: Words, held: Mapping[str, Trooper]) -> tuple[list[Field], OpenOrder]:
    """Return the filled fields of an order between two troopers, and the order with its attack. An invalid attack has
    no line; ``open_order.attack_lines`` says why. Raises ``PlayerError``.
    """
    able = [trooper for trooper in held.values() if trooper.arms]
    mine, theirs = ([each for each in able if each.owner in (owner, 0)] or able for owner in (1, 2))
    attacker = pick(Field("attacker", Text("Attacker"), options=names(mine)), values)
    others = [each for each in theirs if each.name != attacker.value]
    if not others:
        raise PlayerError(Text("Paste their army code to choose one of its troopers as the target."))
    target = pick(Field("target", Text("Target"), options=names(others)), values)
    aim = TrooperAim(Name(attacker.value), (Name(target.value),))
    order = OpenOrder(lines=(), roster=tuple(held.values()), attacks=(aim,))
    fields = [attacker, target, *pick_attack(open_order.attack_fields(order, aim), values, held[attacker.value])]
    try:
        lines = open_order.attack_lines(order, aim, {field.key: field.value for field in fields})
        order = replace(order, lines=tuple(lines))
        asked = open_order.reaction_fields(order, open_order.parsed(order), held[target.value])
    except PlayerError:  # the answer shows the error; the fields stay for corrections
        return fields, order
    for field in asked:
        options = (*ranged_first(field, held[target.value]), NO_ARO) if field.key == "does" else field.options
        own = replace(field, key=f"{ARO}{field.key}", label=THEIRS[field.key], options=options)
        fields.append(pick(own, values))
    return fields, order


def pick_attack(fields: Sequence[Field], values: Words, trooper: Trooper) -> Iterator[Field]:
    """Yield an attack's filled fields: a weapon without range bands has no distance."""
    weapon = trooper.arms[0] if len(trooper.arms) == 1 else None
    for field in fields:
        if field.key == "weapon":
            picked = pick(replace(field, options=ranged_first(field, trooper)), values)
            weapon = weapon_of(trooper, picked.value)
            yield picked
        elif field.key != "at" or weapon is None or weapon.bands:
            yield pick(field, values)


def ranged_first(field: Field, trooper: Trooper) -> tuple[Option, ...]:
    ranged = {arm.name for arm in trooper.arms if arm.bands}
    return tuple(sorted(field.options, key=lambda option: option.value not in ranged))


def pick(field: Field, values: Words) -> Field:
    """Return a field with its value; a list defaults to its first option."""
    value = values.get(field.key, "")
    if not field.options:
        return replace(field, value=value)
    known = {option.value for option in field.options}
    first = "" if field.several else field.options[0].value
    is_known = bool(value) and known.issuperset(field.picked_values(value))
    return replace(field, value=value if is_known else first, required=not field.several)


def names(held: Sequence[Trooper]) -> tuple[Option, ...]:
    return tuple(Option(trooper.name, trooper.name) for trooper in held)


def troopers(shared: Words) -> dict[str, Trooper]:
    """Return the page's profiles, and its army codes' troopers. Raises ``PlayerError`` for an invalid line."""
    result: dict[str, Trooper] = {}
    for line in filter(str.strip, shared.get("profiles", "").splitlines()):
        name, _, stats = line.partition(":")
        if not stats.strip():
            raise BadInputError("profiles", line, Text("Write a name, a colon, and the profile on each line."))
        lost = LOST.search(stats)
        try:
            trooper = parse(name.strip(), LOST.sub("", stats).strip(), result)
        except PlayerError as error:
            raise with_field_names(error, dict.fromkeys(("name", "stats"), PROFILES_LABEL)) from None
        result[trooper.name] = replace(trooper, lost=min(int(lost[1]), trooper.wounds or 0)) if lost else trooper
    for owner, field in enumerate(CODES, 1):
        if code := shared.get(field.key):
            try:
                coming = army.enlist(result, read_code(code).troopers)
            except PlayerError as error:
                raise with_field_names(error, {"code": field.label}) from None
            result |= {name: replace(each, owner=owner, states=()) for name, each in coming.items() if each is not None}
    return result


LOST: Final = re.compile(r", *lost (\d{1,2})\s*$")
"""Lost Wounds, at the end of a profile."""


def at_table(pieces: Mapping[str, Any], asked: Sequence[Said]) -> tuple[Words, Sequence[Words]] | None:
    """Return the orders and their troopers in public form."""
    known = {name: replace(public(trooper), owner=0) for name, trooper in troopers_of(pieces).items()}
    names = dict.fromkeys(name for _, order in asked for name, profile in order.involved if profile is not None)
    held = [known[name] for name in names if name in known]
    lines = [
        ", ".join([f"{one.name}: {write(one)}", *one.states, *([f"lost {one.lost}"] * bool(one.lost))]) for one in held
    ]
    shared = {"profiles": "\n".join(lines)} if lines else {}
    asks = [{"order": str(raw["order"]), "edition": order.edition} for raw, order in asked]
    there = troopers(shared)
    return (shared, asks) if all(declare_choice(ask, there) == declare_choice(ask, known) for ask in asks) else None


def spell_out(shared: Words, asks: Sequence[Words]) -> tuple[Words, Sequence[Words]] | None:
    """Return the question with its profiles and orders in words, for people without the army data; None if it is."""
    held = troopers(shared)
    raw = [({"order": order_text(ask, held)}, declare_choice(ask, held)) for ask in asks]
    return at_table(held, raw) if is_picked(held) else None


CODES: Final = tuple(
    Field(key, label, Code("glYMc2hhc3Zhc3RpaQ"), required=False, longest=army_codes.MAX_CODE, lines=True)
    for key, label in (("mine", Text("Your army code")), ("theirs", Text("Their army code")))
)
EDITIONS: Final = tuple(Option(key, Code(key.upper())) for key in GAME.variants[0].values)
ASKED: Final = (
    Field("order", Text("The order"), Code("Angus 12 b3 vs Ortega 11"), lines=True, longest=1000),
    Field("edition", Text("Infinity edition"), options=EDITIONS),
)
FORM: Final = Form(
    title=Text("Infinity"),
    shared=(
        *CODES,
        Field(
            "profiles",
            PROFILES_LABEL,
            Code("Fennec: BS 12, PH 13, ARM 1, Combi: B3 PS 7 N ARM +3@16 -3@32 -6@48"),
            required=False,
            longest=4000,
            lines=True,
        ),
    ),
    asked=ASKED,
    fields=fields_of,
    files=FILES_LABEL,
    spell_out=spell_out,
    cards=cards,
    declare=lambda shared, ask: declare_choice(ask, troopers(shared)),
    at_table=at_table,
    most=2,
    example={"order": "Angus 12 b3 vs Ortega 11"},
)
