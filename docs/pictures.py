# ruff: noqa: INP001 - a script beside its pictures, no package
"""The pictures in this folder: the bot's real answers in a simulated Discord, photographed as on a phone and at a desk.

Those of the phone lie here, those of the desk in ``desk``. There is one for each card of each game, and for what all
games share, and a throw as it moves; some of them in other languages too, as ``table-show.de``.
``python -m docs.pictures [name ...]`` makes all of them, or those named. The dice are prescribed, so that a picture
changes only when its card does. Wants Playwright's package and a chromium of the
system (on the path, or CHROMIUM names it).

``pictures.json`` keeps what each card said when its picture was taken: its words, its buttons, what the picture says to
those who do not see it. ``python -m docs.pictures --check [name ...]`` plays the scenes again, without a browser, and
fails where a card says something else now, naming it.
"""

import asyncio
import json
import os
import re
import shutil
import sys
import tempfile
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal
from unittest.mock import AsyncMock, patch

import discord
import simcord
from PIL import Image

from bot.cli.play import emoji_pictures
from bot.languages import LANGUAGES
from bot.render.faces import FACES
from bot.runtime import app as bot_app, status
from bot.runtime.app import App
from bot.settings import Settings
from bot.store import blocks
from bot.ui.core import emoji
from bot.ui.core.board_controls import name_mark
from bot.web.live_pages import serve
from docs.words import SAID, write as write_counts

if TYPE_CHECKING:
    from playwright.async_api import Browser

FOLDER: Final = Path(__file__).parent
FILM: Final = FOLDER / "attack.gif"
CHANGING: Final = re.compile(r"\d{15,}|[0-9a-f]{8}(?:[0-9a-f]{4})*\b|(?<=ealed, )[0-9a-f]{4}\b")
"""Ids of messages and people, digests: another one at each start."""
WIDTH: Final = 430
"""CSS pixels, as a large phone has them; photographed at twice that."""
NARROW: Final[Mapping[str, int]] = dict.fromkeys(("infinity-aros", "infinity-board"), 390)
"""Cards with long lines are photographed as on a small phone."""
DESK: Final = 1000
"""CSS pixels of the channel beside the lists of a screen 1280 wide; photographed as it is."""
LIVE, LIVE_HIGH = 480, 760
"""CSS pixels of the live page in the moving picture."""
AS_DISCORD: Final = ".embed-footer { white-space: pre-line; overflow-wrap: anywhere }"
"""Discord keeps the lines of a footer, and breaks a word that is too long; simcord's page does neither."""
READY: Final = "() => window.simcordPreview && window.simcordPreview.ready === true"


@dataclass(slots=True)
class Dice:
    """An ``Rng`` that gives what was prescribed, in order."""

    waiting: deque[int] = field(default_factory=deque)

    def __call__(self, _: int) -> int:
        return self.waiting.popleft()

    def fall(self, *draws: int) -> None:
        """The next draws, counted from 0."""
        self.waiting.extend(draws)

    def show(self, *faces: int) -> None:
        """The next faces of dice that count from 1."""
        self.fall(*(face - 1 for face in faces))


@dataclass(slots=True)
class Club:
    """One channel and two people."""

    env: simcord.Env
    dice: Dice
    channel: simcord.ChannelHandle
    ana: simcord.MemberActor
    bo: simcord.MemberActor

    @property
    def card(self) -> discord.Message:
        return self.channel.history(viewer=self.ana)[-1]

    @property
    def board(self) -> discord.Message:
        """The newest message with the buttons of a board."""
        every = reversed(self.channel.history(viewer=self.ana))
        return next(item for item in every if any("rc1:on:" in str(row.to_dict()) for row in item.components))

    async def types(self, command: str, **options: Any) -> None:
        await self.ana.slash(self.channel, command, **options)

    async def fills(self, by: simcord.MemberActor, label: str, **filled: str) -> None:
        await by.submit_modal(await by.click(self.card, label=label), filled)

    async def takes(self, by: simcord.MemberActor, offer: str) -> None:
        """Press the button of an offer, by its key: in every language the same."""
        await by.click(self.card, custom_id=next(item for item in self.offered if item.endswith(f":{offer}")))

    @property
    def offered(self) -> list[str]:
        """The ids of the buttons and lists on the newest card."""
        items = (item for row in self.card.components for item in getattr(row, "children", ()))
        return [item.custom_id for item in items if item.custom_id]


async def xwing_window(club: Club) -> None:
    """Ana attacks at range 1 and may modify her dice."""
    club.dice.fall(0, 4, 6, 3)
    options = {"with": "focus, lock", "against": "focus, evade, hull 4, shields 1"}
    await club.types("xwing attack", dice=3, agility=2, range=1, opponent=club.bo, **options)


async def xwing_advice(club: Club) -> None:
    """What Ana alone sees when she asks for advice there."""
    await xwing_window(club)
    await club.takes(club.ana, "advice-damage")


