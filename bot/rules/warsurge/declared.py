"""Declarations: an attack of Power against Defence by one of the three methods, or a volley of attacks.

Physical dice come as a list or typed text, and are checked against the need. Commas separate dice, spaces a chain's
faces: ``6 5, 3, 6 2``; ``-`` is a die that is not rolled. Only Balanced and the Chart have chains. If each die is
rolled once, every number is a die: ``4 1 6``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.rules.dice import MAX_DICE
from bot.rules.errors import AtMost, BadInputError, Example, UnknownWordError
from bot.rules.json_reader import JsonReader, check_whole_number
from bot.rules.name import clean
from bot.rules.text import N_, UNNAMED, Code, Count, Name, Noun, Text
from bot.rules.warsurge import units
from bot.rules.warsurge.methods import AppliedLine, Method, Need, applied_line

MAX_SAVES: Final = 1000
"""Maximum typed armour saves: the Chart makes at most eight successes of one die."""

Faces = tuple[tuple[int, ...], ...]
"""Faces of each attack die, in the order rolled."""

HOW = Text("Write faces from 1 to 6 with spaces between the dice, for example `4 1 6`.")
HOW_IN_A_CHAIN = Text(
    "Write faces from 1 to 6, with spaces within a chain and commas between dice, for example `6 5, 3, 6 2`."
)
RESULTS: Final = (
    *("id", "why", "note", "rule", "need", "p", "multiplier", "automatic", "successes", "hp_loss", "mean_hp_loss"),
    *("beyond_the_text", "mean_hp_per_die", *Method),
)
"""Words of a result; a case may contain them, they declare nothing."""

OF_WEAPON: Final = {"power": "power", "attack_dice": "dice", "ap": "ap"}
"""A weapon's words, with names for people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """An attack with one weapon. ``power`` and ``defence`` are as typed, before the caps.

    ``save``: the lowest face that saves, before ``ap`` raises it. ``faces`` and ``save_faces``: physical attack dice
    and saves; None: the bot rolls. ``asks_saves``: the defender rolls or types the saves. ``weapon``: its name, if any.
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
    def line(self) -> AppliedLine:
        return applied_line(self.method, self.power, self.defence)

    @property
    def saves_on(self) -> int | None:
        """Return the lowest face that saves after AP; None without an armour save."""
        return self.save + self.ap if self.save and self.save + self.ap in units.SAVES else None

    @property
    def attacks(self) -> tuple["Declared", ...]:
        return (self,)

    def successes(self, shown: Faces) -> int:
        """Return the number of successful attack dice, before any multiplier."""
        need = self.line.need
        return self.attack_dice if need.is_automatic else sum(need.is_met(die) for die in shown)

    def saves_due(self, successes: int) -> int:
        """Return one save per success; the chart multiplies successes, Balanced the HP loss after the saves."""
        if self.saves_on is None:
            return 0
        return successes * self.line.need.multiplier if self.method is Method.CHART else successes


@dataclass(frozen=True, slots=True, kw_only=True)
class Volley:
    """Attacks with several weapons at one target, all by the same method and against the same Defence and save.
    ``attacker`` and ``target``: units of the channel, or "". ``hp``: the target's HP left; None: not counted.
    """

    attacks: tuple[Declared, ...]
    attacker: Name = UNNAMED
    target: Name = UNNAMED
    hp: int | None = None

    @property
    def method(self) -> Method:
        return self.attacks[0].method


def declare(raw: Mapping[str, object]) -> Declared | Volley:
    """Parse a declaration in the words of the golden files; default ``method`` is Casual.

    ``attack_dice`` may be the list of faces, as in the worked cases. With ``weapons`` it is a volley: objects with
    ``name``, ``power``, ``attack_dice``, ``ap``, ``faces`` and ``save_faces``, or a line like ``Rifle: Power 6, Dice 4;
    Cannon: Power 12``. ``hp`` also makes a single attack a volley. With ``asks_saves`` the saves wait for the defender.
    Raises ``BadInputError`` naming the field, ``UnknownWordError`` for an unknown key or face.
    """
    reader = JsonReader(raw)
    method = Method(reader.word("method", tuple(Method), Method.CASUAL))
    hp = reader.take_whole_number("hp", 1, units.MAX_HP) if reader.has("hp") else None
    attacks = read_volley(reader, method) if reader.has("weapons") else (read_attack(reader, reader, method),)
    reader.check_all_taken(*RESULTS)
    is_volley = hp is not None or raw.get("weapons") is not None
    return Volley(attacks=attacks, hp=hp) if is_volley else attacks[0]


