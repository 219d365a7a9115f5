"""Moments that are played, each written from the rules page (When cards speak outside an attack, 3, 7 and 8)."""

from dataclasses import replace
from typing import Any

import pytest

from bot.rules.errors import PlayerError
from bot.rules.game import Choice
from bot.rules.text import Name, english
from bot.rules.xwing.cards.card_sets import SHELF
from bot.rules.xwing.cards.cards import pilot_ship
from bot.rules.xwing.table import controls, match as matches, moments
from bot.rules.xwing.table.dials import dial_of
from bot.rules.xwing.table.match import MATCH, Phase
from bot.rules.xwing.table.moment_rows import rows_of
from bot.rules.xwing.table.ship import Flight, Ship, apply_piece_changes as changed, damage_ship, from_card, give
from bot.rules.xwing.table.ship_weapons import fighter
from tests.rules.xwing.play import Falls
from tests.rules.xwing.test_dials import ANA, BO, never, reveals, ship
from tests.rules.xwing.test_flying import played
from tests.rules.xwing.test_moments import FOE, engagement, labels, offered, pressed


def listed(table: dict[str, Any], name: str, says: str, **filled: str) -> dict[str, Any]:
    """The table after a line of the list **Use a card** whose label says so."""
    (offer,) = [item for item in offered(table, name) if english(item.label) == "Use a card"]
    (line,) = [option.value for option in offer.fields[0].options if says in english(option.label)]
    return pressed(table, name, "Use a card", card=line, **filled)


def after_shields(item: Ship, left: int) -> Ship:
    return replace(item, shields_left=left)


def test_ketsu_onyo_gives_a_ship_in_both_of_her_arcs_a_tractor_token() -> None:
    here = engagement(ship("ketsuonyo"), FOE)
    assert labels(here)[0].startswith("Ketsu Onyo: that ship: gain 1 tractor")
    assert pressed(here, MATCH, "Ketsu Onyo")[FOE.name].tokens == {"tractor": 1}


def test_captain_kagi_takes_the_locks_of_enemies_on_his_friends() -> None:
    kagi, friend = ship("captainkagi"), ship("academypilot")
    foe = replace(ship("lukeskywalker", BO), locks=(friend.name,))
    after = pressed(engagement(kagi, friend, foe), MATCH, "Captain Kagi", ships=friend.name)
    assert after[foe.name].locks == (kagi.name,)


@pytest.mark.parametrize("token", ["focus", "evade"])
def test_palob_takes_a_focus_or_an_evade_token(token: str) -> None:
    foe = give(give(FOE, "focus", 1), "evade", 1)
    after = pressed(engagement(ship("palobgodalhi"), foe), MATCH, "Palob Godalhi", which=token)
    assert after["Palob Godalhi"].tokens == {token: 1}
    assert after[FOE.name].tokens == {other: 1 for other in ("focus", "evade") if other != token}


def test_soontir_fel_is_asked_and_gains_a_focus_token() -> None:
    here = engagement(ship("soontirfel"), ship("lukeskywalker", BO))
    assert pressed(here, MATCH, "Soontir Fel")["Soontir Fel"].tokens == {"focus": 1}


def test_swarm_tactics_lasts_to_the_end_of_the_round() -> None:
    howl, pilot = ship("howlrunner", ANA, "swarmtactics"), ship("academypilot")
    here = engagement(howl, pilot, ship("lukeskywalker", BO))
    after = pressed(here, MATCH, "Swarm Tactics", ship=pilot.name)
    order = [item.name for item in matches.engagement_order(after[MATCH], matches.ships_of(after))]
    assert order.index(pilot.name) < 3
    assert after[pilot.name].turn == howl.turn == 5


def test_leia_makes_every_friendly_red_maneuver_white_for_three_charges() -> None:
    leia = ship("hansolo-modifiedyt1300lightfreighter", ANA, "leiaorgana")
    friend = replace(ship("lukeskywalker"), tokens={"stress": 1})
    here = {**played(leia, friend), MATCH: replace(played(leia, friend)[MATCH], phase=Phase.ACTIVATION)}
    after = pressed(here, MATCH, "Leia Organa")
    now = reveals(after, friend.name, "3ER")
    assert now[friend.name].tokens == {"stress": 1}, "white: none is gained, and the old one stays"


