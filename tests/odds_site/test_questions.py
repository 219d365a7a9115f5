"""The links from cards of odds to the page: 300 addresses made and read back, and each asks the same question."""

import base64
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final
from urllib.parse import urlsplit

import discord
import pytest

from bot.games import GAMES
from bot.games.game import Words
from bot.odds.infinity.sides import count_orders
from bot.odds.xwing import count as odds
from bot.odds_site import infinity as site_infinity, xwing as site_xwing
from bot.odds_site.forms import FORMS
from bot.render.card import Bars, Card
from bot.render.infinity.odds import orders_card
from bot.render.xwing.odds import card as odds_card
from bot.rules.duels.rows import DUELS
from bot.rules.infinity.troopers.trooper import Trooper, parse
from bot.rules.xwing.cards import card_sets
from bot.rules.xwing.cards.card_sets import CardSet
from bot.rules.xwing.cards.cards import by_numbers, free_name, pilot_ship
from bot.rules.xwing.table.ship import Ship, damage_ship, from_card, set_to
from bot.ui.core.components import MAX_URL
from bot.ui.core.odds_link import fragment
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


def duels() -> tuple[Any, ...]:
    game = some(*DUELS.values())
    return (GAMES["duels"].declare({"game": game.key, "line": some(*(row["typed"] for row in game.golden))}, {}),)


def laws(cards: list[Any]) -> list[Any]:
    """The chances of every chart, and the facts, without the names of what is compared."""
    figures = [card.figure for card in cards]
    return [[bar.chances for bar in figure.bars] if isinstance(figure, Bars) else figure for figure in figures]


def read(address: str) -> tuple[str, dict[str, str], list[dict[str, str]]]:
    """What the page reads behind the ``#``: RFC 1951 in base64url, as its script does it."""
    held = urlsplit(address).fragment
    assert re.fullmatch(r"[A-Za-z0-9_-]+", held)
    text = zlib.decompress(base64.urlsafe_b64decode(held + "=" * (-len(held) % 4)), wbits=-15)
    game, shared, asks = json.loads(text)
    return game, shared, asks


def answered(address: str, expected: list[Any]) -> None:
    """The page has a field for each word, and counts the same law."""
    game, shared, asks = read(address)
    form = FORMS[game]
    assert {field.key for field in form.shared} >= shared.keys()
    for ask in asks:
        shown = form.fields(shared, ask) if form.fields is not None else form.asked
        known = {field.key: field for field in shown}
        assert known.keys() >= ask.keys()
        for key, value in ask.items():
            options = {option.value for option in known[key].options}
            assert not options or options >= {*(value.split(", ") if known[key].several else [value])}, (key, value)
    assert laws(form.cards(shared, asks)) == laws(expected), asks


@pytest.mark.parametrize("key", ["xwing", "infinity", "warsurge", "albion", "anydice", "duels"])
def test_an_address_that_is_read_back_asks_the_same(key: str) -> None:
    """Forty for each of six games."""
    game, make = (
        GAMES[key],
        {"xwing": xwing, "infinity": infinity, "warsurge": warsurge, "albion": albion, "duels": duels},
    )
    asked_of = game.odds_answer.asked
    assert asked_of is not None
    for _ in range(TIMES):
        question = make.get(key, anydice)()
        asks = asked_of(*question)
        assert asks, question
        address = f"{PAGE}#{fragment(game.commands.terminal or key, {}, asks)}"
        assert len(address) <= MAX_URL
        answered(address, [game.odds_answer.draw(game.odds_answer.count(*question))])


# Ships of a channel, and troopers with profiles

PILOTS: Final = ("lukeskywalker", "wedgeantilles", "darthvader", "howlrunner", "bobafett", "hansolo", "plokoon")
UPGRADES: Final = (
    "r2d2",
    "protontorpedoes",
    "predator",
    "shieldupgrade",
    "outmaneuver",
    "ioncannonturret",
    "r4astromech",
)


