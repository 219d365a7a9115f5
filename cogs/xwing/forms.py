"""The forms of `/xwing` commands that were typed with nothing after them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.client import Interaction
from bot.rules.errors import Collector
from bot.rules.game import OPTIONS_MOST, Field, Option, Side
from bot.rules.text import N_, Code, Name, Text
from bot.rules.xwing.dice import words
from bot.rules.xwing.dice.declared import POOL_MOST
from bot.rules.xwing.dice.loose import LOOSE_MOST
from bot.rules.xwing.dice.words import LONGEST
from bot.rules.xwing.table import controls
from bot.rules.xwing.table.fire import mounts, unbarred
from bot.rules.xwing.table.match import Table, ships_of
from bot.rules.xwing.table.pieces import claims_between
from bot.rules.xwing.table.ship import Ship, find, order
from bot.ui.board_press import number_here
from bot.ui.options import FORM, YES, CommandForm
from cogs.xwing.options import AGAINST, AGILITY, ATTACK, ATTACKER, DICE, LOOSE, OR, WITH, pieces

DICE_FIELD: Final = DICE.field(Text("Dice: your weapon value (0 to {most})", most=POOL_MOST), Code("3"), required=True)
HOW_AGILE: Final = Text("The defender's agility (0 to {most})", most=POOL_MOST)
AGILITY_FIELD: Final = AGILITY.field(HOW_AGILE, Code("2"), required=True)
LATER: Final = AGILITY.field(Text("Agility, or the defender says it"), Code("2"))
WITH_FIELD: Final = WITH.field(Text("What you bring"), Text("focus, lock, reroll 1 blank"))
AGAINST_FIELD: Final = AGAINST.field(Text("What the defender brings"), Text("evade, hull 4"))
OR_FIELD: Final = OR.field(Text("Other tokens to compare with"), Text("focus, lock"))
LOOSE_FIELDS: Final = (
    LOOSE[0].field(Text("Red attack dice (0 to {most})", most=LOOSE_MOST), Code("3")),
    LOOSE[1].field(Text("Green defense dice (0 to {most})", most=LOOSE_MOST), Code("2")),
)
STRANGER: Final = -1
"""In place of the number of somebody who does not play here; 0 is nobody's."""
ADD: Final = (
    Field("name", Text("Its name. Default: the pilot's"), Text("Wedge"), required=False, longest=32),
    Field("pilot", Text("A pilot"), Text("Luke Skywalker"), required=False, longest=100),
    Field("numbers", Text("Or attack/agility/hull/shields"), Code("3/2/4/2 i5"), required=False, longest=LONGEST),
    Field("count", Text("How many of them"), Code("1"), required=False, longest=2),
)


async def attack_fields(interaction: Interaction) -> Sequence[Field]:
    """One's own ships and the enemies to pick from; with fewer ships, dice and tokens to type."""
    table = await pieces(interaction)
    mine = await number_here(interaction) or STRANGER
    own = [one for one in order(ships_of(table)) if not one.is_remote and one.owner in (mine, 0)]
    own = own or [one for one in order(ships_of(table)) if not one.is_remote]
    own.sort(key=lambda one: one.name != controls.first(table, mine))
    armed = [(ship, arms) for ship in own if (arms := unbarred(ship))]
    foes = controls.foes(table, armed[0][0]) if armed else []
    if not foes:
        return (DICE_FIELD, WITH_FIELD, LATER, AGAINST_FIELD)
    of_each: dict[str, tuple[Field, ...]] = {
        ship.name: controls.attack_fields(table, ship, foes, arms) for ship, arms in armed
    }
    fields = controls.shared_fields(table, of_each, ATTACKER.name)
    chosen = {"defender": foes[0].name}  # whoever types a command has less to pick than on the board
    fields = tuple(replace(one, value=one.value or chosen.get(one.key, "")) for one in fields)
    return tuple(replace(one, required=one.required and one.key not in ("range", "weapon")) for one in fields)