def test_an_r2_astromech_pays_a_charge_and_a_disarm_token_for_a_shield() -> None:
    luke = ship("lukeskywalker", ANA, "r2astromech")
    hurt = after_shields(luke, luke.shields - 1)
    now = reveals(played(hurt), hurt.name, "2FB")
    healed = pressed(now, hurt.name, "R2 Astromech")[hurt.name]
    assert (healed.shields_left, healed.tokens) == (hurt.shields, {"disarm": 1})
    whole = reveals(played(luke), luke.name, "2FB")
    assert not [label for label in labels(whole, luke.name) if label.startswith("R2")], "all shields are up"


def test_raymus_antilles_gives_those_nearby_a_focus_token_as_his_ship_is_destroyed() -> None:
    carrier = ship("lukeskywalker", ANA, "raymusantilles")
    near, far = ship("wedgeantilles"), ship("biggsdarklighter")
    here = engagement(carrier, near, far, FOE)
    lost = moments.Course(here, never, {carrier.name: replace(carrier, wrecked=True)}).follow().changes
    table = changed(here, lost)
    after = listed(table, carrier.name, "each of them: gain 1 focus", ships=near.name)
    assert (after[near.name].has("focus"), after[far.name].has("focus")) == (1, 0)


def test_the_isb_jingoist_lets_a_ship_choose_only_if_it_has_a_green_token() -> None:
    jingoist, luke = ship("isbjingoist"), replace(ship("lukeskywalker", BO), engaged=True)
    here = engagement(jingoist, luke)
    bare = listed(here, jingoist.name, "ISB Jingoist", which="strain")
    assert bare[luke.name].tokens == {"strain": 1}
    asked = listed(engagement(jingoist, give(luke, "focus", 1)), jingoist.name, "ISB Jingoist", which="strain")
    owed = [item for item in controls.table_offers(asked) if item.player == BO]
    assert [english(item.label).split(":")[0] for item in owed if item.key.startswith("owed")]
    assert asked[luke.name].tokens == {"focus": 1}


def test_captain_phasma_stresses_the_enemies_nearby_once_all_have_engaged() -> None:
    crew = replace(ship("kyloren", ANA, "captainphasma"), engaged=True)
    foe = replace(ship("lukeskywalker", BO), engaged=True)
    asked = pressed(engagement(crew, foe), MATCH, "End the round")
    after = pressed(asked, MATCH, "Captain Phasma", ships=foe.name) if asked[MATCH].round == 1 else asked
    assert after[foe.name].has("stress") == 1


def test_ketsu_onyo_as_crew_keeps_tractor_tokens_in_the_end_phase() -> None:
    crew = replace(ship("bobafett", ANA, "ketsuonyo"), engaged=True)
    foe = replace(give(ship("lukeskywalker", BO), "tractor", 2), engaged=True)
    ending = pressed(engagement(crew, foe), MATCH, "End the round")
    kept = pressed(ending, MATCH, "Ketsu Onyo")
    over = pressed(kept, MATCH, "End the round")
    assert (over[MATCH].round, over[foe.name].has("tractor")) == (2, 2)
    lost = pressed(ending, MATCH, "End the round")
    assert lost[foe.name].has("tractor") == 0


def test_an_offer_that_is_left_alone_lapses_with_its_moment() -> None:
    here = engagement(ship("ketsuonyo"), FOE)
    done = pressed(here, MATCH, "Done")
    assert not labels(done)
    assert not [item for item in offered(done, MATCH) if english(item.label).startswith("Ketsu")]


def test_the_second_player_takes_what_the_first_one_left() -> None:
    teroch, palob = ship("oldteroch"), give(ship("palobgodalhi", BO), "focus", 1)
    here = engagement(give(teroch, "evade", 1), palob)
    second = pressed(here, MATCH, "Old Teroch")
    assert [label.split(":")[0] for label in labels(second)] == ["Palob Godalhi", "Done"], "Ana has no other card"
    (takes,) = [item for item in offered(second, MATCH) if english(item.label).startswith("Palob")]
    taken = changed(second, controls.choose(second, MATCH, Choice(takes.key), Falls(), BO).changes)
    assert (taken[palob.name].tokens, taken[teroch.name].tokens) == ({"evade": 1}, {})


