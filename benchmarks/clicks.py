"""What people type and press for common things. Run ``python -m benchmarks.clicks`` from the top of the project.

Each way is played to its end in a simulated Discord, so what is counted here works. A key is a character that is typed,
Enter included; a command counts with all its options, though Discord completes them. A click is a press on a button, a
box or a radio button, a line that is clicked to type into it, and a form that is sent; a select is two, to open it and
to choose. Windows of an attack are played the same way every time: whatever changes dice is pressed, then Done.

The ways marked "typed" type the whole command at once; the others open its form. They are played in a channel that
chose **No tokens**, so that only what was typed counts. The first attacks that people commonly make are played twice:
with all tokens typed, and with each of them pressed once the dice show that it helps.
"""

import asyncio
import json
import tempfile
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import discord
import simcord

from bot.games import GAMES
from bot.runtime.app import App
from bot.settings import Settings

TEXT, RADIO, BOXES = 4, 21, 22
"""Kinds of fields in a form; any other is a select."""
MAX_STEPS: Final = 20
NOT_PLAYED: Final = (
    "Done",
    "I roll for both",
    "Advice",
    "Undo",
    "How?",
    "My ",
    "Attack again",
    "Bonus attack",
    "No bonus",
    "Withdraw",
    "End the round",
)
"""How the labels begin that change no dice."""
DRAWS: Final = (0, 4, 6, 3, 4, 7, 1, 0, 6, 3)
"""What falls: enough for an attack with a reroll."""
REBELS: Final = {"pilots": [{"id": "lukeskywalker"}]}
EMPIRE: Final = {"pilots": [{"id": "darthvader"}]}
ORTEGA: Final = "BS 11, PH 10, W 1, Pistol: B2 PS 6 N +6@8"
ANGUS: Final = "BS 12, PH 10, W 1, Combi: B3 PS 7 N +3@16"


@dataclass(slots=True)
class Table:
    """Two people in a channel, and what they have typed and pressed since the count began."""

    env: simcord.Env
    channel: simcord.ChannelHandle
    dice: deque[int]
    ana: simcord.MemberActor
    bo: simcord.MemberActor
    keys: int = 0
    clicks: int = 0

    def card(self) -> discord.Message:
        """The newest card; what somebody is told alone has none."""
        return next(item for item in reversed(self.channel.history(viewer=self.ana)) if item.embeds)

    async def types(self, by: simcord.MemberActor, command: str, **options: Any) -> Any:
        words = [f"/{command}", *(f"{name}:{value}" for name, value in options.items())]
        self.keys += len(" ".join(words)) + 1
        return await by.slash(self.channel, command, **options)

    async def presses(self, by: simcord.MemberActor, label: str) -> Any:
        self.clicks += 1
        return await by.click(self.card(), label=label)

    async def sends(self, by: simcord.MemberActor, shown: Any, **typed: str) -> None:
        """Fill in a form and send it; what stands there already is left alone."""
        parts = [part["component"] for part in shown.modal["components"]]
        kinds = {part["custom_id"]: part["type"] for part in parts}
        chosen = {
            part["custom_id"]: [item["value"] for item in part.get("options", ()) if item.get("default")]
            for part in parts
        }
        values: dict[str, Any] = {
            name: options[0] if kinds[name] == RADIO else options for name, options in chosen.items() if options
        }
        for name, value in typed.items():
            kind = kinds[name]
            self.clicks += 1 if kind in (TEXT, RADIO, BOXES) else 2
            self.keys += len(value) if kind == TEXT else 0
            values[name] = value if kind in (TEXT, RADIO) else [value]
        self.clicks += 1
        await by.submit_modal(shown, values)

    async def claims(self, held: Mapping[str, Sequence[str]]) -> None:
        """Play an attack in which each side presses what it holds as soon as it may, then Done."""
        left, lock = {name: [*tokens] for name, tokens in held.items()}, "Lock: reroll"
        for _ in range(MAX_STEPS):
            items = [item for row in self.card().components for item in getattr(row, "children", ())]
            labels = [str(getattr(item, "label", None) or getattr(item, "placeholder", "")) for item in items]
            if "Done" not in labels:
                return
            by = self.bo if "I roll for both" in labels else self.ana  # which stands where the defender is waited for
            tokens = left["defender" if by is self.bo else "attacker"]
            wanted = next((token for token in tokens if token in labels), "Done")
            if wanted != "Done":
                tokens.remove(wanted)
            if wanted == lock:
                self.clicks += 2
                (shown,) = (item for item in items if getattr(item, "placeholder", "") == lock)
                blanks = [option.value for option in shown.options if "blank" in option.label]
                await self.ana.select(self.card(), blanks, custom_id=shown.custom_id)
            else:
                await self.presses(by, wanted)
        raise AssertionError("the attack does not end")

    async def plays(self, *people: simcord.MemberActor) -> None:
        """Play an attack to its end."""
        for _ in range(MAX_STEPS):
            card = self.card()
            items = [item for row in card.components for item in getattr(row, "children", ())]
            labels = [str(item.label) for item in items if isinstance(item, discord.Button) and item.custom_id]
            useful = [label for label in labels if not label.startswith(NOT_PLAYED)]
            wanted = useful[0] if useful else "Done" if "Done" in labels else ""
            if not wanted:
                return
            for by in people:
                before = self.card().embeds[0].to_dict()
                await by.click(card, label=wanted)
                if self.card().embeds[0].to_dict() != before:
                    self.clicks += 1
                    break
            else:
                raise AssertionError(f"nobody may press {wanted}")
        raise AssertionError("the attack does not end")


