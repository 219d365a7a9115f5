"""Reads a declaration from plain JSON words. Its forms:

{"sv": 12, "burst": 3}                                               a Normal Roll
{"sv_a": 15, "burst_a": 5, "sv_b": 13, "burst_b": 2}                 Face to Face
{"sv": 15, "burst": 5, "vs_sv": 13, "vs_burst": 2}                   the same
{"a": {"sv": 12, "dice": [9, 4]}, "b": {"sv": 11, "dice": [5]}}      the same; without "b" a Normal Roll
{"a": {"sv": 12}, "enemies": [{"sv": 12}, {"sv": 11, "burst": 2}]}   one roll compared with each
{"order": "Angus 12 b2 vs Ortega 11; Murat 13 normal vs Angus"}      typed lines
{"hits": 2, "crits": 1, "ammo": "DA", "ps": 7, "arm": 3}             Saving Rolls

Each takes ``edition``. A roll takes ``sv`` (or ``attribute``), ``mods``, ``burst``, ``special_dice``, ``kind``,
``name``, ``dice``, and for the Wounds ``ammo``, ``ps`` or ``damage``, ``arm``, ``bts``. MODs and faces may be texts as
well: ``"-3 +6"``, ``"9, 4"``. With ``"open": true`` the other side is still to answer.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from bot.rules.errors import BadInput
from bot.rules.game import Side
from bot.rules.infinity import saves
from bot.rules.infinity.check import checked
from bot.rules.infinity.declared import (
    ATTRIBUTE_MOST,
    EDITIONS,
    ENEMIES_MOST,
    HITS_MOST,
    POWER_MOST,
    Ammo,
    Declared,
    Edition,
    Meeting,
    Order,
    Roll,
    Save,
)
from bot.rules.infinity.forms import ORDER_LONGEST, attributes
from bot.rules.infinity.order import assemble
from bot.rules.infinity.roll_reading import read_ammo, read_dice, read_mods, read_power, read_roll
from bot.rules.infinity.words import parse
from bot.rules.name import NAME_MOST, clean
from bot.rules.reading import Reader

SAVE_KEYS: Final = ("hits", "crits", "ps", "dam", "damage", "threshold")
ROLL_KEYS: Final = ("mods", "burst", "special_dice", "kind", "dice", "ammo", "ps", "dam", "damage", "arm", "bts")
COUNTS: Final = ("total", "a_wins", "b_wins", "nothing", "hits_crits", "a_hits_crits", "b_hits_crits", "hits_on_a")
TOLD: Final = (
    *("id", "note", "why", "source", "expect", "passes", "fails", *COUNTS),
    *("p_a_wins", "p_b_wins", "p_nothing", "a_by_successes", "b_by_successes"),
    *("wounds_on_a", "wounds_on_b", "mean_wounds_on_a", "mean_wounds_on_b"),
    *("a_beats_both", "a_beaten_by_both", "a_beats_1", "a_beats_2"),
)
"""Words of a result; a case may carry them along, they declare nothing."""


def declare(raw: Mapping[str, object]) -> Declared:
    """A declaration from one of the forms above, checked.

    Raises ``BadInput`` naming the field, ``BadWord`` for a key or a typed word that nobody knows.
    """
    reader = Reader({key: raw[key] for key in raw if key not in TOLD} if isinstance(raw, Mapping) else raw)
    if reader.has("order"):
        declared: Declared = typed_order(reader)
    elif reader.has("a"):
        declared = enemies(reader) if is_shared(raw) else sides(reader)
    elif reader.has("sv_a") or reader.has("attribute_a"):
        declared = versus(reader, "{}_a", "{}_b")
    elif any(reader.has(key) for key in SAVE_KEYS) and not reader.has("burst"):
        declared = saving(reader)
    else:
        declared = versus(reader, "{}", "vs_{}")
    reader.raw("roll")
    reader.done()
    return declared


def read_edition(reader: Reader, default: Edition = "n5") -> Edition:
    """``any`` in a case says that the edition makes no difference."""
    word = reader.word("edition", (*EDITIONS, "any"), default)
    return default if word == "any" else "n5" if word == "n5" else "n4"


def typed_order(reader: Reader) -> Order:
    lines = reader.raw("order")
    if isinstance(lines, list | tuple) and all(isinstance(line, str) for line in lines):
        lines = "\n".join(lines)
    if not isinstance(lines, str) or len(lines) > ORDER_LONGEST:
        raise BadInput("order", lines, f"a text of at most {ORDER_LONGEST} characters, or a list of lines")
    return assemble(parse(lines), read_edition(reader))


def is_shared(raw: Mapping[str, object]) -> bool:
    return any(key in raw for key in ("enemies", "enemy_1"))


def enemies(reader: Reader) -> Order:
    """One roll of side a, compared with each enemy's; ``enemies``, or ``enemy_1``, ``enemy_2`` and so on."""
    edition = read_edition(reader)
    foes = list(reader.items("enemies", ENEMIES_MOST))
    paths = [f"enemies[{at}]" for at in range(len(foes))]
    for number in range(1, ENEMIES_MOST + 1):
        if reader.has(f"enemy_{number}"):
            foes.append(reader.raw(f"enemy_{number}"))
            paths.append(f"enemy_{number}")
    if not 0 < len(foes) <= ENEMIES_MOST:
        raise BadInput("enemies", f"{len(foes)} enemies", f"1 to {ENEMIES_MOST} enemies")
    rolls = [whole_part(reader.part("a"), Side.ATTACKER, edition)]
    for number, (foe, path) in enumerate(zip(foes, paths, strict=True), 1):
        roll = whole_part(Reader(foe, path), Side.DEFENDER, edition)
        rolls.append(replace(roll, name=roll.name or f"Enemy {number}"))
    meetings = tuple(Meeting(a=0, b=place) for place in range(1, len(rolls)))
    return checked(Order(rolls=tuple(rolls), meetings=meetings, edition=edition))


