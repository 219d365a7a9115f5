"""Laws of the rows outside attacks, each over the whole file: every deed works, every event is the right ship's."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bot.rules.text import english
from bot.rules.xwing.dice.faces import Face
from bot.rules.xwing.table import controls, dials, moments, verbs
from bot.rules.xwing.table.match import MATCH, Match, Phase
from bot.rules.xwing.table.moment_rows import MomentRow, cards, rows_of
from bot.rules.xwing.table.ship import flip
from tests.rules.xwing.play import Falls
from tests.rules.xwing.test_dials import ANA, BO, reveals, ship
from tests.rules.xwing.test_flying import played
from tests.rules.xwing.test_moments import FOE, pressed

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
