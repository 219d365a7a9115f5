"""Round one of four against four with cards on both sides, counted: what people press, pick, fill in and see."""

import json
import re
from collections import Counter
from random import Random
from typing import Any

import discord
import pytest
import simcord

from bot.rules.xwing.table.match import MATCH, activating_ships, ships_of, waiting_ships
from bot.runtime.app import App
from bot.sessions.request import Place
from tests.cogs.test_first_round import Seeded
from tests.cogs.test_plans import fill
from tests.cogs.test_xwing_board import items
from tests.conftest import Club, Dice

REBELS: dict[str, Any] = {
    "faction": "rebelalliance",
    "pilots": [
        {"id": "lukeskywalker", "upgrades": ["protontorpedoes", "r2d2", "servomotorsfoils"]},
        {"id": "wedgeantilles", "upgrades": ["outmaneuver", "servomotorsfoils"]},
        {"id": "hortonsalm", "upgrades": ["ioncannonturret", "veteranturretgunner"]},
        {"id": "cassianandor", "upgrades": ["pivotwing"]},
    ],
}
EMPIRE: dict[str, Any] = {
    "faction": "galacticempire",
    "pilots": [
        {"id": "darthvader", "upgrades": ["firecontrolsystem"]},
        {"id": "soontirfel", "upgrades": ["predator"]},
        {"id": "howlrunner"},
        {"id": "academypilot"},
    ],
}
ANAS = ("Luke Skywalker", "Wedge Antilles", "Horton Salm", "Cassian Andor")
MAX_STEPS = 200


class Chance(Seeded):
    def __init__(self, seed: int) -> None:
        super().__init__()
        self.chance = Random(seed)


@pytest.fixture
def dice(request: pytest.FixtureRequest) -> Dice:
    return Chance(getattr(request, "param", 38))


class Round:
    """Two people who press what the newest message offers first; nobody types."""

    anas = ANAS

    def __init__(self, club: Club) -> None:
        self.club, self.counts = club, Counter[str]()

    async def play(self) -> Counter[str]:
        club = self.club
        await club.ana.slash(club.channel, "xwing squad", text=json.dumps(REBELS))
        await club.bo.slash(club.channel, "xwing squad", text=json.dumps(EMPIRE))
        before = len(club.channel.history())
        await self.press(club.ana, "Roll for the first player")
        for who, target in ((club.ana, "Darth Vader"), (club.bo, "Luke Skywalker")):
            form = await self.press(who, "Tokens and locks")
            groups = [part["component"] for part in form.modal["components"]]
            ticked = {item["custom_id"]: [self.tick(item, target, at)] for at, item in enumerate(groups)}
            await self.submit(who, form, ticked)
        for _ in range(MAX_STEPS):
            if (await self.pieces())[MATCH].round > 1:
                break
            await self.go_on()
        self.counts["messages"] = len(club.channel.history()) - before
        return self.counts

    def tick(self, group: dict[str, Any], target: str, at: int) -> str:
        """A lock for the first ship, focus or evade in turns for the others."""
        wanted = f"Lock on {target}" if at == 0 else ("Focus", "Evade")[at % 2]
        return next(str(item["value"]) for item in group["options"] if item["label"] == wanted)

    async def go_on(self) -> None:
        club, card = self.club, self.newest
        choices = [
            item for item in items(card) if ":next:" not in str(item.custom_id) and ":on:" not in str(item.custom_id)
        ]
        labels = [str(getattr(item, "label", "")) for item in choices]
        who = next(
            (one for name, one in (("Ana", club.ana), ("Bo", club.bo)) if f"{name}'s turn" in self.text(card)), None
        )
        if who is not None:
            helps = [label for label in labels if label.startswith(("Focus:", "Force:", "Evade:"))]
            self.counts["windows"] += 1
            await self.press(who, (*helps, "Done")[0])
            return
        every = [str(getattr(item, "label", "")) for item in items(card)]
        if begins := next((one for one in every if one in ("Begin the Engagement Phase", "End the round")), ""):
            await self.press(club.ana, begins)
        elif claim := next((one for one in every if one.startswith("Soontir Fel: gain 1 focus")), ""):
            await self.press(club.bo, claim)
        elif "No bonus attack" in every:  # Horton's, and he wants none
            await self.press(club.ana, "No bonus attack")
        else:
            await self.attack(every)

    async def attack(self, every: list[str]) -> None:
        label = next(item for item in every if item.startswith("Next: ") or item == "Attack")
        match, ships = (await self.pieces())[MATCH], ships_of(await self.pieces())

        name = waiting_ships(match, ships)[0].name
        who = self.club.ana if name in self.anas else self.club.bo
        form = await self.press(who, label)
        values: dict[str, Any] = {}
        for part in form.modal["components"]:
            entry = part["component"]
            offered = [item["value"] for item in entry["options"]]
            chosen = [item["value"] for item in entry["options"] if item.get("default")]
            if entry.get("required", True):
                values[entry["custom_id"]] = "2" if entry["custom_id"] == "range" else (chosen or offered)[0]
        kinds = {part["component"]["custom_id"]: part["component"]["type"] for part in form.modal["components"]}
        values = {key: [item] if kinds[key] in (3, 22) else item for key, item in values.items()}
        await self.submit(who, form, values)

    @property
    def newest(self) -> discord.Message:
        return max((item for item in self.club.channel.history() if items(item)), key=lambda item: item.id)

    def text(self, card: discord.Message) -> str:
        return str(card.embeds[0].to_dict()) if card.embeds else ""

    async def pieces(self) -> dict[str, Any]:
        client = self.club.env.bot
        assert isinstance(client, App)
        return await client.tables.pieces(Place(self.club.channel.id, self.club.guild.id), "xwing")

    async def press(self, who: simcord.MemberActor, label: str) -> Any:
        self.counts["presses"] += 1
        return await who.click(self.newest, label=label)

    async def submit(self, who: simcord.MemberActor, form: Any, values: dict[str, Any]) -> None:
        assert form.modal is not None
        self.counts["forms"] += 1
        await who.submit_modal(form, values)


