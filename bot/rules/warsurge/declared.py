"""What may be declared: an attack of Power against Defence by one of the three methods, or a volley of such attacks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.rules.dice import DICE_MOST
from bot.rules.errors import BadInput, Example
from bot.rules.name import clean
from bot.rules.reading import Reader
from bot.rules.text import N_, UNNAMED, Name, Text
from bot.rules.warsurge import faces
from bot.rules.warsurge.faces import Faces
from bot.rules.warsurge.methods import Applied, Method, applied
from bot.rules.warsurge.units import (
    AP_MOST,
    HP_MOST,
    SAVES,
    TYPED_MOST,
    WEAPON_NAME_MOST,
    WEAPONS_MOST,
    Weapon,
    parse_weapons,
)

RESULTS: Final = (
    *("id", "why", "note", "rule", "need", "p", "multiplier", "automatic", "successes", "hp_loss", "mean_hp_loss"),
    *("beyond_the_text", "mean_hp_per_die", *Method),
)
"""Words of a result; a case may carry them along, they declare nothing."""

OF_WEAPON: Final = {"power": "power", "attack_dice": "dice", "ap": "ap"}
"""Words that a weapon brings, each with the name that people know it by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """An attack with one weapon. ``power`` and ``defence`` are as typed, before the caps.

    ``save``: the lowest face that saves, before ``ap`` raises it. ``faces`` and ``save_faces``: attack dice and armour
    saves rolled by hand; None: the bot rolls. ``asks_saves``: the defender rolls the saves, or types them. ``weapon``:
    its name, if it has one.
    """

    method: Method
    power: int
    defence: int
    attack_dice: int = 1
    save: int | None = None
    faces: Faces | None = None
    weapon: Name = UNNAMED
    ap: int = 0
    save_faces: tuple[int, ...] | None = None
    asks_saves: bool = False

    @property
    def line(self) -> Applied:
        """The line of the method that applies."""
        return applied(self.method, self.power, self.defence)

    @property
    def saves_on(self) -> int | None:
        """The lowest face that saves once AP counts; None where there is no armour save, or AP leaves none."""
        return self.save + self.ap if self.save and self.save + self.ap in SAVES else None

    @property
    def attacks(self) -> tuple["Declared", ...]:
        """The attack of each weapon, as a volley has them."""
        return (self,)

    def successes(self, shown: Faces) -> int:
        """The successful attack dice among these, before any multiplier."""
        need = self.line.need
        return self.attack_dice if need.is_automatic else sum(need.is_met(die) for die in shown)

    def saves_due(self, successes: int) -> int:
        """One save for each success; the chart multiplies the successes, Balanced the HP loss after the saves."""
        if self.saves_on is None:
            return 0
        return successes * self.line.need.multiplier if self.method is Method.CHART else successes


@dataclass(frozen=True, slots=True, kw_only=True)
class Volley:
    """Attacks with several weapons at one target, all by the same method and against the same Defence and save.

    ``attacker`` and ``target`` are units of the channel, or empty. ``hp``: what the target has left; None: not counted.
    """

    attacks: tuple[Declared, ...]
    attacker: Name = UNNAMED
    target: Name = UNNAMED
    hp: int | None = None


def declare(raw: Mapping[str, object]) -> Declared | Volley:
    """A declaration in the words of the golden files; without ``method`` it is Casual.

    ``attack_dice`` may also be the list of faces, as in the worked cases. With ``weapons`` it is a volley: objects with
    ``name``, ``power``, ``attack_dice``, ``ap``, ``faces`` and ``save_faces``, or a line like ``Rifle: Power 6, Dice
    4; Cannon: Power 12``. ``hp`` makes a volley of a single attack too. With ``asks_saves`` the armour saves wait for
    the defender. Raises ``BadInput`` naming the field,
    ``BadWord`` for a key or a typed face that nobody knows.
    """
    reader = Reader(raw)
    method = Method(reader.word("method", tuple(Method), Method.CASUAL))
    hp = reader.whole("hp", 1, HP_MOST) if reader.has("hp") else None
    attacks = read_volley(reader, method) if reader.has("weapons") else (read_attack(reader, reader, method),)
    for word in RESULTS:
        reader.raw(word)
    reader.done()
    is_volley = hp is not None or raw.get("weapons") is not None
    return Volley(attacks=attacks, hp=hp) if is_volley else attacks[0]


