"""What the board offers for a ship and for the match, and what comes of it."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from bot.games import GAMES
from bot.rules.errors import PlayerError
from bot.rules.game import MAX_OPTIONS, Choice, Offer
from bot.rules.text import english
from bot.rules.xwing.cards.cards import pilot_ship
from bot.rules.xwing.dice.declared import attack_pool, defense_pool
from bot.rules.xwing.dice.faces import Pool
from bot.rules.xwing.dice.tokens import KINDS
from bot.rules.xwing.table import controls, match
from bot.rules.xwing.table.match import CALLS, MATCH, Call, Match, Phase, waiting_ships
from bot.rules.xwing.table.ship import (
    Ship,
    apply_piece_changes as changed,
    damage_ship,
    from_card,
    give,
    launch,
    lock,
    remote,
)
from tests.rules.xwing.fleet import fleet, luke, mauler
from tests.rules.xwing.play import ANSWER, Falls
from tests.starts import form_of

ANA, BO, CLEO, DAN = 1, 2, 3, 4
HOWL = launch("Howl", initiative=5, attack=2, agility=3, hull=3)


def owned(ship: Ship, owner: int, **more: Any) -> Ship:
    return replace(ship, owner=owner, **more)


def table(*ships: Ship, **of_match: Any) -> dict[str, Any]:
    return {**fleet(*ships), MATCH: Match(**of_match)}


def keys(here: dict[str, Any], name: str) -> list[str]:
    return [item.key for item in offered(here, name)]


def offered(here: dict[str, Any], name: str) -> list[Offer]:
    """For a ship, then for the table."""
    return [*controls.offers(here, name), *controls.table_offers(here)]


def offer(here: dict[str, Any], name: str, key: str) -> Offer:
    return next(item for item in offered(here, name) if item.key == key)


def done(here: dict[str, Any], name: str, key: str, falls: str = "", player: int = 0, **filled: str) -> Any:
    return controls.choose(here, name, Choice(key, (), filled or None), Falls(falls), player)


# Before engaging


@pytest.mark.parametrize(("falls", "hurt"), [("hit", 1), ("crit", 0), ("focus", 0), ("blank", 0)])
def test_console_fire_burns_before_a_ship_engages_by_a_press(falls: str, hurt: int) -> None:
    burning = damage_ship(luke(), faceup=("Console Fire",))
    here = table(burning, phase=Phase.ENGAGEMENT)
    result = done(here, "Luke", "engage", falls=falls)
    now = changed(here, result.changes)["Luke"]
    assert now.engaged
    assert now.shields_left == 2 - hurt
    assert result.sentence.startswith(f"engages with Luke. Console Fire ({falls}): Luke gets ")


def test_a_disabled_power_regulator_ionizes_before_a_ship_engages_by_a_press() -> None:
    here = table(damage_ship(luke(), faceup=("Disabled Power Regulator",)), phase=Phase.ENGAGEMENT)
    result = done(here, "Luke", "engage")
    assert changed(here, result.changes)["Luke"].has("ion") == 1
    assert result.sentence == "engages with Luke. Disabled Power Regulator: Luke gets 1 ion token"


# The roll-off


def rolls_off(here: dict[str, Any]) -> list[str]:
    return [english(item.label) for item in controls.table_offers(here) if item.key.startswith(("roll-off", "be-"))]


def test_under_the_old_rules_a_roll_off_is_offered_once_two_squads_are_in_and_no_order_is_set() -> None:
    ana, bo, old = owned(luke(), ANA), owned(mauler(), BO), {"ruleset": "2.0"}
    assert rolls_off(table(ana, bo, **old)) == ["Roll off: hits", "Roll off: misses"]
    assert rolls_off(table(ana, **old)) == []
    assert rolls_off(table(ana, bo, first=ANA, **old)) == []
    assert rolls_off(table(ana, bo, second=ANA, **old)) == []
    assert rolls_off(fleet(ana, bo)) == [], "ships without a match have no order"
    assert rolls_off(table(ana, bo, owned(HOWL, CLEO), **old)) == [], "of three nobody knows who rolls against whom"
    assert rolls_off(table(ana, bo)) == [], "under 2.5 both roll instead"


@pytest.mark.parametrize("face", ["hit", "crit", "focus", "blank"])
@pytest.mark.parametrize("call", ["hits", "misses"])
@pytest.mark.parametrize("caller", [ANA, BO])
def test_who_calls_right_chooses_and_else_the_other_one(face: str, call: Call, caller: int) -> None:
    here = table(owned(luke(), ANA), owned(mauler(), BO), ruleset="2.0")
    result = done(here, "", f"roll-off-{call}", falls=face, player=caller)
    sides = sorted(Pool.RED.faces, key=lambda item: item not in CALLS[call])  # the same sides prove either call right
    face = sides[ANSWER[face]]
    is_right = (face in ("hit", "crit")) == (call == "hits")
    winner = caller if is_right else ANA + BO - caller
    now = changed(here, result.changes)
    assert now[MATCH] == Match(chooses=winner, ruleset="2.0")
    who = "the caller chooses the player order" if is_right else "the other player chooses the player order"
    assert result.sentence == f"calls {call} in the roll-off. The red die shows {face}: {who}"
    assert rolls_off(now) == ["Be the first player", "Be the second player"]
    assert {item.player for item in controls.table_offers(now) if item.key.startswith("be-")} == {winner}
    first = changed(now, done(now, "", "be-first").changes)
    assert match.side_of(first[MATCH], owned(luke(), winner)) == "first"
    second = changed(now, done(now, "", "be-second").changes)
    assert match.side_of(second[MATCH], owned(luke(), winner)) == "second"
    assert rolls_off(first) == rolls_off(second) == []


def test_a_roll_off_is_even() -> None:
    """Four of the eight faces for each call."""
    shown = Counter(call for face in Pool.RED.faces for call, right in CALLS.items() if face in right)
    assert shown == {"hits": 4, "misses": 4}


def test_only_the_two_call_a_roll_off_and_only_once() -> None:
    here = table(owned(luke(), ANA), owned(mauler(), BO), ruleset="2.0")
    for stranger in (0, CLEO):
        with pytest.raises(PlayerError, match="Only the two people whose ships are here"):
            done(here, "", "roll-off-hits", falls="hit", player=stranger)
    called = changed(here, done(here, "", "roll-off-hits", falls="hit", player=ANA).changes)
    with pytest.raises(PlayerError, match="no player order yet"):
        done(called, "", "roll-off-hits", falls="hit", player=ANA)


# Who is first


@pytest.mark.parametrize(("ana", "bo", "chooses"), [(199, 200, ANA), (200, 150, BO), (200, 200, 0), (0, 200, 0)])
def test_under_the_old_rules_who_has_fewer_points_chooses(ana: int, bo: int, chooses: int) -> None:
    """Glossary, Player order: the squad with fewer points chooses; equal or unknown points are rolled off."""
    here = table(owned(luke(), ANA, points=ana), owned(mauler(), BO, points=bo), ruleset="2.0")
    assert match.chooser(here) == chooses
    shown = ["Be the first player", "Be the second player"] if chooses else ["Roll off: hits", "Roll off: misses"]
    assert rolls_off(here) == shown
    if chooses:
        now = changed(here, done(here, "", "be-second").changes)
        assert match.side_of(now[MATCH], owned(luke(), chooses)) == "second"


@pytest.mark.parametrize(
    ("falls", "first"),
    [
        ("crit blank blank hit hit hit", ANA),  # crits count before hits
        ("focus hit hit crit blank blank", BO),
        ("focus blank blank hit hit hit", ANA),  # focus results count before hits
        ("hit blank blank hit hit blank", BO),
        ("hit focus crit crit focus hit blank blank hit hit hit blank", BO),  # a tie is rolled again
    ],
)
def test_most_crits_then_focus_then_hits_make_the_first_player(falls: str, first: int) -> None:
    """Cards page, Player order: three red dice each, in every Planning Phase; ties are rolled again."""
    here = table(owned(luke(), ANA), owned(mauler(), BO))
    assert [item.key for item in controls.table_offers(here) if not item.is_aside] == ["roll"]
    assert "attack" not in keys(here, "Luke"), "first it is settled who goes first"
    result = done(here, "", "roll", falls=falls)
    now = changed(here, result.changes)
    assert match.side_of(now[MATCH], owned(luke(), first)) == "first"
    assert result.sentence.endswith(f"The player with {'Luke' if first == ANA else 'Mauler'} is first")
    assert ("after 1 tie" in result.sentence) == (len(falls.split()) > 6)
    assert "attack" in keys(now, "Luke")
    assert "roll" not in keys(now, "")
    with pytest.raises(
        PlayerError, match=r"Under ruleset 2.5, both sides roll for first player once each Planning Phase"
    ):
        done(now, "", "roll", falls=falls)


def test_each_round_of_the_new_rules_has_its_own_roll_and_the_old_ones_have_none() -> None:
    ships = (owned(luke(), ANA), owned(mauler(), BO))
    for ruleset, rolled in (("2.5", True), ("2.0", False)):
        here = table(*ships, first=ANA, ordered_in=1, ruleset=ruleset, phase=Phase.ENGAGEMENT)
        ended = changed(here, match.end_round(here))
        assert (ended[MATCH].round, ended[MATCH].first) == (2, ANA), "until then the order stays"
        assert ("roll" in keys(ended, "")) == rolled
    assert ended[MATCH].first == ANA


@pytest.mark.parametrize(("falls", "first"), [("crit hit hit hit hit hit", BO), ("blank blank blank hit hit hit", ANA)])
def test_a_later_roll_turns_the_sides_round(falls: str, first: int) -> None:
    """Bo was the first player, and his side rolls first."""
    here = table(owned(luke(), ANA), owned(mauler(), BO), round=2, second=ANA, first=BO, ordered_in=1)
    now = changed(here, done(here, "", "roll", falls=falls).changes)[MATCH]
    assert (now.first, now.second, now.ordered_in) == (first, ANA + BO - first, 2)


def test_dice_that_tie_for_ever_are_refused_in_a_sentence() -> None:
    here = table(owned(luke(), ANA), owned(mauler(), BO))
    with pytest.raises(PlayerError, match="Press again"):
        controls.choose(here, "", Choice("roll"), lambda _: 0, ANA)


def test_the_order_is_changed_by_a_button() -> None:
    here = table(owned(luke(), ANA), owned(mauler(), BO), first=ANA, ordered_in=1)
    now = changed(here, done(here, "", "swap").changes)
    assert [match.side_of(now[MATCH], ship) for ship in (owned(luke(), ANA), owned(mauler(), BO))] == [
        "second",
        "first",
    ]
    with pytest.raises(PlayerError, match="There's no first player yet, so there's nothing to change"):
        match.swap(table(luke()))


# Phases


def test_the_first_ship_that_engages_begins_the_engagement_phase() -> None:
    here = table(owned(luke(), ANA), owned(mauler(), BO, initiative=3), first=ANA, ordered_in=1)
    engaged = changed(here, done(here, "Luke", "engage").changes)
    assert (engaged[MATCH].phase, engaged[MATCH].initiative) == (Phase.ENGAGEMENT, 5)
    assert "engage" not in keys(here, "Mauler"), "it is not the first"
    pressed = changed(here, done(here, "", "phase").changes)
    assert pressed[MATCH].phase is Phase.ENGAGEMENT, "nothing is left to press in between"


def test_what_comes_next_names_the_ships_and_then_the_end_of_the_round() -> None:
    here = table(owned(luke(), ANA), owned(mauler(), BO), first=ANA, ordered_in=1, phase=Phase.ENGAGEMENT)
    assert shown_next(here) == [("Luke", "Next: Luke attacks"), ("Luke", "Skip Luke")]
    for name in ("Luke", "Mauler"):
        here = changed(here, done(here, name, "engage").changes)
    assert shown_next(here) == [(MATCH, "End the round")]
    assert shown_next(fleet(luke())) == [], "without a match nobody knows"
    two = table(
        owned(luke(), ANA), owned(HOWL, ANA), owned(mauler(), BO, initiative=1), first=ANA, phase=Phase.ENGAGEMENT
    )
    assert [name for name, _ in shown_next(two)] == ["Howl", "Luke", "Howl", "Luke"], "of two each has its buttons"


def test_ships_of_two_players_may_begin_and_those_of_one_wait_for_another() -> None:
    alone = {"Luke": owned(luke(), ANA)}
    assert shown_next(alone) == []
    assert [item for _, item in shown_next(alone | {"Howl": owned(HOWL, BO)})] == ["Begin the Engagement Phase"]


def generics(*names: str) -> dict[str, Any]:
    """Ana's ships of initiative 1, and Mauler, who has engaged; it is the Engagement Phase."""
    ships = [owned(replace(luke(initiative=1), name=name), ANA) for name in names]
    return table(*ships, replace(owned(mauler(), BO), engaged=True), first=ANA, phase=Phase.ENGAGEMENT)


