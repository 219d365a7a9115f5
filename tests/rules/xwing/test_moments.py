"""Cards at every moment outside attacks: no text is silent, and moments that are played."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest

from bot.languages import LANGUAGES
from bot.languages.translate import translate, using_language
from bot.rules.game import Choice, Offer
from bot.rules.text import Text, english
from bot.rules.xwing.cards.rows import ROWS, coverage_of
from bot.rules.xwing.table import card_facts, controls, dials, flying, match as matches, moments
from bot.rules.xwing.table.match import MATCH, Match, Phase
from bot.rules.xwing.table.moment_rows import SETUP, MomentRow, cards, rows_of
from bot.rules.xwing.table.ship import Flight, Ship, apply_piece_changes as changed, give, setups
from bot.rules.xwing.table.ship_damage import DEVICES
from bot.rules.xwing.table.verbs import NOUNS, Repair, action_named, read_deed
from tests.rules.xwing.play import Falls
from tests.rules.xwing.test_dials import ANA, BO, never, reveals, ship
from tests.rules.xwing.test_flying import played

GOLDEN: list[list[str]] = json.loads(
    (Path(__file__).parents[2] / "golden" / "xwing_moments.json").read_text(encoding="utf-8")
)["rows"]
Treated = Literal["done", "offered", "reminded", "named"]
ALONE = (
    *("after reveal", "after executing", "after fully executing", "after partially executing", "after overlapping"),
    *("after action", "after gaining", "damage", "during System", *moments.LOST),
    *(moment for stage in matches.STAGES.values() for moment in stage),
)
"""The moments at which cards act by themselves."""
REMINDED = (*ALONE, "standing")
LINES = (
    *(*moments.FLIGHT, *moments.FULLY, *moments.PARTLY, *moments.BEFORE, *moments.ENGAGING, *moments.LOST),
    *(*moments.ANY_TIME, "during System", *SETUP),
    *(moment for stage in matches.STAGES.values() for moment in stage),
)
"""The moments at which a line is offered."""


def in_order() -> Iterator[tuple[list[str], MomentRow]]:
    """Each golden row with the row of the file that says it: both have the rows of a card in the same order."""
    seen = Counter[str]()
    for golden in GOLDEN:
        yield golden, rows_of(golden[0])[seen[golden[0]]]
        seen[golden[0]] += 1


def is_of_dials(row: MomentRow) -> bool:
    """Whether the table of maneuvers does it: ``test_xwing_flying`` has a test for each of its rows."""
    words = ("maneuver", "the maneuver", "red ", "its speed", "dial", "fly", "it maneuver", "it dial", "ignore")
    return bool(flying.rows_of(row.card)) and any(item.startswith(words) for item in row.do)


RINGS = ("transgalmegcontrollink", "hyperspacedockingring")


def treated(row: MomentRow) -> Treated:
    """How the table treats a text."""
    attack = ROWS.get(row.card, ())
    if row.at == "setup" and row.alone:
        return "done"
    if row.card.id in RINGS:
        return "named"
    if is_of_dials(row):
        return "done" if row.must else "offered"
    if row.card.kind == "damage" and row.card.id in ("Direct Hit!", "Fuel Leak", "Panicked Pilot", "Hull Breach"):
        return "done"  # as damage is dealt: test_xwing_damage_cards
    if row.card.id in ("Console Fire", "Disabled Power Regulator") and row.at == "before engaging":
        return "done"
    if row.at == "standing":
        if (
            str(row.card) in setups()
            or row.only
            or "attack friendly ships" in row.do
            or (row.may_act and not row.remind)
        ):
            return "done"
        return "reminded" if row.remind else "named"
    if moments.is_in_attack(row):
        same = [item for item in attack if item.when is moments.IN_ATTACK.get(row.at) and not item.is_reminder]
        return "done" if row.must and any(item.must for item in same) else "offered"
    if row.card == "upgrade:hate":
        return "done"  # a row of the attack
    if row.alone and row.at in ALONE:
        return "done"
    if row.remind and not row.is_line:
        return "reminded" if row.at in REMINDED else "named"
    is_device = row.do[0].startswith("device") and row.card.id in DEVICES
    return "offered" if row.at in LINES or is_device else "named"


STRENGTH = {"auto": 3, "ask": 2, "offer": 2, "remind": 0}
AS: dict[Treated, int] = {"done": 3, "offered": 2, "reminded": 1, "named": 0}
WEAKER: dict[tuple[str, str], str] = {
    ("upgrade:sabinewren-command", "setup, before forces"): (
        "the bot assigns no condition before both squads have joined; its owner presses once they have"
    ),
    ("condition:itstheresistance", "start of round"): (
        "the condition lies on no ship until GA-97 deploys, so its charges aren't counted on the table"
    ),
    ("pilot:transgalmegcontrollink", "during Planning"): (
        "who is docked may still change while people plan; a dial of an empty carrier is never revealed"
    ),
    ("chassis:hyperspacedockingring", "during Planning"): (
        "the same for the ring: a dial that is planned for it is not revealed"
    ),
    ("pilot:transgalmegcontrollink", "while executing"): (
        "a ring has no dial: people fly it by the dial and at the initiative of the ship on it"
    ),
    ("chassis:hyperspacedockingring", "while executing"): "the same for the ring in Legacy",
    ("upgrade:overdrivethruster", "after action"): "the template is people's; the bot moves nothing",
    ("upgrade:thermaldetonators", "after action"): "a reload names its card by a press, and a ship may carry several",
    **{
        (
            f"pilot:lieutenantkarsabi-{edition}",
            "after action",
        ): "the same: which upgrade was reloaded is its owner's choice"
        for edition in ("pnp", "pnp-lsl", "ssl")
    },
    ("pilot:torradoza-wat1", "after removing"): (
        "tokens leave in many places; the press says that one left by an effect and not by being spent"
    ),
    ("pilot:genesisred", "lock"): (
        "locks are taken by presses, commands, and cards alike; the owner says which lock it is"
    ),
    ("upgrade:falsetranspondercodes", "lock"): (
        "the same, and the locking ship may be the enemy's, whose press isn't this owner's"
    ),
    ("pilot:captainjonus-swz98", "device"): "whose device detonated is asked, for devices aren't pieces with an owner",
    ("pilot:captainjonus-swz98-lsl", "device"): "the same in Legacy",
    ("condition:suppressivefire", "end of Engagement"): (
        "Captain Rex may have made a bonus attack, which engages no ship; people know"
    ),
    ("upgrade:themandalorian", "during End"): "who defended this round isn't kept on ships",
    ("upgrade:raymusantilles", "after self destroyed"): "a wreck stays on the mat until it is taken off by a press",
    ("upgrade:stalwartcaptain", "after self destroyed"): "the same: it is taken off by a press",
    ("condition:itstheresistance", "after friend destroyed"): (
        "GA-97 may have another name at this table, so its loss is asked"
    ),
    ("condition:suppressivefire", "after enemy destroyed"): (
        "Captain Rex may have another name at this table, so his loss is asked"
    ),
    ("condition:illshowyouthedarkside", "damage"): "which card lies on the condition is not on the table",
    (
        "upgrade:ig11",
        "damage",
    ): "what a faceup card does as it is dealt happens before its owner can press, and fuses are markers of the mat",
    ("pilot:corranhorn", "start of Planning"): "which bonus attack was made isn't kept on ships",
    ("pilot:duchess", "standing"): "the Ailerons' boost is moved by people",
    ("upgrade:larmadacy", "standing"): "a stressed ship's action is pressed as a token; its red color is people's",
    ("upgrade:passivesensors", "standing"): "a coordinate is chosen by people, who know the card",
    ("condition:fearfulprey", "in an attack: after"): "the condition isn't on a ship of the attack until people say so",
    ("upgrade:automatedtargetpriority", "in an attack: after"): (
        "the target's range, which the card sets, is people's; so is the miss that counts"
    ),
    ("upgrade:fives", "in an attack: after"): "focus or evade is the owner's choice",
}
"""Why a text is treated at a weaker level than it could be, each row for itself."""


def weaker() -> list[tuple[list[str], Treated]]:
    return [(golden, so) for golden, row in in_order() if AS[so := treated(row)] < STRENGTH[golden[3]]]


def test_no_text_is_silent() -> None:
    assert len(GOLDEN) == sum(map(len, map(rows_of, cards())))
    assert {golden[0] for golden in GOLDEN} == set(cards())
    for (card, pool, moment, _), row in in_order():
        assert (row.at, row.pool or "both") == (moment, pool), card
        assert row.do, card
        kind, _, id_ = card.partition(":")
        if kind in ("pilot", "upgrade", "chassis") and id_:
            assert coverage_of(card, "xwa" if pool != "legacy" else "legacy") != "silent", card


def test_few_texts_are_treated_at_a_weaker_level_and_each_has_a_reason() -> None:
    result = weaker()
    assert {(golden[0], golden[2]) for golden, _ in result} == WEAKER.keys(), "each has a reason of its own"
    assert len(result) <= len(GOLDEN) * 0.05


def test_how_many_texts_of_each_moment_are_done_offered_and_reminded() -> None:
    counted = defaultdict[str, Counter[str]](Counter)
    for golden, row in in_order():
        counted[golden[2]][treated(row)] += 1
    total = sum(counted.values(), Counter[str]())
    assert total.total() == len(GOLDEN)
    assert counted["start of Engagement"]["named"] == 0
    assert counted["after fully executing"] == {"done": 9, "offered": 83, "reminded": 4}


def test_every_deed_and_every_price_of_a_card_is_said() -> None:
    for words in (words for card in cards() for row in rows_of(card) for words in row.do):
        assert english(read_deed(words).label()), words


# Played


def pressed(table: dict[str, Any], name: str, label: str, falls: str = "", **filled: str) -> dict[str, Any]:
    """The table after the offer of a ship (or of the table) whose label begins so."""
    (offer,) = [item for item in offered(table, name) if english(item.label).startswith(label)]
    return changed(
        table, controls.choose(table, name, Choice(offer.key, filled=filled), Falls(falls), offer.player).changes
    )


def offered(table: dict[str, Any], name: str) -> tuple[Offer, ...]:
    return controls.table_offers(table) if name == MATCH else controls.offers(table, name)


def labels(table: dict[str, Any], name: str = MATCH) -> list[str]:
    return [
        english(offer.label)
        for offer in offered(table, name)
        if str(offer.act).startswith(("card-", "start-done", "owed"))
    ]


def engagement(*ships: Ship, first: int = ANA) -> dict[str, Any]:
    match = Match(first=first, second=BO if first == ANA else ANA, ordered_in=1, phase=Phase.ENGAGEMENT)
    return {**{item.name: item for item in ships}, MATCH: match}


FOE = ship("darthvader", BO)


@pytest.mark.parametrize(
    ("pilot", "before", "after"),
    [
        ("kadsolus", {}, {"stress": 1, "focus": 2}),
        ("4lom", {}, {"stress": 1, "calculate": 1}),
    ],
)
def test_a_red_maneuver_that_was_executed_fully_acts_by_itself(
    pilot: str, before: dict[str, int], after: dict[str, int]
) -> None:
    item = replace(ship(pilot), tokens=before)
    red = next(each.code for each in dials.dial_of(item) if each.difficulty == "R")
    now = reveals(played(item), item.name, red)
    assert now[item.name].tokens == after
    overlapped = pressed(now, item.name, "Overlaps an enemy")
    assert overlapped[item.name].tokens == {"stress": 1}, "partially: the stress, and nothing else"


def test_mace_windu_recovers_a_force_and_nothing_is_said_where_none_is_missing() -> None:
    mace = ship("macewindu")
    red = next(maneuver.code for maneuver in dials.dial_of(mace) if maneuver.difficulty == "R")
    assert reveals(played(replace(mace, force_left=1)), mace.name, red)[mace.name].force_left == 2
    assert reveals(played(mace), mace.name, red)[mace.name].force_left == mace.force


def test_elusive_gets_its_charge_back() -> None:
    luke = replace(ship("lukeskywalker", ANA, "elusive"), upgrade_charges=(0,))
    assert reveals(played(luke), luke.name, "4KR")[luke.name].upgrade_charges == (1,)


def test_cards_begin_as_they_are_set_up() -> None:
    def charges(*upgrades: str) -> tuple[int, ...]:
        return ship("lukeskywalker", ANA, *upgrades).upgrade_charges

    assert charges("chewbacca-crew-swz19") == (1,)
    assert charges("gnkgonkdroid") == (0,)
    assert charges("zamwesell") == (0,)
    assert ship("zamwesell").charge_left == 2
    assert ship("lukeskywalker", ANA, "sensorscramblers").tokens == {"cloak": 1}
    assert ship("lukeskywalker", ANA, "agentterex").on_cards == {"calculate on agentterex": 3}


def test_moldy_crow_keeps_two_focus_tokens_and_kyle_passes_one() -> None:
    kyle = give(ship("kylekatarn", ANA, "moldycrow"), "focus", 3)
    friend = ship("lukeskywalker")
    here = engagement(kyle, friend, FOE)
    assert labels(here)[0].startswith("Kyle Katarn: transfer 1 focus")
    passed = pressed(here, MATCH, "Kyle Katarn")
    assert (passed[kyle.name].has("focus"), passed[friend.name].has("focus")) == (2, 1)
    for table, kept in ((here, 2), (passed, 2)):
        ended = changed(table, moments.end_phase(table, never, at_once=True).changes)
        assert (ended[kyle.name].has("focus"), ended[friend.name].has("focus")) == (kept, 0)
    gone = changed(ended, moments.end_phase({**ended, MATCH: replace(ended[MATCH], phase=Phase.END)}, never).changes)
    assert gone[MATCH].round == 3


def test_the_first_player_says_all_then_the_second() -> None:
    teroch, palob = ship("oldteroch"), ship("palobgodalhi", BO)
    palob = give(give(palob, "focus", 1), "evade", 1)
    here = engagement(teroch, palob)
    assert [label.split(":")[0] for label in labels(here)] == ["Old Teroch", "Done"]
    after = pressed(here, MATCH, "Old Teroch")
    assert after[palob.name].tokens == {}
    late = pressed(here, MATCH, "Done")
    assert [label.split(":")[0] for label in labels(late)] in (["Palob Godalhi", "Done"], ["Done"], [])
    second = engagement(teroch, palob, first=BO)
    assert labels(second)[0].split(":")[0] in ("Palob Godalhi", "Old Teroch")


def test_dalan_takes_a_shield_for_a_charge_and_not_with_all_his_own() -> None:
    dalan = ship("dalanoberos")
    hurt = replace(dalan, shields_left=dalan.shields - 1)
    victim = ship("lukeskywalker", BO)
    after = pressed(engagement(hurt, victim), MATCH, "Dalan Oberos")
    assert after[dalan.name].shields_left == dalan.shields
    assert after[victim.name].shields_left == victim.shields - 1
    assert after[dalan.name].charge_left == dalan.charge - 1


def test_roark_lets_a_friend_engage_first() -> None:
    roark, wedge, poe = ship("roarkgarnet"), ship("wedgeantilles"), ship("soontirfel", BO)
    here = engagement(roark, wedge, poe)
    after = pressed(here, MATCH, "Roark Garnet", ship="Wedge Antilles")
    done = pressed(after, MATCH, "Done") if "Done" in labels(after) else after
    assert done[wedge.name].turn == 7
    assert [item.name for item in matches.waiting_ships(done[MATCH], matches.ships_of(done))] == [wedge.name]


def test_the_opponent_chooses_what_an_unless_leaves_to_them() -> None:
    asajj, victim = ship("asajjventress"), ship("lukeskywalker", BO)
    bare = pressed(engagement(asajj, victim), MATCH, "Asajj Ventress")
    assert bare[victim.name].tokens == {"stress": 1}, "no green token: it is done at once"
    here = pressed(engagement(asajj, give(victim, "focus", 1)), MATCH, "Asajj Ventress")
    assert here[victim.name].tokens == {"focus": 1}
    (keeps,) = [
        offer for offer in controls.table_offers(here) if english(offer.label).startswith("Luke Skywalker: remove 1")
    ]
    assert keeps.player == BO
    done = changed(here, controls.choose(here, MATCH, Choice(keeps.key), Falls(), BO).changes)
    assert (done[victim.name].tokens, done[MATCH].owed) == ({}, ())


def test_nothing_comes_before_an_activation_while_people_plan_their_dials() -> None:
    sabine = ship("sabinewren")
    here = {**engagement(sabine, FOE), MATCH: Match(first=ANA, second=BO, dials="on", phase=Phase.PLANNING)}
    assert not moments.lines(here, sabine)
    here[MATCH] = replace(here[MATCH], phase=Phase.SYSTEM)
    assert [line.row.key for line in moments.lines(here, sabine)] == ["pilot:sabinewren at 1"]


def test_a_destroyed_ship_and_its_friends_speak_once() -> None:
    grievous = replace(ship("generalgrievous", ANA, "generalgrievous"), upgrade_charges=(0,))
    friend = ship("lukeskywalker")
    here = engagement(grievous, friend, FOE)
    lost: dict[str, Any] = {friend.name: replace(friend, wrecked=True)}
    course = moments.Course(here, never, lost).follow()
    result, said = course.changes, course.said
    assert changed(here, result)[grievous.name].upgrade_charges == (1,)
    assert [english(item) for item in said] == ["General Grievous: 1 charge back"]
    second = moments.Course(changed(here, result), never).follow()
    again, more = second.changes, second.said
    assert not more
    assert again == {}


def test_a_kill_in_the_end_phase_leaves_at_once() -> None:
    kraken = give(ship("lukeskywalker", ANA, "kraken"), "calculate", 1)
    here = engagement(replace(kraken, engaged=True), replace(FOE, engaged=True))
    ending = pressed(here, MATCH, "End the round")
    assert ending[MATCH].phase is Phase.END
    assert labels(ending)[0].startswith("Kraken")
    dead = changed(ending, matches.sweep_destroyed(ending, {FOE.name: replace(FOE, wrecked=True)}))
    assert FOE.name not in dead
    kept = pressed(ending, MATCH, "Kraken", ships=kraken.name)
    over = pressed(kept, MATCH, "End the round")
    assert (over[MATCH].round, over[kraken.name].has("calculate")) == (2, 1)


def test_a_squad_without_such_cards_sees_no_more_presses() -> None:
    plain = [ship("lukeskywalker"), ship("academypilot", BO)]
    here = engagement(*(replace(item, engaged=True) for item in plain))
    assert labels(here) == []
    ended = pressed(here, MATCH, "End the round")
    assert ended[MATCH].round == 2


def test_a_dealt_card_and_a_lost_shield_are_noticed_wherever_they_come_from() -> None:
    joph = ship("jophseastriker")
    here = engagement(joph, FOE)
    result = moments.Course(here, never, {joph.name: replace(joph, shields_left=joph.shields - 1)}).follow().changes
    assert changed(here, result)[joph.name].tokens == {"evade": 1}


def test_reveal_and_an_action_are_one_press() -> None:
    luke = ship("lukeskywalker")
    now = reveals(played(luke), luke.name, "2FB", action="focus")
    assert now[luke.name].tokens == {"focus": 1}
    red = reveals(played(luke), luke.name, "4KR", action="focus")
    assert red[luke.name].tokens == {"stress": 1}, "a stressed ship takes no action"
    locked = reveals(played(luke), luke.name, "2FB", action="lock", target="Darth Vader")
    assert locked[luke.name].locks == ("Darth Vader",)
    assert isinstance(now[luke.name].flight, Flight)


def test_a_droid_calculates_twice() -> None:
    ig88 = ship("lukeskywalker", ANA, "ig88d")
    now = reveals(played(ig88), ig88.name, "2FB")
    assert pressed(now, ig88.name, "It did: calculate")[ig88.name].tokens == {"calculate": 2}


def test_perceptive_copilot_gives_a_second_focus_to_the_focus_action_alone() -> None:
    luke = ship("lukeskywalker", ANA, "perceptivecopilot")
    now = reveals(played(luke), luke.name, "2FB")
    assert pressed(now, luke.name, "Focus")[luke.name].tokens == {"focus": 2}
    given = changed(played(luke), controls.choose(played(luke), luke.name, Choice("give-focus"), never).changes)
    assert given[luke.name].tokens == {"focus": 1}, "a token that is no action"


def test_the_owner_of_a_docked_ship_is_asked_as_its_carrier_is_destroyed() -> None:
    ghost, phantom = ship("herasyndulla-vcx100lightfreighter"), ship("ezrabridger")
    here = engagement(ghost, replace(phantom, docked=ghost.name), FOE)
    lost: dict[str, Any] = {ghost.name: replace(ghost, wrecked=True)}
    changes = moments.Course(here, never, lost).follow().changes
    asked = changed(here, changes)
    offers = [offer for offer in controls.table_offers(asked) if offer.key.startswith("owed-")]
    assert [english(offer.label) for offer in offers] == [
        "Ezra Bridger: deploy in an emergency (1 crit, no action)",
        "Ezra Bridger: be destroyed",
    ]
    deployed = changed(asked, controls.choose(asked, MATCH, Choice(offers[0].key), Falls(), ANA).changes)
    assert (deployed[phantom.name].docked, deployed[phantom.name].shields_left) == ("", phantom.shields - 1)
    gone = changed(asked, controls.choose(asked, MATCH, Choice(offers[1].key), Falls(), ANA).changes)
    assert phantom.name not in gone or gone[phantom.name].destroyed
    assert not gone[MATCH].owed


def test_every_group_of_tokens_and_cards_has_a_name() -> None:
    deeds = {words for card in cards() for row in rows_of(card) for words in row.do}
    repairs = (part.verb for words in deeds for part in read_deed(words).parts if isinstance(part.verb, Repair))
    assert {*card_facts.GROUPS, *(f"{verb.facing} {verb.trait}".strip() for verb in repairs)} == NOUNS.keys()


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_moments_events_and_steps_are_said_in_every_language(language: str) -> None:
    said: list[Any] = [*moments.MOMENTS.values()]
    for row in (row for card in cards() for row in rows_of(card) if row.at != "standing"):
        line = moments.Line(row=row, ship=FOE)
        said += [moments.what_named(row), Text(row.ask)]
        said += [part.label() for deed in line.deeds for part in deed.parts if not part.is_bare]
    same = set()
    with using_language(LANGUAGES[language]):
        for text in said:
            if str(translate(text)) == english(text) and len(english(text).split()) > 2:  # "focus" may be the same
                same.add(english(text))
    assert same == {"Swivel Wing (Down)"}, "the name of a side"


@pytest.mark.parametrize(
    ("here", "elsewhere"),
    [
        (dials.COLORS["R"].says, Text("red")),
        (action_named("boost"), Text("boost")),
    ],
)
def test_a_word_for_two_things_has_two_entries(here: Text, elsewhere: Text) -> None:
    """A red maneuver is not a red die, nor the action boost the boost die: languages say them differently."""
    assert english(here) == english(elsewhere)
    with using_language(LANGUAGES["pl"]):
        assert translate(here) != translate(elsewhere)


@pytest.mark.parametrize(
    "card",
    [
        "upgrade:neimoidiangrasp",
        "upgrade:generalgrievous-command",
        "upgrade:generalgrievouscommand",
        "pilot:torphun",
    ],
)
def test_what_a_card_does_after_an_attack_is_no_part_of_its_rows_in_another_window(card: str) -> None:
    assert [row for row in rows_of(card) if row.in_attack and row.is_line and not moments.is_elsewhere(row)]
