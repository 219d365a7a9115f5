"""Fresh attacks: what others learn when they guess, copy, give, take back, upload, or provoke errors.

Evenings that differ in Ana's secrets alone: her dials, who of her army is hidden, her facedown cards, and the dice of
her secret roll. Bo plays against her, Cleo looks on, and each attack is made by both, one after the other. What they
are told, and all that they see afterward, is the same.
"""

import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import discord
import pytest
import simcord
from discord import app_commands

from bot.games import GAMES
from bot.runtime.app import App
from bot.sessions.request import Place
from bot.ui.live.replay import AnnotatedMatch, json_of, page_of
from tests import conftest
from tests.cogs.test_hidden_army import (
    CAPTAIN,
    DIVER,
    GRUNT,
    KUNAI,
    NINJA,
    against,
    import_and_place,
    keep_another_army,
)
from tests.cogs.test_infinity_markers import HEX
from tests.cogs.test_plan_leaks import plan_of, without_times
from tests.cogs.test_plans import ESCORT, LUKE, plan
from tests.cogs.test_secret_leaks import opened, seen, world
from tests.cogs.test_xwing_board import ANA, BO, board, listed
from tests.conftest import Club
from tests.crawler import components, filled, rows_of
from tests.rules.infinity.test_army import code

ARMIES: Final = ((CAPTAIN, KUNAI, GRUNT), (CAPTAIN, NINJA, DIVER, GRUNT))
CARDS: Final = ((7, 9), (3, 20))
DICE: Final = ((0, 0, 0), (5, 5, 5, 1, 5, 2, 0))
NAMES: Final = ("KUNAI", "NINJA", "DIVER", LUKE)
NEAR: Final[tuple[Callable[[str], str], ...]] = (
    *(str.lower, lambda name: name[:3], lambda name: f"{name} #1", lambda name: name.replace("I", "1")),
)
TYPED: Final[Mapping[str, Mapping[str, str]]] = {
    "infinity order": {"text": "Hector combi at 10 vs {0}"},
    "infinity roll": {"name": "{0}"},
    "infinity versus": {"name": "Hector", "vs_name": "{0}"},
    "infinity odds": {"order": "Hector combi at 10 vs {0} dodge"},
    "infinity profile state": {"name": "{0}", "state": "Prone"},
    "initiative join": {"name": "{0}", "roll": "1d6"},
    "xwing ship list": {},
    "xwing attack": {"attacker": "Howlrunner", "defender": "{0}"},
    "xwing hazard": {"ship": "{0}", "what": "asteroid"},
}
"""Commands that take the name of a piece."""