def test_coaxium_hyperfuel_is_paid_as_its_owner_chooses() -> None:
    luke = ship("lukeskywalker", ANA, "coaxiumhyperfuel")
    now = pressed(reveals(played(luke), luke.name, "2FB"), luke.name, "Overlaps an enemy")
    after = pressed(now, luke.name, "Coaxium Hyperfuel: expose")[luke.name]
    assert after.shields_left == luke.shields - 1, "no card lies facedown, so it can only suffer the crit"


PANIC, HIT_HULL = Name("Panicked Pilot"), Name("Hull Breach")


@pytest.mark.parametrize(
    ("upgrade", "faceup"),
    [("imperviumplating", HIT_HULL), ("r4p17-astromech", PANIC)],
)
def test_a_card_that_was_dealt_is_discarded_for_a_charge(upgrade: str, faceup: Name) -> None:
    item = ship("lukeskywalker", ANA, upgrade)
    item = damage_ship(item, faceup=(faceup,))
    after = listed(engagement(item, FOE), item.name, "discard")[item.name]
    assert (after.faceup, len(after.facedown), after.upgrade_charges[0]) == ((), 0, 1)


def test_compassion_takes_a_pilot_card_of_a_friend_and_gives_force_back_from_two_cards_on() -> None:
    jedi, friend = replace(ship("lukeskywalker", ANA, "compassion"), force_left=1), ship("wedgeantilles")
    friend = damage_ship(friend, faceup=(PANIC, HIT_HULL))
    first = listed(engagement(jedi, friend, FOE), jedi.name, "Compassion")
    assert first[friend.name].faceup == (HIT_HULL,)
    assert (first[jedi.name].cards, first[jedi.name].force_left, first[jedi.name].shields_left) == (1, 0, jedi.shields)
    again = {**first, jedi.name: replace(first[jedi.name], force_left=1), friend.name: friend}
    assert listed(again, jedi.name, "Compassion")[jedi.name].force_left == jedi.force


def test_kuiil_rolls_a_die_for_each_damage_card() -> None:
    item = damage_ship(ship("bobafett", ANA, "kuiil", tractor=1), faceup=(HIT_HULL,), facedown=(PANIC,) * 3)
    now = reveals(played(item), item.name, "2FB")
    after = pressed(now, item.name, "Kuiil: roll 1 red die for each damage card", "hit blank focus hit")[item.name]
    assert (after.faceup, len(after.facedown), after.tokens) == ((), 4, {"focus": 1})


def test_hull_breach_acts_as_damage_is_dealt_and_is_no_button() -> None:
    item = damage_ship(ship("bobafett"), faceup=(HIT_HULL,))
    assert not [offer for offer in offered(engagement(item, FOE), item.name) if english(offer.label) == "Use a card"]


def test_babu_frik_holds_tokens_until_his_charges_are_spent() -> None:
    item = ship("bobafett", ANA, "babufrik", stress=1, strain=1)
    here = listed(engagement(item, FOE), item.name, "Babu Frik", which="strain")
    held = here[item.name]
    assert (held.tokens, held.on_cards) == ({"stress": 1}, {"strain on babufrik": 1})
    for charges in range(held.upgrade_charges[0], -1, -1):
        assert here[item.name].upgrade_charges[0] == charges
        system = {**here, MATCH: replace(here[MATCH], phase=Phase.PLANNING)}
        course = moments.Course(system, never, {MATCH: replace(here[MATCH], phase=Phase.SYSTEM)}).follow()
        here = changed(system, course.changes)
    assert (here[item.name].tokens, here[item.name].on_cards) == ({"stress": 1, "strain": 1}, {})


def test_oddball_lets_a_friend_lock_the_enemy() -> None:
    odd, friend = ship("oddball-siegeofcoruscant"), ship("anakinskywalker-delta7baethersprite")
    red = next(each.code for each in dial_of(odd) if each.difficulty == "R")
    now = reveals(played(odd, friend, FOE), odd.name, red)
    after = pressed(now, odd.name, "Odd Ball", ships=f"{friend.name}, {FOE.name}")
    assert (after[friend.name].locks, after[FOE.name].locks, after[odd.name].locks) == ((FOE.name,), (), ())
    himself = pressed(now, odd.name, "Odd Ball", ships=f"{odd.name}, {FOE.name}")
    assert (himself[odd.name].locks, himself[friend.name].locks) == ((FOE.name,), ())
    for alone in (FOE.name, odd.name):
        with pytest.raises(PlayerError, match="exactly"):
            pressed(now, odd.name, "Odd Ball", ships=alone)


