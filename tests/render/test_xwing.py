"""The card of an attack at each of its windows, and of loose dice: read as one would read it aloud."""

from dataclasses import replace
from typing import Any

import pytest

from bot.render.card import Card, Tile
from bot.render.plain_text import strips, tile_text
from bot.render.xwing import card
from bot.rules import xwing
from bot.rules.dice import Rolled, enter_physical_dice
from bot.rules.game import Choice, Side
from bot.rules.text import Text, english
from bot.rules.xwing.attack.attack import Attack, start
from bot.rules.xwing.dice.faces import Face
from bot.rules.xwing.dice.loose_dice import LooseDice
from tests.rules.xwing.play import Falls, begin, declared, play, press

BOTH = {Side.ATTACKER: "Ana", Side.DEFENDER: "Bo"}
ALONE = {Side.ATTACKER: "Ana"}


def shown(state: Attack) -> Card:
    return card(state, BOTH)


def tiles(state: Attack) -> list[Tile]:
    return [tile for strip in shown(state).strips for tile in strip.tiles]


# The sentence first


@pytest.mark.parametrize(
    ("falls", "against", "sentence"),
    [
        ("hit blank blank", "", "Ana hits Bo: 1 hit."),
        ("crit blank blank", "", "Ana hits Bo: 1 crit."),
        ("hit crit blank", "", "Ana hits Bo: 1 hit and 1 crit."),
        ("hit hit crit", "", "Ana hits Bo: 2 hits and 1 crit."),
        ("crit crit blank", "", "Ana hits Bo: 2 crits."),
        ("focus blank blank", "", "Ana misses Bo."),
        ("hit blank blank", "hull 1", "Ana destroys Bo's ship: 1 hit. Hull 1 to 0."),
        ("hit hit blank", "hull 2", "Ana destroys Bo's ship: 2 hits. Hull 2 to 0."),
        ("hit hit blank", "hull 3", "Ana hits Bo: 2 hits. Hull 3 to 1."),
        ("hit crit blank", "hull 3, shields 1", "Ana hits Bo: 1 hit and 1 crit. Shields 1 to 0. Hull 3 to 2."),
        ("hit blank blank", "hull 3, shields 1", "Ana hits Bo: 1 hit. Shields 1 to 0."),
    ],
)
def test_the_outcome_of_an_attack(falls: str, against: str, sentence: str) -> None:
    assert shown(begin(3, 0, falls, "", against)).outcome == sentence


SHIPS = {"attacker": "Wedge", "defender": "Howlrunner"}


@pytest.mark.parametrize(
    ("falls", "against", "sentence"),
    [
        ("crit blank blank", "hull 3", "Wedge hits Howlrunner: 1 crit. Hull 3 to 2."),
        ("hit hit crit", "hull 3, shields 2", "Wedge hits Howlrunner: 2 hits and 1 crit. Shields 2 to 0. Hull 3 to 2."),
        ("hit hit crit", "hull 3", "Wedge destroys Howlrunner: 2 hits and 1 crit. Hull 3 to 0."),
        ("hit hit crit", "hull 1", "Wedge destroys Howlrunner: 2 hits and 1 crit. Hull 1 to 0."),
        ("focus blank blank", "hull 3", "Wedge misses Howlrunner."),
    ],
)
def test_the_headline_names_the_ships_and_what_is_left(falls: str, against: str, sentence: str) -> None:
    assert shown(begin(3, 0, falls, "", against, **SHIPS)).outcome == sentence


def test_where_only_one_side_has_a_ship_the_other_is_called_by_the_players_name() -> None:
    assert shown(begin(1, 0, "hit", attacker="Wedge")).outcome == "Wedge hits Bo: 1 hit."
    assert card(begin(1, 0, "hit", attacker="Wedge"), ALONE).outcome == "Wedge hits the defender: 1 hit."
    assert shown(begin(1, 0, "hit", "", "hull 2", defender="Vader")).outcome == "Ana hits Vader: 1 hit. Hull 2 to 1."


