"""What friendly ships pay, lend and hand over in an attack: in the same ply, and only what they have."""

from dataclasses import replace

import pytest

from bot.rules.errors import PlayerError
from bot.rules.xwing.attack.attack import AttackWindow
from bot.rules.xwing.table.ship import Ship, give
from tests.rules.xwing.fleet import Fight, fleet
from tests.rules.xwing.test_card_fights import ANA, BO, labels, press, ship

ESCORT, PILOT = "Blue Squadron Escort", "Academy Pilot"


def begin(falls: str, shooter: Ship, target: Ship, *others: Ship) -> Fight:
    return Fight(fleet(shooter, target, *others), falls, attacker=shooter.name, defender=target.name, range=2)


def cards(fight: Fight) -> list[str]:
    return [label for label in labels(fight) if label not in ("Done", "Withdraw the attack")]


# A friend's token as a cost


def test_a_friends_calculate_is_spent_by_the_friend_who_has_one() -> None:
    """Networked Calculations."""
    droid, other = (ship("tradefederationdrone") for _ in range(2))
    third = ship("separatistdrone", tokens={"calculate": 1})
    fight = begin("focus blank", droid, ship("bluesquadronescort", owner=BO), third, other)
    (label,) = cards(fight)
    assert label == (
        f"Networked Calculations: 1 focus to hit [the ship that pays is at range 0-1; for 1 calculate of {third.name}]"
    )
    press(fight, label, falls="blank blank blank")
    assert fight.ships[third.name].has("calculate") == 0


def test_what_another_press_took_meanwhile_refuses_the_press() -> None:
    droid, third = ship("tradefederationdrone"), ship("separatistdrone", tokens={"calculate": 1})
    fight = begin("focus blank", droid, ship("bluesquadronescort", owner=BO), third)
    fight.ships[third.name] = give(fight.ships[third.name], "calculate", -1)
    with pytest.raises(PlayerError, match=f"{third.name} has no calculate left"):
        press(fight, "Networked Calculations", falls="blank blank blank")


# A friend suffers


def test_who_suffers_is_the_friend_of_the_button() -> None:
    """Prince Xizor: one hit or crit, once; the friend suffers it in the same ply."""
    xizor = ship("princexizor", owner=BO)
    wings = [ship("cartelspacer", owner=BO), ship("blacksunenforcer", owner=BO)]
    fight = begin("hit hit crit blank blank blank", ship("bluesquadronescort"), xizor, *wings)
    assert fight.state.window is AttackWindow.DEFENDER_AFTER_NEUTRALIZE
    asked = "Prince Xizor: {what} [another friendly ship at range 0-1 in the attack arc suffers it; {name} suffers it]"
    assert cards(fight) == [
        asked.format(name=wing.name, what=f"cancel 1 {what}") for what in ("hit", "crit") for wing in wings
    ]
    press(fight, asked.format(name=wings[1].name, what="cancel 1 crit"))
    shields = {wing.name: fight.ships[wing.name].shields_left - wing.shields for wing in wings}
    assert shields == {wings[0].name: 0, wings[1].name: -1}
    assert fight.state.damage is not None
    assert (fight.state.damage.hits, fight.state.damage.crits) == (2, 0), "once"


def test_a_friend_takes_a_strain() -> None:
    """Merciless."""
    wing = ship("obsidiansquadronpilot")
    fight = begin("hit blank", ship("midnight-evacuationofdqar"), ship("bluesquadronescort", owner=BO), wing)
    press(fight, "Merciless", "1", falls="hit blank blank")
    assert fight.ships[wing.name].tokens == {"strain": 1}


@pytest.mark.parametrize(("falls", "stress"), [("hit hit hit blank blank blank", 2), ("blank blank blank", 0)])
def test_who_destroys_a_friend_of_admiral_sloane_is_stressed(falls: str, stress: int) -> None:
    friend = ship("academypilot", owner=BO, facedown=("", ""))
    fight = begin(f"{falls} blank blank", ship("wedgeantilles"), friend, ship("darthvader", "admiralsloane", owner=BO))
    if stress:
        press(fight, "Admiral Sloane: Wedge Antilles will gain 2 stress")
    assert fight.state.window is AttackWindow.OVER, "asked only where damage was suffered"
    assert fight.ships["Wedge Antilles"].has("stress") == stress


# Tokens of a friend


