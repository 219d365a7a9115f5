"""Everything is pressed in a pseudo-language: what is said, drawn or written in plain English has escaped.

Whatever people choose themselves is written here in Cyrillic letters, so what has Latin ones is ours: a message, which
the pseudo-language accents; a name or a code, which it writes in Cyrillic letters as well, by their type; or an escape.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any, Final

import discord
import pytest
import simcord
from simcord.enums import ComponentType

from bot.languages import LANGUAGES
from bot.languages.translate import using_language
from bot.render import paint
from bot.render.art import letters
from bot.render.art.dice import text_glyph
from bot.render.paint import compose_picture
from bot.rules.text import Name
from bot.rules.xwing.cards import card_sets
from bot.rules.xwing.cards.card_sets import CardSet
from bot.rules.xwing.table.match import MATCH
from bot.runtime.app import App
from bot.sessions.live_tables import LiveTable
from bot.sessions.request import Person, Place, Request
from bot.ui.core import request_context
from bot.ui.core.components import PRIMARY, AnswerAddress, At, FilledForm
from bot.ui.live import live_page, replay
from cogs import privacy, ruleset
from cogs.help import slashes
from cogs.infinity import reserve, troopers
from cogs.xwing import attack, score, squads
from tests import conftest
from tests.cogs.test_pseudo import texts
from tests.cogs.test_xwing_score import Later, client_of
from tests.conftest import Club, Dice
from tests.crawler import Crawler, all_routes, components
from tests.numbers import untrue_numbers
from tests.pseudo import CYRILLIC, NOT_SAID, PSEUDO

LUCKY: Final = 7
PARSED: Final = card_sets.parsed
PHRASE: Final = re.compile(r"(?<!\w)[A-Za-z]+(?:['\N{RIGHT SINGLE QUOTATION MARK} -]+[A-Za-z]+)*(?!\d)")


class Falling(Dice):
    """Dice that fall by themselves, in every run alike."""

    def __init__(self) -> None:
        super().__init__()
        self.chance = Random(LUCKY)

    def __call__(self, sides: int) -> int:
        return self.chance.randrange(sides)


@pytest.fixture
def dice(monkeypatch: pytest.MonkeyPatch) -> Dice:
    """The dice; and people whose names are known."""
    monkeypatch.setattr(conftest, "PEOPLE", ("Аня", "Боря", "Клео"))
    return Falling()


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """What is painted as letters from now on, in pictures that are painted."""
    result, word = set[str](), letters.word
    monkeypatch.setattr(paint, "compose_picture", compose_picture)

    def noted_word(text: str, *rest: Any) -> Any:
        result.add(text)
        return word(text, *rest)

    def noted(text: str) -> Any:
        result.add(text)
        return text_glyph(text)

    monkeypatch.setattr(letters, "word", noted_word)
    monkeypatch.setattr("bot.render.paint.text_glyph", noted)
    return result


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """What stands on live pages and in files of matches."""
    result, send, page_of = set[str](), LiveTable.send, replay.page_of

    async def noted_send(watched: LiveTable, parts: Mapping[str, str]) -> None:
        result.update(parts.values())
        await send(watched, parts)

    def noted_page(told: replay.AnnotatedMatch) -> bytes:
        page = page_of(told)
        result.add(page.decode())
        return page

    monkeypatch.setattr(LiveTable, "send", noted_send)
    monkeypatch.setattr(replay, "page_of", noted_page)
    return result


@pytest.fixture(autouse=True)
def printed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Cards whose printed names are in Cyrillic letters; their ids stay."""

    def renamed(card: Mapping[str, Any]) -> dict[str, Any]:
        return {key: item.translate(CYRILLIC) if key in ("name", "caption") else item for key, item in card.items()}

    def parsed(text: str) -> CardSet:
        card_set = PARSED(text)
        ships, pilots, upgrades = (
            {key: renamed(card) for key, card in cards.items()}
            for cards in (card_set.ships, card_set.pilots, card_set.upgrades)
        )
        return replace(card_set, ships=ships, pilots=pilots, upgrades=upgrades)

    monkeypatch.setattr(card_sets, "parsed", parsed)
    monkeypatch.setattr(card_sets, "_read", cache(card_sets._read.__wrapped__))  # others have the sets of before again
    forget_names()
    yield
    forget_names()