async def xwing_attack(club: Club) -> None:
    """The same attack when it is over."""
    await xwing_window(club)
    club.dice.fall(1)
    await club.ana.select(club.card, ["3"], custom_id=next(item for item in club.offered if "lock" in item))
    club.dice.fall(4, 6)
    await club.takes(club.ana, "focus")
    await club.takes(club.bo, "focus")
    await club.takes(club.bo, "evade")
    await club.takes(club.bo, "done")


async def fleet(club: Club) -> None:
    """Three ships with tokens and locks, in the middle of a round."""
    card = {"abilities": "reroll 1 red blank"}
    await club.types("xwing ship add", name="Red Five", attack=3, agility=2, hull=4, shields=2, initiative=5, **card)
    await club.types("xwing ship add", name="Black Leader", attack=2, agility=3, hull=3, initiative=4)
    await club.types("xwing ship add", name="Seventh Sister", attack=2, agility=3, hull=3, force=2, initiative=4)
    for ship, token in (("Red Five", "focus"), ("Black Leader", "evade")):
        await club.types("xwing token give", ship=ship, token=token, count=1)
    await club.types("xwing lock", ship="Red Five", target="Black Leader")


async def xwing_engage(club: Club) -> None:
    await fleet(club)
    await club.types("xwing engage", ship="Red Five")


REBELS: Final = {
    "faction": "rebelalliance",
    "name": "Red Squadron",
    "pilots": [
        {"id": "wedgeantilles", "points": 5},
        {"id": "lukeskywalker", "points": 6, "upgrades": {"torpedo": ["protontorpedoes"], "astromech": ["r2d2"]}},
        {"id": "redsquadronveteran", "points": 4},
        {"id": "bluesquadronescort", "points": 4},
    ],
}
EMPIRE: Final = {
    "faction": "galacticempire",
    "name": "Black Squadron",
    "pilots": [
        {"id": "howlrunner", "points": 7},
        {"id": "obsidiansquadronpilot", "points": 5},
        {"id": "academypilot", "points": 4},
        {"id": "academypilot", "points": 4},
    ],
}


async def squads(club: Club) -> None:
    """Four against four, with tokens and locks, when the Engagement Phase begins."""
    await club.types("xwing squad", text=json.dumps(REBELS), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(EMPIRE))
    for ship, token in (
        ("Luke Skywalker", "focus"),
        ("Blue Squadron Escort", "evade"),
        ("Red Squadron Veteran", "stress"),
    ):
        await club.types("xwing token give", ship=ship, token=token)
    for ship, token in (
        ("Howlrunner", "calculate"),
        ("Obsidian Squadron Pilot", "tractor"),
        ("Academy Pilot", "evade"),
    ):
        await club.bo.slash(club.channel, "xwing token give", ship=ship, token=token)
    await club.types("xwing lock", ship="Luke Skywalker", target="Howlrunner")
    for _ in range(3):
        await club.types("xwing phase")


async def shoots(club: Club, by: simcord.MemberActor, attacker: str, defender: str, *draws: int) -> None:
    """An attack at range 2; ``draws`` are its dice, then the damage cards."""
    club.dice.waiting.clear()
    club.dice.fall(*draws)
    await by.slash(club.channel, "xwing attack", attacker=attacker, defender=defender, range=2)
    if any(item.endswith(":done") for item in club.offered):  # a card asks something that nobody wants now
        await club.takes(by, "done")


async def table_show(club: Club) -> None:
    """The board after the first attack of the round: Luke is next."""
    await squads(club)
    await shoots(club, club.ana, "Wedge Antilles", "Howlrunner", 0, 1, 3, 0, 7, 7, 4, 13)
    await club.types("table show")


async def xwing_round(club: Club) -> None:
    """The board when everybody has engaged and the round can end."""
    await table_show(club)
    await club.types("xwing engage", ship="Luke Skywalker")
    await shoots(club, club.bo, "Howlrunner", "Luke Skywalker", 0, 3, 7, 7)
    await shoots(club, club.ana, "Red Squadron Veteran", "Obsidian Squadron Pilot", 0, 1, 2, 7, 7, 4, 4, 4)
    await shoots(club, club.ana, "Blue Squadron Escort", "Academy Pilot #2", 0, 1, 2, 7, 7, 7, 4, 4, 4)
    for ship in ("Obsidian Squadron Pilot", "Academy Pilot", "Academy Pilot #2"):
        await club.bo.slash(club.channel, "xwing engage", ship=ship)
    await club.types("table show")


DIALS: Final = {
    "Wedge Antilles": "4KR",
    "Luke Skywalker": "2BB",
    "Red Squadron Veteran": "3YW",
    "Blue Squadron Escort": "2FB",
}
THEIRS: Final = {
    "Howlrunner": "3TW",
    "Obsidian Squadron Pilot": "5FW",
    "Academy Pilot": "2NB",
    "Academy Pilot #2": "3KR",
}


async def dials_set(club: Club, by: simcord.MemberActor, dials: Mapping[str, str]) -> None:
    """Somebody plans with the button of the board, and is ready."""
    opened = await by.click(club.board, label="Plan")
    filled: dict[str, Any] = {name_mark(name): [code] for name, code in dials.items()}
    await by.submit_modal(opened, {**filled, "ready": "now"})