def test_three_generics_of_one_initiative_are_one_next_with_a_list() -> None:
    here = generics("A", "B", "C")
    assert shown_next(here) == [("A", "Next: A, B, or C attacks"), ("A", "Skip A, B, or C")]
    (_, attack), (_, skip) = controls.next_offers(here)
    assert [field.key for field in attack.fields] == ["ship", "weapon", "defender", "range", "circumstances"]
    assert [option.value for option in attack.fields[0].options] == ["A", "B", "C"]
    assert controls.attack_words("A", {"ship": "C", "defender": "Mauler", "range": "2"})["attacker"] == "C"
    engaged = controls.choose(here, "A", Choice(skip.key, (), {"ship": "B"}), Falls("")).changes
    assert engaged["B"].engaged
    assert "A" not in engaged
    here = changed(here, engaged)
    assert [name for name, _ in shown_next(here)] == ["A", "C", "A", "C"], "of two each has its buttons"


def test_the_list_has_the_weapons_of_all_of_them_once() -> None:
    here = generics("A", "B")
    armed = replace(from_card(pilot_ship("bluesquadronescort", ("ioncannon",)), ANA), name="C", initiative=1)
    here["C"] = armed
    (_, attack), _ = controls.next_offers(here)
    (weapons,) = [field.options for field in attack.fields if field.key == "weapon"]
    assert [weapon.value for weapon in weapons] == ["Primary", "Ion Cannon"]


