"""Card texts that were read one by one against their rows, each played at its moment."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from bot.rules.errors import PlayerError
from bot.rules.game import Choice
from bot.rules.pieces import BoardContext
from bot.rules.text import Name, english
from bot.rules.xwing.cards.card_sets import SHELF, SHIPPED
from bot.rules.xwing.cards.cards import Charges, pilot_ship
from bot.rules.xwing.dice import costs
from bot.rules.xwing.table import card_effects, controls, moments, planning, verbs
from bot.rules.xwing.table.match import MATCH, Phase
from bot.rules.xwing.table.moment_rows import cards, own_rows, rows_of
from bot.rules.xwing.table.ship import Flight, Ship, apply_piece_changes as changed, flip, from_card, give, lock, setups
from tests.rows import for_each_row
from tests.rules.xwing.play import Falls
from tests.rules.xwing.test_dials import ANA, BO, never, reveals, ship
from tests.rules.xwing.test_flying import played
from tests.rules.xwing.test_moments import FOE, engagement

LUKE, WEDGE = "Luke Skywalker", "Wedge Antilles"
Table = dict[str, Any]


def first(sides: int) -> int:
    """An ``Rng`` for draws: the first card."""
    assert sides
    return 0


def used(table: Table, name: str, card: str, falls: str = "", place: int = 1, **filled: str) -> Table:
    """The table after a card of a ship is used by its line."""
    lines = {line.row.key: line for line in moments.open_lines(table, name)}
    on = BoardContext(table, name, filled, Falls(falls) if falls else first, ANA)
    return changed(table, moments.use(on, lines[f"{card} at {place}"].mark).changes)


def in_phase(phase: Phase, *ships: Ship) -> Table:
    here = engagement(*ships)
    return {**here, MATCH: replace(here[MATCH], phase=phase)}


def chooses(table: Table, label: str, player: int) -> Table:
    """The table after a choice that a card left to a ship's owner."""
    (offer,) = [item for item in moments.owed_offers(table) if english(item.label) == label]
    assert offer.player == player
    return changed(table, controls.choose(table, MATCH, Choice(offer.key), Falls(), player).changes)


def hurt(item: Ship, *faceup: str, down: int = 0, shields: int = 0) -> Ship:
    return replace(item, faceup=faceup, facedown=("",) * down, shields_left=shields)


def luke(*upgrades: str, **tokens: int) -> Ship:
    return ship("lukeskywalker", ANA, *upgrades, **tokens)


def flown(item: Ship, code: str, *friends: Ship, **filled: str) -> Table:
    return reveals(played(item, *friends), item.name, code, **filled)


# On whom it falls, and who chooses


@pytest.mark.parametrize(
    ("own", "card"),
    [(ship("fennrau-fangfighter"), "pilot:fennrau-fangfighter"), (luke("fennrau"), "upgrade:fennrau")],
    ids=["pilot", "crew"],
)
def test_fenn_rau_helps_a_friend_who_has_a_red_token(own: Ship, card: str) -> None:
    friend = ship("wedgeantilles", ANA, strain=1)
    assert used(engagement(own, friend, FOE), own.name, card)[WEDGE].tokens == {}
    bare = engagement(own, ship("wedgeantilles"), FOE)
    assert not [line for line in moments.open_lines(bare, own.name) if str(line.row.card) == card]


@pytest.mark.parametrize(
    ("label", "own", "theirs"),
    [
        ("Darth Vader: gain 1 stress", {}, {"stress": 1}),
        ("Darth Vader: the ship with this card: gain 1 calculate", {"calculate": 1}, {}),
    ],
)
def test_the_owner_of_the_ship_that_0_0_0_chooses_decides(
    label: str, own: Mapping[str, int], theirs: Mapping[str, int]
) -> None:
    asked = used(engagement(luke("000"), FOE), MATCH, "upgrade:000")
    done = chooses(asked, label, BO)
    assert (done[LUKE].tokens, done[FOE.name].tokens) == (own, theirs)