def test_satine_kryze_lets_each_friend_choose() -> None:
    here = engagement(ship("obiwankenobi-delta7baethersprite", ANA, "satinekryze"), ship("wedgeantilles"), FOE)
    names = [name for name, item in here.items() if name not in (MATCH, FOE.name)]
    asked = pressed(here, MATCH, "Satine Kryze", ships=", ".join(names))
    for name, says in zip(names, ("gain 1 deplete", "gain 1 disarm"), strict=True):
        asked = pressed(asked, MATCH, f"{name}: {says}")
    assert [asked[name].tokens for name in names] == [{"deplete": 1, "focus": 1}, {"disarm": 1, "evade": 1}]


def test_the_defender_chooses_what_ends_proud_tradition() -> None:
    proud = ship("scorch", ANA, "proudtradition", stress=1)
    here = listed(engagement(proud, give(FOE, "focus", 1)), proud.name, "Proud Tradition")
    assert here[proud.name].sides[0].word == "false tradition"
    (keeps,) = [item for item in controls.table_offers(here) if english(item.label).endswith("remove 1 focus")]
    assert keeps.player == BO


def test_a_docked_shuttle_loses_its_shield_for_the_millennium_falcon() -> None:
    falcon = ship("hansolo", ANA, "landosmillenniumfalcon")
    hurt = after_shields(falcon, falcon.shields - 1)
    shuttle = replace(ship("l337-escapecraft"), docked=falcon.name)
    after = listed(engagement(hurt, shuttle, FOE), hurt.name, "Lando's Millennium Falcon")
    assert after[hurt.name].shields_left == falcon.shields
    assert after[shuttle.name].shields_left == shuttle.shields - 1
    free = engagement(hurt, replace(shuttle, docked=""), FOE)
    assert not [item for item in offered(free, hurt.name) if english(item.label) == "Use a card"]


def test_ig_11_discards_a_faceup_card_and_is_destroyed_with_its_last_fuse() -> None:
    item = damage_ship(ship("lukeskywalker", ANA, "ig11"), faceup=(HIT_HULL,))
    safe = listed(engagement(item, FOE), item.name, "discard")
    assert (safe[item.name].cards, safe[item.name].tokens) == (0, {"calculate": 1})
    flipped = listed(safe, item.name, "flip the card")
    over = moments.end_phase({**flipped, item.name: replace(flipped[item.name], engaged=True)}, never).table
    after = pressed(dict(over), MATCH, "IG-11", ships=FOE.name)
    assert item.name not in after
    assert after[FOE.name].shields_left == FOE.shields - 1


@pytest.mark.parametrize(("tokens", "is_there"), [({"evade": 1}, True), ({}, False)])
def test_a_mercenary_takes_a_green_token_from_the_friend_that_was_destroyed(
    tokens: dict[str, int], is_there: bool
) -> None:
    greedy, rich = ship("lukeskywalker", ANA, "mercenary-talent"), ship("wedgeantilles", ANA, focus=2)
    lost = replace(ship("biggsdarklighter"), wrecked=True, tokens=tokens)
    here = engagement(greedy, rich, lost, give(FOE, "focus", 1))
    here = {**here, MATCH: replace(here[MATCH], events=(lost.name,))}
    assert bool([item for item in offered(here, greedy.name) if english(item.label) == "Use a card"]) is is_there
    if is_there:
        after = listed(here, greedy.name, "Mercenary")
        assert (after[greedy.name].tokens, after[lost.name].tokens, after[rich.name].tokens) == (
            {"evade": 1},
            {},
            {"focus": 2},
        )


def test_bail_organa_gives_friends_the_token_that_he_removes() -> None:
    bail = ship("lukeskywalker", ANA, "bailorgana-crew", evade=1)
    friend = ship("wedgeantilles")
    after = pressed(engagement(bail, friend, FOE), MATCH, "Bail Organa", ships=friend.name)
    assert (after[bail.name].tokens, after[friend.name].tokens) == ({}, {"evade": 1})
    rich = pressed(
        engagement(give(bail, "focus", 1), friend, FOE), MATCH, "Bail Organa", ships=friend.name, which="focus"
    )
    assert (rich[bail.name].tokens, rich[friend.name].tokens) == ({"evade": 1}, {"focus": 1})