def test_a_lent_focus_is_spent_by_the_ship_that_lends_it() -> None:
    """Esege Tuketu."""
    esege = ship("esegetuketu", tokens={"focus": 1})
    fight = begin("focus focus hit", ship("bluesquadronescort"), ship("academypilot", owner=BO), esege)
    (label,) = cards(fight)
    assert label == "Esege Tuketu (at range 0-2; for 1 focus of Esege Tuketu): 2 focus to hit"
    press(fight, label, falls="blank blank blank")
    assert fight.ships["Esege Tuketu"].has("focus") == 0
    assert fight.state.damage is not None
    assert fight.state.damage.total == 3


def test_without_a_token_nothing_is_lent() -> None:
    fight = begin(
        "focus hit hit blank blank blank",
        ship("bluesquadronescort"),
        ship("academypilot", owner=BO),
        ship("esegetuketu"),
    )
    assert fight.state.window is AttackWindow.OVER


def test_a_price_for_what_is_lent_is_paid_once() -> None:
    """Born for This: one strain, then any of its focus and evade tokens."""
    target = ship("contrail-siegeofcoruscant", owner=BO)
    lender = ship("kickback-siegeofcoruscant", owner=BO, tokens={"focus": 1, "evade": 1}, name="Lender")
    fight = begin("hit hit hit focus focus blank", ship("bluesquadronescort"), target, lender)
    assert [label for label in cards(fight) if "Lender" in label] == [
        "Born for This: 2 focus to evade [at range 0-2; pay 1 strain; for 1 focus of Lender]",
        "Born for This: 1 blank to evade [at range 0-2; pay 1 strain; for 1 evade of Lender]",
        "Born for This: 1 focus to evade [at range 0-2; pay 1 strain; for 1 evade of Lender]",
    ]
    fight = press(fight, next(label for label in cards(fight) if "1 focus of Lender" in label))
    fight = press(fight, next(label for label in cards(fight) if "1 evade of Lender" in label))
    assert fight.ships["Lender"].tokens == {"strain": 1}
    assert fight.state.damage is not None
    assert fight.state.damage.total == 0


def test_green_tokens_that_are_forbidden_are_not_lent_either() -> None:
    """Blinded Pilot modifies by force alone."""
    blind = ship("bluesquadronescort", faceup=("Blinded Pilot",))
    fight = begin(
        "focus hit hit blank blank blank",
        blind,
        ship("academypilot", owner=BO),
        ship("esegetuketu", tokens={"focus": 1}),
    )
    assert fight.state.window is AttackWindow.OVER


# A token that moves


def hera(*locks: str, focus: int = 0) -> Ship:
    return ship("herasyndulla-asf01bwing", tokens={"focus": focus} if focus else None, locks=locks)


def test_a_token_moves_and_may_be_spent_at_once_or_kept() -> None:
    fight = begin("focus focus hit", ship("bluesquadronescort"), ship("academypilot", owner=BO), hera(focus=1))
    press(fight, "Hera Syndulla (at range 1-2; for 1 focus of Hera Syndulla)")
    assert fight.ships["Hera Syndulla"].has("focus") == 0
    assert fight.ships[ESCORT].has("focus") == 1
    press(fight, "Focus: 2 to hits", falls="blank blank blank")
    assert fight.ships[ESCORT].has("focus") == 0
    assert fight.state.damage is not None
    assert fight.state.damage.total == 3


def test_a_lock_moves_with_its_target() -> None:
    fight = begin("blank blank hit", ship("bluesquadronescort"), ship("academypilot", owner=BO), hera(PILOT, focus=1))
    press(fight, "Hera Syndulla (at range 1-2; for 1 lock of Hera Syndulla)")
    assert (fight.ships["Hera Syndulla"].locks, fight.ships[ESCORT].locks) == ((), (PILOT,))
    assert not any(label.startswith("Hera") for label in labels(fight)), "one token"
    press(fight, "Lock", "0", falls="hit blank blank blank")
    assert fight.ships[ESCORT].locks == ()


def test_ships_of_other_players_lend_nothing() -> None:
    other = ship("esegetuketu", tokens={"focus": 1}, owner=BO + 1)
    fight = begin("focus hit hit blank blank blank", ship("bluesquadronescort"), ship("academypilot", owner=BO), other)
    assert (fight.state.window, ANA) == (AttackWindow.OVER, 1)


