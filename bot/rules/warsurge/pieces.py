"""WARSURGE's pieces: units, their weapons and stats in an attack, and the HP it costs."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from bot.rules import dice, json_reader
from bot.rules.errors import BadInputError, PlayerError
from bot.rules.game import Field, Option
from bot.rules.name import MAX_NAME, search_key
from bot.rules.text import EMPTY, N_, UNNAMED, Name, Shown, Text
from bot.rules.warsurge import declared as attacks, methods
from bot.rules.warsurge.declared import OF_WEAPON, Declared, Volley, to_words
from bot.rules.warsurge.play import AttackRoll, VolleyRoll, hp_loss, saves_open
from bot.rules.warsurge.units import MAX_LINE, Unit, Units, choose_weapons, find, write_weapon

__all__ = ["SCHEMA", "Body", "declare", "names", "settle", "weapons_form"]

SCHEMA = 1
Body = Unit

WEAPONS: Final = "Rifle: Power 6, Dice 4; Cannon: Power 12"


def declare(raw: Mapping[str, object], units: Units) -> Declared | Volley:
    """Parse a declaration that may name the channel's units: ``attacker`` and ``target``.

    An attacker uses its weapons, all or those in ``weapons``; a target its Defence, save, and HP left. Typed values
    override. Raises ``PlayerError`` as ``declare`` of the rules, and for a missing or destroyed unit.
    """
    reader = json_reader.JsonReader(raw)
    typed = {side: reader.text(side, MAX_NAME).strip() for side in ("attacker", "target")}
    named = {side: find(units, name, side) for side, name in typed.items() if name}
    rest = json_reader.leave_out(raw, *typed)
    words: Mapping[str, object] = {word: item for word, item in rest.items() if item is not None}
    attacker, target = named.get("attacker"), named.get("target")
    if attacker is not None and attacker is target:
        raise BadInputError("target", attacker.name, Text("Use another unit than the attacker."))
    words = without_attacker(words) if attacker is None else with_weapons(words, attacker)
    words = words if target is None else with_target(words, target)
    if "power" not in words and "weapons" not in words:
        raise PlayerError(Text("Type the `power` of the attack, or name your unit as `attacker`."))
    if words.get("defence") is None:
        raise PlayerError(Text("Type the `defence` of the target, or name a unit in this channel as `target`."))
    declared = attacks.declare(words)
    if not named:
        return declared
    hp = declared.hp if isinstance(declared, Volley) else None
    names = {side: named[side].name if side in named else UNNAMED for side in typed}
    return Volley(attacks=declared.attacks, hp=target.hp_left if target else hp, **names)


def without_attacker(words: Mapping[str, object]) -> Mapping[str, object]:
    """Return a declaration without its attacking unit. Raises ``BadInputError`` for weapons given by name alone."""
    named = words.get("weapons")
    if isinstance(named, str) and not any(sign.isdecimal() for sign in named):
        why = Text("Write out the weapons, like `{weapons}`, or name their unit as `attacker`.", weapons=Name(WEAPONS))
        raise BadInputError("weapons", named, why)
    return words


def with_weapons(words: Mapping[str, object], attacker: Unit) -> Mapping[str, object]:
    """Add a unit's weapons to a declaration. Typed stats are those of a single weapon."""
    chosen = json_reader.JsonReader(words).text("weapons", MAX_LINE) if isinstance(words.get("weapons"), str) else ""
    if ":" in chosen or ("weapons" in words and not chosen):  # typed in full
        return words
    weapons = [to_words(weapon) for weapon in choose_weapons(attacker, chosen)]
    typed = {word: words[word] for word in OF_WEAPON if word in words}
    if not weapons and "power" not in typed:
        message = N_(
            "{attacker} has no weapons. Type the `power` of this attack, or add a weapon with `/warsurge profile set`."
        )
        raise PlayerError(Text(message, attacker=attacker.name))
    if typed and len(weapons) > 1:
        names = ", ".join(filter(None, (weapon.name for weapon in attacker.weapons)))
        word, value = next(iter(typed.items()))
        why = Text("Use a single weapon. Choose one in `weapons`: {names}.", names=Name(names))
        raise BadInputError(OF_WEAPON[word], value, why)
    weapons = [{**weapon, **typed} for weapon in weapons or [{}]]
    if any(weapon.get("power") is None for weapon in weapons):
        message = N_("One of {attacker}'s weapons has no Power. Type the `power` of this attack too.")
        raise PlayerError(Text(message, attacker=attacker.name))
    rest = {word: value for word, value in words.items() if word not in OF_WEAPON}
    return {**rest, "weapons": weapons}