async def xwing_dials(club: Club) -> None:
    """What Ana alone sees once she has set her dials."""
    await club.types("xwing squad", text=json.dumps(REBELS), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(EMPIRE))
    await dials_set(club, club.ana, DIALS)


async def xwing_ready(club: Club) -> None:
    """The board while Ana is ready and Bo plans, with her commitment."""
    await xwing_dials(club)
    await club.types("table show")


async def xwing_reveal(club: Club) -> None:
    """The board when Wedge has revealed a red Koiogran turn."""
    await xwing_dials(club)
    await dials_set(club, club.bo, THEIRS)
    for ship, by in (
        ("Academy Pilot", club.bo),
        ("Academy Pilot #2", club.bo),
        ("Blue Squadron Escort", club.ana),
        ("Obsidian Squadron Pilot", club.bo),
        ("Red Squadron Veteran", club.ana),
        ("Luke Skywalker", club.ana),
        ("Howlrunner", club.bo),
        ("Wedge Antilles", club.ana),
    ):
        await by.click(club.board, label=f"Reveal {ship}")
    await club.types("table show")


async def xwing_score(club: Club) -> None:
    """The score in the middle of a game: a scenario, points on the mat, a destroyed ship."""
    await squads(club)
    await club.types("xwing score", scenario="assault")
    await club.bo.slash(club.channel, "xwing score", points=2)
    club.dice.waiting.extend([0] * 10)
    await club.bo.slash(club.channel, "xwing damage", ship="Howlrunner", hits=6)
    club.dice.waiting.clear()
    await club.types("xwing score", points=1)


async def xwing_recap(club: Club) -> None:
    """The end of that game: what Ana lost, what Bo lost, and how lucky both were."""
    await table_show(club)
    await club.types("xwing score", scenario="assault")
    await club.types("xwing score", points=3)
    for ship in ("Blue Squadron Escort", "Howlrunner", "Obsidian Squadron Pilot", "Academy Pilot", "Academy Pilot #2"):
        club.dice.waiting.extend([0] * 10)
        by = club.ana if ship == "Blue Squadron Escort" else club.bo
        await by.slash(club.channel, "xwing damage", ship=ship, hits=6)
        club.dice.waiting.clear()
    await club.types("xwing endphase")
    await club.env.settle()


GOLD: Final = {
    "faction": "rebelalliance",
    "name": "Gold Squadron",
    "pilots": [
        {"id": "lukeskywalker"},
        {"id": "goldsquadronveteran", "upgrades": {"turret": ["ioncannonturret"]}},
    ],
}
HUNTERS: Final = {
    "faction": "galacticempire",
    "name": "Hunters",
    "pilots": [
        {"id": "howlrunner"},
        {"id": "obsidiansquadronpilot", "upgrades": {"talent": ["predator", "crackshot"]}},
    ],
}
BOUNTY: Final = {"faction": "scumandvillainy", "name": "Bounty", "pilots": [{"id": "dengar"}]}


async def card_squads(club: Club, foes: Mapping[str, object]) -> None:
    """Squads whose cards act at the dice."""
    await club.types("xwing squad", text=json.dumps(GOLD), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(foes))


async def xwing_claims(club: Club) -> None:
    """A window with two named cards: the press claims what they ask, and Howlrunner is a third ship."""
    await card_squads(club, HUNTERS)
    await club.bo.slash(club.channel, "xwing token give", ship="Obsidian Squadron Pilot", token="focus")  # noqa: S106 - a token of the game, no password
    club.dice.fall(4, 7)
    attack = {"attacker": "Obsidian Squadron Pilot", "defender": "Luke Skywalker", "range": 2, "anyway": True}
    await club.bo.slash(club.channel, "xwing attack", **attack)


async def xwing_ion(club: Club) -> None:
    """An Ion Cannon hits: one damage, and a token for each other result."""
    await card_squads(club, HUNTERS)
    club.dice.fall(0, 1, 3, 6, 7, 7, 13)
    attack = {"attacker": "Gold Squadron Veteran", "defender": "Howlrunner", "weapon": "Ion Cannon Turret"}
    await club.types("xwing attack", **attack, range=2, anyway=True)


async def xwing_bonus(club: Club) -> None:
    """A finished attack after which a card gives its ship a bonus attack."""
    await card_squads(club, BOUNTY)
    club.dice.fall(0, 7, 7, 7, 7, 13)
    await club.types("xwing attack", attacker="Luke Skywalker", defender="Dengar", range=2, anyway=True)


FOILS: Final = {
    "faction": "rebelalliance",
    "name": "Foils",
    "pilots": [
        {"id": "lukeskywalker", "upgrades": ["servomotorsfoils"]},
        {"id": "cassianandor", "upgrades": ["pivotwing"]},
    ],
}
INTERCEPTORS: Final = {
    "faction": "galacticempire",
    "name": "Interceptors",
    "pilots": [{"id": "soontirfel"}, {"id": "howlrunner"}],
}