def read_attack(weapon: JsonReader, target: JsonReader, method: Method) -> Declared:
    """Parse one attack: ``weapon`` attacks, ``target`` has Defence and save; often the same object."""
    power = weapon.take_whole_number("power", 0, units.MAX_TYPED)
    defence = target.take_whole_number("defence", 0, units.MAX_TYPED)
    need = applied_line(method, power, defence).need
    has_shown = isinstance(weapon.take_raw("attack_dice"), list | tuple)
    shown = read_faces(weapon, "attack_dice" if has_shown else "faces", need)
    count = len(shown) if shown else 1
    declared = Declared(
        method=method,
        power=power,
        defence=defence,
        attack_dice=count if has_shown else weapon.take_whole_number("attack_dice", 1, MAX_DICE, count),
        save=read_save(target),
        faces=shown,
        weapon=clean(weapon.text("name", units.MAX_WEAPON_NAME)),
        ap=weapon.take_whole_number("ap", 0, units.MAX_AP, 0),
        save_faces=read_saves(weapon),
        asks_saves=target.flag("asks_saves"),
    )
    if shown is not None:
        check_faces(shown, need, declared.attack_dice)
    if declared.save_faces is not None:
        check_saves(declared, declared.save_faces)
    return declared


def read_volley(reader: JsonReader, method: Method) -> tuple[Declared, ...]:
    """Parse each weapon's attack; semicolons separate typed dice by weapon."""
    for word, option in OF_WEAPON.items():
        if reader.has(word):
            why = Text("Leave it out with `weapons`: each weapon has its own.")
            raise BadInputError(option, reader.take_raw(word), why)
    weapons = read_weapons(reader)
    by_hand = {key: split_dice(reader, key, len(weapons)) for key in ("faces", "save_faces")}
    attacks = []
    for number, weapon in enumerate(weapons):
        dice = {key: parts[number] for key, parts in by_hand.items() if parts is not None}
        part = JsonReader(weapon | dice)
        attacks.append(read_attack(part, reader, method))
        part.check_all_taken()
    dice_count = sum(attack.attack_dice for attack in attacks)
    if dice_count > MAX_DICE:
        given = Text("{dice_count} attack dice", dice_count=dice_count)
        raise BadInputError("weapons", given, Text("Use at most {most} attack dice in total.", most=MAX_DICE))
    return tuple(attacks)


def read_weapons(reader: JsonReader) -> list[dict[str, object]]:
    given = reader.take_raw("weapons")
    if isinstance(given, str):
        return [to_words(weapon) for weapon in units.parse_weapons(given)]
    items = reader.items("weapons", units.MAX_WEAPONS)
    if not items:
        raise BadInputError("weapons", given, Text("Use 1 to {most} weapons.", most=units.MAX_WEAPONS))
    for number, weapon in enumerate(items, 1):
        if not isinstance(weapon, Mapping):
            field = Text("weapons, weapon {number}", number=number)
            raise BadInputError(field, weapon, Text('Use an object like {"name": "Rifle", "power": 6}.'))
    return [dict(weapon) for weapon in items if isinstance(weapon, Mapping)]


def to_words(weapon: units.Weapon) -> dict[str, object]:
    return {"name": weapon.name, "power": weapon.power, "attack_dice": weapon.dice, "ap": weapon.ap}


def split_dice(reader: JsonReader, key: str, count: int) -> Sequence[str] | None:
    """Split typed dice by weapon; None without any."""
    text = reader.text(key, 1000).strip()
    if not text:
        return None
    parts = text.split(";")
    if len(parts) != count:
        message = N_("Use the dice of {count} weapons, with a semicolon between one weapon and the next.")
        raise BadInputError(key, text, Text(message, count=count))
    return [part.strip() for part in parts]


def check_saves(declared: Declared, shown: tuple[int, ...]) -> None:
    """Raise ``BadInputError`` unless every save due has one typed die."""
    text = " ".join(map(str, shown)) or "empty"
    if declared.asks_saves:
        raise BadInputError("save_faces", text, Text("Leave it out where the defender rolls the armour saves."))
    if declared.faces is None and declared.line.need.steps:
        why = Text("Use saves only with `faces`: the attack dice determine how many saves are needed.")
        raise BadInputError("save_faces", text, why)
    due = declared.saves_due(declared.successes(declared.faces or ()))
    if len(shown) != due:
        raise BadInputError("save_faces", text, Text("Use exactly {due}, one for each armour save needed.", due=due))


def read_save(reader: JsonReader) -> int | None:
    """Parse ``"5+"``, ``"5"`` or 5; None when missing."""
    if not reader.has("save"):
        return None
    given = reader.take_raw("save")
    text = str(given).strip()
    for face in units.SAVES:
        if text in (f"{face}", f"{face}+"):
            return face
    raise BadInputError("save", given, Text("Use 2+ to 6+."), Example("5+"))


