"""The picture of a board: which ships it shows, in which order, with what, and what may never be seen in it."""

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from bot.languages import ENGLISH, LANGUAGES
from bot.languages.translate import translate, using_language
from bot.render import plain_text
from bot.render.art import letters
from bot.render.art.palette import BRIGHT, GOLD, TRAY
from bot.render.card import Card, Roster, RosterShip, Team, TokenMark
from bot.render.figures import roster
from bot.render.figures.panel import PAD, WIDTH
from bot.render.paint import picture
from bot.render.xwing import fleet as board
from bot.rules.text import Text, english
from bot.rules.xwing.cards.cards import pilot_ship
from bot.rules.xwing.dice.tokens import KINDS, TOKENS, TokenShape
from bot.rules.xwing.table.match import MATCH, Match, Phase, Table
from bot.rules.xwing.table.ship import MAX_SHIPS, Ship, damage_ship, from_card, give, room
from docs.themes import contrast

OWNERS = {1: "Ana", 2: "Bo"}


def ship(pilot: str, owner: int) -> Ship:
    return from_card(pilot_ship(pilot, ()), owner)


LUKE, ESCORT, HOWLRUNNER = ship("lukeskywalker", 1), ship("bluesquadronescort", 1), ship("howlrunner", 2)


def table(*ships: Ship, match: Match | None = None) -> Table:
    return {item.name: item for item in ships} | ({MATCH: match} if match else {})


def shown(*ships: Ship, match: Match | None = None) -> Roster:
    result = board.roster(table(*ships, match=match), OWNERS)
    assert result is not None
    return result


def painted(figure: Roster) -> Image.Image:
    png = picture(Card(Text("Title"), Text("Outcome."), figure=figure))
    assert png is not None
    return Image.open(BytesIO(png)).convert("RGBA")


def test_no_ships_are_no_picture() -> None:
    assert board.roster({}, OWNERS) is None
    assert board.roster({MATCH: Match()}, OWNERS) is None


def test_the_first_players_ships_are_left_and_highest_initiative_on_top() -> None:
    second = shown(ESCORT, LUKE, HOWLRUNNER, match=Match(first=2, second=1))
    assert [team.title for team in second.teams] == ["Bo · first player", "Ana · second player"]
    assert [unit.name for unit in second.teams[1].units] == ["Luke Skywalker", "Blue Squadron Escort"]
    open_ = shown(ESCORT, HOWLRUNNER, match=Match())
    assert [team.title for team in open_.teams] == ["Ana", "Bo"], "nobody has a side yet"
    nobodys = shown(replace(LUKE, owner=0))
    assert [team.title for team in nobodys.teams] == [board.NOBODY]


def test_it_shows_who_is_next_who_has_engaged_and_who_is_destroyed() -> None:
    match = Match(first=1, second=2, phase=Phase.ENGAGEMENT)
    lost = damage_ship(ESCORT, facedown=("",) * 4)
    states = {unit.name: unit.state for team in shown(LUKE, lost, HOWLRUNNER, match=match).teams for unit in team.units}
    assert states == {"Luke Skywalker": "next", "Blue Squadron Escort": "out", "Howlrunner": ""}
    done = shown(replace(LUKE, engaged=True), HOWLRUNNER, match=match)
    assert [unit.state for team in done.teams for unit in team.units] == ["done", "next"]
    planning = shown(LUKE, HOWLRUNNER, match=Match(first=1, second=2))
    assert {unit.state for team in planning.teams for unit in team.units} == {""}


def test_everything_on_a_ship_is_shown_and_facedown_cards_never_are() -> None:
    full = LUKE
    for kind in KINDS:
        if TOKENS[kind].kind is not TokenShape.DAMAGE and full.has(kind) < room(full, kind):
            full = give(full, kind, 1)
    full = damage_ship(replace(full, locks=("Howlrunner",)), facedown=("Hull Breach",), faceup=("Fuel Leak",))
    result = shown(full, HOWLRUNNER)
    names = {mark.name for mark in result.teams[0].units[0].marks}
    assert {kind for kind in KINDS if full.has(kind)} - names == {"shield", "facedown damage"}
    words = plain_text.figure(result)
    assert "lock: Howlrunner" in english(words)
    assert "faceup damage: Fuel Leak" in english(words)
    assert "hull 2 of 4" in english(words)
    assert "Hull Breach" not in english(words)
    assert "Hull Breach" not in repr(result)


def test_the_ship_that_is_next_has_a_golden_frame() -> None:
    gold = (*GOLD, 255)
    for state, framed in (("next", True), ("", False)):
        unit = RosterShip("Luke Skywalker", 5, (4, 4), state=state)  # type: ignore[arg-type]  # both are states
        seen = painted(Roster((Team(Text("Ana"), (unit,)), Team(Text("Bo"), ()))))
        assert (seen.getpixel((PAD + roster.COLUMN // 2, PAD + roster.HEAD + roster.GAP + 2)) == gold) is framed


@pytest.mark.parametrize("ground", BRIGHT.values(), ids=BRIGHT)
def test_words_and_signs_on_tokens_are_legible(ground: tuple[int, int, int]) -> None:
    assert contrast(ground, TRAY) >= 4.5


def test_the_largest_board_keeps_its_width_and_every_ship_its_own_room() -> None:
    name = "W" * 32
    kinds = [kind for kind in KINDS if TOKENS[kind].kind is not TokenShape.DAMAGE]
    marks = (*(TokenMark(kind, "red", 9) for kind in kinds), TokenMark("lock", "red", text=Text(name)))
    unit = RosterShip(Text(name), 8, (12, 12), (9, 9), marks, "out")
    units = (unit,) * (MAX_SHIPS // 2)
    assert painted(Roster((Team(Text(name), units), Team(Text(name), units)))).width == WIDTH
    many = Roster(tuple(Team(Text(name), (unit, unit, unit)) for _ in range(4)))
    assert painted(many).width == WIDTH


@pytest.mark.parametrize("name", ["Łukasz Ω", "漢字", "🚀", ""])
def test_names_in_any_script_are_drawn(name: str) -> None:
    painted(Roster((Team(Text(name), (RosterShip(Text(name), 0, (0, 0)),)),)))


def test_states_and_tokens_are_drawn_in_the_language_that_is_spoken() -> None:
    luke = RosterShip(
        Text("Luke"), 5, (3, 4), marks=(TokenMark("stress", "red"), TokenMark("tractor", "orange")), state="done"
    )
    pictures = {}
    for key, language in LANGUAGES.items():
        with using_language(language):
            pictures[key] = picture(Card(Text(""), Text(""), figure=Roster((Team(Text("Ana"), (luke,)),))))
    assert len(set(pictures.values())) == len(LANGUAGES)
    with using_language(LANGUAGES["de"]):
        assert translate(plain_text.unit(luke)) == "Luke (5), hat gekämpft, Hülle 3 von 4, Stress, Fangstrahl"


def test_what_every_board_needs_is_drawn_ahead() -> None:
    drawn = (letters.ink_letter, roster.sign_shape, roster.pip, roster.chip)
    for item in (*drawn, letters.word, roster.ship):
        item.cache_clear()
    for piece in roster.pieces():
        piece()
    before = [one.cache_info().misses for one in drawn]
    wedge = RosterShip(
        Text("Wedge Antilles"),
        6,
        (3, 4),
        (2, 2),
        (TokenMark("focus", "green"), TokenMark("lock", "red", text=Text("Vader"))),
    )
    roster.ship(wedge, ENGLISH)
    assert [one.cache_info().misses for one in drawn] == before