def test_dengar_rolls_unless_the_attacker_removes_a_green_token() -> None:
    here = engagement(luke("dengar"), FOE)
    bare = used(here, LUKE, "upgrade:dengar", "hit")
    assert bare[FOE.name].shields_left == FOE.shields - 1
    asked = used(engagement(luke("dengar"), give(FOE, "focus", 1)), LUKE, "upgrade:dengar")
    assert chooses(asked, "Darth Vader: remove 1 green token", BO)[FOE.name].tokens == {}


def test_those_who_roll_for_nite_owl_sentries_suffer_themselves() -> None:
    own = luke("niteowlsentries-crew")
    spent = replace(own, upgrade_charges=(0,))
    after = used(engagement(spent, FOE), MATCH, "upgrade:niteowlsentries-crew", "hit", 2, ships=FOE.name)
    assert after[FOE.name].shields_left == FOE.shields - 1
    assert after[LUKE] == spent


# What is paid and what comes


@dataclass(frozen=True, kw_only=True)
class Played:
    """A card, the ships before it is used, and what of its own ship or of another one is so afterwards."""

    card: str
    own: Ship
    at: str = "engagement"
    """A phase, or the code of the maneuver that its ship has executed."""
    others: tuple[Ship, ...] = (FOE,)
    place: int = 1
    falls: str = ""
    filled: Mapping[str, str] = field(default_factory=dict)
    after: Mapping[str, Any]
    it: Mapping[str, Any] = field(default_factory=dict)

    def table(self) -> Table:
        if self.at in [phase.value for phase in Phase]:
            return in_phase(Phase(self.at), self.own, *(replace(item, engaged=True) for item in self.others))
        return flown(self.own, self.at, *(item for item in self.others if item is not FOE))