class Attackers:
    """Those who are not Ana. ``heard``: what they were told, by the attack."""

    def __init__(self, club: Club) -> None:
        self.club, self.people = club, (club.bo, club.cleo)
        self.heard, self._now = dict[str, str](), list[str]()

    async def types(self, line: str, *people: simcord.MemberActor, **given: Any) -> None:
        for one in people or self.people:
            self.club.dice.waiting.clear()
            self.club.dice.will_show(*[2] * 60)
            with suppress(simcord.SetupError):
                await self.hear(one, await one.slash(self.club.channel, line, **given))

    async def hear(self, one: simcord.MemberActor, answer: simcord.InteractionResult) -> None:
        shown = [item for item in (answer.response, *answer.followups) if item is not None]
        self._now += [f"{item.content} {[embed.to_dict() for embed in item.embeds]}" for item in shown]
        for item in shown:
            self._now += [repr((part.filename, await part.read())) for part in getattr(item, "attachments", ())]
        if answer.modal is not None:
            self._now.append(repr(answer.modal))
            with suppress(simcord.SetupError):
                await self.hear(one, await one.submit_modal(answer, filled(answer.modal, self.club.ana)))

    async def press(self, messages: Iterable[discord.Message], *words: str) -> None:
        """Press whatever on some messages has one of these words in its id."""
        for message in list(messages):
            for part in components(rows_of(message)):
                if any(word in part["custom_id"] for word in words):
                    for one in self.people:
                        await self.hear(one, await self.club.press(one, part["custom_id"], on=message))

    async def note(self, attack: str) -> None:
        now = [*self._now, *[await seen(self.club, one) for one in self.people]]
        self.heard[attack] = HEX.sub("#", without_times("\n".join(now)))
        self._now.clear()

    # The attacks

    async def near_names(self) -> None:
        """Each name at each command, and each way to write it at each name and at each command."""
        for at, name in enumerate(NAMES):
            for place, (line, given) in enumerate(TYPED.items()):
                near = NEAR[(at + place) % len(NEAR)](name)
                await self.types(line, self.club.bo, **{key: text.format(near) for key, text in given.items()})

    async def suggestions(self) -> None:
        """Everything that is suggested for the beginnings of names."""
        tree: Any = self.club.env.bot.tree  # type: ignore[attr-defined]  # it is our App
        for command in [item for item in tree.walk_commands() if isinstance(item, app_commands.Command)]:
            for option in (item.display_name for item in command.parameters if item.autocomplete):
                for typed in ("K", "DIV", "kunai", "Luke", "1F"):
                    with suppress(simcord.SetupError):
                        asked = self.club.bo.autocomplete(self.club.channel, command.qualified_name, option, typed)
                        self._now.append(repr(await asked))

    async def copies_and_renames(self) -> None:
        for name in ("KUNAI", "NINJA", "DIVER"):
            await self.types("infinity profile copy", name=name, new_name=f"{name} 2")
            await self.types("infinity profile copy", self.club.bo, name="Hector", new_name=name)
            await self.types("infinity order", self.club.bo, text=f"{name} 12 vs GRUNT dodge")
            await self.types("infinity profile remove", self.club.bo, name=name)
        await self.types("xwing ship add", self.club.bo, name=f"{LUKE} #2", attack=3, hull=4)
        await self.types("xwing ship remove", self.club.bo, name=f"{LUKE} #2")

    async def gives_away(self) -> None:
        """A ship with a closed dial, Bo's own with his, and troopers who are hidden."""
        await plan(self.club, self.club.bo, {"Howlrunner": "2TW", "Academy Pilot": "3FB"})
        for name in (LUKE, "Howlrunner"):
            await self.types("xwing ship give", ship=name, player=self.club.cleo)
        await self.types("xwing ship give", self.club.cleo, ship="Howlrunner", player=self.club.bo)
        for name in ("KUNAI", "NINJA", "GRUNT"):
            await self.types("infinity profile give", name=name, player=self.club.bo)

    async def takes_back(self) -> None:
        for _ in range(3):
            await self.types("table undo")
            await self.press(self.club.channel.history(viewer=self.club.bo), "undo")
        await self.types("table history", player=self.club.ana)

    async def views(self) -> None:
        for line in ("show", "plan", "history", "luck", "recap", "secrets", "link"):
            await self.types(f"table {line}")
        for picked in [option.value for option in listed(self.club, "More").options]:
            for one in self.people:
                with suppress(simcord.SetupError):  # it is not on the list any more
                    at = listed(self.club, "More").custom_id
                    await self.hear(one, await one.select(board(self.club), [picked], custom_id=at))
        await self.types("fairness")
        await self.types("luck")

    async def advice_and_saved_rolls(self) -> None:
        """An attack on a ship with a closed dial and facedown cards: its odds, its advice, and saved."""
        given = {"attacker": "Howlrunner", "defender": LUKE, "range": 2}
        await self.types("xwing odds", **given)
        line = "/xwing attack attacker:Howlrunner defender:Vader range:2"
        await self.types("saved add", self.club.bo, name="Again", roll=line)
        await self.types("saved roll", self.club.bo, name="Again")
        await self.press(self.club.channel.history(viewer=self.club.bo)[-1:], "advice", "how", "odds")
        await self.types("infinity odds", order="Hector combi at 10 vs GRUNT dodge")

    async def uploads(self) -> None:
        """Files that name what is hidden, and files that are none."""
        squads = [{"faction": "rebelalliance", "pilots": [{"id": pilot}]} for pilot in ("lukeskywalker", "kunai")]
        for data in (*(json.dumps(squad).encode() for squad in squads), b"{}", b'{"units": []}', b"\xff\x00"):
            await self.types("xwing squad", self.club.cleo, file=("a.json", data))
            await self.types("ruleset import", file=("a.json", data))
            await self.types("duel import", file=("a.toml", data))
            for listed_ in ARMIES:
                await self.types("infinity profile import", code=code(*listed_), file=("a.json", data))
            await self.types("infinity profile import", unit="KUNAI", file=("a.json", data))
        await self.types("infinity profile import", code=code(KUNAI, NINJA))  # by what the server keeps

    async def help_and_forms(self) -> None:
        for game in (None, *GAMES):
            await self.types("help", **({} if game is None else {"game": game}))
        for line in ("infinity marker", "xwing squad", "table plan", "infinity order"):
            await self.types(line)

    async def errors(self) -> None:
        """Commands about pieces of Ana's: what refuses them must not say more about one than about another."""
        for name in (LUKE, ESCORT, "Vader", "GRUNT", "KUNAI", "Nobody"):
            for line, given in (
                ("ship set", {"hull": 9}),
                ("ship remove", {}),
                ("token give", {"token": "focus"}),
                ("lock", {"target": LUKE}),
                ("damage", {"hits": 1}),
                ("card flip", {}),
                ("card look", {}),
                ("engage", {}),
            ):
                await self.types(f"xwing {line}", self.club.cleo, ship=name, **given)
        await self.press([board(self.club)], "reveal", "open", "plan", "move")

    async def files(self) -> None:
        """The match as JSON and as a page, what each may export, and the live page opened now."""
        app = self.club.env.bot
        assert isinstance(app, App)
        match = AnnotatedMatch(await app.matches.replay(Place(self.club.channel.id, self.club.guild.id), 1), {})
        self._now += [repr((page_of(match), json_of(match))), (await opened(self.club)).text]
        await self.types("privacy export")
        await self.types("xwing score", self.club.bo, points=1, player=self.club.bo)
        await self.press(self.club.channel.history(viewer=self.club.bo)[-2:], "score", "replay")


