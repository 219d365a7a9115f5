"""Options shared by `/xwing` commands, their autocomplete, and the forms of commands typed without any."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

import discord
from discord import app_commands
from discord.app_commands import Choice

from bot.client import Client, Interaction
from bot.languages.translate import translate
from bot.render.xwing.odds import MAX_PRINTED
from bot.rules.dice import Rng
from bot.rules.errors import Collector
from bot.rules.game import Field, Side
from bot.rules.name import clean
from bot.rules.pieces import BoardChange, key
from bot.rules.text import N_, Code, Name, Shown, Text, labeled, with_plain
from bot.rules.xwing.attack.json_attacks import MAX_ATTACKS
from bot.rules.xwing.cards import cards, pilots
from bot.rules.xwing.dice import loose_dice, typed_sides
from bot.rules.xwing.dice.declared import MAX_HULL, MAX_POOL, Ruleset
from bot.rules.xwing.dice.tokens import KINDS, MAX_HELD, MAX_TOKENS
from bot.rules.xwing.table import controls, match, ship_damage
from bot.rules.xwing.table.match import Changes, Table, ships_of
from bot.rules.xwing.table.moments import Course
from bot.rules.xwing.table.obstacles import HAZARDS, OBJECTS
from bot.rules.xwing.table.pieces import claims_between
from bot.rules.xwing.table.ship import Fleet, Ship, find, order
from bot.rules.xwing.table.ship_weapons import Mount, mounts, reason, usable_weapons
from bot.sessions import events
from bot.sessions.request import Place
from bot.ui.commands import options
from bot.ui.commands.options import CAMERA, FORM, MISSING, MOST, YES, CommandForm, CommandOption
from bot.ui.core.request_context import NameOption, clean as clean_name, language_of_reader, place, request, ruling
from bot.ui.table.board_actions import check_plays, number_here

T = TypeVar("T")
RolledChange = Callable[[Table, Rng], tuple[Mapping[str, Any], T]]
KEY: Final = "xwing"

Pool = app_commands.Range[int, 0, MAX_POOL]
Hull = app_commands.Range[int, 1, MAX_HULL]
Distance = app_commands.Range[int, 0, 3]
Typed = app_commands.Range[str, 1, typed_sides.LONGEST]


async def pieces(interaction: Interaction) -> Table:
    return await interaction.client.tables.pieces(place(interaction), KEY)


async def owner_names(client: Client, here: Place) -> dict[int, Shown]:
    return {number: clean_name(player.name) for number, player in (await client.tables.players(here)).items()}


async def ruleset_of(interaction: Interaction) -> Ruleset:
    return "2.0" if (await ruling(interaction)).words(KEY).get("ruleset") == "2.0" else "2.5"


def with_piece_names(what: Text, table: Table) -> Text:
    """Replace typed ship names in a sentence with the table's spelling."""
    by_key = {key(name): name for name in table}
    return with_plain(what, lambda typed: by_key.get(key(typed), typed), codes=False)


async def step(
    interaction: Interaction, what: Text, change: Callable[[Fleet], Mapping[str, Any]], *ships: str
) -> events.PiecesChanged:
    """Apply a step like ``chance_step``, without dice or cards."""
    result, _ = await chance_step(
        interaction, what, lambda table, _: (change(ships_of(table)), None), *ships, rolls=False
    )
    return result


async def chance_step(
    interaction: Interaction, what: Text, change: RolledChange[T], *ships: str, rolls: bool = True
) -> tuple[events.PiecesChanged, T]:
    """Apply a step on the channel's ships, undone as a whole; return it and the result.

    ``what``: its history sentence, with names as typed. Only owners and GMs of ``ships`` (default: all changed) may
    take it. Expired ships are removed too. ``PiecesChanged`` holds ships only. Dice and drawn cards are stored with it.
    """
    about, came = [clean(ship) for ship in ships], list[T]()

    def changed(table: Table, rng: Rng) -> BoardChange:
        made, happened = change(table, rng)
        came[:] = [happened]
        about.extend(() if ships else map(clean, made))
        return BoardChange(match.sweep_destroyed(table, made), with_piece_names(what, table))

    asked = await request(interaction)
    result = await interaction.client.tables.roll_step(asked, KEY, changed, of=about, rolls=rolls)
    return events.PiecesChanged(ships_of(result.before), ships_of(result.after), result.changed), came[0]