def ship(owner: int, taken: Mapping[str, Ship], cards: CardSet) -> Ship:
    """A ship with two upgrades, tokens, charges that are spent, shields lost, and a damage card."""
    pilot = CHANCE.choice([one for one in PILOTS if one in cards.pilots])
    upgrades = CHANCE.sample([upgrade for upgrade in UPGRADES if upgrade in cards.upgrades], CHANCE.randint(0, 2))
    item = from_card(pilot_ship(pilot, upgrades, cards), owner)
    item = replace(item, name=free_name(item.name, taken))
    for kind in CHANCE.sample(["focus", "evade", "calculate", "stress", "deplete", "strain", "ion"], 2):
        item = set_to(item, kind, 1)
    for kind in CHANCE.sample(["shield", "force", "charge"], 1):
        item = set_to(item, kind, CHANCE.randint(0, item.has(kind)))
    return damage_ship(item, facedown=["secret"]) if CHANCE.random() < 0.3 and item.hull > 2 else item


def ships() -> dict[str, Ship]:
    table: dict[str, Ship] = {}
    cards = CHANCE.choice(card_sets.SHELF.newest())
    for owner in (1, 2, 1, 2):
        result = ship(owner, table, cards)
        table[result.name] = result
    first, second, *_ = table.values()
    return {**table, first.name: replace(first, locks=(second.name,))} if CHANCE.random() < 0.5 else table


def ships_question() -> tuple[str, tuple[Words, Sequence[Words]], list[Card]]:
    """An attack between two of four ships as they stand, and the card of odds that Discord shows."""
    table = ships()
    shooter, target, *_ = table
    raw: dict[str, Any] = {"attacker": shooter, "defender": target, "range": CHANCE.randint(1, 3), "supposed": True}
    raw |= some({}, {"with": "focus"}, {"obstructed": True}, {"ruleset": "2.0"})
    declared = GAMES["xwing"].declare(raw, pieces=table)
    result = site_xwing.at_table(table, [(raw, declared)])
    assert result is not None, raw
    return "xwing", result, [odds_card(odds([("", declared)]))]


def test_attacks_of_ships_are_read_back() -> None:
    """Sixty, with all their cards."""
    for _ in range(TIMES + 20):
        game, question, expected = ships_question()
        assert "secret" not in str(question), "nobody learns what lies facedown"
        address = f"{PAGE}#{fragment(game, *question)}"
        assert len(address) <= MAX_URL
        answered(address, expected)


def test_a_squad_of_the_other_set_and_a_ship_of_numbers_are_read_back() -> None:
    legacy = next(card_set for card_set in card_sets.SHELF.newest() if card_set.key == "legacy")
    luke = from_card(pilot_ship("lukeskywalker", ["r2d2"], legacy), 1)
    typed = set_to(from_card(by_numbers("Shuttle", "2/3/5/2 i4 medium"), 2), "evade", 1)
    table: dict[str, Any] = {luke.name: luke, typed.name: typed}
    for pair in ((luke.name, typed.name), (typed.name, luke.name)):
        raw: dict[str, Any] = {"attacker": pair[0], "defender": pair[1], "range": 2, "supposed": True}
        declared = GAMES["xwing"].declare(raw, pieces=table)
        result = site_xwing.at_table(table, [(raw, declared)])
        assert result is not None
        answered(f"{PAGE}#{fragment('xwing', *result)}", [odds_card(odds([("", declared)]))])


def test_a_friend_comes_along_only_where_its_card_counts() -> None:
    cards = card_sets.SHELF.newest()[0]
    names = ("darthvader", "howlrunner", "academypilot", "lukeskywalker")
    ships = [from_card(pilot_ship(name, [], cards), 1 if name != "lukeskywalker" else 2) for name in names]
    table: dict[str, Any] = {item.name: item for item in ships}
    for claims in ("", "howlrunner-near"):
        raw: dict[str, Any] = {"attacker": "Academy Pilot", "defender": "Luke Skywalker", "range": 1, "supposed": True}
        declared = GAMES["xwing"].declare(raw, pieces=table)
        result = site_xwing.at_table(table, [(raw, declared)])
        assert result is not None
        assert "howlrunner" in result[0]["mine"], claims
        assert "darthvader" not in result[0]["mine"]