ATTACKS: Final[Mapping[str, Callable[[Attackers], Awaitable[None]]]] = {
    attack.__name__: attack
    for attack in (
        *(Attackers.suggestions, Attackers.near_names, Attackers.copies_and_renames, Attackers.gives_away),
        *(Attackers.uploads, Attackers.help_and_forms, Attackers.advice_and_saved_rolls, Attackers.errors),
        *(Attackers.views, Attackers.takes_back, Attackers.files),
    )
}


async def learned(club: Club, run: int) -> dict[str, str]:
    await keep_another_army(club)
    await against(club)
    await club.ana.slash(club.channel, "xwing squad", text=json.dumps(ANA), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(BO))
    await club.bo.slash(club.channel, "xwing ship add", name="Vader", player=club.ana, attack=2, hull=8, agility=0)
    club.dice.damage.extend(CARDS[run])
    await club.ana.slash(club.channel, "xwing damage", ship="Vader", hits=2)
    await plan(club, club.ana, plan_of(run))
    await import_and_place(club, ARMIES[run], ("",))
    club.dice.will_show(*DICE[run])
    await club.ana.slash(club.channel, "roll", dice="3d6!", secret=True)
    assert not club.dice.waiting
    assert not club.dice.damage
    club.dice.damage.extend([1] * 400)
    attackers = Attackers(club)
    for name, attack in ATTACKS.items():
        await attack(attackers)
        await attackers.note(name)
    club.dice.waiting.clear()
    club.dice.damage.clear()
    return attackers.heard


HEARD: Final[list[dict[str, str]]] = []
"""What was learned in the two evenings; they are played once."""


@pytest.mark.slow
@pytest.mark.parametrize("attack", ATTACKS)
async def test_no_attack_tells_a_secret(tmp_path: Path, migrated: Path, attack: str) -> None:
    for folder in () if HEARD else ("first", "0", "1"):  # the first Discord of a process registers the commands
        (tmp_path / folder).mkdir()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(conftest, "false_plurals", lambda _: [])  # "KUNAI #1 saves"
            async with world(tmp_path / folder, migrated, patch) as club:
                if folder != "first":
                    HEARD.append(await learned(club, int(folder)))
    one, other = (evening[attack].splitlines() for evening in HEARD)
    assert [pair for pair in zip(one, other, strict=False) if len({*pair}) > 1] == []
    assert len(one) == len(other)
    assert HEARD[0][attack]