def shown_next(here: dict[str, Any]) -> list[tuple[str, str]]:
    return [(name, english(item.label)) for name, item in controls.next_offers(here)]


def test_presses_act_on_the_selected_ship_until_it_has_engaged_and_another_one_is_next() -> None:
    ana, other, bo = owned(luke(), ANA), owned(HOWL, ANA, initiative=4), owned(mauler(), BO)
    here = table(ana, other, bo, first=ANA, ordered_in=1, phase=Phase.ENGAGEMENT)
    assert controls.first(here) == controls.first(here, ANA) == "Luke"
    assert controls.first(here, ANA, "Howl") == "Howl"
    assert controls.first(here, BO, "Howl") == "Mauler", "never somebody else's"
    for name in ("Luke", "Mauler"):
        here = changed(here, done(here, name, "engage").changes)
    assert controls.first(here, ANA, "Luke") == "Howl"
    assert controls.first(here, BO, "Mauler") == "Mauler"
    assert controls.first(here, CLEO) == ""


# The form of an attack


def test_a_range_may_be_left_out_and_then_changes_no_dice() -> None:
    here = table(luke(), mauler())
    (asked,) = [field for field in offer(here, "Luke", "attack").fields if field.key == "range"]
    assert not asked.required, "as in the command"
    words = controls.attack_words("Luke", {"defender": "Mauler", "weapon": "Primary"})
    assert words["range"] is None
    asked_of = {number: GAMES["xwing"].declare({**words, "range": number}, pieces=here) for number in (None, 1, 2, 3)}
    dice = {number: (attack_pool(declared), defense_pool(declared)) for number, declared in asked_of.items()}
    assert dice[None] == dice[2]
    assert len(set(dice.values())) == 3


