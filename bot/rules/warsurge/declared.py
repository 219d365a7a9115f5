"""A WARSURGE attack as declared: Power against Defence, by one of the three methods."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.rules.dice import DICE_MOST
from bot.rules.errors import BadInput
from bot.rules.reading import Reader
from bot.rules.warsurge import faces
from bot.rules.warsurge.faces import Faces
from bot.rules.warsurge.methods import Applied, Method, applied

TYPED_MOST: Final = 1_000_000
"""The highest Power and Defence that can be typed; values above the caps count as the caps."""
SAVES: Final = range(2, 7)
"""Armour saves are 2+ to 6+."""
TOLD: Final = (
    *("id", "why", "note", "rule", "need", "p", "multiplier", "automatic", "successes", "hp_loss", "mean_hp_loss"),
    *("beyond_the_text", "mean_hp_per_die", *Method),
)
"""Words of a result; a case may carry them along, they declare nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """An attack. ``power`` and ``defence`` are as typed, before the caps.

    ``save``: the lowest face that saves. ``faces``: attack dice rolled by hand; None: the bot rolls.
    """

    method: Method
    power: int
    defence: int
    attack_dice: int = 1
    save: int | None = None
    faces: Faces | None = None

    @property
    def line(self) -> Applied:
        """The line of the method that applies."""
        return applied(self.method, self.power, self.defence)


def declare(raw: Mapping[str, object]) -> Declared:
    """A declaration in the words of the golden files; without ``method`` it is Casual.

    ``attack_dice`` may also be the list of faces, as in the worked cases. Raises ``BadInput`` naming the field,
    ``BadWord`` for a key or a typed face that nobody knows.
    """
    reader = Reader(raw)
    method = Method(reader.word("method", tuple(Method), Method.CASUAL))
    power, defence = reader.whole("power", 0, TYPED_MOST), reader.whole("defence", 0, TYPED_MOST)
    need = applied(method, power, defence).need
    key = "attack_dice" if isinstance(reader.raw("attack_dice"), list | tuple) else "faces"
    lying = faces.read(reader, key, need)
    count = len(lying) if lying else 1
    attack_dice = count if key == "attack_dice" else reader.whole("attack_dice", 1, DICE_MOST, count)
    if lying is not None:
        faces.check(lying, need, attack_dice)
    save = read_save(reader)
    for word in TOLD:
        reader.raw(word)
    reader.done()
    return Declared(method=method, power=power, defence=defence, attack_dice=attack_dice, save=save, faces=lying)


def read_save(reader: Reader) -> int | None:
    """``"5+"``, ``"5"`` or 5; None when missing."""
    if not reader.has("save"):
        return None
    given = reader.raw("save")
    text = str(given).strip()
    for face in SAVES:
        if text in (f"{face}", f"{face}+"):
            return face
    raise BadInput("save", given, "2+ to 6+, for example `5+`")