async def xwing_sides(club: Club) -> None:
    """The board: which side of a card lies up stands on its ship, and Luke has just closed his S-foils."""
    await club.types("xwing squad", text=json.dumps(FOILS), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(INTERCEPTORS))
    listed = next(item for item in club.offered if ":list:" in item)
    await club.ana.select(club.card, ["flip-servomotorsfoils-1"], custom_id=listed)


async def xwing_start(club: Club) -> None:
    """The start of the Engagement Phase: what a card does there is asked before any ship engages."""
    await xwing_sides(club)
    await club.ana.click(club.card, custom_id=next(item for item in club.offered if ":phase:" in item))


async def xwing_odds_cards(club: Club) -> None:
    """Odds between two ships: what counts, what waits for a tick."""
    await card_squads(club, HUNTERS)
    odds = {"attacker": "Obsidian Squadron Pilot", "defender": "Luke Skywalker", "range": 2, "claims": "Predator"}
    await club.bo.slash(club.channel, "xwing odds", **odds)


async def xwing_camera(club: Club) -> None:
    """Ana rolls her own dice by hand and is asked what they show."""
    await club.types("xwing attack", dice=3, agility=2, opponent=club.bo, camera="attacker", **{"with": "focus"})


async def xwing_how(club: Club) -> None:
    """What Ana alone sees when she asks how that attack came out."""
    await xwing_attack(club)
    await club.takes(club.ana, "how")


FLOWN: Final = {
    "faction": "rebelalliance",
    "name": "Red and Gold",
    "pilots": [
        {"id": "lukeskywalker", "upgrades": {"torpedo": ["protontorpedoes"], "astromech": ["r2d2"]}},
        {"id": "wedgeantilles", "upgrades": {"talent": ["predator", "marksmanship"], "modification": ["hullupgrade"]}},
        {"id": "hortonsalm", "upgrades": {"turret": ["ioncannonturret"]}},
        {"id": "chewbacca", "upgrades": {"crew": ["r2d2-crew"], "title": ["millenniumfalcon"]}},
    ],
}
"""A squad as people fly it: cards that are counted, asked, only reminded, not counted."""


async def xwing_squad(club: Club) -> None:
    await club.types("xwing squad", text=json.dumps(FLOWN), side="first")


async def xwing_cards(club: Club) -> None:
    await club.types("xwing cards")


async def xwing_ships(club: Club) -> None:
    await fleet(club)
    await club.types("xwing ship list")


async def xwing_hazard(club: Club) -> None:
    await fleet(club)
    club.dice.fall(1, *[0] * 6)
    await club.types("xwing hazard", ship="Red Five", what="asteroid")
    club.dice.waiting.clear()


async def xwing_bomb(club: Club) -> None:
    """Bomblets on three ships: each has rolled for itself."""
    bomber = {"id": "captainjonus", "upgrades": {"device": ["bombletgenerator"]}}
    await club.types("xwing squad", text=json.dumps({**EMPIRE, "pilots": [bomber]}), side="first")
    await club.bo.slash(club.channel, "xwing squad", text=json.dumps(REBELS))
    board = club.card
    items = [item for row in board.components for item in getattr(row, "children", ())]
    aside = next(item.custom_id for item in items if ":list:" in (item.custom_id or ""))
    form = await club.ana.select(board, ["device"], custom_id=aside)
    club.dice.fall(0, 3, 7, 0, 5, 7, *[0] * 6)
    hit = ["Wedge Antilles", "Luke Skywalker", "Captain Jonus"]
    await club.ana.submit_modal(form, {"device": "now-0", "ships": hit})
    club.dice.waiting.clear()


async def xwing_phase(club: Club) -> None:
    """The Engagement Phase begins."""
    await squads(club)


async def xwing_endphase(club: Club) -> None:
    await squads(club)
    await club.types("xwing endphase")


async def xwing_roll(club: Club) -> None:
    club.dice.fall(0, 3, 7, 1, 4)
    await club.types("xwing roll", red=3, green=2)


ANGUS: Final = "BS 12, PH 10, WIP 13, ARM 1, BTS 0, W 1, Combi: B3 PS 7 N +3@16 -3@32 -6@48"
ORTEGA: Final = "BS 11, PH 10, WIP 13, ARM 1, BTS 3, W 1, Mimetism (-3), Pistol: B2 PS 6 N +6@8 -3@24"


async def troopers(club: Club) -> None:
    await club.types("infinity profile set", name="Angus", stats=ANGUS)
    await club.types("infinity profile set", name="Ortega", stats=ORTEGA)


async def infinity_troopers(club: Club) -> None:
    await troopers(club)
    await club.types("infinity profile list")


async def infinity_turn(club: Club) -> None:
    """Ana's turn, with three troopers of Bo's; her first order is over."""
    await troopers(club)
    await club.types("infinity profile set", name="Murat", stats=ANGUS)
    for name in ("Hector", "Ninja", "Zond"):
        await club.bo.slash(club.channel, "infinity profile set", name=name, stats=ORTEGA)
    await club.types("table show")
    await club.fills(club.ana, "Start turn", leads="yes", retreats="no")