Way = Callable[[Table], Awaitable[None]]


async def attack_typed(table: Table) -> None:
    options = {"dice": 3, "agility": 2, "with": "focus", "against": "evade"}
    await table.types(table.ana, "xwing attack", **options)
    await table.plays(table.ana, table.bo)


async def attack_form(table: Table) -> None:
    shown = await table.types(table.ana, "xwing attack")
    await table.sends(table.ana, shown, dice="3", agility="2", against="evade", **{"with": "focus"})
    await table.plays(table.ana, table.bo)


async def ships(table: Table) -> None:
    """Luke and Vader, a token each, in the Engagement Phase; not counted."""
    await table.ana.slash(table.channel, "xwing squad", text=json.dumps(REBELS), side="first")
    await table.bo.slash(table.channel, "xwing squad", text=json.dumps(EMPIRE))
    focus = {"token": "focus"}
    for by, ship in ((table.bo, "Darth Vader"), (table.ana, "Luke Skywalker")):
        await by.slash(table.channel, "xwing token give", ship=ship, **focus)
    for _ in range(3):
        await table.ana.slash(table.channel, "xwing phase")
    await table.bo.slash(table.channel, "xwing engage", ship="Darth Vader")
    await table.ana.slash(table.channel, "table show")


async def ships_typed(table: Table) -> None:
    names = {"attacker": "Luke Skywalker", "defender": "Darth Vader"}
    await table.types(table.ana, "xwing attack", **names, range=2)
    await table.plays(table.ana, table.bo)


async def ships_form(table: Table) -> None:
    """Both ships are chosen already: there is one of each side."""
    shown = await table.types(table.ana, "xwing attack")
    await table.sends(table.ana, shown, range="2")
    await table.plays(table.ana, table.bo)


async def ships_board(table: Table) -> None:
    shown = await table.presses(table.ana, "Attack")
    await table.sends(table.ana, shown, range="2")
    await table.plays(table.ana, table.bo)


async def challenge(table: Table) -> None:
    """Angus attacks with one die; not counted."""
    await table.ana.slash(table.channel, "infinity versus", sv=12, burst=1, name="Angus", opponent=table.bo)


async def reaction(table: Table) -> None:
    await table.sends(table.bo, await table.presses(table.bo, "React"), sv="11", kind="dodge")


async def order(table: Table) -> None:
    """Angus attacks Ortega, both of the channel, and reactions are waited for; not counted."""
    await table.ana.slash(table.channel, "infinity profile set", name="Angus", stats=ANGUS)
    await table.bo.slash(table.channel, "infinity profile set", name="Ortega", stats=ORTEGA)
    text = "Angus Combi at 8 vs Ortega"
    await table.ana.slash(table.channel, "infinity order", text=text, opponent=table.bo, aros=True)


async def aro(table: Table) -> None:
    await table.sends(table.bo, await table.presses(table.bo, "Ortega reacts"), does="Pistol")


async def nothing(_: Table) -> None:
    """An empty channel."""


