"""Fights of any ships with any cards of a set: whatever is offered can be taken, and every state is told and kept."""

from dataclasses import replace
from random import Random
from typing import Final

import pytest

from bot.render.xwing import card
from bot.rules import xwing
from bot.rules.errors import PlayerError
from bot.rules.game import Offer, Side
from bot.rules.text import english
from bot.rules.xwing.attack import attack
from bot.rules.xwing.attack.attack import AttackWindow
from bot.rules.xwing.cards.card_sets import POOLS, SHELF, Pool
from bot.rules.xwing.cards.cards import free_name, pilot_ship
from bot.rules.xwing.cards.deck import DAMAGE_CARDS
from bot.rules.xwing.cards.rows import ROWS
from bot.rules.xwing.table.ship import Fleet, Ship, from_card, give
from bot.rules.xwing.table.ship_weapons import mounts
from bot.sessions import codec
from tests.rules.xwing.fleet import Fight
from tests.starts import drawn, what_fits

FIGHTS: Final = 120
TOKENS: Final = ("focus", "evade", "calculate", "stress", "strain", "deplete", "tractor", "ion", "reinforce fore")
OVER: Final = (AttackWindow.OVER, AttackWindow.WITHDRAWN)
BESIDE: Final = ("another", "camera", "withdraw")


def any_ship(chance: Random, pool: Pool, owner: int) -> Ship:
    """A pilot with some upgrades that have rows, tokens, perhaps a faceup damage card."""
    cards = SHELF.of(pool)
    fitted = [item for item in chance.sample(list(cards.upgrades), 5) if f"upgrade:{item}" in ROWS]
    result = from_card(pilot_ship(chance.choice(list(cards.pilots)), fitted, cards), owner)
    for token in chance.sample(TOKENS, chance.randint(0, 3)):
        result = give(result, token, 1)
    titles = (chance.choice(list(DAMAGE_CARDS)),) if chance.random() < 0.2 else ()
    return replace(result, faceup=titles)


def table(chance: Random, pool: Pool) -> dict[str, Ship]:
    """Three against three; some have locks."""
    ships: dict[str, Ship] = {}
    for owner in (1, 1, 1, 2, 2, 2):
        item = any_ship(chance, pool, owner)
        name = free_name(item.name, ships)
        ships[name] = replace(item, name=name)
    names = list(ships)
    for name in names:
        foe = names[3] if ships[name].owner == 1 else names[0]
        if chance.random() < 0.5 and not ships[name].has("ion"):
            ships[name] = replace(ships[name], locks=(foe,))
    return ships


def picked(chance: Random, offer: Offer) -> tuple[str, ...]:
    return drawn(offer, chance)


@pytest.mark.parametrize("pool", POOLS)
def test_whatever_is_offered_can_be_taken(pool: Pool) -> None:
    chance, over = Random(f"{pool}"), 0
    for _ in range(FIGHTS):
        ships = table(chance, pool)
        attacker, *_, defender = list(ships)[:4]
        weapon = chance.choice([mount.weapon.name for mount in mounts(ships[attacker])] or [""])
        told = {"range": chance.randint(0, 3), "obstructed": chance.random() < 0.3, "weapon": weapon}
        try:
            fight = Fight(ships, chance.randrange, attacker=attacker, defender=defender, **told)
        except PlayerError:  # a weapon that lacks its lock, a range that is too near
            continue
        while fight.state.window not in OVER:
            offer = chance.choice([item for item in attack.offers(fight.state) if item.key not in BESIDE])
            fight.take(offer.key, *picked(chance, offer), **{field.key: what_fits(field) for field in offer.fields})
            assert card(fight.state, {Side.ATTACKER: "Ana"}).outcome
            assert codec.read_state(xwing, xwing.SCHEMA, codec.write_state(xwing, fight.state)) == fight.state
        over += 1
    assert over > FIGHTS / 2


# What such fights found


def ship(pilot: str, *upgrades: str, owner: int = 1, tokens: tuple[str, ...] = (), locks: tuple[str, ...] = ()) -> Ship:
    result = replace(from_card(pilot_ship(pilot, upgrades), owner), locks=locks)
    for token in tokens:
        result = give(result, token, 1)
    return result


def begin(falls: list[int], shooter: Ship, target: Ship, *others: Ship) -> Fight:
    ships: Fleet = {item.name: item for item in (shooter, target, *others)}
    waiting = iter(falls)
    return Fight(ships, lambda _: next(waiting), attacker=shooter.name, defender=target.name, range=2)


HIT, CRIT, BLANK = 0, 3, 7


def test_a_result_that_is_spent_is_no_token_that_is_owed() -> None:
    """Bossk turns a crit into two hits."""
    fight = begin([CRIT, BLANK, BLANK, *[BLANK] * 20], ship("bossk"), ship("academypilot", owner=2))
    fight.take("row-0")
    assert fight.state.damage is not None
    assert fight.state.damage.hits == 2


def test_a_token_that_a_card_takes_is_not_felt_any_more() -> None:
    """Gar Saxon's gunner takes the strain token before the green dice: three are rolled, and none is owed."""
    shooter = ship("bluesquadronescort", "garsaxon-gunner")
    fight = begin([HIT] * 30, shooter, ship("academypilot", owner=2, tokens=("strain",)))
    (listed,) = [offer for offer in attack.offers(fight.state) if offer.key == "cards"]
    fight.take("cards", listed.options[0].value)
    assert len(fight.state.green) == 3
    assert fight.ships["Academy Pilot"].has("strain") == 0


def test_a_ship_that_has_a_lock_gets_no_other() -> None:
    """Hera Syndulla hands over her focus token; her lock would be a second one."""
    hera = ship("herasyndulla-asf01bwing", locks=("Academy Pilot",), tokens=("focus",))
    fight = begin(
        [4, BLANK, BLANK], ship("bluesquadronescort", locks=("Academy Pilot",)), ship("academypilot", owner=2), hera
    )
    labels = [offer.label for offer in attack.offers(fight.state)]
    assert [label for label in labels if english(label).startswith("Hera")] == [
        "Hera Syndulla (at range 1-2; for 1 focus of Hera Syndulla): it's yours"
    ]