FRIEND = ship("wedgeantilles")
RHYS, ESSARA = (
    from_card(pilot_ship(f"{item}-wat1", cards=SHELF.of("legacy")), ANA) for item in ("rhysdallows", "essaratill")
)
DASH = ship("dashrendar-swz103-sl-rebelalliance")
HURT = hurt(luke("r2d2-republic"), down=1)
PLAYED = [
    Played(
        card="pilot:dashrendar-swz103-sl-rebelalliance",
        own=give(give(DASH, "focus", 1), "stress", 1),
        others=(FRIEND,),
        after={"tokens": {"focus": 1}},
        it={"tokens": {"stress": 1}},
    ),
    Played(card="pilot:rampage", own=ship("rampage"), at="3FB", after={}, it={"tokens": {"strain": 1}}),
    Played(
        card="pilot:rampage",
        place=2,
        own=hurt(ship("rampage"), down=1),
        at="3FB",
        after={},
        it={"tokens": {"strain": 2}},
    ),
    Played(
        card="chassis:finetunedthrusters",
        place=2,
        own=ship("ember"),
        at="2FB",
        filled={"which": "lock"},
        after={"tokens": {"deplete": 1}},
    ),
    Played(
        card="pilot:kickback-siegeofcoruscant",
        place=2,
        own=ship("kickback-siegeofcoruscant"),
        at="2FB",
        after={"tokens": {"strain": 1}},
    ),
    Played(
        card="upgrade:r2d2-republic", own=HURT, at="2FB", filled={"which": "repair 1 facedown card"}, after={"cards": 0}
    ),
    Played(
        card="upgrade:r2d2-republic",
        own=HURT,
        at="2FB",
        filled={"which": "recover 1 shield"},
        after={"shields_left": 1},
    ),
    Played(card="upgrade:r1j5", place=2, own=hurt(luke("r1j5"), down=1), after={"cards": 0}),
    Played(
        card="pilot:teltrevura",
        own=hurt(ship("teltrevura"), "Console Fire", "Fuel Leak", down=4),
        after={"cards": 5, "faceup": (), "charge_left": 0},
    ),
    Played(
        card="upgrade:bazemalbus",
        own=luke("bazemalbus"),
        at="2FB",
        filled={"number": "2"},
        after={"tokens": {"stress": 1, "focus": 2}},
    ),
    Played(
        card="upgrade:energyshellcharges",
        own=replace(luke("energyshellcharges"), upgrade_charges=(0,)),
        at="2FB",
        after={"upgrade_charges": (1,), "tokens": {"disarm": 1}},
    ),
    Played(card="pilot:breach", own=ship("breach"), at="2FB", others=(FRIEND,), after={"locks": (FOE.name,)}),
    Played(
        card="pilot:overseeryushyn",
        own=ship("overseeryushyn"),
        others=(give(FRIEND, "disarm", 1),),
        filled={"ship": WEDGE},
        after={},
        it={"tokens": {"stress": 1}},
    ),
    Played(
        card="upgrade:seventhsister",
        own=ship("darthvader", ANA, "seventhsister"),
        others=(ship("wedgeantilles", BO, stress=1),),
        filled={"which": "tractor"},
        after={},
        it={"tokens": {"tractor": 1}},
    ),
    Played(
        card="upgrade:staticdischargevanes",
        own=luke("staticdischargevanes", jam=1),
        filled={"which": "jam"},
        after={"tokens": {"stress": 1}, "shields_left": 1},
        it={"tokens": {"jam": 1}},
    ),
    Played(
        card="pilot:hound",
        own=ship("hound"),
        others=(ship("wedgeantilles", ANA, strain=1),),
        filled={"which": "strain"},
        after={"tokens": {"strain": 1}},
        it={"tokens": {}},
    ),
    Played(
        card="upgrade:bailorgana-crew",
        own=luke("bailorgana-crew", evade=1, focus=1),
        others=(FRIEND,),
        filled={"ships": WEDGE, "which": "evade"},
        after={"tokens": {"focus": 1}},
        it={"tokens": {"evade": 1}},
    ),
    Played(
        card="upgrade:deuteriumpowercells",
        place=2,
        own=luke("deuteriumpowercells", jam=1),
        after={"tokens": {"stress": 1}},
    ),
    Played(
        card="pilot:chewbacca",
        own=ship("chewbacca"),
        after={"charge_left": 0, "keeps": {"next faceup card facedown": 1}},
    ),
    Played(
        card="upgrade:precursor-title",
        own=replace(luke("precursor-title"), energy=2, energy_left=0),
        at="end",
        after={"energy_left": 1, "shields_left": 1},
    ),
    Played(
        card="upgrade:nautolansrevenge",
        own=replace(luke("nautolansrevenge", calculate=2), energy=3, energy_left=0),
        filled={"number": "2"},
        after={"energy_left": 2, "tokens": {}},
    ),
    Played(
        card="upgrade:damagecontrolteam",
        own=replace(hurt(luke("damagecontrolteam"), "Fuel Leak", "Console Fire"), energy=3, energy_left=3),
        at="2FB",
        filled={"number": "2"},
        after={"energy_left": 1, "faceup": (), "cards": 2},
    ),
    Played(
        card="upgrade:sensorscramblers",
        place=2,
        own=luke("sensorscramblers"),
        at="end",
        after={"tokens": {}},
    ),
    Played(
        card="pilot:poedameron-scavengedyt1300",
        place=3,
        own=hurt(ship("poedameron-scavengedyt1300"), down=1),
        at="2FB",
        after={"charge_left": 0, "tokens": {"stress": 1}, "facedown": ()},
    ),
    Played(
        card="chassis:pursuitcraft",
        own=ship("bossk-z95af4headhunter"),
        others=(FOE, replace(ship("doctoraphra", ANA, "houndstooth"), locks=(FOE.name,))),
        after={"locks": (FOE.name,)},
    ),
    Played(
        card="upgrade:chewbacca-crew",
        own=hurt(luke("chewbacca-crew", focus=1), "Fuel Leak"),
        at="end",
        after={"faceup": ()},
    ),
    Played(
        card="upgrade:chewbacca-armedanddangerous",
        own=hurt(luke("chewbacca-armedanddangerous"), "Fuel Leak"),
        at="system",
        after={"faceup": (), "upgrade_charges": (0,)},
    ),
    Played(
        card="pilot:rhysdallows-wat1",
        own=give(RHYS, "focus", 1),
        others=(give(ESSARA, "evade", 1), give(FRIEND, "evade", 1)),
        filled={"ship": "Essara Till"},
        after={"tokens": {"focus": 1}},
        it={"tokens": {}},
    ),
    Played(
        card="pilot:essaratill-wat1",
        own=give(ESSARA, "focus", 1),
        others=(FRIEND,),
        filled={"ship": "Essara Till"},
        after={"tokens": {}},
    ),
    Played(
        card="upgrade:r2d2-epicsl",
        own=hurt(luke("r2d2-epicsl")),
        at="end",
        falls="hit",
        after={"shields_left": 1, "cards": 1},
    ),
]