async def infinity_board(club: Club) -> None:
    """The board of a turn: its line above, the next order below."""
    await infinity_turn(club)


async def infinity_aros(club: Club) -> None:
    """An order of a turn with three AROs, before any die falls."""
    await infinity_turn(club)
    text = "Angus Combi at 10 cover b1 vs Hector; Angus Combi at 10 b1 vs Ninja; Angus Combi at 10 b1 vs Zond"
    await club.types("infinity order", text=text)
    await club.fills(club.bo, "Hector reacts", does="Pistol")
    await club.takes(club.bo, "quick-4-1")  # a Dodge of the Ninja


async def infinity_roll(club: Club) -> None:
    club.dice.show(9, 12, 15)
    await club.types("infinity roll", sv=12, burst=3, name="Angus")


async def infinity_open(club: Club) -> None:
    """A Face to Face that waits for the other side."""
    await club.types("infinity versus", sv=15, burst=4, mods="-3", name="Angus", vs_name="Ortega", opponent=club.bo)


async def infinity_versus(club: Club) -> None:
    """The same after the answer and the Saving Rolls."""
    await infinity_open(club)
    club.dice.show(9, 4, 17, 12, 5)
    await club.fills(club.bo, "React", sv="11", mods="b1", kind="shoot")
    club.dice.show(8, 13, 15)
    await club.fills(club.bo, "Ortega saves (2)", weapon="N PS 7", armour="ARM 3", mods="+3")


async def infinity_order(club: Club) -> None:
    """Split Burst, a Normal Roll in the back, and one Dodge against two attackers."""
    club.dice.show(9, 4, 5, 11, 7, 12, 8)
    text = "Angus 12 b2 vs Ortega 11; Angus 12 b1 vs Diaz 11; Murat 13 normal vs Angus"
    await club.types("infinity order", text=text)


async def infinity_dodge(club: Club) -> None:
    club.dice.show(8, 7, 3, 12)
    await club.types("infinity order", text="Ana 10 dodge vs Angus 12 b2, Murat 13")


async def infinity_save(club: Club) -> None:
    await club.types("infinity save", hits=1, crits=1, ammo="DA", ps=7, arm=3, cover=True, dice="8, 14, 2, 19, 11")


async def warsurge_attack(club: Club) -> None:
    """Chains by the Balanced method, and an armour save."""
    club.dice.show(6, 5, 3, 6, 2, 6, 6, 1, 2, 5)
    await club.types("warsurge attack", power=3, defence=6, dice=5, method="balanced", save="5+")


async def warsurge_compare(club: Club) -> None:
    await club.types("warsurge compare", power=9, defence=3, dice=3)


async def warsurge_chart(club: Club) -> None:
    await club.types("warsurge chart", power=3, defence=6)


async def units(club: Club) -> None:
    await club.types("warsurge profile set", name="Murat", stats="Defence 3; Rifle: Power 4, Dice 3; Cannon: Power 8")
    await club.types("warsurge profile set", name="Ortega", stats="Defence 4, Save 4+, HP 3")


async def warsurge_units(club: Club) -> None:
    await units(club)
    await club.types("warsurge profile list")


async def warsurge_saves(club: Club) -> None:
    """All weapons of a unit at another one, whose player still rolls the armour saves."""
    await units(club)
    club.dice.show(4, 3, 6, 5)
    await club.types("warsurge attack", attacker="Murat", weapons="Rifle, Cannon", target="Ortega", opponent=club.bo)


async def warsurge_volley(club: Club) -> None:
    """The same after the saves."""
    await warsurge_saves(club)
    club.dice.show(5, 4, 3)
    await club.bo.click(club.card, label="Roll the armour saves")


async def albion_profiles(club: Club) -> None:
    await club.types("albion profile set", name="Soldier", stats="Agility 4, Stealth 3")
    await club.types("albion profile list")


async def albion_attack(club: Club) -> None:
    """The rules page's soldier, hit at a focus point."""
    club.dice.fall(5, 4, 2)
    await club.types("albion attack", agility=4, stealth=3, awareness=3, strength=3, power=45)


async def roll(club: Club) -> None:
    """Dice of several kinds: the lowest dropped, one that exploded, Fudge dice."""
    club.dice.show(6, 5, 1, 4, 8, 10, 3, 4)
    club.dice.fall(2, 0)
    await club.types("roll", dice="4d6kh3 + 1d8 + 1d10! + 1d4 + 2dF Smite")


async def roll_scores(club: Club) -> None:
    """Six ability scores."""
    club.dice.show(6, 5, 3, 1, 4, 4, 4, 2, 6, 6, 6, 1, 5, 2, 2, 1, 3, 3, 4, 5, 6, 1, 1, 2)
    await club.types("roll", dice="dndstats")


async def roll_percent(club: Club) -> None:
    """A percentile check that fails."""
    club.dice.show(71)
    await club.types("roll", dice="coc 45 Spot Hidden")


async def roll_natural(club: Club) -> None:
    """A natural 20 with advantage, against a number."""
    club.dice.show(20, 4)
    await club.types("roll", dice="1d20+5 adv vs 15")


