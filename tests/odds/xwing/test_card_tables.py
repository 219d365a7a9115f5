"""The tables of the rules page: an attack with a card has the law of the same attack in the words that players type."""

from typing import Any

import pytest

from bot.odds.xwing import odds
from bot.rules.xwing.attack.json_attacks import declare
from tests.rows import for_each_row

ESCORT = "bluesquadronescort"
"""3 attack dice, agility 2, no ability; its ship has none that touches dice."""
JOINED = ("focus", "lock", "calculate", "force", "evade", "tractor")
"""What a line-up says of a side in both forms."""

Side = dict[str, Any]
Both = tuple[Side, Side]
"""A side by its cards, and in words."""


def attack(
    card: str, words: str = "", *, dice: int = 3, claims: list[str] | None = None, **more: Any
) -> tuple[Side, Side]:
    """An attacker by card, and in words. ``card`` is a pilot, or an upgrade of an escort after a plus."""
    return by_card(card, claims, more), {"dice": dice, "words": words, **held(more, "evade")}


def by_card(card: str, claims: list[str] | None, more: dict[str, Any]) -> Side:
    pilot, _, upgrade = card.partition("+")
    upgrades = {"upgrades": [upgrade]} if upgrade else {}
    return {"pilot": pilot or ESCORT, **upgrades, "claims": [upgrade or pilot] if claims is None else claims, **more}


def held(more: dict[str, Any], *but: str) -> Side:
    return {name: count for name, count in more.items() if name in JOINED and name not in but}


def law(attacker: Side, defender: Side, top: dict[str, Any]) -> object:
    return odds(declare({"attack": attacker, "defense": defender, **top}))["joint"]


ATTACKS: list[tuple[tuple[Side, Side], dict[str, Any]]] = [
    (attack("+predator", "reroll 1", focus=1), {}),
    (attack("+predator", "", claims=[], focus=1), {}),
    (attack("+marksmanship", "change 1 hit to crit"), {}),
    (attack("+outmaneuver", "-1 dice green"), {}),
    (attack("+trickshot", "+1 dice", claims=[]), {"obstructed": True}),
    (attack("+juke", "change 1 evade to focus", claims=[], evade=1), {}),
    (attack("+fanatical", "change 1 focus to hit", claims=[], shields=0), {}),
    (attack("+fanatical", "", claims=[]), {}),
    (attack("+calibratedlasertargeting", "add 1 focus"), {}),
    (attack("+integratedsfoils", "-1 dice", sides={"integratedsfoils": "closed"}), {}),
    (attack("+integratedsfoils", ""), {}),
    (attack("+servomotorsfoils", "-1 dice", claims=[], sides={"servomotorsfoils": "Closed"}), {}),
    (attack("+servomotorsfoils", "", claims=[]), {}),
    (attack("+r2c4", "change 1 focus to hit", claims=[], evade=1), {}),
    (attack("+r7a7", "change 1 hit to crit", claims=[]), {}),
    (attack("+r5p8", "reroll 1"), {}),
    (attack("+bobafett-gunner", "change 1 focus to hit"), {}),
    (attack("+greedo", "change 1 hit to crit", claims=[]), {}),
    (attack("+greedo", "", claims=[], charges={"greedo": 0}), {}),
    (attack("+chewbacca-crew-swz19", "change 1 focus to crit", claims=[]), {}),
    (attack("+agentkallus", "change 1 focus to hit"), {}),
    (attack("+bokatankryze", "reroll 1", claims=[]), {"range": 1}),
    (attack("+bokatankryze", "reroll 1"), {}),
    (attack("+sawgerrera", "change 3 focus to crit"), {}),
    (attack("maulermithel", "+1 dice", dice=2, claims=[]), {"range": 1}),
    (attack("maulermithel", "", dice=2, claims=[]), {}),
    (attack("scourgeskutu", "+1 dice", dice=2), {}),
    (attack("puresabacc", "+1 dice", claims=[]), {}),
    (attack("puresabacc", "", claims=[], facedown=2), {}),
    (attack("wullffwarro", "+1 dice", claims=[], facedown=1), {}),
    (attack("wampa", "+1 dice", dice=2, claims=[]), {}),
    (attack("wampa", "", dice=2, claims=[], charges={"wampa": 0}), {}),
    (attack("scorch", "+1 dice", dice=2), {}),
    (attack("scorch", "", dice=2, claims=[]), {}),
    (attack("zuckuss", "+1 dice, +1 dice green"), {}),
    (attack("fennrau", "+1 dice", claims=[]), {"range": 1}),
    (attack("lulolampar", "+1 dice", dice=2, claims=[], stress=1), {}),
    (attack("blackout", "-2 dice green", claims=[]), {"obstructed": True}),
    (attack("braylenstramm", "reroll 2", claims=[], stress=1), {}),
    (attack("bobafett", "reroll 1"), {}),
    (attack("bobafett", "reroll 2", claims=["bobafett", "bobafett"]), {}),
    (attack("generalgrievous", "reroll 2"), {}),
    (attack("tennumb", "change 3 focus to hit", claims=[], stress=1), {}),
    (attack("howlrunner", "reroll 1", dice=2, claims=[]), {}),
    (attack("academypilot", "reroll 1", dice=2, claims=["howlrunner"], friends=[{"pilot": "howlrunner"}]), {}),
    (attack("academypilot", "", dice=2, claims=[], friends=[{"pilot": "howlrunner"}]), {}),
    (attack("academypilot", "+1 dice", dice=2, claims=["janors"], friends=[{"pilot": "janors"}]), {}),
    (attack("wolffe", "reroll 1", claims=[]), {}),
]


