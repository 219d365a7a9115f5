"""A row of a card is one use: what it does to dice, to ships, and what it costs happen with one press, at its time.

Card texts as in xwing-data2 (guidokessels, MIT).
"""

from dataclasses import replace

import pytest

from bot.rules.errors import BadInputError
from bot.rules.xwing.attack import attack
from bot.rules.xwing.attack.attack import AttackWindow
from bot.rules.xwing.cards import rows
from bot.rules.xwing.cards.cards import pilot_ship
from bot.rules.xwing.cards.rows import ROWS
from bot.rules.xwing.dice.consequences import Timing
from bot.rules.xwing.table.ship import Fleet, Ship, from_card, give
from tests.rules.xwing.fleet import Fight

HIT, CRIT, FOCUS, BLANK = 0, 3, 4, 7
GREEN_BLANK, GREEN_FOCUS, EVADE = 7, 3, 0


def ship(pilot: str, *upgrades: str, owner: int = 1, **tokens: int) -> Ship:
    result = from_card(pilot_ship(pilot, upgrades), owner)
    for token, count in tokens.items():
        result = give(result, token, count)
    return result


def begin(falls: list[int], shooter: Ship, target: Ship, *others: Ship, range_: int = 2) -> Fight:
    ships: Fleet = {item.name: item for item in (shooter, target, *others)}
    waiting = iter([*falls, *[BLANK] * 20])
    return Fight(ships, lambda sides: next(waiting) % sides, attacker=shooter.name, defender=target.name, range=range_)


def window(fight: Fight) -> AttackWindow:
    return fight.state.window


def labels(fight: Fight) -> dict[str, str]:
    """The buttons by key, those in a list of cards too."""
    result = {offer.key: str(offer.label) for offer in attack.offers(fight.state)}
    options = [option for offer in attack.offers(fight.state) for option in offer.options]
    return result | {option.value: f"{option.label} {option.detail}" for option in options}


def press(fight: Fight, words: str) -> Fight:
    """Press the button that begins so, wherever it stands."""
    key = next(key for key, label in labels(fight).items() if words in label)
    is_button = key in {offer.key for offer in attack.offers(fight.state)}
    return fight.take(key) if is_button else fight.take("cards", key)


def target(**tokens: int) -> Ship:
    return ship("academypilot", owner=2, **tokens)


def test_ten_numb_spends_his_stress_for_his_focus_results() -> None:
    fight = begin([FOCUS, FOCUS, HIT], ship("tennumb", stress=1), target())
    assert fight.ships["Ten Numb"].has("stress") == 1
    press(fight, "lose 1 stress")
    assert fight.ships["Ten Numb"].has("stress") == 0
    assert [die.face for die in fight.state.red] == ["hit", "hit", "hit"]
    assert "Ten Numb: lose 1 stress" in fight.state.told


def test_ten_numb_keeps_his_stress_where_he_changes_nothing() -> None:
    fight = begin([FOCUS, FOCUS, HIT], ship("tennumb", stress=1), target()).take("done")
    while window(fight) is not AttackWindow.OVER:
        fight.take("done")
    assert fight.ships["Ten Numb"].has("stress") == 1
    assert fight.state.damage is not None
    assert fight.state.damage.total == 1


def test_miranda_rolls_a_die_less_for_a_shield() -> None:
    bare = replace(ship("mirandadoni"), shields_left=0)
    value = bare.attack
    fight = begin([], bare, target())
    assert window(fight) is AttackWindow.ATTACKER_BEFORE_DICE
    press(fight, "recover 1 shield")
    fight.take("done") if window(fight) is AttackWindow.ATTACKER_BEFORE_DICE else fight
    assert len(fight.state.red) == value - 1
    assert fight.ships["Miranda Doni"].shields_left == 1
    kept = begin([], bare, target()).take("done")
    assert len(kept.state.red) == value
    assert kept.ships["Miranda Doni"].shields_left == 0


def test_killer_gains_deplete_with_his_die() -> None:
    fight = begin([], ship("killer"), replace(target(), facedown=("Direct Hit!",) * (target().hull - 2)))
    value = fight.state.attack.dice
    press(fight, "gain 1 deplete")
    while window(fight) is AttackWindow.ATTACKER_BEFORE_DICE:
        fight.take("done")
    assert len(fight.state.red) == value + 1, "the token comes after the roll, so it takes away none of these dice"
    while window(fight) is not AttackWindow.OVER:
        fight.take("done")
    assert fight.ships["Killer"].has("deplete") == 1


def test_wolffe_recovers_his_charge_with_the_die() -> None:
    rows_of = ROWS["pilot:wolffe"]
    assert not rows_of[1].must, "he may recover it"
    assert rows_of[1].moment(rows_of[1].acts[0][1]) == "before dice"