async def roll_glitch(club: Club) -> None:
    """A glitch of Shadowrun."""
    club.dice.show(1, 1, 1, 5, 2, 3)
    await club.types("roll", dice="sr6")


async def roll_push(club: Club) -> None:
    """A Year Zero roll that was pushed."""
    club.dice.show(6, 1, 3, 4, 2, 5)
    await club.types("roll", dice="yz6 Sneak")
    club.dice.show(6, 1, 5, 3)
    await club.ana.click(club.card, label="Push the roll")


async def roll_request(club: Club) -> None:
    """Two people are asked for a roll, and one has rolled."""
    people = f"<@{club.ana.id}> +3, <@{club.bo.id}> +5"
    await club.types("roll", dice="1d20 Perception", request=people)
    club.dice.show(12)
    await club.bo.click(club.card, label="Bo: roll")


async def roll_odds(club: Club) -> None:
    await club.types("roll", dice="4d6kh3", odds=True)


async def contest_open(club: Club) -> None:
    """Ana waits for Bo."""
    await club.types("contest", dice="2d20kh1+5", opponent=club.bo)


async def contest(club: Club) -> None:
    """Ana challenges Bo, who answers in a form."""
    await club.types("contest", dice="2d20kh1+5", opponent=club.bo)
    club.dice.show(17, 4, 14, 3)
    await club.fills(club.bo, "Answer", dice="1d20+7+1d4", faces="")


async def contest_odds(club: Club) -> None:
    await club.types("contest", dice="2d20kh1+5", their_dice="1d20+7+1d4", odds=True)


async def xwing_odds(club: Club) -> None:
    options = {"with": "focus, lock", "or": "focus", "against": "evade"}
    await club.types("xwing odds", dice=3, agility=2, hull=2, **options)


async def infinity_odds(club: Club) -> None:
    await club.types("infinity odds", sv=15, burst=5, vs_sv=13, vs_burst=2, name="Angus", vs_name="Ortega")


async def warsurge_odds(club: Club) -> None:
    await club.types("warsurge odds", power=4, defence=5, dice=6, method="balanced", save="5+")


async def albion_odds(club: Club) -> None:
    await club.types("albion odds", agility=4, stealth=3, awareness=3, strength=3)


async def chooses(club: Club, setting: str, value: str, **more: Any) -> None:
    await club.types("ruleset set", setting=setting, value=value, **more)


async def ruleset_show(club: Club) -> None:
    """A server with rules of its own, and a channel that differs."""
    await chooses(club, "warsurge_method", "Balanced", where="server", lock=True)
    await chooses(club, "most_dice", "40", where="server")
    await chooses(club, "games_off", "albion")
    await chooses(club, "infinity_edition", "N4")
    await club.types("ruleset show")


async def table_luck(club: Club) -> None:
    await xwing_round(club)
    await club.types("table luck")


async def saved_panel(club: Club) -> None:
    """What a GM saved for the channel, with a button for each."""
    await club.types("saved add", name="Fireball", roll="8d6 fire", whose="channel")
    await club.types("saved add", name="Sneak", roll="1d20+9", whose="channel")
    await club.types("saved add", name="Angus shoots", roll="/infinity roll sv:12 burst:3", whose="channel")
    await club.types("saved panel", whose="channel")


async def initiative(club: Club) -> None:
    """The second turn of a round: two people and two NPCs."""
    await club.types("initiative start")
    club.dice.show(14, 9, 11, 6)
    await club.types("initiative join", roll="1d20+3")
    await club.bo.slash(club.channel, "initiative join", roll="1d20+5")
    await club.types("initiative join", roll="1d20+1", name="Goblin", count=2)
    await club.types("initiative next")
    await club.types("initiative show")


async def secret_roll(club: Club) -> None:
    """What Ana alone sees of a secret roll."""
    club.dice.show(17, 4)
    await club.types("roll", dice="2d20kh1+5 Stealth", secret=True)
    await club.ana.click(club.card, label="Look")


async def look_animated(club: Club) -> None:
    """Six attack dice tumble, for somebody who prefers that; kept as the GIF that the bot sent, without its card."""
    await club.types("prefer", setting="look", value="Animated picture")
    club.dice.fall(0, 3, 4, 6, 1, 2)
    await club.types("xwing attack", dice=6, agility=2, opponent=club.bo, **{"with": "focus, lock"})


async def look_emoji(club: Club) -> None:
    """The first X-Wing attack again, for somebody who prefers emoji."""
    await club.types("prefer", setting="look", value="Emoji")
    await xwing_attack(club)


async def look_text(club: Club) -> None:
    """And in words only."""
    await club.types("prefer", setting="look", value="Text")
    await xwing_attack(club)


