"""A turn of ten orders, fifteen troopers a side, by two people with forms and buttons alone: what it costs them.

``python -m pytest -s tests/wire/test_infinity_turn.py`` prints the figures, and every card.
"""

import json
import re
from typing import Any, Final

from tests.rules.infinity.test_army import code
from tests.wire.commands import Attached
from tests.wire.forms import Form
from tests.wire.interactions import Answer
from tests.wire.messages import Message
from tests.wire.wire import SEEDED, Wire
from tests.wire.world import Person

SEED: Final = "5"
RIFLE, KNIFE, GUN, FLAMER, SWORD = 1, 2, 3, 4, 5
PLAIN: Final = {"bs": 12, "cc": 13, "ph": 11, "wip": 12, "arm": 1, "bts": 0, "w": 1}
KITS: Final[tuple[tuple[tuple[str, str], int, dict[str, int], dict[str, str], tuple[int, ...]], ...]] = (
    (("RIFLEMAN", "TROOPER"), 8, {}, {}, (RIFLE, KNIFE)),
    (("MEDIC", "HEALER"), 1, {"wip": 14}, {"Doctor": ""}, (RIFLE, KNIFE)),
    (("NETMAN", "CODER"), 1, {"wip": 15, "bts": 3}, {"Hacker": "", "Hacking Device": ""}, (RIFLE, KNIFE)),
    (("GUNNER", "HEAVY"), 1, {"bs": 13}, {}, (GUN, KNIFE)),
    (("BLADE", "MONK"), 1, {"cc": 22, "ph": 13, "arm": 2}, {"Martial Arts L3": ""}, (SWORD,)),
    (("WALL", "TANK"), 2, {"arm": 4, "bts": 3, "w": 2}, {}, (FLAMER, KNIFE)),
    (("SHADE", "GHOST"), 1, {"wip": 13}, {"Mimetism": "-6"}, (RIFLE, KNIFE)),
)
"""Ben's and Cleo's name for it, how many, what is unlike PLAIN, skills with their extra, weapons."""


def weapon(number: int, name: str, burst: str, damage: str, *properties: str, **distance: tuple[int, str]) -> Any:
    bands = {band: {"max": most, "mod": mod} for band, (most, mod) in distance.items()}
    return {
        "id": number,
        "name": name,
        "burst": burst,
        "damage": damage,
        "saving": "ARM",
        "savingNum": "1",
        "ammunition": 1,
        "properties": list(properties),
        "distance": bands or None,
    }


WEAPONS: Final = (
    weapon(RIFLE, "Rifle", "3", "7", short=(40, "+3"), med=(80, "-3"), long=(120, "-6")),
    weapon(KNIFE, "Knife", "1", "6", "CC"),
    weapon(GUN, "Machine Gun", "4", "5", short=(20, "-3"), med=(80, "+3"), long=(120, "-3")),
    weapon(FLAMER, "Flamer", "1", "6", "Direct Template (Large Teardrop)"),
    weapon(SWORD, "Sword", "1", "5", "CC"),
)


def army(side: int) -> str:
    """An invented army in the official form; ``side`` says whose names its units have."""
    units = [
        {
            "id": number,
            "name": kit[0][side].title(),
            "profileGroups": [
                {
                    "id": 1,
                    "profiles": [PLAIN | kit[2] | {"name": kit[0][side], "str": False}],
                    "options": [
                        {
                            "id": 1,
                            "name": kit[0][side],
                            "skills": [{"id": item, "extra": [more] if more else []} for item, more in kit[3].items()],
                            "weapons": [{"id": item} for item in kit[4]],
                        }
                    ],
                }
            ],
        }
        for number, kit in enumerate(KITS, 1)
    ]
    return json.dumps({"units": units, "weapons": WEAPONS, "ammunitions": [{"id": 1, "name": "N"}], "filters": {}})


CODE: Final = code(*((number, 1, 1) for number, kit in enumerate(KITS, 1) for _ in range(kit[1])))


def read(message: Message) -> str:
    """Every word of a card, those of its picture as well."""
    return "\n".join([message.text, *(file.description or "" for file in message.attachments)])