def test_a_bounty_gives_back_a_charge_of_the_ship_and_of_each_upgrade() -> None:
    hunter = ship("bobafett-armedanddangerous", ANA, "bounty", "elusive", "protontorpedoes")
    hunter = replace(hunter, charge_left=0, upgrade_charges=(0,) * len(hunter.upgrade_charges))
    after = listed(engagement(hunter, FOE), hunter.name, "recover 1 charge of the ship and each upgrade")[hunter.name]
    had = [item.charges.capacity for item in hunter.card.upgrades]
    assert after.upgrade_charges == tuple(min(1, capacity) for capacity in had)
    assert after.charge_left == min(1, hunter.charge)
    place = hunter.upgrades.index("bounty")
    assert after.sides[place].word != hunter.sides[place].word


def test_each_stress_token_and_each_lost_shield_counts() -> None:
    k2so, joph = ship("k2so"), ship("jophseastriker")
    now = engagement(k2so, joph, FOE)
    hurt: dict[str, Any] = {k2so.name: give(k2so, "stress", 2), joph.name: replace(joph, shields_left=joph.shields - 2)}
    after = changed(now, moments.Course(now, never, hurt).follow().changes)
    assert (after[k2so.name].has("calculate"), after[joph.name].has("evade")) == (2, 2)


def test_a_card_at_the_declaration_may_be_used_in_each_attack_of_the_phase() -> None:
    nom = give(ship("nomlumb"), "stress", 0)
    here = engagement(nom, FOE)
    first = listed(here, nom.name, "Nom Lumb")
    assert [item for item in moments.lines(first, first[nom.name]) if item.row.card == "pilot:nomlumb"]


def choosable(own: Ship, place: int, *others: Ship) -> list[str]:
    """The ships that a pilot's row may name, itself left out."""
    row = rows_of(f"pilot:{own.pilot}")[place - 1]
    fleet: dict[str, Ship] = {item.name: item for item in (own, *others)}
    names = [item.name for item in moments.candidates(moments.Line(row=row, ship=own), fleet)]
    return [name for name in names if name != own.name]


def flies(item: Ship, code: str, **more: Any) -> Ship:
    return replace(item, flight=Flight(dial=code, maneuver=code, **more))


def test_only_ships_that_meet_what_the_bot_knows_can_be_chosen() -> None:
    """Size, ship, stress, locks, initiative, upgrades, and maneuvers: words of the claim that the table knows."""
    luke, wedge = ship("lukeskywalker"), ship("wedgeantilles")
    foe = replace(FOE, locks=())
    assert choosable(ship("ap5"), 1, give(luke, "stress", 1), give(wedge, "stress", 2)) == [luke.name]
    assert choosable(ship("dis347"), 1, replace(luke, locks=(FOE.name,)), wedge, foe) == [FOE.name]
    assert choosable(ship("hound"), 1, give(luke, "strain", 1), give(ship("hansolo"), "strain", 1)) == [luke.name]
    fighters = ship("scorch"), ship("quickdraw", ANA, "patternanalyzer")
    assert choosable(ship("lingaava"), 1, *fighters, luke) == ["Quickdraw", "Scorch"]
    assert choosable(ship("lingaava"), 1, ship("scorch", ANA, "afterburners")) == []
    assert choosable(ship("maul", ANA), 1, luke, ship("nightbeast")) == ["Night Beast"]
    poe = ship("poedameron", ANA, "integratedsfoils")
    assert choosable(ship("temminwexley-swz68"), 1, poe, ship("niennunb"), luke) == [poe.name]
    kret = replace(ship("berwerkret"), last_target=FOE.name)
    droid = ship("dbs32c")
    assert choosable(kret, 1, droid, foe) == []
    assert choosable(kret, 1, replace(droid, locks=(FOE.name,)), foe) == [droid.name]
    hawk = ship("hawk")
    fast, slow = flies(luke, "3FW"), flies(wedge, "2FB")
    assert choosable(hawk, 1, fast, slow) == [luke.name]
    assert choosable(hawk, 1, give(fast, "stress", 1), slow) == [], "it could not act"