def with_target(words: Mapping[str, object], target: Unit) -> Mapping[str, object]:
    """Add a unit's defensive stats to a declaration."""
    check_target(target)
    if "hp" in words:
        why = Text("Leave it out with `target`: {target} has its own HP.", target=target.name)
        raise BadInputError("hp", words["hp"], why)
    if target.defence is None and "defence" not in words:
        message = N_("{target} has no Defence yet. Type the `defence` here, or add it with `/warsurge profile set`.")
        raise PlayerError(Text(message, target=target.name))
    return {"defence": target.defence, "save": target.save, **words}


def check_target(target: Unit) -> None:
    if target.is_destroyed:
        message = N_("{target} has no HP left. Choose another `target`, or give it HP with `/warsurge profile hp`.")
        raise PlayerError(Text(message, target=target.name))


def weapons_form(texts: Mapping[str, str], units: Units) -> tuple[Text, tuple[Field, ...]] | None:
    """Return the title and fields of the form in which a unit chooses among several weapons. ``texts``: the attack's.
    None if there is nothing to ask, or a unit is gone.
    """
    here = {search_key(unit.name): unit for unit in units.values()}
    attacker, target = (here.get(search_key(texts.get(side, ""))) for side in ("attacker", "target"))
    if attacker is None or target is None or len(attacker.weapons) < 2:
        return None
    named = (weapon for weapon in attacker.weapons if weapon.name)
    arms = tuple(
        Option(weapon.name, Name(weapon.name), write_weapon(replace(weapon, name=UNNAMED))) for weapon in named
    )
    fields = [picked_field("attacker", Text("Your unit"), attacker.name)]
    fields += [
        Field("weapons", Text("Which weapons?"), options=arms, several=True),
        picked_field("target", Text("The unit you attack"), target.name),
    ]
    if texts.get("method"):
        method = methods.Method(texts["method"].lower())
        fields.append(picked_field("method", Text("Method"), texts["method"], method.label))
    return Text("WARSURGE: an attack"), tuple(fields)


def picked_field(key: str, label: Shown, value: str, shown: Shown = EMPTY) -> Field:
    return Field(key, label, options=(Option(value, shown or Name(value)),), value=value)


def not_secret(declared: Declared | Volley) -> Shown:
    """Return why an attack can't be secret; "" if it can."""
    if not isinstance(declared, Volley) or not declared.target:
        return EMPTY
    message = N_("This attack costs {target} HP, which everyone sees. Type the `defence` instead of `target`.")
    return Text(message, target=declared.target)


def names(state: AttackRoll | VolleyRoll) -> tuple[str, ...]:
    return (state.declared.target,) if isinstance(state, VolleyRoll) and state.declared.target else ()


def subject_units(state: AttackRoll | VolleyRoll) -> tuple[str, ...]:
    declared = state.declared
    return tuple(filter(None, (declared.attacker, declared.target))) if isinstance(declared, Volley) else ()


def settle(
    before: AttackRoll | VolleyRoll | None,
    after: VolleyRoll,
    pieces: Units,
    rng: dice.Rng,  # noqa: ARG001 - nothing more falls
) -> tuple[VolleyRoll, Mapping[str, Unit]]:
    """Apply a volley to its target's current HP; they are lost once no armour save is open. Raises ``PlayerError`` if
    the target is gone, or has no HP when the attack begins.
    """
    name = after.declared.target
    if name not in pieces:
        message = N_("{name} has left the table. Take that back with `/table undo`, or attack another unit.")
        raise PlayerError(Text(message, name=name))
    target = pieces[name]
    if before is None:
        check_target(target)
    now = replace(after, declared=replace(after.declared, hp=target.hp_left))
    hit = target if saves_open(now) else target.suffer(hp_loss(now))
    return now, {} if hit == target else {name: hit}