@for_each_row("case", PLAYED, ids=lambda case: f"{case.card} at {case.place}")
def test_a_text_does_what_its_card_says(case: Played) -> None:
    here = case.table()
    after = used(here, case.own.name, case.card, case.falls, case.place, **case.filled)
    own, other = after[case.own.name], case.others[0].name
    assert {key: getattr(own, key) for key in case.after} == case.after
    assert {key: getattr(after[other], key) for key in case.it} == case.it


def test_biggs_takes_the_initiative_of_a_friend_never_of_an_enemy() -> None:
    biggs = ship("biggsdarklighter-battleofyavin")
    after = used(in_phase(Phase.SYSTEM, biggs, FRIEND, FOE), biggs.name, "pilot:biggsdarklighter-battleofyavin")
    assert after[biggs.name].acts_at == FRIEND.initiative


# Each ship that is named is paid for


AS_MANY = {row.key for card in cards() for row in rows_of(card) if row.is_paid_for_each}


def test_the_cards_that_choose_as_many_ships_as_are_paid_for() -> None:
    assert sorted(AS_MANY) == [
        *("pilot:landocalrissian-scavengedyt1300 at 1", "pilot:landocalrissian-scavengedyt1300 at 2"),
        *("pilot:shaakti at 1", "upgrade:supremeleadersnoke at 1"),
    ]
    foes = [replace(ship("wedgeantilles", BO), name=FOE.name + at) for at in (" A", " B", " C")]
    snoke = ship("kyloren", ANA, "supremeleadersnoke")
    here = in_phase(Phase.SYSTEM, snoke, *foes)
    two = ", ".join(foe.name for foe in foes[:2])
    assert used(here, snoke.name, "upgrade:supremeleadersnoke", ships=two)[snoke.name].force_left == snoke.force - 2
    poor = {**here, snoke.name: replace(snoke, force_left=1)}
    with pytest.raises(PlayerError, match="can't be paid for so many ships"):
        used(poor, snoke.name, "upgrade:supremeleadersnoke", ships=two)


# By itself


def test_a_false_tradition_makes_a_focus_action_red() -> None:
    own = luke("proudtradition")
    for item, tokens in ((own, {"focus": 1}), (flip(own, 0), {"focus": 1, "stress": 1})):
        assert flown(item, "2FB", action="focus")[LUKE].tokens == tokens


def test_in_it_for_the_money_flips_once() -> None:
    own = luke("initforthemoney")
    lost = ship("wedgeantilles")
    here = engagement(own, lost, ship("biggsdarklighter"), FOE)
    first = changed(here, moments.Course(here, never, {lost.name: replace(lost, wrecked=True)}).follow().changes)
    assert (first[LUKE].tokens, first[LUKE].sides[0].title) == ({"focus": 1}, "In It For Your Rebellion")
    biggs = first["Biggs Darklighter"]
    second = changed(first, moments.Course(first, never, {biggs.name: replace(biggs, wrecked=True)}).follow().changes)
    assert (second[LUKE].tokens, second[LUKE].sides[0].title) == ({"focus": 1}, "In It For Your Rebellion")


def test_the_child_takes_the_force_of_its_ship_the_recovery() -> None:
    assert luke("thechild").card.force == Charges(luke().force + 2, 0)
    assert luke().card.force.recover == 1


def test_an_initiative_to_activate_at_is_over_as_ships_engage() -> None:
    lando = ship("landocalrissian-battleoverendor")
    here = in_phase(Phase.ACTIVATION, lando, FOE)
    early = used(here, lando.name, "pilot:landocalrissian-battleoverendor", number="1")
    assert early[lando.name].turn == 1
    engaged = changed(early, moments.next_phase(early, never).changes)
    assert (engaged[MATCH].phase, engaged[lando.name].turn) == (Phase.ENGAGEMENT, lando.initiative)


# Locks


FOES = [replace(ship("academypilot", BO), name=FOE.name + at) for at in (" A", " B")]