def sides(reader: Reader) -> Order:
    edition = read_edition(reader)
    a = whole_part(reader.part("a"), Side.ATTACKER, edition)
    b = whole_part(reader.part("b"), Side.DEFENDER, edition) if reader.has("b") else None
    if b is not None and reader.raw("roll") == "normal":
        raise BadInput("roll", "normal", "`face_to_face` where there is a side b")
    return opened(a, b, reader, edition)


def whole_part(reader: Reader, side: Side, edition: Edition) -> Roll:
    """One side's object, in which no key is unknown; ``fate`` is of a result."""
    roll = read_roll(reader, "{}", side, edition)
    reader.raw("fate")
    reader.done()
    return roll


def versus(reader: Reader, a: str, b: str) -> Order:
    """Both sides in one flat object; ``a`` and ``b`` say how a key is written for the side: ``{}_a``, ``vs_{}``."""
    edition = read_edition(reader)
    active, sv = read_roll(reader, a, Side.ATTACKER, edition), b.format("sv")
    if reader.has(sv) or reader.has(b.format("attribute")):
        return opened(active, read_roll(reader, b, Side.DEFENDER, edition), reader, edition)
    for key in (b.format(one) for one in ROLL_KEYS):
        if reader.has(key):
            raise BadInput(sv, "", f"a Success Value, because `{key}` is given")
    return opened(active, None, reader, edition, clean(reader.text(b.format("name"), NAME_MOST)))


def opened(a: Roll, b: Roll | None, reader: Reader, edition: Edition, target: str = "") -> Order:
    """Face to Face with ``b``; without it a Normal Roll, or with ``open`` one that waits for the other side."""
    awaits = reader.flag("open")
    if b is not None:
        return checked(Order(rolls=(a, b), meetings=(Meeting(a=0, b=1),), edition=edition))
    return checked(Order(rolls=(a,), meetings=(Meeting(a=0, target=target),), edition=edition, awaits=awaits))


def saving(reader: Reader) -> Save:
    """Saving Rolls; Damage without an edition says N4. ``sv`` and ``threshold`` are of a result."""
    implied: Edition = "n4" if reader.has("dam") or reader.has("damage") else "n5"
    edition = read_edition(reader, implied)
    power = read_power(reader, "{}", edition)
    if power is None:
        allowed = f"a whole number from 0 to {POWER_MOST}"
        raise BadInput("damage" if edition == "n4" else "ps", "", allowed)
    dice = read_dice(reader, "dice")
    arm, bts = read_saved_with(reader)
    save = Save(
        hits=reader.whole("hits", 0, HITS_MOST, 0 if reader.has("crits") else 1),
        crits=reader.whole("crits", 0, HITS_MOST, 0),
        ammo=read_ammo(reader, "ammo") if reader.has("ammo") else Ammo.N,
        power=power,
        arm=arm,
        bts=bts,
        mods=read_mods(reader, "mods"),
        cover=reader.flag("cover"),
        edition=edition,
        name=clean(reader.text("name", NAME_MOST)),
        dice=dice if isinstance(dice, tuple) else None,
    )
    for key in ("sv", "threshold"):
        reader.raw(key)
    return saves.checked(save)


def read_saved_with(reader: Reader) -> tuple[int, int | None]:
    """``arm`` and ``bts``; both may stand in ``arm`` as a text like ``3 6``."""
    given = reader.raw("arm")
    if isinstance(given, str):
        return attributes("arm", given)
    bts = reader.whole("bts", 0, ATTRIBUTE_MOST) if reader.has("bts") else None
    return reader.whole("arm", 0, ATTRIBUTE_MOST, 0), bts
