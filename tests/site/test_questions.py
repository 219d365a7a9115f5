"""The links from cards of odds to the page: 200 addresses made and read back, and each asks the same question."""

import json
from collections.abc import Mapping
from random import Random
from typing import Any, Final
from urllib.parse import quote, unquote, urlsplit

import discord
import pytest

from bot.games import GAMES
from bot.render.card import Bars
from bot.site.games import FORMS
from bot.ui.components import URL_MOST
from tests.conftest import Club

PAGE: Final = "https://odds.example.org/rollcall/"
CHANCE: Final = Random(45)
TIMES: Final = 40


def some(*words: Any) -> Any:
    return CHANCE.choice(words)


def xwing() -> tuple[Any, ...]:
    against = ", ".join(filter(None, (some("", "focus", "evade 2"), some("", "hull 3", "hull 4, shields 2"))))
    words = {
        "dice": CHANCE.randint(1, 5),
        "agility": CHANCE.randint(0, 4),
        "with": some("", "focus", "focus, lock", "force 2, reroll 1 blank", "change 1 focus to hit"),
        "against": against,
        "range": some(None, 1, 2, 3),
        "obstructed": some(True, False),
    }
    declared = GAMES["xwing"].declare({key: value for key, value in words.items() if value is not None}, {})
    return ([("", declared)],)


def infinity() -> tuple[Any, ...]:
    words: dict[str, Any] = {"sv": CHANCE.randint(1, 22), "burst": CHANCE.randint(1, 5), "name": some("", "Angus")}
    words |= some({}, {"sv_b": CHANCE.randint(1, 18), "name_b": some("", "Ortega")})
    return GAMES["infinity"].declare(words, {}), ("You", "Opponent")


def warsurge() -> tuple[Any, ...]:
    words = {"power": CHANCE.randint(0, 12), "defence": CHANCE.randint(0, 12), "attack_dice": CHANCE.randint(1, 9)}
    words |= some({}, {"save": CHANCE.randint(2, 6)})
    return ([GAMES["warsurge"].declare(words | {"method": some("casual", "balanced", "chart")}, {})],)


def albion() -> tuple[Any, ...]:
    target = {"agility": CHANCE.randint(0, 12), "stealth": CHANCE.randint(0, 12), "dodging": some(True, False)}
    attacker = {"awareness": CHANCE.randint(0, 12), "strength": CHANCE.randint(0, 12)}
    return (GAMES["albion"].declare({"target": target, "attacker": attacker}, {}),)


def anydice() -> tuple[Any, ...]:
    dice = some("4d6kh3", "1d20+5 adv", "6d10>=7", "4dF", "3d6!", "2d6+1d8-1", "1d20 >= 15", "2d12ro1")
    return (GAMES["anydice"].declare({"dice": dice}, {}),)


def laws(cards: list[Any]) -> list[Any]:
    """The chances of every chart, without the names of what is compared."""
    figures = [one.figure for one in cards]
    return [[bar.chances for bar in one.bars] if isinstance(one, Bars) else one for one in figures]


@pytest.mark.parametrize("key", ["xwing", "infinity", "warsurge", "albion", "anydice"])
def test_an_address_that_is_read_back_asks_the_same(key: str) -> None:
    """Forty for each of five games."""
    game, make = GAMES[key], {"xwing": xwing, "infinity": infinity, "warsurge": warsurge, "albion": albion}
    asked_of = game.odds_answer.asked
    assert asked_of is not None
    for _ in range(TIMES):
        question = make.get(key, anydice)()
        asks = asked_of(*question)
        assert asks, question
        held = json.dumps({"game": game.commands.terminal or key, "shared": {}, "asks": asks})
        address = f"{PAGE}#{quote(held)}"
        assert len(address) <= URL_MOST
        read: Mapping[str, Any] = json.loads(unquote(urlsplit(address).fragment))
        form = FORMS[read["game"]]
        known = {field.key for field in form.asked}
        assert all(known >= one.keys() for one in read["asks"])
        there = form.cards(read["shared"], read["asks"])
        assert laws(there) == laws([game.odds_answer.draw(game.odds_answer.count(*question))]), question


def test_what_the_page_cannot_ask_has_no_address() -> None:
    xwing_of, infinity_of = GAMES["xwing"].odds_answer.asked, GAMES["infinity"].odds_answer.asked
    assert xwing_of is not None
    assert infinity_of is not None
    several = GAMES["xwing"].declare({"dice": 3, "agility": 2, "attacks": 2, "against": "hull 4"}, {})
    assert xwing_of([("", several)]) == ()
    dodge = GAMES["infinity"].declare({"sv": 12, "burst": 3, "sv_b": 11, "kind_b": "dodge"}, {})
    assert infinity_of(dodge, ("A", "B")) == ()


def links(club: Club) -> list[str]:
    items = (item for row in club.card.components for item in getattr(row, "children", ()))
    return [item.url for item in items if isinstance(item, discord.Button) and item.url]


async def test_a_card_of_odds_leads_there_where_the_host_has_put_the_page_up(club: Club) -> None:
    await club.ana.slash(club.channel, "albion odds", agility=4, stealth=3, awareness=3, strength=3)
    assert links(club) == [], "nobody has put one up"
    club.env.bot.site_url = PAGE  # type: ignore[attr-defined]  # it is our App
    await club.ana.slash(club.channel, "albion odds", agility=4, stealth=3, awareness=3, strength=3)
    (address,) = links(club)
    read = json.loads(unquote(urlsplit(address).fragment))
    assert read == {
        "game": "albion",
        "shared": {},
        "asks": [{"awareness": "3", "strength": "3", "agility": "4", "stealth": "3"}],
    }