def test_a_lock_that_is_spent_is_the_one_on_the_ship_that_is_chosen() -> None:
    latts = replace(ship("lattsrazzi"), locks=(FOES[0].name, FOES[1].name))
    after = used(engagement(latts, *FOES), MATCH, "pilot:lattsrazzi", ship=FOES[1].name)
    assert (after[latts.name].locks, after[FOES[1].name].tokens) == ((FOES[0].name,), {"tractor": 1})


def test_the_same_object_is_the_one_that_was_locked_last() -> None:
    red, dutch = ship("redline"), verbs.ItLocks("same object")
    table = engagement(replace(red, locks=(FOES[0].name, FOES[1].name)), FRIEND, *FOES)
    run = verbs.Run(table, red.name, rows_of("pilot:dutchvander")[0].card, Falls(), (WEDGE,))
    dutch.apply(run, run.fleet[WEDGE])
    assert run.fleet[WEDGE].locks == (FOES[1].name,)


@pytest.mark.parametrize(
    ("pilot", "card", "place"),
    [
        ("axe-siegeofcoruscant", "pilot:axe-siegeofcoruscant", 1),
        ("dutchvander-battleofyavin", "pilot:dutchvander-battleofyavin", 1),
    ],
)
def test_a_friend_locks_the_defender(pilot: str, card: str, place: int) -> None:
    own = replace(ship(pilot), last_target=FOE.name)
    here = engagement(own, FRIEND, FOE)
    assert used(here, own.name, card, place=place, ship=WEDGE)[WEDGE].locks == (FOE.name,)


def test_kalani_lets_a_friend_lock_the_enemy_that_has_flown() -> None:
    own, foe = luke("kalani"), ship("academypilot", BO)
    now = reveals(played(own, FRIEND, foe), foe.name, "2FB")
    after = used(now, LUKE, "upgrade:kalani", ship=WEDGE)
    assert (after[WEDGE].locks, after[WEDGE].tokens) == ((foe.name,), {"stress": 1})


# A card that waits for a token on it


def test_a_token_that_a_missed_attack_puts_on_a_card_is_there_before_the_next_one() -> None:
    card = "upgrade:automatedtargetpriority"
    before, missed = (
        next(row.place for row in rows_of(card) if row.at == at) for at in ("before engaging", "in an attack: after")
    )
    here = used(engagement(luke("automatedtargetpriority"), replace(FOE, engaged=True)), LUKE, card, place=missed)
    after = used(here, LUKE, card, place=before)
    assert (after[LUKE].tokens, after[LUKE].on_cards) == ({"calculate": 1}, {})


# Zam Wesell


@pytest.mark.parametrize("own", [ship("zamwesell"), luke("zamwesell")], ids=["pilot", "crew"])
def test_zam_s_secret_conditions_spend_and_recover_the_charges_of_her_own_card(own: Ship) -> None:
    card = "pilot:zamwesell" if own.pilot == "zamwesell" else "upgrade:zamwesell"
    thanked = used(engagement(own, replace(FOE, last_target=own.name)), own.name, card, place=3)

    def charges(item: Ship) -> int:
        return item.charge_left if card.startswith("pilot") else item.upgrade_charges[0]

    assert (charges(thanked[own.name]) - charges(own), thanked[own.name].locks) == (1, (FOE.name,))
    ending = in_phase(Phase.END, own, FOE)
    assert charges(used(ending, own.name, card, place=6)[own.name]) - charges(own) == 2


# Cards that were not there: what acts after an attack, at a drop, and always


AFTER_ATTACKS = {
    "pilot:066": "act any",
    "pilot:airencracken": "it act any red",
    "pilot:berwerkret": "each act calculate red",
    "pilot:hansolo-battleofyavin": "act coordinate",
    "pilot:lieutenanthebsly-battleoverendor": "act boost red stressed",
    "pilot:riodurant-wat1": "remind: rotate its arc",
    "pilot:sigma5-battleofyavin": "act evade",
    "pilot:turrphennir": "act barrel roll or boost stressed",
    "pilot:valenrudor": "act any",
    "pilot:whisper-ssl": "act cloak",
    "upgrade:spectreofnayr-title": "recover 1 energy",
}