async def match_step(interaction: Interaction, what: Shown, change: Callable[[Table], Changes]) -> events.PiecesChanged:
    """Apply a step on the whole table, such as a phase. Raises ``PlayerError`` for a person without ships."""
    asked, swept = await request(interaction), lambda table: match.sweep_destroyed(table, change(table))
    return await interaction.client.tables.step(asked, KEY, what, swept, of=(), by_player=True)


async def phase_step(
    interaction: Interaction, what: Shown, change: Callable[[Table, Rng], Course]
) -> tuple[events.PiecesChanged, Sequence[Shown]]:
    """Begin a phase in one step; return it, and the cards' automatic effects."""
    said = list[Shown]()

    def changed(table: Table, rng: Rng) -> BoardChange:
        course = change(table, rng)
        said[:] = course.said
        return replace(course.board_change(what), changes=match.sweep_destroyed(table, course.changes))

    tables_, asked = interaction.client.tables, await request(interaction)
    result = await tables_.roll_step(asked, KEY, changed, of=(), by_player=True)
    return result, tuple(said)


async def suggest(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """Suggest the channel's ships whose name contains the typed text, prefix matches first."""
    ships = order(ships_of(await options.channel_pieces(interaction, KEY)))
    ships.sort(key=lambda ship: not ship.name.casefold().startswith(typed.strip().casefold()))
    return options.names(typed, [ship.name for ship in ships])


async def lockable(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """Suggest matching ships, then kinds of obstacles."""
    return [*await suggest(interaction, typed), *options.names(typed, OBJECTS)][:MOST]


async def chosen_ship(interaction: Interaction, option: str) -> Ship | None:
    ships = ships_of(await options.channel_pieces(interaction, KEY)).values()
    wanted = options.other_option(interaction, option)
    return next((ship for ship in ships if ship.name.casefold() == wanted), None)


async def suggest_tokens(interaction: Interaction, typed: str) -> list[Choice[str]]:
    ship = await chosen_ship(interaction, "ship")
    return options.names(typed, [kind for kind in KINDS if ship is None or ship.has(kind)])


async def upgrades(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """Suggest the named ship's upgrades with charges, translated, with their number."""
    ship, result = await chosen_ship(interaction, "ship"), list[tuple[Shown, str]]()
    every = pilots.printed_names(language_of_reader(interaction).key)["upgrades"]
    for upgrade, left in zip(ship.card.upgrades, ship.upgrade_charges, strict=True) if ship is not None else ():
        name, most = Name(every.get(upgrade.id, upgrade.name)), upgrade.charges.capacity
        if most and (options.label_contains(name, typed) or options.label_contains(upgrade.name, typed)):
            result.append((Text("{card}: {left} of {most}", card=name, left=left, most=most), upgrade.name))
    return options.matching_choices("", result)


async def weapons(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """Suggest the named attacker's weapons: usable ones first, and why the others aren't."""
    ship = await chosen_ship(interaction, "attacker")
    if ship is None:
        return []
    target, range_ = await chosen_ship(interaction, "defender"), dict(iter(interaction.namespace)).get("range")
    known = range_ if isinstance(range_, int) else None
    every = pilots.printed_names(language_of_reader(interaction).key)["upgrades"]

    def title(item: Mount) -> Shown:
        """Return the name as printed in the reader's language."""
        reprint = every.get(ship.card.upgrades[item.place].id) if item.place >= 0 else None
        return Name(reprint) if reprint else item.weapon.title

    able, others = list[tuple[Shown, str]](), list[tuple[Shown, str]]()
    for mount in mounts(ship):
        if options.label_contains(mount.weapon.name, typed) or options.label_contains(translate(title(mount)), typed):
            why, arc = reason(ship, mount, target, known), mount.weapon.arc
            detail = why or Text("{dice} dice, {arc}", dice=mount.weapon.value, arc=cards.ARCS.get(arc) or Name(arc))
            (others if why else able).append((labeled(title(mount), detail), mount.weapon.name))
    return options.matching_choices("", [*able, *others])


# The table of options


DICE: Final = CommandOption("dice", Pool, Text("The weapon value; range and tokens are added"))
AGILITY: Final = CommandOption("agility", Pool, Text("The defender's agility. Default: the defender enters it"))
RANGE: Final = CommandOption("range", Distance, Text("1: one extra attack die; 3: one extra defense die"))
ORDNANCE: Final = CommandOption("ordnance", bool, Text("A missile or torpedo: no range bonus"), False)
OBSTRUCTED: Final = CommandOption("obstructed", bool, Text("Obstructed: one extra defense die"), False)
IN_ARC: Final = CommandOption("in_arc", bool, Text("In the arc of the defender's reinforce token"))
WITH: Final = CommandOption("with", Typed, Text("Your tokens and effects: focus, lock, reroll 1 blank"))
AGAINST: Final = CommandOption("against", Typed, Text("The defender's: focus, evade, hull 4, shields 2"))
ATTACKER: Final = CommandOption(
    "attacker", NameOption, Text("Your ship: uses its weapons, tokens, locks"), suggest=suggest
)
DEFENDER: Final = CommandOption("defender", NameOption, Text("The ship you attack"), suggest=suggest)

WEAPON: Final = CommandOption("weapon", Typed, Text("Default: its best primary weapon"), suggest=weapons)
SHOT: Final = (DICE, AGILITY, RANGE, ORDNANCE, OBSTRUCTED, IN_ARC, WITH, AGAINST)
"""Options of an attack, with or without ships."""
ATTACK: Final = (
    *SHOT,
    ATTACKER,
    DEFENDER,
    WEAPON,
    CommandOption("opponent", discord.User, Text("Who defends. Default: first to press"), word=""),
    CAMERA,
    CommandOption("bonus", bool, Text("A bonus attack: doesn't count as engaging"), False),
    CommandOption("anyway", bool, Text("Attack even if it isn't your ship's turn"), False),
    CommandOption("allow", bool, Text("GM only: allow a third attack this round"), False, word="allowed"),
)
CLAIMS: Final = CommandOption("claims", Typed, Text("Cards whose condition applies: Predator, defender elusive"))
OR: Final = CommandOption("or", Typed, Text("Other tokens to compare with: focus, lock"), word="")
ODDS: Final = (
    replace(DICE, kind=app_commands.Range[int, 0, MAX_PRINTED]),
    *(option for option in SHOT if option not in (DICE, AGILITY)),
    AGILITY.with_description(Text("The defender's agility. Default: 0")),
    OR,
    CommandOption(
        "shots", app_commands.Range[int, 1, MAX_ATTACKS], Text("How many attacks in a row"), 1, word="attacks"
    ),
    CommandOption("hull", Hull, Text("The defender's hull")),
    CommandOption("shields", app_commands.Range[int, 0, MAX_HULL], Text("The defender's shields")),
    ATTACKER.with_description(Text("A ship: its weapon, tokens, lock, abilities")),
    DEFENDER.with_description(Text("A ship: its agility, tokens, hull, shields")),
    WEAPON,
    CLAIMS,
)
LOOSE: Final = (
    CommandOption("red", app_commands.Range[int, 0, loose_dice.MAX_LOOSE], Text("Red attack dice"), 0),
    CommandOption("green", app_commands.Range[int, 0, loose_dice.MAX_LOOSE], Text("Green defense dice"), 0),
)

# Ships of the channel

SHIP: Final = CommandOption("ship", NameOption, Text("The ship"), MISSING, suggest=suggest)
ANYWAY: Final = CommandOption("anyway", bool, Text("Engage even if it isn't its turn"), False)
ENGAGES: Final = replace(SHIP, about=Text("The ship that engages. Default: see the order"), default=None)
LOCK: Final = (
    SHIP.with_description(Text("The ship that acquires the lock")),
    CommandOption("target", NameOption, Text("What it locks: a ship, or asteroid 2"), MISSING, suggest=lockable),
    CommandOption("keep", bool, Text("Its card lets it keep the old lock"), False),
)
HAZARD: Final = (
    SHIP,
    CommandOption("what", str, Text("What it hits"), MISSING, choices=options.chosen_as(HAZARDS)),
    CommandOption("takes", Typed, Text("Chaff: what the jam removes: focus, or lock"), ""),
)
DAMAGE: Final = (
    SHIP.with_description(Text("The ship that suffers it")),
    CommandOption("hits", app_commands.Range[int, 0, ship_damage.MAX_TYPED], Text("How many hits"), 0),
    CommandOption("crits", app_commands.Range[int, 0, ship_damage.MAX_TYPED], Text("How many crits"), 0),
)
REPAIR: Final = (SHIP, CommandOption("card", Typed, Text("The faceup card. Default: discard a facedown one"), ""))
REMOTE: Final = (
    CommandOption("name", NameOption, Text("Its name"), MISSING),
    CommandOption("initiative", app_commands.Range[int, 0, 8], Text("Its initiative"), 0),
    CommandOption("agility", Pool, Text("Its agility"), 0),
    CommandOption("hull", Hull, Text("Its hull"), 1),
)
KIND: Final = CommandOption("token", str, Text("Which kind"), MISSING, choices=options.chosen_as(KINDS))
COUNT: Final = CommandOption("count", app_commands.Range[int, 1, MAX_HELD], Text("How many. Default: 1"), 1)
UPGRADE: Final = CommandOption("upgrade", NameOption, Text("Charge: on which upgrade"), suggest=upgrades)
GIVE_TOKEN: Final = (
    *(SHIP, KIND, COUNT),
    CommandOption("takes", Typed, Text("Jam: what it removes: focus, or lock"), ""),
    CommandOption("by", NameOption, Text("Your ship that causes it: jam, tractor, ion"), suggest=suggest),
    UPGRADE,
)
TAKE_TOKEN: Final = (SHIP, replace(KIND, kind=Typed, choices=(), suggest=suggest_tokens), COUNT, UPGRADE)

# A ship's card

CARD: Final = (
    CommandOption("attack", Pool, Text("Its weapon value")),
    CommandOption("agility", Pool, Text("Its agility")),
    CommandOption("hull", Hull, Text("Its hull")),
    CommandOption("shields", app_commands.Range[int, 0, MAX_HULL], Text("Its shields")),
    CommandOption("force", app_commands.Range[int, 0, MAX_TOKENS], Text("Its force charges")),
    CommandOption("charge", app_commands.Range[int, 0, MAX_TOKENS], Text("Its recurring charges")),
    CommandOption("initiative", app_commands.Range[int, 0, 8], Text("Its pilot's initiative")),
    CommandOption("abilities", Typed, Text("Card effects: reroll 1 blank, or none")),
)


# Forms


POOL: Final = N_("Dice: your weapon value (0 to {most})")
DICE_FIELD: Final = DICE.field(Text(POOL, most=MAX_POOL), Code("3"), required=True)
ODDS_DICE: Final = replace(DICE_FIELD, label=Text(POOL, most=MAX_PRINTED))
HOW_AGILE: Final = Text("The defender's agility (0 to {most})", most=MAX_POOL)
AGILITY_FIELD: Final = AGILITY.field(HOW_AGILE, Code("2"), required=True)
LATER: Final = AGILITY.field(Text("Agility, or ask the defender"), Code("2"))
WITH_FIELD: Final = WITH.field(Text("Your tokens and effects"), Text("focus, lock, reroll 1 blank"))
AGAINST_FIELD: Final = AGAINST.field(Text("The defender's tokens and effects"), Text("evade, hull 4"))
OR_FIELD: Final = OR.field(Text("Other tokens to compare with"), Text("focus, lock"))
LOOSE_FIELDS: Final = (
    LOOSE[0].field(Text("Red attack dice (0 to {most})", most=loose_dice.MAX_LOOSE), Code("3")),
    LOOSE[1].field(Text("Green defense dice (0 to {most})", most=loose_dice.MAX_LOOSE), Code("2")),
)
PILOT_LONGEST: Final = 100
"""Maximum characters of a typed pilot."""
STRANGER: Final = -1
"""Number of a person who doesn't play here; 0 means unassigned."""
ADD: Final = (
    Field("name", Text("Its name. Default: the pilot's"), Text("Wedge"), required=False, longest=32),
    Field("pilot", Text("A pilot"), Text("Luke Skywalker"), required=False, longest=PILOT_LONGEST),
    Field(
        "numbers",
        Text("Or attack/agility/hull/shields"),
        Code("3/2/4/2 i5"),
        required=False,
        longest=typed_sides.LONGEST,
    ),
    Field("count", Text("How many of them"), Code("1"), required=False, longest=2),
)


async def attack_fields(interaction: Interaction) -> Sequence[Field]:
    """Return the board's attack form for one's own ships and enemies; with fewer ships, dice and tokens to type. Raises
    ``PlayerError`` for a person who may play none of the ships.
    """
    table = await pieces(interaction)
    fields = ship_fields(table, await number_here(interaction) or STRANGER)
    if fields:
        await check_plays(interaction, order(ships_of(table)))
    return fields or (DICE_FIELD, WITH_FIELD, LATER, AGAINST_FIELD)


def ship_fields(table: Table, mine: int) -> tuple[Field, ...]:
    """Return the board's attack form with a target selected; () without two ships that can fight. ``mine``: the
    attacking player's number; any ship for a person without ships.
    """
    fighting = [item for item in order(ships_of(table)) if not item.is_remote]
    own = [item for item in fighting if item.owner in (mine, 0)] or fighting
    own.sort(key=lambda item: item.name != controls.first(table, mine))
    armed = [(ship, arms) for ship in own if (arms := usable_weapons(ship))]
    foes = controls.foes(table, armed[0][0]) if armed else []
    if not foes:
        return ()
    of_each = {ship.name: controls.attack_fields(table, ship, foes, arms) for ship, arms in armed}
    fields = controls.shared_fields(table, of_each, ATTACKER.name)
    chosen = {"defender": foes[0].name}  # a command shows a shorter list than the board
    fields = tuple(replace(field, value=field.value or chosen.get(field.key, "")) for field in fields)
    return tuple(replace(field, required=field.required and field.key != "weapon") for field in fields)


def attack_options(filled: Mapping[str, str]) -> dict[str, str]:
    """Convert the board's attack form to command options."""
    if "attacker" not in filled:
        return dict(filled)
    said = controls.attack_words(filled["attacker"], filled)
    given = {option.name: said.get(option.name) for option in ATTACK}
    words = {name: value for name, value in given.items() if value or type(value) is int}  # range 0 counts
    return {name: YES if item is True else str(item) for name, item in words.items()}


async def odds_fields(interaction: Interaction) -> Sequence[Field]:
    """Return fields for attacker and defender, as in the attack form, and for the comparison."""
    fields = ship_fields(await pieces(interaction), await number_here(interaction) or STRANGER)
    if not fields:
        return (ODDS_DICE, WITH_FIELD, AGILITY_FIELD, AGAINST_FIELD, OR_FIELD)
    return (*(field for field in fields if field.key in ("attacker", "defender", "range")), WITH_FIELD, OR_FIELD)


async def claim_fields(interaction: Interaction, known: Mapping[str, object]) -> Sequence[Field]:
    """Return possible claims between two known ships, to check."""
    table = await pieces(interaction)
    ship, foe = (find(ships_of(table), str(known.get(side.value, "")), side.value) for side in Side)
    form = controls.shared_fields(table, {ship.name: controls.attack_fields(table, ship, [foe])}, ATTACKER.name)
    fields = [replace(field, value=str(known.get(field.key, "")) or field.value, required=False) for field in form[:4]]
    value = controls.OBSTRUCTED.value if known.get("obstructed") else ""
    ticks = (*controls.obstructions(table), *claims_between(known, table))
    return (*fields, Field("claims", Text("What applies"), value=value, required=False, options=ticks, several=True))


def check_words(filled: Mapping[str, str]) -> None:
    """Raise ``PlayerError`` for short words that can't be parsed."""
    with Collector() as wrong:
        for key, side in (("with", Side.ATTACKER), ("or", Side.ATTACKER), ("against", Side.DEFENDER)):
            with wrong.collect():
                typed_sides.parse(filled.get(key, ""), side, key)


ATTACK_FORM: Final = {FORM: CommandForm(Text("X-Wing: an attack"), attack_fields, check_words, reads=attack_options)}
ODDS_FORM: Final = {FORM: CommandForm(Text("X-Wing: the odds of an attack"), odds_fields, check_words, claim_fields)}
ROLL_FORM: Final = {FORM: CommandForm(Text("X-Wing: dice outside an attack"), LOOSE_FIELDS)}
ADD_FORM: Final = {FORM: CommandForm(Text("X-Wing: add a ship"), ADD)}