SCENES: Final[Mapping[str, Callable[[Club], Awaitable[None]]]] = {
    scene.__name__.replace("_", "-"): scene
    for scene in (
        xwing_window,
        xwing_advice,
        xwing_attack,
        xwing_engage,
        table_show,
        xwing_round,
        xwing_dials,
        xwing_ready,
        xwing_reveal,
        xwing_score,
        xwing_recap,
        xwing_claims,
        xwing_ion,
        xwing_bonus,
        xwing_sides,
        xwing_start,
        xwing_camera,
        xwing_how,
        xwing_squad,
        xwing_cards,
        xwing_ships,
        xwing_hazard,
        xwing_bomb,
        xwing_phase,
        xwing_endphase,
        xwing_roll,
        infinity_troopers,
        infinity_board,
        infinity_aros,
        infinity_roll,
        infinity_open,
        infinity_versus,
        infinity_order,
        infinity_dodge,
        infinity_save,
        warsurge_attack,
        warsurge_units,
        warsurge_saves,
        warsurge_volley,
        warsurge_compare,
        warsurge_chart,
        albion_attack,
        albion_profiles,
        roll,
        roll_scores,
        roll_percent,
        roll_natural,
        roll_glitch,
        roll_push,
        roll_request,
        roll_odds,
        contest_open,
        contest,
        contest_odds,
        xwing_odds,
        xwing_odds_cards,
        infinity_odds,
        warsurge_odds,
        albion_odds,
        ruleset_show,
        table_luck,
        saved_panel,
        initiative,
        secret_roll,
        look_animated,
        look_emoji,
        look_text,
    )
}

SPOKEN: Final = (
    "xwing-attack.de",
    "xwing-attack.es",
    "infinity-order.de",
    "infinity-order.es",
    "table-show.de",
    "table-show.es",
)
"""Scenes at a table that speaks another language: the name of the scene, and Discord's of the language."""


HOUR: Final = 3600.0
TURN: Final = 5.0
"""Seconds for which simcord waits at once, for timers too; a busy machine takes several turns."""


class PatientEnv(simcord.Env):
    """A simulated Discord in which no scene fails because the machine is slow."""

    async def _settle_internal(self, **more: Any) -> None:
        until = time.monotonic() + HOUR
        while True:
            try:
                return await super()._settle_internal(**more)
            except TimeoutError:
                if time.monotonic() > until:
                    raise
                more |= {"timeout": None, "_deadline": None}


COMMANDS: Final = list[Any]()
"""What the bot of the first scene has registered: it takes longer than most scenes, and all bots have the same."""


@asynccontextmanager
async def played(name: str, before: Callable[[simcord.Env], None] | None = None) -> AsyncIterator[tuple[Club, App]]:
    """One scene, played to its end in a Discord of its own; ``before`` the first command it may be prepared."""
    scene, _, language = name.partition(".")
    with (
        tempfile.TemporaryDirectory() as kept,
        patch.object(simcord.env, "Env", PatientEnv),
        patch.object(blocks, "EVERY", HOUR),  # no step of a scene waits for what the bot does every few seconds
        patch.object(status, "EVERY", HOUR),
        patch.object(bot_app, "register", AsyncMock(return_value=False)) if COMMANDS else nullcontext(),
    ):
        dice, database = Dice(), f"sqlite+aiosqlite:///{kept}/rolls.db"
        settings = Settings.model_construct(database_url=database, welcome=False)
        app = App(settings, rng=dice, faces=())
        try:
            async with simcord.run(app, shard_count=1, check_errors=False, settle_timeout=TURN) as env:
                if not COMMANDS:
                    COMMANDS.append(env.backend.commands[None])
                env.backend.commands[None] = COMMANDS[0]
                env.backend.bot_user.global_name = "Rollcall"
                guild = env.create_guild("The Gaming Club")
                channel = guild.create_text_channel("dice-table")
                permissions = discord.Permissions(manage_channels=True, manage_guild=True)
                admin = guild.create_role("Admin", permissions=permissions)
                ana = guild.add_member(env.create_user("ana", global_name="Ana"), roles=[admin])
                bo = guild.add_member(env.create_user("bo", global_name="Bo"))
                await env.settle()
                # only now: simcord allows five seconds for a start, and painting takes longer
                await emoji.keep(app, FACES)
                club = Club(env, dice, channel, ana, bo)
                if before is not None:
                    before(env)
                if language:
                    await chooses(club, "language", LANGUAGES[language].name, where="server")
                await SCENES[scene](club)
                yield club, app
        finally:
            await app.close()


def said(card: discord.Message) -> dict[str, list[str]]:
    """What a card says: its text, its controls, and what its picture says to those who do not see it."""
    text: list[str | None] = [card.content]
    alt = [attachment.description for attachment in card.attachments]
    for embed in card.embeds:
        fields = [part for field in embed.fields for part in (field.name, field.value)]
        text += [embed.author.name, embed.title, embed.description, *fields, embed.footer.text]
    items = [item for row in card.components for item in getattr(row, "children", ())]
    controls = [getattr(item, "label", None) or getattr(item, "placeholder", None) for item in items]
    parts: dict[str, list[str | None]] = {"card": text, "controls": controls, "alt": alt}
    return {name: [CHANGING.sub("#", part) for part in result if part] for name, result in parts.items()}