@pytest.mark.parametrize("card", AFTER_ATTACKS)
def test_what_a_ship_may_do_after_an_attack_is_offered(card: str) -> None:
    (row,) = rows_of(card)
    assert (row.at, row.do, row.is_line) == ("in an attack: after", (AFTER_ATTACKS[card],), True)


def test_a_ship_cloaks_after_its_attack_for_a_charge() -> None:
    own = ship("whisper-ssl")
    after = used(engagement(own, FOE), own.name, "pilot:whisper-ssl")[own.name]
    assert (after.tokens, after.charge_left) == ({"cloak": 1}, own.charge - 1)


# Every id is a card


def test_every_row_is_of_a_card_of_one_of_the_sets() -> None:
    sets = [json.loads((SHIPPED / f"{pool}.json").read_text(encoding="utf-8")) for pool in ("xwa", "legacy")]
    known = {f"{kind}:{id_}" for held in sets for kind in ("pilot", "upgrade") for id_ in held[f"{kind}s"]}
    sides = json.loads((SHIPPED / "sides.json").read_text(encoding="utf-8"))["cards"]
    rows = [*cards(), *setups(), *(f"upgrade:{id_}" for id_ in sides)]
    assert {card for card in rows if card.startswith(("pilot:", "upgrade:"))} <= known


def test_a_card_of_both_sets_with_rows_has_one_in_each() -> None:
    sets = {pool: json.loads((SHIPPED / f"{pool}.json").read_text(encoding="utf-8")) for pool in ("xwa", "legacy")}
    alone = {
        (card, pool)
        for card in cards()
        for pool, held in sets.items()
        for kind in ("pilot", "upgrade")
        if card.startswith(f"{kind}:") and card.partition(":")[2] in held[f"{kind}s"]
        if not any(row.pool in ("", pool) for row in rows_of(card))
    }
    assert alone == {("upgrade:outrider", "xwa"), ("pilot:transgalmegcontrollink", "legacy")}, "its ring says it there"
    assert list(own_rows(luke("chewbacca-battleofyavin")))


# A lock more than a ship can have


def lock_by_button(table: dict[str, Any], name: str) -> dict[str, Any]:
    filled = {"target": FOE.name}
    return changed(table, controls.choose(table, name, Choice("lock", filled=filled), never).changes)


def lock_by_command(table: dict[str, Any], name: str) -> dict[str, Any]:
    fleet = {key: item for key, item in table.items() if isinstance(item, Ship)}
    return changed(table, lock(fleet, name, FOE.name))


def lock_by_boxes(table: dict[str, Any], name: str) -> dict[str, Any]:
    filled = {f"of-{planning.mark(name)}": f"lock-{planning.mark(FOE.name)}"}
    return changed(table, controls.choose(table, name, Choice("prepare", filled=filled), never).changes)


def lock_by_reveal(table: dict[str, Any], name: str) -> dict[str, Any]:
    course = moments.Course({**table, MATCH: replace(table[MATCH], active=name)}, never)
    planning.take_action(course, name, "lock", FOE.name)
    return dict(course.table)


def lock_by_card(table: dict[str, Any], name: str) -> dict[str, Any]:
    run = verbs.Run(table, name, rows_of("pilot:redline")[0].card, never, (FOE.name,))
    verbs.read_deed("lock it").apply(run)
    return dict(run.table)


def lock_in_an_attack(table: dict[str, Any], name: str) -> dict[str, Any]:
    due = costs.PendingChange(name, costs.LockOn(FOE.name), 1)
    return {**table, name: card_effects.apply_change(table[name], due)}