def attack_options(filled: Mapping[str, str]) -> dict[str, str]:
    """The form of an attack, which is that of the board, as options of the command."""
    if "attacker" not in filled:
        return dict(filled)
    said = controls.attack_words(filled["attacker"], filled)
    names = [one.name for one in ATTACK if one.name in said and (one.name != "range" or filled.get("range"))]
    words = {name: said[name] for name in names if said[name] not in (None, "", False)}
    return {name: YES if one is True else str(one) for name, one in words.items()}


async def odds_fields(interaction: Interaction) -> Sequence[Field]:
    """What would be: any ship against any other, one's own first."""
    table, mine = await pieces(interaction), await number_here(interaction) or STRANGER
    ships = sorted(order(ships_of(table)), key=lambda one: one.owner != mine)
    if len(ships) > 1:
        return (*between_ships(table, ships, ships[::-1])[:3], WITH_FIELD, OR_FIELD)
    return (DICE_FIELD, WITH_FIELD, AGILITY_FIELD, AGAINST_FIELD, OR_FIELD)


async def claim_fields(interaction: Interaction, known: Mapping[str, object]) -> Sequence[Field]:
    """The odds between two ships that are known: what may be claimed there, to be ticked."""
    table = await pieces(interaction)
    ships = [find(ships_of(table), str(known.get(side.value, "")), side.value) for side in Side]
    between = between_ships(table, ships[:1], ships[1:])
    fields = [replace(one, value=str(known.get(one.key, "")) or one.value) for one in between]
    value = controls.OBSTRUCTED.value if known.get("obstructed") else ""
    ticks = (controls.OBSTRUCTED, *claims_between(known, table))
    return (*fields, Field("claims", Text("What holds"), value=value, required=False, options=ticks, several=True))


def between_ships(table: Table, ships: list[Ship], foes: list[Ship]) -> tuple[Field, ...]:
    """The fields of an attack of one of ``ships`` on one of ``foes``; the weapon only where there is one to choose.

    Chosen already are the first ship, and the target and range of its last attack.
    """
    last = {one.key: one.value for one in controls.attack_fields(table, ships[0], foes)}
    fields = [
        Field("attacker", Text("Your ship"), options=options(ships), value=ships[0].name),
        Field("defender", Text("The ship you attack"), options=options(foes), value=last["defender"] or foes[0].name),
        Field("range", Text("Range"), required=False, options=controls.RANGES[:4], value=last["range"]),
    ]
    arms = dict.fromkeys(one.weapon.name for ship in ships for one in mounts(ship))
    if any(len(list(mounts(ship))) > 1 for ship in ships):
        weapons = tuple(Option(name, Name(name)) for name in arms)[:OPTIONS_MOST]
        fields.append(Field("weapon", Text("Weapon. Default: its best primary"), required=False, options=weapons))
    return tuple(fields)


def options(ships: Sequence[Ship]) -> tuple[Option, ...]:
    """Ships to pick from, as ``attack 3, agility 2, hull 4``: what is left of the hull."""
    message = N_("attack {attack}, agility {agility}, hull {hull}")
    about = (Text(message, attack=one.attack, agility=one.agility, hull=one.hull_left) for one in ships)
    return tuple(Option(ship.name, ship.name, said) for ship, said in zip(ships, about, strict=True))[:OPTIONS_MOST]


def check_words(filled: Mapping[str, str]) -> None:
    """Raises ``PlayerError`` for short words that do not read."""
    with Collector() as wrong:
        for key, side in (("with", Side.ATTACKER), ("or", Side.ATTACKER), ("against", Side.DEFENDER)):
            with wrong.also():
                words.parse(filled.get(key, ""), side, key)


ATTACK_FORM: Final = {FORM: CommandForm(Text("X-Wing: an attack"), attack_fields, check_words, reads=attack_options)}
ODDS_FORM: Final = {FORM: CommandForm(Text("X-Wing: the odds of an attack"), odds_fields, check_words, claim_fields)}
ROLL_FORM: Final = {FORM: CommandForm(Text("X-Wing: dice outside an attack"), LOOSE_FIELDS)}
ADD_FORM: Final = {FORM: CommandForm(Text("X-Wing: add a ship"), ADD)}