def test_a_card_names_no_more_ships_than_it_says() -> None:
    mianda, *friends = ship("majormianda-battleoverendor"), *map(ship, ("lukeskywalker", "wedgeantilles", "nightbeast"))
    here = {**engagement(mianda, *friends, FOE)}
    here[MATCH] = replace(here[MATCH], phase=Phase.END)
    with pytest.raises(PlayerError, match="at most 3"):
        pressed(here, MATCH, "Major Mianda", ships=", ".join(item.name for item in (mianda, *friends)))


def test_an_action_at_a_phase_start_is_not_offered_to_a_stressed_ship() -> None:
    droid = ship("dbs32c", ANA, calculate=1)
    assert any("DBS-32C" in label for label in labels(engagement(droid, FOE)))
    assert not any("DBS-32C" in label for label in labels(engagement(give(droid, "stress", 1), FOE)))


def test_thanisson_speaks_in_his_phases_only() -> None:
    officer = ship("pettyofficerthanisson")
    calm = controls.offers(engagement(officer, FOE), officer.name)
    assert "Use a card" not in [english(offer.label) for offer in calm], "nobody is stressed"
    here = engagement(officer, give(FOE, "stress", 1))
    said = [english(offer.label) for offer in controls.offers(here, officer.name)]
    assert "Use a card" in said
    here[MATCH] = replace(here[MATCH], phase=Phase.PLANNING)
    assert "Use a card" not in [english(offer.label) for offer in controls.offers(here, officer.name)]


def test_after_an_attack_its_defender_gets_the_condition_or_the_token() -> None:
    other = replace(FOE, name=Name("Another"))
    for pilot, condition in (("captainrex", "suppressivefire"), ("benteene", "rattled")):
        own = replace(ship(pilot), last_target=FOE.name)
        after = listed(engagement(own, FOE, other), own.name, str(own.name))
        assert (after[FOE.name].conditions, after[other.name].conditions) == ((condition,), ())
    bane = replace(ship("cadbane", ANA, stress=1), last_target=FOE.name)
    after = listed(engagement(bane, FOE, other), bane.name, "Cad Bane")
    assert (after[bane.name].tokens, after[FOE.name].tokens, after[bane.name].charge_left) == ({}, {"stress": 1}, 0)


def test_a_mark_lasts_to_the_end_of_the_round() -> None:
    evaan, friend = ship("evaanverlaine", ANA, focus=1), ship("lukeskywalker")
    after = pressed(engagement(evaan, friend, FOE), MATCH, "Evaan Verlaine", ship=friend.name)
    assert "pilot:evaanverlaine" in after[friend.name].keeps
    assert changed(after, moments.end_phase(after, never, at_once=True).changes)[friend.name].keeps == {}


def test_nash_lets_a_lost_ship_engage_now() -> None:
    nash, lost = ship("nashwindrider"), damage_ship(ship("lukeskywalker"), facedown=("Fuel Leak",) * 4)
    here = engagement(nash, lost, FOE)
    here[MATCH] = replace(here[MATCH], initiative=3, events=(lost.name,))
    assert listed(here, nash.name, "Nash Windrider")[lost.name].turn == 3


def test_contingency_protocol_is_known_by_its_name_in_any_printing() -> None:
    upgrades = ("contingencyprotocol-rsl", "contingencyprotocol-siegeofcoruscant")
    for own, theirs in (upgrades, upgrades[::-1]):
        legacy = SHELF.of("legacy")
        lost, friend = (from_card(pilot_ship("haorchallprototype", [item], legacy), ANA) for item in (own, theirs))
        lost = replace(lost, wrecked=True)
        friend, bare = replace(friend, name=Name("Friend")), from_card(pilot_ship("dfs081", (), legacy), ANA)
        row = rows_of(f"upgrade:{own}")[0]
        fleet: dict[str, Ship] = {item.name: item for item in (lost, friend, bare)}
        assert [item.name for item in moments.candidates(moments.Line(row=row, ship=lost), fleet)] == [friend.name]