class Turn:
    """Ben's turn against Cleo; both are plain members. What they do is counted."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        _, self.ben, self.cleo, _ = wire.people
        self.presses = self.picks = self.forms = self.keys = self.commands = 0

    async def type(self, who: Person, line: str, **options: Any) -> Answer:
        self.commands += 1
        return await self.wire.slash(who, self.wire.channel, line, **options)

    async def muster(self) -> None:
        """Each takes a list by its code, with the file of the army."""
        for side, person in enumerate((self.ben, self.cleo)):
            data = army(side).encode()
            self.wire.rest.files[f"{side}.json"] = data
            file = Attached(f"{side}.json", len(data), self.wire.file(f"{side}.json"))
            answer = await self.type(person, "infinity profile import", code=CODE, file=file)
            assert "15 troopers saved" in answer.text

    def troopers(self) -> dict[str, Any]:
        return {name: json.loads(body) for name, body in self.wire.rows("SELECT name, body FROM piece ORDER BY key")}

    def states(self, name: str) -> list[str]:
        return list(self.troopers()[name].get("states", []))

    def is_bens(self, name: str) -> bool:
        return any(name.startswith(kit[0][0]) for kit in KITS)

    def player(self, name: str) -> Person:
        return self.ben if self.is_bens(name) else self.cleo

    async def fill(self, person: Person, form: Form, /, **picked: str) -> Answer:
        """Pick what is said in a form and send it; several picks stand with commas. Nothing is typed."""
        values: dict[str, str | list[str]] = {name: picks.split(", ") for name, picks in picked.items()}
        for entry in form.entries:
            picks = values.get(entry.custom_id, [])
            there = {value for _, value in entry.options}
            assert set(picks) <= there, f"{entry.label}: {picks} of {sorted(there)}"
        self.picks += sum(map(len, values.values()))
        self.forms += 1
        return await self.wire.submit(person, form, values)

    async def press(self, who: Person, message: Message, label: str) -> Answer:
        self.presses += 1
        return await self.wire.press(who, self.wire.now(message), label)

    async def declare(self, who: str, whom: str, **attack: str) -> Message:
        """Ben's order: who, whom, and how."""
        form = (await self.type(self.ben, "infinity order")).modal
        shown = (await self.fill(self.ben, form, who=who, whom=whom)).shown
        form = (await self.press(self.ben, shown, f"{who}: weapon and distance")).modal
        await self.fill(self.ben, form, **attack)
        return shown

    async def only_cleo_reacts(self, message: Message, name: str) -> None:
        """Somebody else's trooper is not Ben's to declare with."""
        form = (await self.wire.press(self.ben, self.wire.now(message), f"{name} reacts")).modal
        answer = await self.wire.submit(self.ben, form, {"does": ["dodge"]})
        assert f"{name} belongs to Cleo" in answer.text

    async def react(self, message: Message, name: str, **how: str) -> list[str]:
        """Cleo's reaction; what the form offered."""
        form = (await self.press(self.cleo, message, f"{name} reacts")).modal
        answer = await self.fill(self.cleo, form, **how)
        assert not answer.ephemeral, answer.text
        return [value for entry in form.entries if entry.custom_id == "does" for _, value in entry.options]

    async def roll(self, message: Message, refused: str = "") -> str:
        """All dice, then every Saving Roll and Guts Roll by whose trooper it is; the card before the saves."""
        await self.press(self.ben, message, "Roll all dice")
        card = read(self.wire.now(message))
        while due := [label for label in self.wire.now(message).buttons if " saves" in label or "Guts Roll" in label]:
            name = due[0].removeprefix("Guts Roll of ").partition(" saves")[0].partition(" (WIP")[0]
            if name == refused:
                answer = await self.wire.press(self.ben, self.wire.now(message), due[0])
                assert "Cleo" in answer.text
                assert answer.ephemeral, "Ben does not save for her"
            await self.press(self.player(name), message, due[0])
        print(read(self.wire.now(message)), "\n---")  # noqa: T201 - the report
        return card

    @property
    def figures(self) -> str:
        return (
            f"{self.presses} presses, {self.picks} picks in lists, {self.forms} forms sent, {self.keys} keys, "
            f"{self.commands} commands"
        )


def has_value(shown: str, name: str, value: int) -> bool:
    """Whether somebody rolled against a Success Value, whoever won."""
    return re.search(rf"{name}(?: wins)?, SV {value}\b", shown) is not None