WAYS: Final[tuple[tuple[str, str, Way, Way], ...]] = (
    ("A first attack, empty channel", "typed", nothing, attack_typed),
    ("A first attack, empty channel", "the form of the command", nothing, attack_form),
    ("An attack between two ships", "typed", ships, ships_typed),
    ("An attack between two ships", "the form of the command", ships, ships_form),
    ("An attack between two ships", "on the board", ships, ships_board),
    ("A reaction (Dodge), numbers", "React on the card", challenge, reaction),
    ("A reaction (shot), troopers", "its button on the card", order, aro),
)


@dataclass(frozen=True, slots=True)
class FirstAttack:
    """What is typed of both sides' tokens beforehand, and the buttons that they press instead."""

    title: str
    typed: Mapping[str, str] = field(default_factory=dict)
    attacker: Sequence[str] = ()
    defender: Sequence[str] = ()

    async def beforehand(self, table: Table) -> None:
        await table.types(table.ana, "xwing attack", dice=3, agility=2, **self.typed)
        await table.plays(table.ana, table.bo)

    async def afterward(self, table: Table) -> None:
        await table.types(table.ana, "xwing attack", dice=3, agility=2)
        await table.claims({"attacker": self.attacker, "defender": self.defender})


FIRST_ATTACKS: Final = (
    FirstAttack("nobody has tokens"),
    FirstAttack("a focus", {"with": "focus"}, ["Focus"]),
    FirstAttack("a focus against an evade", {"with": "focus", "against": "evade"}, ["Focus"], ["Evade"]),
    FirstAttack(
        "a lock and a focus against a focus",
        {"with": "lock, focus", "against": "focus"},
        ["Lock: reroll", "Focus"],
        ["Focus"],
    ),
    FirstAttack(
        "two force against an evade and a focus",
        {"with": "force 2", "against": "evade, focus"},
        ["Force", "Force"],
        ["Focus", "Evade"],
    ),
)
SECONDS_A_KEY, SECONDS_A_TAP = 0.33, 1.2
"""On a phone: 36 words of five characters a minute (Palin and others, 2019), and as long for a tap as to find it."""


@dataclass(slots=True)
class Dice:
    """What falls: the draws in a ring, within the sides of each die."""

    waiting: deque[int] = field(default_factory=lambda: deque(DRAWS))

    def __call__(self, sides: int) -> int:
        self.waiting.rotate(-1)
        return self.waiting[-1] % sides


async def count(before: Way, way: Way, tokens: str = "none") -> tuple[int, int]:
    """Keys and clicks of one way in a Discord of its own; ``tokens``: as its channel chose (**No tokens**)."""
    GAMES["xwing"].commands.at_table["tokens"] = tokens  # type: ignore[index]  # it is a dict
    with tempfile.TemporaryDirectory() as folder:
        database, dice = f"sqlite+aiosqlite:///{Path(folder) / 'rolls.db'}", Dice()
        app = App(Settings.model_construct(database_url=database, welcome=False), rng=dice, faces=())
        async with simcord.run(app, shard_count=1, check_errors=False) as env:
            guild = env.create_guild("The Gaming Club")
            channel = guild.create_text_channel("dice-table")
            ana, bo = (guild.add_member(env.create_user(name, global_name=name.capitalize())) for name in ("ana", "bo"))
            await env.settle()
            table = Table(env, channel, dice.waiting, ana, bo)
            await before(table)
            dice.waiting = deque(DRAWS)
            await way(table)
    return table.keys, table.clicks


def main() -> None:
    print("| what | how | keys | clicks |\n|---|---|---|---|")
    for what, how, before, way in WAYS:
        keys, clicks = asyncio.run(count(before, way))
        print(f"| {what} | {how} | {keys} | {clicks} |", flush=True)
    print(
        "\n| first attack | typed: keys | taps | seconds | pressed: keys | taps | seconds |\n"
        "|---|---|---|---|---|---|---|"
    )
    for first in FIRST_ATTACKS:
        counts = [
            *asyncio.run(count(nothing, first.beforehand)),
            *asyncio.run(count(nothing, first.afterward, "press")),
        ]
        columns = (f"{keys} | {taps} | {seconds(keys, taps):.0f}" for keys, taps in (counts[:2], counts[2:]))
        print(f"| {first.title} | {' | '.join(columns)} |", flush=True)


def seconds(keys: int, taps: int) -> float:
    """About how long that takes on a phone."""
    return keys * SECONDS_A_KEY + taps * SECONDS_A_TAP


if __name__ == "__main__":
    main()