def test_an_attack_of_ships_names_them_at_every_step() -> None:
    state = begin(2, 1, "hit focus", "focus", "focus", **SHIPS)
    assert shown(state).outcome == "Wedge against Howlrunner: 1 hit."
    assert shown(press(state, "focus", "focus")).outcome == "Wedge against Howlrunner, defense: 1 focus."
    waiting = shown(begin(3, None, "", attacker="Wedge")).outcome
    assert waiting == "Wedge attacks Bo with a weapon value of 3."


@pytest.mark.parametrize(
    ("with_", "against", "more", "counts"),
    [
        ("", "", {}, ("weapon value 3", "agility 2")),
        ("deplete 2", "strain", {}, ("2 dice (3, -1 deplete)", "1 die (2, -1 strain)")),
        ("deplete", "", {"range": 1}, ("3 dice (3, +1 range 1, -1 deplete)", "agility 2")),
        ("", "", {"range": 3, "obstructed": True}, ("weapon value 3", "4 dice (2, +1 range 3, +1 obstructed)")),
        ("+4 dice", "-4 dice", {}, ("6 dice (3, +4 card, at most 6)", "0 dice (2, -4 card)")),
        ("+4 dice", "", {"dice": 8}, ("6 dice (8, +4 card, at most 6)", "agility 2")),
        ("", "", {"dice": 8}, ("6 dice (8, at most 6)", "agility 2")),
    ],
)
def test_why_there_are_so_many_dice(with_: str, against: str, more: dict[str, Any], counts: tuple[str, str]) -> None:
    state = start(declared(more.pop("dice", 3), 2, with_, against, **more), lambda _: 0)
    for (_, text), count in zip(shown(state).facts, counts, strict=True):
        assert f"{text}, ".startswith(f"{count}, ")


def test_windows_in_which_nothing_can_change_the_outcome_say_so() -> None:
    both = ("change 1 evade to focus", "focus, evade")
    last = "Nothing is left to cancel, so neither player needs to modify the defense dice"
    assert shown(begin(2, 2, "blank focus evade focus", *both)).trail[-1] == last
    state = press(begin(1, 2, "hit evade focus", *both), "done")
    assert (
        shown(state).trail[-1] == "Nothing is left to cancel, so the defender doesn't need to modify the defense dice"
    )


def test_the_sentence_of_each_window() -> None:
    state = begin(4, None, "", "calculate, change 1 hit to crit, change 1 evade to focus")
    assert card(state, ALONE).outcome == "Ana attacks with a weapon value of 4. Who defends?"
    assert shown(state).outcome == "Ana attacks Bo with a weapon value of 4."
    filled = {"agility": "2", "tokens": "change 1 crit to hit, evade"}
    state = xwing.attack.choose(state, Choice("defend", filled=filled), Falls("crit hit focus focus"))
    assert shown(state).outcome == "Ana against Bo: 1 hit, 1 crit."
    assert shown(state).turn == "Bo's turn."
    state = press(state, "effect-0")
    assert shown(state).outcome == "Ana against Bo: 2 hits."
    assert shown(state).turn == "Ana's turn."
    state = press(press(state, "effect-0"), "done", "evade blank")
    assert shown(state).outcome == "Ana against Bo, defense: 1 evade."
    assert shown(state).turn == ("Ana's turn. To cancel: 1 hit, 1 crit.")
    state = press(state, "done")
    assert english(shown(state).turn).startswith("Bo's turn")
    state = press(state, "evade")
    assert (shown(state).outcome, shown(state).turn) == ("Ana misses Bo.", "")


def test_nothing_to_cancel_is_not_spoken_of() -> None:
    state = begin(1, 1, "blank evade", "", "focus, spend 1 evade")
    assert shown(state).turn == "Bo's turn."


def test_no_dice_in_play_is_said_too() -> None:
    assert shown(begin(0, 1, "", "add hit")).outcome == "Ana against Bo: none."


