"""Games, refusals, history, board and help in a pseudo-language: what comes out in plain English has escaped.

Names, typed words, dice notation and the words of JSON stay as they are.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

import discord
import pytest
import simcord

from bot.languages import ENGLISH, LANGUAGES, Language
from bot.languages.translate import CURRENT_LANGUAGE as SPOKEN_NOW, using_language
from bot.ui.commands.options import form_of
from bot.ui.core import request_context
from cogs.help import slashes
from tests.conftest import Club
from tests.pseudo import PSEUDO, Invented, escaped, template
from tests.test_languages import catalog, forms

pytestmark = pytest.mark.one_bot

NAMES: Final = frozenset(
    (
        *(
            "ana",
            "cleo",
            "rollcall",
            "albion",
            "warsurge",
            "infinity",
            "wing",
            "mit",
            "chance",
            "engagement",
            "casual",
            "balanced",
            "chart",
        ),
        *(["attack", "dice", "chart"]),
        *("ortega", "power", "defence", "save"),
    )
)
"""People, games, methods, and the stats of a line that can be typed again."""


@pytest.fixture(autouse=True)
def language(monkeypatch: pytest.MonkeyPatch) -> Iterator[Language]:
    """Every table and every reader speaks the pseudo-language, in which nothing is said that no catalog has."""
    unknown, message = set[str](), Invented.message

    def noted(self: Invented, english: str) -> str:
        if re.search(r"[^\W\d_]{2}", re.sub(r"\{\w*\}", "", english)) and english not in template():
            unknown.add(english)
        return message(self, english)

    monkeypatch.setattr(Invented, "message", noted)
    monkeypatch.setattr(request_context, "of_locale", lambda _: PSEUDO)
    monkeypatch.setattr(request_context, "ENGLISH", PSEUDO)
    with using_language(PSEUDO):
        yield PSEUDO
    assert unknown == set(), "these messages are in no catalog: `make messages` finds them"


TEXT_INPUT: Final = 4
"""A line of a form: its value and its example are what people type."""


def texts(part: Any) -> Iterator[str]:
    """Every text that people read in what was sent."""
    if isinstance(part, dict):
        for key, item in part.items():
            if key in (
                "content",
                "title",
                "description",
                "text",
                "name",
                "value",
                "label",
                "placeholder",
            ) and isinstance(item, str):
                is_typed = key in ("value", "placeholder") and part.get("type") == TEXT_INPUT
                if not is_typed and not (key == "value" and "label" in part) and not (key == "name" and "id" in part):
                    yield item
            elif key not in ("emoji", "user", "author_user", "member"):
                yield from texts(item)
    elif isinstance(part, list):
        for item in part:
            yield from texts(item)


def of_message(message: Any) -> dict[str, Any]:
    """What people read of a message."""
    return {
        "content": message.content or "",
        "embeds": [embed.to_dict() for embed in message.embeds],
        "components": [
            component if isinstance(component, dict) else component.to_dict() for component in message.components
        ],
    }


def typed_words(club: Club) -> frozenset[str]:
    """The words of commands and options, which help shows as they are typed, and the names of other games."""
    tree: Any = club.env.bot.tree  # type: ignore[attr-defined]  # it is our App
    names = set[str]()
    for command in tree.walk_commands():
        names |= {command.name, *(item.display_name for item in getattr(command, "parameters", ()))}
    others = "pathfinder world darkness savage worlds year zero pbta fate shadowrun call cthulhu star wars cod wod"
    return frozenset(part for name in names for part in re.split("[-_]", name)) | {"true", *others.split()}


def lost(result: simcord.InteractionResult, club: Club, names: frozenset[str]) -> str:
    """The texts with English words in them that escaped, a line each."""
    response = result.response
    sent = of_message(response) if response is not None and hasattr(response, "embeds") else of_message(club.card)
    return "\n".join(f"{words}: {text}" for text in texts(sent) if (words := escaped(text, names)))


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("albion attack", {"agility": 4, "stealth": 3, "awareness": 3, "strength": 3, "faces": "72 0 x1"}),
        ("albion attack", {"agility": 4, "stealth": 3, "awareness": 3, "strength": 3, "faces": "72 0 "}),
        ("warsurge attack", {"power": 6, "defence": 4, "faces": "4 4", "method": "casual"}),
        ("warsurge attack", {"power": 6}),
        ("warsurge profile set", {"name": "Ortega", "stats": "Power 6"}),
        ("xwing squad", {"text": "nothing of mine"}),
    ],
)
async def test_nothing_escapes_of_a_refusal(club: Club, command: str, options: dict[str, Any]) -> None:
    """What is refused; ``test_crawl`` gives every command what it takes."""
    assert not lost(await club.ana.slash(club.channel, command, **options), club, NAMES)


def words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text))


PEOPLE: Final = words("ana angus ortega murat luke vader guards orks sword rifle cleo combi pistol")
TERMS: Final = words("infinity wing warsurge albion arm bts wip unconscious")
"""Names of games, attributes, and a state, which stays as the rulebook has it."""
TYPED: Final = words(
    "focus calculate force lock charge deplete evade reroll change add cancel spend set every range counts forbid "
    "crits needs cost agility dodge burst"
)
"""What people type of an attack, a line or an option, where an answer repeats, suggests or lists it."""
ALL_NAMES: Final = NAMES | PEOPLE | TERMS


LIMITS: Final = {
    "title": 256,
    "description": 4096,
    "content": 2000,
    "label": 80,
    "placeholder": 150,
    "name": 256,
    "value": 1024,
}
"""Characters that Discord takes of a text by its key, where it is no part of a form, and no option of a list."""
IN_FORMS: Final = {"title": 45, "label": 45, "description": 100, "placeholder": 100, "value": 4000}
IN_OPTIONS: Final = {"label": 100, "description": 100, "value": 100}
MAX_EMBED: Final = 6000


@cache
def open_labels() -> frozenset[str]:
    """Labels that end in an ellipsis as they are, because more is asked after them."""
    others = (language for language in LANGUAGES.values() if language is not ENGLISH)
    every = (text for language in others for entry in catalog(language) for _, text in forms(entry))
    return frozenset(text for text in every if text.endswith("…"))


def check_limits(sent: Any, limits: Mapping[str, int] = LIMITS) -> None:
    """That Discord takes the texts of what was sent, although they are a third longer, and that no label was cut."""
    if isinstance(sent, list):
        for item in sent:
            check_limits(item, limits)
    elif isinstance(sent, dict):
        limits = IN_FORMS if {"title", "custom_id"} <= sent.keys() else limits
        for key, item in sent.items():
            assert not isinstance(item, str) or len(item) <= limits.get(key, 6000), (key, item)
            assert key != "label" or not str(item).endswith("…") or str(item) in open_labels(), (key, item)
            check_limits(item, IN_OPTIONS if key == "options" else limits)
        for embed in sent.get("embeds", ()):
            assert len(discord.Embed.from_dict(embed)) <= MAX_EMBED


def left_out(club: Club, names: frozenset[str] = ALL_NAMES) -> str:
    """What escaped in everything that the bot has sent, a line each."""
    asked = [request.json or {} for request in club.env.http_requests if not request.path.endswith("/commands")]
    check_limits(asked)
    if SPOKEN_NOW.get() is not PSEUDO:  # in other walks through the same scenes
        return ""
    said = [text for item in asked for text in texts(item)]
    return "\n".join(dict.fromkeys(f"{words}: {text}" for text in said if (words := escaped(text, names))))


async def test_forms_of_commands_hold_a_third_longer(club: Club) -> None:
    bot: Any = club.env.bot
    commands = [slash for slash in slashes(bot) if form_of(slash) is not None]
    assert len(commands) >= 10
    for command in commands:
        shown = (await club.ana.slash(club.channel, command.qualified_name)).modal
        assert shown is not None
        check_limits(shown)
        assert not shown["title"].endswith("…"), shown["title"]


async def test_nothing_escapes_of_a_roll(club: Club) -> None:
    club.dice.will_show(2, 4, 5, 0)
    await club.ana.slash(club.channel, "roll", dice="4d6kh3", label="72")
    await club.how()
    await club.ana.slash(club.channel, "roll", dice="4d6kh3", odds=True)
    await club.ana.slash(club.channel, "roll", dice="2d6q")
    await club.ana.slash(club.channel, "roll", dice="1d20+5", request="everybody")
    assert left_out(club) == ""


def offered(club: Club) -> list[str]:
    """The offers on the newest card."""
    items = [item for row in club.card.components for item in getattr(row, "children", ())]
    return [item.custom_id.rpartition(":")[2] for item in items]


async def pressed(club: Club, person: simcord.MemberActor, offer: str, **filled: Any) -> None:
    """Press the button of an offer on the newest card; with ``filled`` its form is sent."""
    shown = await person.click(club.card, custom_id=club.custom_id(offer))
    if filled:
        await person.submit_modal(shown, filled)


async def test_nothing_escapes_of_an_attack_with_windows(club: Club) -> None:
    club.dice.red("focus hit blank")
    await club.attack(dice=3, with_="focus, lock", opponent=club.bo)
    await pressed(club, club.bo, "defend", agility="2", tokens="evade, hull 3, shields 1")
    await pressed(club, club.ana, "focus")
    club.dice.green("evade focus")
    await pressed(club, club.ana, "done")
    for _ in range(6):
        if "done" not in offered(club):
            break
        for person in (club.bo, club.ana):
            await person.click(club.card, custom_id=club.custom_id("done")) if "done" in offered(club) else None
    await club.how()
    await club.ana.slash(club.channel, "xwing attack")
    await club.ana.slash(club.channel, "table history")
    assert left_out(club) == ""


async def test_nothing_escapes_of_an_attack_in_words(club: Club) -> None:
    """Without pictures: the dice, their trail and the figure of the odds."""
    for person in (club.ana, club.bo):
        await person.slash(club.channel, "prefer", setting="look", value="text")
    club.dice.red("focus hit blank")
    await club.attack(dice=3, with_="focus", opponent=club.bo)
    await pressed(club, club.bo, "defend", agility="2", tokens="evade")
    club.dice.green("evade blank")
    await pressed(club, club.ana, "focus")
    club.dice.will_show(2, 3)
    await club.ana.slash(club.channel, "roll", dice="2d6")
    assert left_out(club) == ""


async def test_only_typed_words_escape_of_odds_and_refusals(club: Club) -> None:
    await club.ana.slash(club.channel, "xwing odds", dice=3, agility=2, **{"with": "focus", "or": "lock"})
    await club.ana.slash(club.channel, "xwing attack", dice=3, **{"with": "focuss"})
    assert left_out(club, ALL_NAMES | TYPED) == ""


async def test_nothing_escapes_of_ships_and_their_board(club: Club) -> None:
    for name, numbers in (("Luke", "3/2/4/2 i5"), ("Vader", "3/3/3/2 i6")):
        await club.ana.slash(club.channel, "xwing ship add", name=name, numbers=numbers)
    await club.ana.slash(club.channel, "table show")
    await club.ana.slash(club.channel, "xwing token give", ship="Luke", token="focus")
    await club.ana.slash(club.channel, "xwing lock", ship="Luke", target="Vader")
    club.dice.red("hit")
    await club.ana.slash(club.channel, "xwing hazard", ship="Luke", what="asteroid")
    await club.ana.slash(club.channel, "xwing engage")
    await club.ana.slash(club.channel, "xwing endphase")
    await club.ana.slash(club.channel, "xwing ship list")
    await club.ana.slash(club.channel, "xwing token take", ship="Luke", token="evade")
    await club.ana.slash(club.channel, "table undo")
    await club.ana.slash(club.channel, "table history")
    assert left_out(club) == ""


async def test_a_third_squad_is_asked_in_the_language_with_whom_it_plays(club: Club) -> None:
    squad = json.dumps({"faction": "rebelalliance", "name": "Gold", "pilots": [{"id": "lukeskywalker"}]})
    await club.ana.slash(club.channel, "xwing squad", text=squad, side="first")
    for person in (club.bo, club.cleo):
        await person.slash(club.channel, "xwing squad", text=squad)
    labels = [item.label for row in club.card.components for item in getattr(row, "children", ())]
    assert len(labels) == 2
    assert SPOKEN_NOW.get() is not PSEUDO or [label for label in labels if escaped(label, PEOPLE)] == []


async def test_nothing_escapes_of_an_order_with_saves(club: Club) -> None:
    angus = "BS 12, PH 10, WIP 13, ARM 1, BTS 0, W 2, Combi: B3 PS 7 N +3@16 -3@32 -6@48"
    for person, name in ((club.ana, "Angus"), (club.bo, "Ortega")):
        await person.slash(club.channel, "infinity profile set", name=name, stats=angus)
    club.dice.will_show(8, 3, 16)
    await club.ana.slash(club.channel, "infinity order", text="Angus Combi at 10 cover vs Ortega", opponent=club.bo)
    await club.how()
    club.dice.will_show(19, 18)
    await pressed(club, club.bo, next(item for item in offered(club) if item.startswith("save")))
    await club.how()
    await club.ana.slash(club.channel, "infinity odds", sv=12, burst=3, vs_sv=11)
    await club.ana.slash(club.channel, "infinity odds", order="Angus Combi at 10 vs Ortega dodge")
    await club.ana.slash(club.channel, "infinity versus", sv=12, burst=2, opponent=club.bo)
    await club.bo.click(club.card, custom_id=club.custom_id("react"))
    await club.ana.slash(
        club.channel, "infinity save", hits=2, crits=1, ammo="DA", ps=7, arm=1, dice="8, 2, 19, 11, 3, 4, 5"
    )
    await club.ana.slash(club.channel, "infinity order", text="Angus 12 doge vs Ortega")
    await club.ana.slash(club.channel, "infinity profile list")
    await club.ana.slash(club.channel, "infinity order")
    await club.ana.slash(club.channel, "table history")
    assert left_out(club) == ""


async def test_nothing_escapes_of_what_all_games_share(club: Club) -> None:
    club.dice.will_show(9, 11, 3)
    await club.ana.slash(club.channel, "initiative start")
    await club.ana.slash(club.channel, "initiative join", roll="1d20+3")
    await club.bo.slash(club.channel, "initiative join", roll="1d20")
    await club.ana.slash(club.channel, "initiative next")
    await club.bo.slash(club.channel, "initiative next")
    await club.ana.slash(club.channel, "saved add", name="Cleo", roll="1d20")
    await club.ana.slash(club.channel, "saved list")
    await club.ana.slash(club.channel, "saved panel")
    await club.ana.slash(club.channel, "roll", dice="1d20", secret=True)
    await club.ana.slash(club.channel, "table secrets")
    await club.ana.slash(club.channel, "table luck")
    await club.ana.slash(club.channel, "table undo")
    await club.ana.slash(club.channel, "table history")
    await club.ana.slash(club.channel, "table clear")
    await club.ana.slash(club.channel, "privacy forget")
    await club.ana.slash(club.channel, "fairness")
    assert left_out(club) == ""


async def test_nothing_escapes_of_a_contest(club: Club) -> None:
    await club.ana.slash(club.channel, "contest", dice="1d20+5", opponent=club.bo)
    shown = await club.bo.click(club.card, custom_id=club.custom_id("answer-defender"))
    club.dice.will_show(11, 8)
    await club.bo.submit_modal(shown, {"dice": "1d20+3"})
    await club.how()
    await club.ana.slash(club.channel, "contest", dice="1d20+5", their_dice="2d6", odds=True)
    assert left_out(club) == ""


async def test_nothing_escapes_of_warsurge_and_albion(club: Club) -> None:
    guards = "Defence 3, Save 4+, HP 8; Sword: Power 4; Rifle: Power 6, Dice 2, AP 1"
    for name in ("Guards", "Orks"):
        await club.ana.slash(club.channel, "warsurge profile set", name=name, stats=guards)
    await club.ana.slash(club.channel, "warsurge attack", attacker="Guards", target="Orks")
    club.dice.will_show(5, 5, 5)
    both = {"attacker": "Guards", "target": "Orks", "weapons": "Sword, Rifle"}
    await club.ana.slash(club.channel, "warsurge attack", opponent=club.bo, **both)
    await club.bo.click(club.card, custom_id=club.custom_id("type-saves"))
    club.dice.will_show(2, 2, 2)
    await pressed(club, club.bo, "roll-saves")
    await club.how()
    await club.ana.slash(club.channel, "warsurge odds", **both)
    await club.ana.slash(club.channel, "warsurge compare", **both)
    await club.ana.slash(club.channel, "warsurge profile list")
    await club.ana.slash(club.channel, "warsurge attack")
    club.dice.will_show(5, 5, 0)
    await club.ana.slash(club.channel, "albion attack", agility=4, stealth=3, awareness=3, strength=3)
    await club.how()
    await club.ana.slash(club.channel, "table show")
    assert left_out(club) == ""


EXAMPLES: Final = words("door second successes fireball shoots goblin fusiliers hmg")
"""What the commands that help shows name, and values of their options."""


@pytest.mark.parametrize("page", ["xwing", "infinity", "warsurge", "contest", "anydice", "table", "shared"])
async def test_nothing_escapes_of_help(club: Club, page: str) -> None:
    await club.ana.slash(club.channel, "help", game=page)
    assert left_out(club, ALL_NAMES | typed_words(club) | TYPED | EXAMPLES) == ""