@pytest.mark.parametrize("dice", [1, 2, 3], indirect=True)
async def test_what_round_one_takes(club: Club) -> None:
    """What cards ask in the windows of attacks is up to the dice; the rest is always the same."""
    counts = await Round(club).play()
    print(dict(counts))  # noqa: T201 - the report
    assert counts["selects"] == 0
    assert counts["forms"] <= 10, "two of tokens and locks, eight attacks"
    assert counts["messages"] <= 9, "eight attacks, and the board of the next round"
    assert counts["presses"] - counts["windows"] <= 15, (
        "the first player, two forms, the phase and its start, eight attacks, a bonus attack passed by, the end"
    )
    assert counts["presses"] <= 28


class DialRound(Round):
    """The same with dials: plans in forms, then a reveal with its action, and attacks."""

    async def play(self) -> Counter[str]:
        club = self.club
        await club.ana.slash(club.channel, "xwing squad", text=json.dumps(REBELS), side="first")
        await club.bo.slash(club.channel, "xwing squad", text=json.dumps(EMPIRE))
        for who in (club.ana, club.bo):
            await self.plan(who)
        self.counts["planning"], self.counts["presses"] = self.counts["presses"] + self.counts["forms"], 0
        while ready := activating_ships((await self.pieces())[MATCH], ships_of(await self.pieces())):
            reveal = next(label for label in self.labels if re.fullmatch(r"Reveal.* · Focus", label))
            await self.press(club.ana if ready[0].name in ANAS else club.bo, reveal)
        self.counts["activation"], self.counts["presses"], self.counts["forms"] = self.counts["presses"], 0, 0
        for _ in range(MAX_STEPS):
            if (await self.pieces())[MATCH].round > 1:
                break
            await self.go_on()
        return self.counts

    @property
    def labels(self) -> list[str]:
        return [str(getattr(item, "label", "")) for item in items(self.newest)]

    async def plan(self, who: simcord.MemberActor) -> None:
        opened = await self.press(who, "Plan")
        chosen = {"ready": "now"}
        for entry in (part["component"] for part in opened.modal["components"]):
            values = (str(item["value"]) for item in entry.get("options", ()))
            if code := next((item for item in values if re.fullmatch("2F[BW]", item)), ""):
                chosen[entry["custom_id"]] = code
        await self.submit(who, opened, fill(opened.modal, chosen))


@pytest.mark.parametrize("dice", [1], indirect=True)
async def test_what_a_round_with_dials_takes(club: Club) -> None:
    counts = await DialRound(club).play()
    print(dict(counts))  # noqa: T201 - the report
    assert counts["planning"] == 4, "a press and a form for each player"
    assert counts["activation"] == 8, "a reveal with its action for each ship"
    assert counts["presses"] <= 24, "eight attacks, their windows, the phase, a card at its start, and the end"