def test_an_attack_that_is_open_to_anybody() -> None:
    state = begin(1, None, "")
    assert card(state, ALONE).turn == "Anyone else: press Defend and enter your tokens and effects."
    assert shown(state).turn == "Bo: press Defend and enter your tokens and effects."
    assert card(state, ALONE).facts[1] == ("Defender: open", "not declared")
    state = begin(1, 1, "hit focus", "", "focus")
    assert english(card(state, ALONE).turn).startswith("Anyone playing the defender: change dice or press Done.")


def test_a_withdrawn_attack() -> None:
    shows = shown(press(begin(1, None, ""), "withdraw"))
    assert shows.outcome == "Ana withdraws the attack; nothing was rolled."
    assert (shows.turn, shows.strips, shows.trail, shows.ahead) == ("", (), (), "nobody")


@pytest.mark.parametrize(
    ("more", "title"),
    [
        ({}, "X-Wing"),
        ({"range": 1}, "X-Wing · range 1"),
        ({"range": 3, "ordnance": True, "obstructed": True}, "X-Wing · range 3 · ordnance · obstructed"),
    ],
)
def test_the_title_says_what_the_attack_is(more: dict[str, object], title: str) -> None:
    assert shown(begin(0, 0, "hit " * 0, with_="-1 dice", against="-3 dice", **more)).title == title


def test_who_is_ahead_picks_the_color() -> None:
    assert shown(begin(1, 0, "hit")).ahead == "attacker"
    assert shown(begin(1, 0, "blank")).ahead == "defender"
    assert shown(begin(1, 0, "focus", "focus")).ahead == "open"


# What each side has left


def test_the_tokens_and_effects_left() -> None:
    state = begin(2, None, "", "focus, force 2, lock, reroll 1 blank, cost lock")
    assert shown(state).facts[0] == ("Attacker: Ana", "weapon value 2, focus, force 2, reroll 1 blank")
    state = begin(2, 1, "focus blank", "focus, calculate", "evade 2, reinforce")
    assert shown(state).facts[1] == ("Defender: Bo", "agility 1, evade 2, reinforce")
    assert shown(press(state, "focus", "blank")).facts[0] == ("Attacker: Ana", "weapon value 2, calculate")


def test_a_list_below_the_card_is_whole() -> None:
    """Of who acts, buttons say what is left, but not how many of each: then all of it is listed."""
    state = begin(2, 0, "focus blank", "focus, force 2, reroll 1 blank")
    assert english(shown(state).below) == "Attacker: focus, force 2, reroll 1 blank"
    assert english(shown(begin(2, 0, "focus blank", "focus, lock")).below) == ""


@pytest.mark.parametrize(
    ("falls", "ship", "text"),
    [
        ("blank blank", "hull 4", "agility 0, shields 0, hull 4: no cards"),
        ("hit hit", "hull 4", "agility 0, shields 0, hull 4: 2 facedown cards"),
        ("hit crit", "hull 4, shields 2", "agility 0, shields 2 → 0, hull 4: no cards"),
        ("hit crit", "hull 4, shields 1", "agility 0, shields 1 → 0, hull 4: 1 faceup card"),
        ("hit crit", "hull 4", "agility 0, shields 0, hull 4: 1 facedown card and 1 faceup card"),
    ],
)
def test_the_damage_on_the_ship(falls: str, ship: str, text: str) -> None:
    assert shown(begin(2, 0, falls, "", ship)).facts[1] == ("Defender: Bo", text)


def test_the_ship_before_the_damage() -> None:
    state = begin(1, 0, "focus", "focus", "hull 4, shields 2")
    assert shown(state).facts[1] == ("Defender: Bo", "agility 0, hull 4, shields 2")


def test_what_a_faceup_card_did_before_the_attack_stands_on_the_card() -> None:
    """It changes the attacker, and an attack without windows has no other card."""
    before = (Text("Console Fire (hit): Mauler gets 1 hit"),)
    assert shown(replace(begin(1, 0, "focus"), before=before)).outcome == (
        "Ana misses Bo. Console Fire (hit): Mauler gets 1 hit."
    )