def test_targets_are_enemies_that_are_in_the_game() -> None:
    wreck = damage_ship(owned(HOWL, BO), facedown=("",) * 3)
    here = table(owned(luke(), ANA), owned(replace(luke(), name="Wedge"), ANA), owned(mauler(), BO), wreck, first=ANA)
    here[MATCH] = replace(here[MATCH], phase=Phase.ENGAGEMENT)
    form = offer(here, "Luke", "attack")
    assert form_of(form).title == "Luke attacks"
    assert [option.value for option in form.fields[1].options] == ["Mauler"], "no friend, and nobody shoots at a wreck"
    anybodys = table(luke(), mauler())
    assert [option.value for option in offer(anybodys, "Luke", "attack").fields[1].options] == ["Mauler"]


def test_target_and_range_of_the_last_attack_are_chosen_already() -> None:
    foes = (owned(mauler(), BO), owned(HOWL, BO))

    def chosen(**more: Any) -> dict[str, str]:
        here = table(owned(luke(), ANA, **more), *foes, first=ANA, ordered_in=1)
        return {
            field.key: field.value
            for field in offer(here, "Luke", "attack").fields
            if field.key in ("defender", "range")
        }

    assert chosen() == {"defender": "", "range": ""}
    assert chosen(locks=("Howl",)) == {"defender": "Howl", "range": ""}
    assert chosen(locks=("Howl",), last_target="Mauler", last_range=2) == {"defender": "Mauler", "range": "2"}
    assert chosen(last_target="Mauler") == {"defender": "Mauler", "range": ""}
    assert chosen(last_target="Gone", last_range=2) == {"defender": "", "range": ""}