@pytest.mark.parametrize(
    "door", [lock_by_button, lock_by_command, lock_by_boxes, lock_by_reveal, lock_by_card, lock_in_an_attack]
)
def test_whatever_gives_a_lock_too_many_its_owner_says_which_of_the_former_leaves(
    door: Callable[[dict[str, Any], str], dict[str, Any]],
) -> None:
    red = replace(ship("redline"), locks=(FOES[0].name, FOES[1].name), flight=Flight(maneuver="2FB"))
    now = door(in_phase(Phase.ACTIVATION, red, *FOES, FOE), red.name)
    assert now[red.name].locks == (*red.locks, FOE.name)
    asked = {
        english(item.label): item
        for item in moments.start_offers(now)
        if item.key.startswith("extra-lock") and item.player == ANA
    }
    assert set(asked) == {f"{red.name}: remove its lock on {item.name}" for item in FOES}, "never the new one"
    for leaves, stays in (FOES, FOES[::-1]):
        key = asked[f"{red.name}: remove its lock on {leaves.name}"].key
        after = changed(now, controls.choose(now, MATCH, Choice(key), never).changes)
        assert after[red.name].locks == (stays.name, FOE.name)
        assert not any(item.key.startswith("extra-lock") for item in moments.start_offers(after))
        with pytest.raises(PlayerError, match="settled already"):
            controls.choose(after, MATCH, Choice(key), never)


def test_a_ship_with_one_lock_is_asked_nothing() -> None:
    one = replace(ship("lukeskywalker"), locks=(FOES[0].name,))
    here = in_phase(Phase.ACTIVATION, one, *FOES, FOE)
    now = lock_by_command(here, one.name)
    assert now[one.name].locks == (FOE.name,)
    assert not [item for item in moments.start_offers(now) if item.key.startswith("extra-lock")]


# By itself only where it speaks, and after every action


def test_a_docked_ship_loses_no_charge_to_its_rigged_energy_cells() -> None:
    host = ship("academypilot")
    for docked, left in (("", 2), (host.name, 3)):
        drone = replace(ship("autopilotdrone"), docked=docked)
        here = in_phase(Phase.PLANNING, drone, host, FOE)
        assert changed(here, moments.next_phase(here, never).changes)[drone.name].charge_left == left


@pytest.mark.parametrize("label", ["It did: another action", "Evade"])
def test_a_wounded_pilot_rolls_after_every_action(label: str) -> None:
    own = hurt(luke(), "Wounded Pilot")
    now = flown(own, "2FB")
    (offer,) = [item for item in controls.offers(now, LUKE) if english(item.label) == label]
    after = changed(now, controls.choose(now, LUKE, Choice(offer.key), Falls("hit")).changes)
    assert after[LUKE].has("stress") == 1


def test_a_droid_crew_makes_a_focus_action_red() -> None:
    assert flown(luke("droidcrew"), "2FB", action="focus")[LUKE].tokens == {"focus": 1, "stress": 1}


# Texts of a second reader's draw


def test_a_reload_by_an_ordnance_team_brings_back_as_many_charges_as_energy_is_spent() -> None:
    big = replace(luke("ordnanceteam", "protontorpedoes"), energy=3, energy_left=3)
    spent = replace(big, upgrade_charges=tuple(0 for _ in big.upgrade_charges))
    row = rows_of("upgrade:ordnanceteam")[0]
    for many, left, back in ((1, 2, 1), (2, 1, 2), (3, 0, 2)):
        run = verbs.Run(engagement(spent, FOE), LUKE, row.card, never, number=many)
        for words in row.do:
            verbs.read_deed(words).apply(run)
        assert (run.own.energy_left, sum(run.own.upgrade_charges)) == (left, back)


def test_genesis_red_has_what_the_ship_has_that_it_locks() -> None:
    red, foe = (
        replace(ship("genesisred"), tokens={"focus": 1, "evade": 1}),
        replace(FOE, tokens={"focus": 2, "stress": 1}),
    )
    after = used(engagement(replace(red, locks=(foe.name,)), foe), red.name, "pilot:genesisred")
    assert after[red.name].tokens == {"focus": 2}


def test_who_takes_a_token_is_offered_only_ships_that_have_it() -> None:
    pirate = ship("kaatoleeachos")
    friends = [replace(ship("wedgeantilles"), tokens={token: 1}) for token in ("calculate", "evade")]
    friends[0] = replace(friends[0], name=Name("Other"))
    table = engagement(pirate, *friends, FOE)
    (line,) = [item for item in moments.open_lines(table, pirate.name) if item.row.card == "pilot:kaatoleeachos"]
    assert [item.name for item in moments.candidates(line, table_ships(table))] == [friends[1].name]


def table_ships(table: Table) -> dict[str, Ship]:
    return {name: item for name, item in table.items() if isinstance(item, Ship)}