def test_dedicated_helps_who_is_limited_or_has_it_too() -> None:
    """Upgrade cards, Dedicated: `limited or has dedicated`."""
    for cards_, helps in (((), False), (("dedicated",), True)):
        target = ship("goldsquadrontrooper", *cards_, owner=BO)
        wing = ship("goldsquadrontrooper", "dedicated", owner=BO, name="Wing")
        fight = begin("hit hit hit blank blank", ship("bluesquadronescort"), target, wing)
        assert any(label.startswith("Dedicated") for label in labels(fight)) is helps


# Condition cards, and cards that were used on a ship


ALL_BLANK = "blank " * 12


def red(shooter: Ship, target: Ship, *others: Ship) -> int:
    """The attack dice of a shot in which nothing is spent."""
    fight = begin(ALL_BLANK, shooter, target, *others)
    return len(fight.state.red)


def test_a_condition_card_acts_in_the_attacks_of_its_ship() -> None:
    escort, rex, pilot = ship("bluesquadronescort"), ship("captainrex", owner=BO), ship("academypilot", owner=BO)
    fired_on = replace(escort, conditions=("suppressivefire",))
    assert [red(escort, pilot), red(fired_on, pilot), red(fired_on, rex)] == [3, 2, 3]
    marked = replace(ship("academypilot", owner=BO, tokens={"focus": 1}), conditions=("markedforelimination",))
    hunter = ship("bluesquadronescort", "trackingfob", locks=(marked.name,))
    falls = "hit hit hit focus focus focus"
    assert cards(begin(falls, escort, marked)) == ["Focus: 3 to evades"]
    assert cards(begin(falls, hunter, marked).take("done")) == []
    prototype = replace(ship("bluesquadronescort"), conditions=("optimizedprototype",))
    krennic = ship("obsidiansquadronpilot", "directorkrennic", locks=("Captain Rex",))
    shielded = replace(rex, shields=1, shields_left=1)
    fight = begin("hit hit hit blank blank blank", prototype, shielded, krennic)
    press(fight, "Optimized Prototype: spend 1", falls=ALL_BLANK)
    assert sum(die.counts for die in fight.state.red) == 2


def test_a_card_is_claimed_only_where_it_was_used_on_the_ship() -> None:
    evaan, friend, foe = ship("evaanverlaine", owner=BO), ship("academypilot", owner=BO), ship("bluesquadronescort")
    chosen = replace(friend, keeps={"pilot:evaanverlaine": 1})
    fights = [begin("hit hit hit " + ALL_BLANK, foe, item, evaan) for item in (friend, chosen)]
    assert ["Evaan Verlaine" in str(cards(fight)) for fight in fights] == [False, True]
    malarus = ship("commandermalarus")
    used = replace(malarus, keeps={"pilot:commandermalarus": 1})
    fights = [begin("focus focus " + ALL_BLANK, item, ship("bluesquadronescort", owner=BO)) for item in (malarus, used)]
    assert ["Commander Malarus" in str(cards(fight)) for fight in fights] == [False, True]


def test_what_a_row_knows_of_both_ships_is_no_claim() -> None:
    """Hull, damage cards, initiative, charges, and a lone token."""
    hurt = replace(ship("academypilot", owner=BO), facedown=("Direct Hit!",))
    foe = ship("bluesquadronescort", owner=BO)
    kaz = ship("kazudaxiono")
    assert [red(kaz, item) - kaz.attack for item in (hurt, foe)] == [0, 1], "his ship starts with a damage card"
    beaten = replace(kaz, facedown=("Direct Hit!",) * 3)
    assert [red(beaten, item) - kaz.attack for item in (hurt, foe)] == [0, 0]
    cardinal, young, old = ship("captaincardinal"), ship("academypilot"), ship("scourgeskutu")
    for shooter, charges, offered in ((young, 2, True), (young, 0, False), (old, 2, False)):
        fight = begin("focus blank " + ALL_BLANK, shooter, foe, replace(cardinal, charge_left=charges))
        assert ("Captain Cardinal" in str(cards(fight))) is offered
    drift, wing = ship("drift"), ship("academypilot")
    for tokens, offered in (
        ({"stress": 1}, True),
        ({"stress": 2, "strain": 1}, False),
        ({"tractor": 1}, True),
        ({}, False),
    ):
        fight = begin("focus blank " + ALL_BLANK, wing, foe, replace(drift, tokens=tokens))
        assert ("Drift" in str(cards(fight))) is offered, tokens