def test_zorii_bliss_matches_the_token_of_a_jammed_enemy_only() -> None:
    zorii = ship("poedameron", ANA, "zoriibliss-legendsandrelics")
    clean = give(ship("lukeskywalker", BO), "focus", 1)
    jammed = replace(ship("wedgeantilles", BO), tokens={"jam": 1})
    says = "gain 1 green token"
    with pytest.raises(ValueError, match="not enough values"):
        listed(engagement(zorii, clean), zorii.name, says)
    after = listed(engagement(zorii, clean, jammed), zorii.name, says, which="evade")
    assert after[zorii.name].tokens == {"evade": 1}
    two = engagement(zorii, jammed, replace(jammed, name=Name("Other")), clean)
    with pytest.raises(PlayerError, match="Choose one of these"):
        listed(two, zorii.name, says, ship=clean.name, which="evade")


@pytest.mark.parametrize("pilot", ["captainjonus-swz98", "captainjonus-swz98-lsl"])
def test_captain_jonus_claims_that_he_placed_the_device_himself(pilot: str) -> None:
    (row,) = rows_of(f"pilot:{pilot}")
    said = english(moments.Line(row=row, ship=ship("captainjonus-swz98")).says)
    assert said.endswith("gain 1 evade (you dropped or launched a device)")


def test_maul_names_no_more_than_the_two_ships_that_he_coordinates() -> None:
    maul, (row,) = ship("maul"), rows_of("pilot:maul")
    others = [replace(ship("nightbeast"), name=Name(f"Night Beast {at}")) for at in range(3)]
    fleet: dict[str, Ship] = {item.name: item for item in (maul, *others)}
    line, names = moments.Line(row=row, ship=maul), [item.name for item in others]
    assert moments.chosen_ships(line, fleet, {"ships": ", ".join(names[:2])}) == tuple(names[:2])
    with pytest.raises(PlayerError, match="at most 2"):
        moments.chosen_ships(line, fleet, {"ships": ", ".join(names)})


@pytest.mark.parametrize(("pilot", "speaks"), [("keovenzee", True), ("kananjarrus", False)])
def test_the_mandalorian_recovers_no_force_that_recurs(pilot: str, *, speaks: bool) -> None:
    (row,), spent = rows_of("upgrade:themandalorian"), replace(ship(pilot), force_left=0)
    assert row.speaks(spent, {spent.name: spent}) is speaks


def test_vagabond_drops_his_device() -> None:
    for row in rows_of("pilot:vagabond"):
        assert "drop" in english(moments.Line(row=row, ship=ship("vagabond")).says)


def test_a_stressed_ship_repairs_no_damage_card_by_an_action() -> None:
    hurt = damage_ship(ship("wedgeantilles"), faceup=("Weapons Failure",))
    calm, stressed = (reveals(played(item), hurt.name, "2FB") for item in (hurt, give(hurt, "stress", 2)))
    assert "Weapons Failure: repair this card" in labels(calm, hurt.name)
    assert "Weapons Failure: repair this card" not in labels(stressed, hurt.name)
    droid = give(damage_ship(ship("wedgeantilles", ANA, "r1j5"), faceup=("Weapons Failure",)), "stress", 2)
    for calmer, allowed in ((droid, True), (give(droid, "stress", 1), False)):
        here = reveals(played(calmer), droid.name, "2FW")
        assert ("Weapons Failure: repair this card" in labels(here, droid.name)) is allowed


def test_a_slam_disarms_the_ship_and_primed_for_speed_takes_the_token_for_a_hit() -> None:
    primed = replace(ship("wedgeantilles"), conditions=("primedforspeed",))
    here = reveals(played(primed), primed.name, "2FB")
    after = pressed(here, primed.name, "It did: SLAM")[primed.name]
    assert (after.tokens, after.shields_left) == ({}, primed.shields - 1)


def without(here: dict[str, Any], lost: Ship) -> dict[str, Any]:
    """The table after a ship's destruction."""
    course = moments.Course(here, never, {lost.name: replace(lost, wrecked=True)})
    return changed(here, course.follow().changes)


def test_a_friendly_ship_that_is_destroyed_may_be_the_one_with_the_card() -> None:
    chewbacca, friend = ship("chewbacca-scavengedyt1300"), ship("poedameron")
    here = engagement(chewbacca, friend, FOE)
    table = changed(
        here, moments.Course(here, never, {chewbacca.name: replace(chewbacca, wrecked=True)}).follow().changes
    )
    assert listed(table, chewbacca.name, "Chewbacca", which="focus")[chewbacca.name].has("focus")
    relay = ship("066", ANA, "ta175")
    here = engagement(relay, drone := ship("dfs081"), FOE)
    table = without(here, relay)
    assert not matches.ships_of(table)[relay.name].has("calculate")
    after = listed(table, relay.name, "TA-175", ships=drone.name)
    assert after[drone.name].has("calculate") == 1