async def photograph(browser: "Browser", name: str) -> dict[str, list[str]]:
    """Play one scene and keep the pictures of its card; what the card says."""
    async with played(name) as (club, app):
        gifs = [attachment for attachment in club.card.attachments if attachment.filename.endswith(".gif")]
        if gifs:
            (FOLDER / f"{name}.gif").write_bytes(await gifs[0].read())
            return said(club.card)
        async with club.env.preview(club.channel, viewers=[club.ana], assets=emoji_pictures(app)) as preview:
            sizes = ((FOLDER, NARROW.get(name, WIDTH), 2), (FOLDER / "desk", DESK, 1))
            for folder, width, scale in sizes[:1] if "." in name else sizes:
                await shoot(browser, preview.url, folder / f"{name}.png", width, scale)
        return said(club.card)


async def shoot(
    browser: "Browser", url: str, path: Path, width: int, scale: int, scheme: Literal["dark", "light"] = "dark"
) -> None:
    """One picture of the newest card, so many CSS pixels wide."""
    page = await browser.new_page(
        viewport={"width": width, "height": 1600}, device_scale_factor=scale, color_scheme=scheme, bypass_csp=True
    )
    await page.goto(url)
    await page.wait_for_function(READY)
    await page.add_style_tag(content=AS_DISCORD)
    shot = await page.locator("#focused-content").screenshot()
    await page.close()
    picture = Image.open(BytesIO(shot)).convert("RGB").quantize(256, dither=Image.Dither.NONE)
    path.parent.mkdir(exist_ok=True)
    picture.save(path, optimize=True)


async def film(browser: "Browser") -> None:
    """The first X-Wing attack press by press: the card, and beside it the live page of the table: ``attack.gif``."""
    async with played("xwing-window") as (club, app), serve(app, "127.0.0.1", 0):
        shots = list[Image.Image]()
        told = await club.bo.slash(club.channel, "table link")
        address = re.search(r"http://\S+", told.response.content if told.response is not None else "")
        assert address is not None, "Bo plays here"  # noqa: S101 - states it
        live = await browser.new_page(viewport={"width": LIVE, "height": LIVE_HIGH}, color_scheme="dark")
        await live.goto(address[0])

        async def keep() -> None:
            async with club.env.preview(club.channel, viewers=[club.ana], assets=emoji_pictures(app)) as preview:
                with tempfile.TemporaryDirectory() as folder:
                    path = Path(folder) / "shot.png"
                    await shoot(browser, preview.url, path, WIDTH, 1)
                    card = Image.open(path).convert("RGB")
            await live.wait_for_timeout(1500)  # the page follows by itself
            page = Image.open(BytesIO(await live.screenshot())).convert("RGB")
            both = Image.new("RGB", (card.width + page.width, max(card.height, page.height)), card.getpixel((2, 2)))
            both.paste(card)
            both.paste(page, (card.width, 0))
            shots.append(both)

        await keep()
        club.dice.fall(1)
        await club.ana.select(club.card, ["3"], custom_id=next(item for item in club.offered if "lock" in item))
        await keep()
        club.dice.fall(4, 6)
        await club.takes(club.ana, "focus")
        await keep()
        await club.takes(club.bo, "focus")
        await keep()
        await club.takes(club.bo, "evade")
        await keep()
    high = max(image.height for image in shots)
    frames = [Image.new("RGB", (WIDTH + LIVE, high), image.getpixel((2, image.height - 2))) for image in shots]
    for frame, shot in zip(frames, shots, strict=True):
        frame.paste(shot)
    still = [image.quantize(128, dither=Image.Dither.NONE) for image in frames]
    still[0].save(FILM, save_all=True, append_images=still[1:], duration=[2200] * 4 + [4000], loop=0, optimize=True)


async def make(names: Sequence[str]) -> None:
    """Make the pictures of these names, and keep what their cards said."""
    from playwright.async_api import async_playwright  # a check needs no browser

    kept = json.loads(SAID.read_text()) if SAID.is_file() else {}
    async with async_playwright() as playwright:
        chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name in names:
            if name == FILM.stem:
                await film(browser)
            else:
                kept[name] = await photograph(browser, name)
        await browser.close()
    shown = {name: kept[name] for name in (*SCENES, *SPOKEN) if name in kept}
    SAID.write_text(json.dumps(shown, ensure_ascii=False, indent=1) + "\n")
    write_counts()


async def stale(names: Sequence[str]) -> list[str]:
    """Those of these names whose cards say something else now than when their pictures were taken."""
    kept, result = json.loads(SAID.read_text()), list[str]()
    for name in names:
        async with played(name) as (club, _):
            if said(club.card) != kept.get(name):
                result.append(name)
    return result


def main(words: Sequence[str]) -> None:
    """Make the pictures of these names, or all; with ``--check`` say which ones are stale."""
    names = [word for word in words if word != "--check"] or [*SCENES, *SPOKEN]
    if "--check" not in words:
        asyncio.run(make([*names, *([FILM.stem] if names == [*SCENES, *SPOKEN] else [])]))
    elif old := asyncio.run(stale(names)):
        sys.exit(f"These pictures show what their cards no longer say: {', '.join(old)}. Make them again.")


if __name__ == "__main__":
    main(sys.argv[1:])