# Sides of more than one


def test_two_people_on_each_side_engage_side_by_side() -> None:
    four = [owned(replace(luke(), name=name), owner) for name, owner in zip("ABCD", (ANA, BO, CLEO, DAN), strict=True)]
    owners = {ANA, BO, CLEO, DAN}
    result = match.choose_side(None, ANA, "first", {ANA})
    assert [match.side_of(result, ship) for ship in four] == ["first", "second", "second", "second"]
    result = match.choose_side(result, CLEO, "first", owners)
    result = match.choose_side(result, DAN, "second", owners)
    assert [match.side_of(result, ship) for ship in four] == ["first", "second", "first", "second"]
    here = table(*four)
    here[MATCH] = replace(result, phase=Phase.ENGAGEMENT)
    assert [ship.name for ship in waiting_ships(here[MATCH], fleet(*four))] == ["A", "C"], "in any order within a side"


def test_of_two_people_one_has_the_side_and_may_change_their_mind() -> None:
    result = match.choose_side(None, ANA, "first", {ANA, BO})
    result = match.choose_side(result, BO, "first", {ANA, BO})
    assert (result.first, result.with_first) == (BO, ())
    result = match.choose_side(match.choose_side(result, CLEO, "first", {ANA, BO, CLEO}), BO, "second", {ANA, BO, CLEO})
    assert (result.first, result.second) == (CLEO, BO), "whoever stays has the side"


# Jam, reinforce, obstacles


def test_a_jam_names_what_it_takes_where_there_is_a_choice() -> None:
    target = give(give(mauler(), "focus", 1), "evade", 1)
    here = table(luke(), target)
    given = [option.value for option in offer(here, "Mauler", "more").fields[0].options if "jam" in option.value]
    assert given == ["give-jam/focus", "give-jam/evade"]
    result = done(here, "Mauler", "more", change="give-jam/evade")
    assert result.changes["Mauler"] == give(mauler(), "focus", 1)
    assert result.sentence == "gives Mauler 1 jam token, which removes evade"
    alone = table(luke(), mauler())
    assert done(alone, "Mauler", "more", change="give-jam").changes["Mauler"].has("jam") == 1, (
        "with nothing to take it stays"
    )