@for_each_row(("sides", "top"), ATTACKS, ids=[f"{item[0]} {top}" for item, top in ATTACKS])
def test_an_attacker_with_a_card(sides: tuple[Side, Side], top: dict[str, Any]) -> None:
    top = {"range": 2, **top}
    assert law(sides[0], {"pilot": ESCORT, "focus": 1}, top) == law(sides[1], {"dice": 2, "focus": 1}, top)


WEAPONS: list[tuple[str, str, int, dict[str, Any], dict[str, Any]]] = [
    ("heavylasercannon", "every crit to hit", 4, {}, {}),
    ("autoblasters", "+1 dice", 2, {"claims": ["autoblasters"]}, {}),
    ("precisiontunedcannons-cannon", "add 1 focus", 2, {"claims": ["precisiontunedcannons-cannon"]}, {}),
    ("seekermissiles-missile", "change 2 focus to hit", 3, {"lock": 1}, {"ordnance": True}),
    ("burstlaserturret-legendsandrelics", "+1 dice", 2, {}, {}),
    ("barragerockets", "reroll 4", 3, {"focus": 1, "claims": ["barragerockets"]}, {"ordnance": True}),
    ("barragerockets", "", 3, {"focus": 1}, {"ordnance": True}),
    ("multimissilepods", "+1 dice", 2, {"lock": 1, "claims": ["multimissilepods"]}, {"ordnance": True}),
    ("multimissilepods", "+2 dice", 2, {"lock": 1, "claims": ["multimissilepods#2"]}, {"ordnance": True}),
    (
        "multimissilepods",
        "+2 dice",
        2,
        {"lock": 1, "claims": ["multimissilepods", "multimissilepods#2"]},
        {"ordnance": True},
    ),
    ("dorsalturret", "", 2, {}, {}),
    ("clustermissiles", "", 3, {"lock": 1}, {"ordnance": True}),
]


@pytest.mark.parametrize(("weapon", "words", "dice", "more", "top"), WEAPONS)
def test_a_weapon(weapon: str, words: str, dice: int, more: dict[str, Any], top: dict[str, Any]) -> None:
    attacker = {"pilot": ESCORT, "upgrades": [weapon], "weapon": weapon, **more}
    plain = {"dice": dice, "words": words, **held(more)}
    assert law(attacker, {"pilot": ESCORT}, {"range": 2}) == law(plain, {"dice": 2}, {"range": 2, **top})


