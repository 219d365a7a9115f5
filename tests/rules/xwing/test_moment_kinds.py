"""Laws of the rows outside attacks, each over the whole file: every deed works, every event is the right ship's."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bot.rules.errors import BadInputError
from bot.rules.game import ButtonRank
from bot.rules.text import Name, english
from bot.rules.xwing.cards.card_sets import SHIPPED
from bot.rules.xwing.dice.faces import Face
from bot.rules.xwing.table import controls, dials, moments, verbs
from bot.rules.xwing.table.action_bars import bar_of
from bot.rules.xwing.table.match import MATCH, Match, Phase, PlacedDevice
from bot.rules.xwing.table.moment_rows import MomentRow, cards, rows_of
from bot.rules.xwing.table.ship import flip
from tests.rules.xwing.play import Falls
from tests.rules.xwing.test_dials import ANA, BO, reveals, ship
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
    assert len(rolls) == 20
    for item in rolls:
        for faces, _ in item.parsed():
            assert faces <= known, item


@pytest.mark.parametrize("card", cards())
def test_every_deed_of_every_card_can_be_done(card: str) -> None:
    own = replace(ship("lukeskywalker"), faceup=("Hull Breach",) if card.startswith("damage") else ())
    table: dict[str, Any] = {own.name: own, FOE.name: FOE, MATCH: Match(first=ANA, second=BO, phase=Phase.ENGAGEMENT)}
    for row in rows_of(card):
        run = verbs.Run(table, own.name, row.card, Falls("blank hit crit focus hit crit focus"), (FOE.name,))
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
    *("chassis:resupplycraft at 1", "pilot:yoda at 1", "upgrade:yoda at 1", "upgrade:yoda at 2"),  # another ship
    *("pilot:fennrau-fangfighter at 1", "pilot:lieutenantrivas at 1", "pilot:overseeryushyn at 1"),  # at range 1
    *("pilot:zoriibliss at 1", "pilot:zoriibliss-wartime at 1"),
    *("pilot:hound at 1", "pilot:pettyofficerthanisson at 1", "pilot:pettyofficerthanisson-evacuationofdqar at 1"),
    "upgrade:savageopress at 1",  # in an arc of its own
}
"""Rows about friends, or about anybody, that never are about the ship with the card."""


def test_a_friendly_ship_is_the_ship_itself_unless_its_card_says_otherwise() -> None:
    assert len(FRIENDLY) == 47
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
        *("upgrade:grandinquisitor", "upgrade:leebo-crew", "upgrade:leebo-rsl", "upgrade:leebo-swz103"),
        *("upgrade:primeministeralmec", "upgrade:ta175"),
    ),
    "claimed": (  # the other ship's action, or the one just taken: people know it
        *("pilot:echo-pnp", "pilot:echo-pnp-lsl", "pilot:echo-ssl", "pilot:hondoohnaka", "pilot:lieutenantgalek"),
        *("pilot:lieutenantsai", "pilot:zoriibliss", "pilot:zoriibliss-wartime"),
        *("upgrade:precognitivereflexes", "upgrade:supernaturalreflexes"),
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
                assert set(deed.verb.options(luke)) <= set(bar_of(luke)), row.key


# What leaves a ship few actions


def test_the_cards_that_leave_a_ship_few_actions() -> None:
    limits = [row for row in ROWS if any("forbid actions" in words for words in row.do)]
    assert [(row.card, row.only) for row in limits] == [("damage:Damaged Sensor Array", ("focus",))]


def test_a_damaged_sensor_array_leaves_focus_alone() -> None:
    luke = replace(ship("lukeskywalker"), facedown=(), faceup=("Damaged Sensor Array",))
    assert verbs.Action("any").options(luke) == ("focus",)
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
        if row.remind and row.at != "standing":
            assert (row.at in REMINDED) is not row.is_line, row.key
            assert row.at in (*REMINDED, *LINES), row.key


# Numbers, and choices for each ship


def test_a_number_is_chosen_from_those_of_the_card() -> None:
    assert {row.key: (row.numbers[0], row.numbers[-1]) for row in ROWS if row.numbers} == {
        "pilot:landocalrissian-battleoverendor at 1": (1, 6),
        "pilot:landocalrissian-battleoverendor-lsl at 1": (1, 6),
        "upgrade:ga97 at 1": (3, 5),
    }


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


def test_an_oppressor_calculates_after_a_sideslip() -> None:
    item = ship("onderonoppressor")
    code = next(each.code for each in dials.dial_of(item) if each.difficulty == "R")
    now = reveals(played(item), item.name, code)
    assert pressed(now, item.name, "It did: sideslip")[item.name].tokens == {"stress": 1, "calculate": 1}