def test_a_ship_jams_another_one_and_its_player_chooses_what_goes() -> None:
    target = replace(give(mauler(), "focus", 1), locks=("Luke",))
    here = table(luke(), target)
    form = {field.key: [option.value for option in field.options] for field in offer(here, "Luke", "other").fields}
    assert form["target"] == ["Mauler"]
    assert {"jam", "tractor", "ion"} <= set(form["kind"])
    assert form["takes"] == ["focus", "lock on Luke"]
    result = done(here, "Luke", "other", target="Mauler", kind="jam", takes="lock on Luke")
    assert result.changes["Mauler"] == give(mauler(), "focus", 1)
    result = done(here, "Luke", "other", target="Mauler", kind="ion")
    assert result.changes["Mauler"].locks == ()
    assert result.sentence == "puts 1 ion token on Mauler with Luke"


def test_the_form_of_an_attack_asks_for_the_arc_where_somebody_is_reinforced() -> None:
    keys_of = [field.key for field in offer(table(luke(), mauler()), "Luke", "attack").fields]
    assert "in_arc" not in keys_of
    reinforced = table(luke(), give(mauler(), "reinforce fore", 1))
    assert [field.key for field in offer(reinforced, "Luke", "attack").fields] == [*keys_of, "in_arc"]
    form = {"weapon": "Primary", "defender": "Mauler", "range": "2"}
    assert controls.attack_words("Luke", form)["in_arc"] is None, "then the defender is asked"
    assert controls.attack_words("Luke", form | {"in_arc": "in"})["in_arc"] is True
    assert controls.attack_words("Luke", form | {"in_arc": "out"})["in_arc"] is False


def test_a_chaff_cloud_takes_what_its_player_says() -> None:
    both = give(give(luke(), "focus", 1), "evade", 1)
    here = table(both)
    assert [field.key for field in offer(here, "Luke", "obstacle").fields] == ["what", "takes"]
    result = done(here, "Luke", "obstacle", falls="blank", what="electro-chaff cloud", takes="evade")
    assert result.changes["Luke"] == give(luke(), "focus", 1)
    assert [field.key for field in offer(table(luke()), "Luke", "obstacle").fields] == ["what"]


def test_a_wounded_pilot_rolls_only_where_it_lies() -> None:
    def met(*faceup: str) -> list[str]:
        here = table(damage_ship(luke(), faceup=faceup))
        return [option.value for option in offer(here, "Luke", "obstacle").fields[0].options]

    assert "friendly ship" in met()
    assert "Wounded Pilot" not in met()
    assert "Wounded Pilot" in met("Wounded Pilot")


def test_the_history_says_which_face_an_obstacle_showed_and_what_came_of_it() -> None:
    here = table(luke(), replace(mauler(), locks=("Luke",)))
    asteroid = done(here, "Luke", "obstacle", falls="crit", what="asteroid")
    assert asteroid.sentence == "moves Luke through the asteroid. The red die shows crit: 2 hits"
    gas = done(here, "Luke", "obstacle", falls="hit", what="gas cloud")
    assert gas.sentence == (
        "moves Luke through the gas cloud. The red die shows hit: 1 strain token, 1 ion token, the locks on it break"
    )
    assert done(here, "Luke", "obstacle", falls="blank", what="blaze").sentence.endswith("shows blank: nothing more")


# Who may do what


def test_what_cannot_be_done_is_not_offered() -> None:
    here = table(luke(), mauler(), phase=Phase.ENGAGEMENT)
    assert {"attack", "engage", "lock", "give-focus", "obstacle", "other", "more"} <= set(keys(here, "Luke"))
    for token in ("disarm", "cloak"):
        barred = offer({**here, "Luke": give(luke(), token, 1)}, "Luke", "attack").barred
        assert barred == f"Luke has a {token} token: it engages but can't attack."
    assert "attack" not in keys({**here, "Luke": replace(luke(), attacks=2)}, "Luke")
    assert "lock" not in keys({**here, "Luke": give(luke(), "ion", 1)}, "Luke")
    assert "engage" not in keys({**here, "Luke": replace(luke(), engaged=True)}, "Luke")
    assert "look" not in keys(here, "Luke")
    assert "look" in keys({**here, "Luke": damage_ship(luke(), facedown=("Hull Breach",))}, "Luke")
    seeker = {**here, "Seeker": remote("Seeker", hull=1)}
    assert keys(seeker, "Seeker") == ["more", "phase"], "a remote only suffers"
    assert {option.value for option in offer(seeker, "Seeker", "more").fields[0].options} == {"hit", "crit"}
    assert "Seeker" in {option.value for option in offer(seeker, "Luke", "lock").fields[0].options}