# Physical dice


def parse_faces(text: str, need: Need) -> Faces:
    """Parse faces, or dice of a need that rolls once. Raises ``UnknownWordError``, ``BadInputError`` for too many."""
    how = HOW_IN_A_CHAIN if len(need.steps) > 1 else HOW
    dice = tuple(tuple(one_face(word, how=how) for word in die.split() if word != "-") for die in text.split(","))
    if len(need.steps) == 1:
        dice = tuple((face,) for die in dice for face in die)
    if len(dice) > MAX_DICE:
        raise BadInputError("faces", Count(len(dice), "die", "dice"), AtMost(MAX_DICE, Noun("die", "dice")))
    return dice


def one_face(word: str, field: str = "faces", how: Text = HOW) -> int:
    """Parse a face; raises ``UnknownWordError``, with ``how`` to write dice."""
    if word not in ("1", "2", "3", "4", "5", "6"):
        raise UnknownWordError(field, word, how)
    return int(word)


def typed_faces(faces: Faces) -> str:
    """Format faces for ``parse_faces``."""
    return ", ".join(" ".join(str(face) for face in die) or "-" for die in faces)


def read_faces(reader: JsonReader, key: str, need: Need) -> Faces | None:
    """Parse ``[[6, 2], [3]]``, ``[4, 1]`` or typed text; None when missing. Raises ``PlayerError`` naming the die."""
    given = reader.take_raw(key)
    if given is None or given == "":
        return None
    if isinstance(given, str):
        return parse_faces(given, need)
    result = list[tuple[int, ...]]()
    for number, die in enumerate(reader.items(key, MAX_DICE), 1):
        name = Text("{key}, die {number}", key=Code(key), number=number)
        faces = die if isinstance(die, list | tuple) else (die,)
        result.append(tuple(check_whole_number(name, face, 1, 6) for face in faces))
    return tuple(result)


def read_saves(reader: JsonReader) -> tuple[int, ...] | None:
    """Parse physical saves: ``5 2 6``, ``[5, 2, 6]``; ``-`` if none is due; None when missing."""
    given = reader.take_raw("save_faces")
    if given is None or given == "":
        return None
    if isinstance(given, str):
        return parse_row(given, "save_faces")
    return reader.wholes("save_faces", 1, 6, MAX_SAVES)


def parse_row(text: str, field: str) -> tuple[int, ...]:
    """Parse faces of dice rolled once: ``5 2 6``; raises ``UnknownWordError``."""
    return tuple(one_face(word, field) for word in text.replace(",", " ").split() if word != "-")


def parse_saves(text: str, due: Sequence[int]) -> list[tuple[int, ...]]:
    """Parse the defender's saves, the number due per weapon, weapons separated by semicolons. Raises ``BadInputError``
    for a wrong number, ``UnknownWordError`` for a word that is no face.
    """
    parts = [parse_row(part, "saves") for part in text.split(";")]
    if [len(part) for part in parts] != list(due):
        each = ", then a semicolon and ".join(map(str, due))
        raise BadInputError("saves", text, Text("Use one face for each armour save needed: {each}.", each=Code(each)))
    return parts


def check_faces(faces: Faces, need: Need, attack_dice: int) -> None:
    """Raise ``BadInputError`` unless there are ``attack_dice`` dice, each with as many faces as this need rolls."""
    if len(faces) != attack_dice:
        wanted = [Text("Use exactly {count}, one for each attack die.", count=attack_dice)]
        if not need.steps:
            wanted = [Text("Leave the faces out, because nothing is rolled.")]
        elif len(need.steps) == 1 and len(faces) > attack_dice:
            chains = Text("Chains like `6 5` exist only in the Balanced and Chart methods: choose one as `method`.")
            wanted.append(chains)
        raise BadInputError("faces", typed_faces(faces), *wanted)
    for number, die in enumerate(faces, 1):
        if not need.is_done(die):
            why = Text("Add one more face, because {text} rolls this die again.", text=Code(need.text))
            raise BadInputError(Text("faces, die {number}", number=number), typed_faces((die,)), why)
        due = next(die[:count] for count in range(len(die) + 1) if need.is_done(die[:count]))
        if due != die:
            message = N_("Use only `{faces}`, because {need} stops there.")
            why = Text(message, faces=Code(typed_faces((due,))), need=Code(need.text))
            why = why if due else Text("Use `-`, because nothing is rolled.")
            raise BadInputError(Text("faces, die {number}", number=number), typed_faces((die,)), why)