def test_the_aftermath_is_a_reminder_when_it_is_over() -> None:
    (text,) = shown(begin(1, 0, "hit")).reminders
    assert english(text).startswith("Afterward, in this order: the defender's “after you defend” effects")
    assert english(text).count("; the ") == 3
    assert shown(begin(1, 0, "focus", "focus")).reminders == ()


def test_the_small_print() -> None:
    assert shown(begin(1, 0, "focus", "focus")).small == "Ruleset 2.5"
    assert shown(begin(1, 0, "hit", ruleset="2.0")).small == "Ruleset 2.0"
    assert english(shown(begin(1, 0, "hit", "", "hull 1")).small).splitlines()[-1] == (
        "Ruleset 2.5 · a destroyed ship is removed after all ships at the attacker's initiative have engaged"
    )


# The trail tells the story


def test_the_trail_of_a_bare_attack() -> None:
    assert shown(begin(3, 2, "hit hit crit evade blank")).trail == (
        "Attack dice rolled: hit, hit, crit",
        "Defense dice rolled: evade, blank",
        "Evade cancels: hit",
    )


def test_no_defense_dice_are_a_line_of_the_story() -> None:
    assert shown(begin(1, 0, "hit")).trail == ("Attack dice rolled: hit", "Defense dice rolled: none")


def test_the_trail_tells_the_attack_in_the_order_in_which_it_was_played() -> None:
    state = begin(
        5,
        3,
        "hit crit focus focus blank",
        "lock, focus, change 1 evade to blank, every crit to hit",
        "change 1 crit to blank, focus, evade, reinforce",
    )
    state = press(state, "effect-0")
    state = press(state, "lock", "crit", pick=[4])
    state = press(state, "focus", "evade focus blank")
    state = press(state, "effect-0")
    state = press(press(state, "focus"), "evade")
    assert shown(state).trail == (
        "Attack dice rolled: hit, crit, focus, focus, blank",
        "Defender's card changes: crit → blank",
        "Lock rerolls: blank → crit",
        "Focus changes: focus → hit ×2",
        "Attacker's card after both players' steps changes: crit → hit",
        "Defense dice rolled: evade, focus, blank",
        "Attacker's card changes: evade → blank",
        "Focus changes: focus → evade",
        "Evade changes: blank → evade",
        "Evade cancels: hit ×2",
        "Reinforce cancels: hit",
    )


def test_the_other_verbs_of_cards() -> None:
    state = begin(3, 1, "hit crit blank", "add focus, spend 1 hit, cancel 1 evade")
    state = press(press(state, "effect-0"), "effect-0", "evade")
    state = press(state, "effect-0")
    assert shown(state).trail == (
        "Attack dice rolled: hit, crit, blank",
        "Attacker's card adds: focus",
        "Attacker's card spends: hit",
        "Defense dice rolled: evade",
        "Attacker's card cancels: evade",
    )


def test_a_defenders_card_comes_before_the_attackers_lock_whatever_die_it_touched() -> None:
    state = begin(2, 0, "crit blank", "lock", "change 1 crit to hit")
    state = press(press(state, "effect-0"), "lock", "hit", pick=[1])
    assert shown(state).trail[1:3] == ("Defender's card changes: crit → hit", "Lock rerolls: blank → hit")


def test_the_order_is_that_of_the_presses_not_of_the_dice() -> None:
    state = begin(2, 1, "focus blank", "lock, focus", "focus, evade")
    state = press(press(state, "lock", "hit", pick=[1]), "focus", "blank")
    assert shown(state).trail[1:] == (
        "Lock rerolls: blank → hit",
        "Focus changes: focus → hit",
        "Defense dice rolled: blank",
    )
    state = press(begin(3, 0, "focus blank focus", "force, lock, focus"), "force")
    state = press(press(state, "lock", "focus", pick=[1]), "focus")
    assert [english(line).split()[0] for line in shown(state).trail[1:4]] == ["Force", "Lock", "Focus"]