@pytest.mark.parametrize(
    ("attacks", "bonus", "key", "label"),
    [(0, 0, "attack", "Attack"), (1, 0, "bonus", "Bonus attack…"), (1, 1, "attack", "Attack")],
)
def test_a_second_attack_is_a_bonus_attack_in_the_list(attacks: int, bonus: int, key: str, label: str) -> None:
    here = table(replace(luke(), attacks=attacks, bonus_attacks=bonus), mauler(), phase=Phase.ENGAGEMENT)
    result = offer(here, "Luke", key)
    assert (result.label, result.is_aside) == (label, key == "bonus")
    assert {"attack", "bonus"} - set(keys(here, "Luke")) == {"attack", "bonus"} - {key}


def test_a_ship_locks_enemies_in_its_form_and_none_that_it_has_locked_already() -> None:
    """Own ships and obstacles are for `/xwing lock`."""
    enemies = (replace(mauler(), owner=2), replace(mauler(), name="Other", owner=2))
    here = table(replace(luke(), owner=1), replace(launch("Wedge"), owner=1), *enemies)
    assert [option.value for option in offer(here, "Luke", "lock").fields[0].options] == ["Mauler", "Other"]
    here |= lock(match.ships_of(here), "Luke", "Mauler")
    assert [option.value for option in offer(here, "Luke", "lock").fields[0].options] == ["Other"]


def test_a_list_that_is_too_long_says_so_in_its_last_line() -> None:
    ship = replace(luke(), tokens=dict.fromkeys(KINDS, 1))
    here = table(damage_ship(ship, facedown=("",), faceup=("Console Fire", "Fuel Leak", "Hull Breach", "Direct Hit!")))
    shown = offer(here, "Luke", controls.MORE).fields[0].options
    assert len(shown) == MAX_OPTIONS
    assert english(shown[-1].label).endswith("more don't fit in this list")
    with pytest.raises(PlayerError, match=r"/xwing token"):
        done(here, "Luke", controls.MORE, change=shown[-1].value)
    assert len(offer(table(luke()), "Luke", controls.MORE).fields[0].options) < MAX_OPTIONS


def test_a_ship_that_may_not_attack_is_next_without_an_attack() -> None:
    """Nothing on a card leads to a press that is refused: a disarmed ship only engages."""
    here = table(owned(give(luke(), "disarm", 1), ANA), owned(HOWL, BO), phase=Phase.ENGAGEMENT)
    labels = [str(item.label) for _, item in controls.next_offers(here)]
    assert labels == ["Next: Howl attacks", "Skip Howl", "Skip Luke"]
    barred = offer({**here, "Howl": replace(here["Howl"], initiative=1)}, "Howl", "attack")
    assert (str(barred.label), barred.fields) == ("Attack (next: Luke)", ())
    assert str(barred.barred).startswith("Howl has initiative 1, but Luke must engage first.")


def test_points_after_the_last_round_count_for_the_round_that_the_card_names() -> None:
    """A match that round 2 decided is in round 2, also while people look at the planning of round 3."""
    here = table(owned(luke(), ANA), owned(mauler(), BO), round=3, ended_in=2, first=ANA, second=BO)
    (*_, reason) = offer(here, "Luke", "score").fields
    filled = {"whose": "mine", "points": "2", "reason": reason.options[0].value}
    result = controls.choose(here, "Luke", Choice("score", (), filled), Falls(), ANA)
    (earned,) = changed(here, result.changes)[MATCH].score.earned
    assert (earned.round, match.count_rounds(here)) == (2, 2)
