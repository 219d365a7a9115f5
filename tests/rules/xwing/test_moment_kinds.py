"""Laws of the rows outside attacks, each over the whole file: every deed works, every event is the right ship's."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bot.rules.errors import BadInputError, PlayerError
from bot.rules.game import ButtonRank
from bot.rules.pieces import BoardContext
from bot.rules.text import Name, english
from bot.rules.xwing.cards.card_sets import SHIPPED
from bot.rules.xwing.cards.cards import Charges
from bot.rules.xwing.dice import costs
from bot.rules.xwing.dice.faces import Face
from bot.rules.xwing.table import controls, dials, flying, match as matches, moment_rows, moments, planning, verbs
from bot.rules.xwing.table.card_facts import FactContext, SideIsUp, bar_of, read_condition
from bot.rules.xwing.table.match import MATCH, Match, Phase, PlacedDevice, ships_of
from bot.rules.xwing.table.moment_rows import UNSAID, MomentRow, cards, rows_of
from bot.rules.xwing.table.ship import (
    Flight,
    Ship,
    apply_piece_changes,
    can_be_locked,
    damage_ship,
    end_of_round,
    extra_locks,
    flip,
    give,
    lock,
    setups,
)
from tests.rows import for_each_row
from tests.rules.xwing.play import Falls
from tests.rules.xwing.test_dials import ANA, BO, never, reveals, ship
from tests.rules.xwing.test_flying import played
from tests.rules.xwing.test_moments import FOE, LINES, REMINDED, engagement, pressed

ROWS = [row for card in cards() for row in rows_of(card)]


# Every deed works


def parts(row: MomentRow) -> Iterator[verbs.Deed]:
    """All deeds of a row, with those inside others."""
    for words in row.do:
        yield from verbs.read_deed(words).parts


def test_every_roll_names_faces_and_says_what_follows() -> None:
    known = {face.value for face in Face} | {"any", "else", "none"}
    rolls = [deed.verb for row in ROWS for deed in parts(row) if isinstance(deed.verb, verbs.Roll)]
    assert len(rolls) == 22
    for item in rolls:
        for faces, _ in item.parsed():
            assert faces <= known, item


def test_every_deed_of_every_card_can_be_done() -> None:
    for card in cards():
        do_all(card)


def do_all(card: str) -> None:
    own = replace(ship("lukeskywalker"), faceup=("Hull Breach",) if card.startswith("damage") else ())
    foes = [FOE, replace(FOE, name=Name("Another"))]
    table: dict[str, Any] = {item.name: item for item in (own, *foes)}
    table[MATCH] = Match(first=ANA, second=BO, phase=Phase.ENGAGEMENT)
    for row in rows_of(card):
        named = [foe.name for foe in foes[: 1 + any("exchange" in words for words in row.do)]]
        named += [own.name] if "each lock the enemy" in row.do else []
        run = verbs.Run(table, own.name, row.card, Falls("blank hit crit focus hit crit focus"), named)
        for words in row.do:
            deed = verbs.read_deed(words)
            for item in deed.ships(run):
                deed.verb.choices(item, row.card)
                deed.verb.can(item, row.card)
            assert english(deed.apply(run)) is not None


def test_a_heroic_sacrifice_hurts_the_large_ships_named_past_their_shields_and_its_own_ship_is_lost() -> None:
    hero, large = ship("lukeskywalker", ANA, "heroicsacrifice-talent"), ship("hansolo-modifiedyt1300lightfreighter", BO)
    now = reveals(played(hero, large, FOE), hero.name, "2FB")
    (line,) = [item for item in moments.lines(now, now[hero.name]) if item.row.card == "upgrade:heroicsacrifice-talent"]
    (field,) = moments.form(line, {item.name: item for item in (now[hero.name], large, FOE)})
    assert [option.value for option in field.options] == [large.name], "small ships suffer nothing"
    for named, cards_dealt in ((large.name, 2), ("", 0)):
        after = pressed(now, hero.name, "Heroic Sacrifice", "hit crit focus blank blank", ships=named)
        assert hero.name not in after, "destroyed, and off the mat"
        assert (after[large.name].cards, after[large.name].shields_left) == (cards_dealt, large.shields)


@pytest.mark.parametrize(
    ("falls", "tokens"),
    [("focus evade", {"focus": 1, "evade": 1}), ("evade evade", {"evade": 2}), ("focus blank", {"focus": 1})],
)
def test_lando_gains_what_his_dice_show(falls: str, tokens: dict[str, int]) -> None:
    now = reveals(played(ship("lukeskywalker", ANA, "landocalrissian")), "Luke Skywalker", "2FB")
    assert pressed(now, "Luke Skywalker", "Lando Calrissian", falls)["Luke Skywalker"].tokens == tokens


def test_a_deed_says_each_die_that_fell_and_each_token_that_is_gained() -> None:
    foe = give(give(FOE, "focus", 1), "evade", 2)
    luke = replace(ship("lukeskywalker", ANA, "landocalrissian"), locks=(foe.name,))
    (row,) = rows_of("upgrade:landocalrissian")
    for words, said in (
        (row.do[0], "focus, evade: 1 focus token, 1 evade token"),
        ("gain the focus and evade of the locked ship", "1 focus token and 2 evade tokens"),
    ):
        run = verbs.Run(engagement(luke, foe), luke.name, row.card, Falls("focus evade"))
        assert english(verbs.read_deed(words).apply(run)) == said


def test_the_opponent_chooses_where_lando_rolls_two_blanks() -> None:
    now = reveals(played(ship("lukeskywalker", ANA, "landocalrissian"), FOE), "Luke Skywalker", "2FB")
    asked = pressed(now, "Luke Skywalker", "Lando Calrissian", "blank blank")
    assert asked["Luke Skywalker"].tokens == {}
    offers = [offer for offer in controls.table_offers(asked) if offer.key.startswith("owed-")]
    assert [english(offer.label) for offer in offers] == [
        "Luke Skywalker: gain 1 focus",
        "Luke Skywalker: gain 1 evade",
    ]
    assert {offer.player for offer in offers} == {BO}


# Whose event


FRIENDLY = [row for row in ROWS if row.of in ("friendly", "another friendly", "any")]
NOT_ITSELF = {
    "chassis:commsshuttle at 1",  # the ship that carries it
    *("chassis:resupplycraft at 1", "pilot:yoda at 1", "upgrade:yoda at 1", "upgrade:yoda at 2"),  # another ship
    *("pilot:fennrau-fangfighter at 1", "pilot:lieutenantrivas at 1", "pilot:overseeryushyn at 1"),  # at range 1
    *("pilot:zoriibliss at 1", "pilot:zoriibliss-wartime at 1"),
    *("pilot:hound at 1", "pilot:pettyofficerthanisson at 1", "pilot:pettyofficerthanisson-evacuationofdqar at 1"),
    "upgrade:savageopress at 1",  # in an arc of its own
    "upgrade:trident at 2",  # its own overlap is another row's
    "upgrade:feedbackping at 3",  # it locks no ship that it is
    *("upgrade:relaysystem-sensor at 1", "upgrade:relaysystem-tiephphantom at 1"),  # it has that lock already
}
"""Rows about friends, or about anybody, that never are about the ship with the card."""


def test_a_friendly_ship_is_the_ship_itself_unless_its_card_says_otherwise() -> None:
    assert len(FRIENDLY) == 50
    assert {row.of for row in ROWS} == {"self", "friendly", "another friendly", "enemy", "any"}
    holder = ship("lukeskywalker")
    for row in FRIENDLY:
        assert moments.is_about(row, holder, holder, (row.what,)) is (row.key not in NOT_ITSELF), row.key
        friend = ship("wedgeantilles")
        assert moments.is_about(row, holder, friend, (row.what,)), row.key
        assert moments.is_about(row, holder, FOE, (row.what,)) is (row.of == "any"), row.key


def test_kanan_jarrus_helps_his_own_ship() -> None:
    hera = replace(ship("lukeskywalker", ANA, "kananjarrus"), tokens={"stress": 1})
    white = next(each.code for each in dials.dial_of(hera) if each.difficulty == "W")
    now = reveals(played(hera, ship("wedgeantilles")), hera.name, white)
    assert pressed(now, hera.name, "Kanan Jarrus")[hera.name].tokens == {}


# No maneuver was executed


@pytest.mark.parametrize("card", ["grapplingstruts", "landingstruts"])
def test_struts_stay_open_if_no_maneuver_was_executed(card: str) -> None:
    pilot = {"grapplingstruts": "dfs081", "landingstruts": "dbs32c"}[card]
    item = ship(pilot, ANA, card)
    opened = flip(item, 0)
    now = reveals(played(opened), item.name, "3FB")
    assert now[item.name].sides[0].title.endswith("(Closed)")
    skipped = pressed(now, item.name, f"{card.removesuffix('struts').title()} Struts: execute no maneuver")
    assert skipped[item.name].sides[0].title.endswith("(Open)")


# An action on its action bar


BAR = re.compile(r"\b(?:action )?bar\b")
ON_BAR = {
    "done": (
        *("pilot:antocmerrick-wat1", "pilot:ig88a", "pilot:nodinchavdri", "upgrade:advancedslam", "upgrade:enduring"),
        *("upgrade:grandinquisitor", "upgrade:leebo-rsl", "upgrade:leebo-swz103"),
        *(
            "upgrade:primeministeralmec",
            "upgrade:ta175",
            "upgrade:precognitivereflexes",
            "upgrade:supernaturalreflexes",
        ),
        *("pilot:lieutenantsai", "pilot:zoriibliss", "pilot:zoriibliss-wartime"),
    ),
    "claimed": (  # the other ship's action, or the one just taken: people know it
        *("pilot:berwerkret", "upgrade:squadleader"),
        *("pilot:echo-pnp", "pilot:echo-pnp-lsl", "pilot:echo-ssl", "pilot:hondoohnaka", "pilot:lieutenantgalek"),
    ),
}
"""The cards whose text asks what is on an action bar."""


def test_every_card_that_speaks_of_an_action_bar_is_known() -> None:
    raw = json.loads((SHIPPED / "rows" / "moments.json").read_text(encoding="utf-8"))
    found = {card for card, rows in raw.items() if card != "about" and BAR.search(json.dumps(rows))}
    assert found == {*ON_BAR["done"], *ON_BAR["claimed"]}


def test_every_ship_of_the_sets_has_a_bar() -> None:
    lacks = set()
    for pool in ("xwa", "legacy"):
        held = json.loads((SHIPPED / f"{pool}.json").read_text(encoding="utf-8"))
        bars = json.loads((SHIPPED / "action_bars.json").read_text(encoding="utf-8"))
        lacks |= set(held["ships"]) - set(bars["ships"])
        assert set(bars["pilots"]) <= {*held["pilots"], *bars["pilots"]}
    assert not lacks
    assert "calculate" not in bar_of(ship("lukeskywalker"))
    assert bar_of(ship("dfs081"))[0] == "calculate"


@pytest.mark.parametrize("card", ON_BAR["done"])
def test_an_action_on_its_bar_is_offered_only_from_the_bar(card: str) -> None:
    luke = ship("lukeskywalker")
    for row in rows_of(card):
        for deed in parts(row):
            if isinstance(deed.verb, verbs.Action) and deed.verb.is_on_bar:
                assert set(deed.verb.granted_actions(luke)) <= set(bar_of(luke)), row.key


# What leaves a ship few actions


def test_the_cards_that_leave_a_ship_few_actions() -> None:
    limits = [row for row in ROWS if any("forbid actions" in words for words in row.do)]
    assert [(row.card, row.only) for row in limits] == [("damage:Damaged Sensor Array", ("focus",))]


def test_a_damaged_sensor_array_leaves_focus_alone() -> None:
    luke = replace(ship("lukeskywalker"), facedown=(), faceup=("Damaged Sensor Array",))
    assert verbs.Action("any").granted_actions(luke) == ("focus",)
    assert not verbs.Action("evade").can(luke, rows_of("damage:Damaged Sensor Array")[0].card)
    now = reveals(played(luke), luke.name, "2FB", action="evade")
    assert now[luke.name].tokens == {}, "the evade is not taken"
    focused = reveals(played(luke), luke.name, "2FB", action="focus")
    assert focused[luke.name].tokens == {"focus": 1}
    late = {english(item.label) for item in controls.offers(now, luke.name) if item.rank is ButtonRank.ASIDE}
    assert {"Evade", "Lock"} <= late
    assert "Focus" not in late


# Reminders


def test_every_reminder_has_a_moment_at_which_the_table_says_it() -> None:
    for row in ROWS:
        if row.remind:
            is_said = row.at in REMINDED and row.what not in UNSAID
            assert is_said is not row.is_line, row.key
            assert row.at in (*REMINDED, *LINES), row.key


# Numbers, and choices for each ship


def test_a_number_is_chosen_from_those_of_the_card() -> None:
    assert {row.key: (row.numbers[0], row.numbers[-1]) for row in ROWS if row.numbers} == {
        "pilot:landocalrissian-battleoverendor at 1": (1, 6),
        "pilot:landocalrissian-battleoverendor-lsl at 1": (1, 6),
        "upgrade:ga97 at 1": (3, 5),
        "upgrade:targetassistmgk300 at 1": (0, 2),
        "upgrade:nautolansrevenge at 1": (1, 2),
        **dict.fromkeys(
            ("upgrade:boostedscanners at 1", "upgrade:ordnanceteam at 1", "upgrade:trackingtorpedoes at 1"), (1, 3)
        ),
        **dict.fromkeys(("upgrade:damagecontrolteam at 1", "upgrade:damagecontrolteam at 2"), (1, 9)),
        "upgrade:commsteam at 1": (1, 2),
        "upgrade:bazemalbus at 1": (0, 2),
    }


def in_flight(item: Ship) -> dict[str, Any]:
    """The table after a ship has executed a white maneuver."""
    return in_phase(Phase.ACTIVATION, replace(item, flight=Flight(dial="2FW", maneuver="2FW")), FOE, active=item.name)


def test_no_number_is_offered_or_taken_that_its_ship_cannot_pay() -> None:
    for row in (row for row in ROWS if row.numbers and any(words.startswith("lose 1") for words in row.do)):
        for has in range(1, row.numbers[-1] + 1):
            own = replace(ship("lukeskywalker", ANA, row.card.id), energy=3, energy_left=has)
            own = replace(own, upgrade_charges=tuple(has for _ in own.upgrade_charges), tokens={"calculate": has})
            payable = tuple(number for number in row.numbers if number <= has)
            assert moments.Line(row=row, ship=own).numbers == payable, (row.key, has)
    team = replace(ship("lukeskywalker", ANA, "ordnanceteam", "protontorpedoes"), energy=3, energy_left=1)
    here = in_flight(replace(team, upgrade_charges=(0, 0)))
    assert used(here, "upgrade:ordnanceteam", 1, number="1")[team.name].upgrade_charges == (0, 1)
    with pytest.raises(BadInputError):
        used(here, "upgrade:ordnanceteam", 1, number="2")


def test_charges_for_energy_are_divided_among_the_upgrades_that_are_chosen() -> None:
    team = ship("lukeskywalker", ANA, "ordnanceteam", "protontorpedoes", "concussionmissiles")
    team = replace(team, energy=3, energy_left=3, upgrade_charges=(0, 0, 0))
    here = in_flight(team)
    both = "Proton Torpedoes, Concussion Missiles"
    for which, charges in ((both, (0, 2, 1)), ("Concussion Missiles", (0, 0, 3)), ("", (0, 2, 1))):
        assert used(here, "upgrade:ordnanceteam", 1, number="3", which=which)[team.name].upgrade_charges == charges


def test_a_charge_that_its_card_says_cannot_be_recovered_comes_back_from_no_card() -> None:
    spent = {card for card, item in setups().items() if item.spent}
    assert len(spent) == 17
    for card in spent:
        own = ship("lukeskywalker", ANA, card.removeprefix("upgrade:"), "protontorpedoes")
        for words in ("recover 1 charge of an upgrade", "recover 1 charge of the ship and each upgrade"):
            verb = verbs.read_deed(words).verb
            assert isinstance(verb, verbs.RecoverOther)
            empty = replace(own, upgrade_charges=(0, 0))
            assert [*verb.lacking(empty, costs.NO_CARD)] == ["Proton Torpedoes"], card


def test_lando_activates_at_the_initiative_of_his_choice() -> None:
    lando = ship("landocalrissian-battleoverendor")
    here = {**engagement(lando, FOE)}
    here[MATCH] = replace(here[MATCH], phase=Phase.ACTIVATION)
    after = pressed(here, MATCH, "Lando Calrissian", number="1")
    assert (after[lando.name].turn, after[lando.name].charge_left) == (1, lando.charge - 1)
    with pytest.raises(BadInputError):
        pressed(here, MATCH, "Lando Calrissian", number="7")


def test_ga97_spends_as_many_charges_as_are_chosen_on_another_ship() -> None:
    luke, wedge = ship("lukeskywalker", ANA, "ga97"), ship("wedgeantilles")
    here = {**engagement(luke, wedge, FOE)}
    here[MATCH] = replace(here[MATCH], phase=Phase.PLANNING, round=1)
    after = pressed(here, MATCH, "GA-97", number="4")
    assert after[luke.name].upgrade_charges == (luke.upgrade_charges[0] - 4,)
    assert (after[wedge.name].conditions, after[luke.name].conditions) == (("itstheresistance",), ())


def test_hyperspace_tracking_data_asks_for_each_ship() -> None:
    row = rows_of("upgrade:hyperspacetrackingdata")[1]
    luke, wedge = ship("lukeskywalker", ANA, "hyperspacetrackingdata"), ship("wedgeantilles")
    run = verbs.Run(engagement(luke, wedge, FOE), luke.name, row.card, Falls(), (luke.name, wedge.name))
    verbs.read_deed(row.do[0]).apply(run)
    asked = controls.table_offers(run.table)
    assert sorted(english(item.label) for item in asked if item.key.startswith("owed-")) == [
        f"{item}: gain 1 {kind}" for item in ("Luke Skywalker", "Wedge Antilles") for kind in ("evade", "focus")
    ]


def test_delayed_fuses_lie_on_the_device_that_was_placed_last() -> None:
    luke = ship("lukeskywalker")
    table = engagement(luke)
    bombs = [PlacedDevice("protonbombs", Name("Proton Bombs"), luke.name, ANA, fuse) for fuse in (1, 0)]
    table[MATCH] = replace(table[MATCH], mat=tuple(bombs))
    run = verbs.Run(table, luke.name, rows_of("upgrade:delayedfuses")[0].card, Falls())
    verbs.read_deed(rows_of("upgrade:delayedfuses")[0].do[0]).apply(run)
    assert [item.fuse for item in run.table[MATCH].mat] == [1, 1]


@pytest.mark.parametrize("many", [1, 2])
def test_a_tractor_array_asks_for_one_token_or_two(many: int) -> None:
    tug = ship("unkarplutt")
    now = reveals(played(tug, FOE), tug.name, "1FB")
    done = pressed(now, tug.name, "Spacetug Tractor Array", which=f"gain {many} tractor")
    assert done[FOE.name].tokens == {"tractor": many}


def test_whirlwind_removes_jam_tokens_and_gains_focus() -> None:
    row = rows_of("pilot:whirlwind")[0]
    here = replace(ship("whirlwind"), tokens={"jam": 2})
    run = verbs.Run(engagement(here, FOE), here.name, row.card, Falls(), number=2)
    for words in row.do:
        verbs.read_deed(words).apply(run)
    assert run.own.tokens == {"focus": 2}


def test_an_oppressor_calculates_after_a_sideslip_and_no_other_maneuver() -> None:
    sick = replace(give(ship("onderonoppressor"), "stress", 1), conditions=("sickeningmaneuver",))
    for code, flown, calculate in (("2BW", "2bW", 1), ("2TW", "2tW", 1), ("2FW", "2KR", 0)):
        now = reveals(played(sick), sick.name, code)[sick.name]
        assert (now.flight.maneuver, now.has("calculate")) == (flown, calculate)


# Actions: after them no other one, one not on the bar, the one of another ship, and those of a stressed ship


def test_the_cards_that_leave_no_other_action() -> None:
    assert {row.key for row in ROWS if "act no more" in row.do} == {
        "upgrade:advancedsensors at 1",
        "upgrade:composure at 1",
        "upgrade:precognitivereflexes at 1",
    }
    now = reveals(played(ship("lukeskywalker", ANA, "advancedsensors")), "Luke Skywalker", "2FB")
    assert not planning.is_barred(now[MATCH], now["Luke Skywalker"], "focus")
    acted = pressed(now, "Luke Skywalker", "Advanced Sensors", which="focus")
    luke = acted["Luke Skywalker"]
    assert luke.tokens == {"focus": 1}
    assert planning.is_barred(acted[MATCH], luke, "evade")
    assert not verbs.Action("any").can(luke, rows_of("upgrade:advancedsensors")[0].card)


OFF_BAR = [row for row in ROWS if any(isinstance(deed.verb, verbs.IfNotOnBar) for deed in parts(row))]


def test_an_action_that_is_not_on_the_bar_has_its_price() -> None:
    assert {row.card.id for row in OFF_BAR} == {"precognitivereflexes", "supernaturalreflexes"}
    luke = ship("lukeskywalker", ANA, "precognitivereflexes")  # an X-wing has a barrel roll, and no boost
    for action, strain in (("barrel roll", 0), ("boost", 1), ("", 0)):  # the first one unless another is named
        run = verbs.Run(engagement(luke), luke.name, OFF_BAR[0].card, Falls(), which=action)
        for words in OFF_BAR[0].do:
            verbs.read_deed(words).apply(run)
        assert run.own.has("strain") == strain


def test_true_grit_removes_another_token_than_the_strain_that_pays_for_it() -> None:
    (row,) = rows_of("upgrade:truegrit-talent")
    for kind in ("deplete", "ion", "stress"):
        luke = give(ship("lukeskywalker", ANA, "truegrit-talent"), kind, 1)
        run = verbs.Run(engagement(luke), luke.name, row.card, Falls())
        verbs.pay(run, row.cost)
        for words in row.do:
            verbs.read_deed(words).apply(run)
        assert run.own.tokens == {"strain": 1}


def test_the_action_of_another_ship_is_chosen() -> None:
    same = {row.card.id: row for row in ROWS if any("act the same" in words for words in row.do)}
    assert {*same} == {
        *("echo-pnp", "echo-pnp-lsl", "echo-ssl", "lieutenantsai", "zoriibliss", "zoriibliss-wartime"),
    }
    echo, zorii = ship("echo-ssl"), ship("zoriibliss")
    (white,), (red,) = map(parts, (same["echo-ssl"], same["zoriibliss"]))
    assert "focus" in white.verb.choices(echo, same["echo-ssl"].card)
    assert set(red.verb.choices(zorii, same["zoriibliss"].card)) == set(bar_of(zorii))
    run = verbs.Run(engagement(zorii), zorii.name, same["zoriibliss"].card, Falls(), which="focus")
    red.apply(run)
    assert run.own.tokens == {"focus": 1, "stress": 1}


MAY_ACT = {row.key: row.may_act for row in ROWS if row.may_act and row.at == "standing"}


def test_a_stressed_ship_acts_as_its_cards_allow() -> None:
    assert MAY_ACT == {
        "pilot:magnatolvan at 2": ("any",),
        "pilot:tychocelchu at 1": ("any",),
        "upgrade:chopper-crew at 2": ("any",),
        "upgrade:coaxiumhyperfuel at 3": ("slam",),
        "upgrade:heroicsacrifice-talent at 2": ("slam",),
        "upgrade:larmadacy at 1": ("reinforce", "coordinate", "jam"),
        "upgrade:persistenttracker-talent at 2": ("any",),
        "upgrade:primedthrusters at 1": ("barrel roll", "boost"),
        "upgrade:proudtradition at 2": ("focus",),
        "upgrade:r0gr-tech at 2": ("coordinate", "jam"),
        "upgrade:r1j5 at 1": ("of damage cards",),
        "upgrade:reysmillenniumfalcon at 1": ("boost", "rotate arc"),
    }
    for stress, tokens in ((2, {"stress": 2, "focus": 1}), (3, {"stress": 3})):
        tycho = replace(ship("tychocelchu"), tokens={"stress": stress})
        white = next(each.code for each in dials.dial_of(tycho) if each.difficulty == "W")
        now = reveals(played(tycho), tycho.name, white, action="focus")
        assert now[tycho.name].tokens == tokens


# On whom it falls


OTHER_SIDE = [row for row in ROWS if row.of == "enemy" and row.on == "friendly"]


FRIEND = ship("wedgeantilles")
ACTIONS = [row for row in ROWS if row.at == "action"]


@for_each_row("row", ACTIONS, ids=lambda row: row.key)
def test_no_action_of_a_card_is_offered_to_a_ship_that_may_take_none(row: MomentRow) -> None:
    own = ship("lukeskywalker")
    free = moments.Line(row=row, ship=replace(own, flight=Flight(dial="2FW", maneuver="2FW")))
    assert moments.may_take(free)
    for stuck in ({"skips": "overlap"}, {"why": "ion"}, {"is_done_acting": True}):
        assert not moments.may_take(replace(free, ship=replace(own, flight=Flight(maneuver="2FW", **stuck))))
    assert not moments.may_take(replace(free, ship=give(own, "stress", 1)))
    patched = give(ship("lukeskywalker", ANA, "r1j5", "kazsfireball"), "stress", 1)
    ionized = replace(patched, flight=Flight(maneuver="1FB", why="ion"))
    assert moments.may_take(replace(free, ship=ionized)) is (row.card.kind == "damage"), "their actions are allowed"


@pytest.mark.parametrize(
    "key", ["advancedsensors at 1", "composure at 1", "precognitivereflexes at 1", "cloakingdevice at 2"]
)
def test_a_stressed_ship_is_not_offered_an_action_with_what_follows_it(key: str) -> None:
    own = ship("lukeskywalker", ANA, key.split()[0])
    assert f"upgrade:{key}" in keys_of(in_flight(own))
    assert f"upgrade:{key}" not in keys_of(in_flight(give(own, "stress", 1)))


def test_a_persistent_tracker_lets_its_stressed_ship_act_while_it_activates() -> None:
    own = give(ship("lukeskywalker", ANA, "persistenttracker-talent"), "stress", 1)
    empty, flight = replace(own, upgrade_charges=(0,)), Flight(dial="2FW", maneuver="2FW")
    assert moment_rows.may_act(replace(empty, flight=flight)) == ("any",)
    for item in (replace(own, flight=flight), empty, replace(empty, flight=replace(flight, is_over=True))):
        assert moment_rows.may_act(item) == (), "charged, or outside its activation"


def test_what_follows_an_attack_waits_for_one() -> None:
    special, friend = ship("lukeskywalker", ANA, "sabinewren-gunner", "protontorpedoes"), give(FRIEND, "stress", 1)
    fired = replace(special, last_weapon="Proton Torpedoes")
    key = "upgrade:sabinewren-gunner at 1"
    assert key in keys_of(in_phase(Phase.ENGAGEMENT, fired, friend))
    assert key not in keys_of(in_phase(Phase.SYSTEM, fired, friend))
    for item in (special, replace(special, last_weapon="Primary")):
        assert key not in keys_of(in_phase(Phase.ENGAGEMENT, item, friend)), "no special attack"


def test_nothing_is_paid_before_an_activation_while_dials_are_planned() -> None:
    own = ship("lukeskywalker", ANA, "r5x3")
    for phase, dials_, offered in (
        (Phase.PLANNING, "on", False),
        (Phase.PLANNING, "off", True),
        (Phase.SYSTEM, "on", True),
        (Phase.ACTIVATION, "on", True),
    ):
        now = in_phase(phase, own, FOE, dials=dials_)
        assert ("upgrade:r5x3 at 1" in keys_of(now)) is offered, (phase, dials_)


def test_the_attacker_is_the_last_ship_that_attacked() -> None:
    holder = ship("lukeskywalker", ANA, "wolfpack")
    early = replace(ship("soontirfel", BO), last_target=FRIEND.name, attacks=1)
    late = replace(ship("academypilot", BO), last_target=FRIEND.name, attacks=1)
    before = replace(ship("nightbeast", BO), last_target=FRIEND.name)
    fleet = [early, late, before]
    for ships, attacker in ((fleet, late), (fleet[:1], early), (fleet[2:], before)):
        now = in_phase(Phase.ENGAGEMENT, holder, FRIEND, *ships)
        assert used(now, "upgrade:wolfpack", ship=FRIEND.name)[FRIEND.name].locks == (attacker.name,)


def test_what_the_open_dial_offers_is_no_line_of_its_own() -> None:
    at_dial = [row for row in ROWS if row.at in flying.AFTER_REVEAL and flying.rows_of(row.card)]
    assert "upgrade:jedicommander at 2" in {row.key for row in at_dial}
    assert all(map(moments.is_elsewhere, at_dial))


def test_merciless_pursuit_is_assigned_to_two_ships_at_most() -> None:
    holder, key = ship("lukeskywalker", ANA, "thechild"), "upgrade:thechild"
    hunters = [FOE, ship("academypilot", BO), ship("nightbeast", BO)]
    before = in_phase(Phase.PLANNING, holder, *hunters)
    (mark,) = [
        moments.Line(row=row, ship=item).mark
        for item, row in matches.starts(before[MATCH], ships_of(before))
        if row.card == key
    ]
    for count, is_taken in ((2, True), (3, False)):
        named = ", ".join(item.name for item in hunters[:count])
        on = BoardContext(before, holder.name, {"ships": named}, never, ANA)
        if is_taken:
            changes = moments.use(on, mark).changes
            assert [name for name in changes if name in {foe.name for foe in hunters}] == [
                foe.name for foe in hunters[:2]
            ]
        else:
            with pytest.raises(BadInputError, match="at most 2"):
                moments.use(on, mark)


def test_mar_tuuks_wing_and_its_target_are_named_together() -> None:
    holder = ship("lukeskywalker", ANA, "martuuk")
    now = used(in_phase(Phase.END, holder, FRIEND, FOE), "upgrade:martuuk", 2, ships=f"{FRIEND.name}, {FOE.name}")
    assert now[FRIEND.name].locks == (FOE.name,)


def test_a_row_that_falls_on_the_other_side_than_its_event_asks_for_a_ship() -> None:
    assert [row.card.id for row in OTHER_SIDE] == ["kalani"]
    own, friend = ship("lukeskywalker", ANA, "kalani"), ship("wedgeantilles")
    now = reveals(played(own, friend, foe := ship("academypilot", BO)), foe.name, "2FB")
    after = pressed(now, own.name, "Kalani", ship=friend.name)
    assert (after[friend.name].tokens, after[foe.name].tokens) == ({"stress": 1}, now[foe.name].tokens)


def test_a_row_that_asks_which_ships_does_it_to_each_of_them() -> None:
    for row in ROWS:
        if row.ask.startswith("which ") and not row.remind:
            assert any(deed.subject is verbs.Subject.EACH for deed in parts(row)), row.key


ANOTHER = ("magnaguardprotector", "naboohandmaiden", "directorkrennic", "tarfful-wat1", "hunted", "liberated")


def test_a_condition_for_another_ship_is_not_assigned_to_the_ship_itself() -> None:
    assigned = {
        row.card.id: row for row in ROWS if row.on == "friendly" and any("it assign" in words for words in row.do)
    }
    assert {*assigned} == {*ANOTHER, "ga75-crew", "ga97"}
    for card in ANOTHER:
        line = moments.Line(row=assigned[card], ship=ship("lukeskywalker"))
        fleet: dict[str, Any] = {item.name: item for item in (line.ship, ship("wedgeantilles"))}
        if not line.row.pool or line.row.pool == line.ship.card.pool:
            assert [item.name for item in moments.candidates(line, fleet)] == ["Wedge Antilles"], card


# Charges of other cards


def test_a_charge_comes_back_on_the_cards_that_are_named() -> None:
    back = {row.key: deed.verb for row in ROWS for deed in parts(row) if isinstance(deed.verb, verbs.RecoverOther)}
    single = {key for key, verb in back.items() if verb.only == "non-recurring "}
    assert single == {
        *("upgrade:chopper at 1", "upgrade:chopper at 2", "upgrade:cutthroat at 1", "pilot:guildbountyhunter at 1"),
        *("pilot:wilsateshlo at 1", "pilot:wilsateshlo-wartime at 1"),
    }
    assert {verb.upgrade for verb in back.values()} == {
        *("an upgrade", "a talent", "an astromech", "an illicit upgrade", "a device", "a missile or torpedo"),
        *("a torpedo upgrade", "a missile upgrade"),
        *("the ship or an upgrade", "the ship and each upgrade", "the ship"),
    }
    assert {key for key, verb in back.items() if verb.only == "recurring "} == {
        *("upgrade:vengeful-battleofyavin at 1", "upgrade:vengeful-talent at 1")
    }
    held = ("cutthroat", "r2astromech", "elusive", "cloakingdevice", "grandmofftarkin", "sparepartscanisters")
    luke = ship("lukeskywalker", ANA, *held, "protonbombs", "protontorpedoes", "concussionmissiles")
    spent = replace(luke, upgrade_charges=tuple(0 for _ in luke.upgrade_charges), charge=1, charge_left=0)
    recurring = {item.name for item in luke.card.upgrades if item.charges.recover}
    for key, verb in back.items():
        row = next(row for row in ROWS if row.key == key)
        card = replace(luke.card, charges=Charges(1, int(verb.only == "recurring ")))
        names = set(verb.lacking(replace(luke if verb.is_price else spent, printed=card), row.card))
        slots = {item.slot for item in luke.card.upgrades if item.name in names}
        assert verb.only != "non-recurring " or not names & recurring, key
        words = verb.upgrade.removesuffix(" upgrade").split()
        assert words[-1] in ("an", "each") or slots <= {*words}, key
        assert (str(luke.name) in names) is verb.upgrade.startswith("the ship"), key
        assert names, key


# Cards of which the whole text is done


def used(table: dict[str, Any], card: str, place: int = 1, **filled: str) -> dict[str, Any]:
    """The table after a line of a card, whose ship is the first that has it."""
    (line,) = [item for item in lines_of(table) if item.row.key == f"{card} at {place}"]
    on = BoardContext(table, line.ship.name, filled, never, line.ship.owner)
    return apply_piece_changes(table, moments.use(on, line.mark).changes)


def lines_of(table: dict[str, Any]) -> list[moments.Line]:
    fleet = [item for item in table.values() if isinstance(item, Ship)]
    return list({item.mark: item for ship in fleet for item in moments.open_lines(table, ship.name)}.values())


def keys_of(table: dict[str, Any]) -> list[str]:
    return [item.row.key for item in lines_of(table)]


def in_phase(phase: Phase, *ships: Ship, **more: Any) -> dict[str, Any]:
    now = engagement(*ships)
    return {**now, MATCH: replace(now[MATCH], phase=phase, **more)}


def test_aurra_sing_moves_the_tokens_that_are_chosen_between_two_enemies() -> None:
    other = replace(ship("academypilot", BO), tokens={"ion": 1}, engaged=True)
    now = engagement(ship("aurrasing"), replace(FOE, engaged=True, tokens={"stress": 2, "focus": 1}), other)
    (line,) = [item for item in lines_of(now) if item.row.card == "pilot:aurrasing"]
    which = next(item for item in moments.form(line, ships_of(now)) if item.key == "which")
    chosen = ["Darth Vader: 1 stress", "Darth Vader: 2 stress", "Academy Pilot: 1 ion"]
    assert which.several
    assert sorted(option.value for option in which.options) == sorted(chosen), "no green token"
    assert english(which.options[0].label).startswith(("Darth Vader: 1 stress token", "Academy Pilot: 1 ion token"))
    both = f"{FOE.name}, {other.name}"
    after = used(now, "pilot:aurrasing", ships=both, which=", ".join(chosen[1:]))
    assert (after[FOE.name].tokens, after[other.name].tokens) == ({"focus": 1, "ion": 1}, {"stress": 2})
    assert after["Aurra Sing"].force_left == now["Aurra Sing"].force_left - 1
    with pytest.raises(PlayerError, match="exactly two"):
        used(now, "pilot:aurrasing", ships=FOE.name, which=chosen[0])


def test_secret_provisions_score_two_points_for_its_player() -> None:
    now = in_phase(Phase.END, ship("lukeskywalker", ANA, "secretprovisions-modification"), FOE)
    (earned,) = used(now, "upgrade:secretprovisions-modification")[MATCH].score.earned
    assert (earned.player, earned.points, str(earned.reason)) == (ANA, 2, "Secret Provisions")


def test_azmorigan_equips_an_illicit_upgrade_of_a_friend_that_was_destroyed() -> None:
    crew = ship("lukeskywalker", ANA, "azmorigan-crew")
    lost = replace(ship("bobafett", ANA, "riggedcargochute"), wrecked=True, upgrade_charges=(0,))
    now = in_phase(Phase.ENGAGEMENT, crew, lost, FOE, events=(lost.name,))
    after = used(now, "upgrade:azmorigan-crew")[crew.name]
    assert after.upgrades == ("azmorigan-crew", "riggedcargochute")
    assert after.upgrade_charges[1] == after.card.upgrades[1].charges.capacity > 0
    assert "upgrade:azmorigan-crew at 1" not in keys_of(
        now | {lost.name: replace(lost, upgrades=(), upgrade_charges=())}
    )


def test_tapusk_lets_one_charge_or_force_of_an_enemy_not_come_back() -> None:
    now = in_phase(Phase.END, ship("tapusk"), replace(FOE, force_left=1))
    after = used(now, "pilot:tapusk")
    assert end_of_round(now[FOE.name]).force_left == 2
    assert end_of_round(after[FOE.name]).force_left == 1
    assert end_of_round(end_of_round(after[FOE.name])).force_left == 2, "in this End Phase only"
    assert "pilot:tapusk at 1" not in keys_of(now | {FOE.name: FOE}), "with all its force it recovers none"


def test_choppers_shield_costs_a_charge_of_another_card() -> None:
    hurt = replace(ship("lukeskywalker", ANA, "chopper", "protontorpedoes"), shields_left=0)
    now = reveals(played(hurt), hurt.name, "2FB")
    after = used(now, "upgrade:chopper")[hurt.name]
    assert (after.shields_left, after.upgrade_charges) == (1, (0, 1))
    assert "upgrade:chopper at 1" not in keys_of(now | {hurt.name: replace(now[hurt.name], upgrade_charges=(0, 0))})
    assert "upgrade:chopper at 1" not in keys_of(now | {hurt.name: replace(now[hurt.name], shields_left=2)})


def test_durge_stays_if_enough_of_his_damage_cards_leave() -> None:
    durge = ship("durge-separatistalliance")
    titles = (*["Panicked Pilot"] * (durge.hull - 2), "Direct Hit!", "Damaged Engine")
    lost = damage_ship(durge, facedown=map(Name, titles[:-1]), faceup=map(Name, titles[-1:]))
    assert lost.destroyed
    after = used(in_phase(Phase.ENGAGEMENT, lost, FOE), "pilot:durge-separatistalliance")[durge.name]
    assert (after.facedown, after.faceup, after.destroyed, after.charge_left) == (("Damaged Engine",), (), False, 0)
    assert "pilot:durge-separatistalliance at 1" not in keys_of(in_phase(Phase.ENGAGEMENT, durge, FOE))


def test_locks_change_hands_and_a_wing_locks_the_enemy_that_is_named() -> None:
    lehuse, friend = ship("lieutenantlehuse-evacuationofdqar"), replace(ship("academypilot"), locks=(FOE.name,))
    after = used(engagement(lehuse, friend, FOE), "pilot:lieutenantlehuse-evacuationofdqar")
    assert (after[lehuse.name].locks, after[friend.name].locks) == ((FOE.name,), ())
    first = replace(ship("kelrodoaiholdout"), locks=(FOE.name,), tokens={"focus": 1, "calculate": 1}, wrecked=True)
    second = replace(ship("kelrodoaiholdout"), name=Name("Second"))
    after = used(in_phase(Phase.ENGAGEMENT, first, second, FOE, events=(first.name,)), "pilot:kelrodoaiholdout")
    assert (after["Second"].locks, after["Second"].tokens) == ((FOE.name,), {"focus": 1, "calculate": 1})
    assert (after[first.name].locks, after[first.name].tokens) == ((), {})
    tuuk = ship("generalgrievous", ANA, "martuuk")
    wing = [replace(ship("vulturedroid" if at else "academypilot"), name=Name(f"Wing {at}")) for at in (0, 0)]
    wing[1] = replace(wing[1], name=Name("Wing 1"))
    now = in_phase(Phase.END, tuuk, *wing, FOE)
    after = used(now, "upgrade:martuuk", 2, ships=f"Wing 0, Wing 1, {FOE.name}")
    assert [after[name].locks for name in ("Wing 0", "Wing 1", tuuk.name)] == [(FOE.name,), (FOE.name,), ()]


def test_holdo_and_her_friend_give_each_other_what_they_lack() -> None:
    holdo = replace(ship("lukeskywalker", ANA, "amilynholdo"), tokens={"focus": 1, "evade": 1})
    friend = replace(ship("wedgeantilles"), engaged=True, tokens={"focus": 1, "stress": 1})
    now = engagement(holdo, friend, replace(FOE, engaged=True))
    after = used(used(now, "upgrade:amilynholdo", which="evade"), "upgrade:amilynholdo", 2, which="stress")
    assert after[holdo.name].tokens == {"focus": 1, "stress": 1}
    assert after["Wedge Antilles"].tokens == {"focus": 1, "evade": 1}
    with pytest.raises(PlayerError, match="already"):
        used(now, "upgrade:amilynholdo", which="focus")


OF_LOST = ("vengeful-talent", "cutthroat", "disciplined", "hopeful")


@pytest.mark.parametrize("card", OF_LOST)
def test_the_loss_of_a_ship_that_is_not_limited_moves_only_ships_with_the_same_card(card: str) -> None:
    own = replace(ship("lukeskywalker", ANA, card), tokens={"strain": 1})
    for lost, is_offered in (
        (ship("wedgeantilles"), True),
        (ship("bluesquadronescort"), False),
        (ship("bluesquadronescort", ANA, card), card != "vengeful-talent"),
    ):
        gone = replace(lost, wrecked=True)
        now = in_phase(Phase.ENGAGEMENT, own, gone, FOE, events=(gone.name,))
        assert (f"upgrade:{card} at 1" in keys_of(now)) is is_offered, lost.upgrades


# Locks


def test_a_ship_has_as_many_locks_as_its_cards_allow() -> None:
    more = {card: item.locks for card, item in setups().items() if item.locks > 1}
    said = {str(row.card) for row in ROWS if any(words.startswith("set locks") for words in row.do)}
    assert more.keys() == said == {"pilot:redline", "upgrade:r3astromech", "upgrade:sensorexperts", "upgrade:ursawren"}
    foes = [replace(ship("academypilot", BO), name=Name(f"Foe {at}")) for at in range(4)]
    for held, most in (
        (ship("lukeskywalker"), 1),
        (ship("redline"), 2),
        (ship("lukeskywalker", ANA, "r3astromech"), 2),
    ):
        fleet: dict[str, Any] = {item.name: item for item in (held, *foes)}
        for foe in foes:
            fleet |= lock(fleet, held.name, foe.name)
        names = [foe.name for foe in foes]
        assert fleet[held.name].locks == tuple(names if most > 1 else names[-1:])
        assert extra_locks(fleet[held.name]) == tuple(names[:-1] if most > 1 else ())
    wing = ship("lukeskywalker", ANA, "r3astromech")
    run = verbs.Run(
        engagement(replace(wing, locks=("Foe 0",)), *foes),
        wing.name,
        rows_of("upgrade:r3astromech")[0].card,
        Falls(),
        ("Foe 1",),
    )
    verbs.read_deed("lock it").apply(run)
    assert run.own.locks == ("Foe 0", "Foe 1")


def labels(fleet: dict[str, Any], holder: Ship) -> set[str]:
    return {english(item.label) for item in controls.token_offers(fleet, holder)}


def test_some_cards_hide_a_cloaked_ship_from_locks() -> None:
    hides = {card for card, item in setups().items() if item.hidden}
    said = {str(row.card) for row in ROWS if any("forbid locks" in words for words in row.do)}
    assert hides == said
    for card, friend_may in (("sensorscramblers", False), ("withoutatrace-talent", True)):
        hidden = replace(ship("lukeskywalker", ANA, card), tokens={"cloak": 1})
        fleet: dict[str, Any] = {item.name: item for item in (hidden, ship("wedgeantilles"), FOE)}
        with pytest.raises(PlayerError):
            lock(fleet, FOE.name, hidden.name)
        assert can_be_locked(hidden, fleet["Wedge Antilles"]) is friend_may
        assert "Lock" in labels(fleet, FOE)
        assert "Lock" not in labels({hidden.name: hidden, FOE.name: FOE}, FOE)
        assert lock({**fleet, hidden.name: replace(hidden, tokens={})}, FOE.name, hidden.name)


# Docked ships, lost ships, cards that flip, and what always holds


def test_a_docked_ship_speaks_where_its_card_is_about_that_and_only_there() -> None:
    assert {row.key for row in ROWS if row.speaks_docked} == {"chassis:commsshuttle at 1"}
    ghost, phantom = ship("herasyndulla-vcx100lightfreighter"), ship("ezrabridger-sheathipedeclassshuttle")
    assert "chassis:commsshuttle" in phantom.card.cards
    free = played(ghost, phantom, FOE)
    docked = {**free, phantom.name: replace(phantom, docked=ghost.name)}
    (line,) = moments.lines(docked, docked[phantom.name])
    assert (line.row.card.id, line.other and line.other.name) == ("commsshuttle", ghost.name)
    assert not any(item.row.speaks_docked for item in moments.lines(free, free[phantom.name]))


@for_each_row("row", [row for row in ROWS if row.at in moments.LOST], ids=lambda row: row.key)
def test_a_loss_is_of_the_side_that_a_card_is_about(row: MomentRow) -> None:
    luke, wedge = ship("lukeskywalker"), ship("wedgeantilles")
    fleet: dict[str, Any] = {item.name: item for item in (luke, wedge, FOE)}
    about = {"after self destroyed": luke, "after friend destroyed": wedge, "after enemy destroyed": FOE}
    for lost in fleet.values():
        speaks = bool([*moments.events_of(Match(events=(lost.name,)), fleet, luke, row)])
        assert speaks is (lost is about[row.at] if row.at in about else lost is not luke)


def test_a_card_that_flipped_by_itself_is_not_offered_on_its_other_side_at_that_moment() -> None:
    flips = {row.card.id: row for row in ROWS if row.alone and "flip" in row.do}
    other_side = {
        row.card.id
        for row in ROWS
        if not row.alone and "flip" in row.do and row.card.id in flips and row.at == flips[row.card.id].at
    }
    assert other_side == {"grapplingstruts", "landingstruts"}
    for card, pilot in (("grapplingstruts", "dfs081"), ("landingstruts", "dbs32c")):
        item = flip(ship(pilot, ANA, card), 0)
        now = reveals(played(item), item.name, "2FB")
        assert now[item.name].sides[0].title.endswith("(Closed)")
        assert not any(line.row.card.id == card for line in moments.lines(now, now[item.name]))
        closed = ship(pilot, ANA, card)
        later = reveals(played(closed), closed.name, "2FB")
        assert any(line.row.card.id == card for line in moments.lines(later, later[closed.name]))


def test_what_always_holds_and_people_do_is_said_once_as_the_first_round_begins() -> None:
    always = {row.card.id for row in ROWS if row.at == "standing" and row.remind}
    assert {"bodhirook", "experimentalscanners", "duchess", "larmadacy"} <= always
    bodhi = ship("bodhirook")
    for round_, says in ((1, True), (2, False)):
        table = {bodhi.name: bodhi, FOE.name: FOE, MATCH: Match(first=ANA, second=BO, round=round_)}
        said = moments.next_phase(table, Falls()).said
        assert any("Bodhi Rook" in english(item) for item in said) is says


def test_a_ship_chooses_itself_unless_the_claim_is_about_others() -> None:
    chosen = set[str]()
    for row in ROWS:
        deeds = [deed for words in row.do for deed in verbs.read_deed(words).parts]
        if not {deed.subject for deed in deeds} & {verbs.Subject.IT, verbs.Subject.EACH} or row.on == "enemy":
            continue
        held = (row.card.id,) if row.card == "upgrade:gamutkey" else ()
        own = replace(ship("lukeskywalker", ANA, *held), tokens=dict.fromkeys(("focus", "stress", "tractor"), 1))
        line = moments.Line(row=row, ship=own)
        if own.name in [item.name for item in moments.candidates(line, {own.name: own})]:
            chosen.add(row.key)
            assert not any(word in row.ask for word in ("another", "other than", "other ships")), row.key
    assert len(chosen) == 32
    assert chosen >= {"upgrade:gamutkey at 1", "upgrade:feedbackarray at 1", "pilot:oddball-siegeofcoruscant at 1"}
    assert "pilot:unkarplutt at 1" not in chosen
    anakin = ship("anakinskywalker-eta2actis", stress=1)
    assert used(in_flight(anakin), "pilot:anakinskywalker-eta2actis")[anakin.name].tokens == {}


def test_major_mianda_and_her_friends_act_as_they_are_named() -> None:
    mianda, friend = ship("majormianda-battleoverendor"), ship("academypilot")
    now = in_phase(Phase.END, mianda, friend, FOE)
    for names in ((friend.name,), (mianda.name, friend.name)):
        after = used(now, "pilot:majormianda-battleoverendor", ships=", ".join(names), which="boost")
        assert [name for name in (mianda.name, friend.name) if after[name].has("stress")] == [*names]


@pytest.mark.parametrize("token", ["reinforce", "reinforce fore", "reinforce aft"])
def test_a_reinforce_token_of_either_arc_is_one(token: str) -> None:
    nakee = replace(ship("mornakee"), tokens={token: 1})
    after = used(in_phase(Phase.END, nakee, FOE), "pilot:mornakee")[nakee.name]
    assert end_of_round(after).tokens == {token: 1}


def test_a_card_that_grants_a_bonus_attack_and_more_is_offered_for_the_rest() -> None:
    rows = [row for row in ROWS if any(words.startswith(moments.IN_FORMS) for words in row.do)]
    more = {row.key for row in rows if not all(words.startswith(moments.IN_FORMS) for words in row.do)}
    assert {"pilot:chewbacca-scavengedyt1300 at 1", "pilot:deathfire at 1"} <= more
    assert not any(moments.is_in_attack(row) for row in rows if row.key in more and not row.in_attack)


def test_warthog_keeps_destroyed_ships_on_the_mat_and_raymus_longer() -> None:
    hog, lost = ship("warthog"), replace(ship("bluesquadronescort"), wrecked=True, engaged=True)
    now = in_phase(Phase.ENGAGEMENT, replace(hog, engaged=True), lost, replace(FOE, engaged=True), events=(lost.name,))
    assert matches.leaving_ships(now[MATCH], ships_of(now)) == [lost.name]
    kept = used(now, "pilot:warthog")
    assert matches.leaving_ships(kept[MATCH], ships_of(kept)) == []
    ended = replace(kept[MATCH], phase=Phase.END)
    assert matches.leaving_ships(ended, ships_of(kept)) == [lost.name]
    raymus = replace(ship("lukeskywalker", ANA, "raymusantilles"), wrecked=True)
    own = used(in_phase(Phase.ENGAGEMENT, raymus, FOE, events=(raymus.name,)), "upgrade:raymusantilles", 2)
    assert matches.leaving_ships(replace(own[MATCH], phase=Phase.END), ships_of(own)) == []
    gone = {**own, raymus.name: end_of_round(own[raymus.name])}
    assert matches.leaving_ships(replace(own[MATCH], phase=Phase.PLANNING), ships_of(gone)) == [raymus.name]


def test_tel_trevura_survives_in_reserve() -> None:
    tel = damage_ship(ship("teltrevura"), faceup=("Hull Breach",) * 6, facedown=())
    tel = replace(tel, shields_left=0, wrecked=True)
    now = in_phase(Phase.ENGAGEMENT, tel, FOE)
    (line,) = [item for item in lines_of(now) if item.row.card == "pilot:teltrevura"]
    on = BoardContext(now, tel.name, {}, lambda _: 0, tel.owner)
    after = apply_piece_changes(now, moments.use(on, line.mark).changes)[tel.name]
    assert (after.destroyed, after.cards) == (False, 5)


def test_a_charged_dis_l9b2_engages_last() -> None:
    dis = ship("disl9b2-legendsandrelics")
    began = moments.next_phase(in_phase(Phase.ACTIVATION, dis, FOE), never).changes
    now = apply_piece_changes(in_phase(Phase.ACTIVATION, dis, FOE), began)
    assert now[dis.name].turn == 1
    assert used(now, "pilot:disl9b2-legendsandrelics", 2)[dis.name].turn == 6


def test_each_ship_has_its_own_choice_where_several_are_named() -> None:
    lando, friend = ship("landocalrissian-scavengedyt1300"), ship("jessikapava")
    red = in_flight(replace(lando, tokens={"stress": 1}))
    red[lando.name] = replace(red[lando.name], flight=Flight(dial="2FR", maneuver="2FR"))
    now = {**red, friend.name: friend}
    (line,) = [item for item in lines_of(now) if item.row.key == "pilot:landocalrissian-scavengedyt1300 at 1"]
    which = next(field for field in moments.form(line, ships_of(now)) if field.key == "which")
    assert which.several
    assert english(which.options[0].label) == "Jessika Pava: focus"
    picked = f"{friend.name} · evade, {lando.name} · focus"
    after = used(now, "pilot:landocalrissian-scavengedyt1300", ships=f"{friend.name}, {lando.name}", which=picked)
    assert (after[friend.name].tokens, after[lando.name].has("focus")) == ({"evade": 1}, 1)
    shaakti = replace(ship("shaakti"), tokens={"focus": 1, "evade": 1})
    other = replace(ship("wedgeantilles"), tokens={"focus": 1, "evade": 1})
    end = in_phase(Phase.END, shaakti, other, FOE)
    picked = f"{other.name} · evade, {shaakti.name} · focus"
    kept = used(end, "pilot:shaakti", ships=f"{shaakti.name}, {other.name}", which=picked)
    assert (kept[shaakti.name].keeps, kept[other.name].keeps) == ({"focus": 1}, {"evade": 1})


# Each event is one of its own


def test_a_card_is_used_once_for_each_ship_whose_event_it_is_about() -> None:
    anakin = replace(ship("anakinskywalker-eta2actis"), tokens={"stress": 1})
    obi = replace(ship("obiwankenobi-delta7baethersprite"), tokens={"stress": 1})
    key = "pilot:anakinskywalker-eta2actis"
    now = {**in_flight(anakin), obi.name: obi}
    first = used(now, key, ship=anakin.name)
    assert f"{key} at 1" in keys_of(first), "without dials nobody knows whose event comes next"
    now[MATCH] = replace(now[MATCH], dials="on")
    after = used(now, key)
    assert f"{key} at 1" not in keys_of(after)
    after[obi.name] = replace(after[obi.name], flight=Flight(dial="2FW", maneuver="2FW"))
    after[MATCH] = replace(after[MATCH], active=obi.name)
    assert used(after, key)[obi.name].tokens == {}


def test_a_card_is_used_again_after_another_action() -> None:
    interceptor = ship("soontirfel")
    now = in_flight(interceptor)
    once = used(now, "chassis:autothrusters", which="boost")
    assert "chassis:autothrusters at 1" not in keys_of(once)
    acted = apply_piece_changes(once, moments.Course(once, never).after_action(interceptor.name, "focus").changes)
    acted[interceptor.name] = replace(acted[interceptor.name], tokens={})
    assert "chassis:autothrusters at 1" in keys_of(acted)


def test_a_card_speaks_again_of_the_second_ship_that_is_lost() -> None:
    own, key = replace(ship("lukeskywalker", ANA, "treacherous"), upgrade_charges=(0,)), "upgrade:treacherous"
    now: dict[str, Any] = in_phase(Phase.ENGAGEMENT, own, ship("wedgeantilles"), ship("academypilot", BO), FOE)
    for name in ("Wedge Antilles", "Academy Pilot"):
        lost = {name: replace(now[name], wrecked=True)}
        now = apply_piece_changes(now, moments.Course(now, never, lost).follow().changes)
        now = used(now, key)
        assert now[own.name].upgrade_charges == (1,)
        now = {**now, own.name: replace(now[own.name], upgrade_charges=(0,))}
        assert f"{key} at 1" not in keys_of(now)


SIDES = sorted(
    {
        (card, str(condition.fact))
        for card in cards()
        for conditions in (
            *(row.conditions for row in rows_of(card)),
            *(row.conditions for row in flying.rows_of(costs.CardId.read(card))),
        )
        for condition in conditions
        if isinstance(condition.fact, SideIsUp)
    }
)


@for_each_row(("card", "words"), SIDES)
def test_a_side_that_a_row_names_is_one_of_two(card: str, words: str) -> None:
    """``active side`` is no part of ``Inactive``, and ``IG-11`` none of ``IG-11 (Anti-Capture Protocol)``."""
    id_ = costs.CardId.read(card)
    one = ship("academypilot", ANA, id_.id)
    sides = one, flip(one, one.upgrades.index(id_.id))
    assert {read_condition(words).holds(FactContext(ship=item, card=id_)) for item in sides} == {True, False}