def test_each_pool_has_an_order_of_its_own() -> None:
    state = begin(3, 3, "focus focus hit", "focus, force", "focus, force, evade")
    state = press(press(state, "force"), "focus", "focus blank focus")
    state = press(press(press(state, "evade"), "force"), "focus")
    assert [english(line).split()[0] for line in shown(state).trail] == [
        *("Attack", "Force", "Focus"),
        *("Defense", "Evade", "Force", "Focus"),
        "Evade",
    ]


def test_dice_of_a_real_table_are_entered() -> None:
    state = play(declared(1, 1, red=(Face.HIT,)), "blank")
    assert shown(state).trail == ("Attack dice entered: hit", "Defense dice rolled: blank")


def test_tokens_that_leave_with_the_dice() -> None:
    state = begin(1, 2, "blank", "deplete", "strain 2")
    assert shown(state).trail == (
        "Attack dice rolled: none",
        "Defense dice rolled: blank",
        "The attacker loses 1 deplete token",
        "The defender loses 1 strain token",
    )


# The strips, and the same in words


def test_the_marks_on_the_tiles() -> None:
    state = begin(4, 1, "hit focus focus blank", "calculate, lock, add blank")
    state = press(press(state, "effect-0"), "calculate")
    state = press(state, "lock", "crit evade", pick=[3])
    assert tiles(state) == [
        Tile("red", "hit", fate="cancelled"),
        Tile("red", "hit", badge="calculate"),
        Tile("red", "focus", fate="unused"),
        Tile("red", "crit", ghost="blank"),
        Tile("red", "blank", added=True),
        Tile("green", "evade"),
    ]
    assert [strip.label for strip in shown(state).strips] == ["Attack dice", "Defense dice"]


def test_a_card_is_a_badge_of_its_own() -> None:
    state = press(begin(1, 0, "focus", "change 1 focus to hit"), "effect-0")
    assert tiles(state) == [Tile("red", "hit", badge="card")]


def test_a_die_rerolled_after_a_change_loses_the_badge() -> None:
    state = press(begin(1, 0, "focus", "calculate, lock"), "calculate")
    state = press(state, "lock", "blank", pick=[0])
    assert tiles(state) == [Tile("red", "blank", ghost="hit")]


def test_a_die_changed_after_a_reroll_has_both_marks() -> None:
    state = press(begin(1, 0, "blank", "focus, lock"), "lock", "focus", pick=[0])
    state = press(state, "focus")
    assert tiles(state) == [Tile("red", "hit", ghost="blank", badge="focus")]


def test_a_reinforce_evade_is_an_added_die() -> None:
    state = begin(2, 0, "hit hit", "", "reinforce")
    assert tiles(state)[-1] == Tile("green", "evade", added=True)


def test_a_spent_die_is_marked_as_out() -> None:
    (die,) = enter_physical_dice("red", ["hit"], "attacker")
    spent = replace(begin(1, 0, "hit"), red=(die.after_step("spent", "attacker's card"),))
    assert tiles(spent)[0].fate == "spent"


@pytest.mark.parametrize(
    ("tile", "words"),
    [
        (Tile("red", "hit"), "hit"),
        (Tile("red", "hit", ghost="blank"), "hit (was blank, rerolled)"),
        (Tile("red", "hit", badge="focus"), "hit (changed by focus)"),
        (Tile("red", "hit", badge="card"), "hit (changed by a card)"),
        (Tile("red", "hit", fate="cancelled"), "hit (canceled)"),
        (Tile("red", "hit", ghost="blank", badge="force", added=True, fate="cancelled"),
         "hit (was blank, rerolled, changed by force, added, canceled)"),
    ],
)  # fmt: skip  # a table: one row a line
def test_a_tile_in_words(tile: Tile, words: str) -> None:
    assert tile_text(tile) == words