def test_deadeye_shot_pays_a_hit_and_exposes_before_the_damage() -> None:
    shooter = ship("bluesquadronescort", "deadeyeshot")
    hurt = replace(target(), facedown=("Direct Hit!",))
    fight = begin([HIT, HIT, BLANK], shooter, hurt)
    assert window(fight) is AttackWindow.ATTACKER_MODIFIES_ATTACK
    press(fight, "spend 1 hit")
    assert [die.counts for die in fight.state.red] == [False, True, True]
    assert [due.what for due in fight.state.dues] == ["expose"]
    assert all("expose" not in label for label in labels(fight).values()), "one of the two, and once"


def test_suppressive_gunner_spends_a_focus_result_before_the_damage_and_says_the_choice() -> None:
    fight = begin([FOCUS, HIT, BLANK], ship("bluesquadronescort", "suppressivegunner"), target())
    assert any("the defender chooses to suffer 1 hit" in label for label in labels(fight).values())
    press(fight, "spend 1 focus")
    assert fight.ships["Academy Pilot"].has("deplete") == 1
    assert fight.state.damage is not None
    assert fight.state.damage.total == 1, "the focus result is gone, and the hit is not"


def test_lieutenant_kestal_cancels_before_the_defender_turns_the_results() -> None:
    kestal = ship("lieutenantkestal", focus=1)
    fight = begin([HIT, HIT, GREEN_FOCUS, GREEN_FOCUS, EVADE], kestal, target(focus=1))
    while window(fight) is AttackWindow.ATTACKER_MODIFIES_ATTACK:
        fight.take("done")
    assert window(fight) is AttackWindow.ATTACKER_MODIFIES_DEFENSE
    press(fight, "cancel")
    assert not any(die.counts and die.face == "focus" for die in fight.state.green[:1])
    assert fight.ships["Lieutenant Kestal"].has("focus") == 0


def test_4lom_names_a_green_token_after_the_roll() -> None:
    shooter = ship("bluesquadronescort", "4lom")
    fight = begin([HIT, HIT, HIT], shooter, target(focus=1, evade=1))
    assert window(fight) is AttackWindow.ATTACKER_AFTER_ROLL
    assert len(fight.state.red) == 3
    press(fight, "no focus")
    assert fight.ships["Blue Squadron Escort"].has("ion") == 2
    assert all("no evade" not in label for label in labels(fight).values()), "one type of token"
    while window(fight) is not AttackWindow.DEFENDER_MODIFIES_DEFENSE:
        fight.take("done")
    assert "focus" not in labels(fight)
    assert "evade" in labels(fight)


def test_gideon_hask_rolls_one_more_once_two_lie_there() -> None:
    gideon = ship("gideonhask-xiclasslightshuttle")
    hurt = replace(target(), facedown=("Direct Hit!",))
    fight = begin([BLANK, BLANK, CRIT], gideon, hurt)
    assert window(fight) is AttackWindow.ATTACKER_AFTER_ROLL
    press(fight, "+1 red die")
    assert [die.face for die in fight.state.red] == ["blank", "blank", "crit"]
    assert fight.ships["Gideon Hask"].has("strain") == 1


@pytest.mark.parametrize("card", ["agentoftheempire", "jedicommander", "skystrikeacademyclass"])
def test_a_wing_cancels_so_many_results_in_all(card: str) -> None:
    hits, crits = ROWS[f"upgrade:{card}"]
    assert hits.times == crits.times
    assert crits.instead, "both rows take of the same uses"


def test_what_says_a_time_at_which_nothing_happens_is_refused() -> None:
    for raw in (
        {"on": "attack", "when": "modify green", "do": "reroll 1"},
        {"on": "attack", "when": "after roll", "do": "reroll 1 blank"},
        {"on": "none", "when": "elsewhere", "ask": "now", "do": "they suffer 1 hit"},
        {"on": "attack", "when": "with dice", "do": "they gain 1 strain"},
    ):
        with pytest.raises(BadInputError):
            rows.read("upgrade:x", raw)


def test_dice_at_the_roll_that_come_with_a_deed_are_asked_paid_for_or_a_must() -> None:
    """Otherwise nobody would press, and the deed would be done alone."""
    for row in (row for rows_of in ROWS.values() for row in rows_of if row.touches_dice):
        at_roll = any(row.moment(deed) == "before dice" for deed in row.deeds if deed.acts is Timing.AFTER)
        assert not at_roll or row.ask or row.cost or row.must, row


def test_every_card_that_acts_says_all_of_its_price() -> None:
    """A reminder beside a deed is half of the price: it stands on the button."""
    halves = [row for rows_of in ROWS.values() for row in rows_of if row.reminder and not row.is_reminder]
    assert len(halves) > 12
    fight = begin([FOCUS] * 4, ship("bluesquadronescort", "suppressivegunner"), target())
    assert any(ROWS["upgrade:suppressivegunner"][0].reminder in label for label in labels(fight).values())