async def test_a_turn_of_ten_orders_with_forms_and_buttons_alone(wire: Wire) -> None:
    """The sums beside each order are worked by hand from the profiles above."""
    turn = Turn(wire)
    await wire.start_bot(SEEDED, {"SEED": SEED})
    await turn.muster()

    card = await turn.declare("RIFLEMAN #1", "TROOPER #1", weapon="Rifle", at="0-16", around="cover")
    await turn.only_cleo_reacts(card, "TROOPER #1")
    await turn.react(card, "TROOPER #1", does="Rifle")
    shown = await turn.roll(card, refused="TROOPER #1")
    assert has_value(shown, "RIFLEMAN #1", 12), "BS 12, +3 range, -3 cover"
    assert has_value(shown, "TROOPER #1", 15), "BS 12, +3 range"

    card = await turn.declare("RIFLEMAN #2", "GHOST", weapon="Rifle", at="16-24")
    await turn.react(card, "GHOST", does="dodge")
    shown = await turn.roll(card)
    assert has_value(shown, "RIFLEMAN #2", 3), "BS 12, -3 range, -6 Mimetism"
    assert has_value(shown, "GHOST", 11), "PH 11"

    both = "TROOPER #2, TROOPER #3"
    card = await turn.declare("GUNNER", both, weapon="Machine Gun", target=both, at="8-16")
    await turn.react(card, "TROOPER #2", does="Rifle")
    await turn.react(card, "TROOPER #3", does="dodge")
    shown = await turn.roll(card)
    assert len(re.findall(r"GUNNER(?: wins)?, SV 16", shown)) == 2, "two dice for each"
    assert has_value(shown, "GUNNER", 16), "BS 13, +3 range"
    assert has_value(shown, "TROOPER #2", 15)

    card = await turn.declare("BLADE", "MONK")
    await turn.react(card, "MONK", does="Sword")
    shown = await turn.roll(card)
    assert has_value(shown, "BLADE", 22), "CC 22, +3 its own Martial Arts, -3 the enemy's"
    assert has_value(shown, "MONK", 22), "the same"

    card = await turn.declare("NETMAN", "CODER", weapon="Carbonite")
    await turn.react(card, "CODER", does="reset")
    shown = await turn.roll(card)
    assert has_value(shown, "NETMAN", 15)
    assert has_value(shown, "CODER", 15)
    assert turn.states("CODER") == ["Immobilized-B"], "the state follows from the hit"

    card = await turn.declare("RIFLEMAN #3", "CODER", weapon="Rifle", at="0-16")
    assert await turn.react(card, "CODER", does="reset") == ["reset"], "the state rules what the form offers"
    shown = await turn.roll(card)
    assert has_value(shown, "CODER", 12), "WIP 15, -3 Immobilized-B"

    await turn.type(turn.cleo, "infinity profile state", name="GHOST", state="Camouflaged")
    card = await turn.declare("SHADE", "GHOST", weapon="discover", at="0-8")
    shown = await turn.roll(card)
    assert has_value(shown, "SHADE", 10), "WIP 13, +3 up to 8 inches, -6 Mimetism"
    assert "GHOST is no longer Camouflaged." in shown
    assert turn.states("GHOST") == []

    card = await turn.declare("RIFLEMAN #4", "GHOST", weapon="Rifle", at="0-16")
    await turn.react(card, "GHOST", does="Rifle")
    form = (await turn.press(turn.cleo, card, "Add an ARO")).modal
    assert not (await turn.fill(turn.cleo, form, who="HEAVY", does="Machine Gun", at="8-16")).ephemeral
    shown = await turn.roll(card)
    assert has_value(shown, "HEAVY", 16), "BS 13, +3 range"
    assert has_value(shown, "RIFLEMAN #4", 9), "BS 12, +3 range, -6 Mimetism"
    assert has_value(shown, "GHOST", 15)

    patient = next(name for name in turn.troopers() if turn.states(name) == ["Unconscious"] and turn.is_bens(name))
    card = await turn.declare("MEDIC", patient, weapon="doctor")
    shown = await turn.roll(card)
    assert has_value(shown, "MEDIC", 14), "WIP 14"
    assert f"{patient} is no longer Unconscious." in shown, "a 7 against 14"
    assert turn.states(patient) == []

    both = "TROOPER #4, TROOPER #5"
    card = await turn.declare("WALL #1", both, weapon="Flamer", target=both)
    await turn.react(card, "TROOPER #4", does="dodge")
    await turn.react(card, "TROOPER #5", does="dodge")
    shown = await turn.roll(card)
    assert "TROOPER #4" in shown
    assert "SV 11" in shown, "PH 11"

    assert turn.keys == 0
    assert turn.commands == 2 + 10 + 1, "two lists, an order each, one state that no roll brings"
    print(turn.figures)  # noqa: T201 - the report