def test_the_alt_text_says_what_the_strips_show() -> None:
    state = begin(2, 1, "focus hit", "focus")
    state = press(state, "focus", "evade")
    shows = shown(state)
    assert shows.alt == "Attack dice: hit (canceled), hit (changed by focus). Defense dice: evade"
    assert shows.alt == strips(shows.strips)


def test_without_dice_there_is_no_picture_and_no_alt_text() -> None:
    shows = shown(begin(1, None, ""))
    assert (shows.strips, shows.alt) == ((), "")


# Loose dice


def loose(red: int, green: int, falls: str, *presses: tuple[Choice, str]) -> Card:
    state = xwing.start(LooseDice(red=red, green=green), Falls(falls))
    for choice, more in presses:
        state = xwing.choose(state, choice, Falls(more))
    return card(state, ALONE)


def test_loose_dice() -> None:
    shows = loose(2, 1, "hit blank focus")
    assert shows.outcome == "Ana rolls red dice: 1 hit, 1 blank; green dice: 1 focus."
    assert (shows.title, shows.turn, shows.ahead) == ("X-Wing dice", "", "nobody")
    assert shows.alt == "Attack dice: hit, blank. Defense dice: focus"
    assert shows.trail == ("Attack dice rolled: hit, blank", "Defense dice rolled: focus")
    assert "Outside an attack, results have no effect by themselves" in english(shows.small)


def test_loose_dice_of_one_color() -> None:
    shows = loose(0, 2, "evade evade")
    assert shows.outcome == "Ana rolls green dice: 2 evades."
    assert len(shows.strips) == len(shows.trail) == 1


def test_the_trail_of_loose_dice() -> None:
    shows = loose(
        2, 0, "hit blank", (Choice("cocked", ("red-0",)), "crit"), (Choice("reroll", ("red-0", "red-1")), "focus hit")
    )
    assert shows.trail == (
        "Attack dice rolled: hit, blank",
        "Cocked die, rolled again: hit → crit",
        "Rerolls: crit → focus, blank → hit",
    )
    assert shows.strips[0].tiles == (Tile("red", "focus", ghost="crit"), Tile("red", "hit", ghost="blank"))
    reroll, cocked = (Choice("reroll", ("red-1",)), "crit"), (Choice("cocked", ("red-0",)), "focus")
    assert loose(2, 0, "hit blank", reroll, cocked).trail[1:] == (
        "Rerolls: blank → crit",
        "Cocked die, rolled again: hit → focus",
    )
    added = loose(1, 0, "hit", (Choice("add-red"), "crit"), (Choice("reroll", ("red-1",)), "blank"))
    assert added.trail == ("Attack dice rolled: hit, crit", "Rerolls: crit → blank")


def test_the_picture_of_a_die_with_a_long_history_shows_its_last_reroll() -> None:
    die = (
        Rolled("red", enter_physical_dice("red", ["hit"], "attacker")[0].trail)
        .after_step("rerolled", "lock", "focus")
        .after_step("changed", "force", "hit")
    )
    assert card(replace(begin(1, 0, "hit"), red=(die,)), BOTH).strips[0].tiles == (
        Tile("red", "hit", ghost="hit", badge="force"),
    )


def test_what_a_side_brings_names_cards_and_not_the_words_in_which_their_rows_are_written() -> None:
    raw = {
        "attack": {"pilot": "bluesquadronescort", "upgrades": ["ioncannon"], "weapon": "ioncannon", "focus": 1},
        "defense": {"pilot": "academypilot", "upgrades": ["elusive"], "claims": ["elusive"]},
        "range": 2,
    }
    state = xwing.start(xwing.declare(raw), lambda sides: sides - 1)
    assert isinstance(state, Attack)
    said = "\n".join(english(text) for _, text in card(state, {}).facts)
    assert "Ion Cannon" in said
    assert "Elusive" in said
    assert "deed" not in said