PROFILES: Final = {
    "Fennec": "BS 12, PH 13, ARM 1, BTS 0, W 1, LI, Mimetism (-3), Combi: B3 PS 7 N ARM +3@16 -3@32 -6@48",
    "Yama": "BS 11, PH 12, ARM 1, BTS 3, W 2, HI, Lieutenant, Boarding Shotgun: B2 PS 6 N +6@8 -3@24",
    "Nessa": "BS 13, PH 11, WIP 14, ARM 3, BTS 6, STR 2, REM, HMG: B4 PS 5 N -3@8 +3@32 -3@48",
}


def troopers() -> dict[str, Trooper]:
    held = {name: parse(name, line) for name, line in PROFILES.items()}
    held["Yama"] = replace(held["Yama"], lost=CHANCE.randint(0, 1), owner=7, spent=("x",), last="Yama dodge")
    return held | {"Nessa": replace(held["Nessa"], states=some((), ("Targeted",)))}


def order_question() -> tuple[str, tuple[Words, Sequence[Words]], list[Card]]:
    """An order of troopers with profiles, and its card of odds."""
    held, reaction = troopers(), some("Yama dodge", "Yama Boarding Shotgun", "Nessa HMG", "Nessa dodge")
    order = f"Fennec Combi at {some(12, 20)}{some('', ' cover')} vs {reaction}"
    raw: dict[str, Any] = {"order": order, "edition": some("n5", "n4")}
    declared = GAMES["infinity"].declare(raw | {"odds": True}, pieces=held)
    result = site_infinity.at_table(held, [(raw, declared)])
    assert result is not None, order
    return "infinity", result, [orders_card(count_orders([(order, declared)]))]


def test_orders_of_troopers_are_read_back_to_the_wound() -> None:
    """Forty, in two editions; of private skills and of other troopers nothing goes along."""
    for _ in range(TIMES):
        game, question, expected = order_question()
        assert "Lieutenant" not in str(question)
        assert ("Nessa:" in str(question)) == ("Nessa" in question[1][0]["order"])
        address = f"{PAGE}#{fragment(game, *question)}"
        assert len(address) <= MAX_URL
        answered(address, expected)


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
    asks = [{"awareness": "3", "strength": "3", "agility": "4", "stealth": "3"}]
    assert read(address) == ("albion", {}, asks)


async def test_odds_between_ships_and_of_orders_lead_there_too(club: Club) -> None:
    club.env.bot.site_url = PAGE  # type: ignore[attr-defined]  # it is our App
    for name in ("Luke Skywalker", "Darth Vader"):
        await club.ana.slash(club.channel, "xwing ship add", name=name)
    await club.ana.slash(club.channel, "xwing token give", ship="Luke Skywalker", token="focus", count=1)
    await club.ana.slash(club.channel, "xwing odds", attacker="Luke Skywalker", defender="Darth Vader", range=1)
    game, shared, asks = read(links(club)[0])
    assert (game, shared["stands"]) == ("xwing", "Luke Skywalker: focus 1")
    assert asks[0]["attacker"] == "Luke Skywalker"
    for name, line in PROFILES.items():
        await club.ana.slash(club.channel, "infinity profile set", name=name, stats=line)
    await club.ana.slash(club.channel, "infinity odds", order="Fennec Combi at 20 vs Yama dodge")
    game, shared, asks = read(links(club)[0])
    assert game == "infinity"
    assert [item.partition(":")[0] for item in shared["profiles"].splitlines()] == ["Fennec", "Yama"]