def forget_names() -> None:
    """Empty what keeps names of cards: a test before this one has read the sets as they are."""
    for name, module in [*sys.modules.items()]:
        if name.startswith(("bot.rules.xwing", "bot.render.xwing", "bot.games.xwing")):
            for kept in vars(module).values():
                if callable(clear := getattr(kept, "cache_clear", None)):
                    clear()


@pytest.fixture(autouse=True)
def language(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(request_context, "of_locale", lambda _: PSEUDO)
    monkeypatch.setattr(request_context, "ENGLISH", PSEUDO)
    with using_language(PSEUDO):
        yield


ANGUS: Final = "BS 12, PH 10, WIP 13, ARM 1, BTS 0, W 2, Комби: B3 PS 7 N +3@16 -3@32 -6@48"
GUARDS: Final = "Defence 3, Save 4+, HP 8; Меч: Power 4; Ружьё: Power 6, Dice 2, AP 1"
SQUAD: Final = json.dumps(
    {
        "faction": "rebelalliance",
        "name": "Красные",
        "pilots": [
            {
                "id": "lukeskywalker",
                "ship": "t65xwing",
                "upgrades": {"torpedo": ["protontorpedoes"], "astromech": ["r2d2"], "talent": ["predator"]},
            },
            {"id": "wedgeantilles", "ship": "t65xwing"},
        ],
    }
)
OTHERS: Final = json.dumps(
    {"faction": "galacticempire", "name": "Чёрные", "pilots": [{"id": "howlrunner"}, {"id": "academypilot"}]}
)


@pytest.mark.claims
async def test_nothing_escapes_of_everything(
    club: Club, drawn: set[str], pages: set[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    crawler = Crawler(club, (club.ana, club.bo))
    await walk(crawler, monkeypatch)
    result = dict[str, str]()
    sources = [(text, f"{crawler.cause(at)} says") for at, text in said_in(club)]
    sources += [(text, "a picture draws") for text in sorted(drawn)]
    sources += [(text, "a page says") for page in sorted(pages) for text in lines_of(page)]
    for text, where in sources:
        for phrase in phrases(text):
            result.setdefault(phrase, f"{where} {text!r}")
    bot: Any = club.env.bot
    names = {slash.qualified_name for slash in slashes(bot)}
    options = {f"{slash.qualified_name} {each.display_name}" for slash in slashes(bot) for each in slash.parameters}
    with capsys.disabled():
        print(  # noqa: T201 - what it has visited
            f"\n{len(crawler.commands)} commands with {len(crawler.options)} options, {sum(crawler.pressed.values())}"
            f" presses of {len(crawler.pressed)} kinds of buttons, {crawler.forms} forms, {crawler.suggested}"
            f" suggestions, {len(drawn)} drawn texts, {len(pages)} parts of pages: {len(result)} escapes"
        )
    missing = (names - crawler.commands, options - crawler.options, all_routes() - crawler.routes)
    assert crawler.not_taken == [], "Discord does not take these"
    assert missing == (set(), set(), set()), "these commands, options and buttons were not reached"
    assert result == {}
    assert [(text, where) for text, where in sources if untrue_numbers(text)] == []
    assert [crawler.cause(at) for at, labels in leading(club) if len(labels) > 1] == [], "two buttons lead on"


def phrases(text: str) -> list[str]:
    """The English in a text that has no message, in one piece each."""
    return [item for item in PHRASE.findall(NOT_SAID.sub("|", text)) if re.search("[A-Za-z]{3}", item)]


def said_in(club: Club) -> Iterator[tuple[int, str]]:
    """All that was sent, and the number of its request."""
    for at, item in enumerate(club.env.http_requests):
        if not item.path.endswith("/commands"):
            sent: Any = item.json or {}
            for choice in (sent.get("data") or {}).get("choices", ()):
                choice.pop("value")  # what is typed where the suggestion is taken
            yield from ((at, text) for text in texts(sent))


def leading(club: Club) -> Iterator[tuple[int, list[str]]]:
    """Of each message that was sent, the labels of the blue and green buttons that can be pressed."""
    for at, item in enumerate(club.env.http_requests):
        if not item.path.endswith("/commands"):
            buttons = [part for part in components(item.json or {}) if part["type"] == ComponentType.BUTTON]
            yield at, [part["label"] for part in buttons if part["style"] in PRIMARY and not part.get("disabled")]


TAG: Final = re.compile(r"<(style|script)\b.*?</\1>|<[^>]*>", re.DOTALL)
ATTRIBUTE: Final = re.compile(r'(?:alt|title|aria-label|placeholder)="([^"]*)"')


def lines_of(page: str) -> list[str]:
    """The texts of a page."""
    return [item.strip() for item in (*TAG.sub("\n", page).split("\n"), *ATTRIBUTE.findall(page)) if item.strip()]


VALUES: Final[Mapping[str, Any]] = {
    "around": "12",
    "blind": True,
    "bonus": True,
    "by": None,
    "name": "Ангус",
    "new_name": "Мурат",
    "vs_name": "Ортега",
    "weapon": "Комби",
    "vs_weapon": "Комби",
    "vs_around": "11",
    "mods": "cover",
    "vs_mods": "-3",
    "dice": "1d20+5",
    "their_dice": "2d6",
    "their_name": "Орки",
    "their_faces": "4",
    "text": "Ангус Комби at 10 vs Ортега",
    "order": "Ангус Комби at 10 vs Ортега",
    "or_order": "Ангус Комби at 20 vs Ортега dodge",
    "with": "focus, lock",
    "against": "evade, focus",
    "or": "calculate",
    "claims": "1",
    "label": "меч",
    "faces": "4",
    "save_faces": "3",
    "request": "everybody",
    "system": "dnd",
    "reason": "дверь",
    "numbers": "3/2/4/2 i5",
    "abilities": "1 focus to hit",
    "weapons": "Меч, Ружьё",
    "attacker": "Стража",
    "target": "Орки",
    "takes": "луч",
    "roll": "1d20+3",
    "albion attack faces": "72 0 1",
    "unit": "Ангус",
    "code": "xyz",
    "card": "нет",
}
"""What is typed into an option that neither lists its values nor suggests any."""
NUMBERS: Final = {
    "sv": 12,
    "vs_sv": 11,
    "dice": 3,
    "power": 6,
    "defence": 3,
    "hits": 2,
    "ps": 7,
    "arm": 1,
    "agility": 2,
    "range": 2,
    "count": 2,
    "hull": 4,
    "shields": 2,
    "burst": 3,
    "vs_burst": 2,
    "damage": 13,
    "shots": 2,
}
BASES: Final[Mapping[str, Mapping[str, Any]]] = {
    "albion attack": {"agility": 4, "stealth": 3, "awareness": 3, "strength": 3},
    "albion odds": {"agility": 4, "stealth": 3, "awareness": 3, "strength": 3},
    "albion profile set": {"name": "Волк", "stats": "Agility 4, Stealth 3, Awareness 3, Strength 3"},
    "albion profile remove": {"name": "Волк"},
    "contest": {"dice": "1d20+5"},
    "infinity profile set": {"name": "Мурат", "stats": ANGUS},
    "infinity profile weapon": {"name": "Мурат", "weapon": "Нож: B1 PS 6 CC"},
    "infinity profile copy": {"name": "Мурат", "new_name": "Клон"},
    "infinity profile state": {"name": "Мурат"},
    "infinity profile give": {"name": "Клон"},
    "infinity profile remove": {"name": "Клон"},
    "infinity roll": {"sv": 12},
    "infinity versus": {"sv": 12, "vs_sv": 11},
    "infinity odds": {"sv": 12, "burst": 3},
    "infinity order": {"text": "Ангус Комби at 10 vs Ортега dodge"},
    "infinity save": {"hits": 2, "ammo": "N", "ps": 7, "arm": 1},
    "roll": {"dice": "4d6kh3"},
    "ruleset set": {"setting": "luck", "value": "off"},
    "saved add": {"name": "Меч", "roll": "1d20"},
    "saved roll": {"name": "Меч"},
    "saved remove": {"name": "Меч"},
    "warsurge attack": {"power": 6, "defence": 3},
    "warsurge odds": {"power": 6, "defence": 3},
    "warsurge compare": {"power": 6, "defence": 3},
    "warsurge chart": {"power": 6},
    "warsurge profile set": {"name": "Маги", "stats": GUARDS},
    "warsurge profile hp": {"name": "Стража"},
    "warsurge profile remove": {"name": "Маги"},
    "xwing attack": {"dice": 3, "agility": 2},
    "xwing odds": {"dice": 3, "agility": 2},
    "xwing roll": {"red": 3},
    "xwing ship add": {"name": "Люк", "numbers": "3/2/4/2 i5"},
    "xwing ship set": {"name": "Люк"},
    "xwing ship give": {"ship": "Люк"},
    "xwing ship remove": {"name": "Люк"},
    "xwing token give": {"ship": "Люк", "token": "focus"},
    "xwing token take": {"ship": "Люк", "token": "focus"},
    "xwing lock": {"ship": "Люк", "target": "Вейдер"},
    "xwing unlock": {"ship": "Люк"},
    "xwing card look": {"ship": "Люк"},
    "xwing card repair": {"ship": "Люк"},
    "xwing card expose": {"ship": "Люк"},
    "xwing hazard": {"ship": "Люк", "what": "asteroid"},
    "xwing damage": {"ship": "Люк", "hits": 1, "crits": 1},
    "xwing remote": {"name": "Мина"},
    "table seat": {"side": "attacker"},
}
"""What is given with each option of a command, or alone."""
LAST: Final = (
    *("table seal", "table unseal"),  # dice of sealed tables fall as their keys say, in each run otherwise
    *("infinity profile remove", "warsurge profile remove", "albion profile remove", "saved remove"),
    *("initiative leave", "initiative end", "xwing ship remove", "ruleset reset", "privacy forget"),
    "table clear",
)
FILES: Final = {"xwing squad": SQUAD, "ruleset import": '{"luck": true}'}


async def values_of(crawler: Crawler, by: simcord.MemberActor, command: str, option: Any) -> list[Any]:
    """What an option can be: each of its values, or one of its kind; a few of those that it suggests."""
    kind = option.type.name
    if kind == "user":
        return [crawler.club.bo]
    if kind == "attachment":
        return [("a.json", FILES.get(command, "{}").encode())]
    if option.choices:
        return [choice.value for choice in option.choices]
    if kind == "boolean":
        return [True]
    if option.autocomplete:
        result = await crawler.suggest(by, command, option.display_name)
        if result and option.display_name not in ("name", "dice"):
            return result[:2]
    if kind == "integer":
        return [NUMBERS.get(option.display_name, max(1, option.min_value or 0))]
    return [VALUES.get(f"{command} {option.display_name}", VALUES.get(option.display_name, "1"))]


async def every_command(crawler: Crawler, names: Iterator[Any], by: simcord.MemberActor) -> None:
    """Each command by itself, and with each value of each of its options."""
    for command in names:
        name, base = command.qualified_name, BASES.get(command.qualified_name, {})
        known = {parameter.display_name: parameter for parameter in command.parameters}
        users = {item: crawler.club.bo for item, each in known.items() if each.type.name == "user" and each.required}
        if not any(parameter.required for parameter in command.parameters):
            await crawler.run(by, name)
        base = {**base, **users}
        for option in command.parameters:
            if option.required and option.display_name not in base:
                base[option.display_name] = (await values_of(crawler, by, name, option))[0]
        if base:
            await crawler.run(by, name, **base)
        for option in command.parameters:
            if option.display_name in base:
                continue
            for value in await values_of(crawler, by, name, option):
                await crawler.run(by, name, **{**base, option.display_name: value})


async def alone(crawler: Crawler, by: Any) -> None:
    """Some of it in direct messages, where one person plays both sides."""
    bases = ("xwing attack", "infinity versus", "warsurge attack", "roll", "contest", "help", "table history")
    for name in bases:
        crawler.note(f"/{name} in direct messages")
        await crawler.answered(by, await by.slash(name, **BASES.get(name, {})))


async def reminded(crawler: Crawler) -> None:
    """What the clock of a match says by itself."""
    client, waits, club = client_of(crawler.club), Later(), crawler.club
    asked = Request(Person(crawler.people[0].id, "Ана"), Place(club.channel.id, club.guild.id))

    def undecided(now: Mapping[str, Any]) -> dict[str, Any]:
        return {MATCH: replace(now[MATCH], score=replace(now[MATCH].score, winner=None), ended_in=0)}

    await client.tables.step(asked, "xwing", Name("Ана"), undecided)  # what was pressed before has ended it
    client.calls.later = waits
    await crawler.run(crawler.people[0], "xwing score", 0, clock="stop")
    await crawler.run(crawler.people[0], "xwing score", 0, clock="start")
    assert len(waits.waiting) == 2
    for at in range(2):
        await waits.ring(crawler.club, at)


async def walk(crawler: Crawler, monkeypatch: pytest.MonkeyPatch) -> None:
    club, run, bot = crawler.club, crawler.run, crawler.club.env.bot
    ana, bo = club.ana, club.bo
    assert isinstance(bot, App)
    bot.watching.url = "http://pages.test"
    bot.watching.begin(Place(club.channel.id, club.guild.id))
    crawler.held = ("Answer table:clear", "Answer privacy:forget", "Answer score:end")
    gm = club.guild.add_member(
        club.env.create_user("gil", global_name="Гил"),
        roles=[club.guild.create_role("ГМ", permissions=discord.Permissions(manage_channels=True, manage_guild=True))],
    )
    for name in ("Ангус", "Ортега"):
        await run(ana if name == "Ангус" else bo, "infinity profile set", name=name, stats=ANGUS)
    for name in ("Стража", "Орки"):
        await run(ana if name == "Стража" else bo, "warsurge profile set", name=name, stats=GUARDS)
    await run(ana, "infinity order", text="Ангус Комби at 10 cover vs Ортега", opponent=bo)
    await run(ana, "contest", dice="1d20+5", opponent=bo)
    await run(ana, "xwing squad", text=SQUAD, side="first")
    await run(bo, "xwing squad", text=OTHERS, side="second")
    for _ in range(4):
        await run(ana, "table show", 60)
        await run(ana, "xwing phase", 60)
    for name in ("Люк", "Вейдер"):
        await run(ana, "xwing ship add", name=name, numbers="3/2/4/2 i5")
    every = sorted(
        slashes(bot), key=lambda slash: LAST.index(slash.qualified_name) if slash.qualified_name in LAST else -1
    )
    await every_command(crawler, (item for item in every if item.qualified_name not in LAST), gm)
    await reminded(crawler)  # before the match ends
    crawler.held = ()
    await run(ana, "xwing score", 30)
    await alone(crawler, ana.user)
    before = crawler.pressed.copy()
    crawler.pressed.clear()  # for the buttons of advice, on a roll of which there is some
    await run(bo, "xwing attack", 40, dice=3, agility=2, with_="focus, lock", against="evade")
    crawler.pressed.update(before)
    # No member of a club reads another language than it speaks here.
    monkeypatch.setattr(ruleset, "most_read", lambda _: LANGUAGES["de"])
    await run(gm, "table show")
    further: list[At] = [
        AnswerAddress("tryworse", "xwing"),
        AnswerAddress("tryworse", "infinity"),
        ruleset.STAY,
        privacy.KEEP,
        squads.FIRST,
        squads.SECOND,
        score.ENDS,
        *squads.PASTE_AS.values(),
        *squads.DIALS.values(),
        attack.AGAIN,
        attack.END_ROUND,
        reserve.READY,
        reserve.MODELS,
        reserve.FIGURES,
        troopers.INSTEAD,
        live_page.LAUNCH,
    ]
    for at in (*ruleset.SPEAK, *further, FilledForm("xwing-odds", "dice:3 agility:2")):
        await crawler.made_up(gm, at)
    await every_command(crawler, (item for item in every if item.qualified_name in LAST), gm)