def test_an_action_that_a_card_grants_is_an_action_for_other_cards() -> None:
    jake, wedge = ship("jakefarrell"), ship("wedgeantilles", ANA, "perceptivecopilot")
    here = reveals(played(jake, wedge), jake.name, "2FB")
    assert pressed(here, jake.name, "Jake Farrell", ship=wedge.name)[wedge.name].tokens == {"focus": 2}
    vader = replace(ship("darthvader"), name=Name("Vader"))
    again = pressed(reveals(played(vader), "Vader", "2FB"), "Vader", "Darth Vader", which="focus")
    assert pressed(again, "Vader", "Darth Vader", which="evade")["Vader"].force_left == 1, "after each action"
    hurt = damage_ship(ship("wedgeantilles"), faceup=("Wounded Pilot", "Weapons Failure"))
    repaired = pressed(reveals(played(hurt), hurt.name, "2FB"), hurt.name, "Weapons Failure", falls="hit")[hurt.name]
    assert (repaired.faceup, repaired.tokens) == (("Wounded Pilot",), {"stress": 1}), "a card's own action is one"
    droid = ship("ig88c")
    boosted = pressed(reveals(played(droid), droid.name, "2FB"), droid.name, "IG-88C")
    assert not [label for label in labels(boosted, droid.name) if label.startswith("IG-88C")], "no second boost"


CHOOSE_THEMSELVES = [
    ship("muse", ANA, stress=1),
    ship("gamutkey", ANA, focus=1),
    ship("temminwexley-swz68", ANA, "integratedsfoils"),
    ship("majormianda-battleoverendor"),
]


@pytest.mark.parametrize("own", CHOOSE_THEMSELVES, ids=lambda own: own.pilot)
def test_a_card_that_may_choose_its_own_ship_speaks_where_that_is_the_only_one(own: Ship) -> None:
    phases = {"start of Engagement": Phase.ENGAGEMENT, "start of End": Phase.END, "during End": Phase.END}
    row = rows_of(f"pilot:{own.pilot}")[0]
    here = engagement(replace(own, engaged=phases[row.at] is Phase.END), replace(FOE, engaged=True))
    here[MATCH] = replace(here[MATCH], phase=phases[row.at])
    assert any(label.startswith(str(own.name)) for label in labels(here))


@pytest.mark.parametrize("pilot", ["dalanoberos", "quinnjast"])
def test_nothing_is_offered_at_the_start_of_a_phase_for_what_nothing_lacks(pilot: str) -> None:
    own = ship(pilot, ANA, "predator", "protontorpedoes")
    assert not [label for label in labels(engagement(own, FOE)) if label.startswith(str(own.name))]
    lacking = replace(own, shields_left=0, upgrade_charges=(0,) * len(own.upgrades))
    assert [label for label in labels(engagement(lacking, FOE)) if label.startswith(str(own.name))]


def test_an_initiative_that_is_treated_as_another_is_compared_and_one_to_engage_at_is_not() -> None:
    null, roark, lumb = ship("null"), ship("roarkgarnet"), ship("nomlumb-rogueclassstarfighter")
    assert (null.initiative_value, damage_ship(null, facedown=("x",)).initiative_value) == (7, 0)
    early = pressed(engagement(roark, null, FOE), MATCH, "Roark Garnet", ship=null.name)[null.name]
    assert (early.turn, early.initiative_value) == (7, 7)
    first = pressed(engagement(roark, ship("academypilot"), FOE), MATCH, "Roark Garnet", ship="Academy Pilot")
    assert (first["Academy Pilot"].turn, first["Academy Pilot"].initiative_value) == (7, 1)
    equal = pressed(engagement(lumb, FOE), MATCH, "Nom Lumb")[lumb.name]
    assert (equal.turn, equal.initiative_value) == (FOE.initiative, FOE.initiative)
    assert fighter(equal, FOE).card.initiative == FOE.initiative