@pytest.mark.parametrize(("weapon", "words"), [("snapshot", ""), ("foresight", "change 1 focus to hit")])
def test_attacks_whose_dice_nobody_else_modifies(weapon: str, words: str) -> None:
    """The focus and the lock stay; so do what another card could change."""
    attacker = {
        "pilot": ESCORT,
        "upgrades": [weapon, "marksmanship"],
        "weapon": weapon,
        "claims": ["marksmanship"],
        "focus": 1,
        "lock": 1,
    }
    plain = {"dice": 2, "words": words}
    assert law(attacker, {"pilot": ESCORT}, {"range": 2}) == law(plain, {"dice": 2}, {"range": 2, "ordnance": True})


def defense(
    card: str, words: str = "", *, dice: int = 2, claims: list[str] | None = None, **more: Any
) -> tuple[Side, Side]:
    """As ``attack``."""
    return by_card(card, claims, more), {"dice": dice, "words": words, **held(more)}


DEFENSES: list[tuple[tuple[Side, Side], dict[str, Any]]] = [
    (defense("+elusive", "reroll 1", claims=[]), {}),
    (defense("+elusive", "", claims=[], charges={"elusive": 0}), {}),
    (defense("+stealthdevice", "+1 dice", claims=[]), {}),
    (defense("+stealthdevice", "", claims=[], charges={"stealthdevice": 0}), {}),
    (defense("+pivotwing", "-1 dice", claims=[], sides={"pivotwing": "closed"}), {}),
    (defense("+pivotwing", "", claims=[]), {}),
    (defense("+swivelwing", "-1 dice", claims=[]), {}),
    (defense("+swivelwing", "", claims=[], sides={"upgrade:swivelwing": "down"}), {}),
    (defense("+l337", "", claims=[]), {}),
    (defense("+l337", "", sides={"l337": "l3-37's programming"}), {}),
    (defense("+millenniumfalcon", "reroll 1", claims=[], evade=1), {}),
    (defense("+soullessone", "reroll 1"), {}),
    (defense("redsquadronbomber", "change 1 crit to hit", dice=1, claims=[]), {}),
    (defense("talonbanecobra", "+1 dice", claims=[]), {"range": 3}),
    (defense("norrawexley", "add 1 evade", dice=1, claims=[]), {"range": 1}),
    (defense("norrawexley", "add 1 evade", dice=1), {}),
    (defense("norrawexley", "", dice=1, claims=[]), {}),
    (defense("", "reroll 1", claims=["serissu"], friends=[{"pilot": "serissu"}]), {}),
    (defense("", "focus", claims=["esegetuketu"], friends=[{"pilot": "esegetuketu", "focus": 1}]), {}),
]


@pytest.mark.parametrize(("sides", "top"), DEFENSES, ids=[f"{item[0]} {top}" for item, top in DEFENSES])
def test_a_defender_with_a_card(sides: tuple[Side, Side], top: dict[str, Any]) -> None:
    top = {"range": 2, **top}
    attacker, plain = {"pilot": ESCORT, "focus": 1}, {"dice": 3, "focus": 1}
    assert law(attacker, sides[0], top) == law(plain, sides[1], top)


def test_one_claim_of_what_a_card_asks_once_serves_all_that_it_does_then() -> None:
    """Biggs suffers a hit or a crit; only one of the two."""
    biggs = {"pilot": ESCORT, "claims": ["biggsdarklighter"], "friends": [{"pilot": "biggsdarklighter"}]}
    plain = {"dice": 2, "words": "cancel 1 hit"}
    attacker = {"pilot": ESCORT}
    hits = law({"dice": 3}, plain, {"range": 2})
    assert law(attacker, biggs, {"range": 2}) != hits, "crits too"


@pytest.mark.parametrize("side", ["attack", "defense"])
def test_homing_missiles_are_claimed_on_either_side(side: str) -> None:
    """The defender suffers 1 hit, and no dice are rolled."""
    raw: dict[str, Any] = {
        "attack": {"pilot": ESCORT, "upgrades": ["homingmissiles"], "weapon": "homingmissiles", "lock": 1},
        "defense": {"pilot": ESCORT},
        "range": 2,
    }
    assert odds(declare(raw))["joint"] != {"0,0": "1/1"}
    raw[side]["claims"] = ["homingmissiles"]
    assert odds(declare(raw))["joint"] == {"0,0": "1/1"}