def read_attack(weapon: Reader, target: Reader, method: Method) -> Declared:
    """One attack: ``weapon`` says what attacks, ``target`` has its Defence and save; often the same object."""
    power, defence = weapon.whole("power", 0, TYPED_MOST), target.whole("defence", 0, TYPED_MOST)
    need = applied(method, power, defence).need
    key = "attack_dice" if isinstance(weapon.raw("attack_dice"), list | tuple) else "faces"
    shown = faces.read(weapon, key, need)
    count = len(shown) if shown else 1
    declared = Declared(
        method=method,
        power=power,
        defence=defence,
        attack_dice=count if key == "attack_dice" else weapon.whole("attack_dice", 1, DICE_MOST, count),
        save=read_save(target),
        faces=shown,
        weapon=clean(weapon.text("name", WEAPON_NAME_MOST)),
        ap=weapon.whole("ap", 0, AP_MOST, 0),
        save_faces=faces.read_saves(weapon),
        asks_saves=target.flag("asks_saves"),
    )
    if shown is not None:
        faces.check(shown, need, declared.attack_dice)
    if declared.save_faces is not None:
        check_saves(declared, declared.save_faces)
    return declared


def read_volley(reader: Reader, method: Method) -> tuple[Declared, ...]:
    """The attack of each weapon; typed dice stand between semicolons, in the order of the weapons."""
    for word, option in OF_WEAPON.items():
        if reader.has(word):
            raise BadInput(option, reader.raw(word), Text("Leave it out beside `weapons`: each weapon has its own."))
    weapons = read_weapons(reader)
    by_hand = {key: split_dice(reader, key, len(weapons)) for key in ("faces", "save_faces")}
    attacks = []
    for number, weapon in enumerate(weapons):
        dice = {key: parts[number] for key, parts in by_hand.items() if parts is not None}
        part = Reader(weapon | dice)
        attacks.append(read_attack(part, reader, method))
        part.done()
    dice_count = sum(attack.attack_dice for attack in attacks)
    if dice_count > DICE_MOST:
        given = Text("{dice_count} attack dice", dice_count=dice_count)
        raise BadInput("weapons", given, Text("Use at most {most} attack dice together.", most=DICE_MOST))
    return tuple(attacks)


def read_weapons(reader: Reader) -> list[dict[str, object]]:
    """The weapons as objects, from a list of such or from a typed line."""
    given = reader.raw("weapons")
    if isinstance(given, str):
        return [to_words(weapon) for weapon in parse_weapons(given)]
    found = reader.items("weapons", WEAPONS_MOST)
    if not found:
        raise BadInput("weapons", given, Text("Use 1 to {most} weapons.", most=WEAPONS_MOST))
    for number, weapon in enumerate(found, 1):
        if not isinstance(weapon, Mapping):
            field = Text("weapons, weapon {number}", number=number)
            raise BadInput(field, weapon, Text('Use an object like {"name": "Rifle", "power": 6}.'))
    return [dict(weapon) for weapon in found if isinstance(weapon, Mapping)]


def to_words(weapon: Weapon) -> dict[str, object]:
    """A weapon in the words of a declaration."""
    return {"name": weapon.name, "power": weapon.power, "attack_dice": weapon.dice, "ap": weapon.ap}


def split_dice(reader: Reader, key: str, count: int) -> Sequence[str] | None:
    """The typed dice of each weapon; None where none were typed."""
    text = reader.text(key, 1000).strip()
    if not text:
        return None
    parts = text.split(";")
    if len(parts) != count:
        message = N_("Use the dice of {count} weapons, with a semicolon between one weapon and the next.")
        raise BadInput(key, text, Text(message, count=count))
    return [part.strip() for part in parts]


def check_saves(declared: Declared, shown: tuple[int, ...]) -> None:
    """Raises ``BadInput`` unless there is one typed save for each that is due."""
    text = " ".join(map(str, shown)) or "empty"
    if declared.asks_saves:
        raise BadInput("save_faces", text, Text("Leave it out where the defender rolls the armour saves."))
    if declared.faces is None and declared.line.need.steps:
        why = Text("Use saves only beside `faces`: the attack dice say how many saves are due.")
        raise BadInput("save_faces", text, why)
    due = declared.saves_due(declared.successes(declared.faces or ()))
    if len(shown) != due:
        raise BadInput("save_faces", text, Text("Use exactly {due}, one for each armour save that is due.", due=due))


def read_save(reader: Reader) -> int | None:
    """``"5+"``, ``"5"`` or 5; None when missing."""
    if not reader.has("save"):
        return None
    given = reader.raw("save")
    text = str(given).strip()
    for face in SAVES:
        if text in (f"{face}", f"{face}+"):
            return face
    raise BadInput("save", given, Text("Use 2+ to 6+."), Example("5+"))
